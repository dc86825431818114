/* SPDX-License-Identifier: MIT */
#include "ui/lists/changed-link-list.h"

#include "ui/controls/words.h"
#include "ui/scene/base/head-color.h"

#define N_ROWS 6
#define NUMBER_CHARS 5 /* "−0.47" */
#define COLUMN_GAP 8
#define MARK_SIZE "65%%"
#define MARK_RISE "4000" /* 1/1024 pt */

enum { COLUMN_NAME, COLUMN_THIS, COLUMN_OTHER, COLUMN_CHANGE, N_COLUMNS };

struct _UiChangedLinkList {
  UiRowList  parent_instance;

  GtkWidget   *heading[N_COLUMNS];
  GtkWidget   *cells[N_ROWS][N_COLUMNS];
  GtkWidget   *rows[N_ROWS];
  UiLinkChange links[N_ROWS];
};

G_DEFINE_FINAL_TYPE (UiChangedLinkList, ui_changed_link_list, UI_TYPE_ROW_LIST)

static GtkWidget *
new_cell (int column)
{
  GtkWidget *label = gtk_label_new (NULL);
  const gboolean is_name = column == COLUMN_NAME;

  gtk_label_set_xalign (GTK_LABEL (label), is_name ? 0 : 1);
  gtk_widget_set_hexpand (label, is_name);
  if (is_name)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  else
    gtk_label_set_width_chars (GTK_LABEL (label), NUMBER_CHARS);
  gtk_widget_add_css_class (label, is_name ? "name" : "numeric");
  return label;
}

static GtkWidget *
new_row (GtkWidget **cells)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, COLUMN_GAP);

  for (int column = 0; column < N_COLUMNS; column++) {
    cells[column] = new_cell (column);
    gtk_box_append (GTK_BOX (row), cells[column]);
  }
  return row;
}

static void
ui_changed_link_list_class_init (UiChangedLinkListClass *klass)
{
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "changedlinks");
}

static void
ui_changed_link_list_init (UiChangedLinkList *self)
{
  GtkWidget *heading = new_row (self->heading);

  gtk_label_set_text (GTK_LABEL (self->heading[COLUMN_NAME]), "Changed links");
  gtk_widget_add_css_class (self->heading[COLUMN_NAME], "heading");
  for (int column = COLUMN_THIS; column < N_COLUMNS; column++)
    gtk_widget_add_css_class (self->heading[column], "caption");
  gtk_widget_set_parent (heading, GTK_WIDGET (self));
  for (int i = 0; i < N_ROWS; i++) {
    self->rows[i] = new_row (self->cells[i]);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->rows[i]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, "", -1);
    gtk_widget_set_parent (self->rows[i], GTK_WIDGET (self));
    ui_row_list_add (UI_ROW_LIST (self), self->rows[i]);
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Changed links", -1);
}

GtkWidget *
ui_changed_link_list_new (void)
{
  return g_object_new (UI_TYPE_CHANGED_LINK_LIST, NULL);
}

/* Markup in a colour. */
static void
set_colored (GtkWidget  *label,
             const char *text,
             UiColor     color)
{
  g_autofree char *markup = g_markup_printf_escaped (
    "<span color=\"#%02x%02x%02x\">%s</span>", color.r, color.g, color.b, text);

  gtk_label_set_markup (GTK_LABEL (label), markup);
}

/* The token, of a pair with the letter of its sentence. */
static void
append_token (GString         *markup,
              const EngTokens *tokens,
              int              token,
              UiTheme          theme)
{
  g_autofree char *name = ui_words_name (tokens, token);
  g_autofree char *escaped = g_markup_escape_text (name, -1);
  const int segment = tokens->segments[token] != 0;
  const UiColor color = ui_palette_get (theme)->sentence[segment];

  g_string_append (markup, escaped);
  if (eng_tokens_has_pair (tokens))
    g_string_append_printf (markup, "<span size=\"" MARK_SIZE "\" rise=\"" MARK_RISE "\""
                            " weight=\"bold\" color=\"#%02x%02x%02x\">\xe2\x81\xa0%c</span>",
                            color.r, color.g, color.b, 'A' + segment);
}

/* Of several heads the number of the row's, in its colour. */
static void
append_head (GString       *markup,
             const UiScene *scene,
             int            head,
             UiTheme        theme)
{
  const UiWeights *weights = ui_scene_get_weights (scene);
  const UiColor color = ui_head_color_get (weights, theme, head);
  g_autofree char *name = ui_describe_lane (weights, head);

  if (weights->n_heads > 1)
    g_string_append_printf (markup, "<span size=\"small\" color=\"#%02x%02x%02x\">%s</span> ",
                            color.r, color.g, color.b, name);
}

static void
set_row (UiChangedLinkList  *self,
         int                 i,
         const UiLinkChange *link,
         const UiScene      *scenes[2],
         UiTheme             theme)
{
  const UiWeights *weights = ui_scene_get_weights (scenes[0]);
  const UiPalette *palette = ui_palette_get (theme);
  const double difference = link->values[0] - link->values[1];
  g_autofree char *values[] = {
    ui_describe_value (weights, link->values[0]), ui_describe_value (weights, link->values[1])
  };
  g_autofree char *change = ui_words_change (difference);
  g_autofree char *words = ui_words_link (weights->block.queries, link->queries[0],
                                          weights->block.keys, link->keys[0]);
  g_autofree char *sentence = g_strdup_printf ("%s: %s in This, %s in Other, change %s", words,
                                               values[0], values[1], change);
  g_autoptr (GString) name = g_string_new (NULL);

  append_head (name, scenes[0], link->heads[0], theme);
  append_token (name, weights->block.queries, link->queries[0], theme);
  g_string_append (name, " → ");
  append_token (name, weights->block.keys, link->keys[0], theme);
  gtk_label_set_markup (GTK_LABEL (self->cells[i][COLUMN_NAME]), name->str);
  gtk_label_set_text (GTK_LABEL (self->cells[i][COLUMN_THIS]), values[0]);
  set_colored (self->cells[i][COLUMN_OTHER], values[1], palette->dim);
  set_colored (self->cells[i][COLUMN_CHANGE], change,
               difference < 0 ? palette->negative : palette->positive);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rows[i]),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
}

void
ui_changed_link_list_set (UiChangedLinkList *self,
                          const GArray      *links,
                          const UiScene     *first,
                          const UiScene     *second,
                          UiTheme            theme)
{
  const UiScene *scenes[] = { first, second };
  const UiPalette *palette = ui_palette_get (theme);

  g_return_if_fail (UI_IS_CHANGED_LINK_LIST (self));

  ui_row_list_use (UI_ROW_LIST (self), (int) links->len, theme);
  set_colored (self->heading[COLUMN_THIS], ui_side_get_name (0), palette->side[0]);
  set_colored (self->heading[COLUMN_OTHER], ui_side_get_name (1), palette->side[1]);
  set_colored (self->heading[COLUMN_CHANGE], "change", palette->dim);
  for (int i = 0; i < ui_row_list_get_n (UI_ROW_LIST (self)); i++) {
    self->links[i] = g_array_index (links, UiLinkChange, i);
    set_row (self, i, &self->links[i], scenes, theme);
  }
}

gboolean
ui_changed_link_list_get_row (UiChangedLinkList *self,
                              int                row,
                              UiLinkChange      *link)
{
  g_return_val_if_fail (UI_IS_CHANGED_LINK_LIST (self), FALSE);

  if (row < 0 || row >= ui_row_list_get_n (UI_ROW_LIST (self)))
    return FALSE;

  *link = self->links[row];
  return TRUE;
}
