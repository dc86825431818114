/* SPDX-License-Identifier: MIT */
#include "ui/lists/model-panel.h"

#include "tests/support/made-trace.h"
#include "tests/support/window/widget-driver.h"

static const EngModelInfo info = {
  .name = "tiny",
  .folder = "/models/tiny",
  .family = "bert",
  .n_layers = 6,
  .n_heads = 12,
  .head_size = 24,
  .hidden_size = 288,
  .intermediate_size = 1152,
  .max_positions = 128,
  .strict_positions = TRUE,
  .vocab_size = 8192,
  .n_parameters = 1234567,
  .stored_type = "F16",
  .weights_file = "model.safetensors",
  .weights_bytes = 17400000,
  .tasks = 1u << ENG_TASK_FILL_MASK | 1u << ENG_TASK_NEXT_SENTENCE,
};

#define assert_text(panel, text) g_assert_true (driver_shows_text (panel, text))

/* In what can be scrolled, as the window has it: at its least width it is of no use. */
static GtkWindow *
show (GtkWidget *panel)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), panel);
  return driver_show (scrolled, 600, 500);
}

static void
test_model (void)
{
  GtkWidget *panel = ui_model_panel_new ();
  GtkWindow *window;
  EngModelInfo without_tasks = info;
  UiModelFacts facts = {
    .info = &info,
    .tokenizer = "WordPiece, 8,192 entries, lower case",
    .has_chat_template = TRUE,
    .local = "layer 1: 5 tokens, 2 to each side",
    .shared = "one layer, read 6 times",
  };

  ui_model_panel_set_model (UI_MODEL_PANEL (panel), &facts);
  window = show (panel);
  assert_text (panel, "tiny");
  assert_text (panel, "bert");
  assert_text (panel, "6 layers × 12 heads of 24 dimensions");
  assert_text (panel, "288, feed-forward 1152");
  assert_text (panel, "128 tokens at most");
  assert_text (panel, "1,234,567");
  assert_text (panel, "8,192");
  assert_text (panel, "WordPiece, 8,192 entries, lower case");
  assert_text (panel, "fill-mask, next-sentence");
  assert_text (panel, "model.safetensors, F16, 17.4 MB");
  assert_text (panel, "/models/tiny");

  assert_text (panel, "layer 1: 5 tokens, 2 to each side");
  assert_text (panel, "one layer, read 6 times");
  assert_text (panel, "not applied, texts are read as they are typed");

  g_assert_false (driver_shows_text (panel, "Left out"));

  without_tasks.tasks = 0;
  without_tasks.left_out[ENG_TASK_NEXT_SENTENCE] = "the tensor pooler.dense.weight is missing";
  without_tasks.left_out[ENG_TASK_ENTITIES] = "the tensor classifier.bias is missing";
  facts = (UiModelFacts) { .info = &without_tasks };
  ui_model_panel_set_model (UI_MODEL_PANEL (panel), &facts);
  driver_settle (panel);
  assert_text (panel, "none");
  assert_text (panel, "Left out");
  assert_text (panel, "next-sentence: the tensor pooler.dense.weight is missing\n"
                      "entities: the tensor classifier.bias is missing");
  assert_text (panel, "none, texts are token ids");
  g_assert_false (driver_shows_text (panel, "Local"));
  g_assert_false (driver_shows_text (panel, "Shared"));
  g_assert_false (driver_shows_text (panel, "Chat template"));
  gtk_window_destroy (window);
}

static void
test_trace (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 2, 5);
  GtkWidget *panel = ui_model_panel_new ();
  GtkWindow *window;

  ui_model_panel_set_model (UI_MODEL_PANEL (panel), &(UiModelFacts) { .info = &info });
  ui_model_panel_set_trace (UI_MODEL_PANEL (panel), trace, "/tmp/some.safetensors");
  window = show (panel);
  assert_text (panel, "made");
  assert_text (panel, "not said in the file");
  assert_text (panel, "5 layers × 2 heads, 7 queries × 7 keys");
  assert_text (panel, "/tmp/some.safetensors");
  g_assert_false (driver_shows_text (panel, "tiny"));
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/model-panel/model", test_model);
  g_test_add_func ("/model-panel/trace", test_trace);
  return g_test_run ();
}
