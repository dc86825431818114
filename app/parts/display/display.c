/* SPDX-License-Identifier: MIT */
/* What is drawn of attention: what is measured, in a popover of its own, how much of it, in that of
 * what is shown; and what of both the trace has. */
#include "app/parts/display/display.h"

#include "app/desk/shortcuts.h"
#include "ui/controls/display-settings.h"
#include "ui/controls/state-label.h"
#include "ui/document/fit.h"

struct _AppDisplayPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkMenuButton     *display_button;
  UiStateLabel      *label;
  UiDisplaySettings *display_settings;
  UiDisplaySettings *amount_settings;
};

G_DEFINE_FINAL_TYPE (AppDisplayPart, app_display_part, APP_TYPE_PART)

/* Why a measure cannot be shown; NULL = it can. */
static const char *
get_measure_reason (AppDisplayPart *self,
                    EngMeasure      measure)
{
  if (app_picture_get_shown (self->picture) == NULL
      || ui_fit_has_measure (app_picture_get_shown (self->picture),
                             app_study_get_trace (self->study), measure))
    return NULL;

  switch (measure) {
  case ENG_MEASURE_VALUE_NORM:
    return "The trace holds no values of this layer";
  case ENG_MEASURE_OUTPUT_NORM:
    return "The trace holds no values behind the output projection of this layer";
  case ENG_MEASURE_ROLLOUT:
    return app_picture_get_shown (self->picture)->kind == ENG_KIND_CROSS
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
  const UiView *view = ui_view_get (document->view);

  if (view->no_aggregate != NULL)
    return view->no_aggregate;
  if (document->measure == ENG_MEASURE_ROLLOUT)
    return "A rollout goes over all heads and layers itself";

  return NULL;
}

static const char *
get_special_reason (AppDisplayPart *self)
{
  /* What is shown may still be another trace's, of a kind that this one has not. */
  if (app_picture_get_shown (self->picture) == NULL
      || !eng_trace_has_kind (app_study_get_trace (self->study),
                              app_picture_get_shown (self->picture)->kind)
      || ui_fit_has_special (app_study_get_trace (self->study),
                             app_picture_get_shown (self->picture)->kind))
    return NULL;

  return "No token here was added by a template";
}

static void
sync_reasons (AppDisplayPart *self)
{
  const UiDocument *document = app_picture_get_shown (self->picture) != NULL
                                 ? app_picture_get_shown (self->picture)
                                 : app_study_get_document (self->study);
  UiDisplaySettings *settings = self->display_settings;
  UiDisplaySettings *amount = self->amount_settings;
  const UiField *measure = ui_fields_find ("measure");
  const char *whole = ui_view_get (document->view)->no_selection;
  const char *special = whole != NULL ? whole : get_special_reason (self);
  const char *rows = whole;

  if (rows == NULL && document->filter == UI_FILTER_ALL && !document->hide_special)
    rows = "Whole rows have nothing to be brought back to 1";
  for (int i = 0; i < ENG_N_MEASURES; i++)
    ui_display_settings_set_reason (settings, "measure", measure->choices[i],
                                    get_measure_reason (self, (EngMeasure) i));
  ui_display_settings_set_reason (settings, "aggregate", NULL, get_aggregate_reason (document));
  ui_display_settings_set_reason (settings, "layers", NULL, get_aggregate_reason (document));
  ui_display_settings_set_reason (amount, "mass", NULL, whole);
  ui_display_settings_set_reason (amount, "hide-special", NULL, special);
  ui_display_settings_set_reason (amount, "words", NULL, whole);
  ui_display_settings_set_reason (amount, "renormalise", NULL, rows);
}

static void
settings_changed_cb (AppDisplayPart    *self,
                     UiDisplaySettings *settings)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_display_settings_apply (settings, document);
  app_study_change (self->study, document);
}

static void
show_display (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  gtk_menu_button_popup (APP_DISPLAY_PART (data)->display_button);
}

/* A measure that the trace has not is said, not chosen. */
static void
change_measure (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  AppDisplayPart *self = data;
  const UiField *field = ui_fields_find ("measure");
  const char *name = g_variant_get_string (value, NULL);
  const char *reason;

  for (int i = 0; field->choices[i] != NULL; i++) {
    if (!g_str_equal (field->choices[i], name))
      continue;
    reason = get_measure_reason (self, (EngMeasure) i);
    if (reason != NULL) {
      app_desk_toast (self->desk, reason);
    } else {
      UiDocument *document = ui_document_copy (app_study_get_document (self->study));

      document->measure = (EngMeasure) i;
      app_study_change (self->study, document);
    }
  }
}

static void
add_actions (AppDisplayPart *self)
{
  static const GActionEntry entries[] = {
    { "display", show_display },
    { "measure", NULL, "s", "''", change_measure },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->display_settings, "changed", G_CALLBACK (settings_changed_cb),
                            self);
  g_signal_connect_swapped (self->amount_settings, "changed", G_CALLBACK (settings_changed_cb),
                            self);
  app_shortcuts_explain_as (GTK_WIDGET (self->display_button), "win.display");
}

static void
sync_settings (AppPart *part)
{
  AppDisplayPart *self = APP_DISPLAY_PART (part);
  const UiDocument *document = app_picture_get_shown (self->picture) != NULL
                                 ? app_picture_get_shown (self->picture)
                                 : app_study_get_document (self->study);
  g_autofree char *state = ui_display_settings_describe (document);
  g_autofree char *measure = ui_document_get (document, ui_fields_find ("measure"));

  ui_state_label_set_state (self->label, state);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->display_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ui_state_label_get_text (self->label), -1);
  app_desk_set_state (self->desk, "measure", g_variant_new_string (measure));
  ui_display_settings_set (self->display_settings, document);
  ui_display_settings_set (self->amount_settings, document);
  sync_reasons (self);
}

static void
begin (AppPart *part)
{
  AppDisplayPart *self = APP_DISPLAY_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "display");
  app_part_place (self, "display_button", "toolbar_display");
  app_part_place (self, "amount_settings", "show_fields");
  self->display_button = app_part_get_object (self, "display_button");
  self->label = app_part_get_object (self, "display_label");
  self->display_settings = app_part_get_object (self, "display_settings");
  self->amount_settings = app_part_get_object (self, "amount_settings");
  add_actions (self);
}

static void
app_display_part_class_init (AppDisplayPartClass *klass)
{
  g_type_ensure (UI_TYPE_DISPLAY_SETTINGS);
  g_type_ensure (UI_TYPE_STATE_LABEL);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_settings;
}

static void
app_display_part_init (AppDisplayPart *self)
{
}
