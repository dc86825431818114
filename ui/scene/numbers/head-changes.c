/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/head-changes.h"

#include <math.h>

#include "ui/scene/numbers/changes.h"

/* Which rows and columns of two runs are the same. */
typedef struct {
  int    *queries;  /* [rows of the first] row of the second; -1 = none */
  int    *keys;     /* likewise columns */
  GArray *alone;    /* of int: columns that the second alone has */
  int     n_rows;   /* that both have */
} Frame;

static void
frame_init (Frame    *self,
            EngTrace *first,
            EngTrace *second,
            EngKind   kind)
{
  const EngTokens *queries[] = {
    eng_trace_get_query_tokens (first, kind), eng_trace_get_query_tokens (second, kind)
  };
  const EngTokens *keys[] = {
    eng_trace_get_key_tokens (first, kind), eng_trace_get_key_tokens (second, kind)
  };
  g_autofree int *back = ui_partners_find (keys[0], keys[1], TRUE);

  self->queries = ui_partners_find (queries[0], queries[1], FALSE);
  self->keys = ui_partners_find (keys[0], keys[1], FALSE);
  self->alone = g_array_new (FALSE, FALSE, sizeof (int));
  self->n_rows = 0;
  for (int key = 0; key < keys[1]->n; key++)
    if (back[key] < 0)
      g_array_append_val (self->alone, key);
  for (int query = 0; query < queries[0]->n; query++)
    self->n_rows += self->queries[query] >= 0;
}

static void
frame_clear (Frame *self)
{
  g_free (self->queries);
  g_free (self->keys);
  g_array_unref (self->alone);
}

static double
sum_row (const Frame *frame,
         const float *first,
         const float *second,
         int          n_keys)
{
  double sum = 0;

  for (int key = 0; key < n_keys; key++)
    sum += fabsf (frame->keys[key] >= 0 ? first[key] - second[frame->keys[key]] : first[key]);
  for (guint i = 0; i < frame->alone->len; i++)
    sum += fabsf (second[g_array_index (frame->alone, int, i)]);
  return sum;
}

static double
measure_head (const Frame        *frame,
              const EngAttention *first,
              const EngAttention *second,
              int                 head)
{
  const float *rows = first->weights + (gsize) head * first->n_queries * first->n_keys;
  const float *others = second->weights + (gsize) head * second->n_queries * second->n_keys;
  double sum = 0;

  for (int query = 0; query < first->n_queries; query++)
    if (frame->queries[query] >= 0)
      sum += sum_row (frame, rows + (gsize) query * first->n_keys,
                      others + (gsize) frame->queries[query] * second->n_keys, first->n_keys);
  return sum / (2 * frame->n_rows);
}

static void
append_layer (const Frame *frame,
              EngTrace    *first,
              EngTrace    *second,
              EngKind      kind,
              int          layer,
              GArray      *changes)
{
  g_autoptr (EngAttention) one = eng_trace_dup_attention (first, kind, layer);
  g_autoptr (EngAttention) other = eng_trace_dup_attention (second, kind, layer);

  for (int head = 0; one != NULL && other != NULL && head < one->n_heads; head++) {
    const UiHeadChange change = { layer, head, measure_head (frame, one, other, head) };

    g_array_append_val (changes, change);
  }
}

static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  const UiHeadChange *first = a, *second = b;

  if (first->moved != second->moved)
    return first->moved > second->moved ? -1 : 1;
  return first->layer != second->layer ? first->layer - second->layer
                                       : first->head - second->head;
}

GArray *
ui_head_changes_new (EngTrace   *first,
                     EngTrace   *second,
                     EngKind     kind,
                     const gint *cancel)
{
  const int n_layers = eng_trace_has_kind (first, kind) ? eng_trace_get_n_layers (first, kind) : 0;
  g_autoptr (GArray) changes = NULL;
  Frame frame;

  if (n_layers == 0 || !eng_trace_has_kind (second, kind)
      || eng_trace_get_n_layers (second, kind) != n_layers
      || eng_trace_get_n_heads (second, kind) != eng_trace_get_n_heads (first, kind))
    return NULL;

  changes = g_array_new (FALSE, FALSE, sizeof (UiHeadChange));
  frame_init (&frame, first, second, kind);
  for (int layer = 0; layer < n_layers && frame.n_rows > 0; layer++) {
    if (cancel != NULL && g_atomic_int_get (cancel) != 0) {
      frame_clear (&frame);
      return NULL;
    }
    if (eng_trace_has_layer (first, kind, layer) && eng_trace_has_layer (second, kind, layer))
      append_layer (&frame, first, second, kind, layer, changes);
  }
  frame_clear (&frame);
  if (changes->len == 0)
    return NULL;
  g_array_sort (changes, compare_changes);
  return g_steal_pointer (&changes);
}
