/* SPDX-License-Identifier: MIT */
/* A window of things to read, with an entry that leaves those in sight that have all words of it.
 * What is typed anywhere is searched for; Escape ends the search, then closes the window. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define APP_TYPE_SEARCH_WINDOW (app_search_window_get_type ())
G_DECLARE_DERIVABLE_TYPE (AppSearchWindow, app_search_window, APP, SEARCH_WINDOW, AdwWindow)

struct _AppSearchWindowClass {
  AdwWindowClass parent_class;

  /* Other words are wanted: app_search_window_get_terms(). Once a window is filled, too. */
  void (*search) (AppSearchWindow *self);
};

typedef struct {
  GtkWidget  *content;     /* scrolls in the window */
  const char *placeholder; /* of the entry */
  const char *nothing;     /* a title for when nothing was found */
  const char *advice;      /* below it */
} AppSearchPage;

/* Once, in init(). */
void               app_search_window_fill      (AppSearchWindow     *self,
                                                const AppSearchPage *page);
/* Folded; all of them are wanted, none of them is NULL or a copy of the caller's. */
const char *const *app_search_window_get_terms (AppSearchWindow     *self);
/* Whether folded text has all of them. */
gboolean           app_search_window_matches   (AppSearchWindow     *self,
                                                const char          *folded);
/* Whether there is anything to read. */
void               app_search_window_set_found (AppSearchWindow     *self,
                                                gboolean             is_found);

G_END_DECLS
