/* SPDX-License-Identifier: MIT */
/* The states that a training has kept, as places of a scale: what stands there is the model that is
 * shown, so that every view and every edit is of that step. The last place is the newest weights. */
#include "app/parts/training/training-private.h"

#include "app/store/model-store.h"
#include "app/study/second-side.h"
#include "app/training/kept.h"
#include "ui/document/amount.h"

#define PLAY_MS 700

static const AppTrainingNews *
get_news (AppTrainingPart *self)
{
  return app_training_job_get_news (self->job);
}

/* Kept states before the newest weights, which have a place of their own. */
static int
count_kept (AppTrainingPart *self)
{
  const AppTrainingNews *news = get_news (self);
  int n = 0;

  while (n < (int) news->kept->len
         && g_array_index (news->kept, gint64, n) < news->last.saved_step)
    n++;

  return n;
}

static gint64
get_step (AppTrainingPart *self,
          int              place)
{
  return place < count_kept (self) ? g_array_index (get_news (self)->kept, gint64, place)
                                   : get_news (self)->last.saved_step;
}

static char *
dup_folder (AppTrainingPart *self,
            int              place)
{
  return place < count_kept (self) ? app_kept_dup_folder (get_news (self)->folder,
                                                          get_step (self, place))
                                   : g_strdup (get_news (self)->folder);
}

/* The place of the model that the study shows, or is about to; -1 = it is another one. A document may
 * have a name where the training has its folder. */
static int
find_place (AppTrainingPart *self)
{
  const char *model = app_study_get_document (self->study)->model;
  g_autofree char *name = NULL;
  g_autofree char *shown = model != NULL ? app_model_store_find (model, &name, NULL) : NULL;

  for (int place = 0; shown != NULL && place <= count_kept (self); place++) {
    g_autofree char *folder = dup_folder (self, place);

    if (g_str_equal (folder, shown))
      return place;
  }

  return -1;
}

gboolean
app_training_part_has_folder (AppTrainingPart *self,
                              const char      *folder)
{
  g_autofree char *training = folder != NULL ? app_kept_find_training (folder) : NULL;

  return self->job != NULL
         && g_strcmp0 (training != NULL ? training : folder, get_news (self)->folder) == 0;
}

gint64
app_training_part_get_shown_step (AppTrainingPart *self)
{
  const int place = self->job != NULL ? find_place (self) : -1;

  return place >= 0 ? get_step (self, place) : -1;
}

/* A step of the person, as any change of the model. */
static void
show_place (AppTrainingPart *self,
            int              place)
{
  g_autofree char *folder = dup_folder (self, place);
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_replace_text (&document->model, folder);
  g_clear_pointer (&document->trace_file, g_free);
  document->random_weights_set = FALSE;
  if (place == count_kept (self))
    self->shown_step = get_step (self, place);
  app_study_change (self->study, document);
}

static void
moved_cb (AppTrainingPart *self)
{
  const int place = (int) gtk_range_get_value (self->timeline);

  if (!self->is_syncing && self->job != NULL && place != find_place (self))
    show_place (self, place);
}

static void
step_chosen_cb (AppTrainingPart *self,
                double           step)
{
  for (int place = 0; place <= count_kept (self); place++)
    if ((double) get_step (self, place) == step)
      gtk_range_set_value (self->timeline, place);
}

static gboolean
play_cb (gpointer data)
{
  AppTrainingPart *self = data;
  const int place = self->job != NULL ? find_place (self) : -1;

  if (place < 0 || place >= count_kept (self)) {
    self->play_source = 0;
    app_training_part_sync_timeline (self);
    return G_SOURCE_REMOVE;
  }
  /* A state is looked at before the next one comes. */
  if (app_study_is_settled (self->study))
    show_place (self, place + 1);

  return G_SOURCE_CONTINUE;
}

/* From the first one, where the last one is shown. */
void
app_training_part_play (AppTrainingPart *self,
                        gboolean         plays)
{
  g_clear_handle_id (&self->play_source, g_source_remove);
  if (plays && self->job != NULL && count_kept (self) > 0) {
    if (find_place (self) < 0 || find_place (self) == count_kept (self))
      show_place (self, 0);
    self->play_source = g_timeout_add (PLAY_MS, play_cb, self);
  }
  app_training_part_sync_timeline (self);
}

void
app_training_part_compare_steps (AppTrainingPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const int n = count_kept (self);

  /* Two sides of one step would be one. */
  if (find_place (self) < 0 || find_place (self) == n) {
    g_autofree char *first = dup_folder (self, 0);

    ui_replace_text (&document->model, first);
  }
  app_second_side_begin (document, "model");
  ui_replace_text (&document->compare_trace_file, NULL);
  ui_replace_text (&document->compare_model, get_news (self)->folder);
  app_study_change (self->study, document);
}

static void
sync_marks (AppTrainingPart *self,
            int              n)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (self->timeline);

  if ((int) gtk_adjustment_get_upper (adjustment) == n)
    return;
  gtk_scale_clear_marks (GTK_SCALE (self->timeline));
  for (int place = 0; place <= n; place++)
    gtk_scale_add_mark (GTK_SCALE (self->timeline), place, GTK_POS_BOTTOM, NULL);
  gtk_adjustment_set_upper (adjustment, n);
}

void
app_training_part_sync_timeline (AppTrainingPart *self)
{
  const int n = self->job != NULL ? count_kept (self) : 0;
  const int place = self->job != NULL ? find_place (self) : -1;
  g_autofree char *number = ui_amount_count (place >= 0 ? get_step (self, place) : 0);
  g_autofree char *text = g_strdup_printf (place >= 0 ? "step %s" : "another model", number);

  app_desk_set_enabled (self->desk, "play-training", n > 0);
  app_desk_set_enabled (self->desk, "compare-steps", n > 0);
  gtk_button_set_icon_name (self->play_button, self->play_source != 0
                                                 ? "media-playback-pause-symbolic"
                                                 : "media-seek-forward-symbolic");
  if (self->job == NULL)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->timeline), n > 0);
  self->is_syncing = TRUE;
  sync_marks (self, n);
  if (place >= 0)
    gtk_range_set_value (self->timeline, place);
  self->is_syncing = FALSE;
  gtk_label_set_label (self->step_label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->timeline),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

void
app_training_part_begin_timeline (AppTrainingPart *self)
{
  self->timeline = app_part_get_object (self, "training_timeline");
  self->step_label = app_part_get_object (self, "training_step");
  self->play_button = app_part_get_object (self, "play_training_button");
  g_signal_connect_object (self->timeline, "value-changed", G_CALLBACK (moved_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app_part_get_object (self, "training_scores"), "step-chosen",
                           G_CALLBACK (step_chosen_cb), self, G_CONNECT_SWAPPED);
}
