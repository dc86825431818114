/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/lessons/ alone. */
#pragma once

#include "app/parts/lessons/lessons.h"
#include "app/run/job.h"
#include "app/teaching/score-sheet.h"
#include "app/teaching/section-check.h"
#include "ui/dialogs/guide.h"

G_BEGIN_DECLS

/* A block of the section that is shown. */
typedef struct {
  const AppBlock *block;    /* the lesson's */
  GtkWidget      *widget;   /* the content's */
  guint           question; /* of a question: its number in the lesson */
  guint           index;    /* and in the section */
} AppShownBlock;

struct _AppLessonsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  AppScoreSheet *scores; /* NULL = nobody asked for it yet */
  GPtrArray  *shelf;     /* of AppShelfEntry; NULL = not listed yet */

  /* The lesson that is open. */
  AppLesson  *lesson;    /* NULL = none */
  char       *name;      /* on the score sheet */
  char       *last;      /* name of the one that was open before; NULL = none was */
  gboolean    has_ended; /* that one was read to its end, whether or not all of it was answered */
  guint       section;
  UiDocument *own;       /* what the person had before it */
  char       *own_model; /* that the next start would have opened; nullable */
  guint       n_reads;   /* files that were asked for: the last one counts */
  GFileMonitor *monitor;
  guint       reload_source;
  UiDocument *hidden;    /* whose picture is hidden as another model's; NULL = none is */

  /* Its section. */
  AppJob          *job;   /* that computes it; NULL = none runs */
  AppSectionCheck *check; /* NULL = not computed yet */
  GPtrArray       *shown; /* of AppShownBlock */
  GHashTable      *refused; /* set of numbers of the lesson's questions that cannot be answered */
  const AppShownBlock *answered; /* that is scrolled to */
  GtkWidget       *left;  /* that had the keys as a key led here, if it still has: what is asked takes
                           * them; compared alone, NULL = nothing */
  guint            scroll_source;
  guint            focus_source;

  /* Before people (cue.c). */
  gboolean         is_presented;
  guint            beat;  /* of the section: which of its sentences is said */

  /* The page beside the picture; NULL until it is asked for. */
  GtkStack       *pages;
  GtkWidget      *list_summary;
  GtkListBox     *list;
  GtkWidget      *clear_button;
  GtkLabel       *title;
  GtkLabel       *count;
  GtkLabel       *score;
  GtkWidget      *fault;
  GtkScrolledWindow *scroller;
  GtkBox         *content;
  GtkWidget      *back;
  GtkButton      *next;
  GtkWidget       *to_picture; /* where the page lies over it */
  GtkWidget       *to_lesson;  /* below the picture, while the page is out of sight */

  /* What points at parts of the window. */
  UiGuide    *guide;
  GtkLabel   *guide_title;
  GtkLabel   *guide_text;
  GtkLabel   *guide_count;
  GtkWidget  *guide_back;
  GtkButton  *guide_next;
  const char *opened; /* region of the column that was opened for its section; NULL = none */
};

/* lessons.c */
AppScoreSheet *app_lessons_part_get_scores (AppLessonsPart *self);
void app_lessons_part_make_page     (AppLessonsPart *self);

/* list.c */
void app_lessons_part_show_list     (AppLessonsPart *self);
void app_lessons_part_connect_list  (AppLessonsPart *self);
/* (transfer full) "3 of 4 right"; NULL where nothing of a lesson, by its name, was answered. */
char *app_lessons_part_dup_score    (AppLessonsPart *self,
                                     const char     *name);
void app_lessons_part_show_score    (AppLessonsPart *self);

/* reading.c */
#define APP_LESSONS_TOUR "00-tour.md"
/* Opens the lesson of a file, or its translation, once it was read in a thread. */
void app_lessons_part_read          (AppLessonsPart *self,
                                     const char     *path);
/* The section before (-1) or after; behind the last one the lesson is done. */
void app_lessons_part_step          (AppLessonsPart *self,
                                     int             direction);
/* keeps: what is on show stays, else what was there before the lesson comes back. */
void app_lessons_part_leave         (AppLessonsPart *self,
                                     gboolean        keeps);
const AppSection *app_lessons_part_get_section (AppLessonsPart *self);
/* (transfer full) "first.md:14:8: there is no layer 6"; without a place the sentence alone. */
char *app_lessons_part_dup_fault    (const char     *path,
                                     AppPlace        place,
                                     const char     *sentence);
/* The picture that was hidden as another model's is in sight again; nothing where none is. */
void app_lessons_part_reveal_picture (AppLessonsPart *self);
/* The section where it is shown now: beside the picture, on it, or before people. */
void app_lessons_part_show          (AppLessonsPart *self);

/* cue.c */
void app_lessons_part_show_cue      (AppLessonsPart *self);
/* What the picture would say of itself waits for the answer that is asked. */
void app_lessons_part_hold_back     (AppLessonsPart *self);

/* cue-words.c: each appends a line of markup, or nothing. */
/* "a smaller  b larger"; right: the number of the one that is, -1 = that is not said yet. */
void app_cue_append_options         (GString               *words,
                                     const AppAsk          *ask,
                                     int                    right);
/* The first sentence of what the section says from a block on, before it asks, or the first few where
 * they are short. */
void app_cue_append_text            (GString               *words,
                                     const AppSection      *section,
                                     guint                  from);
/* "“coffee” 0.41, first · “tea” 0.12": what the claims of the section are about, as it was computed. */
void app_cue_append_predictions     (GString               *words,
                                     const AppSectionCheck *check);

/* section.c */
/* Fills the page with the section and has it computed. */
void app_lessons_part_show_section  (AppLessonsPart *self);
void app_lessons_part_end_section   (AppLessonsPart *self);
/* The question of it that waits for an answer; NULL = none does. (borrowed) */
const AppAsk *app_lessons_part_find_asked (AppLessonsPart *self);
/* The keys go to what is asked, else to the button that goes on. */
void app_lessons_part_focus         (AppLessonsPart *self);
/* On to the question that waits, or to what goes on. */
void app_lessons_part_focus_behind  (AppLessonsPart *self);
/* A person chose something in the window: where it is asked for, it becomes the choice. */
void app_lessons_part_take_item     (AppLessonsPart *self,
                                     const UiItem   *item);
void app_lessons_part_take_head     (AppLessonsPart *self);

/* guide.c */
void app_lessons_part_connect_guide (AppLessonsPart *self);
void app_lessons_part_show_guide    (AppLessonsPart *self);
void app_lessons_part_hide_guide    (AppLessonsPart *self);
/* What was there before comes back; on its last section what was made there stays, as behind it. */
void app_lessons_part_end_guide     (AppLessonsPart *self);
gboolean app_lessons_part_is_guided (AppLessonsPart *self);
/* Whether what a section points at can be seen, or be opened. */
gboolean app_lessons_part_can_point (AppLessonsPart *self,
                                     const char     *region);

/* add-view.c */
void app_lessons_part_ask_where     (AppLessonsPart *self);

G_END_DECLS
