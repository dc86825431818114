/* SPDX-License-Identifier: MIT */
#include "app/teaching/hand-out.h"

#include <math.h>

#include "app/teaching/evaluate.h"
#include "ui/scene/export/export.h"

#define FONT_POINTS 8.0
#define MOST_TOGETHER 4 /* blocks */

typedef struct {
  AppRuns              *runs;
  const AppLesson      *lesson;
  const AppLessonCheck *check;
  UiPages              *pages;
  int                   n_questions; /* so far */
} HandOut;

/* Of text with Markdown's marks. */
static void
add_text (HandOut     *self,
          UiPageStyle  style,
          const char  *before,
          const char  *text)
{
  g_autofree char *markup = app_lesson_to_markup (text);
  g_autofree char *all = g_strconcat (before, markup, NULL);

  ui_pages_add_text (self->pages, style, all);
}

static void
add_plain (HandOut     *self,
           UiPageStyle  style,
           const char  *text)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);

  ui_pages_add_text (self->pages, style, markup);
}

/* Text, an item or code, as it stands on either side. */
static void
add_block (HandOut        *self,
           const AppBlock *block)
{
  if (block->type == APP_BLOCK_TEXT)
    add_text (self, UI_PAGE_TEXT, "", block->text);
  else if (block->type == APP_BLOCK_ITEM)
    add_text (self, UI_PAGE_ITEM, "", block->text);
  else if (block->type == APP_BLOCK_CODE)
    add_plain (self, UI_PAGE_CODE, block->text);
}

/* (transfer full) The picture of a section's state, as wide as the column and for grey paper.
 * holds_back: something is asked of it. */
static UiScene *
create_scene (HandOut   *self,
              guint      section,
              gboolean   holds_back,
              GError   **error)
{
  g_autoptr (UiDocument) document =
    ui_document_copy (app_section_get_state (self->lesson, section));
  AppRun *run = app_runs_find (self->runs, self->lesson, section, APP_RUN_THIS, error);
  AppRun *other = NULL;

  if (run == NULL)
    return NULL;
  if (ui_document_has_second_side (document)) {
    other = app_runs_find (self->runs, self->lesson, section, APP_RUN_OTHER, error);
    if (other == NULL)
      return NULL;
  }
  document->theme = UI_THEME_PRINT;
  document->width_cm = ui_pages_get_width_cm (self->pages);
  document->font_pt = FONT_POINTS;

  return ui_figure_scene_new_asked (run->trace, other != NULL ? other->trace : NULL, document,
                                    holds_back, error);
}

/* Whether there is a pass of a section's state: its model may not be on this computer. */
static gboolean
has_run (HandOut *self,
         guint    section)
{
  return app_runs_find (self->runs, self->lesson, section, APP_RUN_THIS, NULL) != NULL;
}

/* What is chosen in a picture is not asked where there is none. */
static gboolean
is_asked (HandOut      *self,
          guint         section,
          const AppAsk *ask)
{
  return ask->type == APP_ASK_OPTION || has_run (self, section);
}

static gboolean
has_question (const AppSection *section)
{
  for (guint i = 0; i < section->blocks->len; i++)
    if (((const AppBlock *) section->blocks->pdata[i])->type == APP_BLOCK_ASK)
      return TRUE;

  return FALSE;
}

/* Whether something is asked of the picture of a section: by it, or by one behind it that goes on with
 * its state. */
static gboolean
is_asked_of (HandOut *self,
             guint    section)
{
  const GPtrArray *sections = self->lesson->sections;

  do
    if (has_question (sections->pdata[section]))
      return TRUE;
  while (++section < sections->len
         && ((const AppSection *) sections->pdata[section])->state == NULL);

  return FALSE;
}

/* In the place of a picture that cannot be drawn. */
static void
add_lack (HandOut *self,
          guint    section)
{
  const char *model = app_section_get_state (self->lesson, section)->model;
  g_autofree char *sentence =
    g_strdup_printf ("The picture is left out, and with it what is asked of it: %s is not on the "
                     "computer that made this page.", model);

  add_plain (self, UI_PAGE_SMALL, sentence);
}

/* Of a model that is not on this computer there is none. */
static gboolean
add_picture (HandOut   *self,
             guint      section,
             gboolean   holds_back,
             GError   **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (UiScene) scene = create_scene (self, section, holds_back, &problem);

  if (scene != NULL) {
    ui_pages_add_figure (self->pages, scene);
    return TRUE;
  }
  if (!g_error_matches (problem, APP_LESSON_ERROR, APP_LESSON_ERROR_LACKING)) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  add_lack (self, section);

  return TRUE;
}

static void
add_question (HandOut      *self,
              const AppAsk *ask)
{
  g_autofree char *number = g_strdup_printf ("%d.  ", ++self->n_questions);

  add_text (self, UI_PAGE_QUESTION, number, ask->question);
  for (guint i = 0; i < ask->options->len; i++) {
    if (i > 0)
      ui_pages_keep (self->pages);
    add_text (self, UI_PAGE_CHOICE, "", ask->options->pdata[i]);
  }
  if (ask->type != APP_ASK_OPTION)
    ui_pages_add_blank (self->pages);
}

/* What stands before the first question. The heading and some lines below it stay with their
 * picture; more than these may begin a page before it. TRUE where something is asked. */
static gboolean
add_introduction (HandOut          *self,
                  const AppSection *section)
{
  guint end = 0;

  add_text (self, UI_PAGE_HEADING, "", section->heading);
  while (end < section->blocks->len
         && ((const AppBlock *) section->blocks->pdata[end])->type != APP_BLOCK_ASK)
    end++;
  for (guint i = 0; i < end; i++) {
    if (i > 0 && section->state != NULL && end <= MOST_TOGETHER)
      ui_pages_keep (self->pages);
    add_block (self, section->blocks->pdata[i]);
  }

  return end < section->blocks->len;
}

/* What stands behind a question is for the side of the answers. */
static gboolean
add_section (HandOut  *self,
             guint     index,
             GError  **error)
{
  const AppSection *section = self->lesson->sections->pdata[index];
  const gboolean asked = add_introduction (self, section);
  const gboolean is_shown = has_run (self, index);

  if (section->state != NULL) {
    ui_pages_keep (self->pages);
    if (!add_picture (self, index, is_asked_of (self, index), error))
      return FALSE;
  }
  if (asked && is_shown)
    ui_pages_keep (self->pages);
  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];

    if (block->type == APP_BLOCK_ASK && is_asked (self, index, block->ask))
      add_question (self, block->ask);
    else if (block->type == APP_BLOCK_TRY && is_shown) {
      /* Never alone on a page. */
      ui_pages_keep (self->pages);
      add_text (self, UI_PAGE_APART, "<b>Try it.</b> ", block->text);
    }
  }

  return TRUE;
}

/* (transfer full) Those whose pictures are in it, "pre-norm, headlight-mini": not only the header's. */
static char *
name_models (const AppLesson *lesson)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < lesson->sections->len; i++) {
    const UiDocument *state = app_section_get_state (lesson, i);
    g_autofree char *name = state->trace_file != NULL ? g_path_get_basename (state->trace_file)
                            : g_path_is_absolute (state->model) ? g_path_get_basename (state->model)
                                                                : g_strdup (state->model);

    if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
      g_ptr_array_add (names, g_steal_pointer (&name));
  }
  g_ptr_array_add (names, NULL);

  return g_strjoinv (", ", (char **) names->pdata);
}

static gboolean
add_questions (HandOut  *self,
               GError  **error)
{
  const AppLesson *lesson = self->lesson;
  g_autofree char *models = name_models (lesson);
  g_autofree char *facts = g_strdup_printf ("%d minutes · %s", lesson->minutes, models);

  static const char *const fields[] = { "Name", "Date", NULL };

  ui_pages_begin_part (self->pages, "Questions");
  add_text (self, UI_PAGE_TITLE, "", lesson->title);
  if (lesson->about != NULL)
    add_text (self, UI_PAGE_TEXT, "", lesson->about);
  add_plain (self, UI_PAGE_SMALL, facts);
  ui_pages_add_fields (self->pages, fields);
  for (guint i = 0; i < lesson->sections->len; i++)
    if (!add_section (self, i, error))
      return FALSE;

  return TRUE;
}

/* "“cat” (9)", where its state can be shown. (transfer full) */
static char *
spell_token (HandOut         *self,
             guint            section,
             const AppTokens *token,
             gboolean         is_key)
{
  AppPlace fault;
  const AppClaimContext evaluation = { self->runs, self->lesson, section, &fault };
  g_autofree char *text = NULL;
  int index;

  if (!app_evaluate_token (&evaluation, token, is_key, &index, &text, NULL, NULL))
    return token->type == APP_TOKENS_NUMBER ? g_strdup_printf ("token %d", token->index)
                                            : g_strdup_printf ("“%s”", token->word);

  return g_strdup_printf ("“%s” (%d)", text, index);
}

static char *
spell_number (HandOut      *self,
              guint         section,
              const AppAsk *ask)
{
  AppPlace fault;
  const AppClaimContext evaluation = { self->runs, self->lesson, section, &fault };
  g_autofree char *number = NULL;
  g_autofree char *tolerance = app_lesson_format_value (ask->tolerance);
  double value;

  if (!app_evaluate_answer (&evaluation, ask, &value, NULL))
    value = NAN;
  number = app_lesson_format_answer (value, ask->tolerance);

  return ask->tolerance > 0 ? g_strdup_printf ("%s ± %s", number, tolerance)
                            : g_steal_pointer (&number);
}

/* (transfer full) */
static char *
spell_answer (HandOut      *self,
              guint         section,
              const AppAsk *ask)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  switch (ask->type) {
  case APP_ASK_TOKEN:
    return spell_token (self, section, &ask->tokens[0], FALSE);
  case APP_ASK_CELL:
    first = spell_token (self, section, &ask->tokens[0], FALSE);
    second = spell_token (self, section, &ask->tokens[1], TRUE);
    return g_strdup_printf ("row %s, column %s", first, second);
  case APP_ASK_HEAD:
    return g_strdup_printf ("head %d of layer %d", ask->head.head, ask->head.layer);
  case APP_ASK_NUMBER:
    return spell_number (self, section, ask);
  case APP_ASK_OPTION:
  default:
    return g_strdup (ask->options->pdata[ask->option]);
  }
}

static void
add_answer (HandOut      *self,
            guint         section,
            const AppAsk *ask)
{
  g_autofree char *answer = spell_answer (self, section, ask);
  g_autofree char *number = g_strdup_printf ("%d.  ", ++self->n_questions);

  add_text (self, UI_PAGE_APART, number, ask->question);
  ui_pages_keep (self->pages);
  add_text (self, UI_PAGE_ANSWER, "", answer);
}

static void
add_claim (HandOut        *self,
           const AppBlock *block)
{
  for (guint i = 0; i < self->check->findings->len; i++) {
    const AppFinding *finding = &g_array_index (self->check->findings, AppFinding, i);
    g_autofree char *text = NULL;
    g_autofree char *value = NULL;

    if (finding->block != block)
      continue;
    text = g_markup_escape_text (block->claim->text, -1);
    value = finding->verdict == APP_VERDICT_SKIPPED ? g_strdup ("not computed")
                                                    : app_lesson_format_value (finding->value);
    ui_pages_add_row (self->pages, text, value);
  }
}

/* Whether the side of the answers has something of a section. */
static gboolean
has_answers (const AppSection *section)
{
  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];

    if (block->type == APP_BLOCK_ASK || block->type == APP_BLOCK_CLAIM
        || block->type == APP_BLOCK_NOTE)
      return TRUE;
  }

  return FALSE;
}

/* With the picture in full, where its numbers were held back. */
static gboolean
add_answers_of (HandOut  *self,
                guint     index,
                GError  **error)
{
  const AppSection *section = self->lesson->sections->pdata[index];
  gboolean asked = FALSE;

  if (!has_answers (section))
    return TRUE;
  add_text (self, UI_PAGE_HEADING, "", section->heading);
  if (section->state != NULL && has_run (self, index) && is_asked_of (self, index)
      && !add_picture (self, index, FALSE, error))
    return FALSE;
  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];

    asked |= block->type == APP_BLOCK_ASK;
    if (block->type == APP_BLOCK_ASK && is_asked (self, index, block->ask))
      add_answer (self, index, block->ask);
    else if (block->type == APP_BLOCK_CLAIM)
      add_claim (self, block);
    else if (block->type == APP_BLOCK_NOTE)
      add_text (self, UI_PAGE_TEXT, "<i>For who presents it:</i> ", block->text);
    else if (asked)
      add_block (self, block);
  }

  return TRUE;
}

/* (transfer full) */
static char *
describe_claims (const AppLessonCheck *check)
{
  const char *where = "is not on the computer that made this page";

  if (check->n_skipped == 0)
    return g_strdup ("Each claim was computed when this page was made; its value stands at the end "
                     "of its line.");
  if (check->n_skipped == check->n_claims)
    return g_strdup_printf ("No claim was computed: the model that they are about %s.", where);

  return g_strdup_printf ("%d of %d claims were computed when this page was made; their values stand "
                          "at the end of their lines. What the others are about %s.",
                          check->n_claims - check->n_skipped, check->n_claims, where);
}

static gboolean
add_answers (HandOut  *self,
             GError  **error)
{
  g_autofree char *title = g_strconcat ("Answers: ", self->lesson->title, NULL);
  g_autofree char *claims = describe_claims (self->check);

  self->n_questions = 0;
  ui_pages_begin_part (self->pages, "Answers");
  add_text (self, UI_PAGE_TITLE, "", title);
  add_plain (self, UI_PAGE_SMALL, claims);
  for (guint i = 0; i < self->lesson->sections->len; i++)
    if (!add_answers_of (self, i, error))
      return FALSE;

  return TRUE;
}

GBytes *
app_hand_out_new (AppRuns              *runs,
                  const AppLesson      *lesson,
                  const AppLessonCheck *check,
                  UiPaper               paper,
                  int                  *n_pages,
                  GError              **error)
{
  g_autoptr (UiPages) pages = ui_pages_new (paper, lesson->title);
  HandOut self = { runs, lesson, check, pages, 0 };

  if (!add_questions (&self, error) || !add_answers (&self, error))
    return NULL;

  return ui_pages_finish (pages, n_pages, error);
}
