/* SPDX-License-Identifier: MIT */
#include "ui/scene/steps/steps-way.h"

#include <string.h>

#include "engine/steps/of-trace.h"
#include "engine/trace/check.h"
#include "ui/document/fit.h"
#include "ui/scene/numbers/telling-query.h"
#include "ui/scene/steps/steps-scene.h"

#define KNOBS "if-"
#define MOST_CHECKED 512 /* tokens: all rows of more take longer than a key may */

/* The first row that queries and keys do not give; -1 = they give all, or it is not looked for: what a
 * model has just made is true, what a file says may have been changed. */
static int
find_wrong_query (EngTrace *trace,
                  EngKind   kind,
                  int       layer,
                  int       head)
{
  g_autoptr (EngDiagram) model = eng_diagram_new_of_trace (trace);
  const int n = eng_trace_get_query_tokens (trace, kind)->n;
  EngCheck check;
  int n_wrong;

  for (int query = 0; model == NULL && n <= MOST_CHECKED && query < n; query++)
    if (eng_check_row (trace, kind, layer, head, query, &n_wrong, &check) >= 0)
      return query;
  return -1;
}

static int
find_query (EngTrace         *trace,
            const UiDocument *document,
            EngKind           kind,
            int               head)
{
  EngAttention *attention;
  int query;

  if (document->pins.n_queries > 0)
    return document->pins.queries[0];
  query = find_wrong_query (trace, kind, document->layer, head);
  if (query >= 0)
    return query;
  attention = eng_trace_dup_attention (trace, kind, document->layer);
  if (attention == NULL)
    return 0;
  query = ui_telling_query_find (attention, head, eng_trace_get_query_tokens (trace, kind),
                                 eng_trace_get_key_tokens (trace, kind), &document->pins);
  eng_attention_unref (attention);
  return query;
}

/* The document has been checked. hidden: ui_document_dup_hidden(), which the request borrows. */
static EngWayRequest
make_request (EngTrace         *trace,
              const UiDocument *document,
              const GArray     *hidden)
{
  EngWayRequest request = {
    .kind = ui_fit_get_kind (document, trace), .layer = document->layer, .task = ENG_WAY_ANY_TASK,
    .knobs = {
      .has_scale = document->if_scale_set, .scale = document->if_scale,
      .temperature = document->if_temperature == 1 ? 0 : document->if_temperature,
      .hidden = hidden, .projections_off = document->if_projections_off,
      .zeroes = document->if_dimension_set, .dimension = document->if_dimension,
      .positions_off = document->if_positions_off, .segments_off = document->if_segments_off,
    },
  };
  static const EngKnobMask masks[] = {
    [UI_IF_MASK_MODEL] = ENG_KNOB_MASK_MODELS, [UI_IF_MASK_NONE] = ENG_KNOB_MASK_NONE,
    [UI_IF_MASK_CAUSAL] = ENG_KNOB_MASK_CAUSAL, [UI_IF_MASK_PADDING] = ENG_KNOB_MASK_PADDING,
    [UI_IF_MASK_OWN] = ENG_KNOB_MASK_MODELS,
  };

  request.knobs.mask = masks[document->if_mask];
  request.head = ui_head_set_first (&document->heads, eng_trace_get_n_heads (trace, request.kind));
  request.query = find_query (trace, document, request.kind, request.head);
  return request;
}

static gboolean
has_same_keys (const UiPins *a,
               const UiPins *b)
{
  return a->n_keys == b->n_keys
         && (a->n_keys == 0
             || memcmp (a->keys, b->keys, (gsize) a->n_keys * sizeof *a->keys) == 0);
}

static gboolean
has_same_knobs (const UiDocument *a,
                const UiDocument *b)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++) {
    g_autofree char *in_a = NULL;
    g_autofree char *in_b = NULL;

    if (!g_str_has_prefix (fields[i].name, KNOBS))
      continue;
    in_a = ui_document_get (a, &fields[i]);
    in_b = ui_document_get (b, &fields[i]);
    if (!g_str_equal (in_a, in_b))
      return FALSE;
  }
  return a->if_mask != UI_IF_MASK_OWN || a->if_hidden != NULL
         || has_same_keys (&a->pins, &b->pins);
}

gboolean
ui_steps_way_is_of (const UiScene    *scene,
                    EngTrace         *trace,
                    const UiDocument *document)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  EngWayRequest request;

  if (self == NULL || scene->trace != trace || !has_same_knobs (scene->document, document))
    return FALSE;
  request = make_request (trace, document, NULL);
  return eng_way_get_kind (self->way) == request.kind
         && eng_way_get_layer (self->way) == request.layer
         && eng_way_get_head (self->way) == request.head
         && eng_way_get_query (self->way) == request.query;
}

/* A step or a number that is not there. */
static gboolean
check (const EngWay      *way,
       const UiDocument  *document,
       GError           **error)
{
  const UiNumber *number = &document->number;
  const int n = ui_steps_count (way);
  const int stage = document->step;

  if (stage >= n)
    g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                 "Step %d does not exist: the way has steps 0 to %d", stage, n - 1);
  else if (document->number_set && ui_steps_find_number (way, number).numbers < 0)
    g_set_error (error, UI_ERROR, UI_ERROR_RANGE, "The number %d.%d.%d.%d does not exist",
                 number->stage, number->matrix, number->row, number->column);
  else
    return TRUE;
  return FALSE;
}

EngWay *
ui_steps_way_new (EngTrace              *trace,
                  const UiDocument      *document,
                  const UiSceneOptions  *options,
                  GError               **error)
{
  const UiWatch *watch = options->watch;
  UiScene *before = options->before;
  g_autoptr (EngWay) way = NULL;
  g_autoptr (GArray) hidden = NULL;
  EngWayRequest request;

  if (!ui_fit_check (document, trace, error))
    return NULL;
  if (before != NULL && ui_steps_way_is_of (before, trace, document)) {
    way = eng_way_ref (ui_steps_scene_cast (before)->way);
  } else {
    hidden = ui_document_dup_hidden (document);
    request = make_request (trace, document, hidden);
    request.cancel = watch != NULL ? watch->cancel : NULL;
    way = eng_way_new_of_trace (trace, &request, error);
  }
  /* A window shows what there is. */
  return way != NULL && (options->view_height > 0 || check (way, document, error))
         ? g_steal_pointer (&way) : NULL;
}

/* As a new document has them. */
static void
reset_knobs (UiDocument *document)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++)
    if (g_str_has_prefix (fields[i].name, KNOBS))
      ui_document_set (document, &fields[i], fields[i].fallback, NULL);
}

gboolean
ui_steps_feed_forward (EngTrace         *trace,
                       const UiDocument *shown,
                       UiDocument       *document)
{
  g_autoptr (GArray) hidden = ui_document_dup_hidden (shown);
  const EngWayRequest request = make_request (trace, shown, hidden);
  g_auto (GStrv) edits = eng_knobs_to_edits (&request.knobs, request.kind,
                                             eng_trace_get_default_kind (trace), request.layer,
                                             request.head);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (edits[0] == NULL)
    return FALSE;
  g_strv_builder_addv (builder, (const char **) document->edits);
  g_strv_builder_addv (builder, (const char **) edits);
  g_strfreev (document->edits);
  document->edits = g_strv_builder_end (builder);
  reset_knobs (document);
  /* What tells most changes with the edits: the token that is followed stays. */
  if (document->pins.n_queries == 0)
    ui_pins_click (&document->pins, FALSE, request.query, TRUE);
  return TRUE;
}

void
ui_steps_hide_link (EngTrace         *trace,
                    const UiDocument *shown,
                    int               query,
                    int               key,
                    UiDocument       *document)
{
  const EngKind kind = ui_fit_get_kind (shown, trace);
  g_autoptr (GArray) hidden = ui_document_dup_hidden (shown);
  g_autoptr (GArray) toggled = eng_links_toggle (hidden, query, key,
                                                 eng_trace_get_n_queries (trace, kind),
                                                 eng_trace_get_n_keys (trace, kind));
  g_autofree char *text = eng_links_to_string (toggled);

  ui_replace_text (&document->if_hidden, toggled->len > 0 ? text : NULL);
  document->if_mask = toggled->len > 0 || document->if_mask != UI_IF_MASK_OWN
                      || document->pins.n_keys == 0 ? document->if_mask : UI_IF_MASK_MODEL;
}
