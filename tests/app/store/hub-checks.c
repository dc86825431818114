/* SPDX-License-Identifier: MIT */
#include "tests/app/store/hub-checks.h"

#include <string.h>
#include <unistd.h>

void
hub_watch_cb (const AppProgress *progress,
              gpointer           data)
{
  HubWatch *watch = data;

  g_assert_cmpint (progress->bytes, <=, progress->total);
  g_assert_nonnull (progress->note);
  g_assert_cmpfloat_with_epsilon (progress->fraction * (double) progress->total,
                                  (double) progress->bytes, 0.5);
  watch->phases[progress->phase] = TRUE;
  watch->last = progress->bytes;
  watch->total = progress->total;
  if (progress->phase == APP_PHASE_WAITING && watch->lock >= 0) {
    close (watch->lock);
    watch->lock = -1;
  }
}

char *
hub_try_download (const char  *model,
                  const char  *token,
                  GError     **error)
{
  g_autoptr (AppHubPlan) plan = app_hub_plan_new (model, token, NULL, error);
  HubWatch watch = { .lock = -1 };

  return plan != NULL ? app_hub_plan_download (plan, hub_watch_cb, &watch, NULL, error) : NULL;
}

void
hub_download (const char *model)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hub_try_download (model, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (path);
}

void
hub_assert_refused (const char *model,
                    const char *token,
                    int         code,
                    const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hub_try_download (model, token, &error);

  g_assert_null (path);
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_error (error, APP_HUB_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” does not say “%s”", error->message, words);
  g_assert_false (g_str_has_suffix (error->message, "."));
}

char *
hub_in_cache (HubCase    *self,
              const char *path)
{
  return g_build_filename (self->cache, path, NULL);
}

static void
list_tree (const char *folder,
           const char *prefix,
           GPtrArray  *lines)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *place = g_strconcat (prefix, name, NULL);
    g_autofree char *target = g_file_read_link (path, NULL);

    if (target != NULL)
      g_ptr_array_add (lines, g_strconcat (place, " -> ", target, NULL));
    else if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
      g_autofree char *inner = g_strconcat (place, "/", NULL);

      g_ptr_array_add (lines, g_strdup (inner));
      list_tree (path, inner, lines);
    } else {
      g_autofree char *content = NULL;
      g_autofree char *hash = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &content, &length, NULL));
      hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) content, length);
      g_ptr_array_add (lines, g_strconcat (place, " ", hash, NULL));
    }
  }
}

static int
compare_lines (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
hub_read_tree (HubCase *self)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);

  list_tree (self->cache, "", lines);
  g_ptr_array_sort (lines, compare_lines);
  return lines;
}

void
hub_assert_untouched (HubCase *self,
                      int      n_incomplete)
{
  g_autoptr (GPtrArray) lines = hub_read_tree (self);
  int n = 0;

  for (guint i = 0; i < lines->len; i++) {
    const char *line = lines->pdata[i];

    n += strstr (line, ".incomplete ") != NULL;
    g_assert_true (strstr (line, ".incomplete ") != NULL || g_str_has_prefix (line, ".locks/")
                   || g_str_equal (line, "models--some-org--some.model/")
                   || g_str_equal (line, "models--some-org--some.model/blobs/"));
  }
  g_assert_cmpint (n, ==, n_incomplete);
}

void
hub_assert_content (HubCase    *self,
                    const char *path,
                    gsize       size)
{
  g_autofree char *whole_path = hub_in_cache (self, path);
  g_autoptr (GBytes) expected = hub_case_make_bytes (size);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (whole_path, &content, &length, NULL));
  g_assert_cmpmem (content, length, g_bytes_get_data (expected, NULL), size);
}
