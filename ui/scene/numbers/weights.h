/* SPDX-License-Identifier: MIT */
/* The weights that a scene shows: the numbers of a layer under what a document says of them. Every
 * number of a drawing, its sentences and its tables comes through here. In this order:
 *
 *   block    (block.h) measure, aggregate over layers and heads, pieces put together to words
 *   filter   rows and columns that are left out: sentences, template tokens, padding
 *   scale    rows brought back to 1 over what is left
 *   floor    threshold and kept mass: what is drawn of it
 *
 * The neuron view shows one head, all of it, and takes none of these. Rows and columns are those of
 * the block: tokens, or words; pins of a document are tokens (ui_block_map_pins()). */
#pragma once

#include "ui/scene/numbers/block.h"

G_BEGIN_DECLS

typedef struct {
  UiBlock       block;
  EngAttention *attention;     /* the block's; borrowed */
  int          *heads;         /* [n_heads] shown, ascending; of an aggregate its one, 0 */
  int           n_heads;
  /* [n_queries] 1 = the filter lets its row through, and it is no padding that is not pinned */
  guint8       *query_passes;
  guint8       *key_passes;    /* [n_keys] likewise its column */
  /* [heads of the block, n_queries]; NULL = 1 for all, else the block's unit is 1, too */
  float        *row_scale;
  float        *row_floor;     /* likewise: weaker links are no part of the kept mass; NULL = 0 */
  double        threshold;     /* weaker links are not drawn; in units of the measure */
  double        gain;
  int           n_left_out;    /* rows of padding */
} UiWeights;

/* FALSE when the trace has not what the measure needs, or when cancelled; watch: see block.h. */
gboolean ui_weights_init  (UiWeights         *self,
                           EngTrace          *trace,
                           const UiDocument  *document,
                           EngKind            kind,
                           int                layer,
                           const UiWatch     *watch,
                           GError           **error);
void     ui_weights_clear (UiWeights         *self);

/* 0 for what the filter leaves out. In units of the measure. */
double   ui_weights_get   (const UiWeights   *self,
                           int                head,
                           int                query,
                           int                key);
/* Whether threshold and kept mass let a value of that row be drawn. */
gboolean ui_weights_draws (const UiWeights   *self,
                           int                head,
                           int                query,
                           double             value);
/* Whether the kept mass alone does. */
gboolean ui_weights_keeps (const UiWeights   *self,
                           int                head,
                           int                query,
                           double             value);
/* A value as part of the full scale: what widths and opacities (× gain) are made of. */
double   ui_weights_get_strength (const UiWeights *self,
                                  double           value);
/* Opacity of a value in 1/255: strength × gain, at most 1. */
guint8   ui_weights_get_alpha (const UiWeights  *self,
                               double            value);
/* For a key: what the pinned queries give it together; for a query: what it gives to the pinned
 * keys. 0 for a token that is not pinned where its own side has pins. */
double   ui_weights_sum   (const UiWeights   *self,
                           const UiPins      *pins,
                           int                head,
                           gboolean           key,
                           int                token);
/* The same as a mean over the heads shown. */
double   ui_weights_mean  (const UiWeights   *self,
                           const UiPins      *pins,
                           gboolean           key,
                           int                token);

G_END_DECLS
