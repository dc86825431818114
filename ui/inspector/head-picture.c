/* SPDX-License-Identifier: MIT */
#include "ui/inspector/head-picture.h"

#include "ui/scene/model/model-facts.h"
#include "ui/scene/views/comparison.h"
#include "ui/view/drawn-text.h"
#include "ui/view/scene-facts.h"
#include "ui/view/scene-view.h"

/* At 100 % text. */
#define MAP 252
#define BAR 3           /* of a sentence, along the map */
#define EDGE 7          /* bar and the ground behind it */
#define ROW 21          /* height of the links, for each token */
#define ENDS 30         /* and above and below these */
#define LOWEST 150
#define HIGHEST 420

enum { SIGNAL_CLICKED, N_SIGNALS };

static guint signals[N_SIGNALS];

struct _UiHeadPicture {
  GtkWidget      parent_instance;

  UiScene       *scene;     /* whose head is shown; NULL = none */
  int            layer;
  int            head;
  UiTheme        theme;
  gboolean       is_open;

  UiDocument    *document;  /* of links */
  UiScene       *links;     /* NULL = there are none */
  UiSceneOptions options;

  GtkWidget     *map;       /* GtkPicture */
  GtkWidget     *scroller;
  GtkWidget     *view;      /* UiSceneView */
};

G_DEFINE_FINAL_TYPE (UiHeadPicture, ui_head_picture, GTK_TYPE_WIDGET)

/* Along one edge, each token in the colour of its sentence. */
static void
paint_bar (UiHeadPicture   *self,
           guint32         *pixels,
           int              size,
           int              edge,
           int              thickness,
           const EngTokens *tokens,
           gboolean         is_left)
{
  const UiPalette *palette = ui_palette_get (self->theme);

  for (int i = 0; i < size - edge; i++) {
    const int token = (int) ((gint64) i * tokens->n / (size - edge));
    const UiColor color = palette->sentence[tokens->segments[token] != 0];
    const guint32 pixel = 0xff000000u | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;

    for (int j = 0; j < thickness; j++)
      pixels[is_left ? (edge + i) * size + j : j * size + edge + i] = pixel;
  }
}

static gboolean
has_pair (const EngTokens *tokens)
{
  for (int i = 1; i < tokens->n; i++)
    if (tokens->segments[i] != tokens->segments[0])
      return TRUE;
  return FALSE;
}

/* One sentence needs no bars; two stacks have a text each. */
static void
paint_bars (UiHeadPicture *self,
            guint32       *pixels,
            int            size,
            int            edge,
            int            thickness)
{
  UiSceneFacts facts;

  ui_scene_facts_init (&facts, self->scene);
  if (facts.kind == ENG_KIND_CROSS || !has_pair (facts.keys))
    return;
  paint_bar (self, pixels, size, edge, thickness, facts.queries, TRUE);
  paint_bar (self, pixels, size, edge, thickness, facts.keys, FALSE);
}

static void
show_map (UiHeadPicture *self)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int edge = EDGE * scale, inner = MAP * scale, size = edge + inner;
  g_autofree guint32 *pixels = g_new0 (guint32, (gsize) size * size);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  UiThumbnail map;

  gtk_picture_set_paintable (GTK_PICTURE (self->map), NULL);
  if (!ui_model_make_map (self->scene, self->layer, self->head, self->theme, inner, &map))
    return;
  ui_thumbnail_enlarge (&map, inner);
  for (int row = 0; row < inner; row++)
    memcpy (pixels + (gsize) (edge + row) * size + edge, map.pixels + (gsize) row * inner * 4,
            (gsize) inner * 4);
  ui_thumbnail_clear (&map);
  paint_bars (self, pixels, size, edge, BAR * scale);
  bytes = g_bytes_new (pixels, (gsize) size * size * 4);
  texture = gdk_memory_texture_new (size, size, GDK_MEMORY_DEFAULT, bytes, (gsize) size * 4);
  gtk_picture_set_paintable (GTK_PICTURE (self->map), GDK_PAINTABLE (texture));
}

/* What the head view would show of the head alone. */
static void
make_links (UiHeadPicture *self)
{
  UiSceneFacts facts;

  ui_scene_facts_init (&facts, self->scene);
  if (facts.document->measure == ENG_MEASURE_ROLLOUT)
    return;
  self->document = ui_document_copy (facts.document);
  self->document->view = UI_VIEW_HEAD;
  self->document->compare = UI_COMPARE_OFF;
  ui_document_show_head (self->document, self->layer, self->head);
  /* Pins of a scene are its rows, those of a document tokens. */
  if (self->document->words)
    ui_pins_clear (&self->document->pins);
  ui_scene_view_set_theme (UI_SCENE_VIEW (self->view), self->theme);
  ui_scene_view_get_options (UI_SCENE_VIEW (self->view), &self->options);
  self->links = ui_comparison_new (facts.trace, NULL, self->document, &self->options, NULL);
}

static int
get_height (UiHeadPicture *self)
{
  const UiWeights *weights = ui_scene_get_weights (self->links);
  const double scale = ui_drawn_text_get_scale (GTK_WIDGET (self));
  const int n = MAX (weights->attention->n_queries, weights->attention->n_keys);

  return (int) (CLAMP (n * ROW + ENDS, LOWEST, HIGHEST) * scale);
}

static void
show_chosen (UiHeadPicture *self)
{
  const gboolean has_links = self->is_open && self->links != NULL;

  gtk_widget_set_visible (self->scroller, has_links);
  gtk_widget_set_visible (self->map, !has_links
                          && gtk_picture_get_paintable (GTK_PICTURE (self->map)) != NULL);
  if (!has_links) {
    ui_scene_view_clear (UI_SCENE_VIEW (self->view));
    return;
  }
  gtk_widget_set_size_request (self->scroller, -1, get_height (self));
  ui_scene_view_show_scene (UI_SCENE_VIEW (self->view), self->links,
                            ui_scene_get_trace (self->links), self->document, &self->options);
}

static void
forget (UiHeadPicture *self)
{
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_clear_pointer (&self->links, ui_scene_unref);
  g_clear_pointer (&self->document, ui_document_free);
}

static void
clicked_cb (UiHeadPicture *self,
            const UiItem  *item,
            gboolean       extend)
{
  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, item, extend);
}

static void
ui_head_picture_dispose (GObject *object)
{
  UiHeadPicture *self = UI_HEAD_PICTURE (object);

  g_clear_pointer (&self->map, gtk_widget_unparent);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  forget (self);
  G_OBJECT_CLASS (ui_head_picture_parent_class)->dispose (object);
}

static void
ui_head_picture_class_init (UiHeadPictureClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_head_picture_dispose;
  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "headpicture");
}

static void
ui_head_picture_init (UiHeadPicture *self)
{
  self->map = g_object_new (GTK_TYPE_PICTURE,
                            "width-request", MAP + EDGE,
                            "height-request", MAP + EDGE,
                            "halign", GTK_ALIGN_START,
                            "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                            NULL);
  self->view = ui_scene_view_new ();
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                 "child", self->view,
                                 "hexpand", TRUE,
                                 "visible", FALSE,
                                 NULL);
  g_signal_connect_swapped (self->view, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_widget_set_parent (self->map, GTK_WIDGET (self));
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
ui_head_picture_new (void)
{
  return g_object_new (UI_TYPE_HEAD_PICTURE, NULL);
}

void
ui_head_picture_set (UiHeadPicture *self,
                     UiScene       *scene,
                     int            layer,
                     int            head,
                     UiTheme        theme)
{
  g_return_if_fail (UI_IS_HEAD_PICTURE (self));

  if (scene == self->scene && layer == self->layer && head == self->head && theme == self->theme)
    return;

  forget (self);
  self->scene = ui_scene_ref (scene);
  self->layer = layer;
  self->head = head;
  self->theme = theme;
  show_map (self);
  make_links (self);
  show_chosen (self);
}

void
ui_head_picture_set_open (UiHeadPicture *self,
                          gboolean       is_open)
{
  g_return_if_fail (UI_IS_HEAD_PICTURE (self));

  if (is_open == self->is_open)
    return;

  self->is_open = is_open;
  if (self->scene != NULL)
    show_chosen (self);
}

UiScene *
ui_head_picture_get_links (UiHeadPicture *self)
{
  g_return_val_if_fail (UI_IS_HEAD_PICTURE (self), NULL);

  return self->links;
}

void
ui_head_picture_set_aim (UiHeadPicture *self,
                         const UiItem  *item)
{
  g_return_if_fail (UI_IS_HEAD_PICTURE (self));

  ui_scene_view_set_aim (UI_SCENE_VIEW (self->view), item);
}
