/* SPDX-License-Identifier: MIT */
/* Whole runs: the losses of 200 steps beside those that torch took from the same weights over the
 * same batches, and the same bits on one thread and on several. */
#include <stdio.h>
#include <string.h>

#include "engine/kernels/random.h"
#include "engine/training/optimizer.h"
#include "engine/training/schedule.h"
#include "tests/engine/training/recorded-model.h"

#define N_STEPS 200
#define N_RISING 20
#define CURVE_TOLERANCE 1e-4

typedef struct {
  const char *name;
  EngTask     task;
  EngSchedule schedule;
  int         together; /* batches a step */
  double      longest;
} Run;

/* As in record_training.py and record_task_heads.py. */
static const Run runs[] = {
  { "encoder", ENG_TASK_FILL_MASK, { 4e-3, ENG_DECAY_LINEAR, N_RISING, N_STEPS }, 1, 1 },
  { "decoder", ENG_TASK_LANGUAGE_MODEL, { 3e-3, ENG_DECAY_COSINE, N_RISING, N_STEPS }, 2, 0.5 },
  { "rotary", ENG_TASK_LANGUAGE_MODEL, { 1e-3, ENG_DECAY_INVERSE_SQRT, N_RISING, N_STEPS }, 1, 1 },
  { "classes", ENG_TASK_TEXT_CLASSIFICATION, { 4e-3, ENG_DECAY_LINEAR, N_RISING, N_STEPS }, 1, 1 },
  { "answers", ENG_TASK_QUESTION_ANSWERING, { 4e-3, ENG_DECAY_LINEAR, N_RISING, N_STEPS }, 1, 1 },
  { "translator", ENG_TASK_LANGUAGE_MODEL, { 1e-3, ENG_DECAY_INVERSE_SQRT, N_RISING, N_STEPS }, 2,
    1 },
};

static EngOptimizer *
make_optimizer (EngParameters *parameters,
                double         longest)
{
  g_autoptr (GError) error = NULL;
  EngOptimizerSettings settings;
  EngOptimizer *optimizer;

  eng_optimizer_settings_init (&settings);
  settings.decay = 0.1;
  settings.longest = longest;
  optimizer = eng_optimizer_new (parameters, &settings, &error);
  g_assert_no_error (error);

  return optimizer;
}

/* The mean loss of the labels of all batches of the step. */
static double
take_step (const Run     *run,
           RecordedModel *model,
           EngStep       *step,
           EngOptimizer  *optimizer)
{
  g_autoptr (GError) error = NULL;
  gint64 number = eng_optimizer_get_n_steps (optimizer);
  int first = (int) number * run->together, n = 0;
  double sum = 0;

  for (int i = 0; i < run->together; i++)
    n += eng_batch_count_labels (recorded_model_get_batch (model, first + i));
  for (int i = 0; i < run->together; i++) {
    double loss;

    eng_step_run (step, recorded_model_get_batch (model, first + i), n, 1, NULL, &loss, &error);
    g_assert_no_error (error);
    sum += loss;
  }
  eng_optimizer_step (optimizer, eng_schedule_get_rate (&run->schedule, number), NULL, &error);
  g_assert_no_error (error);

  return sum / n;
}

static void
test_curve (gconstpointer data)
{
  const Run *run = data;
  g_autoptr (RecordedModel) model = recorded_model_new (run->name, run->task);
  g_autoptr (EngStep) step = recorded_model_start (model);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters, run->longest);
  g_autofree float *expected = recorded_dup (eng_tensor_set_find (model->recorded, "losses"));
  double worst = 0, loss = 0;

  for (int i = 0; i < N_STEPS; i++) {
    double difference;

    loss = take_step (run, model, step, optimizer);
    difference = fabs (loss / (double) expected[i] - 1);
    worst = isnan (difference) ? INFINITY : MAX (worst, difference);
  }
  g_test_message ("%s: loss %.4f to %.4f, worst difference of a step %.1e", run->name,
                  (double) expected[0], loss, worst);
  g_assert_cmpfloat (worst, <=, CURVE_TOLERANCE);
}

static void
test_schedule (void)
{
  EngSchedule linear = { 2, ENG_DECAY_LINEAR, 10, 110 };
  EngSchedule cosine = { 2, ENG_DECAY_COSINE, 10, 110 };
  EngSchedule root = { 2, ENG_DECAY_INVERSE_SQRT, 10, 0 };
  EngSchedule none = { 2, ENG_DECAY_NONE, 0, 0 };

  g_assert_cmpfloat (eng_schedule_get_rate (&linear, 0), ==, 0);
  g_assert_cmpfloat (eng_schedule_get_rate (&linear, 5), ==, 1);
  g_assert_cmpfloat (eng_schedule_get_rate (&linear, 10), ==, 2);
  g_assert_cmpfloat_with_epsilon (eng_schedule_get_rate (&linear, 60), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (eng_schedule_get_rate (&linear, 200), 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (eng_schedule_get_rate (&cosine, 60), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (eng_schedule_get_rate (&cosine, 110), 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (eng_schedule_get_rate (&root, 40), 1, 1e-12);
  g_assert_cmpfloat (eng_schedule_get_rate (&none, 0), ==, 2);
  g_assert_cmpfloat (eng_schedule_get_rate (&none, 1000000), ==, 2);
}

static void
fill_gradients (const EngParameters *parameters,
                float                gradient)
{
  const EngGradients *block = eng_parameters_get_gradients (parameters);

  for (gsize i = 0; i < block->n; i++)
    block->gradients[i] = gradient;
}

/* With the least of gradients only decay moves a weight that one can see, and it leaves norms and
 * biases alone. */
static void
test_decay (void)
{
  g_autoptr (RecordedModel) model = recorded_model_new ("encoder", ENG_TASK_FILL_MASK);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters, 1);
  const EngGradients *block = eng_parameters_get_gradients (model->parameters);
  g_autofree float *before = g_memdup2 (block->values, block->n * sizeof (float));

  fill_gradients (model->parameters, 1e-16f);
  g_assert_true (eng_optimizer_step (optimizer, 0.5, NULL, NULL));
  for (int i = 0; i < eng_parameters_get_n_tensors (model->parameters); i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (model->parameters, i);
    const float *old = before + (tensor->values - block->values);

    for (gsize k = 0; k < tensor->n_elements; k++)
      if (tensor->decays)
        g_assert_cmpfloat_with_epsilon (tensor->values[k], old[k] * 0.95f, 1e-6);
      else
        g_assert_cmpfloat_with_epsilon (tensor->values[k], old[k], 1e-7);
  }
}

/* A tensor without a gradient stays, decay or not, until it has one; then it goes on to decay. */
static void
test_untouched (void)
{
  g_autoptr (RecordedModel) model = recorded_model_new ("encoder", ENG_TASK_FILL_MASK);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters, 1);
  const EngParameter *tensor = eng_parameters_get_tensor (model->parameters, 0);
  float before = tensor->values[5];

  eng_parameters_get_tensor (model->parameters, 1)->gradients[0] = 1;
  g_assert_true (eng_optimizer_step (optimizer, 0.5, NULL, NULL));
  g_assert_true (tensor->values[5] == before);
  tensor->gradients[0] = 1e-16f;
  g_assert_true (eng_optimizer_step (optimizer, 0.5, NULL, NULL));
  g_assert_true (eng_optimizer_step (optimizer, 0.5, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (tensor->values[5], before * 0.95f * 0.95f, 1e-6);
}

/* A gradient that is no number leaves everything as it is, and says so. */
static void
test_no_number (void)
{
  g_autoptr (RecordedModel) model = recorded_model_new ("encoder", ENG_TASK_FILL_MASK);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters, 1);
  const EngGradients *block = eng_parameters_get_gradients (model->parameters);
  g_autofree float *before = g_memdup2 (block->values, block->n * sizeof (float));
  g_autoptr (GError) error = NULL;

  eng_parameters_get_tensor (model->parameters, 3)->gradients[1] = NAN;
  g_assert_false (eng_optimizer_step (optimizer, 0.5, NULL, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_test_message ("%s", error->message);
  g_assert_cmpint (eng_optimizer_get_n_steps (optimizer), ==, 0);
  g_assert_cmpmem (before, block->n * sizeof (float), block->values, block->n * sizeof (float));
}

/* Wide enough that every piece is cut for several threads, and with dropout. */
#define WIDE                                                                                      \
  "{\"model_type\": \"gpt2\", \"architectures\": [\"GPT2LMHeadModel\"], \"n_embd\": 168,"         \
  " \"n_layer\": 2, \"n_head\": 6, \"n_inner\": 320, \"n_positions\": 40, \"vocab_size\": 700}"

/* Prints the losses of some steps and a sum over the weights, to the last bit. */
static void
print_curve (void)
{
  enum { TEXTS = 7, TOKENS = 40 };
  g_autoptr (EngParameters) parameters = eng_parameters_new (WIDE, -1, "config.json", 1, NULL);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (parameters, 1);
  const EngGradients *block = eng_parameters_get_gradients (parameters);
  EngStepSettings settings = { ENG_TASK_LANGUAGE_MODEL, 0.1, 0.1, 0.1, 0.1 };
  g_autoptr (EngStep) step = eng_step_new (eng_parameters_get_spec (parameters),
                                           eng_parameters_get_weights (parameters), block,
                                           &settings, NULL);
  gint32 ids[TEXTS * TOKENS], labels[TEXTS * TOKENS];
  EngBatch batch = { TEXTS, TOKENS, ids, NULL, NULL, labels };
  double sum = 0;

  for (int i = 0; i < TEXTS * TOKENS; i++)
    ids[i] = (gint32) (eng_random_bits (9, (guint64) i) % 700);
  eng_batch_label_next_words (&batch, labels);
  for (int i = 0; i < 6; i++) {
    double loss;

    g_assert_true (eng_step_run (step, &batch, TEXTS * (TOKENS - 1), (guint64) i, NULL, &loss,
                                 NULL));
    g_assert_true (eng_optimizer_step (optimizer, 1e-3, NULL, NULL));
    printf ("%a\n", loss);
  }
  for (gsize i = 0; i < block->n; i++)
    sum += (double) (i % 1000) * (double) block->values[i];
  printf ("%a\n", sum);
}

static char *
run_with_threads (const char *n_threads)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  const char *command[] = { program, "--print-curve", NULL };
  g_auto (GStrv) env = g_environ_setenv (g_get_environ (), "HEADLIGHT_THREADS", n_threads, TRUE);
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status;

  g_spawn_sync (NULL, (char **) command, env, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);

  return output;
}

static void
test_threads (void)
{
  g_autofree char *one = run_with_threads ("1");
  g_autofree char *two = run_with_threads ("2");
  g_autofree char *three = run_with_threads ("3");

  g_test_message ("%s", one);
  g_assert_cmpuint (strlen (one), >, 40);
  g_assert_cmpstr (one, ==, two);
  g_assert_cmpstr (one, ==, three);
}

int
main (int   argc,
      char *argv[])
{
  if (argc == 2 && strcmp (argv[1], "--print-curve") == 0) {
    print_curve ();
    return 0;
  }

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++) {
    g_autofree char *path = g_strdup_printf ("/engine/training/curves/%s", runs[i].name);

    g_test_add_data_func (path, &runs[i], test_curve);
  }
  g_test_add_func ("/engine/training/curves/schedule", test_schedule);
  g_test_add_func ("/engine/training/curves/decay", test_decay);
  g_test_add_func ("/engine/training/curves/untouched", test_untouched);
  g_test_add_func ("/engine/training/curves/no-number", test_no_number);
  g_test_add_func ("/engine/training/curves/threads", test_threads);

  return g_test_run ();
}
