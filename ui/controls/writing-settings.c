/* SPDX-License-Identifier: MIT */
#include "ui/controls/writing-settings.h"

#include "ui/controls/number-row.h"
#include "ui/document/assignments.h"

#define MARGIN       12
#define LARGEST_SEED 999999999
/* What a spin button still steps through; the fields take more. */
#define LARGEST_TEXT 4096
#define LARGEST_K    100000
/* Of a person who wants a search where the model has none of its own. */
#define N_BEAMS      4
#define DEFAULT_NEW_TOKENS 20

typedef enum { METHOD_LIKELIEST, METHOD_SEARCH, METHOD_DRAW, N_METHODS } Method;

/* The numbers, in the order of the rows. */
enum { MAX_NEW_TOKENS, BEAMS, TEMPERATURE, TOP_K, TOP_P, SEED, N_NUMBERS };

typedef struct {
  UiNumberSpec spec;
  Method       method;   /* for which it counts; N_METHODS = for all */
} Number;

static const Number numbers[N_NUMBERS] = {
  { { "max-new-tokens", "New tokens at most", "The text ends there if the model has not ended it", 1,
      LARGEST_TEXT, 1 }, N_METHODS },
  { { "beams", "Beams", "Texts that are followed side by side", 2, ENG_MAX_BEAMS, 1 },
    METHOD_SEARCH },
  { { "temperature", "Temperature", "Below 1 probabilities are sharper, above it flatter", 0.01, 10,
      0.1, 2 }, METHOD_DRAW },
  { { "top-k", "Top k", "Draws from so many of the likeliest tokens; 0 for all", 0, LARGEST_K, 1 },
    METHOD_DRAW },
  { { "top-p", "Top p", "Draws from the likeliest tokens that together have this probability", 0, 1,
      0.05, 2 }, METHOD_DRAW },
  { { "seed", "Seed", "The same seed draws the same text", 0, LARGEST_SEED, 1 }, METHOD_DRAW },
};

struct _UiWritingSettings {
  GtkWidget  parent_instance;

  GtkWidget *box;
  GtkWidget *methods[N_METHODS]; /* GtkToggleButton */
  GtkWidget *rows[N_NUMBERS];    /* UiNumberRow */
  GtkWidget *reset;
  gboolean   is_setting;         /* the controls follow the settings, not a person */
  GArray    *assignments;        /* of fields: what was chosen last */
};

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiWritingSettings, ui_writing_settings, GTK_TYPE_WIDGET)

static void
emit_changed (UiWritingSettings *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_array_set_size (self->assignments, 0);
}

/* Drawing is meant by any of its fields, so a method that draws nothing has none of them. */
static void
choose_method (UiWritingSettings *self,
               Method             method)
{
  g_autofree char *beams = g_strdup_printf ("%d", method == METHOD_SEARCH ? N_BEAMS : 1);

  for (int i = 0; i < N_NUMBERS; i++)
    if (numbers[i].method == METHOD_DRAW)
      ui_assignments_add (self->assignments, numbers[i].spec.field, "");
  ui_assignments_add (self->assignments, "beams", beams);
  if (method == METHOD_DRAW)
    ui_assignments_add (self->assignments, "seed", "0");
  emit_changed (self);
}

static void
method_cb (GtkToggleButton   *button,
           GParamSpec        *pspec,
           UiWritingSettings *self)
{
  if (self->is_setting || !gtk_toggle_button_get_active (button))
    return;

  for (int i = 0; i < N_METHODS; i++)
    if (self->methods[i] == GTK_WIDGET (button))
      choose_method (self, (Method) i);
}

static void
number_cb (UiNumberRow       *row,
           UiWritingSettings *self)
{
  g_autofree char *text = ui_number_row_dup_text (row);

  ui_assignments_add (self->assignments, ui_number_row_get_field (row), text);
  emit_changed (self);
}

static void
reset_cb (UiWritingSettings *self)
{
  for (int i = 0; i < N_NUMBERS; i++)
    ui_assignments_add (self->assignments, numbers[i].spec.field, "");
  emit_changed (self);
}

static GtkWidget *
build_methods (UiWritingSettings *self)
{
  static const char *const labels[N_METHODS] = { "Likeliest", "Search", "Draw" };
  static const char *const tooltips[N_METHODS] = {
    "Takes the likeliest token each time (greedy)",
    "Follows several texts and keeps the likeliest as a whole (beam search)",
    "Draws each token by its probability (sampling)",
  };
  GtkWidget *box = g_object_new (GTK_TYPE_BOX,
                                 "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP,
                                 "homogeneous", TRUE,
                                 "css-classes", (const char *[]) { "linked", NULL },
                                 NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (box),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "How tokens are chosen", -1);
  for (int i = 0; i < N_METHODS; i++) {
    self->methods[i] = gtk_toggle_button_new_with_label (labels[i]);
    gtk_widget_set_tooltip_text (self->methods[i], tooltips[i]);
    if (i > 0)
      gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->methods[i]),
                                   GTK_TOGGLE_BUTTON (self->methods[0]));
    g_signal_connect (self->methods[i], "notify::active", G_CALLBACK (method_cb), self);
    gtk_box_append (GTK_BOX (box), self->methods[i]);
  }

  return box;
}

static void
ui_writing_settings_dispose (GObject *object)
{
  UiWritingSettings *self = UI_WRITING_SETTINGS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->assignments, g_array_unref);
  G_OBJECT_CLASS (ui_writing_settings_parent_class)->dispose (object);
}

static void
ui_writing_settings_class_init (UiWritingSettingsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_writing_settings_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "writingsettings");
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", UI_TYPE_WRITING_SETTINGS, G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ui_writing_settings_init (UiWritingSettings *self)
{
  g_autoptr (GtkSizeGroup) values = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);

  self->assignments = ui_assignments_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN / 2);
  gtk_widget_set_margin_start (self->box, MARGIN);
  gtk_widget_set_margin_end (self->box, MARGIN);
  gtk_widget_set_margin_top (self->box, MARGIN);
  gtk_widget_set_margin_bottom (self->box, MARGIN);
  gtk_box_append (GTK_BOX (self->box), build_methods (self));
  for (int i = 0; i < N_NUMBERS; i++) {
    self->rows[i] = ui_number_row_new (&numbers[i].spec, values);
    g_signal_connect (self->rows[i], "changed", G_CALLBACK (number_cb), self);
    gtk_box_append (GTK_BOX (self->box), self->rows[i]);
  }

  self->reset = gtk_button_new_with_label ("As the Model Says");
  gtk_widget_set_tooltip_text (self->reset, "Takes back what was chosen here");
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (reset_cb), self);
  gtk_box_append (GTK_BOX (self->box), self->reset);

  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "How the model writes", -1);
}

GtkWidget *
ui_writing_settings_new (void)
{
  return g_object_new (UI_TYPE_WRITING_SETTINGS, NULL);
}

static gboolean
is_changed (const UiDocument *document)
{
  for (int i = 0; i < N_NUMBERS; i++) {
    g_autofree char *value = ui_document_get (document, ui_fields_find (numbers[i].spec.field));

    if (value[0] != '\0')
      return TRUE;
  }

  return FALSE;
}

void
ui_writing_settings_set (UiWritingSettings   *self,
                         const UiDocument    *document,
                         const EngGeneration *settings,
                         guint64              seed)
{
  const double values[N_NUMBERS] = {
    settings->max_new_tokens > 0 ? settings->max_new_tokens
    : settings->max_length > 0   ? settings->max_length
                                 : DEFAULT_NEW_TOKENS,
    settings->n_beams, settings->temperature, settings->top_k, settings->top_p, (double) seed
  };
  Method method = settings->sample        ? METHOD_DRAW
                  : settings->n_beams > 1 ? METHOD_SEARCH
                                          : METHOD_LIKELIEST;

  g_return_if_fail (UI_IS_WRITING_SETTINGS (self));

  self->is_setting = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->methods[method]), TRUE);
  for (int i = 0; i < N_NUMBERS; i++) {
    ui_number_row_set (UI_NUMBER_ROW (self->rows[i]), values[i], FALSE, TRUE);
    gtk_widget_set_visible (self->rows[i],
                            numbers[i].method == N_METHODS || numbers[i].method == method);
  }
  gtk_widget_set_sensitive (self->reset, is_changed (document));
  self->is_setting = FALSE;
}

void
ui_writing_settings_apply (UiWritingSettings *self,
                           UiDocument        *document)
{
  g_return_if_fail (UI_IS_WRITING_SETTINGS (self));

  ui_assignments_apply (self->assignments, document);
}
