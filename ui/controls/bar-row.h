/* SPDX-License-Identifier: MIT */
/* One number as a line of text and bars: name, bar made of coloured parts, number. The whole row
 * is drawn by one widget of a fixed request, so that new numbers cost a redraw and never a
 * layout of the window. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_BAR_ROW (ui_bar_row_get_type ())
G_DECLARE_FINAL_TYPE (UiBarRow, ui_bar_row, UI, BAR_ROW, GtkWidget)

/* One part of a bar; a negative value goes to the left of zero. */
typedef struct {
  double  value;
  UiColor color;
} UiBarPart;

GtkWidget *ui_bar_row_new       (void);

/* number: the text at the end; sentence: what a screen reader says and the tooltip shows. Parts
 * are stacked from zero outwards; the bar's room covers low ≤ 0 to high ≥ 0. */
void       ui_bar_row_set       (UiBarRow        *self,
                                 const char      *name,
                                 const char      *number,
                                 const char      *sentence);
/* A small letter in its colour behind the name, from the next ui_bar_row_set() on; 0 = none. */
void       ui_bar_row_set_mark  (UiBarRow        *self,
                                 char             letter,
                                 UiColor          color);
/* A shorter name for where the name has no room, from the next ui_bar_row_set() on; NULL = none. */
void       ui_bar_row_set_brief (UiBarRow        *self,
                                 const char      *brief);
/* A second token, behind the name and an arrow, its shorter name, and a letter of its own, likewise;
 * NULL = none. Tokens that are too long are shortened, arrow and letters stay. */
void       ui_bar_row_set_key   (UiBarRow        *self,
                                 const char      *key,
                                 const char      *brief,
                                 char             letter,
                                 UiColor          color);
/* With room for a name of two tokens, which begins where the row does. */
GtkWidget *ui_bar_row_new_wide  (void);
/* The same for some words, as "the same word, A ↔ B". */
GtkWidget *ui_bar_row_new_for_phrase (void);
/* (transfer full) The name as it is drawn, and whether a part of it is cut: for tests. */
char      *ui_bar_row_dup_name  (UiBarRow        *self,
                                 gboolean        *is_cut);
void       ui_bar_row_set_parts (UiBarRow        *self,
                                 const UiBarPart *parts,
                                 int              n_parts,
                                 double           low,
                                 double           high);

G_END_DECLS
