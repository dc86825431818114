/* SPDX-License-Identifier: MIT */
#include "app/run/corpus-search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/run/pass.h"
#include "engine/base/error.h"
#include "engine/examples/lines.h"
#include "engine/trace/head-facts.h"
#include "ui/scene/numbers/word-links.h"
#include "ui/scene/numbers/word-pieces.h"

/* The evidence of a longer line costs more than its pass; whoever opens it finds it anew. */
#define LONGEST_EVIDENCE 128

typedef struct {
  EngModel         *model;
  EngSession       *session;
  UiDocument       *document; /* of the line at hand */
  GArray           *edits;
  char             *from;     /* spellings of the two words; NULL = any */
  char             *to;
  gint             *cancel;
  AppCorpusResult  *result;
  GHashTable       *heads;    /* layer << 16 | head → index into result->heads */
} Search;

static void
search_clear (Search *search)
{
  g_free (search->from);
  g_free (search->to);
  g_clear_pointer (&search->heads, g_hash_table_unref);
  g_clear_pointer (&search->edits, g_array_unref);
  g_clear_pointer (&search->document, ui_document_free);
  g_clear_pointer (&search->session, eng_session_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

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
result_new (EngKind                  kind,
            const AppCorpusQuestion *question)
{
  AppCorpusResult *self = g_new0 (AppCorpusResult, 1);

  self->kind = kind;
  app_corpus_question_copy (question, &self->question);
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
           gint     *cancel,
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
    /* It may have no end. */
    if (*is_cut && g_atomic_int_get (cancel) != 0)
      break;
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
run_inputs (Search           *search,
            const EngInputs  *inputs,
            GError          **error)
{
  EngRunRequest request = {
    .tokens = inputs->tokens,
    .decoder_tokens = inputs->decoder_tokens,
    .edits = (const EngEdit *) search->edits->data,
    .n_edits = (int) search->edits->len,
    .cancel = search->cancel,
  };

  return eng_session_run (search->session, &request, error);
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

/* Keeps the line where it is one of the head's best. */
static void
take_score (Search              *search,
            int                  layer,
            int                  head,
            const AppCorpusLine *line)
{
  AppCorpusHead *found = find_head (search, layer, head);
  int place = find_place (found, line->score);

  found->mean += (line->score - found->mean) / ++found->n_lines;
  if (place < 0)
    return;

  g_ref_string_acquire (line->text_a);
  g_ref_string_acquire (line->text_b);
  g_array_insert_vals (found->lines, (guint) place, line, 1);
  if (found->lines->len > APP_CORPUS_BEST_LINES)
    g_array_set_size (found->lines, APP_CORPUS_BEST_LINES);
}

/* A pattern. */

static void
find_evidence (Search        *search,
               EngTrace      *trace,
               int            layer,
               int            head,
               AppCorpusLine *line)
{
  EngKind kind = search->result->kind;
  const EngTokens *queries = eng_trace_get_query_tokens (trace, kind);
  const EngTokens *keys = eng_trace_get_key_tokens (trace, kind);
  g_autoptr (EngAttention) attention = NULL;
  EngPatternEvidence evidence;

  line->query = line->key = -1;
  if (MAX (queries->n, keys->n) > LONGEST_EVIDENCE
      || find_place (find_head (search, layer, head), line->score) < 0)
    return;

  attention = eng_trace_dup_attention (trace, kind, layer);
  evidence = eng_patterns_find_evidence (attention, queries, keys, head,
                                         search->result->question.pattern);
  line->query = evidence.query;
  line->key = evidence.key;
  line->weight = evidence.weight;
}

/* Whether the pattern applies to a head. */
static gboolean
take_pattern (Search        *search,
              EngTrace      *trace,
              AppCorpusLine *line)
{
  EngKind kind = search->result->kind;
  int n_heads = eng_trace_get_n_heads (trace, kind);
  gboolean applies = FALSE;

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++) {
    const EngHeadFacts *facts = eng_trace_get_head_facts (trace, kind, layer);

    for (int head = 0; facts != NULL && head < n_heads; head++) {
      line->score = facts[head].scores[search->result->question.pattern];
      if (isnan (line->score))
        continue;
      find_evidence (search, trace, layer, head, line);
      take_score (search, layer, head, line);
      applies = TRUE;
    }
  }

  return applies;
}

/* Two words. */

static gboolean
has_pieces (const guint8 *continues,
            int           n_tokens,
            int           first)
{
  return first + 1 < n_tokens && continues[first + 1];
}

/* matches: whether a word of the two sees another. */
static gboolean
take_words (Search         *search,
            EngTrace       *trace,
            const GArray   *from,
            const GArray   *to,
            AppCorpusLine  *line,
            gboolean       *matches,
            GError        **error)
{
  EngKind kind = search->result->kind;
  const EngTokens *queries = eng_trace_get_query_tokens (trace, kind);
  const EngTokens *keys = eng_trace_get_key_tokens (trace, kind);
  g_autofree guint8 *query_continues = ui_word_pieces_mark_rest (queries);
  g_autofree guint8 *key_continues = ui_word_pieces_mark_rest (keys);
  g_autoptr (GArray) links = ui_word_links_find (trace, kind, from, to, search->cancel, error);

  if (links == NULL)
    return FALSE;

  for (guint i = 0; i < links->len; i++) {
    const EngFoundLink *link = &g_array_index (links, EngFoundLink, i);

    line->score = line->weight = (float) link->value;
    line->query = link->query;
    line->key = link->key;
    line->has_pieces = has_pieces (query_continues, queries->n, link->query)
                       || has_pieces (key_continues, keys->n, link->key);
    take_score (search, link->layer, link->head, line);
  }

  *matches = links->len > 0;

  return TRUE;
}

/* The words that read and those that are read; FALSE when the line lacks one of the two. */
static gboolean
find_words (const Search     *search,
            const EngInputs  *inputs,
            GArray          **from,
            GArray          **to)
{
  gboolean has_decoder = inputs->decoder_tokens != NULL;
  EngKind kind = search->result->kind;
  const EngTokens *queries = has_decoder && kind != ENG_KIND_ENCODER ? inputs->decoder_tokens
                                                                     : inputs->tokens;
  const EngTokens *keys = has_decoder && kind == ENG_KIND_DECODER ? inputs->decoder_tokens
                                                                  : inputs->tokens;

  *from = ui_words_find (queries, search->from);
  *to = ui_words_find (keys, search->to);
  if ((*from)->len == 0 || (*to)->len == 0)
    return FALSE;

  /* A word alone has no other. */
  return queries != keys || (*from)->len > 1 || (*to)->len > 1
         || g_array_index (*from, int, 0) != g_array_index (*to, int, 0);
}

/* The file. */

/* The pass of a line, and what it shows. */
static gboolean
run_line (Search           *search,
          const EngInputs  *inputs,
          const GArray     *from,
          const GArray     *to,
          int               number,
          gboolean         *matches,
          GError          **error)
{
  g_autoptr (EngTrace) trace = run_inputs (search, inputs, error);
  AppCorpusLine line = { .number = number };
  gboolean is_done = TRUE;

  if (trace == NULL)
    return FALSE;

  line.text_a = g_ref_string_new (search->document->text_a);
  line.text_b = g_ref_string_new (search->document->text_b);
  if (search->result->question.links_words)
    is_done = take_words (search, trace, from, to, &line, matches, error);
  else
    *matches = take_pattern (search, trace, &line);
  line_clear (&line);

  return is_done;
}

static gboolean
take_line (Search     *search,
           int         number,
           GError    **error)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GArray) from = NULL;
  g_autoptr (GArray) to = NULL;
  gboolean matches = FALSE;

  if (!app_pass_encode (search->model, search->document, &inputs, error))
    return FALSE;
  if ((!search->result->question.links_words || find_words (search, &inputs, &from, &to))
      && !run_line (search, &inputs, from, to, number, &matches, error))
    return FALSE;

  search->result->n_lines++;
  search->result->n_matched += matches;

  return TRUE;
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
say_progress (const Search    *search,
              FILE            *file,
              double           size,
              AppProgressFunc  progress,
              gpointer         data)
{
  const AppCorpusResult *result = search->result;
  g_autoptr (GString) note = g_string_new (NULL);

  if (progress == NULL)
    return;
  g_string_append_printf (note, "%d line%s", result->n_lines, result->n_lines == 1 ? "" : "s");
  if (result->question.links_words)
    g_string_append_printf (note, ", %d with the words", result->n_matched);
  if (result->n_skipped > 0)
    g_string_append_printf (note, ", %d skipped", result->n_skipped);
  progress (&(AppProgress) { .fraction = size > 0 ? MIN (ftello (file) / size, 1) : 0,
                             .note = note->str }, data);
}

/* FALSE when the search was cancelled. */
static gboolean
search_line (Search        *search,
             const GString *line,
             gboolean       is_cut,
             int            number)
{
  g_autoptr (GError) error = NULL;
  const char *reason;

  /* The rest of it may not have been read. */
  if (is_cut && g_atomic_int_get (search->cancel) != 0)
    return FALSE;

  reason = take_texts (search->document, line, is_cut);
  if (reason != NULL)
    skip_line (search, number, reason);
  else if (!take_line (search, number, &error)
           && !g_error_matches (error, ENG_ERROR, ENG_ERROR_CANCELLED))
    skip_line (search, number, error->message);

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

/* A pipe or a device would be waited for, perhaps for ever. */
static FILE *
open_file (const char  *path,
           double      *size,
           GError     **error)
{
  struct stat info = { 0 };
  FILE *file;

  if (stat (path, &info) == 0 && !S_ISREG (info.st_mode)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s is %s, expected a text file", path,
                 S_ISDIR (info.st_mode) ? "a folder" : "no file that ends");
    return NULL;
  }
  file = fopen (path, "re");
  if (file == NULL)
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be read: %s", path,
                 g_strerror (errno));
  *size = (double) info.st_size;

  return file;
}

static gboolean
search_file (Search           *search,
             const char       *path,
             AppProgressFunc   progress,
             gpointer          data,
             GError          **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  double size = 0;
  FILE *file = open_file (path, &size, error);
  gboolean is_cut, was_read;

  if (file == NULL)
    return FALSE;

  for (int number = 1; read_line (file, line, search->cancel, &is_cut); number++) {
    if (number == 1)
      g_string_erase (line, 0, (gssize) eng_lines_count_mark (line->str));
    if (!search_line (search, line, is_cut, number)) {
      search->result->was_cancelled = TRUE;
      break;
    }
    say_progress (search, file, size, progress, data);
  }
  was_read = !ferror (file);
  if (!was_read)
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be read to its end", path);
  fclose (file);
  g_array_sort (search->result->heads, compare_heads);

  return was_read;
}

AppCorpusResult *
app_corpus_search (EngModel                 *model,
                   const UiDocument         *document,
                   EngKind                   kind,
                   const AppCorpusQuestion  *question,
                   const char               *path,
                   gint                     *cancel,
                   AppProgressFunc           progress,
                   gpointer                  data,
                   GError                  **error)
{
  g_autoptr (AppCorpusResult) result = result_new (kind, question);
  GArray *edits = app_pass_parse_edits (document, error);
  g_auto (Search) search = {
    .model = model, .cancel = cancel, .edits = edits, .result = result,
  };

  if (edits == NULL)
    return NULL;

  search.session = eng_session_new (model);
  search.document = ui_document_copy (document);
  search.heads = g_hash_table_new (NULL, NULL);
  if (!app_corpus_question_spell (question, model, document, kind, &search.from, &search.to, error)
      || !search_file (&search, path, progress, data, error)
      || !check_result (result, path, error))
    return NULL;

  return g_steal_pointer (&result);
}

void
app_corpus_result_free (AppCorpusResult *self)
{
  app_corpus_question_clear (&self->question);
  g_array_unref (self->heads);
  g_array_unref (self->skipped);
  g_free (self);
}
