/* SPDX-License-Identifier: MIT */
#include "engine/families/weights-file.h"

#include "engine/checkpoint/safetensors.h"
#include "engine/checkpoint/shards.h"
#include "engine/checkpoint/torch-file.h"
#include "engine/families/gguf-weights.h"

/* The files that hold weights, in the order in which transformers looks for them. */
static const struct {
  const char   *name;
  gboolean      is_index;
  EngOpenShard  open;
} weights_files[] = {
  { "model.safetensors", FALSE, eng_safetensors_open },
  { "model.safetensors.index.json", TRUE, eng_safetensors_open },
  { "pytorch_model.bin", FALSE, eng_torch_file_open },
  { "pytorch_model.bin.index.json", TRUE, eng_torch_file_open },
};

static EngTensorSet *
open_gguf (const char  *path,
           GError     **error)
{
  g_autoptr (EngGguf) file = eng_gguf_open (path, error);

  return file ? eng_gguf_name_tensors (file, error) : NULL;
}

EngTensorSet *
eng_weights_open_file (const char  *folder,
                       GError     **error)
{
  g_autofree char *gguf = eng_gguf_find (folder, NULL);
  g_autofree char *link = NULL;

  if (gguf)
    return open_gguf (gguf, error);
  for (guint i = 0; i < G_N_ELEMENTS (weights_files); i++) {
    g_autofree char *path = g_build_filename (folder, weights_files[i].name, NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return weights_files[i].is_index ? eng_shards_open (path, weights_files[i].open, error)
                                       : weights_files[i].open (path, error);
    if (!link && g_file_test (path, G_FILE_TEST_IS_SYMLINK))
      link = g_steal_pointer (&path);
  }

  if (link)
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s: is a link to a file that is not there",
                 link);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: no weights in this folder, expected model.safetensors or pytorch_model.bin, "
                 "or an index of either", folder);

  return NULL;
}

gboolean
eng_weights_exist (const char *folder)
{
  g_autofree char *gguf = eng_gguf_find (folder, NULL);

  if (gguf)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (weights_files); i++) {
    g_autofree char *path = g_build_filename (folder, weights_files[i].name, NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return TRUE;
  }

  return FALSE;
}
