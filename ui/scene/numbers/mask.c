/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/mask.h"

#include <string.h>

#define UNLIMITED G_MAXINT

/* The shape of a mask beside the keys that it hides from all: a query sees the keys from so many
 * places before it to so many behind it. */
typedef struct {
  int before;
  int behind;
} Reach;

static const guint8 *
get_row (const EngAttention *attention,
         int                 query)
{
  return attention->mask + (gsize) query * (gsize) attention->n_keys;
}

static gboolean
hides_any (const EngAttention *attention)
{
  gsize n = (gsize) attention->n_queries * (gsize) attention->n_keys;

  return attention->mask != NULL && memchr (attention->mask, 0, n) != NULL;
}

/* hidden begins as all ones; a key that one of the queries sees is not. */
static void
strike_visible_keys (const EngAttention *attention,
                     int                 query,
                     guint8             *hidden)
{
  const guint8 *visible = get_row (attention, query);

  for (int key = 0; key < attention->n_keys; key++)
    hidden[key] &= visible[key] == 0;
}

static gboolean
sees_any (const EngAttention *attention,
          int                 query,
          const int          *keys,
          int                 n_keys)
{
  for (int i = 0; i < n_keys; i++)
    if (!ui_mask_hides (attention, query, keys[i]))
      return TRUE;
  return FALSE;
}

/* The widest reach that a query uses to either side; unlimited where it is never cut short. hidden:
 * keys that do not count, nullable. Masks are large: rows are walked from the query outwards. */
static Reach
find_reach (const EngAttention *attention,
            const guint8       *hidden)
{
  Reach reach = { UNLIMITED, UNLIMITED };

  for (int query = 0; query < attention->n_queries; query++) {
    const guint8 *visible = get_row (attention, query);
    int before = MIN (query, attention->n_keys) - 1;
    int behind = query;

    while (before >= 0 && (visible[before] || (hidden != NULL && hidden[before])))
      before--;
    while (behind < attention->n_keys && (visible[behind] || (hidden != NULL && hidden[behind])))
      behind++;
    if (before >= 0)
      reach.before = MIN (reach.before, query - before - 1);
    if (behind < attention->n_keys)
      reach.behind = MIN (reach.behind, MAX (behind - query - 1, 0));
  }
  return reach;
}

/* Whether the mask is that reach and nothing else. */
static gboolean
is_reach (const EngAttention *attention,
          const guint8       *hidden,
          Reach               reach)
{
  for (int query = 0; query < attention->n_queries; query++) {
    const guint8 *visible = get_row (attention, query);
    int first = reach.before == UNLIMITED ? 0 : MAX (query - reach.before, 0);
    int last = reach.behind == UNLIMITED ? attention->n_keys - 1 : query + reach.behind;

    for (int key = 0; key < attention->n_keys; key++)
      if (visible[key] != (key >= first && key <= last) && (hidden == NULL || !hidden[key]))
        return FALSE;
  }
  return TRUE;
}

static int
count (const guint8 *marks,
       int           n)
{
  int sum = 0;

  for (int i = 0; marks != NULL && i < n; i++)
    sum += marks[i];
  return sum;
}

static void
describe_pairs (const EngAttention *attention,
                GString            *text)
{
  gint64 n = (gint64) attention->n_queries * attention->n_keys;
  gint64 n_hidden = 0;

  for (int query = 0; query < attention->n_queries; query++)
    n_hidden += ui_mask_count_hidden (attention, query);
  g_string_append_printf (text, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " pairs are hidden",
                          n_hidden, n);
}

static void
describe_reach (const EngAttention *attention,
                const guint8       *hidden,
                GString            *text)
{
  Reach reach = find_reach (attention, hidden);
  gboolean square = attention->n_queries == attention->n_keys;

  if (reach.before == UNLIMITED && reach.behind == UNLIMITED)
    return;
  if (!square || !is_reach (attention, hidden, reach))
    describe_pairs (attention, text);
  else if (reach.behind == 0 && reach.before == UNLIMITED)
    g_string_append (text, "each token sees itself and what stands before it");
  else if (reach.behind == 0)
    g_string_append_printf (text, "each token sees itself and the %d before it", reach.before);
  else if (reach.before == reach.behind)
    g_string_append_printf (text, "each token sees those up to %d place%s away", reach.before,
                            reach.before == 1 ? "" : "s");
  else
    describe_pairs (attention, text);
}

gboolean
ui_mask_hides (const EngAttention *attention,
               int                 query,
               int                 key)
{
  return attention->mask != NULL && !get_row (attention, query)[key];
}

gboolean
ui_mask_hides_in (const EngAttention *attention,
                  int                 head,
                  int                 query,
                  int                 key)
{
  const guint8 *visible = eng_attention_get_mask (attention, head, query);

  return visible != NULL && !visible[key];
}

guint8 *
ui_mask_mark_keys (const EngAttention *attention,
                   const int          *queries,
                   int                 n_queries)
{
  gsize n = (gsize) attention->n_keys;
  g_autofree guint8 *hidden = NULL;

  if (!hides_any (attention))
    return NULL;
  hidden = g_malloc (n);
  memset (hidden, 1, n);
  /* From the last query on: where a mask is causal, that one sees all, and nothing is left. */
  for (int i = n_queries > 0 ? n_queries : attention->n_queries; i > 0; i--) {
    strike_visible_keys (attention, n_queries > 0 ? queries[i - 1] : i - 1, hidden);
    if (memchr (hidden, 1, n) == NULL)
      return NULL;
  }
  return g_steal_pointer (&hidden);
}

guint8 *
ui_mask_mark_queries (const EngAttention *attention,
                      const int          *keys,
                      int                 n_keys)
{
  gsize n = (gsize) attention->n_queries;
  g_autofree guint8 *hidden = NULL;

  if (!hides_any (attention))
    return NULL;
  hidden = g_malloc (n);
  for (int query = 0; query < attention->n_queries; query++)
    hidden[query] = !sees_any (attention, query, keys, n_keys);
  return memchr (hidden, 1, n) != NULL ? g_steal_pointer (&hidden) : NULL;
}

int
ui_mask_count_hidden (const EngAttention *attention,
                      int                 query)
{
  const guint8 *visible = attention->mask != NULL ? get_row (attention, query) : NULL;
  int sum = 0;

  for (int key = 0; visible != NULL && key < attention->n_keys; key++)
    sum += visible[key] == 0;
  return sum;
}

gboolean
ui_mask_leaves_choice (const EngAttention *attention,
                       int                 query)
{
  return attention->n_keys - ui_mask_count_hidden (attention, query) > 1;
}

char *
ui_mask_describe (const EngAttention *attention)
{
  g_autofree guint8 *hidden = ui_mask_mark_keys (attention, NULL, 0);
  int n_hidden = count (hidden, attention->n_keys);
  GString *text;

  if (!hides_any (attention))
    return NULL;
  text = g_string_new (NULL);
  describe_reach (attention, hidden, text);
  if (n_hidden > 0)
    g_string_append_printf (text, "%s%d token%s hidden from all",
                            text->len > 0 ? "; " : "", n_hidden, n_hidden == 1 ? " is" : "s are");
  return g_string_free (text, FALSE);
}

gboolean
ui_mask_is_missing (const EngAttention *attention)
{
  int n = attention->n_queries;
  const float *row = attention->weights;

  if (hides_any (attention) || n != attention->n_keys || n < 2)
    return FALSE;
  for (int head = 0; head < attention->n_heads; head++) {
    for (int query = 0; query < n; query++, row += n) {
      for (int key = query + 1; key < n; key++)
        if (row[key] != 0)
          return FALSE;
    }
  }
  return TRUE;
}
