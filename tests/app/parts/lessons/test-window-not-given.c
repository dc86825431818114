/* SPDX-License-Identifier: MIT */
/* A lesson in the real window: what is not opened, begun or given away before a question is answered. */
#include "tests/app/parts/lessons/question-case.h"
#include "ui/controls/state-label.h"
#include "ui/dialogs/export-dialog.h"

static void
text_read_cb (GObject      *clipboard,
              GAsyncResult *result,
              gpointer      text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* What is on the clipboard once an action was refused, which is told, or had its way. */
static char *
copy_text (Fixture    *fixture,
           const char *action)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->window));
  g_autoptr (AdwToast) toast = NULL;
  char *text = NULL;

  gdk_clipboard_set_text (clipboard, "before");
  activate (fixture, action);
  wait_until (window_get_toast (fixture->window) != NULL);
  toast = g_object_ref (window_get_toast (fixture->window));
  gdk_clipboard_read_text_async (clipboard, NULL, text_read_cb, &text);
  wait_until (text != NULL);
  if (g_str_equal (text, "before"))
    g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (adw_toast_get_custom_title (toast))), ==,
                     UI_SCENE_HELD_BACK);
  adw_toast_dismiss (toast);
  wait_until (window_get_toast (fixture->window) == NULL);
  return text;
}

static void
written_cb (GObject      *provider,
            GAsyncResult *result,
            gpointer      is_written)
{
  g_assert_true (gdk_content_provider_write_mime_type_finish (GDK_CONTENT_PROVIDER (provider), result,
                                                              NULL));
  *(gboolean *) is_written = TRUE;
}

/* The text of the drawing that is copied. */
static char *
copy_drawing (Fixture *fixture)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->window));
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  gboolean is_written = FALSE;

  gdk_clipboard_set_content (clipboard, NULL);
  activate (fixture, "win.copy-picture");
  wait_until (gdk_content_formats_contain_mime_type (gdk_clipboard_get_formats (clipboard),
                                                     "image/svg+xml"));
  gdk_content_provider_write_mime_type_async (gdk_clipboard_get_content (clipboard),
                                              "image/svg+xml", stream, G_PRIORITY_DEFAULT, NULL,
                                              written_cb, &is_written);
  wait_until (is_written);
  return g_strndup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)),
                    g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)));
}

/* What the export dialog says of a file. */
static gboolean
export_says (Fixture    *fixture,
             const char *text)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWidget *dialog = NULL;
  gboolean is_said;

  activate (fixture, "win.export");
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (UI_IS_EXPORT_DIALOG (window))
      dialog = window;
  }
  driver_settle (dialog);
  is_said = driver_find_label (dialog, text) != NULL;
  gtk_window_close (GTK_WINDOW (dialog));
  return is_said;
}

#define DRAWN_NUMBER ">[01]\\.[0-9]+<"

/* What leaves the window does not say the answer, either: figures wait with their numbers, data waits as
 * a whole, and the command, which has none, does not. */
static void
test_not_given (Fixture *fixture)
{
  static const char *const data[] = { "win.copy-numbers", "win.copy-csv", "win.copy-json" };
  g_autofree char *held = NULL;
  g_autofree char *open = NULL;
  g_autofree char *command = NULL;

  open_asked (fixture, "given.md");
  for (gsize i = 0; i < G_N_ELEMENTS (data); i++) {
    g_autofree char *text = copy_text (fixture, data[i]);

    g_assert_cmpstr (text, ==, "before");
  }
  command = copy_text (fixture, "win.copy-command");
  g_assert_true (g_str_has_prefix (command, "headlight render"));
  held = copy_drawing (fixture);
  g_assert_false (g_regex_match_simple (DRAWN_NUMBER, held, 0, 0));
  g_assert_true (export_says (fixture, "; its numbers come with the answer"));

  answer_token (fixture, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (data); i++) {
    g_autofree char *text = copy_text (fixture, data[i]);

    g_assert_cmpstr (text, !=, "before");
  }
  open = copy_drawing (fixture);
  g_assert_true (g_regex_match_simple (DRAWN_NUMBER, open, 0, 0));
  g_assert_false (export_says (fixture, "its numbers come with the answer"));
}

/* It says why not, and nothing else. */
static void
assert_refused (Fixture    *fixture,
                const char *action)
{
  const guint n_windows = g_list_model_get_n_items (gtk_window_get_toplevels ());
  g_autoptr (AdwToast) toast = NULL;

  activate (fixture, action);
  wait_until (window_get_toast (fixture->window) != NULL);
  toast = g_object_ref (window_get_toast (fixture->window));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (adw_toast_get_custom_title (toast))), ==,
                   UI_SCENE_HELD_BACK);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, n_windows);
  g_assert_true (window_shows_side (fixture->window, "lesson"));
  adw_toast_dismiss (toast);
  wait_until (window_get_toast (fixture->window) == NULL);
}

static void
ask_again (Fixture *fixture)
{
  g_signal_emit_by_name (find_button (fixture, "Ask again"), "clicked");
  driver_settle (GTK_WIDGET (fixture->window));
}

/* What every head does for the prediction is not measured, and not left in sight. */
static void
test_not_ablated (Fixture *fixture)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n_windows;

  open_asked (fixture, "ablated.md");
  assert_refused (fixture, "win.ablate");
  n_windows = g_list_model_get_n_items (windows);
  answer_token (fixture, 1);
  activate (fixture, "win.ablate");
  g_assert_cmpuint (g_list_model_get_n_items (windows), ==, n_windows + 1);
  ask_again (fixture);
  wait_until (g_list_model_get_n_items (windows) == n_windows);
}

#define WRITES "---\ntitle: Mine\nminutes: 5\nmodel: headlight-causal\n---\n\n"
#define CUP "```headlight\nheadlight render --layer 3 --heads 1 -o a.svg 'He drinks a cup of'\n```\n\n"
#define CUP_ASKED CUP "ask: option What will it say?\noption: tea\noption: coffee\nanswer: coffee\n\n" \
  "Behind.\n\n"

/* Nothing is written on; what was written before the question is not there. */
static void
test_not_written (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("written.md", WRITES "## Open\n\n" CUP "## Asked\n\n"
                                        CUP_ASKED);

  open_file (fixture, path);
  wait_until (is_idle (fixture->window) && is_enabled (fixture, "write-token"));
  activate (fixture, "win.write-token");
  wait_until (window_get_written (fixture->window)->n_tokens == 1);
  activate (fixture, "win.next-section");
  wait_until (is_idle (fixture->window) && is_enabled (fixture, "write-token"));
  g_assert_cmpint (window_get_written (fixture->window)->n_tokens, ==, 0);
  assert_refused (fixture, "win.write-token");
  assert_refused (fixture, "win.write");
  wait_until (is_idle (fixture->window));
  g_assert_cmpint (window_get_written (fixture->window)->n_tokens, ==, 0);

  ui_question_box_choose_option (find_question (fixture, 0), 0);
  g_signal_emit_by_name (find_question (fixture, 0), "answered");
  activate (fixture, "win.write-token");
  wait_until (window_get_written (fixture->window)->n_tokens == 1);
}

/* Neither the heads of two words nor those of a text file are looked for; their pages say nothing where a
 * question comes, and are as they were once it is answered. */
static void
test_not_searched (Fixture *fixture)
{
  GtkWidget *side, *links, *file;

  open_asked (fixture, "searched.md");
  side = window_find (fixture->window, "side");
  assert_refused (fixture, "win.find-heads");
  assert_refused (fixture, "win.search-file");
  answer_token (fixture, 1);
  activate (fixture, "win.search-file");
  file = window_find (fixture->window, "search_results");
  wait_until (driver_find_label (file, "A text file with a sentence") != NULL);
  activate (fixture, "win.find-heads");
  links = window_find (fixture->window, "link_results");
  g_signal_emit_by_name (links, "words-changed", 1, 2);
  wait_until (driver_find_label (side, "links by weight") != NULL);

  ask_again (fixture);
  g_assert_true (window_shows_side (fixture->window, "links"));
  g_assert_true (driver_shows_text (links, APP_DESK_HELD_BACK));
  g_assert_null (driver_find_label (side, "links by weight"));
  show_page (fixture, "file");
  g_assert_true (driver_shows_text (file, APP_DESK_HELD_BACK));
  g_assert_null (driver_find_label (file, "A text file with a sentence"));

  show_page (fixture, "lesson");
  answer_token (fixture, 1);
  show_page (fixture, "file");
  wait_until (driver_find_label (file, "A text file with a sentence") != NULL);
  g_assert_false (driver_shows_text (file, APP_DESK_HELD_BACK));
  show_page (fixture, "links");
  wait_until (driver_find_label (links, "links by weight") != NULL);
}

/* As the picture and the button above it have it. */
static UiOrder
get_drawn_order (Fixture *fixture)
{
  UiStateLabel *label = UI_STATE_LABEL (window_find (fixture->window, "show_label"));
  const char *said = ui_state_label_get_text (label);
  const UiOrder order =
    ui_scene_get_document (ui_scene_view_get_scene (window_view (fixture->window)))->order;

  g_assert_cmpstr (said, ==, order == UI_ORDER_LAYER ? "Show by layer" : "Show by pattern");
  return order;
}

#define GRID(order) "```headlight\nheadlight render --view model " order "-o a.svg 'The cat sat'\n```\n\n"
#define ORDER_ASKED "ask: head Which?\nanswer: 1.6\n\nBehind.\n\n"

/* Groups name what heads read: while that is asked heads stand by layers, unless the lesson has it
 * otherwise. */
static void
test_not_sorted (Fixture *fixture)
{
  g_autofree char *path = write_lesson ("sorted.md", HEADER "## Grid\n\n" GRID ("") ORDER_ASKED
                                        "## Groups\n\n" GRID ("--order pattern ") ORDER_ASKED);

  open_file (fixture, path);
  wait_until (is_idle (fixture->window));
  activate (fixture, "win.order::pattern");
  wait_until (is_idle (fixture->window) && get_document (fixture)->order == UI_ORDER_PATTERN);
  g_assert_cmpint (get_drawn_order (fixture), ==, UI_ORDER_LAYER);
  activate (fixture, "win.order::entropy");
  wait_until (is_idle (fixture->window) && get_document (fixture)->order == UI_ORDER_ENTROPY);
  g_assert_cmpint (get_drawn_order (fixture), ==, UI_ORDER_LAYER);
  activate (fixture, "win.order::pattern");
  ui_question_box_choose_head (find_question (fixture, 0), 0, 0);
  g_signal_emit_by_name (find_question (fixture, 0), "answered");
  wait_until (is_idle (fixture->window) && get_drawn_order (fixture) == UI_ORDER_PATTERN);

  activate (fixture, "win.next-section");
  wait_until (is_idle (fixture->window) && get_drawn_order (fixture) == UI_ORDER_PATTERN);
  g_assert_true (app_picture_is_asked (app_desk_get_picture (app_window_get_desk
                                                             (fixture->window))));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-not-given/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  int status;

  if (!driver_init (&argc, &argv))
    return 77;
  folder = temporary_new ();

  ADD ("not-given", test_not_given);
  ADD ("not-ablated", test_not_ablated);
  ADD ("not-written", test_not_written);
  ADD ("not-searched", test_not_searched);
  ADD ("not-sorted", test_not_sorted);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
