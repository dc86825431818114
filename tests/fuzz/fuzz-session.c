/* SPDX-License-Identifier: MIT */
/* What --open and a drop read: sessions, and the sessions inside of figures. Whatever is taken can
 * be written again and is taken as the same; whatever is refused says why. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "ui/document/document-text.h"
#include "ui/document/figure-session.h"
#include "ui/document/session.h"

#define HEAD "{\"format\": \"headlight-session\", \"version\": 1, "

static const char *const seeds[] = {
  HEAD "\"document\": {\"model\": \"./mini\", \"layer\": 3, \"heads\": \"0,3\", \"pin\": \"2,k:9\","
       " \"edit\": \"zero 2.9; off cut 0.1 3 4\", \"threshold\": 0.25, \"words\": true,"
       " \"text_a\": \"Gr\\u00fc\\u00dfe \\ud83d\\ude00\", \"text_b\": \"b\"},"
       " \"history\": [{\"layer\": 2}, {\"layer\": null, \"text_a\": \"a\"}, {\"panels\": "
       "\"2.9,3.1\"}]}",
  HEAD
  "\"document\": {\"compare\": \"sides\", \"compare-text-a\": \"x\", \"compare-edit\": \"none\","
  " \"width\": \"8.5cm\", \"mood\": [1, {}]}, \"mood\": null}",
  "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><title>a</title>"
  "<metadata id=\"headlight-session\">{ &quot;format&quot;: &quot;headlight-session&quot;,"
  " &quot;version&quot;: 1, &quot;document&quot;: { &quot;layer&quot;: 2 } }</metadata></svg>",
  "%PDF-1.5\n<< /Keywords ({ \"format\": \"headlight-session\", \"version\": 1, \"document\":"
  " { \"text_a\": \"\\(a\\)\" } }) >>\n%%EOF",
  "%PDF-1.5\n<< /Keywords <FEFF007B002200660022003A0031007D> /Keywords <7B7D> >>",
};

/* A PNG of one chunk that is ours. */
static GBytes *
make_png (void)
{
  GByteArray *png = g_byte_array_new ();

  g_byte_array_append (png, (const guint8 *) "\x89PNG\r\n\x1a\n", 8);
  ui_png_append_chunk (png, "IHDR", (const guint8 *) "\0\0\0\1\0\0\0\1\10\0\0\0\0", 13);
  ui_png_append_session (png, HEAD "\"document\": {\"layer\": 5}}");
  ui_png_append_chunk (png, "IEND", NULL, 0);

  return g_byte_array_free_to_bytes (png);
}

void
fuzz_add_seeds (GPtrArray *array)
{
  for (gsize i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_static (seeds[i], strlen (seeds[i])));
  g_ptr_array_add (array, make_png ());
}

static void
check_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
check_session (const UiSession *session)
{
  g_autofree char *text = ui_session_to_text (session->document, session->past, session->file,
                                              "/a", FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiSession) again = ui_session_from_text (text, strlen (text), "/a", "again", &error);
  g_auto (GStrv) arguments = ui_document_to_arguments (session->document, "a.svg");

  g_assert_no_error (error);
  g_assert_true (ui_document_equal (again->document, session->document));
  g_assert_cmpuint (again->past->len, <=, session->past->len);
  for (guint i = 0; i < again->past->len; i++)
    g_assert_true (ui_document_equal (again->past->pdata[i], session->past->pdata[i]));
  g_assert_cmpstr (arguments[0], ==, "render");
}

static void
read_session (const char *text,
              gsize       length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (UiSession) session = ui_session_from_text (text, length, "/a", "a.headlight", &error);

  if (session != NULL)
    check_session (session);
  else
    check_error (error);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *carried = ui_figure_find_session (data, size, "a.svg", &error);

  if (carried == NULL)
    check_error (error);
  else
    read_session (carried, strlen (carried));
  read_session (text, size);
}
