/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <stdlib.h>

#include "app/application.h"
#include "app/cli-options.h"
#include "app/timing.h"

#define EXIT_USAGE 2

static int
report (const GError *error)
{
  g_printerr ("headlight-window: %s\n", error->message);

  return error->domain == APP_USAGE_ERROR ? EXIT_USAGE : EXIT_FAILURE;
}

/* Texts of the command line are bytes; entries take UTF-8 alone. */
static gboolean
check_text (const char  *text,
            char         sentence,
            GError     **error)
{
  const char *end;

  if (g_utf8_validate (text, -1, &end))
    return TRUE;

  g_set_error (error, G_CONVERT_ERROR, G_CONVERT_ERROR_ILLEGAL_SEQUENCE,
               "sentence %c is not UTF-8 at byte %d", sentence, (int) (end - text));
  return FALSE;
}

/* The command line's document: FILE of --open is a folder with a model or a file with a trace;
 * without a text the example pair of a new document is shown. */
static UiDocument *
make_document (const AppCliOptions  *options,
               GError              **error)
{
  g_autoptr (UiDocument) document = ui_document_copy (options->document);

  if (!check_text (document->text_a, 'A', error) || !check_text (document->text_b, 'B', error))
    return NULL;

  if (options->n_texts == 0) {
    g_autoptr (UiDocument) example = ui_document_new ();

    g_free (document->text_a);
    g_free (document->text_b);
    document->text_a = g_steal_pointer (&example->text_a);
    document->text_b = g_steal_pointer (&example->text_b);
  }
  if (options->open != NULL && g_file_test (options->open, G_FILE_TEST_IS_DIR)) {
    g_free (document->model);
    document->model = g_canonicalize_filename (options->open, NULL);
  } else if (options->open != NULL) {
    g_free (document->trace_file);
    document->trace_file = g_canonicalize_filename (options->open, NULL);
  }

  return g_steal_pointer (&document);
}

/* The picture is made by our own rasteriser and only moved by GTK. Without a GPU the GL renderer
 * costs 70 MB of anonymous memory and half a second, and gains nothing here; and GDK loads Mesa and
 * LLVM for it even when another renderer is chosen, which is a third of the start-up. Who sets one
 * of the two knows better. */
static void
choose_renderer (void)
{
  if (g_getenv ("GSK_RENDERER") != NULL || g_getenv ("GDK_DEBUG") != NULL)
    return;

  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  g_setenv ("GDK_DEBUG", "gl-disable", TRUE);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCliOptions) options = NULL;
  g_autoptr (UiDocument) document = NULL;
  g_autoptr (AppApplication) application = NULL;

  app_timing_start ();
  setlocale (LC_ALL, "");

  options = app_cli_options_parse (APP_CLI_MODEL_NAME | APP_CLI_TEXTS | APP_CLI_OPEN,
                                   argc - 1, argv + 1, &error);
  if (options == NULL)
    return report (error);
  if (options->help) {
    g_print ("Usage: headlight-window [--model M] [A [B]]  |  headlight-window --open FILE\n");
    return EXIT_SUCCESS;
  }

  document = make_document (options, &error);
  if (document == NULL)
    return report (error);

  choose_renderer ();
  application = app_application_new (document);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
