/* SPDX-License-Identifier: MIT */
/* What is written as a trace file reads back as the same trace. */
#include "engine/trace/trace-file.h"

#include <locale.h>
#include <math.h>

#include <glib/gstdio.h>

#include "engine/trace/trace-private.h"

/* Random traces */

static const char *const texts[] = { "", "a", "##ing", " the", "<0xF0>", "😀", "\"\\\n\t", "ﷺ",
                                     "[SEP]", "е́" };

static int
draw_int (int first,
          int last)
{
  return g_test_rand_int_range (first, last + 1);
}

static float *
new_floats (EngTrace *trace,
            gsize     n,
            float     lowest)
{
  float *values = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    values[i] = (float) g_test_rand_double_range (lowest, 1);
  eng_trace_keep (trace, values, 0, g_free);

  return values;
}

/* Rows of a head together, or of a token together as a forward leaves them. */
static EngHeadRows
new_rows (EngTrace *trace,
          int       n_heads,
          int       n_rows,
          int       size)
{
  EngHeadRows rows = { new_floats (trace, (gsize) n_heads * n_rows * size, -1),
                       (gsize) n_rows * size, (gsize) size };

  if (draw_int (0, 1)) {
    rows.head_stride = (gsize) size;
    rows.row_stride = (gsize) n_heads * size;
  }

  return rows;
}

static EngTokens *
new_tokens (int      n,
            gboolean complete)
{
  EngTokens *tokens = eng_tokens_new (n);

  if (complete && draw_int (0, 1))
    tokens->languages = g_new (gint32, n);
  for (int i = 0; i < n; i++) {
    if (tokens->languages)
      tokens->languages[i] = draw_int (0, 99);
    tokens->texts[i] = g_strdup (texts[draw_int (0, G_N_ELEMENTS (texts) - 1)]);
    tokens->pieces[i] = g_strdup (texts[draw_int (0, G_N_ELEMENTS (texts) - 1)]);
    tokens->ids[i] = draw_int (0, G_MAXINT - 1);
    tokens->type_ids[i] = draw_int (0, 1);
    tokens->segments[i] = (guint8) draw_int (0, 1);
    tokens->special[i] = (guint8) draw_int (0, 1);
    if (draw_int (0, 1))
      tokens->spans[i] = (EngSpan) { draw_int (0, 5), draw_int (5, 9) };
  }
  if (complete)
    return tokens;

  for (int i = 0; i < n; i++)
    g_free (tokens->pieces[i]);
  g_clear_pointer (&tokens->pieces, g_free);
  g_clear_pointer (&tokens->ids, g_free);
  g_clear_pointer (&tokens->type_ids, g_free);
  g_clear_pointer (&tokens->spans, g_free);

  return tokens;
}

static const guint8 *
new_mask (EngTrace *trace,
          int       n_queries,
          int       n_keys)
{
  guint8 *mask = g_new (guint8, n_queries * n_keys);

  for (int i = 0; i < n_queries * n_keys; i++)
    mask[i] = (guint8) (i % n_keys == 0 ? 1 : draw_int (0, 3));
  eng_trace_keep (trace, mask, 0, g_free);

  return mask;
}

static void
hide (EngBlockTrace *block,
      float         *attention,
      const guint8  *mask)
{
  int n_cells = block->n_queries * block->n_keys;

  for (int i = 0; mask && i < block->n_heads * n_cells; i++)
    if (!mask[i % n_cells])
      attention[i] = 0;
}

/* Each head sees some of what the mask lets be seen, the first one all. */
static void
part_heads (EngTrace            *trace,
            const EngBlockTrace *block,
            EngLayerTrace       *layer,
            float               *attention)
{
  int n_cells = block->n_queries * block->n_keys;
  guint8 *masks = g_new (guint8, block->n_heads * n_cells);

  for (int i = 0; i < block->n_heads * n_cells; i++) {
    masks[i] = i < n_cells || draw_int (0, 1) ? layer->mask[i % n_cells] : 0;
    if (!masks[i])
      attention[i] = 0;
  }
  eng_trace_keep (trace, masks, 0, g_free);
  layer->head_masks = masks;
}

/* A bias of one term of positions or of two. */
static void
set_terms (EngTrace            *trace,
           const EngBlockTrace *block,
           EngLayerTrace       *layer)
{
  gsize n_cells = (gsize) block->n_heads * block->n_queries * block->n_keys;
  int which = draw_int (1, 3);
  float *sum = g_new0 (float, n_cells);

  if (which & 1)
    layer->content_position = new_floats (trace, n_cells, -1);
  if (which & 2)
    layer->position_content = new_floats (trace, n_cells, -1);
  for (gsize i = 0; i < n_cells; i++) {
    sum[i] += layer->content_position ? layer->content_position[i] : 0;
    sum[i] += layer->position_content ? layer->position_content[i] : 0;
  }
  layer->position_bias = sum;
  eng_trace_keep (trace, sum, 0, g_free);
}

static void
fill_layer (EngTrace      *trace,
            EngBlockTrace *block,
            EngLayerTrace *layer,
            gboolean       projected,
            const guint8  *shared_mask)
{
  gsize n_cells = (gsize) block->n_heads * block->n_queries * block->n_keys;
  float *attention;

  layer->ready = TRUE;
  layer->scale = draw_int (0, 1) ? 1 / sqrt (3) : g_test_rand_double_range (-3, 3);
  layer->soft_cap = draw_int (0, 1) ? g_test_rand_double_range (1, 50) : 0;
  layer->window = draw_int (0, 1) * draw_int (1, 4096);
  layer->n_uses = draw_int (1, 12);
  layer->mask = shared_mask;
  if (!shared_mask && draw_int (0, 1))
    layer->mask = new_mask (trace, block->n_queries, block->n_keys);
  if (draw_int (0, 1))
    layer->position_bias = new_floats (trace, n_cells, -1);
  else if (draw_int (0, 1))
    set_terms (trace, block, layer);
  if (draw_int (0, 1))
    layer->value_output_norms = new_floats (trace, (gsize) block->n_heads * block->n_keys, 0);
  if (projected) {
    layer->queries = new_rows (trace, block->n_heads, block->n_queries, block->head_size);
    layer->keys = new_rows (trace, block->n_kv_heads, block->n_keys, block->head_size);
    layer->values = new_rows (trace, block->n_kv_heads, block->n_keys, block->value_size);
    /* The weights are then made on demand while the file is written. */
    if (draw_int (0, 1))
      return;
  }
  attention = new_floats (trace, n_cells, 0);
  hide (block, attention, layer->mask);
  layer->attention = attention;
  if (layer->mask && layer->mask != shared_mask && block->n_heads > 1)
    part_heads (trace, block, layer, attention);
}

static void
fill_block (EngTrace  *trace,
            EngKind    kind,
            EngTokens *queries,
            EngTokens *keys)
{
  EngBlockTrace *block = &trace->blocks[kind];
  int n_kv_heads = draw_int (1, 3);
  gboolean projected = draw_int (0, 3) > 0;
  const guint8 *shared_mask;

  *block = (EngBlockTrace) {
    .present = TRUE, .n_layers = draw_int (1, 4), .n_heads = n_kv_heads * draw_int (1, 3),
    .n_queries = queries->n, .n_keys = keys->n,
    .query_tokens = eng_tokens_ref (queries), .key_tokens = eng_tokens_ref (keys),
  };
  block->n_kv_heads = projected ? n_kv_heads : block->n_heads;
  if (projected) {
    block->head_size = draw_int (1, 9);
    block->value_size = draw_int (1, 9);
  }
  shared_mask = draw_int (0, 2) == 0 ? new_mask (trace, queries->n, keys->n) : NULL;
  block->layers = g_new0 (EngLayerTrace, block->n_layers);
  for (int layer = 0; layer < block->n_layers; layer++)
    if (layer == block->n_layers - 1 || draw_int (0, 4) > 0)
      fill_layer (trace, block, &block->layers[layer], projected, shared_mask);
  if (draw_int (0, 1)) {
    block->hidden_size = draw_int (1, 7);
    block->hidden_states = g_new0 (const float *, block->n_layers + 1);
    for (int i = 0; i <= block->n_layers; i++)
      if (draw_int (0, 4) > 0)
        block->hidden_states[i] = new_floats (trace, (gsize) queries->n * block->hidden_size, -1);
  }
}

static void
fill_logits (EngTrace *trace,
             int       n_tokens)
{
  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngLogitsTrace *logits = &trace->logits[task];

    if (draw_int (0, 1))
      continue;
    logits->n_positions = draw_int (1, 4);
    logits->n_classes = draw_int (1, 9);
    logits->data = new_floats (trace, (gsize) logits->n_positions * logits->n_classes, -1);
    logits->positions = g_new (int, logits->n_positions);
    for (int i = 0; i < logits->n_positions; i++)
      logits->positions[i] = draw_int (0, n_tokens - 1);
  }
}

static EngTrace *
new_random_trace (void)
{
  EngTrace *trace = eng_trace_new ();
  gboolean complete = draw_int (0, 2) > 0;
  g_autoptr (EngTokens) a = new_tokens (draw_int (1, 7), complete);
  g_autoptr (EngTokens) b = new_tokens (draw_int (1, 7), complete);
  int shape = draw_int (0, 4);

  if (shape != 1 && shape != 4)
    fill_block (trace, ENG_KIND_ENCODER, a, a);
  if (shape == 1 || shape == 2)
    fill_block (trace, ENG_KIND_DECODER, b, b);
  if (shape == 2 || shape == 4)
    fill_block (trace, ENG_KIND_CROSS, b, a);
  if (shape != 4)
    fill_logits (trace, shape == 1 || shape == 2 ? b->n : a->n);
  if (complete) {
    trace->model_name = g_strdup ("a/\"model\"");
    trace->family = g_strdup ("bert");
    trace->text_a = g_strdup ("Größe 大😀 a");
    trace->text_b = g_strdup ("zehn Bytes");
    trace->wall_time = g_test_rand_double_range (0, 100);
  }
  trace->complete = TRUE;

  return trace;
}

/* Comparison by what a reader of a trace can ask */

static void
assert_same_matrix (gboolean         there,
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
    g_assert_cmpmem (a->data + row * a->stride, a->cols * sizeof (float),
                     b->data + row * b->stride, b->cols * sizeof (float));
}

static void
assert_same_tokens (const EngTokens *a,
                    const EngTokens *b)
{
  gsize n = (gsize) a->n;

  g_assert_cmpint (a->n, ==, b->n);
  g_assert_cmpint (a->pieces != NULL, ==, b->pieces != NULL);
  for (int i = 0; i < a->n; i++) {
    g_assert_cmpstr (a->texts[i], ==, b->texts[i]);
    if (a->pieces)
      g_assert_cmpstr (a->pieces[i], ==, b->pieces[i]);
  }
  g_assert_cmpmem (a->segments, n, b->segments, n);
  g_assert_cmpmem (a->special, n, b->special, n);
  g_assert_cmpmem (a->ids, a->ids ? n * 4 : 0, b->ids, b->ids ? n * 4 : 0);
  g_assert_cmpmem (a->type_ids, a->type_ids ? n * 4 : 0, b->type_ids, b->type_ids ? n * 4 : 0);
  g_assert_cmpmem (a->languages, a->languages ? n * 4 : 0, b->languages, b->languages ? n * 4 : 0);
  g_assert_cmpmem (a->spans, a->spans ? n * sizeof (EngSpan) : 0, b->spans,
                   b->spans ? n * sizeof (EngSpan) : 0);
}

typedef gboolean (*GetHead) (const EngTrace *trace,
                             EngKind         kind,
                             int             layer,
                             int             head,
                             EngMatrix      *matrix);

static void
assert_same_layer (EngTrace *a,
                   EngTrace *b,
                   EngKind   kind,
                   int       layer)
{
  static const GetHead get[] = { eng_trace_get_queries, eng_trace_get_keys, eng_trace_get_values,
                                 eng_trace_get_position_bias, eng_trace_get_content_position,
                                 eng_trace_get_position_content };
  g_autoptr (EngAttention) first = eng_trace_dup_attention (a, kind, layer);
  g_autoptr (EngAttention) second = eng_trace_dup_attention (b, kind, layer);
  gsize n_cells = (gsize) first->n_queries * first->n_keys;
  gsize n_bytes = n_cells * (gsize) first->n_heads * sizeof (float);

  g_assert_cmpmem (first->weights, n_bytes, second->weights, n_bytes);
  g_assert_cmpmem (first->mask, first->mask ? n_cells : 0, second->mask,
                   second->mask ? n_cells : 0);
  g_assert_cmpmem (first->head_masks, first->head_masks ? n_cells * first->n_heads : 0,
                   second->head_masks, second->head_masks ? n_cells * second->n_heads : 0);
  g_assert_cmpfloat (eng_trace_get_scale (a, kind, layer), ==,
                     eng_trace_get_scale (b, kind, layer));
  g_assert_cmpfloat (eng_trace_get_soft_cap (a, kind, layer), ==,
                     eng_trace_get_soft_cap (b, kind, layer));
  g_assert_cmpint (eng_trace_get_window (a, kind, layer), ==,
                   eng_trace_get_window (b, kind, layer));
  g_assert_cmpint (eng_trace_get_n_uses (a, kind, layer), ==,
                   eng_trace_get_n_uses (b, kind, layer));
  for (int head = 0; head < first->n_heads; head++) {
    const float *norms = eng_trace_get_value_output_norms (a, kind, layer, head);
    const float *also_norms = eng_trace_get_value_output_norms (b, kind, layer, head);
    gsize n_norms = norms ? (gsize) first->n_keys * sizeof (float) : 0;
    EngMatrix one, other;

    for (gsize i = 0; i < G_N_ELEMENTS (get); i++) {
      gboolean there = get[i] (a, kind, layer, head, &one);
      gboolean also_there = get[i] (b, kind, layer, head, &other);

      assert_same_matrix (there, &one, also_there, &other);
    }
    g_assert_cmpint (norms != NULL, ==, also_norms != NULL);
    g_assert_cmpmem (norms, n_norms, also_norms, n_norms);
  }
}

static void
assert_same_kind (EngTrace *a,
                  EngTrace *b,
                  EngKind   kind)
{
  EngMatrix one, other;

  g_assert_cmpint (eng_trace_has_kind (a, kind), ==, eng_trace_has_kind (b, kind));
  if (!eng_trace_has_kind (a, kind))
    return;
  g_assert_cmpint (eng_trace_get_n_layers (a, kind), ==, eng_trace_get_n_layers (b, kind));
  g_assert_cmpint (eng_trace_get_n_heads (a, kind), ==, eng_trace_get_n_heads (b, kind));
  assert_same_tokens (eng_trace_get_query_tokens (a, kind), eng_trace_get_query_tokens (b, kind));
  assert_same_tokens (eng_trace_get_key_tokens (a, kind), eng_trace_get_key_tokens (b, kind));
  for (int layer = 0; layer < eng_trace_get_n_layers (a, kind); layer++) {
    g_assert_cmpint (eng_trace_has_layer (a, kind, layer), ==,
                     eng_trace_has_layer (b, kind, layer));
    if (eng_trace_has_layer (a, kind, layer))
      assert_same_layer (a, b, kind, layer);
  }
  for (int i = 0; i <= eng_trace_get_n_layers (a, kind); i++) {
    gboolean there = eng_trace_get_hidden_states (a, kind, i, &one);
    gboolean also_there = eng_trace_get_hidden_states (b, kind, i, &other);

    assert_same_matrix (there, &one, also_there, &other);
  }
}

static void
assert_same_trace (EngTrace *a,
                   EngTrace *b)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    assert_same_kind (a, b, (EngKind) kind);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngMatrix one, other;
    const int *positions, *also_positions;
    gboolean there = eng_trace_get_logits (a, (EngTask) task, &one, &positions);
    gboolean also_there = eng_trace_get_logits (b, (EngTask) task, &other, &also_positions);

    assert_same_matrix (there, &one, also_there, &other);
    if (there)
      g_assert_cmpmem (positions, one.rows * sizeof (int), also_positions,
                       other.rows * sizeof (int));
  }
  g_assert_cmpstr (eng_trace_get_model_name (a), ==, eng_trace_get_model_name (b));
  g_assert_cmpstr (eng_trace_get_family (a), ==, eng_trace_get_family (b));
  g_assert_cmpstr (eng_trace_get_text_a (a), ==, eng_trace_get_text_a (b));
  g_assert_cmpstr (eng_trace_get_text_b (a), ==, eng_trace_get_text_b (b));
  g_assert_cmpstrv (eng_trace_get_edits (a), eng_trace_get_edits (b));
  g_assert_cmpfloat (eng_trace_get_wall_time (a), ==, eng_trace_get_wall_time (b));
  g_assert_cmpfloat (eng_trace_get_stored_unit (a), ==, eng_trace_get_stored_unit (b));
  g_assert_true (eng_trace_is_complete (b));
}

static EngTrace *
write_and_open (EngTrace *trace)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  EngTrace *back;

  g_assert_true (eng_trace_file_write (trace, path, &error));
  g_assert_no_error (error);
  back = eng_trace_file_open (path, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_rmdir (folder);

  return back;
}

static void
test_random (void)
{
  for (int i = 0; i < 300; i++) {
    g_autoptr (EngTrace) trace = new_random_trace ();
    g_autoptr (EngTrace) back = write_and_open (trace);

    assert_same_trace (trace, back);
  }
}

static void
add_edit (EngTrace   *trace,
          const char *text)
{
  g_strfreev (trace->edit_texts);
  g_free (trace->edits);
  trace->edit_texts = g_strsplit (text, ";", -1);
  trace->n_edits = (int) g_strv_length (trace->edit_texts);
  trace->edits = g_new0 (EngEdit, trace->n_edits);
  for (int i = 0; i < trace->n_edits; i++)
    g_assert_true (eng_edit_parse (trace->edit_texts[i], &trace->edits[i], NULL));
}

/* The weights that an edit made are in the file, and with them what was done. */
static void
test_edited (void)
{
  g_autoptr (EngTrace) trace = eng_trace_new ();
  g_autoptr (EngTokens) tokens = new_tokens (5, TRUE);
  g_autoptr (EngTrace) back = NULL;

  add_edit (trace, "uniform 0.0;cut 0.0 2 1 renormalise;scale 0.0 -1.5");
  trace->blocks[ENG_KIND_ENCODER] = (EngBlockTrace) {
    .present = TRUE, .n_layers = 1, .n_heads = 1, .n_kv_heads = 1, .n_queries = 5, .n_keys = 5,
    .head_size = 2, .value_size = 2, .query_tokens = eng_tokens_ref (tokens),
    .key_tokens = eng_tokens_ref (tokens),
    .layers = g_new0 (EngLayerTrace, 1),
  };
  trace->blocks[ENG_KIND_ENCODER].layers[0] = (EngLayerTrace) {
    .ready = TRUE, .queries = new_rows (trace, 1, 5, 2), .keys = new_rows (trace, 1, 5, 2),
    .values = new_rows (trace, 1, 5, 2), .scale = 1,
  };
  back = write_and_open (trace);
  assert_same_trace (trace, back);
  g_assert_cmpfloat (back->blocks[ENG_KIND_ENCODER].layers[0].attention[2 * 5], ==, 0.25);
  g_assert_cmpint (back->n_edits, ==, 3);
  g_assert_cmpint (back->edits[1].type, ==, ENG_EDIT_CUT_EDGE);
}

/* Tokens of a tokenizer without pieces: the array is there, but empty. */
static void
test_no_pieces (void)
{
  g_autoptr (EngTrace) trace = eng_trace_new ();
  g_autoptr (EngTokens) tokens = new_tokens (3, TRUE);
  g_autoptr (EngTrace) back = NULL;

  for (int i = 0; i < tokens->n; i++) {
    g_clear_pointer (&tokens->pieces[i], g_free);
  }
  trace->blocks[ENG_KIND_ENCODER] = (EngBlockTrace) {
    .present = TRUE, .n_layers = 1, .n_heads = 1, .n_kv_heads = 1, .n_queries = 3, .n_keys = 3,
    .query_tokens = eng_tokens_ref (tokens), .key_tokens = eng_tokens_ref (tokens),
    .layers = g_new0 (EngLayerTrace, 1),
  };
  trace->blocks[ENG_KIND_ENCODER].layers[0] = (EngLayerTrace) {
    .ready = TRUE, .attention = new_floats (trace, 9, 0), .scale = 1,
  };
  back = write_and_open (trace);
  g_assert_null (eng_trace_get_query_tokens (back, ENG_KIND_ENCODER)->pieces);
  g_assert_cmpint (eng_trace_get_query_tokens (back, ENG_KIND_ENCODER)->ids[2], ==,
                   tokens->ids[2]);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/trace-round-trip/random", test_random);
  g_test_add_func ("/trace-round-trip/edited", test_edited);
  g_test_add_func ("/trace-round-trip/no-pieces", test_no_pieces);

  return g_test_run ();
}
