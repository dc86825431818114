/* SPDX-License-Identifier: MIT */
/* Edits of the model (engine/edits/edit.h) as people say them. */
#pragma once

#include "engine/edits/edit.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* "Zero head 9 of layer 2", "Cut “it” (12) → “animal” (3) in head 9 of layer 2"; trace: of
 * the run whose tokens the edit names, or NULL: tokens are numbers. An edit of tokens names those
 * that it finds, which the edited run need not have any more. (transfer full) */
char       *ui_edit_describe (const EngEdit  *edit,
                              const EngTrace *trace);
/* The same where there is little room: "Zero head 2.9", "Cut “it” → “animal” in 2.9". (transfer
 * full) */
char       *ui_edit_describe_briefly (const EngEdit  *edit,
                                      const EngTrace *trace);
/* The same of a text form, which may begin with "off "; one that nobody understands stays as it is.
 * typed: of the run whose tokens an edit of tokens finds, nullable as trace is. (transfer full) */
char       *ui_edit_describe_text    (const char     *text,
                                      const EngTrace *trace,
                                      const EngTrace *typed);
/* How many edits, from the first one of the list on, are said together: cuts in one head, as scattered
 * links of a mask leave them, where that many stand behind each other; else 1. */
int         ui_edit_count_together   (const char *const *edits);
/* Of n that are said together: "12 links hidden in head 9 of layer 2", briefly "… in 2.9". Without a
 * trace their number is that of the cuts. (transfer full) */
char       *ui_edit_describe_together (const char *const *edits,
                                       int                n,
                                       const EngTrace    *trace,
                                       gboolean           is_brief);
/* Whether edits of tokens behind that text form find others than were typed. */
gboolean    ui_edit_moves_tokens     (const char     *text);
/* What it does, in a sentence. */
const char *ui_edit_explain  (const EngEdit  *edit);
/* Whether one of the edits of the trace's run is about that head. */
gboolean    ui_edit_is_of_head (const EngTrace *trace,
                                EngKind         kind,
                                int             layer,
                                int             head);

/* What edits of the trace's run multiply the output of that head by; 1 = nothing. */
double      ui_edit_get_factor (const EngTrace *trace,
                                EngKind         kind,
                                int             layer,
                                int             head);

/* Whether a head adds anything in a run. */
typedef enum {
  UI_HEAD_ADDS,
  UI_HEAD_ZEROED,        /* by edits of its own */
  UI_HEAD_ZEROED_BY_ALL  /* with all of its layer */
} UiHeadZero;

UiHeadZero  ui_edit_find_zero  (const EngTrace *trace,
                                EngKind         kind,
                                int             layer,
                                int             head);

G_END_DECLS
