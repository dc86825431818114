/* SPDX-License-Identifier: MIT */
/* A window that is presented, with that of who speaks, in a test. */
#pragma once

#include "tests/app/parts/lesson-case.h"
#include "tests/support/window/real-input.h"
#include "ui/scene/steps/steps-facts.h"

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

static inline gboolean
window_has_state (Fixture    *fixture,
                  const char *action)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window),
                                                                action);

  return g_variant_get_boolean (state);
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

static inline UiScene *
get_scene (Fixture *fixture)
{
  return ui_scene_view_get_scene (window_view (fixture->window));
}

static inline gboolean
is_at_step (Fixture *fixture,
            int      step)
{
  return ui_steps_get_n (get_scene (fixture)) > 0
         && ui_steps_get_step (get_scene (fixture)) == step;
}

static inline gboolean
speaker_says (const char *part)
{
  return driver_find_label (GTK_WIDGET (find_speaker ()), part) != NULL;
}
