/* SPDX-License-Identifier: MIT */
/* Words in the search of the map. Two of the sentences: the heads in which one of them reads the
 * other, however many times they stand there; weights, as the map shows them. "changed": the heads
 * that are not the same on both sides of a comparison. */
#include "app/parts/map/map-private.h"

#include "ui/scene/numbers/changes.h"
#include "ui/scene/numbers/word-links.h"

/* Of the attention of a word: what is less links nothing. */
#define LEAST_LINK 0.1

/* Weights that are searched within a few milliseconds. */
#define LIGHT (1 << 18)

typedef struct {
  EngTrace *trace;
  EngKind   kind;
  char     *words[2]; /* folded */
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  eng_trace_unref (self->trace);
  g_free (self->words[0]);
  g_free (self->words[1]);
  g_free (self);
}

/* Two words, both in the sentences; NULL = the text is something else. */
static Question *
question_new (UiHeadTiles *tiles,
              const char  *text)
{
  EngTrace *trace = ui_head_tiles_get_trace (tiles);
  EngKind kind = ui_head_tiles_get_kind (tiles);
  g_auto (GStrv) parts = g_strsplit_set (text, " \t", -1);
  Question *self = g_new0 (Question, 1);
  int n = 0;

  self->trace = eng_trace_ref (trace);
  self->kind = kind;
  for (int i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0' && n++ < 2)
      self->words[n - 1] = ui_word_fold (parts[i]);
  for (int i = 0; i < 2 && n == 2; i++) {
    g_autoptr (GArray) reads = ui_words_find (eng_trace_get_query_tokens (trace, kind),
                                              self->words[i]);
    g_autoptr (GArray) is_read = ui_words_find (eng_trace_get_key_tokens (trace, kind),
                                                self->words[i]);

    if (reads->len == 0 && is_read->len == 0)
      n = 0;
  }
  if (n == 2)
    return self;
  question_free (self);
  return NULL;
}

/* Where words of one spelling read those of the other; NULL when cancelled. */
static GArray *
find_direction (const Question *self,
                int             from,
                const gint     *cancel,
                GError        **error)
{
  g_autoptr (GArray) reads = ui_words_find (eng_trace_get_query_tokens (self->trace, self->kind),
                                            self->words[from]);
  g_autoptr (GArray) is_read = ui_words_find (eng_trace_get_key_tokens (self->trace, self->kind),
                                              self->words[!from]);

  return ui_word_links_find (self->trace, self->kind, reads, is_read, cancel, error);
}

/* One link for each head, the stronger of both directions; strongest first. */
static GArray *
answer (const Question *self,
        const gint     *cancel,
        GError        **error)
{
  g_autoptr (GArray) links = find_direction (self, 0, cancel, error);
  g_autoptr (GArray) back = links != NULL ? find_direction (self, 1, cancel, error) : NULL;

  if (back == NULL)
    return NULL;
  for (guint i = 0; i < back->len; i++) {
    const EngFoundLink *link = &g_array_index (back, EngFoundLink, i);
    EngFoundLink *same = NULL;

    for (guint j = 0; j < links->len && same == NULL; j++) {
      EngFoundLink *other = &g_array_index (links, EngFoundLink, j);

      same = other->layer == link->layer && other->head == link->head ? other : NULL;
    }
    if (same == NULL)
      g_array_append_val (links, *link);
    else if (link->value > same->value)
      *same = *link;
  }
  g_array_sort (links, eng_links_compare);
  return g_steal_pointer (&links);
}

static gpointer
run (AppJob    *job,
     gpointer   data,
     GError   **error)
{
  return answer (data, app_job_get_cancel (job), error);
}

static void
done_cb (AppJob       *job,
         gpointer      result,
         const GError *error,
         gpointer      data)
{
  AppMapPart *self = data;

  g_clear_pointer (&self->word_job, app_job_stop);
  self->word_links = result;
  app_map_part_show_found (self);
}

void
app_map_part_forget_words (AppMapPart *self)
{
  g_clear_pointer (&self->word_job, app_job_leave);
  g_clear_pointer (&self->word_links, g_array_unref);
  g_clear_pointer (&self->word_text, g_free);
  g_clear_pointer (&self->word_tiles, ui_head_tiles_unref);
}

void
app_map_part_find_words (AppMapPart *self,
                         const char *text)
{
  static const AppJobClass klass = {
    .run = run,
    .done = done_cb,
    .free_result = (GDestroyNotify) g_array_unref,
    .free_data = question_free,
  };
  Question *question;

  if (self->tiles == NULL
      || (g_strcmp0 (text, self->word_text) == 0 && self->word_tiles == self->tiles))
    return;
  app_map_part_forget_words (self);
  self->word_text = g_strdup (text);
  self->word_tiles = ui_head_tiles_ref (self->tiles);
  question = question_new (self->tiles, text);
  if (question == NULL)
    return;
  if (eng_trace_count_weights (question->trace, question->kind) > LIGHT) {
    self->word_job = app_job_start (&klass, question, self);
    return;
  }
  self->word_links = answer (question, NULL, NULL);
  question_free (question);
}

GArray *
app_map_part_list_words (AppMapPart *self)
{
  GArray *found;

  if (self->word_links == NULL)
    return NULL;
  found = g_array_new (FALSE, FALSE, sizeof (UiFoundHead));
  for (guint i = 0; i < self->word_links->len; i++) {
    const EngFoundLink *link = &g_array_index (self->word_links, EngFoundLink, i);
    const EngHeadFacts *facts = ui_head_tiles_get_facts (self->word_tiles, link->layer, link->head);
    const UiFoundHead one = {
      { link->layer, link->head }, facts != NULL ? facts->label : ENG_PATTERN_BROAD, link->value
    };

    if (link->value >= LEAST_LINK)
      g_array_append_val (found, one);
  }
  return found;
}

static gboolean
has_tile (AppMapPart         *self,
          const UiHeadChange *change)
{
  return change->layer < ui_head_tiles_get_n_layers (self->tiles)
         && change->head < ui_head_tiles_get_n_heads (self->tiles);
}

gboolean
app_map_part_asks_changed (const char *text)
{
  g_autofree char *folded = g_utf8_strdown (text, -1);

  return g_str_equal (g_strstrip (folded), "changed");
}

GArray *
app_map_part_list_changed (AppMapPart *self)
{
  const UiChangedHeads *changed = app_picture_get_changed_heads (self->picture);
  GArray *found;

  if (changed == NULL)
    return NULL;
  found = g_array_new (FALSE, FALSE, sizeof (UiFoundHead));
  for (guint i = 0; i < changed->heads->len; i++) {
    const UiHeadChange *change = &g_array_index (changed->heads, UiHeadChange, i);
    const EngHeadFacts *facts;
    UiFoundHead one = { { change->layer, change->head }, ENG_PATTERN_BROAD, change->moved };

    /* The tiles of another model may be there before its heads are compared. */
    if (change->moved < UI_SMALL_CHANGE || !has_tile (self, change))
      continue;
    facts = ui_head_tiles_get_facts (self->tiles, change->layer, change->head);
    if (facts != NULL)
      one.pattern = facts->label;
    g_array_append_val (found, one);
  }
  return found;
}

void
app_map_part_pin_words (AppMapPart *self,
                        UiDocument *document,
                        int         layer,
                        int         head)
{
  for (guint i = 0; self->word_links != NULL && i < self->word_links->len; i++) {
    const EngFoundLink *link = &g_array_index (self->word_links, EngFoundLink, i);

    if (link->layer == layer && link->head == head) {
      ui_pins_clear (&document->pins);
      ui_pins_click (&document->pins, FALSE, link->query, FALSE);
      ui_pins_click (&document->pins, TRUE, link->key, TRUE);
    }
  }
}
