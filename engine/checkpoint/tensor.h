/* SPDX-License-Identifier: MIT */
/* A view of a tensor as it lies in a file: type, shape and bytes, in C order. Owns nothing. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

#define ENG_MAX_RANK 8

typedef enum {
  ENG_TYPE_BOOL, ENG_TYPE_U8, ENG_TYPE_I8, ENG_TYPE_I16, ENG_TYPE_U16, ENG_TYPE_F16, ENG_TYPE_BF16,
  ENG_TYPE_I32, ENG_TYPE_U32, ENG_TYPE_F32, ENG_TYPE_I64, ENG_TYPE_U64, ENG_TYPE_F64,
  ENG_TYPE_OTHER, /* known to the format, not readable here: F8, F6, F4, C64 */
  ENG_TYPE_BLOCKS /* and on: the quantised types, in the order of EngBlocks */
} EngType;

/* What a format does to weights that the hub's files leave to their reader. */
typedef struct {
  gboolean sliced;  /* the parts of a fused weight lie one behind the other, of a family whose own
                     * files have them head by head, too */
  gboolean turned;  /* every weight is [out, in], of a family whose own files have [in, out] too */
  gboolean whole;   /* so are the weights of norms, of a family whose own files have them less 1 */
  int      n_pairs; /* > 0: rows are of so many heads, and of each head row 2i + j is what else is
                     * row i + j · (rows of a head / 2): the two that are turned together stand
                     * beside each other */
} EngTensorForm;

typedef struct {
  const char *name;  /* borrowed from the file */
  EngType     type;
  const char *type_name; /* "F16" */
  int         rank;
  gint64      shape[ENG_MAX_RANK];
  gint64      n_elements;
  const guint8 *data; /* may be unaligned */
  gsize       n_bytes;
  EngTensorForm form;
} EngTensor;

/* Bytes of what is stored together: an element, or a block of a quantised type; 0 for OTHER. */
gsize       eng_type_get_size          (EngType          type);
/* Elements of what is stored together: 1, or those of a block. */
int         eng_type_get_n_together    (EngType          type);
gboolean    eng_type_is_quantised      (EngType          type);
const char *eng_type_get_name          (EngType          type); /* "F16"; NULL for OTHER */
/* safetensors' own name of the type, or NULL when it has none of that name. *bits: of one element,
 * OTHER too. */
const char *eng_type_from_name         (const char      *name,
                                        EngType         *type,
                                        int             *bits);
/* relative, one unit in the last place */
double      eng_type_get_unit          (EngType          type);
gboolean    eng_tensor_has_shape       (const EngTensor *self,
                                        int              rank,
                                        const gint64    *shape);
char       *eng_tensor_dup_shape       (const EngTensor *self); /* "[30522, 768]" */
/* Whether this tensor tells more than other (nullable) of how a model's weights are stored: one
 * that is quantised before those that are not, then the one of more elements. */
gboolean    eng_tensor_tells_more      (const EngTensor *self,
                                        const EngTensor *other);
/* TRUE when the floats may be used where they lie: F32, aligned to 4 bytes. */
gboolean    eng_tensor_is_plain_f32    (const EngTensor *self);
/* F16, BF16, F32, F64 and the quantised types, of whole blocks, to F32. FALSE for other types. out:
 * [n_elements]. Vectorised where the machine can. */
gboolean    eng_tensor_widen           (const EngTensor *self,
                                        float           *out);

G_END_DECLS
