/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/head-key.h"

#include "ui/scene/base/edited-heads.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/base/scene-private.h"

static gboolean
shows_head (const UiScene *scene,
            int            head)
{
  for (int i = 0; i < scene->weights.n_heads && scene->weights.n_heads > 1; i++)
    if (scene->weights.heads[i] == head)
      return TRUE;
  return FALSE;
}

/* "3", or "3, 19 (edited)" where there are more heads than colours. */
static void
add_head (UiKey                *self,
          const UiScene *const *scenes,
          int                   n_scenes,
          int                   head)
{
  const UiWeights *shown = NULL;
  gboolean is_edited = FALSE;
  g_autofree char *name = NULL;

  for (int i = 0; i < n_scenes; i++) {
    if (!shows_head (scenes[i], head))
      continue;
    shown = &scenes[i]->weights;
    is_edited |= ui_scene_is_edited (scenes[i], head);
  }
  if (shown == NULL)
    return;

  name = g_strdup_printf (is_edited ? "%d (edited)" : "%d", head);
  ui_key_add_to_color (self, ui_head_color_get (shown, scenes[0]->options.theme, head), name);
}

UiKey *
ui_key_new_for_heads (const UiScene *const *scenes,
                      int                   n_scenes)
{
  g_autoptr (UiKey) self = ui_key_new ("heads");
  int n_heads = 0;

  for (int i = 0; i < n_scenes; i++)
    n_heads = MAX (n_heads, eng_trace_get_n_heads (scenes[i]->trace, scenes[i]->kind));
  for (int head = 0; head < n_heads; head++)
    add_head (self, scenes, n_scenes, head);
  return ui_key_get_n (self) > 1 ? g_steal_pointer (&self) : NULL;
}
