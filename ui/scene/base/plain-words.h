/* SPDX-License-Identifier: MIT */
/* What a scene says to who has never seen one: a line on how to read it and a sentence about what
 * is in it, behind ui_scene_explain() and ui_scene_headline(). Every char * is markup of Pango and
 * (transfer full). */
#pragma once

#include "engine/trace/head-facts.h"
#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* "A line runs from …. <b>Bolder line = more attention.</b>" */
char *ui_plain_explain_links (const UiScene *scene);
/* "Rows read, columns are read. <b>Stronger colour = more attention.</b>" */
char *ui_plain_explain_cells (const UiScene *scene);
/* What reads in a picture of rows and columns, a sentence. */
const char *ui_plain_get_direction (const UiScene *scene);
/* The heads that are shown, and of one what it does. */
char *ui_plain_headline      (const UiScene *scene);

/* What is said of an item, which may be of type UI_ITEM_NONE, while a reader is asked for it: which
 * heads and tokens it is of, "<b>Head 11 of layer 3</b>, “mat” (6): answer first." */
char *ui_plain_hold_back     (const UiScene *scene,
                              const UiItem  *item);

/* Of the scene's layer, where they are there within a frame; NULL = they are not. */
const EngHeadFacts *ui_plain_find_facts (const UiScene *scene);

/* text of plain words, "<b>Head 11 of layer 3</b>" for "head 11 of layer 3"; escaped. */
void  ui_plain_append_bold   (GString       *markup,
                              const char    *text,
                              gboolean       begins_sentence);
void  ui_plain_append        (GString       *markup,
                              const char    *text);
/* A sentence with a space before it, where a threshold was set by hand and a window has no other
 * place that says so; links: "Links". */
void  ui_plain_append_threshold (const UiScene *scene,
                                 const char    *links,
                                 GString       *markup);

G_END_DECLS
