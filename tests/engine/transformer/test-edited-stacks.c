/* SPDX-License-Identifier: MIT */
/* Edits of every type in every kind of attention, against numbers and texts that
 * tests/record/record_edits.py recorded of transformers: a decoder alone, and two models of two
 * stacks. Without an edit nothing changes, to the last bit. */
#include "engine/checkpoint/safetensors.h"
#include "engine/trace/check.h"
#include "engine/trace/trace-file.h"
#include "engine/writing/generate.h"
#include "tests/support/gzip.h"
#include "tests/support/reference.h"
#include "tests/support/seq2seq.h"
#include "tests/support/temporary.h"

#include <locale.h>
#include <string.h>

typedef struct {
  const char *name;
  const char *folder; /* of tests/fixtures */
  int         end_id; /* -1 = none */
} Specimen;

static const Specimen specimens[] = {
  { "gpt2", "generate/gpt2", -1 },
  { "t5-gated", "seq2seq/t5-gated", 1 },
  { "bart-scaled", "seq2seq/bart-scaled", 2 },
};

typedef struct {
  const Specimen *specimen;
  EngModel       *model;
  EngTensorSet   *expected;
  int             n_cases;
} Recorded;

static void
recorded_clear (Recorded *self)
{
  eng_model_unref (self->model);
  eng_tensor_set_unref (self->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recorded, recorded_clear)

static void
open_recorded (const Specimen *specimen,
               Recorded       *self)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", specimen->folder, NULL);
  g_autofree char *file = g_strconcat (specimen->name, ".safetensors.gz", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "edits", file, NULL);
  g_autoptr (GBytes) bytes = gzip_read (path);
  g_autoptr (GError) error = NULL;

  self->specimen = specimen;
  self->model = seq2seq_make_model (seq2seq_load (folder));
  self->expected = eng_safetensors_open_bytes (bytes, path, &error);
  g_assert_no_error (error);
  self->n_cases = atoi (eng_tensor_set_get_metadata (self->expected, "cases"));
  g_assert_cmpint (self->n_cases, >, 10);
}

static const char *
get_metadata (const Recorded *self,
              int             number,
              const char     *key)
{
  g_autofree char *name = g_strdup_printf ("%d.%s", number, key);

  return eng_tensor_set_get_metadata (self->expected, name);
}

/* (transfer full) array of EngEdit. */
static GArray *
parse_edits (const Recorded *self,
             int             number)
{
  g_auto (GStrv) lines = g_strsplit (get_metadata (self, number, "edits"), "\n", -1);
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (EngEdit));
  g_autoptr (GError) error = NULL;

  for (int i = 0; lines[i]; i++) {
    EngEdit edit;

    eng_edit_parse (lines[i], &edit, &error);
    g_assert_no_error (error);
    g_array_append_val (edits, edit);
  }

  return edits;
}

/* Without B where a text is written. */
static void
encode (const Recorded *self,
        int             number,
        gboolean        with_b,
        EngInputs      *inputs)
{
  EngTextOptions options = { .pad_to = atoi (get_metadata (self, number, "pad_to")) };
  g_autoptr (GError) error = NULL;

  eng_inputs_from_texts (self->model, get_metadata (self, number, "text_a"),
                         with_b ? get_metadata (self, number, "text_b") : NULL, &options, inputs,
                         &error);
  g_assert_no_error (error);
}

/* "attentions", "hidden_states" or "logits" of a kind; [n, rows, cols] as one matrix. */
static EngMatrix
get_matrix (EngTrace     *trace,
            char        **parts,
            EngAttention **attention)
{
  EngMatrix matrix = { 0 };
  EngKind kind;

  if (g_str_equal (parts[1], "logits")) {
    g_assert_true (eng_trace_get_logits (trace, ENG_TASK_LANGUAGE_MODEL, &matrix, NULL));
    return matrix;
  }
  g_assert_true (eng_kind_from_name (parts[1], &kind));
  if (g_str_equal (parts[2], "hidden_states")) {
    g_assert_true (eng_trace_get_hidden_states (trace, kind, atoi (parts[3]), &matrix));
    return matrix;
  }
  *attention = eng_trace_dup_attention (trace, kind, atoi (parts[3]));

  return (EngMatrix) {
    (*attention)->weights, (*attention)->n_heads * (*attention)->n_queries, (*attention)->n_keys,
    (*attention)->n_keys,
  };
}

/* Returns the largest difference in tolerances. */
static double
compare_tensor (EngTrace        *trace,
                const EngTensor *tensor)
{
  g_auto (GStrv) parts = g_strsplit (tensor->name, ".", 4);
  const float *reference = (const float *) (gconstpointer) tensor->data;
  g_autoptr (EngAttention) attention = NULL;
  EngMatrix matrix = get_matrix (trace, parts, &attention);
  gsize n = tensor->n_bytes / sizeof (float);
  double tolerance = attention ? REFERENCE_TOLERANCE : reference_get_tolerance (reference, n);
  double difference;

  g_assert_cmpint (n, ==, (gsize) matrix.rows * matrix.cols);
  difference = reference_find_largest_difference (&matrix, reference, matrix.rows, matrix.cols);
  if (difference > tolerance)
    g_error ("%s differs by %g, more than %g", tensor->name, difference, tolerance);

  return difference / tolerance;
}

/* The check line, which shares no code with the forward, agrees with every weight. */
static void
check_cells (EngTrace *trace)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    if (!eng_trace_has_kind (trace, (EngKind) kind))
      continue;
    for (int layer = 0; layer < eng_trace_get_n_layers (trace, (EngKind) kind); layer++)
      for (int head = 0; head < eng_trace_get_n_heads (trace, (EngKind) kind); head++)
        for (int query = 0; query < eng_trace_get_n_queries (trace, (EngKind) kind); query++)
          for (int key = 0; key < eng_trace_get_n_keys (trace, (EngKind) kind); key++) {
            EngCheck check;

            g_assert_cmpint (eng_check_cell (trace, (EngKind) kind, layer, head, query, key,
                                             &check), ==, ENG_CHECK_AGREES);
          }
  }
}

static void
test_numbers (gconstpointer data)
{
  g_auto (Recorded) recorded = { 0 };
  double largest = 0;
  int n_compared = 0;

  open_recorded (data, &recorded);
  for (int number = 0; number < recorded.n_cases; number++) {
    g_autofree char *prefix = g_strdup_printf ("%d.", number);
    g_autofree char *written = g_strdup_printf ("%d.written.", number);
    g_autoptr (GArray) edits = parse_edits (&recorded, number);
    g_auto (EngInputs) inputs = { 0 };
    g_autoptr (EngTrace) trace = NULL;

    g_test_message ("%s", get_metadata (&recorded, number, "edits"));
    encode (&recorded, number, TRUE, &inputs);
    trace = seq2seq_run (recorded.model, &inputs, (const EngEdit *) edits->data, (int) edits->len);
    for (int i = 0; i < eng_tensor_set_get_n_tensors (recorded.expected); i++) {
      const EngTensor *tensor = eng_tensor_set_get_tensor (recorded.expected, i);

      if (!g_str_has_prefix (tensor->name, prefix) || g_str_has_prefix (tensor->name, written))
        continue;
      largest = MAX (largest, compare_tensor (trace, tensor));
      n_compared++;
    }
    check_cells (trace);
  }
  g_test_message ("%d tensors, they differ by at most %.3f tolerances", n_compared, largest);
  g_assert_cmpint (n_compared, >=, 4 * recorded.n_cases);
}

/* Greedy and by beam search, with the edits from the first token on. */
static void
test_written (gconstpointer data)
{
  static const int n_beams[] = { 1, 3 };
  g_auto (Recorded) recorded = { 0 };

  open_recorded (data, &recorded);
  for (int i = 0; i < 2 * recorded.n_cases; i++) {
    g_autofree char *name = g_strdup_printf ("%d.written.%d", i / 2, n_beams[i % 2]);
    const EngTensor *tensor = eng_tensor_set_find (recorded.expected, name);
    g_autoptr (GArray) edits = parse_edits (&recorded, i / 2);
    g_autoptr (EngGeneration) settings = eng_generation_new ();
    g_autoptr (EngGenerator) generator = NULL;
    g_auto (EngInputs) inputs = { 0 };
    g_autoptr (GError) error = NULL;
    const gint32 *ids;
    int n;

    g_assert_nonnull (tensor);
    settings->n_beams = n_beams[i % 2];
    settings->max_new_tokens = 9;
    settings->end_ids = g_array_new (FALSE, FALSE, sizeof (gint32));
    if (recorded.specimen->end_id >= 0)
      g_array_append_vals (settings->end_ids, &recorded.specimen->end_id, 1);
    encode (&recorded, i / 2, FALSE, &inputs);
    generator = eng_generator_new (recorded.model, &inputs, (const EngEdit *) edits->data,
                                   (int) edits->len, settings, 0, NULL, &error);
    g_assert_no_error (error);
    while (!eng_generator_is_done (generator)) {
      eng_generator_step (generator, &error);
      g_assert_no_error (error);
    }
    ids = eng_generator_get_ids (generator, &n);
    g_test_message ("%s: %s", name, get_metadata (&recorded, i / 2, "edits"));
    g_assert_cmpmem (ids, n * sizeof *ids, tensor->data, tensor->n_bytes);
  }
}

static void
assert_same_rows (const EngMatrix *a,
                  const EngMatrix *b)
{
  g_assert_cmpint (a->rows, ==, b->rows);
  for (int row = 0; row < a->rows; row++)
    g_assert_true (memcmp (a->data + row * a->stride, b->data + row * b->stride,
                           a->cols * sizeof (float)) == 0);
}

static void
assert_same_bits (EngTrace *a,
                  EngTrace *b)
{
  EngMatrix ours, theirs;

  g_assert_true (eng_trace_get_logits (a, ENG_TASK_LANGUAGE_MODEL, &ours, NULL));
  g_assert_true (eng_trace_get_logits (b, ENG_TASK_LANGUAGE_MODEL, &theirs, NULL));
  assert_same_rows (&ours, &theirs);
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    int n_layers = eng_trace_has_kind (a, (EngKind) kind)
                   ? eng_trace_get_n_layers (a, (EngKind) kind) : 0;

    for (int layer = 0; layer < n_layers; layer++) {
      g_autoptr (EngAttention) mine = eng_trace_dup_attention (a, (EngKind) kind, layer);
      g_autoptr (EngAttention) other = eng_trace_dup_attention (b, (EngKind) kind, layer);

      g_assert_true (memcmp (mine->weights, other->weights,
                             (gsize) mine->n_heads * mine->n_queries * mine->n_keys *
                             sizeof (float)) == 0);
      if (kind == ENG_KIND_CROSS)
        continue;
      g_assert_true (eng_trace_get_hidden_states (a, (EngKind) kind, layer + 1, &ours));
      g_assert_true (eng_trace_get_hidden_states (b, (EngKind) kind, layer + 1, &theirs));
      assert_same_rows (&ours, &theirs);
    }
  }
}

/* In one session, so that what an edit left behind would show. */
static void
test_taken_away (gconstpointer data)
{
  g_auto (Recorded) recorded = { 0 };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngSession) session = NULL;
  g_autoptr (EngTrace) before = NULL;
  EngRunRequest request = { .tasks = 1u << ENG_TASK_LANGUAGE_MODEL, .all_positions = TRUE };

  open_recorded (data, &recorded);
  session = eng_session_new (recorded.model);
  encode (&recorded, 0, TRUE, &inputs);
  request.tokens = inputs.tokens;
  request.decoder_tokens = inputs.decoder_tokens;
  before = eng_session_run (session, &request, NULL);
  for (int number = 0; number < recorded.n_cases; number++) {
    g_autoptr (GArray) edits = parse_edits (&recorded, number);
    g_autoptr (EngTrace) edited = NULL, after = NULL, silent = NULL;
    EngEdit nothing[] = {
      { .type = ENG_EDIT_SCALE_HEAD, .head = ENG_ALL_HEADS, .factor = 1,
        .kind = ENG_KIND_NOT_SAID },
      { .type = ENG_EDIT_MASK_TOKEN, .key = 1, .kind = ENG_KIND_NOT_SAID },
    };

    request.edits = (const EngEdit *) edits->data;
    request.n_edits = (int) edits->len;
    edited = eng_session_run (session, &request, NULL);
    g_assert_nonnull (edited);
    request.n_edits = 0;
    after = eng_session_run (session, &request, NULL);
    assert_same_bits (before, after);
    request.edits = nothing;
    request.n_edits = G_N_ELEMENTS (nothing);
    silent = eng_session_run (session, &request, NULL);
    assert_same_bits (before, silent);
  }
}

static void
assert_same_attention (EngTrace *a,
                       EngTrace *b)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    g_assert_cmpint (eng_trace_has_kind (a, (EngKind) kind), ==,
                     eng_trace_has_kind (b, (EngKind) kind));
    for (int layer = 0; eng_trace_has_kind (a, (EngKind) kind) &&
                        layer < eng_trace_get_n_layers (a, (EngKind) kind); layer++) {
      g_autoptr (EngAttention) mine = eng_trace_dup_attention (a, (EngKind) kind, layer);
      g_autoptr (EngAttention) other = eng_trace_dup_attention (b, (EngKind) kind, layer);

      g_assert_cmpmem (mine->weights, sizeof (float) * mine->n_heads * mine->n_queries *
                                      mine->n_keys,
                       other->weights, sizeof (float) * other->n_heads * other->n_queries *
                                       other->n_keys);
    }
  }
}

/* The trace of a decoding keeps no attention: it is made for a view and for a file, each for
 * itself, and the file's own edits explain it. */
static void
test_file (gconstpointer data)
{
  g_auto (Recorded) recorded = { 0 };
  g_autofree char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "edited.safetensors", NULL);
  g_autoptr (GArray) edits = NULL;
  g_autoptr (EngDecoding) decoding = NULL;
  g_autoptr (EngTrace) trace = NULL, read = NULL;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  EngDecodingOptions options = { .n_sequences = 1, .capacity = 12 };

  open_recorded (data, &recorded);
  edits = parse_edits (&recorded, recorded.n_cases - 1);
  encode (&recorded, recorded.n_cases - 1, TRUE, &inputs);
  options.edits = (const EngEdit *) edits->data;
  options.n_edits = (int) edits->len;
  decoding = eng_decoding_new (recorded.model, &inputs, &options, &error);
  g_assert_no_error (error);
  g_assert_true (eng_decoding_step (decoding, (int[]) { 0 }, (gint32[]) { 5 }, NULL));
  trace = eng_decoding_dup_trace (decoding,
                                  get_metadata (&recorded, recorded.n_cases - 1, "text_a"),
                                  get_metadata (&recorded, recorded.n_cases - 1, "text_b"));
  eng_trace_file_write (trace, path, &error);
  g_assert_no_error (error);
  read = eng_trace_file_open (path, &error);
  g_assert_no_error (error);

  assert_same_attention (trace, read);
  check_cells (read);
  g_assert_cmpint (g_strv_length ((char **) eng_trace_get_edits (read)), ==, edits->len);
  g_clear_pointer (&read, eng_trace_unref);
  temporary_free (g_steal_pointer (&folder));
}

/* The first row of a decoder sees one key. Without it the row is all zeros, and nothing of it is
 * undefined. */
static void
test_emptied_row (gconstpointer data)
{
  const char *const emptying[] = { "knock-out decoder 0", "cut decoder 0.0 0 0 renormalise" };
  g_auto (Recorded) recorded = { 0 };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngSession) session = NULL;
  EngRunRequest request = { .n_edits = 1 };

  open_recorded (data, &recorded);
  session = eng_session_new (recorded.model);
  encode (&recorded, 0, TRUE, &inputs);
  request.tokens = inputs.tokens;
  request.decoder_tokens = inputs.decoder_tokens;
  for (gsize i = 0; i < G_N_ELEMENTS (emptying); i++) {
    g_autoptr (EngTrace) trace = NULL;
    g_autoptr (EngAttention) attention = NULL;
    EngEdit edit;

    g_assert_true (eng_edit_parse (emptying[i], &edit, NULL));
    request.edits = &edit;
    trace = eng_session_run (session, &request, NULL);
    g_assert_nonnull (trace);
    attention = eng_trace_dup_attention (trace, ENG_KIND_DECODER, 0);
    for (int query = 0; query < attention->n_queries; query++) {
      double sum = 0;

      for (int key = 0; key < attention->n_keys; key++)
        sum += attention->weights[query * attention->n_keys + key];
      g_assert_cmpfloat_with_epsilon (sum, query > 0, 1e-5);
    }
  }
}

static void
add_tests (const char    *what,
           GTestDataFunc  func)
{
  for (gsize i = 0; i < G_N_ELEMENTS (specimens); i++) {
    g_autofree char *path = g_strdup_printf ("/edited-stacks/%s/%s", what, specimens[i].name);

    g_test_add_data_func (path, &specimens[i], func);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  add_tests ("numbers", test_numbers);
  add_tests ("written", test_written);
  add_tests ("taken-away", test_taken_away);
  add_tests ("file", test_file);
  add_tests ("emptied-row", test_emptied_row);

  return g_test_run ();
}
