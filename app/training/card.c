/* SPDX-License-Identifier: MIT */
#include "app/training/card.h"

#include <math.h>
#include <string.h>

#include "app/config.h"
#include "app/training/training-private.h"
#include "engine/base/file-writer.h"
#include "ui/document/amount.h"

/* Of the table of the curve, at most twice as many. */
#define N_ROWS 20
#define MAX_DEPTH 64

/* What the hub calls a task, what a model of it does, and the class that transformers opens it
 * with. */
typedef struct {
  const char *hub;
  const char *does;
  const char *opens;
} TaskWords;

static const TaskWords tasks[] = {
  [APP_TRAIN_MASKED] = { "fill-mask", "fills in masked words", "MaskedLM" },
  [APP_TRAIN_NEXT_WORD] = { "text-generation", "goes on with a text", "CausalLM" },
  [APP_TRAIN_TRANSLATE] = { "translation", "translates sentences", "Seq2SeqLM" },
  [APP_TRAIN_CLASSIFY] = { "text-classification", "classifies texts", "SequenceClassification" },
  [APP_TRAIN_PAIRS] = { "text-classification", "classifies pairs of texts",
                        "SequenceClassification" },
  [APP_TRAIN_TAGS] = { "token-classification", "tags words", "TokenClassification" },
  [APP_TRAIN_ANSWERS] = { "question-answering", "finds answers in a text", "QuestionAnswering" },
};

static const char *
find_class (const cJSON *config)
{
  const cJSON *first = cJSON_GetArrayItem (eng_json_find (config, "architectures"), 0);

  return cJSON_IsString (first) ? first->valuestring : "model";
}

static void
add_row (GString    *card,
         const char *name,
         const char *value)
{
  g_string_append_printf (card, "| %s | %s |\n", name, value);
}

static void
add_count (GString    *card,
           const char *name,
           gint64      count)
{
  g_autofree char *text = ui_amount_count (count);

  add_row (card, name, text);
}

static void
add_model (GString            *card,
           const AppTraining  *training,
           const cJSON        *config)
{
  const EngSpec *spec = eng_parameters_get_spec (training->parameters);
  const EngStackSpec *last = &spec->stacks[eng_spec_get_last_kind (spec)];

  g_string_append (card, "\n## Model\n\n| | |\n|---|---|\n");
  add_row (card, "class", find_class (config));
  add_count (card, "parameters", eng_parameters_count (training->parameters));
  add_count (card, "vocabulary", last->vocab_size);
  add_count (card, "hidden size", spec->hidden_size);
  add_count (card, "layers", last->n_layers);
  if (eng_spec_has_cross (spec))
    add_count (card, "layers of its encoder", spec->stacks[ENG_KIND_ENCODER].n_layers);
  add_count (card, "heads of a layer", eng_stack_spec_get_heads (last)->n_heads);
}

static void
add_data (GString           *card,
          const AppTraining *training)
{
  const AppTrainingRecord *record = training->record;
  AppTrainingSize size = app_training_get_size (training);
  g_autofree char *name = g_path_get_basename (record->recipe->data);
  g_autofree char *joined = app_recipe_dup_joined (size.n_joined);

  g_string_append (card, "\n## Data\n\n| | |\n|---|---|\n");
  add_row (card, "file", name);
  add_row (card, "SHA-256", record->digest);
  add_count (card, "texts", size.n_texts);
  add_count (card, "tokens", size.n_tokens);
  add_count (card, "texts held out", size.n_held_out);
  if (joined)
    g_string_append_printf (card, "\n%s.\n", joined);
}

/* Where it lies on the machine that it was trained on is nobody's business. */
static gboolean
is_place (const char *name)
{
  return strcmp (name, "data") == 0 || strcmp (name, "from") == 0 || strcmp (name, "shape") == 0;
}

static void
add_recipe (GString           *card,
            const AppTraining *training)
{
  g_autoptr (cJSON) recipe = app_recipe_to_json (training->record->recipe);
  g_autofree char *time = ui_amount_time (training->record->seconds);
  const cJSON *item;

  g_string_append_printf (card, "\n## Recipe\n\nHeadlight " HEADLIGHT_VERSION ", AdamW with the "
                          "options of `headlight train`:\n\n| | |\n|---|---|\n");
  cJSON_ArrayForEach (item, recipe) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    if (is_place (item->string))
      continue;
    if (cJSON_IsNumber (item))
      add_row (card, item->string, g_ascii_formatd (number, sizeof number, "%.10g",
                                                    item->valuedouble));
    else
      add_row (card, item->string, cJSON_IsString (item) ? item->valuestring : "yes");
  }
  add_count (card, "steps taken", training->step);
  add_row (card, "time", time);
}

static void
add_number (GString *card,
            double   number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

  if (!isnan (number))
    g_ascii_formatd (text, sizeof text, "%.4f", number);
  g_string_append_printf (card, " %s |", text);
}

/* Every so many points, and those that texts held out were asked at, the last among them. */
static void
add_curve (GString           *card,
           const AppTraining *training)
{
  const GArray *curve = training->record->curve;
  guint every = MAX (curve->len / N_ROWS, 1);

  g_string_append (card, "\n## Curve\n\nLoss: the mean of the tokens that were asked for in the "
                   "steps just before; held out: that of all texts that were not learnt from.\n\n"
                   "| step | loss | held out |\n|---:|---:|---:|\n");
  for (guint i = 0; i < curve->len; i++) {
    const AppTrainingPoint *point = &g_array_index (curve, AppTrainingPoint, i);

    if (i % every != 0 && isnan (point->held_out) && i + 1 < curve->len)
      continue;
    g_string_append_printf (card, "| %" G_GINT64_FORMAT " |", point->step);
    add_number (card, point->loss);
    add_number (card, point->held_out);
    g_string_append_c (card, '\n');
  }
}

static void
add_use (GString     *card,
         const char  *name,
         const char  *opens)
{
  g_string_append_printf (card,
                          "\n## Use\n\n"
                          "```\n"
                          "headlight predict --model %s \"…\"\n"
                          "headlight train --resume -o %s --minutes 10\n"
                          "```\n\n"
                          "```python\n"
                          "from transformers import AutoModelFor%s, AutoTokenizer\n\n"
                          "tokenizer = AutoTokenizer.from_pretrained(\"%s\")\n"
                          "model = AutoModelFor%s.from_pretrained(\"%s\")\n"
                          "```\n", name, name, opens, name, opens, name);
}

gboolean
app_training_write_card (const AppTraining  *training,
                         GError            **error)
{
  const AppRecipe *recipe = training->record->recipe;
  const TaskWords *task = &tasks[recipe->task];
  const char *text = eng_parameters_get_config (training->parameters);
  g_autofree char *path = g_build_filename (training->folder, "README.md", NULL);
  g_autofree char *name = g_path_get_basename (training->folder);
  g_autofree char *from = recipe->from ? g_path_get_basename (recipe->from) : NULL;
  g_autoptr (cJSON) config = eng_json_parse (text, strlen (text), MAX_DEPTH, path, error);
  g_autoptr (GString) card = g_string_new ("---\nlibrary_name: transformers\n");

  if (!config)
    return FALSE;
  g_string_append_printf (card, "pipeline_tag: %s\n---\n# %s\n\nA model that %s, trained %s%s by "
                          "Headlight.\n", task->hub, name, task->does,
                          from ? "further from " : "from random weights", from ? from : "");
  add_model (card, training, config);
  add_data (card, training);
  add_recipe (card, training);
  add_curve (card, training);
  add_use (card, name, task->opens);

  return eng_file_write (path, card->str, card->len, error);
}
