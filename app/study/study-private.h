/* SPDX-License-Identifier: MIT */
/* The study's state, for app/study/study*.c alone. Functions here change it and note what they
 * changed; app_study_tell() says so, once, at the end of whatever was begun. */
#pragma once

#include "app/run/before.h"
#include "app/study/autosave.h"
#include "app/study/study.h"

G_BEGIN_DECLS

/* Where a person was in a kind of attention before choosing another. */
typedef struct {
  gboolean  is_known;
  int       layer;
  UiHeadSet heads;
} AppPlace;

/* The second side's pass. */
typedef struct {
  AppWorker *worker;  /* NULL while nothing was compared that needs a pass of its own */
  char      *pass;    /* what was asked for last; NULL = nothing */
  guint      serial;
  gboolean   waiting;
  gboolean   is_first; /* the first side's pass serves both */
  EngTrace  *trace;   /* the last answer; NULL = none, or refused */
  EngModel  *model;   /* of it */
  char      *refusal; /* NULL = none */
} AppSecondSide;

struct _AppStudy {
  GObject         parent_instance;

  AppStudyChange  news;     /* what was not told yet */

  UiDocument     *document;
  AppHistory     *history;  /* of document */
  AppHistory     *places_visited;
  AppPlace        places[ENG_N_KINDS]; /* of the model or file that is open */

  /* Until it is known which head it begins with. */
  struct {
    gboolean      is_wanted;
    gboolean      is_example; /* so are the texts */
    gboolean      is_chosen;  /* of layers so far */
    gint64        since;      /* when the first of them came; 0 = none did */
  }               beginning;

  AppWorker      *worker;
  guint           serial;   /* of the last request */
  gboolean        waiting;  /* it is not answered yet */
  guint           submit_source; /* a pass will be asked for; 0 = none */
  AppStudyGate    gate;     /* NULL = all layers are worth taking */
  gpointer        gate_data;

  /* The last answer that brought a trace. */
  EngModel       *model;    /* NULL for a trace file */
  EngTrace       *trace;
  UiDocument     *answered; /* the request that the trace answers */
  gboolean        complete;
  double          milliseconds;
  int             n_uncut;
  AppPredictions  predictions;
  AppRefusal     *refusal;  /* NULL = none */

  gboolean        can_write;
  gboolean        writing_is_asked; /* by a person; it is a step once it ends or pauses */
  AppWritten      written;  /* text is ours, never NULL */

  AppSecondSide   second;
  AppBefore      *before;   /* runs without the edits */

  char           *path;     /* of the session; NULL = none */
  UiDocument     *saved;    /* as it is there; NULL = nowhere */
  gboolean        is_restored; /* left by a program that was ended, and not saved since */
  gboolean        is_saving;
  AppAutosave    *autosave;
};

/* study.c */
void     app_study_tell             (AppStudy         *self);
/* The document without a step, taken over; asks for the passes that it needs. */
void     app_study_set_document     (AppStudy         *self,
                                     UiDocument       *document);
/* The same for what is on show already: nothing is asked for. */
void     app_study_keep_document    (AppStudy         *self,
                                     UiDocument       *document);
/* Which place of the window the document is: one more, when it is a step and view, kind or layer
 * are others; else the same with other heads and pins. */
void     app_study_visit            (AppStudy         *self,
                                     const UiDocument *document,
                                     gboolean          is_step);
/* A person's step to the document. */
void     app_study_record           (AppStudy         *self,
                                     const UiDocument *document);
/* The last step leads to this document, because what it asked for cannot be had. */
void     app_study_correct          (AppStudy         *self,
                                     const UiDocument *document);

/* study-pass.c */
gboolean app_study_needs_pass       (const UiDocument *a,
                                     const UiDocument *b);
gboolean app_study_has_other_texts  (const UiDocument *a,
                                     const UiDocument *b);
/* Asks the worker, now. */
void     app_study_submit           (AppStudy         *self,
                                     const UiDocument *document,
                                     AppWriting        writing);
/* Asks for the document's pass, now or after a moment of no typing. */
void     app_study_ask              (AppStudy         *self,
                                     const UiDocument *before);
void     app_study_begin_passes     (AppStudy         *self);
void     app_study_end_passes       (AppStudy         *self);

/* study-beginning.c */
/* The head of the document is to be chosen: before it is asked for. */
void     app_study_await_head       (AppStudy         *self,
                                     gboolean          is_example);
/* What changed is a person's choice that comes first. */
void     app_study_follow_choice    (AppStudy         *self,
                                     const UiDocument *before);
/* Whether layers are worth waiting for the others, so that one head is shown and stays. */
gboolean app_study_awaits_layers    (AppStudy         *self,
                                     const AppAnswer  *answer);
void     app_study_take_head        (AppStudy         *self,
                                     const AppAnswer  *answer);

/* study-writing.c */
/* Keeps what the answer says of the text. */
void     app_study_take_written     (AppStudy         *self,
                                     const AppAnswer  *answer);
/* None can be written, none was. */
void     app_study_forget_written   (AppStudy         *self);
/* What was asked for is refused: no more is written. */
void     app_study_end_writing      (AppStudy         *self);

/* study-second.c */
/* Asks for the second side's pass where the document has one of its own, and lets go of it where
 * it has none. */
void     app_study_ask_second       (AppStudy         *self);
/* Its model is opened anew when it is asked for next, which it is after the first side's answer. */
void     app_study_forget_second    (AppStudy         *self);
void     app_study_end_second       (AppStudy         *self);

/* study-file.c */
void     app_study_end_file         (AppStudy         *self);

G_END_DECLS
