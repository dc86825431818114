/* SPDX-License-Identifier: MIT */
#include "engine/edits/edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"

#define OFF "off "

/* What stands behind the first word and the kind, one letter a word: h = layer.head, l = layer,
 * a = layer or all, t = token, s = tokens in a row or all, f = factor, p = factor above 0, m = mask,
 * d = dimension; r = the word "renormalise", which may be left out. */
typedef struct {
  const char  *verb;
  EngEditType  type;
  const char  *arguments;
  gboolean     crosses;   /* whether it knows cross-attention */
  const char  *example;
} Form;

static const Form forms[] = {
  { "zero", ENG_EDIT_SCALE_HEAD, "h", TRUE, "zero 2.9 or zero cross 2.9" },
  { "scale", ENG_EDIT_SCALE_HEAD, "hf", TRUE, "scale 2.9 0.5" },
  { "uniform", ENG_EDIT_UNIFORM_ROWS, "h", TRUE, "uniform 2.9" },
  { "cut", ENG_EDIT_CUT_EDGE, "hssr", TRUE,
    "cut 2.9 4 7, cut 2.9 4 7 renormalise or cut 2.9 * 3-5 renormalise" },
  { "knock-out", ENG_EDIT_KNOCK_OUT_TOKEN, "t", TRUE, "knock-out 4 or knock-out decoder 4" },
  { "skip-attention", ENG_EDIT_SKIP_ATTENTION, "l", TRUE, "skip-attention 2" },
  { "skip-feed-forward", ENG_EDIT_SKIP_FEED_FORWARD, "l", FALSE,
    "skip-feed-forward 2 or skip-feed-forward decoder 2" },
  { "temperature", ENG_EDIT_TEMPERATURE, "hp", TRUE, "temperature 2.9 0.5" },
  { "score-scale", ENG_EDIT_SCORE_SCALE, "hf", TRUE, "score-scale 2.9 1" },
  { "head-mask", ENG_EDIT_HEAD_MASK, "hm", TRUE,
    "head-mask 2.9 none, head-mask 2.9 causal or head-mask 2.9 padding" },
  { "no-projections", ENG_EDIT_NO_PROJECTIONS, "h", TRUE, "no-projections 2.9" },
  { "zero-dimension", ENG_EDIT_ZERO_DIMENSION, "hd", TRUE, "zero-dimension 2.9 17" },
  { "no-positions", ENG_EDIT_NO_POSITIONS, "a", FALSE, "no-positions 2 or no-positions *" },
  { "no-segments", ENG_EDIT_NO_SEGMENTS, "", FALSE, "no-segments or no-segments decoder" },
  { "mask", ENG_EDIT_MASK_TOKEN, "t", FALSE, "mask 4 or mask decoder 4" },
  { "delete", ENG_EDIT_DELETE_TOKEN, "t", FALSE, "delete 4 or delete decoder 4" },
  { "swap", ENG_EDIT_SWAP_WORDS, "tt", FALSE, "swap 4 7 or swap decoder 4 7" },
};

static const char *const masks[ENG_N_HEAD_MASKS] = { "none", "causal", "padding" };

static const Form *
find_form (const char *verb)
{
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_strcmp0 (verb, forms[i].verb) == 0)
      return &forms[i];

  return NULL;
}

/* Of an edit that was parsed, so there is one. */
static const Form *
get_form (const EngEdit *edit)
{
  const Form *form = forms;

  /* "zero" stands before "scale". */
  while (form->type != edit->type)
    form++;

  return edit->type == ENG_EDIT_SCALE_HEAD && edit->factor != 0 ? form + 1 : form;
}

static gboolean
names_head (const EngEdit *edit)
{
  return get_form (edit)->arguments[0] == 'h';
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
parse_mask (const char  *word,
            EngHeadMask *mask)
{
  for (int i = 0; i < ENG_N_HEAD_MASKS; i++)
    if (strcmp (word, masks[i]) == 0) {
      *mask = (EngHeadMask) i;
      return TRUE;
    }

  return FALSE;
}

static gboolean
parse_layers (const char *word,
              EngEdit    *edit)
{
  edit->layer = ENG_ALL_LAYERS;

  return strcmp (word, "*") == 0 || parse_index (word, &edit->layer);
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
  case 'a':
    return parse_layers (word, edit);
  case 'f':
    return parse_factor (word, &edit->factor);
  case 'p':
    return parse_factor (word, &edit->factor) && edit->factor > 0;
  case 'm':
    return parse_mask (word, &edit->mask);
  case 'd':
    return parse_index (word, &edit->dimension);
  case 'r':
    edit->renormalise = TRUE;
    return strcmp (word, "renormalise") == 0;
  case 's':
    return (*n_tokens)++ == 0 ? eng_span_parse (word, &edit->query, &edit->n_more_queries)
                              : eng_span_parse (word, &edit->key, &edit->n_more_keys);
  case 't':
  default:
    if (!parse_index (word, &token))
      return FALSE;
    /* Of two the first is the query; one alone is a key. */
    if (edit->type == ENG_EDIT_SWAP_WORDS && (*n_tokens)++ == 0)
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

static char *
print_cut (const EngEdit *edit,
           const char    *begin,
           const char    *head)
{
  g_autofree char *queries = eng_span_to_string (edit->query, edit->n_more_queries);
  g_autofree char *keys = eng_span_to_string (edit->key, edit->n_more_keys);

  return g_strdup_printf ("%s %s %s %s%s", begin, head, queries, keys,
                          edit->renormalise ? " renormalise" : "");
}

/* The verb and the kind, as an edit begins. */
static char *
print_begin (const EngEdit *edit)
{
  const char *verb = get_form (edit)->verb;

  return edit->kind == ENG_KIND_NOT_SAID
         ? g_strdup (verb)
         : g_strdup_printf ("%s %s", verb, eng_kind_get_name ((EngKind) edit->kind));
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

static gboolean
check_kind (const EngEdit       *edit,
            EngKind              kind,
            const EngEditSizes  *sizes,
            GError             **error)
{
  g_autoptr (GString) names = NULL;
  g_autofree char *text = NULL;

  if (sizes[kind].n_layers > 0)
    return TRUE;

  names = g_string_new (NULL);
  for (int other = 0; other < ENG_N_KINDS; other++)
    if (sizes[other].n_layers > 0)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              eng_kind_get_name ((EngKind) other));
  text = eng_edit_to_string (edit);
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "edit \"%s\": the model has no %s attention, only %s", text,
               eng_kind_get_name (kind), names->str);

  return FALSE;
}

/* The kind behind the first word, if there is one; FALSE where the form does not know it. */
static gboolean
parse_kind (const Form   *form,
            char       ***words,
            EngEdit      *edit)
{
  EngKind kind;

  edit->kind = ENG_KIND_NOT_SAID;
  if (!**words || !eng_kind_from_name (**words, &kind))
    return TRUE;

  edit->kind = kind;
  (*words)++;

  return kind != ENG_KIND_CROSS || form->crosses;
}

gboolean
eng_edit_parse (const char  *text,
                EngEdit     *edit,
                GError     **error)
{
  g_auto (GStrv) words = split_words (text);
  const Form *form = find_form (words[0]);
  char **next = words + 1;
  EngEdit parsed = { 0 };

  if (!form) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "edit \"%s\": expected zero, scale, uniform, cut, knock-out, skip-attention, "
                 "skip-feed-forward, temperature, score-scale, head-mask, no-projections, "
                 "zero-dimension, no-positions, no-segments, mask, delete or swap as its first "
                 "word", text);
    return FALSE;
  }
  parsed.type = form->type;
  if (!parse_kind (form, &next, &parsed) || !parse_arguments (form, next, &parsed)) {
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
  g_autofree char *begin = print_begin (edit);
  g_autofree char *head = print_head (edit);
  char factor[G_ASCII_DTOSTR_BUF_SIZE];

  switch (edit->type) {
  case ENG_EDIT_SCALE_HEAD:
    if (edit->factor == 0)
      return g_strdup_printf ("%s %s", begin, head);
    print_factor (edit->factor, factor, sizeof factor);
    return g_strdup_printf ("%s %s %s", begin, head, factor);
  case ENG_EDIT_UNIFORM_ROWS:
    return g_strdup_printf ("%s %s", begin, head);
  case ENG_EDIT_CUT_EDGE:
    return print_cut (edit, begin, head);
  case ENG_EDIT_SKIP_ATTENTION:
  case ENG_EDIT_SKIP_FEED_FORWARD:
    return g_strdup_printf ("%s %d", begin, edit->layer);
  case ENG_EDIT_TEMPERATURE:
  case ENG_EDIT_SCORE_SCALE:
    print_factor (edit->factor, factor, sizeof factor);
    return g_strdup_printf ("%s %s %s", begin, head, factor);
  case ENG_EDIT_HEAD_MASK:
    return g_strdup_printf ("%s %s %s", begin, head, masks[edit->mask]);
  case ENG_EDIT_NO_PROJECTIONS:
    return g_strdup_printf ("%s %s", begin, head);
  case ENG_EDIT_ZERO_DIMENSION:
    return g_strdup_printf ("%s %s %d", begin, head, edit->dimension);
  case ENG_EDIT_NO_POSITIONS:
    return edit->layer == ENG_ALL_LAYERS ? g_strdup_printf ("%s *", begin)
                                         : g_strdup_printf ("%s %d", begin, edit->layer);
  case ENG_EDIT_NO_SEGMENTS:
    return g_strdup (begin);
  case ENG_EDIT_SWAP_WORDS:
    return g_strdup_printf ("%s %d %d", begin, edit->query, edit->key);
  case ENG_EDIT_KNOCK_OUT_TOKEN:
  case ENG_EDIT_MASK_TOKEN:
  case ENG_EDIT_DELETE_TOKEN:
  default:
    return g_strdup_printf ("%s %d", begin, edit->key);
  }
}

const char *
eng_edit_skip_off (const char *text,
                   gboolean   *off)
{
  gboolean is_off;

  while (g_ascii_isspace (*text))
    text++;
  is_off = g_str_has_prefix (text, OFF);
  if (off)
    *off = is_off;

  return is_off ? text + strlen (OFF) : text;
}

gboolean
eng_edit_is_of_tokens (const EngEdit *edit)
{
  return edit->type >= ENG_EDIT_MASK_TOKEN;
}

gboolean
eng_edit_is_of_head (const EngEdit *edit,
                     int            layer,
                     int            head)
{
  if (names_head (edit))
    return edit->layer == layer && (edit->head == head || edit->head == ENG_ALL_HEADS);
  switch (edit->type) {
  case ENG_EDIT_NO_POSITIONS:
    return edit->layer == layer || edit->layer == ENG_ALL_LAYERS;
  case ENG_EDIT_SKIP_ATTENTION:
    return edit->layer == layer;
  default:
    return FALSE;
  }
}

gboolean
eng_edit_zeroes_head (const EngEdit *edit,
                      int            layer,
                      int            head,
                      gboolean      *alone)
{
  const gboolean is_zero = edit->type == ENG_EDIT_SCALE_HEAD && edit->factor == 0;

  if (alone != NULL)
    *alone = is_zero && edit->head == head;
  return (is_zero || edit->type == ENG_EDIT_SKIP_ATTENTION)
         && eng_edit_is_of_head (edit, layer, head);
}

gboolean
eng_edit_cuts_link (const EngEdit *edit,
                    int            query,
                    int            key)
{
  return edit->type == ENG_EDIT_CUT_EDGE && eng_span_has (edit->query, edit->n_more_queries, query)
         && eng_span_has (edit->key, edit->n_more_keys, key);
}

gboolean
eng_edit_acts_on (const EngEdit *edit,
                  EngKind        kind,
                  EngKind        first)
{
  EngKind own = edit->kind == ENG_KIND_NOT_SAID ? first : (EngKind) edit->kind;

  if (eng_edit_is_of_tokens (edit))
    return FALSE;

  return own == kind || (edit->type == ENG_EDIT_KNOCK_OUT_TOKEN && own == ENG_KIND_ENCODER &&
                         kind == ENG_KIND_CROSS);
}

static gboolean
check_span (const EngEdit  *edit,
            int             first,
            int             n_more,
            int             n,
            GError        **error)
{
  return first == ENG_ALL_TOKENS || (check_index (edit, "token", first, n, error) &&
                                     check_index (edit, "token", first + n_more, n, error));
}

gboolean
eng_edits_check (const EngEdit       *edits,
                 int                  n_edits,
                 const EngEditSizes  *sizes,
                 EngKind              first,
                 GError             **error)
{
  for (int i = 0; i < n_edits; i++) {
    const EngEdit *edit = &edits[i];
    EngKind kind = edit->kind == ENG_KIND_NOT_SAID ? first : (EngKind) edit->kind;
    const EngEditSizes *has = &sizes[kind];
    gboolean cuts = edit->type == ENG_EDIT_CUT_EDGE;
    gboolean knocks_out = edit->type == ENG_EDIT_KNOCK_OUT_TOKEN;
    gboolean layers = knocks_out || edit->type == ENG_EDIT_NO_SEGMENTS ||
                      (edit->type == ENG_EDIT_NO_POSITIONS && edit->layer == ENG_ALL_LAYERS);
    gboolean one_head = names_head (edit) && edit->head != ENG_ALL_HEADS;
    gboolean zeroes = edit->type == ENG_EDIT_ZERO_DIMENSION;

    if (eng_edit_is_of_tokens (edit))
      continue;
    if (!check_kind (edit, kind, sizes, error) ||
        (!layers && !check_index (edit, "layer", edit->layer, has->n_layers, error)) ||
        (zeroes && !check_index (edit, "dimension", edit->dimension, has->head_size, error)) ||
        (one_head && !check_index (edit, "head", edit->head, has->n_heads, error)) ||
        (cuts && !check_span (edit, edit->query, edit->n_more_queries, has->n_queries, error)) ||
        (cuts && !check_span (edit, edit->key, edit->n_more_keys, has->n_keys, error)) ||
        (knocks_out && !check_index (edit, "token", edit->key, has->n_keys, error)))
      return FALSE;
  }

  return TRUE;
}
