/* SPDX-License-Identifier: MIT */
/* Task heads that most families name alike. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

extern const EngPart eng_classifier_part; /* "classifier": one output a label */
extern const EngPart eng_answer_part;     /* "qa_outputs": start and end of an answer */

G_END_DECLS
