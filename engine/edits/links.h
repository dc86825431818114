/* SPDX-License-Identifier: MIT */
/* Which links are meant: tokens that read times tokens that are read, each of them one, several in a
 * row or all. As text "4:7", "3-5:0", "*:6-7" (query, then key), several with commas between. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ENG_ALL_TOKENS (-1)

typedef struct {
  int query;          /* or ENG_ALL_TOKENS */
  int n_more_queries; /* behind it */
  int key;
  int n_more_keys;
} EngLinks;

/* "4", "4-7" or "*". */
gboolean eng_span_parse       (const char   *word,
                               int          *first,
                               int          *n_more);
char    *eng_span_to_string   (int           first,
                               int           n_more);
gboolean eng_span_has         (int           first,
                               int           n_more,
                               int           token);

/* Lists are arrays of EngLinks (transfer full); g_array_unref() frees them. */

/* "" = none; NULL for what is no such text. */
GArray  *eng_links_parse      (const char   *text);
char    *eng_links_to_string  (const GArray *self);
gboolean eng_links_have       (const GArray *self,
                               int           query,
                               int           key);
/* Those of a text of so many tokens: what it does not have is left out. */
GArray  *eng_links_clip       (const GArray *self,
                               int           n_queries,
                               int           n_keys);
/* The same links put together, one of the text more or less: it comes, or goes where it is there. */
GArray  *eng_links_toggle     (const GArray *self,
                               int           query,
                               int           key,
                               int           n_queries,
                               int           n_keys);
/* How many of the text they are. */
int      eng_links_count      (const GArray *self,
                               int           n_queries,
                               int           n_keys);

G_END_DECLS
