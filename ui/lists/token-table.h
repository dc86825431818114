/* SPDX-License-Identifier: MIT */
/* The table twin of a drawing: the same numbers as rows that keyboard and screen reader walk.
 * Nothing pinned: one row a token with the key it reads most, over all heads shown and in each
 * of them. Pinned query: one row a key, with its weight in each head; pinned key: one row a
 * query.
 *
 * Signal: clicked (UiItem *item, gboolean extend): a row was activated (Return, double click);
 * the item is the row's token, borrowed during the emission. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_TOKEN_TABLE (ui_token_table_get_type ())
G_DECLARE_FINAL_TYPE (UiTokenTable, ui_token_table, UI, TOKEN_TABLE, GtkWidget)

GtkWidget *ui_token_table_new       (void);

/* scene NULL = empty. */
void       ui_token_table_set_scene (UiTokenTable *self,
                                     UiScene      *scene);

G_END_DECLS
