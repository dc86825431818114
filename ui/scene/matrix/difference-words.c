/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/difference-scene.h"

#include <math.h>
#include <string.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/base/readings.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/sinks/text.h"

#define N_NAMED 3 /* tokens that a sentence about one token names */

static const UiDifferenceScene *
difference_scene (const UiScene *scene)
{
  return (const UiDifferenceScene *) scene;
}

/* As a side alone would name it. */
static char *
describe_side_token (const UiScene *scene,
                     int            side,
                     gboolean       key,
                     int            row)
{
  const UiScene *matrix = difference_scene (scene)->sides[side];

  return ui_describe_token (key ? matrix->keys : matrix->queries,
                            ui_difference_scene_get_token (scene, side, key, row));
}

/* Words that were exchanged for each other: their name is not that of one side. */
static gboolean
is_exchanged (const UiScene *scene,
              gboolean       key,
              int            row)
{
  const UiScene *first = difference_scene (scene)->sides[0];
  const int token = ui_difference_scene_get_token (scene, 0, key, row);

  return ui_difference_scene_is_paired (scene, key, row)
         && !g_str_equal ((key ? scene->keys : scene->queries)->texts[row],
                          (key ? first->keys : first->queries)->texts[token]);
}

/* “cat” (2), “cat” (2, in Other 9), “cat” (2) / “dog” (2) */
static char *
describe_token (const UiScene *scene,
                gboolean       key,
                int            row)
{
  int numbers[2];
  g_autofree char *name = NULL;

  for (int i = 0; i < 2; i++)
    numbers[i] = ui_difference_scene_get_number (scene, i, key, row);
  name = describe_side_token (scene, numbers[0] < 0, key, row);
  if (is_exchanged (scene, key, row)) {
    g_autofree char *second = describe_side_token (scene, 1, key, row);

    return g_strdup_printf ("%s / %s", name, second);
  }
  if (numbers[0] < 0 || numbers[1] < 0 || numbers[0] == numbers[1])
    return g_steal_pointer (&name);
  name[strlen (name) - 1] = '\0';
  return g_strdup_printf ("%s, in Other %d)", name, numbers[1]);
}

/* "+0.29", "unchanged" */
static char *
describe_difference (const UiScene *scene,
                     double         value)
{
  g_autofree char *amount = ui_describe_value (&difference_scene (scene)->sides[0]->weights,
                                               fabs (value));

  return value == 0 ? g_strdup ("unchanged")
                    : g_strconcat (value < 0 ? "−" : "+", amount, NULL);
}

/* "0.41"; "masked" where a mask hides it. NULL where the side has not both tokens. */
static char *
describe_side (const UiScene *scene,
               int            side,
               int            row,
               int            column)
{
  const UiScene *matrix = difference_scene (scene)->sides[side];
  const UiWeights *weights;
  int query = ui_difference_scene_get_token (scene, side, FALSE, row);
  int key = ui_difference_scene_get_token (scene, side, TRUE, column);

  if (query < 0 || key < 0)
    return NULL;
  if (ui_mask_hides (matrix->attention, query, key))
    return g_strdup ("masked");
  weights = &matrix->weights;
  return ui_describe_value (weights, ui_weights_get (weights, weights->heads[0], query, key));
}

static char *
describe_cell (const UiScene *scene,
               int            row,
               int            column)
{
  g_autofree char *reader = describe_token (scene, FALSE, row);
  g_autofree char *read = describe_token (scene, TRUE, column);
  g_autofree char *first = describe_side (scene, 0, row, column);
  g_autofree char *second = describe_side (scene, 1, row, column);
  g_autofree char *difference = describe_difference (scene, ui_weights_get (&scene->weights, 0, row,
                                                                            column));
  const char *measure = ui_describe_measure (&scene->weights);

  if (first != NULL && second != NULL)
    return g_strdup_printf ("%s reads %s with %s %s in This and %s in Other: %s.",
                            reader, read, measure, first, second, difference);
  if (first == NULL && second == NULL)
    return g_strdup_printf ("%s and %s are on different sides.", reader, read);
  return g_strdup_printf ("%s reads %s with %s %s in %s; %s has not both.",
                          reader, read, measure, first != NULL ? first : second,
                          ui_side_get_name (first == NULL), ui_side_get_name (first != NULL));
}

/* The largest differences of a row or of a column: (transfer full), of at most N_NAMED places. */
static GArray *
find_largest (const UiScene *scene,
              gboolean       key,
              int            row)
{
  int n = key ? scene->queries->n : scene->keys->n;
  GArray *largest = g_array_new (FALSE, FALSE, sizeof (int));

  for (int other = 0; other < n; other++) {
    double value = fabs (ui_weights_get (&scene->weights, 0, key ? other : row, key ? row : other));
    guint at = largest->len;

    while (at > 0) {
      int before = g_array_index (largest, int, at - 1);

      if (fabs (ui_weights_get (&scene->weights, 0, key ? before : row, key ? row : before))
          >= value)
        break;
      at--;
    }
    if (value > 0 && at < N_NAMED) {
      g_array_insert_val (largest, at, other);
      g_array_set_size (largest, MIN (largest->len, N_NAMED));
    }
  }
  return largest;
}

static char *
describe_line (const UiScene *scene,
               gboolean       key,
               int            row)
{
  g_autofree char *name = describe_token (scene, key, row);
  g_autoptr (GArray) largest = find_largest (scene, key, row);
  GString *text;

  for (int side = 0; side < 2; side++)
    if (ui_difference_scene_get_token (scene, side, key, row) < 0)
      return g_strdup_printf ("%s is in %s alone.", name, ui_side_get_name (!side));
  if (largest->len == 0)
    return g_strdup_printf ("%s %s the same on both sides.", name, key ? "is read" : "reads");

  text = g_string_new (name);
  g_string_append (text, key ? " is read differently by " : " reads differently ");
  for (guint i = 0; i < largest->len; i++) {
    int other = g_array_index (largest, int, i);
    double value = ui_weights_get (&scene->weights, 0, key ? other : row, key ? row : other);
    g_autofree char *token = describe_token (scene, !key, other);
    g_autofree char *difference = describe_difference (scene, value);

    g_string_append_printf (text, "%s%s: %s", i > 0 ? "; " : "", token, difference);
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

char *
ui_difference_describe (const UiScene *scene,
                        const UiItem  *item)
{
  if (item->type == UI_ITEM_LINK)
    return describe_cell (scene, item->query, item->key);
  return describe_line (scene, item->type == UI_ITEM_KEY,
                        item->type == UI_ITEM_KEY ? item->key : item->query);
}

/* Tokens that only one side has, and those that have other numbers there. */
static void
append_alignment (const UiDifferenceScene *self,
                  GString                 *text)
{
  int n_alone[2] = { 0 }, n_moved = 0;

  for (int axis = 0; axis < 2; axis++) {
    for (guint row = 0; row < self->tokens[axis]->len; row++) {
      const UiAlignedToken *token = &g_array_index (self->tokens[axis], UiAlignedToken, row);

      n_alone[0] += token->second < 0;
      n_alone[1] += token->first < 0;
      n_moved += token->first >= 0 && token->second >= 0 && token->first != token->second;
    }
  }
  if (n_alone[0] > 0)
    g_string_append (text, " Hatched, +: in This alone.");
  if (n_alone[1] > 0)
    g_string_append (text, " Hatched, −: in Other alone.");
  if (n_moved > 0)
    g_string_append (text, " Two numbers behind a token: its place in This → in Other.");
}

/* "mini · head 2 of layer 3 · without edits": of model and edits what the sides do not share. */
static char *
describe_scope (const UiDifferenceScene *self,
                int                      side)
{
  const UiScene *own = self->sides[side], *other = self->sides[!side];
  const char *model = eng_trace_get_model_name (own->trace);
  g_autofree char *scope = ui_describe_scope (own, FALSE);
  g_autofree char *edits = ui_describe_edits (own->trace);
  g_autofree char *other_edits = ui_describe_edits (other->trace);
  GString *text = g_string_new (NULL);

  if (g_strcmp0 (model, eng_trace_get_model_name (other->trace)) != 0)
    g_string_append_printf (text, "%s · ", model != NULL ? model : "an unnamed model");
  g_string_append (text, scope);
  if (g_strcmp0 (edits, other_edits) != 0)
    g_string_append_printf (text, " · %s", edits != NULL ? edits : "without edits");
  return g_string_free (text, FALSE);
}

static void
append_sides (const UiDifferenceScene *self,
              GString                 *text)
{
  g_autofree char *first = describe_scope (self, 0);
  g_autofree char *second = describe_scope (self, 1);

  if (g_str_equal (first, second))
    g_string_append_printf (text, " Both sides: %s.", first);
  else
    g_string_append_printf (text, " This: %s; Other: %s.", first, second);
}

/* The scale goes as far to either sign. */
static void
append_scale (const UiDifferenceScene *self,
              GString                 *text)
{
  const UiWeights *weights = &self->matrix.scene.weights;
  double unit = weights->block.unit;
  g_autofree char *full = ui_describe_value (&self->sides[0]->weights, unit);
  g_autofree char *part = unit == 1 ? g_strdup ("") : g_strdup_printf (" ÷ %s", full);
  char gain[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (gain, sizeof gain, "%.3g", weights->gain);
  g_string_append_printf (text, " Scale −%s to +%s, warm where This is more, cool where Other"
                                " is: opacity = |difference of %s|%s × %s, at most 1.",
                          full, full, ui_describe_measure (weights), part, gain);
}

static void
append_left_out (const UiDifferenceScene *self,
                 GString                 *text)
{
  const UiScene *scene = &self->matrix.scene;
  const double threshold = scene->document->threshold * scene->weights.block.unit;
  g_autofree char *least = ui_describe_value (&self->sides[0]->weights, threshold);
  g_autofree char *mass = ui_describe_part (scene->document->mass);

  if (threshold > 0)
    g_string_append_printf (text, " Differences under %s are not drawn.", least);
  if (scene->document->mass < 1)
    g_string_append_printf (text, " A cell is drawn where, on either side, it is one of the"
                                  " strongest of its row that together have %s of it.", mass);
  ui_describe_append_filter (self->sides[0], text);
}

/* Cells of a column that one side alone has are not drawn as differences. */
static void
append_alone (const UiDifferenceScene *self,
              GString                 *text)
{
  for (guint column = 0; column < self->tokens[UI_AXIS_COLUMNS]->len; column++)
    if (!ui_difference_scene_is_paired (&self->matrix.scene, TRUE, (int) column)) {
      g_string_append (text, ", hatched ones with them");
      return;
    }
}

char *
ui_difference_legend (const UiScene *scene)
{
  const UiDifferenceScene *self = difference_scene (scene);
  GString *text = g_string_new (NULL);
  UiRowSums sums;

  g_string_append_printf (text, "%s, This minus Other.",
                          ui_describe_measure (&scene->weights));
  *text->str = g_ascii_toupper (*text->str);
  append_sides (self, text);
  ui_row_sums_init (&sums);
  for (int side = 0; side < 2; side++)
    ui_row_sums_add (&sums, &self->sides[side]->weights);
  ui_describe_append_sums (&sums, text);
  append_left_out (self, text);
  append_scale (self, text);
  ui_describe_append_formula (self->sides[0], text);
  append_alignment (self, text);
  g_string_append (text, " Right: what moved, half of the sum of a row's amounts");
  append_alone (self, text);
  g_string_append (text, "; below: sums of columns.");
  return g_string_free (text, FALSE);
}

char *
ui_difference_explain (const UiScene *scene)
{
  GString *markup = g_string_new (ui_plain_get_direction (scene));

  g_string_append (markup, " <b>Warm: more on This. Cool: more on Other.</b>");
  ui_plain_append_threshold (scene, "Differences", markup);
  return g_string_free (markup, FALSE);
}

char *
ui_difference_headline (const UiScene *scene)
{
  const UiDifferenceScene *self = difference_scene (scene);
  g_autofree char *first = ui_describe_scope (self->sides[0], FALSE);
  g_autofree char *second = ui_describe_scope (self->sides[1], FALSE);
  GString *markup = g_string_new (NULL);

  ui_plain_append_bold (markup, first, TRUE);
  if (g_str_equal (first, second)) {
    g_string_append (markup, ": This minus Other");
  } else {
    g_string_append (markup, " minus ");
    ui_plain_append_bold (markup, second, FALSE);
  }
  g_string_append_c (markup, '.');
  return g_string_free (markup, FALSE);
}

char *
ui_difference_caption (const UiScene *scene)
{
  const UiDifferenceScene *self = difference_scene (scene);
  g_autofree char *first = ui_scene_caption (self->sides[0]);
  g_autofree char *second = ui_scene_caption (self->sides[1]);

  return g_strdup_printf ("This: %s − Other: %s", first, second);
}

char *
ui_difference_summarise (const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;
  g_autofree char *caption = ui_difference_caption (scene);
  g_autofree char *cell = NULL;
  int query = -1, key = -1;
  double largest = 0;

  for (int row = 0; row < scene->queries->n; row++) {
    for (int column = 0; column < scene->keys->n; column++) {
      double value = fabs (ui_weights_get (weights, 0, row, column));

      if (value <= largest)
        continue;
      largest = value;
      query = row;
      key = column;
    }
  }
  if (query < 0)
    return g_strdup_printf ("Difference of two sides, which are alike. %s.", caption);
  cell = describe_cell (scene, query, key);
  return g_strdup_printf ("Difference of two sides. %s. Largest: %s", caption, cell);
}

/* A token as its two numbers and its text; the side that has it not says nothing. */
static void
append_token (const UiScene *scene,
              gboolean       key,
              int            row,
              GString       *text)
{
  const EngTokens *tokens = key ? scene->keys : scene->queries;
  g_autofree char *visible = ui_text_make_visible (tokens->texts[row]);

  for (int side = 0; side < 2; side++) {
    int number = ui_difference_scene_get_number (scene, side, key, row);

    if (number >= 0)
      g_string_append_printf (text, "%d", number);
    g_string_append_c (text, '\t');
  }
  g_string_append (text, visible);
}

/* The number of each side, and their difference where both have one. */
static void
append_values (const UiScene *scene,
               int            row,
               int            column,
               GString       *text)
{
  double values[2] = { 0 };
  gboolean are_there = TRUE;

  for (int side = 0; side < 2; side++) {
    const UiWeights *weights = &difference_scene (scene)->sides[side]->weights;
    int query = ui_difference_scene_get_token (scene, side, FALSE, row);
    int key = ui_difference_scene_get_token (scene, side, TRUE, column);

    if (query < 0 || key < 0) {
      g_string_append_c (text, '\t');
      are_there = FALSE;
      continue;
    }
    values[side] = ui_weights_get (weights, weights->heads[0], query, key);
    ui_matrix_append_number (values[side], text);
  }
  if (are_there)
    ui_matrix_append_number (values[0] - values[1], text);
  else
    g_string_append_c (text, '\t');
}

/* One line for each cell: what both sides have, and the difference; then what was typed where the
 * vocabulary lacks words. */
char *
ui_difference_numbers (const UiScene *scene)
{
  const UiMatrixLayout *layout = &difference_scene (scene)->matrix.layout;
  const UiMatrixAxisLayout *rows = &layout->axes[UI_AXIS_ROWS];
  const UiMatrixAxisLayout *columns = &layout->axes[UI_AXIS_COLUMNS];
  g_autofree char *first = ui_describe_values (difference_scene (scene)->sides[0], TRUE);
  g_autofree char *second = ui_describe_values (difference_scene (scene)->sides[1], TRUE);
  const gboolean with_typed = ui_readings_have_typed (scene);
  GString *text = g_string_new ("first query\tsecond query\tquery token\tfirst key\tsecond key\t"
                                "key token\t");

  g_string_append_printf (text, "first: %s\tsecond: %s\tdifference%s\n", first, second,
                          with_typed ? UI_READINGS_TYPED : "");

  for (int i = 0; i < rows->n; i++) {
    for (int j = 0; j < columns->n; j++) {
      append_token (scene, FALSE, rows->labels[i].row, text);
      g_string_append_c (text, '\t');
      append_token (scene, TRUE, columns->labels[j].row, text);
      append_values (scene, rows->labels[i].row, columns->labels[j].row, text);
      if (with_typed)
        ui_readings_append_typed (scene, rows->labels[i].row, columns->labels[j].row, text);
      g_string_append_c (text, '\n');
    }
  }
  return g_string_free (text, FALSE);
}
