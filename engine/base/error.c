/* SPDX-License-Identifier: MIT */
#include "engine/base/error.h"

G_DEFINE_QUARK (eng-error-quark, eng_error)

gboolean
eng_error_refuse (GError     **error,
                  EngError     code,
                  const char  *what,
                  const char  *format,
                  va_list      arguments)
{
  g_autofree char *message = g_strdup_vprintf (format, arguments);

  g_set_error (error, ENG_ERROR, (int) code, "%s: %s", what, message);

  return FALSE;
}
