/* SPDX-License-Identifier: MIT */
#include "engine/steps/stations.h"

#include "engine/base/error.h"
#include "engine/kernels/nn.h"
#include "engine/steps/candidates.h"
#include "engine/transformer/lens.h"
#include "engine/transformer/model-private.h"

/* Whether the result of a stage is the token's vector, or what is added to it. */
static gboolean
is_station (const EngStage *stage,
            int             layer)
{
  const gboolean is_embedding = stage->part == ENG_PART_INPUT && layer == 0;

  switch (stage->id) {
  case ENG_STAGE_SUM:
  case ENG_STAGE_WIDEN:
    return is_embedding;
  case ENG_STAGE_NORM:
    if (is_embedding)
      return TRUE;
    break;
  case ENG_STAGE_STATES:
  case ENG_STAGE_OUTPUT:
  case ENG_STAGE_RESIDUAL:
  case ENG_STAGE_DOWN:
  case ENG_STAGE_LEFT:
    break;
  default:
    return FALSE;
  }

  return stage->part >= ENG_PART_OTHER && stage->part <= ENG_PART_END;
}

/* Around a sub-layer a norm is passed by the stream itself only where it stands behind the sum. */
static gboolean
is_stream (const EngStage     *stage,
           const EngLayerSpec *spec)
{
  if (stage->id == ENG_STAGE_OUTPUT || stage->id == ENG_STAGE_DOWN)
    return FALSE;
  if (stage->id != ENG_STAGE_NORM || stage->part == ENG_PART_INPUT || stage->part == ENG_PART_END)
    return TRUE;
  return (stage->part == ENG_PART_FEED_FORWARD ? spec->feed_forward_norm : spec->attention_norm)
         == ENG_NORM_POST;
}

/* The length of the row that a norm reads, and whether that is the stream's. */
static void
measure_before (const EngWay *way,
                int           normed,
                int           row,
                EngStation   *station)
{
  EngSource sources[ENG_MAX_SOURCES];
  const EngNumbers *read;
  EngStageId stage;

  if (eng_way_get_sources (way, normed, row, 0, sources) == 0)
    return;
  read = eng_way_get_numbers (way, sources[0].numbers);
  stage = eng_way_get_stage (way, read->stage)->id;
  station->before = eng_numbers_get_length (read, sources[0].first_row);
  station->reads_stream = stage != ENG_STAGE_OUTPUT && stage != ENG_STAGE_DOWN;
}

static void
add_stations (const EngWay       *way,
              const EngLayerSpec *spec,
              GArray             *stations)
{
  const int layer = eng_way_get_layer (way);

  for (int i = 0; i < eng_way_get_n_stages (way); i++) {
    const EngStage *stage = eng_way_get_stage (way, i);
    const EngNumbers *shown = eng_way_get_numbers (way, stage->result);
    const int row = eng_way_get_own_row (way, stage->result);
    EngStation station = { layer, stage->part, stage->id, stage->name, 0, -1, FALSE, FALSE };

    /* What the encoder left is not the token's, nor are norms of distances. */
    if (!is_station (stage, layer) || shown->row_axis == ENG_AXIS_KEYS
        || shown->row_axis == ENG_AXIS_POSITIONS)
      continue;
    station.length = eng_numbers_get_length (shown, row);
    station.is_stream = is_stream (stage, spec);
    if (stage->id == ENG_STAGE_NORM)
      measure_before (way, stage->result, row, &station);
    g_array_append_val (stations, station);
  }
}

GArray *
eng_stations_new (EngModel    *model,
                  EngTrace    *trace,
                  EngKind      kind,
                  int          token,
                  const gint  *cancel,
                  GError     **error)
{
  const EngStackSpec *stack = &eng_model_get_spec (model)->stacks[kind];
  g_autoptr (GArray) stations = g_array_new (FALSE, FALSE, sizeof (EngStation));

  for (int layer = 0; layer < MAX (eng_trace_get_n_layers (trace, kind), 1); layer++) {
    EngWayRequest request = {
      .kind = kind, .layer = layer, .query = token, .task = ENG_WAY_NO_ANSWER, .cancel = cancel,
    };
    g_autoptr (EngWay) way = eng_way_new (model, trace, &request, error);

    if (way == NULL)
      return NULL;
    add_stations (way, eng_stack_spec_get_layer (stack, layer), stations);
  }

  return g_steal_pointer (&stations);
}

/* Of the last feed-forward: some encoders begin without a norm before the first attention. */
EngNormPlacement
eng_stations_get_norms (const EngModel *model,
                        EngKind         kind)
{
  const EngStackSpec *stack = &eng_model_get_spec (model)->stacks[kind];

  return eng_stack_spec_get_layer (stack, stack->n_layers - 1)->feed_forward_norm;
}

static gboolean
read_layer (EngLayerAnswers  *self,
            EngModel         *model,
            EngTrace         *trace,
            EngTask           task,
            int               token,
            int               layer,
            GError          **error)
{
  int n_classes;
  g_autofree float *logits = eng_lens_read_token (model, trace, task, layer, token, &n_classes,
                                                  error);
  g_autofree float *probabilities = NULL;

  if (logits == NULL)
    return FALSE;
  probabilities = g_memdup2 (logits, (gsize) n_classes * sizeof (float));
  eng_softmax (probabilities, n_classes, 1, NULL, NULL);
  self->n_candidates = eng_candidates_fill (model, task, logits, probabilities, n_classes,
                                            self->n_candidates,
                                            self->candidates + layer * self->n_candidates);

  return TRUE;
}

EngLayerAnswers *
eng_layer_answers_new (EngModel    *model,
                       EngTrace    *trace,
                       EngTask      task,
                       int          token,
                       int          n_candidates,
                       const gint  *cancel,
                       GError     **error)
{
  const EngSpec *spec = eng_model_get_spec (model);
  EngKind kind = eng_spec_get_last_kind (spec);
  g_autoptr (EngLayerAnswers) self = g_new0 (EngLayerAnswers, 1);

  if (token < 0 || token >= eng_trace_get_n_queries (trace, kind)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "there is no token %d to read an answer off, only 0 to %d", token,
                 eng_trace_get_n_queries (trace, kind) - 1);
    return NULL;
  }
  self->n_layers = spec->stacks[kind].n_layers + 1;
  self->n_candidates = MIN (n_candidates, MAX (spec->heads[task].n_classes, 1));
  self->candidates = g_new0 (EngCandidate, self->n_layers * self->n_candidates);
  for (int layer = 0; layer < self->n_layers; layer++) {
    if (cancel != NULL && g_atomic_int_get (cancel) != 0) {
      g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the answers were cancelled");
      return NULL;
    }
    if (!read_layer (self, model, trace, task, token, layer, error))
      return NULL;
  }

  return g_steal_pointer (&self);
}

void
eng_layer_answers_free (EngLayerAnswers *self)
{
  for (int i = 0; i < self->n_layers * self->n_candidates; i++)
    g_free (self->candidates[i].text);
  g_free (self->candidates);
  g_free (self);
}
