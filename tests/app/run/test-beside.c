/* SPDX-License-Identifier: MIT */
/* What stands beside the steps of a token, on the models that ship, against transformers in double
 * precision (tests/record/lessons/record_beside.py); and that the latest question wins. */
#include "app/run/beside.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "app/run/pass.h"
#include "tests/support/wait.h"

/* Of lengths, relative; of cosines and probabilities. */
#define TOLERANCE 1e-4

static cJSON *recorded;

static const cJSON *
find (const cJSON *object,
      const char  *name)
{
  const cJSON *found = cJSON_GetObjectItemCaseSensitive (object, name);

  g_assert_nonnull (found);
  return found;
}

static int
find_token (const cJSON *recorded_case)
{
  return find (recorded_case, "token")->valueint;
}

static UiDocument *
new_document (const char  *model,
              const cJSON *texts)
{
  UiDocument *document = ui_document_new ();

  ui_replace_text (&document->model, model);
  ui_replace_text (&document->text_a, cJSON_GetArrayItem (texts, 0)->valuestring);
  ui_replace_text (&document->text_b, cJSON_GetArraySize (texts) > 1
                                      ? cJSON_GetArrayItem (texts, 1)->valuestring : "");
  return document;
}

static EngTrace *
run (const UiDocument *document)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = app_pass_open_model (document, &error);
  g_autoptr (EngSession) session = NULL;
  g_autoptr (GArray) edits = app_pass_parse_edits (document, NULL);
  g_auto (EngInputs) inputs = { 0 };
  EngTrace *trace;

  g_assert_no_error (error);
  app_pass_encode (model, document, &inputs, &error);
  g_assert_no_error (error);
  session = eng_session_new (model);
  trace = eng_session_run (session, &(EngRunRequest) {
    .tokens = inputs.tokens, .decoder_tokens = inputs.decoder_tokens,
    .edits = (const EngEdit *) edits->data, .n_edits = (int) edits->len }, &error);
  g_assert_no_error (error);

  return trace;
}

static EngKind
get_kind (EngTrace *trace)
{
  return eng_trace_get_default_kind (trace);
}

static AppTokenPath *
new_path (const char  *model,
          const cJSON *recorded_case)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (UiDocument) document = new_document (model, find (recorded_case, "texts"));
  g_autoptr (EngTrace) trace = run (document);
  AppTokenPath *path =
    app_token_path_new (&(AppTokenQuestion) { trace, document, get_kind (trace),
                                              find_token (recorded_case), NULL, NULL }, &error);

  g_assert_no_error (error);
  return path;
}

static void
assert_near (double value,
             double expected)
{
  if (!(fabs (value - expected) <= TOLERANCE * fmax (1, fabs (expected))))
    g_error ("%.9g is not %.9g", value, expected);
}

static const AppContext *
find_context (GPtrArray  *contexts,
              const char *text)
{
  for (guint i = 0; i < contexts->len; i++)
    if (g_str_equal (((AppContext *) contexts->pdata[i])->text, text))
      return contexts->pdata[i];
  g_error ("“%s” is not among the contexts", text);
}

static int
count_compared (GPtrArray *contexts)
{
  int n = 0;

  for (guint i = 0; i < contexts->len; i++)
    n += ((AppContext *) contexts->pdata[i])->n > 0;

  return n;
}

/* Every sentence that was recorded is found by itself, at its place, with its cosines; the other
 * sentence of a pair stays beside it. */
static void
test_contexts (void)
{
  const cJSON *recorded_case, *row, *cosine;

  cJSON_ArrayForEach (recorded_case, find (recorded, "contexts")) {
    g_autoptr (GError) error = NULL;
    g_autoptr (UiDocument) document =
      new_document ("headlight-mini", find (recorded_case, "texts"));
    g_autoptr (EngTrace) trace = run (document);
    const AppWordQuestion question = { trace, document, get_kind (trace),
                                       find_token (recorded_case), NULL, NULL };
    g_autoptr (GPtrArray) contexts = app_contexts_find (&question, &error);

    g_assert_no_error (error);
    g_assert_cmpint (count_compared (contexts), <=, APP_MAX_CONTEXTS);
    cJSON_ArrayForEach (row, find (recorded_case, "elsewhere")) {
      const char *tab = strrchr (row->string, '\t');
      const AppContext *context = find_context (contexts, tab != NULL ? tab + 1 : row->string);
      int i = 0;

      g_assert_false (context->is_own);
      g_assert_cmpint (context->token, ==, find_token (row));
      g_assert_cmpint (context->n, ==, cJSON_GetArraySize (find (row, "cosines")));
      cJSON_ArrayForEach (cosine, find (row, "cosines"))
        assert_near (context->cosines[i++], cosine->valuedouble);
    }
  }
}

/* At the same place the word begins as the same vector, elsewhere it does not; those at the same
 * place stand first. */
static void
test_places (void)
{
  const cJSON *recorded_case = cJSON_GetArrayItem (find (recorded, "contexts"), 1);
  g_autoptr (UiDocument) document = new_document ("headlight-mini", find (recorded_case, "texts"));
  g_autoptr (EngTrace) trace = run (document);
  const AppWordQuestion question = { trace, document, get_kind (trace),
                                     find_token (recorded_case), NULL, NULL };
  g_autoptr (GPtrArray) contexts = app_contexts_find (&question, NULL);
  gboolean was_elsewhere = FALSE;
  int n_here = 0;

  for (int i = 0; i < count_compared (contexts); i++) {
    const AppContext *context = contexts->pdata[i];
    g_autofree char *word = g_strndup (context->text + context->span.start,
                                       (gsize) (context->span.end - context->span.start));

    g_assert_cmpstr (word, ==, "flies");
    g_assert_cmpint (context->token == question.token, ==, fabs (context->cosines[0] - 1) < 1e-6);
    g_assert_false (was_elsewhere && context->token == question.token);
    was_elsewhere = context->token != question.token;
    n_here += !was_elsewhere;
  }
  g_assert_cmpint (n_here, >=, 2);
  g_assert_true (was_elsewhere);
}

/* To a model that reads to the left alone a word is the same behind the same words: it is told of one
 * such sentence, which is not compared. */
static void
test_same (void)
{
  static const struct { int token; const char *same; int n; } cases[] = {
    { 1, "The flies are on the meat.", 0 }, { 2, "The cat drank the milk.", 1 }, { 5, NULL, 6 },
  };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (EngTrace) trace = NULL;

  ui_replace_text (&document->model, "headlight-causal");
  ui_replace_text (&document->text_a, "The cat sat on the mat");
  ui_replace_text (&document->text_b, "");
  trace = run (document);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const AppWordQuestion question = { trace, document, get_kind (trace), cases[i].token, NULL,
                                       NULL };
    g_autoptr (GPtrArray) contexts = app_contexts_find (&question, NULL);
    const AppContext *last = contexts->pdata[contexts->len - 1];

    g_assert_cmpint (count_compared (contexts), ==, cases[i].n);
    g_assert_cmpint (last->is_same, ==, cases[i].same != NULL);
    if (cases[i].same != NULL)
      g_assert_cmpstr (last->text, ==, cases[i].same);
  }
}

static void
test_refused (void)
{
  const cJSON *recorded_case = cJSON_GetArrayItem (find (recorded, "contexts"), 0);
  g_autoptr (UiDocument) document = new_document ("headlight-mini", find (recorded_case, "texts"));
  g_autoptr (EngTrace) trace = NULL;
  gint cancel = 1;
  g_autoptr (GError) error = NULL;

  ui_replace_text (&document->text_b, "a xylqz");
  trace = run (document);
  g_assert_null (app_contexts_refuse (trace, get_kind (trace), 5));
  g_assert_nonnull (app_contexts_refuse (trace, get_kind (trace), 0));
  g_assert_null (app_contexts_find (&(AppWordQuestion) { trace, document, get_kind (trace), 5, NULL,
                                                         &cancel }, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
}

/* Edits of heads act in the other sentences as well, those of tokens and links do not; so the same
 * sentence elsewhere is the same however much of it is edited away. */
static void
test_edits (void)
{
  static const char *const own[] = { "he works at the bank today", "no such word", NULL };
  const cJSON *recorded_case = cJSON_GetArrayItem (find (recorded, "contexts"), 0);
  g_autoptr (UiDocument) document = new_document ("headlight-mini", find (recorded_case, "texts"));
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GPtrArray) contexts = NULL;
  const AppContext *context;

  g_strfreev (document->edits);
  document->edits = g_strsplit ("skip-attention 0;skip-attention 1;skip-attention 2;"
                                "skip-attention 3;skip-attention 4;skip-attention 5;"
                                "cut 0.1 5 1;knock-out 2", ";", -1);
  trace = run (document);
  contexts = app_contexts_find (&(AppWordQuestion) { trace, document, get_kind (trace), 5, own,
                                                     NULL }, NULL);
  context = find_context (contexts, own[0]);
  g_assert_true (context->is_own);
  /* No word hears of another, so the one at the same place is the same throughout. */
  for (int i = 0; i < context->n; i++)
    assert_near (context->cosines[i], 1);
  context = find_context (contexts, own[1]);
  g_assert_nonnull (context->problem);
  g_assert_cmpint (context->token, ==, -1);
}

static void
test_answers (void)
{
  const cJSON *model, *recorded_case, *layer, *candidate;

  cJSON_ArrayForEach (model, find (recorded, "answers"))
    cJSON_ArrayForEach (recorded_case, model) {
      g_autoptr (AppTokenPath) path = new_path (model->string, recorded_case);
      int i = 0;

      g_assert_nonnull (path->answers);
      g_assert_cmpint (path->answers->n_layers, ==,
                       cJSON_GetArraySize (find (recorded_case, "layers")));
      cJSON_ArrayForEach (layer, find (recorded_case, "layers"))
        cJSON_ArrayForEach (candidate, layer) {
          const EngCandidate *own = &path->answers->candidates[i++];

          g_assert_cmpint (own->index, ==, cJSON_GetArrayItem (candidate, 0)->valueint);
          assert_near (own->probability, cJSON_GetArrayItem (candidate, 1)->valuedouble);
        }
    }
}

/* The last answer leads from there on, and did not before. */
static void
test_settled (void)
{
  const cJSON *cases = find (find (recorded, "answers"), "headlight-mini");
  const cJSON *recorded_case;

  cJSON_ArrayForEach (recorded_case, cases) {
    g_autoptr (AppTokenPath) path = new_path ("headlight-mini", recorded_case);
    const cJSON *layers = find (recorded_case, "layers");
    const int n = cJSON_GetArraySize (layers);
    int settled = app_token_path_find_settled (path);

    for (int i = settled - 1; i < n; i++) {
      const int best = cJSON_GetArrayItem (cJSON_GetArrayItem (cJSON_GetArrayItem (layers, i), 0),
                                           0)->valueint;
      const int last = cJSON_GetArrayItem (cJSON_GetArrayItem (cJSON_GetArrayItem (layers, n - 1),
                                                               0), 0)->valueint;

      g_assert_cmpint (best == last, ==, i >= settled);
    }
  }
}

static void
check_norms (GArray      *stations,
             const cJSON *norms)
{
  int n = 0;

  for (guint i = 0; i < stations->len; i++) {
    const EngStation *station = &g_array_index (stations, EngStation, i);
    const cJSON *norm;

    if (station->stage != ENG_STAGE_NORM) {
      g_assert_cmpfloat (station->before, ==, -1);
      continue;
    }
    norm = cJSON_GetArrayItem (norms, n++);
    g_assert_nonnull (norm);
    assert_near (station->before, cJSON_GetArrayItem (norm, 0)->valuedouble);
    assert_near (station->length, cJSON_GetArrayItem (norm, 1)->valuedouble);
  }
  g_assert_cmpint (n, ==, cJSON_GetArraySize (norms));
}

/* What goes on from station to station arrives: behind the last is what the trace has. */
static void
test_lengths (void)
{
  const cJSON *model, *recorded_case;

  cJSON_ArrayForEach (model, find (recorded, "lengths"))
    cJSON_ArrayForEach (recorded_case, model) {
      g_autoptr (AppTokenPath) path = new_path (model->string, recorded_case);
      const gboolean is_post = g_str_equal (model->string, "headlight-mini");
      const cJSON *states = find (recorded_case, "states");
      const EngStation *last = NULL;

      g_assert_cmpint (path->norms, ==, is_post ? ENG_NORM_POST : ENG_NORM_PRE);
      check_norms (path->stations, find (recorded_case, "norms"));
      for (guint i = 0; i < path->stations->len; i++) {
        const EngStation *station = &g_array_index (path->stations, EngStation, i);

        if (station->stage == ENG_STAGE_STATES)
          assert_near (station->length,
                       cJSON_GetArrayItem (states, station->layer)->valuedouble);
        /* The stream goes through each norm of one kind, and past those of layers of the other. */
        if (station->stage == ENG_STAGE_NORM)
          g_assert_cmpint (station->is_stream, ==,
                           is_post || station->part == ENG_PART_END);
        if (station->is_stream)
          last = station;
      }
      assert_near (last->length,
                   cJSON_GetArrayItem (states, cJSON_GetArraySize (states) - 1)->valuedouble);
    }
}

/* Beside a model of one kind stands the other, at the same word. */
static void
test_other_kind (void)
{
  const cJSON *lengths = find (recorded, "lengths");
  g_autoptr (AppTokenPath) causal =
    new_path ("headlight-causal", cJSON_GetArrayItem (find (lengths, "headlight-causal"), 0));
  const cJSON *bank = cJSON_GetArrayItem (find (lengths, "headlight-mini"), 0);
  g_autoptr (AppTokenPath) mini = new_path ("headlight-mini", bank);

  g_assert_nonnull (causal->other_stations);
  g_assert_cmpstr (eng_model_get_info (causal->other)->name, ==, "headlight-mini");
  g_assert_cmpint (causal->other_norms, ==, ENG_NORM_POST);
  g_assert_cmpstr (eng_model_get_info (mini->other)->name, ==, "headlight-causal");
  g_assert_cmpint (mini->other_norms, ==, ENG_NORM_PRE);
}

static void
told_cb (gpointer n)
{
  ++*(int *) n;
}

/* Of two questions the second is answered, twice, a part each; a sentence of one's own asks for its
 * part again. */
static void
test_latest (void)
{
  const cJSON *recorded_case = cJSON_GetArrayItem (find (recorded, "contexts"), 1);
  g_autoptr (UiDocument) document = new_document ("headlight-mini", find (recorded_case, "texts"));
  g_autoptr (EngTrace) trace = run (document);
  int n_told = 0;
  AppBeside *beside = app_beside_new (told_cb, &n_told);

  app_beside_ask (beside, trace, document, get_kind (trace), 1);
  app_beside_ask (beside, trace, document, get_kind (trace), 2);
  wait_until (app_beside_is_current (beside));
  g_assert_cmpint (n_told, ==, 2);
  g_assert_cmpfloat (((AppContext *) app_beside_get_contexts (beside, NULL)->pdata[0])->cosines[6],
                     <, 0.9);
  app_beside_add_sentence (beside, "He flies a small plane.");
  g_assert_false (app_beside_is_current (beside));
  wait_until (app_beside_is_current (beside));
  g_assert_cmpint (n_told, ==, 3);
  g_assert_true (find_context (app_beside_get_contexts (beside, NULL),
                               "He flies a small plane.")->is_own);

  /* What was cut off is found when it is asked for again. */
  app_beside_ask (beside, trace, document, get_kind (trace), 3);
  app_beside_cancel (beside);
  app_beside_ask (beside, trace, document, get_kind (trace), 3);
  wait_until (app_beside_is_current (beside));
  g_assert_nonnull (app_beside_get_path (beside, NULL));
  app_beside_ask (beside, trace, document, get_kind (trace), 1);
  app_beside_free (beside);
}

/* Every number has its line: what was recorded stands there. */
static void
test_csv (void)
{
  const cJSON *recorded_case = cJSON_GetArrayItem (find (recorded, "contexts"), 0);
  const cJSON *of_mini = find (find (recorded, "lengths"), "headlight-mini");
  const cJSON *lengths = cJSON_GetArrayItem (of_mini, 0);
  const cJSON *norm = cJSON_GetArrayItem (cJSON_GetArrayItem (find (lengths, "norms"), 12), 1);
  g_autoptr (UiDocument) document = new_document ("headlight-mini", find (recorded_case, "texts"));
  g_autoptr (EngTrace) trace = run (document);
  int n_told = 0, n_lines = 0, n_cosines = 0;
  double last = 0;
  AppBeside *beside = app_beside_new (told_cb, &n_told);
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;

  app_beside_ask (beside, trace, document, get_kind (trace), find_token (recorded_case));
  wait_until (app_beside_is_current (beside));
  csv = app_beside_to_csv (beside);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpstr (lines[0], ==, "what,layer,where,of,number");
  for (char **line = lines; *line != NULL; line++) {
    n_lines += **line != '\0';
    n_cosines += g_str_has_prefix (*line, "cosine,");
    if (g_str_has_prefix (*line, "length,5,\"feed-forward, Norm\",,"))
      last = g_ascii_strtod (strrchr (*line, ',') + 1, NULL);
  }
  g_assert_nonnull (strstr (csv, "\ncosine,,before the layers,we sat on the bank of the river,1\n"));
  g_assert_cmpint (n_cosines, ==, 7 * count_compared (app_beside_get_contexts (beside, NULL)));
  g_assert_cmpint (n_lines, >, n_cosines + 7 * APP_TOKEN_PATH_CANDIDATES + 13);
  assert_near (last, norm->valuedouble);
  app_beside_free (beside);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  path = g_test_build_filename (G_TEST_DIST, "fixtures", "lessons", "beside.json", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  recorded = cJSON_Parse (text);
  g_test_add_func ("/beside/contexts", test_contexts);
  g_test_add_func ("/beside/places", test_places);
  g_test_add_func ("/beside/same", test_same);
  g_test_add_func ("/beside/refused", test_refused);
  g_test_add_func ("/beside/edits", test_edits);
  g_test_add_func ("/beside/answers", test_answers);
  g_test_add_func ("/beside/settled", test_settled);
  g_test_add_func ("/beside/lengths", test_lengths);
  g_test_add_func ("/beside/other-kind", test_other_kind);
  g_test_add_func ("/beside/latest", test_latest);
  g_test_add_func ("/beside/csv", test_csv);
  status = g_test_run ();
  cJSON_Delete (recorded);

  return status;
}
