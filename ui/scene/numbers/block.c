/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/block.h"

#include <string.h>

#include "engine/base/error.h"
#include "ui/scene/numbers/word-pieces.h"

/* All that a person can choose. */
typedef struct {
  EngMeasure  measure;
  UiAggregate layers;
  UiAggregate heads;
  gboolean    words;
} Choices;

static Choices
get_choices (const UiDocument *document)
{
  const UiView *view = ui_view_get (document->view);
  Choices choices = {
    .measure = document->measure,
    .layers = document->layers,
    .heads = document->aggregate,
    .words = document->words,
  };

  if (view->has_one_head)
    return (Choices) { .measure = ENG_MEASURE_WEIGHT };
  if (view->has_one_number && choices.heads == UI_AGGREGATE_EACH)
    choices.heads = UI_AGGREGATE_MEAN;
  if (view->has_all_heads) {
    choices.layers = UI_AGGREGATE_EACH;
    choices.heads = UI_AGGREGATE_EACH;
  }
  /* The rollout goes over heads and layers itself. */
  if (choices.measure == ENG_MEASURE_ROLLOUT) {
    choices.layers = UI_AGGREGATE_EACH;
    choices.heads = UI_AGGREGATE_EACH;
  }
  return choices;
}

static gsize
count_cells (const EngAttention *attention)
{
  return (gsize) attention->n_queries * attention->n_keys;
}

static guint8 *
dup_mask (const EngAttention *attention)
{
  return attention->mask != NULL ? g_memdup2 (attention->mask, count_cells (attention)) : NULL;
}

static void
add_values (const float *from,
            gsize        n,
            UiAggregate  how,
            float       *to)
{
  for (gsize i = 0; i < n; i++)
    to[i] = how == UI_AGGREGATE_MAX ? MAX (to[i], from[i]) : to[i] + from[i];
}

static void
divide_values (float *values,
               gsize  n,
               int    divisor)
{
  for (gsize i = 0; i < n; i++)
    values[i] /= (float) divisor;
}

/* What one layer lets through is not hidden. */
static void
unite_masks (guint8       **mask,
             const guint8  *other,
             gsize          n)
{
  if (other == NULL)
    g_clear_pointer (mask, g_free);
  for (gsize i = 0; i < n && *mask != NULL; i++)
    (*mask)[i] |= other[i];
}

static const gint *
get_cancel (const UiWatch *watch)
{
  return watch != NULL ? watch->cancel : NULL;
}

/* FALSE when cancelled. */
static gboolean
go_on (const UiWatch  *watch,
       int             done,
       int             n,
       GError        **error)
{
  const gint *cancel = get_cancel (watch);

  if (cancel != NULL && g_atomic_int_get (cancel)) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the drawing was cancelled");
    return FALSE;
  }
  if (watch != NULL && watch->progress != NULL)
    watch->progress (done, n, watch->data);
  return TRUE;
}

/* A rollout is kept with those of the layers below it, from which it goes on. */
static EngAttention *
roll_out (EngTrace       *trace,
          EngKind         kind,
          int             layer,
          const UiWatch  *watch,
          GError        **error)
{
  g_autoptr (EngAttention) rollout = NULL;

  for (int i = watch != NULL ? 0 : layer; i <= layer; i++) {
    g_clear_pointer (&rollout, eng_attention_unref);
    rollout = eng_measures_dup_block (trace, kind, i, ENG_MEASURE_ROLLOUT, get_cancel (watch),
                                      error);
    if (rollout == NULL || !go_on (watch, i + 1, layer + 1, error))
      return NULL;
  }
  return g_steal_pointer (&rollout);
}

/* Mean or largest of all layers that the trace holds, head by head. */
static EngAttention *
combine_layers (EngTrace       *trace,
                EngKind         kind,
                const Choices  *choices,
                int            *n_layers,
                const UiWatch  *watch,
                GError        **error)
{
  g_autofree float *values = NULL;
  g_autofree guint8 *mask = NULL;
  int n_heads = eng_trace_get_n_heads (trace, kind);
  int n_queries = eng_trace_get_n_queries (trace, kind);
  int n_keys = eng_trace_get_n_keys (trace, kind);
  gsize n = (gsize) n_heads * n_queries * n_keys;

  *n_layers = 0;
  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++) {
    g_autoptr (EngAttention) block = NULL;

    if (!eng_trace_has_layer (trace, kind, layer))
      continue;
    block = eng_measures_dup_block (trace, kind, layer, choices->measure, NULL, error);
    if (block == NULL || !go_on (watch, layer + 1, eng_trace_get_n_layers (trace, kind), error))
      return NULL;
    if ((*n_layers)++ == 0) {
      values = g_memdup2 (block->weights, n * sizeof *values);
      mask = dup_mask (block);
      continue;
    }
    add_values (block->weights, n, choices->layers, values);
    unite_masks (&mask, block->mask, count_cells (block));
  }
  if (choices->layers == UI_AGGREGATE_MEAN)
    divide_values (values, n, MAX (*n_layers, 1));

  return eng_attention_new (n_heads, n_queries, n_keys, g_steal_pointer (&values),
                            g_steal_pointer (&mask), NULL);
}

/* Mean or largest of the heads that are shown, as a block of one head. */
static EngAttention *
combine_heads (EngAttention       *attention,
               const UiHeadSet    *heads,
               UiAggregate         how)
{
  gsize n = count_cells (attention);
  float *values = g_new0 (float, n);
  g_autofree int *shown = g_new (int, attention->n_heads);
  g_autoptr (EngAttention) seen = NULL;
  int n_heads = 0;

  for (int head = 0; head < attention->n_heads; head++) {
    if (!ui_head_set_has (heads, head))
      continue;
    add_values (attention->weights + head * n, n, how, values);
    shown[n_heads++] = head;
  }
  seen = eng_attention_dup_seen (attention, shown, n_heads);
  if (how == UI_AGGREGATE_MEAN)
    divide_values (values, n, MAX (n_heads, 1));

  return eng_attention_new (1, attention->n_queries, attention->n_keys, values, dup_mask (seen),
                            NULL);
}

/* Row of each token, NULL where no two share one. (transfer full) */
static int *
find_rows (const EngTokens *tokens,
           int             *n_rows)
{
  g_autofree int *rows = g_new (int, MAX (tokens->n, 1));
  g_autofree guint8 *continues = ui_word_pieces_mark_rest (tokens);

  *n_rows = 0;
  for (int i = 0; i < tokens->n; i++) {
    if (!continues[i])
      (*n_rows)++;
    rows[i] = *n_rows - 1;
  }
  return *n_rows < tokens->n ? g_steal_pointer (&rows) : NULL;
}

/* What was typed for the pieces of a word, where one of them is unknown. */
static void
join_typed (EngTokens       *joined,
            int              row,
            const EngTokens *tokens,
            int              token)
{
  const gboolean is_first = joined->texts[row] == NULL;
  const char *text = tokens->texts[token];
  const char *typed = tokens->typed[token];
  g_autofree char *before = joined->typed[row];

  joined->typed[row] = NULL;
  if (typed == NULL && before == NULL)
    return;
  if (is_first)
    joined->typed[row] = g_strdup (typed);
  else
    joined->typed[row] = g_strconcat (before != NULL ? before : joined->texts[row],
                                      typed != NULL ? typed
                                      : text + (ui_word_pieces_has_mark (text) ? 2 : 0), NULL);
}

/* The first piece of a word says all that is known of it but its text and where that ends. */
static EngTokens *
join_tokens (const EngTokens *tokens,
             const int       *rows,
             int              n_rows)
{
  EngTokens *joined = eng_tokens_new (n_rows);

  joined->numbers = g_new (int, n_rows);
  for (int i = 0; i < tokens->n; i++) {
    const char *text = tokens->texts[i];
    int row = rows[i];

    join_typed (joined, row, tokens, i);
    if (i > 0 && rows[i - 1] == row) {
      g_autofree char *before = joined->texts[row];

      joined->texts[row] = g_strconcat (before, text + (ui_word_pieces_has_mark (text) ? 2 : 0),
                                        NULL);
      if (tokens->spans != NULL)
        joined->spans[row].end = tokens->spans[i].end;
      continue;
    }
    joined->texts[row] = g_strdup (text);
    joined->numbers[row] = i;
    joined->segments[row] = tokens->segments[i];
    joined->special[row] = tokens->special[i];
    joined->padding[row] = tokens->padding[i];
    joined->words[row] = tokens->words[i];
    if (tokens->spans != NULL)
      joined->spans[row] = tokens->spans[i];
  }
  /* A word is no piece of the vocabulary. */
  g_clear_pointer (&joined->pieces, g_free);
  g_clear_pointer (&joined->ids, g_free);
  g_clear_pointer (&joined->type_ids, g_free);
  if (tokens->spans == NULL)
    g_clear_pointer (&joined->spans, g_free);

  return joined;
}

static int
get_row (const int *rows,
         int        token)
{
  return rows != NULL ? rows[token] : token;
}

/* Sums over the pieces of a word that is read, means over those of one that reads: rows that summed
 * to 1 still do. */
static EngAttention *
join_cells (const EngAttention *attention,
            const int          *rows,
            int                 n_rows,
            const int          *columns,
            int                 n_columns)
{
  gsize n = (gsize) n_rows * n_columns;
  float *values = g_new0 (float, n * attention->n_heads);
  guint8 *mask = attention->mask != NULL ? g_new0 (guint8, n) : NULL;
  guint8 *head_masks = attention->head_masks != NULL ? g_new0 (guint8, n * attention->n_heads) : NULL;
  g_autofree int *n_pieces = g_new0 (int, n_rows);

  for (int query = 0; query < attention->n_queries; query++)
    n_pieces[get_row (rows, query)]++;
  for (int head = 0; head < attention->n_heads; head++) {
    for (int query = 0; query < attention->n_queries; query++) {
      gsize cell = (gsize) query * attention->n_keys;
      const float *from = attention->weights + head * count_cells (attention) + cell;
      const guint8 *seen = eng_attention_get_mask (attention, head, query);
      int row = get_row (rows, query);
      gsize first = head * n + (gsize) row * n_columns;
      float *to = values + first;

      for (int key = 0; key < attention->n_keys; key++) {
        int column = get_row (columns, key);

        to[column] += from[key] / (float) n_pieces[row];
        if (mask != NULL)
          mask[(gsize) row * n_columns + column] |= attention->mask[cell + key];
        if (head_masks != NULL)
          head_masks[first + (gsize) column] |= seen[key];
      }
    }
  }

  return eng_attention_new (attention->n_heads, n_rows, n_columns, values, mask, head_masks);
}

static void
join_words (UiBlock *self)
{
  int n_rows, n_columns;
  gboolean is_square = self->queries == self->keys;
  EngAttention *joined;

  self->query_rows = find_rows (self->queries, &n_rows);
  self->key_columns = find_rows (self->keys, &n_columns);
  if (self->query_rows == NULL && self->key_columns == NULL)
    return;

  joined = join_cells (self->attention, self->query_rows, n_rows, self->key_columns, n_columns);
  eng_attention_unref (self->attention);
  self->attention = joined;
  if (self->query_rows != NULL) {
    EngTokens *queries = join_tokens (self->queries, self->query_rows, n_rows);

    eng_tokens_unref (self->queries);
    self->queries = queries;
  }
  if (is_square) {
    eng_tokens_unref (self->keys);
    self->keys = eng_tokens_ref (self->queries);
  } else if (self->key_columns != NULL) {
    EngTokens *keys = join_tokens (self->keys, self->key_columns, n_columns);

    eng_tokens_unref (self->keys);
    self->keys = keys;
  }
}

static double
find_unit (const UiBlock *self)
{
  gsize n = count_cells (self->attention) * self->attention->n_heads;
  float largest = 0;

  if (self->measure == ENG_MEASURE_WEIGHT || self->measure == ENG_MEASURE_ROLLOUT)
    return 1;
  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, self->attention->weights[i]);
  return largest > 0 ? largest : 1;
}

gboolean
ui_block_init (UiBlock           *self,
               EngTrace          *trace,
               const UiDocument  *document,
               EngKind            kind,
               int                layer,
               GError           **error)
{
  return ui_block_compute (self, trace, document, kind, layer, NULL, error);
}

gboolean
ui_block_compute (UiBlock           *self,
                  EngTrace          *trace,
                  const UiDocument  *document,
                  EngKind            kind,
                  int                layer,
                  const UiWatch     *watch,
                  GError           **error)
{
  Choices choices = get_choices (document);

  *self = (UiBlock) { .measure = choices.measure, .layers = choices.layers, .n_layers = 1 };
  if (choices.layers != UI_AGGREGATE_EACH)
    self->attention = combine_layers (trace, kind, &choices, &self->n_layers, watch, error);
  else if (choices.measure == ENG_MEASURE_ROLLOUT)
    self->attention = roll_out (trace, kind, layer, watch, error);
  else
    self->attention = eng_measures_dup_block (trace, kind, layer, choices.measure, NULL, error);
  if (self->attention == NULL)
    return FALSE;

  self->queries = eng_tokens_ref ((EngTokens *) eng_trace_get_query_tokens (trace, kind));
  self->keys = eng_tokens_ref ((EngTokens *) eng_trace_get_key_tokens (trace, kind));
  self->is_aggregate = choices.measure == ENG_MEASURE_ROLLOUT;
  if (choices.heads != UI_AGGREGATE_EACH &&
      ui_head_set_count (&document->heads, self->attention->n_heads) > 1) {
    EngAttention *combined = combine_heads (self->attention, &document->heads, choices.heads);

    eng_attention_unref (self->attention);
    self->attention = combined;
    self->is_aggregate = TRUE;
    self->heads = choices.heads;
  }
  if (choices.words)
    join_words (self);
  self->unit = find_unit (self);

  return TRUE;
}

void
ui_block_clear (UiBlock *self)
{
  g_clear_pointer (&self->attention, eng_attention_unref);
  g_clear_pointer (&self->queries, eng_tokens_unref);
  g_clear_pointer (&self->keys, eng_tokens_unref);
  g_clear_pointer (&self->query_rows, g_free);
  g_clear_pointer (&self->key_columns, g_free);
}

void
ui_block_map_pins (const UiBlock *self,
                   const UiPins  *tokens,
                   UiPins        *rows)
{
  for (int i = 0; i < tokens->n_queries; i++) {
    int row = get_row (self->query_rows, tokens->queries[i]);

    if (!ui_pins_has (rows, FALSE, row))
      ui_pins_click (rows, FALSE, row, TRUE);
  }
  for (int i = 0; i < tokens->n_keys; i++) {
    int column = get_row (self->key_columns, tokens->keys[i]);

    if (!ui_pins_has (rows, TRUE, column))
      ui_pins_click (rows, TRUE, column, TRUE);
  }
}

int
ui_block_get_token (const UiBlock *self,
                    gboolean       key,
                    int            row)
{
  return eng_tokens_get_number (key ? self->keys : self->queries, row);
}

EngTokens *
ui_block_name_by_word (const EngTokens *tokens)
{
  EngTokens *names = eng_tokens_new (tokens->n);
  g_autoptr (EngTokens) words = NULL;
  g_autofree int *rows = NULL;
  int n_rows;

  rows = find_rows (tokens, &n_rows);
  if (rows != NULL)
    words = join_tokens (tokens, rows, n_rows);
  for (int i = 0; i < tokens->n; i++)
    names->texts[i] = g_strdup (words != NULL ? words->texts[rows[i]] : tokens->texts[i]);
  for (int i = 0; i < tokens->n; i++)
    names->typed[i] = g_strdup (words != NULL ? words->typed[rows[i]] : tokens->typed[i]);
  return names;
}
