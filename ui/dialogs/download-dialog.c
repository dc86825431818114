/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/download-dialog.h"

#include "ui/controls/dialog-keys.h"
#include "ui/dialogs/dialog-label.h"
#include "ui/document/amount.h"

#define DIALOG_WIDTH 480
#define MARGIN       18

typedef enum { STATE_ASKING, STATE_LOOKING, STATE_OFFERED, STATE_FETCHING } State;

struct _UiDownloadDialog {
  AdwWindow  parent_instance;

  char      *host;
  State      state;

  GtkWidget *name_row;      /* AdwEntryRow */
  GtkWidget *token_row;     /* AdwPasswordEntryRow */
  GtkWidget *progress;      /* GtkProgressBar */
  GtkWidget *what;          /* GtkLabel: the file on its way */
  GtkWidget *note;          /* GtkLabel: what will happen, how big it is, how far it is */
  GtkWidget *problem;       /* GtkLabel: what went wrong */
  GtkWidget *spinner;
  GtkWidget *cancel_button;
  GtkWidget *action_button; /* Look Up, Download, Continue */
};

enum { SIGNAL_LOOK_UP, SIGNAL_DOWNLOAD, SIGNAL_STOP, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiDownloadDialog, ui_download_dialog, ADW_TYPE_WINDOW)

static gboolean
is_busy (UiDownloadDialog *self)
{
  return self->state == STATE_LOOKING || self->state == STATE_FETCHING;
}

static char *
dup_text (GtkWidget *row)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
}

static void
set_note (UiDownloadDialog *self,
          const char       *text)
{
  gtk_label_set_label (GTK_LABEL (self->note), text);
}

static void
set_problem (UiDownloadDialog *self,
             const char       *text)
{
  gtk_label_set_label (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
}

/* Everything that a state changes and that needs no number. */
static void
set_state (UiDownloadDialog *self,
           State             state)
{
  static const char *const actions[] = { "_Look Up", "_Look Up", "_Download", "_Download" };
  g_autofree char *name = dup_text (self->name_row);

  self->state = state;
  /* An entry that is turned off with the focus in it keeps it. */
  if (is_busy (self))
    gtk_widget_grab_focus (self->cancel_button);
  gtk_widget_set_sensitive (self->name_row, !is_busy (self));
  gtk_widget_set_sensitive (self->token_row, !is_busy (self));
  gtk_widget_set_visible (self->progress, state == STATE_FETCHING);
  gtk_widget_set_visible (self->what, state == STATE_FETCHING);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy (self));
  gtk_button_set_label (GTK_BUTTON (self->action_button), actions[state]);
  gtk_widget_set_sensitive (self->action_button, !is_busy (self) && name[0] != '\0');
  gtk_widget_set_tooltip_text (self->cancel_button,
                               is_busy (self) ? "Stop; what came so far is kept (Escape)"
                                              : "Close (Escape)");
}

static void
show_asking (UiDownloadDialog *self)
{
  g_autofree char *note = g_strdup_printf ("Look Up asks %s which files the model has and how big "
                                           "they are. Nothing is downloaded yet.", self->host);

  set_note (self, note);
  set_state (self, STATE_ASKING);
}

static void
look_up (UiDownloadDialog *self)
{
  g_autofree char *name = dup_text (self->name_row);
  g_autofree char *token = dup_text (self->token_row);
  g_autofree char *note = g_strdup_printf ("Asking %s…", self->host);

  set_problem (self, NULL);
  set_note (self, note);
  set_state (self, STATE_LOOKING);
  g_signal_emit (self, signals[SIGNAL_LOOK_UP], 0, name, token[0] != '\0' ? token : NULL);
}

static void
action_cb (UiDownloadDialog *self)
{
  if (self->state == STATE_ASKING) {
    look_up (self);
    return;
  }

  set_problem (self, NULL);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  gtk_label_set_label (GTK_LABEL (self->what), "");
  set_state (self, STATE_FETCHING);
  g_signal_emit (self, signals[SIGNAL_DOWNLOAD], 0);
}

/* What runs is ended first; the window stays and says what is there already. */
static void
cancel_cb (UiDownloadDialog *self)
{
  if (!is_busy (self))
    gtk_window_close (GTK_WINDOW (self));
  else
    g_signal_emit (self, signals[SIGNAL_STOP], 0);
}

static void
cancel_action (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  cancel_cb (UI_DOWNLOAD_DIALOG (widget));
}

/* Another name or token makes the offer void. */
static void
changed_cb (UiDownloadDialog *self)
{
  if (!is_busy (self))
    show_asking (self);
}

static void
activated_cb (UiDownloadDialog *self)
{
  if (gtk_widget_get_sensitive (self->action_button))
    action_cb (self);
}

static GtkWidget *
new_rows (UiDownloadDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  self->name_row = adw_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->name_row),
                                 "Name on the hub, such as bert-base-uncased");
  self->token_row = adw_password_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->token_row),
                                 "Token, only for gated and private models");
  gtk_widget_set_tooltip_text (self->token_row, "Kept in memory until this dialog is closed");
  for (int i = 0; i < 2; i++) {
    GtkWidget *row = i == 0 ? self->name_row : self->token_row;

    g_signal_connect_object (row, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (row, "entry-activated", G_CALLBACK (activated_cb), self,
                             G_CONNECT_SWAPPED);
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  }

  return group;
}

static GtkWidget *
new_content (UiDownloadDialog *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX,
                                 "orientation", GTK_ORIENTATION_VERTICAL,
                                 "spacing", 12,
                                 "margin-start", MARGIN,
                                 "margin-end", MARGIN,
                                 "margin-top", 12,
                                 "margin-bottom", MARGIN,
                                 NULL);

  self->progress = gtk_progress_bar_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Downloaded", -1);
  self->what = ui_dialog_label_new ("heading", GTK_ACCESSIBLE_ROLE_LABEL);
  self->note = ui_dialog_label_new ("numeric", GTK_ACCESSIBLE_ROLE_STATUS);
  self->problem = ui_dialog_label_new ("error", GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_widget_set_visible (self->problem, FALSE);
  gtk_box_append (GTK_BOX (box), new_rows (self));
  gtk_box_append (GTK_BOX (box), self->what);
  gtk_box_append (GTK_BOX (box), self->progress);
  gtk_box_append (GTK_BOX (box), self->problem);
  gtk_box_append (GTK_BOX (box), self->note);
  return box;
}

static GtkWidget *
new_header_bar (UiDownloadDialog *self)
{
  GtkWidget *bar = adw_header_bar_new ();

  self->cancel_button = gtk_button_new_with_mnemonic ("_Cancel");
  self->action_button = gtk_button_new_with_mnemonic ("_Look Up");
  self->spinner = gtk_spinner_new ();
  gtk_widget_add_css_class (self->action_button, "suggested-action");
  gtk_widget_set_tooltip_text (self->action_button, "Go on (Return)");
  g_signal_connect_object (self->cancel_button, "clicked", G_CALLBACK (cancel_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->action_button, "clicked", G_CALLBACK (action_cb), self,
                           G_CONNECT_SWAPPED);

  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->cancel_button);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->action_button);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->spinner);
  return bar;
}

static gboolean
ui_download_dialog_close_request (GtkWindow *window)
{
  UiDownloadDialog *self = UI_DOWNLOAD_DIALOG (window);

  if (is_busy (self))
    g_signal_emit (self, signals[SIGNAL_STOP], 0);
  return GTK_WINDOW_CLASS (ui_download_dialog_parent_class)->close_request (window);
}

static void
ui_download_dialog_finalize (GObject *object)
{
  g_free (UI_DOWNLOAD_DIALOG (object)->host);

  G_OBJECT_CLASS (ui_download_dialog_parent_class)->finalize (object);
}

static void
ui_download_dialog_class_init (UiDownloadDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_download_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = ui_download_dialog_close_request;

  signals[SIGNAL_LOOK_UP] = g_signal_new ("look-up", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  signals[SIGNAL_DOWNLOAD] = g_signal_new ("download", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STOP] = g_signal_new ("stop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  gtk_widget_class_install_action (widget_class, "download.cancel", NULL, cancel_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "download.cancel", NULL);
}

static void
ui_download_dialog_init (UiDownloadDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_window_set_title (GTK_WINDOW (self), "Download a Model");
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self), DIALOG_WIDTH, -1);
  gtk_box_append (GTK_BOX (box), new_header_bar (self));
  gtk_box_append (GTK_BOX (box), new_content (self));
  adw_window_set_content (ADW_WINDOW (self), box);
}

GtkWidget *
ui_download_dialog_new (GtkWindow  *parent,
                        const char *host)
{
  UiDownloadDialog *self = g_object_new (UI_TYPE_DOWNLOAD_DIALOG, "transient-for", parent, NULL);

  ui_dialog_share_keys (GTK_WINDOW (self));
  self->host = g_strdup (host);
  show_asking (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->name_row);
  return GTK_WIDGET (self);
}

void
ui_download_dialog_ask (UiDownloadDialog *self,
                        const char       *name,
                        const char       *problem,
                        gboolean          needs_token)
{
  g_return_if_fail (UI_IS_DOWNLOAD_DIALOG (self));

  self->state = STATE_ASKING;
  if (name != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->name_row), name);
  show_asking (self);
  set_problem (self, problem);
  if (needs_token)
    gtk_widget_grab_focus (self->token_row);
  else
    gtk_widget_grab_focus (name != NULL ? self->action_button : self->name_row);
}

void
ui_download_dialog_offer (UiDownloadDialog *self,
                          int               n_files,
                          gint64            total,
                          gint64            present,
                          const char       *problem)
{
  g_autofree char *total_text = ui_amount_bytes (total);
  g_autofree char *present_text = ui_amount_bytes (present);
  g_autofree char *note = NULL;

  g_return_if_fail (UI_IS_DOWNLOAD_DIALOG (self));

  if (present >= total)
    note = g_strdup_printf ("%d files, %s, all of them on this computer already", n_files,
                            total_text);
  else if (present > 0)
    note = g_strdup_printf ("%d files, %s, of which %s are on this computer already", n_files,
                            total_text, present_text);
  else
    note = g_strdup_printf ("%d files, %s", n_files, total_text);
  set_note (self, note);
  set_problem (self, problem);
  set_state (self, STATE_OFFERED);
  if (present > 0)
    gtk_button_set_label (GTK_BUTTON (self->action_button),
                          present >= total ? "_Open" : "_Continue");
  gtk_widget_grab_focus (self->action_button);
}

void
ui_download_dialog_progress (UiDownloadDialog *self,
                             const char       *what,
                             gint64            bytes,
                             gint64            total,
                             double            speed)
{
  g_autofree char *bytes_text = ui_amount_bytes (bytes);
  g_autofree char *total_text = ui_amount_bytes (total);
  g_autofree char *speed_text = ui_amount_bytes ((gint64) speed);
  g_autoptr (GString) note = g_string_new (NULL);

  g_return_if_fail (UI_IS_DOWNLOAD_DIALOG (self));

  g_string_printf (note, "%s of %s", bytes_text, total_text);
  if (speed > 0) {
    g_autofree char *left = ui_amount_time ((double) (total - bytes) / speed);

    g_string_append_printf (note, " · %s/s · %s left", speed_text, left);
  }
  set_note (self, note->str);
  gtk_label_set_label (GTK_LABEL (self->what), what);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 total > 0 ? (double) bytes / (double) total : 0);
}
