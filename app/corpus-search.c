/* SPDX-License-Identifier: MIT */
#include "app/corpus-search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/pass.h"
#include "engine/error.h"
#include "engine/trace/head-facts.h"
#include "ui/scene/table-text.h"

/* The evidence of a longer line costs more than its pass; whoever opens it finds it anew. */
#define LONGEST_EVIDENCE 128

typedef struct {
  EngModel         *model;
  UiDocument       *document; /* of the line at hand */
  gint             *cancel;
  AppCorpusResult  *result;
  GHashTable       *heads;    /* layer << 16 | head → index into result->heads */
} Search;

static void
line_clear (gpointer data)
{
  AppCorpusLine *line = data;

  g_ref_string_release (line->text_a);
  g_ref_string_release (line->text_b);
}

static void
head_clear (gpointer data)
{
  g_array_unref (((AppCorpusHead *) data)->lines);
}

static void
skip_clear (gpointer data)
{
  g_free (((AppCorpusSkip *) data)->reason);
}

static AppCorpusResult *
result_new (EngKind    kind,
            EngPattern pattern)
{
  AppCorpusResult *self = g_new0 (AppCorpusResult, 1);

  self->kind = kind;
  self->pattern = pattern;
  self->heads = g_array_new (FALSE, TRUE, sizeof (AppCorpusHead));
  g_array_set_clear_func (self->heads, head_clear);
  self->skipped = g_array_new (FALSE, TRUE, sizeof (AppCorpusSkip));
  g_array_set_clear_func (self->skipped, skip_clear);

  return self;
}

static void
skip_line (Search     *search,
           int         number,
           const char *reason)
{
  AppCorpusResult *result = search->result;

  if (result->skipped->len < APP_CORPUS_SKIPPED) {
    AppCorpusSkip skip = { number, g_strdup (reason) };

    g_array_append_val (result->skipped, skip);
  }
  result->n_skipped++;
}

/* Reads one line into buffer, without its end; FALSE at the end of the file. What is longer than
 * APP_CORPUS_LONGEST is read to its end and cut off. */
static gboolean
read_line (FILE     *file,
           GString  *buffer,
           gboolean *is_cut)
{
  int c = getc (file);

  if (c == EOF)
    return FALSE;

  g_string_truncate (buffer, 0);
  *is_cut = FALSE;
  for (; c != EOF && c != '\n'; c = getc (file)) {
    if (buffer->len < APP_CORPUS_LONGEST)
      g_string_append_c (buffer, (char) c);
    else
      *is_cut = TRUE;
  }
  if (buffer->len > 0 && buffer->str[buffer->len - 1] == '\r')
    g_string_truncate (buffer, buffer->len - 1);

  return TRUE;
}

/* Puts the texts of a line into the document. NULL, or why the line is no text; static. */
static const char *
take_texts (UiDocument    *document,
            const GString *line,
            gboolean       is_cut)
{
  const char *tab = memchr (line->str, '\t', line->len);
  gsize n = tab != NULL ? (gsize) (tab - line->str) : line->len;

  if (is_cut)
    return "longer than 65536 bytes";
  if (line->len == 0)
    return "empty";
  if (!g_utf8_validate (line->str, (gssize) line->len, NULL))
    return "no UTF-8";
  if (tab != NULL && strchr (tab + 1, '\t') != NULL)
    return "more than two columns";

  g_free (document->text_a);
  g_free (document->text_b);
  document->text_a = g_strndup (line->str, n);
  document->text_b = g_strdup (tab != NULL ? tab + 1 : "");

  return NULL;
}

static EngTrace *
run_line (Search     *search,
          EngSession *session,
          GArray     *edits,
          GError    **error)
{
  g_auto (EngInputs) inputs = { 0 };
  EngRunRequest request;

  if (!app_pass_encode (search->model, search->document, &inputs, error))
    return NULL;

  request = (EngRunRequest) {
    .tokens = inputs.tokens,
    .decoder_tokens = inputs.decoder_tokens,
    .edits = (const EngEdit *) edits->data,
    .n_edits = (int) edits->len,
    .cancel = search->cancel,
  };
  return eng_session_run (session, &request, error);
}

static AppCorpusHead *
find_head (Search *search,
           int     layer,
           int     head)
{
  GArray *heads = search->result->heads;
  gpointer key = GINT_TO_POINTER (layer << 16 | head);
  gpointer index;

  if (!g_hash_table_lookup_extended (search->heads, key, NULL, &index)) {
    AppCorpusHead new_head = {
      .layer = layer, .head = head, .lines = g_array_new (FALSE, TRUE, sizeof (AppCorpusLine)),
    };

    g_array_set_clear_func (new_head.lines, line_clear);
    index = GUINT_TO_POINTER (heads->len);
    g_array_append_val (heads, new_head);
    g_hash_table_insert (search->heads, key, index);
  }

  return &g_array_index (heads, AppCorpusHead, GPOINTER_TO_UINT (index));
}

/* Where a score belongs among the best lines, -1 for nowhere. An earlier line stays before a later
 * one of the same score. */
static int
find_place (const AppCorpusHead *head,
            float                score)
{
  guint low = 0, high = head->lines->len;

  while (low < high) {
    guint middle = (low + high) / 2;

    if (g_array_index (head->lines, AppCorpusLine, middle).score >= score)
      low = middle + 1;
    else
      high = middle;
  }

  return low < APP_CORPUS_BEST_LINES ? (int) low : -1;
}

static EngPatternEvidence
find_evidence (Search   *search,
               EngTrace *trace,
               int       layer,
               int       head)
{
  EngKind kind = search->result->kind;
  const EngTokens *queries = eng_trace_get_query_tokens (trace, kind);
  const EngTokens *keys = eng_trace_get_key_tokens (trace, kind);
  g_autoptr (EngAttention) attention = NULL;

  if (MAX (queries->n, keys->n) > LONGEST_EVIDENCE)
    return (EngPatternEvidence) { .query = -1, .key = -1 };
  attention = eng_trace_dup_attention (trace, kind, layer);

  return eng_patterns_find_evidence (attention, queries, keys, head, search->result->pattern);
}

static void
take_score (Search              *search,
            EngTrace            *trace,
            int                  layer,
            int                  head,
            float                score,
            const AppCorpusLine *line)
{
  AppCorpusHead *found = find_head (search, layer, head);
  int place = find_place (found, score);
  AppCorpusLine own = *line;

  found->mean += (score - found->mean) / ++found->n_lines;
  if (place < 0)
    return;

  own.score = score;
  own.evidence = find_evidence (search, trace, layer, head);
  g_ref_string_acquire (own.text_a);
  g_ref_string_acquire (own.text_b);
  g_array_insert_val (found->lines, (guint) place, own);
  if (found->lines->len > APP_CORPUS_BEST_LINES)
    g_array_set_size (found->lines, APP_CORPUS_BEST_LINES);
}

static void
take_trace (Search   *search,
            EngTrace *trace,
            int       number)
{
  EngKind kind = search->result->kind;
  AppCorpusLine line = {
    .number = number,
    .text_a = g_ref_string_new (search->document->text_a),
    .text_b = g_ref_string_new (search->document->text_b),
  };

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++) {
    const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, layer);

    for (int head = 0; facts != NULL && head < eng_trace_get_n_heads (trace, kind); head++)
      if (!isnan (facts[head].scores[search->result->pattern]))
        take_score (search, trace, layer, head, facts[head].scores[search->result->pattern], &line);
  }
  line_clear (&line);
  search->result->n_lines++;
}

static int
compare_heads (gconstpointer a,
               gconstpointer b)
{
  const AppCorpusHead *first = a, *second = b;

  if (first->mean != second->mean)
    return first->mean < second->mean ? 1 : -1;
  if (first->layer != second->layer)
    return first->layer - second->layer;
  return first->head - second->head;
}

static void
say_progress (const Search      *search,
              FILE              *file,
              double             size,
              AppCorpusProgress  progress,
              gpointer           data)
{
  const AppCorpusResult *result = search->result;
  g_autofree char *note = NULL;

  if (progress == NULL)
    return;
  if (result->n_skipped > 0)
    note = g_strdup_printf ("%d lines, %d skipped", result->n_lines, result->n_skipped);
  else
    note = g_strdup_printf ("%d lines", result->n_lines);
  progress (size > 0 ? MIN (ftello (file) / size, 1) : 0, note, data);
}

/* FALSE when the search was cancelled. */
static gboolean
search_line (Search        *search,
             EngSession    *session,
             GArray        *edits,
             const GString *line,
             gboolean       is_cut,
             int            number)
{
  const char *reason = take_texts (search->document, line, is_cut);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) trace = NULL;

  if (reason == NULL)
    trace = run_line (search, session, edits, &error);
  if (trace != NULL)
    take_trace (search, trace, number);
  else if (!g_error_matches (error, ENG_ERROR, ENG_ERROR_CANCELLED))
    skip_line (search, number, reason != NULL ? reason : error->message);

  return g_atomic_int_get (search->cancel) == 0;
}

static gboolean
check_result (const AppCorpusResult  *result,
              const char             *path,
              GError                **error)
{
  if (result->n_lines > 0 || result->was_cancelled)
    return TRUE;

  if (result->skipped->len > 0) {
    const AppCorpusSkip *first = &g_array_index (result->skipped, AppCorpusSkip, 0);

    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "%s has no line that can be run; line %d: %s",
                 path, first->number, first->reason);
  } else {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "%s has no line, expected a sentence or a pair a line", path);
  }

  return FALSE;
}

static double
get_size (FILE *file)
{
  struct stat info;

  return fstat (fileno (file), &info) == 0 ? (double) info.st_size : 0;
}

static void
search_file (Search            *search,
             FILE              *file,
             GArray            *edits,
             AppCorpusProgress  progress,
             gpointer           data)
{
  g_autoptr (EngSession) session = eng_session_new (search->model);
  g_autoptr (GString) line = g_string_new (NULL);
  double size = get_size (file);
  gboolean is_cut;

  for (int number = 1; read_line (file, line, &is_cut); number++) {
    if (!search_line (search, session, edits, line, is_cut, number)) {
      search->result->was_cancelled = TRUE;
      break;
    }
    say_progress (search, file, size, progress, data);
  }
  g_array_sort (search->result->heads, compare_heads);
}

AppCorpusResult *
app_corpus_search (EngModel           *model,
                   const UiDocument   *document,
                   EngKind             kind,
                   EngPattern          pattern,
                   const char         *path,
                   gint               *cancel,
                   AppCorpusProgress   progress,
                   gpointer            data,
                   GError            **error)
{
  g_autoptr (GArray) edits = app_pass_parse_edits (document, error);
  g_autoptr (UiDocument) copy = ui_document_copy (document);
  g_autoptr (GHashTable) heads = g_hash_table_new (NULL, NULL);
  g_autoptr (AppCorpusResult) result = result_new (kind, pattern);
  Search search = { model, copy, cancel, result, heads };
  gboolean was_read;
  FILE *file;

  if (edits == NULL)
    return NULL;
  file = fopen (path, "re");
  if (file == NULL) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be read: %s", path,
                 g_strerror (errno));
    return NULL;
  }

  search_file (&search, file, edits, progress, data);
  was_read = !ferror (file);
  if (!was_read)
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be read: %s", path,
                 g_strerror (errno));
  fclose (file);

  return was_read && check_result (result, path, error) ? g_steal_pointer (&result) : NULL;
}

void
app_corpus_result_free (AppCorpusResult *self)
{
  g_array_unref (self->heads);
  g_array_unref (self->skipped);
  g_free (self);
}

static void
format_score (char   *text,
              double  score)
{
  g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, "%.6g", score);
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
  static const char *const heading[] = { "line", "score", "text A", "text B", NULL };
  GString *csv = g_string_new (NULL);

  ui_table_append_csv_line (csv, heading);
  for (guint i = 0; i < head->lines->len; i++) {
    const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, i);
    char number[16], score[G_ASCII_DTOSTR_BUF_SIZE];
    const char *const cells[] = { number, score, line->text_a, line->text_b, NULL };

    g_snprintf (number, sizeof number, "%d", line->number);
    format_score (score, line->score);
    ui_table_append_csv_line (csv, cells);
  }

  return g_string_free (csv, FALSE);
}
