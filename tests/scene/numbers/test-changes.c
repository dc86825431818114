/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/changes.h"

#include <locale.h>
#include <math.h>

#include "tests/support/scene-trace.h"

static const char *const first_words[] = { "the", "cat", "sat", NULL };
static const char *const second_words[] = { "the", "big", "cat", "sat", "down", NULL };

#define N_HEADS 6

/* Of the second text, with [CLS] and [SEP], where each token stands in the first, and the other way
 * round. */
static const int first_to_second[] = { 0, 1, 3, 4, 6 };
static const int second_to_first[] = { 0, 1, -1, 2, 3, -1, 4 };

typedef struct {
  EngTrace   *traces[2];
  UiDocument *document;
  UiWeights   weights[2];
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->traces[0] = scene_trace_new (first_words, NULL, N_HEADS);
  self->traces[1] = scene_trace_new (second_words, NULL, N_HEADS);
  self->document = ui_document_new ();
  for (int side = 0; side < 2; side++)
    g_assert_true (ui_weights_init (&self->weights[side], self->traces[side], self->document,
                                    ENG_KIND_ENCODER, 0, NULL, NULL));
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  for (int side = 0; side < 2; side++) {
    ui_weights_clear (&self->weights[side]);
    eng_trace_unref (self->traces[side]);
  }
  ui_document_free (self->document);
}

static double
get_weight (Fixture *self,
            int      side,
            int      head,
            int      query,
            int      key)
{
  return scene_trace_weight (self->traces[side], ENG_KIND_ENCODER, head, query, key);
}

static void
test_partners (Fixture       *self,
               gconstpointer  data)
{
  UiPartners first, second;

  ui_partners_init (&first, &self->weights[0], &self->weights[1], FALSE);
  ui_partners_init (&second, &self->weights[0], &self->weights[1], TRUE);
  for (int i = 0; i < 5; i++)
    g_assert_cmpint (first.queries[i], ==, first_to_second[i]);
  for (int i = 0; i < 7; i++)
    g_assert_cmpint (second.keys[i], ==, second_to_first[i]);
  ui_partners_clear (&first);
  ui_partners_clear (&second);
}

/* By the weights that the traces hold, for both sides; what stands alone is never small. */
static void
test_small (Fixture       *self,
            gconstpointer  data)
{
  static const int *const maps[] = { first_to_second, second_to_first };
  static const int sizes[] = { 5, 7 };

  for (int side = 0; side < 2; side++) {
    const int n = sizes[side];
    g_autoptr (GBytes) bytes = NULL;
    const guint8 *marks;
    UiPartners partners;

    ui_partners_init (&partners, &self->weights[0], &self->weights[1], side == 1);
    bytes = ui_changes_mark_small (&self->weights[side], &self->weights[!side], &partners);
    ui_partners_clear (&partners);
    marks = g_bytes_get_data (bytes, NULL);
    g_assert_cmpuint (g_bytes_get_size (bytes), ==, N_HEADS * n * n);
    for (int head = 0; head < N_HEADS; head++)
      for (int query = 0; query < n; query++)
        for (int key = 0; key < n; key++) {
          const int to_query = maps[side][query], to_key = maps[side][key];
          const gboolean is_small = to_query >= 0 && to_key >= 0
            && fabs (get_weight (self, side, head, query, key)
                     - get_weight (self, !side, head, to_query, to_key)) < 0.10;

          g_assert_cmpint (marks[(head * n + query) * n + key], ==, is_small);
        }
  }
}

#define N_MOST 8

/* Each is a link of both texts; as many as were asked for, ordered; none that was left out changed
 * more than the last one. */
static void
test_links (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr (GArray) links = ui_changes_list_links (&self->weights[0], &self->weights[1], N_MOST);
  double least = G_MAXDOUBLE;
  int n_larger = 0;

  g_assert_cmpuint (links->len, ==, N_MOST);
  for (guint i = 0; i < links->len; i++) {
    const UiLinkChange *link = &g_array_index (links, UiLinkChange, i);
    const double change = fabs (link->values[0] - link->values[1]);

    g_assert_cmpfloat (change, <=, least);
    least = change;
    g_assert_cmpint (link->heads[0], ==, link->heads[1]);
    g_assert_cmpint (link->queries[1], ==, first_to_second[link->queries[0]]);
    g_assert_cmpint (link->keys[1], ==, first_to_second[link->keys[0]]);
    for (int side = 0; side < 2; side++)
      g_assert_cmpfloat (link->values[side], ==,
                         get_weight (self, side, link->heads[side], link->queries[side],
                                     link->keys[side]));
  }
  for (int head = 0; head < N_HEADS; head++)
    for (int query = 0; query < 5; query++)
      for (int key = 0; key < 5; key++)
        n_larger += fabs (get_weight (self, 0, head, query, key)
                          - get_weight (self, 1, head, first_to_second[query],
                                        first_to_second[key])) > least;
  g_assert_cmpint (n_larger, <, N_MOST);
}

/* Other heads, or another number of them, have no partners. */
static void
test_comparable (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr (UiDocument) other = ui_document_copy (self->document);
  UiWeights weights;

  g_assert_true (ui_changes_are_comparable (&self->weights[0], &self->weights[1]));
  ui_head_set_only (&other->heads, 2);
  g_assert_true (ui_weights_init (&weights, self->traces[1], other, ENG_KIND_ENCODER, 0, NULL,
                                  NULL));
  g_assert_false (ui_changes_are_comparable (&self->weights[0], &weights));
  ui_weights_clear (&weights);
}

#define ADD(name, function) \
  g_test_add ("/scene/changes/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  ADD ("partners", test_partners);
  ADD ("small", test_small);
  ADD ("links", test_links);
  ADD ("comparable", test_comparable);

  return g_test_run ();
}
