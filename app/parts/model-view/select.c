/* SPDX-License-Identifier: MIT */
/* The head that was chosen in the grid. It is the document's, so that the grid marks it, the map
 * frames it, and other views show it; that the inspector stays with it is this part's. */
#include "app/parts/model-view/model-view-private.h"

static void
set_selected (AppModelViewPart *self,
              const UiItem     *head)
{
  self->selected = *head;
  ui_inspector_set_selected (app_desk_get_inspector (self->desk), head);
}

void
app_model_view_select (AppModelViewPart *self,
                       const UiItem     *head)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  if (head->layer != self->selected.layer || head->head != self->selected.head
      || self->selected.type != UI_ITEM_HEAD)
    self->selected_at = g_get_monotonic_time ();
  set_selected (self, head);
  ui_document_show_head (document, head->layer, head->head);
  app_study_change (self->study, document);
}

void
app_model_view_follow_cursor (AppModelViewPart *self,
                              const UiItem     *cursor)
{
  self->had_cursor |= cursor->type == UI_ITEM_HEAD;
  if (!self->is_open)
    app_model_view_deselect (self);
  else if (cursor->type == UI_ITEM_HEAD)
    set_selected (self, cursor);
}

gboolean
app_model_view_deselect (AppModelViewPart *self)
{
  if (self->selected.type == UI_ITEM_NONE)
    return FALSE;

  set_selected (self, &(UiItem) { .type = UI_ITEM_NONE });
  return TRUE;
}

/* The document's one head; -1 = several. */
static int
get_marked_head (AppModelViewPart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  EngTrace *trace = app_study_get_trace (self->study);
  const UiDocument *shown = app_picture_get_shown (self->picture);
  int n_heads;

  if (trace == NULL || shown == NULL || !eng_trace_has_kind (trace, shown->kind))
    return -1;
  n_heads = eng_trace_get_n_heads (trace, shown->kind);
  return ui_head_set_count (&document->heads, n_heads) == 1
         ? ui_head_set_first (&document->heads, n_heads) : -1;
}

/* Of a rollout every layer is a cell. */
static gboolean
is_selected (AppModelViewPart *self,
             int               layer,
             int               head)
{
  return self->selected.type == UI_ITEM_HEAD && self->selected.layer == layer
         && (self->selected.head == head
             || app_study_get_document (self->study)->measure == ENG_MEASURE_ROLLOUT);
}

/* What Return opens is what the inspector tells of and the frame is around, once the keyboard has been
 * in the grid. */
static void
place_cursor (AppModelViewPart *self,
              const UiItem     *head)
{
  UiSceneView *view = app_picture_get_view (self->picture);
  const UiItem *cursor = ui_scene_view_get_cursor (view);

  const gboolean is_other = cursor->layer != head->layer || cursor->head != head->head;

  if (cursor->type == UI_ITEM_HEAD ? is_other : self->had_cursor)
    ui_scene_view_set_cursor (view, head);
}

void
app_model_view_keep_selected (AppModelViewPart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  const UiItem selected = self->selected;

  if (selected.type == UI_ITEM_HEAD
      && (document->layer != selected.layer || get_marked_head (self) != selected.head))
    app_model_view_select (self, &selected);
}

void
app_model_view_follow_document (AppModelViewPart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  const UiDocument *shown = app_picture_get_shown (self->picture);
  const gboolean is_grid = ui_view_get (document->view)->has_all_heads;
  const int head = get_marked_head (self);
  const gboolean is_other = head != self->marked_head || document->layer != self->marked_layer;

  const gboolean shows_grid = is_grid && shown != NULL && ui_view_get (shown->view)->has_all_heads;

  if (shows_grid && head >= 0 && (is_other || !self->showed_grid))
    place_cursor (self, &(UiItem) { .type = UI_ITEM_HEAD, .layer = document->layer, .head = head });
  if (!is_grid)
    app_model_view_deselect (self);
  else if (self->was_grid && is_other && !is_selected (self, document->layer, head))
    set_selected (self, &(UiItem) { .type = UI_ITEM_HEAD, .layer = document->layer,
                                    .head = ui_head_set_first (&document->heads, UI_MAX_HEADS) });
  self->was_grid = is_grid;
  self->showed_grid = shows_grid;
  self->marked_layer = document->layer;
  self->marked_head = head;
}
