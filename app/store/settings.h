/* SPDX-License-Identifier: MIT */
/* What the window remembers between two starts, in GSettings. The schema is the desktop's, else
 * the one that came with the program; without one the defaults hold and nothing is kept, and nothing
 * fails. A schema without all of the keys is none, and loading says so on stderr. Main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In the order of the schema's enum. */
typedef enum { APP_THEME_SYSTEM, APP_THEME_LIGHT, APP_THEME_DARK } AppTheme;

/* Ways to start that a person has used, and need not be offered any more; flags. */
typedef enum {
  APP_WAY_TYPE = 1 << 0, /* a sentence was typed */
  APP_WAY_HEAD = 1 << 1, /* another head was seen */
  APP_WAY_TOUR = 1 << 2
} AppWay;

typedef struct {
  int       width;
  int       height;
  gboolean  maximized;
  gboolean  map;
  int       map_width;       /* px */
  gboolean  inspector;
  int       inspector_width; /* px */
  AppTheme  theme;
  gboolean  high_contrast; /* of pictures, also where the desktop does not want it */
  int       starts;     /* of the window, so far */
  int       ways_used;  /* flags of AppWay */
  char     *last_model; /* what the document calls it; NULL = the bundled one */
} AppSettings;

AppSettings *app_settings_load       (void);
void         app_settings_save       (const AppSettings *self);
void         app_settings_free       (AppSettings       *self);

void         app_settings_set_last_model (AppSettings   *self,
                                          const char    *model);

const char  *app_theme_get_name      (AppTheme           theme); /* "system" */
gboolean     app_theme_from_name     (const char        *name,
                                      AppTheme          *theme);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppSettings, app_settings_free)

G_END_DECLS
