/* SPDX-License-Identifier: MIT */
#include "ui/lessons/lesson-text.h"

#define ITEM_GAP 8
#define BULLET   "•"

static GtkWidget *
label_new (const char        *markup,
           GtkAccessibleRole  role)
{
  return g_object_new (GTK_TYPE_LABEL,
                       "accessible-role", role,
                       "label", markup,
                       "use-markup", TRUE,
                       "wrap", TRUE,
                       "wrap-mode", PANGO_WRAP_WORD_CHAR,
                       "natural-wrap-mode", GTK_NATURAL_WRAP_NONE,
                       "xalign", 0.0f,
                       "hexpand", TRUE,
                       NULL);
}

static GtkWidget *
heading_new (const char *markup)
{
  GtkWidget *label = label_new (markup, GTK_ACCESSIBLE_ROLE_HEADING);

  gtk_widget_add_css_class (label, "title-3");

  return label;
}

/* The text of an item stands right of its bullet, in all lines. */
static GtkWidget *
item_new (const char *markup)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, ITEM_GAP);
  GtkWidget *bullet = gtk_label_new (BULLET);

  gtk_widget_set_valign (bullet, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), bullet);
  gtk_box_append (GTK_BOX (box), label_new (markup, GTK_ACCESSIBLE_ROLE_LABEL));

  return box;
}

/* A line that is longer than the page is wide goes on in the next one. */
static GtkWidget *
code_new (const char *text)
{
  GtkWidget *label = label_new ("", GTK_ACCESSIBLE_ROLE_LABEL);

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  gtk_widget_add_css_class (label, "lesson-code");

  return label;
}

static GtkWidget *
try_new (const char *markup)
{
  g_autofree char *whole = g_strdup_printf ("<b>Try it.</b> %s", markup);
  GtkWidget *label = label_new (whole, GTK_ACCESSIBLE_ROLE_LABEL);

  gtk_widget_add_css_class (label, "lesson-try");

  return label;
}

GtkWidget *
ui_lesson_text_new (const char    *markup,
                    UiLessonStyle  style)
{
  switch (style) {
  case UI_LESSON_HEADING:
    return heading_new (markup);
  case UI_LESSON_ITEM:
    return item_new (markup);
  case UI_LESSON_CODE:
    return code_new (markup);
  case UI_LESSON_TRY:
    return try_new (markup);
  case UI_LESSON_PARAGRAPH:
  default:
    return label_new (markup, GTK_ACCESSIBLE_ROLE_LABEL);
  }
}
