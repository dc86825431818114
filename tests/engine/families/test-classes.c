/* SPDX-License-Identifier: MIT */
/* Files whose config.json names no class: which heads they have, with the numbers that transformers
 * gives when it is asked for them (tests/record/record_families.py), and which family. */
#include "engine/families/family.h"
#include "engine/transformer/session.h"
#include "tests/support/reference.h"
#include "tests/support/specimen.h"

#include <locale.h>

/* The specimen as AutoModelForCausalLM opens a folder that states no class. */
static EngModel *
open_without_class (const char *specimen,
                    gboolean    tied)
{
  g_autoptr (EngTensorSet) weights = specimen_open_weights (specimen);
  g_autoptr (EngConfig) config = specimen_read_config (specimen);

  g_clear_pointer (&config->architecture, g_free);
  config->tied = tied;

  return specimen_make_model (config, weights);
}

static const EngTensor *
find_recorded (EngTensorSet *recorded,
               const char   *name)
{
  const EngTensor *tensor = eng_tensor_set_find (recorded, name);

  g_assert_nonnull (tensor);

  return tensor;
}

static void
compare_logits (EngModel     *model,
                EngTensorSet *recorded)
{
  const EngTensor *ids = find_recorded (recorded, "0.ids");
  const EngTensor *logits = find_recorded (recorded, "0.logits.language-model");
  const float *reference = (const float *) (gconstpointer) logits->data;
  g_autoptr (EngTokens) tokens = eng_tokens_new ((int) ids->n_elements);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  EngRunRequest request = {
    .tokens = tokens, .tasks = 1u << ENG_TASK_LANGUAGE_MODEL, .all_positions = TRUE,
  };
  EngMatrix ours;

  memcpy (tokens->ids, ids->data, ids->n_bytes);
  for (int i = 0; i < tokens->n; i++)
    tokens->texts[i] = g_strdup_printf ("%d", tokens->ids[i]);
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  g_assert_true (eng_trace_get_logits (trace, ENG_TASK_LANGUAGE_MODEL, &ours, NULL));
  g_assert_cmpfloat (reference_find_largest_difference (&ours, reference, (int) logits->shape[0],
                                                        (int) logits->shape[1]),
                     <, reference_get_tolerance (reference, (gsize) logits->n_elements));
}

static void
test_writing (gconstpointer specimen)
{
  g_autoptr (GBytes) bytes = specimen_read (specimen, "expected.safetensors.gz");
  g_autoptr (EngTensorSet) recorded = specimen_open (bytes, specimen);
  g_autoptr (EngModel) tied = open_without_class (specimen, TRUE);
  g_autoptr (EngModel) untied = open_without_class (specimen, FALSE);

  g_assert_cmpuint (eng_model_get_info (tied)->tasks, ==, 1u << ENG_TASK_LANGUAGE_MODEL);
  compare_logits (tied, recorded);
  g_assert_cmpuint (eng_model_get_info (untied)->tasks, ==, 0);
}

/* A file of another head has that one alone. */
static void
test_other_head (void)
{
  g_autoptr (EngModel) labels = open_without_class ("gpt2-labels", TRUE);
  g_autoptr (EngModel) answers = open_without_class ("gpt2-answers", TRUE);

  g_assert_cmpuint (eng_model_get_info (labels)->tasks, ==, 1u << ENG_TASK_TEXT_CLASSIFICATION);
  g_assert_cmpuint (eng_model_get_info (answers)->tasks, ==, 1u << ENG_TASK_QUESTION_ANSWERING);
}

/* Tensors tell the family where the config is silent, but only where their names are no other's. */
static void
test_family_by_tensors (void)
{
  static const struct {
    const char *specimen;
    const char *family;
  } cases[] = {
    { "distilbert-words", "distilbert" },
    { "roberta-words", "roberta" },
    { "deberta-words", "deberta" },
    { "deberta-v2-words", "deberta-v2" },
    { "electra-replaced", "electra" },
    { "albert-words", "albert" },
    { "esm-words", "esm" },
    { "modernbert-words", "modernbert" },
    { "xlm-words", "xlm" },
    { "gpt-neox-dynamic", "gpt_neox" },
    { "gpt-neo-types", "gpt_neo" },
    { "gptj-tied", "gptj" },
    { "ctrl-untied", "ctrl" },
    { "openai-gpt-words", "openai-gpt" },
    { "gpt2-words", NULL },
    { "llama-words", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GBytes) weights = specimen_read (cases[i].specimen, "weights.safetensors.gz");
    g_autoptr (EngTensorSet) tensors = specimen_open (weights, cases[i].specimen);
    g_autoptr (GError) error = NULL;
    g_autoptr (EngConfig) config = eng_config_parse ("{}", 2, "config.json", tensors, &error);

    if (cases[i].family) {
      g_assert_no_error (error);
      g_assert_cmpstr (config->family->model_type, ==, cases[i].family);
    } else {
      g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
    }
  }
}

/* Where transformers has no part for is_decoder it says nothing. */
static void
test_is_decoder (void)
{
  static const struct {
    const char *model_type;
    gboolean    decodes;
  } cases[] = {
    { "bert", TRUE }, { "electra", TRUE }, { "esm", TRUE }, { "roberta", TRUE },
    { "albert", FALSE }, { "distilbert", FALSE }, { "modernbert", FALSE }, { "xlm", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text =
      g_strdup_printf ("{\"model_type\": \"%s\", \"vocab_size\": 99, \"pad_token_id\": 1,"
                       " \"is_decoder\": true}", cases[i].model_type);
    g_autoptr (GError) error = NULL;
    g_autoptr (EngConfig) config = eng_config_parse (text, strlen (text), "config.json", NULL,
                                                     &error);

    g_assert_no_error (error);
    g_test_message ("%s", cases[i].model_type);
    g_assert_cmpint (config->spec.stacks[ENG_KIND_DECODER].n_layers > 0, ==, cases[i].decodes);
    g_assert_cmpint (config->spec.stacks[ENG_KIND_ENCODER].n_layers > 0, ==, !cases[i].decodes);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/classes/writing/gpt2", "gpt2-words", test_writing);
  g_test_add_data_func ("/classes/writing/llama", "llama-tied", test_writing);
  g_test_add_func ("/classes/other-head", test_other_head);
  g_test_add_func ("/classes/family-by-tensors", test_family_by_tensors);
  g_test_add_func ("/classes/is-decoder", test_is_decoder);

  return g_test_run ();
}
