/* SPDX-License-Identifier: MIT */
/* The numbers that scenes draw, against numbers that were computed by hand and laws that hold for
 * any trace. */
#include "ui/scene/numbers/weights.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/trace/trace-private.h"
#include "tests/support/fields.h"
#include "tests/support/measured-trace.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/base/scene.h"
#include "ui/scene/views/factory.h"

#define N_HEADS 2
#define N_LAYERS 2

typedef struct {
  EngTrace   *trace;
  UiDocument *document;
  UiWeights   weights;
  gboolean    is_ready;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  unused)
{
  self->trace = measured_trace_new ();
  self->document = ui_document_new ();
}

static void
tear_down (Fixture       *self,
           gconstpointer  unused)
{
  if (self->is_ready)
    ui_weights_clear (&self->weights);
  ui_document_free (self->document);
  eng_trace_unref (self->trace);
}

static void
set (Fixture    *self,
     const char *field,
     const char *value)
{
  fields_set (self->document, field, value);
}

static void
compute (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  EngKind kind = eng_trace_get_default_kind (self->trace);

  if (self->is_ready)
    ui_weights_clear (&self->weights);
  ui_weights_init (&self->weights, self->trace, self->document, kind, self->document->layer,
                   NULL, &error);
  g_assert_no_error (error);
  self->is_ready = TRUE;
}

static void
assert_row (Fixture      *self,
            int           head,
            int           query,
            const double *expected,
            int           n)
{
  g_assert_cmpint (self->weights.attention->n_keys, ==, n);
  for (int key = 0; key < n; key++)
    g_assert_cmpfloat_with_epsilon (ui_weights_get (&self->weights, head, query, key),
                                    expected[key], 1e-6);
}

#define assert_row_is(self, head, query, ...)                                 \
  G_STMT_START {                                                              \
    const double expected[] = { __VA_ARGS__ };                                \
                                                                              \
    assert_row (self, head, query, expected, (int) G_N_ELEMENTS (expected));  \
  } G_STMT_END

/* Without extras nothing is copied: the block is the trace's own. */
static void
test_plain (Fixture       *self,
            gconstpointer  unused)
{
  g_autoptr (EngAttention) own = eng_trace_dup_attention (self->trace, ENG_KIND_ENCODER, 0);

  compute (self);
  g_assert_true (self->weights.attention->weights == own->weights);
  g_assert_cmpint (self->weights.n_heads, ==, N_HEADS);
  g_assert_cmpfloat (self->weights.block.unit, ==, 1);
  g_assert_null (self->weights.row_scale);
  g_assert_null (self->weights.row_floor);
  assert_row_is (self, 0, 0, 0.1, 0.2, 0.3, 0.4);
}

static void
test_heads (Fixture       *self,
            gconstpointer  unused)
{
  set (self, "aggregate", "mean");
  compute (self);
  g_assert_true (self->weights.block.is_aggregate);
  g_assert_cmpint (self->weights.n_heads, ==, 1);
  assert_row_is (self, 0, 0, 0.55, 0.1, 0.15, 0.2);
  assert_row_is (self, 0, 3, 0.45, 0.15, 0.15, 0.25);

  set (self, "aggregate", "max");
  compute (self);
  assert_row_is (self, 0, 0, 1, 0.2, 0.3, 0.4);
  assert_row_is (self, 0, 2, 0.25, 0.25, 1, 0.25);

  /* One head is itself, whatever is asked for. */
  set (self, "heads", "1");
  compute (self);
  g_assert_false (self->weights.block.is_aggregate);
  g_assert_cmpint (self->weights.heads[0], ==, 1);
  assert_row_is (self, 1, 1, 0, 0.5, 0.5, 0);
}

static void
test_layers (Fixture       *self,
             gconstpointer  unused)
{
  set (self, "layers", "mean");
  set (self, "heads", "1");
  compute (self);
  g_assert_false (self->weights.block.is_aggregate);
  g_assert_cmpint (self->weights.block.n_layers, ==, N_LAYERS);
  assert_row_is (self, 1, 1, 0.2, 0.4, 0.35, 0.05);

  set (self, "layers", "max");
  compute (self);
  assert_row_is (self, 1, 1, 0.4, 0.5, 0.5, 0.1);
}

/* A larger trace against the trace's own numbers. */
static void
test_aggregates_of_a_long_text (Fixture       *self,
                                gconstpointer  unused)
{
  const int heads[] = { 0, 2, 5 };

  eng_trace_unref (self->trace);
  self->trace = scene_trace_new_long (20, 6);
  set (self, "heads", "0,2,5");
  for (int how = UI_AGGREGATE_MEAN; how <= UI_AGGREGATE_MAX; how++) {
    self->document->aggregate = (UiAggregate) how;
    compute (self);
    for (int cell = 0; cell < 400; cell++) {
      double sum = 0, most = 0;

      for (int i = 0; i < 3; i++) {
        double weight = scene_trace_weight (self->trace, ENG_KIND_ENCODER, heads[i], cell / 20,
                                            cell % 20);

        sum += weight;
        most = MAX (most, weight);
      }
      g_assert_cmpfloat_with_epsilon (ui_weights_get (&self->weights, 0, cell / 20, cell % 20),
                                      how == UI_AGGREGATE_MEAN ? sum / 3 : most, 1e-6);
    }
  }
}

/* Sum over the pieces that are read, mean over those that read. */
static void
test_words (Fixture       *self,
            gconstpointer  unused)
{
  set (self, "words", "true");
  compute (self);
  g_assert_cmpint (self->weights.attention->n_queries, ==, 3);
  g_assert_cmpstr (self->weights.block.queries->texts[1], ==, "playing");
  g_assert_true (self->weights.block.keys == self->weights.block.queries);
  assert_row_is (self, 0, 0, 0.1, 0.5, 0.4);
  assert_row_is (self, 0, 1, 0.325, 0.5, 0.175);
  assert_row_is (self, 1, 1, 0, 1, 0);
  for (int head = 0; head < N_HEADS; head++) {
    for (int query = 0; query < 3; query++) {
      double sum = 0;

      for (int key = 0; key < 3; key++)
        sum += ui_weights_get (&self->weights, head, query, key);
      g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
    }
  }
}

/* Pins of a document are tokens, those of a scene its rows. */
static void
test_pins_of_words (Fixture       *self,
                    gconstpointer  unused)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = NULL;
  const UiPins *pins;

  set (self, "words", "true");
  set (self, "pin", "2,k:1,k:2,k:3");
  scene = ui_scene_new (self->trace, self->document, &options, &error);
  g_assert_no_error (error);
  pins = &ui_scene_get_document (scene)->pins;
  g_assert_cmpint (pins->n_queries, ==, 1);
  g_assert_cmpint (pins->queries[0], ==, 1);
  g_assert_cmpint (pins->n_keys, ==, 2);
  g_assert_cmpint (pins->keys[1], ==, 2);
  g_assert_cmpint (ui_scene_get_token (scene, FALSE, 1), ==, 1);
  g_assert_cmpint (ui_scene_get_token (scene, TRUE, 2), ==, 3);
}

/* A word goes by its first token, by which a pin or an edit would name it. */
static void
test_numbers_of_words (Fixture       *self,
                       gconstpointer  unused)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  const UiItem last = { .type = UI_ITEM_QUERY, .query = 2 };
  static const char *const views[] = { "head", "matrix" };

  set (self, "words", "true");
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) scene = NULL;
    g_autofree char *sentence = NULL;
    g_autofree char *numbers = NULL;

    set (self, "view", views[i]);
    scene = ui_scene_new (self->trace, self->document, &options, &error);
    g_assert_no_error (error);
    sentence = ui_scene_describe (scene, &last);
    g_assert_nonnull (strstr (sentence, "“[SEP]” (3)"));
    numbers = ui_scene_numbers (scene);
    g_assert_nonnull (strstr (numbers, "3\t[SEP]\t"));
    g_assert_null (strstr (numbers, "2\t[SEP]\t"));
  }
}

static void
test_hide_special (Fixture       *self,
                   gconstpointer  unused)
{
  set (self, "hide-special", "true");
  compute (self);
  assert_row_is (self, 0, 0, 0, 0, 0, 0);
  assert_row_is (self, 0, 1, 0, 0.3, 0.2, 0);
  assert_row_is (self, 0, 3, 0, 0, 0, 0);

  set (self, "renormalise", "true");
  compute (self);
  assert_row_is (self, 0, 0, 0, 0, 0, 0);
  assert_row_is (self, 0, 1, 0, 0.6, 0.4, 0);
  assert_row_is (self, 1, 2, 0, 0, 1, 0);
}

static void
test_mass (Fixture       *self,
           gconstpointer  unused)
{
  set (self, "mass", "0.6");
  compute (self);
  g_assert_true (ui_weights_draws (&self->weights, 0, 0, 0.4f));
  g_assert_true (ui_weights_draws (&self->weights, 0, 0, 0.3f));
  g_assert_false (ui_weights_draws (&self->weights, 0, 0, 0.2f));
  /* Of equal ones none is better than the others. */
  g_assert_true (ui_weights_draws (&self->weights, 0, 2, 0.25f));
  g_assert_true (ui_weights_draws (&self->weights, 0, 3, 0.7f));
  g_assert_false (ui_weights_draws (&self->weights, 0, 3, 0.1f));

  set (self, "mass", "0.71");
  compute (self);
  g_assert_true (ui_weights_draws (&self->weights, 0, 0, 0.2f));
  g_assert_false (ui_weights_draws (&self->weights, 0, 0, 0.1f));
}

/* The kept keys reach the part, and without the weakest of them they would not. */
static void
assert_smallest_set (Fixture *self,
                     int      head,
                     int      query)
{
  const UiWeights *weights = &self->weights;
  double sum = 0, kept = 0, weakest = G_MAXDOUBLE;

  for (int key = 0; key < weights->attention->n_keys; key++) {
    double value = ui_weights_get (weights, head, query, key);

    sum += value;
    if (!ui_weights_draws (weights, head, query, value))
      continue;
    kept += value;
    weakest = MIN (weakest, value);
  }
  if (sum == 0)
    return;
  g_assert_cmpfloat (kept, >=, self->document->mass * sum * (1 - 1e-5));
  g_assert_cmpfloat (kept - weakest, <, self->document->mass * sum * (1 + 1e-5));
}

static void
test_mass_of_a_long_text (Fixture       *self,
                          gconstpointer  unused)
{
  static const char *const parts[] = { "0.01", "0.3", "0.5", "0.9", "0.999" };

  eng_trace_unref (self->trace);
  self->trace = scene_trace_new_long (60, 6);
  set (self, "threshold", "0");
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (parts); i++) {
    set (self, "mass", parts[i / 2]);
    set (self, "filter", i % 2 ? "ab" : "all");
    set (self, "renormalise", i % 2 ? "true" : "false");
    compute (self);
    for (int head = 0; head < 6; head++)
      for (int query = 0; query < 60; query++)
        assert_smallest_set (self, head, query);
  }
}

/* The largest norm is drawn in full; a threshold is a part of it. */
static void
test_norms (Fixture       *self,
            gconstpointer  unused)
{
  set (self, "measure", "value-norm");
  set (self, "threshold", "0.02");
  compute (self);
  assert_row_is (self, 0, 0, 0.5, 0.4, 0.3, 0);
  assert_row_is (self, 1, 0, 10, 0, 0, 0);
  g_assert_cmpfloat_with_epsilon (self->weights.block.unit, 10, 1e-5);
  g_assert_cmpfloat_with_epsilon (self->weights.threshold, 0.2, 1e-6);
  g_assert_true (ui_weights_draws (&self->weights, 0, 0, 0.3));
  g_assert_false (ui_weights_draws (&self->weights, 0, 0, 0.1));
  g_assert_cmpfloat_with_epsilon (ui_weights_get_strength (&self->weights, 5), 0.5, 1e-6);
  g_assert_cmpint (ui_weights_get_alpha (&self->weights, 10), ==, 255);
  /* 0.1 of the unit × 1.5 */
  g_assert_cmpint (ui_weights_get_alpha (&self->weights, 1), ==, 38);

  /* Rows that are brought back to 1 are parts, and a whole is drawn in full. */
  set (self, "hide-special", "true");
  set (self, "renormalise", "true");
  compute (self);
  assert_row_is (self, 0, 1, 0, 0.75, 0.25, 0);
  g_assert_cmpfloat (self->weights.block.unit, ==, 1);
  g_assert_cmpfloat_with_epsilon (self->weights.threshold, 0.02, 1e-9);
}

static void
test_norms_are_not_there (Fixture       *self,
                          gconstpointer  unused)
{
  const UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (GError) error = NULL;

  self->trace->blocks[ENG_KIND_ENCODER].layers[1].values.data = NULL;
  set (self, "measure", "value-norm");
  set (self, "layers", "mean");
  g_assert_null (ui_scene_new (self->trace, self->document, &options, &error));
  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, ==,
                   "weight × value norm: layer 1 of the encoder has no values");
}

/* ½ mean over heads + ½ I, in the first layer. */
static void
test_rollout (Fixture       *self,
              gconstpointer  unused)
{
  set (self, "measure", "rollout");
  set (self, "heads", "1");
  set (self, "aggregate", "max");
  compute (self);
  g_assert_true (self->weights.block.is_aggregate);
  g_assert_cmpint (self->weights.n_heads, ==, 1);
  assert_row_is (self, 0, 0, 0.775, 0.05, 0.075, 0.1);
  assert_row_is (self, 0, 2, 0.0625, 0.0625, 0.8125, 0.0625);
}

/* What padding reads is left out, unless it is pinned. */
static void
test_padding (Fixture       *self,
              gconstpointer  unused)
{
  eng_trace_unref (self->trace);
  self->trace = scene_trace_new_masked (SCENE_MASK_PADDED, 6, 2);
  compute (self);
  g_assert_cmpint (self->weights.n_left_out, ==, SCENE_N_PADDING);
  for (int query = 0; query < 6; query++)
    g_assert_cmpint (self->weights.query_passes[query], ==, query < 6 - SCENE_N_PADDING);

  set (self, "pin", "5");
  compute (self);
  g_assert_cmpint (self->weights.n_left_out, ==, SCENE_N_PADDING - 1);
  g_assert_true (self->weights.query_passes[5]);
}

/* What stands for several heads has the colour of none. */
static void
test_colors (Fixture       *self,
             gconstpointer  unused)
{
  for (int theme = UI_THEME_LIGHT; theme <= UI_THEME_PRINT; theme++) {
    UiColor text = ui_palette_get ((UiTheme) theme)->text;
    UiColor head = ui_palette_head ((UiTheme) theme, 1);
    UiColor color;

    set (self, "aggregate", "each");
    compute (self);
    color = ui_head_color_get (&self->weights, (UiTheme) theme, 1);
    g_assert_cmpmem (&color, sizeof color, &head, sizeof head);
    set (self, "aggregate", "mean");
    compute (self);
    color = ui_head_color_get (&self->weights, (UiTheme) theme, 0);
    g_assert_cmpmem (&color, sizeof color, &text, sizeof text);
  }
}

/* The neuron view shows one head, all of it. */
static void
test_neuron (Fixture       *self,
             gconstpointer  unused)
{
  set (self, "view", "neuron");
  set (self, "aggregate", "mean");
  set (self, "words", "true");
  set (self, "hide-special", "true");
  set (self, "mass", "0.5");
  compute (self);
  g_assert_cmpint (self->weights.n_heads, ==, 1);
  g_assert_null (self->weights.row_floor);
  assert_row_is (self, 0, 0, 0.1, 0.2, 0.3, 0.4);
}

typedef struct {
  gint cancel;
  int  n_steps;
  int  last; /* layer after which nobody wants the numbers */
} Waiting;

static void
count_layers (int      done,
              int      n,
              gpointer data)
{
  Waiting *waiting = data;

  g_assert_cmpint (n, ==, N_LAYERS);
  g_assert_cmpint (done, ==, ++waiting->n_steps);
  g_atomic_int_set (&waiting->cancel, done == waiting->last);
}

/* Numbers of several layers are the same for who waits for them and who does not, and come when
 * they are still wanted. */
static void
assert_watched (Fixture *self)
{
  g_autoptr (EngTrace) other = measured_trace_new ();
  g_autoptr (GError) error = NULL;
  Waiting waiting = { .last = N_LAYERS + 1 };
  UiWatch watch = { &waiting.cancel, count_layers, &waiting };
  UiWeights watched;
  gsize n_bytes;

  compute (self);
  n_bytes = sizeof (float) * self->weights.attention->n_heads * self->trace->blocks[0].n_queries *
            self->trace->blocks[0].n_keys;
  g_assert_true (ui_weights_init (&watched, other, self->document, ENG_KIND_ENCODER,
                                  N_LAYERS - 1, &watch, &error));
  g_assert_no_error (error);
  g_assert_cmpint (waiting.n_steps, ==, N_LAYERS);
  g_assert_cmpint (watched.n_heads, ==, self->weights.n_heads);
  g_assert_cmpmem (watched.attention->weights, n_bytes, self->weights.attention->weights, n_bytes);
  ui_weights_clear (&watched);

  waiting = (Waiting) { .last = 1 };
  g_assert_false (ui_weights_init (&watched, other, self->document, ENG_KIND_ENCODER,
                                   N_LAYERS - 1, &watch, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  g_assert_cmpint (waiting.n_steps, ==, 1);
}

static void
test_watched (Fixture       *self,
              gconstpointer  unused)
{
  self->document->layer = N_LAYERS - 1;
  set (self, "measure", "rollout");
  assert_watched (self);
  set (self, "measure", "value-norm");
  set (self, "layers", "mean");
  assert_watched (self);
  set (self, "layers", "max");
  set (self, "aggregate", "mean");
  assert_watched (self);
}

#define ADD(path, test) g_test_add ("/weights/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("plain", test_plain);
  ADD ("heads", test_heads);
  ADD ("layers", test_layers);
  ADD ("aggregates-of-a-long-text", test_aggregates_of_a_long_text);
  ADD ("words", test_words);
  ADD ("pins-of-words", test_pins_of_words);
  ADD ("numbers-of-words", test_numbers_of_words);
  ADD ("hide-special", test_hide_special);
  ADD ("mass", test_mass);
  ADD ("mass-of-a-long-text", test_mass_of_a_long_text);
  ADD ("norms", test_norms);
  ADD ("norms-are-not-there", test_norms_are_not_there);
  ADD ("rollout", test_rollout);
  ADD ("padding", test_padding);
  ADD ("colors", test_colors);
  ADD ("neuron", test_neuron);
  ADD ("watched", test_watched);
  return g_test_run ();
}
