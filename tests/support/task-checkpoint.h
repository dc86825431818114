/* SPDX-License-Identifier: MIT */
/* The checkpoints of tests/fixtures/tasks with what transformers answered with them; several share
 * a tokenizer, so that a folder that opens is put together first. */
#pragma once

#include "engine/base/json.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

/* The recorded folder; $HEADLIGHT_TASKS has those of another seed. */
static inline char *
task_checkpoints_get_folder (void)
{
  const char *other = g_getenv ("HEADLIGHT_TASKS");

  return other ? g_strdup (other) : g_test_build_filename (G_TEST_DIST, "fixtures", "tasks", NULL);
}

/* {"tokenizer", "cases"} */
static inline cJSON *
task_checkpoint_read_cases (const char *name)
{
  g_autofree char *fixtures = task_checkpoints_get_folder ();
  g_autofree char *path = g_build_filename (fixtures, name, "cases.json", NULL);
  g_autoptr (GError) error = NULL;
  cJSON *cases = eng_json_read (path, 1 << 20, 16, &error);

  g_assert_no_error (error);

  return cases;
}

static inline void
task_checkpoint_copy_files (const char *source,
                            const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (source, 0, &error);

  g_assert_no_error (error);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir)) {
    gsize size;
    g_autofree char *bytes = checkpoint_read_file (source, name, &size);

    checkpoint_write_file (folder, name, bytes, (gssize) size);
  }
}

/* A folder that opens, for temporary_free(). */
static inline char *
task_checkpoint_assemble (const char *name)
{
  g_autofree char *fixtures = task_checkpoints_get_folder ();
  g_autoptr (cJSON) cases = task_checkpoint_read_cases (name);
  const char *kind = eng_json_find (cases, "tokenizer")->valuestring;
  g_autofree char *checkpoint = g_build_filename (fixtures, name, NULL);
  g_autofree char *tokenizer = g_build_filename (fixtures, "tokenizers", kind, NULL);
  char *folder = temporary_new ();

  task_checkpoint_copy_files (checkpoint, folder);
  task_checkpoint_copy_files (tokenizer, folder);

  return folder;
}
