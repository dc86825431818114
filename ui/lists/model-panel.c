/* SPDX-License-Identifier: MIT */
#include "ui/lists/model-panel.h"

#include <string.h>

#include "ui/controls/words.h"
#include "ui/document/amount.h"

#define MAX_ROWS 16

struct _UiModelPanel {
  GtkWidget  parent_instance;

  GtkWidget *grid;
  GtkWidget *names[MAX_ROWS];
  GtkWidget *values[MAX_ROWS];
  int        n_rows;           /* in use */
};

G_DEFINE_FINAL_TYPE (UiModelPanel, ui_model_panel, GTK_TYPE_WIDGET)

/* A row of name and value; takes the value. Labels are kept from one model to the next: one of
 * them may have the focus. */
static void
add_row (UiModelPanel *self,
         const char   *name,
         char         *value)
{
  const int row = self->n_rows++;

  g_assert (row < MAX_ROWS);
  gtk_label_set_text (GTK_LABEL (self->names[row]), name);
  gtk_label_set_text (GTK_LABEL (self->values[row]), value);
  g_free (value);
}

/* A row where there is something to say. */
static void
add_said (UiModelPanel *self,
          const char   *name,
          const char   *value)
{
  if (value != NULL)
    add_row (self, name, g_strdup (value));
}

static void
begin (UiModelPanel *self)
{
  self->n_rows = 0;
}

static void
end (UiModelPanel *self)
{
  for (int row = 0; row < MAX_ROWS; row++) {
    gtk_widget_set_visible (self->names[row], row < self->n_rows);
    gtk_widget_set_visible (self->values[row], row < self->n_rows);
  }
}

static char *
describe_tasks (guint tasks)
{
  GString *text = g_string_new (NULL);

  for (int task = 0; task < ENG_N_TASKS; task++)
    if ((tasks & (1u << task)) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", eng_task_get_name (task));

  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (text, FALSE);
}

/* What heads the file has that are of no use, a line each; NULL = none. */
static char *
describe_left_out (const EngModelInfo *info)
{
  GString *text = g_string_new (NULL);

  for (int task = 0; task < ENG_N_TASKS; task++)
    if (info->left_out[task] != NULL)
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "",
                              eng_task_get_name (task), info->left_out[task]);

  return g_string_free (text, text->len == 0);
}

static char *
describe_layers (const EngModelInfo *info)
{
  return g_strdup_printf ("%d layers × %d heads of %d dimensions",
                          info->n_layers, info->n_heads, info->head_size);
}

static char *
describe_positions (const EngModelInfo *info)
{
  if (info->max_positions == 0)
    return g_strdup ("any number of tokens");

  return g_strdup_printf (info->strict_positions ? "%d tokens at most" : "made for %d tokens",
                          info->max_positions);
}

static char *
describe_file (const EngModelInfo *info,
               int                 seed)
{
  g_autofree char *megabytes = NULL;

  if (info->untrained)
    return g_strdup_printf ("untrained: random numbers, seed %d", seed);

  megabytes = ui_words_number ("%.1f", info->weights_bytes / 1e6);
  return g_strdup_printf ("%s, %s%s, %s MB", info->weights_file, info->stored_type,
                          info->quantised ? " quantised" : "", megabytes);
}

static void
ui_model_panel_dispose (GObject *object)
{
  UiModelPanel *self = UI_MODEL_PANEL (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_model_panel_parent_class)->dispose (object);
}

static void
ui_model_panel_class_init (UiModelPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_model_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
  gtk_widget_class_set_css_name (widget_class, "modelpanel");
}

static void
build_row (UiModelPanel *self,
           int           row)
{
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *value = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 1);
  gtk_widget_set_valign (name, GTK_ALIGN_START);
  gtk_widget_add_css_class (name, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (value), 44);
  gtk_widget_add_css_class (value, "numeric");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (value),
                                  GTK_ACCESSIBLE_RELATION_LABELLED_BY, name, NULL,
                                  -1);

  gtk_grid_attach (GTK_GRID (self->grid), name, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), value, 1, row, 1, 1);
  self->names[row] = name;
  self->values[row] = value;
}

static void
ui_model_panel_init (UiModelPanel *self)
{
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 14);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 6);
  for (int row = 0; row < MAX_ROWS; row++)
    build_row (self, row);
  end (self);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Model",
                                  -1);
}

GtkWidget *
ui_model_panel_new (void)
{
  return g_object_new (UI_TYPE_MODEL_PANEL, NULL);
}

void
ui_model_panel_set_model (UiModelPanel       *self,
                          const UiModelFacts *facts)
{
  const EngModelInfo *info = facts->info;
  char *left_out;

  g_return_if_fail (UI_IS_MODEL_PANEL (self));

  begin (self);
  add_row (self, "Name", g_strdup (info->name));
  add_row (self, "Family", g_strdup (info->family));
  add_row (self, info->n_decoder_layers > 0 ? "Encoder" : "Attention", describe_layers (info));
  if (info->n_decoder_layers > 0)
    add_row (self, "Decoder", g_strdup_printf ("%d layers × %d heads",
                                               info->n_decoder_layers, info->n_decoder_heads));
  add_said (self, "Local", facts->local);
  add_said (self, "Shared", facts->shared);
  add_row (self, "Hidden size", g_strdup_printf ("%d, feed-forward %d",
                                                 info->hidden_size, info->intermediate_size));
  add_row (self, "Positions", describe_positions (info));
  add_row (self, "Parameters", ui_amount_count (info->n_parameters));
  add_row (self, "Vocabulary", ui_amount_count (info->vocab_size));
  add_row (self, "Tokenizer",
           g_strdup (facts->tokenizer != NULL ? facts->tokenizer : "none, texts are token ids"));
  if (facts->has_chat_template)
    add_row (self, "Chat template", g_strdup ("not applied, texts are read as they are typed"));
  add_row (self, "Task heads", describe_tasks (info->tasks));
  left_out = describe_left_out (info);
  if (left_out != NULL)
    add_row (self, "Left out", left_out);
  add_row (self, "Weights", describe_file (info, facts->seed));
  add_row (self, "Folder", g_strdup (info->folder));
  end (self);
}

/* "encoder: 6 layers × 12 heads, 15 tokens" for each kind that the trace has. */
static void
add_kinds (UiModelPanel *self,
           EngTrace     *trace)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    if (eng_trace_has_kind (trace, kind))
      add_row (self, eng_kind_get_name (kind),
               g_strdup_printf ("%d layers × %d heads, %d queries × %d keys",
                                eng_trace_get_n_layers (trace, kind),
                                eng_trace_get_n_heads (trace, kind),
                                eng_trace_get_n_queries (trace, kind),
                                eng_trace_get_n_keys (trace, kind)));
}

static const char *
or_unknown (const char *text)
{
  return text != NULL ? text : "not said in the file";
}

void
ui_model_panel_set_trace (UiModelPanel *self,
                          EngTrace     *trace,
                          const char   *path)
{
  g_return_if_fail (UI_IS_MODEL_PANEL (self));

  begin (self);
  add_row (self, "Trace of", g_strdup (or_unknown (eng_trace_get_model_name (trace))));
  add_row (self, "Family", g_strdup (or_unknown (eng_trace_get_family (trace))));
  add_kinds (self, trace);
  add_row (self, "File", g_strdup (path));
  end (self);
}
