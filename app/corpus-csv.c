/* SPDX-License-Identifier: MIT */
#include "app/corpus-csv.h"

#include "ui/scene/table-text.h"

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

char *
app_corpus_heads_to_csv (const AppCorpusResult *self)
{
  static const char *const heading[] = {
    "layer", "head", "mean score", "lines", "best line", "best score", "text A", "text B", NULL
  };
  GString *csv = g_string_new (NULL);

  ui_table_append_csv_line (csv, heading);
  for (guint i = 0; i < self->heads->len; i++) {
    const AppCorpusHead *head = &g_array_index (self->heads, AppCorpusHead, i);
    const AppCorpusLine *best = &g_array_index (head->lines, AppCorpusLine, 0);
    char layer[16], number[16], n_lines[16], line[16];
    char mean[G_ASCII_DTOSTR_BUF_SIZE], score[G_ASCII_DTOSTR_BUF_SIZE];
    const char *const cells[] = { layer, number, mean, n_lines, line, score, best->text_a,
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
app_corpus_lines_to_csv (const AppCorpusHead *head)
{
  static const char *const heading[] = {
    "layer", "head", "line", "score", "query", "key", "text A", "text B", NULL
  };
  char layer[16], number[16];
  GString *csv = g_string_new (NULL);

  g_snprintf (layer, sizeof layer, "%d", head->layer);
  g_snprintf (number, sizeof number, "%d", head->head);
  ui_table_append_csv_line (csv, heading);
  for (guint i = 0; i < head->lines->len; i++) {
    const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, i);
    char place[16], query[16], key[16], score[G_ASCII_DTOSTR_BUF_SIZE];
    const char *const cells[] = { layer, number, place, score, query, key, line->text_a,
                                  line->text_b, NULL };

    g_snprintf (place, sizeof place, "%d", line->number);
    format_token (query, sizeof query, line->query);
    format_token (key, sizeof key, line->key);
    format_score (score, line->score);
    ui_table_append_csv_line (csv, cells);
  }

  return g_string_free (csv, FALSE);
}
