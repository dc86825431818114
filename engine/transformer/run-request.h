/* SPDX-License-Identifier: MIT */
/* What a session (engine/transformer/session.h) is asked to run. Everything is borrowed for as long
 * as it runs. */
#pragma once

#include "engine/edits/edit.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  EngTokens     *tokens;      /* from eng_inputs_from_texts() */
  EngTokens     *decoder_tokens; /* input of the decoder of two stacks, else NULL */
  const char    *text_a;      /* nullable; only carried into the trace */
  const char    *text_b;
  /* Each acts in its own kind; those of tokens were applied (engine/transformer/token-edits.h) and
   * are only carried into the trace. */
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

G_END_DECLS
