/* SPDX-License-Identifier: MIT */
/* The models on this computer: bundled, in Headlight's data folder
 * ($XDG_DATA_HOME/headlight/models), in the HuggingFace cache (HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE,
 * $HF_HOME/hub, ~/.cache/huggingface/hub). Never touches the network. May be called from any
 * thread. */
#pragma once

#include "engine/transformer/model.h"

G_BEGIN_DECLS

typedef enum { APP_FROM_BUNDLED, APP_FROM_CACHE, APP_FROM_DATA, APP_FROM_FOLDER } AppModelFrom;

typedef struct {
  char        *name;
  char        *path;      /* folder with config.json, or GGUF file */
  char        *family;
  int          n_layers;
  int          n_heads;
  int          n_decoder_layers; /* of the decoder of two stacks, else 0 */
  int          n_decoder_heads;
  int          hidden_size;
  const char  *quantised; /* type of its weights ("Q4_K"), NULL where they are not quantised */
  AppModelFrom from;
  /* why it cannot be opened (another family, no weights); NULL when it can */
  char        *problem;
} AppModelEntry;

#define APP_BUNDLED_MODEL "headlight-mini"

const char *app_model_from_get_name (AppModelFrom from); /* "bundled" */
void        app_model_entry_free    (AppModelEntry *entry);
GPtrArray  *app_model_store_list    (void); /* AppModelEntry, bundled first */

/* M of the command line → folder or GGUF file: a bundled name, one of these, a hub name or
 * NAME@REVISION in the cache or the data folder. NULL M = bundled. Refuses with a sentence that
 * says where was looked. */
char       *app_model_store_find    (const char  *model,
                                     char       **name, /* (out) what to call it */
                                     GError     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppModelEntry, app_model_entry_free)

G_END_DECLS
