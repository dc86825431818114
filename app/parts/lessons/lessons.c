/* SPDX-License-Identifier: MIT */
#include "app/parts/lessons/lessons-private.h"

#include "app/store/paths.h"
#include "ui/boxes/tall-box.h"

G_DEFINE_FINAL_TYPE (AppLessonsPart, app_lessons_part, APP_TYPE_PART)

AppScoreSheet *
app_lessons_part_get_scores (AppLessonsPart *self)
{
  if (self->scores == NULL) {
    g_autofree char *path = app_paths_get_scores ();

    self->scores = app_score_sheet_new (path);
  }

  return self->scores;
}

/* The buttons have the keys when one has answered, all of the page where a question is out of sight:
 * what is read is scrolled from there. */
static gboolean
scroll_key_cb (AppLessonsPart *self,
               guint           key)
{
  static const struct { guint key; GtkScrollType scroll; } keys[] = {
    { GDK_KEY_Page_Down, GTK_SCROLL_PAGE_DOWN }, { GDK_KEY_Page_Up, GTK_SCROLL_PAGE_UP },
    { GDK_KEY_Down, GTK_SCROLL_STEP_DOWN },      { GDK_KEY_Up, GTK_SCROLL_STEP_UP },
    { GDK_KEY_Home, GTK_SCROLL_START },          { GDK_KEY_End, GTK_SCROLL_END },
  };
  gboolean is_done = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key)
      g_signal_emit_by_name (self->scroller, "scroll-child", keys[i].scroll, FALSE, &is_done);

  return is_done;
}

/* GTK leaves a scroller that has the keys itself. What is typed is meant for the answer. */
static gboolean
page_key_cb (AppLessonsPart        *self,
             guint                  key,
             guint                  code,
             GdkModifierType        modifiers,
             GtkEventControllerKey *keys)
{
  const AppAsk *ask = self->check != NULL ? app_lessons_part_find_asked (self) : NULL;
  const gboolean is_typed = g_unichar_isgraph (gdk_keyval_to_unicode (key))
                            && !(modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK));

  if (is_typed && ask != NULL && ask->type == APP_ASK_NUMBER) {
    app_lessons_part_focus_behind (self);
    return gtk_event_controller_key_forward (
      keys, gtk_window_get_focus (app_desk_get_window (self->desk)));
  }
  if (key != GDK_KEY_Tab)
    return scroll_key_cb (self, key);
  app_lessons_part_focus_behind (self);
  return GDK_EVENT_STOP;
}

static void
add_scroll_keys (AppLessonsPart      *self,
                 GtkWidget           *widget,
                 GtkPropagationPhase  phase,
                 GCallback            pressed)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, phase);
  g_signal_connect_object (keys, "key-pressed", pressed, self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, keys);
}

static void
to_picture_cb (AppLessonsPart *self)
{
  app_desk_reveal_side (self->desk, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
}

/* Where there is little room one of page and picture is in sight, and says how to get the other. */
static void
sync_ways (AppLessonsPart *self)
{
  const gboolean is_open = self->lesson != NULL && !app_desk_is_presented (self->desk)
                           && !app_lessons_part_is_guided (self);
  const gboolean is_in_sight = app_desk_reveals_side (self->desk);

  if (self->pages == NULL)
    return;
  gtk_widget_set_visible (self->to_picture,
                          is_open && is_in_sight && app_desk_folds_side (self->desk));
  gtk_widget_set_visible (self->to_lesson, is_open && !is_in_sight);
}

/* With the first lesson: a start needs no page of it. */
void
app_lessons_part_make_page (AppLessonsPart *self)
{
  if (self->pages != NULL)
    return;

  app_part_load_ui (self, "lessons");
  app_part_place (self, "lesson_pages", "page_lesson");
  self->pages = app_part_get_object (self, "lesson_pages");
  self->list_summary = app_part_get_object (self, "lessons_summary");
  self->list = app_part_get_object (self, "lessons_list");
  self->clear_button = app_part_get_object (self, "lessons_clear");
  self->title = app_part_get_object (self, "lesson_title");
  self->count = app_part_get_object (self, "lesson_count");
  self->score = app_part_get_object (self, "lesson_score");
  self->fault = app_part_get_object (self, "lesson_fault");
  self->scroller = app_part_get_object (self, "lesson_scroller");
  self->content = app_part_get_object (self, "lesson_content");
  self->back = app_part_get_object (self, "lesson_back");
  self->next = app_part_get_object (self, "lesson_next");
  self->to_picture = app_part_get_object (self, "lesson_picture");
  self->to_lesson = app_part_get_object (self, "lesson_return");
  app_part_place (self, "lesson_return", "return");
  g_signal_connect_object (self->to_picture, "clicked", G_CALLBACK (to_picture_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child (self->scroller, ui_tall_box_new (GTK_WIDGET (self->content)));
  add_scroll_keys (self, gtk_widget_get_parent (GTK_WIDGET (self->next)), GTK_PHASE_CAPTURE,
                   G_CALLBACK (scroll_key_cb));
  add_scroll_keys (self, GTK_WIDGET (self->scroller), GTK_PHASE_TARGET, G_CALLBACK (page_key_cb));
  app_lessons_part_connect_list (self);
}

/* Actions. */

static void
show_lessons (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppLessonsPart *self = data;

  const gboolean is_in_sight = app_desk_shows_side (self->desk, "lesson")
                               && app_desk_reveals_side (self->desk);

  /* One that is open is what is looked for; from it on to the list. */
  if (self->lesson != NULL && !is_in_sight && !app_lessons_part_is_guided (self))
    app_desk_show_side (self->desk, "lesson");
  else
    app_lessons_part_show_list (self);
}

static void
close_lesson (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppLessonsPart *self = data;

  app_lessons_part_leave (self, FALSE);
  app_desk_close_lesson (self->desk);
}

static void
next_section (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  app_lessons_part_step (data, 1);
}

static void
previous_section (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       data)
{
  app_lessons_part_step (data, -1);
}

static void
add_to_lesson (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  app_lessons_part_ask_where (data);
}

static void
begin_tour (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppLessonsPart *self = data;
  g_autofree char *folder = app_paths_get_lessons ();
  g_autofree char *path = g_build_filename (folder, APP_LESSONS_TOUR, NULL);

  app_lessons_part_read (self, path);
  app_desk_refresh (self->desk);
}

/* The part. */

static gboolean
click (AppPart      *part,
       const UiItem *item,
       gboolean      extend)
{
  app_lessons_part_take_item (APP_LESSONS_PART (part), item);

  return FALSE;
}

static gboolean
escape (AppPart *part)
{
  AppLessonsPart *self = APP_LESSONS_PART (part);

  if (!app_lessons_part_is_guided (self))
    return FALSE;
  app_lessons_part_end_guide (self);

  return TRUE;
}

static void
sync_part (AppPart *part)
{
  AppLessonsPart *self = APP_LESSONS_PART (part);
  const gboolean is_open = self->lesson != NULL;

  /* Whoever chooses something else wants to see it. */
  if (self->hidden != NULL
      && !ui_document_equal (self->hidden, app_study_get_document (self->study)))
    app_lessons_part_reveal_picture (self);
  app_desk_set_enabled (self->desk, "next-section", is_open);
  app_desk_set_enabled (self->desk, "previous-section", is_open && self->section > 0);
  app_desk_set_enabled (self->desk, "add-to-lesson",
                        app_picture_get_shown (self->picture) != NULL);
  app_lessons_part_take_head (self);
  sync_ways (self);
}

void
app_lessons_part_leave_for_good (AppLessonsPart *self)
{
  app_lessons_part_leave (self, FALSE);
}

static void
end (AppPart *part)
{
  AppLessonsPart *self = APP_LESSONS_PART (part);

  self->n_reads++;
  g_clear_handle_id (&self->reload_source, g_source_remove);
  g_clear_handle_id (&self->scroll_source, g_source_remove);
  g_clear_handle_id (&self->focus_source, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->job, app_job_stop);
  g_clear_pointer (&self->scores, app_score_sheet_free);
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = {
    { "lessons", show_lessons },
    { "close-lesson", close_lesson },
    { "next-section", next_section },
    { "previous-section", previous_section },
    { "add-to-lesson", add_to_lesson },
    { "tour", begin_tour },
  };
  AppLessonsPart *self = APP_LESSONS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  app_lessons_part_connect_guide (self);
  g_signal_connect_object (self->desk, "side-revealed", G_CALLBACK (sync_ways), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "open-lesson", G_CALLBACK (app_lessons_part_read), self,
                           G_CONNECT_SWAPPED);
}

static void
app_lessons_part_finalize (GObject *object)
{
  AppLessonsPart *self = APP_LESSONS_PART (object);

  g_clear_pointer (&self->shelf, g_ptr_array_unref);
  g_clear_pointer (&self->lesson, app_lesson_unref);
  g_clear_pointer (&self->own, ui_document_free);
  g_clear_pointer (&self->hidden, ui_document_free);
  g_clear_pointer (&self->check, app_section_check_free);
  g_ptr_array_unref (self->shown);
  g_hash_table_unref (self->refused);
  g_free (self->name);
  g_free (self->last);
  g_free (self->own_model);
  G_OBJECT_CLASS (app_lessons_part_parent_class)->finalize (object);
}

static void
app_lessons_part_class_init (AppLessonsPartClass *klass)
{
  g_type_ensure (UI_TYPE_GUIDE);

  G_OBJECT_CLASS (klass)->finalize = app_lessons_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->click = click;
  APP_PART_CLASS (klass)->escape = escape;
  APP_PART_CLASS (klass)->end = end;
  g_signal_new ("cue-changed", APP_TYPE_LESSONS_PART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
app_lessons_part_init (AppLessonsPart *self)
{
  self->shown = g_ptr_array_new_with_free_func (g_free);
  self->refused = g_hash_table_new (NULL, NULL);
}
