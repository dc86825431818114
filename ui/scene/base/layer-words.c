/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/layer-words.h"

#include <math.h>

#include "ui/scene/base/scene-private.h"

char *
ui_layer_describe_reach (const EngTrace *trace,
                         EngKind         kind,
                         int             layer)
{
  int window = eng_trace_get_window (trace, kind, layer);

  if (window == 0)
    return NULL;
  return g_strdup_printf ("local: %d token%s", window, window == 1 ? "" : "s");
}

void
ui_layer_append_reach (const UiScene *scene,
                       GString       *text)
{
  g_autofree char *reach = ui_layer_describe_reach (scene->trace, scene->kind, scene->layer);

  if (reach != NULL && scene->weights.block.layers == UI_AGGREGATE_EACH)
    g_string_append_printf (text, " The layer is %s at most, its own among them.", reach);
}

static void
append_window (const UiScene *scene,
               int            window,
               GString       *text)
{
  int n_layers = eng_trace_get_n_layers (scene->trace, scene->kind);
  g_autoptr (GString) list = g_string_new (NULL);
  int n = 0, last = -1;

  for (int layer = 0; layer < n_layers; layer++)
    if (eng_trace_get_window (scene->trace, scene->kind, layer) == window) {
      n++;
      last = layer;
    }
  for (int layer = 0; layer < n_layers && n < n_layers; layer++)
    if (eng_trace_get_window (scene->trace, scene->kind, layer) == window)
      g_string_append_printf (list, "%s%d", list->len == 0 ? " " : layer == last ? " and " : ", ",
                              layer);
  g_string_append_printf (text, " Local: %s%s, a token reads %d at most.",
                          n == n_layers ? "all layers" : n == 1 ? "layer" : "layers", list->str,
                          window);
}

void
ui_layer_append_all_reaches (const UiScene *scene,
                             GString       *text)
{
  int n_layers = eng_trace_get_n_layers (scene->trace, scene->kind);

  for (int layer = 0; layer < n_layers; layer++) {
    int window = eng_trace_get_window (scene->trace, scene->kind, layer);
    int first = 0;

    while (eng_trace_get_window (scene->trace, scene->kind, first) != window)
      first++;
    if (window > 0 && first == layer)
      append_window (scene, window, text);
  }
}

char *
ui_layer_describe_sharing (const EngTrace *trace,
                           EngKind         kind)
{
  int n_layers = eng_trace_get_n_layers (trace, kind);
  int n_uses = eng_trace_get_n_uses (trace, kind, 0);
  gboolean is_even = TRUE;
  double n_sets = 0;
  g_autofree char *number = NULL;

  for (int layer = 0; layer < n_layers; layer++) {
    n_sets += 1.0 / eng_trace_get_n_uses (trace, kind, layer);
    is_even &= eng_trace_get_n_uses (trace, kind, layer) == n_uses;
  }
  if (is_even && n_uses == 1)
    return g_strdup ("");
  number = lround (n_sets) == 1 ? g_strdup ("one") : g_strdup_printf ("%ld", lround (n_sets));
  if (!is_even)
    return g_strdup_printf (" (%s, some read several times)", number);
  return g_strdup_printf (" (%s, read %d times)", number, n_uses);
}
