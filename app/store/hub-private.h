/* SPDX-License-Identifier: MIT */
/* What app/store/hub-plan.c finds out and app/store/hub-download.c brings. */
#pragma once

#include "app/store/hub.h"
#include "app/store/hub-environment.h"

G_BEGIN_DECLS

struct _AppHubPlan {
  AppHubEnvironment *environment;
  AppHubName        *name;
  char              *token;   /* NULL = the environment's */
  char              *commit;
  char              *folder;  /* of the repository in the cache */
  GPtrArray         *files;   /* AppHubFile, config.json first */
  GPtrArray         *missing; /* paths that were asked for and are not there */
};

/* Whether an earlier file of the plan has the same content, so that one blob serves both. */
gboolean app_hub_plan_is_repeat  (const AppHubPlan *self,
                                  guint             index);
/* Whether the file is there whole, as a blob or in the snapshot. */
gboolean app_hub_plan_has_file   (const AppHubPlan *self,
                                  const AppHubFile *file);
gboolean app_hub_plan_has_blob   (const AppHubPlan *self,
                                  const AppHubFile *file);
gboolean app_hub_plan_is_placed  (const AppHubPlan *self,
                                  const AppHubFile *file);

G_END_DECLS
