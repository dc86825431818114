/* SPDX-License-Identifier: MIT */
#include "ui/lists/link-results.h"

#include "ui/controls/word-choice.h"
#include "ui/controls/words.h"
#include "ui/document/table-text.h"
#include "ui/lists/result-list.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/numbers/block.h"

#define MESSAGE_CHARS 32

typedef enum { BOTH_WAYS, FROM_A, FROM_B, N_DIRECTIONS } Direction;

struct _UiLinkResults {
  GtkWidget     parent_instance;

  EngTokens    *queries;
  EngTokens    *keys;
  gboolean      by_word;
  EngTokens    *query_names; /* the same, or with the texts of their words */
  EngTokens    *key_names;
  GArray       *links;     /* EngFoundLink; NULL = a message is shown */
  GArray       *shown;     /* guint: links in the list */
  EngMeasure    measure;
  Direction     direction;

  GtkWidget    *box;
  UiWordChoice *words[2];
  GtkWidget    *direction_box;
  GtkWidget    *directions[N_DIRECTIONS]; /* GtkToggleButton */
  GtkWidget    *summary;
  GtkWidget    *stack;
  GtkWidget    *spinner;
  GtkWidget    *message;
  UiResultList *list;
};

enum { SIGNAL_WORDS_CHANGED, SIGNAL_OPENED, SIGNAL_SAVE, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiLinkResults, ui_link_results, GTK_TYPE_WIDGET)

/* -1 = none. */
static int
get_word (UiLinkResults *self,
          int            index)
{
  return ui_word_choice_get_word (self->words[index]);
}

static gboolean
reads_itself (UiLinkResults *self)
{
  return self->queries == self->keys;
}

/* The list. */

/* A norm is no part of anything; its bar is that of the strongest link. */
static double
find_full (UiLinkResults *self)
{
  if (self->measure == ENG_MEASURE_WEIGHT || self->measure == ENG_MEASURE_ROLLOUT)
    return 1;
  return self->links->len > 0 ? g_array_index (self->links, EngFoundLink, 0).value : 1;
}

static char *
describe_value (UiLinkResults *self,
                double         value)
{
  if (self->measure == ENG_MEASURE_WEIGHT || self->measure == ENG_MEASURE_ROLLOUT)
    return ui_describe_weight (value);
  return ui_words_number (value < 10 ? "%.3f" : "%.1f", value);
}

static UiResult
describe_link (UiLinkResults      *self,
               const EngFoundLink *link)
{
  g_autofree char *reader = ui_words_place (self->query_names, link->query);
  g_autofree char *read = ui_words_place (self->key_names, link->key);
  g_autofree char *reader_token = ui_describe_token (self->query_names, link->query);
  g_autofree char *read_token = ui_describe_token (self->key_names, link->key);
  const gboolean is_rollout = link->head == ENG_ALL_HEADS;
  UiResult result = {
    .number = describe_value (self, link->value),
    .note = g_strdup_printf ("%s → %s", reader, read),
    .part = link->value / find_full (self),
    .head = link->head,
  };
  g_autofree char *amount = g_strdup_printf ("%s reads %s with %s %s", reader_token, read_token,
                                             ui_describe_measure_name (self->measure),
                                             result.number);

  if (is_rollout) {
    result.name = g_strdup_printf ("layer %d", link->layer);
    result.sentence = g_strdup_printf ("%s up to layer %d", amount, link->layer);
  } else {
    result.name = g_strdup_printf ("%d.%d", link->layer, link->head);
    result.sentence = g_strdup_printf ("%s in head %d of layer %d", amount, link->head,
                                       link->layer);
  }
  return result;
}

static gboolean
is_shown (UiLinkResults      *self,
          const EngFoundLink *link)
{
  return self->direction == BOTH_WAYS || !reads_itself (self)
         || (link->query == get_word (self, 0)) == (self->direction == FROM_A);
}

static void
summarise (UiLinkResults *self)
{
  const gboolean is_rollout = self->measure == ENG_MEASURE_ROLLOUT;
  g_autofree char *text =
    g_strdup_printf ("%u %s%s by %s, strongest first", self->shown->len,
                     is_rollout ? "layer" : "link", self->shown->len == 1 ? "" : "s",
                     ui_describe_measure_name (self->measure));

  gtk_label_set_text (GTK_LABEL (self->summary), text);
}

static void
fill_list (UiLinkResults *self)
{
  GArray *results = ui_result_list_new_array ();

  g_array_set_size (self->shown, 0);
  for (guint i = 0; i < self->links->len; i++) {
    const EngFoundLink *link = &g_array_index (self->links, EngFoundLink, i);
    UiResult result;

    if (!is_shown (self, link))
      continue;
    result = describe_link (self, link);
    g_array_append_val (results, result);
    g_array_append_val (self->shown, i);
  }
  ui_result_list_take (self->list, results);
  summarise (self);
}

static void
opened_cb (UiLinkResults *self,
           guint          index)
{
  const guint at = g_array_index (self->shown, guint, index);

  g_signal_emit (self, signals[SIGNAL_OPENED], 0, &g_array_index (self->links, EngFoundLink, at));
}

static void
save_cb (UiLinkResults *self)
{
  g_signal_emit (self, signals[SIGNAL_SAVE], 0);
}

static void
append_link (UiLinkResults      *self,
             const EngFoundLink *link,
             GString            *csv)
{
  g_autofree char *layer = g_strdup_printf ("%d", link->layer);
  g_autofree char *head =
    link->head == ENG_ALL_HEADS ? g_strdup ("") : g_strdup_printf ("%d", link->head);
  g_autofree char *query = g_strdup_printf ("%d", link->query);
  g_autofree char *key = g_strdup_printf ("%d", link->key);
  char value[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const cells[] = { layer,
                                head,
                                query,
                                key,
                                self->query_names->texts[link->query],
                                self->key_names->texts[link->key],
                                g_ascii_formatd (value, sizeof value, "%.6g", link->value),
                                NULL };

  ui_table_append_csv_line (csv, cells);
}

/* The choices. */

static void
words_cb (UiLinkResults *self)
{
  g_signal_emit (self, signals[SIGNAL_WORDS_CHANGED], 0, get_word (self, 0), get_word (self, 1));
}

static void
direction_cb (UiLinkResults   *self,
              GtkToggleButton *button)
{
  if (!gtk_toggle_button_get_active (button))
    return;

  for (int i = 0; i < N_DIRECTIONS; i++)
    if (GTK_WIDGET (button) == self->directions[i])
      self->direction = (Direction) i;
  if (self->links != NULL)
    fill_list (self);
}

static void
name_direction (UiLinkResults *self,
                Direction      direction,
                int            query,
                int            key)
{
  g_autofree char *reader = ui_describe_token (self->query_names, query);
  g_autofree char *read = ui_describe_token (self->key_names, key);
  g_autofree char *sentence = g_strdup_printf ("%s reads %s", reader, read);
  g_autofree char *first = ui_words_brief_place (self->query_names, query);
  g_autofree char *second = ui_words_brief_place (self->key_names, key);
  g_autofree char *label = g_strdup_printf ("%s → %s", first, second);
  GtkWidget *button = self->directions[direction];

  gtk_label_set_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), label);
  gtk_widget_set_tooltip_text (button, sentence);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence,
                                  -1);
}

static void
update_directions (UiLinkResults *self)
{
  const int a = get_word (self, 0), b = get_word (self, 1);
  const gboolean has_two = self->queries != NULL && reads_itself (self) && a >= 0 && b >= 0
                           && a != b && self->links != NULL;

  gtk_widget_set_visible (self->direction_box, has_two);
  if (!has_two)
    return;
  name_direction (self, FROM_A, a, b);
  name_direction (self, FROM_B, b, a);
}

/* The widget. */

static void
clear_tokens (UiLinkResults *self)
{
  g_clear_pointer (&self->queries, eng_tokens_unref);
  g_clear_pointer (&self->keys, eng_tokens_unref);
  g_clear_pointer (&self->query_names, eng_tokens_unref);
  g_clear_pointer (&self->key_names, eng_tokens_unref);
}

static void
ui_link_results_dispose (GObject *object)
{
  UiLinkResults *self = UI_LINK_RESULTS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->links, g_array_unref);
  g_clear_pointer (&self->shown, g_array_unref);
  clear_tokens (self);
  G_OBJECT_CLASS (ui_link_results_parent_class)->dispose (object);
}

static void
ui_link_results_class_init (UiLinkResultsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_link_results_dispose;

  signals[SIGNAL_WORDS_CHANGED] =
    g_signal_new ("words-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                  G_TYPE_INT, G_TYPE_INT);
  signals[SIGNAL_OPENED] =
    g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_POINTER);
  signals[SIGNAL_SAVE] =
    g_signal_new ("save", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "linkresults");
}

static GtkWidget *
new_choice (UiLinkResults *self,
            const char    *label)
{
  GtkWidget *choice = ui_word_choice_new (label);

  gtk_widget_set_hexpand (choice, TRUE);
  g_signal_connect_swapped (choice, "changed", G_CALLBACK (words_cb), self);
  return choice;
}

static GtkWidget *
new_direction (UiLinkResults *self,
               Direction      direction)
{
  GtkWidget *button = gtk_toggle_button_new ();
  GtkWidget *label = gtk_label_new (direction == BOTH_WAYS ? "Both" : NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label),
                           direction == BOTH_WAYS ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_set_hexpand (button, direction != BOTH_WAYS);
  if (direction == BOTH_WAYS)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  else
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button),
                                 GTK_TOGGLE_BUTTON (self->directions[BOTH_WAYS]));
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (direction_cb), self);
  return button;
}

static void
build_choices (UiLinkResults *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->words[0] = UI_WORD_CHOICE (new_choice (self, "First word"));
  self->words[1] = UI_WORD_CHOICE (new_choice (self, "Second word"));
  gtk_box_set_homogeneous (GTK_BOX (row), TRUE);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->words[0]));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->words[1]));
  gtk_box_append (GTK_BOX (self->box), row);

  self->direction_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->direction_box, "linked");
  gtk_widget_set_visible (self->direction_box, FALSE);
  for (int i = 0; i < N_DIRECTIONS; i++) {
    self->directions[i] = new_direction (self, (Direction) i);
    gtk_box_append (GTK_BOX (self->direction_box), self->directions[i]);
  }
  gtk_box_append (GTK_BOX (self->box), self->direction_box);
}

static GtkWidget *
build_found (UiLinkResults *self)
{
  GtkWidget *found = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *save = gtk_button_new_from_icon_name ("document-save-symbolic");

  self->summary =
    g_object_new (GTK_TYPE_LABEL, "xalign", 0.0f, "wrap", TRUE, "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (self->summary, "dim-label");
  gtk_widget_add_css_class (save, "flat");
  gtk_widget_set_tooltip_text (save, "Save the links as CSV");
  gtk_accessible_update_property (GTK_ACCESSIBLE (save), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Save the links as CSV", -1);
  g_signal_connect_swapped (save, "clicked", G_CALLBACK (save_cb), self);
  self->list = UI_RESULT_LIST (ui_result_list_new ("Heads that link the two words"));
  g_signal_connect_swapped (self->list, "opened", G_CALLBACK (opened_cb), self);

  gtk_box_append (GTK_BOX (row), self->summary);
  gtk_box_append (GTK_BOX (row), save);
  gtk_box_append (GTK_BOX (found), row);
  gtk_box_append (GTK_BOX (found), GTK_WIDGET (self->list));
  return found;
}

static void
build_pages (UiLinkResults *self)
{
  GtkWidget *waiting = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->spinner = gtk_spinner_new ();
  self->message = g_object_new (GTK_TYPE_LABEL,
                                "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS,
                                "wrap", TRUE,
                                "justify", GTK_JUSTIFY_CENTER,
                                "max-width-chars", MESSAGE_CHARS,
                                NULL);
  gtk_widget_add_css_class (self->message, "dim-label");
  gtk_widget_set_valign (waiting, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (waiting), self->spinner);
  gtk_box_append (GTK_BOX (waiting), self->message);

  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), waiting, "message");
  gtk_stack_add_named (GTK_STACK (self->stack), build_found (self), "links");
  gtk_box_append (GTK_BOX (self->box), self->stack);
}

static void
ui_link_results_init (UiLinkResults *self)
{
  self->shown = g_array_new (FALSE, FALSE, sizeof (guint));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  build_choices (self);
  build_pages (self);
}

void
ui_link_results_set_tokens (UiLinkResults *self,
                            EngTokens     *queries,
                            EngTokens     *keys,
                            gboolean       by_word)
{
  g_return_if_fail (UI_IS_LINK_RESULTS (self));

  if (queries == self->queries && keys == self->keys && by_word == self->by_word)
    return;

  /* The lists lose their words: what was found says nothing without them. */
  g_clear_pointer (&self->links, g_array_unref);
  eng_tokens_ref (queries);
  eng_tokens_ref (keys);
  clear_tokens (self);
  self->queries = queries;
  self->keys = keys;
  self->by_word = by_word;
  self->query_names = by_word ? ui_block_name_by_word (queries) : eng_tokens_ref (queries);
  self->key_names = by_word ? ui_block_name_by_word (keys) : eng_tokens_ref (keys);
  ui_word_choice_set_tokens (self->words[0], self->query_names);
  ui_word_choice_set_tokens (self->words[1], self->key_names);
  ui_link_results_set_message (self, "", FALSE);
}

void
ui_link_results_set_words (UiLinkResults *self,
                           int            a,
                           int            b)
{
  g_return_if_fail (UI_IS_LINK_RESULTS (self));

  ui_word_choice_set_word (self->words[0], a);
  ui_word_choice_set_word (self->words[1], b);
  update_directions (self);
}

void
ui_link_results_set_message (UiLinkResults *self,
                             const char    *sentence,
                             gboolean       is_busy)
{
  g_return_if_fail (UI_IS_LINK_RESULTS (self));

  g_clear_pointer (&self->links, g_array_unref);
  gtk_label_set_text (GTK_LABEL (self->message), sentence);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
  gtk_widget_set_visible (self->spinner, is_busy);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "message");
  update_directions (self);
}

void
ui_link_results_set_links (UiLinkResults *self,
                           GArray        *links,
                           EngMeasure     measure)
{
  g_return_if_fail (UI_IS_LINK_RESULTS (self));

  if (links->len == 0) {
    ui_link_results_set_message (self, "No head links these two words.", FALSE);
    return;
  }

  g_array_ref (links);
  g_clear_pointer (&self->links, g_array_unref);
  self->links = links;
  self->measure = measure;
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), FALSE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->directions[BOTH_WAYS]), TRUE);
  self->direction = BOTH_WAYS;
  fill_list (self);
  update_directions (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "links");
}

char *
ui_link_results_to_csv (UiLinkResults *self)
{
  g_autoptr (GString) csv = g_string_new (NULL);
  const char *const heading[] = {
    "layer", "head", "query", "key", "reads", "is read",
    ui_describe_measure_name (self->measure), NULL
  };

  g_return_val_if_fail (UI_IS_LINK_RESULTS (self), NULL);

  if (self->links == NULL)
    return g_strdup ("");
  ui_table_append_csv_line (csv, heading);
  for (guint i = 0; i < self->shown->len; i++) {
    const guint at = g_array_index (self->shown, guint, i);

    append_link (self, &g_array_index (self->links, EngFoundLink, at), csv);
  }

  return g_string_free (g_steal_pointer (&csv), FALSE);
}

void
ui_link_results_set_theme (UiLinkResults *self,
                           UiTheme        theme)
{
  g_return_if_fail (UI_IS_LINK_RESULTS (self));

  ui_result_list_set_theme (self->list, theme);
}
