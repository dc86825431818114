/* SPDX-License-Identifier: MIT */
#include "app/shell/window.h"

#include <malloc.h>

#include "app/desk/desk-frame.h"
#include "app/desk/shortcuts.h"
#include "app/parts/lessons/lessons.h"
#include "app/parts/session/session.h"
#include "app/parts/training/training.h"
#include "app/run/timing.h"
#include "app/shell/appearance.h"
#include "app/shell/focus.h"
#include "app/shell/help.h"
#include "app/shell/layout.h"
#include "app/shell/menus.h"
#include "app/shell/narrow.h"
#include "app/shell/parts.h"
#include "app/shell/presenter.h"
#include "app/shell/refusals.h"
#include "app/shell/regions.h"
#include "app/shell/spinner.h"
#include "app/shell/stage.h"
#include "ui/boxes/columns.h"
#include "ui/boxes/stop-box.h"
#include "ui/boxes/tool-row.h"
#include "ui/boxes/wrap-box.h"
#include "ui/controls/tame-menu.h"
#include "ui/inspector/inspector.h"
#include "ui/scene/sinks/text.h"
#include "ui/view/minimap.h"
#include "ui/view/scene-view.h"

#define FINISHES_AFTER 1000 /* ms without a picture */

/* What stands in the slots of its frame is the parts'. */
struct _AppWindow {
  AdwApplicationWindow parent_instance;

  GtkSpinner      *spinner;
  GtkMenuButton   *menu_button;
  UiSceneView     *scene_view;
  GtkWidget       *header;
  GtkWidget       *foot_bar;
  GtkWidget       *steps;
  GtkWidget       *column_map;
  GtkWidget       *column_strip;
  AppNarrowWidgets folding; /* those that a small window leaves out */
  AppDeskWidgets   frame;   /* those that the desk speaks with */

  AppStudy        *study;
  AppPicture      *picture;
  AppDesk         *desk;
  AppParts        *parts;
  AppAppearance   *appearance;
  AppNarrow       *narrow;
  AppPresenter    *presenter;
  AppStage        *stage;
  AppRegions      *regions;

  AppFocus        *focus;
  GMemoryMonitor  *memory;
  guint            finish_source; /* of the rest of the start; 0 = done */
};

G_DEFINE_FINAL_TYPE (AppWindow, app_window, ADW_TYPE_APPLICATION_WINDOW)

/* Following study and picture. */

/* The next start opens it as one that was trained. */
static void
remember_model (AppWindow *self)
{
  const UiDocument *answered = app_study_get_answered (self->study);

  if (app_study_is_complete (self->study) && app_study_get_model (self->study) != NULL
      && !answered->random_weights_set)
    app_settings_set_last_model (app_desk_get_settings (self->desk), answered->model);
}

/* A part's work may end or change what is picked, which comes here again. */
static void
refresh (AppWindow *self)
{
  const gboolean is_syncing = app_desk_is_syncing (self->desk);

  app_desk_set_syncing (self->desk, TRUE);
  app_parts_refresh (self->parts);
  app_spinner_set_busy (self->spinner, app_study_is_waiting (self->study)
                                       || app_picture_get_wanted (self->picture) != NULL);
  app_refusals_sync (self->desk);
  app_desk_set_notice (self->desk, self->picture, app_picture_get_prompt (self->picture),
                       APP_NOTICE_STAYS);
  app_desk_set_syncing (self->desk, is_syncing);
}

/* What nobody reads before the first picture: the inspector, whose many lines are measured, and
 * tooltips, each of which asks the display where the pointer is. */
static gboolean
finish_cb (gpointer data)
{
  AppWindow *self = data;

  self->finish_source = 0;
  ui_inspector_set_waits (app_desk_get_inspector (self->desk), FALSE);
  app_shortcuts_explain (GTK_WIDGET (self));
  /* Parts have the last word: why a control cannot be used. */
  refresh (self);

  return G_SOURCE_REMOVE;
}

static void
report_first_picture (GdkFrameClock *clock,
                      AppWindow     *self)
{
  g_signal_handlers_disconnect_by_func (clock, report_first_picture, self);
  app_timing_report ("first picture");
  if (self->finish_source == 0)
    return;
  g_source_remove (self->finish_source);
  self->finish_source = g_idle_add (finish_cb, self);
}

static void
time_first_picture (AppWindow *self)
{
  app_timing_mark ("model's first answer");
  if (gtk_widget_get_realized (GTK_WIDGET (self)))
    g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "after-paint",
                             G_CALLBACK (report_first_picture), self, 0);
}

static void
picture_changed_cb (AppWindow *self)
{
  refresh (self);
}

static void
study_changed_cb (AppWindow      *self,
                  AppStudyChange  what)
{
  gboolean is_first = app_picture_get_shown (self->picture) == NULL;

  if ((what & APP_STUDY_TRACE) != 0) {
    if (is_first)
      time_first_picture (self);
    remember_model (self);
  }
  refresh (self);
  if ((what & APP_STUDY_REFUSED) != 0)
    app_refusals_show_opening (self->desk, self->parts);
}

static void
follow (AppWindow *self)
{
  g_signal_connect_object (self->study, "changed", G_CALLBACK (study_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->picture, "changed", G_CALLBACK (picture_changed_cb), self,
                           G_CONNECT_SWAPPED);
  refresh (self);
}

static void
low_memory_cb (GMemoryMonitor             *monitor,
               GMemoryMonitorWarningLevel  level,
               AppWindow                  *self)
{
  app_study_shrink (self->study);
  app_parts_shrink (self->parts);
  ui_text_forget ();
  malloc_trim (0);
}

static void
watch_memory (AppWindow *self)
{
  self->memory = g_memory_monitor_dup_default ();
  g_signal_connect_object (self->memory, "low-memory-warning", G_CALLBACK (low_memory_cb), self, 0);
}

/* Clicks and keys. */

static void
clicked_cb (AppWindow    *self,
            const UiItem *item,
            gboolean      extend)
{
  UiScene *scene = app_picture_get_scene (self->picture);
  UiItem first;

  if (app_picture_take_click (self->picture, item))
    return;
  if (!ui_scene_find_first (scene, item, &first)) {
    app_desk_toast (self->desk, "This, whose tokens are pinned, does not have this one");
    return;
  }
  if (!app_picture_note_click (self->picture, item))
    app_parts_click (self->parts, &first, extend);
}

/* They fold once the keys are elsewhere. */
static gboolean
leave_texts (AppWindow *self)
{
  return app_narrow_holds_texts (self->narrow)
         && gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

/* From entries at once; where nothing is left to be taken back from inspector and toolbar, too. */
static gboolean
go_to_picture (AppWindow *self)
{
  return gtk_window_get_focus (GTK_WINDOW (self)) != GTK_WIDGET (self->scene_view)
         && gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

/* Who types means what is typed in, whose text stays. */
static gboolean
leave_entry (AppWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return (GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus)) && go_to_picture (self);
}

/* One thing a press, the innermost first. */
static gboolean
escape (AppWindow *self)
{
  return ui_columns_close_over (self->frame.columns) || leave_texts (self) || leave_entry (self)
         || app_parts_escape (self->parts) || app_presenter_leave (self->presenter)
         || go_to_picture (self);
}

static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   unused)
{
  return escape (APP_WINDOW (widget));
}

/* Before the accelerators: what is being picked is what Escape ends first. */
static gboolean
key_cb (AppWindow *self,
        guint      key)
{
  return key == GDK_KEY_Escape && app_picture_cancel_pick (self->picture);
}

static void
connect_controls (AppWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_swapped (app_picture_get_view (self->picture), "clicked",
                            G_CALLBACK (clicked_cb), self);
  g_signal_connect_swapped (app_picture_get_view (self->picture), "unpinned",
                            G_CALLBACK (escape), self);
}

static void
app_window_size_allocate (GtkWidget *widget,
                          int        width,
                          int        height,
                          int        baseline)
{
  AppWindow *self = APP_WINDOW (widget);
  GtkWidget *scrolling[] = { GTK_WIDGET (self->scene_view), GTK_WIDGET (self->frame.side) };

  GTK_WIDGET_CLASS (app_window_parent_class)->size_allocate (widget, width, height, baseline);
  if (self->narrow != NULL)
    app_narrow_set_size (self->narrow, width, height);
  if (self->stage != NULL)
    app_stage_set_height (self->stage, height);
  app_layout_again (widget, scrolling, G_N_ELEMENTS (scrolling), width, height);
}

static gboolean
app_window_close_request (GtkWindow *window)
{
  AppWindow *self = APP_WINDOW (window);
  int width, height;

  /* What a lesson shows is no change of the session. */
  app_lessons_part_leave_for_good (app_parts_get (self->parts, APP_TYPE_LESSONS_PART));
  if (app_session_part_keeps_open (app_parts_get (self->parts, APP_TYPE_SESSION_PART))
      || app_training_part_keeps_open (app_parts_get (self->parts, APP_TYPE_TRAINING_PART)))
    return TRUE;

  /* The default size follows the real one while the window is not maximised. */
  gtk_window_get_default_size (window, &width, &height);
  if (width > 0 && height > 0) {
    app_desk_get_settings (self->desk)->width = width;
    app_desk_get_settings (self->desk)->height = height;
  }
  app_desk_get_settings (self->desk)->maximized = gtk_window_is_maximized (window);
  app_settings_save (app_desk_get_settings (self->desk));

  return GTK_WINDOW_CLASS (app_window_parent_class)->close_request (window);
}

static void
app_window_dispose (GObject *object)
{
  AppWindow *self = APP_WINDOW (object);

  g_clear_handle_id (&self->finish_source, g_source_remove);
  g_clear_pointer (&self->narrow, app_narrow_free);
  g_clear_pointer (&self->stage, app_stage_free);
  g_clear_pointer (&self->presenter, app_presenter_free);
  g_clear_pointer (&self->regions, app_regions_free);
  g_clear_pointer (&self->focus, app_focus_free);
  if (self->study != NULL) {
    g_signal_handlers_disconnect_by_data (self->study, self);
    g_signal_handlers_disconnect_by_data (self->picture, self);
  }
  if (self->desk != NULL) {
    app_parts_end (self->parts);
    app_desk_close (self->desk);
    app_picture_close (self->picture);
    app_study_close (self->study);
  }
  g_clear_object (&self->memory);

  G_OBJECT_CLASS (app_window_parent_class)->dispose (object);
}

/* A thread may hold the window for another moment: what it then says finds study and desk closed. */
static void
app_window_finalize (GObject *object)
{
  AppWindow *self = APP_WINDOW (object);

  g_clear_object (&self->appearance);
  g_clear_pointer (&self->parts, app_parts_free);
  g_clear_object (&self->desk);
  g_clear_object (&self->picture);
  g_clear_object (&self->study);

  G_OBJECT_CLASS (app_window_parent_class)->finalize (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, AppWindow, name)

static void
app_window_class_init (AppWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = app_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = app_window_finalize;
  widget_class->size_allocate = app_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = app_window_close_request;

  g_type_ensure (APP_TYPE_SLOT);
  g_type_ensure (UI_TYPE_COLUMNS);
  g_type_ensure (UI_TYPE_INSPECTOR);
  g_type_ensure (UI_TYPE_MINIMAP);
  g_type_ensure (UI_TYPE_SCENE_VIEW);
  g_type_ensure (UI_TYPE_STOP_BOX);
  g_type_ensure (UI_TYPE_TOOL_ROW);
  g_type_ensure (UI_TYPE_WRAP_BOX);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headlight/Headlight/ui/window.ui");
  BIND (spinner);
  BIND (menu_button);
  BIND (scene_view);
  BIND (header);
  BIND (foot_bar);
  BIND (steps);
  BIND (column_map);
  BIND (column_strip);
  app_narrow_bind_widgets (widget_class, G_STRUCT_OFFSET (AppWindow, folding));
  app_desk_bind_widgets (widget_class, G_STRUCT_OFFSET (AppWindow, frame));

  /* Behind popovers and entries, which take Escape first; an accelerator would come before them. */
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_slash, 0, "win.find-pattern", NULL);
}

static void
app_window_init (AppWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
refresh_cb (GtkWindow *window)
{
  refresh (APP_WINDOW (window));
}

static void
click_item_cb (GtkWindow    *window,
               const UiItem *item,
               gboolean      extend)
{
  clicked_cb (APP_WINDOW (window), item, extend);
}

static AppDesk *
make_desk (AppWindow   *self,
           AppSettings *settings)
{
  const AppDeskCalls calls = { .refresh = refresh_cb, .click = click_item_cb };

  self->frame.window = GTK_WINDOW (self);
  return app_desk_new (&self->frame, self->study, self->picture, settings, &calls);
}

static AppRegions *
make_regions (AppWindow *self)
{
  const AppRegionWidgets widgets = {
    self->frame.columns, self->column_map, self->column_strip, GTK_WIDGET (self->folding.sentences),
    self->frame.stack, gtk_widget_get_parent (GTK_WIDGET (self->frame.side)),
    GTK_WIDGET (self->scene_view)
  };

  return app_regions_new (ADW_APPLICATION_WINDOW (self), &widgets);
}

static AppStage *
make_stage (AppWindow *self)
{
  const AppStageWidgets widgets = {
    ADW_APPLICATION_WINDOW (self), self->desk, self->presenter,
    app_parts_get (self->parts, APP_TYPE_LESSONS_PART),
    app_parts_get (self->parts, APP_TYPE_CAPTION_PART), self->column_strip, self->folding.foot_line,
    self->folding.caption_place
  };

  return app_stage_new (&widgets);
}

static AppPresenter *
make_presenter (AppWindow *self)
{
  GtkWidget *const bars[APP_PRESENTER_BARS] = {
    self->header, GTK_WIDGET (self->folding.sentences),
    gtk_widget_get_next_sibling (GTK_WIDGET (self->folding.sentences)),
    GTK_WIDGET (self->folding.toolbar), self->foot_bar, gtk_widget_get_prev_sibling (self->steps)
  };

  return app_presenter_new (ADW_APPLICATION_WINDOW (self), self->desk, bars, self->frame.columns);
}

static void
add_actions (AppWindow *self)
{
  self->regions = make_regions (self);
  self->presenter = make_presenter (self);
  self->stage = make_stage (self);
  app_help_add_actions (GTK_WINDOW (self));
  self->appearance = app_appearance_new (self->desk, self->parts);
  app_shortcuts_add_head_keys (GTK_WIDGET (self));
}

static void
menu_made_cb (AppWindow *self)
{
  g_signal_connect_object (gtk_menu_button_get_popover (self->menu_button), "map",
                           G_CALLBACK (app_desk_fill_recent), self->desk, G_CONNECT_SWAPPED);
}

static void
begin_rest (AppWindow *self)
{
  g_autoptr (GMenuModel) menu = NULL;

  self->folding.window = GTK_WINDOW (self);
  self->narrow = app_narrow_new (&self->folding);
  app_shortcuts_explain_as (GTK_WIDGET (self->folding.more_button), "win.more");
  connect_controls (self);
  watch_memory (self);

  menu = app_menus_new_main (app_desk_get_recent_menu (self->desk));
  ui_set_late_menu (self->menu_button, menu);
  g_signal_connect_object (self->menu_button, "notify::popover", G_CALLBACK (menu_made_cb), self,
                           G_CONNECT_SWAPPED);
  self->focus = app_focus_new (GTK_WINDOW (self), GTK_WIDGET (self->scene_view),
                               GTK_WIDGET (self->frame.stack));
  ui_tame_menus (GTK_WIDGET (self));
  self->parts = app_parts_new (self->desk);
  add_actions (self);
  ui_inspector_set_waits (app_desk_get_inspector (self->desk), TRUE);
  self->finish_source = g_timeout_add (FINISHES_AFTER, finish_cb, self);
}

AppWindow *
app_window_new (GtkApplication *application,
                AppStudy       *study,
                AppSettings    *settings)
{
  AppWindow *self = g_object_new (APP_TYPE_WINDOW, "application", application, NULL);

  self->study = g_object_ref (study);
  self->picture = app_picture_new (study, self->scene_view);
  self->desk = make_desk (self, settings);
  gtk_window_set_default_size (GTK_WINDOW (self), settings->width, settings->height);
  if (settings->maximized)
    gtk_window_maximize (GTK_WINDOW (self));
  begin_rest (self);
  follow (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));

  return self;
}

void
app_window_show_session (AppWindow   *self,
                         UiSession   *session,
                         const char  *path,
                         AppFileKind  kind)
{
  g_return_if_fail (APP_IS_WINDOW (self));

  app_session_part_show (app_parts_get (self->parts, APP_TYPE_SESSION_PART), session, path, kind);
}

void
app_window_open_file (AppWindow  *self,
                      const char *path)
{
  g_return_if_fail (APP_IS_WINDOW (self));

  app_session_part_open (app_parts_get (self->parts, APP_TYPE_SESSION_PART), path);
}

const UiDocument *
app_window_get_document (AppWindow *self)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return app_study_get_document (self->study);
}

const UiDocument *
app_window_get_shown (AppWindow *self)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return app_picture_get_shown (self->picture);
}

EngTrace *
app_window_get_trace (AppWindow *self)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return app_study_get_trace (self->study);
}

AppDesk *
app_window_get_desk (AppWindow *self)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return self->desk;
}

gpointer
app_window_get_part (AppWindow *self,
                     GType      type)
{
  g_return_val_if_fail (APP_IS_WINDOW (self), NULL);

  return app_parts_get (self->parts, type);
}
