/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/pickle-machine.h"

#include <string.h>

/* As ENG_PICKLE_MAX_VALUES. */
#define MAX_STEPS (1 << 24)
#define MAX_NAME_BYTES 256
#define HIGHEST_PROTOCOL 5
#define STOP '.'

static gboolean
push_empty (EngPickleMachine *self,
            int               type)
{
  return eng_pickle_machine_push (self, (EngPickleType) type) != NULL;
}

static gboolean
push_bool (EngPickleMachine *self,
           int               value)
{
  EngPickleValue *pushed = eng_pickle_machine_push (self, ENG_PICKLE_BOOL);

  if (pushed)
    pushed->integer = value;

  return pushed != NULL;
}

/* Of four bytes it has a sign, of fewer not. */
static gboolean
push_int (EngPickleMachine *self,
          int               size)
{
  EngPickleValue *value;
  guint64 bits;

  if (!eng_pickle_machine_take_unsigned (self, (gsize) size, &bits))
    return FALSE;
  value = eng_pickle_machine_push (self, ENG_PICKLE_INT);
  if (value)
    value->integer = size == 4 ? (gint32) bits : (gint64) bits;

  return value != NULL;
}

/* In front of the text stands its length in size bytes. */
static gboolean
push_text (EngPickleMachine *self,
           EngPickleType     type,
           gsize             size)
{
  EngPickleValue *value;
  const guint8 *text;
  guint64 length;

  if (!eng_pickle_machine_take_unsigned (self, size, &length))
    return FALSE;
  text = eng_pickle_machine_take (self, length);
  value = text ? eng_pickle_machine_push (self, type) : NULL;
  if (!value)
    return FALSE;
  value->text = (const char *) text;
  value->length = length;

  return TRUE;
}

static gboolean
push_string (EngPickleMachine *self,
             int               size)
{
  return push_text (self, ENG_PICKLE_STRING, (gsize) size);
}

static gboolean
push_bytes (EngPickleMachine *self,
            int               size)
{
  return push_text (self, ENG_PICKLE_BYTES, (gsize) size);
}

/* Two's complement of as many bytes as the number needs. */
static gboolean
push_long (EngPickleMachine *self,
           int               size)
{
  EngPickleValue *value;
  guint64 bits = 0;

  if (!push_text (self, ENG_PICKLE_LONG, (gsize) size))
    return FALSE;
  value = &eng_pickle_machine_peek (self)->value;
  if (value->length > sizeof bits)
    return TRUE;

  if (value->length > 0 && (value->text[value->length - 1] & 0x80))
    bits = G_MAXUINT64;
  for (gsize i = value->length; i > 0; i--)
    bits = bits << 8 | (guint8) value->text[i - 1];
  value->type = ENG_PICKLE_INT;
  value->integer = (gint64) bits;

  return TRUE;
}

/* IEEE 754, the highest byte first. */
static gboolean
push_float (EngPickleMachine *self,
            int               size)
{
  const guint8 *bytes = eng_pickle_machine_take (self, (gsize) size);
  EngPickleValue *value = bytes ? eng_pickle_machine_push (self, ENG_PICKLE_FLOAT) : NULL;
  guint64 bits;

  if (!value)
    return FALSE;
  memcpy (&bits, bytes, sizeof bits);
  bits = GUINT64_FROM_BE (bits);
  memcpy (&value->number, &bits, sizeof bits);

  return TRUE;
}

static gboolean
push_global (EngPickleMachine *self,
             const char       *module,
             gsize             module_length,
             const char       *name,
             gsize             name_length)
{
  EngPickleValue *value = eng_pickle_machine_push (self, ENG_PICKLE_GLOBAL);
  g_autofree char *full = NULL;

  if (!value)
    return FALSE;
  full = g_strdup_printf ("%.*s %.*s", (int) module_length, module, (int) name_length, name);
  value->name = eng_pickle_intern (self->pickle, full);

  return TRUE;
}

/* Names go into messages. */
static gboolean
check_name (EngPickleMachine *self,
            const char       *name,
            gsize             length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isgraph (name[i]))
      return eng_pickle_machine_refuse (self, "%s: a name holds the byte 0x%02X", self->opcode,
                                        (guchar) name[i]);

  return TRUE;
}

static gboolean
take_name (EngPickleMachine  *self,
           const char       **name,
           gsize             *length)
{
  const guint8 *start = self->data + self->at;
  gsize most = MIN (self->n_bytes - self->at, MAX_NAME_BYTES);
  const guint8 *end = memchr (start, '\n', most);

  if (!end)
    return eng_pickle_machine_refuse (self, "%s: no end of line within %" G_GSIZE_FORMAT " bytes",
                                      self->opcode, most);

  *name = (const char *) start;
  *length = (gsize) (end - start);
  self->at += *length + 1;

  return check_name (self, *name, *length);
}

static gboolean
read_global (EngPickleMachine *self,
             int               unused)
{
  const char *module = NULL;
  const char *name = NULL;
  gsize module_length = 0;
  gsize name_length = 0;

  return take_name (self, &module, &module_length) && take_name (self, &name, &name_length) &&
         push_global (self, module, module_length, name, name_length);
}

static gboolean
read_stack_global (EngPickleMachine *self,
                   int               unused)
{
  const EngPickleValue *module, *name;

  if (!eng_pickle_machine_need (self, 2))
    return FALSE;
  name = &eng_pickle_machine_pop (self)->value;
  module = &eng_pickle_machine_pop (self)->value;
  if (module->type != ENG_PICKLE_STRING || name->type != ENG_PICKLE_STRING ||
      module->length > MAX_NAME_BYTES || name->length > MAX_NAME_BYTES)
    return eng_pickle_machine_refuse (self, "%s: a name is no text of at most %d bytes",
                                      self->opcode, MAX_NAME_BYTES);

  return check_name (self, module->text, module->length) &&
         check_name (self, name->text, name->length) &&
         push_global (self, module->text, module->length, name->text, name->length);
}

static gboolean
push_mark (EngPickleMachine *self,
           int               unused)
{
  if (self->n_marks == ENG_PICKLE_MAX_MARKS)
    return eng_pickle_machine_refuse (self, "marks are nested deeper than %d",
                                      ENG_PICKLE_MAX_MARKS);
  self->marks[self->n_marks++] = self->stack->len;

  return TRUE;
}

/* The upper n values become one. */
static gboolean
push_tuple (EngPickleMachine *self,
            int               n)
{
  guint count, first;

  if (!eng_pickle_machine_count_values (self, n, &count))
    return FALSE;
  first = self->stack->len - count;
  if (!eng_pickle_machine_push (self, ENG_PICKLE_TUPLE))
    return FALSE;

  eng_pickle_node_append (eng_pickle_machine_peek (self), self->stack->pdata + first, count);
  if (count > 0)
    g_ptr_array_remove_range (self->stack, first, count);

  return TRUE;
}

/* Puts the upper n values into the container below them. What a call gives is unknown here: it may
 * be a list or a dict. */
static gboolean
add_items (EngPickleMachine *self,
           EngPickleType     type,
           int               n)
{
  EngPickleNode *container;
  guint count, first;

  if (!eng_pickle_machine_count_values (self, n, &count) ||
      !eng_pickle_machine_need (self, count + 1))
    return FALSE;
  first = self->stack->len - count;
  container = g_ptr_array_index (self->stack, first - 1);
  if (container->value.type != type && container->value.type != ENG_PICKLE_CALL)
    return eng_pickle_machine_refuse (self, "%s finds no %s to add to", self->opcode,
                                      type == ENG_PICKLE_DICT ? "dict" : "list");
  if (type == ENG_PICKLE_DICT && count % 2 != 0)
    return eng_pickle_machine_refuse (self, "%s: a key has no value", self->opcode);

  eng_pickle_node_append (container, self->stack->pdata + first, count);
  g_ptr_array_set_size (self->stack, (int) first);

  return TRUE;
}

static gboolean
add_to_list (EngPickleMachine *self,
             int               n)
{
  return add_items (self, ENG_PICKLE_LIST, n);
}

static gboolean
add_to_dict (EngPickleMachine *self,
             int               n)
{
  return add_items (self, ENG_PICKLE_DICT, n);
}

static gboolean
push_call (EngPickleMachine *self,
           int               unused)
{
  const EngPickleValue *callee, *argument;
  EngPickleValue *value;

  if (!eng_pickle_machine_need (self, 2))
    return FALSE;
  argument = &eng_pickle_machine_pop (self)->value;
  callee = &eng_pickle_machine_pop (self)->value;
  value = eng_pickle_machine_push (self, ENG_PICKLE_CALL);
  if (!value)
    return FALSE;
  value->callee = callee;
  value->argument = argument;

  return TRUE;
}

static gboolean
push_persistent (EngPickleMachine *self,
                 int               unused)
{
  const EngPickleValue *id;
  EngPickleValue *value;

  if (!eng_pickle_machine_need (self, 1))
    return FALSE;
  id = &eng_pickle_machine_pop (self)->value;
  value = eng_pickle_machine_push (self, ENG_PICKLE_PERSISTENT);
  if (!value)
    return FALSE;
  value->argument = id;

  return TRUE;
}

static gboolean
drop_state (EngPickleMachine *self,
            int               unused)
{
  if (!eng_pickle_machine_need (self, 2))
    return FALSE;
  eng_pickle_machine_pop (self);

  return TRUE;
}

/* The memo, by which values are said again. */

static gboolean
remember (EngPickleMachine *self,
          guint64           index)
{
  if (!eng_pickle_machine_need (self, 1))
    return FALSE;
  if (index >= ENG_PICKLE_MAX_VALUES)
    return eng_pickle_machine_refuse (self, "%s: the number %" G_GUINT64_FORMAT " is beyond %d",
                                      self->opcode, index, ENG_PICKLE_MAX_VALUES);
  if (index >= self->memo->len)
    g_ptr_array_set_size (self->memo, (int) index + 1);
  self->memo->pdata[index] = eng_pickle_machine_peek (self);

  return TRUE;
}

static gboolean
memo_add (EngPickleMachine *self,
          int               unused)
{
  return remember (self, self->memo->len);
}

static gboolean
memo_put (EngPickleMachine *self,
          int               size)
{
  guint64 index;

  return eng_pickle_machine_take_unsigned (self, (gsize) size, &index) && remember (self, index);
}

static gboolean
memo_get (EngPickleMachine *self,
          int               size)
{
  guint64 index;

  if (!eng_pickle_machine_take_unsigned (self, (gsize) size, &index))
    return FALSE;
  if (index >= self->memo->len || !self->memo->pdata[index])
    return eng_pickle_machine_refuse (self, "%s: there is no value number %" G_GUINT64_FORMAT,
                                      self->opcode, index);

  return eng_pickle_machine_push_again (self, self->memo->pdata[index]);
}

static gboolean
read_protocol (EngPickleMachine *self,
               int               size)
{
  guint64 protocol;

  if (!eng_pickle_machine_take_unsigned (self, (gsize) size, &protocol))
    return FALSE;
  if (protocol > HIGHEST_PROTOCOL)
    return eng_pickle_machine_refuse (self, "pickle protocol %" G_GUINT64_FORMAT
                                      ", expected at most %d", protocol, HIGHEST_PROTOCOL);

  return TRUE;
}

/* A frame says how many bytes may be read at once; all are there anyway. */
static gboolean
read_frame (EngPickleMachine *self,
            int               size)
{
  guint64 length;

  if (!eng_pickle_machine_take_unsigned (self, (gsize) size, &length))
    return FALSE;
  if (length > self->n_bytes - self->at)
    return eng_pickle_machine_refuse (self, "a frame of %" G_GUINT64_FORMAT " bytes, but only %"
                                      G_GSIZE_FORMAT " are left", length,
                                      self->n_bytes - self->at);

  return TRUE;
}

/* Names as in Python's pickletools. number: bytes of the argument, values to take, or a type. */
static const struct {
  guint8      code;
  const char *name;
  gboolean  (*read) (EngPickleMachine *self, int number);
  int         number;
} opcodes[] = {
  { 'q', "BINPUT", memo_put, 1 },
  { 'r', "LONG_BINPUT", memo_put, 4 },
  { 'h', "BINGET", memo_get, 1 },
  { 'j', "LONG_BINGET", memo_get, 4 },
  { 0x94, "MEMOIZE", memo_add, 0 },
  { 'K', "BININT1", push_int, 1 },
  { 'M', "BININT2", push_int, 2 },
  { 'J', "BININT", push_int, 4 },
  { 0x8a, "LONG1", push_long, 1 },
  { 'G', "BINFLOAT", push_float, 8 },
  { 'N', "NONE", push_empty, ENG_PICKLE_NONE },
  { 0x88, "NEWTRUE", push_bool, TRUE },
  { 0x89, "NEWFALSE", push_bool, FALSE },
  { 'X', "BINUNICODE", push_string, 4 },
  { 0x8c, "SHORT_BINUNICODE", push_string, 1 },
  { 'T', "BINSTRING", push_string, 4 },
  { 'U', "SHORT_BINSTRING", push_string, 1 },
  { 'B', "BINBYTES", push_bytes, 4 },
  { 'C', "SHORT_BINBYTES", push_bytes, 1 },
  { ')', "EMPTY_TUPLE", push_empty, ENG_PICKLE_TUPLE },
  { ']', "EMPTY_LIST", push_empty, ENG_PICKLE_LIST },
  { '}', "EMPTY_DICT", push_empty, ENG_PICKLE_DICT },
  { '(', "MARK", push_mark, 0 },
  { 't', "TUPLE", push_tuple, ENG_PICKLE_TO_MARK },
  { 0x85, "TUPLE1", push_tuple, 1 },
  { 0x86, "TUPLE2", push_tuple, 2 },
  { 0x87, "TUPLE3", push_tuple, 3 },
  { 'a', "APPEND", add_to_list, 1 },
  { 'e', "APPENDS", add_to_list, ENG_PICKLE_TO_MARK },
  { 0x8f, "EMPTY_SET", push_empty, ENG_PICKLE_LIST },
  { 0x90, "ADDITEMS", add_to_list, ENG_PICKLE_TO_MARK },
  { 's', "SETITEM", add_to_dict, 2 },
  { 'u', "SETITEMS", add_to_dict, ENG_PICKLE_TO_MARK },
  { 'c', "GLOBAL", read_global, 0 },
  { 0x93, "STACK_GLOBAL", read_stack_global, 0 },
  { 'R', "REDUCE", push_call, 0 },
  { 0x81, "NEWOBJ", push_call, 0 },
  { 'b', "BUILD", drop_state, 0 },
  { 'Q', "BINPERSID", push_persistent, 0 },
  { 0x80, "PROTO", read_protocol, 1 },
  { 0x95, "FRAME", read_frame, 8 },
};

static gboolean
read_opcode (EngPickleMachine *self,
             guint8            code)
{
  for (guint i = 0; i < G_N_ELEMENTS (opcodes); i++)
    if (opcodes[i].code == code) {
      self->opcode = opcodes[i].name;
      return opcodes[i].read (self, opcodes[i].number);
    }

  return eng_pickle_machine_refuse (self, "the opcode 0x%02X does not occur in checkpoints", code);
}

static gboolean
run (EngPickleMachine *self)
{
  for (int step = 0; step < MAX_STEPS; step++) {
    guint8 code;

    self->start = self->at;
    if (self->at == self->n_bytes)
      return eng_pickle_machine_refuse (self, "the pickle is cut short: no STOP");
    code = self->data[self->at++];
    if (code != STOP) {
      if (!read_opcode (self, code))
        return FALSE;
      continue;
    }
    if (self->n_marks > 0 || self->stack->len != 1)
      return eng_pickle_machine_refuse (self, "STOP finds %u values, expected one",
                                        self->stack->len);
    eng_pickle_set_value (self->pickle, &eng_pickle_machine_peek (self)->value);
    return TRUE;
  }

  return eng_pickle_machine_refuse (self, "more than %d opcodes", MAX_STEPS);
}

gboolean
eng_pickle_run (EngPickle     *pickle,
                const guint8  *data,
                gsize          n_bytes,
                const char    *what,
                gsize         *used,
                GError       **error)
{
  g_auto (EngPickleMachine) self = { .pickle = pickle, .what = what, .data = data,
                                     .n_bytes = n_bytes, .error = error };

  self.stack = g_ptr_array_new ();
  self.memo = g_ptr_array_new ();
  if (!run (&self))
    return FALSE;
  if (used)
    *used = self.at;

  return TRUE;
}
