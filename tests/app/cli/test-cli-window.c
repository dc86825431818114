/* SPDX-License-Identifier: MIT */
/* The window, asked for where there is no display. */
#include "tests/support/command-line.h"

/* What to do instead, in one line: no toolkit speaks. */
static void
test_no_display (void)
{
  static const char *const texts[] = { NULL, "time flies" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_auto (Run) run = { 0 };

    run_headlight (&run, texts[i], NULL);
    assert_refused (&run, 1, "headlight render");
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/cli-window/no-display", test_no_display);
  return g_test_run ();
}
