/* SPDX-License-Identifier: MIT */
/* A lesson before people: each section in beats, a sentence each: its heading, then each of its
 * questions, with what there is to choose from, and each answer; the heading and an answer with what
 * the lesson says then, in a sentence, and the last of them with what the model predicts. One key goes
 * on by one. */
#include "app/parts/lessons/lessons-private.h"

#include "app/parts/lessons/cue.h"

typedef enum { HEADING, QUESTION, ANSWER } Kind;

typedef struct {
  Kind          kind;
  const AppAsk *ask;   /* of a question and its answer */
  guint         block; /* its number in the section */
  guint         index; /* and among the questions there */
} Beat;

/* Array of Beat. (transfer full) */
static GArray *
list_beats (const AppSection *section)
{
  GArray *beats = g_array_new (FALSE, FALSE, sizeof (Beat));
  Beat beat = { .kind = HEADING };

  g_array_append_val (beats, beat);
  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];

    if (block->type != APP_BLOCK_ASK)
      continue;
    beat = (Beat) { QUESTION, block->ask, i, beat.kind == HEADING ? 0 : beat.index + 1 };
    g_array_append_val (beats, beat);
    beat.kind = ANSWER;
    g_array_append_val (beats, beat);
  }

  return beats;
}

/* (transfer full) Markup of one sentence, or of some lines. */
static char *
describe_beat (AppLessonsPart   *self,
               const AppSection *section,
               const Beat       *beat)
{
  const AppSolution *answer = NULL;
  const gboolean has_options = beat->ask != NULL && beat->ask->options->len > 0;
  g_autofree char *question = NULL;
  g_autofree char *text = NULL;
  GString *words;

  if (beat->kind == HEADING) {
    text = app_lesson_to_markup (section->heading);
    words = g_string_new (text);
    app_cue_append_text (words, section, 0);
    return g_string_free (words, FALSE);
  }
  if (self->check != NULL && beat->index < self->check->answers->len)
    answer = &g_array_index (self->check->answers, AppSolution, beat->index);
  if (beat->kind == ANSWER && (answer == NULL || !answer->is_known))
    return g_strdup ("The answer is not known on this computer.");

  question = app_lesson_to_markup (beat->ask->question);
  words = g_string_new (question);
  if (has_options)
    app_cue_append_options (words, beat->ask, beat->kind == ANSWER ? answer->choice.option : -1);
  if (beat->kind == QUESTION)
    return g_string_free (words, FALSE);
  /* A number alone says nothing to who did not hear what was asked. */
  if (!has_options) {
    text = app_lesson_to_markup (answer->text);
    g_string_append_printf (words, " <b>%s</b>", text);
  }
  app_cue_append_text (words, section, beat->block + 1);

  return g_string_free (words, FALSE);
}

static char *
describe_at (AppLessonsPart *self,
             guint           beat)
{
  const AppSection *section = app_lessons_part_get_section (self);
  g_autoptr (GArray) beats = list_beats (section);
  g_autofree char *said =
    describe_beat (self, section, &g_array_index (beats, Beat, MIN (beat, beats->len - 1)));
  GString *words = g_string_new (said);

  /* Nothing is asked any more. */
  if (beat + 1 >= beats->len && self->check != NULL)
    app_cue_append_predictions (words, self->check);

  return g_string_free (words, FALSE);
}

static guint
count_beats (AppLessonsPart *self)
{
  g_autoptr (GArray) beats = list_beats (app_lessons_part_get_section (self));

  return beats->len;
}

/* Before people the last beat is the last answer. */
void
app_lessons_part_hold_back (AppLessonsPart *self)
{
  const gboolean is_asked = self->lesson != NULL
                            && (self->is_presented ? self->beat + 1 < count_beats (self)
                                                   : app_lessons_part_find_asked (self) != NULL);

  app_picture_set_asked (self->picture, is_asked,
                         is_asked ? app_lessons_part_get_section (self)->state : NULL);
}

void
app_lessons_part_show_cue (AppLessonsPart *self)
{
  g_autofree char *words = NULL;

  if (self->is_presented && self->lesson != NULL)
    words = describe_at (self, self->beat);
  else if (self->hidden != NULL)
    words = g_strdup ("There is no picture of this section.");
  app_picture_set_words (self->picture, words);
  app_lessons_part_hold_back (self);
  g_signal_emit_by_name (self, "cue-changed");
}

void
app_lessons_part_set_presented (AppLessonsPart *self,
                                gboolean        is_presented)
{
  if (is_presented == self->is_presented)
    return;
  self->is_presented = is_presented;
  self->beat = 0;
  /* Where it lies over the picture, which is for all; it comes back with the page. */
  if (is_presented && self->lesson != NULL && app_desk_folds_side (self->desk))
    app_desk_reveal_side (self->desk, FALSE);
  if (self->lesson != NULL)
    app_lessons_part_show (self);
  app_lessons_part_show_cue (self);
}

gboolean
app_lessons_part_asks_by_cue (AppLessonsPart *self)
{
  g_autoptr (GArray) beats = NULL;

  if (self->lesson == NULL || !self->is_presented)
    return FALSE;
  beats = list_beats (app_lessons_part_get_section (self));
  return g_array_index (beats, Beat, MIN (self->beat, beats->len - 1)).kind == QUESTION;
}

gboolean
app_lessons_part_go_by_cue (AppLessonsPart *self,
                            int             direction)
{
  if (self->lesson == NULL)
    return FALSE;
  if (direction > 0 && self->beat + 1 < count_beats (self)) {
    self->beat++;
  } else if (direction < 0 && self->beat > 0) {
    self->beat--;
  } else if (direction > 0 ? self->section + 1 < self->lesson->sections->len : self->section > 0) {
    app_lessons_part_step (self, direction);
    self->beat = direction > 0 ? 0 : count_beats (self) - 1;
  }
  app_lessons_part_show_cue (self);

  return TRUE;
}

char *
app_lessons_part_dup_now (AppLessonsPart *self)
{
  return self->lesson != NULL ? describe_at (self, self->beat) : NULL;
}

char *
app_lessons_part_dup_next (AppLessonsPart *self)
{
  const guint next = self->section + 1;

  if (self->lesson == NULL)
    return NULL;
  if (self->beat + 1 < count_beats (self))
    return describe_at (self, self->beat + 1);
  if (next >= self->lesson->sections->len)
    return NULL;

  return app_lesson_to_markup (((const AppSection *) self->lesson->sections->pdata[next])->heading);
}

char *
app_lessons_part_dup_place (AppLessonsPart *self)
{
  return self->lesson == NULL
         ? NULL
         : g_strdup_printf ("%s, %u of %u", self->lesson->title, self->section + 1,
                            self->lesson->sections->len);
}

/* Notes are for the speaker alone; what the reader reads is what the speaker may say. */
char *
app_lessons_part_dup_notes (AppLessonsPart *self)
{
  const AppSection *section;
  g_autoptr (GString) notes = NULL;
  g_autoptr (GString) text = NULL;

  if (self->lesson == NULL)
    return NULL;
  section = app_lessons_part_get_section (self);
  notes = g_string_new (NULL);
  text = g_string_new (NULL);
  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];
    g_autofree char *markup = block->text != NULL ? app_lesson_to_markup (block->text) : NULL;

    if (block->type == APP_BLOCK_NOTE)
      g_string_append_printf (notes, "<b>%s</b>\n\n", markup);
    else if (block->type == APP_BLOCK_TEXT || block->type == APP_BLOCK_ITEM)
      g_string_append_printf (text, "%s%s\n\n", block->type == APP_BLOCK_ITEM ? "• " : "", markup);
    else if (block->type == APP_BLOCK_TRY)
      g_string_append_printf (text, "<b>Try it.</b> %s\n\n", markup);
  }
  g_string_append (notes, text->str);

  return g_strchomp (g_string_free (g_steal_pointer (&notes), FALSE));
}
