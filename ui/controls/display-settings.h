/* SPDX-License-Identifier: MIT */
/* What is drawn of attention, for two popovers: what is measured and what heads and layers are put
 * together to; and how much of it is drawn: what is left out, opacity. A slider is felt at once:
 * each of its steps is a change.
 *
 * "changed": a person chose something; ui_display_settings_apply() puts it into a document. */
#pragma once

#include <gtk/gtk.h>

#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_DISPLAY_SETTINGS (ui_display_settings_get_type ())
G_DECLARE_FINAL_TYPE (UiDisplaySettings, ui_display_settings, UI, DISPLAY_SETTINGS, GtkWidget)

/* The one half or the other: the property "amount" in a .ui. */
GtkWidget *ui_display_settings_new        (gboolean           is_amount);

/* Shows what the document says; no "changed". */
void       ui_display_settings_set        (UiDisplaySettings *self,
                                           const UiDocument  *document);
/* Of the table of fields, nothing where the other half has it; value NULL = all values of the field.
 * reason: why it cannot be chosen now, NULL = it can. */
void       ui_display_settings_set_reason (UiDisplaySettings *self,
                                           const char        *field,
                                           const char        *value,
                                           const char        *reason);
/* Puts what was chosen last into the document. */
void       ui_display_settings_apply      (UiDisplaySettings *self,
                                           UiDocument        *document);
/* "weight × ‖v‖ · mean": what is measured, for the button that opens it. (transfer full) */
char      *ui_display_settings_describe   (const UiDocument  *document);

G_END_DECLS
