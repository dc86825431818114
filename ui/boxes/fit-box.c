/* SPDX-License-Identifier: MIT */
#include "ui/boxes/fit-box.h"

#define SPACING 6
#define WANTED  2

struct _UiFitBox {
  GtkWidget parent_instance;

  int   n_shown;
  int   n_wanted; /* children that it asks for room for */
  guint idle;     /* says "fitted"; 0 = nothing to say */
};

enum { SIGNAL_FITTED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiFitBox, ui_fit_box, GTK_TYPE_WIDGET)

static int
get_natural_width (GtkWidget *child)
{
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* Of the first few. */
static int
get_wanted_width (GtkWidget *widget)
{
  const int n_wanted = UI_FIT_BOX (widget)->n_wanted;
  int width = 0, n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && n < n_wanted;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child))
      width += (n++ > 0 ? SPACING : 0) + get_natural_width (child);
  return width;
}

static gboolean
say_fitted_cb (gpointer data)
{
  UiFitBox *self = data;

  self->idle = 0;
  g_signal_emit (self, signals[SIGNAL_FITTED], 0);
  return G_SOURCE_REMOVE;
}

static void
ui_fit_box_measure (GtkWidget      *widget,
                    GtkOrientation  orientation,
                    int             for_size,
                    int            *minimum,
                    int            *natural,
                    int            *minimum_baseline,
                    int            *natural_baseline)
{
  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *natural = get_wanted_width (widget);
    return;
  }

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    int height;

    if (!gtk_widget_get_visible (child))
      continue;
    gtk_widget_measure (child, orientation, -1, &height, NULL, NULL, NULL);
    *minimum = *natural = MAX (*natural, height);
  }
}

/* How wide the children are that fit, and how many these are. */
static int
fit (GtkWidget *widget,
     int        width,
     int       *n_shown)
{
  int used = 0;

  *n_shown = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    int more;

    if (!gtk_widget_get_visible (child))
      continue;
    more = (used > 0 ? SPACING : 0) + get_natural_width (child);
    if (used + more > width)
      return used;
    used += more;
    (*n_shown)++;
  }
  return used;
}

static void
ui_fit_box_size_allocate (GtkWidget *widget,
                          int        width,
                          int        height,
                          int        baseline)
{
  UiFitBox *self = UI_FIT_BOX (widget);
  const gboolean is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int n_shown, n = 0;
  int x = width - fit (widget, width, &n_shown);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    int own;

    if (!gtk_widget_get_visible (child))
      continue;
    gtk_widget_set_child_visible (child, n < n_shown);
    if (n++ >= n_shown)
      continue;
    own = get_natural_width (child);
    gtk_widget_size_allocate (child, &(GtkAllocation) { is_mirrored ? width - x - own : x, 0, own,
                                                        height }, -1);
    x += own + SPACING;
  }

  if (n_shown != self->n_shown && self->idle == 0)
    self->idle = g_idle_add (say_fitted_cb, self);
  self->n_shown = n_shown;
}

static void
ui_fit_box_dispose (GObject *object)
{
  GtkWidget *child;

  g_clear_handle_id (&UI_FIT_BOX (object)->idle, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (ui_fit_box_parent_class)->dispose (object);
}

static void
ui_fit_box_class_init (UiFitBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_fit_box_dispose;
  widget_class->measure = ui_fit_box_measure;
  widget_class->size_allocate = ui_fit_box_size_allocate;
  signals[SIGNAL_FITTED] = g_signal_new ("fitted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ui_fit_box_init (UiFitBox *self)
{
  self->n_wanted = WANTED;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

void
ui_fit_box_set_n_wanted (UiFitBox *self,
                         int       n_wanted)
{
  g_return_if_fail (UI_IS_FIT_BOX (self));

  if (self->n_wanted == n_wanted)
    return;
  self->n_wanted = n_wanted;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

int
ui_fit_box_get_n_shown (UiFitBox *self)
{
  g_return_val_if_fail (UI_IS_FIT_BOX (self), 0);

  return self->n_shown;
}
