/* SPDX-License-Identifier: MIT */
/* The line above the picture: what of it is pointed at, else pinned, else shown, in one sentence. */
#include "app/parts/caption/caption.h"

#include "ui/sentences/sentence-line.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/views/panels.h"

#define MOST_DOTS 32

struct _AppCaptionPart {
  AppPart parent_instance;

  AppPicture     *picture;
  UiSentenceLine *caption;
};

G_DEFINE_FINAL_TYPE (AppCaptionPart, app_caption_part, APP_TYPE_PART)

static void
show_sentence (AppCaptionPart *self)
{
  g_autofree char *markup = app_picture_describe (self->picture);

  ui_sentence_line_set_whole (self->caption, app_picture_has_words (self->picture));
  if (markup != NULL)
    ui_sentence_line_set (self->caption, markup, NULL);
}

/* Of the heads that have colours in the picture. */
static void
show_dots (AppCaptionPart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);
  const UiTheme theme = ui_scene_view_get_theme (app_picture_get_view (self->picture));
  const UiDocument *document = scene != NULL ? ui_scene_get_document (scene) : NULL;
  UiColor colors[MOST_DOTS];
  int n = 0;

  if (scene == NULL)
    return;
  if (ui_panels_count_heads (scene) > 0) {
    for (; n < MIN (ui_panels_count_heads (scene), MOST_DOTS); n++)
      colors[n] = ui_palette_head (theme,
                                   ui_scene_get_weights (ui_panels_get_head (scene, n))->heads[0]);
  } else if (!ui_view_get (document->view)->has_all_heads
             && !ui_scene_get_weights (scene)->block.is_aggregate) {
    const UiWeights *weights = ui_scene_get_weights (scene);

    for (; n < MIN (weights->n_heads, MOST_DOTS); n++)
      colors[n] = ui_head_color_get (weights, theme, weights->heads[n]);
  }
  ui_sentence_line_set_dots (self->caption, colors, n);
}

static void
sync_caption (AppCaptionPart *self)
{
  show_dots (self);
  show_sentence (self);
}

static void
begin (AppPart *part)
{
  AppCaptionPart *self = APP_CAPTION_PART (part);
  UiSceneView *view;

  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "caption");
  app_part_place (self, "caption", "caption");
  self->caption = app_part_get_object (self, "caption");
  view = app_picture_get_view (self->picture);
  g_signal_connect_object (view, "hovered", G_CALLBACK (show_sentence), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "cursor-moved", G_CALLBACK (show_sentence), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "notify::scene", G_CALLBACK (sync_caption), self,
                           G_CONNECT_SWAPPED);
}

static void
sync_part (AppPart *part)
{
  sync_caption (APP_CAPTION_PART (part));
}

void
app_caption_part_set_large (AppCaptionPart *self,
                            int             size,
                            int             most)
{
  g_return_if_fail (APP_IS_CAPTION_PART (self));

  ui_sentence_line_set_large (self->caption, size, most);
}

static void
app_caption_part_class_init (AppCaptionPartClass *klass)
{
  g_type_ensure (UI_TYPE_SENTENCE_LINE);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->theme = sync_part;
}

static void
app_caption_part_init (AppCaptionPart *self)
{
}
