/* SPDX-License-Identifier: MIT */
#include "engine/base/file-guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.h"

/* Guards stay in the list for good, because a handler may stand at any of them: those that are free
 * guard nothing. A few hundred bytes for each file that was ever mapped. */
struct _EngFileGuard {
  _Atomic (uintptr_t) begin;  /* 0 = guards nothing */
  uintptr_t           end;    /* of the last page */
  atomic_bool         broken; /* a page was gone */
  int                 fd;
  struct stat         as_mapped;
  char               *path;
  EngFileGuard       *next;
};

static _Atomic (EngFileGuard *) guards;
static struct sigaction former;
static uintptr_t page_size;

static EngFileGuard *
find_guard (uintptr_t address)
{
  for (EngFileGuard *guard = atomic_load (&guards); guard; guard = guard->next) {
    uintptr_t begin = atomic_load (&guard->begin);

    if (begin != 0 && address >= begin && address < guard->end)
      return guard;
  }

  return NULL;
}

/* Calls nothing but system calls. A file loses its end, so all behind the page is gone, too. */
static gboolean
put_zeros (uintptr_t address)
{
  EngFileGuard *guard = find_guard (address);
  uintptr_t page = address / page_size * page_size;

  if (!guard || mmap ((void *) page, guard->end - page, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return FALSE;
  atomic_store (&guard->broken, TRUE);

  return TRUE;
}

static void
handle_sigbus (int        number,
               siginfo_t *info,
               void      *context)
{
  int saved = errno;
  gboolean done = put_zeros ((uintptr_t) info->si_addr);

  errno = saved;
  if (done)
    return;
  if (former.sa_flags & SA_SIGINFO)
    former.sa_sigaction (number, info, context);
  else if (former.sa_handler == SIG_DFL || former.sa_handler == SIG_IGN)
    sigaction (SIGBUS, &former, NULL); /* the instruction runs again, and nobody helps it */
  else
    former.sa_handler (number);
}

static void
install_handler (void)
{
  static gsize installed;
  struct sigaction action = { .sa_sigaction = handle_sigbus,
                              .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK };

  if (!g_once_init_enter (&installed))
    return;
  page_size = (uintptr_t) sysconf (_SC_PAGESIZE);
  sigemptyset (&action.sa_mask);
  sigaction (SIGBUS, &action, &former);
  g_once_init_leave (&installed, 1);
}

static gboolean
is_as_mapped (const EngFileGuard *self)
{
  struct stat now;

  return !atomic_load (&self->broken) && fstat (self->fd, &now) == 0 &&
         now.st_size == self->as_mapped.st_size &&
         now.st_mtim.tv_sec == self->as_mapped.st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == self->as_mapped.st_mtim.tv_nsec;
}

EngFileGuard *
eng_file_guard_new (gconstpointer   bytes,
                    gsize           n_bytes,
                    int             fd,
                    const char     *path,
                    GError        **error)
{
  EngFileGuard *self;
  struct stat as_mapped;
  int copy = fcntl (fd, F_DUPFD_CLOEXEC, 0);

  if (copy < 0 || fstat (copy, &as_mapped) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: cannot be kept open: %s", path,
                 g_strerror (errno));
    if (copy >= 0)
      close (copy);
    return NULL;
  }

  install_handler ();
  self = g_new0 (EngFileGuard, 1);
  self->fd = copy;
  self->as_mapped = as_mapped;
  self->path = g_strdup (path);
  self->end = ((uintptr_t) bytes + n_bytes + page_size - 1) / page_size * page_size;
  atomic_store (&self->begin, (uintptr_t) bytes);
  self->next = atomic_load (&guards);
  while (!atomic_compare_exchange_weak (&guards, &self->next, self))
    continue;

  return self;
}

void
eng_file_guard_free (EngFileGuard *self)
{
  atomic_store (&self->begin, 0);
  close (self->fd);
  g_clear_pointer (&self->path, g_free);
}

EngFileGuard *
eng_file_guard_find (gconstpointer bytes)
{
  EngFileGuard *guard = bytes ? find_guard ((uintptr_t) bytes) : NULL;

  return guard && atomic_load (&guard->begin) == (uintptr_t) bytes ? guard : NULL;
}

gboolean
eng_file_guard_check (const EngFileGuard  *self,
                      GError             **error)
{
  if (is_as_mapped (self))
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO,
               "%s: another program wrote to it while it was in use, expected a file that stays as "
               "it was; open it again", self->path);

  return FALSE;
}
