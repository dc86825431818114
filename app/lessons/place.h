/* SPDX-License-Identifier: MIT */
/* Where something stands in a lesson's file, and what is wrong there. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Both count from 1; columns count characters. */
typedef struct {
  int line;
  int column;
} AppPlace;

/* Domain of what a lesson's file says wrongly: one sentence without a full stop, without the place,
 * which the reader gives beside it. */
#define APP_LESSON_ERROR (app_lesson_error_quark ())
typedef enum {
  APP_LESSON_ERROR_SYNTAX, /* it cannot be read */
  APP_LESSON_ERROR_VALUE,  /* it names what the model or the text has not */
  APP_LESSON_ERROR_LACKING /* the numbers for it are not on this computer */
} AppLessonError;
GQuark   app_lesson_error_quark (void);

typedef struct {
  AppPlace  place;
  char     *sentence; /* as of APP_LESSON_ERROR */
} AppFault;

/* (transfer full) An empty array of AppFault. */
GArray  *app_faults_new          (void);
void     app_faults_add          (GArray         *self,
                                  AppPlace        place,
                                  const char     *sentence);

/* Notes the place and the sentence. Always FALSE. */
gboolean app_place_refuse (AppPlace        at,
                           AppPlace       *place,
                           GError        **error,
                           AppLessonError  code,
                           const char     *format,
                           ...) G_GNUC_PRINTF (5, 6);

G_END_DECLS
