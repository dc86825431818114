/* SPDX-License-Identifier: MIT */
/* Normalizers of a few lines each: Prepend puts a text in front, Nmt drops control characters and
 * turns odd blanks into spaces. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/normalizer.h"

G_BEGIN_DECLS

EngNormalizer *eng_prepend_new_from_json (const cJSON  *json,
                                          const char   *what,
                                          GError      **error);
EngNormalizer *eng_nmt_new_from_json     (const cJSON  *json,
                                          const char   *what,
                                          GError      **error);

G_END_DECLS
