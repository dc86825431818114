/* SPDX-License-Identifier: MIT */
/* How soon a pass of BERT-base at 512 tokens answers when it is cancelled, at places all over the
 * pass, the head over all words included. Prints the fastest of some tries at each place and the
 * slowest of these. */
#include <stdlib.h>

#include "engine/kernels/pool.h"
#include "tests/support/random-model.h"

#define TRIES 4
#define N_PLACES 12

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

/* Milliseconds from the flag to the answer; of the whole pass when delay is negative. */
static double
measure (EngSession *session,
         EngTokens  *tokens,
         double      delay)
{
  Canceller canceller = { .delay = delay, .cancelled_at = g_get_monotonic_time () };
  EngRunRequest request = {
    .tokens = tokens, .tasks = 1u << ENG_TASK_FILL_MASK, .all_positions = TRUE,
    .cancel = &canceller.cancel,
  };
  GThread *thread = delay < 0 ? NULL : g_thread_new ("cancel", cancel_later, &canceller);
  EngTrace *trace = eng_session_run (session, &request, NULL);
  gint64 answered = g_get_monotonic_time ();

  if (thread != NULL)
    g_thread_join (thread);
  g_clear_pointer (&trace, eng_trace_unref);
  return (answered - canceller.cancelled_at) / 1000.0;
}

int
main (void)
{
  EngSpec spec;

  test_bert_base_spec (&spec);
  spec.heads[ENG_TASK_FILL_MASK] =
    (EngHeadSpec) { .present = TRUE, .input = ENG_HEAD_TOKENS, .n_classes = 30522 };

  g_autoptr (EngModel) model = test_random_model_new (&spec, 1, NULL);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 512, 1);
  double slowest = 0, whole;

  measure (session, tokens, -1);
  whole = measure (session, tokens, -1);
  for (int place = 0; place < N_PLACES; place++) {
    double delay = whole * (place + 0.5) / N_PLACES, fastest = G_MAXDOUBLE;
    char text[32];

    for (int try = 0; try < TRIES; try++) {
      double answer = measure (session, tokens, delay);

      /* Below 0 the pass was over before. */
      if (answer >= 0)
        fastest = MIN (fastest, answer);
    }
    if (fastest == G_MAXDOUBLE)
      continue;
    g_print ("cancelled after %d ms: answered in %s ms\n", (int) delay,
             g_ascii_formatd (text, sizeof text, "%.1f", fastest));
    slowest = MAX (slowest, fastest);
  }

  char text[32];

  g_print ("bert-base 512 tokens, a pass of %d ms: slowest answer %s ms\n", (int) whole,
           g_ascii_formatd (text, sizeof text, "%.1f", slowest));
  eng_pool_shutdown ();
  return 0;
}
