/* SPDX-License-Identifier: MIT */
/* Before people nothing is scrolled. A step that fits stands among as many of its neighbours as there
 * is room for; what is higher than the window is shown on several screens, one of which is laid out:
 * the name of the step stands on each of them, with which of how many it is, and above a table that
 * goes on its headings do. */
#include <math.h>

#include "ui/scene/steps/steps-builder.h"

/* At 100 % text. */
#define GAP 8.0 /* also below a screen: more than the margin of a card */
#define LEAST_REST 55.0 /* of a table that goes on: a row alone is none */

#define FULL_PART 0.5 /* of a screen, which may end before what would be torn apart */
#define TEXT_PART 0.6 /* of its size below its middle */
#define SAME 0.01

/* Where a screen may end. */
typedef struct {
  double   y;
  gboolean is_inside; /* of a table, or of what explains a number */
} Break;

typedef struct {
  double top, body, end; /* of the headings, of the rows */
  guint  first_text, end_text; /* of the headings */
} Table;

/* What a screen shows of what stands below each other. */
typedef struct {
  double from, to;
} Span;

typedef struct {
  UiStepsBuilder *builder;
  const GArray   *marks;
  UiStepsLayout   all;   /* what was laid out */
  double          top;   /* below the model */
  double          room;
} Screens;

UiStepsBreaks *
ui_steps_breaks_new (void)
{
  UiStepsBreaks *self = g_new (UiStepsBreaks, 1);

  self->breaks = g_array_new (FALSE, FALSE, sizeof (Break));
  self->tables = g_array_new (FALSE, FALSE, sizeof (Table));
  return self;
}

void
ui_steps_breaks_free (UiStepsBreaks *self)
{
  g_array_unref (self->breaks);
  g_array_unref (self->tables);
  g_free (self);
}

static void
add_break (UiStepsBuilder *builder,
           gboolean        is_inside)
{
  const Break entry = { builder->y, is_inside };

  if (builder->breaks != NULL)
    g_array_append_val (builder->breaks->breaks, entry);
}

void
ui_steps_add_break (UiStepsBuilder *builder)
{
  add_break (builder, FALSE);
}

void
ui_steps_add_inner_break (UiStepsBuilder *builder)
{
  add_break (builder, TRUE);
}

void
ui_steps_begin_table (UiStepsBuilder *builder)
{
  const Table table = {
    .top = builder->y, .body = builder->y, .end = builder->y,
    .first_text = builder->layout->texts->len, .end_text = builder->layout->texts->len
  };

  if (builder->breaks == NULL)
    return;
  add_break (builder, FALSE);
  g_array_append_val (builder->breaks->tables, table);
}

static Table *
get_last_table (UiStepsBuilder *builder)
{
  GArray *tables = builder->breaks->tables;

  return &g_array_index (tables, Table, tables->len - 1);
}

void
ui_steps_end_headings (UiStepsBuilder *builder)
{
  Table *table;

  if (builder->breaks == NULL)
    return;
  table = get_last_table (builder);
  table->body = builder->y;
  table->end_text = builder->layout->texts->len;
}

void
ui_steps_end_table (UiStepsBuilder *builder)
{
  if (builder->breaks != NULL)
    get_last_table (builder)->end = builder->y;
}

/* Which screens there are. */

static const UiStepsRow *
get_row (const Screens *self,
         guint          index)
{
  return &g_array_index (self->all.rows, UiStepsRow, index);
}

static double
get_end (const UiStepsRow *row)
{
  return row->rect.y + row->rect.height;
}

/* Of the line with its name. */
static double
get_name_height (const UiStepsRow *row)
{
  return 2 * (row->middle - row->rect.y);
}

/* The row that has begun above y and goes on there; NULL = none does. */
static const UiStepsRow *
find_torn_row (const Screens *self,
               double         y)
{
  for (guint i = 0; i < self->all.rows->len; i++)
    if (get_row (self, i)->rect.y < y - SAME && get_end (get_row (self, i)) > y + SAME)
      return get_row (self, i);
  return NULL;
}

static const Table *
find_torn_table (const Screens *self,
                 double         y)
{
  const GArray *tables = self->builder->breaks->tables;

  for (guint i = 0; i < tables->len; i++) {
    const Table *table = &g_array_index (tables, Table, i);

    if (table->body <= y + SAME && table->end > y + SAME)
      return table;
  }
  return NULL;
}

/* Height of what a screen that begins at y says once more. */
static double
get_head (const Screens *self,
          double         y)
{
  const UiStepsRow *row = find_torn_row (self, y);
  const Table *table = row != NULL ? find_torn_table (self, y) : NULL;

  return row == NULL ? 0 : get_name_height (row) + GAP * self->builder->scale
                           + (table != NULL ? table->body - table->top : 0);
}

/* Whether a screen that ends there leaves next to nothing of a table. */
static gboolean
leaves_scrap (const Screens *self,
              double         y)
{
  const Table *table = find_torn_table (self, y);

  return table != NULL && table->end - y < LEAST_REST * self->builder->scale
         && table->end - table->body > 2 * LEAST_REST * self->builder->scale;
}

/* What explains a number is one thing, wherever it fits. */
static gboolean
tears_frame (const Screens *self,
             double         y,
             double         most)
{
  for (guint i = 0; i < self->all.frames->len; i++) {
    const UiRect *frame = &g_array_index (self->all.frames, UiRect, i);

    if (y > frame->y + SAME && y < frame->y + frame->height - SAME && frame->height <= most)
      return TRUE;
  }
  return FALSE;
}

/* Of the last thing above y: what is empty below it needs no screen. */
static double
find_bottom (const Screens *self,
             double         y)
{
  double bottom = 0;

  for (guint i = 0; i < self->all.runs->len; i++) {
    const UiRect rect =
      ui_steps_run_get_rect (&g_array_index (self->all.runs, UiStepsRun, i));

    bottom = rect.y < y ? MAX (bottom, rect.y + rect.height) : bottom;
  }
  for (guint i = 0; i < self->all.texts->len; i++) {
    const UiStepsText *text = &g_array_index (self->all.texts, UiStepsText, i);

    bottom = text->y < y ? MAX (bottom, text->y + text->size * TEXT_PART) : bottom;
  }
  for (guint i = 0; i < self->all.frames->len; i++) {
    const UiRect *frame = &g_array_index (self->all.frames, UiRect, i);

    bottom = frame->y < y ? MAX (bottom, frame->y + frame->height) : bottom;
  }
  for (guint i = 0; i < self->all.dials->len; i++) {
    const UiStepsDial *dial = &g_array_index (self->all.dials, UiStepsDial, i);

    bottom = dial->y < y ? MAX (bottom, dial->y + dial->radius) : bottom;
  }
  return MIN (bottom, y);
}

/* Before something that is not torn apart, unless too much would be left empty; else between two
 * rows, else where it can be. */
static double
find_end (const Screens *self,
          double         from,
          double         most,
          double         end)
{
  const GArray *breaks = self->builder->breaks->breaks;
  const double limit = from + most;
  double outer = from, inner = from, next = end;

  if (find_bottom (self, end) <= limit + SAME)
    return MIN (end, MAX (limit, from + SAME));
  for (guint i = 0; i < breaks->len; i++) {
    const Break *at = &g_array_index (breaks, Break, i);

    if (at->y > from + SAME && at->y <= limit + SAME) {
      if (!leaves_scrap (self, at->y) && !tears_frame (self, at->y, most))
        inner = MAX (inner, at->y);
      outer = at->is_inside ? outer : MAX (outer, at->y);
    } else if (at->y > from + SAME) {
      next = MIN (next, at->y);
    }
  }
  if (outer > from && outer >= from + FULL_PART * most)
    return outer;
  return inner > from ? inner : next;
}

/* Array of Span. (transfer full) */
static GArray *
find_screens (const Screens *self,
              const Span    *whole)
{
  GArray *screens = g_array_new (FALSE, FALSE, sizeof (Span));
  Span screen = { whole->from, whole->from };

  do {
    screen.from = screen.to;
    screen.to = find_end (self, screen.from, self->room - get_head (self, screen.from),
                          whole->to);
    g_array_append_val (screens, screen);
  } while (screen.to < find_bottom (self, whole->to) - SAME);
  return screens;
}

/* The step, with neighbours of which all is seen: what came before it and what comes behind it, by
 * turns. */
static Span
find_neighbours (const Screens *self,
                 guint          card)
{
  guint first = card, end = card + 1;
  gboolean grows = TRUE;

  while (grows) {
    grows = FALSE;
    if (first > 0
        && get_end (get_row (self, end - 1)) - get_row (self, first - 1)->rect.y <= self->room) {
      first--;
      grows = TRUE;
    }
    if (end < self->all.rows->len
        && get_end (get_row (self, end)) - get_row (self, first)->rect.y <= self->room) {
      end++;
      grows = TRUE;
    }
  }
  return (Span) { get_row (self, first)->rect.y, get_end (get_row (self, end - 1)) };
}

static guint
find_card (const Screens *self)
{
  guint card = 0;

  while (!get_row (self, card)->is_card)
    card++;
  return card;
}

/* What of the way is shown, on however many screens. */
static Span
find_whole (const Screens *self)
{
  const guint n = self->all.rows->len;
  guint card;

  if (self->builder->self->is_whole)
    return (Span) { get_row (self, 0)->rect.y, get_end (get_row (self, n - 1)) };
  card = find_card (self);
  if (get_row (self, card)->rect.height <= self->room)
    return find_neighbours (self, card);
  return (Span) { get_row (self, card)->rect.y, get_end (get_row (self, card)) };
}

/* One of them. */

static gboolean
is_within (const Span *span,
           double      y)
{
  return y >= span->from - SAME && y < span->to - SAME;
}

static void
copy_text (Screens *self,
           guint    index,
           double   dy)
{
  UiStepsText text = g_array_index (self->all.texts, UiStepsText, index);

  text.text = g_strdup (text.text);
  text.y += dy;
  g_array_append_val (self->builder->layout->texts, text);
}

static void
copy_runs (Screens    *self,
           const Span *span,
           double      dy)
{
  for (guint i = 0; i < self->all.runs->len; i++) {
    UiStepsRun run = g_array_index (self->all.runs, UiStepsRun, i);

    if (!is_within (span, run.y + ui_steps_run_get_rect (&run).height / 2))
      continue;
    run.y += dy;
    g_array_append_val (self->builder->layout->runs, run);
  }
}

/* What is torn apart is framed on either screen. */
static void
copy_frames (Screens    *self,
             const Span *span,
             double      dy)
{
  for (guint i = 0; i < self->all.frames->len; i++) {
    UiRect frame = g_array_index (self->all.frames, UiRect, i);
    const double from = MAX (frame.y, span->from);
    const double to = MIN (frame.y + frame.height, span->to);

    if (to <= from + SAME)
      continue;
    frame.y = from + dy;
    frame.height = to - from;
    g_array_append_val (self->builder->layout->frames, frame);
  }
}

static void
copy_dials (Screens    *self,
            const Span *span,
            double      dy)
{
  for (guint i = 0; i < self->all.dials->len; i++) {
    UiStepsDial dial = g_array_index (self->all.dials, UiStepsDial, i);

    if (!is_within (span, dial.y))
      continue;
    dial.y += dy;
    g_array_append_val (self->builder->layout->dials, dial);
  }
}

/* A row that has begun on a screen before says its name once more, at the top. */
static void
copy_rows (Screens    *self,
           const Span *span,
           double      dy)
{
  for (guint i = 0; i < self->all.rows->len; i++) {
    UiStepsRow row = *get_row (self, i);
    const double to = MIN (get_end (&row), span->to);

    if (to <= MAX (row.rect.y, span->from) + SAME)
      continue;
    if (row.rect.y < span->from - SAME) {
      const double move = self->top - row.rect.y;

      copy_text (self, g_array_index (self->marks, UiStepsMark, i).texts, move);
      row.middle += move;
      row.rect.y = self->top;
    } else {
      row.middle += dy;
      row.rect.y += dy;
    }
    row.rect.height = to + dy - row.rect.y;
    /* Where the card is torn apart its margin is below what stands in it, too. */
    if (to < get_end (get_row (self, i)) - SAME)
      row.rect.height += GAP * self->builder->scale;
    g_array_append_val (self->builder->layout->rows, row);
  }
}

/* Beside the name that stands first. */
static void
add_counter (Screens *self,
             int      screen,
             int      n)
{
  UiStepsBuilder *builder = self->builder;
  const UiStepsRow *row = &g_array_index (builder->layout->rows, UiStepsRow, 0);
  UiStepsText *text =
    ui_steps_add_text (builder, g_strdup_printf ("%d of %d", screen + 1, n),
                       builder->layout->left + builder->layout->room - GAP * builder->scale,
                       row->middle, UI_STEPS_LABEL_SIZE);
  double left;

  text->align = UI_ALIGN_RIGHT;
  text->color = UI_STEPS_COLOR_DIM;
  left = ui_steps_text_get_rect (text).x - GAP * builder->scale;
  for (guint i = 0; i + 1 < builder->layout->texts->len; i++) {
    UiStepsText *name = &g_array_index (builder->layout->texts, UiStepsText, i);

    if (name->y == row->middle && name->align == UI_ALIGN_LEFT)
      name->room = MIN (name->room, left - name->x);
  }
}

static void
lay_out_span (Screens    *self,
              const Span *span)
{
  const UiStepsMark *begin = &g_array_index (self->marks, UiStepsMark, 0);
  const Table *table = find_torn_row (self, span->from) != NULL
                       ? find_torn_table (self, span->from) : NULL;
  const double dy = self->top + get_head (self, span->from) - span->from;

  for (guint i = 0; i < begin->texts; i++)
    copy_text (self, i, 0);
  copy_rows (self, span, dy);
  for (guint i = table != NULL ? table->first_text : 0; table != NULL && i < table->end_text; i++)
    copy_text (self, i, span->from + dy - table->body);
  for (guint i = begin->texts; i < self->all.texts->len; i++)
    if (is_within (span, g_array_index (self->all.texts, UiStepsText, i).y))
      copy_text (self, i, dy);
  copy_runs (self, span, dy);
  copy_frames (self, span, dy);
  copy_dials (self, span, dy);
  self->builder->y = span->to + dy;
}

int
ui_steps_lay_out_screen (UiStepsBuilder *builder,
                         const GArray   *marks,
                         double          height,
                         int            *n)
{
  UiStepsLayout *layout = builder->layout;
  Screens self = { builder, marks, *layout, layout->diagram_height,
                   height - layout->diagram_height - GAP * builder->scale };
  const Span whole = find_whole (&self);
  g_autoptr (GArray) screens = find_screens (&self, &whole);
  const int screen = MIN (builder->self->scene.options.screen, (int) screens->len) - 1;

  *n = (int) screens->len;
  /* Boxes and forks are the model's, which stands on each. */
  ui_steps_layout_init (layout);
  for (guint i = 0; i < self.all.boxes->len; i++) {
    UiStepsBox box = g_array_index (self.all.boxes, UiStepsBox, i);

    box.shape = g_strdup (box.shape);
    g_array_append_val (layout->boxes, box);
  }
  g_array_append_vals (layout->forks, self.all.forks->data, self.all.forks->len);
  lay_out_span (&self, &g_array_index (screens, Span, screen));
  if (*n > 1)
    add_counter (&self, screen, *n);
  ui_steps_layout_clear (&self.all);
  return screen;
}
