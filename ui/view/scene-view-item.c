/* SPDX-License-Identifier: MIT */
/* What the reader is at, and what of it stands out. */
#include "ui/view/scene-view-private.h"

#define MARGIN 6 /* pixels of what is beside an item that is scrolled to */

static const UiItem no_item = { .type = UI_ITEM_NONE };

gboolean
ui_scene_view_is_same_item (const UiItem *a,
                            const UiItem *b)
{
  if (a->type == UI_ITEM_NONE || b->type == UI_ITEM_NONE)
    return a->type == b->type;

  return a->type == b->type && a->head == b->head && a->query == b->query && a->key == b->key &&
         a->dimension == b->dimension && a->layer == b->layer && a->pattern == b->pattern
         && a->stage == b->stage && a->matrix == b->matrix && a->row == b->row;
}

static void
announce (UiSceneView *self,
          const char  *sentence)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence,
                                  -1);
}

static gboolean
is_hovered (UiSceneView *self)
{
  return self->pointer_leads && self->hover.type != UI_ITEM_NONE;
}

gboolean
ui_scene_view_shows_aim (UiSceneView *self)
{
  return self->aim.type != UI_ITEM_NONE && !is_hovered (self);
}

/* A token of what the view rests on says no more than that. */
static gboolean
is_of_rest (const UiSceneView *self,
            const UiItem      *item)
{
  const UiItem *rest = &self->rest;

  return rest->type != UI_ITEM_NONE
         && (item->type == UI_ITEM_NONE
             || (item->type == UI_ITEM_QUERY && item->query == rest->query)
             || (item->type == UI_ITEM_KEY && item->key == rest->key));
}

static const UiItem *
find_shown (UiSceneView *self)
{
  const UiItem *item = ui_scene_view_get_item (self);

  if (ui_scene_view_shows_aim (self))
    return &self->aim;
  return is_of_rest (self, item) ? &self->rest : item;
}

/* Follows hover and cursor: sentence, overlay and accessible description of what the reader is
 * at. */
void
ui_scene_view_update_shown (UiSceneView *self)
{
  const UiItem *item = find_shown (self);

  if (ui_scene_view_is_same_item (item, &self->shown))
    return;

  self->shown = *item;
  if (item->type != UI_ITEM_NONE) {
    g_autofree char *sentence = ui_scene_describe (self->scene, item);

    announce (self, sentence);
  } else {
    ui_scene_view_drop_overlays (self);
    announce (self, "");
  }

  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What the reader is at follows the pointer, the cursor, and which of them leads. */
void
ui_scene_view_tell_item (UiSceneView *self)
{
  const UiItem item = *ui_scene_view_get_item (self);

  if (ui_scene_view_is_same_item (&item, &self->told))
    return;
  self->told = item;
  ui_scene_view_emit_hovered (self);
}

void
ui_scene_view_set_hover (UiSceneView  *self,
                         const UiItem *item)
{
  const gboolean has_changed = !ui_scene_view_is_same_item (item, &self->hover);

  self->hover = *item;
  if (has_changed || self->pointer_leads)
    ui_scene_view_tell_item (self);
  ui_scene_view_update_shown (self);
  /* What a movement hid comes back. */
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ui_scene_view_shows_item (UiSceneView *self)
{
  const gboolean is_hover = self->pointer_leads && !ui_scene_view_shows_aim (self);

  return self->shown.type != UI_ITEM_NONE && !(is_hover && self->scroll_rest != 0);
}

static void
scroll_to (UiSceneView    *self,
           GtkOrientation  orientation,
           double          start,
           double          end)
{
  if (self->adjustments[orientation] != NULL)
    gtk_adjustment_clamp_page (self->adjustments[orientation], start, end);
}

void
ui_scene_view_show_item (UiSceneView  *self,
                         const UiItem *item)
{
  UiRect rect;
  double margin;

  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (self->scene == NULL || !ui_scene_get_rect (self->scene, item, &rect))
    return;

  /* The plate of a token is higher than a low row. */
  margin = MIN (rect.height, MARGIN);
  /* What stands right below the header, or beside the band at the left, is hidden by it. */
  scroll_to (self, GTK_ORIENTATION_HORIZONTAL, rect.x - ui_scene_get_left_band (self->scene),
             rect.x + rect.width);
  scroll_to (self, GTK_ORIENTATION_VERTICAL, rect.y - ui_scene_view_get_header (self) - margin,
             rect.y + rect.height + margin);
}

void
ui_scene_view_move_cursor (UiSceneView  *self,
                           const UiItem *item)
{
  const gboolean moved = !ui_scene_view_is_same_item (item, &self->cursor);

  self->cursor = *item;
  self->cursor_shows = TRUE;
  self->pointer_leads = FALSE;
  ui_scene_view_show_item (self, &self->cursor);
  ui_scene_view_update_shown (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (moved) {
    self->told = *ui_scene_view_get_item (self);
    ui_scene_view_emit_cursor_moved (self);
  }
  ui_scene_view_tell_item (self);
}

void
ui_scene_view_forget_shown (UiSceneView *self)
{
  self->shown = no_item;
  ui_scene_view_drop_overlays (self);
}

const UiItem *
ui_scene_view_get_item (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), &no_item);

  if (is_hovered (self))
    return &self->hover;
  if (self->cursor_shows && !self->pointer_leads && gtk_widget_has_focus (GTK_WIDGET (self)))
    return &self->cursor;

  return &no_item;
}

const UiItem *
ui_scene_view_get_hovered (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), &no_item);

  return is_hovered (self) ? &self->hover : &no_item;
}

const UiItem *
ui_scene_view_get_cursor (UiSceneView *self)
{
  g_return_val_if_fail (UI_IS_SCENE_VIEW (self), &no_item);

  return &self->cursor;
}

void
ui_scene_view_find_item (UiSceneView *self,
                         double       x,
                         double       y,
                         UiItem      *item)
{
  const UiRect area = ui_scene_view_get_area (self);
  const double scene_x = x < ui_scene_view_get_left_band (self) ? x : x + area.x;
  const double scene_y = y < ui_scene_view_get_header (self) ? y : y + area.y;

  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (self->scene == NULL || !ui_scene_hit (self->scene, scene_x, scene_y, item))
    *item = no_item;
}

void
ui_scene_view_set_cursor (UiSceneView  *self,
                          const UiItem *item)
{
  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (self->scene == NULL)
    return;
  ui_scene_view_move_cursor (self, item);
  /* The keys are elsewhere, and may come back by themselves. */
  self->cursor_shows = gtk_widget_is_focus (GTK_WIDGET (self));
}

void
ui_scene_view_set_aim (UiSceneView  *self,
                       const UiItem *item)
{
  UiRect rect;

  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  self->aim = self->scene != NULL && item->type != UI_ITEM_NONE
              && ui_scene_get_rect (self->scene, item, &rect) ? *item : no_item;
  /* A pointer at rest does not hide what keys aim at. */
  if (self->aim.type != UI_ITEM_NONE)
    self->pointer_leads = FALSE;
  ui_scene_view_update_shown (self);
}

void
ui_scene_view_set_rest (UiSceneView  *self,
                        const UiItem *item)
{
  UiRect rect;
  const UiItem rest = self->scene != NULL && item->type != UI_ITEM_NONE
                      && ui_scene_get_rect (self->scene, item, &rect) ? *item : no_item;

  g_return_if_fail (UI_IS_SCENE_VIEW (self));

  if (ui_scene_view_is_same_item (&rest, &self->rest))
    return;
  self->rest = rest;
  ui_scene_view_update_shown (self);
  ui_scene_view_emit_hovered (self);
}
