/* SPDX-License-Identifier: MIT */
#include "tests/monkey/watch.h"

#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_FRAMES  40
#define LOOK_US     10000 /* between two looks at the main thread */
#define SPOT_PART   0.7   /* of the limit: then the main thread says where it is */
#define SAMPLE_PART 0.2   /* of the limit: then it is noted how long other threads have waited */
#define MAX_THREADS 64
#define MAX_CPUS    64
#define N_PROBES    20
#define PROBE_SIZE  6000

typedef struct {
  int    id;
  gint64 delay; /* ns that it could have run and did not */
} ThreadDelay;

static struct {
  double    limit_ms;
  gboolean (*is_ours) (void);
  GMutex    mutex;       /* of taken.n_warnings, as any thread warns, and of stolen_ms */
  Watch     taken;
  pthread_t main_thread;
  int       schedstat;   /* descriptor of the main thread's */
  int       stat;        /* another */
  gint64    start;       /* µs; of the round */
  gint64    start_delay; /* ns */
  double    start_cpu;   /* ms */
  double    start_disk;  /* ms */
  double    probe_ms;    /* the least that the probe ever took */
  gint64    round;       /* µs; the same as start, 0 between two rounds; atomic */
  ThreadDelay threads[MAX_THREADS]; /* early in the round; the look thread's until sampled is set */
  int       n_threads;
  gint64    sampled;     /* µs; the round that threads are of; atomic */
  double stolen_ms[MAX_CPUS]; /* by processor, when the round began or just before; under mutex */
  void     *spot[MAX_FRAMES];
  int       n_spot;
} watch;

/* ns that a thread could have run and did not. schedstat: descriptor of the thread's. */
static gint64
get_delay (int schedstat)
{
  char text[96];
  const ssize_t length = pread (schedstat, text, sizeof text - 1, 0);
  char *end;

  if (length <= 0)
    return 0;
  text[length] = '\0';
  g_ascii_strtoll (text, &end, 10);
  return g_ascii_strtoll (end, NULL, 10);
}

/* Of all threads but the main one. */
static int
list_delays (ThreadDelay *threads)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;
  int n = 0;

  while (tasks != NULL && n < MAX_THREADS && (name = g_dir_read_name (tasks)) != NULL) {
    g_autofree char *path = g_build_filename ("/proc/self/task", name, "schedstat", NULL);
    const int id = (int) g_ascii_strtoll (name, NULL, 10);
    const int schedstat = id != getpid () ? open (path, O_RDONLY | O_CLOEXEC) : -1;

    if (schedstat < 0)
      continue;
    threads[n++] = (ThreadDelay) { id, get_delay (schedstat) };
    close (schedstat);
  }
  return n;
}

/* What the host of a virtual machine took of each processor, since it was started. */
static void
list_stolen (double stolen_ms[MAX_CPUS])
{
  g_autofree char *stat = NULL;
  const char *line;
  int cpu;

  memset (stolen_ms, 0, MAX_CPUS * sizeof *stolen_ms);
  if (!g_file_get_contents ("/proc/stat", &stat, NULL, NULL))
    return;

  for (line = strchr (stat, '\n'); line != NULL; line = strchr (line + 1, '\n')) {
    unsigned long long ticks;

    if (sscanf (line, "\ncpu%d %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &ticks) == 2
        && cpu < MAX_CPUS)
      stolen_ms[cpu] = 1e3 * (double) ticks / (double) sysconf (_SC_CLK_TCK);
  }
}

/* What the host took of a processor since the round began. */
static double
find_stolen_ms (void)
{
  double now[MAX_CPUS], longest = 0;

  list_stolen (now);
  g_mutex_lock (&watch.mutex);
  for (int i = 0; i < MAX_CPUS; i++)
    longest = MAX (longest, now[i] - watch.stolen_ms[i]);
  g_mutex_unlock (&watch.mutex);
  return longest;
}

/* The longest that another thread waited for a processor since early in the round. */
static double
find_put_aside_ms (gint64 round)
{
  ThreadDelay now[MAX_THREADS];
  gint64 longest = 0;
  int n;

  if (__atomic_load_n (&watch.sampled, __ATOMIC_ACQUIRE) != round)
    return 0;

  n = list_delays (now);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < watch.n_threads; j++)
      if (now[i].id == watch.threads[j].id)
        longest = MAX (longest, now[i].delay - watch.threads[j].delay);
  return longest / 1e6;
}

/* Of this thread. */
static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

/* What the main thread waited for the disk, pages of programs and fonts among it that the system
 * had taken back: field 42 of its stat. 0 unless the kernel counts it. */
static double
get_disk_ms (void)
{
  char text[1024];
  const ssize_t length = pread (watch.stat, text, sizeof text - 1, 0);
  const char *field;

  if (length <= 0)
    return 0;
  text[length] = '\0';
  /* The name, field 2, may hold anything; field 3 follows it. */
  field = strrchr (text, ')');
  for (int i = 2; i < 42 && field != NULL; i++)
    field = strchr (field + 1, ' ');
  if (field == NULL)
    return 0;
  return 1e3 * (double) g_ascii_strtoull (field, NULL, 10) / (double) sysconf (_SC_CLK_TCK);
}

/* How long what programs do all day takes just now: memory, text, a table. */
static double
probe_speed (void)
{
  const double start = get_cpu_ms ();
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (int i = 0; i < PROBE_SIZE; i++)
    g_hash_table_add (table, g_strdup_printf ("%d of %d", i % 512, PROBE_SIZE));
  return get_cpu_ms () - start;
}

static void
print_frames (void *const *frames,
              int          n_frames)
{
  char **names = backtrace_symbols (frames, n_frames);

  for (int i = 0; i < n_frames; i++)
    g_printerr ("    %s\n", names[i]);
  free (names);
}

/* Whether that was a wait for the display's server, a process that shares the processors. */
static gboolean
is_in_display (void *const *frames,
               int          n_frames)
{
  char **names = backtrace_symbols (frames, n_frames);
  gboolean is_in = FALSE;

  for (int i = 0; i < n_frames; i++)
    is_in = is_in || strstr (names[i], "/libxcb.so") != NULL;
  free (names);
  return is_in;
}

static void
spot_cb (int signal)
{
  watch.n_spot = backtrace (watch.spot, MAX_FRAMES);
}

/* Until a round has begun to last. */
static void
note_stolen (gint64 round)
{
  double now[MAX_CPUS];

  if (round != 0 && g_get_monotonic_time () - round > LOOK_US)
    return;

  list_stolen (now);
  g_mutex_lock (&watch.mutex);
  memcpy (watch.stolen_ms, now, sizeof now);
  g_mutex_unlock (&watch.mutex);
}

/* Asks the main thread where it is, once a round. */
static gpointer
look_thread (gpointer unused)
{
  gint64 asked = 0;

  while (TRUE) {
    const gint64 round = __atomic_load_n (&watch.round, __ATOMIC_ACQUIRE);

    note_stolen (round);
    if (round != 0 && round != watch.sampled
        && g_get_monotonic_time () - round > 1e3 * SAMPLE_PART * watch.limit_ms) {
      watch.n_threads = list_delays (watch.threads);
      __atomic_store_n (&watch.sampled, round, __ATOMIC_RELEASE);
    }
    if (round != 0 && round != asked
        && g_get_monotonic_time () - round > 1e3 * SPOT_PART * watch.limit_ms) {
      asked = round;
      pthread_kill (watch.main_thread, SIGUSR1);
    }
    g_usleep (LOOK_US);
  }
  return NULL;
}

static void
print_round (double ms,
             double ran_ms,
             double wall_ms,
             double aside_ms,
             double disk_ms,
             double speed)
{
  g_printerr ("round of %.0f ms, of which it ran %.0f ms; %.0f ms with waiting for a processor",
              ms, ran_ms, wall_ms);
  if (aside_ms > 0)
    g_printerr ("; %.0f ms of it another thread or the machine was put aside", aside_ms);
  if (disk_ms > 0)
    g_printerr ("; %.0f ms of it it waited for the disk", disk_ms);
  if (speed < 1)
    g_printerr ("; the processor did %.0f %% of its work", 100 * speed);
  g_printerr ("\n");
  print_frames (watch.spot, watch.n_spot);
}

static void
end_round (void)
{
  const double wall_ms = (g_get_monotonic_time () - watch.start) / 1e3;
  const double delay_ms = (get_delay (watch.schedstat) - watch.start_delay) / 1e6;
  const double ran_ms = get_cpu_ms () - watch.start_cpu;
  double ms = wall_ms - delay_ms;
  gboolean is_ours = TRUE;

  __atomic_store_n (&watch.round, 0, __ATOMIC_RELEASE);
  if (ms > watch.limit_ms && is_in_display (watch.spot, watch.n_spot))
    ms = ran_ms;
  if (ms > watch.limit_ms) {
    /* What is stolen counts as having run. */
    const double disk_ms = MIN (get_disk_ms () - watch.start_disk, ms - ran_ms);
    const double aside_ms = MAX (MIN (find_put_aside_ms (watch.start), ms - ran_ms),
                                 MIN (find_stolen_ms (), ms));
    const double speed = MIN (watch.probe_ms / probe_speed (), 1);
    const double own_ms = (ms - MAX (aside_ms, disk_ms)) * speed;

    print_round (ms, ran_ms, wall_ms, aside_ms, disk_ms, speed);
    is_ours = watch.is_ours ();
    if (is_ours && own_ms > watch.limit_ms)
      watch.taken.n_long++;
    else if (is_ours) {
      watch.taken.n_aside++;
      watch.taken.aside_ms = MAX (watch.taken.aside_ms, ms);
    }
    ms = own_ms;
  }
  watch.n_spot = 0;
  if (!is_ours)
    return;
  watch.taken.longest_ms = MAX (watch.taken.longest_ms, ms);
  watch.taken.wall_ms = MAX (watch.taken.wall_ms, wall_ms);
}

static int
poll_cb (GPollFD *fds,
         guint    n_fds,
         int      timeout)
{
  int n_ready;

  if (watch.start != 0)
    end_round ();
  n_ready = g_poll (fds, n_fds, timeout);
  watch.start = g_get_monotonic_time ();
  watch.start_delay = get_delay (watch.schedstat);
  watch.start_cpu = get_cpu_ms ();
  watch.start_disk = get_disk_ms ();
  __atomic_store_n (&watch.round, watch.start, __ATOMIC_RELEASE);
  return n_ready;
}

static GLogWriterOutput
log_cb (GLogLevelFlags   level,
        const GLogField *fields,
        gsize            n_fields,
        gpointer         unused)
{
  if ((level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL)) != 0) {
    void *frames[MAX_FRAMES];

    g_log_writer_standard_streams (level, fields, n_fields, NULL);
    print_frames (frames, backtrace (frames, MAX_FRAMES));
    /* What another thread says always counts; what stands before the window is not its to ask. */
    if (!pthread_equal (pthread_self (), watch.main_thread) || watch.is_ours ()) {
      g_mutex_lock (&watch.mutex);
      watch.taken.n_warnings++;
      g_mutex_unlock (&watch.mutex);
    }
    return G_LOG_WRITER_HANDLED;
  }
  return g_log_writer_default (level, fields, n_fields, NULL);
}

/* Says where the program came to its end, and lets it. */
static void
crash_cb (int signal)
{
  void *frames[MAX_FRAMES];

  backtrace_symbols_fd (frames, backtrace (frames, MAX_FRAMES), STDERR_FILENO);
  raise (signal);
}

void
watch_start (double     limit_ms,
             gboolean (*is_ours) (void))
{
  struct sigaction action = { .sa_handler = spot_cb, .sa_flags = SA_RESTART };
  struct sigaction crash = { .sa_handler = crash_cb, .sa_flags = (int) SA_RESETHAND };
  void *frames[1];

  /* Its first call loads a library, which is nothing to do in a signal's handler. */
  backtrace (frames, 1);
  watch.limit_ms = limit_ms;
  watch.is_ours = is_ours;
  watch.main_thread = pthread_self ();
  watch.schedstat = open ("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  watch.stat = open ("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC);
  watch.probe_ms = probe_speed ();
  for (int i = 1; i < N_PROBES; i++)
    watch.probe_ms = MIN (watch.probe_ms, probe_speed ());
  sigaction (SIGUSR1, &action, NULL);
  sigaction (SIGSEGV, &crash, NULL);
  sigaction (SIGABRT, &crash, NULL);
  g_log_set_writer_func (log_cb, NULL, NULL);
  g_main_context_set_poll_func (NULL, poll_cb);
  g_thread_unref (g_thread_new ("look", look_thread, NULL));
}

Watch
watch_take (void)
{
  Watch taken;

  g_mutex_lock (&watch.mutex);
  taken = watch.taken;
  memset (&watch.taken, 0, sizeof watch.taken);
  g_mutex_unlock (&watch.mutex);
  return taken;
}

static double
get_kb (const char *status,
        const char *name)
{
  const char *line = strstr (status, name);

  return line != NULL ? g_ascii_strtoll (line + strlen (name), NULL, 10) : 0;
}

double
watch_get_mb (void)
{
  g_autofree char *status = NULL;

  malloc_trim (0);
  if (!g_file_get_contents ("/proc/self/smaps_rollup", &status, NULL, NULL))
    return 0;
  return (get_kb (status, "\nAnonymous:") - get_kb (status, "\nLazyFree:")) / 1024;
}

double
watch_get_heap_mb (void)
{
  const struct mallinfo2 info = mallinfo2 ();

  return (info.uordblks + info.hblkhd) / 1048576.0;
}
