/* SPDX-License-Identifier: MIT */
/* What is kept only to be quick goes when the system runs short of memory. */
#include "app/window-private.h"

#include <malloc.h>

#include "ui/scene/text.h"

static void
low_memory_cb (GMemoryMonitor             *monitor,
               GMemoryMonitorWarningLevel  level,
               AppWindow                  *self)
{
  app_worker_shrink (self->worker);
  app_window_shrink_compare (self);
  app_before_shrink (self->before);
  ui_text_forget ();
  malloc_trim (0);
}

void
app_window_init_memory (AppWindow *self)
{
  self->memory = g_memory_monitor_dup_default ();
  g_signal_connect_object (self->memory, "low-memory-warning", G_CALLBACK (low_memory_cb), self, 0);
}
