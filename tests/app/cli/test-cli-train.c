/* SPDX-License-Identifier: MIT */
/* `headlight train` as a person calls it: the same curve on any number of threads, what its folder
 * has, refusals in a sentence. */
#include "tests/app/cli/train-case.h"

/* All bits of the curve and of the weights. */
static void
check_threads (const Fixture *fixture,
               const char    *task,
               const char    *model)
{
  g_autoptr (GArray) one = train (fixture, task, model, "1", "one");
  g_autoptr (GArray) two = train (fixture, task, model, "2", "two");
  const Point *first = &g_array_index (one, Point, 0);
  const Point *last = &g_array_index (one, Point, one->len - 1);
  g_autofree char *one_folder = g_build_filename (fixture->folder, "one", NULL);
  g_autofree char *two_folder = g_build_filename (fixture->folder, "two", NULL);
  gsize n, n_other;
  g_autofree char *weights = checkpoint_read_file (one_folder, "model.safetensors", &n);
  g_autofree char *other = checkpoint_read_file (two_folder, "model.safetensors", &n_other);

  assert_same (one, two);
  g_assert_cmpmem (weights, n, other, n_other);
  g_assert_cmpfloat (first->step, ==, 0);
  g_assert_cmpfloat (last->step, ==, 25);
  g_assert_cmpfloat (last->held_out, <, first->held_out);
}

static void
test_threads (Fixture       *fixture,
              gconstpointer  data)
{
  check_threads (fixture, "masked", fixture->masked);
}

static void
test_threads_next_word (Fixture       *fixture,
                        gconstpointer  data)
{
  check_threads (fixture, "next-word", fixture->causal);
}

/* The folder is a model. */
static void
test_folder (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GArray) points = train (fixture, "masked", fixture->masked, "2", "out");
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&run, "predict", "--model", fixture->out, "--json", "the [MASK] sat", NULL);
  answer = parse_output (&run);
  g_assert_nonnull (cJSON_GetObjectItemCaseSensitive (answer, "results"));
}

static void
add_steps (const Fixture *fixture,
           const char    *out,
           const char    *steps,
           const char    *flag,
           GArray        *points)
{
  g_autofree char *folder = g_build_filename (fixture->folder, out, NULL);
  g_auto (Run) run = { 0 };

  if (g_file_test (folder, G_FILE_TEST_EXISTS))
    run_headlight (&run, "train", "--resume", "--steps", steps, "--json", "-o", folder, NULL);
  else
    run_headlight (&run, "train", "--task", "masked", "--data", fixture->data, "--from",
                   fixture->masked, "--steps", steps, "--decay", "none", "--warm-up", "0",
                   "--held-out", "0.2", "--json", "-o", folder, flag, NULL);
  assert_done (&run);
  add_points (points, run.out);
}

/* Weights are half as large, and it goes on from the whole ones. */
static void
test_f16 (Fixture       *fixture,
          gconstpointer  data)
{
  g_autoptr (GArray) whole = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GArray) half = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autofree char *whole_folder = g_build_filename (fixture->folder, "whole", NULL);
  g_autofree char *half_folder = g_build_filename (fixture->folder, "half", NULL);
  g_autofree char *whole_weights = NULL, *half_weights = NULL;
  gsize n, n_half;

  add_steps (fixture, "whole", "20", NULL, whole);
  add_steps (fixture, "half", "10", "--f16", half);
  /* The end has a point of its own. */
  g_array_set_size (half, half->len - 1);
  g_array_remove_range (whole, half->len, whole->len - half->len - 1);
  add_steps (fixture, "half", "20", NULL, half);
  assert_same (whole, half);
  whole_weights = checkpoint_read_file (whole_folder, "model.safetensors", &n);
  half_weights = checkpoint_read_file (half_folder, "model.safetensors", &n_half);
  g_assert_cmpuint (n_half, <, n * 3 / 4);
}

/* It ends by itself, and what was held out is asked at the end. */
static void
test_minutes (Fixture       *fixture,
              gconstpointer  data)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_auto (Run) run = { 0 };

  run_headlight (&run, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--minutes", "0.02", "--held-out", "0.2", "--json", "-o",
                 fixture->out, NULL);
  assert_done (&run);
  add_points (points, run.out);
  g_assert_cmpuint (points->len, >, 1);
  g_assert_cmpfloat (g_array_index (points, Point, points->len - 1).held_out, >, 0);
  g_assert_nonnull (strstr (run.out, "\"event\":\"end\""));
}

/* Another choice of words than of pieces, where words have several. */
static void
test_whole_words (Fixture       *fixture,
                  gconstpointer  data)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (Point));

  g_assert_true (g_file_set_contents (fixture->data, "the cats jumps on mats\ndogs sating\n"
                                                     "arrows like bananas\ncating on dogs\n",
                                      -1, NULL));
  add_steps (fixture, "pieces", "5", NULL, pieces);
  add_steps (fixture, "words", "5", "--whole-words", words);
  g_assert_cmpuint (pieces->len, ==, words->len);
  g_assert_cmpint (memcmp (pieces->data, words->data, words->len * sizeof (Point)), !=, 0);
}

static char *
read_file (const Fixture *fixture,
           const char    *name)
{
  g_autofree char *path = g_build_filename (fixture->out, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return text;
}

static cJSON *
begin_shape (const Fixture *fixture,
             const char    *task,
             const char    *config,
             const char    *name)
{
  g_autofree char *shape = g_build_filename (fixture->folder, "shape.json", NULL);
  g_autofree char *text = NULL;
  g_auto (Run) run = { 0 };

  g_assert_true (g_file_set_contents (shape, config, -1, NULL));
  run_headlight (&run, "train", "--task", task, "--shape", shape, "--data", fixture->data,
                 "--steps", "1", "--json", "-o", fixture->out, NULL);
  assert_done (&run);
  text = read_file (fixture, name);

  return cJSON_Parse (text);
}

#define SMALL "\"hidden_size\": 16, \"num_hidden_layers\": 1, \"num_attention_heads\": 2,"            \
  " \"intermediate_size\": 16, \"vocab_size\": 400"
#define SMALL_BART "\"d_model\": 16, \"encoder_layers\": 1, \"decoder_layers\": 1,"                   \
  " \"encoder_attention_heads\": 2, \"decoder_attention_heads\": 2, \"encoder_ffn_dim\": 16,"         \
  " \"decoder_ffn_dim\": 16, \"vocab_size\": 400, \"max_position_embeddings\": 64"

/* transformers gives a model all that the tokenizer's file lists, and as many tokens as it says:
 * RoBERTa has two positions that no token is at. Pairs are read in either case. */
static void
test_input_names (Fixture       *fixture,
                  gconstpointer  types)
{
  g_autofree char *config = g_strdup_printf ("{\"model_type\": \"roberta\", \"architectures\":"
                                             " [\"RobertaForMaskedLM\"], \"type_vocab_size\": %s,"
                                             " \"max_position_embeddings\": 66,"
                                             " \"pad_token_id\": 1, " SMALL "}",
                                             (const char *) types);
  g_autoptr (cJSON) written = begin_shape (fixture, "masked", config, "tokenizer_config.json");
  const cJSON *names = cJSON_GetObjectItemCaseSensitive (written, "model_input_names");
  g_auto (Run) run = { 0 };

  g_assert_cmpint (cJSON_GetArraySize (names), ==, strcmp (types, "2") == 0 ? 3 : 0);
  g_assert_cmpfloat (get_number (written, "model_max_length"), ==, 64);
  run_headlight (&run, "predict", "--model", fixture->out, "the [MASK] sat", "the dog", NULL);
  assert_done (&run);
}

/* Whatever the shape says, a translation begins with what the tokenizer has for it. */
static void
test_decoder_start (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autoptr (cJSON) config = NULL, generation = NULL;
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (fixture->data, "the cat\tle chat\nthe dog\tle chien\n", -1,
                                      NULL));
  config = begin_shape (fixture, "translate", "{\"model_type\": \"bart\", \"architectures\":"
                        " [\"BartForConditionalGeneration\"], " SMALL_BART "}", "config.json");
  text = read_file (fixture, "generation_config.json");
  generation = cJSON_Parse (text);
  g_assert_cmpfloat (get_number (config, "decoder_start_token_id"), ==,
                     get_number (generation, "decoder_start_token_id"));
}

/* A model from nothing has a tokenizer of the data, as large as was asked for. */
static void
test_shape (Fixture       *fixture,
            gconstpointer  data)
{
  g_auto (Run) run = { 0 };
  g_auto (Run) models = { 0 };
  g_autoptr (cJSON) config = NULL;
  g_autofree char *text = NULL;

  run_headlight (&run, "train", "--task", "next-word", "--shape", "tiny", "--vocabulary", "300",
                 "--data", fixture->data, "--steps", "3", "--json", "-o", fixture->out, NULL);
  assert_done (&run);
  text = checkpoint_read_file (fixture->out, "config.json", NULL);
  config = cJSON_Parse (text);
  g_assert_cmpfloat (get_number (config, "vocab_size"), <=, 300);
  run_headlight (&models, "predict", "--model", fixture->out, "--max-new-tokens", "2", "the cat",
                 NULL);
  assert_done (&models);
}


/* A new model in its folder, whose card says how it came about, and where its data lies on this
 * machine nowhere. */
static void
test_card (Fixture       *fixture,
           gconstpointer  data)
{
  static const char *const said[] = {
    "pipeline_tag: text-generation\n", "\n# out\n", "from random weights", "| GPT2LMHeadModel |",
    "| file | texts.txt |", "| SHA-256 | ", "| seed | 77 |", "| steps taken | 12 |", "| f16 | yes |",
    "\n| 0 |  | ", "\n| 12 | ", "--model out ", "AutoModelForCausalLM",
  };
  g_auto (Run) run = { 0 };
  g_autofree char *card = NULL, *config = NULL, *generation = NULL;

  run_headlight (&run, "train", "--task", "next-word", "--data", fixture->data, "--shape", "tiny",
                 "--seed", "77", "--steps", "12", "--held-out", "0.2", "--f16", "-o", fixture->out,
                 NULL);
  g_assert_cmpint (run.status, ==, 0);
  card = read_file (fixture, "README.md");
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    if (!strstr (card, said[i]))
      g_error ("“%s” is not in\n%s", said[i], card);
  g_assert_null (strstr (card, fixture->data));
  config = read_file (fixture, "config.json");
  g_assert_nonnull (strstr (config, "\"float16\""));
  generation = read_file (fixture, "generation_config.json");
  g_assert_nonnull (strstr (generation, "eos_token_id"));

  run_clear (&run);
  run_headlight (&run, "predict", "--model", fixture->out, "a b", NULL);
  g_assert_cmpint (run.status, ==, 0);
}

/* Words for people stand on stderr, the answer on stdout. */
static void
test_words (Fixture       *fixture,
            gconstpointer  data)
{
  g_auto (Run) run = { 0 };

  run_headlight (&run, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "12", "--held-out", "0.2", "-o", fixture->out, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, " parameters; "));
  g_assert_nonnull (strstr (run.err, "\nstep 10 of 12 · loss "));
  g_assert_nonnull (strstr (run.err, " words/s · "));
  g_assert_null (strchr (run.err, '\r'));
  g_assert_true (g_str_has_prefix (run.out, fixture->out));
  g_assert_nonnull (strstr (run.out, ": step 12 · loss "));
  g_assert_nonnull (strstr (run.out, " · held out "));
}

static void
assert_data_refused (const Fixture *fixture,
                     const char    *task,
                     const char    *model,
                     const char    *bytes,
                     const char    *part)
{
  g_auto (Run) run = { 0 };

  g_assert_true (g_file_set_contents (fixture->data, bytes, -1, NULL));
  run_headlight (&run, "train", "--task", task, "--data", fixture->data, "--from", model, "--steps",
                 "3", "-o", fixture->out, NULL);
  assert_refused (&run, 1, part);
  g_assert_false (g_file_test (fixture->out, G_FILE_TEST_EXISTS));
}

static void
test_bad_data (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *long_line = g_strnfill (1 << 20, 'a');
  g_autofree char *second = g_strconcat ("the cat\n", long_line, "\n", NULL);

  /* The same of words that are asked for in either way. */
  for (int i = 0; i < 2; i++) {
    const char *task = i == 0 ? "masked" : "next-word";
    const char *model = i == 0 ? fixture->masked : fixture->causal;

    assert_data_refused (fixture, task, model, "the cat\nthe dog\tthe mat\n",
                         "texts.txt:2: the line has several columns");
    assert_data_refused (fixture, task, model, "the cat\n\nthe \xff cat\n",
                         "texts.txt:3: the line is not UTF-8");
    assert_data_refused (fixture, task, model, second, "texts.txt:2: the line has 1048576 bytes");
    assert_data_refused (fixture, task, model, "\nthe cat sat\n",
                         "texts.txt:2: there is no other text of two tokens, expected at least two");
    assert_data_refused (fixture, task, model, "", "texts.txt: there is no text");
    assert_data_refused (fixture, task, model, "\n\n", "texts.txt: there is no text");
  }
  assert_data_refused (fixture, "translate", "headlight-en-fr", "a\tb\nc\n",
                       "texts.txt:2: the line has 1 column, expected 2");
  assert_data_refused (fixture, "translate", "headlight-en-fr", "The cat.\tLe chat.\n",
                       "texts.txt:1: there is no other pair of texts, expected at least two");
  assert_data_refused (fixture, "classify", fixture->masked, "a\tx\nb\n",
                       "texts.txt:2: the line has 1 column, expected 2");
  assert_data_refused (fixture, "classify", fixture->masked, "\na\tx\nb\tx\n",
                       "texts.txt:2: all labels are “x”, as this one is, expected at least two");
  assert_data_refused (fixture, "pairs", fixture->masked, "a\tx\n",
                       "texts.txt:1: the line has 2 columns, expected 3");
  assert_data_refused (fixture, "pairs", fixture->masked, "a\tb\tx\n\n\xff\n",
                       "texts.txt:3: the line is not UTF-8");
}

/* It is trained all the same, and said which line was empty. */
static void
test_empty_line (Fixture       *fixture,
                 gconstpointer  data)
{
  g_auto (Run) run = { 0 };

  g_assert_true (g_file_set_contents (fixture->data, "the cat sat\n\nthe dog sat\n\n", -1, NULL));
  run_headlight (&run, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "2", "-o", fixture->out, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "texts.txt:2: the line is empty and was passed over, like 1 "
                                     "more\n"));
}

/* Two texts of which neither is among the twentieth that is held out. */
static void
test_none_held_out (Fixture       *fixture,
                    gconstpointer  data)
{
  g_auto (Run) none = { 0 };
  g_auto (Run) not_wanted = { 0 };
  g_autofree char *other = g_strconcat (fixture->out, "-other", NULL);

  g_assert_true (g_file_set_contents (fixture->data, "the cat sat\nthe dog sat\n", -1, NULL));
  run_headlight (&none, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "2", "-o", fixture->out, NULL);
  g_assert_cmpint (none.status, ==, 0);
  g_assert_nonnull (strstr (none.err, "none of the texts is held out"));
  run_headlight (&not_wanted, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--held-out", "0", "--steps", "2", "-o", other, NULL);
  g_assert_cmpint (not_wanted.status, ==, 0);
  g_assert_null (strstr (not_wanted.err, "none of the texts"));
}

typedef struct {
  const char *arguments[12];
  int         status;
  const char *part;
} Refusal;

/* What does nothing for a task is wrong usage, for each of all tasks; all else is not. */
static void
test_use (Fixture       *fixture,
          gconstpointer  data)
{
  static const char *const tasks[] = { "masked", "next-word", "translate", "classify", "pairs",
                                       "tags", "answers" };
  static const struct {
    const char *option;
    const char *value;
    const char *idle; /* a letter a task */
  } uses[] = {
    { "--whole-words", NULL, ".xxxxxx" }, { "--smoothing", "0.2", "......x" },
    { "--freeze", "0", "..x...." },       { "--seed", "1", "......." },
    { "--batch-tokens", "9", "......." }, { "--accumulate", "2", "......." },
    { "--rate", "1", "......." },         { "--warm-up", "1", "......." },
    { "--decay", "none", "......." },     { "--dropout", "0", "......." },
    { "--weight-decay", "0", "......." }, { "--clip", "0", "......." },
    { "--held-out", "0", "......." },     { "--f16", NULL, "......." },
  };

  /* Data that is not there is looked for behind what was typed. */
  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    for (guint task = 0; task < G_N_ELEMENTS (tasks); task++) {
      const gboolean idle = uses[i].idle[task] == 'x';
      g_autofree char *said = g_strdup_printf ("%s does nothing for the task %s; leave it out",
                                               uses[i].option, tasks[task]);
      g_auto (Run) run = { 0 };

      run_headlight (&run, "train", "--task", tasks[task], "--data", "/no/file", "--shape", "tiny",
                     "--steps", "1", "-o", fixture->out, uses[i].option, uses[i].value, NULL);
      assert_refused (&run, idle ? 2 : 1, idle ? said : "/no/file");
    }
}

/* "DATA", "FROM" and "OUT" are those of the fixture. */
static const Refusal refusals[] = {
  { { "--data", "DATA", "--from", "FROM", "--steps", "1", "-o", "OUT" }, 2, "--task is missing" },
  { { "--task", "masked", "--from", "FROM", "--steps", "1", "-o", "OUT" }, 2, "--data is missing" },
  { { "--task", "masked", "--data", "DATA", "--from", "FROM", "-o", "OUT" }, 2,
    "--steps or --minutes is missing" },
  { { "--task", "masked", "--data", "DATA", "--from", "FROM", "--steps", "1" }, 2,
    "-o is missing" },
  { { "--task", "sums", "--data", "DATA", "-o", "OUT" }, 2, "--task is “sums”; it can be masked" },
  { { "--task", "masked", "--data", "DATA", "--steps", "1", "-o", "OUT" }, 2,
    "--from or --shape is missing" },
  { { "--task", "masked", "--data", "DATA", "--from", "FROM", "--shape", "tiny", "--steps", "1",
      "-o", "OUT" }, 2, "--from and --shape exclude each other" },
  { { "--task", "masked", "--data", "DATA", "--shape", "/no/shape", "--steps", "1", "-o", "OUT" },
    1, "neither tiny nor mini nor a file" },
  { { "--task", "masked", "--data", "DATA", "--from", "FROM", "--freeze", "9", "--steps", "1", "-o",
      "OUT" }, 1, "9 layers cannot be frozen, expected at most the 2" },
  { { "--task", "translate", "--data", "DATA", "--from", "FROM", "--steps", "1", "-o", "OUT" }, 1,
    "texts.txt:1: the line has 1 column, expected 2" },
  { { "--steps", "1.5", "-o", "OUT" }, 2, "--steps is “1.5”; it takes a whole number from 1" },
  { { "--dropout", "1", "-o", "OUT" }, 2, "--dropout is “1”; it takes a number from 0 to 0.99" },
  { { "--rate", "nan", "-o", "OUT" }, 2, "--rate is “nan”" },
  { { "--resume", "--rate", "1", "-o", "OUT" }, 2, "leave --rate out" },
  { { "--resume", "-o", "OUT" }, 1, "out holds no training to go on with" },
  { { "--task", "masked", "--data", "/no/file", "--from", "FROM", "--steps", "1", "-o", "OUT" }, 1,
    "/no/file" },
  { { "--task", "masked", "--data", "DATA", "--from", "no-such", "--steps", "1", "-o", "OUT" }, 1,
    "no-such" },
  { { "--task", "next-word", "--data", "DATA", "--from", "FROM", "--steps", "1", "-o", "OUT" }, 1,
    "no head of the task language-model" },
  { { "--task", "masked", "--data", "DATA", "--from", "FROM", "--steps", "1", "-o", "DATA" }, 1,
    "is there and is no empty folder" },
};

static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++) {
    const char *a[G_N_ELEMENTS (refusals[i].arguments) + 1] = { NULL };
    g_auto (Run) run = { 0 };

    for (guint k = 0; k < G_N_ELEMENTS (refusals[i].arguments); k++) {
      const char *given = refusals[i].arguments[k];

      if (g_strcmp0 (given, "DATA") == 0)
        given = fixture->data;
      else if (g_strcmp0 (given, "FROM") == 0)
        given = fixture->masked;
      else if (g_strcmp0 (given, "OUT") == 0)
        given = fixture->out;
      a[k] = given;
    }
    run_headlight (&run, "train", a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
                   a[11], NULL);
    assert_refused (&run, refusals[i].status, refusals[i].part);
    g_assert_false (g_file_test (fixture->out, G_FILE_TEST_EXISTS));
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/cli-train/threads", test_threads);
  ADD ("/cli-train/threads-next-word", test_threads_next_word);
  ADD ("/cli-train/folder", test_folder);
  ADD ("/cli-train/minutes", test_minutes);
  ADD ("/cli-train/f16", test_f16);
  ADD ("/cli-train/whole-words", test_whole_words);
  ADD ("/cli-train/shape", test_shape);
  ADD ("/cli-train/decoder-start", test_decoder_start);
  g_test_add ("/cli-train/input-names", Fixture, "2", set_up, test_input_names, tear_down);
  g_test_add ("/cli-train/input-names-alone", Fixture, "1", set_up, test_input_names, tear_down);
  ADD ("/cli-train/card", test_card);
  ADD ("/cli-train/words", test_words);
  ADD ("/cli-train/bad-data", test_bad_data);
  ADD ("/cli-train/empty-line", test_empty_line);
  ADD ("/cli-train/none-held-out", test_none_held_out);
  ADD ("/cli-train/use", test_use);
  ADD ("/cli-train/refused", test_refused);

  return g_test_run ();
}
