/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pipeline/languages.h"

#include <string.h>

/* What stands around a code. */
#define MARKS "<>_"

char *
eng_language_dup_code (const char *token)
{
  const char *first = token + strspn (token, MARKS);
  gsize length = strlen (first);

  while (length > 0 && strchr (MARKS, first[length - 1]))
    length--;

  return g_strndup (first, length);
}

const char *
eng_pipeline_find_language (const EngPipeline *self,
                            const char        *code)
{
  for (int i = 0; self->languages && self->languages[i]; i++) {
    g_autofree char *own = eng_language_dup_code (self->languages[i]);

    if (g_str_equal (own, code))
      return self->languages[i];
  }

  return NULL;
}
