/* SPDX-License-Identifier: MIT */
/* How a model is meant to write: generation_config.json of a checkpoint, else the same keys of
 * config.json, as transformers' generate() reads them. What a file leaves unsaid has the library's
 * default. task_specific_params of config.json change keys for single tasks.
 *
 * A plain value; lists are shared and never change. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

/* When a beam search ends although better texts might follow. */
typedef enum {
  ENG_EARLY_STOPPING_HEURISTIC, /* false: as soon as the best open beam, scored at its present
                                 * length, is no better than the worst finished one */
  ENG_EARLY_STOPPING_AT_ONCE,   /* true: when there are as many finished texts as beams */
  ENG_EARLY_STOPPING_NEVER      /* "never": when no open beam can become better at any length */
} EngEarlyStopping;

#define ENG_MAX_BEAMS 64
#define ENG_MAX_ENDS 64

typedef struct {
  int              max_length;      /* tokens, those at the beginning counted; 0 = 20 new ones */
  int              max_new_tokens;  /* goes before max_length; 0 = not said */
  int              min_length;      /* as max_length; 0 = none */
  int              min_new_tokens;  /* goes before min_length; 0 = not said */

  int              n_beams;         /* 1 = no search */
  EngEarlyStopping early_stopping;
  double           length_penalty;  /* a text's score is divided by its new tokens to this power */
  gboolean         renormalise;     /* banned tokens leave their share to the others */

  gboolean         sample;          /* draw each token instead of taking the likeliest */
  double           temperature;
  int              top_k;           /* 0 = all */
  double           top_p;           /* 1 = all */
  double           min_p;           /* of the largest probability; 0 = all */

  double           repetition_penalty;         /* 1 = none */
  double           encoder_repetition_penalty; /* 1 = none */
  int              no_repeat_ngram_size;         /* 0 = none */
  int              encoder_no_repeat_ngram_size; /* 0 = none; n-grams of the text that was given */

  /* Token ids. GArray of gint32, NULL = none. */
  GArray          *end_ids;
  GArray          *forced_end_ids;  /* at the last place that max_length leaves */
  GArray          *suppressed_ids;
  GArray          *suppressed_first_ids; /* as the first new token */
  GPtrArray       *banned;          /* of GArray of gint32: sequences that are never completed */
  int              forced_first_id; /* behind a single token; -1 = none */
  int              start_id;        /* decoder_start_token_id; -1 = what config.json says */

  char            *prefix;          /* stands before the text of a task; NULL = none */
  /* A sentence about a key that changes what is written and that Headlight does not know; NULL =
   * none. The second is about keys that count for sampling alone. */
  char            *unsupported;
  char            *unsupported_sampling;
} EngGeneration;

EngGeneration       *eng_generation_new   (void);
EngGeneration       *eng_generation_copy  (const EngGeneration  *self);
void                 eng_generation_free  (EngGeneration        *self);

/* All settings of a checkpoint. */
typedef struct {
  EngGeneration  *general;
  GPtrArray      *tasks;       /* of EngGeneration: general with the keys of a task changed */
  GPtrArray      *task_names;  /* of char*, in the order of the file: "translation_en_to_de" */
} EngGenerations;

/* Reads folder, or a GGUF file (engine/checkpoint/gguf.h) in its place. Refuses a key with a value that the library would not take, naming file and key. */
EngGenerations      *eng_generations_read (const char           *folder,
                                           GError              **error);
/* The same of texts that are there: config, and generation (nullable). */
EngGenerations      *eng_generations_parse (const char          *config,
                                            gsize                config_length,
                                            const char          *generation,
                                            gsize                generation_length,
                                            GError             **error);
/* Defaults without tasks. */
EngGenerations      *eng_generations_new  (void);
void                 eng_generations_free (EngGenerations       *self);
/* task NULL = none in particular; NULL when there is no such task. */
const EngGeneration *eng_generations_find (const EngGenerations *self,
                                           const char           *task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngGeneration, eng_generation_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngGenerations, eng_generations_free)

G_END_DECLS
