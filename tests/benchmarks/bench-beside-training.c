/* SPDX-License-Identifier: MIT */
/* What a training in the window takes from who works in it: the intervals of frames while the picture
 * is scrolled and hovered, and the time from a key to the picture that shows it, beside a training
 * that is paused and beside one that runs, in turns, so that other load of the computer meets both.
 * First its own model is on show, whose weights change every few seconds, then the bundled one with
 * 128 tokens. Prints; asserts nothing. A frame of the display (16.7 ms) is the grain of every
 * figure. */
#include <string.h>

#include "app/shell/application.h"
#include "tests/benchmarks/window-meter.h"
#include "tests/support/temporary.h"
#include "tests/support/window/train-dialog.h"
#include "tests/support/window/window-access.h"

#define N_ROUNDS 4
#define N_KEYS 20
/* So that it does not end meanwhile. */
#define MINUTES 60

#define TEXT_A \
  "the cat sat on the mat and looked at the dog that was asleep in the garden because it was " \
  "tired of the long day we had in the old town by the river where my mother used to live when " \
  "she was a little girl with her two sisters and a brother who never came back from the war"
#define TEXT_B \
  "the dog sat on the mat and looked at the cat that was asleep in the garden because it was " \
  "tired of the long night we had in the old town by the river where my father used to live when " \
  "he was a little boy with his two brothers and a sister who never came back"

/* Beside a training that is paused, and one that runs. */
typedef struct {
  GArray *frames; /* double, ms, like keys and cpu */
  GArray *cpu;    /* of the main thread */
  GArray *keys;
} Times;

#define wait_while(condition)                                                                     \
  while (condition)                                                                               \
    g_main_context_iteration (NULL, TRUE)

static gboolean
says (WindowMeter *meter,
      const char  *part)
{
  return strstr (window_get_label (meter->window, "training_state"), part) != NULL;
}

static void
begin_training (WindowMeter *meter)
{
  gtk_widget_activate_action (GTK_WIDGET (meter->window), "win.train-model", NULL);
  wait_while (find_dialog () == NULL);
  choose (0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (driver_find (find_dialog (), GTK_TYPE_SPIN_BUTTON, 0)),
                             MINUTES);
  press (find_dialog (), "_Train");
  wait_while (find_dialog () != NULL || !says (meter, "In training"));
}

static void
run_or_rest (WindowMeter *meter,
             gboolean     runs)
{
  if (says (meter, "In training") != runs)
    gtk_widget_activate_action (GTK_WIDGET (meter->window), "win.pause-training", NULL);
  wait_while (!says (meter, runs ? "In training" : "Paused"));
  window_meter_settle ();
}

/* Letters that were not typed before, so that no cache answers. */
static void
type_key (WindowMeter *meter)
{
  static int number = 0;
  const char letters[] = { ' ', (char) ('a' + number % 26), '\0' };
  int position = -1;

  number++;
  gtk_editable_insert_text (meter->entry_a, letters, -1, &position);
}

static void
measure (WindowMeter *meter,
         Times       *times)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (meter->entry_a));

  window_meter_run (meter, METER_SCROLL_AND_HOVER);
  g_array_append_vals (times->frames, meter->intervals->data, meter->intervals->len);
  g_array_append_vals (times->cpu, meter->cpu->data, meter->cpu->len);
  for (int i = 0; i < N_KEYS; i++) {
    gint64 start;
    double ms;

    window_meter_settle ();
    start = g_get_monotonic_time ();
    type_key (meter);
    ms = window_meter_wait_for_frame (meter, start);
    g_array_append_val (times->keys, ms);
  }
  gtk_editable_set_text (meter->entry_a, text);
  window_meter_wait_for_frame (meter, 0);
}

static void
print (const char *what,
       GArray     *times)
{
  g_array_sort (times, window_meter_compare);
  g_print ("  %-22s %5u, median %6.2f, p95 %6.2f, p99 %6.2f ms\n", what, times->len,
           window_meter_get_percentile (times, 0.5), window_meter_get_percentile (times, 0.95),
           window_meter_get_percentile (times, 0.99));
}

static void
measure_in_turns (WindowMeter *meter,
                  const char  *what)
{
  static const char *const names[2] = { "training paused", "training runs" };
  Times times[2];

  for (int runs = 0; runs < 2; runs++)
    times[runs] = (Times) { g_array_new (FALSE, FALSE, sizeof (double)),
                            g_array_new (FALSE, FALSE, sizeof (double)),
                            g_array_new (FALSE, FALSE, sizeof (double)) };
  for (int round = 0; round < N_ROUNDS; round++)
    for (int runs = 0; runs < 2; runs++) {
      run_or_rest (meter, runs);
      measure (meter, &times[runs]);
    }
  for (int runs = 0; runs < 2; runs++) {
    g_print ("%s, %s\n", what, names[runs]);
    print ("frames, interval", times[runs].frames);
    print ("frames, main thread", times[runs].cpu);
    print ("key to picture", times[runs].keys);
    g_array_unref (times[runs].frames);
    g_array_unref (times[runs].cpu);
    g_array_unref (times[runs].keys);
  }
}

static void
activate_cb (GtkApplication *application,
             gpointer        unused)
{
  WindowMeter meter;

  window_meter_begin (&meter, application);
  window_meter_wait_for_frame (&meter, 0);
  begin_training (&meter);
  wait_while (!window_is_idle (meter.window));
  measure_in_turns (&meter, "its own model, 25 tokens");
  window_open_model (meter.window, "headlight-mini");
  wait_while (!window_is_idle (meter.window));
  gtk_editable_set_text (meter.entry_a, TEXT_A);
  gtk_editable_set_text (meter.entry_b, TEXT_B);
  window_meter_wait_for_frame (&meter, 0);
  measure_in_turns (&meter, "headlight-mini, 110 tokens");
  window_meter_end (&meter);
  gtk_window_destroy (GTK_WINDOW (meter.window));
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  char *folder = temporary_new ();
  AppApplication *application;
  int status;

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  application = app_application_new (document);
  g_signal_connect_after (application, "activate", G_CALLBACK (activate_cb), NULL);
  status = g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  temporary_free (folder);

  return status;
}
