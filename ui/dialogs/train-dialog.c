/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/train-dialog.h"

#include <string.h>

#include "ui/controls/dialog-keys.h"
#include "ui/dialogs/dialog-label.h"

#define DIALOG_WIDTH 520
#define MARGIN 18
/* Of the window, on a desktop that draws no shadows. */
#define FRAME 6
#define MOST_MINUTES 10000

struct _UiTrainDialog {
  AdwWindow  parent_instance;

  char     **notes;   /* of presets */
  char     **lines;   /* of tasks */
  char     **names;   /* of presets */
  double    *minutes; /* of presets */
  int        n_presets;
  char      *folder;
  char      *file;    /* NULL = none yet */
  char      *name;    /* of the last choice that was asked for */
  gboolean   is_busy;

  GtkWidget *preset_row;  /* AdwComboRow, like task and model */
  GtkWidget *task_row;
  GtkWidget *file_row;    /* AdwActionRow */
  GtkWidget *model_row;
  GtkWidget *switch_rows[UI_TRAIN_N_SWITCHES]; /* AdwActionRow, like file */
  GtkWidget *switches[UI_TRAIN_N_SWITCHES];    /* GtkSwitch */
  GtkWidget *minutes_button; /* GtkSpinButton */
  GtkWidget *name_row;    /* AdwEntryRow */
  GtkWidget *scroller;
  GtkWidget *groups[2];   /* what is learnt, how */
  GtkWidget *about;       /* GtkLabel, like note and problem: what the choice is */
  GtkWidget *note;
  GtkWidget *problem;
  GtkWidget *spinner;
  GtkWidget *start_button;
};

enum { SIGNAL_CHOOSE_FILE, SIGNAL_START, SIGNAL_STOP, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiTrainDialog, ui_train_dialog, ADW_TYPE_WINDOW)

static int
get_selected (GtkWidget *row)
{
  return (int) adw_combo_row_get_selected (ADW_COMBO_ROW (row));
}

static gboolean
is_own (UiTrainDialog *self)
{
  return get_selected (self->preset_row) == self->n_presets - 1;
}

/* Bits. */
static int
get_switches (UiTrainDialog *self)
{
  int switches = 0;

  for (int i = 0; i < UI_TRAIN_N_SWITCHES && !is_own (self); i++)
    if (gtk_switch_get_active (GTK_SWITCH (self->switches[i])))
      switches |= 1 << i;

  return switches;
}

static char *
dup_name (UiTrainDialog *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name_row))));
}

static gboolean
is_name (const char *name)
{
  return name[0] != '\0' && name[0] != '.' && strchr (name, G_DIR_SEPARATOR) == NULL;
}

static void
set_problem (UiTrainDialog *self,
             const char    *text)
{
  gtk_label_set_label (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
}

/* Where the model will lie, and whether it may begin. */
static void
sync_start (UiTrainDialog *self)
{
  g_autofree char *name = dup_name (self);
  g_autofree char *path = g_build_filename (self->folder, is_name (name) ? name : "", NULL);
  g_autofree char *note =
    g_strdup_printf ("The model is kept in %s. Training takes what other work leaves of the "
                     "machine; it can be paused at any time.", path);

  gtk_label_set_label (GTK_LABEL (self->note), note);
  for (guint i = 0; i < G_N_ELEMENTS (self->groups); i++)
    gtk_widget_set_sensitive (self->groups[i], !self->is_busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), self->is_busy);
  gtk_widget_set_sensitive (self->start_button,
                            !self->is_busy && is_name (name)
                            && (!is_own (self) || self->file != NULL));
}

/* What a preset says need not be asked. In a row of its own, what the choice is would cut its name
 * off. */
static void
sync_preset (UiTrainDialog *self)
{
  const gboolean own = is_own (self);

  gtk_label_set_label (GTK_LABEL (self->about), own ? self->lines[get_selected (self->task_row)]
                                                    : self->notes[get_selected (self->preset_row)]);
  gtk_widget_set_visible (self->task_row, own);
  gtk_widget_set_visible (self->file_row, own);
  gtk_widget_set_visible (self->model_row, own);
  for (int i = 0; i < UI_TRAIN_N_SWITCHES; i++)
    gtk_widget_set_visible (self->switch_rows[i], !own);
  sync_start (self);
}

/* It was said of another choice. */
static void
forget_problem (UiTrainDialog *self)
{
  set_problem (self, NULL);
}

static void
sync_name (UiTrainDialog *self)
{
  const int name = (get_selected (self->preset_row) << UI_TRAIN_N_SWITCHES) + get_switches (self);

  gtk_editable_set_text (GTK_EDITABLE (self->name_row), self->names[name]);
  forget_problem (self);
}

static void
preset_cb (UiTrainDialog *self)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->minutes_button),
                             self->minutes[get_selected (self->preset_row)]);
  sync_name (self);
  sync_preset (self);
}

static void
choose_cb (UiTrainDialog *self)
{
  g_signal_emit (self, signals[SIGNAL_CHOOSE_FILE], 0);
}

static void
start_cb (UiTrainDialog *self)
{
  if (!gtk_widget_get_sensitive (self->start_button))
    return;
  self->is_busy = TRUE;
  set_problem (self, NULL);
  sync_start (self);
  g_signal_emit (self, signals[SIGNAL_START], 0);
}

static void
cancel_action (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  gtk_window_close (GTK_WINDOW (widget));
}

static gboolean
ui_train_dialog_close_request (GtkWindow *window)
{
  UiTrainDialog *self = UI_TRAIN_DIALOG (window);

  if (self->is_busy)
    g_signal_emit (self, signals[SIGNAL_STOP], 0);

  return GTK_WINDOW_CLASS (ui_train_dialog_parent_class)->close_request (window);
}

static GtkWidget *
new_combo_row (const char        *title,
               const char *const *choices)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (choices);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));

  return row;
}

static GtkWidget *
new_file_row (UiTrainDialog *self)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_mnemonic ("Choose _File…");

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_object (button, "clicked", G_CALLBACK (choose_cb), self, G_CONNECT_SWAPPED);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), "File");
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), "None yet");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);

  return row;
}

static void
add_switches (UiTrainDialog      *self,
              const UiTrainOffer *offer)
{
  for (int i = 0; i < UI_TRAIN_N_SWITCHES; i++) {
    GtkWidget *row = adw_action_row_new ();

    self->switches[i] = gtk_switch_new ();
    gtk_widget_set_valign (self->switches[i], GTK_ALIGN_CENTER);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), offer->switches[i]);
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), offer->switch_notes[i]);
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), self->switches[i]);
    adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), self->switches[i]);
    g_signal_connect_object (self->switches[i], "notify::active", G_CALLBACK (sync_name), self,
                             G_CONNECT_SWAPPED);
    self->switch_rows[i] = row;
  }
}

static GtkWidget *
new_minutes_row (UiTrainDialog *self)
{
  GtkWidget *row = adw_action_row_new ();

  self->minutes_button = gtk_spin_button_new_with_range (1, MOST_MINUTES, 1);
  gtk_widget_set_valign (self->minutes_button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->minutes_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Minutes", -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), "Minutes");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), self->minutes_button);

  return row;
}

static GtkWidget *
new_group (GtkWidget *first,
           ...)
{
  GtkWidget *group = adw_preferences_group_new ();
  va_list rows;

  va_start (rows, first);
  for (GtkWidget *row = first; row != NULL; row = va_arg (rows, GtkWidget *))
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  va_end (rows);

  return group;
}

/* With what it is below it. */
static GtkWidget *
new_first_group (UiTrainDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->about = ui_dialog_label_new ("dim-label", GTK_ACCESSIBLE_ROLE_STATUS);
  gtk_box_append (GTK_BOX (box), self->groups[0]);
  gtk_box_append (GTK_BOX (box), self->about);

  return box;
}

static void
add_rows (UiTrainDialog      *self,
          const UiTrainOffer *offer,
          GtkWidget          *box)
{
  self->preset_row = new_combo_row ("Learn", offer->presets);
  self->task_row = new_combo_row ("Task", offer->tasks);
  self->file_row = new_file_row (self);
  self->model_row = new_combo_row ("Model", offer->models);
  self->name_row = adw_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->name_row), "Name of the new model");
  add_switches (self, offer);
  self->groups[0] = new_group (self->preset_row, self->switch_rows[0], self->switch_rows[1],
                               self->task_row, self->file_row, self->model_row, NULL);
  self->groups[1] = new_group (new_minutes_row (self), self->name_row, NULL);
  gtk_box_append (GTK_BOX (box), new_first_group (self));
  gtk_box_append (GTK_BOX (box), self->groups[1]);
  g_signal_connect_object (self->preset_row, "notify::selected", G_CALLBACK (preset_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->task_row, "notify::selected", G_CALLBACK (sync_preset), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->name_row, "changed", G_CALLBACK (sync_start), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->name_row, "entry-activated", G_CALLBACK (start_cb), self,
                           G_CONNECT_SWAPPED);
}

/* The preset and the switches do so with the name that is theirs. */
static void
forget_problem_on_change (UiTrainDialog *self)
{
  const struct { GtkWidget *widget; const char *signal; } choices[] = {
    { self->task_row, "notify::selected" }, { self->model_row, "notify::selected" },
    { self->minutes_button, "value-changed" }, { self->name_row, "changed" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    g_signal_connect_object (choices[i].widget, choices[i].signal, G_CALLBACK (forget_problem), self,
                             G_CONNECT_SWAPPED);
}

static GtkWidget *
new_content (UiTrainDialog      *self,
             const UiTrainOffer *offer)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL,
                                 "spacing", MARGIN, "margin-start", MARGIN, "margin-end", MARGIN,
                                 "margin-top", 12, "margin-bottom", MARGIN, NULL);

  add_rows (self, offer, box);
  self->note = ui_dialog_label_new ("dim-label", GTK_ACCESSIBLE_ROLE_STATUS);
  gtk_box_append (GTK_BOX (box), self->note);
  forget_problem_on_change (self);

  return box;
}

/* Large text may want more height than the screen has; why it does not begin is seen nevertheless. */
static void
add_content (UiTrainDialog      *self,
             const UiTrainOffer *offer,
             GtkWidget          *box)
{
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", new_content (self, offer),
                                 "hscrollbar-policy", GTK_POLICY_NEVER, "vexpand", TRUE,
                                 "css-classes", (const char *[]) { "dialog-content", NULL }, NULL);
  self->problem = ui_dialog_label_new ("error", GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_widget_set_visible (self->problem, FALSE);
  gtk_widget_set_margin_start (self->problem, MARGIN);
  gtk_widget_set_margin_end (self->problem, MARGIN);
  gtk_widget_set_margin_top (self->problem, 6);
  gtk_widget_set_margin_bottom (self->problem, 12);
  gtk_box_append (GTK_BOX (box), self->scroller);
  gtk_box_append (GTK_BOX (box), self->problem);
}

static int
measure (GtkWidget      *widget,
         GtkOrientation  orientation,
         int             for_size)
{
  int natural;

  gtk_widget_measure (widget, orientation, for_size, NULL, &natural, NULL, NULL);

  return natural;
}

/* Wide enough for the title. A scroller does not ask for the height of what is in it: all of it is to
 * be seen, of a preset and of a file of one's own. */
static void
set_size (UiTrainDialog *self,
          GtkWidget     *bar)
{
  GtkWidget *content = gtk_widget_get_first_child (gtk_widget_get_first_child (self->scroller));
  const int width = MAX (DIALOG_WIDTH - 2 * FRAME, measure (bar, GTK_ORIENTATION_HORIZONTAL, -1));
  int height = 0;

  for (int preset = self->n_presets - 1; preset >= 0; preset--) {
    adw_combo_row_set_selected (ADW_COMBO_ROW (self->preset_row), (guint) preset);
    height = MAX (height, measure (content, GTK_ORIENTATION_VERTICAL, width));
  }
  height += measure (bar, GTK_ORIENTATION_VERTICAL, width);
  gtk_window_set_default_size (GTK_WINDOW (self), width + 2 * FRAME, height + 2 * FRAME);
}

static GtkWidget *
new_header_bar (UiTrainDialog *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *cancel_button = gtk_button_new_with_mnemonic ("_Cancel");

  self->start_button = gtk_button_new_with_mnemonic ("_Train");
  self->spinner = gtk_spinner_new ();
  gtk_widget_add_css_class (self->start_button, "suggested-action");
  gtk_widget_set_tooltip_text (cancel_button, "Close (Escape)");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel_button), "train.cancel");
  g_signal_connect_object (self->start_button, "clicked", G_CALLBACK (start_cb), self,
                           G_CONNECT_SWAPPED);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (bar), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), cancel_button);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->start_button);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->spinner);

  return bar;
}

static void
ui_train_dialog_finalize (GObject *object)
{
  UiTrainDialog *self = UI_TRAIN_DIALOG (object);

  g_strfreev (self->notes);
  g_strfreev (self->lines);
  g_strfreev (self->names);
  g_free (self->minutes);
  g_free (self->folder);
  g_free (self->file);
  g_free (self->name);

  G_OBJECT_CLASS (ui_train_dialog_parent_class)->finalize (object);
}

static void
ui_train_dialog_class_init (UiTrainDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_train_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = ui_train_dialog_close_request;

  signals[SIGNAL_CHOOSE_FILE] = g_signal_new ("choose-file", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                              NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  signals[SIGNAL_STOP] = g_signal_new ("stop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
  gtk_widget_class_install_action (widget_class, "train.cancel", NULL, cancel_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "train.cancel", NULL);
}

static void
ui_train_dialog_init (UiTrainDialog *self)
{
  gtk_window_set_title (GTK_WINDOW (self), "Train a Model");
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
}

GtkWidget *
ui_train_dialog_new (GtkWindow          *parent,
                     const UiTrainOffer *offer,
                     int                 task,
                     const char         *folder)
{
  UiTrainDialog *self = g_object_new (UI_TYPE_TRAIN_DIALOG, "transient-for", parent, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = new_header_bar (self);

  ui_dialog_share_keys (GTK_WINDOW (self));
  self->n_presets = (int) g_strv_length ((char **) offer->presets);
  self->notes = g_strdupv ((char **) offer->notes);
  self->lines = g_strdupv ((char **) offer->lines);
  self->names = g_strdupv ((char **) offer->names);
  self->minutes = g_memdup2 (offer->minutes, (gsize) self->n_presets * sizeof (double));
  self->folder = g_strdup (folder);
  gtk_box_append (GTK_BOX (box), bar);
  add_content (self, offer, box);
  adw_window_set_content (ADW_WINDOW (self), box);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->task_row), (guint) task);
  preset_cb (self);
  set_size (self, bar);
  gtk_window_set_focus (GTK_WINDOW (self), self->preset_row);

  return GTK_WIDGET (self);
}

void
ui_train_dialog_set_file (UiTrainDialog *self,
                          const char    *path)
{
  g_return_if_fail (UI_IS_TRAIN_DIALOG (self));

  g_free (self->file);
  self->file = g_strdup (path);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->file_row), path);
  set_problem (self, NULL);
  sync_start (self);
}

void
ui_train_dialog_refuse (UiTrainDialog *self,
                        const char    *problem)
{
  g_return_if_fail (UI_IS_TRAIN_DIALOG (self));

  self->is_busy = FALSE;
  set_problem (self, problem);
  sync_start (self);
}

void
ui_train_dialog_get (UiTrainDialog *self,
                     UiTrainChoice *choice)
{
  g_return_if_fail (UI_IS_TRAIN_DIALOG (self));

  g_free (self->name);
  self->name = dup_name (self);
  *choice = (UiTrainChoice) {
    .preset = get_selected (self->preset_row),
    .switches = get_switches (self),
    .task = get_selected (self->task_row),
    .model = get_selected (self->model_row),
    .file = self->file,
    .minutes = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->minutes_button)),
    .name = self->name,
  };
}
