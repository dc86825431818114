/* SPDX-License-Identifier: MIT */
#include "app/shell/narrow.h"

#include "ui/view/drawn-text.h"

#define LOW 400 /* pixels at 100 % text */

struct _AppNarrow {
  GtkWindow   *window;
  AdwSqueezer *header_views;
  GtkWidget   *foot_view;
  GtkRevealer *sentences;
  GtkWidget   *caption;
  gboolean     is_low;
  guint        source;
};

static gboolean
has_focus_in (GtkWindow *window,
              GtkWidget *widget)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  return focus != NULL && gtk_widget_is_ancestor (focus, widget);
}

static gboolean
show_cb (gpointer data)
{
  AppNarrow *self = data;

  self->source = 0;
  gtk_widget_set_visible (self->foot_view, adw_squeezer_get_visible_child (self->header_views)
                                           == NULL);
  gtk_revealer_set_reveal_child (self->sentences,
                                 !self->is_low
                                 || has_focus_in (self->window, GTK_WIDGET (self->sentences)));
  gtk_widget_set_visible (self->caption, !self->is_low);
  return G_SOURCE_REMOVE;
}

/* Not at once: the window may be being laid out. */
static void
queue (AppNarrow *self)
{
  if (self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_HIGH, show_cb, self, NULL);
}

AppNarrow *
app_narrow_new (GtkWindow   *window,
                AdwSqueezer *header_views,
                GtkWidget   *foot_view,
                GtkRevealer *sentences,
                GtkWidget   *caption)
{
  AppNarrow *self = g_new (AppNarrow, 1);

  *self = (AppNarrow) { window, header_views, foot_view, sentences, caption, FALSE, 0 };
  g_signal_connect_swapped (header_views, "notify::visible-child", G_CALLBACK (queue), self);
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (queue), self);
  return self;
}

void
app_narrow_free (AppNarrow *self)
{
  g_signal_handlers_disconnect_by_data (self->header_views, self);
  g_signal_handlers_disconnect_by_data (self->window, self);
  g_clear_handle_id (&self->source, g_source_remove);
  g_free (self);
}

void
app_narrow_set_height (AppNarrow *self,
                       int        height)
{
  gboolean is_low = height < LOW * ui_drawn_text_get_scale (GTK_WIDGET (self->window));

  if (is_low == self->is_low)
    return;
  self->is_low = is_low;
  queue (self);
}
