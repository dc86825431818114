/* SPDX-License-Identifier: MIT */
#include "app/window-private.h"

typedef struct {
  AppWindow           *window;
  GAsyncReadyCallback  callback;
  gpointer             data;
} Call;

static void
call_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Call *call = data;

  call->callback (G_OBJECT (call->window), result, call->data);
  g_object_unref (call->window);
  g_free (call);
}

GTask *
app_window_task_new (AppWindow           *self,
                     GAsyncReadyCallback  callback,
                     gpointer             data)
{
  Call *call = g_new (Call, 1);

  *call = (Call) { g_object_ref (self), callback, data };
  return g_task_new (NULL, NULL, call_cb, call);
}
