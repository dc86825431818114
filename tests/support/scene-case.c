/* SPDX-License-Identifier: MIT */
#include "tests/support/scene-case.h"

#include "tests/support/fields.h"
#include "tests/support/text-sink.h"

UiScene *
scene_case_new (EngTrace             *trace,
                const UiDocument     *document,
                const UiSceneOptions *options)
{
  g_autoptr (GError) error = NULL;
  UiScene *scene = ui_scene_new (trace, document, options, &error);

  g_assert_no_error (error);
  return scene;
}

UiScene *
scene_case_new_view (EngTrace             *trace,
                     UiViewKind            view,
                     const char           *settings,
                     const UiSceneOptions *options)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  UiSceneOptions themed = *options;

  document->view = view;
  fields_set_all (document, settings);
  themed.theme = document->theme;
  return scene_case_new (trace, document, &themed);
}

char *
scene_case_print (const UiScene *scene,
                  const UiItem  *hover)
{
  GString *text = g_string_new (NULL);
  UiSink *sink = text_sink_new (text);

  if (hover == NULL)
    ui_scene_paint (scene, sink, NULL);
  else
    ui_scene_paint_overlay (scene, hover, sink, NULL);
  text_sink_free (sink);
  return g_string_free (text, FALSE);
}

char *
scene_case_print_preview (const UiScene *scene)
{
  GString *text = g_string_new (NULL);
  UiSink *sink = text_sink_new (text);

  g_assert_true (ui_scene_paint_preview (scene, sink, NULL));
  text_sink_free (sink);
  return g_string_free (text, FALSE);
}
