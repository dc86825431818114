/* SPDX-License-Identifier: MIT */
#include "ui/lists/side-list.h"

#include <math.h>

#include "ui/controls/steady-label.h"
#include "ui/controls/words.h"
#include "ui/lists/change-row.h"
#include "ui/scene/views/side-changes.h"

#define N_ROWS 6
#define SMALLEST_FULL 0.01 /* of the unit: noise is not drawn large */

struct _UiSideList {
  GtkWidget  parent_instance;

  GtkWidget *box;
  GtkWidget *title;
  GtkWidget *rows[N_ROWS]; /* UiChangeRow */
};

G_DEFINE_FINAL_TYPE (UiSideList, ui_side_list, GTK_TYPE_WIDGET)

static char *
describe (const UiWeights    *weights,
          const UiSideChange *change,
          int                 side)
{
  return change->is_there[side] ? ui_describe_value (weights, change->values[side])
                                : g_strdup ("–");
}

static void
show_change (GtkWidget          *row,
             const UiWeights    *weights,
             const UiSideChange *change,
             double              full,
             UiTheme             theme)
{
  gboolean has_both = change->is_there[0] && change->is_there[1];
  double difference = has_both ? change->values[0] - change->values[1] : 0;
  g_autofree char *first = describe (weights, change, 0);
  g_autofree char *second = describe (weights, change, 1);
  g_autofree char *words = has_both ? ui_words_change (difference) : g_strdup ("");
  g_autofree char *sentence =
    g_strdup_printf ("%s: %s in This, %s in Other%s%s", change->name, first, second,
                     !has_both ? "" : difference != 0 ? ", difference " : ", ", words);
  const UiChangeRowTexts texts = {
    .name = change->name,
    .before = second,
    .after = first,
    .after_first = TRUE,
    .change = words,
    .move = "",
    .sentence = sentence,
    .value = difference,
    .full = full,
    .color = ui_palette_get (theme)->accent,
  };

  ui_change_row_set (UI_CHANGE_ROW (row), &texts);
}

static void
ui_side_list_dispose (GObject *object)
{
  g_clear_pointer (&UI_SIDE_LIST (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_side_list_parent_class)->dispose (object);
}

static void
ui_side_list_class_init (UiSideListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ui_side_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ui_side_list_init (UiSideList *self)
{
  GtkWidget *legend = gtk_label_new ("This, Other and This − Other");

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->title = ui_steady_label_new ("heading");
  gtk_box_append (GTK_BOX (self->box), self->title);
  gtk_label_set_xalign (GTK_LABEL (legend), 0);
  gtk_widget_add_css_class (legend, "dim-label");
  gtk_box_append (GTK_BOX (self->box), legend);
  for (int i = 0; i < N_ROWS; i++) {
    self->rows[i] = ui_change_row_new ();
    gtk_box_append (GTK_BOX (self->box), self->rows[i]);
  }
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ui_side_list_new (void)
{
  return g_object_new (UI_TYPE_SIDE_LIST, NULL);
}

void
ui_side_list_set (UiSideList   *self,
                  UiScene      *scene,
                  const UiItem *item,
                  UiTheme       theme)
{
  g_autoptr (GArray) changes = scene != NULL ? ui_side_changes_new (scene, item) : NULL;
  const UiWeights *weights;
  double full;

  g_return_if_fail (UI_IS_SIDE_LIST (self));

  gtk_widget_set_visible (GTK_WIDGET (self), changes != NULL && changes->len > 0);
  if (changes == NULL || changes->len == 0)
    return;

  weights = ui_scene_get_weights (scene);
  full = SMALLEST_FULL * weights->block.unit;
  for (guint i = 0; i < changes->len; i++) {
    const UiSideChange *change = &g_array_index (changes, UiSideChange, i);

    if (change->is_there[0] && change->is_there[1])
      full = MAX (full, fabs (change->values[0] - change->values[1]));
  }
  ui_steady_label_take_text (UI_STEADY_LABEL (self->title), ui_side_changes_title (scene, item));
  for (guint i = 0; i < N_ROWS; i++) {
    gtk_widget_set_visible (self->rows[i], i < changes->len);
    if (i < changes->len)
      show_change (self->rows[i], weights, &g_array_index (changes, UiSideChange, i), full, theme);
  }
}
