/* SPDX-License-Identifier: MIT */
/* The page of all lessons: how long each is, and what of them is done. */
#include "app/parts/lessons/lessons-private.h"

#include "app/desk/message-dialog.h"
#include "app/run/task.h"
#include "app/store/paths.h"
#include "app/teaching/shelf.h"

char *
app_lessons_part_dup_score (AppLessonsPart *self,
                            const char     *name)
{
  int n_answered, n_right;

  app_score_sheet_count (app_lessons_part_get_scores (self), name, &n_answered, &n_right);

  return n_answered > 0 ? g_strdup_printf ("%d of %d right", n_right, n_answered) : NULL;
}

void
app_lessons_part_show_score (AppLessonsPart *self)
{
  g_autofree char *text = app_lessons_part_dup_score (self, self->name);

  gtk_label_set_label (self->score, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->score), text != NULL);
}

/* (transfer full) NULL = nothing is to be said of it. */
static char *
describe_lesson (const AppShelfEntry *entry,
                 const char          *score)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  if (entry->about != NULL)
    g_ptr_array_add (lines, g_strdup (entry->about));
  if (!entry->is_here)
    g_ptr_array_add (lines, g_strdup_printf ("Needs %s, which is not on this computer.",
                                             entry->model));
  if (score != NULL)
    g_ptr_array_add (lines, g_strdup (score));

  if (lines->len == 0)
    return NULL;
  g_ptr_array_add (lines, NULL);

  return g_strjoinv ("\n", (char **) lines->pdata);
}

/* The tick keeps its room where it is not. */
static GtkWidget *
tick_new (gboolean is_done)
{
  GtkWidget *tick = gtk_image_new_from_icon_name ("object-select-symbolic");

  gtk_widget_set_opacity (tick, is_done ? 1 : 0);
  gtk_widget_add_css_class (tick, "accent");
  gtk_accessible_update_state (GTK_ACCESSIBLE (tick), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);

  return tick;
}

static GtkWidget *
minutes_new (int minutes)
{
  g_autofree char *text = g_strdup_printf ("%d min", minutes);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");

  return label;
}

static void
add_row (AppLessonsPart      *self,
         const AppShelfEntry *entry)
{
  g_autofree char *name = app_score_sheet_name (entry->path);
  g_autofree char *score = app_lessons_part_dup_score (self, name);
  g_autofree char *about = describe_lesson (entry, score);
  const gboolean is_done = app_score_sheet_is_done (app_lessons_part_get_scores (self), name);
  g_autofree char *said = g_strdup_printf ("%s, %d minutes%s%s%s", entry->title, entry->minutes,
                                           is_done ? ", done" : "", score != NULL ? ", " : "",
                                           score != NULL ? score : "");
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW,
                                 "title", entry->title,
                                 "use-markup", FALSE,
                                 "activatable", TRUE,
                                 NULL);

  if (about != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), about);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), tick_new (is_done));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), minutes_new (entry->minutes));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, said, -1);
  gtk_list_box_append (self->list, row);
}

static void
show_summary (AppLessonsPart *self)
{
  AppScoreSheet *scores = app_lessons_part_get_scores (self);
  int n_done = 0, n_answered = 0, n_right = 0;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->shelf->len; i++) {
    const AppShelfEntry *entry = self->shelf->pdata[i];
    g_autofree char *name = app_score_sheet_name (entry->path);
    int answered, right;

    n_done += app_score_sheet_is_done (scores, name);
    app_score_sheet_count (scores, name, &answered, &right);
    n_answered += answered;
    n_right += right;
  }
  g_string_append_printf (text, "%d of %u done", n_done, self->shelf->len);
  if (n_answered > 0)
    g_string_append_printf (text, " · %d of %d answers right", n_right, n_answered);
  gtk_label_set_label (GTK_LABEL (self->list_summary), text->str);
  gtk_widget_set_visible (self->clear_button, !app_score_sheet_is_empty (scores));
}

static void
fill_list (AppLessonsPart *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, row);
  for (guint i = 0; i < self->shelf->len; i++)
    add_row (self, self->shelf->pdata[i]);
  show_summary (self);
}

/* The lesson that was open last; where it is done or was read to its end, the one behind it. */
static guint
find_next (AppLessonsPart *self)
{
  AppScoreSheet *scores = app_lessons_part_get_scores (self);

  for (guint i = 0; self->last != NULL && i < self->shelf->len; i++) {
    const AppShelfEntry *entry = self->shelf->pdata[i];
    g_autofree char *name = app_score_sheet_name (entry->path);

    if (g_str_equal (name, self->last))
      return (self->has_ended || app_score_sheet_is_done (scores, name)) && i + 1 < self->shelf->len
             ? i + 1 : i;
  }

  return 0;
}

/* A page that was hidden takes the keys once it is in sight. */
static void
focus_list (AppLessonsPart *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, (int) find_next (self));

  g_signal_handlers_disconnect_by_func (self->list, focus_list, self);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->list)))
    g_signal_connect_object (self->list, "map", G_CALLBACK (focus_list), self, G_CONNECT_SWAPPED);
  else if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
list_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autofree char *folder = app_paths_get_lessons ();

  g_task_return_pointer (task, app_shelf_list (folder), (GDestroyNotify) g_ptr_array_unref);
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  AppLessonsPart *self = APP_LESSONS_PART (source);
  GPtrArray *shelf = g_task_propagate_pointer (G_TASK (result), NULL);

  g_clear_pointer (&self->shelf, g_ptr_array_unref);
  self->shelf = shelf;
  if (app_desk_get_window (self->desk) == NULL)
    return;
  fill_list (self);
  focus_list (self);
}

/* Listed anew each time: a model may have come. */
void
app_lessons_part_show_list (AppLessonsPart *self)
{
  g_autoptr (GTask) task = app_task_new (self, listed_cb, NULL);

  app_lessons_part_leave (self, FALSE);
  app_lessons_part_make_page (self);
  gtk_stack_set_visible_child_name (self->pages, "list");
  app_desk_show_side (self->desk, "lesson");
  g_task_run_in_thread (task, list_thread);
}

static void
activated_cb (AppLessonsPart *self,
              GtkListBoxRow  *row)
{
  const AppShelfEntry *entry = self->shelf->pdata[gtk_list_box_row_get_index (row)];

  app_lessons_part_read (self, entry->path);
}

static void
clear_cb (AppLessonsPart *self,
          const char     *response)
{
  if (!g_str_equal (response, "clear"))
    return;
  app_score_sheet_clear (app_lessons_part_get_scores (self));
  fill_list (self);
  focus_list (self);
}

static void
ask_to_clear_cb (AppLessonsPart *self)
{
  GtkWidget *dialog = app_message_dialog_new (app_desk_get_window (self->desk), "Clear the Scores?");

  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               "What you have answered in all lessons, and which of them are done, "
                               "is forgotten. It is kept on this computer alone.");
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "Cancel",
                                    "clear", "Clear", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "clear",
                                              ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (clear_cb), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
app_lessons_part_connect_list (AppLessonsPart *self)
{
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (activated_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->clear_button, "clicked", G_CALLBACK (ask_to_clear_cb), self,
                           G_CONNECT_SWAPPED);
}
