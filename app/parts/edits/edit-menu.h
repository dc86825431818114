/* SPDX-License-Identifier: MIT */
/* Menus of what can be done to a part of the model or of the text. Their items are actions:
 * win.edit with the text forms (engine/edits/edit.h), win.take-back with those that the run has
 * already and that would make no difference a second time, win.scale-head and win.swap-word with the
 * beginning of one, whose end a person still has to choose; win.second-edit and so on for the
 * second side. Indices are those of the run that is shown, so that an edit behind all others of the
 * list means what was pointed at. */
#pragma once

#include <gio/gio.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef struct {
  EngTrace         *trace;
  const UiDocument *shown;   /* what is drawn of it: kind, layer, heads */
  const UiWeights  *weights; /* of the scene; nullable */
  int               mask_id; /* of the tokenizer's mask token; -1 = none */
  gboolean          is_second; /* what is edited is the second side of a comparison */
} AppEditMenu;

/* Each puts its sections at the end of menu. */
void app_edit_menu_append_head  (const AppEditMenu *self,
                                 int                layer,
                                 int                head,
                                 GMenu             *menu);
/* A link of one head; head < 0: of what stands for the heads shown. */
void app_edit_menu_append_link  (const AppEditMenu *self,
                                 int                head,
                                 int                query,
                                 int                key,
                                 GMenu             *menu);
/* key: the token is one that is read, else one that reads. */
void app_edit_menu_append_token (const AppEditMenu *self,
                                 gboolean           key,
                                 int                token,
                                 GMenu             *menu);
void app_edit_menu_append_layer (const AppEditMenu *self,
                                 int                layer,
                                 GMenu             *menu);
/* All that an item of the scene stands for, words being tokens by then. */
void app_edit_menu_append_item  (const AppEditMenu *self,
                                 const UiItem      *item,
                                 GMenu             *menu);
/* "swap 3", what win.swap-word takes; NULL for a token that cannot be moved. (transfer full) */
char *app_edit_menu_begin_swap  (const AppEditMenu *self,
                                 gboolean           key,
                                 int                token);

G_END_DECLS
