/* SPDX-License-Identifier: MIT */
#include "app/parts/unknown/unknown.h"

#include "ui/scene/base/token-words.h"

/* Of a sentence; where there are more, one less and how many the others are. */
#define N_NAMED 3

struct _AppUnknownPart {
  AppPart parent_instance;

  AppDesk  *desk;
  AppStudy *study;
};

G_DEFINE_FINAL_TYPE (AppUnknownPart, app_unknown_part, APP_TYPE_PART)

/* Of one sentence: what the vocabulary lacks of it, words and signs alike. */
typedef struct {
  gboolean    is_there;
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
    count->is_there = TRUE;
    if (begins_word (tokens, i))
      is_counted = FALSE;
    if (tokens->typed[i] == NULL || is_counted)
      continue;
    is_counted = TRUE;
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

/* "“שלום”, “سلام” and 2 more of sentence A"; a sentence alone has no name. */
static void
append_names (GString     *text,
              const Count *count,
              const char  *name)
{
  const int n = (int) count->names->len;
  const int n_named = n <= N_NAMED ? n : N_NAMED - 1;

  for (int i = 0; i < n_named; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i == n - 1 ? " and " : ", ",
                            (char *) g_ptr_array_index (count->names, i));
  if (n > n_named)
    g_string_append_printf (text, " and %d more", n - n_named);
  if (name != NULL)
    g_string_append_printf (text, " of sentence %s", name);
}

/* NULL where there is nothing to say. (transfer full) */
static char *
describe (const Count counts[2])
{
  static const char *const names[] = { "A", "B" };
  g_autoptr (GString) text = g_string_new ("The vocabulary lacks ");
  const gboolean are_two = counts[0].is_there && counts[1].is_there;
  const int n = (int) (counts[0].names->len + counts[1].names->len);
  const char *token = NULL;

  for (int sentence = 0; sentence < 2; sentence++) {
    if (counts[sentence].names->len == 0)
      continue;
    if (token != NULL)
      g_string_append (text, " and ");
    append_names (text, &counts[sentence], are_two ? names[sentence] : NULL);
    token = counts[sentence].token;
  }
  if (token == NULL)
    return NULL;

  g_string_append_printf (text, ": the model reads %s %s", token,
                          n == 1 ? "in its place" : "for each");
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

  app_desk_set_notice (self->desk, self, sentence, APP_NOTICE_TELLS);
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
