/* SPDX-License-Identifier: MIT */
#include "engine/pickle-private.h"

#include <string.h>

/* A checkpoint of 100,000 tensors stays below; what is larger was made to use up memory. */
#define MAX_STEPS (1 << 24)
#define MAX_VALUES (1 << 22)
#define MAX_STACK (1 << 20)
#define MAX_MARKS 64
#define MAX_NAME_BYTES 256
#define HIGHEST_PROTOCOL 5
/* As a number of values: all above the last mark. */
#define TO_MARK (-1)

#define STOP '.'

typedef EngPickleNode Node;

typedef struct {
  EngPickle     *pickle;
  const char    *what;
  const guint8  *data;
  gsize          n_bytes;
  gsize          at;     /* of the next byte */
  gsize          start;  /* of the opcode that is being read */
  const char    *opcode; /* its name */
  GPtrArray     *stack;  /* of Node */
  GPtrArray     *memo;   /* of Node, NULL where a number was left out */
  guint          marks[MAX_MARKS];
  guint          n_marks;
  GError       **error;
} Machine;

static void
machine_clear (Machine *self)
{
  g_clear_pointer (&self->stack, g_ptr_array_unref);
  g_clear_pointer (&self->memo, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Machine, machine_clear)

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (Machine    *self,
        const char *format,
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

/* Bytes of the pickle. */

static const guint8 *
take (Machine *self,
      gsize    n)
{
  const guint8 *bytes = self->data + self->at;

  if (n > self->n_bytes - self->at) {
    refuse (self, "%s needs %" G_GSIZE_FORMAT " bytes, but only %" G_GSIZE_FORMAT " are left",
            self->opcode, n, self->n_bytes - self->at);
    return NULL;
  }
  self->at += n;

  return bytes;
}

/* A whole number of size bytes, the lowest first. */
static gboolean
take_unsigned (Machine *self,
               gsize    size,
               guint64 *value)
{
  const guint8 *bytes = take (self, size);

  if (!bytes)
    return FALSE;

  *value = 0;
  for (gsize i = 0; i < size; i++)
    *value |= (guint64) bytes[i] << (8 * i);

  return TRUE;
}

/* The stack and what is made on it. */

static gboolean
push_node (Machine *self,
           Node    *node)
{
  if (self->stack->len == MAX_STACK)
    return refuse (self, "more than %d values on the stack", MAX_STACK);
  g_ptr_array_add (self->stack, node);

  return TRUE;
}

static EngPickleValue *
push (Machine       *self,
      EngPickleType  type)
{
  Node *node;

  if (eng_pickle_count_nodes (self->pickle) == MAX_VALUES) {
    refuse (self, "more than %d values", MAX_VALUES);
    return NULL;
  }
  node = eng_pickle_add_node (self->pickle, type);

  return push_node (self, node) ? &node->value : NULL;
}

/* Values above the last mark may be taken, those below not. */
static guint
count_free (const Machine *self)
{
  return self->stack->len - (self->n_marks ? self->marks[self->n_marks - 1] : 0);
}

static gboolean
need (Machine *self,
      guint    n)
{
  if (count_free (self) >= n)
    return TRUE;

  return refuse (self, "%s needs %u values, but the stack has %u", self->opcode, n,
                 count_free (self));
}

static Node *
pop (Machine *self)
{
  return g_ptr_array_steal_index (self->stack, self->stack->len - 1);
}

static Node *
peek (Machine *self)
{
  return g_ptr_array_index (self->stack, self->stack->len - 1);
}

static gboolean
push_empty (Machine *self,
            int      type)
{
  return push (self, (EngPickleType) type) != NULL;
}

static gboolean
push_bool (Machine *self,
           int      value)
{
  EngPickleValue *pushed = push (self, ENG_PICKLE_BOOL);

  if (pushed)
    pushed->integer = value;

  return pushed != NULL;
}

/* Of four bytes it has a sign, of fewer not. */
static gboolean
push_int (Machine *self,
          int      size)
{
  guint64 bits;
  EngPickleValue *value =
    take_unsigned (self, (gsize) size, &bits) ? push (self, ENG_PICKLE_INT) : NULL;

  if (value)
    value->integer = size == 4 ? (gint32) bits : (gint64) bits;

  return value != NULL;
}

/* In front of the text stands its length in size bytes. */
static gboolean
push_text (Machine       *self,
           EngPickleType  type,
           gsize          size)
{
  guint64 length;
  const guint8 *text = take_unsigned (self, size, &length) ? take (self, length) : NULL;
  EngPickleValue *value = text ? push (self, type) : NULL;

  if (!value)
    return FALSE;
  value->text = (const char *) text;
  value->length = length;

  return TRUE;
}

static gboolean
push_string (Machine *self,
             int      size)
{
  return push_text (self, ENG_PICKLE_STRING, (gsize) size);
}

static gboolean
push_bytes (Machine *self,
            int      size)
{
  return push_text (self, ENG_PICKLE_BYTES, (gsize) size);
}

/* Two's complement of as many bytes as the number needs. */
static gboolean
push_long (Machine *self,
           int      size)
{
  EngPickleValue *value;
  guint64 bits = 0;

  if (!push_text (self, ENG_PICKLE_LONG, (gsize) size))
    return FALSE;
  value = &peek (self)->value;
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
push_float (Machine *self,
            int      size)
{
  const guint8 *bytes = take (self, (gsize) size);
  EngPickleValue *value = bytes ? push (self, ENG_PICKLE_FLOAT) : NULL;
  guint64 bits;

  if (!value)
    return FALSE;
  memcpy (&bits, bytes, sizeof bits);
  bits = GUINT64_FROM_BE (bits);
  memcpy (&value->number, &bits, sizeof bits);

  return TRUE;
}

static gboolean
push_global (Machine    *self,
             const char *module,
             gsize       module_length,
             const char *name,
             gsize       name_length)
{
  EngPickleValue *value = push (self, ENG_PICKLE_GLOBAL);
  g_autofree char *full = NULL;

  if (!value)
    return FALSE;
  full = g_strdup_printf ("%.*s %.*s", (int) module_length, module, (int) name_length, name);
  value->name = eng_pickle_intern (self->pickle, full);

  return TRUE;
}

/* Names go into messages. */
static gboolean
check_name (Machine    *self,
            const char *name,
            gsize       length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isgraph (name[i]))
      return refuse (self, "%s: a name holds the byte 0x%02X", self->opcode, (guchar) name[i]);

  return TRUE;
}

static gboolean
take_name (Machine     *self,
           const char **name,
           gsize       *length)
{
  const guint8 *start = self->data + self->at;
  gsize most = MIN (self->n_bytes - self->at, MAX_NAME_BYTES);
  const guint8 *end = memchr (start, '\n', most);

  if (!end)
    return refuse (self, "%s: no end of line within %" G_GSIZE_FORMAT " bytes", self->opcode, most);

  *name = (const char *) start;
  *length = (gsize) (end - start);
  self->at += *length + 1;

  return check_name (self, *name, *length);
}

static gboolean
read_global (Machine *self,
             int      unused)
{
  const char *module = NULL;
  const char *name = NULL;
  gsize module_length = 0;
  gsize name_length = 0;

  return take_name (self, &module, &module_length) && take_name (self, &name, &name_length) &&
         push_global (self, module, module_length, name, name_length);
}

static gboolean
read_stack_global (Machine *self,
                   int      unused)
{
  const EngPickleValue *module, *name;

  if (!need (self, 2))
    return FALSE;
  name = &pop (self)->value;
  module = &pop (self)->value;
  if (module->type != ENG_PICKLE_STRING || name->type != ENG_PICKLE_STRING ||
      module->length > MAX_NAME_BYTES || name->length > MAX_NAME_BYTES)
    return refuse (self, "%s: a name is no text of at most %d bytes", self->opcode,
                   MAX_NAME_BYTES);

  return check_name (self, module->text, module->length) &&
         check_name (self, name->text, name->length) &&
         push_global (self, module->text, module->length, name->text, name->length);
}

static gboolean
push_mark (Machine *self,
           int      unused)
{
  if (self->n_marks == MAX_MARKS)
    return refuse (self, "marks are nested deeper than %d", MAX_MARKS);
  self->marks[self->n_marks++] = self->stack->len;

  return TRUE;
}

/* *count: n, or the number of values above the last mark, which is taken away. */
static gboolean
count_values (Machine *self,
              int      n,
              guint   *count)
{
  *count = (guint) n;
  if (n != TO_MARK)
    return need (self, *count);
  if (self->n_marks == 0)
    return refuse (self, "%s finds no mark", self->opcode);
  *count = count_free (self);
  self->n_marks--;

  return TRUE;
}

/* The upper n values become one. */
static gboolean
push_tuple (Machine *self,
            int      n)
{
  guint count, first;

  if (!count_values (self, n, &count))
    return FALSE;
  first = self->stack->len - count;
  if (!push (self, ENG_PICKLE_TUPLE))
    return FALSE;

  eng_pickle_node_append (peek (self), self->stack->pdata + first, count);
  if (count > 0)
    g_ptr_array_remove_range (self->stack, first, count);

  return TRUE;
}

/* Puts the upper n values into the container below them. What a call gives is unknown here: it may
 * be a list or a dict. */
static gboolean
add_items (Machine       *self,
           EngPickleType  type,
           int            n)
{
  Node *container;
  guint count, first;

  if (!count_values (self, n, &count) || !need (self, count + 1))
    return FALSE;
  first = self->stack->len - count;
  container = g_ptr_array_index (self->stack, first - 1);
  if (container->value.type != type && container->value.type != ENG_PICKLE_CALL)
    return refuse (self, "%s finds no %s to add to", self->opcode,
                   type == ENG_PICKLE_DICT ? "dict" : "list");
  if (type == ENG_PICKLE_DICT && count % 2 != 0)
    return refuse (self, "%s: a key has no value", self->opcode);

  eng_pickle_node_append (container, self->stack->pdata + first, count);
  g_ptr_array_set_size (self->stack, (int) first);

  return TRUE;
}

static gboolean
add_to_list (Machine *self,
             int      n)
{
  return add_items (self, ENG_PICKLE_LIST, n);
}

static gboolean
add_to_dict (Machine *self,
             int      n)
{
  return add_items (self, ENG_PICKLE_DICT, n);
}

static gboolean
push_call (Machine *self,
           int      unused)
{
  const EngPickleValue *callee, *argument;
  EngPickleValue *value;

  if (!need (self, 2))
    return FALSE;
  argument = &pop (self)->value;
  callee = &pop (self)->value;
  value = push (self, ENG_PICKLE_CALL);
  if (!value)
    return FALSE;
  value->callee = callee;
  value->argument = argument;

  return TRUE;
}

static gboolean
push_persistent (Machine *self,
                 int      unused)
{
  const EngPickleValue *id;
  EngPickleValue *value;

  if (!need (self, 1))
    return FALSE;
  id = &pop (self)->value;
  value = push (self, ENG_PICKLE_PERSISTENT);
  if (!value)
    return FALSE;
  value->argument = id;

  return TRUE;
}

static gboolean
drop_state (Machine *self,
            int      unused)
{
  if (!need (self, 2))
    return FALSE;
  pop (self);

  return TRUE;
}

/* The memo, by which values are said again. */

static gboolean
remember (Machine *self,
          guint64  index)
{
  if (!need (self, 1))
    return FALSE;
  if (index >= MAX_VALUES)
    return refuse (self, "%s: the number %" G_GUINT64_FORMAT " is beyond %d", self->opcode, index,
                   MAX_VALUES);
  if (index >= self->memo->len)
    g_ptr_array_set_size (self->memo, (int) index + 1);
  self->memo->pdata[index] = peek (self);

  return TRUE;
}

static gboolean
memo_add (Machine *self,
          int      unused)
{
  return remember (self, self->memo->len);
}

static gboolean
memo_put (Machine *self,
          int      size)
{
  guint64 index;

  return take_unsigned (self, (gsize) size, &index) && remember (self, index);
}

static gboolean
memo_get (Machine *self,
          int      size)
{
  guint64 index;

  if (!take_unsigned (self, (gsize) size, &index))
    return FALSE;
  if (index >= self->memo->len || !self->memo->pdata[index])
    return refuse (self, "%s: there is no value number %" G_GUINT64_FORMAT, self->opcode, index);

  return push_node (self, self->memo->pdata[index]);
}

static gboolean
read_protocol (Machine *self,
               int      size)
{
  guint64 protocol;

  if (!take_unsigned (self, (gsize) size, &protocol))
    return FALSE;
  if (protocol > HIGHEST_PROTOCOL)
    return refuse (self, "pickle protocol %" G_GUINT64_FORMAT ", expected at most %d", protocol,
                   HIGHEST_PROTOCOL);

  return TRUE;
}

/* A frame says how many bytes may be read at once; all are there anyway. */
static gboolean
read_frame (Machine *self,
            int      size)
{
  guint64 length;

  if (!take_unsigned (self, (gsize) size, &length))
    return FALSE;
  if (length > self->n_bytes - self->at)
    return refuse (self, "a frame of %" G_GUINT64_FORMAT " bytes, but only %" G_GSIZE_FORMAT
                   " are left", length, self->n_bytes - self->at);

  return TRUE;
}

/* Names as in Python's pickletools. number: bytes of the argument, values to take, or a type. */
static const struct {
  guint8      code;
  const char *name;
  gboolean  (*read) (Machine *self, int number);
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
  { 't', "TUPLE", push_tuple, TO_MARK },
  { 0x85, "TUPLE1", push_tuple, 1 },
  { 0x86, "TUPLE2", push_tuple, 2 },
  { 0x87, "TUPLE3", push_tuple, 3 },
  { 'a', "APPEND", add_to_list, 1 },
  { 'e', "APPENDS", add_to_list, TO_MARK },
  { 0x8f, "EMPTY_SET", push_empty, ENG_PICKLE_LIST },
  { 0x90, "ADDITEMS", add_to_list, TO_MARK },
  { 's', "SETITEM", add_to_dict, 2 },
  { 'u', "SETITEMS", add_to_dict, TO_MARK },
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
read_opcode (Machine *self,
             guint8   code)
{
  for (guint i = 0; i < G_N_ELEMENTS (opcodes); i++)
    if (opcodes[i].code == code) {
      self->opcode = opcodes[i].name;
      return opcodes[i].read (self, opcodes[i].number);
    }

  return refuse (self, "the opcode 0x%02X does not occur in checkpoints", code);
}

static gboolean
run (Machine *self)
{
  for (int step = 0; step < MAX_STEPS; step++) {
    guint8 code;

    self->start = self->at;
    if (self->at == self->n_bytes)
      return refuse (self, "the pickle is cut short: no STOP");
    code = self->data[self->at++];
    if (code != STOP) {
      if (!read_opcode (self, code))
        return FALSE;
      continue;
    }
    if (self->n_marks > 0 || self->stack->len != 1)
      return refuse (self, "STOP finds %u values, expected one", self->stack->len);
    eng_pickle_set_value (self->pickle, &peek (self)->value);
    return TRUE;
  }

  return refuse (self, "more than %d opcodes", MAX_STEPS);
}

gboolean
eng_pickle_run (EngPickle     *pickle,
                const guint8  *data,
                gsize          n_bytes,
                const char    *what,
                gsize         *used,
                GError       **error)
{
  g_auto (Machine) self = { .pickle = pickle, .what = what, .data = data, .n_bytes = n_bytes,
                            .error = error };

  self.stack = g_ptr_array_new ();
  self.memo = g_ptr_array_new ();
  if (!run (&self))
    return FALSE;
  if (used)
    *used = self.at;

  return TRUE;
}
