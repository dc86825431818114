/* SPDX-License-Identifier: MIT */
/* Sentences in which a word stands elsewhere: a row each with the colour of its line, the word in
 * bold, a number, and below it what has to be said of it; the rows of a person's own can be taken
 * away. Behind them a sentence of one's own is typed.
 *
 * Signals: "aimed" () when another row is pointed at; "sentence-added" (const char *text) by
 * Return; "sentence-removed" (const char *text). */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_CONTEXT_LIST (ui_context_list_get_type ())
G_DECLARE_FINAL_TYPE (UiContextList, ui_context_list, UI, CONTEXT_LIST, GtkWidget)

typedef struct {
  const char *text;
  int         start;  /* of the word, in bytes of the text */
  int         end;
  const char *number;
  const char *note;   /* nullable */
  gboolean    is_own;
  UiColor     color;
} UiContextRow;

/* Rows are copied. */
void  ui_context_list_set        (UiContextList      *self,
                                  const UiContextRow *rows,
                                  int                 n_rows);
/* What stands in the entry while it is empty. */
void  ui_context_list_set_prompt (UiContextList      *self,
                                  const char         *prompt);
/* Below the entry: why what was typed is not among the rows. NULL takes it away. */
void  ui_context_list_say        (UiContextList      *self,
                                  const char         *sentence);
/* What was typed is in a row, or is no more to be typed. */
void  ui_context_list_clear_entry (UiContextList     *self);
/* The row that stands out; -1 = none. */
void  ui_context_list_set_aim    (UiContextList      *self,
                                  int                 row);
/* The row that is pointed at; -1 = none. */
int   ui_context_list_get_aim    (UiContextList      *self);

G_END_DECLS
