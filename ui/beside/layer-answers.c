/* SPDX-License-Identifier: MIT */
#include "ui/beside/layer-answers.h"

#include "ui/controls/bar-row.h"
#include "ui/controls/words.h"
#include "ui/document/bidi.h"
#include "ui/scene/sinks/text.h"

#define MOST_ROWS 13 /* of twelve layers; beyond that those that say the same share one */

struct _UiLayerAnswers {
  GtkWidget  parent_instance;

  GtkWidget *box;  /* of UiBarRow */
};

G_DEFINE_FINAL_TYPE (UiLayerAnswers, ui_layer_answers, GTK_TYPE_WIDGET)

static const EngCandidate *
get_best (const EngLayerAnswers *answers,
          int                    layer)
{
  return &answers->candidates[layer * answers->n_candidates];
}

static char *
dup_word (const EngCandidate *candidate)
{
  g_autofree char *text = g_strstrip (g_strdup (candidate->text));
  g_autofree char *word = *text != '\0' ? ui_text_make_visible (text) : NULL;

  return word != NULL ? ui_bidi_isolate (word) : g_strdup_printf ("<id %d>", candidate->index);
}

/* States i leave layer i - 1. */
static char *
dup_place (int first,
           int last)
{
  if (last == 0)
    return g_strdup ("start");
  if (first == 0)
    return g_strdup_printf ("start–%d", last - 1);
  return first == last ? g_strdup_printf ("layer %d", last - 1)
                       : g_strdup_printf ("%d–%d", first - 1, last - 1);
}

/* "Behind layer 2: “coffee” 0.31, “tea” 0.12, “water” 0.08" */
static char *
dup_sentence (const EngLayerAnswers *answers,
              int                    layer)
{
  GString *sentence = g_string_new (NULL);

  if (layer == 0)
    g_string_append (sentence, "Before the layers");
  else
    g_string_append_printf (sentence, "Behind layer %d", layer - 1);
  for (int i = 0; i < answers->n_candidates; i++) {
    const EngCandidate *candidate = get_best (answers, layer) + i;
    g_autofree char *word = dup_word (candidate);
    g_autofree char *number = ui_describe_weight (candidate->probability);

    g_string_append_printf (sentence, "%s “%s” %s", i == 0 ? ":" : ",", word, number);
  }

  return g_string_free (sentence, FALSE);
}

static GtkWidget *
ensure_row (UiLayerAnswers *self,
            GtkWidget      *before)
{
  GtkWidget *row = before != NULL ? gtk_widget_get_next_sibling (before)
                                  : gtk_widget_get_first_child (self->box);

  if (row == NULL) {
    row = ui_bar_row_new_wide ();
    gtk_box_append (GTK_BOX (self->box), row);
  }
  gtk_widget_set_visible (row, TRUE);

  return row;
}

static void
set_row (GtkWidget             *row,
         const EngLayerAnswers *answers,
         int                    first,
         int                    last,
         UiColor                color)
{
  const EngCandidate *best = get_best (answers, last);
  const UiBarPart part = { best->probability, color };
  g_autofree char *place = dup_place (first, last);
  g_autofree char *word = dup_word (best);
  g_autofree char *number = ui_describe_weight (best->probability);
  g_autofree char *sentence = dup_sentence (answers, last);

  ui_bar_row_set_key (UI_BAR_ROW (row), word, NULL, 0, color);
  ui_bar_row_set (UI_BAR_ROW (row), place, number, sentence);
  ui_bar_row_set_parts (UI_BAR_ROW (row), &part, 1, 0, 1);
}

static void
ui_layer_answers_dispose (GObject *object)
{
  g_clear_pointer (&UI_LAYER_ANSWERS (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_layer_answers_parent_class)->dispose (object);
}

static void
ui_layer_answers_class_init (UiLayerAnswersClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ui_layer_answers_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ui_layer_answers_init (UiLayerAnswers *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

void
ui_layer_answers_set (UiLayerAnswers        *self,
                      const EngLayerAnswers *answers,
                      int                    settled,
                      UiTheme                theme)
{
  const UiPalette *palette = ui_palette_get (theme);
  GtkWidget *row = NULL, *rest;
  int last;

  g_return_if_fail (UI_IS_LAYER_ANSWERS (self));

  for (int first = 0; answers != NULL && first < answers->n_layers; first = last + 1) {
    last = first;
    while (answers->n_layers > MOST_ROWS && last + 1 < answers->n_layers
           && get_best (answers, last + 1)->index == get_best (answers, first)->index)
      last++;
    row = ensure_row (self, row);
    set_row (row, answers, first, last, first >= settled ? palette->accent : palette->dim);
  }
  rest = row != NULL ? gtk_widget_get_next_sibling (row) : gtk_widget_get_first_child (self->box);
  for (; rest != NULL; rest = gtk_widget_get_next_sibling (rest))
    gtk_widget_set_visible (rest, FALSE);
}
