/* SPDX-License-Identifier: MIT */
/* A claim of a lesson, what the model's numbers make of it, and whether it is true. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum { UI_CLAIM_COMPUTING, UI_CLAIM_TRUE, UI_CLAIM_FALSE, UI_CLAIM_SKIPPED } UiClaimState;

#define UI_TYPE_CLAIM_ROW (ui_claim_row_get_type ())
G_DECLARE_FINAL_TYPE (UiClaimRow, ui_claim_row, UI, CLAIM_ROW, GtkWidget)

GtkWidget  *ui_claim_row_new      (const char   *claim);
/* value: "0.9153"; reason: why it is false or skipped, one sentence; both are nullable. */
void        ui_claim_row_set      (UiClaimRow   *self,
                                   UiClaimState  state,
                                   const char   *value,
                                   const char   *reason);
/* What it says below the claim: "true: 0.9153". */
const char *ui_claim_row_get_said (UiClaimRow   *self);

G_END_DECLS
