/* SPDX-License-Identifier: MIT */
/* What a part sees of the window: the study and the picture, settings, its actions, what can be
 * said and shown, and places where widgets stand. Parts see the window through this alone. Main
 * thread; what it returns is borrowed. It outlives the window for as long as a thread still holds
 * it; what is said then goes to stderr, the rest does nothing. */
#pragma once

#include <adwaita.h>

#include "app/picture/picture.h"
#include "app/run/job.h"
#include "app/store/settings.h"
#include "ui/inspector/inspector.h"

G_BEGIN_DECLS

#define APP_TYPE_DESK (app_desk_get_type ())
G_DECLARE_FINAL_TYPE (AppDesk, app_desk, APP, DESK, GObject)

AppStudy     *app_desk_get_study     (AppDesk             *self);
AppPicture   *app_desk_get_picture   (AppDesk             *self);
AppSettings  *app_desk_get_settings  (AppDesk             *self);
/* That dialogs stand over; NULL once it is closed. */
GtkWindow    *app_desk_get_window    (AppDesk             *self);

/* Also when the window is closed. */
GdkClipboard *app_desk_get_clipboard (AppDesk             *self);

/* What the window does beside what it shows, for its title: "in training, step 1,240"; NULL =
 * nothing. Emits "activity-changed". */
void          app_desk_set_activity  (AppDesk             *self,
                                      const char          *activity);
const char   *app_desk_get_activity  (AppDesk             *self);

/* Everything that the window shows is set to study and picture once more. */
void          app_desk_refresh       (AppDesk             *self);
/* As if the item were clicked in the picture. */
void          app_desk_click         (AppDesk             *self,
                                      const UiItem        *item,
                                      gboolean             extend);
/* What can be done to a head, or with head -1 to its layer: the part that knows answers "head-menu"
 * (int layer, int head). (transfer full) NULL = nothing. */
GMenuModel   *app_desk_new_head_menu (AppDesk             *self,
                                      int                  layer,
                                      int                  head);
/* What can be done to an item of the picture's scene: each part that knows something puts its
 * sections into the menu of "item-menu" (UiItem *item, GMenu *menu). (transfer full) NULL =
 * nothing. */
GMenuModel   *app_desk_new_item_menu (AppDesk             *self,
                                      const UiItem        *item);
/* Scrolls to the link that was just pinned from afar, once it is drawn: the part that knows the
 * picture answers "show-pinned" (). */
void          app_desk_show_pinned   (AppDesk             *self);
/* Controls are being set: their signals say nothing new. */
gboolean      app_desk_is_syncing    (AppDesk             *self);

/* Widgets of one column are equally wide, so that what stands between them in several rows begins
 * at one place; GTK counts hidden ones, too. column: a literal. */
void          app_desk_align         (AppDesk             *self,
                                      const char          *column,
                                      GtkWidget           *widget,
                                      gboolean             is_aligned);

/* Actions of the window, "win.NAME". */
void          app_desk_add_actions   (AppDesk             *self,
                                      const GActionEntry  *entries,
                                      int                  n_entries,
                                      gpointer             data);
void          app_desk_set_enabled   (AppDesk             *self,
                                      const char          *name,
                                      gboolean             enabled);
void          app_desk_set_state     (AppDesk             *self,
                                      const char          *name,
                                      GVariant            *state); /* floating is taken */
void          app_desk_activate      (AppDesk             *self,
                                      const char          *name,
                                      GVariant            *parameter); /* nullable */

/* What stands beside a notice: nothing, a button that cuts the texts, or one that closes it until
 * its owner says something else. One that tells is closed so, too; no audience sees it. */
typedef enum {
  APP_NOTICE_STAYS, APP_NOTICE_TRUNCATES, APP_NOTICE_CLOSES, APP_NOTICE_TELLS
} AppNoticeButton;

/* A sentence above the picture, for as long as its owner wants it; NULL takes it away. What was
 * said last stands first. */
void          app_desk_set_notice    (AppDesk             *self,
                                      gconstpointer        owner,
                                      const char          *sentence,
                                      AppNoticeButton      button);
/* What a person named could not be opened: said until it was read, or something else opens. Emits
 * "refused" (const char *sentence). */
void          app_desk_refuse        (AppDesk             *self,
                                      const char          *sentence);
/* The part that knows lessons opens one, by "open-lesson" (const char *path). */
void          app_desk_open_lesson   (AppDesk             *self,
                                      const char          *path);
/* A sentence that goes by itself; borrowed, for who takes it away before. NULL: there is no window any
 * more. */
AdwToast     *app_desk_toast         (AppDesk             *self,
                                      const char          *sentence);
/* The same of what went well, which is nothing for an audience: said once the presentation ends. */
void          app_desk_tell          (AppDesk             *self,
                                      const char          *sentence);
/* Whether what tells of the picture may be opened, begun or given away now; while a lesson asks for it,
 * says why not. */
gboolean      app_desk_may_tell      (AppDesk             *self);
/* What stands in the place of such things that are open as a lesson begins to ask. */
#define APP_DESK_HELD_BACK "Answer first: the numbers come then."
void          app_desk_set_presented (AppDesk             *self,
                                      gboolean             is_presented);
gboolean      app_desk_is_presented  (AppDesk             *self);
/* The same with more in it; takes the toast over. */
void          app_desk_add_toast     (AppDesk             *self,
                                      AdwToast            *toast);
/* What of a text that was put into an entry is not in it: too much of it, or its tabs. */
void          app_desk_say_shortened (AppDesk             *self,
                                      gboolean             is_long);
void          app_desk_dismiss_toast (AppDesk             *self,
                                      AdwToast            *toast);

/* Long work with its progress at the foot of the window; one at a time, a new one ends the one
 * before without its done. klass->done calls app_desk_end_job() last. */
void          app_desk_start_job     (AppDesk             *self,
                                      const char          *title, /* "Ablating 144 heads" */
                                      const AppJobClass   *klass,
                                      gpointer             data,
                                      gpointer             owner);
void          app_desk_end_job       (AppDesk             *self);
gboolean      app_desk_has_job       (AppDesk             *self);

/* The page beside the picture: "inspector", "links", "file", "lesson". Emits "side-changed" when
 * another is in sight. */
void          app_desk_show_side     (AppDesk             *self,
                                      const char          *name);
/* The search goes: back to a lesson, or to the inspector as it was, or as it was hidden. */
void          app_desk_close_side    (AppDesk             *self);
/* The same of the page of lessons. */
void          app_desk_close_lesson  (AppDesk             *self);
gboolean      app_desk_shows_side    (AppDesk             *self,
                                      const char          *name);
/* Whether pages of a search can be chosen there, until they are closed. */
gboolean      app_desk_has_search    (AppDesk             *self);
/* Keys that are pressed there; takes the controller over. */
void          app_desk_add_side_keys (AppDesk             *self,
                                      GtkEventController  *keys);
/* Whether there is anything beside the picture; a person may hide it, too, and want of room does.
 * Each change of it, and of the map, is told by "side-revealed". */
void          app_desk_reveal_side   (AppDesk             *self,
                                      gboolean             is_wanted);
gboolean      app_desk_reveals_side  (AppDesk             *self);
/* Whether there is no room for it beside the picture: it then lies over that. */
gboolean      app_desk_folds_side    (AppDesk             *self);
/* What app_desk_reveal_side() is for the map of heads before the picture. */
void          app_desk_reveal_map    (AppDesk             *self,
                                      gboolean             is_wanted);
gboolean      app_desk_reveals_map   (AppDesk             *self);
/* Closes what lies over the picture. FALSE = nothing does. */
gboolean      app_desk_close_over    (AppDesk             *self);
/* Where something stands in the window, for who points at it: "map", "picture", "caption",
 * "inspector", "texts", "views". NULL = there is none. */
GtkWidget    *app_desk_find_region   (AppDesk             *self,
                                      const char          *region);
/* Each part sets what is its own in it. */
UiInspector  *app_desk_get_inspector (AppDesk             *self);

/* The table of the numbers in the place of the picture. */
void          app_desk_show_table    (AppDesk             *self,
                                      gboolean             is_table);
gboolean      app_desk_shows_table   (AppDesk             *self);

/* A file or folder of this computer that a person is asked for. */
typedef struct {
  const char           *title;
  GtkFileChooserAction  action;
  const char           *name;    /* that a file to be saved may be called; nullable */
  struct {
    const char *name;            /* NULL = no more */
    const char *endings;         /* "svg pdf" */
  }                     filters[2];
  GtkWindow            *parent;  /* NULL = the window */
} AppFileQuestion;

/* data is transfer full. */
typedef void (*AppChosen) (gpointer    owner,
                           const char *path,
                           gpointer    data);

/* chosen is called unless the person or the owner, a GObject, leaves before a path is there; data
 * is freed then. free_data is nullable. */
void          app_desk_choose_file   (AppDesk             *self,
                                      const AppFileQuestion *question,
                                      gpointer             owner,
                                      AppChosen            chosen,
                                      gpointer             data,
                                      GDestroyNotify       free_data);
/* csv (transfer full) goes into a file that a person chooses; name: what it may be called. */
void          app_desk_save_csv      (AppDesk             *self,
                                      GtkWindow           *parent,
                                      char                *csv,
                                      const char          *name);

/* The submenu of what was opened last, and filling it anew, each time that it opens. A person who
 * chooses there is told by "open-file" (const char *path). */
GMenuModel   *app_desk_get_recent_menu (AppDesk           *self);
void          app_desk_fill_recent   (AppDesk             *self);
void          app_desk_add_recent    (AppDesk             *self,
                                      const char          *path,
                                      AppFileKind          kind);
/* Of a model or trace, whose reader may still refuse it: added once an answer shows it. */
void          app_desk_await_recent  (AppDesk             *self,
                                      const char          *path,
                                      AppFileKind          kind);

/* In a thread; the task's result is app_model_store_list()'s, (transfer full); owner as in
 * app/run/task.h. */
void          app_desk_list_models   (gpointer             owner,
                                      GAsyncReadyCallback  callback);

G_END_DECLS
