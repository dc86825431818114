/* SPDX-License-Identifier: MIT */
#include "ui/scene/pdf-sink.h"

#include <cairo-pdf.h>

#include "ui/scene/cairo-sink.h"

typedef struct {
  UiCairoSink      parent;
  cairo_surface_t *surface;
} UiPdfSink;

static cairo_status_t
append_bytes (gpointer             closure,
              const unsigned char *data,
              unsigned int         length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

UiSink *
ui_pdf_sink_new (GByteArray *pdf,
                 double      width,
                 double      height,
                 double      unit,
                 const char *title)
{
  UiPdfSink *self = g_new0 (UiPdfSink, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format_iso8601 (now);

  self->surface = cairo_pdf_surface_create_for_stream (append_bytes, pdf, width * unit, height * unit);
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_CREATOR, "Headlight");
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
  ui_cairo_sink_init (&self->parent, cairo_create (self->surface));
  cairo_scale (self->parent.cr, unit, unit);
  return &self->parent.parent;
}

gboolean
ui_pdf_sink_finish (UiSink  *sink,
                    GError **error)
{
  UiPdfSink *self = (UiPdfSink *) sink;
  cairo_status_t status;

  cairo_show_page (self->parent.cr);
  status = cairo_status (self->parent.cr);
  cairo_destroy (self->parent.cr);
  cairo_surface_finish (self->surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (self->surface);
  cairo_surface_destroy (self->surface);
  g_free (self);
  if (status != CAIRO_STATUS_SUCCESS)
    g_set_error (error, UI_ERROR, UI_ERROR_WRITE, "The PDF cannot be made: %s", cairo_status_to_string (status));
  return status == CAIRO_STATUS_SUCCESS;
}
