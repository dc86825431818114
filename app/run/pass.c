/* SPDX-License-Identifier: MIT */
#include "app/run/pass.h"

#include "app/store/model-store.h"
#include "engine/predict/predict.h"
#include "engine/transformer/token-edits.h"
#include "engine/writing/control-codes.h"
#include "engine/writing/embedded-languages.h"
#include "engine/writing/generate.h"
#include "engine/writing/languages.h"

/* The document's choices before those of the model's files. */
static void
apply_choices (const UiDocument *document,
               EngGeneration    *settings)
{
  gboolean draws = document->temperature_set || document->top_k_set || document->top_p_set ||
                   document->seed_set;

  if (document->max_new_tokens_set)
    settings->max_new_tokens = document->max_new_tokens;
  if (draws || document->beams_set) {
    settings->sample = draws;
    settings->n_beams = document->beams_set ? document->beams : 1;
  }
  if (document->temperature_set)
    settings->temperature = document->temperature;
  if (document->top_k_set)
    settings->top_k = document->top_k;
  if (document->top_p_set)
    settings->top_p = document->top_p;
}

static gboolean
is_end (const EngGeneration *settings,
        gint32               id)
{
  for (guint i = 0; settings->end_ids && i < settings->end_ids->len; i++)
    if (g_array_index (settings->end_ids, gint32, i) == id)
      return TRUE;

  return FALSE;
}

/* What the document's words ask for: the prefix of a summary is the wish for one. */
static EngWriting
find_writing (const EngModel   *model,
              const UiDocument *document)
{
  g_auto (EngWritingPlan) summary = { 0 };

  if (app_pass_translates (model, document))
    return ENG_WRITING_TRANSLATE;
  if (document->prefix && eng_writing_is_offered (model, ENG_WRITING_SUMMARISE)
      && eng_writing_plan (model, ENG_WRITING_SUMMARISE, NULL, NULL, &summary, NULL)
      && g_strcmp0 (summary.prefix, document->prefix) == 0)
    return ENG_WRITING_SUMMARISE;

  return ENG_WRITING_GENERATE;
}

/* The tokens of a B that the model writes itself, behind what its decoder begins with. */
static EngTokens *
write_target (EngModel          *model,
              const UiDocument  *document,
              const EngInputs   *inputs,
              const GArray      *edits,
              GError           **error)
{
  g_autoptr (EngGeneration) settings = NULL;
  g_autoptr (GArray) ids = NULL;
  guint64 seed;
  int n;

  if (!app_pass_settle (model, document, &settings, &seed, error))
    return NULL;
  ids = app_pass_write (model, inputs, edits, settings, seed, error);
  if (!ids)
    return NULL;

  n = (int) ids->len;
  if (n > 0 && is_end (settings, g_array_index (ids, gint32, n - 1)))
    n--;

  return eng_inputs_append (model, inputs->decoder_tokens, (const gint32 *) ids->data, n);
}

/* What was typed, before any edit. */
static gboolean
encode_typed (const EngModel    *model,
              const UiDocument  *document,
              EngTask            task,
              EngInputs         *inputs,
              GError           **error)
{
  g_auto (EngWritingPlan) plan = { 0 };
  EngTextOptions options = {
    .no_special_tokens = document->no_special_tokens,
    .truncate = document->truncate,
    .pad_to = document->pad_to,
    .repeat = eng_predict_repeats (model, task),
  };

  if (!app_pass_plan_texts (model, document, &plan, error))
    return FALSE;
  options.prefix = plan.prefix;
  options.source_language = plan.source_language;
  options.target_language = plan.target_language;

  return eng_inputs_from_texts (model, document->text_a, document->text_b, &options, inputs,
                                error);
}

/* Those of the list that change tokens of the decoder of two stacks, or all others. */
static gboolean
apply_token_edits (const EngModel  *model,
                   const GArray    *edits,
                   gboolean         of_decoder,
                   EngInputs       *inputs,
                   GError         **error)
{
  for (guint i = 0; i < edits->len; i++) {
    const EngEdit *edit = &g_array_index (edits, EngEdit, i);

    if ((edit->kind == ENG_KIND_DECODER) == of_decoder &&
        !eng_token_edits_apply (model, edit, 1, inputs, error))
      return FALSE;
  }

  return TRUE;
}

EngModel *
app_pass_open_model (const UiDocument  *document,
                     GError           **error)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = app_model_store_find (document->model, &name, error);

  if (!folder)
    return NULL;
  if (document->random_weights_set)
    return eng_model_open_untrained (folder, name, (guint32) document->random_weights, error);

  return eng_model_open (folder, name, error);
}

gboolean
app_pass_encode (const EngModel    *model,
                 const UiDocument  *document,
                 EngInputs         *inputs,
                 GError           **error)
{
  return app_pass_encode_for (model, document, ENG_TASK_LANGUAGE_MODEL, inputs, error);
}

gboolean
app_pass_encode_for (const EngModel    *model,
                     const UiDocument  *document,
                     EngTask            task,
                     EngInputs         *inputs,
                     GError           **error)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (document, error);
  g_auto (EngInputs) typed = { 0 };

  if (!edits || !encode_typed (model, document, task, &typed, error) ||
      !eng_token_edits_apply (model, (const EngEdit *) edits->data, (int) edits->len, &typed,
                              error))
    return FALSE;
  *inputs = typed;
  typed = (EngInputs) { 0 };

  return TRUE;
}

gboolean
app_pass_complete (EngModel          *model,
                   const UiDocument  *document,
                   EngInputs         *inputs,
                   GError           **error)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (document, error);
  g_auto (EngInputs) completed = { 0 };
  EngTokens *target;

  if (!eng_model_has_two_stacks (model) || *document->text_b ||
      !eng_model_has_task (model, ENG_TASK_LANGUAGE_MODEL))
    return app_pass_encode (model, document, inputs, error);

  if (!edits || !encode_typed (model, document, ENG_TASK_LANGUAGE_MODEL, &completed, error) ||
      !apply_token_edits (model, edits, FALSE, &completed, error))
    return FALSE;
  target = write_target (model, document, &completed, edits, error);
  if (!target)
    return FALSE;
  eng_tokens_unref (completed.decoder_tokens);
  completed.decoder_tokens = target;
  if (!apply_token_edits (model, edits, TRUE, &completed, error))
    return FALSE;
  *inputs = completed;
  completed = (EngInputs) { 0 };

  return TRUE;
}

gboolean
app_pass_translates (const EngModel   *model,
                     const UiDocument *document)
{
  return document->lang && !eng_model_get_languages (model);
}

gboolean
app_pass_plan_texts (const EngModel    *model,
                     const UiDocument  *document,
                     EngWritingPlan    *plan,
                     GError           **error)
{
  if (app_pass_translates (model, document))
    return app_pass_plan (model, document, ENG_WRITING_TRANSLATE, plan, error);
  plan->prefix = eng_control_codes_spell_prefix (model, document->prefix);

  return !document->lang ||
         eng_embedded_languages_find (model, document->lang, &plan->source_language,
                                      &plan->target_language, error);
}

/* Whether two words are cut apart where no white space stands. */
static gboolean
cuts_within (const EngTokens *tokens)
{
  for (int i = 0; i + 1 < tokens->n; i++)
    if (tokens->segments[i] == tokens->segments[i + 1] && tokens->spans[i].start >= 0 &&
        tokens->words[i] != tokens->words[i + 1] &&
        tokens->spans[i].end == tokens->spans[i + 1].start)
      return TRUE;

  return FALSE;
}

char *
app_pass_dup_doubt (const EngModel   *model,
                    const UiDocument *document)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  const char *own = tokenizer ? eng_tokenizer_get_word_language (tokenizer) : NULL;
  g_auto (EngWritingPlan) plan = { 0 };
  g_auto (EngInputs) inputs = { 0 };
  const char *other;

  if (!own || !document->lang || !app_pass_plan_texts (model, document, &plan, NULL) ||
      !plan.source_language || !app_pass_encode (model, document, &inputs, NULL))
    return NULL;
  other = eng_language_matches (plan.source_language, own) ? plan.target_language
                                                           : plan.source_language;
  if (eng_language_matches (other, own) || !cuts_within (inputs.tokens))
    return NULL;

  return g_strdup_printf ("tokens are approximate: words were cut as in %s, not as in %s; where "
                          "spaces stand between all words and signs they are exact",
                          eng_language_get_name (own),
                          eng_language_is_known (other) ? eng_language_get_name (other) : other);
}

gboolean
app_pass_plan (const EngModel    *model,
               const UiDocument  *document,
               EngWriting         writing,
               EngWritingPlan    *plan,
               GError           **error)
{
  const char *lang = app_pass_translates (model, document) ? document->lang : NULL;

  if (!eng_writing_plan (model, writing, lang, document->prefix, plan, error))
    return FALSE;
  apply_choices (document, plan->settings);

  return TRUE;
}

gboolean
app_pass_settle (const EngModel    *model,
                 const UiDocument  *document,
                 EngGeneration    **settings,
                 guint64           *seed,
                 GError           **error)
{
  g_auto (EngWritingPlan) plan = { 0 };

  if (!app_pass_plan (model, document, find_writing (model, document), &plan, error))
    return FALSE;
  *settings = g_steal_pointer (&plan.settings);
  *seed = (guint64) document->seed;

  return TRUE;
}

GArray *
app_pass_write (EngModel             *model,
                const EngInputs      *inputs,
                const GArray         *edits,
                const EngGeneration  *settings,
                guint64               seed,
                GError              **error)
{
  g_autoptr (EngGenerator) generator =
    eng_generator_new (model, inputs, (const EngEdit *) edits->data, (int) edits->len, settings,
                       seed, NULL, error);
  const gint32 *ids;
  GArray *written;
  int n;

  if (!generator)
    return NULL;
  while (!eng_generator_is_done (generator))
    if (!eng_generator_step (generator, error))
      return NULL;

  ids = eng_generator_get_ids (generator, &n);
  written = g_array_sized_new (FALSE, FALSE, sizeof *ids, (guint) n);
  g_array_append_vals (written, ids, (guint) n);

  return written;
}

/* A translator into several languages is told which, here or by the user at the begin of the
 * text. */
static gboolean
check_language (const EngModel    *model,
                const UiDocument  *document,
                EngWriting         writing,
                GError           **error)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  g_autofree char *names = NULL;

  if (writing != ENG_WRITING_TRANSLATE || document->lang || document->prefix ||
      !tokenizer || !eng_tokenizer_get_languages (tokenizer) ||
      (eng_tokenizer_marks_language (tokenizer) &&
       eng_tokenizer_get_target_language (tokenizer)) ||
      g_str_has_prefix (document->text_a, ">>"))
    return TRUE;

  names = eng_writing_name_languages (model);
  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
               "%s writes several languages, expected --lang; it has %s",
               eng_model_get_info (model)->name, names);

  return FALSE;
}

GArray *
app_pass_write_for (EngModel          *model,
                    const UiDocument  *document,
                    EngWriting         writing,
                    GError           **error)
{
  g_autoptr (UiDocument) asked = ui_document_copy (document);
  g_auto (EngWritingPlan) plan = { 0 };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GArray) edits = NULL;

  if (!check_language (model, asked, writing, error) ||
      !app_pass_plan (model, asked, writing, &plan, error))
    return NULL;
  /* The plan knows the words before the text, which depend on the task too; languages bring their
   * own. */
  if (!asked->lang)
    ui_replace_text (&asked->prefix, plan.prefix);
  edits = app_pass_parse_edits (asked, error);
  if (!edits || !app_pass_encode (model, asked, &inputs, error))
    return NULL;

  return app_pass_write (model, &inputs, edits, plan.settings, (guint64) asked->seed, error);
}

char *
app_pass_decode (const EngModel *model,
                 const GArray   *ids)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  GString *numbers;

  if (tokenizer)
    return eng_tokenizer_decode (tokenizer, (const gint32 *) ids->data, (int) ids->len, TRUE);

  numbers = g_string_new (NULL);
  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (numbers, "%s%d", i ? " " : "", g_array_index (ids, gint32, i));

  return g_string_free (numbers, FALSE);
}

GArray *
app_pass_parse_edits (const UiDocument  *document,
                      GError           **error)
{
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (EngEdit));

  for (int i = 0; document->edits[i]; i++) {
    gboolean off;
    const char *text = eng_edit_skip_off (document->edits[i], &off);
    EngEdit edit;

    if (!eng_edit_parse (text, &edit, error))
      return NULL;
    if (!off)
      g_array_append_val (edits, edit);
  }

  return g_steal_pointer (&edits);
}

EngTrace *
app_pass_run (EngModel          *model,
              const UiDocument  *document,
              const EngInputs   *inputs,
              guint              tasks,
              gboolean           all_positions,
              GError           **error)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (document, error);
  g_autoptr (EngSession) session = NULL;
  EngRunRequest request = { 0 };

  if (!edits)
    return NULL;

  session = eng_session_new (model);
  request.tokens = inputs->tokens;
  request.decoder_tokens = inputs->decoder_tokens;
  request.text_a = document->text_a;
  request.text_b = document->text_b;
  request.edits = (const EngEdit *) edits->data;
  request.n_edits = (int) edits->len;
  request.tasks = tasks;
  request.all_positions = all_positions;

  return eng_session_run (session, &request, error);
}
