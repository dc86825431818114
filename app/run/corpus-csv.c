/* SPDX-License-Identifier: MIT */
#include "app/run/corpus-csv.h"

#include "ui/document/table-text.h"

static void
format_score (char   *text,
              double  score)
{
  g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, "%.6g", score);
}

/* Nothing where no link was looked for. */
static void
format_token (char  *text,
              gsize  size,
              int    token)
{
  if (token >= 0)
    g_snprintf (text, size, "%d", token);
  else
    text[0] = '\0';
}

/* "it reads the", or the name of the pattern. (transfer full) */
static char *
describe_question (const AppCorpusQuestion *question)
{
  static const char *const any = "any word";

  if (!question->links_words)
    return g_strdup (eng_pattern_get_name (question->pattern));
  return g_strdup_printf ("%s reads %s", *question->from != '\0' ? question->from : any,
                          *question->to != '\0' ? question->to : any);
}

char *
app_corpus_heads_to_csv (const AppCorpusResult *self)
{
  static const char *const heading[] = {
    "search", "layer", "head", "mean score", "lines", "best line", "best score", "text A", "text B",
    NULL
  };
  g_autofree char *search = describe_question (&self->question);
  GString *csv = g_string_new (NULL);

  ui_table_append_csv_line (csv, heading);
  for (guint i = 0; i < self->heads->len; i++) {
    const AppCorpusHead *head = &g_array_index (self->heads, AppCorpusHead, i);
    const AppCorpusLine *best = &g_array_index (head->lines, AppCorpusLine, 0);
    char layer[16], number[16], n_lines[16], line[16];
    char mean[G_ASCII_DTOSTR_BUF_SIZE], score[G_ASCII_DTOSTR_BUF_SIZE];
    const char *const cells[] = { search, layer, number, mean, n_lines, line, score, best->text_a,
                                  best->text_b, NULL };

    g_snprintf (layer, sizeof layer, "%d", head->layer);
    g_snprintf (number, sizeof number, "%d", head->head);
    g_snprintf (n_lines, sizeof n_lines, "%d", head->n_lines);
    g_snprintf (line, sizeof line, "%d", best->number);
    format_score (mean, head->mean);
    format_score (score, best->score);
    ui_table_append_csv_line (csv, cells);
  }

  return g_string_free (csv, FALSE);
}

char *
app_corpus_lines_to_csv (const AppCorpusHead     *head,
                         const AppCorpusQuestion *question)
{
  static const char *const heading[] = {
    "search", "layer", "head", "line", "score", "query", "key", "text A", "text B", NULL
  };
  g_autofree char *search = describe_question (question);
  char layer[16], number[16];
  GString *csv = g_string_new (NULL);

  g_snprintf (layer, sizeof layer, "%d", head->layer);
  g_snprintf (number, sizeof number, "%d", head->head);
  ui_table_append_csv_line (csv, heading);
  for (guint i = 0; i < head->lines->len; i++) {
    const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, i);
    char place[16], query[16], key[16], score[G_ASCII_DTOSTR_BUF_SIZE];
    const char *const cells[] = { search, layer, number, place, score, query, key, line->text_a,
                                  line->text_b, NULL };

    g_snprintf (place, sizeof place, "%d", line->number);
    format_token (query, sizeof query, line->query);
    format_token (key, sizeof key, line->key);
    format_score (score, line->score);
    ui_table_append_csv_line (csv, cells);
  }

  return g_string_free (csv, FALSE);
}
