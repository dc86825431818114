/* SPDX-License-Identifier: MIT */
/* Every family that the engine knows has a specimen that opens and runs, in a made-up home. */
#include "app/store/specimen.h"

#include "app/run/pass.h"
#include "tests/support/temporary.h"

static char *home;

/* A person may look for a family by each of these. */
static void
test_registry (void)
{
  g_autoptr (GHashTable) titles = g_hash_table_new (g_str_hash, g_str_equal);
  int n[ENG_N_BRANCHES] = { 0 };

  g_assert_cmpint (eng_family_get_n_families (), >=, 35);
  for (int i = 0; i < eng_family_get_n_families (); i++) {
    const EngFamily *family = eng_family_get_nth (i);

    g_assert_true (eng_family_find (family->model_type) == family);
    g_assert_nonnull (family->title);
    g_assert_true (g_hash_table_add (titles, (gpointer) family->title));
    g_assert_cmpint (family->year, >=, 2018);
    g_assert_cmpint (family->year, <=, 2100);
    g_assert_nonnull (family->checkpoints);
    n[eng_family_get_branch (family)]++;
  }
  for (int branch = 0; branch < ENG_N_BRANCHES; branch++)
    g_assert_cmpint (n[branch], >, 0);
}

/* The branch of a family is that of what its defaults are. */
static void
test_branches (void)
{
  for (int i = 0; i < eng_family_get_n_families (); i++) {
    const EngFamily *family = eng_family_get_nth (i);
    const gboolean reads_both = family->defaults.stacks[ENG_KIND_ENCODER].n_layers > 0;
    const gboolean writes = family->defaults.stacks[ENG_KIND_DECODER].n_layers > 0;

    g_assert_cmpint (eng_family_get_branch (family), ==,
                     reads_both && writes ? ENG_BRANCH_TWO_STACKS
                     : writes ? ENG_BRANCH_DECODER : ENG_BRANCH_ENCODER);
  }
}

/* It runs on words with random weights, and what it is asked for is what its class predicts. */
static void
check_specimen (gconstpointer data)
{
  const EngFamily *family = data;
  const gboolean is_encoder = eng_family_get_branch (family) == ENG_BRANCH_ENCODER;
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *again = NULL;
  g_autoptr (EngModel) model = NULL;
  g_autoptr (EngTrace) trace = NULL;
  EngInputs inputs = { 0 };
  EngKind kind = is_encoder || eng_family_get_branch (family) == ENG_BRANCH_TWO_STACKS
                 ? ENG_KIND_ENCODER : ENG_KIND_DECODER;

  document->model = app_specimen_make (family, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (document->model, home));
  g_assert_true (g_str_has_suffix (document->model, "-random-weights"));
  document->random_weights_set = TRUE;
  model = app_pass_open_model (document, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (eng_model_get_info (model)->family, ==, family->model_type);
  g_assert_true (eng_model_get_info (model)->untrained);
  g_assert_nonnull (eng_model_get_tokenizer (model));
  g_assert_true (eng_model_has_task (model, is_encoder ? ENG_TASK_FILL_MASK
                                                       : ENG_TASK_LANGUAGE_MODEL));

  g_assert_true (app_pass_encode (model, document, &inputs, &error));
  trace = app_pass_run (model, document, &inputs, 0, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (eng_trace_get_n_layers (trace, kind), ==, 2);
  g_assert_cmpint (eng_trace_get_n_heads (trace, kind), ==, 4);
  g_assert_cmpint (eng_trace_get_n_queries (trace, kind), >, 4);
  eng_inputs_clear (&inputs);

  again = app_specimen_make (family, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again, ==, document->model);
}

/* What stands in the way is named, and nothing is left. */
static void
test_refusal (void)
{
  g_autofree char *file = g_build_filename (home, "headlight", "specimens", NULL);
  g_autofree char *moved = g_strconcat (file, ".moved", NULL);
  g_autoptr (GError) error = NULL;
  gboolean had = g_file_test (file, G_FILE_TEST_EXISTS);

  if (had)
    g_assert_cmpint (g_rename (file, moved), ==, 0);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_null (app_specimen_make (&eng_family_bert, &error));
  g_assert_nonnull (error);
  g_assert_true (g_str_has_prefix (error->message, file));
  g_unlink (file);
  if (had)
    g_assert_cmpint (g_rename (moved, file), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  int status;

  home = temporary_new ();
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/specimen/registry", test_registry);
  g_test_add_func ("/specimen/branches", test_branches);
  for (int i = 0; i < eng_family_get_n_families (); i++) {
    const EngFamily *family = eng_family_get_nth (i);
    g_autofree char *path = g_strconcat ("/specimen/", family->model_type, NULL);

    g_test_add_data_func (path, family, check_specimen);
  }
  g_test_add_func ("/specimen/refusal", test_refusal);
  status = g_test_run ();
  temporary_free (home);
  return status;
}
