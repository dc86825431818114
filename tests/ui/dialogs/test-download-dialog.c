/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/download-dialog.h"

#include <locale.h>

#include "tests/support/window/widget-driver.h"

typedef struct {
  GtkWindow *parent;
  GtkWidget *dialog; /* NULL once it is gone */
  char      *name;   /* of the last look-up */
  char      *token;
  int        n_look_ups;
  int        n_downloads;
  int        n_stops;
} Fixture;

static void
look_up_cb (Fixture    *self,
            const char *name,
            const char *token)
{
  g_free (self->name);
  g_free (self->token);
  self->name = g_strdup (name);
  self->token = g_strdup (token);
  self->n_look_ups++;
}

static void
download_cb (Fixture *self)
{
  self->n_downloads++;
}

static void
stop_cb (Fixture *self)
{
  self->n_stops++;
}

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->parent = driver_show (gtk_label_new ("parent"), 300, 200);
  self->dialog = ui_download_dialog_new (self->parent, "hub.example");
  g_object_add_weak_pointer (G_OBJECT (self->dialog), (gpointer *) &self->dialog);
  g_signal_connect_swapped (self->dialog, "look-up", G_CALLBACK (look_up_cb), self);
  g_signal_connect_swapped (self->dialog, "download", G_CALLBACK (download_cb), self);
  g_signal_connect_swapped (self->dialog, "stop", G_CALLBACK (stop_cb), self);
  gtk_window_present (GTK_WINDOW (self->dialog));
  driver_settle (self->dialog);
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  if (self->dialog != NULL)
    gtk_window_destroy (GTK_WINDOW (self->dialog));
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_null (self->dialog);
  gtk_window_destroy (self->parent);
  g_free (self->name);
  g_free (self->token);
}

static GtkButton *
find_button (Fixture    *self,
             const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (self->dialog, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0)
      return GTK_BUTTON (button);
  g_error ("there is no button “%s”", label);
}

static gboolean
can_press (Fixture    *self,
           const char *label)
{
  return gtk_widget_get_sensitive (GTK_WIDGET (find_button (self, label)));
}

static void
press (Fixture    *self,
       const char *label)
{
  g_assert_true (can_press (self, label));
  g_signal_emit_by_name (find_button (self, label), "clicked");
}

static GtkEditable *
find_row (Fixture *self,
          GType    type)
{
  return GTK_EDITABLE (driver_find (self->dialog, type, 0));
}

static gboolean
shows (Fixture    *self,
       const char *part)
{
  return driver_find_label (self->dialog, part) != NULL;
}

static GtkProgressBar *
find_progress (Fixture *self)
{
  return GTK_PROGRESS_BAR (driver_find (self->dialog, GTK_TYPE_PROGRESS_BAR, 0));
}

/* From the name to the progress, and nothing is asked before a button is pressed. */
static void
test_way (Fixture       *self,
          gconstpointer  unused)
{
  g_assert_false (can_press (self, "_Look Up"));
  g_assert_true (shows (self, "hub.example"));
  gtk_editable_set_text (find_row (self, ADW_TYPE_ENTRY_ROW), "  ");
  g_assert_false (can_press (self, "_Look Up"));
  gtk_editable_set_text (find_row (self, ADW_TYPE_ENTRY_ROW), " org/name ");
  g_assert_cmpint (self->n_look_ups, ==, 0);

  press (self, "_Look Up");
  g_assert_cmpint (self->n_look_ups, ==, 1);
  g_assert_cmpstr (self->name, ==, "org/name");
  g_assert_null (self->token);
  g_assert_false (can_press (self, "_Look Up"));
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (find_row (self, ADW_TYPE_ENTRY_ROW))));

  ui_download_dialog_offer (UI_DOWNLOAD_DIALOG (self->dialog), 5, 440449768, 0, NULL);
  g_assert_true (shows (self, "5 files, 440.4 MB"));
  g_assert_cmpint (self->n_downloads, ==, 0);
  press (self, "_Download");
  g_assert_cmpint (self->n_downloads, ==, 1);

  ui_download_dialog_progress (UI_DOWNLOAD_DIALOG (self->dialog), "model.safetensors", 110112442,
                               440449768, 5.5e6);
  g_assert_true (shows (self, "model.safetensors"));
  g_assert_true (shows (self, "110.1 MB of 440.4 MB · 5.5 MB/s · 1 min left"));
  g_assert_cmpfloat_with_epsilon (gtk_progress_bar_get_fraction (find_progress (self)), 0.25, 1e-6);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (find_progress (self))));
}

static void
test_locale (Fixture       *self,
             gconstpointer  unused)
{
  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL) {
    g_test_skip ("no de_DE.UTF-8 here");
    return;
  }

  test_way (self, unused);
  setlocale (LC_NUMERIC, "C");
}

/* A name that is known beforehand needs one press. */
static void
test_named (Fixture       *self,
            gconstpointer  unused)
{
  ui_download_dialog_ask (UI_DOWNLOAD_DIALOG (self->dialog), "bert-base-uncased",
                          "“bert-base-uncased” is not on this computer.", FALSE);
  g_assert_true (shows (self, "is not on this computer"));
  press (self, "_Look Up");
  g_assert_cmpstr (self->name, ==, "bert-base-uncased");
  g_assert_false (shows (self, "is not on this computer"));
}

static void
test_token (Fixture       *self,
            gconstpointer  unused)
{
  GtkEditable *token = find_row (self, ADW_TYPE_PASSWORD_ENTRY_ROW);

  gtk_editable_set_text (find_row (self, ADW_TYPE_ENTRY_ROW), "org/name");
  press (self, "_Look Up");
  ui_download_dialog_ask (UI_DOWNLOAD_DIALOG (self->dialog), NULL, "org/name is gated", TRUE);
  g_assert_true (shows (self, "org/name is gated"));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (self->dialog)),
                                         GTK_WIDGET (token)));
  gtk_editable_set_text (token, "hf_abc\n");
  press (self, "_Look Up");
  g_assert_cmpstr (self->token, ==, "hf_abc");
  g_assert_false (driver_shows_text (self->dialog, "hf_abc"));
}

/* Another name makes an offer void. */
static void
test_other_name (Fixture       *self,
                 gconstpointer  unused)
{
  gtk_editable_set_text (find_row (self, ADW_TYPE_ENTRY_ROW), "org/name");
  press (self, "_Look Up");
  ui_download_dialog_offer (UI_DOWNLOAD_DIALOG (self->dialog), 5, 1000, 0, NULL);
  gtk_editable_set_text (find_row (self, ADW_TYPE_ENTRY_ROW), "org/other");
  press (self, "_Look Up");
  g_assert_cmpint (self->n_downloads, ==, 0);
  g_assert_cmpstr (self->name, ==, "org/other");
}

/* Cancel ends what runs and leaves the window; the next one closes it. */
static void
test_cancel (Fixture       *self,
             gconstpointer  unused)
{
  gtk_editable_set_text (find_row (self, ADW_TYPE_ENTRY_ROW), "org/name");
  press (self, "_Look Up");
  ui_download_dialog_offer (UI_DOWNLOAD_DIALOG (self->dialog), 5, 1000000, 0, NULL);
  press (self, "_Download");
  press (self, "_Cancel");
  g_assert_cmpint (self->n_stops, ==, 1);
  g_assert_nonnull (self->dialog);

  ui_download_dialog_offer (UI_DOWNLOAD_DIALOG (self->dialog), 5, 1000000, 250000,
                            "the connection broke");
  g_assert_true (shows (self, "5 files, 1.0 MB, of which 250.0 kB are on this computer already"));
  g_assert_true (shows (self, "the connection broke"));
  press (self, "_Continue");
  g_assert_cmpint (self->n_downloads, ==, 2);
  g_assert_false (shows (self, "the connection broke"));

  ui_download_dialog_offer (UI_DOWNLOAD_DIALOG (self->dialog), 5, 1000000, 1000000, NULL);
  g_assert_true (can_press (self, "_Open"));
  g_assert_true (driver_press_key (self->dialog, "Escape"));
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_cmpint (self->n_stops, ==, 1);
  g_assert_null (self->dialog);
}

static void
test_close (Fixture       *self,
            gconstpointer  unused)
{
  gtk_editable_set_text (find_row (self, ADW_TYPE_ENTRY_ROW), "org/name");
  press (self, "_Look Up");
  gtk_window_close (GTK_WINDOW (self->dialog));
  while (g_main_context_iteration (NULL, FALSE));
  g_assert_cmpint (self->n_stops, ==, 1);
  g_assert_null (self->dialog);
}

#define ADD(path, test) \
  g_test_add ("/download-dialog/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("way", test_way);
  ADD ("locale", test_locale);
  ADD ("named", test_named);
  ADD ("token", test_token);
  ADD ("other-name", test_other_name);
  ADD ("cancel", test_cancel);
  ADD ("close", test_close);
  return g_test_run ();
}
