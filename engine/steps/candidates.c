/* SPDX-License-Identifier: MIT */
#include "engine/steps/candidates.h"

static char *
dup_class (const EngModel *model,
           EngTask         task,
           int             index)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  if (task != ENG_TASK_FILL_MASK && task != ENG_TASK_LANGUAGE_MODEL)
    return g_strdup (eng_model_get_label (model, task, index));

  return tokenizer != NULL ? eng_tokenizer_decode (tokenizer, &index, 1, FALSE)
                           : g_strdup_printf ("%d", index);
}

int
eng_candidates_fill (const EngModel *model,
                     EngTask         task,
                     const float    *logits,
                     const float    *probabilities,
                     int             n_classes,
                     int             n,
                     EngCandidate   *candidates)
{
  int n_found = 0;

  for (int column = 0; column < n_classes; column++) {
    int place = n_found;

    while (place > 0 && (double) logits[column] > candidates[place - 1].logit)
      place--;
    if (place >= n)
      continue;
    n_found = MIN (n_found + 1, n);
    for (int i = n_found - 1; i > place; i--)
      candidates[i] = candidates[i - 1];
    candidates[place] = (EngCandidate) {
      .index = column,
      .logit = (double) logits[column],
      .probability = probabilities != NULL ? (double) probabilities[column] : -1,
    };
  }
  for (int i = 0; i < n_found; i++)
    candidates[i].text = dup_class (model, task, candidates[i].index);

  return n_found;
}
