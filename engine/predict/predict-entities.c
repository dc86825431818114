/* SPDX-License-Identifier: MIT */
#include "engine/predict/predict-private.h"

#include <string.h>

/* Consecutive tokens [first, last] under one tag. */
typedef struct {
  const char *name;  /* label of the first token, which names the group */
  const char *label; /* of the last token, which the next is compared with */
  int         first;
  int         last;
  int         n;
  double      sum;   /* of the tokens' probabilities */
} Group;

static const char *
get_tag (const char *label,
         gboolean   *begins)
{
  *begins = g_str_has_prefix (label, "B-");

  return *begins || g_str_has_prefix (label, "I-") ? label + 2 : label;
}

static gboolean
belongs_to_group (const EngTokens *tokens,
                  const Group     *group,
                  int              token,
                  const char      *label)
{
  gboolean begins;
  gboolean group_begins;

  return group->n > 0 && tokens->segments[token] == tokens->segments[group->last] &&
         strcmp (get_tag (label, &begins), get_tag (group->label, &group_begins)) == 0 && !begins;
}

static int
find_unknown_id (const EngTokenizer *tokenizer)
{
  int id = eng_tokenizer_find_special (tokenizer, "unk_token");

  return id >= 0 ? id : eng_tokenizer_get_unknown_id (tokenizer);
}

/* The pieces as a tokenizer puts them together, unknown ones as they were typed. */
static char *
join_pieces (const EngAnswer *answer,
             int              first,
             int              last)
{
  const EngTokens *tokens = answer->tokens;
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (answer->model);
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func (g_free);
  int unknown_id;

  if (!tokenizer) {
    g_autofree char **texts = g_new0 (char *, last - first + 2);

    memcpy (texts, tokens->texts + first, (gsize) (last - first + 1) * sizeof *texts);
    return g_strjoinv (" ", texts);
  }

  unknown_id = find_unknown_id (tokenizer);
  for (int i = first; i <= last; i++) {
    const char *text = eng_answer_get_text (answer, tokens->segments[i]);
    EngSpan span = tokens->spans[i];

    g_ptr_array_add (pieces, tokens->ids[i] == unknown_id
                             ? g_strndup (text + span.start, (gsize) (span.end - span.start))
                             : g_strdup (tokens->pieces[i]));
  }

  return eng_tokenizer_join (tokenizer, (char *const *) pieces->pdata, (int) pieces->len);
}

static void
close_group (const EngAnswer *answer,
             Group           *group)
{
  const EngTokens *tokens = answer->tokens;
  const char *dash = group->n > 0 ? strchr (group->name, '-') : NULL;
  const char *entity = dash ? dash + 1 : group->name;

  if (group->n > 0 && strcmp (entity, "O") != 0) {
    const char *text = eng_answer_get_text (answer, tokens->segments[group->first]);
    EngPrediction prediction = {
      .position = group->first,
      .token = join_pieces (answer, group->first, group->last),
      .label = g_strdup (entity),
      .start = (int) g_utf8_strlen (text, tokens->spans[group->first].start),
      .end = (int) g_utf8_strlen (text, tokens->spans[group->last].end),
      .probability = group->sum / group->n,
    };

    g_array_append_val (answer->predictions, prediction);
  }
  *group = (Group) { 0 };
}

gboolean
eng_predict_tags_speech (const GArray *entities)
{
  /* Of a tag with a hyphen what is behind it stands in an answer: "-LRB-". */
  static const char *const tags[] = {
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON",
    "PROPN", "PUNCT", "SCONJ", "SPACE", "SYM", "VERB", "X",
    "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNP", "NNPS", "NNS",
    "PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "TO", "UH", "VB", "VBD", "VBG", "VBN",
    "VBP", "VBZ", "WDT", "WP", "WP$", "WRB", "ADD", "AFX", "HYPH", "NFP", "XX", "LRB-", "RRB-",
    ".", ",", ":", "``", "''", "$", "#", NULL,
  };

  for (guint i = 0; i < entities->len; i++)
    if (!g_strv_contains (tags, g_array_index (entities, EngPrediction, i).label))
      return FALSE;

  return entities->len > 0;
}

void
eng_predict_entities (const EngAnswer *self)
{
  int n_classes = self->logits.cols;
  g_autofree double *probabilities = g_new (double, n_classes);
  Group group = { 0 };

  for (int row = 0; row < self->logits.rows; row++) {
    int token = self->positions[row];
    const char *label;
    int best;

    if (self->tokens->special[token])
      continue;
    eng_predict_softmax (self->logits.data + (gsize) row * self->logits.stride, 1, n_classes,
                         probabilities);
    best = eng_predict_find_largest (probabilities, n_classes);
    label = eng_model_get_label (self->model, ENG_TASK_ENTITIES, best);

    if (!belongs_to_group (self->tokens, &group, token, label)) {
      close_group (self, &group);
      group.first = token;
      group.name = label;
    }
    group.label = label;
    group.last = token;
    group.n++;
    group.sum += probabilities[best];
  }
  close_group (self, &group);
}
