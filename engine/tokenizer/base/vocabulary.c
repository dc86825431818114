/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/vocabulary.h"

#include <math.h>
#include <string.h>

typedef struct {
  guint32 text;   /* offset into texts */
  guint32 length;
  guint32 hash;
  int     id;
} Entry;

#define NO_ENTRY G_MAXUINT32
/* 1 + the largest id must be an int. */
#define MAX_ID (G_MAXINT - 1)

struct _EngVocabulary {
  GString    *texts;    /* every piece with a NUL behind it */
  GArray     *entries;  /* of Entry, sorted by id once sealed */
  guint32    *slots;    /* [n_slots] index into entries or NO_ENTRY; n_slots is a power of two */
  guint32     n_slots;
  int         n_pieces;
  gsize       max_length;
  guint32     repeated; /* index into entries of a piece that came twice, or NO_ENTRY */
};

static const Entry *
get_entry (const EngVocabulary *self,
           guint                index)
{
  return &g_array_index (self->entries, Entry, index);
}

static const char *
get_text (const EngVocabulary *self,
          const Entry         *entry)
{
  return self->texts->str + entry->text;
}

/* The slot that holds the piece, or the free one where it belongs. */
static guint32 *
find_slot (const EngVocabulary *self,
           const char          *piece,
           gsize                length,
           guint32              hash)
{
  /* The high bits of FNV-1a spread better than its low ones. */
  guint32 at = (hash ^ hash >> 15) & (self->n_slots - 1);

  for (; self->slots[at] != NO_ENTRY; at = (at + 1) & (self->n_slots - 1)) {
    const Entry *entry = get_entry (self, self->slots[at]);

    if (entry->hash == hash && entry->length == length &&
        memcmp (get_text (self, entry), piece, length) == 0)
      break;
  }

  return &self->slots[at];
}

static int
compare_ids (const void *a,
             const void *b)
{
  const Entry *first = a;
  const Entry *second = b;

  return (first->id > second->id) - (first->id < second->id);
}

static void
sort_by_id (EngVocabulary *self)
{
  for (guint i = 1; i < self->entries->len; i++)
    if (get_entry (self, i)->id < get_entry (self, i - 1)->id) {
      /* Files list their pieces in the order of ids: this is rare. */
      g_array_sort (self->entries, compare_ids);
      return;
    }
}

static gboolean
check_ids (const EngVocabulary  *self,
           const char           *what,
           GError              **error)
{
  for (guint i = 1; i < self->entries->len; i++) {
    const Entry *previous = get_entry (self, i - 1);
    const Entry *entry = get_entry (self, i);

    if (entry->id == previous->id) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                   "%s: the tokens \"%s\" and \"%s\" have the same id %d, expected an id each",
                   what, get_text (self, previous), get_text (self, entry), entry->id);
      return FALSE;
    }
  }

  return TRUE;
}

static void
fill_slots (EngVocabulary *self)
{
  /* Half of the slots stay free, so that a search for what is not there ends soon. */
  self->n_slots = 16;
  while (self->n_slots < self->entries->len * 2)
    self->n_slots *= 2;
  self->slots = g_new (guint32, self->n_slots);
  memset (self->slots, 0xff, self->n_slots * sizeof *self->slots);

  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = get_entry (self, i);
    guint32 *slot = find_slot (self, get_text (self, entry), entry->length, entry->hash);

    if (*slot == NO_ENTRY)
      self->n_pieces++;
    else
      self->repeated = i;
    *slot = i;
  }
}

/* The cursor stands behind the name of a member. */
static gboolean
read_entry (EngVocabulary  *self,
            EngJsonCursor  *cursor,
            const char     *what,
            GError        **error)
{
  Entry *entry;

  eng_vocabulary_add (self, cursor->string, cursor->length, 0);
  entry = &g_array_index (self->entries, Entry, self->entries->len - 1);
  if (eng_json_cursor_next (cursor) == ENG_JSON_NUMBER && cursor->number >= 0 &&
      cursor->number <= MAX_ID && cursor->number == trunc (cursor->number)) {
    entry->id = (int) cursor->number;
    return TRUE;
  }
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: the id of the token \"%s\" is not a whole number from 0 to %d",
               what, get_text (self, entry), MAX_ID);

  return FALSE;
}

EngVocabulary *
eng_vocabulary_new (void)
{
  EngVocabulary *self = g_new0 (EngVocabulary, 1);

  self->texts = g_string_new (NULL);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->repeated = NO_ENTRY;

  return self;
}

void
eng_vocabulary_free (EngVocabulary *self)
{
  g_string_free (self->texts, TRUE);
  g_array_unref (self->entries);
  g_free (self->slots);
  g_free (self);
}

void
eng_vocabulary_add (EngVocabulary *self,
                    const char    *piece,
                    gsize          length,
                    int            id)
{
  Entry entry = { (guint32) self->texts->len, (guint32) length, ENG_HASH_START, id };

  for (gsize i = 0; i < length; i++)
    entry.hash = eng_hash_byte (entry.hash, (guint8) piece[i]);
  g_string_append_len (self->texts, piece, (gssize) length);
  g_string_append_c (self->texts, '\0');
  g_array_append_val (self->entries, entry);
  self->max_length = MAX (self->max_length, length);
}

gboolean
eng_vocabulary_seal (EngVocabulary  *self,
                     const char     *what,
                     GError        **error)
{
  if (self->entries->len == 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: the vocabulary is empty", what);
    return FALSE;
  }
  sort_by_id (self);
  if (!check_ids (self, what, error))
    return FALSE;
  fill_slots (self);

  return TRUE;
}

EngVocabulary *
eng_vocabulary_new_from_json (EngJsonText   json,
                              const char   *what,
                              GError      **error)
{
  g_autoptr (EngVocabulary) self = eng_vocabulary_new ();
  g_auto (EngJsonCursor) cursor = { 0 };

  if (!json.text || *json.text != '{') {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: no vocabulary, expected vocab to be an object of tokens and ids", what);
    return NULL;
  }
  eng_json_cursor_init (&cursor, json);
  eng_json_cursor_next (&cursor);
  while (eng_json_cursor_next (&cursor) == ENG_JSON_STRING)
    if (!read_entry (self, &cursor, what, error))
      return NULL;
  if (!eng_vocabulary_seal (self, what, error))
    return NULL;
  if (self->repeated != NO_ENTRY) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: the token \"%s\" stands twice in the vocabulary",
                 what, get_text (self, get_entry (self, self->repeated)));
    return NULL;
  }

  return g_steal_pointer (&self);
}

int
eng_vocabulary_get_n_pieces (const EngVocabulary *self)
{
  return self->n_pieces;
}

int
eng_vocabulary_get_n_entries (const EngVocabulary *self)
{
  return get_entry (self, self->entries->len - 1)->id + 1;
}

gsize
eng_vocabulary_get_max_length (const EngVocabulary *self)
{
  return self->max_length;
}

const char *
eng_vocabulary_get_piece (const EngVocabulary *self,
                          int                  id)
{
  Entry key = { .id = id };
  guint index = (guint) id;

  /* Without gaps an entry stands at its id; with gaps it can only stand before it. */
  if (id < 0)
    return NULL;
  if (index < self->entries->len && get_entry (self, index)->id == id)
    return get_text (self, get_entry (self, index));
  if (!g_array_binary_search (self->entries, &key, compare_ids, &index))
    return NULL;

  return get_text (self, get_entry (self, index));
}

int
eng_vocabulary_find (const EngVocabulary *self,
                     const char          *piece)
{
  return eng_vocabulary_find_length (self, piece, strlen (piece));
}

int
eng_vocabulary_find_length (const EngVocabulary *self,
                            const char          *piece,
                            gsize                length)
{
  guint32 hash = ENG_HASH_START;

  for (gsize i = 0; i < length; i++)
    hash = eng_hash_byte (hash, (guint8) piece[i]);

  return eng_vocabulary_find_hashed (self, piece, length, hash);
}

int
eng_vocabulary_find_hashed (const EngVocabulary *self,
                            const char          *piece,
                            gsize                length,
                            guint32              hash)
{
  guint32 slot = *find_slot (self, piece, length, hash);

  return slot == NO_ENTRY ? -1 : get_entry (self, slot)->id;
}
