/* SPDX-License-Identifier: MIT */
/* Figures of texts, classes and answers, against those of sacrebleu and of the definitions
 * (tests/record/training/record_metrics.py). */
#include "engine/metrics/agreement.h"
#include "engine/metrics/answers.h"
#include "engine/metrics/bleu.h"
#include "engine/metrics/chrf.h"

#include "engine/base/json.h"

#define TOLERANCE 1e-9

static cJSON *
read_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "metrics", name, NULL);
  g_autoptr (GError) error = NULL;
  cJSON *json = eng_json_read (path, 1 << 24, 16, &error);

  g_assert_no_error (error);

  return json;
}

static const char *
get_text (const cJSON *object,
          const char  *key)
{
  return cJSON_GetStringValue (eng_json_find (object, key));
}

static double
get_number (const cJSON *object,
            const char  *key)
{
  return cJSON_GetNumberValue (eng_json_find (object, key));
}

static int
get_size (const cJSON *object,
          const char  *key)
{
  return cJSON_GetArraySize (eng_json_find (object, key));
}

static int
get_item (const cJSON *object,
          const char  *key,
          int          i)
{
  return (int) cJSON_GetNumberValue (cJSON_GetArrayItem (eng_json_find (object, key), i));
}

static void
check_words (const cJSON *pair)
{
  g_autoptr (GPtrArray) words = eng_bleu_tokenise (get_text (pair, "written"));
  const cJSON *expected = eng_json_find (pair, "words");

  g_assert_cmpint (words->len, ==, cJSON_GetArraySize (expected));
  for (guint i = 0; i < words->len; i++)
    g_assert_cmpstr (words->pdata[i], ==,
                     cJSON_GetStringValue (cJSON_GetArrayItem (expected, (int) i)));
}

static void
test_pairs (void)
{
  g_autoptr (cJSON) json = read_fixture ("texts.json");
  const cJSON *pair;
  int n = 0;

  cJSON_ArrayForEach (pair, eng_json_find (json, "pairs")) {
    EngBleu bleu = { 0 };
    EngChrf chrf = { 0 };

    check_words (pair);
    eng_bleu_add (&bleu, get_text (pair, "written"), get_text (pair, "reference"));
    eng_chrf_add (&chrf, get_text (pair, "written"), get_text (pair, "reference"));
    g_assert_cmpfloat_with_epsilon (eng_bleu_get_score (&bleu), get_number (pair, "bleu"),
                                    TOLERANCE);
    g_assert_cmpfloat_with_epsilon (eng_chrf_get_score (&chrf), get_number (pair, "chrf"),
                                    TOLERANCE);
    n++;
  }
  g_assert_cmpint (n, >=, 200);
}

static void
test_corpora (void)
{
  g_autoptr (cJSON) json = read_fixture ("texts.json");
  const cJSON *pair = eng_json_find (json, "pairs")->child, *corpus;
  EngBleu bleu = { 0 };
  EngChrf chrf = { 0 };
  int n = 0;

  cJSON_ArrayForEach (corpus, eng_json_find (json, "corpora")) {
    for (; n < (int) get_number (corpus, "n"); n++, pair = pair->next) {
      eng_bleu_add (&bleu, get_text (pair, "written"), get_text (pair, "reference"));
      eng_chrf_add (&chrf, get_text (pair, "written"), get_text (pair, "reference"));
    }
    g_assert_cmpfloat_with_epsilon (eng_bleu_get_score (&bleu), get_number (corpus, "bleu"),
                                    TOLERANCE);
    g_assert_cmpfloat_with_epsilon (eng_chrf_get_score (&chrf), get_number (corpus, "chrf"),
                                    TOLERANCE);
  }
  g_assert_cmpint (n, >=, 200);
  g_test_message ("%d pairs: BLEU %.2f, chrF2 %.2f", n, eng_bleu_get_score (&bleu),
                  eng_chrf_get_score (&chrf));
}

static void
test_classes (void)
{
  g_autoptr (cJSON) json = read_fixture ("agreement.json");
  const cJSON *item;

  cJSON_ArrayForEach (item, eng_json_find (json, "classes")) {
    int n_classes = (int) get_number (item, "classes"), n = get_size (item, "expected");
    g_autoptr (EngAgreement) agreement = eng_agreement_new (n_classes);

    g_assert_cmpfloat (eng_agreement_get_accuracy (agreement), ==, 0);
    g_assert_cmpfloat (eng_agreement_get_mean_f1 (agreement), ==, 0);
    for (int i = 0; i < n; i++)
      eng_agreement_add (agreement, get_item (item, "expected", i),
                         get_item (item, "answered", i));
    g_assert_cmpint (eng_agreement_get_n (agreement), ==, n);
    g_assert_cmpfloat_with_epsilon (eng_agreement_get_accuracy (agreement),
                                    get_number (item, "accuracy"), TOLERANCE);
    g_assert_cmpfloat_with_epsilon (eng_agreement_get_mean_f1 (agreement),
                                    get_number (item, "mean_f1"), TOLERANCE);
    for (int i = 0; i < n_classes; i++) {
      const cJSON *score = cJSON_GetArrayItem (eng_json_find (item, "f1"), i);

      g_assert_cmpfloat_with_epsilon (eng_agreement_get_f1 (agreement, i),
                                      cJSON_GetNumberValue (score), TOLERANCE);
    }
  }
}

static void
test_answers (void)
{
  g_autoptr (cJSON) json = read_fixture ("agreement.json");
  const cJSON *item;

  cJSON_ArrayForEach (item, eng_json_find (json, "answers")) {
    const char *answered = get_text (item, "answered"), *expected = get_text (item, "expected");

    g_assert_cmpint (eng_answer_matches (answered, expected), ==,
                     cJSON_IsTrue (eng_json_find (item, "matches")));
    g_assert_cmpfloat_with_epsilon (eng_answer_get_f1 (answered, expected),
                                    get_number (item, "f1"), TOLERANCE);
  }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/metrics/pairs", test_pairs);
  g_test_add_func ("/engine/metrics/corpora", test_corpora);
  g_test_add_func ("/engine/metrics/classes", test_classes);
  g_test_add_func ("/engine/metrics/answers", test_answers);

  return g_test_run ();
}
