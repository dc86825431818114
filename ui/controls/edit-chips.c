/* SPDX-License-Identifier: MIT */
#include "ui/controls/edit-chips.h"

#include "engine/edits/edit.h"
#include "ui/boxes/fit-box.h"
#include "ui/boxes/stop-box.h"
#include "ui/controls/quiet.h"
#include "ui/scene/base/edit-words.h"

#define MOST_LETTERS 46
#define SHORT_LETTERS 32 /* in a line */
#define MOST_FORMS 6     /* in a tooltip */

struct _UiEditChips {
  GtkWidget  parent_instance;

  gboolean   is_line;
  GtkWidget *box;        /* of the title, the chips and the button; UiFitBox or GtkBox */
  GtkWidget *title;
  GtkWidget *clear;
  GPtrArray *chips;      /* GtkBox, children of box */
  GtkWidget *dragged;    /* one of chips; NULL = none */
  GtkWidget *near;       /* the chip beside which the dragged one would land; NULL = nowhere */
  gboolean   is_setting; /* the switches follow the edits, not a person */
};

enum { PROP_0, PROP_LINE };
enum {
  SIGNAL_SWITCHED, SIGNAL_REMOVED, SIGNAL_MOVED, SIGNAL_CLEARED, SIGNAL_FITTED, N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiEditChips, ui_edit_chips, GTK_TYPE_WIDGET)

static int
index_of (UiEditChips *self,
          gpointer     chip)
{
  guint index;

  return g_ptr_array_find (self->chips, chip, &index) ? (int) index : -1;
}

static GtkWidget *
get_switch (GtkWidget *chip)
{
  return gtk_widget_get_first_child (chip);
}

static void
switched_cb (UiEditChips *self,
             GtkWidget   *button)
{
  if (!self->is_setting)
    g_signal_emit (self, signals[SIGNAL_SWITCHED], 0,
                   index_of (self, gtk_widget_get_parent (button)));
}

static void
removed_cb (UiEditChips *self,
            GtkWidget   *button)
{
  g_signal_emit (self, signals[SIGNAL_REMOVED], 0, index_of (self, gtk_widget_get_parent (button)));
}

static void
cleared_cb (UiEditChips *self)
{
  g_signal_emit (self, signals[SIGNAL_CLEARED], 0);
}

static void
fitted_cb (UiEditChips *self)
{
  g_signal_emit (self, signals[SIGNAL_FITTED], 0);
}

/* Where a chip that is dragged would land. */

static void
mark_landing (UiEditChips *self,
              GtkWidget   *chip,    /* NULL = nowhere */
              gboolean     is_past) /* to the right of it, or below */
{
  static const char *const classes[2][2] = {
    { "lands-above", "lands-below" }, { "lands-left", "lands-right" },
  };

  for (int i = 0; self->near != NULL && i < 2; i++)
    gtk_widget_remove_css_class (self->near, classes[self->is_line][i]);
  self->near = chip;
  if (chip != NULL)
    gtk_widget_add_css_class (chip, classes[self->is_line][is_past]);
}

/* How far x is from the range. */
static double
get_distance (double x,
              double begin,
              double length)
{
  return MAX (0, MAX (begin - x, x - begin - length));
}

/* The chip nearest to the place. */
static GtkWidget *
find_nearest (UiEditChips     *self,
              double           x,
              double           y,
              graphene_rect_t *bounds)
{
  GtkWidget *nearest = NULL;
  double least_x = 0, least_y = 0;

  for (guint i = 0; i < self->chips->len; i++) {
    graphene_rect_t at;
    double by_x, by_y;

    if (!gtk_widget_get_child_visible (self->chips->pdata[i])
        || !gtk_widget_compute_bounds (self->chips->pdata[i], GTK_WIDGET (self), &at))
      continue;
    by_x = get_distance (x, at.origin.x, at.size.width);
    by_y = get_distance (y, at.origin.y, at.size.height);
    if (nearest != NULL && (by_y > least_y || (by_y == least_y && by_x >= least_x)))
      continue;
    nearest = self->chips->pdata[i];
    least_x = by_x;
    least_y = by_y;
    *bounds = at;
  }

  return nearest;
}

/* The index that the chip from has when it is dropped there, itself where nothing would move; -1
 * for a chip of other edits. */
static int
find_landing (UiEditChips *self,
              int          from,
              double       x,
              double       y)
{
  const gboolean is_mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  graphene_rect_t bounds;
  GtkWidget *nearest = from >= 0 ? find_nearest (self, x, y, &bounds) : NULL;
  gboolean is_past;
  int to;

  if (nearest == NULL) {
    mark_landing (self, NULL, FALSE);
    return -1;
  }

  is_past = self->is_line ? x > bounds.origin.x + bounds.size.width / 2
                          : y > bounds.origin.y + bounds.size.height / 2;
  to = index_of (self, nearest) + (is_past != (self->is_line && is_mirrored) ? 1 : 0);
  if (to > from)
    to--;
  mark_landing (self, to != from ? nearest : NULL, is_past);
  return to;
}

static GdkContentProvider *
prepare_cb (UiEditChips   *self,
            double         x,
            double         y,
            GtkDragSource *source)
{
  GtkWidget *chip = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (chip);

  self->dragged = chip;
  gtk_drag_source_set_icon (source, picture, (int) x, (int) y);
  return gdk_content_provider_new_typed (GTK_TYPE_BOX, chip);
}

static void
drag_end_cb (UiEditChips *self)
{
  self->dragged = NULL;
}

static GdkDragAction
drag_motion_cb (UiEditChips *self,
                double       x,
                double       y)
{
  return find_landing (self, index_of (self, self->dragged), x, y) >= 0 ? GDK_ACTION_MOVE : 0;
}

static void
drag_leave_cb (UiEditChips *self)
{
  mark_landing (self, NULL, FALSE);
}

static gboolean
drop_cb (UiEditChips   *self,
         const GValue  *value,
         double         x,
         double         y)
{
  const int from = index_of (self, g_value_get_object (value));
  const int to = find_landing (self, from, x, y);

  mark_landing (self, NULL, FALSE);
  if (to < 0 || to == from)
    return FALSE;

  g_signal_emit (self, signals[SIGNAL_MOVED], 0, from, to);
  return TRUE;
}

static void
add_drop_target (UiEditChips *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GTK_TYPE_BOX, GDK_ACTION_MOVE);

  g_signal_connect_swapped (target, "enter", G_CALLBACK (drag_motion_cb), self);
  g_signal_connect_swapped (target, "motion", G_CALLBACK (drag_motion_cb), self);
  g_signal_connect_swapped (target, "leave", G_CALLBACK (drag_leave_cb), self);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static GtkWidget *
chip_new (UiEditChips *self)
{
  GtkWidget *chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_toggle_button_new ();
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *cross = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), self->is_line ? SHORT_LETTERS : MOST_LETTERS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (button, !self->is_line);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_box_append (GTK_BOX (chip), button);
  gtk_box_append (GTK_BOX (chip), cross);
  gtk_widget_add_css_class (chip, "linked");
  gtk_widget_add_css_class (chip, "edit-chip");
  g_signal_connect_object (button, "toggled", G_CALLBACK (switched_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (cross, "clicked", G_CALLBACK (removed_cb), self, G_CONNECT_SWAPPED);

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  /* Before the buttons, which claim the pointer else. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
  g_signal_connect_object (source, "prepare", G_CALLBACK (prepare_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (source, "drag-end", G_CALLBACK (drag_end_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (chip, GTK_EVENT_CONTROLLER (source));

  return chip;
}

static void
set_label (GtkWidget  *button,
           const char *words,
           gboolean    is_off)
{
  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (button));
  PangoAttrList *attributes = pango_attr_list_new ();

  if (is_off)
    pango_attr_list_insert (attributes, pango_attr_strikethrough_new (TRUE));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_label (GTK_LABEL (label), words);
}

/* What it says of each edit, a line each; these are many. */
static char *
list_forms (const char *const *edits,
            int                n)
{
  GString *list = g_string_new (NULL);

  for (int i = 0; i < MIN (n, MOST_FORMS); i++)
    g_string_append_printf (list, "%s%s", i > 0 ? "\n" : "", eng_edit_skip_off (edits[i], NULL));
  if (n > MOST_FORMS)
    g_string_append_printf (list, "\n… and %d more", n - MOST_FORMS);
  return g_string_free (list, FALSE);
}

/* Of n edits that are said together. */
static void
set_chip (UiEditChips       *self,
          int                index,
          const char *const *edits,
          int                n,
          const EngTrace    *trace,
          const EngTrace    *typed)
{
  const char *text = edits[0];
  GtkWidget *chip = self->chips->pdata[index];
  GtkWidget *button = get_switch (chip);
  gboolean is_off;
  const char *form = eng_edit_skip_off (text, &is_off);
  g_autofree char *words = NULL;
  g_autofree char *forms = list_forms (edits, n);
  g_autofree char *short_words = !self->is_line ? NULL
                                 : n > 1 ? ui_edit_describe_together (edits, n, trace, TRUE)
                                         : ui_edit_describe_text (form, trace, typed);
  g_autofree char *tooltip = NULL;
  g_autofree char *name = NULL;
  g_autofree char *cross = NULL;
  EngEdit edit;

  /* One that nobody understands comes from a session of a later version; it can be taken out. */
  if (eng_edit_parse (form, &edit, NULL)) {
    words = n > 1 ? ui_edit_describe_together (edits, n, trace, FALSE)
                  : ui_edit_describe (&edit, eng_edit_is_of_tokens (&edit) ? typed : trace);
    tooltip = g_strdup_printf ("%s%s%s\n%s\nClick turns %s %s, Alt and an arrow moves %s",
                               self->is_line ? words : "", self->is_line ? "\n" : "", forms,
                               ui_edit_explain (&edit), n > 1 ? "them" : "it",
                               is_off ? "on" : "off", n > 1 ? "them" : "it");
  } else {
    words = g_strdup (form);
    tooltip = g_strdup ("This is no edit that Headlight knows");
  }
  name = g_strdup_printf ("%s, edit %d of %u, %s", words, index + 1, self->chips->len,
                          is_off ? "off" : "on");
  cross = g_strdup_printf ("Take out: %s", words);
  set_label (button, short_words != NULL ? short_words : words, is_off);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), !is_off);
  ui_quiet_set_tooltip (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  button = gtk_widget_get_last_child (chip);
  ui_quiet_set_tooltip (button, cross);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, cross,
                                  -1);
}

/* Chips that stay keep the focus. */
static void
set_n_chips (UiEditChips *self,
             int          n)
{
  mark_landing (self, NULL, FALSE);
  while ((int) self->chips->len > n) {
    if (self->dragged == self->chips->pdata[self->chips->len - 1])
      self->dragged = NULL;
    gtk_widget_unparent (self->chips->pdata[self->chips->len - 1]);
    g_ptr_array_set_size (self->chips, (int) self->chips->len - 1);
  }
  while ((int) self->chips->len < n) {
    GtkWidget *chip = chip_new (self);

    gtk_widget_insert_before (chip, self->box, self->clear);
    g_ptr_array_add (self->chips, chip);
  }
}

static void
ui_edit_chips_dispose (GObject *object)
{
  UiEditChips *self = UI_EDIT_CHIPS (object);

  if (self->box != NULL)
    set_n_chips (self, 0);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_edit_chips_parent_class)->dispose (object);
}

static void
ui_edit_chips_finalize (GObject *object)
{
  g_ptr_array_unref (UI_EDIT_CHIPS (object)->chips);
  G_OBJECT_CLASS (ui_edit_chips_parent_class)->finalize (object);
}

static void
ui_edit_chips_set_property (GObject      *object,
                            guint         property,
                            const GValue *value,
                            GParamSpec   *spec)
{
  UI_EDIT_CHIPS (object)->is_line = g_value_get_boolean (value);
}

/* The box is of the kind that the property says. */
static void
ui_edit_chips_constructed (GObject *object)
{
  UiEditChips *self = UI_EDIT_CHIPS (object);

  G_OBJECT_CLASS (ui_edit_chips_parent_class)->constructed (object);
  if (self->is_line)
    self->box = g_object_new (UI_TYPE_FIT_BOX, NULL);
  else
    self->box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL,
                              "spacing", 4, NULL);
  if (self->is_line)
    g_signal_connect_object (self->box, "fitted", G_CALLBACK (fitted_cb), self,
                             G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->title = g_object_new (GTK_TYPE_LABEL, "visible", FALSE, "xalign", 0.0f, NULL);
  gtk_widget_add_css_class (self->title, "dim-label");
  gtk_widget_set_parent (self->title, self->box);
  self->clear = gtk_button_new_with_label ("Clear");
  gtk_widget_add_css_class (self->clear, "flat");
  gtk_widget_set_halign (self->clear, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self->clear, "Take all edits out");
  g_signal_connect_swapped (self->clear, "clicked", G_CALLBACK (cleared_cb), self);
  gtk_widget_set_parent (self->clear, self->box);
}

/* As a line it is one stop. */
static gboolean
move_focus (GtkWidget        *widget,
            GtkDirectionType  direction)
{
  GtkWidgetClass *parent_class = GTK_WIDGET_CLASS (ui_edit_chips_parent_class);

  return UI_EDIT_CHIPS (widget)->is_line ? ui_stop_box_move (widget, direction, NULL, parent_class)
                                         : parent_class->focus (widget, direction);
}

static void
ui_edit_chips_class_init (UiEditChipsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = ui_edit_chips_constructed;
  G_OBJECT_CLASS (klass)->set_property = ui_edit_chips_set_property;
  G_OBJECT_CLASS (klass)->dispose = ui_edit_chips_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_edit_chips_finalize;
  signals[SIGNAL_SWITCHED] = g_signal_new ("switched", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 1, G_TYPE_INT);
  signals[SIGNAL_REMOVED] = g_signal_new ("removed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_INT);
  signals[SIGNAL_MOVED] = g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  signals[SIGNAL_CLEARED] = g_signal_new ("cleared", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_FITTED] = g_signal_new ("fitted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  g_object_class_install_property (
    G_OBJECT_CLASS (klass), PROP_LINE,
    g_param_spec_boolean ("line", NULL, NULL, FALSE,
                          G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
  widget_class->focus = move_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "editchips");
}

static void
ui_edit_chips_init (UiEditChips *self)
{
  self->chips = g_ptr_array_new ();
  add_drop_target (self);
}

void
ui_edit_chips_set_title (UiEditChips *self,
                         const char  *title,
                         const char  *name)
{
  g_return_if_fail (UI_IS_EDIT_CHIPS (self));

  gtk_widget_set_visible (self->title, title != NULL);
  gtk_label_set_label (GTK_LABEL (self->title), title != NULL ? title : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
ui_edit_chips_set (UiEditChips       *self,
                   const char *const *edits,
                   const EngTrace    *trace,
                   const EngTrace    *typed)
{
  int focused;
  int n_chips = 0;

  g_return_if_fail (UI_IS_EDIT_CHIPS (self));

  focused = ui_edit_chips_get_focused (self);
  self->is_setting = TRUE;
  for (int i = 0; edits[i] != NULL; i += ui_edit_count_together (edits + i))
    n_chips++;
  set_n_chips (self, n_chips);
  for (int i = 0, first = 0, n; i < n_chips; i++, first += n) {
    n = ui_edit_count_together (edits + first);
    set_chip (self, i, edits + first, n, trace, typed);
    if (ui_edit_moves_tokens (edits[first]))
      typed = NULL;
  }
  self->is_setting = FALSE;
  if (focused >= (int) self->chips->len && ui_edit_chips_get_n_shown (self) > 0)
    ui_edit_chips_focus (self, (int) self->chips->len - 1);
}

void
ui_edit_chips_set_n_wanted (UiEditChips *self,
                            int          n_wanted)
{
  g_return_if_fail (UI_IS_EDIT_CHIPS (self) && self->is_line);

  ui_fit_box_set_n_wanted (UI_FIT_BOX (self->box), n_wanted);
}

int
ui_edit_chips_get_n (UiEditChips *self)
{
  g_return_val_if_fail (UI_IS_EDIT_CHIPS (self), 0);

  return (int) self->chips->len;
}

/* The title of a line is never shown. */
int
ui_edit_chips_get_n_shown (UiEditChips *self)
{
  g_return_val_if_fail (UI_IS_EDIT_CHIPS (self), 0);

  if (!self->is_line)
    return (int) self->chips->len;
  return MIN ((int) self->chips->len, ui_fit_box_get_n_shown (UI_FIT_BOX (self->box)));
}

int
ui_edit_chips_get_focused (UiEditChips *self)
{
  GtkWidget *focus;

  g_return_val_if_fail (UI_IS_EDIT_CHIPS (self), -1);

  focus = gtk_widget_get_focus_child (self->box);
  return focus != NULL ? index_of (self, focus) : -1;
}

void
ui_edit_chips_focus (UiEditChips *self,
                     int          index)
{
  g_return_if_fail (UI_IS_EDIT_CHIPS (self));
  g_return_if_fail (index >= 0 && index < (int) self->chips->len);

  gtk_widget_grab_focus (get_switch (self->chips->pdata[index]));
}

gboolean
ui_edit_chips_move_focused (UiEditChips *self,
                            int          step)
{
  const int from = ui_edit_chips_get_focused (self);
  const int to = from + step;

  if (from < 0)
    return FALSE;
  if (to < 0 || to >= ui_edit_chips_get_n_shown (self))
    return TRUE;

  g_signal_emit (self, signals[SIGNAL_MOVED], 0, from, to);
  /* Those that stand together now may be fewer chips. */
  ui_edit_chips_focus (self, MIN (to, (int) self->chips->len - 1));
  return TRUE;
}
