/* SPDX-License-Identifier: MIT */
/* The drawing of a window: builds the scene of a trace and a document for its own size and
 * paints it as tiles, with hover, keyboard cursor and the sentence of what is pointed at on top.
 * The base drawing is rendered once; scrolling moves textures, hovering paints the one token's
 * links. Put it into a GtkScrolledWindow (it is a GtkScrollable); the band of column headings
 * stays in sight.
 *
 * The view changes no document: it says what was clicked, and whoever owns the document shows a
 * new one. Keys: arrows, Home and End move the cursor, Return and space click it, with Shift
 * they extend, Escape asks to unpin. The accessible label is the drawing's summary, the
 * description follows cursor and hover.
 *
 * What opens or closes a group of heads does so by itself, and is not told: the view remembers which
 * groups are open. Page Up and Page Down go from group to group.
 *
 * Signals (an item is borrowed and lives during the emission):
 *   clicked (UiItem *item, gboolean extend)   with the pointer or the keyboard; extend = Shift
 *                                             or Control, and space on a head
 *   activated (UiItem *item)                  a head: double click or Return; what else there is
 *                                             is clicked by these
 *   unpinned ()                               Escape while something is pinned
 *   hovered (UiItem *item)                    under the pointer; of type UI_ITEM_NONE when it left;
 *                                             again when what the reader is at comes or goes with
 *                                             the keys
 *   cursor-moved (UiItem *item)               keyboard cursor
 *   stepped (int by)                          space, 1, or Backspace, -1, where the view has steps
 *   rebuilt ()                                the drawing is another, or of another size or theme
 *   moved ()                                  what is in sight is another part of it
 * Properties: scene (pointer to UiScene, read-only): notified when another trace or document is
 * shown; zoom (double): how much larger than it fits the drawing is. Fingers zoom it, and the wheel
 * with Control; the middle button, or the primary one with space held, drags it.
 *
 * No frame waits for a drawing that takes longer than one: it is rendered by threads, and until
 * then what was there before is shown, or a preview. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_SCENE_VIEW (ui_scene_view_get_type ())
G_DECLARE_FINAL_TYPE (UiSceneView, ui_scene_view, UI, SCENE_VIEW, GtkWidget)

GtkWidget    *ui_scene_view_new          (void);

/* Shows a trace under a document; both are kept (the document is copied). second (nullable): the
 * other side of a comparison, see ui/scene/views/comparison.h. After an error the earlier drawing stays.
 * The theme is the widget's, not the document's: that one is for figures. */
gboolean      ui_scene_view_show         (UiSceneView       *self,
                                          EngTrace          *trace,
                                          EngTrace          *second,
                                          const UiDocument  *document,
                                          GError           **error);
/* What a scene for the view is built with now, by who builds one in a thread of its own; and the
 * scene that it has built, for trace and document as above. A view that has become another one
 * meanwhile lays it out anew. */
void          ui_scene_view_get_options  (UiSceneView       *self,
                                          UiSceneOptions    *options);
void          ui_scene_view_show_scene   (UiSceneView       *self,
                                          UiScene           *scene,
                                          EngTrace          *trace,
                                          const UiDocument  *document,
                                          const UiSceneOptions *options);
void          ui_scene_view_clear        (UiSceneView       *self);
void          ui_scene_view_set_theme    (UiSceneView       *self,
                                          UiTheme            theme);
UiTheme       ui_scene_view_get_theme    (UiSceneView       *self);

/* While it is on, its scenes are drawn and say nothing of what is drawn (UiSceneOptions). */
void          ui_scene_view_hold_back    (UiSceneView       *self,
                                          gboolean           holds_back);
gboolean      ui_scene_view_holds_back   (UiSceneView       *self);

/* NULL before the first ui_scene_view_show(). */
UiScene      *ui_scene_view_get_scene    (UiSceneView       *self);
#define UI_LEAST_ZOOM 0.1 /* where some hundred tokens fit */
#define UI_MOST_ZOOM 8.0

double        ui_scene_view_get_zoom     (UiSceneView       *self);
/* These keep what is in the middle of the view there. */
void          ui_scene_view_set_zoom     (UiSceneView       *self,
                                          double             zoom);
void          ui_scene_view_zoom_in      (UiSceneView       *self);
void          ui_scene_view_zoom_out     (UiSceneView       *self);
/* So that the whole drawing is in sight, as far as the range of the zoom allows. */
void          ui_scene_view_zoom_to_fit  (UiSceneView       *self);

/* What of the scene is in sight, in scene units; the header hides the top of it. Moving it scrolls
 * as far as there is something to see. */
UiRect        ui_scene_view_get_area     (UiSceneView       *self);
void          ui_scene_view_scroll_to    (UiSceneView       *self,
                                          double             x,
                                          double             y);
/* Whether the last frame showed all that is in sight in full. */
gboolean      ui_scene_view_is_complete  (UiSceneView       *self);

/* What is under the pointer is not pointed at until it moves: somebody has stepped to another
 * state. */
void          ui_scene_view_let_go_of_pointer (UiSceneView  *self);

/* The keyboard's cursor shows no more, and its place is no longer what the reader is at; the next
 * key goes on from there. TRUE = that is what the reader was at. */
gboolean      ui_scene_view_let_go_of_cursor (UiSceneView   *self);

/* What the reader is at: the hovered item, else the keyboard's cursor while the view has the focus,
 * once a person has moved it by key or come to it by Tab. */
const UiItem *ui_scene_view_get_item     (UiSceneView       *self);
/* What is under the pointer; of type UI_ITEM_NONE = nothing. */
const UiItem *ui_scene_view_get_hovered  (UiSceneView       *self);
/* The keyboard's cursor, wherever the focus is and whether or not it shows. */
const UiItem *ui_scene_view_get_cursor   (UiSceneView       *self);
/* What is at a point of the widget; of type UI_ITEM_NONE where nothing is. */
void          ui_scene_view_find_item    (UiSceneView       *self,
                                          double             x,
                                          double             y,
                                          UiItem            *item);
/* Before people at a distance all is drawn larger, by the room that the widget has and that the drawing
 * leaves. FALSE at first. */
void          ui_scene_view_set_presented (UiSceneView      *self,
                                           gboolean          is_presented);
/* Steps that have no room are not scrolled but stand on several screens. FALSE at first. */
void          ui_scene_view_set_screens   (UiSceneView      *self,
                                           gboolean          has_screens);
/* To the screen before or behind; FALSE at an end: who goes back from there comes to the last screen
 * of the step before. */
gboolean      ui_scene_view_turn          (UiSceneView      *self,
                                           int               by);
void          ui_scene_view_turn_to_first (UiSceneView      *self);
/* How large letters of tokens grow then, in pixels; 0 = as far as there is room. */
void          ui_scene_view_set_most_text (UiSceneView      *self,
                                           double            most_text);
/* What stands out as if it were pointed at, until the pointer moves over the picture: where a list
 * beside it names an item. Of type UI_ITEM_NONE: nothing does. */
void          ui_scene_view_set_aim      (UiSceneView       *self,
                                          const UiItem      *item);
/* What stands out where nothing is pointed at but its own tokens: a link of one head among several.
 * It goes with its scene. Emits "hovered" where it is another. */
void          ui_scene_view_set_rest     (UiSceneView       *self,
                                          const UiItem      *item);
/* Scrolls it into sight, as little as that takes. */
void          ui_scene_view_show_item    (UiSceneView       *self,
                                          const UiItem      *item);
/* Moves the keyboard's cursor there and scrolls it into sight; it shows where the view has the
 * keys. */
void          ui_scene_view_set_cursor   (UiSceneView       *self,
                                          const UiItem      *item);

G_END_DECLS
