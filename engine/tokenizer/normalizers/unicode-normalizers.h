/* SPDX-License-Identifier: MIT */
/* Unicode's own ways to rewrite a text, and the normalizers that are one of them each: NFC, NFD,
 * NFKC, NFKD, Lowercase, StripAccents (all marks go), Strip (white space at the ends goes). */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/normalizer.h"

G_BEGIN_DECLS

/* Decomposed, canonically or for compatibility, marks in canonical order; then composed again. */
void           eng_unicode_normalize           (EngNormalized *text,
                                                gboolean       compatible,
                                                gboolean       compose);
void           eng_unicode_lower_text          (EngNormalized *text);

EngNormalizer *eng_nfc_new                     (void);
EngNormalizer *eng_nfc_new_from_json           (const cJSON   *json,
                                                const char    *what,
                                                GError       **error);
EngNormalizer *eng_nfd_new_from_json           (const cJSON   *json,
                                                const char    *what,
                                                GError       **error);
EngNormalizer *eng_nfkc_new_from_json          (const cJSON   *json,
                                                const char    *what,
                                                GError       **error);
EngNormalizer *eng_nfkd_new_from_json          (const cJSON   *json,
                                                const char    *what,
                                                GError       **error);
EngNormalizer *eng_lowercase_new_from_json     (const cJSON   *json,
                                                const char    *what,
                                                GError       **error);
EngNormalizer *eng_strip_accents_new_from_json (const cJSON   *json,
                                                const char    *what,
                                                GError       **error);
EngNormalizer *eng_strip_new_from_json         (const cJSON   *json,
                                                const char    *what,
                                                GError       **error);

G_END_DECLS
