/* SPDX-License-Identifier: MIT */
#include "ui/inspector/inspector-private.h"

#include "engine/trace/check.h"
#include "ui/controls/check-block.h"
#include "ui/controls/words.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/readings.h"

/* A wrong row is looked for in so many. */
#define MOST_ROWS 64

void
ui_inspector_choose (const UiSceneFacts *facts,
                     const UiItem       *item,
                     UiInspectorChoice  *choice)
{
  const UiPins *pins = &facts->document->pins;
  const gboolean both = facts->kind != ENG_KIND_CROSS;
  UiPins all = { 0 };

  *choice = (UiInspectorChoice) { .token = -1 };
  if (!ui_pins_is_empty (pins)) {
    all = *pins;
  } else if (ui_item_names_key (item->type) && !ui_item_names_query (item->type)) {
    all.keys = (int *) &item->key;
    all.n_keys = 1;
  } else if (item->type != UI_ITEM_NONE) {
    all.queries = (int *) &item->query;
    all.n_queries = 1;
  }

  /* A token of self-attention is query and key at once: both lists are about it. */
  choice->as_queries.queries = all.n_queries > 0 || !both ? all.queries : all.keys;
  choice->as_queries.n_queries = all.n_queries > 0 || !both ? all.n_queries : all.n_keys;
  choice->as_keys.keys = all.n_keys > 0 || !both ? all.keys : all.queries;
  choice->as_keys.n_keys = all.n_keys > 0 || !both ? all.n_keys : all.n_queries;
  choice->is_key = all.n_queries == 0;
  if (all.n_queries + all.n_keys == 1)
    choice->token = choice->is_key ? all.keys[0] : all.queries[0];
}

static int
get_first (const int *tokens,
           int        n)
{
  return n > 0 ? tokens[0] : -1;
}

UiItem
ui_inspector_find_subject (UiInspector             *self,
                           const UiInspectorChoice *choice)
{
  const UiDocument *document = ui_scene_get_document (self->part);

  if (ui_view_get (document->view)->has_all_heads)
    return self->selected.type == UI_ITEM_HEAD ? self->selected : self->item;
  return (UiItem) {
    .type = choice == NULL ? UI_ITEM_NONE : choice->is_key ? UI_ITEM_KEY : UI_ITEM_QUERY,
    .layer = document->layer,
    .head = ui_head_set_first (&document->heads, UI_MAX_HEADS),
    .query = choice != NULL ? get_first (choice->as_queries.queries, choice->as_queries.n_queries)
                            : -1,
    .key = choice != NULL ? get_first (choice->as_keys.keys, choice->as_keys.n_keys) : -1,
  };
}

/* The cell that the check is about: pinned query and pointed-at key, filled up with the
 * strongest key. */
static gboolean
find_cell (UiInspector        *self,
           const UiSceneFacts *facts,
           int                *query,
           int                *key)
{
  const UiPins *pins = &facts->document->pins;
  UiPins row = { 0 };
  g_autoptr (GArray) readings = NULL;

  if (pins->n_queries > 0)
    *query = pins->queries[0];
  else if (ui_item_names_query (self->item.type))
    *query = self->item.query;
  else
    return FALSE;

  if (ui_item_names_key (self->item.type))
    *key = self->item.key;
  else if (pins->n_keys > 0)
    *key = pins->keys[0];
  else {
    row.queries = query;
    row.n_queries = 1;
    readings = ui_readings_new (self->part, &row, TRUE);
    if (readings->len == 0)
      return FALSE;
    *key = g_array_index (readings, UiReading, 0).token;
  }

  return TRUE;
}

/* "✗ The weight of “cat” (2) to “the” (5) in head 11 is 0.2500, but queries and keys give 0.0000. 2
 * weights of the row differ." (transfer full); NULL where the row is right or cannot be checked. */
static char *
describe_wrong (const UiSceneFacts *facts,
                int                 head,
                int                 query)
{
  EngCheck check;
  int n_wrong;
  const int key = eng_check_row (facts->trace, facts->kind, facts->layer, head, query, &n_wrong,
                                 &check);

  if (key < 0)
    return NULL;

  g_autofree char *reader = ui_describe_token (eng_trace_get_query_tokens (facts->trace,
                                                                           facts->kind), query);
  g_autofree char *read = ui_describe_token (eng_trace_get_key_tokens (facts->trace, facts->kind),
                                             key);
  g_autofree char *stored = ui_words_number ("%.4f", check.stored);
  g_autofree char *recomputed = ui_words_number ("%.4f", check.recomputed);
  g_autofree char *others = n_wrong == 1 ? g_strdup ("")
                                         : g_strdup_printf (" %d weights of the row differ.",
                                                            n_wrong);

  return g_strdup_printf ("✗ The weight of %s to %s in head %d is %s, but queries and keys give "
                          "%s.%s", reader, read, head, stored, recomputed, others);
}

/* The first row that is wrong, of those that are pinned or, with none, pointed at. */
static void
show_wrong (UiInspector        *self,
            const UiSceneFacts *facts)
{
  const UiPins *pins = &facts->document->pins;
  const gboolean is_pinned = pins->n_queries > 0;
  const int n_queries = is_pinned ? pins->n_queries : ui_item_names_query (self->item.type);
  const int n_heads = eng_trace_get_n_heads (facts->trace, facts->kind);
  g_autofree char *text = NULL;
  int n_left = MOST_ROWS;

  for (int i = 0; i < n_queries; i++)
    for (int head = 0; head < n_heads && text == NULL && n_left > 0; head++)
      if (ui_head_set_has (&facts->document->heads, head)) {
        n_left--;
        text = describe_wrong (facts, head, is_pinned ? pins->queries[i] : self->item.query);
      }
  gtk_widget_set_visible (self->wrong, text != NULL);
  gtk_label_set_label (GTK_LABEL (self->wrong), text != NULL ? text : "");
}

void
ui_inspector_show_check (UiInspector        *self,
                         const UiSceneFacts *facts)
{
  int query = 0, key = 0;
  const gboolean has_cell = ui_view_get (facts->document->view)->has_vectors &&
                            find_cell (self, facts, &query, &key);

  show_wrong (self, facts);
  gtk_widget_set_visible (self->check, has_cell);
  if (has_cell)
    ui_check_block_set (UI_CHECK_BLOCK (self->check), self->part, query, key, self->theme);
}
