/* SPDX-License-Identifier: MIT */
#include "ui/scene/views/comparison.h"

#include "ui/document/fit.h"
#include "ui/scene/matrix/difference-scene.h"
#include "ui/scene/numbers/alignment.h"
#include "ui/scene/views/factory.h"
#include "ui/scene/views/panels.h"

/* Pins of the first side's tokens as those of the same tokens of the second. */
static void
map_pins (const EngTokens *first,
          const EngTokens *second,
          gboolean         key,
          const int       *pins,
          int              n_pins,
          UiPins          *mapped)
{
  g_autoptr (GArray) aligned = ui_alignment_new (first, second);

  for (int i = 0; i < n_pins; i++)
    for (guint j = 0; j < aligned->len; j++) {
      const UiAlignedToken *pair = &g_array_index (aligned, UiAlignedToken, j);

      if (pair->first == pins[i] && pair->second >= 0)
        ui_pins_click (mapped, key, pair->second, TRUE);
    }
}

/* The second side with the first one's pins, wherever their tokens stand there. */
static UiDocument *
create_second_side (EngTrace         *first,
                    EngTrace         *second,
                    const UiDocument *document)
{
  UiDocument *other = ui_document_dup_second_side (document);
  const UiPins *pins = &document->pins;
  EngKind first_kind = ui_fit_get_kind (document, first);
  EngKind kind = ui_fit_get_kind (other, second);

  ui_pins_clear (&other->pins);
  if (!eng_trace_has_kind (first, first_kind) || !eng_trace_has_kind (second, kind))
    return other;

  map_pins (eng_trace_get_query_tokens (first, first_kind),
            eng_trace_get_query_tokens (second, kind), FALSE, pins->queries, pins->n_queries,
            &other->pins);
  map_pins (eng_trace_get_key_tokens (first, first_kind), eng_trace_get_key_tokens (second, kind),
            TRUE, pins->keys, pins->n_keys, &other->pins);
  return other;
}

/* Of one side. */
static gsize
count_numbers (EngTrace         *trace,
               const UiDocument *document)
{
  const UiView *view = ui_view_get (document->view);
  EngKind kind = ui_fit_get_kind (document, trace);
  gsize n_layers = 1;

  if (!eng_trace_has_kind (trace, kind))
    return 0;
  if (!view->has_one_head && document->measure == ENG_MEASURE_ROLLOUT)
    n_layers = (gsize) MAX (document->layer, 0) + 1;
  else if (document->layers != UI_AGGREGATE_EACH && view->no_aggregate == NULL)
    n_layers = (gsize) eng_trace_get_n_layers (trace, kind);

  return n_layers * eng_trace_count_layer_weights (trace, kind);
}

gsize
ui_comparison_count (EngTrace         *first,
                     EngTrace         *second,
                     const UiDocument *document)
{
  gsize n = count_numbers (first, document);

  if (ui_document_has_panels (document))
    return n * MAX (document->panels.n, 1);
  if (second != NULL && ui_document_has_second_side (document)) {
    g_autoptr (UiDocument) other = ui_document_dup_second_side (document);

    n += count_numbers (second, other);
  }
  return n;
}

UiScene *
ui_comparison_new (EngTrace              *first,
                   EngTrace              *second,
                   const UiDocument      *document,
                   const UiSceneOptions  *options,
                   GError               **error)
{
  g_autoptr (UiDocument) other = NULL;

  if (ui_document_has_panels (document))
    return ui_panels_scene_new_for_heads (first, document, options, error);
  if (second == NULL || !ui_document_has_second_side (document))
    return ui_scene_new (first, document, options, error);

  other = create_second_side (first, second, document);
  if (document->compare == UI_COMPARE_SIDES) {
    const UiPanel panels[] = { { first, document }, { second, other } };

    return ui_panels_scene_new (panels, G_N_ELEMENTS (panels), options, error);
  }
  return ui_difference_scene_new (first, document, second, other, options, error);
}
