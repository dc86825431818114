/* SPDX-License-Identifier: MIT */
/* What a step drops: as many as it should, and others in every place, layer, stack and step, at
 * every row; what was dropped is read from what the forward leaves. That the backward drops the
 * same is for the gradients of step-gradients to show. */
#include <math.h>

#include "engine/kernels/random.h"
#include "engine/training/step-private.h"
#include "tests/engine/training/recorded-model.h"

#define RATE 0.4
#define TEXTS 9
#define N 5
#define N_SOURCE 6
/* Shares of two independent masks that are alike are around 0.52, less than 0.05 beside it where a
 * few hundred are compared. */
#define MOST_ALIKE 0.8

typedef struct {
  char   *name;
  guint8 *kept;
  gsize   n;
} Mask;

typedef struct {
  EngParameters *parameters;
  EngStep       *step;
  EngBatch       batch;
  gint32         ids[TEXTS * N];
  gint32         labels[TEXTS * N];
  gint32         source_ids[TEXTS * N_SOURCE];
} Model;

static void
mask_free (gpointer data)
{
  Mask *self = data;

  g_free (self->name);
  g_free (self->kept);
  g_free (self);
}

static guint8 *
add_mask (GPtrArray  *masks,
          gsize       n,
          const char *stack,
          int         layer,
          const char *site)
{
  Mask *mask = g_new0 (Mask, 1);

  mask->name = g_strdup_printf ("%s, layer %d, %s", stack, layer, site);
  mask->kept = g_new (guint8, n);
  mask->n = n;
  g_ptr_array_add (masks, mask);

  return mask->kept;
}

/* y [n] with some dropped was added to x, or there is none. */
static void
add_rows (GPtrArray   *masks,
          const float *x,
          const float *sum,
          gsize        n,
          const char  *stack,
          int          layer,
          const char  *site)
{
  guint8 *kept = add_mask (masks, n, stack, layer, site);

  for (gsize i = 0; i < n; i++)
    kept[i] = sum[i] != (x != NULL ? x[i] : 0);
}

/* Which of a row's weights [n] were kept, as bits: those that make its context [d] of the values,
 * of all that could be. */
static guint
find_kept (const float *weights,
           const float *values,
           const float *context,
           int          n,
           int          d,
           gsize        stride)
{
  double best = INFINITY, length = 0;
  guint found = 0;

  for (int i = 0; i < d; i++)
    length += fabs ((double) context[i]);
  for (guint kept = 0; kept < 1u << n; kept++) {
    double error = 0;

    for (int i = 0; i < d; i++) {
      double sum = 0;

      for (int key = 0; key < n; key++)
        if (kept >> key & 1)
          sum += (double) weights[key] * (double) values[(gsize) key * stride + (gsize) i];
      error += fabs (sum / (1 - RATE) - (double) context[i]);
    }
    if (error < best) {
      best = error;
      found = kept;
    }
  }
  g_assert_cmpfloat (best, <=, 1e-4 * length);

  return found;
}

/* Weights that a causal mask hides are dropped or not without anybody seeing it: they are left
 * out. */
static void
add_weights (GPtrArray              *masks,
             const EngStepAttention *rows,
             const EngAttentionSpec *heads,
             int                     n,
             int                     n_keys,
             const char             *stack,
             int                     layer,
             const char             *site)
{
  gsize size = (gsize) eng_attention_spec_get_size (heads), n_read = 0;
  int d = heads->head_size;
  guint8 *kept = add_mask (masks, (gsize) (TEXTS * heads->n_heads * n * n_keys), stack, layer,
                           site);

  for (int i = 0; i < TEXTS * heads->n_heads * n; i++) {
    int query = i % n, head = i / n % heads->n_heads, text = i / n / heads->n_heads;
    int n_seen = heads->causal ? query + 1 : n_keys;
    guint found = find_kept (rows->weights + i * n_keys,
                             rows->v + (gsize) (text * n_keys) * size + head * d,
                             rows->context + (gsize) (text * n + query) * size + head * d, n_seen,
                             d, size);

    for (int key = 0; key < n_seen; key++)
      kept[n_read++] = found >> key & 1;
  }
  ((Mask *) masks->pdata[masks->len - 1])->n = n_read;
}

static void
add_stack (GPtrArray          *masks,
           const EngStepStack *stack,
           int                 size,
           const char         *name)
{
  gsize n = (gsize) (TEXTS * stack->n * size);

  add_rows (masks, NULL, stack->stream, n, name, -1, "embedding");
  for (int i = 0; i < stack->spec->n_layers; i++) {
    const EngLayerSpec *spec = eng_stack_spec_get_layer (stack->spec, i);
    const EngStepLayer *layer = &stack->layers[i];

    add_weights (masks, &layer->self, &spec->self, stack->n, stack->n, name, i, "weights");
    add_rows (masks, layer->self.rows.input, layer->self.rows.sum, n, name, i, "attention");
    if (stack->memory) {
      add_weights (masks, &layer->cross, &spec->cross, stack->n, stack->memory->n, name, i,
                   "weights of the source");
      add_rows (masks, layer->cross.rows.input, layer->cross.rows.sum, n, name, i, "source");
    }
    add_rows (masks, layer->feed_forward.input, layer->feed_forward.sum, n, name, i,
              "feed-forward");
  }
}

/* All masks of a step. */
static GPtrArray *
run (Model   *self,
     guint64  seed)
{
  GPtrArray *masks = g_ptr_array_new_with_free_func (mask_free);
  const EngStep *step = self->step;
  int size = step->spec->hidden_size;
  g_autoptr (GError) error = NULL;
  double loss;

  eng_step_run (self->step, &self->batch, 1, seed, NULL, &loss, &error);
  g_assert_no_error (error);
  if (step->last->memory)
    add_stack (masks, step->last->memory, size, "encoder");
  add_stack (masks, step->last, size, "last stack");
  if (step->settings.task == ENG_TASK_TEXT_CLASSIFICATION)
    add_rows (masks, NULL, step->head.gathered, (gsize) (step->head.n * size), "head", 0, "rows");

  return masks;
}

static double
get_alike (const guint8 *a,
           const guint8 *b,
           gsize         n)
{
  gsize alike = 0;

  for (gsize i = 0; i < n; i++)
    alike += a[i] == b[i];

  return (double) alike / (double) n;
}

/* The share that is dropped, within five deviations; and no part of it is another once more. */
static void
check_mask (const Mask *mask)
{
  double dropped = 0;

  for (gsize i = 0; i < mask->n; i++)
    dropped += !mask->kept[i];
  g_test_message ("%s: %.3f of %" G_GSIZE_FORMAT, mask->name, dropped / (double) mask->n, mask->n);
  g_assert_cmpfloat_with_epsilon (dropped / (double) mask->n, RATE,
                                  5 * sqrt (RATE * (1 - RATE) / (double) mask->n));
  for (gsize shift = 1; shift < mask->n / 2; shift++)
    g_assert_cmpfloat (get_alike (mask->kept, mask->kept + shift, mask->n - shift), <, MOST_ALIKE);
}

static void
check_differ (const GPtrArray *masks,
              const GPtrArray *others)
{
  for (guint i = 0; i < masks->len; i++)
    for (guint k = masks == others ? i + 1 : 0; k < others->len; k++) {
      const Mask *one = masks->pdata[i], *other = others->pdata[k];
      double alike = get_alike (one->kept, other->kept, MIN (one->n, other->n));

      if (alike >= MOST_ALIKE)
        g_error ("%s and %s drop the same: %.3f", one->name, other->name, alike);
    }
}

static void
check (Model *self,
       guint  n_masks)
{
  g_autoptr (GPtrArray) masks = run (self, 7), again = run (self, 7), next = run (self, 8);

  g_assert_cmpuint (masks->len, ==, n_masks);
  for (guint i = 0; i < masks->len; i++) {
    const Mask *one = masks->pdata[i], *other = again->pdata[i];

    check_mask (one);
    g_assert_cmpmem (one->kept, one->n, other->kept, other->n);
  }
  check_differ (masks, masks);
  check_differ (masks, next);
}

static Model *
model_new (const char *name,
           EngTask     task)
{
  Model *self = g_new0 (Model, 1);
  g_autofree char *folder = recorded_model_get_folder (name);
  EngStepSettings settings = { task, RATE, RATE, RATE, 0 };
  g_autoptr (GError) error = NULL;

  self->parameters = eng_parameters_open (folder, 1, &error);
  g_assert_no_error (error);
  self->step = eng_step_new (eng_parameters_get_spec (self->parameters),
                             eng_parameters_get_weights (self->parameters),
                             eng_parameters_get_gradients (self->parameters), &settings, &error);
  g_assert_no_error (error);
  for (int i = 0; i < TEXTS * N; i++) {
    self->ids[i] = (gint32) (2 + eng_random_bits (1, (guint64) i) % 30);
    self->labels[i] = task == ENG_TASK_LANGUAGE_MODEL ? self->ids[i]
                      : i % N == N - 1                ? 1
                                                      : ENG_NO_LABEL;
  }
  for (int i = 0; i < TEXTS * N_SOURCE; i++)
    self->source_ids[i] = (gint32) (2 + eng_random_bits (2, (guint64) i) % 30);
  self->batch = (EngBatch) { TEXTS, N, self->ids, NULL, NULL, self->labels };

  return self;
}

static void
model_free (Model *self)
{
  eng_step_free (self->step);
  eng_parameters_free (self->parameters);
  g_free (self);
}

static void
test_translator (void)
{
  Model *self = model_new ("translator", ENG_TASK_LANGUAGE_MODEL);

  self->batch.n_source = N_SOURCE;
  self->batch.source_ids = self->source_ids;
  /* The embedding; weights and rows of each attention, and the feed-forward, of two layers. */
  check (self, 1 + 2 * 3 + 1 + 2 * 5);
  model_free (self);
}

static void
test_classes (void)
{
  Model *self = model_new ("classes-last", ENG_TASK_TEXT_CLASSIFICATION);

  check (self, 1 + 2 * 3 + 1);
  model_free (self);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/dropout/translator", test_translator);
  g_test_add_func ("/engine/training/dropout/classes", test_classes);

  return g_test_run ();
}
