/* SPDX-License-Identifier: MIT */
/* A sweep over all heads of a kind of attention (engine/predict/sweep.h) for a document: what is edited,
 * what is measured, and the changes as far as they are known. One thread runs it, others read what
 * is there meanwhile. Reference-counted. No GTK here. */
#pragma once

#include "app/store/progress.h"
#include "engine/predict/sweep.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct _AppAblation AppAblation;

/* type: ENG_EDIT_SCALE_HEAD, by 0, or ENG_EDIT_UNIFORM_ROWS. The document's own edits stay. */
AppAblation *app_ablation_new       (EngModel         *model,
                                     const UiDocument *document,
                                     EngKind           kind,
                                     EngTask           task,
                                     EngEditType       type,
                                     int               n_layers,
                                     int               n_heads);
AppAblation *app_ablation_ref       (AppAblation      *self);
void         app_ablation_unref     (AppAblation      *self);

/* Blocking, once. progress: in the calling thread. FALSE with ENG_ERROR_CANCELLED after the
 * flag was raised; what was done by then stays. */
gboolean     app_ablation_run       (AppAblation      *self,
                                     gint             *cancel,
                                     AppProgressFunc   progress,
                                     gpointer          data,
                                     GError          **error);

/* Any thread, any time. FALSE for a head that is not done yet. */
gboolean     app_ablation_get       (AppAblation      *self,
                                     int               layer,
                                     int               head,
                                     EngSweepChange   *change);
/* The prediction without the sweep's edits: its best class and the probability of it. FALSE before
 * the end, where the change is one of hidden states, and where several words are predicted. */
gboolean     app_ablation_get_base  (AppAblation      *self,
                                     int              *best,
                                     double           *probability);
/* Whether predictions are measured; hidden states else. */
gboolean     app_ablation_predicts  (AppAblation      *self);
EngKind      app_ablation_get_kind  (AppAblation      *self);
EngEditType  app_ablation_get_type  (AppAblation      *self);
int          app_ablation_get_n_layers (AppAblation   *self);
int          app_ablation_get_n_heads (AppAblation    *self);
/* Token or label of a class that a change or the base names; NULL for others. (transfer full) */
char        *app_ablation_dup_class (AppAblation      *self,
                                     int               id);

/* A line with names, then one for each head that is done, by layer and head: layer, head, KL in
 * bits (or the relative change of the hidden states), probability of the best class before,
 * after, its change, the best class after. What is not known is empty. (transfer full) */
char        *app_ablation_to_csv    (AppAblation      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppAblation, app_ablation_unref)

G_END_DECLS
