/* SPDX-License-Identifier: MIT */
/* The spellings of a document lead back to it: its command line is read by the real parser, its
 * JSON by the reader of sessions. */
#include "ui/document/document-text.h"

#include <locale.h>
#include <string.h>

#include "app/study/cli-options.h"
#include "tests/support/fields.h"
#include "tests/support/random-document.h"
#include "ui/document/session.h"
#include "ui/document/view.h"

#define N_DOCUMENTS 1000
#define ACCEPTS (APP_CLI_MODEL | APP_CLI_TRACE_INPUT | APP_CLI_VIEW | APP_CLI_FIGURE              \
                 | APP_CLI_OUTPUT | APP_CLI_TEXTS | APP_CLI_JSON)

/* A trace file brings its model and its texts; some views draw one head; what was written is
 * given as text. None of them has more on a command line. */
static UiDocument *
make_drawable (const UiDocument *document)
{
  UiDocument *drawable = ui_document_copy (document);
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  drawable->written = 0;
  if (ui_view_get (document->view)->has_one_head && !document->heads.all)
    ui_head_set_only (&drawable->heads, ui_head_set_first (&document->heads, UI_MAX_HEADS));
  if (document->trace_file == NULL)
    return drawable;

  for (int i = 0; i < n_fields; i++)
    if (fields[i].group == UI_FIELD_GROUP_MODEL && !g_str_equal (fields[i].name, "trace"))
      fields_set (drawable, fields[i].name, fields[i].fallback);
  g_free (drawable->text_a);
  g_free (drawable->text_b);
  drawable->text_a = g_strdup ("");
  drawable->text_b = g_strdup ("");

  return drawable;
}

static void
assert_equal (const UiDocument *document,
              const UiDocument *expected)
{
  if (!ui_document_equal (document, expected))
    g_error ("differ in %s", ui_document_find_change (expected, document));
}

/* Through a shell's own splitting, as after a paste. */
static void
test_command (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (int i = 0; i < N_DOCUMENTS; i++) {
    g_autoptr (UiDocument) document = random_document (random);
    g_autoptr (UiDocument) expected = make_drawable (document);
    g_autofree char *command = ui_document_to_command (document, "figure.svg");
    g_autoptr (AppCliOptions) options = NULL;
    g_autoptr (GError) error = NULL;
    g_auto (GStrv) arguments = NULL;
    int n;

    g_shell_parse_argv (command, &n, &arguments, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (arguments[0], ==, "headlight");
    g_assert_cmpstr (arguments[1], ==, "render");
    options = app_cli_options_parse (ACCEPTS, n - 2, arguments + 2, &error);
    if (error != NULL)
      g_error ("%s: %s", command, error->message);
    g_assert_cmpstr (options->output, ==, "figure.svg");
    assert_equal (options->document, expected);
  }
}

static void
test_plain_command (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autofree char *command = ui_document_to_command (document, "figure.svg");
  g_autofree char *edited = NULL;

  g_assert_cmpstr (command, ==, "headlight render -o figure.svg 'The cat sat on the mat' "
                                "'The cat lay on the rug'");
  fields_set (document, "layer", "2");
  fields_set (document, "heads", "3,8");
  fields_set (document, "edit", "zero 2.9");
  fields_set (document, "words", "true");
  document->text_b[0] = '-';
  edited = ui_document_to_command (document, "figure.svg");
  g_assert_cmpstr (edited, ==, "headlight render --edit 'zero 2.9' --layer 2 --heads 3,8 --words "
                               "-o figure.svg -- 'The cat sat on the mat' "
                               "'-he cat lay on the rug'");
}

static void
test_json (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (6);

  for (int i = 0; i < N_DOCUMENTS; i++) {
    g_autoptr (UiDocument) document = random_document (random);
    g_autoptr (GPtrArray) past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
    gboolean compact = g_rand_boolean (random);
    g_autoptr (GError) error = NULL;
    g_autoptr (UiSession) session = NULL;
    g_autofree char *text = NULL;

    for (int n = g_rand_int_range (random, 0, 4); n > 0; n--)
      g_ptr_array_add (past, random_document (random));
    text = ui_session_to_text (document, past, NULL, NULL, compact);
    if (compact)
      for (const char *p = text; *p != '\0'; p++)
        g_assert_true (*p >= ' ' && *p < 0x7f);
    session = ui_session_from_text (text, strlen (text), NULL, "a", &error);
    g_assert_no_error (error);
    g_assert_null (session->unknown);
    assert_equal (session->document, document);
    g_assert_cmpuint (session->past->len, ==, compact ? 0 : past->len);
    for (guint step = 0; step < session->past->len; step++)
      assert_equal (session->past->pdata[step], past->pdata[step]);
  }
}

/* However many steps there were and however long their texts, a session stays small. */
static void
test_history_is_bounded (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GPtrArray) past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 1000; i++) {
    UiDocument *step = ui_document_copy (document);

    g_free (step->text_a);
    step->text_a = g_strnfill (i < 100 ? 10 : 20000, (char) ('a' + i % 26));
    g_ptr_array_add (past, step);
  }
  for (guint first = 0; first < 200; first += 100) {
    g_autofree char *text = ui_session_to_text (document, past, NULL, NULL, FALSE);
    g_autoptr (UiSession) session = ui_session_from_text (text, strlen (text), NULL, "a", &error);

    g_assert_no_error (error);
    g_assert_cmpuint (strlen (text), <, 300 << 10);
    g_assert_cmpuint (session->past->len, >=, first == 0 ? 100 : 10);
    g_assert_cmpuint (session->past->len, <=, UI_SESSION_MAX_STEPS);
    g_ptr_array_remove_range (past, 0, 100);
  }
}

/* What lies in the folder of the session moves with it. */
static void
test_paths (void)
{
  static const struct { const char *model, *here, *there; } cases[] = {
    { "/home/a/paper/models/mini", "\"./models/mini\"", "/tmp/b/models/mini" },
    { "/home/a/paper2/mini", "\"/home/a/paper2/mini\"", "/home/a/paper2/mini" },
    { "/home/a/paper", "\"/home/a/paper\"", "/home/a/paper" },
    { "org/name@main", "\"org/name@main\"", "org/name@main" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiSession) session = NULL;
    g_autoptr (GError) error = NULL;
    g_autofree char *text = NULL;

    fields_set (document, "model", cases[i].model);
    text = ui_session_to_text (document, NULL, NULL, "/home/a/paper/", FALSE);
    g_assert_nonnull (strstr (text, cases[i].here));
    session = ui_session_from_text (text, strlen (text), "/tmp/b", "a", &error);
    g_assert_no_error (error);
    g_assert_cmpstr (session->document->model, ==, cases[i].there);
  }
}

#define HEAD "{\"format\": \"headlight-session\", \"version\": 1, "

static void
test_refused (void)
{
  static const char *const cases[][2] = {
    { "", "a.headlight: not JSON" },
    { "[]", "a.headlight: no session of Headlight: format is not \"headlight-session\"" },
    { "{\"format\": 1}",
      "a.headlight: no session of Headlight: format is not \"headlight-session\"" },
    { "{\"format\": \"headlight-session\"}", "a.headlight: version is missing, expected 1" },
    { "{\"format\": \"headlight-session\", \"version\": 2}",
      "a.headlight: version is 2, expected 1: a later Headlight wrote it" },
    { "{\"format\": \"headlight-session\", \"version\": \"1\"}",
      "a.headlight: version is \"1\", expected a whole number" },
    { HEAD "\"x\": 1}", "a.headlight: document is missing or no object" },
    { HEAD "\"document\": []}", "a.headlight: document is missing or no object" },
    { HEAD "\"document\": {\"layer\": -1}}",
      "a.headlight: layer is \"-1\", expected a whole number from 0 to 9999" },
    { HEAD "\"document\": {\"words\": \"yes\"}}",
      "a.headlight: words is \"yes\", expected true or false" },
    { HEAD "\"document\": {\"heads\": [1]}}",
      "a.headlight: heads is a list, expected a text, a number, true or false" },
    { HEAD "\"document\": {\"text_a\": 1}}", "a.headlight: text_a is no text, expected one" },
    { HEAD "\"document\": {}, \"history\": {}}", "a.headlight: history is missing or no list" },
    { HEAD "\"document\": {}, \"history\": [1]}",
      "a.headlight: a step of history is missing or no object" },
    { HEAD "\"document\": {}, \"history\": [{\"layer\": \"x\"}]}",
      "a.headlight: layer is \"x\", expected a whole number from 0 to 9999" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (ui_session_from_text (cases[i][0], strlen (cases[i][0]), NULL, "a.headlight",
                                         &error));
    g_assert_nonnull (error);
    if (!g_str_has_prefix (error->message, cases[i][1]))
      g_error ("“%s”, expected “%s”", error->message, cases[i][1]);
  }
}

/* What another version wrote is passed over, and said. */
static void
test_unknown_keys (void)
{
  const char *text = HEAD "\"mood\": 1, \"document\": {\"layer\": 3, \"colour\": \"red\"},"
                     "\"history\": [{\"layer\": null, \"colour\": \"blue\"}]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (UiSession) session = ui_session_from_text (text, strlen (text), NULL, "a", &error);
  const UiDocument *step;

  g_assert_no_error (error);
  g_assert_cmpstr (session->unknown, ==, "mood, colour");
  g_assert_cmpint (session->document->layer, ==, 3);
  step = session->past->pdata[0];
  g_assert_cmpint (step->layer, ==, 0);
}

static void
test_describe_change (void)
{
  static const struct { const char *name, *value, *label; } cases[] = {
    { "layer", "3", "Layer 3" },
    { "heads", "0,3,8", "Heads 0,3,8" },
    { "hide-special", "true", "Hide special on" },
    { "hide-special", "false", "Hide special off" },
    { "pin", "2,k:9", "Pin 2,k:9" },
    { "pin", "", "No pin" },
    { "edit", "zero 2.9", "Edit zero 2.9" },
    { "edit", "", "No edit" },
    { "threshold", "0.25", "Threshold 0.25" },
    { "trace", "/a/very/long/path/to/some/folder/of/traces/of/which/this/is/one.safetensors",
      "Trace /a/very/long/path/to/some/folder/…" },
  };
  g_autoptr (UiDocument) before = ui_document_new ();
  g_autoptr (UiDocument) after = ui_document_new ();
  g_autofree char *nothing = ui_document_describe_change (before, after);
  g_autofree char *example = NULL;

  g_assert_null (nothing);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *label = NULL;

    fields_set (after, cases[i].name, cases[i].value);
    label = ui_document_describe_change (before, after);
    g_assert_cmpstr (label, ==, cases[i].label);
    fields_set (before, cases[i].name, cases[i].value);
  }

  /* An example brings two texts and takes the pins away. */
  fields_set (before, "pin", "2");
  g_free (after->text_a);
  after->text_a = g_strdup ("time flies");
  example = ui_document_describe_change (before, after);
  g_assert_cmpstr (example, ==, "Sentence A “time flies”");
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/document-text/command", test_command);
  g_test_add_func ("/app/document-text/plain-command", test_plain_command);
  g_test_add_func ("/app/document-text/json", test_json);
  g_test_add_func ("/app/document-text/history-is-bounded", test_history_is_bounded);
  g_test_add_func ("/app/document-text/paths", test_paths);
  g_test_add_func ("/app/document-text/refused", test_refused);
  g_test_add_func ("/app/document-text/unknown-keys", test_unknown_keys);
  g_test_add_func ("/app/document-text/describe-change", test_describe_change);
  return g_test_run ();
}
