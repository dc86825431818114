/* SPDX-License-Identifier: MIT */
#include "ui/sentences/sentence-typing.h"

#include <string.h>

#include <utf8proc.h>

/* GTK lays out all of an entry anew with each letter: 30 ms for so many, and Pango takes time for
 * tabs that grows with their square, half a second for a copied table of so many. */
#define MOST_LETTERS 32768
#define MOST_TABS    64
#define MOST_VISUAL  512

static int
count_tabs (const char *text)
{
  int n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\t';
  return n;
}

/* One blank for each break, and none for the one that ends what was copied. */
static char *
join_lines (const char *text)
{
  GString *joined = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    const gunichar letter = g_utf8_get_char (at);
    const gboolean is_break = letter == '\n' || letter == '\r' || letter == 0x2028
                              || letter == 0x2029;

    if (letter == '\r' && at[1] == '\n')
      continue;
    if (!is_break)
      g_string_append_unichar (joined, letter);
    else if (*g_utf8_next_char (at) != '\0' || joined->len == 0)
      g_string_append_c (joined, ' ');
  }
  return g_string_free (joined, FALSE);
}

char *
ui_sentence_clean (const char    *added,
                   int            length,
                   int            n_before,
                   UiSentenceCut *cut)
{
  g_autofree char *typed = g_strndup (added, length < 0 ? strlen (added) : (gsize) length);
  char *rest = join_lines (typed);
  const glong room = MAX (MOST_LETTERS - n_before, 0);

  *cut = g_str_equal (typed, rest) ? UI_SENTENCE_AS_IT_IS : UI_SENTENCE_JOINED;
  if (count_tabs (rest) > MOST_TABS) {
    g_strdelimit (rest, "\t", ' ');
    *cut = UI_SENTENCE_UNTABBED;
  }
  if (g_utf8_strlen (rest, -1) > room) {
    *g_utf8_offset_to_pointer (rest, room) = '\0';
    *cut = UI_SENTENCE_CUT;
  }
  return rest;
}

/* By the first letter that says so. */
static gboolean
runs_to_the_left (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    switch (utf8proc_get_property ((utf8proc_int32_t) g_utf8_get_char (text))->bidi_class) {
    case UTF8PROC_BIDI_CLASS_L:
      return FALSE;
    case UTF8PROC_BIDI_CLASS_R:
    case UTF8PROC_BIDI_CLASS_AL:
      return TRUE;
    default:
      break;
    }
  return FALSE;
}

static void
move_cursor_cb (GtkEditable     *text,
                GtkMovementStep  step,
                int              count,
                gboolean         extends)
{
  const char *letters = gtk_editable_get_text (text);

  if (step != GTK_MOVEMENT_VISUAL_POSITIONS || g_utf8_strlen (letters, -1) <= MOST_VISUAL)
    return;
  g_signal_stop_emission_by_name (text, "move-cursor");
  g_signal_emit_by_name (text, "move-cursor", GTK_MOVEMENT_LOGICAL_POSITIONS,
                         runs_to_the_left (letters) ? -count : count, extends);
}

void
ui_sentence_ease_cursor (GtkText *text)
{
  g_signal_connect (text, "move-cursor", G_CALLBACK (move_cursor_cb), NULL);
}

/* What is typed in takes its own clicks. */
static void
pressed_cb (GtkWidget *entry,
            int        n_press,
            double     x,
            double     y)
{
  if (gtk_widget_pick (entry, x, y, GTK_PICK_DEFAULT) == entry)
    gtk_widget_grab_focus (entry);
}

void
ui_sentence_take_clicks (GtkWidget *entry)
{
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), entry);
  gtk_widget_add_controller (entry, GTK_EVENT_CONTROLLER (click));
}
