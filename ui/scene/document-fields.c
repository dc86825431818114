/* SPDX-License-Identifier: MIT */
/* The table of fields, and one reader and one writer for each type of field. */
#include "ui/scene/document.h"

#include "engine/writing/generation-config.h"

#include <math.h>
#include <string.h>

#define CM_PER_INCH   2.54
#define PT_PER_INCH   72.0
#define LARGEST_TOKEN 999999
#define LONGEST_TEXT  65536

typedef struct {
  gboolean (*set) (gpointer        member,
                   const UiField  *field,
                   const char     *value,
                   GError        **error);
  char    *(*get) (gconstpointer   member,
                   const UiField  *field);
} FieldType;

static const char *const view_names[] = { "head", "neuron", NULL };
static const char *const kind_names[] = { "encoder", "decoder", "cross", NULL };
static const char *const filter_names[] = { "all", "aa", "ab", "ba", "bb", NULL };
static const char *const band_names[] = { "bars", "stripes", NULL };
static const char *const theme_names[] = { "light", "dark", "print", NULL };

#define AT(member) G_STRUCT_OFFSET (UiDocument, member)
#define MODEL      UI_FIELD_GROUP_MODEL
#define VIEW       UI_FIELD_GROUP_VIEW
#define FIGURE     UI_FIELD_GROUP_FIGURE

static const UiField fields[] = {
  { "model", UI_FIELD_TEXT, MODEL, AT (model), .value_name = "M", .fallback = "",
    .help = "Bundled name, folder, or hub name (NAME or NAME@REVISION) found on this computer" },
  { "trace", UI_FIELD_TEXT, MODEL, AT (trace_file), .value_name = "FILE", .fallback = "",
    .help = "Show this trace file instead of running a model" },
  { "no-special-tokens", UI_FIELD_FLAG, MODEL, AT (no_special_tokens), .fallback = "false",
    .help = "Leave out the tokens of the template, such as [CLS] and [SEP]" },
  { "truncate", UI_FIELD_FLAG, MODEL, AT (truncate), .fallback = "false",
    .help = "Cut texts that are longer than the model's positions, longest sentence first" },
  { "pad-to", UI_FIELD_INTEGER, MODEL, AT (pad_to), .max = LONGEST_TEXT, .value_name = "N",
    .fallback = "0", .help = "Fill shorter texts up to N tokens with masked padding; 0 for none" },
  { "random-weights", UI_FIELD_INTEGER, MODEL, AT (random_weights),
    .set_offset = AT (random_weights_set), .max = G_MAXINT, .value_name = "SEED", .fallback = "",
    .help = "Run the model untrained, with random weights of this seed" },
  { "lang", UI_FIELD_LANGUAGES, MODEL, AT (lang), .value_name = "SRC:TGT", .fallback = "",
    .help = "Languages of a translation by code or by name, such as en:de or English:German" },
  { "prefix", UI_FIELD_TEXT, MODEL, AT (prefix), .value_name = "TEXT", .fallback = "",
    .help = "Put before text A, such as 'summarize: '; instead of what a task puts there" },
  { "max-new-tokens", UI_FIELD_INTEGER, MODEL, AT (max_new_tokens),
    .set_offset = AT (max_new_tokens_set), .min = 1, .max = LONGEST_TEXT, .value_name = "N",
    .fallback = "",
    .help = "Write at most N tokens; when this and the next are unset, as the model's files say" },
  { "beams", UI_FIELD_INTEGER, MODEL, AT (beams), .set_offset = AT (beams_set), .min = 1,
    .max = ENG_MAX_BEAMS, .value_name = "N", .fallback = "",
    .help = "Write by a search of N texts side by side; 1 takes the likeliest token each time" },
  { "temperature", UI_FIELD_NUMBER, MODEL, AT (temperature), .set_offset = AT (temperature_set),
    .min = 0.01, .max = 100, .value_name = "T", .fallback = "",
    .help = "Draw each token, from flatter probabilities above 1 and sharper ones below" },
  { "top-k", UI_FIELD_INTEGER, MODEL, AT (top_k), .set_offset = AT (top_k_set), .max = G_MAXINT,
    .value_name = "K", .fallback = "", .help = "Draw each token from the K likeliest; 0 for all" },
  { "top-p", UI_FIELD_NUMBER, MODEL, AT (top_p), .set_offset = AT (top_p_set), .max = 1,
    .value_name = "P", .fallback = "",
    .help = "Draw each token from the likeliest that together have probability P" },
  { "seed", UI_FIELD_INTEGER, MODEL, AT (seed), .set_offset = AT (seed_set), .max = G_MAXINT,
    .value_name = "SEED", .fallback = "",
    .help = "Draw each token; the same seed draws the same text" },
  { "edit", UI_FIELD_EDITS, MODEL, AT (edits), .value_name = "EDIT", .fallback = "",
    .help = "Change the pass, for example 'zero 2.9'; may be given several times" },

  { "view", UI_FIELD_CHOICE, VIEW, AT (view), .choices = view_names, .value_name = "VIEW",
    .fallback = "head", .help = "What is drawn: head or neuron" },
  { "kind", UI_FIELD_CHOICE, VIEW, AT (kind), .set_offset = AT (kind_set), .choices = kind_names,
    .value_name = "KIND", .fallback = "",
    .help = "Attention of encoder, decoder or cross; the encoder's where there are two stacks" },
  { "layer", UI_FIELD_INTEGER, VIEW, AT (layer), .max = 9999, .value_name = "L", .fallback = "0",
    .help = "Layer, counted from 0" },
  { "heads", UI_FIELD_HEADS, VIEW, AT (heads), .max = UI_MAX_HEADS - 1, .value_name = "HEADS",
    .fallback = "all", .help = "Heads that are shown, such as 0,3,8, or all" },
  { "filter", UI_FIELD_CHOICE, VIEW, AT (filter), .choices = filter_names, .value_name = "FILTER",
    .fallback = "all",
    .help = "Links between the sentences: all, aa, ab (rows of A, columns of B), ba or bb" },
  { "renormalise", UI_FIELD_FLAG, VIEW, AT (renormalise), .fallback = "false",
    .help = "Bring rows back to 1 after the filter" },
  { "pin", UI_FIELD_PINS, VIEW, AT (pins), .max = LARGEST_TOKEN, .value_name = "TOKENS",
    .fallback = "",
    .help = "Pinned tokens, such as 2,k:9: token 2 reads, token 9 is read" },
  { "threshold", UI_FIELD_NUMBER, VIEW, AT (threshold), .max = 1, .value_name = "W",
    .fallback = "1/255", .help = "Leave out links below this weight" },
  { "collapsed", UI_FIELD_FLAG, VIEW, AT (collapsed), .fallback = "false",
    .help = "Neuron view: only the links of the head" },
  { "bands", UI_FIELD_CHOICE, VIEW, AT (bands), .choices = band_names, .value_name = "BANDS",
    .fallback = "bars", .help = "Neuron view: queries and keys as bars or as stripes" },
  { "sort", UI_FIELD_FLAG, VIEW, AT (sort_dimensions), .fallback = "false",
    .help = "Neuron view: dimensions by their contribution to the scores of the pinned query" },

  { "theme", UI_FIELD_CHOICE, FIGURE, AT (theme), .choices = theme_names, .value_name = "THEME",
    .fallback = "light", .help = "Colours: light, dark, or print, which can be read in grey" },
  { "width", UI_FIELD_CENTIMETRES, FIGURE, AT (width_cm), .min = 3, .max = 200,
    .value_name = "WIDTH", .fallback = "16cm",
    .help = "Width on paper, such as 8.5cm (also mm, in, pt)" },
  { "font-size", UI_FIELD_POINTS, FIGURE, AT (font_pt), .min = 3, .max = 72, .value_name = "SIZE",
    .fallback = "9pt", .help = "Size of the tokens on paper, such as 8pt" },
  { "scale", UI_FIELD_NUMBER, FIGURE, AT (png_scale), .min = 0.25, .max = 16, .value_name = "N",
    .fallback = "2", .help = "Pixels of a PNG per 1/96 inch of its width on paper" },
  { "no-caption", UI_FIELD_FLAG, FIGURE, AT (no_caption), .fallback = "false",
    .help = "Leave out the line with model, layer, heads and texts" },
};

static char *
format_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.15g", value);
  if (g_ascii_strtod (text, NULL) != value)
    g_ascii_dtostr (text, sizeof text, value);
  return g_strdup (text);
}

/* A decimal number with a point; *end is what follows it. No hexadecimal, infinity or NaN, which
 * g_ascii_strtod() would take. */
static gboolean
read_decimal (const char  *text,
              double      *value,
              const char **end)
{
  gsize length = strspn (text, "+-.0123456789");
  char *stop;

  if (length == 0 || text[length] == 'x' || text[length] == 'X')
    return FALSE;
  *value = g_ascii_strtod (text, &stop);
  *end = stop;
  return stop != text && isfinite (*value);
}

/* A whole number from 0 on; *end is what follows it. */
static gboolean
read_index (const char  *text,
            double       max,
            int         *value,
            const char **end)
{
  char *stop;
  guint64 number;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  number = g_ascii_strtoull (text, &stop, 10);
  *end = stop;
  *value = (int) MIN (number, (guint64) G_MAXINT);
  return number <= (guint64) max;
}

G_GNUC_PRINTF (4, 5) static gboolean
refuse (GError        **error,
        const UiField  *field,
        const char     *value,
        const char     *expected,
        ...)
{
  va_list arguments;
  g_autofree char *allowed = NULL;

  va_start (arguments, expected);
  allowed = g_strdup_vprintf (expected, arguments);
  va_end (arguments);
  g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "%s is \"%s\", expected %s",
               field->name, value, allowed);
  return FALSE;
}

static gboolean
refuse_range (GError        **error,
              const UiField  *field,
              const char     *value,
              const char     *what,
              const char     *unit)
{
  g_autofree char *min = format_number (field->min);
  g_autofree char *max = format_number (field->max);

  return refuse (error, field, value, "%s from %s%s to %s%s", what, min, unit, max, unit);
}

static gboolean
set_flag (gpointer        member,
          const UiField  *field,
          const char     *value,
          GError        **error)
{
  if (strcmp (value, "true") != 0 && strcmp (value, "false") != 0)
    return refuse (error, field, value, "true or false");
  *(gboolean *) member = value[0] == 't';
  return TRUE;
}

static char *
get_flag (gconstpointer  member,
          const UiField *field)
{
  return g_strdup (*(const gboolean *) member ? "true" : "false");
}

static gboolean
set_integer (gpointer        member,
             const UiField  *field,
             const char     *value,
             GError        **error)
{
  const char *end;
  int number;

  if (!read_index (value, field->max, &number, &end) || *end != '\0' || number < field->min)
    return refuse_range (error, field, value, "a whole number", "");
  *(int *) member = number;
  return TRUE;
}

static char *
get_integer (gconstpointer  member,
             const UiField *field)
{
  return g_strdup_printf ("%d", *(const int *) member);
}

/* A decimal number, or two with a stroke between them. */
static gboolean
read_fraction (const char *text,
               double     *value)
{
  const char *end;
  double divisor;

  if (!read_decimal (text, value, &end))
    return FALSE;
  if (*end == '\0')
    return TRUE;
  if (*end != '/' || !read_decimal (end + 1, &divisor, &end) || *end != '\0' || divisor == 0)
    return FALSE;
  *value /= divisor;
  return TRUE;
}

static gboolean
set_number (gpointer        member,
            const UiField  *field,
            const char     *value,
            GError        **error)
{
  double number;

  if (!read_fraction (value, &number) || number < field->min || number > field->max)
    return refuse_range (error, field, value, "a number with a point", "");
  *(double *) member = number;
  return TRUE;
}

static char *
get_number (gconstpointer  member,
            const UiField *field)
{
  return format_number (*(const double *) member);
}

/* A length in units of which per_inch make an inch; without a unit it is in those of the field. */
static gboolean
read_length (const char *text,
             double      per_inch,
             double     *length)
{
  static const struct { const char *name; double per_inch; } units[] = {
    { "cm", CM_PER_INCH }, { "mm", 10 * CM_PER_INCH }, { "in", 1 }, { "pt", PT_PER_INCH },
  };
  const char *end;
  double number;

  if (!read_decimal (text, &number, &end))
    return FALSE;
  if (*end == '\0') {
    *length = number;
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (end, units[i].name) == 0) {
      /* Multiplied only where the units differ, so that "8.7cm" stays 8.7 to the last bit. */
      *length = units[i].per_inch == per_inch ? number : number * per_inch / units[i].per_inch;
      return TRUE;
    }
  return FALSE;
}

static gboolean
set_length (gpointer        member,
            const UiField  *field,
            const char     *value,
            double          per_inch,
            const char     *unit,
            GError        **error)
{
  double length;

  if (!read_length (value, per_inch, &length) || length < field->min || length > field->max)
    return refuse_range (error, field, value, "a length", unit);
  *(double *) member = length;
  return TRUE;
}

static gboolean
set_centimetres (gpointer        member,
                 const UiField  *field,
                 const char     *value,
                 GError        **error)
{
  return set_length (member, field, value, CM_PER_INCH, "cm", error);
}

static gboolean
set_points (gpointer        member,
            const UiField  *field,
            const char     *value,
            GError        **error)
{
  return set_length (member, field, value, PT_PER_INCH, "pt", error);
}

static char *
get_centimetres (gconstpointer  member,
                 const UiField *field)
{
  g_autofree char *number = format_number (*(const double *) member);

  return g_strconcat (number, "cm", NULL);
}

static char *
get_points (gconstpointer  member,
            const UiField *field)
{
  g_autofree char *number = format_number (*(const double *) member);

  return g_strconcat (number, "pt", NULL);
}

static gboolean
set_choice (gpointer        member,
            const UiField  *field,
            const char     *value,
            GError        **error)
{
  g_autofree char *allowed = NULL;

  for (int i = 0; field->choices[i] != NULL; i++)
    if (strcmp (value, field->choices[i]) == 0) {
      *(guint *) member = (guint) i;
      return TRUE;
    }
  allowed = g_strjoinv (", ", (char **) field->choices);
  return refuse (error, field, value, "one of %s", allowed);
}

static char *
get_choice (gconstpointer  member,
            const UiField *field)
{
  return g_strdup (field->choices[*(const guint *) member]);
}

static gboolean
set_text (gpointer        member,
          const UiField  *field,
          const char     *value,
          GError        **error)
{
  char **text = member;

  g_free (*text);
  *text = *value == '\0' ? NULL : g_strdup (value);
  return TRUE;
}

static char *
get_text (gconstpointer  member,
          const UiField *field)
{
  const char *text = *(const char *const *) member;

  return g_strdup (text != NULL ? text : "");
}

static gboolean
set_heads (gpointer        member,
           const UiField  *field,
           const char     *value,
           GError        **error)
{
  UiHeadSet heads = { 0 };
  g_auto (GStrv) parts = g_strsplit (value, ",", -1);

  heads.all = strcmp (value, "all") == 0;
  for (int i = 0; !heads.all && parts[i] != NULL; i++) {
    const char *end;
    int head;

    if (!read_index (parts[i], field->max, &head, &end) || *end != '\0')
      return refuse (error, field, value, "all or heads from 0 to %d with commas, such as 0,3,8",
                     (int) field->max);
    ui_head_set_add (&heads, head);
  }
  if (!heads.all && parts[0] == NULL)
    return refuse (error, field, value, "all or at least one head");
  *(UiHeadSet *) member = heads;
  return TRUE;
}

static char *
get_heads (gconstpointer  member,
           const UiField *field)
{
  const UiHeadSet *heads = member;
  GString *text;

  if (heads->all)
    return g_strdup ("all");
  text = g_string_new (NULL);
  for (int head = 0; head < UI_MAX_HEADS; head++)
    if (ui_head_set_has (heads, head))
      g_string_append_printf (text, "%s%d", text->len > 0 ? "," : "", head);
  return g_string_free (text, FALSE);
}

static gboolean
set_pins (gpointer        member,
          const UiField  *field,
          const char     *value,
          GError        **error)
{
  UiPins pins = { 0 };
  g_auto (GStrv) parts = g_strsplit (value, ",", -1);

  for (int i = 0; parts[i] != NULL; i++) {
    gboolean key = g_str_has_prefix (parts[i], "k:");
    const char *end;
    int token;

    if (!read_index (parts[i] + (key ? 2 : 0), field->max, &token, &end) || *end != '\0') {
      ui_pins_clear (&pins);
      return refuse (error, field, value,
                     "token numbers with commas, those that are read after k:, such as 2,k:9");
    }
    if (!ui_pins_has (&pins, key, token))
      ui_pins_click (&pins, key, token, TRUE);
  }
  ui_pins_clear (member);
  *(UiPins *) member = pins;
  return TRUE;
}

static char *
get_pins (gconstpointer  member,
          const UiField *field)
{
  const UiPins *pins = member;
  GString *text = g_string_new (NULL);

  for (int i = 0; i < pins->n_queries; i++)
    g_string_append_printf (text, "%s%d", text->len > 0 ? "," : "", pins->queries[i]);
  for (int i = 0; i < pins->n_keys; i++)
    g_string_append_printf (text, "%sk:%d", text->len > 0 ? "," : "", pins->keys[i]);
  return g_string_free (text, FALSE);
}

/* Adds the edits of value, which are separated by semicolons; an empty value takes all away. */
static gboolean
set_edits (gpointer        member,
           const UiField  *field,
           const char     *value,
           GError        **error)
{
  char ***edits = member;
  g_auto (GStrv) parts = g_strsplit (value, ";", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (*value != '\0')
    g_strv_builder_addv (builder, (const char **) *edits);
  for (int i = 0; parts[i] != NULL; i++) {
    EngEdit edit;

    if (!eng_edit_parse (g_strstrip (parts[i]), &edit, error))
      return FALSE;
    g_strv_builder_add (builder, parts[i]);
  }
  g_strfreev (*edits);
  *edits = g_strv_builder_end (builder);
  return TRUE;
}

static char *
get_edits (gconstpointer  member,
           const UiField *field)
{
  return g_strjoinv ("; ", *(char **const *) member);
}

/* The code of a language, as models spell them: "de", "de_DE", "deu_Latn", "zh-CN". */
static gboolean
is_language (const char *text)
{
  const char *p = text;

  while (g_ascii_isalnum (*p) || *p == '_' || *p == '-')
    p++;
  return p > text && *p == '\0';
}

static gboolean
set_languages (gpointer        member,
               const UiField  *field,
               const char     *value,
               GError        **error)
{
  g_auto (GStrv) parts = g_strsplit (value, ":", -1);

  if (*value != '\0' &&
      (g_strv_length (parts) != 2 || !is_language (parts[0]) || !is_language (parts[1])))
    return refuse (error, field, value, "two languages with a colon, such as en:de");
  return set_text (member, field, value, error);
}

static const FieldType types[] = {
  [UI_FIELD_FLAG] = { set_flag, get_flag },
  [UI_FIELD_INTEGER] = { set_integer, get_integer },
  [UI_FIELD_NUMBER] = { set_number, get_number },
  [UI_FIELD_CENTIMETRES] = { set_centimetres, get_centimetres },
  [UI_FIELD_POINTS] = { set_points, get_points },
  [UI_FIELD_CHOICE] = { set_choice, get_choice },
  [UI_FIELD_TEXT] = { set_text, get_text },
  [UI_FIELD_HEADS] = { set_heads, get_heads },
  [UI_FIELD_PINS] = { set_pins, get_pins },
  [UI_FIELD_EDITS] = { set_edits, get_edits },
  [UI_FIELD_LANGUAGES] = { set_languages, get_text },
};

const UiField *
ui_fields_get (int *n_fields)
{
  *n_fields = G_N_ELEMENTS (fields);
  return fields;
}

const UiField *
ui_fields_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (fields[i].name, name) == 0)
      return &fields[i];
  return NULL;
}

gboolean
ui_document_set (UiDocument     *self,
                 const UiField  *field,
                 const char     *value,
                 GError        **error)
{
  gboolean unset = field->set_offset != 0 && *value == '\0';
  gpointer member = G_STRUCT_MEMBER_P (self, field->offset);

  if (!unset && !types[field->type].set (member, field, value, error))
    return FALSE;
  if (field->set_offset != 0)
    G_STRUCT_MEMBER (gboolean, self, field->set_offset) = !unset;
  return TRUE;
}

char *
ui_document_get (const UiDocument *self,
                 const UiField    *field)
{
  if (field->set_offset != 0 && !G_STRUCT_MEMBER (gboolean, self, field->set_offset))
    return g_strdup ("");
  return types[field->type].get (G_STRUCT_MEMBER_P (self, field->offset), field);
}
