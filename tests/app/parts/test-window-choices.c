/* SPDX-License-Identifier: MIT */
/* What is looked at in the real window: layers, heads, kinds, pins, of models and trace files. */
#include "engine/trace/trace-file.h"
#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "tests/app/shell/window-case.h"
#include "ui/sentences/sentence-entry.h"
#include "ui/document/table-text.h"

static void
test_layers (Fixture *fixture)
{
  activate (fixture, "win.previous-layer");
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 0);
  for (int layer = 1; layer < 6; layer++) {
    activate (fixture, "win.next-layer");
    g_assert_cmpint (get_drawn_document (fixture)->layer, ==, layer);
  }
  activate (fixture, "win.next-layer");
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 5);

  g_signal_emit_by_name (window_find (fixture->window, "map"), "layer-chosen", 3);
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 3);
  g_assert_true (get_drawn_document (fixture)->heads.all);
  assert_contains (window_get_label (fixture->window, "selection_status"), "layer 3,");
}

static void
test_heads (Fixture *fixture)
{
  activate (fixture, "win.head(3)");
  g_assert_false (ui_head_set_has (&get_drawn_document (fixture)->heads, 3));
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 11);
  assert_contains (window_get_label (fixture->window, "selection_status"), "11 of 12 heads");
  activate (fixture, "win.all-heads");
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 12);
  activate (fixture, "win.head(12)");
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 12);

  activate (fixture, "win.view::neuron");
  activate (fixture, "win.head(8)");
  g_assert_cmpint (ui_head_set_first (&get_drawn_document (fixture)->heads, 12), ==, 8);
  assert_contains (window_get_label (fixture->window, "selection_status"), "head 8");
  g_signal_emit_by_name (window_find (fixture->window, "map"), "chosen", 0, 5, FALSE);
  g_assert_cmpint (ui_head_set_first (&get_drawn_document (fixture)->heads, 12), ==, 5);
}

static void
test_neuron_view (Fixture *fixture)
{
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "neuron_box")));
  g_assert_false (is_enabled (fixture, "bands"));
  activate (fixture, "win.view::neuron");
  g_assert_cmpint (get_drawn_document (fixture)->view, ==, UI_VIEW_NEURON);
  g_assert_true (gtk_widget_get_visible (window_find (fixture->window, "neuron_box")));
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "filter_box")));
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
  g_assert_true (gtk_widget_get_visible (window_find (fixture->window, "filter_box")));
}

static void
click (Fixture    *fixture,
       UiItemType  type,
       int         token,
       gboolean    extend)
{
  UiItem item = { .type = type, .query = token, .key = token };

  g_signal_emit_by_name (window_view (fixture->window), "clicked", &item, extend);
}

static void
test_pins (Fixture *fixture)
{
  g_assert_false (is_enabled (fixture, "unpin"));
  click (fixture, UI_ITEM_QUERY, 2, FALSE);
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, FALSE, 2));
  assert_contains (window_get_label (fixture->window, "selection_status"), "“cat” (2) pinned");

  /* A pin stays through layers, views and typing. */
  activate (fixture, "win.next-layer");
  activate (fixture, "win.view::neuron");
  type (fixture, "The cat sat", "");
  g_assert_true (ui_pins_has (&get_drawn_document (fixture)->pins, FALSE, 2));
  activate (fixture, "win.view::head");

  click (fixture, UI_ITEM_KEY, 4, TRUE);
  assert_contains (window_get_label (fixture->window, "selection_status"), "2 tokens pinned");

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

/* The model that cannot be opened is refused, and everything is as it was. */
static void
test_refused_model (Fixture *fixture)
{
  EngTrace *trace = app_window_get_trace (fixture->window);

  window_open_model (fixture->window, "no-such-model");
  wait_until (is_idle (fixture->window));
  g_assert_null (app_window_get_document (fixture->window)->model);
  g_assert_true (app_window_get_trace (fixture->window) == trace);
  g_assert_cmpstr (window_get_label (fixture->window, "model_name"), ==, "headlight-mini");
  type (fixture, "a cat", "");
  assert_drawn (fixture, "[CLS] a cat [SEP]");
}

static void
open_trace (Fixture    *fixture,
            const char *path)
{
  UiDocument *document = ui_document_copy (app_window_get_document (fixture->window));

  g_free (document->trace_file);
  document->trace_file = g_strdup (path);
  window_change (fixture->window, document);
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
  gtk_widget_grab_focus (window_find (fixture->window, "entry_a"));
  open_trace (fixture, bert);
  /* No cursor is left in an entry that cannot be typed in. */
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window))
                 == GTK_WIDGET (window_view (fixture->window)));
  g_assert_false (gtk_widget_get_sensitive (window_find (fixture->window, "entry_a")));
  g_assert_false (is_enabled (fixture, "swap"));
  g_assert_false (is_enabled (fixture, "truncate"));
  g_assert_false (is_enabled (fixture, "pad-to"));
  assert_contains (window_get_label (fixture->window, "pass_status"), "trace file");
  activate (fixture, "win.view::neuron");
  activate (fixture, "win.view::head");

  open_trace (fixture, "/no/such/file.safetensors");
  g_assert_cmpstr (app_window_get_document (fixture->window)->trace_file, ==, bert);

  /* Weights alone: the neuron view has but its collapsed form. */
  open_trace (fixture, gpt2);
  activate (fixture, "win.view::neuron");
  g_assert_false (is_enabled (fixture, "collapsed"));
  g_assert_false (is_enabled (fixture, "bands"));
  g_assert_false (is_enabled (fixture, "sort"));
  assert_contains (window_get_label (fixture->window, "legend"), "holds no queries and keys");
  activate (fixture, "win.view::head");

  open_trace (fixture, marian);
  g_assert_true (gtk_widget_get_visible (window_find (fixture->window, "kind_box")));
  activate (fixture, "win.kind::cross");
  g_assert_cmpint (get_drawn_document (fixture)->kind, ==, ENG_KIND_CROSS);
  g_assert_false (is_enabled (fixture, "filter"));
  activate (fixture, "win.kind::decoder");
  g_assert_cmpint (get_drawn_document (fixture)->kind, ==, ENG_KIND_DECODER);
  g_assert_false (is_enabled (fixture, "filter"));

  /* Back to the model: the words are still there. */
  window_open_model (fixture->window, "headlight-mini");
  wait_until (is_idle (fixture->window));
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "kind_box")));
  g_assert_true (gtk_widget_get_sensitive (window_find (fixture->window, "entry_a")));
  assert_drawn (fixture, "[CLS] my own words [SEP]");
}

static const UiDocument *
choose_kind (Fixture    *fixture,
             const char *kind)
{
  g_autofree char *action = g_strconcat ("win.kind::", kind, NULL);

  activate (fixture, action);
  return app_window_get_shown (fixture->window);
}

static int
count_kind_buttons (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "kind_box");
  int n = 0;

  for (GtkWidget *button = gtk_widget_get_first_child (box); button != NULL;
       button = gtk_widget_get_next_sibling (button))
    n += gtk_widget_get_visible (button);
  return n;
}

static void
change_field (Fixture    *fixture,
              const char *name,
              const char *value)
{
  UiDocument *document = ui_document_copy (app_window_get_document (fixture->window));

  g_assert_true (ui_document_set (document, ui_fields_find (name), value, NULL));
  window_change (fixture->window, document);
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
  UiSentenceEntry *entry_b = UI_SENTENCE_ENTRY (window_find (fixture->window, "entry_b"));
  const UiDocument *shown;

  g_assert_true (eng_trace_file_write (stacks, path, NULL));
  g_assert_true (eng_trace_file_write (decoder, plain, NULL));
  g_assert_cmpstr (ui_sentence_entry_get_placeholder (entry_b), !=, "");
  open_trace (fixture, path);
  g_assert_cmpstr (ui_sentence_entry_get_placeholder (entry_b), ==, "");
  g_assert_cmpint (count_kind_buttons (fixture), ==, 3);
  g_assert_cmpint (app_window_get_shown (fixture->window)->kind, ==, ENG_KIND_ENCODER);
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "filter_box")));

  change_field (fixture, "layer", "2");
  change_field (fixture, "heads", "3");
  change_field (fixture, "pin", "1,k:2");
  shown = choose_kind (fixture, "cross");
  g_assert_cmpint (shown->layer, ==, 1);
  g_assert_true (shown->heads.all);
  assert_pins (shown, "k:2");
  assert_contains (window_get_label (fixture->window, "pass_status"), "6 tokens read 4");
  assert_contains (window_get_label (fixture->window, "selection_status"), "cross layer 1");
  g_assert_cmpstr (window_get_label (fixture->window, "strip_layer"), ==, "1");
  g_assert_false (is_enabled (fixture, "next-layer"));

  change_field (fixture, "layer", "0");
  change_field (fixture, "heads", "1");
  change_field (fixture, "pin", "5,k:2");
  shown = choose_kind (fixture, "decoder");
  g_assert_cmpint (shown->layer, ==, 0);
  g_assert_true (ui_head_set_has (&shown->heads, 1) && !ui_head_set_has (&shown->heads, 0));
  assert_pins (shown, "5");

  shown = choose_kind (fixture, "encoder");
  g_assert_cmpint (shown->layer, ==, 2);
  g_assert_cmpstr (window_get_label (fixture->window, "strip_layer"), ==, "2");
  g_assert_cmpint (ui_head_set_first (&shown->heads, 4), ==, 3);
  assert_pins (shown, "");
  shown = choose_kind (fixture, "decoder");
  g_assert_cmpint (shown->layer, ==, 0);

  /* A kind that the file has not is no choice. */
  open_trace (fixture, plain);
  g_assert_cmpint (count_kind_buttons (fixture), ==, 1);
  g_assert_false (gtk_widget_get_visible (window_find (fixture->window, "kind_box")));
  shown = choose_kind (fixture, "encoder");
  g_assert_cmpint (shown->kind, ==, ENG_KIND_DECODER);
  g_assert_cmpint (app_window_get_document (fixture->window)->kind, ==, ENG_KIND_DECODER);
  temporary_free (folder);
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

/* What was computed of a model is not kept beside the next one, nor the model with it. */
static void
test_former_model_goes (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  EngModel *former = window_get_model (window);

  activate (fixture, "win.view::model");
  activate (fixture, "win.order::pattern");
  wait_until (window_get_facts_trace (window) == app_window_get_trace (window) && is_idle (window));
  activate (fixture, "win.view::head");
  g_assert_nonnull (window_get_facts_trace (window));
  activate (fixture, "win.random-weights");
  wait_until (window_get_model (window) != NULL && window_get_model (window) != former
              && is_idle (window));
  g_assert_null (window_get_facts_trace (window));
}

/* A new trace may have no picture yet, while what is shown is still another's, of a kind that this
 * one has not. */
static void
test_kind_of_another_trace (Fixture *fixture)
{
  g_assert_false (eng_trace_has_kind (app_window_get_trace (fixture->window), ENG_KIND_DECODER));
  activate (fixture, "win.find-heads");
  window_set_shown_kind (fixture->window, ENG_KIND_DECODER);
  window_refresh_display (fixture->window);
  window_refresh_links (fixture->window);
  window_set_shown_kind (fixture->window, ENG_KIND_ENCODER);
  window_refresh_display (fixture->window);
}

#define ADD(path, func) g_test_add_data_func ("/window/" path, func, run_test)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  ADD ("layers", test_layers);
  ADD ("heads", test_heads);
  ADD ("neuron-view", test_neuron_view);
  ADD ("pins", test_pins);
  ADD ("refused-model", test_refused_model);
  ADD ("trace-file", test_trace_file);
  ADD ("kinds", test_kinds);
  ADD ("copy", test_copy);
  ADD ("former-model-goes", test_former_model_goes);
  ADD ("kind-of-another-trace", test_kind_of_another_trace);

  return g_test_run ();
}
