/* SPDX-License-Identifier: MIT */
/* What is pinned: the last that a click in the picture and Escape are meant for. */
#include "app/parts/pins/pins.h"

#include "ui/scene/base/item-pins.h"

struct _AppPinsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
};

G_DEFINE_FINAL_TYPE (AppPinsPart, app_pins_part, APP_TYPE_PART)

static gboolean
click (AppPart      *part,
       const UiItem *item,
       gboolean      extend)
{
  AppPinsPart *self = APP_PINS_PART (part);
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_pins_clear (&document->pins);
  ui_item_pin (item, app_picture_get_scene (self->picture), ui_view_get (document->view), extend,
               &document->pins);
  app_study_change (self->study, document);
  return TRUE;
}

static gboolean
has_pins (AppPinsPart *self)
{
  const UiDocument *shown = app_picture_get_shown (self->picture);

  return shown != NULL && !ui_pins_is_empty (&shown->pins);
}

/* What is still being drawn is taken back first; last what the keys are on. */
static gboolean
escape (AppPart *part)
{
  AppPinsPart *self = APP_PINS_PART (part);
  UiDocument *document;

  if (app_picture_cancel (self->picture))
    return TRUE;
  ui_inspector_let_go_of_pointer (app_desk_get_inspector (self->desk));
  if (!has_pins (self))
    return ui_scene_view_let_go_of_cursor (app_picture_get_view (self->picture));

  document = ui_document_copy (app_study_get_document (self->study));
  ui_pins_clear (&document->pins);
  app_study_change (self->study, document);
  return TRUE;
}

static void
unpin (GSimpleAction *action,
       GVariant      *parameter,
       gpointer       data)
{
  escape (data);
}

static void
sync_part (AppPart *part)
{
  AppPinsPart *self = APP_PINS_PART (part);

  app_desk_set_enabled (self->desk, "unpin",
                        app_picture_get_wanted (self->picture) != NULL || has_pins (self));
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = { { "unpin", unpin } };
  AppPinsPart *self = APP_PINS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
app_pins_part_class_init (AppPinsPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->click = click;
  APP_PART_CLASS (klass)->escape = escape;
}

static void
app_pins_part_init (AppPinsPart *self)
{
}
