/* SPDX-License-Identifier: MIT */
/* The kinds of attention and the tasks of heads, with their names. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ENG_KIND_ENCODER,
  ENG_KIND_DECODER,
  ENG_KIND_CROSS /* rows are decoder tokens, columns are encoder tokens */
} EngKind;
#define ENG_N_KINDS 3

/* The task heads in the order in which `predict` falls back on them. */
typedef enum {
  ENG_TASK_FILL_MASK,
  ENG_TASK_NEXT_SENTENCE,
  ENG_TASK_SENTENCE_ORDER,  /* whether A stood before B */
  ENG_TASK_TEXT_CLASSIFICATION,
  ENG_TASK_ENTITIES,
  ENG_TASK_REPLACED_TOKENS, /* which tokens another model put in */
  ENG_TASK_QUESTION_ANSWERING,
  ENG_TASK_LANGUAGE_MODEL /* the next token of a decoder */
} EngTask;
#define ENG_N_TASKS 8

const char *eng_kind_get_name  (EngKind     kind); /* "encoder" */
gboolean    eng_kind_from_name (const char *name,
                                EngKind    *kind);
const char *eng_task_get_name  (EngTask     task); /* "fill-mask" */
gboolean    eng_task_from_name (const char *name,
                                EngTask    *task);

G_END_DECLS
