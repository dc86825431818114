/* SPDX-License-Identifier: MIT */
/* What the part shows of what was found. */
#include "app/parts/beside/beside-private.h"

#include <math.h>

#include "app/run/shipped-sentences.h"
#include "ui/controls/words.h"
#include "ui/document/amount.h"
#include "ui/document/bidi.h"

#define SAME 1e-6 /* of two lengths, in parts of either, and of a cosine and 1 */

#define BY_PLACE " What begins below 1 stands at another place: that alone makes it so."
#define ALIKE " Sentences that begin alike up to it are left out: a model that reads to the left alone " \
              "has the same vector there."

static UiTheme
get_theme (AppBesidePart *self)
{
  return ui_scene_view_get_theme (app_picture_get_view (self->picture));
}

static void
take_text (GtkLabel *label,
           char     *text)
{
  gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
  g_free (text);
}

/* A token or a candidate in quotation marks, without the space before it. (transfer full) */
static char *
quote (const char *text)
{
  g_autofree char *word = g_strstrip (g_strdup (text));

  return ui_bidi_quote (word);
}

/* The same word elsewhere. */

/* The contexts that have the word, in their order. */
static GPtrArray *
list_compared (AppBesidePart *self)
{
  GPtrArray *contexts = app_beside_get_contexts (self->beside, NULL);
  GPtrArray *compared = g_ptr_array_new ();

  for (guint i = 0; contexts != NULL && i < contexts->len; i++)
    if (((AppContext *) contexts->pdata[i])->n > 0)
      g_ptr_array_add (compared, contexts->pdata[i]);

  return compared;
}

static void
draw_cosines (AppBesidePart *self,
              GPtrArray     *compared)
{
  const int n = compared->len > 0 ? ((AppContext *) compared->pdata[0])->n : 0;
  g_autofree UiLayerPoint *points = g_new0 (UiLayerPoint, compared->len * (guint) n + 1);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *foot = g_strdup_printf ("before the layers to behind layer %d", n - 2);
  UiLayerLines lines = {
    "Cosine with the same word in other sentences, layer by layer", foot, (int) compared->len, n,
    points, 0, 1,
  };

  for (guint line = 0; line < compared->len; line++) {
    const AppContext *context = compared->pdata[line];

    for (int i = 0; i < n; i++) {
      g_autofree char *number = ui_words_number ("%.2f", context->cosines[i]);
      g_autofree char *place = app_token_path_dup_place (i);
      char *said = g_strdup_printf ("%s %s: %s", number, place, context->text);

      g_ptr_array_add (words, said);
      points[line * (guint) n + (guint) i] = (UiLayerPoint) {
        .kind = UI_POINT_THROUGH, .layer = i - 1, .value = context->cosines[i], .words = said,
      };
      lines.low = MIN (lines.low, floor (context->cosines[i] * 5) / 5);
    }
  }
  ui_layer_curve_set (self->cosines, &lines, get_theme (self));
  gtk_widget_set_visible (GTK_WIDGET (self->cosines), n > 0);
}

/* What another position alone makes of it. (transfer full) NULL = it is the same. */
static char *
describe_place (const AppContext *context,
                int               token)
{
  g_autofree char *number = NULL;

  if (context->token == token)
    return NULL;
  if (fabs (context->cosines[0] - 1) < SAME)
    return g_strdup_printf ("token %d, not %d", context->token, token);
  number = ui_words_number ("%.2f", context->cosines[0]);
  return g_strdup_printf ("token %d, not %d: begins at %s", context->token, token, number);
}

static void
list_contexts (AppBesidePart *self,
               GPtrArray     *compared,
               int            token)
{
  g_autofree UiContextRow *rows = g_new0 (UiContextRow, compared->len + 1);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < compared->len; i++) {
    const AppContext *context = compared->pdata[i];
    char *number = ui_words_number ("%.2f", context->cosines[context->n - 1]);
    char *note = describe_place (context, token);

    g_ptr_array_add (texts, number);
    g_ptr_array_add (texts, note);
    rows[i] = (UiContextRow) {
      .text = context->text, .start = context->span.start, .end = context->span.end,
      .number = number, .note = note, .is_own = context->is_own,
      .color = ui_layer_curve_get_color (self->cosines, (int) i),
    };
  }
  ui_context_list_set (self->contexts, rows, (int) compared->len);
}

/* Whether one begins as another vector. */
static gboolean
differs_by_place (GPtrArray *compared)
{
  for (guint i = 0; i < compared->len; i++)
    if (fabs (((AppContext *) compared->pdata[i])->cosines[0] - 1) >= SAME)
      return TRUE;

  return FALSE;
}

/* Whether one that ships is left out, since the word is the same vector there. */
static gboolean
leaves_out (AppBesidePart *self)
{
  GPtrArray *contexts = app_beside_get_contexts (self->beside, NULL);

  for (guint i = 0; contexts != NULL && i < contexts->len; i++) {
    const AppContext *context = contexts->pdata[i];

    if (context->is_same && !context->is_own)
      return TRUE;
  }

  return FALSE;
}

/* (transfer full) */
static char *
describe_none (AppBesidePart *self,
               EngKind        kind,
               const char    *word)
{
  if (leaves_out (self) && kind == ENG_KIND_DECODER)
    return g_strdup_printf ("All sentences with %s that are looked in begin alike up to it: a model "
                            "that reads to the left alone has the same vector there, so they are "
                            "left out.", word);
  if (leaves_out (self))
    return g_strdup_printf ("None of the other sentences that are looked in has %s.", word);
  return g_strdup_printf ("None of the %u sentences that are looked in has %s.",
                          g_strv_length ((char **) app_shipped_sentences), word);
}

static void
fill_contexts (AppBesidePart *self,
               EngTrace      *trace,
               EngKind        kind,
               int            token)
{
  const char *refusal = app_contexts_refuse (trace, kind, token);
  g_autofree char *word = quote (eng_trace_get_query_tokens (trace, kind)->texts[token]);
  g_autofree char *prompt = g_strdup_printf ("Add a sentence with %s", word);
  g_autoptr (GPtrArray) compared = list_compared (self);
  const GError *error;

  app_beside_get_contexts (self->beside, &error);
  if (refusal != NULL)
    take_text (self->word, g_strdup (refusal));
  else if (error != NULL)
    take_text (self->word, g_strdup (error->message));
  else if (compared->len == 0)
    take_text (self->word, describe_none (self, kind, word));
  else
    take_text (self->word, g_strdup_printf ("How alike the vectors of %s are, here and in these "
                                            "sentences: cosine by layer, behind the last one as a "
                                            "number.%s%s", word,
                                            differs_by_place (compared) ? BY_PLACE : "",
                                            kind == ENG_KIND_DECODER && leaves_out (self)
                                            ? ALIKE : ""));
  draw_cosines (self, compared);
  list_contexts (self, compared, token);
  ui_context_list_set_prompt (self->contexts, prompt);
  gtk_widget_set_visible (GTK_WIDGET (self->contexts), refusal == NULL);
}

/* Lengths. */

static UiPointKind
find_kind (const EngStation *station)
{
  if (station->stage == ENG_STAGE_NORM)
    return station->is_stream ? UI_POINT_JUMP
           : station->reads_stream ? UI_POINT_ASIDE : UI_POINT_BRANCH;
  return station->is_stream ? UI_POINT_THROUGH : UI_POINT_APART;
}

/* Shorter than names of stages: for one line. */
static const char *
get_stage_word (const EngStation *station)
{
  switch (station->stage) {
  case ENG_STAGE_NORM:
    return "norm";
  case ENG_STAGE_OUTPUT:
  case ENG_STAGE_DOWN:
    return "adds";
  case ENG_STAGE_STATES:
    return "reads";
  case ENG_STAGE_LEFT:
    return "leaves";
  case ENG_STAGE_WIDEN:
    return "widened";
  default:
    return "sum";
  }
}

/* "17.0, from 25.3: layer 3, attention, norm" */
static char *
describe_station (const EngStation *station)
{
  g_autofree char *number = ui_words_number ("%.1f", station->length);
  g_autofree char *before = station->before >= 0 ? ui_words_number ("%.1f", station->before) : NULL;
  g_autofree char *layer = station->part != ENG_PART_INPUT
                           ? g_strdup_printf ("layer %d, ", station->layer) : NULL;

  return g_strdup_printf ("%s%s%s: %s%s, %s", number, before != NULL ? ", from " : "",
                          before != NULL ? before : "", layer != NULL ? layer : "",
                          app_token_path_get_part (station), get_stage_word (station));
}

/* What a layer leaves and the next one reads is the last that the line came through. */
static void
draw_lengths (AppBesidePart *self,
              UiLayerCurve  *curve,
              GArray        *stations)
{
  g_autofree UiLayerPoint *points = g_new0 (UiLayerPoint, stations->len);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  const EngStation *last = &g_array_index (stations, EngStation, stations->len - 1);
  g_autofree char *foot = g_strdup_printf ("embedding to layer %d", last->layer);
  UiLayerLines lines = { "Length of the vector at every station", foot, 1, 0, points, 0, 0 };
  double stream = -1;

  for (guint i = 0; i < stations->len; i++) {
    const EngStation *station = &g_array_index (stations, EngStation, i);
    char *said;

    if (find_kind (station) == UI_POINT_THROUGH && fabs (station->length - stream) <= SAME * stream)
      continue;
    if (station->is_stream)
      stream = station->length;
    said = describe_station (station);
    g_ptr_array_add (words, said);
    points[lines.n_points++] = (UiLayerPoint) {
      .kind = find_kind (station), .layer = station->part == ENG_PART_INPUT ? -1 : station->layer,
      .value = station->length, .before = station->before, .words = said,
    };
    lines.high = MAX (lines.high, MAX (station->length, station->before));
  }
  lines.high = ui_amount_round_up_digit (MAX (lines.high, SAME));
  ui_layer_curve_set (curve, &lines, get_theme (self));
}

static const char *
describe_norms (EngNormPlacement norms)
{
  switch (norms) {
  case ENG_NORM_POST:
    return "Post norm: after each addition the line itself goes through a norm (●), which sets its "
           "length anew. Small dots are what is added.";
  case ENG_NORM_PRE:
    return "Pre norm: what a sub-layer reads is normed (●), the line itself is not, unless at its "
           "end. Small dots are what is added.";
  case ENG_NORM_MIXED:
    return "What a sub-layer makes (small dots) is normed before it is added (●), the line itself is "
           "not, unless at its end.";
  case ENG_NORM_BOTH:
    return "What a sub-layer reads is normed (●), and so is what it makes (small dots) before it is "
           "added; the line itself is not, unless at its end.";
  case ENG_NORM_NONE:
  default:
    return "No norm stands around the sub-layers. Small dots are what is added.";
  }
}

static void
fill_lengths (AppBesidePart      *self,
              const AppTokenPath *path)
{
  const gboolean has_other = path->other_stations != NULL;

  draw_lengths (self, self->curve, path->stations);
  take_text (self->norms, g_strdup (describe_norms (path->norms)));
  gtk_widget_set_visible (GTK_WIDGET (self->other), has_other);
  take_text (self->other_title,
             has_other ? g_strdup_printf ("For comparison %s, %s, at the same word of this "
                                          "sentence:", eng_model_get_info (path->other)->name,
                                          path->other_norms == ENG_NORM_POST ? "post norm"
                                                                             : "pre norm")
                       : g_strdup (""));
  if (has_other)
    draw_lengths (self, self->other, path->other_stations);
}

/* Answers. */

static char *
describe_settled (const AppTokenPath *path)
{
  const EngLayerAnswers *answers = path->answers;
  const int settled = app_token_path_find_settled (path);
  const int last = answers->n_layers - 1;
  g_autofree char *word = quote (answers->candidates[last * answers->n_candidates].text);

  if (settled == 0)
    return g_strdup_printf ("%s leads from the start.", word);
  if (settled == last)
    return g_strdup_printf ("%s leads behind the last layer alone.", word);
  return g_strdup_printf ("%s leads from behind layer %d on.", word, settled - 1);
}

static void
fill_answers (AppBesidePart      *self,
              const AppTokenPath *path)
{
  if (path->answers == NULL) {
    take_text (self->answer, g_strdup (path->no_answers));
  } else {
    g_autofree char *settled = describe_settled (path);

    take_text (self->answer,
               g_strdup_printf ("What the word head would %s if the model ended there. %s",
                                path->task == ENG_TASK_FILL_MASK ? "say for this place"
                                                                 : "write next", settled));
  }
  ui_layer_answers_set (self->answers, path->answers, app_token_path_find_settled (path),
                        get_theme (self));
}

void
app_beside_part_fill (AppBesidePart *self)
{
  const AppTokenPath *path = app_beside_get_path (self->beside, NULL);
  EngKind kind;
  int token;
  EngTrace *trace = app_beside_get_trace (self->beside, &kind, &token);

  if (trace != NULL)
    fill_contexts (self, trace, kind, token);
  if (path != NULL) {
    fill_lengths (self, path);
    fill_answers (self, path);
  }
}
