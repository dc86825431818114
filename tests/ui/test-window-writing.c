/* SPDX-License-Identifier: MIT */
/* The real window with models that write and answer. They are untrained; their texts are token ids
 * unless a real tokenizer lies beside the project. */
#include "app/window-private.h"

#include <string.h>
#include <unistd.h>

#include "app/application.h"
#include "tests/support/untrained.h"
#include "tests/support/wait.h"
#include "tests/support/widget-driver.h"

/* More than the slow model writes while the window makes its mind up. */
#define N_ENDLESS 5000

#define QUESTIONS                                                                              \
  "{\"model_type\": \"distilbert\", \"architectures\": [\"DistilBertForQuestionAnswering\"],"   \
  " \"dim\": 24, \"n_layers\": 2, \"n_heads\": 3, \"hidden_dim\": 32, \"vocab_size\": 30522,"   \
  " \"max_position_embeddings\": 512}"
#define ENTITIES                                                                               \
  "{\"model_type\": \"roberta\", \"architectures\": [\"RobertaForTokenClassification\"],"        \
  " \"hidden_size\": 24, \"num_hidden_layers\": 2, \"num_attention_heads\": 3,"                \
  " \"intermediate_size\": 32, \"vocab_size\": 50265, \"max_position_embeddings\": 64,"        \
  " \"id2label\": {\"0\": \"B-X\", \"1\": \"B-Y\"}}"
#define TASKS                                                                                  \
  ", \"task_specific_params\": {\"summarization\": {\"prefix\": \"summarize: \","              \
  " \"max_length\": 7}, \"translation_en_to_de\": {\"prefix\": \"translate: \"}}}"

typedef struct {
  AppWindow *window;
  char      *folder;
} Fixture;

typedef struct {
  void      (*body) (Fixture *fixture);
  const char *config;
  const char *tokenizer; /* folder of the shared data; NULL = texts are ids */
  const char *text_a;
  const char *text_b;
  int         max_new_tokens;
  int         written;
  gboolean    is_trained; /* opens without random weights, which is refused */
} Test;

static const Test *running;
static char *running_folder;

static gboolean
is_idle (AppWindow *window)
{
  return window->shown != NULL && !window->waiting && window->submit_source == 0
         && !window->written.is_running;
}

static void
run_body (GApplication *application,
          gpointer      unused)
{
  Fixture fixture = { .folder = running_folder };

  fixture.window = APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  wait_until (fixture.window->shown != NULL);
  running->body (&fixture);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
}

static void
copy_tokenizer (const char *tokenizer,
                const char *folder)
{
  g_autofree char *target = g_build_filename (folder, "tokenizer.json", NULL);

  g_assert_cmpint (symlink (tokenizer, target), ==, 0);
}

static UiDocument *
make_document (const Test *test,
               const char *folder)
{
  UiDocument *document = ui_document_new ();

  g_free (document->text_a);
  g_free (document->text_b);
  document->model = g_strdup (folder);
  document->random_weights_set = !test->is_trained;
  document->random_weights = 5;
  document->max_new_tokens_set = test->max_new_tokens > 0;
  document->max_new_tokens = test->max_new_tokens;
  document->written = test->written;
  document->text_a = g_strdup (test->text_a);
  document->text_b = g_strdup (test->text_b);

  return document;
}

static void
run_test (gconstpointer data)
{
  const Test *test = data;
  g_autofree char *folder = NULL;
  g_autofree char *tokenizer = NULL;
  g_autoptr (UiDocument) document = NULL;
  AppApplication *application;

  if (test->tokenizer != NULL) {
    tokenizer = g_build_filename (g_getenv ("HEADLIGHT_SHARED"), "data", "tokenizers",
                                  test->tokenizer, "tokenizer.json", NULL);
    if (!g_file_test (tokenizer, G_FILE_TEST_EXISTS)) {
      g_test_skip ("no shared data");
      return;
    }
  }

  folder = untrained_new (test->config);
  if (tokenizer != NULL)
    copy_tokenizer (tokenizer, folder);
  document = make_document (test, folder);
  running = test;
  running_folder = folder;
  application = app_application_new (document);
  g_signal_connect_after (application, "activate", G_CALLBACK (run_body), NULL);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
  temporary_free (g_steal_pointer (&folder));
}

static void
activate (Fixture    *fixture,
          const char *detailed_name)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed_name, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->window), name, target));
}

static gboolean
is_enabled (Fixture    *fixture,
            const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), name);
}

static void
type (Fixture    *fixture,
      const char *text_a,
      const char *text_b)
{
  gtk_editable_set_text (GTK_EDITABLE (fixture->window->entry_a), text_a);
  gtk_editable_set_text (GTK_EDITABLE (fixture->window->entry_b), text_b);
}

static const char *
get_written (Fixture *fixture)
{
  return gtk_label_get_label (fixture->window->written_label);
}

/* Tokens of the decoder in the picture. */
static int
count_drawn (Fixture *fixture)
{
  UiScene *scene = ui_scene_view_get_scene (fixture->window->scene_view);

  return eng_trace_get_n_queries (ui_scene_get_trace (scene), ENG_KIND_DECODER);
}

static int
count_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  return (int) g_strv_length (words);
}

static void
test_write (Fixture *fixture)
{
  g_autofree char *written = NULL;
  g_autofree char *expected = NULL;
  g_autoptr (UiDocument) shown = NULL;

  wait_until (is_idle (fixture->window));
  g_assert_true (gtk_widget_get_visible (fixture->window->writing_bar));
  g_assert_false (is_enabled (fixture, "take-text"));
  g_assert_false (is_enabled (fixture, "write-anew"));
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (fixture->window->inspector), "Next token"));
  g_assert_nonnull (driver_find_label (GTK_WIDGET (fixture->window->inspector), "after token 2"));

  activate (fixture, "win.write-token");
  wait_until (is_idle (fixture->window) && fixture->window->written.n_tokens == 1);
  g_assert_cmpint (count_drawn (fixture), ==, 4);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (fixture->window->inspector), "after token 3"));

  activate (fixture, "win.write");
  wait_until (is_idle (fixture->window) && fixture->window->written.is_done);
  g_assert_cmpint (count_words (get_written (fixture)), ==, 6);
  g_assert_cmpint (count_drawn (fixture), ==, 9);
  g_assert_false (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "write-token"));

  /* What is taken over becomes typed text; the model could go on from there. */
  written = g_strdup (get_written (fixture));
  expected = g_strconcat ("3 14 15 ", written, NULL);
  shown = ui_document_copy (app_window_get_shown (fixture->window));
  g_assert_cmpstr (shown->text_a, ==, "3 14 15");
  app_window_put_written (fixture->window, shown);
  g_assert_cmpstr (shown->text_a, ==, expected);
  activate (fixture, "win.take-text");
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (fixture->window->entry_a)), ==, expected);
  g_assert_cmpint (count_drawn (fixture), ==, 9);
  g_assert_true (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "take-text"));

  /* One step back is what was typed, and written. */
  activate (fixture, "win.undo");
  wait_until (is_idle (fixture->window) && g_str_equal (get_written (fixture), written));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (fixture->window->entry_a)), ==, "3 14 15");
}

static void
test_anew (Fixture *fixture)
{
  wait_until (is_idle (fixture->window));
  activate (fixture, "win.write");
  wait_until (fixture->window->written.is_done);
  activate (fixture, "win.write-anew");
  wait_until (fixture->window->written.n_tokens == 0);
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_true (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "write-anew"));

  /* The bundled model writes nothing. */
  app_window_open_model (fixture->window, "headlight-mini");
  type (fixture, "a cat", "");
  wait_until (is_idle (fixture->window)
              && g_str_equal (eng_model_get_info (fixture->window->model)->name, "headlight-mini"));
  g_assert_false (gtk_widget_get_visible (fixture->window->writing_bar));
  g_assert_false (is_enabled (fixture, "write"));
  g_assert_false (is_enabled (fixture, "write-token"));
}

static gboolean
has_text (Fixture    *fixture,
          const char *text)
{
  return is_idle (fixture->window) && g_str_equal (get_written (fixture), text);
}

/* A part of a text and its rest are steps, so is its end; the same text comes back. */
static void
test_steps (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  g_autofree char *part = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *session = NULL;
  g_autoptr (UiSession) reread = NULL;
  UiDocument *layer;

  wait_until (is_idle (window));
  activate (fixture, "win.write-token");
  wait_until (is_idle (window) && window->written.n_tokens == 1);
  part = g_strdup (get_written (fixture));
  g_assert_cmpint (window->document->written, ==, 1);
  activate (fixture, "win.write-token");
  wait_until (is_idle (window) && window->written.n_tokens == 2);
  activate (fixture, "win.undo");
  wait_until (has_text (fixture, part));
  layer = ui_document_copy (window->document);
  layer->layer = 1;
  app_window_change (window, layer);
  activate (fixture, "win.write");
  wait_until (is_idle (window) && window->written.is_done);
  whole = g_strdup (get_written (fixture));
  g_assert_cmpint (window->document->written, ==, UI_WRITTEN_ALL);

  activate (fixture, "win.undo");
  wait_until (has_text (fixture, part));
  g_assert_cmpint (count_drawn (fixture), ==, 4);
  activate (fixture, "win.undo");
  g_assert_cmpint (window->document->layer, ==, 0);
  wait_until (has_text (fixture, part));
  activate (fixture, "win.undo");
  wait_until (is_idle (window) && window->written.n_tokens == 0);
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_false (is_enabled (fixture, "undo"));
  for (int i = 0; i < 3; i++)
    activate (fixture, "win.redo");
  wait_until (has_text (fixture, whole));
  g_assert_true (window->written.is_done);
  g_assert_false (is_enabled (fixture, "redo"));

  activate (fixture, "win.write-anew");
  wait_until (is_idle (window) && window->written.n_tokens == 0);
  g_assert_cmpint (window->document->written, ==, 0);
  activate (fixture, "win.undo");
  wait_until (has_text (fixture, whole));

  /* A session has it, too; another text has not. */
  session = ui_session_to_text (window->document, NULL, NULL, NULL, FALSE);
  type (fixture, "5 7", "");
  wait_until (is_idle (window) && window->written.n_tokens == 0);
  g_assert_cmpint (window->document->written, ==, 0);
  reread = ui_session_from_text (session, strlen (session), NULL, "session", NULL);
  g_assert_nonnull (reread);
  app_window_show_session (window, reread, "session.headlight", APP_FILE_SESSION);
  wait_until (has_text (fixture, whole));
}

/* A session that the program is opened with. */
static void
test_begins_written (Fixture *fixture)
{
  wait_until (is_idle (fixture->window) && fixture->window->written.n_tokens == 3);
  g_assert_cmpint (count_drawn (fixture), ==, 6);
  g_assert_false (is_enabled (fixture, "undo"));
}

/* An empty B is written as soon as A is there; one that was typed is shown. */
static void
test_two_stacks (Fixture *fixture)
{
  g_autofree char *written = NULL;

  wait_until (is_idle (fixture->window) && fixture->window->written.is_done);
  g_assert_cmpint (count_words (get_written (fixture)), ==, 6);
  g_assert_cmpint (count_drawn (fixture), ==, 7);
  written = g_strdup (get_written (fixture));

  type (fixture, "5 7 11", "9 8");
  wait_until (is_idle (fixture->window) && fixture->window->written.n_tokens == 0);
  g_assert_cmpint (count_drawn (fixture), ==, 3);
  g_assert_cmpstr (gtk_button_get_label (fixture->window->take_text_button), ==, "Add to B");

  type (fixture, "5 7 11", "");
  wait_until (is_idle (fixture->window) && fixture->window->written.is_done);
  g_assert_cmpstr (get_written (fixture), ==, written);
  g_assert_cmpstr (gtk_button_get_label (fixture->window->take_text_button), ==, "Use as B");
  activate (fixture, "win.take-text");
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (fixture->window->entry_b)), ==, written);
  g_assert_cmpint (count_drawn (fixture), ==, 7);
}

/* A text that would go on for long: the window stays alive, a pause ends it, and so does a key. */
static void
test_pause (Fixture *fixture)
{
  wait_until (is_idle (fixture->window));
  type (fixture, "5 7 11", "");
  wait_until (fixture->window->written.is_running && fixture->window->written.n_tokens > 0);
  g_assert_cmpstr (gtk_button_get_icon_name (fixture->window->write_button), ==,
                   "media-playback-pause-symbolic");
  g_assert_false (is_enabled (fixture, "write-token"));
  activate (fixture, "win.write");
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (gtk_button_get_icon_name (fixture->window->write_button), ==,
                   "media-playback-start-symbolic");
  g_assert_false (fixture->window->written.is_done);
  g_assert_cmpint (fixture->window->written.n_tokens, <, N_ENDLESS);

  activate (fixture, "win.write");
  wait_until (fixture->window->written.is_running);
  type (fixture, "5 7", "1 2 3");
  wait_until (is_idle (fixture->window) && count_drawn (fixture) == 4);
  g_assert_cmpint (fixture->window->written.n_tokens, ==, 0);
}

/* Closed in the middle of a text: the worker is waited for. */
static void
test_close (Fixture *fixture)
{
  wait_until (is_idle (fixture->window));
  type (fixture, "5 7 11", "");
  wait_until (fixture->window->written.is_running && fixture->window->written.n_tokens > 0);
}

/* Other settings write the text again. */
static void
test_settings (Fixture *fixture)
{
  GtkWidget *settings = GTK_WIDGET (fixture->window->writing_settings);
  GtkWidget *length = driver_find (settings, GTK_TYPE_SPIN_BUTTON, 0);

  wait_until (is_idle (fixture->window));
  activate (fixture, "win.write");
  wait_until (fixture->window->written.is_done);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (length)), ==, 6);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (length), 4);
  wait_until (is_idle (fixture->window) && fixture->window->written.n_tokens == 4);
  g_assert_cmpint (fixture->window->document->max_new_tokens, ==, 4);
  g_assert_cmpint (count_drawn (fixture), ==, 7);
}

static void
test_untrained (Fixture *fixture)
{
  g_autofree char *base = g_path_get_basename (fixture->folder);
  g_autofree char *title = g_strconcat (base, ", untrained, seed 5", NULL);
  g_autoptr (GVariant) state = NULL;

  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (gtk_label_get_label (fixture->window->model_name), ==, title);
  state = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), "random-weights");
  g_assert_true (g_variant_get_boolean (state));
  /* The next start would look for its weights. */
  g_assert_cmpstr (fixture->window->settings->last_model, !=, fixture->folder);
}

static GtkWidget *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (ADW_IS_MESSAGE_DIALOG (window))
      return window;
  }

  return NULL;
}

/* A folder without weights: the untrained model is offered, and the bundled one is shown. */
static void
test_offer (Fixture *fixture)
{
  wait_until (find_dialog () != NULL);
  g_assert_nonnull (driver_find_label (find_dialog (), "no file of weights"));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (driver_find (find_dialog (), GTK_TYPE_SPIN_BUTTON,
                                                           0)), 7);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_dialog ()), "open");
  wait_until (is_idle (fixture->window)
              && g_str_has_suffix (gtk_label_get_label (fixture->window->model_name),
                                   ", untrained, seed 7"));
}

/* A text that a model refuses that is just being opened: the picture and the title are still of
 * another one. */
static void
test_refused_name (Fixture *fixture)
{
  g_autofree char *base = g_path_get_basename (fixture->folder);
  g_autofree char *start = g_strconcat (base, ", untrained, seed 5: “cat” is no token id", NULL);
  UiDocument *document;

  app_window_open_model (fixture->window, "headlight-mini");
  wait_until (is_idle (fixture->window));
  type (fixture, "cat", "");
  wait_until (is_idle (fixture->window));

  document = ui_document_copy (fixture->window->document);
  g_free (document->model);
  document->model = g_strdup (fixture->folder);
  document->random_weights_set = TRUE;
  document->random_weights = 5;
  app_window_change (fixture->window, document);
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (gtk_label_get_label (fixture->window->model_name), ==, "headlight-mini");
  g_test_message ("%s", gtk_label_get_label (fixture->window->notice));
  g_assert_true (g_str_has_prefix (gtk_label_get_label (fixture->window->notice), start));
}

/* The words before the text change what the encoder reads, and how much is written. */
static void
test_asking (Fixture *fixture)
{
  int n_typed, n_summary;

  wait_until (is_idle (fixture->window) && fixture->window->written.is_done);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (fixture->window->ask_button)));
  g_assert_cmpint (g_menu_model_get_n_items (
                     gtk_menu_button_get_menu_model (fixture->window->ask_button)), ==, 3);
  g_assert_cmpint (fixture->window->written.n_tokens, ==, 20);
  n_typed = eng_trace_get_n_queries (fixture->window->trace, ENG_KIND_ENCODER);

  activate (fixture, "win.ask::prefix:summarize: ");
  wait_until (is_idle (fixture->window) && fixture->window->written.n_tokens == 6);
  n_summary = eng_trace_get_n_queries (fixture->window->trace, ENG_KIND_ENCODER);
  g_assert_cmpint (n_summary, >, n_typed);
  g_assert_cmpstr (gtk_menu_button_get_label (fixture->window->ask_button), ==, "summarize:");

  activate (fixture, "win.ask::lang:en:de");
  wait_until (is_idle (fixture->window) && fixture->window->written.n_tokens == 20);
  g_assert_cmpstr (fixture->window->document->lang, ==, "en:de");
  g_assert_null (fixture->window->document->prefix);

  activate (fixture, "win.ask::");
  wait_until (is_idle (fixture->window)
              && eng_trace_get_n_queries (fixture->window->trace, ENG_KIND_ENCODER) == n_typed);
}

/* Bytes of the part of B that is marked; FALSE = none. */
static gboolean
find_marked (Fixture *fixture,
             int     *start,
             int     *end)
{
  PangoAttrList *marks = gtk_entry_get_attributes (fixture->window->entry_b);
  g_autoptr (PangoAttrIterator) iterator = NULL;

  if (marks == NULL)
    return FALSE;

  iterator = pango_attr_list_get_iterator (marks);
  do {
    pango_attr_iterator_range (iterator, start, end);
    if (pango_attr_iterator_get (iterator, PANGO_ATTR_UNDERLINE) != NULL)
      return TRUE;
  } while (pango_attr_iterator_next (iterator));

  return FALSE;
}

static char *
get_marked (Fixture *fixture)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (fixture->window->entry_b));
  int start, end;

  return find_marked (fixture, &start, &end) ? g_strndup (text + start, (gsize) (end - start))
                                             : NULL;
}

/* The answer is said beside the picture and marked where it stands. */
static void
test_answer (Fixture *fixture)
{
  g_autofree char *marked = NULL;

  wait_until (is_idle (fixture->window));
  marked = get_marked (fixture);
  g_assert_nonnull (marked);
  g_test_message ("answer “%s”", marked);
  g_assert_true (driver_shows_text (GTK_WIDGET (fixture->window->inspector), marked));
  g_assert_cmpstr (gtk_entry_get_placeholder_text (fixture->window->entry_a), ==, "Question");

  /* Without a text there is no answer, and no mark of the last one. */
  type (fixture, "Who has it?", "");
  wait_until (is_idle (fixture->window));
  g_assert_null (get_marked (fixture));
  g_assert_null (driver_find_label (GTK_WIDGET (fixture->window->inspector), "Answer"));
}

/* Where an entity is a part of a character, its letter is shown and no sign for broken text. */
static void
test_entities (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  g_auto (AppPredictions) predictions = { 0 };
  const GArray *entities;
  gint cancel = 0;
  int n_cats = 0;

  wait_until (is_idle (window));
  app_predictions_read (&predictions, window->model, window->answered, window->trace, &cancel);
  entities = predictions.of[ENG_TASK_ENTITIES];
  for (guint i = 0; i < entities->len; i++) {
    const EngPrediction *entity = &g_array_index (entities, EngPrediction, i);

    g_assert_null (strstr (entity->token, "\xEF\xBF\xBD"));
    n_cats += g_str_equal (entity->token, "猫");
  }
  g_assert_cmpint (n_cats, >, 1);
}

/* A context that fits into one pass but is searched in parts, as it is on the command line. */
static void
test_long_answer (Fixture *fixture)
{
  static const char *const words[] = { "cat", "river", "old", "stone", "bright", "seven", "walks" };
  g_autoptr (GString) context = g_string_new ("a");
  g_autoptr (GArray) expected = NULL;
  const EngTextOptions options = { 0 };
  EngRunRequest request = { .text_a = "Who has the cat?" };
  const EngPrediction *answer;
  int start, end;

  for (int i = 0; i < 430; i++)
    g_string_append_printf (context, " %s", words[(i * i / 3 + i / 5) % 7]);
  wait_until (is_idle (fixture->window));
  type (fixture, request.text_a, context->str);
  wait_until (is_idle (fixture->window));
  g_assert_cmpint (eng_trace_get_n_queries (fixture->window->trace, ENG_KIND_ENCODER), >, 430);

  request.text_b = context->str;
  expected = eng_predict_answer (fixture->window->model, &options, &request, NULL);
  g_assert_cmpuint (expected->len, ==, 1);
  answer = &g_array_index (expected, EngPrediction, 0);
  g_test_message ("“%s” at %d", answer->token, answer->start);
  g_assert_true (driver_shows_text (GTK_WIDGET (fixture->window->inspector), answer->token));
  g_assert_true (find_marked (fixture, &start, &end));
  g_assert_cmpint (start, ==, answer->start);
}

static const char t5_tasks[] =
  "{\"model_type\": \"t5\", \"architectures\": [\"T5ForConditionalGeneration\"],"
  " \"vocab_size\": 32128, \"d_model\": 24, \"d_kv\": 8, \"d_ff\": 32, \"num_layers\": 2,"
  " \"num_decoder_layers\": 2, \"num_heads\": 3, \"decoder_start_token_id\": 0,"
  " \"pad_token_id\": 0, \"eos_token_id\": null" TASKS;

int
main (int    argc,
      char **argv)
{
  static const struct { const char *name; Test test; } tests[] = {
    { "write", { test_write, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
    { "steps", { test_steps, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
    { "begins-written", { test_begins_written, UNTRAINED_GPT2, NULL, "3 14 15", "", 6,
                          .written = 3 } },
    { "anew", { test_anew, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
    { "two-stacks", { test_two_stacks, UNTRAINED_T5, NULL, "5 7 11", "", 6 } },
    { "pause", { test_pause, UNTRAINED_SLOW_T5, NULL, "5 7 11", "9", N_ENDLESS } },
    { "close", { test_close, UNTRAINED_SLOW_T5, NULL, "5 7 11", "9", N_ENDLESS } },
    { "settings", { test_settings, UNTRAINED_GPT2, NULL, "3 14 15", "", 6 } },
    { "untrained", { test_untrained, UNTRAINED_GPT2, NULL, "3 14 15", "" } },
    { "offer", { test_offer, UNTRAINED_GPT2, NULL, "3 14 15", "", .is_trained = TRUE } },
    { "refused-name", { test_refused_name, UNTRAINED_GPT2, NULL, "3 14 15", "" } },
    { "asking", { test_asking, t5_tasks, "t5-small", "The house is wonderful.", "" } },
    { "answer", { test_answer, QUESTIONS, "bert-base-uncased", "Who has the cat?",
                  "The old man has a cat and a dog" } },
    { "entities", { test_entities, ENTITIES, "roberta-base", "猫 and 狗 and 象 and 牛", "" } },
    { "long-answer", { test_long_answer, QUESTIONS, "bert-base-uncased", "Who?", "A cat" } },
  };

  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/window-writing/", tests[i].name, NULL);

    g_test_add_data_func (path, &tests[i].test, run_test);
  }

  return g_test_run ();
}
