/* SPDX-License-Identifier: MIT */
/* Sentences and pairs on which attention is classically shown. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *text_a;
  const char *text_b; /* "" = none */
} AppExample;

const AppExample *app_examples_get (int *n_examples);

G_END_DECLS
