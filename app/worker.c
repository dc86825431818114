/* SPDX-License-Identifier: MIT */
#include "app/worker.h"

#include "app/pass.h"
#include "app/trace-cache.h"
#include "engine/error.h"
#include "engine/trace-file.h"

/* Before GTK's layout and drawing, so that an answer is in the very next frame. */
#define ANSWER_PRIORITY G_PRIORITY_HIGH_IDLE

typedef struct {
  guint       serial;
  UiDocument *document;
} Request;

/* An AppAnswer that owns its members. */
typedef struct {
  guint       serial;
  UiDocument *document;
  EngModel   *model;
  EngTrace   *trace;
  gboolean    complete;
  double      milliseconds;
  GError     *error;
} OwnedAnswer;

struct _AppWorker {
  AppWorkerFunc  func;
  gpointer       data;
  GMainContext  *context;
  GThread       *thread;

  GMutex         lock;     /* over the five below */
  GCond          wake;
  Request       *waiting;  /* the mailbox */
  gboolean       stopping;
  OwnedAnswer   *answer;   /* not yet delivered */
  GSource       *delivery; /* set while answer is */
  guint          last_serial;

  gint           cancel;       /* atomic: stops the running pass */
  gint           is_beyond_half; /* atomic: the running pass is worth finishing */

  /* Of the thread alone. */
  Request       *request;
  EngModel      *model;
  char          *model_key; /* what the document called the open model */
  EngSession    *session;
  AppTraceCache *cache;
};

static void
request_free (Request *request)
{
  ui_document_free (request->document);
  g_free (request);
}

static void
owned_answer_free (OwnedAnswer *answer)
{
  ui_document_free (answer->document);
  g_clear_pointer (&answer->model, eng_model_unref);
  g_clear_pointer (&answer->trace, eng_trace_unref);
  g_clear_error (&answer->error);
  g_free (answer);
}

/* In the main context. */
static gboolean
deliver (gpointer data)
{
  AppWorker *self = data;
  OwnedAnswer *owned;
  AppAnswer answer;

  g_mutex_lock (&self->lock);
  owned = g_steal_pointer (&self->answer);
  g_clear_pointer (&self->delivery, g_source_unref);
  g_mutex_unlock (&self->lock);

  answer = (AppAnswer) {
    .serial = owned->serial,
    .document = owned->document,
    .model = owned->model,
    .trace = owned->trace,
    .complete = owned->complete,
    .milliseconds = owned->milliseconds,
    .error = owned->error,
  };
  self->func (&answer, self->data);
  owned_answer_free (owned);

  return G_SOURCE_REMOVE;
}

/* In the thread. Takes over answer and fills in what the request says. */
static void
publish (AppWorker   *self,
         OwnedAnswer *answer)
{
  answer->serial = self->request->serial;
  answer->document = ui_document_copy (self->request->document);

  g_mutex_lock (&self->lock);
  if (self->answer != NULL)
    owned_answer_free (self->answer);
  self->answer = answer;
  if (self->delivery == NULL) {
    self->delivery = g_idle_source_new ();
    g_source_set_priority (self->delivery, ANSWER_PRIORITY);
    g_source_set_callback (self->delivery, deliver, self, NULL);
    g_source_attach (self->delivery, self->context);
  }
  g_mutex_unlock (&self->lock);
}

static void
publish_trace (AppWorker *self,
               EngModel  *model,
               EngTrace  *trace,
               gboolean   complete,
               double     milliseconds)
{
  OwnedAnswer *answer = g_new0 (OwnedAnswer, 1);

  answer->model = model != NULL ? eng_model_ref (model) : NULL;
  answer->trace = eng_trace_ref (trace);
  answer->complete = complete;
  answer->milliseconds = milliseconds;
  publish (self, answer);
}

/* Takes over error. model is NULL when it is the model that could not be opened. A pass that was
 * cancelled for a newer request is no news. */
static void
publish_error (AppWorker *self,
               EngModel  *model,
               GError    *error)
{
  OwnedAnswer *answer;

  if (g_error_matches (error, ENG_ERROR, ENG_ERROR_CANCELLED)) {
    g_error_free (error);
    return;
  }

  answer = g_new0 (OwnedAnswer, 1);
  answer->model = model != NULL ? eng_model_ref (model) : NULL;
  answer->milliseconds = -1;
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
    publish_trace (self, self->model, trace, FALSE, -1);
}

/* The model of the request, opened unless it is the open one. A model that cannot be opened leaves
 * the last one as it is. */
static gboolean
ensure_model (AppWorker         *self,
              const UiDocument  *document,
              GError           **error)
{
  EngModel *model;

  if (self->model != NULL && g_strcmp0 (self->model_key, document->model) == 0)
    return TRUE;

  model = app_pass_open_model (document, error);
  if (model == NULL)
    return FALSE;

  g_clear_pointer (&self->session, eng_session_free);
  g_clear_pointer (&self->cache, app_trace_cache_free);
  g_clear_pointer (&self->model, eng_model_unref);
  g_free (self->model_key);
  self->model = model;
  self->model_key = g_strdup (document->model);
  self->session = eng_session_new (model);
  self->cache = app_trace_cache_new ();

  return TRUE;
}

/* The heads whose answers the window shows: pairs beside a sentence B, masked words where a mask is
 * typed. */
static guint
choose_tasks (const EngModel  *model,
              const EngTokens *tokens)
{
  int mask_id = eng_tokenizer_get_mask_id (eng_model_get_tokenizer (model));
  guint tasks = 0;

  if (eng_tokens_has_pair (tokens))
    tasks |= 1u << ENG_TASK_NEXT_SENTENCE;
  for (int i = 0; i < tokens->n && mask_id >= 0; i++)
    if (tokens->ids[i] == mask_id)
      tasks |= 1u << ENG_TASK_FILL_MASK;

  return tasks;
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
    .tasks = choose_tasks (self->model, inputs.tokens),
    .cancel = &self->cancel,
    .layer_done = layer_done_cb,
    .data = self,
  };
  return eng_session_run (self->session, &request, error);
}

static void
answer_from_model (AppWorker        *self,
                   const UiDocument *document)
{
  g_autoptr (EngTrace) trace = NULL;
  g_autofree char *key = NULL;
  GError *error = NULL;
  EngTrace *cached;
  double milliseconds;
  gint64 start;

  if (!ensure_model (self, document, &error)) {
    publish_error (self, NULL, error);
    return;
  }

  key = app_trace_cache_key (self->model, document);
  cached = app_trace_cache_find (self->cache, key, &milliseconds);
  if (cached != NULL) {
    publish_trace (self, self->model, cached, TRUE, milliseconds);
    return;
  }

  start = g_get_monotonic_time ();
  trace = run_pass (self, document, &error);
  if (trace == NULL) {
    publish_error (self, self->model, error);
    return;
  }

  milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  app_trace_cache_add (self->cache, key, trace, milliseconds);
  publish_trace (self, self->model, trace, TRUE, milliseconds);
}

static void
answer_from_file (AppWorker        *self,
                  const UiDocument *document)
{
  GError *error = NULL;
  g_autoptr (EngTrace) trace = eng_trace_file_open (document->trace_file, &error);

  if (trace == NULL)
    publish_error (self, NULL, error);
  else
    publish_trace (self, NULL, trace, TRUE, -1);
}

/* Waits for the next request; FALSE when the worker ends. */
static gboolean
next_request (AppWorker *self)
{
  g_clear_pointer (&self->request, request_free);

  g_mutex_lock (&self->lock);
  while (self->waiting == NULL && !self->stopping)
    g_cond_wait (&self->wake, &self->lock);
  if (!self->stopping) {
    self->request = g_steal_pointer (&self->waiting);
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

  g_clear_pointer (&self->session, eng_session_free);
  g_clear_pointer (&self->cache, app_trace_cache_free);
  g_clear_pointer (&self->model, eng_model_unref);
  return NULL;
}

AppWorker *
app_worker_new (AppWorkerFunc func,
                gpointer      data)
{
  AppWorker *self = g_new0 (AppWorker, 1);

  self->func = func;
  self->data = data;
  self->context = g_main_context_ref_thread_default ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->thread = g_thread_new ("worker", worker_thread, self);

  return self;
}

guint
app_worker_submit (AppWorker        *self,
                   const UiDocument *document)
{
  Request *request = g_new0 (Request, 1);
  guint serial;

  request->document = ui_document_copy (document);

  g_mutex_lock (&self->lock);
  serial = request->serial = ++self->last_serial;
  g_clear_pointer (&self->waiting, request_free);
  self->waiting = request;
  if (!g_atomic_int_get (&self->is_beyond_half))
    g_atomic_int_set (&self->cancel, TRUE);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);

  return serial;
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

  if (self->delivery != NULL) {
    g_source_destroy (self->delivery);
    g_source_unref (self->delivery);
  }
  g_clear_pointer (&self->answer, owned_answer_free);
  g_clear_pointer (&self->waiting, request_free);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self->model_key);
  g_free (self);
}
