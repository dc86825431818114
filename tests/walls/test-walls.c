/* SPDX-License-Identifier: MIT */
#include "tests/walls/walls.h"

#include <locale.h>

#include "tests/support/temporary.h"

/* A small house that is made for the test: what a table finds wrong with it. */
typedef struct {
  const char *path;
  const char *text;
} Planted;

typedef struct {
  const char *name;
  const char *table;
  Planted files[6];
  const char *faults[5]; /* all of them, in their order */
} House;

#define ROOMS "libraries: gtk cairo\n" \
              "generated: app/config.h # of the build\n" \
              "engine/base:\n" \
              "ui/view: engine/base | gtk\n"
#define PARTS "app/desk: ui/view+\n" \
              "app/parts/*: desk+\n"

static const House houses[] = {
  { "/walls/holds", ROOMS PARTS, {
      { "engine/base/a.c", "#include \"engine/base/a.h\"\n#include <string.h>\n" },
      { "ui/view/b.h", "#pragma once\n#include <gtk/gtk.h>\n # include \"engine/base/a.h\"\n" },
      { "app/desk/c.h", "#include \"app/config.h\"\n#include \"ui/view/b.h\"\n" },
      { "app/parts/one/d.c", "#include \"app/desk/c.h\"\n#include \"engine/base/a.h\"\n" },
    }, { NULL } },
  { "/walls/forbidden", ROOMS, {
      { "engine/base/a.c", "#include <string.h>\n\n#include \"ui/view/b.h\"\n" },
      { "ui/view/b.c", "#include \"b.h\"\n#include <engine/other/c.h>\n" },
    }, {
      "engine/base/a.c:3: \"ui/view/b.h\" against rooms.txt:3: \"engine/base:\"",
      "ui/view/b.c:1: \"b.h\" against rooms.txt:4: \"ui/view: engine/base | gtk\"",
      "ui/view/b.c:2: <engine/other/c.h> against rooms.txt:4: \"ui/view: engine/base | gtk\"",
    } },
  { "/walls/comments", ROOMS, {
      { "engine/base/a.c", "/* x */ #include \"ui/view/b.h\"\n"
                           "/* two\n lines */#/**/include/**/<gtk/gtk.h>// y\n"
                           "/*\n#include \"ui/view/c.h\"\n*/\n"
                           "// #include \"ui/view/c.h\"\n"
                           "static const char text[] = \"/*\", quote = '\"', slash = '\\\\';\n"
                           "#include \"ui/view/d.h\" /* \"*/\n" },
      { "ui/view/b.h", "" },
    }, {
      "engine/base/a.c:1: \"ui/view/b.h\" against rooms.txt:3: \"engine/base:\"",
      "engine/base/a.c:3: <gtk/gtk.h> against rooms.txt:3: \"engine/base:\"",
      "engine/base/a.c:9: \"ui/view/d.h\" against rooms.txt:3: \"engine/base:\"",
    } },
  { "/walls/library", ROOMS, {
      { "engine/base/a.h", "#include <gtk/gtk.h>\n#include <math.h>\n" },
      { "ui/view/b.h", "#include <gtk/gtk.h>\n#include <cairo-pdf.h>\n" },
    }, {
      "engine/base/a.h:1: <gtk/gtk.h> against rooms.txt:3: \"engine/base:\"",
      "ui/view/b.h:2: <cairo-pdf.h> against rooms.txt:4: \"ui/view: engine/base | gtk\"",
    } },
  { "/walls/part", ROOMS PARTS, {
      { "engine/base/a.h", "" },
      { "ui/view/b.h", "" },
      { "app/desk/c.h", "#include \"app/parts/two/e.h\"\n" },
      { "app/parts/one/d.c", "#include \"app/parts/one/d.h\"\n#include \"app/parts/two/e.h\"\n" },
      { "app/parts/two/e.c", "#include \"app/desk/c.h\"\n" },
    }, {
      "app/desk/c.h:1: \"app/parts/two/e.h\" against rooms.txt:5: \"app/desk: ui/view+\"",
      "app/parts/one/d.c:2: \"app/parts/two/e.h\" against rooms.txt:6: \"app/parts/*: desk+\"",
    } },
  { "/walls/above", "engine/one:\nengine/two: engine/*\nengine/three: two+\n", {
      { "engine/one/a.h", "" },
      { "engine/two/b.h", "#include \"engine/one/a.h\"\n#include \"engine/three/c.h\"\n" },
      { "engine/three/c.h", "#include \"engine/one/a.h\"\n" },
    }, {
      "engine/two/b.h:2: \"engine/three/c.h\" against rooms.txt:2: \"engine/two: engine/*\"",
    } },
  { "/walls/circle", "engine/base:\n", {
      { "engine/base/a.c", "#include \"engine/base/a.h\"\n#include \"engine/base/b.h\"\n" },
      { "engine/base/b.h", "#include \"engine/base/c-private.h\"\n" },
      { "engine/base/c.c", "#include \"engine/base/a.h\"\n" },
      { "engine/base/d.c", "#include \"engine/base/a.h\"\n" },
    }, {
      "a circle of 3 files: engine/base/a, engine/base/b, engine/base/c",
    } },
  { "/walls/circle-of-two", "engine/base:\n", {
      { "engine/base/a.c", "#include \"engine/base/a-private.h\"\n#include \"engine/base/b.h\"\n" },
      { "engine/base/a-private.h", "#include \"engine/base/a.h\"\n" },
      { "engine/base/b.c", "#include \"engine/base/b.h\"\n#include \"engine/base/a-private.h\"\n" },
      { "engine/base/c.c", "#include \"engine/base/a.h\"\n#include \"engine/base/b.h\"\n" },
    }, { NULL } },
  { "/walls/unknown", ROOMS, {
      { "engine/base/a.c", "" },
      { "engine/other/b.c", "#include \"engine/base/a.h\"\n" },
    }, {
      "engine/other: a room without a line in rooms.txt",
      "rooms.txt:4: \"ui/view: engine/base | gtk\" is about no folder with sources",
    } },
  { "/walls/table", "engine/base: trace\n"
                    "engine/trace: base # as it should be\n"
                    "ui/view engine/base\n"
                    "app/parts/*: parts/*\n"
                    "app/shell: parts/*+ | gtk\n", {
      { "engine/base/a.c", "" },
    }, {
      "rooms.txt:1: \"engine/base: trace\" names engine/trace, which is no room of a line above",
      "rooms.txt:3: \"ui/view engine/base\" has no colon",
      "rooms.txt:4: \"app/parts/*: parts/*\" names app/parts/*, which is no room of a line above",
      "rooms.txt:5: \"app/shell: parts/*+ | gtk\" names gtk, which is not among the libraries",
    } },
};

static void
write_file (const char *root,
            const char *path,
            const char *text)
{
  g_autofree char *full = g_build_filename (root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (full, text, -1, &error);
  g_assert_no_error (error);
}

/* Checks a planted house against the sentences that it is to give, a line each. */
static void
assert_faults (const char *root,
               const char *table,
               const char *expected)
{
  g_autofree char *path = g_build_filename (root, "rooms.txt", NULL);
  g_autoptr (GPtrArray) faults = NULL;
  g_autofree char *found = NULL;

  write_file (root, "rooms.txt", table);
  faults = walls_check (root, path);
  g_ptr_array_add (faults, NULL);
  found = g_strjoinv ("\n", (char **) faults->pdata);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_house (gconstpointer data)
{
  const House *house = data;
  char *root = temporary_new ();
  g_autofree char *expected = g_strjoinv ("\n", (char **) house->faults);

  for (gsize i = 0; i < G_N_ELEMENTS (house->files) && house->files[i].path != NULL; i++)
    write_file (root, house->files[i].path, house->files[i].text);
  assert_faults (root, house->table, expected);
  temporary_free (root);
}

static void
test_crowd (void)
{
  static const char *const rooms[] = { "engine/base", "tests/engine", "tests/fixtures/more" };
  static const char table[] = "data: tests/fixtures\nengine/base:\n";
  char *root = temporary_new ();

  for (gsize room = 0; room < G_N_ELEMENTS (rooms); room++) {
    for (int i = 0; i < WALLS_MAX_FILES; i++) {
      g_autofree char *path = g_strdup_printf ("%s/%d.c", rooms[room], i);

      write_file (root, path, "");
    }
  }
  assert_faults (root, table, "");
  for (gsize room = 0; room < G_N_ELEMENTS (rooms); room++) {
    g_autofree char *path = g_strdup_printf ("%s/README.md", rooms[room]);

    write_file (root, path, "");
  }
  assert_faults (root, table, "engine/base: 41 files, at most 40\n"
                              "tests/engine: 41 files, at most 40");
  temporary_free (root);
}

/* The house itself. */
static void
test_sources (void)
{
  g_autofree char *root = g_path_get_dirname (g_test_get_dir (G_TEST_DIST));
  g_autofree char *table = g_test_build_filename (G_TEST_DIST, "walls", "rooms.txt", NULL);
  g_autoptr (GPtrArray) faults = walls_check (root, table);

  for (guint i = 0; i < faults->len; i++) {
    g_test_message ("%s", (const char *) g_ptr_array_index (faults, i));
    g_test_fail ();
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/walls/crowd", test_crowd);
  for (gsize i = 0; i < G_N_ELEMENTS (houses); i++)
    g_test_add_data_func (houses[i].name, &houses[i], test_house);
  g_test_add_func ("/walls/sources", test_sources);

  return g_test_run ();
}
