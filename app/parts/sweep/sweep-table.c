/* SPDX-License-Identifier: MIT */
#include "app/parts/sweep/sweep-private.h"

#include <math.h>

#include "ui/controls/table-row.h"
#include "ui/controls/words.h"
#include "ui/document/bidi.h"
#include "ui/lists/sweep-grid.h"
#include "ui/scene/base/describe.h"

/* To make, style and lay out a row of six cells takes GTK more than a millisecond. */
#define ROWS_AT_ONCE 20

/* Words. */

const char *
app_sweep_get_task_words (EngTask task)
{
  switch (task) {
  case ENG_TASK_FILL_MASK:
    return "Masked words";
  case ENG_TASK_LANGUAGE_MODEL:
    return "Next token";
  case ENG_TASK_NEXT_SENTENCE:
    return "Sentence pair";
  case ENG_TASK_SENTENCE_ORDER:
    return "Sentence order";
  case ENG_TASK_TEXT_CLASSIFICATION:
    return "Text classification";
  case ENG_TASK_ENTITIES:
  case ENG_TASK_REPLACED_TOKENS:
  case ENG_TASK_QUESTION_ANSWERING:
  default:
    return eng_task_get_name (task);
  }
}

static char *
describe_change (AppSweep *self,
                 double    change)
{
  g_autofree char *number = ui_words_number ("%.3g", change);

  return app_ablation_predicts (self->ablation)
         ? g_strdup_printf ("KL %s bits", number)
         : g_strdup_printf ("the last hidden states move by %s of their length", number);
}

/* The answer of a task head, which may be a word of the text. */
static char *
dup_quoted_class (AppSweep *self,
                  int       id)
{
  g_autofree char *name = app_ablation_dup_class (self->ablation, id);

  return ui_bidi_quote (name);
}

/* "Head 9 of layer 2 zeroed: KL 0.12 bits; “mat” −0.12, from 0.41 to 0.29; best then “rug”" */
char *
app_sweep_describe_head (int      layer,
                         int      head,
                         gpointer data)
{
  AppSweep *self = data;
  EngSweepChange change;
  GString *text = g_string_new (NULL);
  g_autofree char *amount = NULL;
  g_autofree char *difference = NULL;
  g_autofree char *best = NULL;
  double before;
  int id;

  g_string_append_printf (text, "Head %d of layer %d", head, layer);
  if (!app_ablation_get (self->ablation, layer, head, &change)) {
    g_string_append (text, ": not reached yet");
    return g_string_free (text, FALSE);
  }
  amount = describe_change (self, change.change);
  g_string_append_printf (text, " %s: %s",
                          app_ablation_get_type (self->ablation) == ENG_EDIT_UNIFORM_ROWS
                          ? "uniform" : "zeroed", amount);
  if (!app_ablation_predicts (self->ablation))
    return g_string_free (text, FALSE);

  difference = ui_words_number ("%+.3f", change.probability_change);
  best = dup_quoted_class (self, change.best);
  if (app_ablation_get_base (self->ablation, &id, &before)) {
    g_autofree char *name = dup_quoted_class (self, id);
    g_autofree char *from = ui_describe_weight (before);
    g_autofree char *to = ui_describe_weight (MAX (0, before + change.probability_change));

    g_string_append_printf (text, "; %s from %s to %s, %s", name, from, to, difference);
  } else
    g_string_append_printf (text, "; probability of the best %s", difference);
  g_string_append_printf (text, "; best then %s", best);

  return g_string_free (text, FALSE);
}

/* Whether the change of the probability is coloured, which has a sign. */
static gboolean
is_signed (AppSweep *self)
{
  return app_ablation_predicts (self->ablation)
         && gtk_drop_down_get_selected (GTK_DROP_DOWN (self->color_choice)) == 1;
}

static void
update_caption (AppSweep *self)
{
  const int n_layers = app_ablation_get_n_layers (self->ablation);
  const int n_heads = app_ablation_get_n_heads (self->ablation);
  GString *text = g_string_new (NULL);
  double before;
  int id;

  g_string_append_printf (text, "%d layers × %d heads. ", n_layers, n_heads);
  if (!app_ablation_predicts (self->ablation))
    g_string_append (text, "Colour: ‖Δh‖ / ‖h‖ of the last hidden states, all tokens together.");
  else if (!is_signed (self))
    g_string_append (text, "Colour: KL (before ‖ after) in bits.");
  else
    g_string_append (text, "Colour: change of the probability of what is best without it.");
  if (app_ablation_get_base (self->ablation, &id, &before)) {
    g_autofree char *name = dup_quoted_class (self, id);
    g_autofree char *number = ui_describe_weight (before);

    g_string_append_printf (text, " Before: %s %s.", name, number);
  }
  gtk_label_set_label (GTK_LABEL (self->caption), text->str);
  g_string_free (text, TRUE);
}

/* The grid and the table. */

static void
update_columns (AppSweep *self)
{
  const gboolean predicts = app_ablation_predicts (self->ablation);
  double before;
  int id;
  const gboolean has_base = app_ablation_get_base (self->ablation, &id, &before);

  gtk_column_view_column_set_title (self->columns[COLUMN_CHANGE],
                                    predicts ? "KL, bits" : "‖Δh‖ / ‖h‖");
  gtk_column_view_column_set_visible (self->columns[COLUMN_BEFORE], has_base);
  gtk_column_view_column_set_visible (self->columns[COLUMN_AFTER], has_base);
  gtk_column_view_column_set_visible (self->columns[COLUMN_DIFFERENCE], predicts);
  gtk_column_view_column_set_visible (self->columns[COLUMN_BEST], predicts);
}

void
app_sweep_update_grid (AppSweep *self)
{
  const int n_layers = app_ablation_get_n_layers (self->ablation);
  const int n_heads = app_ablation_get_n_heads (self->ablation);
  const gboolean has_sign = is_signed (self);
  g_autofree double *values = g_new (double, (gsize) n_layers * (gsize) n_heads);

  for (int cell = 0; cell < n_layers * n_heads; cell++) {
    EngSweepChange change;

    values[cell] = NAN;
    if (app_ablation_get (self->ablation, cell / n_heads, cell % n_heads, &change))
      values[cell] = has_sign ? change.probability_change : change.change;
  }
  ui_sweep_grid_set (UI_SWEEP_GRID (self->grid), n_layers, n_heads, values, has_sign);
  gtk_widget_set_sensitive (self->color_choice, app_ablation_predicts (self->ablation));
  update_caption (self);
  update_columns (self);
}

static EngSweepChange
get_change (AppSweep *self,
            int       cell)
{
  const int n_heads = app_ablation_get_n_heads (self->ablation);
  EngSweepChange change = { 0 };

  app_ablation_get (self->ablation, cell / n_heads, cell % n_heads, &change);
  return change;
}

static int
compare_cells (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const double first = get_change (data, *(const int *) a).change;
  const double second = get_change (data, *(const int *) b).change;

  return (first < second) - (first > second);
}

/* The heads that are done, the largest change first; array of cells. */
static GArray *
sort_cells (AppSweep *self)
{
  const int n_heads = app_ablation_get_n_heads (self->ablation);
  const int n = app_ablation_get_n_layers (self->ablation) * n_heads;
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (int));
  EngSweepChange change;

  for (int cell = 0; cell < n; cell++)
    if (app_ablation_get (self->ablation, cell / n_heads, cell % n_heads, &change))
      g_array_append_val (cells, cell);
  g_array_sort_with_data (cells, compare_cells, self);
  return cells;
}

static gboolean
fill_some_rows_cb (gpointer data)
{
  AppSweep *self = data;
  const guint before = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  const guint end = MIN (self->cells->len, self->n_filled + ROWS_AT_ONCE);
  const guint n_former = MIN (before, end) - MIN (before, self->n_filled);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = self->n_filled; i < end; i++)
    g_ptr_array_add (rows, ui_table_row_new (g_array_index (self->cells, int, i)));
  if (rows->len > 0)
    g_list_store_splice (self->rows, self->n_filled, n_former, rows->pdata, rows->len);
  else if (!ui_table_rows_step (self->rows, self->cells->len, ROWS_AT_ONCE)) {
    self->rows_source = 0;
    return G_SOURCE_REMOVE;
  }
  self->n_filled = end;
  return G_SOURCE_CONTINUE;
}

/* Takes cells over. */
static void
take_cells (AppSweep *self,
            GArray   *cells)
{
  g_clear_handle_id (&self->rows_source, g_source_remove);
  g_clear_pointer (&self->cells, g_array_unref);
  self->cells = cells;
  self->n_filled = 0;
  if (fill_some_rows_cb (self) == G_SOURCE_CONTINUE)
    self->rows_source = g_idle_add (fill_some_rows_cb, self);
}

void
app_sweep_empty_table (AppSweep *self)
{
  take_cells (self, g_array_new (FALSE, FALSE, sizeof (int)));
}

void
app_sweep_fill_table (AppSweep *self)
{
  take_cells (self, sort_cells (self));
}

static char *
describe_cell (AppSweep       *self,
               AppSweepColumn  column,
               int             cell)
{
  const int n_heads = app_ablation_get_n_heads (self->ablation);
  const EngSweepChange change = get_change (self, cell);
  double before = 0;
  int id;

  app_ablation_get_base (self->ablation, &id, &before);
  switch (column) {
  case COLUMN_HEAD:
    return g_strdup_printf ("%d.%d", cell / n_heads, cell % n_heads);
  case COLUMN_CHANGE:
    /* Rows stand in the order of these: no two look alike for being small. */
    return ui_words_number (change.change > 0 && change.change < 0.001 ? "%.1e" : "%.4f",
                            change.change);
  case COLUMN_BEFORE:
    return ui_words_number ("%.4f", before);
  case COLUMN_AFTER:
    return ui_words_number ("%.4f", MAX (0, before + change.probability_change));
  case COLUMN_DIFFERENCE:
    return ui_words_number ("%+.4f", change.probability_change);
  case COLUMN_BEST:
  case N_COLUMNS:
  default:
    return change.best >= 0 ? app_ablation_dup_class (self->ablation, change.best) : g_strdup ("");
  }
}

void
app_sweep_setup_cell (GtkListItemFactory *factory,
                      GtkListItem        *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  const int column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "column"));

  gtk_label_set_xalign (GTK_LABEL (label), column == COLUMN_BEST || column == COLUMN_HEAD ? 0 : 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

void
app_sweep_bind_cell (AppSweep           *self,
                     GtkListItem        *item,
                     GtkListItemFactory *factory)
{
  const int column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "column"));
  UiTableRow *row = gtk_list_item_get_item (item);
  g_autofree char *text =
    describe_cell (self, (AppSweepColumn) column, ui_table_row_get_index (row));

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), text);
}
