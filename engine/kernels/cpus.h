/* SPDX-License-Identifier: MIT */
/* How many CPUs the process may use, which may be fewer than the machine has: taskset, a batch
 * system or a container leave it some of them, or a share of their time. Threads beyond that only
 * wait for each other. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* At least 1; the least of what the calling thread's affinity (with it cpuset) and the quotas of
 * the process's control groups, rounded up, allow. Read once: later calls give the same. Any
 * thread. */
int eng_cpus_count       (void);

/* What it is made of; G_MAXINT = no limit, also where a file is missing or makes no sense. */

/* groups: text of /proc/self/cgroup; root: where control groups are mounted. The least quota of
 * the groups and of those that they lie in, of either version. */
int eng_cpus_read_quota  (const char *root,
                          const char *groups);
/* text: as in cpu.max, microseconds of CPU in a period of microseconds, "150000 100000" = 2. */
int eng_cpus_parse_quota (const char *text);

G_END_DECLS
