/* SPDX-License-Identifier: MIT */
/* How OpenBLAS is called, with functions of ours in its place: every thread has to say that it
 * wants one thread, because a build with OpenMP keeps that number for each of them. */
#include <cblas.h>

#include "engine/kernels/arena.h"
#include "engine/kernels/linalg.h"
#include "engine/kernels/pool.h"

#define N_THREADS 4

static _Thread_local int n_allowed = 0;
static gint n_products, n_wrong, n_seen;

void
openblas_set_num_threads (int n)
{
  n_allowed = n;
}

void
cblas_sgemm (OPENBLAS_CONST enum CBLAS_ORDER      order,
             OPENBLAS_CONST enum CBLAS_TRANSPOSE  trans_a,
             OPENBLAS_CONST enum CBLAS_TRANSPOSE  trans_b,
             OPENBLAS_CONST blasint               m,
             OPENBLAS_CONST blasint               n,
             OPENBLAS_CONST blasint               k,
             OPENBLAS_CONST float                 alpha,
             OPENBLAS_CONST float                *a,
             OPENBLAS_CONST blasint               a_stride,
             OPENBLAS_CONST float                *b,
             OPENBLAS_CONST blasint               b_stride,
             OPENBLAS_CONST float                 beta,
             float                               *c,
             OPENBLAS_CONST blasint               c_stride)
{
  static _Thread_local gboolean seen = FALSE;

  g_atomic_int_inc (&n_products);
  if (n_allowed != 1)
    g_atomic_int_inc (&n_wrong);
  if (!seen)
    g_atomic_int_inc (&n_seen);
  seen = TRUE;
  /* Long enough for every thread of the pool to get a chunk. */
  g_usleep (2000);
}

static void
test_one_thread (void)
{
  const int n = 2, in = 3, out = 24 * 50;
  g_autofree float *numbers = g_new0 (float, in * out);
  g_autoptr (EngArena) arena = eng_arena_new ();
  EngLinear linear = { numbers, NULL, out, in };
  EngProduct product = { &linear, g_newa (float, n * out) };
  gsize n_scratch = eng_products_n_scratch (n, in);

  eng_arena_measure (arena);
  eng_arena_floats (arena, n_scratch);
  g_assert_true (eng_arena_allocate (arena, NULL));
  eng_products (&product, 1, numbers, n, ENG_ACTIVATION_LINEAR, eng_arena_floats (arena, n_scratch),
                NULL);

  g_test_message ("%d products by %d threads", n_products, n_seen);
  g_assert_cmpint (n_products, >=, N_THREADS);
  g_assert_cmpint (n_seen, >, 1);
  g_assert_cmpint (n_wrong, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_setenv ("HEADLIGHT_THREADS", G_STRINGIFY (N_THREADS), TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/openblas/one-thread", test_one_thread);
  return g_test_run ();
}
