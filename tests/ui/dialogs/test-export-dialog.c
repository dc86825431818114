/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/export-words.h"

#include <locale.h>

#include "tests/support/made-trace.h"
#include "tests/support/window/widget-driver.h"

typedef struct {
  GtkWindow  *parent;
  GtkWidget  *dialog;
  EngTrace   *trace;
  EngTrace   *second; /* NULL = none */
  UiDocument *document;
  gboolean    is_asked;
  UiDocument *exported;
  int         format;
} Fixture;

static void
export_cb (Fixture    *self,
           UiDocument *document,
           int         format)
{
  g_assert_null (self->exported);
  self->exported = ui_document_copy (document);
  self->format = format;
}

static void
open_dialog (Fixture        *self,
             UiExportFormat  format)
{
  self->dialog = ui_export_dialog_new (self->parent, self->trace, self->second, self->document,
                                       self->is_asked, format);
  g_object_add_weak_pointer (G_OBJECT (self->dialog), (gpointer *) &self->dialog);
  g_signal_connect_swapped (self->dialog, "export", G_CALLBACK (export_cb), self);
  gtk_window_present (GTK_WINDOW (self->dialog));
  driver_settle (self->dialog);
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->parent = driver_show (gtk_label_new ("parent"), 300, 200);
  self->trace = made_trace_new (4, 3, 4, 2);
  self->document = ui_document_new ();
  self->document->width_cm = 12;
  ui_pins_click (&self->document->pins, FALSE, 2, FALSE);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_null (self->dialog);
  gtk_window_destroy (self->parent);
  g_clear_pointer (&self->exported, ui_document_free);
  ui_document_free (self->document);
  eng_trace_unref (self->trace);
}

static GtkWidget *
find_button (Fixture    *self,
             const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (self->dialog, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0)
      return button;
  g_assert_not_reached ();
}

static GtkWidget *
find_row (Fixture    *self,
          const char *title)
{
  GtkWidget *row;

  for (int i = 0; (row = driver_find (self->dialog, ADW_TYPE_PREFERENCES_ROW, i)) != NULL; i++)
    if (g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), title))
      return row;
  g_assert_not_reached ();
}

static GtkSpinButton *
find_spin (Fixture    *self,
           const char *title)
{
  return GTK_SPIN_BUTTON (driver_find (find_row (self, title), GTK_TYPE_SPIN_BUTTON, 0));
}

static void
test_unchanged (Fixture       *self,
                gconstpointer  unused)
{
  open_dialog (self, UI_EXPORT_PDF);
  g_signal_emit_by_name (find_button (self, "_Export…"), "clicked");
  g_assert_nonnull (self->exported);
  g_assert_true (ui_document_equal (self->exported, self->document));
  g_assert_cmpint (self->format, ==, UI_EXPORT_PDF);
}

static void
test_choices (Fixture       *self,
              gconstpointer  unused)
{
  open_dialog (self, UI_EXPORT_SVG);
  g_assert_false (gtk_widget_get_visible (find_row (self, "Scale")));
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (self, "Format")), UI_EXPORT_PNG);
  g_assert_true (gtk_widget_get_visible (find_row (self, "Scale")));
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (self, "Palette")), UI_THEME_PRINT);
  gtk_spin_button_set_value (find_spin (self, "Width"), 8.5);
  gtk_spin_button_set_value (find_spin (self, "Font size"), 7);
  gtk_spin_button_set_value (find_spin (self, "Scale"), 3);
  gtk_switch_set_active (GTK_SWITCH (driver_find (find_row (self, "Caption"), GTK_TYPE_SWITCH, 0)),
                         FALSE);
  g_signal_emit_by_name (find_button (self, "_Export…"), "clicked");

  g_assert_cmpint (self->format, ==, UI_EXPORT_PNG);
  g_assert_cmpint (self->exported->theme, ==, UI_THEME_PRINT);
  g_assert_cmpfloat (self->exported->width_cm, ==, 8.5);
  g_assert_cmpfloat (self->exported->font_pt, ==, 7);
  g_assert_cmpfloat (self->exported->png_scale, ==, 3);
  g_assert_true (self->exported->no_caption);
  /* What the person sees is what is exported. */
  g_assert_true (ui_pins_has (&self->exported->pins, FALSE, 2));
}

static gboolean
has_row (Fixture    *self,
         const char *title)
{
  return gtk_widget_get_visible (find_row (self, title));
}

static void
choose (Fixture    *self,
        const char *title,
        guint       choice)
{
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (self, title)), choice);
  while (g_main_context_iteration (NULL, FALSE));
}

/* What a kind has not is not asked for. */
static void
test_kinds (Fixture       *self,
            gconstpointer  unused)
{
  static const char *const of_pictures[] = { "Width", "Font size", "Palette", "Caption" };

  open_dialog (self, UI_EXPORT_HTML);
  g_assert_false (has_row (self, "Scale"));
  for (gsize i = 0; i < G_N_ELEMENTS (of_pictures); i++)
    g_assert_true (has_row (self, of_pictures[i]));

  choose (self, "What", 1);
  for (gsize i = 0; i < G_N_ELEMENTS (of_pictures); i++)
    g_assert_false (has_row (self, of_pictures[i]));
  choose (self, "Format", 2);
  g_assert_nonnull (driver_find_label (self->dialog, "4 heads × 1 row × 7 columns"));
  choose (self, "What", 2);
  g_assert_nonnull (driver_find_label (self->dialog, "The whole pass, 7 tokens"));
  g_assert_false (has_row (self, "Format"));
  choose (self, "What", 0);
  g_assert_true (has_row (self, "Format"));
  g_assert_true (has_row (self, "Width"));
  choose (self, "Format", UI_EXPORT_PNG);
  g_assert_true (has_row (self, "Scale"));
  choose (self, "What", 1);
  g_assert_false (has_row (self, "Scale"));
  choose (self, "Format", 1);
  g_signal_emit_by_name (find_button (self, "_Export…"), "clicked");
  g_assert_cmpint (self->format, ==, UI_EXPORT_JSON);
}

static int
measure_height (Fixture *self,
                int      width)
{
  GtkWidget *list = gtk_widget_get_ancestor (find_row (self, "What"), GTK_TYPE_LIST_BOX);
  int minimum;

  gtk_widget_measure (list, GTK_ORIENTATION_VERTICAL, width, &minimum, NULL, NULL, NULL);
  return minimum;
}

/* Another row is the last one, which has no line below it, before the next frame: the least height
 * of the list is that of a wide one, or the window seeks a width for it where there is none. */
static void
test_last_row (Fixture       *self,
               gconstpointer  unused)
{
  int height;

  open_dialog (self, UI_EXPORT_TRACE);
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (self, "What")), 0);
  measure_height (self, -1);
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (self, "Format")), UI_EXPORT_PNG);
  height = measure_height (self, -1);
  g_assert_cmpint (measure_height (self, 2000), ==, height);
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* No array holds two sides of different lengths; the other formats do. */
static void
test_refused_format (Fixture       *self,
                     gconstpointer  unused)
{
  g_autoptr (EngTrace) second = made_trace_new (3, 2, 4, 2);

  ui_pins_clear (&self->document->pins);
  self->document->compare = UI_COMPARE_SIDES;
  self->second = second;
  open_dialog (self, UI_EXPORT_NPY);
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_nonnull (driver_find_label (self->dialog, "NPY array cannot hold"));
  g_assert_false (gtk_widget_get_sensitive (find_button (self, "_Export…")));
  choose (self, "Format", 0);
  g_assert_true (gtk_widget_get_sensitive (find_button (self, "_Export…")));
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* While a lesson asks, pictures are offered without their numbers, and what has them is not. */
static void
test_asked (Fixture       *self,
            gconstpointer  unused)
{
  static const guint n_formats[] = { 4, 3, 1 };

  self->is_asked = TRUE;
  open_dialog (self, UI_EXPORT_SVG);
  for (guint kind = 0; kind < G_N_ELEMENTS (n_formats); kind++)
    for (guint format = 0; format < n_formats[kind]; format++) {
      const gboolean is_drawing = kind == 0 && format != UI_EXPORT_HTML;

      choose (self, "What", kind);
      if (n_formats[kind] > 1)
        choose (self, "Format", format);
      g_assert_cmpint (gtk_widget_get_sensitive (find_button (self, "_Export…")), ==, is_drawing);
      g_assert_nonnull (driver_find_label (self->dialog,
                                           is_drawing ? "; its numbers come with the answer"
                                                      : "that would tell what the lesson asks."));
    }
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* Two sides are twice the heads, and the trace is that of the first. */
static void
test_sides (Fixture       *self,
            gconstpointer  unused)
{
  ui_pins_clear (&self->document->pins);
  self->document->compare = UI_COMPARE_SIDES;
  self->document->compare_layer_set = TRUE;
  self->document->compare_layer = 1;
  self->second = self->trace;
  open_dialog (self, UI_EXPORT_NPY);
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_nonnull (driver_find_label (self->dialog, "8 heads × 7 rows"));
  choose (self, "What", 2);
  g_assert_nonnull (driver_find_label (self->dialog, "of This"));
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* One step on show leads to the poster of all, whose width is told as what it is; a web page has
 * them one by one, as wide as was asked for. */
static void
test_all_steps (Fixture       *self,
                gconstpointer  unused)
{
  GtkWidget *all;

  ui_pins_clear (&self->document->pins);
  self->document->view = UI_VIEW_STEPS;
  self->document->step = 1;
  open_dialog (self, UI_EXPORT_SVG);
  all = driver_find (find_row (self, "All steps"), GTK_TYPE_SWITCH, 0);
  g_assert_nonnull (driver_find_label (find_row (self, "Width"), "Centimetres on paper"));
  gtk_switch_set_active (GTK_SWITCH (all), TRUE);
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_nonnull (driver_find_label (find_row (self, "Width"), "at least: all steps take"));
  choose (self, "Format", UI_EXPORT_HTML);
  g_assert_nonnull (driver_find_label (find_row (self, "Width"), "Centimetres on paper"));
  g_assert_nonnull (driver_find_label (self->dialog, "A page that plays"));
  choose (self, "Format", UI_EXPORT_PDF);
  choose (self, "What", 2);
  g_assert_false (has_row (self, "All steps"));
  choose (self, "What", 0);
  gtk_switch_set_active (GTK_SWITCH (all), FALSE);
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_nonnull (driver_find_label (find_row (self, "Width"), "Centimetres on paper"));
  gtk_switch_set_active (GTK_SWITCH (all), TRUE);
  g_signal_emit_by_name (find_button (self, "_Export…"), "clicked");
  g_assert_cmpint (self->exported->step, ==, UI_STEP_ALL);
}

/* All on show are what is written; of other views there are none. */
static void
test_no_steps (Fixture       *self,
               gconstpointer  unused)
{
  for (int has_steps = 0; has_steps < 2; has_steps++) {
    self->document->view = has_steps ? UI_VIEW_STEPS : UI_VIEW_HEAD;
    self->document->step = UI_STEP_ALL;
    open_dialog (self, UI_EXPORT_SVG);
    g_assert_null (driver_find_label (self->dialog, "All steps"));
    gtk_window_close (GTK_WINDOW (self->dialog));
    while (g_main_context_iteration (NULL, FALSE));
  }
}

/* A file is called by what is in it. */
static void
test_names (Fixture       *self,
            gconstpointer  unused)
{
  static const struct {
    UiViewKind view;
    int step;
    UiExportFormat format;
    const char *name;
  } cases[] = {
    { UI_VIEW_HEAD, 0, UI_EXPORT_SVG, " layer 1 heads.svg" },
    { UI_VIEW_NEURON, 0, UI_EXPORT_PNG, " layer 1 head 2 neurons.png" },
    { UI_VIEW_MODEL, 0, UI_EXPORT_PDF, " model.pdf" },
    { UI_VIEW_MATRIX, 0, UI_EXPORT_NPY, " layer 1 matrix.npy" },
    { UI_VIEW_STEPS, 10, UI_EXPORT_SVG, " layer 1 head 2 step 10.svg" },
    { UI_VIEW_STEPS, UI_STEP_ALL, UI_EXPORT_SVG, " layer 1 head 2 all steps.svg" },
    { UI_VIEW_STEPS, 10, UI_EXPORT_TRACE, ".safetensors" },
  };
  const char *model = eng_trace_get_model_name (self->trace);

  self->document->layer = 1;
  ui_head_set_only (&self->document->heads, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *expected = g_strconcat (model != NULL ? model : "attention", cases[i].name,
                                             NULL);
    g_autofree char *name = NULL;

    self->document->view = cases[i].view;
    self->document->step = cases[i].step;
    name = ui_export_suggest_name (self->trace, self->document, cases[i].format);
    g_assert_cmpstr (name, ==, expected);
  }
}

static void
test_cancel (Fixture       *self,
             gconstpointer  unused)
{
  open_dialog (self, UI_EXPORT_SVG);
  g_signal_emit_by_name (find_button (self, "_Cancel"), "clicked");
  g_assert_null (self->exported);
}

static void
assert_spin (GtkSpinButton *spin,
             const char    *typed,
             double         value,
             const char    *shown)
{
  gtk_editable_set_text (GTK_EDITABLE (spin), typed);
  gtk_spin_button_update (spin);
  g_assert_cmpfloat (gtk_spin_button_get_value (spin), ==, value);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, shown);
}

/* What is no number, or none that the field takes, changes nothing. */
static void
assert_typing (Fixture *self)
{
  GtkSpinButton *spin;

  open_dialog (self, UI_EXPORT_SVG);
  spin = find_spin (self, "Width");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "12.0");
  assert_spin (spin, "7.5", 7.5, "7.5");
  assert_spin (spin, "wide", 7.5, "7.5");
  assert_spin (spin, "8 cm", 7.5, "7.5");
  assert_spin (spin, "1", 7.5, "7.5");
  gtk_window_close (GTK_WINDOW (self->dialog));
}

static void
test_typing (Fixture       *self,
             gconstpointer  unused)
{
  assert_typing (self);
}

/* Escape while a number is being typed. */
static void
test_close_while_typing (Fixture       *self,
                         gconstpointer  unused)
{
  GtkSpinButton *spin;

  open_dialog (self, UI_EXPORT_SVG);
  spin = find_spin (self, "Width");
  gtk_widget_grab_focus (GTK_WIDGET (spin));
  gtk_editable_set_text (GTK_EDITABLE (spin), "7.5");
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* A number is written and read with a point where people write a comma. */
static void
test_locale (Fixture       *self,
             gconstpointer  unused)
{
  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL) {
    g_test_skip ("no de_DE.UTF-8 here");
    return;
  }

  assert_typing (self);
  setlocale (LC_NUMERIC, "C");
}

static void
test_preview (Fixture       *self,
              gconstpointer  unused)
{
  GtkPicture *picture;
  GdkPaintable *before;

  open_dialog (self, UI_EXPORT_SVG);
  driver_settle (self->dialog);
  picture = GTK_PICTURE (driver_find (self->dialog, GTK_TYPE_PICTURE, 0));
  before = gtk_picture_get_paintable (picture);
  g_assert_nonnull (before);
  g_assert_nonnull (driver_find_label (self->dialog, "12.0 × "));

  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (self, "Palette")), UI_THEME_DARK);
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_true (gtk_picture_get_paintable (picture) != before);
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* A width that has no room for the size of text that was chosen. */
static void
test_small_text (Fixture       *self,
                 gconstpointer  unused)
{
  self->document->width_cm = 24;
  open_dialog (self, UI_EXPORT_SVG);
  g_assert_null (driver_find_label (self->dialog, "; text is "));

  gtk_spin_button_set_value (find_spin (self, "Width"), 5);
  driver_settle (self->dialog);
  g_assert_nonnull (driver_find_label (self->dialog, " cm; text is "));
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* A window as narrow as a phone has preview, options and buttons in sight, below each other. */
static void
test_narrow (Fixture       *self,
             gconstpointer  unused)
{
  graphene_rect_t preview, caption;
  int least;

  open_dialog (self, UI_EXPORT_SVG);
  gtk_widget_measure (self->dialog, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 400);
  gtk_widget_measure (self->dialog, GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 480);
  g_assert_true (gtk_widget_compute_bounds (driver_find (self->dialog, GTK_TYPE_PICTURE, 0),
                                            self->dialog, &preview));
  g_assert_true (gtk_widget_compute_bounds (driver_find (self->dialog, GTK_TYPE_SWITCH, 0),
                                            self->dialog, &caption));
  g_assert_cmpfloat (caption.origin.y, >, preview.origin.y + preview.size.height);
  gtk_window_close (GTK_WINDOW (self->dialog));
}

/* A document that the trace cannot draw: said, and not offered. */
static void
test_impossible (Fixture       *self,
                 gconstpointer  unused)
{
  self->document->layer = 9;
  open_dialog (self, UI_EXPORT_SVG);
  driver_settle (self->dialog);
  g_assert_nonnull (driver_find_label (self->dialog, "Layer 9 does not exist"));
  g_assert_false (gtk_widget_get_sensitive (find_button (self, "_Export…")));
  gtk_window_close (GTK_WINDOW (self->dialog));
}

static void
assert_whole (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
      && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    g_error ("“%s” is cut", gtk_label_get_label (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_whole (child);
}

/* No format is so long, nor what is said of it, that a word is cut. */
static void
test_whole (Fixture       *self,
            gconstpointer  unused)
{
  static const int n_formats[] = { 4, 3, 1 };

  open_dialog (self, UI_EXPORT_SVG);
  for (guint kind = 0; kind < G_N_ELEMENTS (n_formats); kind++) {
    choose (self, "What", kind);
    for (int format = 0; format < n_formats[kind]; format++) {
      if (n_formats[kind] > 1)
        choose (self, "Format", (guint) format);
      driver_settle (self->dialog);
      assert_whole (find_row (self, "What"));
      assert_whole (find_row (self, "Format"));
    }
  }
  gtk_window_close (GTK_WINDOW (self->dialog));
}

#define ADD(path, test) g_test_add ("/export-dialog/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("unchanged", test_unchanged);
  ADD ("choices", test_choices);
  ADD ("kinds", test_kinds);
  ADD ("whole", test_whole);
  ADD ("last-row", test_last_row);
  ADD ("refused-format", test_refused_format);
  ADD ("asked", test_asked);
  ADD ("sides", test_sides);
  ADD ("all-steps", test_all_steps);
  ADD ("no-steps", test_no_steps);
  ADD ("names", test_names);
  ADD ("cancel", test_cancel);
  ADD ("typing", test_typing);
  ADD ("close-while-typing", test_close_while_typing);
  ADD ("locale", test_locale);
  ADD ("preview", test_preview);
  ADD ("small-text", test_small_text);
  ADD ("narrow", test_narrow);
  ADD ("impossible", test_impossible);
  return g_test_run ();
}
