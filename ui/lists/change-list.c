/* SPDX-License-Identifier: MIT */
#include "ui/lists/change-list.h"

#include <math.h>

#include "ui/controls/bar-row.h"
#include "ui/controls/words.h"
#include "ui/document/amount.h"
#include "ui/document/bidi.h"
#include "ui/lists/change-row.h"
#include "ui/scene/sinks/text.h"

#define SMALLEST_FULL 0.01 /* of a probability: noise is not drawn large */
#define N_TOKENS 10
#define GROUP_GAP 12
#define N_BEST 5           /* ranks from here on are not among the best */

struct _UiChangeList {
  GtkWidget  parent_instance;

  GtkWidget *box;
  GArray    *tasks;
  GArray    *tokens;
  EngTokens *names;
  char      *note;
  gboolean   of_sides; /* after is This, before is Other */
  UiTheme    theme;
};

G_DEFINE_FINAL_TYPE (UiChangeList, ui_change_list, GTK_TYPE_WIDGET)

static const char *const task_titles[ENG_N_TASKS] = {
  [ENG_TASK_FILL_MASK] = "Masked word",
  [ENG_TASK_NEXT_SENTENCE] = "Sentence pair",
  [ENG_TASK_SENTENCE_ORDER] = "Sentence order",
  [ENG_TASK_TEXT_CLASSIFICATION] = "Text classification",
  [ENG_TASK_ENTITIES] = "Tag",
  [ENG_TASK_REPLACED_TOKENS] = "Replaced?",
  [ENG_TASK_QUESTION_ANSWERING] = "Answer",
  [ENG_TASK_LANGUAGE_MODEL] = "Next token",
};

static char *
describe_place (const EngTaskChange *change)
{
  const char *title = task_titles[change->task];

  if (change->position < 0 || change->task == ENG_TASK_NEXT_SENTENCE)
    return g_strdup (title);
  return g_strdup_printf ("%s %s token %d", title,
                          change->task == ENG_TASK_LANGUAGE_MODEL ? "after" : "for",
                          change->position);
}

static char *
describe_divergence (double divergence)
{
  return divergence > 0 && divergence < 0.0005 ? g_strdup ("<0.001")
                                               : ui_words_number ("%.3f", divergence);
}

static double
get_change (const EngTaskMove *move)
{
  return move->move.after - move->move.before;
}

/* "▲2": two ranks better. */
static char *
describe_move (const EngPredictionMove *move)
{
  if (move->rank_after == move->rank_before)
    return g_strdup ("");
  if (move->rank_before >= N_BEST && move->rank_after < N_BEST)
    return g_strdup ("new");
  if (move->rank_before < N_BEST && move->rank_after >= N_BEST)
    return g_strdup ("out");
  if (move->rank_after < move->rank_before)
    return g_strdup_printf ("▲%d", move->rank_before - move->rank_after);
  return g_strdup_printf ("▼%d", move->rank_after - move->rank_before);
}

static void
append_move (UiChangeList      *self,
             const EngTaskMove *move,
             double             full)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const double difference = get_change (move);
  g_autofree char *name = ui_text_make_visible (move->name);
  g_autofree char *before = ui_describe_weight (move->move.before);
  g_autofree char *after = ui_describe_weight (move->move.after);
  g_autofree char *change = ui_words_change (difference);
  g_autofree char *number = ui_words_number ("%+.4f", difference);
  g_autofree char *precise = difference != 0 ? g_strdup_printf ("change %s", number)
                                             : ui_words_change (difference);
  g_autofree char *rank = describe_move (&move->move);
  g_autofree char *quoted = ui_bidi_quote (name);
  g_autofree char *sentence =
    self->of_sides
    ? g_strdup_printf ("%s: probability %s in This, %s in Other, %s; rank %d in This, %d in Other",
                       quoted, after, before, precise, move->move.rank_after + 1,
                       move->move.rank_before + 1)
    : g_strdup_printf ("%s: probability %s before, %s after, %s; rank %d before, %d after",
                       quoted, before, after, precise, move->move.rank_before + 1,
                       move->move.rank_after + 1);
  const UiChangeRowTexts texts = {
    name, before, after, change, rank, self->of_sides, sentence, difference, full,
    difference < 0 ? palette->negative : palette->positive,
  };
  GtkWidget *row = ui_change_row_new ();

  ui_change_row_set (UI_CHANGE_ROW (row), &texts);
  gtk_box_append (GTK_BOX (self->box), row);
}

/* A group stands apart from the one above it. */
static void
append_heading (UiChangeList *self,
                const char   *title)
{
  GtkWidget *label = ui_words_label_new (title, "heading");

  if (gtk_widget_get_first_child (self->box) != NULL)
    gtk_widget_set_margin_top (label, GROUP_GAP);
  gtk_box_append (GTK_BOX (self->box), label);
}

static void
append_task (UiChangeList        *self,
             const EngTaskChange *change)
{
  g_autofree char *title = describe_place (change);
  g_autofree char *divergence = describe_divergence (change->divergence);
  g_autofree char *subtitle =
    g_strdup_printf ("%s, change\nKL divergence %s bits",
                     self->of_sides ? "This, Other" : "Before, after", divergence);
  GtkWidget *label = ui_words_label_new (subtitle, "dim-label");
  double full = SMALLEST_FULL;

  for (guint i = 0; i < change->moves->len; i++)
    full = MAX (full, fabs (get_change (&g_array_index (change->moves, EngTaskMove, i))));

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_tooltip_text (label,
                               self->of_sides
                               ? "KL (Other ‖ This) = Σ p log₂ (p / q) over all classes;\n"
                                 "p: probability in Other, q: in This"
                               : "KL (before ‖ after) = Σ p log₂ (p / q) over all classes;\n"
                                 "p: probability before the edits, q: with them");
  append_heading (self, title);
  gtk_box_append (GTK_BOX (self->box), label);
  for (guint i = 0; i < change->moves->len; i++)
    append_move (self, &g_array_index (change->moves, EngTaskMove, i), full);
}

static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  const double first = ((const EngTokenChange *) a)->change;
  const double second = ((const EngTokenChange *) b)->change;

  return (first < second) - (first > second);
}

static void
append_token (UiChangeList         *self,
              const EngTokenChange *change,
              double                full)
{
  const UiBarPart part = { change->change, ui_palette_get (self->theme)->accent };
  g_autofree char *name = ui_words_place (self->names, change->token);
  g_autofree char *brief = ui_words_brief_place (self->names, change->token);
  g_autofree char *number = ui_words_number ("%.3f", change->change);
  g_autofree char *token = ui_describe_token (self->names, change->token);
  g_autofree char *sentence =
    g_strdup_printf ("The last hidden state of %s moves by %s of its length", token, number);
  GtkWidget *row = ui_bar_row_new ();

  ui_bar_row_set_brief (UI_BAR_ROW (row), brief);
  ui_bar_row_set (UI_BAR_ROW (row), name, number, sentence);
  ui_bar_row_set_parts (UI_BAR_ROW (row), &part, 1, 0, full);
  gtk_box_append (GTK_BOX (self->box), row);
}

static void
append_tokens (UiChangeList *self)
{
  g_autoptr (GArray) sorted = g_array_copy (self->tokens);
  const guint n = MIN (sorted->len, N_TOKENS);
  g_autofree char *subtitle = n < sorted->len
                              ? g_strdup_printf ("‖Δh‖ / ‖h‖, the %u largest of %u", n, sorted->len)
                              : g_strdup ("‖Δh‖ / ‖h‖ of each token");
  GtkWidget *label = ui_words_label_new (subtitle, "dim-label");

  g_array_sort (sorted, compare_changes);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_tooltip_text (label, "h: the last hidden state before the edits; Δh: what they "
                                      "add to it");
  append_heading (self, "Last hidden states");
  gtk_box_append (GTK_BOX (self->box), label);
  for (guint i = 0; i < n; i++)
    append_token (self, &g_array_index (sorted, EngTokenChange, i),
                  ui_amount_round_up (MAX (SMALLEST_FULL,
                                           g_array_index (sorted, EngTokenChange, 0).change)));
}

static void
fill (UiChangeList *self)
{
  const gboolean has_tasks = self->tasks != NULL && self->tasks->len > 0;
  const gboolean has_tokens = self->tokens != NULL && self->tokens->len > 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  gtk_widget_set_visible (GTK_WIDGET (self), has_tasks || has_tokens || self->note != NULL);
  if (self->note != NULL)
    gtk_box_append (GTK_BOX (self->box), ui_words_label_new (self->note, "dim-label"));
  for (guint i = 0; has_tasks && i < self->tasks->len; i++)
    append_task (self, &g_array_index (self->tasks, EngTaskChange, i));
  if (!has_tasks && has_tokens)
    append_tokens (self);
}

static void
clear (UiChangeList *self)
{
  g_clear_pointer (&self->tasks, g_array_unref);
  g_clear_pointer (&self->tokens, g_array_unref);
  g_clear_pointer (&self->names, eng_tokens_unref);
  g_clear_pointer (&self->note, g_free);
}

static void
ui_change_list_dispose (GObject *object)
{
  UiChangeList *self = UI_CHANGE_LIST (object);

  clear (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_change_list_parent_class)->dispose (object);
}

static void
ui_change_list_class_init (UiChangeListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_change_list_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "changelist");
}

static void
ui_change_list_init (UiChangeList *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Predictions before and after the edits",
                                  -1);
}

GtkWidget *
ui_change_list_new (void)
{
  return g_object_new (UI_TYPE_CHANGE_LIST, NULL);
}

void
ui_change_list_set (UiChangeList *self,
                    GArray       *tasks,
                    GArray       *tokens,
                    EngTokens    *names,
                    const char   *note)
{
  g_return_if_fail (UI_IS_CHANGE_LIST (self));

  clear (self);
  self->tasks = tasks != NULL ? g_array_ref (tasks) : NULL;
  self->tokens = tokens != NULL ? g_array_ref (tokens) : NULL;
  self->names = names != NULL ? eng_tokens_ref (names) : NULL;
  self->note = g_strdup (note);
  fill (self);
}

void
ui_change_list_set_of_sides (UiChangeList *self,
                             gboolean      of_sides)
{
  g_return_if_fail (UI_IS_CHANGE_LIST (self));

  if (of_sides == self->of_sides)
    return;

  self->of_sides = of_sides;
  fill (self);
}

void
ui_change_list_set_theme (UiChangeList *self,
                          UiTheme       theme)
{
  g_return_if_fail (UI_IS_CHANGE_LIST (self));

  if (theme == self->theme)
    return;

  self->theme = theme;
  fill (self);
}
