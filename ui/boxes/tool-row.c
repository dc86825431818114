/* SPDX-License-Identifier: MIT */
#include "ui/boxes/tool-row.h"

#include "ui/boxes/stop-box.h"

#define SPACING 1
#define SLACK   84 /* the arrows of four buttons, which stay longer than what is optional */
#define OPTIONAL "optional"

struct _UiToolRow {
  GtkWidget parent_instance;

  gboolean  has_optional;
  guint     idle;         /* says "fitted"; 0 = nothing to say */
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (UiToolRow, ui_tool_row, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

static guint fitted_signal;

/* In the order of the row. (transfer full) */
static GPtrArray *
list_children (GtkWidget *widget,
               gboolean   with_optional)
{
  GPtrArray *children = g_ptr_array_new ();

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child)
        && (with_optional || g_object_get_data (G_OBJECT (child), OPTIONAL) == NULL))
      g_ptr_array_add (children, child);
  return children;
}

/* What each asks for, what all of them cannot live without, and the room between them. */
static GtkRequestedSize *
measure_children (const GPtrArray *children,
                  int             *least,
                  int             *wanted)
{
  GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, children->len);

  *least = *wanted = children->len > 0 ? SPACING * ((int) children->len - 1) : 0;
  for (guint i = 0; i < children->len; i++) {
    sizes[i].data = children->pdata[i];
    gtk_widget_measure (children->pdata[i], GTK_ORIENTATION_HORIZONTAL, -1,
                        &sizes[i].minimum_size, &sizes[i].natural_size, NULL, NULL);
    *least += sizes[i].minimum_size;
    *wanted += sizes[i].natural_size;
  }
  return sizes;
}

static void
ui_tool_row_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  g_autoptr (GPtrArray) all = list_children (widget, TRUE);
  g_autoptr (GPtrArray) few = list_children (widget, FALSE);

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    int unused;

    g_free (measure_children (few, minimum, &unused));
    g_free (measure_children (all, &unused, natural));
    return;
  }
  for (guint i = 0; i < all->len; i++) {
    int height;

    gtk_widget_measure (all->pdata[i], orientation, -1, NULL, &height, NULL, NULL);
    *minimum = *natural = MAX (*minimum, height);
  }
}

static gboolean
say_fitted_cb (gpointer data)
{
  UiToolRow *self = data;

  self->idle = 0;
  g_signal_emit (self, fitted_signal, 0);
  return G_SOURCE_REMOVE;
}

static gboolean
has_room_for_all (GtkWidget *widget,
                  int        width)
{
  g_autoptr (GPtrArray) all = list_children (widget, TRUE);
  int least, wanted;

  g_free (measure_children (all, &least, &wanted));
  return least + SLACK <= width;
}

/* Widens one after the other to what it asks for, as far as the room goes, which is then what is
 * left: a button with half of its words' room would say none of them. The last that has not all of it
 * gets the rest, for an arrow. */
static void
share_room (GtkRequestedSize *sizes,
            guint             n_sizes,
            int              *room)
{
  GtkRequestedSize *last = NULL;

  for (guint i = 0; i < n_sizes; i++) {
    const int more = sizes[i].natural_size - sizes[i].minimum_size;

    if (more > *room) {
      last = &sizes[i];
      continue;
    }
    sizes[i].minimum_size += more;
    *room -= more;
  }
  if (last == NULL)
    return;
  last->minimum_size += *room;
  *room = 0;
}

static void
ui_tool_row_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  UiToolRow *self = UI_TOOL_ROW (widget);
  const gboolean has_optional = has_room_for_all (widget, width);
  const gboolean is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  g_autoptr (GPtrArray) all = list_children (widget, TRUE);
  g_autoptr (GPtrArray) children = list_children (widget, has_optional);
  int least, wanted, rest, x = 0;
  g_autofree GtkRequestedSize *sizes = measure_children (children, &least, &wanted);

  for (guint i = 0; i < all->len; i++)
    gtk_widget_set_child_visible (all->pdata[i],
                                  g_ptr_array_find (children, all->pdata[i], NULL));
  rest = MAX (width - least, 0);
  share_room (sizes, children->len, &rest);
  for (guint i = 0; i < children->len; i++) {
    int own = sizes[i].minimum_size;

    if (gtk_widget_compute_expand (children->pdata[i], GTK_ORIENTATION_HORIZONTAL)) {
      own += rest;
      rest = 0;
    }
    gtk_widget_size_allocate (
      children->pdata[i],
      &(GtkAllocation) { is_mirrored ? width - x - own : x, 0, own, height }, -1);
    x += own + SPACING;
  }
  if (has_optional != self->has_optional && self->idle == 0)
    self->idle = g_idle_add (say_fitted_cb, self);
  self->has_optional = has_optional;
}

static void
add_child (GtkBuildable *buildable,
           GtkBuilder   *builder,
           GObject      *child,
           const char   *type)
{
  if (g_strcmp0 (type, OPTIONAL) == 0)
    g_object_set_data (child, OPTIONAL, child);
  gtk_widget_set_parent (GTK_WIDGET (child), GTK_WIDGET (buildable));
}

static void
buildable_init (GtkBuildableIface *iface)
{
  iface->add_child = add_child;
}

static void
ui_tool_row_dispose (GObject *object)
{
  GtkWidget *child;

  g_clear_handle_id (&UI_TOOL_ROW (object)->idle, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ui_tool_row_parent_class)->dispose (object);
}

static gboolean
ui_tool_row_focus (GtkWidget        *widget,
                   GtkDirectionType  direction)
{
  return ui_stop_box_move (widget, direction, NULL,
                           GTK_WIDGET_CLASS (ui_tool_row_parent_class));
}

static void
ui_tool_row_class_init (UiToolRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_tool_row_dispose;
  widget_class->focus = ui_tool_row_focus;
  widget_class->measure = ui_tool_row_measure;
  widget_class->size_allocate = ui_tool_row_size_allocate;
  fitted_signal = g_signal_new ("fitted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "toolrow");
}

static void
ui_tool_row_init (UiToolRow *self)
{
  self->has_optional = TRUE;
}

gboolean
ui_tool_row_has_optional (UiToolRow *self)
{
  g_return_val_if_fail (UI_IS_TOOL_ROW (self), TRUE);

  return self->has_optional;
}
