/* SPDX-License-Identifier: MIT */
/* Every piece, forward and backward, as the engine computes it, against torch's autograd. */
#include "engine/training/attention-piece.h"

#include <string.h>

#include "engine/spec/positions.h"
#include "tests/engine/training/recorded.h"

#define MAX_NUMBERS 20000
#define N 9
#define SIZE 20

/* Recorded inputs in one block, with the place of their gradients in another. */
typedef struct {
  EngTensorSet *tensors;
  const char   *name;
  float         values[MAX_NUMBERS];
  float         gradients[MAX_NUMBERS];
  gsize         n;
  EngGradients  block;
  EngPieces     pieces;
  EngArena      arena;
  float         y[MAX_NUMBERS];
  float        *dy;
} Case;

static Case *
case_new (const char *name)
{
  Case *self = g_new0 (Case, 1);

  self->name = name;
  self->tensors = recorded_open ("pieces.safetensors");
  self->block = (EngGradients) { self->values, self->gradients, MAX_NUMBERS };
  self->pieces.gradients = &self->block;
  eng_arena_measure (&self->arena);
  eng_pieces_lay_out (&self->pieces, 32, 40, 40, ENG_PIECES_TOGETHER, &self->arena);
  g_assert_true (eng_arena_allocate (&self->arena, NULL));
  eng_pieces_lay_out (&self->pieces, 32, 40, 40, ENG_PIECES_TOGETHER, &self->arena);

  return self;
}

static void
case_free (Case *self)
{
  eng_arena_clear (&self->arena);
  eng_tensor_set_unref (self->tensors);
  g_free (self->dy);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static float *
take (Case       *self,
      const char *role)
{
  const EngTensor *tensor = recorded_find (self->tensors, self->name, role);
  float *values = self->values + self->n;

  g_assert_true (eng_tensor_widen (tensor, values));
  self->n += (gsize) tensor->n_elements;

  return values;
}

static float *
gradient_of (Case        *self,
             const float *values)
{
  return eng_gradients_find (&self->block, values);
}

static const float *
read_dy (Case *self)
{
  self->dy = recorded_dup (recorded_find (self->tensors, self->name, "dy"));

  return self->dy;
}

static void
compare (Case        *self,
         const char  *role,
         const float *found)
{
  recorded_compare ("pieces", found, recorded_find (self->tensors, self->name, role), 1);
}

static void
check_norm (const char *name,
            EngNormKind kind)
{
  g_autoptr (Case) self = case_new (name);
  EngNormSpec spec = { kind, 1e-5f };
  float *x = take (self, "x");
  EngNorm norm = { take (self, "weight"), kind == ENG_NORM_LAYER ? take (self, "bias") : NULL };

  eng_piece_norm (&self->pieces, &spec, &norm, x, N, SIZE, self->y);
  compare (self, "y", self->y);
  eng_piece_norm_backward (&self->pieces, &spec, &norm, x, read_dy (self), N, SIZE,
                           gradient_of (self, x));
  compare (self, "dx", gradient_of (self, x));
  compare (self, "dweight", gradient_of (self, norm.weight));
  if (norm.bias != NULL)
    compare (self, "dbias", gradient_of (self, norm.bias));
}

static void
test_norms (void)
{
  check_norm ("layer-norm", ENG_NORM_LAYER);
  check_norm ("rms-norm", ENG_NORM_RMS);
}

static void
test_linear (void)
{
  g_autoptr (Case) self = case_new ("linear");
  float *x = take (self, "x");
  EngLinear linear = { take (self, "weight"), take (self, "bias"), 31, SIZE };

  eng_piece_linear (&self->pieces, &linear, x, N, self->y);
  compare (self, "y", self->y);
  eng_piece_linear_backward (&self->pieces, &linear, x, read_dy (self), N, FALSE,
                             gradient_of (self, x));
  compare (self, "dx", gradient_of (self, x));
  compare (self, "dweight", gradient_of (self, linear.weight));
  compare (self, "dbias", gradient_of (self, linear.bias));
}

static void
check_activation (const char    *name,
                  EngActivation  activation,
                  gboolean       gated)
{
  g_autoptr (Case) self = case_new (name);
  float *x = take (self, "x");
  float *gate = gated ? take (self, "gate") : NULL;

  eng_piece_activate (&self->pieces, activation, gate, x, N, SIZE, self->y);
  compare (self, "y", self->y);
  eng_piece_activate_backward (&self->pieces, activation, gate, x, read_dy (self), N, SIZE,
                               gated ? gradient_of (self, gate) : NULL, gradient_of (self, x));
  compare (self, "dx", gradient_of (self, x));
  if (gated)
    compare (self, "dgate", gradient_of (self, gate));
}

static void
test_activations (void)
{
  check_activation ("gelu", ENG_ACTIVATION_GELU, FALSE);
  check_activation ("gelu-gated", ENG_ACTIVATION_GELU, TRUE);
  check_activation ("gelu-tanh", ENG_ACTIVATION_GELU_TANH, FALSE);
  check_activation ("gelu-tanh-gated", ENG_ACTIVATION_GELU_TANH, TRUE);
  check_activation ("relu", ENG_ACTIVATION_RELU, FALSE);
  check_activation ("relu-gated", ENG_ACTIVATION_RELU, TRUE);
  check_activation ("silu", ENG_ACTIVATION_SILU, FALSE);
  check_activation ("silu-gated", ENG_ACTIVATION_SILU, TRUE);
}

static const gint32 *
read_ints (const Case *self,
           const char *role)
{
  return (const gint32 *) (gconstpointer) recorded_find (self->tensors, self->name, role)->data;
}

static void
test_embedding (void)
{
  g_autoptr (Case) self = case_new ("embedding");
  EngStackWeights weights = { .word = take (self, "word"), .position = take (self, "position") };
  const gint32 *ids = read_ints (self, "ids"), *positions = read_ints (self, "positions");

  eng_piece_embed (&self->pieces, &weights, 1, ids, NULL, positions, 6, SIZE, self->y);
  compare (self, "y", self->y);
  eng_piece_embed_backward (&self->pieces, &weights, 1, ids, NULL, positions, read_dy (self), 6,
                            SIZE);
  compare (self, "dword", gradient_of (self, weights.word));
  compare (self, "dposition", gradient_of (self, weights.position));
}

static void
check_loss (const char *name,
            double      smoothing)
{
  g_autoptr (Case) self = case_new (name);
  float *logits = take (self, "x"), loss;
  double losses[N];

  loss = (float) eng_piece_cross_entropy (&self->pieces, logits, read_ints (self, "labels"), N, 19,
                                          smoothing, 1, losses);
  compare (self, "y", &loss);
  compare (self, "dx", logits);
}

static void
test_loss (void)
{
  check_loss ("loss", 0);
  check_loss ("loss-smoothed", 0.1);
}

static void
turn (const Case      *self,
      const EngRotary *rotary,
      const float     *turns,
      float           *q,
      float           *k)
{
  eng_piece_turn (&self->pieces, rotary, turns, 2 * 7, 4, 8, q);
  eng_piece_turn (&self->pieces, rotary, turns, 2 * 7, 2, 8, k);
}

/* rotary NULL = none, else of 7 queries and keys, 4 heads and 2 key heads */
static void
check_attention (const char      *name,
                 int              n_queries,
                 int              n_heads,
                 int              n_kv_heads,
                 gboolean         causal,
                 const EngRotary *rotary)
{
  static const guint8 visible[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0 };
  static const EngRotaryFactors none;
  gint32 places[] = { 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6 };
  g_autoptr (Case) self = case_new (name);
  EngAttentionShape shape = {
    2, n_queries, 7, n_heads, n_kv_heads, 8, 1 / sqrtf (8), causal, visible, { 0 }
  };
  float *q = take (self, "q"), *k = take (self, "k"), *v = take (self, "v");
  float *dq = gradient_of (self, q), *dk = gradient_of (self, k);
  float weights[2 * 4 * 7 * 7], turns[14 * 8], reversed[14 * 8];
  float *scratch = g_aligned_alloc (eng_piece_attention_n_scratch (&shape), sizeof (float), 64);

  if (rotary != NULL) {
    eng_rotary_fill (rotary, &none, NULL, places, 14, 7, turns);
    eng_piece_reverse_turns (turns, 14, 8, reversed);
    turn (self, rotary, turns, q, k);
  }
  eng_piece_attention (&self->pieces, &shape, q, k, v, scratch, weights, self->y);
  compare (self, "y", self->y);
  eng_piece_attention_backward (&self->pieces, &shape, q, k, v, weights, read_dy (self), scratch,
                                dq, dk, gradient_of (self, v));
  if (rotary != NULL)
    turn (self, rotary, reversed, dq, dk);
  compare (self, "dq", dq);
  compare (self, "dk", dk);
  compare (self, "dv", gradient_of (self, v));
  g_aligned_free (scratch);
}

static void
test_attention (void)
{
  EngRotary rotary = { .size = 8, .base = 10000 };

  check_attention ("attention", 7, 3, 3, FALSE, NULL);
  check_attention ("causal", 7, 4, 2, TRUE, NULL);
  check_attention ("cross", 5, 3, 3, FALSE, NULL);
  check_attention ("rotary", 7, 4, 2, TRUE, &rotary);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/recorded-pieces/norms", test_norms);
  g_test_add_func ("/engine/training/recorded-pieces/linear", test_linear);
  g_test_add_func ("/engine/training/recorded-pieces/activations", test_activations);
  g_test_add_func ("/engine/training/recorded-pieces/embedding", test_embedding);
  g_test_add_func ("/engine/training/recorded-pieces/loss", test_loss);
  g_test_add_func ("/engine/training/recorded-pieces/attention", test_attention);

  return g_test_run ();
}
