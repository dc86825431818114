/* SPDX-License-Identifier: MIT */
#include "engine/kernels/pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "engine/kernels/cpus.h"

#define MAX_WORKERS 64
/* Pauses before a thread sleeps: about 0.1 ms, longer than what is serial between two products. */
#define SPINS 2000
/* Of what takes what others leave. */
#define NICEST 19

/* The chunks are split into one range per worker, so that neighbours stay together and prefetched
 * weights are used; who is done steals from the others. Each range has a cache line of its own. */
typedef struct {
  _Alignas (128) atomic_int next;
  int end;
} ChunkRange;

typedef struct {
  GMutex       lock; /* held by the caller that has the pool */
  gboolean     started;
  int          n_workers; /* that run: the caller and the threads */
  GThread     *threads[MAX_WORKERS];

  EngPoolFunc  func;
  gpointer     data;
  const gint  *cancel;
  int          n_chunks;
  ChunkRange   ranges[MAX_WORKERS];

  atomic_uint  call;    /* counts the calls; a change is the signal to start */
  atomic_bool  open;    /* whether the call still takes workers */
  atomic_int   inside;  /* workers that read the call's members */
  atomic_int   n_done;
  atomic_bool  quit;

  GMutex       sleep_lock;
  GCond        wake;
  atomic_int   n_asleep;
} Pool;

/* Threads cannot become quicker again, so those of the background are others. */
enum { FOREGROUND, BACKGROUND, N_POOLS };

static Pool pools[N_POOLS];
/* Of the calling thread. */
static _Thread_local Pool *pool = &pools[FOREGROUND];

/* Of the calling thread alone, as Linux has it. */
static void
make_nice (void)
{
#ifdef __linux__
  setpriority (PRIO_PROCESS, 0, NICEST);
#endif
}

static void
pause_briefly (void)
{
#if defined (__x86_64__) || defined (__i386__)
  __builtin_ia32_pause ();
#endif
}

static gboolean
is_cancelled (const gint *cancel)
{
  return cancel != NULL && g_atomic_int_get (cancel) != 0;
}

static void
run_range (ChunkRange *range,
           int         worker)
{
  for (;;) {
    int chunk = atomic_fetch_add_explicit (&range->next, 1, memory_order_relaxed);

    if (chunk >= range->end)
      return;
    if (!is_cancelled (pool->cancel))
      pool->func (chunk, worker, pool->data);
    atomic_fetch_add_explicit (&pool->n_done, 1, memory_order_release);
  }
}

static void
run_ranges (int worker)
{
  for (int i = 0; i < pool->n_workers; i++)
    run_range (&pool->ranges[(worker + i) % pool->n_workers], worker);
}

static void
wait_for_call (unsigned last_call)
{
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load_explicit (&pool->call, memory_order_acquire) != last_call)
      return;
    pause_briefly ();
  }

  g_mutex_lock (&pool->sleep_lock);
  atomic_fetch_add (&pool->n_asleep, 1);
  while (atomic_load (&pool->call) == last_call)
    g_cond_wait (&pool->wake, &pool->sleep_lock);
  atomic_fetch_sub (&pool->n_asleep, 1);
  g_mutex_unlock (&pool->sleep_lock);
}

/* What a thread begins with. */
typedef struct {
  Pool *pool;
  int   worker;
} Seat;

/* A thread that wakes late may find that its call is over, or even the next one under way. It says
 * that it is inside before it looks whether the call is open, and the caller closes before it looks
 * whether anyone is inside: so nobody reads the members of a call that is being replaced. */
static gpointer
work (gpointer data)
{
  Seat *seat = data;
  int worker = seat->worker;
  unsigned last_call = 0;

  pool = seat->pool;
  g_free (seat);
  if (pool == &pools[BACKGROUND])
    make_nice ();
  for (;;) {
    wait_for_call (last_call);
    last_call = atomic_load (&pool->call);
    if (atomic_load (&pool->quit))
      return NULL;

    atomic_fetch_add (&pool->inside, 1);
    if (atomic_load (&pool->open))
      run_ranges (worker);
    atomic_fetch_sub (&pool->inside, 1);
  }
}

static int
count_workers (void)
{
  const char *wanted = g_getenv ("HEADLIGHT_THREADS");
  int n = wanted != NULL ? atoi (wanted) : 0;

  if (n <= 0)
    n = eng_cpus_count ();
  return CLAMP (n, 1, MAX_WORKERS);
}

static void
start_threads (void)
{
  int wanted = eng_pool_get_n_workers ();

  atomic_store (&pool->call, 0);
  atomic_store (&pool->quit, FALSE);
  pool->n_workers = 1;
  for (int i = 1; i < wanted; i++) {
    /* Where the system gives no more threads there are fewer workers. */
    Seat *seat = g_new (Seat, 1);

    *seat = (Seat) { pool, i };
    pool->threads[i] = g_thread_try_new ("headlight-pool", work, seat, NULL);
    if (pool->threads[i] == NULL) {
      g_free (seat);
      break;
    }
    pool->n_workers++;
  }
  pool->started = TRUE;
}

static void
announce_call (void)
{
  atomic_fetch_add (&pool->call, 1);
  if (atomic_load (&pool->n_asleep) == 0)
    return;
  g_mutex_lock (&pool->sleep_lock);
  g_cond_broadcast (&pool->wake);
  g_mutex_unlock (&pool->sleep_lock);
}

static void
open_call (int          n_chunks,
           EngPoolFunc  func,
           gpointer     data,
           const gint  *cancel)
{
  pool->func = func;
  pool->data = data;
  pool->cancel = cancel;
  pool->n_chunks = n_chunks;
  for (int i = 0; i < pool->n_workers; i++) {
    int first = (int) ((gint64) n_chunks * i / pool->n_workers);

    atomic_store_explicit (&pool->ranges[i].next, first, memory_order_relaxed);
    pool->ranges[i].end = (int) ((gint64) n_chunks * (i + 1) / pool->n_workers);
  }
  atomic_store_explicit (&pool->n_done, 0, memory_order_relaxed);
  atomic_store (&pool->open, TRUE);
  announce_call ();
}

static void
wait_until_done (void)
{
  for (int i = 0; atomic_load_explicit (&pool->n_done, memory_order_acquire) != pool->n_chunks; i++) {
    pause_briefly ();
    /* A worker may have lost its CPU to another program, or wait for ours. */
    if (i > SPINS)
      sched_yield ();
  }
}

static void
close_call (void)
{
  atomic_store (&pool->open, FALSE);
  for (int i = 0; atomic_load (&pool->inside) != 0; i++) {
    pause_briefly ();
    if (i > SPINS)
      sched_yield ();
  }
}

static void
run_alone (int          n_chunks,
           EngPoolFunc  func,
           gpointer     data,
           const gint  *cancel)
{
  for (int i = 0; i < n_chunks && !is_cancelled (cancel); i++)
    func (i, 0, data);
}

int
eng_pool_get_n_workers (void)
{
  static gsize n_workers = 0;

  if (g_once_init_enter (&n_workers))
    g_once_init_leave (&n_workers, count_workers ());
  return (int) n_workers;
}

void
eng_pool_run (int          n_chunks,
              EngPoolFunc  func,
              gpointer     data,
              const gint  *cancel)
{
  if (n_chunks <= 1 || eng_pool_get_n_workers () == 1 || !g_mutex_trylock (&pool->lock)) {
    run_alone (n_chunks, func, data, cancel);
    return;
  }

  if (!pool->started)
    start_threads ();
  open_call (n_chunks, func, data, cancel);
  run_ranges (0);
  wait_until_done ();
  close_call ();
  g_mutex_unlock (&pool->lock);
}

void
eng_pool_enter_background (void)
{
  pool = &pools[BACKGROUND];
  make_nice ();
}

static void
end_threads (Pool *ending)
{
  Pool *mine = pool;

  pool = ending;
  g_mutex_lock (&pool->lock);
  if (pool->started) {
    atomic_store (&pool->quit, TRUE);
    announce_call ();
    for (int i = 1; i < pool->n_workers; i++)
      g_thread_join (pool->threads[i]);
    pool->started = FALSE;
  }
  g_mutex_unlock (&pool->lock);
  pool = mine;
}

void
eng_pool_shutdown (void)
{
  for (int i = 0; i < N_POOLS; i++)
    end_threads (&pools[i]);
}
