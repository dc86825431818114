/* SPDX-License-Identifier: MIT */
#include "ui/scene/export/pages.h"

#include <math.h>

#include "ui/scene/sinks/pdf-sink.h"
#include "ui/scene/sinks/text.h"

#define POINTS_PER_CM  (72 / 2.54)
#define SIDE           (2.2 * POINTS_PER_CM)
#define TOP            (2.3 * POINTS_PER_CM)
#define BOTTOM         (2.1 * POINTS_PER_CM)
#define INDENT         14.0 /* of items and choices */
#define BOX            8.0  /* to tick */
#define BLANK          26.0 /* of a line to write on */
#define BLANK_WIDTH    0.6
#define FIELD_HEIGHT   30.0
#define MOST_FIGURE    (10.5 * POINTS_PER_CM)
#define LEAST_SCALE    0.85
#define MOST_SHRUNK    0.24   /* of a figure's height, to save a page */
#define OF_FIGURE      150.0 /* that stands above and below a figure of a page's height */
#define LINE_SPACING   1.25f
#define FOOT_SIZE      8.0
#define MONOSPACE      "DejaVu Sans Mono, monospace"

typedef struct {
  double   size;
  double   before;    /* space above */
  gboolean bold;
  gboolean dim;
  gboolean code;
  gboolean stays;     /* with what follows */
  double   indent;
} Style;

static const Style styles[] = {
  [UI_PAGE_TITLE] = { .size = 22, .before = 0, .bold = TRUE, .stays = TRUE },
  [UI_PAGE_HEADING] = { .size = 13, .before = 18, .bold = TRUE, .stays = TRUE },
  [UI_PAGE_TEXT] = { .size = 10, .before = 6 },
  [UI_PAGE_ITEM] = { .size = 10, .before = 3, .indent = INDENT },
  [UI_PAGE_CHOICE] = { .size = 10, .before = 5, .indent = INDENT + 4 },
  [UI_PAGE_QUESTION] = { .size = 10, .before = 10, .bold = TRUE, .stays = TRUE },
  [UI_PAGE_ANSWER] = { .size = 10, .before = 3, .bold = TRUE, .stays = TRUE, .indent = INDENT },
  [UI_PAGE_APART] = { .size = 10, .before = 11 },
  [UI_PAGE_SMALL] = { .size = 8.5, .before = 4, .dim = TRUE },
  [UI_PAGE_CODE] = { .size = 8, .before = 6, .code = TRUE, .indent = INDENT },
};

typedef enum { ITEM_TEXT, ITEM_FIGURE, ITEM_BLANK, ITEM_FIELDS, ITEM_PART } ItemType;

typedef struct {
  ItemType     type;
  UiPageStyle  style;
  PangoLayout *layout;
  PangoLayout *end;    /* at the end of the line, nullable */
  UiScene     *scene;
  char        *name;   /* of a part */
  GPtrArray   *names;  /* of fields: PangoLayout */
  double       before;
  double       height;
  double       scale;  /* of a figure */
  gboolean     stays;
} Item;

struct _UiPages {
  char         *title;
  double        width;
  double        height;
  PangoContext *context;
  GPtrArray    *items;  /* of Item */
};

static const char *const paper_names[] = { "a4", "letter" };
static const double paper_sizes[][2] = { { 595.28, 841.89 }, { 612, 792 } };

static void
item_free (gpointer data)
{
  Item *self = data;

  g_clear_object (&self->layout);
  g_clear_object (&self->end);
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self->name);
  g_free (self);
}

gboolean
ui_paper_from_name (const char  *name,
                    UiPaper     *paper,
                    GError     **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (paper_names); i++)
    if (g_ascii_strcasecmp (name, paper_names[i]) == 0) {
      *paper = (UiPaper) i;
      return TRUE;
    }
  g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "The paper is \"%s\", expected a4 or letter", name);
  return FALSE;
}

UiPages *
ui_pages_new (UiPaper     paper,
              const char *title)
{
  UiPages *self = g_new0 (UiPages, 1);

  self->title = g_strdup (title);
  self->width = paper_sizes[paper][0];
  self->height = paper_sizes[paper][1];
  self->context = ui_text_create_context ();
  self->items = g_ptr_array_new_with_free_func (item_free);
  return self;
}

void
ui_pages_free (UiPages *self)
{
  g_ptr_array_unref (self->items);
  g_object_unref (self->context);
  g_free (self->title);
  g_free (self);
}

static double
get_column (const UiPages *self)
{
  return self->width - 2 * SIDE;
}

double
ui_pages_get_width_cm (const UiPages *self)
{
  return get_column (self) / POINTS_PER_CM;
}

static Item *
add_item (UiPages  *self,
          ItemType  type)
{
  Item *item = g_new0 (Item, 1);

  item->type = type;
  g_ptr_array_add (self->items, item);
  return item;
}

static PangoLayout *
create_layout (const UiPages *self,
               const Style   *style,
               const char    *markup,
               double         width)
{
  PangoLayout *layout = pango_layout_new (self->context);
  PangoFontDescription *font =
    pango_font_description_from_string (style->code ? MONOSPACE : UI_FONT_FAMILIES);

  pango_font_description_set_absolute_size (font, style->size * PANGO_SCALE);
  pango_font_description_set_weight (font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (layout, width < 0 ? -1 : (int) (width * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_line_spacing (layout, style->code ? 1 : LINE_SPACING);
  pango_layout_set_markup (layout, markup, -1);
  return layout;
}

static double
get_height (PangoLayout *layout)
{
  PangoRectangle rect;

  pango_layout_get_extents (layout, NULL, &rect);
  return (double) rect.height / PANGO_SCALE;
}

static double
get_width (PangoLayout *layout)
{
  PangoRectangle rect;

  pango_layout_get_extents (layout, NULL, &rect);
  return (double) rect.width / PANGO_SCALE;
}

void
ui_pages_begin_part (UiPages    *self,
                     const char *name)
{
  add_item (self, ITEM_PART)->name = g_strdup (name);
}

void
ui_pages_add_text (UiPages     *self,
                   UiPageStyle  style,
                   const char  *markup)
{
  Item *item = add_item (self, ITEM_TEXT);

  item->style = style;
  item->layout = create_layout (self, &styles[style], markup,
                                get_column (self) - styles[style].indent);
  item->before = styles[style].before;
  item->height = get_height (item->layout);
  item->stays = styles[style].stays;
}

void
ui_pages_add_row (UiPages    *self,
                  const char *markup,
                  const char *end)
{
  const Style *style = &styles[UI_PAGE_CODE];
  Item *item = add_item (self, ITEM_TEXT);

  item->style = UI_PAGE_CODE;
  item->end = create_layout (self, style, end, -1);
  item->layout = create_layout (self, style, markup,
                                get_column (self) - 2 * style->indent - get_width (item->end));
  item->before = 4;
  item->height = get_height (item->layout);
}

/* Points of paper per scene unit: as wide as was asked for; a little smaller where it would be
 * high, and small enough for a page. */
static double
get_figure_unit (const UiPages *self,
                 const UiScene *scene)
{
  const double page = self->height - TOP - BOTTOM - OF_FIGURE;
  double width, height, unit;

  ui_scene_get_size (scene, &width, &height);
  unit = ui_scene_get_document (scene)->width_cm * POINTS_PER_CM / width;
  return MIN (MIN (unit, MAX (MOST_FIGURE / height, LEAST_SCALE * unit)), page / height);
}

void
ui_pages_add_figure (UiPages *self,
                     UiScene *scene)
{
  Item *item = add_item (self, ITEM_FIGURE);
  double height;

  ui_scene_get_size (scene, NULL, &height);
  item->scene = ui_scene_ref (scene);
  item->before = 10;
  item->scale = 1;
  item->height = height * get_figure_unit (self, scene);
}

void
ui_pages_add_fields (UiPages           *self,
                     const char *const *names)
{
  Item *item = add_item (self, ITEM_FIELDS);

  item->names = g_ptr_array_new_with_free_func (g_object_unref);
  for (int i = 0; names[i] != NULL; i++)
    g_ptr_array_add (item->names, create_layout (self, &styles[UI_PAGE_SMALL], names[i], -1));
  item->height = FIELD_HEIGHT;
}

void
ui_pages_keep (UiPages *self)
{
  ((Item *) self->items->pdata[self->items->len - 1])->stays = TRUE;
}

void
ui_pages_add_blank (UiPages *self)
{
  Item *item = add_item (self, ITEM_BLANK);

  item->height = BLANK;
}

/* ---- Drawing ---- */

typedef struct {
  const UiPages *pages;
  cairo_t       *cr;
  const char    *part;
  double         y;      /* of what comes next */
  int            n;      /* pages that were begun */
} Writer;

static void
set_color (cairo_t *cr,
           UiColor  color)
{
  cairo_set_source_rgba (cr, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
}

static void
show (cairo_t     *cr,
      PangoLayout *layout,
      double       x,
      double       y,
      UiColor      color)
{
  set_color (cr, color);
  cairo_move_to (cr, x, y);
  pango_cairo_show_layout (cr, layout);
}

static void
rule (cairo_t *cr,
      double   x0,
      double   x1,
      double   y,
      double   width)
{
  set_color (cr, ui_palette_get (UI_THEME_PRINT)->rule);
  cairo_set_line_width (cr, width);
  cairo_move_to (cr, x0, y);
  cairo_line_to (cr, x1, y);
  cairo_stroke (cr);
}

/* Title and number of the page at its foot, the part's name at its head. */
static void
draw_margins (const Writer *self)
{
  const UiPages *pages = self->pages;
  const Style style = { .size = FOOT_SIZE };
  const UiColor dim = ui_palette_get (UI_THEME_PRINT)->dim;
  g_autofree char *number = g_strdup_printf ("%d", self->n);
  g_autofree char *title = g_markup_escape_text (pages->title, -1);
  g_autofree char *name = g_markup_escape_text (self->part != NULL ? self->part : "", -1);
  g_autoptr (PangoLayout) left = create_layout (pages, &style, title, -1);
  g_autoptr (PangoLayout) right = create_layout (pages, &style, number, -1);
  g_autoptr (PangoLayout) head = create_layout (pages, &style, name, -1);
  const double foot = pages->height - BOTTOM + 14;

  rule (self->cr, SIDE, pages->width - SIDE, foot, 0.5);
  show (self->cr, left, SIDE, foot + 6, dim);
  show (self->cr, right, pages->width - SIDE - get_width (right), foot + 6, dim);
  show (self->cr, head, pages->width - SIDE - get_width (head), TOP - 26, dim);
}

static void
begin_page (Writer *self)
{
  if (self->n > 0)
    cairo_show_page (self->cr);
  self->n++;
  self->y = TOP;
  draw_margins (self);
}

static double
get_room (const Writer *self)
{
  return self->pages->height - BOTTOM - self->y;
}

static double
get_page (const Writer *self)
{
  return self->pages->height - BOTTOM - TOP;
}

/* What stands before the text of a line. */
static void
draw_mark (const Writer *self,
           const Item   *item,
           double        y)
{
  const double size = styles[item->style].size;
  const double middle = y + 0.72 * size;

  set_color (self->cr, ui_palette_get (UI_THEME_PRINT)->text);
  if (item->style == UI_PAGE_CHOICE) {
    cairo_set_line_width (self->cr, 0.8);
    cairo_rectangle (self->cr, SIDE + 0.5, middle - BOX / 2, BOX, BOX);
    cairo_stroke (self->cr);
  } else if (item->style == UI_PAGE_ITEM) {
    cairo_new_path (self->cr);
    cairo_arc (self->cr, SIDE + 4, middle, 1.6, 0, 2 * G_PI);
    cairo_fill (self->cr);
  }
}

/* Line by line, of what is longer than a page. */
static void
draw_long_text (Writer     *self,
                const Item *item,
                UiColor     color)
{
  const double indent = styles[item->style].indent;
  g_autoptr (PangoLayoutIter) iter = pango_layout_get_iter (item->layout);

  do {
    PangoRectangle rect;
    double height;

    pango_layout_iter_get_line_extents (iter, NULL, &rect);
    height = (double) rect.height / PANGO_SCALE;
    if (get_room (self) < height)
      begin_page (self);
    set_color (self->cr, color);
    cairo_move_to (self->cr, SIDE + indent + (double) rect.x / PANGO_SCALE,
                   self->y + (double) (pango_layout_iter_get_baseline (iter) - rect.y)
                             / PANGO_SCALE);
    pango_cairo_show_layout_line (self->cr, pango_layout_iter_get_line_readonly (iter));
    self->y += height;
  } while (pango_layout_iter_next_line (iter));
}

static void
draw_text (Writer     *self,
           const Item *item)
{
  const UiPalette *palette = ui_palette_get (UI_THEME_PRINT);
  const Style *style = &styles[item->style];
  const UiColor color = style->dim ? palette->dim : palette->text;

  if (item->height > get_page (self)) {
    draw_long_text (self, item, color);
    return;
  }
  draw_mark (self, item, self->y);
  show (self->cr, item->layout, SIDE + style->indent, self->y, color);
  if (item->end != NULL)
    show (self->cr, item->end, self->pages->width - SIDE - get_width (item->end), self->y, color);
  self->y += item->height;
}

static void
draw_figure (Writer     *self,
             const Item *item)
{
  const double unit = item->scale * get_figure_unit (self->pages, item->scene);
  UiSink *sink;

  cairo_save (self->cr);
  cairo_translate (self->cr, SIDE, self->y);
  cairo_scale (self->cr, unit, unit);
  sink = ui_pdf_sink_new_on (self->cr, unit);
  ui_scene_paint (item->scene, sink, NULL);
  ui_pdf_sink_free (sink);
  cairo_restore (self->cr);
  self->y += item->height;
}

/* The last one is half as wide as the others. */
static void
draw_fields (Writer     *self,
             const Item *item)
{
  const double unit = get_column (self->pages) / (2 * item->names->len - 1);
  const double baseline = self->y + FIELD_HEIGHT - 8;
  double x = SIDE;

  for (guint i = 0; i < item->names->len; i++) {
    PangoLayout *name = item->names->pdata[i];
    const double width = unit * (i + 1 < item->names->len ? 2 : 1);

    show (self->cr, name, x, baseline - get_height (name) + 3,
          ui_palette_get (UI_THEME_PRINT)->dim);
    rule (self->cr, x + get_width (name) + 6, x + width - (i + 1 < item->names->len ? 18 : 0),
          baseline, 0.8);
    x += width;
  }
  self->y += item->height;
}

static void
draw_item (Writer     *self,
           const Item *item)
{
  switch (item->type) {
  case ITEM_FIGURE:
    draw_figure (self, item);
    break;
  case ITEM_BLANK:
    self->y += item->height;
    rule (self->cr, SIDE, SIDE + BLANK_WIDTH * get_column (self->pages), self->y - 4, 0.8);
    break;
  case ITEM_FIELDS:
    draw_fields (self, item);
    break;
  case ITEM_TEXT:
  default:
    draw_text (self, item);
    break;
  }
}

/* Of the item and all that it stays with. */
static double
measure_group (const UiPages *pages,
               guint          first)
{
  double height = 0;

  for (guint i = first; i < pages->items->len; i++) {
    const Item *item = pages->items->pdata[i];

    height += (i > first ? item->before : 0) + item->height;
    if (!item->stays)
      break;
  }
  return height;
}

/* Makes the figure of a group so much smaller that all of it has room, and a hair more; FALSE where
 * that would be too small, or there is none. */
static gboolean
shrink_group (const UiPages *pages,
              guint          first,
              double         excess)
{
  for (guint i = first; i < pages->items->len; i++) {
    Item *item = pages->items->pdata[i];

    if (item->type == ITEM_FIGURE && excess <= MOST_SHRUNK * item->height) {
      item->scale = (item->height - excess) / item->height;
      item->height -= excess;
      return TRUE;
    }
    if (!item->stays)
      break;
  }
  return FALSE;
}

/* Whether an item begins a page: what it stays with has no room on this one, or itself has none. */
static gboolean
needs_page (const Writer *self,
            guint         i)
{
  const UiPages *pages = self->pages;
  const Item *item = pages->items->pdata[i];
  const gboolean follows = i > 0 && ((const Item *) pages->items->pdata[i - 1])->stays;
  const double group = measure_group (pages, i);

  if (self->n == 0)
    return TRUE;
  if (!follows && group > get_room (self) && group <= get_page (self)
      && !shrink_group (pages, i, group - get_room (self) + 0.5))
    return TRUE;
  return item->height > get_room (self) && item->height <= get_page (self);
}

static void
draw_all (Writer *self)
{
  const UiPages *pages = self->pages;

  for (guint i = 0; i < pages->items->len; i++) {
    const Item *item = pages->items->pdata[i];

    if (item->type == ITEM_PART) {
      self->part = item->name;
      begin_page (self);
      continue;
    }
    if (self->y > TOP)
      self->y += item->before;
    if (needs_page (self, i))
      begin_page (self);
    draw_item (self, item);
  }
}

GBytes *
ui_pages_finish (UiPages  *self,
                 int      *n_pages,
                 GError  **error)
{
  g_autoptr (GByteArray) pdf = g_byte_array_new ();
  cairo_surface_t *surface = ui_pdf_surface_new (pdf, self->width, self->height, self->title);
  Writer writer = { .pages = self, .cr = cairo_create (surface) };
  cairo_status_t status;

  draw_all (&writer);
  cairo_show_page (writer.cr);
  status = cairo_status (writer.cr);
  cairo_destroy (writer.cr);
  if (n_pages != NULL)
    *n_pages = writer.n;
  if (!ui_pdf_surface_finish (surface, status, error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&pdf));
}
