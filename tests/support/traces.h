/* SPDX-License-Identifier: MIT */
/* The trace files of the tests. */
#pragma once

#include <string.h>

#include "engine/trace/trace-file.h"

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

/* (transfer full) NULL after g_test_skip() where a real model's is not there. */
static inline EngTrace *
traces_open (const char *name)
{
  g_autofree char *path = traces_get_path (name);
  g_autoptr (GError) error = NULL;
  EngTrace *trace;

  if (g_str_has_prefix (name, "shared/") && !g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("the traces of real models are not beside the project");
    return NULL;
  }
  trace = eng_trace_file_open (path, &error);
  g_assert_no_error (error);
  return trace;
}
