/* SPDX-License-Identifier: MIT */
/* What is said of a section before people: some words, for a room reads while it listens. */
#include "app/parts/lessons/lessons-private.h"

#include <math.h>
#include <string.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/base/token-words.h"

#define MUCH 120 /* letters: no further sentence begins behind them */

#define SMALL "<span size=\"80%%\">%s</span>"

typedef struct {
  AppClaimRun  run;
  int          layers;      /* behind which it is read off; -1 = all, at the head */
  const char  *word;        /* borrowed */
  gboolean     is_quoted;
  double       probability; /* NAN = nothing claims it, as of the rank */
  double       rank;
} Fact;

void
app_cue_append_options (GString      *words,
                        const AppAsk *ask,
                        int           right)
{
  for (guint i = 0; i < ask->options->len; i++) {
    g_autofree char *option = app_lesson_to_markup (ask->options->pdata[i]);
    const char letter = (char) ('a' + i);

    g_string_append (words, i == 0 ? "\n" : "\u2003 ");
    if (right < 0)
      g_string_append_printf (words, "<b>%c</b>\u00a0%s", letter, option);
    else if (right == (int) i)
      g_string_append_printf (words, "<b>✓\u00a0%c\u00a0%s</b>", letter, option);
    else
      g_string_append_printf (words, "<span alpha=\"60%%\">%c\u00a0%s</span>", letter, option);
  }
}

/* Where the sentence that begins at text ends: behind its stop and what closes with it. */
static const char *
find_end (const char *text)
{
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    const char *end = at + 1;

    if (strchr (".?!", *at) == NULL)
      continue;
    while (*end == '*' || *end == ')' || g_str_has_prefix (end, "”"))
      end = g_utf8_next_char (end);
    if (*end == ' ' || *end == '\n' || *end == '\0')
      return end;
  }

  return text + strlen (text);
}

void
app_cue_append_text (GString          *words,
                     const AppSection *section,
                     guint             from)
{
  for (guint i = from; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];
    g_autofree char *text = NULL;
    g_autofree char *markup = NULL;
    const char *end, *next;

    if (block->type == APP_BLOCK_ASK)
      return;
    if (block->type != APP_BLOCK_TEXT)
      continue;
    end = find_end (block->text);
    while (*end != '\0' && (next = find_end (end + 1)) - block->text <= MUCH)
      end = next;
    text = g_strndup (block->text, (gsize) (end - block->text));
    markup = app_lesson_to_markup (text);
    g_string_append_printf (words, "\n" SMALL, markup);
    return;
  }
}

static Fact *
find_fact (GArray              *facts,
           const AppExpression *call)
{
  const gboolean is_lens = call->function == APP_LENS || call->function == APP_LENS_RANK;
  const AppArgument *answer = &call->arguments[is_lens];
  const Fact fact = { call->run, is_lens ? call->arguments[0].number : -1, answer->text,
                      answer->quoted, NAN, NAN };

  for (guint i = 0; i < facts->len; i++) {
    Fact *known = &g_array_index (facts, Fact, i);

    if (known->run == fact.run && known->layers == fact.layers
        && g_str_equal (known->word, fact.word))
      return known;
  }
  g_array_append_val (facts, fact);
  return &g_array_index (facts, Fact, facts->len - 1);
}

/* Array of Fact: claims that are a probability or a rank and nothing else. (transfer full) */
static GArray *
list_facts (const AppSectionCheck *check)
{
  const GArray *findings = check->check->findings;
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (Fact));

  for (guint i = 0; i < findings->len; i++) {
    const AppFinding *finding = &g_array_index (findings, AppFinding, i);
    const AppExpression *call = finding->block != NULL && finding->block->type == APP_BLOCK_CLAIM
                                ? finding->block->claim->expression : NULL;

    if (call == NULL || call->type != APP_EXPRESSION_CALL || isnan (finding->value))
      continue;
    if (call->function == APP_PROBABILITY || call->function == APP_LENS)
      find_fact (facts, call)->probability = finding->value;
    else if (call->function == APP_RANK || call->function == APP_LENS_RANK)
      find_fact (facts, call)->rank = finding->value;
  }

  return facts;
}

static void
append_fact (GString    *list,
             const Fact *fact)
{
  static const char *const runs[APP_N_RUNS] = { "", "other side ", "before ", "unedited " };
  g_autofree char *word = fact->is_quoted ? ui_describe_quoted (fact->word) : g_strdup (fact->word);
  g_autofree char *escaped = g_markup_escape_text (word, -1);

  g_string_append_printf (list, "%s%s", list->len > 0 ? " · " : "", runs[fact->run]);
  if (fact->layers >= 0)
    g_string_append_printf (list, "after %d %s ", fact->layers,
                            fact->layers == 1 ? "layer" : "layers");
  g_string_append (list, escaped);
  if (!isnan (fact->probability)) {
    g_autofree char *number = ui_describe_weight (fact->probability);
    g_autofree char *small = g_markup_escape_text (number, -1); /* "<0.001" */

    g_string_append_printf (list, "\u00a0%s", small);
  }
  if (fact->rank == 1)
    g_string_append (list, ", first");
  else if (!isnan (fact->rank))
    g_string_append_printf (list, ", number\u00a0%.0f", fact->rank);
}

void
app_cue_append_predictions (GString               *words,
                            const AppSectionCheck *check)
{
  g_autoptr (GArray) facts = list_facts (check);
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < facts->len; i++)
    append_fact (list, &g_array_index (facts, Fact, i));
  if (list->len > 0)
    g_string_append_printf (words, "\n" SMALL, list->str);
}
