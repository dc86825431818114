/* SPDX-License-Identifier: MIT */
#include "ui/document/fit.h"

#include "engine/trace/measure.h"

/* 24 layers of 16: in sight together their maps are smaller than 32 pixels. */
#define MANY_HEADS (24 * 16)

/* What shows all layers that are there does without the one that is chosen. */
static gboolean
needs_layer (const UiDocument *document)
{
  const UiView *view = ui_view_get (document->view);

  return !view->has_all_heads
         && (view->has_one_head || document->layers == UI_AGGREGATE_EACH
             || document->measure == ENG_MEASURE_ROLLOUT);
}

static gboolean
has_special_tokens (const EngTokens *tokens)
{
  for (int i = 0; i < tokens->n; i++)
    if (tokens->special[i])
      return TRUE;

  return FALSE;
}

/* (transfer full) Of strings: "0 to 2", "5", "7 and 8" as two. *n_layers: in all of them. */
static GPtrArray *
find_runs (const EngTrace *trace,
           EngKind         kind,
           int            *n_layers)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_free);
  int end;

  *n_layers = 0;
  for (int first = 0; first < eng_trace_get_n_layers (trace, kind); first = MAX (end, first + 1)) {
    for (end = first; eng_trace_has_layer (trace, kind, end);)
      end++;
    *n_layers += end - first;
    if (end - first > 2)
      g_ptr_array_add (runs, g_strdup_printf ("%d to %d", first, end - 1));
    else
      for (int layer = first; layer < end; layer++)
        g_ptr_array_add (runs, g_strdup_printf ("%d", layer));
  }
  return runs;
}

/* What is put aside. */

/* The heads that are there, all where that is none of those that were chosen. Whether any was put
 * aside. */
static gboolean
fit_heads (UiHeadSet *heads,
           int        n_heads)
{
  UiHeadSet there = { 0 };
  gboolean lacks_some = FALSE;

  for (int head = 0; head < UI_MAX_HEADS && !heads->all; head++) {
    if (!ui_head_set_has (heads, head))
      continue;
    if (head < n_heads)
      ui_head_set_add (&there, head);
    else
      lacks_some = TRUE;
  }
  if (heads->all)
    return FALSE;
  there.all = ui_head_set_count (&there, n_heads) == 0;
  *heads = there;
  return lacks_some || there.all;
}

static void
fit_numbers (UiDocument *fitted,
             EngTrace   *trace)
{
  if (!ui_fit_has_measure (fitted, trace, fitted->measure))
    fitted->measure = ENG_MEASURE_WEIGHT;
  if (!ui_fit_has_special (trace, fitted->kind))
    fitted->hide_special = FALSE;
  /* Whole rows have nothing to be brought back to 1. */
  if (fitted->filter == UI_FILTER_ALL && !fitted->hide_special)
    fitted->renormalise = FALSE;
}

/* The collected heads that are there, as many as can stand beside each other. */
static void
fit_panels (UiDocument *fitted,
            EngTrace   *trace)
{
  UiCells there = { 0 };

  for (int i = 0; i < fitted->panels.n && there.n < UI_MAX_PANELS; i++) {
    const UiCell *cell = &fitted->panels.cells[i];

    if (eng_trace_has_layer (trace, fitted->kind, cell->layer)
        && cell->head < eng_trace_get_n_heads (trace, fitted->kind))
      ui_cells_toggle (&there, cell->layer, cell->head);
  }
  ui_cells_clear (&fitted->panels);
  fitted->panels = there;
  if (there.n == 0)
    fitted->compare = UI_COMPARE_OFF;
}

/* The links of a mask of one's own that are there. */
static void
fit_hidden (UiDocument *fitted,
            EngTrace   *trace)
{
  g_autoptr (GArray) links = NULL;
  g_autoptr (GArray) there = NULL;
  g_autofree char *text = NULL;

  if (fitted->if_hidden == NULL)
    return;
  links = eng_links_parse (fitted->if_hidden);
  there = eng_links_clip (links, eng_trace_get_n_queries (trace, fitted->kind),
                          eng_trace_get_n_keys (trace, fitted->kind));
  text = eng_links_to_string (there);
  ui_replace_text (&fitted->if_hidden, there->len > 0 ? text : NULL);
}

static void
fit_first (UiDocument *fitted,
           EngTrace   *trace)
{
  if (!fitted->kind_set || !eng_trace_has_kind (trace, fitted->kind))
    fitted->kind = eng_trace_get_default_kind (trace);
  fitted->kind_set = TRUE;
  fitted->layer = ui_fit_find_layer (trace, fitted->kind, fitted->layer);
  fit_heads (&fitted->heads, eng_trace_get_n_heads (trace, fitted->kind));
  if (!ui_fit_can_filter (trace, fitted->kind))
    fitted->filter = UI_FILTER_ALL;
  fit_numbers (fitted, trace);
  ui_pins_trim (&fitted->pins, eng_trace_get_n_queries (trace, fitted->kind),
                eng_trace_get_n_keys (trace, fitted->kind));
  fit_hidden (fitted, trace);
  if (ui_document_has_panels (fitted))
    fit_panels (fitted, trace);
}

/* The kind that the second side shows. */
static gboolean
fit_second_kind (UiDocument *fitted,
                 EngTrace   *first,
                 EngTrace   *second,
                 EngKind    *kind)
{
  *kind = fitted->kind;
  if (eng_trace_has_kind (second, *kind))
    return TRUE;
  /* An encoder beside a decoder: each side shows what it has. */
  if (fitted->kind != eng_trace_get_default_kind (first))
    return FALSE;
  fitted->kind_set = FALSE;
  *kind = eng_trace_get_default_kind (second);
  return TRUE;
}

/* Layer and heads of its own are the second side's; filter and measure are of both. */
static gboolean
fit_second (UiDocument *fitted,
            EngTrace   *first,
            EngTrace   *second)
{
  g_autoptr (UiDocument) side = ui_document_dup_second_side (fitted);
  int layer = side->layer;

  if (!fit_second_kind (fitted, first, second, &side->kind))
    return FALSE;
  side->layer = ui_fit_find_layer (second, side->kind, layer);
  if (side->layer < 0)
    return FALSE;
  if (side->layer != layer) {
    fitted->compare_layer_set = TRUE;
    fitted->compare_layer = side->layer;
  }
  if (fit_heads (&side->heads, eng_trace_get_n_heads (second, side->kind))) {
    fitted->compare_heads_set = TRUE;
    fitted->compare_heads = side->heads;
  }
  if (!ui_fit_can_filter (second, side->kind))
    fitted->filter = UI_FILTER_ALL;
  fit_numbers (side, second);
  fitted->measure = side->measure;
  return TRUE;
}

UiDocument *
ui_fit_document (const UiDocument  *document,
                 EngTrace          *trace,
                 EngTrace          *second,
                 char             **misfit)
{
  UiDocument *fitted = ui_document_copy (document);

  *misfit = NULL;
  fit_first (fitted, trace);
  if (second != NULL && ui_document_has_second_side (fitted)
      && !fit_second (fitted, trace, second))
    *misfit = g_strdup_printf ("Other has no %s attention",
                               eng_kind_get_name (fitted->kind));
  return fitted;
}

const char *
ui_fit_get_text (const UiDocument *document,
                 const EngTrace   *trace,
                 gboolean          is_b)
{
  const char *text;

  if (document->trace_file == NULL)
    text = is_b ? document->text_b : document->text_a;
  else if (trace != NULL)
    text = is_b ? eng_trace_get_text_b (trace) : eng_trace_get_text_a (trace);
  else
    text = NULL;
  return text != NULL ? text : "";
}

UiDocument *
ui_fit_dup_second_side (const UiDocument *document,
                        const EngTrace   *trace)
{
  UiDocument *side = ui_document_dup_second_side (document);

  if (document->trace_file != NULL && side->trace_file == NULL && !document->compare_text_a_set) {
    ui_replace_text (&side->text_a, ui_fit_get_text (document, trace, FALSE));
    ui_replace_text (&side->text_b, ui_fit_get_text (document, trace, TRUE));
  }
  return side;
}

/* What is refused. */

/* "encoder and cross" */
static char *
list_kinds (const EngTrace *trace)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    if (eng_trace_has_kind (trace, (EngKind) kind))
      g_strv_builder_add (builder, eng_kind_get_name ((EngKind) kind));
  names = g_strv_builder_end (builder);
  return g_strjoinv (" and ", names);
}

static gboolean
check_kind (const EngTrace  *trace,
            EngKind          kind,
            GError         **error)
{
  g_autofree char *kinds = NULL;

  if (eng_trace_has_kind (trace, kind))
    return TRUE;
  kinds = list_kinds (trace);
  g_set_error (error, UI_ERROR, UI_ERROR_RANGE, "There is no %s attention here, only %s",
               eng_kind_get_name (kind), kinds);
  return FALSE;
}

static gboolean
check_layer (const EngTrace    *trace,
             const UiDocument  *document,
             EngKind            kind,
             GError           **error)
{
  int layer = document->layer;
  int n = eng_trace_get_n_layers (trace, kind);

  if (layer < 0 || layer >= n) {
    g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                 "Layer %d does not exist: the %s has layers 0 to %d",
                 layer, eng_kind_get_name (kind), n - 1);
    return FALSE;
  }
  if (needs_layer (document) && !eng_trace_has_layer (trace, kind, layer)) {
    g_autofree char *layers = ui_fit_list_layers (trace, kind);

    g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                 "The trace holds no attention of layer %d of the %s, only of %s",
                 layer, eng_kind_get_name (kind), layers);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_heads (const UiHeadSet  *heads,
             int               n_heads,
             int               layer,
             GError          **error)
{
  gboolean any = heads->all;

  for (int head = 0; head < UI_MAX_HEADS && !heads->all; head++) {
    if (!ui_head_set_has (heads, head))
      continue;
    if (head >= n_heads) {
      g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                   "Head %d does not exist: layer %d has heads 0 to %d",
                   head, layer, n_heads - 1);
      return FALSE;
    }
    any = TRUE;
  }
  if (!any)
    g_set_error (error, UI_ERROR, UI_ERROR_RANGE, "No head of layer %d is chosen", layer);
  return any;
}

static gboolean
check_pins (const int   *pins,
            int          n_pins,
            int          n_tokens,
            const char  *side,
            GError     **error)
{
  for (int i = 0; i < n_pins; i++) {
    if (pins[i] < 0 || pins[i] >= n_tokens) {
      g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                   "The pinned %s %d does not exist: the tokens are 0 to %d",
                   side, pins[i], n_tokens - 1);
      return FALSE;
    }
  }
  return TRUE;
}

/* first may be ENG_ALL_TOKENS. */
static gboolean
check_span (int          first,
            int          n_more,
            int          n_tokens,
            const char  *side,
            GError     **error)
{
  if (first + n_more < n_tokens)
    return TRUE;
  g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
               "The hidden %s %d does not exist: the tokens are 0 to %d", side,
               MAX (first, n_tokens), n_tokens - 1);
  return FALSE;
}

static gboolean
check_hidden (const UiDocument  *document,
              EngTrace          *trace,
              EngKind            kind,
              GError           **error)
{
  g_autoptr (GArray) links = ui_document_dup_hidden (document);

  for (guint i = 0; i < links->len; i++) {
    const EngLinks *some = &g_array_index (links, EngLinks, i);

    if (!check_span (some->query, some->n_more_queries, eng_trace_get_n_queries (trace, kind),
                     "query", error)
        || !check_span (some->key, some->n_more_keys, eng_trace_get_n_keys (trace, kind), "key",
                        error))
      return FALSE;
  }
  return TRUE;
}

/* Without both sentences on both sides a filter would leave all or nothing. One head as the model
 * has it takes none. */
static gboolean
check_filter (const EngTrace    *trace,
              const UiDocument  *document,
              EngKind            kind,
              GError           **error)
{
  g_autofree char *filter = NULL;

  if (document->filter == UI_FILTER_ALL || ui_view_get (document->view)->has_one_head
      || ui_fit_can_filter (trace, kind))
    return TRUE;
  filter = ui_document_get (document, ui_fields_find ("filter"));
  g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
               "The filter %s needs two sentences that read each other, which the %s attention here"
               " has not", filter, eng_kind_get_name (kind));
  return FALSE;
}

gboolean
ui_fit_check (const UiDocument  *document,
              EngTrace          *trace,
              GError           **error)
{
  EngKind kind = ui_fit_get_kind (document, trace);
  const UiPins *pins = &document->pins;

  return check_kind (trace, kind, error)
         && check_layer (trace, document, kind, error)
         && check_heads (&document->heads, eng_trace_get_n_heads (trace, kind), document->layer,
                         error)
         && check_pins (pins->queries, pins->n_queries, eng_trace_get_n_queries (trace, kind),
                        "query", error)
         && check_pins (pins->keys, pins->n_keys, eng_trace_get_n_keys (trace, kind), "key", error)
         && check_hidden (document, trace, kind, error)
         && check_filter (trace, document, kind, error);
}

EngKind
ui_fit_get_kind (const UiDocument *document,
                 const EngTrace   *trace)
{
  return document->kind_set ? document->kind : eng_trace_get_default_kind (trace);
}

UiOrder
ui_fit_get_order (const UiDocument *document,
                  const EngTrace   *trace)
{
  EngKind kind;

  if (document->order_set || trace == NULL)
    return document->order_set ? document->order : UI_ORDER_LAYER;
  kind = ui_fit_get_kind (document, trace);
  return eng_trace_has_kind (trace, kind)
         && eng_trace_get_n_layers (trace, kind) * eng_trace_get_n_heads (trace, kind)
            >= MANY_HEADS ? UI_ORDER_PATTERN : UI_ORDER_LAYER;
}

int
ui_fit_find_layer (const EngTrace *trace,
                   EngKind         kind,
                   int             layer)
{
  int n_layers = eng_trace_get_n_layers (trace, kind);

  layer = MIN (layer, n_layers - 1);
  for (int distance = 0; distance < n_layers; distance++) {
    if (eng_trace_has_layer (trace, kind, layer - distance))
      return layer - distance;
    if (eng_trace_has_layer (trace, kind, layer + distance))
      return layer + distance;
  }

  return -1;
}

int
ui_fit_get_layer (const UiDocument *document,
                  EngTrace         *trace)
{
  EngKind kind = ui_fit_get_kind (document, trace);
  int found = -1;

  if (needs_layer (document) || eng_measures_has (trace, kind, document->layer, document->measure))
    return document->layer;
  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++) {
    if (eng_measures_has (trace, kind, layer, document->measure))
      return layer;
    if (found < 0 && eng_trace_has_layer (trace, kind, layer))
      found = layer;
  }
  return MAX (found, 0);
}

gboolean
ui_fit_has_measure (const UiDocument *document,
                    EngTrace         *trace,
                    EngMeasure        measure)
{
  EngKind kind = ui_fit_get_kind (document, trace);

  if (document->layer < 0)
    return measure == ENG_MEASURE_WEIGHT;
  if (measure == ENG_MEASURE_ROLLOUT || document->layers == UI_AGGREGATE_EACH)
    return eng_measures_has (trace, kind, document->layer, measure);

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++)
    if (eng_trace_has_layer (trace, kind, layer) && !eng_measures_has (trace, kind, layer, measure))
      return FALSE;

  return TRUE;
}

gboolean
ui_fit_can_filter (const EngTrace *trace,
                   EngKind         kind)
{
  return kind != ENG_KIND_CROSS && eng_trace_has_kind (trace, kind)
         && eng_measure_has_pair (eng_trace_get_query_tokens (trace, kind),
                                  eng_trace_get_key_tokens (trace, kind));
}

gboolean
ui_fit_has_special (const EngTrace *trace,
                    EngKind         kind)
{
  return has_special_tokens (eng_trace_get_query_tokens (trace, kind))
         || has_special_tokens (eng_trace_get_key_tokens (trace, kind));
}

char *
ui_fit_list_layers (const EngTrace *trace,
                    EngKind         kind)
{
  int n_layers;
  g_autoptr (GPtrArray) runs = find_runs (trace, kind, &n_layers);
  GString *text = g_string_new (n_layers == 1 ? "layer " : "layers ");

  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i == runs->len - 1 ? " and " : ", ",
                            (const char *) runs->pdata[i]);
  return g_string_free (text, FALSE);
}
