/* SPDX-License-Identifier: MIT */
#include "ui/boxes/wrap-box.h"

/* Between the children of a line, unless it is said, and between lines. */
#define SPACING      12
#define LINE_SPACING 8

struct _UiWrapBox {
  GtkWidget parent_instance;

  int       spacing;
};

enum { PROP_0, PROP_SPACING };

G_DEFINE_FINAL_TYPE (UiWrapBox, ui_wrap_box, GTK_TYPE_WIDGET)

static int
get_spacing (GtkWidget *widget)
{
  return UI_WRAP_BOX (widget)->spacing;
}

/* One that expands gets more where its line has it. */
static int
get_wanted_width (GtkWidget *child,
                  gboolean   is_least)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return is_least || gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL) ? minimum
                                                                                   : natural;
}

static int
get_height (GtkWidget *child,
            int        width)
{
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

static GtkWidget *
skip_hidden (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);

  return child;
}

static GtkWidget *
get_first (GtkWidget *widget)
{
  return skip_hidden (gtk_widget_get_first_child (widget));
}

static GtkWidget *
get_next (GtkWidget *child)
{
  return skip_hidden (gtk_widget_get_next_sibling (child));
}

typedef struct {
  GtkWidget *end;   /* the child behind it */
  GtkWidget *least; /* from here on children are as narrow as they can be; end where all fit */
  int        extra; /* what is left for each child that expands */
} Line;

/* Of the children before end, those from least on at their least. */
static int
get_line_width (GtkWidget *child,
                GtkWidget *least,
                GtkWidget *end,
                int        width)
{
  const int spacing = get_spacing (gtk_widget_get_parent (child));
  gboolean is_least = FALSE;
  int sum = -spacing;

  for (; child != end; child = get_next (child)) {
    is_least |= child == least;
    sum += MIN (get_wanted_width (child, is_least), width) + spacing;
  }

  return sum;
}

/* Where natural widths do not fit, children at the end of a line give way before those before them. */
static GtkWidget *
find_least (GtkWidget *child,
            GtkWidget *end,
            int        width)
{
  GtkWidget *least = child;

  for (GtkWidget *at = child; at != end; at = get_next (at)) {
    GtkWidget *next = get_next (at);

    if (get_line_width (child, next, end, width) > width)
      break;
    least = next;
  }

  return least;
}

/* The line that begins with a child. */
static Line
find_line (GtkWidget *child,
           int        width)
{
  Line line = { .end = get_next (child) };
  int n = 0;

  while (line.end != NULL
         && get_line_width (child, child, get_next (line.end), width) <= width)
    line.end = get_next (line.end);
  line.least = find_least (child, line.end, width);
  for (GtkWidget *at = child; at != line.end; at = get_next (at))
    n += gtk_widget_compute_expand (at, GTK_ORIENTATION_HORIZONTAL);
  if (n > 0)
    line.extra = (width - get_line_width (child, line.least, line.end, width)) / n;

  return line;
}

static int
get_own_width (GtkWidget  *child,
               gboolean    is_least,
               int         width,
               const Line *line)
{
  return MIN (get_wanted_width (child, is_least), width)
         + (gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL) ? line->extra : 0);
}

static int
measure_line (GtkWidget  *child,
              int         width,
              const Line *line)
{
  gboolean is_least = FALSE;
  int height = 0;

  for (; child != line->end; child = get_next (child)) {
    is_least |= child == line->least;
    height = MAX (height, get_height (child, get_own_width (child, is_least, width, line)));
  }

  return height;
}

static void
allocate_line (GtkWidget  *widget,
               GtkWidget  *child,
               const Line *line,
               int         y,
               int         width,
               int         height)
{
  gboolean is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  gboolean is_least = FALSE;
  int x = 0;

  for (; child != line->end; child = get_next (child)) {
    int own;
    GtkAllocation place;

    is_least |= child == line->least;
    own = get_own_width (child, is_least, width, line);
    place = (GtkAllocation) { is_mirrored ? width - x - own : x, y, own, height };
    gtk_widget_size_allocate (child, &place, -1);
    x += own + get_spacing (widget);
  }
}

static void
measure_width (GtkWidget *widget,
               int       *minimum,
               int       *natural)
{
  for (GtkWidget *child = get_first (widget); child != NULL; child = get_next (child)) {
    int child_minimum, child_natural;

    gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &child_minimum, &child_natural,
                        NULL, NULL);
    *minimum = MAX (*minimum, child_minimum);
    *natural += (*natural > 0 ? get_spacing (widget) : 0) + child_natural;
  }
}

static int
measure_height (GtkWidget *widget,
                int        width)
{
  GtkWidget *child = get_first (widget);
  int height = 0;

  while (child != NULL) {
    const Line line = find_line (child, width);

    height += (height > 0 ? LINE_SPACING : 0) + measure_line (child, width, &line);
    child = line.end;
  }

  return height;
}

static void
ui_wrap_box_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    measure_width (widget, minimum, natural);
  else
    *minimum = *natural = measure_height (widget, for_size < 0 ? G_MAXINT / 2 : for_size);
}

static void
ui_wrap_box_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  GtkWidget *child = get_first (widget);
  int y = 0;

  while (child != NULL) {
    const Line line = find_line (child, width);
    const int own = measure_line (child, width, &line);

    allocate_line (widget, child, &line, y, width, own);
    y += own + LINE_SPACING;
    child = line.end;
  }
}

static GtkSizeRequestMode
ui_wrap_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ui_wrap_box_set_property (GObject      *object,
                          guint         property,
                          const GValue *value,
                          GParamSpec   *spec)
{
  UI_WRAP_BOX (object)->spacing = g_value_get_int (value);
  gtk_widget_queue_resize (GTK_WIDGET (object));
}

static void
ui_wrap_box_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (ui_wrap_box_parent_class)->dispose (object);
}

static void
ui_wrap_box_class_init (UiWrapBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->set_property = ui_wrap_box_set_property;
  G_OBJECT_CLASS (klass)->dispose = ui_wrap_box_dispose;
  g_object_class_install_property (
    G_OBJECT_CLASS (klass), PROP_SPACING,
    g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, SPACING,
                      G_PARAM_WRITABLE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS));
  widget_class->measure = ui_wrap_box_measure;
  widget_class->size_allocate = ui_wrap_box_size_allocate;
  widget_class->get_request_mode = ui_wrap_box_get_request_mode;

  gtk_widget_class_set_css_name (widget_class, "wrapbox");
}

static void
ui_wrap_box_init (UiWrapBox *self)
{
}
