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
#include "ui/scene/model/model-scene.h"
#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/pdf-sink.h"
#include "ui/scene/sinks/svg-sink.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/views/comparison.h"

#define POINTS_PER_CM    (72 / 2.54)
#define METRES_PER_POINT (0.0254 / 72)
#define SMALL_PART       0.92 /* of the size asked for; labels of a matrix have 14/15 of it */
#define WIDTH_STEPS      10   /* to a centimetre of the width that is told */
#define WIDTH_GROWTH     1.05 /* from one width that is tried to the next */
#define SAME_POINTS      0.01
#define PIXELS_PER_POINT (96.0 / 72)
#define LARGEST_SIDE     32767     /* of a cairo image */
#define MOST_PIXELS      (1 << 28) /* 1 GiB of memory */

/* Signature and IHDR chunk of a PNG, behind which pHYs has its place. */
#define PNG_HEADER_SIZE  (8 + 25)

static const char *const format_names[] = { "svg", "pdf", "png", "html" };

/* A sheet of several columns is wider than was asked for where text would else become smaller. */
static double
widen (const UiScene *scene,
       double         width_cm)
{
  return width_cm * MAX (ui_steps_get_breadth (scene), 1);
}

double
ui_figure_get_width_cm (const UiScene *scene)
{
  return widen (scene, ui_scene_get_document (scene)->width_cm);
}

/* Points of paper per scene unit. */
static double
get_unit (const UiScene *scene)
{
  double width;

  ui_scene_get_size (scene, &width, NULL);
  return ui_figure_get_width_cm (scene) * POINTS_PER_CM / width;
}

/* Likewise of a web page, which has the steps one by one. */
static double
get_page_unit (const UiScene *scene)
{
  double width;

  ui_scene_get_size (scene, &width, NULL);
  return ui_scene_get_document (scene)->width_cm * ui_steps_get_breadth (scene) * POINTS_PER_CM
         / width;
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
    return ui_scene_may_tell (scene, error)
           ? ui_html_new (scene, get_page_unit (scene), session) : NULL;
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
ui_figure_is_picture (const char *path)
{
  UiFigureFormat format;

  return find_format (path, &format);
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
get_options (const UiDocument *document,
             double            width_cm)
{
  return (UiSceneOptions) {
    .theme = document->theme,
    .width = width_cm * POINTS_PER_CM / (document->font_pt / UI_TOKEN_SIZE),
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
  return ui_figure_scene_new_asked (first, second, document, FALSE, error);
}

UiScene *
ui_figure_scene_new_asked (EngTrace          *first,
                           EngTrace          *second,
                           const UiDocument  *document,
                           gboolean           is_asked,
                           GError           **error)
{
  UiSceneOptions options = get_options (document, document->width_cm);

  options.holds_back = is_asked;
  return ui_comparison_new (first, second, document, &options, error);
}

static double
get_text_points (const UiScene *scene,
                 double         width_cm)
{
  double width;

  ui_scene_get_size (scene, &width, NULL);
  return ui_scene_get_text_size (scene) * widen (scene, width_cm) * POINTS_PER_CM / width;
}

double
ui_figure_get_text_points (const UiScene *scene)
{
  return get_text_points (scene, ui_scene_get_document (scene)->width_cm);
}

gboolean
ui_figure_has_small_text (const UiScene *scene)
{
  return ui_figure_get_text_points (scene)
         < SMALL_PART * ui_scene_get_document (scene)->font_pt;
}

/* The same figure, steps / WIDTH_STEPS cm wide. */
static UiScene *
create_wider (UiScene          *scene,
              const UiDocument *document,
              int               steps)
{
  UiSceneOptions options = get_options (document, (double) steps / WIDTH_STEPS);

  return ui_scene_new_resized (scene, document, &options);
}

/* least: points of text. */
static gboolean
has_large_text (UiScene          *scene,
                const UiDocument *document,
                int               steps,
                double            least)
{
  g_autoptr (UiScene) wider = create_wider (scene, document, steps);

  return get_text_points (wider, (double) steps / WIDTH_STEPS) >= least;
}

static gboolean
has_names (UiScene          *scene,
           const UiDocument *document,
           int               steps,
           double            unused)
{
  g_autoptr (UiScene) wider = create_wider (scene, document, steps);

  return !ui_model_scene_lacks_names (wider);
}

/* The least width of which that is true, on the way to the largest, of which it is. Panels that stand
 * in more columns are narrower again: so the first step that is wide enough counts, and what lies
 * before it is halved. */
static double
find_width (UiScene          *scene,
            const UiDocument *document,
            gboolean        (*is_enough) (UiScene *, const UiDocument *, int, double),
            double            least)
{
  int most = (int) ui_fields_find ("width")->max * WIDTH_STEPS;
  int low = (int) ceil (document->width_cm * WIDTH_STEPS);
  int high = low;

  do {
    low = high;
    high = MIN ((int) ceil (high * WIDTH_GROWTH), most);
  } while (high < most && !is_enough (scene, document, high, least));
  while (high - low > 1) {
    int middle = (low + high) / 2;

    if (is_enough (scene, document, middle, least))
      high = middle;
    else
      low = middle;
  }
  return (double) high / WIDTH_STEPS;
}

/* A width at which text is as large as it gets, and its size; 0 = even that is too small. */
static double
find_width_of_text (UiScene          *scene,
                    const UiDocument *document,
                    double           *points)
{
  const double most = ui_fields_find ("width")->max;
  g_autoptr (UiScene) widest = create_wider (scene, document, (int) most * WIDTH_STEPS);

  *points = get_text_points (widest, most);
  return *points < SMALL_PART * document->font_pt
         ? 0 : find_width (scene, document, has_large_text, *points - SAME_POINTS);
}

/* "8.5", with a point in every locale. */
static const char *
format_number (char   *text,
               double  value)
{
  return g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, "%.1f", value);
}

char *
ui_figure_describe_small_text (UiScene          *scene,
                               const UiDocument *document)
{
  char real[G_ASCII_DTOSTR_BUF_SIZE], wanted[G_ASCII_DTOSTR_BUF_SIZE];
  char now[G_ASCII_DTOSTR_BUF_SIZE], wide[G_ASCII_DTOSTR_BUF_SIZE];
  char there[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *size = NULL;
  double points, width;

  if (!ui_figure_has_small_text (scene))
    return NULL;
  size = g_strdup_printf ("text is %s pt, not %s pt, to fit a width of %s cm",
                          format_number (real, ui_figure_get_text_points (scene)),
                          format_number (wanted, document->font_pt),
                          format_number (now, document->width_cm));
  width = find_width_of_text (scene, document, &points);
  if (width <= 0)
    return g_steal_pointer (&size);
  return g_strdup_printf ("%s; in %s cm it is %s pt", size, format_number (wide, width),
                          format_number (there, points));
}

char *
ui_figure_describe_lost_names (UiScene          *scene,
                               const UiDocument *document)
{
  const int most = (int) ui_fields_find ("width")->max * WIDTH_STEPS;
  char now[G_ASCII_DTOSTR_BUF_SIZE], wide[G_ASCII_DTOSTR_BUF_SIZE];

  if (!ui_model_scene_lacks_names (scene))
    return NULL;
  format_number (now, document->width_cm);
  if (!has_names (scene, document, most, 0))
    return g_strdup_printf ("names below the maps have no room in a width of %s cm", now);
  return g_strdup_printf ("names below the maps have no room in a width of %s cm; in %s cm they are "
                          "there", now,
                          format_number (wide, find_width (scene, document, has_names, 0)));
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
