/* SPDX-License-Identifier: MIT */
#include "engine/kernels/cpus.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

/* The kernel refuses a set that is smaller than its own, of which no size is known. */
#define LARGEST_SET (1 << 20)

static int
count_affinity (void)
{
  for (int n = CPU_SETSIZE; n <= LARGEST_SET; n *= 2) {
    cpu_set_t *set = CPU_ALLOC (n);
    gboolean known = sched_getaffinity (0, CPU_ALLOC_SIZE (n), set) == 0;
    gboolean too_small = !known && errno == EINVAL;
    int count = known ? CPU_COUNT_S (CPU_ALLOC_SIZE (n), set) : 0;

    CPU_FREE (set);
    if (!too_small)
      return count > 0 ? count : (int) g_get_num_processors ();
  }
  return (int) g_get_num_processors ();
}

int
eng_cpus_parse_quota (const char *text)
{
  char *end;
  gint64 quota = g_ascii_strtoll (text, &end, 10);
  gint64 period = g_ascii_strtoll (end, &end, 10);

  if (quota <= 0 || period <= 0 || end[strspn (end, " \n")] != '\0')
    return G_MAXINT;
  return (int) MIN ((quota - 1) / period + 1, G_MAXINT);
}

static char *
read_file (const char *folder,
           const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

/* The first version of control groups has a file for each of the two numbers. */
static int
read_folder (const char *folder)
{
  g_autofree char *both = read_file (folder, "cpu.max");
  g_autofree char *quota = read_file (folder, "cpu.cfs_quota_us");
  g_autofree char *period = read_file (folder, "cpu.cfs_period_us");

  if (both == NULL && quota != NULL && period != NULL)
    both = g_strconcat (quota, " ", period, NULL);
  return both != NULL ? eng_cpus_parse_quota (both) : G_MAXINT;
}

/* A container may be told the path of its group outside, of which it sees the last part or just
 * what lies at the mount: what is not there sets no limit. */
static int
read_folders (const char *mount,
              const char *group)
{
  g_autofree char *path = g_strdup (group);
  int least = G_MAXINT;

  for (char *slash = path; slash != NULL;) {
    g_autofree char *folder = g_build_filename (mount, path, NULL);

    least = MIN (least, read_folder (folder));
    slash = strrchr (path, '/');
    if (slash != NULL)
      *slash = '\0';
  }
  return least;
}

/* A line is number:controllers:path; the second version has no controllers there. */
int
eng_cpus_read_quota (const char *root,
                     const char *groups)
{
  g_auto (GStrv) lines = g_strsplit (groups, "\n", -1);
  g_autofree char *first_version = g_build_filename (root, "cpu", NULL);
  int least = G_MAXINT;

  for (int i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (lines[i], ":", 3);
    g_auto (GStrv) controllers = NULL;

    if (g_strv_length (parts) < 3)
      continue;
    controllers = g_strsplit (parts[1], ",", -1);
    if (*parts[1] == '\0')
      least = MIN (least, read_folders (root, parts[2]));
    else if (g_strv_contains ((const char *const *) controllers, "cpu"))
      least = MIN (least, read_folders (first_version, parts[2]));
  }
  return least;
}

static int
count (void)
{
  g_autofree char *groups = NULL;
  int n = count_affinity ();

  if (g_file_get_contents ("/proc/self/cgroup", &groups, NULL, NULL))
    n = MIN (n, eng_cpus_read_quota ("/sys/fs/cgroup", groups));
  return n;
}

int
eng_cpus_count (void)
{
  static gsize n_cpus = 0;

  if (g_once_init_enter (&n_cpus))
    g_once_init_leave (&n_cpus, count ());
  return (int) n_cpus;
}
