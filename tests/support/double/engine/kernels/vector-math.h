/* SPDX-License-Identifier: MIT */
/* The functions of engine/kernels/vector-math.h in double precision, lane by lane. */
#pragma once

#include "engine/kernels/vector.h"

#define DEFINE(name, expression)                                                                  \
  ENG_INLINE EngVec                                                                               \
  name (EngVec x)                                                                                 \
  {                                                                                               \
    for (int i = 0; i < ENG_LANES; i++)                                                           \
      x[i] = expression;                                                                          \
    return x;                                                                                     \
  }

DEFINE (eng_vec_exp, exp (x[i]))
DEFINE (eng_vec_erf, erf (x[i]))
DEFINE (eng_vec_sigmoid, 1 / (1 + exp (-x[i])))
DEFINE (eng_vec_tanh, tanh (x[i]))

ENG_INLINE EngVec
eng_vec_scale_add (EngVec x,
                   float  factor,
                   EngVec summand)
{
  return x * factor + summand;
}
