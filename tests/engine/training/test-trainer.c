/* SPDX-License-Identifier: MIT */
/* Trainings over a text file: what is learnt, that stopping and going on changes nothing, and that a
 * cancelled step leaves no trace. */
#include "engine/training/trainer.h"

#include <math.h>
#include <string.h>

#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

/* Of the bundled vocabulary. */
#define BERT                                                                                      \
  "{\"model_type\": \"bert\", \"architectures\": [\"BertForMaskedLM\"], \"hidden_size\": 32,"     \
  " \"num_hidden_layers\": 2, \"num_attention_heads\": 4, \"intermediate_size\": 64,"             \
  " \"max_position_embeddings\": 32, \"vocab_size\": 8192}"
#define GPT2                                                                                      \
  "{\"model_type\": \"gpt2\", \"architectures\": [\"GPT2LMHeadModel\"], \"n_embd\": 32,"          \
  " \"n_layer\": 2, \"n_head\": 4, \"n_positions\": 32, \"vocab_size\": 8192}"

#define MARIAN                                                                                    \
  "{\"model_type\": \"marian\", \"architectures\": [\"MarianMTModel\"], \"d_model\": 32,"         \
  " \"encoder_layers\": 1, \"decoder_layers\": 1, \"encoder_attention_heads\": 4,"                \
  " \"decoder_attention_heads\": 4, \"encoder_ffn_dim\": 64, \"decoder_ffn_dim\": 64,"            \
  " \"max_position_embeddings\": 32, \"scale_embedding\": true, \"vocab_size\": 8192}"

typedef struct {
  EngTokenizer       *tokenizer;
  EngTexts           *texts;
  EngParameters      *parameters;
  EngTrainerSettings  settings;
  EngTrainer         *trainer;
} Training;

/* Sentences of a small grammar, most of them in one piece of the held-out side and the other; as
 * pairs each with what it is about first. */
static char *
write_sentences (gboolean pairs)
{
  static const char *const who[] = { "the cat", "the dog", "a bird", "my brother", "the teacher" };
  static const char *const what[] = { "sees", "likes", "reads", "buys" };
  static const char *const whom[] = { "the house", "a book", "the river", "an apple", "the car",
                                      "the moon" };
  GString *lines = g_string_new (NULL);

  for (int i = 0; i < 120; i++)
    if (pairs)
      g_string_append_printf (lines, "%s %s %s .\t%s : %s %s !\n", who[i % 5], what[i / 5 % 4],
                              whom[i / 20], whom[i / 20], who[i % 5], what[i / 5 % 4]);
    else
      g_string_append_printf (lines, "%s %s %s .\n", who[i % 5], what[i / 5 % 4], whom[i / 20]);

  return g_string_free (lines, FALSE);
}

static EngTexts *
read_sentences (const EngTokenizer *tokenizer,
                const char         *sentences,
                gboolean            pairs)
{
  EngTextsSettings settings = { 24, -1, 0, 0.2, pairs, 1 };
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "texts.txt", NULL);
  g_autoptr (GError) error = NULL;
  EngTexts *texts;

  checkpoint_write_file (folder, "texts.txt", sentences, -1);
  texts = eng_texts_read (path, tokenizer, &settings, &error);
  g_assert_no_error (error);
  temporary_free (folder);

  return texts;
}

static void
start (Training *self)
{
  g_autoptr (GError) error = NULL;

  self->trainer = eng_trainer_new (self->parameters, self->texts, &self->settings, &error);
  g_assert_no_error (error);
}

static Training *
training_new (const char *config,
              EngTask     task)
{
  Training *self = g_new0 (Training, 1);
  g_autofree char *folder = checkpoint_get_bundled (), *sentences = NULL;
  g_autoptr (GError) error = NULL;
  gboolean pairs;

  self->tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  self->parameters = eng_parameters_new (config, -1, "config.json", 3, &error);
  g_assert_no_error (error);
  pairs = eng_spec_has_cross (eng_parameters_get_spec (self->parameters));
  sentences = write_sentences (pairs);
  self->texts = read_sentences (self->tokenizer, sentences, pairs);
  self->settings = (EngTrainerSettings) {
    .step = { task, 0.1, 0.1, 0.1, 0 },
    .schedule = { 5e-3, ENG_DECAY_LINEAR, 10, 80 },
    .n_tokens = 200,
    .n_together = 2,
    .seed = 5,
  };
  eng_optimizer_settings_init (&self->settings.optimizer);
  eng_masking_init (&self->settings.masking, eng_tokenizer_get_mask_id (self->tokenizer), 8192);
  start (self);

  return self;
}

static void
training_free (Training *self)
{
  eng_trainer_free (self->trainer);
  eng_parameters_free (self->parameters);
  eng_texts_free (self->texts);
  eng_tokenizer_free (self->tokenizer);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Training, training_free)

static EngTrainerProgress
take_steps (Training *self,
            int       n)
{
  EngTrainerProgress progress = { 0 };
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < n; i++) {
    eng_trainer_step (self->trainer, NULL, &progress, &error);
    g_assert_no_error (error);
    g_assert_cmpint (progress.n_labels, >, 0);
    g_assert_cmpint (progress.n_labels, <=, progress.n_tokens);
    g_assert_cmpint (progress.n_words, >, 0);
    g_assert_cmpint (progress.n_words, <, progress.n_tokens);
  }

  return progress;
}

static double
evaluate (Training *self)
{
  g_autoptr (GError) error = NULL;
  double loss, again;

  eng_trainer_evaluate (self->trainer, NULL, &loss, &error);
  g_assert_no_error (error);
  g_assert_true (eng_trainer_evaluate (self->trainer, NULL, &again, NULL));
  g_assert_true (loss == again);

  return loss;
}

/* Sentences that were not learnt become likely: from a uniform guess among 8,192 words to one among
 * a few. */
static void
check_learns (const char *config,
              EngTask     task,
              double      reached)
{
  g_autoptr (Training) self = training_new (config, task);
  double before = evaluate (self), after;
  EngTrainerProgress last = take_steps (self, 80);

  after = evaluate (self);
  g_test_message ("held out: %.3f to %.3f, last step %.3f, pass %d", before, after, last.loss,
                  (int) last.pass);
  g_assert_cmpint (last.step, ==, 80);
  g_assert_cmpint (last.pass, >, 1);
  g_assert_cmpfloat_with_epsilon (before, log (8192), 0.3);
  g_assert_cmpfloat (after, <, reached);
}

static void
test_masked (void)
{
  check_learns (BERT, ENG_TASK_FILL_MASK, 3);
}

static void
test_next_word (void)
{
  check_learns (GPT2, ENG_TASK_LANGUAGE_MODEL, 1.5);
}

static void
test_translate (void)
{
  check_learns (MARIAN, ENG_TASK_LANGUAGE_MODEL, 2);
}

static void
assert_same (const Training *a,
             const Training *b)
{
  const EngGradients *one = eng_parameters_get_gradients (a->parameters);
  const EngGradients *other = eng_parameters_get_gradients (b->parameters);

  g_assert_cmpmem (one->values, one->n * sizeof (float), other->values, other->n * sizeof (float));
}

/* Stopped in the middle of a pass, and of another one: the same bits as in one go. */
static void
check_goes_on (const char *config,
               EngTask     task)
{
  g_autoptr (Training) straight = training_new (config, task);
  g_autoptr (Training) stopped = training_new (config, task);
  g_autoptr (GError) error = NULL;
  const int stops[] = { 3, 9, 17 };
  int taken = 0;

  take_steps (straight, 20);
  for (guint i = 0; i < G_N_ELEMENTS (stops); i++) {
    char *folder = temporary_new ();

    take_steps (stopped, stops[i] - taken);
    taken = stops[i];
    eng_trainer_save (stopped->trainer, folder, &error);
    g_assert_no_error (error);
    eng_trainer_free (stopped->trainer);
    eng_parameters_free (stopped->parameters);
    stopped->parameters = eng_parameters_open (folder, 1, &error);
    g_assert_no_error (error);
    start (stopped);
    eng_trainer_resume (stopped->trainer, folder, &error);
    g_assert_no_error (error);
    temporary_free (folder);
  }
  take_steps (stopped, 20 - taken);
  assert_same (straight, stopped);
}

static void
test_goes_on (void)
{
  check_goes_on (BERT, ENG_TASK_FILL_MASK);
  check_goes_on (GPT2, ENG_TASK_LANGUAGE_MODEL);
  check_goes_on (MARIAN, ENG_TASK_LANGUAGE_MODEL);
}

static void
test_cancelled (void)
{
  g_autoptr (Training) straight = training_new (BERT, ENG_TASK_FILL_MASK);
  g_autoptr (Training) disturbed = training_new (BERT, ENG_TASK_FILL_MASK);
  const gint raised = 1;

  take_steps (straight, 15);
  for (int i = 0; i < 15; i++) {
    g_autoptr (GError) error = NULL;
    EngTrainerProgress progress;
    double loss;

    g_assert_false (eng_trainer_step (disturbed->trainer, &raised, &progress, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
    g_clear_error (&error);
    g_assert_false (eng_trainer_evaluate (disturbed->trainer, &raised, &loss, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
    take_steps (disturbed, 1);
  }
  assert_same (straight, disturbed);
}

/* A seed is a training of its own. */
static void
test_seeds (void)
{
  g_autoptr (Training) one = training_new (BERT, ENG_TASK_FILL_MASK);
  g_autoptr (Training) other = training_new (BERT, ENG_TASK_FILL_MASK);
  const EngGradients *a = eng_parameters_get_gradients (one->parameters);
  const EngGradients *b = eng_parameters_get_gradients (other->parameters);

  eng_trainer_free (other->trainer);
  other->settings.seed = 6;
  start (other);
  take_steps (one, 3);
  take_steps (other, 3);
  g_assert_cmpint (memcmp (a->values, b->values, a->n * sizeof (float)), !=, 0);
}

/* The losses of steps over the same sentences, of weights that stay: only what is dropped changes. */
static void
lose (guint64 seed,
      int     n_together,
      int     n,
      double *losses)
{
  g_autoptr (Training) self = training_new (GPT2, ENG_TASK_LANGUAGE_MODEL);

  eng_trainer_free (self->trainer);
  eng_texts_free (self->texts);
  self->texts = read_sentences (self->tokenizer, "the cat sees the house .\n"
                                                  "a bird likes the moon .\n", FALSE);
  self->settings.schedule.rate = 0;
  self->settings.seed = seed;
  self->settings.n_together = n_together;
  start (self);
  for (int i = 0; i < n; i++)
    losses[i] = take_steps (self, 1).loss;
}

/* Something else is dropped in every step, in every batch of a step, and by every seed. */
static void
test_dropped (void)
{
  enum { N = 6 };
  double losses[N], together[N / 2], other[N];

  lose (1, 1, N, losses);
  lose (1, 2, N / 2, together);
  lose (2, 1, N, other);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      g_assert_true (i == k || losses[i] != losses[k]);
      g_assert_true (losses[i] != other[k]);
    }
  for (int i = 0; i < N / 2; i++)
    g_assert_cmpfloat_with_epsilon (together[i], (losses[2 * i] + losses[2 * i + 1]) / 2, 1e-6);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/training/trainer/masked", test_masked);
  g_test_add_func ("/engine/training/trainer/next-word", test_next_word);
  g_test_add_func ("/engine/training/trainer/translate", test_translate);
  g_test_add_func ("/engine/training/trainer/goes-on", test_goes_on);
  g_test_add_func ("/engine/training/trainer/cancelled", test_cancelled);
  g_test_add_func ("/engine/training/trainer/seeds", test_seeds);
  g_test_add_func ("/engine/training/trainer/dropped", test_dropped);

  return g_test_run ();
}
