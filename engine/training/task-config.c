/* SPDX-License-Identifier: MIT */
#include "engine/training/task-config.h"

#include <string.h>

#include "engine/families/family.h"

#define MAX_DEPTH 64

static gboolean
has_class (const EngConfig    *config,
           const EngHeadParts *head)
{
  for (guint i = 0; i < G_N_ELEMENTS (head->classes) && head->classes[i]; i++)
    if (eng_config_is_class (config, head->classes[i]))
      return TRUE;

  return FALSE;
}

/* (transfer full) The class with the head: the config's own, else the family's first. */
static char *
find_class (const EngConfig  *config,
            EngTask           task,
            const char       *what,
            GError          **error)
{
  const EngFamily *family = config->family;
  const char *ending = NULL;

  for (int i = 0; i < family->n_heads; i++) {
    const EngHeadParts *head = &family->heads[i];

    if (head->task != task || !head->classes[0])
      continue;
    if (config->architecture && has_class (config, head))
      return g_strdup (config->architecture);
    if (!ending)
      ending = head->classes[0];
  }
  if (ending && family->class_prefix)
    return g_strconcat (family->class_prefix, ending, NULL);
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: models of %s have no head of the task %s", what, family->model_type,
               eng_task_get_name (task));

  return NULL;
}

/* In any order. */
static gboolean
are_same (char *const       *names,
          int                n,
          const char *const *labels)
{
  if (!names || (guint) n != g_strv_length ((char **) labels))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (!g_strv_contains (labels, names[i]))
      return FALSE;

  return TRUE;
}

static void
put (cJSON      *json,
     const char *key,
     cJSON      *value)
{
  cJSON_DeleteItemFromObjectCaseSensitive (json, key);
  cJSON_AddItemToObject (json, key, value);
}

static void
put_labels (cJSON             *json,
            const char *const *labels)
{
  cJSON *names = cJSON_CreateObject (), *ids = cJSON_CreateObject ();

  for (int i = 0; labels[i]; i++) {
    g_autofree char *id = g_strdup_printf ("%d", i);

    cJSON_AddStringToObject (names, id, labels[i]);
    cJSON_AddNumberToObject (ids, labels[i], i);
  }
  put (json, "id2label", names);
  put (json, "label2id", ids);
  cJSON_DeleteItemFromObjectCaseSensitive (json, "num_labels");
  put (json, "problem_type", cJSON_CreateString ("single_label_classification"));
}

char *
eng_task_config_make (const char         *config,
                      const char         *what,
                      EngTask             task,
                      const char *const  *labels,
                      GError            **error)
{
  gsize length = strlen (config);
  g_autoptr (EngConfig) parsed = eng_config_parse (config, length, what, NULL, error);
  g_autoptr (cJSON) json = parsed ? eng_json_parse (config, length, MAX_DEPTH, what, error) : NULL;
  g_autofree char *class_name = json ? find_class (parsed, task, what, error) : NULL;
  char *printed, *text;

  if (!class_name)
    return NULL;
  put (json, "architectures", cJSON_CreateStringArray ((const char *const *) &class_name, 1));
  if (labels && !are_same (parsed->labels, parsed->n_labels, labels))
    put_labels (json, labels);
  printed = cJSON_Print (json);
  text = g_strdup (printed);
  cJSON_free (printed);

  return text;
}
