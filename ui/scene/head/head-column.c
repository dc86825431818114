/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-painter.h"

#include "ui/document/bidi.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define PLATE_CORNER 6.0
#define BAR_DISTANCE 8.0   /* from the plate to the outer edge of a sentence's bar */
#define BAR_WIDTH 4.0
#define LETTER_DISTANCE 20.0
#define LETTER_SIZE 13.0
#define JOINT_DISTANCE 4.5 /* of the line that joins the pieces of a word, from the plate's edge */
#define TOKEN_FRAME 9.0

/* The two parts of a token side by side, set flush with the column's inner edge. */
typedef struct {
  UiTextStyle style;
  const char *text;     /* borrowed */
  double      prefix_x; /* where the texts are flush */
  double      text_x;
  double      left;
  double      width;
} TokenBox;

static double
get_text_room (const UiHeadLayout *layout,
               UiSide              side)
{
  return layout->columns[side].column.width - 2 * UI_HEAD_PADDING * layout->scale;
}

double
ui_head_scene_measure_words (const UiHeadScene *self)
{
  const EngTokens *tokens[] = { self->scene.queries, self->scene.keys };
  const int n_sides = tokens[0] == tokens[1] ? 1 : 2;
  double widest = 0;

  for (int side = 0; side < n_sides; side++)
    for (int i = 0; i < tokens[side]->n; i++) {
      const UiHeadToken *token = &self->tokens[side][i];
      const UiTextStyle style = { .size = UI_TOKEN_SIZE, .italic = token->special };

      widest = MAX (widest, ui_text_measure (token->prefix, &style)
                            + ui_text_measure (token->text, &style));
    }
  return widest / UI_TOKEN_SIZE;
}

static TokenBox
measure_token (const UiHeadScene *self,
               UiSide             side,
               int                token)
{
  const UiHeadLayout *layout = &self->layout;
  const UiHeadToken *set = &self->tokens[side][token];
  TokenBox box = { .style = { .size = layout->text_size, .italic = set->special } };
  double prefix = *set->prefix != '\0' ? ui_text_measure (set->prefix, &box.style) : 0;
  double edge = ui_head_get_text_x (layout, side);
  double text;
  gboolean prefix_first;

  box.style.max_width = get_text_room (layout, side) - prefix;
  box.text = self->is_brief[side] && set->brief != NULL ? set->brief : set->text;
  text = ui_text_measure (box.text, &box.style);
  box.width = prefix + text;
  /* The prefix stands where the word goes on from: on the right of an Arabic piece. */
  prefix_first = !ui_bidi_begins_right (box.text);
  if (side == UI_SIDE_QUERIES) {
    box.style.align = UI_ALIGN_RIGHT;
    box.text_x = prefix_first ? edge : edge - prefix;
    box.prefix_x = prefix_first ? edge - text : edge;
    box.left = edge - box.width;
  } else {
    box.left = edge;
    box.prefix_x = prefix_first ? edge : edge + text;
    box.text_x = prefix_first ? edge + prefix : edge;
  }
  return box;
}

/* A pinned token's own colour, full for what it reads or what reads it, faint for the rest and for
 * padding, which no token sees. */
static UiColor
get_token_color (const UiHeadPainter *painter,
                 UiSide               side,
                 int                  token)
{
  const UiPalette *palette = painter->palette;
  const UiWeights *weights = &painter->self->scene.weights;
  gboolean special = painter->self->tokens[side][token].special;
  const guint8 *passes = side == UI_SIDE_QUERIES ? weights->query_passes : weights->key_passes;

  if (ui_pins_has (painter->pins, side == UI_SIDE_KEYS, token))
    return palette->accent_text;
  if (!passes[token] || (painter->self->hidden[side] != NULL && painter->self->hidden[side][token]))
    return palette->faint;
  if (!ui_pins_is_empty (painter->pins) &&
      ui_weights_get_strength (weights, ui_weights_mean (weights, painter->pins,
                                                         side == UI_SIDE_KEYS, token))
      < UI_HEAD_STRONG)
    return palette->faint;
  return special ? palette->dim : palette->text;
}

/* A thin line along the pieces of one word. */
static void
paint_joints (const UiHeadPainter *painter,
              UiSide               side)
{
  const UiHeadLayout *layout = &painter->self->layout;
  const UiHeadColumn *column = &layout->columns[side];
  double edge = column->column.x + (side == UI_SIDE_QUERIES ? column->column.width : 0);
  double x = edge + (side == UI_SIDE_QUERIES ? -1 : 1) * JOINT_DISTANCE * layout->scale;
  double half = layout->text_size * 0.42;

  for (int first = 0, last; first < column->n; first = last + 1) {
    last = first;
    while (last + 1 < column->n && painter->self->tokens[side][last + 1].continues)
      last++;
    if (last > first)
      painter->sink->klass->line (painter->sink, x, column->y[first] - half,
                                  x, column->y[last] + half,
                                  1.5 * layout->scale, painter->palette->faint);
  }
}

static void
paint_sentence (const UiHeadPainter *painter,
                UiSide               side,
                const UiHeadGroup   *group)
{
  const UiHeadLayout *layout = &painter->self->layout;
  UiRect plate = ui_head_layout_get_plate (layout, side, group);
  UiColor color = painter->palette->sentence[group->sentence != 0];
  double scale = layout->scale;
  double outer = side == UI_SIDE_QUERIES ? plate.x : plate.x + plate.width;
  double sign = side == UI_SIDE_QUERIES ? -1 : 1;
  UiRect bar = {
    outer + (side == UI_SIDE_QUERIES ? -BAR_DISTANCE : BAR_DISTANCE - BAR_WIDTH) * scale,
    plate.y, BAR_WIDTH * scale, plate.height
  };
  UiTextStyle style = { .size = LETTER_SIZE * scale, .bold = TRUE, .align = UI_ALIGN_CENTER };

  painter->sink->klass->fill (painter->sink, &plate, PLATE_CORNER * scale, painter->palette->plate);
  if (!layout->has_pair)
    return;
  painter->sink->klass->fill (painter->sink, &bar, BAR_WIDTH * scale / 2, color);
  if (!layout->has_letters
      || (painter->has_bars && ui_head_bars_take_letters (painter->self, painter->pins, side)))
    return;
  ui_text_paint (painter->sink, outer + sign * LETTER_DISTANCE * scale, plate.y + plate.height / 2,
                 group->sentence ? "B" : "A", &style, color);
}

/* Hatching over the rows of masked tokens, in one piece where they stand together. */
static void
paint_masked (const UiHeadPainter *painter,
              UiSide               side)
{
  const UiHeadColumn *column = &painter->self->layout.columns[side];
  double row = painter->self->layout.row;
  g_autofree guint8 *masked = ui_head_mark_masked (painter, side);

  for (int i = 0; i < column->n_groups && masked != NULL; i++) {
    const UiHeadGroup *group = &column->groups[i];

    for (int first = group->first, end; first <= group->last; first = end + 1) {
      UiRect rect = { column->column.x, column->y[first] - row / 2, column->column.width };

      for (end = first; end <= group->last && masked[end]; end++)
        rect.height += row;
      if (rect.height > 0)
        painter->sink->klass->hatch (painter->sink, &rect, painter->palette->hatch);
    }
  }
}

void
ui_head_scene_choose_texts (UiHeadScene *self)
{
  for (int side = 0; side < 2; side++) {
    UiTextStyle style = {
      .size = self->layout.text_size, .max_width = get_text_room (&self->layout, side)
    };

    self->is_brief[side] = FALSE;
    for (int i = 0; i < self->layout.columns[side].n && !self->is_brief[side]; i++) {
      const UiHeadToken *token = &self->tokens[side][i];

      style.italic = token->special;
      self->is_brief[side] = token->brief != NULL && ui_text_is_cut (token->text, &style);
    }
  }
}

gboolean
ui_head_painter_reaches (const UiHeadPainter *painter,
                         double               y)
{
  double row = painter->self->layout.row;

  return y + row > painter->clip->y && y - row < painter->clip->y + painter->clip->height;
}

double
ui_head_get_text_x (const UiHeadLayout *layout,
                    UiSide              side)
{
  const UiRect *column = &layout->columns[side].column;
  double padding = UI_HEAD_PADDING * layout->scale;

  return side == UI_SIDE_QUERIES ? column->x + column->width - padding : column->x + padding;
}

UiRect
ui_head_get_token_rect (const UiHeadScene *self,
                        UiSide             side,
                        int                token)
{
  const UiHeadLayout *layout = &self->layout;
  TokenBox box = measure_token (self, side, token);
  double margin = TOKEN_FRAME * layout->scale;
  double height = MIN (layout->row - 2 * layout->scale, layout->text_size * 1.6);

  return (UiRect) {
    box.left - margin, layout->columns[side].y[token] - height / 2, box.width + 2 * margin, height
  };
}

void
ui_head_paint_token (const UiHeadPainter *painter,
                     UiSide               side,
                     int                  token)
{
  const UiHeadScene *self = painter->self;
  const UiHeadToken *set = &self->tokens[side][token];
  double y = self->layout.columns[side].y[token];
  TokenBox box = measure_token (self, side, token);
  UiColor color = get_token_color (painter, side, token);
  UiColor prefix_color = color;

  if (ui_pins_has (painter->pins, side == UI_SIDE_KEYS, token)) {
    UiRect rect = ui_head_get_token_rect (self, side, token);

    painter->sink->klass->fill (painter->sink, &rect, rect.height / 2, painter->palette->accent);
  }
  prefix_color.a = (guint8) (color.a * 0.5);
  if (*set->prefix != '\0')
    ui_text_paint (painter->sink, box.prefix_x, y, set->prefix, &box.style, prefix_color);
  ui_text_paint (painter->sink, box.text_x, y, box.text, &box.style, color);
}

guint8 *
ui_head_mark_masked (const UiHeadPainter *painter,
                     UiSide               side)
{
  const UiHeadScene *self = painter->self;
  const EngAttention *attention = self->scene.attention;
  const UiPins *pins = painter->pins;

  if (side == UI_SIDE_QUERIES)
    return pins->n_keys > 0 ? ui_mask_mark_queries (attention, pins->keys, pins->n_keys) : NULL;
  if (pins->n_queries > 0)
    return ui_mask_mark_keys (attention, pins->queries, pins->n_queries);
  return g_memdup2 (self->hidden[side], self->hidden[side] != NULL ? (gsize) attention->n_keys : 0);
}

void
ui_head_paint_tokens (const UiHeadPainter *painter,
                      UiSide               side)
{
  static const char *const names[] = { "tokens that read", "tokens that are read" };
  const UiHeadColumn *column = &painter->self->layout.columns[side];

  painter->sink->klass->push_group (painter->sink, names[side]);
  for (int i = 0; i < column->n_groups; i++)
    paint_sentence (painter, side, &column->groups[i]);
  paint_masked (painter, side);
  paint_joints (painter, side);
  for (int token = 0; token < column->n; token++) {
    if (ui_head_painter_reaches (painter, column->y[token]))
      ui_head_paint_token (painter, side, token);
  }
  painter->sink->klass->pop_group (painter->sink);
}
