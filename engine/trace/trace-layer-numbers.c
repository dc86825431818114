/* SPDX-License-Identifier: MIT */
/* Numbers of the metadata that a layer has one of. */
#include <math.h>

#include "engine/trace/trace-reader.h"

/* A number for all layers or a list by layer. */
static gboolean
read_by_layer (const EngTraceReader  *self,
               const char            *prefix,
               const EngBlockTrace   *block,
               const char            *name,
               cJSON                **value,
               GError               **error)
{
  int n_layers = block->n_layers;

  if (!eng_trace_reader_read_json (self, prefix, name, value, error))
    return FALSE;
  if (cJSON_IsArray (*value) && cJSON_GetArraySize (*value) != n_layers)
    return eng_trace_reader_refuse (self, ENG_ERROR_SHAPE, error,
                                    "%s%s lists %d, expected a number for each of the %d layers",
                                    prefix, name, cJSON_GetArraySize (*value), n_layers);
  return TRUE;
}

/* 0 where nothing is said, or null. */
static gboolean
read_soft_caps (const EngTraceReader  *self,
                const char            *prefix,
                EngBlockTrace         *block,
                GError               **error)
{
  g_autoptr (cJSON) value = NULL;
  const cJSON *item;

  if (!read_by_layer (self, prefix, block, "soft_cap", &value, error))
    return FALSE;
  item = cJSON_IsArray (value) ? value->child : value;
  for (int layer = 0; layer < block->n_layers && item; layer++) {
    if (cJSON_IsNumber (item) && isfinite (item->valuedouble) && item->valuedouble > 0)
      block->layers[layer].soft_cap = item->valuedouble;
    else if (!cJSON_IsNull (item))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "%ssoft_cap of layer %d is not a number above 0",
                                      prefix, layer);
    item = cJSON_IsArray (value) ? item->next : item;
  }

  return TRUE;
}

/* Null for a layer that is not there. 1/√d where nothing is said. */
static gboolean
read_scales (const EngTraceReader  *self,
             const char            *prefix,
             EngBlockTrace         *block,
             GError               **error)
{
  g_autoptr (cJSON) value = NULL;
  const cJSON *item;

  if (!read_by_layer (self, prefix, block, "scale", &value, error))
    return FALSE;
  item = cJSON_IsArray (value) ? value->child : value;
  for (int layer = 0; layer < block->n_layers; layer++) {
    EngLayerTrace *data = &block->layers[layer];

    if (cJSON_IsNumber (item) && isfinite (item->valuedouble))
      data->scale = item->valuedouble;
    else if (item && !(cJSON_IsNull (item) && !data->attention))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "%sscale of layer %d is not a finite number",
                                      prefix, layer);
    else
      data->scale = block->head_size ? 1 / sqrt (block->head_size) : 1;
    item = cJSON_IsArray (value) ? item->next : item;
  }

  return TRUE;
}

/* Whole numbers above 0, null where there is none. */
static gboolean
read_counts (const EngTraceReader  *self,
             const char            *prefix,
             EngBlockTrace         *block,
             const char            *name,
             gsize                  offset,
             GError               **error)
{
  g_autoptr (cJSON) value = NULL;
  const cJSON *item;

  if (!read_by_layer (self, prefix, block, name, &value, error))
    return FALSE;
  item = cJSON_IsArray (value) ? value->child : value;
  for (int layer = 0; layer < block->n_layers && item; layer++) {
    double number = item->valuedouble;

    if (cJSON_IsNumber (item) && number >= 1 && number <= G_MAXINT && number == floor (number))
      G_STRUCT_MEMBER (int, &block->layers[layer], offset) = (int) number;
    else if (!cJSON_IsNull (item))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "%s%s of layer %d is not a whole number above 0",
                                      prefix, name, layer);
    item = cJSON_IsArray (value) ? item->next : item;
  }

  return TRUE;
}

gboolean
eng_trace_reader_read_layer_numbers (const EngTraceReader  *self,
                                     const char            *prefix,
                                     EngBlockTrace         *block,
                                     GError               **error)
{
  return read_scales (self, prefix, block, error) &&
         read_soft_caps (self, prefix, block, error) &&
         read_counts (self, prefix, block, "window", G_STRUCT_OFFSET (EngLayerTrace, window),
                      error) &&
         read_counts (self, prefix, block, "uses", G_STRUCT_OFFSET (EngLayerTrace, n_uses), error);
}
