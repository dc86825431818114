/* SPDX-License-Identifier: MIT */
/* What was trained on the command line is evaluated there: each task from nothing on a file that is
 * easy to learn, what transformers says of the same words, translations beside `predict`. */
#include <math.h>

#include "engine/training/texts.h"
#include "tests/app/cli/task-case.h"

typedef struct {
  char *folder; /* temporary */
  char *data;
  char *test;   /* another file of the same kind */
  char *out;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = temporary_new ();
  fixture->data = g_build_filename (fixture->folder, "data.tsv", NULL);
  fixture->test = g_build_filename (fixture->folder, "test.tsv", NULL);
  fixture->out = g_build_filename (fixture->folder, "out", NULL);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  temporary_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->test);
  g_free (fixture->out);
}

static const char *const animals[] = { "cat", "dog", "horse", "bird" };
static const char *const things[] = { "house", "car", "book", "river" };
static const char *const verbs[] = { "sees", "likes", "finds" };

/* Animals and things of text i. */
static char *
make_text (int      i,
           gboolean living)
{
  return g_strdup_printf ("%s %s %s the %s", i % 2 ? "the" : "a",
                          living ? animals[i % 4] : things[i % 4], verbs[i % 3],
                          things[(i / 4) % 4]);
}

/* Whether what acts lives. */
static void
add_class (GString *lines,
           int      i)
{
  g_autofree char *text = make_text (i, i % 5 < 3);

  g_string_append_printf (lines, "%s\t%s\n", text, i % 5 < 3 ? "living" : "dead");
}

static void
add_pair (GString *lines,
          int      i)
{
  g_autofree char *a = make_text (i, TRUE), *b = make_text (i + 1, i % 5 < 3);

  g_string_append_printf (lines, "%s\t%s\t%s\n", a, b, i % 5 < 3 ? "living" : "dead");
}

static void
add_tags (GString *lines,
          int      i)
{
  g_string_append_printf (lines, "the\tO\n%s\tANIMAL\n%s\tVERB\na\tO\n%s\tTHING\n\n",
                          animals[i % 4], verbs[i % 3], things[i / 4 % 4]);
}

static void
add_answer (GString *lines,
            int      i)
{
  g_string_append_printf (lines, "who %s the %s?\tthe %s %s the %s\t%s\n", verbs[i % 3],
                          things[i / 4 % 4], animals[i % 4], verbs[i % 3], things[i / 4 % 4],
                          animals[i % 4]);
}

typedef struct {
  const char *task;
  void      (*add)   (GString *lines, int i);
  const char *figure; /* that must be right nearly always */
} Task;

static const Task tasks[] = {
  { "classify", add_class, "accuracy" },
  { "pairs", add_pair, "accuracy" },
  { "tags", add_tags, "f1" },
  { "answers", add_answer, "exact" },
};

static void
write_lines (const char *path,
             const Task *task,
             int         first,
             int         n)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (int i = first; i < first + n; i++)
    task->add (lines, i);
  g_assert_true (g_file_set_contents (path, lines->str, -1, NULL));
}

static cJSON *
evaluate (const char *task,
          const char *model,
          const char *data)
{
  g_auto (Run) run = { 0 };

  run_headlight (&run, "evaluate", "--task", task, "--model", model, "--data", data, "--json",
                 NULL);

  return parse_output (&run);
}

static double
get_figure (const cJSON *answer,
            const char  *name)
{
  const cJSON *figure = eng_json_find (answer, name);

  g_assert_true (cJSON_IsNumber (figure));

  return figure->valuedouble;
}

/* From nothing, as many steps as the smallest shape needs. */
static void
test_task (Fixture       *fixture,
           gconstpointer  data)
{
  const Task *task = data;
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;

  write_lines (fixture->data, task, 0, 240);
  write_lines (fixture->test, task, 1000, 60);
  run_headlight (&run, "train", "--task", task->task, "--shape", "tiny", "--data", fixture->data,
                 "--steps", "120", "--batch-tokens", "400", "--rate", "3e-3", "--json", "-o",
                 fixture->out, NULL);
  assert_done (&run);
  answer = evaluate (task->task, fixture->out, fixture->test);
  g_test_message ("%s: %s %.3f", task->task, task->figure, get_figure (answer, task->figure));
  g_assert_cmpfloat (get_figure (answer, task->figure), >, 0.9);
  g_assert_cmpint ((int) get_figure (answer, "n"), ==, 60);
}

/* The head that was learnt answers `predict` with the names of the file. */
static void
test_labels (Fixture       *fixture,
             gconstpointer  data)
{
  g_auto (Run) train = { 0 };
  g_auto (Run) predict = { 0 };
  g_auto (Run) other = { 0 };

  write_lines (fixture->data, &tasks[0], 0, 40);
  run_headlight (&train, "train", "--task", "classify", "--from",
                 "headlight-mini", "--freeze", "6", "--data", fixture->data, "--steps", "2",
                 "--batch-tokens", "60", "--json", "-o", fixture->out, NULL);
  assert_done (&train);
  run_headlight (&predict, "predict", "--model", fixture->out, "the cat sees the house", NULL);
  assert_done (&predict);
  g_assert_nonnull (strstr (predict.out, "living"));
  g_assert_nonnull (strstr (predict.out, "dead"));
  g_assert_true (g_file_set_contents (fixture->test, "the cat\tfluffy\n", -1, NULL));
  run_headlight (&other, "evaluate", "--task", "classify", "--model", fixture->out, "--data",
                 fixture->test, NULL);
  assert_refused (&other, 1, "“fluffy” is none of the labels of out, which has dead, living");
}

/* What transformers says of the same texts. */
static void
test_next_words (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "metrics",
                                                 "next-words.json", NULL);
  g_autofree char *model = checkpoint_get_specimen ("causal");
  g_autoptr (cJSON) recorded = eng_json_read (path, 1 << 20, 8, NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (cJSON) answer = NULL;
  const cJSON *text;

  cJSON_ArrayForEach (text, eng_json_find (recorded, "texts"))
    g_string_append_printf (lines, "%s\n\n", text->valuestring);
  g_assert_true (g_file_set_contents (fixture->test, lines->str, -1, NULL));
  answer = evaluate ("next-word", model, fixture->test);
  g_assert_cmpfloat (get_figure (answer, "asked"), ==, get_figure (recorded, "n"));
  g_assert_cmpfloat_with_epsilon (get_figure (answer, "loss"), get_figure (recorded, "loss"), 1e-5);
  g_assert_cmpfloat_with_epsilon (get_figure (answer, "perplexity"),
                                  exp (get_figure (recorded, "loss")), 1);
}

static double
find_event (const char *output,
            const char *event,
            const char *name)
{
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  double found = NAN;

  for (int i = 0; lines[i] && lines[i][0]; i++) {
    g_autoptr (cJSON) object = cJSON_Parse (lines[i]);

    g_assert_nonnull (object);
    if (strcmp (eng_json_find (object, "event")->valuestring, event) == 0)
      found = get_figure (object, name);
  }

  return found;
}

/* What a training held out is asked of its folder: as many texts as it said, and of next words the
 * loss that it came to at its end. */
static void
check_own (const Fixture *fixture,
           const char    *task)
{
  g_auto (Run) run = { 0 };
  g_auto (Run) own = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&run, "train", "--task", task, "--shape", "tiny", "--data", fixture->data,
                 "--steps", "20", "--batch-tokens", "200", "--held-out", "0.5", "--json", "-o",
                 fixture->out, NULL);
  assert_done (&run);
  run_headlight (&own, "evaluate", "--model", fixture->out, "--json", NULL);
  answer = parse_output (&own);
  g_assert_cmpstr (eng_json_find (answer, "held_out_of")->valuestring, ==, fixture->data);
  g_assert_cmpfloat (get_figure (answer, "n"), >, 1);
  g_assert_cmpfloat (get_figure (answer, "n"), ==,
                     find_event (run.out, "begin", "held_out_texts"));
  if (strcmp (task, "next-word") == 0)
    g_assert_cmpfloat_with_epsilon (get_figure (answer, "loss"),
                                    find_event (run.out, "end", "held_out"), 1e-4);
}

static void
test_own (Fixture       *fixture,
          gconstpointer  data)
{
  const Task *task = data;

  write_lines (fixture->data, task, 0, 60);
  check_own (fixture, task->task);
}

/* Texts, the last task's with a translation. */
static void
test_own_texts (Fixture       *fixture,
                gconstpointer  data)
{
  static const char *const of_texts[] = { "masked", "next-word", "translate" };

  for (guint kind = 0; kind < G_N_ELEMENTS (of_texts); kind++) {
    g_autoptr (GString) lines = g_string_new (NULL);
    g_autofree char *out = g_steal_pointer (&fixture->out);

    fixture->out = g_strdup_printf ("%s-%s", out, of_texts[kind]);
    for (int i = 0; i < 60; i++) {
      g_autofree char *text = make_text (i, TRUE);

      g_string_append_printf (lines, "%s number %d%s\n", text, i, kind == 2 ? "\tla réponse" : "");
    }
    g_assert_true (g_file_set_contents (fixture->data, lines->str, -1, NULL));
    check_own (fixture, of_texts[kind]);
  }
}

static void
train_pairs (const Fixture *fixture,
             Run           *run)
{
  run_headlight (run, "train", "--task", "pairs", "--shape", "tiny", "--data", fixture->data,
                 "--steps", "1", "--held-out", "0.5", "-o", fixture->out, NULL);
  g_assert_cmpint (run->status, ==, 0);
}

/* Where most pairs hang together both say that the first text decides. */
static void
test_joined (Fixture       *fixture,
             gconstpointer  data)
{
  static const char *const said = "60 pairs, more than half of them, hang together by texts that "
                                  "they share: the first text of each decides what is held out";
  g_autoptr (GString) lines = g_string_new (NULL);
  g_auto (Run) run = { 0 };
  g_auto (Run) own = { 0 };
  g_autofree char *card = NULL;
  int n = 0;

  for (int i = 0; i < 60; i++) {
    g_autofree char *first = g_strdup_printf ("text %d", i);

    n += eng_texts_is_held_out (first, 0.5);
    g_string_append_printf (lines, "%s\tthe same\t%s\n", first, i % 2 ? "x" : "y");
  }
  g_assert_true (g_file_set_contents (fixture->data, lines->str, -1, NULL));
  train_pairs (fixture, &run);
  g_assert_nonnull (strstr (run.err, said));
  card = checkpoint_read_file (fixture->out, "README.md", NULL);
  g_assert_nonnull (strstr (card, said));
  run_headlight (&own, "evaluate", "--model", fixture->out, NULL);
  g_assert_nonnull (strstr (own.err, said));
  g_assert_cmpint (atoi (strchr (own.out, '\t') + 1), ==, n);
}

/* A folder of a version that went by the first text is asked what that one held out. */
static void
test_by_first (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *path = g_build_filename (fixture->out, "training.json", NULL);
  g_autofree char *record = NULL, *older = NULL;
  g_auto (GStrv) parts = NULL;
  g_auto (Run) run = { 0 };
  g_auto (Run) newer = { 0 };
  g_auto (Run) own = { 0 };
  int n = 0;

  for (int i = 0; i < 60; i++) {
    g_autofree char *first = g_strdup_printf ("text %d", i);

    n += eng_texts_is_held_out (first, 0.5);
    g_string_append_printf (lines, "%s\tshared %d\t%s\n", first, i / 6, i % 2 ? "x" : "y");
  }
  g_assert_true (g_file_set_contents (fixture->data, lines->str, -1, NULL));
  train_pairs (fixture, &run);
  g_assert_null (strstr (run.err, "hang together"));
  run_headlight (&newer, "evaluate", "--model", fixture->out, NULL);
  assert_done (&newer);
  g_assert_cmpint (atoi (strchr (newer.out, '\t') + 1) % 6, ==, 0);
  g_assert_cmpint (n % 6, !=, 0);
  g_assert_true (g_file_get_contents (path, &record, NULL, NULL));
  parts = g_strsplit (record, "\"version\":\t2", 2);
  g_assert_nonnull (parts[1]);
  older = g_strjoinv ("\"version\":\t1", parts);
  g_assert_true (g_file_set_contents (path, older, -1, NULL));
  run_headlight (&own, "evaluate", "--model", fixture->out, NULL);
  assert_done (&own);
  g_assert_cmpint (atoi (strchr (own.out, '\t') + 1), ==, n);
}

/* Where there is no such share it says so: no training, nothing held out, another file. */
static void
test_own_refused (Fixture       *fixture,
                  gconstpointer  data)
{
  g_auto (Run) none = { 0 };
  g_auto (Run) run = { 0 };
  g_auto (Run) whole = { 0 };
  g_auto (Run) changed = { 0 };
  g_auto (Run) other = { 0 };
  g_auto (Run) seed = { 0 };
  g_autofree char *second = g_strconcat (fixture->out, "-second", NULL);

  run_headlight (&none, "evaluate", NULL);
  assert_refused (&none, 1, "headlight-mini has no record of a training");
  write_lines (fixture->data, &tasks[0], 0, 40);
  run_headlight (&run, "train", "--task", "classify", "--shape", "tiny", "--data", fixture->data,
                 "--steps", "1", "--held-out", "0", "--json", "-o", fixture->out, NULL);
  assert_done (&run);
  run_headlight (&whole, "evaluate", "--model", fixture->out, NULL);
  assert_refused (&whole, 1, "the training of out held nothing out");
  run_headlight (&other, "train", "--task", "classify", "--shape", "tiny", "--data", fixture->data,
                 "--steps", "1", "--held-out", "0.5", "--json", "-o", second, NULL);
  assert_done (&other);
  run_headlight (&seed, "evaluate", "--model", second, "--seed", "1", NULL);
  assert_refused (&seed, 2, "--seed does nothing for the task classify; leave it out");
  write_lines (fixture->data, &tasks[0], 0, 41);
  run_headlight (&changed, "evaluate", "--model", fixture->out, NULL);
  assert_refused (&changed, 1, "is another file than the one that the training began with");
}

/* A seed masks the same words again, another one others. */
static void
test_masked (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_auto (Run) other = { 0 };
  g_autoptr (cJSON) first = NULL, second = NULL, third = NULL;

  for (int i = 0; i < 40; i++)
    g_string_append_printf (lines, "The %s is in the %s.\n", animals[i % 4], things[i / 4 % 4]);
  g_assert_true (g_file_set_contents (fixture->test, lines->str, -1, NULL));
  first = evaluate ("masked", "headlight-mini", fixture->test);
  second = evaluate ("masked", "headlight-mini", fixture->test);
  run_headlight (&other, "evaluate", "--task", "masked", "--seed", "5", "--data", fixture->test,
                 "--json", NULL);
  third = parse_output (&other);
  g_assert_true (cJSON_Compare (first, second, TRUE));
  g_assert_false (cJSON_Compare (first, third, TRUE));
  /* Of 8,192 words it finds a good part. */
  g_assert_cmpfloat (get_figure (first, "accuracy"), >, 0.25);
  g_assert_cmpfloat (get_figure (first, "loss"), <, 5);
}

/* Where `predict` wrote the references everything is as expected. */
static void
test_translations (Fixture       *fixture,
                   gconstpointer  data)
{
  static const char *const texts[] = { SENTENCE, "The letters were written in the winter." };
  char *model = task_checkpoint_assemble ("marian-languages");
  g_autoptr (GString) lines = g_string_new (NULL);
  g_auto (Run) run = { 0 };
  g_auto (Run) unsaid = { 0 };
  g_autoptr (cJSON) answer = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_auto (Run) predict = { 0 };

    run_headlight (&predict, "predict", "--model", model, "--lang", "en:German", texts[i], NULL);
    assert_done (&predict);
    g_string_append_printf (lines, "%s\t%s", texts[i], predict.out);
  }
  g_assert_true (g_file_set_contents (fixture->test, lines->str, -1, NULL));
  run_headlight (&run, "evaluate", "--task", "translate", "--model", model, "--lang", "en:German",
                 "--data", fixture->test, "--json", NULL);
  answer = parse_output (&run);
  g_assert_cmpfloat_with_epsilon (get_figure (answer, "bleu"), 100, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_figure (answer, "chrf"), 100, 1e-9);
  run_headlight (&unsaid, "evaluate", "--task", "translate", "--model", model, "--data",
                 fixture->test, NULL);
  assert_refused (&unsaid, 1, "test.tsv:1: ");
  temporary_free (model);
}

typedef struct {
  const char *model;
  const char *task;
  const char *bytes; /* LONG_LINE: the second line has 1 MiB */
  int         status;
  const char *part;
} Refusal;

#define MINI "headlight-mini"
#define CAUSAL "headlight-causal"
#define TRANSLATOR "headlight-en-fr"
#define LONG_LINE "long"
#define TOO_LONG "test.tsv:2: the line has 1048576 bytes, expected at most 65536"
#define NOT_UTF8 "test.tsv:3: the line is not UTF-8"

static const Refusal refusals[] = {
  { MINI, "masked", "the cat\na\tb\n", 1, "test.tsv:2: the line has several columns" },
  { MINI, "masked", "\n", 1, "test.tsv: there is no text" },
  { MINI, "masked", LONG_LINE, 1, TOO_LONG },
  { MINI, "masked", "the cat\n\n\xff\n", 1, NOT_UTF8 },
  { CAUSAL, "next-word", "the cat\na\tb\n", 1, "test.tsv:2: the line has several columns" },
  { CAUSAL, "next-word", LONG_LINE, 1, TOO_LONG },
  { CAUSAL, "next-word", "the cat\n\n\xff\n", 1, NOT_UTF8 },
  { TRANSLATOR, "translate", "a\tb\nc\n", 1, "test.tsv:2: the line has 1 column, expected 2" },
  { TRANSLATOR, "translate", "a\tb\tc\n", 1, "test.tsv:1: the line has 3 columns, expected 2" },
  { TRANSLATOR, "translate", "a\tb\n\nc\t\n", 1, "test.tsv:3: column 2 of the line is empty" },
  { TRANSLATOR, "translate", "a\tb\n\n\xff\n", 1, NOT_UTF8 },
  { MINI, "classify", "a\tb\n", 1, "no task head for text-classification" },
  { MINI, "next-word", "a\n", 1, "no task head for language-model" },
  { MINI, "sums", "a\n", 2, "--task is “sums”; it can be masked" },
};

static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *filling = g_strnfill (1 << 20, 'a');
  g_autofree char *long_line = g_strconcat ("the cat\n", filling, "\n", NULL);
  g_auto (Run) missing = { 0 };
  g_auto (Run) lang = { 0 };
  g_auto (Run) seed = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_auto (Run) run = { 0 };

    const char *bytes = refusals[i].bytes;

    g_assert_true (g_file_set_contents (fixture->test, strcmp (bytes, LONG_LINE) == 0 ? long_line
                                                                                      : bytes,
                                        -1, NULL));
    run_headlight (&run, "evaluate", "--model", refusals[i].model, "--task", refusals[i].task,
                   "--data", fixture->test, NULL);
    assert_refused (&run, refusals[i].status, refusals[i].part);
  }
  run_headlight (&lang, "evaluate", "--task", "masked", "--lang", "en:fr", "--data", fixture->test,
                 NULL);
  assert_refused (&lang, 1, "headlight-mini reads texts of any language alike, expected no --lang");
  run_headlight (&seed, "evaluate", "--task", "translate", "--seed", "1", "--data", fixture->test,
                 NULL);
  assert_refused (&seed, 2, "--seed does nothing for the task translate; leave it out");
  run_headlight (&missing, "evaluate", "--task", "masked", NULL);
  assert_refused (&missing, 2, "--data is missing");
}

/* It is done, and said which line was empty. */
static void
test_empty_line (Fixture       *fixture,
                 gconstpointer  data)
{
  g_auto (Run) run = { 0 };

  g_assert_true (g_file_set_contents (fixture->test, "The cat is asleep.\n\nA dog.\n", -1, NULL));
  run_headlight (&run, "evaluate", "--task", "masked", "--data", fixture->test, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_str_has_suffix (run.err, "test.tsv:2: the line is empty and was passed over\n"));
  g_assert_nonnull (strstr (run.out, "2 texts"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, data, test) g_test_add (path, Fixture, data, set_up, test, tear_down)
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++) {
    g_autofree char *path = g_strconcat ("/cli-evaluate/", tasks[i].task, NULL);

    ADD (path, &tasks[i], test_task);
  }
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++) {
    g_autofree char *path = g_strconcat ("/cli-evaluate/own/", tasks[i].task, NULL);

    ADD (path, &tasks[i], test_own);
  }
  ADD ("/cli-evaluate/own/texts", NULL, test_own_texts);
  ADD ("/cli-evaluate/own/joined", NULL, test_joined);
  ADD ("/cli-evaluate/own/by-first", NULL, test_by_first);
  ADD ("/cli-evaluate/own/refused", NULL, test_own_refused);
  ADD ("/cli-evaluate/labels", NULL, test_labels);
  ADD ("/cli-evaluate/next-words", NULL, test_next_words);
  ADD ("/cli-evaluate/masked", NULL, test_masked);
  ADD ("/cli-evaluate/translations", NULL, test_translations);
  ADD ("/cli-evaluate/refused", NULL, test_refused);
  ADD ("/cli-evaluate/empty-line", NULL, test_empty_line);

  return g_test_run ();
}
