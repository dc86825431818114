/* SPDX-License-Identifier: MIT */
/* Data of a toy that are read in a moment: fewer lines than it has by itself, where it looks for
 * them. */
#pragma once

#include "app/training/toys.h"

static inline void
toy_lines_write (AppToy toy)
{
  const AppToyShape shape = { FALSE, FALSE };
  const gint64 seed = app_toy_get (toy)->seed;
  g_autoptr (AppRecipe) recipe = app_toy_new_recipe (toy, &shape, seed, 1);
  g_autofree char *folder = g_path_get_dirname (recipe->data);
  g_autofree char *lines = app_toy_make_lines (toy, seed, 1000);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (recipe->data, lines, -1, NULL));
}
