/* SPDX-License-Identifier: MIT */
/* The bar of a model that writes: what it wrote, play and pause, and what becomes of the text. */
#include "app/parts/writing/writing.h"

#include "app/desk/shortcuts.h"
#include "app/run/pass.h"
#include "ui/controls/writing-settings.h"

#define CAN_WRITE "The model can write on from here"

struct _AppWritingPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget         *writing_bar;
  GtkButton         *write_button;
  GtkMenuButton     *writing_settings_button;
  UiWritingSettings *writing_settings;
  GtkScrolledWindow *written_scroller;
  GtkLabel          *written_label;
  GtkButton         *take_text_button;

  int      n_followed; /* new tokens when the picture last changed its height */
  gboolean follows_picture; /* its end is in sight, and stays there while it grows */
};

G_DEFINE_FINAL_TYPE (AppWritingPart, app_writing_part, APP_TYPE_PART)

/* The sentence that the model goes on with: what the decoder reads last. */
static gboolean
writes_b (AppWritingPart *self)
{
  return eng_model_has_two_stacks (app_study_get_model (self->study))
         || app_study_get_answered (self->study)->text_b[0] != '\0';
}

/* The text with what was written behind it. */
static char *
append_written (AppWritingPart *self,
                const char     *text)
{
  const char *written = app_study_get_written (self->study)->text;

  if (text[0] == '\0')
    return g_strstrip (g_strdup (written));

  return g_strconcat (text, written, NULL);
}

static void
sync_settings (AppWritingPart *self)
{
  g_autoptr (EngGeneration) settings = NULL;
  guint64 seed;
  gboolean are_known =
    app_pass_settle (app_study_get_model (self->study), app_study_get_document (self->study),
                     &settings, &seed, NULL);

  gtk_widget_set_sensitive (GTK_WIDGET (self->writing_settings_button), are_known);
  if (!are_known)
    return;

  /* A limit of the whole text is one of the new tokens, seen from here. */
  if (settings->max_new_tokens == 0 && settings->max_length > 0)
    settings->max_new_tokens =
      MAX (1, settings->max_length - app_study_get_written (self->study)->n_before);
  ui_writing_settings_set (self->writing_settings, app_study_get_document (self->study), settings,
                           seed);
}

/* The last line is the one that grows. */
static void
scroll_to_end_cb (AppWritingPart *self,
                  GtkAdjustment  *adjustment)
{
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* So is the last row of the picture, for whoever looks at it. Another kind of attention has another
 * height, too, but no new token. */
static void
follow_picture_cb (AppWritingPart *self,
                   GtkAdjustment  *adjustment)
{
  if (app_study_get_written (self->study)->n_tokens > self->n_followed && self->follows_picture)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  self->n_followed = app_study_get_written (self->study)->n_tokens;
}

static void
picture_scrolled_cb (AppWritingPart *self,
                     GtkAdjustment  *adjustment)
{
  double end = gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment);

  self->follows_picture = end >= gtk_adjustment_get_upper (adjustment) - 1;
}

static void
sync_text (AppWritingPart *self)
{
  gboolean is_ready = app_study_is_complete (self->study)
                      && app_study_get_written (self->study)->n_tokens == 0
                      && !app_study_get_written (self->study)->is_running;
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (app_study_get_model (self->study));
  const char *offer = tokenizer != NULL && eng_tokenizer_has_chat_template (tokenizer)
                      ? CAN_WRITE ", without its chat template" : CAN_WRITE;
  const char *hint = is_ready ? offer : "";
  g_autofree char *text = g_strstrip (g_strdup (app_study_get_written (self->study)->text));
  const char *label = text[0] != '\0' ? text : hint;

  /* A selection survives what changes nothing. */
  if (!g_str_equal (gtk_label_get_label (self->written_label), label))
    gtk_label_set_label (self->written_label, label);
  if (text[0] != '\0')
    gtk_widget_remove_css_class (GTK_WIDGET (self->written_label), "dim-label");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->written_label), "dim-label");
}

/* Play and pause. */
static void
change_write (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppWritingPart *self = data;

  const gboolean is_running = app_study_get_written (self->study)->is_running;

  if (is_running || app_desk_may_tell (self->desk))
    app_study_write (self->study, is_running ? APP_WRITE_NO_MORE : APP_WRITE_ALL);
}

static void
write_token (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWritingPart *self = data;

  if (app_desk_may_tell (self->desk))
    app_study_write (self->study, APP_WRITE_TOKEN);
}

static void
write_anew (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  app_study_write_anew (APP_WRITING_PART (data)->study);
}

static void
show_settings (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  gtk_menu_button_popup (APP_WRITING_PART (data)->writing_settings_button);
}

static void
copy_text (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppWritingPart *self = data;
  g_autofree char *text = g_strstrip (g_strdup (app_study_get_written (self->study)->text));

  gdk_clipboard_set_text (app_desk_get_clipboard (self->desk), text);
}

/* What was written becomes a part of the sentence that it goes on with. */
static void
take_text (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppWritingPart *self = data;
  UiDocument *document;
  g_autofree char *before = NULL;
  char **text;

  if (!app_study_has_written (self->study))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  text = writes_b (self) ? &document->text_b : &document->text_a;
  before = *text;
  *text = append_written (self, before);
  app_study_change (self->study, document);
}

static void
sync_actions (AppWritingPart *self,
              gboolean        can_write)
{
  gboolean has_text = can_write && app_study_has_written (self->study);
  gboolean is_open = can_write && !app_study_get_written (self->study)->is_done;

  app_desk_set_enabled (self->desk, "write", is_open);
  app_desk_set_enabled (self->desk, "write-token",
                        is_open && !app_study_get_written (self->study)->is_running);
  app_desk_set_enabled (self->desk, "write-anew", has_text);
  app_desk_set_enabled (self->desk, "writing-settings", can_write);
  app_desk_set_enabled (self->desk, "copy-text", has_text);
  app_desk_set_enabled (self->desk, "take-text", has_text);
}

static void
settings_changed_cb (AppWritingPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  ui_writing_settings_apply (self->writing_settings, document);
  app_study_change (self->study, document);
}

static void
init_bar (AppWritingPart *self)
{
  GtkAdjustment *text = gtk_scrolled_window_get_vadjustment (self->written_scroller);
  GtkAdjustment *picture =
    gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (app_picture_get_view (self->picture)));
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
  g_signal_connect_object (self->writing_settings, "changed",
                            G_CALLBACK (settings_changed_cb), self, G_CONNECT_SWAPPED);
  app_shortcuts_explain_as (GTK_WIDGET (self->writing_settings_button), "win.writing-settings");
}

static void
add_actions (AppWritingPart *self)
{
  static const GActionEntry entries[] = {
    { "write", change_write },
    { "write-token", write_token },
    { "write-anew", write_anew },
    { "writing-settings", show_settings },
    { "copy-text", copy_text },
    { "take-text", take_text },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
sync_bar (AppPart *part)
{
  AppWritingPart *self = APP_WRITING_PART (part);
  gboolean can_write = app_study_can_write (self->study) && app_study_has_texts (self->study);
  gboolean is_running = app_study_get_written (self->study)->is_running;
  const char *take_label;

  gtk_widget_set_visible (self->writing_bar, can_write && !app_desk_is_presented (self->desk));
  sync_actions (self, can_write);
  if (!can_write)
    return;

  take_label = !writes_b (self) ? "Add to A"
               : app_study_get_answered (self->study)->text_b[0] != '\0' ? "Add to B" : "Use as B";
  gtk_button_set_icon_name (self->write_button, is_running ? "media-playback-pause-symbolic"
                                                           : "media-playback-start-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->write_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, is_running ? "Pause" : "Write",
                                  -1);
  gtk_button_set_label (self->take_text_button, take_label);
  sync_text (self);
  if (app_study_is_complete (self->study))
    sync_settings (self);
}

static void
begin (AppPart *part)
{
  AppWritingPart *self = APP_WRITING_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "writing");
  app_part_place (self, "writing_bar", "writing");
  self->writing_bar = app_part_get_object (self, "writing_bar");
  self->write_button = app_part_get_object (self, "write_button");
  self->writing_settings_button = app_part_get_object (self, "writing_settings_button");
  self->writing_settings = app_part_get_object (self, "writing_settings");
  self->written_scroller = app_part_get_object (self, "written_scroller");
  self->written_label = app_part_get_object (self, "written_label");
  self->take_text_button = app_part_get_object (self, "take_text_button");
  init_bar (self);
  add_actions (self);
}

static void
app_writing_part_class_init (AppWritingPartClass *klass)
{
  g_type_ensure (UI_TYPE_WRITING_SETTINGS);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_bar;
}

static void
app_writing_part_init (AppWritingPart *self)
{
}
