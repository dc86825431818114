/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/pickle.h"

#include <string.h>

#include "engine/checkpoint/pickle-private.h"

struct _EngPickle {
  GPtrArray            *nodes;  /* of EngPickleNode, every one that was made */
  GPtrArray            *stored; /* of EngPickleValue, those with a persistent id */
  GStringChunk         *names;
  const EngPickleValue *value;
};

static void
node_free (gpointer data)
{
  EngPickleNode *self = data;

  g_free (self->value.items);
  g_free (self);
}

EngPickle *
eng_pickle_read (const guint8  *data,
                 gsize          n_bytes,
                 const char    *what,
                 gsize         *used,
                 GError       **error)
{
  g_autoptr (EngPickle) self = g_new0 (EngPickle, 1);

  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->stored = g_ptr_array_new ();
  self->names = g_string_chunk_new (1024);
  if (!eng_pickle_run (self, data, n_bytes, what, used, error))
    return NULL;

  return g_steal_pointer (&self);
}

EngPickleNode *
eng_pickle_add_node (EngPickle     *self,
                     EngPickleType  type)
{
  EngPickleNode *node = g_new0 (EngPickleNode, 1);

  node->value.type = type;
  g_ptr_array_add (self->nodes, node);
  if (type == ENG_PICKLE_PERSISTENT)
    g_ptr_array_add (self->stored, &node->value);

  return node;
}

guint
eng_pickle_count_nodes (const EngPickle *self)
{
  return self->nodes->len;
}

void
eng_pickle_node_append (EngPickleNode *self,
                        gpointer      *nodes,
                        guint          n)
{
  EngPickleValue *value = &self->value;

  if (n > self->capacity - value->n_items) {
    self->capacity = MAX (value->n_items + n, 2 * self->capacity);
    value->items = g_renew (EngPickleValue *, value->items, self->capacity);
  }
  for (guint i = 0; i < n; i++)
    value->items[value->n_items++] = nodes[i];
}

const char *
eng_pickle_intern (EngPickle  *self,
                   const char *name)
{
  return g_string_chunk_insert_const (self->names, name);
}

void
eng_pickle_set_value (EngPickle            *self,
                      const EngPickleValue *value)
{
  self->value = value;
}

void
eng_pickle_free (EngPickle *self)
{
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->stored);
  g_string_chunk_free (self->names);
  g_free (self);
}

const EngPickleValue *
eng_pickle_get_value (const EngPickle *self)
{
  return self->value;
}

const GPtrArray *
eng_pickle_get_stored (const EngPickle *self)
{
  return self->stored;
}

gboolean
eng_pickle_is_global (const EngPickleValue *value,
                      const char           *name)
{
  return value->type == ENG_PICKLE_GLOBAL && strcmp (value->name, name) == 0;
}

gboolean
eng_pickle_is_string (const EngPickleValue *value,
                      const char           *text)
{
  return value->type == ENG_PICKLE_STRING && value->length == strlen (text) &&
         memcmp (value->text, text, value->length) == 0;
}

char *
eng_pickle_dup_string (const EngPickleValue *value,
                       gsize                 max_bytes)
{
  if (value->type != ENG_PICKLE_STRING || value->length == 0 || value->length > max_bytes ||
      !g_utf8_validate (value->text, (gssize) value->length, NULL))
    return NULL;

  return g_strndup (value->text, value->length);
}
