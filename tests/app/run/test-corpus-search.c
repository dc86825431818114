/* SPDX-License-Identifier: MIT */
/* The search over a file against passes of its lines, one by one. */
#include "app/run/corpus-search.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "app/run/corpus-csv.h"
#include "app/run/pass.h"
#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/trace/head-facts.h"
#include "tests/support/reference.h"
#include "tests/support/temporary.h"

typedef struct {
  char       *folder;
  char       *path;
  EngModel   *model;
  UiDocument *document;
  gint        cancel;
  int         n_progress;
  double      fraction;
  char       *note;
  int         cancel_after; /* progress calls; 0 = never */
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  self->folder = temporary_new ();
  self->path = g_build_filename (self->folder, "lines.txt", NULL);
  self->document = ui_document_new ();
  self->model = app_pass_open_model (self->document, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  temporary_free (self->folder);
  eng_model_unref (self->model);
  ui_document_free (self->document);
  g_free (self->note);
  g_free (self->path);
}

static void
count_progress (const AppProgress *progress,
                gpointer           data)
{
  Fixture *self = data;

  g_assert_cmpfloat (progress->fraction, >=, self->fraction);
  g_assert_cmpfloat (progress->fraction, <=, 1);
  self->fraction = progress->fraction;
  g_free (self->note);
  self->note = g_strdup (progress->note);
  if (++self->n_progress == self->cancel_after)
    g_atomic_int_set (&self->cancel, TRUE);
}

static AppCorpusResult *
search_file (Fixture     *self,
             const char  *path,
             EngPattern   pattern,
             GError     **error)
{
  AppCorpusQuestion question = { .pattern = pattern };

  return app_corpus_search (self->model, self->document, ENG_KIND_ENCODER, &question, path,
                            &self->cancel, count_progress, self, error);
}

static AppCorpusResult *
search (Fixture     *self,
        const char  *lines,
        EngPattern   pattern,
        GError     **error)
{
  g_assert_true (g_file_set_contents (self->path, lines, -1, NULL));
  return search_file (self, self->path, pattern, error);
}

static AppCorpusResult *
search_words (Fixture     *self,
              EngKind      kind,
              const char  *lines,
              const char  *from,
              const char  *to,
              GError     **error)
{
  AppCorpusQuestion question = {
    .links_words = TRUE, .from = (char *) from, .to = (char *) to,
  };

  g_assert_true (g_file_set_contents (self->path, lines, -1, NULL));
  return app_corpus_search (self->model, self->document, kind, &question, self->path,
                            &self->cancel, count_progress, self, error);
}

static EngTrace *
run (Fixture    *self,
     const char *text_a,
     const char *text_b)
{
  g_autoptr (UiDocument) document = ui_document_copy (self->document);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  EngTrace *trace;

  g_free (document->text_a);
  g_free (document->text_b);
  document->text_a = g_strdup (text_a);
  document->text_b = g_strdup (text_b);
  g_assert_true (app_pass_encode (self->model, document, &inputs, &error));
  trace = app_pass_run (self->model, document, &inputs, 0, FALSE, &error);
  g_assert_no_error (error);
  return trace;
}

static float
get_score (EngTrace   *trace,
           int         layer,
           int         head,
           EngPattern  pattern)
{
  return eng_trace_get_head_facts (trace, ENG_KIND_ENCODER, layer)[head].scores[pattern];
}

/* Means, order and best lines; the pattern of pairs does not apply to a single sentence. */
static void
test_heads (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result =
    search (self, "The cat sat on the mat\tThe cat lay on the rug\nTime flies\r\n"
                  "A dog sleeps\tThe dog barks at a dog", ENG_PATTERN_SAME_WORD_OTHER, &error);
  g_autoptr (EngTrace) first = run (self, "The cat sat on the mat", "The cat lay on the rug");
  g_autoptr (EngTrace) third = run (self, "A dog sleeps", "The dog barks at a dog");
  int n_heads = eng_trace_get_n_layers (first, ENG_KIND_ENCODER)
                * eng_trace_get_n_heads (first, ENG_KIND_ENCODER);

  g_assert_no_error (error);
  g_assert_cmpint (result->n_lines, ==, 3);
  g_assert_cmpint (result->n_skipped, ==, 0);
  g_assert_cmpint (result->heads->len, ==, n_heads);
  for (guint i = 0; i < result->heads->len; i++) {
    const AppCorpusHead *head = &g_array_index (result->heads, AppCorpusHead, i);
    const AppCorpusLine *best = &g_array_index (head->lines, AppCorpusLine, 0);
    float scores[] = {
      get_score (first, head->layer, head->head, ENG_PATTERN_SAME_WORD_OTHER),
      get_score (third, head->layer, head->head, ENG_PATTERN_SAME_WORD_OTHER),
    };

    g_assert_cmpint (head->n_lines, ==, 2);
    g_assert_cmpint (head->lines->len, ==, 2);
    g_assert_cmpfloat (fabs (head->mean - (scores[0] + scores[1]) / 2.0), <, 1e-6);
    g_assert_cmpint (best->number, ==, scores[0] >= scores[1] ? 1 : 3);
    g_assert_cmpfloat (best->score, ==, MAX (scores[0], scores[1]));
    g_assert_cmpstr (best->text_b, ==, best->number == 1 ? "The cat lay on the rug"
                                                         : "The dog barks at a dog");
    g_assert_cmpint (best->query, >=, 0);
    g_assert_cmpfloat (best->weight, >, 0);
    if (i > 0)
      g_assert_cmpfloat (head->mean, <=, g_array_index (result->heads, AppCorpusHead, i - 1).mean);
  }
  g_assert_cmpfloat (self->fraction, ==, 1);
  g_assert_cmpstr (self->note, ==, "3 lines");
}

/* Words, against what numpy made of passes of transformers. */

static double largest_difference;

static cJSON *
read_expected (void)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "word-links", "expected.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  cJSON *expected;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  expected = eng_json_parse (text, strlen (text), 16, path, &error);
  g_assert_no_error (error);
  return expected;
}

static const char *
get_string (const cJSON *array,
            int          index)
{
  return cJSON_GetArrayItem (array, index)->valuestring;
}

static char *
join_texts (const cJSON *texts)
{
  GString *lines = g_string_new (NULL);
  const cJSON *line;

  cJSON_ArrayForEach (line, texts)
    g_string_append_printf (lines, "%s%s%s\n", get_string (line, 0),
                            get_string (line, 1)[0] != '\0' ? "\t" : "", get_string (line, 1));
  return g_string_free (lines, FALSE);
}

static void
assert_near (double ours,
             double recorded)
{
  g_assert_cmpfloat (fabs (ours - recorded), <=, REFERENCE_TOLERANCE);
  largest_difference = MAX (largest_difference, fabs (ours - recorded));
}

/* One line of a head; recorded: score, query, key, -1 for tokens that hang on a rounding. */
static void
compare_line (const AppCorpusLine *line,
              const cJSON         *recorded)
{
  int query = cJSON_GetArrayItem (recorded, 1)->valueint;

  assert_near ((double) line->score, cJSON_GetArrayItem (recorded, 0)->valuedouble);
  g_assert_cmpfloat (line->weight, ==, line->score);
  if (query < 0)
    return;
  g_assert_cmpint (line->query, ==, query);
  g_assert_cmpint (line->key, ==, cJSON_GetArrayItem (recorded, 2)->valueint);
}

static void
compare_head (const AppCorpusHead *head,
              const cJSON         *lines)
{
  double sum = 0;
  int n = 0;

  for (guint i = 0; i < head->lines->len; i++) {
    const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, i);
    const cJSON *layers = cJSON_GetArrayItem (lines, line->number - 1);
    const cJSON *heads = cJSON_GetArrayItem (layers, head->layer);

    g_assert_true (cJSON_IsArray (heads));
    compare_line (line, cJSON_GetArrayItem (heads, head->head));
    sum += cJSON_GetArrayItem (cJSON_GetArrayItem (heads, head->head), 0)->valuedouble;
    n++;
  }
  g_assert_cmpint (head->n_lines, ==, n);
  assert_near (head->mean, sum / n);
}

static void
compare_case (const AppCorpusResult *result,
              const cJSON           *expected,
              int                    n_heads)
{
  const cJSON *lines = eng_json_find (expected, "lines");
  const cJSON *line;
  int n_matched = 0;

  cJSON_ArrayForEach (line, lines)
    n_matched += !cJSON_IsNull (line);
  g_assert_cmpint (result->n_lines, ==, cJSON_GetArraySize (lines));
  g_assert_cmpint (result->n_matched, ==, n_matched);
  g_assert_cmpint (result->n_skipped, ==, 0);
  g_assert_cmpint (result->heads->len, ==, n_matched > 0 ? n_heads : 0);
  for (guint i = 0; i < result->heads->len; i++) {
    const AppCorpusHead *head = &g_array_index (result->heads, AppCorpusHead, i);

    g_assert_cmpint (head->n_lines, ==, n_matched);
    compare_head (head, lines);
    if (i > 0)
      g_assert_cmpfloat (head->mean, <=, (head - 1)->mean);
  }
}

static void
test_words (Fixture       *self,
            gconstpointer  data)
{
  cJSON *expected = read_expected ();
  g_autofree char *lines = join_texts (eng_json_find (expected, "texts"));
  const EngModelInfo *info = eng_model_get_info (self->model);
  const cJSON *recorded;
  int n_cases = 0;

  cJSON_ArrayForEach (recorded, eng_json_find (expected, "cases")) {
    g_autoptr (GError) error = NULL;
    g_autoptr (AppCorpusResult) result =
      search_words (self, ENG_KIND_ENCODER, lines, eng_json_find (recorded, "from")->valuestring,
                    eng_json_find (recorded, "to")->valuestring, &error);

    g_assert_no_error (error);
    compare_case (result, recorded, info->n_layers * info->n_heads);
    self->fraction = 0;
    n_cases++;
  }
  g_assert_cmpint (n_cases, >=, 9);
  g_test_message ("largest difference %.3g", largest_difference);
  cJSON_Delete (expected);
}

/* A line without the words is counted; some editors begin a file with a mark that is no text. */
static void
test_lines_without (Fixture       *self,
                    gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result =
    search_words (self, ENG_KIND_ENCODER, "\xef\xbb\xbfIt saw the cat\nA dog\n\nThe cat\n", " it ",
                  "Cat", &error);
  const AppCorpusHead *head;

  g_assert_no_error (error);
  g_assert_cmpint (result->n_lines, ==, 3);
  g_assert_cmpint (result->n_matched, ==, 1);
  g_assert_cmpint (result->n_skipped, ==, 1);
  g_assert_cmpstr (self->note, ==, "3 lines, 1 with the words, 1 skipped");
  head = &g_array_index (result->heads, AppCorpusHead, 0);
  g_assert_cmpstr (g_array_index (head->lines, AppCorpusLine, 0).text_a, ==, "It saw the cat");
  g_assert_false (g_array_index (head->lines, AppCorpusLine, 0).has_pieces);
}

static void
assert_no_words (Fixture    *self,
                 const char *from,
                 const char *to,
                 const char *reason)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (search_words (self, ENG_KIND_ENCODER, "A cat\n", from, to, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_assert_nonnull (strstr (error->message, reason));
}

static void
test_entries (Fixture       *self,
              gconstpointer  data)
{
  assert_no_words (self, "", "", "both words are empty");
  assert_no_words (self, "don't", "cat", "“don't” is 3 words to this model, “don” the first");
  assert_no_words (self, "", "New York", "“New York” is 2 words");
  assert_no_words (self, "cat", "\xcc\x81", "no token");
}

/* Words of several pieces are one; the line says so, for whoever opens it. */
static void
test_pieces (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result =
    search_words (self, ENG_KIND_ENCODER, "The embeddings of a cat\n", "cat", "embeddings", &error);
  const AppCorpusHead *head;

  g_assert_no_error (error);
  head = &g_array_index (result->heads, AppCorpusHead, 0);
  g_assert_true (g_array_index (head->lines, AppCorpusLine, 0).has_pieces);
}

/* The line of each head has the weight that the trace has from query to key; -1 = no
 * such words see each other in it. */
static void
assert_link (Fixture    *self,
             EngKind     kind,
             const char *from,
             const char *to,
             int         query,
             int         key)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result =
    search_words (self, kind, "5 6 7\t8 5 9\n", from, to, &error);
  g_autoptr (EngTrace) trace = run (self, "5 6 7", "8 5 9");

  self->fraction = 0;
  g_assert_no_error (error);
  g_assert_cmpint (result->n_lines, ==, 1);
  g_assert_cmpint (result->n_matched, ==, query >= 0);
  for (guint i = 0; i < result->heads->len; i++) {
    const AppCorpusHead *head = &g_array_index (result->heads, AppCorpusHead, i);
    const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, 0);
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, head->layer);
    int row = head->head * attention->n_queries + query;

    g_assert_cmpint (line->query, ==, query);
    g_assert_cmpint (line->key, ==, key);
    g_assert_cmpfloat (line->score, ==, attention->weights[row * attention->n_keys + key]);
  }
}

/* Each word in the text of its own stack; the decoder begins with a token of its own and reads
 * backwards. Without a tokenizer words are ids. */
static void
test_two_stacks (Fixture       *self,
                 gconstpointer  data)
{
  g_autofree char *folder =
    g_test_build_filename (G_TEST_DIST, "fixtures", "seq2seq", "bart-base", NULL);
  g_autoptr (GError) error = NULL;

  eng_model_unref (self->model);
  self->model = eng_model_open_untrained (folder, NULL, 1, &error);
  g_assert_no_error (error);

  assert_link (self, ENG_KIND_ENCODER, "5", "7", 0, 2);
  assert_link (self, ENG_KIND_ENCODER, "5", "9", -1, -1);
  assert_link (self, ENG_KIND_CROSS, "9", "6", 3, 1);
  assert_link (self, ENG_KIND_CROSS, "5", "5", 2, 0);
  assert_link (self, ENG_KIND_CROSS, "6", "9", -1, -1);
  assert_link (self, ENG_KIND_DECODER, "9", "8", 3, 1);
  assert_link (self, ENG_KIND_DECODER, "8", "9", -1, -1);
}

/* No more than the best lines are kept, the earlier of equal ones first; all count. */
static void
test_best_lines (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr (GString) lines = g_string_new ("Time flies like an arrow\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result = NULL;
  int n = APP_CORPUS_BEST_LINES + 20;

  for (int i = 1; i < n; i++)
    g_string_append (lines, i % 3 == 0 ? "A cat\n" : "Fruit flies like a banana\n");
  result = search (self, lines->str, ENG_PATTERN_NEXT, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < result->heads->len; i++) {
    const AppCorpusHead *head = &g_array_index (result->heads, AppCorpusHead, i);

    g_assert_cmpint (head->n_lines, ==, n);
    g_assert_cmpint (head->lines->len, ==, APP_CORPUS_BEST_LINES);
    for (guint j = 1; j < head->lines->len; j++) {
      const AppCorpusLine *before = &g_array_index (head->lines, AppCorpusLine, j - 1);
      const AppCorpusLine *line = &g_array_index (head->lines, AppCorpusLine, j);

      g_assert_true (before->score > line->score ||
                     (before->score == line->score && before->number < line->number));
    }
  }
}

static void
test_skipped (Fixture       *self,
              gconstpointer  data)
{
  static const struct { int number; const char *reason; } expected[] = {
    { 2, "empty" }, { 3, "no UTF-8" }, { 4, "more than two columns" }, { 5, "tokens" },
    { 7, "longer than 65536 bytes" },
  };
  g_autofree char *many = g_strnfill (4000, 'a');
  g_autofree char *longest = g_strnfill (APP_CORPUS_LONGEST + 1, 'b');
  g_autofree char *lines = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result = NULL;

  /* One token a letter: more than there are positions. */
  for (int i = 1; i < 4000; i += 2)
    many[i] = ' ';
  lines = g_strconcat ("A cat\n\n\xff\na\tb\tc\n", many, "\nA dog\n", longest, "\n", NULL);
  result = search (self, lines, ENG_PATTERN_NEXT, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result->n_lines, ==, 2);
  g_assert_cmpint (result->n_skipped, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < result->skipped->len; i++) {
    const AppCorpusSkip *skip = &g_array_index (result->skipped, AppCorpusSkip, i);

    g_assert_cmpint (skip->number, ==, expected[i].number);
    g_assert_nonnull (strstr (skip->reason, expected[i].reason));
  }
  g_assert_cmpstr (self->note, ==, "2 lines, 5 skipped");
}

static void
test_cancel (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result = NULL;

  self->cancel_after = 2;
  result = search (self, "A cat\nA dog\nA bird\nA fish\n", ENG_PATTERN_NEXT, &error);
  g_assert_no_error (error);
  g_assert_true (result->was_cancelled);
  g_assert_cmpint (result->n_lines, ==, 2);
  g_assert_cmpint (result->heads->len, >, 0);
}

static void
test_refused (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) many = NULL;

  g_assert_null (search (self, "", ENG_PATTERN_NEXT, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_clear_error (&error);
  g_assert_null (search (self, "\n\n", ENG_PATTERN_NEXT, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_assert_nonnull (strstr (error->message, "line 1: empty"));
  g_clear_error (&error);
  g_assert_null (search (self, "\xff\xfe" "A", ENG_PATTERN_NEXT, &error));
  g_assert_nonnull (strstr (error->message, "line 1: no UTF-8"));
  g_clear_error (&error);
  many = g_string_new (NULL);
  for (int i = 0; i < 5000; i++)
    g_string_append (many, "cat ");
  g_assert_null (search_words (self, ENG_KIND_ENCODER, many->str, "cat", "it", &error));
  g_assert_nonnull (strstr (error->message, "no line that can be run; line 1: the text has 5002"));
  g_clear_error (&error);
  g_assert_null (search_file (self, "/no/such.txt", ENG_PATTERN_NEXT, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_clear_error (&error);
  g_assert_null (search_file (self, self->folder, ENG_PATTERN_NEXT, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "is a folder, expected a text file"));
  g_clear_error (&error);
  /* It would be read for ever. */
  g_assert_null (search_file (self, "/dev/zero", ENG_PATTERN_NEXT, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
}

static void
test_csv (Fixture       *self,
          gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCorpusResult) result =
    search (self, "A cat, a \"dog\"\tB\nA bird\tC\n", ENG_PATTERN_NEXT, &error);
  g_autofree char *heads = NULL;
  g_autofree char *lines = NULL;
  const AppCorpusHead *first;

  g_assert_no_error (error);
  heads = app_corpus_heads_to_csv (result);
  first = &g_array_index (result->heads, AppCorpusHead, 0);
  lines = app_corpus_lines_to_csv (first, &result->question);
  g_assert_true (g_str_has_prefix (heads, "search,layer,head,mean score,lines,best line,"));
  g_assert_true (g_str_has_prefix (lines, "search,layer,head,line,score,query,key,text A,text B\n"
                                          "next,"));
  g_assert_nonnull (strstr (lines, ",\"A cat, a \"\"dog\"\"\",B\n"));
  g_assert_nonnull (strstr (lines, ",A bird,C\n"));
}

/* A word that runs from right to left keeps to itself in a sentence. */
static void
test_described (void)
{
  AppCorpusQuestion latin = { .from = (char *) "it", .to = (char *) "cat", .links_words = TRUE };
  AppCorpusQuestion arabic = { .from = (char *) "قطة", .to = (char *) "", .links_words = TRUE };
  g_autofree char *plain = app_corpus_question_describe (&latin);
  g_autofree char *isolated = app_corpus_question_describe (&arabic);

  g_assert_cmpstr (plain, ==, "“it” reads “cat”");
  g_assert_cmpstr (isolated, ==, "\u200e“\u2068قطة\u2069” reads any word");
}

#define ADD(name, function) \
  g_test_add ("/app/corpus-search/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  ADD ("heads", test_heads);
  ADD ("words", test_words);
  ADD ("lines-without", test_lines_without);
  ADD ("entries", test_entries);
  ADD ("pieces", test_pieces);
  ADD ("two-stacks", test_two_stacks);
  ADD ("best-lines", test_best_lines);
  ADD ("skipped", test_skipped);
  ADD ("cancel", test_cancel);
  ADD ("refused", test_refused);
  ADD ("csv", test_csv);
  g_test_add_func ("/app/corpus-search/described", test_described);

  return g_test_run ();
}
