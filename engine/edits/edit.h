/* SPDX-License-Identifier: MIT */
/* Interventions, one edit a string (the command line's --edit, the session file, the trace's
 * metadata). An empty list changes no bit. Those that the forward applies, in one place, while it
 * runs:
 *   zero L.H           scale L.H F        (multiplies α·V of the head before W_O; its weights stay)
 *   uniform L.H        every row of the head becomes 1 / visible keys
 *   cut L.H Q K        cut L.H Q K renormalise    (that weight 0; the row left short, or
 *                                                  brought back to 1, as if a mask hid the key).
 *                      Q and K: a token, several in a row (3-5) or all (*)
 *   knock-out T        no query reads token T, in any layer
 *   skip-attention L   skip-feed-forward L        (the sub-layer adds nothing to the residual
 *                                                  stream)
 *   temperature L.H F  (scores are divided by F, above 0, before the softmax)
 *   score-scale L.H F  (q·k is multiplied with F instead of the model's scale)
 *   head-mask L.H none|causal|padding             (which keys the head sees: all, padding too; no
 *                                                  later one and no padding; all but padding)
 *   no-projections L.H (q = k = v: features H · d … of what the attention reads, from the first
 *                       again where there are fewer; heads that share keys read those of the last.
 *                       In cross q is of the decoder's token, k and v of the encoder's last state)
 *   zero-dimension L.H C                          (dimension C of the head's queries is 0, and of
 *                                                  its keys where no other head reads them)
 *   no-positions L     (no turn and no bias by distance in the layer, or in all: *; in layer 0 no
 *                       position vectors either)
 *   no-segments        (every token is of segment 0)
 * H may be * for every head of the layer where there is one. Those that change the tokens before it
 * runs (engine/transformer/token-edits.h):
 *   mask T             the mask token instead of token T
 *   delete T           the text without token T
 *   swap T U           the words that hold tokens T and U change places, all pieces of each
 *
 * Behind the first word a kind of attention may stand, "zero cross 2.9", "knock-out decoder 3":
 * encoder, decoder or cross, of which a feed-forward, the tokens, positions and segments know only
 * the first two.
 * Without it the stack that reads A is meant. In cross, Q is a token of the decoder, K and T are of
 * the encoder. A token of an encoder that is knocked out is hidden from cross-attention too, as an
 * attention_mask hides it; "knock-out cross T" hides it from cross-attention alone.
 *
 * In the order of the forward: projections are off before norm and turn of queries and keys, a
 * dimension is zeroed behind them; a score-scale counts for all terms of positions that are scaled;
 * a head-mask replaces the mask, knocked out keys apart; a knocked out key is masked before the
 * softmax, for its own query too, so rows still sum to 1 and its row reads the others; so is a link
 * that a cut takes out whose row is brought back to 1 by it or by a later one; uniform replaces the
 * softmax over the keys that are then visible; other cuts take weights out behind it;
 * a scale acts on α · V and shows in no weight of its layer; a skipped
 * sub-layer counts as 0, bias included, and a norm behind the residual sum still acts:
 * norm (x + 0). A row that loses the last key that it saw, as the first of a decoder may, is all
 * zeros.
 * test-numbers.c and test-edited-stacks.c in tests/engine/transformer/ hold each of them to
 * transformers. */
#pragma once

#include "engine/base/kinds.h"
#include "engine/edits/links.h"

G_BEGIN_DECLS

typedef enum {
  ENG_EDIT_SCALE_HEAD,
  ENG_EDIT_UNIFORM_ROWS,
  ENG_EDIT_CUT_EDGE,
  ENG_EDIT_KNOCK_OUT_TOKEN,
  ENG_EDIT_SKIP_ATTENTION,
  ENG_EDIT_SKIP_FEED_FORWARD,
  ENG_EDIT_TEMPERATURE,
  ENG_EDIT_SCORE_SCALE,
  ENG_EDIT_HEAD_MASK,
  ENG_EDIT_NO_PROJECTIONS,
  ENG_EDIT_ZERO_DIMENSION,
  ENG_EDIT_NO_POSITIONS,
  ENG_EDIT_NO_SEGMENTS,
  ENG_EDIT_MASK_TOKEN,
  ENG_EDIT_DELETE_TOKEN,
  ENG_EDIT_SWAP_WORDS
} EngEditType;

/* Which keys a head sees. */
typedef enum {
  ENG_HEAD_MASK_NONE,
  ENG_HEAD_MASK_CAUSAL,
  ENG_HEAD_MASK_PADDING
} EngHeadMask;
#define ENG_N_HEAD_MASKS 3

#define ENG_ALL_HEADS (-1)
#define ENG_ALL_LAYERS (-1) /* of positions */
#define ENG_KIND_NOT_SAID (-1)

typedef struct {
  EngEditType type;
  int         layer;       /* not of an edit of a token */
  int         head;        /* or ENG_ALL_HEADS */
  int         query;       /* of a cut, or ENG_ALL_TOKENS; the first of two that are swapped */
  int         key;         /* the same; the token of every other edit, the second of two */
  float       factor;      /* of a scaled head; 0 is "zero". Temperature, scale of scores */
  gboolean    renormalise; /* of a cut edge */
  int         kind;        /* EngKind, or ENG_KIND_NOT_SAID: the stack that reads A */
  EngHeadMask mask;
  int         dimension;   /* that is zeroed */
  int         n_more_queries; /* of a cut, behind query */
  int         n_more_keys;
} EngEdit;

/* What an attention of a model has; n_layers 0 = the model has no such kind. */
typedef struct {
  int n_layers;
  int n_heads;
  int n_queries;
  int n_keys;
  int head_size;
} EngEditSizes;

gboolean    eng_edit_parse     (const char          *text,
                                EngEdit             *edit,
                                GError             **error);
char       *eng_edit_to_string (const EngEdit       *edit);
/* A list that somebody works on keeps edits that are turned off: "off zero 2.9". The edit behind
 * that word, borrowed from text; off is nullable. */
const char *eng_edit_skip_off  (const char          *text,
                                gboolean            *off);
/* Whether it changes tokens; the forward passes over it. */
gboolean    eng_edit_is_of_tokens (const EngEdit    *edit);
/* Whether it is about that head, in the kind that it acts on: of its rows, its output, a link, or
 * all of its layer's attention. */
gboolean    eng_edit_is_of_head (const EngEdit      *edit,
                                 int                 layer,
                                 int                 head);
/* Whether that head adds nothing by it: it is zeroed, or all of its layer's attention. alone:
 * nullable; whether it is about no other head. */
gboolean    eng_edit_zeroes_head (const EngEdit     *edit,
                                  int                layer,
                                  int                head,
                                  gboolean          *alone);
/* Whether a cut takes out that link. */
gboolean    eng_edit_cuts_link (const EngEdit       *edit,
                                int                  query,
                                int                  key);
/* Whether it acts in a kind of attention; first is the kind of the stack that reads A. */
gboolean    eng_edit_acts_on   (const EngEdit       *edit,
                                EngKind              kind,
                                EngKind              first);

/* Whether every edit names a kind, layer, head and token that exist; sizes [ENG_N_KINDS]. Edits of
 * tokens are passed over: they were applied, and name tokens that are no more. */
gboolean    eng_edits_check    (const EngEdit       *edits,
                                int                  n_edits,
                                const EngEditSizes  *sizes,
                                EngKind              first,
                                GError             **error);

G_END_DECLS
