/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/tokens.h"

#include <string.h>

#define MOST_TYPED 32 /* letters that are kept */

EngTokens *
eng_tokens_new (int n)
{
  EngTokens *self = g_new0 (EngTokens, 1);

  self->n = n;
  self->texts = g_new0 (char *, n + 1);
  self->pieces = g_new0 (char *, n + 1);
  self->typed = g_new0 (char *, n + 1);
  self->ids = g_new0 (gint32, n);
  self->type_ids = g_new0 (gint32, n);
  self->segments = g_new0 (guint8, n);
  self->special = g_new0 (guint8, n);
  self->padding = g_new0 (guint8, n);
  self->words = g_new (int, n);
  self->spans = g_new (EngSpan, n);
  for (int i = 0; i < n; i++) {
    self->words[i] = -1;
    self->spans[i] = (EngSpan) { -1, -1 };
  }
  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

EngTokens *
eng_tokens_ref (EngTokens *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

static void
free_strings (char **strings,
              int    n)
{
  if (!strings)
    return;

  /* Entries may be NULL while a reader is still filling them, so g_strfreev() would stop early. */
  for (int i = 0; i < n; i++)
    g_free (strings[i]);
  g_free (strings);
}

void
eng_tokens_unref (EngTokens *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  free_strings (self->texts, self->n);
  free_strings (self->pieces, self->n);
  free_strings (self->typed, self->n);
  g_free (self->ids);
  g_free (self->type_ids);
  g_free (self->languages);
  g_free (self->segments);
  g_free (self->special);
  g_free (self->padding);
  g_free (self->words);
  g_free (self->spans);
  g_free (self->numbers);
  g_free (self);
}

gboolean
eng_tokens_has_pair (const EngTokens *self)
{
  for (int i = 0; i < self->n; i++)
    if (self->segments[i])
      return TRUE;

  return FALSE;
}

gboolean
eng_tokens_has_padding (const EngTokens *self)
{
  return memchr (self->padding, 1, (gsize) self->n) != NULL;
}

void
eng_tokens_note_typed (EngTokens  *self,
                       int         i,
                       const char *text)
{
  const EngSpan span = self->spans ? self->spans[i] : (EngSpan) { -1, -1 };
  const gsize length = (gsize) (span.end - span.start);
  g_autofree char *typed = NULL;

  if (span.start < 0 || !g_utf8_validate (text + span.start, (gssize) length, NULL))
    return;

  typed = g_strstrip (g_strndup (text + span.start, length));
  g_clear_pointer (&self->typed[i], g_free);
  if (*typed == '\0' || g_str_equal (typed, self->texts[i]))
    return;
  if (length > MOST_TYPED && g_utf8_strlen (typed, -1) > MOST_TYPED) {
    *g_utf8_offset_to_pointer (typed, MOST_TYPED) = '\0';
    self->typed[i] = g_strconcat (typed, "…", NULL);
  } else {
    self->typed[i] = g_steal_pointer (&typed);
  }
}

int
eng_tokens_get_number (const EngTokens *self,
                       int              i)
{
  return self->numbers != NULL ? self->numbers[i] : i;
}
