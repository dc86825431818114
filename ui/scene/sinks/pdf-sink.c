/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/pdf-sink.h"

#include <cairo-pdf.h>

#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/cells.h"
#include "ui/scene/sinks/link-groups.h"
#include "ui/scene/sinks/link-haze.h"

/* cairo finds the extents of each stroke by flattening its curve, which takes longer than
 * writing it. The curve that it writes does not depend on the tolerance, so the flattening may
 * be coarse: by this part of the stroke's width. With twice the width a stroke would have no
 * extents and be left out. */
#define COARSENESS 0.9

#define OVERLAP 0.5 /* of cells */

typedef struct {
  UiCairoSink      parent;
  cairo_surface_t *surface;
  double           unit;
} UiPdfSink;

static void
stroke_chain (const UiLink *links,
              int           n,
              gpointer      data)
{
  UiPdfSink *self = data;

  cairo_set_tolerance (self->parent.cr, COARSENESS * links[0].width * self->unit);
  ui_cairo_sink_curves (data, links, n);
}

/* cairo takes longer about a stroke than about its curves. */
static void
stroke_group (const UiLink *links,
              int           n,
              gpointer      data)
{
  ui_link_chains_foreach (links, n, stroke_chain, data);
}

static void
pdf_links (UiSink            *sink,
           const UiLinkField *field)
{
  cairo_t *cr = ((UiCairoSink *) sink)->cr;
  double tolerance = cairo_get_tolerance (cr);
  UiLinkHaze haze;

  ui_link_haze_init (&haze, field);
  if (haze.picture != NULL) {
    cairo_set_source_surface (cr, haze.picture, field->bounds.x, field->bounds.y);
    cairo_paint (cr);
  }
  ui_link_groups_foreach (&haze.field, stroke_group, sink);
  cairo_set_tolerance (cr, tolerance);
  ui_link_haze_clear (&haze);
}

/* Each run reaches a little under the next ones, which are painted over it: viewers leave a gap
 * between edges that only touch. */
static void
fill_runs (cairo_t      *cr,
           const UiRect *rect,
           int           width,
           int           height,
           const GArray *runs)
{
  cairo_save (cr);
  cairo_translate (cr, rect->x, rect->y);
  cairo_scale (cr, rect->width / width, rect->height / height);
  for (guint i = 0; i < runs->len; i++) {
    const UiCellRun *run = &g_array_index (runs, UiCellRun, i);
    double right = MIN (run->x + run->length + OVERLAP, width);
    double bottom = MIN (run->y + 1 + OVERLAP, height);

    cairo_rectangle (cr, run->x, run->y, right - run->x, bottom - run->y);
    cairo_set_source_rgb (cr, (run->argb >> 16 & 0xff) / 255.0, (run->argb >> 8 & 0xff) / 255.0,
                          (run->argb & 0xff) / 255.0);
    cairo_fill (cr);
  }
  cairo_restore (cr);
}

static void
pdf_image (UiSink       *sink,
           const UiRect *rect,
           const guint8 *argb,
           int           width,
           int           height,
           int           stride)
{
  g_autoptr (GArray) runs = ui_cells_find_runs (argb, width, height, stride);

  if (runs != NULL) {
    fill_runs (((UiCairoSink *) sink)->cr, rect, width, height, runs);
  } else {
    int factor = ui_cells_find_factor (rect, width, height);
    g_autofree guint8 *pixels = ui_cells_enlarge (argb, width, height, stride, factor);

    ui_cairo_sink_image (sink, rect, pixels, width * factor, height * factor, width * factor * 4);
  }
}

UiSink *
ui_pdf_sink_new_on (cairo_t *cr,
                    double   unit)
{
  static const UiSinkClass klass = {
    .fill = ui_cairo_sink_fill,
    .fill_many = ui_cairo_sink_fill_many,
    .frame = ui_cairo_sink_frame,
    .line = ui_cairo_sink_line,
    .curve = ui_cairo_sink_curve,
    .links = pdf_links,
    .hatch = ui_cairo_sink_hatch,
    .text = ui_cairo_sink_text,
    .image = pdf_image,
    .push_clip = ui_cairo_sink_push_clip,
    .pop_clip = ui_cairo_sink_pop_clip,
    .push_group = ui_cairo_sink_push_group,
    .pop_group = ui_cairo_sink_pop_group,
  };
  UiPdfSink *self = g_new0 (UiPdfSink, 1);

  self->parent.parent.klass = &klass;
  self->parent.cr = cairo_reference (cr);
  self->unit = unit;
  return &self->parent.parent;
}

void
ui_pdf_sink_free (UiSink *sink)
{
  cairo_destroy (((UiPdfSink *) sink)->parent.cr);
  g_free (sink);
}

cairo_surface_t *
ui_pdf_surface_new (GByteArray *pdf,
                    double      width,
                    double      height,
                    const char *title)
{
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (ui_cairo_append_bytes, pdf, width,
                                                                  height);

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Headlight");
  /* cairo would write the time of day: the same document gives the same bytes. */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return surface;
}

UiSink *
ui_pdf_sink_new (GByteArray *pdf,
                 double      width,
                 double      height,
                 double      unit,
                 const char *title)
{
  cairo_surface_t *surface = ui_pdf_surface_new (pdf, width * unit, height * unit, title);
  cairo_t *cr = cairo_create (surface);
  UiSink *sink = ui_pdf_sink_new_on (cr, unit);

  ((UiPdfSink *) sink)->surface = surface;
  cairo_scale (cr, unit, unit);
  cairo_destroy (cr);
  return sink;
}

void
ui_pdf_sink_set_keywords (UiSink     *sink,
                          const char *keywords)
{
  cairo_pdf_surface_set_metadata (((UiPdfSink *) sink)->surface, CAIRO_PDF_METADATA_KEYWORDS,
                                  keywords);
}

gboolean
ui_pdf_sink_finish (UiSink  *sink,
                    GError **error)
{
  UiPdfSink *self = (UiPdfSink *) sink;
  cairo_surface_t *surface = self->surface;
  cairo_status_t status;

  cairo_show_page (self->parent.cr);
  /* What comes now is no page, but among others the keywords, and with them the session: later
   * versions may pack them, where nobody finds them who does not unpack. The page before has what
   * version 1.4 lacks: its text is read as it was written, ligatures and all. */
  cairo_pdf_surface_restrict_to_version (surface, CAIRO_PDF_VERSION_1_4);
  status = cairo_status (self->parent.cr);
  ui_pdf_sink_free (sink);
  return ui_pdf_surface_finish (surface, status, error);
}

gboolean
ui_pdf_surface_finish (cairo_surface_t  *surface,
                       cairo_status_t    status,
                       GError          **error)
{
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    g_set_error (error, UI_ERROR, UI_ERROR_WRITE, "The PDF cannot be made: %s",
                 cairo_status_to_string (status));
  return status == CAIRO_STATUS_SUCCESS;
}
