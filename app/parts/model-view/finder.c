/* SPDX-License-Identifier: MIT */
/* The finder of patterns: each with the heads that show it most, found by the beginning of its
 * name. */
#include "app/parts/model-view/model-view-private.h"

#include <math.h>

#include "engine/trace/head-facts.h"

#define N_BEST 4 /* heads that are named of each pattern */
#define FINDING_CHARS 10 /* "11.11 0.86" */

typedef struct {
  UiCell cell;
  float  score;
} Finding;

static int
compare_findings (gconstpointer a,
                  gconstpointer b)
{
  float first = ((const Finding *) a)->score, second = ((const Finding *) b)->score;

  return (first < second) - (first > second);
}

/* The heads with the highest scores; scores that are no number do not take part. */
static int
find_best (AppModelViewPart *self,
           EngPattern        pattern,
           Finding          *best)
{
  EngKind kind = app_picture_get_shown (self->picture)->kind;
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (Finding));

  for (int layer = 0; layer < eng_trace_get_n_layers (app_study_get_trace (self->study), kind);
       layer++) {
    const EngHeadFacts *facts =
      eng_trace_get_head_facts (app_study_get_trace (self->study), kind, layer);

    for (int head = 0;
         head < eng_trace_get_n_heads (app_study_get_trace (self->study), kind) && facts != NULL;
         head++) {
      Finding finding = { { layer, head }, facts[head].scores[pattern] };

      if (!isnan (finding.score))
        g_array_append_val (findings, finding);
    }
  }
  g_array_sort (findings, compare_findings);
  for (guint i = 0; i < MIN (findings->len, N_BEST); i++)
    best[i] = g_array_index (findings, Finding, i);
  return (int) MIN (findings->len, N_BEST);
}

static void
go_to_head_cb (AppModelViewPart *self,
               GtkWidget        *button)
{
  const UiCell *cell = g_object_get_data (G_OBJECT (button), "cell");
  UiItem item = { .type = UI_ITEM_HEAD, .layer = cell->layer, .head = cell->head };

  gtk_menu_button_popdown (self->find_button);
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
  ui_scene_view_set_cursor (app_picture_get_view (self->picture), &item);
}

static GtkWidget *
new_finding (AppModelViewPart *self,
             const Finding    *finding)
{
  char score[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;
  g_autofree char *tooltip = g_strdup_printf ("Go to head %d of layer %d", finding->cell.head,
                                              finding->cell.layer);
  GtkWidget *button;
  GtkLabel *label;

  g_ascii_formatd (score, sizeof score, "%.2f", finding->score);
  text = g_strdup_printf ("%d.%d <span alpha='60%%'>%s</span>", finding->cell.layer,
                          finding->cell.head, score);
  button = gtk_button_new_with_label ("");
  label = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button)));
  gtk_label_set_markup (label, text);
  gtk_label_set_width_chars (label, FINDING_CHARS);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "finding");
  gtk_widget_set_tooltip_text (button, tooltip);
  g_object_set_data_full (G_OBJECT (button), "cell",
                          g_memdup2 (&finding->cell, sizeof finding->cell), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (go_to_head_cb), self, G_CONNECT_SWAPPED);
  return button;
}

/* NULL where no head has a score. */
static GtkWidget *
new_pattern_row (AppModelViewPart *self,
                 EngPattern        pattern)
{
  Finding best[N_BEST];
  int n = find_best (self, pattern, best);
  GtkWidget *row, *box, *label;

  if (n == 0)
    return NULL;
  row = gtk_list_box_row_new ();
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  label = g_object_new (GTK_TYPE_LABEL,
                        "label", eng_pattern_get_title (pattern),
                        "xalign", 0.0f,
                        "hexpand", TRUE,
                        "margin-end", 12,
                        NULL);
  gtk_box_append (GTK_BOX (box), label);
  for (int i = 0; i < n; i++)
    gtk_box_append (GTK_BOX (box), new_finding (self, &best[i]));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "pattern", GINT_TO_POINTER (pattern));
  g_object_set_data_full (G_OBJECT (row), "cell", g_memdup2 (&best[0].cell, sizeof best[0].cell),
                          g_free);
  return row;
}

/* What stands there while no row does. */
static void
set_finder_hint (AppModelViewPart *self,
                 const char       *sentence)
{
  GtkWidget *hint = gtk_label_new (sentence);

  gtk_widget_add_css_class (hint, "dim-label");
  gtk_list_box_set_placeholder (self->finder_list, hint);
}

void
app_model_view_part_update_finder (AppModelViewPart *self)
{
  GtkWidget *row;

  if (!gtk_widget_get_visible (GTK_WIDGET (gtk_menu_button_get_popover (self->find_button))))
    return;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->finder_list))) != NULL
         && GTK_IS_LIST_BOX_ROW (row))
    gtk_list_box_remove (self->finder_list, row);
  set_finder_hint (self, "Measuring the heads…");
  if (app_picture_get_shown (self->picture) == NULL
      || !app_model_view_part_ensure_facts (self, app_picture_get_shown (self->picture)->kind))
    return;
  set_finder_hint (self, "No pattern of this name");
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++) {
    row = new_pattern_row (self, (EngPattern) pattern);
    if (row != NULL)
      gtk_list_box_append (self->finder_list, row);
  }
}

/* By the beginning of the name or of any word of the title. */
static gboolean
matches (GtkListBoxRow *row,
         gpointer       data)
{
  AppModelViewPart *self = data;
  EngPattern pattern =
    (EngPattern) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "pattern"));
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->finder_entry));

  return *text == '\0' || g_str_match_string (text, eng_pattern_get_title (pattern), TRUE)
         || g_str_match_string (text, eng_pattern_get_name (pattern), TRUE);
}

static void
row_activated_cb (AppModelViewPart *self,
                  GtkListBoxRow    *row)
{
  go_to_head_cb (self, GTK_WIDGET (row));
}

/* Return in the entry takes the first row that is left. */
static void
finder_activated_cb (AppModelViewPart *self)
{
  for (int i = 0; ; i++) {
    GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->finder_list, i);

    if (row == NULL)
      return;
    if (gtk_widget_get_child_visible (GTK_WIDGET (row))) {
      row_activated_cb (self, row);
      return;
    }
  }
}

static void
finder_shown_cb (AppModelViewPart *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->finder_entry), "");
  app_model_view_part_update_finder (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->finder_entry));
}

void
app_model_view_part_add_finder (AppModelViewPart *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->finder_entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  g_object_set (self->finder_entry, "placeholder-text", "Pattern: next, separator, …", NULL);
  self->finder_list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->finder_list, GTK_SELECTION_NONE);
  gtk_list_box_set_filter_func (self->finder_list, matches, self, NULL);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->finder_entry));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->finder_list));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect_swapped (self->finder_entry, "changed",
                            G_CALLBACK (gtk_list_box_invalidate_filter), self->finder_list);
  g_signal_connect_object (self->finder_entry, "activate", G_CALLBACK (finder_activated_cb), self,
                           G_CONNECT_SWAPPED);
  /* The entry takes Escape for itself. */
  g_signal_connect_swapped (self->finder_entry, "stop-search",
                            G_CALLBACK (gtk_menu_button_popdown), self->find_button);
  g_signal_connect_swapped (self->finder_list, "row-activated", G_CALLBACK (row_activated_cb),
                            self);
  g_signal_connect_object (popover, "show", G_CALLBACK (finder_shown_cb), self, G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (self->find_button, popover);
}
