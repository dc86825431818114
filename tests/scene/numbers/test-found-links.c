/* SPDX-License-Identifier: MIT */
/* Links between words against sums over their pieces; those between tokens are the engine's. */
#include "ui/scene/numbers/found-links.h"

#include <math.h>

#include "engine/base/error.h"
#include "tests/support/scene-trace.h"

#define N_HEADS 5
#define TOLERANCE 1e-6

/* [CLS] un ##believ ##able cat [SEP] */
enum { UN = 1, ABLE = 3, CAT = 4, N_PIECES = 3 };

static EngTrace *
new_trace (void)
{
  static const char *const words[] = { "un", "##believ", "##able", "cat", NULL };

  return scene_trace_new (words, NULL, N_HEADS);
}

static GArray *
find (EngTrace   *trace,
      gboolean    words,
      int         a,
      int         b,
      GError    **error)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  document->words = words;
  /* What is put together for the picture is no head. */
  document->aggregate = UI_AGGREGATE_MEAN;
  document->layers = UI_AGGREGATE_MAX;
  return ui_links_find (trace, document, ENG_KIND_ENCODER, a, b, NULL, error);
}

static double
find_value (const GArray *links,
            int           head,
            int           query)
{
  for (guint i = 0; i < links->len; i++) {
    const EngFoundLink *link = &g_array_index (links, EngFoundLink, i);

    if (link->head == head && link->query == query)
      return link->value;
  }
  return 0;
}

static void
assert_sorted (const GArray *links)
{
  for (guint i = 1; i < links->len; i++)
    g_assert_cmpfloat (g_array_index (links, EngFoundLink, i - 1).value, >=,
                       g_array_index (links, EngFoundLink, i).value);
}

static void
test_tokens (void)
{
  g_autoptr (EngTrace) trace = new_trace ();
  g_autoptr (GArray) links = find (trace, FALSE, UN, CAT, NULL);

  g_assert_cmpuint (links->len, ==, 2 * N_HEADS);
  assert_sorted (links);
  for (int head = 0; head < N_HEADS; head++) {
    g_assert_cmpfloat_with_epsilon (find_value (links, head, UN),
                                    scene_trace_weight (trace, ENG_KIND_ENCODER, head, UN, CAT),
                                    TOLERANCE);
    g_assert_cmpfloat_with_epsilon (find_value (links, head, CAT),
                                    scene_trace_weight (trace, ENG_KIND_ENCODER, head, CAT, UN),
                                    TOLERANCE);
  }
}

/* A word reads with the mean of its pieces and is read with their sum; any piece names it. */
static void
test_words (void)
{
  g_autoptr (EngTrace) trace = new_trace ();
  g_autoptr (GArray) links = find (trace, TRUE, ABLE, CAT, NULL);

  g_assert_cmpuint (links->len, ==, 2 * N_HEADS);
  assert_sorted (links);
  for (int head = 0; head < N_HEADS; head++) {
    double reads = 0, is_read = 0;

    for (int piece = UN; piece <= ABLE; piece++) {
      reads += scene_trace_weight (trace, ENG_KIND_ENCODER, head, piece, CAT) / N_PIECES;
      is_read += scene_trace_weight (trace, ENG_KIND_ENCODER, head, CAT, piece);
    }
    g_assert_cmpfloat_with_epsilon (find_value (links, head, ABLE), reads, TOLERANCE);
    g_assert_cmpfloat_with_epsilon (find_value (links, head, CAT), is_read, TOLERANCE);
  }
}

/* Two pieces of a word are one word that reads itself: one direction. */
static void
test_one_word (void)
{
  g_autoptr (EngTrace) trace = new_trace ();
  g_autoptr (GArray) words = find (trace, TRUE, UN, ABLE, NULL);
  g_autoptr (GArray) tokens = find (trace, FALSE, UN, ABLE, NULL);

  g_assert_cmpuint (words->len, ==, N_HEADS);
  g_assert_cmpuint (tokens->len, ==, 2 * N_HEADS);
}

/* Query of the decoder, key of the encoder, in every layer. */
static void
test_cross (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_two_stacks (5, 4);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GArray) plain = NULL;
  g_autoptr (GArray) links = NULL;

  plain = ui_links_find (trace, document, ENG_KIND_CROSS, 1, 3, NULL, NULL);
  document->words = TRUE;
  links = ui_links_find (trace, document, ENG_KIND_CROSS, 1, 3, NULL, NULL);
  g_assert_cmpuint (links->len, ==, 4);
  g_assert_cmpuint (plain->len, ==, 4);
  for (guint i = 0; i < links->len; i++) {
    const EngFoundLink *link = &g_array_index (links, EngFoundLink, i);
    const EngFoundLink *same = &g_array_index (plain, EngFoundLink, i);

    g_assert_cmpint (link->query, ==, 1);
    g_assert_cmpint (link->key, ==, 3);
    g_assert_cmpint (link->layer, ==, same->layer);
    g_assert_cmpint (link->head, ==, same->head);
    g_assert_cmpfloat_with_epsilon (link->value, same->value, TOLERANCE);
  }
}

static void
test_refused (void)
{
  g_autoptr (EngTrace) trace = new_trace ();
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) range = NULL;
  g_autoptr (GError) cancelled = NULL;
  gint cancel = TRUE;

  g_assert_null (find (trace, TRUE, 0, 6, &range));
  g_assert_error (range, ENG_ERROR, ENG_ERROR_RANGE);
  document->words = TRUE;
  g_assert_null (ui_links_find (trace, document, ENG_KIND_ENCODER, 0, 1, &cancel, &cancelled));
  g_assert_error (cancelled, ENG_ERROR, ENG_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scene/found-links/tokens", test_tokens);
  g_test_add_func ("/scene/found-links/words", test_words);
  g_test_add_func ("/scene/found-links/one-word", test_one_word);
  g_test_add_func ("/scene/found-links/cross", test_cross);
  g_test_add_func ("/scene/found-links/refused", test_refused);
  return g_test_run ();
}
