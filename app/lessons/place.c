/* SPDX-License-Identifier: MIT */
#include "app/lessons/place.h"

G_DEFINE_QUARK (app-lesson-error-quark, app_lesson_error)

gboolean
app_place_refuse (AppPlace         at,
                  AppPlace        *place,
                  GError         **error,
                  AppLessonError   code,
                  const char      *format,
                  ...)
{
  va_list arguments;
  g_autofree char *sentence = NULL;

  va_start (arguments, format);
  sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  *place = at;
  g_set_error_literal (error, APP_LESSON_ERROR, code, sentence);

  return FALSE;
}
