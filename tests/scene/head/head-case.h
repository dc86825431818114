/* SPDX-License-Identifier: MIT */
/* Scenes of the head view, and the links that one draws. */
#pragma once

#include "ui/scene/head/head-scene.h"

#include <math.h>

#include "tests/support/fields.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"

static const UiSceneOptions window = {
  .theme = UI_THEME_LIGHT, .width = 992, .view_height = 560, .text_scale = 1
};

static const char *const words_a[] = { "the", "cat", "sat", NULL };
static const char *const words_b[] = { "fox", "in", "vast", "##ern", "##or", NULL };

static inline double
get_weight (EngTrace *trace,
            int       head,
            int       query,
            int       key)
{
  return scene_trace_weight (trace, ENG_KIND_ENCODER, head, query, key);
}

/* Collects the links of a drawing. */
static inline void
collect (const UiLink *link,
         gpointer      data)
{
  g_array_append_val ((GArray *) data, *link);
}

static inline GArray *
get_links (const UiScene *scene,
           const UiRect  *clip)
{
  const UiHeadScene *self = (const UiHeadScene *) scene;
  GArray *links = g_array_new (FALSE, FALSE, sizeof (UiLink));
  UiHeadField field;

  ui_head_field_init_for (&field, self, &scene->document->pins);
  field.field.foreach (&field.field, clip != NULL ? clip : &field.field.bounds, collect, links);
  ui_head_field_clear (&field);
  return links;
}

/* Which rows a link joins, from its ends: the fan of twelve heads stays within its row. */
static inline void
find_ends (const UiScene *scene,
           const UiLink  *link,
           int           *query,
           int           *key)
{
  const UiHeadLayout *layout = &((const UiHeadScene *) scene)->layout;

  *query = ui_head_layout_find_row (layout, UI_SIDE_QUERIES, link->y0);
  *key = ui_head_layout_find_row (layout, UI_SIDE_KEYS, link->y1);
  g_assert_cmpint (*query, >=, 0);
  g_assert_cmpint (*key, >=, 0);
  g_assert_cmpfloat (fabs (link->y0 - layout->columns[UI_SIDE_QUERIES].y[*query]), <=, 6.001);
}
