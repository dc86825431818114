/* SPDX-License-Identifier: MIT */
#include "engine/trace/rollout-cache.h"

#define MAX_BYTES ((gsize) 64 << 20)
/* How soon who waits for another's rollout sees a raised flag. */
#define POLL_MICROSECONDS 10000

typedef struct {
  EngKind       kind;
  int           layer;
  gsize         n_bytes;
  EngAttention *rollout;
} Kept;

struct _EngRolloutCache {
  GMutex   lock;
  GCond    idle;
  gboolean busy; /* somebody computes */
  GQueue   kept; /* of Kept, the latest first */
};

static void
kept_free (Kept *self)
{
  eng_attention_unref (self->rollout);
  g_free (self);
}

/* The rollout of the highest layer up to this one that is kept; it becomes the latest. Needs the
 * lock. */
static Kept *
find_highest (EngRolloutCache *self,
              EngKind          kind,
              int              layer)
{
  GList *found = NULL;

  for (GList *link = self->kept.head; link; link = link->next) {
    const Kept *kept = link->data;

    if (kept->kind == kind && kept->layer <= layer
        && (!found || kept->layer > ((const Kept *) found->data)->layer))
      found = link;
  }
  if (!found)
    return NULL;
  g_queue_unlink (&self->kept, found);
  g_queue_push_head_link (&self->kept, found);

  return found->data;
}

EngRolloutCache *
eng_rollout_cache_new (void)
{
  EngRolloutCache *self = g_new0 (EngRolloutCache, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->idle);
  g_queue_init (&self->kept);

  return self;
}

void
eng_rollout_cache_free (EngRolloutCache *self)
{
  g_queue_clear_full (&self->kept, (GDestroyNotify) kept_free);
  g_cond_clear (&self->idle);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
eng_rollout_cache_clear (EngRolloutCache *self)
{
  g_mutex_lock (&self->lock);
  g_queue_clear_full (&self->kept, (GDestroyNotify) kept_free);
  g_mutex_unlock (&self->lock);
}

gboolean
eng_rollout_cache_take_turn (EngRolloutCache  *self,
                             EngKind           kind,
                             int               layer,
                             const gint       *cancel,
                             EngAttention    **rollout)
{
  gboolean turn = FALSE;

  *rollout = NULL;
  g_mutex_lock (&self->lock);
  while (TRUE) {
    const Kept *kept = find_highest (self, kind, layer);

    if (kept && kept->layer == layer) {
      *rollout = eng_attention_ref (kept->rollout);
      break;
    }
    if (cancel && g_atomic_int_get (cancel))
      break;
    if (!self->busy) {
      self->busy = turn = TRUE;
      break;
    }
    g_cond_wait_until (&self->idle, &self->lock, g_get_monotonic_time () + POLL_MICROSECONDS);
  }
  g_mutex_unlock (&self->lock);

  return turn;
}

void
eng_rollout_cache_end_turn (EngRolloutCache *self)
{
  g_mutex_lock (&self->lock);
  self->busy = FALSE;
  g_cond_broadcast (&self->idle);
  g_mutex_unlock (&self->lock);
}

EngAttention *
eng_rollout_cache_dup_highest (EngRolloutCache *self,
                               EngKind          kind,
                               int              layer,
                               int             *found)
{
  EngAttention *rollout = NULL;
  const Kept *kept;

  g_mutex_lock (&self->lock);
  kept = find_highest (self, kind, layer);
  if (kept) {
    rollout = eng_attention_ref (kept->rollout);
    *found = kept->layer;
  }
  g_mutex_unlock (&self->lock);

  return rollout;
}

void
eng_rollout_cache_keep (EngRolloutCache *self,
                        EngKind          kind,
                        int              layer,
                        EngAttention    *rollout)
{
  gsize n = (gsize) rollout->n_queries;
  Kept *latest = g_new (Kept, 1);
  gsize total = 0;

  *latest = (Kept) { kind, layer, n * n * (sizeof (float) + (rollout->mask ? 1 : 0)),
                     eng_attention_ref (rollout) };
  g_mutex_lock (&self->lock);
  g_queue_push_head (&self->kept, latest);
  for (GList *link = self->kept.head; link; link = link->next)
    total += ((const Kept *) link->data)->n_bytes;
  while (total > MAX_BYTES && self->kept.length > 1) {
    Kept *oldest = g_queue_pop_tail (&self->kept);

    total -= oldest->n_bytes;
    kept_free (oldest);
  }
  g_mutex_unlock (&self->lock);
}
