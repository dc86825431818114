/* SPDX-License-Identifier: MIT */
#include "engine/base/kinds.h"

static const char *const kind_names[ENG_N_KINDS] = { "encoder", "decoder", "cross" };

static const char *const task_names[ENG_N_TASKS] = {
  "fill-mask", "next-sentence", "sentence-order", "text-classification", "entities",
  "replaced-tokens", "question-answering", "language-model",
};

const char *
eng_kind_get_name (EngKind kind)
{
  return kind_names[kind];
}

gboolean
eng_kind_from_name (const char *name,
                    EngKind    *kind)
{
  for (int i = 0; i < ENG_N_KINDS; i++)
    if (g_strcmp0 (name, kind_names[i]) == 0) {
      *kind = (EngKind) i;
      return TRUE;
    }

  return FALSE;
}

const char *
eng_task_get_name (EngTask task)
{
  return task_names[task];
}

gboolean
eng_task_from_name (const char *name,
                    EngTask    *task)
{
  for (int i = 0; i < ENG_N_TASKS; i++)
    if (g_strcmp0 (name, task_names[i]) == 0) {
      *task = (EngTask) i;
      return TRUE;
    }

  return FALSE;
}
