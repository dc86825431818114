/* SPDX-License-Identifier: MIT */
/* Rows of attention as a claim asks for them: those of the trace under a measure, or one that is
 * computed anew from queries and keys because it asks what if. One thread. */
#pragma once

#include "app/teaching/evaluate-private.h"

G_BEGIN_DECLS

typedef struct {
  const AppCall *call;
  AppRun        *keys_run;  /* whose keys are read */
  int            layer;
  gboolean       anew;
  EngAttention  *attention; /* of the layer; NULL where rows are of another run's keys */
  int            n_keys;
} AppRows;

/* keys: of whose run they are; measure: index of its name in app_claim_get_names(). *self is
 * empty. */
gboolean app_rows_init        (AppRows         *self,
                               const AppCall   *call,
                               const AppTokens *keys,
                               int              layer,
                               int              measure,
                               GError         **error);
/* [n_keys] of a head and query. */
gboolean app_rows_fill        (const AppRows  *self,
                               int             head,
                               int             query,
                               double         *row,
                               GError        **error);
/* The scores before the softmax, -INFINITY where a mask hides the key. */
gboolean app_rows_fill_scores (const AppRows  *self,
                               int             head,
                               int             query,
                               double         *row,
                               GError        **error);
void     app_rows_clear       (AppRows        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AppRows, app_rows_clear)

G_END_DECLS
