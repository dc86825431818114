/* SPDX-License-Identifier: MIT */
/* What a trace has of a document, decided in one place. A window puts aside what the trace lacks
 * (ui_fit_document()); command line and scenes refuse it (ui_fit_check()). What was put aside is
 * never refused. Nothing here changes a trace or a document that it is given; every function may be
 * called by any thread. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

/* (transfer full) The document as far as the traces have it: a layer of a bigger model, a filter
 * without a sentence B, a token that was deleted and the like are put aside. Its kind is set; its
 * layer is the nearest one that is there, -1 while there is none.
 * second: the trace of the second side, nullable; where it cannot stand beside the first, nothing is
 * fitted to it and *misfit is one sentence (transfer full), else NULL. */
UiDocument *ui_fit_document    (const UiDocument  *document,
                                EngTrace          *trace,
                                EngTrace          *second,
                                char             **misfit);
/* FALSE with UI_ERROR_RANGE for a kind, layer, head, pin or filter that the trace has not. */
gboolean    ui_fit_check       (const UiDocument  *document,
                                EngTrace          *trace,
                                GError           **error);

/* What is read: the document's text, or the one that its trace file has. trace: of the document; "" is
 * read from a file without it. */
const char *ui_fit_get_text    (const UiDocument  *document,
                                const EngTrace    *trace,
                                gboolean           is_b);
/* (transfer full) ui_document_dup_second_side(), where a model beside a trace file has the file's
 * texts unless it has its own. trace: of the first side. */
UiDocument *ui_fit_dup_second_side (const UiDocument *document,
                                    const EngTrace   *trace);
/* The kind that was chosen, else the trace's default one. */
EngKind     ui_fit_get_kind    (const UiDocument  *document,
                                const EngTrace    *trace);
/* How a window orders the heads of the model view: as was chosen, else by pattern where there are so
 * many that a grid of all of them is too small to be read, by layer where not. trace: nullable. */
UiOrder     ui_fit_get_order   (const UiDocument  *document,
                                const EngTrace    *trace);
/* The layer that is there and nearest to this one, for a trace file may have gaps; -1 = none is. */
int         ui_fit_find_layer  (const EngTrace    *trace,
                                EngKind            kind,
                                int                layer);
/* The layer whose weights stand for the whole drawing: the chosen one; where all layers are shown
 * and that need not be there, the first one that has the measure, or that is there at all. */
int         ui_fit_get_layer   (const UiDocument  *document,
                                EngTrace          *trace);
/* Whether every layer that the document is about has the measure's numbers. */
gboolean    ui_fit_has_measure (const UiDocument  *document,
                                EngTrace          *trace,
                                EngMeasure         measure);
/* Whether links within and between the sentences can be told apart: not in cross attention, where
 * every link is B→A. FALSE for a kind that the trace has not. */
gboolean    ui_fit_can_filter  (const EngTrace    *trace,
                                EngKind            kind);
/* Whether a template added tokens. */
gboolean    ui_fit_has_special (const EngTrace    *trace,
                                EngKind            kind);
/* "layer 3", "layers 0 to 2, 5 and 7": those that the trace holds. (transfer full) */
char       *ui_fit_list_layers (const EngTrace    *trace,
                                EngKind            kind);

G_END_DECLS
