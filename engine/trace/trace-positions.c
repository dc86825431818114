/* SPDX-License-Identifier: MIT */
/* What positions add to the scores of a trace. */
#include "engine/trace/trace-private.h"

#include "engine/attention/position-terms.h"

/* What of a head the trace computes from keys and queries of positions. */
typedef enum { TERM_CONTENT_POSITION, TERM_POSITION_CONTENT, TERM_BOTH, N_TERMS } Term;

/* [n_queries, n_keys]; a reader sees no change when they come to be there. */
static const float *
compute_term (EngTrace *self,
              EngKind   kind,
              int       layer,
              int       head,
              Term      which)
{
  static const EngPositionTerms terms[N_TERMS] = {
    ENG_POSITION_TERM_CONTENT_POSITION, ENG_POSITION_TERM_POSITION_CONTENT, ENG_POSITION_TERM_BOTH,
  };
  const EngBlockTrace *block = &self->blocks[kind];
  EngLayerTrace *data = &block->layers[layer];
  gsize n_cells = (gsize) block->n_queries * (gsize) block->n_keys;
  float *numbers;

  g_mutex_lock (&self->lock);
  if (!data->position_terms) {
    data->position_terms = g_new0 (float *, block->n_heads);
    eng_trace_keep (self, data->position_terms, 0, g_free);
  }
  if (!data->position_terms[head]) {
    numbers = g_new (float, N_TERMS * n_cells);
    for (int term = 0; term < N_TERMS; term++)
      eng_position_terms_fill_head (block, layer, head, terms[term], numbers + term * n_cells);
    data->position_terms[head] = numbers;
    eng_trace_keep (self, numbers, N_TERMS * n_cells * sizeof (float), g_free);
  }
  numbers = data->position_terms[head];
  g_mutex_unlock (&self->lock);

  return numbers + which * n_cells;
}

static gboolean
get_term (const EngTrace *self,
          EngKind         kind,
          int             layer,
          int             head,
          Term            which,
          EngMatrix      *matrix)
{
  const EngBlockTrace *block = &self->blocks[kind];
  const EngLayerTrace *data = eng_trace_get_layer (self, kind, layer);
  gsize n_cells = (gsize) block->n_queries * (gsize) block->n_keys;
  const float *stored, *term = NULL;

  if (!data)
    return FALSE;

  stored = which == TERM_BOTH               ? data->position_bias
           : which == TERM_CONTENT_POSITION ? data->content_position
                                            : data->position_content;
  if (stored)
    term = stored + (gsize) head * n_cells;
  else if (which == TERM_BOTH ? eng_position_terms_of_layer (data) != 0
           : which == TERM_CONTENT_POSITION ? data->position_keys.data != NULL
                                            : data->position_queries.data != NULL)
    term = compute_term ((EngTrace *) self, kind, layer, head, which);
  *matrix = (EngMatrix) { term, block->n_queries, block->n_keys, (gsize) block->n_keys };

  return term != NULL;
}

gboolean
eng_trace_get_position_bias (const EngTrace *self,
                             EngKind         kind,
                             int             layer,
                             int             head,
                             EngMatrix      *bias)
{
  return get_term (self, kind, layer, head, TERM_BOTH, bias);
}

gboolean
eng_trace_get_content_position (const EngTrace *self,
                                EngKind         kind,
                                int             layer,
                                int             head,
                                EngMatrix      *term)
{
  return get_term (self, kind, layer, head, TERM_CONTENT_POSITION, term);
}

gboolean
eng_trace_get_position_content (const EngTrace *self,
                                EngKind         kind,
                                int             layer,
                                int             head,
                                EngMatrix      *term)
{
  return get_term (self, kind, layer, head, TERM_POSITION_CONTENT, term);
}
