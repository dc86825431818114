/* SPDX-License-Identifier: MIT */
#include "app/shell/application.h"

#include <glib-unix.h>
#include <malloc.h>

#include "app/config.h"
#include "app/desk/shortcuts.h"
#include "app/parts/texts/examples.h"
#include "app/run/timing.h"
#include "app/shell/emoji-chooser.h"
#include "app/shell/window.h"
#include "app/store/model-store.h"
#include "app/store/settings.h"
#include "headlight-resources.h"
#include "ui/view/picture.h"

#define MAX_ARENAS 2
#define LARGE      (128 << 10) /* bytes */
#define MOST_FREE  (16 << 20)  /* at the end of a heap */

/* The head of the bundled model in which each word reads its partner in the other sentence. */
#define FIRST_LAYER 3
#define FIRST_HEAD 11

struct _AppApplication {
  AdwApplication parent_instance;

  AppSettings *settings;
  AppStudy    *study;
  UiSession   *session; /* that the document came from, until there is a window; NULL = none */
  char        *session_path;
  AppFileKind  session_kind;
  gboolean     is_unopened; /* what the command line names */
  AppWindow   *window; /* NULL before activation and after it was closed */
  guint        signals[2]; /* sources: SIGTERM, SIGINT */
};

G_DEFINE_FINAL_TYPE (AppApplication, app_application, ADW_TYPE_APPLICATION)

static gboolean
quit_cb (gpointer data)
{
  AppApplication *self = data;

  /* Closing the window keeps its size; the program ends with it. */
  if (self->window != NULL)
    gtk_window_close (GTK_WINDOW (self->window));
  return G_SOURCE_REMOVE;
}

/* Not at once: the key may be a dialog's, which goes with the window while it is still at the key. */
static void
quit (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, quit_cb, g_object_ref (data), g_object_unref);
}

/* Whoever started it from a terminal or a script is told there, too. */
static void
first_answer_cb (AppApplication *self,
                 AppStudyChange  what)
{
  const AppRefusal *refusal = app_study_get_refusal (self->study);

  if ((what & (APP_STUDY_TRACE | APP_STUDY_REFUSED)) == 0)
    return;

  g_signal_handlers_disconnect_by_func (self->study, first_answer_cb, self);
  if (refusal != NULL && refusal->is_taken_back) {
    g_printerr ("headlight-window: %s\n", refusal->error->message);
    self->is_unopened = TRUE;
  }
}

/* A signal ends the program as a person does: settings are kept, a figure is written to its end,
 * the worker is waited for. Nobody is there to answer a dialog. */
static gboolean
signal_cb (gpointer data)
{
  AppApplication *self = data;
  GList *windows;

  if (self->window != NULL)
    gtk_window_close (GTK_WINDOW (self->window));
  while ((windows = gtk_application_get_windows (GTK_APPLICATION (self))) != NULL)
    gtk_window_destroy (windows->data);

  return G_SOURCE_CONTINUE;
}

static void
app_application_startup (GApplication *application)
{
  static const GActionEntry actions[] = { { "quit", quit } };
  AppApplication *self = APP_APPLICATION (application);

  G_APPLICATION_CLASS (app_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions),
                                   application);
  app_shortcuts_install (GTK_APPLICATION (application));
  self->signals[0] = g_unix_signal_add (SIGTERM, signal_cb, self);
  self->signals[1] = g_unix_signal_add (SIGINT, signal_cb, self);
  gtk_window_set_default_icon_name (HEADLIGHT_APP_ID);
  app_timing_mark ("GTK");
  app_emoji_chooser_init ();
}

static void
app_application_activate (GApplication *application)
{
  AppApplication *self = APP_APPLICATION (application);

  if (self->window == NULL) {
    AppWindow *window = app_window_new (GTK_APPLICATION (self), self->study, self->settings);

    g_set_weak_pointer (&self->window, window);
    if (self->session != NULL)
      app_window_show_session (window, self->session, self->session_path, self->session_kind);
    else if (self->session_path != NULL)
      app_window_open_file (window, self->session_path);
    g_clear_pointer (&self->session, ui_session_free);
    app_timing_mark ("window");
  }
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
app_application_shutdown (GApplication *application)
{
  AppApplication *self = APP_APPLICATION (application);

  for (gsize i = 0; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
  /* Waits for a pass that still runs: main() must not return before it ended. */
  if (self->study != NULL)
    app_study_close (self->study);
  ui_pictures_end ();

  G_APPLICATION_CLASS (app_application_parent_class)->shutdown (application);
}

static void
app_application_finalize (GObject *object)
{
  AppApplication *self = APP_APPLICATION (object);

  g_clear_weak_pointer (&self->window);
  g_clear_pointer (&self->settings, app_settings_free);
  g_clear_object (&self->study);
  g_clear_pointer (&self->session, ui_session_free);
  g_clear_pointer (&self->session_path, g_free);

  G_OBJECT_CLASS (app_application_parent_class)->finalize (object);
}

static void
app_application_class_init (AppApplicationClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_application_finalize;
  G_APPLICATION_CLASS (klass)->startup = app_application_startup;
  G_APPLICATION_CLASS (klass)->activate = app_application_activate;
  G_APPLICATION_CLASS (klass)->shutdown = app_application_shutdown;
  /* Once in a process, however many applications it has, as a test does. */
  headlight_register_resource ();
}

static void
app_application_init (AppApplication *self)
{
}

/* A new thread begins an arena of its own, eight to a core, and each keeps the holes that its threads
 * leave: 80 MB after half an hour. And once a model was freed, glibc puts all that is smaller than it
 * between the small blocks that stay: tiles and traces leave holes that nothing fills. */
static void
bound_heap (void)
{
#ifdef M_ARENA_MAX
  mallopt (M_ARENA_MAX, MAX_ARENAS);
#endif
#ifdef M_MMAP_THRESHOLD
  mallopt (M_MMAP_THRESHOLD, LARGE);
  mallopt (M_TRIM_THRESHOLD, MOST_FREE);
#endif
}

/* The model that was open last, where it is still there. */
static void
choose_model (AppApplication *self,
              UiDocument     *first)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;

  if (first->model != NULL || self->settings->last_model == NULL)
    return;
  folder = app_model_store_find (self->settings->last_model, &name, NULL);
  if (folder != NULL)
    first->model = g_strdup (self->settings->last_model);
}

static AppApplication *
new_application (void)
{
  AppApplication *self = g_object_new (APP_TYPE_APPLICATION,
                                       "application-id", HEADLIGHT_APP_ID,
                                       "flags", G_APPLICATION_NON_UNIQUE,
                                       "resource-base-path", "/io/github/headlight/Headlight",
                                       NULL);

  bound_heap ();
  self->settings = app_settings_load ();
  return self;
}

/* What the command line named may be refused. */
static void
watch_opening (AppApplication   *self,
               const UiDocument *document)
{
  if (document->model != NULL || document->trace_file != NULL)
    g_signal_connect_object (self->study, "changed", G_CALLBACK (first_answer_cb), self,
                             G_CONNECT_SWAPPED);
}

AppApplication *
app_application_new (const UiDocument *document)
{
  AppApplication *self = new_application ();
  g_autoptr (UiDocument) first = ui_document_copy (document);

  choose_model (self, first);
  self->study = app_study_new (first);
  watch_opening (self, document);
  return self;
}

AppApplication *
app_application_new_beginning (const UiDocument *document,
                               gboolean          is_example)
{
  AppApplication *self = new_application ();
  g_autoptr (UiDocument) first = ui_document_copy (document);

  choose_model (self, first);
  self->study = app_study_begin (first, is_example);
  watch_opening (self, document);
  return self;
}

AppApplication *
app_application_new_example (void)
{
  AppApplication *self = new_application ();
  g_autoptr (UiDocument) first = ui_document_new ();

  app_examples_put (first);
  choose_model (self, first);
  if (first->model != NULL) {
    self->study = app_study_begin (first, TRUE);
    return self;
  }
  first->layer = FIRST_LAYER;
  ui_head_set_only (&first->heads, FIRST_HEAD);
  self->study = app_study_new (first);
  return self;
}

void
app_application_take_session (AppApplication *self,
                              UiSession      *session,
                              const char     *path,
                              AppFileKind     kind)
{
  g_return_if_fail (APP_IS_APPLICATION (self));

  self->session = session;
  self->session_path = g_canonicalize_filename (path, NULL);
  self->session_kind = kind;
  self->is_unopened = session == NULL;
}

gboolean
app_application_is_unopened (AppApplication *self)
{
  g_return_val_if_fail (APP_IS_APPLICATION (self), FALSE);

  return self->is_unopened;
}
