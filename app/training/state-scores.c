/* SPDX-License-Identifier: MIT */
#include "app/training/state-scores.h"

#include <math.h>
#include <string.h>

#include "app/run/job.h"
#include "app/run/pass.h"
#include "app/training/kept.h"
#include "app/training/toy-answers.h"
#include "engine/kernels/pool.h"
#include "engine/trace/induction.h"

/* States that are told of together. */
#define N_TOGETHER 4
/* Lines of a toy that are asked, drawn by a seed that no training has. */
#define N_LINES 60
#define LINES_SEED 1000003

struct _AppStateScores {
  AppStateScoresFunc  func;
  gpointer            data;
  AppJob             *job;      /* NULL = none runs */
  char               *question; /* that scores answer; NULL = none was asked */
  UiDocument         *document;
  char               *folder;
  AppToy              toy;
  GArray             *kept;     /* gint64 */
  gint64              newest;
  GPtrArray          *scores;   /* AppStateScore, by step */
};

/* What the thread has. */
typedef struct {
  UiDocument *document;
  char       *folder;
  AppToy      toy;
  gint64      newest;
  gint64      steps[N_TOGETHER];
  int         n_steps;
} Work;

static void
score_free (AppStateScore *self)
{
  g_free (self->scores);
  g_free (self);
}

static void
work_free (gpointer data)
{
  Work *self = data;

  ui_document_free (self->document);
  g_free (self->folder);
  g_free (self);
}

/* Of one layer; scores: [n_heads, APP_N_SCORES]. */
static void
measure_layer (EngTrace *trace,
               EngKind   kind,
               int       layer,
               int       n_heads,
               float    *scores)
{
  const EngTokens *queries = eng_trace_get_query_tokens (trace, kind);
  const EngTokens *keys = eng_trace_get_key_tokens (trace, kind);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  g_autofree float *patterns = g_new (float, (gsize) n_heads * ENG_N_PATTERNS);
  g_autofree float *induction = g_new (float, (gsize) n_heads);

  eng_patterns_measure (attention, queries, keys, patterns);
  eng_induction_measure (attention, queries, keys, induction);
  for (int head = 0; head < n_heads; head++) {
    float *own = scores + head * APP_N_SCORES;

    memcpy (own, patterns + head * ENG_N_PATTERNS, ENG_N_PATTERNS * sizeof *own);
    own[APP_SCORE_INDUCTION] = induction[head];
  }
}

static void
measure_heads (EngTrace      *trace,
               EngKind        wanted,
               AppStateScore *score)
{
  const EngKind kind = eng_trace_has_kind (trace, wanted) ? wanted
                                                          : eng_trace_get_default_kind (trace);

  score->n_layers = eng_trace_get_n_layers (trace, kind);
  score->n_heads = eng_trace_get_n_heads (trace, kind);
  score->scores = g_new (float, (gsize) score->n_layers * (gsize) score->n_heads * APP_N_SCORES);
  for (int layer = 0; layer < score->n_layers; layer++)
    measure_layer (trace, kind, layer, score->n_heads,
                   score->scores + layer * score->n_heads * APP_N_SCORES);
}

/* (transfer full) A state that went meanwhile, or cannot read the sentence, has no numbers. */
static AppStateScore *
measure_state (const Work *self,
               gint64      step,
               gint       *cancel)
{
  AppStateScore *score = g_new0 (AppStateScore, 1);
  g_autofree char *folder = step == self->newest ? g_strdup (self->folder)
                                                 : app_kept_dup_folder (self->folder, step);
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, NULL);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;

  *score = (AppStateScore) { .step = step, .right = NAN };
  if (model == NULL)
    return score;
  if (app_pass_encode (model, self->document, &inputs, NULL))
    trace = app_pass_run (model, self->document, &inputs, 0, FALSE, NULL);
  if (trace != NULL)
    measure_heads (trace, self->document->kind, score);
  if (self->toy < APP_N_TOYS
      && !app_toy_measure_answers (self->toy, model, LINES_SEED, N_LINES, cancel, &score->right,
                                   NULL))
    score->right = NAN;

  return score;
}

static gpointer
run (AppJob    *job,
     gpointer   data,
     GError   **error)
{
  const Work *self = data;
  GPtrArray *scores = g_ptr_array_new_with_free_func ((GDestroyNotify) score_free);
  gint *cancel = app_job_get_cancel (job);

  eng_pool_enter_background ();
  for (int i = 0; i < self->n_steps && g_atomic_int_get (cancel) == 0; i++)
    g_ptr_array_add (scores, measure_state (self, self->steps[i], cancel));
  if (g_atomic_int_get (cancel) == 0)
    return scores;
  g_ptr_array_unref (scores);
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "cancelled");

  return NULL;
}

static gint
compare_scores (gconstpointer a,
                gconstpointer b)
{
  const AppStateScore *first = *(const AppStateScore *const *) a;
  const AppStateScore *second = *(const AppStateScore *const *) b;

  return (first->step > second->step) - (first->step < second->step);
}

static gboolean
has_score (const AppStateScores *self,
           gint64                step)
{
  for (guint i = 0; i < self->scores->len; i++)
    if (((AppStateScore *) self->scores->pdata[i])->step == step)
      return TRUE;

  return FALSE;
}

static void start_next (AppStateScores *self);

static void
done_cb (AppJob       *job,
         gpointer      result,
         const GError *error,
         gpointer      owner)
{
  AppStateScores *self = owner;

  g_clear_pointer (&self->job, app_job_stop);
  if (result != NULL)
    g_ptr_array_extend_and_steal (self->scores, result);
  g_ptr_array_sort (self->scores, compare_scores);
  start_next (self);
  self->func (self->data);
}

/* The first of those that are not known: the newest one, then the ends, so that there is soon
 * something to see. */
static void
start_next (AppStateScores *self)
{
  static const AppJobClass klass = {
    .run = run,
    .done = done_cb,
    .free_result = (GDestroyNotify) g_ptr_array_unref,
    .free_data = work_free,
  };
  Work *work = g_new0 (Work, 1);

  if (self->newest >= 0 && !has_score (self, self->newest))
    work->steps[work->n_steps++] = self->newest;
  for (guint i = self->kept->len; i > 0 && work->n_steps < N_TOGETHER; i--) {
    const gint64 step = g_array_index (self->kept, gint64, i - 1);

    if (step != self->newest && !has_score (self, step))
      work->steps[work->n_steps++] = step;
  }
  work->document = ui_document_copy (self->document);
  work->folder = g_strdup (self->folder);
  work->toy = self->toy;
  work->newest = self->newest;
  if (work->n_steps > 0)
    self->job = app_job_start (&klass, work, self);
  else
    work_free (work);
}

/* (transfer full) What of a document a score hangs on. */
static UiDocument *
make_plain (const UiDocument *document)
{
  UiDocument *plain = ui_document_new ();

  ui_replace_text (&plain->text_a, document->text_a);
  ui_replace_text (&plain->text_b, document->text_b);
  plain->kind = document->kind;
  plain->no_special_tokens = document->no_special_tokens;
  plain->truncate = document->truncate;

  return plain;
}

static char *
describe (const UiDocument       *plain,
          const AppStateQuestion *question)
{
  g_autofree char *pass = ui_document_describe_pass (plain);

  return g_strdup_printf ("%s %d %s", pass, (int) plain->kind, question->folder);
}

static void
forget (AppStateScores *self)
{
  g_clear_pointer (&self->job, app_job_leave);
  g_ptr_array_set_size (self->scores, 0);
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->question, g_free);
}

/* States that are not kept any more have no line. */
static void
drop_gone (AppStateScores *self)
{
  for (guint i = self->scores->len; i > 0; i--) {
    const gint64 step = ((AppStateScore *) self->scores->pdata[i - 1])->step;
    gboolean is_kept = step == self->newest;

    for (guint j = 0; j < self->kept->len && !is_kept; j++)
      is_kept = g_array_index (self->kept, gint64, j) == step;
    if (!is_kept)
      g_ptr_array_remove_index (self->scores, i - 1);
  }
}

AppStateScores *
app_state_scores_new (AppStateScoresFunc func,
                      gpointer           data)
{
  AppStateScores *self = g_new0 (AppStateScores, 1);

  self->func = func;
  self->data = data;
  self->newest = -1;
  self->kept = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->scores = g_ptr_array_new_with_free_func ((GDestroyNotify) score_free);

  return self;
}

void
app_state_scores_free (AppStateScores *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  forget (self);
  g_array_unref (self->kept);
  g_ptr_array_unref (self->scores);
  g_free (self);
}

void
app_state_scores_ask (AppStateScores         *self,
                      const AppStateQuestion *question)
{
  g_autoptr (UiDocument) plain = make_plain (question->document);
  g_autofree char *asked = describe (plain, question);

  if (g_strcmp0 (asked, self->question) != 0) {
    forget (self);
    self->question = g_steal_pointer (&asked);
    self->document = g_steal_pointer (&plain);
    self->folder = g_strdup (question->folder);
  }
  self->toy = question->toy;
  self->newest = question->newest;
  g_array_set_size (self->kept, 0);
  g_array_append_vals (self->kept, question->kept->data, question->kept->len);
  drop_gone (self);
  if (self->job == NULL)
    start_next (self);
}

const GPtrArray *
app_state_scores_get (AppStateScores *self)
{
  return self->scores;
}

float
app_state_score_find_best (const AppStateScore *score,
                           int                  which)
{
  float best = NAN;

  for (int head = 0; head < score->n_layers * score->n_heads; head++)
    best = fmaxf (best, score->scores[head * APP_N_SCORES + which]);

  return best;
}
