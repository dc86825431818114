/* SPDX-License-Identifier: MIT */
/* Tokens and numbers as the widgets write them, beside those of ui/scene/base/describe.h. Strings are
 * (transfer full); numbers have a point in every locale. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/describe.h"

G_BEGIN_DECLS

/* cat ₂; of a right-to-left script isolated (ui/document/bidi.h) */
char *ui_words_place   (const EngTokens *tokens,
                        int              token);
/* cat; likewise */
char *ui_words_name    (const EngTokens *tokens,
                        int              token);
/* What is left of either where there is no room: of an unknown token what was typed. */
char *ui_words_brief_place (const EngTokens *tokens,
                            int              token);
char *ui_words_brief_name  (const EngTokens *tokens,
                            int              token);
/* “cat” reads “sat” */
char *ui_words_link    (const EngTokens *queries,
                        int              query,
                        const EngTokens *keys,
                        int              key);
/* “cat” · token 2 · sentence A; noun: "token" or "word"; sentence NULL = not said. */
char *ui_words_title   (const EngTokens *tokens,
                        int              token,
                        const char      *noun,
                        const char      *sentence);
/* A number in a printf pattern for one double, with a true minus sign. */
char *ui_words_number  (const char      *pattern,
                        double           value);
/* A difference of two numbers, with as many decimals as parts of 1 have beside it: "+0.12",
 * "−0.012", "<0.001" for one of either sign that is smaller; "unchanged" for none at all. */
char *ui_words_change  (double           difference);
/* A label of any number of lines. */
GtkWidget *ui_words_label_new (const char *text,
                               const char *css_class);

G_END_DECLS
