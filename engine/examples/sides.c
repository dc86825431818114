/* SPDX-License-Identifier: MIT */
#include "engine/examples/sides.h"

#include <string.h>

/* A text that differs from the others, and the group that it belongs to: a tree of texts. */
typedef struct {
  const char *least;  /* of a root: the least of its group, by bytes */
  guint       parent; /* a root is its own */
  guint       size;   /* of a root: texts of its group */
  guint       n;      /* of a root: examples of its group, once all are counted */
} Node;

typedef struct {
  GHashTable *numbers; /* text, borrowed → its node's number + 1 */
  GArray     *nodes;   /* of Node */
} Forest;

static Node *
get_node (const Forest *self,
          guint         number)
{
  return &g_array_index (self->nodes, Node, number);
}

static guint
add_text (Forest     *self,
          const char *text)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, text));
  Node node = { text, self->nodes->len, 1, 0 };

  if (number > 0)
    return number - 1;
  g_array_append_val (self->nodes, node);
  g_hash_table_insert (self->numbers, (gpointer) text, GUINT_TO_POINTER (self->nodes->len));

  return self->nodes->len - 1;
}

/* Halves the way to it, so that the next search is shorter. */
static guint
find_root (const Forest *self,
           guint         number)
{
  while (get_node (self, number)->parent != number) {
    Node *node = get_node (self, number);

    node->parent = get_node (self, node->parent)->parent;
    number = node->parent;
  }

  return number;
}

/* The smaller group goes below the larger one, so that trees stay low. */
static void
join (const Forest *self,
      guint         a,
      guint         b)
{
  Node *one = get_node (self, find_root (self, a));
  Node *other = get_node (self, find_root (self, b));
  Node *large = one->size >= other->size ? one : other, *small = large == one ? other : one;

  if (one == other)
    return;
  small->parent = large->parent;
  large->size += small->size;
  if (strcmp (small->least, large->least) < 0)
    large->least = small->least;
}

/* keys [n] (out). Returns how many examples the largest group has. */
static guint
find_groups (const GPtrArray  *examples,
             const char      **keys)
{
  Forest forest = { g_hash_table_new (g_str_hash, g_str_equal),
                    g_array_new (FALSE, FALSE, sizeof (Node)) };
  g_autofree guint *firsts = g_new (guint, examples->len);
  guint most = 0;

  for (guint i = 0; i < examples->len; i++) {
    const EngExample *example = examples->pdata[i];

    firsts[i] = add_text (&forest, example->a);
    join (&forest, firsts[i], add_text (&forest, example->b));
  }
  for (guint i = 0; i < examples->len; i++) {
    Node *root = get_node (&forest, find_root (&forest, firsts[i]));

    keys[i] = root->least;
    root->n++;
    most = MAX (most, root->n);
  }
  g_array_unref (forest.nodes);
  g_hash_table_unref (forest.numbers);

  return most;
}

EngSides *
eng_sides_new (const GPtrArray *examples,
               EngExamplesKind  kind,
               gboolean         by_first)
{
  EngSides *self = g_new0 (EngSides, 1);
  guint n;

  self->keys = g_new (const char *, examples->len);
  if (kind == ENG_EXAMPLES_PAIRS && !by_first) {
    n = find_groups (examples, self->keys);
    if (2 * (gint64) n <= examples->len)
      return self;
    self->n_joined = n;
  }
  for (guint i = 0; i < examples->len; i++) {
    const EngExample *example = examples->pdata[i];

    self->keys[i] = kind == ENG_EXAMPLES_ANSWERS && !by_first ? example->b : example->a;
  }

  return self;
}

void
eng_sides_free (EngSides *self)
{
  g_free (self->keys);
  g_free (self);
}
