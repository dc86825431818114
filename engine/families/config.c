/* SPDX-License-Identifier: MIT */
#include "engine/families/config.h"

#include "engine/base/json.h"
#include "engine/families/config-spec.h"
#include "engine/families/family.h"
#include "engine/families/gguf-config.h"
#include "engine/families/weights-file.h"

#include <math.h>
#include <string.h>

#define MAX_CONFIG_BYTES (4 << 20)
#define MAX_DEPTH 32
#define MAX_LABELS 65536
#define MAX_COMPUTED_POSITIONS 65536

static const struct {
  const char *name;
  EngScores   scores;
} problem_types[] = {
  { "single_label_classification", ENG_SCORES_SOFTMAX },
  { "multi_label_classification", ENG_SCORES_SIGMOID },
  { "regression", ENG_SCORES_RAW },
};

/* What would make a model compute something else than the spec says. */
static gboolean
refuse_unsupported (const EngFamily  *family,
                    const cJSON      *json,
                    const char       *what,
                    GError          **error)
{
  const cJSON *pruned = eng_json_find (json, "pruned_heads");
  const char *positions = "absolute";

  if (pruned && !cJSON_IsNull (pruned) && !(cJSON_IsObject (pruned) && !pruned->child)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: pruned_heads removes heads of single layers, which is not supported", what);
    return FALSE;
  }

  if (!eng_json_get_string (json, "position_embedding_type", what, &positions, error))
    return FALSE;
  if (!family->chooses_positions && strcmp (positions, "absolute") != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: position_embedding_type is \"%s\", supported is \"absolute\"", what,
                 positions);
    return FALSE;
  }
  return TRUE;
}

/* A decoder that was given cross-attention runs without, as there is no encoder; an encoder with it
 * is no model. */
static gboolean
check_cross_attention (const cJSON    *json,
                       const char     *what,
                       const EngSpec  *spec,
                       GError        **error)
{
  gboolean cross_attention = FALSE;

  if (!eng_json_get_boolean (json, "add_cross_attention", what, &cross_attention, error))
    return FALSE;
  if (!cross_attention || eng_spec_get_last_kind (spec) == ENG_KIND_DECODER)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: add_cross_attention is true in a model that is no decoder, expected "
               "is_decoder beside it", what);
  return FALSE;
}

/* A label is text; some files number their classes instead. */
static char *
dup_label (const cJSON *item)
{
  if (cJSON_IsString (item))
    return g_strdup (item->valuestring);
  if (cJSON_IsNumber (item) && item->valuedouble == floor (item->valuedouble) &&
      fabs (item->valuedouble) < 1e15)
    return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) item->valuedouble);

  return NULL;
}

static gboolean
read_id2label (const cJSON  *id2label,
               const char   *what,
               EngConfig    *self,
               GError      **error)
{
  const cJSON *item;
  int n = cJSON_GetArraySize (id2label);

  if (!cJSON_IsObject (id2label) || n > MAX_LABELS) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: id2label is no object of at most %d labels", what, MAX_LABELS);
    return FALSE;
  }

  self->labels = g_new0 (char *, n + 1);
  self->n_labels = n;
  cJSON_ArrayForEach (item, id2label) {
    guint64 index;

    if (!g_ascii_string_to_unsigned (item->string, 10, 0, (guint64) n - 1, &index, NULL) ||
        self->labels[index]) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                   "%s: id2label has the key \"%s\", expected each number from 0 to %d once",
                   what, item->string, n - 1);
      return FALSE;
    }
    self->labels[index] = dup_label (item);
    if (!self->labels[index]) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: id2label has no text for \"%s\"",
                   what, item->string);
      return FALSE;
    }
  }

  return TRUE;
}

/* Where id2label and num_labels disagree, the number wins and the labels are plain, as in
 * transformers. */
static gboolean
read_labels (const cJSON  *json,
             const char   *what,
             EngConfig    *self,
             GError      **error)
{
  const cJSON *id2label = eng_json_find (json, "id2label");
  gint64 n_labels = 0;

  if (id2label && !cJSON_IsNull (id2label) && !read_id2label (id2label, what, self, error))
    return FALSE;
  if (!eng_json_get_int (json, "num_labels", 1, MAX_LABELS, what, &n_labels, error))
    return FALSE;
  if (n_labels == 0 || n_labels == self->n_labels)
    return TRUE;

  g_strfreev (self->labels);
  self->labels = g_new0 (char *, n_labels + 1);
  self->n_labels = (int) n_labels;
  for (int i = 0; i < self->n_labels; i++)
    self->labels[i] = g_strdup_printf ("LABEL_%d", i);

  return TRUE;
}

static gboolean
read_problem_type (const cJSON  *json,
                   const char   *what,
                   EngConfig    *self,
                   GError      **error)
{
  const char *name = NULL;

  if (!eng_json_get_string (json, "problem_type", what, &name, error))
    return FALSE;

  /* One label alone is a yes or no even where it is called single_label_classification. */
  self->scores = self->n_labels == 1 ? ENG_SCORES_SIGMOID : ENG_SCORES_SOFTMAX;
  if (!name)
    return TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (problem_types); i++)
    if (strcmp (problem_types[i].name, name) == 0) {
      if (problem_types[i].scores != ENG_SCORES_SOFTMAX)
        self->scores = problem_types[i].scores;
      return TRUE;
    }
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: problem_type is \"%s\", expected \"%s\", \"%s\" or \"%s\"",
               what, name, problem_types[0].name, problem_types[1].name, problem_types[2].name);

  return FALSE;
}

static gboolean
read_architecture (const cJSON  *json,
                   const char   *what,
                   EngConfig    *self,
                   GError      **error)
{
  const cJSON *list = eng_json_find (json, "architectures");
  const cJSON *first = cJSON_IsArray (list) ? list->child : NULL;

  if (!list || cJSON_IsNull (list) || (cJSON_IsArray (list) && !first))
    return TRUE;
  if (!cJSON_IsString (first)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: architectures is no list of names",
                 what);
    return FALSE;
  }
  self->architecture = g_strdup (first->valuestring);

  return TRUE;
}

static void
set_unknown_family_error (const char  *what,
                          const char  *key,
                          const char  *value,
                          GError     **error)
{
  g_autofree char *names = eng_family_dup_names ();

  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: %s is \"%s\", a family that is not supported; supported: %s", what, key, value,
               names);
}

/* model_type, else the class that was saved, else the names of the tensors. */
static const EngFamily *
find_family (const cJSON         *json,
             const char          *what,
             const char          *architecture,
             const EngTensorSet  *tensors,
             GError             **error)
{
  const EngFamily *family = NULL;
  const char *model_type = NULL;

  if (!eng_json_get_string (json, "model_type", what, &model_type, error))
    return NULL;

  if (model_type) {
    family = eng_family_find (model_type);
    if (!family)
      set_unknown_family_error (what, "model_type", model_type, error);
  } else if (architecture) {
    family = eng_family_find_by_class (architecture);
    if (!family)
      set_unknown_family_error (what, "architectures", architecture, error);
  } else {
    g_autofree char *names = eng_family_dup_names ();

    family = tensors ? eng_family_find_by_tensors (tensors) : NULL;
    if (!family)
      g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                   "%s: states neither model_type nor architectures, and %s (%s)", what,
                   tensors ? "the tensors are of no supported family"
                           : "there are no weights whose names could tell the family", names);
  }

  return family;
}

/* A table that is computed is the one part of a model whose size no tensor confirms. */
static gboolean
check_sinusoid (const char       *what,
                const EngConfig  *self,
                GError          **error)
{
  if (!self->family->sinusoid || self->spec.embedding.n_positions <= MAX_COMPUTED_POSITIONS)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: max_position_embeddings is %d, expected at most %d where positions are "
               "computed", what, self->spec.embedding.n_positions, MAX_COMPUTED_POSITIONS);
  return FALSE;
}

static EngConfig *
config_from_json (const cJSON         *json,
                  const char          *what,
                  const EngTensorSet  *tensors,
                  GError             **error)
{
  g_autoptr (EngConfig) self = g_new0 (EngConfig, 1);

  if (!cJSON_IsObject (json)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: expected an object of keys", what);
    return NULL;
  }

  if (!read_architecture (json, what, self, error))
    return NULL;
  self->family = find_family (json, what, self->architecture, tensors, error);
  if (!self->family)
    return NULL;
  self->spec = self->family->defaults;
  self->tied = self->family->tied;

  if (!refuse_unsupported (self->family, json, what, error) ||
      !eng_config_read_spec (json, what, !self->family->never_decodes, &self->spec, error) ||
      !check_cross_attention (json, what, &self->spec, error) ||
      !eng_json_get_boolean (json, "tie_word_embeddings", what, &self->tied, error) ||
      !read_labels (json, what, self, error) ||
      !read_problem_type (json, what, self, error) ||
      (self->family->read && !self->family->read (json, what, self, error)) ||
      !eng_config_check_spec (what, &self->spec, error) ||
      !check_sinusoid (what, self, error))
    return NULL;

  return g_steal_pointer (&self);
}

static gboolean
states_family (const cJSON *json)
{
  const cJSON *model_type = eng_json_find (json, "model_type");
  const cJSON *architectures = eng_json_find (json, "architectures");

  return (model_type && !cJSON_IsNull (model_type)) || cJSON_GetArraySize (architectures) > 0;
}

/* Newer files state the first token of the decoder beside the config alone. */
static gboolean
read_decoder_start (const char  *folder,
                    EngSpec     *spec,
                    GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "generation_config.json", NULL);
  g_autoptr (cJSON) json = NULL;

  if (!eng_spec_has_cross (spec) || spec->decoder_start_id >= 0 ||
      !g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;

  json = eng_json_read (path, MAX_CONFIG_BYTES, MAX_DEPTH, error);

  return json && eng_config_read_id (json, "decoder_start_token_id", path,
                                     &spec->decoder_start_id, error);
}

static EngConfig *
read_gguf (const char  *path,
           GError     **error)
{
  g_autoptr (EngGguf) file = eng_gguf_open (path, error);
  g_autoptr (cJSON) json = file ? eng_gguf_make_config (file, error) : NULL;
  EngConfig *self = json ? config_from_json (json, path, NULL, error) : NULL;
  const EngTensor *telling = self ? eng_tensor_set_find_telling (file->tensors) : NULL;

  if (telling) {
    self->stored_type = g_intern_string (telling->type_name);
    self->quantised = eng_type_is_quantised (telling->type);
  }

  return self;
}

static void
set_no_config_error (const char  *folder,
                     int          n_ggufs,
                     GError     **error)
{
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: no such folder", folder);
  else if (n_ggufs > 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: %d GGUF files in this folder, expected one, or the path of one of them",
                 folder, n_ggufs);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: no config.json in this folder, expected a checkpoint in the layout of "
                 "HuggingFace", folder);
}

EngConfig *
eng_config_read (const char  *folder,
                 GError     **error)
{
  int n_ggufs;
  g_autofree char *gguf = eng_gguf_find (folder, &n_ggufs);
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (EngTensorSet) tensors = NULL;
  g_autoptr (EngConfig) self = NULL;
  g_autoptr (cJSON) json = NULL;

  if (gguf)
    return read_gguf (gguf, error);
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    set_no_config_error (folder, n_ggufs, error);
    return NULL;
  }

  json = eng_json_read (path, MAX_CONFIG_BYTES, MAX_DEPTH, error);
  if (!json)
    return NULL;
  if (cJSON_IsObject (json) && !states_family (json) && eng_weights_exist (folder)) {
    tensors = eng_weights_open_file (folder, error);
    if (!tensors)
      return NULL;
  }

  self = config_from_json (json, path, tensors, error);
  if (!self || !read_decoder_start (folder, &self->spec, error))
    return NULL;

  return g_steal_pointer (&self);
}

EngConfig *
eng_config_parse (const char          *text,
                  gsize                length,
                  const char          *what,
                  const EngTensorSet  *tensors,
                  GError             **error)
{
  g_autoptr (cJSON) json = eng_json_parse (text, length, MAX_DEPTH, what, error);

  return json ? config_from_json (json, what, tensors, error) : NULL;
}

gboolean
eng_config_is_class (const EngConfig *self,
                     const char      *ending)
{
  return self->architecture && g_str_has_suffix (self->architecture, ending);
}

void
eng_config_free (EngConfig *self)
{
  g_free (self->architecture);
  g_strfreev (self->languages);
  /* A refused table of labels has gaps, so g_strfreev() would stop early. */
  for (int i = 0; i < self->n_labels; i++)
    g_free (self->labels[i]);
  g_free (self->labels);
  g_free (self);
}
