/* SPDX-License-Identifier: MIT */
/* What the open model is: family, sizes, parameters, tokenizer, task heads, file. Every value
 * can be selected and copied. */
#pragma once

#include <gtk/gtk.h>

#include "engine/transformer/model.h"

G_BEGIN_DECLS

#define UI_TYPE_MODEL_PANEL (ui_model_panel_get_type ())
G_DECLARE_FINAL_TYPE (UiModelPanel, ui_model_panel, UI, MODEL_PANEL, GtkWidget)

GtkWidget *ui_model_panel_new       (void);

/* What is said of a model. Texts are NULL where there is nothing to say. */
typedef struct {
  const EngModelInfo *info;
  const char         *tokenizer; /* eng_tokenizer_get_description(); NULL = none */
  gboolean            has_chat_template; /* which is not applied */
  const char         *local;     /* eng_model_describe_local_layers() */
  const char         *shared;    /* eng_model_describe_shared_layers() */
  int                 seed;      /* of the weights of an untrained model */
} UiModelFacts;

/* Texts are copied. */
void       ui_model_panel_set_model (UiModelPanel       *self,
                                     const UiModelFacts *facts);
/* A trace file that is shown without its model; path is what it was opened from. */
void       ui_model_panel_set_trace (UiModelPanel       *self,
                                     EngTrace           *trace,
                                     const char         *path);

G_END_DECLS
