/* SPDX-License-Identifier: MIT */
/* A checkpoint folder, or a GGUF file (engine/checkpoint/gguf.h) wherever a folder is named,
 * opened: architecture (as data), weights (mapped) and tokenizer. Immutable after it was opened,
 * reference-counted, shared by any number of sessions and threads. */
#pragma once

#include "engine/families/generation-config.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct _EngModel EngModel;

typedef struct {
  const char *name;              /* last part of the folder unless the opener said better */
  const char *folder;
  const char *family;            /* model_type: "bert" */
  int         n_layers;          /* of the stack that reads A */
  int         n_heads;
  int         head_size;
  int         hidden_size;
  int         intermediate_size;
  int         n_decoder_layers;  /* of the decoder of two stacks, else 0 */
  int         n_decoder_heads;
  int         max_positions;     /* tokens that the model was made for; 0 = unknown */
  gboolean    strict_positions;  /* and more do not fit */
  int         vocab_size;
  gint64      n_parameters;      /* as stored, tied ones once */
  const char *stored_type;       /* "F16": of the tensor that eng_tensor_tells_more() */
  gboolean    quantised;         /* it was made smaller than the model's own weights */
  const char *weights_file;      /* file name, or the index's */
  gint64      weights_bytes;
  guint       tasks;             /* bit 1 << EngTask for each head whose tensors are there */
  /* What is wrong with the head that the file has for a task: "the tensor … is missing"; NULL where
   * it has none, or one that is of use. */
  const char *left_out[ENG_N_TASKS];
  gboolean    untrained;         /* the weights are random */
} EngModelInfo;

/* name NULL = last part of the folder. Where weights are quantised the name says so. A folder
 * without a tokenizer is a model whose texts are token ids. */
EngModel            *eng_model_open          (const char  *folder,
                                              const char  *name,
                                              GError     **error);
/* The architecture of the folder's config.json with weights that were never trained
 * (engine/families/weights.h). Needs no weights file. */
EngModel            *eng_model_open_untrained (const char  *folder,
                                              const char  *name,
                                              guint32      seed,
                                              GError     **error);
/* Reads config.json alone, of a GGUF file what stands before its tensors' data: everything in info
 * but parameters, file and tasks, and the stored type of a GGUF file alone. For lists of models. */
gboolean             eng_model_peek          (const char   *folder,
                                              /* strings interned or borrowed from folder */
                                              EngModelInfo *info,
                                              GError      **error);
/* Whether the folder has a file of weights, in one of the formats that eng_model_open() reads. */
gboolean             eng_model_has_weights   (const char   *folder);
EngModel            *eng_model_ref           (EngModel    *self);
void                 eng_model_unref         (EngModel    *self);

const EngModelInfo  *eng_model_get_info      (const EngModel *self);
/* NULL where the folder has none. */
const EngTokenizer  *eng_model_get_tokenizer (const EngModel *self);
/* Whether an encoder reads A and a decoder that writes B reads the encoder. */
gboolean             eng_model_has_two_stacks (const EngModel *self);
gboolean             eng_model_has_task      (const EngModel *self,
                                              EngTask         task);
/* Label of a class of a task; id2label of the config, else "is-next"/"not-next", else "LABEL_0". */
const char          *eng_model_get_label     (const EngModel *self,
                                              EngTask         task,
                                              int             index);
/* Codes of the languages that it has vectors for, by their rows, ended by NULL; NULL = it adds none
 * to a text. */
const char *const   *eng_model_get_languages (const EngModel *self);
/* How the checkpoint says that it should write; defaults for a model without the head of a language
 * model. NULL when it says something that cannot be: the model is fit for all but writing. */
const EngGenerations *eng_model_get_generations (const EngModel *self,
                                                 GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngModel, eng_model_unref)

G_END_DECLS
