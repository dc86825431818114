/* SPDX-License-Identifier: MIT */
/* One pass as a document asks for it: find and open the model, make tokens, apply edits, run.
 * Blocking. */
#pragma once

#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"
#include "engine/writing/writing.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

/* (transfer full) The model that the document names, or the bundled one. */
EngModel  *app_pass_open_model (const UiDocument  *document,
                                GError           **error);

/* Fills *inputs, which is empty, with what was typed behind the words that the document puts before
 * it, as the document's edits of tokens change it. */
gboolean   app_pass_encode     (const EngModel    *model,
                                const UiDocument  *document,
                                EngInputs         *inputs,
                                GError           **error);
/* The same for the head of a task; some read A in both stacks. */
gboolean   app_pass_encode_for (const EngModel    *model,
                                const UiDocument  *document,
                                EngTask            task,
                                EngInputs         *inputs,
                                GError           **error);
/* The same, and where B is empty and the model has a decoder for it, what the model writes as B
 * with the document's edits: the tokens of the picture. Edits of the decoder's tokens change what
 * was written. */
gboolean   app_pass_complete   (EngModel          *model,
                                const UiDocument  *document,
                                EngInputs         *inputs,
                                GError           **error);

/* Whether the document names languages to translate between, and not just those of its texts. */
gboolean   app_pass_translates (const EngModel    *model,
                                const UiDocument  *document);
/* The words that stand before text A, and the languages of both texts. Fills *plan, which is empty;
 * its settings are there where the document names languages to translate between. */
gboolean   app_pass_plan_texts (const EngModel    *model,
                                const UiDocument  *document,
                                EngWritingPlan    *plan,
                                GError           **error);
/* (transfer full) One sentence where words were cut within what stands between spaces, by the rules
 * of another language than the document says that they are of; else NULL. */
char      *app_pass_dup_doubt  (const EngModel    *model,
                                const UiDocument  *document);
/* How the model is asked for a writing: by its own files, with the document's choices before
 * them. Fills *plan, which is empty. */
gboolean   app_pass_plan       (const EngModel    *model,
                                const UiDocument  *document,
                                EngWriting         writing,
                                EngWritingPlan    *plan,
                                GError           **error);
/* (transfer full) How the model goes on with the document's text, and the seed of what it draws. */
gboolean   app_pass_settle     (const EngModel    *model,
                                const UiDocument  *document,
                                EngGeneration    **settings,
                                guint64           *seed,
                                GError           **error);
/* (transfer full) The new tokens of what the model writes behind inputs with edits (GArray of
 * EngEdit), the end token among them where it was reached; GArray of gint32. */
GArray    *app_pass_write      (EngModel             *model,
                                const EngInputs      *inputs,
                                const GArray         *edits,
                                const EngGeneration  *settings,
                                guint64               seed,
                                GError              **error);

/* The same of the document's texts, as it is asked for a writing. */
GArray    *app_pass_write_for   (EngModel             *model,
                                 const UiDocument     *document,
                                 EngWriting            writing,
                                 GError              **error);
/* (transfer full) The text of what was written; ids with spaces between where the model has no
 * tokenizer. */
char      *app_pass_decode      (const EngModel       *model,
                                 const GArray         *ids);

/* (transfer full) The document's edits but for those that are turned off, parsed; GArray of
 * EngEdit. */
GArray    *app_pass_parse_edits (const UiDocument *document,
                                 GError          **error);

/* tasks: bit 1 << EngTask. */
EngTrace  *app_pass_run        (EngModel          *model,
                                const UiDocument  *document,
                                const EngInputs   *inputs,
                                guint              tasks,
                                gboolean           all_positions,
                                GError           **error);

G_END_DECLS
