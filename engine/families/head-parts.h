/* SPDX-License-Identifier: MIT */
/* Task heads, and words of two stacks, that most families name alike. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

extern const EngPart eng_classifier_part; /* "classifier": one output a label */
extern const EngPart eng_score_part;      /* "score": the same without a bias */
extern const EngPart eng_answer_part;     /* "qa_outputs": start and end of an answer */
extern const EngPart eng_normed_words_parts[3]; /* "lm_head" of RoBERTa's kind */
extern const EngPart eng_first_classifier_parts[2]; /* "classifier.dense" and its "out_proj" */
extern const EngPart eng_end_classifier_parts[2]; /* "classification_head" of two stacks */

/* Whether "classifier", in a family whose classifier of texts has other tensors, is one of
 * tokens. */
gboolean eng_head_classifies_tokens (const EngConfig *config,
                                     GHashTable      *names);

/* A file of two stacks without another head is a language model, even where the base model alone
 * was saved: its head is the word embedding. */
gboolean eng_head_writes_text (const EngConfig *config,
                               GHashTable      *names);

/* The same where the classifier of texts is that tensor, too, and reads the pooler: the class that
 * was saved tells them apart; without one, a file without a pooler can only hold a classifier of
 * tokens. */
gboolean eng_head_classifies_unpooled (const EngConfig *config,
                                       GHashTable      *names);
gboolean eng_head_classifies_pooled   (const EngConfig *config,
                                       GHashTable      *names);

#define ENG_ANSWER_HEAD                                                                     \
  { ENG_TASK_QUESTION_ANSWERING, "qa_outputs.weight", .classes = { "ForQuestionAnswering" }, \
    .input = ENG_HEAD_TOKENS, .parts = &eng_answer_part, .n_parts = 1 }
/* The same tensor may serve another head: a function then says whether it is this one. */
#define ENG_ENTITIES_HEAD(...)                                                              \
  { ENG_TASK_ENTITIES, "classifier.weight", .classes = { "ForTokenClassification" },        \
    .input = ENG_HEAD_TOKENS, .parts = &eng_classifier_part, .n_parts = 1, __VA_ARGS__ }
#define ENG_SCORE_HEAD(...)                                                                 \
  { ENG_TASK_TEXT_CLASSIFICATION, "score.weight", .classes = { "ForSequenceClassification" }, \
    .input = ENG_HEAD_LAST, .parts = &eng_score_part, .n_parts = 1, __VA_ARGS__ }
/* which: of EngReading, without ENG_READING_ */
#define ENG_NORMED_WORDS_HEAD(task, which)                                                  \
  { task, "lm_head.dense.weight", .reading = ENG_READING_##which,                           \
    .classes = { "ForMaskedLM", "ForCausalLM" }, .input = ENG_HEAD_TOKENS,                  \
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_GELU,             \
    .parts = eng_normed_words_parts, .n_parts = G_N_ELEMENTS (eng_normed_words_parts) }
#define ENG_POOLED_CLASSIFIER_HEAD                                                          \
  { ENG_TASK_TEXT_CLASSIFICATION, "classifier.weight", eng_head_classifies_pooled,          \
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_POOLED,                   \
    .parts = &eng_classifier_part, .n_parts = 1 }
/* Of texts by their first token; which is the activation between the two. */
#define ENG_FIRST_CLASSIFIER_HEAD(which)                                                    \
  { ENG_TASK_TEXT_CLASSIFICATION, "classifier.dense.weight",                                \
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_FIRST,                    \
    .has_transform = TRUE, .activation = which,                                             \
    .parts = eng_first_classifier_parts,                                                    \
    .n_parts = G_N_ELEMENTS (eng_first_classifier_parts) }
/* Of two stacks. */
#define ENG_END_CLASSIFIER_HEAD                                                             \
  { ENG_TASK_TEXT_CLASSIFICATION, "classification_head.dense.weight",                       \
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_END,                      \
    .has_transform = TRUE, .activation = ENG_ACTIVATION_TANH,                               \
    .parts = eng_end_classifier_parts, .n_parts = G_N_ELEMENTS (eng_end_classifier_parts) }
#define ENG_ENCODER_WORDS "encoder.embed_tokens.weight"
#define ENG_DECODER_WORDS "decoder.embed_tokens.weight"
#define ENG_OUTPUT_WORDS  "lm_head"
/* Words of a stack that the other one and the output have, too; then what else there is. */
#define ENG_SHARED_WORDS_PART(words, other_words, ...)                                      \
  ENG_TABLE (words, word, VOCABULARY, HIDDEN, .is_shared = TRUE,                            \
             .aliases = { "shared.weight", other_words },                                   \
             .tied_to = { ENG_OUTPUT_WORDS ".weight" }, __VA_ARGS__)
#define ENG_SHARED_OUTPUT_PART(...)                                                         \
  ENG_LINEAR (Head, ENG_OUTPUT_WORDS, output, VOCABULARY, HIDDEN,                           \
              .tied_to = { "shared.weight", ENG_DECODER_WORDS, ENG_ENCODER_WORDS },         \
              __VA_ARGS__)
#define ENG_WRITING_HEAD(words)                                                             \
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_head_writes_text,                                    \
    .classes = { "ForConditionalGeneration", "ForCausalLM", "Model" },                      \
    .input = ENG_HEAD_TOKENS,                                                               \
    .parts = words, .n_parts = G_N_ELEMENTS (words) }

G_END_DECLS
