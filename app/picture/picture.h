/* SPDX-License-Identifier: MIT */
/* The picture of a study: what of it is shown, what is wanted and still being drawn, how large it
 * is, and what a person is asked to pick in it. It wraps the widget that paints. Main thread;
 * values that it returns are borrowed until the next change.
 *
 * Signals: "changed" when something that it shows or asks for is another than before, outside of
 * app_picture_update(); "progress" (const char *title, double fraction) while a drawing takes long,
 * with a NULL title at its end. */
#pragma once

#include "app/study/study.h"
#include "ui/scene/base/changed-heads.h"
#include "ui/view/scene-view.h"

G_BEGIN_DECLS

#define APP_TYPE_PICTURE (app_picture_get_type ())
G_DECLARE_FINAL_TYPE (AppPicture, app_picture, APP, PICTURE, GObject)

/* view is the widget that paints; borrowed, it must outlive app_picture_close(). */
AppPicture       *app_picture_new         (AppStudy         *study,
                                           UiSceneView      *view);
/* Ends what is being drawn and picked; nothing is shown any more. */
void              app_picture_close       (AppPicture       *self);

/* Draws what the study's traces have of its document, at once or in a thread; until then the
 * picture before it stays. */
void              app_picture_update      (AppPicture       *self);
/* What was chosen while it is being drawn is taken back. FALSE = nothing is being drawn. */
gboolean          app_picture_cancel      (AppPicture       *self);

UiSceneView      *app_picture_get_view    (AppPicture       *self);
/* What the view shows; NULL before the first picture. */
UiScene          *app_picture_get_scene   (AppPicture       *self);
/* The document as far as the trace has it; NULL before the first picture. */
const UiDocument *app_picture_get_shown   (AppPicture       *self);
/* The same of what is being drawn; NULL = shown is wanted. */
const UiDocument *app_picture_get_wanted  (AppPicture       *self);
/* wanted, else shown: what a person's next step starts from. */
const UiDocument *app_picture_get_newest  (AppPicture       *self);
/* Whether shown is of the study's trace, not of the one before. */
gboolean          app_picture_is_current  (AppPicture       *self);
/* Whether nothing is awaited: neither a pass nor a drawing. */
gboolean          app_picture_is_settled  (AppPicture       *self);
/* The trace that stands beside the first one in it; NULL = none. */
EngTrace         *app_picture_get_second  (AppPicture       *self);
/* Why the second side is not in it, one sentence; NULL = it is, or there is none. */
const char       *app_picture_get_misfit  (AppPicture       *self);
/* Whether the second side is in it although one is compared. */
gboolean          app_picture_has_sides   (AppPicture       *self);
/* How much the heads of the two sides changed, whatever of them is shown; NULL = nothing is compared,
 * they cannot be compared head by head, or not yet. */
UiChangedHeads   *app_picture_get_changed_heads (AppPicture  *self);
/* Why there is no picture of the document; NULL = there is. */
const GError     *app_picture_get_error   (AppPicture       *self);
/* Whether the document wants heads in another order than that of layers. */
gboolean          app_picture_sorts_heads (const UiDocument *document,
                                           EngTrace         *trace);
/* From now on heads of the trace may be sorted by what was measured of them; until then they stand
 * in the order of layers. */
void              app_picture_allow_order (AppPicture       *self,
                                           EngTrace         *trace,
                                           EngKind           kind);

/* How large it is: no matter of the document. At once, and for fit again when what was chosen just
 * before is on show. */
void              app_picture_zoom_to_fit (AppPicture       *self);
/* Smaller by a fifth at most, once what was chosen just before is on show, where all of it is in
 * sight then. */
void              app_picture_bring_into_sight (AppPicture  *self);

/* One thing at a time is picked: a new pick ends the one before. take gets each item that is clicked
 * meanwhile and says whether the click was meant for it; it may end the pick or set another prompt.
 * ended (nullable) is called once; is_cancelled: by a person. */
typedef struct {
  gboolean (*take)  (const UiItem *item, gpointer data);
  void     (*ended) (gboolean is_cancelled, gpointer data);
} AppPickClass;

void              app_picture_begin_pick  (AppPicture         *self,
                                           const char         *prompt,
                                           const AppPickClass *klass,
                                           gpointer            data);
/* Whose pick it is its class says. These do nothing where another's is on. */
void              app_picture_set_prompt  (AppPicture         *self,
                                           const char         *prompt,
                                           const AppPickClass *klass);
void              app_picture_end_pick    (AppPicture         *self,
                                           const AppPickClass *klass);
/* NULL = nothing is picked. */
const char       *app_picture_get_prompt  (AppPicture         *self);
/* Whether the click was the pick's. */
gboolean          app_picture_take_click  (AppPicture         *self,
                                           const UiItem       *item);
/* What Escape does first. FALSE = nothing is picked. */
gboolean          app_picture_cancel_pick (AppPicture         *self);

/* A link of one head of the first side, whose tokens it names. */
typedef struct {
  EngKind kind;
  int     layer;
  int     head;
  int     query;
  int     key;
} AppLink;

/* Of an item of the scene. FALSE = it is none of one head: a token, a mean, the second side's. */
gboolean          app_picture_find_link   (AppPicture         *self,
                                           const UiItem       *item,
                                           AppLink            *link);
/* A click says of which head the link is whose ends it pins. TRUE = they are pinned, and of several
 * heads it was another's link, or none's: that is all that changes. */
gboolean          app_picture_note_click  (AppPicture         *self,
                                           const UiItem       *item);
/* What a person means: the link that is pinned, else the one that is pointed at. FALSE = none. */
gboolean          app_picture_get_link    (AppPicture         *self,
                                           AppLink            *link);
/* Of several heads the link of one whose ends a click has pinned; of type UI_ITEM_NONE where there is
 * none. */
UiItem            app_picture_find_clicked (AppPicture        *self);
/* Of a scene that is there: the token that is pinned, or the link of two, in the only head or in the
 * one that was clicked; of type UI_ITEM_NONE where nothing is, or more. */
UiItem            app_picture_find_pinned (AppPicture         *self);
/* What is drawn of what is pointed at: beside one pin the link of both, of a token that has none with
 * it only its name, and then what is pinned. */
UiItem            app_picture_find_drawn  (AppPicture         *self,
                                           const UiItem       *pointed);
/* (transfer full) One sentence of what is pointed at, else pinned, else shown, as markup; NULL
 * before the first picture. */
char             *app_picture_describe     (AppPicture        *self);
/* (transfer full) The same of what is pinned, else shown, wherever the pointer is. */
char             *app_picture_describe_shown (AppPicture     *self);
/* Said by it from now on, whatever is pointed at; markup, NULL = what it says by itself. */
void              app_picture_set_words    (AppPicture        *self,
                                            const char        *words);
gboolean          app_picture_has_words    (AppPicture        *self);
/* While a person is asked for what the numbers say, the picture says of what it is, and no more
 * (UiSceneOptions.holds_back). This is what all that knows these numbers asks: whoever shows them
 * beside the picture holds them back then. Heads stand in the order of layers then, as others name
 * what heads read, unless asked, the document that a person is asked about, has another one; nullable. */
void              app_picture_set_asked    (AppPicture        *self,
                                            gboolean           is_asked,
                                            const UiDocument  *asked);
gboolean          app_picture_is_asked     (AppPicture        *self);
/* (transfer full) The command that draws what is on show, which there must be. */
char             *app_picture_dup_command  (AppPicture        *self);
/* Where document, which is about to be shown, goes from links of several heads to a view of one:
 * that of app_picture_get_link(), else, where one head is drawn, the head in which the pinned tokens
 * have their strongest link. */
void              app_picture_keep_link   (AppPicture         *self,
                                           UiDocument         *document);

G_END_DECLS
