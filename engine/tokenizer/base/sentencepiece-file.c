/* SPDX-License-Identifier: MIT */
/* Field numbers: sentencepiece_model.proto. */
#include "engine/tokenizer/base/sentencepiece-file.h"

#include <math.h>
#include <string.h>

#include "engine/base/file-map.h"

#define MAX_BYTES ((gsize) 512 << 20)
#define MAX_VARINT_BYTES 10

typedef enum {
  WIRE_VARINT = 0,
  WIRE_FIXED64 = 1,
  WIRE_BYTES = 2,
  WIRE_FIXED32 = 5
} WireType;

/* A message, or what is left of it. */
typedef struct {
  const guint8 *at;
  const guint8 *end;
} Message;

typedef struct {
  guint64  number;
  WireType type;
  guint64  value; /* of a varint or a fixed one */
  Message  bytes; /* of the others */
} Field;

/* Reads one field of a message; FALSE with an error. */
typedef gboolean (*ReadField) (EngSentencepieceFile  *self,
                               const Field           *field,
                               gpointer               data,
                               const char            *what,
                               GError               **error);

static gboolean
read_varint (Message *message,
             guint64 *value)
{
  *value = 0;
  for (int i = 0; i < MAX_VARINT_BYTES && message->at < message->end; i++) {
    guint8 byte = *message->at++;

    *value |= (guint64) (byte & 0x7f) << (7 * i);
    if (byte < 0x80)
      return TRUE;
  }

  return FALSE;
}

static gboolean
read_fixed (Message *message,
            int      n_bytes,
            guint64 *value)
{
  if (message->end - message->at < n_bytes)
    return FALSE;

  *value = 0;
  for (int i = 0; i < n_bytes; i++)
    *value |= (guint64) *message->at++ << (8 * i);

  return TRUE;
}

static gboolean
read_bytes (Message *message,
            Message *bytes)
{
  guint64 length;

  if (!read_varint (message, &length) || length > (guint64) (message->end - message->at))
    return FALSE;

  *bytes = (Message) { message->at, message->at + length };
  message->at += length;

  return TRUE;
}

static gboolean
read_field (Message *message,
            Field   *field)
{
  guint64 key;

  if (!read_varint (message, &key))
    return FALSE;
  field->number = key >> 3;
  field->type = key & 7;

  switch (field->type) {
  case WIRE_VARINT:
    return read_varint (message, &field->value);
  case WIRE_FIXED64:
    return read_fixed (message, 8, &field->value);
  case WIRE_BYTES:
    return read_bytes (message, &field->bytes);
  case WIRE_FIXED32:
    return read_fixed (message, 4, &field->value);
  default:
    return FALSE;
  }
}

static gboolean
read_message (EngSentencepieceFile  *self,
              Message                message,
              ReadField              read,
              gpointer               data,
              const char            *what,
              GError               **error)
{
  while (message.at < message.end) {
    Field field = { 0 };

    if (!read_field (&message, &field)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                   "%s: a message is broken off, expected a model of SentencePiece", what);
      return FALSE;
    }
    if (!read (self, &field, data, what, error))
      return FALSE;
  }

  return TRUE;
}

static gboolean
expect (const Field  *field,
        WireType      type,
        const char   *name,
        const char   *what,
        GError      **error)
{
  if (field->type == type)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: %s is of wire type %d, expected %d",
               what, name, (int) field->type, (int) type);

  return FALSE;
}

static gboolean
expect_boolean (const Field  *field,
                const char   *name,
                const char   *what,
                gboolean     *value,
                GError      **error)
{
  if (!expect (field, WIRE_VARINT, name, what, error))
    return FALSE;
  *value = field->value != 0;

  return TRUE;
}

/* Numbers from 1 to last. */
static gboolean
expect_enum (const Field  *field,
             guint64       last,
             const char   *name,
             const char   *what,
             GError      **error)
{
  if (!expect (field, WIRE_VARINT, name, what, error))
    return FALSE;
  if (field->value >= 1 && field->value <= last)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: %s is %" G_GUINT64_FORMAT ", expected 1 to %" G_GUINT64_FORMAT,
               what, name, field->value, last);

  return FALSE;
}

static gboolean
read_piece_field (EngSentencepieceFile  *self,
                  const Field           *field,
                  gpointer               data,
                  const char            *what,
                  GError               **error)
{
  EngSentencepiece *piece = data;
  guint32 bits;
  gsize length;

  switch (field->number) {
  case 1:
    if (!expect (field, WIRE_BYTES, "a piece", what, error))
      return FALSE;
    g_free (piece->text);
    length = (gsize) (field->bytes.end - field->bytes.at);
    /* What holds a NUL is refused as an empty piece is. */
    piece->text = memchr (field->bytes.at, 0, length)
                    ? NULL : g_strndup ((const char *) field->bytes.at, length);
    return TRUE;
  case 2:
    if (!expect (field, WIRE_FIXED32, "a score", what, error))
      return FALSE;
    bits = (guint32) field->value;
    memcpy (&piece->score, &bits, sizeof bits);
    return TRUE;
  case 3:
    if (!expect_enum (field, ENG_SENTENCEPIECE_BYTE, "the type of a piece", what, error))
      return FALSE;
    piece->type = (EngSentencepieceType) field->value;
    return TRUE;
  default:
    return TRUE;
  }
}

static gboolean
check_piece (EngSentencepieceFile    *self,
             const EngSentencepiece  *piece,
             const char              *what,
             GError                 **error)
{
  guint n = self->pieces->len - 1;

  if (!piece->text || !*piece->text || !g_utf8_validate (piece->text, -1, NULL) ||
      !isfinite (piece->score)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: piece %u is empty, not UTF-8 or without a number as its score", what, n);
    return FALSE;
  }
  if (piece->type != ENG_SENTENCEPIECE_UNKNOWN)
    return TRUE;
  if (self->unknown >= 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: pieces %d and %u are both for the unknown, expected one", what, self->unknown,
                 n);
    return FALSE;
  }
  self->unknown = (int) n;

  return TRUE;
}

static gboolean
read_trainer_field (EngSentencepieceFile  *self,
                    const Field           *field,
                    gpointer               data,
                    const char            *what,
                    GError               **error)
{
  switch (field->number) {
  case 3:
    if (!expect_enum (field, ENG_SENTENCEPIECE_CHARACTER, "model_type", what, error))
      return FALSE;
    self->model = (EngSentencepieceModel) field->value;
    return TRUE;
  case 24:
    return expect_boolean (field, "treat_whitespace_as_suffix", what, &self->mark_behind, error);
  case 35:
    return expect_boolean (field, "byte_fallback", what, &self->byte_fallback, error);
  default:
    return TRUE;
  }
}

static gboolean
read_normalizer_field (EngSentencepieceFile  *self,
                       const Field           *field,
                       gpointer               data,
                       const char            *what,
                       GError               **error)
{
  switch (field->number) {
  case 2:
    if (!expect (field, WIRE_BYTES, "precompiled_charsmap", what, error))
      return FALSE;
    g_clear_pointer (&self->charsmap, g_bytes_unref);
    if (field->bytes.end > field->bytes.at)
      self->charsmap = g_bytes_new (field->bytes.at, (gsize) (field->bytes.end - field->bytes.at));
    return TRUE;
  case 3:
    return expect_boolean (field, "add_dummy_prefix", what, &self->add_dummy_prefix, error);
  case 4:
    return expect_boolean (field, "remove_extra_whitespaces", what, &self->remove_extra_spaces,
                           error);
  case 5:
    return expect_boolean (field, "escape_whitespaces", what, &self->escape_spaces, error);
  default:
    return TRUE;
  }
}

static gboolean
read_model_field (EngSentencepieceFile  *self,
                  const Field           *field,
                  gpointer               data,
                  const char            *what,
                  GError               **error)
{
  static const char *const names[] = { NULL, "a piece", "trainer_spec", "normalizer_spec" };
  EngSentencepiece piece = { .type = ENG_SENTENCEPIECE_NORMAL };
  EngSentencepiece *last;

  if (field->number < 1 || field->number > 3)
    return TRUE;
  if (!expect (field, WIRE_BYTES, names[field->number], what, error))
    return FALSE;
  if (field->number == 2)
    return read_message (self, field->bytes, read_trainer_field, NULL, what, error);
  if (field->number == 3)
    return read_message (self, field->bytes, read_normalizer_field, NULL, what, error);

  g_array_append_val (self->pieces, piece);
  last = &g_array_index (self->pieces, EngSentencepiece, self->pieces->len - 1);

  return read_message (self, field->bytes, read_piece_field, last, what, error) &&
         check_piece (self, last, what, error);
}

static void
piece_clear (gpointer data)
{
  g_free (((EngSentencepiece *) data)->text);
}

static EngSentencepieceFile *
file_new (void)
{
  EngSentencepieceFile *self = g_new0 (EngSentencepieceFile, 1);

  self->pieces = g_array_new (FALSE, FALSE, sizeof (EngSentencepiece));
  g_array_set_clear_func (self->pieces, piece_clear);
  self->unknown = -1;
  self->model = ENG_SENTENCEPIECE_UNIGRAM;
  self->add_dummy_prefix = TRUE;
  self->remove_extra_spaces = TRUE;
  self->escape_spaces = TRUE;

  return self;
}

EngSentencepieceFile *
eng_sentencepiece_file_parse (const guint8  *data,
                              gsize          length,
                              const char    *what,
                              GError       **error)
{
  g_autoptr (EngSentencepieceFile) self = file_new ();

  if (!read_message (self, (Message) { data, data + length }, read_model_field, NULL, what, error))
    return NULL;
  if (self->unknown < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: %u pieces and none for the unknown, expected a model of SentencePiece",
                 what, self->pieces->len);
    return NULL;
  }

  return g_steal_pointer (&self);
}

EngSentencepieceFile *
eng_sentencepiece_file_read (const char  *path,
                             GError     **error)
{
  g_autoptr (GBytes) bytes = eng_file_map (path, MAX_BYTES, error);
  const guint8 *data;
  gsize length;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &length);

  return eng_sentencepiece_file_parse (data != NULL ? data : (const guint8 *) "", length, path,
                                       error);
}

void
eng_sentencepiece_file_free (EngSentencepieceFile *self)
{
  g_array_unref (self->pieces);
  g_clear_pointer (&self->charsmap, g_bytes_unref);
  g_free (self);
}
