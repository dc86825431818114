/* SPDX-License-Identifier: MIT */
/* The model view's scene: every head of every layer as a small map, with the name of the pattern
 * that it follows. model-scene.c, painted by model-paint.c, named by model-labels.c, put into words
 * by model-words.c. A map
 * is made when it is first painted, with those of its layer. */
#pragma once

#include "engine/trace/head-facts.h"
#include "ui/scene/base/scene-private.h"
#include "ui/scene/base/thumbnail.h"
#include "ui/scene/model/model-layout.h"
#include "ui/scene/numbers/row-sums.h"

G_BEGIN_DECLS

typedef struct _UiModelSlot UiModelSlot;

typedef struct {
  UiScene       scene;
  UiModelLayout layout;
  UiDocument   *cell_document; /* of each map: as the scene's, with all heads and no pins */
  UiModelSlot  *slots;         /* [n_layers] what was made so far */
  guint8       *present;       /* [n_layers] 1 = was in the trace when the scene was built */
  int          *windows;       /* [n_layers] of local layers, else 0 */
  int           n_layers;
  int           n_heads;       /* maps of a layer: 1 in a rollout */
  gboolean      is_rollout;
  gboolean      is_growing;    /* layers that lack are still being computed */
  gboolean      has_pair;
  char         *codes[ENG_N_PATTERNS]; /* short names where a grid may be small: in a figure of the
                                        * patterns that occur, else of all; NULL = none */
} UiModelScene;

/* model-scene.c. Any thread; the first one of a layer makes them, others wait. [n_heads] each; NULL =
 * the layer cannot be shown, and no facts in a rollout. Facts take much longer. */
const UiThumbnail  *ui_model_scene_get_maps   (const UiModelScene *self,
                                               int                 layer);
const EngHeadFacts *ui_model_scene_get_facts  (const UiModelScene *self,
                                               int                 layer);
/* The number below a map: what the cells are sorted by, else the share of its attention that
 * crosses between the sentences, else the score of its pattern. NAN where there is none. */
double              ui_model_scene_get_number (const UiModelScene *self,
                                               const EngHeadFacts *facts);

/* The weights of all heads of a layer, filtered as the document says; FALSE where it cannot be
 * shown. Any thread. */
gboolean            ui_model_scene_init_weights (const UiModelScene *self,
                                                 int                 layer,
                                                 UiWeights          *weights);
/* Pixels of an edge of a map, where it has not fewer tokens. */
int                 ui_model_scene_get_map_size (const UiModelScene *self);
/* Of all heads. Without a look at layers that a softmax makes anew, whose rows sum to 1, unless it is
 * for a figure; nor, in a window, at more weights than it has time for. */
void                ui_model_scene_find_row_sums (const UiModelScene *self,
                                                  UiRowSums          *sums);

/* Whether the maps of a scene stand too close for what names them; FALSE for a scene of another view. */
gboolean            ui_model_scene_lacks_names (const UiScene     *scene);

/* Whether the document has chosen it: all heads of a layer are marked by the layer's name alone. */
gboolean            ui_model_scene_is_framed  (const UiModelScene *self,
                                               int                 layer,
                                               int                 head);
/* Whether the run was edited there; a rollout has no heads. */
gboolean            ui_model_scene_is_edited  (const UiModelScene *self,
                                               int                 layer,
                                               int                 head);
/* Of one that has a place. */
gboolean            ui_model_scene_has_edited (const UiModelScene *self);
/* The cell of a head or of what opens a group, whether it has a place or not; -1 = none. */
int                 ui_model_scene_find_cell  (const UiModelScene *self,
                                               const UiItem       *item);

/* model-labels.c */
#define UI_MODEL_LABEL_SIZE 10.0 /* at 100 % text */
void                ui_model_labels_init     (UiModelScene       *self);
void                ui_model_labels_clear    (UiModelScene       *self);
UiModelLabelWidths  ui_model_labels_measure  (const UiModelScene *self);
UiTextStyle         ui_model_get_label_style (const UiModelScene *self);
/* Of what names a cell: where that is a head's place, it is bold. */
UiTextStyle         ui_model_get_name_style  (const UiModelScene *self);
/* "0.28", "⇄ 0.28" for a share that crosses; NULL for no number. (transfer full) */
char               *ui_model_format_number   (const UiModelScene *self,
                                              const EngHeadFacts *facts);
/* What names a cell: its pattern, in short where the layout says so, or, in a flow, where it stands
 * in the model. facts: nullable. (transfer full) */
char               *ui_model_name_cell       (const UiModelScene *self,
                                              const UiModelCell  *cell,
                                              const EngHeadFacts *facts);
/* What the names of the cells of a grid mean, where no key says it: " Names: own = its own
 * sentence; …." */
void                ui_model_append_names    (const UiModelScene *self,
                                              GString            *text);
/* What short names mean; NULL where there are none. */
UiKey              *ui_model_create_key      (const UiScene      *scene);

/* model-paint.c */
void  ui_model_paint           (const UiScene *scene,
                                UiSink        *sink,
                                const UiRect  *clip);
/* Without the words below the maps, for which heads must be measured. */
void  ui_model_paint_preview   (const UiScene *scene,
                                UiSink        *sink,
                                const UiRect  *clip);
void  ui_model_paint_overlay   (const UiScene *scene,
                                const UiItem  *hover,
                                UiSink        *sink,
                                const UiRect  *clip);

/* model-words.c */
char *ui_model_describe        (const UiScene *scene,
                                const UiItem  *item);
char *ui_model_legend          (const UiScene *scene);
char *ui_model_explain         (const UiScene *scene);
char *ui_model_headline        (const UiScene *scene);
char *ui_model_caption         (const UiScene *scene);
char *ui_model_summarise       (const UiScene *scene);
char *ui_model_numbers         (const UiScene *scene);

UiScene *ui_model_scene_new (const UiSceneParts *parts);

G_END_DECLS
