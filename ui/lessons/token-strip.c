/* SPDX-License-Identifier: MIT */
#include "ui/lessons/token-strip.h"

#include "ui/boxes/stop-box.h"
#include "ui/boxes/wrap-box.h"
#include "ui/controls/words.h"

#define SPACING 4

struct _UiTokenStrip {
  GtkWidget  parent_instance;

  GtkWidget *lines;
  GPtrArray *buttons; /* of GtkToggleButton; the box's */
  int        chosen;
  gboolean   is_setting;
};

G_DEFINE_FINAL_TYPE (UiTokenStrip, ui_token_strip, GTK_TYPE_WIDGET)

enum { SIGNAL_CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
press (UiTokenStrip *self,
       int           token)
{
  self->is_setting = TRUE;
  for (guint i = 0; i < self->buttons->len; i++)
    gtk_toggle_button_set_active (self->buttons->pdata[i], (int) i == token);
  self->is_setting = FALSE;
  self->chosen = token;
}

/* One that is pressed again stays. */
static void
toggled_cb (GtkToggleButton *button,
            UiTokenStrip    *self)
{
  guint index = 0;

  if (self->is_setting || !g_ptr_array_find (self->buttons, button, &index))
    return;
  press (self, (int) index);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

static gboolean
ui_token_strip_focus (GtkWidget        *widget,
                      GtkDirectionType  direction)
{
  UiTokenStrip *self = UI_TOKEN_STRIP (widget);
  GtkWidget *entry = self->chosen >= 0 ? self->buttons->pdata[self->chosen] : NULL;

  return ui_stop_box_move (widget, direction, entry,
                           GTK_WIDGET_CLASS (ui_token_strip_parent_class));
}

static void
ui_token_strip_dispose (GObject *object)
{
  UiTokenStrip *self = UI_TOKEN_STRIP (object);

  g_ptr_array_set_size (self->buttons, 0);
  for (GtkWidget *child; self->lines != NULL
                         && (child = gtk_widget_get_first_child (self->lines)) != NULL;)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->lines, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_token_strip_parent_class)->dispose (object);
}

static void
ui_token_strip_finalize (GObject *object)
{
  g_ptr_array_unref (UI_TOKEN_STRIP (object)->buttons);
  G_OBJECT_CLASS (ui_token_strip_parent_class)->finalize (object);
}

static void
ui_token_strip_class_init (UiTokenStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_token_strip_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_token_strip_finalize;
  widget_class->focus = ui_token_strip_focus;
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "tokenstrip");
}

static void
ui_token_strip_init (UiTokenStrip *self)
{
  self->chosen = -1;
  self->buttons = g_ptr_array_new ();
  self->lines = g_object_new (UI_TYPE_WRAP_BOX, "spacing", SPACING, NULL);
  gtk_widget_set_parent (self->lines, GTK_WIDGET (self));
}

GtkWidget *
ui_token_strip_new (const char *title)
{
  GtkWidget *self = g_object_new (UI_TYPE_TOKEN_STRIP, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);

  return self;
}

static void
add_token (UiTokenStrip    *self,
           const EngTokens *tokens,
           int              token)
{
  g_autofree char *name = ui_words_name (tokens, token);
  g_autofree char *place = ui_words_title (tokens, token, "token", NULL);
  GtkWidget *button = gtk_toggle_button_new_with_label (name);

  if (tokens->special[token])
    gtk_widget_add_css_class (button, "dim-label");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, place,
                                  -1);
  g_signal_connect_object (button, "toggled", G_CALLBACK (toggled_cb), self, 0);
  gtk_widget_set_parent (button, self->lines);
  g_ptr_array_add (self->buttons, button);
}

void
ui_token_strip_set (UiTokenStrip    *self,
                    const EngTokens *tokens)
{
  g_return_if_fail (UI_IS_TOKEN_STRIP (self));

  for (guint i = 0; i < self->buttons->len; i++)
    gtk_widget_unparent (self->buttons->pdata[i]);
  g_ptr_array_set_size (self->buttons, 0);
  self->chosen = -1;
  for (int i = 0; i < tokens->n; i++)
    add_token (self, tokens, i);
}

void
ui_token_strip_choose (UiTokenStrip *self,
                       int           token)
{
  g_return_if_fail (UI_IS_TOKEN_STRIP (self));

  if (token >= -1 && token < (int) self->buttons->len)
    press (self, token);
}

int
ui_token_strip_get (UiTokenStrip *self)
{
  g_return_val_if_fail (UI_IS_TOKEN_STRIP (self), -1);

  return self->chosen;
}
