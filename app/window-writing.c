/* SPDX-License-Identifier: MIT */
/* The bar of a model that writes: what it wrote, play and pause, and what becomes of the text. */
#include "app/window-private.h"

#include "app/pass.h"
#include "app/shortcuts.h"

/* The sentence that the model goes on with: what the decoder reads last. */
static gboolean
writes_b (AppWindow *self)
{
  return eng_model_has_two_stacks (self->model) || self->answered->text_b[0] != '\0';
}

/* The text with what was written behind it. */
static char *
append_written (AppWindow  *self,
                const char *text)
{
  const char *written = self->written.text;

  if (text[0] == '\0')
    return g_strstrip (g_strdup (written));

  return g_strconcat (text, written, NULL);
}

static void
sync_settings (AppWindow *self)
{
  g_autoptr (EngGeneration) settings = NULL;
  guint64 seed;
  gboolean are_known = app_pass_settle (self->model, self->document, &settings, &seed, NULL);

  gtk_widget_set_sensitive (GTK_WIDGET (self->writing_settings_button), are_known);
  if (!are_known)
    return;

  /* A limit of the whole text is one of the new tokens, seen from here. */
  if (settings->max_new_tokens == 0 && settings->max_length > 0)
    settings->max_new_tokens = MAX (1, settings->max_length - self->written.n_before);
  ui_writing_settings_set (self->writing_settings, self->document, settings, seed);
}

/* The last line is the one that grows. */
static void
scroll_to_end_cb (AppWindow     *self,
                  GtkAdjustment *adjustment)
{
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* So is the last row of the picture, for whoever looks at it. Another kind of attention has another
 * height, too, but no new token. */
static void
follow_picture_cb (AppWindow     *self,
                   GtkAdjustment *adjustment)
{
  if (self->written.n_tokens > self->n_followed && self->follows_picture)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  self->n_followed = self->written.n_tokens;
}

static void
picture_scrolled_cb (AppWindow     *self,
                     GtkAdjustment *adjustment)
{
  double end = gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment);

  self->follows_picture = end >= gtk_adjustment_get_upper (adjustment) - 1;
}

static void
sync_text (AppWindow *self)
{
  gboolean is_ready = self->complete && self->written.n_tokens == 0 && !self->written.is_running;
  const char *hint = is_ready ? "The model can write on from here" : "";
  g_autofree char *text = g_strstrip (g_strdup (self->written.text));
  const char *label = text[0] != '\0' ? text : hint;

  /* A selection survives what changes nothing. */
  if (!g_str_equal (gtk_label_get_label (self->written_label), label))
    gtk_label_set_label (self->written_label, label);
  if (text[0] != '\0')
    gtk_widget_remove_css_class (GTK_WIDGET (self->written_label), "dim-label");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->written_label), "dim-label");
}

static gboolean
has_written (AppWindow *self)
{
  return self->can_write && self->written.n_tokens > 0
         && g_str_equal (self->answered->text_a, self->document->text_a)
         && g_str_equal (self->answered->text_b, self->document->text_b);
}

/* Has the worker go on with the text, stop, or forget it. */
static void
ask_to_write (AppWindow  *self,
              AppWriting  writing)
{
  if (!self->can_write)
    return;

  /* It asks for what was typed, too. */
  g_clear_handle_id (&self->submit_source, g_source_remove);
  self->written.is_running = writing == APP_WRITE_ALL;
  self->writing_is_asked = writing != APP_WRITE_NOTHING;
  app_window_submit (self, self->document, writing);
  app_window_refresh (self);
}

/* That the document has so many written tokens asks for nothing: they are there already. */
static void
keep_count (AppWindow *self,
            int        written,
            gboolean   is_step)
{
  UiDocument *document = ui_document_copy (self->document);

  document->written = written;
  if (is_step)
    app_window_record (self, document);
  else
    app_window_amend (self, document);
  app_window_keep_document (self, document);
}

/* A text that a person had written is a step; one that came of itself, or again under other
 * settings, is none. */
static void
note_end (AppWindow *self)
{
  const int written = self->written.is_done ? UI_WRITTEN_ALL : self->written.n_tokens;
  const gboolean is_step = self->writing_is_asked;

  self->writing_is_asked = FALSE;
  if (has_written (self) && written != self->document->written
      && (is_step || self->document->written != 0))
    keep_count (self, written, is_step);
}

/* Play and pause. */
static void
change_write (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppWindow *self = data;

  ask_to_write (self, self->written.is_running ? APP_WRITE_NO_MORE : APP_WRITE_ALL);
}

static void
write_token (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  ask_to_write (data, APP_WRITE_TOKEN);
}

static void
write_anew (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppWindow *self = data;

  if (self->document->written != 0)
    keep_count (self, 0, TRUE);
  ask_to_write (self, APP_WRITE_NOTHING);
}

static void
show_settings (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  gtk_menu_button_popup (APP_WINDOW (data)->writing_settings_button);
}

static void
copy_text (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppWindow *self = data;
  g_autofree char *text = g_strstrip (g_strdup (self->written.text));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* What was written becomes a part of the sentence that it goes on with. */
static void
take_text (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppWindow *self = data;
  UiDocument *document;
  g_autofree char *before = NULL;
  char **text;

  if (!has_written (self))
    return;

  document = ui_document_copy (self->document);
  text = writes_b (self) ? &document->text_b : &document->text_a;
  before = *text;
  *text = append_written (self, before);
  app_window_change (self, document);
}

/* A model of two stacks writes B again where that is empty. */
void
app_window_put_written (AppWindow  *self,
                        UiDocument *document)
{
  if (!has_written (self)
      || (eng_model_has_two_stacks (self->model) && document->text_b[0] == '\0'))
    return;

  document->written = 0;
  g_free (document->text_a);
  g_free (document->text_b);
  document->text_a = g_strdup (eng_trace_get_text_a (self->trace));
  document->text_b = g_strdup (eng_trace_get_text_b (self->trace));
}

static void
set_enabled (AppWindow  *self,
             const char *name,
             gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
sync_actions (AppWindow *self,
              gboolean   can_write)
{
  gboolean has_text = can_write && has_written (self);
  gboolean is_open = can_write && !self->written.is_done;

  set_enabled (self, "write", is_open);
  set_enabled (self, "write-token", is_open && !self->written.is_running);
  set_enabled (self, "write-anew", has_text);
  set_enabled (self, "writing-settings", can_write);
  set_enabled (self, "copy-text", has_text);
  set_enabled (self, "take-text", has_text);
}

static void
settings_changed_cb (AppWindow *self)
{
  UiDocument *document = ui_document_copy (self->document);

  ui_writing_settings_apply (self->writing_settings, document);
  app_window_change (self, document);
}

void
app_window_init_writing (AppWindow *self)
{
  GtkAdjustment *text = gtk_scrolled_window_get_vadjustment (self->written_scroller);
  GtkAdjustment *picture = gtk_scrolled_window_get_vadjustment (self->picture_scroller);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  /* What the model wrote has no hyphens that it did not write. */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (self->written_label, attributes);
  self->follows_picture = TRUE;
  g_signal_connect_object (text, "changed", G_CALLBACK (scroll_to_end_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (picture, "changed", G_CALLBACK (follow_picture_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (picture, "value-changed", G_CALLBACK (picture_scrolled_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->writing_settings, "changed",
                            G_CALLBACK (settings_changed_cb), self);
  app_shortcuts_explain_as (GTK_WIDGET (self->writing_settings_button), "win.writing-settings");
}

void
app_window_add_writing (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "write", change_write },
    { "write-token", write_token },
    { "write-anew", write_anew },
    { "writing-settings", show_settings },
    { "copy-text", copy_text },
    { "take-text", take_text },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
app_window_take_written (AppWindow       *self,
                         const AppAnswer *answer)
{
  const AppWritten *written = answer->can_write ? &answer->written : NULL;
  gboolean is_running = self->written.is_running;

  /* What was asked for meanwhile says whether more is written. */
  if (answer->complete && answer->serial >= self->serial)
    is_running = written != NULL && written->is_running;

  self->can_write = answer->model != NULL
                    && eng_model_has_task (answer->model, ENG_TASK_LANGUAGE_MODEL);
  g_free (self->written.text);
  self->written = written != NULL ? *written : (AppWritten) { 0 };
  self->written.text = g_strdup (written != NULL ? written->text : "");
  self->written.is_running = is_running;
  if (answer->complete && answer->serial >= self->serial && !is_running)
    note_end (self);
}

void
app_window_sync_writing (AppWindow *self)
{
  gboolean can_write = self->can_write && app_window_has_entries (self);
  gboolean is_running = self->written.is_running;
  const char *take_label;

  gtk_widget_set_visible (self->writing_bar, can_write);
  sync_actions (self, can_write);
  if (!can_write)
    return;

  take_label = !writes_b (self) ? "Add to A"
               : self->answered->text_b[0] != '\0' ? "Add to B" : "Use as B";
  gtk_button_set_icon_name (self->write_button, is_running ? "media-playback-pause-symbolic"
                                                           : "media-playback-start-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->write_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, is_running ? "Pause" : "Write",
                                  -1);
  gtk_button_set_label (self->take_text_button, take_label);
  sync_text (self);
  if (self->complete)
    sync_settings (self);
}
