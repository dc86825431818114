/* SPDX-License-Identifier: MIT */
/* What may be tried in the steps of a head: scale, temperature, mask, projections, a dimension,
 * positions, segments. Shows what holds and changes nothing: ::changed says that a person chose,
 * ::fed-forward that they want what is tried as edits. */
#pragma once

#include <gtk/gtk.h>

#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_WHAT_IF (ui_what_if_get_type ())
G_DECLARE_FINAL_TYPE (UiWhatIf, ui_what_if, UI, WHAT_IF, GtkWidget)

GtkWidget *ui_what_if_new   (void);

/* What it is tried on. */
typedef struct {
  guint   useful;       /* bits 1 << EngKnob of what would change a number; the rest cannot be chosen */
  EngKind kind;         /* of the attention */
  int     layer;
  double  scale;        /* the model's */
  int     n_dimensions; /* of the head */
  int     n_hidden;     /* links of a mask of one's own */
  gboolean has_weights; /* FALSE of a trace file, in which nothing is fed forward */
} UiWhatIfOf;

void       ui_what_if_set   (UiWhatIf         *self,
                             const UiDocument *document,
                             const UiWhatIfOf *of);
/* ::changed (void). The handler makes a document of it: sets the fields that were chosen last. */
void       ui_what_if_apply (UiWhatIf         *self,
                             UiDocument       *document);
/* Whether something is tried in the document. */
gboolean   ui_what_if_is_on (const UiDocument *document);
/* Whether that is a mask of one's own, which has links or is yet to have some. */
gboolean   ui_what_if_has_own_mask (const UiDocument *document);

G_END_DECLS
