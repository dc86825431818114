/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle/way-reference-parts.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-5

double *
way_reference_allocate (WayReference *self,
                        gsize         n)
{
  double *numbers = g_new0 (double, MAX (n, 1));

  g_ptr_array_add (self->memory, numbers);

  return numbers;
}

/* Unseen numbers of the stage; -1 where it has none. */
static int
find_in_stage (const WayReference *self,
               int                 stage,
               EngNumbersId        id)
{
  const EngStage *found = eng_way_get_stage (self->way, stage);

  for (int i = found->first; i < found->first + found->n; i++)
    if (!self->seen[i] && eng_way_get_numbers (self->way, i)->id == id)
      return i;

  return -1;
}

static void
compare (WayReference     *self,
         const EngNumbers *shown,
         const double     *expected)
{
  double largest = self->largest, difference = 0;

  for (int row = 0; row < shown->rows; row++)
    for (int column = 0; column < shown->columns; column++) {
      double reference = expected[(gsize) row * (gsize) shown->columns + (gsize) column];
      double value = eng_numbers_get (shown, row, column);

      if (isinf (reference)) {
        g_assert_true (value == reference);
        continue;
      }
      g_assert_true (isfinite (value));
      largest = fmax (largest, fabs (reference));
      difference = fmax (difference, fabs (value - reference));
    }
  if (difference > TOLERANCE * largest)
    g_error ("stage %d (%s), %s: differs by %g of %g", shown->stage,
             eng_way_get_stage (self->way, shown->stage)->name, shown->name, difference, largest);
  self->worst = fmax (self->worst, difference / (TOLERANCE * largest));
}

/* Numbers of the stage where the comparison is or the one behind it. */
const EngNumbers *
way_reference_take (WayReference *self,
                    EngStageId    stage,
                    EngNumbersId  id)
{
  int numbers = -1;

  for (int ahead = 0; ahead < 2 && numbers < 0; ahead++) {
    int place = self->stage + ahead;

    if (place < 0 || place >= eng_way_get_n_stages (self->way)
        || eng_way_get_stage (self->way, place)->id != stage)
      continue;
    numbers = find_in_stage (self, place, id);
    if (numbers >= 0)
      self->stage = place;
  }
  if (numbers < 0)
    g_error ("behind stage %d: no stage %d with numbers %d", self->stage, (int) stage, (int) id);
  self->seen[numbers] = TRUE;

  return eng_way_get_numbers (self->way, numbers);
}

void
way_reference_expect (WayReference *self,
                      EngStageId    stage,
                      EngNumbersId  id,
                      const double *expected,
                      int           rows,
                      int           columns)
{
  const EngNumbers *shown = way_reference_take (self, stage, id);

  g_assert_cmpint (shown->rows, ==, rows);
  g_assert_cmpint (shown->columns, ==, columns);
  compare (self, shown, expected);
}

void
way_reference_norm (WayReference      *self,
                    const EngNormSpec *spec,
                    const EngNorm     *norm,
                    int                n,
                    int                size,
                    double            *rows)
{
  for (int i = 0; i < n; i++)
    oracle_norm (spec, norm, size, rows + (gsize) i * size);
  way_reference_expect (self, ENG_STAGE_NORM, ENG_NUMBERS_NORMED, rows, n, size);
}

int
way_reference_get_place (const WayReference *self,
                         int                 t)
{
  return oracle_get_position (self->run.spec, self->run.tokens, t);
}

gboolean
way_reference_skips (const WayReference *self,
                     EngEditType         type,
                     gboolean            crosses)
{
  for (int e = 0; e < self->run.n_edits; e++)
    if (self->run.edits[e].type == type && self->run.edits[e].layer == self->layer
        && oracle_names (&self->run, &self->run.edits[e], crosses))
      return TRUE;

  return FALSE;
}

/* self->x, the result of a sub-layer, is added to base [size]. */
void
way_reference_finish (WayReference     *self,
                      EngNormPlacement  placement,
                      const EngNorm    *norm,
                      const EngNorm    *output_norm,
                      gboolean          skipped,
                      const double     *base)
{
  const EngLayerSpec *spec = self->layer_spec;
  double scale = skipped ? 0 : spec->residual_scale == 0 ? 1 : spec->residual_scale;
  double *sum = way_reference_allocate (self, self->size);

  if (placement == ENG_NORM_MIXED || placement == ENG_NORM_BOTH)
    way_reference_norm (self, &spec->norm, placement == ENG_NORM_MIXED ? norm : output_norm, 1,
                        self->size, self->x);
  for (int i = 0; i < self->size; i++)
    sum[i] = base[i] + scale * self->x[i];
  way_reference_expect (self, ENG_STAGE_RESIDUAL, ENG_NUMBERS_RESIDUAL, sum, 1, self->size);
  self->x = sum;
  if (placement == ENG_NORM_POST) {
    self->x = way_reference_allocate (self, self->size);
    memcpy (self->x, sum, self->size * sizeof (double));
    way_reference_norm (self, &spec->norm, norm, 1, self->size, self->x);
  }
}
