/* SPDX-License-Identifier: MIT */
#include "app/parts/unknown/unknown.h"

#include "ui/scene/base/token-words.h"

/* Of the words of a sentence; fewer are said by the tokens themselves. */
#define MANY    0.25
#define N_NAMED 3

struct _AppUnknownPart {
  AppPart parent_instance;

  AppDesk  *desk;
  AppStudy *study;
};

G_DEFINE_FINAL_TYPE (AppUnknownPart, app_unknown_part, APP_TYPE_PART)

/* Of one sentence. */
typedef struct {
  int         n_words;
  int         n_unknown;
  const char *token;  /* that stands for them; NULL = none */
  GPtrArray  *names;
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
       Count            counts[2])
{
  gboolean is_counted = FALSE;

  for (int i = 0; i < tokens->n; i++) {
    Count *count = &counts[tokens->segments[i] != 0];

    if (tokens->special[i] || tokens->padding[i])
      continue;
    if (begins_word (tokens, i)) {
      count->n_words++;
      is_counted = FALSE;
    }
    if (tokens->typed[i] == NULL || is_counted)
      continue;
    is_counted = TRUE;
    count->n_unknown++;
    count->token = tokens->texts[i];
    g_ptr_array_add (count->names, ui_describe_quoted (tokens->typed[i]));
  }
}

static void
count_trace (EngTrace *trace,
             Count     counts[2])
{
  static const EngKind kinds[] = { ENG_KIND_ENCODER, ENG_KIND_DECODER };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (eng_trace_has_kind (trace, kinds[i]))
      count (eng_trace_get_query_tokens (trace, kinds[i]), counts);
}

static gboolean
lacks_many (const Count *count)
{
  return count->n_unknown > 0 && count->n_unknown >= MANY * count->n_words;
}

/* "all 4 words of sentence A"; a sentence alone has no name. */
static void
append_amount (GString     *text,
               const Count *count,
               const char  *name)
{
  if (count->n_words == 1)
    g_string_append (text, "the only word");
  else if (count->n_unknown == count->n_words)
    g_string_append_printf (text, "all %d words", count->n_words);
  else
    g_string_append_printf (text, "%d of the %d words", count->n_unknown, count->n_words);
  if (name != NULL)
    g_string_append_printf (text, " of sentence %s", name);
}

static void
append_names (GString     *text,
              const Count  counts[2])
{
  guint n = 0;

  for (int sentence = 0; sentence < 2; sentence++)
    for (guint i = 0; lacks_many (&counts[sentence]) && i < counts[sentence].names->len; i++, n++)
      if (n < N_NAMED)
        g_string_append_printf (text, "%s%s", n > 0 ? ", " : "",
                                (char *) g_ptr_array_index (counts[sentence].names, i));
  if (n > N_NAMED)
    g_string_append (text, " and others");
}

/* NULL where there is nothing to say. (transfer full) */
static char *
describe (const Count counts[2])
{
  static const char *const names[] = { "A", "B" };
  g_autoptr (GString) text = g_string_new ("The vocabulary lacks ");
  const gboolean are_two = counts[0].n_words > 0 && counts[1].n_words > 0;
  const char *token = NULL;

  for (int sentence = 0; sentence < 2; sentence++) {
    if (!lacks_many (&counts[sentence]))
      continue;
    if (token != NULL)
      g_string_append (text, " and ");
    append_amount (text, &counts[sentence], are_two ? names[sentence] : NULL);
    token = counts[sentence].token;
  }
  if (token == NULL)
    return NULL;

  g_string_append (text, ": the model reads ");
  append_names (text, counts);
  g_string_append_printf (text, " as %s", token);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Likewise. */
static char *
describe_trace (EngTrace *trace)
{
  g_autoptr (GPtrArray) first = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) second = g_ptr_array_new_with_free_func (g_free);
  Count counts[2] = { { .names = first }, { .names = second } };

  count_trace (trace, counts);
  return describe (counts);
}

static void
sync_part (AppPart *part)
{
  AppUnknownPart *self = APP_UNKNOWN_PART (part);
  EngTrace *trace = app_study_get_trace (self->study);
  g_autofree char *sentence = trace != NULL ? describe_trace (trace) : NULL;

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
