/* SPDX-License-Identifier: MIT */
/* Texts to tokens of a model of one stack, in one call. */
#pragma once

#include "engine/transformer/inputs.h"

static inline EngTokens *
encode_texts (const EngModel  *model,
              const char      *text_a,
              const char      *text_b,
              gboolean         no_special_tokens,
              gboolean         truncate,
              GError         **error)
{
  EngTextOptions options = { .no_special_tokens = no_special_tokens, .truncate = truncate };
  EngInputs inputs = { 0 };

  return eng_inputs_from_texts (model, text_a, text_b, &options, &inputs, error) ? inputs.tokens
                                                                                 : NULL;
}
