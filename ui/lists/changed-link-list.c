/* SPDX-License-Identifier: MIT */
#include "ui/lists/changed-link-list.h"

#include "ui/controls/words.h"
#include "ui/lists/token-label.h"
#include "ui/scene/base/head-color.h"

#define N_ROWS 6
#define NUMBER_CHARS 5 /* "−0.47" */
#define COLUMN_GAP 8

/* Of a row's name: a token is shortened by itself, head and arrow stay. */
enum { NAME_HEAD, NAME_QUERY, NAME_ARROW, NAME_KEY, N_NAMES };
enum { COLUMN_THIS, COLUMN_OTHER, COLUMN_CHANGE, N_COLUMNS };

struct _UiChangedLinkList {
  UiRowList  parent_instance;

  GtkWidget   *heading[N_COLUMNS];
  GtkWidget   *cells[N_ROWS][N_COLUMNS];
  GtkWidget   *names[N_ROWS][N_NAMES];
  GtkWidget   *rows[N_ROWS];
  UiLinkChange links[N_ROWS];
  char        *links_in_words[N_ROWS];
};

G_DEFINE_FINAL_TYPE (UiChangedLinkList, ui_changed_link_list, UI_TYPE_ROW_LIST)

static GtkWidget *
new_number (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_width_chars (GTK_LABEL (label), NUMBER_CHARS);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* The longer token gives way first, as in every box. */
static GtkWidget *
new_name (GtkWidget **names)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  for (int part = 0; part < N_NAMES; part++) {
    names[part] = part == NAME_QUERY || part == NAME_KEY
                  ? ui_token_label_new () : gtk_label_new (part == NAME_ARROW ? " → " : NULL);
    gtk_box_append (GTK_BOX (box), names[part]);
  }
  return box;
}

/* What a row cuts is in its tooltip; else that would say what stands there, over the rows below. */
static gboolean
query_tooltip_cb (UiChangedLinkList *self,
                  int                x,
                  int                y,
                  gboolean           is_keyboard,
                  GtkTooltip        *tooltip,
                  GtkWidget         *row)
{
  for (int i = 0; i < N_ROWS; i++)
    if (self->rows[i] == row
        && (ui_token_label_is_cut (UI_TOKEN_LABEL (self->names[i][NAME_QUERY]))
            || ui_token_label_is_cut (UI_TOKEN_LABEL (self->names[i][NAME_KEY])))) {
      gtk_tooltip_set_text (tooltip, self->links_in_words[i]);
      return TRUE;
    }
  return FALSE;
}

/* Takes the name over. */
static GtkWidget *
new_row (GtkWidget  *name,
         GtkWidget **cells)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, COLUMN_GAP);

  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (row), name);
  for (int column = 0; column < N_COLUMNS; column++) {
    cells[column] = new_number ();
    gtk_box_append (GTK_BOX (row), cells[column]);
  }
  return row;
}

static void
ui_changed_link_list_finalize (GObject *object)
{
  for (int i = 0; i < N_ROWS; i++)
    g_free (UI_CHANGED_LINK_LIST (object)->links_in_words[i]);
  G_OBJECT_CLASS (ui_changed_link_list_parent_class)->finalize (object);
}

static void
ui_changed_link_list_class_init (UiChangedLinkListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ui_changed_link_list_finalize;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "changedlinks");
}

static void
ui_changed_link_list_init (UiChangedLinkList *self)
{
  GtkWidget *title = gtk_label_new ("Changed links");
  GtkWidget *heading = new_row (title, self->heading);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (title, "heading");
  for (int column = 0; column < N_COLUMNS; column++)
    gtk_widget_add_css_class (self->heading[column], "caption");
  gtk_widget_set_parent (heading, GTK_WIDGET (self));
  for (int i = 0; i < N_ROWS; i++) {
    self->rows[i] = new_row (new_name (self->names[i]), self->cells[i]);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->rows[i]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, "", -1);
    gtk_widget_set_has_tooltip (self->rows[i], TRUE);
    g_signal_connect_object (self->rows[i], "query-tooltip", G_CALLBACK (query_tooltip_cb), self,
                             G_CONNECT_SWAPPED);
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

/* The token, of a pair with the letter of its sentence, else with its number. */
static void
set_token (GtkWidget       *label,
           const EngTokens *tokens,
           int              token,
           UiTheme          theme)
{
  const gboolean has_pair = eng_tokens_has_pair (tokens);
  const int segment = tokens->segments[token] != 0;
  g_autofree char *name = has_pair ? ui_words_name (tokens, token) : ui_words_place (tokens, token);
  g_autofree char *brief = has_pair ? ui_words_brief_name (tokens, token)
                                    : ui_words_brief_place (tokens, token);

  ui_token_label_set (UI_TOKEN_LABEL (label), name, brief, has_pair ? (char) ('A' + segment) : 0,
                      ui_palette_get (theme)->sentence[segment]);
}

/* Of several heads the number of the row's, in its colour. */
static void
set_head (GtkWidget     *label,
          const UiScene *scene,
          int            head,
          UiTheme        theme)
{
  const UiWeights *weights = ui_scene_get_weights (scene);
  const UiColor color = ui_head_color_get (weights, theme, head);
  g_autofree char *name = ui_describe_lane (weights, head);
  g_autofree char *markup = g_strdup_printf (
    "<span size=\"small\" color=\"#%02x%02x%02x\">%s</span> ", color.r, color.g, color.b, name);

  gtk_widget_set_visible (label, weights->n_heads > 1);
  gtk_label_set_markup (GTK_LABEL (label), markup);
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
  g_autofree char *this = ui_describe_value (weights, link->values[0]);
  g_autofree char *other = ui_describe_value (weights, link->values[1]);
  g_autofree char *change = ui_words_change (difference);
  g_autofree char *words = ui_words_link (weights->block.queries, link->queries[0],
                                          weights->block.keys, link->keys[0]);
  g_autofree char *sentence = g_strdup_printf ("%s: %s in This, %s in Other, change %s", words,
                                               this, other, change);

  set_head (self->names[i][NAME_HEAD], scenes[0], link->heads[0], theme);
  set_token (self->names[i][NAME_QUERY], weights->block.queries, link->queries[0], theme);
  set_token (self->names[i][NAME_KEY], weights->block.keys, link->keys[0], theme);
  gtk_label_set_text (GTK_LABEL (self->cells[i][COLUMN_THIS]), this);
  set_colored (self->cells[i][COLUMN_OTHER], other, palette->dim);
  set_colored (self->cells[i][COLUMN_CHANGE], change,
               difference < 0 ? palette->negative : palette->positive);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rows[i]),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
  g_free (self->links_in_words[i]);
  self->links_in_words[i] = g_steal_pointer (&words);
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
