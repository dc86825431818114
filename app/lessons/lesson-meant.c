/* SPDX-License-Identifier: MIT */
/* Lines that look like text and are meant as more. */
#include "app/lessons/lesson-private.h"

#include <string.h>

#include "app/lessons/scanner.h"

/* What stands before a word that is indented, an item, numbered or in bold, and behind it. */
#define MARKS_BEFORE " \t-+*_>0123456789.)"
#define MARKS_BEHIND " \t*_"

typedef struct {
  const char *keyword;
  const char *what;
  /* Whether text is what stands behind the keyword, where no colon says so; NULL = the word is ordinary
   * English. unanswered: the question whose answer is to come, nullable. */
  gboolean (*takes) (const char   *text,
                     const AppAsk *unanswered);
} Keyword;

/* As a claim is, or as one begins that is wrong behind: no sentence has a word before a bracket. */
static gboolean
takes_claim (const char   *text,
             const AppAsk *unanswered)
{
  AppPlace fault;
  AppScanner scanner;
  AppClaimRun run;
  g_autofree char *name = NULL;
  g_autoptr (AppClaim) claim = app_claim_parse (text, (AppPlace) { 1, 1 }, &fault, NULL);

  if (claim != NULL)
    return TRUE;
  app_scanner_init (&scanner, text, (AppPlace) { 1, 1 }, &fault);
  app_scanner_read_run (&scanner, &run);
  name = app_scanner_peek_name (&scanner);

  return name != NULL && scanner.p[strlen (name)] == '(';
}

/* "token Which?"; "Ask number one" is none, for questions begin with a capital. */
static gboolean
takes_question (const char   *text,
                const AppAsk *unanswered)
{
  AppPlace fault;
  g_autoptr (AppAsk) ask = app_ask_read (text, (AppPlace) { 1, 1 }, &fault, NULL);

  return ask != NULL && g_unichar_isupper (g_utf8_get_char (ask->question));
}

static gboolean
takes_answer (const char   *text,
              const AppAsk *unanswered)
{
  AppPlace fault;
  g_autoptr (AppAsk) ask = NULL;

  if (unanswered == NULL)
    return FALSE;
  ask = g_new0 (AppAsk, 1);
  ask->type = unanswered->type;
  ask->options = g_ptr_array_ref (unanswered->options);

  return app_ask_read_answer (ask, text, (AppPlace) { 1, 1 }, &fault, NULL);
}

static gboolean
takes_option (const char   *text,
              const AppAsk *unanswered)
{
  return unanswered != NULL && unanswered->type == APP_ASK_OPTION;
}

static gboolean
takes_region (const char   *text,
              const AppAsk *unanswered)
{
  return g_strv_contains (app_lesson_regions, text);
}

static const Keyword keywords[] = {
  { "ask", "a question", takes_question },
  { "option", "an option", takes_option },
  { "answer", "an answer", takes_answer },
  { "claim", "a claim", takes_claim },
  { "point", "what the window points at", takes_region },
  { "try", "what to try", NULL },
  { "note", "a note", NULL },
};

char *
app_lesson_find_meant (const char    *line,
                       const AppAsk  *unanswered,
                       const char   **keyword)
{
  const char *word = line + strspn (line, MARKS_BEFORE);

  for (gsize i = 0; i < G_N_ELEMENTS (keywords); i++) {
    const Keyword *meant = &keywords[i];
    const gsize length = strlen (meant->keyword);
    const char *behind = word + length;
    const char *text;

    if (g_ascii_strncasecmp (word, meant->keyword, length) != 0)
      continue;
    *keyword = meant->keyword;
    text = behind + strspn (behind, MARKS_BEHIND);
    if (*text == ':')
      return g_strdup_printf ("%s begins at the line's start, in small letters: %s: …",
                              meant->what, meant->keyword);
    if (text > behind && *text != '\0' && meant->takes != NULL && meant->takes (text, unanswered))
      return g_strdup_printf ("%s has a colon behind its first word, expected %s: %s", meant->what,
                              meant->keyword, text);
  }

  return NULL;
}
