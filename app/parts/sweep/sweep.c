/* SPDX-License-Identifier: MIT */
/* "Ablate each head": what every head does for a prediction, in a window of its own. The sweep is
 * about the text and the edits as they were when it began. A click on a head opens it in the
 * picture. */
#include "app/parts/sweep/sweep-private.h"

#include <math.h>

#include "app/desk/part.h"
#include "engine/base/error.h"
#include "ui/controls/table-row.h"
#include "ui/controls/words.h"
#include "ui/lists/sweep-grid.h"

#define DATA_KEY "sweep" /* of the dialog */
#define N_SWEPT_TASKS 5

G_DEFINE_FINAL_TYPE (AppSweepPart, app_sweep_part, APP_TYPE_PART)

static const EngTask swept_tasks[N_SWEPT_TASKS] = {
  ENG_TASK_FILL_MASK, ENG_TASK_LANGUAGE_MODEL, ENG_TASK_NEXT_SENTENCE, ENG_TASK_SENTENCE_ORDER,
  ENG_TASK_TEXT_CLASSIFICATION
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
  app_desk_activate (part->desk, "open-head", g_variant_new ("(ii)", layer, head));
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
static void
fill_task_choice (AppSweep *self)
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
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->task_choice), G_LIST_MODEL (names));
}

static void
fill_columns (AppSweep   *self,
              GtkBuilder *ui)
{
  static const char *const ids[N_COLUMNS] = {
    "column_head", "column_change", "column_before", "column_after", "column_difference",
    "column_best"
  };

  for (int i = 0; i < N_COLUMNS; i++) {
    g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

    g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER (i));
    g_signal_connect (factory, "setup", G_CALLBACK (app_sweep_setup_cell), NULL);
    g_signal_connect_swapped (factory, "bind", G_CALLBACK (app_sweep_bind_cell), self);
    self->columns[i] = GTK_COLUMN_VIEW_COLUMN (gtk_builder_get_object (ui, ids[i]));
    gtk_column_view_column_set_factory (self->columns[i], factory);
  }
}

static void
fill_table (AppSweep   *self,
            GtkBuilder *ui)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (gtk_builder_get_object (ui, "table"));
  g_autoptr (GtkNoSelection) rows =
    gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->rows)));

  fill_columns (self, ui);
  gtk_column_view_set_model (table, GTK_SELECTION_MODEL (rows));
  g_signal_connect_swapped (table, "activate", G_CALLBACK (row_activated_cb), self);
}

static void
follow_theme (AppSweep *self)
{
  ui_sweep_grid_set_theme (UI_SWEEP_GRID (self->grid),
                           ui_scene_view_get_theme (app_picture_get_view (self->part->picture)));
}

/* Stops the work before the widgets go that it tells. */
static gboolean
close_cb (AppSweep *self)
{
  g_clear_pointer (&self->job, app_job_stop);
  return GDK_EVENT_PROPAGATE;
}

static GtkWidget *
get_widget (GtkBuilder *ui,
            const char *id)
{
  return GTK_WIDGET (gtk_builder_get_object (ui, id));
}

static void
connect_controls (AppSweep   *self,
                  GtkBuilder *ui)
{
  const struct { GtkWidget *widget; const char *signal; GCallback callback; } controls[] = {
    { self->type_choice, "notify::selected", G_CALLBACK (start) },
    { self->task_choice, "notify::selected", G_CALLBACK (start) },
    { self->color_choice, "notify::selected", G_CALLBACK (color_cb) },
    { self->again, "clicked", G_CALLBACK (start) },
    { self->save, "clicked", G_CALLBACK (save_cb) },
    { self->grid, "clicked", G_CALLBACK (clicked_cb) },
    { get_widget (ui, "cancel"), "clicked", G_CALLBACK (cancel_cb) },
    { self->dialog, "destroy", G_CALLBACK (close_cb) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (controls); i++)
    g_signal_connect_swapped (controls[i].widget, controls[i].signal, controls[i].callback, self);
}

static void
take_widgets (AppSweep *self)
{
  g_autoptr (GtkBuilder) ui = app_part_read_ui ("sweep");

  self->dialog = get_widget (ui, "dialog");
  self->type_choice = get_widget (ui, "type_choice");
  self->task_choice = get_widget (ui, "task_choice");
  self->color_choice = get_widget (ui, "color_choice");
  self->caption = get_widget (ui, "caption");
  self->grid = get_widget (ui, "grid");
  self->progress_row = get_widget (ui, "progress_row");
  self->progress = get_widget (ui, "progress");
  self->again = get_widget (ui, "again");
  self->save = get_widget (ui, "save");
  fill_task_choice (self);
  fill_table (self, ui);
  ui_sweep_grid_set_describe (UI_SWEEP_GRID (self->grid), app_sweep_describe_head, self);
  follow_theme (self);
  connect_controls (self, ui);
}

static void
ablate (GSimpleAction *action,
        GVariant      *parameter,
        gpointer       data)
{
  AppSweepPart *part = data;
  AppSweep *self;

  if (!app_desk_may_tell (part->desk))
    return;
  if (part->dialog != NULL) {
    gtk_window_present (GTK_WINDOW (part->dialog));
    return;
  }

  self = g_new0 (AppSweep, 1);
  self->part = part;
  self->tasks = g_array_new (FALSE, FALSE, sizeof (EngTask));
  self->rows = g_list_store_new (UI_TYPE_TABLE_ROW);
  self->cells = g_array_new (FALSE, FALSE, sizeof (int));
  take_widgets (self);
  gtk_window_set_transient_for (GTK_WINDOW (self->dialog), app_desk_get_window (part->desk));
  g_object_set_data_full (G_OBJECT (self->dialog), DATA_KEY, self, (GDestroyNotify) free_sweep);
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
  /* What it has of the sentence that is asked about. */
  if (self->dialog != NULL && app_picture_is_asked (self->picture))
    gtk_window_close (GTK_WINDOW (self->dialog));
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
  g_type_ensure (UI_TYPE_SWEEP_GRID);
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
