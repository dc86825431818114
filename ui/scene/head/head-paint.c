/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-painter.h"

#include "ui/scene/base/describe.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define HEADING_SIZE 12.5

/* Part of the ground over the links while one of them is pointed at. */
#define VEIL 0.72

/* Part of the full scale that links of a preview have at least: few of a long text do, and most of
 * what is seen from afar is made of these. */
#define PREVIEW_STRENGTH 0.08

static void
paint_headings (const UiHeadPainter *painter)
{
  static const UiAlign aligns[] = { UI_ALIGN_RIGHT, UI_ALIGN_LEFT };
  const UiHeadLayout *layout = &painter->self->layout;

  for (int side = 0; side < 2; side++) {
    const char *heading = ui_describe_heading (&painter->self->scene, side == UI_SIDE_KEYS);
    UiTextStyle style = { .size = HEADING_SIZE * layout->scale, .align = aligns[side] };

    ui_text_paint (painter->sink, ui_head_get_text_x (layout, side), layout->header * 0.45, heading,
                   &style, painter->palette->dim);
  }
}

static void
paint_links (const UiHeadPainter *painter)
{
  UiHeadField field;

  ui_head_field_init_for (&field, painter->self, painter->pins);
  field.floor = painter->floor;
  painter->sink->klass->push_group (painter->sink, "links");
  painter->sink->klass->links (painter->sink, &field.field);
  painter->sink->klass->pop_group (painter->sink);
  ui_head_field_clear (&field);
}

static UiHeadPainter
get_painter (const UiHeadScene *self,
             const UiPins      *pins,
             UiSink            *sink,
             const UiRect      *clip)
{
  return (UiHeadPainter) {
    .self = self,
    .palette = ui_palette_get (self->scene.options.theme),
    .pins = pins,
    .sink = sink,
    .clip = clip,
  };
}

/* The link stays in its colour and at its full opacity over the others, its two tokens framed. What
 * is masked is no link. */
static void
paint_link_hover (const UiHeadScene *self,
                  const UiItem      *hover,
                  UiSink            *sink)
{
  const UiPalette *palette = ui_palette_get (self->scene.options.theme);
  const UiWeights *weights = &self->scene.weights;
  UiRect rect = ui_head_layout_get_field (&self->layout);
  UiRect tokens[2] = {
    ui_head_get_token_rect (self, UI_SIDE_QUERIES, hover->query),
    ui_head_get_token_rect (self, UI_SIDE_KEYS, hover->key)
  };
  UiHeadField field;
  UiLink link = { .color = palette->dim };

  sink->klass->fill (sink, &rect, 0, ui_color_with_alpha (palette->ground, VEIL));
  ui_head_field_init_for (&field, self, NULL);
  ui_head_field_set_grey (&field, NULL);
  for (int i = 0; i < weights->n_heads; i++) {
    if (weights->heads[i] != hover->head
        || ui_mask_hides (self->scene.attention, hover->query, hover->key))
      continue;
    ui_head_field_get_link (&field, i, hover->query, hover->key, &link);
    link.color.a = 255;
    sink->klass->curve (sink, &link);
  }
  ui_head_field_clear (&field);
  for (int side = 0; side < 2; side++)
    sink->klass->frame (sink, &tokens[side], tokens[side].height / 2, 1.5, link.color);
}

/* The token on a plate of its own, in full colour. */
static void
paint_token_hover (const UiHeadPainter *painter,
                   UiSide               side,
                   int                  token)
{
  UiRect rect = ui_head_get_token_rect (painter->self, side, token);
  UiHeadPainter unpinned = *painter;
  UiPins none = { 0 };

  unpinned.pins = &none;
  painter->sink->klass->fill (painter->sink, &rect, rect.height / 2, painter->palette->ground);
  painter->sink->klass->fill (painter->sink, &rect, rect.height / 2, painter->palette->plate);
  painter->sink->klass->frame (painter->sink, &rect, rect.height / 2, 1.5,
                               painter->palette->accent);
  ui_head_paint_token (&unpinned, side, token);
}

/* The pins stay as they are. Of a token on the other side the links with them stand out; its bars
 * are there already. */
static void
paint_hover_beside_pins (const UiHeadPainter *painter,
                         UiSide               side,
                         int                  token)
{
  const UiPins *pins = painter->pins;
  gboolean key = side == UI_SIDE_KEYS;
  UiRect field = ui_head_layout_get_field (&painter->self->layout);
  UiPins pair = {
    .queries = key ? pins->queries : &token,
    .n_queries = key ? pins->n_queries : 1,
    .keys = key ? &token : pins->keys,
    .n_keys = key ? 1 : pins->n_keys
  };

  if (ui_pins_has (pins, key, token)) {
    return;
  }
  paint_token_hover (painter, side, token);
  if (pair.n_queries > 0 && pair.n_keys > 0) {
    UiHeadPainter links = *painter;

    links.pins = &pair;
    painter->sink->klass->fill (painter->sink, &field, 0,
                                ui_color_with_alpha (painter->palette->ground, VEIL));
    paint_links (&links);
  }
}

void
ui_head_paint_column (const UiHeadScene *self,
                      UiSide             side,
                      const UiPins      *pins,
                      UiSink            *sink,
                      const UiRect      *clip)
{
  UiHeadPainter painter = get_painter (self, pins, sink, clip);

  ui_head_paint_tokens (&painter, side);
}

static void
paint_all (const UiHeadPainter *painter)
{
  paint_headings (painter);
  paint_links (painter);
  ui_head_paint_tokens (painter, UI_SIDE_QUERIES);
  ui_head_paint_tokens (painter, UI_SIDE_KEYS);
  if (painter->has_bars)
    ui_head_paint_bars (painter);
}

void
ui_head_paint (const UiHeadScene *self,
               const UiPins      *pins,
               UiSink            *sink,
               const UiRect      *clip)
{
  UiHeadPainter painter = get_painter (self, pins, sink, clip);

  painter.has_bars = !ui_pins_is_empty (pins);
  paint_all (&painter);
}

void
ui_head_paint_preview (const UiHeadScene *self,
                       const UiPins      *pins,
                       UiSink            *sink,
                       const UiRect      *clip)
{
  UiHeadPainter painter = get_painter (self, pins, sink, clip);

  painter.has_bars = !ui_pins_is_empty (pins);
  painter.floor = PREVIEW_STRENGTH * self->scene.weights.block.unit;
  paint_all (&painter);
}

void
ui_head_paint_hover (const UiHeadScene *self,
                     const UiItem      *hover,
                     UiSink            *sink,
                     const UiRect      *clip)
{
  const UiPins *pinned = &self->scene.document->pins;
  UiPins pins = ui_scene_pins_of (hover);
  UiSide side = pins.n_keys > 0 ? UI_SIDE_KEYS : UI_SIDE_QUERIES;

  if (hover->type == UI_ITEM_LINK) {
    paint_link_hover (self, hover, sink);
  } else if (!ui_pins_is_empty (pinned)) {
    UiHeadPainter painter = get_painter (self, pinned, sink, clip);

    paint_hover_beside_pins (&painter, side, side == UI_SIDE_KEYS ? hover->key : hover->query);
  } else {
    sink->klass->fill (sink, clip, 0, ui_palette_get (self->scene.options.theme)->ground);
    ui_head_paint (self, &pins, sink, clip);
  }
}
