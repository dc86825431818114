/* SPDX-License-Identifier: MIT */
/* Runs a model. A session owns the arena of its passes and is used by one thread at a time; any
 * number of sessions may share a model. The work is spread over the engine's pool of threads
 * (engine/kernels/pool.h). */
#pragma once

#include "engine/edit.h"
#include "engine/model.h"

G_BEGIN_DECLS

typedef struct _EngSession EngSession;

typedef struct {
  EngTokens     *tokens;      /* from eng_inputs_from_texts() */
  EngTokens     *decoder_tokens; /* input of the decoder of two stacks, else NULL */
  const char    *text_a;      /* nullable; only carried into the trace */
  const char    *text_b;
  /* Each acts in its own kind; those of tokens were applied (engine/token-edits.h) and are only
   * carried into the trace. */
  const EngEdit *edits;
  int            n_edits;
  gboolean       unfinished;  /* a decoder will write more: edits may name tokens that it lacks */
  /* bit 1 << EngTask: heads to compute; those that are absent are left out */
  guint          tasks;
  /* fill-mask logits of every token instead of only the mask tokens' */
  gboolean       all_positions;
  gboolean       keep_attention; /* keep the weights of every layer, however large */

  /* nullable; polled with g_atomic_int_get(), non-zero stops the pass */
  gint          *cancel;
  /* nullable; called in the running thread when a layer may be read. The trace is borrowed: take a
   * reference to keep it. */
  void         (*layer_done) (EngTrace *trace,
                              EngKind   kind,
                              int       layer,
                              gpointer  data);
  gpointer       data;
} EngRunRequest;

EngSession *eng_session_new  (EngModel   *model);
void        eng_session_free (EngSession *self);

/* (transfer full) NULL with ENG_ERROR_CANCELLED when the flag was raised; answers within 30 ms on
 * BERT-base. ENG_ERROR_RANGE when the weights lead to what is no number. */
EngTrace   *eng_session_run  (EngSession          *self,
                              const EngRunRequest *request,
                              GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngSession, eng_session_free)

G_END_DECLS
