/* SPDX-License-Identifier: MIT */
#include "ui/document/session.h"

#include <string.h>

#include "ui/document/document-text.h"

#define FORMAT          "headlight-session"
#define VERSION         1
#define MAX_DEPTH       8
#define HISTORY_BYTES   (256 << 10)
#define MOST_UNKNOWN    20

static void
append_history (GString          *json,
                const UiDocument *document,
                GPtrArray        *past,
                const char       *folder)
{
  gsize start = json->len;
  const UiDocument *behind = document;

  g_string_append (json, ",\n  \"history\": [");
  for (guint i = 0; i < MIN (past->len, UI_SESSION_MAX_STEPS); i++) {
    gsize end = json->len;

    g_string_append (json, i > 0 ? ",\n    " : "\n    ");
    ui_document_append_json (past->pdata[i], behind, folder, TRUE, json);
    if (json->len - start > HISTORY_BYTES) {
      g_string_truncate (json, end);
      break;
    }
    behind = past->pdata[i];
  }
  g_string_append (json, "\n  ]");
}

char *
ui_session_to_text (const UiDocument *document,
                    GPtrArray        *past,
                    const char       *file,
                    const char       *folder,
                    gboolean          compact)
{
  const char *gap = compact ? " " : "\n  ";
  GString *json = g_string_new (NULL);

  g_string_append_printf (json, "{%s\"format\": \"" FORMAT "\",%s\"version\": %d,", gap, gap,
                          VERSION);
  if (file != NULL && !compact) {
    g_string_append (json, "\n  \"file\": ");
    ui_json_append_string (json, file, FALSE);
    g_string_append_c (json, ',');
  }
  g_string_append_printf (json, "%s\"document\": ", gap);
  ui_document_append_json (document, NULL, folder, compact, json);
  if (past != NULL && past->len > 0 && !compact)
    append_history (json, document, past, folder);
  g_string_append (json, compact ? " }" : "\n}\n");

  return g_string_free (json, FALSE);
}

static gboolean
check_format (const cJSON  *root,
              const char   *what,
              GError      **error)
{
  const char *format = NULL;
  gint64 version = -1;

  if (!cJSON_IsObject (root)
      || !eng_json_get_string (root, "format", what, &format, NULL)
      || g_strcmp0 (format, FORMAT) != 0) {
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE,
                 "%s: no session of Headlight: format is not \"" FORMAT "\"", what);
    return FALSE;
  }
  if (!eng_json_get_int (root, "version", 1, G_MAXINT32, what, &version, error))
    return FALSE;
  if (version == VERSION)
    return TRUE;

  if (version < 0)
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "%s: version is missing, expected %d", what,
                 VERSION);
  else
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE,
                 "%s: version is %" G_GINT64_FORMAT ", expected %d: a later Headlight wrote it",
                 what, version, VERSION);
  return FALSE;
}

static gboolean
refuse_type (const char  *key,
             const char  *expected,
             const char  *what,
             GError     **error)
{
  g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "%s: %s is missing or no %s", what, key, expected);
  return FALSE;
}

static gboolean
read_history (UiSession    *self,
              const cJSON  *history,
              const char   *folder,
              const char   *what,
              GPtrArray    *unknown,
              GError      **error)
{
  const UiDocument *behind = self->document;
  const cJSON *step;

  if (history != NULL && !cJSON_IsArray (history))
    return refuse_type ("history", "list", what, error);

  cJSON_ArrayForEach (step, history) {
    g_autoptr (UiDocument) document = ui_document_copy (behind);

    if (self->past->len == UI_SESSION_MAX_STEPS)
      break;
    if (!cJSON_IsObject (step))
      return refuse_type ("a step of history", "object", what, error);
    if (!ui_document_apply_json (document, step, folder, what, unknown, error))
      return FALSE;
    g_ptr_array_add (self->past, g_steal_pointer (&document));
    behind = self->past->pdata[self->past->len - 1];
  }

  return TRUE;
}

/* Each once, and no endless list of them. */
static char *
list_unknown (GPtrArray *unknown)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < unknown->len && g_hash_table_size (seen) < MOST_UNKNOWN; i++)
    if (g_hash_table_add (seen, unknown->pdata[i]))
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", (char *) unknown->pdata[i]);

  return g_string_free (list, list->len == 0);
}

static void
find_unknown (const cJSON *root,
              GPtrArray   *unknown)
{
  static const char *const known[] = { "format", "version", "file", "document", "history", NULL };
  const cJSON *member;

  cJSON_ArrayForEach (member, root)
    if (!g_strv_contains (known, member->string))
      g_ptr_array_add (unknown, g_strdup (member->string));
}

UiSession *
ui_session_from_text (const char  *text,
                      gsize        length,
                      const char  *folder,
                      const char  *what,
                      GError     **error)
{
  g_autoptr (cJSON) root = NULL;
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (UiSession) self = NULL;
  const cJSON *object;
  const char *file = NULL;

  if (length > UI_SESSION_MAX_BYTES) {
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "%s: a session of %" G_GSIZE_FORMAT
                 " bytes, at most %d are read", what, length, UI_SESSION_MAX_BYTES);
    return NULL;
  }
  root = eng_json_parse (text, length, MAX_DEPTH, what, error);
  if (root == NULL || !check_format (root, what, error))
    return NULL;

  self = g_new0 (UiSession, 1);
  self->document = ui_document_new ();
  self->past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  object = eng_json_find (root, "document");
  if (!cJSON_IsObject (object)) {
    refuse_type ("document", "object", what, error);
    return NULL;
  }
  find_unknown (root, unknown);
  if (!eng_json_get_string (root, "file", what, &file, error))
    return NULL;
  self->file = g_strdup (file);
  if (!ui_document_apply_json (self->document, object, folder, what, unknown, error)
      || !read_history (self, eng_json_find (root, "history"), folder, what, unknown, error))
    return NULL;
  self->unknown = list_unknown (unknown);

  return g_steal_pointer (&self);
}

void
ui_session_free (UiSession *self)
{
  ui_document_free (self->document);
  g_ptr_array_unref (self->past);
  g_free (self->file);
  g_free (self->unknown);
  g_free (self);
}
