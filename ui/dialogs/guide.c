/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/guide.h"

#define RING 3    /* px */
#define RADIUS 8
#define GAP 12    /* between ring and card, and at the edge of the window */

struct _UiGuide {
  GtkWidget       parent_instance;

  GtkWidget      *card;
  GtkWidget      *target; /* weak */
  graphene_rect_t ring;   /* of zero width = none */
  guint           tick;
};

G_DEFINE_FINAL_TYPE (UiGuide, ui_guide, GTK_TYPE_WIDGET)

enum { PROP_CARD = 1, N_PROPS };

static GParamSpec *props[N_PROPS];

/* Where the target is now, within the window. */
static graphene_rect_t
find_ring (UiGuide *self)
{
  const graphene_rect_t window = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                                     gtk_widget_get_height (GTK_WIDGET (self)));
  graphene_rect_t ring = GRAPHENE_RECT_INIT (0, 0, 0, 0);

  if (self->target == NULL || !gtk_widget_get_mapped (self->target)
      || !gtk_widget_compute_bounds (self->target, GTK_WIDGET (self), &ring)
      || !graphene_rect_intersection (&ring, &window, &ring))
    return GRAPHENE_RECT_INIT (0, 0, 0, 0);
  return ring;
}

/* On the ring, at the foot of the window: at the side where it covers least of it, unless that is
 * no better than the middle. */
static void
place_on_ring (const graphene_rect_t *ring,
               int                    width,
               int                    height,
               GtkAllocation         *card)
{
  const int at_right = width - GAP - card->width;
  const double over_right = ring->origin.x + ring->size.width - at_right;
  const double over_left = GAP + card->width - ring->origin.x;

  card->y = height - GAP - card->height;
  if (MIN (over_left, over_right) < card->width / 2)
    card->x = over_right <= over_left ? at_right : GAP;
}

/* Beside the ring where there is room, else on it. */
static void
place_card (UiGuide         *self,
            int              width,
            int              height,
            GtkAllocation   *card)
{
  const graphene_rect_t *ring = &self->ring;
  const double right = ring->origin.x + ring->size.width;
  const double bottom = ring->origin.y + ring->size.height;

  if (ring->size.width <= 0) {
    card->x = (width - card->width) / 2;
    card->y = (height - card->height) / 2;
    return;
  }
  card->y = (int) ring->origin.y + GAP;
  if (right + 2 * GAP + card->width <= width)
    card->x = (int) right + GAP;
  else if (ring->origin.x - 2 * GAP - card->width >= 0)
    card->x = (int) ring->origin.x - GAP - card->width;
  else {
    card->x = (int) (ring->origin.x + ring->size.width / 2) - card->width / 2;
    card->y = (int) bottom + GAP;
    if (card->y + card->height + GAP > height)
      card->y = (int) ring->origin.y - GAP - card->height;
    if (card->y < GAP)
      place_on_ring (ring, width, height, card);
  }
  card->x = CLAMP (card->x, GAP, MAX (GAP, width - GAP - card->width));
  card->y = CLAMP (card->y, GAP, MAX (GAP, height - GAP - card->height));
}

static void
ui_guide_size_allocate (GtkWidget *widget,
                        int        width,
                        int        height,
                        int        baseline)
{
  UiGuide *self = UI_GUIDE (widget);
  GtkAllocation card = { 0 };
  int natural;

  if (self->card == NULL || !gtk_widget_should_layout (self->card))
    return;
  gtk_widget_measure (self->card, GTK_ORIENTATION_HORIZONTAL, -1, &card.width, &natural, NULL,
                      NULL);
  card.width = MAX (card.width, MIN (natural, width - 2 * GAP));
  gtk_widget_measure (self->card, GTK_ORIENTATION_VERTICAL, card.width, &card.height, NULL, NULL,
                      NULL);
  place_card (self, width, height, &card);
  gtk_widget_size_allocate (self->card, &card, -1);
}

static void
ui_guide_measure (GtkWidget      *widget,
                  GtkOrientation  orientation,
                  int             for_size,
                  int            *minimum,
                  int            *natural,
                  int            *minimum_baseline,
                  int            *natural_baseline)
{
  *minimum = *natural = 0;
}

static void
ui_guide_snapshot (GtkWidget   *widget,
                   GtkSnapshot *snapshot)
{
  UiGuide *self = UI_GUIDE (widget);
  const float widths[4] = { RING, RING, RING, RING };
  GskRoundedRect outline;
  graphene_rect_t ring;
  GdkRGBA color;

  if (self->ring.size.width > 0) {
    graphene_rect_inset_r (&self->ring, 1, 1, &ring);
    gsk_rounded_rect_init_from_rect (&outline, &ring, RADIUS);
    gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
    gtk_snapshot_append_border (snapshot, &outline, widths,
                                (GdkRGBA[4]) { color, color, color, color });
  }
  GTK_WIDGET_CLASS (ui_guide_parent_class)->snapshot (widget, snapshot);
}

/* What lies below is used as ever. */
static gboolean
ui_guide_contains (GtkWidget *widget,
                   double     x,
                   double     y)
{
  return FALSE;
}

/* The target moves by itself: a column opens, a text grows. */
static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       unused)
{
  UiGuide *self = UI_GUIDE (widget);
  const graphene_rect_t ring = find_ring (self);

  if (!graphene_rect_equal (&ring, &self->ring)) {
    self->ring = ring;
    gtk_widget_queue_allocate (widget);
    gtk_widget_queue_draw (widget);
  }
  return G_SOURCE_CONTINUE;
}

static void
ui_guide_map (GtkWidget *widget)
{
  UiGuide *self = UI_GUIDE (widget);

  GTK_WIDGET_CLASS (ui_guide_parent_class)->map (widget);
  self->tick = gtk_widget_add_tick_callback (widget, tick_cb, NULL, NULL);
}

static void
ui_guide_unmap (GtkWidget *widget)
{
  UiGuide *self = UI_GUIDE (widget);

  gtk_widget_remove_tick_callback (widget, self->tick);
  GTK_WIDGET_CLASS (ui_guide_parent_class)->unmap (widget);
}

static void
ui_guide_set_property (GObject      *object,
                       guint         id,
                       const GValue *value,
                       GParamSpec   *spec)
{
  UiGuide *self = UI_GUIDE (object);

  self->card = g_value_get_object (value);
  if (self->card != NULL)
    gtk_widget_set_parent (self->card, GTK_WIDGET (self));
}

static void
ui_guide_dispose (GObject *object)
{
  UiGuide *self = UI_GUIDE (object);

  g_clear_pointer (&self->card, gtk_widget_unparent);
  g_clear_weak_pointer (&self->target);
  G_OBJECT_CLASS (ui_guide_parent_class)->dispose (object);
}

static void
ui_guide_class_init (UiGuideClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_guide_dispose;
  G_OBJECT_CLASS (klass)->set_property = ui_guide_set_property;
  widget_class->measure = ui_guide_measure;
  widget_class->size_allocate = ui_guide_size_allocate;
  widget_class->snapshot = ui_guide_snapshot;
  widget_class->contains = ui_guide_contains;
  widget_class->map = ui_guide_map;
  widget_class->unmap = ui_guide_unmap;
  gtk_widget_class_set_css_name (widget_class, "guide");
  props[PROP_CARD] = g_param_spec_object ("card", NULL, NULL, GTK_TYPE_WIDGET,
                                          G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
}

static void
ui_guide_init (UiGuide *self)
{
}

void
ui_guide_point_at (UiGuide   *self,
                   GtkWidget *target)
{
  g_return_if_fail (UI_IS_GUIDE (self));

  g_set_weak_pointer (&self->target, target);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
