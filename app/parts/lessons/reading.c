/* SPDX-License-Identifier: MIT */
/* The lesson that is open: its file, which is read anew when it changes, where the reader is, and
 * the state that the window is put into. */
#include "app/parts/lessons/lessons-private.h"

#include "app/lessons/translation.h"
#include "app/run/task.h"
#include "app/store/model-store.h"

/* An editor writes a file in several steps. */
#define SETTLES_MS 200

typedef struct {
  char    *path;
  guint    serial;
  gboolean is_reload;
} Read;

static void
read_free (gpointer data)
{
  g_free (((Read *) data)->path);
  g_free (data);
}

const AppSection *
app_lessons_part_get_section (AppLessonsPart *self)
{
  return self->lesson->sections->pdata[self->section];
}

/* The state of the section, in the colours and for the paper that the person has chosen. */
static UiDocument *
dup_state (AppLessonsPart *self)
{
  const UiDocument *now = app_study_get_document (self->study);
  UiDocument *state = ui_document_copy (app_section_get_state (self->lesson, self->section));

  state->theme = now->theme;
  state->width_cm = now->width_cm;
  state->font_pt = now->font_pt;
  state->png_scale = now->png_scale;
  state->no_caption = now->no_caption;

  return state;
}

/* A step, so that it can be undone; none where it is on show already. */
static void
put_document (AppLessonsPart *self,
              UiDocument     *document)
{
  if (ui_document_equal (document, app_study_get_document (self->study)))
    ui_document_free (document);
  else
    app_study_change (self->study, document);
}

/* Above the section: what is wrong with the file, or lacks for the picture. */
static void
show_fault (AppLessonsPart *self,
            const char     *sentence)
{
  if (self->pages == NULL)
    return;
  gtk_label_set_label (GTK_LABEL (self->fault), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->fault, sentence != NULL);
}

/* What a section says is not of another model's picture. */
static void
hide_picture (AppLessonsPart *self)
{
  ui_document_free (self->hidden);
  self->hidden = ui_document_copy (app_study_get_document (self->study));
  gtk_widget_set_visible (GTK_WIDGET (app_picture_get_view (self->picture)), FALSE);
}

void
app_lessons_part_reveal_picture (AppLessonsPart *self)
{
  if (self->hidden == NULL)
    return;
  g_clear_pointer (&self->hidden, ui_document_free);
  gtk_widget_set_visible (GTK_WIDGET (app_picture_get_view (self->picture)), TRUE);
}

/* A model that is not here is not asked for: there is no picture, and the page says why. */
static void
put_state (AppLessonsPart *self)
{
  const UiDocument *state = app_section_get_state (self->lesson, self->section);
  g_autofree char *called = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *sentence = NULL;

  if (state->trace_file == NULL)
    folder = app_model_store_find (state->model, &called, NULL);
  if (state->trace_file == NULL && folder == NULL) {
    sentence = g_strdup_printf ("There is no picture: %s is not on this computer; Download a "
                                "Model… (Ctrl+D) brings it.", state->model);
    app_lessons_part_make_page (self);
    hide_picture (self);
  } else {
    app_lessons_part_reveal_picture (self);
    put_document (self, dup_state (self));
  }
  show_fault (self, sentence);
}

void
app_lessons_part_show (AppLessonsPart *self)
{
  const gboolean is_guided = app_lessons_part_get_section (self)->region != NULL;

  if (self->is_presented) {
    app_lessons_part_hide_guide (self);
    app_lessons_part_make_page (self);
    app_lessons_part_show_section (self);
    return;
  }
  if (is_guided) {
    app_lessons_part_end_section (self);
    app_desk_close_lesson (self->desk);
    app_lessons_part_show_guide (self);
    return;
  }
  app_lessons_part_hide_guide (self);
  app_lessons_part_make_page (self);
  gtk_stack_set_visible_child_name (self->pages, "lesson");
  app_desk_show_side (self->desk, "lesson");
  app_lessons_part_show_section (self);
}

/* Over sections that point at what cannot be seen; FALSE where there is no further one. */
static gboolean
go (AppLessonsPart *self,
    guint           section,
    int             direction)
{
  const GPtrArray *sections = self->lesson->sections;
  const AppSection *there;

  for (; section < sections->len; section += (guint) direction) {
    there = sections->pdata[section];
    if (there->region == NULL || self->is_presented || app_lessons_part_can_point (self, there->region))
      break;
  }
  if (section >= sections->len)
    return FALSE;
  self->section = section;
  self->beat = 0;
  put_state (self);
  app_lessons_part_show (self);
  app_lessons_part_show_cue (self);
  app_desk_refresh (self->desk);

  return TRUE;
}

/* Whether all that can be answered was. */
static gboolean
is_answered (AppLessonsPart *self)
{
  guint question = 0;

  for (guint s = 0; s < self->lesson->sections->len; s++) {
    const AppSection *section = self->lesson->sections->pdata[s];

    for (guint i = 0; i < section->blocks->len; i++) {
      const AppBlock *block = section->blocks->pdata[i];
      AppChoice choice;

      if (block->type != APP_BLOCK_ASK)
        continue;
      if (!g_hash_table_contains (self->refused, GUINT_TO_POINTER (question))
          && !app_score_sheet_get_choice (app_lessons_part_get_scores (self), self->name, question,
                                          block->ask->type, &choice))
        return FALSE;
      question++;
    }
  }

  return TRUE;
}

/* A lesson is done whose questions were answered; its sections were all seen by then. The end of one
 * that asks for a sentence of one's own leaves it there. */
static void
finish (AppLessonsPart *self)
{
  const gboolean is_guided = app_lessons_part_is_guided (self);
  const gboolean keeps = g_strcmp0 (app_lessons_part_get_section (self)->region, "texts") == 0;

  if (is_answered (self))
    app_score_sheet_set_done (app_lessons_part_get_scores (self), self->name);
  app_lessons_part_leave (self, keeps);
  self->has_ended = TRUE;
  if (!is_guided)
    app_lessons_part_show_list (self);
}

void
app_lessons_part_step (AppLessonsPart *self,
                       int             direction)
{
  if (self->lesson == NULL || (direction < 0 && self->section == 0))
    return;
  self->left = gtk_window_get_focus (app_desk_get_window (self->desk));
  if (!go (self, self->section + (guint) direction, direction) && direction > 0)
    finish (self);
}

void
app_lessons_part_leave (AppLessonsPart *self,
                        gboolean        keeps)
{
  const gboolean is_guided = app_lessons_part_is_guided (self);

  self->n_reads++;
  if (self->lesson == NULL)
    return;
  app_lessons_part_end_section (self);
  app_lessons_part_reveal_picture (self);
  app_lessons_part_hide_guide (self);
  g_clear_handle_id (&self->reload_source, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->lesson, app_lesson_unref);
  g_free (self->last);
  self->last = g_steal_pointer (&self->name);
  self->has_ended = FALSE;
  if (!keeps && app_study_get_document (self->study) != NULL) {
    app_settings_set_last_model (app_desk_get_settings (self->desk), self->own_model);
    put_document (self, g_steal_pointer (&self->own));
  }
  g_clear_pointer (&self->own, ui_document_free);
  g_clear_pointer (&self->own_model, g_free);
  if (is_guided)
    gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
  app_lessons_part_show_cue (self);
  app_desk_refresh (self->desk);
}

/* Reading. */

static void read_file (AppLessonsPart *self, const char *path, gboolean is_reload);

static gboolean
reload_cb (gpointer data)
{
  AppLessonsPart *self = data;

  self->reload_source = 0;
  read_file (self, self->lesson->path, TRUE);

  return G_SOURCE_REMOVE;
}

static void
file_changed_cb (AppLessonsPart *self)
{
  g_clear_handle_id (&self->reload_source, g_source_remove);
  self->reload_source = g_timeout_add (SETTLES_MS, reload_cb, self);
}

static void
watch_file (AppLessonsPart *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->lesson->path);

  g_clear_object (&self->monitor);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (file_changed_cb), self,
                             G_CONNECT_SWAPPED);
}

static void
begin_lesson (AppLessonsPart *self,
              AppLesson      *lesson)
{
  /* From one lesson to the next what was there before both stays in mind. */
  if (self->own == NULL) {
    self->own = ui_document_copy (app_study_get_document (self->study));
    self->own_model = g_strdup (app_desk_get_settings (self->desk)->last_model);
  }
  g_clear_pointer (&self->lesson, app_lesson_unref);
  g_free (self->name);
  self->lesson = lesson;
  g_hash_table_remove_all (self->refused);
  self->name = app_score_sheet_name (lesson->path);
  app_score_sheet_forget_changed (app_lessons_part_get_scores (self), self->name, lesson);
  watch_file (self);
  go (self, 0, 1);
  if (!app_lessons_part_is_guided (self) && !self->is_presented)
    app_lessons_part_focus (self);
}

/* Stays where the reader is; the window is put into the state of the section where that one is
 * another than it was. */
static void
go_on_with (AppLessonsPart *self,
            AppLesson      *lesson)
{
  g_autoptr (UiDocument) before =
    ui_document_copy (app_section_get_state (self->lesson, self->section));

  app_lessons_part_end_section (self);
  app_lesson_unref (self->lesson);
  self->lesson = lesson;
  g_hash_table_remove_all (self->refused);
  app_score_sheet_forget_changed (app_lessons_part_get_scores (self), self->name, lesson);
  self->section = MIN (self->section, lesson->sections->len - 1);
  if (!ui_document_equal (before, app_section_get_state (lesson, self->section)))
    put_state (self);
  self->beat = 0;
  app_lessons_part_show (self);
  app_lessons_part_show_cue (self);
  app_desk_refresh (self->desk);
}

char *
app_lessons_part_dup_fault (const char *path,
                            AppPlace    place,
                            const char *sentence)
{
  g_autofree char *name = g_path_get_basename (path);

  return place.line > 0 ? g_strdup_printf ("%s:%d:%d: %s", name, place.line, place.column, sentence)
                        : g_strdup (sentence);
}

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const Read *read = data;
  g_autofree char *path = app_lesson_find_translation (read->path);
  g_autoptr (GError) error = NULL;
  AppPlace fault;
  AppLesson *lesson = app_lesson_read (path, &fault, &error);

  if (lesson != NULL) {
    g_task_return_pointer (task, lesson, (GDestroyNotify) app_lesson_unref);
  } else {
    g_autofree char *sentence = app_lessons_part_dup_fault (path, fault, error->message);

    g_task_return_new_error (task, APP_LESSON_ERROR, APP_LESSON_ERROR_SYNTAX, "%s", sentence);
  }
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  AppLessonsPart *self = APP_LESSONS_PART (source);
  const Read *read = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (AppLesson) lesson = g_task_propagate_pointer (G_TASK (result), &error);

  if (read->serial != self->n_reads || app_desk_get_window (self->desk) == NULL)
    return;
  if (read->is_reload) {
    /* One that is open stays as it was until its file can be read again. */
    show_fault (self, error != NULL ? error->message : NULL);
    if (lesson != NULL)
      go_on_with (self, g_steal_pointer (&lesson));
  } else if (lesson != NULL) {
    begin_lesson (self, g_steal_pointer (&lesson));
  } else {
    app_desk_refuse (self->desk, error->message);
  }
}

static void
read_file (AppLessonsPart *self,
           const char     *path,
           gboolean        is_reload)
{
  g_autoptr (GTask) task = app_task_new (self, read_cb, NULL);
  Read *read = g_new (Read, 1);

  *read = (Read) { g_strdup (path), ++self->n_reads, is_reload };
  g_task_set_task_data (task, read, read_free);
  g_task_run_in_thread (task, read_thread);
}

void
app_lessons_part_read (AppLessonsPart *self,
                       const char     *path)
{
  g_autofree char *name = g_path_get_basename (path);

  /* However it is opened, it need not be offered any more. */
  if (g_str_equal (name, APP_LESSONS_TOUR))
    app_desk_get_settings (self->desk)->ways_used |= APP_WAY_TOUR;
  read_file (self, path, FALSE);
}
