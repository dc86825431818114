/* SPDX-License-Identifier: MIT */
#include "engine/base/error.h"
#include "ui/scene/export/export.h"

#include <cairo.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"

static const char *const words_a[] = { "The", "cat", "sat", NULL };
static const char *const words_b[] = { "A", "dog", NULL };

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
  self->trace = scene_trace_new (words_a, words_b, 3);
  self->document = ui_document_new ();
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
get_path (Fixture    *self,
          const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

static void
test_formats (void)
{
  static const struct { const char *path; gboolean is_valid; } cases[] = {
    { "a.svg", TRUE }, { "/x.y/a.PDF", TRUE }, { "a.b.png", TRUE }, { "a.html", TRUE },
    { "a.csv", TRUE }, { "a.json", TRUE },     { "a.npy", TRUE },   { "a.jpg", FALSE },
    { "svg", FALSE },  { "/x.svg/a", FALSE },  { "a.svg.", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_true (ui_figure_check_path (cases[i].path, &error) == cases[i].is_valid);
    if (cases[i].is_valid) {
      g_assert_no_error (error);
    } else {
      g_autofree char *start = g_strconcat (cases[i].path, " does not end in .svg, ", NULL);

      g_assert_error (error, UI_ERROR, UI_ERROR_VALUE);
      g_assert_true (g_str_has_prefix (error->message, start));
    }
  }
}

static void
test_writes (Fixture       *self,
             gconstpointer  data)
{
  static const struct { const char *name; const char *magic; gsize length; } cases[] = {
    { "figure.svg", "<?xml", 5 }, { "figure.pdf", "%PDF-", 5 }, { "figure.png", "\x89PNG\r\n", 6 },
    { "figure.html", "<!DOCTYPE", 9 }, { "numbers.csv", "layer,", 6 },
    { "numbers.json", "{\"model\":", 9 }, { "numbers.npy", "\x93NUMPY", 6 },
  };
  mode_t mask = umask (027);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = get_path (self, cases[i].name);
    g_autofree char *contents = NULL;
    g_autoptr (GError) error = NULL;
    struct stat status;
    gsize length;

    g_assert_true (ui_figure_write (self->trace, self->document, path, &error));
    g_assert_no_error (error);
    g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
    g_assert_cmpmem (contents, cases[i].length, cases[i].magic, cases[i].length);
    g_assert_cmpint (stat (path, &status), ==, 0);
    g_assert_cmpint (status.st_mode & 0777, ==, 0640);
  }
  umask (mask);
  g_assert_cmpint (temporary_count (self->folder), ==, G_N_ELEMENTS (cases));
}

static void
assert_refused (Fixture    *self,
                const char *path,
                const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = g_strdup_printf ("%s cannot be written: %s", path, reason);

  g_assert_false (ui_figure_write (self->trace, self->document, path, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_assert_cmpstr (error->message, ==, sentence);
}

static void
test_unwritable (Fixture       *self,
                 gconstpointer  data)
{
  g_autofree char *folder = get_path (self, "folder.svg");
  g_autofree char *nowhere = get_path (self, "nowhere/figure.svg");
  g_autofree char *locked = get_path (self, "locked");
  g_autofree char *inside = g_build_filename (locked, "figure.svg", NULL);

  g_mkdir (folder, 0700);
  g_mkdir (locked, 0500);
  assert_refused (self, folder, "it is a folder");
  assert_refused (self, nowhere, g_strerror (ENOENT));
  if (geteuid () != 0)
    assert_refused (self, inside, g_strerror (EACCES));
  g_assert_cmpint (temporary_count (self->folder), ==, 2);
  g_assert_cmpint (temporary_count (locked), ==, 0);
}

/* A device would be replaced by the rename. */
static void
test_device (Fixture       *self,
             gconstpointer  data)
{
  g_autofree char *link = get_path (self, "full.svg");

  g_assert_cmpint (symlink ("/dev/full", link), ==, 0);
  assert_refused (self, link, "it is no regular file");
  g_assert_true (g_file_test ("/dev/full", G_FILE_TEST_EXISTS));
}

/* The disk is full after 2000 bytes: no file is left, and an older one stays. */
static void
test_full_disk (Fixture       *self,
                gconstpointer  data)
{
  g_autofree char *fresh = get_path (self, "fresh.svg");
  g_autofree char *old = get_path (self, "old.svg");
  g_autofree char *contents = NULL;
  struct rlimit before;
  struct rlimit limit;

  g_assert_true (g_file_set_contents (old, "old", -1, NULL));
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  limit = before;
  limit.rlim_cur = 2000;
  setrlimit (RLIMIT_FSIZE, &limit);
  assert_refused (self, fresh, g_strerror (EFBIG));
  assert_refused (self, old, g_strerror (EFBIG));
  setrlimit (RLIMIT_FSIZE, &before);
  g_assert_cmpint (temporary_count (self->folder), ==, 1);
  g_assert_true (g_file_get_contents (old, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "old");
}

static void
test_follows_links (Fixture       *self,
                    gconstpointer  data)
{
  g_autofree char *target = get_path (self, "target.svg");
  g_autofree char *link = get_path (self, "link.svg");
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (target, "old", -1, NULL));
  g_assert_cmpint (symlink ("target.svg", link), ==, 0);
  g_assert_true (ui_figure_write (self->trace, self->document, link, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_get_contents (target, &contents, NULL, NULL));
  g_assert_true (g_str_has_prefix (contents, "<?xml"));
}

static void
test_long_name (Fixture       *self,
                gconstpointer  data)
{
  g_autofree char *stem = g_strnfill (251, 'a');
  g_autofree char *name = g_strconcat (stem, ".svg", NULL);
  g_autofree char *path = get_path (self, name);
  g_autoptr (GError) error = NULL;

  ui_figure_write (self->trace, self->document, path, &error);
  g_assert_no_error (error);
}

static guint32
read_uint32 (const guint8 *data)
{
  return (guint32) data[0] << 24 | (guint32) data[1] << 16 | (guint32) data[2] << 8 | data[3];
}

/* 16 cm at 96 pixels an inch, twice; the file says how large a pixel is, and a strict reader
 * takes it. */
static void
test_png (Fixture       *self,
          gconstpointer  data)
{
  g_autofree char *path = get_path (self, "figure.png");
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  const guint8 *bytes;
  cairo_surface_t *picture;

  g_assert_true (ui_figure_write (self->trace, self->document, path, &error));
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  bytes = (const guint8 *) contents;
  g_assert_cmpuint (read_uint32 (bytes + 16), ==, 1210);
  g_assert_cmpmem (bytes + 37, 4, "pHYs", 4);
  g_assert_cmpuint (read_uint32 (bytes + 41), ==, 7559); /* 192 / 0.0254 */
  g_assert_cmpuint (read_uint32 (bytes + 45), ==, 7559);
  g_assert_cmpuint (bytes[49], ==, 1);
  g_assert_cmphex (read_uint32 (bytes + 50), ==, 0x8fe5f165); /* by zlib */
  picture = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_surface_status (picture), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (picture), ==, 1210);
  cairo_surface_destroy (picture);
}

static void
assert_white (const guint8 *row,
              int           x)
{
  g_assert_cmphex (((const guint32 *) row)[x] & 0xffffff, ==, 0xffffff);
}

/* The last pixels of each row and the last row reach over the drawing; they are ground, not half
 * transparent. */
static void
test_png_edges (Fixture       *self,
                gconstpointer  data)
{
  g_autofree char *path = get_path (self, "figure.png");
  cairo_surface_t *picture;
  const guint8 *pixels;
  int width, height, stride;

  self->document->width_cm = 9.13;
  g_assert_true (ui_figure_write (self->trace, self->document, path, NULL));
  picture = cairo_image_surface_create_from_png (path);
  pixels = cairo_image_surface_get_data (picture);
  width = cairo_image_surface_get_width (picture);
  height = cairo_image_surface_get_height (picture);
  stride = cairo_image_surface_get_stride (picture);
  for (int y = 0; y < height; y++)
    assert_white (pixels + y * stride, width - 1);
  for (int x = 0; x < width; x++)
    assert_white (pixels + (height - 1) * stride, x);
  cairo_surface_destroy (picture);
}

static void
test_too_large (Fixture       *self,
                gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  self->document->width_cm = 200;
  self->document->png_scale = 16;
  g_assert_null (ui_figure_to_bytes (self->trace, self->document, UI_FIGURE_PNG, &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
  g_assert_nonnull (strstr (error->message, "pixels"));
}

static void
test_wrong_document (Fixture       *self,
                     gconstpointer  data)
{
  g_autofree char *path = get_path (self, "figure.svg");
  g_autoptr (GError) error = NULL;

  self->document->layer = 7;
  g_assert_false (ui_figure_write (self->trace, self->document, path, &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
  g_assert_cmpint (temporary_count (self->folder), ==, 0);
}

/* Text of font_pt on width_cm of paper, unless it does not fit. */
static void
test_sizes (Fixture       *self,
            gconstpointer  data)
{
  static const struct { double width_cm; double font_pt; gboolean fits; } cases[] = {
    { 16, 9, TRUE }, { 30, 12, TRUE }, { 60, 8, TRUE }, { 4, 12, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) scene = NULL;
    double points = cases[i].width_cm / 2.54 * 72;
    double width;

    self->document->width_cm = cases[i].width_cm;
    self->document->font_pt = cases[i].font_pt;
    scene = ui_figure_scene_new (self->trace, self->document, &error);
    g_assert_no_error (error);
    ui_scene_get_size (scene, &width, NULL);
    if (cases[i].fits)
      g_assert_cmpfloat_with_epsilon (15 * points / width, cases[i].font_pt, 1e-6);
    else
      g_assert_cmpfloat (15 * points / width, <, cases[i].font_pt);
  }
}

static void
test_caption (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (UiScene) with = ui_figure_scene_new (self->trace, self->document, NULL);
  g_autoptr (UiScene) without = NULL;
  double tall, low;

  self->document->no_caption = TRUE;
  without = ui_figure_scene_new (self->trace, self->document, NULL);
  ui_scene_get_size (with, NULL, &tall);
  ui_scene_get_size (without, NULL, &low);
  g_assert_cmpfloat (tall, >, low + 20);
}

/* 128 tokens, 12 heads: small enough to be mailed, whatever the heads do. */
static void
test_long (Fixture       *self,
           gconstpointer  data)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (128, 12);

  for (UiFigureFormat format = UI_FIGURE_SVG; format <= UI_FIGURE_PDF; format++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = ui_figure_to_bytes (trace, self->document, format, &error);

    g_assert_no_error (error);
    g_test_message ("format %d: %" G_GSIZE_FORMAT " bytes", format, g_bytes_get_size (bytes));
    g_assert_cmpuint (g_bytes_get_size (bytes), <, 3000000);
  }
}

static UiScene *
new_scene (Fixture    *self,
           UiViewKind  view,
           double      width_cm,
           double      font_pt)
{
  g_autoptr (GError) error = NULL;
  UiScene *scene;

  self->document->view = view;
  self->document->width_cm = width_cm;
  self->document->font_pt = font_pt;
  scene = ui_figure_scene_new (self->trace, self->document, &error);
  g_assert_no_error (error);
  return scene;
}

/* The size that the first token has in the file. */
static double
measure_token (const UiScene *scene)
{
  g_autoptr (GBytes) bytes = ui_figure_scene_to_bytes (scene, UI_FIGURE_SVG, NULL);
  g_autofree char *svg = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  const char *token = strstr (svg, ">[CLS]</text>");
  const char *size = token != NULL ? g_strrstr_len (svg, token - svg, "font-size=\"") : NULL;
  double width;

  g_assert_nonnull (size);
  ui_scene_get_size (scene, &width, NULL);
  return g_ascii_strtod (size + strlen ("font-size=\""), NULL)
         * ui_scene_get_document (scene)->width_cm * 72 / 2.54 / width;
}

static void
test_text_points (Fixture       *self,
                  gconstpointer  data)
{
  static const struct { UiViewKind view; double width_cm, font_pt; gboolean is_small; } cases[] = {
    { UI_VIEW_HEAD, 20, 8, FALSE },   { UI_VIEW_HEAD, 5, 8, TRUE },
    { UI_VIEW_NEURON, 60, 6, FALSE }, { UI_VIEW_NEURON, 5, 6, TRUE },
    { UI_VIEW_MATRIX, 20, 8, FALSE }, { UI_VIEW_MATRIX, 4, 12, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = new_scene (self, cases[i].view, cases[i].width_cm,
                                           cases[i].font_pt);
    double points = ui_figure_get_text_points (scene);

    g_assert_cmpfloat_with_epsilon (points, measure_token (scene), 0.01);
    g_assert_true (ui_figure_has_small_text (scene) == cases[i].is_small);
  }
}

/* Rows of a long text are low, and its tokens smaller: that counts as well. */
static void
test_text_of_long (Fixture       *self,
                   gconstpointer  data)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (128, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new (trace, self->document, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (ui_figure_get_text_points (scene), 9 * 14.4 / 15, 0.01);
  g_assert_false (ui_figure_has_small_text (scene));
}

/* What follows the words, with a point in every locale. */
static double
read_number (const char *sentence,
             const char *words)
{
  const char *found = strstr (sentence, words);

  g_assert_nonnull (found);
  return g_ascii_strtod (found + strlen (words), NULL);
}

/* The sentence names a width at which nothing is left to say, and the size that text has there. */
static void
test_small_text (Fixture       *self,
                 gconstpointer  data)
{
  static const UiViewKind views[] = { UI_VIEW_HEAD, UI_VIEW_NEURON, UI_VIEW_MATRIX };

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autoptr (UiScene) small = new_scene (self, views[i], 4, 12);
    g_autofree char *sentence = ui_figure_describe_small_text (small, self->document);
    g_autofree char *nothing = NULL;
    g_autoptr (UiScene) wider = NULL;
    double real, width, there;

    real = read_number (sentence, "text is ");
    width = read_number (sentence, " pt, not 12.0 pt, to fit a width of 4.0 cm; in ");
    there = read_number (sentence, " cm it is ");
    g_assert_cmpfloat_with_epsilon (real, ui_figure_get_text_points (small), 0.051);

    wider = new_scene (self, views[i], width, 12);
    g_assert_cmpfloat_with_epsilon (ui_figure_get_text_points (wider), there, 0.051);
    nothing = ui_figure_describe_small_text (wider, self->document);
    g_assert_null (nothing);
  }
}

/* No width that can be asked for gives this text: only its size is said. */
static void
test_too_large_text (Fixture       *self,
                     gconstpointer  data)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (512, 1);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *sentence = NULL;

  self->document->view = UI_VIEW_MATRIX;
  self->document->font_pt = 72;
  scene = ui_figure_scene_new (trace, self->document, NULL);
  sentence = ui_figure_describe_small_text (scene, self->document);
  g_assert_true (g_str_has_suffix (sentence, "not 72.0 pt, to fit a width of 16.0 cm"));
}

/* Panels under each other have room for the text long before they have it beside each other. */
static void
test_small_text_of_panels (Fixture       *self,
                           gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *sentence = NULL;
  double width;

  self->document->view = UI_VIEW_HEAD;
  self->document->compare = UI_COMPARE_SIDES;
  self->document->width_cm = 8.5;
  scene = ui_figure_scene_new_for_sides (self->trace, self->trace, self->document, &error);
  g_assert_no_error (error);
  sentence = ui_figure_describe_small_text (scene, self->document);
  width = read_number (sentence, " pt, not 9.0 pt, to fit a width of 8.5 cm; in ");
  g_assert_cmpfloat (width, <, 12);
  g_assert_cmpfloat (read_number (sentence, " cm it is "), ==, 9);
}

/* Panels have the size of the smallest one. */
static void
test_text_of_panels (Fixture       *self,
                     gconstpointer  data)
{
  g_autoptr (EngTrace) longer = scene_trace_new_long (64, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) sides = NULL;

  self->document->view = UI_VIEW_MATRIX;
  self->document->compare = UI_COMPARE_SIDES;
  sides = ui_figure_scene_new_for_sides (self->trace, longer, self->document, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (ui_figure_get_text_points (sides), <, measure_token (sides) - 1);
}

#define ADD(name, function) \
  g_test_add ("/scene/export/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/export/formats", test_formats);
  ADD ("writes", test_writes);
  ADD ("unwritable", test_unwritable);
  ADD ("device", test_device);
  ADD ("full-disk", test_full_disk);
  ADD ("follows-links", test_follows_links);
  ADD ("long-name", test_long_name);
  ADD ("png", test_png);
  ADD ("png-edges", test_png_edges);
  ADD ("too-large", test_too_large);
  ADD ("wrong-document", test_wrong_document);
  ADD ("sizes", test_sizes);
  ADD ("caption", test_caption);
  ADD ("long", test_long);
  ADD ("text-points", test_text_points);
  ADD ("text-of-long", test_text_of_long);
  ADD ("small-text", test_small_text);
  ADD ("too-large-text", test_too_large_text);
  ADD ("small-text-of-panels", test_small_text_of_panels);
  ADD ("text-of-panels", test_text_of_panels);
  return g_test_run ();
}
