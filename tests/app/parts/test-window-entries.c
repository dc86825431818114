/* SPDX-License-Identifier: MIT */
/* Texts that are typed, pasted and chosen in the real window, and which of them are refused. */
#include "app/parts/texts/examples.h"
#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

/* Whether the box of a flag is ticked. */
static gboolean
is_set (Fixture    *fixture,
        const char *name)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window),
                                                                name);

  return g_variant_get_boolean (state);
}

static void
test_typing (Fixture *fixture)
{
  type (fixture, "time flies like an arrow", "fruit flies like a banana");
  assert_drawn (fixture, "[CLS] time flies like an arrow [SEP] fruit flies like a banana [SEP]");

  g_assert_true (is_enabled (fixture, "filter"));
  activate (fixture, "win.filter::ab");
  g_assert_cmpint (get_drawn_document (fixture)->filter, ==, UI_FILTER_AB);
  activate (fixture, "win.renormalise");
  g_assert_true (get_drawn_document (fixture)->renormalise);
  activate (fixture, "win.filter::all");
  g_assert_false (get_drawn_document (fixture)->renormalise);
  g_assert_false (is_set (fixture, "renormalise"));
  activate (fixture, "win.filter::ab");
  g_assert_true (get_drawn_document (fixture)->renormalise);

  /* Without B there is nothing to filter; with B the choice is back. */
  type (fixture, "time flies like an arrow", "");
  assert_drawn (fixture, "[CLS] time flies like an arrow [SEP]");
  g_assert_false (is_enabled (fixture, "filter"));
  g_assert_cmpint (get_drawn_document (fixture)->filter, ==, UI_FILTER_ALL);
  type (fixture, "time flies like an arrow", "fruit");
  g_assert_cmpint (get_drawn_document (fixture)->filter, ==, UI_FILTER_AB);
}

/* Faster than any pass: only the last text counts. */
static void
test_fast_typing (Fixture *fixture)
{
  static const char text[] = "the quick brown fox jumps over the lazy dog";

  for (gsize length = 1; length <= strlen (text); length++) {
    g_autofree char *typed = g_strndup (text, length);

    gtk_editable_set_text (GTK_EDITABLE (window_find (fixture->window, "entry_a")), typed);
    g_main_context_iteration (NULL, FALSE);
  }
  type (fixture, text, "");
  g_assert_cmpstr (eng_trace_get_text_a (app_window_get_trace (fixture->window)), ==, text);
  g_assert_true (window_is_complete (fixture->window));
}

static void
test_refused_text (Fixture *fixture)
{
  EngTrace *trace = app_window_get_trace (fixture->window);

  type (fixture, "", "The cat lay on the rug");
  g_assert_true (has_notice (fixture));
  g_assert_cmpstr (window_get_label (fixture->window, "notice"), ==,
                   "Sentence A is empty: type one. Until then the picture shows the text before.");
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "truncate_button")));
  /* The last picture stays, and may still be looked at. */
  g_assert_true (ui_scene_get_trace (ui_scene_view_get_scene (window_view (fixture->window)))
                 == trace);
  activate (fixture, "win.next-layer");
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 1);

  type (fixture, "  ", "");
  g_assert_cmpstr (window_get_label (fixture->window, "notice"), ==,
                   "The sentence is empty: type one. Until then the picture shows the text before.");

  type (fixture, "A cat", "The cat lay on the rug");
  g_assert_false (has_notice (fixture));
  assert_drawn (fixture, "[CLS] a cat [SEP] the cat lay on the rug [SEP]");
}

static void
test_long_text (Fixture *fixture)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 300; i++)
    g_string_append (text, "cat ");
  type (fixture, text->str, "");
  g_assert_true (has_notice (fixture));
  assert_contains (window_get_label (fixture->window, "notice"), "302");
  assert_contains (window_get_label (fixture->window, "notice"), "256");
  assert_contains (window_get_label (fixture->window, "notice"), "; Truncate cuts it");
  g_assert_null (strstr (window_get_label (fixture->window, "notice"), "--"));
  g_assert_true (gtk_widget_get_visible (window_find (fixture->window, "truncate_button")));

  activate (fixture, "win.truncate");
  wait_until (is_idle (fixture->window));
  g_assert_false (has_notice (fixture));
  g_assert_cmpint (eng_trace_get_n_queries (app_window_get_trace (fixture->window),
                                            ENG_KIND_ENCODER), ==, 256);
  assert_contains (window_get_label (fixture->window, "pass_status"), "256 tokens of 302");

  type (fixture, "cat", "");
  g_assert_null (strstr (window_get_label (fixture->window, "pass_status"), "of 302"));
}

static void
paste (Fixture    *fixture,
       const char *text)
{
  GtkEditable *entry = GTK_EDITABLE (window_find (fixture->window, "entry_a"));
  int position = -1;

  gtk_editable_insert_text (entry, text, -1, &position);
  wait_until (is_idle (fixture->window));
}

/* What an entry cannot lay out in a frame is cut or made plain, and that is said. Tabs of a text
 * stay: a byte-level tokenizer tells them from blanks. */
static void
test_large_insertions (Fixture *fixture)
{
  GtkEditable *entry = GTK_EDITABLE (window_find (fixture->window, "entry_a"));
  GtkWidget *overlay = window_find (fixture->window, "toasts");
  g_autofree char *letters = g_strnfill (32768, 'x');
  g_autofree char *cells = g_strnfill (100, '\t');

  type (fixture, "", "");
  paste (fixture, "a\tcat");
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "a\tcat");
  paste (fixture, cells);
  g_assert_cmpuint (strlen (gtk_editable_get_text (entry)), ==, 105);
  g_assert_cmpint (strcspn (gtk_editable_get_text (entry) + 2, "\t"), ==, 103);
  wait_until (driver_find_label (overlay, "tabs of the table") != NULL);

  /* Sixteen letters of two bytes each stay before the end. */
  type (fixture, "éééééééééééééééé", "");
  paste (fixture, letters);
  g_assert_cmpint (g_utf8_strlen (gtk_editable_get_text (entry), -1), ==, 32768);
  g_assert_cmpstr (app_window_get_document (fixture->window)->text_a, ==,
                   gtk_editable_get_text (entry));
  wait_until (driver_find_label (overlay, "32,768") != NULL);
  paste (fixture, "é");
  g_assert_cmpint (g_utf8_strlen (gtk_editable_get_text (entry), -1), ==, 32768);
}

/* A key moves the cursor by a letter in a text of any length: Pango's own way would take 40 s. */
static void
test_cursor_in_long_text (Fixture *fixture)
{
  GtkEditable *entry = GTK_EDITABLE (window_find (fixture->window, "entry_a"));
  GtkWidget *text = driver_find (GTK_WIDGET (entry), GTK_TYPE_TEXT, 0);
  g_autofree char *letters = g_strnfill (32768, 'x');
  GString *hebrew = g_string_new (NULL);
  int start, end;

  type (fixture, letters, "");
  gtk_editable_set_position (entry, 100);
  g_assert_true (driver_press_key (text, "Right"));
  g_assert_cmpint (gtk_editable_get_position (entry), ==, 101);
  g_assert_true (driver_press_key (text, "<Shift>Left"));
  g_assert_true (gtk_editable_get_selection_bounds (entry, &start, &end));
  g_assert_cmpint (start, ==, 100);
  g_assert_cmpint (end, ==, 101);

  for (int i = 0; i < 2500; i++)
    g_string_append (hebrew, "ש");
  type (fixture, hebrew->str, "");
  gtk_editable_set_position (entry, 100);
  g_assert_true (driver_press_key (text, "Right"));
  g_assert_cmpint (gtk_editable_get_position (entry), ==, 99);
  g_string_free (hebrew, TRUE);
}

static int
get_height (Fixture    *fixture,
            const char *id)
{
  driver_settle (GTK_WIDGET (fixture->window));
  return gtk_widget_get_height (window_find (fixture->window, id));
}

/* A sentence is as high as its text, up to four lines; a page is one line again, and holds all. */
static void
test_growth (Fixture *fixture)
{
  const char *const words = "The committee that was appointed last spring to examine the bridges ";
  const int one = get_height (fixture, "entry_a");
  g_autoptr (GString) text = g_string_new (words);
  GtkWidget *caption = window_find (fixture->window, "caption_place");
  graphene_rect_t place;
  int last = one;

  g_assert_cmpint (one, <=, 36);
  g_assert_true (gtk_widget_compute_bounds (caption, window_find (fixture->window, "columns"),
                                            &place));
  g_assert_cmpfloat (place.origin.y, <=, 100);
  for (int i = 0; i < 8; i++) {
    type (fixture, text->str, "short");
    g_assert_cmpint (get_height (fixture, "entry_a"), >=, last);
    last = get_height (fixture, "entry_a");
    g_string_append (text, words);
  }
  g_assert_cmpint (last, >, one + 20);
  g_assert_cmpint (last, <=, 4 * one);

  for (int i = 0; i < 40; i++)
    g_string_append (text, words);
  type (fixture, text->str, "short");
  g_assert_cmpint (get_height (fixture, "entry_a"), ==, one);
  g_assert_cmpstr (app_window_get_document (fixture->window)->text_a, ==, text->str);
  type (fixture, "short", "short");
  g_assert_cmpint (get_height (fixture, "entry_a"), ==, one);
  g_assert_cmpstr (window_get_text (fixture->window, "entry_a"), ==, "short");
  paste (fixture, " again");
  g_assert_cmpstr (app_window_get_document (fixture->window)->text_a, ==, "short again");
}

/* Between one line and four keys and cursor go on where they were. */
static void
test_between_line_and_lines (Fixture *fixture)
{
  GtkEditable *entry = GTK_EDITABLE (window_find (fixture->window, "entry_a"));
  g_autofree char *letters = g_strnfill (1999, 'x');
  int position = 7;

  type (fixture, letters, "");
  gtk_widget_grab_focus (GTK_WIDGET (entry));
  gtk_editable_insert_text (entry, "yz", 2, &position);
  g_assert_cmpint (position, ==, 9);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (fixture->window))));
  g_assert_cmpuint (strlen (gtk_editable_get_text (entry)), ==, 2001);
  g_assert_cmpint (gtk_editable_get_text (entry)[7], ==, 'y');
  gtk_editable_delete_text (entry, 100, 1800);
  gtk_editable_set_position (entry, 50);
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (GTK_IS_TEXT_VIEW (gtk_window_get_focus (GTK_WINDOW (fixture->window))));
  g_assert_cmpint (gtk_editable_get_position (entry), ==, 50);
  g_assert_cmpuint (strlen (gtk_editable_get_text (entry)), ==, 301);
  wait_until (is_idle (fixture->window));
}

/* A sentence has no line breaks that a person could type; one that a file has stays. */
static void
test_line_breaks (Fixture *fixture)
{
  GtkWidget *entry = window_find (fixture->window, "entry_a");
  UiDocument *document;

  type (fixture, "", "");
  paste (fixture, "one\r\ntwo\nthree\n");
  g_assert_cmpstr (window_get_text (fixture->window, "entry_a"), ==, "one two three");
  gtk_widget_grab_focus (entry);
  if (has_real_input ()) {
    press_key ("Return");
    press_key ("End");
    press_key ("x");
    wait_until (g_str_equal (window_get_text (fixture->window, "entry_a"), "one two threex"));
  }
  document = ui_document_copy (app_window_get_document (fixture->window));
  ui_replace_text (&document->text_a, "one\ntwo");
  window_change (fixture->window, document);
  g_assert_cmpstr (window_get_text (fixture->window, "entry_a"), ==, "one\ntwo");
  wait_until (is_idle (fixture->window));
}

static void
test_swap_and_examples (Fixture *fixture)
{
  int n_examples;
  const AppExample *examples = app_examples_get (&n_examples);

  activate (fixture, "win.swap");
  wait_until (is_idle (fixture->window));
  assert_drawn (fixture, "[CLS] the cat lay on the rug [SEP] the cat sat on the mat [SEP]");
  g_assert_cmpstr (window_get_text (fixture->window, "entry_a"), ==,
                   "The cat lay on the rug");

  for (int i = 0; i < n_examples; i++) {
    g_autofree char *action = g_strdup_printf ("win.example(%d)", i);

    /* Of others: test-window-examples.c. */
    if (examples[i].use != APP_EXAMPLE_READ)
      continue;
    activate (fixture, action);
    wait_until (is_idle (fixture->window));
    g_assert_cmpstr (eng_trace_get_text_a (app_window_get_trace (fixture->window)), ==,
                     examples[i].text_a);
    g_assert_cmpstr (window_get_text (fixture->window, "entry_b"), ==,
                     examples[i].text_b);
    g_assert_false (has_notice (fixture));
  }
}

/* Padding is a choice of the menu, asks for a pass, and is not for files. */
static void
test_padding (Fixture *fixture)
{
  guint serial = window_get_serial (fixture->window);

  activate (fixture, "win.pad-to::32");
  g_assert_cmpint (app_window_get_document (fixture->window)->pad_to, ==, 32);
  g_assert_cmpuint (window_get_serial (fixture->window), >, serial);
  wait_until (is_idle (fixture->window));
  activate (fixture, "win.pad-to::much");
  g_assert_cmpint (app_window_get_document (fixture->window)->pad_to, ==, 32);
  activate (fixture, "win.pad-to::0");
  g_assert_cmpint (app_window_get_document (fixture->window)->pad_to, ==, 0);
  wait_until (is_idle (fixture->window));
}

static GtkWidget *
get_emoji_chooser (GtkWidget *text)
{
  return g_object_get_data (G_OBJECT (text), "gtk-emoji-chooser");
}

static void
gone_cb (gpointer  data,
         GObject  *chooser)
{
  *(gboolean *) data = TRUE;
}

/* It is 9 MB of widgets, which GTK keeps for each entry. Opened as a key and a menu do it. */
static void
test_emoji_chooser (Fixture *fixture)
{
  GtkEditable *entry = GTK_EDITABLE (window_find (fixture->window, "entry_a"));
  GtkWidget *text = driver_find (GTK_WIDGET (entry), GTK_TYPE_TEXT_VIEW, 0);

  for (int i = 0; i < 2; i++) {
    gboolean is_gone = FALSE;

    gtk_widget_grab_focus (text);
    gtk_widget_activate_action (text, "misc.insert-emoji", NULL);
    g_assert_nonnull (get_emoji_chooser (text));
    wait_until (gtk_widget_get_mapped (get_emoji_chooser (text)));
    driver_settle (GTK_WIDGET (fixture->window));
    g_assert_nonnull (get_emoji_chooser (text));
    g_object_weak_ref (G_OBJECT (get_emoji_chooser (text)), gone_cb, &is_gone);
    gtk_popover_popdown (GTK_POPOVER (get_emoji_chooser (text)));
    wait_until (is_gone);
    g_assert_null (get_emoji_chooser (text));
  }
}

static gboolean
toast_says (Fixture    *fixture,
            const char *part)
{
  AdwToast *toast = window_get_toast (fixture->window);

  return toast != NULL
         && strstr (gtk_label_get_text (GTK_LABEL (adw_toast_get_custom_title (toast))), part) != NULL;
}

/* An audience sees what is wrong, but neither what the vocabulary lacks nor what went well: that is
 * said when the presentation ends. */
static void
test_presented (Fixture *fixture)
{
  type (fixture, "Łódź cat", "");
  wait_until (has_notice (fixture));
  activate (fixture, "win.fullscreen");
  wait_until (toast_says (fixture, "F11"));
  g_assert_false (has_notice (fixture));
  activate (fixture, "win.copy-numbers");
  activate (fixture, "win.edit::nonsense");
  wait_until (window_get_toast (fixture->window) != NULL && !toast_says (fixture, "F11"));
  g_assert_true (toast_says (fixture, "nonsense"));
  activate (fixture, "win.fullscreen");
  g_assert_true (has_notice (fixture));
  wait_until (toast_says (fixture, "Numbers copied"));
}

/* Said for as long as there are any, unless a person closes it. */
static void
test_unknown_words (Fixture *fixture)
{
  type (fixture, "Łódź слово cat", "");
  wait_until (has_notice (fixture));
  g_assert_cmpstr (window_get_label (fixture->window, "notice"), ==,
                   "The vocabulary lacks “Łódź” and “слово”: the model reads [UNK] for each");
  type (fixture, "the cat sat on the mat in Łódź", "");
  g_assert_cmpstr (window_get_label (fixture->window, "notice"), ==,
                   "The vocabulary lacks “Łódź”: the model reads [UNK] in its place");
  g_signal_emit_by_name (window_find (fixture->window, "close_button"), "clicked");
  g_assert_false (has_notice (fixture));
  activate (fixture, "win.next-layer");
  g_assert_false (has_notice (fixture));
  type (fixture, "слово", "");
  wait_until (has_notice (fixture));
  type (fixture, "word", "");
  wait_until (!has_notice (fixture));
}

/* Each sentence that has some is named, and what is neither word nor known counts as well. */
static void
test_unknown_sentence (Fixture *fixture)
{
  static const char *const known = "the cat sat on the mat and the dog lay on the rug";

  type (fixture, "слово", known);
  wait_until (has_notice (fixture));
  g_assert_cmpstr (window_get_label (fixture->window, "notice"), ==,
                   "The vocabulary lacks “слово” of sentence A: the model reads [UNK] in its place");
  type (fixture, "the word Łódź (слово) means town and nothing else", "cat слово");
  wait_until (has_notice (fixture));
  g_assert_cmpstr (window_get_label (fixture->window, "notice"), ==,
                   "The vocabulary lacks “Łódź”, “(” and 2 more of sentence A and “слово” of "
                   "sentence B: the model reads [UNK] for each");
  type (fixture, known, "the cat");
  wait_until (!has_notice (fixture));
}

static gboolean
has_border (GskRenderNode *node)
{
  switch (gsk_render_node_get_node_type (node)) {
  case GSK_BORDER_NODE:
    return TRUE;
  case GSK_TRANSFORM_NODE:
    return has_border (gsk_transform_node_get_child (node));
  case GSK_CLIP_NODE:
    return has_border (gsk_clip_node_get_child (node));
  case GSK_ROUNDED_CLIP_NODE:
    return has_border (gsk_rounded_clip_node_get_child (node));
  case GSK_CONTAINER_NODE:
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
      if (has_border (gsk_container_node_get_child (node, i)))
        return TRUE;
    return FALSE;
  default:
    return FALSE;
  }
}

/* Whether a frame is drawn around the widget, or in it. */
static gboolean
has_frame (GtkWidget *widget)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  driver_settle (widget);
  gtk_widget_snapshot_child (gtk_widget_get_parent (widget), widget, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  return node != NULL && has_border (node);
}

/* The frame of the entry says that it has the keys, and nothing in it does. */
static void
test_frame (Fixture *fixture)
{
  GtkWidget *entry = window_find (fixture->window, "entry_a");

  type (fixture, "", "");
  gtk_widget_grab_focus (GTK_WIDGET (window_view (fixture->window)));
  wait_until (!has_frame (entry));
  gtk_widget_grab_focus (entry);
  gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), TRUE);
  wait_until (has_frame (entry));
  g_assert_false (has_frame (driver_find (entry, GTK_TYPE_SCROLLED_WINDOW, 0)));
}

/* The letter of a sentence is a way into it, as is said beside the picture. */
static void
test_letters (Fixture *fixture)
{
  static const char *const names[][3] = {
    { "sentence_a", "A", "entry_a" },
    { "sentence_b", "B", "entry_b" },
  };

  if (!has_real_input ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    GtkWidget *entry = window_find (fixture->window, names[i][2]);

    driver_settle (GTK_WIDGET (fixture->window));
    click_widget (driver_find_label (window_find (fixture->window, names[i][0]), names[i][1]), "1");
    wait_until ((gtk_widget_get_state_flags (entry) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0);
  }
}

#define ADD(path, func) g_test_add_data_func ("/window/" path, func, run_test)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  ADD ("typing", test_typing);
  ADD ("fast-typing", test_fast_typing);
  ADD ("refused-text", test_refused_text);
  ADD ("long-text", test_long_text);
  ADD ("large-insertions", test_large_insertions);
  ADD ("cursor-in-long-text", test_cursor_in_long_text);
  ADD ("growth", test_growth);
  ADD ("between-line-and-lines", test_between_line_and_lines);
  ADD ("line-breaks", test_line_breaks);
  ADD ("swap-and-examples", test_swap_and_examples);
  ADD ("unknown-words", test_unknown_words);
  ADD ("presented", test_presented);
  ADD ("unknown-sentence", test_unknown_sentence);
  ADD ("frame", test_frame);
  ADD ("padding", test_padding);
  ADD ("emoji-chooser", test_emoji_chooser);
  ADD ("letters", test_letters);

  return g_test_run ();
}
