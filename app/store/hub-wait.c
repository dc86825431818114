/* SPDX-License-Identifier: MIT */
#include "app/store/hub-wait.h"

#include "app/store/hub-answer.h"

gboolean
app_hub_wait (int            milliseconds,
              GCancellable  *cancellable,
              GError       **error)
{
  GPollFD poll;

  if (g_cancellable_make_pollfd (cancellable, &poll)) {
    g_poll (&poll, 1, milliseconds);
    g_cancellable_release_fd (cancellable);
  } else
    g_usleep ((gulong) milliseconds * 1000);

  if (!g_cancellable_is_cancelled (cancellable))
    return TRUE;
  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_CANCELLED, "the download was cancelled");
  return FALSE;
}
