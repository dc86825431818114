/* SPDX-License-Identifier: MIT */
#include "app/parts/families/families.h"

#include "app/desk/shortcuts.h"
#include "app/run/task.h"
#include "app/store/model-store.h"
#include "app/store/specimen.h"
#include "ui/boxes/wrap-box.h"
#include "ui/controls/dialog-keys.h"
#include "ui/dialogs/family-tree.h"
#include "ui/view/drawn-text.h"

/* At 100 % text, where the window below is as large. */
#define WIDTH 1130
#define HEIGHT 660
#define MOST_MODELS 6 /* of one family, as buttons */
#define SEED 1
#define NAME "headlight-model"

struct _AppFamiliesPart {
  AppPart parent_instance;

  AppDesk      *desk;
  AppStudy     *study;

  GPtrArray    *entries;  /* AppModelEntry; NULL = not listed yet */
  /* Of the window, while it is open; window is weak, the others live as long. */
  GtkWindow    *window;
  UiFamilyTree *tree;
  GtkLabel     *title;
  GtkLabel     *sentence;
  GtkWidget    *buttons;
  int           chosen;   /* family; -1 = none */
};

G_DEFINE_FINAL_TYPE (AppFamiliesPart, app_families_part, APP_TYPE_PART)

static gboolean
is_of (const AppModelEntry *entry,
       const EngFamily     *family)
{
  return entry->problem == NULL && g_strcmp0 (entry->family, family->model_type) == 0;
}

/* models (nullable): the first of them, borrowed. */
static int
list_models_of (AppFamiliesPart  *self,
                const EngFamily  *family,
                AppModelEntry   **models,
                int               most)
{
  int n = 0;

  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    if (is_of (self->entries->pdata[i], family)) {
      if (n < most)
        models[n] = self->entries->pdata[i];
      n++;
    }
  return n;
}

static gboolean
is_open (AppFamiliesPart     *self,
         const AppModelEntry *entry)
{
  EngModel *model = app_study_get_model (self->study);

  return model != NULL && g_str_equal (eng_model_get_info (model)->folder, entry->path);
}

static int
find_open_family (AppFamiliesPart *self)
{
  EngModel *model = app_study_get_model (self->study);

  for (int i = 0; model != NULL && i < eng_family_get_n_families (); i++)
    if (g_str_equal (eng_family_get_nth (i)->model_type, eng_model_get_info (model)->family))
      return i;
  return -1;
}

/* What a leaf opens. */

static void
close_window (AppFamiliesPart *self)
{
  if (self->window != NULL)
    gtk_window_close (self->window);
}

static void
open_entry (AppFamiliesPart     *self,
            const AppModelEntry *entry)
{
  app_study_open_model (self->study, entry->from == APP_FROM_FOLDER ? entry->path : entry->name);
  close_window (self);
}

static void
open_cb (GtkWidget       *button,
         AppFamiliesPart *self)
{
  app_study_open_model (self->study, g_object_get_data (G_OBJECT (button), NAME));
  close_window (self);
}

static void
make_specimen (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  GError *error = NULL;
  char *folder = app_specimen_make (data, &error);

  if (folder != NULL)
    g_task_return_pointer (task, folder, g_free);
  else
    g_task_return_error (task, error);
}

static void
made_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  AppFamiliesPart *self = APP_FAMILIES_PART (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_task_propagate_pointer (G_TASK (result), &error);

  if (folder == NULL) {
    app_desk_refuse (self->desk, error->message);
  } else {
    app_study_open_untrained (self->study, folder, SEED);
  }
  close_window (self);
}

static void
open_specimen (AppFamiliesPart *self)
{
  g_autoptr (GTask) task = app_task_new (self, made_cb, NULL);

  g_task_set_task_data (task, (gpointer) eng_family_get_nth (self->chosen), NULL);
  g_task_run_in_thread (task, make_specimen);
}

/* The window below has the dialogs. */
static void
choose_folder (AppFamiliesPart *self)
{
  close_window (self);
  app_desk_activate (self->desk, "open-model", NULL);
}

static void
download (AppFamiliesPart *self)
{
  g_auto (GStrv) names = g_strsplit (eng_family_get_nth (self->chosen)->checkpoints, ", ", 2);

  close_window (self);
  app_desk_activate (self->desk, "download-named", g_variant_new_string (names[0]));
}

/* What the window says of a leaf. */

static GtkWidget *
add_button (AppFamiliesPart *self,
            const char      *label,
            const char      *tooltip)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_parent (button, self->buttons);
  return button;
}

static void
add_models (AppFamiliesPart *self,
            AppModelEntry  **models,
            int              n)
{
  for (int i = 0; i < n; i++) {
    g_autofree char *label = g_strdup_printf (is_open (self, models[i]) ? "%s, open" : "Open %s",
                                              models[i]->name);
    GtkWidget *button = add_button (self, label, models[i]->path);

    gtk_widget_set_sensitive (button, !is_open (self, models[i]));
    g_object_set_data_full (G_OBJECT (button), NAME,
                            g_strdup (models[i]->from == APP_FROM_FOLDER ? models[i]->path
                                                                         : models[i]->name),
                            g_free);
    g_signal_connect (button, "clicked", G_CALLBACK (open_cb), self);
  }
}

static void
clear_buttons (AppFamiliesPart *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->buttons)) != NULL)
    gtk_widget_unparent (child);
}

static char *
describe_family (const EngFamily *family,
                 int              n_models)
{
  return g_strdup_printf ("Of this family: %s. %s", family->checkpoints,
                          n_models == 0
                          ? "None is on this computer; with random weights a small one shows how "
                            "it is built, and knows nothing."
                          : n_models == 1 ? "One is on this computer."
                                          : "Several are on this computer.");
}

static void
show_family (AppFamiliesPart *self,
             int              index)
{
  const EngFamily *family = eng_family_get_nth (index);
  AppModelEntry *models[MOST_MODELS];
  const int n = list_models_of (self, family, models, MOST_MODELS);
  g_autofree char *title = g_strdup_printf ("%s, %d", family->title, family->year);
  g_autofree char *sentence = describe_family (family, n);
  GtkWidget *random;

  self->chosen = index;
  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->sentence, sentence);
  clear_buttons (self);
  add_models (self, models, MIN (n, MOST_MODELS));
  random = add_button (self, "Random Weights",
                       "Two layers of four heads that were never trained");
  if (n == 0)
    gtk_widget_add_css_class (random, "suggested-action");
  g_signal_connect_swapped (random, "clicked", G_CALLBACK (open_specimen), self);
  g_signal_connect_swapped (add_button (self, "Download…", "Asks the hub when you say so"),
                            "clicked", G_CALLBACK (download), self);
  g_signal_connect_swapped (add_button (self, "Open Folder…", "A checkpoint that lies elsewhere"),
                            "clicked", G_CALLBACK (choose_folder), self);
  gtk_widget_child_focus (self->buttons, GTK_DIR_TAB_FORWARD);
}

/* One model is opened at once, unless it is open. */
static void
leaf_activated_cb (AppFamiliesPart *self,
                   int              index,
                   GtkWidget       *leaf)
{
  AppModelEntry *model = NULL;
  const int n = list_models_of (self, eng_family_get_nth (index), &model, 1);

  if (n == 1 && !is_open (self, model))
    open_entry (self, model);
  else
    show_family (self, index);
}

static void
show_hint (AppFamiliesPart *self)
{
  const int open = find_open_family (self);
  g_autofree char *title = open < 0
                           ? g_strdup_printf ("%d families", eng_family_get_n_families ())
                           : g_strdup_printf ("%d families, %s is open",
                                              eng_family_get_n_families (),
                                              eng_family_get_nth (open)->title);

  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->sentence, "A filled leaf opens its model on this computer; the others "
                                       "say what is of their family, and open with random "
                                       "weights.");
}

static void
sync_tree (AppFamiliesPart *self)
{
  for (int i = 0; i < eng_family_get_n_families (); i++)
    ui_family_tree_set_here (self->tree, i,
                             list_models_of (self, eng_family_get_nth (i), NULL, 0));
  ui_family_tree_set_open (self->tree, find_open_family (self));
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  AppFamiliesPart *self = APP_FAMILIES_PART (source);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  self->entries = g_task_propagate_pointer (G_TASK (result), NULL);
  if (self->window == NULL)
    return;
  sync_tree (self);
  if (self->chosen >= 0)
    show_family (self, self->chosen);
}

static void
show_tree (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppFamiliesPart *self = data;
  GtkWidget *parent = GTK_WIDGET (app_desk_get_window (self->desk));
  const double scale = ui_drawn_text_get_scale (parent);
  g_autoptr (GtkBuilder) ui = app_part_read_ui ("families");

  self->chosen = -1;
  g_set_weak_pointer (&self->window, GTK_WINDOW (gtk_builder_get_object (ui, "families")));
  self->tree = UI_FAMILY_TREE (gtk_builder_get_object (ui, "tree"));
  self->title = GTK_LABEL (gtk_builder_get_object (ui, "title"));
  self->sentence = GTK_LABEL (gtk_builder_get_object (ui, "sentence"));
  self->buttons = GTK_WIDGET (gtk_builder_get_object (ui, "buttons"));
  g_signal_connect_object (self->tree, "leaf-activated", G_CALLBACK (leaf_activated_cb), self,
                           G_CONNECT_SWAPPED);
  show_hint (self);
  sync_tree (self);
  gtk_window_set_transient_for (self->window, GTK_WINDOW (parent));
  gtk_window_set_default_size (self->window,
                               MIN ((int) (WIDTH * scale), gtk_widget_get_width (parent)),
                               MIN ((int) (HEIGHT * scale), gtk_widget_get_height (parent)));
  ui_dialog_share_keys (self->window);
  gtk_window_set_focus (self->window, ui_family_tree_get_leaf (self->tree,
                                                               MAX (find_open_family (self), 0)));
  gtk_window_present (self->window);
  app_desk_list_models (self, listed_cb);
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = { { "family-tree", show_tree } };
  AppFamiliesPart *self = APP_FAMILIES_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
end (AppPart *part)
{
  AppFamiliesPart *self = APP_FAMILIES_PART (part);

  if (self->window != NULL)
    gtk_window_destroy (self->window);
}

static void
app_families_part_finalize (GObject *object)
{
  AppFamiliesPart *self = APP_FAMILIES_PART (object);

  g_clear_weak_pointer (&self->window);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  G_OBJECT_CLASS (app_families_part_parent_class)->finalize (object);
}

static void
app_families_part_class_init (AppFamiliesPartClass *klass)
{
  g_type_ensure (UI_TYPE_FAMILY_TREE);
  g_type_ensure (UI_TYPE_WRAP_BOX);

  G_OBJECT_CLASS (klass)->finalize = app_families_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_families_part_init (AppFamiliesPart *self)
{
}
