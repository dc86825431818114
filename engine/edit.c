/* SPDX-License-Identifier: MIT */
#include "engine/edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/error.h"

/* What stands behind the first word, one letter a word: h = layer.head, l = layer, t = token,
 * f = factor; r = the word "renormalise", which may be left out. */
typedef struct {
  const char  *verb;
  EngEditType  type;
  const char  *arguments;
  const char  *example;
} Form;

static const Form forms[] = {
  { "zero", ENG_EDIT_SCALE_HEAD, "h", "zero 2.9" },
  { "scale", ENG_EDIT_SCALE_HEAD, "hf", "scale 2.9 0.5" },
  { "uniform", ENG_EDIT_UNIFORM_ROWS, "h", "uniform 2.9" },
  { "cut", ENG_EDIT_CUT_EDGE, "httr", "cut 2.9 4 7 or cut 2.9 4 7 renormalise" },
  { "knock-out", ENG_EDIT_KNOCK_OUT_TOKEN, "t", "knock-out 4" },
  { "skip-attention", ENG_EDIT_SKIP_ATTENTION, "l", "skip-attention 2" },
  { "skip-feed-forward", ENG_EDIT_SKIP_FEED_FORWARD, "l", "skip-feed-forward 2" },
};

static const Form *
find_form (const char *verb)
{
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_strcmp0 (verb, forms[i].verb) == 0)
      return &forms[i];

  return NULL;
}

/* Digits alone. */
static gboolean
parse_index (const char *word,
             int        *index)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (word, 10, 0, G_MAXINT, &value, NULL))
    return FALSE;
  *index = (int) value;

  return TRUE;
}

static gboolean
parse_head (const char *word,
            EngEdit    *edit)
{
  g_auto (GStrv) parts = g_strsplit (word, ".", 2);

  if (!parts[0] || !parts[1] || !parse_index (parts[0], &edit->layer))
    return FALSE;
  if (strcmp (parts[1], "*") == 0) {
    edit->head = ENG_ALL_HEADS;
    return TRUE;
  }

  return parse_index (parts[1], &edit->head);
}

static gboolean
parse_factor (const char *word,
              float      *factor)
{
  char *end;
  double value = g_ascii_strtod (word, &end);

  *factor = (float) value;

  return end != word && *end == '\0' && isfinite (*factor);
}

static gboolean
parse_argument (char        kind,
                const char *word,
                EngEdit    *edit,
                int        *n_tokens)
{
  int token;

  switch (kind) {
  case 'h':
    return parse_head (word, edit);
  case 'l':
    return parse_index (word, &edit->layer);
  case 'f':
    return parse_factor (word, &edit->factor);
  case 'r':
    edit->renormalise = TRUE;
    return strcmp (word, "renormalise") == 0;
  case 't':
  default:
    if (!parse_index (word, &token))
      return FALSE;
    /* A cut names the query first; a knocked out token is a key. */
    if (edit->type == ENG_EDIT_CUT_EDGE && (*n_tokens)++ == 0)
      edit->query = token;
    else
      edit->key = token;
    return TRUE;
  }
}

static gboolean
parse_arguments (const Form  *form,
                 char       **words,
                 EngEdit     *edit)
{
  int n_tokens = 0;

  for (const char *kind = form->arguments; *kind; kind++) {
    if (!*words)
      return *kind == 'r';
    if (!parse_argument (*kind, *words, edit, &n_tokens))
      return FALSE;
    words++;
  }

  return *words == NULL;
}

/* The words of text, without the empty ones that several blanks in a row leave. */
static char **
split_words (const char *text)
{
  char **words = g_strsplit_set (text, " \t", -1);
  int n = 0;

  for (int i = 0; words[i]; i++) {
    if (*words[i])
      words[n++] = words[i];
    else
      g_free (words[i]);
  }
  words[n] = NULL;

  return words;
}

/* As few digits as read back as the same number, but six at least: 10, not 1e+01. */
static void
print_factor (float  factor,
              char  *buffer,
              int    length)
{
  for (int digits = 6; digits <= 9; digits++) {
    char format[8];

    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (buffer, length, format, factor);
    if ((float) g_ascii_strtod (buffer, NULL) == factor)
      return;
  }
}

static char *
print_head (const EngEdit *edit)
{
  return edit->head == ENG_ALL_HEADS ? g_strdup_printf ("%d.*", edit->layer)
                                     : g_strdup_printf ("%d.%d", edit->layer, edit->head);
}

static gboolean
check_index (const EngEdit  *edit,
             const char     *noun,
             int             index,
             int             n,
             GError        **error)
{
  g_autofree char *text = NULL;

  if (index >= 0 && index < n)
    return TRUE;

  text = eng_edit_to_string (edit);
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "edit \"%s\": there is no %s %d, only 0 to %d",
               text, noun, index, n - 1);

  return FALSE;
}

gboolean
eng_edit_parse (const char  *text,
                EngEdit     *edit,
                GError     **error)
{
  g_auto (GStrv) words = split_words (text);
  const Form *form = find_form (words[0]);
  EngEdit parsed = { 0 };

  if (!form) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "edit \"%s\": expected zero, scale, uniform, cut, knock-out, skip-attention or "
                 "skip-feed-forward as its first word", text);
    return FALSE;
  }
  parsed.type = form->type;
  if (!parse_arguments (form, words + 1, &parsed)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "edit \"%s\": expected something like %s",
                 text, form->example);
    return FALSE;
  }
  *edit = parsed;

  return TRUE;
}

char *
eng_edit_to_string (const EngEdit *edit)
{
  g_autofree char *head = print_head (edit);
  char factor[G_ASCII_DTOSTR_BUF_SIZE];

  switch (edit->type) {
  case ENG_EDIT_SCALE_HEAD:
    if (edit->factor == 0)
      return g_strdup_printf ("zero %s", head);
    print_factor (edit->factor, factor, sizeof factor);
    return g_strdup_printf ("scale %s %s", head, factor);
  case ENG_EDIT_UNIFORM_ROWS:
    return g_strdup_printf ("uniform %s", head);
  case ENG_EDIT_CUT_EDGE:
    return g_strdup_printf ("cut %s %d %d%s", head, edit->query, edit->key,
                            edit->renormalise ? " renormalise" : "");
  case ENG_EDIT_KNOCK_OUT_TOKEN:
    return g_strdup_printf ("knock-out %d", edit->key);
  case ENG_EDIT_SKIP_ATTENTION:
    return g_strdup_printf ("skip-attention %d", edit->layer);
  case ENG_EDIT_SKIP_FEED_FORWARD:
  default:
    return g_strdup_printf ("skip-feed-forward %d", edit->layer);
  }
}

gboolean
eng_edits_check (const EngEdit  *edits,
                 int             n_edits,
                 int             n_layers,
                 int             n_heads,
                 int             n_tokens,
                 GError        **error)
{
  for (int i = 0; i < n_edits; i++) {
    const EngEdit *edit = &edits[i];
    gboolean cuts = edit->type == ENG_EDIT_CUT_EDGE;
    gboolean knocks_out = edit->type == ENG_EDIT_KNOCK_OUT_TOKEN;
    gboolean names_head = (cuts || edit->type == ENG_EDIT_SCALE_HEAD ||
                           edit->type == ENG_EDIT_UNIFORM_ROWS) && edit->head != ENG_ALL_HEADS;

    if ((!knocks_out && !check_index (edit, "layer", edit->layer, n_layers, error)) ||
        (names_head && !check_index (edit, "head", edit->head, n_heads, error)) ||
        (cuts && !check_index (edit, "token", edit->query, n_tokens, error)) ||
        ((cuts || knocks_out) && !check_index (edit, "token", edit->key, n_tokens, error)))
      return FALSE;
  }

  return TRUE;
}
