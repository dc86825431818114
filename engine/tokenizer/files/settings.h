/* SPDX-License-Identifier: MIT */
/* What the small files of a checkpoint folder say about its tokenizer: tokenizer_config.json, in
 * older folders also special_tokens_map.json and added_tokens.json; of config.json the type of the
 * model. Any of them may be absent. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/pipeline/added-tokens.h"

G_BEGIN_DECLS

typedef struct {
  char  *config_path;
  char  *special_tokens_path;
  char  *added_tokens_path;
  cJSON *config;         /* NULL when the file is absent; so are the next two */
  cJSON *special_tokens; /* "mask_token": "[MASK]" or an added token with its flags */
  cJSON *added_tokens;   /* content: id */
  char  *model_type;     /* of config.json; NULL when it does not say */
} EngTokenizerSettings;

/* How a family of tokenizers is named. */
typedef struct {
  const char *model_type;
  const char *tokenizer_class; /* also with "Fast" behind it */
} EngTokenizerFamily;

EngTokenizerSettings *eng_tokenizer_settings_open             (const char                  *folder,
                                                               GError                     **error);
void                  eng_tokenizer_settings_free             (EngTokenizerSettings        *self);
/* key is "mask_token" and the like. A file that does not say leaves token as it is; content is
 * borrowed. */
gboolean              eng_tokenizer_settings_get_special      (const EngTokenizerSettings  *self,
                                                               const char                  *key,
                                                               EngAddedToken               *token,
                                                               GError                     **error);
/* Which of the n families it is, by tokenizer_class, else by model_type; -1 with an error that
 * lists them; those of one class stand beside each other. what names the tokenizer's file. */
int                   eng_tokenizer_settings_find_family      (const EngTokenizerSettings *self,
                                                               const EngTokenizerFamily   *families,
                                                               int                         n,
                                                               const char                 *what,
                                                               GError                    **error);
/* Whether a tokenizer_class is the expected one or its "Fast" twin. */
gboolean              eng_tokenizer_is_class                  (const char            *name,
                                                               const char            *expected);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTokenizerSettings, eng_tokenizer_settings_free)

G_END_DECLS
