/* SPDX-License-Identifier: MIT */
/* The --json answers of the command line. Only what several sub-commands need. */
#pragma once

#include <cjson/cJSON.h>

#include "engine/base/json.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* One line and a line feed; takes ownership. */
void   app_cli_json_append     (GString    *output,
                                cJSON      *object);
cJSON *app_cli_json_from_bytes (const guint8 *values, /* 0 or 1 each */
                                int           n);
/* Rounded to a hundredth. */
cJSON *app_cli_json_from_points (double     points);
/* A number; of two stacks, where decoder is not 0, {"encoder", "decoder"}. */
void   app_cli_json_add_count  (cJSON      *object,
                                const char *key,
                                int         first,
                                int         decoder);
/* {"path", "model", "tokens", "layers", "heads", "milliseconds"}; the counts of two stacks are
 * objects. */
cJSON *app_cli_json_from_trace (EngTrace   *trace,
                                const char *path);

G_END_DECLS
