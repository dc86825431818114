/* SPDX-License-Identifier: MIT */
#include "app/run/corpus-question.h"

#include "app/run/pass.h"
#include "engine/base/error.h"
#include "ui/document/bidi.h"
#include "ui/scene/numbers/word-links.h"

void
app_corpus_question_copy (const AppCorpusQuestion *from,
                          AppCorpusQuestion       *to)
{
  *to = *from;
  to->from = g_strdup (from->from);
  to->to = g_strdup (from->to);
}

void
app_corpus_question_clear (AppCorpusQuestion *self)
{
  g_clear_pointer (&self->from, g_free);
  g_clear_pointer (&self->to, g_free);
}

static char *
quote (const char *word)
{
  return word[0] != '\0' ? ui_bidi_quote (word) : g_strdup ("any word");
}

char *
app_corpus_question_describe (const AppCorpusQuestion *self)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (!self->links_words)
    return quote (eng_pattern_get_title (self->pattern));

  from = quote (self->from);
  to = quote (self->to);

  return g_strdup_printf ("%s reads %s", from, to);
}

/* A word goes through the tokenizer like the lines, so that it is spelt as their words are: without
 * accents, say, where the model knows none. */
static gboolean
spell (const EngModel    *model,
       const UiDocument  *document,
       gboolean           of_decoder,
       const char        *word,
       char             **spelling,
       GError           **error)
{
  g_autoptr (UiDocument) alone = ui_document_copy (document);
  g_auto (EngInputs) inputs = { 0 };

  g_free (alone->text_a);
  g_free (alone->text_b);
  alone->text_a = g_strdup (word);
  alone->text_b = g_strdup (of_decoder ? word : "");
  g_strfreev (alone->edits);
  alone->edits = g_new0 (char *, 1);
  alone->truncate = FALSE;
  if (!app_pass_encode (model, alone, &inputs, error)) {
    g_autofree char *quoted = ui_bidi_quote (word);

    g_prefix_error (error, "the word %s: ", quoted);
    return FALSE;
  }

  *spelling = ui_word_spelling_from_tokens (of_decoder ? inputs.decoder_tokens : inputs.tokens,
                                            word, error);

  return *spelling != NULL;
}

gboolean
app_corpus_question_spell (const AppCorpusQuestion  *self,
                           const EngModel           *model,
                           const UiDocument         *document,
                           EngKind                   kind,
                           char                    **from,
                           char                    **to,
                           GError                  **error)
{
  gboolean has_decoder = eng_model_has_two_stacks (model);

  *from = *to = NULL;
  if (!self->links_words)
    return TRUE;
  if (self->from[0] == '\0' && self->to[0] == '\0') {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_TEXT,
                         "both words are empty, expected one at least");
    return FALSE;
  }

  if (self->from[0] != '\0'
      && !spell (model, document, has_decoder && kind != ENG_KIND_ENCODER, self->from, from, error))
    return FALSE;
  if (self->to[0] != '\0'
      && !spell (model, document, has_decoder && kind == ENG_KIND_DECODER, self->to, to, error)) {
    g_clear_pointer (from, g_free);
    return FALSE;
  }

  return TRUE;
}
