/* SPDX-License-Identifier: MIT */
/* Heads in groups, each below a heading that says what they read. Small groups share a line. */
#include "ui/scene/model/model-layout.h"

#include <math.h>

#include "engine/trace/patterns.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define TOP 8.0
#define BOTTOM 8.0
#define LARGEST 68.0       /* edge of a cell in a window */
#define SMALLEST 40.0
#define CELL_GAP 10.0
#define BELOW_CELL 25.0    /* its label, and the room below that */
#define LINE 17.0          /* from one line of a heading to the next */
#define ABOVE 7.0          /* room above a heading, and below it */
#define BELOW 5.0
#define GLYPH_GAP 8.0      /* behind the glyph */
#define WORD_GAP 10.0      /* between title, clause and count */

typedef struct {
  int    pattern;
  int    first;       /* of its cells */
  int    n;
  int    n_rows;      /* that it has; fewer than it needs where it is closed */
  int    column;      /* where it stands in its line */
  int    n_columns;   /* that cells and heading take */
  int    n_least;     /* the same without its clause */
  char  *title;
  char  *count;
  double title_width;
  double clause_width;
  double count_width;
  char **lines;       /* of a heading that is too long for one; NULL = it is not */
} Group;

typedef struct {
  UiModelLayout        *layout;
  const UiSceneOptions *options;
  UiModelCell          *cells;
  int                   n_columns;
  double                room;
  Group                 groups[ENG_N_LABELS];
  int                   n_groups;
  UiModelCell          *placed;   /* in the order in which they stand */
  int                   n_placed;
  int                   row;
} Packer;

UiTextStyle
ui_model_get_heading_style (UiModelHeadingType type,
                            double             scale)
{
  gboolean is_row = type == UI_MODEL_HEADING_LAYER || type == UI_MODEL_HEADING_LOCAL;
  gboolean is_small = type >= UI_MODEL_HEADING_CLAUSE || type == UI_MODEL_HEADING_LOCAL;

  return (UiTextStyle) {
    .size = UI_MODEL_HEADING_SIZE * scale * (is_small ? 12.0 / 13 : 1),
    .bold = !is_row && type != UI_MODEL_HEADING_CLAUSE,
    .align = is_row ? UI_ALIGN_RIGHT : UI_ALIGN_LEFT,
  };
}

static double
measure (const Packer       *self,
         UiModelHeadingType  type,
         const char         *text)
{
  UiTextStyle style = ui_model_get_heading_style (type, self->options->text_scale);

  return ceil (ui_text_measure (text, &style));
}

static double
get_indent (const Packer *self)
{
  return (UI_MODEL_HEADING_SIZE + GLYPH_GAP) * self->options->text_scale;
}

static double
get_heading_width (const Packer *self,
                   const Group  *group,
                   gboolean      has_clause)
{
  double gap = WORD_GAP * self->options->text_scale;

  return get_indent (self) + group->title_width + gap + group->count_width
         + (has_clause ? gap + group->clause_width : 0);
}

static int
count_rows (const Packer *self,
            int           n_cells)
{
  return (n_cells + self->n_columns - 1) / self->n_columns;
}

static int
count_columns (const Packer *self,
               const Group  *group,
               gboolean      has_clause)
{
  double width = get_heading_width (self, group, has_clause)
                 + CELL_GAP * self->options->text_scale;

  return MIN (self->n_columns, MAX (group->n, (int) ceil (width / self->layout->pitch)));
}

static void
measure_heading (const Packer *self,
                 Group        *group)
{
  EngPattern pattern = (EngPattern) group->pattern;
  UiTextStyle style = ui_model_get_heading_style (UI_MODEL_HEADING_TITLE,
                                                  self->options->text_scale);

  group->title = g_strdup (eng_pattern_get_title (pattern));
  group->title[0] = g_ascii_toupper (group->title[0]);
  group->count = g_strdup_printf ("%d head%s", group->n, group->n == 1 ? "" : "s");
  group->title_width = measure (self, UI_MODEL_HEADING_TITLE, group->title);
  group->clause_width = measure (self, UI_MODEL_HEADING_CLAUSE, eng_pattern_get_clause (pattern));
  group->count_width = measure (self, UI_MODEL_HEADING_COUNT, group->count);
  if (get_heading_width (self, group, FALSE) > self->room) {
    g_autofree char *text = self->options->holds_back
                            ? g_strdup (group->title)
                            : g_strdup_printf ("%s · %s", group->title, group->count);

    group->lines = ui_text_wrap (text, &style, self->room - get_indent (self));
  }
  group->n_columns = count_columns (self, group, TRUE);
  group->n_least = count_columns (self, group, FALSE);
}

static void
find_groups (Packer *self,
             int     n_cells)
{
  for (int i = 0; i < n_cells; i++) {
    Group *group = self->groups + MAX (self->n_groups - 1, 0);

    if (i == 0 || self->cells[i].group != group->pattern) {
      group = &self->groups[self->n_groups++];
      *group = (Group) { .pattern = self->cells[i].group, .first = i };
    }
    group->n++;
  }
  for (int i = 0; i < self->n_groups; i++)
    measure_heading (self, &self->groups[i]);
}

/* Each group into the first line that has room for it, if it is small enough to share one, at the
 * end of a line without its clause; the line of each, and how many lines there are. */
static int
pack (Packer *self,
      int    *lines)
{
  int ends[ENG_N_LABELS] = { 0 };
  int n_lines = 0;

  for (int i = 0; i < self->n_groups; i++) {
    Group *group = &self->groups[i];
    gboolean is_small = group->n < self->n_columns && group->lines == NULL;
    int line = is_small ? 0 : n_lines;

    while (line < n_lines
           && (ends[line] == 0 || ends[line] + group->n_least > self->n_columns))
      line++;
    n_lines = MAX (n_lines, line + 1);
    group->column = ends[line];
    /* A column of ground between two; 0 = nothing stands beside it. */
    ends[line] = is_small ? ends[line] + group->n_columns + 1 : 0;
    lines[i] = line;
  }
  return n_lines;
}

static gboolean
is_file (const Packer *self)
{
  return self->options->view_height <= 0;
}

static gboolean
is_open (const Packer *self,
         const Group  *group)
{
  return is_file (self) || (self->options->open_groups & (1u << group->pattern)) != 0;
}

/* What was opened can be closed. */
static gboolean
can_close (const Packer *self,
           const Group  *group)
{
  return !is_file (self) && is_open (self, group) && group->n > self->n_columns;
}

static double
get_heading_height (const Packer *self,
                    const Group  *group)
{
  int n = group->lines != NULL ? (int) g_strv_length (group->lines) : 1;

  return (ABOVE + n * LINE + BELOW) * self->options->text_scale;
}

static double
get_height (const Packer *self,
            const int    *lines,
            int           n_lines)
{
  double height = (TOP + BOTTOM) * self->options->text_scale;

  for (int line = 0; line < n_lines; line++)
    for (int i = 0; i < self->n_groups; i++)
      if (lines[i] == line) {
        height += get_heading_height (self, &self->groups[i])
                  + self->groups[i].n_rows * ui_model_layout_get_row_height (self->layout);
        break;
      }
  return height;
}

/* A line for each; where a window has room for more, the first groups that lack one take them. */
static void
share_out_rows (Packer    *self,
                const int *lines,
                int        n_lines)
{
  double row = ui_model_layout_get_row_height (self->layout);
  gboolean has_grown = TRUE;
  double height;

  for (int i = 0; i < self->n_groups; i++)
    self->groups[i].n_rows =
      is_open (self, &self->groups[i])
        ? count_rows (self, self->groups[i].n + can_close (self, &self->groups[i])) : 1;
  height = get_height (self, lines, n_lines);
  while (has_grown) {
    has_grown = FALSE;
    for (int i = 0; i < self->n_groups; i++)
      if (self->groups[i].n_rows < count_rows (self, self->groups[i].n)
          && height + row <= self->options->view_height) {
        self->groups[i].n_rows++;
        height += row;
        has_grown = TRUE;
      }
  }
}

/* The clearest heads have places, and before the last of these what is to be kept in sight. */
static void
choose_shown (UiModelCell *cells,
              int          n,
              int          n_shown)
{
  int last = n_shown - 1;

  for (int i = 0; i < n; i++)
    cells[i].row = i < n_shown ? 0 : -1;
  for (int i = n_shown; i < n; i++) {
    while (last >= 0 && cells[last].is_kept)
      last--;
    if (!cells[i].is_kept || last < 0)
      continue;
    cells[i].row = 0;
    cells[last--].row = -1;
  }
}

static void
put (Packer      *self,
     UiModelCell  cell,
     int          slot,
     const Group *group,
     double       y)
{
  if (cell.row >= 0) {
    int row = slot / self->n_columns;

    cell.x = self->layout->left
             + (group->column + slot % self->n_columns) * self->layout->pitch;
    cell.y = y + row * ui_model_layout_get_row_height (self->layout);
    cell.row = self->row + row;
  }
  self->placed[self->n_placed++] = cell;
}

/* What opens it stands behind the last one that has a place, as far as that is not all of them. */
static void
put_cells (Packer      *self,
           const Group *group,
           double       y)
{
  UiModelCell *cells = self->cells + group->first;
  const int n_slots = group->n_rows * self->n_columns;
  const int n_shown = group->n <= n_slots ? group->n : n_slots - 1;
  UiModelCell opener = {
    .layer = -1, .head = -1, .group = group->pattern, .n_more = group->n - n_shown
  };
  int slot = 0;

  choose_shown (cells, group->n, n_shown);
  for (int i = 0; i < group->n; i++)
    if (cells[i].row >= 0)
      put (self, cells[i], slot++, group, y);
  if (opener.n_more > 0 || can_close (self, group))
    put (self, opener, slot, group, y);
  for (int i = 0; i < group->n; i++)
    if (cells[i].row < 0)
      put (self, cells[i], 0, group, y);
}

static void
add (Packer             *self,
     UiModelHeadingType  type,
     double              x,
     double              y,
     const char         *text,
     const Group        *group)
{
  ui_model_layout_add_heading (self->layout, type, x, y, g_strdup (text), group->pattern);
}

/* In one line what there is room for; y: its top. */
static void
put_heading (Packer      *self,
             const Group *group,
             gboolean     is_last,
             double       y)
{
  const double scale = self->options->text_scale;
  const double left = self->layout->left + group->column * self->layout->pitch;
  const double room = is_last ? self->room - (left - self->layout->left)
                              : (group->n_columns + 1) * self->layout->pitch;
  const double middle = y + (ABOVE + LINE / 2) * scale;
  double x = left + get_indent (self);

  add (self, UI_MODEL_HEADING_GLYPH, left, middle, NULL, group);
  for (int i = 0; group->lines != NULL && group->lines[i] != NULL; i++)
    add (self, UI_MODEL_HEADING_TITLE, x, middle + i * LINE * scale, group->lines[i], group);
  if (group->lines != NULL)
    return;

  add (self, UI_MODEL_HEADING_TITLE, x, middle, group->title, group);
  x += group->title_width + WORD_GAP * scale;
  if (get_heading_width (self, group, TRUE) <= room) {
    add (self, UI_MODEL_HEADING_CLAUSE, x, middle,
         eng_pattern_get_clause ((EngPattern) group->pattern), group);
    x += group->clause_width + WORD_GAP * scale;
  }
  add (self, UI_MODEL_HEADING_COUNT, x, middle, group->count, group);
}

static gboolean
is_last_in_line (const Packer *self,
                 const int    *lines,
                 int           group)
{
  for (int i = group + 1; i < self->n_groups; i++)
    if (lines[i] == lines[group])
      return FALSE;
  return TRUE;
}

/* *y: top of the line, then its bottom. */
static void
put_line (Packer    *self,
          const int *lines,
          int        line,
          double    *y)
{
  double bottom = *y;
  int n_rows = 0;

  for (int i = 0; i < self->n_groups; i++) {
    const Group *group = &self->groups[i];
    double below = *y + get_heading_height (self, group);

    if (lines[i] != line)
      continue;
    put_heading (self, group, is_last_in_line (self, lines, i), *y);
    put_cells (self, group, below);
    n_rows = MAX (n_rows, group->n_rows);
    bottom = MAX (bottom,
                  below + group->n_rows * ui_model_layout_get_row_height (self->layout));
  }
  self->row += n_rows;
  *y = bottom;
}

static void
clear (Packer *self)
{
  for (int i = 0; i < self->n_groups; i++) {
    g_free (self->groups[i].title);
    g_free (self->groups[i].count);
    g_strfreev (self->groups[i].lines);
  }
}

/* In a window name and number fit below a cell, and the lines of all groups into the height, where
 * that leaves maps large enough to be read. Its columns take the whole width. */
static double
fit_cell (const UiSceneOptions     *options,
          const UiModelLabelWidths *labels,
          double                    room,
          int                       n_groups)
{
  const double scale = options->text_scale;
  const double both = labels->name + UI_MODEL_LABEL_GAP * scale + labels->number;
  const double heading = ABOVE + LINE + BELOW + BELOW_CELL;
  const double gap = CELL_GAP * scale;
  double cell = (options->view_height - (TOP + BOTTOM) * scale) / MAX (n_groups, 1)
                - heading * scale;
  int n_columns;

  cell = CLAMP (cell, MAX (SMALLEST * scale, both), MAX (LARGEST * scale, both)) * options->zoom;
  n_columns = MAX (1, (int) ((room + gap) / (ceil (cell) + gap)));
  return floor ((room + gap) / n_columns - gap);
}

static int
count_groups (const UiModelCell *cells,
              int                n_cells)
{
  int n = n_cells > 0;

  for (int i = 1; i < n_cells; i++)
    n += cells[i].group != cells[i - 1].group;
  return n;
}

void
ui_model_layout_init_groups (UiModelLayout            *self,
                             const UiSceneOptions     *options,
                             const UiModelLabelWidths *labels,
                             UiModelCell              *cells,
                             int                       n_cells,
                             int                       n_columns)
{
  const double margin = ui_model_layout_get_margin (options);
  const double scale = options->text_scale;
  const double room = options->width - 2 * margin;
  const gboolean is_window = options->view_height > 0;
  Packer packer = { .layout = self, .options = options, .cells = cells, .room = room };
  int lines[ENG_N_LABELS], n_lines;
  double y = TOP * scale;
  double cell;

  if (is_window)
    cell = fit_cell (options, labels, room, count_groups (cells, n_cells));
  else
    cell = MAX (ui_model_layout_fit_cell (options, room, n_columns, n_cells / MAX (n_columns, 1)),
                ceil (options->key ? labels->name + UI_MODEL_LABEL_GAP * scale : 0));
  ui_model_layout_init (self, options, labels, margin, cell, is_window ? CELL_GAP * scale : 0);
  self->is_grouped = TRUE;
  packer.n_columns = MAX (1, (int) ((room + self->pitch - self->cell) / self->pitch));
  packer.placed = g_new (UiModelCell, n_cells + ENG_N_LABELS);
  find_groups (&packer, n_cells);
  n_lines = pack (&packer, lines);
  share_out_rows (&packer, lines, n_lines);
  for (int line = 0; line < n_lines; line++)
    put_line (&packer, lines, line, &y);

  clear (&packer);
  g_free (cells);
  self->cells = packer.placed;
  self->n_cells = packer.n_placed;
  self->width = MAX (options->width, margin * 2 + self->cell);
  self->height = MAX (y + BOTTOM * scale, options->view_height);
}
