/* SPDX-License-Identifier: MIT */
#include "ui/controls/bar-row.h"

#include <math.h>

#include "ui/scene/sinks/shorten.h"
#include "ui/view/color.h"
#include "ui/view/drawn-text.h"

/* In widths of a digit, so that larger text has larger columns. */
#define NAME_DIGITS 9.5
#define WIDE_NAME_DIGITS 16.0
#define PHRASE_DIGITS 19.5
#define NUMBER_DIGITS 5.6
#define BAR_DIGITS 8.0
#define WIDE_BAR_DIGITS 4.0
#define GAP 8
#define BAR_HEIGHT 12
#define ROW_PADDING 3

/* What a name is made of, each with a layout of its own. */
typedef enum { PART_NAME, PART_ARROW, PART_KEY, N_PARTS } Part;

typedef struct {
  char    letter; /* 0 = none */
  UiColor color;
} Mark;

struct _UiBarRow {
  GtkWidget    parent_instance;

  char        *name_text;
  char        *brief_text;  /* where the name has no room; NULL = none */
  char        *key_text;    /* behind an arrow; NULL = there is none */
  char        *brief_key;
  char        *number_text;
  Mark         mark;        /* behind the name */
  Mark         key_mark;
  double       name_digits;
  double       bar_digits;
  gboolean     is_wide;     /* the name begins where the row does */
  char        *sentence;
  int          name_width;
  int          number_width;
  int          bar_width;   /* at least */
  PangoLayout *name[N_PARTS]; /* behind the first NULL unless there is a key */
  gsize        kept[N_PARTS]; /* bytes at the end that stay where a name is cut */
  gboolean     is_cut;
  PangoLayout *number;
  GArray      *parts;     /* UiBarPart */
  double       low;
  double       high;
};

G_DEFINE_FINAL_TYPE (UiBarRow, ui_bar_row, GTK_TYPE_WIDGET)

static PangoLayout *
new_layout (UiBarRow   *self,
            const char *text)
{
  PangoLayout *layout = ui_drawn_text_new_layout (GTK_WIDGET (self), text, FALSE);

  pango_layout_set_single_paragraph_mode (layout, TRUE);

  return layout;
}

/* Pango shapes a sentence for it, and all rows of a list have the same font: the last is kept. */
static double
get_digit_width (PangoContext *context)
{
  static PangoFontDescription *last_font;
  static double last_resolution, digit;
  const PangoFontDescription *font = pango_context_get_font_description (context);
  const double resolution = pango_cairo_context_get_resolution (context);
  PangoFontMetrics *metrics;

  if (last_font != NULL && resolution == last_resolution
      && pango_font_description_equal (font, last_font))
    return digit;

  g_clear_pointer (&last_font, pango_font_description_free);
  last_font = pango_font_description_copy (font);
  last_resolution = resolution;
  metrics = pango_context_get_metrics (context, NULL, NULL);
  digit = pango_units_to_double (pango_font_metrics_get_approximate_digit_width (metrics));
  pango_font_metrics_unref (metrics);
  return digit;
}

static void
update_columns (UiBarRow *self)
{
  const double digit = get_digit_width (gtk_widget_get_pango_context (GTK_WIDGET (self)));

  self->name_width = (int) ceil (self->name_digits * digit);
  self->number_width = (int) ceil (NUMBER_DIGITS * digit);
  self->bar_width = (int) ceil (self->bar_digits * digit);
}

static PangoLayout *
new_part (UiBarRow   *self,
          const char *name,
          const Mark *mark,
          gsize      *kept)
{
  PangoLayout *layout =
    ui_drawn_text_new_token (GTK_WIDGET (self), name, mark->letter, mark->color, kept);

  /* An Arabic name stays at the bar's side of its column, like any other. */
  pango_layout_set_auto_dir (layout, FALSE);
  return layout;
}

static int
get_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_size (layout, &width, NULL);
  return width;
}

static void
set_part (UiBarRow   *self,
          Part        part,
          const char *name,
          const Mark *mark)
{
  g_clear_object (&self->name[part]);
  if (name != NULL)
    self->name[part] = new_part (self, name, mark, &self->kept[part]);
}

static void
set_texts (UiBarRow   *self,
           const char *name,
           const char *key)
{
  const Mark none = { 0 };

  set_part (self, PART_NAME, name, &self->mark);
  set_part (self, PART_ARROW, key != NULL ? " → " : NULL, &none);
  set_part (self, PART_KEY, key, &self->key_mark);
}

/* Of all parts; in Pango units, as the room is. */
static int
measure_name (UiBarRow *self)
{
  int width = 0;

  for (int i = 0; i < N_PARTS && self->name[i] != NULL; i++)
    width += get_width (self->name[i]);
  return width;
}

static void
shorten (UiBarRow *self,
         Part      part,
         int       room)
{
  self->is_cut |= ui_layout_shorten (self->name[part], room, self->kept[part]);
}

/* Where the tokens of a link have no room each is shortened by itself, the longer one first: what
 * stands between and behind them stays. */
static void
share_room (UiBarRow *self,
            int       room)
{
  const int rest = room - get_width (self->name[PART_ARROW]);
  const int name = get_width (self->name[PART_NAME]), key = get_width (self->name[PART_KEY]);

  if (name + key <= rest)
    return;
  shorten (self, PART_NAME, MAX (rest / 2, rest - key));
  shorten (self, PART_KEY, MAX (rest / 2, rest - get_width (self->name[PART_NAME])));
}

static void
update_name (UiBarRow *self)
{
  const int room = self->name_width * PANGO_SCALE;
  PangoLayout *name;

  set_texts (self, self->name_text, self->key_text);
  if (self->brief_text != NULL && measure_name (self) > room)
    set_texts (self, self->brief_text, self->brief_key);
  self->is_cut = FALSE;
  if (self->key_text != NULL) {
    share_room (self, room);
    return;
  }
  /* A phrase is told by how it begins, a word by both ends. */
  if (!self->is_wide)
    shorten (self, PART_NAME, room);
  name = self->name[PART_NAME];
  if (self->is_wide)
    pango_layout_set_ellipsize (name, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (name, room);
  pango_layout_set_alignment (name, self->is_wide ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT);
}

static void
update_layouts (UiBarRow *self)
{
  update_name (self);
  g_clear_object (&self->number);
  self->number = new_layout (self, self->number_text);
  pango_layout_set_width (self->number, self->number_width * PANGO_SCALE);
  pango_layout_set_auto_dir (self->number, FALSE);
  pango_layout_set_alignment (self->number, PANGO_ALIGN_RIGHT);
}

static void
append_name (UiBarRow    *self,
             GtkSnapshot *snapshot,
             double       height,
             GdkRGBA      color)
{
  int x = 0;

  for (int i = 0; i < N_PARTS && self->name[i] != NULL; i++) {
    ui_drawn_text_append (snapshot, self->name[i], pango_units_to_double (x), height, color);
    x += get_width (self->name[i]);
  }
}

/* Positive parts grow to the right of zero, negative ones to its left. */
static void
append_parts (UiBarRow    *self,
              GtkSnapshot *snapshot,
              double       x,
              double       y,
              double       width)
{
  const double unit = self->high > self->low ? width / (self->high - self->low) : 0;
  const double zero = x - self->low * unit;
  double right = zero;
  double left = zero;

  for (guint i = 0; i < self->parts->len; i++) {
    const UiBarPart *part = &g_array_index (self->parts, UiBarPart, i);
    const GdkRGBA color = ui_color_to_rgba (part->color);
    const double length = fabs (part->value) * unit;
    const double start = part->value > 0 ? right : left - length;

    gtk_snapshot_append_color (snapshot, &color,
                               &GRAPHENE_RECT_INIT (start, y, length, BAR_HEIGHT));
    if (part->value > 0)
      right += length;
    else
      left -= length;
  }
}

static void
ui_bar_row_snapshot (GtkWidget   *widget,
                     GtkSnapshot *snapshot)
{
  UiBarRow *self = UI_BAR_ROW (widget);
  const double width = gtk_widget_get_width (widget);
  const double height = gtk_widget_get_height (widget);
  const double bar_x = self->name_width + GAP;
  const double bar_width = width - bar_x - GAP - self->number_width;
  const double bar_y = floor ((height - BAR_HEIGHT) / 2);
  GskRoundedRect room;
  GdkRGBA color;
  GdkRGBA dim;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  dim = color;
  dim.alpha *= 0.7f;

  append_name (self, snapshot, height, color);
  gsk_rounded_rect_init_from_rect (&room, &GRAPHENE_RECT_INIT (bar_x, bar_y, bar_width, BAR_HEIGHT),
                                   2);
  gtk_snapshot_push_rounded_clip (snapshot, &room);
  append_parts (self, snapshot, bar_x, bar_y, bar_width);
  gtk_snapshot_pop (snapshot);
  ui_drawn_text_append (snapshot, self->number, width - self->number_width, height, dim);
}

static void
ui_bar_row_measure (GtkWidget      *widget,
                    GtkOrientation  orientation,
                    int             for_size,
                    int            *minimum,
                    int            *natural,
                    int            *minimum_baseline,
                    int            *natural_baseline)
{
  UiBarRow *self = UI_BAR_ROW (widget);
  int height;

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = *natural = self->name_width + self->number_width + 2 * GAP + self->bar_width;
    return;
  }

  /* Of the number: a name in another script may be taller, and rows shall not jump. */
  pango_layout_get_pixel_size (self->number, NULL, &height);
  *minimum = *natural = MAX (height, BAR_HEIGHT) + 2 * ROW_PADDING;
}

/* Asked for when somebody points at the row: setting a tooltip with every new number costs more
 * than drawing it. */
static gboolean
ui_bar_row_query_tooltip (GtkWidget  *widget,
                          int         x,
                          int         y,
                          gboolean    keyboard,
                          GtkTooltip *tooltip)
{
  gtk_tooltip_set_text (tooltip, UI_BAR_ROW (widget)->sentence);
  return UI_BAR_ROW (widget)->sentence != NULL;
}

static void
ui_bar_row_css_changed (GtkWidget         *widget,
                        GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ui_bar_row_parent_class)->css_changed (widget, change);
  update_columns (UI_BAR_ROW (widget));
  update_layouts (UI_BAR_ROW (widget));
}

static void
ui_bar_row_finalize (GObject *object)
{
  UiBarRow *self = UI_BAR_ROW (object);

  for (int i = 0; i < N_PARTS; i++)
    g_clear_object (&self->name[i]);
  g_clear_object (&self->number);
  g_free (self->name_text);
  g_free (self->brief_text);
  g_free (self->key_text);
  g_free (self->brief_key);
  g_free (self->number_text);
  g_free (self->sentence);
  g_array_unref (self->parts);
  G_OBJECT_CLASS (ui_bar_row_parent_class)->finalize (object);
}

static void
ui_bar_row_class_init (UiBarRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_bar_row_finalize;
  widget_class->measure = ui_bar_row_measure;
  widget_class->snapshot = ui_bar_row_snapshot;
  widget_class->query_tooltip = ui_bar_row_query_tooltip;
  widget_class->css_changed = ui_bar_row_css_changed;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
  gtk_widget_class_set_css_name (widget_class, "barrow");
}

static void
ui_bar_row_init (UiBarRow *self)
{
  self->name_text = g_strdup ("");
  self->number_text = g_strdup ("0");
  self->parts = g_array_new (FALSE, FALSE, sizeof (UiBarPart));
  self->high = 1;
  self->name_digits = NAME_DIGITS;
  self->bar_digits = BAR_DIGITS;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  update_columns (self);
  update_layouts (self);
}

GtkWidget *
ui_bar_row_new (void)
{
  return g_object_new (UI_TYPE_BAR_ROW, NULL);
}

static GtkWidget *
new_wide (double name_digits)
{
  UiBarRow *self = g_object_new (UI_TYPE_BAR_ROW, NULL);

  self->is_wide = TRUE;
  self->name_digits = name_digits;
  self->bar_digits = WIDE_BAR_DIGITS;
  update_columns (self);
  update_layouts (self);
  return GTK_WIDGET (self);
}

GtkWidget *
ui_bar_row_new_wide (void)
{
  return new_wide (WIDE_NAME_DIGITS);
}

GtkWidget *
ui_bar_row_new_for_phrase (void)
{
  return new_wide (PHRASE_DIGITS);
}

void
ui_bar_row_set (UiBarRow   *self,
                const char *name,
                const char *number,
                const char *sentence)
{
  g_return_if_fail (UI_IS_BAR_ROW (self));

  g_free (self->name_text);
  self->name_text = g_strdup (name);
  g_free (self->number_text);
  self->number_text = g_strdup (number);
  update_layouts (self);
  g_free (self->sentence);
  self->sentence = g_strdup (sentence);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, sentence,
                                  -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_bar_row_set_mark (UiBarRow *self,
                     char      letter,
                     UiColor   color)
{
  g_return_if_fail (UI_IS_BAR_ROW (self));

  self->mark = (Mark) { .letter = letter, .color = color };
}

void
ui_bar_row_set_key (UiBarRow   *self,
                    const char *key,
                    const char *brief,
                    char        letter,
                    UiColor     color)
{
  g_return_if_fail (UI_IS_BAR_ROW (self));

  g_free (self->key_text);
  self->key_text = g_strdup (key);
  g_free (self->brief_key);
  self->brief_key = g_strdup (brief);
  self->key_mark = (Mark) { letter, color };
}

void
ui_bar_row_set_brief (UiBarRow   *self,
                      const char *brief)
{
  g_return_if_fail (UI_IS_BAR_ROW (self));

  g_free (self->brief_text);
  self->brief_text = g_strdup (brief);
}

char *
ui_bar_row_dup_name (UiBarRow *self,
                     gboolean *is_cut)
{
  GString *name;

  g_return_val_if_fail (UI_IS_BAR_ROW (self), NULL);

  name = g_string_new (NULL);
  *is_cut = self->is_cut;
  for (int i = 0; i < N_PARTS && self->name[i] != NULL; i++) {
    g_string_append (name, pango_layout_get_text (self->name[i]));
    *is_cut |= pango_layout_is_ellipsized (self->name[i]);
  }
  return g_string_free (name, FALSE);
}

void
ui_bar_row_set_parts (UiBarRow        *self,
                      const UiBarPart *parts,
                      int              n_parts,
                      double           low,
                      double           high)
{
  g_return_if_fail (UI_IS_BAR_ROW (self));
  g_return_if_fail (low <= 0 && high >= 0);

  g_array_set_size (self->parts, 0);
  g_array_append_vals (self->parts, parts, (guint) n_parts);
  self->low = low;
  self->high = high;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
