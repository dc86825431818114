/* SPDX-License-Identifier: MIT */
/* What is compared: the choice, the pass of the second side in a worker of its own, and the bar
 * that says what the second side is. */
#include "app/window-private.h"

#include "app/model-store.h"
#include "ui/scene/panels.h"

#define HOW_TO_COLLECT "Space or Ctrl+click on a head of the model view collects it"

struct _AppComparison {
  AppWorker *worker;  /* NULL while nothing was compared that needs a pass of its own */
  char      *pass;    /* what was asked for last; NULL = nothing */
  guint      serial;
  gboolean   waiting;
  EngTrace  *trace;   /* the last answer; NULL = none, or refused */
  int        mask_id; /* of the mask token of trace's model; -1 = none */
  char      *refusal; /* of the pass; NULL = none */
  char      *misfit;  /* why the trace cannot stand beside the first; NULL = it can */
  char      *undrawn; /* why the two cannot be drawn together; NULL = they are */
  GMenu     *models;  /* the section of the models on this computer */
};

/* The pass of the second side. */

static void
forget_pass (AppComparison *self)
{
  g_clear_pointer (&self->pass, g_free);
  g_clear_pointer (&self->refusal, g_free);
  g_clear_pointer (&self->trace, eng_trace_unref);
  self->waiting = FALSE;
}

/* Half a pass is nothing to compare with. */
static void
answer_cb (const AppAnswer *answer,
           gpointer         data)
{
  AppWindow *window = data;
  AppComparison *self = window->comparison;

  if (answer->serial != self->serial || self->pass == NULL
      || (answer->error == NULL && !answer->complete))
    return;

  g_clear_pointer (&self->refusal, g_free);
  g_clear_pointer (&self->trace, eng_trace_unref);
  self->waiting = FALSE;
  if (answer->error != NULL)
    self->refusal = g_strdup (answer->error->message);
  else
    self->trace = eng_trace_ref (answer->trace);
  self->mask_id = app_window_get_mask_id (answer->model);
  app_window_refresh (window);
}

/* Takes pass over. */
static void
ask (AppWindow        *window,
     const UiDocument *side,
     char             *pass)
{
  AppComparison *self = window->comparison;

  if (self->worker == NULL)
    self->worker = app_worker_new (answer_cb, window);
  g_free (self->pass);
  self->pass = pass;
  self->waiting = TRUE;
  self->serial = app_worker_write (self->worker, side, APP_WRITE_WHAT_LACKS);
}

/* The trace of the second side as far as it is there; the first one's, where the pass is that. */
static EngTrace *
find_trace (AppWindow *window)
{
  AppComparison *self = window->comparison;
  g_autoptr (UiDocument) side = ui_document_dup_second_side (window->document);
  g_autofree char *first = ui_document_describe_pass (window->document);
  g_autofree char *second = ui_document_describe_pass (side);

  if (g_str_equal (first, second)) {
    forget_pass (self);
    return window->trace;
  }
  if (g_strcmp0 (second, self->pass) != 0)
    ask (window, side, g_steal_pointer (&second));
  return self->trace;
}

/* What the second side has not of the choices is put aside. */

static gboolean
fit_kind (UiDocument *fitted,
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

static gboolean
fit_side (UiDocument *fitted,
          EngTrace   *first,
          EngTrace   *second)
{
  g_autoptr (UiDocument) side = ui_document_dup_second_side (fitted);
  EngKind kind;
  int layer;

  if (!fit_kind (fitted, first, second, &kind))
    return FALSE;
  layer = app_window_find_layer (second, kind, side->layer);
  if (layer < 0)
    return FALSE;
  if (layer != side->layer) {
    fitted->compare_layer_set = TRUE;
    fitted->compare_layer = layer;
  }
  if (ui_head_set_count (&side->heads, eng_trace_get_n_heads (second, kind)) == 0) {
    fitted->compare_heads_set = TRUE;
    fitted->compare_heads = (UiHeadSet) { .all = TRUE };
  }
  if (!app_window_can_filter (second, kind))
    fitted->filter = UI_FILTER_ALL;
  side->kind = kind;
  side->layer = layer;
  app_window_fit_display (side, second);
  fitted->measure = side->measure;
  return TRUE;
}

/* The heads that the trace has, as many as can stand beside each other. */
static void
fit_heads (UiDocument *fitted,
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

EngTrace *
app_window_fit_comparison (AppWindow  *self,
                           UiDocument *fitted)
{
  EngTrace *second;

  g_clear_pointer (&self->comparison->misfit, g_free);
  if (fitted->compare == UI_COMPARE_HEADS && fitted->view != UI_VIEW_MODEL)
    fit_heads (fitted, self->trace);
  if (!ui_document_has_second_side (fitted))
    return NULL;

  second = find_trace (self);
  if (second != NULL && !fit_side (fitted, self->trace, second)) {
    self->comparison->misfit =
      g_strdup_printf ("The second side has no %s attention", eng_kind_get_name (fitted->kind));
    return NULL;
  }
  return second;
}

gboolean
app_window_lacks_comparison (AppWindow        *self,
                             const UiDocument *fitted)
{
  const UiDocument *document = self->document;

  return fitted->compare != document->compare || fitted->panels.n != document->panels.n
         || fitted->compare_layer_set != document->compare_layer_set
         || (fitted->compare_layer_set && fitted->compare_layer != document->compare_layer);
}

gboolean
app_window_awaits_second (AppWindow *self)
{
  return self->comparison->waiting;
}

int
app_window_get_second_mask_id (AppWindow *self)
{
  return self->comparison->trace != NULL ? self->comparison->mask_id
                                         : app_window_get_mask_id (self->model);
}

void
app_window_refuse_second (AppWindow    *self,
                          const GError *error)
{
  g_free (self->comparison->undrawn);
  self->comparison->undrawn = error != NULL ? g_strdup (error->message) : NULL;
}

/* What is said of it. */

static void
append_part (GString    *list,
             const char *part)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", part);
}

/* "minilm, layer 4": what the second side has of its own; "itself" when nothing. The neuron view has
 * one head, the first one of those that were chosen. */
static char *
describe_second (const UiDocument *shown)
{
  const char *source = shown->compare_trace_file != NULL ? shown->compare_trace_file
                                                         : shown->compare_model;
  GString *list = g_string_new (NULL);

  if (source != NULL) {
    g_autofree char *name = g_path_get_basename (source);

    append_part (list, name);
  }
  if (shown->compare_text_a_set)
    append_part (list, "another text");
  if (shown->compare_edits_set)
    append_part (list, shown->compare_edits != NULL && shown->compare_edits[0] != NULL
                       ? "other edits" : "the pass without edits");
  if (shown->compare_layer_set) {
    g_autofree char *layer = g_strdup_printf ("layer %d", shown->compare_layer);

    append_part (list, layer);
  }
  if (shown->compare_heads_set && shown->view == UI_VIEW_NEURON) {
    g_autofree char *head =
      g_strdup_printf ("head %d", ui_head_set_first (&shown->compare_heads, UI_MAX_HEADS));

    append_part (list, head);
  } else if (shown->compare_heads_set) {
    g_autofree char *heads = ui_document_get (shown, ui_fields_find ("compare-heads"));
    g_autofree char *part = g_strdup_printf ("heads %s", heads);

    append_part (list, part);
  }
  if (list->len == 0)
    g_string_append (list, "itself");
  return g_string_free (list, FALSE);
}

char *
app_window_describe_comparison (AppWindow *self)
{
  const UiDocument *shown = self->shown;
  g_autofree char *second = NULL;

  if (shown->compare == UI_COMPARE_HEADS && shown->view != UI_VIEW_MODEL)
    return g_strdup_printf ("%d head%s side by side", shown->panels.n,
                            shown->panels.n == 1 ? "" : "s");
  if (self->second_trace == NULL || self->comparison->undrawn != NULL
      || !ui_document_has_second_side (shown))
    return NULL;

  second = describe_second (shown);
  return g_strdup_printf ("%s %s", shown->compare == UI_COMPARE_SIDES ? "beside" : "minus", second);
}

/* The choice. */

static void
change_compare (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  AppWindow *self = data;
  const UiField *field = ui_fields_find ("compare");
  UiDocument *document = ui_document_copy (self->document);

  if (!ui_document_set (document, field, g_variant_get_string (value, NULL), NULL)) {
    ui_document_free (document);
    return;
  }
  if (document->compare == UI_COMPARE_HEADS && document->panels.n == 0) {
    app_window_toast (self, "No heads are collected: " HOW_TO_COLLECT);
    ui_document_free (document);
    return;
  }
  /* The grid has no sides. */
  if (document->compare != UI_COMPARE_OFF && document->view == UI_VIEW_MODEL)
    document->view = UI_VIEW_HEAD;
  app_window_change (self, document);
}

static void
show_menu (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  gtk_menu_button_popup (APP_WINDOW (data)->compare_button);
}

static void
second_text (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWindow *self = data;

  if (gtk_widget_is_visible (GTK_WIDGET (self->compare_bar)))
    gtk_widget_child_focus (GTK_WIDGET (self->compare_bar), GTK_DIR_TAB_FORWARD);
}

/* The model of the second side. */

static void
set_source (AppWindow  *self,
            const char *model,
            const char *trace_file)
{
  UiDocument *document = ui_document_copy (self->document);

  g_free (document->compare_model);
  g_free (document->compare_trace_file);
  document->compare_model = g_strdup (model);
  document->compare_trace_file = g_strdup (trace_file);
  app_window_change (self, document);
}

static void
change_model (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  const char *model = g_variant_get_string (value, NULL);

  set_source (data, *model != '\0' ? model : NULL, NULL);
}

static void
chosen_cb (AppWindow            *self,
           int                   response,
           GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  gboolean is_folder = gtk_file_chooser_get_action (GTK_FILE_CHOOSER (chooser))
                       == GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    set_source (self, is_folder ? path : NULL, is_folder ? NULL : path);
  g_object_unref (chooser);
}

static void
choose_file (AppWindow            *self,
             const char           *title,
             GtkFileChooserAction  what)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (title, GTK_WINDOW (self), what, NULL, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
open_model (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  choose_file (data, "Model of the Second Side", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

static void
open_trace (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  choose_file (data, "Trace File of the Second Side", GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void
models_listed_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  AppWindow *self = APP_WINDOW (source);
  g_autoptr (GPtrArray) entries = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->comparison == NULL)
    return;
  g_menu_remove_all (self->comparison->models);
  for (guint i = 0; i < entries->len; i++) {
    const AppModelEntry *entry = entries->pdata[i];
    g_autoptr (GMenuItem) item = g_menu_item_new (entry->name, NULL);

    g_menu_item_set_action_and_target (item, "win.compare-model", "s", entry->name);
    if (entry->problem == NULL)
      g_menu_append_item (self->comparison->models, item);
  }
}

/* The models of the last time, until the new list is there. */
static void
create_popup_cb (GtkMenuButton *button,
                 gpointer       data)
{
  app_window_list_models (data, models_listed_cb);
}

static GMenuModel *
model_menu_new (AppComparison *self)
{
  g_autoptr (GMenu) same = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new ();
  GMenu *menu = g_menu_new ();

  g_menu_append (same, "Same Model", "win.compare-model::");
  g_menu_append (files, "Open Model Folder…", "win.compare-open-model");
  g_menu_append (files, "Open Trace File…", "win.compare-open-trace");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (same));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (self->models));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  return G_MENU_MODEL (menu);
}

static void
second_changed_cb (AppWindow        *self,
                   const UiDocument *document)
{
  app_window_change (self, ui_document_copy (document));
}

void
app_window_init_compare (AppWindow *self)
{
  GtkMenuButton *button = ui_compare_bar_get_model_button (self->compare_bar);
  g_autoptr (GMenuModel) menu = NULL;

  self->comparison = g_new0 (AppComparison, 1);
  self->comparison->models = g_menu_new ();
  menu = model_menu_new (self->comparison);
  gtk_menu_button_set_menu_model (button, menu);
  gtk_menu_button_set_create_popup_func (button, create_popup_cb, self, NULL);
  g_signal_connect_swapped (self->compare_bar, "changed", G_CALLBACK (second_changed_cb), self);
}

void
app_window_add_compare (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "compare", NULL, "s", "'off'", change_compare },
    { "compare-menu", show_menu },
    { "compare-model", NULL, "s", "''", change_model },
    { "compare-open-model", open_model },
    { "compare-open-trace", open_trace },
    { "second-text", second_text },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
app_window_end_compare (AppWindow *self)
{
  AppComparison *comparison = g_steal_pointer (&self->comparison);

  g_clear_pointer (&self->second_trace, eng_trace_unref);
  if (comparison == NULL)
    return;
  g_clear_pointer (&comparison->worker, app_worker_free);
  forget_pass (comparison);
  g_free (comparison->misfit);
  g_free (comparison->undrawn);
  g_object_unref (comparison->models);
  g_free (comparison);
}

static void
set_state (AppWindow  *self,
           const char *name,
           const char *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (state));
}

static void
sync_button (AppWindow *self)
{
  static const char *const labels[] = {
    [UI_COMPARE_OFF] = "Compare",
    [UI_COMPARE_HEADS] = "Compare: heads",
    [UI_COMPARE_SIDES] = "Compare: sides",
    [UI_COMPARE_DIFFERENCE] = "Compare: difference",
  };
  const UiDocument *document = self->document;
  g_autofree char *state = ui_document_get (document, ui_fields_find ("compare"));
  gboolean has_heads = document->panels.n > 0;

  set_state (self, "compare", state);
  set_state (self, "compare-model",
             document->compare_trace_file != NULL ? document->compare_trace_file
             : document->compare_model != NULL    ? document->compare_model : "");
  gtk_menu_button_set_label (self->compare_button, labels[document->compare]);
  gtk_widget_set_sensitive (self->compare_heads_choice, has_heads);
  gtk_widget_set_tooltip_text (self->compare_heads_choice, has_heads ? NULL : HOW_TO_COLLECT);
}

static void
sync_bar (AppWindow *self)
{
  const AppComparison *comparison = self->comparison;
  EngTrace *trace = self->second_trace != NULL ? self->second_trace : self->trace;
  EngKind kind = ENG_KIND_ENCODER;

  if (trace != NULL)
    kind = self->shown != NULL && eng_trace_has_kind (trace, self->shown->kind)
           ? self->shown->kind : eng_trace_get_default_kind (trace);
  ui_compare_bar_set_document (self->compare_bar, self->document,
                               trace != NULL ? eng_trace_get_n_layers (trace, kind) : 0);
  ui_compare_bar_set_busy (self->compare_bar, comparison->waiting);
  ui_compare_bar_set_note (self->compare_bar,
                           comparison->refusal != NULL  ? comparison->refusal
                           : comparison->misfit != NULL ? comparison->misfit
                                                        : comparison->undrawn);
}

void
app_window_shrink_compare (AppWindow *self)
{
  if (self->comparison->worker != NULL)
    app_worker_shrink (self->comparison->worker);
}

void
app_window_sync_compare (AppWindow *self)
{
  gboolean has_second = ui_document_has_second_side (self->document);
  AppComparison *comparison = self->comparison;

  /* The grid of all heads is looked at in between. */
  if (self->document->compare == UI_COMPARE_OFF || self->document->compare == UI_COMPARE_HEADS) {
    if (comparison->worker != NULL)
      app_worker_rest (comparison->worker);
    forget_pass (comparison);
  }
  sync_button (self);
  gtk_widget_set_visible (GTK_WIDGET (self->compare_bar), has_second);
  ui_inspector_set_has_second (self->inspector, has_second && self->second_trace != NULL);
  if (has_second)
    sync_bar (self);
}
