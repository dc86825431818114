/* SPDX-License-Identifier: MIT */
#include "engine/error.h"

G_DEFINE_QUARK (eng-error-quark, eng_error)
