/* SPDX-License-Identifier: MIT */
/* Pages of text and figures, read back by poppler's programs: nothing is lost, and what belongs
 * together stands together. */
#include <glib/gstdio.h>
#include <string.h>

#include "tests/support/scene-trace.h"
#include "ui/scene/export/export.h"
#include "ui/scene/export/pages.h"

#define LOREM "words and words and words and words and words and words and words and words and words"

typedef struct {
  UiPages *pages;
  char    *path;
  int      n_pages;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  int file;
  g_autoptr (GError) error = NULL;

  self->pages = ui_pages_new (UI_PAPER_A4, "A title");
  file = g_file_open_tmp ("headlight-pages-XXXXXX.pdf", &self->path, &error);
  g_assert_no_error (error);
  g_close (file, NULL);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  ui_pages_free (self->pages);
  g_remove (self->path);
  g_free (self->path);
}

static gboolean
write_pages (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) pdf = ui_pages_finish (self->pages, &self->n_pages, &error);
  g_autofree char *program = g_find_program_in_path ("pdftotext");
  gsize size;
  const char *data;

  g_assert_no_error (error);
  data = g_bytes_get_data (pdf, &size);
  g_file_set_contents (self->path, data, (gssize) size, &error);
  g_assert_no_error (error);
  if (program == NULL)
    g_test_skip ("pdftotext is not here");
  return program != NULL;
}

/* The text of a page, counted from 1. (transfer full) */
static char *
read_page (Fixture *self,
           int      page)
{
  g_autofree char *number = g_strdup_printf ("%d", page);
  const char *arguments[] = { "pdftotext", "-f", number, "-l", number, self->path, "-", NULL };
  g_autoptr (GError) error = NULL;
  char *text;

  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text, NULL, NULL,
                &error);
  g_assert_no_error (error);
  return text;
}

static int
count (const char *text,
       const char *part)
{
  int n = 0;

  for (const char *p = text; (p = strstr (p, part)) != NULL; p += strlen (part))
    n++;
  return n;
}

/* Heading after heading until a page is full: none is the last on its page. */
static void
test_headings (Fixture       *self,
               gconstpointer  data)
{
  int n_headings = 0;

  ui_pages_begin_part (self->pages, "Part");
  for (int i = 0; i < 60; i++) {
    ui_pages_add_text (self->pages, UI_PAGE_HEADING, "Heading");
    ui_pages_add_text (self->pages, UI_PAGE_TEXT, "Below");
  }
  if (!write_pages (self))
    return;
  g_assert_cmpint (self->n_pages, >=, 3);
  for (int page = 1; page <= self->n_pages; page++) {
    g_autofree char *text = read_page (self, page);

    g_assert_cmpint (count (text, "Heading"), ==, count (text, "Below"));
    g_assert_nonnull (strstr (text, "Part"));
    g_assert_nonnull (strstr (text, "A title"));
    n_headings += count (text, "Heading");
  }
  g_assert_cmpint (n_headings, ==, 60);
}

/* A paragraph longer than a page goes on on the next one. */
static void
test_long_text (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  int n_words = 0;

  for (int i = 0; i < 100; i++)
    g_string_append (text, LOREM " ");
  ui_pages_begin_part (self->pages, "Part");
  ui_pages_add_text (self->pages, UI_PAGE_TEXT, text->str);
  if (!write_pages (self))
    return;
  g_assert_cmpint (self->n_pages, >=, 2);
  for (int page = 1; page <= self->n_pages; page++) {
    g_autofree char *read = read_page (self, page);

    n_words += count (read, "words");
  }
  g_assert_cmpint (n_words, ==, count (text->str, "words"));
}

/* A figure that lacks a little room is made smaller, and its question stays with it; one that lacks
 * more begins a page. */
static void
test_figures (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (7, 8, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  int n_questions = 0;

  document->width_cm = ui_pages_get_width_cm (self->pages);
  scene = ui_figure_scene_new (trace, document, &error);
  g_assert_no_error (error);
  ui_pages_begin_part (self->pages, "Part");
  for (int i = 0; i < 6; i++) {
    ui_pages_add_text (self->pages, UI_PAGE_HEADING, "Heading");
    ui_pages_add_figure (self->pages, scene);
    ui_pages_keep (self->pages);
    ui_pages_add_text (self->pages, UI_PAGE_QUESTION, "Question");
    ui_pages_add_blank (self->pages);
  }
  if (!write_pages (self))
    return;
  for (int page = 1; page <= self->n_pages; page++) {
    g_autofree char *text = read_page (self, page);

    g_assert_cmpint (count (text, "Heading"), ==, count (text, "Question"));
    n_questions += count (text, "Question");
  }
  g_assert_cmpint (n_questions, ==, 6);
}

/* The same pages are the same bytes. */
static void
test_same_bytes (void)
{
  g_autoptr (GBytes) first = NULL;

  for (int i = 0; i < 2; i++) {
    g_autoptr (UiPages) pages = ui_pages_new (UI_PAPER_LETTER, "A title");
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) pdf = NULL;

    ui_pages_begin_part (pages, "Part");
    ui_pages_add_text (pages, UI_PAGE_ITEM, "One <b>item</b>");
    ui_pages_add_row (pages, "left", "right");
    pdf = ui_pages_finish (pages, NULL, &error);
    g_assert_no_error (error);
    if (first == NULL)
      first = g_steal_pointer (&pdf);
    else
      g_assert_true (g_bytes_equal (first, pdf));
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/pages/headings", Fixture, NULL, set_up, test_headings, tear_down);
  g_test_add ("/pages/long-text", Fixture, NULL, set_up, test_long_text, tear_down);
  g_test_add ("/pages/figures", Fixture, NULL, set_up, test_figures, tear_down);
  g_test_add_func ("/pages/same-bytes", test_same_bytes);

  return g_test_run ();
}
