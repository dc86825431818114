/* SPDX-License-Identifier: MIT */
/* The family tree in the real window, in a home without any model but those that are bundled. */
#include "app/store/specimen.h"
#include "tests/app/shell/window-case.h"
#include "tests/support/temporary.h"
#include "tests/support/window/widget-driver.h"
#include "ui/dialogs/download-dialog.h"
#include "ui/dialogs/family-tree.h"

static GtkWidget *
find_toplevel (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (g_type_is_a (G_OBJECT_TYPE (window), type) || driver_find (window, type, 0) != NULL)
      return window;
  }
  return NULL;
}

static GtkWidget *
find_tree_window (void)
{
  return find_toplevel (UI_TYPE_FAMILY_TREE);
}

static UiFamilyTree *
open_tree (Fixture *fixture)
{
  GtkWidget *tree;

  activate (fixture, "win.family-tree");
  wait_until (find_tree_window () != NULL);
  tree = driver_find (find_tree_window (), UI_TYPE_FAMILY_TREE, 0);
  return UI_FAMILY_TREE (tree);
}

static int
find_family (const char *model_type)
{
  for (int i = 0; i < eng_family_get_n_families (); i++)
    if (g_str_equal (eng_family_get_nth (i)->model_type, model_type))
      return i;
  g_assert_not_reached ();
}

static GtkWidget *
get_leaf (UiFamilyTree *tree,
          const char   *model_type)
{
  return ui_family_tree_get_leaf (tree, find_family (model_type));
}

static void
press_leaf (UiFamilyTree *tree,
            const char   *model_type)
{
  g_signal_emit_by_name (get_leaf (tree, model_type), "clicked");
}

/* NULL where there is none. */
static GtkWidget *
find_button (const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (find_tree_window (), GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0)
      return button;
  return NULL;
}

static void
press (const char *label)
{
  g_assert_nonnull (find_button (label));
  g_signal_emit_by_name (find_button (label), "clicked");
}

static gboolean
shows_family (Fixture    *fixture,
              const char *model_type)
{
  EngModel *model = window_get_model (fixture->window);

  return model != NULL && g_str_equal (eng_model_get_info (model)->family, model_type)
         && window_is_idle (fixture->window);
}

/* The open model's leaf stands out; one of whose family a model is there opens that. */
static void
test_bundled (Fixture *fixture)
{
  UiFamilyTree *tree = open_tree (fixture);

  g_assert_true (gtk_widget_has_css_class (get_leaf (tree, "bert"), "open"));
  wait_until (gtk_widget_has_css_class (get_leaf (tree, "gpt2"), "here"));
  g_assert_true (gtk_widget_has_css_class (get_leaf (tree, "marian"), "here"));
  g_assert_false (gtk_widget_has_css_class (get_leaf (tree, "llama"), "here"));
  press_leaf (tree, "gpt2");
  wait_until (find_tree_window () == NULL && shows_family (fixture, "gpt2"));
  g_assert_false (app_window_get_document (fixture->window)->random_weights_set);
  g_assert_cmpstr (eng_model_get_info (window_get_model (fixture->window))->name, ==,
                   "headlight-causal");
  activate (fixture, "win.undo");
  wait_until (shows_family (fixture, "bert"));
}

/* One that is open is not opened again, but says so. */
static void
test_open_one (Fixture *fixture)
{
  UiFamilyTree *tree = open_tree (fixture);

  wait_until (gtk_widget_has_css_class (get_leaf (tree, "gpt2"), "here"));
  press_leaf (tree, "bert");
  g_assert_nonnull (driver_find_label (find_tree_window (), "One is on this computer."));
  g_assert_false (gtk_widget_get_sensitive (find_button ("headlight-mini, open")));
  gtk_window_close (GTK_WINDOW (find_tree_window ()));
  wait_until (find_tree_window () == NULL);
}

/* Every other leaf opens with random weights, which is said wherever the model is named. */
static void
open_random (Fixture    *fixture,
             const char *model_type)
{
  UiFamilyTree *tree = open_tree (fixture);

  wait_until (gtk_widget_has_css_class (get_leaf (tree, "bert"), "here"));
  press_leaf (tree, model_type);
  g_assert_nonnull (driver_find_label (find_tree_window (), "None is on this computer"));
  g_assert_nonnull (driver_find_label (
                      find_tree_window (),
                      eng_family_get_nth (find_family (model_type))->checkpoints));
  press ("Random Weights");
  wait_until (find_tree_window () == NULL && shows_family (fixture, model_type));
  g_assert_true (eng_model_get_info (window_get_model (fixture->window))->untrained);
  g_assert_true (app_window_get_document (fixture->window)->random_weights_set);
  assert_contains (window_get_label (fixture->window, "model_name"), "-random-weights");
}

static void
test_random (Fixture *fixture)
{
  open_random (fixture, "llama");
  open_random (fixture, "t5");
  open_random (fixture, "modernbert");
  activate (fixture, "win.view::steps");
  wait_until (get_drawn_document (fixture)->view == UI_VIEW_STEPS);
}

/* The dialogs begin with what was named; the network is not asked. */
static void
test_download (Fixture *fixture)
{
  UiFamilyTree *tree = open_tree (fixture);

  press_leaf (tree, "qwen3");
  press ("Download…");
  wait_until (find_toplevel (UI_TYPE_DOWNLOAD_DIALOG) != NULL);
  g_assert_nonnull (driver_find_label (find_toplevel (UI_TYPE_DOWNLOAD_DIALOG),
                                       "“Qwen/Qwen3-0.6B”"));
  gtk_window_destroy (GTK_WINDOW (find_toplevel (UI_TYPE_DOWNLOAD_DIALOG)));
}

/* What stands in the way of a specimen is said in the window. */
static void
test_refusal (Fixture *fixture)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "headlight", NULL);
  g_autofree char *specimens = g_build_filename (data, "specimens", NULL);
  UiFamilyTree *tree;

  g_assert_cmpint (g_mkdir_with_parents (data, 0700), ==, 0);
  g_assert_true (g_file_set_contents (specimens, "x", 1, NULL));
  tree = open_tree (fixture);
  press_leaf (tree, "xlm");
  press ("Random Weights");
  wait_until (find_tree_window () == NULL);
  assert_contains (window_get_label (fixture->window, "refusal_label"), specimens);
  g_assert_true (shows_family (fixture, "bert"));
  g_assert_cmpint (g_unlink (specimens), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  static const struct { const char *name; void (*body) (Fixture *); } tests[] = {
    { "bundled", test_bundled },   { "open-one", test_open_one }, { "refusal", test_refusal },
    { "download", test_download }, { "random", test_random },
  };
  char *home = temporary_new ();
  int status;

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_setenv ("HF_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/window-families/", tests[i].name, NULL);

    g_test_add_data_func (path, tests[i].body, run_test);
  }
  status = g_test_run ();
  temporary_free (home);
  return status;
}
