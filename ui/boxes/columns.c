/* SPDX-License-Identifier: MIT */
#include "ui/boxes/columns.h"

#include "ui/view/drawn-text.h"

#define N_COLUMNS 2
#define HANDLE 9       /* that is dragged, around the line of one pixel */
#define STRIP_FROM 481 /* a window's width */
#define WIDE_FROM 1600
#define LEFT_OVER 48   /* of the centre, beside a column that lies over it: where one clicks to close */

static const struct {
  int width;      /* at first */
  int wide;       /* the same in a wide window */
  int least;
  int most;
  int fold_below; /* a window's width */
} limits[N_COLUMNS] = {
  [UI_COLUMN_START] = { 240, 260, 200, 360, 1100 },
  [UI_COLUMN_END] = { 288, 320, 260, 420, 860 },
};

typedef struct {
  GtkWidget *child;
  GtkWidget *handle;
  int        width;
  gboolean   is_wanted;     /* where it has room */
  gboolean   is_opened;     /* where it has none */
  gboolean   is_kept;
  gboolean   is_folded;
} Column;

struct _UiColumns {
  GtkWidget  parent_instance;

  GtkWidget *centre;
  GtkWidget *strip;       /* in the place of the start; NULL = none */
  Column     columns[N_COLUMNS];
  gboolean   is_bare;
  int        width;       /* of the window when it was last seen which columns fold; 0 = never */
  guint      changed_source;
};

enum { PROP_START = 1, PROP_STRIP, PROP_CENTRE, PROP_END, N_PROPS };

static GParamSpec *props[N_PROPS];
static guint changed_signal;

G_DEFINE_FINAL_TYPE (UiColumns, ui_columns, GTK_TYPE_WIDGET)

static gboolean
is_shown (const Column *column)
{
  return column->is_folded ? column->is_opened : column->is_wanted;
}

/* Beside the centre, not over it. */
static gboolean
stands (const Column *column)
{
  return !column->is_folded && column->is_wanted;
}

static gboolean
emit_changed_cb (gpointer data)
{
  UiColumns *self = data;

  self->changed_source = 0;
  g_signal_emit (self, changed_signal, 0);
  return G_SOURCE_REMOVE;
}

/* Not while the window is laid out: whoever listens may ask for another layout. */
static void
queue_changed (UiColumns *self)
{
  if (self->changed_source == 0)
    self->changed_source = g_idle_add_full (G_PRIORITY_HIGH, emit_changed_cb, self, NULL);
}

/* Layout. */

static int
get_least_centre (UiColumns *self)
{
  int minimum;

  gtk_widget_measure (self->centre, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

/* At 100 % text. What was never dragged is wider in a wide window. */
static int
get_own_width (UiColumns    *self,
               const Column *column)
{
  const int i = (int) (column - self->columns);
  const double scale = ui_drawn_text_get_scale (GTK_WIDGET (self));

  return column->width == limits[i].width
         && gtk_widget_get_width (GTK_WIDGET (self)) >= WIDE_FROM * scale
         ? limits[i].wide : column->width;
}

/* Larger text needs a wider column. width: of the window. */
static int
get_column_width (UiColumns    *self,
                  const Column *column,
                  int           width)
{
  const int wanted = (int) (get_own_width (self, column)
                            * MAX (ui_drawn_text_get_scale (GTK_WIDGET (self)), 1));
  int minimum;

  gtk_widget_measure (column->child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return MAX (minimum, column->is_folded ? MIN (wanted, width - LEFT_OVER) : wanted);
}

/* 0 = it has no room in a window of that width. */
static int
get_strip_width (UiColumns *self,
                 int        width)
{
  int strip;

  if (self->strip == NULL || !gtk_widget_get_visible (self->strip)
      || width < STRIP_FROM * ui_drawn_text_get_scale (GTK_WIDGET (self)))
    return 0;
  gtk_widget_measure (self->strip, GTK_ORIENTATION_HORIZONTAL, -1, &strip, NULL, NULL, NULL);
  return strip <= width - get_least_centre (self) ? strip : 0;
}

/* Which columns have no room in a window of that width. The start folds first: a strip is left of
 * it. */
static void
fold (UiColumns *self,
      int        width)
{
  const double scale = ui_drawn_text_get_scale (GTK_WIDGET (self));
  const int strip = get_strip_width (self, width);
  /* Else it is the centre that came to need more. */
  const gboolean is_resized = self->width != 0 && width != self->width;
  int left = width - get_least_centre (self) - strip;

  for (int i = N_COLUMNS - 1; i >= 0; i--) {
    Column *column = &self->columns[i];
    const gboolean has_width = column->is_kept || width >= limits[i].fold_below * scale;
    const int own = get_column_width (self, column, G_MAXINT);
    const gboolean is_folded = self->is_bare || !has_width
                               || left < own - (i == UI_COLUMN_START ? strip : 0);

    if (is_folded != column->is_folded) {
      column->is_folded = is_folded;
      column->is_opened = is_folded && column->is_kept && column->is_wanted && !is_resized
                          && !self->is_bare;
      queue_changed (self);
    }
    if (!is_folded && column->is_wanted)
      left -= own;
  }
  self->width = width;
}

static void
allocate (GtkWidget *child,
          int        x,
          int        width,
          int        height)
{
  gtk_widget_size_allocate (child, &(GtkAllocation) { x, 0, width, height }, -1);
}

static void
ui_columns_size_allocate (GtkWidget *widget,
                          int        width,
                          int        height,
                          int        baseline)
{
  UiColumns *self = UI_COLUMNS (widget);
  int start = 0, end = width;

  fold (self, width);
  if (!stands (&self->columns[UI_COLUMN_START]))
    start = get_strip_width (self, width);
  if (self->strip != NULL)
    gtk_widget_set_child_visible (self->strip, start > 0);
  if (start > 0)
    allocate (self->strip, 0, start, height);
  for (int i = 0; i < N_COLUMNS; i++) {
    Column *column = &self->columns[i];
    const gboolean has_place = stands (column);
    int own = get_column_width (self, column, width);
    int x = i == UI_COLUMN_START ? 0 : width - own;
    int edge = i == UI_COLUMN_START ? own : width - own;

    gtk_widget_set_child_visible (column->child, is_shown (column));
    gtk_widget_set_child_visible (column->handle, has_place);
    if (is_shown (column))
      allocate (column->child, x, own, height);
    if (has_place) {
      allocate (column->handle, edge - HANDLE / 2, HANDLE, height);
      start = i == UI_COLUMN_START ? own : start;
      end = i == UI_COLUMN_END ? width - own : end;
    }
  }
  allocate (self->centre, start, end - start, height);
}

static void
ui_columns_measure (GtkWidget      *widget,
                    GtkOrientation  orientation,
                    int             for_size,
                    int            *minimum,
                    int            *natural,
                    int            *minimum_baseline,
                    int            *natural_baseline)
{
  UiColumns *self = UI_COLUMNS (widget);

  gtk_widget_measure (self->centre, orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL && self->strip != NULL) {
    int least;

    gtk_widget_measure (self->strip, orientation, -1, &least, NULL, NULL, NULL);
    *minimum = MAX (*minimum, least);
  }
  for (int i = 0; i < N_COLUMNS && orientation == GTK_ORIENTATION_VERTICAL; i++) {
    int least, most;

    gtk_widget_measure (self->columns[i].child, orientation,
                        get_column_width (self, &self->columns[i], G_MAXINT), &least, &most, NULL,
                        NULL);
    *minimum = MAX (*minimum, least);
    *natural = MAX (*natural, most);
  }
}

/* Drawing. */

static void
append_line (GtkWidget   *widget,
             GtkSnapshot *snapshot,
             double       x)
{
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  color.alpha *= 0.15f;
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (x, 0, 1, gtk_widget_get_height (widget)));
}

static gboolean
lies_over (const Column *column)
{
  return column->is_folded && column->is_opened;
}

static void
ui_columns_snapshot (GtkWidget   *widget,
                     GtkSnapshot *snapshot)
{
  UiColumns *self = UI_COLUMNS (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gtk_widget_snapshot_child (widget, self->centre, snapshot);
  if (self->strip != NULL && gtk_widget_get_child_visible (self->strip)) {
    gtk_widget_snapshot_child (widget, self->strip, snapshot);
    append_line (widget, snapshot, gtk_widget_get_width (self->strip) - 1);
  }
  for (int i = 0; i < N_COLUMNS; i++) {
    Column *column = &self->columns[i];
    const int own = gtk_widget_get_width (column->child);

    if (!is_shown (column))
      continue;
    if (lies_over (column))
      gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0, 0, 0, 0.35f },
                                 &GRAPHENE_RECT_INIT (0, 0, width, height));
    gtk_widget_snapshot_child (widget, column->child, snapshot);
    append_line (widget, snapshot, i == UI_COLUMN_START ? own - 1 : width - own);
  }
}

/* What a person does. */

/* A click beside a column that lies over the centre closes it, and does nothing else. */
static void
pressed_cb (UiColumns  *self,
            int         n_press,
            double      x,
            double      y,
            GtkGesture *gesture)
{
  for (int i = 0; i < N_COLUMNS; i++) {
    Column *column = &self->columns[i];
    graphene_rect_t bounds;

    if (!lies_over (column)
        || !gtk_widget_compute_bounds (column->child, GTK_WIDGET (self), &bounds)
        || graphene_rect_contains_point (&bounds, &GRAPHENE_POINT_INIT (x, y)))
      continue;
    ui_columns_reveal (self, (UiColumn) i, FALSE);
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
    return;
  }
}

static gboolean
key_cb (UiColumns *self,
        guint      key)
{
  return key == GDK_KEY_Escape && ui_columns_close_over (self);
}

static Column *
find_column (UiColumns *self,
             gpointer   drag)
{
  GtkWidget *handle = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (drag));

  return &self->columns[handle == self->columns[UI_COLUMN_START].handle ? UI_COLUMN_START
                                                                        : UI_COLUMN_END];
}

static void
drag_update_cb (UiColumns      *self,
                double          x,
                double          y,
                GtkGestureDrag *drag)
{
  Column *column = find_column (self, drag);
  const UiColumn index = (UiColumn) (column - self->columns);
  GtkWidget *handle = column->handle;
  double start_x, start_y, now;

  /* The handle moves with the column: offsets count from where it is now. */
  gtk_gesture_drag_get_start_point (drag, &start_x, &start_y);
  gtk_widget_translate_coordinates (handle, GTK_WIDGET (self), start_x + x, start_y, &now, &start_y);
  ui_columns_set_width (self, index, index == UI_COLUMN_START
                                     ? (int) now : gtk_widget_get_width (GTK_WIDGET (self)) - (int) now);
}

static GtkWidget *
new_handle (UiColumns *self)
{
  GtkWidget *handle = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_cursor_from_name (handle, "col-resize");
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (handle, GTK_EVENT_CONTROLLER (drag));
  return handle;
}

/* The object. */

/* Columns over the centre and the strip, below the handles. */
static void
set_child (UiColumns *self,
           guint      prop,
           GtkWidget *child)
{
  Column *column = &self->columns[prop == PROP_START ? UI_COLUMN_START : UI_COLUMN_END];

  if (prop == PROP_CENTRE || prop == PROP_STRIP) {
    *(prop == PROP_CENTRE ? &self->centre : &self->strip) = child;
    gtk_widget_insert_after (child, GTK_WIDGET (self), NULL);
  } else {
    column->child = child;
    gtk_widget_insert_before (child, GTK_WIDGET (self), self->columns[UI_COLUMN_START].handle);
  }
}

static void
ui_columns_set_property (GObject      *object,
                         guint         prop,
                         const GValue *value,
                         GParamSpec   *pspec)
{
  set_child (UI_COLUMNS (object), prop, g_value_get_object (value));
}

static void
ui_columns_dispose (GObject *object)
{
  UiColumns *self = UI_COLUMNS (object);
  GtkWidget *child;

  g_clear_handle_id (&self->changed_source, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ui_columns_parent_class)->dispose (object);
}

static void
ui_columns_class_init (UiColumnsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = ui_columns_set_property;
  object_class->dispose = ui_columns_dispose;
  widget_class->measure = ui_columns_measure;
  widget_class->size_allocate = ui_columns_size_allocate;
  widget_class->snapshot = ui_columns_snapshot;
  props[PROP_START] = g_param_spec_object ("start", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_STRIP] = g_param_spec_object ("strip", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_CENTRE] = g_param_spec_object ("centre", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_END] = g_param_spec_object ("end", NULL, NULL, GTK_TYPE_WIDGET, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "columns");
}

static void
ui_columns_init (UiColumns *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  for (int i = 0; i < N_COLUMNS; i++) {
    Column *column = &self->columns[i];

    column->width = limits[i].width;
    column->is_wanted = TRUE;
    column->handle = new_handle (self);
    gtk_widget_set_parent (column->handle, GTK_WIDGET (self));
  }
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
ui_columns_reveal (UiColumns *self,
                   UiColumn   column,
                   gboolean   is_revealed)
{
  Column *own = &self->columns[column];
  gboolean *choice = own->is_folded ? &own->is_opened : &own->is_wanted;

  g_return_if_fail (UI_IS_COLUMNS (self));

  if (*choice == is_revealed && !own->is_kept)
    return;
  *choice = is_revealed;
  /* One that is kept may be about to get its room. */
  if (own->is_kept)
    own->is_wanted = is_revealed;
  /* One at a time lies over the centre. */
  if (lies_over (own))
    self->columns[!column].is_opened = FALSE;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  queue_changed (self);
}

gboolean
ui_columns_is_revealed (UiColumns *self,
                        UiColumn   column)
{
  g_return_val_if_fail (UI_IS_COLUMNS (self), FALSE);

  return is_shown (&self->columns[column]);
}

gboolean
ui_columns_is_folded (UiColumns *self,
                      UiColumn   column)
{
  g_return_val_if_fail (UI_IS_COLUMNS (self), FALSE);

  return self->columns[column].is_folded;
}

gboolean
ui_columns_close_over (UiColumns *self)
{
  g_return_val_if_fail (UI_IS_COLUMNS (self), FALSE);

  for (int i = 0; i < N_COLUMNS; i++)
    if (lies_over (&self->columns[i])) {
      ui_columns_reveal (self, (UiColumn) i, FALSE);
      return TRUE;
    }
  return FALSE;
}

void
ui_columns_set_bare (UiColumns *self,
                     gboolean   is_bare)
{
  g_return_if_fail (UI_IS_COLUMNS (self));

  self->is_bare = is_bare;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
ui_columns_keep (UiColumns *self,
                 UiColumn   column,
                 gboolean   is_kept)
{
  g_return_if_fail (UI_IS_COLUMNS (self));

  self->columns[column].is_kept = is_kept;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
ui_columns_set_width (UiColumns *self,
                      UiColumn   column,
                      int        width)
{
  g_return_if_fail (UI_IS_COLUMNS (self));

  self->columns[column].width = CLAMP (width, limits[column].least, limits[column].most);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  queue_changed (self);
}

int
ui_columns_get_width (UiColumns *self,
                      UiColumn   column)
{
  g_return_val_if_fail (UI_IS_COLUMNS (self), 0);

  return self->columns[column].width;
}
