/* SPDX-License-Identifier: MIT */
/* The real window with the real worker and the bundled model: what a person does is done to its
 * controls and actions, and what a person would see is read from its widgets. */
#include "app/window-private.h"

#include <signal.h>
#include <string.h>

#include "app/application.h"
#include "app/examples.h"
#include "app/shortcuts.h"
#include "app/shortcuts-window.h"
#include "engine/trace/trace-file.h"
#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "tests/support/wait.h"
#include "tests/support/widget-driver.h"
#include "ui/scene/table-text.h"

typedef struct {
  AppApplication *application;
  AppWindow      *window;
} Fixture;

static gboolean
is_idle (AppWindow *window)
{
  return !window->waiting && window->submit_source == 0;
}

/* The body of a test, in the running application, once the first picture is there. */
static void
run_body (GApplication *application,
          gpointer      data)
{
  Fixture fixture = { .application = APP_APPLICATION (application) };
  void (*body) (Fixture *) = data;

  fixture.window = APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  wait_until (fixture.window->shown != NULL && is_idle (fixture.window));
  body (&fixture);
  if (gtk_application_get_windows (GTK_APPLICATION (application)) != NULL)
    gtk_window_destroy (GTK_WINDOW (fixture.window));
}

static void
run_application (AppApplication  *application,
                 gconstpointer    body)
{
  g_signal_connect_after (application, "activate", G_CALLBACK (run_body), (gpointer) body);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
}

static void
run_test (gconstpointer data)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  run_application (app_application_new (document), data);
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
type (Fixture    *fixture,
      const char *text_a,
      const char *text_b)
{
  gtk_editable_set_text (GTK_EDITABLE (fixture->window->entry_a), text_a);
  gtk_editable_set_text (GTK_EDITABLE (fixture->window->entry_b), text_b);
  wait_until (is_idle (fixture->window));
}

/* "[CLS] the cat … [SEP]" of what is drawn. */
static char *
get_drawn_text (Fixture *fixture)
{
  UiScene *scene = ui_scene_view_get_scene (fixture->window->scene_view);
  const EngTokens *tokens = eng_trace_get_query_tokens (ui_scene_get_trace (scene),
                                                        ENG_KIND_ENCODER);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", tokens->texts[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_drawn (Fixture    *fixture,
              const char *expected)
{
  g_autofree char *text = get_drawn_text (fixture);

  g_assert_cmpstr (text, ==, expected);
}

static const UiDocument *
get_drawn_document (Fixture *fixture)
{
  return ui_scene_get_document (ui_scene_view_get_scene (fixture->window->scene_view));
}

static gboolean
has_notice (Fixture *fixture)
{
  return gtk_revealer_get_reveal_child (fixture->window->notice_revealer);
}

static void
assert_contains (const char *text,
                 const char *words)
{
  if (strstr (text, words) == NULL) {
    g_test_message ("“%s” does not contain “%s”", text, words);
    g_test_fail ();
  }
}

static void
test_first_picture (Fixture *fixture)
{
  AppWindow *window = fixture->window;

  assert_drawn (fixture, "[CLS] the cat sat on the mat [SEP] the cat lay on the rug [SEP]");
  g_assert_cmpstr (gtk_label_get_label (window->model_name), ==, "headlight-mini");
  g_assert_cmpstr (gtk_label_get_label (window->model_size), ==, "6 × 12");
  g_assert_cmpstr (gtk_label_get_label (window->selection_status), ==, "layer 0, 12 of 12 heads");
  g_assert_true (g_str_has_prefix (gtk_label_get_label (window->pass_status), "15 tokens · "));
  g_assert_cmpstr (gtk_label_get_label (window->legend), !=, "");
  g_assert_cmpint (ui_layer_picker_get_n_items (window->layer_picker), ==, 6);
  g_assert_false (has_notice (fixture));
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

    gtk_editable_set_text (GTK_EDITABLE (fixture->window->entry_a), typed);
    g_main_context_iteration (NULL, FALSE);
  }
  type (fixture, text, "");
  g_assert_cmpstr (eng_trace_get_text_a (fixture->window->trace), ==, text);
  g_assert_true (fixture->window->complete);
}

static void
test_refused_text (Fixture *fixture)
{
  EngTrace *trace = fixture->window->trace;

  type (fixture, "", "The cat lay on the rug");
  g_assert_true (has_notice (fixture));
  g_test_message ("%s", gtk_label_get_label (fixture->window->notice));
  g_assert_cmpstr (gtk_label_get_label (fixture->window->notice), !=, "");
  g_assert_false (gtk_widget_get_visible (fixture->window->truncate_button));
  /* The last picture stays, and may still be looked at. */
  g_assert_true (ui_scene_get_trace (ui_scene_view_get_scene (fixture->window->scene_view))
                 == trace);
  activate (fixture, "win.next-layer");
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 1);

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
  assert_contains (gtk_label_get_label (fixture->window->notice), "302");
  assert_contains (gtk_label_get_label (fixture->window->notice), "256");
  assert_contains (gtk_label_get_label (fixture->window->notice), "; Truncate cuts it");
  g_assert_null (strstr (gtk_label_get_label (fixture->window->notice), "--"));
  g_assert_true (gtk_widget_get_visible (fixture->window->truncate_button));

  activate (fixture, "win.truncate");
  wait_until (is_idle (fixture->window));
  g_assert_false (has_notice (fixture));
  g_assert_cmpint (eng_trace_get_n_queries (fixture->window->trace, ENG_KIND_ENCODER), ==, 256);
  assert_contains (gtk_label_get_label (fixture->window->pass_status), "256 tokens of 302");

  type (fixture, "cat", "");
  g_assert_null (strstr (gtk_label_get_label (fixture->window->pass_status), "of 302"));
}

static void
paste (Fixture    *fixture,
       const char *text)
{
  GtkEditable *entry = GTK_EDITABLE (fixture->window->entry_a);
  int position = -1;

  gtk_editable_insert_text (entry, text, -1, &position);
  wait_until (is_idle (fixture->window));
}

/* What an entry cannot lay out in a frame is cut or made plain, and that is said. Tabs of a text
 * stay: a byte-level tokenizer tells them from blanks. */
static void
test_large_insertions (Fixture *fixture)
{
  GtkEditable *entry = GTK_EDITABLE (fixture->window->entry_a);
  GtkWidget *overlay = GTK_WIDGET (fixture->window->toasts);
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
  g_assert_cmpstr (fixture->window->document->text_a, ==, gtk_editable_get_text (entry));
  wait_until (driver_find_label (overlay, "32,768") != NULL);
  paste (fixture, "é");
  g_assert_cmpint (g_utf8_strlen (gtk_editable_get_text (entry), -1), ==, 32768);
}

/* A key moves the cursor by a letter in a text of any length: Pango's own way would take 40 s. */
static void
test_cursor_in_long_text (Fixture *fixture)
{
  GtkEditable *entry = GTK_EDITABLE (fixture->window->entry_a);
  GtkWidget *text = GTK_WIDGET (gtk_editable_get_delegate (entry));
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

  for (int i = 0; i < 1000; i++)
    g_string_append (hebrew, "ש");
  type (fixture, hebrew->str, "");
  gtk_editable_set_position (entry, 100);
  g_assert_true (driver_press_key (text, "Right"));
  g_assert_cmpint (gtk_editable_get_position (entry), ==, 99);
  g_string_free (hebrew, TRUE);
}

static void
test_layers (Fixture *fixture)
{
  activate (fixture, "win.previous-layer");
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 0);
  for (int layer = 1; layer < 6; layer++) {
    activate (fixture, "win.next-layer");
    g_assert_cmpint (get_drawn_document (fixture)->layer, ==, layer);
    g_assert_cmpint (ui_layer_picker_get_selected (fixture->window->layer_picker), ==, layer);
  }
  activate (fixture, "win.next-layer");
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 5);

  ui_layer_picker_set_selected (fixture->window->layer_picker, 3);
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 3);
  assert_contains (gtk_label_get_label (fixture->window->selection_status), "layer 3,");
}

static void
test_heads (Fixture *fixture)
{
  activate (fixture, "win.head(3)");
  g_assert_false (ui_head_set_has (&get_drawn_document (fixture)->heads, 3));
  g_assert_cmpint (ui_head_set_count (ui_head_chips_get_heads (fixture->window->chips), 12), ==,
                   11);
  assert_contains (gtk_label_get_label (fixture->window->selection_status), "11 of 12 heads");
  activate (fixture, "win.all-heads");
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 12);
  activate (fixture, "win.head(12)");
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 12);

  activate (fixture, "win.view::neuron");
  activate (fixture, "win.head(8)");
  g_assert_cmpint (ui_layer_picker_get_selected (fixture->window->head_picker), ==, 8);
  assert_contains (gtk_label_get_label (fixture->window->selection_status), "head 8");
  ui_layer_picker_set_selected (fixture->window->head_picker, 5);
  g_assert_cmpint (ui_head_set_first (&get_drawn_document (fixture)->heads, 12), ==, 5);
}

/* Real keys, on the keyboard of the X server. */
static void
press_key (const char *key)
{
  const char *const command[] = { "xdotool", "key", key, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (command, G_SUBPROCESS_FLAGS_NONE, &error);

  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
}

static gboolean
is_head_on (Fixture *fixture,
            int      head)
{
  return ui_head_set_has (&get_drawn_document (fixture)->heads, head);
}

static void
test_head_keys (Fixture *fixture)
{
  g_autofree char *xdotool = g_find_program_in_path ("xdotool");

  if (xdotool == NULL) {
    g_test_skip ("no xdotool");
    return;
  }

  wait_until (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)));
  press_key ("alt+2");
  wait_until (!is_head_on (fixture, 2));
  /* With Shift the key types an exclamation mark. */
  press_key ("alt+shift+1");
  wait_until (!is_head_on (fixture, 11));
  press_key ("alt+shift+0");
  wait_until (!is_head_on (fixture, 10));
  press_key ("alt+shift+1");
  wait_until (is_head_on (fixture, 11));
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 10);
}

static GtkWidget *
find_focused_row (Fixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  return focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX_ROW) : NULL;
}

/* The action of the button that has the focus, or "". */
static const char *
get_focused_action (Fixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  const char *action = GTK_IS_BUTTON (focus)
                       ? gtk_actionable_get_action_name (GTK_ACTIONABLE (focus)) : NULL;

  return action != NULL ? action : "";
}

/* The open model has the focus, also once the list was read anew; arrows go on to the entries below
 * it and back; the program can be left from there. */
static void
test_model_menu_keys (Fixture *fixture)
{
  g_autofree char *xdotool = g_find_program_in_path ("xdotool");
  GPtrArray *entries;

  if (xdotool == NULL) {
    g_test_skip ("no xdotool");
    return;
  }

  press_key ("ctrl+m");
  wait_until (find_focused_row (fixture) != NULL);
  g_assert_true (gtk_window_get_focus_visible (GTK_WINDOW (fixture->window)));
  press_key ("Escape");
  wait_until (find_focused_row (fixture) == NULL);

  entries = fixture->window->entries;
  press_key ("ctrl+m");
  wait_until (fixture->window->entries != entries && find_focused_row (fixture) != NULL);
  while (find_focused_row (fixture) != NULL) {
    GtkWidget *row = find_focused_row (fixture);

    press_key ("Down");
    wait_until (find_focused_row (fixture) != row);
  }
  g_assert_cmpstr (get_focused_action (fixture), ==, "win.open-model");
  press_key ("Down");
  wait_until (g_str_equal (get_focused_action (fixture), "win.open-trace"));
  press_key ("Up");
  press_key ("Up");
  wait_until (find_focused_row (fixture) != NULL);

  press_key ("ctrl+q");
  wait_until (gtk_application_get_windows (GTK_APPLICATION (fixture->application)) == NULL);
}

static void
test_icon (Fixture *fixture)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (fixture->window));
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (display);

  g_assert_true (gtk_icon_theme_has_icon (theme, gtk_window_get_default_icon_name ()));
}

static void
test_neuron_view (Fixture *fixture)
{
  g_assert_false (gtk_widget_get_visible (fixture->window->neuron_controls));
  g_assert_false (is_enabled (fixture, "bands"));
  activate (fixture, "win.view::neuron");
  g_assert_cmpint (get_drawn_document (fixture)->view, ==, UI_VIEW_NEURON);
  g_assert_true (gtk_widget_get_visible (fixture->window->neuron_controls));
  g_assert_false (gtk_widget_get_visible (fixture->window->chip_row));
  g_assert_false (is_enabled (fixture, "filter"));

  g_assert_true (is_enabled (fixture, "collapsed"));
  activate (fixture, "win.bands::stripes");
  g_assert_cmpint (get_drawn_document (fixture)->bands, ==, UI_BANDS_STRIPES);
  activate (fixture, "win.sort");
  g_assert_true (get_drawn_document (fixture)->sort_dimensions);
  activate (fixture, "win.collapsed");
  g_assert_true (get_drawn_document (fixture)->collapsed);
  g_assert_false (is_enabled (fixture, "bands"));
  activate (fixture, "win.compare::difference");
  g_assert_false (is_enabled (fixture, "collapsed"));
  activate (fixture, "win.compare::off");
  g_assert_true (is_enabled (fixture, "collapsed"));
  activate (fixture, "win.view::head");
  g_assert_true (gtk_widget_get_visible (fixture->window->chip_row));
}

static void
click (Fixture    *fixture,
       UiItemType  type,
       int         token,
       gboolean    extend)
{
  UiItem item = { .type = type, .query = token, .key = token };

  g_signal_emit_by_name (fixture->window->scene_view, "clicked", &item, extend);
}

static void
test_pins (Fixture *fixture)
{
  g_assert_false (is_enabled (fixture, "unpin"));
  click (fixture, UI_ITEM_QUERY, 2, FALSE);
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, FALSE, 2));
  assert_contains (gtk_label_get_label (fixture->window->selection_status), "“cat” (2) pinned");

  /* A pin stays through layers, views and typing. */
  activate (fixture, "win.next-layer");
  activate (fixture, "win.view::neuron");
  type (fixture, "The cat sat", "");
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, FALSE, 2));
  activate (fixture, "win.view::head");

  click (fixture, UI_ITEM_KEY, 4, TRUE);
  assert_contains (gtk_label_get_label (fixture->window->selection_status), "2 tokens pinned");

  /* Token 4 is gone for a moment. */
  type (fixture, "The", "");
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, FALSE, 2));
  g_assert_false (ui_pins_has (&get_drawn_document (fixture)->pins, TRUE, 4));
  type (fixture, "The cat sat", "");
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, TRUE, 4));

  activate (fixture, "win.unpin");
  g_assert_true (ui_pins_is_empty (&get_drawn_document (fixture)->pins));
  g_assert_false (is_enabled (fixture, "unpin"));

  click (fixture, UI_ITEM_LINK, 1, FALSE);
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, FALSE, 1));
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, TRUE, 1));
  activate (fixture, "win.example(1)");
  wait_until (is_idle (fixture->window));
  g_assert_true (ui_pins_is_empty (&get_drawn_document (fixture)->pins));
}

static void
test_swap_and_examples (Fixture *fixture)
{
  int n_examples;
  const AppExample *examples = app_examples_get (&n_examples);

  activate (fixture, "win.swap");
  wait_until (is_idle (fixture->window));
  assert_drawn (fixture, "[CLS] the cat lay on the rug [SEP] the cat sat on the mat [SEP]");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (fixture->window->entry_a)), ==,
                   "The cat lay on the rug");

  g_assert_cmpint (n_examples, ==, 10);
  for (int i = 0; i < n_examples; i++) {
    g_autofree char *action = g_strdup_printf ("win.example(%d)", i);

    activate (fixture, action);
    wait_until (is_idle (fixture->window));
    g_assert_cmpstr (eng_trace_get_text_a (fixture->window->trace), ==, examples[i].text_a);
    g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (fixture->window->entry_b)), ==,
                     examples[i].text_b);
    g_assert_false (has_notice (fixture));
  }
}

/* The model that cannot be opened is refused, and everything is as it was. */
static void
test_refused_model (Fixture *fixture)
{
  EngTrace *trace = fixture->window->trace;

  app_window_open_model (fixture->window, "no-such-model");
  wait_until (is_idle (fixture->window));
  g_assert_null (fixture->window->document->model);
  g_assert_true (fixture->window->trace == trace);
  g_assert_cmpstr (gtk_label_get_label (fixture->window->model_name), ==, "headlight-mini");
  type (fixture, "a cat", "");
  assert_drawn (fixture, "[CLS] a cat [SEP]");
}

static void
open_trace (Fixture    *fixture,
            const char *path)
{
  UiDocument *document = ui_document_copy (fixture->window->document);

  g_free (document->trace_file);
  document->trace_file = g_strdup (path);
  app_window_change (fixture->window, document);
  wait_until (is_idle (fixture->window));
}

static void
test_trace_file (Fixture *fixture)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEADLIGHT_SHARED"), "data", "traces",
                                              NULL);
  g_autofree char *bert = g_build_filename (folder, "bert-base-uncased.cat-mat.safetensors", NULL);
  g_autofree char *gpt2 = g_build_filename (folder, "gpt2.fox.safetensors", NULL);
  g_autofree char *marian = g_build_filename (folder, "opus-mt-en-de.elephant.safetensors", NULL);

  if (!g_file_test (bert, G_FILE_TEST_EXISTS)) {
    g_test_skip ("no shared data");
    return;
  }

  type (fixture, "my own words", "");
  gtk_widget_grab_focus (GTK_WIDGET (fixture->window->entry_a));
  open_trace (fixture, bert);
  /* No cursor is left in an entry that cannot be typed in. */
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window))
                 == GTK_WIDGET (fixture->window->scene_view));
  g_assert_cmpint (ui_layer_picker_get_n_items (fixture->window->layer_picker), ==, 12);
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (fixture->window->entry_a)));
  g_assert_false (is_enabled (fixture, "swap"));
  assert_contains (gtk_label_get_label (fixture->window->pass_status), "trace file");
  activate (fixture, "win.view::neuron");
  activate (fixture, "win.view::head");

  open_trace (fixture, "/no/such/file.safetensors");
  g_assert_cmpstr (fixture->window->document->trace_file, ==, bert);

  /* Weights alone: the neuron view has but its collapsed form. */
  open_trace (fixture, gpt2);
  activate (fixture, "win.view::neuron");
  g_assert_false (is_enabled (fixture, "collapsed"));
  g_assert_false (is_enabled (fixture, "bands"));
  g_assert_false (is_enabled (fixture, "sort"));
  assert_contains (gtk_label_get_label (fixture->window->legend), "holds no queries and keys");
  activate (fixture, "win.view::head");

  open_trace (fixture, marian);
  g_assert_true (gtk_widget_get_visible (fixture->window->kind_box));
  activate (fixture, "win.kind::cross");
  g_assert_cmpint (get_drawn_document (fixture)->kind, ==, ENG_KIND_CROSS);
  g_assert_false (is_enabled (fixture, "filter"));
  activate (fixture, "win.kind::decoder");
  g_assert_cmpint (get_drawn_document (fixture)->kind, ==, ENG_KIND_DECODER);
  g_assert_false (is_enabled (fixture, "filter"));

  /* Back to the model: the words are still there. */
  app_window_open_model (fixture->window, "headlight-mini");
  wait_until (is_idle (fixture->window));
  g_assert_false (gtk_widget_get_visible (fixture->window->kind_box));
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (fixture->window->entry_a)));
  assert_drawn (fixture, "[CLS] my own words [SEP]");
}

static const UiDocument *
choose_kind (Fixture    *fixture,
             const char *kind)
{
  g_autofree char *action = g_strconcat ("win.kind::", kind, NULL);

  activate (fixture, action);
  return fixture->window->shown;
}

static int
count_kind_buttons (Fixture *fixture)
{
  int n = 0;

  for (GtkWidget *button = gtk_widget_get_first_child (fixture->window->kind_box); button != NULL;
       button = gtk_widget_get_next_sibling (button))
    n += gtk_widget_get_visible (button);
  return n;
}

static void
change_field (Fixture    *fixture,
              const char *name,
              const char *value)
{
  UiDocument *document = ui_document_copy (fixture->window->document);

  g_assert_true (ui_document_set (document, ui_fields_find (name), value, NULL));
  app_window_change (fixture->window, document);
}

static void
assert_pins (const UiDocument *document,
             const char       *expected)
{
  g_autofree char *pins = ui_document_get (document, ui_fields_find ("pin"));

  g_assert_cmpstr (pins, ==, expected);
}

/* An encoder of 3 × 4, a decoder of 2 × 2: each stack keeps its own place, decoder and cross
 * attention share theirs, and a pin stays where its token does. */
static void
test_kinds (Fixture *fixture)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "stacks.safetensors", NULL);
  g_autofree char *plain = g_build_filename (folder, "decoder.safetensors", NULL);
  g_autoptr (EngTrace) stacks = scene_trace_new_two_stacks (4, 6);
  g_autoptr (EngTrace) decoder = scene_trace_new_masked (SCENE_MASK_CAUSAL, 5, 2);
  const UiDocument *shown;

  g_assert_true (eng_trace_file_write (stacks, path, NULL));
  g_assert_true (eng_trace_file_write (decoder, plain, NULL));
  g_assert_cmpstr (gtk_entry_get_placeholder_text (fixture->window->entry_b), !=, "");
  open_trace (fixture, path);
  g_assert_cmpstr (gtk_entry_get_placeholder_text (fixture->window->entry_b), ==, "");
  g_assert_cmpint (count_kind_buttons (fixture), ==, 3);
  g_assert_cmpint (fixture->window->shown->kind, ==, ENG_KIND_ENCODER);
  g_assert_false (gtk_widget_get_visible (fixture->window->head_controls));
  g_assert_false (ui_head_chips_has_shares (fixture->window->chips));

  change_field (fixture, "layer", "2");
  change_field (fixture, "heads", "3");
  change_field (fixture, "pin", "1,k:2");
  shown = choose_kind (fixture, "cross");
  g_assert_cmpint (shown->layer, ==, 1);
  g_assert_true (shown->heads.all);
  assert_pins (shown, "k:2");
  assert_contains (gtk_label_get_label (fixture->window->pass_status), "6 tokens read 4");
  assert_contains (gtk_label_get_label (fixture->window->selection_status), "cross layer 1");
  g_assert_false (ui_head_chips_has_shares (fixture->window->chips));

  change_field (fixture, "layer", "0");
  change_field (fixture, "heads", "1");
  change_field (fixture, "pin", "5,k:2");
  shown = choose_kind (fixture, "decoder");
  g_assert_cmpint (shown->layer, ==, 0);
  g_assert_true (ui_head_set_has (&shown->heads, 1) && !ui_head_set_has (&shown->heads, 0));
  assert_pins (shown, "5");

  shown = choose_kind (fixture, "encoder");
  g_assert_cmpint (shown->layer, ==, 2);
  g_assert_cmpint (ui_head_set_first (&shown->heads, 4), ==, 3);
  assert_pins (shown, "");
  shown = choose_kind (fixture, "decoder");
  g_assert_cmpint (shown->layer, ==, 0);

  /* A kind that the file has not is no choice. */
  open_trace (fixture, plain);
  g_assert_cmpint (count_kind_buttons (fixture), ==, 1);
  g_assert_false (gtk_widget_get_visible (fixture->window->kind_box));
  shown = choose_kind (fixture, "encoder");
  g_assert_cmpint (shown->kind, ==, ENG_KIND_DECODER);
  g_assert_cmpint (fixture->window->document->kind, ==, ENG_KIND_DECODER);
  temporary_free (folder);
}

/* Padding is a choice of the menu, asks for a pass, and is not for files. */
static void
test_padding (Fixture *fixture)
{
  guint serial = fixture->window->serial;

  activate (fixture, "win.pad-to::32");
  g_assert_cmpint (fixture->window->document->pad_to, ==, 32);
  g_assert_cmpuint (fixture->window->serial, >, serial);
  wait_until (is_idle (fixture->window));
  activate (fixture, "win.pad-to::much");
  g_assert_cmpint (fixture->window->document->pad_to, ==, 32);
  activate (fixture, "win.pad-to::0");
  g_assert_cmpint (fixture->window->document->pad_to, ==, 0);
  wait_until (is_idle (fixture->window));
}

static void
text_read_cb (GObject      *clipboard,
              GAsyncResult *result,
              gpointer      data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* What an action puts on the clipboard, which is emptied before. */
static char *
copy_text (Fixture    *fixture,
           const char *action)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->window));
  char *text = NULL;

  gdk_clipboard_set_content (clipboard, NULL);
  activate (fixture, action);
  wait_until (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard),
                                                 G_TYPE_STRING));
  gdk_clipboard_read_text_async (clipboard, NULL, text_read_cb, &text);
  wait_until (text != NULL);
  return text;
}

static void
test_copy (Fixture *fixture)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->window));
  g_autofree char *text = copy_text (fixture, "win.copy-numbers");
  g_autofree char *csv = copy_text (fixture, "win.copy-csv");
  g_autofree char *json = copy_text (fixture, "win.copy-json");
  g_autofree char *expected = NULL;

  g_assert_cmpint (g_strrstr (text, "\n") - text, >, 15);
  assert_contains (text, "\t");
  expected = ui_table_to_csv (text);
  g_assert_true (g_str_equal (csv, expected));
  assert_contains (json, "\"values\":[[[");

  activate (fixture, "win.copy-picture");
  wait_until (gdk_content_formats_contain_mime_type (gdk_clipboard_get_formats (clipboard),
                                                     "image/svg+xml"));
  g_assert_true (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard),
                                                    GDK_TYPE_TEXTURE));
}

static gboolean
shortcuts_window_has (GtkWidget  *root,
                      const char *accelerator)
{
  if (GTK_IS_SHORTCUT_LABEL (root))
    return g_strcmp0 (gtk_shortcut_label_get_accelerator (GTK_SHORTCUT_LABEL (root)),
                      accelerator) == 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shortcuts_window_has (child, accelerator))
      return TRUE;
  return FALSE;
}

static const AppShortcut *
find_shortcut (const char *action)
{
  int n_shortcuts;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);
  gsize length = strlen (action);

  /* "win.view" is listed as "win.view::head", "win.head" as "win.head(0)". */
  for (int i = 0; i < n_shortcuts; i++)
    if (shortcuts[i].action != NULL && strncmp (shortcuts[i].action, action, length) == 0
        && strchr (":(", shortcuts[i].action[length]) != NULL)
      return &shortcuts[i];
  return NULL;
}

/* Ctrl+1 is the first view of the header, Ctrl+2 the second. */
static void
test_view_keys (Fixture *fixture)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (fixture->window));
  GtkWidget *button;
  int n_views = 0;

  for (int i = 0; (button = driver_find (GTK_WIDGET (fixture->window), GTK_TYPE_TOGGLE_BUTTON, i))
       != NULL; i++) {
    const char *action = gtk_actionable_get_action_name (GTK_ACTIONABLE (button));
    GVariant *target = gtk_actionable_get_action_target_value (GTK_ACTIONABLE (button));

    if (g_strcmp0 (action, "win.view") == 0) {
      g_autofree char *name = g_action_print_detailed_name (action, target);
      g_autofree char *key = g_strdup_printf ("<Control>%d", ++n_views);
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, name);

      g_assert_cmpstr (accels[0], ==, key);
    }
  }
  g_assert_cmpint (n_views, ==, 4);
}

/* Every action has a line in the table, every line an action and its keys, and Ctrl+? shows them
 * all. */
static void
test_shortcuts (Fixture *fixture)
{
  /* These have their words in the menus that Alt+E and Alt+V open, and in that of the second side's
   * model. */
  static const char *const in_menus[] = {
    "example", "edit", "scale-head", "swap-word", "second-edit",
    "second-scale-head", "second-swap-word", "compare-model", "compare-open-model",
    "compare-open-trace", NULL
  };
  g_auto (GStrv) actions = g_action_group_list_actions (G_ACTION_GROUP (fixture->window));
  GtkWidget *list = app_shortcuts_window_new (GTK_WINDOW (fixture->window));
  int n_shortcuts;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);

  for (int i = 0; actions[i] != NULL; i++) {
    g_autofree char *name = g_strconcat ("win.", actions[i], NULL);

    if (find_shortcut (name) == NULL && !g_strv_contains (in_menus, actions[i])) {
      g_test_message ("%s has no shortcut", name);
      g_test_fail ();
    }
  }

  for (int i = 0; i < n_shortcuts; i++) {
    const AppShortcut *shortcut = &shortcuts[i];
    g_auto (GStrv) accels = NULL;

    wait_until (shortcuts_window_has (list, shortcut->accels));
    if (shortcut->action == NULL || shortcut->is_local)
      continue;
    accels = gtk_application_get_accels_for_action (GTK_APPLICATION (fixture->application),
                                                    shortcut->action);
    if (accels[0] == NULL) {
      g_test_message ("%s has no accelerator", shortcut->action);
      g_test_fail ();
    }
    if (g_str_has_prefix (shortcut->action, "win.")) {
      g_autoptr (GVariant) target = NULL;
      g_autofree char *name = NULL;

      g_assert_true (g_action_parse_detailed_name (shortcut->action, &name, &target, NULL));
      g_assert_true (g_action_group_has_action (G_ACTION_GROUP (fixture->window),
                                                name + strlen ("win.")));
    }
  }
  gtk_window_destroy (GTK_WINDOW (list));
}

/* How many rows of the list of shortcuts are in sight, those below the fold among them. */
static int
count_rows (GtkWidget *root)
{
  int n_rows = GTK_IS_LIST_BOX_ROW (root) && gtk_widget_get_mapped (root);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n_rows += count_rows (child);
  return n_rows;
}

/* By words of any case and order, by a heading or by a key; nothing found is said. */
static void
test_find_shortcuts (Fixture *fixture)
{
  GtkWidget *list = app_shortcuts_window_new (GTK_WINDOW (fixture->window));
  GtkWidget *entry = driver_find (list, GTK_TYPE_SEARCH_ENTRY, 0);
  g_autofree char *keys = gtk_accelerator_get_label (GDK_KEY_t, GDK_CONTROL_MASK); /* "Strg+T" */
  int n_shortcuts, n_of_neurons = 0;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);

  for (int i = 0; i < n_shortcuts; i++)
    n_of_neurons += strstr (shortcuts[i].group, "Neuron") != NULL;
  n_of_neurons++; /* and the view itself */

  gtk_window_present (GTK_WINDOW (list));
  wait_until (count_rows (list) == n_shortcuts);
  gtk_editable_set_text (GTK_EDITABLE (entry), "ABOUT headlight");
  wait_until (count_rows (list) == 1);
  g_assert_true (driver_shows_text (list, "About Headlight"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "neuron view");
  wait_until (count_rows (list) == n_of_neurons);
  gtk_editable_set_text (GTK_EDITABLE (entry), keys);
  wait_until (count_rows (list) == 1 && driver_shows_text (list, "The numbers as a table"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "xyzzy");
  wait_until (driver_shows_text (list, "No Shortcut Found"));

  /* Escape ends the search, then closes the list. */
  g_signal_emit_by_name (entry, "stop-search");
  wait_until (count_rows (list) == n_shortcuts);
  g_object_add_weak_pointer (G_OBJECT (list), (gpointer *) &list);
  g_signal_emit_by_name (entry, "stop-search");
  wait_until (list == NULL);
}

/* No accelerator stands for two actions. */
static void
assert_one_action (Fixture    *fixture,
                   const char *accel)
{
  g_auto (GStrv) actions =
    gtk_application_get_actions_for_accel (GTK_APPLICATION (fixture->application), accel);

  g_assert_cmpint (g_strv_length (actions), ==, 1);
}

static void
test_accelerators_differ (Fixture *fixture)
{
  int n_shortcuts;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);

  for (int i = 0; i < n_shortcuts; i++) {
    g_auto (GStrv) accels = g_strsplit (shortcuts[i].accels, " ", -1);

    if (shortcuts[i].action == NULL || shortcuts[i].is_local)
      continue;
    for (int j = 0; accels[j] != NULL; j++)
      assert_one_action (fixture, accels[j]);
  }
}

static gboolean
is_control (GtkWidget *widget)
{
  return (GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget)
          || GTK_IS_SWITCH (widget)) && gtk_widget_get_mapped (widget);
}

/* Every control that can be seen says what it does; those of GTK itself (window buttons) are GTK's
 * matter. */
static void
assert_explained (GtkWidget *widget)
{
  if (GTK_IS_WINDOW_CONTROLS (widget) || GTK_IS_POPOVER (widget))
    return;
  if (is_control (widget) && !GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget))) {
    if (gtk_widget_get_tooltip_text (widget) == NULL) {
      g_test_message ("%s “%s” has no tooltip", G_OBJECT_TYPE_NAME (widget),
                      GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget)) : "");
      g_test_fail ();
    }
  }

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_explained (child);
}

static void
test_explained (Fixture *fixture)
{
  assert_explained (GTK_WIDGET (fixture->window));
  activate (fixture, "win.view::neuron");
  assert_explained (GTK_WIDGET (fixture->window));

  gtk_test_accessible_assert_property (fixture->window->entry_a, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Sentence A");
  gtk_test_accessible_assert_property (fixture->window->entry_b, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Sentence B");
}

static void
test_table (Fixture *fixture)
{
  activate (fixture, "win.table");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (fixture->window->stack), ==, "table");
  type (fixture, "a cat", "");
  activate (fixture, "win.table");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (fixture->window->stack), ==, "picture");
  assert_drawn (fixture, "[CLS] a cat [SEP]");
}

static GtkWidget *
get_emoji_chooser (GtkEditable *text)
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
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (fixture->window->entry_a));

  for (int i = 0; i < 2; i++) {
    gboolean is_gone = FALSE;

    gtk_widget_grab_focus (GTK_WIDGET (text));
    gtk_widget_activate_action (GTK_WIDGET (text), "misc.insert-emoji", NULL);
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

/* What was computed of a model is not kept beside the next one, nor the model with it. */
static void
test_former_model_goes (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  EngModel *former = window->model;

  activate (fixture, "win.view::model");
  activate (fixture, "win.order::pattern");
  wait_until (window->facts_trace == window->trace && is_idle (window));
  activate (fixture, "win.view::head");
  g_assert_nonnull (window->facts_trace);
  activate (fixture, "win.random-weights");
  wait_until (window->model != NULL && window->model != former && is_idle (window));
  g_assert_null (window->facts_trace);
}

static void
return_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  g_task_return_boolean (task, TRUE);
}

static void
returned_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  gboolean *is_done = data;

  *is_done = APP_IS_WINDOW (source) && g_task_propagate_boolean (G_TASK (result), NULL);
}

/* A thread may hold its task when the window closes, and lets go of no window with it. */
static void
test_task_outlives_window (Fixture *fixture)
{
  gboolean is_done = FALSE;
  g_autoptr (GTask) task = app_window_task_new (fixture->window, returned_cb, &is_done);
  gpointer window = fixture->window;

  g_object_add_weak_pointer (window, &window);
  g_task_run_in_thread (task, return_thread);
  wait_until (is_done);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  wait_until (window == NULL);
}

/* In a narrow window the inspector and the search lie on the picture, which must not shine
 * through. */
static void
test_inspector_is_opaque (Fixture *fixture)
{
  GtkWidget *inspector = adw_flap_get_flap (fixture->window->flap);
  g_autoptr (GdkTexture) picture = NULL;
  g_autofree guint32 *pixels = NULL;
  gsize n_pixels;

  driver_settle (inspector);
  picture = driver_take_picture (inspector);
  n_pixels = (gsize) gdk_texture_get_width (picture) * gdk_texture_get_height (picture);
  pixels = g_new (guint32, n_pixels);
  gdk_texture_download (picture, (guchar *) pixels, gdk_texture_get_width (picture) * 4);
  for (gsize i = 0; i < n_pixels; i++)
    g_assert_cmphex (pixels[i] >> 24, ==, 0xff);
}

/* Where both have no room the inspector folds away; asked for, it stands beside the picture. */
static void
test_inspector_in_narrow_window (Fixture *fixture)
{
  AdwFlap *flap = fixture->window->flap;
  GtkWidget *picture = GTK_WIDGET (fixture->window->picture_scroller);
  graphene_rect_t shown, beside;

  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 720, 640);
  wait_until (adw_flap_get_folded (flap) && !adw_flap_get_reveal_flap (flap));
  activate (fixture, "win.inspector");
  wait_until (adw_flap_get_reveal_progress (flap) == 1 && !adw_flap_get_folded (flap));
  driver_settle (GTK_WIDGET (flap));
  g_assert_true (gtk_widget_compute_bounds (picture, GTK_WIDGET (flap), &shown));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (fixture->window->inspector),
                                            GTK_WIDGET (flap), &beside));
  g_assert_cmpfloat (shown.origin.x + shown.size.width, <=, beside.origin.x);

  activate (fixture, "win.inspector");
  wait_until (adw_flap_get_folded (flap) && !adw_flap_get_reveal_flap (flap));
}

/* What one window leaves is what the next one begins with. */
static void
test_settings (Fixture *fixture)
{
  g_autoptr (AppSettings) settings = NULL;

  activate (fixture, "win.theme::dark");
  activate (fixture, "win.high-contrast");
  activate (fixture, "win.inspector");
  app_window_open_model (fixture->window, "headlight-mini");
  wait_until (is_idle (fixture->window));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 640);
  wait_until (gtk_widget_get_width (GTK_WIDGET (fixture->window)) <= 1000);
  gtk_window_close (GTK_WINDOW (fixture->window));

  settings = app_settings_load ();
  g_assert_cmpint (settings->width, ==, 1000);
  g_assert_cmpint (settings->height, ==, 640);
  g_assert_cmpint (settings->theme, ==, APP_THEME_DARK);
  g_assert_true (settings->high_contrast);
  g_assert_false (settings->inspector);
  g_assert_cmpstr (settings->last_model, ==, "headlight-mini");

  settings->theme = APP_THEME_SYSTEM;
  settings->high_contrast = FALSE;
  settings->inspector = TRUE;
  app_settings_set_last_model (settings, NULL);
  app_settings_save (settings);
}

/* GTK's start may run the main loop: what the worker answers there is not lost. */
static void
test_early_answer (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  AppApplication *application = app_application_new (document);

  for (int i = 0; i < 100; i++) {
    g_usleep (10000);
    while (g_main_context_iteration (NULL, FALSE))
      ;
  }
  run_application (application, test_first_picture);
}

static void
check_bundled (Fixture *fixture)
{
  g_assert_cmpstr (gtk_label_get_label (fixture->window->model_name), ==, "headlight-mini");
}

/* A model that is not there any more does not keep the window from opening. */
static void
test_last_model_gone (void)
{
  g_autoptr (AppSettings) settings = app_settings_load ();

  app_settings_set_last_model (settings, "/no/such/folder");
  app_settings_save (settings);
  run_test (check_bundled);

  app_settings_set_last_model (settings, NULL);
  app_settings_save (settings);
}

static void
test_close_while_running (Fixture *fixture)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 120; i++)
    g_string_append (text, "the cat ");
  gtk_editable_set_text (GTK_EDITABLE (fixture->window->entry_a), text->str);
  gtk_window_close (GTK_WINDOW (fixture->window));
}

/* A new trace may have no picture yet, while what is shown is still another's, of a kind that this
 * one has not. */
static void
test_kind_of_another_trace (Fixture *fixture)
{
  g_assert_false (eng_trace_has_kind (fixture->window->trace, ENG_KIND_DECODER));
  activate (fixture, "win.find-heads");
  fixture->window->shown->kind = ENG_KIND_DECODER;
  app_window_sync_display (fixture->window);
  app_window_sync_links (fixture->window);
  fixture->window->shown->kind = ENG_KIND_ENCODER;
  app_window_sync_display (fixture->window);
}

/* Toasts that are dismissed as soon as they come, while they move. */
static void
test_toasts (Fixture *fixture)
{
  GtkWidget *overlay = GTK_WIDGET (fixture->window->toasts);

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  app_window_toast (fixture->window, "one");
  app_window_toast (fixture->window, "two");
  let_pass (50);
  g_assert_true (driver_press_key (overlay, "Escape"));
  let_pass (50);
  driver_press_key (overlay, "Escape");
  /* Longer than anything of them moves. */
  let_pass (1500);
  app_window_toast (fixture->window, "three");
  wait_until (driver_find_label (overlay, "Three") != NULL);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

/* An orderly end: what a person chose is kept. */
static void
test_signal (Fixture *fixture)
{
  g_autoptr (AppSettings) kept = NULL;

  app_settings_set_last_model (fixture->window->settings, "kept");
  activate (fixture, "win.shortcuts");
  g_assert_cmpint (raise (SIGTERM), ==, 0);
  wait_until (gtk_application_get_windows (GTK_APPLICATION (fixture->application)) == NULL);

  kept = app_settings_load ();
  g_assert_cmpstr (kept->last_model, ==, "kept");
  app_settings_set_last_model (kept, NULL);
  app_settings_save (kept);
}

#define ADD(path, func) g_test_add_data_func ("/window/" path, func, run_test)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  ADD ("first-picture", test_first_picture);
  ADD ("typing", test_typing);
  ADD ("fast-typing", test_fast_typing);
  ADD ("refused-text", test_refused_text);
  ADD ("long-text", test_long_text);
  ADD ("large-insertions", test_large_insertions);
  ADD ("cursor-in-long-text", test_cursor_in_long_text);
  ADD ("layers", test_layers);
  ADD ("heads", test_heads);
  ADD ("head-keys", test_head_keys);
  ADD ("model-menu-keys", test_model_menu_keys);
  ADD ("icon", test_icon);
  ADD ("neuron-view", test_neuron_view);
  ADD ("view-keys", test_view_keys);
  ADD ("pins", test_pins);
  ADD ("swap-and-examples", test_swap_and_examples);
  ADD ("refused-model", test_refused_model);
  ADD ("trace-file", test_trace_file);
  ADD ("kinds", test_kinds);
  ADD ("padding", test_padding);
  ADD ("copy", test_copy);
  ADD ("shortcuts", test_shortcuts);
  ADD ("find-shortcuts", test_find_shortcuts);
  ADD ("former-model-goes", test_former_model_goes);
  ADD ("accelerators-differ", test_accelerators_differ);
  ADD ("explained", test_explained);
  ADD ("table", test_table);
  ADD ("inspector-is-opaque", test_inspector_is_opaque);
  ADD ("inspector-in-narrow-window", test_inspector_in_narrow_window);
  ADD ("emoji-chooser", test_emoji_chooser);
  ADD ("settings", test_settings);
  g_test_add_func ("/window/early-answer", test_early_answer);
  g_test_add_func ("/window/last-model-gone", test_last_model_gone);
  ADD ("close-while-running", test_close_while_running);
  ADD ("kind-of-another-trace", test_kind_of_another_trace);
  ADD ("toasts", test_toasts);
  ADD ("task-outlives-window", test_task_outlives_window);
  ADD ("signal", test_signal);

  return g_test_run ();
}
