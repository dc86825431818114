/* SPDX-License-Identifier: MIT */
#include "ui/document/field-types.h"

#include <math.h>
#include <string.h>

#define CM_PER_INCH   2.54
#define PT_PER_INCH   72.0
#define NO_EDITS      "none"
#define ALL_STEPS     "all"

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

/* "2.9", a layer and one of its heads. */
static gboolean
read_cell (const char *text,
           double      max_head,
           UiCell     *cell)
{
  const char *end;

  return read_index (text, UI_MAX_LAYERS - 1, &cell->layer, &end) && *end == '.' &&
         read_index (end + 1, max_head, &cell->head, &end) && *end == '\0';
}

static gboolean
set_cells (gpointer        member,
           const UiField  *field,
           const char     *value,
           GError        **error)
{
  UiCells cells = { 0 };
  g_auto (GStrv) parts = g_strsplit (value, ",", -1);

  for (int i = 0; parts[i] != NULL; i++) {
    UiCell cell;

    if (!read_cell (parts[i], field->max, &cell)) {
      ui_cells_clear (&cells);
      return refuse (error, field, value, "layers and heads with commas, such as 2.9,3.1");
    }
    if (!ui_cells_has (&cells, cell.layer, cell.head))
      ui_cells_toggle (&cells, cell.layer, cell.head);
  }
  ui_cells_clear (member);
  *(UiCells *) member = cells;
  return TRUE;
}

static char *
get_cells (gconstpointer  member,
           const UiField *field)
{
  const UiCells *cells = member;
  GString *text = g_string_new (NULL);

  for (int i = 0; i < cells->n; i++)
    g_string_append_printf (text, "%s%d.%d", i > 0 ? "," : "", cells->cells[i].layer,
                            cells->cells[i].head);
  return g_string_free (text, FALSE);
}

/* Adds the edits of value, which are separated by semicolons; an empty value and "none" take all
 * away. */
static gboolean
set_edits (gpointer        member,
           const UiField  *field,
           const char     *value,
           GError        **error)
{
  char ***edits = member;
  gboolean none = *value == '\0' || strcmp (value, NO_EDITS) == 0;
  g_auto (GStrv) parts = g_strsplit (none ? "" : value, ";", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (!none && *edits != NULL)
    g_strv_builder_addv (builder, (const char **) *edits);
  for (int i = 0; parts[i] != NULL; i++) {
    EngEdit edit;

    if (!eng_edit_parse (eng_edit_skip_off (g_strstrip (parts[i]), NULL), &edit, error))
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
  char **edits = *(char **const *) member;

  if (field->set_offset != 0 && (edits == NULL || edits[0] == NULL))
    return g_strdup (NO_EDITS);
  return g_strjoinv ("; ", edits);
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
      (g_strv_length (parts) > 2 || !is_language (parts[0]) ||
       (parts[1] && !is_language (parts[1]))))
    return refuse (error, field, value,
                   "a language, or two with a colon, such as en:de");
  return set_text (member, field, value, error);
}

static gboolean
set_step (gpointer        member,
          const UiField  *field,
          const char     *value,
          GError        **error)
{
  const char *end;
  int step = UI_STEP_ALL;

  if (strcmp (value, ALL_STEPS) != 0
      && (!read_index (value, field->max, &step, &end) || *end != '\0'))
    return refuse (error, field, value, ALL_STEPS " or a step from 0 to %d", (int) field->max);
  *(int *) member = step;
  return TRUE;
}

static char *
get_step (gconstpointer  member,
          const UiField *field)
{
  const int step = *(const int *) member;

  return step == UI_STEP_ALL ? g_strdup (ALL_STEPS) : g_strdup_printf ("%d", step);
}

static gboolean
set_place (gpointer        member,
           const UiField  *field,
           const char     *value,
           GError        **error)
{
  UiNumber number;
  int *const places[] = { &number.stage, &number.matrix, &number.row, &number.column };
  const int n_places = G_N_ELEMENTS (places);
  const char *rest = value;

  for (int i = 0; i < n_places; i++)
    if (!read_index (rest, field->max, places[i], &rest)
        || *rest++ != (i + 1 < n_places ? '.' : '\0'))
      return refuse (error, field, value, "step, matrix, row and column, such as 7.2.0.11");
  *(UiNumber *) member = number;
  return TRUE;
}

static char *
get_place (gconstpointer  member,
           const UiField *field)
{
  const UiNumber *number = member;

  return g_strdup_printf ("%d.%d.%d.%d", number->stage, number->matrix, number->row,
                          number->column);
}

/* As it is spelt, so that the same links are the same value. */
static gboolean
set_links (gpointer        member,
           const UiField  *field,
           const char     *value,
           GError        **error)
{
  g_autoptr (GArray) links = eng_links_parse (value);
  g_autofree char *text = NULL;

  if (links == NULL)
    return refuse (error, field, value,
                   "queries and keys with a colon, such as 4:7,3-5:0 or *:7 (of all queries)");
  text = eng_links_to_string (links);
  return set_text (member, field, text, error);
}

static const UiFieldTypeClass types[] = {
  [UI_FIELD_FLAG] = { set_flag, get_flag },
  [UI_FIELD_INTEGER] = { set_integer, get_integer },
  [UI_FIELD_NUMBER] = { set_number, get_number },
  [UI_FIELD_CENTIMETRES] = { set_centimetres, get_centimetres },
  [UI_FIELD_POINTS] = { set_points, get_points },
  [UI_FIELD_CHOICE] = { set_choice, get_choice },
  [UI_FIELD_TEXT] = { set_text, get_text },
  [UI_FIELD_HEADS] = { set_heads, get_heads },
  [UI_FIELD_PINS] = { set_pins, get_pins },
  [UI_FIELD_CELLS] = { set_cells, get_cells },
  [UI_FIELD_EDITS] = { set_edits, get_edits },
  [UI_FIELD_LANGUAGES] = { set_languages, get_text },
  [UI_FIELD_STEP] = { set_step, get_step },
  [UI_FIELD_PLACE] = { set_place, get_place },
  [UI_FIELD_LINKS] = { set_links, get_text },
};

const UiFieldTypeClass *
ui_field_type_get (UiFieldType type)
{
  return &types[type];
}
