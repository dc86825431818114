/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/normalizers/precompiled.h"

#include "engine/tokenizer/normalizers/rewrite.h"

#include <string.h>
#include <utf8proc.h>

/* A cluster of fewer bytes is looked up whole. */
#define WHOLE_CLUSTER_BYTES 6
#define MAX_BYTES_PER_CHARACTER 4

typedef struct {
  EngNormalizer parent;
  EngCharsmap  *charsmap;
} Precompiled;

/* End of the grapheme cluster that begins at first. */
static int
find_cluster_end (const EngNormalized *text,
                  int                  first)
{
  utf8proc_int32_t state = 0;
  int end = first + 1;

  while (end < text->n &&
         !utf8proc_grapheme_break_stateful ((utf8proc_int32_t) text->chars[end - 1].c,
                                            (utf8proc_int32_t) text->chars[end].c, &state))
    end++;

  return end;
}

/* Bytes of characters [first, end), or as many as make the cluster a long one. */
static gsize
write_short (const EngNormalized *text,
             int                  first,
             int                  end,
             char                 bytes[WHOLE_CLUSTER_BYTES + MAX_BYTES_PER_CHARACTER])
{
  gsize length = 0;

  for (int i = first; i < end && length < WHOLE_CLUSTER_BYTES; i++)
    length += (gsize) g_unichar_to_utf8 (text->chars[i].c, bytes + length);

  return length;
}

static void
append_change (GArray   *changes,
               gunichar  c,
               int       change)
{
  EngChange one = { c, change };

  g_array_append_val (changes, one);
}

/* n_old characters give way to replacement: those beyond n_old are added ones, and the last one
 * swallows what is left over. A replacement by nothing is swallowed by what stands before. */
static void
append_replacement (GArray     *changes,
                    int         n_old,
                    const char *replacement)
{
  int n_new = 0;

  for (const char *at = replacement; *at; at = g_utf8_next_char (at), n_new++)
    append_change (changes, g_utf8_get_char (at), n_new >= n_old);
  if (n_new < n_old && changes->len > 0)
    g_array_index (changes, EngChange, changes->len - 1).change -= n_old - n_new;
}

static gboolean
replace_whole (const Precompiled   *self,
               const EngNormalized *text,
               int                  first,
               int                  end,
               GArray              *changes)
{
  char bytes[WHOLE_CLUSTER_BYTES + MAX_BYTES_PER_CHARACTER];
  gsize length = write_short (text, first, end, bytes);
  const char *replacement = NULL;
  gsize n_bytes;

  if (length < WHOLE_CLUSTER_BYTES)
    replacement = eng_charsmap_find_shortest (self->charsmap, bytes, length, &n_bytes);
  if (replacement)
    append_replacement (changes, end - first, replacement);

  return replacement != NULL;
}

static gboolean
replace_character (const Precompiled *self,
                   gunichar           c,
                   GArray            *changes)
{
  char bytes[MAX_BYTES_PER_CHARACTER + 2];
  gsize length = (gsize) g_unichar_to_utf8 (c, bytes);
  gsize n_bytes;
  const char *replacement = eng_charsmap_find_shortest (self->charsmap, bytes, length, &n_bytes);

  if (replacement)
    append_replacement (changes, 1, replacement);
  else
    append_change (changes, c, 0);

  return replacement != NULL;
}

static void
precompiled_normalize (const EngNormalizer *normalizer,
                       EngNormalized       *text)
{
  const Precompiled *self = (const Precompiled *) normalizer;
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (EngChange));
  gboolean changed = FALSE;

  for (int first = 0, end; first < text->n; first = end) {
    end = find_cluster_end (text, first);
    if (replace_whole (self, text, first, end, changes)) {
      changed = TRUE;
      continue;
    }
    for (int i = first; i < end; i++)
      changed |= replace_character (self, text->chars[i].c, changes);
  }
  if (changed)
    eng_normalized_rewrite (text, changes);
}

static void
precompiled_free (EngNormalizer *normalizer)
{
  Precompiled *self = (Precompiled *) normalizer;

  eng_charsmap_free (self->charsmap);
  g_free (self);
}

EngNormalizer *
eng_precompiled_new (EngCharsmap *charsmap)
{
  Precompiled *self = g_new0 (Precompiled, 1);

  self->parent.normalize = precompiled_normalize;
  self->parent.free = precompiled_free;
  self->charsmap = charsmap;

  return &self->parent;
}

EngNormalizer *
eng_precompiled_new_from_json (const cJSON  *json,
                               const char   *what,
                               GError      **error)
{
  g_autofree guint8 *data = NULL;
  const char *text = NULL;
  EngCharsmap *charsmap;
  gsize length;

  if (!eng_json_get_string (json, "precompiled_charsmap", what, &text, error))
    return NULL;
  if (!text) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: a Precompiled normalizer has no precompiled_charsmap", what);
    return NULL;
  }
  data = g_base64_decode (text, &length);
  charsmap = eng_charsmap_new (data, length, what, error);

  return charsmap ? eng_precompiled_new (charsmap) : NULL;
}
