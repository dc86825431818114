/* SPDX-License-Identifier: MIT */
/* What a scene says: what its kind says, or while it holds back only of what it is. */
#include "ui/scene/base/scene-private.h"

#include "ui/scene/base/plain-words.h"
#include "ui/scene/sinks/text.h"

gboolean
ui_scene_may_tell (const UiScene  *self,
                   GError        **error)
{
  if (!self->options.holds_back)
    return TRUE;
  g_set_error_literal (error, UI_ERROR, UI_ERROR_VALUE, UI_SCENE_HELD_BACK);
  return FALSE;
}

char *
ui_scene_describe (const UiScene *self,
                   const UiItem  *item)
{
  if (!ui_scene_has_item (self, item))
    return g_strdup ("");
  if (self->options.holds_back) {
    g_autofree char *markup = ui_plain_hold_back (self, item);

    return ui_text_strip_markup (markup);
  }
  return self->klass->describe (self, item);
}

char *
ui_scene_summarise (const UiScene *self)
{
  g_autofree char *caption = NULL;

  if (!self->options.holds_back)
    return self->klass->summarise (self);
  caption = ui_scene_caption (self);
  return g_strdup_printf ("%s: %s. Answer first.", ui_view_get (self->document->view)->title,
                          caption);
}

char *
ui_scene_legend (const UiScene *self)
{
  return self->klass->legend (self);
}

char *
ui_scene_explain (const UiScene *self)
{
  return self->klass->explain (self);
}

char *
ui_scene_headline (const UiScene *self)
{
  return self->options.holds_back ? ui_plain_hold_back (self, &(UiItem) { 0 })
                                  : self->klass->headline (self);
}

char *
ui_scene_caption (const UiScene *self)
{
  return self->klass->caption (self);
}
