/* SPDX-License-Identifier: MIT */
#include "ui/controls/state-label.h"

#define SPACING   5
#define DIM_TITLE 0.6

enum { TITLE, STATE, ARROW, N_PARTS };

struct _UiStateLabel {
  GtkWidget  parent_instance;

  GtkWidget *parts[N_PARTS];
  char      *text;
  int        room;           /* kept for a state, in digits */
};

enum { PROP_TITLE = 1, PROP_ROOM, N_PROPS };

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (UiStateLabel, ui_state_label, GTK_TYPE_WIDGET)

static const char *
get_state (UiStateLabel *self)
{
  return gtk_label_get_label (GTK_LABEL (self->parts[STATE]));
}

static int
get_width (GtkWidget *part)
{
  int natural;

  gtk_widget_measure (part, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* Whatever state it has: what stands behind the button stays where it is. */
static int
get_room (UiStateLabel *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->parts[STATE], NULL);
  int widest = 0;

  for (char digit = '0'; digit <= '9'; digit++) {
    g_autofree char *text = g_strnfill ((gsize) self->room, digit);
    int width;

    pango_layout_set_text (layout, text, -1);
    pango_layout_get_pixel_size (layout, &width, NULL);
    widest = MAX (widest, width);
  }
  return self->room > 0 ? SPACING + widest : 0;
}

/* How wide all is, with the state or without. */
static int
add_up (UiStateLabel *self,
        gboolean      has_state,
        gboolean      has_arrow)
{
  int width = get_width (self->parts[TITLE]);

  if (has_state && *get_state (self) != '\0')
    width += SPACING + get_width (self->parts[STATE]);
  if (has_arrow)
    width += SPACING + get_width (self->parts[ARROW]);
  return width;
}

static void
ui_state_label_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  UiStateLabel *self = UI_STATE_LABEL (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = add_up (self, FALSE, FALSE);
    *natural = MAX (add_up (self, TRUE, TRUE), add_up (self, FALSE, TRUE) + get_room (self));
    return;
  }
  *minimum = 0;
  for (int i = 0; i < N_PARTS; i++) {
    int height;

    gtk_widget_measure (self->parts[i], orientation, -1, &height, NULL, NULL, NULL);
    *minimum = MAX (*minimum, height);
  }
  *natural = *minimum;
}

/* One behind the other. */
static void
ui_state_label_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  UiStateLabel *self = UI_STATE_LABEL (widget);
  const gboolean has_state = *get_state (self) != '\0' && add_up (self, TRUE, TRUE) <= width;
  const gboolean has[N_PARTS] = { TRUE, has_state, add_up (self, has_state, TRUE) <= width };
  const gboolean is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int x = 0;

  gtk_widget_set_opacity (self->parts[TITLE], has_state ? DIM_TITLE : 1);
  for (int i = 0; i < N_PARTS; i++) {
    const int own = MIN (get_width (self->parts[i]), width);

    gtk_widget_set_child_visible (self->parts[i], has[i]);
    if (!has[i])
      continue;
    gtk_widget_size_allocate (
      self->parts[i],
      &(GtkAllocation) { is_mirrored ? width - x - own : x, 0, own, height }, -1);
    x += own + SPACING;
  }
}

static void
tell_text (UiStateLabel *self)
{
  const char *title = gtk_label_get_label (GTK_LABEL (self->parts[TITLE]));
  const char *state = get_state (self);

  g_free (self->text);
  self->text = *state != '\0' ? g_strdup_printf ("%s %s", title, state) : g_strdup (title);
}

static void
ui_state_label_set_property (GObject      *object,
                             guint         prop,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  UiStateLabel *self = UI_STATE_LABEL (object);

  if (prop == PROP_ROOM) {
    self->room = g_value_get_int (value);
    return;
  }
  gtk_label_set_label (GTK_LABEL (self->parts[TITLE]), g_value_get_string (value));
  tell_text (self);
}

static void
ui_state_label_dispose (GObject *object)
{
  UiStateLabel *self = UI_STATE_LABEL (object);

  for (int i = 0; i < N_PARTS; i++)
    g_clear_pointer (&self->parts[i], gtk_widget_unparent);
  G_OBJECT_CLASS (ui_state_label_parent_class)->dispose (object);
}

static void
ui_state_label_finalize (GObject *object)
{
  g_free (UI_STATE_LABEL (object)->text);
  G_OBJECT_CLASS (ui_state_label_parent_class)->finalize (object);
}

static void
ui_state_label_class_init (UiStateLabelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = ui_state_label_set_property;
  object_class->dispose = ui_state_label_dispose;
  object_class->finalize = ui_state_label_finalize;
  widget_class->measure = ui_state_label_measure;
  widget_class->size_allocate = ui_state_label_size_allocate;
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL,
                                           G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  props[PROP_ROOM] = g_param_spec_int ("room", NULL, NULL, 0, G_MAXINT, 0,
                                       G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_css_name (widget_class, "statelabel");
}

static void
ui_state_label_init (UiStateLabel *self)
{
  self->parts[TITLE] = gtk_label_new (NULL);
  self->parts[STATE] = gtk_label_new (NULL);
  self->parts[ARROW] = gtk_image_new_from_icon_name ("pan-down-symbolic");
  for (int i = 0; i < N_PARTS; i++)
    gtk_widget_set_parent (self->parts[i], GTK_WIDGET (self));
}

void
ui_state_label_set_state (UiStateLabel *self,
                          const char   *state)
{
  g_return_if_fail (UI_IS_STATE_LABEL (self));

  if (g_strcmp0 (get_state (self), state != NULL ? state : "") == 0)
    return;
  gtk_label_set_label (GTK_LABEL (self->parts[STATE]), state != NULL ? state : "");
  tell_text (self);
}

const char *
ui_state_label_get_text (UiStateLabel *self)
{
  g_return_val_if_fail (UI_IS_STATE_LABEL (self), NULL);

  return self->text;
}
