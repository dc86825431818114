/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-scene.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/support/golden.h"
#include "tests/support/scene-trace.h"
#include "tests/support/text-sink.h"
#include "ui/scene/sinks/link-curve.h"
#include "ui/scene/sinks/text.h"
#include "ui/scene/views/factory.h"

static const UiSceneOptions window = {
  .theme = UI_THEME_LIGHT, .width = 992, .view_height = 560, .text_scale = 1
};
static const UiSceneOptions file = {
  .theme = UI_THEME_PRINT, .width = 756, .text_scale = 1, .caption = TRUE
};

static const char *const words_a[] = { "the", "cat", "sat", NULL };
static const char *const words_b[] = { "fox", "in", "vast", "##ern", "##or", NULL };

static double
get_weight (EngTrace *trace,
            int       head,
            int       query,
            int       key)
{
  return scene_trace_weight (trace, ENG_KIND_ENCODER, head, query, key);
}

static void
set (UiDocument *document,
     const char *field,
     const char *value)
{
  g_autoptr (GError) error = NULL;

  ui_document_set (document, ui_fields_find (field), value, &error);
  g_assert_no_error (error);
}

static UiScene *
make_scene (EngTrace             *trace,
            const UiDocument     *document,
            const UiSceneOptions *options)
{
  g_autoptr (GError) error = NULL;
  UiScene *scene = ui_scene_new (trace, document, options, &error);

  g_assert_no_error (error);
  return scene;
}

static char *
draw (const UiScene *scene,
      const UiItem  *hover)
{
  GString *out = g_string_new (NULL);
  UiSink *sink = text_sink_new (out);

  if (hover != NULL)
    ui_scene_paint_overlay (scene, hover, sink, NULL);
  else
    ui_scene_paint (scene, sink, NULL);
  text_sink_free (sink);
  return g_string_free (out, FALSE);
}

static void
compare (const UiScene *scene,
         const UiItem  *hover,
         const char    *golden)
{
  g_autofree char *text = draw (scene, hover);

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
  plain = make_scene (trace, document, &window);
  compare (plain, NULL, "head-pair.scene");
  compare (plain, &key, "head-pair-hover-key.scene");
  compare (plain, &link, "head-pair-hover-link.scene");
  set (document, "pin", "2");
  set (document, "filter", "ab");
  set (document, "renormalise", "true");
  set (document, "heads", "0,2");
  pinned = make_scene (trace, document, &file);
  compare (pinned, NULL, "head-pinned-file.scene");
}

/* Collects the links of a drawing. */
static void
collect (const UiLink *link,
         gpointer      data)
{
  g_array_append_val ((GArray *) data, *link);
}

static GArray *
get_links (const UiScene *scene,
           const UiRect  *clip)
{
  const UiHeadScene *self = (const UiHeadScene *) scene;
  GArray *links = g_array_new (FALSE, FALSE, sizeof (UiLink));
  UiHeadField field;

  ui_head_field_init_for (&field, self, &scene->document->pins);
  field.field.foreach (&field.field, clip != NULL ? clip : &field.field.bounds, collect, links);
  ui_head_field_clear (&field);
  return links;
}

/* Which rows a link joins, from its ends: the fan of twelve heads stays within its row. */
static void
find_ends (const UiScene *scene,
           const UiLink  *link,
           int           *query,
           int           *key)
{
  const UiHeadLayout *layout = &((const UiHeadScene *) scene)->layout;

  *query = ui_head_layout_find_row (layout, UI_SIDE_QUERIES, link->y0);
  *key = ui_head_layout_find_row (layout, UI_SIDE_KEYS, link->y1);
  g_assert_cmpint (*query, >=, 0);
  g_assert_cmpint (*key, >=, 0);
  g_assert_cmpfloat (fabs (link->y0 - layout->columns[UI_SIDE_QUERIES].y[*query]), <=, 6.001);
}

/* One link for each weight that reaches the threshold, with the alpha and width of that weight. */
static void
test_links_are_weights (void)
{
  enum { n = 40, n_heads = 12 };
  g_autoptr (EngTrace) trace = scene_trace_new_long (n, n_heads);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
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
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
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
  g_autoptr (UiScene) whole = make_scene (trace, all, &window);
  g_autoptr (GArray) all_links = get_links (whole, NULL);

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autoptr (GArray) links = NULL;

    set (document, "filter", cases[c].name);
    scene = make_scene (trace, document, &window);
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

    set (document, "pin", cases[c].pins);
    document->threshold = 1e-4;
    scene = make_scene (trace, document, &window);
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

static guint
count (const char *text,
       const char *part)
{
  guint n = 0;

  for (text = strstr (text, part); text != NULL; text = strstr (text + 1, part)) {
    n++;
  }
  return n;
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

  set (document, "pin", "1,4");
  document->threshold = 1e-4;
  scene = make_scene (trace, document, &window);
  over_key = draw (scene, &key);
  over_query = draw (scene, &query);
  over_pinned = draw (scene, &pinned);
  /* Two queries, three heads. */
  g_assert_cmpuint (count (over_key, "\n  link "), ==, 6);
  g_assert_cmpuint (count (over_key, "w7"), ==, 1);
  g_assert_cmpuint (count (over_key, "w1") + count (over_key, "w4"), ==, 0);
  g_assert_cmpuint (count (over_query, "link"), ==, 0);
  g_assert_cmpuint (count (over_query, "w8"), ==, 1);
  g_assert_cmpstr (over_pinned, ==, "");
}

/* Two numbers over the lanes never run into one. */
static void
test_lane_numbers_apart (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (6, 12);

  for (double width = 700; width < 1500; width += 20) {
    UiSceneOptions options = window;
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autofree char *text = NULL;
    g_auto (GStrv) lines = NULL;
    gboolean inside = FALSE;
    double last = -G_MAXDOUBLE;
    int n = 0;

    options.width = width;
    set (document, "pin", "1");
    scene = make_scene (trace, document, &options);
    text = draw (scene, NULL);
    lines = g_strsplit (text, "\n", -1);
    for (int i = 0; lines[i] != NULL && strstr (lines[i], " mean") == NULL; i++) {
      UiTextStyle style = { .bold = TRUE };
      char x_text[16], size_text[16], number[8];
      double x;

      /* As words: sscanf() reads numbers with the comma of some locales. */
      inside |= strstr (lines[i], "bars by head") != NULL;
      if (!inside || sscanf (lines[i], " text %15s %*s %15s center bold %*s %7s", x_text, size_text,
                             number) != 3)
        continue;
      x = g_ascii_strtod (x_text, NULL);
      style.size = g_ascii_strtod (size_text, NULL);
      g_assert_cmpfloat (x - ui_text_measure (number, &style) / 2, >=, last + 1.5);
      last = x + ui_text_measure (number, &style) / 2;
      n++;
    }
    /* Where there is little room the links have it. */
    g_assert_cmpint (n, >=, width < 860 ? 1 : 2);
  }
}

/* A clip gets the links that touch it, and all of them. */
static void
test_clip (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (128, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
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

/* What is hit passes under the pointer, and no stronger one passes just there. */
static void
test_hit_links (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 12);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
  g_autoptr (GArray) links = get_links (scene, NULL);
  int n_hits = 0;

  for (guint i = 0; i < links->len; i++) {
    const UiLink *link = &g_array_index (links, UiLink, i);

    for (int part = 1; part < 10; part++) {
      double across = part / 10.0, along;
      UiItem item;
      int query, key;

      ui_link_curve_at (across, &along, NULL);
      g_assert_true (ui_scene_hit (scene, link->x0 + (link->x1 - link->x0) * across,
                                   link->y0 + (link->y1 - link->y0) * along, &item));
      g_assert_cmpint (item.type, ==, UI_ITEM_LINK);
      find_ends (scene, link, &query, &key);
      g_assert_cmpfloat (get_weight (trace, item.head, item.query, item.key) + 1e-9, >=,
                         get_weight (trace, link->head, query, key));
      n_hits += item.head == link->head && item.query == query && item.key == key;
    }
  }
  g_assert_cmpint (n_hits, >, 0);
}

/* A strong link alone is found all along its way, and not beside it. */
static void
test_hit_one_link (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (6, 6, 5);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GArray) links = NULL;
  const UiLink *link;
  UiItem item;

  set (document, "heads", "4");
  set (document, "pin", "1");
  document->threshold = 0.5;
  scene = make_scene (trace, document, &window);
  links = get_links (scene, NULL);
  g_assert_cmpint (links->len, ==, 1);
  link = &g_array_index (links, UiLink, 0);
  for (double across = 0.002; across < 1; across += 0.01) {
    double along;
    double x = link->x0 + (link->x1 - link->x0) * across, y;

    ui_link_curve_at (across, &along, NULL);
    y = link->y0 + (link->y1 - link->y0) * along;
    g_assert_true (ui_scene_hit (scene, x, y + 1, &item));
    g_assert_true (item.head == 4 && item.query == 1 && item.key == 5);
    g_assert_false (ui_scene_hit (scene, x, y + 12, &item));
    g_assert_cmpint (item.type, ==, UI_ITEM_NONE);
  }
}

static void
test_hit_tokens (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
  UiItem item;

  for (int i = 0; i < 11; i++) {
    UiItem query = { .type = UI_ITEM_QUERY, .query = i }, key = { .type = UI_ITEM_KEY, .key = i };
    UiRect rect;

    g_assert_true (ui_scene_get_rect (scene, &query, &rect));
    g_assert_true (ui_scene_hit (scene, rect.x + 12, rect.y + rect.height / 2, &item));
    g_assert_true (item.type == UI_ITEM_QUERY && item.query == i);
    g_assert_true (ui_scene_get_rect (scene, &key, &rect));
    g_assert_true (ui_scene_hit (scene, rect.x + 12, rect.y + rect.height / 2, &item));
    g_assert_true (item.type == UI_ITEM_KEY && item.key == i);
  }
  g_assert_false (ui_scene_hit (scene, 5, 5, &item));
  g_assert_false (ui_scene_hit (scene, 1e6, 1e6, &item));
}

/* A bar beside a row is the pinned token's link with it. */
static void
test_hit_bars (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (6, 6, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  const UiHeadScene *self;
  UiHeadLanes lanes;
  UiItem item;
  double y;

  set (document, "pin", "k:4");
  scene = make_scene (trace, document, &window);
  self = (const UiHeadScene *) scene;
  ui_head_lanes_init (&lanes, self, &document->pins);
  y = self->layout.columns[UI_SIDE_QUERIES].y[7];
  g_assert_true (ui_scene_hit (scene, lanes.x + 1.5 * lanes.width, y, &item));
  g_assert_true (item.type == UI_ITEM_LINK && item.head == 1 && item.query == 7 && item.key == 4);
}

static void
test_move (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (3, 8, 2);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
  UiItem item = { 0 };
  int steps = 0;

  g_assert_true (ui_scene_move (scene, UI_MOVE_DOWN, &item));
  g_assert_true (item.type == UI_ITEM_QUERY && item.query == 0);
  g_assert_false (ui_scene_move (scene, UI_MOVE_UP, &item));
  g_assert_false (ui_scene_move (scene, UI_MOVE_LEFT, &item));
  while (ui_scene_move (scene, UI_MOVE_DOWN, &item))
    steps++;
  g_assert_cmpint (steps, ==, 2);
  g_assert_true (ui_scene_move (scene, UI_MOVE_RIGHT, &item));
  g_assert_true (item.type == UI_ITEM_KEY && item.key == 2);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &item));
  g_assert_cmpint (item.key, ==, 7);
  g_assert_false (ui_scene_move (scene, UI_MOVE_DOWN, &item));
  /* There is no eighth query; the nearest one has the focus. */
  g_assert_true (ui_scene_move (scene, UI_MOVE_LEFT, &item));
  g_assert_true (item.type == UI_ITEM_QUERY && item.query == 2);
  g_assert_true (ui_scene_move (scene, UI_MOVE_FIRST, &item));
  g_assert_cmpint (item.query, ==, 0);
  item = (UiItem) { .type = UI_ITEM_LINK, .query = 1, .key = 5 };
  g_assert_true (ui_scene_move (scene, UI_MOVE_UP, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_QUERY);
}

/* Pieces of one word are joined where the vocabulary marks starts of words, as where it marks what
 * continues them; punctuation, template tokens and scripts without spaces are not. */
static void
test_joined_pieces (void)
{
  static const struct { const char *text; gboolean continues; const char *prefix; } pieces[] = {
    { " se", FALSE, "" }, { "es", TRUE, "" }, { "3", TRUE, "" }, { ".", FALSE, "" },
    { "The", FALSE, "" }, { " 北", FALSE, "" }, { "京", FALSE, "" }, { " don", FALSE, "" },
    { "'", FALSE, "" }, { "t", FALSE, "" }, { " a", FALSE, "" }, { "##b", FALSE, "" },
  };
  const char *words[G_N_ELEMENTS (pieces) + 1] = { NULL };
  static const char *const wordpiece[] = { "vast", "##ern", "er", NULL };
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (EngTrace) other = scene_trace_new (wordpiece, NULL, 2);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (UiScene) plain = make_scene (other, document, &window);
  const UiHeadToken *tokens = ((const UiHeadScene *) plain)->tokens[UI_SIDE_KEYS];

  g_assert_cmpstr (tokens[2].prefix, ==, "##");
  g_assert_true (tokens[2].continues);
  g_assert_false (tokens[3].continues);

  for (gsize i = 0; i < G_N_ELEMENTS (pieces); i++)
    words[i] = pieces[i].text;
  trace = scene_trace_new (words, NULL, 2);
  scene = make_scene (trace, document, &window);
  tokens = ((const UiHeadScene *) scene)->tokens[UI_SIDE_QUERIES];
  g_assert_false (tokens[0].continues);
  for (gsize i = 0; i < G_N_ELEMENTS (pieces); i++) {
    g_assert_cmpint (tokens[i + 1].continues, ==, pieces[i].continues);
    g_assert_cmpstr (tokens[i + 1].prefix, ==, pieces[i].prefix);
  }
}

static void
test_cross_and_mask (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (5, 9, 6);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GArray) links = NULL;

  document->threshold = 0;
  scene = make_scene (trace, document, &window);
  links = get_links (scene, NULL);
  g_assert_cmpint (links->len, >, 0);
  for (guint i = 0; i < links->len; i++) {
    int query, key;

    find_ends (scene, &g_array_index (links, UiLink, i), &query, &key);
    g_assert_cmpint (key, <=, query);
  }
}

/* 40 units for few tokens, 18 for many, between them what fits the view. */
static void
test_rows_shrink (void)
{
  static const struct { int n; double least, most; gboolean fits; } cases[] = {
    { 6, 40, 40, TRUE }, { 22, 20, 24, TRUE }, { 128, 18, 18, FALSE }
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (EngTrace) trace = scene_trace_new_long (cases[i].n, 2);
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = make_scene (trace, document, &window);
    const UiHeadLayout *layout = &((const UiHeadScene *) scene)->layout;
    double width, height;

    ui_scene_get_size (scene, &width, &height);
    g_assert_cmpfloat (layout->row, >=, cases[i].least);
    g_assert_cmpfloat (layout->row, <=, cases[i].most);
    g_assert_cmpfloat (layout->text_size, <=, 0.75 * layout->row);
    g_assert_true (cases[i].fits == (height <= window.view_height));
    g_assert_cmpfloat (width, ==, window.width);
    g_assert_cmpfloat (ui_scene_get_header (scene), >, 10);
  }
}

/* 340 in a drawing of 992, growing to 560; narrow windows and large text still have
 * everything. */
static void
test_widths (void)
{
  static const struct { double width, scale, least, most, lanes; } cases[] = {
    { 992, 1, 340, 340, 99 }, { 1200, 1, 400, 500, 99 }, { 2400, 1, 560, 560, 99 },
    { 700, 1, 200, 330, 48 }, { 300, 1, 76, 170, 12 },   { 262, 1, 76, 110, 12 },
    { 992, 2, 220, 400, 48 }, { 479, 1, 110, 170, 48 },
  };
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  g_autoptr (UiDocument) document = ui_document_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiSceneOptions options = window;
    g_autoptr (UiScene) scene = NULL;
    const UiHeadLayout *layout;
    double width;

    options.width = cases[i].width;
    options.text_scale = cases[i].scale;
    scene = make_scene (trace, document, &options);
    layout = &((const UiHeadScene *) scene)->layout;
    ui_scene_get_size (scene, &width, NULL);
    g_assert_cmpfloat (ui_head_layout_get_field (layout).width, >=, cases[i].least);
    g_assert_cmpfloat (ui_head_layout_get_field (layout).width, <=, cases[i].most);
    g_assert_cmpfloat (width, >=, cases[i].width);
    /* Two panels side by side in a window of 1280; a head beside the grid of all. */
    if (cases[i].width == 479 || cases[i].width < 300)
      g_assert_cmpfloat (width, ==, cases[i].width);
    for (int side = 0; side < 2; side++) {
      const UiRect *lanes = &layout->columns[side].lanes;

      g_assert_cmpfloat (lanes->x, >=, 0);
      g_assert_cmpfloat (lanes->x + lanes->width, <=, width + 1e-9);
      g_assert_cmpfloat (lanes->width, >=, cases[i].lanes * cases[i].scale);
    }
  }
}

static void
test_long_token (void)
{
  static const char *const words[] = { "Donaudampfschifffahrtsgesellschaftskapitänsmütze", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (words, NULL, 1);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
  const UiRect *column = &((const UiHeadScene *) scene)->layout.columns[UI_SIDE_KEYS].column;
  UiItem item = { .type = UI_ITEM_KEY, .key = 1 };
  g_autofree char *sentence = ui_scene_describe (scene, &item);
  UiRect rect;

  g_assert_true (ui_scene_get_rect (scene, &item, &rect));
  g_assert_cmpfloat (rect.x, >=, column->x);
  g_assert_cmpfloat (rect.x + rect.width, <=, column->x + column->width);
  g_assert_nonnull (strstr (sentence, words[0]));
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

    set (document, cases[i].field, cases[i].value);
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

  set (document, "filter", "ab");
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *message = g_strdup_printf ("The filter ab needs two sentences that read each "
                                                "other, which the %s attention here has not",
                                                kinds[i]);
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) neurons = NULL;

    set (document, "kind", kinds[i]);
    set (document, "view", "head");
    g_assert_null (ui_scene_new (stacks, document, &window, &error));
    g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
    g_assert_cmpstr (error->message, ==, message);
    set (document, "view", "neuron");
    neurons = ui_scene_new (stacks, document, &window, NULL);
    g_assert_nonnull (neurons);
  }

  g_assert_null (ui_scene_new (decoder, document, &window, &missing));
  g_assert_cmpstr (missing->message, ==, "There is no cross attention here, only decoder");
}

static gpointer
draw_in_thread (gpointer data)
{
  return draw (data, NULL);
}

static void
test_threads (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 12);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
  g_autofree char *expected = draw (scene, NULL);
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
  g_autoptr (UiScene) scene = make_scene (trace, document, &window);
  g_autofree char *before = draw (scene, NULL);
  g_autofree char *after = NULL;

  set (document, "pin", "1");
  ui_document_free (document);
  eng_trace_unref (trace);
  after = draw (scene, NULL);
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
  g_test_add_func ("/scene/head/lane-numbers-apart", test_lane_numbers_apart);
  g_test_add_func ("/scene/head/clip", test_clip);
  g_test_add_func ("/scene/head/hit-links", test_hit_links);
  g_test_add_func ("/scene/head/hit-one-link", test_hit_one_link);
  g_test_add_func ("/scene/head/hit-tokens", test_hit_tokens);
  g_test_add_func ("/scene/head/hit-bars", test_hit_bars);
  g_test_add_func ("/scene/head/move", test_move);
  g_test_add_func ("/scene/head/joined-pieces", test_joined_pieces);
  g_test_add_func ("/scene/head/cross-and-mask", test_cross_and_mask);
  g_test_add_func ("/scene/head/rows-shrink", test_rows_shrink);
  g_test_add_func ("/scene/head/widths", test_widths);
  g_test_add_func ("/scene/head/long-token", test_long_token);
  g_test_add_func ("/scene/head/refusals", test_refusals);
  g_test_add_func ("/scene/head/filters-refused", test_filters_refused);
  g_test_add_func ("/scene/head/threads", test_threads);
  g_test_add_func ("/scene/head/lives-alone", test_lives_alone);
  return g_test_run ();
}
