/* SPDX-License-Identifier: MIT */
#include "app/training/kept.h"

#include <glib/gstdio.h>
#include <string.h>

#define FOLDER "steps"
/* The next one is so many steps away at least, and such a part of all steps. */
#define LEAST_GAP 10
#define GAP_PART 16
/* How much of the last step is added to each when gaps are compared: those of the begin are as long
 * as each other, later ones grow. */
#define EVEN_PART 8
/* Of all states together, and how many are worth keeping. */
#define MOST_BYTES (512 * G_GINT64_CONSTANT (1000000))
#define FEWEST 4

static gint
compare_steps (gconstpointer a,
               gconstpointer b)
{
  const gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

/* -1 = the name is none of a step. */
static gint64
read_step (const char *name)
{
  guint64 step;

  return g_ascii_string_to_unsigned (name, 10, 0, G_MAXINT64, &step, NULL) ? (gint64) step : -1;
}

GArray *
app_kept_list (const char *folder)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *states = g_build_filename (folder, FOLDER, NULL);
  g_autoptr (GDir) dir = g_dir_open (states, 0, NULL);

  for (const char *name; dir && (name = g_dir_read_name (dir)) != NULL;) {
    const gint64 step = read_step (name);

    if (step >= 0)
      g_array_append_val (kept, step);
  }
  g_array_sort (kept, compare_steps);

  return kept;
}

char *
app_kept_dup_folder (const char *folder,
                     gint64      step)
{
  g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT, step);

  return g_build_filename (folder, FOLDER, name, NULL);
}

char *
app_kept_find_training (const char *state)
{
  g_autofree char *name = g_path_get_basename (state);
  g_autofree char *states = g_path_get_dirname (state);
  g_autofree char *parent = g_path_get_basename (states);

  return read_step (name) >= 0 && g_str_equal (parent, FOLDER) ? g_path_get_dirname (states) : NULL;
}

gboolean
app_kept_is_due (const GArray *kept,
                 gint64        step)
{
  gint64 last;

  if (kept->len == 0)
    return TRUE;
  last = g_array_index (kept, gint64, kept->len - 1);

  return step >= last + MAX (LEAST_GAP, last / GAP_PART);
}

guint
app_kept_find_spare (const GArray *kept)
{
  const gint64 *steps = (const gint64 *) (gconstpointer) kept->data;
  const double even = (double) steps[kept->len - 1] / EVEN_PART;
  double least = G_MAXDOUBLE;
  guint spare = 1;

  for (guint i = 1; i + 1 < kept->len; i++) {
    const double gap = (double) (steps[i + 1] - steps[i - 1]) / ((double) steps[i] + even);

    if (gap < least) {
      least = gap;
      spare = i;
    }
  }

  return spare;
}

guint
app_kept_count_room (gint64 bytes)
{
  const gint64 n = MIN (MOST_BYTES / MAX (bytes, 1), APP_KEPT_MOST);

  return n >= FEWEST ? (guint) n : 0;
}

void
app_kept_remove_state (const char *state)
{
  g_autoptr (GDir) dir = g_dir_open (state, 0, NULL);

  for (const char *name; dir && (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (state, name, NULL);

    g_remove (path);
  }
  g_rmdir (state);
}

void
app_kept_remove (const char *folder,
                 gint64      step)
{
  g_autofree char *state = app_kept_dup_folder (folder, step);

  app_kept_remove_state (state);
}
