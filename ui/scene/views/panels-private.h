/* SPDX-License-Identifier: MIT */
/* The parts of a drawing of panels: items (panels.c), layout and titles (panels-layout.c), words (panels-words.c), which links
 * of two sides are grey (panels-changes.c). */
#pragma once

#include "ui/scene/base/scene-private.h"
#include "ui/scene/views/panels.h"

G_BEGIN_DECLS

typedef struct {
  UiScene    *scene;
  UiDocument *document;   /* that the scene was built of */
  GArray     *aligned[2]; /* its rows, its columns with the first panel's, of UiAlignedToken; NULL =
                           * they are the same */
  char      **title;      /* lines; the first begins with the side */
  double      x;          /* where the panel's own drawing begins */
  double      y;
} UiPanelPart;

typedef struct {
  UiScene      scene;     /* of the first panel's trace and document, with its weights */
  UiPanelPart *panels;    /* [n] */
  int          n;
  int          n_columns;
  double       room;      /* width of the window; 0 in a file */
  gboolean     marks_changes; /* links that hardly changed are grey */
  GArray      *changed_links; /* of UiLinkChange, the largest change first; NULL = no two sides */
} UiPanelsScene;

static inline const UiPanelsScene *
ui_panels (const UiScene *scene)
{
  return (const UiPanelsScene *) scene;
}

/* The two sides of a comparison, not heads that were collected. */
static inline gboolean
ui_panels_are_sides (const UiPanelsScene *self)
{
  return self->n == 2 && self->panels[0].document->compare == UI_COMPARE_SIDES;
}

/* The same token, link or cell in another panel: of the same head where that is shown there. FALSE
 * where there is none. */
gboolean ui_panels_find_counterpart (const UiPanelsScene *self,
                                     const UiItem        *item,
                                     int                  panel,
                                     UiItem              *counterpart);

/* As many columns as fit. */
int      ui_panels_count_columns       (const UiSceneOptions *options,
                                        UiViewKind            view,
                                        int                   n_panels);
/* Of a drawing: what is left for one panel of a row. */
void     ui_panels_share_room          (UiSceneOptions       *options,
                                        int                   n_columns);
/* In a window: panels of these options that are wider than their columns share the room of all, and
 * become smaller where that is too little, all alike. */
void     ui_panels_fit                 (UiPanelsScene        *self,
                                        UiSceneOptions       *options);
/* Places and titles of the panels; the size of all. */
void     ui_panels_lay_out             (UiPanelsScene        *self);
void     ui_panels_paint_title         (const UiPanelsScene  *self,
                                        const UiPanelPart    *panel,
                                        UiSink               *sink);
/* panels-changes.c: the last step of building, when the scenes of the panels are there. resized: a
 * drawing of the same panels, nullable. */
void     ui_panels_mark_changes        (UiPanelsScene       *self,
                                        const UiPanelsScene *resized);
/* " Grey: changed by less than 0.10." */
void     ui_panels_append_small_change (const UiPanelsScene *self,
                                        GString             *text);
/* The same as an exact rule. */
void     ui_panels_append_change_rule  (const UiPanelsScene *self,
                                        GString             *text);

/* The side, the heads, and of model, texts and edits what is not the same in all panels; the
 * caption has it all. */
char    *ui_panels_create_title     (const UiPanelsScene *self,
                                     int                  i);
char    *ui_panels_describe         (const UiScene       *scene,
                                     const UiItem        *item);
char    *ui_panels_legend           (const UiScene       *scene);
char    *ui_panels_explain          (const UiScene       *scene);
char    *ui_panels_headline         (const UiScene       *scene);
char    *ui_panels_caption          (const UiScene       *scene);
char    *ui_panels_summarise        (const UiScene       *scene);
char    *ui_panels_numbers          (const UiScene       *scene);

G_END_DECLS
