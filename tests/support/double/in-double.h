/* SPDX-License-Identifier: MIT */
/* Included before everything in a program that computes in double precision what the engine
 * computes in float: gradients can then be compared with central differences. What talks to the
 * C library comes first. engine/kernels/vector-math.h, whose polynomials are made for float, has
 * a stand-in beside this file, and the products are those of linalg-double.c. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define float double
#define cosf cos
#define expf exp
#define fabsf fabs
#define logf log
#define powf pow
#define sqrtf sqrt
