/* SPDX-License-Identifier: MIT */
/* The block diagram of a model, as data: which blocks stand behind each other, how often a group
 * of them is repeated, and the shape of what leaves each of them for a text. Made from the spec
 * alone by eng_diagram_new() (engine/steps/make.h); it keeps no model. Immutable; any thread. */
#pragma once

#include "engine/base/kinds.h"

G_BEGIN_DECLS

typedef enum {
  ENG_BLOCK_TOKENS,
  ENG_BLOCK_EMBEDDING,     /* word + position + segment */
  ENG_BLOCK_NORM,
  ENG_BLOCK_WIDEN,         /* projection to the hidden size */
  ENG_BLOCK_ATTENTION,
  ENG_BLOCK_CROSS_ATTENTION,
  ENG_BLOCK_FEED_FORWARD,
  ENG_BLOCK_ADD,           /* the residual connection */
  ENG_BLOCK_CONVOLUTION,   /* beside the first layer, added to what it leaves */
  ENG_BLOCK_HEAD           /* a task head */
} EngBlockType;

#define ENG_RESIDUAL_INPUT (-1)
#define ENG_RESIDUAL_NONE (-2)

typedef struct {
  EngBlockType type;
  EngKind      stack;      /* encoder or decoder */
  int          group;      /* index; -1 = in none */
  char        *name;       /* in words: "Self-attention" */
  char        *detail;     /* "12 heads of 64, causal", "3072 neurons, GELU"; NULL = nothing */
  int          rows;       /* shape of what leaves it, tokens × features */
  int          columns;
  gint64       n_parameters; /* of one of the group */
  /* Of ENG_BLOCK_ADD: index of the block whose output is added besides that of the one before it,
   * ENG_RESIDUAL_INPUT = what entered the group; of all others ENG_RESIDUAL_NONE. */
  int          residual;
  /* Index of the block whose output it reads: the one before it, ENG_RESIDUAL_INPUT = what entered
   * the group, ENG_RESIDUAL_NONE = nothing. */
  int          reads;
  int          task;       /* EngTask of a head, else -1 */
} EngDiagramBlock;

/* Layers that are alike and stand behind each other: drawn once, "× n". Where sorts take turns
 * there is a group a sort, and layers says which they are. */
typedef struct {
  EngKind  stack;
  int      first_layer;
  int      n_layers;
  char    *layers;         /* in words: "layers 0 to 11", "layers 0, 2, 4 and 6" */
  gboolean parallel;       /* its sub-layers stand side by side */
  int      first;          /* its blocks */
  int      n;
} EngDiagramGroup;

typedef struct {
  int              n_blocks;
  EngDiagramBlock *blocks;
  int              n_groups;
  EngDiagramGroup *groups;
  /* Of encoder and decoder, and the group of each layer; 0 and NULL = there is no such stack. */
  int              n_layers[2];
  int             *group_of_layer[2];
} EngDiagram;

void        eng_diagram_free (EngDiagram *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngDiagram, eng_diagram_free)

G_END_DECLS
