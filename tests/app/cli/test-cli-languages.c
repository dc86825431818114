/* SPDX-License-Identifier: MIT */
/* Languages of a translation on the command line: what a checkpoint's tasks say, the token before
 * the text, and the token around each of both texts. */
#include <locale.h>

#include "tests/app/cli/task-case.h"
#include "tests/support/untrained.h"

static void
test_languages_of_tasks (void)
{
  char *folder = task_checkpoint_assemble ("tasks-writes");
  g_auto (Run) summary = { 0 };
  g_auto (Run) translation = { 0 };
  g_auto (Run) unnamed = { 0 };
  g_auto (Run) both = { 0 };
  g_auto (Run) absent = { 0 };
  g_autoptr (cJSON) first = NULL;
  g_autoptr (cJSON) second = NULL;
  g_autoptr (cJSON) third = NULL;

  run_headlight (&summary, "predict", "--model", folder, "--json", SENTENCE, NULL);
  first = parse_output (&summary);
  assert_recorded ("tasks-writes", "summarise", SENTENCE, first);

  run_headlight (&translation, "predict", "--model", folder, "--json", "--task", "translate",
                 "--lang", "English:deu", SENTENCE, NULL);
  second = parse_output (&translation);
  assert_recorded ("tasks-writes", "translate", SENTENCE, second);

  run_headlight (&unnamed, "predict", "--model", folder, "--json", "--lang", "en:de", SENTENCE,
                 NULL);
  third = parse_output (&unnamed);
  assert_recorded ("tasks-writes", "translate", SENTENCE, third);

  run_headlight (&both, "predict", "--model", folder, "--task", "summarise", "--lang", "en:de",
                 SENTENCE, NULL);
  assert_refused (&both, 1, "a summary has no languages");
  run_headlight (&absent, "predict", "--model", folder, "--task", "translate", "--lang", "en:fr",
                 SENTENCE, NULL);
  assert_refused (&absent, 1, "en:de, en:ro");
  temporary_free (folder);
}

static void
test_language_tokens (void)
{
  char *folder = task_checkpoint_assemble ("marian-languages");
  g_auto (Run) german = { 0 };
  g_auto (Run) unsaid = { 0 };
  g_auto (Run) absent = { 0 };
  g_auto (Run) summary = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&german, "predict", "--model", folder, "--json", "--lang", "en:German", SENTENCE,
                 NULL);
  answer = parse_output (&german);
  assert_recorded ("marian-languages", "translate", SENTENCE, answer);

  run_headlight (&unsaid, "predict", "--model", folder, SENTENCE, NULL);
  assert_refused (&unsaid, 1, "eng:deu, eng:fra, eng:pt_br");
  run_headlight (&absent, "predict", "--model", folder, "--lang", "de:fr", SENTENCE, NULL);
  assert_refused (&absent, 1, "eng:deu, eng:fra, eng:pt_br");
  run_headlight (&summary, "predict", "--model", folder, "--task", "summarise", SENTENCE, NULL);
  assert_refused (&summary, 1, "it can translate, generate");
  temporary_free (folder);
}

/* Any two of the model's languages; the second is the first token that is written, and stands
 * before B where B is there. */
static void
test_any_pair (void)
{
  char *folder = task_checkpoint_assemble ("m2m-languages");
  g_auto (Run) pair = { 0 };
  g_auto (Run) unsaid = { 0 };
  g_auto (Run) absent = { 0 };
  g_auto (Run) tokens = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&pair, "predict", "--model", folder, "--json", "--lang", "en:German", SENTENCE,
                 NULL);
  answer = parse_output (&pair);
  assert_recorded ("m2m-languages", "translate", SENTENCE, answer);

  run_headlight (&unsaid, "predict", "--model", folder, SENTENCE, NULL);
  assert_refused (&unsaid, 1, "any two of af, am, ar, ");
  run_headlight (&absent, "predict", "--model", folder, "--lang", "de:Esperanto", SENTENCE, NULL);
  assert_refused (&absent, 1, "any two of af, am, ar, ");
  run_headlight (&tokens, "tokenize", "--model", folder, "--lang", "French:zulu", "--json", "a",
                 "b", NULL);
  g_assert_nonnull (strstr (tokens.out, "[\"__fr__\",\"▁a\",\"</s>\"]"));
  g_assert_nonnull (strstr (tokens.out, "[\"</s>\",\"__zu__\",\"▁b\"]"));
  temporary_free (folder);
}

/* A control code by its name or number, before the text, or typed; what is none is a part of a word. */
static void
test_control_codes (void)
{
  char *folder = control_code_folder_new (CONTROL_CODE_VOCABULARY);
  g_auto (Run) code = { 0 };
  g_auto (Run) number = { 0 };
  g_auto (Run) typed = { 0 };
  g_auto (Run) none = { 0 };

  run_headlight (&code, "tokenize", "--model", folder, "--random-weights", "1", "--json",
                 "--prefix", "Science", "x", NULL);
  g_assert_nonnull (strstr (code.out, "[2090,1]"));
  run_headlight (&number, "tokenize", "--model", folder, "--random-weights", "1", "--json",
                 "--prefix", "2090", "x", NULL);
  g_assert_nonnull (strstr (number.out, "[2090,1]"));
  run_headlight (&typed, "tokenize", "--model", folder, "--random-weights", "1", "--json",
                 "Science x", NULL);
  g_assert_nonnull (strstr (typed.out, "[2090,1]"));
  run_headlight (&none, "tokenize", "--model", folder, "--random-weights", "1", "--json",
                 "--prefix", "Joke", "x", NULL);
  g_assert_nonnull (strstr (none.out, "[0,0,1]"));
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_assert_nonnull (g_getenv ("HEADLIGHT_PROGRAM"));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/cli-languages/tasks", test_languages_of_tasks);
  g_test_add_func ("/app/cli-languages/tokens", test_language_tokens);
  g_test_add_func ("/app/cli-languages/any-pair", test_any_pair);
  g_test_add_func ("/app/cli-languages/control-codes", test_control_codes);

  return g_test_run ();
}
