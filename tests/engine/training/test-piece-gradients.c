/* SPDX-License-Identifier: MIT */
/* The backward pass of every piece against central differences: the engine's own sources,
 * compiled in double precision. The loss is the sum of what a piece writes, each number times
 * one that is drawn. */
#include "engine/kernels/random.h"
#include "engine/spec/positions.h"
#include "engine/training/attention-piece.h"
#include "tests/support/double/differences.h"

#define MAX_NUMBERS 200000

/* Numbers that are moved, one block as EngGradients wants it; what a piece reads and is no weight
 * stands in it, too. */
typedef struct {
  float        values[MAX_NUMBERS];
  float        gradients[MAX_NUMBERS];
  gsize        n;
  float       *factors;   /* of what is written */
  EngGradients block;
  EngPieces    pieces;
  EngArena     arena;
} Bench;

static Bench *
bench_new (int n,
           int out,
           int in)
{
  Bench *self = g_new0 (Bench, 1);

  self->block = (EngGradients) { self->values, self->gradients, MAX_NUMBERS };
  self->pieces.gradients = &self->block;
  self->factors = g_new (float, MAX_NUMBERS);
  for (int i = 0; i < MAX_NUMBERS; i++)
    self->factors[i] = eng_random_uniform (eng_random_key (1, 1), (guint64) i) - 0.5;
  eng_arena_measure (&self->arena);
  eng_pieces_lay_out (&self->pieces, n, out, in, ENG_PIECES_TOGETHER, &self->arena);
  g_assert_true (eng_arena_allocate (&self->arena, NULL));
  eng_pieces_lay_out (&self->pieces, n, out, in, ENG_PIECES_TOGETHER, &self->arena);

  return self;
}

static void
bench_free (Bench *self)
{
  eng_arena_clear (&self->arena);
  g_free (self->factors);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bench, bench_free)

/* n numbers in [-1, 1). */
static float *
take (Bench *self,
      gsize  n)
{
  float *values = self->values + self->n;

  g_assert_cmpuint (self->n + n, <=, MAX_NUMBERS);
  for (gsize i = 0; i < n; i++)
    values[i] = 2 * eng_random_uniform (eng_random_key (2, 2), self->n + i) - 1;
  self->n += n;

  return values;
}

static float *
gradient_of (Bench       *self,
             const float *values)
{
  return eng_gradients_find (&self->block, values);
}

static double
weigh (const Bench *self,
       const float *y,
       gsize        n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += self->factors[i] * y[i];

  return sum;
}

/* All that was taken, every stride-th number. */
static void
check (Bench           *self,
       const char      *what,
       gsize            stride,
       DifferencesFunc  func,
       gpointer         data)
{
  differences_check (what, self->values, self->gradients, self->n, stride, func, data);
}

typedef struct {
  Bench      *bench;
  EngLinear   linear;
  EngNormSpec norm_spec;
  EngNorm     norm;
  EngActivation activation;
  EngDropout  dropout;
  float      *x, *gate, *y;
  int         n, size;
} Rows;

static double
run_linear (gpointer data)
{
  Rows *self = data;

  eng_piece_linear (&self->bench->pieces, &self->linear, self->x, self->n, self->y);

  return weigh (self->bench, self->y, (gsize) (self->n * self->linear.out));
}

static void
check_linear (int      n,
              int      out,
              int      in,
              gboolean has_bias,
              gsize    stride)
{
  g_autoptr (Bench) bench = bench_new (n, out, in);
  g_autofree float *y = g_new (float, n * out);
  g_autofree float *dx = NULL;
  Rows rows = { .bench = bench, .y = y, .n = n };

  rows.linear = (EngLinear) { take (bench, (gsize) (out * in)),
                              has_bias ? take (bench, (gsize) out) : NULL, out, in };
  rows.x = take (bench, (gsize) (n * in));
  eng_piece_linear_backward (&bench->pieces, &rows.linear, rows.x, bench->factors, n, FALSE,
                             gradient_of (bench, rows.x));
  check (bench, "linear", stride, run_linear, &rows);

  /* Adding twice doubles. */
  dx = g_memdup2 (gradient_of (bench, rows.x), sizeof (float) * (gsize) (n * in));
  eng_piece_linear_backward (&bench->pieces, &rows.linear, rows.x, bench->factors, n, TRUE, dx);
  for (int i = 0; i < n * in; i++)
    g_assert_cmpfloat_with_epsilon (dx[i], 2 * gradient_of (bench, rows.x)[i], 1e-12);
}

static void
test_linear (void)
{
  check_linear (5, 9, 13, TRUE, 1);
  check_linear (1, 1, 1, TRUE, 1);
  check_linear (3, 7, 2, FALSE, 1);
  /* Beyond a block of depth and of columns, in both directions. */
  check_linear (530, 20, 150, TRUE, 4001);
  check_linear (20, 530, 150, TRUE, 4001);
}

static double
run_norm (gpointer data)
{
  Rows *self = data;

  eng_piece_norm (&self->bench->pieces, &self->norm_spec, &self->norm, self->x, self->n, self->size,
                  self->y);

  return weigh (self->bench, self->y, (gsize) (self->n * self->size));
}

static void
check_norm (EngNormKind kind,
            int         n,
            int         size,
            gboolean    has_bias,
            gsize       stride)
{
  g_autoptr (Bench) bench = bench_new (n, size, size);
  g_autofree float *y = g_new (float, n * size);
  Rows rows = { .bench = bench, .y = y, .n = n, .size = size, .norm_spec = { kind, 1e-5 } };

  rows.norm.weight = take (bench, (gsize) size);
  rows.norm.bias = has_bias ? take (bench, (gsize) size) : NULL;
  rows.x = take (bench, (gsize) (n * size));
  eng_piece_norm_backward (&bench->pieces, &rows.norm_spec, &rows.norm, rows.x, bench->factors, n,
                           size, gradient_of (bench, rows.x));
  check (bench, kind == ENG_NORM_LAYER ? "layer norm" : "RMS norm", stride, run_norm, &rows);
}

static void
test_norms (void)
{
  check_norm (ENG_NORM_LAYER, 5, 7, TRUE, 1);
  check_norm (ENG_NORM_LAYER, 3, 24, FALSE, 1);
  check_norm (ENG_NORM_RMS, 5, 7, FALSE, 1);
  check_norm (ENG_NORM_RMS, 4, 16, TRUE, 1);
  /* More rows than are summed together. */
  check_norm (ENG_NORM_LAYER, 150, 9, TRUE, 7);
}

static double
run_activation (gpointer data)
{
  Rows *self = data;

  eng_piece_activate (&self->bench->pieces, self->activation, self->gate, self->x, self->n,
                      self->size, self->y);

  return weigh (self->bench, self->y, (gsize) (self->n * self->size));
}

static void
check_activation (EngActivation activation,
                  gboolean      gated)
{
  const int n = 20, size = 11;
  g_autoptr (Bench) bench = bench_new (n, size, size);
  g_autofree float *y = g_new (float, n * size);
  Rows rows = { .bench = bench, .y = y, .n = n, .size = size, .activation = activation };
  char what[40];

  rows.x = take (bench, (gsize) (n * size));
  rows.gate = gated ? take (bench, (gsize) (n * size)) : NULL;
  for (int i = 0; i < n * size; i++)
    rows.x[i] *= 5;
  eng_piece_activate_backward (&bench->pieces, activation, rows.gate, rows.x, bench->factors, n,
                               size, gated ? gradient_of (bench, rows.gate) : NULL,
                               gradient_of (bench, rows.x));
  g_snprintf (what, sizeof what, "activation %d%s", activation, gated ? ", gated" : "");
  check (bench, what, 1, run_activation, &rows);
}

static void
test_activations (void)
{
  static const EngActivation activations[] = {
    ENG_ACTIVATION_GELU, ENG_ACTIVATION_GELU_TANH, ENG_ACTIVATION_QUICK_GELU, ENG_ACTIVATION_RELU,
    ENG_ACTIVATION_SILU, ENG_ACTIVATION_TANH, ENG_ACTIVATION_LINEAR,
  };

  for (guint i = 0; i < G_N_ELEMENTS (activations); i++) {
    check_activation (activations[i], FALSE);
    check_activation (activations[i], TRUE);
  }
}

static double
run_dropout (gpointer data)
{
  Rows *self = data;

  eng_piece_drop (&self->bench->pieces, &self->dropout, self->x, self->n, self->size, self->y);

  return weigh (self->bench, self->y, (gsize) (self->n * self->size));
}

/* The share that is dropped, too, and that one key drops the same again and another does not. */
static void
test_dropout (void)
{
  const int n = 100, size = 33, total = n * size;
  g_autoptr (Bench) bench = bench_new (n, size, size);
  g_autofree float *y = g_new (float, total);
  g_autofree float *again = g_new (float, total);
  Rows rows = { .bench = bench, .y = y, .n = n, .size = size, .dropout = { 0.3, 5 } };
  EngDropout other = { 0.3, 6 };
  int n_dropped = 0, n_different = 0;

  rows.x = take (bench, (gsize) total);
  eng_piece_drop (&bench->pieces, &rows.dropout, bench->factors, n, size,
                  gradient_of (bench, rows.x));
  check (bench, "dropout", 1, run_dropout, &rows);

  run_dropout (&rows);
  eng_piece_drop (&bench->pieces, &other, rows.x, n, size, again);
  for (int i = 0; i < total; i++) {
    n_dropped += y[i] == 0;
    n_different += (y[i] == 0) != (again[i] == 0);
    if (y[i] != 0)
      g_assert_cmpfloat_with_epsilon (y[i], rows.x[i] / 0.7, 1e-4);
  }
  g_assert_cmpfloat_with_epsilon ((double) n_dropped / total, 0.3, 0.03);
  g_assert_cmpfloat_with_epsilon ((double) n_different / total, 2 * 0.3 * 0.7, 0.03);
}

typedef struct {
  Bench          *bench;
  EngStackWeights weights;
  double          scale;
  float          *y;
} Embedding;

/* Tokens, types and positions occur several times. */
static const gint32 ids[] = { 3, 1, 4, 1, 0, 3 };
static const gint32 type_ids[] = { 0, 0, 0, 1, 1, 1 };
static const gint32 positions[] = { 0, 1, 2, 0, 1, 2 };

static double
run_embedding (gpointer data)
{
  Embedding *self = data;

  eng_piece_embed (&self->bench->pieces, &self->weights, self->scale, ids, type_ids, positions, 6,
                   40, self->y);

  return weigh (self->bench, self->y, 6 * 40);
}

static void
check_embedding (double scale)
{
  g_autoptr (Bench) bench = bench_new (6, 40, 40);
  g_autofree float *y = g_new (float, 6 * 40);
  Embedding embedding = { .bench = bench, .scale = scale, .y = y };

  embedding.weights.word = take (bench, 5 * 40);
  embedding.weights.type = take (bench, 2 * 40);
  embedding.weights.position = take (bench, 4 * 40);
  eng_piece_embed_backward (&bench->pieces, &embedding.weights, scale, ids, type_ids, positions,
                            bench->factors, 6, 40);
  check (bench, "embedding", 1, run_embedding, &embedding);
}

static void
test_embedding (void)
{
  check_embedding (1);
  check_embedding (3);
}

typedef struct {
  Bench            *bench;
  EngAttentionShape shape;
  EngRotary         rotary;
  float            *q, *k, *v;      /* moved */
  float            *turns;
  float            *turned[2];
  float            *weights, *context, *scratch;
} Attention;

static gsize
count_queries (const Attention *self)
{
  return (gsize) (self->shape.n_sequences * self->shape.n_queries * self->shape.n_heads *
                  self->shape.head_size);
}

static gsize
count_keys (const Attention *self)
{
  return (gsize) (self->shape.n_sequences * self->shape.n_keys * self->shape.n_kv_heads *
                  self->shape.head_size);
}

static double
run_attention (gpointer data)
{
  Attention *self = data;
  const EngAttentionShape *shape = &self->shape;

  memcpy (self->turned[0], self->q, count_queries (self) * sizeof (float));
  memcpy (self->turned[1], self->k, count_keys (self) * sizeof (float));
  if (self->rotary.size > 0) {
    eng_piece_turn (&self->bench->pieces, &self->rotary, self->turns,
                    shape->n_sequences * shape->n_queries, shape->n_heads, shape->head_size,
                    self->turned[0]);
    eng_piece_turn (&self->bench->pieces, &self->rotary, self->turns,
                    shape->n_sequences * shape->n_keys, shape->n_kv_heads, shape->head_size,
                    self->turned[1]);
  }
  eng_piece_attention (&self->bench->pieces, shape, self->turned[0], self->turned[1], self->v,
                       self->scratch, self->weights, self->context);

  return weigh (self->bench, self->context, count_queries (self));
}

static void
fill_turns (Attention *self)
{
  static const EngRotaryFactors none;
  int n = self->shape.n_sequences * self->shape.n_keys;
  g_autofree gint32 *places = g_new (gint32, n);

  for (int i = 0; i < n; i++)
    places[i] = i % self->shape.n_keys;
  self->turns = g_new (float, n * self->rotary.size);
  eng_rotary_fill (&self->rotary, &none, NULL, places, n, self->shape.n_keys, self->turns);
}

static void
turn_back (Attention *self)
{
  const EngAttentionShape *shape = &self->shape;
  int n = shape->n_sequences * shape->n_keys;
  g_autofree float *reversed = g_new (float, n * self->rotary.size);

  eng_piece_reverse_turns (self->turns, n, self->rotary.size, reversed);
  eng_piece_turn (&self->bench->pieces, &self->rotary, reversed, n, shape->n_heads,
                  shape->head_size, gradient_of (self->bench, self->q));
  eng_piece_turn (&self->bench->pieces, &self->rotary, reversed, n, shape->n_kv_heads,
                  shape->head_size, gradient_of (self->bench, self->k));
}

static void
check_attention (const char              *what,
                 const EngAttentionShape *shape,
                 EngRotary                rotary)
{
  g_autoptr (Bench) bench = bench_new (shape->n_sequences * shape->n_keys, 16, 16);
  Attention self = { .bench = bench, .shape = *shape, .rotary = rotary };
  gsize n_weights = (gsize) (shape->n_sequences * shape->n_heads * shape->n_queries *
                             shape->n_keys);

  self.q = take (bench, count_queries (&self));
  self.k = take (bench, count_keys (&self));
  self.v = take (bench, count_keys (&self));
  self.turned[0] = g_new (float, count_queries (&self));
  self.turned[1] = g_new (float, count_keys (&self));
  self.weights = g_new (float, n_weights);
  self.context = g_new (float, count_queries (&self));
  self.scratch = g_new (float, eng_piece_attention_n_scratch (shape));
  if (rotary.size > 0)
    fill_turns (&self);

  run_attention (&self);
  for (gsize i = 0; shape->visible != NULL && i < n_weights; i++)
    if (!shape->visible[i / (gsize) (shape->n_heads * shape->n_queries * shape->n_keys) *
                          (gsize) shape->n_keys + i % (gsize) shape->n_keys])
      g_assert_true (self.weights[i] == 0);
  eng_piece_attention_backward (&bench->pieces, shape, self.turned[0], self.turned[1], self.v,
                                self.weights, bench->factors, self.scratch,
                                gradient_of (bench, self.q), gradient_of (bench, self.k),
                                gradient_of (bench, self.v));
  if (rotary.size > 0)
    turn_back (&self);
  check (bench, what, 1, run_attention, &self);

  g_free (self.turned[0]);
  g_free (self.turned[1]);
  g_free (self.weights);
  g_free (self.context);
  g_free (self.scratch);
  g_free (self.turns);
}

static void
test_attention (void)
{
  static const guint8 padded[] = { 1, 1, 1, 1, 1, 1, 1, 1, 0, 0 };
  EngRotary none = { 0 }, rotary = { .size = 4, .base = 100 };
  EngRotary adjacent = { .size = 4, .base = 100, .adjacent = TRUE, .attention_factor = 1.3 };
  EngAttentionShape self = { 2, 5, 5, 3, 3, 4, 0.5, FALSE, NULL, { 0 } };
  EngAttentionShape causal = { 2, 5, 5, 3, 3, 4, 0.5, TRUE, NULL, { 0 } };
  EngAttentionShape padding = { 2, 5, 5, 3, 3, 4, 0.5, FALSE, padded, { 0 } };
  EngAttentionShape both = { 2, 5, 5, 3, 3, 4, 0.5, TRUE, padded, { 0 } };
  EngAttentionShape shared = { 2, 5, 5, 4, 2, 4, 0.5, TRUE, NULL, { 0 } };
  EngAttentionShape cross = { 2, 3, 5, 3, 3, 4, 0.5, FALSE, padded, { 0 } };
  EngAttentionShape dropped = { 2, 5, 5, 4, 2, 4, 0.5, TRUE, padded, { 0.4, 9 } };

  check_attention ("attention", &self, none);
  check_attention ("causal", &causal, none);
  check_attention ("padding", &padding, none);
  check_attention ("causal with padding", &both, none);
  check_attention ("several heads to a key head", &shared, none);
  check_attention ("cross", &cross, none);
  check_attention ("dropped weights", &dropped, none);
  check_attention ("rotary", &shared, rotary);
  check_attention ("rotary, adjacent, scaled", &causal, adjacent);
}

typedef struct {
  Bench        *bench;
  const gint32 *labels;
  float        *logits, *copy;
  double        smoothing;
} Loss;

static double
run_loss (gpointer data)
{
  Loss *self = data;
  double losses[5];

  memcpy (self->copy, self->logits, 5 * 7 * sizeof (float));

  return 0.25 * eng_piece_cross_entropy (&self->bench->pieces, self->copy, self->labels, 5, 7,
                                         self->smoothing, 0.25, losses);
}

static void
test_loss (void)
{
  static const gint32 labels[] = { 3, ENG_NO_LABEL, 0, 6, ENG_NO_LABEL };
  const double smoothings[] = { 0, 0.1 };

  for (guint i = 0; i < G_N_ELEMENTS (smoothings); i++) {
    g_autoptr (Bench) bench = bench_new (5, 7, 7);
    float copy[5 * 7];
    Loss loss = { bench, labels, take (bench, 5 * 7), copy, smoothings[i] };

    for (int k = 0; k < 5 * 7; k++)
      loss.logits[k] *= 4;
    run_loss (&loss);
    memcpy (bench->gradients, copy, sizeof copy);
    check (bench, "cross-entropy", 1, run_loss, &loss);
  }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/pieces/linear", test_linear);
  g_test_add_func ("/engine/training/pieces/norms", test_norms);
  g_test_add_func ("/engine/training/pieces/activations", test_activations);
  g_test_add_func ("/engine/training/pieces/dropout", test_dropout);
  g_test_add_func ("/engine/training/pieces/embedding", test_embedding);
  g_test_add_func ("/engine/training/pieces/attention", test_attention);
  g_test_add_func ("/engine/training/pieces/loss", test_loss);

  return g_test_run ();
}
