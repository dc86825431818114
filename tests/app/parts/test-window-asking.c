/* SPDX-License-Identifier: MIT */
/* The real window with models that are asked, that answer, or that were never trained. */
#include <string.h>

#include "tests/support/task-checkpoint.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/parts/writing-case.h"
#include "ui/sentences/sentence-entry.h"

#define QUESTIONS                                                                              \
  "{\"model_type\": \"distilbert\", \"architectures\": [\"DistilBertForQuestionAnswering\"],"   \
  " \"dim\": 24, \"n_layers\": 2, \"n_heads\": 3, \"hidden_dim\": 32, \"vocab_size\": 30522,"   \
  " \"max_position_embeddings\": 512}"
#define ENTITIES                                                                               \
  "{\"model_type\": \"roberta\", \"architectures\": [\"RobertaForTokenClassification\"],"        \
  " \"hidden_size\": 24, \"num_hidden_layers\": 2, \"num_attention_heads\": 3,"                \
  " \"intermediate_size\": 32, \"vocab_size\": 50265, \"max_position_embeddings\": 64,"        \
  " \"id2label\": {\"0\": \"B-X\", \"1\": \"B-Y\"}}"
#define REPLACED                                                                               \
  "{\"model_type\": \"electra\", \"architectures\": [\"ElectraForPreTraining\"],"              \
  " \"embedding_size\": 16, \"hidden_size\": 24, \"num_hidden_layers\": 2,"                    \
  " \"num_attention_heads\": 3, \"intermediate_size\": 32, \"vocab_size\": 30522}"
#define LANGUAGES                                                                              \
  "{\"model_type\": \"xlm\", \"architectures\": [\"XLMWithLMHeadModel\"], \"emb_dim\": 24,"    \
  " \"n_layers\": 2, \"n_heads\": 3, \"vocab_size\": 61, \"n_langs\": 3,"                       \
  " \"max_position_embeddings\": 64, \"lang2id\": {\"en\": 0, \"fr\": 2, \"xx\": 1}}"
#define TASKS                                                                                  \
  ", \"task_specific_params\": {\"summarization\": {\"prefix\": \"summarize: \","              \
  " \"max_length\": 7}, \"translation_en_to_de\": {\"prefix\": \"translate: \"}}}"

static void
test_untrained (Fixture *fixture)
{
  g_autofree char *base = g_path_get_basename (fixture->folder);
  g_autofree char *title = g_strconcat (base, ", untrained, seed 5", NULL);
  g_autoptr (GVariant) state = NULL;

  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (window_get_label (fixture->window, "model_name"), ==, title);
  state = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), "random-weights");
  g_assert_true (g_variant_get_boolean (state));
  /* The next start would look for its weights. */
  g_assert_cmpstr (window_get_settings (fixture->window)->last_model, !=, fixture->folder);
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
              && g_str_has_suffix (window_get_label (fixture->window, "model_name"),
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

  window_open_model (fixture->window, "headlight-mini");
  wait_until (is_idle (fixture->window));
  type (fixture, "cat", "");
  wait_until (is_idle (fixture->window));

  document = ui_document_copy (app_window_get_document (fixture->window));
  g_free (document->model);
  document->model = g_strdup (fixture->folder);
  document->random_weights_set = TRUE;
  document->random_weights = 5;
  window_change (fixture->window, document);
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (window_get_label (fixture->window, "model_name"), ==, "headlight-mini");
  g_test_message ("%s", window_get_label (fixture->window, "notice"));
  g_assert_true (g_str_has_prefix (window_get_label (fixture->window, "notice"), start));
}

/* The words before the text change what the encoder reads, and how much is written. */
static void
test_asking (Fixture *fixture)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (fixture->window, "ask_button"));
  int n_typed, n_summary;

  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->is_done);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (button)));
  g_assert_cmpint (g_menu_model_get_n_items (gtk_menu_button_get_menu_model (button)), ==, 3);
  g_assert_cmpint (window_get_written (fixture->window)->n_tokens, ==, 20);
  n_typed = eng_trace_get_n_queries (app_window_get_trace (fixture->window), ENG_KIND_ENCODER);

  activate (fixture, "win.ask::prefix:summarize: ");
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->n_tokens == 6);
  n_summary = eng_trace_get_n_queries (app_window_get_trace (fixture->window), ENG_KIND_ENCODER);
  g_assert_cmpint (n_summary, >, n_typed);
  g_assert_cmpstr (gtk_menu_button_get_label (button), ==, "summarize:");

  activate (fixture, "win.ask::lang:en:de");
  wait_until (is_idle (fixture->window) && window_get_written (fixture->window)->n_tokens == 20);
  g_assert_cmpstr (app_window_get_document (fixture->window)->lang, ==, "en:de");
  g_assert_null (app_window_get_document (fixture->window)->prefix);

  activate (fixture, "win.ask::");
  wait_until (is_idle (fixture->window)
              && eng_trace_get_n_queries (app_window_get_trace (fixture->window),
                                          ENG_KIND_ENCODER) == n_typed);
}

/* What a menu says at a place, and the state that it asks for. */
static void
assert_item (GMenuModel *menu,
             int         i,
             const char *label,
             const char *target)
{
  g_autofree char *found_label = NULL;
  g_autofree char *found_target = NULL;

  g_assert_true (g_menu_model_get_item_attribute (menu, i, "label", "s", &found_label));
  g_assert_cmpstr (found_label, ==, label);
  if (target == NULL)
    return;
  g_assert_true (g_menu_model_get_item_attribute (menu, i, "target", "s", &found_target));
  g_assert_cmpstr (found_target, ==, target);
}

/* A model of a hundred languages: into which, and, once that is said, from which. */
static void
test_any_pair (Fixture *fixture)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (fixture->window, "ask_button"));
  char *folder = task_checkpoint_assemble ("m2m-languages");
  g_autoptr (GMenuModel) from = NULL;
  g_autoptr (GMenuModel) into = NULL;
  GMenuModel *menu;

  wait_until (is_idle (fixture->window));
  window_open_model (fixture->window, folder);
  type (fixture, "a boat", "");
  wait_until (is_idle (fixture->window));
  menu = gtk_menu_button_get_menu_model (button);
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 2);
  assert_item (menu, 1, "Translate Into", NULL);
  into = g_menu_model_get_item_link (menu, 1, G_MENU_LINK_SUBMENU);
  g_assert_cmpint (g_menu_model_get_n_items (into), ==, 100);
  assert_item (into, 0, "Afrikaans (af)", "lang:de:af");

  activate (fixture, "win.ask::lang:de:zu");
  wait_until (is_idle (fixture->window));
  g_assert_cmpstr (gtk_menu_button_get_label (button), ==, "Translate German → Zulu");
  menu = gtk_menu_button_get_menu_model (button);
  assert_item (menu, 1, "Translate From", NULL);
  from = g_menu_model_get_item_link (menu, 1, G_MENU_LINK_SUBMENU);
  assert_item (from, 1, "Albanian (sq)", "lang:sq:zu");
  temporary_free (folder);
}

static double
get_first_weight (AppWindow *window)
{
  EngAttention *attention = eng_trace_dup_attention (app_window_get_trace (window),
                                                     ENG_KIND_ENCODER, 1);
  double weight = attention->weights[0];

  eng_attention_unref (attention);

  return weight;
}

/* A model that is told what its texts are written in, and writes nothing: another attention, until
 * it is undone. */
static void
test_own_languages (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (window, "ask_button"));
  g_autoptr (GMenuModel) languages = NULL;
  double none;

  wait_until (is_idle (window));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (button)));
  assert_item (gtk_menu_button_get_menu_model (button), 1, "Language of the Texts", NULL);
  languages = g_menu_model_get_item_link (gtk_menu_button_get_menu_model (button), 1,
                                          G_MENU_LINK_SUBMENU);
  g_assert_cmpint (g_menu_model_get_n_items (languages), ==, 3);
  assert_item (languages, 0, "English (en)", "lang:en");
  assert_item (languages, 1, "French (fr)", "lang:fr");
  assert_item (languages, 2, "xx", "lang:xx");
  none = get_first_weight (window);

  activate (fixture, "win.ask::lang:fr");
  wait_until (is_idle (window) && get_first_weight (window) != none);
  g_assert_cmpstr (gtk_menu_button_get_label (button), ==, "In French");
  activate (fixture, "win.undo");
  wait_until (is_idle (window) && get_first_weight (window) == none);
  g_assert_cmpstr (gtk_menu_button_get_label (button), ==, "As Typed");
}

/* A control code that is chosen is the first token, and no part of the text. */
static void
test_control_codes (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (window, "ask_button"));
  char *folder = control_code_folder_new (CONTROL_CODE_VOCABULARY);
  g_autoptr (GMenuModel) codes = NULL;
  UiDocument *document;
  const EngTokens *tokens;

  wait_until (is_idle (window));
  document = ui_document_copy (app_window_get_document (window));
  ui_replace_text (&document->model, folder);
  ui_replace_text (&document->text_a, "x");
  window_change (window, document);
  wait_until (is_idle (window));
  codes = g_menu_model_get_item_link (gtk_menu_button_get_menu_model (button), 1,
                                      G_MENU_LINK_SUBMENU);
  assert_item (gtk_menu_button_get_menu_model (button), 1, "Control Code", NULL);
  g_assert_cmpint (g_menu_model_get_n_items (codes), ==, 2);
  assert_item (codes, 0, "India (1331)", "prefix:India");
  assert_item (codes, 1, "Science (2090)", "prefix:Science");

  activate (fixture, "win.ask::prefix:Science");
  wait_until (is_idle (window));
  g_assert_cmpstr (gtk_menu_button_get_label (button), ==, "Science");
  tokens = eng_trace_get_query_tokens (app_window_get_trace (window), ENG_KIND_DECODER);
  g_assert_cmpint (tokens->ids[0], ==, 2090);
  g_assert_cmpint (tokens->ids[1], ==, 1);
  g_assert_true (tokens->special[0]);
  g_assert_false (tokens->special[1]);
  temporary_free (folder);
}

/* Where a model could write it is said that a chat must be spelt by hand. */
static void
test_chat_template (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  char *folder = control_code_folder_new (CONTROL_CODE_VOCABULARY);
  UiDocument *document;

  checkpoint_write_file (folder, "chat_template.jinja", "{{ messages }}", -1);
  wait_until (is_idle (window));
  g_assert_cmpstr (window_get_label (window, "written_label"), ==,
                   "The model can write on from here");
  document = ui_document_copy (app_window_get_document (window));
  ui_replace_text (&document->model, folder);
  ui_replace_text (&document->text_a, "x");
  window_change (window, document);
  wait_until (is_idle (window));
  g_assert_cmpstr (window_get_label (window, "written_label"), ==,
                   "The model can write on from here, without its chat template");
  temporary_free (folder);
}

/* Letters of a text that is too long for lines. */
static char *
get_marked_in_line (GtkText *line)
{
  PangoAttrList *marks = gtk_text_get_attributes (line);
  g_autoptr (PangoAttrIterator) iterator = marks != NULL ? pango_attr_list_get_iterator (marks)
                                                         : NULL;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (line));
  int start, end;

  if (iterator == NULL)
    return NULL;
  do {
    pango_attr_iterator_range (iterator, &start, &end);
    if (pango_attr_iterator_get (iterator, PANGO_ATTR_UNDERLINE) != NULL)
      return g_strdup_printf ("%d %.*s", start, end - start, text + start);
  } while (pango_attr_iterator_next (iterator));
  return NULL;
}

/* What of a sentence is marked first; NULL = nothing. */
static char *
get_marked (Fixture    *fixture,
            const char *entry)
{
  GtkWidget *view = driver_find (window_find (fixture->window, entry), GTK_TYPE_TEXT_VIEW, 0);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end;

  gtk_text_buffer_get_start_iter (buffer, &start);
  if (!gtk_text_iter_starts_tag (&start, NULL)
      && !gtk_text_iter_forward_to_tag_toggle (&start, NULL))
    return NULL;
  end = start;
  gtk_text_iter_forward_to_tag_toggle (&end, NULL);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* The answer is said beside the picture and marked where it stands. */
static void
test_answer (Fixture *fixture)
{
  UiSentenceEntry *entry = UI_SENTENCE_ENTRY (window_find (fixture->window, "entry_a"));
  g_autofree char *marked = NULL;

  wait_until (is_idle (fixture->window));
  marked = get_marked (fixture, "entry_b");
  g_assert_nonnull (marked);
  g_test_message ("answer “%s”", marked);
  g_assert_true (driver_shows_text (window_find (fixture->window, "inspector"), marked));
  g_assert_cmpstr (ui_sentence_entry_get_placeholder (entry), ==, "Question");

  /* Without a text there is no answer, and no mark of the last one. */
  type (fixture, "Who has it?", "");
  wait_until (is_idle (fixture->window));
  g_assert_null (get_marked (fixture, "entry_b"));
  g_assert_null (driver_find_label (window_find (fixture->window, "inspector"), "Answer"));
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
  app_predictions_read (&predictions, window_get_model (window), window_get_answered (window),
                        app_window_get_trace (window), &cancel);
  entities = predictions.of[ENG_TASK_ENTITIES];
  for (guint i = 0; i < entities->len; i++) {
    const EngPrediction *entity = &g_array_index (entities, EngPrediction, i);

    g_assert_null (strstr (entity->token, "\xEF\xBF\xBD"));
    n_cats += g_str_equal (entity->token, "猫");
  }
  g_assert_cmpint (n_cats, >, 1);
}

/* Tokens that were replaced are said, the likeliest first, and marked where they stand. */
static void
test_replaced (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  g_auto (AppPredictions) predictions = { 0 };
  const GArray *tokens;
  g_autofree char *expected = NULL;
  g_autofree char *marked = NULL;
  gint cancel = 0;
  int first = G_MAXINT;

  wait_until (is_idle (window));
  app_predictions_read (&predictions, window_get_model (window), window_get_answered (window),
                        app_window_get_trace (window), &cancel);
  tokens = predictions.of[ENG_TASK_REPLACED_TOKENS];
  g_assert_cmpuint (tokens->len, >=, 5);
  for (guint i = 0; i < tokens->len; i++) {
    const EngPrediction *token = &g_array_index (tokens, EngPrediction, i);

    g_assert_cmpstr (token->label, ==, token->probability > 0.5 ? "replaced" : "original");
    g_assert_true (i < 5 || token->probability > 0.5);
    g_assert_true (i == 0 || token->probability
                             <= g_array_index (tokens, EngPrediction, i - 1).probability);
    if (token->probability > 0.5 && token->start < first) {
      first = token->start;
      g_free (expected);
      expected = g_utf8_substring (window_get_answered (window)->text_a, first, token->end);
    }
  }
  marked = get_marked (fixture, "entry_a");
  g_test_message ("first replaced “%s”", expected);
  g_assert_cmpstr (marked, ==, expected);
  g_assert_nonnull (driver_find_label (window_find (window, "inspector"), "Replaced?"));
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
  g_autofree char *marked = NULL;
  g_autofree char *expected_mark = NULL;

  for (int i = 0; i < 430; i++)
    g_string_append_printf (context, " %s", words[(i * i / 3 + i / 5) % 7]);
  wait_until (is_idle (fixture->window));
  type (fixture, request.text_a, context->str);
  wait_until (is_idle (fixture->window));
  g_assert_cmpint (eng_trace_get_n_queries (app_window_get_trace (fixture->window),
                                            ENG_KIND_ENCODER), >, 430);

  request.text_b = context->str;
  expected = eng_predict_answer (window_get_model (fixture->window), &options, &request, NULL);
  g_assert_cmpuint (expected->len, ==, 1);
  answer = &g_array_index (expected, EngPrediction, 0);
  g_test_message ("“%s” at %d", answer->token, answer->start);
  g_assert_true (driver_shows_text (window_find (fixture->window, "inspector"), answer->token));
  marked = get_marked_in_line (GTK_TEXT (driver_find (window_find (fixture->window, "entry_b"),
                                                      GTK_TYPE_TEXT, 0)));
  expected_mark = g_strdup_printf ("%d %s", answer->start, answer->token);
  g_assert_cmpstr (marked, ==, expected_mark);
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
    { "untrained", { test_untrained, UNTRAINED_GPT2, NULL, "3 14 15", "" } },
    { "offer", { test_offer, UNTRAINED_GPT2, NULL, "3 14 15", "", .is_trained = TRUE } },
    { "refused-name", { test_refused_name, UNTRAINED_GPT2, NULL, "3 14 15", "" } },
    { "asking", { test_asking, t5_tasks, "t5-small", "The house is wonderful.", "" } },
    { "any-pair", { test_any_pair, UNTRAINED_GPT2, NULL, "3 14 15", "" } },
    { "own-languages", { test_own_languages, LANGUAGES, NULL, "3 14 15", "" } },
    { "control-codes", { test_control_codes, UNTRAINED_GPT2, NULL, "3 14 15", "" } },
    { "chat-template", { test_chat_template, UNTRAINED_GPT2, NULL, "3 14 15", "" } },
    { "answer", { test_answer, QUESTIONS, "bert-base-uncased", "Who has the cat?",
                  "The old man has a cat and a dog" } },
    { "entities", { test_entities, ENTITIES, "roberta-base", "猫 and 狗 and 象 and 牛", "" } },
    { "replaced", { test_replaced, REPLACED, "bert-base-uncased",
                    "The old man has a cat and a dog", "" } },
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
