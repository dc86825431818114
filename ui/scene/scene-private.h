/* SPDX-License-Identifier: MIT */
/* What a kind of scene implements; for ui/scene/ alone. */
#pragma once

#include "ui/scene/scene.h"

G_BEGIN_DECLS

typedef struct {
  void     (*finalize)      (UiScene *self);
  void     (*paint)         (const UiScene *self, UiSink *sink, const UiRect *clip);
  void     (*paint_overlay) (const UiScene *self, const UiItem *hover, UiSink *sink, const UiRect *clip);
  gboolean (*hit)           (const UiScene *self, double x, double y, UiItem *item);
  char    *(*describe)      (const UiScene *self, const UiItem *item);
  char    *(*legend)        (const UiScene *self);
  gboolean (*move)          (const UiScene *self, UiMove move, UiItem *item);
  gboolean (*get_rect)      (const UiScene *self, const UiItem *item, UiRect *rect);
  char    *(*numbers)       (const UiScene *self);
} UiSceneClass;

/* First member of every scene; scene.c fills it before it calls the class's constructor. */
struct _UiScene {
  const UiSceneClass *klass;
  EngTrace           *trace;
  UiDocument         *document;
  UiSceneOptions      options;
  EngKind             kind;
  int                 layer;
  EngAttention       *attention;   /* of that layer */
  double              width;
  double              height;
  double              header;
  gatomicrefcount     ref_count;
};

/* Allocate with g_new0, fill width, height, header and klass, return; base fields are set by scene.c
 * through ui_scene_init() which the constructor calls first. */
void     ui_scene_init       (UiScene              *self,
                              const UiSceneClass   *klass,
                              EngTrace             *trace,
                              const UiDocument     *document,
                              const UiSceneOptions *options,
                              EngKind               kind,
                              EngAttention         *attention);
UiScene *ui_head_scene_new   (EngTrace             *trace,
                              const UiDocument     *document,
                              const UiSceneOptions *options,
                              EngKind               kind,
                              EngAttention         *attention);
UiScene *ui_neuron_scene_new (EngTrace             *trace,
                              const UiDocument     *document,
                              const UiSceneOptions *options,
                              EngKind               kind,
                              EngAttention         *attention);

G_END_DECLS
