/* SPDX-License-Identifier: MIT */
/* Which numbers a scene shows, in words: measure, heads, layers, what is left out. */
#include "ui/scene/base/describe.h"

#include <math.h>
#include <string.h>

#include "ui/document/fit.h"
#include "ui/scene/base/scene-private.h"

#define MOST_DECIMALS 6

static const char *const measure_names[ENG_N_MEASURES] = {
  [ENG_MEASURE_WEIGHT] = "weight",
  [ENG_MEASURE_VALUE_NORM] = "weight × ‖v‖",
  [ENG_MEASURE_OUTPUT_NORM] = "‖α v W_O‖",
  [ENG_MEASURE_ROLLOUT] = "rollout",
};

static const char *const aggregate_names[] = {
  [UI_AGGREGATE_EACH] = "each", [UI_AGGREGATE_MEAN] = "mean", [UI_AGGREGATE_MAX] = "max",
};

static gboolean
is_norm (EngMeasure measure)
{
  return measure == ENG_MEASURE_VALUE_NORM || measure == ENG_MEASURE_OUTPUT_NORM;
}

const char *
ui_describe_measure (const UiWeights *weights)
{
  return ui_describe_measure_name (weights->block.measure);
}

const char *
ui_describe_measure_name (EngMeasure measure)
{
  return measure_names[measure];
}

char *
ui_describe_amount (double amount,
                    int    n_decimals)
{
  const double step = pow (10, -n_decimals);
  g_autofree char *format = g_strdup_printf ("%%.%df", n_decimals);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (amount == 0)
    return g_strdup ("0");
  if (amount >= step / 2)
    return g_strdup (g_ascii_formatd (buffer, sizeof buffer, format, amount));
  return g_strconcat ("<", g_ascii_formatd (buffer, sizeof buffer, format, step), NULL);
}

char *
ui_describe_weight (double weight)
{
  return ui_describe_amount (weight, weight >= 0.0995 ? 2 : 3);
}

char *
ui_describe_value (const UiWeights *weights,
                   double           value)
{
  int n_decimals = 0;
  double step = 1;

  if (!is_norm (weights->block.measure) || weights->row_scale != NULL)
    return ui_describe_weight (value);

  while (n_decimals < MOST_DECIMALS && weights->block.unit < 100 * step) {
    n_decimals++;
    step /= 10;
  }
  return ui_describe_amount (value, n_decimals);
}

gboolean
ui_describe_has_two_stacks (const EngTrace *trace)
{
  return eng_trace_has_kind (trace, ENG_KIND_ENCODER)
         && (eng_trace_has_kind (trace, ENG_KIND_DECODER)
             || eng_trace_has_kind (trace, ENG_KIND_CROSS));
}

const char *
ui_describe_owner (const UiScene *scene)
{
  static const char *const owners[ENG_N_KINDS] = {
    [ENG_KIND_ENCODER] = " of the encoder",
    [ENG_KIND_DECODER] = " of the decoder",
    [ENG_KIND_CROSS] = " of the cross-attention",
  };
  int n_kinds = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    n_kinds += eng_trace_has_kind (scene->trace, (EngKind) kind);
  return n_kinds > 1 ? owners[scene->kind] : "";
}

/* "mean over layers 3 and 7 of 12". A trace whose last layer is there may be one of a larger
 * model. */
static char *
describe_some_layers (const UiScene *scene)
{
  int n_layers = eng_trace_get_n_layers (scene->trace, scene->kind);
  gboolean has_last = eng_trace_has_layer (scene->trace, scene->kind, n_layers - 1);
  g_autofree char *layers = ui_fit_list_layers (scene->trace, scene->kind);
  g_autofree char *all = has_last ? g_strdup ("") : g_strdup_printf (" of %d", n_layers);

  return g_strdup_printf ("%s over %s%s%s", aggregate_names[scene->weights.block.layers], layers,
                          all, ui_describe_owner (scene));
}

char *
ui_describe_layer (const UiScene *scene)
{
  const UiBlock *block = &scene->weights.block;

  if (block->layers == UI_AGGREGATE_EACH)
    return g_strdup_printf ("layer %d%s", scene->layer, ui_describe_owner (scene));
  if (block->n_layers < eng_trace_get_n_layers (scene->trace, scene->kind))
    return describe_some_layers (scene);
  return g_strdup_printf ("%s over all %d layers%s", aggregate_names[block->layers],
                          block->n_layers, ui_describe_owner (scene));
}

/* "heads 2, 6 and 9" of a layer with n_heads */
static char *
list_heads (const UiHeadSet *heads,
            int              n_heads)
{
  int n = ui_head_set_count (heads, n_heads);
  GString *text;
  int before = 0;

  if (n == 1)
    return g_strdup_printf ("head %d", ui_head_set_first (heads, n_heads));
  if (n == n_heads)
    return g_strdup_printf ("all %d heads", n);

  text = g_string_new ("heads ");
  for (int head = 0; head < n_heads; head++) {
    if (!ui_head_set_has (heads, head))
      continue;
    g_string_append_printf (text, "%s%d", before == 0 ? "" : before == n - 1 ? " and " : ", ",
                            head);
    before++;
  }
  return g_string_free (text, FALSE);
}

char *
ui_describe_heads (const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;
  int n_heads = eng_trace_get_n_heads (scene->trace, scene->kind);
  g_autofree char *heads = NULL;

  if (weights->block.measure == ENG_MEASURE_ROLLOUT)
    return g_strdup ("rollout");
  /* The neuron view shows the first of those that are chosen. */
  if (!weights->block.is_aggregate && weights->n_heads == 1)
    return g_strdup_printf ("head %d", weights->heads[0]);
  heads = list_heads (&scene->document->heads, n_heads);
  /* A difference stands for the heads of its sides, and those may be one. */
  if (!weights->block.is_aggregate || ui_head_set_count (&scene->document->heads, n_heads) == 1)
    return g_steal_pointer (&heads);
  return g_strdup_printf ("%s of %s", aggregate_names[weights->block.heads], heads);
}

/* "of layer 2", ", each its mean over all 6 layers", "up to layer 4" */
static char *
describe_where (const UiScene *scene,
                gboolean       of_several)
{
  g_autofree char *layer = ui_describe_layer (scene);

  if (scene->weights.block.measure == ENG_MEASURE_ROLLOUT)
    return g_strdup_printf (" up to %s", layer);
  if (scene->weights.block.layers == UI_AGGREGATE_EACH)
    return g_strdup_printf (" of %s", layer);
  return g_strdup_printf (of_several ? ", each its %s" : ", %s", layer);
}

char *
ui_describe_scope (const UiScene *scene,
                   gboolean       mean)
{
  const UiWeights *weights = &scene->weights;
  gboolean is_several = weights->n_heads > 1;
  g_autofree char *heads = ui_describe_heads (scene);
  g_autofree char *where = describe_where (scene, is_several || weights->block.is_aggregate);

  return g_strconcat (mean && is_several ? "mean of " : "", heads, where, NULL);
}

char *
ui_describe_one_head (const UiScene *scene,
                      int            head)
{
  g_autofree char *heads = NULL;
  g_autofree char *where = NULL;

  if (scene->weights.block.is_aggregate)
    return ui_describe_scope (scene, FALSE);
  where = describe_where (scene, FALSE);
  return g_strdup_printf ("head %d%s", head, where);
}

char *
ui_describe_lane (const UiWeights *weights,
                  int              head)
{
  if (weights->block.measure == ENG_MEASURE_ROLLOUT)
    return g_strdup ("rollout");
  if (weights->block.is_aggregate)
    return g_strdup (aggregate_names[weights->block.heads]);
  return g_strdup_printf ("%d", head);
}

gboolean
ui_describe_has_words (const UiWeights *weights)
{
  return weights->block.query_rows != NULL || weights->block.key_columns != NULL;
}

char *
ui_describe_part (double part)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, part < 0.1 ? "%.2g" : "%.3g", 100 * part);
  return g_strdup_printf ("%s %%", number);
}

char *
ui_describe_column (const UiScene *scene)
{
  return g_strconcat (ui_describe_measure (&scene->weights),
                      scene->weights.row_scale != NULL ? " (rows renormalised)" : "", NULL);
}

char *
ui_describe_values (const UiScene *scene,
                    gboolean       mean)
{
  g_autofree char *column = ui_describe_column (scene);
  g_autofree char *scope = NULL;

  if (scene->weights.block.measure == ENG_MEASURE_ROLLOUT) {
    scope = describe_where (scene, FALSE);
    return g_strconcat (column, scope, NULL);
  }
  scope = ui_describe_scope (scene, mean);
  return g_strconcat (column, ", ", scope, NULL);
}

/* where: what a rollout reaches up to, with a space before it, or nothing. */
static void
append_formula (EngMeasure  measure,
                const char *where,
                GString    *text)
{
  switch (measure) {
  case ENG_MEASURE_VALUE_NORM:
    g_string_append (text, " Weight × ‖v‖: the weight times the length of the value that is read.");
    break;
  case ENG_MEASURE_OUTPUT_NORM:
    g_string_append (text, " ‖α v W_O‖: the weight times the length of the value behind the output"
                           " projection.");
    break;
  case ENG_MEASURE_ROLLOUT:
    g_string_append_printf (text, " Rollout%s: R = (½ mean over heads + ½ I) · R of the layer"
                                  " below.", where);
    break;
  case ENG_MEASURE_WEIGHT:
  default:
    break;
  }
}

static void
append_aggregates (const UiScene *scene,
                   GString       *text)
{
  const UiBlock *block = &scene->weights.block;
  g_autofree char *scope = NULL;

  if (block->measure == ENG_MEASURE_ROLLOUT
      || (!block->is_aggregate && block->layers == UI_AGGREGATE_EACH))
    return;
  scope = ui_describe_scope (scene, FALSE);
  *scope = g_ascii_toupper (*scope);
  g_string_append_printf (text, " %s.", scope);
}

static void
append_words (const UiScene *scene,
              GString       *text)
{
  if (ui_describe_has_words (&scene->weights))
    g_string_append (text, " Pieces of a word are put together: their sum where they are read,"
                           " their mean where they read.");
}

void
ui_describe_append_measure (const UiScene *scene,
                            GString       *text)
{
  g_autofree char *where = describe_where (scene, FALSE);

  append_formula (scene->weights.block.measure, where, text);
  append_aggregates (scene, text);
  append_words (scene, text);
}

void
ui_describe_append_formula (const UiScene *scene,
                            GString       *text)
{
  append_formula (scene->weights.block.measure, "", text);
  append_words (scene, text);
}

/* With so many decimals that it is not 1. */
static char *
format_sum (double sum)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer,
                                    fabs (sum - 1) < 0.005 && fabs (sum - 1) >= 0.0005 ? "%.3f"
                                                                                       : "%.2f",
                                    sum));
}

void
ui_describe_append_sums (const UiRowSums *sums,
                         GString         *text)
{
  g_autofree char *least = NULL;
  g_autofree char *most = NULL;

  if (ui_row_sums_are_one (sums))
    return;
  least = format_sum (sums->least);
  most = format_sum (sums->most);
  if (g_str_equal (least, most))
    g_string_append_printf (text, " Rows sum to %s, not to 1", least);
  else
    g_string_append_printf (text, " Rows sum to %s–%s, not to 1", least, most);
  g_string_append (text, sums->is_part
                         ? ": some tokens are read several times, and one reading is shown." : ".");
}

void
ui_describe_append_row_sums (const UiScene *scene,
                             GString       *text)
{
  UiRowSums sums;

  ui_row_sums_init (&sums);
  ui_row_sums_add (&sums, &scene->weights);
  ui_describe_append_sums (&sums, text);
}

void
ui_describe_append_opacity (const UiScene *scene,
                            GString       *text)
{
  const UiWeights *weights = &scene->weights;
  char gain[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (gain, sizeof gain, "%.3g", weights->gain);
  if (weights->row_scale != NULL && is_norm (weights->block.measure)) {
    g_string_append_printf (text, " Opacity = part of the row × %s, at most 1", gain);
  } else if (is_norm (weights->block.measure)) {
    g_autofree char *largest = ui_describe_value (weights, weights->block.unit);

    g_string_append_printf (text, " Opacity = %s ÷ %s (the largest%s) × %s, at most 1",
                            ui_describe_measure (weights), largest,
                            weights->block.layers == UI_AGGREGATE_EACH ? " of the layer" : "",
                            gain);
  } else {
    g_string_append_printf (text, " Opacity = %s × %s, at most 1", ui_describe_measure (weights),
                            gain);
  }
}

static const char *
get_filter_words (UiFilter filter)
{
  switch (filter) {
  case UI_FILTER_AA:
    return " Only A→A: what A reads of A.";
  case UI_FILTER_AB:
    return " Only A→B: what A reads of B.";
  case UI_FILTER_BA:
    return " Only B→A: what B reads of A.";
  case UI_FILTER_BB:
    return " Only B→B: what B reads of B.";
  case UI_FILTER_ALL:
  default:
    return "";
  }
}

static const char *
get_renormalised_words (const UiDocument *document)
{
  if (!document->hide_special)
    return " after the filter.";
  return document->filter == UI_FILTER_ALL ? " without the special tokens."
                                           : " after the filter, without the special tokens.";
}

void
ui_describe_append_threshold (const UiScene *scene,
                              const char    *links,
                              GString       *text)
{
  const UiWeights *weights = &scene->weights;
  g_autofree char *threshold = ui_describe_value (weights, weights->threshold);
  g_autofree char *part = ui_describe_part (scene->document->threshold);

  if (weights->threshold > 0 && weights->block.unit != 1)
    g_string_append_printf (text, " %s under %s of the largest are not drawn.", links, part);
  else if (weights->threshold > 0)
    g_string_append_printf (text, " %s under %s are not drawn.", links, threshold);
}

void
ui_describe_append_left_out (const UiScene *scene,
                             const char    *links,
                             GString       *text)
{
  g_autofree char *mass = ui_describe_part (scene->document->mass);

  ui_describe_append_threshold (scene, links, text);
  if (scene->weights.row_floor != NULL)
    g_string_append_printf (text, " Of each row only the strongest are drawn that together have %s"
                                  " of it.", mass);
  ui_describe_append_filter (scene, text);
}

void
ui_describe_append_filter (const UiScene *scene,
                           GString       *text)
{
  const UiWeights *weights = &scene->weights;
  const UiDocument *document = scene->document;

  g_string_append (text, get_filter_words (document->filter));
  if (document->hide_special)
    g_string_append (text, " Special tokens are hidden.");
  if (weights->row_scale != NULL)
    g_string_append_printf (text, " Rows renormalised: each %s is brought back to 1%s",
                            weights->block.is_aggregate ? "row" : "head's row",
                            get_renormalised_words (document));
  else if ((document->filter != UI_FILTER_ALL || document->hide_special)
           && !is_norm (weights->block.measure))
    g_string_append (text, " Weights as they are, so a row need not sum to 1.");
}
