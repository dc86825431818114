/* SPDX-License-Identifier: MIT */
/* The table of fields. */
#include "ui/document/document.h"

#include "engine/families/generation-config.h"
#include "ui/document/field-types.h"

#include <string.h>

#define LARGEST_TOKEN 999999
#define LONGEST_TEXT  65536

static const char *const kind_names[] = { "encoder", "decoder", "cross", NULL };
static const char *const filter_names[] = { "all", "aa", "ab", "ba", "bb", NULL };
static const char *const measure_names[] = {
  "weight", "value-norm", "output-norm", "rollout", NULL
};
static const char *const aggregate_names[] = { "each", "mean", "max", NULL };
static const char *const layers_names[] = { "one", "mean", "max", NULL };
static const char *const order_names[] = { "layer", "pattern", "entropy", "traffic", NULL };
static const char *const compare_names[] = { "off", "heads", "sides", "difference", NULL };
static const char *const band_names[] = { "bars", "stripes", NULL };
static const char *const if_mask_names[] = {
  "model", "none", "causal", "padding", "own", NULL
};
static const char *const theme_names[] = {
  "light", "dark", "print", "light-contrast", "dark-contrast", NULL
};

#define AT(member) G_STRUCT_OFFSET (UiDocument, member)
#define MODEL      UI_FIELD_GROUP_MODEL
#define VIEW       UI_FIELD_GROUP_VIEW
#define COMPARE    UI_FIELD_GROUP_COMPARE
#define FIGURE     UI_FIELD_GROUP_FIGURE
#define TOGGLE     UI_FIELD_ACTION_TOGGLE
#define TEXT       UI_FIELD_ACTION_TEXT
#define NUMBER     UI_FIELD_ACTION_NUMBER

static const UiField fields[] = {
  { "model", UI_FIELD_TEXT, MODEL, AT (model), .value_name = "M", .fallback = "",
    .help = "Bundled name, folder, GGUF file, or hub name (NAME or NAME@REVISION) found on this "
            "computer" },
  { "trace", UI_FIELD_TEXT, MODEL, AT (trace_file), .value_name = "FILE", .fallback = "",
    .help = "Show this trace file instead of running a model" },
  { "no-special-tokens", UI_FIELD_FLAG, MODEL, AT (no_special_tokens), .fallback = "false",
    .action = TOGGLE, .help = "Leave out the tokens of the template, such as [CLS] and [SEP]" },
  { "truncate", UI_FIELD_FLAG, MODEL, AT (truncate), .fallback = "false", .action = TOGGLE,
    .help = "Cut texts that are longer than the model's positions, longest sentence first" },
  { "pad-to", UI_FIELD_INTEGER, MODEL, AT (pad_to), .max = LONGEST_TEXT, .value_name = "N",
    .fallback = "0", .action = TEXT,
    .help = "Fill shorter texts up to N tokens with masked padding; 0 for none" },
  { "random-weights", UI_FIELD_INTEGER, MODEL, AT (random_weights),
    .set_offset = AT (random_weights_set), .max = G_MAXINT, .value_name = "SEED", .fallback = "",
    .help = "Run the model untrained, with random weights of this seed" },
  { "lang", UI_FIELD_LANGUAGES, MODEL, AT (lang), .value_name = "SRC:TGT", .fallback = "",
    .help = "Languages of a translation by code or by name, such as en:de or English:German; of XLM "
            "the language of the texts, or A:B" },
  { "prefix", UI_FIELD_TEXT, MODEL, AT (prefix), .value_name = "TEXT", .fallback = "",
    .help = "Put before text A, such as 'summarize: ' or, of CTRL, a control code (Reviews);"
            " instead of what a task puts there" },
  { "max-new-tokens", UI_FIELD_INTEGER, MODEL, AT (max_new_tokens),
    .set_offset = AT (max_new_tokens_set), .min = 1, .max = LONGEST_TEXT, .value_name = "N",
    .fallback = "",
    .help = "Write at most N tokens; when this and the next are unset, as the model's files say" },
  { "beams", UI_FIELD_INTEGER, MODEL, AT (beams), .set_offset = AT (beams_set), .min = 1,
    .max = ENG_MAX_BEAMS, .value_name = "N", .fallback = "",
    .help = "Write by a search of N texts side by side; 1 takes the likeliest token each time" },
  { "temperature", UI_FIELD_NUMBER, MODEL, AT (temperature), .set_offset = AT (temperature_set),
    .min = 0.01, .max = 100, .value_name = "T", .fallback = "",
    .help = "Draw each token, from flatter probabilities above 1 and sharper ones below" },
  { "top-k", UI_FIELD_INTEGER, MODEL, AT (top_k), .set_offset = AT (top_k_set), .max = G_MAXINT,
    .value_name = "K", .fallback = "", .help = "Draw each token from the K likeliest; 0 for all" },
  { "top-p", UI_FIELD_NUMBER, MODEL, AT (top_p), .set_offset = AT (top_p_set), .max = 1,
    .value_name = "P", .fallback = "",
    .help = "Draw each token from the likeliest that together have probability P" },
  { "seed", UI_FIELD_INTEGER, MODEL, AT (seed), .set_offset = AT (seed_set), .max = G_MAXINT,
    .value_name = "SEED", .fallback = "",
    .help = "Draw each token; the same seed draws the same text" },
  { "edit", UI_FIELD_EDITS, MODEL, AT (edits), .value_name = "EDIT", .fallback = "",
    .help = "Change the pass, for example 'zero 2.9'; may be given several times" },

  { "view", UI_FIELD_CHOICE, VIEW, AT (view), .choices = ui_view_names, .value_name = "VIEW",
    .fallback = "head", .action = TEXT,
    .help = "What is drawn: head, neuron, model (all heads), matrix or steps (a token's way through the "
            "model)" },
  { "kind", UI_FIELD_CHOICE, VIEW, AT (kind), .set_offset = AT (kind_set), .choices = kind_names,
    .value_name = "KIND", .fallback = "", .action = TEXT,
    .help = "Attention of encoder, decoder or cross; the encoder's where there are two stacks" },
  { "layer", UI_FIELD_INTEGER, VIEW, AT (layer), .max = UI_MAX_LAYERS - 1, .value_name = "L",
    .fallback = "0", .help = "Layer, counted from 0" },
  { "heads", UI_FIELD_HEADS, VIEW, AT (heads), .max = UI_MAX_HEADS - 1, .value_name = "HEADS",
    .fallback = "all", .help = "Heads that are shown, such as 0,3,8, or all" },
  { "filter", UI_FIELD_CHOICE, VIEW, AT (filter), .choices = filter_names, .value_name = "FILTER",
    .fallback = "all", .action = TEXT,
    .help = "Links between the sentences: all, aa, ab (rows of A, columns of B), ba or bb" },
  { "renormalise", UI_FIELD_FLAG, VIEW, AT (renormalise), .fallback = "false", .action = TOGGLE,
    .help = "Bring rows back to 1 after what is left out" },
  { "hide-special", UI_FIELD_FLAG, VIEW, AT (hide_special), .fallback = "false", .action = TOGGLE,
    .help = "Leave out what the template's tokens read and who reads them" },
  { "words", UI_FIELD_FLAG, VIEW, AT (words), .fallback = "false", .action = TOGGLE,
    .help = "Put the pieces of a word together: sum where it is read, mean where it reads" },
  { "measure", UI_FIELD_CHOICE, VIEW, AT (measure), .choices = measure_names,
    .value_name = "MEASURE", .fallback = "weight",
    .help = "weight, value-norm (weight × |v|), output-norm (weight × |v W_O|), or rollout up to "
            "the layer" },
  { "aggregate", UI_FIELD_CHOICE, VIEW, AT (aggregate), .choices = aggregate_names,
    .value_name = "HOW", .fallback = "each", .action = TEXT,
    .help = "Several heads: each, or their mean or max (a matrix shows the mean of several)" },
  { "layers", UI_FIELD_CHOICE, VIEW, AT (layers), .choices = layers_names, .value_name = "HOW",
    .fallback = "one", .action = TEXT,
    .help = "One layer, or the mean or max over all layers" },
  { "pin", UI_FIELD_PINS, VIEW, AT (pins), .max = LARGEST_TOKEN, .value_name = "TOKENS",
    .fallback = "",
    .help = "Pinned tokens, such as 2,k:9: token 2 reads, token 9 is read" },
  { "threshold", UI_FIELD_NUMBER, VIEW, AT (threshold), .max = 1, .value_name = "W",
    .fallback = "1/255", .action = NUMBER,
    .help = "Leave out what is below this weight (of another measure: part of its largest)" },
  { "mass", UI_FIELD_NUMBER, VIEW, AT (mass), .min = 0.01, .max = 1, .value_name = "P",
    .fallback = "1", .action = NUMBER,
    .help = "Keep the strongest keys of each row that together have this part" },
  { "gain", UI_FIELD_NUMBER, VIEW, AT (gain), .min = 0.1, .max = 100, .value_name = "G",
    .fallback = "1.5", .action = NUMBER,
    .help = "Opacity is weight × gain" },
  { "collapsed", UI_FIELD_FLAG, VIEW, AT (collapsed), .fallback = "false", .action = TOGGLE,
    .help = "Neuron view: only the links of the head" },
  { "bands", UI_FIELD_CHOICE, VIEW, AT (bands), .choices = band_names, .value_name = "BANDS",
    .fallback = "bars", .action = TEXT,
    .help = "Neuron view: queries and keys as bars or as stripes" },
  { "sort", UI_FIELD_FLAG, VIEW, AT (sort_dimensions), .fallback = "false", .action = TOGGLE,
    .help = "Neuron view: dimensions by their contribution to the scores of the pinned query" },
  { "order", UI_FIELD_CHOICE, VIEW, AT (order), .set_offset = AT (order_set),
    .choices = order_names, .value_name = "ORDER", .fallback = "", .action = TEXT,
    .help = "Model view: heads by layer, as when nothing is said, by pattern, entropy or traffic "
            "from A to B; a window shows those of a large model by pattern" },
  { "panels", UI_FIELD_CELLS, VIEW, AT (panels), .max = UI_MAX_HEADS - 1, .value_name = "HEADS",
    .fallback = "",
    .help = "Heads of any layers, such as 2.9,3.1, for --compare heads; marked in the model view" },
  { "step", UI_FIELD_STEP, VIEW, AT (step), .max = UI_MAX_STEPS - 1, .value_name = "N",
    .fallback = "0",
    .help = "Steps view: how far the token has come, counted from 0, or all for the whole way" },
  { "number", UI_FIELD_PLACE, VIEW, AT (number), .set_offset = AT (number_set), .max = G_MAXINT - 1,
    .value_name = "NUMBER", .fallback = "",
    .help = "Steps view: the number that is looked at, such as 7.2.0.11: step 7, its matrix 2, row "
            "0, column 11" },
  { "if-scale", UI_FIELD_NUMBER, VIEW, AT (if_scale), .set_offset = AT (if_scale_set), .min = 1e-6,
    .max = 1000, .value_name = "S", .fallback = "",
    .help = "Steps view, what if: products times S instead of 1/√d; 1 for no scale" },
  { "if-temperature", UI_FIELD_NUMBER, VIEW, AT (if_temperature), .min = 0.01, .max = 100,
    .value_name = "T", .fallback = "1",
    .help = "Steps view, what if: scores divided by T before the softmax" },
  { "if-mask", UI_FIELD_CHOICE, VIEW, AT (if_mask), .choices = if_mask_names, .value_name = "MASK",
    .fallback = "model",
    .help = "Steps view, what if: the mask of the model, none, causal, padding, or own: the model's, "
            "which hides pinned keys, too, or what --if-hide says" },
  { "if-hide", UI_FIELD_LINKS, VIEW, AT (if_hidden), .value_name = "LINKS", .fallback = "",
    .help = "Steps view, what if: a mask of one's own, which hides keys from queries besides, such as "
            "4:7,3-5:0 (query:key) or *:7 (from all)" },
  { "if-no-projections", UI_FIELD_FLAG, VIEW, AT (if_projections_off), .fallback = "false",
    .help = "Steps view, what if: q = k = v, without the projections" },
  { "if-dimension", UI_FIELD_INTEGER, VIEW, AT (if_dimension), .set_offset = AT (if_dimension_set),
    .max = UI_MAX_DIMENSIONS - 1, .value_name = "D", .fallback = "",
    .help = "Steps view, what if: dimension D of q and k is 0" },
  { "if-no-positions", UI_FIELD_FLAG, VIEW, AT (if_positions_off), .fallback = "false",
    .help = "Steps view, what if: no positions" },
  { "if-no-segments", UI_FIELD_FLAG, VIEW, AT (if_segments_off), .fallback = "false",
    .help = "Steps view, what if: all tokens of segment 0" },

  { "compare", UI_FIELD_CHOICE, COMPARE, AT (compare), .choices = compare_names,
    .value_name = "HOW", .fallback = "off",
    .help = "off, heads (those of --panels beside each other), sides (This and Other beside each "
            "other) or difference (This minus Other)" },
  { "compare-model", UI_FIELD_TEXT, COMPARE, AT (compare_model), .value_name = "M", .fallback = "",
    .help = "Model of Other, the second side; what is not said of it is as in This, the first" },
  { "compare-trace", UI_FIELD_TEXT, COMPARE, AT (compare_trace_file), .value_name = "FILE",
    .fallback = "", .help = "Trace file of Other" },
  { "compare-text-a", UI_FIELD_TEXT, COMPARE, AT (compare_text_a),
    .set_offset = AT (compare_text_a_set), .value_name = "A", .fallback = "",
    .help = "Text A of Other" },
  { "compare-text-b", UI_FIELD_TEXT, COMPARE, AT (compare_text_b), .value_name = "B",
    .fallback = "", .help = "Text B of Other, beside its text A" },
  { "compare-layer", UI_FIELD_INTEGER, COMPARE, AT (compare_layer),
    .set_offset = AT (compare_layer_set), .max = UI_MAX_LAYERS - 1, .value_name = "L",
    .fallback = "", .help = "Layer of Other" },
  { "compare-heads", UI_FIELD_HEADS, COMPARE, AT (compare_heads),
    .set_offset = AT (compare_heads_set), .max = UI_MAX_HEADS - 1, .value_name = "HEADS",
    .fallback = "", .help = "Heads of Other" },
  { "compare-edit", UI_FIELD_EDITS, COMPARE, AT (compare_edits),
    .set_offset = AT (compare_edits_set), .value_name = "EDIT", .fallback = "",
    .help = "Edit of Other, or none; may be given several times" },

  { "theme", UI_FIELD_CHOICE, FIGURE, AT (theme), .choices = theme_names, .value_name = "THEME",
    .fallback = "light",
    .help = "Colours: light, dark, print, which can be read in grey, or high contrast" },
  { "width", UI_FIELD_CENTIMETRES, FIGURE, AT (width_cm), .min = 3, .max = 200,
    .value_name = "WIDTH", .fallback = "16cm",
    .help = "Width on paper, such as 8.5cm (also mm, in, pt); of all steps at least" },
  { "font-size", UI_FIELD_POINTS, FIGURE, AT (font_pt), .min = 3, .max = 72, .value_name = "SIZE",
    .fallback = "9pt", .help = "Size of the tokens on paper, such as 8pt; smaller where the width is too small for it" },
  { "scale", UI_FIELD_NUMBER, FIGURE, AT (png_scale), .min = 0.25, .max = 16, .value_name = "N",
    .fallback = "2", .help = "Pixels of a PNG per 1/96 inch of its width on paper" },
  { "no-caption", UI_FIELD_FLAG, FIGURE, AT (no_caption), .fallback = "false",
    .help = "Leave out the line with model, layer, heads and texts" },
};

const UiField *
ui_fields_get (int *n_fields)
{
  *n_fields = G_N_ELEMENTS (fields);
  return fields;
}

const UiField *
ui_fields_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (fields[i].name, name) == 0)
      return &fields[i];
  return NULL;
}

gboolean
ui_document_set (UiDocument     *self,
                 const UiField  *field,
                 const char     *value,
                 GError        **error)
{
  gboolean unset = field->set_offset != 0 && *value == '\0';
  gpointer member = G_STRUCT_MEMBER_P (self, field->offset);

  /* A list is added to: what was there before must not come back with the next value. */
  if (unset && field->type == UI_FIELD_EDITS)
    ui_field_type_get (field->type)->set (member, field, "", NULL);
  if (!unset && !ui_field_type_get (field->type)->set (member, field, value, error))
    return FALSE;
  if (field->set_offset != 0)
    G_STRUCT_MEMBER (gboolean, self, field->set_offset) = !unset;
  return TRUE;
}

char *
ui_document_get (const UiDocument *self,
                 const UiField    *field)
{
  if (field->set_offset != 0 && !G_STRUCT_MEMBER (gboolean, self, field->set_offset))
    return g_strdup ("");
  return ui_field_type_get (field->type)->get (G_STRUCT_MEMBER_P (self, field->offset), field);
}
