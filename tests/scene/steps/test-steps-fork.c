/* SPDX-License-Identifier: MIT */
/* Where several heads read one block, a line leads to each of them from it and crosses nothing. */
#include "ui/scene/steps/steps-scene.h"

#include "tests/scene/steps/steps-case.h"
#include "tests/support/box-sink.h"
#include "tests/support/random-model.h"
#include "ui/scene/steps/steps-facts.h"

#define N_SPECS 60

static const UiStepsBox *
find_box (const UiStepsScene *self,
          int                 block)
{
  for (guint i = 0; i < self->layout.boxes->len; i++) {
    const UiStepsBox *box = &g_array_index (self->layout.boxes, UiStepsBox, i);

    if (box->block == block)
      return box;
  }
  g_assert_not_reached ();
}

static int
count_heads (const UiStepsScene *self)
{
  int n = 0;

  for (int i = 0; i < self->diagram->n_blocks; i++)
    n += self->diagram->blocks[i].type == ENG_BLOCK_HEAD;
  return n;
}

/* A piece of a line within what stands there; that it ends at an edge is no crossing. */
static gboolean
crosses (const UiStepsFork *fork,
         int                piece,
         const UiRect      *rect)
{
  const double left = MIN (fork->x[piece], fork->x[piece + 1]);
  const double right = MAX (fork->x[piece], fork->x[piece + 1]);
  const double top = MIN (fork->y[piece], fork->y[piece + 1]);
  const double bottom = MAX (fork->y[piece], fork->y[piece + 1]);

  return right > rect->x + 0.1 && left < rect->x + rect->width - 0.1
         && bottom > rect->y + 0.1 && top < rect->y + rect->height - 0.1;
}

static void
check_fork (const UiStepsScene *self,
            const UiStepsFork  *fork)
{
  const UiStepsBox *from = find_box (self, fork->from), *to = find_box (self, fork->to);
  const int last = fork->n - 1;

  g_assert_cmpint (self->diagram->blocks[fork->to].reads, ==, fork->from);
  g_assert_cmpint (self->diagram->blocks[fork->to].type, ==, ENG_BLOCK_HEAD);
  g_assert_cmpint (fork->is_lit, ==, to->is_lit);
  g_assert_cmpfloat (fork->y[0], ==, from->rect.y + from->rect.height);
  g_assert_true (fork->x[0] > from->rect.x && fork->x[0] < from->rect.x + from->rect.width);
  g_assert_cmpfloat (fork->y[last], ==, to->rect.y);
  g_assert_true (fork->x[last] > to->rect.x && fork->x[last] < to->rect.x + to->rect.width);
  for (int i = 0; i < last; i++) {
    g_assert_true (fork->x[i] == fork->x[i + 1] || fork->y[i] == fork->y[i + 1]);
    g_assert_cmpfloat (MIN (fork->x[i], fork->x[i + 1]), >=, 0);
    for (guint j = 0; j < self->layout.boxes->len; j++)
      g_assert_false (crosses (fork, i,
                               &g_array_index (self->layout.boxes, UiStepsBox, j).rect));
    for (guint j = 0; j < self->layout.texts->len; j++) {
      const UiRect rect =
        ui_steps_text_get_rect (&g_array_index (self->layout.texts, UiStepsText, j));

      g_assert_false (crosses (fork, i, &rect));
    }
  }
}

/* Returns how many heads there are. */
static int
check_scene (const UiScene *scene)
{
  const UiStepsScene *self = ui_steps_scene_cast (scene);
  const int n_heads = count_heads (self);

  g_assert_cmpuint (self->layout.forks->len, ==, n_heads > 1 ? (guint) n_heads : 0);
  for (guint i = 0; i < self->layout.forks->len; i++) {
    const UiStepsFork *fork = &g_array_index (self->layout.forks, UiStepsFork, i);

    check_fork (self, fork);
    /* Over the others. */
    g_assert_true (!fork->is_lit || i + 1 == self->layout.forks->len);
    for (guint j = 0; j < i; j++)
      g_assert_cmpint (fork->to, !=, g_array_index (self->layout.forks, UiStepsFork, j).to);
  }
  return n_heads;
}

static int
check_widths (EngTrace *trace)
{
  static const double widths[] = { 330, 420, 742, 900, 1280, 1920 };
  const int last = count_steps (trace) - 1;
  int n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    for (int large = 0; large < 2; large++) {
      g_autoptr (UiScene) scene = make_step (trace, large ? last : 0, widths[i], large ? 1.5 : 1);

      n = check_scene (scene);
    }
  return n;
}

static void
test_bundled (void)
{
  g_autoptr (EngTrace) pairs = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (EngTrace) writer = make_bundled ("headlight-causal", "The cat sat.");
  g_autoptr (UiScene) answer = make_step (pairs, count_steps (pairs) - 1, 742, 1);
  const UiStepsLayout *layout = &ui_steps_scene_cast (answer)->layout;

  g_assert_cmpint (check_widths (pairs), ==, 2);
  g_assert_cmpint (check_widths (writer), ==, 1);
  /* The answer is read from one of them, and the line that leads there is lit. */
  g_assert_true (g_array_index (layout->forks, UiStepsFork, layout->forks->len - 1).is_lit);
}

/* Of many heads some stand on further lines. */
static void
test_random (void)
{
  int most = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    g_autoptr (EngTrace) trace = make_random (seed, 4);

    most = MAX (most, check_widths (trace));
  }
  g_assert_cmpint (most, >, 3);
}

/* Where one line of blocks stays, nothing leads to it from another. */
static void
test_low (void)
{
  const UiSceneOptions options = { .width = 600, .view_height = 340, .text_scale = 2, .zoom = 1 };
  g_autoptr (EngTrace) trace = make_bundled ("headlight-mini", "The cat sat.");
  g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_STEPS, "step=0", &options);

  g_assert_cmpuint (ui_steps_scene_cast (scene)->layout.forks->len, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steps-fork/bundled", test_bundled);
  g_test_add_func ("/steps-fork/random", test_random);
  g_test_add_func ("/steps-fork/low", test_low);
  return g_test_run ();
}
