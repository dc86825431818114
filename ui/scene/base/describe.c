/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/describe.h"

#include "engine/trace/measure.h"
#include "ui/scene/base/edit-words.h"
#include "ui/scene/base/scene-private.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/sinks/text.h"

#define N_NAMED 3 /* tokens that a sentence about one token names */
#define MOST_SUMMED 6 /* tokens of a sum that are all named */

const char *
ui_describe_sentence (const EngTrace  *trace,
                      const EngTokens *tokens,
                      int              token)
{
  gboolean is_b = tokens->segments[token] != 0;

  if (ui_describe_has_two_stacks (trace))
    return is_b ? "target" : "source";
  if (eng_tokens_has_pair (tokens))
    return is_b ? "sentence B" : "sentence A";
  return NULL;
}

const char *
ui_describe_heading (const UiScene *scene,
                     gboolean       key)
{
  gboolean is_encoder = scene->kind == ENG_KIND_ENCODER || (key && scene->kind == ENG_KIND_CROSS);

  if (!ui_describe_has_two_stacks (scene->trace))
    return key ? "is read" : "reads";
  if (key)
    return is_encoder ? "encoder is read" : "decoder is read";
  return is_encoder ? "encoder reads" : "decoder reads";
}

static gboolean
is_text (const char *text)
{
  return text != NULL && *text != '\0';
}

/* What the decoder of two stacks reads where nobody typed a B: the model wrote it. NULL for
 * nothing. */
static char *
dup_written (const UiScene *scene)
{
  const EngTokens *tokens = eng_trace_get_query_tokens (scene->trace, ENG_KIND_DECODER);
  g_autoptr (GString) text = g_string_new (NULL);

  if (!eng_trace_has_kind (scene->trace, ENG_KIND_CROSS) || tokens == NULL)
    return NULL;

  for (int i = 0; i < tokens->n; i++)
    if (!tokens->special[i])
      g_string_append (text, tokens->texts[i]);
  g_strstrip (text->str);

  return *text->str != '\0' ? ui_describe_quoted (text->str) : NULL;
}

static void
append_texts (const UiScene *scene,
              const char    *separator,
              GString       *text)
{
  const char *a = eng_trace_get_text_a (scene->trace);
  const char *b = eng_trace_get_text_b (scene->trace);
  g_autofree char *quoted_a = is_text (a) ? ui_describe_quoted (a) : NULL;
  g_autofree char *quoted_b = is_text (b) ? ui_describe_quoted (b) : NULL;
  g_autofree char *written = is_text (b) ? NULL : dup_written (scene);

  if (quoted_a != NULL && quoted_b != NULL)
    g_string_append_printf (text, "%sA: %s%sB: %s", separator, quoted_a, separator, quoted_b);
  else if (quoted_a != NULL && written != NULL)
    g_string_append_printf (text, "%sA: %s%swritten: %s", separator, quoted_a, separator, written);
  else if (quoted_a != NULL)
    g_string_append_printf (text, "%s%s", separator, quoted_a);
}

/* "layer 2 · heads 2 and 6 · ‖α v W_O‖"; plain weights go without saying. */
static void
append_numbers_shown (const UiScene *scene,
                      const char    *separator,
                      GString       *text)
{
  EngMeasure measure = scene->weights.block.measure;
  g_autofree char *layer = ui_describe_layer (scene);
  g_autofree char *heads = ui_describe_heads (scene);

  if (measure == ENG_MEASURE_ROLLOUT) {
    g_string_append_printf (text, "rollout up to %s", layer);
    return;
  }
  g_string_append_printf (text, "%s%s%s", layer, separator, heads);
  if (measure != ENG_MEASURE_WEIGHT)
    g_string_append_printf (text, "%s%s", separator, ui_describe_measure (&scene->weights));
}

/* In words, which no trace from elsewhere need have. */
static char *
describe_edit (const EngTrace *trace,
               const char     *text)
{
  g_autofree char *words = NULL;
  EngEdit edit;

  if (!eng_edit_parse (text, &edit, NULL))
    return g_strdup (text);
  words = ui_edit_describe (&edit, eng_edit_is_of_tokens (&edit) ? NULL : trace);
  *words = g_ascii_tolower (*words);
  return g_steal_pointer (&words);
}

char *
ui_describe_edits (const EngTrace *trace)
{
  const char *const *edits = eng_trace_get_edits (trace);
  GString *text;

  if (edits[0] == NULL)
    return NULL;
  text = g_string_new ("edited: ");
  for (int i = 0; edits[i] != NULL; i++) {
    g_autofree char *edit = describe_edit (trace, edits[i]);

    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", edit);
  }
  return g_string_free (text, FALSE);
}

char *
ui_describe_caption (const UiScene *scene)
{
  g_autoptr (GString) subject = g_string_new (NULL);

  append_numbers_shown (scene, " · ", subject);
  return ui_describe_caption_of (scene, subject->str);
}

char *
ui_describe_caption_of (const UiScene *scene,
                        const char    *subject)
{
  const char *model = eng_trace_get_model_name (scene->trace);
  g_autofree char *edits = ui_describe_edits (scene->trace);
  GString *text = g_string_new (NULL);

  if (is_text (model))
    g_string_append_printf (text, "%s · ", model);
  g_string_append (text, subject);
  append_texts (scene, " · ", text);
  if (edits != NULL)
    g_string_append_printf (text, " · %s", edits);
  return g_string_free (text, FALSE);
}

static const char *
get_renormalised (const UiScene *scene)
{
  return scene->weights.row_scale != NULL ? " (rows renormalised)" : "";
}

static gboolean
is_shown (const UiPins *pins,
          int           query,
          int           key)
{
  return (pins->n_queries == 0 || ui_pins_has (pins, FALSE, query)) &&
         (pins->n_keys == 0 || ui_pins_has (pins, TRUE, key));
}

/* The key that the row reads most, if more than best, which is raised to that; else -1. Every
 * weight of a layer passes here, so that the row is read in place. */
static int
find_strongest_key (const UiWeights *weights,
                    const UiPins    *pins,
                    int              head,
                    int              query,
                    double          *best)
{
  const EngAttention *attention = weights->attention;
  const gsize row = (gsize) head * attention->n_queries + query;
  const float *values = attention->weights + row * attention->n_keys;
  const double scale = weights->row_scale != NULL ? weights->row_scale[row] : 1;
  int strongest = -1;

  if (!weights->query_passes[query])
    return -1;

  for (int key = 0; key < attention->n_keys; key++) {
    const double weight = values[key] * scale;

    if (weight <= *best || !weights->key_passes[key] || !is_shown (pins, query, key))
      continue;
    *best = weight;
    strongest = key;
  }
  return strongest;
}

static gboolean
find_strongest (const UiScene *scene,
                int           *head,
                int           *query,
                int           *key)
{
  const UiWeights *weights = &scene->weights;
  const UiPins *pins = &scene->document->pins;
  double best = 0;

  for (int i = 0; i < weights->n_heads; i++) {
    for (int q = 0; q < weights->attention->n_queries; q++) {
      int k = find_strongest_key (weights, pins, weights->heads[i], q, &best);

      if (k < 0)
        continue;
      *head = weights->heads[i];
      *query = q;
      *key = k;
    }
  }
  return best > 0;
}

static void
append_pins (const UiScene   *scene,
             const EngTokens *tokens,
             const int       *pins,
             int              n_pins,
             const char      *role,
             GString         *text)
{
  for (int i = 0; i < n_pins; i++) {
    g_autofree char *token = ui_describe_token (tokens, pins[i]);

    g_string_append_printf (text, "%s%s", i == 0 ? " Pinned: " : ", ", token);
  }
  if (n_pins > 0)
    g_string_append_printf (text, " as %s.", role);
}

char *
ui_describe_summary (const UiScene *scene)
{
  const UiPins *pins = &scene->document->pins;
  const char *noun = ui_describe_has_words (&scene->weights) ? "words" : "tokens";
  GString *text = g_string_new (ui_view_get (scene->document->view)->title);
  int head = 0, query = 0, key = 0;

  g_string_append (text, " of ");
  append_numbers_shown (scene, ", ", text);
  g_string_append_printf (text, ", %d %s", scene->queries->n, noun);
  if (scene->queries != scene->keys && scene->kind == ENG_KIND_CROSS)
    g_string_append_printf (text, " that read %d %s", scene->keys->n, noun);
  append_texts (scene, ", ", text);
  g_string_append_c (text, '.');
  append_pins (scene, scene->queries, pins->queries, pins->n_queries, "what reads", text);
  append_pins (scene, scene->keys, pins->keys, pins->n_keys, "what is read", text);
  if (find_strongest (scene, &head, &query, &key)) {
    g_autofree char *link = ui_describe_link (scene, head, query, key);

    g_string_append_printf (text, " Strongest: %s", link);
  }
  return g_string_free (text, FALSE);
}

/* "weight 0.41", "‖α v W_O‖ 3.2" */
static char *
describe_amount (const UiScene *scene,
                 double         value)
{
  g_autofree char *number = ui_describe_value (&scene->weights, value);

  return g_strdup_printf ("%s %s", ui_describe_measure (&scene->weights), number);
}

char *
ui_describe_link (const UiScene *scene,
                  int            head,
                  int            query,
                  int            key)
{
  const UiBlock *block = &scene->weights.block;
  g_autofree char *reader = ui_describe_token (scene->queries, query);
  g_autofree char *read = ui_describe_token (scene->keys, key);
  g_autofree char *layer = ui_describe_layer (scene);
  g_autofree char *one_head = ui_describe_one_head (scene, head);
  g_autofree char *amount =
    describe_amount (scene, ui_weights_get (&scene->weights, head, query, key));

  if (ui_mask_hides (scene->attention, query, key))
    return g_strdup_printf ("%s does not see %s: the model masks it.", reader, read);
  if (block->measure == ENG_MEASURE_ROLLOUT)
    return g_strdup_printf ("%s reads %s with %s%s up to %s.", reader, read, amount,
                            get_renormalised (scene), layer);
  return g_strdup_printf ("%s reads %s with %s%s in %s%s.", reader, read, amount,
                          get_renormalised (scene), block->is_aggregate ? "the " : "", one_head);
}

/* The head in which the query reads the key most. */
static int
find_strongest_head (const UiScene *scene,
                     int            query,
                     int            key)
{
  const UiWeights *weights = &scene->weights;
  int best = weights->heads[0];

  for (int i = 1; i < weights->n_heads; i++) {
    if (ui_weights_get (weights, weights->heads[i], query, key) >
        ui_weights_get (weights, best, query, key)) {
      best = weights->heads[i];
    }
  }
  return best;
}

static double
get_mean (const UiScene *scene,
          int            query,
          int            key)
{
  UiPins pins = { .queries = &query, .n_queries = 1 };

  return ui_weights_mean (&scene->weights, &pins, TRUE, key);
}

/* "“cat” (2) with weight 0.41, most in head 3: 0.72" */
static void
append_pinned (const UiScene *scene,
               gboolean       key,
               int            token,
               int            pinned,
               GString       *text)
{
  int query = key ? pinned : token;
  int read = key ? token : pinned;
  int head = find_strongest_head (scene, query, read);
  double most = ui_weights_get (&scene->weights, head, query, read);
  g_autofree char *other = ui_describe_token (key ? scene->queries : scene->keys, pinned);
  g_autofree char *mean = describe_amount (scene, get_mean (scene, query, read));
  g_autofree char *strongest = ui_describe_value (&scene->weights, most);

  if (ui_mask_hides (scene->attention, query, read)) {
    g_string_append_printf (text, "%s not at all, as the model masks it", other);
    return;
  }
  g_string_append_printf (text, "%s with %s", other, mean);
  if (scene->weights.n_heads > 1)
    g_string_append_printf (text, ", most in head %d: %s", head, strongest);
}

/* "(mean of all 12 heads of layer 3)." */
static void
append_scope (const UiScene *scene,
              GString       *text)
{
  g_autofree char *scope = ui_describe_scope (scene, TRUE);

  g_string_append_printf (text, " (%s%s).", scope,
                          scene->weights.row_scale != NULL ? ", rows renormalised" : "");
}

/* What a token gives to the pinned tokens of the other side, or gets from them. */
static char *
describe_beside_pins (const UiScene *scene,
                      gboolean       key,
                      int            token)
{
  const UiPins *pins = &scene->document->pins;
  const int *pinned = key ? pins->queries : pins->keys;
  int n_pinned = key ? pins->n_queries : pins->n_keys;
  int query = key ? pinned[0] : token;
  int read = key ? token : pinned[0];
  g_autofree char *name = ui_describe_token (key ? scene->keys : scene->queries, token);
  GString *text;

  if (n_pinned == 1 && ui_mask_hides (scene->attention, query, read))
    return ui_describe_link (scene, scene->weights.heads[0], query, read);

  text = g_string_new (name);
  g_string_append (text, key ? " is read by the pinned " : " reads the pinned ");
  for (int i = 0; i < MIN (n_pinned, N_NAMED); i++) {
    g_string_append (text, i > 0 ? "; " : "");
    append_pinned (scene, key, token, pinned[i], text);
  }
  if (n_pinned > N_NAMED)
    g_string_append_printf (text, "; %d more", n_pinned - N_NAMED);
  append_scope (scene, text);
  return g_string_free (text, FALSE);
}

/* How many tokens of the other side a mask keeps from this one. */
static int
count_masked (const UiScene *scene,
              gboolean       key,
              int            token)
{
  g_autofree guint8 *masked = NULL;
  int n_masked = 0;

  if (!key)
    return ui_mask_count_hidden (scene->attention, token);
  masked = ui_mask_mark_queries (scene->attention, &token, 1);
  for (int i = 0; i < scene->queries->n && masked != NULL; i++)
    n_masked += masked[i];
  return n_masked;
}

static void
append_strongest (const UiScene   *scene,
                  const EngTokens *tokens,
                  GArray          *readings,
                  GString         *text)
{
  if (readings->len == 0)
    g_string_append (text, "nothing that is shown");
  for (guint i = 0; i < MIN (readings->len, N_NAMED); i++) {
    const UiReading *reading = &g_array_index (readings, UiReading, i);
    g_autofree char *other = ui_describe_token (tokens, reading->token);
    g_autofree char *amount = describe_amount (scene, reading->weight);
    g_autofree char *number = ui_describe_value (&scene->weights, reading->weight);

    if (i == 0)
      g_string_append_printf (text, "%s most, with %s", other, amount);
    else
      g_string_append_printf (text, "%s %s %s", i == 1 ? "; then" : ",", other, number);
  }
}

/* Padding, whose row is not among the weights that are shown. */
static gboolean
is_left_out (const UiScene *scene,
             int            query)
{
  const UiWeights *weights = &scene->weights;
  g_autofree guint8 *padding = NULL;

  if (weights->n_left_out == 0 || weights->query_passes[query])
    return FALSE;
  padding = eng_measure_mark_padding (scene->attention, scene->queries, scene->keys);
  return padding[query];
}

char *
ui_describe_reader (const UiScene *scene,
                    gboolean       key,
                    int            token)
{
  const EngTokens *tokens = key ? scene->keys : scene->queries;
  const EngTokens *others = key ? scene->queries : scene->keys;
  UiItem item = { .type = key ? UI_ITEM_KEY : UI_ITEM_QUERY, .query = token, .key = token };
  g_autoptr (GArray) readings = ui_scene_readings (scene, &item, !key);
  g_autofree char *name = ui_describe_token (tokens, token);
  g_autofree char *piece = ui_describe_piece (tokens, token);
  const char *sentence = ui_describe_sentence (scene->trace, tokens, token);
  int n_masked = count_masked (scene, key, token);
  gboolean left_out = !key && is_left_out (scene, token);
  GString *text;

  if (scene->klass->has_no_shares)
    return ui_scene_describe (scene, &item);

  text = g_string_new (name);
  if (sentence != NULL)
    g_string_append_printf (text, ", %s,", sentence);
  if (left_out) {
    g_string_append (text, " is padding; what it reads is shown when it is pinned.");
  } else if (n_masked == others->n) {
    g_string_append (text, key ? " is hidden from all tokens: the model masks it."
                               : " sees no token: the model masks all.");
  } else {
    g_string_append (text, key ? " is read by " : " reads ");
    append_strongest (scene, others, readings, text);
    append_scope (scene, text);
  }
  if (n_masked > 0 && n_masked < others->n && !left_out)
    g_string_append_printf (text, key ? " Masked for %d of %d tokens."
                                      : " %d of %d tokens are masked for it.",
                            n_masked, others->n);
  if (piece != NULL)
    g_string_append_printf (text, " Piece: %s.", piece);
  return g_string_free (text, FALSE);
}

char *
ui_describe_sum (const EngTokens *tokens,
                 const int       *pinned,
                 int              n_pinned,
                 const char      *noun)
{
  int n_named = n_pinned > MOST_SUMMED ? N_NAMED : n_pinned;
  GString *text;

  if (n_pinned < 2)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "sum of the pinned %s", noun);
  for (int i = 0; i < n_named; i++) {
    g_autofree char *token = ui_describe_token (tokens, pinned[i]);

    g_string_append_printf (text, "%s%s", i == 0 ? " " : i == n_pinned - 1 ? " and " : ", ", token);
  }
  if (n_named < n_pinned)
    g_string_append_printf (text, " and %d more", n_pinned - n_named);
  return g_string_free (text, FALSE);
}

char *
ui_describe_item (const UiScene *scene,
                  const UiItem  *item)
{
  const UiPins *pins = &scene->document->pins;
  gboolean key = item->type == UI_ITEM_KEY;
  int token = key ? item->key : item->query;

  if (item->type == UI_ITEM_LINK)
    return ui_describe_link (scene, item->head, item->query, item->key);
  if ((key ? pins->n_queries : pins->n_keys) > 0 && !ui_pins_has (pins, key, token))
    return describe_beside_pins (scene, key, token);
  return ui_describe_reader (scene, key, token);
}
