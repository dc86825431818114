/* SPDX-License-Identifier: MIT */
#include "app/parts/unknown/unknown.h"

#include "ui/scene/base/token-words.h"

/* Of the typed words; fewer are said by the tokens themselves. */
#define MANY    0.25
#define N_NAMED 3

struct _AppUnknownPart {
  AppPart parent_instance;

  AppDesk  *desk;
  AppStudy *study;
};

G_DEFINE_FINAL_TYPE (AppUnknownPart, app_unknown_part, APP_TYPE_PART)

typedef struct {
  int         n_words;
  int         n_unknown;
  const char *token;  /* that stands for them; NULL = none */
  GString    *names;
} Count;

static gboolean
begins_word (const EngTokens *tokens,
             int              token)
{
  return token == 0 || tokens->words[token] < 0 || tokens->special[token - 1]
         || tokens->words[token] != tokens->words[token - 1]
         || tokens->segments[token] != tokens->segments[token - 1];
}

/* Pieces of one word are one. */
static void
count (const EngTokens *tokens,
       Count           *count)
{
  gboolean is_counted = FALSE;

  for (int i = 0; i < tokens->n; i++) {
    g_autofree char *name = NULL;

    if (tokens->special[i] || tokens->padding[i])
      continue;
    if (begins_word (tokens, i)) {
      count->n_words++;
      is_counted = FALSE;
    }
    if (tokens->typed[i] == NULL || is_counted)
      continue;
    is_counted = TRUE;
    count->token = tokens->texts[i];
    name = ui_describe_quoted (tokens->typed[i]);
    if (count->n_unknown++ < N_NAMED)
      g_string_append_printf (count->names, "%s%s", count->names->len > 0 ? ", " : "", name);
  }
}

static void
count_trace (EngTrace *trace,
             Count    *counts)
{
  static const EngKind kinds[] = { ENG_KIND_ENCODER, ENG_KIND_DECODER };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (eng_trace_has_kind (trace, kinds[i]))
      count (eng_trace_get_query_tokens (trace, kinds[i]), counts);
}

/* NULL where there is nothing to say. (transfer full) */
static char *
describe (EngTrace *trace)
{
  g_autoptr (GString) names = g_string_new (NULL);
  Count counts = { .names = names };

  count_trace (trace, &counts);
  if (counts.n_unknown == 0 || counts.n_unknown < MANY * counts.n_words)
    return NULL;

  return g_strdup_printf ("The vocabulary lacks %d of the %d words: the model reads %s%s as %s",
                          counts.n_unknown, counts.n_words, names->str,
                          counts.n_unknown > N_NAMED ? " and others" : "", counts.token);
}

static void
sync_part (AppPart *part)
{
  AppUnknownPart *self = APP_UNKNOWN_PART (part);
  EngTrace *trace = app_study_get_trace (self->study);
  g_autofree char *sentence = trace != NULL ? describe (trace) : NULL;

  app_desk_set_notice (self->desk, self, sentence, FALSE);
}

static void
begin (AppPart *part)
{
  AppUnknownPart *self = APP_UNKNOWN_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
}

static void
app_unknown_part_class_init (AppUnknownPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_unknown_part_init (AppUnknownPart *self)
{
}
