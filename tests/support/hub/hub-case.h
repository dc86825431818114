/* SPDX-License-Identifier: MIT */
/* A fake hub and an empty cache for one test. */
#pragma once

#include "app/store/hub.h"
#include "tests/support/hub/fake-hub.h"
#include "tests/support/temporary.h"

#define CASE_REPOSITORY "some-org/some.model"

typedef struct {
  FakeHub *hub;
  char    *home;
  char    *cache;
} HubCase;

static inline void
hub_case_clear_environment (void)
{
  static const char *const names[] = {
    "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_ENDPOINT",
    "HF_HUB_ETAG_TIMEOUT", "HF_HUB_DOWNLOAD_TIMEOUT", "HF_HUB_DISABLE_SYMLINKS",
    "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_unsetenv (names[i]);
}

static inline void
hub_case_set_up (HubCase       *self,
                 gconstpointer  unused)
{
  self->home = temporary_new ();
  self->cache = g_build_filename (self->home, "hub", NULL);
  hub_case_clear_environment ();
  g_setenv ("HF_HOME", self->home, TRUE);
  self->hub = fake_hub_new (CASE_REPOSITORY);
}

static inline void
hub_case_tear_down (HubCase       *self,
                    gconstpointer  unused)
{
  fake_hub_free (self->hub);
  temporary_free (self->home);
  g_free (self->cache);
}

/* size bytes that are not all alike. */
static inline GBytes *
hub_case_make_bytes (gsize size)
{
  guint8 *data = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    data[i] = (guint8) (i * 7 + i / 251);
  return g_bytes_new_take (data, size);
}

/* A model of three files; the weights are the large one. */
static inline void
hub_case_add_model (HubCase *self,
                    gsize    n_weight_bytes)
{
  g_autoptr (GBytes) bytes = hub_case_make_bytes (n_weight_bytes);

  fake_hub_add_text (self->hub, "config.json", "{\"model_type\": \"bert\"}\n");
  fake_hub_add_text (self->hub, "tokenizer.json", "{\"version\": \"1.0\"}\n");
  fake_hub_add_file (self->hub, "model.safetensors", bytes, TRUE);
}
