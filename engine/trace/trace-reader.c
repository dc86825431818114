/* SPDX-License-Identifier: MIT */
#include "engine/trace/trace-reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/trace/raw-pieces.h"

/* A list of pairs is the deepest that stands in the metadata. */
#define METADATA_DEPTH 2

static char *
print_shape (int           rank,
             const gint64 *shape)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < rank; i++) {
    g_string_append (text, i ? ", " : "");
    if (shape[i] == ENG_ANY_SIZE)
      g_string_append (text, "any");
    else
      g_string_append_printf (text, "%" G_GINT64_FORMAT, shape[i]);
  }
  g_string_append_c (text, ']');

  return g_string_free (text, FALSE);
}

/* "[0, 2, 5]" of a flat index. */
static char *
print_place (int           rank,
             const gint64 *shape,
             gsize         index)
{
  gint64 place[ENG_MAX_RANK];

  for (int i = rank - 1; i >= 0; i--) {
    place[i] = (gint64) (index % (gsize) shape[i]);
    index /= (gsize) shape[i];
  }

  return print_shape (rank, place);
}

/* NULL with an error. */
static const float *
get_floats (EngTraceReader   *self,
            const EngTensor  *tensor,
            GError          **error)
{
  float *widened;

  if (eng_tensor_is_plain_f32 (tensor))
    return (const float *) tensor->data;

  widened = g_try_new (float, (gsize) tensor->n_elements);
  if (!widened) {
    eng_trace_reader_refuse (self, ENG_ERROR_IO, error, "%s does not fit into memory",
                             tensor->name);
    return NULL;
  }
  eng_trace_keep (self->trace, widened, (gsize) tensor->n_elements * sizeof (float), g_free);
  if (!eng_tensor_widen (tensor, widened)) {
    eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                             "%s is %s, expected F32, F16, BF16 or F64",
                             tensor->name, tensor->type_name);
    return NULL;
  }

  return widened;
}

/* The first value that is below lowest, above the largest float or not a number; n when all are
 * good. */
static gsize
find_bad_value (const float *values,
                gsize        n,
                float        lowest)
{
  const gsize step = 4096;

  for (gsize start = 0; start < n; start += step) {
    gsize end = MIN (n, start + step);
    int good = 1;

    /* No way out of this loop, so that it runs in vectors. */
    for (gsize i = start; i < end; i++)
      good &= (values[i] >= lowest) & (values[i] <= FLT_MAX);
    for (gsize i = start; i < end && !good; i++)
      if (!(values[i] >= lowest && values[i] <= FLT_MAX))
        return i;
  }

  return n;
}

/* *list stays NULL where the key is absent. */
static gboolean
read_list (const EngTraceReader  *self,
           const char            *prefix,
           const char            *key,
           int                    n,
           cJSON                **list,
           GError               **error)
{
  g_autoptr (cJSON) value = NULL;

  if (!eng_trace_reader_read_json (self, prefix, key, &value, error))
    return FALSE;
  if (!value)
    return TRUE;
  if (!cJSON_IsArray (value))
    return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error, "%s%s is not a list", prefix,
                                    key);
  if (n != ENG_ANY_SIZE && cJSON_GetArraySize (value) != n)
    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error, "%s%s lists %d, expected %d",
                                    prefix, key,
                                    cJSON_GetArraySize (value), n);
  *list = g_steal_pointer (&value);

  return TRUE;
}

static gboolean
get_index (const cJSON *value,
           int          max,
           int         *index)
{
  double number = cJSON_IsNumber (value) ? value->valuedouble : -1;

  if (!(number >= 0 && number <= max) || number != floor (number))
    return FALSE;
  *index = (int) number;

  return TRUE;
}

static gboolean
read_flags (const EngTraceReader  *self,
            const char            *prefix,
            const char            *key,
            int                    n,
            guint8                *flags,
            GError               **error)
{
  g_autofree gint32 *values = NULL;

  if (!eng_trace_reader_read_indices (self, prefix, key, n, 1, &values, error))
    return FALSE;
  for (int i = 0; values && i < n; i++)
    flags[i] = (guint8) values[i];

  return TRUE;
}

/* null, or bytes of the sentence that the token belongs to, whose end we know if we know the
 * sentence. */
static gboolean
get_span (const EngTraceReader *self,
          const cJSON          *item,
          int                   segment,
          EngSpan              *span)
{
  const char *text = segment ? self->trace->text_b : self->trace->text_a;
  int end = text ? (int) MIN (strlen (text), G_MAXINT) : G_MAXINT;

  if (cJSON_IsNull (item))
    return TRUE;

  return cJSON_IsArray (item) && cJSON_GetArraySize (item) == 2 &&
         get_index (item->child->next, end, &span->end) && get_index (item->child, span->end,
                                                                      &span->start);
}

static gboolean
read_spans (const EngTraceReader  *self,
            const char            *prefix,
            EngTokens             *tokens,
            GError               **error)
{
  g_autoptr (cJSON) list = NULL;
  const cJSON *item;
  int i = 0;

  if (!read_list (self, prefix, "spans", tokens->n, &list, error))
    return FALSE;
  if (!list) {
    g_clear_pointer (&tokens->spans, g_free);
    return TRUE;
  }
  cJSON_ArrayForEach (item, list) {
    if (!get_span (self, item, tokens->segments[i], &tokens->spans[i]))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "%sspans: item %d is neither null nor "
                                      "[first byte, end byte] of its sentence", prefix, i);
    i++;
  }

  return TRUE;
}

/* A file does not say which token its vocabulary has for what it lacks; these are its names. */
static void
note_typed (const EngTraceReader *self,
            EngTokens            *tokens)
{
  static const char *const unknown[] = { "[UNK]", "<unk>", "<UNK>", NULL };

  for (int i = 0; i < tokens->n; i++) {
    const char *text = tokens->segments[i] ? self->trace->text_b : self->trace->text_a;

    if (text && !tokens->special[i] && g_strv_contains (unknown, tokens->texts[i]))
      eng_tokens_note_typed (tokens, i, text);
  }
}

/* Whoever wrote no pieces may have written them as tokens. */
static void
make_readable (EngTokens *tokens)
{
  char **texts = tokens->pieces ? NULL
                                : eng_raw_pieces_to_texts (tokens->texts, tokens->special,
                                                           tokens->n);

  if (!texts)
    return;
  tokens->pieces = tokens->texts;
  tokens->texts = texts;
}

/* Beside an encoder a decoder's text is the target, B, where nothing else is said. */
static void
set_default_segments (const EngTraceReader *self,
                      const char           *prefix,
                      EngTokens            *tokens)
{
  g_autofree char *segments = g_strconcat (prefix, "segments", NULL);

  if (g_str_equal (prefix, eng_kind_get_prefix (ENG_KIND_DECODER))
      && !eng_tensor_set_get_metadata (self->file, segments)
      && eng_tensor_set_get_metadata (self->file, "encoder_tokens"))
    memset (tokens->segments, 1, (gsize) tokens->n);
}

gboolean
eng_trace_reader_refuse (const EngTraceReader  *self,
                         int                    code,
                         GError               **error,
                         const char            *format,
                         ...)
{
  va_list arguments;

  va_start (arguments, format);
  eng_error_refuse (error, (EngError) code, self->path, format, arguments);
  va_end (arguments);

  return FALSE;
}

gboolean
eng_trace_reader_match_shape (const EngTraceReader  *self,
                              const EngTensor       *tensor,
                              int                    rank,
                              gint64                *shape,
                              GError               **error)
{
  gboolean batched = tensor->rank == rank + 1 && tensor->shape[0] == 1;
  const gint64 *found = batched ? tensor->shape + 1 : tensor->shape;
  gboolean matches = batched || tensor->rank == rank;

  for (int i = 0; i < rank && matches; i++)
    matches = found[i] > 0 && found[i] <= G_MAXINT && (shape[i] == ENG_ANY_SIZE ||
                                                       shape[i] == found[i]);
  if (!matches) {
    g_autofree char *found_text = eng_tensor_dup_shape (tensor);
    g_autofree char *expected_text = print_shape (rank, shape);

    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error, "%s is %s, expected %s",
                                    tensor->name,
                                    found_text, expected_text);
  }
  memcpy (shape, found, (gsize) rank * sizeof *shape);

  return TRUE;
}

const float *
eng_trace_reader_read_floats (EngTraceReader   *self,
                              const EngTensor  *tensor,
                              int               rank,
                              gint64           *shape,
                              float             lowest,
                              GError          **error)
{
  gsize n = (gsize) tensor->n_elements;
  g_autofree char *place = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const float *values;
  gsize bad;

  if (!eng_trace_reader_match_shape (self, tensor, rank, shape, error))
    return NULL;
  values = get_floats (self, tensor, error);
  if (!values)
    return NULL;
  bad = find_bad_value (values, n, lowest);
  if (bad == n)
    return values;

  place = print_place (rank, shape, bad);
  g_ascii_formatd (number, sizeof number, "%g", values[bad]);
  eng_trace_reader_refuse (self, ENG_ERROR_RANGE, error, "%s%s is %s, expected a finite number%s",
                           tensor->name,
                           place, number, lowest < 0 ? "" : " that is not negative");

  return NULL;
}

gboolean
eng_trace_reader_read_json (const EngTraceReader  *self,
                            const char            *prefix,
                            const char            *key,
                            cJSON                **value,
                            GError               **error)
{
  g_autofree char *name = g_strconcat (prefix, key, NULL);
  g_autofree char *what = g_strconcat (self->path, ": ", name, NULL);
  const char *text = eng_tensor_set_get_metadata (self->file, name);

  if (!text)
    return TRUE;
  *value = eng_json_parse (text, strlen (text), METADATA_DEPTH, what, error);

  return *value != NULL;
}

gboolean
eng_trace_reader_read_texts (const EngTraceReader   *self,
                             const char             *prefix,
                             const char             *key,
                             int                     n,
                             char                 ***texts,
                             GError                **error)
{
  g_autoptr (cJSON) list = NULL;
  const cJSON *item;
  int i = 0;

  if (!read_list (self, prefix, key, n, &list, error))
    return FALSE;
  if (!list)
    return TRUE;
  *texts = g_new0 (char *, cJSON_GetArraySize (list) + 1);
  cJSON_ArrayForEach (item, list) {
    if (!cJSON_IsString (item))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "%s%s: item %d is not a text",
                                      prefix, key, i);
    (*texts)[i++] = g_strdup (item->valuestring);
  }

  return TRUE;
}

gboolean
eng_trace_reader_read_indices (const EngTraceReader  *self,
                               const char            *prefix,
                               const char            *key,
                               int                    n,
                               int                    max,
                               gint32               **indices,
                               GError               **error)
{
  g_autoptr (cJSON) list = NULL;
  const cJSON *item;
  int i = 0;

  if (!read_list (self, prefix, key, n, &list, error))
    return FALSE;
  if (!list)
    return TRUE;
  *indices = g_new0 (gint32, cJSON_GetArraySize (list) + 1);
  cJSON_ArrayForEach (item, list) {
    if (!get_index (item, max, &(*indices)[i]))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "%s%s: item %d is not a whole number from 0 to %d",
                                      prefix, key, i, max);
    i++;
  }

  return TRUE;
}

EngTokens *
eng_trace_reader_read_tokens (const EngTraceReader  *self,
                              const char            *prefix,
                              const EngTensor       *attention,
                              int                    n,
                              GError               **error)
{
  g_autoptr (EngTokens) tokens = eng_tokens_new (n);
  g_auto (GStrv) texts = NULL;

  if (!eng_trace_reader_read_texts (self, prefix, "tokens", ENG_ANY_SIZE, &texts, error))
    return NULL;
  if (!texts || g_strv_length (texts) != (guint) n) {
    g_autofree char *shape = eng_tensor_dup_shape (attention);
    g_autofree char *found = texts ? g_strdup_printf ("%stokens lists %u", prefix,
                                                      g_strv_length (texts))
                                   : g_strdup_printf ("the metadata has no list %stokens",
                                                      prefix);

    eng_trace_reader_refuse (self, texts ? ENG_ERROR_SHAPE : ENG_ERROR_MISSING, error,
                             "%s, but %s is %s: expected %d texts", found, attention->name,
                             shape, n);
    return NULL;
  }
  g_free (tokens->texts);
  tokens->texts = g_steal_pointer (&texts);

  g_clear_pointer (&tokens->pieces, g_free);
  g_clear_pointer (&tokens->ids, g_free);
  g_clear_pointer (&tokens->type_ids, g_free);
  set_default_segments (self, prefix, tokens);
  if (!eng_trace_reader_read_texts (self, prefix, "pieces", n, &tokens->pieces, error) ||
      !eng_trace_reader_read_indices (self, prefix, "ids", n, G_MAXINT, &tokens->ids, error) ||
      !eng_trace_reader_read_indices (self, prefix, "type_ids", n, G_MAXINT, &tokens->type_ids,
                                      error) ||
      !eng_trace_reader_read_indices (self, prefix, "languages", n, G_MAXINT, &tokens->languages,
                                      error) ||
      !read_flags (self, prefix, "segments", n, tokens->segments, error) ||
      !read_flags (self, prefix, "special", n, tokens->special, error) ||
      !read_spans (self, prefix, tokens, error))
    return NULL;
  make_readable (tokens);
  note_typed (self, tokens);

  return g_steal_pointer (&tokens);
}
