/* SPDX-License-Identifier: MIT */
#include "ui/controls/what-if.h"

#include <math.h>

#include "engine/steps/knobs.h"
#include "ui/document/assignments.h"

#define MARGIN 12

/* Tooltips of the buttons. */
#define FEED "Makes edits of it: all layers behind, all views and the answer follow"
#define RESET "Takes back what was tried here"
#define NOTHING "Nothing is tried here yet"

/* In the order of the rows. */
typedef enum {
  ROW_SCALE, ROW_TEMPERATURE, ROW_MASK, ROW_PROJECTIONS, ROW_DIMENSION, ROW_POSITIONS,
  ROW_SEGMENTS, N_ROWS
} Row;

typedef struct {
  const char *label;
  const char *tooltip;
  const char *lacking;    /* why it cannot be chosen; NULL where it always can */
  const char *field;
  EngKnob     knob;
  gboolean    has_check;  /* a flag, or whether the number is set */
  gboolean    has_spin;
  double      min, max, step;
  guint       n_digits;
  double      begin;      /* the number when it is first set */
} RowSpec;

static const RowSpec specs[N_ROWS] = {
  [ROW_SCALE] = { "Scale", "Products times this instead of 1/√d; 1 leaves them as they are", NULL,
                  "if-scale", ENG_KNOB_SCALE, TRUE, TRUE, 0.001, 10, 0.05, 3, 1 },
  [ROW_TEMPERATURE] = { "Temperature", "Below 1 the softmax is surer, above it less", NULL,
                        "if-temperature", ENG_KNOB_TEMPERATURE, FALSE, TRUE, 0.05, 20, 0.05, 2, 1 },
  [ROW_MASK] = { "Mask", "What may not be read", NULL, "if-mask", ENG_KNOB_MASK },
  [ROW_PROJECTIONS] = { "q = k = v", "Without the projections each word fits itself best", NULL,
                        "if-no-projections", ENG_KNOB_PROJECTIONS, TRUE },
  [ROW_DIMENSION] = { "Dimension off", "One dimension of q and k becomes 0", NULL, "if-dimension",
                      ENG_KNOB_DIMENSION, TRUE, TRUE, 0, 1, 1, 0, 0 },
  [ROW_POSITIONS] = { "No positions", "The model no longer knows the order of words",
                      "Not here: the steps of this layer add no positions; where words have "
                      "vectors for theirs, these enter before layer 0",
                      "if-no-positions", ENG_KNOB_POSITIONS, TRUE },
  [ROW_SEGMENTS] = { "All of sentence A", "All words are of segment 0",
                     "Not here: where a model has segments, they enter before layer 0",
                     "if-no-segments", ENG_KNOB_SEGMENTS, TRUE },
};

struct _UiWhatIf {
  GtkWidget  parent_instance;

  GtkWidget *grid;
  GtkWidget *labels[N_ROWS];  /* a GtkCheckButton where there is one to set */
  GtkWidget *spins[N_ROWS];   /* NULL = none */
  GtkWidget *mask;            /* GtkDropDown */
  GtkWidget *reset;
  GtkWidget *feed;
  gboolean   is_setting;      /* the controls follow the document, not a person */
  GArray    *assignments;     /* of fields: what was chosen last */
};

enum { SIGNAL_CHANGED, SIGNAL_FED_FORWARD, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiWhatIf, ui_what_if, GTK_TYPE_WIDGET)

static void
emit_changed (UiWhatIf *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_array_set_size (self->assignments, 0);
}

static void
assign_number (UiWhatIf *self,
               Row       row,
               double    value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *format = g_strdup_printf ("%%.%uf", specs[row].n_digits);

  ui_assignments_add (self->assignments, specs[row].field,
                      g_ascii_formatd (text, sizeof text, format, value));
}

static int
find_row (GtkWidget *const *widgets,
          gconstpointer     widget)
{
  for (int row = 0; row < N_ROWS; row++)
    if (widgets[row] == widget)
      return row;
  g_assert_not_reached ();
}

static void
check_cb (GtkCheckButton *check,
          GParamSpec     *pspec,
          UiWhatIf       *self)
{
  const Row row = (Row) find_row (self->labels, check);
  const gboolean is_on = gtk_check_button_get_active (check);

  if (self->is_setting)
    return;
  if (!specs[row].has_spin)
    ui_assignments_add (self->assignments, specs[row].field, is_on ? "true" : "false");
  else if (is_on)
    assign_number (self, row, specs[row].begin);
  else
    ui_assignments_add (self->assignments, specs[row].field, "");
  emit_changed (self);
}

static void
spin_cb (GtkSpinButton *spin,
         UiWhatIf      *self)
{
  if (self->is_setting)
    return;
  assign_number (self, (Row) find_row (self->spins, spin), gtk_spin_button_get_value (spin));
  emit_changed (self);
}

static void
mask_cb (UiWhatIf *self)
{
  const UiField *field = ui_fields_find (specs[ROW_MASK].field);

  if (self->is_setting)
    return;
  ui_assignments_add (self->assignments, field->name,
                      field->choices[gtk_drop_down_get_selected (GTK_DROP_DOWN (self->mask))]);
  emit_changed (self);
}

static void
reset_cb (UiWhatIf *self)
{
  for (int row = 0; row < N_ROWS; row++)
    ui_assignments_add (self->assignments, specs[row].field,
                        ui_fields_find (specs[row].field)->fallback);
  emit_changed (self);
}

static void
feed_cb (UiWhatIf *self)
{
  g_signal_emit (self, signals[SIGNAL_FED_FORWARD], 0);
}

static GtkWidget *
build_button (UiWhatIf   *self,
              const char *label,
              void      (*clicked) (UiWhatIf *),
              int         row)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  gtk_grid_attach (GTK_GRID (self->grid), button, 0, row, 2, 1);
  return button;
}

static GtkWidget *
build_value (UiWhatIf *self,
             Row       row)
{
  static const char *const masks[] = {
    "As the model", "None", "Causal", "Padding", "Pinned words hidden", NULL
  };
  const RowSpec *spec = &specs[row];

  if (row == ROW_MASK) {
    self->mask = gtk_drop_down_new_from_strings (masks);
    g_signal_connect_swapped (self->mask, "notify::selected", G_CALLBACK (mask_cb), self);
    return self->mask;
  }
  if (!spec->has_spin)
    return NULL;
  self->spins[row] = gtk_spin_button_new_with_range (spec->min, spec->max, spec->step);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->spins[row]), spec->n_digits);
  g_signal_connect (self->spins[row], "value-changed", G_CALLBACK (spin_cb), self);
  return self->spins[row];
}

static void
build_row (UiWhatIf *self,
           Row       row)
{
  const RowSpec *spec = &specs[row];
  GtkWidget *value = build_value (self, row);

  self->labels[row] = spec->has_check ? gtk_check_button_new_with_label (spec->label)
                                      : gtk_label_new (spec->label);
  gtk_widget_set_hexpand (self->labels[row], TRUE);
  if (spec->has_check)
    g_signal_connect (self->labels[row], "notify::active", G_CALLBACK (check_cb), self);
  else
    gtk_label_set_xalign (GTK_LABEL (self->labels[row]), 0);
  gtk_grid_attach (GTK_GRID (self->grid), self->labels[row], 0, row + 1, value != NULL ? 1 : 2, 1);
  if (value == NULL)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (value), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  spec->label, -1);
  gtk_grid_attach (GTK_GRID (self->grid), value, 1, row + 1, 1, 1);
}

static void
ui_what_if_dispose (GObject *object)
{
  UiWhatIf *self = UI_WHAT_IF (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  g_clear_pointer (&self->assignments, g_array_unref);
  G_OBJECT_CLASS (ui_what_if_parent_class)->dispose (object);
}

static void
ui_what_if_class_init (UiWhatIfClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_what_if_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "whatif");
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", UI_TYPE_WHAT_IF, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FED_FORWARD] = g_signal_new ("fed-forward", UI_TYPE_WHAT_IF, G_SIGNAL_RUN_LAST, 0,
                                              NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ui_what_if_init (UiWhatIf *self)
{
  GtkWidget *title = gtk_label_new ("What if, not fed forward");

  self->assignments = ui_assignments_new ();
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), MARGIN);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), MARGIN / 2);
  gtk_widget_set_margin_start (self->grid, MARGIN);
  gtk_widget_set_margin_end (self->grid, MARGIN);
  gtk_widget_set_margin_top (self->grid, MARGIN);
  gtk_widget_set_margin_bottom (self->grid, MARGIN);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_grid_attach (GTK_GRID (self->grid), title, 0, 0, 2, 1);
  for (int row = 0; row < N_ROWS; row++)
    build_row (self, (Row) row);

  self->feed = build_button (self, "Feed Forward", feed_cb, N_ROWS + 1);
  self->reset = build_button (self, "As the Model Is", reset_cb, N_ROWS + 2);

  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "What if", -1);
}

GtkWidget *
ui_what_if_new (void)
{
  return g_object_new (UI_TYPE_WHAT_IF, NULL);
}

static gboolean
is_set (const UiDocument *document,
        Row               row)
{
  const UiField *field = ui_fields_find (specs[row].field);
  g_autofree char *value = ui_document_get (document, field);

  return !g_str_equal (value, field->fallback);
}

gboolean
ui_what_if_is_on (const UiDocument *document)
{
  for (int row = 0; row < N_ROWS; row++)
    if (is_set (document, (Row) row))
      return TRUE;
  return FALSE;
}

/* A person may be typing there: what holds already is not written again. */
static void
show_number (GtkWidget *spin,
             double     value)
{
  if (fabs (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)) - value) > 1e-9)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
}

/* models: the number where the document has none. */
static void
set_spin (UiWhatIf         *self,
          const UiDocument *document,
          Row               row,
          gboolean          is_useful,
          double            models)
{
  g_autofree char *value = ui_document_get (document, ui_fields_find (specs[row].field));
  const gboolean is_on = is_set (document, row);
  const gboolean is_free = specs[row].has_check ? is_on : is_useful || is_on;
  g_autofree char *why = is_free ? g_strdup (specs[row].tooltip)
                                 : g_strdup_printf ("Choose “%s” first", specs[row].label);

  gtk_widget_set_sensitive (self->spins[row], is_free);
  gtk_widget_set_tooltip_text (self->spins[row], why);
  show_number (self->spins[row], *value != '\0' ? g_ascii_strtod (value, NULL) : models);
}

static void
set_row (UiWhatIf         *self,
         const UiDocument *document,
         Row               row,
         gboolean          is_useful,
         double            models)
{
  const gboolean is_on = is_set (document, row);
  const gboolean lacks = !is_useful && !is_on && specs[row].lacking != NULL;

  gtk_widget_set_sensitive (self->labels[row], is_useful || is_on);
  gtk_widget_set_tooltip_text (self->labels[row],
                               lacks ? specs[row].lacking : specs[row].tooltip);
  if (specs[row].has_check)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->labels[row]), is_on);
  if (self->spins[row] != NULL)
    set_spin (self, document, row, is_useful, models);
}

/* Both act on what is tried. */
static void
set_buttons (UiWhatIf *self,
             gboolean  is_on)
{
  gtk_widget_set_sensitive (self->reset, is_on);
  gtk_widget_set_sensitive (self->feed, is_on);
  gtk_widget_set_tooltip_text (self->reset, is_on ? RESET : NOTHING);
  gtk_widget_set_tooltip_text (self->feed, is_on ? FEED : NOTHING);
}

void
ui_what_if_set (UiWhatIf         *self,
                const UiDocument *document,
                guint             useful,
                double            scale,
                int               n_dimensions)
{
  g_return_if_fail (UI_IS_WHAT_IF (self));

  self->is_setting = TRUE;
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->spins[ROW_DIMENSION]), 0,
                             MAX (n_dimensions - 1, 0));
  for (int row = 0; row < N_ROWS; row++)
    set_row (self, document, (Row) row, (useful & (1u << specs[row].knob)) != 0,
             row == ROW_SCALE ? scale : 0);
  gtk_widget_set_sensitive (self->mask, (useful & (1u << ENG_KNOB_MASK)) != 0
                                        || is_set (document, ROW_MASK));
  if (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->mask)) != (guint) document->if_mask)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->mask), document->if_mask);
  set_buttons (self, ui_what_if_is_on (document));
  self->is_setting = FALSE;
}

void
ui_what_if_apply (UiWhatIf   *self,
                  UiDocument *document)
{
  g_return_if_fail (UI_IS_WHAT_IF (self));

  ui_assignments_apply (self->assignments, document);
}
