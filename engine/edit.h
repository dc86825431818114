/* SPDX-License-Identifier: MIT */
/* Interventions that the forward applies, in one place, while it runs. An empty list changes no
 * bit. Text form, one edit a string (the command line's --edit, the session file, the trace's
 * metadata):
 *   zero L.H           scale L.H F        (multiplies α·V of the head before W_O; its weights stay)
 *   uniform L.H        every row of the head becomes 1 / visible keys
 *   cut L.H Q K        cut L.H Q K renormalise    (that weight 0; the row left short, or
 *                                                  brought back to 1)
 *   knock-out T        no query reads token T, in any layer
 *   skip-attention L   skip-feed-forward L        (the sub-layer adds nothing to the residual
 *                                                  stream)
 * H may be * for every head of the layer in zero, scale, uniform and cut.
 *
 * In the order of the forward: a knocked out key is masked before the softmax, for its own query
 * too, so rows still sum to 1 and its row reads the others; uniform replaces the softmax over the
 * keys that are then visible; a cut divides what is left of the row by its sum, or does not; a
 * scale acts on α · V and shows in no weight of its layer; a skipped sub-layer counts as 0, bias
 * included, and a norm behind the residual sum still acts: norm (x + 0).
 * tests/engine/test-numbers.c holds each of them to transformers. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ENG_EDIT_SCALE_HEAD,
  ENG_EDIT_UNIFORM_ROWS,
  ENG_EDIT_CUT_EDGE,
  ENG_EDIT_KNOCK_OUT_TOKEN,
  ENG_EDIT_SKIP_ATTENTION,
  ENG_EDIT_SKIP_FEED_FORWARD
} EngEditType;

#define ENG_ALL_HEADS (-1)

typedef struct {
  EngEditType type;
  int         layer;       /* not for a knocked out token */
  int         head;        /* or ENG_ALL_HEADS */
  int         query;       /* of a cut edge */
  int         key;         /* of a cut edge, and the knocked out token */
  float       factor;      /* of a scaled head; 0 is "zero" */
  gboolean    renormalise; /* of a cut edge */
} EngEdit;

gboolean  eng_edit_parse     (const char     *text,
                              EngEdit        *edit,
                              GError        **error);
char     *eng_edit_to_string (const EngEdit  *edit);

/* Whether every edit names a layer, head and token that exist. */
gboolean  eng_edits_check    (const EngEdit  *edits,
                              int             n_edits,
                              int             n_layers,
                              int             n_heads,
                              int             n_tokens,
                              GError        **error);

G_END_DECLS
