/* SPDX-License-Identifier: MIT */
#include "ui/document/fed-forward.h"

static const char *const fields[] = {
  "if-scale", "if-temperature", "if-mask", "if-no-projections", "if-dimension", "if-no-positions",
  "if-no-segments",
};

/* As the pass takes them. (transfer full) of EngEdit. */
static GArray *
collect (const UiDocument *self,
         int               kind,
         int               head)
{
  static const EngHeadMask masks[] = {
    [UI_IF_MASK_NONE] = ENG_HEAD_MASK_NONE, [UI_IF_MASK_CAUSAL] = ENG_HEAD_MASK_CAUSAL,
    [UI_IF_MASK_PADDING] = ENG_HEAD_MASK_PADDING,
  };
  const gboolean has_mask = self->if_mask != UI_IF_MASK_MODEL && self->if_mask != UI_IF_MASK_OWN;
  const struct { EngEditType type; gboolean is_on; double factor; } knobs[] = {
    { ENG_EDIT_SCORE_SCALE, self->if_scale_set, self->if_scale },
    { ENG_EDIT_TEMPERATURE, self->if_temperature != 1, self->if_temperature },
    { ENG_EDIT_HEAD_MASK, has_mask, 0 },
    { ENG_EDIT_NO_PROJECTIONS, self->if_projections_off, 0 },
    { ENG_EDIT_ZERO_DIMENSION, self->if_dimension_set, 0 },
    { ENG_EDIT_NO_POSITIONS, self->if_positions_off, 0 },
    { ENG_EDIT_NO_SEGMENTS, self->if_segments_off, 0 },
  };
  GArray *edits = g_array_new (FALSE, TRUE, sizeof (EngEdit));

  for (gsize i = 0; i < G_N_ELEMENTS (knobs); i++) {
    const EngEdit edit = {
      .type = knobs[i].type, .layer = self->layer, .head = head, .kind = kind,
      .factor = (float) knobs[i].factor, .dimension = self->if_dimension,
      .mask = has_mask ? masks[self->if_mask] : ENG_HEAD_MASK_NONE,
    };

    if (knobs[i].is_on)
      g_array_append_val (edits, edit);
  }
  return edits;
}

gboolean
ui_document_feed_forward (UiDocument *self,
                          int         kind,
                          int         head)
{
  const gboolean keeps_mask = self->if_mask == UI_IF_MASK_OWN;
  g_autoptr (GArray) edits = collect (self, kind, head);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (edits->len == 0)
    return FALSE;
  g_strv_builder_addv (builder, (const char **) self->edits);
  for (guint i = 0; i < edits->len; i++) {
    g_autofree char *text = eng_edit_to_string (&g_array_index (edits, EngEdit, i));

    g_strv_builder_add (builder, text);
  }
  g_strfreev (self->edits);
  self->edits = g_strv_builder_end (builder);
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    const UiField *field = ui_fields_find (fields[i]);

    ui_document_set (self, field, field->fallback, NULL);
  }
  if (keeps_mask)
    self->if_mask = UI_IF_MASK_OWN;
  return TRUE;
}
