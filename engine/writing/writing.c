/* SPDX-License-Identifier: MIT */
#include "engine/writing/writing.h"

#include "engine/predict/predict.h"
#include "engine/transformer/inputs.h"
#include "engine/writing/languages.h"

#include <string.h>

#define SUMMARY_TASK "summarization"
#define TRANSLATION_PREFIX "translation_"
#define TRANSLATION_INFIX "_to_"
/* The code of ISO 639-2 for several languages. */
#define ANY_SOURCE "mul"
#define MAX_NAMED 12

/* "translation_en_to_de" → "en", "de". */
static gboolean
read_translation_task (const char  *task,
                       char       **source,
                       char       **target)
{
  const char *infix;

  if (!g_str_has_prefix (task, TRANSLATION_PREFIX))
    return FALSE;
  task += strlen (TRANSLATION_PREFIX);
  infix = strstr (task, TRANSLATION_INFIX);
  if (!infix || infix == task || !infix[strlen (TRANSLATION_INFIX)])
    return FALSE;

  *source = g_strndup (task, (gsize) (infix - task));
  *target = g_strdup (infix + strlen (TRANSLATION_INFIX));

  return TRUE;
}

static const char *const *
get_language_tokens (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return tokenizer ? eng_tokenizer_get_languages (tokenizer) : NULL;
}

static const char *
get_source (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return tokenizer ? eng_tokenizer_get_source_language (tokenizer) : NULL;
}

static const char *
get_target (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return tokenizer ? eng_tokenizer_get_target_language (tokenizer) : NULL;
}

/* Whether every text has the token of its own language, so that any two make a pair. */
static gboolean
marks_language (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  return tokenizer && eng_tokenizer_marks_language (tokenizer);
}

/* A group of languages, or nothing at all, takes any. */
static gboolean
takes_source (const EngModel *model,
              const char     *source)
{
  const char *own = get_source (model);

  return !own || !eng_language_is_known (own) || eng_language_matches (own, source);
}

static const EngGenerations *
get_generations (const EngModel *model)
{
  return eng_model_get_generations (model, NULL);
}

/* The first task of the file that translates, or the one between two languages. */
static const EngGeneration *
find_translation_task (const EngGenerations *generations,
                       const char           *source,
                       const char           *target)
{
  for (guint i = 0; i < generations->tasks->len; i++) {
    g_autofree char *from = NULL;
    g_autofree char *to = NULL;

    if (read_translation_task (g_ptr_array_index (generations->task_names, i), &from, &to) &&
        (!source || (eng_language_matches (from, source) && eng_language_matches (to, target))))
      return g_ptr_array_index (generations->tasks, i);
  }

  return NULL;
}

/* The token of a language; the very spelling goes first. */
static const char *
find_language_token (const EngModel *model,
                     const char     *name)
{
  const char *const *tokens = get_language_tokens (model);
  const char *found = NULL;

  for (int i = 0; tokens && tokens[i]; i++) {
    g_autofree char *language = eng_tokenizer_dup_language_code (tokens[i]);

    if (g_ascii_strcasecmp (language, name) == 0)
      return tokens[i];
    if (!found && eng_language_matches (language, name))
      found = tokens[i];
  }

  return found;
}

static void
add_pair (GPtrArray  *pairs,
          const char *source,
          const char *target)
{
  g_ptr_array_add (pairs, g_strdup_printf ("%s:%s", source ? source : ANY_SOURCE, target));
}

/* Begins what is written with the language of this code; NULL = with none. */
static void
aim_at (const EngModel *model,
        const char     *code,
        EngWritingPlan *plan)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  if (!code)
    return;
  plan->target_language = g_strdup (code);
  if (!eng_inputs_start_with_language (model))
    plan->settings->forced_first_id = eng_tokenizer_find_language (tokenizer, code);
}

/* Two languages of a model that marks them; FALSE where it has one of them not. */
static gboolean
plan_any_pair (const EngModel *model,
               const char     *source,
               const char     *target,
               EngWritingPlan *plan)
{
  const char *from = find_language_token (model, source);
  const char *to = find_language_token (model, target);
  g_autofree char *code = to ? eng_tokenizer_dup_language_code (to) : NULL;

  if (!from || !to)
    return FALSE;
  plan->settings = eng_generation_copy (get_generations (model)->general);
  plan->source_language = eng_tokenizer_dup_language_code (from);
  aim_at (model, code, plan);

  return TRUE;
}

/* Sets what a plan needs for a translation between two languages. */
static gboolean
plan_languages (const EngModel  *model,
                const char      *lang,
                EngWritingPlan  *plan,
                GError         **error)
{
  const EngGenerations *generations = get_generations (model);
  g_auto (GStrv) parts = g_strsplit (lang, ":", 2);
  const EngGeneration *task = NULL;
  const char *token = NULL;
  const char *own_target = get_target (model);
  g_autofree char *names = NULL;

  if (g_strv_length (parts) == 2 && marks_language (model)) {
    if (plan_any_pair (model, parts[0], parts[1], plan))
      return TRUE;
  } else if (g_strv_length (parts) == 2) {
    task = find_translation_task (generations, parts[0], parts[1]);
    token = takes_source (model, parts[0]) ? find_language_token (model, parts[1]) : NULL;
  }
  if (task) {
    plan->settings = eng_generation_copy (task);
    plan->prefix = g_strdup (task->prefix);
    return TRUE;
  }
  if (token) {
    plan->settings = eng_generation_copy (generations->general);
    plan->prefix = g_strconcat (token, " ", NULL);
    return TRUE;
  }
  if (g_strv_length (parts) == 2 && own_target && !get_language_tokens (model) &&
      takes_source (model, parts[0]) && eng_language_matches (own_target, parts[1])) {
    plan->settings = eng_generation_copy (generations->general);
    plan->prefix = g_strdup (generations->general->prefix);
    return TRUE;
  }

  names = eng_writing_name_languages (model);
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s does not translate “%s”, it has %s",
               eng_model_get_info (model)->name, lang, names);

  return FALSE;
}

static gboolean
check_offer (const EngModel  *model,
             EngWriting       writing,
             const char      *prefix,
             GError         **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  gboolean silent = eng_model_has_two_stacks (model);

  if (eng_writing_is_offered (model, writing) || prefix)
    return TRUE;

  for (int other = 0; other < ENG_N_WRITINGS; other++)
    if (eng_writing_is_offered (model, other)) {
      silent &= other == ENG_WRITING_GENERATE;
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", eng_writing_get_name (other));
    }
  if (silent)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s is not made to %s, it can %s; a prefix of your own asks it all the same",
               eng_model_get_info (model)->name, eng_writing_get_name (writing), names->str);

  return FALSE;
}

/* The settings and words of the checkpoint for a writing without languages. */
static void
plan_own (const EngModel *model,
          EngWriting      writing,
          EngWritingPlan *plan)
{
  const EngGenerations *generations = get_generations (model);
  const EngGeneration *settings = NULL;

  if (writing == ENG_WRITING_SUMMARISE)
    settings = eng_generations_find (generations, SUMMARY_TASK);
  else if (writing == ENG_WRITING_TRANSLATE)
    settings = find_translation_task (generations, NULL, NULL);
  if (!settings)
    settings = generations->general;

  plan->settings = eng_generation_copy (settings);
  if (writing != ENG_WRITING_GENERATE)
    plan->prefix = g_strdup (settings->prefix);
  if (marks_language (model))
    aim_at (model, get_target (model), plan);
}

const char *
eng_writing_get_name (EngWriting writing)
{
  static const char *const names[ENG_N_WRITINGS] = { "summarise", "translate", "generate" };

  return names[writing];
}

gboolean
eng_writing_from_name (const char *name,
                       EngWriting *writing)
{
  for (int i = 0; i < ENG_N_WRITINGS; i++)
    if (strcmp (name, eng_writing_get_name (i)) == 0) {
      *writing = i;
      return TRUE;
    }

  return FALSE;
}

gboolean
eng_writing_is_offered (const EngModel *model,
                        EngWriting      writing)
{
  const EngGenerations *generations = get_generations (model);

  if (!generations || !eng_model_has_task (model, ENG_TASK_LANGUAGE_MODEL))
    return FALSE;

  switch (writing) {
  case ENG_WRITING_SUMMARISE:
    return eng_generations_find (generations, SUMMARY_TASK) != NULL;
  case ENG_WRITING_TRANSLATE:
    return find_translation_task (generations, NULL, NULL) || get_language_tokens (model) ||
           get_target (model);
  case ENG_WRITING_GENERATE:
  default:
    return TRUE;
  }
}

char **
eng_writing_list_languages (const EngModel *model)
{
  const EngGenerations *generations = get_generations (model);
  const char *const *tokens = get_language_tokens (model);
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();

  for (guint i = 0; generations && i < generations->task_names->len; i++) {
    g_autofree char *source = NULL;
    g_autofree char *target = NULL;

    if (read_translation_task (g_ptr_array_index (generations->task_names, i), &source, &target))
      add_pair (pairs, source, target);
  }
  for (int i = 0; tokens && tokens[i]; i++) {
    g_autofree char *target = eng_tokenizer_dup_language_code (tokens[i]);

    if (!marks_language (model) || !g_str_equal (target, get_source (model)))
      add_pair (pairs, get_source (model), target);
  }
  if (!tokens && get_target (model))
    add_pair (pairs, get_source (model), get_target (model));
  g_ptr_array_add (pairs, NULL);

  return (char **) g_ptr_array_steal (pairs, NULL);
}

gboolean
eng_writing_takes_any_pair (const EngModel *model)
{
  return marks_language (model) && eng_model_has_task (model, ENG_TASK_LANGUAGE_MODEL);
}

static void
language_free (gpointer data)
{
  EngWritingLanguage *self = data;

  g_free (self->code);
  g_free (self->name);
  g_free (self);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const EngWritingLanguage *one = *(EngWritingLanguage *const *) a;
  const EngWritingLanguage *other = *(EngWritingLanguage *const *) b;

  return strcmp (one->name, other->name);
}

/* Neighbours of one name get their region or script behind it: "Chinese (Hant)". */
static void
tell_apart (GPtrArray *languages)
{
  for (guint first = 0, end; first < languages->len; first = end) {
    g_autofree char *name =
      g_strdup (((EngWritingLanguage *) g_ptr_array_index (languages, first))->name);

    for (end = first + 1; end < languages->len; end++)
      if (!g_str_equal (((EngWritingLanguage *) g_ptr_array_index (languages, end))->name, name))
        break;
    for (guint i = first; i < end && end - first > 1; i++) {
      EngWritingLanguage *language = g_ptr_array_index (languages, i);
      const char *region = strpbrk (language->code, "_-");

      g_free (language->name);
      language->name = g_strdup_printf ("%s (%s)", name, region ? region + 1 : language->code);
    }
  }
}

GPtrArray *
eng_writing_list_named (const EngModel *model)
{
  const char *const *tokens = eng_writing_takes_any_pair (model) ? get_language_tokens (model)
                                                                 : NULL;
  GPtrArray *languages = g_ptr_array_new_with_free_func (language_free);

  for (int i = 0; tokens && tokens[i]; i++) {
    EngWritingLanguage *language = g_new0 (EngWritingLanguage, 1);
    const char *name;

    language->code = eng_tokenizer_dup_language_code (tokens[i]);
    name = eng_language_get_name (language->code);
    language->name = g_strdup (name ? name : language->code);
    g_ptr_array_add (languages, language);
  }
  g_ptr_array_sort (languages, compare_names);
  tell_apart (languages);

  return languages;
}

char *
eng_writing_dup_language_name (const EngModel *model,
                               const char     *language)
{
  const char *token = eng_writing_takes_any_pair (model) ? find_language_token (model, language)
                                                         : NULL;
  g_autofree char *code = token ? eng_tokenizer_dup_language_code (token) : NULL;
  g_autoptr (GPtrArray) languages = eng_writing_list_named (model);

  for (guint i = 0; code && i < languages->len; i++) {
    const EngWritingLanguage *own = g_ptr_array_index (languages, i);

    if (g_str_equal (own->code, code))
      return g_strdup (own->name);
  }

  return NULL;
}

/* The first of them. */
char *
eng_writing_name_languages (const EngModel *model)
{
  g_auto (GStrv) pairs = eng_writing_list_languages (model);
  const char *const *tokens = marks_language (model) ? get_language_tokens (model) : NULL;
  guint n = tokens ? g_strv_length ((char **) tokens) : g_strv_length (pairs);
  GString *names = g_string_new (tokens ? "any two of " : NULL);

  for (guint i = 0; i < MIN (n, MAX_NAMED); i++) {
    g_autofree char *name = tokens ? eng_tokenizer_dup_language_code (tokens[i])
                                   : g_strdup (pairs[i]);

    g_string_append_printf (names, "%s%s", i ? ", " : "", name);
  }
  if (n > MAX_NAMED)
    g_string_append_printf (names, " and %u more", n - MAX_NAMED);
  if (n == 0)
    g_string_append (names, "none that its files name");

  return g_string_free (names, FALSE);
}

gboolean
eng_writing_plan (const EngModel  *model,
                  EngWriting       writing,
                  const char      *lang,
                  const char      *prefix,
                  EngWritingPlan  *plan,
                  GError         **error)
{
  EngTask head;

  if (!eng_predict_find_head (model, ENG_TASK_LANGUAGE_MODEL, &head, error) ||
      !eng_model_get_generations (model, error))
    return FALSE;

  if (lang && writing == ENG_WRITING_SUMMARISE) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "a summary has no languages, found “%s” beside it", lang);
    return FALSE;
  }
  if (lang) {
    if (!plan_languages (model, lang, plan, error))
      return FALSE;
  } else {
    if (!check_offer (model, writing, prefix, error))
      return FALSE;
    plan_own (model, writing, plan);
  }
  if (prefix) {
    g_free (plan->prefix);
    plan->prefix = g_strdup (prefix);
  }

  return TRUE;
}

void
eng_writing_plan_clear (EngWritingPlan *self)
{
  g_clear_pointer (&self->prefix, g_free);
  g_clear_pointer (&self->source_language, g_free);
  g_clear_pointer (&self->target_language, g_free);
  g_clear_pointer (&self->settings, eng_generation_free);
}
