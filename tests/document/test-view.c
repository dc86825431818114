/* SPDX-License-Identifier: MIT */
/* Every view has a whole row: what is asked of one is answered for all. */
#include "ui/document/view.h"

#include "ui/document/document.h"

static void
test_rows (void)
{
  const UiField *field = ui_fields_find ("view");
  int n_views = 0;

  for (; field->choices[n_views] != NULL; n_views++) {
    const UiView *view = ui_view_get ((UiViewKind) n_views);

    g_assert_nonnull (view->title);
    g_assert_cmpfloat (view->least_width, >, 0);
    g_assert_false (view->has_one_head && view->has_all_heads);
    /* What has no room for several heads says so. */
    g_assert_cmpint (view->has_one_head || view->has_all_heads, ==, view->no_aggregate != NULL);
  }
  g_assert_cmpint (n_views, ==, UI_N_VIEWS);
}

/* Only views of tokens stand beside each other. */
static void
test_compare (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  for (int i = 0; ui_view_names[i] != NULL; i++) {
    const UiView *view = ui_view_get ((UiViewKind) i);

    document->view = (UiViewKind) i;
    document->compare = UI_COMPARE_HEADS;
    g_assert_cmpint (ui_document_has_panels (document), ==, view->can_compare);
    g_assert_false (ui_document_has_second_side (document));
    document->compare = UI_COMPARE_SIDES;
    g_assert_cmpint (ui_document_has_second_side (document), ==, view->can_compare);
    g_assert_false (view->can_compare && view->has_all_heads);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view/rows", test_rows);
  g_test_add_func ("/view/compare", test_compare);
  return g_test_run ();
}
