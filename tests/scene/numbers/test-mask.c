/* SPDX-License-Identifier: MIT */
/* What masks hide, in words and as marks; every mask is written out by hand. */
#include "ui/scene/numbers/mask.h"

#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "tests/support/traces.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/thumbnail.h"
#include "ui/scene/base/readings.h"
#include "ui/scene/head/head-scene.h"
#include "ui/scene/neuron/neuron-scene.h"

typedef struct {
  const char *name;
  int         n_queries;
  int         n_keys;
  const char *mask;      /* row by row: 1 = visible */
  const char *words;     /* NULL = nothing is hidden */
} Case;

static const Case cases[] = {
  { "all-visible", 2, 3, "111" "111", NULL },
  { "causal", 3, 3, "100" "110" "111", "each token sees itself and what stands before it" },
  { "window", 4, 4, "1000" "1100" "0110" "0011", "each token sees itself and the 1 before it" },
  { "both-sides", 4, 4, "1100" "1110" "0111" "0011",
    "each token sees those up to 1 place away" },
  { "padding", 2, 3, "110" "110", "1 token is hidden from all" },
  { "causal-and-padding", 4, 4, "1000" "1100" "1100" "1100",
    "each token sees itself and what stands before it; 2 tokens are hidden from all" },
  { "uneven", 3, 3, "110" "111" "011", "each token sees those up to 1 place away" },
  { "a-hole", 3, 3, "101" "111" "111", "1 of 9 pairs are hidden" },
  { "anticausal", 3, 3, "111" "011" "001", "3 of 9 pairs are hidden" },
  { "rectangular", 2, 3, "100" "111", "2 of 6 pairs are hidden" },
};

/* attention without weights; the mask is static. */
static EngAttention
make_attention (const Case *test,
                guint8     *mask)
{
  for (int i = 0; i < test->n_queries * test->n_keys; i++)
    mask[i] = test->mask[i] == '1';
  return (EngAttention) {
    .n_heads = 1, .n_queries = test->n_queries, .n_keys = test->n_keys, .mask = mask
  };
}

static void
test_words (gconstpointer data)
{
  const Case *test = data;
  guint8 mask[16];
  EngAttention attention = make_attention (test, mask);
  g_autofree char *words = ui_mask_describe (&attention);

  g_assert_cmpstr (words, ==, test->words);
  for (int i = 0; i < test->n_queries * test->n_keys; i++)
    g_assert_cmpint (ui_mask_hides (&attention, i / test->n_keys, i % test->n_keys), ==,
                     test->mask[i] == '0');
}

static void
test_marks (void)
{
  const Case causal = { NULL, 3, 3, "100" "110" "111", NULL };
  const Case padding = { NULL, 2, 3, "110" "110", NULL };
  guint8 mask[9];
  EngAttention attention = make_attention (&causal, mask);
  const int both[] = { 0, 1 };
  g_autofree guint8 *keys = ui_mask_mark_keys (&attention, both, 2);
  g_autofree guint8 *queries = ui_mask_mark_queries (&attention, both + 1, 1);
  g_autofree guint8 *hidden = NULL;

  g_assert_cmpmem (keys, 3, "\0\0\1", 3);
  g_assert_cmpmem (queries, 3, "\1\0\0", 3);
  g_assert_null (ui_mask_mark_keys (&attention, NULL, 0));
  g_assert_cmpint (ui_mask_count_hidden (&attention, 0), ==, 2);

  attention = make_attention (&padding, mask);
  hidden = ui_mask_mark_keys (&attention, NULL, 0);
  g_assert_cmpmem (hidden, 3, "\0\0\1", 3);

  attention.mask = NULL;
  g_assert_null (ui_mask_describe (&attention));
  g_assert_null (ui_mask_mark_keys (&attention, both, 1));
  g_assert_null (ui_mask_mark_queries (&attention, both, 1));
  g_assert_cmpint (ui_mask_count_hidden (&attention, 0), ==, 0);
}

/* Noughts above the diagonal are no mask, but they are said to be there; one weight there is enough
 * to say nothing. */
static void
test_missing (void)
{
  float weights[2 * 4] = { 1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f };
  guint8 mask[4] = { 1, 0, 1, 1 };
  EngAttention attention = { 2, 2, 2, weights, NULL };

  g_assert_true (ui_mask_is_missing (&attention));
  attention.mask = mask;
  g_assert_false (ui_mask_is_missing (&attention));
  attention.mask = NULL;
  weights[5] = 1e-30f;
  g_assert_false (ui_mask_is_missing (&attention));
}

static UiScene *
make_scene (EngTrace   *trace,
            const char *pins)
{
  UiSceneOptions options = { UI_THEME_LIGHT, 992, 600, 1, FALSE };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (ui_document_set (document, ui_fields_find ("pin"), pins, &error));
  return scene_case_new (trace, document, &options);
}

static char *
describe (UiScene    *scene,
          UiItemType  type,
          int         head,
          int         query,
          int         key)
{
  UiItem item = { .type = type, .head = head, .query = query, .key = key };

  return ui_scene_describe (scene, &item);
}

static void
test_sentences (void)
{
  g_autoptr (EngTrace) causal = scene_trace_new_masked (SCENE_MASK_CAUSAL, 5, 2);
  g_autoptr (EngTrace) padded = scene_trace_new_masked (SCENE_MASK_PADDED, 5, 2);
  g_autoptr (UiScene) plain = make_scene (causal, "");
  g_autoptr (UiScene) pinned = make_scene (causal, "1");
  g_autoptr (UiScene) padding = make_scene (padded, "");
  g_autofree char *link = describe (plain, UI_ITEM_LINK, 0, 1, 3);
  g_autofree char *reader = describe (plain, UI_ITEM_QUERY, 0, 1, 0);
  g_autofree char *last = describe (plain, UI_ITEM_QUERY, 0, 4, 0);
  g_autofree char *read = describe (plain, UI_ITEM_KEY, 0, 0, 3);
  g_autofree char *beside = describe (pinned, UI_ITEM_KEY, 0, 0, 4);
  g_autofree char *pad = describe (padding, UI_ITEM_KEY, 0, 0, 4);

  g_assert_cmpstr (link, ==, "“w1” (1) does not see “w3” (3): the model masks it.");
  g_assert_true (g_str_has_suffix (reader, " 3 of 5 tokens are masked for it."));
  g_assert_null (strstr (last, "masked"));
  g_assert_true (g_str_has_suffix (read, " Masked for 3 of 5 tokens."));
  g_assert_cmpstr (beside, ==, "“w1” (1) does not see “w4” (4): the model masks it.");
  g_assert_cmpstr (pad, ==, "“[PAD]” (4) is hidden from all tokens: the model masks it.");
}

/* What padding reads is drawn, said and listed when it is pinned and only then; what is left is
 * what a text without padding shows. */
static void
test_padding_is_left_out (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_masked (SCENE_MASK_PADDED, 5, 2);
  g_autoptr (UiScene) plain = make_scene (trace, "");
  g_autoptr (UiScene) pinned = make_scene (trace, "4");
  g_autofree char *legend = ui_scene_legend (plain);
  g_autofree char *pinned_legend = ui_scene_legend (pinned);
  g_autofree char *words = describe (plain, UI_ITEM_QUERY, 0, 4, 0);
  g_autofree char *pinned_words = describe (pinned, UI_ITEM_QUERY, 0, 4, 0);
  g_autofree char *numbers = ui_scene_numbers (plain);
  g_autofree char *pinned_numbers = ui_scene_numbers (pinned);
  UiItem key = { .type = UI_ITEM_KEY, .key = 0 };
  g_autoptr (GArray) readers = ui_scene_readings (plain, &key, FALSE);

  g_assert_nonnull (strstr (legend, " What 2 padding tokens read is left out."));
  g_assert_nonnull (strstr (pinned_legend, " What 1 padding token reads is left out."));
  g_assert_cmpstr (words, ==, "“[PAD]” (4) is padding; what it reads is shown when it is pinned.");
  g_assert_true (g_str_has_prefix (pinned_words, "“[PAD]” (4) reads “w"));
  g_assert_null (strstr (numbers, "[PAD]"));
  g_assert_nonnull (strstr (pinned_numbers, "4\t[PAD]\t0\tw0\t"));
  g_assert_cmpuint (readers->len, ==, 3);
}

/* A cross block's readers are the decoder's tokens: its mask says which are padding. */
static void
test_hidden_readers (void)
{
  g_autoptr (EngTrace) padded = scene_trace_new_masked (SCENE_MASK_PADDED, 5, 2);
  g_autoptr (EngTrace) stacks = scene_trace_new_two_stacks (4, 6);
  g_autoptr (UiScene) self = make_scene (padded, "");
  g_autoptr (UiScene) encoder = make_scene (stacks, "");
  const UiHeadScene *heads = (const UiHeadScene *) self;

  for (int side = 0; side < 2; side++)
    g_assert_cmpmem (heads->hidden[side], 5, "\0\0\0\1\1", 5);
  heads = (const UiHeadScene *) encoder;
  g_assert_null (heads->hidden[UI_SIDE_QUERIES]);
  g_assert_null (heads->hidden[UI_SIDE_KEYS]);
}

/* The rectangles that a scene hatches, top to bottom. */
static GArray *
get_hatched (UiScene *scene)
{
  g_autofree char *drawing = scene_case_print (scene, NULL);
  g_auto (GStrv) lines = g_strsplit (drawing, "\n", -1);
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (UiRect));

  for (int i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", -1);
    UiRect rect;

    if (g_strcmp0 (words[0], "hatch") != 0)
      continue;
    rect.x = g_ascii_strtod (words[1], NULL);
    rect.y = g_ascii_strtod (words[2], NULL);
    rect.width = g_ascii_strtod (words[3], NULL);
    rect.height = g_ascii_strtod (words[4], NULL);
    g_array_append_val (rects, rect);
  }
  return rects;
}

/* "2-4" of the keys, "q0-1" of the queries: the runs of rows that are to be hatched. */
static void
assert_hatched (SceneMask   mask,
                const char *pins,
                const char *expected)
{
  g_autoptr (EngTrace) trace = scene_trace_new_masked (mask, 6, 2);
  g_autoptr (UiScene) scene = make_scene (trace, pins);
  g_autoptr (GArray) rects = get_hatched (scene);
  g_auto (GStrv) runs = g_strsplit (expected, " ", -1);
  const UiHeadLayout *layout = &((const UiHeadScene *) scene)->layout;

  g_assert_cmpuint (rects->len, ==, *expected != '\0' ? g_strv_length (runs) : 0);
  for (guint i = 0; i < rects->len; i++) {
    const UiRect *rect = &g_array_index (rects, UiRect, i);
    UiSide side = runs[i][0] == 'q' ? UI_SIDE_QUERIES : UI_SIDE_KEYS;
    const char *rows = runs[i] + (side == UI_SIDE_QUERIES ? 1 : 0);
    const UiHeadColumn *column = &layout->columns[side];
    int first = rows[0] - '0';
    int last = rows[2] - '0';

    g_assert_cmpfloat_with_epsilon (rect->x, column->column.x, 0.06);
    g_assert_cmpfloat_with_epsilon (rect->width, column->column.width, 0.06);
    g_assert_cmpfloat_with_epsilon (rect->y, column->y[first] - layout->row / 2, 0.06);
    g_assert_cmpfloat_with_epsilon (rect->height, (last - first + 1) * layout->row, 0.06);
  }
}

static void
test_hatching (void)
{
  assert_hatched (SCENE_MASK_NONE, "1", "");
  assert_hatched (SCENE_MASK_CAUSAL, "", "");
  assert_hatched (SCENE_MASK_CAUSAL, "1", "2-5");
  assert_hatched (SCENE_MASK_CAUSAL, "1,3", "4-5");
  assert_hatched (SCENE_MASK_CAUSAL, "5", "");
  assert_hatched (SCENE_MASK_CAUSAL, "k:3", "q0-2");
  assert_hatched (SCENE_MASK_LOCAL, "4", "0-1 5-5");
  assert_hatched (SCENE_MASK_LOCAL, "k:1", "q0-0 q4-5");
  assert_hatched (SCENE_MASK_PADDED, "", "4-5");
  assert_hatched (SCENE_MASK_PADDED, "0", "4-5");
}

static guint32
pack (UiColor color)
{
  return 0xff000000u | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;
}

/* Masked cells of a thumbnail are strokes and plate, the others never a stroke. */
static void
test_thumbnail (void)
{
  const int size = 56, n = 4, cell = size / n;
  g_autoptr (EngTrace) trace = scene_trace_new_masked (SCENE_MASK_CAUSAL, n, 1);
  g_autoptr (UiDocument) document = ui_document_new ();
  const UiPalette *palette = ui_palette_get (UI_THEME_LIGHT);
  UiColor plate = ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
  guint32 empty = pack (plate);
  guint32 stroke = pack (ui_color_mix (plate, palette->hatch, palette->hatch.a / 255.0));
  int n_strokes = 0;
  const guint32 *pixels;
  UiWeights weights;
  UiThumbnail map;

  g_assert_true (ui_weights_init (&weights, trace, document, ENG_KIND_DECODER, 0, NULL, NULL));
  ui_thumbnail_init (&map, &weights, 0, UI_THEME_LIGHT, size);
  g_assert_cmpint (map.width, ==, size);
  pixels = (const guint32 *) map.pixels;
  for (int row = 0; row < size; row++) {
    for (int column = 0; column < size; column++) {
      guint32 pixel = pixels[row * size + column];
      gboolean masked = column / cell > row / cell;

      n_strokes += pixel == stroke;
      g_assert_true (pixel != stroke || masked);
      g_assert_true (!masked || pixel == stroke || pixel == empty);
    }
  }
  /* A stroke each five pixels over six of the sixteen cells. */
  g_assert_cmpint (n_strokes, >, 6 * cell * cell / 8);
  g_assert_cmpint (n_strokes, <, 6 * cell * cell / 3);
  ui_thumbnail_clear (&map);
  ui_weights_clear (&weights);
}

/* Attention that a real GPT-2 computed, by somebody who wrote no mask along. */
static void
test_gpt2 (void)
{
  g_autoptr (EngTrace) trace = traces_open ("shared/gpt2.fox.safetensors");
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *legend = NULL;

  if (trace == NULL)
    return;
  scene = make_scene (trace, "2");
  legend = ui_scene_legend (scene);
  g_assert_nonnull (strstr (legend, "these weights are exactly 0, and the trace holds no mask"));
  g_assert_null (strstr (legend, "Hatched"));
}

/* Of two heads each sees the key that the other one does not, from the first token; a scene hatches
 * what all heads hide that it shows. */
static void
test_heads (void)
{
  static const struct {
    const char *settings;
    gboolean    hidden[2]; /* of keys 1 and 2 */
  } scenes[] = {
    { "heads=0", { TRUE, FALSE } },
    { "heads=1", { FALSE, TRUE } },
    { "heads=0,1", { FALSE, FALSE } },
    { "heads=0 aggregate=mean", { TRUE, FALSE } },
    { "heads=0,1 aggregate=mean", { FALSE, FALSE } },
  };
  static const UiSceneOptions options = { .width = 400, .text_scale = 1 };
  g_autoptr (EngTrace) trace = scene_trace_new_exact (3, 0, 2);
  const int n = eng_trace_get_n_keys (trace, ENG_KIND_ENCODER);
  guint8 *masks = g_malloc (2 * n * n), *seen = g_malloc (n * n);
  UiWeights weights;
  g_autoptr (UiDocument) all = ui_document_new ();
  g_autoptr (GError) error = NULL;

  memset (masks, 1, 2 * n * n);
  memset (seen, 1, n * n);
  masks[1] = masks[n * n + 2] = 0;
  eng_trace_keep (trace, masks, 0, g_free);
  eng_trace_keep (trace, seen, 0, g_free);
  trace->blocks[ENG_KIND_ENCODER].layers[0].head_masks = masks;
  trace->blocks[ENG_KIND_ENCODER].layers[0].mask = seen;
  for (gsize i = 0; i < G_N_ELEMENTS (scenes); i++) {
    g_autoptr (UiScene) scene =
      scene_case_new_view (trace, UI_VIEW_HEAD, scenes[i].settings, &options);

    g_test_message ("%s", scenes[i].settings);
    for (int key = 0; key < n; key++)
      g_assert_cmpint (ui_mask_hides (scene->attention, 0, key), ==,
                       key == 1 ? scenes[i].hidden[0] : key == 2 ? scenes[i].hidden[1] : FALSE);
    g_assert_false (ui_mask_hides (scene->attention, 1, 1));
  }

  /* Maps of heads are hatched each by itself. */
  g_assert_true (ui_weights_init (&weights, trace, all, ENG_KIND_ENCODER, 0, NULL, &error));
  for (int head = 0; head < 2; head++) {
    UiThumbnail map;

    ui_thumbnail_init_cells (&map, &weights, head, UI_THEME_LIGHT);
    g_assert_cmpint (map.masked[1], ==, head == 0);
    g_assert_cmpint (map.masked[2], ==, head == 1);
    ui_thumbnail_clear (&map);
  }
  ui_weights_clear (&weights);
}

/* The first token of a causal text reads itself with weight 1, which says nothing of a head: neither
 * is its link among the strongest, nor does the neuron view explain it. */
static void
test_no_choice (void)
{
  static const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (EngTrace) trace = scene_trace_new_masked (SCENE_MASK_CAUSAL, 6, 2);
  g_autoptr (EngTrace) alone = scene_trace_new_masked (SCENE_MASK_CAUSAL, 1, 1);
  g_autoptr (UiScene) heads = scene_case_new_view (trace, UI_VIEW_HEAD, "", &options);
  g_autoptr (UiScene) one = scene_case_new_view (alone, UI_VIEW_HEAD, "", &options);
  g_autoptr (GArray) links = ui_readings_find_strongest (heads, 5);
  g_autoptr (GArray) only = ui_readings_find_strongest (one, 5);

  g_assert_cmpuint (links->len, ==, 5);
  for (guint i = 0; i < links->len; i++)
    g_assert_cmpint (g_array_index (links, UiLinkReading, i).query, >, 0);
  g_assert_false (ui_mask_leaves_choice (heads->attention, 0));
  g_assert_true (ui_mask_leaves_choice (heads->attention, 1));
  g_assert_cmpuint (only->len, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/scene/mask/words/", cases[i].name, NULL);

    g_test_add_data_func (path, &cases[i], test_words);
  }
  g_test_add_func ("/scene/mask/marks", test_marks);
  g_test_add_func ("/scene/mask/missing", test_missing);
  g_test_add_func ("/scene/mask/sentences", test_sentences);
  g_test_add_func ("/scene/mask/padding-is-left-out", test_padding_is_left_out);
  g_test_add_func ("/scene/mask/hidden-readers", test_hidden_readers);
  g_test_add_func ("/scene/mask/hatching", test_hatching);
  g_test_add_func ("/scene/mask/thumbnail", test_thumbnail);
  g_test_add_func ("/scene/mask/heads", test_heads);
  g_test_add_func ("/scene/mask/no-choice", test_no_choice);
  g_test_add_func ("/scene/mask/gpt2", test_gpt2);
  return g_test_run ();
}
