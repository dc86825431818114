/* SPDX-License-Identifier: MIT */
#include "ui/document/bidi.h"

/* Blocks whose characters run from right to left, or are Arabic numbers, which turn what stands
 * between them and a number of ours; Unicode keeps them for such scripts (DerivedBidiClass.txt). */
static const struct { gunichar first, last; } blocks[] = {
  { 0x590, 0x8ff }, { 0x200f, 0x200f }, { 0xfb1d, 0xfdff }, { 0xfe70, 0xfeff },
  { 0x10800, 0x10fff }, { 0x1e800, 0x1efff },
};

static gboolean
runs_left (gunichar c)
{
  for (gsize i = 0; i < G_N_ELEMENTS (blocks); i++)
    if (c >= blocks[i].first && c <= blocks[i].last)
      return TRUE;
  return FALSE;
}

static gboolean
changes_order (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (runs_left (g_utf8_get_char (p)))
      return TRUE;
  return FALSE;
}

gboolean
ui_bidi_has_direction (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_isalpha (g_utf8_get_char (p)))
      return TRUE;
  return changes_order (text);
}

gboolean
ui_bidi_begins_right (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_isalpha (g_utf8_get_char (p)))
      return runs_left (g_utf8_get_char (p));
  return FALSE;
}

char *
ui_bidi_isolate (const char *text)
{
  return changes_order (text) ? g_strconcat (UI_BIDI_OPEN, text, UI_BIDI_CLOSE, NULL)
                              : g_strdup (text);
}

char *
ui_bidi_quote (const char *text)
{
  return changes_order (text) ? g_strconcat (UI_BIDI_LEFT_TO_RIGHT "“" UI_BIDI_FIRST_STRONG, text,
                                             UI_BIDI_CLOSE "”", NULL)
                              : g_strdup_printf ("“%s”", text);
}
