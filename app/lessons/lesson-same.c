/* SPDX-License-Identifier: MIT */
/* Whether two lessons are the same but for their words. What was chosen is kept by the place of its
 * question, and what is true of one is true of the other. */
#include "app/lessons/lesson-private.h"

typedef struct {
  guint       section;  /* from 0 */
  const char *name;     /* of the file that it is compared with */
  AppPlace   *fault;
  GError    **error;
} Comparison;

#define refuse(self, place, format, ...) \
  app_place_refuse (place, (self)->fault, (self)->error, APP_LESSON_ERROR_SYNTAX, \
                    format " section %u of %s", __VA_ARGS__, (self)->section + 1, (self)->name)

/* The first option that is another one. (transfer full) */
static char *
describe_difference (const UiDocument *state,
                     const UiDocument *original)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++) {
    g_autofree char *value = ui_document_get (state, &fields[i]);
    g_autofree char *expected = ui_document_get (original, &fields[i]);

    if (!g_str_equal (value, expected))
      return g_strdup_printf ("--%s is “%s”, expected “%s”", fields[i].name, value, expected);
  }

  return g_strdup ("the sentences of the state are others, expected those");
}

static gboolean
has_same_state (const Comparison *self,
                const AppSection *section,
                const AppSection *original)
{
  g_autofree char *difference = NULL;

  if (section->state == NULL && original->state == NULL)
    return TRUE;
  if (section->state == NULL || original->state == NULL)
    return refuse (self, section->state != NULL ? section->state_place : section->place,
                   "the section has %s state, unlike",
                   section->state != NULL ? "a" : "no");
  if (ui_document_equal (section->state, original->state))
    return TRUE;
  difference = describe_difference (section->state, original->state);

  return refuse (self, section->state_place, "%s as in", difference);
}

static gboolean
has_same_answer (const AppAsk *ask,
                 const AppAsk *original)
{
  switch (ask->type) {
  case APP_ASK_TOKEN:
    return app_tokens_equal (&ask->tokens[0], &original->tokens[0]);
  case APP_ASK_CELL:
    return app_tokens_equal (&ask->tokens[0], &original->tokens[0])
           && app_tokens_equal (&ask->tokens[1], &original->tokens[1]);
  case APP_ASK_HEAD:
    return ask->head.layer == original->head.layer && ask->head.head == original->head.head;
  case APP_ASK_NUMBER:
    return app_expression_equal (ask->number, original->number)
           && ask->tolerance == original->tolerance;
  case APP_ASK_OPTION:
  default:
    return ask->option == original->option;
  }
}

/* The question or claim behind this one, from block *i on; NULL = no further one. */
static const AppBlock *
find_next (const AppSection *section,
           AppBlockType      type,
           guint            *i)
{
  while (*i < section->blocks->len) {
    const AppBlock *block = section->blocks->pdata[(*i)++];

    if (block->type == type)
      return block;
  }

  return NULL;
}

static gboolean
has_same_questions (const Comparison *self,
                    const AppSection *section,
                    const AppSection *original)
{
  AppPlace last = section->place;

  for (guint i = 0, j = 0;;) {
    const AppBlock *block = find_next (section, APP_BLOCK_ASK, &i);
    const AppBlock *expected = find_next (original, APP_BLOCK_ASK, &j);

    if (block == NULL && expected == NULL)
      return TRUE;
    last = block != NULL ? block->place : last;
    if (block == NULL || expected == NULL || block->ask->type != expected->ask->type)
      return refuse (self, last, "the section has other questions than%s", "");
    if (block->ask->options->len != expected->ask->options->len)
      return refuse (self, last, "the question has %u options, expected %u as in",
                     block->ask->options->len, expected->ask->options->len);
    if (!has_same_answer (block->ask, expected->ask))
      return refuse (self, block->ask->answer_place, "the answer is another than in%s", "");
  }
}

static gboolean
has_same_claims (const Comparison *self,
                 const AppSection *section,
                 const AppSection *original)
{
  AppPlace last = section->place;

  for (guint i = 0, j = 0;;) {
    const AppBlock *block = find_next (section, APP_BLOCK_CLAIM, &i);
    const AppBlock *expected = find_next (original, APP_BLOCK_CLAIM, &j);

    if (block == NULL && expected == NULL)
      return TRUE;
    last = block != NULL ? block->place : last;
    if (expected == NULL)
      return refuse (self, last, "there is no such claim in%s", "");
    if (block == NULL)
      return refuse (self, last, "the claim %s is missing, which stands in", expected->claim->text);
    if (!app_claim_equal (block->claim, expected->claim))
      return refuse (self, last, "the claim is another, expected %s as in", expected->claim->text);
  }
}

static gboolean
has_same_sections (const Comparison *self,
                   const AppLesson  *lesson,
                   const AppLesson  *original)
{
  const GPtrArray *sections = lesson->sections;
  const guint last = MIN (sections->len - 1, original->sections->len);

  return sections->len == original->sections->len
         || app_place_refuse (((const AppSection *) sections->pdata[last])->place, self->fault,
                              self->error, APP_LESSON_ERROR_SYNTAX,
                              "the number of sections is %u, expected %u as in %s", sections->len,
                              original->sections->len, self->name);
}

/* The only part of the header that is no words; the model is that of the states. */
static gboolean
has_same_minutes (const Comparison *self,
                  const AppLesson  *lesson,
                  const AppLesson  *original)
{
  return lesson->minutes == original->minutes
         || app_place_refuse (lesson->minutes_place, self->fault, self->error,
                              APP_LESSON_ERROR_SYNTAX, "minutes is %d, expected %d as in %s",
                              lesson->minutes, original->minutes, self->name);
}

gboolean
app_lesson_is_same (const AppLesson  *self,
                    const AppLesson  *original,
                    AppPlace         *fault,
                    GError          **error)
{
  g_autofree char *name = g_path_get_basename (original->path);
  Comparison comparison = { .name = name, .fault = fault, .error = error };

  if (!has_same_minutes (&comparison, self, original)
      || !has_same_sections (&comparison, self, original))
    return FALSE;
  for (; comparison.section < self->sections->len; comparison.section++) {
    const AppSection *section = self->sections->pdata[comparison.section];
    const AppSection *expected = original->sections->pdata[comparison.section];

    if (!has_same_state (&comparison, section, expected)
        || !has_same_questions (&comparison, section, expected)
        || !has_same_claims (&comparison, section, expected))
      return FALSE;
  }

  return TRUE;
}
