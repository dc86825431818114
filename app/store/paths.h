/* SPDX-License-Identifier: MIT */
/* Where things lie on this computer. Environment variables are read at each call, nothing is
 * created. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Folder of the running program, links resolved. What comes with the program is found from there,
 * so that it may be moved. (transfer full) */
char *app_paths_get_program_folder (void);

/* Folder of the bundled models: beside the installed program, else of the source tree for one that
 * lies in a build folder. (transfer full) */
char *app_paths_get_bundled_models (void);

/* Folder of the lessons that come with the program, found likewise. (transfer full) */
char *app_paths_get_lessons        (void);

/* Folder of the compiled settings schema, found likewise; it may lack. (transfer full) */
char *app_paths_get_schemas        (void);

/* $XDG_DATA_HOME/headlight/models. (transfer full) */
char *app_paths_get_data_models    (void);

/* $XDG_DATA_HOME/headlight/specimens: small models without weights (specimen.h). (transfer full) */
char *app_paths_get_specimens      (void);

/* $XDG_DATA_HOME/headlight/scores.ini: what a person chose in lessons. (transfer full) */
char *app_paths_get_scores         (void);

/* $XDG_STATE_HOME/headlight: documents of programs that run, or were ended. (transfer full) */
char *app_paths_get_autosaves      (void);

/* The HuggingFace cache, as huggingface_hub finds it: HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE,
 * $HF_HOME/hub, $XDG_CACHE_HOME/huggingface/hub; ~ and $VARIABLE are expanded. (transfer full) */
char *app_paths_get_hub_cache      (void);

/* The file that huggingface_hub keeps a token in: HF_TOKEN_PATH, $HF_HOME/token,
 * $XDG_CACHE_HOME/huggingface/token. (transfer full) */
char *app_paths_get_hub_token      (void);

G_END_DECLS
