/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <string.h>

#include "tests/support/count.h"
#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "tests/support/tool.h"
#include "ui/scene/export/export.h"
#include "ui/scene/sinks/text.h"

static const char *const words_a[] = { "time", "flies", "like", "an", "arrow", NULL };
static const char *const words_b[] = { "##ing", "Grüße", "λόγος", "слово", "مرحبا", "a<b", NULL };

typedef struct {
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 12);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;

  self->folder = temporary_new ();
  self->path = g_build_filename (self->folder, "figure.pdf", NULL);
  ui_figure_write (trace, document, self->path, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  temporary_free (self->folder);
  g_free (self->path);
}

/* Every token on both sides. pdftotext puts blanks between some letters of Arabic, whoever wrote
 * the file. */
static void
test_tokens (Fixture       *self,
             gconstpointer  data)
{
  const char *arguments[] = { "pdftotext", self->path, "-", NULL };
  g_autofree char *text = tool_run (arguments);
  g_auto (GStrv) parts = text != NULL ? g_strsplit (text, " ", -1) : NULL;
  g_autofree char *without_blanks = NULL;

  if (text == NULL)
    return;
  for (int i = 0; words_a[i] != NULL; i++)
    g_assert_cmpint (count (text, words_a[i]), >=, 2);
  g_assert_cmpint (count (text, "[CLS]"), ==, 2);
  g_assert_cmpint (count (text, "[SEP]"), ==, 4);
  without_blanks = g_strjoinv ("", parts);
  for (int i = 0; words_b[i] != NULL; i++)
    g_assert_cmpint (count (without_blanks, words_b[i]), >=, 2);
}

/* "yes" in the column of embedded fonts, whose place the line of dashes tells. */
static void
test_fonts_are_embedded (Fixture       *self,
                         gconstpointer  data)
{
  const char *arguments[] = { "pdffonts", self->path, NULL };
  g_autofree char *text = tool_run (arguments);
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;
  const char *column;

  if (text == NULL)
    return;
  column = strstr (lines[0], "emb");
  g_assert_nonnull (column);
  g_assert_cmpint (g_strv_length (lines), >=, 4);
  for (int i = 2; *lines[i] != '\0'; i++)
    g_assert_true (g_str_has_prefix (lines[i] + (column - lines[0]), "yes"));
}

static void
test_page (Fixture       *self,
           gconstpointer  data)
{
  const char *arguments[] = { "pdfinfo", self->path, NULL };
  g_autofree char *text = tool_run (arguments);
  const char *size;

  if (text == NULL)
    return;
  g_assert_nonnull (strstr (text, "layer 0 · all 12 heads"));
  g_assert_nonnull (strstr (text, "Creator:         Headlight"));
  g_assert_nonnull (strstr (text, "Pages:           1\n"));
  size = strstr (text, "Page size:");
  g_assert_nonnull (size);
  size += strlen ("Page size:");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (size, NULL), 16 / 2.54 * 72, 0.01);
}

#define ADD(name, function) \
  g_test_add ("/scene/pdf/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  ADD ("tokens", test_tokens);
  ADD ("fonts-are-embedded", test_fonts_are_embedded);
  ADD ("page", test_page);
  return g_test_run ();
}
