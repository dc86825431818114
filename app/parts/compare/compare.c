/* SPDX-License-Identifier: MIT */
/* What is compared: the choice, the model of the second side, and the bar that says what that side
 * is. */
#include "app/parts/compare/compare.h"

#include "app/desk/shortcuts.h"
#include "app/store/model-store.h"
#include "app/study/second-side.h"
#include "ui/boxes/fit-box.h"
#include "ui/controls/quiet.h"
#include "ui/controls/state-label.h"
#include "ui/controls/tame-menu.h"
#include "ui/inspector/inspector.h"
#include "ui/sentences/compare-bar.h"

#define HOW_TO_COLLECT "Space or Ctrl+click on a head of the model view collects it"
#define ONE_RUN         "A trace has one run: open a model to compare without its edits"
#define HOW_TO_EDIT    "Nothing is edited: Edit, or the menu of a head, link or token"

struct _AppComparePart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkMenuButton *compare_button;
  UiStateLabel  *compare_label;
  GtkWidget     *compare_edits_choice;
  GtkWidget     *compare_text_choice;
  GtkWidget     *compare_heads_choice;
  GtkWidget     *this_title;
  UiCompareBar  *compare_bar;
  UiInspector   *inspector;

  GMenu *models; /* the section of the models on this computer */
};

G_DEFINE_FINAL_TYPE (AppComparePart, app_compare_part, APP_TYPE_PART)

/* Whether nothing was said of the second side. */
static gboolean
is_alike (const UiDocument *document)
{
  return document->compare_model == NULL && document->compare_trace_file == NULL
         && !document->compare_text_a_set && !document->compare_layer_set
         && !document->compare_heads_set && !document->compare_edits_set;
}

/* Edits that the second side can do without. */
static gboolean
has_edits (const UiDocument *document)
{
  return document->edits[0] != NULL && !ui_document_has_second_trace (document);
}

/* Takes the document over. */
static void
compare (AppComparePart *self,
         UiDocument     *document)
{
  gboolean begins;

  gtk_menu_button_popdown (self->compare_button);
  if (document->compare == UI_COMPARE_HEADS && document->panels.n == 0) {
    app_desk_toast (self->desk, "No heads are collected: " HOW_TO_COLLECT);
    ui_document_free (document);
    return;
  }
  /* The grid has no sides. */
  if (document->compare != UI_COMPARE_OFF && !ui_view_get (document->view)->can_compare)
    document->view = UI_VIEW_HEAD;
  begins = document->compare != UI_COMPARE_OFF
           && app_study_get_document (self->study)->compare == UI_COMPARE_OFF;
  app_study_change (self->study, document);
  if (begins)
    app_picture_bring_into_sight (self->picture);
}

/* With edits the first comparison is of with and without them. */
static void
change_compare (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  AppComparePart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const gboolean was_of_sides = app_second_side_is_compared (document);

  if (!ui_document_set (document, ui_fields_find ("compare"), g_variant_get_string (value, NULL),
                        NULL)) {
    ui_document_free (document);
    return;
  }
  if (app_second_side_is_compared (document) && !was_of_sides && is_alike (document)
      && has_edits (document))
    app_second_side_set_plain (document, TRUE);
  compare (self, document);
}

static void
toggle_difference (GSimpleAction *action,
                   GVariant      *parameter,
                   gpointer       data)
{
  AppComparePart *self = data;
  const gboolean is_difference =
    app_study_get_document (self->study)->compare == UI_COMPARE_DIFFERENCE;

  app_desk_activate (self->desk, "compare",
                     g_variant_new_string (is_difference ? "sides" : "difference"));
}

/* What the second side is to have of its own, where that is chosen. */
static void
compare_with (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppComparePart *self = data;
  const char *what = g_variant_get_string (value, NULL);
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  app_second_side_begin (document, what);
  compare (self, document);
  if (g_str_equal (what, "text"))
    app_desk_activate (self->desk, "second-text", NULL);
  else if (!g_str_equal (what, "edits"))
    ui_compare_bar_choose (self->compare_bar, g_str_equal (what, "model"));
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
  AppFileQuestion question = { "Model of Other", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER };

  app_desk_choose_file (self->desk, &question, self, model_chosen_cb, NULL, NULL);
}

static void
open_trace (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppComparePart *self = data;
  AppFileQuestion question = { "Trace File of Other", GTK_FILE_CHOOSER_ACTION_OPEN };

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
    g_autofree char *shown = ui_menu_label (entry->name);
    g_autoptr (GMenuItem) item = g_menu_item_new (shown, NULL);

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
shortened_cb (AppComparePart *self,
              gboolean        is_long)
{
  app_desk_say_shortened (self->desk, is_long);
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
  g_signal_connect_object (self->compare_bar, "shortened", G_CALLBACK (shortened_cb), self,
                           G_CONNECT_SWAPPED);
}

static void
add_actions (AppComparePart *self)
{
  static const GActionEntry entries[] = {
    { "compare", NULL, "s", "'off'", change_compare },
    { "compare-difference", toggle_difference, NULL, "false" },
    { "compare-with", compare_with, "s" },
    { "compare-menu", show_menu },
    { "compare-model", NULL, "s", "''", change_model },
    { "compare-open-model", open_model },
    { "compare-open-trace", open_trace },
    { "second-text", second_text },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
sync_actions (AppComparePart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  g_autofree char *state = ui_document_get (document, ui_fields_find ("compare"));
  const char *source = document->compare_trace_file != NULL ? document->compare_trace_file
                                                            : document->compare_model;

  app_desk_set_state (self->desk, "compare", g_variant_new_string (state));
  app_desk_set_state (self->desk, "compare-difference",
                      g_variant_new_boolean (document->compare == UI_COMPARE_DIFFERENCE));
  app_desk_set_state (self->desk, "compare-model",
                      g_variant_new_string (source != NULL ? source : ""));
}

static void
sync_button (AppComparePart *self)
{
  static const char *const states[] = {
    [UI_COMPARE_OFF] = NULL,
    [UI_COMPARE_HEADS] = "collected",
    [UI_COMPARE_SIDES] = "side by side",
    [UI_COMPARE_DIFFERENCE] = "difference",
  };
  const UiDocument *document = app_study_get_document (self->study);
  const gboolean has_heads = document->panels.n > 0;
  const gboolean is_trace = ui_document_has_second_trace (document);
  const gboolean is_drawn = ui_view_get (document->view)->can_compare;

  sync_actions (self);
  /* What the picture has no sides for is kept for the other views. */
  ui_state_label_set_state (self->compare_label, is_drawn ? states[document->compare] : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->compare_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ui_state_label_get_text (self->compare_label), -1);
  gtk_widget_set_sensitive (self->compare_heads_choice, has_heads);
  ui_quiet_set_tooltip (self->compare_heads_choice, has_heads ? NULL : HOW_TO_COLLECT);
  gtk_widget_set_sensitive (self->compare_edits_choice, has_edits (document));
  ui_quiet_set_tooltip (self->compare_edits_choice,
                        is_trace ? ONE_RUN : has_edits (document) ? NULL : HOW_TO_EDIT);
  gtk_widget_set_sensitive (self->compare_text_choice, !is_trace);
  ui_quiet_set_tooltip (self->compare_text_choice, is_trace ? UI_COMPARE_BAR_ONE_TEXT : NULL);
  app_desk_set_enabled (self->desk, "second-text", !is_trace);
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
                               app_study_get_trace (self->study),
                               app_study_awaits_second (self->study)
                                 ? NULL : app_study_get_second (self->study),
                               trace != NULL ? eng_trace_get_n_layers (trace, kind) : 0);
  ui_compare_bar_set_busy (self->compare_bar, app_study_awaits_second (self->study));
  ui_compare_bar_set_note (self->compare_bar, refusal != NULL ? refusal
                                              : app_picture_get_misfit (self->picture));
}

/* The texts of both sides stand below each other. */
static void
sync_columns (AppComparePart *self,
              gboolean        has_second)
{
  static const char *const names[] = {
    [UI_COMPARE_BAR_TITLE] = "texts-begin",
    [UI_COMPARE_BAR_GAP] = "texts-gap",
    [UI_COMPARE_BAR_END] = "texts-end",
  };

  app_desk_align (self->desk, "texts-begin", self->this_title, has_second);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    app_desk_align (self->desk, names[i],
                    ui_compare_bar_get_column (self->compare_bar, (UiCompareBarColumn) i),
                    has_second);
}

static void
sync_compare (AppPart *part)
{
  AppComparePart *self = APP_COMPARE_PART (part);
  gboolean has_second = ui_document_has_second_side (app_study_get_document (self->study));

  sync_button (self);
  sync_columns (self, has_second);
  gtk_widget_set_visible (self->this_title, has_second);
  gtk_widget_set_visible (GTK_WIDGET (self->compare_bar), has_second);
  ui_inspector_set_has_second (self->inspector,
                               has_second && app_picture_get_second (self->picture) != NULL);
  ui_inspector_set_changed_heads (self->inspector, app_picture_get_changed_heads (self->picture));
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
  app_part_place (self, "this_title", "sentences_this");
  app_part_place (self, "compare_bar", "row_compare");
  self->compare_button = app_part_get_object (self, "compare_button");
  self->compare_label = app_part_get_object (self, "compare_label");
  self->compare_edits_choice = app_part_get_object (self, "compare_edits_choice");
  self->compare_text_choice = app_part_get_object (self, "compare_text_choice");
  self->this_title = app_part_get_object (self, "this_title");
  self->compare_heads_choice = app_part_get_object (self, "compare_heads_choice");
  self->compare_bar = app_part_get_object (self, "compare_bar");
  self->inspector = app_desk_get_inspector (self->desk);
  app_shortcuts_explain_as (GTK_WIDGET (self->compare_button), "win.compare-menu");
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
  g_type_ensure (UI_TYPE_FIT_BOX);
  g_type_ensure (UI_TYPE_STATE_LABEL);
  G_OBJECT_CLASS (klass)->finalize = app_compare_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_compare;
}

static void
app_compare_part_init (AppComparePart *self)
{
}
