/* SPDX-License-Identifier: MIT */
/* The stack machine that engine/checkpoint/pickle-opcodes.c drives: bytes that are read once from
 * front to end, a stack of values with marks on it, and the memo by which values are said again.
 * All is bounded; every refusal names the byte. */
#pragma once

#include "engine/checkpoint/pickle-private.h"

G_BEGIN_DECLS

/* A checkpoint of 100,000 tensors stays below; what is larger was made to use up memory. */
#define ENG_PICKLE_MAX_VALUES (1 << 22)
#define ENG_PICKLE_MAX_MARKS 64
/* As a number of values: all above the last mark. */
#define ENG_PICKLE_TO_MARK (-1)

typedef struct {
  EngPickle     *pickle;
  const char    *what;
  const guint8  *data;
  gsize          n_bytes;
  gsize          at;     /* of the next byte */
  gsize          start;  /* of the opcode that is being read */
  const char    *opcode; /* its name */
  GPtrArray     *stack;  /* of EngPickleNode */
  GPtrArray     *memo;   /* of EngPickleNode, NULL where a number was left out */
  guint          marks[ENG_PICKLE_MAX_MARKS];
  guint          n_marks;
  GError       **error;
} EngPickleMachine;

void            eng_pickle_machine_clear         (EngPickleMachine  *self);

/* Always FALSE; the message stands behind the place. */
gboolean        eng_pickle_machine_refuse        (EngPickleMachine  *self,
                                                  const char        *format,
                                                  ...) G_GNUC_PRINTF (2, 3);

/* The next n bytes, NULL with an error when there are fewer. */
const guint8   *eng_pickle_machine_take          (EngPickleMachine  *self,
                                                  gsize              n);
/* A whole number of size bytes, the lowest first. */
gboolean        eng_pickle_machine_take_unsigned (EngPickleMachine  *self,
                                                  gsize              size,
                                                  guint64           *value);

/* A new value on the stack, NULL with an error when there is no room. */
EngPickleValue *eng_pickle_machine_push          (EngPickleMachine  *self,
                                                  EngPickleType      type);
/* One that was on it before. */
gboolean        eng_pickle_machine_push_again    (EngPickleMachine  *self,
                                                  EngPickleNode     *node);
/* Refuses when fewer than n values stand above the last mark: those below may not be taken. */
gboolean        eng_pickle_machine_need          (EngPickleMachine  *self,
                                                  guint              n);
/* *count: n, or the number of values above the last mark, which is taken away. Refuses when there
 * are fewer or there is no mark. */
gboolean        eng_pickle_machine_count_values  (EngPickleMachine  *self,
                                                  int                n,
                                                  guint             *count);
/* The upper value; there must be one. */
EngPickleNode  *eng_pickle_machine_pop           (EngPickleMachine  *self);
EngPickleNode  *eng_pickle_machine_peek          (EngPickleMachine  *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngPickleMachine, eng_pickle_machine_clear)

G_END_DECLS
