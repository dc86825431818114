/* SPDX-License-Identifier: MIT */
/* Arrays of float32 in NumPy's format 1.0, as numpy.load() reads them: header, then the values, the
 * last dimension fastest. Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The header; shape: [n_dimensions], two or more. (transfer full) */
GByteArray *ui_npy_new    (const guint *shape,
                           int          n_dimensions);
void        ui_npy_append (GByteArray  *bytes,
                           float        value);

G_END_DECLS
