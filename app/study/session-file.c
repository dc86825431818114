/* SPDX-License-Identifier: MIT */
#include "app/study/session-file.h"

#include <gio/gio.h>
#include <string.h>

#include "app/store/model-store.h"
#include "engine/base/file-writer.h"
#include "engine/base/json.h"
#include "ui/document/figure-session.h"

/* Of a figure; a session has a bound of its own. */
#define MOST_BYTES ((gsize) 256 << 20)
#define N_SNIFFED  64

static char *
get_folder (const char *path)
{
  g_autofree char *place = g_canonicalize_filename (path, NULL);

  return g_path_get_dirname (place);
}

/* Of several files with the same first bytes only a trace begins with a length of eight bytes, the
 * last of which are 0. */
static gboolean
is_json (const char *text,
         gsize       size)
{
  gsize blanks = 0;

  if (size == 0 || memchr (text, '\0', size) != NULL)
    return FALSE;
  if (size >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    blanks = 3;
  while (blanks < size && g_ascii_isspace (text[blanks]))
    blanks++;

  return blanks < size && text[blanks] == '{';
}

/* Eight bytes of length, then a header in JSON. What has the ending is left to the reader of traces
 * in any case, which says what is wrong with it. */
static gboolean
is_trace (const char *path,
          const char *text,
          gsize       size)
{
  return g_str_has_suffix (path, ".safetensors") || (size > 8 && text[8] == '{');
}

/* A header between two lines of hyphens. What has the ending is left to the reader of lessons in any
 * case. */
static gboolean
is_lesson (const char *path,
           const char *text,
           gsize       size)
{
  const gsize mark = size >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  return g_str_has_suffix (path, ".md")
         || (size >= mark + 4 && memcmp (text + mark, "---", 3) == 0
             && g_ascii_isspace (text[mark + 3]));
}

/* By what a file begins with: a name tells less. What cannot be read is left to the reader of
 * traces, too. */
static gboolean
detect (const char   *path,
        AppFileKind  *kind,
        GError      **error)
{
  char start[N_SNIFFED];
  gsize n_read = 0;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFileInputStream) stream = NULL;

  *kind = APP_FILE_TRACE;
  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    *kind = APP_FILE_MODEL;
    return TRUE;
  }
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return TRUE;

  file = g_file_new_for_path (path);
  stream = g_file_read (file, NULL, NULL);
  if (stream == NULL
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), start, sizeof start, &n_read, NULL,
                                   NULL))
    return TRUE;
  if (ui_figure_is_one ((const guint8 *) start, n_read)) {
    *kind = APP_FILE_FIGURE;
    return TRUE;
  }
  if (is_json (start, n_read) || g_str_has_suffix (path, APP_SESSION_ENDING)) {
    *kind = APP_FILE_SESSION;
    return TRUE;
  }
  if (is_lesson (path, start, n_read)) {
    *kind = APP_FILE_LESSON;
    return TRUE;
  }
  if (n_read >= 4 && memcmp (start, "GGUF", 4) == 0) {
    *kind = APP_FILE_MODEL;
    return TRUE;
  }
  if (is_trace (path, start, n_read))
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s is no session, no figure, no trace, no model and no lesson", path);
  return FALSE;
}

/* Which model a session without one means does not depend on the one that was used last. */
static void
name_models (UiSession *session)
{
  for (guint i = 0; i <= session->past->len; i++) {
    UiDocument *document = i == 0 ? session->document : session->past->pdata[i - 1];

    if (document->model == NULL && document->trace_file == NULL)
      document->model = g_strdup (APP_BUNDLED_MODEL);
  }
}

static UiSession *
read_session (const char   *path,
              AppFileKind   kind,
              GError      **error)
{
  g_autofree char *folder = get_folder (path);
  g_autofree char *text = NULL;
  g_autofree char *contents = NULL;
  UiSession *session;
  gsize length;

  contents = eng_json_load (path, kind == APP_FILE_FIGURE ? MOST_BYTES : UI_SESSION_MAX_BYTES,
                            &length, error);
  if (contents == NULL)
    return NULL;
  if (kind == APP_FILE_FIGURE) {
    text = ui_figure_find_session ((const guint8 *) contents, length, path, error);
    if (text == NULL)
      return NULL;
    length = strlen (text);
  } else
    text = g_steal_pointer (&contents);

  session = ui_session_from_text (text, length, folder, path, error);
  if (session != NULL)
    name_models (session);

  return session;
}

/* A path only where the store looks into the current folder. */
static void
anchor_model (char **model)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *here = NULL;

  if (*model == NULL || g_path_is_absolute (*model))
    return;

  folder = app_model_store_find (*model, &name, NULL);
  here = g_canonicalize_filename (*model, NULL);
  if (g_strcmp0 (folder, here) == 0 || (*model)[0] == '.')
    ui_replace_text (model, here);
}

static void
anchor_file (char **file)
{
  g_autofree char *here = NULL;

  if (*file == NULL)
    return;
  here = g_canonicalize_filename (*file, NULL);
  ui_replace_text (file, here);
}

UiSession *
app_session_file_open (const char        *path,
                       const UiDocument  *base,
                       AppFileKind       *kind,
                       GError           **error)
{
  g_autofree char *place = g_canonicalize_filename (path, NULL);
  AppFileKind found;
  UiSession *session;

  if (!detect (path, &found, error))
    return NULL;
  if (kind != NULL)
    *kind = found;
  if (found == APP_FILE_SESSION || found == APP_FILE_FIGURE)
    return read_session (path, found, error);

  session = g_new0 (UiSession, 1);
  session->document = ui_document_copy (base);
  session->past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  if (found == APP_FILE_TRACE)
    ui_replace_text (&session->document->trace_file, place);
  else if (found == APP_FILE_MODEL) {
    ui_replace_text (&session->document->model, place);
    ui_replace_text (&session->document->trace_file, NULL);
  }

  return session;
}

gboolean
app_session_file_write (const char        *path,
                        const UiDocument  *document,
                        GPtrArray         *past,
                        const char        *file,
                        GError           **error)
{
  g_autoptr (UiDocument) anchored = ui_document_copy (document);
  g_autofree char *folder = get_folder (path);
  g_autofree char *text = NULL;
  g_autoptr (EngFileWriter) writer = NULL;

  app_session_file_anchor (anchored);
  text = ui_session_to_text (anchored, past, file, folder, FALSE);
  writer = eng_file_writer_open (path, error);

  return writer != NULL && eng_file_writer_add (writer, text, strlen (text), error)
         && eng_file_writer_commit (writer, error);
}

void
app_session_file_anchor (UiDocument *document)
{
  if (document->model == NULL && document->trace_file == NULL)
    document->model = g_strdup (APP_BUNDLED_MODEL);
  anchor_model (&document->model);
  anchor_model (&document->compare_model);
  anchor_file (&document->trace_file);
  anchor_file (&document->compare_trace_file);
}
