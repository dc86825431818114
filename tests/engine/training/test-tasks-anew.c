/* SPDX-License-Identifier: MIT */
/* A checkpoint taken to another task: its class, its labels, its head; and layers that stay as they
 * are. */
#include "engine/training/frozen.h"
#include "engine/training/optimizer.h"
#include "engine/training/task-config.h"

#include <string.h>

#include "engine/training/checkpoint.h"
#include "tests/engine/training/recorded-model.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

static const char *const labels[] = { "no", "perhaps", "yes", NULL };
static const char *const other_order[] = { "yes", "no", "perhaps", NULL };

static char *
read_config (const char *folder)
{
  return checkpoint_read_file (folder, "config.json", NULL);
}

static EngParameters *
open_as (const char        *folder,
         EngTask            task,
         const char *const *names,
         guint64            seed)
{
  g_autofree char *text = read_config (folder), *config = NULL;
  g_autoptr (GError) error = NULL;
  EngParameters *parameters;

  config = eng_task_config_make (text, "config.json", task, names, &error);
  g_assert_no_error (error);
  parameters = eng_parameters_open_as (folder, config, seed, &error);
  g_assert_no_error (error);

  return parameters;
}

static void
assert_tensor (const EngParameters *a,
               const EngParameters *b,
               const char          *name,
               gboolean             same)
{
  const EngParameter *one = eng_parameters_find (a, name), *other = eng_parameters_find (b, name);

  g_assert_nonnull (one);
  g_assert_nonnull (other);
  g_assert_cmpint (memcmp (one->values, other->values, one->n_elements * sizeof (float)) == 0, ==,
                   same);
}

/* What the model knows stays, the head is drawn by the seed; its labels are those of the file. */
static void
test_new_head (void)
{
  g_autofree char *folder = recorded_model_get_folder ("encoder");
  g_autoptr (EngParameters) old = eng_parameters_open (folder, 1, NULL);
  g_autoptr (EngParameters) new = open_as (folder, ENG_TASK_TEXT_CLASSIFICATION, labels, 3);
  g_autoptr (EngParameters) again = open_as (folder, ENG_TASK_TEXT_CLASSIFICATION, labels, 4);
  const EngSpec *spec = eng_parameters_get_spec (new);

  g_assert_true (spec->heads[ENG_TASK_TEXT_CLASSIFICATION].present);
  g_assert_false (spec->heads[ENG_TASK_FILL_MASK].present);
  g_assert_cmpint (spec->heads[ENG_TASK_TEXT_CLASSIFICATION].n_classes, ==, 3);
  g_assert_true (g_strv_equal ((const char *const *) eng_parameters_get_labels (new), labels));
  g_assert_nonnull (strstr (eng_parameters_get_config (new), "BertForSequenceClassification"));
  assert_tensor (old, new, "bert.embeddings.word_embeddings.weight", TRUE);
  assert_tensor (old, new, "bert.encoder.layer.1.output.dense.weight", TRUE);
  assert_tensor (new, again, "classifier.weight", FALSE);
}

/* A head of the same labels is kept, in the order that it has; one of others is not. */
static void
test_kept_head (void)
{
  static const char *const others[] = { "a", "b", "c", NULL };
  g_autofree char *folder = recorded_model_get_folder ("encoder");
  g_autoptr (EngParameters) first = open_as (folder, ENG_TASK_TEXT_CLASSIFICATION, labels, 3);
  g_autoptr (EngParameters) kept = NULL, anew = NULL;
  char *saved = temporary_new ();

  g_assert_true (eng_training_save (first, NULL, saved, FALSE, NULL));
  kept = open_as (saved, ENG_TASK_TEXT_CLASSIFICATION, other_order, 9);
  anew = open_as (saved, ENG_TASK_TEXT_CLASSIFICATION, others, 9);
  g_assert_true (g_strv_equal ((const char *const *) eng_parameters_get_labels (kept), labels));
  assert_tensor (first, kept, "classifier.weight", TRUE);
  assert_tensor (first, anew, "classifier.weight", FALSE);
  assert_tensor (first, anew, "bert.pooler.dense.weight", TRUE);
  temporary_free (saved);
}

static void
test_class_stays (void)
{
  g_autofree char *folder = checkpoint_get_specimen ("pretraining");
  g_autofree char *text = read_config (folder), *config = NULL, *answers = NULL;

  config = eng_task_config_make (text, "config.json", ENG_TASK_FILL_MASK, NULL, NULL);
  g_assert_nonnull (strstr (config, "\"BertForPreTraining\""));
  answers = eng_task_config_make (text, "config.json", ENG_TASK_QUESTION_ANSWERING, NULL, NULL);
  g_assert_nonnull (strstr (answers, "\"BertForQuestionAnswering\""));
}

static void
test_no_such_head (void)
{
  g_autofree char *folder = recorded_model_get_folder ("rotary");
  g_autofree char *text = read_config (folder);
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_task_config_make (text, "config.json", ENG_TASK_FILL_MASK, NULL, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
}

/* The first step's gradients, and the parameters after n steps. */
typedef struct {
  RecordedModel *model;
  float         *gradients;
} Steps;

static void
steps_clear (Steps *self)
{
  recorded_model_free (self->model);
  g_free (self->gradients);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Steps, steps_clear)

static void
take_steps (Steps *self,
            int    n_frozen,
            int    n)
{
  EngParameters *parameters;
  const EngGradients *block;
  EngOptimizerSettings settings;
  g_autoptr (EngOptimizer) optimizer = NULL;
  g_autoptr (EngStep) step = NULL;
  double loss;

  self->model = recorded_model_new ("classes", ENG_TASK_TEXT_CLASSIFICATION);
  parameters = self->model->parameters;
  block = eng_parameters_get_gradients (parameters);
  if (n_frozen >= 0)
    g_assert_true (eng_freeze_layers (parameters, n_frozen, NULL));
  eng_optimizer_settings_init (&settings);
  optimizer = eng_optimizer_new (parameters, &settings, NULL);
  step = recorded_model_start (self->model);
  for (int i = 0; i < n; i++) {
    g_assert_true (eng_step_run (step, recorded_model_get_batch (self->model, i), 4, 1, NULL, &loss,
                                 NULL));
    if (i == 0)
      self->gradients = g_memdup2 (block->gradients, block->n * sizeof (float));
    g_assert_true (eng_optimizer_step (optimizer, 0.01, NULL, NULL));
  }
}

static gboolean
is_below (const char *name,
          int         n_frozen)
{
  return strstr (name, "embeddings.") || (strstr (name, "layer.0.") && n_frozen > 0) ||
         (strstr (name, "layer.1.") && n_frozen > 1);
}

/* What is frozen has no gradient and stays; what is not has the gradient that it has without. */
static void
check_frozen (int n_frozen)
{
  g_autofree char *folder = recorded_model_get_folder ("classes");
  g_autoptr (EngParameters) before = eng_parameters_open (folder, 1, NULL);
  g_auto (Steps) all = { 0 };
  g_auto (Steps) some = { 0 };
  const EngParameters *after;
  const float *values;

  take_steps (&all, -1, 1);
  take_steps (&some, n_frozen, 3);
  after = some.model->parameters;
  values = eng_parameters_get_gradients (after)->values;

  for (int i = 0; i < eng_parameters_get_n_tensors (after); i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (after, i);
    gsize place = (gsize) (tensor->values - values);
    gboolean frozen = is_below (tensor->name, n_frozen);

    assert_tensor (before, after, tensor->name, frozen);
    for (gsize k = place; k < place + tensor->n_elements; k++)
      g_assert_true (some.gradients[k] == (frozen ? 0 : all.gradients[k]));
  }
}

static void
test_frozen (void)
{
  for (int n = 0; n <= 2; n++)
    check_frozen (n);
}

static void
test_frozen_refused (void)
{
  g_autofree char *folder = recorded_model_get_folder ("classes");
  g_autofree char *translator = recorded_model_get_folder ("translator");
  g_autoptr (EngParameters) parameters = eng_parameters_open (folder, 1, NULL);
  g_autoptr (EngParameters) two_stacks = eng_parameters_open (translator, 1, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (eng_freeze_layers (parameters, 3, &error));
  g_assert_nonnull (strstr (error->message, "3 layers cannot be frozen, expected at most the 2"));
  g_assert_false (eng_freeze_layers (two_stacks, 1, NULL));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/tasks-anew/new-head", test_new_head);
  g_test_add_func ("/engine/training/tasks-anew/kept-head", test_kept_head);
  g_test_add_func ("/engine/training/tasks-anew/class-stays", test_class_stays);
  g_test_add_func ("/engine/training/tasks-anew/no-such-head", test_no_such_head);
  g_test_add_func ("/engine/training/tasks-anew/frozen", test_frozen);
  g_test_add_func ("/engine/training/tasks-anew/frozen-refused", test_frozen_refused);

  return g_test_run ();
}
