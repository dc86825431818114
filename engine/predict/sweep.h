/* SPDX-License-Identifier: MIT */
/* What each head does for a prediction: every head of a kind of attention is edited in turn, for
 * one text. Blocking; runs in the calling thread and the engine's pool.
 *
 * The numbers are those of single passes with the edit added to the request's, within 1e-5. The
 * layers before a head's own are computed once, and the heads of a layer run side by side. */
#pragma once

#include "engine/transformer/session.h"

G_BEGIN_DECLS

/* What EngSweepChange.change measures. */
typedef enum {
  ENG_SWEEP_PREDICTION,    /* KL (unedited ‖ edited) in bits, the mean of the positions */
  /* ‖Δh‖ / ‖h‖ of the last hidden states, all tokens together, after the final norm: of a model
   * without the head that was asked for, and of a text that leaves it nothing to predict (no mask
   * token) */
  ENG_SWEEP_HIDDEN_STATES
} EngSweepMeasure;

typedef struct {
  double change;             /* never below 0 */
  /* Of a prediction alone, else 0 and -1. */
  double probability_change; /* of the class that is best without the edit; mean of the positions */
  int    best;               /* class at the first position, with the edit */
} EngSweepChange;

typedef struct {
  EngKind          kind;
  EngSweepMeasure  measure;
  int              n_layers;
  int              n_heads;
  int              best;        /* class at the first position without an edit of the sweep; -1 */
  double           probability; /* of it */
  EngSweepChange  *changes;     /* [n_layers, n_heads] */
} EngSweep;

typedef void (*EngSweepFunc) (int                   layer,
                              int                   head,
                              const EngSweepChange *change,
                              gpointer              data);

/* (transfer full) request: tokens, edits that stay, all_positions and cancel count. kind: encoder,
 * decoder or cross, which the model must have. task: the head that predicts; fill-mask (at every
 * mask token), language-model (at the last token), next-sentence or text-classification, whatever
 * the request's tasks are; other tasks are refused. type: ENG_EDIT_SCALE_HEAD by factor (0 takes
 * the head away) or ENG_EDIT_UNIFORM_ROWS. head_done is nullable and called in this thread, layer
 * after layer from the last one to the first. NULL with ENG_ERROR_CANCELLED within 30 ms after the
 * request's flag was raised, and with what refuses a pass. */
EngSweep *eng_sweep_run  (EngModel             *model,
                          const EngRunRequest  *request,
                          EngKind               kind,
                          EngTask               task,
                          EngEditType           type,
                          float                 factor,
                          EngSweepFunc          head_done,
                          gpointer              data,
                          GError              **error);
void      eng_sweep_free (EngSweep             *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngSweep, eng_sweep_free)

G_END_DECLS
