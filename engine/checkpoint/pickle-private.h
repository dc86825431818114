/* SPDX-License-Identifier: MIT */
/* How engine/checkpoint/pickle-opcodes.c grows the tree of engine/checkpoint/pickle.c. */
#pragma once

#include "engine/checkpoint/pickle.h"

G_BEGIN_DECLS

/* A node begins with its value, so that one's address is the other's. */
typedef struct {
  EngPickleValue  value;
  guint           capacity; /* of items */
} EngPickleNode;

/* Reads opcodes up to STOP and sets the pickle's value. *used (nullable): bytes up to there. */
gboolean       eng_pickle_run         (EngPickle             *pickle,
                                       const guint8          *data,
                                       gsize                  n_bytes,
                                       const char            *what,
                                       gsize                 *used,
                                       GError               **error);

/* The pickle owns its nodes and keeps them all to its end. */
EngPickleNode *eng_pickle_add_node    (EngPickle             *self,
                                       EngPickleType          type);
guint          eng_pickle_count_nodes (const EngPickle       *self);
void           eng_pickle_node_append (EngPickleNode         *self,
                                       gpointer              *nodes,
                                       guint                  n);
/* A name, kept once. */
const char    *eng_pickle_intern      (EngPickle             *self,
                                       const char            *name);
void           eng_pickle_set_value   (EngPickle             *self,
                                       const EngPickleValue  *value);

G_END_DECLS
