/* SPDX-License-Identifier: MIT */
/* Attention that real models of other kinds computed, in both views and every kind of block: what
 * people bring along. The numbers that are said are compared with the file's own. */
#include <locale.h>
#include <string.h>

#include "tests/support/scene-case.h"
#include "tests/support/traces.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/export/export.h"
#include "ui/scene/head/head-scene.h"

#define NO_VECTORS "The trace holds no queries and keys of this layer"

typedef struct {
  const char *file;
  const char *kind;
  int         n_queries;
  int         n_keys;
  int         n_heads;
  const char *queries; /* the first three tokens as they are drawn */
  const char *keys;
  const char *reads;   /* headings */
  const char *is_read;
} Case;

static const Case cases[] = {
  { "gpt2.fox", "decoder", 10, 10, 12, "The quick brown", "The quick brown", "reads", "is read" },
  { "roberta-base.cat-mat", "encoder", 16, 16, 12, "<s> The cat", "<s> The cat", "reads",
    "is read" },
  { "opus-mt-en-de.elephant", "encoder", 7, 7, 8, "She sees the", "She sees the",
    "encoder reads", "encoder is read" },
  { "opus-mt-en-de.elephant", "decoder", 14, 14, 8, "Sie si eh", "Sie si eh", "decoder reads",
    "decoder is read" },
  { "opus-mt-en-de.elephant", "cross", 14, 7, 8, "Sie si eh", "She sees the", "decoder reads",
    "encoder is read" },
};

/* NULL, and the test skipped, where the files are not there. */
static EngTrace *
open_trace (const Case *test)
{
  g_autofree char *name = g_strconcat ("shared/", test->file, ".safetensors", NULL);

  return traces_open (name);
}

static UiDocument *
make_document (const Case *test,
               UiViewKind  view)
{
  UiDocument *document = ui_document_new ();

  document->view = view;
  g_assert_true (ui_document_set (document, ui_fields_find ("kind"), test->kind, NULL));
  return document;
}

static UiScene *
make_scene (EngTrace   *trace,
            const Case *test,
            UiViewKind  view)
{
  static const UiSceneOptions options = { .width = 992, .view_height = 600, .text_scale = 1 };
  g_autoptr (UiDocument) document = make_document (test, view);

  return scene_case_new (trace, document, &options);
}

static void
assert_tokens (const UiHeadScene *scene,
               UiSide             side,
               int                n,
               const char        *first)
{
  const UiHeadToken *tokens = scene->tokens[side];
  g_autofree char *text = g_strjoin (" ", tokens[0].text, tokens[1].text, tokens[2].text, NULL);

  g_assert_cmpint (scene->layout.columns[side].n, ==, n);
  g_assert_cmpstr (text, ==, first);
}

static void
test_scene (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (EngTrace) trace = open_trace (test);
  g_autoptr (UiScene) heads = NULL;
  g_autoptr (UiScene) neurons = NULL;
  g_autofree char *legend = NULL;
  g_autofree char *plain = NULL;

  if (trace == NULL)
    return;
  heads = make_scene (trace, test, UI_VIEW_HEAD);
  neurons = make_scene (trace, test, UI_VIEW_NEURON);
  assert_tokens ((const UiHeadScene *) heads, UI_SIDE_QUERIES, test->n_queries, test->queries);
  assert_tokens ((const UiHeadScene *) heads, UI_SIDE_KEYS, test->n_keys, test->keys);
  g_assert_cmpint (heads->weights.n_heads, ==, test->n_heads);
  g_assert_cmpint (neurons->weights.n_heads, ==, 1);
  g_assert_cmpstr (ui_describe_heading (heads, FALSE), ==, test->reads);
  g_assert_cmpstr (ui_describe_heading (heads, TRUE), ==, test->is_read);

  legend = ui_scene_legend (neurons);
  plain = ui_scene_legend (heads);
  g_assert_true (g_str_has_prefix (legend, NO_VECTORS));
  g_assert_null (strstr (plain, NO_VECTORS));
}

/* The sentence of every pair of tokens names the weight of the file. */
static void
test_sentences (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (EngTrace) trace = open_trace (test);
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (EngAttention) attention = NULL;
  int head = test->n_heads - 1;

  if (trace == NULL)
    return;
  scene = make_scene (trace, test, UI_VIEW_HEAD);
  attention = eng_trace_dup_attention (trace, scene->kind, 0);
  for (int query = 0; query < test->n_queries; query++) {
    for (int key = 0; key < test->n_keys; key++) {
      UiItem item = { .type = UI_ITEM_LINK, .head = head, .query = query, .key = key };
      gsize cell = ((gsize) head * test->n_queries + query) * test->n_keys + key;
      g_autofree char *weight = ui_describe_weight (attention->weights[cell]);
      g_autofree char *words = g_strdup_printf (" with weight %s in head %d of layer 0", weight,
                                                head);
      g_autofree char *sentence = ui_scene_describe (scene, &item);

      g_assert_nonnull (strstr (sentence, words));
    }
  }
}

/* What is written for a paper. */
static void
test_figure (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (EngTrace) trace = open_trace (test);

  if (trace == NULL)
    return;
  for (int view = UI_VIEW_HEAD; view <= UI_VIEW_NEURON; view++) {
    g_autoptr (UiDocument) document = make_document (test, (UiViewKind) view);
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) svg = NULL;
    g_autofree char *text = NULL;

    ui_pins_click (&document->pins, FALSE, 2, FALSE);
    svg = ui_figure_to_bytes (trace, document, UI_FIGURE_SVG, &error);
    g_assert_no_error (error);
    text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
    g_assert_nonnull (strstr (text, test->reads));
    g_assert_nonnull (strstr (text, test->is_read));
    g_assert_cmpint (strstr (text, NO_VECTORS) != NULL, ==, view == UI_VIEW_NEURON);
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strdup_printf ("/scene/traces/%s/%s", cases[i].file, cases[i].kind);
    g_autofree char *scene = g_strconcat (name, "/scene", NULL);
    g_autofree char *sentences = g_strconcat (name, "/sentences", NULL);
    g_autofree char *figure = g_strconcat (name, "/figure", NULL);

    g_test_add_data_func (scene, &cases[i], test_scene);
    g_test_add_data_func (sentences, &cases[i], test_sentences);
    g_test_add_data_func (figure, &cases[i], test_figure);
  }
  return g_test_run ();
}
