/* SPDX-License-Identifier: MIT */
/* Sentences in which words are looked for elsewhere than where a person typed them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* NULL-terminated. */
extern const char *const app_shipped_sentences[];

G_END_DECLS
