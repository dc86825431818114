/* SPDX-License-Identifier: MIT */
#include "app/window-private.h"

#include <string.h>

#include "ui/scene/describe.h"

#define TOAST_WIDTH_CHARS 90

/* Errors begin in lower case, as behind "headlight: "; alone they are a sentence. A first word that
 * is a name (a file, a model) is left as it is. */
static char *
begin_sentence (const char *text)
{
  gsize length = strcspn (text, " ");

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_islower (text[i]))
      return g_strdup (text);

  return g_strdup_printf ("%c%s", g_ascii_toupper (text[0]), text + MIN (length, 1));
}

/* A refused text must not move the picture, so a notice lies on top of it. */
void
app_window_set_notice (AppWindow  *self,
                       const char *sentence,
                       gboolean    offer_truncate)
{
  if (sentence != NULL) {
    g_autofree char *text = begin_sentence (sentence);
    g_autofree char *notice = g_strconcat (text, offer_truncate ? "; Truncate cuts it" : "",
                                           NULL);

    gtk_label_set_label (self->notice, notice);
  }
  gtk_widget_set_visible (self->truncate_button, offer_truncate);
  gtk_revealer_set_reveal_child (self->notice_revealer, sentence != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->notice_revealer), sentence != NULL);
}

void
app_window_toast (AppWindow  *self,
                  const char *sentence)
{
  g_autofree char *text = begin_sentence (sentence);
  AdwToast *toast;

  /* The window was closed while a figure was still being written. */
  if (self->toasts == NULL) {
    g_printerr ("headlight-window: %s\n", sentence);
    return;
  }

  /* A toast's own title is one line that is cut off; sentences with paths are longer. */
  toast = adw_toast_new ("");
  adw_toast_set_custom_title (toast, g_object_new (GTK_TYPE_LABEL,
                                                   "label", text,
                                                   "wrap", TRUE,
                                                   "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                                   "max-width-chars", TOAST_WIDTH_CHARS,
                                                   "xalign", 0.0f,
                                                   NULL));
  app_window_add_toast (self, toast);
}

/* "“cat” (2) pinned", "3 tokens pinned"; NULL when nothing is. */
static char *
describe_pins (AppWindow *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  const UiWeights *weights;
  const UiPins *pins;
  const EngTokens *tokens;
  g_autofree char *name = NULL;
  int token;

  if (scene == NULL || ui_pins_is_empty (&ui_scene_get_document (scene)->pins))
    return NULL;
  weights = ui_scene_get_weights (scene);
  pins = &ui_scene_get_document (scene)->pins;
  if (pins->n_queries + pins->n_keys > 1)
    return g_strdup_printf ("%d %s pinned", pins->n_queries + pins->n_keys,
                            ui_describe_has_words (weights) ? "words" : "tokens");

  tokens = pins->n_queries > 0 ? weights->block.queries : weights->block.keys;
  token = pins->n_queries > 0 ? pins->queries[0] : pins->keys[0];
  name = ui_describe_token (tokens, token);
  return g_strdup_printf ("%s pinned", name);
}

/* "72 heads by pattern", "head 9 of layer 2, 72 heads by layer", "6 layers" */
static void
append_grid (AppWindow *self,
             GString   *status)
{
  static const char *const orders[] = {
    [UI_ORDER_LAYER] = "layer",
    [UI_ORDER_PATTERN] = "pattern",
    [UI_ORDER_ENTROPY] = "entropy",
    [UI_ORDER_TRAFFIC] = "traffic",
  };
  int n_heads = eng_trace_get_n_heads (self->trace, self->shown->kind);
  int n_layers = 0;

  for (int layer = 0; layer < eng_trace_get_n_layers (self->trace, self->shown->kind); layer++)
    n_layers += eng_trace_has_layer (self->trace, self->shown->kind, layer);
  if (self->shown->measure == ENG_MEASURE_ROLLOUT) {
    g_string_append_printf (status, "%d layers", n_layers);
    return;
  }
  if (ui_head_set_count (&self->shown->heads, n_heads) == 1)
    g_string_append_printf (status, "head %d of layer %d, ",
                            ui_head_set_first (&self->shown->heads, n_heads), self->shown->layer);
  g_string_append_printf (status, "%d heads by %s", n_layers * n_heads,
                          orders[self->shown->order]);
}

/* "layer 2, 3 of 12 heads", "layer 3, head 8", "mean over 6 layers, max of 3 heads",
 * "rollout up to layer 2" */
static void
append_heads (AppWindow *self,
              GString   *status)
{
  const UiBlock *block =
    &ui_scene_get_weights (ui_scene_view_get_scene (self->scene_view))->block;
  int n_heads = eng_trace_get_n_heads (self->trace, self->shown->kind);
  int n_shown = ui_head_set_count (&self->shown->heads, n_heads);

  if (block->measure == ENG_MEASURE_ROLLOUT) {
    g_string_append_printf (status, "rollout up to layer %d", self->shown->layer);
    return;
  }
  if (block->layers == UI_AGGREGATE_EACH)
    g_string_append_printf (status, "layer %d, ", self->shown->layer);
  else
    g_string_append_printf (status, "%s over %d layers, ",
                            block->layers == UI_AGGREGATE_MEAN ? "mean" : "max", block->n_layers);
  if (n_shown == 1)
    g_string_append_printf (status, "head %d", ui_head_set_first (&self->shown->heads, n_heads));
  else if (block->is_aggregate)
    g_string_append_printf (status, "%s of %d heads",
                            block->heads == UI_AGGREGATE_MEAN ? "mean" : "max", n_shown);
  else
    g_string_append_printf (status, "%d of %d heads", n_shown, n_heads);
}

/* "cross layer 2, 3 of 12 heads · “cat” (2) pinned, Esc unpins" */
static void
update_selection (AppWindow *self)
{
  int n_heads = eng_trace_get_n_heads (self->trace, self->shown->kind);
  g_autoptr (GString) status = g_string_new (NULL);
  g_autofree char *pins = describe_pins (self);
  g_autofree char *comparison = app_window_describe_comparison (self);

  if (ui_describe_has_two_stacks (self->trace))
    g_string_append_printf (status, "%s ", eng_kind_get_name (self->shown->kind));
  if (self->shown->view == UI_VIEW_MODEL)
    append_grid (self, status);
  else if (self->shown->compare == UI_COMPARE_HEADS)
    g_string_append (status, comparison);
  else if (self->shown->view == UI_VIEW_NEURON)
    g_string_append_printf (status, "layer %d, head %d", self->shown->layer,
                            ui_head_set_first (&self->shown->heads, n_heads));
  else
    append_heads (self, status);
  if (comparison != NULL && self->shown->compare != UI_COMPARE_HEADS)
    g_string_append_printf (status, " %s", comparison);
  if (pins != NULL)
    g_string_append_printf (status, " · %s, Esc unpins", pins);

  gtk_label_set_label (self->selection_status, status->str);
}

/* "15 tokens · 3.1 ms" */
static void
update_pass (AppWindow *self)
{
  int n_tokens = eng_trace_get_n_queries (self->trace, self->shown->kind);
  g_autoptr (GString) status = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_printf (status, "%d token%s", n_tokens, n_tokens == 1 ? "" : "s");
  if (self->shown->kind == ENG_KIND_CROSS)
    g_string_append_printf (status, " read %d", eng_trace_get_n_keys (self->trace,
                                                                      ENG_KIND_CROSS));
  if (self->n_uncut > 0)
    g_string_append_printf (status, " of %d, the rest is cut off", self->n_uncut);
  if (self->answered->trace_file != NULL)
    g_string_append (status, " · trace file");
  else if (self->complete)
    g_string_append_printf (status, " · %s ms",
                            g_ascii_formatd (number, sizeof number, "%.1f", self->milliseconds));

  gtk_label_set_label (self->pass_status, status->str);
}

void
app_window_update_status (AppWindow *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  g_autofree char *legend = scene != NULL ? ui_scene_legend (scene) : NULL;

  gtk_label_set_label (self->legend, legend != NULL ? legend : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->legend), legend);
  if (self->shown == NULL)
    return;

  update_selection (self);
  update_pass (self);
}
