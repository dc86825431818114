/* SPDX-License-Identifier: MIT */
/* A lesson: one Markdown file, a header and sections, each with text, a state of the window,
 * questions and claims. Its grammar is told in resources/lessons/README.md. Here it is read; no
 * model is opened and nothing is computed. A lesson is never changed once it was read. Any
 * thread. */
#pragma once

#include "app/lessons/claim.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef enum {
  APP_ASK_TOKEN,  /* choose a token */
  APP_ASK_CELL,   /* a token that reads and one that is read */
  APP_ASK_HEAD,
  APP_ASK_NUMBER,
  APP_ASK_OPTION
} AppAskType;

typedef struct {
  AppAskType     type;
  char          *question;   /* with Markdown's marks, as every text here */
  GPtrArray     *options;    /* of char *; of APP_ASK_OPTION, else empty */
  char          *answer;     /* as it stands behind "answer:" */
  AppPlace       answer_place;
  AppTokens      tokens[2];  /* of a token; of a cell the one that reads, the one that is read */
  AppHeads       head;
  int            option;
  AppExpression *number;
  double         tolerance;
} AppAsk;

typedef enum {
  APP_BLOCK_TEXT,  /* a paragraph */
  APP_BLOCK_ITEM,  /* of a list */
  APP_BLOCK_CODE,  /* lines that stand as they are */
  APP_BLOCK_ASK,
  APP_BLOCK_CLAIM,
  APP_BLOCK_TRY,   /* what to try next, alone */
  APP_BLOCK_NOTE   /* for who presents it */
} AppBlockType;

/* What stands behind a question of a section is shown once it is answered. */
typedef struct {
  AppBlockType type;
  AppPlace     place;
  char        *text;   /* NULL of a question and a claim */
  AppAsk      *ask;
  AppClaim    *claim;
} AppBlock;

typedef struct {
  AppPlace    place;
  char       *heading;
  /* What the window shows; NULL = as in the section before, but never of the first one. */
  UiDocument *state;
  AppPlace    state_place;
  char       *state_text; /* the command line; NULL as state is */
  const char *region; /* of the window that it points at, of app_lesson_regions; NULL = none */
  GPtrArray  *blocks; /* of AppBlock, in the order of the file */
} AppSection;

/* What a section may point at: "map", "picture", …; NULL-terminated. */
extern const char *const app_lesson_regions[];

typedef struct {
  gatomicrefcount n_references;
  char      *path;     /* as it was given */
  char      *title;
  int        minutes;
  AppPlace   minutes_place;
  char      *model;
  char      *about;    /* one sentence; NULL = none */
  GPtrArray *sections; /* of AppSection, at least one */
} AppLesson;

/* (transfer full) text: the file's, of length bytes. path names it and is where paths that begin
 * with "./" are found. NULL where anything is wrong: *faults is an array of AppFault then
 * (transfer full), all that is, in the order of the file; what only follows from a fault before is
 * none. */
AppLesson  *app_lesson_parse_all  (const char      *path,
                                   const char      *text,
                                   gsize            length,
                                   GArray         **faults);
/* The same from the file; of one that cannot be opened there is one fault, of line 0. */
AppLesson  *app_lesson_read_all   (const char      *path,
                                   GArray         **faults);
/* The first of the faults alone, and where in *fault. */
AppLesson  *app_lesson_parse      (const char      *path,
                                   const char      *text,
                                   gsize            length,
                                   AppPlace        *fault,
                                   GError         **error);
AppLesson  *app_lesson_read       (const char      *path,
                                   AppPlace        *fault,
                                   GError         **error);
/* (transfer full) Why a state cannot be shown, one sentence; NULL = it can. */
typedef char *(*AppStateCheck)    (const UiDocument *state,
                                   gpointer          data);

/* Where the argument stands in the command of a section's own state that check refuses with sentence:
 * the last one without which it does not; where there is none such, without which it says something
 * else; else where the command begins. */
AppPlace    app_lesson_find_fault (const AppLesson *self,
                                   guint            section,
                                   const char      *sentence,
                                   AppStateCheck    check,
                                   gpointer         data);
AppLesson  *app_lesson_ref        (AppLesson       *self);
void        app_lesson_unref      (AppLesson       *self);
/* "token" */
const char *app_ask_get_type_name (AppAskType       type);
/* (transfer full) Markdown's marks within a line (**strong**, *said*, `code`) as markup of
 * Pango. */
char       *app_lesson_to_markup  (const char      *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppLesson, app_lesson_unref)

G_END_DECLS
