/* SPDX-License-Identifier: MIT */
/* The window before people in a test: what its sentence says, and what the speaker reads. */
#pragma once

#include "tests/app/parts/lesson-case.h"

static inline AppPicture *
get_picture (Fixture *fixture)
{
  return app_desk_get_picture (app_window_get_desk (fixture->window));
}

static inline gboolean
window_says (Fixture    *fixture,
             const char *markup)
{
  g_autofree char *sentence = app_picture_describe (get_picture (fixture));

  return g_strcmp0 (sentence, markup) == 0;
}

static inline void
assert_says (Fixture    *fixture,
             const char *markup)
{
  g_autofree char *sentence = app_picture_describe (get_picture (fixture));

  g_assert_cmpstr (sentence, ==, markup);
}

static inline GtkWindow *
find_speaker (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

    if (g_str_has_prefix (gtk_window_get_title (window) ?: "", "Speaker"))
      return window;
  }
  return NULL;
}

static inline gboolean
speaker_says (const char *part)
{
  return driver_find_label (GTK_WIDGET (find_speaker ()), part) != NULL;
}
