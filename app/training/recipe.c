/* SPDX-License-Identifier: MIT */
#include "app/training/recipe.h"

#include <math.h>
#include <string.h>

#include "engine/examples/lines.h"
#include "ui/document/amount.h"

#define FIELD(name, kind, member, value_name, ...)                                                \
  { name, APP_RECIPE_##kind, G_STRUCT_OFFSET (AppRecipe, member), value_name, __VA_ARGS__ }
#define MAX_WHOLE 9007199254740992.0 /* every whole number up to it is a double */
#define SCRATCH_RATE 5e-4
#define FROM_RATE 1e-4
#define TRANSLATION_SMOOTHING 0.1
#define WARM_UP 100
/* Of all steps, where the warm-up is not said. */
#define WARM_UP_SHARE 10

static const char *const task_names[] = { "masked", "next-word", "translate", "classify",
                                          "pairs", "tags", "answers", NULL };
static const char *const decay_names[] = { "none", "linear", "cosine", "inverse-square-root",
                                           NULL };

/* By AppTrainTask; examples: EngExamplesKind. */
#define NO_EXAMPLES (-1)
static const struct {
  EngTask head;
  int     examples;
} tasks[] = {
  [APP_TRAIN_MASKED] = { ENG_TASK_FILL_MASK, NO_EXAMPLES },
  [APP_TRAIN_NEXT_WORD] = { ENG_TASK_LANGUAGE_MODEL, NO_EXAMPLES },
  [APP_TRAIN_TRANSLATE] = { ENG_TASK_LANGUAGE_MODEL, NO_EXAMPLES },
  [APP_TRAIN_CLASSIFY] = { ENG_TASK_TEXT_CLASSIFICATION, ENG_EXAMPLES_CLASSES },
  [APP_TRAIN_PAIRS] = { ENG_TASK_TEXT_CLASSIFICATION, ENG_EXAMPLES_PAIRS },
  [APP_TRAIN_TAGS] = { ENG_TASK_ENTITIES, ENG_EXAMPLES_TAGS },
  [APP_TRAIN_ANSWERS] = { ENG_TASK_QUESTION_ANSWERING, ENG_EXAMPLES_ANSWERS },
};

/* Tasks as bits. */
#define ONLY(task) (1u << APP_TRAIN_##task)
#define ALL_BUT(task) (~ONLY (task))

/* What app_recipe_settle() fills in has a fallback below the least. */
static const AppRecipeField fields[] = {
  FIELD ("task", CHOICE, task, "TASK",
         "masked (words), next-word, translate, classify, pairs, tags or answers", 0, 0, -1,
         task_names, TRUE),
  FIELD ("data", TEXT, data, "FILE", "The file, UTF-8, as below", 0, 0, 0, NULL, TRUE),
  FIELD ("from", TEXT, from, "MODEL", "The model to go on from"),
  FIELD ("shape", TEXT, shape, "SHAPE",
         "A model from nothing, with a tokenizer of its own: tiny, mini or a config.json"),
  FIELD ("vocabulary", INTEGER, vocabulary, "N",
         "Entries of that tokenizer at most (those of the shape)", 300, 1e6, 0),
  FIELD ("seed", INTEGER, seed, "S", "Of everything that is drawn", 0, MAX_WHOLE, 0, NULL,
         TRUE, 0, ALL_BUT (MASKED)),
  FIELD ("steps", INTEGER, steps, "N", "Steps to take", 1, 1e12, 0),
  FIELD ("minutes", NUMBER, minutes, "M",
         "Time to take; without --steps the first steps show how many fit into it", 0.01, 1e6, 0),
  FIELD ("batch-tokens", INTEGER, batch_tokens, "N", "Tokens of a batch, padding counted", 1, 1e7,
         4096),
  FIELD ("accumulate", INTEGER, accumulate, "N", "Batches of a step", 1, 10000, 1),
  FIELD ("rate", NUMBER, rate, "R", "The highest learning rate (1e-4, of a new model 5e-4)", 1e-12,
         100, 0),
  FIELD ("warm-up", INTEGER, warm_up, "N",
         "Steps over which the rate rises (100, at most a tenth of all)", 0, 1e12, -1),
  FIELD ("decay", CHOICE, decay, "DECAY",
         "How the rate falls: none, linear, cosine, inverse-square-root", 0, 0, ENG_DECAY_LINEAR,
         decay_names),
  FIELD ("dropout", NUMBER, dropout, "SHARE", "Of embeddings, weights of attention, sub-layers", 0,
         0.99, 0.1),
  FIELD ("smoothing", NUMBER, smoothing, "SHARE", "Of labels (0, of translations 0.1)", 0, 0.99,
         -1, NULL, FALSE, ONLY (ANSWERS)),
  FIELD ("weight-decay", NUMBER, weight_decay, "D", "Of all but norms and biases", 0, 100, 0.01),
  FIELD ("clip", NUMBER, clip, "NORM", "Longer gradients are shortened to it; 0 = none", 0, 1e9,
         1),
  FIELD ("held-out", NUMBER, held_out, "SHARE", "Of the texts, which are asked and not learnt", 0,
         0.9, 0.02),
  FIELD ("whole-words", FLAG, whole_words, NULL, "Mask all pieces of a word, or none", 0, 0,
         0, NULL, FALSE, ALL_BUT (MASKED)),
  FIELD ("freeze", INTEGER, freeze, "LAYERS",
         "The embedding and the first so many layers stay as they are", 0, 1000, -1, NULL,
         FALSE, ONLY (TRANSLATE)),
  FIELD ("f16", FLAG, f16, NULL, "Save weights as F16; what goes on has them whole"),
};

G_STATIC_ASSERT (G_N_ELEMENTS (fields) <= 64);

EngTask
app_train_task_get_head (AppTrainTask task)
{
  return tasks[task].head;
}

gboolean
app_train_task_has_examples (AppTrainTask     task,
                             EngExamplesKind *kind)
{
  *kind = tasks[task].examples == NO_EXAMPLES ? 0 : (EngExamplesKind) tasks[task].examples;

  return tasks[task].examples != NO_EXAMPLES;
}

const AppRecipeField *
app_recipe_get_fields (int *n)
{
  *n = G_N_ELEMENTS (fields);

  return fields;
}

const AppRecipeField *
app_recipe_find_field (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (fields[i].name, name) == 0)
      return &fields[i];

  return NULL;
}

char *
app_recipe_dup_fallback (const AppRecipeField *field)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (field->kind == APP_RECIPE_CHOICE)
    return field->fallback < 0 ? NULL : g_strdup (field->choices[(int) field->fallback]);
  if (field->kind == APP_RECIPE_TEXT || field->kind == APP_RECIPE_FLAG ||
      field->fallback < field->min)
    return NULL;

  return g_strdup (g_ascii_formatd (number, sizeof number, "%.10g", field->fallback));
}

AppRecipe *
app_recipe_new (void)
{
  AppRecipe *self = g_new0 (AppRecipe, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    gpointer member = G_STRUCT_MEMBER_P (self, fields[i].offset);

    if (fields[i].kind == APP_RECIPE_INTEGER)
      *(gint64 *) member = (gint64) fields[i].fallback;
    else if (fields[i].kind == APP_RECIPE_NUMBER)
      *(double *) member = fields[i].fallback;
    else if (fields[i].kind == APP_RECIPE_CHOICE)
      *(int *) member = (int) fields[i].fallback;
  }

  return self;
}

void
app_recipe_free (AppRecipe *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].kind == APP_RECIPE_TEXT)
      g_free (*(char **) G_STRUCT_MEMBER_P (self, fields[i].offset));
  g_free (self);
}

static gboolean
refuse (const AppRecipeField  *field,
        const char            *value,
        const char            *expected,
        GError               **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "--%s is “%s”; %s", field->name, value, expected);

  return FALSE;
}

static gboolean
refuse_number (const AppRecipeField  *field,
               const char            *value,
               GError               **error)
{
  char least[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *expected =
    g_strdup_printf ("it takes a %s from %s to %s",
                     field->kind == APP_RECIPE_INTEGER ? "whole number" : "number",
                     g_ascii_formatd (least, sizeof least, "%.10g", field->min),
                     g_ascii_formatd (most, sizeof most, "%.16g", field->max));

  return refuse (field, value, expected, error);
}

static gboolean
set_choice (const AppRecipeField  *field,
            const char            *value,
            int                   *choice,
            GError               **error)
{
  g_autofree char *names = g_strjoinv (", ", (char **) field->choices);
  g_autofree char *expected = g_strconcat ("it can be ", names, NULL);

  for (int i = 0; field->choices[i]; i++)
    if (strcmp (field->choices[i], value) == 0) {
      *choice = i;
      return TRUE;
    }

  return refuse (field, value, expected, error);
}

static gboolean
set_number (const AppRecipeField  *field,
            const char            *value,
            gpointer               member,
            GError               **error)
{
  char *end;
  double number = g_ascii_strtod (value, &end);
  gboolean whole = field->kind == APP_RECIPE_INTEGER;

  /* Written so that NaN is refused. */
  if (!*value || *end || !(number >= field->min && number <= field->max) ||
      (whole && number != floor (number)))
    return refuse_number (field, value, error);
  if (whole)
    *(gint64 *) member = (gint64) number;
  else
    *(double *) member = number;

  return TRUE;
}

gboolean
app_recipe_set (AppRecipe             *self,
                const AppRecipeField  *field,
                const char            *value,
                GError               **error)
{
  gpointer member = G_STRUCT_MEMBER_P (self, field->offset);
  gboolean set = TRUE;

  switch (field->kind) {
  case APP_RECIPE_TEXT:
    if (!*value)
      return refuse (field, value, "it must not be empty", error);
    g_free (*(char **) member);
    *(char **) member = g_strdup (value);
    break;
  case APP_RECIPE_CHOICE:
    set = set_choice (field, value, member, error);
    break;
  case APP_RECIPE_FLAG:
    *(gboolean *) member = TRUE;
    break;
  case APP_RECIPE_INTEGER:
  case APP_RECIPE_NUMBER:
  default:
    set = set_number (field, value, member, error);
    break;
  }
  if (set)
    self->given |= G_GUINT64_CONSTANT (1) << (field - fields);

  return set;
}

gboolean
app_recipe_has (const AppRecipe *self,
                const char      *name)
{
  const AppRecipeField *field = app_recipe_find_field (name);

  return field && (self->given >> (field - fields) & 1) != 0;
}

static gboolean
refuse_missing (const char  *missing,
                GError     **error)
{
  if (missing)
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_MISSING, missing);

  return missing == NULL;
}

gboolean
app_recipe_check_data (const AppRecipe  *self,
                       GError          **error)
{
  const char *missing = NULL;

  if (self->task < 0)
    missing = "--task is missing: masked, next-word, translate, classify, pairs, tags or answers?";
  else if (!self->data)
    missing = "--data is missing: which file shall be read?";

  return refuse_missing (missing, error);
}

gboolean
app_recipe_check_use (const AppRecipe  *self,
                      AppTrainTask      task,
                      gboolean          trains,
                      GError          **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    const guint idle = trains ? fields[i].idle : fields[i].idle_asked;

    if (!app_recipe_has (self, fields[i].name) || !(idle >> task & 1))
      continue;
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "--%s does nothing for the task %s; leave it out", fields[i].name,
                 task_names[task]);
    return FALSE;
  }

  return TRUE;
}

static const char *
find_missing (const AppRecipe *self)
{
  if (!self->from && !self->shape)
    return "--from or --shape is missing: which model shall go on, or of which shape is a new one?";
  if (self->from && self->shape)
    return "--from and --shape exclude each other: a model goes on, or a new one begins";
  if (self->from && self->vocabulary > 0)
    return "--vocabulary is for a new model; that of --from has its tokenizer";
  if (self->steps == 0 && self->minutes == 0)
    return "--steps or --minutes is missing: how long shall the training be?";

  return NULL;
}

gboolean
app_recipe_settle (AppRecipe  *self,
                   GError    **error)
{
  if (!app_recipe_check_data (self, error) || !refuse_missing (find_missing (self), error))
    return FALSE;
  if (!app_recipe_has (self, "rate"))
    self->rate = self->from ? FROM_RATE : SCRATCH_RATE;
  if (!app_recipe_has (self, "smoothing"))
    self->smoothing = self->task == APP_TRAIN_TRANSLATE ? TRANSLATION_SMOOTHING : 0;
  if (self->steps > 0)
    app_recipe_set_steps (self, self->steps);

  return TRUE;
}

void
app_recipe_set_steps (AppRecipe *self,
                      gint64     n_steps)
{
  self->steps = n_steps;
  if (self->warm_up < 0)
    self->warm_up = MIN (WARM_UP, n_steps / WARM_UP_SHARE);
}

EngSchedule
app_recipe_get_schedule (const AppRecipe *self)
{
  return (EngSchedule) {
    .rate = self->rate,
    .decay = (EngDecay) self->decay,
    .n_rising = self->warm_up >= 0 ? self->warm_up : WARM_UP,
    .n_steps = self->steps > 0 ? self->steps : G_MAXINT64,
  };
}

char *
app_recipe_dup_passed_over (const AppRecipe *self)
{
  int first, n = eng_lines_count_blank (self->data, &first);

  /* Of tags they end sentences. */
  if (n == 0 || self->task == APP_TRAIN_TAGS)
    return NULL;
  if (n == 1)
    return g_strdup_printf ("%s:%d: the line is empty and was passed over", self->data, first);

  return g_strdup_printf ("%s:%d: the line is empty and was passed over, like %d more", self->data,
                          first, n - 1);
}

char *
app_recipe_dup_joined (gint64 n_joined)
{
  g_autofree char *n = ui_amount_count (n_joined);

  if (n_joined == 0)
    return NULL;

  return g_strdup_printf ("%s pairs, more than half of them, hang together by texts that they share: "
                          "the first text of each decides what is held out, and a second one may "
                          "stand on both sides", n);
}

static cJSON *
value_to_json (const AppRecipe      *self,
               const AppRecipeField *field)
{
  gconstpointer member = G_STRUCT_MEMBER_P (self, field->offset);

  switch (field->kind) {
  case APP_RECIPE_TEXT:
    return cJSON_CreateString (*(char *const *) member);
  case APP_RECIPE_CHOICE:
    return cJSON_CreateString (field->choices[*(const int *) member]);
  case APP_RECIPE_FLAG:
    return cJSON_CreateTrue ();
  case APP_RECIPE_INTEGER:
    return cJSON_CreateNumber ((double) *(const gint64 *) member);
  case APP_RECIPE_NUMBER:
  default:
    return cJSON_CreateNumber (*(const double *) member);
  }
}

/* Whether there is anything to say of it. */
static gboolean
is_said (const AppRecipe      *self,
         const AppRecipeField *field)
{
  gconstpointer member = G_STRUCT_MEMBER_P (self, field->offset);

  switch (field->kind) {
  case APP_RECIPE_TEXT:
    return *(char *const *) member != NULL;
  case APP_RECIPE_FLAG:
    return *(const gboolean *) member;
  case APP_RECIPE_CHOICE:
    return *(const int *) member >= 0;
  case APP_RECIPE_INTEGER:
    return *(const gint64 *) member >= field->min;
  case APP_RECIPE_NUMBER:
  default:
    return *(const double *) member >= field->min;
  }
}

cJSON *
app_recipe_to_json (const AppRecipe *self)
{
  cJSON *json = cJSON_CreateObject ();

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (is_said (self, &fields[i]))
      cJSON_AddItemToObject (json, fields[i].name, value_to_json (self, &fields[i]));

  return json;
}

static gboolean
set_from_json (AppRecipe             *self,
               const AppRecipeField  *field,
               const cJSON           *value,
               const char            *what,
               GError               **error)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *text = NULL;

  if (cJSON_IsString (value))
    text = value->valuestring;
  else if (cJSON_IsNumber (value))
    text = g_ascii_dtostr (number, sizeof number, value->valuedouble);
  else if (cJSON_IsTrue (value) && field->kind == APP_RECIPE_FLAG)
    text = "";
  if (!text) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: %s is neither a text nor a number", what,
                 field->name);
    return FALSE;
  }
  if (app_recipe_set (self, field, text, error))
    return TRUE;
  g_prefix_error (error, "%s: ", what);

  return FALSE;
}

AppRecipe *
app_recipe_from_json (const cJSON  *json,
                      const char   *what,
                      GError      **error)
{
  g_autoptr (AppRecipe) self = app_recipe_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    const cJSON *value = eng_json_find (json, fields[i].name);

    if (value && !set_from_json (self, &fields[i], value, what, error))
      return NULL;
  }
  if (!app_recipe_settle (self, error)) {
    g_prefix_error (error, "%s: ", what);
    return NULL;
  }

  return g_steal_pointer (&self);
}
