/* SPDX-License-Identifier: MIT */
/* Models that open, and folders that are refused. */
#pragma once

#include <string.h>

#include "engine/transformer/model.h"
#include "tests/support/checkpoint-folder.h"

#define WEIGHTS "model.safetensors"

static inline EngModel *
open_or_fail (const char *folder)
{
  g_autoptr (GError) error = NULL;
  EngModel *model = eng_model_open (folder, NULL, &error);

  g_assert_no_error (error);

  return model;
}

static inline void
assert_refused (const char *folder,
                int         code,
                const char *first,
                const char *second)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_model_open (folder, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ENG_ERROR, code);
  g_assert_nonnull (strstr (error->message, first));
  g_assert_nonnull (strstr (error->message, second));
  g_assert_false (g_str_has_suffix (error->message, "."));
}
