/* SPDX-License-Identifier: MIT */
/* Scenes of the neuron view: a head of BERT's over two sentences, layers of a T5 with bias and mask. */
#pragma once

#include "engine/trace/trace-file.h"
#include "tests/support/text-sink.h"
#include "ui/scene/views/factory.h"

#define HEAD 8
#define QUERY 2
#define N_TOKENS 13
#define N_DIMENSIONS 32

static inline char *
find_fixture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", name, NULL);
}

static inline EngTrace *
open_flies (void)
{
  g_autofree char *path = find_fixture ("scene/flies.safetensors");
  g_autoptr (GError) error = NULL;
  EngTrace *trace = eng_trace_file_open (path, &error);

  g_assert_no_error (error);
  return trace;
}

static inline EngTrace *
open_t5 (void)
{
  g_autofree char *path = find_fixture ("traces/t5.safetensors");
  g_autoptr (GError) error = NULL;
  EngTrace *trace = eng_trace_file_open (path, &error);

  g_assert_no_error (error);
  return trace;
}

/* settings: "pin=2 sort=true", fields of the document. */
static inline UiScene *
create_scene (EngTrace   *trace,
              const char *settings,
              double      width,
              double      view_height)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = g_strsplit (settings, " ", -1);
  UiSceneOptions options = { .width = width, .view_height = view_height, .text_scale = 1 };
  UiScene *scene;

  document->view = UI_VIEW_NEURON;
  for (int i = 0; parts[i] != NULL && *parts[i] != '\0'; i++) {
    g_auto (GStrv) pair = g_strsplit (parts[i], "=", 2);

    ui_document_set (document, ui_fields_find (pair[0]), pair[1], &error);
    g_assert_no_error (error);
  }
  options.theme = document->theme;
  scene = ui_scene_new (trace, document, &options, &error);
  g_assert_no_error (error);
  return scene;
}

static inline char *
print_scene (const UiScene *scene,
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
