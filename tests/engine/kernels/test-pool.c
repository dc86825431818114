/* SPDX-License-Identifier: MIT */
#include "engine/kernels/pool.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define MAX_CHUNKS 1000

typedef struct {
  gint counts[MAX_CHUNKS];
  gint busy[64];  /* per worker: chunks running now */
  gint clashes;
  gint cancel;
  gint n_run;
} Call;

static void
count_chunk (int      chunk,
             int      worker,
             gpointer data)
{
  Call *call = data;

  g_assert_cmpint (worker, >=, 0);
  g_assert_cmpint (worker, <, eng_pool_get_n_workers ());
  if (g_atomic_int_add (&call->busy[worker], 1) != 0)
    g_atomic_int_inc (&call->clashes);
  g_atomic_int_inc (&call->counts[chunk]);
  for (volatile int i = 0; i < 200; i++)
    ;
  g_atomic_int_add (&call->busy[worker], -1);
}

static void
check_counts (const Call *call,
              int         n_chunks)
{
  for (int i = 0; i < MAX_CHUNKS; i++)
    g_assert_cmpint (call->counts[i], ==, i < n_chunks ? 1 : 0);
  g_assert_cmpint (call->clashes, ==, 0);
}

static void
test_every_chunk_once (void)
{
  static const int sizes[] = { 0, 1, 2, 3, 7, 64, 999, 1000 };

  for (int round = 0; round < 200; round++) {
    int n_chunks = sizes[round % G_N_ELEMENTS (sizes)];
    Call call = { 0 };

    eng_pool_run (n_chunks, count_chunk, &call, NULL);
    check_counts (&call, n_chunks);
  }
}

static void
run_inner_call (int      chunk,
                int      worker,
                gpointer data)
{
  Call inner = { 0 };
  Call *outer = data;

  eng_pool_run (10, count_chunk, &inner, NULL);
  check_counts (&inner, 10);
  g_atomic_int_inc (&outer->counts[chunk]);
}

static void
test_nested (void)
{
  Call call = { 0 };

  eng_pool_run (20, run_inner_call, &call, NULL);
  check_counts (&call, 20);
}

static gpointer
call_often (gpointer data)
{
  for (int i = 0; i < 300; i++) {
    Call call = { 0 };

    eng_pool_run (i % 50, count_chunk, &call, NULL);
    check_counts (&call, i % 50);
  }
  return NULL;
}

static void
test_callers_at_once (void)
{
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("caller", call_often, NULL);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
}

static void
cancel_at_once (int      chunk,
                int      worker,
                gpointer data)
{
  Call *call = data;

  g_atomic_int_set (&call->cancel, 1);
  g_atomic_int_inc (&call->n_run);
}

static void
test_cancel (void)
{
  Call call = { 0 };

  eng_pool_run (MAX_CHUNKS, cancel_at_once, &call, &call.cancel);
  g_assert_cmpint (call.n_run, >=, 1);
  g_assert_cmpint (call.n_run, <=, eng_pool_get_n_workers ());

  call.n_run = 0;
  eng_pool_run (MAX_CHUNKS, cancel_at_once, &call, &call.cancel);
  g_assert_cmpint (call.n_run, ==, 0);
}

#define N_NICE_CHUNKS 200

/* Long enough for every thread to take some. */
static void
note_priority (int      chunk,
               int      worker,
               gpointer data)
{
  int *priorities = data;

  priorities[chunk] = getpriority (PRIO_PROCESS, 0);
  g_usleep (100);
}

static gpointer
run_in_background (gpointer data)
{
  eng_pool_enter_background ();
  eng_pool_run (N_NICE_CHUNKS, note_priority, data, NULL);

  return NULL;
}

static void
check_priorities (const int *priorities,
                  int        expected)
{
  for (int i = 0; i < N_NICE_CHUNKS; i++)
    g_assert_cmpint (priorities[i], ==, expected);
}

/* Every thread of a call from there, and none of a call from elsewhere, before or after. */
static void
test_background (void)
{
  int priorities[N_NICE_CHUNKS];
  int mine = getpriority (PRIO_PROCESS, 0);

  eng_pool_run (N_NICE_CHUNKS, note_priority, priorities, NULL);
  check_priorities (priorities, mine);
  g_thread_join (g_thread_new ("background", run_in_background, priorities));
  check_priorities (priorities, 19);
  eng_pool_run (N_NICE_CHUNKS, note_priority, priorities, NULL);
  check_priorities (priorities, mine);
}

static void
test_shutdown (void)
{
  for (int i = 0; i < 20; i++) {
    Call call = { 0 };

    eng_pool_run (100, count_chunk, &call, NULL);
    check_counts (&call, 100);
    eng_pool_shutdown ();
  }
  eng_pool_shutdown ();
}

static double
get_cpu_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

/* A pool that spun while it waits would use hundreds of milliseconds here. */
static void
test_sleeps_when_idle (void)
{
  Call call = { 0 };
  double before;

  eng_pool_run (100, count_chunk, &call, NULL);

  /* The threads that a library starts when it is loaded, as OpenBLAS does, are not meant here. */
  g_usleep (300 * 1000);
  before = get_cpu_milliseconds ();
  g_usleep (300 * 1000);
  g_test_message ("%.1f ms of CPU in 300 ms of rest", get_cpu_milliseconds () - before);
  g_assert_cmpfloat (get_cpu_milliseconds () - before, <, 30);
}

int
main (int    argc,
      char **argv)
{
  g_setenv ("HEADLIGHT_THREADS", "3", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pool/every-chunk-once", test_every_chunk_once);
  g_test_add_func ("/pool/nested", test_nested);
  g_test_add_func ("/pool/callers-at-once", test_callers_at_once);
  g_test_add_func ("/pool/cancel", test_cancel);
  g_test_add_func ("/pool/background", test_background);
  g_test_add_func ("/pool/shutdown", test_shutdown);
  g_test_add_func ("/pool/sleeps-when-idle", test_sleeps_when_idle);
  return g_test_run ();
}
