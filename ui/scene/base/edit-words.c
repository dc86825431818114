/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/edit-words.h"

#include "engine/edits/links.h"
#include "ui/document/bidi.h"
#include "ui/scene/base/token-words.h"

#define MOST_LETTERS 12  /* of a token, in brief */
#define LEAST_TOGETHER 4 /* cuts: fewer say more of themselves */

/* "layer 2", "decoder layer 2", "cross-attention layer 2" */
static char *
describe_layer (const EngEdit *edit)
{
  if (edit->kind == ENG_KIND_NOT_SAID)
    return g_strdup_printf ("layer %d", edit->layer);
  return g_strdup_printf ("%s layer %d", edit->kind == ENG_KIND_CROSS
                                         ? "cross-attention" : eng_kind_get_name (edit->kind),
                          edit->layer);
}

/* "head 9 of layer 2" */
static char *
describe_head (const EngEdit *edit)
{
  g_autofree char *layer = describe_layer (edit);

  if (edit->head == ENG_ALL_HEADS)
    return g_strdup_printf ("all heads of %s", layer);
  return g_strdup_printf ("head %d of %s", edit->head, layer);
}

/* “it”, what is long cut off; of a word that the vocabulary lacks, what was typed. */
static char *
name_token_briefly (const EngTokens *tokens,
                    int              token)
{
  char *typed = ui_tokens_dup_typed (tokens, token);
  g_autofree char *text = typed != NULL ? typed : ui_tokens_dup_shown (tokens, token);
  g_autofree char *start = NULL;
  g_autofree char *cut = NULL;

  if (g_utf8_strlen (text, -1) <= MOST_LETTERS)
    return ui_bidi_quote (text);
  start = g_utf8_substring (text, 0, MOST_LETTERS - 1);
  cut = g_strconcat (start, "…", NULL);
  return ui_bidi_quote (cut);
}

/* “it” (12) */
static char *
describe_token (const EngEdit  *edit,
                const EngTrace *trace,
                gboolean        key,
                int             token,
                gboolean        is_brief)
{
  const EngTokens *tokens = NULL;
  EngKind kind;

  if (trace != NULL) {
    kind = edit->kind == ENG_KIND_NOT_SAID ? eng_trace_get_default_kind (trace)
                                           : (EngKind) edit->kind;
    if (eng_trace_has_kind (trace, kind))
      tokens = key ? eng_trace_get_key_tokens (trace, kind)
                   : eng_trace_get_query_tokens (trace, kind);
  }
  if (tokens != NULL && token >= 0 && token < tokens->n)
    return is_brief ? name_token_briefly (tokens, token) : ui_describe_token (tokens, token);
  return edit->kind == ENG_KIND_DECODER ? g_strdup_printf ("decoder token %d", token)
                                        : g_strdup_printf ("token %d", token);
}

/* Those of a cut, one or more: “it” (12), “it” to “on”, all tokens. */
static char *
describe_span (const EngEdit  *edit,
               const EngTrace *trace,
               gboolean        key,
               gboolean        is_brief)
{
  const int first = key ? edit->key : edit->query;
  const int n_more = key ? edit->n_more_keys : edit->n_more_queries;
  g_autofree char *begin = NULL;
  g_autofree char *end = NULL;

  if (first == ENG_ALL_TOKENS)
    return g_strdup ("all tokens");
  begin = describe_token (edit, trace, key, first, is_brief);
  if (n_more == 0)
    return g_steal_pointer (&begin);
  end = describe_token (edit, trace, key, first + n_more, is_brief);
  return g_strdup_printf ("%s to %s", begin, end);
}

/* head: as it is to be called. */
static char *
describe_cut (const EngEdit  *edit,
              const EngTrace *trace,
              const char     *head,
              gboolean        is_brief)
{
  g_autofree char *queries = describe_span (edit, trace, FALSE, is_brief);
  g_autofree char *keys = describe_span (edit, trace, TRUE, is_brief);

  return g_strdup_printf ("Cut %s → %s in %s%s", queries, keys, head,
                          edit->renormalise ? ", renormalised" : "");
}

/* What is said alike at length and briefly but for the names: a head in front, the place that
 * something is done in, a layer and a token. NULL for an edit of another type. */
static char *
describe_alike (const EngEdit *edit,
                const char    *head,
                const char    *place,
                const char    *layer,
                const char    *token)
{
  static const char *const masks[ENG_N_HEAD_MASKS] = { "No mask", "Causal mask", "Padding mask" };
  char factor[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (factor, sizeof factor, "%.6g", (double) edit->factor);
  switch (edit->type) {
  case ENG_EDIT_SCALE_HEAD:
    return edit->factor == 0 ? g_strdup_printf ("Zero %s", head)
                             : g_strdup_printf ("Scale %s by %s", head, factor);
  case ENG_EDIT_UNIFORM_ROWS:
    return g_strdup_printf ("Uniform rows in %s", place);
  case ENG_EDIT_KNOCK_OUT_TOKEN:
    return g_strdup_printf ("Knock out %s%s", token,
                            edit->kind == ENG_KIND_CROSS ? " in cross-attention" : "");
  case ENG_EDIT_MASK_TOKEN:
    return g_strdup_printf ("Mask %s", token);
  case ENG_EDIT_DELETE_TOKEN:
    return g_strdup_printf ("Delete %s", token);
  case ENG_EDIT_TEMPERATURE:
    return g_strdup_printf ("Temperature %s in %s", factor, place);
  case ENG_EDIT_SCORE_SCALE:
    return g_strdup_printf ("Scores of %s times %s", place, factor);
  case ENG_EDIT_HEAD_MASK:
    return g_strdup_printf ("%s in %s", masks[edit->mask], place);
  case ENG_EDIT_NO_PROJECTIONS:
    return g_strdup_printf ("Projections off in %s", place);
  case ENG_EDIT_ZERO_DIMENSION:
    return g_strdup_printf ("Dimension %d off in %s", edit->dimension, place);
  case ENG_EDIT_NO_POSITIONS:
    return edit->layer == ENG_ALL_LAYERS ? g_strdup ("Positions off")
                                         : g_strdup_printf ("Positions off in %s", layer);
  case ENG_EDIT_NO_SEGMENTS:
    return g_strdup ("Segments off");
  default:
    return NULL;
  }
}

char *
ui_edit_describe (const EngEdit  *edit,
                  const EngTrace *trace)
{
  g_autofree char *layer = describe_layer (edit);
  g_autofree char *head = describe_head (edit);
  g_autofree char *query = describe_token (edit, trace, FALSE, edit->query, FALSE);
  g_autofree char *key = describe_token (edit, trace, TRUE, edit->key, FALSE);
  char *alike = describe_alike (edit, head, head, layer, key);

  if (alike != NULL)
    return alike;
  switch (edit->type) {
  case ENG_EDIT_CUT_EDGE:
    return describe_cut (edit, trace, head, FALSE);
  case ENG_EDIT_SKIP_ATTENTION:
    return g_strdup_printf ("Skip attention of %s", layer);
  case ENG_EDIT_SKIP_FEED_FORWARD:
    return g_strdup_printf ("Skip feed-forward of %s", layer);
  case ENG_EDIT_SWAP_WORDS:
  default:
    return g_strdup_printf ("Swap the words of %s and %s", query, key);
  }
}

/* "decoder ", "cross-attention "; nothing for the stack that reads A. */
static const char *
get_kind_word (const EngEdit *edit)
{
  static const char *const words[ENG_N_KINDS] = {
    [ENG_KIND_ENCODER] = "encoder ",
    [ENG_KIND_DECODER] = "decoder ",
    [ENG_KIND_CROSS] = "cross-attention ",
  };

  return edit->kind == ENG_KIND_NOT_SAID ? "" : words[edit->kind];
}

/* "3.11", "layer 3", "cross-attention 3.11"; noun: what stands before the head's number. */
static char *
describe_place (const EngEdit *edit,
                const char    *noun)
{
  if (edit->head == ENG_ALL_HEADS)
    return g_strdup_printf ("%slayer %d", get_kind_word (edit), edit->layer);
  return g_strdup_printf ("%s%s%d.%d", get_kind_word (edit), noun, edit->layer, edit->head);
}

char *
ui_edit_describe_briefly (const EngEdit  *edit,
                          const EngTrace *trace)
{
  const char *kind = edit->kind == ENG_KIND_CROSS ? "cross-" : get_kind_word (edit);
  g_autofree char *head = describe_place (edit, "head ");
  g_autofree char *place = describe_place (edit, "");
  g_autofree char *query = describe_token (edit, trace, FALSE, edit->query, TRUE);
  g_autofree char *key = describe_token (edit, trace, TRUE, edit->key, TRUE);
  g_autofree char *layer = g_strdup_printf ("%slayer %d", get_kind_word (edit), edit->layer);
  char *alike = describe_alike (edit, head, place, layer, key);

  if (alike != NULL)
    return alike;
  switch (edit->type) {
  case ENG_EDIT_CUT_EDGE:
    return describe_cut (edit, trace, place, TRUE);
  case ENG_EDIT_SKIP_ATTENTION:
    return g_strdup_printf ("Skip %sattention %d", kind, edit->layer);
  case ENG_EDIT_SKIP_FEED_FORWARD:
    return g_strdup_printf ("Skip %sfeed-forward %d", kind, edit->layer);
  case ENG_EDIT_SWAP_WORDS:
  default:
    return g_strdup_printf ("Swap %s and %s", query, key);
  }
}

char *
ui_edit_describe_text (const char     *text,
                       const EngTrace *trace,
                       const EngTrace *typed)
{
  const char *form = eng_edit_skip_off (text, NULL);
  EngEdit edit;

  if (!eng_edit_parse (form, &edit, NULL))
    return g_strdup (form);
  return ui_edit_describe_briefly (&edit, eng_edit_is_of_tokens (&edit) ? typed : trace);
}

static gboolean
parse_cut (const char *text,
           EngEdit    *edit,
           gboolean   *is_off)
{
  return text != NULL && eng_edit_parse (eng_edit_skip_off (text, is_off), edit, NULL)
         && edit->type == ENG_EDIT_CUT_EDGE;
}

int
ui_edit_count_together (const char *const *edits)
{
  EngEdit first, next;
  gboolean is_off, is_next_off;
  int n = 1;

  if (!parse_cut (edits[0], &first, &is_off))
    return 1;
  while (parse_cut (edits[n], &next, &is_next_off) && is_next_off == is_off
         && next.layer == first.layer && next.head == first.head && next.kind == first.kind
         && next.renormalise == first.renormalise)
    n++;
  return n >= LEAST_TOGETHER ? n : 1;
}

/* What several cuts have in common counts once. */
static int
count_links (const char *const *edits,
             int                n,
             EngKind            kind,
             const EngTrace    *trace)
{
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (EngLinks));
  gboolean is_off;
  EngEdit cut;

  for (int i = 0; i < n && parse_cut (edits[i], &cut, &is_off); i++) {
    const EngLinks of_cut = { cut.query, cut.n_more_queries, cut.key, cut.n_more_keys };

    g_array_append_val (links, of_cut);
  }
  return eng_links_count (links, eng_trace_get_n_queries (trace, kind),
                          eng_trace_get_n_keys (trace, kind));
}

char *
ui_edit_describe_together (const char *const *edits,
                           int                n,
                           const EngTrace    *trace,
                           gboolean           is_brief)
{
  EngEdit edit;
  gboolean is_off;
  g_autofree char *place = NULL;
  EngKind kind;

  g_return_val_if_fail (parse_cut (edits[0], &edit, &is_off), NULL);

  place = is_brief ? describe_place (&edit, "") : describe_head (&edit);
  kind = edit.kind != ENG_KIND_NOT_SAID ? (EngKind) edit.kind
         : trace != NULL ? eng_trace_get_default_kind (trace) : ENG_KIND_ENCODER;
  if (trace == NULL || !eng_trace_has_kind (trace, kind))
    return g_strdup_printf ("%d cuts in %s", n, place);
  return g_strdup_printf ("%d links %s in %s", count_links (edits, n, kind, trace),
                          edit.renormalise ? "hidden" : "cut", place);
}

gboolean
ui_edit_moves_tokens (const char *text)
{
  EngEdit edit;
  gboolean is_off;

  return eng_edit_parse (eng_edit_skip_off (text, &is_off), &edit, NULL) && !is_off
         && (edit.type == ENG_EDIT_DELETE_TOKEN || edit.type == ENG_EDIT_SWAP_WORDS);
}

const char *
ui_edit_explain (const EngEdit *edit)
{
  switch (edit->type) {
  case ENG_EDIT_SCALE_HEAD:
    return edit->factor == 0
           ? "What the head adds to the residual stream is taken away; its weights stay."
           : "What the head adds to the residual stream is multiplied; its weights stay.";
  case ENG_EDIT_UNIFORM_ROWS:
    return "Every token reads all that it sees alike: 1 / visible keys.";
  case ENG_EDIT_CUT_EDGE:
    return edit->renormalise
           ? "The weight becomes 0 and the rest of the row is brought back to 1, as if a mask hid it."
           : "The weight becomes 0; the rest of the row stays, so it sums to less than 1.";
  case ENG_EDIT_KNOCK_OUT_TOKEN:
    return "No token reads it, in any layer; a row that reads another still sums to 1.";
  case ENG_EDIT_SKIP_ATTENTION:
  case ENG_EDIT_SKIP_FEED_FORWARD:
    return "The sub-layer adds nothing to the residual stream.";
  case ENG_EDIT_TEMPERATURE:
    return "Scores are divided by it before the softmax: below 1 rows become sharper, above 1 evener.";
  case ENG_EDIT_SCORE_SCALE:
    return "Query times key is multiplied with it instead of the model's own scale.";
  case ENG_EDIT_HEAD_MASK:
    return edit->mask == ENG_HEAD_MASK_NONE
           ? "The head sees every token, padding and what comes later too."
           : edit->mask == ENG_HEAD_MASK_CAUSAL ? "The head sees no later token and no padding."
                                                : "The head sees all but padding.";
  case ENG_EDIT_NO_PROJECTIONS:
    return edit->kind == ENG_KIND_CROSS
           ? "The query is the head's share of what the decoder has come to, key and value of what "
             "the encoder leaves."
           : "Query, key and value are the head's share of what the layer reads.";
  case ENG_EDIT_ZERO_DIMENSION:
    return "The dimension adds nothing to query times key.";
  case ENG_EDIT_NO_POSITIONS:
    return "Nothing tells where a token stands; before layer 0 no position is added either.";
  case ENG_EDIT_NO_SEGMENTS:
    return "Every token is of the first segment.";
  case ENG_EDIT_MASK_TOKEN:
    return "The mask token stands in place of the token.";
  case ENG_EDIT_DELETE_TOKEN:
    return "The text without the token; those behind it move up.";
  case ENG_EDIT_SWAP_WORDS:
  default:
    return "The two words change places, all pieces of each.";
  }
}

gboolean
ui_edit_is_of_head (const EngTrace *trace,
                    EngKind         kind,
                    int             layer,
                    int             head)
{
  const char *const *edits = eng_trace_get_edits (trace);
  EngEdit edit;

  for (int i = 0; edits[i] != NULL; i++)
    if (eng_edit_parse (edits[i], &edit, NULL) && eng_edit_is_of_head (&edit, layer, head)
        && eng_edit_acts_on (&edit, kind, eng_trace_get_default_kind (trace)))
      return TRUE;
  return FALSE;
}

double
ui_edit_get_factor (const EngTrace *trace,
                    EngKind         kind,
                    int             layer,
                    int             head)
{
  const char *const *edits = eng_trace_get_edits (trace);
  double factor = 1;
  EngEdit edit;

  for (int i = 0; edits[i] != NULL; i++)
    if (eng_edit_parse (edits[i], &edit, NULL) && edit.type == ENG_EDIT_SCALE_HEAD
        && eng_edit_is_of_head (&edit, layer, head)
        && eng_edit_acts_on (&edit, kind, eng_trace_get_default_kind (trace)))
      factor *= edit.factor;
  return factor;
}

UiHeadZero
ui_edit_find_zero (const EngTrace *trace,
                   EngKind         kind,
                   int             layer,
                   int             head)
{
  const char *const *edits = eng_trace_get_edits (trace);
  UiHeadZero zero = UI_HEAD_ADDS;
  gboolean is_alone;
  EngEdit edit;

  for (int i = 0; edits[i] != NULL; i++)
    if (eng_edit_parse (edits[i], &edit, NULL)
        && eng_edit_zeroes_head (&edit, layer, head, &is_alone)
        && eng_edit_acts_on (&edit, kind, eng_trace_get_default_kind (trace)))
      zero = MAX (zero, is_alone ? UI_HEAD_ZEROED : UI_HEAD_ZEROED_BY_ALL);
  return zero;
}
