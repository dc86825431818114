/* SPDX-License-Identifier: MIT */
#include "engine/kernels/isa.h"

static const char *const names[] = { "portable", "avx2", "avx512" };

static EngIsa
detect (void)
{
#if defined (__x86_64__)
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw") &&
      __builtin_cpu_supports ("avx512dq") && __builtin_cpu_supports ("avx512vl"))
    return ENG_ISA_AVX512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    return ENG_ISA_AVX2;
#endif
  return ENG_ISA_PORTABLE;
}

static EngIsa
choose (void)
{
  const char *wanted = g_getenv ("HEADLIGHT_ISA");
  EngIsa best = detect ();

  for (EngIsa isa = ENG_ISA_PORTABLE; wanted != NULL && isa < best; isa++)
    if (g_str_equal (wanted, names[isa]))
      return isa;
  return best;
}

EngIsa
eng_isa_get (void)
{
  static gsize isa_plus_one = 0;

  if (g_once_init_enter (&isa_plus_one))
    g_once_init_leave (&isa_plus_one, choose () + 1);
  return (EngIsa) (isa_plus_one - 1);
}

const char *
eng_isa_get_name (EngIsa isa)
{
  return names[isa];
}
