/* SPDX-License-Identifier: MIT */
/* config.json of a checkpoint: which family it is of, and the architecture as an EngSpec. Keys that
 * are absent have the family's defaults; keys that Headlight has no use for are left alone. For
 * engine/ alone. */
#pragma once

#include "engine/base/json.h"
#include "engine/checkpoint/tensor-set.h"
#include "engine/spec/spec.h"

G_BEGIN_DECLS

typedef struct _EngFamily EngFamily;

/* How the logits of a sequence classifier become scores ("problem_type"). */
typedef enum {
  ENG_SCORES_SOFTMAX,
  ENG_SCORES_SIGMOID, /* several labels may hold at once, or there is one alone */
  ENG_SCORES_RAW      /* a regression: the numbers are the answer */
} EngScores;

typedef struct {
  const EngFamily *family;
  EngSpec          spec;         /* without task heads: which there are, the tensors say */
  gboolean         tied;         /* the word embedding may stand in for a head's output */
  char            *architecture; /* the first of "architectures", or NULL */
  char           **labels;       /* [n_labels], NULL-terminated; NULL when the config states none */
  int              n_labels;     /* 0 when the config states none */
  char           **languages;    /* codes of those that have a vector, by its row; NULL = none */
  EngScores        scores;
  EngHeadInput     head_input;   /* of heads that leave it to the config */
  EngActivation    head_activation; /* behind the transform of heads that leave it to the config */
  gboolean         legacy_words; /* of two heads of words in a file the older releases' counts */
  double           logits_soft_cap; /* of the language model; 0 = none */
  const char      *stored_type;  /* of a GGUF file's telling tensor, "Q4_K"; else NULL */
  gboolean         quantised;    /* it is a quantised one */
  double           logits_scale; /* of what the language model's head reads; 0 = none, as 1 */
} EngConfig;

/* Reads folder/config.json, or what a GGUF file says of itself (engine/checkpoint/gguf.h), which
 * may be named in the folder's place. Where config.json states no family, the names of the
 * folder's tensors decide. */
EngConfig *eng_config_read  (const char          *folder,
                             GError             **error);
/* what names the text in messages. tensors (nullable) decide the family where the text states none.
 * */
EngConfig *eng_config_parse (const char          *text,
                             gsize                length,
                             const char          *what,
                             const EngTensorSet  *tensors,
                             GError             **error);

/* Whether the class that was saved ends in this: "ForMaskedLM". */
gboolean   eng_config_is_class (const EngConfig  *self,
                                const char       *ending);

void       eng_config_free  (EngConfig           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngConfig, eng_config_free)

G_END_DECLS
