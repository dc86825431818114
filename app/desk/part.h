/* SPDX-License-Identifier: MIT */
/* A part: one feature of the window, with its own state, its row or dialog, its actions. It sees
 * the window through the desk and no other part. The window owns its parts and calls them in a
 * stated order (app/shell/parts.c): each sync() sets what the part shows to study and picture, and
 * nothing else; a click in the picture and Escape go from part to part until one takes them. Main
 * thread. */
#pragma once

#include "app/desk/desk.h"

G_BEGIN_DECLS

#define APP_TYPE_PART (app_part_get_type ())
G_DECLARE_DERIVABLE_TYPE (AppPart, app_part, APP, PART, GObject)

struct _AppPartClass {
  GObjectClass parent_class;

  /* Once, when desk, study and picture are there: widgets, actions, signals. */
  void     (*begin)   (AppPart *self);
  /* Before anything is shown: follows what was done, and finds out what the picture is drawn by; a
   * job for that may begin. */
  void     (*prepare) (AppPart *self);
  void     (*sync)    (AppPart *self);
  /* After sync(): begins or ends the work of its own that study and picture now call for. */
  void     (*work)    (AppPart *self);
  /* TRUE = the click was meant for it. item is of the first side. extend: with Ctrl or Shift. */
  gboolean (*click)   (AppPart *self, const UiItem *item, gboolean extend);
  gboolean (*escape)  (AppPart *self);
  /* Colours changed. */
  void     (*theme)   (AppPart *self);
  /* What is kept only to be quick goes. */
  void     (*shrink)  (AppPart *self);
  /* The window goes: threads end, sources are taken away. All are nullable. */
  void     (*end)     (AppPart *self);
};

/* For a part's own code: valid from begin() on. */
AppDesk    *app_part_get_desk    (gpointer      part);
AppStudy   *app_part_get_study   (gpointer      part);
AppPicture *app_part_get_picture (gpointer      part);

/* Reads the part's widgets, resources/ui/parts/NAME.ui: in begin(), or once when a person first asks
 * for them. */
void        app_part_load_ui     (gpointer      part,
                                  const char   *name);
/* Those of a window or a dialog that opens now. (transfer full); a window lives until it is closed. */
GtkBuilder *app_part_read_ui     (const char   *name);
/* One of them, by its id, which must be there; until begin() ends, or right after. Borrowed; it lives
 * on in what it is placed in. */
gpointer    app_part_get_object  (gpointer      part,
                                  const char   *id);
/* Puts one of them into a slot of resources/ui/window.ui, behind what is there. The window has it
 * from then on; controls below it that have a shortcut say so. */
void        app_part_place       (gpointer      part,
                                  const char   *id,
                                  const char   *slot);

AppPart    *app_part_new         (GType         type,
                                  AppDesk      *desk);
void        app_part_prepare     (AppPart      *self);
/* What it shows, then its work. */
void        app_part_refresh     (AppPart      *self);
gboolean    app_part_click       (AppPart      *self,
                                  const UiItem *item,
                                  gboolean      extend);
gboolean    app_part_escape      (AppPart      *self);
void        app_part_theme       (AppPart      *self);
void        app_part_shrink      (AppPart      *self);
void        app_part_end         (AppPart      *self);

G_END_DECLS
