/* SPDX-License-Identifier: MIT */
/* Sentences and pairs on which attention is classically shown. */
#pragma once

#include "ui/document/document.h"

G_BEGIN_DECLS

typedef struct {
  const char *text_a;
  const char *text_b; /* "" = none */
} AppExample;

const AppExample *app_examples_get (int *n_examples);
/* The texts that a window begins with where nobody typed any. */
void              app_examples_put (UiDocument *document);

G_END_DECLS
