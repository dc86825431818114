/* SPDX-License-Identifier: MIT */
/* The numbers of a layer that a document asks for, before anything is left out of them: one block
 * [heads, rows, columns] in the units of the measure. In this order: the measure of each head
 * (engine/trace/measures.h); mean or max over all layers; mean or max over the heads that are
 * shown; pieces of a word put together (sum over the columns, mean over the rows). */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct {
  EngAttention *attention;
  EngTokens    *queries;      /* what its rows stand for: the trace's tokens, or words */
  EngTokens    *keys;
  int          *query_rows;   /* [tokens that read] row of each; NULL = its own number */
  int          *key_columns;  /* [tokens that are read] column of each; NULL = its own number */
  gboolean      is_aggregate; /* the block has one head, which stands for several */
  UiAggregate   heads;        /* how these became one; EACH where none did, and in a rollout */
  EngMeasure    measure;
  UiAggregate   layers;       /* over all layers, or EACH: one layer */
  int           n_layers;     /* that were put together; 1 for one */
  double        unit;         /* the value that is drawn in full: 1, or the block's largest norm */
} UiBlock;

/* Of whoever waits for numbers of many layers. Called and polled in the thread that computes. */
typedef struct {
  const gint *cancel; /* nullable, atomic: not 0 = nobody wants them any more */
  void      (*progress) (int done, int n, gpointer data); /* nullable; done of n layers */
  gpointer    data;
} UiWatch;

/* FALSE when the trace has not what the measure needs: values, or one text that reads itself. */
gboolean ui_block_init        (UiBlock           *self,
                               EngTrace          *trace,
                               const UiDocument  *document,
                               EngKind            kind,
                               int                layer,
                               GError           **error);
/* The same, watched (nullable); FALSE with ENG_ERROR_CANCELLED, too. */
gboolean ui_block_compute     (UiBlock           *self,
                               EngTrace          *trace,
                               const UiDocument  *document,
                               EngKind            kind,
                               int                layer,
                               const UiWatch     *watch,
                               GError           **error);
void     ui_block_clear       (UiBlock           *self);

/* Pins of tokens as pins of rows and columns. *rows is empty. */
void     ui_block_map_pins    (const UiBlock     *self,
                               const UiPins      *tokens,
                               UiPins            *rows);
/* The first token of a row or of a column. */
int      ui_block_get_token   (const UiBlock     *self,
                               gboolean           key,
                               int                row);

/* (transfer full) Names for tokens, of which each has that of its whole word: texts alone. */
EngTokens *ui_block_name_by_word (const EngTokens *tokens);

G_END_DECLS
