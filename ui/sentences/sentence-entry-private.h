/* SPDX-License-Identifier: MIT */
/* The state of a sentence that is typed, for sentence-entry.c and sentence-editable.c. */
#pragma once

#include "ui/sentences/sentence-entry.h"

G_BEGIN_DECLS

#define UI_SENTENCE_FIRST_PROP 1

struct _UiSentenceEntry {
  GtkWidget      parent_instance;

  GtkWidget     *scroller;
  GtkTextView   *view;
  GtkTextBuffer *buffer;      /* the view's */
  GtkTextTag    *mark;
  GtkWidget     *line;        /* GtkText of a long text, in the place of the view */
  gboolean       is_in_line;
  guint          switch_source;
  GArray        *marks;       /* of UiSentenceMark */
  GtkWidget     *placeholder;
  char          *text;        /* what the buffer holds; NULL = not asked since it changed */
  gboolean       is_putting;  /* not by a person */
  gboolean       is_switching; /* between view and line: nothing changes */
  int            width_chars;
  int            max_width_chars;
  /* How high the text is in that width; -1 = not known. */
  int            known_width;
  int            known_height;
  int            free_height; /* as wide as it likes; -1 = not known */
  int            free_width;
};

/* sentence-editable.c */
void ui_sentence_entry_init_editable (GtkEditableInterface *iface);
void ui_sentence_entry_set_property  (GObject              *object,
                                      guint                 prop,
                                      const GValue         *value,
                                      GParamSpec           *pspec);
void ui_sentence_entry_get_property  (GObject              *object,
                                      guint                 prop,
                                      GValue               *value,
                                      GParamSpec           *pspec);

G_END_DECLS
