/* SPDX-License-Identifier: MIT */
#include "app/parts/search/corpus-rows.h"

#include "ui/document/bidi.h"
#include "ui/lists/result-list.h"
#include "ui/scene/base/describe.h"

static const char *
get_plural (int n)
{
  return n == 1 ? "" : "s";
}

/* "both words", "“it”"; a causal head reads backwards alone. */
static char *
name_words (const AppCorpusResult *result)
{
  const AppCorpusQuestion *question = &result->question;
  gboolean has_from = question->from[0] != '\0';
  g_autofree char *from = ui_bidi_quote (question->from);
  g_autofree char *to = ui_bidi_quote (question->to);

  if (!has_from || question->to[0] == '\0')
    return g_strconcat (has_from ? from : to, " and another word", NULL);
  if (result->kind == ENG_KIND_DECODER)
    return g_strdup_printf ("both words, %s before %s", to, from);

  return g_strdup ("both words");
}

/* How many lines the question applies to. */
static char *
count_matched (const AppCorpusResult *result,
               const char            *name)
{
  g_autofree char *words = NULL;
  const int n = result->n_lines;

  if (!result->question.links_words)
    return result->n_matched == 0
           ? g_strdup_printf ("The pattern applies to none of %d line%s of %s.", n, get_plural (n),
                              name)
           : g_strdup_printf ("It applies to %d of %d line%s of %s.", result->n_matched, n,
                              get_plural (n), name);

  words = name_words (result);
  if (result->n_matched == 0)
    return g_strdup_printf ("None of %d line%s of %s holds %s.", n, get_plural (n), name, words);

  return g_strdup_printf ("%d of %d line%s of %s hold%s %s.", result->n_matched, n, get_plural (n),
                          name, result->n_matched == 1 ? "s" : "", words);
}

GArray *
app_corpus_rows_list_heads (const AppCorpusResult *result)
{
  GArray *rows = ui_result_list_new_array ();

  for (guint i = 0; i < result->heads->len; i++) {
    const AppCorpusHead *head = &g_array_index (result->heads, AppCorpusHead, i);
    const AppCorpusLine *best = &g_array_index (head->lines, AppCorpusLine, 0);
    g_autofree char *best_score = ui_describe_weight ((double) best->score);
    UiResult row = {
      .name = g_strdup_printf ("%d.%d", head->layer, head->head),
      .number = ui_describe_weight (head->mean),
      .note = g_strdup_printf ("%d line%s, best %s in line %d", head->n_lines,
                               head->n_lines == 1 ? "" : "s", best_score, best->number),
      .part = head->mean,
      .head = head->head,
    };

    row.sentence = g_strdup_printf ("Head %d of layer %d: mean score %s over %s", head->head,
                                    head->layer, row.number, row.note);
    g_array_append_val (rows, row);
  }

  return rows;
}

GArray *
app_corpus_rows_list_lines (const AppCorpusHead *head)
{
  GArray *rows = ui_result_list_new_array ();

  for (guint i = 0; i < head->lines->len; i++) {
    const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, i);
    g_autofree char *weight = ui_describe_weight ((double) line->weight);
    g_autofree char *evidence = NULL;
    UiResult row = {
      .name = g_strdup_printf ("line %d", line->number),
      .number = ui_describe_weight ((double) line->score),
      .note = line->text_b[0] != '\0' ? g_strconcat (line->text_a, " / ", line->text_b, NULL)
                                      : g_strdup (line->text_a),
      .part = (double) line->score,
      .head = head->head,
    };

    if (line->query >= 0)
      evidence = g_strdup_printf (", token %d reads %d with weight %s", line->query,
                                  line->key, weight);
    row.sentence = g_strdup_printf ("Line %d, score %s%s: %s", line->number, row.number,
                                    evidence != NULL ? evidence : "", row.note);
    g_array_append_val (rows, row);
  }

  return rows;
}

GArray *
app_corpus_rows_list_skipped (const AppCorpusResult *result)
{
  GArray *rows = ui_result_list_new_array ();

  for (guint i = 0; i < result->skipped->len; i++) {
    const AppCorpusSkip *skip = &g_array_index (result->skipped, AppCorpusSkip, i);
    UiResult row = {
      .name = g_strdup_printf ("Line %d", skip->number),
      .note = g_strdup (skip->reason),
      .sentence = g_strdup_printf ("Line %d: %s", skip->number, skip->reason),
      .head = -1,
    };

    g_array_append_val (rows, row);
  }

  return rows;
}

char *
app_corpus_rows_summarise (const AppCorpusResult *result,
                           const char            *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *question = app_corpus_question_describe (&result->question);
  g_autofree char *matched = count_matched (result, name);
  const char *cancelled = result->was_cancelled ? " Cancelled before the end of the file." : "";

  if (result->n_lines == 0)
    return g_strdup_printf ("Cancelled before the first line of %s was read.", name);
  if (result->n_matched == 0)
    return g_strconcat (matched, cancelled, NULL);

  return g_strdup_printf ("Heads by mean %s, %s. %s%s",
                          result->question.links_words ? "weight" : "score", question, matched,
                          cancelled);
}

char *
app_corpus_rows_title (const AppCorpusResult *result,
                       const AppCorpusHead   *head)
{
  g_autofree char *mean = ui_describe_weight (head->mean);
  g_autofree char *question = app_corpus_question_describe (&result->question);
  g_autofree char *best = (guint) head->n_lines > head->lines->len
                          ? g_strdup_printf ("; the best %u", head->lines->len) : g_strdup ("");

  return g_strdup_printf ("Head %d of layer %d, %s: mean %s over %d line%s%s", head->head,
                          head->layer, question, mean, head->n_lines, get_plural (head->n_lines),
                          best);
}
