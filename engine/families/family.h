/* SPDX-License-Identifier: MIT */
/* A family of models as data: the defaults of its config.json and the names of its tensors by role.
 * A new family is a new file in encoders/, decoders/ or two-stacks/ with one EngFamily in it and one
 * line in the table of family.c. */
#pragma once

#include "engine/families/config.h"
#include "engine/spec/positions.h"

G_BEGIN_DECLS

/* The sizes that shapes are made of; those of a stack are the stack's that is being filled. */
typedef enum {
  ENG_SIZE_HIDDEN,
  ENG_SIZE_EMBEDDING,  /* of the embedding's tables */
  ENG_SIZE_INTERMEDIATE,
  ENG_SIZE_HEADS,      /* heads · head size */
  ENG_SIZE_KV_HEADS,   /* key heads · head size */
  ENG_SIZE_HEAD,       /* head size */
  ENG_SIZE_N_HEADS,
  ENG_SIZE_VOCABULARY,
  ENG_SIZE_POSITIONS,
  ENG_SIZE_TYPES,
  ENG_SIZE_LANGUAGES,
  ENG_SIZE_BUCKETS,    /* of the bias by distance */
  ENG_SIZE_DISTANCES,  /* rows of the table of positions that are apart */
  ENG_SIZE_GROUP,      /* features of a group of the convolution */
  ENG_SIZE_FREQUENCIES, /* of rotary positions */
  ENG_SIZE_LABELS,     /* of the config; where it states none, as many as the tensor has rows */
  ENG_SIZE_ONE,        /* replaced or not */
  ENG_SIZE_TWO         /* next or not, start and end */
} EngSize;

typedef enum {
  ENG_PART_TABLE,  /* const float *: [rows, cols]; name is the tensor's */
  ENG_PART_LINEAR, /* EngLinear: name.weight [rows, cols] and name.bias [rows] */
  ENG_PART_CONVOLUTION, /* EngLinear: name.weight [rows, cols, kernel size], whose last two become
                         * one, and name.bias [rows] */
  ENG_PART_VECTOR, /* const float *: [rows]; name is the tensor's */
  ENG_PART_NORM    /* EngNorm: name.weight and name.bias, both [rows] */
} EngPartKind;

typedef enum {
  ENG_BIAS_NEEDED,
  ENG_BIAS_NONE,
  ENG_BIAS_IF_THERE,
  ENG_BIAS_OF_ATTENTION,    /* needed or none, as the attention's has_bias says */
  ENG_BIAS_OF_FEED_FORWARD, /* as the feed-forward's has_bias says */
  ENG_BIAS_OF_NORM          /* as the has_bias of the layer's norm says */
} EngBias;

/* A part of a model: the tensors that hold it and the member that it fills. Names are normalised
 * ones, see eng_family_normalise_name(). Of a layer's part the layer's name stands before it, or
 * where it has a star. */
typedef struct {
  EngPartKind  kind;
  const char  *name;
  gsize        offset;     /* of the member, in EngStackWeights, EngLayerWeights, EngHeadWeights or,
                            * for the pooler, EngWeights */
  EngSize      rows;
  EngSize      cols;       /* not for a norm */
  EngBias      bias;
  gboolean     optional;   /* the member stays zeroed where the tensor is absent */
  gboolean     transposed; /* the file holds [cols, rows] */
  gboolean     one_less;   /* of a norm: the file holds its weight less 1 */
  int          n_slices;   /* > 0: the tensor holds so many parts, with so many rows each, one
                            * behind the other, and this is part number slice */
  EngSize      slices[3];
  int          slice;
  gboolean     by_head;    /* the slices of each head, which are equal, lie together, head by head */
  const char  *aliases[3]; /* tensors that hold the same weight in other files */
  gboolean     is_shared;  /* two stacks have it in common: their files name it by the first alias */
  const char  *tied_to[3]; /* stand in for an absent weight, unless the config unties */
  const char  *bias_name;  /* tensor that stands in for an absent name.bias, of this part alone */
  gboolean     bias_is_row; /* files have it as [1, rows], and a model that is written has it */
  /* NULL, or whether models of this spec have the part; layer is the one that it is a part of, or
   * the stack's first. */
  gboolean   (*applies) (const EngSpec      *spec,
                         const EngLayerSpec *layer);
} EngPart;

/* The three kinds of parts in short: members of EngStackWeights, EngLayerWeights and EngHeadWeights
 * (holder Stack, Layer, Head), sizes without ENG_SIZE_; then what else there is to say of a part. */
#define ENG_TABLE(name, member, rows, cols, ...)                                            \
  { ENG_PART_TABLE, name, G_STRUCT_OFFSET (EngStackWeights, member), ENG_SIZE_##rows,       \
    ENG_SIZE_##cols, __VA_ARGS__ }
#define ENG_LINEAR(holder, name, member, rows, cols, ...)                                   \
  { ENG_PART_LINEAR, name, G_STRUCT_OFFSET (Eng##holder##Weights, member), ENG_SIZE_##rows, \
    ENG_SIZE_##cols, __VA_ARGS__ }
#define ENG_NORM(holder, name, member, ...)                                                 \
  ENG_NORM_OF (holder, name, member, HIDDEN, __VA_ARGS__)
/* The same of another size than the hidden one. */
#define ENG_NORM_OF(holder, name, member, rows, ...)                                        \
  { ENG_PART_NORM, name, G_STRUCT_OFFSET (Eng##holder##Weights, member), ENG_SIZE_##rows,   \
    __VA_ARGS__ }
/* A norm of a layer's queries or keys. */
#define ENG_QK_NORM(name, member, rows, ...)                                                \
  { ENG_PART_NORM, name, G_STRUCT_OFFSET (EngLayerWeights, member), ENG_SIZE_##rows,        \
    .bias = ENG_BIAS_NONE, __VA_ARGS__ }

/* A layer where the config does not say, with norms behind its parts; then what else there is. */
#define ENG_POST_NORM_LAYER(heads, intermediate, ...)                                       \
  {                                                                                         \
    .self.n_heads = heads,                                                                  \
    .feed_forward = { .intermediate_size = intermediate, .activation = ENG_ACTIVATION_GELU }, \
    .attention_norm = ENG_NORM_POST,                                                        \
    .feed_forward_norm = ENG_NORM_POST,                                                     \
    __VA_ARGS__                                                                             \
  }

/* In which direction the tokens that a head reads were read. */
typedef enum {
  ENG_READING_ANY,
  ENG_READING_BOTH_WAYS, /* by a stack that is not causal */
  ENG_READING_FORWARDS   /* by one that is */
} EngReading;

/* The activation behind a head's transform when it is the config's: that of the layers, or one that
 * it has for heads. */
#define ENG_ACTIVATION_OF_CONFIG (-1)
#define ENG_ACTIVATION_OF_HEADS (-2)
/* What a head reads when the config says it. */
#define ENG_INPUT_OF_CONFIG (-1)

/* A task head, there when its marker tensor is. */
typedef struct {
  EngTask        task;
  const char    *marker;        /* NULL: applies alone decides */
  /* NULL, or whether the head is this one: for heads of different tasks that share the names of
   * their tensors. names is an index of the file's tensors by normalised name. */
  gboolean     (*applies) (const EngConfig *config,
                           GHashTable      *names);
  EngReading     reading;
  /* What classes that have the head end in ("ForMaskedLM"), for a model without tensors. */
  const char    *classes[4];
  int            input;         /* EngHeadInput or ENG_INPUT_OF_CONFIG */
  gboolean       has_transform;
  gboolean       has_norm;
  int            activation;    /* EngActivation or one of ENG_ACTIVATION_OF_… */
  const EngPart *parts;
  int            n_parts;
} EngHeadParts;

typedef struct {
  const char    *layer_prefix;  /* of a layer's tensors; its number and a dot follow; where layers
                                 * share weights the group's, and inner_prefix follows likewise */
  const EngPart *parts;
  int            n_parts;
  const EngPart *layer_parts;
  int            n_layer_parts;
  const char    *inner_prefix;  /* NULL where no layers share weights */
} EngStackParts;

struct _EngFamily {
  const char         *model_type;    /* as config.json names it */
  const char         *title;         /* as people write it: "GPT-NeoX" */
  int                 year;          /* of the paper that its file names first */
  const char         *checkpoints;   /* some that are of it, by their names on the hub: "a, b" */
  const char         *class_prefix;  /* of "architectures": what stands before Model and For… */
  const char         *tensor_prefix; /* of the base model's tensors; some files leave it out */
  const char         *other_prefix;  /* the same in files of some heads; NULL = none */
  const char         *signature;     /* tensor that tells the family if the config is silent; NULL
                                      * = a config must say */

  EngSpec             defaults;
  gboolean            tied;
  gboolean            never_decodes; /* is_decoder says nothing: it has no part in the reference */
  gboolean            chooses_positions; /* read says what position_embedding_type means; else it
                                          * must be "absolute" */
  EngSinusoid         sinusoid;      /* of a position table that is not in the file */
  /* NULL, or reads what only this family's config.json says; called when the rest is read. */
  gboolean          (*read) (const cJSON  *json,
                             const char   *what,
                             EngConfig    *config,
                             GError      **error);

  /* By kind; a family of one stack has one, whatever its config makes of it. */
  EngStackParts       stacks[ENG_N_STACKS];
  const EngPart      *pooler;        /* may be absent unless a head reads it; NULL = has none */
  const EngHeadParts *heads;
  int                 n_heads;
};

extern const EngFamily eng_family_albert;
extern const EngFamily eng_family_bart;
extern const EngFamily eng_family_bert;
extern const EngFamily eng_family_big_bird;
extern const EngFamily eng_family_ctrl;
extern const EngFamily eng_family_deberta;
extern const EngFamily eng_family_deberta_v2;
extern const EngFamily eng_family_distilbert;
extern const EngFamily eng_family_electra;
extern const EngFamily eng_family_esm;
extern const EngFamily eng_family_gpt2;
extern const EngFamily eng_family_gpt_neo;
extern const EngFamily eng_family_gpt_neox;
extern const EngFamily eng_family_gptj;
extern const EngFamily eng_family_gemma;
extern const EngFamily eng_family_gemma2;
extern const EngFamily eng_family_gemma3;
extern const EngFamily eng_family_granite;
extern const EngFamily eng_family_llama;
extern const EngFamily eng_family_m2m_100;
extern const EngFamily eng_family_marian;
extern const EngFamily eng_family_mbart;
extern const EngFamily eng_family_mistral;
extern const EngFamily eng_family_modernbert;
extern const EngFamily eng_family_olmo2;
extern const EngFamily eng_family_openai_gpt;
extern const EngFamily eng_family_pegasus;
extern const EngFamily eng_family_phi3;
extern const EngFamily eng_family_qwen2;
extern const EngFamily eng_family_qwen3;
extern const EngFamily eng_family_roberta;
extern const EngFamily eng_family_smollm3;
extern const EngFamily eng_family_t5;
extern const EngFamily eng_family_xlm;
extern const EngFamily eng_family_xlm_roberta;

/* The three branches that families grow on. */
typedef enum {
  ENG_BRANCH_ENCODER,    /* one stack that reads both ways */
  ENG_BRANCH_DECODER,    /* one stack that reads backwards alone */
  ENG_BRANCH_TWO_STACKS, /* an encoder and a decoder that reads it */
  ENG_N_BRANCHES
} EngBranch;

/* All families, by their model_type. */
int                  eng_family_get_n_families  (void);
const EngFamily     *eng_family_get_nth         (int                  index);
EngBranch            eng_family_get_branch      (const EngFamily     *self);
/* NULL when no family has the name. */
const EngFamily     *eng_family_find            (const char          *model_type);
const EngFamily     *eng_family_find_by_class   (const char          *architecture);
const EngFamily     *eng_family_find_by_tensors (const EngTensorSet  *tensors);
const EngStackParts *eng_family_get_stack       (const EngFamily     *self,
                                                 EngKind              kind);
/* What the names of a layer's tensors begin with: "encoder.layer.3." */
char                *eng_family_dup_layer_name  (const EngStackParts *parts,
                                                 const EngStackSpec  *stack,
                                                 int                  layer);
/* The name of a part whose layer's name is "3." or "encoder.layer.3.": a star in it is that name
 * without the dot. */
char                *eng_family_dup_part_name   (const char          *layer_name,
                                                 const char          *name);
/* A tensor's name as the tables of the families have it: without "module.", without the prefix of
 * the base model, and with LayerNorm.weight and .bias for the old LayerNorm.gamma and .beta. */
char                *eng_family_normalise_name  (const EngFamily     *self,
                                                 const char          *name);
/* For EngHeadParts.applies: an output of words is there, or the word embedding stands in for it in
 * a class that has one, or where no class is said and no other head is there. */
gboolean             eng_family_predicts_words  (const EngConfig     *config,
                                                 GHashTable          *names);
/* Whether a classifier's weight (nullable) scores one of several choices: the same tensor as a
 * classifier's, with one row. One label of a classifier is always stated. */
gboolean             eng_family_chooses         (const EngConfig     *config,
                                                 const EngTensor     *weight);
/* The names of all families for a message: "bert, gpt2". */
char                *eng_family_dup_names       (void);

/* Of all but ENG_SIZE_LABELS, which the file may have to say. */
gint64 eng_family_get_size (EngSize             size,
                            const EngSpec      *spec,
                            const EngStackSpec *stack,
                            const EngLayerSpec *layer);

G_END_DECLS
