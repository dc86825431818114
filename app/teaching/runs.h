/* SPDX-License-Identifier: MIT */
/* The passes that a lesson's claims are about: each state is run once, by the functions that every
 * other pass comes from, and models stay open from lesson to lesson. Blocking; one thread. */
#pragma once

#include "app/lessons/lesson.h"
#include "engine/predict/sweep.h"
#include "engine/transformer/inputs.h"

G_BEGIN_DECLS

typedef struct {
  UiDocument *document;
  EngModel   *model;     /* NULL of a trace from a file */
  EngInputs   inputs;    /* empty of such a one */
  EngTrace   *trace;
  gboolean    stands_in; /* the model is not here: the trace is one that it left elsewhere */
  GArray     *answers[ENG_N_TASKS]; /* of EngPrediction, all candidates; NULL = not asked yet */
  EngSweep   *sweep;     /* every head taken away in turn; NULL = not asked yet */
} AppRun;

typedef struct _AppRuns AppRuns;

/* cancel: once it is not zero nothing that can be ended goes on; nullable, it outlives the runs. */
AppRuns  *app_runs_new      (gint              *cancel);
gint     *app_runs_get_cancel (AppRuns         *self);
gboolean  app_runs_is_cancelled (AppRuns       *self);
void      app_runs_free     (AppRuns           *self);
/* Forgets passes, not models. */
void      app_runs_begin    (AppRuns           *self);
/* What a document asks for, borrowed until app_runs_begin(). APP_LESSON_ERROR_LACKING where the
 * model is not on this computer and no trace in data/traces of $HEADLIGHT_SHARED, or of ../shared, is of
 * that model and those texts. */
AppRun   *app_runs_get      (AppRuns           *self,
                             const UiDocument  *document,
                             GError           **error);
/* The one of a section's state, of its second side, of the section before, or without edits. */
AppRun   *app_runs_find     (AppRuns           *self,
                             const AppLesson   *lesson,
                             guint              section,
                             AppClaimRun        which,
                             GError           **error);
/* The state that a section shows, its own or the one before it. (borrowed) */
const UiDocument *app_section_get_state (const AppLesson *lesson,
                                         guint            section);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppRuns, app_runs_free)

G_END_DECLS
