/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/config.h"
#include "app/run/pass.h"
#include "app/store/paths.h"
#include "engine/base/error.h"

#define EXIT_USAGE 2
#define WINDOW_PROGRAM "headlight-window"
/* "\r" goes back to the start of the line, the sequence behind it clears what is left of it. */
#define LINE_START "\r\033[K"

#define DATA_NOTES                                                                               \
  "\nFILE has a line of at most 64 KiB for each, with tabs between its columns:\n"               \
  "  masked, next-word         a text\n"                                                         \
  "  translate                 a text and its translation\n"                                     \
  "  classify                  a text and its label\n"                                           \
  "  pairs                     two texts and their label\n"                                      \
  "  tags                      a word and its tag, a line each; an empty line behind a sentence\n" \
  "  answers                   a question, a context, and the answer as it first stands there\n"

static const AppCliCommand commands[] = {
  { "render", "-o OUT.svg|.pdf|.png|.html|.csv|.json|.npy A [B]",
    "Draw a figure, the same as the window shows",
    APP_CLI_MODEL | APP_CLI_TRACE_INPUT | APP_CLI_VIEW | APP_CLI_FIGURE | APP_CLI_OUTPUT
    | APP_CLI_TEXTS | APP_CLI_JSON | APP_CLI_BATCH,
    app_cli_render },
  { "trace", "-o OUT.safetensors A [B]", "Write everything that one pass of the model shows",
    APP_CLI_MODEL | APP_CLI_LOGITS | APP_CLI_OUTPUT | APP_CLI_TEXTS | APP_CLI_JSON,
    app_cli_trace },
  { "tokenize", "A [B]", "Print tokens, ids, segments and spans",
    APP_CLI_MODEL | APP_CLI_TEXTS | APP_CLI_JSON,
    app_cli_tokenize },
  { "predict", "A [B]",
    "Ask a task head: masked words, classes, entities, answers; summarise, translate, go on",
    APP_CLI_MODEL | APP_CLI_TASK | APP_CLI_TEXTS | APP_CLI_JSON,
    app_cli_predict },
  { "train", "-o FOLDER", "Train a model, from a checkpoint, over a text file",
    APP_CLI_TRAINING,
    app_cli_train,
    DATA_NOTES
    "\nHow far it is stands on stderr. Ctrl+C saves and says how to go on; a program that is killed"
    " loses\nless than a minute.\n" },
  { "evaluate", "", "Say how well a model does on a file that it did not learn from",
    APP_CLI_MODEL_NAME | APP_CLI_EVALUATION | APP_CLI_JSON,
    app_cli_evaluate,
    DATA_NOTES
    "\nWithout --task and --data a folder that headlight train wrote is asked what its training held"
    " out.\n" },
  { "models", "", "List the models on this computer",
    APP_CLI_JSON,
    app_cli_models },
  { "bench", "", "Time a captured forward pass beside the limits of the machine",
    APP_CLI_MODEL_NAME | APP_CLI_TOKENS | APP_CLI_JSON,
    app_cli_bench },
  { "download", "NAME[@REVISION]", "Bring a model from the hub into the HuggingFace cache",
    APP_CLI_NAME | APP_CLI_JSON,
    app_cli_download },
  { "lesson check", "FILE…", "Compute every claim of lessons: claim, value, verdict",
    APP_CLI_FILES | APP_CLI_JSON,
    app_cli_lesson_check },
  { "lesson hand-out", "FILE -o OUT.pdf", "Print a lesson: questions first, answers behind",
    APP_CLI_FILES | APP_CLI_OUTPUT | APP_CLI_PAPER | APP_CLI_JSON,
    app_cli_lesson_hand_out },
};

#define WINDOW_ACCEPTS (APP_CLI_MODEL_NAME | APP_CLI_OPEN | APP_CLI_TEXTS)

G_DEFINE_QUARK (app-reported-error-quark, app_reported_error)

/* Whether a command is "WORD …", of two words. */
static gboolean
is_group (const AppCliCommand *command,
          const char          *word)
{
  gsize length = strlen (word);

  return strncmp (command->name, word, length) == 0 && command->name[length] == ' ';
}

/* n_words: of its name. */
static const AppCliCommand *
find_command (int    n_arguments,
              char **arguments,
              int   *n_words)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands) && n_arguments > 0; i++) {
    const char *name = commands[i].name;

    *n_words = is_group (&commands[i], arguments[0]) ? 2 : 1;
    if (*n_words == 2 ? n_arguments > 1 && strcmp (strchr (name, ' ') + 1, arguments[1]) == 0
                      : strcmp (name, arguments[0]) == 0)
      return &commands[i];
  }

  return NULL;
}

static void
append_overview (GString *help)
{
  g_string_append (help,
                   "Headlight shows what every attention head of a transformer looks at.\n\n"
                   "  headlight [--model M] [A [B]]    open the window with a sentence or a pair\n"
                   "  headlight --open FILE            open a session, a figure, a trace file, a "
                   "lesson or a model folder\n"
                   "  headlight FILE.md                open a lesson; so FILE.headlight and "
                   "FILE.gguf\n");
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (help, "  headlight %-22s %s\n", commands[i].name, commands[i].help);
  g_string_append (help,
                   "\nA model is a bundled name, a folder with config.json, or a name such as "
                   "bert-base-uncased\n"
                   "(or NAME@REVISION) that is found in the HuggingFace cache or in Headlight's "
                   "data folder.\n"
                   "Nothing is downloaded but by headlight download, or when you press Download "
                   "in the window.\n"
                   "-- ends the options; a text that is also a sub-command's name, or a file's, "
                   "goes behind it.\n\n");
  app_cli_options_describe (WINDOW_ACCEPTS, help);
  g_string_append (help, "  --version                 Show the version\n"
                         "\nheadlight COMMAND --help lists the options of a command.\n");
}

static void
append_command_help (const AppCliCommand *command,
                     GString             *help)
{
  g_string_append_printf (help, "%s\n\n  headlight %s [OPTIONS]%s%s\n\n", command->help,
                          command->name, *command->arguments ? " " : "", command->arguments);
  app_cli_options_describe (command->accepts, help);
  if (command->notes)
    g_string_append (help, command->notes);
}

/* The commands of two words that begin with this one; FALSE where there are none. */
static gboolean
append_group (const char *word,
              GString    *help)
{
  gsize length = help->len;

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (is_group (&commands[i], word))
      g_string_append_printf (help, "  headlight %s %s\n      %s\n", commands[i].name,
                              commands[i].arguments, commands[i].help);

  return help->len > length;
}

/* Everything that a sub-command says goes out here, in one go; a full disk behind a redirection is
 * an error. */
static int
print_output (const GString *output)
{
  if (fwrite (output->str, 1, output->len, stdout) == output->len && fflush (stdout) == 0)
    return EXIT_SUCCESS;

  g_printerr ("headlight: cannot write to the standard output: %s\n", g_strerror (errno));

  return EXIT_FAILURE;
}

/* Names and values from outside may hold line feeds and terminal commands: one line, all of it
 * visible. */
static char *
make_printable (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_new (NULL);

  for (const char *p = valid; *p; p = g_utf8_next_char (p)) {
    gunichar character = g_utf8_get_char (p);

    if (g_unichar_iscntrl (character))
      g_string_append_printf (line, "\\x%02x", character);
    else
      g_string_append_unichar (line, character);
  }

  return g_string_free (line, FALSE);
}

static int
report (const GError        *error,
        const AppCliCommand *command)
{
  gboolean usage = error->domain == APP_USAGE_ERROR
                   || g_error_matches (error, UI_ERROR, UI_ERROR_VALUE);

  if (error->domain == APP_REPORTED_ERROR)
    return error->code > 0 ? error->code : EXIT_FAILURE;
  app_cli_print_error (command ? command->name : NULL, NULL, error);

  return usage ? EXIT_USAGE : EXIT_FAILURE;
}

static int
run_command (const AppCliCommand *command,
             int                  n_arguments,
             char               **arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) output = g_string_new (NULL);
  g_autoptr (AppCliOptions) options = app_cli_options_parse (command->accepts, n_arguments,
                                                             arguments, &error);

  if (!options)
    return report (error, command);

  if (options->help)
    append_command_help (command, output);
  else if (!command->run (options, output, &error)) {
    /* Of work that was done and found faults, what was found stands there all the same. */
    if (error->domain == APP_REPORTED_ERROR)
      print_output (output);
    return report (error, command);
  }

  return print_output (output);
}

/* "headlight lesson" and "headlight lesson --help" list what is behind it. */
static int
run_group (const char *word,
           const char *second)
{
  g_autoptr (GString) list = g_string_new (NULL);

  append_group (word, list);
  if (g_strcmp0 (second, "--help") == 0 || g_strcmp0 (second, "-h") == 0)
    return print_output (list);
  g_printerr ("headlight %s: %s%s%s; headlight %s --help lists what there is\n", word,
              second ? "there is no “" : "what shall be done is missing", second ? second : "",
              second ? "” here" : "", word);

  return EXIT_USAGE;
}

/* The window's program beside this one, else the one on the PATH. Returns only when there is
 * none. */
static int
start_window (char **argv)
{
  g_autofree char *folder = app_paths_get_program_folder ();
  g_autofree char *path = g_build_filename (folder, WINDOW_PROGRAM, NULL);

  argv[0] = path;
  execv (path, argv);
  argv[0] = WINDOW_PROGRAM;
  execvp (WINDOW_PROGRAM, argv);
  g_printerr ("headlight: %s is neither in %s nor on the PATH; headlight --help lists what works "
              "without it\n",
              WINDOW_PROGRAM, folder);

  return EXIT_FAILURE;
}

static int
run_window (int    argc,
            char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) output = g_string_new (NULL);
  g_autoptr (AppCliOptions) options = app_cli_options_parse (WINDOW_ACCEPTS, argc - 1, argv + 1,
                                                             &error);

  if (!options)
    return report (error, NULL);
  if (!options->help)
    return start_window (argv);

  append_overview (output);

  return print_output (output);
}

void
app_cli_show_progress (const char *line)
{
  if (isatty (STDERR_FILENO)) {
    fprintf (stderr, LINE_START "%s", line);
    fflush (stderr);
  }
}

void
app_cli_print_note (const char *command,
                    const char *place,
                    const char *note)
{
  g_autofree char *printable = make_printable (note);
  g_autofree char *where = make_printable (place ? place : "");

  g_printerr ("headlight%s%s: %s%s%s\n", command ? " " : "", command ? command : "", where,
              place ? ": " : "", printable);
}

void
app_cli_print_fault (const char *place,
                     const char *sentence)
{
  g_autofree char *where = make_printable (place);
  g_autofree char *printable = make_printable (sentence);

  g_printerr ("%s: %s\n", where, printable);
}

void
app_cli_note_doubt (const char       *command,
                    const EngModel   *model,
                    const UiDocument *document)
{
  g_autofree char *doubt = app_pass_dup_doubt (model, document);

  if (doubt)
    app_cli_print_note (command, NULL, doubt);
}

void
app_cli_print_error (const char   *command,
                     const char   *place,
                     const GError *error)
{
  gboolean is_length = g_error_matches (error, ENG_ERROR, ENG_ERROR_LENGTH);
  g_autofree char *note = g_strconcat (error->message, is_length ? "; --truncate cuts it" : NULL,
                                       NULL);

  app_cli_print_note (command, place, note);
}

int
app_cli_main (int    argc,
              char **argv)
{
  int n_words = 0;
  const AppCliCommand *command = find_command (argc - 1, argv + 1, &n_words);
  g_autoptr (GString) group = g_string_new (NULL);

  setlocale (LC_ALL, "");

  if (command)
    return run_command (command, argc - 1 - n_words, argv + 1 + n_words);
  if (argc > 1 && append_group (argv[1], group))
    return run_group (argv[1], argc > 2 ? argv[2] : NULL);

  if (argc == 2 && strcmp (argv[1], "--version") == 0) {
    g_autoptr (GString) version = g_string_new ("headlight " HEADLIGHT_VERSION "\n");

    return print_output (version);
  }

  return run_window (argc, argv);
}
