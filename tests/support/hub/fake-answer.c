/* SPDX-License-Identifier: MIT */
#include "tests/support/hub/fake-answer.h"

#include <string.h>

void
fake_answer_set_header (SoupServerMessage *message,
                        const char        *name,
                        const char        *value)
{
  soup_message_headers_replace (soup_server_message_get_response_headers (message), name, value);
}

void
fake_answer_refuse (SoupServerMessage *message,
                    guint              status,
                    const char        *code,
                    const char        *words)
{
  soup_server_message_set_status (message, status, NULL);
  if (code != NULL)
    fake_answer_set_header (message, "X-Error-Code", code);
  if (words != NULL)
    fake_answer_set_header (message, "X-Error-Message", words);
  if (status == 429 || status >= 500)
    fake_answer_set_header (message, "Retry-After", "0");
}

/* Writes an answer byte by byte as it is, and leaves the connection to the caller. */
static GIOStream *
send_raw (SoupServerMessage *message,
          const char        *head,
          const guint8      *body,
          gsize              length)
{
  GIOStream *stream = soup_server_message_steal_connection (message);
  GOutputStream *output = g_io_stream_get_output_stream (stream);

  g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL);
  g_output_stream_write_all (output, body, length, NULL, NULL, NULL);
  return stream;
}

/* Answers with a length that may be a lie. */
static GIOStream *
send_part (SoupServerMessage *message,
           const guint8      *data,
           gsize              start,
           gsize              length,
           gsize              announced,
           gsize              total)
{
  g_autofree char *head = NULL;

  if (start > 0)
    head = g_strdup_printf ("HTTP/1.1 206 Partial Content\r\nConnection: close\r\n"
                            "Content-Length: %" G_GSIZE_FORMAT "\r\n"
                            "Content-Range: bytes %" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT "/%"
                            G_GSIZE_FORMAT "\r\n\r\n", announced, start, total - 1, total);
  else
    head = g_strdup_printf ("HTTP/1.1 200 OK\r\nConnection: close\r\n"
                            "Content-Length: %" G_GSIZE_FORMAT "\r\n\r\n", announced);
  return send_raw (message, head, data + start, length);
}

static gsize
get_range_start (SoupServerMessage *message,
                 gsize              total)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *range = soup_message_headers_get_one (headers, "Range");
  guint64 start = 0;

  if (range != NULL && g_str_has_prefix (range, "bytes="))
    start = g_ascii_strtoull (range + strlen ("bytes="), NULL, 10);
  return (gsize) MIN (start, total);
}

void
fake_answer_close (GIOStream *connection)
{
  g_io_stream_close (connection, NULL, NULL);
  g_object_unref (connection);
}

GIOStream *
fake_answer_send_fault (SoupServerMessage *message,
                        FakeFault          fault,
                        const guint8      *data,
                        gsize              total)
{
  gsize start = get_range_start (message, total);
  gsize left = total - start;

  switch (fault) {
  case FAKE_CUT:
    fake_answer_close (send_part (message, data, start, left / 2, left, total));
    break;
  case FAKE_STALL:
    return send_part (message, data, start, left / 2, left, total);
  case FAKE_WRONG_BYTE: {
    g_autofree guint8 *copy = g_memdup2 (data, total);

    copy[total / 2] ^= 1;
    fake_answer_close (send_part (message, copy, start, left, left, total));
    break;
  }
  case FAKE_TOO_LONG: {
    g_autofree guint8 *longer = g_malloc0 (total + 10);

    memcpy (longer, data, total);
    fake_answer_close (send_part (message, longer, 0, total + 10, total + 10, total + 10));
    break;
  }
  case FAKE_TOO_SHORT:
    if (start > 0)
      fake_answer_refuse (message, 416, NULL, NULL);
    else
      fake_answer_close (send_part (message, data, 0, total - 10, total - 10, total));
    break;
  case FAKE_NO_RANGES:
    fake_answer_close (send_part (message, data, 0, total, total, total));
    break;
  case FAKE_OTHER_RANGE:
    fake_answer_close (send_part (message, data, 1, total - 1, total - 1, total));
    break;
  case FAKE_BUSY:
    fake_answer_refuse (message, 429, NULL, NULL);
    break;
  case FAKE_BROKEN:
    fake_answer_refuse (message, 503, NULL, NULL);
    break;
  case FAKE_GONE:
    fake_answer_refuse (message, 404, NULL, NULL);
    break;
  case FAKE_SOUND:
  default:
    g_assert_not_reached ();
  }
  return NULL;
}
