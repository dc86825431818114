/* SPDX-License-Identifier: MIT */
#include "ui/controls/check-block.h"

#include <math.h>

#include "engine/trace/check.h"
#include "engine/trace/measures.h"
#include "ui/controls/bar-row.h"
#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/scene/base/edit-words.h"
#include "ui/view/scene-facts.h"

#define N_DIMENSIONS 7
/* A scale this close to 1 / √d is written so. */
#define SCALE_TOLERANCE 1e-6

struct _UiCheckBlock {
  GtkWidget  parent_instance;

  GtkWidget *cell;       /* which cell, in words */
  GtkWidget *product;
  GtkWidget *score;
  GtkWidget *weight;
  GtkWidget *verdict;
  GtkWidget *output;     /* what the key adds to the head's output, and the output */
  GtkWidget *dimensions; /* box of heading, rows and rest */
  GtkWidget *rows[N_DIMENSIONS];
  GtkWidget *rest;       /* UiBarRow without a bar: what the other dimensions add up to */
};

/* One dimension's part of q·k. */
typedef struct {
  int    dimension;
  double query;
  double key;
  double product;
} Contribution;

G_DEFINE_FINAL_TYPE (UiCheckBlock, ui_check_block, GTK_TYPE_WIDGET)

static GtkWidget *
append_label (GtkWidget  *parent,
              const char *css_class)
{
  GtkWidget *label = ui_steady_label_new (css_class);

  gtk_widget_set_parent (label, parent);
  return label;
}

static void
take_text (GtkWidget *label,
           char      *text)
{
  ui_steady_label_take_text (UI_STEADY_LABEL (label), text);
}

static void
set_verdict (UiCheckBlock *self,
             const char   *css_class,
             char         *text)
{
  gtk_widget_remove_css_class (self->verdict, "success");
  gtk_widget_remove_css_class (self->verdict, "error");
  if (css_class != NULL)
    gtk_widget_add_css_class (self->verdict, css_class);
  take_text (self->verdict, text);
}

/* " +0.123 query to position −0.456 position to key", " +0.123 position bias", "": what is added to
 * the scaled product. *n_terms (out): of a score that positions have terms in, else 1. */
static char *
dup_biases (const UiSceneFacts *facts,
            const EngCheck     *check,
            double              bias,
            int                *n_terms)
{
  const struct {
    gboolean  (*get) (const EngTrace *, EngKind, int, int, EngMatrix *);
    double      number;
    const char *name;
  } biases[] = {
    { eng_trace_get_content_position, check->content_position, "query to position" },
    { eng_trace_get_position_content, check->position_content, "position to key" },
    { eng_trace_get_position_bias, bias, "position bias" },
  };
  const int last = G_N_ELEMENTS (biases) - 1;
  GString *text = g_string_new (NULL);

  *n_terms = 1;
  for (int i = 0; i <= last && (i < last || *n_terms == 1); i++) {
    g_autofree char *number = ui_words_number ("%+.3f", biases[i].number);
    EngMatrix term;

    if (!biases[i].get (facts->trace, facts->kind, facts->layer, facts->head, &term))
      continue;
    g_string_append_printf (text, " %s %s", number, biases[i].name);
    *n_terms += i < last;
  }

  return g_string_free (text, FALSE);
}

/* ÷ √32, or the factor itself where a model scales otherwise; what caps it stands behind it, then
 * the position bias that is added. */
static char *
describe_scaling (const UiSceneFacts *facts,
                  const EngCheck     *check)
{
  double temperature;
  const double scale = eng_check_get_scale (facts->trace, facts->kind, facts->layer, facts->head,
                                            &temperature);
  const double cap = eng_trace_get_soft_cap (facts->trace, facts->kind, facts->layer);
  const double scaled = scale * check->product;
  const double bias = check->score
                      - (cap != 0 ? cap * tanh (scaled / cap) : scaled) / temperature;
  int n_terms = 1;
  g_autofree char *cap_number = ui_words_number ("%.4g", cap);
  g_autofree char *cap_text = cap != 0 ? g_strdup_printf (", ± %s at most", cap_number)
                                       : g_strdup ("");
  g_autofree char *factor = NULL;
  g_autofree char *divisor = NULL;
  g_autofree char *score = ui_words_number ("%+.3f", check->score);
  g_autofree char *bias_text = dup_biases (facts, check, bias, &n_terms);
  EngMatrix queries;

  if (eng_trace_get_queries (facts->trace, facts->kind, facts->layer, facts->head, &queries) &&
      fabs (scale * sqrt (queries.cols * n_terms) - 1) < SCALE_TOLERANCE)
    factor = g_strdup_printf ("÷ √%d", queries.cols * n_terms);
  else {
    g_autofree char *number = ui_words_number ("%.4g", scale);

    factor = g_strdup_printf ("× %s", number);
  }
  if (temperature != 1) {
    g_autofree char *number = ui_words_number ("%.4g", temperature);

    divisor = g_strdup_printf (" ÷ %s", number);
  }

  return g_strdup_printf ("%s%s%s%s = %s", factor, cap_text, divisor != NULL ? divisor : "",
                          bias_text, score);
}

static void
show_agreement (UiCheckBlock   *self,
                const EngCheck *check,
                gboolean        agrees)
{
  g_autofree char *stored = ui_words_number ("%.4f", check->stored);
  g_autofree char *difference = ui_words_number ("%.1g", fabs (check->stored - check->recomputed));

  set_verdict (self, agrees ? "success" : "error",
               g_strdup_printf (agrees ? "The model says %s\n✓ difference %s"
                                       : "The model says %s\n✗ differs by %s from what its queries "
                                         "and keys give",
                                stored, difference));
}

static void
show_numbers (UiCheckBlock       *self,
              const UiSceneFacts *facts,
              EngCheckResult      result,
              const EngCheck     *check)
{
  g_autofree char *product = ui_words_number ("%+.3f", check->product);
  g_autofree char *score = ui_words_number ("%.3f", check->score);
  g_autofree char *recomputed = ui_words_number ("%.4f", check->recomputed);
  const gboolean computed = result != ENG_CHECK_IMPOSSIBLE;

  gtk_widget_set_visible (self->product, computed);
  gtk_widget_set_visible (self->score, computed && !check->masked);
  gtk_widget_set_visible (self->weight, computed);
  if (!computed)
    return;

  take_text (self->product, g_strdup_printf ("q · k = %s", product));
  take_text (self->score, describe_scaling (facts, check));
  if (check->masked)
    take_text (self->weight, g_strdup ("masked: weight 0"));
  else
    take_text (self->weight, g_strdup_printf ("e^%s ÷ Σ = %s", score, recomputed));
}

static void
show_check (UiCheckBlock       *self,
            const UiSceneFacts *facts,
            int                 query,
            int                 key)
{
  EngCheck check = { 0 };
  const EngCheckResult result =
    eng_check_cell (facts->trace, facts->kind, facts->layer, facts->head, query, key, &check);

  show_numbers (self, facts, result, &check);
  switch (result) {
  case ENG_CHECK_AGREES:
  case ENG_CHECK_DIFFERS:
    show_agreement (self, &check, result == ENG_CHECK_AGREES);
    break;
  case ENG_CHECK_IMPOSSIBLE:
    set_verdict (self, NULL,
                 g_strdup ("This trace holds no queries and keys, so nothing can be recomputed"));
    break;
  }
}

static double
get_norm (const double *vector,
          int           n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += vector[i] * vector[i];

  return sqrt (sum);
}

static double
get_row_norm (const EngMatrix *matrix,
              int              row)
{
  const float *elements = matrix->data + (gsize) row * matrix->stride;
  double sum = 0;

  for (int i = 0; i < matrix->cols; i++)
    sum += (double) elements[i] * elements[i];

  return sqrt (sum);
}

/* From the weight on. Nothing else in a trace shows the output of one head, so there is nothing to
 * hold it to: it is said where it comes from. */
static void
show_output (UiCheckBlock       *self,
             const UiScene      *scene,
             const UiSceneFacts *facts,
             int                 query,
             int                 key)
{
  const UiWeights *weights = ui_scene_get_weights (scene);
  g_autofree double *output = NULL;
  g_autofree char *value_text = NULL;
  g_autofree char *part_text = NULL;
  g_autofree char *output_text = NULL;
  g_autofree char *factor_text = NULL; /* of an edit */
  EngMatrix values;
  const gboolean has_values =
    eng_trace_get_values (facts->trace, facts->kind, facts->layer, facts->head, &values);
  const double factor = ui_edit_get_factor (facts->trace, facts->kind, facts->layer, facts->head);
  double norm;

  gtk_widget_set_visible (self->output, has_values);
  if (!has_values)
    return;

  norm = get_row_norm (&values, key);
  output = eng_measures_dup_head_output (weights->attention, &values, facts->head, query);
  value_text = ui_words_number ("%.3f", norm);
  part_text = ui_words_number ("%.4f",
                               norm * ui_weights_get (weights, facts->head, query, key));
  output_text = ui_words_number ("%.4f", fabs (factor) * get_norm (output, values.cols));
  if (factor != 1) {
    g_autofree char *number = ui_words_number ("%.4g", factor);

    factor_text = g_strconcat (number, " × ", NULL);
  }
  take_text (self->output,
             g_strdup_printf ("× ‖v‖ %s = %s\n‖%sΣ softmax × v‖ = %s, from weights and values",
                              value_text, part_text, factor_text != NULL ? factor_text : "",
                              output_text));
}

static int
compare_contributions (gconstpointer a,
                       gconstpointer b)
{
  const double x = fabs (((const Contribution *) a)->product);
  const double y = fabs (((const Contribution *) b)->product);

  return (x < y) - (x > y);
}

/* Parts of q·k, largest magnitude first; NULL where the trace has no queries and keys. */
static GArray *
list_contributions (const UiSceneFacts *facts,
                    int                 query,
                    int                 key)
{
  EngMatrix queries, keys;
  GArray *parts;

  if (!eng_trace_get_queries (facts->trace, facts->kind, facts->layer, facts->head, &queries) ||
      !eng_trace_get_keys (facts->trace, facts->kind, facts->layer, facts->head, &keys))
    return NULL;

  parts = g_array_sized_new (FALSE, FALSE, sizeof (Contribution), (guint) queries.cols);
  for (int i = 0; i < queries.cols; i++) {
    const double q = queries.data[query * queries.stride + i];
    const double k = keys.data[key * keys.stride + i];
    const Contribution part = { i, q, k, q * k };

    g_array_append_val (parts, part);
  }
  g_array_sort (parts, compare_contributions);

  return parts;
}

static void
set_row (UiBarRow           *row,
         const Contribution *part,
         double              low,
         double              high,
         UiTheme             theme)
{
  const UiPalette *palette = ui_palette_get (theme);
  const UiBarPart bar = {
    part->product,
    part->product < 0 ? palette->negative : palette->positive,
  };
  g_autofree char *name = g_strdup_printf ("dim %d", part->dimension);
  g_autofree char *number = ui_words_number ("%+.2f", part->product);
  g_autofree char *q = ui_words_number ("%.3f", part->query);
  g_autofree char *k = ui_words_number ("%.3f", part->key);
  g_autofree char *sentence =
    g_strdup_printf ("Dimension %d: q %s × k %s = %s", part->dimension, q, k, number);

  ui_bar_row_set (row, name, number, sentence);
  ui_bar_row_set_parts (row, &bar, 1, low, high);
}

/* What the rows leave out. */
static void
set_rest (UiBarRow *row,
          GArray   *parts)
{
  const guint n = parts->len - MIN (parts->len, N_DIMENSIONS);
  g_autofree char *name = g_strdup_printf ("%u others", n);
  g_autofree char *number = NULL;
  g_autofree char *sentence = NULL;
  double sum = 0;

  for (guint i = N_DIMENSIONS; i < parts->len; i++)
    sum += g_array_index (parts, Contribution, i).product;
  number = ui_words_number ("%+.2f", sum);
  sentence = g_strdup_printf ("The other %u dimensions together: %s", n, number);
  ui_bar_row_set (row, name, number, sentence);
  gtk_widget_set_visible (GTK_WIDGET (row), n > 0);
}

static void
show_dimensions (UiCheckBlock       *self,
                 const UiSceneFacts *facts,
                 int                 query,
                 int                 key,
                 UiTheme             theme)
{
  g_autoptr (GArray) parts = list_contributions (facts, query, key);
  double low = 0;
  double high = 0;

  gtk_widget_set_visible (self->dimensions, parts != NULL && parts->len > 0);
  if (parts == NULL || parts->len == 0)
    return;

  for (guint i = 0; i < MIN (parts->len, N_DIMENSIONS); i++) {
    low = MIN (low, g_array_index (parts, Contribution, i).product);
    high = MAX (high, g_array_index (parts, Contribution, i).product);
  }
  for (guint i = 0; i < N_DIMENSIONS; i++) {
    gtk_widget_set_visible (self->rows[i], i < parts->len);
    if (i < parts->len)
      set_row (UI_BAR_ROW (self->rows[i]), &g_array_index (parts, Contribution, i), low, high,
               theme);
  }
  set_rest (UI_BAR_ROW (self->rest), parts);
}

static void
ui_check_block_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ui_check_block_parent_class)->dispose (object);
}

static void
ui_check_block_class_init (UiCheckBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_check_block_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "checkblock");
}

static void
build_dimensions (UiCheckBlock *self)
{
  GtkWidget *heading = gtk_label_new ("Dimensions that decide, q × k");

  self->dimensions = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_margin_top (self->dimensions, 12);
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "dim-label");
  gtk_box_append (GTK_BOX (self->dimensions), heading);
  for (int i = 0; i < N_DIMENSIONS; i++) {
    self->rows[i] = ui_bar_row_new ();
    gtk_box_append (GTK_BOX (self->dimensions), self->rows[i]);
  }
  self->rest = ui_bar_row_new ();
  gtk_box_append (GTK_BOX (self->dimensions), self->rest);
}

static void
ui_check_block_init (UiCheckBlock *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (widget);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 3);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Check",
                                  -1);

  take_text (append_label (widget, "heading"), g_strdup ("Check"));
  self->cell = append_label (widget, "dim-label");
  self->product = append_label (widget, NULL);
  self->score = append_label (widget, NULL);
  self->weight = append_label (widget, "heading");
  self->verdict = append_label (widget, NULL);
  self->output = append_label (widget, "dim-label");
  build_dimensions (self);
  gtk_widget_set_parent (self->dimensions, widget);
}

GtkWidget *
ui_check_block_new (void)
{
  return g_object_new (UI_TYPE_CHECK_BLOCK, NULL);
}

void
ui_check_block_set (UiCheckBlock  *self,
                    const UiScene *scene,
                    int            query,
                    int            key,
                    UiTheme        theme)
{
  UiSceneFacts facts;

  g_return_if_fail (UI_IS_CHECK_BLOCK (self));

  ui_scene_facts_init (&facts, scene);
  take_text (self->cell, ui_describe_link (scene, facts.head, query, key));
  show_check (self, &facts, query, key);
  show_output (self, scene, &facts, query, key);
  show_dimensions (self, &facts, query, key, theme);
}
