/* SPDX-License-Identifier: MIT */
#include "app/run/ablation.h"

#include <string.h>

#include "app/run/pass.h"
#include "engine/transformer/model.h"

struct _AppAblation {
  gatomicrefcount  ref_count;
  EngModel        *model;    /* NULL once it ran: what was found outlives it */
  UiDocument      *document;
  EngKind          kind;
  EngTask          task;
  EngEditType      type;
  int              n_layers;
  int              n_heads;

  GMutex           lock;     /* over the rest */
  gboolean         predicts;
  EngSweepChange  *changes;  /* [n_layers, n_heads] */
  gboolean        *is_done;  /* the same */
  int              n_done;
  int              n_positions; /* that are predicted for */
  int              best;        /* -1 before the end */
  double           probability;
  GHashTable      *names;       /* of the predicted: id -> char * */
};

/* What the thread that runs it knows. */
typedef struct {
  AppAblation    *ablation;
  AppProgressFunc progress;
  gpointer        data;
} Run;

static gsize
get_cell (AppAblation *self,
          int          layer,
          int          head)
{
  return (gsize) layer * (gsize) self->n_heads + (gsize) head;
}

/* A class of the task, or a token. */
static char *
spell_class (const AppAblation *self,
             int                id)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (self->model);

  if (self->task != ENG_TASK_FILL_MASK && self->task != ENG_TASK_LANGUAGE_MODEL)
    return g_strdup (eng_model_get_label (self->model, self->task, id));
  return tokenizer != NULL ? eng_tokenizer_decode (tokenizer, &id, 1, FALSE)
                           : g_strdup_printf ("%d", id);
}

/* With the lock. */
static void
keep_name (AppAblation *self,
           int          id)
{
  if (id >= 0 && !g_hash_table_contains (self->names, GINT_TO_POINTER (id)))
    g_hash_table_insert (self->names, GINT_TO_POINTER (id), spell_class (self, id));
}

static void
head_done (int                   layer,
           int                   head,
           const EngSweepChange *change,
           gpointer              data)
{
  const Run *run = data;
  AppAblation *self = run->ablation;
  const gsize cell = get_cell (self, layer, head);
  int n_done;

  g_mutex_lock (&self->lock);
  self->changes[cell] = *change;
  self->is_done[cell] = TRUE;
  self->predicts = change->best >= 0;
  keep_name (self, change->best);
  n_done = ++self->n_done;
  g_mutex_unlock (&self->lock);
  run->progress (&(AppProgress) {
    .fraction = (double) n_done / (self->n_layers * self->n_heads) }, run->data);
}

static int
count_masks (AppAblation     *self,
             const EngTokens *tokens)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (self->model);
  const int mask_id = tokenizer != NULL ? eng_tokenizer_get_mask_id (tokenizer) : -1;
  int n = 0;

  for (int i = 0; i < tokens->n && mask_id >= 0; i++)
    n += tokens->ids[i] == mask_id;
  return n;
}

static gboolean
encode (AppAblation  *self,
        EngInputs    *inputs,
        GError      **error)
{
  if (self->task == ENG_TASK_LANGUAGE_MODEL)
    return app_pass_complete (self->model, self->document, inputs, error);
  return app_pass_encode_for (self->model, self->document, self->task, inputs, error);
}

AppAblation *
app_ablation_new (EngModel         *model,
                  const UiDocument *document,
                  EngKind           kind,
                  EngTask           task,
                  EngEditType       type,
                  int               n_layers,
                  int               n_heads)
{
  AppAblation *self = g_new0 (AppAblation, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->model = eng_model_ref (model);
  self->document = ui_document_copy (document);
  self->kind = kind;
  self->task = task;
  self->type = type;
  self->n_layers = n_layers;
  self->n_heads = n_heads;
  self->changes = g_new0 (EngSweepChange, (gsize) n_layers * (gsize) n_heads);
  self->is_done = g_new0 (gboolean, (gsize) n_layers * (gsize) n_heads);
  self->best = -1;
  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  return self;
}

AppAblation *
app_ablation_ref (AppAblation *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
app_ablation_unref (AppAblation *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->model, eng_model_unref);
  ui_document_free (self->document);
  g_mutex_clear (&self->lock);
  g_hash_table_unref (self->names);
  g_free (self->changes);
  g_free (self->is_done);
  g_free (self);
}

static gboolean
sweep_heads (AppAblation  *self,
             gint         *cancel,
             Run          *run,
             GError      **error)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (self->document, error);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngSweep) sweep = NULL;
  EngRunRequest request;

  if (edits == NULL || !encode (self, &inputs, error))
    return FALSE;

  request = (EngRunRequest) {
    .tokens = inputs.tokens,
    .decoder_tokens = inputs.decoder_tokens,
    .text_a = self->document->text_a,
    .text_b = self->document->text_b,
    .edits = (const EngEdit *) edits->data,
    .n_edits = (int) edits->len,
    .cancel = cancel,
  };
  sweep = eng_sweep_run (self->model, &request, self->kind, self->task, self->type, 0, head_done,
                         run, error);
  if (sweep == NULL)
    return FALSE;

  g_mutex_lock (&self->lock);
  self->predicts = sweep->measure == ENG_SWEEP_PREDICTION;
  self->n_positions = self->task == ENG_TASK_FILL_MASK ? count_masks (self, inputs.tokens) : 1;
  self->best = sweep->best;
  self->probability = sweep->probability;
  keep_name (self, sweep->best);
  g_mutex_unlock (&self->lock);

  return TRUE;
}

gboolean
app_ablation_run (AppAblation      *self,
                  gint             *cancel,
                  AppProgressFunc   progress,
                  gpointer          data,
                  GError          **error)
{
  Run run = { self, progress, data };
  gboolean is_whole = sweep_heads (self, cancel, &run, error);

  g_clear_pointer (&self->model, eng_model_unref);

  return is_whole;
}

gboolean
app_ablation_get (AppAblation    *self,
                  int             layer,
                  int             head,
                  EngSweepChange *change)
{
  const gsize cell = get_cell (self, layer, head);
  gboolean is_done;

  g_mutex_lock (&self->lock);
  *change = self->changes[cell];
  is_done = self->is_done[cell];
  g_mutex_unlock (&self->lock);

  return is_done;
}

gboolean
app_ablation_get_base (AppAblation *self,
                       int         *best,
                       double      *probability)
{
  gboolean has_base;

  g_mutex_lock (&self->lock);
  *best = self->best;
  *probability = self->probability;
  has_base = self->predicts && self->best >= 0 && self->n_positions == 1;
  g_mutex_unlock (&self->lock);

  return has_base;
}

gboolean
app_ablation_predicts (AppAblation *self)
{
  gboolean predicts;

  g_mutex_lock (&self->lock);
  predicts = self->predicts;
  g_mutex_unlock (&self->lock);

  return predicts;
}

EngKind
app_ablation_get_kind (AppAblation *self)
{
  return self->kind;
}

EngEditType
app_ablation_get_type (AppAblation *self)
{
  return self->type;
}

int
app_ablation_get_n_layers (AppAblation *self)
{
  return self->n_layers;
}

int
app_ablation_get_n_heads (AppAblation *self)
{
  return self->n_heads;
}

char *
app_ablation_dup_class (AppAblation *self,
                        int          id)
{
  char *name;

  g_mutex_lock (&self->lock);
  name = g_strdup (g_hash_table_lookup (self->names, GINT_TO_POINTER (id)));
  g_mutex_unlock (&self->lock);

  return name;
}

/* In quotes where it must be, as RFC 4180 says. */
static void
append_text (GString    *csv,
             const char *text)
{
  g_autoptr (GString) quoted = NULL;

  if (strpbrk (text, ",\"\r\n") == NULL) {
    g_string_append (csv, text);
    return;
  }
  quoted = g_string_new (text);
  g_string_replace (quoted, "\"", "\"\"", 0);
  g_string_append_printf (csv, "\"%s\"", quoted->str);
}

static void
append_number (GString *csv,
               double   number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (csv, ",%s", g_ascii_formatd (buffer, sizeof buffer, "%.9g", number));
}

char *
app_ablation_to_csv (AppAblation *self)
{
  const gboolean predicts = app_ablation_predicts (self);
  GString *csv = g_string_new (predicts ? "layer,head,kl_bits" : "layer,head,hidden_state_change");
  EngSweepChange change;
  double probability;
  int best;
  const gboolean has_base = app_ablation_get_base (self, &best, &probability);

  g_string_append (csv, ",probability_before,probability_after,probability_change,best_after\n");
  for (int layer = 0; layer < self->n_layers; layer++) {
    for (int head = 0; head < self->n_heads; head++) {
      g_autofree char *name = NULL;

      if (!app_ablation_get (self, layer, head, &change))
        continue;
      g_string_append_printf (csv, "%d,%d", layer, head);
      append_number (csv, change.change);
      if (has_base) {
        append_number (csv, probability);
        append_number (csv, probability + change.probability_change);
      } else
        g_string_append (csv, ",,");
      if (predicts) {
        name = app_ablation_dup_class (self, change.best);
        append_number (csv, change.probability_change);
        g_string_append_c (csv, ',');
        append_text (csv, name);
      } else
        g_string_append (csv, ",,");
      g_string_append_c (csv, '\n');
    }
  }

  return g_string_free (csv, FALSE);
}
