/* SPDX-License-Identifier: MIT */
#include "ui/lists/reading-list.h"

#include "ui/controls/bar-row.h"
#include "ui/controls/words.h"
#include "ui/scene/base/head-color.h"

#define N_ROWS 6

struct _UiReadingList {
  GtkWidget  parent_instance;

  GtkWidget *head;
  GtkWidget *heading;
  GtkWidget *full;         /* "full bar 0.5" */
  GtkWidget *rows[N_ROWS]; /* UiBarRow */
};

G_DEFINE_FINAL_TYPE (UiReadingList, ui_reading_list, GTK_TYPE_WIDGET)

/* Each head's part of the mean, so that the parts add up to the number beside them. */
static void
set_parts (UiBarRow        *row,
           const UiReading *reading,
           const UiWeights *weights,
           double           full,
           UiTheme          theme)
{
  g_autofree UiBarPart *parts = g_new (UiBarPart, MAX (1, weights->n_heads));

  for (int i = 0; i < weights->n_heads; i++) {
    int head = weights->heads[i];

    parts[i].value = reading->per_head[head] / weights->n_heads;
    parts[i].color = ui_head_color_get (weights, theme, head);
  }
  ui_bar_row_set_parts (row, parts, weights->n_heads, 0, full);
}

static void
set_row (UiReadingList   *self,
         UiBarRow        *row,
         const UiReading *reading,
         const UiWeights *weights,
         const EngTokens *tokens)
{
  const char *heading = gtk_label_get_text (GTK_LABEL (self->heading));
  g_autofree char *place = ui_words_place (tokens, reading->token);
  g_autofree char *token = ui_describe_token (tokens, reading->token);
  g_autofree char *value = ui_describe_value (weights, reading->weight);
  g_autofree char *sentence = g_strdup_printf ("%s %s with %s %s", heading, token,
                                               ui_describe_measure (weights), value);

  ui_bar_row_set (row, place, value, sentence);
}

static void
ui_reading_list_dispose (GObject *object)
{
  UiReadingList *self = UI_READING_LIST (object);

  g_clear_pointer (&self->head, gtk_widget_unparent);
  for (int i = 0; i < N_ROWS; i++)
    g_clear_pointer (&self->rows[i], gtk_widget_unparent);
  G_OBJECT_CLASS (ui_reading_list_parent_class)->dispose (object);
}

static void
ui_reading_list_class_init (UiReadingListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_reading_list_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
  gtk_widget_class_set_css_name (widget_class, "readinglist");
}

static void
ui_reading_list_init (UiReadingList *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);

  self->head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->heading = gtk_label_new (NULL);
  self->full = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->heading), 0);
  gtk_widget_set_hexpand (self->heading, TRUE);
  gtk_widget_add_css_class (self->heading, "heading");
  gtk_widget_add_css_class (self->full, "dim-label");
  gtk_widget_add_css_class (self->full, "caption");
  gtk_box_append (GTK_BOX (self->head), self->heading);
  gtk_box_append (GTK_BOX (self->head), self->full);
  gtk_widget_set_parent (self->head, GTK_WIDGET (self));
  for (int i = 0; i < N_ROWS; i++) {
    self->rows[i] = ui_bar_row_new ();
    gtk_widget_set_parent (self->rows[i], GTK_WIDGET (self));
  }
}

GtkWidget *
ui_reading_list_new (const char *heading)
{
  UiReadingList *self = g_object_new (UI_TYPE_READING_LIST, NULL);

  gtk_label_set_text (GTK_LABEL (self->heading), heading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, heading,
                                  -1);
  return GTK_WIDGET (self);
}

void
ui_reading_list_set (UiReadingList   *self,
                     GArray          *readings,
                     const UiWeights *weights,
                     const EngTokens *tokens,
                     double           full,
                     UiTheme          theme)
{
  g_autofree char *number = ui_words_number ("%g", full);
  g_autofree char *full_text = g_strdup_printf ("full bar %s", number);

  g_return_if_fail (UI_IS_READING_LIST (self));

  if (!g_str_equal (full_text, gtk_label_get_text (GTK_LABEL (self->full))))
    gtk_label_set_text (GTK_LABEL (self->full), full_text);
  for (int i = 0; i < N_ROWS; i++) {
    const gboolean is_used = i < (int) readings->len;

    gtk_widget_set_visible (self->rows[i], is_used);
    if (is_used) {
      const UiReading *reading = &g_array_index (readings, UiReading, i);

      set_row (self, UI_BAR_ROW (self->rows[i]), reading, weights, tokens);
      set_parts (UI_BAR_ROW (self->rows[i]), reading, weights, full, theme);
    }
  }
}
