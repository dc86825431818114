/* SPDX-License-Identifier: MIT */
/* What a kind of scene implements; for ui/scene/ alone. */
#pragma once

#include "engine/steps/way.h"
#include "ui/scene/base/key.h"
#include "ui/scene/base/scene.h"
#include "ui/scene/numbers/weights.h"

G_BEGIN_DECLS

typedef struct {
  void     (*finalize)      (UiScene *self);
  void     (*paint)         (const UiScene *self, UiSink *sink, const UiRect *clip);
  /* NULL = none */
  void     (*paint_preview) (const UiScene *self, UiSink *sink, const UiRect *clip);
  void     (*paint_overlay) (const UiScene *self, const UiItem *hover, UiSink *sink,
                             const UiRect *clip);
  /* NULL = what rows, columns and heads of the weights say */
  gboolean (*has_item)      (const UiScene *self, const UiItem *item);
  gboolean (*hit)           (const UiScene *self, double x, double y, UiItem *item);
  char    *(*describe)      (const UiScene *self, const UiItem *item);
  char    *(*legend)        (const UiScene *self);
  char    *(*explain)       (const UiScene *self);
  char    *(*headline)      (const UiScene *self);
  /* TRUE = what is drawn is no share of a row: tokens have the sentences of describe() alone */
  gboolean   has_no_shares;
  char    *(*summarise)     (const UiScene *self);
  char    *(*caption)       (const UiScene *self);
  gboolean (*move)          (const UiScene *self, UiMove move, UiItem *item);
  gboolean (*get_rect)      (const UiScene *self, const UiItem *item, UiRect *rect);
  /* Of what is pointed at on a web page; NULL = rows, then columns */
  gboolean (*get_spot)      (const UiScene *self, int index, UiItem *item);
  /* NULL: all of it */
  double   (*get_stage_height) (const UiScene *self, gboolean is_whole);
  char    *(*numbers)       (const UiScene *self);
  /* (transfer full) NULL = none, as what it returns */
  UiKey   *(*create_key)    (const UiScene *self);
  /* NULL = the scene itself */
  UiScene *(*get_part)      (UiScene *self, const UiItem *item);
  /* NULL = the item itself */
  gboolean (*find_first)    (const UiScene *self, const UiItem *item, UiItem *first);
  /* NULL = none */
  gboolean (*get_subject)   (const UiScene *self, UiItem *subject);
  /* NULL = what the block of the weights says */
  int      (*get_token)     (const UiScene *self, gboolean key, int row);
  /* NULL = the same kind once more, on the same weights */
  UiScene *(*resize)        (UiScene *self, const UiDocument *document,
                             const UiSceneOptions *options);
} UiSceneClass;

typedef struct _UiSceneParts UiSceneParts;
typedef UiScene *UiSceneConstructor (const UiSceneParts *parts);

/* First member of every scene. */
struct _UiScene {
  const UiSceneClass *klass;
  EngTrace           *trace;
  UiDocument         *document;    /* its pins are rows and columns of the weights */
  UiSceneOptions      options;
  EngKind             kind;
  int                 layer;
  const EngTokens    *queries;     /* rows and columns of the weights: tokens or words */
  const EngTokens    *keys;
  const EngAttention *attention;   /* the weights' block */
  UiWeights           weights;     /* what of it is shown */
  UiSceneConstructor *construct;   /* once more, at another size */
  EngWay             *way;         /* what the steps view shows; NULL = none */
  UiScene            *owner;       /* of the weights; NULL = this one */
  double              width;
  double              height;      /* of the drawing; scene.c adds the caption's */
  double              header;
  double              left_band;
  double              text_size;   /* of token text, the smallest one */
  UiKey              *key;         /* below the drawing; NULL = none */
  double              key_y;
  const char         *note;        /* a sentence that opens the legend; static, NULL = none */
  char              **caption;     /* lines of caption and legend below the drawing; NULL = none */
  int                 n_caption_lines; /* the first ones; the others are the legend */
  gatomicrefcount     ref_count;
};

/* What every kind of scene is made of. The weights go over to the scene. */
struct _UiSceneParts {
  EngTrace             *trace;
  const UiDocument     *document;
  const UiSceneOptions *options;
  EngKind               kind;
  UiWeights             weights;
  UiSceneConstructor   *construct; /* NULL where the class resizes itself */
  EngWay               *way;       /* of the steps view, else NULL; borrowed */
};

/* A constructor allocates with g_new0, calls ui_scene_init(), fills width, height and header,
 * returns. scene.c paints the ground before and the caption after the class's paint, and frees the
 * base fields. */
void     ui_scene_init       (UiScene            *self,
                              const UiSceneClass *klass,
                              const UiSceneParts *parts);
/* What a scene of that view is laid out with: its zoom is a number, and in tokens and width where
 * that is what it does. */
UiSceneOptions ui_scene_enlarge (const UiSceneOptions *options,
                                 UiViewKind            view);
/* Text of a window that is larger than 100 % may become smaller, in steps, where all of a drawing is
 * in sight then: whether a scale is still one that can be read. */
#define UI_TEXT_STEP 0.1
gboolean ui_scene_may_shrink_to (const UiSceneOptions *options,
                                 double                scale);
/* A scene of that kind, whatever view the document has. Fails as ui_scene_new() does. */
UiScene *ui_scene_create      (UiSceneConstructor   *construct,
                               EngTrace             *trace,
                               const UiDocument     *document,
                               const UiSceneOptions *options,
                               GError              **error);
/* The same of a scene that draws a way (nullable) besides. */
UiScene *ui_scene_create_of_way (UiSceneConstructor   *construct,
                                 EngWay               *way,
                                 EngTrace             *trace,
                                 const UiDocument     *document,
                                 const UiSceneOptions *options,
                                 GError              **error);
/* Key, caption and legend below the drawing, where the options want them: the last step for a scene
 * that scene.c does not construct itself. */
void     ui_scene_add_caption (UiScene             *self);
/* Text that tells what is drawn, a number or a pattern: nothing where the scene holds back. */
void     ui_scene_paint_reading (const UiScene      *self,
                                 UiSink             *sink,
                                 double              x,
                                 double              y,
                                 const char         *text,
                                 const UiTextStyle  *style,
                                 UiColor             color);
gboolean ui_scene_has_item    (const UiScene       *self,
                               const UiItem        *item);
/* The items that have a place of their own on a web page, each a sentence, in the order in which
 * the Tab key goes; FALSE behind the last. */
gboolean ui_scene_get_spot    (const UiScene       *self,
                               int                  index,
                               UiItem              *item);

/* Pins of one item: its key for what belongs to a key alone, else its query. Borrowed of item. */
UiPins   ui_scene_pins_of    (const UiItem         *item);

G_END_DECLS
