/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-scene.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/scene/head/head-case.h"
#include "tests/support/count.h"
#include "tests/support/golden.h"

static const UiSceneOptions file = {
  .theme = UI_THEME_PRINT, .width = 756, .text_scale = 1, .caption = TRUE
};

static void
compare (const UiScene *scene,
         const UiItem  *hover,
         const char    *golden)
{
  g_autofree char *text = scene_case_print (scene, hover);

  golden_assert_equal (golden, text);
}

static void
test_goldens (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) plain = NULL;
  g_autoptr (UiScene) pinned = NULL;
  UiItem key = { .type = UI_ITEM_KEY, .key = 0 };
  UiItem link = { .type = UI_ITEM_LINK, .head = 2, .query = 6, .key = 3 };

  document->threshold = 0.1;
  plain = scene_case_new (trace, document, &window);
  compare (plain, NULL, "head-pair.scene");
  compare (plain, &key, "head-pair-hover-key.scene");
  compare (plain, &link, "head-pair-hover-link.scene");
  fields_set (document, "pin", "2");
  fields_set (document, "filter", "ab");
  fields_set (document, "renormalise", "true");
  fields_set (document, "heads", "0,2");
  pinned = scene_case_new (trace, document, &file);
  compare (pinned, NULL, "head-pinned-file.scene");
}

/* One link for each weight that reaches the threshold, with the alpha and width of that weight. */
static void
test_links_are_weights (void)
{
  enum { n = 40, n_heads = 12 };
  g_autoptr (EngTrace) trace = scene_trace_new_long (n, n_heads);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  g_autoptr (GArray) links = get_links (scene, NULL);
  g_autofree guint8 *seen = g_new0 (guint8, n_heads * n * n);
  int expected = 0;

  for (guint i = 0; i < links->len; i++) {
    const UiLink *link = &g_array_index (links, UiLink, i);
    int query, key;
    double weight;

    find_ends (scene, link, &query, &key);
    weight = get_weight (trace, link->head, query, key);
    g_assert_cmpint (link->color.a, ==, (int) floor (MIN (weight * 1.5, 1) * 255 + 0.5));
    g_assert_cmpfloat_with_epsilon (link->width, 1.1 + 2.6 * weight, 1e-5);
    g_assert_cmpint (seen[(link->head * n + query) * n + key]++, ==, 0);
  }
  for (int i = 0; i < n_heads * n * n; i++)
    expected += get_weight (trace, i / (n * n), i / n % n, i % n) >= 1 / 255.0;
  g_assert_cmpint (links->len, ==, expected);
}

/* Strongest last: a link is never followed by one of less than a third of its strength, and within
 * a class the heads ascend. */
static void
test_strongest_last (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (40, 12);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  g_autoptr (GArray) links = get_links (scene, NULL);
  int strongest = 0, turns = 0;

  for (guint i = 0; i < links->len; i++) {
    const UiLink *link = &g_array_index (links, UiLink, i);

    strongest = MAX (strongest, link->color.a);
    if (strongest > 12)
      g_assert_cmpint (3 * link->color.a, >=, strongest);
    turns += i > 0 && link->head < g_array_index (links, UiLink, i - 1).head;
  }
  g_assert_cmpint (strongest, ==, 255);
  g_assert_cmpint (turns, >=, 3); /* classes, less one */
  g_assert_cmpint (turns, <=, 8);
}

static void
test_filters (void)
{
  static const struct { const char *name; int query_segment, key_segment; } cases[] = {
    { "aa", 0, 0 }, { "ab", 0, 1 }, { "ba", 1, 0 }, { "bb", 1, 1 }
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 6);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  guint total = 0;
  g_autoptr (UiDocument) all = ui_document_new ();
  g_autoptr (UiScene) whole = scene_case_new (trace, all, &window);
  g_autoptr (GArray) all_links = get_links (whole, NULL);

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autoptr (GArray) links = NULL;

    fields_set (document, "filter", cases[c].name);
    scene = scene_case_new (trace, document, &window);
    links = get_links (scene, NULL);
    total += links->len;
    for (guint i = 0; i < links->len; i++) {
      int query, key;

      find_ends (scene, &g_array_index (links, UiLink, i), &query, &key);
      g_assert_cmpint (tokens->segments[query], ==, cases[c].query_segment);
      g_assert_cmpint (tokens->segments[key], ==, cases[c].key_segment);
    }
  }
  /* The four filters share the links out. */
  g_assert_cmpint (total, ==, all_links->len);
}

static void
test_pins (void)
{
  static const struct { const char *pins; int queries[2]; int keys[2]; } cases[] = {
    { "2", { 2, -1 }, { -1, -1 } },
    { "2,4", { 2, 4 }, { -1, -1 } },
    { "k:3", { -1, -1 }, { 3, -1 } },
    { "2,4,k:0,k:3", { 2, 4 }, { 0, 3 } },
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 6);

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autoptr (GArray) links = NULL;
    int expected = 0;

    fields_set (document, "pin", cases[c].pins);
    document->threshold = 1e-4;
    scene = scene_case_new (trace, document, &window);
    links = get_links (scene, NULL);
    for (int i = 0; i < 6 * 11 * 11; i++) {
      int query = i / 11 % 11, key = i % 11;
      const int *q = cases[c].queries, *k = cases[c].keys;
      gboolean row = q[0] < 0 || query == q[0] || query == q[1];
      gboolean column = k[0] < 0 || key == k[0] || key == k[1];
      double weight = get_weight (trace, i / 121, query, key);

      expected += row && column && ui_palette_link_alpha (weight) > 0;
    }
    g_assert_cmpint (expected, >, 0);
    g_assert_cmpint (links->len, ==, expected);
  }
}

/* Pointing at a token paints over no pin, and of all links the pins' own with it stand out. */
static void
test_hover_keeps_pins (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (6, 6, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  UiItem key = { .type = UI_ITEM_KEY, .key = 7 };
  UiItem query = { .type = UI_ITEM_QUERY, .query = 8 };
  UiItem pinned = { .type = UI_ITEM_QUERY, .query = 4 };
  g_autofree char *over_key = NULL, *over_query = NULL, *over_pinned = NULL;

  fields_set (document, "pin", "1,4");
  document->threshold = 1e-4;
  scene = scene_case_new (trace, document, &window);
  over_key = scene_case_print (scene, &key);
  over_query = scene_case_print (scene, &query);
  over_pinned = scene_case_print (scene, &pinned);
  /* Two queries, three heads. */
  g_assert_cmpint (count (over_key, "\n  link "), ==, 6);
  g_assert_cmpint (count (over_key, "w7"), ==, 1);
  g_assert_cmpint (count (over_key, "w1") + count (over_key, "w4"), ==, 0);
  g_assert_cmpint (count (over_query, "link"), ==, 0);
  g_assert_cmpint (count (over_query, "w8"), ==, 1);
  g_assert_cmpstr (over_pinned, ==, "");
}

/* A clip gets the links that touch it, and all of them. */
static void
test_clip (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (128, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  UiRect clip = { 0, 700, 992, 100 };
  g_autoptr (GArray) all = get_links (scene, NULL);
  g_autoptr (GArray) some = get_links (scene, &clip);
  guint n = 0;

  for (guint i = 0; i < all->len; i++) {
    const UiLink *link = &g_array_index (all, UiLink, i);
    double top = MIN (link->y0, link->y1) - link->width / 2;
    double bottom = MAX (link->y0, link->y1) + link->width / 2;

    n += bottom >= clip.y && top <= clip.y + clip.height;
  }
  g_assert_cmpint (some->len, >=, n);
  g_assert_cmpint (some->len, <, all->len);
}

static void
test_cross_and_mask (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (5, 9, 6);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GArray) links = NULL;

  document->threshold = 0;
  scene = scene_case_new (trace, document, &window);
  links = get_links (scene, NULL);
  g_assert_cmpint (links->len, >, 0);
  for (guint i = 0; i < links->len; i++) {
    int query, key;

    find_ends (scene, &g_array_index (links, UiLink, i), &query, &key);
    g_assert_cmpint (key, <=, query);
  }
}

static void
test_refusals (void)
{
  static const struct { const char *field, *value, *message; } cases[] = {
    { "layer", "7", "Layer 7 does not exist: the encoder has layers 0 to 0" },
    { "heads", "1,3", "Head 3 does not exist: layer 0 has heads 0 to 2" },
    { "kind", "decoder", "There is no decoder attention here, only encoder" },
    { "pin", "11", "The pinned query 11 does not exist: the tokens are 0 to 10" },
    { "pin", "k:99", "The pinned key 99 does not exist: the tokens are 0 to 10" },
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (GError) error = NULL;

    fields_set (document, cases[i].field, cases[i].value);
    g_assert_null (ui_scene_new (trace, document, &window, &error));
    g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, cases[i].message);
  }
}

/* A filter where there is nothing to tell apart: one sentence, or links that all go from one to the
 * other. */
static void
test_filters_refused (void)
{
  static const char *const kinds[] = { "encoder", "decoder", "cross" };
  g_autoptr (EngTrace) stacks = scene_trace_new_two_stacks (4, 6);
  g_autoptr (EngTrace) decoder = scene_trace_new_masked (SCENE_MASK_CAUSAL, 5, 2);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) missing = NULL;

  fields_set (document, "filter", "ab");
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *message = g_strdup_printf ("The filter ab needs two sentences that read each "
                                                "other, which the %s attention here has not",
                                                kinds[i]);
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) neurons = NULL;

    fields_set (document, "kind", kinds[i]);
    fields_set (document, "view", "head");
    g_assert_null (ui_scene_new (stacks, document, &window, &error));
    g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, message);
    fields_set (document, "view", "neuron");
    neurons = ui_scene_new (stacks, document, &window, NULL);
    g_assert_nonnull (neurons);
  }

  g_assert_null (ui_scene_new (decoder, document, &window, &missing));
  g_assert_cmpstr (missing->message, ==, "There is no cross attention here, only decoder");
}

static gpointer
draw_in_thread (gpointer data)
{
  return scene_case_print (data, NULL);
}

static void
test_threads (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 12);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  g_autofree char *expected = scene_case_print (scene, NULL);
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("draw", draw_in_thread, scene);
  for (int i = 0; i < 4; i++) {
    g_autofree char *drawn = g_thread_join (threads[i]);

    g_assert_cmpstr (drawn, ==, expected);
  }
}

/* A scene keeps what it shows: the document may change and the trace be let go. */
static void
test_lives_alone (void)
{
  EngTrace *trace = scene_trace_new (words_a, NULL, 3);
  UiDocument *document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  g_autofree char *before = scene_case_print (scene, NULL);
  g_autofree char *after = NULL;

  fields_set (document, "pin", "1");
  ui_document_free (document);
  eng_trace_unref (trace);
  after = scene_case_print (scene, NULL);
  g_assert_cmpstr (before, ==, after);
  g_assert_null (strstr (after, "bars by head"));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/head/goldens", test_goldens);
  g_test_add_func ("/scene/head/links-are-weights", test_links_are_weights);
  g_test_add_func ("/scene/head/strongest-last", test_strongest_last);
  g_test_add_func ("/scene/head/filters", test_filters);
  g_test_add_func ("/scene/head/pins", test_pins);
  g_test_add_func ("/scene/head/hover-keeps-pins", test_hover_keeps_pins);
  g_test_add_func ("/scene/head/clip", test_clip);
  g_test_add_func ("/scene/head/cross-and-mask", test_cross_and_mask);
  g_test_add_func ("/scene/head/refusals", test_refusals);
  g_test_add_func ("/scene/head/filters-refused", test_filters_refused);
  g_test_add_func ("/scene/head/threads", test_threads);
  g_test_add_func ("/scene/head/lives-alone", test_lives_alone);
  return g_test_run ();
}
