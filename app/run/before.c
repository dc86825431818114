/* SPDX-License-Identifier: MIT */
#include "app/run/before.h"

#include "app/run/job.h"
#include "app/run/pass.h"
#include "app/run/predictions.h"
#include "app/run/trace-cache.h"

typedef struct {
  EngModel   *model;
  UiDocument *document; /* without edits */
  char       *key;
} Wanted;

struct _AppBefore {
  void         (*func) (gpointer data);
  gpointer       data;
  EngModel      *model;    /* whose runs are kept; NULL = none yet */
  AppTraceCache *cache;
  AppJob        *job;      /* NULL = none runs */
  char          *running;  /* key of what it makes */
  Wanted        *waiting;  /* behind it */
  char          *refused;  /* key of what cannot be run */
};

static void start (AppBefore *self,
                   Wanted    *wanted);

static void
wanted_free (Wanted *wanted)
{
  eng_model_unref (wanted->model);
  ui_document_free (wanted->document);
  g_free (wanted->key);
  g_free (wanted);
}

static UiDocument *
dup_without_edits (const UiDocument *document)
{
  UiDocument *plain = ui_document_copy (document);

  g_strfreev (plain->edits);
  plain->edits = g_new0 (char *, 1);
  return plain;
}

/* In the thread. */
static gpointer
run (AppJob   *job,
     gpointer  data,
     GError  **error)
{
  const Wanted *wanted = data;
  g_autoptr (EngSession) session = eng_session_new (wanted->model);
  g_auto (EngInputs) inputs = { 0 };
  EngRunRequest request;

  if (!app_pass_encode (wanted->model, wanted->document, &inputs, error))
    return NULL;

  request = (EngRunRequest) {
    .tokens = inputs.tokens,
    .decoder_tokens = inputs.decoder_tokens,
    .text_a = wanted->document->text_a,
    .text_b = wanted->document->text_b,
    .tasks = app_predictions_choose (wanted->model, &inputs),
    .cancel = app_job_get_cancel (job),
  };
  return eng_session_run (session, &request, error);
}

static void
done (AppJob       *job,
      gpointer      result,
      const GError *error,
      gpointer      owner)
{
  AppBefore *self = owner;
  g_autoptr (EngTrace) trace = result;
  Wanted *waiting = g_steal_pointer (&self->waiting);

  if (trace != NULL)
    app_trace_cache_add (self->cache, self->running, trace, -1);
  else if (waiting == NULL) {
    g_free (self->refused);
    self->refused = g_strdup (self->running);
  }
  g_clear_pointer (&self->running, g_free);
  g_clear_pointer (&self->job, app_job_stop);

  if (waiting != NULL)
    start (self, waiting);
  else
    self->func (self->data);
}

/* Takes wanted over. */
static void
start (AppBefore *self,
       Wanted    *wanted)
{
  static const AppJobClass klass = {
    .run = run,
    .done = done,
    .free_result = (GDestroyNotify) eng_trace_unref,
    .free_data = (GDestroyNotify) wanted_free,
  };

  self->running = g_strdup (wanted->key);
  self->job = app_job_start (&klass, wanted, self);
}

/* Keys name a model by its address, which another may have once it is gone. */
static void
ensure_model (AppBefore *self,
              EngModel  *model)
{
  if (self->model == model)
    return;

  app_before_clear (self);
  self->model = eng_model_ref (model);
}

AppBefore *
app_before_new (void     (*func) (gpointer data),
                gpointer   data)
{
  AppBefore *self = g_new0 (AppBefore, 1);

  self->func = func;
  self->data = data;
  self->cache = app_trace_cache_new ();
  return self;
}

void
app_before_free (AppBefore *self)
{
  app_before_clear (self);
  app_trace_cache_free (self->cache);
  g_free (self);
}

void
app_before_clear (AppBefore *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  g_clear_pointer (&self->waiting, wanted_free);
  g_clear_pointer (&self->running, g_free);
  g_clear_pointer (&self->refused, g_free);
  app_trace_cache_clear (self->cache);
  g_clear_pointer (&self->model, eng_model_unref);
}

gboolean
app_before_is_edited (const UiDocument *document)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (document, NULL);

  return edits == NULL || edits->len > 0;
}

void
app_before_keep (AppBefore        *self,
                 EngModel         *model,
                 const UiDocument *document,
                 EngTrace         *trace)
{
  g_autofree char *key = app_trace_cache_key (model, document);
  g_autoptr (EngTrace) kept = NULL;
  double milliseconds;

  ensure_model (self, model);
  kept = app_trace_cache_find (self->cache, key, &milliseconds);
  if (kept == NULL)
    app_trace_cache_add (self->cache, key, trace, -1);
}

EngTrace *
app_before_find (AppBefore        *self,
                 EngModel         *model,
                 const UiDocument *document)
{
  g_autoptr (UiDocument) plain = dup_without_edits (document);
  g_autofree char *key = app_trace_cache_key (model, plain);
  g_autoptr (EngTrace) trace = NULL;
  double milliseconds;
  Wanted *wanted;

  ensure_model (self, model);
  /* The cache has it still when this is out of sight. */
  trace = app_trace_cache_find (self->cache, key, &milliseconds);
  /* What runs was cancelled where something waits behind it. */
  if (trace != NULL || (self->waiting == NULL && g_strcmp0 (key, self->running) == 0)
      || g_strcmp0 (key, self->refused) == 0)
    return trace;

  wanted = g_new (Wanted, 1);
  *wanted = (Wanted) { eng_model_ref (model), g_steal_pointer (&plain), g_steal_pointer (&key) };
  if (self->job != NULL) {
    app_job_cancel (self->job);
    g_clear_pointer (&self->waiting, wanted_free);
    self->waiting = wanted;
  } else
    start (self, wanted);

  return NULL;
}

EngTrace *
app_before_get (AppBefore        *self,
                EngModel         *model,
                const UiDocument *document)
{
  g_autoptr (UiDocument) plain = NULL;
  g_autofree char *key = NULL;
  g_autoptr (EngTrace) trace = NULL;
  double milliseconds;

  if (self->model != model)
    return NULL;
  plain = dup_without_edits (document);
  key = app_trace_cache_key (model, plain);
  /* The cache has it still when this is out of sight. */
  trace = app_trace_cache_find (self->cache, key, &milliseconds);
  return trace;
}

void
app_before_shrink (AppBefore *self)
{
  app_trace_cache_shrink (self->cache);
}
