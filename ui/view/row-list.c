/* SPDX-License-Identifier: MIT */
#include "ui/view/row-list.h"

#include <math.h>

#include "ui/view/color.h"

#define EDGE 6        /* what marks a row reaches over it, px */
#define RADIUS 6
#define FOCUS_WIDTH 2
#define ALL_ROWS 1000 /* more than a list has */

enum { SIGNAL_AIMED, SIGNAL_CLICKED, SIGNAL_OPENED, N_SIGNALS };

static guint signals[N_SIGNALS];

typedef struct {
  GPtrArray *rows;    /* of GtkWidget, borrowed */
  UiTheme    theme;
  int        n;       /* rows in use */
  int        pointed; /* -1 = none */
  int        cursor;  /* of the keyboard */
  gboolean   is_let_go; /* it points at nothing until it moves */
  double     rest_x;    /* in the window's surface, when it was let go */
  double     rest_y;
} UiRowListPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (UiRowList, ui_row_list, GTK_TYPE_WIDGET)

static UiRowListPrivate *
get_private (UiRowList *self)
{
  return ui_row_list_get_instance_private (self);
}

static GtkWidget *
get_row (UiRowList *self,
         int        row)
{
  return get_private (self)->rows->pdata[row];
}

static int
find_row (UiRowList *self,
          double     x,
          double     y)
{
  UiRowListPrivate *own = get_private (self);

  for (int i = 0; i < own->n; i++) {
    graphene_rect_t bounds;

    if (gtk_widget_compute_bounds (get_row (self, i), GTK_WIDGET (self), &bounds)
        && graphene_rect_contains_point (&bounds, &GRAPHENE_POINT_INIT ((float) x, (float) y)))
      return i;
  }
  return -1;
}

static void
aim (UiRowList *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_AIMED], 0);
}

static void
set_pointed (UiRowList *self,
             int        row)
{
  UiRowListPrivate *own = get_private (self);

  if (row == own->pointed)
    return;

  own->pointed = row;
  aim (self);
}

/* Rows that come under a pointer at rest send motion, too. */
static gboolean
rests (UiRowList *self,
       double     x,
       double     y)
{
  UiRowListPrivate *own = get_private (self);
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  double left, top;

  gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (native), x, y, &x, &y);
  gtk_native_get_surface_transform (native, &left, &top);
  return fabs (x + left - own->rest_x) < 1 && fabs (y + top - own->rest_y) < 1;
}

static void
motion_cb (UiRowList *self,
           double     x,
           double     y)
{
  UiRowListPrivate *own = get_private (self);

  own->is_let_go = own->is_let_go && rests (self, x, y);
  if (!own->is_let_go)
    set_pointed (self, find_row (self, x, y));
}

static void
leave_cb (UiRowList *self)
{
  set_pointed (self, -1);
}

static void
released_cb (UiRowList       *self,
             int              n_press,
             double           x,
             double           y,
             GtkGestureClick *gesture)
{
  UiRowListPrivate *own = get_private (self);
  const int row = find_row (self, x, y);
  const GdkModifierType modifiers =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  if (row < 0)
    return;

  own->cursor = row;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, row,
                 (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0);
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiRowList *self = UI_ROW_LIST (widget);
  UiRowListPrivate *own = get_private (self);
  const int step = g_variant_get_int32 (args);

  /* Keys go on from where the pointer rests, and then lead. */
  if (own->pointed >= 0)
    own->cursor = own->pointed;
  own->pointed = -1;
  own->cursor = CLAMP (own->cursor + step, 0, MAX (own->n - 1, 0));
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT,
                                  get_row (self, own->cursor), -1);
  aim (self);
  return GDK_EVENT_STOP;
}

static gboolean
click_cb (GtkWidget *widget,
          GVariant  *args,
          gpointer   unused)
{
  UiRowList *self = UI_ROW_LIST (widget);
  UiRowListPrivate *own = get_private (self);

  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, own->cursor, g_variant_get_boolean (args));
  return GDK_EVENT_STOP;
}

static gboolean
open_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  g_signal_emit (widget, signals[SIGNAL_OPENED], 0, get_private (UI_ROW_LIST (widget))->cursor);
  return GDK_EVENT_STOP;
}

static void
append_row_ground (UiRowList   *self,
                   GtkSnapshot *snapshot)
{
  UiRowListPrivate *own = get_private (self);
  const gboolean is_focused = gtk_widget_has_visible_focus (GTK_WIDGET (self));
  const int row = own->pointed >= 0 ? own->pointed : is_focused ? own->cursor : -1;
  GskRoundedRect outline;
  graphene_rect_t bounds;
  GdkRGBA color;

  if (row < 0 || row >= own->n
      || !gtk_widget_compute_bounds (get_row (self, row), GTK_WIDGET (self), &bounds))
    return;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  color.alpha *= 0.08f;
  graphene_rect_inset (&bounds, -EDGE, 0);
  gsk_rounded_rect_init_from_rect (&outline, &bounds, RADIUS);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &color, &bounds);
  gtk_snapshot_pop (snapshot);
  if (is_focused && row == own->cursor) {
    const float widths[4] = { FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH };
    const GdkRGBA accent = ui_color_to_rgba (ui_palette_get (own->theme)->accent);

    gtk_snapshot_append_border (snapshot, &outline, widths,
                                (GdkRGBA[4]) { accent, accent, accent, accent });
  }
}

static void
ui_row_list_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  append_row_ground (UI_ROW_LIST (widget), snapshot);
  GTK_WIDGET_CLASS (ui_row_list_parent_class)->snapshot (widget, snapshot);
}

static void
ui_row_list_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_ptr_array_set_size (get_private (UI_ROW_LIST (object))->rows, 0);
  get_private (UI_ROW_LIST (object))->n = 0;
  G_OBJECT_CLASS (ui_row_list_parent_class)->dispose (object);
}

static void
ui_row_list_finalize (GObject *object)
{
  g_ptr_array_unref (get_private (UI_ROW_LIST (object))->rows);
  G_OBJECT_CLASS (ui_row_list_parent_class)->finalize (object);
}

static void
add_bindings (GtkWidgetClass *widget_class)
{
  static const struct {
    guint keys[2];
    int   step;
  } moves[] = {
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, -1 },
    { { GDK_KEY_Down, GDK_KEY_KP_Down }, 1 },
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1 },
    { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1 },
    { { GDK_KEY_Home, GDK_KEY_KP_Home }, -ALL_ROWS },
    { { GDK_KEY_End, GDK_KEY_KP_End }, ALL_ROWS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    for (int j = 0; j < 2; j++)
      gtk_widget_class_add_binding (widget_class, moves[i].keys[j], 0, move_cb, "i",
                                    moves[i].step);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, click_cb, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, GDK_SHIFT_MASK, click_cb, "b", TRUE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, open_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, open_cb, NULL);
}

static void
ui_row_list_class_init (UiRowListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_row_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_row_list_finalize;
  widget_class->snapshot = ui_row_list_snapshot;
  signals[SIGNAL_AIMED] =
    g_signal_new ("aimed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_BOOLEAN);
  signals[SIGNAL_OPENED] =
    g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_INT);
  add_bindings (widget_class);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
ui_row_list_init (UiRowList *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  get_private (self)->rows = g_ptr_array_new ();
  get_private (self)->pointed = -1;
  gtk_orientable_set_orientation (
    GTK_ORIENTABLE (gtk_widget_get_layout_manager (widget)), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_focusable (widget, TRUE);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (aim), NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

void
ui_row_list_add (UiRowList *self,
                 GtkWidget *row)
{
  g_return_if_fail (UI_IS_ROW_LIST (self));

  g_ptr_array_add (get_private (self)->rows, row);
  gtk_widget_set_cursor_from_name (row, "pointer");
}

void
ui_row_list_use (UiRowList *self,
                 int        n,
                 UiTheme    theme)
{
  UiRowListPrivate *own = get_private (self);

  g_return_if_fail (UI_IS_ROW_LIST (self));

  own->theme = theme;
  own->n = MIN (n, (int) own->rows->len);
  own->cursor = CLAMP (own->cursor, 0, MAX (own->n - 1, 0));
  if (own->pointed >= own->n)
    own->pointed = -1;
  for (int i = 0; i < (int) own->rows->len; i++)
    gtk_widget_set_visible (get_row (self, i), i < own->n);
}

int
ui_row_list_get_n (UiRowList *self)
{
  g_return_val_if_fail (UI_IS_ROW_LIST (self), 0);

  return get_private (self)->n;
}

int
ui_row_list_get_aim (UiRowList *self)
{
  UiRowListPrivate *own = get_private (self);

  g_return_val_if_fail (UI_IS_ROW_LIST (self), -1);

  if (own->n == 0 || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return -1;
  if (own->pointed >= 0)
    return own->pointed;
  return gtk_widget_has_focus (GTK_WIDGET (self)) ? own->cursor : -1;
}

void
ui_row_list_let_go_of_pointer (UiRowList *self)
{
  UiRowListPrivate *own = get_private (self);
  GtkNative *native;
  GdkSeat *seat;

  g_return_if_fail (UI_IS_ROW_LIST (self));

  native = gtk_widget_get_native (GTK_WIDGET (self));
  seat = gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self)));
  own->is_let_go = native != NULL && seat != NULL
                   && gdk_surface_get_device_position (gtk_native_get_surface (native),
                                                       gdk_seat_get_pointer (seat), &own->rest_x,
                                                       &own->rest_y, NULL);
  set_pointed (self, -1);
}

gboolean
ui_row_list_is_pointed_at (UiRowList *self)
{
  g_return_val_if_fail (UI_IS_ROW_LIST (self), FALSE);

  return get_private (self)->pointed >= 0;
}

int
ui_row_list_find_row (UiRowList *self,
                      double     x,
                      double     y)
{
  g_return_val_if_fail (UI_IS_ROW_LIST (self), -1);

  return find_row (self, x, y);
}

GtkWidget *
ui_row_list_get_row_widget (UiRowList *self,
                            int        row)
{
  g_return_val_if_fail (UI_IS_ROW_LIST (self) && row >= 0 && row < get_private (self)->n, NULL);

  return get_row (self, row);
}
