/* SPDX-License-Identifier: MIT */
#include "ui/scene/steps/steps-scene.h"

#include <math.h>

#include "engine/steps/of-trace.h"

#define HEADER_PART 0.4 /* of a window's height */
/* Before people, at 100 % text: name, sentence and headings of a step, what explains a number of it
 * with its check, a row, rows of a part of it at most. */
#define STAGE_HEAD 110.0
#define STAGE_FOOT 190.0
#define STAGE_ROW 22.0
#define STAGE_ROWS 11

static void
steps_scene_finalize (UiScene *scene)
{
  UiStepsScene *self = (UiStepsScene *) scene;

  ui_steps_layout_clear (&self->layout);
  g_clear_pointer (&self->diagram, eng_diagram_free);
}

gboolean
ui_steps_is_hidden (double value)
{
  return !isfinite (value);
}

static gboolean
has_place (const EngWay       *way,
           const UiStepsPlace *place)
{
  const EngNumbers *numbers;

  if (place->numbers < 0 || place->numbers >= eng_way_get_n_numbers (way))
    return FALSE;
  numbers = eng_way_get_numbers (way, place->numbers);
  return place->row >= 0 && place->row < numbers->rows && place->column >= 0
         && place->column < numbers->columns;
}

UiStepsPlace
ui_steps_find_number (const EngWay   *way,
                      const UiNumber *number)
{
  UiStepsPlace place = { -1, number->row, number->column };

  if (number->stage >= 0 && number->stage < eng_way_get_n_stages (way)) {
    const EngStage *stage = eng_way_get_stage (way, number->stage);

    if (number->matrix >= 0 && number->matrix < stage->n)
      place.numbers = stage->first + number->matrix;
  }
  if (!has_place (way, &place))
    place.numbers = -1;
  return place;
}

gboolean
ui_steps_find_place (const UiStepsScene *self,
                     const UiItem       *item,
                     UiStepsPlace       *place)
{
  const UiNumber number = { item->stage, item->matrix, item->row, item->dimension };

  *place = item->type == UI_ITEM_NUMBER ? ui_steps_find_number (self->way, &number)
                                        : (UiStepsPlace) { -1, 0, 0 };
  return place->numbers >= 0;
}

UiItem
ui_steps_make_item (const UiStepsScene *self,
                    const UiStepsPlace *place)
{
  const int stage = eng_way_get_numbers (self->way, place->numbers)->stage;

  return (UiItem) {
    .type = UI_ITEM_NUMBER, .stage = stage, .row = place->row, .dimension = place->column,
    .matrix = place->numbers - eng_way_get_stage (self->way, stage)->first,
  };
}

static gboolean
is_of_token (const EngNumbers *numbers)
{
  return !numbers->is_weights && numbers->formula != ENG_FORMULA_GIVEN
         && (numbers->row_axis == ENG_AXIS_QUERIES || numbers->row_axis == ENG_AXIS_ONE);
}

/* What the stage hands on, where that is the token's own; else what else it makes of the token. */
static int
find_own (const UiStepsScene *self,
          int                 index)
{
  const EngStage *stage = eng_way_get_stage (self->way, index);

  if (is_of_token (eng_way_get_numbers (self->way, stage->result)))
    return stage->result;
  for (int i = stage->first; i < stage->first + stage->n; i++)
    if (is_of_token (eng_way_get_numbers (self->way, i)))
      return i;
  return stage->result;
}

/* The largest amount of the token's own row that is worked out of others; of an answer the class
 * that is likeliest. */
static UiStepsPlace
find_strongest (const UiStepsScene *self,
                int                 stage)
{
  const int own = find_own (self, stage);
  const EngNumbers *numbers = eng_way_get_numbers (self->way, own);
  UiStepsPlace place = { own, eng_way_get_own_row (self->way, own), 0 };
  double most = -INFINITY;

  if (numbers->formula == ENG_FORMULA_GIVEN)
    place.numbers = -1;
  for (int column = 0; column < numbers->columns; column++) {
    const double value = eng_numbers_get (numbers, place.row, column);
    const double amount = numbers->column_axis == ENG_AXIS_CLASSES ? value : fabs (value);

    if (!ui_steps_is_hidden (amount) && amount > most) {
      most = amount;
      place.column = column;
    }
  }
  return place;
}

gboolean
ui_steps_is_given_weight (const UiStepsScene *self,
                          int                 numbers)
{
  const EngNumbersId id = eng_way_get_numbers (self->way, numbers)->id;

  return !eng_way_has_weights (self->way) && !eng_way_is_what_if (self->way)
         && (id == ENG_NUMBERS_WEIGHTS || id == ENG_NUMBERS_EDITED);
}

/* What a file says of a row of weights may be wrong, and is then told before all else: into place the
 * weight that is furthest from what q and k give. FALSE where all agree. */
static gboolean
find_wrong (const UiStepsScene *self,
            int                 stage,
            UiStepsPlace       *place)
{
  const int own = find_own (self, stage);
  const EngNumbers *numbers = eng_way_get_numbers (self->way, own);
  const int row = eng_way_get_own_row (self->way, own);
  double most = 0;

  if (!ui_steps_is_given_weight (self, own))
    return FALSE;
  for (int column = 0; column < numbers->columns; column++) {
    EngWayCheck check;

    if (!eng_way_check (self->way, own, row, column, &check) || check.agrees
        || check.difference <= most)
      continue;
    most = check.difference;
    *place = (UiStepsPlace) { own, row, column };
  }
  return most > 0;
}

UiStepsPlace
ui_steps_find_explained (const UiStepsScene *self,
                         int                 stage)
{
  UiStepsPlace place;

  if (self->looked.numbers >= 0
      && eng_way_get_numbers (self->way, self->looked.numbers)->stage == stage)
    return self->looked;
  return find_wrong (self, stage, &place) ? place : find_strongest (self, stage);
}

/* The model and a step with a table of the text's tokens, not the step that is on show: type has the
 * same size in all steps. */
static double
get_stage_height (const UiScene *scene,
                  UiStageRoom    room)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  const int n = eng_way_get_query_tokens (self->way)->n;
  const double height = STAGE_HEAD
                        + (room == UI_STAGE_BEGINNING ? MIN (n, STAGE_ROWS) : n) * STAGE_ROW
                        + (room == UI_STAGE_WHOLE ? STAGE_FOOT : 0);

  return self->layout.diagram_height + height * self->layout.scale;
}

static const UiSceneClass steps_scene_class = {
  .finalize = steps_scene_finalize,
  .paint = ui_steps_paint,
  .paint_overlay = ui_steps_paint_overlay,
  .has_item = ui_steps_has_item,
  .hit = ui_steps_hit,
  .describe = ui_steps_describe,
  .legend = ui_steps_legend,
  .explain = ui_steps_explain,
  .headline = ui_steps_headline,
  .summarise = ui_steps_summarise,
  .caption = ui_steps_caption,
  .move = ui_steps_move,
  .get_rect = ui_steps_get_rect,
  .get_spot = ui_steps_get_spot,
  .get_stage_height = get_stage_height,
  .numbers = ui_steps_numbers,
};

const UiStepsScene *
ui_steps_scene_cast (const UiScene *scene)
{
  return scene->klass == &steps_scene_class ? (const UiStepsScene *) scene : NULL;
}

UiScene *
ui_steps_scene_new (const UiSceneParts *parts)
{
  UiStepsScene *self = g_new0 (UiStepsScene, 1);
  UiScene *scene = &self->scene;
  int n;

  ui_scene_init (scene, &steps_scene_class, parts);
  self->way = scene->way;
  self->diagram = eng_diagram_new_of_trace (parts->trace);
  self->is_whole = parts->document->step == UI_STEP_ALL;
  self->n_screens = 1;
  n = ui_steps_count (self->way);
  self->place = self->is_whole ? n - 1 : MIN (parts->document->step, n - 1);
  self->step = self->is_whole ? eng_way_get_n_stages (self->way) - 1
                              : ui_steps_find_stage (self->way, self->place, &self->has_all_rows);
  self->looked = parts->document->number_set
                 ? ui_steps_find_number (self->way, &parts->document->number)
                 : (UiStepsPlace) { -1, 0, 0 };
  ui_steps_lay_out (self);
  scene->width = self->layout.width;
  scene->height = self->layout.height;
  /* The model stays in sight where it leaves the steps most of the room. */
  if (self->layout.diagram_height < HEADER_PART * scene->options.view_height)
    scene->header = self->layout.diagram_height;
  return scene;
}
