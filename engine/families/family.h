/* SPDX-License-Identifier: MIT */
/* A family of models as data: the defaults of its config.json and the names of its tensors by role.
 * A new family is a new file with one EngFamily in it and one line in the table of family.c. */
#pragma once

#include "engine/config.h"

G_BEGIN_DECLS

/* The sizes that shapes are made of. */
typedef enum {
  ENG_SIZE_HIDDEN,
  ENG_SIZE_INTERMEDIATE,
  ENG_SIZE_VOCABULARY,
  ENG_SIZE_POSITIONS,
  ENG_SIZE_TYPES,
  ENG_SIZE_LABELS, /* of the config; where it states none, as many as the tensor has rows */
  ENG_SIZE_TWO     /* next or not, start and end */
} EngSize;

typedef enum {
  ENG_PART_TABLE,  /* const float *: [rows, cols]; name is the tensor's */
  ENG_PART_LINEAR, /* EngLinear: name.weight [rows, cols] and name.bias [rows] */
  ENG_PART_NORM    /* EngNorm: name.weight and name.bias, both [rows] */
} EngPartKind;

/* A part of a model: the tensors that hold it and the member that it fills. Names are normalised
 * ones (engine/weights.h). */
typedef struct {
  EngPartKind  kind;
  const char  *name;
  gsize        offset;    /* of the member, in EngWeights, EngLayerWeights or EngHeadWeights */
  EngSize      rows;
  EngSize      cols;      /* not for a norm */
  const char  *tied_to;   /* tensor that stands in for an absent weight, unless the config unties */
  const char  *bias_name; /* tensor that stands in for an absent name.bias */
} EngPart;

/* A task head, there when its marker tensor is. */
typedef struct {
  EngTask        task;
  const char    *marker;
  /* NULL, or whether the head is this one: for heads of different tasks that share the names of
   * their tensors. names is an index of the file's tensors by normalised name. */
  gboolean     (*applies) (const EngConfig *config,
                           GHashTable      *names);
  EngHeadInput   input;
  gboolean       has_transform; /* with the config's activation */
  const EngPart *parts;
  int            n_parts;
} EngHeadParts;

struct _EngFamily {
  const char         *model_type;    /* as config.json names it */
  const char         *class_prefix;  /* of "architectures": what stands before Model and For… */
  const char         *tensor_prefix; /* of the base model's tensors; some files leave it out */
  const char         *signature;     /* tensor that tells the family where the config is silent */
  const char         *layer_prefix;  /* of a layer's tensors; its number and a dot follow */

  EngSpec             defaults;
  gboolean            tied;

  const EngPart      *parts;
  int                 n_parts;
  const EngPart      *layer_parts;
  int                 n_layer_parts;
  const EngPart      *pooler;        /* may be absent unless a head reads it */
  const EngHeadParts *heads;
  int                 n_heads;
};

extern const EngFamily eng_family_bert;

/* NULL when no family has the name. */
const EngFamily *eng_family_find            (const char          *model_type);
const EngFamily *eng_family_find_by_class   (const char          *architecture);
const EngFamily *eng_family_find_by_tensors (const EngTensorSet  *tensors);
/* The names of all families for a message: "bert". */
char            *eng_family_dup_names       (void);

G_END_DECLS
