/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"

int
main (int    argc,
      char **argv)
{
  return app_cli_main (argc, argv);
}
