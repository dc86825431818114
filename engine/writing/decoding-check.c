/* SPDX-License-Identifier: MIT */
/* What a decoding refuses before it begins. */
#include "engine/writing/decoding-private.h"

#include "engine/transformer/model-private.h"
#include "engine/transformer/session-private.h"

/* What is written reads what is there already: who read it before it was whole cannot read more. */
static gboolean
check_masks (const EngSpec             *spec,
             const EngDecodingOptions  *options,
             GError                   **error)
{
  for (int i = 0; i < options->n_edits; i++) {
    const EngEdit *edit = &options->edits[i];
    g_autofree char *text = NULL;

    if (edit->type != ENG_EDIT_HEAD_MASK || edit->mask == ENG_HEAD_MASK_CAUSAL ||
        !eng_edit_acts_on (edit, ENG_KIND_DECODER, eng_spec_get_first_kind (spec)))
      continue;
    text = eng_edit_to_string (edit);
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "edit \"%s\": a text that is being written has no later tokens to read, expected "
                 "causal", text);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_edits (const EngSpec             *spec,
             const EngInputs           *inputs,
             const EngDecodingOptions  *options,
             GError                   **error)
{
  EngEditSizes sizes[ENG_N_KINDS];
  gboolean two_stacks = eng_spec_has_cross (spec);

  eng_session_measure (spec, two_stacks ? inputs->tokens->n : options->capacity,
                       options->capacity, sizes);

  return eng_edits_check (options->edits, options->n_edits, sizes,
                          eng_spec_get_first_kind (spec), error) &&
         check_masks (spec, options, error);
}

static gboolean
check_start (EngModel                  *model,
             const EngTokens           *start,
             const EngDecodingOptions  *options,
             GError                   **error)
{
  const EngSpec *spec = eng_model_get_spec (model);
  const char *name = eng_model_get_info (model)->name;
  int room = eng_spec_get_max_positions (spec) - spec->asks_behind;

  if (spec->stacks[ENG_KIND_DECODER].n_layers == 0 ||
      !spec->heads[ENG_TASK_LANGUAGE_MODEL].present) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s cannot generate: it has no decoder with the head of a language model", name);
    return FALSE;
  }
  if (spec->asks_behind &&
      (spec->asked_id < 0 || spec->asked_id >= spec->stacks[ENG_KIND_DECODER].vocab_size)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s cannot generate: its mask token %d is none of its vocabulary", name,
                 spec->asked_id);
    return FALSE;
  }
  if (start->n == 0) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         "there is no token to go on from, expected at least one");
    return FALSE;
  }
  if (options->capacity < start->n ||
      (spec->embedding.positions != ENG_POSITIONS_NONE && options->capacity > room)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_LENGTH,
                 "%d tokens were asked for, expected from the %d that are there to the model's %d "
                 "positions", options->capacity, start->n, room);
    return FALSE;
  }
  return TRUE;
}

gboolean
eng_decoding_check (EngModel                  *model,
                    const EngInputs           *inputs,
                    const EngTokens           *start,
                    const EngDecodingOptions  *options,
                    GError                   **error)
{
  return check_start (model, start, options, error)
         && check_edits (eng_model_get_spec (model), inputs, options, error);
}
