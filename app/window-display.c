/* SPDX-License-Identifier: MIT */
/* What is drawn of attention: the popover of the window, and what of it the trace has. */
#include "app/window-private.h"

#include "app/shortcuts.h"

static gboolean
has_special_tokens (const EngTokens *tokens)
{
  for (int i = 0; i < tokens->n; i++)
    if (tokens->special[i])
      return TRUE;

  return FALSE;
}

/* Whether every layer that the document is about has the measure's numbers. */
static gboolean
has_measure (EngTrace         *trace,
             const UiDocument *fitted,
             EngMeasure        measure)
{
  if (fitted->layer < 0)
    return measure == ENG_MEASURE_WEIGHT;
  if (measure == ENG_MEASURE_ROLLOUT || fitted->layers == UI_AGGREGATE_EACH)
    return eng_measures_has (trace, fitted->kind, fitted->layer, measure);

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, fitted->kind); layer++)
    if (eng_trace_has_layer (trace, fitted->kind, layer)
        && !eng_measures_has (trace, fitted->kind, layer, measure))
      return FALSE;

  return TRUE;
}

/* Why a measure cannot be shown; NULL = it can. */
static const char *
get_measure_reason (AppWindow  *self,
                    EngMeasure  measure)
{
  if (self->shown == NULL || has_measure (self->trace, self->shown, measure))
    return NULL;

  switch (measure) {
  case ENG_MEASURE_VALUE_NORM:
    return "The trace holds no values of this layer";
  case ENG_MEASURE_OUTPUT_NORM:
    return "The trace holds no values behind the output projection of this layer";
  case ENG_MEASURE_ROLLOUT:
    return self->shown->kind == ENG_KIND_CROSS
           ? "The tokens that cross attention reads are not those that its next layer gets"
           : "A rollout needs every layer up to this one, and each token on both sides";
  case ENG_MEASURE_WEIGHT:
  default:
    return NULL;
  }
}

/* Why heads or layers cannot be put together. */
static const char *
get_aggregate_reason (const UiDocument *document)
{
  if (document->view == UI_VIEW_NEURON)
    return "The neuron view shows one head of one layer";
  if (document->view == UI_VIEW_MODEL)
    return "Every cell of the model view is one head of one layer";
  if (document->measure == ENG_MEASURE_ROLLOUT)
    return "A rollout goes over all heads and layers itself";

  return NULL;
}

static const char *
get_special_reason (AppWindow *self)
{
  /* What is shown may still be another trace's, of a kind that this one has not. */
  if (self->shown == NULL || !eng_trace_has_kind (self->trace, self->shown->kind)
      || has_special_tokens (eng_trace_get_query_tokens (self->trace, self->shown->kind))
      || has_special_tokens (eng_trace_get_key_tokens (self->trace, self->shown->kind)))
    return NULL;

  return "No token here was added by a template";
}

static void
sync_reasons (AppWindow *self)
{
  const UiDocument *document = self->shown != NULL ? self->shown : self->document;
  UiDisplaySettings *settings = self->display_settings;
  const UiField *measure = ui_fields_find ("measure");
  const char *whole = document->view == UI_VIEW_NEURON ? "The neuron view shows all of a head"
                                                       : NULL;
  const char *special = whole != NULL ? whole : get_special_reason (self);
  const char *rows = whole;

  if (rows == NULL && document->filter == UI_FILTER_ALL && !document->hide_special)
    rows = "Whole rows have nothing to be brought back to 1";
  for (int i = 0; i < ENG_N_MEASURES; i++)
    ui_display_settings_set_reason (settings, "measure", measure->choices[i],
                                    get_measure_reason (self, (EngMeasure) i));
  ui_display_settings_set_reason (settings, "aggregate", NULL, get_aggregate_reason (document));
  ui_display_settings_set_reason (settings, "layers", NULL, get_aggregate_reason (document));
  ui_display_settings_set_reason (settings, "mass", NULL, whole);
  ui_display_settings_set_reason (settings, "hide-special", NULL, special);
  ui_display_settings_set_reason (settings, "words", NULL, whole);
  ui_display_settings_set_reason (settings, "renormalise", NULL, rows);
}

static void
settings_changed_cb (AppWindow *self)
{
  UiDocument *document = ui_document_copy (self->document);

  ui_display_settings_apply (self->display_settings, document);
  app_window_change (self, document);
}

static void
show_display (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  gtk_menu_button_popup (APP_WINDOW (data)->display_button);
}

/* A choice of numbers that the trace has not is put aside like any other. */
void
app_window_fit_display (UiDocument *fitted,
                        EngTrace   *trace)
{
  if (!has_measure (trace, fitted, fitted->measure))
    fitted->measure = ENG_MEASURE_WEIGHT;
  if (!has_special_tokens (eng_trace_get_query_tokens (trace, fitted->kind))
      && !has_special_tokens (eng_trace_get_key_tokens (trace, fitted->kind)))
    fitted->hide_special = FALSE;
  /* Whole rows have nothing to be brought back to 1. */
  if (fitted->filter == UI_FILTER_ALL && !fitted->hide_special)
    fitted->renormalise = FALSE;
}

gboolean
app_window_check_measure (AppWindow  *self,
                          EngMeasure  measure)
{
  const char *reason = get_measure_reason (self, measure);

  if (reason != NULL)
    app_window_toast (self, reason);

  return reason == NULL;
}

void
app_window_add_display (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "display", show_display },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->display_settings, "changed", G_CALLBACK (settings_changed_cb),
                            self);
  app_shortcuts_explain_as (GTK_WIDGET (self->display_button), "win.display");
}

void
app_window_sync_display (AppWindow *self)
{
  const UiDocument *document = self->shown != NULL ? self->shown : self->document;
  g_autofree char *label = ui_display_settings_get_label (document);

  gtk_menu_button_set_label (self->display_button, label);
  ui_display_settings_set (self->display_settings, document);
  sync_reasons (self);
}
