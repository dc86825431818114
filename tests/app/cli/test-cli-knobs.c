/* SPDX-License-Identifier: MIT */
/* Every knob of the steps on the command line: what is tried and what is fed forward weigh alike, in
 * every kind of attention, and what is fed forward reaches another view and what the model answers. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/app/cli/lines.h"
#include "tests/support/command-line.h"
#include "tests/support/temporary.h"

#define QUERY "2"
#define ASKED "The cat [MASK] on the mat"

typedef struct {
  const char *text_a;
  const char *text_b; /* NULL = none */
  const char *head;
  const char *layer;
  const char *model;
  const char *kind;
} Subject;

static const Subject mini = {
  "The cat sat on the mat", "A dog", "3", "1", "headlight-mini", "encoder",
};
static const Subject first = {
  "The cat sat on the mat", "A dog", "3", "0", "headlight-mini", "encoder",
};
static const Subject causal = {
  "Tom told me that", NULL, "2", "1", "headlight-causal", "decoder",
};
static const Subject crossing = {
  "The cat is asleep.", "Le chat dort.", "2", "1", "headlight-en-fr", "cross",
};

typedef struct {
  const Subject *subject;
  const char    *options;  /* of the steps */
  const char    *edits;    /* that they become */
  gboolean       is_models; /* they are what the model does already */
} Case;

static const Case cases[] = {
  { &mini, "--if-scale 1", "score-scale 1.3 1" },
  { &mini, "--if-scale 0.05", "score-scale 1.3 0.05" },
  { &mini, "--if-temperature 3", "temperature 1.3 3" },
  { &mini, "--pad-to 14 --if-mask none", "head-mask 1.3 none" },
  { &mini, "--if-mask causal", "head-mask 1.3 causal" },
  { &mini, "--pad-to 14 --if-mask padding", "head-mask 1.3 padding", TRUE },
  { &mini, "--if-hide 2:1,*:4-6", "cut 1.3 2 1 renormalise; cut 1.3 * 4-6 renormalise" },
  { &mini, "--if-mask own --pin " QUERY ",k:4", "cut 1.3 * 4 renormalise" },
  { &mini, "--if-mask causal --if-hide *:0", "head-mask 1.3 causal; cut 1.3 * 0 renormalise" },
  { &mini, "--if-no-projections", "no-projections 1.3" },
  { &mini, "--if-dimension 5", "zero-dimension 1.3 5" },
  { &first, "--if-no-positions", "no-positions 0" },
  { &first, "--if-no-segments", "no-segments" },
  { &causal, "--if-scale 1", "score-scale 1.2 1" },
  { &causal, "--if-temperature 5", "temperature 1.2 5" },
  { &causal, "--if-mask none", "head-mask 1.2 none" },
  { &causal, "--if-hide 1-3:0", "cut 1.2 1-3 0 renormalise" },
  { &causal, "--if-no-projections", "no-projections 1.2" },
  { &causal, "--if-dimension 5", "zero-dimension 1.2 5" },
  { &crossing, "--if-scale 1", "score-scale cross 1.2 1" },
  { &crossing, "--if-temperature 5", "temperature cross 1.2 5" },
  { &crossing, "--if-mask causal", "head-mask cross 1.2 causal" },
  { &crossing, "--if-hide 0-2:1-3", "cut cross 1.2 0-2 1-3 renormalise" },
  { &crossing, "--if-no-projections", "no-projections cross 1.2" },
  { &crossing, "--if-dimension 5", "zero-dimension cross 1.2 5" },
};

static gboolean
is_padded (const Case *self)
{
  return strstr (self->options, "--pad-to") != NULL;
}

typedef struct {
  char *folder; /* temporary */
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = temporary_new ();
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  temporary_free (fixture->folder);
}

static void
add_words (GPtrArray *arguments,
           const char *words)
{
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);

  for (int i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (arguments, g_strdup (parts[i]));
}

static GPtrArray *
create_arguments (const Subject *subject,
                  const char    *command)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);

  add_words (arguments, command);
  add_words (arguments, "--model");
  add_words (arguments, subject->model);
  return arguments;
}

static void
add_edits (GPtrArray  *arguments,
           const char *edits)
{
  g_auto (GStrv) parts = g_strsplit (edits, "; ", -1);

  for (int i = 0; parts[i] != NULL; i++) {
    g_ptr_array_add (arguments, g_strdup ("--edit"));
    g_ptr_array_add (arguments, g_strdup (parts[i]));
  }
}

/* (transfer full) What is drawn as CSV. */
static char *
render (const Fixture *fixture,
        const Subject *subject,
        const char    *options,
        const char    *edits,
        const char    *layer)
{
  g_autoptr (GPtrArray) arguments = create_arguments (subject, "render -o");
  g_autofree char *path = g_build_filename (fixture->folder, "numbers.csv", NULL);
  g_auto (Run) run = { 0 };
  char *contents = NULL;

  g_ptr_array_insert (arguments, 2, g_strdup (path));
  add_words (arguments, options);
  add_words (arguments, "--kind");
  add_words (arguments, subject->kind);
  add_words (arguments, "--layer");
  add_words (arguments, layer);
  add_words (arguments, "--heads");
  add_words (arguments, subject->head);
  if (edits != NULL)
    add_edits (arguments, edits);
  g_ptr_array_add (arguments, g_strdup (subject->text_a));
  if (subject->text_b != NULL)
    g_ptr_array_add (arguments, g_strdup (subject->text_b));
  run_headlight_with (&run, arguments);
  assert_done (&run);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  return contents;
}

/* The last of a line's cells. */
static double
get_last (const char *line)
{
  return g_ascii_strtod (strrchr (line, ',') + 1, NULL);
}

/* (transfer full) Weights of the way, of all queries or of one alone. */
static GArray *
read_way (const char *csv)
{
  GArray *weights = g_array_new (FALSE, FALSE, sizeof (double));
  char *line;

  while ((line = next_line (&csv)) != NULL) {
    if (strstr (line, ",Softmax,weight,") != NULL) {
      const double weight = get_last (line);

      g_array_append_val (weights, weight);
    }
    g_free (line);
  }
  return weights;
}

/* (transfer full) Those of a matrix; *n_keys (out). */
static GArray *
read_matrix (const char *csv,
             int        *n_keys)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  GArray *weights = g_array_new (FALSE, FALSE, sizeof (double));

  *n_keys = 0;
  for (int row = 2; lines[row] != NULL && g_ascii_isdigit (*lines[row]); row++) {
    g_auto (GStrv) cells = g_strsplit (lines[row], ",", -1);

    /* Behind index and token, before the entropy. */
    *n_keys = (int) g_strv_length (cells) - 3;
    for (int key = 0; key < *n_keys; key++) {
      const double weight = g_ascii_strtod (cells[2 + key], NULL);

      g_array_append_val (weights, weight);
    }
  }
  return weights;
}

static void
assert_same_weights (const GArray *way,
                     const GArray *matrix,
                     int           n_keys)
{
  /* A matrix leaves the queries of padding out. */
  const gboolean is_whole = way->len >= matrix->len;
  const guint from = is_whole ? 0 : (guint) atoi (QUERY) * (guint) n_keys;

  g_assert_true (is_whole || way->len == (guint) n_keys);
  g_assert_cmpuint (way->len, >, 0);
  for (guint i = 0; i < MIN (way->len, matrix->len); i++)
    g_assert_cmpfloat_with_epsilon (g_array_index (way, double, i),
                                    g_array_index (matrix, double, from + i), 2e-5);
}

/* (transfer full) What the model says, or thinks next, of a figure of steps: lines of the last step
 * without its number. */
static char *
find_answer (const char *csv)
{
  GString *answer = g_string_new (NULL);
  char *line;

  while ((line = next_line (&csv)) != NULL) {
    if (strstr (line, ",Probabilities,") != NULL)
      g_string_append (answer, strchr (line, ','));
    g_free (line);
  }
  g_assert_cmpuint (answer->len, >, 0);
  return g_string_free (answer, FALSE);
}

/* (transfer full) The answer before anything is tried; that of the case before where it is the
 * same. */
static char *
find_plain (const Fixture *fixture,
            gsize          i,
            const char    *options,
            char          *before)
{
  g_autofree char *steps = NULL;

  if (i > 0 && cases[i].subject == cases[i - 1].subject
      && !is_padded (&cases[i]) && !is_padded (&cases[i - 1]))
    return before;
  g_free (before);
  steps = render (fixture, cases[i].subject, options, NULL, cases[i].subject->layer);
  return find_answer (steps);
}

/* What is tried has the weights of a matrix whose pass has the edits, and changes no answer; what is
 * fed forward does. */
static void
test_fed (Fixture       *fixture,
          gconstpointer  data)
{
  g_autofree char *before = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *one = &cases[i];
    const Subject *subject = one->subject;
    const char *pad = is_padded (one) ? " --pad-to 14" : "";
    g_autofree char *options = g_strconcat ("--view steps --step all --pin " QUERY, pad, NULL);
    g_autofree char *knobs = g_strconcat (options, " ", one->options, NULL);
    g_autofree char *view = g_strconcat ("--view matrix", pad, NULL);
    g_autofree char *tried = render (fixture, subject, knobs, NULL, subject->layer);
    g_autofree char *fed = render (fixture, subject, options, one->edits, subject->layer);
    g_autofree char *fed_matrix = render (fixture, subject, view, one->edits, subject->layer);
    g_autofree char *meanwhile = find_answer (tried);
    g_autofree char *after = find_answer (fed);
    g_autoptr (GArray) way = read_way (tried);
    int n_keys;
    g_autoptr (GArray) matrix = read_matrix (fed_matrix, &n_keys);

    g_test_message ("%s %s", subject->model, one->options);
    assert_same_weights (way, matrix, n_keys);
    before = find_plain (fixture, i, options, before);
    g_assert_true (g_str_equal (meanwhile, before));
    g_assert_true (one->is_models || !g_str_equal (after, before));
  }
}

/* The answer of a task head, which is asked by itself. */
static void
test_predict (Fixture       *fixture,
              gconstpointer  data)
{
  g_auto (Run) plain = { 0 };

  run_headlight (&plain, "predict", "--json", "--pad-to", "14", ASKED, mini.text_b, NULL);
  assert_done (&plain);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);
    g_auto (Run) edited = { 0 };

    if (cases[i].subject->model != mini.model || cases[i].is_models)
      continue;
    add_words (arguments, "predict --json --pad-to 14");
    add_edits (arguments, cases[i].edits);
    g_ptr_array_add (arguments, g_strdup (ASKED));
    g_ptr_array_add (arguments, g_strdup (mini.text_b));
    run_headlight_with (&edited, arguments);
    assert_done (&edited);
    g_test_message ("%s", cases[i].edits);
    g_assert_cmpstr (edited.out, !=, plain.out);
  }
}

#define ADD(name, function) \
  g_test_add ("/app/cli-knobs/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("fed", test_fed);
  ADD ("predict", test_predict);
  return g_test_run ();
}
