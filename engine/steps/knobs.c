/* SPDX-License-Identifier: MIT */
#include "engine/steps/knobs.h"

#include "engine/edits/edit.h"

gboolean
eng_knobs_are_turned (const EngKnobs *self)
{
  return self->has_scale || (self->temperature != 0 && self->temperature != 1)
         || self->mask != ENG_KNOB_MASK_MODELS || (self->hidden != NULL && self->hidden->len > 0)
         || self->projections_off || self->zeroes
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

/* A mask of one's own is made of what takes links out already. */
static void
add_cuts (GPtrArray    *texts,
          const GArray *hidden,
          EngEdit       edit)
{
  edit.renormalise = TRUE;
  for (guint i = 0; hidden != NULL && i < hidden->len; i++) {
    const EngLinks *links = &g_array_index (hidden, EngLinks, i);

    edit.query = links->query;
    edit.n_more_queries = links->n_more_queries;
    edit.key = links->key;
    edit.n_more_keys = links->n_more_keys;
    add (texts, TRUE, edit, ENG_EDIT_CUT_EDGE);
  }
}

char **
eng_knobs_to_edits (const EngKnobs *self,
                    EngKind         kind,
                    EngKind         first,
                    int             layer,
                    int             head)
{
  static const EngHeadMask masks[] = {
    [ENG_KNOB_MASK_NONE] = ENG_HEAD_MASK_NONE,
    [ENG_KNOB_MASK_CAUSAL] = ENG_HEAD_MASK_CAUSAL,
    [ENG_KNOB_MASK_PADDING] = ENG_HEAD_MASK_PADDING,
  };
  GPtrArray *texts = g_ptr_array_new ();
  gboolean crosses = kind == ENG_KIND_CROSS;
  EngEdit edit = { .layer = layer, .head = head, .factor = (float) self->scale,
                   .kind = kind == first ? ENG_KIND_NOT_SAID : (int) kind,
                   .mask = masks[self->mask], .dimension = self->dimension };

  add (texts, self->has_scale, edit, ENG_EDIT_SCORE_SCALE);
  edit.factor = (float) self->temperature;
  add (texts, self->temperature != 0 && self->temperature != 1, edit, ENG_EDIT_TEMPERATURE);
  add (texts, self->mask != ENG_KNOB_MASK_MODELS, edit, ENG_EDIT_HEAD_MASK);
  add_cuts (texts, self->hidden, edit);
  add (texts, self->projections_off, edit, ENG_EDIT_NO_PROJECTIONS);
  add (texts, self->zeroes, edit, ENG_EDIT_ZERO_DIMENSION);
  add (texts, self->positions_off && !crosses, edit, ENG_EDIT_NO_POSITIONS);
  add (texts, self->segments_off && !crosses, edit, ENG_EDIT_NO_SEGMENTS);
  g_ptr_array_add (texts, NULL);

  return (char **) (gpointer) g_ptr_array_free (texts, FALSE);
}
