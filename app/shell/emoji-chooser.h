/* SPDX-License-Identifier: MIT */
/* The chooser of emoji that GTK opens beside an entry. It keeps one for each entry that ever opened
 * it, 9 MB of widgets; here it goes once it is closed. Main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* After GTK was started; what comes behind the first is nothing. */
void app_emoji_chooser_init (void);

G_END_DECLS
