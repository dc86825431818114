/* SPDX-License-Identifier: MIT */
#include "ui/document/figure-session.h"

#include <string.h>

#include "ui/document/session.h"

#define PNG_SIGNATURE   "\x89PNG\r\n\x1a\n"
#define PNG_CHUNK_EXTRA 12 /* length, type and checksum around the data */
#define PDF_SIGNATURE   "%PDF-"
#define PDF_KEYWORDS    "/Keywords"
#define HTML_START      "<!doctype html"
#define ID_END          UI_FIGURE_SESSION_ID "\">"

typedef enum { FIGURE_NONE, FIGURE_SVG, FIGURE_PDF, FIGURE_PNG, FIGURE_HTML } Format;

static gboolean
begins_with (const guint8 *data,
             gsize         size,
             const char   *start)
{
  gsize length = strlen (start);

  return size >= length && memcmp (data, start, length) == 0;
}

/* A page, and an SVG, may begin with a mark of its encoding and blanks, an SVG also with a
 * declaration or a comment. */
static Format
find_format (const guint8 *data,
             gsize         size)
{
  if (begins_with (data, size, PNG_SIGNATURE))
    return FIGURE_PNG;
  if (begins_with (data, size, PDF_SIGNATURE))
    return FIGURE_PDF;
  if (begins_with (data, size, "\xef\xbb\xbf")) {
    data += 3;
    size -= 3;
  }
  while (size > 0 && g_ascii_isspace (*data)) {
    data++;
    size--;
  }

  if (size >= strlen (HTML_START)
      && g_ascii_strncasecmp ((const char *) data, HTML_START, strlen (HTML_START)) == 0)
    return FIGURE_HTML;
  return begins_with (data, size, "<?xml") || begins_with (data, size, "<svg")
         || begins_with (data, size, "<!") ? FIGURE_SVG : FIGURE_NONE;
}

/* CRC-32 of a PNG chunk, bit by bit: chunks of ours are small. */
static guint32
get_crc (const guint8 *data,
         gsize         size)
{
  guint32 crc = 0xffffffff;

  for (gsize i = 0; i < size; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

static guint32
read_uint32 (const guint8 *data)
{
  guint32 big;

  memcpy (&big, data, sizeof big);
  return GUINT32_FROM_BE (big);
}

static void
append_uint32 (GByteArray *bytes,
               guint32     value)
{
  guint32 big = GUINT32_TO_BE (value);

  g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
}

static char *
find_in_png (const guint8 *data,
             gsize         size)
{
  static const char keyword[] = UI_FIGURE_SESSION_ID; /* with the NUL that ends it */
  gsize at = strlen (PNG_SIGNATURE);

  while (size - at >= PNG_CHUNK_EXTRA) {
    gsize length = read_uint32 (data + at);
    const guint8 *type = data + at + 4;

    if (length > size - at - PNG_CHUNK_EXTRA)
      return NULL;
    if (memcmp (type, "tEXt", 4) == 0 && length > sizeof keyword
        && length <= UI_SESSION_MAX_BYTES && memcmp (type + 4, keyword, sizeof keyword) == 0
        && get_crc (type, length + 4) == read_uint32 (type + 4 + length))
      return g_strndup ((const char *) type + 4 + sizeof keyword, length - sizeof keyword);
    at += length + PNG_CHUNK_EXTRA;
  }

  return NULL;
}

/* Text between parentheses with PDF's escapes. Moves *at behind it. (transfer full) */
static char *
read_pdf_literal (const guint8 **at,
                  const guint8  *end)
{
  GString *text = g_string_new (NULL);
  int depth = 1;

  for (; *at < end; (*at)++) {
    if (**at == '\\' && *at + 1 < end)
      (*at)++;
    else if (**at == '(')
      depth++;
    else if (**at == ')' && --depth == 0)
      break;
    g_string_append_c (text, (char) **at);
  }

  return g_string_free (text, FALSE);
}

/* Text as hexadecimal digits, of one or, behind FEFF, of two bytes a letter: the session is ASCII,
 * so the second is enough. Moves *at behind it. (transfer full) */
static char *
read_pdf_digits (const guint8 **at,
                 const guint8  *end)
{
  g_autoptr (GString) digits = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  gsize step, first;

  for (; *at < end && **at != '>'; (*at)++)
    if (g_ascii_isxdigit (**at))
      g_string_append_c (digits, (char) **at);
  step = g_ascii_strncasecmp (digits->str, "FEFF", 4) == 0 ? 4 : 2;
  first = step == 4 ? 6 : 0;
  for (gsize i = first; i + 1 < digits->len; i += step)
    g_string_append_c (text, (char) (g_ascii_xdigit_value (digits->str[i]) << 4
                                     | g_ascii_xdigit_value (digits->str[i + 1])));

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The keywords of the file, or of what it was saved as last, which stands last. */
static char *
find_in_pdf (const guint8 *data,
             gsize         size)
{
  const guint8 *end = data + size;
  const guint8 *at = data;
  char *found = NULL;

  while ((at = memmem (at, (gsize) (end - at), PDF_KEYWORDS, strlen (PDF_KEYWORDS))) != NULL) {
    g_autofree char *text = NULL;

    at += strlen (PDF_KEYWORDS);
    while (at < end && g_ascii_isspace (*at))
      at++;
    if (at == end || (*at != '(' && *at != '<'))
      continue;
    text = *at++ == '(' ? read_pdf_literal (&at, end) : read_pdf_digits (&at, end);
    if (strstr (text, UI_FIGURE_SESSION_ID) != NULL) {
      g_free (found);
      found = g_steal_pointer (&text);
    }
  }

  return found;
}

typedef struct {
  GString *text;
  gboolean inside;
  gboolean found;
} SvgReader;

static void
start_element (GMarkupParseContext  *context,
               const char           *element,
               const char          **names,
               const char          **values,
               gpointer              data,
               GError              **error)
{
  SvgReader *self = data;

  if (!g_str_equal (element, "metadata") || self->found)
    return;
  for (int i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], "id") && g_str_has_suffix (values[i], UI_FIGURE_SESSION_ID))
      self->inside = TRUE;
}

static void
end_element (GMarkupParseContext  *context,
             const char           *element,
             gpointer              data,
             GError              **error)
{
  SvgReader *self = data;

  if (!self->inside || !g_str_equal (element, "metadata"))
    return;
  self->inside = FALSE;
  self->found = TRUE;
  /* The rest of the file is of no interest. */
  g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "");
}

static void
take_text (GMarkupParseContext  *context,
           const char           *text,
           gsize                 length,
           gpointer              data,
           GError              **error)
{
  SvgReader *self = data;

  if (self->inside && self->text->len + length <= UI_SESSION_MAX_BYTES)
    g_string_append_len (self->text, text, (gssize) length);
}

static char *
find_in_svg (const guint8 *data,
             gsize         size)
{
  static const GMarkupParser parser = { start_element, end_element, take_text };
  SvgReader reader = { .text = g_string_new (NULL) };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &reader, NULL);

  g_markup_parse_context_parse (context, (const char *) data, (gssize) size, NULL);

  return g_string_free (reader.text, !reader.found);
}

/* A page is no XML, but the element in its drawing is. The first one counts: a page that was put
 * together of thousands is read no longer than another. */
static char *
find_in_html (const guint8 *data,
              gsize         size)
{
  const guint8 *at = memmem (data, size, ID_END, strlen (ID_END));

  while (at != NULL && at > data && *at != '<')
    at--;

  return at != NULL ? find_in_svg (at, (gsize) (data + size - at)) : NULL;
}

void
ui_png_append_chunk (GByteArray   *png,
                     const char   *type,
                     const guint8 *data,
                     gsize         size)
{
  guint start = png->len + 4;

  append_uint32 (png, (guint32) size);
  g_byte_array_append (png, (const guint8 *) type, 4);
  g_byte_array_append (png, data, (guint) size);
  append_uint32 (png, get_crc (png->data + start, size + 4));
}

void
ui_png_append_session (GByteArray *png,
                       const char *session)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();

  g_byte_array_append (data, (const guint8 *) UI_FIGURE_SESSION_ID, sizeof UI_FIGURE_SESSION_ID);
  g_byte_array_append (data, (const guint8 *) session, (guint) strlen (session));
  ui_png_append_chunk (png, "tEXt", data->data, data->len);
}

gboolean
ui_figure_is_one (const guint8 *data,
                  gsize         size)
{
  return find_format (data, size) != FIGURE_NONE;
}

char *
ui_figure_find_session (const guint8  *data,
                        gsize          size,
                        const char    *what,
                        GError       **error)
{
  char *text = NULL;

  switch (find_format (data, size)) {
  case FIGURE_SVG:
    text = find_in_svg (data, size);
    break;
  case FIGURE_PDF:
    text = find_in_pdf (data, size);
    break;
  case FIGURE_PNG:
    text = find_in_png (data, size);
    break;
  case FIGURE_HTML:
    text = find_in_html (data, size);
    break;
  case FIGURE_NONE:
  default:
    break;
  }
  if (text == NULL)
    g_set_error (error, UI_ERROR, UI_ERROR_VALUE, "%s holds no Headlight document; it was not "
                 "drawn by Headlight or was saved again by another program", what);

  return text;
}
