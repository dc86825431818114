/* SPDX-License-Identifier: MIT */
/* How a drawing of steps is laid out, from top to bottom: steps-diagram.c the blocks of the model
 * (steps-lit.c: which of them are lit), steps-builder.c the way, steps-bands.c what a stage shows,
 * steps-rows.c the same of all tokens, steps-explained.c where one number of it comes from,
 * steps-sheet.c columns of a whole way in a file, steps-screens.c what of a way is seen at once before
 * people. */
#pragma once

#include "ui/scene/steps/steps-scene.h"

G_BEGIN_DECLS

/* Height of a sheet of A0 to A4 by its width. */
#define UI_STEPS_SHEET G_SQRT2

/* How much of what is laid out stood there before a row. */
typedef struct {
  guint texts, runs, frames, dials;
} UiStepsMark;

/* Where screens may end, and which headings go on. */
typedef struct {
  GArray *breaks;
  GArray *tables;
} UiStepsBreaks;

typedef struct {
  UiStepsScene  *self;
  UiStepsLayout *layout;
  UiStepsBreaks *breaks; /* NULL = what is laid out is scrolled */
  double         scale;
  double         left;   /* of what is laid out now */
  double         room;   /* its width */
  double         y;      /* where the next thing begins */
} UiStepsBuilder;

/* Blocks that stand behind each other; first -1 = none. */
typedef struct {
  int first;
  int last;
} UiStepsSpan;

/* steps-builder.c */
/* text is taken. Returns the entry, to be changed before the next one is added. */
UiStepsText *ui_steps_add_text       (UiStepsBuilder        *builder,
                                      char                  *text,
                                      double                 x,
                                      double                 y,
                                      double                 size);
/* The name of a band at its left, what its colours say at its right (nullable; nothing where the scene
 * holds back); both are taken. */
void         ui_steps_add_label      (UiStepsBuilder        *builder,
                                      char                  *name,
                                      char                  *note);
/* Lines of words, one below the other, from y on. */
void         ui_steps_add_paragraph  (UiStepsBuilder        *builder,
                                      const char            *text,
                                      UiStepsColor           color);
/* Numbers side by side, with their values where these have room; y goes on below them. */
void         ui_steps_add_vector     (UiStepsBuilder        *builder,
                                      const UiStepsRun      *run);
/* The same without y: within a width at a place. Returns its height. */
double       ui_steps_place_run      (UiStepsBuilder        *builder,
                                      UiStepsRun            *run,
                                      double                 x,
                                      double                 y,
                                      double                 width,
                                      int                    most_lines);
/* How the numbers of a matrix look where they have room. */
UiStepsLook  ui_steps_find_look      (const EngNumbers      *numbers);
/* The largest amount in rows of a matrix, 1 where all are 0. */
double       ui_steps_find_full      (const EngNumbers      *numbers,
                                      int                    first_row,
                                      int                    n_rows);

/* steps-lit.c */
/* The block that the stage is in, all blocks of the layers where it is several; none of a whole
 * way. */
UiStepsSpan  ui_steps_find_lit       (const UiStepsScene    *self);
/* The block of the task head that answers; -1 = none does. */
int          ui_steps_find_answering (const UiStepsScene    *self);
/* The group of blocks that stands for the way's layer. */
int          ui_steps_find_group     (const UiStepsScene    *self);
/* steps-diagram.c */
void         ui_steps_lay_out_diagram (UiStepsBuilder       *builder);
/* steps-sheet.c: rows that stand below each other become columns, with the diagram above. marks: of
 * UiStepsMark, one before each row and one behind all. *n_columns: how many at most; from 0 it
 * becomes how many come nearest to the proportion of a sheet. */
void         ui_steps_lay_out_sheet  (UiStepsBuilder        *builder,
                                      const GArray          *marks,
                                      int                   *n_columns);
/* steps-screens.c */
UiStepsBreaks *ui_steps_breaks_new   (void);
void         ui_steps_breaks_free    (UiStepsBreaks         *self);
/* At y something begins that should not be torn from what stands below it; inner: within a table, or
 * what explains a number. */
void         ui_steps_add_break      (UiStepsBuilder        *builder);
void         ui_steps_add_inner_break (UiStepsBuilder       *builder);
/* Around a table, whose headings end where its rows begin. */
void         ui_steps_begin_table    (UiStepsBuilder        *builder);
void         ui_steps_end_headings   (UiStepsBuilder        *builder);
void         ui_steps_end_table      (UiStepsBuilder        *builder);
/* Of the way that is laid out the screen that the scene's options ask for stays, below the model, in
 * a window of that height. marks: as above. Returns its index; *n (out): of how many. */
int          ui_steps_lay_out_screen (UiStepsBuilder        *builder,
                                      const GArray          *marks,
                                      double                 height,
                                      int                   *n);
/* steps-bands.c */
void         ui_steps_lay_out_bands  (UiStepsBuilder        *builder,
                                      int                    stage);
/* steps-rows.c */
void         ui_steps_lay_out_all_rows (UiStepsBuilder      *builder,
                                      int                    stage);
/* steps-explained.c */
void         ui_steps_lay_out_explained (UiStepsBuilder     *builder,
                                      int                    stage);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiStepsBreaks, ui_steps_breaks_free)

G_END_DECLS
