/* SPDX-License-Identifier: MIT */
/* Where the trace files of the tests lie. */
#pragma once

#include <string.h>

#include <glib.h>

/* "shared/NAME" is a trace of a real model beside the project, which need not be there; else below
 * tests/. */
static inline char *
traces_get_path (const char *name)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");

  if (g_str_has_prefix (name, "shared/"))
    return g_build_filename (shared ? shared : "../shared", "data", "traces",
                             name + strlen ("shared/"), NULL);

  return g_test_build_filename (G_TEST_DIST, name, NULL);
}
