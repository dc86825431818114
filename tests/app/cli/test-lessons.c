/* SPDX-License-Identifier: MIT */
/* The lessons that ship are true. */
#include "tests/support/command-line.h"

#define LEAST_LESSONS 25
#define LEAST_CLAIMS  80

/* "lesson check --json" and every lesson of resources/lessons. */
static void
add_lessons (GPtrArray *arguments)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "resources", "lessons", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) folder = g_dir_open (path, 0, &error);
  const char *name;

  g_assert_no_error (error);
  g_ptr_array_add (arguments, g_strdup ("lesson"));
  g_ptr_array_add (arguments, g_strdup ("check"));
  g_ptr_array_add (arguments, g_strdup ("--json"));
  while ((name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".md"))
      g_ptr_array_add (arguments, g_build_filename (path, name, NULL));
}

static void
test_shipped (void)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (cJSON) answer = NULL;
  g_auto (Run) run = { 0 };
  int n_lessons, n_claims;

  add_lessons (arguments);
  run_headlight_with (&run, arguments);
  answer = parse_output (&run); /* no complaint, status 0 */
  n_lessons = cJSON_GetArraySize (eng_json_find (answer, "lessons"));
  n_claims = eng_json_find (answer, "claims")->valueint
             - eng_json_find (answer, "skipped")->valueint;
  /* One of them is how lessons are written. */
  g_assert_cmpint (n_lessons - 1, >=, LEAST_LESSONS);
  g_assert_cmpint (n_claims, >=, LEAST_CLAIMS);
  g_test_message ("%d lessons, %d claims computed", n_lessons, n_claims);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lessons/shipped", test_shipped);

  return g_test_run ();
}
