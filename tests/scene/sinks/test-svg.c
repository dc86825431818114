/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/svg-sink.h"

#include <locale.h>
#include <string.h>

#include "tests/support/scene-trace.h"
#include "ui/scene/export/export.h"
#include "ui/scene/sinks/link-haze.h"
#include "ui/scene/sinks/text.h"

static const char *const words_a[] = { "time", "flies", "like", "an", "arrow", NULL };
static const char *const words_b[] = {
  "a<b&\"c\"", "日本", "שלום", "🙂", "e\xcc\x81", "x\x01y", NULL
};

/* What a reader of the file sees: elements with their attributes, and the text inside of <text>. */
typedef struct {
  GHashTable *counts;    /* element → number */
  GPtrArray  *texts;
  GPtrArray  *addresses; /* of every href and url() */
  GString    *text;
  char       *root;      /* attributes of <svg> */
} Document;

static void
start_element (GMarkupParseContext  *context,
               const char           *name,
               const char          **attributes,
               const char          **values,
               gpointer              data,
               GError              **error)
{
  Document *self = data;
  int count = GPOINTER_TO_INT (g_hash_table_lookup (self->counts, name));

  g_hash_table_insert (self->counts, g_strdup (name), GINT_TO_POINTER (count + 1));
  if (strcmp (name, "svg") == 0) {
    GString *root = g_string_new (NULL);

    for (int i = 0; attributes[i] != NULL; i++)
      g_string_append_printf (root, " %s=%s", attributes[i], values[i]);
    self->root = g_string_free (root, FALSE);
  }
  for (int i = 0; attributes[i] != NULL; i++) {
    if (strcmp (attributes[i], "href") == 0 || strstr (values[i], "url(") != NULL)
      g_ptr_array_add (self->addresses, g_strdup (values[i]));
    if (strcmp (name, "text") == 0 && strcmp (attributes[i], "textLength") == 0)
      g_assert_cmpfloat (g_ascii_strtod (values[i], NULL), >, 0);
  }
  if (strcmp (name, "text") == 0)
    g_string_truncate (self->text, 0);
}

static void
end_element (GMarkupParseContext  *context,
             const char           *name,
             gpointer              data,
             GError              **error)
{
  Document *self = data;

  if (strcmp (name, "text") == 0)
    g_ptr_array_add (self->texts, g_strdup (self->text->str));
}

static void
add_text (GMarkupParseContext  *context,
          const char           *text,
          gsize                 length,
          gpointer              data,
          GError              **error)
{
  g_string_append_len (((Document *) data)->text, text, (gssize) length);
}

/* The parser refuses what is not well formed: unbalanced groups, bare & and <, bytes that are no
 * UTF-8. */
static Document *
read_svg (const char *svg,
          gsize       length)
{
  static const GMarkupParser parser = {
    .start_element = start_element, .end_element = end_element, .text = add_text
  };
  Document *self = g_new0 (Document, 1);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, self, NULL);
  g_autoptr (GError) error = NULL;

  self->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->addresses = g_ptr_array_new_with_free_func (g_free);
  self->text = g_string_new (NULL);
  g_markup_parse_context_parse (context, svg, (gssize) length, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  return self;
}

static void
document_free (Document *self)
{
  g_hash_table_unref (self->counts);
  g_ptr_array_unref (self->texts);
  g_ptr_array_unref (self->addresses);
  g_string_free (self->text, TRUE);
  g_free (self->root);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Document, document_free)

static int
count_elements (const Document *self,
                const char     *name)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->counts, name));
}

static int
count_texts (const Document *self,
             const char     *text)
{
  int n = 0;

  for (guint i = 0; i < self->texts->len; i++)
    n += strcmp (g_ptr_array_index (self->texts, i), text) == 0;
  return n;
}

static GBytes *
export_svg (EngTrace   *trace,
            UiDocument *document)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = ui_figure_to_bytes (trace, document, UI_FIGURE_SVG, &error);

  g_assert_no_error (error);
  return bytes;
}

/* Text is text, on both sides, as it is drawn; what XML cannot hold does not get into the file. */
static void
test_texts (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GBytes) bytes = export_svg (trace, document);
  gsize length;
  const char *svg = g_bytes_get_data (bytes, &length);
  g_autoptr (Document) read = read_svg (svg, length);

  for (int i = 0; words_a[i] != NULL; i++)
    g_assert_cmpint (count_texts (read, words_a[i]), ==, 2);
  for (int i = 0; words_b[i] != NULL; i++) {
    g_autofree char *visible = ui_text_make_visible (words_b[i]);

    g_assert_cmpint (count_texts (read, visible), ==, 2);
  }
  g_assert_cmpint (count_texts (read, "[CLS]"), ==, 2);
  g_assert_cmpint (count_elements (read, "title"), ==, 1);
  g_assert_cmpint (count_elements (read, "desc"), ==, 1);
  g_assert_nonnull (strstr (svg, "direction=\"rtl\""));
  g_assert_null (memchr (svg, 1, length));
}

/* 16 cm by default, whatever the drawing's own units are; numbers have a point in every locale. */
static void
test_size (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (Document) read = NULL;
  gsize length;
  const char *svg;

  document->width_cm = 8.7;
  bytes = export_svg (trace, document);
  svg = g_bytes_get_data (bytes, &length);
  read = read_svg (svg, length);
  g_assert_nonnull (strstr (read->root, " width=8.7cm"));
  g_assert_nonnull (strstr (read->root, " viewBox=0 0 "));
  for (const char *p = svg; (p = strchr (p, ',')) != NULL; p++)
    g_assert_false (g_ascii_isdigit (p[-1]) && g_ascii_isdigit (p[1]));
}

static void
count_link (const UiLink *link,
            gpointer      data)
{
  (*(int *) data)++;
}

static void
foreach_of_three (const UiLinkField *field,
                  const UiRect      *clip,
                  UiLinkFunc         func,
                  gpointer           data)
{
  static const UiColor color = { 10, 20, 30, 0 };

  for (int i = 0; i < 3; i++) {
    UiLink link = { 0, i, 100, 90 - i, 1.5 + i % 2, color, 4 };

    link.color.a = (guint8) (i == 1 ? 51 : 102);
    func (&link, data);
  }
}

/* Links of one look share a group, at once the widest saving and the thing that must not lose
 * one. */
static void
test_links (void)
{
  UiLinkField field = { foreach_of_three, { 0, 0, 100, 100 } };
  g_autoptr (GString) svg = g_string_new (NULL);
  UiSink *sink = ui_svg_sink_new (svg, 100, 100, 0.5, "", "title", "description");
  g_autoptr (Document) read = NULL;
  const char *first;

  sink->klass->links (sink, &field);
  ui_svg_sink_finish (sink);
  read = read_svg (svg->str, svg->len);
  g_assert_cmpint (count_elements (read, "path"), ==, 3);
  g_assert_cmpint (count_elements (read, "g"), ==, 3);
  first = strstr (svg->str, "stroke-opacity=\".200\" stroke-width=\"2.5\"");
  g_assert_nonnull (first);
  g_assert_nonnull (strstr (first, "stroke-opacity=\".400\" stroke-width=\"1.5\""));
  g_assert_nonnull (strstr (svg->str, "<path d=\"M0 1c38 0 62 88 100 88\"/>"));
}

/* Nothing but the file itself and what is embedded in it. */
static void
test_self_contained (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (128, 12);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GBytes) bytes = export_svg (trace, document);
  gsize length;
  const char *svg = g_bytes_get_data (bytes, &length);
  g_autoptr (Document) read = read_svg (svg, length);

  for (guint i = 0; i < read->addresses->len; i++) {
    const char *address = g_ptr_array_index (read->addresses, i);

    g_assert_true (g_str_has_prefix (address, "data:image/png;base64,")
                   || g_str_has_prefix (address, "url(#clip-"));
  }
  g_assert_cmpint (count_elements (read, "style"), ==, 0);
  g_assert_cmpint (count_elements (read, "script"), ==, 0);
}

/* 200 × 200 links of three strengths. */
static void
foreach_dense (const UiLinkField *field,
               const UiRect      *clip,
               UiLinkFunc         func,
               gpointer           data)
{
  for (int i = 0; i < 200; i++) {
    for (int j = 0; j < 200; j++) {
      guint8 alpha = (i * 200 + j) % 10 == 0 ? 60 : (i + j) % 2 ? 2 : 3;
      UiLink link = { 10, 10 + i, 110, 10 + j, 1.2, { 40, 60, 200, alpha }, 0 };

      func (&link, data);
    }
  }
}

/* Beyond the most curves the faint ones become a picture; the strong ones stay, and no more of
 * them. */
static void
test_haze (void)
{
  UiLinkField field = { foreach_dense, { 10, 9, 100, 202 } };
  UiLinkHaze haze;
  int n_strong = 0;
  int n_all = 0;
  g_autoptr (GString) svg = g_string_new (NULL);
  UiSink *sink = ui_svg_sink_new (svg, 120, 220, 1, "", "title", "description");
  g_autoptr (Document) read = NULL;
  double x_scale, y_scale;

  foreach_dense (&field, &field.bounds, count_link, &n_all);
  ui_link_haze_init (&haze, &field);
  haze.field.foreach (&haze.field, &field.bounds, count_link, &n_strong);
  g_assert_cmpint (n_all, ==, 40000);
  g_assert_cmpint (n_strong, ==, 4000);
  g_assert_cmpint (haze.least, ==, 4);
  g_assert_nonnull (haze.picture);
  cairo_surface_get_device_scale (haze.picture, &x_scale, &y_scale);
  g_assert_cmpint (cairo_image_surface_get_height (haze.picture), >=, 202);
  g_assert_cmpint (cairo_image_surface_get_width (haze.picture), >=, 50);
  /* It ends where the links do. */
  g_assert_cmpfloat_with_epsilon (cairo_image_surface_get_width (haze.picture) / x_scale, 100,
                                  1e-9);
  ui_link_haze_clear (&haze);

  sink->klass->links (sink, &field);
  ui_svg_sink_finish (sink);
  read = read_svg (svg->str, svg->len);
  g_assert_cmpint (count_elements (read, "image"), ==, 1);
  g_assert_cmpint (count_elements (read, "path"), ==, 4000);
}

static void
foreach_few (const UiLinkField *field,
             const UiRect      *clip,
             UiLinkFunc         func,
             gpointer           data)
{
  for (int i = 0; i < UI_MOST_CURVES; i++) {
    UiLink link = { 0, i, 100, i, 1, { 0, 0, 0, 1 }, 0 };

    func (&link, data);
  }
}

static void
test_no_haze (void)
{
  UiLinkField field = { foreach_few, { 0, 0, 100, UI_MOST_CURVES } };
  UiLinkHaze haze;
  int n = 0;

  ui_link_haze_init (&haze, &field);
  haze.field.foreach (&haze.field, &field.bounds, count_link, &n);
  g_assert_cmpint (n, ==, UI_MOST_CURVES);
  g_assert_null (haze.picture);
  ui_link_haze_clear (&haze);
}

/* A text that does not fit is cut in its middle, between whole characters, and then fits. */
static void
test_ellipsis (void)
{
  static const struct { const char *text; double max_width; } cases[] = {
    { "internationalisation", 60 }, { "日本語日本語日本語日本語", 60 }, { "éééééé", 35 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) svg = g_string_new (NULL);
    UiSink *sink = ui_svg_sink_new (svg, 200, 20, 1, "", "title", "description");
    UiTextStyle style = { .size = 15, .max_width = cases[i].max_width };
    UiTextStyle free_style = { .size = 15 };
    g_autoptr (Document) read = NULL;
    const char *shown;
    const char *dots;

    sink->klass->text (sink, 0, 15, cases[i].text, &style, (UiColor) { 0, 0, 0, 255 });
    ui_svg_sink_finish (sink);
    read = read_svg (svg->str, svg->len);
    shown = g_ptr_array_index (read->texts, 0);
    dots = strstr (shown, "…");
    g_assert_nonnull (dots);
    g_assert_cmpfloat (ui_text_measure (shown, &free_style), <=, style.max_width);
    g_assert_true (strncmp (shown, cases[i].text, (gsize) (dots - shown)) == 0);
    g_assert_true (g_str_has_suffix (cases[i].text, dots + strlen ("…")));
    g_assert_false (g_unichar_ismark (g_utf8_get_char (dots + strlen ("…"))));
  }
}

/* The other operations, as written. */
static void
test_operations (void)
{
  static const UiColor red = { 255, 0, 0, 255 };
  static const UiColor half = { 0, 128, 255, 128 };
  static const UiRect rects[] = { { 1, 2, 3, 4 }, { 5.25, 6, 7, 8.5 } };
  static const guint8 pixels[8] = { 0, 0, 255, 255, 255, 0, 0, 255 };
  static const char *const expected[] = {
    "<title id=\"title\">a &lt; b</title>",
    "<g id=\"tokens-that-read\">\n<g id=\"tokens-that-read-2\">",
    "<clipPath id=\"clip-0\"><rect x=\"1\" y=\"2\" width=\"3\" height=\"4\"/></clipPath>",
    "<rect x=\"5.25\" y=\"6\" width=\"7\" height=\"8.5\" rx=\"3.5\""
    " fill=\"#0080ff\" fill-opacity=\".502\"/>",
    "<path fill=\"#ff0000\" d=\"M1 2h3v4h-3zM5.25 6h7v8.5h-7z\"/>",
    "<line x1=\"0\" y1=\"0\" x2=\"1234.57\" y2=\"-8.01\"",
  };
  g_autoptr (GString) svg = g_string_new (NULL);
  UiSink *sink = ui_svg_sink_new (svg, 10, 20, 72 / 2.54, "", "a < b", "“quoted” & more");
  g_autoptr (Document) read = NULL;

  sink->klass->push_group (sink, "tokens that read");
  sink->klass->push_group (sink, "tokens that read");
  sink->klass->push_clip (sink, &rects[0]);
  sink->klass->fill (sink, &rects[1], 20, half);
  sink->klass->pop_clip (sink);
  sink->klass->pop_group (sink);
  sink->klass->pop_group (sink);
  sink->klass->fill_many (sink, rects, 2, red);
  sink->klass->fill_many (sink, NULL, 0, red);
  sink->klass->frame (sink, &rects[0], 0, 1.5, red);
  sink->klass->line (sink, -0.004, 1e-9, 1234.567, -8.005, 0.5, half);
  sink->klass->hatch (sink, &rects[1], red);
  sink->klass->image (sink, &rects[0], pixels, 2, 1, 8);
  ui_svg_sink_finish (sink);
  read = read_svg (svg->str, svg->len);

  g_assert_nonnull (strstr (read->root, " width=10cm height=20cm viewBox=0 0 10 20"));
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_nonnull (strstr (svg->str, expected[i]));
  /* Rectangles, hatching, cells of two colours. */
  g_assert_cmpint (count_elements (read, "path"), ==, 4);
  g_assert_cmpint (count_elements (read, "image"), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/svg/texts", test_texts);
  g_test_add_func ("/scene/svg/size", test_size);
  g_test_add_func ("/scene/svg/links", test_links);
  g_test_add_func ("/scene/svg/self-contained", test_self_contained);
  g_test_add_func ("/scene/svg/haze", test_haze);
  g_test_add_func ("/scene/svg/no-haze", test_no_haze);
  g_test_add_func ("/scene/svg/ellipsis", test_ellipsis);
  g_test_add_func ("/scene/svg/operations", test_operations);
  return g_test_run ();
}
