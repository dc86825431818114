/* SPDX-License-Identifier: MIT */
/* Tasks, generation and models of two stacks on the command line, as a user calls it. What is
 * answered is held to transformers in tests/engine/predict/test-tasks.c; a few cases of it are here
 * again, through the program. */
#include <locale.h>

#include "engine/trace/trace-file.h"
#include "tests/app/cli/task-case.h"

static void
test_generate (void)
{
  char *folder = task_checkpoint_assemble ("text-writes");
  g_auto (Run) greedy = { 0 };
  g_auto (Run) beams = { 0 };
  g_auto (Run) plain = { 0 };
  g_autoptr (cJSON) first = NULL;
  g_autoptr (cJSON) second = NULL;

  run_headlight (&greedy, "predict", "--model", folder, "--json", "The old harbour", NULL);
  first = parse_output (&greedy);
  assert_recorded ("text-writes", "generate", "The old harbour", first);

  run_headlight (&beams, "predict", "--model", folder, "--json", "--task", "generate", "--beams",
                 "3", "--max-new-tokens", "9", "東京 and 😀", NULL);
  second = parse_output (&beams);
  assert_recorded ("text-writes", "generate", "東京 and 😀", second);

  run_headlight (&plain, "predict", "--model", folder, "The old harbour", NULL);
  assert_done (&plain);
  g_assert_true (g_str_has_prefix (plain.out,
                                   eng_json_find (get_result (first), "text")->valuestring));
  temporary_free (folder);
}

/* The tokens of two bytes change places in the folder's vocabulary. */
static void
swap_tokens (const char *folder,
             const char *one,
             const char *other)
{
  g_autofree char *path = g_build_filename (folder, "tokenizer.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) json = eng_json_read (path, 1 << 20, 16, &error);
  g_autofree char *text = NULL;
  cJSON *vocabulary;
  cJSON *first;
  cJSON *second;
  double id;

  g_assert_no_error (error);
  vocabulary = cJSON_GetObjectItem (cJSON_GetObjectItem (json, "model"), "vocab");
  first = cJSON_GetObjectItemCaseSensitive (vocabulary, one);
  second = cJSON_GetObjectItemCaseSensitive (vocabulary, other);
  id = first->valuedouble;
  cJSON_SetNumberValue (first, second->valuedouble);
  cJSON_SetNumberValue (second, id);
  text = cJSON_PrintUnformatted (json);
  checkpoint_write_file (folder, "tokenizer.json", text, -1);
}

/* What was byte 31 is byte 0, which transformers writes as it is. */
static void
test_zero_bytes (void)
{
  char *folder = task_checkpoint_assemble ("text-writes");
  g_auto (Run) json = { 0 };
  g_auto (Run) plain = { 0 };

  swap_tokens (folder, "\u0100", "\u011f");
  run_headlight (&json, "predict", "--model", folder, "--json", "--max-new-tokens", "2",
                 "The old harbour", NULL);
  assert_done (&json);
  g_assert_nonnull (strstr (json.out, "\"text\":\"\\u0000\\u0000\""));
  run_headlight (&plain, "predict", "--model", folder, "--max-new-tokens", "2", "The old harbour",
                 NULL);
  assert_done (&plain);
  g_assert_cmpstr (plain.out, ==, "");
  temporary_free (folder);
}

static cJSON *
predict_with (const char *folder,
              const char *option,
              const char *value)
{
  g_auto (Run) run = { 0 };

  run_headlight (&run, "predict", "--model", folder, "--json", option, value, "--temperature",
                 "50", "Nils", NULL);

  return parse_output (&run);
}

/* The one likeliest token is what is taken without drawing; a seed writes the same again. */
static void
test_draw (void)
{
  char *folder = task_checkpoint_assemble ("text-writes");
  g_autoptr (cJSON) narrow = predict_with (folder, "--top-k", "1");
  g_autoptr (cJSON) drawn = predict_with (folder, "--seed", "7");
  g_autoptr (cJSON) again = predict_with (folder, "--seed", "7");
  g_autoptr (cJSON) greedy = NULL;
  g_auto (Run) plain = { 0 };
  g_auto (Run) both = { 0 };

  run_headlight (&plain, "predict", "--model", folder, "--json", "Nils", NULL);
  greedy = parse_output (&plain);
  assert_same_json (get_ids (narrow), get_ids (greedy));
  assert_same_json (get_ids (drawn), get_ids (again));
  g_assert_false (cJSON_Compare (get_ids (drawn), get_ids (greedy), TRUE));

  run_headlight (&both, "predict", "--model", folder, "--seed", "7", "--beams", "2", "Nils", NULL);
  assert_refused (&both, 1, "num_beams 2");
  temporary_free (folder);
}

/* The same text for padding, and for a checkpoint with words that are for its own tasks. */
static void
test_generate_adds_nothing (void)
{
  char *folder = task_checkpoint_assemble ("tasks-writes");
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;

  checkpoint_add_to_config (folder, "\"prefix\": \"and so \"");
  run_headlight (&run, "predict", "--model", folder, "--json", "--task", "generate", "--pad-to",
                 "70", SENTENCE, NULL);
  answer = parse_output (&run);
  assert_recorded ("tasks-writes", "generate", SENTENCE, answer);
  temporary_free (folder);
}

static void
assert_default_task (const char *name,
                     const char *text_a,
                     const char *text_b,
                     const char *expected)
{
  char *folder = task_checkpoint_assemble (name);
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&run, "predict", "--model", folder, "--json", text_a, text_b, NULL);
  answer = parse_output (&run);
  g_assert_cmpstr (get_task (answer), ==, expected);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (answer, "results")), >, 0);
  temporary_free (folder);
}

static void
test_default_tasks (void)
{
  assert_default_task ("bytes-masked", "The <mask> sleeps", NULL, "fill-mask");
  assert_default_task ("bytes-classes", "The boat", "the salt", "text-classification");
  assert_default_task ("bytes-pairs", "The boat", "the salt", "text-classification");
  assert_default_task ("pieces-entities", "Nils in Köln", NULL, "entities");
  assert_default_task ("bytes-two-stack-answers", "Who?", "It was Nils.", "question-answering");
  assert_default_task ("bytes-writes", "It was Nils.", NULL, "generate");
  assert_default_task ("tasks-writes", "It was Nils.", NULL, "summarise");
}

/* A context of several windows; its answer stands in code points of the context. */
static void
test_long_context (void)
{
  g_autoptr (cJSON) recorded = task_checkpoint_read_cases ("words-answers");
  char *folder = task_checkpoint_assemble ("words-answers");
  const cJSON *entry = find_case (recorded, "question-answering", "Москва?");
  const char *context = eng_json_find (entry, "text_b")->valuestring;
  const cJSON *expected = cJSON_GetArrayItem (eng_json_find (entry, "results"), 0);
  const cJSON *result;
  g_autofree char *answer_text = NULL;
  g_auto (Run) run = { 0 };
  g_auto (Run) edited = { 0 };
  g_autoptr (cJSON) answer = NULL;
  int start, end;

  run_headlight (&run, "predict", "--model", folder, "--json", "Москва?", context, NULL);
  answer = parse_output (&run);
  result = get_result (answer);
  assert_same_json (eng_json_find (result, "answer"), eng_json_find (expected, "token"));
  start = eng_json_find (result, "start")->valueint;
  end = eng_json_find (result, "end")->valueint;
  g_assert_cmpint (start, ==, eng_json_find (expected, "start")->valueint);
  answer_text = g_utf8_substring (context, start, end);
  g_assert_cmpstr (answer_text, ==, eng_json_find (result, "answer")->valuestring);

  run_headlight (&edited, "predict", "--model", folder, "--edit", "zero 0.0", "Москва?", context,
                 NULL);
  assert_refused (&edited, 1, "parts");
  temporary_free (folder);
}

static EngTrace *
open_trace (const char *path)
{
  g_autoptr (GError) error = NULL;
  EngTrace *trace = eng_trace_file_open (path, &error);

  g_assert_no_error (error);

  return trace;
}

/* Ids of what is written with an edit. */
static cJSON *
write_edited (const char *folder,
              const char *edit)
{
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&run, "predict", "--model", folder, "--json", "--max-new-tokens", "8", "--edit",
                 edit, SENTENCE, NULL);
  answer = parse_output (&run);

  return cJSON_Duplicate (get_ids (answer), TRUE);
}

/* A text is written with the edits, and its picture is that of this text. */
static void
test_edited_writing (void)
{
  static const char edit[] = "skip-attention cross 0";
  char *folder = task_checkpoint_assemble ("bytes-writes");
  g_autofree char *path = g_build_filename (folder, "out.safetensors", NULL);
  g_autoptr (cJSON) plain = write_edited (folder, "off skip-attention cross 0");
  g_autoptr (cJSON) silent = write_edited (folder, "scale 0.* 1");
  g_autoptr (cJSON) edited = write_edited (folder, edit);
  g_auto (Run) trace_run = { 0 };
  g_auto (Run) refused = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  const EngTokens *decoder;

  assert_same_json (plain, silent);
  g_assert_false (cJSON_Compare (plain, edited, TRUE));

  run_headlight (&trace_run, "trace", "--model", folder, "--max-new-tokens", "8", "--edit", edit,
                 "--edit", "delete decoder 1", "-o", path, SENTENCE, NULL);
  assert_done (&trace_run);
  trace = open_trace (path);
  decoder = eng_trace_get_query_tokens (trace, ENG_KIND_DECODER);
  for (int i = 1; i < decoder->n; i++)
    g_assert_cmpint (decoder->ids[i], ==, cJSON_GetArrayItem (edited, i)->valueint);
  g_assert_cmpint (decoder->n, >=, cJSON_GetArraySize (edited) - 1);

  run_headlight (&refused, "predict", "--model", folder, "--edit", "zero decoder 9.0", SENTENCE,
                 NULL);
  assert_refused (&refused, 1, "there is no layer 9");
  temporary_free (folder);
}

/* Of what a model writes, `tokenize` prints what the trace has. */
static void
check_tokenized (const char      *folder,
                 const EngTokens *decoder)
{
  g_auto (Run) table = { 0 };
  g_auto (Run) tokenize = { 0 };
  g_autoptr (cJSON) tokens = NULL;
  const cJSON *ids;

  run_headlight (&table, "tokenize", "--model", folder, "--pad-to", "90", SENTENCE, NULL);
  assert_done (&table);
  g_assert_nonnull (strstr (table.out, "\ttemplate\t"));
  g_assert_nonnull (strstr (table.out, "\tpadding\t"));
  g_assert_nonnull (strstr (table.out, "\twritten\t"));

  run_headlight (&tokenize, "tokenize", "--model", folder, "--json", SENTENCE, NULL);
  tokens = parse_output (&tokenize);
  ids = eng_json_find (eng_json_find (tokens, "decoder"), "ids");
  g_assert_cmpint (cJSON_GetArraySize (ids), ==, decoder->n);
  for (int i = 0; i < decoder->n; i++)
    g_assert_cmpint (decoder->ids[i], ==, cJSON_GetArrayItem (ids, i)->valueint);
}

/* Padding changes nothing of it. */
static void
check_padded (const char      *folder,
              const EngTokens *decoder)
{
  g_autofree char *padded_path = g_build_filename (folder, "padded.safetensors", NULL);
  g_auto (Run) padded_run = { 0 };
  g_autoptr (EngTrace) padded = NULL;
  gsize size = (gsize) decoder->n * sizeof (gint32);

  run_headlight (&padded_run, "trace", "--model", folder, "--pad-to", "90", "-o", padded_path,
                 SENTENCE, NULL);
  assert_done (&padded_run);
  padded = open_trace (padded_path);
  g_assert_cmpint (eng_trace_get_n_queries (padded, ENG_KIND_ENCODER), ==, 90);
  g_assert_cmpmem (eng_trace_get_query_tokens (padded, ENG_KIND_DECODER)->ids, size,
                   decoder->ids, size);
}

/* Decoder tokens are the start token and what generate gives without the end token. */
static void
test_empty_b_is_generated (void)
{
  char *folder = task_checkpoint_assemble ("bytes-writes");
  g_autofree char *path = g_build_filename (folder, "out.safetensors", NULL);
  g_auto (Run) predict = { 0 };
  g_auto (Run) trace_run = { 0 };
  g_autoptr (cJSON) text = NULL;
  g_autoptr (cJSON) counts = NULL;
  g_autoptr (EngTrace) trace = NULL;
  const EngTokens *decoder;
  const cJSON *ids;
  EngMatrix logits;
  const int *positions;
  int n;

  run_headlight (&predict, "predict", "--model", folder, "--json", SENTENCE, NULL);
  text = parse_output (&predict);
  ids = get_ids (text);
  n = cJSON_GetArraySize (ids);
  /* </s> */
  g_assert_cmpint (cJSON_GetArrayItem (ids, n - 1)->valueint, ==, 2);

  run_headlight (&trace_run, "trace", "--model", folder, "--json", "--logits", "-o", path,
                 SENTENCE, NULL);
  counts = parse_output (&trace_run);
  trace = open_trace (path);
  decoder = eng_trace_get_query_tokens (trace, ENG_KIND_DECODER);
  g_assert_cmpint (decoder->n, ==, n);
  g_assert_cmpint (eng_json_find (eng_json_find (counts, "tokens"), "decoder")->valueint, ==, n);
  for (int i = 0; i + 1 < n; i++)
    g_assert_cmpint (decoder->ids[i + 1], ==, cJSON_GetArrayItem (ids, i)->valueint);
  g_assert_true (eng_trace_get_logits (trace, ENG_TASK_LANGUAGE_MODEL, &logits, &positions));
  g_assert_cmpint (logits.rows, ==, n);

  check_tokenized (folder, decoder);
  check_padded (folder, decoder);
  temporary_free (folder);
}

/* A folder with a config alone: texts are token ids, weights follow from the seed. */
static void
test_random_weights (void)
{
  char *source = task_checkpoint_assemble ("text-writes");
  char *folder = temporary_new ();
  g_autofree char *config = checkpoint_read_file (source, "config.json", NULL);
  g_auto (Run) refused = { 0 };
  g_auto (Run) one = { 0 };
  g_auto (Run) same = { 0 };
  g_auto (Run) other = { 0 };

  checkpoint_write_file (folder, "config.json", config, -1);
  run_headlight (&refused, "predict", "--model", folder, "5 9 12", NULL);
  assert_refused (&refused, 1, "model.safetensors");

  run_headlight (&one, "predict", "--model", folder, "--random-weights", "7", "5 9 12", NULL);
  assert_done (&one);
  g_assert_true (g_ascii_isdigit (one.out[0]));
  run_headlight (&same, "predict", "--model", folder, "--random-weights", "7", "5 9 12", NULL);
  g_assert_cmpstr (same.out, ==, one.out);
  run_headlight (&other, "predict", "--model", folder, "--random-weights", "8", "5 9 12", NULL);
  assert_done (&other);
  g_assert_cmpstr (other.out, !=, one.out);
  temporary_free (source);
  temporary_free (folder);
}

static void
test_bench_and_models (void)
{
  char *home = temporary_new ();
  g_autofree char *store = g_build_filename (home, "headlight", "models", NULL);
  g_autofree char *place = g_build_filename (store, "two", NULL);
  char *folder = task_checkpoint_assemble ("tasks-writes");
  g_auto (Run) bench = { 0 };
  g_auto (Run) models = { 0 };
  g_autoptr (cJSON) times = NULL;
  g_autoptr (cJSON) list = NULL;
  const cJSON *model;

  run_headlight (&bench, "bench", "--json", "--model", folder, "--tokens", "9", NULL);
  times = parse_output (&bench);
  g_assert_cmpfloat (eng_json_find (cJSON_GetArrayItem (eng_json_find (times, "runs"), 0),
                                    "gflops")->valuedouble, >, 0);

  g_assert_cmpint (g_mkdir_with_parents (store, 0700), ==, 0);
  g_assert_cmpint (g_rename (folder, place), ==, 0);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  run_headlight (&models, "models", "--json", NULL);
  g_unsetenv ("XDG_DATA_HOME");
  list = parse_output (&models);
  cJSON_ArrayForEach (model, eng_json_find (list, "models"))
    if (g_str_equal (eng_json_find (model, "name")->valuestring, "two"))
      break;
  g_assert_nonnull (model);
  g_assert_cmpint (eng_json_find (eng_json_find (model, "layers"), "decoder")->valueint, ==, 2);
  g_assert_cmpint (eng_json_find (eng_json_find (model, "heads"), "encoder")->valueint, ==, 3);
  temporary_free (home);
  g_free (folder);
}

static void
test_wrong_usage (void)
{
  static const struct { const char *arguments[3]; const char *says; } cases[] = {
    { { "--task", "language-model" }, "summarise, translate, generate" },
    { { "--beams", "0" }, "beams is \"0\"" },
    { { "--beams", "65" }, "from 1 to 64" },
    { { "--temperature", "0" }, "temperature is \"0\"" },
    { { "--temperature", "0,5" }, "with a point" },
    { { "--top-p", "1.5" }, "top-p" },
    { { "--max-new-tokens", "0" }, "max-new-tokens" },
    { { "--lang", "en:" }, "or two with a colon" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *const *a = cases[i].arguments;
    g_auto (Run) run = { 0 };

    run_headlight (&run, "predict", a[0], a[1], "a", NULL);
    assert_refused (&run, 2, cases[i].says);
  }
}

static void
test_models_that_do_not_write (void)
{
  g_auto (Run) generate = { 0 };
  g_auto (Run) lang = { 0 };

  run_headlight (&generate, "predict", "--task", "generate", "a", NULL);
  assert_refused (&generate, 1, "it has fill-mask, next-sentence");
  run_headlight (&lang, "tokenize", "--lang", "en:de", "a", NULL);
  assert_refused (&lang, 1, "it has fill-mask, next-sentence");
}

/* A pair without a mask asks for the order of its sentences. */
static void
test_sentence_order (void)
{
  char *folder = task_checkpoint_assemble ("albert-order");
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;
  const cJSON *first;

  run_headlight (&run, "predict", "--model", folder, "--json", "The boat carried bread.",
                 "A boat had bread & salt on board.", NULL);
  answer = parse_output (&run);
  g_assert_cmpstr (get_task (answer), ==, "sentence-order");
  first = eng_json_find (answer, "results")->child;
  g_assert_cmpstr (eng_json_find (first, "label")->valuestring, ==, "swapped");
  g_assert_cmpstr (eng_json_find (first->next, "label")->valuestring, ==, "in-order");
  temporary_free (folder);
}

/* Every typed token and whether it was replaced, with its place. */
static void
test_replaced_tokens (void)
{
  char *folder = task_checkpoint_assemble ("words-replaced");
  g_autoptr (cJSON) recorded = task_checkpoint_read_cases ("words-replaced");
  const cJSON *lines = eng_json_find (find_case (recorded, "replaced-tokens", SENTENCE), "results");
  const cJSON *line, *result;
  g_auto (Run) json = { 0 };
  g_auto (Run) table = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&json, "predict", "--model", folder, "--json", SENTENCE, NULL);
  answer = parse_output (&json);
  g_assert_cmpstr (get_task (answer), ==, "replaced-tokens");
  result = eng_json_find (answer, "results")->child;
  cJSON_ArrayForEach (line, lines) {
    g_assert_cmpstr (eng_json_find (result, "label")->valuestring, ==,
                     eng_json_find (line, "label")->valuestring);
    assert_same_json (eng_json_find (result, "position"), eng_json_find (line, "position"));
    assert_same_json (eng_json_find (result, "start"), eng_json_find (line, "start"));
    assert_same_json (eng_json_find (result, "end"), eng_json_find (line, "end"));
    result = result->next;
  }
  g_assert_null (result);
  g_assert_cmpstr (eng_json_find (eng_json_find (answer, "results")->child, "token")->valuestring,
                   ==, "ad");

  run_headlight (&table, "predict", "--model", folder, "--task", "replaced-tokens", SENTENCE, NULL);
  assert_done (&table);
  g_assert_nonnull (strstr (table.out, "\tad\treplaced\tcharacters 0-2\n"));
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("HEADLIGHT_PROGRAM"));

  g_test_add_func ("/app/cli-tasks/generate", test_generate);
  g_test_add_func ("/app/cli-tasks/zero-bytes", test_zero_bytes);
  g_test_add_func ("/app/cli-tasks/draw", test_draw);
  g_test_add_func ("/app/cli-tasks/generate-adds-nothing", test_generate_adds_nothing);
  g_test_add_func ("/app/cli-tasks/default-tasks", test_default_tasks);
  g_test_add_func ("/app/cli-tasks/replaced-tokens", test_replaced_tokens);
  g_test_add_func ("/app/cli-tasks/sentence-order", test_sentence_order);
  g_test_add_func ("/app/cli-tasks/long-context", test_long_context);
  g_test_add_func ("/app/cli-tasks/edited-writing", test_edited_writing);
  g_test_add_func ("/app/cli-tasks/empty-b", test_empty_b_is_generated);
  g_test_add_func ("/app/cli-tasks/random-weights", test_random_weights);
  g_test_add_func ("/app/cli-tasks/bench-and-models", test_bench_and_models);
  g_test_add_func ("/app/cli-tasks/wrong-usage", test_wrong_usage);
  g_test_add_func ("/app/cli-tasks/no-writer", test_models_that_do_not_write);

  return g_test_run ();
}
