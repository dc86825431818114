/* SPDX-License-Identifier: MIT */
/* A document of several pages as PDF: text, figures and room to write, one below the other, broken
 * into pages when it is finished. Sizes are in points of paper. One thread. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef enum { UI_PAPER_A4, UI_PAPER_LETTER } UiPaper;

typedef enum {
  UI_PAGE_TITLE,
  UI_PAGE_HEADING,  /* stays with what follows */
  UI_PAGE_TEXT,
  UI_PAGE_ITEM,     /* of a list, behind a dot */
  UI_PAGE_CHOICE,   /* the same, behind a box to tick */
  UI_PAGE_QUESTION, /* bold, stays with what follows */
  UI_PAGE_ANSWER,   /* the same, close below its question */
  UI_PAGE_APART,    /* text with more room above */
  UI_PAGE_SMALL,
  UI_PAGE_CODE
} UiPageStyle;

typedef struct _UiPages UiPages;

/* "a4", "letter" */
gboolean ui_paper_from_name      (const char        *name,
                                  UiPaper           *paper,
                                  GError           **error);

/* title: of the file, and at the foot of its pages. */
UiPages *ui_pages_new            (UiPaper            paper,
                                  const char        *title);
void     ui_pages_free           (UiPages           *self);
/* How wide a figure may be. */
double   ui_pages_get_width_cm   (const UiPages     *self);
/* What follows begins on a page of its own; name stands at the head of its pages. */
void     ui_pages_begin_part     (UiPages           *self,
                                  const char        *name);
/* Markup of Pango, which must be right. */
void     ui_pages_add_text       (UiPages           *self,
                                  UiPageStyle        style,
                                  const char        *markup);
/* A line with something at its end: a claim and its value. */
void     ui_pages_add_row        (UiPages           *self,
                                  const char        *markup,
                                  const char        *end);
/* A scene that was made for paper, smaller where it is too high. Takes a reference. */
void     ui_pages_add_figure     (UiPages           *self,
                                  UiScene           *scene);
/* Names beside each other, each with a line to write on: "Name", "Date". NULL-terminated. */
void     ui_pages_add_fields     (UiPages           *self,
                                  const char *const *names);
/* What was added last is not parted from what is added next, where a page has room for both. */
void     ui_pages_keep           (UiPages           *self);
/* A ruled line to write on. */
void     ui_pages_add_blank      (UiPages           *self);
/* (transfer full) The file; n_pages is nullable. */
GBytes  *ui_pages_finish         (UiPages           *self,
                                  int               *n_pages,
                                  GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiPages, ui_pages_free)

G_END_DECLS
