/* SPDX-License-Identifier: MIT */
/* What the environment says about the hub, by the rules of huggingface_hub: one set of variables
 * serves both. Read when the value is made; nothing is created. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *offline;          /* the variable that forbids the network; NULL = none does */
  char       *endpoint;         /* without a trailing slash */
  char       *cache;            /* folder */
  char       *token;            /* NULL = none */
  guint       metadata_timeout; /* seconds */
  guint       download_timeout;
  gboolean    no_symlinks;
} AppHubEnvironment;

AppHubEnvironment *app_hub_environment_new  (void);
void               app_hub_environment_free (AppHubEnvironment *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppHubEnvironment, app_hub_environment_free)

G_END_DECLS
