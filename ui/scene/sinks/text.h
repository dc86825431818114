/* SPDX-License-Identifier: MIT */
/* Setting text with pango: measuring for layouts, and layouts for the cairo sinks. Hinting of
 * metrics is off, so that a text has the same width in the window, in a file and at every scale.
 * Contexts and layouts are kept per thread; everything here may be called from any thread. */
#pragma once

#include <pango/pangocairo.h>

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

#define UI_TEXT_LAYOUT_SIZE 32.0
#define UI_FONT_FAMILIES "Cantarell, Inter, Noto Sans, DejaVu Sans, sans-serif"

/* What of a token is drawn. Controls, zero-width and bidi characters become visible escapes
 * (<U+200B>), line breaks ⏎, tabs ⇥, blanks at the ends ␣; the one leading blank that stands for a
 * word mark is left out. Joiners inside of an emoji or of a word stay. A combining mark at the
 * start gets a dotted circle. */
char        *ui_text_make_visible (const char        *text);

/* (transfer full) For who sets paragraphs: without hinting, as all text here. */
PangoContext *ui_text_create_context (void);

/* Lets pango find in a thread of its own what fonts there are, so that this thread's first text
 * need not wait for it. */
void         ui_text_begin        (void);
double       ui_text_measure      (const char        *text,
                                   const UiTextStyle *style);
/* Whether the max_width of the style has no room for the text. */
gboolean     ui_text_is_cut       (const char        *text,
                                   const UiTextStyle *style);
/* Set at UI_TEXT_LAYOUT_SIZE whatever the size of the style, to be drawn scaled to it: fonts of
 * every size that a zoom goes through would stay in memory, some 100 kB each. Borrowed until the
 * next call in this thread; single paragraph, cut when wider than max_width (shorten.h). */
PangoLayout *ui_text_layout       (const char        *text,
                                   const UiTextStyle *style);
/* Every thread lets go of its layouts before it sets its next text. */
void         ui_text_forget       (void);
/* Lines of at most width units, broken between words, the last one not left with a single short
 * word; a word that is wider stands alone. (transfer full) */
char       **ui_text_wrap         (const char        *text,
                                   const UiTextStyle *style,
                                   double             width);
/* The words of Pango's markup, which must be right. (transfer full) */
char        *ui_text_strip_markup (const char        *markup);
/* Baseline of a line that looks centred at y. */
double       ui_text_baseline     (double             y,
                                   double             size);
/* A line that looks centred at y. */
void         ui_text_paint        (UiSink            *sink,
                                   double             x,
                                   double             y,
                                   const char        *text,
                                   const UiTextStyle *style,
                                   UiColor            color);

G_END_DECLS
