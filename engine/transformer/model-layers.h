/* SPDX-License-Identifier: MIT */
/* What a model's layers have in common and where they differ, in words for its details. Of the stack
 * that reads A. */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

/* Which layers read a part of the text alone, and how much: "layers 0 and 2: 4,096 tokens";
 * "layer 1: 129 tokens, 64 to each side", the token itself among them. (transfer full) NULL where
 * all layers read all. */
char *eng_model_describe_local_layers  (const EngModel *self);
/* Which layers have the same weights: "one layer, read 12 times". (transfer full) NULL where each
 * has its own. */
char *eng_model_describe_shared_layers (const EngModel *self);

G_END_DECLS
