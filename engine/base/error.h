/* SPDX-License-Identifier: MIT */
/* The one error domain of the engine. Every message is one sentence that names the file, tensor,
 * key or text, what was found there and what was expected; it ends without a full stop so that a
 * caller may put it behind "headlight: " or into a toast. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ENG_ERROR (eng_error_quark ())

typedef enum {
  ENG_ERROR_IO,          /* a file cannot be opened, read or written */
  ENG_ERROR_FORMAT,      /* a file is not what its format says */
  ENG_ERROR_UNSUPPORTED, /* well formed, but not something that Headlight runs */
  ENG_ERROR_MISSING,     /* a tensor, key, token or file that is needed is not there */
  ENG_ERROR_SHAPE,       /* a tensor has another shape than the config says */
  ENG_ERROR_RANGE,       /* a number is outside of what the model or the format allows */
  ENG_ERROR_TEXT,        /* a typed text is refused: empty, not UTF-8 */
  ENG_ERROR_LENGTH,      /* a text has more tokens than the model has positions */
  ENG_ERROR_CANCELLED    /* the caller's cancel flag was raised */
} EngError;

GQuark   eng_error_quark  (void);

/* "WHAT: MESSAGE" for the readers of a file that have a shorter way to say it of their own. Always
 * FALSE. */
gboolean eng_error_refuse (GError     **error,
                           EngError     code,
                           const char  *what,
                           const char  *format,
                           va_list      arguments) G_GNUC_PRINTF (4, 0);

G_END_DECLS
