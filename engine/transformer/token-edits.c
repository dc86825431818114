/* SPDX-License-Identifier: MIT */
#include "engine/transformer/token-edits.h"

#include "engine/base/error.h"
#include "engine/transformer/inputs-private.h"
#include "engine/transformer/model-private.h"

/* The tokens of one stack as edits change them. */
typedef struct {
  const EngTokenizer *tokenizer; /* of the stack; NULL where there is none */
  const char         *name;      /* of the model */
  gboolean            starts;    /* token 0 is a decoder's start token */
  EngTokens          *tokens;
} Stack;

static gboolean
refuse (const EngEdit  *edit,
        GError        **error,
        const char     *reason)
{
  g_autofree char *text = eng_edit_to_string (edit);

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE, "edit \"%s\": %s", text, reason);

  return FALSE;
}

/* Whether there is such a token, and an edit may have it. */
static gboolean
check_token (const Stack    *self,
             const EngEdit  *edit,
             int             token,
             GError        **error)
{
  g_autofree char *missing = NULL;

  if (token < 0 || token >= self->tokens->n) {
    missing = g_strdup_printf ("there is no token %d, only 0 to %d", token, self->tokens->n - 1);
    return refuse (edit, error, missing);
  }
  if (self->tokens->padding[token])
    return refuse (edit, error, "it names padding, expected a token of the text");
  if (self->starts && token == 0)
    return refuse (edit, error, "token 0 is the decoder's start token, expected one behind it");

  return TRUE;
}

/* New tokens from places of the old ones. */
static EngTokens *
pick_tokens (const EngTokens *tokens,
             const GArray    *places)
{
  EngTokens *picked = eng_tokens_new ((int) places->len);

  for (guint i = 0; i < places->len; i++)
    eng_inputs_copy_tokens (tokens, g_array_index (places, int, i), 1, picked, (int) i);

  return picked;
}

static void
append_places (GArray *places,
               int     first,
               int     end)
{
  for (int place = first; place < end; place++)
    g_array_append_val (places, place);
}

static void
take_over (Stack     *self,
           EngTokens *tokens)
{
  eng_tokens_unref (self->tokens);
  self->tokens = tokens;
}

/* All but the piece stays that of the token which was there. */
static gboolean
mask_token (Stack          *self,
            const EngEdit  *edit,
            GError        **error)
{
  int id = self->tokenizer ? eng_tokenizer_get_mask_id (self->tokenizer) : -1;
  g_autofree char *lacking = NULL;
  EngTokens *masked;
  guint8 special;

  if (!check_token (self, edit, edit->key, error))
    return FALSE;
  if (id < 0) {
    lacking = g_strdup_printf ("the tokenizer of %s has no mask token", self->name);
    return refuse (edit, error, lacking);
  }

  masked = eng_tokens_new (self->tokens->n);
  eng_inputs_copy_tokens (self->tokens, 0, self->tokens->n, masked, 0);
  special = masked->special[edit->key];
  g_free (masked->texts[edit->key]);
  g_free (masked->pieces[edit->key]);
  eng_inputs_set_token (self->tokenizer, masked, edit->key, id);
  masked->special[edit->key] = special;
  take_over (self, masked);

  return TRUE;
}

static gboolean
delete_token (Stack          *self,
              const EngEdit  *edit,
              GError        **error)
{
  const EngTokens *tokens = self->tokens;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *only = NULL;
  int segment;

  if (!check_token (self, edit, edit->key, error))
    return FALSE;
  segment = tokens->segments[edit->key];
  if (!tokens->special[edit->key] && eng_inputs_count_typed (tokens, segment) == 1) {
    only = g_strdup_printf ("it is the last token of text %c, expected one that leaves another",
                            'A' + segment);
    return refuse (edit, error, only);
  }

  append_places (places, 0, edit->key);
  append_places (places, edit->key + 1, tokens->n);
  take_over (self, pick_tokens (tokens, places));

  return TRUE;
}

/* The pieces [*first, *end) of the word that holds a token; a token of no word is one itself. */
static void
find_word (const EngTokens *tokens,
           int              token,
           int             *first,
           int             *end)
{
  int word = tokens->words[token];

  *first = token;
  *end = token + 1;
  if (word < 0)
    return;
  while (*first > 0 && tokens->words[*first - 1] == word &&
         tokens->segments[*first - 1] == tokens->segments[token])
    (*first)--;
  while (*end < tokens->n && tokens->words[*end] == word &&
         tokens->segments[*end] == tokens->segments[token])
    (*end)++;
}

/* Tokens [first, end) came from another sentence: they are of the one in which they stand now, and
 * nobody typed them there. */
static void
move_to_sentence (EngTokens       *tokens,
                  int              first,
                  int              end,
                  const EngTokens *old,
                  int              place)
{
  for (int i = first; i < end; i++) {
    tokens->segments[i] = old->segments[place];
    tokens->type_ids[i] = old->type_ids[place];
    if (tokens->languages)
      tokens->languages[i] = old->languages[place];
    tokens->words[i] = old->words[place];
    tokens->spans[i] = (EngSpan) { -1, -1 };
  }
}

static gboolean
swap_words (Stack          *self,
            const EngEdit  *edit,
            GError        **error)
{
  const EngTokens *tokens = self->tokens;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (int));
  int first, first_end, second, second_end;
  EngTokens *swapped;

  if (!check_token (self, edit, edit->query, error) ||
      !check_token (self, edit, edit->key, error))
    return FALSE;
  find_word (tokens, MIN (edit->query, edit->key), &first, &first_end);
  find_word (tokens, MAX (edit->query, edit->key), &second, &second_end);
  if (first == second)
    return refuse (edit, error, "both tokens are of one word, expected two words");

  append_places (places, 0, first);
  append_places (places, second, second_end);
  append_places (places, first_end, second);
  append_places (places, first, first_end);
  append_places (places, second_end, tokens->n);
  swapped = pick_tokens (tokens, places);
  if (tokens->segments[first] != tokens->segments[second]) {
    move_to_sentence (swapped, first, first + second_end - second, tokens, first);
    move_to_sentence (swapped, second_end - (first_end - first), second_end, tokens, second);
  }
  take_over (self, swapped);

  return TRUE;
}

static gboolean
apply_edit (Stack          *self,
            const EngEdit  *edit,
            GError        **error)
{
  switch (edit->type) {
  case ENG_EDIT_MASK_TOKEN:
    return mask_token (self, edit, error);
  case ENG_EDIT_DELETE_TOKEN:
    return delete_token (self, edit, error);
  case ENG_EDIT_SWAP_WORDS:
    return swap_words (self, edit, error);
  default:
    return TRUE;
  }
}

static gboolean
check_kind (const EngModel   *model,
            const EngEdit    *edit,
            const EngInputs  *inputs,
            GError          **error)
{
  EngKind first = eng_spec_get_first_kind (eng_model_get_spec (model));

  if (edit->kind == ENG_KIND_NOT_SAID || edit->kind == (int) first)
    return TRUE;
  if (!inputs->decoder_tokens)
    return refuse (edit, error, "the model has one stack alone, expected an edit of its tokens");
  if (inputs->repeated)
    return refuse (edit, error,
                   "the decoder reads the encoder's text again, expected an edit of that");

  return TRUE;
}

gboolean
eng_token_edits_apply (const EngModel  *model,
                       const EngEdit   *edits,
                       int              n_edits,
                       EngInputs       *inputs,
                       GError         **error)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  const char *name = eng_model_get_info (model)->name;
  EngKind first = eng_spec_get_first_kind (eng_model_get_spec (model));
  Stack source = { tokenizer, name, FALSE, eng_tokens_ref (inputs->tokens) };
  Stack target = {
    .tokenizer = tokenizer ? eng_tokenizer_get_target (tokenizer) : NULL,
    .name = name,
    .starts = TRUE,
    .tokens = inputs->decoder_tokens ? eng_tokens_ref (inputs->decoder_tokens) : NULL,
  };
  gboolean applied = TRUE;

  for (int i = 0; applied && i < n_edits; i++) {
    const EngEdit *edit = &edits[i];
    gboolean of_source = edit->kind == ENG_KIND_NOT_SAID || edit->kind == (int) first;

    if (!eng_edit_is_of_tokens (edit))
      continue;
    applied = check_kind (model, edit, inputs, error) &&
              apply_edit (of_source ? &source : &target, edit, error);
  }
  if (applied && inputs->repeated && source.tokens != inputs->tokens)
    take_over (&target, eng_inputs_repeat (model, source.tokens));

  if (applied) {
    EngTokens *tokens = inputs->tokens, *decoder_tokens = inputs->decoder_tokens;

    inputs->tokens = g_steal_pointer (&source.tokens);
    inputs->decoder_tokens = g_steal_pointer (&target.tokens);
    source.tokens = tokens;
    target.tokens = decoder_tokens;
  }
  eng_tokens_unref (source.tokens);
  g_clear_pointer (&target.tokens, eng_tokens_unref);

  return applied;
}
