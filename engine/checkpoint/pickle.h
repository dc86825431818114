/* SPDX-License-Identifier: MIT */
/* Pickles as trees to look at. A pickle is a program for a small stack machine that may import and
 * call anything; here names and calls become nodes of a tree and nothing is ever looked up or run.
 * Depth of the stack, memory of repeated values and their number are bounded. A list or dict may
 * hold itself, so a tree is not to be walked without an end. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

typedef struct _EngPickle EngPickle;
typedef struct _EngPickleValue EngPickleValue;

typedef enum {
  ENG_PICKLE_NONE,
  ENG_PICKLE_BOOL,       /* integer */
  ENG_PICKLE_INT,        /* integer */
  ENG_PICKLE_LONG,       /* text: more than 8 bytes of two's complement, the lowest first */
  ENG_PICKLE_FLOAT,      /* number */
  ENG_PICKLE_STRING,     /* text; UTF-8 was not checked */
  ENG_PICKLE_BYTES,      /* text */
  ENG_PICKLE_TUPLE,      /* items */
  ENG_PICKLE_LIST,       /* items */
  ENG_PICKLE_DICT,       /* items: key, value, key, value, … */
  ENG_PICKLE_GLOBAL,     /* name: "module name" */
  ENG_PICKLE_CALL,       /* callee, argument; items: what was put into the result, as in a dict or
                          * list. State that was set on it is dropped. */
  ENG_PICKLE_PERSISTENT  /* argument: the id of something that is stored outside of the pickle */
} EngPickleType;

struct _EngPickleValue {
  EngPickleType          type;
  guint                  n_items;
  union {
    gint64                integer;
    double                number;
    const char           *text;  /* length bytes in the pickle itself, without a NUL behind them */
    const char           *name;
    const EngPickleValue *callee;
  };
  union {
    gsize                 length;
    const EngPickleValue *argument;
  };
  EngPickleValue       **items;  /* [n_items] */
};

/* Reads the first pickle in data, which must stay while the tree is in use; what names it in
 * messages. *used (nullable): its bytes, to the STOP. */
EngPickle            *eng_pickle_read        (const guint8          *data,
                                              gsize                  n_bytes,
                                              const char            *what,
                                              gsize                 *used,
                                              GError               **error);
void                  eng_pickle_free        (EngPickle             *self);
const EngPickleValue *eng_pickle_get_value   (const EngPickle       *self);
/* of EngPickleValue: all of ENG_PICKLE_PERSISTENT, in the order of the pickle */
const GPtrArray      *eng_pickle_get_stored  (const EngPickle       *self);

gboolean              eng_pickle_is_global   (const EngPickleValue  *value,
                                              const char            *name);
/* A string of exactly this text. */
gboolean              eng_pickle_is_string   (const EngPickleValue  *value,
                                              const char            *text);
/* (transfer full) A string that is UTF-8 without NUL and has from 1 to max_bytes, else NULL. */
char                 *eng_pickle_dup_string  (const EngPickleValue  *value,
                                              gsize                  max_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngPickle, eng_pickle_free)

G_END_DECLS
