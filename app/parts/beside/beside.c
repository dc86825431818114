/* SPDX-License-Identifier: MIT */
#include "app/parts/beside/beside-private.h"

#include "ui/controls/what-if.h"
#include "ui/scene/steps/steps-facts.h"

G_DEFINE_FINAL_TYPE (AppBesidePart, app_beside_part, APP_TYPE_PART)

/* The token whose steps are on show; -1 = no steps are, those of a trace file, which has no vectors
 * beside them, or the study was closed before the window went. */
static int
get_token (AppBesidePart *self,
           EngKind       *kind)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  return scene != NULL && app_study_get_document (self->study) != NULL
         && ui_steps_has_weights (scene)
         ? ui_steps_get_token (scene, kind) : -1;
}

/* For who reads on while something else is computed; what is in sight is found at once. */
static void
work (AppPart *part)
{
  AppBesidePart *self = APP_BESIDE_PART (part);
  EngKind kind;
  const int token = get_token (self, &kind);
  EngTrace *trace = app_study_get_trace (self->study);

  if (self->beside == NULL)
    return;
  if (token < 0 || !app_picture_is_settled (self->picture) || !app_desk_reveals_side (self->desk)
      || !app_desk_shows_side (self->desk, "inspector"))
    app_beside_cancel (self->beside);
  else if (ui_scene_get_trace (app_picture_get_scene (self->picture)) == trace
           && app_study_is_complete (self->study))
    app_beside_ask (self->beside, trace, app_study_get_answered (self->study), kind, token);
}

static void
sync_part (AppPart *part)
{
  AppBesidePart *self = APP_BESIDE_PART (part);
  EngKind kind;
  const gboolean is_shown = self->beside != NULL && get_token (self, &kind) >= 0
                            && (app_beside_get_path (self->beside, NULL) != NULL
                                || app_beside_get_contexts (self->beside, NULL) != NULL);

  gtk_widget_set_visible (self->box, is_shown);
  if (is_shown)
    gtk_widget_set_visible (self->what_if,
                            ui_what_if_is_on (app_study_get_document (self->study)));
}

/* What a person typed stays to be typed otherwise where the word is not in it. */
static void
take_added (AppBesidePart *self)
{
  GPtrArray *contexts = app_beside_get_contexts (self->beside, NULL);

  if (self->added == NULL || contexts == NULL || !app_beside_is_current (self->beside))
    return;

  g_autofree char *added = g_steal_pointer (&self->added);

  for (guint i = 0; i < contexts->len; i++) {
    const AppContext *context = contexts->pdata[i];

    if (context->problem == NULL || !g_str_equal (context->text, added))
      continue;
    ui_context_list_say (self->contexts, context->problem);
    app_beside_remove_sentence (self->beside, added);
    return;
  }
  ui_context_list_clear_entry (self->contexts);
}

static void
found_cb (gpointer data)
{
  AppBesidePart *self = data;

  app_beside_part_fill (self);
  take_added (self);
  sync_part (APP_PART (self));
}

static void
added_cb (AppBesidePart *self,
          const char    *text)
{
  g_free (self->added);
  self->added = g_strdup (text);
  app_beside_add_sentence (self->beside, text);
}

static void
removed_cb (AppBesidePart *self,
            const char    *text)
{
  app_beside_remove_sentence (self->beside, text);
}

static void
curve_aimed_cb (AppBesidePart *self)
{
  ui_context_list_set_aim (self->contexts, ui_layer_curve_get_aim (self->cosines));
}

static void
row_aimed_cb (AppBesidePart *self)
{
  ui_layer_curve_set_aim (self->cosines, ui_context_list_get_aim (self->contexts));
}

static void
save_cb (AppBesidePart *self)
{
  app_desk_save_csv (self->desk, app_desk_get_window (self->desk), app_beside_to_csv (self->beside),
                     "vector.csv");
}

static void
take_widgets (AppBesidePart *self)
{
  app_part_load_ui (self, "beside");
  self->box = app_part_get_object (self, "beside");
  self->what_if = app_part_get_object (self, "beside_what_if");
  self->word = app_part_get_object (self, "beside_word");
  self->cosines = app_part_get_object (self, "beside_cosines");
  self->contexts = app_part_get_object (self, "beside_contexts");
  self->curve = app_part_get_object (self, "beside_curve");
  self->norms = app_part_get_object (self, "beside_norms");
  self->other_title = app_part_get_object (self, "beside_other_title");
  self->other = app_part_get_object (self, "beside_other");
  self->answer = app_part_get_object (self, "beside_answer");
  self->answers = app_part_get_object (self, "beside_answers");
  ui_inspector_add_beside (app_desk_get_inspector (self->desk), self->box);
}

static void
begin (AppPart *part)
{
  AppBesidePart *self = APP_BESIDE_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->beside = app_beside_new (found_cb, self);
  take_widgets (self);
  g_signal_connect_object (self->desk, "side-revealed", G_CALLBACK (work), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "side-changed", G_CALLBACK (work), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->contexts, "sentence-added", G_CALLBACK (added_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->contexts, "sentence-removed", G_CALLBACK (removed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->contexts, "aimed", G_CALLBACK (row_aimed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->cosines, "aimed", G_CALLBACK (curve_aimed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app_part_get_object (self, "beside_save"), "clicked",
                           G_CALLBACK (save_cb), self, G_CONNECT_SWAPPED);
}

static void
theme (AppPart *part)
{
  if (APP_BESIDE_PART (part)->beside != NULL)
    app_beside_part_fill (APP_BESIDE_PART (part));
}

static void
end (AppPart *part)
{
  AppBesidePart *self = APP_BESIDE_PART (part);

  g_clear_pointer (&self->beside, app_beside_free);
  g_clear_pointer (&self->added, g_free);
}

static void
app_beside_part_class_init (AppBesidePartClass *klass)
{
  g_type_ensure (UI_TYPE_CONTEXT_LIST);
  g_type_ensure (UI_TYPE_LAYER_ANSWERS);
  g_type_ensure (UI_TYPE_LAYER_CURVE);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->work = work;
  APP_PART_CLASS (klass)->theme = theme;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_beside_part_init (AppBesidePart *self)
{
}
