/* SPDX-License-Identifier: MIT */
#include "ui/controls/word-choice.h"

#include "ui/controls/table-row.h"
#include "ui/document/bidi.h"
#include "ui/scene/base/token-words.h"
#include "ui/scene/sinks/text.h"

#define NO_WORD "Choose a word"
#define ROWS_AT_ONCE 24

struct _UiWordChoice {
  GtkWidget   parent_instance;

  GtkWidget  *choice;      /* GtkDropDown */
  GListStore *rows;        /* UiTableRow: none, then the tokens */
  EngTokens  *tokens;      /* NULL = not set yet */
  int         word;        /* chosen, though its row may still be to come; -1 = none */
  gboolean    is_setting;  /* what is selected follows word: nobody chose it */
  guint       rows_source; /* of rows that are still to come or to go; 0 = none */
};

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiWordChoice, ui_word_choice, GTK_TYPE_WIDGET)

/* Rows. */

/* isolated: as it is shown; else as it is found by what is typed, which is compared from the
 * start. */
static char *
describe_row (UiTableRow   *row,
              UiWordChoice *self,
              gboolean      isolated)
{
  const int word = ui_table_row_get_index (row) - 1;
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;

  if (word < 0)
    return g_strdup (NO_WORD);
  /* It is about to go. */
  if (self->tokens == NULL || word >= self->tokens->n)
    return g_strdup ("");

  text = self->tokens->typed[word] != NULL ? ui_tokens_dup_typed (self->tokens, word)
                                           : ui_text_make_visible (self->tokens->texts[word]);
  g_strstrip (text);
  shown = isolated ? ui_bidi_isolate (text) : g_strdup (text);
  return g_strdup_printf ("%s %d", shown, word);
}

static char *
name_row (UiTableRow   *row,
          UiWordChoice *self)
{
  return describe_row (row, self, FALSE);
}

static void
row_changed_cb (UiTableRow *row,
                GtkLabel   *label)
{
  GtkWidget *self = gtk_widget_get_ancestor (GTK_WIDGET (label), UI_TYPE_WORD_CHOICE);
  g_autofree char *name = self != NULL ? describe_row (row, UI_WORD_CHOICE (self), TRUE)
                                       : NULL;

  if (name != NULL)
    gtk_label_set_text (label, name);
}

static void
setup_cb (UiWordChoice *self,
          GtkListItem  *item)
{
  gtk_list_item_set_child (item, g_object_new (GTK_TYPE_LABEL,
                                               "xalign", 0.0f,
                                               "ellipsize", PANGO_ELLIPSIZE_END,
                                               NULL));
}

static void
bind_cb (UiWordChoice *self,
         GtkListItem  *item)
{
  UiTableRow *row = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *name = describe_row (row, self, TRUE);

  gtk_label_set_text (GTK_LABEL (label), name);
  g_signal_connect_object (row, "changed", G_CALLBACK (row_changed_cb), label, 0);
}

static void
unbind_cb (UiWordChoice *self,
           GtkListItem  *item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), row_changed_cb,
                                        gtk_list_item_get_child (item));
}

/* Selects the row of the word once it is there. */
static void
sync_selected (UiWordChoice *self)
{
  const guint row = (guint) (self->word + 1);

  if (row >= g_list_model_get_n_items (G_LIST_MODEL (self->rows)))
    return;
  self->is_setting = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), row);
  self->is_setting = FALSE;
}

static gboolean
change_rows_cb (gpointer data)
{
  UiWordChoice *self = data;
  gboolean goes_on;

  self->is_setting = TRUE;
  goes_on = ui_table_rows_step (self->rows, (guint) self->tokens->n + 1, ROWS_AT_ONCE);
  self->is_setting = FALSE;
  sync_selected (self);
  if (goes_on)
    return G_SOURCE_CONTINUE;
  self->rows_source = 0;
  return G_SOURCE_REMOVE;
}

static void
selected_cb (UiWordChoice *self)
{
  const guint row = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));

  if (self->is_setting)
    return;
  self->word = row == GTK_INVALID_LIST_POSITION ? -1 : (int) row - 1;
  /* A row that was about to go. */
  if (self->word >= self->tokens->n)
    ui_word_choice_set_word (self, -1);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* The widget. */

static void
ui_word_choice_dispose (GObject *object)
{
  UiWordChoice *self = UI_WORD_CHOICE (object);

  g_clear_handle_id (&self->rows_source, g_source_remove);
  self->is_setting = TRUE;
  g_clear_pointer (&self->choice, gtk_widget_unparent);
  g_clear_pointer (&self->tokens, eng_tokens_unref);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (ui_word_choice_parent_class)->dispose (object);
}

static void
ui_word_choice_class_init (UiWordChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ui_word_choice_dispose;

  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);

  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "wordchoice");
}

static void
ui_word_choice_init (UiWordChoice *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkExpression *name = gtk_cclosure_expression_new (G_TYPE_STRING, NULL, 0, NULL,
                                                     G_CALLBACK (name_row), self, NULL);

  self->word = -1;
  self->rows = g_list_store_new (UI_TYPE_TABLE_ROW);
  self->choice = gtk_drop_down_new (G_LIST_MODEL (g_object_ref (self->rows)), name);
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, G_CONNECT_SWAPPED);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (self->choice), factory);
  g_object_unref (factory);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->choice), TRUE);
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (selected_cb), self);
  gtk_widget_set_parent (self->choice, GTK_WIDGET (self));
}

GtkWidget *
ui_word_choice_new (const char *label)
{
  UiWordChoice *self = g_object_new (UI_TYPE_WORD_CHOICE, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  return GTK_WIDGET (self);
}

void
ui_word_choice_set_tokens (UiWordChoice *self,
                           EngTokens    *tokens)
{
  g_return_if_fail (UI_IS_WORD_CHOICE (self));

  eng_tokens_ref (tokens);
  g_clear_pointer (&self->tokens, eng_tokens_unref);
  self->tokens = tokens;
  ui_word_choice_set_word (self, -1);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++) {
    g_autoptr (UiTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

    ui_table_row_changed (row);
  }
  g_clear_handle_id (&self->rows_source, g_source_remove);
  if (change_rows_cb (self) == G_SOURCE_CONTINUE)
    self->rows_source = g_idle_add (change_rows_cb, self);
}

void
ui_word_choice_set_word (UiWordChoice *self,
                         int           word)
{
  g_return_if_fail (UI_IS_WORD_CHOICE (self));

  self->word = word;
  sync_selected (self);
}

int
ui_word_choice_get_word (UiWordChoice *self)
{
  g_return_val_if_fail (UI_IS_WORD_CHOICE (self), -1);

  return self->word;
}
