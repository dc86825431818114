/* SPDX-License-Identifier: MIT */
#include "engine/writing/generate.h"

#include "engine/kernels/nn.h"
#include "engine/transformer/model-private.h"
#include "engine/writing/beam-search.h"
#include "engine/writing/logits-processors.h"
#include "engine/writing/sampling.h"

#include <string.h>

/* What transformers writes unless told otherwise. */
#define DEFAULT_NEW_TOKENS 20

struct _EngGenerator {
  EngGeneration       *settings;
  EngLogitsProcessors  processors;
  EngDecoding         *decoding;
  EngBeamSearch       *search;        /* NULL for one text */
  guint64              seed;
  const gint          *cancel;
  gboolean             done;

  EngTokens           *given;         /* what the model reads before it writes */
  gint32              *ids;           /* [max_length] of one text, those at the beginning first */
  float               *probabilities; /* [max_length - n_start] */
  int                  n;             /* tokens of each text */

  /* Of a step; B beams, V classes. */
  float               *log_probabilities; /* [B, V] of a search */
  float               *scores;        /* [B, V] */
  float               *scratch;       /* [V] */
  int                 *indices;       /* [V] */
  int                 *parents;       /* [B] */
  gint32              *next_ids;      /* [B] */
};

static int
count_tokens (const EngTokens *tokens)
{
  int n = tokens->n;

  while (n > 0 && tokens->padding[n - 1])
    n--;

  return n;
}

static gboolean
check_ids (const EngModel  *model,
           const char      *key,
           const gint32    *ids,
           guint            n,
           GError         **error)
{
  int n_classes = eng_model_get_spec (model)->heads[ENG_TASK_LANGUAGE_MODEL].n_classes;

  for (guint i = 0; i < n; i++)
    if (ids[i] < 0 || ids[i] >= n_classes) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "%s names token %d, expected one from 0 to %d, which %s can write", key,
                   ids[i], n_classes - 1, eng_model_get_info (model)->name);
      return FALSE;
    }

  return TRUE;
}

static gboolean
check_token_settings (const EngModel       *model,
                      const EngGeneration  *settings,
                      GError              **error)
{
  const GArray *forced_end = settings->forced_end_ids;

  if (settings->forced_first_id >= 0 &&
      !check_ids (model, "forced_bos_token_id", &settings->forced_first_id, 1, error))
    return FALSE;
  if (forced_end && !check_ids (model, "forced_eos_token_id", (const gint32 *) forced_end->data,
                                forced_end->len, error))
    return FALSE;
  for (guint i = 0; settings->banned && i < settings->banned->len; i++) {
    const GArray *sequence = g_ptr_array_index (settings->banned, i);

    if (!check_ids (model, "bad_words_ids", (const gint32 *) sequence->data, sequence->len, error))
      return FALSE;
  }

  return TRUE;
}

static gboolean
check_settings (const EngModel       *model,
                const EngGeneration  *settings,
                GError              **error)
{
  const char *unsupported = settings->unsupported;

  if (!unsupported && settings->sample)
    unsupported = settings->unsupported_sampling;
  if (unsupported) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, unsupported);
    return FALSE;
  }
  if (settings->sample && settings->n_beams > 1) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "do_sample is true and num_beams %d, supported is either of the two",
                 settings->n_beams);
    return FALSE;
  }
  if (settings->sample && !(settings->temperature > 0)) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_RANGE,
                         "temperature is 0, expected more where tokens are drawn");
    return FALSE;
  }
  g_return_val_if_fail (settings->n_beams >= 1 && settings->n_beams <= ENG_MAX_BEAMS, FALSE);

  return check_token_settings (model, settings, error);
}

/* Lengths of the text in tokens, those at the beginning counted. */
static gboolean
settle_lengths (const EngModel       *model,
                const EngGeneration  *settings,
                int                   n_start,
                EngLogitsProcessors  *processors,
                GError              **error)
{
  const EngModelInfo *info = eng_model_get_info (model);
  int max_length = settings->max_length;
  /* The last token is never read and needs no position, but for one in its place that is asked. */
  int n_unread = eng_model_get_spec (model)->asks_behind ? 0 : 1;
  int most = info->max_positions > 0 && info->strict_positions ? info->max_positions + n_unread
                                                               : G_MAXINT;

  if (settings->max_new_tokens > 0) {
    max_length = n_start + settings->max_new_tokens;
  } else if (max_length == 0) {
    max_length = n_start + DEFAULT_NEW_TOKENS;
    /* A length that nobody asked for ends with the positions, as in generate(). */
    most = info->max_positions > 0 ? info->max_positions : G_MAXINT;
  }
  max_length = MIN (max_length, most);
  if (n_start >= max_length) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_LENGTH,
                 "the text begins with %d tokens, expected fewer than the %d at which it ends",
                 n_start, max_length);
    return FALSE;
  }

  processors->n_start = n_start;
  processors->max_length = max_length;
  processors->min_length = settings->min_new_tokens > 0 ? n_start + settings->min_new_tokens
                                                        : settings->min_length;

  return TRUE;
}

static gboolean
is_cancelled (const EngGenerator  *self,
              GError             **error)
{
  if (!self->cancel || g_atomic_int_get (self->cancel) == 0)
    return FALSE;
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the generation was cancelled");

  return TRUE;
}

/* One text. */

static gboolean
choose (EngGenerator  *self,
        float         *scores,
        int           *id,
        GError       **error)
{
  int n_classes = self->processors.n_classes;
  double uniform;

  if (!self->settings->sample) {
    *id = 0;
    for (int i = 1; i < n_classes; i++)
      if (scores[i] > scores[*id])
        *id = i;
    return TRUE;
  }

  if (!eng_sampling_narrow (self->settings, scores, n_classes, self->indices)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "the settings leave no token to draw after %d tokens", self->n);
    return FALSE;
  }
  uniform = eng_sampling_get_uniform (self->seed, self->n - self->processors.n_start);
  *id = eng_sampling_draw (scores, n_classes, uniform);

  return TRUE;
}

static gboolean
is_end (const EngGenerator *self,
        gint32              id)
{
  const GArray *ends = self->settings->end_ids;

  for (guint i = 0; ends && i < ends->len; i++)
    if (g_array_index (ends, gint32, i) == id)
      return TRUE;

  return self->n == self->processors.max_length;
}

static gboolean
step_alone (EngGenerator  *self,
            GError       **error)
{
  const float *logits = eng_decoding_get_logits (self->decoding, 0);
  int n_classes = self->processors.n_classes;
  gsize n_bytes = n_classes * sizeof (float);
  int id;

  memcpy (self->scratch, logits, n_bytes);
  eng_softmax (self->scratch, n_classes, 1, NULL, NULL);
  memcpy (self->scores, logits, n_bytes);
  eng_logits_process (&self->processors, self->ids, self->n, self->scores);
  if (!choose (self, self->scores, &id, error))
    return FALSE;

  self->probabilities[self->n - self->processors.n_start] = self->scratch[id];
  self->ids[self->n++] = id;
  self->next_ids[0] = id;
  self->done = is_end (self, id);

  /* Nobody asks what would follow the last token. */
  return self->done || eng_decoding_step (self->decoding, self->parents, self->next_ids, error);
}

/* Several texts. */

static gboolean
step_search (EngGenerator  *self,
             GError       **error)
{
  gsize n_classes = self->processors.n_classes;

  for (int i = 0; i < self->settings->n_beams; i++) {
    float *log_probabilities = self->log_probabilities + i * n_classes;
    float *scores = self->scores + i * n_classes;

    memcpy (log_probabilities, eng_decoding_get_logits (self->decoding, i),
            n_classes * sizeof (float));
    eng_logits_normalise (log_probabilities, (int) n_classes, self->scratch);
    memcpy (scores, log_probabilities, n_classes * sizeof (float));
    eng_logits_process (&self->processors, eng_beam_search_get_open (self->search, i)->ids, self->n,
                        scores);
    if (self->settings->renormalise)
      eng_logits_normalise (scores, (int) n_classes, self->scratch);
  }
  eng_beam_search_advance (self->search, self->log_probabilities, self->scores, self->parents,
                           self->next_ids);
  self->n++;
  self->done = eng_beam_search_is_done (self->search);

  return self->done || eng_decoding_step (self->decoding, self->parents, self->next_ids, error);
}

static void
allocate (EngGenerator *self)
{
  const EngLogitsProcessors *processors = &self->processors;
  gsize n_beams = self->settings->n_beams;
  gsize n_classes = processors->n_classes;

  self->scores = g_new (float, n_beams * n_classes);
  self->scratch = g_new (float, n_classes);
  self->parents = g_new0 (int, n_beams);
  self->next_ids = g_new0 (gint32, n_beams);
  if (n_beams > 1) {
    self->log_probabilities = g_new (float, n_beams * n_classes);
    self->search = eng_beam_search_new (self->settings, self->ids, processors->n_start,
                                        processors->max_length, processors->n_classes);
  } else {
    self->indices = g_new (int, n_classes);
    self->probabilities = g_new (float, processors->max_length - processors->n_start);
  }
}

EngGenerator *
eng_generator_new (EngModel             *model,
                   const EngInputs      *inputs,
                   const EngEdit        *edits,
                   int                   n_edits,
                   const EngGeneration  *settings,
                   guint64               seed,
                   const gint           *cancel,
                   GError              **error)
{
  gboolean two_stacks = eng_model_has_two_stacks (model);
  const EngTokens *start = two_stacks ? inputs->decoder_tokens : inputs->tokens;
  int n_start = count_tokens (start);
  EngLogitsProcessors processors = { 0 };
  EngDecodingOptions options = {
    .n_sequences = settings->n_beams, .edits = edits, .n_edits = n_edits, .cancel = cancel,
  };
  g_autoptr (EngDecoding) decoding = NULL;
  EngGenerator *self;

  if (!check_settings (model, settings, error) ||
      !settle_lengths (model, settings, n_start, &processors, error))
    return NULL;
  /* The last token is never read. */
  options.capacity = processors.max_length - 1;
  decoding = eng_decoding_new (model, inputs, &options, error);
  if (!decoding)
    return NULL;

  self = g_new0 (EngGenerator, 1);
  self->settings = eng_generation_copy (settings);
  self->given = eng_tokens_ref (inputs->tokens);
  self->processors = processors;
  self->processors.settings = self->settings;
  self->processors.n_classes = eng_decoding_get_n_classes (decoding);
  self->processors.given = self->given->ids;
  self->processors.n_given = count_tokens (self->given);
  self->decoding = g_steal_pointer (&decoding);
  self->seed = seed;
  self->cancel = cancel;
  self->n = n_start;
  self->ids = g_new (gint32, processors.max_length);
  memcpy (self->ids, start->ids, n_start * sizeof *self->ids);
  allocate (self);

  return self;
}

void
eng_generator_free (EngGenerator *self)
{
  g_clear_pointer (&self->search, eng_beam_search_free);
  eng_decoding_free (self->decoding);
  eng_tokens_unref (self->given);
  g_free (self->ids);
  g_free (self->probabilities);
  g_free (self->log_probabilities);
  g_free (self->scores);
  g_free (self->scratch);
  g_free (self->indices);
  g_free (self->parents);
  g_free (self->next_ids);
  eng_generation_free (self->settings);
  g_free (self);
}

gboolean
eng_generator_step (EngGenerator  *self,
                    GError       **error)
{
  if (self->done)
    return TRUE;
  if (is_cancelled (self, error))
    return FALSE;

  return self->search ? step_search (self, error) : step_alone (self, error);
}

gboolean
eng_generator_is_done (const EngGenerator *self)
{
  return self->done;
}

const gint32 *
eng_generator_get_ids (const EngGenerator *self,
                       int                *n)
{
  int n_start = self->processors.n_start;

  if (self->search) {
    const EngBeam *best = eng_beam_search_get_best (self->search);

    *n = best->n;
    return best->ids + n_start;
  }
  *n = self->n - n_start;

  return self->ids + n_start;
}

const float *
eng_generator_get_probabilities (const EngGenerator *self)
{
  return self->search ? eng_beam_search_get_best (self->search)->probabilities
                      : self->probabilities;
}

EngTrace *
eng_generator_dup_trace (EngGenerator *self,
                         const char   *text_a,
                         const char   *text_b)
{
  return self->search ? NULL : eng_decoding_dup_trace (self->decoding, text_a, text_b);
}
