/* SPDX-License-Identifier: MIT */
/* What was computed on the way of a decoding is what a pass of the whole text computes. */
#include "tests/engine/writing/decoding-case.h"

#include "engine/transformer/session.h"

static void
compare_rows (gboolean         there,
              const EngMatrix *a,
              gboolean         also_there,
              const EngMatrix *b)
{
  g_assert_cmpint (there, ==, also_there);
  if (!there)
    return;
  g_assert_cmpint (a->rows, ==, b->rows);
  g_assert_cmpint (a->cols, ==, b->cols);
  for (int row = 0; row < a->rows; row++)
    assert_same (a->data + row * a->stride, b->data + row * b->stride, a->cols);
}

static void
compare_layers (EngTrace *a,
                EngTrace *b,
                EngKind   kind)
{
  typedef gboolean (*GetRows) (const EngTrace *, EngKind, int, int, EngMatrix *);
  static const GetRows parts[] = {
    eng_trace_get_queries, eng_trace_get_keys, eng_trace_get_values, eng_trace_get_position_bias,
  };
  EngMatrix first, second;

  for (int layer = 0; layer < eng_trace_get_n_layers (a, kind); layer++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (a, kind, layer);
    g_autoptr (EngAttention) other = eng_trace_dup_attention (b, kind, layer);
    gsize n = (gsize) attention->n_heads * attention->n_queries * attention->n_keys;

    g_assert_cmpint (n, ==, (gsize) other->n_heads * other->n_queries * other->n_keys);
    assert_same (attention->weights, other->weights, n);
    g_assert_cmpfloat (eng_trace_get_scale (a, kind, layer), ==,
                       eng_trace_get_scale (b, kind, layer));
    g_assert_cmpint (attention->mask != NULL, ==, other->mask != NULL);
    if (attention->mask)
      g_assert_cmpmem (attention->mask, (gsize) attention->n_queries * attention->n_keys,
                       other->mask, (gsize) other->n_queries * other->n_keys);
    for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
      for (int head = 0; head < attention->n_heads; head++)
        compare_rows (parts[part] (a, kind, layer, head, &first), &first,
                      parts[part] (b, kind, layer, head, &second), &second);
  }
  for (int i = 0; i <= eng_trace_get_n_layers (a, kind); i++)
    compare_rows (eng_trace_get_hidden_states (a, kind, i, &first), &first,
                  eng_trace_get_hidden_states (b, kind, i, &second), &second);
}

static void
compare_traces (EngTrace *a,
                EngTrace *b)
{
  EngMatrix first, second;
  const int *row, *other_row;

  g_assert_true (eng_trace_get_logits (a, ENG_TASK_LANGUAGE_MODEL, &first, &row));
  g_assert_true (eng_trace_get_logits (b, ENG_TASK_LANGUAGE_MODEL, &second, &other_row));
  compare_rows (TRUE, &first, TRUE, &second);
  g_assert_cmpint (*row, ==, *other_row);
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    g_assert_cmpint (eng_trace_has_kind (a, (EngKind) kind), ==,
                     eng_trace_has_kind (b, (EngKind) kind));
    if (!eng_trace_has_kind (a, (EngKind) kind))
      continue;
    g_assert_cmpint (eng_trace_get_n_layers (a, (EngKind) kind), ==,
                     eng_trace_get_n_layers (b, (EngKind) kind));
    compare_layers (a, b, (EngKind) kind);
  }
}

/* A pass of the whole text, to which ids [n] were added. */
static EngTrace *
pass (EngModel        *model,
      const EngInputs *inputs,
      gboolean         edited,
      const gint32    *ids,
      int              n)
{
  g_autoptr (GArray) edits = make_edits (model, edited);
  gboolean two_stacks = eng_model_has_two_stacks (model);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = eng_inputs_append (model, two_stacks ? inputs->decoder_tokens
                                                                      : inputs->tokens, ids, n);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = two_stacks ? inputs->tokens : tokens,
    .decoder_tokens = two_stacks ? tokens : NULL,
    .edits = (const EngEdit *) edits->data,
    .n_edits = (int) edits->len,
    .unfinished = TRUE,
    .tasks = 1u << ENG_TASK_LANGUAGE_MODEL,
  };
  EngTrace *trace = eng_session_run (session, &request, &error);

  g_assert_no_error (error);

  return trace;
}

static void
test_trace (gconstpointer data)
{
  g_autoptr (EngModel) model = open_model (data);
  gboolean edited = ((const Case *) data)->edited;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngDecoding) decoding = NULL;
  g_autoptr (EngTrace) at_start = NULL;
  g_autoptr (EngTrace) midway = NULL;
  g_autoptr (EngTrace) at_end = NULL;
  g_autoptr (EngTrace) start_pass = NULL;
  g_autoptr (EngTrace) midway_pass = NULL;
  g_autoptr (EngTrace) end_pass = NULL;
  int parents[N_STEPS];
  gint32 ids[N_STEPS];
  guint32 state = 79;

  make_inputs (model, &inputs);
  draw_step (&state, N_STEPS, parents, ids);
  decoding = decode (model, &inputs, edited, 1, FALSE);
  at_start = eng_decoding_dup_trace (decoding, "a", NULL);
  for (int i = 0; i < N_STEPS; i++) {
    step (decoding, (int[]) { 0 }, &ids[i]);
    if (i == 4)
      midway = eng_decoding_dup_trace (decoding, "a", NULL);
  }
  at_end = eng_decoding_dup_trace (decoding, "a", "b");
  g_clear_pointer (&decoding, eng_decoding_free);

  start_pass = pass (model, &inputs, edited, ids, 0);
  midway_pass = pass (model, &inputs, edited, ids, 5);
  end_pass = pass (model, &inputs, edited, ids, N_STEPS);
  compare_traces (at_start, start_pass);
  if (turns_with_length (model))
    return;
  compare_traces (midway, midway_pass);
  compare_traces (at_end, end_pass);
  g_assert_true (eng_trace_is_complete (at_end));
  g_assert_cmpstr (eng_trace_get_text_b (at_end), ==, "b");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  decoding_add_tests ("decoding-trace", "plain", FALSE, test_trace);
  decoding_add_tests ("decoding-trace", "edited", TRUE, test_trace);

  return g_test_run ();
}
