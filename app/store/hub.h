/* SPDX-License-Identifier: MIT */
/* Models from a hub into the HuggingFace cache, in two steps: a plan says which files of a
 * repository Headlight reads and how big they are; a download brings them. Both ask the network,
 * block and may be called from any thread. Nothing else in Headlight asks the network, and nothing
 * calls these but a person's wish.
 *
 * A download that fails or is cancelled leaves the cache as it was, but for what can be resumed
 * (blobs/ETAG.incomplete, lock files): files appear only when all are there and checked, the
 * reference last. */
#pragma once

#include "app/store/hub-answer.h"
#include "app/store/hub-name.h"
#include "app/store/progress.h"

G_BEGIN_DECLS

typedef struct _AppHubPlan AppHubPlan;

/* model: NAME or NAME@REVISION; token: NULL = the environment's, else used for this plan alone and
 * stored nowhere. Asks for the header of each file; writes nothing. */
AppHubPlan *app_hub_plan_new         (const char         *model,
                                      const char         *token,
                                      GCancellable       *cancellable,
                                      GError            **error);
void        app_hub_plan_free        (AppHubPlan         *self);

const char *app_hub_plan_get_commit  (const AppHubPlan   *self);
int         app_hub_plan_get_n_files (const AppHubPlan   *self);
/* Bytes of all files; those whose size the hub does not say count nothing. */
gint64      app_hub_plan_get_total   (const AppHubPlan   *self);
/* How many of them are on this computer now, parts of a file included. */
gint64      app_hub_plan_get_present (const AppHubPlan   *self);

/* Brings what is not here yet. func is called in the thread that downloads, for each piece that
 * came. Returns the folder, which app_model_store_find() finds as well. */
char       *app_hub_plan_download    (const AppHubPlan   *self,
                                      AppProgressFunc     func,
                                      gpointer            data,
                                      GCancellable       *cancellable,
                                      GError            **error);

/* "huggingface.co", for words. (transfer full) */
char       *app_hub_dup_host         (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppHubPlan, app_hub_plan_free)

G_END_DECLS
