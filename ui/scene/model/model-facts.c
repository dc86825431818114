/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-facts.h"

#include "ui/scene/base/describe.h"

gboolean
ui_model_prepare (EngTrace        *trace,
                  EngKind          kind,
                  const gint      *cancel,
                  UiModelProgress  progress,
                  gpointer         data)
{
  int n_layers = eng_trace_get_n_layers (trace, kind);

  for (int layer = 0; layer < n_layers; layer++) {
    if (cancel != NULL && g_atomic_int_get (cancel))
      return FALSE;
    if (eng_trace_has_layer (trace, kind, layer))
      eng_trace_get_head_facts (trace, kind, layer);
    if (progress != NULL)
      progress (layer + 1, n_layers, data);
  }
  return TRUE;
}

char *
ui_model_format_letter (int   index,
                        char *letter)
{
  if (index < 26)
    g_snprintf (letter, UI_MODEL_LETTER_SIZE, "%c", 'a' + index);
  else
    g_snprintf (letter, UI_MODEL_LETTER_SIZE, "%d", index + 1);
  return letter;
}

/* "rows of A" where a pattern is one of the rows of a sentence. */
static const char *
name_rows (EngPattern pattern)
{
  switch (pattern) {
  case ENG_PATTERN_BLOCK_AA:
  case ENG_PATTERN_BLOCK_AB:
    return "rows of A";
  case ENG_PATTERN_BLOCK_BA:
  case ENG_PATTERN_BLOCK_BB:
    return "rows of B";
  default:
    return "rows";
  }
}

/* NULL where no row counts. (transfer full) */
static char *
describe_evidence (EngTrace                 *trace,
                   EngKind                   kind,
                   EngPattern                pattern,
                   const EngPatternEvidence *evidence)
{
  g_autofree char *reader = NULL;
  g_autofree char *read = NULL;
  g_autofree char *weight = NULL;

  if (evidence->n_rows == 0)
    return NULL;
  reader = ui_describe_token (eng_trace_get_query_tokens (trace, kind), evidence->query);
  read = ui_describe_token (eng_trace_get_key_tokens (trace, kind), evidence->key);
  weight = ui_describe_weight (evidence->weight);
  if (pattern == ENG_PATTERN_BROAD)
    return g_strdup_printf ("%d of %d rows have more than half of the entropy that they can have;"
                            " the broadest, of %s, gives no token more than %s",
                            evidence->n_hits, evidence->n_rows, reader, weight);
  return g_strdup_printf ("%s gets the most weight in %d of %d %s, for example %s reads %s with %s",
                          eng_pattern_get_target (pattern), evidence->n_hits, evidence->n_rows,
                          name_rows (pattern), reader, read, weight);
}

char *
ui_model_describe_evidence (EngTrace *trace,
                            EngKind   kind,
                            int       layer,
                            int       head)
{
  const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, layer);
  EngPatternEvidence evidence;

  return eng_trace_get_head_evidence (trace, kind, layer, head, &evidence)
         ? describe_evidence (trace, kind, facts[head].label, &evidence) : NULL;
}

char *
ui_model_describe_claim (EngTrace  *trace,
                         EngKind    kind,
                         int        layer,
                         int        head,
                         char     **words)
{
  const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, layer);
  EngPatternEvidence evidence;

  *words = NULL;
  if (!eng_trace_get_head_evidence (trace, kind, layer, head, &evidence))
    return NULL;
  *words = describe_evidence (trace, kind, facts[head].label, &evidence);
  return eng_pattern_dup_clause (facts[head].label, &evidence);
}

char *
ui_model_describe_pattern (EngTrace *trace,
                           EngKind   kind,
                           int       layer,
                           int       head)
{
  g_autofree char *words = NULL;
  g_autofree char *clause = ui_model_describe_claim (trace, kind, layer, head, &words);
  char *text;

  if (clause == NULL)
    return NULL;
  text = words != NULL ? g_strdup_printf ("%s. Evidence: %s.", clause, words)
                       : g_strdup_printf ("%s.", clause);
  text[0] = g_ascii_toupper (text[0]);
  return text;
}
