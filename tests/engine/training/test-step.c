/* SPDX-License-Identifier: MIT */
/* Loss and gradients of whole models as the engine computes them, against torch's autograd. */
#include <math.h>

#include "tests/engine/training/recorded-model.h"

/* What counts as no gradient: those of keys' biases are 0 but for rounding. */
#define UNIT 0.1

/* As the weights lie in memory: a matrix that the file has as [in, out] is turned. */
static float *
dup_as_written (const EngTensor        *tensor,
                const EngWrittenTensor *form)
{
  float *values = recorded_dup (tensor);
  g_autofree float *file = NULL;
  gint64 rows = tensor->shape[0], columns = tensor->shape[1];

  if (!form->transposed)
    return values;
  file = g_steal_pointer (&values);
  values = g_new (float, tensor->n_elements);
  for (gint64 row = 0; row < rows; row++)
    for (gint64 column = 0; column < columns; column++)
      values[column * rows + row] = file[row * columns + column];

  return values;
}

static void
compare_gradients (const RecordedModel *model,
                   const char          *what)
{
  for (int i = 0; i < eng_parameters_get_n_tensors (model->parameters); i++) {
    const EngParameter *parameter = eng_parameters_get_tensor (model->parameters, i);
    const EngTensor *tensor = recorded_find (model->recorded, "gradient", parameter->name);
    g_autofree float *expected =
      dup_as_written (tensor, eng_parameters_get_form (model->parameters, i));

    g_assert_cmpint (tensor->n_elements, ==, (gint64) parameter->n_elements);
    recorded_compare_numbers (what, parameter->name, parameter->gradients, expected,
                              parameter->n_elements, UNIT);
  }
}

static int
count_recorded (const RecordedModel *model)
{
  int n = 0;

  for (int i = 0; i < eng_tensor_set_get_n_tensors (model->recorded); i++)
    n += g_str_has_prefix (eng_tensor_set_get_tensor (model->recorded, i)->name, "gradient.");

  return n;
}

/* The same batch evaluated has the same loss, and leaves the gradients as they are. */
static void
check (const char *name,
       EngTask     task)
{
  g_autoptr (RecordedModel) model = recorded_model_new (name, task);
  g_autoptr (EngStep) step = recorded_model_start (model);
  const EngBatch *batch = recorded_model_get_batch (model, 0);
  int n = eng_batch_count_labels (batch);
  double loss, again;
  float mean;

  g_assert_true (eng_step_run (step, batch, n, 1, NULL, &loss, NULL));
  mean = (float) (loss / n);
  recorded_compare (name, &mean, eng_tensor_set_find (model->recorded, "loss"), 1);
  g_assert_cmpint (count_recorded (model), ==, eng_parameters_get_n_tensors (model->parameters));
  g_assert_true (eng_step_evaluate (step, batch, NULL, &again, NULL));
  g_assert_true (again == loss);
  compare_gradients (model, name);
}

static void
test_encoder (void)
{
  check ("encoder", ENG_TASK_FILL_MASK);
}

static void
test_decoder (void)
{
  check ("decoder", ENG_TASK_LANGUAGE_MODEL);
}

static void
test_rotary (void)
{
  check ("rotary", ENG_TASK_LANGUAGE_MODEL);
}

static void
test_translator (void)
{
  check ("translator", ENG_TASK_LANGUAGE_MODEL);
}

static void
test_denoiser (void)
{
  check ("denoiser", ENG_TASK_LANGUAGE_MODEL);
}

static void
test_entities (void)
{
  check ("entities", ENG_TASK_ENTITIES);
}

/* By the pooler, by the first token, by the last. */
static void
test_classes (void)
{
  check ("classes", ENG_TASK_TEXT_CLASSIFICATION);
  check ("classes-first", ENG_TASK_TEXT_CLASSIFICATION);
  check ("classes-last", ENG_TASK_TEXT_CLASSIFICATION);
}

static void
test_answers (void)
{
  check ("answers", ENG_TASK_QUESTION_ANSWERING);
}

/* Of a model whose labels are smoothed so much: the loss of the batch that has one label. */
static double
lose (RecordedModel  *model,
      double          smoothing,
      const EngBatch *batch)
{
  EngStepSettings settings = { .task = model->task, .smoothing = smoothing };
  g_autoptr (EngStep) step = eng_step_new (eng_parameters_get_spec (model->parameters),
                                           eng_parameters_get_weights (model->parameters),
                                           eng_parameters_get_gradients (model->parameters),
                                           &settings, NULL);
  double loss;

  g_assert_true (eng_step_run (step, batch, 1, 1, NULL, &loss, NULL));

  return loss;
}

/* A smoothed label is a share of every class: the loss is that share of the mean of what each of
 * them would lose alone. What is held out is asked for the label itself. */
static void
test_smoothing (void)
{
  enum { WORDS = 41, WORD = 7, PLACE = 2 };
  const double smoothing = 0.3;
  g_autoptr (RecordedModel) model = recorded_model_new ("encoder", ENG_TASK_FILL_MASK);
  g_autoptr (EngStep) step = NULL;
  EngStepSettings settings = { ENG_TASK_FILL_MASK, .smoothing = smoothing };
  EngBatch batch = *recorded_model_get_batch (model, 0);
  g_autofree gint32 *labels = g_new (gint32, batch.n_sequences * batch.n);
  double all = 0, alone, held_out;

  for (int i = 0; i < batch.n_sequences * batch.n; i++)
    labels[i] = ENG_NO_LABEL;
  batch.labels = labels;
  for (gint32 word = 0; word < WORDS; word++) {
    labels[PLACE] = word;
    all += lose (model, 0, &batch);
  }
  labels[PLACE] = WORD;
  alone = lose (model, 0, &batch);
  g_assert_cmpfloat (fabs (all / WORDS - alone), >, 0.01);
  g_assert_cmpfloat_with_epsilon (lose (model, smoothing, &batch),
                                  (1 - smoothing) * alone + smoothing * all / WORDS, 1e-5);
  step = eng_step_new (eng_parameters_get_spec (model->parameters),
                       eng_parameters_get_weights (model->parameters),
                       eng_parameters_get_gradients (model->parameters), &settings, NULL);
  g_assert_true (eng_step_evaluate (step, &batch, NULL, &held_out, NULL));
  g_assert_cmpfloat_with_epsilon (held_out, alone, 1e-5);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/recorded-step/encoder", test_encoder);
  g_test_add_func ("/engine/training/recorded-step/decoder", test_decoder);
  g_test_add_func ("/engine/training/recorded-step/rotary", test_rotary);
  g_test_add_func ("/engine/training/recorded-step/translator", test_translator);
  g_test_add_func ("/engine/training/recorded-step/denoiser", test_denoiser);
  g_test_add_func ("/engine/training/recorded-step/entities", test_entities);
  g_test_add_func ("/engine/training/recorded-step/classes", test_classes);
  g_test_add_func ("/engine/training/recorded-step/answers", test_answers);
  g_test_add_func ("/engine/training/recorded-step/smoothing", test_smoothing);

  return g_test_run ();
}
