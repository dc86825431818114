/* SPDX-License-Identifier: MIT */
#include "app/run/worker.h"

#include "app/run/latest.h"
#include "app/run/pass.h"
#include "app/run/trace-cache.h"
#include "app/run/writer.h"
#include "engine/base/error.h"
#include "engine/trace/trace-file.h"

/* Tokens may come faster than they can be drawn: the time of a frame is between two of them. */
#define WRITING_PAUSE_US 16000

typedef struct {
  guint       serial;
  UiDocument *document;
  char       *pass;     /* what the document's pass depends on */
  AppWriting  writing;
  gboolean    is_beginning;
  gboolean    is_example;
} Request;

struct _AppWorker {
  AppLatest     *answers;
  GThread       *thread;
  AppTraceCache *cache;    /* of the open model's traces */

  GMutex         lock;     /* over the six below */
  GCond          wake;
  Request       *waiting;  /* the mailbox */
  char          *running_pass; /* of the request at hand; NULL = none */
  gboolean       resting;  /* what it keeps goes as soon as the pass at hand has ended */
  gboolean       stopping;
  guint          last_serial;

  gint           cancel;       /* atomic: stops the running pass */
  gint           is_beyond_half; /* atomic: the running pass is worth finishing */
  gint           is_stale;     /* atomic: the open model's name stands for another one by now */

  /* Of the thread alone. */
  Request       *request;
  EngModel      *model;
  char          *model_key; /* what the document called the open model */
  EngSession    *session;
  AppWriter     *writer;    /* NULL while nothing was written */
  char          *written_pass; /* of the document behind which it writes */
};

static void
request_free (Request *request)
{
  ui_document_free (request->document);
  g_free (request->pass);
  g_free (request);
}

/* In the thread. Takes over answer and fills in what the request says. */
static void
publish (AppWorker *self,
         AppAnswer *answer)
{
  if (self->request->is_beginning && answer->trace != NULL)
    app_answer_choose_head (answer, self->request->document);
  answer->serial = self->request->serial;
  answer->document = ui_document_copy (self->request->document);
  app_latest_put (self->answers, answer, answer->written.is_running);
}

static gboolean
can_write (const EngModel *model)
{
  return eng_model_has_task (model, ENG_TASK_LANGUAGE_MODEL);
}

/* A complete pass; a text may follow. */
static void
publish_pass (AppWorker *self,
              EngTrace  *trace,
              double     milliseconds,
              gboolean   is_running)
{
  AppAnswer *answer = app_answer_new (self->model, trace, milliseconds);

  answer->complete = TRUE;
  answer->can_write = can_write (self->model);
  answer->written.text = g_strdup ("");
  answer->written.n_before = eng_trace_get_n_queries (trace, ENG_KIND_DECODER);
  answer->written.is_running = is_running;
  app_predictions_read (&answer->predictions, self->model, self->request->document, trace,
                        &self->cancel);
  publish (self, answer);
}

/* FALSE when there is no picture of the text. */
static gboolean
publish_text (AppWorker  *self,
              gboolean    is_running,
              GError    **error)
{
  g_autoptr (EngTrace) trace = app_writer_dup_trace (self->writer, self->session, error);
  AppAnswer *answer;

  if (trace == NULL)
    return FALSE;

  answer = app_answer_new (self->model, trace, app_writer_get_milliseconds (self->writer));
  answer->complete = TRUE;
  answer->can_write = TRUE;
  answer->written = (AppWritten) {
    .text = app_writer_dup_text (self->writer),
    .n_before = app_writer_get_n_before (self->writer),
    .n_tokens = app_writer_get_n_tokens (self->writer),
    .is_running = is_running,
    .is_done = app_writer_is_done (self->writer),
  };
  app_predictions_read (&answer->predictions, self->model, self->request->document, trace,
                        &self->cancel);
  publish (self, answer);

  return TRUE;
}

/* Takes over error. model is NULL when it is the model that could not be opened. A pass that was
 * cancelled for a newer request is no news. */
static void
publish_error (AppWorker *self,
               EngModel  *model,
               GError    *error)
{
  AppAnswer *answer;

  if (g_error_matches (error, ENG_ERROR, ENG_ERROR_CANCELLED)) {
    g_error_free (error);
    return;
  }

  answer = app_answer_new (model, NULL, -1);
  answer->error = error;
  publish (self, answer);
}

static void
layer_done_cb (EngTrace *trace,
               EngKind   kind,
               int       layer,
               gpointer  data)
{
  AppWorker *self = data;
  int n_layers = eng_trace_get_n_layers (trace, ENG_KIND_ENCODER) +
                 eng_trace_get_n_layers (trace, ENG_KIND_DECODER);
  int n_done = layer + 1;

  if (kind == ENG_KIND_DECODER)
    n_done += eng_trace_get_n_layers (trace, ENG_KIND_ENCODER);
  if (2 * n_done >= n_layers)
    g_atomic_int_set (&self->is_beyond_half, TRUE);
  if (n_done < n_layers)
    publish (self, app_answer_new (self->model, trace, -1));
}

static void
forget_text (AppWorker *self)
{
  g_clear_pointer (&self->writer, app_writer_free);
  g_clear_pointer (&self->written_pass, g_free);
}

/* The model and all that was made with it. */
static void
forget_model (AppWorker *self)
{
  forget_text (self);
  g_clear_pointer (&self->session, eng_session_free);
  app_trace_cache_clear (self->cache);
  g_clear_pointer (&self->model, eng_model_unref);
}

static char *
describe_model (const UiDocument *document)
{
  g_autofree char *seed = ui_document_get (document, ui_fields_find ("random-weights"));

  return g_strconcat (seed, " ", document->model, NULL);
}

/* The model of the request, opened unless it is the open one. A model that cannot be opened leaves
 * the last one as it is. */
static gboolean
ensure_model (AppWorker         *self,
              const UiDocument  *document,
              GError           **error)
{
  g_autofree char *key = describe_model (document);
  EngModel *model;

  if (!g_atomic_int_compare_and_exchange (&self->is_stale, TRUE, FALSE) && self->model != NULL
      && g_str_equal (self->model_key, key))
    return TRUE;

  model = app_pass_open_model (document, error);
  if (model == NULL)
    return FALSE;

  forget_model (self);
  g_free (self->model_key);
  self->model = model;
  self->model_key = g_steal_pointer (&key);
  self->session = eng_session_new (model);
  return TRUE;
}

/* Whether the text that is being written is as long as the request asks for. */
static gboolean
is_far_enough (AppWorker *self)
{
  const int n = self->request->document->written;

  if (app_writer_is_done (self->writer) || self->request->writing == APP_WRITE_TOKEN)
    return TRUE;
  return self->request->writing == APP_WRITE_UP_TO && n != UI_WRITTEN_ALL
         && app_writer_get_n_tokens (self->writer) >= n;
}

static gboolean
is_writing_wanted (AppWorker *self)
{
  const UiDocument *document = self->request->document;

  switch (self->request->writing) {
  case APP_WRITE_UP_TO:
    return can_write (self->model) && (self->writer == NULL || !is_far_enough (self));
  case APP_WRITE_TOKEN:
  case APP_WRITE_ALL:
    return can_write (self->model);
  case APP_WRITE_WHAT_LACKS:
    return can_write (self->model) && eng_model_has_two_stacks (self->model)
           && document->text_b[0] == '\0';
  case APP_WRITE_NOTHING:
  case APP_WRITE_NO_MORE:
  default:
    return FALSE;
  }
}

static EngTrace *
run_pass (AppWorker         *self,
          const UiDocument  *document,
          GError           **error)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (document, error);
  g_auto (EngInputs) inputs = { 0 };
  EngRunRequest request;

  if (edits == NULL)
    return NULL;
  if (!app_pass_encode (self->model, document, &inputs, error))
    return NULL;

  request = (EngRunRequest) {
    .tokens = inputs.tokens,
    .decoder_tokens = inputs.decoder_tokens,
    .text_a = document->text_a,
    .text_b = document->text_b,
    .edits = (const EngEdit *) edits->data,
    .n_edits = (int) edits->len,
    .unfinished = is_writing_wanted (self),
    .tasks = app_predictions_choose (self->model, &inputs),
    .cancel = &self->cancel,
    .layer_done = layer_done_cb,
    .data = self,
  };
  return eng_session_run (self->session, &request, error);
}

/* The pass of the request, from the cache if it is there. */
static EngTrace *
find_pass (AppWorker  *self,
           double     *milliseconds,
           GError    **error)
{
  const UiDocument *document = self->request->document;
  g_autofree char *key = app_trace_cache_key (self->model, document);
  EngTrace *trace = app_trace_cache_find (self->cache, key, milliseconds);
  gint64 start = g_get_monotonic_time ();

  if (trace != NULL)
    return trace;

  trace = run_pass (self, document, error);
  if (trace != NULL) {
    *milliseconds = (g_get_monotonic_time () - start) / 1000.0;
    app_trace_cache_add (self->cache, key, trace, *milliseconds);
  }

  return trace;
}

/* Whether the request is about the text that is being written. */
static gboolean
is_continued (AppWorker *self)
{
  const int n = self->request->document->written;

  if (self->writer == NULL || self->request->writing < APP_WRITE_NO_MORE
      || !g_str_equal (self->request->pass, self->written_pass))
    return FALSE;
  return self->request->writing != APP_WRITE_UP_TO || n == UI_WRITTEN_ALL
         || app_writer_get_n_tokens (self->writer) <= n;
}

/* From here on the request is left as soon as another one comes; FALSE when it is there. */
static gboolean
begin_writing (AppWorker *self)
{
  gboolean is_latest;

  g_mutex_lock (&self->lock);
  g_atomic_int_set (&self->is_beyond_half, FALSE);
  is_latest = self->waiting == NULL && !self->resting && !self->stopping;
  g_mutex_unlock (&self->lock);

  return is_latest;
}

/* One token, and a picture where it is worth its time. */
static gboolean
write_token (AppWorker  *self,
             gboolean   *is_running,
             GError    **error)
{
  if (!app_writer_step (self->writer, error))
    return FALSE;

  *is_running = !is_far_enough (self);
  return (*is_running && !app_writer_is_trace_cheap (self->writer))
         || publish_text (self, *is_running, error);
}

static void
write_text (AppWorker *self)
{
  gboolean is_running = TRUE;
  GError *error = NULL;

  while (is_running && begin_writing (self)) {
    if (self->writer == NULL) {
      self->writer = app_writer_new (self->model, self->request->document, &self->cancel, &error);
      self->written_pass = g_strdup (self->request->pass);
    }
    if (self->writer == NULL || !write_token (self, &is_running, &error)) {
      forget_text (self);
      publish_error (self, self->model, error);
      return;
    }
  }
}

/* Only the model says that it takes one text. */
static void
fit_example (AppWorker *self)
{
  Request *request = self->request;

  if (!request->is_example || !can_write (self->model))
    return;
  ui_replace_text (&request->document->text_b, "");
  g_free (request->pass);
  request->pass = ui_document_describe_pass (request->document);
  g_mutex_lock (&self->lock);
  g_free (self->running_pass);
  self->running_pass = g_strdup (request->pass);
  g_mutex_unlock (&self->lock);
}

static void
answer_from_model (AppWorker        *self,
                   const UiDocument *document)
{
  gboolean continues, is_wanted;
  GError *error = NULL;

  if (!ensure_model (self, document, &error)) {
    publish_error (self, NULL, error);
    return;
  }

  fit_example (self);
  continues = is_continued (self);
  if (!continues)
    forget_text (self);
  is_wanted = is_writing_wanted (self);
  if (!continues) {
    g_autoptr (EngTrace) trace = NULL;
    double milliseconds;

    trace = find_pass (self, &milliseconds, &error);
    if (trace != NULL)
      publish_pass (self, trace, milliseconds, is_wanted);
  } else if (!is_wanted)
    publish_text (self, FALSE, &error);

  if (error != NULL)
    publish_error (self, self->model, error);
  else if (is_wanted)
    write_text (self);
}

static void
answer_from_file (AppWorker        *self,
                  const UiDocument *document)
{
  GError *error = NULL;
  g_autoptr (EngTrace) trace = eng_trace_file_open (document->trace_file, &error);
  AppAnswer *answer;

  if (trace == NULL) {
    publish_error (self, NULL, error);
    return;
  }

  answer = app_answer_new (NULL, trace, -1);
  answer->complete = TRUE;
  publish (self, answer);
}

/* With the lock, which is let go meanwhile. */
static void
rest (AppWorker *self)
{
  self->resting = FALSE;
  g_mutex_unlock (&self->lock);
  forget_model (self);
  g_mutex_lock (&self->lock);
}

/* Waits for the next request; FALSE when the worker ends. */
static gboolean
next_request (AppWorker *self)
{
  g_clear_pointer (&self->request, request_free);

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->running_pass, g_free);
  while (self->waiting == NULL && !self->stopping) {
    if (self->resting)
      rest (self);
    else
      g_cond_wait (&self->wake, &self->lock);
  }
  self->resting = FALSE;
  if (!self->stopping) {
    self->request = g_steal_pointer (&self->waiting);
    self->running_pass = g_strdup (self->request->pass);
    g_atomic_int_set (&self->cancel, FALSE);
    g_atomic_int_set (&self->is_beyond_half, FALSE);
  }
  g_mutex_unlock (&self->lock);

  return self->request != NULL;
}

static gpointer
worker_thread (gpointer data)
{
  AppWorker *self = data;

  while (next_request (self))
    if (self->request->document->trace_file != NULL)
      answer_from_file (self, self->request->document);
    else
      answer_from_model (self, self->request->document);

  forget_model (self);
  return NULL;
}

AppWorker *
app_worker_new (AppAnswerFunc func,
                gpointer      data)
{
  AppWorker *self = g_new0 (AppWorker, 1);

  self->answers = app_latest_new ((AppLatestFunc) func, data, (GDestroyNotify) app_answer_free,
                                  WRITING_PAUSE_US);
  self->cache = app_trace_cache_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->thread = g_thread_new ("worker", worker_thread, self);

  return self;
}

static AppWriting
choose_writing (const UiDocument *document)
{
  return document->written != 0 ? APP_WRITE_UP_TO : APP_WRITE_WHAT_LACKS;
}

/* Takes the request over. */
static guint
submit (AppWorker *self,
        Request   *request)
{
  guint serial;

  g_mutex_lock (&self->lock);
  serial = request->serial = ++self->last_serial;
  g_clear_pointer (&self->waiting, request_free);
  self->waiting = request;
  if (g_strcmp0 (request->pass, self->running_pass) != 0
      && !g_atomic_int_get (&self->is_beyond_half))
    g_atomic_int_set (&self->cancel, TRUE);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);

  return serial;
}

static Request *
request_new (const UiDocument *document,
             AppWriting        writing)
{
  Request *request = g_new0 (Request, 1);

  request->document = ui_document_copy (document);
  request->pass = ui_document_describe_pass (document);
  request->writing = writing;
  return request;
}

guint
app_worker_submit (AppWorker        *self,
                   const UiDocument *document)
{
  return app_worker_write (self, document, choose_writing (document));
}

guint
app_worker_write (AppWorker        *self,
                  const UiDocument *document,
                  AppWriting        writing)
{
  return submit (self, request_new (document, writing));
}

guint
app_worker_begin (AppWorker        *self,
                  const UiDocument *document,
                  gboolean          is_example)
{
  Request *request = request_new (document, choose_writing (document));

  request->is_beginning = TRUE;
  request->is_example = is_example;
  return submit (self, request);
}

void
app_worker_open_anew (AppWorker *self)
{
  g_atomic_int_set (&self->is_stale, TRUE);
}

void
app_worker_rest (AppWorker *self)
{
  g_mutex_lock (&self->lock);
  self->resting = TRUE;
  g_clear_pointer (&self->waiting, request_free);
  app_latest_drop (self->answers);
  g_atomic_int_set (&self->cancel, TRUE);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
app_worker_shrink (AppWorker *self)
{
  app_trace_cache_shrink (self->cache);
}

void
app_worker_free (AppWorker *self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_atomic_int_set (&self->cancel, TRUE);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);

  app_latest_free (self->answers);
  g_clear_pointer (&self->waiting, request_free);
  app_trace_cache_free (self->cache);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self->model_key);
  g_free (self->running_pass);
  g_free (self);
}
