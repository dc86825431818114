/* SPDX-License-Identifier: MIT */
/* What a training leaves on disk: tensors as transformers saves them, the same logits when it is
 * opened as a model, and a run that goes on as if it had never stopped. With HEADLIGHT_TRAINED a
 * folder is filled that `record_training.py --check` opens with transformers. */
#include "engine/training/checkpoint.h"

#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/trace/trace-private.h"
#include "tests/engine/training/recorded-model.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/random-model.h"
#include "tests/support/specimen.h"

typedef char *Folder;

static void
folder_clear (Folder *self)
{
  if (*self)
    temporary_free (g_steal_pointer (self));
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folder, folder_clear)

static EngParameters *
open_parameters (const char *folder)
{
  g_autoptr (GError) error = NULL;
  EngParameters *self = eng_parameters_open (folder, 1, &error);

  g_assert_no_error (error);

  return self;
}

static void
save (const EngParameters *parameters,
      EngOptimizer        *optimizer,
      const char          *folder)
{
  g_autoptr (GError) error = NULL;

  eng_training_save (parameters, optimizer, folder, FALSE, &error);
  g_assert_no_error (error);
}

static EngTensorSet *
open_weights (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  EngTensorSet *file = eng_safetensors_open (path, &error);

  g_assert_no_error (error);

  return file;
}

/* Names, shapes and, as float32, numbers. */
static void
compare_files (const EngTensorSet *found,
               const EngTensorSet *expected)
{
  g_assert_cmpint (eng_tensor_set_get_n_tensors (found), ==,
                   eng_tensor_set_get_n_tensors (expected));
  for (int i = 0; i < eng_tensor_set_get_n_tensors (expected); i++) {
    const EngTensor *tensor = eng_tensor_set_get_tensor (expected, i);
    const EngTensor *ours = eng_tensor_set_find (found, tensor->name);
    g_autofree float *numbers = recorded_dup (tensor);

    g_assert_nonnull (ours);
    g_assert_cmpstr (ours->type_name, ==, "F32");
    g_assert_true (eng_tensor_has_shape (ours, tensor->rank, tensor->shape));
    g_assert_cmpmem (ours->data, ours->n_bytes, numbers,
                     (gsize) tensor->n_elements * sizeof (float));
  }
}

static void
check_written (const char *folder)
{
  g_autoptr (EngParameters) parameters = open_parameters (folder);
  g_auto (Folder) copy = temporary_new ();
  g_autoptr (EngTensorSet) expected = open_weights (folder);
  g_autoptr (EngTensorSet) found = NULL;

  save (parameters, NULL, copy);
  found = open_weights (copy);
  g_assert_cmpstr (eng_tensor_set_get_metadata (found, "format"), ==, "pt");
  compare_files (found, expected);
}

/* Unchanged weights become the file that transformers wrote. */
static void
test_tensors (void)
{
  static const char *const names[] = {
    "encoder", "decoder", "rotary", "entities", "translator", "denoiser",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *folder = recorded_model_get_folder (names[i]);

    check_written (folder);
  }
}

/* Queries, keys and values of each head together. */
static void
test_heads_together (void)
{
  g_auto (Folder) folder = temporary_new ();
  g_autofree char *specimen = specimen_get_folder ("gpt-neox-turns");
  g_autofree char *config = checkpoint_read_file (specimen, "config.json", NULL);
  g_autoptr (GBytes) weights = specimen_read ("gpt-neox-turns", "weights.safetensors.gz");
  g_autoptr (EngParameters) parameters = NULL;
  g_auto (Folder) copy = temporary_new ();
  g_autoptr (EngTensorSet) expected = NULL;
  g_autoptr (EngTensorSet) found = NULL;

  checkpoint_write_file (folder, "config.json", config, -1);
  checkpoint_write_file (folder, "model.safetensors", g_bytes_get_data (weights, NULL),
                         (gssize) g_bytes_get_size (weights));
  parameters = open_parameters (folder);
  save (parameters, NULL, copy);
  expected = open_weights (folder);
  found = open_weights (copy);
  for (int i = 0; i < eng_tensor_set_get_n_tensors (found); i++) {
    const EngTensor *ours = eng_tensor_set_get_tensor (found, i);
    const EngTensor *theirs = eng_tensor_set_find (expected, ours->name);
    g_autofree float *numbers = NULL;

    g_assert_nonnull (theirs);
    numbers = recorded_dup (theirs);
    g_assert_cmpmem (ours->data, ours->n_bytes, numbers,
                     (gsize) theirs->n_elements * sizeof (float));
  }
}

static EngTrace *
run_model (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  const EngSpec *spec;
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngTokens) written = NULL;

  g_assert_no_error (error);
  spec = eng_model_get_spec (model);
  tokens = test_random_tokens_new (spec, 9, 5);
  if (eng_spec_has_cross (spec))
    written = test_random_stack_tokens_new (spec, ENG_KIND_DECODER, 6, 7);

  return test_run_stacks (model, tokens, written, NULL, 0);
}

/* Whatever type the weights had: the logits are those of the checkpoint, to the bit. */
static void
check_logits (const char *specimen)
{
  g_autofree char *folder = checkpoint_get_specimen (specimen);
  g_auto (Folder) copy = temporary_new ();
  g_autoptr (EngParameters) parameters = open_parameters (folder);
  g_autofree char *vocabulary = checkpoint_read_file (folder, "vocab.txt", NULL);
  g_autofree char *config = NULL;
  g_autoptr (EngTrace) expected = run_model (folder);
  g_autoptr (EngTrace) found = NULL;

  save (parameters, NULL, copy);
  checkpoint_write_file (copy, "vocab.txt", vocabulary, -1);
  config = checkpoint_read_file (copy, "config.json", NULL);
  g_assert_nonnull (strstr (config, "\"dtype\":\t\"float32\""));
  g_assert_null (strstr (config, "torch_dtype"));
  found = run_model (copy);
  for (EngTask task = 0; task < ENG_N_TASKS; task++) {
    const EngLogitsTrace *ours = &found->logits[task], *theirs = &expected->logits[task];

    if (eng_parameters_get_spec (parameters)->heads[task].present)
      g_assert_cmpmem (ours->data, sizeof (float) * (gsize) (ours->n_positions * ours->n_classes),
                       theirs->data,
                       sizeof (float) * (gsize) (theirs->n_positions * theirs->n_classes));
  }
}

static void
test_logits (void)
{
  static const char *const specimens[] = {
    "pretraining", "causal", "classifier-bf16", "entities-bf16", "masked-f16",
  };

  for (guint i = 0; i < G_N_ELEMENTS (specimens); i++)
    check_logits (specimens[i]);
}

static EngOptimizer *
make_optimizer (EngParameters *parameters)
{
  EngOptimizerSettings settings;

  eng_optimizer_settings_init (&settings);

  return eng_optimizer_new (parameters, &settings, NULL);
}

static void
take_steps (RecordedModel *model,
            EngOptimizer  *optimizer,
            int            n)
{
  g_autoptr (EngStep) step = recorded_model_start (model);

  for (int i = 0; i < n; i++) {
    const EngBatch *batch =
      recorded_model_get_batch (model, (int) eng_optimizer_get_n_steps (optimizer));
    double loss;

    g_assert_true (eng_step_run (step, batch, eng_batch_count_labels (batch), 1, NULL, &loss,
                                 NULL));
    g_assert_true (eng_optimizer_step (optimizer, 1e-3, NULL, NULL));
  }
}

static void
replace_parameters (RecordedModel *model,
                    const char    *folder)
{
  eng_parameters_free (model->parameters);
  model->parameters = open_parameters (folder);
}

/* Ten steps, saved, opened again and ten more are twenty, to the bit. */
static void
check_resumed (const char *name,
               EngTask     task)
{
  g_autoptr (RecordedModel) straight = recorded_model_new (name, task);
  g_autoptr (RecordedModel) stopped = recorded_model_new (name, task);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (straight->parameters);
  g_autoptr (EngOptimizer) first = make_optimizer (stopped->parameters);
  g_autoptr (EngOptimizer) second = NULL;
  g_auto (Folder) folder = temporary_new ();
  g_autoptr (GError) error = NULL;
  const EngGradients *expected, *found;

  take_steps (straight, optimizer, 20);
  take_steps (stopped, first, 10);
  save (stopped->parameters, first, folder);
  replace_parameters (stopped, folder);
  second = make_optimizer (stopped->parameters);
  eng_training_resume (second, stopped->parameters, folder, &error);
  g_assert_no_error (error);
  g_assert_cmpint (eng_optimizer_get_n_steps (second), ==, 10);
  take_steps (stopped, second, 10);
  expected = eng_parameters_get_gradients (straight->parameters);
  found = eng_parameters_get_gradients (stopped->parameters);
  g_assert_cmpmem (found->values, found->n * sizeof (float), expected->values,
                   expected->n * sizeof (float));
}

static void
test_resumed (void)
{
  check_resumed ("encoder", ENG_TASK_FILL_MASK);
  check_resumed ("decoder", ENG_TASK_LANGUAGE_MODEL);
}

/* As F16 each weight is the nearest one, and the state has what it was. */
static void
test_halves (void)
{
  g_autoptr (RecordedModel) model = recorded_model_new ("encoder", ENG_TASK_FILL_MASK);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters);
  const EngGradients *block = eng_parameters_get_gradients (model->parameters);
  const EngParameter *tensor = eng_parameters_get_tensor (model->parameters, 0);
  g_autofree float *values = NULL;
  g_auto (Folder) folder = temporary_new ();
  g_autofree char *config = NULL;
  g_autoptr (EngTensorSet) file = NULL;
  g_autoptr (GError) error = NULL;

  take_steps (model, optimizer, 2);
  values = g_memdup2 (block->values, block->n * sizeof (float));
  eng_training_save (model->parameters, optimizer, folder, TRUE, &error);
  g_assert_no_error (error);
  config = checkpoint_read_file (folder, "config.json", NULL);
  g_assert_nonnull (strstr (config, "\"dtype\":\t\"float16\""));
  file = open_weights (folder);
  for (int i = 0; i < eng_parameters_get_n_tensors (model->parameters); i++) {
    const EngParameter *written = eng_parameters_get_tensor (model->parameters, i);
    const EngTensor *found = eng_tensor_set_find (file, written->name);
    g_autofree float *numbers = recorded_dup (found);

    g_assert_cmpstr (found->type_name, ==, "F16");
    /* Half a step of F16, or of its subnormals. */
    for (gsize k = 0; k < written->n_elements; k++)
      g_assert_cmpfloat (fabsf (numbers[k] - written->values[k]), <=,
                         MAX (fabsf (written->values[k]) * 0x1p-11f, 0x1p-25f));
  }
  memset ((float *) block->values, 0, block->n * sizeof (float));
  g_assert_true (eng_training_resume (optimizer, model->parameters, folder, NULL));
  g_assert_cmpmem (block->values, block->n * sizeof (float), values, block->n * sizeof (float));

  tensor->values[1] = 1e5f;
  g_assert_false (eng_training_save (model->parameters, optimizer, folder, TRUE, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_test_message ("%s", error->message);
}

static void
fill_all (EngParameters *parameters,
          EngOptimizer  *optimizer,
          gint64         step)
{
  const EngGradients *block = eng_parameters_get_gradients (parameters);

  for (gsize i = 0; i < block->n; i++)
    ((float *) block->values)[i] = eng_optimizer_get_means (optimizer)[i] =
      eng_optimizer_get_squares (optimizer)[i] = (float) step;
  eng_optimizer_set_n_steps (optimizer, step);
}

/* Another program: saves one state after the other, all whose numbers are the same, until it is
 * killed. */
static void G_GNUC_NORETURN
save_forever (const char *folder)
{
  g_autoptr (EngParameters) parameters = open_parameters (folder);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (parameters);

  for (gint64 step = 1;; step++) {
    fill_all (parameters, optimizer, step);
    save (parameters, optimizer, folder);
    if (step == 1) {
      puts ("begun");
      fflush (stdout);
    }
  }
}

/* values: of the parameters, or what lies as they do. */
static void
check_all (const EngParameters *parameters,
           const float         *values,
           float                expected)
{
  const float *first = eng_parameters_get_gradients (parameters)->values;

  for (int i = 0; i < eng_parameters_get_n_tensors (parameters); i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (parameters, i);

    for (gsize k = 0; k < tensor->n_elements; k++)
      g_assert_true (values[tensor->values - first + (gssize) k] == expected);
  }
}

/* What is there belongs together, and both open. */
static void
check_left (const char *folder)
{
  g_autoptr (EngParameters) parameters = open_parameters (folder);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (parameters);
  const float *values = eng_parameters_get_gradients (parameters)->values;
  g_autoptr (GError) error = NULL;
  float step;

  check_all (parameters, values, eng_parameters_get_tensor (parameters, 0)->values[0]);
  eng_training_resume (optimizer, parameters, folder, &error);
  g_assert_no_error (error);
  step = (float) eng_optimizer_get_n_steps (optimizer);
  g_assert_cmpfloat (step, >=, 1);
  check_all (parameters, values, step);
  check_all (parameters, eng_optimizer_get_means (optimizer), step);
  check_all (parameters, eng_optimizer_get_squares (optimizer), step);
}

static void
kill_at (const char *folder,
         gulong      microseconds)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  const char *command[] = { program, "--save-forever", folder, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child =
    g_subprocess_newv (command, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  char begun[6];

  g_assert_no_error (error);
  g_input_stream_read_all (g_subprocess_get_stdout_pipe (child), begun, sizeof begun, NULL, NULL,
                           &error);
  g_assert_no_error (error);
  g_usleep (microseconds);
  g_subprocess_force_exit (child);
  g_assert_true (g_subprocess_wait (child, NULL, NULL));
  g_assert_true (g_subprocess_get_if_signaled (child));
}

/* Ended in the middle, wherever that is: no half a state, and no leftovers. */
static void
test_killed (void)
{
  g_auto (Folder) folder = temporary_new ();
  g_autofree char *encoder = recorded_model_get_folder ("encoder");
  g_autoptr (EngParameters) parameters = open_parameters (encoder);

  save (parameters, NULL, folder);
  for (gulong i = 0; i < 15; i++) {
    kill_at (folder, 300 * i);
    check_left (folder);
  }
  save (parameters, NULL, folder);
  g_assert_cmpint (temporary_count (folder), ==, 2);
}

/* No file may become larger than what is there: what was saved before is still there. */
static void
test_full (void)
{
  g_autoptr (RecordedModel) model = recorded_model_new ("encoder", ENG_TASK_FILL_MASK);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters);
  g_auto (Folder) folder = temporary_new ();
  const rlim_t sizes[] = { 100, 5000, 40000 };
  g_autoptr (GError) error = NULL;
  struct rlimit limit;

  fill_all (model->parameters, optimizer, 7);
  save (model->parameters, optimizer, folder);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    rlim_t most = limit.rlim_cur;

    fill_all (model->parameters, optimizer, 8);
    limit.rlim_cur = sizes[i];
    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
    g_assert_false (eng_training_save (model->parameters, optimizer, folder, FALSE, &error));
    limit.rlim_cur = most;
    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
    g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
    g_test_message ("%s", error->message);
    g_clear_error (&error);
    check_left (folder);
  }
}

static void
assert_not_resumed (EngOptimizer  *optimizer,
                    EngParameters *parameters,
                    const char    *folder)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (eng_training_resume (optimizer, parameters, folder, &error));
  g_test_message ("%s", error->message);
}

/* No state, that of other weights, that of another step. */
static void
test_refused (void)
{
  g_autoptr (RecordedModel) model = recorded_model_new ("encoder", ENG_TASK_FILL_MASK);
  g_autoptr (RecordedModel) other = recorded_model_new ("decoder", ENG_TASK_LANGUAGE_MODEL);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters);
  g_autoptr (EngOptimizer) fresh = make_optimizer (model->parameters);
  g_autoptr (EngOptimizer) foreign = make_optimizer (other->parameters);
  g_auto (Folder) folder = temporary_new ();
  g_autofree char *file = g_build_filename (folder, "config.json", NULL);
  g_autofree char *below = g_build_filename (file, "folder", NULL);
  g_autoptr (GError) error = NULL;

  save (model->parameters, NULL, folder);
  assert_not_resumed (fresh, model->parameters, folder);
  take_steps (model, optimizer, 2);
  save (model->parameters, optimizer, folder);
  assert_not_resumed (foreign, other->parameters, folder);
  save (model->parameters, NULL, folder);
  assert_not_resumed (fresh, model->parameters, folder);
  g_assert_cmpint (eng_optimizer_get_n_steps (fresh), ==, 0);

  g_assert_false (eng_training_save (model->parameters, NULL, below, FALSE, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_test_message ("%s", error->message);
}

static void
write_trained (const char *name,
               EngTask     task,
               const char *folder)
{
  g_autoptr (RecordedModel) model = recorded_model_new (name, task);
  g_autoptr (EngOptimizer) optimizer = make_optimizer (model->parameters);
  g_autofree char *own = g_build_filename (folder, name, NULL);
  g_autofree char *path = g_build_filename (own, "logits.safetensors", NULL);
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  const EngLogitsTrace *logits;
  const EngTokens *tokens, *written;
  gboolean two_stacks;

  take_steps (model, optimizer, 20);
  save (model->parameters, optimizer, own);
  trace = run_model (own);
  logits = &trace->logits[task];
  two_stacks = eng_spec_has_cross (eng_parameters_get_spec (model->parameters));
  written = trace->blocks[ENG_KIND_DECODER].query_tokens;
  tokens = task == ENG_TASK_LANGUAGE_MODEL && !two_stacks
             ? written : trace->blocks[ENG_KIND_ENCODER].query_tokens;

  EngTensorSource sources[] = {
    { .name = "ids", .type = ENG_TYPE_I32, .rank = 1, .shape = { tokens->n }, .data = tokens->ids },
    { .name = "types", .type = ENG_TYPE_I32, .rank = 1, .shape = { tokens->n },
      .data = tokens->type_ids },
    { .name = "positions", .type = ENG_TYPE_I32, .rank = 1, .shape = { logits->n_positions },
      .data = logits->positions },
    { .name = "logits", .type = ENG_TYPE_F32, .rank = 2,
      .shape = { logits->n_positions, logits->n_classes }, .data = logits->data },
    { .name = "decoder_ids", .type = ENG_TYPE_I32, .rank = 1,
      .shape = { two_stacks ? written->n : 0 }, .data = two_stacks ? written->ids : NULL },
  };

  eng_safetensors_write (path, NULL, sources, G_N_ELEMENTS (sources) - !two_stacks, &error);
  g_assert_no_error (error);
}

static void
test_for_transformers (void)
{
  const char *folder = g_getenv ("HEADLIGHT_TRAINED");

  if (!folder) {
    g_test_skip ("HEADLIGHT_TRAINED names no folder");
    return;
  }
  write_trained ("encoder", ENG_TASK_FILL_MASK, folder);
  write_trained ("decoder", ENG_TASK_LANGUAGE_MODEL, folder);
  write_trained ("rotary", ENG_TASK_LANGUAGE_MODEL, folder);
  write_trained ("entities", ENG_TASK_ENTITIES, folder);
  write_trained ("translator", ENG_TASK_LANGUAGE_MODEL, folder);
  write_trained ("denoiser", ENG_TASK_LANGUAGE_MODEL, folder);
}

int
main (int   argc,
      char *argv[])
{
  if (argc == 3 && strcmp (argv[1], "--save-forever") == 0)
    save_forever (argv[2]);

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/checkpoint/tensors", test_tensors);
  g_test_add_func ("/engine/training/checkpoint/heads-together", test_heads_together);
  g_test_add_func ("/engine/training/checkpoint/logits", test_logits);
  g_test_add_func ("/engine/training/checkpoint/resumed", test_resumed);
  g_test_add_func ("/engine/training/checkpoint/halves", test_halves);
  g_test_add_func ("/engine/training/checkpoint/killed", test_killed);
  g_test_add_func ("/engine/training/checkpoint/full", test_full);
  g_test_add_func ("/engine/training/checkpoint/refused", test_refused);
  g_test_add_func ("/engine/training/checkpoint/for-transformers", test_for_transformers);

  return g_test_run ();
}
