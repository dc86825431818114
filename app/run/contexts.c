/* SPDX-License-Identifier: MIT */
#include "app/run/contexts.h"

#include <math.h>
#include <string.h>

#include "app/run/pass.h"
#include "app/run/shipped-sentences.h"
#include "engine/base/error.h"
#include "engine/trace/states.h"

#define IS_SAME "this is the sentence itself"

/* A sentence that has the word. */
typedef struct {
  const char *text;
  gboolean    is_own;
  EngInputs   inputs;
  int         token;
} Found;

typedef struct {
  const AppWordQuestion *question;
  EngModel              *model;
  UiDocument            *document; /* without edits of this text's tokens */
  char                 **sentence; /* of the document: the one that is replaced */
  const EngTokens       *tokens;
  guint8                 segment;
} Search;

static void
found_free (Found *self)
{
  eng_inputs_clear (&self->inputs);
  g_free (self);
}

static void
context_free (AppContext *self)
{
  g_free (self->text);
  g_free (self->problem);
  g_free (self->cosines);
  g_free (self);
}

const char *
app_contexts_refuse (EngTrace *trace,
                     EngKind   kind,
                     int       token)
{
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, kind);

  if (kind != eng_trace_get_default_kind (trace))
    return "What a decoder writes depends on what it reads: choose a token of A.";
  if (tokens->special[token] || tokens->padding[token])
    return "This token stands in every sentence: choose a word.";
  if (tokens->typed[token] != NULL)
    return "This word is not in the vocabulary: the model reads it as every such word.";
  return NULL;
}

/* What an edit says of tokens and links means nothing in another text. */
static UiDocument *
dup_for_other_texts (const UiDocument *document)
{
  UiDocument *other = ui_document_copy (document);
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();

  for (char **text = document->edits; *text != NULL; text++) {
    EngEdit edit;

    if (eng_edit_parse (eng_edit_skip_off (*text, NULL), &edit, NULL)
        && !eng_edit_is_of_tokens (&edit) && edit.type != ENG_EDIT_CUT_EDGE
        && edit.type != ENG_EDIT_KNOCK_OUT_TOKEN)
      g_strv_builder_add (kept, *text);
  }
  g_strfreev (other->edits);
  other->edits = g_strv_builder_end (kept);

  return other;
}

static const EngTokens *
get_tokens (const Search    *search,
            const EngInputs *inputs)
{
  return search->question->kind == eng_trace_get_default_kind (search->question->trace)
         ? inputs->tokens : inputs->decoder_tokens;
}

/* Where the token stands in the sentence: at the same place, else its first. -1 = nowhere. */
static int
find_word (const Search    *search,
           const EngTokens *tokens)
{
  const int place = search->question->token;
  const gint32 id = search->tokens->ids[place];

  if (place < tokens->n && tokens->ids[place] == id && tokens->segments[place] == search->segment
      && tokens->spans[place].start >= 0)
    return place;
  for (int i = 0; i < tokens->n; i++)
    if (tokens->ids[i] == id && tokens->segments[i] == search->segment
        && tokens->spans[i].start >= 0)
      return i;

  return -1;
}

static gboolean
is_same_text (const EngTokens *a,
              const EngTokens *b)
{
  return a->n == b->n && memcmp (a->ids, b->ids, (gsize) a->n * sizeof *a->ids) == 0;
}

/* A decoder's word reads nothing behind it: where all before it is the same, so is its vector. */
static gboolean
reads_the_same (const Search    *search,
                const EngTokens *tokens,
                int              token)
{
  return search->question->kind == ENG_KIND_DECODER && token == search->question->token
         && memcmp (search->tokens->ids, tokens->ids, (gsize) token * sizeof *tokens->ids) == 0;
}

/* NULL where the word is not in it, or where it is the same there (is_same), with *problem (transfer
 * full, nullable) why. */
static Found *
look_into (Search      *search,
           const char  *text,
           gboolean     is_own,
           gboolean    *is_same,
           char       **problem)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  Found *found;
  int token;

  ui_replace_text (search->sentence, text);
  *is_same = FALSE;
  if (!app_pass_encode (search->model, search->document, &inputs, &error)) {
    *problem = g_strdup (error->message);
    return NULL;
  }
  token = find_word (search, get_tokens (search, &inputs));
  if (token < 0) {
    g_autofree char *word = g_strdup (search->tokens->texts[search->question->token]);

    *problem = g_strdup_printf ("“%s” is not in it", g_strstrip (word));
    return NULL;
  }
  *is_same = is_same_text (search->tokens, get_tokens (search, &inputs))
             || (!is_own && reads_the_same (search, get_tokens (search, &inputs), token));
  if (*is_same) {
    *problem = g_strdup (IS_SAME);
    return NULL;
  }

  found = g_new (Found, 1);
  *found = (Found) { text, is_own, inputs, token };
  inputs = (EngInputs) { 0 };

  return found;
}

static void
add_problem (GPtrArray  *contexts,
             const char *text,
             gboolean    is_own,
             gboolean    is_same,
             char       *problem)
{
  AppContext *context = g_new0 (AppContext, 1);

  *context = (AppContext) { .text = g_strdup (text), .is_own = is_own, .is_same = is_same,
                            .problem = problem, .token = -1 };
  g_ptr_array_add (contexts, context);
}

static gboolean
check_cancel (const Search  *search,
              GError       **error)
{
  if (search->question->cancel == NULL || g_atomic_int_get (search->question->cancel) == 0)
    return TRUE;
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the search was cancelled");
  return FALSE;
}

/* A person's own, the last one first. */
static void
look_into_own (Search    *search,
               GPtrArray *found,
               GPtrArray *contexts)
{
  const char *const *own = search->question->own;

  for (int i = own != NULL ? (int) g_strv_length ((char **) own) - 1 : -1; i >= 0; i--) {
    char *problem = NULL;
    gboolean is_same;
    Found *one = look_into (search, own[i], TRUE, &is_same, &problem);

    if (one != NULL)
      g_ptr_array_add (found, one);
    else
      add_problem (contexts, own[i], TRUE, is_same, problem);
  }
}

/* What ships, first where the word stands at the same place. *same: the first that is the same. */
static gboolean
look_into_shipped (Search      *search,
                   GPtrArray   *found,
                   const char **same,
                   GError     **error)
{
  g_autoptr (GPtrArray) elsewhere = g_ptr_array_new ();

  for (int i = 0; app_shipped_sentences[i] != NULL && found->len < APP_MAX_CONTEXTS; i++) {
    g_autofree char *problem = NULL;
    gboolean is_same;
    Found *one;

    if (!check_cancel (search, error)) {
      g_ptr_array_set_free_func (elsewhere, (GDestroyNotify) found_free);
      return FALSE;
    }
    one = look_into (search, app_shipped_sentences[i], FALSE, &is_same, &problem);
    if (is_same && *same == NULL)
      *same = app_shipped_sentences[i];
    if (one != NULL)
      g_ptr_array_add (one->token == search->question->token ? found : elsewhere, one);
  }
  for (guint i = 0; i < elsewhere->len; i++)
    g_ptr_array_add (found, elsewhere->pdata[i]);
  if (found->len > APP_MAX_CONTEXTS)
    g_ptr_array_set_size (found, APP_MAX_CONTEXTS);

  return TRUE;
}

/* Runs the sentence and lays the word's states beside the chosen ones. */
static gboolean
compare (const Search  *search,
         Found         *found,
         GArray        *edits,
         GPtrArray     *contexts,
         GError       **error)
{
  const AppWordQuestion *question = search->question;
  const EngRunRequest request = {
    .tokens = found->inputs.tokens, .decoder_tokens = found->inputs.decoder_tokens,
    .edits = (const EngEdit *) edits->data, .n_edits = (int) edits->len,
    .cancel = question->cancel,
  };
  const EngTokens *tokens = get_tokens (search, &found->inputs);
  const EngStatesToken own = { question->trace, question->kind, question->token };
  g_autoptr (EngSession) session = eng_session_new (search->model);
  g_autoptr (EngTrace) trace = eng_session_run (session, &request, error);
  AppContext *context;

  if (trace == NULL)
    return FALSE;
  context = g_new0 (AppContext, 1);
  *context = (AppContext) {
    .text = g_strdup (found->text), .is_own = found->is_own, .token = found->token,
    .span = tokens->spans[found->token],
    .cosines = g_new (double, eng_trace_get_n_layers (trace, question->kind) + 1),
  };
  context->n = eng_states_compare (ENG_STATES_COSINE, &own,
                                   &(EngStatesToken) { trace, question->kind, found->token },
                                   context->cosines);
  for (int i = 0; i < context->n; i++)
    if (!isfinite (context->cosines[i])) {
      context->n = 0;
      context->problem = g_strdup ("its vector is 0, which has no direction");
    }
  g_ptr_array_add (contexts, context);

  return TRUE;
}

GPtrArray *
app_contexts_find (const AppWordQuestion  *question,
                   GError                **error)
{
  g_autoptr (UiDocument) document = dup_for_other_texts (question->document);
  const EngTokens *tokens = eng_trace_get_query_tokens (question->trace, question->kind);
  const guint8 segment = tokens->segments[question->token];
  Search search = {
    question, eng_session_get_model_of (question->trace), document,
    segment == 1 ? &document->text_b : &document->text_a, tokens, segment,
  };
  g_autoptr (GArray) edits = app_pass_parse_edits (document, error);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) found_free);
  g_autoptr (GPtrArray) contexts = g_ptr_array_new_with_free_func ((GDestroyNotify) context_free);
  const char *same = NULL;

  if (edits == NULL)
    return NULL;
  look_into_own (&search, found, contexts);
  if (!look_into_shipped (&search, found, &same, error))
    return NULL;
  for (guint i = 0; i < found->len; i++)
    if (!compare (&search, found->pdata[i], edits, contexts, error))
      return NULL;
  if (same != NULL)
    add_problem (contexts, same, FALSE, TRUE, g_strdup (IS_SAME));

  return g_steal_pointer (&contexts);
}
