/* SPDX-License-Identifier: MIT */
/* What is compared: the choice, the model of the second side, and the bar that says what that side
 * is. */
#include "app/parts/compare/compare.h"

#include "app/desk/shortcuts.h"
#include "app/store/model-store.h"
#include "ui/controls/compare-bar.h"
#include "ui/controls/quiet.h"
#include "ui/lists/inspector.h"

#define HOW_TO_COLLECT "Space or Ctrl+click on a head of the model view collects it"

struct _AppComparePart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkMenuButton *compare_button;
  GtkWidget     *compare_heads_choice;
  UiCompareBar  *compare_bar;
  UiInspector   *inspector;

  GMenu *models; /* the section of the models on this computer */
};

G_DEFINE_FINAL_TYPE (AppComparePart, app_compare_part, APP_TYPE_PART)

static void
change_compare (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  AppComparePart *self = data;
  const UiField *field = ui_fields_find ("compare");
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  if (!ui_document_set (document, field, g_variant_get_string (value, NULL), NULL)) {
    ui_document_free (document);
    return;
  }
  if (document->compare == UI_COMPARE_HEADS && document->panels.n == 0) {
    app_desk_toast (self->desk, "No heads are collected: " HOW_TO_COLLECT);
    ui_document_free (document);
    return;
  }
  /* The grid has no sides. */
  if (document->compare != UI_COMPARE_OFF && !ui_view_get (document->view)->can_compare)
    document->view = UI_VIEW_HEAD;
  app_study_change (self->study, document);
}

static void
show_menu (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  gtk_menu_button_popup (APP_COMPARE_PART (data)->compare_button);
}

static void
second_text (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppComparePart *self = data;

  if (gtk_widget_is_visible (GTK_WIDGET (self->compare_bar)))
    gtk_widget_child_focus (GTK_WIDGET (self->compare_bar), GTK_DIR_TAB_FORWARD);
}

/* The model of the second side. */

static void
set_source (AppComparePart *self,
            const char     *model,
            const char     *trace_file)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_replace_text (&document->compare_model, model);
  ui_replace_text (&document->compare_trace_file, trace_file);
  app_study_change (self->study, document);
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
model_chosen_cb (gpointer    owner,
                 const char *path,
                 gpointer    data)
{
  set_source (owner, path, NULL);
}

static void
trace_chosen_cb (gpointer    owner,
                 const char *path,
                 gpointer    data)
{
  set_source (owner, NULL, path);
}

static void
open_model (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppComparePart *self = data;
  AppFileQuestion question = { "Model of the Second Side", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER };

  app_desk_choose_file (self->desk, &question, self, model_chosen_cb, NULL, NULL);
}

static void
open_trace (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppComparePart *self = data;
  AppFileQuestion question = { "Trace File of the Second Side", GTK_FILE_CHOOSER_ACTION_OPEN };

  app_desk_choose_file (self->desk, &question, self, trace_chosen_cb, NULL, NULL);
}

static void
models_listed_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  AppComparePart *self = APP_COMPARE_PART (source);
  g_autoptr (GPtrArray) entries = g_task_propagate_pointer (G_TASK (result), NULL);

  g_menu_remove_all (self->models);
  for (guint i = 0; i < entries->len; i++) {
    const AppModelEntry *entry = entries->pdata[i];
    g_autoptr (GMenuItem) item = g_menu_item_new (entry->name, NULL);

    g_menu_item_set_action_and_target (item, "win.compare-model", "s", entry->name);
    if (entry->problem == NULL)
      g_menu_append_item (self->models, item);
  }
}

/* The models of the last time, until the new list is there. */
static void
create_popup_cb (GtkMenuButton *button,
                 gpointer       data)
{
  app_desk_list_models (data, models_listed_cb);
}

static GMenuModel *
model_menu_new (AppComparePart *self)
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
second_changed_cb (AppComparePart   *self,
                   const UiDocument *document)
{
  app_study_change (self->study, ui_document_copy (document));
}

static void
init_bar (AppComparePart *self)
{
  GtkMenuButton *button = ui_compare_bar_get_model_button (self->compare_bar);
  g_autoptr (GMenuModel) menu = NULL;

  self->models = g_menu_new ();
  menu = model_menu_new (self);
  gtk_menu_button_set_menu_model (button, menu);
  gtk_menu_button_set_create_popup_func (button, create_popup_cb, self, NULL);
  g_signal_connect_object (self->compare_bar, "changed", G_CALLBACK (second_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

static void
add_actions (AppComparePart *self)
{
  static const GActionEntry entries[] = {
    { "compare", NULL, "s", "'off'", change_compare },
    { "compare-menu", show_menu },
    { "compare-model", NULL, "s", "''", change_model },
    { "compare-open-model", open_model },
    { "compare-open-trace", open_trace },
    { "second-text", second_text },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
sync_button (AppComparePart *self)
{
  static const char *const labels[] = {
    [UI_COMPARE_OFF] = "Compare",
    [UI_COMPARE_HEADS] = "Compare: heads",
    [UI_COMPARE_SIDES] = "Compare: sides",
    [UI_COMPARE_DIFFERENCE] = "Compare: difference",
  };
  const UiDocument *document = app_study_get_document (self->study);
  g_autofree char *state = ui_document_get (document, ui_fields_find ("compare"));
  gboolean has_heads = document->panels.n > 0;

  app_desk_set_state (self->desk, "compare", g_variant_new_string (state));
  app_desk_set_state (self->desk, "compare-model",
                      g_variant_new_string (document->compare_trace_file != NULL
                                            ? document->compare_trace_file
                                            : document->compare_model != NULL
                                            ? document->compare_model : ""));
  ui_quiet_set_label (self->compare_button, labels[document->compare]);
  gtk_widget_set_sensitive (self->compare_heads_choice, has_heads);
  ui_quiet_set_tooltip (self->compare_heads_choice, has_heads ? NULL : HOW_TO_COLLECT);
}

static void
sync_bar (AppComparePart *self)
{
  const char *refusal = app_study_get_second_refusal (self->study);
  EngTrace *trace = app_picture_get_second (self->picture) != NULL
                      ? app_picture_get_second (self->picture)
                      : app_study_get_trace (self->study);
  EngKind kind = ENG_KIND_ENCODER;

  if (trace != NULL)
    kind = app_picture_get_shown (self->picture) != NULL
               && eng_trace_has_kind (trace, app_picture_get_shown (self->picture)->kind)
             ? app_picture_get_shown (self->picture)->kind
             : eng_trace_get_default_kind (trace);
  ui_compare_bar_set_document (self->compare_bar, app_study_get_document (self->study),
                               trace != NULL ? eng_trace_get_n_layers (trace, kind) : 0);
  ui_compare_bar_set_busy (self->compare_bar, app_study_awaits_second (self->study));
  ui_compare_bar_set_note (self->compare_bar, refusal != NULL ? refusal
                                              : app_picture_get_misfit (self->picture));
}

static void
sync_compare (AppPart *part)
{
  AppComparePart *self = APP_COMPARE_PART (part);
  gboolean has_second = ui_document_has_second_side (app_study_get_document (self->study));

  sync_button (self);
  gtk_widget_set_visible (GTK_WIDGET (self->compare_bar), has_second);
  ui_inspector_set_has_second (self->inspector,
                               has_second && app_picture_get_second (self->picture) != NULL);
  if (has_second)
    sync_bar (self);
}

static void
begin (AppPart *part)
{
  AppComparePart *self = APP_COMPARE_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "compare");
  app_part_place (self, "compare_button", "toolbar_compare");
  app_part_place (self, "compare_bar", "row_compare");
  self->compare_button = app_part_get_object (self, "compare_button");
  self->compare_heads_choice = app_part_get_object (self, "compare_heads_choice");
  self->compare_bar = app_part_get_object (self, "compare_bar");
  self->inspector = app_desk_get_inspector (self->desk);
  app_shortcuts_explain_as (GTK_WIDGET (self->compare_button), "win.compare-menu");
  app_desk_make_room_for (self->desk, GTK_WIDGET (self->compare_bar));
  init_bar (self);
  add_actions (self);
}

static void
app_compare_part_finalize (GObject *object)
{
  g_clear_object (&APP_COMPARE_PART (object)->models);

  G_OBJECT_CLASS (app_compare_part_parent_class)->finalize (object);
}

static void
app_compare_part_class_init (AppComparePartClass *klass)
{
  g_type_ensure (UI_TYPE_COMPARE_BAR);
  G_OBJECT_CLASS (klass)->finalize = app_compare_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_compare;
}

static void
app_compare_part_init (AppComparePart *self)
{
}
