/* SPDX-License-Identifier: MIT */
/* From a person's act to the frame that shows it, in the real window: a keystroke in a pair of 20
 * tokens, 128 tokens typed at once, another layer, one head off, a head edited. Bundled model, and
 * MiniLM-L6-v2 where it is. Then another model is opened, with the longest time that the window
 * gave no answer meanwhile: the folder in HEADLIGHT_BENCH_MODEL, such as a BERT of 440 MB. Prints;
 * asserts nothing. A frame of the display (16.7 ms) is the grain of every figure but that of edits,
 * which ends when the prediction is in its label, and of «computing»: the time that the window's own
 * thread worked for it (median). */
#include "app/shell/application.h"
#include "tests/benchmarks/window-meter.h"
#include "tests/support/window/widget-driver.h"
#include "tests/support/window/window-access.h"
#include "ui/lists/change-list.h"

#define N_REPEATS 15
#define N_EDITS 20

/* Words of n tokens that were not shown before, so that no cache answers. */
static char *
make_text (int n,
           int number)
{
  static const char *const words[] = { "the", "cat", "sat", "on", "a", "mat", "and", "dog", "house",
                                       "rain" };
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            words[(i * 7 + (number >> (i % 8)) * 3) % 10]);
  return g_string_free (text, FALSE);
}

static void
type_texts (WindowMeter *bench,
            int    n_tokens,
            int    number)
{
  g_autofree char *text_a = make_text ((n_tokens - 3) / 2, number);
  g_autofree char *text_b = make_text ((n_tokens - 2) / 2, number + 1);

  gtk_editable_set_text (bench->entry_a, text_a);
  gtk_editable_set_text (bench->entry_b, text_b);
}

static void
act_type_key (WindowMeter *bench,
              int    number)
{
  int position = -1;

  gtk_editable_insert_text (bench->entry_b, "s", 1, &position);
}

static void
act_type_20 (WindowMeter *bench,
             int    number)
{
  type_texts (bench, 20, number);
}

static void
act_type_128 (WindowMeter *bench,
              int    number)
{
  type_texts (bench, 128, number);
}

static void
act_layer (WindowMeter *bench,
           int    number)
{
  gboolean is_first = app_window_get_shown (bench->window)->layer == 0;

  gtk_widget_activate_action (GTK_WIDGET (bench->window),
                              is_first ? "win.next-layer" : "win.previous-layer", NULL);
}

static void
act_head (WindowMeter *bench,
          int    number)
{
  gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.head", "i", number % 12);
}

/* prepare brings about what the act starts from, outside of the measurement; NULL = nothing. */
static void
measure (WindowMeter *bench,
         const char *what,
         void      (*prepare) (WindowMeter *bench, int number),
         void      (*act) (WindowMeter *bench, int number))
{
  double times[N_REPEATS], computing[N_REPEATS];

  for (int i = 0; i < N_REPEATS; i++) {
    gint64 start, start_computing;

    if (prepare != NULL) {
      prepare (bench, 100 + i);
      window_meter_wait_for_frame (bench, 0);
    }
    window_meter_settle ();
    start = g_get_monotonic_time ();
    start_computing = window_meter_get_thread_us ();
    act (bench, i);
    times[i] = window_meter_wait_for_frame (bench, start);
    computing[i] = (window_meter_get_thread_us () - start_computing) / 1000.0;
  }
  qsort (times, N_REPEATS, sizeof times[0], window_meter_compare);
  qsort (computing, N_REPEATS, sizeof computing[0], window_meter_compare);
  g_print ("  %-36s min %6.1f  median %6.1f ms, computing %5.1f\n", what, times[0],
           times[N_REPEATS / 2], computing[N_REPEATS / 2]);
}

static void
measure_all (WindowMeter *bench)
{
  g_print ("%s\n", window_get_label (bench->window, "model_name"));
  measure (bench, "keystroke, pair of 20 tokens", act_type_20, act_type_key);
  measure (bench, "layer, 20 tokens", NULL, act_layer);
  measure (bench, "head off or on, 20 tokens", NULL, act_head);
  measure (bench, "128 tokens at once", NULL, act_type_128);
  measure (bench, "layer, 128 tokens", NULL, act_layer);
  measure (bench, "head off or on, 128 tokens", NULL, act_head);
}

/* Whether the list of changes says something, which it does once the run with the edit is laid
 * beside the run without it. */
static gboolean
has_changes (GtkWidget *inspector)
{
  GtkWidget *changes = driver_find (inspector, UI_TYPE_CHANGE_LIST, 0);

  return gtk_widget_get_visible (changes);
}

/* From an edit to its prediction: another head each time, so that no cache answers. */
static void
measure_edits (WindowMeter *bench)
{
  GtkWidget *inspector = window_find (bench->window, "inspector");
  double times[N_EDITS];

  type_texts (bench, 20, 7);
  window_meter_wait_for_frame (bench, 0);
  window_meter_settle ();
  for (int i = 0; i < N_EDITS; i++) {
    g_autofree char *edit = g_strdup_printf ("zero %d.%d", i % 6, i % 11);
    gint64 start = g_get_monotonic_time ();

    gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.edit", "s", edit);
    while (!has_changes (inspector))
      g_main_context_iteration (NULL, TRUE);
    times[i] = (g_get_monotonic_time () - start) / 1000.0;
    gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.clear-edits", NULL);
    while (window_is_waiting (bench->window) || has_changes (inspector))
      g_main_context_iteration (NULL, TRUE);
    window_meter_settle ();
  }
  qsort (times, N_EDITS, sizeof times[0], window_meter_compare);
  g_print ("  %-36s min %6.1f  median %6.1f ms\n", "edit to its prediction, 20 tokens", times[0],
           times[N_EDITS / 2]);
}

/* The window is asleep as long as nobody calls this. */
typedef struct {
  gint64 last;
  gint64 longest;          /* µs between two calls */
  gint64 last_computing;
  gint64 longest_computing; /* the same of this thread alone, whatever else the machine does */
} Pulse;

static gboolean
pulse_cb (gpointer data)
{
  Pulse *pulse = data;
  gint64 now = g_get_monotonic_time ();
  gint64 computing = window_meter_get_thread_us ();

  pulse->longest = MAX (pulse->longest, now - pulse->last);
  pulse->longest_computing = MAX (pulse->longest_computing, computing - pulse->last_computing);
  pulse->last = now;
  pulse->last_computing = computing;

  return G_SOURCE_CONTINUE;
}

/* Until a model of that folder is on show and was drawn; ms. */
static double
open_model (WindowMeter *bench,
            const char *model,
            const char *folder)
{
  gint64 start = g_get_monotonic_time ();

  window_open_model (bench->window, model);
  while (!g_str_has_suffix (eng_model_get_info (window_get_model (bench->window))->folder, folder))
    g_main_context_iteration (NULL, TRUE);

  return window_meter_wait_for_frame (bench, start);
}

static void
measure_opening (WindowMeter *bench,
                 const char  *folder)
{
  double times[N_REPEATS];
  Pulse pulse = { 0 };

  for (int i = 0; i < N_REPEATS; i++) {
    guint source;

    open_model (bench, "headlight-mini", "headlight-mini");
    window_meter_settle ();
    pulse.last = g_get_monotonic_time ();
    pulse.last_computing = window_meter_get_thread_us ();
    source = g_timeout_add_full (G_PRIORITY_HIGH, 1, pulse_cb, &pulse, NULL);
    times[i] = open_model (bench, folder, folder);
    window_meter_settle ();
    g_source_remove (source);
  }
  qsort (times, N_REPEATS, sizeof times[0], window_meter_compare);
  g_print ("%s opened\n  %-36s min %6.1f  median %6.1f ms\n  %-36s max %6.1f  of it computing at "
           "most %.1f ms\n",
           folder, "first attention", times[0], times[N_REPEATS / 2], "longest without an answer",
           pulse.longest / 1000.0, pulse.longest_computing / 1000.0);
}

static void
activate_cb (GApplication *application,
             WindowMeter  *bench)
{
  g_autofree char *minilm = g_build_filename (g_getenv ("HEADLIGHT_SHARED"), "data", "checkpoints",
                                              "minilm-l6-v2", NULL);
  const char *other = g_getenv ("HEADLIGHT_BENCH_MODEL");

  window_meter_begin (bench, GTK_APPLICATION (application));
  window_meter_wait_for_frame (bench, 0);
  measure_all (bench);
  measure_edits (bench);

  if (g_file_test (minilm, G_FILE_TEST_IS_DIR)) {
    window_open_model (bench->window, minilm);
    while (window_is_waiting (bench->window))
      g_main_context_iteration (NULL, TRUE);
    measure_all (bench);
  }
  if (other != NULL)
    measure_opening (bench, other);
  window_meter_end (bench);
  gtk_window_destroy (GTK_WINDOW (bench->window));
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (AppApplication) application = app_application_new (document);
  WindowMeter bench = { 0 };

  g_signal_connect_after (application, "activate", G_CALLBACK (activate_cb), &bench);
  return g_application_run (G_APPLICATION (application), 0, NULL);
}
