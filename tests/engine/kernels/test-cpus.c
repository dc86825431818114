/* SPDX-License-Identifier: MIT */
/* CPUs that the process may use: under an affinity of its own, and in control groups that are
 * played by folders of files. */
#include "engine/kernels/cpus.h"

#include <glib/gstdio.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/kernels/pool.h"

/* From here on the thread, and what counts on it, has one CPU of those that it had. */
static void
take_one_cpu (void)
{
  cpu_set_t all, one;
  int cpu = 0;

  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  while (!CPU_ISSET (cpu, &all))
    cpu++;
  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
}

/* Both are counted once in a process, so in one of its own: the pool's workers, and the CPUs. */
static void
count_in_child (const char *wanted,
                int        *n_workers,
                int        *n_cpus)
{
  int status;
  pid_t child = fork ();

  g_assert_cmpint (child, >=, 0);
  if (child == 0) {
    if (wanted != NULL)
      g_setenv ("HEADLIGHT_THREADS", wanted, TRUE);
    else
      g_unsetenv ("HEADLIGHT_THREADS");
    take_one_cpu ();
    _exit (MIN (eng_pool_get_n_workers (), 15) << 4 | MIN (eng_cpus_count (), 15));
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  *n_workers = WEXITSTATUS (status) >> 4;
  *n_cpus = WEXITSTATUS (status) & 15;
}

static void
test_affinity (void)
{
  int n_workers, n_cpus;

  count_in_child (NULL, &n_workers, &n_cpus);
  g_assert_cmpint (n_cpus, ==, 1);
  g_assert_cmpint (n_workers, ==, 1);
}

static void
test_environment_wins (void)
{
  int n_workers, n_cpus;

  count_in_child ("3", &n_workers, &n_cpus);
  g_assert_cmpint (n_cpus, ==, 1);
  g_assert_cmpint (n_workers, ==, 3);
}

static void
test_quota_text (void)
{
  static const struct {
    const char *text;
    int         expected;
  } cases[] = {
    { "100000 100000\n", 1 },
    { "150000 100000\n", 2 },
    { "200000 100000", 2 },
    { "200001 100000", 3 },
    { "1 100000", 1 },
    { "1600000\n 100000\n", 16 },
    { "99999999999999999999 1", G_MAXINT },
    { "max 100000\n", G_MAXINT },
    { "-1 100000", G_MAXINT },
    { "0 100000", G_MAXINT },
    { "100000", G_MAXINT },
    { "100000 0", G_MAXINT },
    { "100000 -5", G_MAXINT },
    { "100000 max", G_MAXINT },
    { "1e5 100000", G_MAXINT },
    { "100000 100000 7", G_MAXINT },
    { "", G_MAXINT },
    { "\n", G_MAXINT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (eng_cpus_parse_quota (cases[i].text), ==, cases[i].expected);
}

static void
write_file (const char *root,
            const char *folder,
            const char *name,
            const char *text)
{
  g_autofree char *place = g_build_filename (root, folder, NULL);
  g_autofree char *path = g_build_filename (place, name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (place, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
remove_file (const char *root,
             const char *folder,
             const char *name)
{
  g_autofree char *place = g_build_filename (root, folder, NULL);
  g_autofree char *path = g_build_filename (place, name, NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
  /* The folder may hold more. */
  g_rmdir (place);
}

static void
test_second_version (void)
{
  g_autofree char *root = g_dir_make_tmp ("headlight-XXXXXX", NULL);

  write_file (root, "user/me", "cpu.max", "max 100000\n");
  write_file (root, "user", "cpu.max", "250000 100000\n");
  g_assert_cmpint (eng_cpus_read_quota (root, "0::/user/me\n"), ==, 3);
  g_assert_cmpint (eng_cpus_read_quota (root, "0::/user/other/deeper\n"), ==, 3);
  g_assert_cmpint (eng_cpus_read_quota (root, "0::/\n"), ==, G_MAXINT);
  g_assert_cmpint (eng_cpus_read_quota (root, "3:cpuset:/user\n0::/\n"), ==, G_MAXINT);

  /* A container whose own group is the root that it sees. */
  write_file (root, ".", "cpu.max", "100000 100000\n");
  g_assert_cmpint (eng_cpus_read_quota (root, "0::/\n"), ==, 1);
  g_assert_cmpint (eng_cpus_read_quota (root, "0::/docker/1234\n"), ==, 1);

  g_assert_cmpint (eng_cpus_read_quota (root, ""), ==, G_MAXINT);
  g_assert_cmpint (eng_cpus_read_quota (root, "0:/user\nnonsense\n::\n"), ==, 1);
  g_assert_cmpint (eng_cpus_read_quota ("/no/such/folder", "0::/user/me\n"), ==, G_MAXINT);

  remove_file (root, ".", "cpu.max");
  remove_file (root, "user/me", "cpu.max");
  remove_file (root, "user", "cpu.max");
  g_assert_cmpint (g_rmdir (root), ==, 0);
}

static void
test_first_version (void)
{
  g_autofree char *root = g_dir_make_tmp ("headlight-XXXXXX", NULL);

  write_file (root, "cpu/job", "cpu.cfs_quota_us", "350000\n");
  g_assert_cmpint (eng_cpus_read_quota (root, "5:cpu:/job\n"), ==, G_MAXINT);
  write_file (root, "cpu/job", "cpu.cfs_period_us", "100000\n");
  g_assert_cmpint (eng_cpus_read_quota (root, "8:pids:/\n5:cpu,cpuacct:/job\n0::/\n"), ==, 4);
  g_assert_cmpint (eng_cpus_read_quota (root, "5:cpu:/job\n"), ==, 4);
  g_assert_cmpint (eng_cpus_read_quota (root, "5:cpuset:/job\n"), ==, G_MAXINT);
  write_file (root, "cpu/job", "cpu.cfs_quota_us", "-1\n");
  g_assert_cmpint (eng_cpus_read_quota (root, "5:cpu:/job\n"), ==, G_MAXINT);

  remove_file (root, "cpu/job", "cpu.cfs_quota_us");
  remove_file (root, "cpu/job", "cpu.cfs_period_us");
  remove_file (root, ".", "cpu");
  g_assert_cmpint (g_rmdir (root), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpus/affinity", test_affinity);
  g_test_add_func ("/cpus/environment-wins", test_environment_wins);
  g_test_add_func ("/cpus/quota-text", test_quota_text);
  g_test_add_func ("/cpus/second-version", test_second_version);
  g_test_add_func ("/cpus/first-version", test_first_version);
  return g_test_run ();
}
