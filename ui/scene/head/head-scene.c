/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-scene.h"

#include <string.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/base/edited-heads.h"
#include "ui/scene/base/head-key.h"
#include "ui/scene/base/layer-words.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/base/readings.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/numbers/word-pieces.h"
#include "ui/scene/sinks/text.h"

#define FAN 12.0
#define FAN_PART_OF_ROW 0.45

static UiHeadScene *
head_scene (UiScene *scene)
{
  return (UiHeadScene *) scene;
}

static const UiHeadScene *
const_head_scene (const UiScene *scene)
{
  return (const UiHeadScene *) scene;
}

static UiHeadToken *
set_tokens (const EngTokens *tokens)
{
  UiHeadToken *set = g_new0 (UiHeadToken, MAX (tokens->n, 1));
  g_autofree guint8 *continues = ui_word_pieces_mark_rest (tokens);

  for (int i = 0; i < tokens->n; i++) {
    set[i].special = tokens->special[i];
    set[i].continues = continues[i];
    set[i].prefix = continues[i] && ui_word_pieces_has_mark (tokens->texts[i]) ? "##" : "";
    set[i].text = *set[i].prefix != '\0'
                  ? ui_text_make_visible (tokens->texts[i] + strlen (set[i].prefix))
                  : ui_tokens_dup_shown (tokens, i);
    set[i].brief = *set[i].prefix != '\0' ? NULL : ui_tokens_dup_brief (tokens, i);
  }
  return set;
}

/* In self-attention the tokens that read are those that are read; a cross block's are the
 * decoder's. */
static guint8 *
mark_hidden_readers (const UiScene *scene)
{
  EngAttention decoder = { .n_queries = scene->queries->n, .n_keys = scene->queries->n };

  if (scene->kind != ENG_KIND_CROSS)
    return ui_mask_mark_keys (scene->attention, NULL, 0);
  if (!eng_trace_has_kind (scene->trace, ENG_KIND_DECODER)
      || eng_trace_get_n_keys (scene->trace, ENG_KIND_DECODER) != decoder.n_keys
      || !eng_trace_has_layer (scene->trace, ENG_KIND_DECODER, scene->layer))
    return NULL;
  decoder.mask = eng_trace_get_mask (scene->trace, ENG_KIND_DECODER, scene->layer);
  return ui_mask_mark_keys (&decoder, NULL, 0);
}

static void
finalize (UiScene *scene)
{
  ui_head_scene_clear (head_scene (scene));
}

static void
paint (const UiScene *scene,
       UiSink        *sink,
       const UiRect  *clip)
{
  ui_head_paint (const_head_scene (scene), &scene->document->pins, sink, clip);
}

static void
paint_preview (const UiScene *scene,
               UiSink        *sink,
               const UiRect  *clip)
{
  ui_head_paint_preview (const_head_scene (scene), &scene->document->pins, sink, clip);
}

static void
paint_overlay (const UiScene *scene,
               const UiItem  *hover,
               UiSink        *sink,
               const UiRect  *clip)
{
  ui_head_paint_hover (const_head_scene (scene), hover, sink, clip);
}

static gboolean
is_inside (const UiRect *rect,
           double        x,
           double        y)
{
  return x >= rect->x && x < rect->x + rect->width && y >= rect->y && y < rect->y + rect->height;
}

/* A bar is a link: the one pinned token's with this row's. */
static gboolean
hit_lanes (const UiHeadScene *self,
           UiSide             side,
           double             x,
           double             y,
           UiItem            *item)
{
  const UiPins *pins = &self->scene.document->pins;
  const UiWeights *weights = &self->scene.weights;
  int row = ui_head_layout_find_row (&self->layout, side, y);
  UiHeadLanes lanes;
  int i;

  if (pins->n_queries + pins->n_keys != 1 || side != ui_head_get_bar_side (pins) || row < 0)
    return FALSE;
  ui_head_lanes_init (&lanes, self, pins);
  if (lanes.n == 0 || x < lanes.x)
    return FALSE;
  i = (int) ((x - lanes.x) / lanes.width);
  if (i >= lanes.n)
    return FALSE;
  item->type = UI_ITEM_LINK;
  item->head = weights->heads[i];
  item->query = side == UI_SIDE_KEYS ? pins->queries[0] : row;
  item->key = side == UI_SIDE_KEYS ? row : pins->keys[0];
  return TRUE;
}

static gboolean
hit_link (const UiHeadScene *self,
          double             x,
          double             y,
          UiItem            *item)
{
  UiHeadField field;
  gboolean found;

  ui_head_field_init_for (&field, self, &self->scene.document->pins);
  found = ui_head_field_hit (&field, x, y, &item->head, &item->query, &item->key);
  ui_head_field_clear (&field);
  item->type = found ? UI_ITEM_LINK : UI_ITEM_NONE;
  return found;
}

static gboolean
hit (const UiScene *scene,
     double         x,
     double         y,
     UiItem        *item)
{
  const UiHeadScene *self = const_head_scene (scene);
  UiRect field = ui_head_layout_get_field (&self->layout);

  for (int side = 0; side < 2; side++) {
    const UiHeadColumn *column = &self->layout.columns[side];
    int row = ui_head_layout_find_row (&self->layout, side, y);

    if (row >= 0 && is_inside (&column->column, x, y)) {
      item->type = side == UI_SIDE_QUERIES ? UI_ITEM_QUERY : UI_ITEM_KEY;
      item->query = item->key = row;
      return TRUE;
    }
    if (is_inside (&column->lanes, x, y))
      return hit_lanes (self, side, x, y, item);
  }
  return is_inside (&field, x, y) && hit_link (self, x, y, item);
}

static void
append_mask (const UiHeadScene *self,
             GString           *text)
{
  const EngAttention *attention = self->scene.attention;
  g_autofree char *mask = ui_mask_describe (attention);

  ui_layer_append_reach (&self->scene, text);
  if (mask != NULL)
    g_string_append_printf (text, " Mask: %s.", mask);
  else if (ui_mask_is_missing (attention))
    g_string_append (text, " No token reads a later one: these weights are exactly 0, and the trace"
                           " holds no mask that says why.");
  if (mask != NULL && !ui_pins_is_empty (&self->scene.document->pins))
    g_string_append (text, " Hatched: masked for what is pinned.");
  else if (self->hidden[UI_SIDE_KEYS] != NULL)
    g_string_append (text, " Hatched: hidden from all.");
  if (self->scene.weights.n_left_out > 0)
    g_string_append_printf (text, " What %d padding token%s is left out.",
                            self->scene.weights.n_left_out,
                            self->scene.weights.n_left_out == 1 ? " reads" : "s read");
}

/* What a bar is the sum of, NULL = of one link. */
static char *
describe_summed (const UiScene *scene)
{
  const UiPins *pins = &scene->document->pins;

  return ui_head_get_bar_side (pins) == UI_SIDE_KEYS
         ? ui_describe_sum (scene->queries, pins->queries, pins->n_queries, "rows")
         : ui_describe_sum (scene->keys, pins->keys, pins->n_keys, "columns");
}

/* A file has its legend below that. */
static char *
explain (const UiScene *scene)
{
  const UiHeadScene *self = const_head_scene (scene);
  g_autofree char *markup = ui_plain_explain_links (scene);
  g_autofree char *sum = describe_summed (scene);
  g_autofree char *escaped = sum != NULL ? g_markup_escape_text (sum, -1) : NULL;
  UiHeadLanes lanes;

  if (scene->options.view_height == 0)
    return g_steal_pointer (&markup);
  if (self->is_brief[UI_SIDE_QUERIES] || self->is_brief[UI_SIDE_KEYS]) {
    g_autofree char *links = g_steal_pointer (&markup);

    markup = g_strconcat (links, " <b>?</b> = not in the vocabulary.", NULL);
  }
  if (sum == NULL)
    return g_steal_pointer (&markup);
  ui_head_lanes_init (&lanes, self, &scene->document->pins);
  return g_strdup_printf ("%s %s: %s.", markup, lanes.n > 0 ? "Bars" : "Numbers", escaped);
}

static void
append_bars (const UiHeadScene *self,
             GString           *text)
{
  const UiScene *scene = &self->scene;
  const UiPins *pins = &scene->document->pins;
  g_autofree char *sum = describe_summed (scene);
  char full[G_ASCII_DTOSTR_BUF_SIZE];
  UiHeadLanes lanes;

  if (ui_pins_is_empty (pins))
    return;
  ui_head_lanes_init (&lanes, self, pins);
  if (lanes.n == 0) {
    g_string_append_printf (text, " Numbers: %s%s%s%s.",
                            scene->weights.n_heads > 1 ? "mean over heads of the " : "",
                            ui_describe_measure (&scene->weights),
                            sum != NULL ? "; " : "", sum != NULL ? sum : "");
    return;
  }
  g_ascii_formatd (full, sizeof full, "%g", lanes.full);
  g_string_append_printf (text, " Bars: %s%s, up to %s%s%s.", ui_describe_measure (&scene->weights),
                          scene->weights.block.is_aggregate ? "" : " by head", full,
                          sum != NULL ? "; " : "", sum != NULL ? sum : "");
}

static char *
legend (const UiScene *scene)
{
  GString *text = g_string_new (scene->note);

  ui_describe_append_measure (scene, text);
  ui_describe_append_row_sums (scene, text);
  ui_describe_append_opacity (scene, text);
  g_string_append (text, "; strongest last.");
  ui_describe_append_left_out (scene, "Links", text);
  append_bars (const_head_scene (scene), text);
  append_mask (const_head_scene (scene), text);
  return g_strchug (g_string_free (text, FALSE));
}

static gboolean
move (const UiScene *scene,
      UiMove         move,
      UiItem        *item)
{
  const UiHeadLayout *layout = &const_head_scene (scene)->layout;
  UiSide side = item->type == UI_ITEM_KEY ? UI_SIDE_KEYS : UI_SIDE_QUERIES;
  UiSide target = move == UI_MOVE_LEFT ? UI_SIDE_QUERIES
                                       : move == UI_MOVE_RIGHT ? UI_SIDE_KEYS : side;
  int row = side == UI_SIDE_KEYS ? item->key : item->query;
  int last = layout->columns[target].n - 1;
  int wanted = row;

  if (last < 0)
    return FALSE;
  if (item->type == UI_ITEM_NONE) {
    *item = (UiItem) { .type = UI_ITEM_QUERY };
    return TRUE;
  }
  if (target != side)
    wanted = ui_head_layout_nearest (layout, target, layout->columns[side].y[row]);
  else if (move == UI_MOVE_FIRST || move == UI_MOVE_LAST)
    wanted = move == UI_MOVE_FIRST ? 0 : last;
  else if (move == UI_MOVE_UP || move == UI_MOVE_DOWN)
    wanted = CLAMP (row + (move == UI_MOVE_UP ? -1 : 1), 0, last);
  if (target == side && wanted == row && item->type != UI_ITEM_LINK)
    return FALSE;
  *item = (UiItem) {
    .type = target == UI_SIDE_KEYS ? UI_ITEM_KEY : UI_ITEM_QUERY, .query = wanted, .key = wanted
  };
  return TRUE;
}

static gboolean
get_rect (const UiScene *scene,
          const UiItem  *item,
          UiRect        *rect)
{
  const UiHeadScene *self = const_head_scene (scene);

  switch (item->type) {
  case UI_ITEM_QUERY:
    *rect = ui_head_get_token_rect (self, UI_SIDE_QUERIES, item->query);
    return TRUE;
  case UI_ITEM_KEY:
    *rect = ui_head_get_token_rect (self, UI_SIDE_KEYS, item->key);
    return TRUE;
  case UI_ITEM_LINK: {
    double y0 = self->layout.columns[UI_SIDE_QUERIES].y[item->query];
    double y1 = self->layout.columns[UI_SIDE_KEYS].y[item->key];
    UiRect field = ui_head_layout_get_field (&self->layout);

    *rect = (UiRect) {
      field.x, MIN (y0, y1) - self->layout.row / 2, field.width, ABS (y1 - y0) + self->layout.row
    };
    return TRUE;
  }
  default:
    return FALSE;
  }
}

static UiKey *
create_key (const UiScene *scene)
{
  return ui_key_new_for_heads (&scene, 1);
}

static const UiSceneClass head_scene_class = {
  .finalize = finalize,
  .paint = paint,
  .paint_preview = paint_preview,
  .paint_overlay = paint_overlay,
  .hit = hit,
  .describe = ui_describe_item,
  .legend = legend,
  .explain = explain,
  .headline = ui_plain_headline,
  .summarise = ui_describe_summary,
  .caption = ui_describe_caption,
  .move = move,
  .get_rect = get_rect,
  .numbers = ui_readings_to_text,
  .create_key = create_key,
};

UiScene *
ui_head_scene_new (const UiSceneParts *parts)
{
  UiHeadScene *self = g_new0 (UiHeadScene, 1);

  ui_head_scene_init (self, &head_scene_class, parts);
  return &self->scene;
}

/* (transfer full) The one head of an aggregate is 0. */
static guint8 *
mark_edited (const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;
  guint8 *edited;

  if (!ui_scene_has_edited (scene))
    return NULL;
  edited = g_new0 (guint8, scene->attention->n_heads);
  for (int i = 0; i < weights->n_heads; i++)
    edited[weights->heads[i]] =
      ui_scene_is_edited (scene, weights->block.is_aggregate ? ui_scene_get_only_head (scene)
                                                             : weights->heads[i]);
  return edited;
}

void
ui_head_scene_init (UiHeadScene        *self,
                    const UiSceneClass *klass,
                    const UiSceneParts *parts)
{
  UiScene *scene = &self->scene;

  ui_scene_init (scene, klass, parts);
  self->tokens[UI_SIDE_QUERIES] = set_tokens (scene->queries);
  self->tokens[UI_SIDE_KEYS] = set_tokens (scene->keys);
  ui_head_layout_init (&self->layout, scene->queries, scene->keys,
                       ui_head_scene_measure_words (self), parts->options,
                       &scene->document->pins);
  scene->text_size = self->layout.text_size;
  /* Source and target keep their letters in every block, also where a block has but one of them. */
  if (ui_describe_has_two_stacks (parts->trace))
    self->layout.has_pair = TRUE;
  ui_head_scene_choose_texts (self);
  self->hidden[UI_SIDE_QUERIES] = mark_hidden_readers (scene);
  self->hidden[UI_SIDE_KEYS] = ui_mask_mark_keys (scene->attention, NULL, 0);
  self->edited = mark_edited (scene);
  scene->width = self->layout.width;
  scene->height = self->layout.height;
  scene->header = self->layout.header;
}

void
ui_head_scene_clear (UiHeadScene *self)
{
  int n[2] = { self->scene.queries->n, self->scene.keys->n };

  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < n[side]; i++) {
      g_free (self->tokens[side][i].text);
      g_free (self->tokens[side][i].brief);
    }
    g_free (self->tokens[side]);
    g_free (self->hidden[side]);
  }
  g_free (self->edited);
  g_clear_pointer (&self->unchanged, g_bytes_unref);
  ui_head_layout_clear (&self->layout);
}

gboolean
ui_head_scene_set_unchanged (UiScene *scene,
                             GBytes  *unchanged)
{
  if (scene->klass != &head_scene_class)
    return FALSE;
  head_scene (scene)->unchanged = g_bytes_ref (unchanged);
  return TRUE;
}

GBytes *
ui_head_scene_get_unchanged (const UiScene *scene)
{
  return scene->klass == &head_scene_class ? const_head_scene (scene)->unchanged : NULL;
}

gboolean
ui_head_scene_init_field (const UiScene *scene,
                          UiHeadField   *field)
{
  if (scene->klass != &head_scene_class)
    return FALSE;
  ui_head_field_init_for (field, const_head_scene (scene), NULL);
  return TRUE;
}

void
ui_head_field_init_for (UiHeadField       *field,
                        const UiHeadScene *self,
                        const UiPins      *pins)
{
  const UiHeadLayout *layout = &self->layout;
  UiRect rect = ui_head_layout_get_field (layout);
  UiFieldFrame frame = {
    .x0 = rect.x,
    .x1 = rect.x + rect.width,
    .query_y = layout->columns[UI_SIDE_QUERIES].y,
    .key_y = layout->columns[UI_SIDE_KEYS].y,
    .fan = MIN (FAN * layout->scale, FAN_PART_OF_ROW * layout->row),
    .scale = layout->scale,
  };

  ui_head_field_init (field, &self->scene.weights, &frame, self->scene.options.theme, pins);
  ui_head_field_set_edited (field, self->edited);
  if (self->unchanged != NULL)
    ui_head_field_set_grey (field, g_bytes_get_data (self->unchanged, NULL));
}
