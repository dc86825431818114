/* SPDX-License-Identifier: MIT */
#include "ui/lists/result-list.h"

#include "ui/controls/bar-row.h"
#include "ui/controls/table-row.h"

#define ROWS_AT_ONCE 24

struct _UiResultList {
  GtkWidget           parent_instance;

  GtkWidget          *scroller;
  GtkWidget          *view;      /* GtkListView */
  GListStore         *rows;      /* UiTableRow */
  GtkSingleSelection *selection;
  GArray             *results;   /* UiResult */
  GPtrArray          *bound;     /* GtkListItem, borrowed: those that a row is written on */
  UiTheme             theme;
  guint               rows_source; /* of rows that are still to come or to go; 0 = none */
};

enum { SIGNAL_OPENED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiResultList, ui_result_list, GTK_TYPE_WIDGET)

static void
result_clear (gpointer data)
{
  UiResult *result = data;

  g_free (result->name);
  g_free (result->number);
  g_free (result->note);
  g_free (result->sentence);
}

/* Rows. */

static void
open_result (UiResultList *self,
             guint         index)
{
  if (index >= self->results->len)
    return;
  gtk_single_selection_set_selected (self->selection, index);
  g_signal_emit (self, signals[SIGNAL_OPENED], 0, index);
}

static GtkWidget *
new_text (const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL,
                                   "xalign", 0.0f,
                                   "ellipsize", PANGO_ELLIPSIZE_END,
                                   "single-line-mode", TRUE,
                                   NULL);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
clicked_cb (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            gpointer         data)
{
  GtkListItem *item = data;
  GtkWidget *box = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *self = gtk_widget_get_ancestor (box, UI_TYPE_RESULT_LIST);

  open_result (UI_RESULT_LIST (self), gtk_list_item_get_position (item));
}

/* What a row without a result says: it is about to go. */
static const UiResult *
get_result (UiResultList *self,
            GtkListItem  *item)
{
  static const UiResult nothing = { .name = (char *) "", .sentence = (char *) "", .head = -1 };
  const guint index = (guint) ui_table_row_get_index (gtk_list_item_get_item (item));

  return index < self->results->len ? &g_array_index (self->results, UiResult, index) : &nothing;
}

/* Asked for when somebody points at it: GTK asks the display where the pointer is whenever a
 * tooltip is set, and a list would do so once a row. */
static gboolean
query_tooltip_cb (GtkWidget   *note,
                  int          x,
                  int          y,
                  gboolean     keyboard,
                  GtkTooltip  *tooltip,
                  GtkListItem *item)
{
  GtkWidget *self = gtk_widget_get_ancestor (note, UI_TYPE_RESULT_LIST);

  gtk_tooltip_set_text (tooltip, get_result (UI_RESULT_LIST (self), item)->sentence);
  return TRUE;
}

static void
setup_cb (UiResultList *self,
          GtkListItem  *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *note = new_text ("dim-label");
  GtkGesture *gesture = gtk_gesture_click_new ();

  g_signal_connect (gesture, "released", G_CALLBACK (clicked_cb), item);
  gtk_widget_add_controller (box, GTK_EVENT_CONTROLLER (gesture));
  gtk_widget_add_css_class (box, "result");
  gtk_widget_add_css_class (note, "caption");
  gtk_widget_set_has_tooltip (note, TRUE);
  g_signal_connect (note, "query-tooltip", G_CALLBACK (query_tooltip_cb), item);
  gtk_box_append (GTK_BOX (box), ui_bar_row_new ());
  gtk_box_append (GTK_BOX (box), new_text ("heading"));
  gtk_box_append (GTK_BOX (box), note);
  gtk_list_item_set_child (item, box);
}

static void
show_bar (UiResultList   *self,
          GtkWidget      *bar,
          const UiResult *result)
{
  UiBarPart part = {
    .value = result->part,
    .color = result->head < 0 ? ui_palette_get (self->theme)->accent
                              : ui_palette_head (self->theme, result->head),
  };

  gtk_widget_set_visible (bar, result->number != NULL);
  if (result->number == NULL)
    return;
  ui_bar_row_set (UI_BAR_ROW (bar), result->name, result->number, result->sentence);
  ui_bar_row_set_parts (UI_BAR_ROW (bar), &part, 1, 0, 1);
}

static void
show_result (UiResultList *self,
             GtkListItem  *item)
{
  const UiResult *result = get_result (self, item);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *bar = gtk_widget_get_first_child (box);
  GtkWidget *name = gtk_widget_get_next_sibling (bar);
  GtkWidget *note = gtk_widget_get_next_sibling (name);

  show_bar (self, bar, result);
  gtk_widget_set_visible (name, result->number == NULL);
  gtk_label_set_text (GTK_LABEL (name), result->name);
  gtk_widget_set_visible (note, result->note != NULL);
  gtk_label_set_text (GTK_LABEL (note), result->note != NULL ? result->note : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (box)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, result->sentence,
                                  -1);
}

static void
bind_cb (UiResultList *self,
         GtkListItem  *item)
{
  show_result (self, item);
  g_ptr_array_add (self->bound, item);
}

static void
unbind_cb (UiResultList *self,
           GtkListItem  *item)
{
  g_ptr_array_remove_fast (self->bound, item);
}

/* The widget. */

/* GTK 4.8 warns when a list is scrolled whose new rows have no place yet. */
static gboolean
scroll_cb (UiResultList *self)
{
  GtkWidget *last = gtk_widget_get_last_child (self->view);

  return last == NULL || gtk_widget_get_height (last) == 0;
}

static void
ui_result_list_dispose (GObject *object)
{
  UiResultList *self = UI_RESULT_LIST (object);

  g_clear_handle_id (&self->rows_source, g_source_remove);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (ui_result_list_parent_class)->dispose (object);
}

static void
ui_result_list_finalize (GObject *object)
{
  g_array_unref (UI_RESULT_LIST (object)->results);
  g_ptr_array_unref (UI_RESULT_LIST (object)->bound);
  G_OBJECT_CLASS (ui_result_list_parent_class)->finalize (object);
}

static void
ui_result_list_class_init (UiResultListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_result_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_result_list_finalize;

  signals[SIGNAL_OPENED] =
    g_signal_new ("opened", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_UINT);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "resultlist");
}

static void
ui_result_list_init (UiResultList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkEventController *scrolling =
    gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  self->results = ui_result_list_new_array ();
  self->bound = g_ptr_array_new ();
  self->rows = g_list_store_new (UI_TYPE_TABLE_ROW);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->rows)));
  /* What is selected is what was opened. */
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, G_CONNECT_SWAPPED);
  self->view = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (open_result), self,
                           G_CONNECT_SWAPPED);
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                 "child", self->view,
                                 "hscrollbar-policy", GTK_POLICY_NEVER,
                                 "vexpand", TRUE,
                                 NULL);
  gtk_event_controller_set_propagation_phase (scrolling, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (scrolling, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (self->scroller, scrolling);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
ui_result_list_new (const char *label)
{
  UiResultList *self = g_object_new (UI_TYPE_RESULT_LIST, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  return GTK_WIDGET (self);
}

GArray *
ui_result_list_new_array (void)
{
  GArray *results = g_array_new (FALSE, TRUE, sizeof (UiResult));

  g_array_set_clear_func (results, result_clear);
  return results;
}

static gboolean
change_rows_cb (gpointer data)
{
  UiResultList *self = data;

  if (ui_table_rows_step (self->rows, self->results->len, ROWS_AT_ONCE))
    return G_SOURCE_CONTINUE;
  self->rows_source = 0;
  return G_SOURCE_REMOVE;
}

void
ui_result_list_take (UiResultList *self,
                     GArray       *results)
{
  GtkAdjustment *scrolled;

  g_return_if_fail (UI_IS_RESULT_LIST (self));

  /* While the rows are there that were scrolled: GTK warns of others that have no place yet. */
  scrolled = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  gtk_adjustment_set_value (scrolled, 0);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_array_unref (self->results);
  self->results = results;

  /* Rows stay and are written anew. */
  for (guint i = 0; i < self->bound->len; i++)
    show_result (self, self->bound->pdata[i]);
  g_clear_handle_id (&self->rows_source, g_source_remove);
  if (change_rows_cb (self) == G_SOURCE_CONTINUE)
    self->rows_source = g_idle_add (change_rows_cb, self);
}

void
ui_result_list_select (UiResultList *self,
                       guint         index)
{
  g_return_if_fail (UI_IS_RESULT_LIST (self));

  if (index < self->results->len) {
    /* It may be one of those that are still to come. */
    if (index >= g_list_model_get_n_items (G_LIST_MODEL (self->rows)))
      ui_table_rows_step (self->rows, index + 1, G_MAXUINT);
    gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", index);
  }
  gtk_single_selection_set_selected (self->selection, index);
}

void
ui_result_list_set_theme (UiResultList *self,
                          UiTheme       theme)
{
  g_return_if_fail (UI_IS_RESULT_LIST (self));

  if (theme == self->theme)
    return;
  self->theme = theme;
  /* The rows stay, and with them what is selected and where the list is scrolled to. */
  for (guint i = 0; i < self->bound->len; i++) {
    GtkListItem *item = self->bound->pdata[i];
    GtkWidget *box = gtk_list_item_get_child (item);

    show_bar (self, gtk_widget_get_first_child (box), get_result (self, item));
  }
}
