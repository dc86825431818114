/* SPDX-License-Identifier: MIT */
/* The command line `headlight`. Links no GTK and needs no display; without a sub-command it starts
 * `headlight-window`. Exit status: 0 done, 1 the input was refused (one line on stderr), 2 wrong
 * usage; 128 and the number of the signal after a training that a signal stopped. */
#pragma once

#include "app/study/cli-options.h"
#include "engine/transformer/model.h"

G_BEGIN_DECLS

typedef struct {
  const char   *name;
  const char   *arguments; /* "[A [B]]", for --help */
  const char   *help;      /* one line */
  AppCliAccepts accepts;
  /* Returns FALSE with an error when the input was refused. Prints nothing: what belongs on stdout
   * is appended to output, so that stdout stays empty after an error. A training takes hours: that
   * alone prints as it goes on, its JSON on stdout. */
  gboolean    (*run) (const AppCliOptions *options,
                      GString             *output,
                      GError             **error);
  const char   *notes;     /* nullable; behind the options in --help */
} AppCliCommand;

/* argv as main() got it. */
int      app_cli_main         (int                   argc,
                               char                **argv);

/* One line on stderr, all of it visible. place: "FILE:12"; nullable like command. */
void     app_cli_print_error  (const char           *command,
                               const char           *place,
                               const GError         *error);
/* What a person should know of what was done all the same, likewise. */
void     app_cli_print_note   (const char           *command,
                               const char           *place,
                               const char           *note);
/* "PLACE: SENTENCE" alone, as compilers say it: FILE:LINE:COLUMN. */
void     app_cli_print_fault  (const char           *place,
                               const char           *sentence);
/* The same where the tokens of the document's texts are approximate. */
void     app_cli_note_doubt   (const char           *command,
                               const EngModel       *model,
                               const UiDocument     *document);
/* How far a command is, one line on stderr where that is a terminal; "" clears it. Any thread. */
void     app_cli_show_progress (const char         *line);
/* What was wrong stands on stderr already: a sub-command fails with it and nothing more is said but
 * the output that it made all the same. Its code is the exit status, 0 = that of a refused
 * input. */
#define  APP_REPORTED_ERROR (app_reported_error_quark ())
GQuark   app_reported_error_quark (void);

gboolean app_cli_render       (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
/* The figures of --batch. */
gboolean app_cli_render_batch (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
gboolean app_cli_trace        (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
gboolean app_cli_tokenize     (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
gboolean app_cli_predict      (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
gboolean app_cli_models       (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
gboolean app_cli_bench        (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
/* Says how far it is on stderr, or with --json on stdout. */
gboolean app_cli_train        (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
/* These show how far they are on stderr when that is a terminal. */
gboolean app_cli_evaluate     (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
gboolean app_cli_download     (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
/* FILE:LINE:COLUMN on stderr for each claim that is false; the others are computed all the same. */
gboolean app_cli_lesson_check (const AppCliOptions  *options,
                               GString              *output,
                               GError              **error);
/* Of a lesson whose claims hold; else nothing is written. */
gboolean app_cli_lesson_hand_out (const AppCliOptions *options,
                               GString              *output,
                               GError              **error);

G_END_DECLS
