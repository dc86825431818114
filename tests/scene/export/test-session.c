/* SPDX-License-Identifier: MIT */
/* A figure carries its document, whatever the format and whatever the texts; one that went through
 * another program says so. */
#include "ui/document/session.h"

#include <locale.h>
#include <string.h>

#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "tests/support/tool.h"
#include "ui/document/figure-session.h"
#include "ui/scene/export/export.h"

static const char *const words_a[] = { "time", "flies", NULL };
static const char *const words_b[] = { "fruit", "flies", NULL };
static const char *const endings[] = { "svg", "pdf", "png", "html" };

typedef struct {
  char       *folder;
  EngTrace   *trace;
  UiDocument *document;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->folder = temporary_new ();
  self->trace = scene_trace_new (words_a, words_b, 12);
  self->document = ui_document_new ();
  g_free (self->document->text_a);
  g_free (self->document->text_b);
  self->document->text_a = g_strdup ("Grüße (a\\b) <x> & \"y\" ]]> \\(\\) %PDF- /Keywords (no");
  self->document->text_b = g_strdup ("слово 😀 \x01\x7f\n--> </metadata>");
  self->document->layer = 0;
  self->document->heads = (UiHeadSet) { .bits[0] = 9 };
  self->document->theme = UI_THEME_PRINT;
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  temporary_free (self->folder);
  eng_trace_unref (self->trace);
  ui_document_free (self->document);
}

static char *
write_figure (Fixture    *self,
              const char *name,
              gsize      *size)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *contents = NULL;

  ui_figure_write (self->trace, self->document, path, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &contents, size, &error);
  g_assert_no_error (error);

  return contents;
}

static void
assert_carries (const char       *figure,
                gsize             size,
                const UiDocument *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ui_figure_find_session ((const guint8 *) figure, size, "figure", &error);
  g_autoptr (UiSession) session = NULL;

  g_assert_no_error (error);
  session = ui_session_from_text (text, strlen (text), NULL, "figure", &error);
  g_assert_no_error (error);
  g_assert_true (ui_document_equal (session->document, expected));
}

static void
test_carried (Fixture       *self,
              gconstpointer  data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autofree char *name = g_strconcat ("figure.", endings[i], NULL);
    gsize size, size_again;
    g_autofree char *figure = write_figure (self, name, &size);
    g_autofree char *again = write_figure (self, name, &size_again);

    assert_carries (figure, size, self->document);
    /* The same document gives the same bytes. */
    g_assert_cmpmem (figure, size, again, size_again);
  }
}

/* The picture by itself, for the clipboard, tells nobody where the models lie. */
static void
test_picture_alone (Fixture       *self,
                    gconstpointer  data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = NULL;
    UiFigureFormat format;
    gsize size;
    const guint8 *figure;

    g_assert_true (ui_figure_format_from_name (endings[i], &format, NULL));
    bytes = ui_figure_to_bytes (self->trace, self->document, format, &error);
    g_assert_no_error (error);
    figure = g_bytes_get_data (bytes, &size);
    g_assert_true (ui_figure_is_one (figure, size));
    g_assert_null (ui_figure_find_session (figure, size, "a.svg", &error));
    g_assert_cmpstr (error->message, ==, "a.svg holds no Headlight document; it was not drawn by "
                     "Headlight or was saved again by another program");
  }
}

/* A model beside the figure moves with it. */
static void
test_paths (Fixture       *self,
            gconstpointer  data)
{
  gsize size;
  g_autofree char *figure = NULL;
  g_autofree char *text = NULL;

  self->document->model = g_build_filename (self->folder, "models", "mini", NULL);
  figure = write_figure (self, "a.png", &size);
  text = ui_figure_find_session ((const guint8 *) figure, size, "a.png", NULL);
  g_assert_nonnull (strstr (text, "\"model\": \"./models/mini\""));
  g_assert_null (strstr (text, self->folder));
}

/* The chunks that libpng and other programs read, with the checksums that they expect. */
static void
test_damaged_png (Fixture       *self,
                  gconstpointer  data)
{
  gsize size;
  g_autofree char *figure = write_figure (self, "a.png", &size);
  char *chunk = memmem (figure, size, "tEXt", 4);

  g_assert_nonnull (chunk);
  chunk[60]++;
  g_assert_null (ui_figure_find_session ((const guint8 *) figure, size, "a.png", NULL));
  chunk[60]--;
  assert_carries (figure, size, self->document);
  for (gsize cut = 0; cut < (gsize) (chunk - figure) + 100; cut++)
    g_assert_null (ui_figure_find_session ((const guint8 *) figure, cut, "a.png", NULL));
}

/* Other tools find nothing wrong with the files; what keeps keywords and texts keeps the
 * document. */
static void
test_other_tools (Fixture       *self,
                  gconstpointer  data)
{
  gsize size;
  g_autofree char *svg = write_figure (self, "a.svg", &size);
  g_autofree char *pdf = write_figure (self, "a.pdf", &size);
  g_autofree char *png = write_figure (self, "a.png", &size);
  g_autofree char *svg_path = g_build_filename (self->folder, "a.svg", NULL);
  g_autofree char *pdf_path = g_build_filename (self->folder, "a.pdf", NULL);
  g_autofree char *png_path = g_build_filename (self->folder, "a.png", NULL);
  const char *lint[] = { "xmllint", "--noout", svg_path, NULL };
  const char *info[] = { "pdfinfo", pdf_path, NULL };
  const char *identify[] = { "identify", "-verbose", png_path, NULL };
  g_autofree char *problems = tool_run (lint);
  g_autofree char *keywords = tool_run (info);
  g_autofree char *texts = tool_run (identify);

  if (problems != NULL)
    g_assert_cmpstr (problems, ==, "");
  if (keywords != NULL)
    g_assert_nonnull (strstr (keywords, "\"text_a\": \"Gr\\u00fc\\u00dfe (a\\\\b) <x>"));
  if (texts != NULL)
    g_assert_nonnull (strstr (texts, UI_FIGURE_SESSION_ID));
}

/* Hexadecimal keywords, as another program may write them. */
static void
test_pdf_digits (void)
{
  static const char *const pdfs[] = {
    "%PDF-1.4\n<< /Keywords <7B2022666F726D6174223A2022686561646C696768742D73657373696F6E22207D> "
    ">>",
    "%PDF-1.4\n<< /Keywords (other) >> << /Keywords\n<FEFF007B002000220066006F0072006D006100740022"
    "003A002000220068006500610064006C0069006700680074002D00730065007300730069006F006E00220020007D>",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pdfs); i++) {
    g_autofree char *text = ui_figure_find_session ((const guint8 *) pdfs[i], strlen (pdfs[i]), "a",
                                                    NULL);

    g_assert_cmpstr (text, ==, "{ \"format\": \"headlight-session\" }");
  }
}

#define ADD(name, function) \
  g_test_add ("/scene/session/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  ADD ("carried", test_carried);
  ADD ("picture-alone", test_picture_alone);
  ADD ("paths", test_paths);
  ADD ("damaged-png", test_damaged_png);
  ADD ("other-tools", test_other_tools);
  g_test_add_func ("/scene/session/pdf-digits", test_pdf_digits);
  return g_test_run ();
}
