/* SPDX-License-Identifier: MIT */
/* Which heads and tokens a claim names. */
#include "app/teaching/evaluate-private.h"

#define MOST_LISTED 24

/* "0 to 5" */
static gboolean
check_range (const AppCall   *self,
             const AppHeads  *heads,
             int              number,
             int              n,
             const char      *what,
             GError         **error)
{
  return number == APP_ALL || number < n
         || app_call_refuse (self, heads->place, error, "there is no %s %d, they are 0 to %d", what,
                             number, n - 1);
}

GArray *
app_call_find_heads (const AppCall   *self,
                     const AppHeads  *heads,
                     GError         **error)
{
  EngTrace *trace = self->run->trace;
  const int n_layers = eng_trace_get_n_layers (trace, self->kind);
  const int n_heads = eng_trace_get_n_heads (trace, self->kind);
  GArray *found;

  if (!check_range (self, heads, heads->layer, n_layers, "layer", error)
      || !check_range (self, heads, heads->head, n_heads, "head", error))
    return NULL;
  if (heads->layer != APP_ALL && !eng_trace_has_layer (trace, self->kind, heads->layer)) {
    app_call_refuse (self, heads->place, error, "the trace has no layer %d", heads->layer);
    return NULL;
  }

  found = g_array_new (FALSE, TRUE, sizeof (AppHeads));
  for (int layer = 0; layer < n_layers; layer++)
    for (int head = 0; head < n_heads; head++)
      if (eng_trace_has_layer (trace, self->kind, layer)
          && (heads->layer == APP_ALL || heads->layer == layer)
          && (heads->head == APP_ALL || heads->head == head)) {
        const AppHeads one = { heads->place, layer, head };

        g_array_append_val (found, one);
      }

  return found;
}

AppRun *
app_call_find_run (const AppCall    *self,
                   const AppTokens  *spec,
                   GError          **error)
{
  const AppClaimContext *evaluation = self->evaluation;
  g_autoptr (GError) problem = NULL;
  AppRun *run;

  if (spec->run == APP_RUN_THIS)
    return self->run;
  run = app_runs_find (evaluation->runs, evaluation->lesson, evaluation->section, spec->run,
                       &problem);
  if (run == NULL) {
    *evaluation->fault = spec->place;
    g_propagate_error (error, g_steal_pointer (&problem));
  }

  return run;
}

/* As a person writes it: without the blank that a word mark is drawn as. */
static const char *
get_word (const EngTokens *tokens,
          int              i)
{
  const char *text = tokens->texts[i];

  return text[0] == ' ' && text[1] != '\0' ? text + 1 : text;
}

static gboolean
is_padding (const EngTokens *tokens,
            int              i)
{
  return tokens->padding != NULL && tokens->padding[i];
}

static gboolean
is_in_set (const EngTokens *tokens,
           const AppTokens *spec,
           int              i,
           int              query)
{
  switch (spec->type) {
  case APP_TOKENS_ALL:
    return TRUE;
  case APP_TOKENS_TYPED:
    return !tokens->special[i] && !is_padding (tokens, i);
  case APP_TOKENS_SPECIAL:
    return tokens->special[i] && !is_padding (tokens, i);
  case APP_TOKENS_PADDING:
    return is_padding (tokens, i);
  case APP_TOKENS_A:
  case APP_TOKENS_B:
    return tokens->segments[i] == (spec->type == APP_TOKENS_B) && !is_padding (tokens, i);
  case APP_TOKENS_ITSELF:
    return i == query;
  case APP_TOKENS_PREVIOUS:
    return i == query - 1;
  case APP_TOKENS_NEXT:
    return i == query + 1;
  case APP_TOKENS_EARLIER:
    return i < query;
  case APP_TOKENS_LATER:
    return i > query;
  case APP_TOKENS_NUMBER:
    return i == spec->index;
  case APP_TOKENS_WORD:
  default:
    return g_str_equal (get_word (tokens, i), spec->word);
  }
}

/* "[CLS] the cat [SEP]" */
static char *
list_tokens (const EngTokens *tokens)
{
  GString *list = g_string_new (NULL);

  for (int i = 0; i < tokens->n && i < MOST_LISTED; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? " " : "", get_word (tokens, i));
  if (tokens->n > MOST_LISTED)
    g_string_append (list, " …");

  return g_string_free (list, FALSE);
}

/* Of several tokens of a word the one that is meant. */
static gboolean
choose_word (const AppCall    *self,
             const AppTokens  *spec,
             const EngTokens  *tokens,
             GArray           *found,
             GError          **error)
{
  g_autofree char *list = list_tokens (tokens);
  int chosen;

  if (found->len == 0)
    return app_call_refuse (self, spec->place, error, "“%s” is no token here; these are %s",
                            spec->word, list);
  if (spec->nth == 0 && found->len > 1)
    return app_call_refuse (self, spec->place, error,
                            "“%s” stands here %u times, expected \"%s\"#1 for the first of them",
                            spec->word, found->len, spec->word);
  if (spec->nth > (int) found->len)
    return app_call_refuse (self, spec->place, error, "“%s” stands here %u times, not %d",
                            spec->word, found->len, spec->nth);
  chosen = g_array_index (found, int, MAX (spec->nth, 1) - 1);
  g_array_set_size (found, 0);
  g_array_append_val (found, chosen);

  return TRUE;
}

GArray *
app_call_find_tokens (const AppCall    *self,
                      const AppTokens  *spec,
                      const EngTokens  *tokens,
                      int               query,
                      GError          **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (int));

  if (spec->type >= APP_TOKENS_ITSELF && query < 0) {
    app_call_refuse (self, spec->place, error,
                     "no token stands before this one that it is seen from");
    return NULL;
  }
  for (int i = 0; i < tokens->n; i++)
    if (is_in_set (tokens, spec, i, query))
      g_array_append_val (found, i);
  if (spec->type == APP_TOKENS_NUMBER && found->len == 0) {
    app_call_refuse (self, spec->place, error, "there is no token %d, they are 0 to %d",
                     spec->index, tokens->n - 1);
    return NULL;
  }
  if (spec->type == APP_TOKENS_WORD && !choose_word (self, spec, tokens, found, error))
    return NULL;

  return g_steal_pointer (&found);
}
