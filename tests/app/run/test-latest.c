/* SPDX-License-Identifier: MIT */
/* The mailbox that threads speak through: what is delivered where, what is replaced, what is freed.
 * Items are numbers on the heap. */
#include "app/run/latest.h"

#define N_ITEMS   2000
#define N_THREADS 4
#define PAUSE_US  100000

typedef struct {
  AppLatest    *latest;
  GMainContext *context;
  GArray       *taken; /* of int */
  gboolean      closes; /* with the first item */
} Fixture;

typedef struct {
  AppLatest *latest;
  int        first;
} Putter;

static gint n_freed; /* atomic */

static void
free_item (gpointer item)
{
  g_atomic_int_inc (&n_freed);
  g_free (item);
}

static void
put (AppLatest *latest,
     int        number,
     gboolean   can_wait)
{
  int *item = g_new (int, 1);

  *item = number;
  app_latest_put (latest, item, can_wait);
}

static void
take (gpointer item,
      gpointer data)
{
  Fixture *fixture = data;

  g_assert_true (g_main_context_is_owner (fixture->context));
  g_array_append_val (fixture->taken, *(int *) item);
  if (fixture->closes)
    g_clear_pointer (&fixture->latest, app_latest_free);
}

static void
iterate (Fixture *fixture)
{
  while (g_main_context_iteration (fixture->context, FALSE))
    ;
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  g_atomic_int_set (&n_freed, 0);
  fixture->context = g_main_context_new ();
  fixture->taken = g_array_new (FALSE, FALSE, sizeof (int));
  g_main_context_push_thread_default (fixture->context);
  fixture->latest = app_latest_new (take, fixture, free_item, PAUSE_US);
  g_main_context_pop_thread_default (fixture->context);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_clear_pointer (&fixture->latest, app_latest_free);
  g_main_context_unref (fixture->context);
  g_array_unref (fixture->taken);
}

static void
assert_taken (const Fixture *fixture,
              guint          n,
              int            last)
{
  g_assert_cmpuint (fixture->taken->len, ==, n);
  if (n > 0)
    g_assert_cmpint (g_array_index (fixture->taken, int, n - 1), ==, last);
}

/* In the context that it was made in, and in no other. */
static void
test_latest_wins (Fixture       *fixture,
                  gconstpointer  data)
{
  for (int i = 1; i <= 3; i++)
    put (fixture->latest, i, FALSE);
  g_assert_cmpint (g_atomic_int_get (&n_freed), ==, 2);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  assert_taken (fixture, 0, 0);
  iterate (fixture);
  assert_taken (fixture, 1, 3);
  g_assert_cmpint (g_atomic_int_get (&n_freed), ==, 3);

  put (fixture->latest, 4, FALSE);
  iterate (fixture);
  assert_taken (fixture, 2, 4);
}

static void
test_pause (Fixture       *fixture,
            gconstpointer  data)
{
  gint64 start;

  /* The first has nothing to wait for. */
  put (fixture->latest, 1, TRUE);
  iterate (fixture);
  assert_taken (fixture, 1, 1);
  start = g_get_monotonic_time ();
  put (fixture->latest, 2, TRUE);
  put (fixture->latest, 3, TRUE);
  while (fixture->taken->len < 2)
    g_main_context_iteration (fixture->context, TRUE);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, PAUSE_US / 2);
  assert_taken (fixture, 2, 3);

  /* What cannot wait takes the place of what waits. */
  put (fixture->latest, 4, TRUE);
  put (fixture->latest, 5, FALSE);
  iterate (fixture);
  assert_taken (fixture, 3, 5);
}

static void
test_drop (Fixture       *fixture,
           gconstpointer  data)
{
  put (fixture->latest, 1, FALSE);
  app_latest_drop (fixture->latest);
  g_assert_cmpint (g_atomic_int_get (&n_freed), ==, 1);
  iterate (fixture);
  assert_taken (fixture, 0, 0);
  put (fixture->latest, 2, FALSE);
  iterate (fixture);
  assert_taken (fixture, 1, 2);
}

static void
test_close (Fixture       *fixture,
            gconstpointer  data)
{
  put (fixture->latest, 1, FALSE);
  g_clear_pointer (&fixture->latest, app_latest_free);
  g_assert_cmpint (g_atomic_int_get (&n_freed), ==, 1);
  iterate (fixture);
  assert_taken (fixture, 0, 0);
}

/* By whoever is just given something. */
static void
test_close_meanwhile (Fixture       *fixture,
                      gconstpointer  data)
{
  fixture->closes = TRUE;
  put (fixture->latest, 1, FALSE);
  iterate (fixture);
  assert_taken (fixture, 1, 1);
  g_assert_null (fixture->latest);
  g_assert_cmpint (g_atomic_int_get (&n_freed), ==, 1);
}

static gpointer
put_many (gpointer data)
{
  const Putter *putter = data;

  for (int i = 0; i < N_ITEMS; i++)
    put (putter->latest, putter->first + i, FALSE);
  return NULL;
}

/* What comes from one thread keeps its order; every item is freed once. */
static void
test_threads (Fixture       *fixture,
              gconstpointer  data)
{
  int seen[N_THREADS] = { 0 };
  Putter putters[N_THREADS];
  GThread *threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++) {
    putters[i] = (Putter) { fixture->latest, i * N_ITEMS };
    threads[i] = g_thread_new ("put", put_many, &putters[i]);
  }
  while (g_atomic_int_get (&n_freed) < N_THREADS * N_ITEMS)
    g_main_context_iteration (fixture->context, TRUE);
  for (int i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  iterate (fixture);

  g_assert_cmpint (g_atomic_int_get (&n_freed), ==, N_THREADS * N_ITEMS);
  for (guint i = 0; i < fixture->taken->len; i++) {
    const int number = g_array_index (fixture->taken, int, i);

    g_assert_cmpint (number % N_ITEMS, >=, seen[number / N_ITEMS]);
    seen[number / N_ITEMS] = number % N_ITEMS + 1;
  }
  /* The very last of all is one thread's last. */
  g_assert_cmpint (g_array_index (fixture->taken, int, fixture->taken->len - 1) % N_ITEMS, ==,
                   N_ITEMS - 1);
}

#define ADD(path, test) g_test_add ("/app/latest/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("latest-wins", test_latest_wins);
  ADD ("pause", test_pause);
  ADD ("drop", test_drop);
  ADD ("close", test_close);
  ADD ("close-meanwhile", test_close_meanwhile);
  ADD ("threads", test_threads);

  return g_test_run ();
}
