/* SPDX-License-Identifier: MIT */
#include "app/run/latest.h"

/* Before GTK's layout and drawing, so that what comes is in the very next frame. */
#define LATEST_PRIORITY G_PRIORITY_HIGH_IDLE

/* A source, which GLib holds while it delivers. */
struct _AppLatest {
  GSource        source;
  AppLatestFunc  func;
  gpointer       data;
  GDestroyNotify free_item;
  gint64         pause;

  GMutex         lock; /* over the rest */
  gpointer       item; /* not yet delivered */
  gboolean       can_wait;
  gint64         next; /* when one that can wait may be delivered again; monotonic µs */
};

/* With the lock held. An idle source would wait for ever where frames never end. */
static void
schedule (AppLatest *self)
{
  g_source_set_ready_time (&self->source,
                           self->item == NULL ? -1 : self->can_wait ? self->next : 0);
}

static gpointer
replace (AppLatest *self,
         gpointer   item,
         gboolean   can_wait)
{
  gpointer last;

  g_mutex_lock (&self->lock);
  last = self->item;
  self->item = item;
  self->can_wait = can_wait;
  schedule (self);
  g_mutex_unlock (&self->lock);

  return last;
}

/* Items may come faster than they can be drawn: frames get their time in between. */
static void
pace (AppLatest *self,
      gint64     start)
{
  const gint64 end = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  self->next = end + self->pause + 2 * (end - start);
  schedule (self);
  g_mutex_unlock (&self->lock);
}

static gboolean
deliver (GSource     *source,
         GSourceFunc  unused,
         gpointer     unused_data)
{
  AppLatest *self = (AppLatest *) source;
  const gint64 start = g_get_monotonic_time ();
  gpointer item = replace (self, NULL, FALSE);

  /* Dropped while the source was about to be called. */
  if (item == NULL)
    return G_SOURCE_CONTINUE;

  self->func (item, self->data);
  self->free_item (item);
  pace (self, start);

  return G_SOURCE_CONTINUE;
}

static void
finalize (GSource *source)
{
  g_mutex_clear (&((AppLatest *) source)->lock);
}

AppLatest *
app_latest_new (AppLatestFunc   func,
                gpointer        data,
                GDestroyNotify  free_item,
                gint64          pause)
{
  static GSourceFuncs funcs = { .dispatch = deliver, .finalize = finalize };
  AppLatest *self = (AppLatest *) g_source_new (&funcs, sizeof *self);

  self->func = func;
  self->data = data;
  self->free_item = free_item;
  self->pause = pause;
  g_mutex_init (&self->lock);
  g_source_set_priority (&self->source, LATEST_PRIORITY);
  g_source_attach (&self->source, g_main_context_get_thread_default ());

  return self;
}

void
app_latest_free (AppLatest *self)
{
  app_latest_drop (self);
  g_source_destroy (&self->source);
  g_source_unref (&self->source);
}

void
app_latest_put (AppLatest *self,
                gpointer   item,
                gboolean   can_wait)
{
  gpointer last = replace (self, item, can_wait);

  if (last != NULL)
    self->free_item (last);
}

void
app_latest_drop (AppLatest *self)
{
  app_latest_put (self, NULL, FALSE);
}
