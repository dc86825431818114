/* SPDX-License-Identifier: MIT */
/* Settings with the desktop's schema, with one of another version, with none. Which schemas a
 * program sees is known once it has looked: this program starts itself anew for each case. */
#include <string.h>

#include "app/config.h"
#include "app/store/settings.h"
#include "tests/support/temporary.h"
#include "tests/support/tool.h"

#define LOADS "loads"

#define KEY(name, type, value) \
  "<key name='" name "' type='" type "'><default>" value "</default></key>"
#define OTHER_KEYS                                                          \
  KEY ("window-height", "i", "700") KEY ("window-maximized", "b", "false")  \
  KEY ("inspector", "b", "true") KEY ("inspector-width", "i", "288")        \
  KEY ("map", "b", "true") KEY ("map-width", "i", "240")                    \
  KEY ("starts", "i", "0") KEY ("ways-used", "i", "0")                         \
  KEY ("last-model", "s", "''")                                             \
  "<key name='theme' enum='t'><default>'system'</default></key>"
#define WIDTH KEY ("window-width", "i", "1111")
#define CONTRAST KEY ("high-contrast", "b", "false")

typedef struct {
  const char *keys;     /* of the desktop's schema; NULL = it has none */
  gboolean    is_moved; /* the program has none beside it */
  const char *printed;
  const char *said;     /* on stderr; NULL = nothing */
} Case;

/* FALSE after g_test_skip(). */
static gboolean
write_schema (const char *folder,
              const char *keys)
{
  const char *compile[] = { "glib-compile-schemas", folder, NULL };
  g_autofree char *path = g_build_filename (folder, "old.gschema.xml", NULL);
  g_autofree char *text = g_strdup_printf (
    "<schemalist><enum id='t'><value nick='system' value='0'/></enum>"
    "<schema id='%s' path='/io/github/headlight/Headlight/'>%s</schema></schemalist>",
    HEADLIGHT_APP_ID, keys);
  g_autofree char *output = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  output = tool_run (compile);
  return output != NULL;
}

/* As it would be without the folders of build and installation around it. */
static char *
copy_program (const char *folder)
{
  g_autofree char *bytes = NULL;
  char *path = g_build_filename (folder, "program", NULL);
  gsize size;

  g_assert_true (g_file_get_contents ("/proc/self/exe", &bytes, &size, NULL));
  g_assert_true (g_file_set_contents_full (path, bytes, size, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  return path;
}

static void
check (const Case *expected,
       const char *folder)
{
  g_autofree char *program = expected->is_moved ? copy_program (folder)
                                                : g_file_read_link ("/proc/self/exe", NULL);
  const char *arguments[] = { program, LOADS, NULL };
  g_auto (GStrv) environment = g_get_environ ();
  g_autofree char *printed = NULL;
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  environment = g_environ_setenv (environment, "GSETTINGS_BACKEND", "memory", TRUE);
  environment = g_environ_setenv (environment, "XDG_DATA_DIRS", folder, TRUE);
  environment = g_environ_setenv (environment, "XDG_DATA_HOME", folder, TRUE);
  environment = g_environ_setenv (environment, "GSETTINGS_SCHEMA_DIR", folder, TRUE);
  g_spawn_sync (NULL, (char **) arguments, environment, 0, NULL, NULL, &printed, &said, &status,
                &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);

  g_assert_cmpstr (printed, ==, expected->printed);
  if (expected->said != NULL)
    g_assert_nonnull (strstr (said, expected->said));
  else
    g_assert_cmpstr (said, ==, "");
}

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  char *folder = temporary_new ();

  if (expected->keys == NULL || write_schema (folder, expected->keys))
    check (expected, folder);
  temporary_free (folder);
}

static void
print_loaded (void)
{
  g_autoptr (AppSettings) settings = app_settings_load ();

  g_print ("%d %d\n", settings->width, settings->inspector);
  app_settings_save (settings);
}

#define LACKS "headlight-window: the desktop's schema " HEADLIGHT_APP_ID " lacks the key "
#define NOT_KEPT "headlight-window: settings are not kept: "

static const struct {
  const char *name;
  Case        facts;
} cases[] = {
  { "desktop", { WIDTH CONTRAST OTHER_KEYS, FALSE, "1111 1\n", NULL } },
  { "older", { WIDTH OTHER_KEYS, FALSE, "1280 1\n", LACKS "high-contrast;" } },
  { "other-type", { KEY ("window-width", "s", "''") CONTRAST OTHER_KEYS, FALSE, "1280 1\n",
                    LACKS "window-width;" } },
  { "own", { NULL, FALSE, "1280 1\n", NULL } },
  { "none", { NULL, TRUE, "1280 1\n", NOT_KEPT } },
  { "older-alone", { WIDTH OTHER_KEYS, TRUE, "1280 1\n", NOT_KEPT } },
};

int
main (int    argc,
      char **argv)
{
  if (argc == 2 && g_str_equal (argv[1], LOADS)) {
    print_loaded ();
    return 0;
  }

  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/settings/", cases[i].name, NULL);

    g_test_add_data_func (path, &cases[i].facts, test_case);
  }

  return g_test_run ();
}
