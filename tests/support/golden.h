/* SPDX-License-Identifier: MIT */
/* Expected texts in tests/goldens/. With HEADLIGHT_REGENERATE=1 in the environment the file is
 * written instead of compared: run the test's binary, then read the difference before it is
 * committed. */
#pragma once

#include <glib.h>

void golden_assert_equal (const char *name,  /* "head-pair.scene" */
                          const char *text);
