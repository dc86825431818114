/* SPDX-License-Identifier: MIT */
/* How long it takes to take each of BERT-base's 144 heads away in turn, with the change of a
 * prediction among 30,522 classes, beside what as many single passes would take; and how soon it
 * answers when it is cancelled. Prints the fastest of some tries, and of the cancels the slowest
 * place's. */
#include "engine/predict/sweep.h"
#include "tests/support/random-model.h"

#include <stdlib.h>

#define TRIES 3
#define N_PLACES 8
#define N_HEADS 144

typedef struct {
  gint   cancel;
  double delay;        /* ms after the start */
  gint64 cancelled_at; /* µs */
} Canceller;

static gpointer
cancel_later (gpointer data)
{
  Canceller *canceller = data;

  g_usleep ((gulong) (canceller->delay * 1000));
  canceller->cancelled_at = g_get_monotonic_time ();
  g_atomic_int_set (&canceller->cancel, 1);

  return NULL;
}

/* Milliseconds of a sweep, or from the flag to the answer when delay is not negative. */
static double
measure (EngModel  *model,
         EngTokens *tokens,
         double     delay)
{
  Canceller canceller = { .delay = delay, .cancelled_at = g_get_monotonic_time () };
  EngRunRequest request = { .tokens = tokens, .cancel = &canceller.cancel };
  GThread *thread = delay < 0 ? NULL : g_thread_new ("cancel", cancel_later, &canceller);
  EngSweep *sweep = eng_sweep_run (model, &request, ENG_KIND_ENCODER, ENG_TASK_NEXT_SENTENCE,
                                   ENG_EDIT_SCALE_HEAD, 0, NULL, NULL, NULL);
  gint64 answered = g_get_monotonic_time ();

  if (thread != NULL)
    g_thread_join (thread);
  g_clear_pointer (&sweep, eng_sweep_free);

  return (answered - canceller.cancelled_at) / 1000.0;
}

static double
measure_pass (EngModel  *model,
              EngTokens *tokens)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  EngRunRequest request = { .tokens = tokens, .tasks = 1u << ENG_TASK_NEXT_SENTENCE };
  double fastest = G_MAXDOUBLE;

  for (int try = 0; try < 4 * TRIES; try++) {
    gint64 start = g_get_monotonic_time ();
    g_autoptr (EngTrace) trace = eng_session_run (session, &request, NULL);

    fastest = MIN (fastest, (g_get_monotonic_time () - start) / 1000.0);
  }

  return fastest;
}

static void
print_milliseconds (const char *format,
                    int         n,
                    double      milliseconds)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.1f", milliseconds);
  g_print (format, n, text);
}

static void
measure_length (EngModel *model,
                int       n)
{
  g_autoptr (EngTokens) tokens = test_random_tokens_new (eng_model_get_spec (model), n, 1);
  double fastest = G_MAXDOUBLE, slowest = 0, pass;

  for (int try = 0; try < TRIES; try++)
    fastest = MIN (fastest, measure (model, tokens, -1));
  pass = measure_pass (model, tokens);
  print_milliseconds ("%d tokens: sweep of 144 heads in %s ms", n, fastest);
  print_milliseconds (", %d single passes in %s ms\n", N_HEADS, N_HEADS * pass);

  for (int place = 0; place < N_PLACES; place++) {
    double delay = fastest * (place + 0.5) / N_PLACES, answer = G_MAXDOUBLE;

    for (int try = 0; try < TRIES; try++) {
      double once = measure (model, tokens, delay);

      /* Below 0 the sweep was over before. */
      if (once >= 0)
        answer = MIN (answer, once);
    }
    if (answer != G_MAXDOUBLE)
      slowest = MAX (slowest, answer);
  }
  print_milliseconds ("%d tokens: cancelled sweeps answered within %s ms\n", n, slowest);
}

int
main (void)
{
  EngSpec spec;

  test_bert_base_spec (&spec);
  spec.heads[ENG_TASK_NEXT_SENTENCE] =
    (EngHeadSpec) { .present = TRUE, .input = ENG_HEAD_FIRST, .n_classes = 30522 };

  g_autoptr (EngModel) model = test_random_model_new (&spec, 1, NULL);

  measure_length (model, 16);
  measure_length (model, 128);

  return 0;
}
