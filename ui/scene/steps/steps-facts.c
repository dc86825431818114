/* SPDX-License-Identifier: MIT */
#include "ui/scene/steps/steps-facts.h"

#include "ui/scene/steps/steps-scene.h"

int
ui_steps_get_n (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL ? ui_steps_count (self->way) : 0;
}

int
ui_steps_get_step (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL ? self->place : 0;
}

int
ui_steps_get_stage (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL ? self->step : 0;
}

gboolean
ui_steps_has_all_rows (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL && self->has_all_rows;
}

char *
ui_steps_dup_name (const UiScene *scene,
                   int            step)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  gboolean has_all_rows;
  int stage;

  if (self == NULL || step < 0 || step >= ui_steps_count (self->way))
    return NULL;
  stage = ui_steps_find_stage (self->way, step, &has_all_rows);
  return g_strdup_printf (has_all_rows ? "%s, of all tokens" : "%s",
                          eng_way_get_stage (self->way, stage)->name);
}

int
ui_steps_get_token (const UiScene *scene,
                    EngKind       *kind)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  if (self == NULL)
    return -1;
  *kind = eng_way_get_kind (self->way);
  if (*kind == ENG_KIND_CROSS)
    *kind = ENG_KIND_DECODER;
  return eng_way_get_query (self->way);
}

static gboolean
is_same_number (const UiNumber *a,
                const UiNumber *b)
{
  return a->stage == b->stage && a->matrix == b->matrix && a->row == b->row
         && a->column == b->column;
}

void
ui_steps_look_at (const UiScene *scene,
                  const UiItem  *item,
                  UiDocument    *document)
{
  const UiNumber number = { item->stage, item->matrix, item->row, item->dimension };

  if (!ui_scene_has_item (scene, item))
    return;
  document->number_set = !document->number_set || !is_same_number (&number, &document->number);
  document->number = number;
}

int
ui_steps_find_mask (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const int readings = self != NULL ? eng_way_find (self->way, ENG_PART_ATTENTION,
                                                    ENG_NUMBERS_READINGS, 0) : -1;

  return readings >= 0 ? eng_way_get_numbers (self->way, readings)->stage : -1;
}

gboolean
ui_steps_find_link (const UiScene *scene,
                    const UiItem  *item,
                    int           *query,
                    int           *key)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  UiStepsPlace place;

  if (self == NULL || item->type != UI_ITEM_NUMBER || item->stage != ui_steps_find_mask (scene)
      || !ui_steps_find_place (self, item, &place) || place.numbers < 0)
    return FALSE;
  *query = eng_way_get_numbers (self->way, place.numbers)->first_row + place.row;
  *key = place.column;
  return TRUE;
}

gboolean
ui_steps_is_what_if (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL && eng_way_is_what_if (self->way);
}

int
ui_steps_count_hidden (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  g_autoptr (GArray) hidden = NULL;

  if (self == NULL)
    return 0;
  hidden = ui_document_dup_hidden (scene->document);
  return eng_links_count (hidden, eng_way_get_query_tokens (self->way)->n,
                          eng_way_get_key_tokens (self->way)->n);
}

guint
ui_steps_get_useful_knobs (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL ? eng_way_get_useful_knobs (self->way) : 0;
}

gboolean
ui_steps_has_weights (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL && eng_way_has_weights (self->way);
}

double
ui_steps_get_scale (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const int scaled = self != NULL ? eng_way_find (self->way, ENG_PART_ATTENTION,
                                                  ENG_NUMBERS_SCALED, 0) : -1;

  return scaled >= 0 ? eng_way_get_factor (self->way, scaled) : 1;
}

int
ui_steps_get_n_dimensions (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const int queries = self != NULL ? eng_way_find (self->way, ENG_PART_ATTENTION,
                                                   ENG_NUMBERS_QUERIES, 0) : -1;

  return queries >= 0 ? eng_way_get_numbers (self->way, queries)->columns : 0;
}

gboolean
ui_steps_find_handed (const UiScene *scene,
                      int            stage,
                      UiRect        *rect)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  if (self == NULL || !ui_scene_get_rect (scene, &(UiItem) { .type = UI_ITEM_STAGE,
                                                             .stage = stage }, rect))
    return FALSE;
  for (guint i = 0; i < self->layout.runs->len; i++) {
    const UiStepsRun *run = &g_array_index (self->layout.runs, UiStepsRun, i);

    if ((run->is_mini || (self->has_all_rows && run->is_own))
        && eng_way_get_numbers (self->way, run->numbers)->stage == stage)
      *rect = ui_steps_run_get_rect (run);
  }
  return TRUE;
}

gboolean
ui_steps_is_whole (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  return self != NULL && self->is_whole;
}

int
ui_steps_get_screen (const UiScene *scene,
                     int           *n)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);

  *n = self != NULL ? self->n_screens : 1;
  return self != NULL ? self->screen : 0;
}

double
ui_steps_get_breadth (const UiScene *scene)
{
  return ui_steps_is_whole (scene) && scene->options.view_height <= 0
         ? scene->width / scene->options.width : 1;
}

UiScene *
ui_steps_new_at (const UiScene *scene,
                 int            step)
{
  g_autoptr (UiDocument) document = ui_document_copy (scene->document);
  UiSceneOptions options = scene->options;

  document->step = step;
  options.zoom = 1;
  return ui_scene_new_resized ((UiScene *) scene, document, &options);
}
