/* SPDX-License-Identifier: MIT */
/* The model menu and everything that opens a model or a trace file. */
#include "app/parts/models/models-private.h"

#include <string.h>

#include "app/desk/shortcuts.h"
#include "app/store/model-store.h"
#include "engine/transformer/model-layers.h"
#include "ui/controls/dialog-keys.h"
#include "ui/lists/model-panel.h"

#define MENU_WIDTH      440
#define MENU_MAX_HEIGHT 420

G_DEFINE_FINAL_TYPE (AppModelsPart, app_models_part, APP_TYPE_PART)

/* "bert · 6 × 12 · hidden size 288 · bundled", or why it cannot be opened; the tooltip has the
 * folder. */
static char *
describe_entry (const AppModelEntry *entry)
{
  const char *problem = entry->problem;

  if (problem != NULL && g_str_has_prefix (problem, entry->path))
    problem += strlen (entry->path);
  if (problem != NULL)
    return g_strdup (problem[0] == '/' ? problem + 1 : problem);

  return g_strdup_printf ("%s · %d × %d · hidden size %d · %s%s%s",
                          entry->family, entry->n_layers, entry->n_heads, entry->hidden_size,
                          entry->quantised != NULL ? entry->quantised : "",
                          entry->quantised != NULL ? " quantised · " : "",
                          app_model_from_get_name (entry->from));
}

static gboolean
is_open (AppModelsPart       *self,
         const AppModelEntry *entry)
{
  return app_study_get_model (self->study) != NULL
         && g_str_equal (eng_model_get_info (app_study_get_model (self->study))->folder,
                         entry->path);
}

static AppModelEntry *
entry_new_of_open (const EngModelInfo *info)
{
  AppModelEntry *entry = g_new0 (AppModelEntry, 1);

  *entry = (AppModelEntry) {
    .name = g_strdup (info->name),
    .path = g_strdup (info->folder),
    .family = g_strdup (info->family),
    .n_layers = info->n_layers,
    .n_heads = info->n_heads,
    .n_decoder_layers = info->n_decoder_layers,
    .n_decoder_heads = info->n_decoder_heads,
    .hidden_size = info->hidden_size,
    .quantised = info->quantised ? info->stored_type : NULL,
    .from = APP_FROM_FOLDER,
  };
  return entry;
}

/* The model that is open stands there, too, where it lies elsewhere; first, for none is nearer. */
static void
list_open_model (AppModelsPart *self)
{
  const AppModelEntry *first = self->entries->len > 0 ? self->entries->pdata[0] : NULL;

  if (first != NULL && first->from == APP_FROM_FOLDER)
    g_ptr_array_remove_index (self->entries, 0);
  if (app_study_get_model (self->study) == NULL)
    return;
  for (guint i = 0; i < self->entries->len; i++)
    if (is_open (self, self->entries->pdata[i]))
      return;
  g_ptr_array_insert (
    self->entries, 0,
    entry_new_of_open (eng_model_get_info (app_study_get_model (self->study))));
}

static GtkWidget *
model_row_new (AppModelsPart       *self,
               const AppModelEntry *entry)
{
  g_autofree char *subtitle = describe_entry (entry);
  g_autofree char *tooltip = g_strconcat (entry->path, entry->problem != NULL ? "\n" : NULL,
                                          subtitle, NULL);
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), entry->name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_widget_set_tooltip_text (row, tooltip);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), entry->problem == NULL);
  gtk_widget_set_sensitive (row, entry->problem == NULL);
  if (is_open (self, entry)) {
    GtkWidget *check = gtk_image_new_from_icon_name ("object-select-symbolic");

    gtk_accessible_update_property (GTK_ACCESSIBLE (check),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, "open", -1);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), check);
  }

  return row;
}

/* The folder of the row that has the focus, or NULL. */
static const char *
find_focused_path (AppModelsPart *self)
{
  GtkWidget *focus = gtk_window_get_focus (app_desk_get_window (self->desk));
  GtkWidget *row = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX_ROW) : NULL;
  const AppModelEntry *entry;

  if (row == NULL || gtk_widget_get_parent (row) != GTK_WIDGET (self->model_list))
    return NULL;

  entry = self->entries->pdata[gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row))];
  return entry->path;
}

/* Gives the focus to the model of that folder, else to the open one, else to the first. */
static void
focus_row (AppModelsPart *self,
           const char    *path)
{
  GtkListBoxRow *row = NULL;

  for (guint i = 0; i < self->entries->len; i++) {
    const AppModelEntry *entry = self->entries->pdata[i];

    if (g_strcmp0 (entry->path, path) == 0 || (row == NULL && is_open (self, entry)))
      row = gtk_list_box_get_row_at_index (self->model_list, (int) i);
  }

  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
  else
    gtk_widget_child_focus (GTK_WIDGET (self->model_list), GTK_DIR_TAB_FORWARD);
  gtk_window_set_focus_visible (app_desk_get_window (self->desk), TRUE);
}

static void
fill_model_list (AppModelsPart *self)
{
  GtkWidget *row;

  list_open_model (self);
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->model_list))) != NULL)
    gtk_list_box_remove (self->model_list, row);
  for (guint i = 0; i < self->entries->len; i++)
    gtk_list_box_append (self->model_list, model_row_new (self, self->entries->pdata[i]));
}

static void
models_listed_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  AppModelsPart *self = APP_MODELS_PART (source);
  gboolean is_first = self->entries == NULL;
  g_autofree char *focused = NULL;

  if (self->model_list != NULL && !is_first)
    focused = g_strdup (find_focused_path (self));
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  self->entries = g_task_propagate_pointer (G_TASK (result), NULL);
  if (self->model_list == NULL)
    return;

  fill_model_list (self);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->model_list)))
    return;
  /* The popover was laid out before it had these rows. */
  gtk_popover_present (gtk_menu_button_get_popover (self->model_button));
  if (is_first || focused != NULL)
    focus_row (self, focused);
}

/* The rows of the last time, until the new list is there. */
static void
menu_mapped_cb (AppModelsPart *self)
{
  if (self->entries == NULL)
    return;

  fill_model_list (self);
  focus_row (self, NULL);
}

static void
model_activated_cb (AppModelsPart *self,
                    GtkListBoxRow *row)
{
  const AppModelEntry *entry = self->entries->pdata[gtk_list_box_row_get_index (row)];

  gtk_menu_button_popdown (self->model_button);
  app_study_open_model (self->study, entry->from == APP_FROM_FOLDER ? entry->path : entry->name);
}

/* Down from the last model goes on to the entries below the list. */
static gboolean
keynav_failed_cb (GtkWidget        *list,
                  GtkDirectionType  direction,
                  GtkWidget        *first_item)
{
  return direction == GTK_DIR_DOWN && gtk_widget_grab_focus (first_item);
}

/* What it opens does not stand below the menu. */
static GtkWidget *
menu_item_new (AppModelsPart *self,
               const char    *label,
               const char    *action)
{
  GtkWidget *text = g_object_new (GTK_TYPE_LABEL, "label", label, "xalign", 0.0f, NULL);
  GtkWidget *item = g_object_new (GTK_TYPE_BUTTON,
                                  "child", text,
                                  "action-name", action,
                                  "css-classes", (const char *[]) { "flat", NULL },
                                  NULL);

  g_signal_connect_object (item, "clicked", G_CALLBACK (gtk_menu_button_popdown),
                           self->model_button, G_CONNECT_SWAPPED);
  return item;
}

/* Up from the first of them goes back to the last model that can be opened. */
static gboolean
focus_last_row (GtkWidget *item,
                GVariant  *arguments,
                gpointer   list)
{
  for (GtkWidget *row = gtk_widget_get_last_child (list); row != NULL;
       row = gtk_widget_get_prev_sibling (row))
    if (gtk_widget_grab_focus (row))
      return TRUE;

  return FALSE;
}

/* Takes the action over. */
static void
add_key (GtkWidget         *widget,
         guint              key,
         GdkModifierType    modifiers,
         GtkShortcutAction *action)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers), action);

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
  gtk_widget_add_controller (widget, controller);
}

static GtkWidget *
model_popover_new (AppModelsPart *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                      "hscrollbar-policy", GTK_POLICY_NEVER,
                                      "propagate-natural-height", TRUE,
                                      "max-content-height", MENU_MAX_HEIGHT,
                                      "width-request", MENU_WIDTH,
                                      NULL);
  GtkWidget *open_item = menu_item_new (self, "Open Model Folder…", "win.open-model");

  self->model_list = GTK_LIST_BOX (gtk_list_box_new ());
  g_object_add_weak_pointer (G_OBJECT (self->model_list), (gpointer *) &self->model_list);
  gtk_list_box_set_selection_mode (self->model_list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->model_list), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->model_list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Models on this computer", -1);
  g_signal_connect_object (self->model_list, "row-activated",
                            G_CALLBACK (model_activated_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect (self->model_list, "keynav-failed", G_CALLBACK (keynav_failed_cb), open_item);
  add_key (open_item, GDK_KEY_Up, 0,
           gtk_callback_action_new (focus_last_row, self->model_list, NULL));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->model_list));

  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), open_item);
  gtk_box_append (GTK_BOX (box), menu_item_new (self, "Open Trace File…", "win.open-trace"));
  gtk_box_append (GTK_BOX (box),
                  menu_item_new (self, "Download a Model…", "win.download-model"));
  gtk_box_append (GTK_BOX (box), menu_item_new (self, "Train a Model…", "win.train-model"));
  gtk_box_append (GTK_BOX (box), menu_item_new (self, "Family Tree", "win.family-tree"));
  gtk_box_append (GTK_BOX (box), menu_item_new (self, "Model Details", "win.model-details"));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  /* The application's accelerators stop at the surface of a popover. */
  add_key (popover, GDK_KEY_q, GDK_CONTROL_MASK, gtk_named_action_new ("app.quit"));
  g_signal_connect_object (popover, "map", G_CALLBACK (menu_mapped_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);

  return popover;
}

/* Called each time that the menu opens. */
static void
create_popup_cb (GtkMenuButton *button,
                 gpointer       data)
{
  AppModelsPart *self = data;

  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_popover (button, model_popover_new (self));
  app_desk_list_models (self, models_listed_cb);
}

static void
model_folder_cb (gpointer    owner,
                 const char *path,
                 gpointer    data)
{
  AppModelsPart *self = owner;

  app_study_open_model (self->study, path);
  app_desk_await_recent (self->desk, path, APP_FILE_MODEL);
}

static void
trace_file_cb (gpointer    owner,
               const char *path,
               gpointer    data)
{
  AppModelsPart *self = owner;

  app_study_open_trace (self->study, path);
  app_desk_await_recent (self->desk, path, APP_FILE_TRACE);
}

static void
init_menu (AppModelsPart *self)
{
  gtk_menu_button_set_create_popup_func (self->model_button, create_popup_cb, self, NULL);
}

static void
choose_model (AppModelsPart *self)
{
  AppFileQuestion question = { "Open Model Folder", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER };

  app_desk_choose_file (self->desk, &question, self, model_folder_cb, NULL, NULL);
}

static void
choose_trace (AppModelsPart *self)
{
  AppFileQuestion question = { "Open Trace File", GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
                               { { "Traces (safetensors)", "safetensors" } } };

  app_desk_choose_file (self->desk, &question, self, trace_file_cb, NULL, NULL);
}

static void
show_model (AppModelsPart *self,
            UiModelPanel  *panel)
{
  EngModel *model = app_study_get_model (self->study);
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  g_autofree char *local = eng_model_describe_local_layers (model);
  g_autofree char *shared = eng_model_describe_shared_layers (model);
  const UiModelFacts facts = {
    .info = eng_model_get_info (model),
    .tokenizer = tokenizer != NULL ? eng_tokenizer_get_description (tokenizer) : NULL,
    .has_chat_template = tokenizer != NULL && eng_tokenizer_has_chat_template (tokenizer),
    .local = local,
    .shared = shared,
    .seed = app_study_get_answered (self->study)->random_weights,
  };

  ui_model_panel_set_model (panel, &facts);
}

static void
show_details (AppModelsPart *self)
{
  g_autoptr (GtkBuilder) ui = app_part_read_ui ("model-details");
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (ui, "details"));
  UiModelPanel *panel = UI_MODEL_PANEL (gtk_builder_get_object (ui, "panel"));

  if (app_study_get_model (self->study) != NULL)
    show_model (self, panel);
  else
    ui_model_panel_set_trace (panel, app_study_get_trace (self->study),
                              app_study_get_answered (self->study)->trace_file);
  gtk_window_set_transient_for (window, app_desk_get_window (self->desk));
  ui_dialog_share_keys (window);
  gtk_window_present (window);
}

static void
show_menu (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  gtk_menu_button_popup (APP_MODELS_PART (data)->model_button);
}

static void
open_model (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  choose_model (data);
}

static void
open_trace (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  choose_trace (data);
}

static void
model_details (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  show_details (data);
}

static void
add_actions (AppModelsPart *self)
{
  static const GActionEntry entries[] = {
    { "models", show_menu },
    { "open-model", open_model },
    { "open-trace", open_trace },
    { "model-details", model_details },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  app_shortcuts_explain_as (GTK_WIDGET (self->model_button), "win.models");
}

static void
sync_name (AppModelsPart *self)
{
  const char *name = eng_trace_get_model_name (app_study_get_trace (self->study));
  g_autofree char *file = NULL;
  g_autofree char *size = NULL;

  if (app_study_get_answered (self->study)->trace_file != NULL && name == NULL)
    name = file = g_path_get_basename (app_study_get_answered (self->study)->trace_file);
  if (app_study_get_model (self->study) != NULL)
    name = eng_model_get_info (app_study_get_model (self->study))->name;
  size = g_strdup_printf ("%d × %d",
                          eng_trace_get_n_layers (app_study_get_trace (self->study),
                                                  app_picture_get_shown (self->picture)->kind),
                          eng_trace_get_n_heads (app_study_get_trace (self->study),
                                                 app_picture_get_shown (self->picture)->kind));
  gtk_label_set_label (self->model_name, name);
  gtk_label_set_label (self->model_size, size);
}

static void
sync_part (AppPart *part)
{
  AppModelsPart *self = APP_MODELS_PART (part);

  app_desk_set_enabled (self->desk, "model-details",
                        app_picture_get_shown (self->picture) != NULL);
  /* Until the trace is drawn the name is that of the picture that is on show. */
  if (app_picture_is_current (self->picture))
    sync_name (self);
}

static void
begin (AppPart *part)
{
  AppModelsPart *self = APP_MODELS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "models");
  app_part_place (self, "model_button", "header_model");
  self->model_button = app_part_get_object (self, "model_button");
  self->model_name = app_part_get_object (self, "model_name");
  self->model_size = app_part_get_object (self, "model_size");
  init_menu (self);
  add_actions (self);
}

static void
app_models_part_finalize (GObject *object)
{
  AppModelsPart *self = APP_MODELS_PART (object);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_weak_pointer (&self->model_list);
  G_OBJECT_CLASS (app_models_part_parent_class)->finalize (object);
}

static void
app_models_part_class_init (AppModelsPartClass *klass)
{
  g_type_ensure (UI_TYPE_MODEL_PANEL);

  G_OBJECT_CLASS (klass)->finalize = app_models_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_models_part_init (AppModelsPart *self)
{
}
