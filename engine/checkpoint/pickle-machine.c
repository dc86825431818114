/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/pickle-machine.h"

/* As ENG_PICKLE_MAX_VALUES. */
#define MAX_STACK (1 << 20)

/* Values above the last mark may be taken, those below not. */
static guint
count_free (const EngPickleMachine *self)
{
  return self->stack->len - (self->n_marks ? self->marks[self->n_marks - 1] : 0);
}

void
eng_pickle_machine_clear (EngPickleMachine *self)
{
  g_clear_pointer (&self->stack, g_ptr_array_unref);
  g_clear_pointer (&self->memo, g_ptr_array_unref);
}

gboolean
eng_pickle_machine_refuse (EngPickleMachine *self,
                           const char       *format,
                           ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (self->error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: byte %" G_GSIZE_FORMAT ": %s",
               self->what, self->start, message);

  return FALSE;
}

const guint8 *
eng_pickle_machine_take (EngPickleMachine *self,
                         gsize             n)
{
  const guint8 *bytes = self->data + self->at;

  if (n > self->n_bytes - self->at) {
    eng_pickle_machine_refuse (self, "%s needs %" G_GSIZE_FORMAT " bytes, but only %"
                               G_GSIZE_FORMAT " are left", self->opcode, n,
                               self->n_bytes - self->at);
    return NULL;
  }
  self->at += n;

  return bytes;
}

gboolean
eng_pickle_machine_take_unsigned (EngPickleMachine *self,
                                  gsize             size,
                                  guint64          *value)
{
  const guint8 *bytes = eng_pickle_machine_take (self, size);

  if (!bytes)
    return FALSE;

  *value = 0;
  for (gsize i = 0; i < size; i++)
    *value |= (guint64) bytes[i] << (8 * i);

  return TRUE;
}

gboolean
eng_pickle_machine_push_again (EngPickleMachine *self,
                               EngPickleNode    *node)
{
  if (self->stack->len == MAX_STACK)
    return eng_pickle_machine_refuse (self, "more than %d values on the stack", MAX_STACK);
  g_ptr_array_add (self->stack, node);

  return TRUE;
}

EngPickleValue *
eng_pickle_machine_push (EngPickleMachine *self,
                         EngPickleType     type)
{
  EngPickleNode *node;

  if (eng_pickle_count_nodes (self->pickle) == ENG_PICKLE_MAX_VALUES) {
    eng_pickle_machine_refuse (self, "more than %d values", ENG_PICKLE_MAX_VALUES);
    return NULL;
  }
  node = eng_pickle_add_node (self->pickle, type);

  return eng_pickle_machine_push_again (self, node) ? &node->value : NULL;
}

gboolean
eng_pickle_machine_need (EngPickleMachine *self,
                         guint             n)
{
  if (count_free (self) >= n)
    return TRUE;

  return eng_pickle_machine_refuse (self, "%s needs %u values, but the stack has %u",
                                    self->opcode, n, count_free (self));
}

gboolean
eng_pickle_machine_count_values (EngPickleMachine *self,
                                 int               n,
                                 guint            *count)
{
  *count = (guint) n;
  if (n != ENG_PICKLE_TO_MARK)
    return eng_pickle_machine_need (self, *count);
  if (self->n_marks == 0)
    return eng_pickle_machine_refuse (self, "%s finds no mark", self->opcode);
  *count = count_free (self);
  self->n_marks--;

  return TRUE;
}

EngPickleNode *
eng_pickle_machine_pop (EngPickleMachine *self)
{
  return g_ptr_array_steal_index (self->stack, self->stack->len - 1);
}

EngPickleNode *
eng_pickle_machine_peek (EngPickleMachine *self)
{
  return g_ptr_array_index (self->stack, self->stack->len - 1);
}
