/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/plain-words.h"

#include "engine/trace/head-facts.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/edited-heads.h"
#include "ui/scene/base/scene-private.h"

/* Weights of a layer whose facts are there within a frame. */
#define LIGHT (1 << 18)

void
ui_plain_append (GString    *markup,
                 const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (markup, escaped);
}

void
ui_plain_append_bold (GString    *markup,
                      const char *text,
                      gboolean    begins_sentence)
{
  g_autofree char *words = g_strdup (text);

  if (begins_sentence)
    *words = g_ascii_toupper (*words);
  g_string_append (markup, "<b>");
  ui_plain_append (markup, words);
  g_string_append (markup, "</b>");
}

void
ui_plain_append_threshold (const UiScene *scene,
                           const char    *links,
                           GString       *markup)
{
  g_autoptr (UiDocument) plain = NULL;
  g_autoptr (GString) words = NULL;

  /* A figure has its exact rule below. */
  if (scene->options.caption)
    return;
  plain = ui_document_new ();
  words = g_string_new (NULL);
  if (scene->document->threshold != plain->threshold)
    ui_describe_append_threshold (scene, links, words);
  ui_plain_append (markup, words->str);
}

/* What is more where a picture is stronger. */
static const char *
get_amount (const UiScene *scene)
{
  switch (scene->weights.block.measure) {
  case ENG_MEASURE_VALUE_NORM:
  case ENG_MEASURE_OUTPUT_NORM:
    return ui_describe_measure (&scene->weights);
  case ENG_MEASURE_ROLLOUT:
    return "attention through the layers";
  case ENG_MEASURE_WEIGHT:
  default:
    return "attention";
  }
}

static void
append_amount (const UiScene *scene,
               const char    *sign,
               GString       *markup)
{
  g_autofree char *words = g_strdup_printf ("%s = more %s.", sign, get_amount (scene));

  ui_plain_append_bold (markup, words, FALSE);
}

/* What a window cannot do without, before the rest. */
static GString *
begin_explaining (const UiScene *scene)
{
  GString *markup = g_string_new (NULL);

  if (scene->note != NULL && !scene->options.caption)
    ui_plain_append (markup, scene->note);
  if (markup->len > 0)
    g_string_append_c (markup, ' ');
  return markup;
}

const char *
ui_plain_get_direction (const UiScene *scene)
{
  return scene->kind == ENG_KIND_CROSS ? "The decoder's rows read, the encoder's columns are read."
                                       : "Rows read, columns are read.";
}

char *
ui_plain_explain_links (const UiScene *scene)
{
  GString *markup = begin_explaining (scene);

  g_string_append (markup, scene->kind == ENG_KIND_CROSS
                           ? "A line runs from the decoder's word, which reads, to the encoder's. "
                           : "A line runs from the word that reads to the word that is read. ");
  append_amount (scene, "Bolder line", markup);
  if (ui_scene_has_edited (scene))
    g_string_append (markup, ui_scene_get_only_head (scene) >= 0 ? " Dashed: this head is edited."
                                                            : " Dashed: an edited head.");
  ui_plain_append_threshold (scene, "Links", markup);
  return g_string_free (markup, FALSE);
}

char *
ui_plain_explain_cells (const UiScene *scene)
{
  GString *markup = begin_explaining (scene);

  g_string_append_printf (markup, "%s ", ui_plain_get_direction (scene));
  append_amount (scene, "Stronger colour", markup);
  ui_plain_append_threshold (scene, "Cells", markup);
  return g_string_free (markup, FALSE);
}

const EngHeadFacts *
ui_plain_find_facts (const UiScene *scene)
{
  return eng_trace_count_layer_weights (scene->trace, scene->kind) <= LIGHT
         ? eng_trace_get_head_facts (scene->trace, scene->kind, scene->layer)
         : eng_trace_find_head_facts (scene->trace, scene->kind, scene->layer);
}

static void
append_deed (const UiScene *scene,
             int            head,
             GString       *markup)
{
  const EngHeadFacts *facts = ui_plain_find_facts (scene);
  EngPatternEvidence evidence;

  if (ui_scene_is_edited (scene, head))
    g_string_append (markup, facts != NULL ? ", edited," : ", edited");
  if (facts != NULL
      && eng_trace_get_head_evidence (scene->trace, scene->kind, scene->layer, head, &evidence)) {
    g_autofree char *deed = eng_pattern_dup_deed (facts[head].label, &evidence);

    g_string_append_printf (markup, " %s", deed);
  }
  g_string_append_c (markup, '.');
}

/* ", head 3 edited", ", heads 3 and 4 edited" */
static void
append_edited (const UiScene *scene,
               GString       *markup)
{
  const UiWeights *weights = &scene->weights;
  g_autoptr (GArray) edited = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < weights->n_heads; i++)
    if (ui_scene_is_edited (scene, weights->heads[i]))
      g_array_append_val (edited, weights->heads[i]);
  for (guint i = 0; i < edited->len; i++)
    g_string_append_printf (markup, "%s%d",
                            i == 0 ? edited->len > 1 ? ", heads " : ", head "
                                   : i + 1 == edited->len ? " and " : ", ",
                            g_array_index (edited, int, i));
  if (edited->len > 0)
    g_string_append (markup, " edited");
}

char *
ui_plain_headline (const UiScene *scene)
{
  const gboolean is_mean = ui_view_get (scene->document->view)->has_one_number;
  const int head = ui_scene_get_only_head (scene);
  g_autofree char *scope = head >= 0 ? ui_describe_one_head (scene, head)
                                     : ui_describe_scope (scene, is_mean);
  GString *markup = g_string_new (NULL);

  ui_plain_append_bold (markup, scope, TRUE);
  if (head >= 0) {
    append_deed (scene, head, markup);
  } else {
    append_edited (scene, markup);
    if (scene->weights.n_heads > 1 && !is_mean)
      g_string_append (markup, ", each in its colour");
    g_string_append_c (markup, '.');
  }
  return g_string_free (markup, FALSE);
}

static void
append_name (GString         *markup,
             const EngTokens *tokens,
             int              token)
{
  g_autofree char *name = ui_describe_token (tokens, token);

  ui_plain_append (markup, ", ");
  ui_plain_append (markup, name);
}

char *
ui_plain_hold_back (const UiScene *scene,
                    const UiItem  *item)
{
  const UiScene *part = ui_scene_get_part ((UiScene *) scene, item);
  const UiBlock *block = &part->weights.block;
  const gboolean is_grid = ui_view_get (scene->document->view)->has_all_heads;
  const int stage = ui_item_is_of_way (item->type) ? item->stage : scene->document->step;
  g_autofree char *scope = part->way != NULL && stage < eng_way_get_n_stages (part->way)
                           ? g_strdup_printf ("step %d, %s", stage,
                                              eng_way_get_stage (part->way, stage)->name)
                           : !is_grid ? ui_describe_scope (part, FALSE)
                           : item->type == UI_ITEM_HEAD && item->head >= 0
                           ? g_strdup_printf ("head %d of layer %d", item->head, item->layer)
                           : g_strdup ("all heads");
  GString *markup = g_string_new (NULL);

  ui_plain_append_bold (markup, scope, TRUE);
  if (!is_grid && ui_item_names_query (item->type))
    append_name (markup, block->queries, item->query);
  if (!is_grid && ui_item_names_key (item->type))
    append_name (markup, block->keys, item->key);
  ui_plain_append (markup, ": answer first.");
  return g_string_free (markup, FALSE);
}
