/* SPDX-License-Identifier: MIT */
/* Sentences and pairs on which attention is classically shown, and what the models that come with
 * the program do best. */
#pragma once

#include <gio/gio.h>

#include "engine/transformer/model.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

typedef enum {
  APP_EXAMPLE_READ,       /* by the open model, whichever that is */
  APP_EXAMPLE_CONTINUED,  /* by a causal model: the open one, else headlight-causal */
  APP_EXAMPLE_TRANSLATED, /* by headlight-en-fr */
  APP_N_EXAMPLE_USES
} AppExampleUse;

typedef struct {
  AppExampleUse  use;
  const char    *text_a;
  const char    *text_b; /* "" = none */
} AppExample;

const AppExample *app_examples_get          (int             *n_examples);
/* The model that those of a use are opened in; NULL = they stay in the open one. open: nullable. */
const char       *app_examples_get_model    (AppExampleUse    use,
                                             const EngModel  *open);
/* The use that the open model is made for: its examples come first. */
AppExampleUse     app_examples_find_use     (const EngModel  *open);
/* (transfer full) The menu, items "win.example(INDEX)": a section for each use whose model is open,
 * then a submenu for each that opens another; headings name the model, but for
 * what any model reads at the top. Uses of a model that is not on this computer are left out. */
GMenuModel       *app_examples_new_menu     (const EngModel  *open);
/* The texts that a window begins with where nobody typed any. */
void              app_examples_put          (UiDocument      *document);

G_END_DECLS
