/* SPDX-License-Identifier: MIT */
#include "app/run/writer.h"

#include <string.h>

#include "app/run/pass.h"

struct _AppWriter {
  EngModel      *model;
  UiDocument    *document;
  EngInputs      inputs;
  GArray        *edits;      /* of EngEdit */
  EngGeneration *settings;
  EngGenerator  *generator;
  gint          *cancel;
  gint64         step_time;  /* µs */
  gint64         trace_time; /* µs */
};

static gboolean
has_two_stacks (const AppWriter *self)
{
  return self->inputs.decoder_tokens != NULL;
}

/* The tokens that the text goes on from. */
static EngTokens *
get_start (const AppWriter *self)
{
  return has_two_stacks (self) ? self->inputs.decoder_tokens : self->inputs.tokens;
}

static gboolean
is_end (const AppWriter *self,
        gint32           id)
{
  const GArray *ends = self->settings->end_ids;

  for (guint i = 0; ends != NULL && i < ends->len; i++)
    if (g_array_index (ends, gint32, i) == id)
      return TRUE;

  return FALSE;
}

/* A model without a tokenizer reads token ids, so it writes them. */
static char *
spell_ids (const gint32 *ids,
           int           n)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    g_string_append_printf (text, " %d", ids[i]);

  return g_string_free (text, FALSE);
}

/* Of a picture: its tokens are those of the document's text and of what a decoder wrote behind it. A
 * model of two stacks writes the same again where B is empty. */
static void
dup_texts (const AppWriter  *self,
           char            **text_a,
           char            **text_b)
{
  const UiDocument *document = self->document;
  const gboolean is_b = document->text_b[0] != '\0';
  const gboolean adds = is_b || !has_two_stacks (self);
  g_autofree char *written = app_writer_dup_text (self);

  *text_a = g_strconcat (document->text_a, adds && !is_b ? written : "", NULL);
  *text_b = g_strconcat (document->text_b, adds && is_b ? written : "", NULL);
}

static EngTrace *
run_pass (AppWriter   *self,
          EngSession  *session,
          const char  *text_a,
          const char  *text_b,
          GError     **error)
{
  int n;
  const gint32 *ids = eng_generator_get_ids (self->generator, &n);
  g_autoptr (EngTokens) text = NULL;
  EngRunRequest request;

  if (n > 0 && is_end (self, ids[n - 1]))
    n--;
  text = eng_inputs_append (self->model, get_start (self), ids, n);

  request = (EngRunRequest) {
    .tokens = has_two_stacks (self) ? self->inputs.tokens : text,
    .decoder_tokens = has_two_stacks (self) ? text : NULL,
    .text_a = text_a,
    .text_b = text_b,
    .edits = (const EngEdit *) self->edits->data,
    .n_edits = (int) self->edits->len,
    .unfinished = TRUE,
    .tasks = 1u << ENG_TASK_LANGUAGE_MODEL,
    .cancel = self->cancel,
  };

  return eng_session_run (session, &request, error);
}

AppWriter *
app_writer_new (EngModel          *model,
                const UiDocument  *document,
                gint              *cancel,
                GError           **error)
{
  g_autoptr (AppWriter) self = g_new0 (AppWriter, 1);
  g_autoptr (UiDocument) unpadded = ui_document_copy (document);
  gint64 start = g_get_monotonic_time ();
  guint64 seed;

  self->model = eng_model_ref (model);
  self->document = ui_document_copy (document);
  self->cancel = cancel;
  /* What one stack writes stands where its padding would be. */
  if (!eng_model_has_two_stacks (model))
    unpadded->pad_to = 0;
  self->edits = app_pass_parse_edits (document, error);
  if (self->edits == NULL
      || !app_pass_settle (model, document, &self->settings, &seed, error)
      || !app_pass_encode (model, unpadded, &self->inputs, error))
    return NULL;

  self->generator = eng_generator_new (model, &self->inputs, (const EngEdit *) self->edits->data,
                                       (int) self->edits->len, self->settings, seed, cancel,
                                       error);
  if (self->generator == NULL)
    return NULL;
  self->step_time = g_get_monotonic_time () - start;

  return g_steal_pointer (&self);
}

void
app_writer_free (AppWriter *self)
{
  g_clear_pointer (&self->generator, eng_generator_free);
  g_clear_pointer (&self->settings, eng_generation_free);
  eng_inputs_clear (&self->inputs);
  g_clear_pointer (&self->edits, g_array_unref);
  ui_document_free (self->document);
  eng_model_unref (self->model);
  g_free (self);
}

gboolean
app_writer_step (AppWriter  *self,
                 GError    **error)
{
  gint64 start = g_get_monotonic_time ();
  gboolean done = eng_generator_step (self->generator, error);

  self->step_time += g_get_monotonic_time () - start;

  return done;
}

gboolean
app_writer_is_done (const AppWriter *self)
{
  return eng_generator_is_done (self->generator);
}

int
app_writer_get_n_before (const AppWriter *self)
{
  return get_start (self)->n;
}

int
app_writer_get_n_tokens (const AppWriter *self)
{
  int n;

  eng_generator_get_ids (self->generator, &n);

  return n;
}

double
app_writer_get_milliseconds (const AppWriter *self)
{
  return self->step_time / 1000.0;
}

char *
app_writer_dup_text (const AppWriter *self)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (self->model);
  const EngTokens *start = get_start (self);
  int n_start = start->n;
  int n;
  const gint32 *ids = eng_generator_get_ids (self->generator, &n);
  g_autofree gint32 *all = NULL;
  g_autofree char *before = NULL;
  g_autofree char *whole = NULL;

  if (tokenizer == NULL)
    return spell_ids (ids, n);

  all = g_new (gint32, n_start + n);
  memcpy (all, start->ids, n_start * sizeof *all);
  memcpy (all + n_start, ids, n * sizeof *all);
  before = eng_tokenizer_decode (tokenizer, all, n_start, TRUE);
  whole = eng_tokenizer_decode (tokenizer, all, n_start + n, TRUE);

  return g_str_has_prefix (whole, before) ? g_strdup (whole + strlen (before))
                                          : eng_tokenizer_decode (tokenizer, ids, n, TRUE);
}

gboolean
app_writer_is_trace_cheap (const AppWriter *self)
{
  return self->settings->n_beams == 1 || self->trace_time <= self->step_time;
}

EngTrace *
app_writer_dup_trace (AppWriter   *self,
                      EngSession  *session,
                      GError     **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autofree char *text_a = NULL;
  g_autofree char *text_b = NULL;
  EngTrace *trace;

  dup_texts (self, &text_a, &text_b);
  if (self->settings->n_beams > 1 || eng_generator_is_done (self->generator))
    trace = run_pass (self, session, text_a, text_b, error);
  else
    trace = eng_generator_dup_trace (self->generator, text_a, text_b);
  self->trace_time += g_get_monotonic_time () - start;
  if (trace == NULL && error != NULL && *error == NULL)
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_RANGE,
                         "there is no memory for a picture of the text");

  return trace;
}
