/* SPDX-License-Identifier: MIT */
#include "app/desk/desk.h"

#include "app/run/task.h"
#include "app/store/model-store.h"

/* Folders may lie on a slow disk. */
static void
list_models_thread (GTask        *task,
                    gpointer      source,
                    gpointer      data,
                    GCancellable *cancellable)
{
  g_task_return_pointer (task, app_model_store_list (), (GDestroyNotify) g_ptr_array_unref);
}

void
app_desk_list_models (gpointer             owner,
                      GAsyncReadyCallback  callback)
{
  g_autoptr (GTask) task = app_task_new (owner, callback, NULL);

  g_task_run_in_thread (task, list_models_thread);
}
