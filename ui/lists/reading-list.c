/* SPDX-License-Identifier: MIT */
#include "ui/lists/reading-list.h"


#include "ui/controls/bar-row.h"
#include "ui/controls/words.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/base/readings.h"

#define N_ROWS 6

struct _UiReadingList {
  UiRowList  parent_instance;

  GtkWidget *heading;
  GtkWidget *full;         /* "full bar 0.5" */
  GtkWidget *rows[N_ROWS]; /* UiBarRow */
  int        tokens[N_ROWS];
  int        queries[N_ROWS]; /* of links */
  int        heads[N_ROWS]; /* that has most of it */
  UiTheme    theme;
  gboolean   has_pair;
};

G_DEFINE_FINAL_TYPE (UiReadingList, ui_reading_list, UI_TYPE_ROW_LIST)

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

static int
find_strongest (const UiReading *reading,
                const UiWeights *weights)
{
  int strongest = weights->heads[0];

  for (int i = 1; i < weights->n_heads; i++)
    if (reading->per_head[weights->heads[i]] > reading->per_head[strongest])
      strongest = weights->heads[i];
  return strongest;
}

/* The letter of its sentence tells a token of a pair, if that sentence has no other one like it. */
static gboolean
is_told_by_letter (UiReadingList   *self,
                   const EngTokens *tokens,
                   int              token)
{
  if (!self->has_pair || !eng_tokens_has_pair (tokens))
    return FALSE;
  for (int i = 0; i < tokens->n; i++)
    if (i != token && tokens->segments[i] == tokens->segments[token]
        && g_str_equal (tokens->texts[i], tokens->texts[token])
        && g_strcmp0 (tokens->typed[i], tokens->typed[token]) == 0)
      return FALSE;
  return TRUE;
}

/* Tokens of one text stand with their index, as a word may be there twice. */
static char *
name_token (UiReadingList   *self,
            const EngTokens *tokens,
            int              token)
{
  return is_told_by_letter (self, tokens, token) ? ui_words_name (tokens, token)
                                                 : ui_words_place (tokens, token);
}

static char *
name_token_briefly (UiReadingList   *self,
                    const EngTokens *tokens,
                    int              token)
{
  return is_told_by_letter (self, tokens, token) ? ui_words_brief_name (tokens, token)
                                                 : ui_words_brief_place (tokens, token);
}

static void
set_row (UiReadingList   *self,
         UiBarRow        *row,
         const UiReading *reading,
         const UiWeights *weights,
         const EngTokens *tokens)
{
  const char *heading = gtk_label_get_text (GTK_LABEL (self->heading));
  const gboolean is_marked = self->has_pair && eng_tokens_has_pair (tokens);
  const int segment = tokens->segments[reading->token] != 0;
  g_autofree char *place = name_token (self, tokens, reading->token);
  g_autofree char *brief = name_token_briefly (self, tokens, reading->token);
  g_autofree char *token = ui_describe_token (tokens, reading->token);
  g_autofree char *value = ui_describe_value (weights, reading->weight);
  g_autofree char *sentence = g_strdup_printf ("%s %s with %s %s", heading, token,
                                               ui_describe_measure (weights), value);

  ui_bar_row_set_mark (row, is_marked ? (char) ('A' + segment) : 0,
                       ui_palette_get (self->theme)->sentence[segment]);
  ui_bar_row_set_brief (row, brief);
  ui_bar_row_set (row, place, value, sentence);
}

static void
ui_reading_list_class_init (UiReadingListClass *klass)
{
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "readinglist");
}

static void
ui_reading_list_init (UiReadingList *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->heading = gtk_label_new (NULL);
  self->full = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->heading), 0);
  gtk_widget_set_hexpand (self->heading, TRUE);
  gtk_widget_add_css_class (self->heading, "heading");
  gtk_widget_add_css_class (self->full, "dim-label");
  gtk_widget_add_css_class (self->full, "caption");
  gtk_box_append (GTK_BOX (head), self->heading);
  gtk_box_append (GTK_BOX (head), self->full);
  gtk_widget_set_parent (head, GTK_WIDGET (self));
}

static GtkWidget *
list_new (const char  *heading,
          GtkWidget * (*row_new) (void))
{
  UiReadingList *self = g_object_new (UI_TYPE_READING_LIST, NULL);

  for (int i = 0; i < N_ROWS; i++) {
    self->rows[i] = row_new ();
    gtk_widget_set_parent (self->rows[i], GTK_WIDGET (self));
    ui_row_list_add (UI_ROW_LIST (self), self->rows[i]);
    /* It would cover the rows below, and the picture shows the link. */
    gtk_widget_set_has_tooltip (self->rows[i], FALSE);
  }
  gtk_label_set_text (GTK_LABEL (self->heading), heading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, heading,
                                  -1);
  return GTK_WIDGET (self);
}

GtkWidget *
ui_reading_list_new (const char *heading)
{
  return list_new (heading, ui_bar_row_new);
}

GtkWidget *
ui_reading_list_new_links (const char *heading)
{
  return list_new (heading, ui_bar_row_new_wide);
}

static void
begin_rows (UiReadingList *self,
            guint          n,
            double         full,
            gboolean       has_pair,
            UiTheme        theme)
{
  g_autofree char *number = ui_words_number ("%g", full);
  g_autofree char *full_text = g_strdup_printf ("full bar %s", number);

  if (!g_str_equal (full_text, gtk_label_get_text (GTK_LABEL (self->full))))
    gtk_label_set_text (GTK_LABEL (self->full), full_text);
  self->theme = theme;
  self->has_pair = has_pair;
  ui_row_list_use (UI_ROW_LIST (self), (int) n, theme);
}

void
ui_reading_list_set (UiReadingList   *self,
                     GArray          *readings,
                     const UiWeights *weights,
                     const EngTokens *tokens,
                     double           full,
                     gboolean         has_pair,
                     UiTheme          theme)
{
  g_return_if_fail (UI_IS_READING_LIST (self));

  begin_rows (self, readings->len, full, has_pair, theme);
  for (int i = 0; i < ui_row_list_get_n (UI_ROW_LIST (self)); i++) {
    const UiReading *reading = &g_array_index (readings, UiReading, i);

    self->tokens[i] = reading->token;
    self->heads[i] = find_strongest (reading, weights);
    set_row (self, UI_BAR_ROW (self->rows[i]), reading, weights, tokens);
    set_parts (UI_BAR_ROW (self->rows[i]), reading, weights, full, theme);
  }
}

static void
set_link (UiReadingList       *self,
          UiBarRow            *row,
          const UiLinkReading *link,
          const UiWeights     *weights,
          const EngTokens     *queries,
          const EngTokens     *keys)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const gboolean is_marked = self->has_pair && eng_tokens_has_pair (queries);
  const int of_query = queries->segments[link->query] != 0;
  const int of_key = keys->segments[link->key] != 0;
  g_autofree char *query_name = name_token (self, queries, link->query);
  g_autofree char *key_name = name_token (self, keys, link->key);
  g_autofree char *query_brief = name_token_briefly (self, queries, link->query);
  g_autofree char *key_brief = name_token_briefly (self, keys, link->key);
  g_autofree char *query = ui_describe_token (queries, link->query);
  g_autofree char *key = ui_describe_token (keys, link->key);
  g_autofree char *value = ui_describe_value (weights, link->weight);
  g_autofree char *sentence = g_strdup_printf ("%s reads %s with %s %s", query, key,
                                               ui_describe_measure (weights), value);

  ui_bar_row_set_mark (row, is_marked ? (char) ('A' + of_query) : 0, palette->sentence[of_query]);
  ui_bar_row_set_brief (row, query_brief);
  ui_bar_row_set_key (row, key_name, key_brief, is_marked ? (char) ('A' + of_key) : 0,
                      palette->sentence[of_key]);
  ui_bar_row_set (row, query_name, value, sentence);
}

void
ui_reading_list_set_links (UiReadingList   *self,
                           GArray          *links,
                           const UiWeights *weights,
                           const EngTokens *queries,
                           const EngTokens *keys,
                           double           full,
                           gboolean         has_pair,
                           UiTheme          theme)
{
  g_return_if_fail (UI_IS_READING_LIST (self));

  begin_rows (self, links->len, full, has_pair, theme);
  for (int i = 0; i < ui_row_list_get_n (UI_ROW_LIST (self)); i++) {
    const UiLinkReading *link = &g_array_index (links, UiLinkReading, i);
    const UiBarPart part = { link->weight, ui_head_color_get (weights, theme, link->head) };

    self->tokens[i] = link->key;
    self->queries[i] = link->query;
    self->heads[i] = link->head;
    set_link (self, UI_BAR_ROW (self->rows[i]), link, weights, queries, keys);
    ui_bar_row_set_parts (UI_BAR_ROW (self->rows[i]), &part, 1, 0, full);
  }
}

int
ui_reading_list_get_query (UiReadingList *self,
                           int            row)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self) && row >= 0
                        && row < ui_row_list_get_n (UI_ROW_LIST (self)), -1);

  return self->queries[row];
}

gboolean
ui_reading_list_get_row (UiReadingList *self,
                         int            row,
                         int           *token,
                         int           *head)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self), FALSE);

  if (row < 0 || row >= ui_row_list_get_n (UI_ROW_LIST (self)))
    return FALSE;

  *token = self->tokens[row];
  *head = self->heads[row];
  return TRUE;
}
