/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <stdlib.h>

#include "app/lessons/lesson.h"
#include "app/lessons/translation.h"
#include "app/parts/texts/examples.h"
#include "app/run/timing.h"
#include "app/shell/application.h"
#include "app/study/cli-options.h"
#include "app/study/session-file.h"

#define PROGRAM    "headlight-window"
#define EXIT_USAGE 2

static int
report (const GError *error)
{
  g_printerr (PROGRAM ": %s\n", error->message);

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

/* The window reads it once more, with what it says of it; whoever started it is told here. */
static gboolean
check_lesson (const char  *path,
              GError     **error)
{
  g_autofree char *shown = app_lesson_find_translation (path);
  g_autoptr (GError) problem = NULL;
  AppPlace fault;
  g_autoptr (AppLesson) lesson = app_lesson_read (shown, &fault, &problem);

  if (lesson != NULL)
    return TRUE;
  if (fault.line > 0)
    g_set_error (error, APP_LESSON_ERROR, APP_LESSON_ERROR_SYNTAX, "%s:%d:%d: %s", shown, fault.line,
                 fault.column, problem->message);
  else
    g_propagate_error (error, g_steal_pointer (&problem));

  return FALSE;
}

/* The command line's document, or that of the file: without a text the example pair is shown. */
static UiSession *
open_session (const AppCliOptions  *options,
              AppFileKind          *kind,
              GError              **error)
{
  g_autoptr (UiDocument) document = ui_document_copy (options->document);
  UiSession *session;

  if (!check_text (document->text_a, 'A', error) || !check_text (document->text_b, 'B', error))
    return NULL;

  if (options->n_texts == 0)
    app_examples_put (document);
  if (options->open != NULL) {
    session = app_session_file_open (options->open, document, kind, error);
    if (session != NULL && *kind == APP_FILE_LESSON && !check_lesson (options->open, error))
      g_clear_pointer (&session, ui_session_free);
    return session;
  }

  session = g_new0 (UiSession, 1);
  session->document = g_steal_pointer (&document);
  session->past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  return session;
}

/* The picture is made by our own rasteriser and only moved by GTK. Without a GPU the GL renderer
 * costs 70 MB of anonymous memory and half a second, and gains nothing here; and GDK loads Mesa and
 * LLVM for it even when another renderer is chosen, which is a third of the start-up. Who sets one
 * of these knows better. */
static void
choose_renderer (void)
{
  if (g_getenv ("GSK_RENDERER") != NULL || g_getenv ("GDK_DEBUG") != NULL
      || g_getenv ("GDK_DISABLE") != NULL)
    return;

  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  if (gtk_get_minor_version () >= 16)
    g_setenv ("GDK_DISABLE", "gl", TRUE);
  else
    g_setenv ("GDK_DEBUG", "gl-disable", TRUE);
}

static gboolean
asks_for_nothing (const AppCliOptions *options,
                  const UiDocument    *document)
{
  g_autoptr (UiDocument) nothing = ui_document_new ();

  app_examples_put (nothing);
  return options->open == NULL && options->n_texts == 0 && ui_document_equal (document, nothing);
}

/* A session or a figure says itself which heads it shows. */
static AppApplication *
begin (const AppCliOptions *options,
       const UiDocument    *document,
       const UiSession     *session,
       AppFileKind          kind)
{
  if (asks_for_nothing (options, document))
    return app_application_new_example ();
  if (kind == APP_FILE_LESSON && options->n_texts == 0)
    return app_application_new_example ();
  if (options->open != NULL && session != NULL
      && (kind == APP_FILE_SESSION || kind == APP_FILE_FIGURE))
    return app_application_new (document);
  return app_application_new_beginning (document, options->n_texts == 0);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppCliOptions) options = NULL;
  g_autoptr (UiSession) session = NULL;
  g_autoptr (UiDocument) first = NULL;
  g_autoptr (AppApplication) application = NULL;
  AppFileKind kind = APP_FILE_SESSION;
  int status;

  app_timing_start ();
  setlocale (LC_ALL, "");
  g_set_prgname (PROGRAM);

  options = app_cli_options_parse (APP_CLI_MODEL_NAME | APP_CLI_TEXTS | APP_CLI_OPEN,
                                   argc - 1, argv + 1, &error);
  if (options == NULL)
    return report (error);
  if (options->help) {
    g_print ("Usage: headlight-window [--model M] [A [B]]  |  headlight-window --open FILE  |  "
             "headlight-window FILE.md\n");
    return EXIT_SUCCESS;
  }

  /* Who double-clicked a file sees no terminal: the window says what is wrong with it. */
  session = open_session (options, &kind, &error);
  if (session == NULL && options->open == NULL)
    return report (error);
  if (session == NULL) {
    report (error);
    first = ui_document_new ();
    app_examples_put (first);
  } else
    first = ui_document_copy (session->document);

  choose_renderer ();
  application = begin (options, first, session, kind);
  /* The application would end with the toolkit's words. */
  if (!gtk_init_check ()) {
    g_printerr (PROGRAM ": there is no display to open a window on; headlight render draws the "
                "same picture into a file\n");
    return EXIT_FAILURE;
  }
  if (options->open != NULL)
    app_application_take_session (application, g_steal_pointer (&session), options->open, kind);
  status = g_application_run (G_APPLICATION (application), 1, argv);

  return status == EXIT_SUCCESS && app_application_is_unopened (application) ? EXIT_FAILURE
                                                                             : status;
}
