/* SPDX-License-Identifier: MIT */
/* One table of what can be done: action, keys, words. Accelerators, tooltips and the list that
 * Ctrl+? shows are read from it, so that none of them can say something else. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  const char *group;  /* heading in the list of shortcuts */
  const char *action; /* detailed, "win.view::head"; NULL for a key that a widget takes itself */
  const char *accels; /* as GtkShortcutLabel reads them, several with a blank between */
  const char *title;
  gboolean    is_local; /* no accelerator of the application, the window takes it itself */
} AppShortcut;

const AppShortcut *app_shortcuts_get        (int            *n_shortcuts);
/* "Ctrl+Z", the first of the keys of a detailed action, which must be there. (transfer full) */
char              *app_shortcuts_dup_keys   (const char     *action);
void               app_shortcuts_install    (GtkApplication *application);
/* Alt and a digit for win.head; an accelerator with Shift would never meet the digit. */
void               app_shortcuts_add_head_keys (GtkWidget   *window);
/* Sets a tooltip with the keys on every control below root whose action is in the table. */
void               app_shortcuts_explain    (GtkWidget      *root);
/* The same for a control that opens something instead of having an action. */
void               app_shortcuts_explain_as (GtkWidget      *widget,
                                             const char     *action);
/* The same in other words than the table's, such as what would be undone; NULL = in its own. */
void               app_shortcuts_explain_in_words (GtkWidget      *widget,
                                                   const char     *action,
                                                   const char     *title);

G_END_DECLS
