/* SPDX-License-Identifier: MIT */
/* Recorded checkpoints and what the program answers with them. */
#pragma once

#include "tests/support/command-line.h"
#include "tests/support/task-checkpoint.h"

#define SENTENCE "Ada Lovelace lives in Kraków, and Zoë wrote from São Paulo."

static inline const char *
get_task (const cJSON *answer)
{
  return eng_json_find (answer, "task")->valuestring;
}

/* The only result of a text that was written. */
static inline const cJSON *
get_result (const cJSON *answer)
{
  const cJSON *results = eng_json_find (answer, "results");

  g_assert_cmpint (cJSON_GetArraySize (results), ==, 1);

  return cJSON_GetArrayItem (results, 0);
}

static inline const cJSON *
get_ids (const cJSON *answer)
{
  return eng_json_find (get_result (answer), "ids");
}

/* The recorded case of a task and a text. */
static inline const cJSON *
find_case (const cJSON *recorded,
           const char  *task,
           const char  *text)
{
  const cJSON *entry;

  cJSON_ArrayForEach (entry, eng_json_find (recorded, "cases"))
    if (g_str_equal (eng_json_find (entry, "task")->valuestring, task) &&
        g_str_equal (eng_json_find (entry, "text_a")->valuestring, text))
      return entry;
  g_assert_not_reached ();
}

static inline void
assert_same_json (const cJSON *a,
                  const cJSON *b)
{
  g_assert_nonnull (a);
  g_assert_true (cJSON_Compare (a, b, TRUE));
}

static inline void
assert_recorded (const char  *name,
                 const char  *task,
                 const char  *text,
                 const cJSON *answer)
{
  g_autoptr (cJSON) recorded = task_checkpoint_read_cases (name);
  const cJSON *expected = cJSON_GetArrayItem (
    eng_json_find (find_case (recorded, task, text), "results"), 0);

  g_assert_cmpstr (get_task (answer), ==, task);
  assert_same_json (get_result (answer), expected);
}
