/* SPDX-License-Identifier: MIT */
/* What stands below the maps, how much room it needs, and the key of short names. */
#include "ui/scene/model/model-scene.h"

#include <math.h>
#include <string.h>

#include "ui/scene/model/model-facts.h"
#include "ui/scene/sinks/text.h"

#define CROSSES "⇄ "

static gboolean
is_taken (const UiModelScene *self,
          const char         *code)
{
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    if (g_strcmp0 (self->codes[pattern], code) == 0)
      return TRUE;
  return FALSE;
}

/* The first letter of each word of "two back", "A→B". */
static char *
join_initials (const char *name)
{
  GString *initials = g_string_new (NULL);
  gboolean is_inside = FALSE;

  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p)) {
    gboolean is_letter = g_unichar_isalnum (g_utf8_get_char (p));

    if (is_letter && !is_inside)
      g_string_append_unichar (initials, g_utf8_get_char (p));
    is_inside = is_letter;
  }
  return g_string_free (initials, FALSE);
}

/* Two letters that no other pattern here has: the initials of several words, else the first letter
 * of the name and another one, the earliest that tells it apart. */
static char *
create_code (const UiModelScene *self,
             const char         *name)
{
  g_autofree char *initials = join_initials (name);

  if (g_utf8_strlen (initials, -1) > 1 && !is_taken (self, initials))
    return g_steal_pointer (&initials);
  for (const char *p = g_utf8_next_char (name); *p != '\0'; p = g_utf8_next_char (p)) {
    GString *code = g_string_new (NULL);

    g_string_append_unichar (code, g_utf8_get_char (name));
    g_string_append_unichar (code, g_utf8_get_char (p));
    if (g_unichar_isalnum (g_utf8_get_char (p)) && !is_taken (self, code->str))
      return g_string_free (code, FALSE);
    g_string_free (code, TRUE);
  }
  return g_strdup (name);
}

static void
mark_all (gboolean *marked)
{
  for (int pattern = 0; pattern < ENG_N_LABELS; pattern++)
    marked[pattern] = TRUE;
}

/* Of a figure, which measures them. */
static void
mark_patterns (const UiModelScene *self,
               gboolean           *marked)
{
  const UiScene *scene = &self->scene;

  for (int layer = 0; layer < self->n_layers; layer++) {
    const EngHeadFacts *facts = self->present[layer]
                                ? eng_trace_get_head_facts (scene->trace, scene->kind, layer)
                                : NULL;

    for (int head = 0; head < self->n_heads && facts != NULL; head++)
      marked[facts[head].label] = TRUE;
  }
}

void
ui_model_labels_init (UiModelScene *self)
{
  const UiScene *scene = &self->scene;
  gboolean marked[ENG_N_PATTERNS] = { FALSE };

  if (self->is_rollout || scene->document->order != UI_ORDER_LAYER)
    return;
  /* A window must not wait for what occurs. */
  if (scene->options.key)
    mark_patterns (self, marked);
  else
    mark_all (marked);
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    if (marked[pattern])
      self->codes[pattern] = create_code (self, eng_pattern_get_short ((EngPattern) pattern));
}

void
ui_model_labels_clear (UiModelScene *self)
{
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    g_free (self->codes[pattern]);
}

UiTextStyle
ui_model_get_label_style (const UiModelScene *self)
{
  return (UiTextStyle) {
    .size = UI_MODEL_LABEL_SIZE * self->scene.options.text_scale, .tabular = TRUE
  };
}

UiTextStyle
ui_model_get_name_style (const UiModelScene *self)
{
  UiTextStyle style = ui_model_get_label_style (self);

  style.bold = !self->is_rollout && self->scene.document->order != UI_ORDER_LAYER;
  return style;
}

/* In a flow its place in the model, of a rollout its layer; else one of the patterns. */
static double
measure_names (const UiModelScene *self,
               const UiTextStyle  *style)
{
  g_autofree char *layer = g_strdup_printf ("layer %d", MAX (self->n_layers - 1, 10));
  g_autofree char *place = g_strdup_printf ("%d.%d", MAX (self->n_layers - 1, 0),
                                            MAX (self->n_heads - 1, 0));
  double widest = 0;

  if (self->is_rollout || self->scene.document->order != UI_ORDER_LAYER)
    return ui_text_measure (self->is_rollout ? layer : place, style);
  for (int pattern = 0; pattern < ENG_N_LABELS; pattern++)
    if (self->codes[pattern] != NULL)
      widest = MAX (widest, ui_text_measure (eng_pattern_get_short ((EngPattern) pattern), style));
  return widest;
}

static double
measure_codes (const UiModelScene *self,
               const UiTextStyle  *style)
{
  double widest = 0;

  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    if (self->codes[pattern] != NULL)
      widest = MAX (widest, ui_text_measure (self->codes[pattern], style));
  return widest;
}

/* A number of a share that crosses is no score of the pattern beside it. */
static gboolean
number_crosses (const UiModelScene *self)
{
  return self->has_pair && self->scene.document->order == UI_ORDER_LAYER;
}

UiModelLabelWidths
ui_model_labels_measure (const UiModelScene *self)
{
  UiTextStyle style = ui_model_get_label_style (self);
  UiTextStyle name_style = ui_model_get_name_style (self);
  /* Entropy alone is more than 1: at most the bits of as many keys. */
  gboolean is_long = self->scene.document->order == UI_ORDER_ENTROPY
                     && self->scene.keys->n >= 1 << 10;
  const char *bare = is_long ? "00.00" : "0.00";
  g_autofree char *number = g_strconcat (number_crosses (self) ? CROSSES : "", bare, NULL);

  return (UiModelLabelWidths) {
    .name = measure_names (self, &name_style),
    .code = measure_codes (self, &style),
    .number = self->is_rollout ? 0 : ui_text_measure (number, &style),
    .bare = self->is_rollout ? 0 : ui_text_measure (bare, &style),
    .numbers_speak = number_crosses (self),
  };
}

char *
ui_model_format_number (const UiModelScene *self,
                        const EngHeadFacts *facts)
{
  const gboolean has_sign = number_crosses (self)
                            && self->layout.has_label != UI_MODEL_LABEL_BARE;
  double number = ui_model_scene_get_number (self, facts);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (number))
    return NULL;
  g_ascii_formatd (text, sizeof text, "%.2f", number);
  return g_strconcat (has_sign ? CROSSES : "", text, NULL);
}

static const char *
get_name (const UiModelScene *self,
          EngPattern          pattern)
{
  return self->layout.has_label == UI_MODEL_LABEL_CODE ? self->codes[pattern]
                                                       : eng_pattern_get_short (pattern);
}

char *
ui_model_name_cell (const UiModelScene *self,
                    const UiModelCell  *cell,
                    const EngHeadFacts *facts)
{
  if (self->is_rollout)
    return g_strdup_printf ("layer %d", cell->layer);
  if (!self->layout.is_grid)
    return g_strdup_printf ("%d.%d", cell->layer, cell->head);
  if (facts == NULL)
    return g_strdup ("");
  return g_strdup (get_name (self, facts->label));
}

/* What occurs, where all heads were measured, else what may. Only a file waits for it. */
static void
mark_known (const UiModelScene *self,
            gboolean           *marked)
{
  const UiScene *scene = &self->scene;

  for (int layer = 0; layer < self->n_layers; layer++) {
    const EngHeadFacts *facts = NULL;

    if (!self->present[layer])
      continue;
    facts = scene->options.caption
            ? eng_trace_get_head_facts (scene->trace, scene->kind, layer)
            : eng_trace_find_head_facts (scene->trace, scene->kind, layer);
    if (facts == NULL) {
      mark_all (marked);
      return;
    }
    for (int head = 0; head < self->n_heads; head++)
      marked[facts[head].label] = TRUE;
  }
}

void
ui_model_append_names (const UiModelScene *self,
                       GString            *text)
{
  const gboolean has_key = self->layout.has_label == UI_MODEL_LABEL_CODE
                           && self->scene.options.key;
  gboolean marked[ENG_N_PATTERNS] = { FALSE };
  gboolean is_first = TRUE;

  if (!self->layout.is_grid || !ui_model_layout_has_names (&self->layout) || has_key)
    return;
  mark_known (self, marked);
  for (int pattern = 0; pattern < ENG_N_LABELS; pattern++) {
    const char *name = get_name (self, (EngPattern) pattern);
    const char *title = eng_pattern_get_title ((EngPattern) pattern);
    g_autoptr (GString) whole = g_string_new (name);

    if (!marked[pattern] || g_str_equal (name, title))
      continue;
    /* "2 on" stays on one line. */
    g_string_replace (whole, " ", "\u00a0", 0);
    g_string_append_printf (text, "%s%s = %s", is_first ? " Names: " : "; ", whole->str, title);
    is_first = FALSE;
  }
  if (!is_first)
    g_string_append_c (text, '.');
}

UiKey *
ui_model_create_key (const UiScene *scene)
{
  const UiModelScene *self = (const UiModelScene *) scene;
  const UiPalette *palette = ui_palette_get (scene->options.theme);
  UiKey *key;

  if (self->layout.has_label != UI_MODEL_LABEL_CODE)
    return NULL;
  key = ui_key_new ("patterns");
  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++)
    if (self->codes[pattern] != NULL)
      ui_key_add (key, palette->dim, self->codes[pattern],
                  eng_pattern_get_title ((EngPattern) pattern));
  return key;
}
