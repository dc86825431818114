/* SPDX-License-Identifier: MIT */
/* The numbers of inspector, table twin and clipboard; behind ui_scene_readings() and the scenes'
 * numbers(). */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* Of explicit pins. keys TRUE: what the pinned queries read; FALSE: who reads the pinned keys. */
GArray *ui_readings_new     (const UiScene *scene,
                             const UiPins  *pins,
                             gboolean       keys);
typedef struct {
  int    head;
  int    query;
  int    key;
  double weight;
} UiLinkReading;

/* Of the heads that are shown, the n links that have most, strongest first; of equals the one above
 * first. Those of a token that sees one key alone, which say nothing, stand in for others that are
 * not there. */
GArray *ui_readings_find_strongest (const UiScene *scene,
                                    guint          n);
/* Every link that is drawn, one a line: layer, head, query, its token, key, its token, value. */
char   *ui_readings_to_text (const UiScene *scene);
/* Where the vocabulary lacks words, tables have two columns more behind all others, of these
 * headings: what was typed for each token, empty for those that are known. */
#define UI_READINGS_TYPED "\tquery typed\tkey typed"
gboolean ui_readings_have_typed   (const UiScene *scene);
void     ui_readings_append_typed (const UiScene *scene,
                                   int            query,
                                   int            key,
                                   GString       *text);

G_END_DECLS
