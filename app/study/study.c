/* SPDX-License-Identifier: MIT */
#include "app/study/study-private.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (AppStudy, app_study, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

void
app_study_tell (AppStudy *self)
{
  AppStudyChange news = self->news;

  self->news = 0;
  if (news != 0 && self->document != NULL)
    g_signal_emit (self, signals[CHANGED], 0, (guint) news);
}

void
app_study_visit (AppStudy         *self,
                 const UiDocument *document,
                 gboolean          is_step)
{
  const UiDocument *here = app_history_get (self->places_visited);
  g_autoptr (UiDocument) place = app_place_apply (document, here);

  if (is_step && !app_place_equal (here, document))
    app_history_record (self->places_visited, place, g_get_monotonic_time ());
  else
    app_history_amend (self->places_visited, place);
}

/* Another view is a place, not a step. */
static void
record_step (AppStudy         *self,
             const UiDocument *document)
{
  if (!app_history_look (self->history, document))
    app_history_record (self->history, document, g_get_monotonic_time ());
}

void
app_study_record (AppStudy         *self,
                  const UiDocument *document)
{
  record_step (self, document);
  app_study_visit (self, document, TRUE);
}

void
app_study_correct (AppStudy         *self,
                   const UiDocument *document)
{
  app_history_amend (self->history, document);
  app_study_visit (self, document, FALSE);
}

void
app_study_keep_document (AppStudy   *self,
                         UiDocument *document)
{
  g_clear_pointer (&self->document, ui_document_free);
  self->document = document;
  app_autosave_change (self->autosave, self->history);
  self->news |= APP_STUDY_DOCUMENT;
}

/* is_begun: with the head that tells most of it. */
static void
take_document (AppStudy   *self,
               UiDocument *document,
               gboolean    is_begun)
{
  g_autoptr (UiDocument) before = g_steal_pointer (&self->document);

  app_study_keep_document (self, document);
  app_study_follow_choice (self, before);
  if (is_begun)
    app_study_await_head (self, FALSE);
  if (app_study_has_other_source (before, document))
    memset (self->places, 0, sizeof self->places);
  if (app_study_needs_pass (before, document))
    app_study_ask (self, before);
  app_study_ask_second (self);
}

void
app_study_set_document (AppStudy   *self,
                        UiDocument *document)
{
  take_document (self, document, FALSE);
}

void
app_study_change (AppStudy   *self,
                  UiDocument *document)
{
  g_return_if_fail (APP_IS_STUDY (self));

  /* It stood behind another text. */
  if (app_study_has_other_texts (self->document, document)
      || app_study_has_other_source (self->document, document))
    document->written = 0;
  app_study_record (self, document);
  app_study_set_document (self, document);
  app_study_tell (self);
}

void
app_study_amend (AppStudy   *self,
                 UiDocument *document)
{
  g_return_if_fail (APP_IS_STUDY (self));

  app_study_correct (self, document);
  app_study_set_document (self, document);
  app_study_tell (self);
}

/* document is the history's, NULL at its end. */
static void
step (AppStudy         *self,
      const UiDocument *document,
      gboolean          is_further)
{
  if (document == NULL)
    return;
  app_study_visit (self, document, is_further);
  app_study_set_document (self, ui_document_copy (document));
  app_study_tell (self);
}

void
app_study_undo (AppStudy *self)
{
  g_return_if_fail (APP_IS_STUDY (self));

  step (self, app_history_undo (self->history), FALSE);
}

void
app_study_redo (AppStudy *self)
{
  g_return_if_fail (APP_IS_STUDY (self));

  step (self, app_history_redo (self->history), TRUE);
}

/* Looking at other heads is a step that can be undone, but no further place. */
static void
move_to (AppStudy         *self,
         const UiDocument *place)
{
  UiDocument *document;

  if (place == NULL)
    return;
  document = app_place_apply (place, self->document);
  record_step (self, document);
  app_study_set_document (self, document);
  app_study_tell (self);
}

void
app_study_go_back (AppStudy *self)
{
  g_return_if_fail (APP_IS_STUDY (self));

  move_to (self, app_history_undo (self->places_visited));
}

void
app_study_go_forward (AppStudy *self)
{
  g_return_if_fail (APP_IS_STUDY (self));

  move_to (self, app_history_redo (self->places_visited));
}

gboolean
app_study_can_undo (AppStudy *self)
{
  return app_history_can_undo (self->history);
}

gboolean
app_study_can_redo (AppStudy *self)
{
  return app_history_can_redo (self->history);
}

gboolean
app_study_can_go_back (AppStudy *self)
{
  return app_history_can_undo (self->places_visited);
}

gboolean
app_study_can_go_forward (AppStudy *self)
{
  return app_history_can_redo (self->places_visited);
}

char *
app_study_describe_undo (AppStudy *self)
{
  return app_history_describe_undo (self->history, app_study_get_named (self),
                                    app_study_get_typed (self));
}

char *
app_study_describe_redo (AppStudy *self)
{
  return app_history_describe_redo (self->history, app_study_get_named (self),
                                    app_study_get_typed (self));
}

int
app_study_get_n_steps (AppStudy *self)
{
  return app_history_get_n_steps (self->history);
}

static void
open_source (AppStudy   *self,
             UiDocument *document)
{
  if (app_study_has_other_source (self->document, document))
    app_study_await_head (self, FALSE);
  app_study_change (self, document);
}

static void
put_model (UiDocument *document,
           const char *model)
{
  ui_replace_text (&document->model, model);
  g_clear_pointer (&document->trace_file, g_free);
  /* These were said of another model. */
  g_clear_pointer (&document->prefix, g_free);
  g_clear_pointer (&document->lang, g_free);
  document->random_weights_set = FALSE;
}

void
app_study_open_model (AppStudy   *self,
                      const char *model)
{
  app_study_open_model_with (self, model, ui_document_copy (self->document));
}

void
app_study_open_model_with (AppStudy   *self,
                           const char *model,
                           UiDocument *document)
{
  put_model (document, model);
  open_source (self, document);
}

/* Its own weights, not a file. */
static gboolean
is_plain_model (const UiDocument *document,
                const char       *model)
{
  return document->trace_file == NULL && !document->random_weights_set
         && g_strcmp0 (document->model, model) == 0;
}

void
app_study_open_texts (AppStudy       *self,
                      const AppTexts *texts)
{
  const gboolean is_other = texts->model != NULL && !is_plain_model (self->document, texts->model);
  UiDocument *document = ui_document_copy (self->document);
  gboolean is_other_kind;

  if (is_other)
    put_model (document, texts->model);
  ui_replace_text (&document->text_a, texts->text_a);
  ui_replace_text (&document->text_b, texts->text_b);
  ui_pins_clear (&document->pins);
  document->written = texts->is_continued ? UI_WRITTEN_ALL : 0;
  if (texts->is_crossed || is_other) {
    document->kind_set = texts->is_crossed;
    document->kind = ENG_KIND_CROSS;
  }
  is_other_kind = document->kind_set
                  && (!self->document->kind_set || document->kind != self->document->kind);
  app_study_record (self, document);
  take_document (self, document, is_other || is_other_kind);
  app_study_tell (self);
}

void
app_study_open_untrained (AppStudy   *self,
                          const char *model,
                          int         seed)
{
  UiDocument *document = ui_document_copy (self->document);

  put_model (document, model);
  document->random_weights_set = TRUE;
  document->random_weights = seed;
  open_source (self, document);
}

void
app_study_open_trace (AppStudy   *self,
                      const char *path)
{
  UiDocument *document = ui_document_copy (self->document);

  ui_replace_text (&document->trace_file, path);
  open_source (self, document);
}

void
app_study_put_kind (AppStudy   *self,
                    UiDocument *document,
                    EngKind     from,
                    EngKind     kind)
{
  const AppPlace *place = &self->places[kind];

  document->kind_set = TRUE;
  document->kind = kind;
  if (kind == from)
    return;

  self->places[from] = (AppPlace) { TRUE, document->layer, document->heads };
  if (place->is_known && eng_trace_get_n_layers (self->trace, kind)
                         != eng_trace_get_n_layers (self->trace, from))
    document->layer = place->layer;
  if (place->is_known && eng_trace_get_n_heads (self->trace, kind)
                         != eng_trace_get_n_heads (self->trace, from))
    document->heads = place->heads;

  /* The encoder reads in its own block alone; the decoder is read in its own block alone. */
  if ((kind == ENG_KIND_ENCODER) != (from == ENG_KIND_ENCODER))
    ui_pins_trim (&document->pins, 0, G_MAXINT);
  if ((kind == ENG_KIND_DECODER) != (from == ENG_KIND_DECODER))
    ui_pins_trim (&document->pins, G_MAXINT, 0);
}

const UiDocument *
app_study_get_document (AppStudy *self)
{
  g_return_val_if_fail (APP_IS_STUDY (self), NULL);

  return self->document;
}

gboolean
app_study_has_texts (AppStudy *self)
{
  return self->document != NULL && self->document->trace_file == NULL;
}

void
app_study_shrink (AppStudy *self)
{
  app_worker_shrink (self->worker);
  if (self->second.worker != NULL)
    app_worker_shrink (self->second.worker);
  app_before_shrink (self->before);
}

void
app_study_close (AppStudy *self)
{
  g_return_if_fail (APP_IS_STUDY (self));

  app_study_end_passes (self);
  app_study_end_second (self);
  app_study_end_file (self);
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->history, app_history_free);
  g_clear_pointer (&self->places_visited, app_history_free);
}

static void
app_study_dispose (GObject *object)
{
  app_study_close (APP_STUDY (object));

  G_OBJECT_CLASS (app_study_parent_class)->dispose (object);
}

/* What it says once it is closed. */
static void
app_study_finalize (GObject *object)
{
  g_free (APP_STUDY (object)->written.text);

  G_OBJECT_CLASS (app_study_parent_class)->finalize (object);
}

static void
app_study_class_init (AppStudyClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = app_study_dispose;
  G_OBJECT_CLASS (klass)->finalize = app_study_finalize;

  signals[CHANGED] = g_signal_new ("changed", APP_TYPE_STUDY, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
app_study_init (AppStudy *self)
{
}

static AppStudy *
study_new (const UiDocument *document)
{
  AppStudy *self = g_object_new (APP_TYPE_STUDY, NULL);

  self->document = ui_document_copy (document);
  self->history = app_history_new (document);
  self->places_visited = app_history_new (document);
  self->autosave = app_autosave_new ();
  return self;
}

AppStudy *
app_study_new (const UiDocument *document)
{
  AppStudy *self = study_new (document);

  app_study_begin_passes (self);
  return self;
}

AppStudy *
app_study_begin (const UiDocument *document,
                 gboolean          is_example)
{
  AppStudy *self = study_new (document);

  app_study_await_head (self, is_example);
  app_study_begin_passes (self);
  return self;
}
