/* SPDX-License-Identifier: MIT */
/* How the heads of the map are marked: drawn, edited, best of a pattern, found. */
#include "app/parts/map/map-private.h"

#include "ui/scene/base/edit-words.h"

gboolean
app_map_is_drawn (const UiDocument *shown,
                  int               layer,
                  int               head,
                  int               n_heads)
{
  if (ui_document_has_panels (shown) || ui_view_get (shown->view)->has_all_heads) {
    if (ui_cells_has (&shown->panels, layer, head))
      return TRUE;
    if (ui_document_has_panels (shown))
      return FALSE;
  }
  if (layer != shown->layer || !ui_head_set_has (&shown->heads, head))
    return FALSE;
  if (ui_view_get (shown->view)->has_one_head)
    return head == ui_head_set_first (&shown->heads, n_heads);
  return !ui_view_get (shown->view)->has_all_heads
         || ui_head_set_count (&shown->heads, n_heads) < n_heads;
}

char *
app_map_part_describe_edit (AppMapPart *self,
                            int         layer,
                            int         head)
{
  const EngTrace *trace = ui_head_tiles_get_trace (self->tiles);
  const char *const *edits = eng_trace_get_edits (trace);

  for (int i = 0; edits[i] != NULL; i++) {
    EngEdit edit;

    if (eng_edit_parse (edits[i], &edit, NULL)
        && eng_edit_is_of_head (&edit, layer, head)
        && eng_edit_acts_on (&edit, ui_head_tiles_get_kind (self->tiles),
                             eng_trace_get_default_kind (trace)))
      return ui_edit_describe (&edit, trace);
  }
  return NULL;
}

static gboolean
is_best (AppMapPart *self,
         int         layer,
         int         head)
{
  for (int i = 0; i < self->n_groups; i++)
    if (!self->groups[i].is_shared && self->groups[i].best.layer == layer
        && self->groups[i].best.head == head)
      return TRUE;
  return FALSE;
}

static guint8
get_marks (AppMapPart       *self,
           const UiDocument *shown,
           int               layer,
           int               head)
{
  const EngHeadFacts *facts = ui_head_tiles_get_facts (self->tiles, layer, head);
  g_autofree char *edit = app_map_part_describe_edit (self, layer, head);
  guint8 marks = 0;

  if (app_map_is_drawn (shown, layer, head, ui_head_tiles_get_n_heads (self->tiles)))
    marks |= UI_HEAD_DRAWN;
  if (edit != NULL)
    marks |= UI_HEAD_EDITED;
  if (app_picture_is_asked (self->picture))
    return marks;
  if (is_best (self, layer, head))
    marks |= UI_HEAD_BEST;
  if (self->lit >= 0 && (facts == NULL || (int) facts->label != self->lit))
    marks |= UI_HEAD_OTHER;
  return marks;
}

guint8 *
app_map_part_make_marks (AppMapPart       *self,
                         const UiDocument *shown)
{
  const int n_layers = ui_head_tiles_get_n_layers (self->tiles);
  const int n_heads = ui_head_tiles_get_n_heads (self->tiles);
  guint8 *marks = g_malloc ((gsize) n_layers * n_heads + 1);

  for (int layer = 0; layer < n_layers; layer++)
    for (int head = 0; head < n_heads; head++)
      marks[layer * n_heads + head] = get_marks (self, shown, layer, head);
  return marks;
}

void
app_map_part_mark_others (AppMapPart   *self,
                          const GArray *found,
                          guint8       *marks)
{
  const int n_heads = ui_head_tiles_get_n_heads (self->tiles);
  const int n = ui_head_tiles_get_n_layers (self->tiles) * n_heads;

  for (int i = 0; i < n; i++)
    marks[i] |= UI_HEAD_OTHER;
  for (guint i = 0; i < found->len; i++) {
    const UiFoundHead *one = &g_array_index (found, UiFoundHead, i);

    marks[one->cell.layer * n_heads + one->cell.head] &= (guint8) ~UI_HEAD_OTHER;
  }
}

UiCell
app_map_part_find_drawn (AppMapPart       *self,
                         const UiDocument *shown)
{
  const int n_heads = ui_head_tiles_get_n_heads (self->tiles);

  if (ui_document_has_panels (shown)
      || (!ui_view_get (shown->view)->has_one_head
          && ui_head_set_count (&shown->heads, n_heads) != 1))
    return (UiCell) { -1, -1 };
  return (UiCell) { shown->layer, ui_head_set_first (&shown->heads, n_heads) };
}
