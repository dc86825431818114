/* SPDX-License-Identifier: MIT */
#include "app/teaching/shelf.h"

#include "app/lessons/translation.h"
#include "app/store/model-store.h"

#define HOW_TO_WRITE "README.md"

static void
entry_free (gpointer data)
{
  AppShelfEntry *self = data;

  g_free (self->path);
  g_free (self->title);
  g_free (self->about);
  g_free (self->model);
  g_free (self);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const char *one = *(const char *const *) a;
  const char *other = *(const char *const *) b;
  const gboolean one_is_last = g_str_equal (one, HOW_TO_WRITE);
  const gboolean other_is_last = g_str_equal (other, HOW_TO_WRITE);

  return one_is_last != other_is_last ? one_is_last - other_is_last : g_strcmp0 (one, other);
}

static GPtrArray *
list_names (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".md") && !app_lesson_is_translation (name))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);

  return names;
}

/* (transfer full) */
static AppLesson *
read_lesson (const char *original)
{
  g_autofree char *path = app_lesson_find_translation (original);
  AppPlace fault;

  return app_lesson_read (path, &fault, NULL);
}

GPtrArray *
app_shelf_list (const char *folder)
{
  GPtrArray *shelf = g_ptr_array_new_with_free_func (entry_free);
  g_autoptr (GPtrArray) names = list_names (folder);

  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    g_autoptr (AppLesson) lesson = read_lesson (path);
    g_autofree char *called = NULL;
    g_autofree char *found = NULL;
    AppShelfEntry *entry;

    if (lesson == NULL)
      continue;
    found = app_model_store_find (lesson->model, &called, NULL);
    entry = g_new (AppShelfEntry, 1);
    *entry = (AppShelfEntry) {
      g_strdup (lesson->path), g_strdup (lesson->title), g_strdup (lesson->about), lesson->minutes,
      g_strdup (lesson->model), found != NULL
    };
    g_ptr_array_add (shelf, entry);
  }

  return shelf;
}
