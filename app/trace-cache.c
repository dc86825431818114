/* SPDX-License-Identifier: MIT */
#include "app/trace-cache.h"

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

/* The other traces are not looked at any more. */
static void
push_latest (AppTraceCache *self,
             CachedTrace   *cached)
{
  const CachedTrace *before = g_queue_peek_head (&self->traces);

  if (before != NULL && before->trace != cached->trace)
    eng_trace_forget_attention (before->trace);
  g_queue_push_head (&self->traces, cached);
}

AppTraceCache *
app_trace_cache_new (void)
{
  return g_new0 (AppTraceCache, 1);
}

void
app_trace_cache_free (AppTraceCache *self)
{
  g_queue_clear_full (&self->traces, (GDestroyNotify) cached_trace_free);
  g_free (self);
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
  for (GList *link = self->traces.head; link != NULL; link = link->next) {
    CachedTrace *cached = link->data;

    if (!g_str_equal (cached->key, key))
      continue;
    g_queue_delete_link (&self->traces, link);
    push_latest (self, cached);
    *milliseconds = cached->milliseconds;
    return cached->trace;
  }

  return NULL;
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
  push_latest (self, cached);
  self->n_bytes += cached->n_bytes;

  while (self->traces.length > MAX_TRACES
         || (self->n_bytes > MAX_BYTES && self->traces.length > 1)) {
    CachedTrace *oldest = g_queue_pop_tail (&self->traces);

    self->n_bytes -= oldest->n_bytes;
    cached_trace_free (oldest);
  }
}
