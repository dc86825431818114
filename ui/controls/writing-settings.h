/* SPDX-License-Identifier: MIT */
/* How a model writes: at most how many tokens, the likeliest one each time, a search, or draws with
 * their settings. Shows what holds and changes nothing: ::changed says that a person chose. */
#pragma once

#include <gtk/gtk.h>

#include "engine/families/generation-config.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_WRITING_SETTINGS (ui_writing_settings_get_type ())
G_DECLARE_FINAL_TYPE (UiWritingSettings, ui_writing_settings, UI, WRITING_SETTINGS, GtkWidget)

GtkWidget *ui_writing_settings_new   (void);

/* settings: what holds, the model's own with the document's fields on top. document says which of
 * them are the person's. */
void       ui_writing_settings_set   (UiWritingSettings    *self,
                                      const UiDocument     *document,
                                      const EngGeneration  *settings,
                                      guint64               seed);

/* ::changed (void). The handler makes a document of it: sets the fields that were chosen last. */
void       ui_writing_settings_apply (UiWritingSettings    *self,
                                      UiDocument           *document);

G_END_DECLS
