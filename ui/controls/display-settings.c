/* SPDX-License-Identifier: MIT */
#include "ui/controls/display-settings.h"

#include <math.h>

#include "ui/controls/quiet.h"
#include "ui/document/assignments.h"
#include "ui/scene/base/describe.h"

#define MARGIN        12
#define SLIDER_WIDTH  150
#define NUMBER_DIGITS 6
#define STEP          0.02
#define PAGE          0.1
#define LEAST_MASS    0.01
#define LEAST_GAIN    0.25
#define GAIN_RANGE    80.0 /* the largest gain of the slider in least ones */

typedef struct {
  const char *value;
  const char *label;
  const char *tooltip;
} Option;

static const Option measures[] = {
  { "weight", "Weight", "α, as the model has it" },
  { "value-norm", "Weight × value norm", "α‖v‖: the weight times the length of the value" },
  { "output-norm", "After the output projection",
    "‖α v W_O‖: the length of what a token adds to the one that reads it" },
  { "rollout", "Rollout up to this layer",
    "R = (½ mean over heads + ½ I) · R of the layer below: how much came from each token" },
  { NULL }
};
static const Option aggregates[] = {
  { "each", "Each", "Every head in its colour" },
  { "mean", "Mean", "The mean of the heads that are on" },
  { "max", "Max", "The largest of the heads that are on" },
  { NULL }
};
static const Option layers[] = {
  { "one", "One", "The layer that is chosen" },
  { "mean", "Mean", "Every head as the mean over all layers" },
  { "max", "Max", "Every head as the largest over all layers" },
  { NULL }
};

/* Fields with a few values, in the order of the rows. */
enum { MEASURE, HEADS, LAYERS, N_CHOICES };
#define MOST_OPTIONS 4

static const struct {
  const char   *field;
  const char   *label;
  const Option *options;
} choices[N_CHOICES] = {
  { "measure", "Measure", measures },
  { "aggregate", "Heads", aggregates },
  { "layers", "Layers", layers },
};

/* A slider stands at a place from 0 to 1, so that small values have as much room as large ones. */
static double
get_threshold (double place)
{
  return place * place * place;
}

static double
place_threshold (double value)
{
  return cbrt (value);
}

static double
get_mass (double place)
{
  return LEAST_MASS + (1 - LEAST_MASS) * place;
}

static double
place_mass (double value)
{
  return (value - LEAST_MASS) / (1 - LEAST_MASS);
}

static double
get_gain (double place)
{
  return LEAST_GAIN * pow (GAIN_RANGE, place);
}

static double
place_gain (double value)
{
  return log (value / LEAST_GAIN) / log (GAIN_RANGE);
}

static char *
describe_threshold (double value)
{
  return value > 0 ? ui_describe_part (value) : g_strdup ("none");
}

static char *
describe_mass (double value)
{
  return value < 1 ? ui_describe_part (value) : g_strdup ("all");
}

static char *
describe_gain (double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strconcat ("× ", g_ascii_formatd (number, sizeof number, "%.2g", value), NULL);
}

enum { THRESHOLD, MASS, GAIN, N_SLIDERS };

static const struct {
  const char *field;
  const char *label;
  const char *tooltip;
  double    (*get_value) (double place);
  double    (*get_place) (double value);
  char     *(*describe)  (double value);
} sliders[N_SLIDERS] = {
  { "threshold", "Threshold", "What is weaker is not drawn; of a norm: part of the largest one",
    get_threshold, place_threshold, describe_threshold },
  { "mass", "Mass kept", "Of each row the strongest that together have this part of it",
    get_mass, place_mass, describe_mass },
  { "gain", "Gain", "Opacity is the weight times this, at most 1", get_gain, place_gain,
    describe_gain },
};

enum { HIDE_SPECIAL, RENORMALISE, WORDS, N_FLAGS };

static const struct {
  const char *field;
  const char *label;
  const char *tooltip;
} flags[N_FLAGS] = {
  { "hide-special", "Hide special tokens", "Tokens of the template neither read nor are read" },
  { "renormalise", "Renormalise rows", "Brings rows back to 1 after what is left out" },
  { "words", "Merge word pieces", "Pieces of a word as one: their sum where they are read, their "
                                  "mean where they read" },
};

/* NULL for what the other half has. */
struct _UiDisplaySettings {
  GtkWidget  parent_instance;

  gboolean   is_amount;                        /* how much is drawn, not what */
  GtkWidget *grid;
  GtkWidget *options[N_CHOICES][MOST_OPTIONS]; /* GtkCheckButton or GtkToggleButton */
  GtkWidget *scales[N_SLIDERS];
  GtkWidget *numbers[N_SLIDERS];               /* GtkLabel */
  GtkWidget *checks[N_FLAGS];                  /* GtkCheckButton */
  GtkWidget *reset;
  gboolean   is_setting;                       /* controls follow the document, not a person */
  GArray    *assignments;                      /* of fields: what was chosen last */
};

enum { PROP_AMOUNT = 1, N_PROPS };

static GParamSpec *props[N_PROPS];

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiDisplaySettings, ui_display_settings, GTK_TYPE_WIDGET)

static void
emit_changed (UiDisplaySettings *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_array_set_size (self->assignments, 0);
}

static gboolean
is_active (GtkWidget *button)
{
  gboolean active;

  g_object_get (button, "active", &active, NULL);
  return active;
}

static void
option_cb (GtkWidget         *button,
           GParamSpec        *pspec,
           UiDisplaySettings *self)
{
  if (self->is_setting || !is_active (button))
    return;

  for (int i = 0; i < N_CHOICES; i++)
    for (int j = 0; j < MOST_OPTIONS; j++)
      if (self->options[i][j] == button)
        ui_assignments_add (self->assignments, choices[i].field, choices[i].options[j].value);
  emit_changed (self);
}

static void
flag_cb (GtkWidget         *button,
         GParamSpec        *pspec,
         UiDisplaySettings *self)
{
  if (self->is_setting)
    return;

  for (int i = 0; i < N_FLAGS; i++)
    if (self->checks[i] == button)
      ui_assignments_add (self->assignments, flags[i].field,
                          is_active (button) ? "true" : "false");
  emit_changed (self);
}

/* Two digits are as many as a hand on a slider has. */
static void
slider_cb (GtkRange          *range,
           UiDisplaySettings *self)
{
  char value[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->is_setting)
    return;

  for (int i = 0; i < N_SLIDERS; i++)
    if (self->scales[i] == GTK_WIDGET (range))
      ui_assignments_add (self->assignments, sliders[i].field,
                          g_ascii_formatd (value, sizeof value, "%.2g",
                                           sliders[i].get_value (gtk_range_get_value (range))));
  emit_changed (self);
}

static void
reset_cb (UiDisplaySettings *self)
{
  for (int i = 0; i < N_CHOICES; i++)
    ui_assignments_add (self->assignments, choices[i].field,
                        ui_fields_find (choices[i].field)->fallback);
  emit_changed (self);
}

static GtkWidget *
new_row_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* Radio buttons below each other where their labels are long, else a linked row of buttons. */
static void
build_choice (UiDisplaySettings *self,
              int                choice,
              int                row)
{
  gboolean is_list = choice == MEASURE;
  GtkOrientation orientation = is_list ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;
  GtkWidget *box = g_object_new (GTK_TYPE_BOX,
                                 "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP,
                                 "orientation", orientation,
                                 "homogeneous", !is_list,
                                 NULL);
  GtkWidget *label = new_row_label (choices[choice].label);

  gtk_accessible_update_property (GTK_ACCESSIBLE (box),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, choices[choice].label, -1);
  gtk_widget_set_valign (label, is_list ? GTK_ALIGN_START : GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (label, is_list ? MARGIN / 4 : 0);
  if (!is_list)
    gtk_widget_add_css_class (box, "linked");
  for (int i = 0; choices[choice].options[i].value != NULL; i++) {
    const Option *option = &choices[choice].options[i];
    GtkWidget *button = is_list ? gtk_check_button_new_with_label (option->label)
                                : gtk_toggle_button_new_with_label (option->label);

    self->options[choice][i] = button;
    g_object_set (button, "group", i > 0 ? self->options[choice][0] : NULL,
                  "tooltip-text", option->tooltip, NULL);
    g_signal_connect (button, "notify::active", G_CALLBACK (option_cb), self);
    gtk_box_append (GTK_BOX (box), button);
  }
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), box, 1, row, 2, 1);
}

static void
build_slider (UiDisplaySettings *self,
              int                slider,
              int                row)
{
  GtkWidget *label = new_row_label (sliders[slider].label);
  GtkWidget *scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, STEP);
  GtkWidget *number = gtk_label_new (NULL);

  gtk_range_set_increments (GTK_RANGE (scale), STEP, PAGE);
  gtk_range_set_round_digits (GTK_RANGE (scale), -1);
  gtk_widget_set_size_request (scale, SLIDER_WIDTH, -1);
  gtk_widget_set_hexpand (scale, TRUE);
  gtk_widget_set_tooltip_text (scale, sliders[slider].tooltip);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (scale),
                                  GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
  g_signal_connect (scale, "value-changed", G_CALLBACK (slider_cb), self);
  gtk_label_set_xalign (GTK_LABEL (number), 1);
  gtk_label_set_width_chars (GTK_LABEL (number), NUMBER_DIGITS);
  gtk_widget_add_css_class (number, "numeric");
  self->scales[slider] = scale;
  self->numbers[slider] = number;
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), scale, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), number, 2, row, 1, 1);
}

static void
build_flag (UiDisplaySettings *self,
            int                flag,
            int                row)
{
  self->checks[flag] = gtk_check_button_new_with_label (flags[flag].label);
  gtk_widget_set_tooltip_text (self->checks[flag], flags[flag].tooltip);
  g_signal_connect (self->checks[flag], "notify::active", G_CALLBACK (flag_cb), self);
  gtk_grid_attach (GTK_GRID (self->grid), self->checks[flag], 1, row, 2, 1);
}

static void
ui_display_settings_dispose (GObject *object)
{
  UiDisplaySettings *self = UI_DISPLAY_SETTINGS (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  g_clear_pointer (&self->assignments, g_array_unref);
  G_OBJECT_CLASS (ui_display_settings_parent_class)->dispose (object);
}

static void
build_reset (UiDisplaySettings *self,
             int                row)
{
  self->reset = gtk_button_new_with_label ("Plain Weights");
  gtk_widget_set_tooltip_text (self->reset, "Takes back what was chosen here");
  gtk_widget_set_margin_top (self->reset, MARGIN / 2);
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (reset_cb), self);
  gtk_grid_attach (GTK_GRID (self->grid), self->reset, 0, row, 3, 1);
}

static void
build_grid (UiDisplaySettings *self)
{
  int row = 0;

  self->grid = g_object_new (GTK_TYPE_GRID,
                             "column-spacing", MARGIN,
                             "row-spacing", MARGIN / 2,
                             NULL);
  for (int i = 0; i < N_CHOICES && !self->is_amount; i++)
    build_choice (self, i, row++);
  for (int i = 0; i < N_SLIDERS && self->is_amount; i++)
    build_slider (self, i, row++);
  for (int i = 0; i < N_FLAGS && self->is_amount; i++)
    build_flag (self, i, row++);
  if (!self->is_amount)
    build_reset (self, row);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
}

static void
ui_display_settings_set_property (GObject      *object,
                                  guint         prop,
                                  const GValue *value,
                                  GParamSpec   *pspec)
{
  UI_DISPLAY_SETTINGS (object)->is_amount = g_value_get_boolean (value);
}

static void
ui_display_settings_constructed (GObject *object)
{
  UiDisplaySettings *self = UI_DISPLAY_SETTINGS (object);
  g_autoptr (UiDocument) document = ui_document_new ();

  G_OBJECT_CLASS (ui_display_settings_parent_class)->constructed (object);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->is_amount ? "How much is drawn" : "What is drawn", -1);
  build_grid (self);
  ui_display_settings_set (self, document);
}

static void
ui_display_settings_class_init (UiDisplaySettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = ui_display_settings_set_property;
  object_class->constructed = ui_display_settings_constructed;
  object_class->dispose = ui_display_settings_dispose;
  props[PROP_AMOUNT] = g_param_spec_boolean ("amount", NULL, NULL, FALSE,
                                             G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY
                                             | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "displaysettings");
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", UI_TYPE_DISPLAY_SETTINGS, G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ui_display_settings_init (UiDisplaySettings *self)
{
  self->assignments = ui_assignments_new ();
}

GtkWidget *
ui_display_settings_new (gboolean is_amount)
{
  return g_object_new (UI_TYPE_DISPLAY_SETTINGS, "amount", is_amount, NULL);
}

static double
get_number (const UiDocument *document,
            int               slider)
{
  g_autofree char *text = ui_document_get (document, ui_fields_find (sliders[slider].field));

  return g_ascii_strtod (text, NULL);
}

static gboolean
is_same (const UiDocument *a,
         const UiDocument *b,
         const char       *field)
{
  g_autofree char *value_a = ui_document_get (a, ui_fields_find (field));
  g_autofree char *value_b = ui_document_get (b, ui_fields_find (field));

  return g_str_equal (value_a, value_b);
}

static gboolean
is_changed (const UiDocument *document)
{
  g_autoptr (UiDocument) plain = ui_document_new ();

  for (int i = 0; i < N_CHOICES; i++)
    if (!is_same (document, plain, choices[i].field))
      return TRUE;

  return FALSE;
}

static void
set_slider (UiDisplaySettings *self,
            int                slider,
            double             value)
{
  GtkRange *range = GTK_RANGE (self->scales[slider]);
  g_autofree char *number = sliders[slider].describe (value);
  char now[G_ASCII_DTOSTR_BUF_SIZE];

  /* The thumb stays under the hand that moved it, though the value was rounded. */
  g_ascii_formatd (now, sizeof now, "%.2g",
                   sliders[slider].get_value (gtk_range_get_value (range)));
  if (fabs (g_ascii_strtod (now, NULL) - value) > 1e-9)
    gtk_range_set_value (range, sliders[slider].get_place (value));
  gtk_label_set_text (GTK_LABEL (self->numbers[slider]), number);
  gtk_accessible_update_property (GTK_ACCESSIBLE (range), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  number, -1);
}

static void
set_choices (UiDisplaySettings *self,
             const UiDocument  *document)
{
  for (int i = 0; i < N_CHOICES; i++) {
    g_autofree char *value = ui_document_get (document, ui_fields_find (choices[i].field));

    for (int j = 0; choices[i].options[j].value != NULL; j++)
      if (g_str_equal (value, choices[i].options[j].value))
        g_object_set (self->options[i][j], "active", TRUE, NULL);
  }
  gtk_widget_set_sensitive (self->reset, is_changed (document));
}

static void
set_amount (UiDisplaySettings *self,
            const UiDocument  *document)
{
  for (int i = 0; i < N_SLIDERS; i++)
    set_slider (self, i, get_number (document, i));
  for (int i = 0; i < N_FLAGS; i++) {
    g_autofree char *value = ui_document_get (document, ui_fields_find (flags[i].field));

    g_object_set (self->checks[i], "active", g_str_equal (value, "true"), NULL);
  }
}

void
ui_display_settings_set (UiDisplaySettings *self,
                         const UiDocument  *document)
{
  g_return_if_fail (UI_IS_DISPLAY_SETTINGS (self));

  self->is_setting = TRUE;
  if (self->is_amount)
    set_amount (self, document);
  else
    set_choices (self, document);
  self->is_setting = FALSE;
}

static void
set_reason (GtkWidget  *control,
            const char *reason,
            const char *tooltip)
{
  if (control == NULL)
    return;
  gtk_widget_set_sensitive (control, reason == NULL);
  ui_quiet_set_tooltip (control, reason != NULL ? reason : tooltip);
}

void
ui_display_settings_set_reason (UiDisplaySettings *self,
                                const char        *field,
                                const char        *value,
                                const char        *reason)
{
  g_return_if_fail (UI_IS_DISPLAY_SETTINGS (self));

  for (int i = 0; i < N_CHOICES; i++) {
    for (int j = 0; choices[i].options[j].value != NULL; j++) {
      const Option *option = &choices[i].options[j];

      if (g_str_equal (choices[i].field, field)
          && (value == NULL || g_str_equal (value, option->value)))
        set_reason (self->options[i][j], reason, option->tooltip);
    }
  }
  for (int i = 0; i < N_SLIDERS; i++)
    if (g_str_equal (sliders[i].field, field))
      set_reason (self->scales[i], reason, sliders[i].tooltip);
  for (int i = 0; i < N_FLAGS; i++)
    if (g_str_equal (flags[i].field, field))
      set_reason (self->checks[i], reason, flags[i].tooltip);
}

void
ui_display_settings_apply (UiDisplaySettings *self,
                           UiDocument        *document)
{
  g_return_if_fail (UI_IS_DISPLAY_SETTINGS (self));

  ui_assignments_apply (self->assignments, document);
}

char *
ui_display_settings_describe (const UiDocument *document)
{
  g_autofree char *aggregate = ui_document_get (document, ui_fields_find ("aggregate"));
  g_autofree char *of_layers = ui_document_get (document, ui_fields_find ("layers"));
  GString *label = g_string_new (ui_describe_measure_name (document->measure));

  if (document->aggregate != UI_AGGREGATE_EACH && document->measure != ENG_MEASURE_ROLLOUT)
    g_string_append_printf (label, " · %s", aggregate);
  if (document->layers != UI_AGGREGATE_EACH && document->measure != ENG_MEASURE_ROLLOUT)
    g_string_append_printf (label, " · %s of layers", of_layers);
  return g_string_free (label, FALSE);
}
