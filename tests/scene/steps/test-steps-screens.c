/* SPDX-License-Identifier: MIT */
/* A way before people: what does not fit into a window stands on several screens, of which none is
 * higher than that. Together they have all of the step, each number once. */
#include <string.h>

#include "tests/scene/steps/steps-case.h"
#include "tests/support/box-sink.h"
#include "tests/support/random-model.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/steps/steps-scene.h"

#define N_SPECS 12
#define MOST_OVERLAP 0.3 /* units; what rounding makes of texts that touch */

typedef struct {
  double width, height, scale;
} Room;

static UiScene *
make_screen (EngTrace   *trace,
             const char *step,
             const Room *room,
             int         screen)
{
  const UiSceneOptions options = {
    .width = room->width, .view_height = room->height, .text_scale = room->scale, .zoom = 1,
    .screen = screen,
  };
  g_autofree char *settings = g_strdup_printf ("step=%s", step);

  return scene_case_new_view (trace, UI_VIEW_STEPS, settings, &options);
}

static gboolean
is_same_run (const UiStepsRun *a,
             const UiStepsRun *b)
{
  return a->numbers == b->numbers && a->row == b->row && a->column == b->column && a->n == b->n
         && a->is_source == b->is_source && a->x == b->x && a->cell_width == b->cell_width;
}

static int
count_run (const UiScene    *scene,
           const UiStepsRun *of)
{
  const GArray *runs = ui_steps_scene_cast (scene)->layout.runs;
  int n = 0;

  for (guint i = 0; i < runs->len; i++)
    n += is_same_run (&g_array_index (runs, UiStepsRun, i), of);
  return n;
}

static int
count_text (const UiScene *scene,
            const char    *text)
{
  const GArray *texts = ui_steps_scene_cast (scene)->layout.texts;
  int n = 0;

  for (guint i = 0; i < texts->len; i++)
    n += strcmp (g_array_index (texts, UiStepsText, i).text, text) == 0;
  return n;
}

/* What a card has stands on the ground that is painted for it, which ends above the card's end. */
static gboolean
is_in_row (const UiStepsLayout *layout,
           const UiRect        *rect,
           double               scale)
{
  for (guint i = 0; i < layout->rows->len; i++) {
    const UiStepsRow *row = &g_array_index (layout->rows, UiStepsRow, i);
    const double margin = row->is_card ? UI_STEPS_CARD_MARGIN * scale : 0;

    if (rect->y >= row->rect.y
        && rect->y + rect->height <= row->rect.y + row->rect.height - margin)
      return TRUE;
  }
  return FALSE;
}

/* Nothing is cut, or lies over something else. */
static void
assert_in_sight (const UiScene *scene,
                 const Room    *room)
{
  const UiStepsLayout *layout = &ui_steps_scene_cast (scene)->layout;
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);
  double height;

  ui_scene_get_size (scene, NULL, &height);
  g_assert_cmpfloat (height, ==, room->height);
  for (guint i = 0; i < layout->runs->len; i++) {
    const UiRect rect = ui_steps_run_get_rect (&g_array_index (layout->runs, UiStepsRun, i));

    g_assert_cmpfloat (rect.y, >=, layout->diagram_height);
    g_assert_cmpfloat (rect.y + rect.height, <=, height);
    g_assert_true (is_in_row (layout, &rect, room->scale));
  }
  for (guint i = 0; i < layout->rows->len; i++) {
    const UiRect rect = g_array_index (layout->rows, UiStepsRow, i).rect;

    g_assert_cmpfloat (rect.y, >=, layout->diagram_height - 0.01);
    g_assert_cmpfloat (rect.y + rect.height, <=, height);
  }
  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *first = &g_array_index (boxes, TextBox, i);

    g_assert_cmpfloat (first->ink.y, >=, 0);
    g_assert_cmpfloat (first->ink.y + first->ink.height, <=, height);
    for (guint j = 0; j < i; j++) {
      const TextBox *second = &g_array_index (boxes, TextBox, j);

      if (box_sink_overlap (first, second) > MOST_OVERLAP)
        g_error ("“%s” and “%s” overlap", first->text, second->text);
    }
  }
}

/* All of it at once, as it is scrolled; what stands beside the names of other steps is no number that
 * can be met. */
static void
assert_complete (const UiScene   *scrolled,
                 const GPtrArray *screens)
{
  const GArray *runs = ui_steps_scene_cast (scrolled)->layout.runs;
  int n_runs = 0, n_shown = 0;

  for (guint i = 0; i < runs->len; i++) {
    const UiStepsRun *run = &g_array_index (runs, UiStepsRun, i);
    int n = 0;

    if (run->is_mini)
      continue;
    for (guint j = 0; j < screens->len; j++)
      n += count_run (screens->pdata[j], run);
    g_assert_cmpint (n, ==, count_run (scrolled, run));
    n_runs++;
  }
  for (guint j = 0; j < screens->len; j++) {
    runs = ui_steps_scene_cast (screens->pdata[j])->layout.runs;
    for (guint i = 0; i < runs->len; i++)
      n_shown += !g_array_index (runs, UiStepsRun, i).is_mini;
  }
  g_assert_cmpint (n_shown, ==, n_runs);
}

/* Returns how many screens there are. */
static int
assert_screens (EngTrace   *trace,
                const char *step,
                const Room *room)
{
  g_autoptr (UiScene) scrolled = make_screen (trace, step, room, 0);
  g_autoptr (GPtrArray) screens = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_scene_unref);
  g_autofree char *name = ui_steps_dup_name (scrolled, ui_steps_get_step (scrolled));
  int n = 1;

  for (int i = 0; i < n; i++) {
    UiScene *screen = make_screen (trace, step, room, i + 1);
    g_autofree char *counter = NULL;

    g_ptr_array_add (screens, screen);
    g_assert_cmpint (ui_steps_get_screen (screen, &n), ==, i);
    counter = g_strdup_printf ("%d of %d", i + 1, n);
    g_assert_cmpint (count_text (screen, counter), ==, n > 1 ? 1 : 0);
    if (!ui_steps_is_whole (screen))
      g_assert_cmpint (count_text (screen, name), >=, 1);
    assert_in_sight (screen, room);
  }
  assert_complete (scrolled, screens);
  return n;
}

static void
test_models (void)
{
  static const Room rooms[] = {
    { 1260, 680, 1.3 }, { 880, 560, 1.25 }, { 880, 600, 2 }, { 1880, 940, 1.6 }, { 420, 430, 1 },
  };
  int n_several = 0, n_single = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    g_autoptr (EngTrace) trace = make_random (seed, 2 + (int) (seed * 5 % 23));
    g_autoptr (UiScene) scene = make_step (trace, 0, 700, 1);
    const int n = ui_steps_get_n (scene);

    for (int step = 0; step < n; step++) {
      const Room *room = &rooms[(seed + (guint) step) % G_N_ELEMENTS (rooms)];
      g_autofree char *name = g_strdup_printf ("%d", step);
      const int n_screens = assert_screens (trace, name, room);

      n_several += n_screens > 1;
      n_single += n_screens == 1;
    }
  }
  g_assert_cmpint (n_several, >, 20);
  g_assert_cmpint (n_single, >, 20);
}

/* All steps in full, one after the other. */
static void
test_whole (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat on the mat.");

  g_assert_cmpint (assert_screens (trace, "all", &(Room) { 1260, 680, 1.3 }), >, 8);
}

/* A table that goes on has its headings above it, and no row alone. */
static void
test_headings (void)
{
  g_autoptr (EngTrace) trace =
    make_bundled ("headlight-mini", "The cat sat on the mat, and the dog slept on the rug.");
  g_autoptr (UiScene) scrolled = make_step (trace, 0, 700, 1);
  const int n_tokens = eng_way_get_query_tokens (ui_steps_scene_cast (scrolled)->way)->n;

  for (int height = 400; height < 800; height += 20) {
    int n = 1, n_rows = 0;

    for (int i = 0; i < n; i++) {
      const Room room = { 1260, height, 1.25 };
      g_autoptr (UiScene) screen = make_screen (trace, "0", &room, i + 1);
      const GArray *runs = ui_steps_scene_cast (screen)->layout.runs;

      ui_steps_get_screen (screen, &n);
      g_assert_cmpint (count_text (screen, "position"), ==, 1);
      /* Three columns. */
      g_assert_cmpint ((int) runs->len / 3, >=, 3);
      n_rows += (int) runs->len / 3;
    }
    g_assert_cmpint (n_rows, ==, n_tokens);
  }
}

/* A step that fits stands among others of which all is seen, as many as have room. */
static void
test_neighbours (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  guint least = G_MAXUINT, most = 0;

  for (int height = 420; height < 1000; height += 40) {
    const Room room = { 1260, height, 1.25 };
    g_autoptr (UiScene) screen = make_screen (trace, "5", &room, 1);
    const guint n = ui_steps_scene_cast (screen)->layout.rows->len;

    g_assert_cmpuint (n, >=, most);
    least = MIN (least, n);
    most = MAX (most, n);
  }
  g_assert_cmpuint (least, <, most);
}

/* What is empty below a step needs no screen: the first window that has room for all of it is no
 * higher than it is. */
static void
test_fits (void)
{
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  int height = 250, n = 2;
  double bottom = 0;

  for (; n > 1; height++) {
    const Room room = { 1260, height, 1.25 };
    g_autoptr (UiScene) screen = make_screen (trace, "5", &room, 1);
    const GArray *frames = ui_steps_scene_cast (screen)->layout.frames;

    ui_steps_get_screen (screen, &n);
    if (n == 1) {
      const UiRect *frame = &g_array_index (frames, UiRect, 0);

      g_assert_cmpuint (frames->len, ==, 1);
      bottom = height - frame->y - frame->height;
    }
  }
  g_assert_cmpint (height, >, 251);
  g_assert_cmpfloat (bottom, >=, 0);
  g_assert_cmpfloat (bottom, <, 12);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steps-screens/models", test_models);
  g_test_add_func ("/steps-screens/whole", test_whole);
  g_test_add_func ("/steps-screens/headings", test_headings);
  g_test_add_func ("/steps-screens/fits", test_fits);
  g_test_add_func ("/steps-screens/neighbours", test_neighbours);
  return g_test_run ();
}
