/* SPDX-License-Identifier: MIT */
#include "app/desk/desk-private.h"

#include <string.h>

#define TOAST_WIDTH_CHARS 90

typedef struct {
  gconstpointer   owner;
  char           *sentence;
  AppNoticeButton button;
  gboolean        is_closed; /* by a person */
} Notice;

G_DEFINE_FINAL_TYPE (AppDesk, app_desk, G_TYPE_OBJECT)

AppStudy *
app_desk_get_study (AppDesk *self)
{
  return self->study;
}

AppPicture *
app_desk_get_picture (AppDesk *self)
{
  return self->picture;
}

AppSettings *
app_desk_get_settings (AppDesk *self)
{
  return self->settings;
}

GtkWindow *
app_desk_get_window (AppDesk *self)
{
  return self->widgets.window;
}

GdkClipboard *
app_desk_get_clipboard (AppDesk *self)
{
  return gdk_display_get_clipboard (gdk_display_get_default ());
}

void
app_desk_set_activity (AppDesk    *self,
                       const char *activity)
{
  if (g_strcmp0 (activity, self->activity) == 0)
    return;
  g_free (self->activity);
  self->activity = g_strdup (activity);
  g_signal_emit_by_name (self, "activity-changed");
}

const char *
app_desk_get_activity (AppDesk *self)
{
  return self->activity;
}

gboolean
app_desk_is_presented (AppDesk *self)
{
  return self->is_presented;
}

void
app_desk_refresh (AppDesk *self)
{
  if (self->widgets.window != NULL)
    self->calls.refresh (self->widgets.window);
}

void
app_desk_show_pinned (AppDesk *self)
{
  g_signal_emit_by_name (self, "show-pinned");
}

void
app_desk_click (AppDesk      *self,
                const UiItem *item,
                gboolean      extend)
{
  if (self->widgets.window != NULL)
    self->calls.click (self->widgets.window, item, extend);
}

GMenuModel *
app_desk_new_head_menu (AppDesk *self,
                        int      layer,
                        int      head)
{
  GMenuModel *menu = NULL;

  g_signal_emit_by_name (self, "head-menu", layer, head, &menu);
  return menu;
}

GMenuModel *
app_desk_new_item_menu (AppDesk      *self,
                        const UiItem *item)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  g_signal_emit_by_name (self, "item-menu", item, menu);
  return g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0 ? G_MENU_MODEL (g_steal_pointer (&menu))
                                                            : NULL;
}

gboolean
app_desk_is_syncing (AppDesk *self)
{
  return self->is_syncing;
}

void
app_desk_set_syncing (AppDesk  *self,
                      gboolean  is_syncing)
{
  self->is_syncing = is_syncing;
}

/* Actions. */

static GSimpleAction *
find_action (AppDesk    *self,
             const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->widgets.window), name));
}

void
app_desk_add_actions (AppDesk            *self,
                      const GActionEntry *entries,
                      int                 n_entries,
                      gpointer            data)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self->widgets.window), entries, n_entries, data);
}

void
app_desk_set_enabled (AppDesk    *self,
                      const char *name,
                      gboolean    enabled)
{
  g_simple_action_set_enabled (find_action (self, name), enabled);
}

void
app_desk_set_state (AppDesk    *self,
                    const char *name,
                    GVariant   *state)
{
  g_simple_action_set_state (find_action (self, name), state);
}

void
app_desk_activate (AppDesk    *self,
                   const char *name,
                   GVariant   *parameter)
{
  g_autoptr (GVariant) sunk = parameter != NULL ? g_variant_ref_sink (parameter) : NULL;

  g_action_group_activate_action (G_ACTION_GROUP (self->widgets.window), name, sunk);
}

/* Notices and toasts. */

/* Errors begin in lower case, as behind "headlight: "; alone they are a sentence. A first word that
 * is a name (a file, a model) is left as it is. */
static char *
begin_sentence (const char *text)
{
  gsize length = strcspn (text, " ");

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_islower (text[i]))
      return g_strdup (text);

  return g_strdup_printf ("%c%s", g_ascii_toupper (text[0]), text + MIN (length, 1));
}

static void
clear_notice (gpointer data)
{
  g_free (((Notice *) data)->sentence);
}

static gboolean
is_in_sight (AppDesk      *self,
             const Notice *notice)
{
  return !notice->is_closed && !(self->is_presented && notice->button == APP_NOTICE_TELLS);
}

/* A refused text must not move the picture, so a notice lies on top of it. */
static void
show_notices (AppDesk *self)
{
  const AppDeskWidgets *widgets = &self->widgets;
  const Notice *notice = NULL;

  for (guint i = 0; i < self->notices->len && notice == NULL; i++)
    if (is_in_sight (self, &g_array_index (self->notices, Notice, i)))
      notice = &g_array_index (self->notices, Notice, i);
  if (notice != NULL) {
    gtk_label_set_label (widgets->notice, notice->sentence);
    gtk_widget_set_visible (widgets->truncate_button, notice->button == APP_NOTICE_TRUNCATES);
    gtk_widget_set_visible (widgets->close_button, notice->button == APP_NOTICE_CLOSES
                                                   || notice->button == APP_NOTICE_TELLS);
  }
  gtk_revealer_set_reveal_child (widgets->notice_revealer, notice != NULL);
  gtk_widget_set_visible (GTK_WIDGET (widgets->notice_revealer), notice != NULL);
}

/* The one in sight. */
static void
close_notice_cb (AppDesk *self)
{
  for (guint i = 0; i < self->notices->len; i++) {
    Notice *notice = &g_array_index (self->notices, Notice, i);

    if (is_in_sight (self, notice)) {
      notice->is_closed = TRUE;
      break;
    }
  }
  show_notices (self);
}

/* G_MAXUINT = it says nothing. */
static guint
find_notice (AppDesk       *self,
             gconstpointer  owner)
{
  for (guint i = 0; i < self->notices->len; i++)
    if (g_array_index (self->notices, Notice, i).owner == owner)
      return i;

  return G_MAXUINT;
}

void
app_desk_set_notice (AppDesk         *self,
                     gconstpointer    owner,
                     const char      *sentence,
                     AppNoticeButton  button)
{
  const guint index = find_notice (self, owner);
  g_autofree char *text = sentence != NULL ? begin_sentence (sentence) : NULL;
  Notice notice = { owner, NULL, button, FALSE };

  if (self->widgets.window == NULL)
    return;
  if (text != NULL)
    notice.sentence =
      g_strconcat (text, button == APP_NOTICE_TRUNCATES ? "; Truncate cuts it" : NULL, NULL);
  if (index != G_MAXUINT && notice.sentence != NULL
      && g_str_equal (g_array_index (self->notices, Notice, index).sentence, notice.sentence)) {
    g_free (notice.sentence);
    return;
  }

  if (index != G_MAXUINT)
    g_array_remove_index (self->notices, index);
  if (notice.sentence != NULL)
    g_array_prepend_val (self->notices, notice);
  show_notices (self);
}

void
app_desk_open_lesson (AppDesk    *self,
                      const char *path)
{
  if (self->widgets.window != NULL)
    g_signal_emit_by_name (self, "open-lesson", path);
}

void
app_desk_refuse (AppDesk    *self,
                 const char *sentence)
{
  g_autofree char *text = begin_sentence (sentence);

  if (self->widgets.window != NULL)
    g_signal_emit_by_name (self, "refused", text);
}

/* NULL: there is no window any more, which was closed while a figure was still being written. */
static AdwToast *
create_toast (AppDesk    *self,
              const char *sentence)
{
  g_autofree char *text = begin_sentence (sentence);
  AdwToast *toast;

  if (self->widgets.window == NULL) {
    g_printerr ("headlight-window: %s\n", sentence);
    return NULL;
  }

  /* A toast's own title is one line that is cut off; sentences with paths are longer. */
  toast = adw_toast_new ("");
  adw_toast_set_custom_title (toast, g_object_new (GTK_TYPE_LABEL,
                                                   "label", text,
                                                   "wrap", TRUE,
                                                   "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                                   "max-width-chars", TOAST_WIDTH_CHARS,
                                                   "xalign", 0.0f,
                                                   NULL));
  return toast;
}

AdwToast *
app_desk_toast (AppDesk    *self,
                const char *sentence)
{
  AdwToast *toast = create_toast (self, sentence);

  if (toast != NULL)
    app_desk_add_toast (self, toast);
  return toast;
}

gboolean
app_desk_may_tell (AppDesk *self)
{
  if (!app_picture_is_asked (app_desk_get_picture (self)))
    return TRUE;

  app_desk_toast (self, UI_SCENE_HELD_BACK);
  return FALSE;
}

void
app_desk_tell (AppDesk    *self,
               const char *sentence)
{
  AdwToast *toast = create_toast (self, sentence);

  if (toast != NULL && self->is_presented)
    g_queue_push_tail (&self->toasts.held, toast);
  else if (toast != NULL)
    app_desk_add_toast (self, toast);
}

void
app_desk_set_presented (AppDesk  *self,
                        gboolean  is_presented)
{
  AdwToast *toast;

  if (self->widgets.window == NULL)
    return;

  self->is_presented = is_presented;
  show_notices (self);
  while (!is_presented && (toast = g_queue_pop_head (&self->toasts.held)) != NULL)
    app_desk_add_toast (self, toast);
  app_desk_refresh (self);
}

void
app_desk_say_shortened (AppDesk  *self,
                        gboolean  is_long)
{
  app_desk_toast (self, is_long ? "An entry holds 32,768 letters: the rest was left out"
                                : "The tabs of the table are blanks in the entry");
}

void
app_desk_close (AppDesk *self)
{
  app_desk_end_job (self);
  app_desk_end_toasts (self);
  g_clear_pointer (&self->slots, g_hash_table_unref);
  g_clear_pointer (&self->columns, g_hash_table_unref);
  self->widgets = (AppDeskWidgets) { 0 };
}

static void
app_desk_dispose (GObject *object)
{
  AppDesk *self = APP_DESK (object);

  if (self->widgets.window != NULL)
    app_desk_close (self);
  g_clear_object (&self->recent_menu);
  g_clear_pointer (&self->awaited_recent, g_free);
  g_clear_pointer (&self->activity, g_free);
  g_clear_object (&self->picture);
  g_clear_object (&self->study);
  g_clear_pointer (&self->notices, g_array_unref);

  G_OBJECT_CLASS (app_desk_parent_class)->dispose (object);
}

static void
app_desk_class_init (AppDeskClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = app_desk_dispose;

  g_signal_new ("side-changed", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                0);
  g_signal_new ("activity-changed", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  g_signal_new ("side-revealed", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                0);
  g_signal_new ("head-menu", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_MENU_MODEL, 2, G_TYPE_INT, G_TYPE_INT);
  g_signal_new ("refused", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
  g_signal_new ("item-menu", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                G_TYPE_POINTER, G_TYPE_MENU);
  g_signal_new ("show-pinned", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                0);
  g_signal_new ("open-lesson", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                1, G_TYPE_STRING);
  g_signal_new ("open-file", APP_TYPE_DESK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
}

static void
app_desk_init (AppDesk *self)
{
  self->notices = g_array_new (FALSE, FALSE, sizeof (Notice));
  g_array_set_clear_func (self->notices, clear_notice);
}

void
app_desk_bind_widgets (GtkWidgetClass *klass,
                       gssize          offset)
{
#define WIDGET(name) { #name, G_STRUCT_OFFSET (AppDeskWidgets, name) }
  static const struct {
    const char *name;
    gssize      offset;
  } widgets[] = {
    WIDGET (toasts), WIDGET (notice_revealer), WIDGET (notice), WIDGET (truncate_button),
    WIDGET (close_button),
    WIDGET (job_revealer), WIDGET (job_label), WIDGET (job_bar), WIDGET (columns), WIDGET (stack),
    WIDGET (side), WIDGET (search_header), WIDGET (close_search_button), WIDGET (inspector),
  };
#undef WIDGET

  for (gsize i = 0; i < G_N_ELEMENTS (widgets); i++)
    gtk_widget_class_bind_template_child_full (klass, widgets[i].name, FALSE,
                                               offset + widgets[i].offset);
}

AppDesk *
app_desk_new (const AppDeskWidgets *widgets,
              AppStudy             *study,
              AppPicture           *picture,
              AppSettings          *settings,
              const AppDeskCalls   *calls)
{
  AppDesk *self = g_object_new (APP_TYPE_DESK, NULL);

  self->widgets = *widgets;
  self->study = g_object_ref (study);
  self->picture = g_object_ref (picture);
  self->settings = settings;
  self->calls = *calls;
  g_signal_connect_object (widgets->close_button, "clicked", G_CALLBACK (close_notice_cb), self,
                           G_CONNECT_SWAPPED);
  app_desk_init_slots (self);
  app_desk_init_job_bar (self);
  app_desk_init_recent (self);
  app_desk_init_side (self);

  return self;
}
