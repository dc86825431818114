/* SPDX-License-Identifier: MIT */
#include "ui/map/head-groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/map/head-map.h"

/* One of so many heads, and no single one stands for the pattern. */
#define SHARED_BY 6

static gboolean
is_of_blocks (EngPattern pattern)
{
  switch (pattern) {
  case ENG_PATTERN_OWN_SENTENCE:
  case ENG_PATTERN_BLOCK_AB:
  case ENG_PATTERN_BLOCK_BA:
  case ENG_PATTERN_BROAD:
    return TRUE;
  default:
    return FALSE;
  }
}

static void
count_head (UiHeadGroup        *group,
            const EngHeadFacts *facts,
            int                 layer,
            int                 head)
{
  const float score = facts->scores[group->pattern];

  if (group->n_heads++ > 0 && !(score > group->score))
    return;
  group->best = (UiCell) { layer, head };
  group->score = score;
}

int
ui_head_groups_find (const UiHeadTiles *tiles,
                     UiHeadGroup       *groups)
{
  const int n_layers = ui_head_tiles_get_n_layers (tiles);
  const int n_heads = ui_head_tiles_get_n_heads (tiles);
  int n = 0;

  for (int pattern = 0; pattern < ENG_N_LABELS; pattern++) {
    UiHeadGroup *group = &groups[n];

    *group = (UiHeadGroup) { .pattern = (EngPattern) pattern };
    for (int layer = 0; layer < n_layers; layer++)
      for (int head = 0; head < n_heads; head++) {
        const EngHeadFacts *facts = ui_head_tiles_get_facts (tiles, layer, head);

        if (facts != NULL && facts->label == group->pattern)
          count_head (group, facts, layer, head);
      }
    group->is_shared = is_of_blocks (group->pattern)
                       || group->n_heads * SHARED_BY > n_layers * n_heads;
    n += group->n_heads > 0;
  }
  return n;
}

/* The search. */

static int
compare_found (gconstpointer a,
               gconstpointer b)
{
  const UiFoundHead *first = a, *second = b;

  if (first->score != second->score)
    return first->score > second->score ? -1 : 1;
  if (first->cell.layer != second->cell.layer)
    return first->cell.layer - second->cell.layer;
  return first->cell.head - second->cell.head;
}

/* Which heads a search is about. */
typedef struct {
  int      layer;   /* -1 = any */
  int      head;    /* -1 = any */
  gboolean patterns[ENG_N_LABELS];
  gboolean has_pattern;
  gboolean is_edited;
} Query;

/* "3.11", "layer 3 head 11", "layer 3", "head 11"; a number alone is a layer, as it is in the map.
 * FALSE = the text is something else. */
static gboolean
parse_place (const char *text,
             Query      *query)
{
  static const struct {
    const char *format;
    gboolean    is_head; /* its one number */
  } forms[] = { { "layer %4d%n" }, { "%4d%n" }, { "%4d.%n" }, { "head %4d%n", TRUE } };
  int first, second, end = 0;

  if ((sscanf (text, "%4d.%4d%n", &first, &second, &end) == 2
       || sscanf (text, "layer %4d head %4d%n", &first, &second, &end) == 2) && text[end] == '\0') {
    query->layer = first;
    query->head = second;
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++) {
    end = 0;
    if (sscanf (text, forms[i].format, &first, &end) != 1 || end == 0 || text[end] != '\0')
      continue;
    *(forms[i].is_head ? &query->head : &query->layer) = first;
    return TRUE;
  }
  return FALSE;
}

static gboolean
parse_query (const char *text,
             Query      *query)
{
  g_autofree char *folded = g_utf8_strdown (text, -1);

  *query = (Query) { .layer = -1, .head = -1 };
  g_strstrip (folded);
  if (*folded == '\0')
    return FALSE;
  if (parse_place (folded, query))
    return TRUE;
  if (g_str_equal (folded, "edited")) {
    query->is_edited = TRUE;
    return TRUE;
  }
  for (int pattern = 0; pattern < ENG_N_LABELS; pattern++) {
    query->patterns[pattern] =
      g_str_match_string (folded, eng_pattern_get_title ((EngPattern) pattern), TRUE)
      || g_str_match_string (folded, eng_pattern_get_name ((EngPattern) pattern), TRUE);
    query->has_pattern |= query->patterns[pattern];
  }
  return query->has_pattern;
}

/* The pattern of the query that the head follows best. */
static void
find_pattern (const Query        *query,
              const EngHeadFacts *facts,
              UiFoundHead        *found)
{
  found->pattern = facts->label;
  found->score = facts->scores[facts->label];
  if (!query->has_pattern)
    return;
  found->score = -1;
  for (int pattern = 0; pattern < ENG_N_LABELS; pattern++)
    if (query->patterns[pattern] && facts->scores[pattern] > found->score) {
      found->pattern = (EngPattern) pattern;
      found->score = facts->scores[pattern];
    }
}

/* Without facts a pattern is not known; a place is. */
static gboolean
is_wanted (const Query        *query,
           const EngHeadFacts *facts,
           guint8              marks,
           int                 layer,
           int                 head)
{
  if (facts == NULL)
    return FALSE;
  if (query->has_pattern)
    return query->patterns[facts->label];
  if (query->is_edited)
    return (marks & UI_HEAD_EDITED) != 0;
  return (query->layer < 0 || layer == query->layer) && (query->head < 0 || head == query->head);
}

GArray *
ui_head_groups_search (const UiHeadTiles *tiles,
                       const char        *text,
                       const guint8      *marks)
{
  const int n_layers = ui_head_tiles_get_n_layers (tiles);
  const int n_heads = ui_head_tiles_get_n_heads (tiles);
  GArray *found;
  Query query;

  if (!parse_query (text, &query))
    return NULL;
  found = g_array_new (FALSE, FALSE, sizeof (UiFoundHead));
  for (int layer = 0; layer < n_layers; layer++)
    for (int head = 0; head < n_heads; head++) {
      const EngHeadFacts *facts = ui_head_tiles_get_facts (tiles, layer, head);
      UiFoundHead one = { .cell = { layer, head } };

      if (!is_wanted (&query, facts, marks[layer * n_heads + head], layer, head))
        continue;
      find_pattern (&query, facts, &one);
      g_array_append_val (found, one);
    }
  if (query.has_pattern)
    g_array_sort (found, compare_found);
  return found;
}

/* Why nothing was found. */
static char *
explain_nothing (const UiHeadTiles *tiles,
                 const Query       *query)
{
  const int last_layer = ui_head_tiles_get_n_layers (tiles) - 1;
  const int last_head = ui_head_tiles_get_n_heads (tiles) - 1;

  if (query->layer > last_layer)
    return g_strdup_printf ("There is no layer %d: the last is %d", query->layer, last_layer);
  if (query->head > last_head)
    return g_strdup_printf ("There is no head %d: the last is %d", query->head, last_head);
  if (query->is_edited)
    return g_strdup ("No head is edited");
  if (query->has_pattern)
    return g_strdup ("No head reads this way");
  return g_strdup ("These heads are not computed");
}

char *
ui_head_groups_describe (const UiHeadTiles *tiles,
                         const char        *text,
                         int                n_found)
{
  Query query;

  if (!parse_query (text, &query))
    return NULL;
  if (n_found == 0)
    return explain_nothing (tiles, &query);
  if (query.layer >= 0 && query.head >= 0)
    return g_strdup_printf ("Head %d of layer %d", query.head, query.layer);
  if (query.layer >= 0)
    return g_strdup_printf ("Heads of layer %d", query.layer);
  if (query.head >= 0)
    return g_strdup_printf ("Head %d of each layer", query.head);
  return g_strdup_printf ("%d head%s found", n_found, n_found == 1 ? "" : "s");
}
