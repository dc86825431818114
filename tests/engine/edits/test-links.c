/* SPDX-License-Identifier: MIT */
/* Links as text, and put together link by link: what a list has is what was toggled, whatever it is
 * made of. */
#include "engine/edits/links.h"

static void
test_text (void)
{
  static const struct { const char *text, *printed; } cases[] = {
    { "", "" }, { "4:7", "4:7" }, { "3-5:0,*:6-7", "3-5:0,*:6-7" }, { "2-2:*", "2:*" },
    { " 1:2 , 3:4 ", "1:2,3:4" },
  };
  static const char *const refused[] = {
    "4", "4:", ":4", "4:7,", "4:7:1", "4-2:1", "a:1", "-1:2", "4:7 5:8", "*", "**:1", "1.5:2",
    "99999999999:1", ",",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GArray) links = eng_links_parse (cases[i].text);
    g_autofree char *printed = NULL;

    g_test_message ("%s", cases[i].text);
    g_assert_nonnull (links);
    printed = eng_links_to_string (links);
    g_assert_cmpstr (printed, ==, cases[i].printed);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_test_message ("%s", refused[i]);
    g_assert_null (eng_links_parse (refused[i]));
  }
}

static void
test_clip (void)
{
  g_autoptr (GArray) links = eng_links_parse ("0-9:3,4:*,5:0,*:6-8,2:7");
  g_autoptr (GArray) clipped = eng_links_clip (links, 5, 7);
  g_autofree char *text = eng_links_to_string (clipped);

  g_assert_cmpstr (text, ==, "0-4:3,4:*,*:6");
  g_assert_cmpint (eng_links_count (clipped, 5, 7), ==, 4 + 7 + 4);
}

/* Text that is read back has the same links as the bits that were flipped. */
static void
test_toggle (void)
{
  for (int run = 0; run < 200; run++) {
    const int n = g_test_rand_int_range (1, 7), m = g_test_rand_int_range (1, 7);
    gboolean hidden[7][7] = { 0 };
    GArray *links = eng_links_parse ("");
    int n_hidden = 0;

    for (int i = g_test_rand_int_range (0, 40); i > 0; i--) {
      const int query = g_test_rand_int_range (0, n), key = g_test_rand_int_range (0, m);
      GArray *toggled = eng_links_toggle (links, query, key, n, m);
      g_autofree char *text = eng_links_to_string (toggled);

      g_array_unref (links);
      g_array_unref (toggled);
      links = eng_links_parse (text);
      hidden[query][key] = !hidden[query][key];
    }
    for (int query = 0; query < n; query++)
      for (int key = 0; key < m; key++) {
        g_assert_cmpint (eng_links_have (links, query, key), ==, hidden[query][key]);
        n_hidden += hidden[query][key];
      }
    g_assert_cmpint (eng_links_count (links, n, m), ==, n_hidden);
    g_array_unref (links);
  }
}

/* Whole rows, columns and blocks stay short. */
static void
test_put_together (void)
{
  GArray *links = eng_links_parse ("");
  g_autofree char *text = NULL;
  g_autofree char *shorter = NULL;

  for (int query = 0; query < 4; query++)
    for (int key = 1; key <= 2; key++) {
      GArray *toggled = eng_links_toggle (links, query, key, 4, 6);

      g_array_unref (links);
      links = toggled;
    }
  text = eng_links_to_string (links);
  g_assert_cmpstr (text, ==, "*:1-2");
  g_autoptr (GArray) fewer = eng_links_toggle (links, 3, 1, 4, 6);

  shorter = eng_links_to_string (fewer);
  g_assert_cmpstr (shorter, ==, "0-2:1-2,3:2");
  g_array_unref (links);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/links/text", test_text);
  g_test_add_func ("/links/clip", test_clip);
  g_test_add_func ("/links/toggle", test_toggle);
  g_test_add_func ("/links/put-together", test_put_together);

  return g_test_run ();
}
