/* SPDX-License-Identifier: MIT */
#include "engine/edits/links.h"

#include <string.h>

/* Digits alone. */
static gboolean
parse_index (const char *word,
             int        *index)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (word, 10, 0, G_MAXINT, &value, NULL))
    return FALSE;
  *index = (int) value;

  return TRUE;
}

gboolean
eng_span_parse (const char *word,
                int        *first,
                int        *n_more)
{
  g_auto (GStrv) ends = g_strsplit (word, "-", 2);
  int last;

  *n_more = 0;
  if (strcmp (word, "*") == 0) {
    *first = ENG_ALL_TOKENS;
    return TRUE;
  }
  if (!ends[0] || !parse_index (ends[0], first))
    return FALSE;
  if (!ends[1])
    return TRUE;
  if (!parse_index (ends[1], &last) || last < *first)
    return FALSE;
  *n_more = last - *first;

  return TRUE;
}

char *
eng_span_to_string (int first,
                    int n_more)
{
  if (first == ENG_ALL_TOKENS)
    return g_strdup ("*");
  return n_more > 0 ? g_strdup_printf ("%d-%d", first, first + n_more)
                    : g_strdup_printf ("%d", first);
}

gboolean
eng_span_has (int first,
              int n_more,
              int token)
{
  return first == ENG_ALL_TOKENS || (token >= first && token - first <= n_more);
}

static GArray *
create (void)
{
  return g_array_new (FALSE, FALSE, sizeof (EngLinks));
}

static gboolean
parse_one (const char *text,
           EngLinks   *links)
{
  g_auto (GStrv) sides = g_strsplit (text, ":", -1);

  return g_strv_length (sides) == 2
         && eng_span_parse (sides[0], &links->query, &links->n_more_queries)
         && eng_span_parse (sides[1], &links->key, &links->n_more_keys);
}

GArray *
eng_links_parse (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  GArray *self = create ();
  EngLinks links;

  for (int i = 0; parts[i]; i++) {
    if (!parse_one (g_strstrip (parts[i]), &links)) {
      g_array_unref (self);
      return NULL;
    }
    g_array_append_val (self, links);
  }

  return self;
}

char *
eng_links_to_string (const GArray *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->len; i++) {
    const EngLinks *links = &g_array_index (self, EngLinks, i);
    g_autofree char *queries = eng_span_to_string (links->query, links->n_more_queries);
    g_autofree char *keys = eng_span_to_string (links->key, links->n_more_keys);

    g_string_append_printf (text, "%s%s:%s", i > 0 ? "," : "", queries, keys);
  }

  return g_string_free (text, FALSE);
}

gboolean
eng_links_have (const GArray *self,
                int           query,
                int           key)
{
  for (guint i = 0; i < self->len; i++) {
    const EngLinks *links = &g_array_index (self, EngLinks, i);

    if (eng_span_has (links->query, links->n_more_queries, query)
        && eng_span_has (links->key, links->n_more_keys, key))
      return TRUE;
  }

  return FALSE;
}

/* FALSE where nothing is left. */
static gboolean
clip_span (int *first,
           int *n_more,
           int  n)
{
  if (*first != ENG_ALL_TOKENS && *first < n)
    *n_more = MIN (*n_more, n - 1 - *first);

  return *first < n;
}

GArray *
eng_links_clip (const GArray *self,
                int           n_queries,
                int           n_keys)
{
  GArray *clipped = create ();

  for (guint i = 0; i < self->len; i++) {
    EngLinks links = g_array_index (self, EngLinks, i);

    if (clip_span (&links.query, &links.n_more_queries, n_queries)
        && clip_span (&links.key, &links.n_more_keys, n_keys))
      g_array_append_val (clipped, links);
  }

  return clipped;
}

/* Rows [first, last] that are alike, cells [n_keys] of one of them: a rectangle for each run. */
static void
add_runs (GArray       *self,
          const guint8 *cells,
          int           first,
          int           last,
          int           n_queries,
          int           n_keys)
{
  const gboolean all = first == 0 && last == n_queries - 1;

  for (int key = 0; key < n_keys; key++) {
    EngLinks links = { all ? ENG_ALL_TOKENS : first, all ? 0 : last - first, key, 0 };

    if (!cells[key])
      continue;
    while (key + 1 < n_keys && cells[key + 1])
      key++;
    links.n_more_keys = key - links.key;
    if (links.key == 0 && key == n_keys - 1)
      links.key = ENG_ALL_TOKENS, links.n_more_keys = 0;
    g_array_append_val (self, links);
  }
}

GArray *
eng_links_toggle (const GArray *self,
                  int           query,
                  int           key,
                  int           n_queries,
                  int           n_keys)
{
  g_autofree guint8 *cells = g_malloc ((gsize) n_queries * (gsize) n_keys);
  GArray *toggled = create ();
  int first = 0;

  for (int q = 0; q < n_queries; q++)
    for (int k = 0; k < n_keys; k++)
      cells[(gsize) q * (gsize) n_keys + (gsize) k] =
        eng_links_have (self, q, k) != (q == query && k == key);
  for (int q = 0; q < n_queries; q++) {
    const guint8 *row = cells + (gsize) q * (gsize) n_keys;

    if (q + 1 < n_queries && memcmp (row, row + n_keys, (gsize) n_keys) == 0)
      continue;
    add_runs (toggled, row, first, q, n_queries, n_keys);
    first = q + 1;
  }

  return toggled;
}

int
eng_links_count (const GArray *self,
                 int           n_queries,
                 int           n_keys)
{
  int n = 0;

  for (int query = 0; query < n_queries; query++)
    for (int key = 0; key < n_keys; key++)
      n += eng_links_have (self, query, key);

  return n;
}
