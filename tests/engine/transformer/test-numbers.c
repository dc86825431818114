/* SPDX-License-Identifier: MIT */
/* Everything that a pass computes, against numbers that tests/record/record_models.py recorded from
 * transformers, within the tolerances of tests/support/reference.h. */
#include "engine/checkpoint/safetensors.h"
#include "engine/transformer/model.h"
#include "engine/transformer/session.h"
#include "tests/support/encode.h"
#include "tests/support/gzip.h"
#include "tests/support/reference.h"

#include <locale.h>

/* One recorded model: its cases beside ours. */
typedef struct {
  EngModel       *model;
  EngTensorSet   *expected;
  int             n_cases;
} Recorded;

/* One recorded case and the trace of the same texts and edits. */
typedef struct {
  const Recorded *recorded;
  int             number;
  EngTokens      *tokens;
  EngTrace       *trace;
  EngKind         kind;
  double          largest_attention; /* difference */
  double          largest;           /* difference ÷ tolerance of everything else */
  int             n_compared;
} Case;

static EngTensorSet *
open_gzipped (const char *path)
{
  g_autoptr (GBytes) bytes = gzip_read (path);
  g_autoptr (GError) error = NULL;
  EngTensorSet *tensors = eng_safetensors_open_bytes (bytes, path, &error);

  g_assert_no_error (error);

  return tensors;
}

static const char *
get_metadata (const Case *self,
              const char *key)
{
  g_autofree char *name = g_strdup_printf ("%d.%s", self->number, key);

  return eng_tensor_set_get_metadata (self->recorded->expected, name);
}

/* [tokens, d] of a head, [tokens, D] or [positions, classes]. */
static gboolean
get_matrix (Case       *self,
            const char *kind,
            const char *which,
            int         head,
            EngMatrix  *matrix)
{
  int index = atoi (which);
  EngTask task;

  if (g_str_equal (kind, "queries"))
    return eng_trace_get_queries (self->trace, self->kind, index, head, matrix);
  if (g_str_equal (kind, "keys"))
    return eng_trace_get_keys (self->trace, self->kind, index, head, matrix);
  if (g_str_equal (kind, "values"))
    return eng_trace_get_values (self->trace, self->kind, index, head, matrix);
  if (g_str_equal (kind, "hidden_states"))
    return eng_trace_get_hidden_states (self->trace, self->kind, index, matrix);

  g_assert_cmpstr (kind, ==, "logits");
  g_assert_true (eng_task_from_name (which, &task));

  return eng_trace_get_logits (self->trace, task, matrix, NULL);
}

static void
compare_head (Case            *self,
              const EngTensor *tensor,
              char           **parts,
              int              head,
              const float     *reference)
{
  gboolean attention = g_str_equal (parts[1], "attentions");
  int rows = (int) tensor->shape[tensor->rank - 2];
  int cols = (int) tensor->shape[tensor->rank - 1];
  double tolerance = attention ? REFERENCE_TOLERANCE
                               : reference_get_tolerance (reference, (gsize) rows * (gsize) cols);
  g_autoptr (EngAttention) weights = NULL;
  EngMatrix matrix;
  double difference;

  if (attention) {
    weights = eng_trace_dup_attention (self->trace, self->kind, atoi (parts[2]));
    g_assert_nonnull (weights);
    matrix = (EngMatrix) {
      .data = weights->weights + head * (gsize) weights->n_queries * (gsize) weights->n_keys,
      .rows = weights->n_queries,
      .cols = weights->n_keys,
      .stride = (gsize) weights->n_keys,
    };
  } else {
    g_assert_true (get_matrix (self, parts[1], parts[2], head, &matrix));
  }

  difference = reference_find_largest_difference (&matrix, reference, rows, cols);
  if (difference > tolerance)
    g_error ("%s, head %d: differs by %g, more than %g", tensor->name, head, difference, tolerance);
  if (attention)
    self->largest_attention = MAX (self->largest_attention, difference);
  else
    self->largest = MAX (self->largest, difference / tolerance);
  self->n_compared++;
}

static void
compare_tensor (Case            *self,
                const EngTensor *tensor)
{
  g_auto (GStrv) parts = g_strsplit (tensor->name, ".", 4);
  const gint32 *ids = (const gint32 *) (gconstpointer) tensor->data;
  const float *reference = (const float *) (gconstpointer) tensor->data;

  if (g_str_equal (parts[1], "ids") || g_str_equal (parts[1], "type_ids")) {
    gboolean types = g_str_equal (parts[1], "type_ids");
    const gint32 *ours = types ? self->tokens->type_ids : self->tokens->ids;

    g_assert_cmpint (tensor->type, ==, ENG_TYPE_I32);
    g_assert_cmpmem (ours, (gsize) self->tokens->n * sizeof *ours, ids, tensor->n_bytes);
    self->n_compared++;
    return;
  }

  g_assert_true (eng_tensor_is_plain_f32 (tensor));
  if (tensor->rank == 3) {
    gsize size = (gsize) (tensor->shape[1] * tensor->shape[2]);

    g_assert_cmpint (tensor->shape[0], ==, eng_model_get_info (self->recorded->model)->n_heads);
    for (int head = 0; head < tensor->shape[0]; head++)
      compare_head (self, tensor, parts, head, reference + (gsize) head * size);
  } else {
    compare_head (self, tensor, parts, parts[3] ? atoi (parts[3]) : 0, reference);
  }
}

static EngTrace *
run_case (const Case *self,
          EngTokens  *tokens)
{
  g_autoptr (EngSession) session = eng_session_new (self->recorded->model);
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (EngEdit));
  const char *edit_lines = get_metadata (self, "edits");
  g_auto (GStrv) lines = g_strsplit (edit_lines ? edit_lines : "", "\n", -1);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = tokens,
    .text_a = get_metadata (self, "text_a"),
    .text_b = get_metadata (self, "text_b"),
    .tasks = eng_model_get_info (self->recorded->model)->tasks,
    .all_positions = TRUE,
  };
  EngTrace *trace;

  for (int i = 0; lines[i]; i++) {
    EngEdit edit;

    g_assert_true (eng_edit_parse (lines[i], &edit, &error));
    g_array_append_val (edits, edit);
  }
  request.edits = (const EngEdit *) (gconstpointer) edits->data;
  request.n_edits = (int) edits->len;
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);

  return trace;
}

static void
check_case (const Recorded *recorded,
            int             number)
{
  Case self = { .recorded = recorded, .number = number };
  g_autofree char *prefix = g_strdup_printf ("%d.", number);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens =
    encode_texts (recorded->model, get_metadata (&self, "text_a"),
                      get_metadata (&self, "text_b"), FALSE, FALSE, &error);
  g_autoptr (EngTrace) trace = NULL;

  g_assert_no_error (error);
  trace = run_case (&self, tokens);
  self.tokens = tokens;
  self.trace = trace;
  self.kind = eng_trace_get_default_kind (trace);
  for (int i = 0; i < eng_tensor_set_get_n_tensors (recorded->expected); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (recorded->expected, i);

    if (g_str_has_prefix (tensor->name, prefix))
      compare_tensor (&self, tensor);
  }

  g_assert_cmpint (self.n_compared, >, 3);
  g_test_message ("%s, \"%s\", edits: %s", eng_model_get_info (recorded->model)->name,
                  get_metadata (&self, "text_a"),
                  get_metadata (&self, "edits") ? get_metadata (&self, "edits") : "none");
  g_test_message ("%d matrices, attention differs by at most %.1e, the rest by %.3f tolerances",
                  self.n_compared, self.largest_attention, self.largest);
}

static void
check_model (const char *folder,
             const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "models", name,
                                                 "expected.safetensors.gz", NULL);
  g_autoptr (EngTensorSet) expected = open_gzipped (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  Recorded recorded = { model, expected, atoi (eng_tensor_set_get_metadata (expected, "cases")) };

  g_assert_no_error (error);
  g_assert_cmpint (recorded.n_cases, >, 0);
  for (int i = 0; i < recorded.n_cases; i++)
    check_case (&recorded, i);
}

static void
test_specimen (gconstpointer name)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "models", name, NULL);

  check_model (folder, name);
}

static void
test_bundled (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   "headlight-mini", NULL);

  check_model (folder, "headlight-mini");
}

static void
test_minilm (void)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *folder =
    g_build_filename (shared ? shared : "../shared", "data", "checkpoints", "minilm-l6-v2", NULL);

  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    check_model (folder, "minilm-l6-v2");
  else
    g_test_skip ("no ../shared/data/checkpoints/minilm-l6-v2");
}

int
main (int    argc,
      char **argv)
{
  static const char *const specimens[] = {
    "pretraining", "masked-f16", "classifier-bf16", "entities-bf16", "answers-f16",
    "next-sentence", "causal",
  };

  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (specimens); i++) {
    g_autofree char *path = g_strconcat ("/engine/numbers/", specimens[i], NULL);

    g_test_add_data_func (path, specimens[i], test_specimen);
  }
  g_test_add_func ("/engine/numbers/headlight-mini", test_bundled);
  g_test_add_func ("/engine/numbers/minilm-l6-v2", test_minilm);

  return g_test_run ();
}
