/* SPDX-License-Identifier: MIT */
/* Which heads link two tokens. */
#pragma once

#include "engine/edits/edit.h"
#include "engine/trace/measures.h"

G_BEGIN_DECLS

typedef struct {
  int    layer;
  int    head;  /* ENG_ALL_HEADS in a rollout */
  int    query; /* reads */
  int    key;   /* is read */
  double value; /* of the measure */
} EngFoundLink;

/* (transfer full) GArray of EngFoundLink, strongest first, equal ones by layer, head and query:
 * every link over 0 between the tokens in every layer that has the measure, in both directions. In
 * cross attention token_a is the query (of the decoder) and token_b the key (of the encoder), and
 * there is that direction alone. Errors: a token that is not there, a measure that no layer has,
 * the cancel flag. */
GArray *eng_links_search (EngTrace    *trace,
                          EngKind      kind,
                          int          token_a,
                          int          token_b,
                          EngMeasure   measure,
                          const gint  *cancel,
                          GError     **error);
/* The order of the links, for a GArray of EngFoundLink. */
int     eng_links_compare (gconstpointer a,
                           gconstpointer b);

G_END_DECLS
