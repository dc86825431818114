/* SPDX-License-Identifier: MIT */
/* The way that a document asks for of a trace. The one place of pictures that asks a model for
 * numbers: through the trace, which keeps its own (engine/steps/of-trace.h). */
#pragma once

#include "engine/steps/way.h"
#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* (transfer full) That of the scene before, of whatever view, where it is the same way; else one
 * that is made, which takes some ms and more. Fails where the trace lacks layers or, as a
 * file may, queries and keys, and for a picture file on a step or number that the way has not. */
EngWay     *ui_steps_way_new         (EngTrace              *trace,
                                      const UiDocument      *document,
                                      const UiSceneOptions  *options,
                                      GError               **error);
/* Whether the way of that scene is the document's, so that the above takes no time. */
gboolean    ui_steps_way_is_of       (const UiScene         *scene,
                                      EngTrace              *trace,
                                      const UiDocument      *document);
/* What is tried becomes edits, which act in all layers behind, and is tried no more. shown: what the
 * trace has of the document. FALSE where nothing is tried that changes a number; document is as it
 * was then. */
gboolean    ui_steps_feed_forward    (EngTrace              *trace,
                                      const UiDocument      *shown,
                                      UiDocument            *document);
/* A mask of one's own hides one more link, or shows one again. Where it was made of pinned keys, their
 * links are spelt out. */
void        ui_steps_hide_link       (EngTrace              *trace,
                                      const UiDocument      *shown,
                                      int                    query,
                                      int                    key,
                                      UiDocument            *document);

G_END_DECLS
