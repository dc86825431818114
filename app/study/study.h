/* SPDX-License-Identifier: MIT */
/* What a person studies, and the one owner of it: the document with its history, the passes that
 * were asked for and what they answered, what a model wrote, the second side of a comparison, the
 * run without edits, the session file. No GTK; main thread. Values that it returns are borrowed
 * until the next change.
 *
 * Whatever changes is told by one signal, "changed" (guint flags of AppStudyChange), after all of
 * it has changed. A verb tells before it returns; answers come in the main context that the study
 * was made in. */
#pragma once

#include <gio/gio.h>

#include "app/run/worker.h"
#include "app/study/history.h"
#include "app/study/session-file.h"

G_BEGIN_DECLS

typedef enum {
  APP_STUDY_DOCUMENT = 1 << 0, /* and what can be undone */
  APP_STUDY_TRACE    = 1 << 1, /* trace, model, answered, complete, predictions */
  APP_STUDY_WAITING  = 1 << 2,
  APP_STUDY_WRITTEN  = 1 << 3,
  APP_STUDY_SECOND   = 1 << 4,
  APP_STUDY_BEFORE   = 1 << 5,
  APP_STUDY_FILE     = 1 << 6,
  APP_STUDY_REFUSED  = 1 << 7  /* the refusal is new, or gone */
} AppStudyChange;

/* Why a document cannot be shown. */
typedef struct {
  GError     *error;
  UiDocument *document;    /* that was refused */
  EngModel   *model;       /* NULL where it is the model, or the trace file, that was refused */
  gboolean    is_taken_back; /* the study is again at what is on show */
  gboolean    is_too_long; /* truncation would help */
} AppRefusal;

/* Texts and what is done with them. */
typedef struct {
  const char *model;        /* that they are opened in; NULL = they stay in the open one */
  const char *text_a;
  const char *text_b;       /* "" = none */
  gboolean    is_continued; /* the model writes on behind them, to its end */
  gboolean    is_crossed;   /* cross-attention is shown */
} AppTexts;

#define APP_TYPE_STUDY (app_study_get_type ())
G_DECLARE_FINAL_TYPE (AppStudy, app_study, APP, STUDY, GObject)

/* Asks for the document's pass at once. */
AppStudy         *app_study_new              (const UiDocument *document);
/* The same for a document of which nobody chose a head: it begins with the one that tells most (as
 * app_worker_begin() says), which is no step, unless a person chooses one before it is known.
 * is_example: nobody typed the texts either. */
AppStudy         *app_study_begin            (const UiDocument *document,
                                              gboolean          is_example);
/* Ends its threads and lets go of everything; nothing is told any more, and asked it says that there
 * is nothing. Not out of "changed". */
void              app_study_close            (AppStudy         *self);

/* The document. */

/* What the person chose. NULL once it is closed. */
const UiDocument *app_study_get_document     (AppStudy         *self);
/* A person's step. Takes the document over; a pass is asked for where model, texts or edits are
 * others, at once or after a moment of no typing. */
void              app_study_change           (AppStudy         *self,
                                              UiDocument       *document);
/* The last step leads to this document instead. Takes the document over. */
void              app_study_amend            (AppStudy         *self,
                                              UiDocument       *document);
/* Nothing happens where there is no such step or place. */
void              app_study_undo             (AppStudy         *self);
void              app_study_redo             (AppStudy         *self);
void              app_study_go_back          (AppStudy         *self);
void              app_study_go_forward       (AppStudy         *self);
gboolean          app_study_can_undo         (AppStudy         *self);
gboolean          app_study_can_redo         (AppStudy         *self);
gboolean          app_study_can_go_back      (AppStudy         *self);
gboolean          app_study_can_go_forward   (AppStudy         *self);
/* "Layer 3"; NULL when there is none. (transfer full) */
char             *app_study_describe_undo    (AppStudy         *self);
char             *app_study_describe_redo    (AppStudy         *self);
int               app_study_get_n_steps      (AppStudy         *self);
/* Steps: another model, another trace file, begun with the head that tells most of it; the document
 * otherwise as it was. */
void              app_study_open_model       (AppStudy         *self,
                                              const char       *model);
/* The same in one step with what else of the document is another. Takes it over. */
void              app_study_open_model_with  (AppStudy         *self,
                                              const char       *model,
                                              UiDocument       *document);
/* A step: these texts, without pins of others. Another model or kind begins with the head that tells
 * most of it. */
void              app_study_open_texts       (AppStudy         *self,
                                              const AppTexts   *texts);
/* app_study_open_model() with random weights. */
void              app_study_open_untrained   (AppStudy         *self,
                                              const char       *model,
                                              int               seed);
void              app_study_open_trace       (AppStudy         *self,
                                              const char       *path);
/* Whether they are of different models or files. */
gboolean          app_study_has_other_source (const UiDocument *a,
                                              const UiDocument *b);
/* The model of that folder has other weights by now: where it is on show, of either side, it is
 * opened anew and its pass asked for, which is no step. Nothing happens while a pass is awaited or a
 * text is written; FALSE then. */
gboolean          app_study_open_anew        (AppStudy         *self,
                                              const char       *folder);
/* Gives the document another kind of attention than from has: the layer and the heads that were
 * last chosen there, where the kinds have not the same ones, and the pins whose tokens stand on the
 * same side. */
void              app_study_put_kind         (AppStudy         *self,
                                              UiDocument       *document,
                                              EngKind           from,
                                              EngKind           kind);
/* Whether a person may type: not while a trace file is shown. */
gboolean          app_study_has_texts        (AppStudy         *self);

/* The pass. */

/* The last answer that brought a trace; NULL before the first one. */
EngTrace         *app_study_get_trace        (AppStudy         *self);
/* NULL for a trace file, too. */
EngModel         *app_study_get_model        (AppStudy         *self);
/* The request that the trace answers. */
const UiDocument *app_study_get_answered     (AppStudy         *self);
/* Whether all of its layers are there. */
gboolean          app_study_is_complete      (AppStudy         *self);
/* Of the last complete pass; < 0 for a file. */
double            app_study_get_milliseconds (AppStudy         *self);
/* Tokens of the texts before truncation; 0 = nothing was cut. */
int               app_study_get_n_uncut      (AppStudy         *self);
/* Of the last complete pass; never NULL. */
const AppPredictions *app_study_get_predictions (AppStudy      *self);
/* Whether an answer is to come; a pass that is about to be asked for counts in is_settled alone. */
gboolean          app_study_is_waiting       (AppStudy         *self);
/* Whether nothing is awaited: neither side's pass. */
gboolean          app_study_is_settled       (AppStudy         *self);
/* NULL = the document is not refused. */
const AppRefusal *app_study_get_refusal      (AppStudy         *self);
/* Whether layers of another model that is still computed are worth taking; until they are, the
 * study stays at the trace before. */
typedef gboolean (*AppStudyGate)             (EngTrace         *trace,
                                              gpointer          data);
void              app_study_set_gate         (AppStudy         *self,
                                              AppStudyGate      gate,
                                              gpointer          data);

/* What a model writes. */

void              app_study_write            (AppStudy         *self,
                                              AppWriting        writing);
/* Forgets it, which is a step. */
void              app_study_write_anew       (AppStudy         *self);
gboolean          app_study_can_write        (AppStudy         *self);
/* Behind the texts of answered; never NULL, nor is its text. */
const AppWritten *app_study_get_written      (AppStudy         *self);
/* Whether something was written behind the document's texts. */
gboolean          app_study_has_written      (AppStudy         *self);
/* Gives a document of what is on show the texts that its tokens stand for: with what was written. */
void              app_study_put_written      (AppStudy         *self,
                                              UiDocument       *document);

/* The second side of a comparison. */

/* Its trace, or the first one's where one pass serves both; NULL while there is none. */
EngTrace         *app_study_get_second       (AppStudy         *self);
/* The model that answered; NULL where none did. */
EngModel         *app_study_get_second_model (AppStudy         *self);
gboolean          app_study_awaits_second    (AppStudy         *self);
/* Why there is none; NULL = it was not refused. */
const char       *app_study_get_second_refusal (AppStudy       *self);

/* The run without edits. */

/* Whether edits that are on acted on the trace. */
gboolean          app_study_is_edited        (AppStudy         *self);
/* NULL = it is being made, cannot be, or there are no edits. */
EngTrace         *app_study_get_before       (AppStudy         *self);
/* The runs that name the tokens of edits: of the document as it is, and of the text as it was typed,
 * whose tokens an edit of tokens finds; NULL = not there, or not yet. */
const EngTrace   *app_study_get_named        (AppStudy         *self);
const EngTrace   *app_study_get_typed        (AppStudy         *self);

/* The session file. */

/* Where it was opened from or saved to; NULL = nowhere. */
const char       *app_study_get_path         (AppStudy         *self);
/* Whether something would be lost: changes of a session, or what was restored. */
gboolean          app_study_has_changes      (AppStudy         *self);
/* They may be lost. */
void              app_study_forget_changes   (AppStudy         *self);
/* What was read becomes the document; steps come behind those that there are. path: of the session
 * that it is from now on; NULL = of none. */
void              app_study_show_session     (AppStudy         *self,
                                              UiSession        *session,
                                              const char       *path);
/* Reads a session, a figure, a trace or the folder of a model in a thread, and shows it; of a lesson
 * only says that it is one. is_lost: what a program that was ended has left. */
void              app_study_open_async       (AppStudy         *self,
                                              const char       *path,
                                              gboolean          is_lost,
                                              GAsyncReadyCallback callback,
                                              gpointer          data);
/* What was opened, also where it was refused. */
typedef struct {
  char        *path;
  AppFileKind  kind;
  gboolean     is_lost;
  char        *unknown; /* what this version passed over; NULL = nothing */
} AppOpened;
/* Fills *opened, which is empty. G_IO_ERROR_CLOSED where the study was closed meanwhile. */
gboolean          app_study_open_finish      (AppStudy         *self,
                                              GAsyncResult     *result,
                                              AppOpened        *opened,
                                              GError          **error);
void              app_opened_clear           (AppOpened        *self);
/* Writes in a thread. One at a time, so that what was saved last stays last: FALSE = one is being
 * written, and callback is not called. */
gboolean          app_study_save_async       (AppStudy         *self,
                                              const char       *path,
                                              GAsyncReadyCallback callback,
                                              gpointer          data);
/* (transfer full) The path; NULL with an error. */
char             *app_study_save_finish      (AppStudy         *self,
                                              GAsyncResult     *result,
                                              GError          **error);

/* What is kept only to be quick goes. */
void              app_study_shrink           (AppStudy         *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AppOpened, app_opened_clear)

G_END_DECLS
