/* SPDX-License-Identifier: MIT */
#include "ui/inspector/inspector-private.h"

#include <math.h>

#include "engine/trace/measure.h"
#include "ui/boxes/tall-box.h"
#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/document/amount.h"
#include "ui/inspector/head-overview.h"
#include "ui/inspector/head-panel.h"
#include "ui/lists/change-list.h"
#include "ui/lists/head-note.h"
#include "ui/lists/prediction-list.h"
#include "ui/lists/reading-list.h"
#include "ui/lists/side-list.h"
#include "ui/scene/base/readings.h"
#include "ui/scene/views/panels.h"

#define WIDTH 288
#define N_LINKS 5
#define LIGHT (1 << 19) /* weights whose strongest are found within a frame */
#define SHORTEST_FULL_BAR 0.05 /* of the unit: noise is not drawn large */

G_DEFINE_FINAL_TYPE (UiInspector, ui_inspector, GTK_TYPE_WIDGET)

/* Value of a whole bar: a round number that the strongest one fits in, so that it can be said. */
static double
find_full_bar (const UiWeights *weights,
               GArray          *reads,
               GArray          *is_read_by)
{
  double strongest = SHORTEST_FULL_BAR * weights->block.unit;

  if (reads->len > 0)
    strongest = MAX (strongest, g_array_index (reads, UiReading, 0).weight);
  if (is_read_by->len > 0)
    strongest = MAX (strongest, g_array_index (is_read_by, UiReading, 0).weight);

  return ui_amount_round_up (strongest);
}

static void
take_text (GtkWidget *label,
           char      *text)
{
  ui_steady_label_take_text (UI_STEADY_LABEL (label), text);
}

/* "Sum of the pinned tokens “cat” (2) and “sat” (3)"; NULL for one that reads and one that is read,
 * which are a link. */
static char *
describe_sum_of_pins (const UiSceneFacts *facts,
                      const char         *noun)
{
  const UiPins *pins = &facts->document->pins;
  gboolean key = pins->n_queries < 2;
  g_autofree char *nouns = g_strdup_printf ("%ss", noun);
  char *sum = ui_describe_sum (key ? facts->keys : facts->queries,
                               key ? pins->keys : pins->queries,
                               key ? pins->n_keys : pins->n_queries, nouns);

  if (sum != NULL)
    *sum = g_ascii_toupper (*sum);
  return sum;
}

/* NULL for what the vocabulary has. (transfer full) */
static char *
describe_unknown (const EngTokens *tokens,
                  int              token)
{
  g_autofree char *typed = tokens->typed[token] != NULL
                           ? ui_describe_quoted (tokens->typed[token]) : NULL;

  return typed != NULL
         ? g_strdup_printf ("%s is not in the vocabulary: the model reads %s, as for every such "
                            "word", typed, tokens->texts[token])
         : NULL;
}

/* One that reads and one that is read. */
static gboolean
is_link (const UiPins *pins)
{
  return pins->n_queries == 1 && pins->n_keys == 1;
}

static void
show_title (UiInspector             *self,
            const UiSceneFacts      *facts,
            const UiInspectorChoice *choice)
{
  const UiPins *pins = &facts->document->pins;
  const EngTokens *tokens = choice->is_key ? facts->keys : facts->queries;
  const char *noun = ui_describe_has_words (facts->weights) ? "word" : "token";
  int n_pinned = pins->n_queries + pins->n_keys;
  g_autofree char *values = ui_describe_values (self->part, TRUE);
  g_autofree char *piece = NULL;
  g_autofree char *unknown = NULL;

  if (choice->token >= 0) {
    const char *sentence = ui_describe_sentence (facts->trace, tokens, choice->token);

    take_text (self->title, ui_words_title (tokens, choice->token, noun, sentence));
    piece = ui_describe_piece (tokens, choice->token);
  } else if (is_link (pins)) {
    take_text (self->title, ui_words_link (facts->queries, pins->queries[0], facts->keys,
                                           pins->keys[0]));
  } else {
    char *sum = describe_sum_of_pins (facts, noun);

    take_text (self->title, sum != NULL ? sum : g_strdup_printf ("%d %ss pinned", n_pinned, noun));
  }

  unknown = choice->token >= 0 ? describe_unknown (tokens, choice->token) : NULL;
  take_text (self->subtitle, g_strconcat (values, piece != NULL ? "\npiece " : "",
                                          piece != NULL ? piece : "",
                                          unknown != NULL ? "\n" : NULL, unknown, NULL));
}

/* Norms sum to 1 by chance alone. */
static gboolean
is_distribution (const UiWeights *weights,
                 double           sum)
{
  return fabs (sum - 1) < 0.005
         && (weights->block.measure == ENG_MEASURE_WEIGHT
             || weights->block.measure == ENG_MEASURE_ROLLOUT || weights->row_scale != NULL);
}

static char *
describe_sum (const UiWeights *weights,
              double           sum)
{
  g_autofree char *number = ui_describe_value (weights, sum);

  if (weights->block.measure == ENG_MEASURE_WEIGHT && sum < 1)
    return g_strdup_printf ("%s of the row is shown", number);
  return g_strdup_printf ("%s (%s)", number, ui_describe_measure (weights));
}

/* Entropy of the mean row of one token, where that is a distribution; else its sum. */
static void
show_entropy (UiInspector        *self,
              const UiSceneFacts *facts,
              GArray             *reads,
              gboolean            is_one_row)
{
  g_autofree float *weights = g_new (float, MAX (1, reads->len));
  g_autofree char *bits = NULL;
  g_autofree char *most = NULL;
  double sum = 0;

  gtk_widget_set_visible (self->entropy_box, is_one_row && reads->len > 0);
  if (!is_one_row || reads->len == 0)
    return;

  for (guint i = 0; i < reads->len; i++) {
    weights[i] = (float) g_array_index (reads, UiReading, i).weight;
    sum += weights[i];
  }
  bits = ui_words_number ("%.2f", eng_measure_entropy (weights, reads->len));
  most = ui_words_number ("%.2f", log2 (reads->len));
  gtk_label_set_text (GTK_LABEL (self->entropy_heading),
                      is_distribution (facts->weights, sum) ? "Entropy of what it reads"
                                                            : "Sum of what it reads");
  take_text (self->entropy, is_distribution (facts->weights, sum)
                            ? g_strdup_printf ("%s bits of at most %s", bits, most)
                            : describe_sum (facts->weights, sum));
}

/* Whether what is pointed at is a link of one head between the two tokens that are pinned. */
static gboolean
has_head_of_link (const UiInspector *self,
                  const UiPins      *pins)
{
  return self->item.type == UI_ITEM_LINK && is_link (pins)
         && self->item.query == pins->queries[0] && self->item.key == pins->keys[0];
}

/* Of the head whose link it is, else of the one that has most of it. */
static void
show_link_in_words (UiInspector        *self,
                    const UiSceneFacts *facts,
                    GArray             *reads)
{
  const UiPins *pins = &facts->document->pins;
  const float *per_head = NULL;
  int best = facts->weights->heads[0];

  for (guint i = 0; i < reads->len; i++)
    if (g_array_index (reads, UiReading, i).token == pins->keys[0])
      per_head = g_array_index (reads, UiReading, i).per_head;
  for (int i = 1; per_head != NULL && i < facts->weights->n_heads; i++)
    if (per_head[facts->weights->heads[i]] > per_head[best])
      best = facts->weights->heads[i];
  if (has_head_of_link (self, pins))
    best = self->item.head;
  gtk_widget_set_visible (self->words_box, per_head != NULL);
  if (per_head != NULL)
    take_text (self->words, ui_describe_link (self->part, best, pins->queries[0], pins->keys[0]));
}

/* The link or cell that is pointed at, else the strongest one of the lists, as a sentence. */
static void
show_words (UiInspector             *self,
            const UiSceneFacts      *facts,
            const UiInspectorChoice *choice,
            GArray                  *readings,
            gboolean                 reads)
{
  int best_head = -1, best_token = 0;
  float best = 0;

  if (self->item.type == UI_ITEM_LINK && ui_pins_is_empty (&facts->document->pins)) {
    gtk_widget_set_visible (self->words_box, TRUE);
    take_text (self->words, ui_scene_describe (self->part, &self->item));
    return;
  }
  if (reads && is_link (&facts->document->pins)) {
    show_link_in_words (self, facts, readings);
    return;
  }

  for (guint i = 0; i < readings->len; i++) {
    const UiReading *reading = &g_array_index (readings, UiReading, i);

    for (int head = 0; head < facts->weights->attention->n_heads; head++)
      if (reading->per_head[head] > best) {
        best = reading->per_head[head];
        best_head = head;
        best_token = reading->token;
      }
  }

  gtk_widget_set_visible (self->words_box, choice->token >= 0 && best_head >= 0);
  if (choice->token >= 0 && best_head >= 0)
    take_text (self->words,
               reads ? ui_describe_link (self->part, best_head, choice->token, best_token)
                     : ui_describe_link (self->part, best_head, best_token, choice->token));
}

/* Why both lists are empty: what a filter leaves out, padding, or what a mask hides. */
static void
show_nothing (UiInspector             *self,
              const UiInspectorChoice *choice,
              gboolean                 is_nothing)
{
  gtk_widget_set_visible (self->nothing, is_nothing);
  if (is_nothing)
    take_text (self->nothing, choice->token >= 0
                              ? ui_describe_reader (self->part, choice->is_key, choice->token)
                              : g_strdup ("No link of these tokens is shown."));
}

static void
show_lists (UiInspector             *self,
            const UiSceneFacts      *facts,
            const UiInspectorChoice *choice)
{
  g_autoptr (GArray) reads = ui_readings_new (self->part, &choice->as_queries, TRUE);
  g_autoptr (GArray) is_read_by = ui_readings_new (self->part, &choice->as_keys, FALSE);
  const double full = find_full_bar (facts->weights, reads, is_read_by);
  const gboolean prefers_reads = !choice->is_key && reads->len > 0;
  const gboolean has_pair = !ui_describe_has_two_stacks (facts->trace);

  show_title (self, facts, choice);
  show_nothing (self, choice, reads->len + is_read_by->len == 0);
  gtk_widget_set_visible (self->reads, reads->len > 0);
  gtk_widget_set_visible (self->is_read_by, is_read_by->len > 0);
  ui_reading_list_set (UI_READING_LIST (self->reads), reads, facts->weights, facts->keys, full,
                       has_pair, self->theme);
  ui_reading_list_set (UI_READING_LIST (self->is_read_by), is_read_by, facts->weights,
                       facts->queries, full, has_pair, self->theme);
  show_entropy (self, facts, reads, choice->as_queries.n_queries == 1);
  show_words (self, facts, choice, prefers_reads ? reads : is_read_by, prefers_reads);
}

/* Of a grid of heads. */
static gboolean
show_head (UiInspector *self)
{
  gboolean is_grid = self->part != NULL
                     && ui_view_get (ui_scene_get_document (self->part)->view)->has_all_heads;

  gtk_widget_set_visible (self->head_panel, is_grid);
  if (is_grid)
    ui_head_panel_set (UI_HEAD_PANEL (self->head_panel), self->part,
                       self->selected.type == UI_ITEM_HEAD ? &self->selected : &self->item,
                       self->theme);
  return is_grid;
}

/* What is pointed at, else what is pinned. */
static void
show_sides (UiInspector *self)
{
  UiItem item = self->item;
  const UiPins *pins = self->scene != NULL ? &ui_scene_get_document (self->scene)->pins : NULL;

  if (item.type == UI_ITEM_NONE && pins != NULL && !ui_pins_is_empty (pins))
    item = (UiItem) {
      .type = pins->n_queries > 0 ? UI_ITEM_QUERY : UI_ITEM_KEY,
      .query = pins->n_queries > 0 ? pins->queries[0] : 0,
      .key = pins->n_queries == 0 ? pins->keys[0] : 0,
    };
  ui_side_list_set (UI_SIDE_LIST (self->sides), self->scene, &item, self->theme);
}

/* Of the one head that is drawn, looked for once. */
static void
find_links (UiInspector        *self,
            const UiSceneFacts *facts)
{
  const UiWeights *weights = facts->weights;
  g_autoptr (GArray) links = NULL;
  double full = SHORTEST_FULL_BAR * weights->block.unit;

  if (self->links_of == self->part && self->links_theme == self->theme)
    return;
  self->links_of = self->part;
  self->links_theme = self->theme;
  links = ui_readings_find_strongest (self->part, N_LINKS);
  if (links->len > 0)
    full = ui_amount_round_up (MAX (full, g_array_index (links, UiLinkReading, 0).weight));
  ui_reading_list_set_links (UI_READING_LIST (self->strongest), links, weights, facts->queries,
                             facts->keys, full, !ui_describe_has_two_stacks (facts->trace),
                             self->theme);
  self->has_links = links->len > 0;
}

/* What is drawn, where nothing of it is chosen. */
static void
show_overview (UiInspector *self,
               gboolean     is_shown)
{
  UiScene *scene = self->scene != NULL && ui_panels_count_heads (self->scene) > 1 ? self->scene
                                                                                  : self->part;
  gboolean has_links = FALSE;
  UiSceneFacts facts;

  if (is_shown && scene != NULL) {
    ui_scene_facts_init (&facts, scene);
    /* Steps are those of one token: its way stands there, not the head's links. */
    has_links = !ui_head_overview_has_rows (scene) && !ui_view_get (facts.document->view)->has_steps
                && (gint64) facts.weights->attention->n_queries * facts.weights->attention->n_keys
                   <= LIGHT;
    if (has_links)
      find_links (self, &facts);
    has_links = has_links && self->has_links;
  }
  ui_head_overview_set (UI_HEAD_OVERVIEW (self->overview), scene, is_shown, self->theme);
  gtk_widget_set_visible (self->strongest, has_links);
  gtk_widget_set_visible (self->empty, is_shown);
}

/* Another subject begins at the top; of the same one a person reads on. */
static void
follow_subject (UiInspector             *self,
                const UiInspectorChoice *choice)
{
  UiItem subject;

  if (self->part == NULL)
    return;
  subject = ui_inspector_find_subject (self, choice);
  if (subject.type != self->subject.type || subject.layer != self->subject.layer
      || subject.head != self->subject.head || subject.query != self->subject.query
      || subject.key != self->subject.key)
    gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
  self->subject = subject;
}

static void
update (UiInspector *self)
{
  UiSceneFacts facts;
  UiInspectorChoice choice = { 0 };
  gboolean is_chosen = FALSE, is_model, is_overview;

  self->part = self->scene != NULL ? ui_scene_get_part (self->scene, &self->item) : NULL;
  is_model = show_head (self);
  show_sides (self);
  if (self->part != NULL && !is_model) {
    ui_scene_facts_init (&facts, self->part);
    ui_inspector_choose (&facts, &self->item, &choice);
    is_chosen = choice.as_queries.n_queries + choice.as_keys.n_keys > 0;
  }

  follow_subject (self, is_chosen ? &choice : NULL);
  is_overview = !is_chosen && !is_model && !gtk_widget_get_visible (self->sides_panel);
  show_overview (self, is_overview);
  ui_head_note_set (UI_HEAD_NOTE (self->head_note), is_chosen ? self->part : NULL, &self->item);
  gtk_widget_set_visible (self->title, is_chosen);
  gtk_widget_set_visible (self->subtitle, is_chosen);
  gtk_widget_set_visible (gtk_widget_get_parent (self->title),
                          is_chosen || is_model || is_overview);
  if (is_chosen) {
    ui_inspector_show_check (self, &facts);
    show_lists (self, &facts, &choice);
    ui_inspector_sync_rows (self, &choice);
    return;
  }

  gtk_widget_set_visible (self->check, FALSE);
  gtk_widget_set_visible (self->wrong, FALSE);
  gtk_widget_set_visible (self->nothing, FALSE);
  gtk_widget_set_visible (self->reads, FALSE);
  gtk_widget_set_visible (self->is_read_by, FALSE);
  gtk_widget_set_visible (self->entropy_box, FALSE);
  gtk_widget_set_visible (self->words_box, FALSE);
  ui_inspector_sync_rows (self, NULL);
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       unused)
{
  UI_INSPECTOR (widget)->tick = 0;
  update (UI_INSPECTOR (widget));
  return G_SOURCE_REMOVE;
}

/* However fast the pointer moves, the numbers are laid out once a frame. */
static void
queue_update (UiInspector *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
ui_inspector_dispose (GObject *object)
{
  UiInspector *self = UI_INSPECTOR (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->held_back, gtk_widget_unparent);
  g_clear_pointer (&self->scene, ui_scene_unref);
  G_OBJECT_CLASS (ui_inspector_parent_class)->dispose (object);
}

static void
ui_inspector_class_init (UiInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_inspector_dispose;
  ui_inspector_class_init_rows (klass);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
  gtk_widget_class_set_css_name (widget_class, "inspector");
}

static void
ui_inspector_init (UiInspector *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Inspector",
                                  -1);
  self->content = ui_tall_box_new (ui_inspector_build (self));
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                 "hscrollbar-policy", GTK_POLICY_NEVER,
                                 "width-request", WIDTH,
                                 "child", self->content,
                                 NULL);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_widget_set_parent (self->held_back, GTK_WIDGET (self));
  ui_inspector_init_rows (self);
  update (self);
}

GtkWidget *
ui_inspector_new (void)
{
  return g_object_new (UI_TYPE_INSPECTOR, NULL);
}

void
ui_inspector_set_scene (UiInspector *self,
                        UiScene     *scene)
{
  UiRect rect;

  g_return_if_fail (UI_IS_INSPECTOR (self));

  if (scene != NULL)
    ui_scene_ref (scene);
  g_clear_pointer (&self->scene, ui_scene_unref);
  self->scene = scene;
  self->links_of = NULL;
  if (scene == NULL || !ui_scene_get_rect (scene, &self->item, &rect))
    self->item = (UiItem) { .type = UI_ITEM_NONE };

  ui_inspector_show_sides_panel (self);
  /* Not at the next frame: a reader of the widgets finds the numbers of the scene that was set. */
  update (self);
}

void
ui_inspector_set_item (UiInspector  *self,
                       const UiItem *item)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  self->item = item != NULL && !ui_item_is_of_way (item->type)
               ? *item : (UiItem) { .type = UI_ITEM_NONE };
  queue_update (self);
}

void
ui_inspector_set_selected (UiInspector  *self,
                           const UiItem *head)
{
  const UiItem none = { .type = UI_ITEM_NONE };

  g_return_if_fail (UI_IS_INSPECTOR (self));

  if (head == NULL)
    head = &none;
  if (head->type == self->selected.type && head->layer == self->selected.layer
      && head->head == self->selected.head)
    return;

  self->selected = *head;
  queue_update (self);
}

void
ui_inspector_set_head_open (UiInspector *self,
                            gboolean     is_open)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  ui_head_panel_set_open (UI_HEAD_PANEL (self->head_panel), is_open);
  queue_update (self);
}

void
ui_inspector_set_predictions (UiInspector *self,
                              EngTask      task,
                              GArray      *predictions)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  ui_prediction_list_set (UI_PREDICTION_LIST (self->predictions), task, predictions);
  ui_inspector_show_first_side (self);
}

void
ui_inspector_set_changes (UiInspector *self,
                          GArray      *tasks,
                          GArray      *tokens,
                          EngTokens   *names,
                          const char  *note)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  ui_change_list_set (UI_CHANGE_LIST (self->changes), tasks, tokens, names, note);
  ui_prediction_list_leave_out (UI_PREDICTION_LIST (self->predictions), tasks);
  ui_inspector_show_first_side (self);
}

void
ui_inspector_set_theme (UiInspector *self,
                        UiTheme      theme)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  if (theme == self->theme)
    return;

  self->theme = theme;
  ui_change_list_set_theme (UI_CHANGE_LIST (self->changes), theme);
  ui_prediction_list_set_theme (UI_PREDICTION_LIST (self->predictions), theme);
  ui_inspector_show_sides_panel (self);
  update (self);
}
