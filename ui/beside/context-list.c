/* SPDX-License-Identifier: MIT */
#include "ui/beside/context-list.h"

#include "ui/controls/words.h"

/* A row; widgets are made once and used again. */
typedef struct {
  GtkWidget *box;
  GtkWidget *dot;
  GtkWidget *sentence;
  GtkWidget *note;
  GtkWidget *number;
  GtkWidget *remove;
  char      *text;
} Row;

struct _UiContextList {
  GtkWidget  parent_instance;

  GtkWidget *box;
  GPtrArray *rows;   /* of Row, used ones first */
  int        n_used;
  GtkWidget *entry;
  GtkWidget *said;
  int        aim;    /* the row that is pointed at; -1 = none */
};

enum { SIGNAL_AIMED, SIGNAL_ADDED, SIGNAL_REMOVED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiContextList, ui_context_list, GTK_TYPE_WIDGET)

static void
row_free (gpointer data)
{
  Row *row = data;

  g_free (row->text);
  g_free (row);
}

static UiContextList *
find_list (GtkWidget *widget)
{
  return UI_CONTEXT_LIST (gtk_widget_get_ancestor (widget, UI_TYPE_CONTEXT_LIST));
}

static void
remove_cb (Row *row)
{
  g_autofree char *text = g_strdup (row->text);

  g_signal_emit (find_list (row->box), signals[SIGNAL_REMOVED], 0, text);
}

static void
set_aim (UiContextList *self,
         int            row)
{
  if (row == self->aim)
    return;
  self->aim = row;
  g_signal_emit (self, signals[SIGNAL_AIMED], 0);
}

static void
enter_cb (GtkEventController *controller,
          double              x,
          double              y,
          Row                *row)
{
  UiContextList *self = find_list (row->box);

  for (int i = 0; i < self->n_used; i++)
    if (self->rows->pdata[i] == row)
      set_aim (self, i);
}

static void
leave_cb (Row *row)
{
  set_aim (find_list (row->box), -1);
}

static GtkWidget *
new_remove_button (Row *row)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (button, "Take this sentence away");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (remove_cb), row);
  return button;
}

static Row *
row_new (void)
{
  Row *row = g_new0 (Row, 1);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkEventController *motion = gtk_event_controller_motion_new ();

  row->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  row->dot = gtk_label_new (NULL);
  row->sentence = ui_words_label_new (NULL, "body");
  row->note = ui_words_label_new (NULL, "dim-label");
  row->number = gtk_label_new (NULL);
  row->remove = new_remove_button (row);
  gtk_widget_add_css_class (row->box, "context");
  gtk_widget_add_css_class (row->note, "caption");
  gtk_widget_add_css_class (row->number, "numeric");
  gtk_widget_add_css_class (row->number, "dim-label");
  gtk_widget_set_valign (row->dot, GTK_ALIGN_START);
  gtk_widget_set_valign (row->number, GTK_ALIGN_START);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), row->sentence);
  gtk_box_append (GTK_BOX (texts), row->note);
  gtk_box_append (GTK_BOX (row->box), row->dot);
  gtk_box_append (GTK_BOX (row->box), texts);
  gtk_box_append (GTK_BOX (row->box), row->number);
  gtk_box_append (GTK_BOX (row->box), row->remove);
  g_signal_connect (motion, "enter", G_CALLBACK (enter_cb), row);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), row);
  gtk_widget_add_controller (row->box, motion);
  return row;
}

/* A piece of a vocabulary of bytes may be a part of a letter: the end of that which by leads to. */
static int
find_letter (const char *text,
             int         at,
             int         by)
{
  while ((text[at] & 0xc0) == 0x80)
    at += by;

  return at;
}

/* The sentence as markup, its word in bold. */
static char *
dup_markup (const UiContextRow *row)
{
  const int start = find_letter (row->text, row->start, -1);
  const int end = find_letter (row->text, row->end, 1);
  g_autofree char *before = g_markup_escape_text (row->text, start);
  g_autofree char *word = g_markup_escape_text (row->text + start, end - start);
  g_autofree char *behind = g_markup_escape_text (row->text + end, -1);

  return g_strdup_printf ("%s<b>%s</b>%s", before, word, behind);
}

static void
row_set (Row                *self,
         const UiContextRow *row)
{
  g_autofree char *markup = dup_markup (row);
  g_autofree char *dot = g_strdup_printf ("<span foreground=\"#%02x%02x%02x\">●</span>",
                                          row->color.r, row->color.g, row->color.b);

  g_free (self->text);
  self->text = g_strdup (row->text);
  gtk_label_set_markup (GTK_LABEL (self->dot), dot);
  gtk_label_set_markup (GTK_LABEL (self->sentence), markup);
  gtk_label_set_text (GTK_LABEL (self->number), row->number);
  gtk_label_set_text (GTK_LABEL (self->note), row->note != NULL ? row->note : "");
  gtk_widget_set_visible (self->note, row->note != NULL);
  gtk_widget_set_visible (self->remove, row->is_own);
}

static void
activate_cb (UiContextList *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  g_strstrip (text);
  if (*text != '\0')
    g_signal_emit (self, signals[SIGNAL_ADDED], 0, text);
}

static void
changed_cb (UiContextList *self)
{
  ui_context_list_say (self, NULL);
}

static void
ui_context_list_dispose (GObject *object)
{
  UiContextList *self = UI_CONTEXT_LIST (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS (ui_context_list_parent_class)->dispose (object);
}

static void
ui_context_list_class_init (UiContextListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ui_context_list_dispose;
  signals[SIGNAL_AIMED] =
    g_signal_new ("aimed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
  signals[SIGNAL_ADDED] =
    g_signal_new ("sentence-added", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_REMOVED] =
    g_signal_new ("sentence-removed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ui_context_list_init (UiContextList *self)
{
  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->aim = -1;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->entry = gtk_entry_new ();
  self->said = ui_words_label_new (NULL, "dim-label");
  gtk_widget_set_visible (self->said, FALSE);
  gtk_entry_set_max_length (GTK_ENTRY (self->entry), 500);
  gtk_box_append (GTK_BOX (self->box), self->entry);
  gtk_box_append (GTK_BOX (self->box), self->said);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (changed_cb), self);
}

void
ui_context_list_set (UiContextList      *self,
                     const UiContextRow *rows,
                     int                 n_rows)
{
  g_return_if_fail (UI_IS_CONTEXT_LIST (self));

  for (int i = (int) self->rows->len; i < n_rows; i++) {
    Row *row = row_new ();

    gtk_box_insert_child_after (GTK_BOX (self->box), row->box,
                                i > 0 ? ((Row *) self->rows->pdata[i - 1])->box : NULL);
    g_ptr_array_add (self->rows, row);
  }
  self->n_used = n_rows;
  for (int i = 0; i < (int) self->rows->len; i++) {
    Row *row = self->rows->pdata[i];

    gtk_widget_set_visible (row->box, i < n_rows);
    if (i < n_rows)
      row_set (row, &rows[i]);
  }
}

void
ui_context_list_set_prompt (UiContextList *self,
                            const char    *prompt)
{
  g_return_if_fail (UI_IS_CONTEXT_LIST (self));

  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), prompt);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  prompt, -1);
}

void
ui_context_list_say (UiContextList *self,
                     const char    *sentence)
{
  g_return_if_fail (UI_IS_CONTEXT_LIST (self));

  gtk_label_set_text (GTK_LABEL (self->said), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->said, sentence != NULL);
}

void
ui_context_list_clear_entry (UiContextList *self)
{
  g_return_if_fail (UI_IS_CONTEXT_LIST (self));

  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

void
ui_context_list_set_aim (UiContextList *self,
                         int            row)
{
  g_return_if_fail (UI_IS_CONTEXT_LIST (self));

  for (int i = 0; i < self->n_used; i++) {
    GtkWidget *box = ((Row *) self->rows->pdata[i])->box;

    if (i == row)
      gtk_widget_add_css_class (box, "aimed");
    else
      gtk_widget_remove_css_class (box, "aimed");
  }
}

int
ui_context_list_get_aim (UiContextList *self)
{
  g_return_val_if_fail (UI_IS_CONTEXT_LIST (self), -1);

  return self->aim;
}
