/* SPDX-License-Identifier: MIT */
#include "ui/lists/token-table.h"

#include "engine/trace/check.h"
#include "engine/trace/measure.h"
#include "ui/controls/table-row.h"
#include "ui/controls/words.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/numbers/weights.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/view/scene-facts.h"

/* To make, style and lay out a cell takes GTK some 0.2 ms. */
#define CELLS_AT_ONCE 160

typedef enum {
  COLUMN_TOKEN,
  COLUMN_SENTENCE,
  COLUMN_PRODUCT, /* q·k, neuron view with a pinned query */
  COLUMN_SCORE,   /* what goes into the softmax */
  COLUMN_MEAN,    /* over the heads shown */
  COLUMN_HEAD     /* and one more for every further head */
} ColumnKind;

struct _UiTokenTable {
  GtkWidget     parent_instance;

  UiScene      *scene;
  UiSceneFacts  facts;     /* of the scene */
  const UiWeights *weights; /* the scene's; set while there is a scene */
  gboolean      lists_keys; /* rows are keys that a pinned query reads, else queries */
  gboolean      is_pinned;

  GtkWidget    *box;
  GtkWidget    *caption;
  GtkWidget    *view;      /* GtkColumnView */
  GListStore   *rows;      /* UiTableRow */
  GPtrArray    *columns;   /* GtkColumnViewColumn, in the order of ColumnKind */
  guint         n_updated; /* rows that say what the scene has */
  guint         cells_source; /* that sees to the others; 0 = none */
};

enum { SIGNAL_CLICKED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiTokenTable, ui_token_table, GTK_TYPE_WIDGET)

static const EngTokens *
get_row_tokens (UiTokenTable *self)
{
  return self->lists_keys ? self->facts.keys : self->facts.queries;
}

/* Weight of a row without pins: what the query gives to one key, in a head or (head < 0) on
 * average. */
static double
get_weight (UiTokenTable *self,
            int           head,
            int           query,
            int           key)
{
  double sum = 0;

  if (head >= 0)
    return ui_weights_get (self->weights, head, query, key);

  for (int i = 0; i < self->weights->n_heads; i++)
    sum += ui_weights_get (self->weights, self->weights->heads[i], query, key);
  return sum / MAX (1, self->weights->n_heads);
}

/* "mat 6  0.39": the key that a query reads most. */
static char *
describe_strongest (UiTokenTable *self,
                    int           head,
                    int           query)
{
  g_autofree char *place = NULL;
  g_autofree char *weight = NULL;
  double best_weight = 0;
  int best = -1;

  for (int key = 0; key < self->facts.keys->n; key++) {
    const double value = get_weight (self, head, query, key);

    if (value > best_weight) {
      best_weight = value;
      best = key;
    }
  }
  if (best < 0)
    return g_strdup ("–");

  place = ui_words_place (self->facts.keys, best);
  weight = ui_describe_value (self->weights, best_weight);
  return g_strdup_printf ("%s  %s", place, weight);
}

/* Whether a mask keeps the token of a row from every pinned token. */
static gboolean
is_masked (UiTokenTable *self,
           int           row)
{
  const UiPins *pins = &self->facts.document->pins;
  const int *others = self->lists_keys ? pins->queries : pins->keys;
  const int n_others = self->lists_keys ? pins->n_queries : pins->n_keys;

  for (int i = 0; i < n_others; i++) {
    const int query = self->lists_keys ? others[i] : row;
    const int key = self->lists_keys ? row : others[i];

    if (!ui_mask_hides (self->weights->attention, query, key))
      return FALSE;
  }
  return n_others > 0;
}

static char *
describe_weight_cell (UiTokenTable *self,
                      int           head,
                      int           row)
{
  const UiPins *pins = &self->facts.document->pins;

  if (!self->is_pinned)
    return describe_strongest (self, head, row);
  if (is_masked (self, row))
    return g_strdup ("masked");

  return ui_describe_value (self->weights,
                            head >= 0
                            ? ui_weights_sum (self->weights, pins, head, self->lists_keys, row)
                            : ui_weights_mean (self->weights, pins, self->lists_keys, row));
}

/* q·k and score of a key under the pinned query. */
static char *
describe_score_cell (UiTokenTable *self,
                     gboolean      scaled,
                     int           key)
{
  EngCheck check = { 0 };
  const EngCheckResult result =
    eng_check_cell (self->facts.trace, self->facts.kind, self->facts.layer, self->facts.head,
                    self->facts.document->pins.queries[0], key, &check);

  if (result == ENG_CHECK_IMPOSSIBLE)
    return g_strdup ("–");
  if (scaled && check.masked)
    return g_strdup ("masked");

  return ui_words_number ("%+.3f", scaled ? check.score : check.product);
}

static gboolean
has_head (UiTokenTable *self,
          int           head)
{
  for (int i = 0; i < self->weights->n_heads; i++)
    if (self->weights->heads[i] == head)
      return TRUE;

  return FALSE;
}

static gboolean
is_wanted (UiTokenTable *self,
           int           column)
{
  const EngTokens *rows = get_row_tokens (self);

  switch (column) {
  case COLUMN_TOKEN:
    return TRUE;
  case COLUMN_SENTENCE:
    return eng_measure_has_pair (rows, rows);
  case COLUMN_PRODUCT:
  case COLUMN_SCORE:
    return ui_view_get (self->facts.document->view)->has_vectors && self->lists_keys;
  case COLUMN_MEAN:
    return self->weights->n_heads > 1;
  default:
    return has_head (self, column - COLUMN_HEAD);
  }
}

static char *
describe_cell (UiTokenTable *self,
               int           column,
               int           row)
{
  const EngTokens *tokens = get_row_tokens (self);

  if (ui_scene_holds_back (self->scene) && column >= COLUMN_PRODUCT)
    return g_strdup ("–");

  switch (column) {
  case COLUMN_TOKEN:
    return ui_words_place (tokens, row);
  case COLUMN_SENTENCE:
    return g_strdup (tokens->segments[row] != 0 ? "B" : "A");
  case COLUMN_PRODUCT:
  case COLUMN_SCORE:
    return describe_score_cell (self, column == COLUMN_SCORE, row);
  default:
    return describe_weight_cell (self, column == COLUMN_MEAN ? -1 : column - COLUMN_HEAD, row);
  }
}

static int
get_column (GtkListItemFactory *factory)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "column"));
}

static void
show_cell (UiTokenTable *self,
           GtkLabel     *label,
           int           column,
           int           row)
{
  g_autofree char *text = NULL;

  /* A row or a column may outlive the scene that it belonged to until the table has caught up. */
  if (self->scene != NULL && row < get_row_tokens (self)->n && is_wanted (self, column))
    text = describe_cell (self, column, row);
  gtk_label_set_text (label, text != NULL ? text : "");
}

static void
row_changed_cb (UiTableRow *row,
                GtkLabel   *label)
{
  GtkWidget *table = gtk_widget_get_ancestor (GTK_WIDGET (label), UI_TYPE_TOKEN_TABLE);
  const int column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (label), "column"));

  if (table != NULL)
    show_cell (UI_TOKEN_TABLE (table), label, column, ui_table_row_get_index (row));
}

static void
setup_cb (UiTokenTable       *self,
          GtkListItem        *item,
          GtkListItemFactory *factory)
{
  const int column = get_column (factory);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column >= COLUMN_PRODUCT ? 1 : 0);
  gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (label), "column", GINT_TO_POINTER (column));
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (UiTokenTable       *self,
         GtkListItem        *item,
         GtkListItemFactory *factory)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  UiTableRow *row = gtk_list_item_get_item (item);

  show_cell (self, GTK_LABEL (label), get_column (factory), ui_table_row_get_index (row));
  g_signal_connect_object (row, "changed", G_CALLBACK (row_changed_cb), label, 0);
}

static void
unbind_cb (UiTokenTable *self,
           GtkListItem  *item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item),
                                        row_changed_cb,
                                        gtk_list_item_get_child (item));
}

static void
add_column (UiTokenTable *self,
            const char   *title)
{
  const int index = (int) self->columns->len;
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column;

  g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER (index));
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, G_CONNECT_SWAPPED);

  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_visible (column, FALSE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
  g_ptr_array_add (self->columns, column);
}

/* "Head 3", or what stands for several: "Max" */
static void
name_head_column (UiTokenTable *self,
                  int           head)
{
  g_autofree char *lane = ui_describe_lane (self->weights, head);
  g_autofree char *title = self->weights->block.is_aggregate
                           ? g_strdup_printf ("%c%s", g_ascii_toupper (*lane), lane + 1)
                           : g_strdup_printf ("Head %s", lane);

  gtk_column_view_column_set_title (self->columns->pdata[COLUMN_HEAD + head], title);
}

/* GTK makes all cells of a column that is shown, and drops those of one that is hidden: in a table
 * of many rows some columns wait. Returns whether there are such. */
static gboolean
change_some_columns (UiTokenTable *self)
{
  const int n_rows = (int) g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  int n_left = MAX (1, CELLS_AT_ONCE / MAX (1, n_rows));

  if (self->scene == NULL)
    return FALSE;

  for (int i = 0; i < (int) self->columns->len; i++) {
    GtkColumnViewColumn *column = self->columns->pdata[i];

    if (is_wanted (self, i) == gtk_column_view_column_get_visible (column))
      continue;
    if (n_left-- == 0)
      return TRUE;
    gtk_column_view_column_set_visible (column, is_wanted (self, i));
  }
  return FALSE;
}

/* A column for each head, of which those of heads that are off are hidden. */
static void
update_columns (UiTokenTable *self)
{
  while ((int) self->columns->len < COLUMN_HEAD + self->weights->attention->n_heads)
    add_column (self, "");

  for (int i = 0; i < self->weights->n_heads; i++)
    name_head_column (self, self->weights->heads[i]);
}

static int
count_shown_columns (UiTokenTable *self)
{
  int n = 0;

  for (guint i = 0; i < self->columns->len; i++)
    n += gtk_column_view_column_get_visible (self->columns->pdata[i]);
  return n;
}

/* Rows that stay are told to write themselves anew: focus and scroll position stay, too. Others
 * come or go. Returns whether more are to. */
static gboolean
update_some_rows (UiTokenTable *self)
{
  const guint n = self->scene != NULL ? (guint) get_row_tokens (self)->n : 0;
  const guint before = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  const guint most = (guint) MAX (1, CELLS_AT_ONCE / MAX (1, count_shown_columns (self)));
  const guint end = MIN (n, self->n_updated + most);

  for (guint i = self->n_updated; i < MIN (before, end); i++) {
    g_autoptr (UiTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

    ui_table_row_changed (row);
  }
  if (before < end)
    ui_table_rows_step (self->rows, end, most);
  self->n_updated = end;
  return end < n || (before > n && ui_table_rows_step (self->rows, n, most));
}

static gboolean
update_cells_cb (gpointer data)
{
  UiTokenTable *self = data;

  if (change_some_columns (self) || update_some_rows (self))
    return G_SOURCE_CONTINUE;

  self->cells_source = 0;
  return G_SOURCE_REMOVE;
}

/* A row has a label for each head: hundreds at once would hold up a frame. The others follow when
 * there is nothing else to do. */
static void
update_cells (UiTokenTable *self)
{
  g_clear_handle_id (&self->cells_source, g_source_remove);
  self->n_updated = 0;
  if (update_cells_cb (self) == G_SOURCE_CONTINUE)
    self->cells_source = g_idle_add (update_cells_cb, self);
}

static void
update_caption (UiTokenTable *self)
{
  const UiPins *pins = &self->facts.document->pins;
  const char *noun = ui_describe_has_words (self->weights) ? "word" : "token";
  g_autofree char *values = ui_describe_values (self->scene, FALSE);
  g_autofree char *sum = self->lists_keys
    ? ui_describe_sum (self->facts.queries, pins->queries, pins->n_queries, "rows")
    : ui_describe_sum (self->facts.keys, pins->keys, pins->n_keys, "columns");
  g_autofree char *token = NULL;
  g_autofree char *text = NULL;

  if (sum != NULL) {
    *sum = g_ascii_toupper (*sum);
    text = g_strdup_printf ("%s: %s", sum, values);
  } else if (self->is_pinned && self->lists_keys) {
    token = ui_describe_token (self->facts.queries, pins->queries[0]);
    text = g_strdup_printf ("What %s reads: %s", token, values);
  } else if (self->is_pinned) {
    token = ui_describe_token (self->facts.keys, pins->keys[0]);
    text = g_strdup_printf ("Who reads %s: %s", token, values);
  } else
    text = g_strdup_printf ("The key that each %s reads most, with its %s", noun, values);
  if (ui_steps_is_what_if (self->scene)) {
    g_autofree char *whole = g_steal_pointer (&text);

    text = g_strdup_printf ("%s\nWithout What if, which is not fed forward.", whole);
  }

  gtk_label_set_text (GTK_LABEL (self->caption), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
}

static void
activate_cb (UiTokenTable *self,
             guint         position)
{
  const int row = (int) position;
  const UiItem item = self->lists_keys ? (UiItem) { .type = UI_ITEM_KEY, .key = row }
                                       : (UiItem) { .type = UI_ITEM_QUERY, .query = row };
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self)));
  GdkDevice *keyboard = seat != NULL ? gdk_seat_get_keyboard (seat) : NULL;
  const gboolean extend =
    keyboard != NULL && (gdk_device_get_modifier_state (keyboard) & GDK_SHIFT_MASK) != 0;

  if (self->scene != NULL && row < get_row_tokens (self)->n)
    g_signal_emit (self, signals[SIGNAL_CLICKED], 0, &item, extend);
}

static void
drop_scene (UiTokenTable *self)
{
  if (self->scene == NULL)
    return;

  self->weights = NULL;
  g_clear_pointer (&self->scene, ui_scene_unref);
}

static void
take_scene (UiTokenTable *self,
            UiScene      *scene)
{
  const UiPins *pins;

  self->scene = ui_scene_ref (scene);
  ui_scene_facts_init (&self->facts, scene);
  self->weights = ui_scene_get_weights (scene);
  pins = &self->facts.document->pins;
  self->is_pinned = !ui_pins_is_empty (pins);
  self->lists_keys = pins->n_queries > 0;
}

static void
ui_token_table_dispose (GObject *object)
{
  UiTokenTable *self = UI_TOKEN_TABLE (object);

  g_clear_handle_id (&self->cells_source, g_source_remove);
  drop_scene (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (ui_token_table_parent_class)->dispose (object);
}

static void
ui_token_table_finalize (GObject *object)
{
  g_ptr_array_unref (UI_TOKEN_TABLE (object)->columns);
  G_OBJECT_CLASS (ui_token_table_parent_class)->finalize (object);
}

static void
ui_token_table_class_init (UiTokenTableClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ui_token_table_dispose;
  object_class->finalize = ui_token_table_finalize;

  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tokentable");
}

static void
build_view (UiTokenTable *self)
{
  GtkSingleSelection *selection;

  self->rows = g_list_store_new (UI_TYPE_TABLE_ROW);
  selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->rows)));
  self->view = gtk_column_view_new (GTK_SELECTION_MODEL (selection));
  gtk_column_view_set_show_column_separators (GTK_COLUMN_VIEW (self->view), TRUE);
  gtk_widget_add_css_class (self->view, "data-table");
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activate_cb), self,
                           G_CONNECT_SWAPPED);

  add_column (self, "Token");
  add_column (self, "Sentence");
  add_column (self, "q · k");
  add_column (self, "Score");
  add_column (self, "Mean");
}

static void
ui_token_table_init (UiTokenTable *self)
{
  GtkWidget *scroller;

  self->columns = g_ptr_array_new_with_free_func (g_object_unref);
  build_view (self);

  self->caption = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->caption), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->caption), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->caption, "dim-label");
  gtk_widget_set_margin_start (self->caption, 12);
  gtk_widget_set_margin_end (self->caption, 12);
  gtk_widget_set_margin_top (self->caption, 8);
  gtk_widget_set_margin_bottom (self->caption, 8);

  scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", self->view, "vexpand", TRUE, NULL);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), self->caption);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
ui_token_table_new (void)
{
  return g_object_new (UI_TYPE_TOKEN_TABLE, NULL);
}

void
ui_token_table_set_scene (UiTokenTable *self,
                          UiScene      *scene)
{
  g_return_if_fail (UI_IS_TOKEN_TABLE (self));

  drop_scene (self);
  if (scene != NULL) {
    take_scene (self, scene);
    update_columns (self);
    update_caption (self);
  } else
    gtk_label_set_text (GTK_LABEL (self->caption), "");
  update_cells (self);
}
