/* SPDX-License-Identifier: MIT */
#include "ui/controls/head-chip.h"

#include "ui/view/color.h"

#define THUMBNAIL 56
#define COMPACT_THUMBNAIL 26
#define RING 2
#define PADDING 2
#define RADIUS 5
#define TEXT_GAP 1
#define COMPACT_TEXT_GAP 3
/* Heads from here on share their colour with an earlier one and get a second ring. */
#define N_COLORS 16
#define PICTURE "The small picture shows weights, whatever the large one does"

struct _UiHeadChip {
  GtkWidget     parent_instance;

  int           head;
  EngAttention *attention;
  double        pair_share;
  gboolean      active;
  gboolean      alone;
  gboolean      is_compact;
  UiTheme       theme;

  GdkTexture   *thumbnail;
  PangoLayout  *number;
  PangoLayout  *share;
};

enum { SIGNAL_TOGGLED, SIGNAL_ISOLATED, SIGNAL_DOUBLE_CLICKED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiHeadChip, ui_head_chip, GTK_TYPE_WIDGET)

static int
get_thumbnail_size (UiHeadChip *self)
{
  return self->is_compact ? COMPACT_THUMBNAIL : THUMBNAIL;
}

/* With its rings. */
static int
get_picture_size (UiHeadChip *self)
{
  return get_thumbnail_size (self) + 2 * (PADDING + RING);
}

static PangoLayout *
new_text (UiHeadChip *self,
          const char *text,
          gboolean    bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);

  return layout;
}

static void
update_texts (UiHeadChip *self)
{
  g_autofree char *number = g_strdup_printf ("%d", self->head);
  char share[G_ASCII_DTOSTR_BUF_SIZE] = "";

  g_clear_object (&self->number);
  g_clear_object (&self->share);
  self->number = new_text (self, number, TRUE);
  if (self->pair_share >= 0)
    self->share = new_text (self, g_ascii_formatd (share, sizeof share, "%.2f", self->pair_share),
                            FALSE);
}

static char *
get_click_words (UiHeadChip *self)
{
  if (self->alone) {
    return g_strdup ("The only head shown stays on, double click brings all heads back");
  }
  return g_strdup_printf ("Click turns it %s, double click shows it alone",
                          self->active ? "off" : "on");
}

static void
update_accessible (UiHeadChip *self)
{
  const GtkAccessibleTristate pressed =
    self->active ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE;
  const char *on = self->active ? "on" : "off";
  char share[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *label = NULL;

  if (self->pair_share >= 0) {
    g_ascii_formatd (share, sizeof share, "%.2f", self->pair_share);
    label = g_strdup_printf ("Head %d, %s, pair share %s", self->head, on, share);
  } else
    label = g_strdup_printf ("Head %d, %s", self->head, on);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self),
                               GTK_ACCESSIBLE_STATE_PRESSED,
                               pressed,
                               -1);
}

/* Asked for when somebody points at the chip: GTK asks the display where the pointer is whenever a
 * tooltip is set, and every new layer would do so once a head. */
static gboolean
ui_head_chip_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  g_autofree char *text = ui_head_chip_describe (UI_HEAD_CHIP (widget));

  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
ensure_thumbnail (UiHeadChip *self)
{
  const int size = get_thumbnail_size (self) * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (GBytes) bytes = NULL;

  if (self->thumbnail != NULL || self->attention == NULL)
    return;

  bytes = g_bytes_new_take (ui_thumbnail_new (self->attention, self->head, self->theme, size),
                            (gsize) size * size * 4);
  self->thumbnail = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes,
                                            (gsize) size * 4);
}

static void
drop_thumbnail (UiHeadChip *self)
{
  g_clear_object (&self->thumbnail);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
append_ring (UiHeadChip  *self,
             GtkSnapshot *snapshot,
             GdkRGBA      color,
             double       inset,
             double       width)
{
  const float widths[4] = { width, width, width, width };
  const double size = get_thumbnail_size (self) + 2 * (RING - inset);
  GskRoundedRect ring;

  gsk_rounded_rect_init_from_rect (&ring,
                                   &GRAPHENE_RECT_INIT (PADDING + inset,
                                                        PADDING + inset,
                                                        size,
                                                        size),
                                   RADIUS - inset / 2);
  gtk_snapshot_append_border (snapshot, &ring, widths, (GdkRGBA[4]) { color, color, color, color });
}

/* A head that is off keeps its pattern in grey and faint: one can still choose it by its look. */
static void
append_thumbnail (UiHeadChip      *self,
                  GtkSnapshot     *snapshot,
                  const UiPalette *palette)
{
  static const float grey[16] = {
    0.2126f, 0.2126f, 0.2126f, 0,
    0.7152f, 0.7152f, 0.7152f, 0,
    0.0722f, 0.0722f, 0.0722f, 0,
    0, 0, 0, 0.45f,
  };
  const GdkRGBA ground = ui_color_to_rgba (palette->ground);
  const int size = get_thumbnail_size (self);
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (PADDING + RING, PADDING + RING, size, size);
  graphene_matrix_t matrix;

  gtk_snapshot_append_color (snapshot, &ground, &bounds);
  ensure_thumbnail (self);
  if (self->thumbnail == NULL)
    return;

  if (!self->active) {
    graphene_matrix_init_from_float (&matrix, grey);
    gtk_snapshot_push_color_matrix (snapshot, &matrix, graphene_vec4_zero ());
  }
  gtk_snapshot_append_texture (snapshot, self->thumbnail, &bounds);
  if (!self->active)
    gtk_snapshot_pop (snapshot);
}

static void
append_text (GtkSnapshot *snapshot,
             PangoLayout *layout,
             double       x,
             double       y,
             GdkRGBA      color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  gtk_snapshot_restore (snapshot);
}

/* Below the picture, or beside it. */
static void
append_texts (UiHeadChip  *self,
              GtkSnapshot *snapshot,
              GdkRGBA      color,
              GdkRGBA      dim)
{
  const double right = gtk_widget_get_width (GTK_WIDGET (self)) - PADDING;
  const int size = get_picture_size (self);
  int width, height;

  if (self->is_compact) {
    pango_layout_get_pixel_size (self->number, NULL, &height);
    append_text (snapshot, self->number, size + COMPACT_TEXT_GAP, (size - height) / 2, color);
    return;
  }

  append_text (snapshot, self->number, PADDING + 1, size - PADDING + TEXT_GAP, color);
  if (self->share != NULL) {
    pango_layout_get_pixel_size (self->share, &width, NULL);
    append_text (snapshot, self->share, right - width - 1, size - PADDING + TEXT_GAP, dim);
  }
}

static void
ui_head_chip_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  UiHeadChip *self = UI_HEAD_CHIP (widget);
  const UiPalette *palette = ui_palette_get (self->theme);
  const GdkRGBA head_color = ui_color_to_rgba (ui_palette_head (self->theme, self->head));
  const GdkRGBA dim = ui_color_to_rgba (palette->dim);

  append_thumbnail (self, snapshot, palette);
  if (self->active) {
    append_ring (self, snapshot, head_color, 0, RING);
    if (self->head >= N_COLORS)
      append_ring (self, snapshot, head_color, RING + 1.5, 1);
  }

  append_texts (self, snapshot, self->active ? head_color : dim, dim);
}

static void
ui_head_chip_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  UiHeadChip *self = UI_HEAD_CHIP (widget);
  int number_width, number_height, share_width = 0;

  pango_layout_get_pixel_size (self->number, &number_width, &number_height);
  if (self->share != NULL)
    pango_layout_get_pixel_size (self->share, &share_width, NULL);

  if (self->is_compact) {
    *minimum = orientation == GTK_ORIENTATION_HORIZONTAL
               ? get_picture_size (self) + 2 * COMPACT_TEXT_GAP + number_width
               : MAX (get_picture_size (self), number_height);
  } else if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = MAX (get_picture_size (self), number_width + share_width + 2 * PADDING + 8);
  } else
    *minimum = get_picture_size (self) + TEXT_GAP + number_height;
  *natural = *minimum;
}

static void
released_cb (UiHeadChip *self,
             int         n_press)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  g_signal_emit (self, signals[n_press % 2 == 0 ? SIGNAL_DOUBLE_CLICKED : SIGNAL_TOGGLED], 0);
}

static gboolean
key_cb (GtkWidget *widget,
        GVariant  *args,
        gpointer   unused)
{
  g_signal_emit (widget, signals[g_variant_get_int32 (args)], 0);
  return GDK_EVENT_STOP;
}

/* The style's font or colours changed. */
static void
ui_head_chip_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ui_head_chip_parent_class)->css_changed (widget, change);
  update_texts (UI_HEAD_CHIP (widget));
}

static void
ui_head_chip_dispose (GObject *object)
{
  UiHeadChip *self = UI_HEAD_CHIP (object);

  g_clear_object (&self->thumbnail);
  g_clear_object (&self->number);
  g_clear_object (&self->share);
  g_clear_pointer (&self->attention, eng_attention_unref);
  G_OBJECT_CLASS (ui_head_chip_parent_class)->dispose (object);
}

static void
ui_head_chip_class_init (UiHeadChipClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = ui_head_chip_dispose;
  widget_class->measure = ui_head_chip_measure;
  widget_class->snapshot = ui_head_chip_snapshot;
  widget_class->query_tooltip = ui_head_chip_query_tooltip;
  widget_class->css_changed = ui_head_chip_css_changed;

  signals[SIGNAL_TOGGLED] =
    g_signal_new ("toggled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ISOLATED] =
    g_signal_new ("isolated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_DOUBLE_CLICKED] =
    g_signal_new ("double-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, key_cb, "i", SIGNAL_TOGGLED);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Space, 0, key_cb, "i", SIGNAL_TOGGLED);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, key_cb, "i", SIGNAL_ISOLATED);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, key_cb, "i", SIGNAL_ISOLATED);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_BUTTON);
  gtk_widget_class_set_css_name (widget_class, "headchip");
}

static void
ui_head_chip_init (UiHeadChip *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->pair_share = UI_NO_PAIR_SHARE;
  self->active = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (drop_thumbnail), NULL);
}

GtkWidget *
ui_head_chip_new (int head)
{
  UiHeadChip *self = g_object_new (UI_TYPE_HEAD_CHIP, NULL);

  self->head = head;
  update_texts (self);
  update_accessible (self);
  return GTK_WIDGET (self);
}

int
ui_head_chip_get_head (UiHeadChip *self)
{
  g_return_val_if_fail (UI_IS_HEAD_CHIP (self), 0);

  return self->head;
}

char *
ui_head_chip_describe (UiHeadChip *self)
{
  char share[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *clicks = NULL;

  g_return_val_if_fail (UI_IS_HEAD_CHIP (self), NULL);

  clicks = get_click_words (self);
  if (self->pair_share < 0)
    return g_strdup_printf ("Head %d\n%s\n" PICTURE, self->head, clicks);

  g_ascii_formatd (share, sizeof share, "%.2f", self->pair_share);
  return g_strdup_printf ("Head %d: %s of its attention goes to the other sentence\n%s\n" PICTURE,
                          self->head, share, clicks);
}

void
ui_head_chip_set_attention (UiHeadChip   *self,
                            EngAttention *attention,
                            double        pair_share)
{
  g_return_if_fail (UI_IS_HEAD_CHIP (self));

  g_clear_pointer (&self->attention, eng_attention_unref);
  self->attention = eng_attention_ref (attention);
  drop_thumbnail (self);
  if (pair_share == self->pair_share)
    return;

  self->pair_share = pair_share;
  update_texts (self);
  update_accessible (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ui_head_chip_set_active (UiHeadChip *self,
                         gboolean    active,
                         gboolean    alone)
{
  g_return_if_fail (UI_IS_HEAD_CHIP (self));

  if (active == self->active && alone == self->alone)
    return;

  self->active = active;
  self->alone = alone;
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_head_chip_set_theme (UiHeadChip *self,
                        UiTheme     theme)
{
  g_return_if_fail (UI_IS_HEAD_CHIP (self));

  if (theme == self->theme)
    return;

  self->theme = theme;
  drop_thumbnail (self);
}

void
ui_head_chip_set_compact (UiHeadChip *self,
                          gboolean    compact)
{
  g_return_if_fail (UI_IS_HEAD_CHIP (self));

  if (compact == self->is_compact)
    return;

  self->is_compact = compact;
  drop_thumbnail (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
