/* SPDX-License-Identifier: MIT */
/* What the window says in words below the picture: how to read it, with the exact rule and what is
 * chosen behind a button, and the pass. */
#include "app/parts/status/status.h"

#include <string.h>

#include "ui/controls/popover-words.h"
#include "ui/sentences/sentence-line.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/sinks/text.h"

struct _AppStatusPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiSentenceLine *legend;
  GtkWidget      *rule_button;
  GtkEventController *pointer; /* over it */
  GtkLabel       *rule;
  GtkLabel       *selection_status;
  GtkLabel       *pass_status;
};

G_DEFINE_FINAL_TYPE (AppStatusPart, app_status_part, APP_TYPE_PART)

/* "“cat” (2) pinned", "3 tokens pinned"; NULL when nothing is. */
static char *
describe_pins (AppStatusPart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);
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
append_grid (AppStatusPart *self,
             GString       *status)
{
  static const char *const orders[] = {
    [UI_ORDER_LAYER] = "layer",
    [UI_ORDER_PATTERN] = "pattern",
    [UI_ORDER_ENTROPY] = "entropy",
    [UI_ORDER_TRAFFIC] = "traffic",
  };
  int n_heads = eng_trace_get_n_heads (app_study_get_trace (self->study),
                                       app_picture_get_shown (self->picture)->kind);
  int n_layers = 0;

  for (int layer = 0; layer < eng_trace_get_n_layers (app_study_get_trace (self->study),
                                                      app_picture_get_shown (self->picture)->kind);
       layer++)
    n_layers += eng_trace_has_layer (app_study_get_trace (self->study),
                                     app_picture_get_shown (self->picture)->kind, layer);
  if (app_picture_get_shown (self->picture)->measure == ENG_MEASURE_ROLLOUT) {
    g_string_append_printf (status, "%d layers", n_layers);
    return;
  }
  if (ui_head_set_count (&app_picture_get_shown (self->picture)->heads, n_heads) == 1)
    g_string_append_printf (
      status, "head %d of layer %d, ",
      ui_head_set_first (&app_picture_get_shown (self->picture)->heads, n_heads),
      app_picture_get_shown (self->picture)->layer);
  g_string_append_printf (status, "%d heads by %s", n_layers * n_heads,
                          orders[app_picture_get_shown (self->picture)->order]);
}

/* "layer 2, 3 of 12 heads", "layer 3, head 8", "mean over 6 layers, max of 3 heads",
 * "rollout up to layer 2" */
static void
append_heads (AppStatusPart *self,
              GString       *status)
{
  const UiBlock *block =
    &ui_scene_get_weights (app_picture_get_scene (self->picture))->block;
  int n_heads = eng_trace_get_n_heads (app_study_get_trace (self->study),
                                       app_picture_get_shown (self->picture)->kind);
  int n_shown = ui_head_set_count (&app_picture_get_shown (self->picture)->heads, n_heads);

  if (block->measure == ENG_MEASURE_ROLLOUT) {
    g_string_append_printf (status, "rollout up to layer %d",
                            app_picture_get_shown (self->picture)->layer);
    return;
  }
  if (block->layers == UI_AGGREGATE_EACH)
    g_string_append_printf (status, "layer %d, ", app_picture_get_shown (self->picture)->layer);
  else
    g_string_append_printf (status, "%s over %d layers, ",
                            block->layers == UI_AGGREGATE_MEAN ? "mean" : "max", block->n_layers);
  if (n_shown == 1)
    g_string_append_printf (
      status, "head %d",
      ui_head_set_first (&app_picture_get_shown (self->picture)->heads, n_heads));
  else if (block->is_aggregate)
    g_string_append_printf (status, "%s of %d heads",
                            block->heads == UI_AGGREGATE_MEAN ? "mean" : "max", n_shown);
  else
    g_string_append_printf (status, "%d of %d heads", n_shown, n_heads);
}

static void
append_part (GString    *list,
             const char *part)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", part);
}

/* "minilm, layer 4": what the second side has of its own; "itself" when nothing. The neuron view
 * has one head, the first one of those that were chosen. */
static char *
describe_second (const UiDocument *shown)
{
  const char *source = shown->compare_trace_file != NULL ? shown->compare_trace_file
                                                         : shown->compare_model;
  const gboolean is_run = !ui_document_has_second_trace (shown);
  GString *list = g_string_new (NULL);

  if (source != NULL) {
    g_autofree char *name = g_path_get_basename (source);

    append_part (list, name);
  }
  if (shown->compare_text_a_set && is_run)
    append_part (list, "another text");
  if (shown->compare_edits_set && is_run)
    append_part (list, shown->compare_edits != NULL && shown->compare_edits[0] != NULL
                       ? "other edits" : "the same without edits");
  if (shown->compare_layer_set) {
    g_autofree char *layer = g_strdup_printf ("layer %d", shown->compare_layer);

    append_part (list, layer);
  }
  if (shown->compare_heads_set && ui_view_get (shown->view)->has_one_head) {
    g_autofree char *head =
      g_strdup_printf ("head %d", ui_head_set_first (&shown->compare_heads, UI_MAX_HEADS));

    append_part (list, head);
  } else if (shown->compare_heads_set) {
    g_autofree char *heads = ui_document_get (shown, ui_fields_find ("compare-heads"));
    g_autofree char *part = g_strdup_printf ("heads %s", heads);

    append_part (list, part);
  }
  if (list->len == 0)
    g_string_append (list, "itself");
  return g_string_free (list, FALSE);
}

/* "beside layer 4 of minilm"; NULL where nothing is compared. */
static char *
describe_comparison (AppStatusPart *self)
{
  const UiDocument *shown = app_picture_get_shown (self->picture);
  g_autofree char *second = NULL;

  if (ui_document_has_panels (shown))
    return g_strdup_printf ("%d head%s side by side", shown->panels.n,
                            shown->panels.n == 1 ? "" : "s");
  if (!app_picture_has_sides (self->picture)
      || !ui_document_has_second_side (shown))
    return NULL;

  second = describe_second (shown);
  return g_strdup_printf ("%s %s", shown->compare == UI_COMPARE_SIDES ? "beside" : "minus", second);
}

/* "cross layer 2, 3 of 12 heads · “cat” (2) pinned, Esc unpins" */
static void
update_selection (AppStatusPart *self)
{
  int n_heads = eng_trace_get_n_heads (app_study_get_trace (self->study),
                                       app_picture_get_shown (self->picture)->kind);
  g_autoptr (GString) status = g_string_new (NULL);
  g_autofree char *pins = describe_pins (self);
  g_autofree char *comparison = describe_comparison (self);

  if (ui_describe_has_two_stacks (app_study_get_trace (self->study)))
    g_string_append_printf (status, "%s ",
                            eng_kind_get_name (app_picture_get_shown (self->picture)->kind));
  if (ui_view_get (app_picture_get_shown (self->picture)->view)->has_all_heads)
    append_grid (self, status);
  else if (app_picture_get_shown (self->picture)->compare == UI_COMPARE_HEADS)
    g_string_append (status, comparison);
  else if (ui_view_get (app_picture_get_shown (self->picture)->view)->has_one_head)
    g_string_append_printf (
      status, "layer %d, head %d", app_picture_get_shown (self->picture)->layer,
      ui_head_set_first (&app_picture_get_shown (self->picture)->heads, n_heads));
  else
    append_heads (self, status);
  if (comparison != NULL && app_picture_get_shown (self->picture)->compare != UI_COMPARE_HEADS)
    g_string_append_printf (status, " %s", comparison);
  if (pins != NULL)
    g_string_append_printf (status, " · %s, Esc unpins", pins);

  gtk_label_set_label (self->selection_status, status->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rule_button),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, status->str, -1);
}

/* "15 tokens · 3.1 ms" */
static void
update_pass (AppStatusPart *self)
{
  int n_tokens = eng_trace_get_n_queries (app_study_get_trace (self->study),
                                          app_picture_get_shown (self->picture)->kind);
  g_autoptr (GString) status = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_printf (status, "%d token%s", n_tokens, n_tokens == 1 ? "" : "s");
  if (app_picture_get_shown (self->picture)->kind == ENG_KIND_CROSS)
    g_string_append_printf (
      status, " read %d", eng_trace_get_n_keys (app_study_get_trace (self->study), ENG_KIND_CROSS));
  if (app_study_get_n_uncut (self->study) > 0)
    g_string_append_printf (status, " of %d, the rest is cut off",
                            app_study_get_n_uncut (self->study));
  if (app_study_get_answered (self->study)->trace_file != NULL)
    g_string_append (status, " · trace file");
  else if (app_study_is_complete (self->study))
    g_string_append_printf (
      status, " · %s ms",
      g_ascii_formatd (number, sizeof number, "%.1f", app_study_get_milliseconds (self->study)));

  gtk_label_set_label (self->pass_status, status->str);
}

static void
update_legend (AppStatusPart *self,
               const UiScene *scene)
{
  g_autofree char *plain = ui_scene_explain (scene);
  g_autofree char *words = ui_text_strip_markup (plain);
  g_autofree char *legend = ui_scene_legend (scene);
  g_autofree char *rule = g_strdup_printf ("%s\n%s", words, legend);

  /* What is bold stands at the end, and is what a narrow window says. */
  ui_sentence_line_set (self->legend, plain, strstr (plain, "<b>"));
  gtk_label_set_label (self->rule, rule);
}

/* A table has a caption of its own; how links are read says nothing of it. */
static void
show_legend (AppStatusPart *self)
{
  const gboolean is_shown = !app_desk_shows_table (self->desk);

  gtk_widget_set_visible (GTK_WIDGET (self->legend), is_shown);
  gtk_widget_set_visible (self->rule_button, is_shown);
}

static void
sync_status (AppStatusPart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  show_legend (self);
  if (scene != NULL)
    update_legend (self, scene);
  if (app_picture_get_shown (self->picture) == NULL)
    return;

  update_selection (self);
  update_pass (self);
  ui_popover_words_fit (gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->rule_button)));
}

static void
scene_changed_cb (AppStatusPart *self)
{
  sync_status (self);
}

/* The first control of a popover has the focus, and a label is selected by that. */
static void
rule_opened_cb (AppStatusPart *self)
{
  gtk_label_select_region (self->rule, 0, 0);
}

/* For a pointer that rests there alone: shown to the keys it would lie over what one reads, and over
 * what it has opened. */
static void
allow_tooltip (AppStatusPart *self)
{
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->rule_button));

  gtk_widget_set_has_tooltip (
    self->rule_button,
    gtk_event_controller_motion_contains_pointer (GTK_EVENT_CONTROLLER_MOTION (self->pointer))
    && !gtk_widget_get_visible (GTK_WIDGET (popover)));
}

static void
begin (AppPart *part)
{
  AppStatusPart *self = APP_STATUS_PART (part);
  GtkPopover *popover;

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "status");
  app_part_place (self, "status_line", "foot");
  self->legend = app_part_get_object (self, "legend");
  ui_sentence_line_set_hugs (self->legend, TRUE);
  self->rule_button = app_part_get_object (self, "rule_button");
  popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->rule_button));
  self->pointer = gtk_event_controller_motion_new ();
  gtk_widget_add_controller (self->rule_button, self->pointer);
  g_signal_connect_object (self->pointer, "notify::contains-pointer", G_CALLBACK (allow_tooltip),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (popover, "notify::visible", G_CALLBACK (allow_tooltip), self,
                           G_CONNECT_SWAPPED);
  allow_tooltip (self);
  g_signal_connect_object (popover, "notify::visible", G_CALLBACK (rule_opened_cb), self,
                           G_CONNECT_SWAPPED);
  self->rule = app_part_get_object (self, "rule");
  self->selection_status = app_part_get_object (self, "selection_status");
  self->pass_status = app_part_get_object (self, "pass_status");
  g_signal_connect_object (app_picture_get_view (self->picture), "notify::scene",
                           G_CALLBACK (scene_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
sync_part (AppPart *part)
{
  sync_status (APP_STATUS_PART (part));
}

static void
app_status_part_class_init (AppStatusPartClass *klass)
{
  g_type_ensure (UI_TYPE_SENTENCE_LINE);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_status_part_init (AppStatusPart *self)
{
}
