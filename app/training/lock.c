/* SPDX-License-Identifier: MIT */
#include "app/training/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DIGITS 20

struct _AppTrainingLock {
  int folder; /* descriptors; the folder may be moved meanwhile */
  int file;
};

static gboolean
refuse_held (const char  *folder,
             int          file,
             GError     **error)
{
  char text[MAX_DIGITS + 1] = { 0 };
  long process = pread (file, text, MAX_DIGITS, 0) > 0 ? strtol (text, NULL, 10) : 0;

  if (process > 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO,
                 "%s: a training runs in it already, that of process %ld", folder, process);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: a training runs in it already", folder);

  return FALSE;
}

static gboolean
refuse_file (const char  *folder,
             GError     **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s/" APP_TRAINING_LOCK_FILE ": %s", folder, g_strerror (errno));

  return FALSE;
}

/* Whether the file that is locked is still the folder's: who held it may have taken it away in
 * between. */
static gboolean
is_there (const AppTrainingLock *self)
{
  struct stat own, there;

  return fstat (self->file, &own) == 0 && fstatat (self->folder, APP_TRAINING_LOCK_FILE, &there, 0) == 0 &&
         own.st_ino == there.st_ino && own.st_dev == there.st_dev;
}

static void
write_process (const AppTrainingLock *self)
{
  g_autofree char *text = g_strdup_printf ("%ld\n", (long) getpid ());

  /* A refusal that cannot name the process is none the less right. */
  if (ftruncate (self->file, 0) != 0 ||
      pwrite (self->file, text, strlen (text), 0) != (ssize_t) strlen (text))
    return;
}

static gboolean
take (AppTrainingLock  *self,
      const char       *folder,
      GError          **error)
{
  for (;;) {
    self->file = openat (self->folder, APP_TRAINING_LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (self->file < 0)
      return refuse_file (folder, error);
    if (flock (self->file, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        return refuse_held (folder, self->file, error);
      return TRUE;
    }
    if (is_there (self)) {
      write_process (self);
      return TRUE;
    }
    close (self->file);
  }
}

AppTrainingLock *
app_training_lock_take (const char  *folder,
                        GError     **error)
{
  AppTrainingLock *self = g_new (AppTrainingLock, 1);

  self->file = -1;
  self->folder = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (self->folder >= 0 ? take (self, folder, error) : refuse_file (folder, error))
    return self;
  if (self->file >= 0)
    close (self->file);
  if (self->folder >= 0)
    close (self->folder);
  g_free (self);

  return NULL;
}

void
app_training_lock_release (AppTrainingLock *self)
{
  /* Before anybody else can have it. */
  unlinkat (self->folder, APP_TRAINING_LOCK_FILE, 0);
  close (self->file);
  close (self->folder);
  g_free (self);
}

gboolean
app_training_lock_is_held (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, APP_TRAINING_LOCK_FILE, NULL);
  const int file = open (path, O_RDONLY | O_CLOEXEC);
  gboolean is_held;

  if (file < 0)
    return FALSE;
  is_held = flock (file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close (file);

  return is_held;
}
