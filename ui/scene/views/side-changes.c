/* SPDX-License-Identifier: MIT */
#include "ui/scene/views/side-changes.h"

#include <math.h>

#include "ui/document/bidi.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/matrix/difference-scene.h"
#include "ui/scene/numbers/alignment.h"
#include "ui/scene/sinks/text.h"
#include "ui/scene/views/panels-private.h"

/* The two sides of a scene, and what is pointed at in each: rows are -1 where a side has none. */
typedef struct {
  const UiScene *scenes[2];
  UiItem         items[2];
  gboolean       has_item[2];
} Sides;

static gboolean
find_in_difference (Sides         *self,
                    const UiScene *scene,
                    const UiItem  *item)
{
  const UiDifferenceScene *difference = (const UiDifferenceScene *) scene;

  for (int side = 0; side < 2; side++) {
    self->scenes[side] = difference->sides[side];
    self->items[side] = *item;
    self->items[side].head = difference->sides[side]->weights.heads[0];
    if (ui_item_names_query (item->type))
      self->items[side].query = ui_difference_scene_get_token (scene, side, FALSE, item->query);
    if (ui_item_names_key (item->type))
      self->items[side].key = ui_difference_scene_get_token (scene, side, TRUE, item->key);
    self->has_item[side] = self->items[side].query >= 0 && self->items[side].key >= 0;
  }
  return TRUE;
}

static gboolean
find_sides (Sides         *self,
            const UiScene *scene,
            const UiItem  *item)
{
  if (item->type == UI_ITEM_NONE || !ui_scene_has_item (scene, item))
    return FALSE;
  if (ui_scene_is_difference (scene))
    return find_in_difference (self, scene, item);
  if (!ui_scene_is_panels (scene) || scene->document->compare != UI_COMPARE_SIDES)
    return FALSE;

  for (int side = 0; side < 2; side++) {
    self->scenes[side] = ui_panels (scene)->panels[side].scene;
    self->has_item[side] =
      ui_panels_find_counterpart (ui_panels (scene), item, side, &self->items[side]);
  }
  return TRUE;
}

/* The mean over the heads shown, or the one head of a link. */
static double
get_value (const Sides  *self,
           int           side,
           const UiItem *item,
           int           query,
           int           key)
{
  const UiWeights *weights = &self->scenes[side]->weights;
  double sum = 0;

  if (item->type == UI_ITEM_LINK)
    return ui_weights_get (weights, self->items[side].head, query, key);
  for (int i = 0; i < weights->n_heads; i++)
    sum += ui_weights_get (weights, weights->heads[i], query, key);
  return sum / MAX (weights->n_heads, 1);
}

static gboolean
is_cell (const UiItem *item)
{
  return ui_item_names_query (item->type) && ui_item_names_key (item->type);
}

/* The tokens at the other end of the links of what is pointed at. */
static const EngTokens *
get_ends (const Sides  *self,
          int           side,
          const UiItem *item)
{
  return ui_item_names_query (item->type) ? self->scenes[side]->keys : self->scenes[side]->queries;
}

static void
append_change (const Sides          *self,
               const UiItem         *item,
               const UiAlignedToken *end,
               GArray               *changes)
{
  gboolean reads = ui_item_names_query (item->type);
  const int rows[] = { end->first, end->second };
  const EngTokens *tokens;
  g_autofree char *text = NULL;
  g_autofree char *isolated = NULL;
  UiSideChange change = { 0 };
  int named = end->first >= 0 ? 0 : 1;

  for (int side = 0; side < 2; side++) {
    int own = reads ? self->items[side].query : self->items[side].key;

    change.is_there[side] = self->has_item[side] && rows[side] >= 0;
    if (change.is_there[side])
      change.values[side] = get_value (self, side, item, reads ? own : rows[side],
                                       reads ? rows[side] : own);
  }
  if (!change.is_there[0] && !change.is_there[1])
    return;
  tokens = get_ends (self, named, item);
  text = ui_text_make_visible (tokens->texts[rows[named]]);
  isolated = ui_bidi_isolate (text);
  change.name = g_strdup_printf ("%s %d", isolated, eng_tokens_get_number (tokens, rows[named]));
  g_array_append_val (changes, change);
}

static double
measure_change (const UiSideChange *change)
{
  return change->is_there[0] && change->is_there[1]
         ? fabs (change->values[0] - change->values[1]) : -1;
}

static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  double first = measure_change (a), second = measure_change (b);

  return (first < second) - (first > second);
}

static void
clear_change (gpointer data)
{
  g_free (((UiSideChange *) data)->name);
}

GArray *
ui_side_changes_new (UiScene      *scene,
                     const UiItem *item)
{
  g_autoptr (GArray) ends = NULL;
  GArray *changes;
  Sides self;

  if (!find_sides (&self, scene, item))
    return NULL;

  changes = g_array_new (FALSE, FALSE, sizeof (UiSideChange));
  g_array_set_clear_func (changes, clear_change);
  if (is_cell (item)) {
    UiAlignedToken end = {
      self.has_item[0] ? self.items[0].key : -1, self.has_item[1] ? self.items[1].key : -1
    };

    append_change (&self, item, &end, changes);
    return changes;
  }

  ends = ui_alignment_new (get_ends (&self, 0, item), get_ends (&self, 1, item));
  for (guint i = 0; i < ends->len; i++)
    append_change (&self, item, &g_array_index (ends, UiAlignedToken, i), changes);
  g_array_sort (changes, compare_changes);
  return changes;
}

char *
ui_side_changes_title (UiScene      *scene,
                       const UiItem *item)
{
  gboolean reads = ui_item_names_query (item->type);
  g_autofree char *token = NULL;
  g_autofree char *lane = NULL;
  g_autofree char *head = NULL;
  const EngTokens *tokens;
  Sides self;
  int side;

  if (!find_sides (&self, scene, item))
    return NULL;
  side = self.has_item[0] ? 0 : 1;
  tokens = reads ? self.scenes[side]->queries : self.scenes[side]->keys;
  token = ui_describe_token (tokens, reads ? self.items[side].query : self.items[side].key);
  /* A link is of one head, whatever else is said beside it of several. */
  if (item->type == UI_ITEM_LINK && !self.scenes[side]->weights.block.is_aggregate) {
    lane = ui_describe_lane (&self.scenes[side]->weights, self.items[side].head);
    head = g_strdup_printf (" in head %s", lane);
  }
  return g_strdup_printf ("%s %s%s, on both sides", token, reads ? "reads" : "is read by",
                          head != NULL ? head : "");
}

gboolean
ui_side_changes_get_sides (UiScene *scene,
                           UiScene *sides[2])
{
  const gboolean is_difference = ui_scene_is_difference (scene);

  if (!is_difference && !(ui_scene_is_panels (scene) && ui_panels_are_sides (ui_panels (scene))))
    return FALSE;

  for (int side = 0; side < 2; side++)
    sides[side] = is_difference ? ((const UiDifferenceScene *) scene)->sides[side]
                                : ui_panels (scene)->panels[side].scene;
  return TRUE;
}

const GArray *
ui_side_changes_get_links (UiScene *scene)
{
  if (ui_scene_is_difference (scene))
    return ((const UiDifferenceScene *) scene)->changed_links;
  return ui_scene_is_panels (scene) ? ui_panels (scene)->changed_links : NULL;
}

/* The row that stands for one of the first side. */
static int
find_row (const GArray *aligned,
          int           first)
{
  for (guint row = 0; row < aligned->len; row++)
    if (g_array_index (aligned, UiAlignedToken, row).first == first)
      return (int) row;
  return -1;
}

UiItem
ui_side_changes_find_link (UiScene            *scene,
                           const UiLinkChange *link)
{
  UiItem item = {
    .type = UI_ITEM_LINK, .head = link->heads[0], .query = link->queries[0], .key = link->keys[0]
  };

  if (ui_scene_is_difference (scene)) {
    const UiDifferenceScene *difference = (const UiDifferenceScene *) scene;

    item.query = find_row (difference->tokens[UI_AXIS_ROWS], item.query);
    item.key = find_row (difference->tokens[UI_AXIS_COLUMNS], item.key);
  }
  return item;
}

/* What may differ from side to side, each alone. */
typedef enum {
  DIFFERS_NOTHING = 0,
  DIFFERS_EDITS = 1 << 0,
  DIFFERS_TEXT = 1 << 1,
  DIFFERS_MODEL = 1 << 2,
  DIFFERS_LAYER = 1 << 3,
  DIFFERS_HEADS = 1 << 4,
} Differs;

static gboolean
shows_other_heads (const UiScene *first,
                   const UiScene *second)
{
  for (int head = 0; head < UI_MAX_HEADS; head++)
    if (ui_head_set_has (&first->document->heads, head)
        != ui_head_set_has (&second->document->heads, head))
      return TRUE;
  return FALSE;
}

static Differs
find_differences (const UiScene *first,
                  const UiScene *second)
{
  EngTrace *one = first->trace, *other = second->trace;
  Differs differs = DIFFERS_NOTHING;

  if (!g_strv_equal (eng_trace_get_edits (one), eng_trace_get_edits (other)))
    differs |= DIFFERS_EDITS;
  if (g_strcmp0 (eng_trace_get_text_a (one), eng_trace_get_text_a (other)) != 0
      || g_strcmp0 (eng_trace_get_text_b (one), eng_trace_get_text_b (other)) != 0)
    differs |= DIFFERS_TEXT;
  if (g_strcmp0 (eng_trace_get_model_name (one), eng_trace_get_model_name (other)) != 0)
    differs |= DIFFERS_MODEL;
  if (first->layer != second->layer)
    differs |= DIFFERS_LAYER;
  if (shows_other_heads (first, second))
    differs |= DIFFERS_HEADS;
  return differs;
}

static char *
name_edits (EngTrace   *trace,
            const char *whose)
{
  const guint n = g_strv_length ((char **) eng_trace_get_edits (trace));

  return n == 1 ? g_strdup_printf ("What %s edit changes", whose)
                : g_strdup_printf ("What %s %u edits change", whose, n);
}

char *
ui_side_changes_headline (UiScene *scene)
{
  EngTrace *first, *second;
  UiScene *sides[2];

  if (!ui_side_changes_get_sides (scene, sides))
    g_return_val_if_reached (NULL);

  first = sides[0]->trace;
  second = sides[1]->trace;
  switch (find_differences (sides[0], sides[1])) {
  case DIFFERS_EDITS:
    if (eng_trace_get_edits (second)[0] == NULL)
      return name_edits (first, "the");
    return eng_trace_get_edits (first)[0] == NULL ? name_edits (second, "Other’s")
                                                  : g_strdup ("What other edits change");
  case DIFFERS_TEXT:
    return g_strdup ("What the other text changes");
  case DIFFERS_MODEL:
    return g_strdup ("What the other model changes");
  case DIFFERS_LAYER:
    return g_strdup ("How the two layers differ");
  case DIFFERS_HEADS:
    return g_strdup ("How the heads differ");
  default:
    return g_strdup ("How the two sides differ");
  }
}

/* Two files may hold runs of one text that differ by little. A file has one text and one run. */
static const char *
explain_alike (const UiScene *first,
               const UiScene *second)
{
  if (first->trace != second->trace)
    return "No link differs.";
  if (first->document->trace_file != NULL)
    return "Both sides are the same. Choose another layer, head, model or trace for Other.";
  return "Both sides are the same. Change the texts, the model or the edits of one.";
}

const char *
ui_side_changes_explain_none (UiScene *scene)
{
  UiScene *sides[2];

  if (!ui_side_changes_get_sides (scene, sides))
    g_return_val_if_reached (NULL);

  switch (find_differences (sides[0], sides[1])) {
  case DIFFERS_NOTHING:
    return explain_alike (sides[0], sides[1]);
  case DIFFERS_EDITS:
    return "No link differs here. What a head gives is read in the layers after it.";
  default:
    return "No link differs.";
  }
}
