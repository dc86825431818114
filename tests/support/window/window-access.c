/* SPDX-License-Identifier: MIT */
#include "tests/support/window/window-access.h"

#include "app/desk/desk-private.h"
#include "app/parts/display/display.h"
#include "app/parts/export/export-private.h"
#include "app/parts/fields/fields.h"
#include "app/parts/links/links-private.h"
#include "app/parts/map/map-private.h"
#include "app/parts/model-view/model-view-private.h"
#include "app/parts/models/models-private.h"
#include "app/parts/search/search.h"
#include "app/parts/session/session-private.h"
#include "app/parts/sweep/sweep-private.h"
#include "app/picture/picture-private.h"
#include "app/run/task.h"
#include "app/study/study-private.h"
#include "ui/controls/state-label.h"
#include "ui/inspector/inspector-private.h"
#include "ui/sentences/sentence-line.h"

static AppStudy *
get_study (AppWindow *window)
{
  return app_desk_get_study (app_window_get_desk (window));
}

static AppPicture *
get_picture (AppWindow *window)
{
  return app_desk_get_picture (app_window_get_desk (window));
}

static AppSessionPart *
get_session (AppWindow *window)
{
  return app_window_get_part (window, APP_TYPE_SESSION_PART);
}

static AppLinksPart *
get_links (AppWindow *window)
{
  return app_window_get_part (window, APP_TYPE_LINKS_PART);
}

static GtkWidget *
find (GtkWidget  *widget,
      const char *id)
{
  if (g_strcmp0 (gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)), id) == 0)
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find (child, id);

    if (found != NULL)
      return found;
  }
  return NULL;
}

GtkWidget *
window_find (AppWindow  *window,
             const char *id)
{
  GtkWidget *found = find (GTK_WIDGET (window), id);

  if (found == NULL)
    g_error ("no widget of the window has the id %s", id);
  return found;
}

UiSceneView *
window_view (AppWindow *window)
{
  return UI_SCENE_VIEW (window_find (window, "scene_view"));
}

const char *
window_get_label (AppWindow  *window,
                  const char *id)
{
  GtkWidget *widget = window_find (window, id);

  if (GTK_IS_MENU_BUTTON (widget)
      && UI_IS_STATE_LABEL (gtk_menu_button_get_child (GTK_MENU_BUTTON (widget))))
    return ui_state_label_get_text (
      UI_STATE_LABEL (gtk_menu_button_get_child (GTK_MENU_BUTTON (widget))));
  if (GTK_IS_MENU_BUTTON (widget))
    return gtk_menu_button_get_label (GTK_MENU_BUTTON (widget));
  if (GTK_IS_BUTTON (widget))
    return gtk_button_get_label (GTK_BUTTON (widget));
  if (UI_IS_SENTENCE_LINE (widget))
    return ui_sentence_line_get_text (UI_SENTENCE_LINE (widget));
  return gtk_label_get_label (GTK_LABEL (widget));
}

const char *
window_get_text (AppWindow  *window,
                 const char *id)
{
  return gtk_editable_get_text (GTK_EDITABLE (window_find (window, id)));
}

gboolean
window_reveals (AppWindow  *window,
                const char *id)
{
  return gtk_revealer_get_reveal_child (GTK_REVEALER (window_find (window, id)));
}

void
window_change (AppWindow  *window,
               UiDocument *document)
{
  app_study_change (get_study (window), document);
}

/* The inspector waits for the first picture. */
static gboolean
awaits_start (AppWindow *window)
{
  return !gtk_widget_get_visible (UI_INSPECTOR (window_find (window, "inspector"))->content);
}

gboolean
window_is_idle (AppWindow *window)
{
  return get_picture (window)->shown != NULL && !get_study (window)->waiting
         && get_study (window)->submit_source == 0 && !awaits_start (window);
}

gboolean
window_is_waiting (AppWindow *window)
{
  return app_study_is_waiting (get_study (window));
}

gboolean
window_will_submit (AppWindow *window)
{
  return get_study (window)->submit_source != 0;
}

guint
window_get_serial (AppWindow *window)
{
  return get_study (window)->serial;
}

gboolean
window_is_complete (AppWindow *window)
{
  return app_study_is_complete (get_study (window));
}

EngModel *
window_get_model (AppWindow *window)
{
  return app_study_get_model (get_study (window));
}

const UiDocument *
window_get_answered (AppWindow *window)
{
  return app_study_get_answered (get_study (window));
}

void
window_set_trace (AppWindow *window,
                  EngTrace  *trace)
{
  get_study (window)->trace = trace;
}

EngTrace *
window_get_second_trace (AppWindow *window)
{
  return app_picture_get_second (get_picture (window));
}

gboolean
window_has_other_trace (AppWindow *window)
{
  EngTrace *second = app_picture_get_second (get_picture (window));

  return second != NULL && second != app_study_get_trace (get_study (window));
}

const AppWritten *
window_get_written (AppWindow *window)
{
  return app_study_get_written (get_study (window));
}

void
window_put_written (AppWindow  *window,
                    UiDocument *document)
{
  app_study_put_written (get_study (window), document);
}

const AppHistory *
window_get_history (AppWindow *window)
{
  return get_study (window)->history;
}

gboolean
window_is_saving (AppWindow *window)
{
  return get_study (window)->is_saving;
}

const char *
window_get_autosave_path (AppWindow *window)
{
  return app_autosave_get_path (get_study (window)->autosave);
}

guint
window_get_n_opened (AppWindow *window)
{
  return get_session (window)->n_opened;
}

const UiDocument *
window_get_wanted (AppWindow *window)
{
  return app_picture_get_wanted (get_picture (window));
}

gboolean
window_awaits_picture (AppWindow *window)
{
  return app_picture_get_wanted (get_picture (window)) != NULL;
}

gboolean
window_has_drawing (AppWindow *window)
{
  return get_picture (window)->drawing != NULL;
}

gboolean
window_is_fitting (AppWindow *window)
{
  return get_picture (window)->fit_tick != 0;
}

void
window_set_shown_kind (AppWindow *window,
                       EngKind    kind)
{
  get_picture (window)->shown->kind = kind;
}

AppSettings *
window_get_settings (AppWindow *window)
{
  return app_desk_get_settings (app_window_get_desk (window));
}

UiTheme
window_get_theme (AppWindow *window)
{
  return ui_scene_view_get_theme (app_picture_get_view (get_picture (window)));
}

void
window_update_actions (AppWindow *window)
{
  app_part_refresh (app_window_get_part (window, APP_TYPE_FIELDS_PART));
}

void
window_toast (AppWindow  *window,
              const char *sentence)
{
  app_desk_toast (app_window_get_desk (window), sentence);
}

void
window_add_toast (AppWindow *window,
                  AdwToast  *toast)
{
  app_desk_add_toast (app_window_get_desk (window), toast);
}

AdwToast *
window_get_toast (AppWindow *window)
{
  return app_window_get_desk (window)->toasts.toast;
}

gboolean
window_will_show_next_toast (AppWindow *window)
{
  return app_window_get_desk (window)->toasts.source != 0;
}

gboolean
window_has_job (AppWindow *window)
{
  return app_desk_has_job (app_window_get_desk (window));
}

GTask *
window_task_new (AppWindow           *window,
                 GAsyncReadyCallback  callback,
                 gpointer             data)
{
  return app_task_new (window, callback, data);
}

GMemoryMonitor *
window_get_memory_monitor (AppWindow *window)
{
  return g_memory_monitor_dup_default ();
}

gboolean
window_shows_side (AppWindow  *window,
                   const char *name)
{
  return app_desk_shows_side (app_window_get_desk (window), name);
}

void
window_open_model (AppWindow  *window,
                   const char *model)
{
  app_study_open_model (get_study (window), model);
}

void
window_open_trace (AppWindow  *window,
                   const char *path)
{
  app_study_open_trace (get_study (window), path);
}

gconstpointer
window_get_model_entries (AppWindow *window)
{
  AppModelsPart *part = app_window_get_part (window, APP_TYPE_MODELS_PART);

  return part->entries;
}

int
window_get_mask_id (AppWindow *window)
{
  return eng_tokenizer_get_mask_id (
    eng_model_get_tokenizer (app_study_get_model (get_study (window))));
}

gboolean
window_knows_lost (AppWindow *window)
{
  return get_session (window)->lost != NULL;
}

void
window_find_lost (AppWindow *window)
{
  g_clear_pointer (&get_session (window)->lost, g_ptr_array_unref);
  app_session_part_find_lost (get_session (window));
}

GMenuModel *
window_get_recent_menu (AppWindow *window)
{
  return app_desk_get_recent_menu (app_window_get_desk (window));
}

void
window_fill_recent (AppWindow *window)
{
  app_desk_fill_recent (app_window_get_desk (window));
}

void
window_refresh_display (AppWindow *window)
{
  app_part_refresh (app_window_get_part (window, APP_TYPE_DISPLAY_PART));
}

EngTrace *
window_get_map_trace (AppWindow *window)
{
  AppMapPart *part = app_window_get_part (window, APP_TYPE_MAP_PART);

  return part->tiles != NULL ? ui_head_tiles_get_trace (part->tiles) : NULL;
}

EngTrace *
window_get_facts_trace (AppWindow *window)
{
  AppModelViewPart *part = app_window_get_part (window, APP_TYPE_MODEL_VIEW_PART);

  return part->facts_trace;
}

GtkWidget *
window_get_sweep_dialog (AppWindow *window)
{
  AppSweepPart *part = app_window_get_part (window, APP_TYPE_SWEEP_PART);

  return part->dialog;
}

void
window_set_export_format (AppWindow      *window,
                          UiExportFormat  format)
{
  AppExportPart *part = app_window_get_part (window, APP_TYPE_EXPORT_PART);

  part->export_format = format;
}

gboolean
window_picks_words (AppWindow *window)
{
  return app_picture_get_prompt (get_picture (window)) != NULL;
}

int
window_get_link_word (AppWindow *window,
                      int        index)
{
  return get_links (window)->link_words[index];
}

void
window_set_link_word (AppWindow *window,
                      int        index,
                      int        token)
{
  get_links (window)->link_words[index] = token;
}

EngTrace *
window_get_link_trace (AppWindow *window)
{
  return get_links (window)->link_question.trace;
}

gboolean
window_has_link_job (AppWindow *window)
{
  return get_links (window)->link_job != NULL;
}

void
window_refresh_links (AppWindow *window)
{
  app_part_refresh (APP_PART (get_links (window)));
}

void
window_search_file (AppWindow  *window,
                    const char *path)
{
  app_search_part_set_file (app_window_get_part (window, APP_TYPE_SEARCH_PART), path);
}
