/* SPDX-License-Identifier: MIT */
/* Toasts, one after the other, each once the one before is out of sight: libadwaita 1.2 shows a
 * toast that follows another more slowly than it hides one, and when such a toast is dismissed at
 * once its animation outlives it and the program ends. One that only says something goes early when
 * another waits; one with a button stays for its time. */
#include "app/desk/desk-private.h"

/* Longer than a toast takes to hide. */
#define GAP_MS 500
/* Longer than a toast takes to come, and enough to read it. */
#define LEAST_MS 1500

static void show_next (AppDesk *self);

static gboolean
gap_cb (gpointer data)
{
  AppDesk *self = data;

  self->toasts.source = 0;
  show_next (self);
  return G_SOURCE_REMOVE;
}

static void
dismissed_cb (AppDesk  *self,
              AdwToast *toast)
{
  g_signal_handlers_disconnect_by_func (toast, dismissed_cb, self);
  self->toasts.toast = NULL;
  g_clear_handle_id (&self->toasts.source, g_source_remove);
  self->toasts.source = g_timeout_add (GAP_MS, gap_cb, self);
}

static gboolean
make_room_cb (gpointer data)
{
  AppDesk *self = data;

  self->toasts.source = 0;
  adw_toast_dismiss (self->toasts.toast);
  return G_SOURCE_REMOVE;
}

/* The toast in sight makes room for the next, if that waits. */
static void
make_room (AppDesk *self)
{
  gint64 rest_us;

  if (self->toasts.toast == NULL || self->toasts.source != 0
      || g_queue_is_empty (&self->toasts.next)
      || adw_toast_get_button_label (self->toasts.toast) != NULL)
    return;

  rest_us = self->toasts.since + LEAST_MS * G_TIME_SPAN_MILLISECOND - g_get_monotonic_time ();
  self->toasts.source = g_timeout_add ((guint) MAX (rest_us / G_TIME_SPAN_MILLISECOND, 0),
                                      make_room_cb, self);
}

static void
show_next (AppDesk *self)
{
  if (self->toasts.toast != NULL || self->toasts.source != 0
      || g_queue_is_empty (&self->toasts.next))
    return;

  self->toasts.toast = g_queue_pop_head (&self->toasts.next);
  self->toasts.since = g_get_monotonic_time ();
  g_signal_connect_object (self->toasts.toast, "dismissed", G_CALLBACK (dismissed_cb), self,
                           G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (self->widgets.toasts, self->toasts.toast);
  make_room (self);
}

void
app_desk_add_toast (AppDesk  *self,
                    AdwToast *toast)
{
  g_queue_push_tail (&self->toasts.next, toast);
  show_next (self);
  make_room (self);
}

void
app_desk_dismiss_toast (AppDesk  *self,
                        AdwToast *toast)
{
  if (toast == self->toasts.toast)
    adw_toast_dismiss (toast);
  else if (g_queue_remove (&self->toasts.next, toast))
    g_object_unref (toast);
}

void
app_desk_end_toasts (AppDesk *self)
{
  /* The overlay dismisses it once more when it goes itself, and the window is then no more. */
  if (self->toasts.toast != NULL)
    g_signal_handlers_disconnect_by_func (self->toasts.toast, dismissed_cb, self);
  self->toasts.toast = NULL;
  g_clear_handle_id (&self->toasts.source, g_source_remove);
  g_queue_clear_full (&self->toasts.next, g_object_unref);
  g_queue_clear_full (&self->toasts.held, g_object_unref);
}
