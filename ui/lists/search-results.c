/* SPDX-License-Identifier: MIT */
#include "ui/lists/search-results.h"

#include "ui/lists/result-list.h"

#define MESSAGE_CHARS 32
#define WORD_CHARS    8

/* In the list of questions. */
#define WORDS         0
#define FIRST_PATTERN 1

static const char hint[] =
  "A text file with a sentence in each line, or a pair with a tab between. Every line runs "
  "through the model.";

struct _UiSearchResults {
  GtkWidget     parent_instance;

  GtkWidget    *held_back; /* in place of the pages */
  GtkWidget    *pages;    /* GtkStack: heads, lines, skipped */
  GtkWidget    *file_label;
  GtkWidget    *question; /* GtkDropDown: words, then the patterns */
  GtkWidget    *words;    /* GtkRevealer of the two entries */
  GtkWidget    *from;     /* GtkEntry */
  GtkWidget    *to;
  GtkWidget    *search;
  gboolean      has_file;
  char         *obstacle; /* NULL = none */
  gboolean      is_busy;

  GtkWidget    *results;  /* GtkStack: message, list */
  GtkWidget    *spinner;
  GtkWidget    *message;
  GtkWidget    *summary;
  GtkWidget    *skipped_button;
  UiResultList *heads;
  GtkWidget    *lines_title;
  UiResultList *lines;
  GtkWidget    *skipped_title;
  UiResultList *skipped;
};

enum {
  SIGNAL_CHOOSE_FILE,
  SIGNAL_SEARCH,
  SIGNAL_HEAD_CHOSEN,
  SIGNAL_LINE_OPENED,
  SIGNAL_SAVE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiSearchResults, ui_search_results, GTK_TYPE_WIDGET)

static void
show_page (UiSearchResults *self,
           const char      *name)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), name);
}

static gboolean
links_words (UiSearchResults *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->question)) == WORDS;
}

static char *
dup_word (GtkWidget *entry)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
}

/* Whether keys go to the question, closed, and not to a word that is typed. */
static gboolean
question_has_focus (UiSearchResults *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_get_parent (focus) == self->question;
}

/* Why no search can be started; NULL = it can. */
static const char *
find_obstacle (UiSearchResults *self)
{
  g_autofree char *from = dup_word (self->from);
  g_autofree char *to = dup_word (self->to);

  if (self->obstacle != NULL)
    return self->obstacle;
  if (!self->has_file)
    return "Choose a text file first";
  if (links_words (self) && from[0] == '\0' && to[0] == '\0')
    return "Type one of the two words at least";
  return self->is_busy ? "A search is running" : NULL;
}

static void
update_search (UiSearchResults *self)
{
  const char *obstacle = find_obstacle (self);

  gtk_widget_set_sensitive (self->search, obstacle == NULL);
  gtk_widget_set_tooltip_text (self->search, obstacle);
}

static void
question_cb (UiSearchResults *self)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->words), links_words (self));
  update_search (self);
}

/* Return in one of the words. */
static void
entry_cb (UiSearchResults *self)
{
  gtk_widget_activate (self->search);
}

static void
choose_cb (UiSearchResults *self)
{
  g_signal_emit (self, signals[SIGNAL_CHOOSE_FILE], 0);
}

static void
search_cb (UiSearchResults *self)
{
  g_signal_emit (self, signals[SIGNAL_SEARCH], 0);
}

static void
head_cb (UiSearchResults *self,
         guint            index)
{
  g_signal_emit (self, signals[SIGNAL_HEAD_CHOSEN], 0, index);
}

static void
line_cb (UiSearchResults *self,
         guint            index)
{
  g_signal_emit (self, signals[SIGNAL_LINE_OPENED], 0, index);
}

static void
save_cb (UiSearchResults *self)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->pages));

  g_signal_emit (self, signals[SIGNAL_SAVE], 0, g_str_equal (page, "lines"));
}

static void
skipped_cb (UiSearchResults *self)
{
  show_page (self, "skipped");
}

/* The widget. */

static void
ui_search_results_dispose (GObject *object)
{
  UiSearchResults *self = UI_SEARCH_RESULTS (object);

  g_clear_pointer (&self->held_back, gtk_widget_unparent);
  g_clear_pointer (&self->pages, gtk_widget_unparent);
  g_clear_pointer (&self->obstacle, g_free);
  G_OBJECT_CLASS (ui_search_results_parent_class)->dispose (object);
}

static void
ui_search_results_class_init (UiSearchResultsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_search_results_dispose;

  signals[SIGNAL_CHOOSE_FILE] =
    g_signal_new ("choose-file", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_SEARCH] =
    g_signal_new ("search", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_HEAD_CHOSEN] =
    g_signal_new ("head-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_UINT);
  signals[SIGNAL_LINE_OPENED] =
    g_signal_new ("line-opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_UINT);
  signals[SIGNAL_SAVE] =
    g_signal_new ("save", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_BOOLEAN);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "searchresults");
}

static GtkWidget *
new_icon_button (UiSearchResults *self,
                 const char      *icon,
                 const char      *label,
                 GCallback        callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
new_title (const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL,
                                   "xalign", 0.0f,
                                   "hexpand", TRUE,
                                   "wrap", TRUE,
                                   "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                   "max-width-chars", MESSAGE_CHARS,
                                   NULL);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_word (UiSearchResults *self,
          const char      *label)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), "any word");
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), WORD_CHARS);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_tooltip_text (entry, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (update_search), self);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (entry_cb), self);
  return entry;
}

static GtkWidget *
build_words (UiSearchResults *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->from = new_word (self, "Word that reads");
  self->to = new_word (self, "Word that is read");
  gtk_box_append (GTK_BOX (row), self->from);
  gtk_box_append (GTK_BOX (row), gtk_label_new ("reads"));
  gtk_box_append (GTK_BOX (row), self->to);

  self->words = gtk_revealer_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->words), row);
  return self->words;
}

static GtkWidget *
build_question (UiSearchResults *self)
{
  g_autoptr (GtkStringList) questions = gtk_string_list_new (NULL);

  gtk_string_list_append (questions, "one word reads another");
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    gtk_string_list_append (questions, eng_pattern_get_title ((EngPattern) pattern));
  self->question = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&questions)), NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->question), FIRST_PATTERN + ENG_PATTERN_NEXT);
  gtk_widget_set_hexpand (self->question, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->question), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "What to search for", -1);
  g_signal_connect_swapped (self->question, "notify::selected", G_CALLBACK (question_cb), self);
  return self->question;
}

static GtkWidget *
build_form (UiSearchResults *self)
{
  GtkWidget *form = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *file = gtk_button_new ();

  self->file_label = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->file_label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_button_set_child (GTK_BUTTON (file), self->file_label);
  g_signal_connect_swapped (file, "clicked", G_CALLBACK (choose_cb), self);

  self->search = gtk_button_new_with_label ("Search");
  gtk_widget_add_css_class (self->search, "suggested-action");
  g_signal_connect_swapped (self->search, "clicked", G_CALLBACK (search_cb), self);

  gtk_box_append (GTK_BOX (row), build_question (self));
  gtk_box_append (GTK_BOX (row), self->search);
  gtk_box_append (GTK_BOX (form), file);
  gtk_box_append (GTK_BOX (form), row);
  gtk_box_append (GTK_BOX (form), build_words (self));
  return form;
}

static GtkWidget *
new_message (void)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL,
                                   "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS,
                                   "wrap", TRUE,
                                   "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                   "justify", GTK_JUSTIFY_CENTER,
                                   "max-width-chars", MESSAGE_CHARS,
                                   NULL);

  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static GtkWidget *
build_message (UiSearchResults *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->spinner = gtk_spinner_new ();
  self->message = new_message ();
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->spinner);
  gtk_box_append (GTK_BOX (box), self->message);
  return box;
}

static GtkWidget *
build_found (UiSearchResults *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->summary = new_title ("dim-label");
  self->skipped_button = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->skipped_button, "flat");
  gtk_widget_set_halign (self->skipped_button, GTK_ALIGN_START);
  g_signal_connect_swapped (self->skipped_button, "clicked", G_CALLBACK (skipped_cb), self);
  self->heads = UI_RESULT_LIST (ui_result_list_new ("Heads by mean score"));
  g_signal_connect_swapped (self->heads, "opened", G_CALLBACK (head_cb), self);

  gtk_box_append (GTK_BOX (row), self->summary);
  gtk_box_append (GTK_BOX (row), new_icon_button (self, "document-save-symbolic",
                                                  "Save the heads as CSV",
                                                  G_CALLBACK (save_cb)));
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->skipped_button);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->heads));
  return box;
}

static GtkWidget *
build_heads (UiSearchResults *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);

  self->results = gtk_stack_new ();
  gtk_widget_set_vexpand (self->results, TRUE);
  gtk_stack_add_named (GTK_STACK (self->results), build_message (self), "message");
  gtk_stack_add_named (GTK_STACK (self->results), build_found (self), "list");
  gtk_box_append (GTK_BOX (page), build_form (self));
  gtk_box_append (GTK_BOX (page), self->results);
  return page;
}

/* A page behind the heads: the way back, what it is about, and the list. */
static GtkWidget *
build_detail (UiSearchResults *self,
              GtkWidget       *title,
              UiResultList    *list,
              gboolean         can_save)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (row), new_icon_button (self, "go-previous-symbolic",
                                                  "Back to the heads (Escape)",
                                                  G_CALLBACK (ui_search_results_go_back)));
  gtk_box_append (GTK_BOX (row), title);
  if (can_save)
    gtk_box_append (GTK_BOX (row), new_icon_button (self, "document-save-symbolic",
                                                    "Save the lines as CSV",
                                                    G_CALLBACK (save_cb)));
  gtk_box_append (GTK_BOX (page), row);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (list));
  return page;
}

static void
ui_search_results_init (UiSearchResults *self)
{
  self->lines_title = new_title ("heading");
  self->lines = UI_RESULT_LIST (ui_result_list_new ("Lines by score"));
  g_signal_connect_swapped (self->lines, "opened", G_CALLBACK (line_cb), self);
  self->skipped_title = new_title ("heading");
  self->skipped = UI_RESULT_LIST (ui_result_list_new ("Lines that were left out"));

  self->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->pages), build_heads (self), "heads");
  gtk_stack_add_named (GTK_STACK (self->pages),
                       build_detail (self, self->lines_title, self->lines, TRUE), "lines");
  gtk_stack_add_named (GTK_STACK (self->pages),
                       build_detail (self, self->skipped_title, self->skipped, FALSE), "skipped");
  gtk_widget_set_parent (self->pages, GTK_WIDGET (self));
  self->held_back = new_message ();
  gtk_widget_set_visible (self->held_back, FALSE);
  gtk_widget_set_parent (self->held_back, GTK_WIDGET (self));
  ui_search_results_set_file (self, NULL);
  ui_search_results_set_message (self, hint, FALSE);
}

void
ui_search_results_set_file (UiSearchResults *self,
                            const char      *path)
{
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  self->has_file = path != NULL;
  gtk_label_set_text (GTK_LABEL (self->file_label), name != NULL ? name : "Choose a Text File…");
  gtk_widget_set_tooltip_text (gtk_widget_get_parent (self->file_label), path);
  update_search (self);
  if (path != NULL)
    gtk_widget_grab_focus (self->search);
}

void
ui_search_results_focus (UiSearchResults *self)
{
  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  if (!g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), "heads"))
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
  else if (!self->has_file || !gtk_widget_grab_focus (self->search))
    gtk_widget_grab_focus (gtk_widget_get_parent (self->file_label));
}

gboolean
ui_search_results_get_words (UiSearchResults  *self,
                             char            **from,
                             char            **to)
{
  g_return_val_if_fail (UI_IS_SEARCH_RESULTS (self), FALSE);

  *from = dup_word (self->from);
  *to = dup_word (self->to);
  return links_words (self);
}

EngPattern
ui_search_results_get_pattern (UiSearchResults *self)
{
  guint selected;

  g_return_val_if_fail (UI_IS_SEARCH_RESULTS (self), ENG_PATTERN_NEXT);

  selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->question));
  return (EngPattern) (MAX (selected, FIRST_PATTERN) - FIRST_PATTERN);
}

void
ui_search_results_set_obstacle (UiSearchResults *self,
                                const char      *sentence)
{
  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  if (g_strcmp0 (sentence, self->obstacle) == 0)
    return;
  g_free (self->obstacle);
  self->obstacle = g_strdup (sentence);
  update_search (self);
}

void
ui_search_results_hold_back (UiSearchResults *self,
                             const char      *sentence)
{
  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  gtk_widget_set_visible (self->pages, sentence == NULL);
  gtk_widget_set_visible (self->held_back, sentence != NULL);
  if (sentence != NULL)
    gtk_label_set_text (GTK_LABEL (self->held_back), sentence);
}

void
ui_search_results_set_message (UiSearchResults *self,
                               const char      *sentence,
                               gboolean         is_busy)
{
  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  self->is_busy = is_busy;
  /* The button cannot keep the focus, and without one the keys begin at the window's top. */
  if (is_busy && gtk_widget_has_focus (self->search))
    gtk_widget_grab_focus (self->question);
  gtk_label_set_text (GTK_LABEL (self->message), sentence);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
  gtk_widget_set_visible (self->spinner, is_busy);
  gtk_stack_set_visible_child_name (GTK_STACK (self->results), "message");
  show_page (self, "heads");
  update_search (self);
}

void
ui_search_results_take_heads (UiSearchResults *self,
                              const char      *summary,
                              GArray          *heads,
                              GArray          *skipped,
                              int              n_skipped)
{
  g_autofree char *button = g_strdup_printf ("%d line%s left out", n_skipped,
                                             n_skipped == 1 ? " was" : "s were");
  g_autofree char *title =
    n_skipped > (int) skipped->len ? g_strdup_printf ("%s: the first %u", button, skipped->len)
                                   : g_strdup (button);

  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  self->is_busy = FALSE;
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), FALSE);
  gtk_label_set_text (GTK_LABEL (self->summary), summary);
  gtk_button_set_label (GTK_BUTTON (self->skipped_button), button);
  gtk_widget_set_visible (self->skipped_button, n_skipped > 0);
  gtk_label_set_text (GTK_LABEL (self->skipped_title), title);
  ui_result_list_take (self->heads, heads);
  ui_result_list_take (self->skipped, skipped);
  gtk_stack_set_visible_child_name (GTK_STACK (self->results), "list");
  show_page (self, "heads");
  update_search (self);
  if (question_has_focus (self))
    gtk_widget_child_focus (GTK_WIDGET (self->heads), GTK_DIR_TAB_FORWARD);
}

void
ui_search_results_take_lines (UiSearchResults *self,
                              const char      *title,
                              GArray          *lines)
{
  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  gtk_label_set_text (GTK_LABEL (self->lines_title), title);
  ui_result_list_take (self->lines, lines);
  show_page (self, "lines");
  gtk_widget_child_focus (GTK_WIDGET (self->lines), GTK_DIR_TAB_FORWARD);
}

gboolean
ui_search_results_go_back (UiSearchResults *self)
{
  g_return_val_if_fail (UI_IS_SEARCH_RESULTS (self), FALSE);

  if (!gtk_widget_get_visible (self->pages)
      || g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), "heads"))
    return FALSE;
  show_page (self, "heads");
  gtk_widget_child_focus (GTK_WIDGET (self->heads), GTK_DIR_TAB_FORWARD);
  return TRUE;
}

void
ui_search_results_set_theme (UiSearchResults *self,
                             UiTheme          theme)
{
  g_return_if_fail (UI_IS_SEARCH_RESULTS (self));

  ui_result_list_set_theme (self->heads, theme);
  ui_result_list_set_theme (self->lines, theme);
  ui_result_list_set_theme (self->skipped, theme);
}
