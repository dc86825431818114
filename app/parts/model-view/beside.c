/* SPDX-License-Identifier: MIT */
/* Opening a head in place: its links stand in the inspector, beside the grid, and follow what is
 * chosen there. */
#include "app/parts/model-view/model-view-private.h"

#define DOUBLE_CLICK_US (500 * 1000)

static void
set_open (AppModelViewPart *self,
          gboolean          is_open)
{
  self->is_open = is_open;
  ui_inspector_set_head_open (app_desk_get_inspector (self->desk), is_open);
  app_desk_set_state (self->desk, "head-picture", g_variant_new_string (is_open ? "links" : "map"));
}

static gboolean
has_place (AppModelViewPart *self)
{
  return app_desk_reveals_side (self->desk) && !app_desk_folds_side (self->desk)
         && app_desk_shows_side (self->desk, "inspector");
}

/* A double click on another head has chosen it by its first half: that one opens, too. */
gboolean
app_model_view_open_beside (AppModelViewPart *self,
                            const UiItem     *head)
{
  const gboolean is_new = g_get_monotonic_time () - self->selected_at < DOUBLE_CLICK_US;

  if (!has_place (self) || (self->is_open && !is_new))
    return FALSE;

  app_model_view_select (self, head);
  self->selected_at = 0;
  set_open (self, TRUE);
  return TRUE;
}

gboolean
app_model_view_close_beside (AppModelViewPart *self)
{
  if (!self->is_open)
    return FALSE;

  set_open (self, FALSE);
  return TRUE;
}

static void
change_picture (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  set_open (data, g_str_equal (g_variant_get_string (value, NULL), "links"));
}

/* Tokens of the head are pinned, as in the head view; the same link once more is let go. */
static void
clicked_cb (AppModelViewPart *self,
            const UiItem     *item,
            gboolean          extend)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  UiPins *pins = &document->pins;

  if (item->type == UI_ITEM_LINK) {
    const gboolean is_pinned = pins->n_queries == 1 && pins->n_keys == 1
                               && ui_pins_has (pins, FALSE, item->query)
                               && ui_pins_has (pins, TRUE, item->key);

    ui_pins_clear (pins);
    if (!is_pinned) {
      ui_pins_click (pins, FALSE, item->query, TRUE);
      ui_pins_click (pins, TRUE, item->key, TRUE);
    }
  } else {
    ui_pins_click (pins, item->type == UI_ITEM_KEY,
                   item->type == UI_ITEM_KEY ? item->key : item->query, extend);
  }
  app_study_change (self->study, document);
  set_open (self, TRUE);
}

void
app_model_view_init_beside (AppModelViewPart *self)
{
  static const GActionEntry entries[] = {
    { "head-picture", NULL, "s", "'map'", change_picture },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (app_desk_get_inspector (self->desk), "head-clicked",
                           G_CALLBACK (clicked_cb), self, G_CONNECT_SWAPPED);
}
