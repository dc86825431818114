/* SPDX-License-Identifier: MIT */
/* The window before people: nothing but the picture and one sentence, in large type. One key goes
 * on: through the screens of a step, the sentences and sections of the lesson that is open, else
 * through the steps or the layers. A spotlight, a pointer that the back row sees, a still picture
 * while something is prepared; who speaks has a window of their own. Main thread. */
#pragma once

#include "app/desk/desk.h"
#include "app/parts/caption/caption.h"
#include "app/parts/lessons/lessons.h"
#include "app/shell/presenter.h"

G_BEGIN_DECLS

typedef struct _AppStage AppStage;

/* Of the window; borrowed. */
typedef struct {
  AdwApplicationWindow *window;
  AppDesk              *desk;
  AppPresenter         *presenter;
  AppLessonsPart       *lessons;
  AppCaptionPart       *caption;
  GtkWidget            *strip;         /* of heads */
  GtkWidget            *foot_line;     /* above the line of the legend */
  GtkWidget            *caption_place; /* the line of the sentence and, last, its chips */
} AppStageWidgets;

/* Adds its actions to the window, which has "fullscreen" (app/shell/presenter.h). */
AppStage *app_stage_new  (const AppStageWidgets *widgets);
/* Of the window; while it is laid out, too. */
void      app_stage_set_height (AppStage        *self,
                                int              height);
void      app_stage_free (AppStage              *self);

G_END_DECLS
