/* SPDX-License-Identifier: MIT */
/* A lesson in a test of the real window: files of its own in a folder, the page that shows one. */
#pragma once

#include "tests/support/temporary.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

#define HEADER "---\ntitle: Mine\nminutes: 5\nmodel: headlight-mini\n---\n\n"
#define STATE(options) "```headlight\nheadlight render " options " -o a.svg 'The cat sat'\n```\n\n"
#define FIRST "## One\n\n" STATE ("--layer 1 --heads 6")
#define SECOND "## Two\n\n" STATE ("--layer 2 --heads 3")

static char *folder; /* a temporary one for this process */

/* (transfer full) the path */
static inline char *
write_lesson (const char *name,
              const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);

  return path;
}

static inline gboolean
is_mapped (Fixture    *fixture,
           const char *id)
{
  return gtk_widget_get_mapped (window_find (fixture->window, id));
}

static inline GtkWidget *
find_content (Fixture *fixture)
{
  return window_find (fixture->window, "lesson_content");
}

static inline gboolean
shows (Fixture    *fixture,
       const char *text)
{
  return driver_shows_text (find_content (fixture), text);
}

static inline gboolean
says (Fixture    *fixture,
      const char *id,
      const char *text)
{
  return g_str_equal (window_get_label (fixture->window, id), text);
}

/* Whether the page is there, which is made with the first lesson. */
static inline gboolean
is_open (Fixture *fixture)
{
  return window_shows_side (fixture->window, "lesson") && is_mapped (fixture, "lesson_pages");
}

static inline void
open_file (Fixture    *fixture,
           const char *path)
{
  app_window_open_file (fixture->window, path);
  wait_until (is_open (fixture) && is_mapped (fixture, "lesson_next"));
  driver_settle (GTK_WIDGET (fixture->window));
}

static inline const UiDocument *
get_document (Fixture *fixture)
{
  return app_window_get_document (fixture->window);
}
