/* SPDX-License-Identifier: MIT */
/* What can be pointed at: stages, tokens that can be followed, every number that is drawn. */
#include "ui/scene/steps/steps-scene.h"

#include <math.h>
#include <string.h>

/* Where a movement of the keyboard may lead. */
typedef struct {
  UiItem item;
  UiRect rect;
} Target;

static const UiStepsRun *
get_run (const UiStepsScene *self,
         guint               index)
{
  return &g_array_index (self->layout.runs, UiStepsRun, index);
}

static const UiStepsRow *
get_row (const UiStepsScene *self,
         guint               index)
{
  return &g_array_index (self->layout.rows, UiStepsRow, index);
}

static UiStepsPlace
get_place (const UiStepsRun *run,
           int               index)
{
  return (UiStepsPlace) { run->numbers, run->row + index * run->d_row,
                          run->column + index * run->d_column };
}

/* The line with its name; a card has more below it. */
static UiRect
get_name_rect (const UiStepsRow *row)
{
  UiRect rect = row->rect;

  rect.height = MIN (rect.height, 2 * (row->middle - rect.y));
  return rect;
}

static UiItem
make_stage (int stage)
{
  return (UiItem) { .type = UI_ITEM_STAGE, .stage = stage };
}

gboolean
ui_steps_has_item (const UiScene *scene,
                   const UiItem  *item)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  UiStepsPlace place;

  if (item->type == UI_ITEM_STAGE)
    return item->stage >= 0 && item->stage < ui_steps_count (self->way);
  if (item->type == UI_ITEM_QUERY)
    return item->query >= 0 && item->query < scene->queries->n;
  return ui_steps_find_place (self, item, &place);
}

static gboolean
is_within (const UiRect *rect,
           double        x,
           double        y)
{
  return x >= rect->x && x < rect->x + rect->width && y >= rect->y && y < rect->y + rect->height;
}

static gboolean
hit_number (const UiStepsScene *self,
            double              x,
            double              y,
            UiItem             *item)
{
  for (guint i = 0; i < self->layout.runs->len; i++) {
    const int index = ui_steps_run_find (get_run (self, i), x, y);

    if (index >= 0) {
      const UiStepsPlace place = get_place (get_run (self, i), index);

      *item = ui_steps_make_item (self, &place);
      return TRUE;
    }
  }
  return FALSE;
}

/* What has been handed on small beside the name of a stage is too narrow to be met. */
static gboolean
hit_stage (const UiStepsScene *self,
           double              x,
           double              y,
           UiItem             *item)
{
  for (guint i = 0; i < self->layout.rows->len; i++) {
    const UiStepsRow *row = get_row (self, i);
    const UiRect rect = get_name_rect (row);

    if (is_within (&rect, x, y)) {
      *item = make_stage (row->first);
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
hit_token (const UiStepsScene *self,
           double              x,
           double              y,
           UiItem             *item)
{
  for (guint i = 0; i < self->layout.texts->len; i++) {
    const UiStepsText *text = &g_array_index (self->layout.texts, UiStepsText, i);
    UiRect rect;

    if (text->token < 0)
      continue;
    rect = ui_steps_text_get_rect (text);
    if (is_within (&rect, x, y)) {
      *item = (UiItem) { .type = UI_ITEM_QUERY, .query = text->token };
      return TRUE;
    }
  }
  return FALSE;
}

gboolean
ui_steps_hit (const UiScene *scene,
              double         x,
              double         y,
              UiItem        *item)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;

  return hit_stage (self, x, y, item) || hit_number (self, x, y, item)
         || hit_token (self, x, y, item);
}

static gboolean
get_stage_rect (const UiStepsScene *self,
                int                 stage,
                UiRect             *rect)
{
  for (guint i = 0; i < self->layout.rows->len; i++) {
    const UiStepsRow *row = get_row (self, i);

    if (stage >= row->first && stage < row->first + row->n) {
      *rect = row->rect;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
get_token_rect (const UiStepsScene *self,
                int                 token,
                UiRect             *rect)
{
  for (guint i = 0; i < self->layout.texts->len; i++) {
    const UiStepsText *text = &g_array_index (self->layout.texts, UiStepsText, i);

    if (text->token == token) {
      *rect = ui_steps_text_get_rect (text);
      return TRUE;
    }
  }
  return FALSE;
}

/* Where it stands first, rather in a card than small beside the name of a stage. */
gboolean
ui_steps_get_rect (const UiScene *scene,
                   const UiItem  *item,
                   UiRect        *rect)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  UiStepsPlace place;

  if (item->type == UI_ITEM_STAGE)
    return get_stage_rect (self, item->stage, rect);
  if (item->type == UI_ITEM_QUERY)
    return get_token_rect (self, item->query, rect);
  if (!ui_steps_find_place (self, item, &place))
    return FALSE;
  for (guint i = 0; i < self->layout.runs->len; i++) {
    const UiStepsRun *run = get_run (self, i);
    const int index = run->numbers == place.numbers && !run->is_mini
                      ? ui_steps_run_find_place (run, place.row, place.column) : -1;

    if (index >= 0) {
      *rect = ui_steps_run_get_cell (run, index);
      return TRUE;
    }
  }
  return FALSE;
}

/* The stages in their order; what is in a card has no place of its own on a page. */
gboolean
ui_steps_get_spot (const UiScene *scene,
                   int            index,
                   UiItem        *item)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;

  if (index >= (int) self->layout.rows->len)
    return FALSE;
  *item = make_stage (get_row (self, (guint) index)->first);
  return TRUE;
}

/* The cell of a line of a run that stands nearest to x. */
static Target
find_nearest_cell (const UiStepsScene *self,
                   const UiStepsRun   *run,
                   int                 line,
                   double              x)
{
  const int last = MIN (run->n, (line + 1) * run->per_line) - 1;
  const int index = CLAMP (line * run->per_line + (int) floor ((x - run->x) / run->cell_width),
                           line * run->per_line, last);
  const UiStepsPlace place = get_place (run, index);

  return (Target) { ui_steps_make_item (self, &place), ui_steps_run_get_cell (run, index) };
}

/* How far a target is, first down (or up), then to the side. */
static gboolean
is_nearer (const UiRect *from,
           const UiRect *rect,
           const UiRect *best,
           int           direction)
{
  const double middle = from->x + from->width / 2;
  const double dy = direction * (rect->y + rect->height / 2 - from->y - from->height / 2);
  const double best_dy = direction * (best->y + best->height / 2 - from->y - from->height / 2);

  if (dy <= MIN (from->height, rect->height) / 2)
    return FALSE;
  if (best->height <= 0 || dy < best_dy - 0.5)
    return TRUE;
  return dy < best_dy + 0.5 && fabs (rect->x + rect->width / 2 - middle)
                               < fabs (best->x + best->width / 2 - middle);
}

/* A number that stands in several places is gone to in the first of them. */
static gboolean
is_first_place (const UiStepsScene *self,
                const Target       *target)
{
  UiRect first;

  return ui_steps_get_rect (&self->scene, &target->item, &first) && first.x == target->rect.x
         && first.y == target->rect.y;
}

static gboolean
step_along (const UiStepsScene *self,
            int                 direction,
            const UiRect       *from,
            UiItem             *item)
{
  UiRect best = { 0 };

  for (guint i = 0; i < self->layout.rows->len; i++) {
    const UiRect rect = get_name_rect (get_row (self, i));

    if (is_nearer (from, &rect, &best, direction)) {
      best = rect;
      *item = make_stage (get_row (self, i)->first);
    }
  }
  for (guint i = 0; i < self->layout.runs->len; i++) {
    const UiStepsRun *run = get_run (self, i);
    const int n_lines = run->is_mini ? 0 : (run->n + run->per_line - 1) / run->per_line;

    for (int line = 0; line < n_lines; line++) {
      const Target target = find_nearest_cell (self, run, line, from->x + from->width / 2);

      if (is_nearer (from, &target.rect, &best, direction) && is_first_place (self, &target)) {
        best = target.rect;
        *item = target.item;
      }
    }
  }
  return best.height > 0;
}

/* One number on, over the end of what stands side by side to what stands beside that. */
static gboolean
step_across (const UiStepsScene *self,
             int                 step,
             UiItem             *item)
{
  UiStepsPlace place;

  if (!ui_steps_find_place (self, item, &place))
    return FALSE;
  for (guint i = 0; i < self->layout.runs->len; i++) {
    const UiStepsRun *run = get_run (self, i);
    int index = run->numbers == place.numbers && !run->is_mini
                ? ui_steps_run_find_place (run, place.row, place.column) : -1;

    if (index < 0)
      continue;
    index += step;
    if (index < 0 || index >= run->n) {
      i += (guint) step;
      if (i >= self->layout.runs->len || get_run (self, i)->is_mini)
        return FALSE;
      run = get_run (self, i);
      index = step > 0 ? 0 : run->n - 1;
    }
    place = get_place (run, index);
    *item = ui_steps_make_item (self, &place);
    return TRUE;
  }
  return FALSE;
}

gboolean
ui_steps_move (const UiScene *scene,
               UiMove         move,
               UiItem        *item)
{
  const UiStepsScene *self = (const UiStepsScene *) scene;
  UiRect from;

  if (!ui_steps_get_rect (scene, item, &from)) {
    *item = make_stage (self->place);
    return TRUE;
  }
  if (item->type == UI_ITEM_STAGE)
    from.height = MIN (from.height, get_name_rect (get_row (self, 0)).height);
  switch (move) {
  case UI_MOVE_UP:
  case UI_MOVE_DOWN:
    return step_along (self, move == UI_MOVE_UP ? -1 : 1, &from, item);
  case UI_MOVE_LEFT:
  case UI_MOVE_RIGHT:
    return step_across (self, move == UI_MOVE_LEFT ? -1 : 1, item);
  case UI_MOVE_FIRST:
    *item = make_stage (get_row (self, 0)->first);
    return TRUE;
  case UI_MOVE_LAST:
    *item = make_stage (get_row (self, self->layout.rows->len - 1)->first);
    return TRUE;
  default:
    return FALSE;
  }
}
