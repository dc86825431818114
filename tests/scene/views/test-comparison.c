/* SPDX-License-Identifier: MIT */
/* Two sides in one drawing: aligned tokens, linked cursor, pins, another size. */
#include "ui/scene/views/comparison.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/support/count.h"
#include "tests/support/fields.h"
#include "tests/support/golden.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/matrix/difference-scene.h"
#include "ui/scene/matrix/matrix-scene.h"
#include "ui/scene/views/side-changes.h"

static const char *const first_words[] = { "the", "cat", "sat", NULL };
static const char *const second_words[] = { "the", "big", "cat", "sat", "down", NULL };

typedef struct {
  EngTrace   *first;
  EngTrace   *second;
  UiDocument *document;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->first = scene_trace_new (first_words, NULL, 3);
  self->second = scene_trace_new (second_words, NULL, 3);
  self->document = ui_document_new ();
  self->document->compare = UI_COMPARE_SIDES;
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  eng_trace_unref (self->first);
  eng_trace_unref (self->second);
  ui_document_free (self->document);
}

static UiScene *
make_scene (Fixture *self,
            double   width)
{
  UiSceneOptions options = { .width = width, .text_scale = 1 };
  g_autoptr (GError) error = NULL;
  UiScene *scene = ui_comparison_new (self->first, self->second, self->document, &options, &error);

  g_assert_no_error (error);
  return scene;
}

/* "cat" is token 2 of the first text and 3 of the second; "big" stands in the second alone. */
static void
test_linked_cursor (Fixture       *self,
                    gconstpointer  data)
{
  g_autoptr (UiScene) scene = make_scene (self, 1200);
  UiItem cat = { .type = UI_ITEM_QUERY, .query = 2, .panel = 0 };
  UiItem big = { .type = UI_ITEM_QUERY, .query = 2, .panel = 1 };
  UiItem link = { .type = UI_ITEM_LINK, .head = 1, .query = 2, .key = 3 };
  g_autofree char *both = scene_case_print (scene, &cat);
  g_autofree char *alone = scene_case_print (scene, &big);
  g_autofree char *sentence = ui_scene_describe (scene, &link);
  g_autofree char *other = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double weight = scene_trace_weight (self->second, ENG_KIND_ENCODER, 1, 3, 4);

  g_assert_cmpint (count (both, " cat\n"), >=, 2);
  g_assert_cmpint (count (alone, " big\n"), >=, 1);
  g_assert_cmpint (count (alone, " down\n"), <=, 2);
  g_assert_nonnull (strstr (sentence, "“cat” (2) reads “sat” (3)"));
  other = g_strdup_printf ("Other: weight %s.", g_ascii_formatd (number, sizeof number,
                                                              weight >= 0.0995 ? "%.2f" : "%.3f",
                                                              weight));
  g_assert_nonnull (strstr (sentence, other));
}

/* A pin is the same word on both sides, and none where there is no such word. */
static void
test_pins (Fixture       *self,
           gconstpointer  data)
{
  UiItem of_second = { .type = UI_ITEM_QUERY, .query = 1, .panel = 1 };
  g_autoptr (UiScene) scene = NULL;
  const UiDocument *other;

  ui_pins_click (&self->document->pins, FALSE, 2, TRUE);
  ui_pins_click (&self->document->pins, TRUE, 3, TRUE);
  scene = make_scene (self, 1200);
  other = ui_scene_get_document (ui_scene_get_part (scene, &of_second));
  g_assert_cmpint (other->pins.n_queries, ==, 1);
  g_assert_cmpint (other->pins.queries[0], ==, 3);
  g_assert_cmpint (other->pins.n_keys, ==, 1);
  g_assert_cmpint (other->pins.keys[0], ==, 4);
}

static void
assert_other_says (Fixture    *self,
                   const char *pins,
                   const char *words)
{
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *drawn = NULL;

  fields_set (self->document, "pin", pins);
  scene = make_scene (self, 4000);
  drawn = scene_case_print (scene, NULL);
  g_assert_true ((strstr (drawn, "no partner here") != NULL) == (words != NULL));
  if (words != NULL)
    g_assert_nonnull (strstr (drawn, words));
}

/* Where a pinned word is on the first side alone, Other shows more than that does, and says why. */
static void
test_without_partner (Fixture       *self,
                      gconstpointer  data)
{
  EngTrace *first = self->first;

  assert_other_says (self, "2,k:3", NULL);
  /* "big" and "down" stand in the text that comes first now. */
  self->first = self->second;
  self->second = first;
  assert_other_says (self, "3,k:4", NULL);
  assert_other_says (self, "3,k:2", " · “big” (2) has no partner here · ");
  assert_other_says (self, "2,k:2", " · “big” (2) has no partner here · ");
  assert_other_says (self, "2,k:5", " · “big” (2) and “down” (5) have no partner here · ");
  self->document->compare = UI_COMPARE_HEADS;
  fields_set (self->document, "panels", "0.1,0.2");
  assert_other_says (self, "2,k:5", NULL);
}

/* Without the second trace the first side stands alone; a difference is a matrix. */
static void
test_kinds (Fixture       *self,
            gconstpointer  data)
{
  UiSceneOptions options = { .width = 900, .text_scale = 1 };
  UiItem second = { .type = UI_ITEM_QUERY, .panel = 1 };
  g_autoptr (UiScene) alone =
    ui_comparison_new (self->first, NULL, self->document, &options, NULL);
  g_autoptr (UiScene) difference = NULL;
  UiRect rect;

  g_assert_false (ui_scene_get_part (alone, &second) != alone);
  self->document->compare = UI_COMPARE_DIFFERENCE;
  difference = make_scene (self, 900);
  g_assert_true (ui_scene_is_difference (difference));
  second.panel = 0;
  g_assert_true (ui_scene_get_rect (difference, &second, &rect));
}

/* A dot and a ring, then the name; no letters, which are the sentences'. */
static void
test_titles (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr (UiScene) scene = make_scene (self, 1200);
  g_autofree char *drawn = scene_case_print (scene, NULL);

  g_assert_cmpint (count (drawn, " 10.0 10.0 5.0 #613583"), ==, 1);
  g_assert_cmpint (count (drawn, " 10.0 10.0 5.0 2.5 #1b7a43"), ==, 1);
  g_assert_cmpint (count (drawn, "#613583 This\n"), ==, 1);
  g_assert_cmpint (count (drawn, "#1b7a43 Other\n"), ==, 1);
  g_assert_null (strstr (drawn, "(a)"));
  g_assert_null (strstr (drawn, "(b)"));
}

/* Rows of one side have entropies of less than a bit, of the other some more: both have the decimals
 * that the smaller ones need. */
static void
test_decimals (Fixture       *self,
               gconstpointer  data)
{
  static const char *const nothing[] = { NULL };
  UiItem item = { .type = UI_ITEM_QUERY };
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *drawn = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean is_note = FALSE;
  double largest[2];
  int n = 0;

  eng_trace_unref (self->first);
  self->first = scene_trace_new (nothing, NULL, 3);
  fields_set (self->document, "view", "matrix");
  fields_set (self->document, "heads", "1");
  scene = make_scene (self, 1600);
  for (; item.panel < 2; item.panel++) {
    UiScene *side = ui_scene_get_part (scene, &item);

    largest[item.panel] = ui_matrix_scene_find_largest_note (ui_matrix_scene_cast (side));
  }
  g_assert_cmpfloat (largest[0], <, 0.995);
  g_assert_cmpfloat (largest[1], >, 0.995);

  drawn = scene_case_print (scene, NULL);
  lines = g_strsplit (drawn, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++) {
    if (strstr (lines[i], "group ") != NULL)
      is_note = g_str_has_suffix (lines[i], "group rows");
    else if (is_note && strstr (lines[i], " text ") != NULL) {
      g_assert_cmpuint (strlen (strrchr (lines[i], '.')), ==, strlen (".00"));
      n++;
    }
  }
  g_assert_cmpint (n, ==, 2 + 7);
}

/* Another size is drawn as if it had been the first. */
static void
test_resized (Fixture       *self,
              gconstpointer  data)
{
  static const UiCompare kinds[] = { UI_COMPARE_SIDES, UI_COMPARE_DIFFERENCE };

  ui_pins_click (&self->document->pins, FALSE, 2, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    UiSceneOptions options = { .width = 1400, .text_scale = 1, .zoom = 1.5 };
    g_autoptr (UiScene) small = NULL;
    g_autoptr (UiScene) resized = NULL;
    g_autoptr (UiScene) fresh = NULL;
    g_autofree char *drawn = NULL;
    g_autofree char *expected = NULL;

    self->document->compare = kinds[i];
    small = make_scene (self, 700);
    resized = ui_scene_new_resized (small, self->document, &options);
    g_clear_pointer (&small, ui_scene_unref);
    fresh = ui_comparison_new (self->first, self->second, self->document, &options, NULL);
    drawn = scene_case_print (resized, NULL);
    expected = scene_case_print (fresh, NULL);
    g_assert_cmpstr (drawn, ==, expected);
  }
}

/* Where each token of the first text stands in the second: "the", "cat", "sat" and what is around
 * them. */
static const int same_tokens[] = { 0, 1, 3, 4, 6 };

#define GREY "#b4b4b8"
#define DARK_GREY "#6a6a6e/"

/* Links of the first side that changed by less than 0.10 and can be seen. */
static int
count_small_changes (Fixture *self)
{
  int n = 0;

  for (int head = 0; head < 3; head++)
    for (int query = 0; query < 5; query++)
      for (int key = 0; key < 5; key++) {
        const double first =
          scene_trace_weight (self->first, ENG_KIND_ENCODER, head, query, key);
        const double second =
          scene_trace_weight (self->second, ENG_KIND_ENCODER, head, same_tokens[query],
                              same_tokens[key]);

        n += fabs (first - second) < 0.10 && first * UI_LINK_GAIN * 255 + 0.5 >= 1;
      }
  return n;
}

/* Every link that can be seen is drawn. */
static UiScene *
make_unlimited (Fixture *self)
{
  self->document->threshold = 0;
  return make_scene (self, 1200);
}

/* Grey are the links that hardly changed, under the others; what has no partner keeps the colour
 * of its head. What is pointed at has it, too, and of a pin the greys are dark enough to be read. */
static void
test_grey (Fixture       *self,
           gconstpointer  data)
{
  const UiItem link = { .type = UI_ITEM_LINK, .head = 2, .query = 2, .key = 3 };
  const int n_expected = count_small_changes (self);
  g_autoptr (UiScene) scene = make_unlimited (self);
  g_autofree char *drawn = scene_case_print (scene, NULL);
  g_autofree char *hovered = scene_case_print (scene, &link);
  g_autofree char *plain = ui_scene_explain (scene);
  g_autofree char *rule = ui_scene_legend (scene);
  g_autoptr (UiScene) pinned = NULL;
  g_autofree char *drawn_pinned = NULL;
  char *other = strstr (drawn, "group Other");
  g_autofree char *first = g_strndup (drawn, other - drawn);
  const char *last_grey = g_strrstr (first, GREY);

  g_assert_cmpint (n_expected, >, 0);
  g_assert_cmpint (n_expected, <, 75);
  g_assert_cmpint (count (first, GREY), ==, n_expected);
  /* Heads 0, 1 and 2 have a colour each. */
  g_assert_null (strstr (strstr (first, "link head 0"), "link head 3"));
  g_assert_nonnull (strstr (last_grey, "link head"));
  g_assert_cmpint (count (first, "link head"), >, n_expected);
  /* As many of the second text, whose tokens "big" and "down" stand alone. */
  g_assert_cmpint (count (other, GREY), <=, n_expected);
  g_assert_null (strstr (hovered, GREY));
  g_assert_nonnull (strstr (plain, " Grey: changed by less than 0.10."));
  g_assert_nonnull (strstr (rule, "|This − Other| of the same head and the same two tokens is less "
                                  "than 0.10."));
  g_assert_nonnull (strstr (rule, "one side alone has keep their colour."));

  ui_pins_click (&self->document->pins, FALSE, 2, TRUE);
  pinned = make_scene (self, 1200);
  drawn_pinned = scene_case_print (pinned, NULL);
  g_assert_null (strstr (drawn_pinned, GREY "/"));
  g_assert_nonnull (strstr (drawn_pinned, DARK_GREY));
}

/* Other heads are no change, nor is one run beside itself. */
static void
test_not_grey (Fixture       *self,
               gconstpointer  data)
{
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (UiScene) itself = NULL;
  g_autofree char *drawn = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *drawn_twice = NULL;

  self->document->compare_heads_set = TRUE;
  ui_head_set_only (&self->document->heads, 1);
  ui_head_set_only (&self->document->compare_heads, 2);
  scene = make_scene (self, 1200);
  drawn = scene_case_print (scene, NULL);
  plain = ui_scene_explain (scene);
  g_assert_null (strstr (drawn, GREY));
  g_assert_null (strstr (plain, "Grey"));

  self->document->compare_heads_set = FALSE;
  eng_trace_unref (self->second);
  self->second = eng_trace_ref (self->first);
  itself = make_scene (self, 1200);
  drawn_twice = scene_case_print (itself, NULL);
  g_assert_null (strstr (drawn_twice, GREY));
}

/* The difference lists the links that the two sides do, at the rows where it has their tokens. */
static void
test_changed_links (Fixture       *self,
                    gconstpointer  data)
{
  g_autoptr (UiScene) sides = NULL;
  g_autoptr (UiScene) difference = NULL;
  const GArray *links, *same_links;

  ui_head_set_only (&self->document->heads, 1);
  sides = make_scene (self, 1200);
  self->document->compare = UI_COMPARE_DIFFERENCE;
  difference = make_scene (self, 1200);
  links = ui_side_changes_get_links (sides);
  same_links = ui_side_changes_get_links (difference);
  g_assert_cmpuint (links->len, ==, UI_N_CHANGED_LINKS);
  g_assert_cmpmem (links->data, links->len * sizeof (UiLinkChange),
                   same_links->data, same_links->len * sizeof (UiLinkChange));
  for (guint i = 0; i < links->len; i++) {
    const UiLinkChange *link = &g_array_index (links, UiLinkChange, i);
    const UiItem item = ui_side_changes_find_link (difference, link);

    for (int side = 0; side < 2; side++) {
      g_assert_cmpint (ui_difference_scene_get_token (difference, side, FALSE, item.query), ==,
                       link->queries[side]);
      g_assert_cmpint (ui_difference_scene_get_token (difference, side, TRUE, item.key), ==,
                       link->keys[side]);
    }
  }
}

/* Sides that are the same have no such link, and it says why. */
static void
test_nothing_changed (Fixture       *self,
                      gconstpointer  data)
{
  static const UiCompare compares[] = { UI_COMPARE_SIDES, UI_COMPARE_DIFFERENCE };

  g_clear_pointer (&self->second, eng_trace_unref);
  self->second = eng_trace_ref (self->first);
  for (gsize i = 0; i < G_N_ELEMENTS (compares); i++) {
    g_autoptr (UiScene) scene = NULL;

    self->document->compare = compares[i];
    scene = make_scene (self, 1200);
    g_assert_cmpuint (ui_side_changes_get_links (scene)->len, ==, 0);
    g_assert_nonnull (strstr (ui_side_changes_explain_none (scene), "the same"));
    g_assert_nonnull (strstr (ui_side_changes_explain_none (scene), "Change the texts"));
  }
}

/* A file has one text and one run: nobody is asked to change them. */
static void
test_nothing_changed_in_file (Fixture       *self,
                              gconstpointer  data)
{
  g_autoptr (UiScene) scene = NULL;

  g_clear_pointer (&self->second, eng_trace_unref);
  self->second = eng_trace_ref (self->first);
  self->document->compare = UI_COMPARE_SIDES;
  self->document->trace_file = g_strdup ("trace.safetensors");
  scene = make_scene (self, 1200);
  g_assert_nonnull (strstr (ui_side_changes_explain_none (scene), "layer, head, model or trace"));
}

/* Every kind of file has it from the same scene. */
static void
test_golden (Fixture       *self,
             gconstpointer  data)
{
  const UiSceneOptions options = {
    .width = 700, .text_scale = 1, .caption = TRUE, .key = TRUE
  };
  g_autoptr (UiScene) scene =
    ui_comparison_new (self->first, self->second, self->document, &options, NULL);
  g_autofree char *drawn = scene_case_print (scene, NULL);

  golden_assert_equal ("sides.scene", drawn);
}

#define ADD(name, function) \
  g_test_add ("/scene/comparison/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  ADD ("linked-cursor", test_linked_cursor);
  ADD ("pins", test_pins);
  ADD ("without-partner", test_without_partner);
  ADD ("kinds", test_kinds);
  ADD ("titles", test_titles);
  ADD ("decimals", test_decimals);
  ADD ("resized", test_resized);
  ADD ("grey", test_grey);
  ADD ("not-grey", test_not_grey);
  ADD ("changed-links", test_changed_links);
  ADD ("nothing-changed", test_nothing_changed);
  ADD ("nothing-changed-in-file", test_nothing_changed_in_file);
  ADD ("golden", test_golden);

  return g_test_run ();
}
