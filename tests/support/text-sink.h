/* SPDX-License-Identifier: MIT */
/* A sink that writes each operation as a line of text, numbers rounded to a tenth of a unit: for
 * goldens that a reviewer can read, and for looking into what a scene draws. Groups and clips must
 * balance. */
#pragma once

#include "ui/scene/sinks/sink.h"

/* out is borrowed. */
UiSink *text_sink_new  (GString *out);
void    text_sink_free (UiSink  *sink);
