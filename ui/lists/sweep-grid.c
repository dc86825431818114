/* SPDX-License-Identifier: MIT */
#include "ui/lists/sweep-grid.h"

#include <math.h>

#include "ui/controls/words.h"
#include "ui/document/amount.h"
#include "ui/view/color.h"

#define MOST_CELL 30
#define LEAST_CELL 8
#define CELL_GAP 1
#define MARGIN 34       /* for the numbers of layers */
#define TOP 20          /* for those of heads */
#define SCALE_HEIGHT 34
#define SCALE_WIDTH 160
#define SCALE_BAR 10

struct _UiSweepGrid {
  GtkWidget  parent_instance;

  int        n_layers;
  int        n_heads;
  double    *values;
  gboolean   is_signed;
  double     full;
  UiTheme    theme;
  char    *(*describe) (int layer, int head, gpointer data);
  gpointer   data;
  int        cursor;   /* cell; -1 = none yet */
};

enum { SIGNAL_CLICKED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiSweepGrid, ui_sweep_grid, GTK_TYPE_WIDGET)

static double
get_cell_size (UiSweepGrid *self)
{
  const double width = (double) (gtk_widget_get_width (GTK_WIDGET (self)) - MARGIN)
                       / MAX (1, self->n_heads);
  const double height = (double) (gtk_widget_get_height (GTK_WIDGET (self)) - TOP - SCALE_HEIGHT)
                        / MAX (1, self->n_layers);

  return CLAMP (floor (MIN (width, height)), LEAST_CELL, MOST_CELL);
}

static graphene_rect_t
get_rect (UiSweepGrid *self,
          int          cell)
{
  const float size = (float) get_cell_size (self);

  return GRAPHENE_RECT_INIT (MARGIN + size * (float) (cell % self->n_heads),
                             TOP + size * (float) (cell / self->n_heads),
                             size - CELL_GAP, size - CELL_GAP);
}

/* -1 = none */
static int
find_cell (UiSweepGrid *self,
           double       x,
           double       y)
{
  const double size = get_cell_size (self);
  const int head = (int) floor ((x - MARGIN) / size);
  const int layer = (int) floor ((y - TOP) / size);

  if (head < 0 || head >= self->n_heads || layer < 0 || layer >= self->n_layers)
    return -1;
  return layer * self->n_heads + head;
}

static char *
dup_sentence (UiSweepGrid *self,
              int          cell)
{
  if (cell < 0 || self->describe == NULL)
    return NULL;
  return self->describe (cell / self->n_heads, cell % self->n_heads, self->data);
}

static UiColor
get_color (UiSweepGrid *self,
           double       value)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const double part = self->full > 0 ? MIN (1, fabs (value) / self->full) : 0;
  const UiColor hue = !self->is_signed ? palette->accent
                      : value < 0 ? palette->negative : palette->positive;

  return ui_color_mix (palette->ground, hue, part);
}

static void
append_text (UiSweepGrid *self,
             GtkSnapshot *snapshot,
             const char  *text,
             double       x,
             double       y,
             double       alignment) /* part of its width that lies left of x */
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();
  const GdkRGBA color = ui_color_to_rgba (ui_palette_get (self->theme)->dim);
  int width, height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) floor (x - alignment * width),
                                                          (float) floor (y - height / 2.0)));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}

/* Every number where there is room for it, else every fifth. */
static void
append_numbers (UiSweepGrid *self,
                GtkSnapshot *snapshot)
{
  const double size = get_cell_size (self);
  const int step = size >= 18 ? 1 : 5;

  for (int head = 0; head < self->n_heads; head += step) {
    g_autofree char *number = g_strdup_printf ("%d", head);

    append_text (self, snapshot, number, MARGIN + size * (head + 0.5), TOP / 2.0, 0.5);
  }
  for (int layer = 0; layer < self->n_layers; layer += step) {
    g_autofree char *number = g_strdup_printf ("%d", layer);

    append_text (self, snapshot, number, MARGIN - 8, TOP + size * (layer + 0.5), 1);
  }
}

static void
append_cells (UiSweepGrid *self,
              GtkSnapshot *snapshot)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const GdkRGBA rule = ui_color_to_rgba (palette->rule);
  const float thin[4] = { 1, 1, 1, 1 };

  for (int cell = 0; cell < self->n_layers * self->n_heads; cell++) {
    const graphene_rect_t rect = get_rect (self, cell);
    const GdkRGBA color = isnan (self->values[cell])
                          ? rule : ui_color_to_rgba (get_color (self, self->values[cell]));
    GskRoundedRect frame;

    gtk_snapshot_append_color (snapshot, &color, &rect);
    gsk_rounded_rect_init_from_rect (&frame, &rect, 0);
    gtk_snapshot_append_border (snapshot, &frame, thin, (GdkRGBA[4]) { rule, rule, rule, rule });
  }
}

static void
append_cursor (UiSweepGrid *self,
               GtkSnapshot *snapshot)
{
  const GdkRGBA color = ui_color_to_rgba (ui_palette_get (self->theme)->text);
  const float widths[4] = { 2, 2, 2, 2 };
  graphene_rect_t rect;
  GskRoundedRect frame;

  if (self->cursor < 0 || !gtk_widget_has_focus (GTK_WIDGET (self)))
    return;
  rect = get_rect (self, self->cursor);
  gsk_rounded_rect_init_from_rect (&frame, &rect, 0);
  gtk_snapshot_append_border (snapshot, &frame, widths,
                              (GdkRGBA[4]) { color, color, color, color });
}

/* The colours from end to end with the numbers that they stand for. */
static void
append_scale (UiSweepGrid *self,
              GtkSnapshot *snapshot)
{
  const double top = TOP + get_cell_size (self) * self->n_layers + 6;
  const double low = self->is_signed ? -self->full : 0;
  g_autofree char *lowest = self->is_signed ? ui_words_number ("%+.3g", low) : g_strdup ("0");
  g_autofree char *highest = ui_words_number (self->is_signed ? "%+.3g" : "%.3g", self->full);

  if (self->full <= 0)
    return;
  for (int x = 0; x < SCALE_WIDTH; x++) {
    const double value = low + (self->full - low) * x / (SCALE_WIDTH - 1);
    const GdkRGBA color = ui_color_to_rgba (get_color (self, value));

    gtk_snapshot_append_color (snapshot, &color,
                               &GRAPHENE_RECT_INIT ((float) (MARGIN + x), (float) top, 1,
                                                    SCALE_BAR));
  }
  append_text (self, snapshot, lowest, MARGIN, top + SCALE_BAR + 9, 0);
  if (self->is_signed)
    append_text (self, snapshot, "0", MARGIN + SCALE_WIDTH / 2.0, top + SCALE_BAR + 9, 0.5);
  append_text (self, snapshot, highest, MARGIN + SCALE_WIDTH, top + SCALE_BAR + 9, 1);
}

static void
ui_sweep_grid_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  UiSweepGrid *self = UI_SWEEP_GRID (widget);

  append_numbers (self, snapshot);
  append_cells (self, snapshot);
  append_cursor (self, snapshot);
  append_scale (self, snapshot);
}

static void
ui_sweep_grid_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  UiSweepGrid *self = UI_SWEEP_GRID (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = MARGIN + MAX (SCALE_WIDTH, self->n_heads * LEAST_CELL);
    *natural = MARGIN + MAX (SCALE_WIDTH, self->n_heads * MOST_CELL);
  } else {
    *minimum = TOP + SCALE_HEIGHT + self->n_layers * LEAST_CELL;
    *natural = TOP + SCALE_HEIGHT + self->n_layers * MOST_CELL;
  }
}

static gboolean
ui_sweep_grid_query_tooltip (GtkWidget  *widget,
                             int         x,
                             int         y,
                             gboolean    keyboard,
                             GtkTooltip *tooltip)
{
  UiSweepGrid *self = UI_SWEEP_GRID (widget);
  const int cell = keyboard ? self->cursor : find_cell (self, x, y);
  g_autofree char *sentence = dup_sentence (self, cell);
  graphene_rect_t rect;

  if (sentence == NULL)
    return FALSE;

  rect = get_rect (self, cell);
  gtk_tooltip_set_text (tooltip, sentence);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { (int) rect.origin.x, (int) rect.origin.y,
                                                       (int) rect.size.width,
                                                       (int) rect.size.height });
  return TRUE;
}

static void
click (UiSweepGrid *self,
       int          cell)
{
  if (cell >= 0)
    g_signal_emit (self, signals[SIGNAL_CLICKED], 0, cell / self->n_heads, cell % self->n_heads);
}

static void
set_cursor (UiSweepGrid *self,
            int          cell)
{
  g_autofree char *sentence = NULL;

  self->cursor = cell;
  sentence = dup_sentence (self, cell);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sentence != NULL ? sentence : "", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
released_cb (UiSweepGrid *self,
             int          n_press,
             double       x,
             double       y)
{
  const int cell = find_cell (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (cell >= 0)
    set_cursor (self, cell);
  click (self, cell);
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiSweepGrid *self = UI_SWEEP_GRID (widget);
  int layer = self->cursor / MAX (1, self->n_heads), head = self->cursor % MAX (1, self->n_heads);
  int down, right;

  if (self->n_layers * self->n_heads == 0)
    return GDK_EVENT_PROPAGATE;
  if (self->cursor < 0) {
    set_cursor (self, 0);
    return GDK_EVENT_STOP;
  }
  g_variant_get (args, "(ii)", &down, &right);
  layer = CLAMP (layer + down, 0, self->n_layers - 1);
  head = CLAMP (head + right, 0, self->n_heads - 1);
  set_cursor (self, layer * self->n_heads + head);
  return GDK_EVENT_STOP;
}

static gboolean
activate_cb (GtkWidget *widget,
             GVariant  *args,
             gpointer   unused)
{
  click (UI_SWEEP_GRID (widget), UI_SWEEP_GRID (widget)->cursor);
  return GDK_EVENT_STOP;
}

static void
focus_cb (UiSweepGrid *self)
{
  if (self->cursor < 0 && self->n_layers * self->n_heads > 0)
    set_cursor (self, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ui_sweep_grid_finalize (GObject *object)
{
  g_free (UI_SWEEP_GRID (object)->values);
  G_OBJECT_CLASS (ui_sweep_grid_parent_class)->finalize (object);
}

static void
ui_sweep_grid_class_init (UiSweepGridClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const guint clicks[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space };
  static const struct { guint key, keypad; int down, right; } moves[] = {
    { GDK_KEY_Up, GDK_KEY_KP_Up, -1, 0 }, { GDK_KEY_Down, GDK_KEY_KP_Down, 1, 0 },
    { GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1 }, { GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1 },
  };

  G_OBJECT_CLASS (klass)->finalize = ui_sweep_grid_finalize;
  widget_class->snapshot = ui_sweep_grid_snapshot;
  widget_class->measure = ui_sweep_grid_measure;
  widget_class->query_tooltip = ui_sweep_grid_query_tooltip;
  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++) {
    gtk_widget_class_add_binding (widget_class, moves[i].key, 0, move_cb, "(ii)", moves[i].down,
                                  moves[i].right);
    gtk_widget_class_add_binding (widget_class, moves[i].keypad, 0, move_cb, "(ii)", moves[i].down,
                                  moves[i].right);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (clicks); i++)
    gtk_widget_class_add_binding (widget_class, clicks[i], 0, activate_cb, NULL);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "sweepgrid");
}

static void
ui_sweep_grid_init (UiSweepGrid *self)
{
  GtkGesture *gesture = gtk_gesture_click_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->cursor = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (gesture, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (focus_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Change by each head, layers below each other", -1);
}

void
ui_sweep_grid_set (UiSweepGrid  *self,
                   int           n_layers,
                   int           n_heads,
                   const double *values,
                   gboolean      is_signed)
{
  const int n = n_layers * n_heads;
  double largest = 0;

  g_return_if_fail (UI_IS_SWEEP_GRID (self));

  g_free (self->values);
  self->values = g_memdup2 (values, (gsize) n * sizeof *values);
  self->is_signed = is_signed;
  for (int cell = 0; cell < n; cell++)
    if (!isnan (values[cell]))
      largest = MAX (largest, fabs (values[cell]));
  self->full = largest > 0 ? ui_amount_round_up (largest) : 0;
  if (n_layers != self->n_layers || n_heads != self->n_heads) {
    self->n_layers = n_layers;
    self->n_heads = n_heads;
    self->cursor = -1;
    gtk_widget_queue_resize (GTK_WIDGET (self));
  }
  if (self->cursor >= 0)
    set_cursor (self, self->cursor);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_sweep_grid_set_describe (UiSweepGrid  *self,
                            char       *(*describe) (int      layer,
                                                     int      head,
                                                     gpointer data),
                            gpointer      data)
{
  g_return_if_fail (UI_IS_SWEEP_GRID (self));

  self->describe = describe;
  self->data = data;
}

void
ui_sweep_grid_set_theme (UiSweepGrid *self,
                         UiTheme      theme)
{
  g_return_if_fail (UI_IS_SWEEP_GRID (self));

  self->theme = theme;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

double
ui_sweep_grid_get_full (UiSweepGrid *self)
{
  g_return_val_if_fail (UI_IS_SWEEP_GRID (self), 0);

  return self->full;
}
