/* SPDX-License-Identifier: MIT */
/* How long the window gives no answer while a long text is looked at under other choices: 512
 * tokens × 12 heads × 12 layers, from a file of which nothing else is known yet, or as many words as
 * fit of the model whose folder is the argument. For each choice
 * the time until its picture is in sight, at first perhaps as a preview, and in full, and the longest
 * stretch that the main
 * thread computed at once, which other load of the computer changes little. Prints; asserts
 * nothing. Wanted: no stretch over 50 ms. */
#include <time.h>

#include "app/shell/application.h"
#include "engine/trace/trace-file.h"
#include "tests/support/made-trace.h"
#include "tests/support/temporary.h"
#include "tests/support/window/window-access.h"
#include "ui/view/scene-view-private.h"

#define N_TOKENS 512
#define N_HEADS 12
#define N_LAYERS 12

/* Fields of the document, in this order; each choice stands on those before it. */
static const struct {
  const char *field;
  const char *value;
} choices[] = {
  { "layer", "5" },
  { "view", "matrix" },
  { "layer", "11" },
  { "measure", "rollout" },
  { "layer", "10" },
  { "view", "head" },
  { "measure", "weight" },
  { "layers", "mean" },
  { "view", "matrix" },
  { "layers", "max" },
  { "layers", "one" },
  { "mass", "0.5" },
  { "view", "head" },
  { "mass", "1" },
  { "words", "true" },
  { "words", "false" },
  { "compare-layer", "3" },
  { "compare", "sides" },
  { "compare", "difference" },
  { "measure", "rollout" },
  { "compare", "off" },
  { "view", "neuron" },
  { "view", "model" },
  { "measure", "weight" },
  { "order", "entropy" },
};

/* ms, of this thread. */
static double
get_computed (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

static gboolean
is_there (AppWindow      *window,
          UiTilesQuality  quality)
{
  return window_is_idle (window) && !window_awaits_picture (window)
         && !window_has_job (window) && window_is_complete (window)
         && window_view (window)->quality >= quality;
}

/* Runs the main loop until the picture is there; the longest stretch. */
static double
settle (AppWindow      *window,
        UiTilesQuality  quality)
{
  double longest = 0;

  while (!is_there (window, quality)) {
    const double start = get_computed ();

    g_main_context_iteration (NULL, TRUE);
    longest = MAX (longest, get_computed () - start);
  }
  return longest;
}

static void
choose (AppWindow  *window,
        const char *field,
        const char *value)
{
  UiDocument *document = ui_document_copy (app_window_get_document (window));
  const gint64 start = g_get_monotonic_time ();
  double computed, longest, first;

  ui_document_set (document, ui_fields_find (field), value, NULL);
  computed = get_computed ();
  window_change (window, document);
  computed = get_computed () - computed;
  gtk_widget_queue_draw (GTK_WIDGET (window_view (window)));
  longest = settle (window, UI_TILES_PREVIEW);
  first = (g_get_monotonic_time () - start) / 1e3;
  longest = MAX (longest, settle (window, UI_TILES_FULL));
  g_print ("  %-14s %-12s in sight after %6.1f, in full %6.1f ms; the choice itself %5.1f,"
           " then at once at most %5.1f ms\n", field, value, first,
           (g_get_monotonic_time () - start) / 1e3, computed, longest);
}

static void
activate_cb (GApplication *application,
             gpointer      unused)
{
  AppWindow *window =
    APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  const double longest = settle (window, UI_TILES_FULL);

  g_print ("%d tokens × %d heads × %d layers\n  opened: at once at most %.1f ms\n",
           eng_trace_get_n_queries (app_window_get_trace (window), ENG_KIND_ENCODER),
           eng_trace_get_n_heads (app_window_get_trace (window), ENG_KIND_ENCODER),
           eng_trace_get_n_layers (app_window_get_trace (window), ENG_KIND_ENCODER), longest);
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    choose (window, choices[i].field, choices[i].value);
  gtk_window_destroy (GTK_WINDOW (window));
}

static char *
write_trace (const char *folder)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_TOKENS / 2, N_TOKENS / 2, N_HEADS, N_LAYERS);
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, "trace.safetensors", NULL);

  made_trace_forget_vectors (trace);
  if (!eng_trace_file_write (trace, path, &error))
    g_error ("%s", error->message);
  return path;
}

/* (transfer full) */
static char *
make_text (void)
{
  static const char *const words[] = { "the", "cat", "sat", "on", "a", "mat", "and", "dog" };
  GString *text = g_string_new (NULL);

  for (int i = 0; i < N_TOKENS / 2 - 2; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            words[(i * i + i / 7) % (int) G_N_ELEMENTS (words)]);
  return g_string_free (text, FALSE);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  char *folder = temporary_new ();
  AppApplication *application;
  int status;

  if (argc > 1) {
    document->model = g_strdup (argv[1]);
    g_free (document->text_a);
    g_free (document->text_b);
    document->text_a = make_text ();
    document->text_b = make_text ();
  } else {
    document->trace_file = write_trace (folder);
  }
  application = app_application_new (document);
  g_signal_connect_after (application, "activate", G_CALLBACK (activate_cb), NULL);
  status = g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  temporary_free (folder);
  return status;
}
