/* SPDX-License-Identifier: MIT */
/* The command line of a section, as Copy As → Command gives it. */
#include "app/lessons/lesson-private.h"

#include <string.h>

#include "app/study/cli-options.h"

#define N_BEGIN 2 /* words: the program and the command */

/* Words of a command line and where each begins. */
typedef struct {
  GPtrArray *words;  /* of char * */
  GArray    *places; /* of AppPlace */
} Words;

/* What render takes. */
#define ACCEPTS (APP_CLI_MODEL | APP_CLI_TRACE_INPUT | APP_CLI_VIEW | APP_CLI_FIGURE \
                 | APP_CLI_OUTPUT | APP_CLI_TEXTS)

static void
step (const char **p,
      AppPlace    *place)
{
  if (**p == '\n')
    *place = (AppPlace) { place->line + 1, 1 };
  else
    place->column++;
  *p = g_utf8_next_char (*p);
}

/* The end of a word: a blank that is in no quotes. */
static gboolean
pass_word (const char **p,
           AppPlace    *place,
           AppPlace    *fault,
           GError     **error)
{
  AppPlace opened = *place;
  char quote = '\0';

  while (**p != '\0' && (quote != '\0' || strchr (" \t\n", **p) == NULL)) {
    if (**p == '\\' && quote != '\'' && (*p)[1] != '\0')
      step (p, place);
    else if (quote == '\0' && (**p == '\'' || **p == '"')) {
      quote = **p;
      opened = *place;
    } else if (**p == quote)
      quote = '\0';
    step (p, place);
  }

  return quote == '\0'
         || app_place_refuse (opened, fault, error, APP_LESSON_ERROR_SYNTAX,
                              "the quote is not closed");
}

static gboolean
is_blank (const char *p)
{
  return *p == ' ' || *p == '\t' || *p == '\n' || (p[0] == '\\' && p[1] == '\n');
}

static gboolean
split (const char  *text,
       AppPlace     place,
       Words       *words,
       AppPlace    *fault,
       GError     **error)
{
  while (TRUE) {
    const char *start;
    AppPlace begun;
    g_autofree char *raw = NULL;
    char *word;

    while (*text != '\0' && is_blank (text))
      step (&text, &place);
    if (*text == '\0')
      return TRUE;
    start = text;
    begun = place;
    if (!pass_word (&text, &place, fault, error))
      return FALSE;
    raw = g_strndup (start, (gsize) (text - start));
    word = g_shell_unquote (raw, NULL);
    if (word == NULL)
      return app_place_refuse (begun, fault, error, APP_LESSON_ERROR_SYNTAX,
                               "the quotes of %s do not fit", raw);
    g_ptr_array_add (words->words, word);
    g_array_append_val (words->places, begun);
  }
}

/* "./models/tiny" is beside the lesson. */
static void
find_path (char       **path,
           const char  *folder)
{
  if (*path != NULL && (g_str_has_prefix (*path, "./") || g_str_has_prefix (*path, "../"))) {
    char *found = g_canonicalize_filename (*path, folder);

    g_free (*path);
    *path = found;
  }
}

static UiDocument *
make_document (const AppCliOptions *options,
               const char          *folder,
               const char          *model)
{
  UiDocument *document = ui_document_copy (options->document);

  if (document->model == NULL)
    ui_replace_text (&document->model, model);
  find_path (&document->model, folder);
  find_path (&document->trace_file, folder);
  find_path (&document->compare_model, folder);
  find_path (&document->compare_trace_file, folder);

  return document;
}

/* The first words have to be the program's and the command's. */
static gboolean
check_begin (const Words  *words,
             AppPlace      place,
             AppPlace     *fault,
             GError      **error)
{
  static const char *const begin[N_BEGIN] = { "headlight", "render" };

  for (guint i = 0; i < G_N_ELEMENTS (begin); i++)
    if (i >= words->words->len || !g_str_equal (words->words->pdata[i], begin[i]))
      return app_place_refuse (i < words->words->len ? g_array_index (words->places, AppPlace, i)
                                                     : place,
                               fault, error, APP_LESSON_ERROR_SYNTAX,
                               "“%s” stands here, expected “%s” of the command that Copy As → "
                               "Command gives",
                               i < words->words->len ? (char *) words->words->pdata[i] : "nothing",
                               begin[i]);

  return TRUE;
}

/* Whether a word of a command that was read is an option whose value is the next word. */
static gboolean
takes_next (char *word)
{
  int failed = -1;
  g_autoptr (AppCliOptions) options = app_cli_options_parse_at (ACCEPTS, 1, &word, &failed, NULL);

  return options == NULL && failed == 0;
}

/* (transfer full) What check says of the state without some words of its command; NULL where it says
 * nothing, *is_command FALSE where that is no command. */
static char *
check_without (const AppLesson *lesson,
               const GPtrArray *words,
               guint            first,
               guint            n,
               AppStateCheck    check,
               gpointer         data,
               gboolean        *is_command)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  g_autoptr (AppCliOptions) options = NULL;
  g_autoptr (UiDocument) document = NULL;
  g_autofree char *path = g_canonicalize_filename (lesson->path, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  for (guint i = N_BEGIN; i < words->len; i++)
    if (i < first || i >= first + n)
      g_ptr_array_add (left, words->pdata[i]);
  options = app_cli_options_parse (ACCEPTS, (int) left->len, (char **) left->pdata, NULL);
  *is_command = options != NULL;
  if (options == NULL)
    return NULL;
  document = make_document (options, folder, lesson->model);

  return check (document, data);
}

AppPlace
app_lesson_find_fault (const AppLesson *self,
                       guint            section,
                       const char      *sentence,
                       AppStateCheck    check,
                       gpointer         data)
{
  const AppSection *own = self->sections->pdata[section];
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (AppPlace));
  Words words = { list, places };
  AppPlace fault = own->state_place, unused;
  gboolean is_found = FALSE;

  split (own->state_text, own->state_place, &words, &unused, NULL);
  for (guint i = list->len - 1; i >= N_BEGIN; i--) {
    const guint n = 1 + takes_next (list->pdata[i]);
    gboolean is_command;
    g_autofree char *said = NULL;

    if (*(const char *) list->pdata[i] != '-')
      continue;
    said = check_without (self, list, i, n, check, data, &is_command);
    if (!is_command || g_strcmp0 (said, sentence) == 0)
      continue;
    if (said == NULL)
      return g_array_index (places, AppPlace, i);
    if (!is_found)
      fault = g_array_index (places, AppPlace, i);
    is_found = TRUE;
  }

  return fault;
}

UiDocument *
app_lesson_read_state (const char  *text,
                       AppPlace     place,
                       const char  *folder,
                       const char  *model,
                       AppPlace    *fault,
                       GError     **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (AppPlace));
  g_autoptr (AppCliOptions) options = NULL;
  g_autoptr (GError) problem = NULL;
  Words words = { list, places };
  int failed = -1;

  if (!split (text, place, &words, fault, error) || !check_begin (&words, place, fault, error))
    return NULL;
  options = app_cli_options_parse_at (ACCEPTS, (int) list->len - N_BEGIN,
                                      (char **) list->pdata + N_BEGIN, &failed, &problem);
  if (options != NULL && !options->help)
    return make_document (options, folder, model);

  app_place_refuse (g_array_index (places, AppPlace, failed >= 0 ? (guint) failed + N_BEGIN : 0), fault,
                    error, APP_LESSON_ERROR_SYNTAX, "%s",
                    problem != NULL ? problem->message : "--help draws nothing");

  return NULL;
}
