/* SPDX-License-Identifier: MIT */
#include "ui/scene/head-scene.h"

#include <string.h>

#include "ui/scene/describe.h"
#include "ui/scene/mask.h"
#include "ui/scene/readings.h"
#include "ui/scene/text.h"

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

/* WordPiece marks a piece inside of a word with ##. Tokenizers without such marks keep a typed
 * heading like ###. */
static gboolean
is_marked_as_rest (const char *text)
{
  return g_str_has_prefix (text, "##") && text[2] != '\0' && text[2] != '#';
}

/* Other vocabularies mark where a word starts, which is drawn as a leading space. */
static gboolean
mark_starts (const EngTokens *tokens)
{
  for (int i = 0; i < tokens->n; i++)
    if (tokens->texts[i][0] == ' ' && tokens->texts[i][1] != '\0' && tokens->texts[i][1] != ' ')
      return TRUE;
  return FALSE;
}

/* Letters and digits of scripts that put spaces between words. */
static gboolean
is_of_word (gunichar c)
{
  switch (g_unichar_get_script (c)) {
  case G_UNICODE_SCRIPT_HAN:
  case G_UNICODE_SCRIPT_HIRAGANA:
  case G_UNICODE_SCRIPT_KATAKANA:
  case G_UNICODE_SCRIPT_THAI:
  case G_UNICODE_SCRIPT_LAO:
  case G_UNICODE_SCRIPT_KHMER:
  case G_UNICODE_SCRIPT_MYANMAR:
  case G_UNICODE_SCRIPT_TIBETAN:
    return FALSE;
  default:
    return g_unichar_isalnum (c) || g_unichar_ismark (c);
  }
}

static gboolean
continues_word (const EngTokens *tokens,
                gboolean         starts_are_marked,
                int              i)
{
  const char *text = tokens->texts[i];
  const char *before = i > 0 ? tokens->texts[i - 1] : "";
  const char *last = g_utf8_find_prev_char (before, before + strlen (before));

  if (i == 0 || tokens->special[i])
    return FALSE;
  if (!starts_are_marked)
    return is_marked_as_rest (text);
  return !tokens->special[i - 1] && last != NULL && is_of_word (g_utf8_get_char (last))
         && is_of_word (g_utf8_get_char (text));
}

static UiHeadToken *
set_tokens (const EngTokens *tokens)
{
  UiHeadToken *set = g_new0 (UiHeadToken, MAX (tokens->n, 1));
  gboolean starts_are_marked = mark_starts (tokens);

  for (int i = 0; i < tokens->n; i++) {
    set[i].special = tokens->special[i];
    set[i].continues = continues_word (tokens, starts_are_marked, i);
    set[i].prefix = set[i].continues && !starts_are_marked ? "##" : "";
    set[i].text = ui_text_make_visible (tokens->texts[i] + strlen (set[i].prefix));
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
  i = (int) ((x - lanes.x) / lanes.width);
  if (x < lanes.x || i >= weights->n_heads)
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

static char *
describe (const UiScene *scene,
          const UiItem  *item)
{
  const UiPins *pins = &scene->document->pins;
  gboolean key = item->type == UI_ITEM_KEY;
  int token = key ? item->key : item->query;

  if (item->type == UI_ITEM_LINK)
    return ui_describe_link (scene, item->head, item->query, item->key);
  if ((key ? pins->n_queries : pins->n_keys) > 0 && !ui_pins_has (pins, key, token))
    return ui_describe_beside_pins (scene, key, token);
  return ui_describe_reader (scene, key, token);
}

static const char *
get_filter_words (UiFilter filter)
{
  switch (filter) {
  case UI_FILTER_AA:
    return " Only A→A: what A reads of A.";
  case UI_FILTER_AB:
    return " Only A→B: what A reads of B.";
  case UI_FILTER_BA:
    return " Only B→A: what B reads of A.";
  case UI_FILTER_BB:
    return " Only B→B: what B reads of B.";
  case UI_FILTER_ALL:
  default:
    return "";
  }
}

static void
append_mask (const UiHeadScene *self,
             GString           *text)
{
  const EngAttention *attention = self->scene.attention;
  g_autofree char *mask = ui_mask_describe (attention);

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

static char *
legend (const UiScene *scene)
{
  const UiDocument *document = scene->document;
  const UiPins *pins = &document->pins;
  g_autofree char *threshold = ui_describe_weight (document->threshold);
  char gain[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new (scene->note);

  g_string_append (text, scene->note != NULL ? " " : "");
  g_string_append (text, scene->kind == ENG_KIND_CROSS
                         ? "The decoder's rows read, the encoder's columns are read."
                         : "Rows read, columns are read.");
  append_mask (const_head_scene (scene), text);
  g_string_append (text, " Opacity = weight × ");
  g_ascii_formatd (gain, sizeof gain, "%.3g", document->gain);
  g_string_append_printf (text, "%s, at most 1; strongest last.", gain);
  if (document->threshold > 0)
    g_string_append_printf (text, " Links under %s are not drawn.", threshold);
  g_string_append (text, get_filter_words (document->filter));
  if (scene->weights.row_scale != NULL)
    g_string_append (text, " Rows renormalised: each head's row is brought back to 1"
                           " after the filter.");
  else if (document->filter != UI_FILTER_ALL)
    g_string_append (text, " Weights as they are, so a row need not sum to 1.");
  if (!ui_pins_is_empty (pins)) {
    UiHeadLanes lanes;

    ui_head_lanes_init (&lanes, const_head_scene (scene), pins);
    g_string_append_printf (text, " Bars: weight by head, up to %d.", (int) lanes.full);
  }
  return g_string_free (text, FALSE);
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

static const UiSceneClass head_scene_class = {
  .finalize = finalize,
  .paint = paint,
  .paint_preview = paint_preview,
  .paint_overlay = paint_overlay,
  .hit = hit,
  .describe = describe,
  .legend = legend,
  .move = move,
  .get_rect = get_rect,
  .numbers = ui_readings_to_text,
};

UiScene *
ui_head_scene_new (const UiSceneParts *parts)
{
  UiHeadScene *self = g_new0 (UiHeadScene, 1);

  ui_head_scene_init (self, &head_scene_class, parts);
  return &self->scene;
}

void
ui_head_scene_init (UiHeadScene        *self,
                    const UiSceneClass *klass,
                    const UiSceneParts *parts)
{
  UiScene *scene = &self->scene;

  ui_scene_init (scene, klass, parts);
  ui_head_layout_init (&self->layout, scene->queries, scene->keys, parts->options,
                       &scene->document->pins);
  /* Source and target keep their letters in every block, also where a block has but one of them. */
  if (ui_describe_has_two_stacks (parts->trace))
    self->layout.has_pair = TRUE;
  self->tokens[UI_SIDE_QUERIES] = set_tokens (scene->queries);
  self->tokens[UI_SIDE_KEYS] = set_tokens (scene->keys);
  self->hidden[UI_SIDE_QUERIES] = mark_hidden_readers (scene);
  self->hidden[UI_SIDE_KEYS] = ui_mask_mark_keys (scene->attention, NULL, 0);
  scene->width = self->layout.width;
  scene->height = self->layout.height;
  scene->header = self->layout.header;
}

void
ui_head_scene_clear (UiHeadScene *self)
{
  int n[2] = { self->scene.queries->n, self->scene.keys->n };

  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < n[side]; i++)
      g_free (self->tokens[side][i].text);
    g_free (self->tokens[side]);
    g_free (self->hidden[side]);
  }
  ui_head_layout_clear (&self->layout);
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
}
