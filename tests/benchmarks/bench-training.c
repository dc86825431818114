/* SPDX-License-Identifier: MIT */
/* Tokens a second of training, forward, backward and AdamW, without dropout. Prints one line a shape:
 * name, tokens a step, smallest and median milliseconds, tokens a second.
 *   bench-training [REPETITIONS]   the shapes below: the bundled encoder asked for 15 % of its words,
 *                                  the bundled causal model for every next word, a larger one with
 *                                  rotary positions, RMS norms and a gated feed-forward, and the
 *                                  bundled translator over texts half as long
 *   bench-training -               reads the name of a shape a line and answers each with the
 *                                  milliseconds of a step: for tests/benchmarks/bench_torch_training.py
 *   bench-training memory NAME     takes some steps of a shape and prints the KiB that the process
 *                                  had before there was a model, and at most: for the same */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernels/isa.h"
#include "engine/kernels/pool.h"
#include "engine/kernels/random.h"
#include "engine/training/optimizer.h"
#include "engine/training/step.h"

#define REPETITIONS 7
#define N_WARM 2
#define TEXTS 32
#define TOKENS 64
#define N (TEXTS * TOKENS)
#define MEMORY_STEPS 3

typedef struct {
  const char *name;
  const char *config;
  EngTask     task;
  int         n_words;
} Shape;

/* As in bench_torch_training.py; all but rotary are those of resources/models. */
static const Shape shapes[] = {
  { "mini-encoder",
    "{\"model_type\": \"bert\", \"architectures\": [\"BertForMaskedLM\"], \"hidden_size\": 288,"
    " \"num_hidden_layers\": 6, \"num_attention_heads\": 12, \"intermediate_size\": 1152,"
    " \"max_position_embeddings\": 256, \"vocab_size\": 8192}", ENG_TASK_FILL_MASK, 8192 },
  { "causal",
    "{\"model_type\": \"gpt2\", \"architectures\": [\"GPT2LMHeadModel\"], \"n_embd\": 192,"
    " \"n_layer\": 4, \"n_head\": 6, \"n_inner\": 768, \"n_positions\": 128,"
    " \"vocab_size\": 4096}", ENG_TASK_LANGUAGE_MODEL, 4096 },
  { "rotary",
    "{\"model_type\": \"llama\", \"architectures\": [\"LlamaForCausalLM\"], \"hidden_size\": 256,"
    " \"num_hidden_layers\": 6, \"num_attention_heads\": 8, \"num_key_value_heads\": 4,"
    " \"intermediate_size\": 688, \"max_position_embeddings\": 256, \"vocab_size\": 8192}",
    ENG_TASK_LANGUAGE_MODEL, 8192 },
  { "translator",
    "{\"model_type\": \"marian\", \"architectures\": [\"MarianMTModel\"], \"d_model\": 192,"
    " \"encoder_layers\": 3, \"decoder_layers\": 3, \"encoder_attention_heads\": 6,"
    " \"decoder_attention_heads\": 6, \"encoder_ffn_dim\": 768, \"decoder_ffn_dim\": 768,"
    " \"max_position_embeddings\": 128, \"scale_embedding\": true, \"vocab_size\": 5000}",
    ENG_TASK_LANGUAGE_MODEL, 5000 },
};

typedef struct {
  EngParameters *parameters;
  EngStep       *step;
  EngOptimizer  *optimizer;
  gint32         ids[N];
  gint32         labels[N];
  EngBatch       batch;
} Trainer;

/* Half of the tokens are read, the other half written. */
static void
fill_pairs (Trainer *self)
{
  self->batch = (EngBatch) {
    TEXTS, TOKENS / 2, self->ids, NULL, NULL, self->labels,
    .n_source = TOKENS / 2, .source_ids = self->ids + N / 2,
  };
  for (int i = 0; i < N / 2; i++)
    self->labels[i] = self->ids[N / 2 - i];
}

static void
fill_batch (Trainer     *self,
            const Shape *shape)
{
  EngTask task = shape->task;

  self->batch = (EngBatch) { TEXTS, TOKENS, self->ids, NULL, NULL, self->labels };
  for (guint64 i = 0; i < N; i++)
    self->ids[i] = (gint32) (eng_random_bits (1, i) % (guint64) shape->n_words);
  if (eng_spec_has_cross (eng_parameters_get_spec (self->parameters))) {
    fill_pairs (self);
    return;
  }
  if (task == ENG_TASK_LANGUAGE_MODEL)
    eng_batch_label_next_words (&self->batch, self->labels);
  for (guint64 i = 0; i < N && task == ENG_TASK_FILL_MASK; i++)
    self->labels[i] = eng_random_uniform (2, i) < 0.15 ? self->ids[i] : ENG_NO_LABEL;
}

static Trainer *
trainer_new (const Shape *shape)
{
  Trainer *self = g_new0 (Trainer, 1);
  EngStepSettings settings = { .task = shape->task };
  EngOptimizerSettings optimizer;
  GError *error = NULL;

  self->parameters = eng_parameters_new (shape->config, -1, shape->name, 1, &error);
  if (!self->parameters)
    g_error ("%s", error->message);
  self->step = eng_step_new (eng_parameters_get_spec (self->parameters),
                             eng_parameters_get_weights (self->parameters),
                             eng_parameters_get_gradients (self->parameters), &settings, &error);
  eng_optimizer_settings_init (&optimizer);
  self->optimizer = eng_optimizer_new (self->parameters, &optimizer, &error);
  if (!self->step || !self->optimizer)
    g_error ("%s", error->message);
  fill_batch (self, shape);

  return self;
}

static void
trainer_free (Trainer *self)
{
  eng_step_free (self->step);
  eng_optimizer_free (self->optimizer);
  eng_parameters_free (self->parameters);
  g_free (self);
}

/* Milliseconds of a step. */
static double
run_once (Trainer *self)
{
  gint64 start = g_get_monotonic_time ();
  int n = eng_batch_count_labels (&self->batch);
  double loss;

  if (!eng_step_run (self->step, &self->batch, n, 1, NULL, &loss, NULL) ||
      !eng_optimizer_step (self->optimizer, 1e-4, NULL, NULL))
    g_error ("a step failed");

  return (double) (g_get_monotonic_time () - start) / 1000;
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
report (const Shape *shape,
        int          n)
{
  Trainer *trainer = trainer_new (shape);
  g_autofree double *times = g_new (double, n);

  for (int i = -N_WARM; i < n; i++)
    times[MAX (i, 0)] = run_once (trainer);
  qsort (times, (size_t) n, sizeof *times, compare_doubles);
  printf ("%-14s %5d tokens %8.1f ms %8.1f ms %8.0f tokens/s\n", shape->name, N, times[0],
          times[n / 2], N / times[n / 2] * 1000);
  trainer_free (trainer);
}

/* Trainers stay as they are between lines, so that another program can take turns. */
static void
answer (void)
{
  Trainer *trainers[G_N_ELEMENTS (shapes)] = { NULL };
  char line[64];

  while (fgets (line, sizeof line, stdin) != NULL)
    for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
      if (strcmp (g_strchomp (line), shapes[i].name) == 0) {
        if (!trainers[i])
          trainers[i] = trainer_new (&shapes[i]);
        printf ("%.3f\n", run_once (trainers[i]));
        fflush (stdout);
      }
}

/* KiB, as the kernel counts them. */
static long
get_memory (const char *what)
{
  g_autofree char *status = NULL;
  const char *line = g_file_get_contents ("/proc/self/status", &status, NULL, NULL)
                       ? strstr (status, what) : NULL;

  return line ? strtol (line + strlen (what), NULL, 10) : 0;
}

static void
measure_memory (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    long before = get_memory ("VmRSS:");
    Trainer *trainer;

    if (strcmp (name, shapes[i].name) != 0)
      continue;
    trainer = trainer_new (&shapes[i]);
    for (int k = 0; k < MEMORY_STEPS; k++)
      run_once (trainer);
    printf ("%ld %ld\n", before, get_memory ("VmHWM:"));
    trainer_free (trainer);
  }
}

int
main (int   argc,
      char *argv[])
{
  if (argc > 2 && strcmp (argv[1], "memory") == 0) {
    measure_memory (argv[2]);
    return 0;
  }
  if (argc > 1 && strcmp (argv[1], "-") == 0) {
    answer ();
    return 0;
  }

  printf ("%s, %d threads\n", eng_isa_get_name (eng_isa_get ()), eng_pool_get_n_workers ());
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    report (&shapes[i], argc > 1 ? MAX (atoi (argv[1]), 1) : REPETITIONS);

  return 0;
}
