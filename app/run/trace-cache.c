/* SPDX-License-Identifier: MIT */
#include "app/run/trace-cache.h"

/* Of traces without the attention that they materialise, which only the latest keeps. */
#define MAX_TRACES 16
#define MAX_BYTES (48 << 20)

typedef struct {
  char     *key;
  EngTrace *trace;
  double    milliseconds;
  gsize     n_bytes;
} CachedTrace;

struct _AppTraceCache {
  GMutex lock;   /* over the two below */
  GQueue traces; /* CachedTrace, the latest use first */
  gsize  n_bytes;
};

static void
cached_trace_free (CachedTrace *cached)
{
  g_free (cached->key);
  eng_trace_unref (cached->trace);
  g_free (cached);
}

/* With the lock. The other traces are not looked at any more. */
static void
push_latest (AppTraceCache *self,
             CachedTrace   *cached)
{
  const CachedTrace *before = g_queue_peek_head (&self->traces);

  if (before != NULL && before->trace != cached->trace)
    eng_trace_forget_attention (before->trace);
  g_queue_push_head (&self->traces, cached);
}

/* With the lock. */
static void
drop_oldest (AppTraceCache *self)
{
  CachedTrace *oldest = g_queue_pop_tail (&self->traces);

  self->n_bytes -= oldest->n_bytes;
  cached_trace_free (oldest);
}

static void
keep (AppTraceCache *self,
      guint          n_traces)
{
  g_mutex_lock (&self->lock);
  while (self->traces.length > n_traces)
    drop_oldest (self);
  g_mutex_unlock (&self->lock);
}

AppTraceCache *
app_trace_cache_new (void)
{
  AppTraceCache *self = g_new0 (AppTraceCache, 1);

  g_mutex_init (&self->lock);
  return self;
}

void
app_trace_cache_free (AppTraceCache *self)
{
  app_trace_cache_clear (self);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
app_trace_cache_clear (AppTraceCache *self)
{
  keep (self, 0);
}

void
app_trace_cache_shrink (AppTraceCache *self)
{
  keep (self, 1);
}

char *
app_trace_cache_key (const EngModel   *model,
                     const UiDocument *document)
{
  g_autofree char *pass = ui_document_describe_pass (document);

  return g_strdup_printf ("%p %s", model, pass);
}

EngTrace *
app_trace_cache_find (AppTraceCache *self,
                      const char    *key,
                      double        *milliseconds)
{
  EngTrace *trace = NULL;

  g_mutex_lock (&self->lock);
  for (GList *link = self->traces.head; link != NULL; link = link->next) {
    CachedTrace *cached = link->data;

    if (!g_str_equal (cached->key, key))
      continue;
    g_queue_delete_link (&self->traces, link);
    push_latest (self, cached);
    *milliseconds = cached->milliseconds;
    trace = eng_trace_ref (cached->trace);
    break;
  }
  g_mutex_unlock (&self->lock);

  return trace;
}

void
app_trace_cache_add (AppTraceCache *self,
                     const char    *key,
                     EngTrace      *trace,
                     double         milliseconds)
{
  CachedTrace *cached = g_new0 (CachedTrace, 1);

  cached->key = g_strdup (key);
  cached->trace = eng_trace_ref (trace);
  cached->milliseconds = milliseconds;
  cached->n_bytes = eng_trace_get_n_bytes (trace);

  g_mutex_lock (&self->lock);
  push_latest (self, cached);
  self->n_bytes += cached->n_bytes;
  while (self->traces.length > MAX_TRACES
         || (self->n_bytes > MAX_BYTES && self->traces.length > 1))
    drop_oldest (self);
  g_mutex_unlock (&self->lock);
}
