/* SPDX-License-Identifier: MIT */
/* Which links of two sides beside each other hardly differ: those are grey; and which differ
 * most. */
#include "ui/scene/views/panels-private.h"

#include "ui/scene/base/describe.h"
#include "ui/scene/head/head-scene.h"
#include "ui/scene/numbers/alignment.h"
#include "ui/scene/numbers/changes.h"

/* Of two runs the same heads of the same layer. */
static gboolean
are_comparable (const UiPanelsScene *self)
{
  const UiScene *first, *second;

  if (!ui_panels_are_sides (self))
    return FALSE;
  first = self->panels[0].scene;
  second = self->panels[1].scene;
  return first->trace != second->trace && first->kind == second->kind
         && (first->layer == second->layer
             || first->weights.block.layers != UI_AGGREGATE_EACH)
         && ui_changes_are_comparable (&first->weights, &second->weights);
}

static void
mark_unchanged (UiPanelsScene *self,
                int            side)
{
  const UiWeights *weights[] = { &self->panels[0].scene->weights, &self->panels[1].scene->weights };
  g_autoptr (GBytes) marks = NULL;
  UiPartners partners;

  ui_partners_init (&partners, weights[0], weights[1], side == 1);
  marks = ui_changes_mark_small (weights[side], weights[!side], &partners);
  ui_partners_clear (&partners);
  ui_head_scene_set_unchanged (self->panels[side].scene, marks);
}

static GArray *
list_changed_links (const UiPanelsScene *self)
{
  const UiScene *first = self->panels[0].scene, *second = self->panels[1].scene;

  return first->kind == second->kind
         ? ui_changes_list_links (&first->weights, &second->weights, UI_N_CHANGED_LINKS) : NULL;
}

void
ui_panels_mark_changes (UiPanelsScene       *self,
                        const UiPanelsScene *resized)
{
  if (resized != NULL && resized->changed_links != NULL)
    self->changed_links = g_array_ref (resized->changed_links);
  else if (resized == NULL && ui_panels_are_sides (self))
    self->changed_links = list_changed_links (self);
  self->marks_changes = ui_view_get (self->panels[0].document->view)->marks_changes
                        && are_comparable (self);
  for (int side = 0; side < 2 && self->marks_changes; side++) {
    GBytes *marks = resized != NULL
                    ? ui_head_scene_get_unchanged (resized->panels[side].scene) : NULL;

    if (marks != NULL)
      ui_head_scene_set_unchanged (self->panels[side].scene, marks);
    else
      mark_unchanged (self, side);
  }
}

static gboolean
has_single (const GArray *aligned)
{
  for (guint i = 0; aligned != NULL && i < aligned->len; i++) {
    const UiAlignedToken *pair = &g_array_index (aligned, UiAlignedToken, i);

    if (pair->first < 0 || pair->second < 0)
      return TRUE;
  }
  return FALSE;
}

/* "0.10" (transfer full) */
static char *
describe_small (const UiPanelsScene *self)
{
  const UiWeights *first = &self->panels[0].scene->weights;

  return ui_describe_value (first, ui_changes_get_small (first, &self->panels[1].scene->weights));
}

void
ui_panels_append_small_change (const UiPanelsScene *self,
                               GString             *text)
{
  g_autofree char *small = self->marks_changes ? describe_small (self) : NULL;

  if (small != NULL)
    g_string_append_printf (text, " Grey: changed by less than %s.", small);
}

void
ui_panels_append_change_rule (const UiPanelsScene *self,
                              GString             *text)
{
  g_autofree char *small = self->marks_changes ? describe_small (self) : NULL;

  if (small == NULL)
    return;
  g_string_append_printf (text, " Grey, under the others: |This − Other| of the same head and the"
                          " same two tokens is less than %s.", small);
  if (has_single (self->panels[1].aligned[0]) || has_single (self->panels[1].aligned[1]))
    g_string_append (text, " Links of tokens that one side alone has keep their colour.");
}
