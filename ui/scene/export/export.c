/* SPDX-License-Identifier: MIT */
#include "ui/scene/export/export.h"

#include <math.h>
#include <string.h>

#include "engine/base/file-writer.h"
#include "ui/document/figure-session.h"
#include "ui/document/session.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/scene/export/html.h"
#include "ui/scene/export/numbers.h"
#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/pdf-sink.h"
#include "ui/scene/sinks/svg-sink.h"
#include "ui/scene/views/comparison.h"

#define POINTS_PER_CM    (72 / 2.54)
#define METRES_PER_POINT (0.0254 / 72)
#define TOKEN_UNITS      15.0 /* of token text at a text_scale of 1 */
#define PIXELS_PER_POINT (96.0 / 72)
#define LARGEST_SIDE     32767     /* of a cairo image */
#define MOST_PIXELS      (1 << 28) /* 1 GiB of memory */

/* Signature and IHDR chunk of a PNG, behind which pHYs has its place. */
#define PNG_HEADER_SIZE  (8 + 25)

static const char *const format_names[] = { "svg", "pdf", "png", "html" };

/* Points of paper per scene unit. */
static double
get_unit (const UiScene *scene)
{
  double width;

  ui_scene_get_size (scene, &width, NULL);
  return ui_scene_get_document (scene)->width_cm * POINTS_PER_CM / width;
}

static UiRect
get_area (const UiScene *scene)
{
  UiRect area = { 0 };

  ui_scene_get_size (scene, &area.width, &area.height);
  return area;
}

static GBytes *
create_svg (const UiScene *scene,
            const char    *session)
{
  UiRect area = get_area (scene);
  g_autofree char *title = ui_scene_caption (scene);
  g_autofree char *description = ui_scene_summarise (scene);
  GString *svg = g_string_new (NULL);
  UiSink *sink = ui_svg_sink_new (svg, area.width, area.height, get_unit (scene), "", title,
                                  description);

  if (session != NULL)
    ui_svg_sink_add_metadata (sink, UI_FIGURE_SESSION_ID, session);
  ui_scene_paint (scene, sink, NULL);
  ui_svg_sink_finish (sink);
  return g_string_free_to_bytes (svg);
}

static GBytes *
create_pdf (const UiScene  *scene,
            const char     *session,
            GError        **error)
{
  UiRect area = get_area (scene);
  g_autofree char *title = ui_scene_caption (scene);
  g_autoptr (GByteArray) pdf = g_byte_array_new ();
  UiSink *sink = ui_pdf_sink_new (pdf, area.width, area.height, get_unit (scene), title);

  if (session != NULL)
    ui_pdf_sink_set_keywords (sink, session);
  ui_scene_paint (scene, sink, NULL);
  if (!ui_pdf_sink_finish (sink, error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&pdf));
}

/* How large a pixel is on paper: as many per metre, both ways. */
static void
append_phys_chunk (GByteArray *png,
                   double      pixels_per_metre)
{
  guint32 density = GUINT32_TO_BE ((guint32) lround (pixels_per_metre));
  guint8 data[9];

  memcpy (data, &density, sizeof density);
  memcpy (data + 4, &density, sizeof density);
  data[8] = 1; /* per metre */
  ui_png_append_chunk (png, "pHYs", data, sizeof data);
}

/* A figure has a ground, so that its alpha would only be a quarter more to compress. */
static cairo_status_t
write_opaque (cairo_surface_t *picture,
              GByteArray      *png)
{
  guint8 *pixels = cairo_image_surface_get_data (picture);
  int width = cairo_image_surface_get_width (picture);
  int height = cairo_image_surface_get_height (picture);
  int stride = cairo_image_surface_get_stride (picture);
  cairo_surface_t *opaque = cairo_image_surface_create_for_data (pixels, CAIRO_FORMAT_RGB24,
                                                                 width, height, stride);
  cairo_status_t status = cairo_surface_write_to_png_stream (opaque, ui_cairo_append_bytes, png);

  cairo_surface_destroy (opaque);
  return status;
}

static GBytes *
create_png (const UiScene  *scene,
            const char     *session,
            GError        **error)
{
  UiRect area = get_area (scene);
  /* Pixels per point of paper. */
  double density = PIXELS_PER_POINT * ui_scene_get_document (scene)->png_scale;
  double scale = get_unit (scene) * density;
  double width = ceil (area.width * scale);
  double height = ceil (area.height * scale);
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autoptr (GByteArray) with_chunks = g_byte_array_new ();
  cairo_surface_t *picture;
  cairo_status_t status;

  if (width > LARGEST_SIDE || height > LARGEST_SIDE || width * height > MOST_PIXELS) {
    g_set_error (error, UI_ERROR, UI_ERROR_RANGE,
                 "The picture would have %.0f × %.0f pixels, at most %d on a side and %d in all "
                 "can be written; choose a smaller scale or width",
                 width, height, LARGEST_SIDE, MOST_PIXELS);
    return NULL;
  }
  /* Whole pixels reach a little over the drawing, and are ground there. */
  area.width = width / scale;
  area.height = height / scale;
  picture = ui_scene_render (scene, &area, scale);
  status = cairo_surface_status (picture);
  if (status == CAIRO_STATUS_SUCCESS)
    status = write_opaque (picture, png);
  cairo_surface_destroy (picture);
  if (status != CAIRO_STATUS_SUCCESS || png->len < PNG_HEADER_SIZE) {
    g_set_error (error, UI_ERROR, UI_ERROR_WRITE, "The PNG cannot be made: %s",
                 cairo_status_to_string (status));
    return NULL;
  }
  g_byte_array_append (with_chunks, png->data, PNG_HEADER_SIZE);
  append_phys_chunk (with_chunks, density / METRES_PER_POINT);
  if (session != NULL)
    ui_png_append_session (with_chunks, session);
  g_byte_array_append (with_chunks, png->data + PNG_HEADER_SIZE, png->len - PNG_HEADER_SIZE);
  return g_byte_array_free_to_bytes (g_steal_pointer (&with_chunks));
}

/* session: what the file carries; NULL = nothing. */
static GBytes *
create_figure (const UiScene   *scene,
               UiFigureFormat   format,
               const char      *session,
               GError         **error)
{
  switch (format) {
  case UI_FIGURE_SVG:
    return create_svg (scene, session);
  case UI_FIGURE_PDF:
    return create_pdf (scene, session, error);
  case UI_FIGURE_HTML:
    return ui_html_new (scene, get_unit (scene), session);
  case UI_FIGURE_PNG:
  default:
    return create_png (scene, session, error);
  }
}

const char *
ui_figure_format_get_name (UiFigureFormat format)
{
  return format_names[format];
}

gboolean
ui_figure_format_from_name (const char      *name,
                            UiFigureFormat  *format,
                            GError         **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (format_names); i++)
    if (g_ascii_strcasecmp (name, format_names[i]) == 0) {
      *format = (UiFigureFormat) i;
      return TRUE;
    }
  g_set_error (error, UI_ERROR, UI_ERROR_VALUE,
               "The format is \"%s\", expected one of svg, pdf, png, html", name);
  return FALSE;
}

static gboolean
find_format (const char     *path,
             UiFigureFormat *format)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *dot = strrchr (name, '.');

  return dot != NULL && ui_figure_format_from_name (dot + 1, format, NULL);
}

gboolean
ui_figure_check_path (const char  *path,
                      GError     **error)
{
  UiFigureFormat format;
  UiNumbersFormat numbers;

  if (find_format (path, &format) || ui_numbers_format_from_path (path, &numbers))
    return TRUE;
  g_set_error (error, UI_ERROR, UI_ERROR_VALUE,
               "%s does not end in .svg, .pdf, .png or .html, nor, for numbers, in .csv, .json or"
               " .npy", path);
  return FALSE;
}

static UiSceneOptions
get_options (const UiDocument *document)
{
  return (UiSceneOptions) {
    .theme = document->theme,
    .width = document->width_cm * POINTS_PER_CM / (document->font_pt / TOKEN_UNITS),
    .text_scale = 1,
    .caption = !document->no_caption,
    .key = TRUE,
  };
}

UiScene *
ui_figure_scene_new (EngTrace          *trace,
                     const UiDocument  *document,
                     GError           **error)
{
  return ui_figure_scene_new_for_sides (trace, NULL, document, error);
}

UiScene *
ui_figure_scene_new_for_sides (EngTrace          *first,
                               EngTrace          *second,
                               const UiDocument  *document,
                               GError           **error)
{
  UiSceneOptions options = get_options (document);

  return ui_comparison_new (first, second, document, &options, error);
}

gboolean
ui_figure_write (EngTrace          *trace,
                 const UiDocument  *document,
                 const char        *path,
                 GError           **error)
{
  g_autoptr (UiScene) scene = NULL;

  if (!ui_figure_check_path (path, error))
    return FALSE;
  scene = ui_figure_scene_new (trace, document, error);
  return scene != NULL && ui_figure_write_scene (scene, document, path, error);
}

GBytes *
ui_figure_scene_to_file (const UiScene     *scene,
                         const UiDocument  *document,
                         const char        *path,
                         GError           **error)
{
  g_autofree char *place = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (place);
  g_autofree char *session = NULL;
  UiNumbersFormat numbers;
  UiFigureFormat format;

  if (!ui_figure_check_path (path, error))
    return NULL;
  if (ui_numbers_format_from_path (path, &numbers))
    return ui_numbers_to_bytes (scene, numbers, error);

  session = ui_session_to_text (document, NULL, NULL, folder, TRUE);
  find_format (path, &format);
  return create_figure (scene, format, session, error);
}

gboolean
ui_figure_write_scene (const UiScene    *scene,
                       const UiDocument *document,
                       const char       *path,
                       GError          **error)
{
  g_autoptr (GBytes) bytes = ui_figure_scene_to_file (scene, document, path, error);

  return bytes != NULL && eng_file_write (path, g_bytes_get_data (bytes, NULL),
                                          g_bytes_get_size (bytes), error);
}

GBytes *
ui_figure_to_bytes (EngTrace          *trace,
                    const UiDocument  *document,
                    UiFigureFormat     format,
                    GError           **error)
{
  g_autoptr (UiScene) scene = ui_figure_scene_new (trace, document, error);

  return scene != NULL ? ui_figure_scene_to_bytes (scene, format, error) : NULL;
}

GBytes *
ui_figure_scene_to_bytes (const UiScene   *scene,
                          UiFigureFormat   format,
                          GError         **error)
{
  return create_figure (scene, format, NULL, error);
}
