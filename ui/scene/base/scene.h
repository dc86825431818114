/* SPDX-License-Identifier: MIT */
/* A scene is what a view draws: layout (where tokens stand) + field (links or bands, computed while
 * they are drawn) + overlay (hover). It is built from a trace and a document, is immutable,
 * reference-counted, and may be painted, hit and described from every thread.
 *
 *   UiScene *scene = ui_scene_new (trace, document, &options, &error);    (views/factory.h)
 *   ui_scene_paint (scene, sink, NULL);               layout and field, pins included
 *   ui_scene_paint_overlay (scene, &item, sink);      what hovering this item adds
 *   ui_scene_hit (scene, x, y, &item); ui_scene_describe (scene, &item);
 *
 * A file is painted with ui_scene_paint() alone, so it shows pins and never the hover. A hover dims
 * what is under it: the overlay begins by covering the field with the ground where it needs to. */
#pragma once

#include "ui/scene/numbers/weights.h"
#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

#define UI_TOKEN_SIZE 15.0 /* of token text, in scene units, at a text_scale of 1 */

typedef struct _UiScene UiScene;

typedef struct {
  UiTheme  theme;
  double   width;       /* wanted, in scene units; the scene is wider where it needs to be */
  /* 0 in files; else rows shrink (29 to 18 units) to fit before scrolling starts */
  double   view_height;
  double   text_scale;  /* 1 = 15 units of token text */
  /* 0 counts as 1. The neuron view is at z the drawing that it is at 1, z times as large, and so are
   * rows and text of the head view, whose links give way before its columns do not fit a window; the
   * other views enlarge their cells. */
  double   zoom;
  gboolean caption;     /* a caption line and the legend below the drawing: files */
  gboolean key;         /* what colours and short names mean, below the drawing: files */
  guint    open_groups; /* windows: a bit for each pattern of which the model view shows all heads */
  int      screen;      /* in windows before people: which part of what has no room, from 1 on; 0 = it
                           is scrolled */
  int      least_rows;  /* in windows: rows are no higher than if there were so many */
  const UiWatch *watch; /* while the scene is built; nullable */
  UiScene *before;      /* likewise: whose numbers may serve this one, too */
  double   most_text;   /* in windows: of letters beside links, as those beside them have; 0 = any */
  gboolean holds_back;  /* a reader is asked for what it says: it draws, but says no number, no
                         * pattern and no sentence of what is drawn, and draws none of the amounts
                         * that would name the answer beside its words */
} UiSceneOptions;

typedef enum {
  UI_ITEM_NONE,
  UI_ITEM_QUERY,      /* a token that reads: query */
  UI_ITEM_KEY,        /* a token that is read: key */
  UI_ITEM_LINK,       /* head, query, key */
  UI_ITEM_QUERY_CELL, /* neuron view: dimension of a query band */
  UI_ITEM_KEY_CELL,
  UI_ITEM_PRODUCT_CELL,
  UI_ITEM_SCORE,      /* query, key */
  UI_ITEM_SOFTMAX,    /* query, key */
  UI_ITEM_VALUE_CELL, /* key, dimension of its value */
  UI_ITEM_OUTPUT_CELL, /* query, dimension of the head's output for it */
  UI_ITEM_SCALED_PRODUCT, /* query, key: the score before its position bias */
  UI_ITEM_BIAS,       /* query, key: what is added to it, or the first term of that */
  UI_ITEM_SECOND_BIAS,
  UI_ITEM_MASK,       /* query, key */
  UI_ITEM_MEASURE,    /* query, key: the weight times the length of a value */
  UI_ITEM_HEAD,       /* model view: layer, head */
  UI_ITEM_GROUP,      /* model view: what shows all heads of a group, or few: its pattern */
  UI_ITEM_STAGE,      /* steps view: stage, which is a step, of all that there are */
  UI_ITEM_NUMBER      /* steps view: stage, which of its matrices, row, dimension (its column) */
} UiItemType;

typedef struct {
  UiItemType type;
  int        head;
  int        query;
  int        key;
  int        dimension;
  int        panel;   /* which of several scenes in one drawing (panels.h) it is of */
  int        layer;   /* of a UI_ITEM_HEAD alone; the others are of the scene's layer */
  int        pattern; /* of a UI_ITEM_GROUP alone */
  int        stage;   /* of the steps view's own items, as the next two */
  int        matrix;
  int        row;
} UiItem;

/* Whether items of a type say which token reads, and which is read. */
gboolean ui_item_names_query (UiItemType type);
gboolean ui_item_names_key   (UiItemType type);
/* Whether they are the steps view's own, which name no token and no head. */
gboolean ui_item_is_of_way   (UiItemType type);

typedef enum {
  UI_MOVE_UP, UI_MOVE_DOWN, UI_MOVE_LEFT, UI_MOVE_RIGHT, UI_MOVE_FIRST, UI_MOVE_LAST,
  UI_MOVE_GROUP_BEFORE, UI_MOVE_GROUP_AFTER /* where items stand in groups; else FALSE */
} UiMove;

/* Of what people look at its beginning; all but what explains it; all. */
typedef enum { UI_STAGE_BEGINNING, UI_STAGE_PICTURE, UI_STAGE_WHOLE } UiStageRoom;

/* A scene at another size, zoom or theme. The two share their numbers, so that it costs no more
 * than its layout. document: what the scene was built of. */
UiScene  *ui_scene_new_resized   (UiScene              *scene,
                                  const UiDocument     *document,
                                  const UiSceneOptions *options);
UiScene  *ui_scene_ref           (UiScene              *self);
void      ui_scene_unref         (UiScene              *self);

void      ui_scene_get_size      (const UiScene        *self,
                                  double               *width,
                                  double               *height);
/* Of token text, in scene units; where no token is drawn, the size that other text goes by. */
double    ui_scene_get_text_size (const UiScene        *self);
/* Height of the band at the top that must stay in sight while the drawing scrolls (column
 * headings). */
double    ui_scene_get_header    (const UiScene        *self);
/* How much of its height is to be in sight at once before people at a distance. */
double    ui_scene_get_stage_height (const UiScene     *self,
                                     UiStageRoom        room);
/* Width of the band at the left that must stay in sight likewise (headings of rows). */
double    ui_scene_get_left_band (const UiScene        *self);
void      ui_scene_paint         (const UiScene        *self,
                                  UiSink               *sink,
                                  const UiRect         *clip);  /* NULL = all */
/* The same in a hurry, for a window that shows it until the full picture is there: the head view
 * leaves faint links out, the model view what stands below its maps. FALSE for a scene that has no such painting; nothing is painted then. */
gboolean  ui_scene_paint_preview (const UiScene        *self,
                                  UiSink               *sink,
                                  const UiRect         *clip);
/* Whether what a window shows of it is painted within a frame, by the size of its blocks. */
gboolean  ui_scene_is_light      (const UiScene        *self);
void      ui_scene_paint_overlay (const UiScene        *self,
                                  const UiItem         *hover,
                                  UiSink               *sink,
                                  const UiRect         *clip);

gboolean  ui_scene_hit           (const UiScene        *self,
                                  double                x,
                                  double                y,
                                  UiItem               *item);
/* Its option. What is beside a drawing and has its numbers holds them back, too. */
gboolean  ui_scene_holds_back    (const UiScene        *self);
/* Why what has the numbers of a drawing is not given while that holds back. */
#define UI_SCENE_HELD_BACK "Answer first: that would tell what the lesson asks."
/* FALSE with UI_ERROR_VALUE and that sentence while it holds back. */
gboolean  ui_scene_may_tell      (const UiScene        *self,
                                  GError              **error);
/* The sentence of an item: “it” (12) reads “animal” (3) with weight 0.41 in head 7 of layer 4. */
char     *ui_scene_describe      (const UiScene        *self,
                                  const UiItem         *item);
/* What the whole drawing shows, for its accessible label. */
char     *ui_scene_summarise     (const UiScene        *self);
/* The legend: gain, threshold, filter, renormalisation, scale of the bands. */
char     *ui_scene_legend        (const UiScene        *self);
/* The same in plain words, a line: "… <b>Bolder line = more attention.</b>", as markup of Pango. */
char     *ui_scene_explain       (const UiScene        *self);
/* What one sees, a sentence: "<b>Head 11 of layer 3</b> lets each word read …", as markup. Looks
 * through no more weights than a frame has time for. */
char     *ui_scene_headline      (const UiScene        *self);
/* Caption of a figure: model, layer, heads, texts. */
char     *ui_scene_caption       (const UiScene        *self);
/* Moves the keyboard's cursor; FALSE at an end. An item of type NONE starts at the first token. */
gboolean  ui_scene_move          (const UiScene        *self,
                                  UiMove                move,
                                  UiItem               *item);
/* FALSE for an item that this scene does not have. */
gboolean  ui_scene_get_rect      (const UiScene        *self,
                                  const UiItem         *item,
                                  UiRect               *rect);
EngTrace *ui_scene_get_trace     (const UiScene        *self);
EngKind   ui_scene_get_kind      (const UiScene        *self);
/* Pins of it are items of this scene: words where words are drawn. */
const UiDocument *ui_scene_get_document (const UiScene *self);
/* The numbers that it draws, with the tokens or words that its items count; borrowed. */
const UiWeights  *ui_scene_get_weights  (const UiScene *self);
/* The scene that an item is of, where one drawing has several (panels.h); else the scene itself.
 * Borrowed. */
UiScene  *ui_scene_get_part      (UiScene              *self,
                                  const UiItem         *item);
/* What an item of any panel is on the first side, whose tokens the pins of a document are; FALSE
 * where that has it not. */
gboolean  ui_scene_find_first    (const UiScene        *self,
                                  const UiItem         *item,
                                  UiItem               *first);
/* The link that the drawing is about, key -1 where its query reads nothing; FALSE where it shows all
 * links alike. */
gboolean  ui_scene_get_subject   (const UiScene        *self,
                                  UiItem               *subject);
/* The token of the first side that an item's query or key stands for: the first one of a word; -1
 * for a row of a difference that the second side alone has. */
int       ui_scene_get_token     (const UiScene        *self,
                                  gboolean              key,
                                  int                   row);

/* One line of the inspector or of the table twin: what a token reads or who reads it, over the
 * heads shown. */
typedef struct {
  int    token;
  double weight;       /* mean over the heads shown, summed over pinned tokens */
  float *per_head;     /* [n_heads of the layer]; 0 for a head not shown */
} UiReading;

/* Readings of what is pinned or under item (nullable), strongest first. keys TRUE: what it reads;
 * FALSE: who reads it. Clear function set on the array. */
GArray   *ui_scene_readings      (const UiScene        *self,
                                  const UiItem         *item,
                                  gboolean              keys);
/* Every number of the drawing as tab-separated lines with a heading: "Copy numbers". */
char     *ui_scene_numbers       (const UiScene        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiScene, ui_scene_unref)

G_END_DECLS
