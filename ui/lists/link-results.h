/* SPDX-License-Identifier: MIT */
/* Which heads link two words: the choice of both words, the direction, and the heads, strongest
 * first. It computes nothing: whoever owns it searches and hands over what was found.
 *
 * Signals:
 *   words-changed (int a, int b)      chosen by a person; -1 = not chosen
 *   opened (gpointer EngFoundLink)    a head of the list; borrowed
 *   save ()                           the list in sight as a file */
#pragma once

#include <gtk/gtk.h>

#include "engine/trace/link-search.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_LINK_RESULTS (ui_link_results_get_type ())
G_DECLARE_FINAL_TYPE (UiLinkResults, ui_link_results, UI, LINK_RESULTS, GtkWidget)

/* The words to choose from: of a stack that reads itself both are the same, and a link has two
 * directions. Kept. by_word: pieces are called by their whole words, whose numbers the links have.
 * What was found is taken away where they are others. */
void       ui_link_results_set_tokens  (UiLinkResults *self,
                                        EngTokens     *queries,
                                        EngTokens     *keys,
                                        gboolean       by_word);
void       ui_link_results_set_words   (UiLinkResults *self,
                                        int            a,
                                        int            b);
/* In place of a list: what is to be done, what is waited for, or what went wrong. */
void       ui_link_results_set_message (UiLinkResults *self,
                                        const char    *sentence,
                                        gboolean       is_busy);
/* links: of EngFoundLink, strongest first; kept. */
void       ui_link_results_set_links   (UiLinkResults *self,
                                        GArray        *links,
                                        EngMeasure     measure);
/* (transfer full) The list in sight as CSV: layer, head (none in a rollout), query, key, both in
 * words, the measure; "" where no list is in sight. */
char      *ui_link_results_to_csv      (UiLinkResults *self);
void       ui_link_results_set_theme   (UiLinkResults *self,
                                        UiTheme        theme);

G_END_DECLS
