/* SPDX-License-Identifier: MIT */
/* A test of trainings in the real window, in a data folder of its own. */
#pragma once

/* A training takes what others leave of the machine, which may be little for a while. */
#define WAIT_SECONDS 300

#include <string.h>

#include "app/store/paths.h"
#include "app/training/toys.h"
#include "tests/app/training/toy-lines.h"
#include "tests/support/temporary.h"
#include "tests/support/window/train-dialog.h"
#include "tests/support/window/window-test.h"

/* FALSE = there is no display. */
static inline gboolean
begin_tests (int    *argc,
             char ***argv)
{
  g_autofree char *data_home = temporary_new ();

  g_setenv ("XDG_DATA_HOME", data_home, TRUE);
  g_test_init (argc, argv, NULL);
  if (!gtk_init_check ())
    return FALSE;
  toy_lines_write (APP_TOY_REPEAT);

  return TRUE;
}

static inline int
end_tests (void)
{
  const int status = g_test_run ();

  temporary_free (g_strdup (g_get_user_data_dir ()));

  return status;
}

static inline char *
dup_folder (const char *name)
{
  g_autofree char *models = app_paths_get_data_models ();

  return g_build_filename (models, name, NULL);
}

static inline gboolean
says (AppWindow  *window,
      const char *part)
{
  return strstr (window_get_label (window, "training_state"), part) != NULL;
}

static inline gboolean
is_in_training (AppWindow *window)
{
  const char *title = gtk_window_get_title (GTK_WINDOW (window));

  return strstr (title, "in training, step ") != NULL && says (window, "In training, step ");
}

/* Its model is on show. */
static inline gboolean
shows_model (AppWindow  *window,
             const char *name)
{
  return window_get_model (window) != NULL
         && g_str_equal (eng_model_get_info (window_get_model (window))->name, name);
}

static inline void
begin_toy (AppWindow  *window,
           const char *name)
{
  activate (window, "win.train-model");
  wait_until (find_dialog () != NULL);
  choose (0);
  gtk_editable_set_text (GTK_EDITABLE (driver_find (find_dialog (), ADW_TYPE_ENTRY_ROW, 0)), name);
  press (find_dialog (), "_Train");
  wait_until (find_dialog () == NULL);
  wait_until (is_in_training (window) && shows_model (window, name));
}

/* Kept states, and the newest weights behind them. */
static inline GtkRange *
get_timeline (AppWindow *window)
{
  return GTK_RANGE (window_find (window, "training_timeline"));
}

/* Of the newest weights. */
static inline int
get_last_place (AppWindow *window)
{
  return (int) gtk_adjustment_get_upper (gtk_range_get_adjustment (get_timeline (window)));
}

static inline int
get_place (AppWindow *window)
{
  return (int) gtk_range_get_value (get_timeline (window));
}
