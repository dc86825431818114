/* SPDX-License-Identifier: MIT */
/* Asks which model to download, says how big it is, then how far it is. Knows no network: it asks
 * by signals and is told what came of it.
 *
 *   asking ──look-up──> looking ──offer()──> offered ──download──> fetching ──> closed by the owner
 *      └──────────<──ask()──┘ └────────────────<──offer()──────────────┘
 *
 * Signals:
 *   look-up (const char *name, const char *token): how big is that model? token is NULL when none
 *     was typed; it is nowhere but in the entry.
 *   download: bring what was offered.
 *   stop: end the question or the download that runs; answered with ask() or offer(). Comes also
 *     when the window is closed meanwhile, and is not answered then. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define UI_TYPE_DOWNLOAD_DIALOG (ui_download_dialog_get_type ())
G_DECLARE_FINAL_TYPE (UiDownloadDialog, ui_download_dialog, UI, DOWNLOAD_DIALOG, AdwWindow)

/* Modal over parent. host: who will be asked, "huggingface.co". Show it with
 * gtk_window_present(). */
GtkWidget *ui_download_dialog_new      (GtkWindow        *parent,
                                        const char       *host);

/* (Back) to the name. NULL leaves the one that was typed; problem: what came of the last question,
 * NULL = nothing bad. */
void       ui_download_dialog_ask      (UiDownloadDialog *self,
                                        const char       *name,
                                        const char       *problem,
                                        gboolean          needs_token);
/* present: how many bytes of the total are on this computer already. */
void       ui_download_dialog_offer    (UiDownloadDialog *self,
                                        int               n_files,
                                        gint64            total,
                                        gint64            present,
                                        const char       *problem);
/* what: "model.safetensors", "Checking model.safetensors"; speed in bytes per second, 0 = not
 * known. */
void       ui_download_dialog_progress (UiDownloadDialog *self,
                                        const char       *what,
                                        gint64            bytes,
                                        gint64            total,
                                        double            speed);

G_END_DECLS
