/* SPDX-License-Identifier: MIT */
/* Plays the hub for one repository on two local servers: the hub itself answers questions and
 * serves small files after a redirect on the same server; large files lie on the second server, the
 * store, which must never see a token. Runs in a thread of its own. */
#pragma once

#include <gio/gio.h>

typedef struct _FakeHub FakeHub;

/* What goes wrong with the bytes of a file. */
typedef enum {
  FAKE_SOUND,
  FAKE_CUT,        /* half of what is left, then the connection breaks */
  FAKE_STALL,      /* half of what is left, then nothing more comes */
  FAKE_WRONG_BYTE,
  FAKE_TOO_LONG,   /* ten bytes more than announced */
  FAKE_TOO_SHORT,  /* ten bytes fewer, and no more on any request */
  FAKE_NO_RANGES,  /* 200 and everything, whatever was asked for */
  FAKE_OTHER_RANGE, /* 206 with another part than was asked for */
  FAKE_BUSY,       /* 429, come back at once */
  FAKE_BROKEN,     /* 503, come back at once */
  FAKE_GONE        /* 404 without a code */
} FakeFault;

#define FAKE_COMMIT "0123456789abcdef0123456789abcdef01234567"

/* repository: "org/name". Sets HF_ENDPOINT. */
FakeHub    *fake_hub_new           (const char *repository);
void        fake_hub_free          (FakeHub    *self);
const char *fake_hub_get_endpoint  (FakeHub    *self);

/* A large file is told apart as Git LFS does: sha256, and a redirect to the store. */
void        fake_hub_add_file      (FakeHub    *self,
                                    const char *path,
                                    GBytes     *content,
                                    gboolean    is_large);
void        fake_hub_add_text      (FakeHub    *self,
                                    const char *path,
                                    const char *text);
/* Every file of a folder; model.safetensors is large. */
void        fake_hub_add_folder    (FakeHub    *self,
                                    const char *folder);
void        fake_hub_remove_file   (FakeHub    *self,
                                    const char *path);

/* For the next n_times requests of the file's bytes; -1 = for all. */
void        fake_hub_set_fault     (FakeHub    *self,
                                    const char *path,
                                    FakeFault   fault,
                                    int         n_times);
/* The next n_times questions are answered with the status, come back at once. */
void        fake_hub_set_busy      (FakeHub    *self,
                                    guint       status,
                                    int         n_times);
/* Header of the answer about a file, in place of the right one; NULL = leave it out. */
void        fake_hub_set_header    (FakeHub    *self,
                                    const char *path,
                                    const char *name,
                                    const char *value);
/* Only who has the token is let in. */
void        fake_hub_set_gated     (FakeHub    *self,
                                    const char *token);
/* The repository's name before it was renamed: leads to the new one. */
void        fake_hub_set_old_name  (FakeHub    *self,
                                    const char *old_name);

/* Requests so far: "HEAD hub /org/name/resolve/main/config.json", "GET store /ETAG bytes=100-";
 * " token" behind it when one came with it. (transfer full) */
char      **fake_hub_dup_log       (FakeHub    *self);
/* How many of them begin so. */
int         fake_hub_count         (FakeHub    *self,
                                    const char *start);
void        fake_hub_clear_log     (FakeHub    *self);

/* What the blob of the content is called. (transfer full) */
char       *fake_hub_make_etag     (GBytes     *content,
                                    gboolean    is_large);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeHub, fake_hub_free)
