/* SPDX-License-Identifier: MIT */
#include "app/run/task.h"

typedef struct {
  GObject             *owner;
  GAsyncReadyCallback  callback;
  gpointer             data;
} Call;

static void
call_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Call *call = data;

  call->callback (call->owner, result, call->data);
  g_object_unref (call->owner);
  g_free (call);
}

GTask *
app_task_new (gpointer             owner,
              GAsyncReadyCallback  callback,
              gpointer             data)
{
  Call *call = g_new (Call, 1);

  *call = (Call) { g_object_ref (owner), callback, data };
  return g_task_new (NULL, NULL, call_cb, call);
}
