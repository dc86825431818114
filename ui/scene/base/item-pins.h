/* SPDX-License-Identifier: MIT */
/* How an item is pinned. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* What is pinned once an item of the scene is clicked, with Shift where it extends; view: of the
 * document that the scene is drawn for. *tokens is empty: pins of tokens that are gone for now do
 * not come back by themselves once another is set. */
void ui_item_pin (const UiItem  *item,
                  const UiScene *scene,
                  const UiView  *view,
                  gboolean       extend,
                  UiPins        *tokens);

G_END_DECLS
