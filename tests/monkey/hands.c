/* SPDX-License-Identifier: MIT */
#include "tests/monkey/hands.h"

#include <gdk/x11/gdkx.h>
#include <string.h>

#include "app/desk/shortcuts.h"
#include "app/store/model-store.h"
#include "tests/support/window/window-access.h"

#define MAX_IN_DIALOG 8  /* acts before a dialog is closed */
#define SCREEN_WIDTH  1280
#define SCREEN_HEIGHT 800
#define LEAST_WIDTH   800
#define LEAST_HEIGHT  620
#define EDGE          12 /* where GTK makes a window wider */
#define BAR           60 /* the bar at its top, and some */
#define PATIENCE      20 /* keys that a dialog may let pass before it is closed otherwise */

struct _Hands {
  AppWindow   *window;
  GRand       *random;
  FILE        *log;
  GPtrArray   *models; /* of AppModelEntry */
  GPtrArray   *files;  /* of char *, traces */
  GThread     *hand;   /* that waits for xdotool */
  gint         is_busy; /* atomic */
  GString     *act;    /* xdotool's arguments, with blanks between */
  GtkWindow   *dialog; /* that stood before the window last; only compared */
  int          n_in_dialog;
  guint        n;
};

static const char *const keys[] = {
  "Tab", "Tab", "shift+Tab", "Up", "Down", "Left", "Right", "Return", "space", "Escape", "Home",
  "End", "Prior", "Next", "Menu", "shift+F10", "Delete", "BackSpace", "ctrl+a", "ctrl+Left",
  "shift+Right", "ctrl+z", "shift+Return", "alt+Up", "alt+Down", "F10", "1", "5", "9", "a", "x",
};

static const char *const views[] = { "ctrl+1", "ctrl+2", "ctrl+3", "ctrl+4" };

static const char *const texts[] = {
  "the cat sat on the mat",
  "a",
  "",
  "Unbelievably, antidisestablishmentarianism!",
  "   ",
  "time flies like an arrow; fruit flies like a banana",
  "[MASK] is the capital of France .",
  "猫坐在垫子上，狗躺在地毯上。",
  "日本語の文です",
  "👩‍👩‍👧‍👦 and 🏳️‍🌈 ride 🚲 at 10 °C",
  "جلست القطة على السجادة",
  "שלום עולם",
  "naïve café — “quoted” … ½",
  "a\tb\nc\r\nd",
  "\u202eabc\u200d",
  "नमस्ते दुनिया",
  "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x",
  "The keeper of the lighthouse wakes before the sun and climbs the narrow stairs to put out the "
  "lamp. From the window he can see the boats come back from the sea, one after the other, and he "
  "counts them as he drinks his coffee. When they are home he goes down to the harbour.",
};

#define pick(self, list) ((list)[g_rand_int_range ((self)->random, 0, G_N_ELEMENTS (list))])

static gboolean
chance (Hands  *self,
        double  probability)
{
  return g_rand_double (self->random) < probability;
}

G_GNUC_PRINTF (2, 3) static void
add (Hands      *self,
     const char *format,
     ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (self->act->len > 0)
    g_string_append_c (self->act, ' ');
  g_string_append_vprintf (self->act, format, arguments);
  va_end (arguments);
}

/* The window that nothing stands before. */
static GtkWindow *
find_front (Hands *self)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWindow *front = GTK_WINDOW (self->window);
  gboolean moved = TRUE;

  for (guint rounds = 0; moved && rounds < 8; rounds++) {
    moved = FALSE;
    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (gtk_window_get_transient_for (window) == front
          && gtk_widget_get_visible (GTK_WIDGET (window))) {
        front = window;
        moved = TRUE;
        break;
      }
    }
  }
  return front;
}

/* No window manager gives the keyboard to a dialog. */
static void
add_focus (Hands     *self,
           GtkWindow *window)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

  if (surface != NULL)
    add (self, "windowfocus %lu", (gulong) gdk_x11_surface_get_xid (surface));
}

/* Whether it is a button that closes the main window. */
static gboolean
is_harmful (Hands     *self,
            GtkWindow *window,
            int        x,
            int        y)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (window), x, y, GTK_PICK_DEFAULT);

  return window == GTK_WINDOW (self->window) && widget != NULL
         && gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) != NULL;
}

/* Never to the edges of the window in front, nor, for a press, to the bar at its top: with no window
 * manager GTK itself makes a window wider or moves it, out of the display, loses the release and
 * warns of its own accounting. What stands in the bar has keys. */
static void
add_move (Hands   *self,
          gboolean is_press)
{
  const int top_edge = is_press ? BAR : EDGE;
  GtkWindow *window = find_front (self);
  const int width = gtk_widget_get_width (GTK_WIDGET (window));
  const int height = gtk_widget_get_height (GTK_WIDGET (window));
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  double left, top; /* of the window within its surface: beside it lies its shadow */
  int x, y;

  gtk_native_get_surface_transform (GTK_NATIVE (window), &left, &top);
  do {
    x = g_rand_int_range (self->random, EDGE, MAX (width - EDGE, EDGE + 1));
    y = g_rand_int_range (self->random, top_edge, MAX (height - EDGE, top_edge + 1));
  } while (is_harmful (self, window, x, y));
  if (window == GTK_WINDOW (self->window))
    add (self, "mousemove %d %d", (int) (left + x), (int) (top + y));
  else
    add (self, "mousemove --window %lu %d %d", (gulong) gdk_x11_surface_get_xid (surface),
         (int) (left + x), (int) (top + y));
}

static void
add_click (Hands *self)
{
  static const char *const modifiers[] = { "ctrl", "shift" };
  const char *modifier = chance (self, 0.2) ? pick (self, modifiers) : NULL;
  const int button = chance (self, 0.13) ? 3 : 1;

  add_move (self, TRUE);
  if (modifier != NULL)
    add (self, "keydown %s", modifier);
  if (button == 1 && chance (self, 0.15))
    add (self, "click --repeat 2 --delay 40 1");
  else
    add (self, "click %d", button);
  if (modifier != NULL)
    add (self, "keyup %s", modifier);
}

static void
add_drag (Hands *self)
{
  const int n_moves = g_rand_int_range (self->random, 1, 6);

  add_move (self, TRUE);
  add (self, "mousedown 1");
  for (int i = 0; i < n_moves; i++) {
    add_move (self, FALSE);
    add (self, "sleep 0.02");
  }
  add (self, "mouseup 1");
}

static void
add_hover (Hands *self)
{
  const int n_moves = g_rand_int_range (self->random, 2, 12);

  for (int i = 0; i < n_moves; i++) {
    add_move (self, FALSE);
    add (self, "sleep 0.02");
  }
}

/* Up, down, left, right; with Ctrl it zooms. */
static void
add_scroll (Hands *self)
{
  const gboolean zooms = chance (self, 0.25);

  add_move (self, FALSE);
  if (zooms)
    add (self, "keydown ctrl");
  add (self, "click --repeat %d --delay 15 %d", g_rand_int_range (self->random, 1, 15),
       g_rand_int_range (self->random, 4, 8));
  if (zooms)
    add (self, "keyup ctrl");
}

/* "<Control>Page_Up" as xdotool has it; FALSE when GTK knows no such key. */
static gboolean
add_accel (Hands      *self,
           const char *accel)
{
  GdkModifierType modifiers;
  guint key;

  if (!gtk_accelerator_parse (accel, &key, &modifiers))
    return FALSE;
  add (self, "key %s%s%s%s",
       modifiers & GDK_CONTROL_MASK ? "ctrl+" : "", modifiers & GDK_ALT_MASK ? "alt+" : "",
       modifiers & GDK_SHIFT_MASK ? "shift+" : "", gdk_keyval_name (key));
  return TRUE;
}

static void
add_shortcut (Hands *self)
{
  int n_shortcuts;
  const AppShortcut *shortcuts = app_shortcuts_get (&n_shortcuts);
  const AppShortcut *shortcut;
  g_auto (GStrv) accels = NULL;
  const char *accel, *range;

  do
    shortcut = &shortcuts[g_rand_int_range (self->random, 0, n_shortcuts)];
  while (g_strcmp0 (shortcut->action, "window.close") == 0
         || g_strcmp0 (shortcut->action, "app.quit") == 0);

  accels = g_strsplit (shortcut->accels, " ", -1);
  accel = accels[g_rand_int_range (self->random, 0, (int) g_strv_length (accels))];
  range = strstr (accel, "0...9");
  if (range != NULL) {
    g_autofree char *one = g_strdup_printf ("%.*s%d", (int) (range - accel), accel,
                                            g_rand_int_range (self->random, 0, 10));

    add_accel (self, one);
  } else if (!add_accel (self, accel))
    g_warning ("no key is named %s", accel);
}

/* Typed in place of what an entry says, or behind it. */
static void
add_text (Hands *self)
{
  const char *text = pick (self, texts);
  gboolean is_typed = text[0] != '\0' && strlen (text) < 60;

  for (const char *c = text; *c != '\0' && is_typed; c++)
    is_typed = g_ascii_isalnum (*c) || *c == ' ';

  add (self, "key %s", chance (self, 0.6) ? "ctrl+l" : "ctrl+shift+l");
  if (chance (self, 0.7))
    add (self, "key ctrl+a");
  if (is_typed) {
    g_autofree char *quoted = g_strdup (text);

    add (self, "type --delay 20 %s", g_strdelimit (quoted, " ", '_'));
  } else {
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->window)), text);
    add (self, "key ctrl+v");
  }
}

/* What dialogs for files and menus of models lead to, without the hazard of them. */
static void
open_something (Hands *self)
{
  if (self->files->len > 0 && chance (self, 0.3)) {
    const char *file = self->files->pdata[g_rand_int_range (self->random, 0,
                                                            (int) self->files->len)];

    add (self, "# file %s", file);
    app_window_open_file (self->window, file);
  } else {
    const AppModelEntry *entry = self->models->pdata[g_rand_int_range (self->random, 0,
                                                                       (int) self->models->len)];

    add (self, "# model %s", entry->path);
    window_open_model (self->window, entry->path);
  }
}

/* Never smaller than all that it can show needs: a window manager keeps a window from that. Without
 * one GTK 4.8 asks for its size back, paints before it has it and warns. */
static void
add_size (Hands *self)
{
  GtkWidget *window = GTK_WIDGET (self->window);
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  int width = SCREEN_WIDTH, height = SCREEN_HEIGHT, least;

  if (chance (self, 0.5)) {
    gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    width = g_rand_int_range (self->random, CLAMP (least, LEAST_WIDTH, width), width + 1);
  }
  if (chance (self, 0.5)) {
    gtk_widget_measure (window, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
    height = g_rand_int_range (self->random, CLAMP (least, LEAST_HEIGHT, height), height + 1);
  }
  add (self, "windowsize %lu %d %d", (gulong) gdk_x11_surface_get_xid (surface), width, height);
}

/* A dialog gets a few keys and clicks, then Escape; one for files Escape at once. */
static void
act_in_dialog (Hands     *self,
               GtkWindow *dialog)
{
  if (self->dialog != dialog)
    self->n_in_dialog = 0;
  self->dialog = dialog;
  self->n_in_dialog++;

  if (self->n_in_dialog > PATIENCE) {
    add (self, "# close %s", G_OBJECT_TYPE_NAME (dialog));
    gtk_window_close (dialog);
    return;
  }

  add_focus (self, dialog);
  if (GTK_IS_FILE_CHOOSER (dialog) || self->n_in_dialog > MAX_IN_DIALOG)
    add (self, "key Escape");
  else if (chance (self, 0.5))
    add (self, "key %s", pick (self, keys));
  else
    add_click (self);
}

static void
act_in_window (Hands *self)
{
  const double act = g_rand_double (self->random);

  self->dialog = NULL;
  if (act < 0.01) {
    add_size (self);
    return;
  }
  if (act < 0.02) {
    open_something (self);
    return;
  }

  add_focus (self, GTK_WINDOW (self->window));
  if (act < 0.08)
    add (self, "key %s", pick (self, views));
  else if (act < 0.28)
    add_shortcut (self);
  else if (act < 0.48)
    add (self, "key --repeat %d --delay 15 %s", g_rand_int_range (self->random, 1, 5),
         pick (self, keys));
  else if (act < 0.66)
    add_click (self);
  else if (act < 0.74)
    add_drag (self);
  else if (act < 0.84)
    add_scroll (self);
  else if (act < 0.92)
    add_hover (self);
  else
    add_text (self);
}

/* What is typed has its blanks back. */
static GStrv
split_act (const char *act)
{
  GStrv arguments;
  g_autofree char *line = g_strconcat ("xdotool ", act, NULL);

  arguments = g_strsplit (line, " ", -1);
  for (int i = 1; arguments[i] != NULL; i++)
    if (i >= 3 && g_str_equal (arguments[i - 3], "type"))
      g_strdelimit (arguments[i], "_", ' ');
  return arguments;
}

/* A thread of its own: the main loop is what is measured. xdotool complains of windows that went
 * away meanwhile. */
static gpointer
hand_thread (gpointer data)
{
  Hands *self = data;
  g_auto (GStrv) arguments = split_act (self->act->str);
  g_autoptr (GError) error = NULL;

  if (!g_spawn_sync (NULL, arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                     NULL, NULL, NULL, NULL, &error))
    g_error ("%s", error->message);
  g_atomic_int_set (&self->is_busy, FALSE);
  return NULL;
}

/* Does what was put together; a comment was done already. */
static void
perform (Hands *self)
{
  self->n++;
  fprintf (self->log, "%" G_GINT64_FORMAT " %d×%d %s\n", g_get_monotonic_time () / 1000,
           gtk_widget_get_width (GTK_WIDGET (self->window)),
           gtk_widget_get_height (GTK_WIDGET (self->window)), self->act->str);
  fflush (self->log);
  if (self->act->len == 0 || self->act->str[0] == '#')
    return;

  if (self->hand != NULL)
    g_thread_join (self->hand);
  g_atomic_int_set (&self->is_busy, TRUE);
  self->hand = g_thread_new ("hand", hand_thread, self);
}

static GPtrArray *
list_traces (const char *shared)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_build_filename (shared != NULL ? shared : "", "data", "traces", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".safetensors"))
      g_ptr_array_add (files, g_build_filename (folder, name, NULL));
  return files;
}

Hands *
hands_new (AppWindow  *window,
           guint32     seed,
           const char *shared,
           FILE       *log)
{
  Hands *self = g_new0 (Hands, 1);

  self->window = window;
  self->random = g_rand_new_with_seed (seed);
  self->log = log;
  self->models = app_model_store_list ();
  self->files = list_traces (shared);
  self->act = g_string_new (NULL);
  return self;
}

void
hands_free (Hands *self)
{
  if (self->hand != NULL)
    g_thread_join (self->hand);
  g_rand_free (self->random);
  g_ptr_array_unref (self->models);
  g_ptr_array_unref (self->files);
  g_string_free (self->act, TRUE);
  g_free (self);
}

void
hands_act (Hands *self)
{
  GtkWindow *front = find_front (self);

  g_string_truncate (self->act, 0);
  if (front != GTK_WINDOW (self->window))
    act_in_dialog (self, front);
  else
    act_in_window (self);
  perform (self);
}

gboolean
hands_are_busy (Hands *self)
{
  return g_atomic_int_get (&self->is_busy);
}

const char *
hands_get_last (Hands *self)
{
  return self->act->str;
}

guint
hands_get_n (Hands *self)
{
  return self->n;
}

gboolean
hands_see_files (Hands *self)
{
  return GTK_IS_FILE_CHOOSER (find_front (self));
}

gboolean
hands_clear (Hands *self)
{
  GtkWindow *front = find_front (self);

  if (front == GTK_WINDOW (self->window))
    return FALSE;

  g_string_truncate (self->act, 0);
  add_focus (self, front);
  add (self, "key Escape");
  perform (self);
  if (++self->n_in_dialog > PATIENCE)
    gtk_window_close (front);
  return TRUE;
}
