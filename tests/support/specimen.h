/* SPDX-License-Identifier: MIT */
/* Recorded checkpoints of the families of one stack (tests/fixtures/families) as models;
 * HEADLIGHT_FAMILIES names a folder of other specimens, of other seeds. */
#pragma once

#include "engine/checkpoint/safetensors.h"
#include "engine/checkpoint/torch-file.h"
#include "engine/families/weights.h"
#include "engine/transformer/model-private.h"
#include "tests/support/gzip.h"
#include "tests/support/temporary.h"

static inline char *
specimen_get_folder (const char *specimen)
{
  const char *others = g_getenv ("HEADLIGHT_FAMILIES");

  return others ? g_build_filename (others, specimen, NULL)
                : g_test_build_filename (G_TEST_DIST, "fixtures", "families", specimen, NULL);
}

static inline GBytes *
specimen_read (const char *specimen,
               const char *name)
{
  g_autofree char *folder = specimen_get_folder (specimen);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return gzip_read (path);
}

static inline EngTensorSet *
specimen_open (GBytes     *bytes,
               const char *what)
{
  g_autoptr (GError) error = NULL;
  EngTensorSet *tensors = eng_safetensors_open_bytes (bytes, what, &error);

  g_assert_no_error (error);

  return tensors;
}

static inline EngConfig *
specimen_read_config (const char *specimen)
{
  g_autofree char *folder = specimen_get_folder (specimen);
  g_autoptr (GError) error = NULL;
  EngConfig *config = eng_config_read (folder, &error);

  g_assert_no_error (error);

  return config;
}

/* Some specimens are files of torch. */
static inline EngTensorSet *
specimen_open_weights (const char *specimen)
{
  g_autofree char *folder = specimen_get_folder (specimen);
  g_autofree char *path = g_build_filename (folder, "weights.bin.gz", NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  EngTensorSet *tensors;
  char *scratch;

  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    bytes = specimen_read (specimen, "weights.safetensors.gz");
    return specimen_open (bytes, specimen);
  }

  scratch = temporary_new ();
  bytes = gzip_read (path);
  g_free (path);
  path = g_build_filename (scratch, "pytorch_model.bin", NULL);
  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                       &error);
  g_assert_no_error (error);
  tensors = eng_torch_file_open (path, &error);
  g_assert_no_error (error);
  temporary_free (scratch);

  return tensors;
}

static inline EngModel *
specimen_make_model (const EngConfig *config,
                     EngTensorSet    *tensors)
{
  g_autoptr (GError) error = NULL;
  EngLoadedWeights *loaded = eng_weights_load (tensors, config, &error);

  g_assert_no_error (error);

  return eng_model_new_from_weights (&loaded->spec, &loaded->weights,
                                     (GDestroyNotify) eng_weights_free, loaded);
}

static inline EngModel *
specimen_make_model_of_bytes (const EngConfig *config,
                              GBytes          *weights)
{
  g_autoptr (EngTensorSet) tensors = specimen_open (weights, "weights.safetensors");

  return specimen_make_model (config, tensors);
}
