/* SPDX-License-Identifier: MIT */
/* A pass as its caller sees it: what it refuses, reports and leaves in the trace. */
#include "engine/transformer/session.h"

#include <math.h>
#include <string.h>

#include "tests/support/random-model.h"

static void
make_spec (EngSpec *spec)
{
  *spec = (EngSpec) {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 4, .vocab_size = 30,
      .sorts[0] = {
        .self = { .n_heads = 2, .n_kv_heads = 2, .head_size = 6, .scale = 1 / sqrt (6) },
        .feed_forward.intermediate_size = 20,
        .norm.eps = 1e-12f,
      },
    },
    .hidden_size = 12,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE, .n_positions = 42, .position_offset = 2, .n_types = 2,
      .has_norm = TRUE,
    },
    .norm.eps = 1e-12f,
  };
  spec->heads[ENG_TASK_NEXT_SENTENCE] =
    (EngHeadSpec) { .present = TRUE, .input = ENG_HEAD_POOLED, .n_classes = 2 };
  spec->heads[ENG_TASK_FILL_MASK] =
    (EngHeadSpec) { .present = TRUE, .input = ENG_HEAD_TOKENS, .has_transform = TRUE,
                    .has_norm = TRUE, .n_classes = 30 };
}

typedef struct {
  EngSpec     spec;
  EngModel   *model;
  EngSession *session;
  EngTokens  *tokens;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  make_spec (&fixture->spec);
  fixture->model = test_random_model_new (&fixture->spec, 1, NULL);
  fixture->session = eng_session_new (fixture->model);
  fixture->tokens = test_random_tokens_new (&fixture->spec, 10, 2);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  eng_tokens_unref (fixture->tokens);
  eng_session_free (fixture->session);
  eng_model_unref (fixture->model);
}

static void
check_refused (Fixture             *fixture,
               const EngRunRequest *request,
               EngError             code,
               const char          *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) trace = eng_session_run (fixture->session, request, &error);

  g_assert_null (trace);
  g_assert_error (error, ENG_ERROR, (gint) code);
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” does not say “%s”", error->message, part);
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
test_refuses (Fixture       *fixture,
              gconstpointer  data)
{
  g_autoptr (EngTokens) none = eng_tokens_new (0);
  g_autoptr (EngTokens) most = test_random_tokens_new (&fixture->spec, 40, 3);
  g_autoptr (EngTokens) many = test_random_tokens_new (&fixture->spec, 41, 3);
  EngEdit edit = { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_KNOCK_OUT_TOKEN, .key = 10 };
  EngRunRequest request = { .tokens = none };

  check_refused (fixture, &request, ENG_ERROR_TEXT, "no tokens");
  request.tokens = many;
  check_refused (fixture, &request, ENG_ERROR_TEXT, "41 tokens");
  request.tokens = most;

  g_autoptr (EngTrace) trace = eng_session_run (fixture->session, &request, NULL);

  g_assert_nonnull (trace);
  request.tokens = fixture->tokens;
  fixture->tokens->ids[4] = 30;
  check_refused (fixture, &request, ENG_ERROR_RANGE, "token 4 has the id 30");
  fixture->tokens->ids[4] = -1;
  check_refused (fixture, &request, ENG_ERROR_RANGE, "id -1");
  fixture->tokens->ids[4] = 29;
  fixture->tokens->type_ids[9] = 2;
  check_refused (fixture, &request, ENG_ERROR_RANGE, "token 9 has the type 2");
  fixture->tokens->type_ids[9] = 1;
  request.edits = &edit;
  request.n_edits = 1;
  check_refused (fixture, &request, ENG_ERROR_RANGE, "10");
}

typedef struct {
  int       n_done;
  EngTrace *trace;
} Progress;

static void
check_layer_done (EngTrace *trace,
                  EngKind   kind,
                  int       layer,
                  gpointer  data)
{
  Progress *progress = data;
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);
  EngMatrix states;

  g_assert_cmpint (layer, ==, progress->n_done++);
  g_assert_nonnull (attention);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (eng_trace_has_layer (trace, ENG_KIND_ENCODER, i), ==, i <= layer);
  g_assert_false (eng_trace_is_complete (trace));
  g_assert_true (eng_trace_get_hidden_states (trace, ENG_KIND_ENCODER, layer + 1, &states));
  for (int i = 0; i < states.rows * states.cols; i++)
    g_assert_true (isfinite (states.data[i]));
  if (progress->trace == NULL)
    progress->trace = eng_trace_ref (trace);
}

static void
test_progress (Fixture       *fixture,
               gconstpointer  data)
{
  Progress progress = { 0 };
  EngRunRequest request = {
    .tokens = fixture->tokens, .text_a = "a", .text_b = "b",
    .layer_done = check_layer_done, .data = &progress,
  };
  g_autoptr (EngTrace) trace = eng_session_run (fixture->session, &request, NULL);

  g_assert_cmpint (progress.n_done, ==, 4);
  g_assert_true (progress.trace == trace);
  g_assert_true (eng_trace_is_complete (trace));
  g_assert_cmpstr (eng_trace_get_text_b (trace), ==, "b");
  g_assert_cmpfloat (eng_trace_get_wall_time (trace), >, 0);
  eng_trace_unref (progress.trace);
}

static void
test_heads (Fixture       *fixture,
            gconstpointer  data)
{
  EngRunRequest request = {
    .tokens = fixture->tokens, .tasks = (1u << ENG_N_TASKS) - 1, .all_positions = TRUE,
  };
  g_autoptr (EngTrace) all = eng_session_run (fixture->session, &request, NULL);
  EngMatrix logits;
  const int *positions;

  g_assert_true (eng_trace_get_logits (all, ENG_TASK_NEXT_SENTENCE, &logits, &positions));
  g_assert_cmpint (logits.rows, ==, 1);
  g_assert_cmpint (logits.cols, ==, 2);
  g_assert_cmpint (positions[0], ==, 0);
  g_assert_true (eng_trace_get_logits (all, ENG_TASK_FILL_MASK, &logits, &positions));
  g_assert_cmpint (logits.rows, ==, 10);
  g_assert_cmpint (logits.cols, ==, 30);
  for (int i = 0; i < 10; i++)
    g_assert_cmpint (positions[i], ==, i);
  g_assert_false (eng_trace_get_logits (all, ENG_TASK_ENTITIES, &logits, NULL));

  /* This model has no tokenizer, hence no mask token: no position is read. */
  request.all_positions = FALSE;

  g_autoptr (EngTrace) masked = eng_session_run (fixture->session, &request, NULL);

  g_assert_false (eng_trace_get_logits (masked, ENG_TASK_FILL_MASK, &logits, NULL));
  g_assert_true (eng_trace_get_logits (masked, ENG_TASK_NEXT_SENTENCE, &logits, NULL));

  request.tasks = 0;

  g_autoptr (EngTrace) none = eng_session_run (fixture->session, &request, NULL);

  g_assert_false (eng_trace_get_logits (none, ENG_TASK_NEXT_SENTENCE, &logits, NULL));
}

/* The trace owns what it shows: it outlives session, model and tokens. */
static void
test_trace_outlives (void)
{
  EngSpec spec;

  make_spec (&spec);

  EngModel *model = test_random_model_new (&spec, 1, NULL);
  EngSession *session = eng_session_new (model);
  EngTokens *tokens = test_random_tokens_new (&spec, 10, 2);
  EngRunRequest request = { .tokens = tokens };
  g_autoptr (EngTrace) trace = eng_session_run (session, &request, NULL);
  const float *norms;

  eng_tokens_unref (tokens);
  eng_session_free (session);
  eng_model_unref (model);

  norms = eng_trace_get_value_output_norms (trace, ENG_KIND_ENCODER, 3, 1);
  for (int i = 0; i < 10; i++)
    g_assert_cmpfloat (norms[i], >, 0);
  g_assert_cmpstr (eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER)->texts[9], ==, "t9");
}

static void
test_edits_are_told (Fixture       *fixture,
                     gconstpointer  data)
{
  EngEdit edits[] = {
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SCALE_HEAD, .layer = 2, .head = 1, .factor = 0 },
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_KNOCK_OUT_TOKEN, .key = 3 },
  };
  EngRunRequest request = { .tokens = fixture->tokens, .edits = edits, .n_edits = 2 };
  g_autoptr (EngTrace) trace = eng_session_run (fixture->session, &request, NULL);
  const char *const *texts = eng_trace_get_edits (trace);
  const guint8 *mask = eng_trace_get_mask (trace, ENG_KIND_ENCODER, 0);
  g_autofree char *first = eng_edit_to_string (&edits[0]);

  g_assert_cmpstr (texts[0], ==, first);
  g_assert_nonnull (texts[1]);
  g_assert_null (texts[2]);
  for (int i = 0; i < 100; i++)
    g_assert_cmpint (mask[i], ==, i % 10 != 3);
}

typedef struct {
  gint cancel;
  int  at_layer;
} Canceller;

static void
cancel_at_layer (EngTrace *trace,
                 EngKind   kind,
                 int       layer,
                 gpointer  data)
{
  Canceller *canceller = data;

  if (layer == canceller->at_layer)
    g_atomic_int_set (&canceller->cancel, 1);
}

static void
test_cancel (Fixture       *fixture,
             gconstpointer  data)
{
  for (int layer = -1; layer < 4; layer++) {
    Canceller canceller = { .cancel = layer < 0, .at_layer = layer };
    EngRunRequest request = {
      .tokens = fixture->tokens, .tasks = (1u << ENG_N_TASKS) - 1, .all_positions = TRUE,
      .cancel = &canceller.cancel, .layer_done = cancel_at_layer, .data = &canceller,
    };

    check_refused (fixture, &request, ENG_ERROR_CANCELLED, "cancelled");
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/forward/refuses", Fixture, NULL, set_up, test_refuses, tear_down);
  g_test_add ("/forward/progress", Fixture, NULL, set_up, test_progress, tear_down);
  g_test_add ("/forward/heads", Fixture, NULL, set_up, test_heads, tear_down);
  g_test_add_func ("/forward/trace-outlives", test_trace_outlives);
  g_test_add ("/forward/edits-are-told", Fixture, NULL, set_up, test_edits_are_told, tear_down);
  g_test_add ("/forward/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  return g_test_run ();
}
