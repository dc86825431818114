/* SPDX-License-Identifier: MIT */
/* "Ablate each head": what every head does for a prediction, in a window of its own. The sweep is
 * about the text and the edits as they were when it began. A click on a head opens it in the
 * picture. */
#include "app/parts/sweep/sweep-private.h"

#include <math.h>

#include "engine/base/error.h"
#include "ui/controls/table-row.h"
#include "ui/controls/words.h"
#include "ui/lists/sweep-grid.h"

#define WIDTH 960
#define HEIGHT 560
#define GRID_WIDTH 430
#define DATA_KEY   "sweep" /* of the dialog */
#define N_SWEPT_TASKS 4

G_DEFINE_FINAL_TYPE (AppSweepPart, app_sweep_part, APP_TYPE_PART)

static const EngTask swept_tasks[N_SWEPT_TASKS] = {
  ENG_TASK_FILL_MASK, ENG_TASK_LANGUAGE_MODEL, ENG_TASK_NEXT_SENTENCE, ENG_TASK_TEXT_CLASSIFICATION
};

static void
free_sweep (AppSweep *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  g_clear_pointer (&self->ablation, app_ablation_unref);
  g_clear_handle_id (&self->rows_source, g_source_remove);
  g_array_unref (self->tasks);
  g_array_unref (self->cells);
  g_object_unref (self->rows);
  g_free (self);
}

/* A head in the picture. */

static void
open_head (AppSweep *self,
           int       layer,
           int       head)
{
  const UiItem item = { .type = UI_ITEM_HEAD, .layer = layer, .head = head };
  const EngKind kind = app_ablation_get_kind (self->ablation);
  AppSweepPart *part = self->part;

  /* Another model may be open by now. */
  if (app_picture_get_shown (part->picture) == NULL
      || !eng_trace_has_kind (app_study_get_trace (part->study), kind)
      || !eng_trace_has_layer (app_study_get_trace (part->study), kind, layer)
      || head >= eng_trace_get_n_heads (app_study_get_trace (part->study), kind))
    return;

  if (app_picture_get_shown (part->picture)->kind != kind)
    app_desk_activate (part->desk, "kind", g_variant_new_string (eng_kind_get_name (kind)));
  app_desk_click (part->desk, &item, FALSE);
}

static void
row_activated_cb (AppSweep *self,
                  guint     position)
{
  g_autoptr (UiTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  const int n_heads = app_ablation_get_n_heads (self->ablation);
  const int cell = ui_table_row_get_index (row);
  EngSweepChange change;

  /* A row of the work before goes when there is nothing else to do. */
  if (app_ablation_get (self->ablation, cell / n_heads, cell % n_heads, &change))
    open_head (self, cell / n_heads, cell % n_heads);
}

static void
clicked_cb (AppSweep *self,
            int       layer,
            int       head)
{
  open_head (self, layer, head);
}

/* The work. */

static gpointer
run (AppJob    *job,
     gpointer   data,
     GError   **error)
{
  AppAblation *ablation = data;

  if (!app_ablation_run (ablation, app_job_get_cancel (job), app_job_report, job, error))
    return NULL;
  return app_ablation_ref (ablation);
}

static void
show_running (AppSweep *self,
              gboolean  is_running)
{
  gtk_widget_set_visible (self->progress_row, is_running);
  gtk_widget_set_sensitive (self->save, !is_running && self->ablation != NULL);
  gtk_widget_set_sensitive (self->again, !is_running);
}

static void
progress_cb (const AppProgress *progress,
             gpointer           owner)
{
  AppSweep *self = owner;

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), progress->fraction);
  app_sweep_update_grid (self);
}

/* What was done before a cancel stays in sight. */
static void
done_cb (AppJob       *job,
         gpointer      result,
         const GError *error,
         gpointer      owner)
{
  AppSweep *self = owner;

  g_clear_pointer ((AppAblation **) &result, app_ablation_unref);
  g_clear_pointer (&self->job, app_job_stop);
  show_running (self, FALSE);
  app_sweep_update_grid (self);
  app_sweep_fill_table (self);
  if (error != NULL && !g_error_matches (error, ENG_ERROR, ENG_ERROR_CANCELLED))
    gtk_label_set_label (GTK_LABEL (self->caption), error->message);
}

static void
start (AppSweep *self)
{
  static const AppJobClass klass = {
    .run = run,
    .progress = progress_cb,
    .done = done_cb,
    .free_result = (GDestroyNotify) app_ablation_unref,
    .free_data = (GDestroyNotify) app_ablation_unref,
  };
  AppSweepPart *part = self->part;
  const guint task = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->task_choice));
  const gboolean is_uniform = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->type_choice)) == 1;
  EngKind kind;

  if (app_study_get_model (part->study) == NULL || app_picture_get_shown (part->picture) == NULL
      || task >= self->tasks->len)
    return;

  g_clear_pointer (&self->job, app_job_stop);
  app_sweep_empty_table (self);
  g_clear_pointer (&self->ablation, app_ablation_unref);
  kind = app_picture_get_shown (part->picture)->kind;
  self->ablation =
    app_ablation_new (app_study_get_model (part->study), app_study_get_answered (part->study), kind,
                      g_array_index (self->tasks, EngTask, task),
                      is_uniform ? ENG_EDIT_UNIFORM_ROWS : ENG_EDIT_SCALE_HEAD,
                      eng_trace_get_n_layers (app_study_get_trace (part->study), kind),
                      eng_trace_get_n_heads (app_study_get_trace (part->study), kind));
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  show_running (self, TRUE);
  app_sweep_update_grid (self);
  self->job = app_job_start (&klass, app_ablation_ref (self->ablation), self);
}

static void
cancel_cb (AppSweep *self)
{
  if (self->job != NULL)
    app_job_cancel (self->job);
}

static void
color_cb (AppSweep *self)
{
  if (self->ablation != NULL)
    app_sweep_update_grid (self);
}

/* The file. */

static void
save_cb (AppSweep *self)
{
  app_desk_save_csv (self->part->desk, GTK_WINDOW (self->dialog),
                       app_ablation_to_csv (self->ablation), "ablated heads.csv");
}

/* The dialog. */

static gboolean
has_logits (AppSweepPart *part,
            EngTask       task)
{
  EngMatrix logits;

  return eng_trace_get_logits (app_study_get_trace (part->study), task, &logits, NULL);
}

/* A head that the model has not, or that has nothing to say of this text, leaves hidden states to
 * be measured: the last choice. */
static GtkWidget *
new_task_choice (AppSweep *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int other = -1;

  for (int i = 0; i < N_SWEPT_TASKS; i++) {
    const EngTask task = swept_tasks[i];

    if (has_logits (self->part, task)) {
      gtk_string_list_append (names, app_sweep_get_task_words (task));
      g_array_append_val (self->tasks, task);
    } else if (other < 0
               && (task == ENG_TASK_FILL_MASK
                   || !eng_model_has_task (app_study_get_model (self->part->study), task)))
      other = task;
  }
  if (other >= 0) {
    const EngTask task = (EngTask) other;

    gtk_string_list_append (names, "Last hidden states");
    g_array_append_val (self->tasks, task);
  }
  return gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&names)), NULL);
}

static GtkWidget *
new_labelled (const char *title,
              GtkWidget  *control)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (title);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), control);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  return box;
}

static GtkWidget *
new_choices (AppSweep *self)
{
  static const char *const types[] = { "Zero", "Uniform rows", NULL };
  static const char *const colors[] = { "KL divergence", "Change of probability", NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);

  self->type_choice = gtk_drop_down_new_from_strings (types);
  self->task_choice = new_task_choice (self);
  self->color_choice = gtk_drop_down_new_from_strings (colors);
  gtk_box_append (GTK_BOX (box), new_labelled ("Ablation", self->type_choice));
  gtk_box_append (GTK_BOX (box), new_labelled ("Measured", self->task_choice));
  gtk_box_append (GTK_BOX (box), new_labelled ("Colour", self->color_choice));
  g_signal_connect_swapped (self->type_choice, "notify::selected", G_CALLBACK (start), self);
  g_signal_connect_swapped (self->task_choice, "notify::selected", G_CALLBACK (start), self);
  g_signal_connect_swapped (self->color_choice, "notify::selected", G_CALLBACK (color_cb), self);
  return box;
}

static GtkWidget *
new_progress (AppSweep *self)
{
  GtkWidget *cancel = gtk_button_new_with_label ("Cancel");

  self->progress_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_hexpand (self->progress, TRUE);
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (cancel_cb), self);
  gtk_box_append (GTK_BOX (self->progress_row), self->progress);
  gtk_box_append (GTK_BOX (self->progress_row), cancel);
  return self->progress_row;
}

static GtkWidget *
new_table (AppSweep *self)
{
  static const char *const titles[N_COLUMNS] = {
    "Head", "KL, bits", "Before", "After", "Change", "Best then"
  };
  GtkWidget *view = gtk_column_view_new (
    GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->rows)))));

  for (int i = 0; i < N_COLUMNS; i++) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

    g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER (i));
    g_signal_connect (factory, "setup", G_CALLBACK (app_sweep_setup_cell), NULL);
    g_signal_connect_swapped (factory, "bind", G_CALLBACK (app_sweep_bind_cell), self);
    self->columns[i] = gtk_column_view_column_new (titles[i], factory);
    gtk_column_view_column_set_expand (self->columns[i], i == COLUMN_BEST);
    gtk_column_view_append_column (GTK_COLUMN_VIEW (view), self->columns[i]);
    g_object_unref (self->columns[i]);
  }
  gtk_column_view_set_single_click_activate (GTK_COLUMN_VIEW (view), TRUE);
  g_signal_connect_swapped (view, "activate", G_CALLBACK (row_activated_cb), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Heads by their change, the largest first", -1);
  return view;
}

static GtkWidget *
new_scrolled (GtkWidget *child)
{
  return g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", child, "hexpand", TRUE, "vexpand", TRUE,
                       NULL);
}

static void
follow_theme (AppSweep *self)
{
  ui_sweep_grid_set_theme (UI_SWEEP_GRID (self->grid),
                           ui_scene_view_get_theme (app_picture_get_view (self->part->picture)));
}

static GtkWidget *
new_content (AppSweep *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *both = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->caption = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->caption), 0);
  gtk_label_set_wrap (GTK_LABEL (self->caption), TRUE);
  gtk_widget_add_css_class (self->caption, "dim-label");
  self->grid = ui_sweep_grid_new ();
  gtk_widget_set_margin_top (self->grid, 6);
  ui_sweep_grid_set_describe (UI_SWEEP_GRID (self->grid), app_sweep_describe_head, self);
  follow_theme (self);
  g_signal_connect_swapped (self->grid, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_paned_set_start_child (GTK_PANED (both), new_scrolled (self->grid));
  gtk_paned_set_end_child (GTK_PANED (both), new_scrolled (new_table (self)));
  gtk_paned_set_position (GTK_PANED (both), GRID_WIDTH);
  gtk_paned_set_shrink_start_child (GTK_PANED (both), FALSE);
  g_object_set (box, "margin-start", 18, "margin-end", 18, "margin-top", 12, "margin-bottom", 18,
                NULL);
  gtk_box_append (GTK_BOX (box), new_choices (self));
  gtk_box_append (GTK_BOX (box), self->caption);
  gtk_box_append (GTK_BOX (box), new_progress (self));
  gtk_box_append (GTK_BOX (box), both);
  return box;
}

static GtkWidget *
new_header_bar (AppSweep *self)
{
  GtkWidget *bar = adw_header_bar_new ();

  self->again = gtk_button_new_with_label ("Again");
  gtk_widget_set_tooltip_text (self->again, "Sweep over the text and the edits as they are now");
  g_signal_connect_swapped (self->again, "clicked", G_CALLBACK (start), self);
  self->save = gtk_button_new_with_label ("Save CSV…");
  g_signal_connect_swapped (self->save, "clicked", G_CALLBACK (save_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->again);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->save);
  return bar;
}

/* Stops the work before the widgets go that it tells. */
static gboolean
close_cb (AppSweep *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  return GDK_EVENT_PROPAGATE;
}

/* Closes it as every dialog. */
static void
add_escape (GtkWidget *dialog)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (controller),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (dialog, controller);
}

static void
ablate (GSimpleAction *action,
        GVariant      *parameter,
        gpointer       data)
{
  AppSweepPart *part = data;
  GtkWidget *box;
  AppSweep *self;

  if (part->dialog != NULL) {
    gtk_window_present (GTK_WINDOW (part->dialog));
    return;
  }

  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self = g_new0 (AppSweep, 1);
  self->part = part;
  self->tasks = g_array_new (FALSE, FALSE, sizeof (EngTask));
  self->rows = g_list_store_new (UI_TYPE_TABLE_ROW);
  self->cells = g_array_new (FALSE, FALSE, sizeof (int));
  self->dialog = g_object_new (ADW_TYPE_WINDOW,
                               "title", "Ablate Each Head",
                               "transient-for", app_desk_get_window (part->desk),
                               "destroy-with-parent", TRUE,
                               "default-width", WIDTH,
                               "default-height", HEIGHT,
                               NULL);
  gtk_box_append (GTK_BOX (box), new_header_bar (self));
  gtk_box_append (GTK_BOX (box), new_content (self));
  adw_window_set_content (ADW_WINDOW (self->dialog), box);
  g_signal_connect_swapped (self->dialog, "destroy", G_CALLBACK (close_cb), self);
  g_object_set_data_full (G_OBJECT (self->dialog), DATA_KEY, self, (GDestroyNotify) free_sweep);
  add_escape (self->dialog);
  g_set_weak_pointer (&part->dialog, self->dialog);
  gtk_window_present (GTK_WINDOW (self->dialog));
  start (self);
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = { { "ablate", ablate } };
  AppSweepPart *self = APP_SWEEP_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
sync_part (AppPart *part)
{
  AppSweepPart *self = APP_SWEEP_PART (part);

  app_desk_set_enabled (self->desk, "ablate",
                        app_study_get_model (self->study) != NULL
                        && app_picture_get_shown (self->picture) != NULL
                        && app_study_is_complete (self->study));
}

static void
theme (AppPart *part)
{
  AppSweepPart *self = APP_SWEEP_PART (part);

  if (self->dialog != NULL)
    follow_theme (g_object_get_data (G_OBJECT (self->dialog), DATA_KEY));
}

static void
end (AppPart *part)
{
  if (APP_SWEEP_PART (part)->dialog != NULL)
    gtk_window_destroy (GTK_WINDOW (APP_SWEEP_PART (part)->dialog));
}

static void
app_sweep_part_finalize (GObject *object)
{
  g_clear_weak_pointer (&APP_SWEEP_PART (object)->dialog);

  G_OBJECT_CLASS (app_sweep_part_parent_class)->finalize (object);
}

static void
app_sweep_part_class_init (AppSweepPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_sweep_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->theme = theme;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_sweep_part_init (AppSweepPart *self)
{
}
