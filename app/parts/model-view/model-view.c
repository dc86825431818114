/* SPDX-License-Identifier: MIT */
/* The model view in the window: selecting, opening and collecting heads, and their order. What
 * heads are sorted by is computed once for each trace, beside the window where that takes longer
 * than a moment. */
#include "app/parts/model-view/model-view-private.h"

#include "app/desk/shortcuts.h"
#include "app/study/edit-list.h"
#include "app/study/second-side.h"
#include "engine/base/error.h"
#include "ui/boxes/wrap-box.h"
#include "ui/controls/state-label.h"
#include "ui/document/fit.h"
#include "ui/scene/model/model-facts.h"

/* Weights of a trace whose facts are there within a frame. */
#define LIGHT (1 << 19)

G_DEFINE_FINAL_TYPE (AppModelViewPart, app_model_view_part, APP_TYPE_PART)

typedef struct {
  EngTrace *trace;
  EngKind   kind;
} Preparation;

static void
free_preparation (gpointer data)
{
  Preparation *self = data;

  eng_trace_unref (self->trace);
  g_free (self);
}

static gpointer
prepare (AppJob    *job,
         gpointer   data,
         GError   **error)
{
  const Preparation *self = data;

  if (ui_model_prepare (self->trace, self->kind, app_job_get_cancel (job), app_job_report_parts,
                        job))
    return eng_trace_ref (self->trace);

  g_set_error (error, ENG_ERROR, ENG_ERROR_CANCELLED,
               "The patterns of the heads were not measured");
  return NULL;
}

static gboolean
has_facts (AppModelViewPart *self,
           EngKind           kind)
{
  return self->facts_trace == app_study_get_trace (self->study) && self->facts_kind == kind;
}

static void
keep_facts (AppModelViewPart *self,
            EngTrace         *trace,
            EngKind           kind)
{
  eng_trace_ref (trace);
  g_clear_pointer (&self->facts_trace, eng_trace_unref);
  self->facts_trace = trace;
  self->facts_kind = kind;
}

static UiOrder
get_order (AppModelViewPart *self)
{
  return ui_fit_get_order (app_study_get_document (self->study), app_study_get_trace (self->study));
}

static void
set_order (AppModelViewPart *self,
           UiOrder           order)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  document->order_set = TRUE;
  document->order = order;
  app_study_change (self->study, document);
}

/* A person who cancels wants the grid. */
static void
prepared (AppJob       *job,
          gpointer      result,
          const GError *error,
          gpointer      data)
{
  AppModelViewPart *self = data;
  EngKind kind = self->preparing_kind;
  g_autoptr (EngTrace) trace = result;

  app_desk_end_job (self->desk);
  if (trace != NULL) {
    if (trace == app_study_get_trace (self->study))
      keep_facts (self, trace, kind);
    app_desk_refresh (self->desk);
    return;
  }
  if (get_order (self) != UI_ORDER_LAYER)
    set_order (self, UI_ORDER_LAYER);
}

/* Sees to it that the facts of the heads will be there; whether they are. */
static gboolean
ensure_facts (AppModelViewPart *self,
              EngKind           kind)
{
  static const AppJobClass klass = {
    .run = prepare,
    .done = prepared,
    .free_result = (GDestroyNotify) eng_trace_unref,
    .free_data = free_preparation,
  };
  Preparation *preparation;

  if (has_facts (self, kind))
    return TRUE;
  if (!eng_trace_is_complete (app_study_get_trace (self->study)))
    return FALSE;
  if (eng_trace_count_weights (app_study_get_trace (self->study), kind) <= LIGHT) {
    ui_model_prepare (app_study_get_trace (self->study), kind, NULL, NULL, NULL);
    keep_facts (self, app_study_get_trace (self->study), kind);
    return TRUE;
  }
  /* What runs already was asked for before. */
  if (app_desk_has_job (self->desk))
    return FALSE;
  preparation = g_new (Preparation, 1);
  *preparation = (Preparation) { eng_trace_ref (app_study_get_trace (self->study)), kind };
  self->preparing_kind = kind;
  app_desk_start_job (self->desk, "Measuring the patterns of the heads", &klass, preparation, self);
  return FALSE;
}

/* What the heads will be sorted by. */
static void
prepare_order (AppPart *part)
{
  AppModelViewPart *self = APP_MODEL_VIEW_PART (part);
  const UiDocument *document = app_study_get_document (self->study);
  EngTrace *trace = app_study_get_trace (self->study);
  EngKind kind;

  if (self->facts_trace != trace)
    g_clear_pointer (&self->facts_trace, eng_trace_unref);
  if (trace == NULL || !app_picture_sorts_heads (document, trace))
    return;
  kind = ui_fit_get_kind (document, trace);
  if (ensure_facts (self, kind))
    app_picture_allow_order (self->picture, trace, kind);
}

void
app_model_view_change_panels (AppModelViewPart *self,
                              UiDocument       *document)
{
  if (document->panels.n == 0 && document->compare == UI_COMPARE_HEADS)
    document->compare = UI_COMPARE_OFF;
  app_study_change (self->study, document);
}

static void
collect_head (AppModelViewPart *self,
              const UiItem     *item)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_cells_toggle (&document->panels, item->layer, item->head);
  app_model_view_change_panels (self, document);
}

/* In the view of links, alone. */
static void
open_head (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppModelViewPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  int layer, head;

  g_variant_get (parameter, "(ii)", &layer, &head);
  document->view = UI_VIEW_HEAD;
  ui_document_show_head (document, layer, head);
  app_study_change (self->study, document);
}

/* Its own action, for a button. */
static void
collect (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  UiItem item = { .type = UI_ITEM_HEAD };

  g_variant_get (parameter, "(ii)", &item.layer, &item.head);
  collect_head (data, &item);
}

/* (transfer full) "zero 2.9" behind the edits that there are. */
static char **
add_zero (AppModelViewPart *self,
          int               layer,
          int               head)
{
  EngTrace *trace = app_study_get_trace (self->study);
  const UiDocument *document = app_study_get_document (self->study);
  const EngKind kind = ui_fit_get_kind (document, trace);
  const EngKind first = eng_trace_get_default_kind (trace);
  g_autofree char *edit = g_strdup_printf ("zero%s%s %d.%d", kind == first ? "" : " ",
                                           kind == first ? "" : eng_kind_get_name (kind), layer,
                                           head);
  GPtrArray *edits = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; document->edits[i] != NULL; i++)
    g_ptr_array_add (edits, g_strdup (document->edits[i]));
  app_edit_list_add (edits, edit, first);
  g_ptr_array_add (edits, NULL);
  return (char **) g_ptr_array_free (edits, FALSE);
}

/* The head in the view of links without an edit, and with it: one step. */
static void
ask_what_if_zero (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       data)
{
  AppModelViewPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  int layer, head;

  g_variant_get (parameter, "(ii)", &layer, &head);
  document->view = UI_VIEW_HEAD;
  ui_document_show_head (document, layer, head);
  g_strfreev (document->edits);
  document->edits = add_zero (self, layer, head);
  app_second_side_begin (document, "edits");
  app_study_change (self->study, document);
  app_picture_bring_into_sight (self->picture);
}

static void
activated_cb (AppModelViewPart *self,
              const UiItem     *item)
{
  if (!app_picture_take_click (self->picture, item)
      && !app_model_view_open_beside (self, item))
    app_desk_activate (self->desk, "open-head",
                       g_variant_new ("(ii)", item->layer, item->head));
}

static void
item_menu_cb (AppModelViewPart *self,
              const UiItem     *item,
              GMenu            *menu)
{
  g_autoptr (GMenuItem) open = g_menu_item_new ("Open in Heads", NULL);
  g_autoptr (GMenu) section = g_menu_new ();

  if (item->type != UI_ITEM_HEAD
      || !ui_view_get (app_study_get_document (self->study)->view)->has_all_heads)
    return;

  g_menu_item_set_action_and_target (open, "win.open-head", "(ii)", item->layer, item->head);
  g_menu_append_item (section, open);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
order_selected_cb (AppModelViewPart *self)
{
  if (!app_desk_is_syncing (self->desk))
    set_order (self, (UiOrder) gtk_drop_down_get_selected (self->order_choice));
}

static void
init_controls (AppModelViewPart *self)
{
  g_signal_connect_swapped (self->order_choice, "notify::selected", G_CALLBACK (order_selected_cb),
                            self);
  app_shortcuts_explain_as (GTK_WIDGET (self->order_choice), "win.order::pattern");
}

static void
sync_model_view (AppPart *part)
{
  AppModelViewPart *self = APP_MODEL_VIEW_PART (part);
  gboolean is_grid = ui_view_get (app_study_get_document (self->study)->view)->has_all_heads;

  gtk_widget_set_visible (self->model_controls, is_grid);
  gtk_drop_down_set_selected (self->order_choice, get_order (self));
  /* Of a rollout every layer has but one map. */
  gtk_widget_set_sensitive (GTK_WIDGET (self->order_choice),
                            app_study_get_document (self->study)->measure != ENG_MEASURE_ROLLOUT);
  app_desk_set_enabled (self->desk, "what-if-zero", app_study_has_texts (self->study));
  app_model_view_sync_collected (self);
}

static void
follow_document (AppPart *part)
{
  app_model_view_follow_document (APP_MODEL_VIEW_PART (part));
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = {
    { "open-head", open_head, "(ii)" },
    { "collect-head", collect, "(ii)" },
    { "what-if-zero", ask_what_if_zero, "(ii)" },
  };
  AppModelViewPart *self = APP_MODEL_VIEW_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "model-view");
  app_part_place (self, "model_controls", "show_order");
  app_part_place (self, "collected_place", "caption_chips");
  self->model_controls = app_part_get_object (self, "model_controls");
  self->order_choice = app_part_get_object (self, "order_choice");
  app_model_view_init_collected (self);
  init_controls (self);
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->desk, "item-menu", G_CALLBACK (item_menu_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app_picture_get_view (self->picture), "activated",
                           G_CALLBACK (activated_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (app_picture_get_view (self->picture), "cursor-moved",
                           G_CALLBACK (app_model_view_follow_cursor), self, G_CONNECT_SWAPPED);
  app_model_view_init_beside (self);
}

static gboolean
click_part (AppPart      *part,
            const UiItem *item,
            gboolean      extend)
{
  if (item->type != UI_ITEM_HEAD)
    return FALSE;

  if (extend)
    collect_head (APP_MODEL_VIEW_PART (part), item);
  else
    app_model_view_select (APP_MODEL_VIEW_PART (part), item);
  return TRUE;
}

static gboolean
escape_part (AppPart *part)
{
  AppModelViewPart *self = APP_MODEL_VIEW_PART (part);

  if (!self->was_grid || !app_model_view_close_beside (self))
    return app_model_view_deselect (self);
  app_model_view_keep_selected (self);
  return TRUE;
}

static void
app_model_view_part_finalize (GObject *object)
{
  AppModelViewPart *self = APP_MODEL_VIEW_PART (object);

  g_clear_pointer (&self->facts_trace, eng_trace_unref);
  G_OBJECT_CLASS (app_model_view_part_parent_class)->finalize (object);
}

static void
app_model_view_part_class_init (AppModelViewPartClass *klass)
{
  g_type_ensure (UI_TYPE_STATE_LABEL);
  g_type_ensure (UI_TYPE_WRAP_BOX);
  G_OBJECT_CLASS (klass)->finalize = app_model_view_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->prepare = prepare_order;
  APP_PART_CLASS (klass)->sync = sync_model_view;
  APP_PART_CLASS (klass)->work = follow_document;
  APP_PART_CLASS (klass)->click = click_part;
  APP_PART_CLASS (klass)->escape = escape_part;
}

static void
app_model_view_part_init (AppModelViewPart *self)
{
}
