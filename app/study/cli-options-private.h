/* SPDX-License-Identifier: MIT */
/* For the options of the command line alone. */
#pragma once

#include "app/study/cli-options.h"

G_BEGIN_DECLS

/* An option of the program's own, outside of the document and of a recipe. apply is called with the
 * value, NULL for a flag. */
typedef struct {
  const char    *name;
  AppCliAccepts  accepts;
  const char    *value_name; /* NULL for a flag */
  const char    *help;
  gboolean     (*apply) (AppCliOptions *self, const char *value, GError **error);
} AppCliOption;

/* NULL = none of that name that the sub-command accepts. */
const AppCliOption *app_cli_own_option_find (const char    *name,
                                             AppCliAccepts  accepts);
/* In the order of the help; NULL behind the last. */
const AppCliOption *app_cli_own_option_get  (gsize          i);

G_END_DECLS
