/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/svg-marks.h"

#include <math.h>

/* Without printf, which knows locales and is slow. */
void
ui_svg_append_number (GString  *svg,
                      double    value,
                      gboolean  coarse)
{
  gint64 hundredths = coarse ? llround (value * 10) * 10 : llround (value * 100);
  char text[32];
  int at = sizeof text;
  guint64 rest = (guint64) ABS (hundredths);
  int decimals = rest % 100 == 0 ? 0 : rest % 10 == 0 ? 1 : 2;

  rest /= decimals == 0 ? 100 : decimals == 1 ? 10 : 1;
  for (int digit = 0; rest > 0 || digit <= decimals; digit++) {
    if (digit == decimals && decimals > 0)
      text[--at] = '.';
    text[--at] = (char) ('0' + rest % 10);
    rest /= 10;
  }
  if (hundredths < 0)
    text[--at] = '-';
  g_string_append_len (svg, text + at, (gssize) sizeof text - at);
}

void
ui_svg_append_next (GString *svg,
                    double   value)
{
  gsize before = svg->len;

  ui_svg_append_number (svg, value, TRUE);
  if (svg->str[before] != '-')
    g_string_insert_c (svg, (gssize) before, ' ');
}

void
ui_svg_append_attribute (GString    *svg,
                         const char *name,
                         double      value)
{
  g_string_append_printf (svg, " %s=\"", name);
  ui_svg_append_number (svg, value, FALSE);
  g_string_append_c (svg, '"');
}

void
ui_svg_append_rect (GString      *svg,
                    const UiRect *rect,
                    double        radius)
{
  g_string_append (svg, "<rect");
  ui_svg_append_attribute (svg, "x", rect->x);
  ui_svg_append_attribute (svg, "y", rect->y);
  ui_svg_append_attribute (svg, "width", rect->width);
  ui_svg_append_attribute (svg, "height", rect->height);
  if (radius > 0)
    ui_svg_append_attribute (svg, "rx", MIN (radius, MIN (rect->width, rect->height) / 2));
}

void
ui_svg_append_color (GString    *svg,
                     const char *kind,
                     UiColor     color)
{
  g_string_append_printf (svg, " %s=\"#%02x%02x%02x\"", kind, color.r, color.g, color.b);
  if (color.a != 255) {
    /* Three decimals tell all 255 steps apart. */
    int thousandths = (color.a * 1000 + 127) / 255;

    g_string_append_printf (svg, " %s-opacity=\".%03d\"", kind, thousandths);
  }
}

void
ui_svg_append_escaped (GString    *svg,
                       const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if (c == '<')
      g_string_append (svg, "&lt;");
    else if (c == '>')
      g_string_append (svg, "&gt;");
    else if (c == '&')
      g_string_append (svg, "&amp;");
    else if (c == '"')
      g_string_append (svg, "&quot;");
    else if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xfffe || c == 0xffff)
      g_string_append (svg, "\357\277\275");
    else
      g_string_append_unichar (svg, c);
  }
}
