/* SPDX-License-Identifier: MIT */
#include "engine/steps/knobs.h"

#include "engine/edits/edit.h"

gboolean
eng_knobs_are_turned (const EngKnobs *self)
{
  return self->has_scale || (self->temperature != 0 && self->temperature != 1)
         || self->mask != ENG_KNOB_MASK_MODELS || self->projections_off || self->zeroes
         || self->positions_off || self->segments_off;
}

static void
add (GPtrArray   *texts,
     gboolean     is_turned,
     EngEdit      edit,
     EngEditType  type)
{
  edit.type = type;
  if (is_turned)
    g_ptr_array_add (texts, eng_edit_to_string (&edit));
}

char **
eng_knobs_to_edits (const EngKnobs *self,
                    EngKind         kind,
                    EngKind         first,
                    int             layer,
                    int             head,
                    gboolean       *whole)
{
  static const EngHeadMask masks[] = {
    [ENG_KNOB_MASK_NONE] = ENG_HEAD_MASK_NONE,
    [ENG_KNOB_MASK_CAUSAL] = ENG_HEAD_MASK_CAUSAL,
    [ENG_KNOB_MASK_PADDING] = ENG_HEAD_MASK_PADDING,
  };
  GPtrArray *texts = g_ptr_array_new ();
  gboolean crosses = kind == ENG_KIND_CROSS, own = self->mask == ENG_KNOB_MASK_OWN;
  EngEdit edit = { .layer = layer, .head = head, .factor = (float) self->scale,
                   .kind = kind == first ? ENG_KIND_NOT_SAID : (int) kind,
                   .mask = own ? ENG_HEAD_MASK_NONE : masks[self->mask],
                   .dimension = self->dimension };

  add (texts, self->has_scale, edit, ENG_EDIT_SCORE_SCALE);
  edit.factor = (float) self->temperature;
  add (texts, self->temperature != 0 && self->temperature != 1, edit, ENG_EDIT_TEMPERATURE);
  add (texts, self->mask != ENG_KNOB_MASK_MODELS && !own, edit, ENG_EDIT_HEAD_MASK);
  add (texts, self->projections_off && !crosses, edit, ENG_EDIT_NO_PROJECTIONS);
  add (texts, self->zeroes, edit, ENG_EDIT_ZERO_DIMENSION);
  add (texts, self->positions_off && !crosses, edit, ENG_EDIT_NO_POSITIONS);
  add (texts, self->segments_off && !crosses, edit, ENG_EDIT_NO_SEGMENTS);
  g_ptr_array_add (texts, NULL);
  if (whole != NULL)
    *whole = !own && !(self->projections_off && crosses);

  return (char **) (gpointer) g_ptr_array_free (texts, FALSE);
}
