/* SPDX-License-Identifier: MIT */
/* A text that a model writes behind what a document says, token by token, and what the model reads
 * meanwhile. Blocking; used by one thread. */
#pragma once

#include "engine/transformer/session.h"
#include "engine/writing/generate.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct _AppWriter AppWriter;

/* Reads the document's texts; nothing is written yet. The text is written with the document's
 * edits. cancel must live as long as the writer. Refuses what eng_generator_new() refuses. */
AppWriter *app_writer_new            (EngModel          *model,
                                      const UiDocument  *document,
                                      gint              *cancel,
                                      GError           **error);
void       app_writer_free           (AppWriter         *self);

/* One token more. After FALSE there is nothing to do but to free it. */
gboolean   app_writer_step           (AppWriter         *self,
                                      GError           **error);
gboolean   app_writer_is_done        (const AppWriter   *self);
/* Tokens that the text goes on from. */
int        app_writer_get_n_before   (const AppWriter   *self);
int        app_writer_get_n_tokens   (const AppWriter   *self);
/* What reading and writing took so far. */
double     app_writer_get_milliseconds (const AppWriter *self);
/* What was written, as it stands behind the document's text: with the space that parts the two.
 * (transfer full) */
char      *app_writer_dup_text       (const AppWriter   *self);

/* Whether a picture after each step is worth its time: that of one text costs nothing, that of a
 * beam search a pass, and those take no more time than the search does. */
gboolean   app_writer_is_trace_cheap (const AppWriter   *self);
/* (transfer full) What the model reads of the text so far, with the logits of what follows. A text
 * that is done is read to its end, but for the token that ends it. */
EngTrace  *app_writer_dup_trace      (AppWriter         *self,
                                      EngSession        *session,
                                      GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppWriter, app_writer_free)

G_END_DECLS
