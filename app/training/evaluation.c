/* SPDX-License-Identifier: MIT */
#include "app/training/evaluation.h"

#include <math.h>
#include <string.h>

#include "app/run/pass.h"
#include "app/training/toy-answers.h"
#include "engine/examples/lines.h"
#include "engine/kernels/random.h"
#include "engine/metrics/agreement.h"
#include "engine/metrics/answers.h"
#include "engine/metrics/bleu.h"
#include "engine/metrics/chrf.h"
#include "engine/predict/predict.h"
#include "engine/training/labelled.h"
#include "engine/training/masking.h"

typedef struct {
  EngModel           *model;
  EngSession         *session;
  const UiDocument   *document;
  AppTrainTask        task;
  EngTask             head;
  guint64             seed;
  double              held_out;
  gboolean            by_first;
  AppTrainEvaluation *result;

  double              loss;      /* sums */
  gint64              n_right;
  double              f1;
  gint64              n_exact;
  AppToy              toy;
  AppToyCount         answers;
  EngBleu             bleu;
  EngChrf             chrf;
  EngAgreement       *agreement; /* NULL before the first text */
  int                 n_classes;
} Evaluation;

static gboolean
encode (const Evaluation  *self,
        const char        *a,
        const char        *b,
        EngInputs         *inputs,
        GError           **error)
{
  g_auto (EngWritingPlan) plan = { 0 };
  EngTextOptions options = {
    .truncate = TRUE,
    .repeat = eng_predict_repeats (self->model, self->head),
  };

  if (!app_pass_plan_texts (self->model, self->document, &plan, error))
    return FALSE;
  options.source_language = plan.source_language;
  options.target_language = plan.target_language;

  return eng_inputs_from_texts (self->model, a, b, &options, inputs, error);
}

static EngTrace *
run (const Evaluation  *self,
     const EngInputs   *inputs,
     const char        *a,
     const char        *b,
     GError           **error)
{
  EngRunRequest request = {
    .tokens = inputs->tokens,
    .decoder_tokens = inputs->decoder_tokens,
    .text_a = a,
    .text_b = b,
    .tasks = 1u << self->head,
    .all_positions = TRUE,
  };

  return eng_session_run (self->session, &request, error);
}

static int
find_best (const EngMatrix *logits,
           int              row)
{
  const float *values = logits->data + (gsize) row * logits->stride;
  int best = 0;

  for (int i = 1; i < logits->cols; i++)
    best = values[i] > values[best] ? i : best;

  return best;
}

/* Adds what a row of logits says of the id that is right. */
static void
count_row (Evaluation      *self,
           const EngMatrix *logits,
           int              row,
           gint32           label)
{
  const float *values = logits->data + (gsize) row * logits->stride;
  int best = find_best (logits, row);
  double sum = 0;

  for (int i = 0; i < logits->cols; i++)
    sum += exp ((double) values[i] - (double) values[best]);
  self->loss += (double) values[best] + log (sum) - (double) values[label];
  self->n_right += best == label;
  self->result->n_asked++;
}

/* labels [n]: by token. */
static gboolean
ask_words (Evaluation       *self,
           const EngInputs  *inputs,
           const gint32     *labels,
           GError          **error)
{
  g_autoptr (EngTrace) trace = run (self, inputs, NULL, NULL, error);
  EngMatrix logits;
  const int *positions;

  if (!trace || !eng_trace_get_logits (trace, self->head, &logits, &positions))
    return FALSE;
  for (int row = 0; row < logits.rows; row++)
    if (labels[positions[row]] != ENG_NO_LABEL)
      count_row (self, &logits, row, labels[positions[row]]);

  return self->toy == APP_N_TOYS || app_toy_count_answers (self->toy, inputs->tokens, &logits,
                                                           positions, &self->answers, error);
}

static gboolean
ask_masked (Evaluation  *self,
            const char  *text,
            GError     **error)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (self->model);
  g_auto (EngInputs) inputs = { 0 };
  g_autofree gint32 *labels = NULL;
  EngMasking masking;

  eng_masking_init (&masking, eng_tokenizer_get_mask_id (tokenizer),
                    eng_model_get_info (self->model)->vocab_size);
  if (!encode (self, text, NULL, &inputs, error))
    return FALSE;
  labels = g_new (gint32, inputs.tokens->n);
  eng_masking_apply (&masking, eng_random_key (self->seed, (guint64) self->result->n),
                     inputs.tokens->n, inputs.tokens->special, inputs.tokens->words,
                     inputs.tokens->ids, labels);

  return ask_words (self, &inputs, labels, error);
}

/* The end counts as a word where the tokenizer has one. */
static gboolean
ask_next (Evaluation  *self,
          const char  *text,
          GError     **error)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (self->model);
  gint32 end = eng_tokenizer_find_special (tokenizer, "eos_token");
  g_auto (EngInputs) inputs = { 0 };
  g_autofree gint32 *labels = NULL;
  int n;

  if (!encode (self, text, NULL, &inputs, error))
    return FALSE;
  n = inputs.tokens->n;
  labels = g_new (gint32, n);
  for (int i = 0; i < n; i++)
    labels[i] = i + 1 < n ? inputs.tokens->ids[i + 1] : ENG_NO_LABEL;
  if (end >= 0 && inputs.tokens->ids[n - 1] != end)
    labels[n - 1] = end;

  return ask_words (self, &inputs, labels, error);
}

static gboolean
ask_translation (Evaluation  *self,
                 char        *line,
                 GError     **error)
{
  g_autoptr (UiDocument) document = ui_document_copy (self->document);
  g_autoptr (GArray) ids = NULL;
  g_autofree char *text = NULL;
  char *sides[2];

  if (!eng_line_split (line, 2, "a text and its translation", sides, error))
    return FALSE;
  ui_replace_text (&document->text_a, sides[0]);
  ui_replace_text (&document->text_b, "");
  ids = app_pass_write_for (self->model, document, ENG_WRITING_TRANSLATE, error);
  if (!ids)
    return FALSE;
  text = app_pass_decode (self->model, ids);
  eng_bleu_add (&self->bleu, text, sides[1]);
  eng_chrf_add (&self->chrf, text, sides[1]);

  return TRUE;
}

static gboolean
find_class (const Evaluation  *self,
            const char        *label,
            int               *class,
            GError           **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < self->n_classes; i++) {
    const char *name = eng_model_get_label (self->model, self->head, i);

    if (strcmp (name, label) == 0) {
      *class = i;
      return TRUE;
    }
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "“%s” is none of the labels of %s, which has %s",
               label, eng_model_get_info (self->model)->name, names->str);

  return FALSE;
}

static void
begin_classes (Evaluation *self,
               int         n_classes)
{
  if (self->agreement)
    return;
  self->n_classes = n_classes;
  self->agreement = eng_agreement_new (n_classes);
}

static gboolean
ask_class (Evaluation        *self,
           const EngExample  *example,
           GError           **error)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  EngMatrix logits;
  int expected;

  if (!encode (self, example->a, example->b, &inputs, error))
    return FALSE;
  trace = run (self, &inputs, example->a, example->b, error);
  if (!trace || !eng_trace_get_logits (trace, self->head, &logits, NULL))
    return FALSE;
  begin_classes (self, logits.cols);
  if (!find_class (self, example->label, &expected, error))
    return FALSE;
  eng_agreement_add (self->agreement, expected, find_best (&logits, 0));
  self->result->n_asked++;

  return TRUE;
}

/* The row of a token's logits; -1 = there is none. */
static int
find_row (const EngMatrix *logits,
          const int       *positions,
          int              token)
{
  for (int row = 0; row < logits->rows && token >= 0; row++)
    if (positions[row] == token)
      return row;

  return -1;
}

static gboolean
ask_tags (Evaluation        *self,
          const EngExample  *example,
          GError           **error)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  g_autofree int *firsts = g_new (int, g_strv_length (example->words));
  EngMatrix logits;
  const int *positions;

  if (!encode (self, example->a, NULL, &inputs, error))
    return FALSE;
  trace = run (self, &inputs, example->a, NULL, error);
  if (!trace || !eng_trace_get_logits (trace, self->head, &logits, &positions))
    return FALSE;
  begin_classes (self, logits.cols);
  eng_labelled_find_words (example, inputs.tokens, firsts);
  for (int word = 0; example->words[word]; word++) {
    int row = find_row (&logits, positions, firsts[word]), expected;

    if (!find_class (self, example->tags[word], &expected, error))
      return FALSE;
    /* A word that was cut off is answered wrong. */
    eng_agreement_add (self->agreement, expected, row < 0 ? -1 : find_best (&logits, row));
    self->result->n_asked++;
  }

  return TRUE;
}

static gboolean
ask_answer (Evaluation        *self,
            const EngExample  *example,
            GError           **error)
{
  EngTextOptions options = { 0 };
  EngRunRequest request = { .text_a = example->a, .text_b = example->b };
  g_autoptr (GArray) predictions = eng_predict_answer (self->model, &options, &request, error);
  const char *answer = "";

  if (!predictions)
    return FALSE;
  if (predictions->len > 0)
    answer = g_array_index (predictions, EngPrediction, 0).token;
  self->n_exact += eng_answer_matches (answer, example->label);
  self->f1 += eng_answer_get_f1 (answer, example->label);
  self->result->n_asked++;

  return TRUE;
}

static gboolean
ask_example (Evaluation        *self,
             const EngExample  *example,
             GError           **error)
{
  switch (self->task) {
  case APP_TRAIN_TAGS:
    return ask_tags (self, example, error);
  case APP_TRAIN_ANSWERS:
    return ask_answer (self, example, error);
  default:
    return ask_class (self, example, error);
  }
}

static gboolean
ask_line (Evaluation  *self,
          char        *line,
          GError     **error)
{
  if (self->task == APP_TRAIN_TRANSLATE)
    return ask_translation (self, line, error);

  return self->task == APP_TRAIN_MASKED ? ask_masked (self, line, error)
                                        : ask_next (self, line, error);
}

/* The texts of the file: examples, or lines that are not blank. */
typedef struct {
  GPtrArray *lines;
  GArray    *numbers; /* of int: of each line in the file */
  gboolean   pairs;
  double     held_out;
} Lines;

/* Whether a text, of several the first, is asked. */
static gboolean
is_wanted (const char *text,
           double      held_out)
{
  return held_out <= 0 || eng_texts_is_held_out (text, held_out);
}

/* Refuses what cannot be asked before anything is. */
static gboolean
keep_line (char      *line,
           int        number,
           gpointer   data,
           GError   **error)
{
  Lines *self = data;
  g_autofree char *copy = g_strdup (line);
  char *sides[2] = { line };

  if (eng_line_is_blank (line))
    return TRUE;
  if (self->pairs ? !eng_line_split (copy, 2, "a text and its translation", sides, error)
                  : !eng_line_check_text (line, error))
    return FALSE;
  g_strchomp (line);
  if (!is_wanted (sides[0], self->held_out))
    return TRUE;
  g_ptr_array_add (self->lines, g_strdup (line));
  g_array_append_val (self->numbers, number);

  return TRUE;
}

typedef struct {
  const gint             *cancel;
  AppTrainEvaluationFunc  report;
  gpointer                data;
} Watch;

static gboolean
goes_on (const Evaluation  *self,
         const Watch       *watch,
         int                n,
         GError           **error)
{
  if (watch->report)
    watch->report ((int) self->result->n, n, watch->data);
  if (!watch->cancel || g_atomic_int_get (watch->cancel) == 0)
    return TRUE;
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the evaluation was stopped");

  return FALSE;
}

/* A translation is asked for every text, words are where a text has some. */
static gboolean
check_asked (const Evaluation  *self,
             const char        *path,
             int                n_texts,
             GError           **error)
{
  if (n_texts == 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 self->held_out > 0 ? "%s: the training held none of its texts out"
                                    : "%s: there is no text, expected one a line", path);
  else if (self->result->n_asked == 0 && self->task != APP_TRAIN_TRANSLATE)
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "%s: no text has a word that could be asked for, expected at least one", path);
  else
    return TRUE;

  return FALSE;
}

static gboolean
ask_lines (Evaluation   *self,
           const char   *path,
           const Watch  *watch,
           GError      **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (int));
  Lines lines = { texts, numbers, self->task == APP_TRAIN_TRANSLATE, self->held_out };

  if (!eng_lines_walk (path, keep_line, &lines, error))
    return FALSE;
  for (guint i = 0; i < texts->len; i++, self->result->n++) {
    if (!goes_on (self, watch, (int) texts->len, error))
      return FALSE;
    if (!ask_line (self, texts->pdata[i], error)) {
      g_prefix_error (error, "%s:%d: ", path, g_array_index (numbers, int, i));
      return FALSE;
    }
  }

  return check_asked (self, path, (int) texts->len, error);
}

/* (transfer container) Those that are asked. */
static GPtrArray *
pick_wanted (const Evaluation *self,
             const GPtrArray  *examples,
             EngExamplesKind   kind)
{
  g_autoptr (EngSides) sides = eng_sides_new (examples, kind, self->by_first);
  GPtrArray *wanted = g_ptr_array_new ();

  for (guint i = 0; i < examples->len; i++)
    if (is_wanted (sides->keys[i], self->held_out))
      g_ptr_array_add (wanted, examples->pdata[i]);
  self->result->n_joined = self->held_out > 0 ? sides->n_joined : 0;

  return wanted;
}

static gboolean
ask_examples (Evaluation       *self,
              const char       *path,
              EngExamplesKind   kind,
              const Watch      *watch,
              GError          **error)
{
  g_autoptr (GPtrArray) examples = eng_examples_read (path, kind, error);
  g_autoptr (GPtrArray) wanted = examples ? pick_wanted (self, examples, kind) : NULL;

  if (!examples)
    return FALSE;
  for (guint i = 0; i < wanted->len; i++, self->result->n++) {
    const EngExample *example = wanted->pdata[i];

    if (!goes_on (self, watch, (int) wanted->len, error))
      return FALSE;
    if (!ask_example (self, example, error)) {
      g_prefix_error (error, "%s:%d: ", path, example->line);
      return FALSE;
    }
  }

  return check_asked (self, path, (int) wanted->len, error);
}

/* Sums become what they are said as. */
static void
settle (const Evaluation *self)
{
  AppTrainEvaluation *result = self->result;
  double n = (double) MAX (result->n_asked, 1);
  gboolean words = self->task == APP_TRAIN_MASKED || self->task == APP_TRAIN_NEXT_WORD;

  if (words && result->n_asked > 0) {
    result->loss = self->loss / n;
    result->perplexity = exp (result->loss);
    result->accuracy = (double) self->n_right / n;
  }
  if (self->answers.n > 0)
    result->answers = (double) self->answers.n_right / (double) self->answers.n;
  if (self->agreement) {
    result->accuracy = eng_agreement_get_accuracy (self->agreement);
    result->f1 = eng_agreement_get_mean_f1 (self->agreement);
  }
  if (self->task == APP_TRAIN_ANSWERS) {
    result->f1 = self->f1 / n;
    result->exact = (double) self->n_exact / n;
  }
  if (self->task == APP_TRAIN_TRANSLATE) {
    result->bleu = eng_bleu_get_score (&self->bleu);
    result->chrf = eng_chrf_get_score (&self->chrf);
  }
}

static gboolean
check_model (const Evaluation  *self,
             GError           **error)
{
  const EngModelInfo *info = eng_model_get_info (self->model);
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (self->model);
  EngTask head;

  if (!eng_predict_find_head (self->model, self->head, &head, error))
    return FALSE;
  if (!tokenizer)
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s has no tokenizer", info->name);
  else if (self->task == APP_TRAIN_MASKED && eng_tokenizer_get_mask_id (tokenizer) < 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s has no mask token", info->name);
  else if (self->task != APP_TRAIN_TRANSLATE && app_pass_translates (self->model, self->document))
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s reads texts of any language alike, expected no --lang", info->name);
  else if (self->task == APP_TRAIN_NEXT_WORD && eng_model_has_two_stacks (self->model))
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s has two stacks and writes for a text that it reads, expected one stack",
                 info->name);
  else
    return TRUE;

  return FALSE;
}

gboolean
app_train_evaluate (EngModel                *model,
                    const UiDocument        *document,
                    const AppTrainQuestion  *question,
                    const gint              *cancel,
                    AppTrainEvaluationFunc   report,
                    gpointer                 user_data,
                    AppTrainEvaluation      *result,
                    GError                 **error)
{
  Evaluation self = { .model = model, .document = document, .task = question->task,
                      .seed = question->seed, .held_out = question->held_out,
                      .by_first = question->by_first, .toy = question->toy,
                      .head = app_train_task_get_head (question->task), .result = result };
  Watch watch = { cancel, report, user_data };
  EngExamplesKind kind;
  gboolean done;

  *result = (AppTrainEvaluation) { 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0 };
  if (!check_model (&self, error))
    return FALSE;
  self.session = eng_session_new (model);
  done = app_train_task_has_examples (question->task, &kind)
           ? ask_examples (&self, question->data, kind, &watch, error)
           : ask_lines (&self, question->data, &watch, error);
  if (done)
    settle (&self);
  eng_session_free (self.session);
  g_clear_pointer (&self.agreement, eng_agreement_free);

  return done;
}
