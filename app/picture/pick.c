/* SPDX-License-Identifier: MIT */
/* The one thing that a person is asked to pick in the picture. */
#include "app/picture/picture-private.h"

static void
end_pick (AppPicture *self,
          gboolean    is_cancelled)
{
  AppPick pick = self->pick;

  if (pick.klass == NULL)
    return;

  self->pick = (AppPick) { 0 };
  g_free (pick.prompt);
  if (pick.klass->ended != NULL)
    pick.klass->ended (is_cancelled, pick.data);
  app_picture_tell (self);
}

void
app_picture_begin_pick (AppPicture         *self,
                        const char         *prompt,
                        const AppPickClass *klass,
                        gpointer            data)
{
  end_pick (self, FALSE);
  self->pick = (AppPick) { klass, data, g_strdup (prompt) };
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  app_picture_tell (self);
}

void
app_picture_set_prompt (AppPicture         *self,
                        const char         *prompt,
                        const AppPickClass *klass)
{
  if (self->pick.klass != klass || g_str_equal (self->pick.prompt, prompt))
    return;

  g_free (self->pick.prompt);
  self->pick.prompt = g_strdup (prompt);
  app_picture_tell (self);
}

void
app_picture_end_pick (AppPicture         *self,
                      const AppPickClass *klass)
{
  if (self->pick.klass == klass)
    end_pick (self, FALSE);
}

const char *
app_picture_get_prompt (AppPicture *self)
{
  return self->pick.prompt;
}

gboolean
app_picture_take_click (AppPicture   *self,
                        const UiItem *item)
{
  return self->pick.klass != NULL && self->pick.klass->take (item, self->pick.data);
}

gboolean
app_picture_cancel_pick (AppPicture *self)
{
  if (self->pick.klass == NULL)
    return FALSE;

  end_pick (self, TRUE);
  return TRUE;
}
