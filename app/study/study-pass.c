/* SPDX-License-Identifier: MIT */
/* The road of a study: a changed document goes to the worker, its answer comes back. */
#include "app/study/study-private.h"

/* A pass that is quicker than this is run at each keystroke. */
#define INSTANT_MS      15.0
#define TYPING_PAUSE_MS 60

gboolean
app_study_needs_pass (const UiDocument *a,
                      const UiDocument *b)
{
  g_autofree char *pass_a = ui_document_describe_pass (a);
  g_autofree char *pass_b = ui_document_describe_pass (b);

  return !g_str_equal (pass_a, pass_b) || a->written != b->written;
}

gboolean
app_study_has_other_texts (const UiDocument *a,
                           const UiDocument *b)
{
  return !g_str_equal (a->text_a, b->text_a) || !g_str_equal (a->text_b, b->text_b);
}

gboolean
app_study_has_other_source (const UiDocument *a,
                            const UiDocument *b)
{
  return g_strcmp0 (a->model, b->model) != 0 || g_strcmp0 (a->trace_file, b->trace_file) != 0
         || a->random_weights_set != b->random_weights_set
         || a->random_weights != b->random_weights;
}

/* Nothing is left to be asked for after a pause. */
void
app_study_submit (AppStudy         *self,
                  const UiDocument *document,
                  AppWriting        writing)
{
  g_clear_handle_id (&self->submit_source, g_source_remove);
  self->serial = self->beginning.is_wanted
                 ? app_worker_begin (self->worker, document, self->beginning.is_example)
                 : app_worker_write (self->worker, document, writing);
  self->waiting = TRUE;
  self->news |= APP_STUDY_WAITING;
}

static void
submit_document (AppStudy *self)
{
  app_study_submit (self, self->document,
                    self->document->written != 0 ? APP_WRITE_UP_TO : APP_WRITE_WHAT_LACKS);
}

static gboolean
submit_cb (gpointer data)
{
  AppStudy *self = data;

  self->submit_source = 0;
  submit_document (self);
  app_study_tell (self);
  return G_SOURCE_REMOVE;
}

static void
submit_later (AppStudy *self)
{
  g_clear_handle_id (&self->submit_source, g_source_remove);
  self->submit_source = g_timeout_add (TYPING_PAUSE_MS, submit_cb, self);
}

/* A person who types on may be faster than a slow pass; whoever chose something waits for it. What
 * the model wrote is written again under other settings; a step back has what it had then. */
void
app_study_ask (AppStudy         *self,
               const UiDocument *before)
{
  gboolean is_typing = app_study_has_other_texts (before, self->document);
  gboolean is_written = (self->written.is_running || self->written.n_tokens > 0)
                        && self->document->written == before->written;

  if (is_typing && self->milliseconds >= INSTANT_MS)
    submit_later (self);
  else if (is_written && !is_typing && !app_study_has_other_source (before, self->document))
    app_study_submit (self, self->document, APP_WRITE_ALL);
  else
    submit_document (self);
}

static gboolean
is_in (const EngModel *model,
       const char     *folder)
{
  return model != NULL && g_str_equal (eng_model_get_info (model)->folder, folder);
}

gboolean
app_study_open_anew (AppStudy   *self,
                     const char *folder)
{
  g_return_val_if_fail (APP_IS_STUDY (self), FALSE);

  if (self->document == NULL || !app_study_is_settled (self) || self->written.is_running)
    return FALSE;
  if (is_in (self->second.model, folder))
    app_study_forget_second (self);
  if (is_in (self->model, folder)) {
    app_worker_open_anew (self->worker);
    submit_document (self);
  } else
    app_study_ask_second (self);
  app_study_tell (self);

  return TRUE;
}

static void
refusal_free (AppRefusal *refusal)
{
  g_error_free (refusal->error);
  ui_document_free (refusal->document);
  g_clear_pointer (&refusal->model, eng_model_unref);
  g_free (refusal);
}

static void
forget_refusal (AppStudy *self)
{
  if (self->refusal == NULL)
    return;

  g_clear_pointer (&self->refusal, refusal_free);
  self->news |= APP_STUDY_REFUSED;
}

/* How many tokens the texts have before anything is cut off; 0 when they fit. */
static int
count_uncut (const EngModel   *model,
             const UiDocument *document)
{
  const EngTokenizeOptions options = { .no_special_tokens = document->no_special_tokens };
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  const EngModelInfo *info = eng_model_get_info (model);
  g_autoptr (EngTokens) tokens = NULL;

  if (tokenizer == NULL || !info->strict_positions)
    return 0;
  tokens = eng_tokenizer_encode (tokenizer, document->text_a, document->text_b, &options, NULL);

  return tokens != NULL && tokens->n > info->max_positions ? tokens->n : 0;
}

static void
keep_predictions (AppStudy             *self,
                  const AppPredictions *predictions)
{
  app_predictions_clear (&self->predictions);
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (predictions->of[task] != NULL)
      self->predictions.of[task] = g_array_ref (predictions->of[task]);
}

/* Beside a run with edits the run without them is laid. A text that the model writes with edits is
 * another one than it would write without them. */
static void
look_for_before (AppStudy *self)
{
  if (self->model == NULL || self->written.is_running || self->written.n_tokens > 0)
    return;

  if (app_before_is_edited (self->answered))
    app_before_find (self->before, self->model, self->answered);
  else
    app_before_keep (self->before, self->model, self->answered, self->trace);
}

static void
take_complete (AppStudy        *self,
               const AppAnswer *answer)
{
  self->milliseconds = answer->milliseconds;
  self->n_uncut = self->model != NULL && answer->document->truncate
                  ? count_uncut (self->model, answer->document) : 0;
  keep_predictions (self, &answer->predictions);
  look_for_before (self);
}

static void
take_trace (AppStudy        *self,
            const AppAnswer *answer)
{
  eng_trace_ref (answer->trace);
  g_clear_pointer (&self->trace, eng_trace_unref);
  self->trace = answer->trace;
  /* A trace keeps its model in memory: what was computed of the last one lets go of it. */
  if (answer->model != self->model)
    app_before_clear (self->before);
  g_clear_pointer (&self->model, eng_model_unref);
  self->model = answer->model != NULL ? eng_model_ref (answer->model) : NULL;
  g_clear_pointer (&self->answered, ui_document_free);
  self->answered = ui_document_copy (answer->document);
  self->complete = answer->complete;
  self->news |= APP_STUDY_TRACE;
  app_study_take_written (self, answer);
  app_study_take_head (self, answer);
  if (answer->complete)
    take_complete (self, answer);
  if (!app_study_needs_pass (answer->document, self->document))
    forget_refusal (self);
  app_study_ask_second (self);
}

static void
refuse (AppStudy        *self,
        const AppAnswer *answer,
        gboolean         is_taken_back)
{
  forget_refusal (self);
  self->refusal = g_new (AppRefusal, 1);
  *self->refusal = (AppRefusal) {
    .error = g_error_copy (answer->error),
    .document = ui_document_copy (answer->document),
    .model = answer->model != NULL ? eng_model_ref (answer->model) : NULL,
    .is_taken_back = is_taken_back,
    .is_too_long = answer->model != NULL && count_uncut (answer->model, answer->document) > 0,
  };
  self->news |= APP_STUDY_REFUSED;
}

/* Which model or file it is, and what is said of that. */
static void
copy_source (const UiDocument *from,
             UiDocument       *to)
{
  g_free (to->model);
  g_free (to->trace_file);
  g_free (to->prefix);
  g_free (to->lang);
  to->model = g_strdup (from->model);
  to->trace_file = g_strdup (from->trace_file);
  to->prefix = g_strdup (from->prefix);
  to->lang = g_strdup (from->lang);
  to->random_weights_set = from->random_weights_set;
  to->random_weights = from->random_weights;
}

/* Back to what is on show, or to the bundled model when that is nothing yet. */
static void
take_back_opening (AppStudy        *self,
                   const AppAnswer *answer)
{
  const UiDocument *shown = self->answered;
  g_autoptr (UiDocument) bundled = ui_document_new ();
  UiDocument *document;

  if (shown == NULL && answer->document->model == NULL && answer->document->trace_file == NULL) {
    refuse (self, answer, FALSE);
    return;
  }

  refuse (self, answer, TRUE);
  document = ui_document_copy (self->document);
  copy_source (shown != NULL ? shown : bundled, document);
  app_study_correct (self, document);
  if (shown != NULL)
    self->beginning.is_wanted = FALSE;
  app_study_set_document (self, document);
}

/* A pass that was cancelled for a text that was then refused has brought no more layers. */
static void
complete_trace (AppStudy         *self,
                const UiDocument *refused)
{
  if (self->trace != NULL && !self->complete && !self->waiting
      && app_study_needs_pass (refused, self->answered))
    app_study_submit (self, self->answered, APP_WRITE_WHAT_LACKS);
}

static void
take_error (AppStudy        *self,
            const AppAnswer *answer)
{
  if (answer->serial >= self->serial)
    app_study_end_writing (self);
  /* Something else was asked for meanwhile: its answer is what counts. */
  if (app_study_needs_pass (answer->document, self->document))
    return;

  if (answer->model == NULL)
    take_back_opening (self, answer);
  else
    refuse (self, answer, FALSE);
  complete_trace (self, answer->document);
}

/* Layers of which nothing is to be shown yet. */
static gboolean
comes_too_early (AppStudy        *self,
                 const AppAnswer *answer)
{
  return app_study_awaits_layers (self, answer)
         || (!answer->complete && self->trace != NULL && answer->model != self->model
             && self->gate != NULL && !self->gate (answer->trace, self->gate_data));
}

static void
answer_cb (const AppAnswer *answer,
           gpointer         data)
{
  AppStudy *self = data;

  if (answer->serial >= self->serial && (answer->complete || answer->error != NULL)) {
    self->waiting = FALSE;
    self->news |= APP_STUDY_WAITING;
  }

  if (answer->error != NULL)
    take_error (self, answer);
  else if (!comes_too_early (self, answer))
    take_trace (self, answer);
  app_study_tell (self);
}

static void
before_cb (gpointer data)
{
  AppStudy *self = data;

  self->news |= APP_STUDY_BEFORE;
  app_study_tell (self);
}

EngTrace *
app_study_get_trace (AppStudy *self)
{
  return self->trace;
}

EngModel *
app_study_get_model (AppStudy *self)
{
  return self->model;
}

const UiDocument *
app_study_get_answered (AppStudy *self)
{
  return self->answered;
}

gboolean
app_study_is_complete (AppStudy *self)
{
  return self->complete;
}

double
app_study_get_milliseconds (AppStudy *self)
{
  return self->milliseconds;
}

int
app_study_get_n_uncut (AppStudy *self)
{
  return self->n_uncut;
}

const AppPredictions *
app_study_get_predictions (AppStudy *self)
{
  return &self->predictions;
}

gboolean
app_study_is_waiting (AppStudy *self)
{
  return self->waiting;
}

gboolean
app_study_is_settled (AppStudy *self)
{
  return !self->waiting && self->submit_source == 0 && !self->second.waiting;
}

const AppRefusal *
app_study_get_refusal (AppStudy *self)
{
  return self->refusal;
}

void
app_study_set_gate (AppStudy     *self,
                    AppStudyGate  gate,
                    gpointer      data)
{
  self->gate = gate;
  self->gate_data = data;
}

gboolean
app_study_is_edited (AppStudy *self)
{
  return self->model != NULL && app_before_is_edited (self->answered);
}

EngTrace *
app_study_get_before (AppStudy *self)
{
  /* The run without edits is kept for when there are some. */
  if (!self->complete || !app_study_is_edited (self))
    return NULL;
  return app_before_get (self->before, self->model, self->answered);
}

const EngTrace *
app_study_get_named (AppStudy *self)
{
  return self->complete && !app_study_is_waiting (self) ? app_study_get_trace (self) : NULL;
}

const EngTrace *
app_study_get_typed (AppStudy *self)
{
  if (app_study_get_model (self) == NULL || app_study_get_named (self) == NULL)
    return NULL;
  return app_study_is_edited (self) ? app_study_get_before (self) : app_study_get_trace (self);
}

void
app_study_begin_passes (AppStudy *self)
{
  app_study_forget_written (self);
  self->before = app_before_new (before_cb, self);
  self->worker = app_worker_new (answer_cb, self);
  submit_document (self);
  self->news = 0;
}

void
app_study_end_passes (AppStudy *self)
{
  g_clear_handle_id (&self->submit_source, g_source_remove);
  g_clear_pointer (&self->worker, app_worker_free);
  g_clear_pointer (&self->before, app_before_free);
  g_clear_pointer (&self->refusal, refusal_free);
  g_clear_pointer (&self->answered, ui_document_free);
  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->model, eng_model_unref);
  app_predictions_clear (&self->predictions);
  app_study_forget_written (self);
  self->complete = FALSE;
  self->waiting = FALSE;
  self->gate = NULL;
}
