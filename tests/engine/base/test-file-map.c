/* SPDX-License-Identifier: MIT */
/* Mapped files that another program writes to: what is read never ends the program, and is told
 * from what the file had. */
#include "engine/base/file-map.h"

#include "engine/base/error.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_PAGES 8

typedef struct {
  char   *folder;
  char   *path;
  gsize   n_bytes;
  GBytes *bytes;
} Fixture;

static void
write_ones (const Fixture *self,
            const char    *name)
{
  g_autofree char *ones = g_malloc (self->n_bytes);

  memset (ones, 1, self->n_bytes);
  checkpoint_write_file (self->folder, name, ones, (gssize) self->n_bytes);
}

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  self->folder = temporary_new ();
  self->path = g_build_filename (self->folder, "weights", NULL);
  self->n_bytes = N_PAGES * (gsize) sysconf (_SC_PAGESIZE);
  write_ones (self, "weights");
  self->bytes = eng_file_map (self->path, 0, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  g_bytes_unref (self->bytes);
  temporary_free (self->folder);
  g_free (self->path);
}

static guint64
sum (GBytes *bytes)
{
  gsize n;
  const guint8 *data = g_bytes_get_data (bytes, &n);
  guint64 total = 0;

  for (gsize i = 0; i < n; i++)
    total += data[i];

  return total;
}

static void
assert_changed (const Fixture *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (eng_file_map_check (self->bytes, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_assert_true (g_str_has_prefix (error->message, self->path));
}

static void
test_shortened (Fixture       *self,
                gconstpointer  data)
{
  const gsize left = self->n_bytes / 4;
  g_autoptr (GError) error = NULL;

  g_assert_true (eng_file_map_check (self->bytes, &error));
  g_assert_cmpint (truncate (self->path, (off_t) left), ==, 0);
  g_assert_cmpuint (sum (self->bytes), ==, left);
  assert_changed (self);
  /* The same length again is no help: zeros were read. */
  write_ones (self, "other");
  g_assert_cmpint (truncate (self->path, (off_t) self->n_bytes), ==, 0);
  assert_changed (self);
}

static gpointer
sum_in_thread (gpointer data)
{
  return GSIZE_TO_POINTER ((gsize) sum (data));
}

/* Several threads meet the end of the file at once. */
static void
test_threads (Fixture       *self,
              gconstpointer  data)
{
  GThread *threads[4];

  g_assert_cmpint (truncate (self->path, 0), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", sum_in_thread, self->bytes);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpuint (GPOINTER_TO_SIZE (g_thread_join (threads[i])), ==, 0);
  assert_changed (self);
}

/* Written in place: the length is the same, the time is not. */
static void
test_overwritten (Fixture       *self,
                  gconstpointer  data)
{
  FILE *file;

  g_usleep (20000); /* file systems count time in ticks */
  file = fopen (self->path, "r+");
  g_assert_nonnull (file);
  g_assert_cmpint (fputc (7, file), ==, 7);
  g_assert_cmpint (fclose (file), ==, 0);
  assert_changed (self);
}

/* Who puts a whole new file in its place, or takes it away, disturbs nobody. */
static void
test_replaced (Fixture       *self,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  checkpoint_write_file (self->folder, "weights", "none", -1);
  g_assert_cmpuint (sum (self->bytes), ==, self->n_bytes);
  g_assert_true (eng_file_map_check (self->bytes, &error));
  checkpoint_remove_file (self->folder, "weights");
  g_assert_true (eng_file_map_check (self->bytes, &error));
}

/* A map that nobody guards still ends the program. */
static void
test_others (Fixture       *self,
             gconstpointer  data)
{
  GMappedFile *file = g_mapped_file_new (self->path, FALSE, NULL);
  pid_t child;
  int status;

  g_assert_cmpint (truncate (self->path, 0), ==, 0);
  child = fork ();
  if (child == 0) {
    volatile char byte = g_mapped_file_get_contents (file)[0];

    _exit (byte);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  /* A sanitizer ends it in its own way. */
  g_assert_true (WIFSIGNALED (status) ? WTERMSIG (status) == SIGBUS : WEXITSTATUS (status) != 0);
  g_mapped_file_unref (file);
}

#define add_test(path, function) \
  g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/file-map/shortened", test_shortened);
  add_test ("/file-map/threads", test_threads);
  add_test ("/file-map/overwritten", test_overwritten);
  add_test ("/file-map/replaced", test_replaced);
  add_test ("/file-map/others", test_others);

  return g_test_run ();
}
