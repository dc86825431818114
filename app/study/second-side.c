/* SPDX-License-Identifier: MIT */
#include "app/study/second-side.h"

gboolean
app_second_side_is_compared (const UiDocument *document)
{
  return document->compare == UI_COMPARE_SIDES || document->compare == UI_COMPARE_DIFFERENCE;
}

void
app_second_side_set_plain (UiDocument *document,
                           gboolean    is_plain)
{
  const gboolean is_taken = ui_document_set (document, ui_fields_find ("compare-edit"),
                                             is_plain ? "none" : "", NULL);

  g_assert (is_taken);
}

/* Who begins to compare one thing does not mean what was compared before besides. what: "" = nothing
 * is left. */
static void
leave_only (UiDocument *document,
            const char *what)
{
  if (!g_str_equal (what, "text")) {
    ui_replace_text (&document->compare_text_a, NULL);
    ui_replace_text (&document->compare_text_b, NULL);
    document->compare_text_a_set = FALSE;
  }
  if (!g_str_equal (what, "model")) {
    ui_replace_text (&document->compare_model, NULL);
    ui_replace_text (&document->compare_trace_file, NULL);
  }
  if (!g_str_equal (what, "head"))
    document->compare_layer_set = document->compare_heads_set = FALSE;
  app_second_side_set_plain (document, g_str_equal (what, "edits"));
}

void
app_second_side_begin (UiDocument *document,
                       const char *what)
{
  if (!app_second_side_is_compared (document)) {
    document->compare = UI_COMPARE_SIDES;
    leave_only (document, what);
  } else if (g_str_equal (what, "edits")) {
    app_second_side_set_plain (document, TRUE);
  }
}

void
app_second_side_end (UiDocument *document)
{
  document->compare = UI_COMPARE_OFF;
  leave_only (document, "");
}
