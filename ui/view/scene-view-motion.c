/* SPDX-License-Identifier: MIT */
/* From a step to the next: what was seen fades while what comes is there, and the card of the stage
 * that is left shrinks to what it hands on, beside its name, or the other way round. Behind the way of
 * one token its row, small beside the name of a stage, becomes one of all tokens' rows. Where the
 * desktop wants no motion it fades alone. */
#include "ui/view/scene-view-private.h"

#include "ui/scene/steps/steps-facts.h"
#include "ui/view/color.h"

#define DURATION_US 260000
#define FRAME_WIDTH 2.0
#define FRAME_RADIUS 6.0

static double
get_progress (UiSceneView *self)
{
  const double time = (double) (g_get_monotonic_time () - self->motion.begun) / DURATION_US;
  const double left = 1 - CLAMP (time, 0, 1);

  return 1 - left * left * left;
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       unused)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);

  gtk_widget_queue_draw (widget);
  if (g_get_monotonic_time () - self->motion.begun < DURATION_US)
    return G_SOURCE_CONTINUE;
  self->motion.tick = 0;
  g_clear_object (&self->motion.before);
  return G_SOURCE_REMOVE;
}

void
ui_scene_view_end_motion (UiSceneView *self)
{
  if (self->motion.tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->motion.tick);
  self->motion.tick = 0;
  g_clear_object (&self->motion.before);
}

/* In the widget: of a stage in full, or small beside its name. */
static gboolean
find_stage (UiSceneView *self,
            int          stage,
            UiRect      *rect)
{
  const UiRect view = ui_scene_view_get_area (self);

  if (!ui_steps_find_handed (self->scene, stage, rect))
    return FALSE;
  rect->x -= view.x;
  rect->y -= view.y;
  return TRUE;
}

/* The stage that moves: one step on the card that is left shrinks, one step back what has been handed
 * on grows. For all tokens what one of them had becomes a row of theirs, or the other way round. */
static int
find_moving (UiScene *before,
             UiScene *next)
{
  if (ui_steps_has_all_rows (next) || ui_steps_has_all_rows (before))
    return ui_steps_get_stage (ui_steps_get_step (next) > ui_steps_get_step (before) ? next
                                                                                     : before);
  return MIN (ui_steps_get_step (next), ui_steps_get_step (before));
}

void
ui_scene_view_begin_motion (UiSceneView *self,
                            UiScene     *next)
{
  gboolean has_motion = TRUE;
  int from, to;

  if (self->scene == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  from = ui_steps_get_step (self->scene);
  to = ui_steps_get_step (next);
  if (ui_steps_get_n (self->scene) == 0 || ui_steps_get_n (next) == 0 || from == to)
    return;

  ui_scene_view_end_motion (self);
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &has_motion,
                NULL);
  self->motion.stage = find_moving (self->scene, next);
  self->motion.moves = has_motion && find_stage (self, self->motion.stage, &self->motion.from);
  {
    g_autoptr (GdkPaintable) seen = gtk_widget_paintable_new (GTK_WIDGET (self));

    self->motion.before = gdk_paintable_get_current_image (seen);
  }
  self->motion.begun = g_get_monotonic_time ();
  self->motion.tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
append_frame (UiSceneView *self,
              GtkSnapshot *snapshot,
              double       progress)
{
  const UiRect *from = &self->motion.from;
  const float width[] = { FRAME_WIDTH, FRAME_WIDTH, FRAME_WIDTH, FRAME_WIDTH };
  GdkRGBA color = ui_color_to_rgba (ui_palette_get (self->theme)->accent);
  const GdkRGBA colors[] = { color, color, color, color };
  GskRoundedRect outline;
  UiRect to;

  if (!find_stage (self, self->motion.stage, &to))
    return;
  gsk_rounded_rect_init_from_rect (
    &outline,
    &GRAPHENE_RECT_INIT ((float) (from->x + (to.x - from->x) * progress),
                         (float) (from->y + (to.y - from->y) * progress),
                         (float) (from->width + (to.width - from->width) * progress),
                         (float) (from->height + (to.height - from->height) * progress)),
    FRAME_RADIUS);
  gtk_snapshot_push_opacity (snapshot, 1 - progress);
  gtk_snapshot_append_border (snapshot, &outline, width, colors);
  gtk_snapshot_pop (snapshot);
}

void
ui_scene_view_snapshot_motion (UiSceneView *self,
                               GtkSnapshot *snapshot)
{
  const double progress = get_progress (self);

  if (self->motion.before == NULL)
    return;
  gtk_snapshot_push_opacity (snapshot, 1 - progress);
  gdk_paintable_snapshot (self->motion.before, snapshot,
                          gtk_widget_get_width (GTK_WIDGET (self)),
                          gtk_widget_get_height (GTK_WIDGET (self)));
  gtk_snapshot_pop (snapshot);
  if (self->motion.moves)
    append_frame (self, snapshot, progress);
}
