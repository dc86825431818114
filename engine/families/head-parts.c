/* SPDX-License-Identifier: MIT */
#include "engine/families/head-parts.h"

const EngPart eng_classifier_part = {
  ENG_PART_LINEAR, "classifier", G_STRUCT_OFFSET (EngHeadWeights, output),
  ENG_SIZE_LABELS, ENG_SIZE_HIDDEN
};

const EngPart eng_answer_part = {
  ENG_PART_LINEAR, "qa_outputs", G_STRUCT_OFFSET (EngHeadWeights, output),
  ENG_SIZE_TWO, ENG_SIZE_HIDDEN
};
