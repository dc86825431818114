/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-scene.h"

#include <math.h>

#include "ui/scene/base/pattern-glyph.h"
#include "ui/scene/model/model-facts.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define NUMBER_SIZE 13.0
#define NUMBER_PART 0.62  /* of a cell's edge, at most */
#define HEADING_PART 0.8   /* of the height of a row of maps, at most */
#define LABEL_Y 9.0       /* middle of the label below the map */
#define MARK_GAP 2.5      /* between a map and the frame around it */
#define MARK_WIDTH 2.0
#define MARK_CORNER 4.0
#define BADGE 16.0
#define BADGE_PART 0.7    /* of a map, at most */
#define BADGE_TEXT 0.65625 /* size of its letter */
#define STROKE_WIDTH 2.0   /* of the stroke through an edited head */
#define STROKE_CASING 4.5  /* so that it is seen on any pattern */
#define STROKE_EDGE 34.0   /* of a map, from which on the stroke is so wide */
#define OPENER_CORNER 6.0
#define OPENER_SIZE 12.0
#define GLYPH_CELLS 8
#define GLYPH_STRENGTH 0.75 /* of the darkest cell */
#define REACH 10.0        /* how far marks go beyond a map */

typedef struct {
  const UiModelScene *self;
  const UiPalette    *palette;
  UiSink             *sink;
  const UiRect       *clip;
  double              scale;
  gboolean            is_preview; /* no words below the maps */
} Painter;

static Painter
make_painter (const UiScene *scene,
              UiSink        *sink,
              const UiRect  *clip)
{
  const UiModelScene *self = (const UiModelScene *) scene;

  return (Painter) {
    .self = self,
    .palette = ui_palette_get (scene->options.theme),
    .sink = sink,
    .clip = clip,
    .scale = self->layout.scale,
  };
}

static gboolean
reaches (const Painter *painter,
         const UiRect  *rect)
{
  const UiRect *clip = painter->clip;

  return rect->x < clip->x + clip->width && rect->x + rect->width > clip->x &&
         rect->y < clip->y + clip->height && rect->y + rect->height > clip->y;
}

/* The numbers of the heads, each in its colour. */
static void
paint_header (const Painter *painter)
{
  const UiModelScene *self = painter->self;
  const UiModelLayout *layout = &self->layout;
  UiRect header = { 0, 0, layout->width, layout->header };
  UiTextStyle style = {
    .size = MIN (NUMBER_SIZE * painter->scale, NUMBER_PART * layout->cell),
    .bold = TRUE,
    .tabular = TRUE,
    .align = UI_ALIGN_CENTER,
  };

  if (!layout->is_grid || !reaches (painter, &header))
    return;

  painter->sink->klass->push_group (painter->sink, "heads");
  for (int head = 0; head < self->n_heads; head++) {
    char number[12];

    g_snprintf (number, sizeof number, "%d", head);
    ui_text_paint (painter->sink, layout->left + head * layout->pitch + layout->cell / 2,
                   layout->header - 14 * painter->scale, number, &style,
                   ui_palette_head (self->scene.options.theme, head));
  }
  painter->sink->klass->pop_group (painter->sink);
}

/* Of the heads below it: how one would look that read nothing else. */
static void
paint_glyph (const Painter        *painter,
             const UiModelHeading *heading)
{
  const double edge = UI_MODEL_HEADING_SIZE * painter->scale;
  const UiPalette *palette = painter->palette;
  const UiColor plate = ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
  const UiRect rect = { heading->x, heading->y - edge / 2, edge, edge };
  guint8 alphas[GLYPH_CELLS * GLYPH_CELLS];
  guint32 pixels[GLYPH_CELLS * GLYPH_CELLS];

  ui_pattern_glyph_paint ((EngPattern) heading->what, GLYPH_CELLS, alphas);
  for (gsize i = 0; i < G_N_ELEMENTS (pixels); i++) {
    UiColor color = ui_color_mix (plate, palette->text, GLYPH_STRENGTH * alphas[i] / 255.0);

    pixels[i] = 0xff000000u | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;
  }
  painter->sink->klass->image (painter->sink, &rect, (const guint8 *) pixels, GLYPH_CELLS,
                               GLYPH_CELLS, GLYPH_CELLS * 4);
}

static void
paint_heading (const Painter        *painter,
               const UiModelHeading *heading)
{
  const UiModelScene *self = painter->self;
  const gboolean is_layer = heading->type == UI_MODEL_HEADING_LAYER;
  /* A window shows which layer the other views have. */
  const gboolean is_other = is_layer && (self->scene.options.key
                                         || heading->what != self->scene.layer);
  const gboolean is_dim = heading->type >= UI_MODEL_HEADING_CLAUSE
                          || heading->type == UI_MODEL_HEADING_LOCAL || is_other;
  UiTextStyle style = ui_model_get_heading_style (heading->type, painter->scale);

  if (is_layer)
    style.size = MIN (style.size, HEADING_PART * ui_model_layout_get_row_height (&self->layout));

  UiRect line = { 0, heading->y - style.size, self->layout.width, 2 * style.size };

  if (!reaches (painter, &line))
    return;
  if (heading->type == UI_MODEL_HEADING_GLYPH)
    paint_glyph (painter, heading);
  else if (heading->type == UI_MODEL_HEADING_COUNT)
    ui_scene_paint_reading (&self->scene, painter->sink, heading->x, heading->y, heading->text,
                            &style, painter->palette->dim);
  else
    ui_text_paint (painter->sink, heading->x, heading->y, heading->text, &style,
                   is_dim ? painter->palette->dim : painter->palette->text);
}

static void
paint_headings (const Painter *painter)
{
  const GArray *headings = painter->self->layout.headings;

  painter->sink->klass->push_group (painter->sink,
                                    painter->self->layout.is_grouped ? "patterns" : "layers");
  for (guint i = 0; i < headings->len; i++)
    paint_heading (painter, &g_array_index (headings, UiModelHeading, i));
  painter->sink->klass->pop_group (painter->sink);
}

/* What the layout has room for. */
static void
paint_label (const Painter      *painter,
             const UiModelCell  *cell,
             const EngHeadFacts *facts)
{
  const UiModelLayout *layout = &painter->self->layout;
  gboolean names = ui_model_layout_has_names (layout);
  gboolean numbers = facts != NULL && ui_model_layout_has_numbers (layout);
  g_autofree char *number = numbers ? ui_model_format_number (painter->self, facts) : NULL;
  double y = cell->y + layout->cell + LABEL_Y * painter->scale;
  UiTextStyle style = ui_model_get_label_style (painter->self);

  if (number != NULL) {
    style.align = UI_ALIGN_RIGHT;
    ui_scene_paint_reading (&painter->self->scene, painter->sink, cell->x + layout->cell, y, number,
                            &style, painter->palette->dim);
  }
  if (names) {
    g_autofree char *name = ui_model_name_cell (painter->self, cell, facts);
    /* In a grid it is what the head reads, else its place. */
    const gboolean is_place = painter->self->is_rollout || !layout->is_grid;
    UiColor color;

    style = ui_model_get_name_style (painter->self);
    color = style.bold ? ui_palette_head (painter->self->scene.options.theme, cell->head)
                       : painter->palette->dim;
    if (is_place)
      ui_text_paint (painter->sink, cell->x, y, name, &style, color);
    else
      ui_scene_paint_reading (&painter->self->scene, painter->sink, cell->x, y, name, &style, color);
  }
}

/* What is masked in one row after the other. */
static void
paint_hatching (const Painter     *painter,
                const UiThumbnail *map,
                const UiRect      *place)
{
  double width = place->width / map->width;
  double height = place->height / map->height;

  for (int row = 0; row < map->height; row++) {
    const guint8 *masked = map->masked + (gsize) row * map->width;

    for (int first = 0, end; first < map->width; first = end + 1) {
      UiRect rect = { place->x + first * width, place->y + row * height, 0, height };

      for (end = first; end < map->width && masked[end]; end++)
        rect.width += width;
      if (end > first)
        painter->sink->klass->hatch (painter->sink, &rect, painter->palette->hatch);
    }
  }
}

/* "+161", or "fewer" once they are there. */
static void
paint_opener (const Painter     *painter,
              const UiModelCell *cell)
{
  const double edge = painter->self->layout.cell;
  const UiRect box = { cell->x + 0.5, cell->y + 0.5, edge - 1, edge - 1 };
  const UiTextStyle style = {
    .size = OPENER_SIZE * painter->scale, .bold = TRUE, .align = UI_ALIGN_CENTER,
    .max_width = edge
  };
  g_autofree char *text = cell->n_more > 0 ? g_strdup_printf ("+%d", cell->n_more)
                                           : g_strdup ("fewer");

  painter->sink->klass->frame (painter->sink, &box, OPENER_CORNER * painter->scale, 1,
                               painter->palette->rule);
  ui_text_paint (painter->sink, cell->x + edge / 2, cell->y + edge / 2, text, &style,
                 painter->palette->accent);
}

/* From corner to corner and no further, as in the map of heads beside the picture. */
static void
paint_stroke (const Painter *painter,
              const UiRect  *map)
{
  const UiPalette *palette = painter->palette;
  const UiColor colors[] = { palette->ground, palette->warning };
  const double widths[] = { STROKE_CASING, STROKE_WIDTH };
  const double edge = map->width, unit = MIN (painter->scale, edge / STROKE_EDGE);
  const double inset = STROKE_CASING * unit / 2;

  for (gsize i = 0; i < G_N_ELEMENTS (colors); i++)
    painter->sink->klass->line (painter->sink, map->x + inset, map->y + edge - inset,
                                map->x + edge - inset, map->y + inset,
                                widths[i] * unit, colors[i]);
}

/* A layer that is not there yet leaves its frames. */
static void
paint_cell (const Painter     *painter,
            const UiModelCell *cell)
{
  const UiModelLayout *layout = &painter->self->layout;
  UiRect place = { cell->x, cell->y, layout->cell, layout->cell };
  UiSink *sink = painter->sink;
  const UiThumbnail *maps, *map;

  if (cell->head < 0) {
    paint_opener (painter, cell);
    return;
  }
  maps = ui_model_scene_get_maps (painter->self, cell->layer);
  if (maps == NULL) {
    UiRect inner = { place.x + 0.5, place.y + 0.5, place.width - 1, place.height - 1 };

    sink->klass->frame (sink, &inner, 0, 1, painter->palette->rule);
    return;
  }
  map = &maps[cell->head];
  sink->klass->image (sink, &place, map->pixels, map->width, map->height, 4 * map->width);
  if (map->masked != NULL)
    paint_hatching (painter, map, &place);
  if (ui_model_scene_is_edited (painter->self, cell->layer, cell->head))
    paint_stroke (painter, &place);
  if (layout->has_label != UI_MODEL_LABEL_NONE && !painter->is_preview) {
    const EngHeadFacts *facts = ui_model_scene_get_facts (painter->self, cell->layer);

    paint_label (painter, cell, facts != NULL ? &facts[cell->head] : NULL);
  }
}

static UiRect
grow (UiRect rect,
      double by)
{
  return (UiRect) { rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by };
}

static void
paint_frame (const Painter *painter,
             int            cell,
             double         width,
             UiColor        color)
{
  UiRect frame = grow (ui_model_layout_get_map (&painter->self->layout, cell),
                       MARK_GAP * painter->scale);

  painter->sink->klass->frame (painter->sink, &frame, MARK_CORNER * painter->scale,
                               width * painter->scale, color);
}

static void
paint_badge (const Painter *painter,
             const UiRect  *map,
             int            index)
{
  double edge = MIN (BADGE * painter->scale, BADGE_PART * map->width);
  /* Inside: in the gap it would seem to be of the neighbour. */
  UiRect badge = { map->x + edge * 0.15, map->y + edge * 0.15, edge, edge };
  UiTextStyle style = {
    .size = edge * BADGE_TEXT, .bold = TRUE, .align = UI_ALIGN_CENTER
  };
  char letter[UI_MODEL_LETTER_SIZE];

  painter->sink->klass->fill (painter->sink, &badge, edge / 2, painter->palette->accent);
  ui_text_paint (painter->sink, badge.x + edge / 2, badge.y + edge / 2,
                 ui_model_format_letter (index, letter), &style, painter->palette->accent_text);
}

/* Heads that were collected. */
static void
paint_panels (const Painter *painter)
{
  const UiCells *panels = &painter->self->scene.document->panels;

  painter->sink->klass->push_group (painter->sink, "collected");
  for (int i = 0; i < panels->n; i++) {
    int cell = ui_model_layout_find (&painter->self->layout, panels->cells[i].layer,
                                     panels->cells[i].head);
    UiRect map, reach;

    if (cell < 0 || painter->self->layout.cells[cell].row < 0)
      continue;
    map = ui_model_layout_get_map (&painter->self->layout, cell);
    reach = grow (map, REACH * painter->scale);
    if (reaches (painter, &reach))
      paint_badge (painter, &map, i);
  }
  painter->sink->klass->pop_group (painter->sink);
}

static void
paint_all (const Painter *painter)
{
  const UiModelLayout *layout = &painter->self->layout;
  UiSink *sink = painter->sink;

  paint_header (painter);
  paint_headings (painter);
  sink->klass->push_group (sink, "maps");
  for (int i = 0; i < layout->n_cells; i++) {
    UiRect cell = ui_model_layout_get_map (layout, i);
    UiRect reach = grow (cell, REACH * painter->scale);

    /* What a frame alone reaches into needs no map. */
    cell.height += layout->label;
    if (layout->cells[i].row < 0)
      continue;
    if (reaches (painter, &cell))
      paint_cell (painter, &layout->cells[i]);
    if (reaches (painter, &reach)
        && ui_model_scene_is_framed (painter->self, layout->cells[i].layer, layout->cells[i].head))
      paint_frame (painter, i, MARK_WIDTH, painter->palette->accent);
  }
  sink->klass->pop_group (sink);
  paint_panels (painter);
}

void
ui_model_paint (const UiScene *scene,
                UiSink        *sink,
                const UiRect  *clip)
{
  Painter painter = make_painter (scene, sink, clip);

  paint_all (&painter);
}

void
ui_model_paint_preview (const UiScene *scene,
                        UiSink        *sink,
                        const UiRect  *clip)
{
  Painter painter = make_painter (scene, sink, clip);

  painter.is_preview = TRUE;
  paint_all (&painter);
}

void
ui_model_paint_overlay (const UiScene *scene,
                        const UiItem  *hover,
                        UiSink        *sink,
                        const UiRect  *clip)
{
  Painter painter = make_painter (scene, sink, clip);
  int cell = ui_model_scene_find_cell (painter.self, hover);

  if (cell >= 0 && painter.self->layout.cells[cell].row >= 0)
    paint_frame (&painter, cell, 1.5, painter.palette->text);
}
