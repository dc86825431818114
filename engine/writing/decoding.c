/* SPDX-License-Identifier: MIT */
#include "engine/writing/decoding-private.h"

#include "engine/kernels/linalg.h"
#include "engine/kernels/nn.h"
#include "engine/spec/positions.h"
#include "engine/transformer/heads.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session-private.h"

#include <string.h>

static EngDecodingStorage *
storage_new (void)
{
  EngDecodingStorage *self = g_new0 (EngDecodingStorage, 1);

  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

EngDecodingStorage *
eng_decoding_storage_ref (EngDecodingStorage *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
eng_decoding_storage_unref (gpointer data)
{
  EngDecodingStorage *self = data;

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  eng_arena_clear (&self->arena);
  g_free (self);
}

static gboolean
is_cancelled (const EngDecoding *self)
{
  return self->cancel && g_atomic_int_get (self->cancel) != 0;
}

static gboolean
set_cancelled (GError **error)
{
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the generation was cancelled");

  return FALSE;
}

static void
lay_out_storage (EngDecoding *self,
                 EngArena    *arena)
{
  gboolean keep = self->n_sequences == 1;

  if (self->source) {
    eng_stack_rows_lay_out (&self->encoder_rows, self->spec, ENG_KIND_ENCODER, self->source->n,
                            TRUE, arena);
    eng_cross_rows_lay_out (&self->cross, self->spec, self->source->n, arena);
  }
  for (int i = 0; i < self->n_sequences; i++)
    eng_stack_rows_lay_out (&self->rows[i], self->spec, ENG_KIND_DECODER, self->capacity, keep,
                            arena);
}

static gboolean
allocate_storage (EngDecoding  *self,
                  GError      **error)
{
  EngArena *arena = &self->storage->arena;

  eng_arena_measure (arena);
  lay_out_storage (self, arena);
  if (!eng_arena_allocate (arena, error))
    return FALSE;
  lay_out_storage (self, arena);

  return TRUE;
}

/* Before rows are written that a trace shows: it keeps the old ones. */
static gboolean
leave_storage_to_traces (EngDecoding  *self,
                         GError      **error)
{
  EngDecodingStorage *old = self->storage;

  if (g_atomic_ref_count_compare (&old->ref_count, 1))
    return TRUE;

  self->storage = storage_new ();
  if (!allocate_storage (self, error)) {
    eng_decoding_storage_unref (old);
    return FALSE;
  }
  memcpy (self->storage->arena.data, old->arena.data, old->arena.used);
  eng_decoding_storage_unref (old);

  return TRUE;
}

EngStackPass
eng_decoding_describe_pass (EngDecoding *self,
               EngKind      kind)
{
  return (EngStackPass) {
    .spec = self->spec,
    .stack = &self->spec->stacks[kind],
    .weights = &self->weights->stacks[kind],
    .kind = kind,
    .edits = self->edits,
    .n_edits = self->n_edits,
    .cancel = self->cancel,
    .n_sequences = 1,
  };
}

void
eng_decoding_describe_encoder_pass (EngDecoding   *self,
                       EngBlockTrace *block,
                       EngStackPass  *pass)
{
  *pass = eng_decoding_describe_pass (self, ENG_KIND_ENCODER);
  pass->n = self->source->n;
  pass->rows = &self->encoder_rows;
  pass->ids = self->source->ids;
  pass->type_ids = self->source->type_ids;
  pass->languages = self->source->languages;
  pass->hidden_tokens = eng_tokens_has_padding (self->source) ? self->source->padding : NULL;
  pass->blocks = block;
}

static void
block_clear (EngBlockTrace *block)
{
  g_free (block->layers);
  g_free (block->hidden_states);
  g_free (block->position_rows);
}

static gboolean
run_encoder (EngDecoding  *self,
             GError      **error)
{
  g_autofree gint32 *positions = g_new (gint32, self->source->n);
  EngBlockTrace block;
  EngStackPass pass;
  gboolean done;

  eng_stack_describe_block (self->spec, ENG_KIND_ENCODER, self->source->n, self->source->n, &block);
  eng_decoding_describe_encoder_pass (self, &block, &pass);
  eng_positions_fill (self->spec, pass.ids, pass.n, positions);
  pass.positions = positions;

  eng_arena_measure (&self->scratch);
  eng_stack_lay_out_block (&pass, FALSE, &self->scratch);
  eng_stack_lay_out_scratch (&pass, &self->scratch);
  done = eng_arena_allocate (&self->scratch, error);
  if (done) {
    EngInterventions edits = eng_stack_get_interventions (&pass, ENG_KIND_CROSS, 0);

    eng_stack_lay_out_block (&pass, FALSE, &self->scratch);
    eng_stack_lay_out_scratch (&pass, &self->scratch);
    done = eng_stack_run (&pass);
    if (done)
      eng_stack_read_encoder (self->spec, &self->weights->stacks[ENG_KIND_DECODER], &edits,
                              eng_stack_get_output (&pass), pass.products, self->cancel,
                              &self->cross);
    if (!done || is_cancelled (self))
      done = set_cancelled (error);
  }
  block_clear (&block);

  return done;
}

static void
set_block_sizes (EngDecoding *self,
                 int          n_queries,
                 int          n_keys)
{
  for (int i = 0; i < self->n_sequences; i++) {
    self->blocks[i].n_queries = n_queries;
    self->blocks[i].n_keys = n_keys;
    if (self->cross_blocks)
      self->cross_blocks[i].n_queries = n_queries;
  }
}

static void
lay_out_pass (EngDecoding *self)
{
  gsize n = self->n_sequences;
  int size = self->spec->hidden_size, head_size = eng_spec_get_head_size (self->spec);

  eng_stack_lay_out_block (&self->pass, FALSE, &self->scratch);
  eng_stack_lay_out_scratch (&self->pass, &self->scratch);
  self->hidden = eng_arena_floats (&self->scratch, n * size);
  self->scaled = eng_arena_floats (&self->scratch, n * size);
  self->transformed = eng_arena_floats (&self->scratch, n * head_size);
  self->head_products = eng_arena_floats (&self->scratch,
                                          eng_stack_n_head_scratch (self->spec, self->n_sequences));
}

/* Rows [n_past, n_past + n) of the sequences [first, first + n_sequences): ids and positions are
 * those of the rows. Their last hidden states go to self->hidden. */
static gboolean
run_rows (EngDecoding   *self,
          int            first,
          int            n_sequences,
          int            n_past,
          int            n,
          const gint32  *ids,
          const gint32  *positions,
          GError       **error)
{
  EngStackPass *pass = &self->pass;
  gsize size = self->spec->hidden_size;
  const float *output;

  *pass = eng_decoding_describe_pass (self, ENG_KIND_DECODER);
  pass->n_sequences = n_sequences;
  pass->n_past = n_past;
  pass->n = n;
  pass->rows = &self->rows[first];
  pass->cross = self->source ? &self->cross : NULL;
  pass->ids = ids;
  pass->type_ids = n_past == 0 ? self->type_ids : NULL;
  pass->languages = n_past == 0 ? self->languages : self->step_languages;
  pass->positions = positions;
  pass->blocks = &self->blocks[first];
  pass->cross_blocks = self->cross_blocks ? &self->cross_blocks[first] : NULL;
  set_block_sizes (self, n, n_past + n);

  eng_arena_measure (&self->scratch);
  lay_out_pass (self);
  if (!eng_arena_allocate (&self->scratch, error))
    return FALSE;
  lay_out_pass (self);
  if (!eng_stack_run (pass))
    return set_cancelled (error);

  output = eng_stack_get_output (pass);
  for (int i = 0; i < n_sequences; i++)
    memcpy (self->hidden + i * size, output + ((gsize) (i + 1) * n - 1) * size,
            size * sizeof (float));
  if (!eng_is_finite (self->hidden, n_sequences * size)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: hidden states are infinite or no numbers, expected weights that stay within "
                 "float32", eng_model_get_info (self->model)->name);
    return FALSE;
  }
  eng_heads_apply (self->spec, self->weights, ENG_TASK_LANGUAGE_MODEL, self->hidden, n_sequences,
                   self->scaled, self->transformed, self->head_products, self->cancel,
                   self->logits + (gsize) first * eng_decoding_get_n_classes (self));

  return is_cancelled (self) ? set_cancelled (error) : TRUE;
}

/* The token behind the first n of a sequence, where there is one to be asked; the positions of all. */
static void
ask_behind (EngDecoding *self,
            int          sequence,
            int          n)
{
  gint32 *ids = self->ids + (gsize) sequence * self->capacity;

  if (self->n_asked > 0)
    ids[n] = self->spec->asked_id;
  eng_positions_fill (self->spec, ids, n + self->n_asked,
                      self->positions + (gsize) sequence * self->capacity);
}

/* The first n tokens of one sequence, all of them anew. */
static gboolean
run_whole (EngDecoding  *self,
           int           sequence,
           int           n,
           GError      **error)
{
  gsize place = (gsize) sequence * self->capacity;

  ask_behind (self, sequence, n);

  return run_rows (self, sequence, 1, 0, n + self->n_asked, self->ids + place,
                   self->positions + place, error);
}

/* Whether a text that grows by its token n_past is one of those that are long from then on, and are
 * read anew as such. All other rows stay as they were turned in the shorter text, as in the
 * reference. */
static gboolean
begins_anew (const EngStackSpec *stack,
             int                 n_past)
{
  for (int layer = 0; layer < stack->n_layers; layer++) {
    const EngRotary *rotary = &eng_stack_spec_get_layer (stack, layer)->self.rotary;

    if (rotary->scaling == ENG_ROTARY_LONG && rotary->long_anew &&
        n_past == rotary->original_positions)
      return TRUE;
  }

  return FALSE;
}

static void
copy_rows (const EngDecoding  *self,
           const EngStackRows *from,
           EngStackRows       *to)
{
  const EngStackSpec *stack = &self->spec->stacks[ENG_KIND_DECODER];
  gsize size = eng_attention_spec_get_kv_size (eng_stack_spec_get_heads (stack));

  for (int layer = 0; layer < stack->n_layers; layer++) {
    gsize place = (gsize) layer * self->capacity * size;
    gsize n_bytes = self->n_tokens * size * sizeof (float);

    memcpy (to->keys + place, from->keys + place, n_bytes);
    memcpy (to->values + place, from->values + place, n_bytes);
  }
}

/* The first that goes on from a sequence takes its rows over; the others get copies in the rows of
 * sequences from which nothing goes on. */
static void
reorder (EngDecoding *self,
         const int   *parents)
{
  g_autofree EngStackRows *old = g_memdup2 (self->rows, self->n_sequences * sizeof *old);
  g_autofree gint32 *ids = g_memdup2 (self->ids, (gsize) self->n_sequences * self->capacity *
                                                 sizeof *ids);
  g_autofree gboolean *taken = g_new0 (gboolean, self->n_sequences);
  g_autofree gboolean *copied = g_new0 (gboolean, self->n_sequences);
  int spare = 0;

  for (int i = 0; i < self->n_sequences; i++) {
    memcpy (self->ids + (gsize) i * self->capacity, ids + (gsize) parents[i] * self->capacity,
            self->n_tokens * sizeof *ids);
    copied[i] = taken[parents[i]];
    taken[parents[i]] = TRUE;
    if (!copied[i])
      self->rows[i] = old[parents[i]];
  }
  for (int i = 0; i < self->n_sequences; i++) {
    if (!copied[i])
      continue;
    while (taken[spare])
      spare++;
    taken[spare] = TRUE;
    self->rows[i] = old[spare];
    copy_rows (self, &old[parents[i]], &self->rows[i]);
  }
}

static void
describe_blocks (EngDecoding *self)
{
  self->blocks = g_new0 (EngBlockTrace, self->n_sequences);
  if (self->source)
    self->cross_blocks = g_new0 (EngBlockTrace, self->n_sequences);
  for (int i = 0; i < self->n_sequences; i++) {
    eng_stack_describe_block (self->spec, ENG_KIND_DECODER, 0, 0, &self->blocks[i]);
    if (self->source)
      eng_stack_describe_block (self->spec, ENG_KIND_CROSS, 0, self->source->n,
                                &self->cross_blocks[i]);
  }
}

static void
set_languages (EngDecoding *self)
{
  int n = self->start->n, last;

  if (!self->start->languages)
    return;
  last = self->start->languages[n - 1];
  self->languages = g_new (gint32, self->capacity);
  for (int i = 0; i < self->capacity; i++)
    self->languages[i] = i < n ? self->start->languages[i] : last;
  self->step_languages = g_new (gint32, self->n_sequences * (1 + self->n_asked));
  for (int i = 0; i < self->n_sequences * (1 + self->n_asked); i++)
    self->step_languages[i] = last;
}

/* All sequences begin as the first. */
static gboolean
run_start (EngDecoding  *self,
           GError      **error)
{
  gsize n_classes = eng_decoding_get_n_classes (self);

  self->n_tokens = self->start->n;
  for (int i = 0; i < self->n_sequences; i++)
    memcpy (self->ids + (gsize) i * self->capacity, self->start->ids,
            self->n_tokens * sizeof (gint32));
  if ((self->source && !run_encoder (self, error)) || !run_whole (self, 0, self->n_tokens, error))
    return FALSE;

  for (int i = 1; i < self->n_sequences; i++) {
    copy_rows (self, &self->rows[0], &self->rows[i]);
    memcpy (self->logits + i * n_classes, self->logits, n_classes * sizeof (float));
  }
  return TRUE;
}

EngDecoding *
eng_decoding_new (EngModel                  *model,
                  const EngInputs           *inputs,
                  const EngDecodingOptions  *options,
                  GError                   **error)
{
  const EngSpec *spec = eng_model_get_spec (model);
  EngTokens *tokens = eng_spec_has_cross (spec) ? inputs->decoder_tokens : inputs->tokens;
  g_autoptr (EngTokens) start = eng_inputs_begin_writing (model, tokens);
  g_autoptr (EngDecoding) self = NULL;

  if (!eng_decoding_check (model, inputs, start, options, error))
    return NULL;

  self = g_new0 (EngDecoding, 1);
  self->model = eng_model_ref (model);
  self->spec = spec;
  self->weights = eng_model_get_weights (model);
  self->source = eng_spec_has_cross (spec) ? eng_tokens_ref (inputs->tokens) : NULL;
  self->start = g_steal_pointer (&start);
  self->n_sequences = options->n_sequences;
  self->n_asked = spec->asks_behind;
  self->capacity = options->capacity + self->n_asked;
  self->cached = !options->no_cache;
  self->cancel = options->cancel;
  self->edits = g_memdup2 (options->edits, options->n_edits * sizeof *self->edits);
  self->n_edits = options->n_edits;
  self->ids = g_new0 (gint32, (gsize) self->n_sequences * self->capacity);
  self->positions = g_new0 (gint32, (gsize) self->n_sequences * self->capacity);
  self->type_ids = g_new0 (gint32, self->capacity);
  memcpy (self->type_ids, self->start->type_ids, self->start->n * sizeof (gint32));
  set_languages (self);
  self->step_ids = g_new0 (gint32, self->n_sequences * (1 + self->n_asked));
  self->step_positions = g_new0 (gint32, self->n_sequences * (1 + self->n_asked));
  self->rows = g_new0 (EngStackRows, self->n_sequences);
  self->logits = g_new (float, (gsize) self->n_sequences * eng_decoding_get_n_classes (self));
  self->storage = storage_new ();
  if (self->source && eng_tokens_has_padding (self->source))
    self->cross.hidden_tokens = self->source->padding;
  describe_blocks (self);

  if (!allocate_storage (self, error) || !run_start (self, error) ||
      !eng_model_check_files (model, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
eng_decoding_free (EngDecoding *self)
{
  for (int i = 0; i < self->n_sequences; i++) {
    block_clear (&self->blocks[i]);
    if (self->cross_blocks)
      block_clear (&self->cross_blocks[i]);
  }
  g_free (self->blocks);
  g_free (self->cross_blocks);
  eng_arena_clear (&self->scratch);
  eng_decoding_storage_unref (self->storage);
  g_free (self->rows);
  g_free (self->ids);
  g_free (self->positions);
  g_free (self->type_ids);
  g_free (self->languages);
  g_free (self->step_languages);
  g_free (self->step_ids);
  g_free (self->step_positions);
  g_free (self->logits);
  g_free (self->edits);
  g_clear_pointer (&self->source, eng_tokens_unref);
  eng_tokens_unref (self->start);
  eng_model_unref (self->model);
  g_free (self);
}

int
eng_decoding_get_n_tokens (const EngDecoding *self)
{
  return self->n_tokens;
}

int
eng_decoding_get_n_classes (const EngDecoding *self)
{
  return self->spec->heads[ENG_TASK_LANGUAGE_MODEL].n_classes;
}

const float *
eng_decoding_get_logits (const EngDecoding *self,
                         int                sequence)
{
  return self->logits + (gsize) sequence * eng_decoding_get_n_classes (self);
}

gboolean
eng_decoding_step (EngDecoding   *self,
                   const int     *parents,
                   const gint32  *ids,
                   GError       **error)
{
  int n_past = self->n_tokens, n = 1 + self->n_asked;

  if (n_past + self->n_asked == self->capacity) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_LENGTH, "there is room for %d tokens and no more",
                 n_past);
    return FALSE;
  }

  if (self->n_sequences > 1)
    reorder (self, parents);
  self->n_tokens++;
  for (int i = 0; i < self->n_sequences; i++) {
    gsize place = (gsize) i * self->capacity + n_past;

    self->ids[place] = ids[i];
    ask_behind (self, i, self->n_tokens);
    memcpy (self->step_ids + i * n, self->ids + place, n * sizeof (gint32));
    memcpy (self->step_positions + i * n, self->positions + place, n * sizeof (gint32));
  }
  if (self->cached && !begins_anew (&self->spec->stacks[ENG_KIND_DECODER], n_past))
    return run_rows (self, 0, self->n_sequences, n_past, n, self->step_ids, self->step_positions,
                     error) &&
           eng_model_check_files (self->model, error);

  if (!leave_storage_to_traces (self, error))
    return FALSE;
  for (int i = 0; i < self->n_sequences; i++)
    if (!run_whole (self, i, self->n_tokens, error))
      return FALSE;
  return eng_model_check_files (self->model, error);
}
