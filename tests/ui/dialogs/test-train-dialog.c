/* SPDX-License-Identifier: MIT */
/* What can be chosen is read whole, with little room and with large letters; what is wrong is seen. */
#include "ui/dialogs/train-dialog.h"

#include "tests/support/window/widget-driver.h"

#define N_PRESETS 3
#define NAMES(name) name, name "-p", name "-h", name "-p-h"

static const char *const presets[] = { "Repeat letters · 2 min", "Reverse letters · 2 min",
                                       "From a text file", NULL };
static const char *const notes[N_PRESETS + 1] = {
  "From nothing: “f k z f k z f k …”. What comes next is the letter that followed last time.",
  "From nothing: “k c p = p c k”. Behind the sign stand the same letters from the last to the first.",
  "", NULL
};
static const double minutes[N_PRESETS] = { 2, 2, 10 };
static const char *const tasks[] = { "Masked words", "Classes of pairs", NULL };
static const char *const lines[] = {
  "A line of the file is a text",
  "A line of the file is a text, a tab, another, a tab, their label", NULL
};
static const char *const models[] = { "A new one, tiny", "A new one, small", NULL };
static const char *const names[] = { NAMES ("repeat"), NAMES ("reverse"), NAMES ("my-model"), NULL };
static const char *const switches[] = { "Without positions", "One head a layer", NULL };
static const char *const switch_notes[] = {
  "No token knows where it stands; all that is left is which ones are before it",
  "As wide as the four heads that a layer has otherwise", NULL
};
static const UiTrainOffer offer = {
  presets, notes, minutes, tasks, lines, models, names, switches, switch_notes
};

typedef struct {
  GtkWindow *parent;
  GtkWidget *dialog;
} Fixture;

/* In percent of the size that letters have otherwise. */
static void
set_letters (int percent)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * percent / 100, NULL);
}

static void
set_up (Fixture       *self,
        gconstpointer  percent)
{
  set_letters (percent != NULL ? GPOINTER_TO_INT (percent) : 100);
  self->parent = driver_show (gtk_label_new ("parent"), 300, 200);
  self->dialog = ui_train_dialog_new (self->parent, &offer, 1, "/models");
  gtk_window_present (GTK_WINDOW (self->dialog));
  driver_settle (self->dialog);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  gtk_window_destroy (GTK_WINDOW (self->dialog));
  gtk_window_destroy (self->parent);
  set_letters (100);
}

static void
choose (Fixture *self,
        int      row,
        int      choice)
{
  adw_combo_row_set_selected (ADW_COMBO_ROW (driver_find (self->dialog, ADW_TYPE_COMBO_ROW, row)),
                              (guint) choice);
  driver_settle (self->dialog);
}

/* No label that is seen ends in dots. */
static void
assert_whole (Fixture *self)
{
  GtkWidget *label;
  int n = 0;

  for (int i = 0; (label = driver_find (self->dialog, GTK_TYPE_LABEL, i)) != NULL; i++) {
    if (!gtk_widget_get_mapped (label))
      continue;
    if (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))))
      g_error ("“%s” is cut off", gtk_label_get_label (GTK_LABEL (label)));
    n++;
  }
  g_assert_cmpint (n, >, 8);
}

/* Whatever is chosen, with the letters of the fixture. */
static void
test_whole (Fixture       *self,
            gconstpointer  percent)
{
  for (int preset = 0; preset < N_PRESETS; preset++) {
    choose (self, 0, preset);
    assert_whole (self);
  }
  for (int task = 0; tasks[task] != NULL; task++) {
    choose (self, 1, task);
    assert_whole (self);
  }
}

/* Nothing has to be scrolled for where the screen has the room. */
static void
test_size (Fixture       *self,
           gconstpointer  percent)
{
  GtkWidget *scroller = driver_find (self->dialog, GTK_TYPE_SCROLLED_WINDOW, 0);
  GtkAdjustment *adjustment =
    gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  for (int preset = 0; preset < N_PRESETS; preset++) {
    choose (self, 0, preset);
    g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), <=,
                       gtk_adjustment_get_page_size (adjustment));
  }
}

/* Below what is scrolled, so that it is in sight in any case. */
static void
test_refused (Fixture       *self,
              gconstpointer  percent)
{
  GtkWidget *scroller = driver_find (self->dialog, GTK_TYPE_SCROLLED_WINDOW, 0);
  GtkWidget *problem;

  ui_train_dialog_refuse (UI_TRAIN_DIALOG (self->dialog), "texts.txt:2: the line is not UTF-8.");
  driver_settle (self->dialog);
  problem = driver_find_label (self->dialog, "texts.txt:2: the line is not UTF-8.");
  g_assert_nonnull (problem);
  g_assert_true (gtk_widget_get_mapped (problem));
  g_assert_false (gtk_widget_is_ancestor (problem, scroller));
}

/* What was wrong with one choice is not said of the next one, whatever of it was changed. */
static void
test_changed (Fixture       *self,
              gconstpointer  percent)
{
  enum { PRESET, TASK, MODEL, SWITCH, MINUTES, NAME, FILE_ROW, N_CHANGES };

  for (int change = 0; change < N_CHANGES; change++) {
    GtkWidget *minutes_button = driver_find (self->dialog, GTK_TYPE_SPIN_BUTTON, 0);
    GtkWidget *name_row = driver_find (self->dialog, ADW_TYPE_ENTRY_ROW, 0);
    GtkWidget *first_switch = driver_find (self->dialog, GTK_TYPE_SWITCH, 0);
    GtkWidget *problem;

    choose (self, 0, change == SWITCH ? 0 : N_PRESETS - 1);
    ui_train_dialog_refuse (UI_TRAIN_DIALOG (self->dialog), "There is no room.");
    problem = driver_find_label (self->dialog, "There is no room.");
    g_assert_true (gtk_widget_get_visible (problem));
    if (change == PRESET)
      choose (self, 0, 1);
    else if (change == TASK)
      choose (self, 1, 0);
    else if (change == MODEL)
      choose (self, 2, 1);
    else if (change == SWITCH)
      gtk_switch_set_active (GTK_SWITCH (first_switch), TRUE);
    else if (change == MINUTES)
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (minutes_button), 3);
    else if (change == NAME)
      gtk_editable_set_text (GTK_EDITABLE (name_row), "another");
    else
      ui_train_dialog_set_file (UI_TRAIN_DIALOG (self->dialog), "/texts.txt");
    g_test_message ("change %d", change);
    g_assert_false (gtk_widget_get_visible (problem));
  }
}

#define ADD(name, percent, func)                                                                  \
  g_test_add ("/train-dialog/" name, Fixture, GINT_TO_POINTER (percent), set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;
  adw_init ();

  ADD ("whole", 100, test_whole);
  ADD ("whole-150", 150, test_whole);
  ADD ("whole-200", 200, test_whole);
  ADD ("size", 100, test_size);
  ADD ("size-150", 150, test_size);
  ADD ("refused", 100, test_refused);
  ADD ("refused-200", 200, test_refused);
  ADD ("changed", 100, test_changed);

  return g_test_run ();
}
