/* SPDX-License-Identifier: MIT */
/* Task heads that most families name alike. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

extern const EngPart eng_classifier_part; /* "classifier": one output a label */
extern const EngPart eng_answer_part;     /* "qa_outputs": start and end of an answer */
extern const EngPart eng_end_classifier_parts[2]; /* "classification_head" of two stacks */

/* A file of two stacks without another head is a language model, even where the base model alone
 * was saved: its head is the word embedding. */
gboolean eng_head_writes_text (const EngConfig *config,
                               GHashTable      *names);

#define ENG_ANSWER_HEAD                                                                     \
  { ENG_TASK_QUESTION_ANSWERING, "qa_outputs.weight", .classes = { "ForQuestionAnswering" }, \
    .input = ENG_HEAD_TOKENS, .parts = &eng_answer_part, .n_parts = 1 }
/* The same tensor may serve another head: a function then says whether it is this one. */
#define ENG_ENTITIES_HEAD(...)                                                              \
  { ENG_TASK_ENTITIES, "classifier.weight", .classes = { "ForTokenClassification" },        \
    .input = ENG_HEAD_TOKENS, .parts = &eng_classifier_part, .n_parts = 1, __VA_ARGS__ }
/* Of two stacks. */
#define ENG_END_CLASSIFIER_HEAD                                                             \
  { ENG_TASK_TEXT_CLASSIFICATION, "classification_head.dense.weight",                       \
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_END,                      \
    .has_transform = TRUE, .activation = ENG_ACTIVATION_TANH,                               \
    .parts = eng_end_classifier_parts, .n_parts = G_N_ELEMENTS (eng_end_classifier_parts) }
#define ENG_WRITING_HEAD(words)                                                             \
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_head_writes_text,                                    \
    .classes = { "ForConditionalGeneration", "Model" }, .input = ENG_HEAD_TOKENS,           \
    .parts = words, .n_parts = G_N_ELEMENTS (words) }

G_END_DECLS
