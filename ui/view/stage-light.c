/* SPDX-License-Identifier: MIT */
#include "ui/view/stage-light.h"

/* Parts of the smaller side. */
#define SPOT    0.17
#define POINTER 0.028

#define EDGE     0.94f /* of the spot, where it begins to be dark */
#define N_SHADES 3     /* until it is */
#define DARK     0.72f
#define FEWEST   16    /* px that are dark above or below the words: less is a line that means nothing */
#define RING     4     /* px */

struct _UiStageLight {
  GtkWidget     parent_instance;

  GtkWidget    *words;
  double        x;
  double        y;
  gboolean      has_spot;
  gboolean      has_pointer;
  GdkPaintable *still; /* NULL = none */
};

G_DEFINE_FINAL_TYPE (UiStageLight, ui_stage_light, GTK_TYPE_WIDGET)

static const GdkRGBA glow = { 0.93f, 0.20f, 0.14f, 0.35f };
static const GdkRGBA ring = { 0.93f, 0.20f, 0.14f, 1 };

/* A ring around the spot. A border is filled at once, where a gradient is worked out pixel by pixel:
 * for a screen that takes longer than a frame. */
static void
append_shade (UiStageLight *self,
              GtkSnapshot  *snapshot,
              float         inner,
              float         outer,
              float         opacity)
{
  const GdkRGBA color = { 0, 0, 0, opacity };
  const float width = outer - inner;
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) self->x - outer,
                                                     (float) self->y - outer, 2 * outer,
                                                     2 * outer);
  GskRoundedRect shade;

  gsk_rounded_rect_init_from_rect (&shade, &bounds, outer);
  gtk_snapshot_append_border (snapshot, &shade, (float[4]) { width, width, width, width },
                              (GdkRGBA[4]) { color, color, color, color });
}

static void
append_dark (UiStageLight *self,
             GtkSnapshot  *snapshot,
             float         top,
             float         bottom)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const int height = gtk_widget_get_height (GTK_WIDGET (self));
  const float radius = (float) (SPOT * MIN (width, height));
  const float step = radius * (1 - EDGE) / N_SHADES;

  if (bottom - top < FEWEST)
    return;
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, top, (float) width, bottom - top));
  for (int i = 0; i < N_SHADES; i++)
    append_shade (self, snapshot, radius * EDGE + (float) i * step,
                  radius * EDGE + (float) (i + 1) * step, DARK * (float) (i + 1) / (N_SHADES + 1));
  /* All of the window lies in it, wherever the spot is. */
  append_shade (self, snapshot, radius, (float) (width + height), DARK);
  gtk_snapshot_pop (snapshot);
}

/* Above the words and below them. */
static void
append_spot (UiStageLight *self,
             GtkSnapshot  *snapshot)
{
  const float height = (float) gtk_widget_get_height (GTK_WIDGET (self));
  graphene_rect_t words;

  if (!gtk_widget_compute_bounds (self->words, GTK_WIDGET (self), &words))
    words = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  append_dark (self, snapshot, 0, words.origin.y);
  append_dark (self, snapshot, words.origin.y + words.size.height, height);
}

static void
append_pointer (UiStageLight *self,
                GtkSnapshot  *snapshot,
                int           width,
                int           height)
{
  const float radius = (float) MAX (POINTER * MIN (width, height), 3 * RING);
  const float widths[4] = { RING, RING, RING, RING };
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) self->x - radius,
                                                     (float) self->y - radius, 2 * radius,
                                                     2 * radius);
  GskRoundedRect circle;

  gsk_rounded_rect_init_from_rect (&circle, &bounds, radius);
  gtk_snapshot_push_rounded_clip (snapshot, &circle);
  gtk_snapshot_append_color (snapshot, &glow, &bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &circle, widths, (GdkRGBA[4]) { ring, ring, ring, ring });
}

static void
ui_stage_light_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  UiStageLight *self = UI_STAGE_LIGHT (widget);
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);

  if (self->still != NULL)
    gdk_paintable_snapshot (self->still, GDK_SNAPSHOT (snapshot), width, height);
  if (self->has_spot)
    append_spot (self, snapshot);
  if (self->has_pointer)
    append_pointer (self, snapshot, width, height);
}

static void
ui_stage_light_dispose (GObject *object)
{
  g_clear_object (&UI_STAGE_LIGHT (object)->still);
  G_OBJECT_CLASS (ui_stage_light_parent_class)->dispose (object);
}

static void
ui_stage_light_class_init (UiStageLightClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ui_stage_light_dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = ui_stage_light_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "stagelight");
}

static void
ui_stage_light_init (UiStageLight *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ui_stage_light_new (GtkWidget *words)
{
  UiStageLight *self = g_object_new (UI_TYPE_STAGE_LIGHT, NULL);

  self->words = words;
  return GTK_WIDGET (self);
}

void
ui_stage_light_move (UiStageLight *self,
                     double        x,
                     double        y)
{
  g_return_if_fail (UI_IS_STAGE_LIGHT (self));

  self->x = x;
  self->y = y;
  if (self->has_spot || self->has_pointer)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_stage_light_set_spot (UiStageLight *self,
                         gboolean      has_spot)
{
  g_return_if_fail (UI_IS_STAGE_LIGHT (self));

  self->has_spot = has_spot;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_stage_light_set_pointer (UiStageLight *self,
                            gboolean      has_pointer)
{
  g_return_if_fail (UI_IS_STAGE_LIGHT (self));

  self->has_pointer = has_pointer;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_stage_light_set_still (UiStageLight *self,
                          GdkPaintable *still)
{
  g_return_if_fail (UI_IS_STAGE_LIGHT (self));

  g_set_object (&self->still, still);
  if (still != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "still");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "still");
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
