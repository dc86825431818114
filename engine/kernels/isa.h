/* SPDX-License-Identifier: MIT */
/* Which vector instructions this machine has. The kernels (linalg-kernels.c, nn-kernels.c) are one
 * source each, compiled once per instruction set; the tables that they export are picked with
 * this. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ENG_ISA_PORTABLE, /* what the compiler's baseline gives */
  ENG_ISA_AVX2,     /* with FMA */
  ENG_ISA_AVX512
} EngIsa;

/* The best one of this CPU, or a lower one that the environment's HEADLIGHT_ISA names (portable,
 * avx2, avx512): so tests run every kernel on one machine. */
EngIsa      eng_isa_get      (void);
const char *eng_isa_get_name (EngIsa isa);

G_END_DECLS
