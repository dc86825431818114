/* SPDX-License-Identifier: MIT */
/* The weights that a scene shows: attention of a layer under the heads, the filter and the
 * renormalisation of a document. Every number of a drawing, its sentences and its tables comes
 * through here. Without a filter there is nothing to renormalise. The neuron view shows one head,
 * all of it: it takes neither the filter nor the renormalisation. */
#pragma once

#include "ui/scene/document.h"

G_BEGIN_DECLS

typedef struct {
  EngAttention *attention;
  int          *heads;         /* [n_heads] shown, ascending */
  int           n_heads;
  /* [n_queries] 1 = the filter lets its row through, and it is no padding that is not pinned */
  guint8       *query_passes;
  guint8       *key_passes;    /* [n_keys] likewise its column */
  float        *row_scale;     /* [heads of the layer, n_queries]; NULL = 1 for all */
  double        threshold;     /* weaker links are not drawn */
  int           n_left_out;    /* rows of padding */
} UiWeights;

void     ui_weights_init  (UiWeights        *self,
                           EngAttention     *attention, /* a reference is taken */
                           const EngTokens  *queries,
                           const EngTokens  *keys,
                           const UiDocument *document);
void     ui_weights_clear (UiWeights        *self);

/* 0 for what the filter leaves out. */
double   ui_weights_get   (const UiWeights  *self,
                           int               head,
                           int               query,
                           int               key);
/* For a key: what the pinned queries give it together; for a query: what it gives to the pinned
 * keys. 0 for a token that is not pinned where its own side has pins. */
double   ui_weights_sum   (const UiWeights  *self,
                           const UiPins     *pins,
                           int               head,
                           gboolean          key,
                           int               token);
/* The same as a mean over the heads shown. */
double   ui_weights_mean  (const UiWeights  *self,
                           const UiPins     *pins,
                           gboolean          key,
                           int               token);

G_END_DECLS
