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

static void
fault_clear (gpointer data)
{
  g_free (((AppFault *) data)->sentence);
}

GArray *
app_faults_new (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (AppFault));

  g_array_set_clear_func (self, fault_clear);

  return self;
}

void
app_faults_add (GArray     *self,
                AppPlace    place,
                const char *sentence)
{
  const AppFault fault = { place, g_strdup (sentence) };

  g_array_append_val (self, fault);
}
