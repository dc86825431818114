/* SPDX-License-Identifier: MIT */
#include "ui/document/document-text.h"

#include <string.h>

#include "ui/document/bidi.h"

#define LONGEST_LABEL 40

/* Of a label "Sentence A …". */
static const char text_a_key[] = "text_a";
static const char text_b_key[] = "text_b";
static const char written_key[] = "written";

static gboolean
is_path (const UiField *field)
{
  static const char *const names[] = { "model", "trace", "compare-model", "compare-trace", NULL };

  return g_strv_contains (names, field->name);
}

void
ui_json_append_string (GString    *json,
                       const char *text,
                       gboolean    ascii)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar character = g_utf8_get_char (p);

    if (character == '"' || character == '\\')
      g_string_append_printf (json, "\\%c", (char) character);
    else if (character < 0x20 || character == 0x7f
             || (ascii && character > 0x7f && character <= 0xffff))
      g_string_append_printf (json, "\\u%04x", character);
    else if (ascii && character > 0xffff)
      g_string_append_printf (json, "\\u%04x\\u%04x", 0xd800 + ((character - 0x10000) >> 10),
                              0xdc00 + (character & 0x3ff));
    else
      g_string_append_unichar (json, character);
  }
  g_string_append_c (json, '"');
}

static void
append_key (GString    *json,
            const char *key,
            gboolean    compact)
{
  if (json->str[json->len - 1] != '{')
    g_string_append_c (json, ',');
  g_string_append (json, compact ? " " : "\n    ");
  ui_json_append_string (json, key, TRUE);
  g_string_append (json, ": ");
}

/* "./models/mini" for what lies in folder. (transfer full) */
static char *
spell_path (const char *path,
            const char *folder)
{
  gsize length = folder != NULL ? strlen (folder) : 0;

  while (length > 0 && G_IS_DIR_SEPARATOR (folder[length - 1]))
    length--;
  if (folder == NULL || strncmp (path, folder, length) != 0
      || !G_IS_DIR_SEPARATOR (path[length]) || path[length + 1] == '\0')
    return g_strdup (path);

  return g_strconcat (".", path + length, NULL);
}

/* (transfer full) */
static char *
find_path (const char *spelling,
           const char *folder)
{
  gboolean is_relative = g_str_has_prefix (spelling, "./") || g_str_has_prefix (spelling, "../");

  return is_relative && folder != NULL ? g_canonicalize_filename (spelling, folder)
                                       : g_strdup (spelling);
}

static void
append_value (GString       *json,
              const UiField *field,
              const char    *value,
              const char    *folder,
              gboolean       compact)
{
  gboolean is_bare = field->type == UI_FIELD_FLAG || field->type == UI_FIELD_INTEGER
                     || field->type == UI_FIELD_NUMBER;

  if (is_bare && *value != '\0')
    g_string_append (json, value);
  else if (is_path (field)) {
    g_autofree char *path = spell_path (value, folder);

    ui_json_append_string (json, path, compact);
  } else
    ui_json_append_string (json, value, compact);
}

static void
append_text (GString    *json,
             const char *key,
             const char *text,
             const char *in_base,
             gboolean    compact)
{
  if (g_strcmp0 (text, in_base) == 0)
    return;
  append_key (json, key, compact);
  ui_json_append_string (json, text, compact);
}

/* A value of the file as the field's text. (transfer full) */
static char *
read_value (const cJSON   *value,
            const UiField *field,
            const char    *folder)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (cJSON_IsNull (value))
    return g_strdup (field->fallback);
  if (cJSON_IsBool (value))
    return g_strdup (cJSON_IsTrue (value) ? "true" : "false");
  if (cJSON_IsNumber (value))
    return g_strdup (g_ascii_dtostr (number, sizeof number, value->valuedouble));
  if (!cJSON_IsString (value))
    return NULL;

  return is_path (field) ? find_path (value->valuestring, folder) : g_strdup (value->valuestring);
}

/* A list of edits adds to what is there: it is emptied before. */
static gboolean
apply_field (UiDocument     *self,
             const UiField  *field,
             const cJSON    *value,
             const char     *folder,
             const char     *what,
             GError        **error)
{
  g_autofree char *text = read_value (value, field, folder);

  if (text == NULL) {
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE,
                 "%s: %s is %s, expected a text, a number, true or false", what, field->name,
                 cJSON_IsArray (value) ? "a list" : "an object");
    return FALSE;
  }
  if (field->type == UI_FIELD_EDITS)
    ui_document_set (self, field, "", NULL);
  if (ui_document_set (self, field, text, error))
    return TRUE;
  g_prefix_error (error, "%s: ", what);
  return FALSE;
}

static gboolean
apply_text (char        **target,
            const cJSON  *value,
            const char   *what,
            GError      **error)
{
  if (!cJSON_IsString (value)) {
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "%s: %s is no text, expected one", what,
                 value->string);
    return FALSE;
  }
  g_free (*target);
  *target = g_strdup (value->valuestring);
  return TRUE;
}

/* "all", or a number of tokens. */
static void
append_written (GString *json,
                int      written,
                gboolean compact)
{
  append_key (json, written_key, compact);
  if (written == UI_WRITTEN_ALL)
    g_string_append (json, "\"all\"");
  else
    g_string_append_printf (json, "%d", written);
}

static gboolean
apply_written (UiDocument   *self,
               const cJSON  *value,
               const char   *what,
               GError      **error)
{
  if (cJSON_IsString (value) && g_str_equal (value->valuestring, "all"))
    self->written = UI_WRITTEN_ALL;
  else if (cJSON_IsNumber (value) && value->valuedouble >= 0 && value->valuedouble <= G_MAXINT)
    self->written = value->valueint;
  else {
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "%s: %s is no number of tokens, nor \"all\"",
                 what, value->string);
    return FALSE;
  }

  return TRUE;
}

void
ui_document_append_json (const UiDocument *self,
                         const UiDocument *base,
                         const char       *folder,
                         gboolean          compact,
                         GString          *json)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  g_string_append_c (json, '{');
  for (int i = 0; i < n_fields; i++) {
    g_autofree char *value = ui_document_get (self, &fields[i]);
    g_autofree char *in_base = base != NULL ? ui_document_get (base, &fields[i]) : g_strdup ("");

    if (strcmp (value, in_base) == 0)
      continue;
    append_key (json, fields[i].name, compact);
    append_value (json, &fields[i], value, folder, compact);
  }
  append_text (json, text_a_key, self->text_a, base != NULL ? base->text_a : NULL, compact);
  append_text (json, text_b_key, self->text_b, base != NULL ? base->text_b : NULL, compact);
  if (self->written != (base != NULL ? base->written : 0))
    append_written (json, self->written, compact);
  g_string_append (json, compact ? " }" : "\n  }");
}

gboolean
ui_document_apply_json (UiDocument   *self,
                        const cJSON  *object,
                        const char   *folder,
                        const char   *what,
                        GPtrArray    *unknown,
                        GError      **error)
{
  const cJSON *value;

  cJSON_ArrayForEach (value, object) {
    const UiField *field = ui_fields_find (value->string);
    gboolean done = TRUE;

    if (field != NULL)
      done = apply_field (self, field, value, folder, what, error);
    else if (strcmp (value->string, text_a_key) == 0)
      done = apply_text (&self->text_a, value, what, error);
    else if (strcmp (value->string, text_b_key) == 0)
      done = apply_text (&self->text_b, value, what, error);
    else if (strcmp (value->string, written_key) == 0)
      done = apply_written (self, value, what, error);
    else
      g_ptr_array_add (unknown, g_strdup (value->string));
    if (!done)
      return FALSE;
  }

  return TRUE;
}

/* Of a view that draws one head the command line takes no more. */
static char *
get_argument (const UiDocument *self,
              const UiField    *field)
{
  if (field->type == UI_FIELD_HEADS && field->group == UI_FIELD_GROUP_VIEW
      && ui_view_get (self->view)->has_one_head && !self->heads.all)
    return g_strdup_printf ("%d", ui_head_set_first (&self->heads, UI_MAX_HEADS));

  return ui_document_get (self, field);
}

static void
add_option (GStrvBuilder  *arguments,
            const UiField *field,
            const char    *value)
{
  g_autofree char *option = g_strconcat ("--", field->name, NULL);

  g_strv_builder_add (arguments, option);
  if (field->type != UI_FIELD_FLAG)
    g_strv_builder_add (arguments, value);
}

/* Behind "--" where a text could be taken for an option. */
static void
add_texts (GStrvBuilder     *arguments,
           const UiDocument *self)
{
  if (self->text_a[0] == '-' || self->text_b[0] == '-')
    g_strv_builder_add (arguments, "--");
  g_strv_builder_add (arguments, self->text_a);
  if (self->text_b[0] != '\0')
    g_strv_builder_add (arguments, self->text_b);
}

char **
ui_document_to_arguments (const UiDocument *self,
                          const char       *output)
{
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();
  g_autoptr (UiDocument) defaults = ui_document_new ();
  gboolean has_model = self->trace_file == NULL;
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  g_strv_builder_add (arguments, "render");
  for (int i = 0; i < n_fields; i++) {
    gboolean is_shown = has_model || fields[i].group != UI_FIELD_GROUP_MODEL
                        || strcmp (fields[i].name, "trace") == 0;
    g_autofree char *value = get_argument (self, &fields[i]);
    g_autofree char *fallback = ui_document_get (defaults, &fields[i]);

    if (is_shown && strcmp (value, fallback) != 0)
      add_option (arguments, &fields[i], value);
  }
  g_strv_builder_add_many (arguments, "-o", output, NULL);
  if (has_model)
    add_texts (arguments, self);

  return g_strv_builder_end (arguments);
}

/* Quotes only where the shell needs them. */
static char *
quote (const char *argument)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_./:,@+%";

  if (argument[0] != '\0' && argument[strspn (argument, plain)] == '\0')
    return g_strdup (argument);

  return g_shell_quote (argument);
}

char *
ui_document_to_command (const UiDocument *self,
                        const char       *output)
{
  g_auto (GStrv) arguments = ui_document_to_arguments (self, output);
  GString *line = g_string_new ("headlight");

  for (int i = 0; arguments[i] != NULL; i++) {
    g_autofree char *quoted = quote (arguments[i]);

    g_string_append_printf (line, " %s", quoted);
  }

  return g_string_free (line, FALSE);
}

static gboolean
differs (const UiField    *field,
         const UiDocument *before,
         const UiDocument *after)
{
  g_autofree char *value = ui_document_get (before, field);
  g_autofree char *new_value = ui_document_get (after, field);

  return strcmp (value, new_value) != 0;
}

/* Where a change of several fields comes from one act, the first says what it was: another model
 * takes its language along, another text its pins. */
const char *
ui_document_find_change (const UiDocument *before,
                         const UiDocument *after)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);
  int i = 0;

  for (; i < n_fields && fields[i].group == UI_FIELD_GROUP_MODEL; i++)
    if (differs (&fields[i], before, after))
      return fields[i].name;
  if (g_strcmp0 (before->text_a, after->text_a) != 0)
    return text_a_key;
  if (g_strcmp0 (before->text_b, after->text_b) != 0)
    return text_b_key;
  if (before->written != after->written)
    return written_key;
  for (; i < n_fields; i++)
    if (differs (&fields[i], before, after))
      return fields[i].name;

  return NULL;
}

/* One line of some length. (transfer full) */
static char *
shorten (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *start = NULL;

  g_strdelimit (valid, "\n\r\t", ' ');
  if (g_utf8_strlen (valid, -1) <= LONGEST_LABEL)
    return g_steal_pointer (&valid);

  start = g_utf8_substring (valid, 0, LONGEST_LABEL - 1);
  return g_strconcat (start, "…", NULL);
}

/* "Hide special" */
static char *
name_field (const UiField *field)
{
  char *name = g_strdelimit (g_strdup (field->name), "-", ' ');

  name[0] = g_ascii_toupper (name[0]);
  return name;
}

static char *
describe_field (const UiField    *field,
                const UiDocument *after)
{
  g_autofree char *value = ui_document_get (after, field);
  g_autofree char *name = name_field (field);
  g_autofree char *label = NULL;

  if (field->type == UI_FIELD_FLAG)
    return g_strconcat (name, value[0] == 't' ? " on" : " off", NULL);
  name[0] = *value == '\0' ? g_ascii_tolower (name[0]) : name[0];
  label = *value == '\0' ? g_strconcat ("No ", name, NULL) : g_strconcat (name, " ", value, NULL);

  return shorten (label);
}

static char *
describe_written (int written)
{
  if (written == 0)
    return g_strdup ("Nothing written");
  if (written == UI_WRITTEN_ALL)
    return g_strdup ("Written text");
  return g_strdup_printf ("%d written token%s", written, written == 1 ? "" : "s");
}

char *
ui_document_describe_change (const UiDocument *before,
                             const UiDocument *after)
{
  const char *key = ui_document_find_change (before, after);
  g_autofree char *text = NULL;
  g_autofree char *quoted = NULL;

  if (key == NULL)
    return NULL;
  if (key == written_key)
    return describe_written (after->written);
  if (key != text_a_key && key != text_b_key)
    return describe_field (ui_fields_find (key), after);

  text = shorten (key == text_a_key ? after->text_a : after->text_b);
  if (*text == '\0')
    return g_strdup (key == text_a_key ? "No sentence A" : "No sentence B");
  quoted = ui_bidi_quote (text);
  return g_strdup_printf ("Sentence %c %s", key == text_a_key ? 'A' : 'B', quoted);
}
