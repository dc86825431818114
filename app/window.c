/* SPDX-License-Identifier: MIT */
#include "app/window-private.h"

#include "app/shortcuts.h"
#include "app/timing.h"
#include "ui/minimap.h"
#include "ui/wrap-box.h"

G_DEFINE_FINAL_TYPE (AppWindow, app_window, ADW_TYPE_APPLICATION_WINDOW)

static void
set_text (char       **target,
          const char  *text)
{
  g_free (*target);
  *target = g_strdup (text);
}

static void
text_changed_cb (AppWindow *self)
{
  UiDocument *document;

  if (self->syncing || !app_window_has_entries (self))
    return;

  document = ui_document_copy (self->document);
  set_text (&document->text_a, gtk_editable_get_text (GTK_EDITABLE (self->entry_a)));
  set_text (&document->text_b, gtk_editable_get_text (GTK_EDITABLE (self->entry_b)));
  app_window_change (self, document);
}

static void
layer_selected_cb (AppWindow *self)
{
  UiDocument *document;

  if (self->syncing)
    return;

  document = ui_document_copy (self->document);
  document->layer = ui_layer_picker_get_selected (self->layer_picker);
  app_window_change (self, document);
}

static void
head_selected_cb (AppWindow *self)
{
  UiDocument *document;

  if (self->syncing)
    return;

  document = ui_document_copy (self->document);
  ui_head_set_only (&document->heads, ui_layer_picker_get_selected (self->head_picker));
  app_window_change (self, document);
}

static void
heads_changed_cb (AppWindow *self)
{
  UiDocument *document = ui_document_copy (self->document);

  document->heads = *ui_head_chips_get_heads (self->chips);
  app_window_change (self, document);
}

/* Pins a key and keeps the queries: the one cell that both meet in. Again: takes it back. */
static void
pin_cell (UiPins   *pins,
          int       key,
          gboolean  extend)
{
  gboolean was_pinned = ui_pins_has (pins, TRUE, key);

  if (!extend) {
    g_clear_pointer (&pins->keys, g_free);
    pins->n_keys = 0;
  }
  if (extend || !was_pinned)
    ui_pins_click (pins, TRUE, key, TRUE);
}

/* A token is pinned by itself, a link by both of its ends. In the neuron view a query is compared
 * with all keys: what is on the side of the keys is a cell of that query. */
static void
click_item (UiPins       *pins,
            UiViewKind    view,
            const UiItem *item,
            gboolean      extend)
{
  switch (item->type) {
  case UI_ITEM_QUERY:
  case UI_ITEM_QUERY_CELL:
    ui_pins_click (pins, FALSE, item->query, extend);
    break;
  case UI_ITEM_LINK:
    if (!ui_pins_has (pins, FALSE, item->query))
      ui_pins_click (pins, FALSE, item->query, extend);
    pin_cell (pins, item->key, extend);
    break;
  case UI_ITEM_KEY:
  case UI_ITEM_KEY_CELL:
  case UI_ITEM_PRODUCT_CELL:
  case UI_ITEM_SCALED_PRODUCT:
  case UI_ITEM_BIAS:
  case UI_ITEM_SCORE:
  case UI_ITEM_MASK:
  case UI_ITEM_SOFTMAX:
  case UI_ITEM_MEASURE:
  case UI_ITEM_VALUE_CELL:
    if (view == UI_VIEW_NEURON && pins->n_queries > 0)
      pin_cell (pins, item->key, extend);
    else
      ui_pins_click (pins, TRUE, item->key, extend);
    break;
  case UI_ITEM_OUTPUT_CELL: /* of the query that is pinned already */
  case UI_ITEM_NONE:
  default:
    break;
  }
}

/* A document's pins are tokens: a word is pinned by its first piece. */
static void
pin_rows (const UiScene *scene,
          const UiPins  *rows,
          UiPins        *tokens)
{
  for (int i = 0; i < rows->n_queries; i++)
    ui_pins_click (tokens, FALSE, ui_scene_get_token (scene, FALSE, rows->queries[i]), TRUE);
  for (int i = 0; i < rows->n_keys; i++)
    ui_pins_click (tokens, TRUE, ui_scene_get_token (scene, TRUE, rows->keys[i]), TRUE);
}

static void
clicked_cb (AppWindow    *self,
            const UiItem *item,
            gboolean      extend)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  UiPins rows = { 0 };
  UiDocument *document;
  UiItem first;

  if (app_window_pick_word (self, item))
    return;
  if (!ui_scene_find_first (scene, item, &first)) {
    app_window_toast (self, "The first side, whose tokens are pinned, does not have this one");
    return;
  }
  if (app_window_pick_link (self, &first))
    return;
  if (item->type == UI_ITEM_HEAD) {
    app_window_click_head (self, item, extend);
    return;
  }

  /* Pins of tokens that are gone for now do not come back by themselves once another is set. */
  ui_pins_copy (&ui_scene_get_document (scene)->pins, &rows);
  click_item (&rows, self->document->view, &first, extend);
  document = ui_document_copy (self->document);
  ui_pins_clear (&document->pins);
  pin_rows (scene, &rows, &document->pins);
  ui_pins_clear (&rows);
  app_window_change (self, document);
}

/* Its rows are of the panel that the cursor is in. */
static void
table_clicked_cb (AppWindow    *self,
                  const UiItem *row,
                  gboolean      extend)
{
  UiItem item = *row;

  item.panel = ui_scene_view_get_cursor (self->scene_view)->panel;
  clicked_cb (self, &item, extend);
}

static void
item_cb (AppWindow *self)
{
  ui_inspector_set_item (self->inspector, ui_scene_view_get_item (self->scene_view));
}

static void
unpinned_cb (AppWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.unpin", NULL);
}

/* The table has the numbers of one panel: the cursor's. */
static UiScene *
find_part (AppWindow *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);

  return scene != NULL ? ui_scene_get_part (scene, ui_scene_view_get_cursor (self->scene_view))
                       : NULL;
}

/* The view builds a scene of its own size; inspector, table and legend read the same one. */
static void
scene_changed_cb (AppWindow *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);

  ui_inspector_set_scene (self->inspector, scene);
  item_cb (self);
  if (g_str_equal (gtk_stack_get_visible_child_name (self->stack), "table"))
    ui_token_table_set_scene (self->table, find_part (self));
  app_window_update_status (self);
}

static void
connect_controls (AppWindow *self)
{
  g_signal_connect_swapped (self->entry_a, "changed", G_CALLBACK (text_changed_cb), self);
  g_signal_connect_swapped (self->entry_b, "changed", G_CALLBACK (text_changed_cb), self);
  app_window_watch_entry (self, self->entry_a);
  app_window_watch_entry (self, self->entry_b);
  g_signal_connect_swapped (self->layer_picker, "notify::selected",
                            G_CALLBACK (layer_selected_cb), self);
  g_signal_connect_swapped (self->head_picker, "notify::selected",
                            G_CALLBACK (head_selected_cb), self);
  g_signal_connect_swapped (self->chips, "changed", G_CALLBACK (heads_changed_cb), self);
  g_signal_connect_swapped (self->scene_view, "clicked", G_CALLBACK (clicked_cb), self);
  g_signal_connect_swapped (self->scene_view, "hovered", G_CALLBACK (item_cb), self);
  g_signal_connect_swapped (self->scene_view, "cursor-moved", G_CALLBACK (item_cb), self);
  g_signal_connect_swapped (self->scene_view, "unpinned", G_CALLBACK (unpinned_cb), self);
  g_signal_connect_swapped (self->scene_view, "notify::scene", G_CALLBACK (scene_changed_cb), self);
  g_signal_connect_swapped (self->table, "clicked", G_CALLBACK (table_clicked_cb), self);
  g_signal_connect_swapped (self->stack, "notify::visible-child",
                            G_CALLBACK (scene_changed_cb), self);
}

/* The hint lies in the free end of the row of pickers, where there is one. */
/* All that holds a part which scrolls, once more: a scrollbar that comes or goes asks for a layout,
 * and GTK 4.8 forgets that of widgets which it only passes through while it lays the window out. It
 * then warns and leaves the window undrawn. */
static void
lay_out_again (AppWindow *self,
               int        width,
               int        height)
{
  GtkWidget *window = GTK_WIDGET (self);
  GtkWidget *parts[] = { GTK_WIDGET (self->scene_view), GTK_WIDGET (self->side) };
  GtkWidget *content = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    for (GtkWidget *part = parts[i]; part != window; part = gtk_widget_get_parent (part)) {
      gtk_widget_queue_allocate (part);
      content = part;
    }
  gtk_widget_measure (content, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (content, width, height, -1, NULL);
}

static void
app_window_size_allocate (GtkWidget *widget,
                          int        width,
                          int        height,
                          int        baseline)
{
  AppWindow *self = APP_WINDOW (widget);
  int pickers, hint;

  gtk_widget_measure (self->pickers, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &pickers, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (self->chip_hint), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &hint,
                      NULL, NULL);
  gtk_widget_set_child_visible (GTK_WIDGET (self->chip_hint), pickers + hint <= width);

  GTK_WIDGET_CLASS (app_window_parent_class)->size_allocate (widget, width, height, baseline);
  lay_out_again (self, width, height);
}

static gboolean
app_window_close_request (GtkWindow *window)
{
  AppWindow *self = APP_WINDOW (window);
  int width, height;

  if (app_window_keeps_open (self))
    return TRUE;

  /* The default size follows the real one while the window is not maximised. */
  gtk_window_get_default_size (window, &width, &height);
  if (width > 0 && height > 0) {
    self->settings->width = width;
    self->settings->height = height;
  }
  self->settings->maximized = gtk_window_is_maximized (window);
  app_settings_save (self->settings);

  return GTK_WINDOW_CLASS (app_window_parent_class)->close_request (window);
}

static gboolean
take_focus_back_cb (gpointer data)
{
  AppWindow *self = data;

  self->focus_source = 0;
  if (gtk_window_get_focus (GTK_WINDOW (self)) == NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
  return G_SOURCE_REMOVE;
}

/* Keys must always have somewhere to go: what had the focus may be gone, from under an open popover
 * too, and GTK 4.8 warns when a popover hears Return then. Before the next event, after whoever has
 * a better place for the focus. */
static void
focus_moved_cb (AppWindow *self)
{
  if (gtk_window_get_focus (GTK_WINDOW (self)) == NULL && self->focus_source == 0)
    self->focus_source = g_idle_add_full (G_PRIORITY_HIGH, take_focus_back_cb, self, NULL);
}

static void
app_window_dispose (GObject *object)
{
  AppWindow *self = APP_WINDOW (object);

  g_signal_handlers_disconnect_by_func (self, focus_moved_cb, NULL);
  g_clear_handle_id (&self->focus_source, g_source_remove);
  app_window_end_search (self);
  app_window_end_drawing (self);
  app_window_end_compare (self);
  app_window_end_toasts (self);
  g_clear_pointer (&self->job, app_job_stop);
  g_clear_pointer (&self->job_title, g_free);
  g_clear_handle_id (&self->submit_source, g_source_remove);
  g_clear_handle_id (&self->spinner_source, g_source_remove);
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->shown, ui_document_free);
  g_clear_pointer (&self->autosave, app_autosave_free);
  g_clear_pointer (&self->history, app_history_free);
  g_clear_pointer (&self->places_visited, app_history_free);
  g_clear_pointer (&self->answered, ui_document_free);
  g_clear_pointer (&self->awaited_recent, g_free);
  g_clear_pointer (&self->saved, ui_document_free);
  g_clear_pointer (&self->session_path, g_free);
  g_clear_pointer (&self->lost, g_ptr_array_unref);
  g_clear_object (&self->recent_menu);
  g_clear_object (&self->memory);
  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->facts_trace, eng_trace_unref);
  g_clear_pointer (&self->chip_attention, eng_attention_unref);
  g_clear_pointer (&self->model, eng_model_unref);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->written.text, g_free);
  g_clear_pointer (&self->swap_begin, g_free);
  app_window_forget_changes (self);
  g_clear_weak_pointer (&self->sweep_dialog);
  g_clear_pointer (&self->marks_a, pango_attr_list_unref);
  g_clear_pointer (&self->marks_b, pango_attr_list_unref);

  G_OBJECT_CLASS (app_window_parent_class)->dispose (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, AppWindow, name)

static void
app_window_class_init (AppWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = app_window_dispose;
  widget_class->size_allocate = app_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = app_window_close_request;

  g_type_ensure (UI_TYPE_COMPARE_BAR);
  g_type_ensure (UI_TYPE_DISPLAY_SETTINGS);
  g_type_ensure (UI_TYPE_EDIT_CHIPS);
  g_type_ensure (UI_TYPE_HEAD_CHIPS);
  g_type_ensure (UI_TYPE_INSPECTOR);
  g_type_ensure (UI_TYPE_LAYER_PICKER);
  g_type_ensure (UI_TYPE_LINK_RESULTS);
  g_type_ensure (UI_TYPE_MINIMAP);
  g_type_ensure (UI_TYPE_SCENE_VIEW);
  g_type_ensure (UI_TYPE_SEARCH_RESULTS);
  g_type_ensure (UI_TYPE_TOKEN_TABLE);
  g_type_ensure (UI_TYPE_WRAP_BOX);
  g_type_ensure (UI_TYPE_WRITING_SETTINGS);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headlight/Headlight/ui/window.ui");
  BIND (toasts);
  BIND (model_button);
  BIND (model_name);
  BIND (model_size);
  BIND (spinner);
  BIND (undo_button);
  BIND (redo_button);
  BIND (session_label);
  BIND (menu_button);
  BIND (restore_revealer);
  BIND (entry_a);
  BIND (entry_b);
  BIND (ask_button);
  BIND (examples_button);
  BIND (writing_bar);
  BIND (write_button);
  BIND (writing_settings_button);
  BIND (writing_settings);
  BIND (written_scroller);
  BIND (written_label);
  BIND (take_text_button);
  BIND (pickers);
  BIND (chip_hint);
  BIND (kind_box);
  BIND (layer_picker);
  BIND (head_controls);
  BIND (renormalise_button);
  BIND (neuron_controls);
  BIND (model_controls);
  BIND (order_choice);
  BIND (find_button);
  BIND (collected_row);
  BIND (head_picker);
  BIND (band_box);
  BIND (display_button);
  BIND (display_settings);
  BIND (compare_button);
  BIND (compare_heads_choice);
  BIND (compare_bar);
  BIND (sort_button);
  BIND (chip_row);
  BIND (chips);
  BIND (edit_button);
  BIND (edit_row);
  BIND (edit_chips);
  BIND (second_chips);
  BIND (flap);
  BIND (stack);
  BIND (picture_scroller);
  BIND (scene_view);
  BIND (table);
  BIND (side);
  BIND (inspector);
  BIND (search_header);
  BIND (link_results);
  BIND (search_results);
  BIND (drop_hint);
  BIND (notice_revealer);
  BIND (notice);
  BIND (truncate_button);
  BIND (job_revealer);
  BIND (job_label);
  BIND (job_bar);
  BIND (legend);
  BIND (selection_status);
  BIND (pass_status);

  app_window_install_class_actions (widget_class);
}

static void
app_window_init (AppWindow *self)
{
  g_autoptr (GMenuModel) menu = NULL;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->written.text = g_strdup ("");
  connect_controls (self);
  app_window_init_writing (self);
  app_window_init_model_view (self);
  app_window_init_edits (self);
  app_window_init_edit_menus (self);
  app_window_init_changes (self);
  app_window_init_compare (self);
  app_window_init_memory (self);

  app_window_init_model_menu (self);
  menu = app_window_menu_new (app_window_init_recent (self));
  gtk_menu_button_set_menu_model (self->menu_button, menu);
  g_signal_connect_object (gtk_menu_button_get_popover (self->menu_button), "map",
                           G_CALLBACK (app_window_fill_recent), self, G_CONNECT_SWAPPED);
  app_window_add_drop (self);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (focus_moved_cb), NULL);
  gtk_menu_button_set_menu_model (self->examples_button, app_window_examples_menu_new ());
  app_shortcuts_explain (GTK_WIDGET (self));
  app_shortcuts_explain_as (GTK_WIDGET (self->model_button), "win.models");
  app_shortcuts_explain_as (GTK_WIDGET (self->examples_button), "win.examples");
  app_shortcuts_explain_as (GTK_WIDGET (self->compare_button), "win.compare-menu");
  app_shortcuts_explain_as (GTK_WIDGET (self->edit_button), "win.edit-menu");
}

AppWindow *
app_window_new (GtkApplication   *application,
                AppWorker        *worker,
                AppSettings      *settings,
                const UiDocument *document)
{
  AppWindow *self = g_object_new (APP_TYPE_WINDOW, "application", application, NULL);

  self->worker = worker;
  self->settings = settings;
  self->document = ui_document_copy (document);
  self->waiting = TRUE;

  gtk_window_set_default_size (GTK_WINDOW (self), settings->width, settings->height);
  if (settings->maximized)
    gtk_window_maximize (GTK_WINDOW (self));
  app_window_add_history (self);
  app_window_add_actions (self);
  app_window_refresh (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));

  return self;
}

const UiDocument *
app_window_get_document (AppWindow *self)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return self->document;
}

const UiDocument *
app_window_get_shown (AppWindow *self)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return self->shown;
}

EngTrace *
app_window_get_trace (AppWindow *self)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return self->trace;
}
