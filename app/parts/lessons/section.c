/* SPDX-License-Identifier: MIT */
/* One section beside the picture. What stands behind a question is hidden until it was answered;
 * claims and answers are computed in a thread. */
#include "app/parts/lessons/lessons-private.h"

#include <math.h>

#include "ui/lessons/claim-row.h"
#include "ui/lessons/lesson-text.h"
#include "ui/lessons/question-box.h"

/* Once what was hidden is laid out. */
#define SCROLLS_AFTER_MS 60

typedef struct {
  AppLesson *lesson;
  guint      section;
} Work;

static void
work_free (gpointer data)
{
  app_lesson_unref (((Work *) data)->lesson);
  g_free (data);
}

static AppShownBlock *
get_shown (AppLessonsPart *self,
           guint           i)
{
  return self->shown->pdata[i];
}

/* NULL = the block is none. */
static UiQuestionBox *
get_question (const AppShownBlock *shown)
{
  return shown->block->type == APP_BLOCK_ASK ? UI_QUESTION_BOX (shown->widget) : NULL;
}

/* The question that waits for an answer; NULL = none does. */
static const AppShownBlock *
find_asked (AppLessonsPart *self)
{
  for (guint i = 0; i < self->shown->len; i++) {
    UiQuestionBox *box = get_question (get_shown (self, i));

    if (box != NULL && ui_question_box_is_asked (box))
      return get_shown (self, i);
  }

  return NULL;
}

const AppAsk *
app_lessons_part_find_asked (AppLessonsPart *self)
{
  const AppShownBlock *asked = find_asked (self);
  return asked != NULL ? asked->block->ask : NULL;
}

static void
show_until_asked (AppLessonsPart *self)
{
  const AppShownBlock *asked = find_asked (self);
  gboolean is_shown = TRUE;

  for (guint i = 0; i < self->shown->len; i++) {
    const AppShownBlock *shown = get_shown (self, i);

    gtk_widget_set_visible (shown->widget, is_shown);
    is_shown = is_shown && shown != asked;
  }
  app_lessons_part_hold_back (self);
}

/* Questions. */

static AppChoice
get_choice (UiQuestionBox *box,
            AppAskType     type)
{
  AppChoice choice = { 0 };

  if (type == APP_ASK_HEAD)
    ui_question_box_get_head (box, &choice.layer, &choice.head);
  else if (type == APP_ASK_NUMBER)
    choice.number = ui_question_box_get_number (box);
  else if (type == APP_ASK_OPTION)
    choice.option = ui_question_box_get_option (box);
  else
    for (int i = 0; i < 2; i++)
      choice.tokens[i] = ui_question_box_get_token (box, i);

  return choice;
}

static void
put_choice (UiQuestionBox   *box,
            AppAskType       type,
            const AppChoice *choice)
{
  if (type == APP_ASK_HEAD)
    ui_question_box_choose_head (box, choice->layer, choice->head);
  else if (type == APP_ASK_NUMBER)
    ui_question_box_choose_number (box, choice->number);
  else if (type == APP_ASK_OPTION)
    ui_question_box_choose_option (box, choice->option);
  else
    for (int i = 0; i < (type == APP_ASK_CELL ? 2 : 1); i++)
      ui_question_box_choose_token (box, i, choice->tokens[i]);
}

static const AppSolution *
get_answer (AppLessonsPart      *self,
            const AppShownBlock *shown)
{
  return &g_array_index (self->check->answers, AppSolution, shown->index);
}

/* The answer appears. */
static void
show_verdict (AppLessonsPart      *self,
              const AppShownBlock *shown,
              const AppChoice     *choice)
{
  const AppSolution *answer = get_answer (self, shown);
  const gboolean is_right = app_solution_is_right (answer, shown->block->ask, choice);
  g_autofree char *text = app_lesson_to_markup (answer->text);
  /* What may be a sentence, or none, is no part of another one. */
  const gboolean is_apart = shown->block->ask->type == APP_ASK_OPTION
                            || shown->block->ask->type == APP_ASK_CELL;
  g_autofree char *sentence = g_strdup_printf (is_apart ? "The answer: %s."
                                               : is_right ? "It is %s." : "The answer is %s.", text);

  ui_question_box_show_verdict (get_question (shown), is_right, sentence);
}

static const AppShownBlock *
find_shown (AppLessonsPart *self,
            gconstpointer   widget)
{
  for (guint i = 0; i < self->shown->len; i++)
    if (get_shown (self, i)->widget == widget)
      return get_shown (self, i);

  g_return_val_if_reached (NULL);
}

/* The question comes to stand at the top: below it is what its answer has brought. */
static gboolean
scroll_cb (gpointer data)
{
  AppLessonsPart *self = data;
  const AppShownBlock *answered = self->answered;
  graphene_rect_t bounds;

  self->scroll_source = 0;
  if (gtk_widget_compute_bounds (answered->widget, GTK_WIDGET (self->content), &bounds))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller),
                              bounds.origin.y);

  return G_SOURCE_REMOVE;
}

static void
scroll_to (AppLessonsPart      *self,
           const AppShownBlock *answered)
{
  self->answered = answered;
  if (self->scroll_source == 0)
    self->scroll_source = g_timeout_add (SCROLLS_AFTER_MS, scroll_cb, self);
}

/* On to what stands behind the answer, or to the next question. */
void
app_lessons_part_focus_behind (AppLessonsPart *self)
{
  const AppShownBlock *asked = self->check != NULL ? find_asked (self) : NULL;

  if (asked != NULL)
    ui_question_box_focus (get_question (asked));
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->next));
}

/* What is shown ends with the question that waits. */
static gboolean
has_room_for_all (AppLessonsPart *self)
{
  const double room =
    gtk_adjustment_get_page_size (gtk_scrolled_window_get_vadjustment (self->scroller));
  int height;

  gtk_widget_measure (GTK_WIDGET (self->content), GTK_ORIENTATION_VERTICAL,
                      gtk_widget_get_width (GTK_WIDGET (self->content)), NULL, &height, NULL, NULL);
  return height <= room;
}

/* Whether the keys are at the page, and not at the picture, where F4 leaves them. */
static gboolean
has_focus (AppLessonsPart *self)
{
  GtkWidget *focus = gtk_window_get_focus (app_desk_get_window (self->desk));

  return !self->is_presented
         && (focus == NULL || gtk_widget_is_ancestor (focus, GTK_WIDGET (self->pages)));
}

static gboolean
focus_cb (gpointer data)
{
  AppLessonsPart *self = data;

  self->focus_source = 0;
  if (has_focus (self) && self->check != NULL && find_asked (self) != NULL
      && !has_room_for_all (self))
    gtk_widget_grab_focus (GTK_WIDGET (self->scroller));
  else if (has_focus (self))
    app_lessons_part_focus_behind (self);
  return G_SOURCE_REMOVE;
}

/* Where the keys begin, once it is laid out. Where a question is out of sight one reads first: the
 * heading stays, and Tab goes to the question. */
static void
focus_section (AppLessonsPart *self)
{
  if (self->focus_source == 0)
    self->focus_source = g_timeout_add (SCROLLS_AFTER_MS, focus_cb, self);
}

static void
answered_cb (AppLessonsPart *self,
             UiQuestionBox  *box)
{
  const AppShownBlock *shown = find_shown (self, box);
  const AppAskType type = shown->block->ask->type;
  const AppChoice choice = get_choice (box, type);

  app_score_sheet_set_choice (app_lessons_part_get_scores (self), self->name, self->lesson,
                              shown->question, &choice,
                              app_solution_is_right (get_answer (self, shown), shown->block->ask,
                                                     &choice));
  show_verdict (self, shown, &choice);
  show_until_asked (self);
  app_lessons_part_show_score (self);
  app_lessons_part_focus_behind (self);
  scroll_to (self, shown);
}

static void
again_cb (AppLessonsPart *self)
{
  show_until_asked (self);
}

/* Of what is wrong in the file; NULL = nothing is, of that block or of the state. */
static const AppFinding *
find_fault (AppLessonsPart *self,
            const AppBlock *block)
{
  const GArray *findings = self->check->check->findings;

  for (guint i = 0; i < findings->len; i++) {
    const AppFinding *finding = &g_array_index (findings, AppFinding, i);

    if ((finding->block == block || finding->block == NULL) && finding->reason != NULL)
      return finding;
  }

  return NULL;
}

static void
refuse_question (AppLessonsPart      *self,
                 const AppShownBlock *shown)
{
  const AppFinding *fault = find_fault (self, shown->block);
  g_autofree char *reason = NULL;
  g_autofree char *sentence = NULL;

  g_hash_table_add (self->refused, GUINT_TO_POINTER (shown->question));
  if (fault != NULL) {
    reason = app_lessons_part_dup_fault (self->lesson->path, fault->place, fault->reason);
    sentence = g_strdup_printf ("It cannot be answered: %s.", reason);
  } else {
    sentence = g_strdup_printf ("It is answered from the picture of %s, which is not on this "
                                "computer.",
                                app_section_get_state (self->lesson, self->section)->model);
  }
  ui_question_box_refuse (get_question (shown), sentence);
}

/* What there is to choose from, and what was chosen at another time. */
static void
prepare_question (AppLessonsPart      *self,
                  const AppShownBlock *shown)
{
  const AppSectionCheck *check = self->check;
  const AppAsk *ask = shown->block->ask;
  UiQuestionBox *box = get_question (shown);
  AppChoice choice = { 0 };

  if (!get_answer (self, shown)->is_known) {
    refuse_question (self, shown);
    return;
  }
  ui_question_box_set_obstacle (box, NULL);
  if (ask->type == APP_ASK_HEAD)
    ui_question_box_set_heads (box, eng_trace_get_n_layers (check->trace, check->kind),
                               eng_trace_get_n_heads (check->trace, check->kind));
  if (ask->type == APP_ASK_TOKEN || ask->type == APP_ASK_CELL)
    ui_question_box_set_tokens (box, 0, eng_trace_get_query_tokens (check->trace, check->kind));
  if (ask->type == APP_ASK_CELL)
    ui_question_box_set_tokens (box, 1, eng_trace_get_key_tokens (check->trace, check->kind));
  if (!app_score_sheet_get_choice (app_lessons_part_get_scores (self), self->name, shown->question,
                                   ask->type, &choice))
    return;
  put_choice (box, ask->type, &choice);
  show_verdict (self, shown, &choice);
}

void
app_lessons_part_take_item (AppLessonsPart *self,
                            const UiItem   *item)
{
  const AppShownBlock *asked = self->lesson != NULL ? find_asked (self) : NULL;
  UiQuestionBox *box = asked != NULL ? get_question (asked) : NULL;

  if (box == NULL || self->check == NULL)
    return;
  if (asked->block->ask->type == APP_ASK_TOKEN) {
    ui_question_box_choose_token (box, 0, item->type == UI_ITEM_QUERY ? item->query : item->key);
  } else if (asked->block->ask->type == APP_ASK_CELL) {
    if (item->query >= 0)
      ui_question_box_choose_token (box, 0, item->query);
    if (item->key >= 0)
      ui_question_box_choose_token (box, 1, item->key);
  }
}

/* Another head than the one of the section's state was chosen in the window. */
void
app_lessons_part_take_head (AppLessonsPart *self)
{
  const AppShownBlock *asked = self->lesson != NULL ? find_asked (self) : NULL;
  const UiDocument *now = app_study_get_document (self->study);
  const UiDocument *state;
  int head;

  if (asked == NULL || asked->block->ask->type != APP_ASK_HEAD || self->check == NULL)
    return;
  state = app_section_get_state (self->lesson, self->section);
  if (ui_head_set_count (&now->heads, UI_MAX_HEADS) != 1)
    return;
  head = ui_head_set_first (&now->heads, UI_MAX_HEADS);
  if (now->layer != state->layer || !ui_head_set_has (&state->heads, head) || state->heads.all)
    ui_question_box_choose_head (get_question (asked), now->layer, head);
}

/* What was computed. */

static void
show_finding (AppLessonsPart   *self,
              const AppFinding *finding)
{
  static const UiClaimState states[] = {
    [APP_VERDICT_TRUE] = UI_CLAIM_TRUE,
    [APP_VERDICT_FALSE] = UI_CLAIM_FALSE,
    [APP_VERDICT_SKIPPED] = UI_CLAIM_SKIPPED,
  };
  g_autofree char *value = isnan (finding->value) ? NULL : app_finding_format_value (finding);
  /* What could not be computed is wrong in the file. */
  g_autofree char *fault = finding->verdict != APP_VERDICT_FALSE || finding->reason == NULL
                           ? g_strdup (finding->reason)
                           : app_lessons_part_dup_fault (self->lesson->path, finding->place,
                                                         finding->reason);

  for (guint i = 0; i < self->shown->len; i++)
    if (get_shown (self, i)->block == finding->block && finding->block->type == APP_BLOCK_CLAIM)
      ui_claim_row_set (UI_CLAIM_ROW (get_shown (self, i)->widget), states[finding->verdict], value,
                        fault);
}

/* A page that was hidden takes the keys once it is in sight. */
void
app_lessons_part_focus (AppLessonsPart *self)
{
  g_signal_handlers_disconnect_by_func (self->next, app_lessons_part_focus, self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self->next))) {
    gtk_widget_grab_focus (GTK_WIDGET (self->next));
    focus_section (self);
  } else {
    g_signal_connect_object (self->next, "map", G_CALLBACK (app_lessons_part_focus), self,
                             G_CONNECT_SWAPPED);
  }
}

/* Where somebody went on from the picture, and has done nothing there since, the keys go to what is
 * asked. */
static gboolean
may_take_keys (AppLessonsPart *self)
{
  GtkWidget *focus = gtk_window_get_focus (app_desk_get_window (self->desk));

  return !self->is_presented && focus != NULL && focus == self->left && find_asked (self) != NULL
         && gtk_widget_get_mapped (GTK_WIDGET (self->next));
}

static void
computed_cb (AppJob       *job,
             gpointer      result,
             const GError *error,
             gpointer      data)
{
  AppLessonsPart *self = data;

  self->check = result;
  for (guint i = 0; result != NULL && i < self->check->check->findings->len; i++)
    show_finding (self, &g_array_index (self->check->check->findings, AppFinding, i));
  for (guint i = 0; result != NULL && i < self->shown->len; i++)
    if (get_question (get_shown (self, i)) != NULL)
      prepare_question (self, get_shown (self, i));
  show_until_asked (self);
  if (may_take_keys (self))
    gtk_widget_grab_focus (GTK_WIDGET (self->next));
  if (has_focus (self))
    focus_section (self);
  self->left = NULL;
  app_lessons_part_show_cue (self);
  g_clear_pointer (&self->job, app_job_stop);
}

static gpointer
compute (AppJob    *job,
         gpointer   data,
         GError   **error)
{
  const Work *work = data;
  g_autoptr (AppRuns) runs = app_runs_new (app_job_get_cancel (job));
  AppSectionCheck *check = app_section_check_new (runs, work->lesson, work->section);

  if (check == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "it was cancelled");

  return check;
}

static void
start_job (AppLessonsPart *self)
{
  static const AppJobClass klass = {
    .run = compute,
    .done = computed_cb,
    .free_result = (GDestroyNotify) app_section_check_free,
    .free_data = work_free,
  };
  Work *work = g_new (Work, 1);

  *work = (Work) { app_lesson_ref (self->lesson), self->section };
  self->job = app_job_start (&klass, work, self);
}

/* Widgets. */

static GtkWidget *
question_new (AppLessonsPart *self,
              const AppAsk   *ask)
{
  static const UiQuestionType types[] = {
    [APP_ASK_TOKEN] = UI_QUESTION_TOKEN,   [APP_ASK_CELL] = UI_QUESTION_CELL,
    [APP_ASK_HEAD] = UI_QUESTION_HEAD,     [APP_ASK_NUMBER] = UI_QUESTION_NUMBER,
    [APP_ASK_OPTION] = UI_QUESTION_OPTION,
  };
  g_autofree char *markup = app_lesson_to_markup (ask->question);
  GtkWidget *box = ui_question_box_new (markup, types[ask->type]);

  for (guint i = 0; i < ask->options->len; i++) {
    g_autofree char *option = app_lesson_to_markup (ask->options->pdata[i]);

    ui_question_box_add_option (UI_QUESTION_BOX (box), option);
  }
  ui_question_box_set_obstacle (UI_QUESTION_BOX (box), "The answer is being computed");
  g_signal_connect_object (box, "answered", G_CALLBACK (answered_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (box, "again", G_CALLBACK (again_cb), self, G_CONNECT_SWAPPED);

  return box;
}

/* NULL = it is not for the reader. */
static GtkWidget *
block_new (AppLessonsPart *self,
           const AppBlock *block)
{
  g_autofree char *markup = NULL;

  switch (block->type) {
  case APP_BLOCK_ASK:
    return question_new (self, block->ask);
  case APP_BLOCK_CLAIM:
    return ui_claim_row_new (block->claim->text);
  case APP_BLOCK_CODE:
    return ui_lesson_text_new (block->text, UI_LESSON_CODE);
  case APP_BLOCK_NOTE:
    return NULL;
  default:
    markup = app_lesson_to_markup (block->text);
    return ui_lesson_text_new (markup, block->type == APP_BLOCK_ITEM ? UI_LESSON_ITEM
                                       : block->type == APP_BLOCK_TRY ? UI_LESSON_TRY
                                                                      : UI_LESSON_PARAGRAPH);
  }
}

/* Of the sections before. */
static guint
count_questions (AppLessonsPart *self)
{
  guint n = 0;

  for (guint s = 0; s < self->section; s++) {
    const AppSection *section = self->lesson->sections->pdata[s];

    for (guint i = 0; i < section->blocks->len; i++)
      n += ((const AppBlock *) section->blocks->pdata[i])->type == APP_BLOCK_ASK;
  }

  return n;
}

static void
add_blocks (AppLessonsPart   *self,
            const AppSection *section)
{
  const guint n_before = count_questions (self);
  guint n_questions = 0;

  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];
    GtkWidget *widget = block_new (self, block);
    AppShownBlock *shown;

    if (widget == NULL)
      continue;
    shown = g_new (AppShownBlock, 1);
    *shown = (AppShownBlock) { block, widget, n_before + n_questions, n_questions };
    n_questions += block->type == APP_BLOCK_ASK;
    g_ptr_array_add (self->shown, shown);
    gtk_box_append (self->content, widget);
  }
}

static void
show_head (AppLessonsPart *self)
{
  const guint n = self->lesson->sections->len;
  g_autofree char *count = g_strdup_printf ("%u of %u", self->section + 1, n);

  gtk_label_set_label (self->title, self->lesson->title);
  gtk_label_set_label (self->count, count);
  gtk_button_set_label (self->next, self->section + 1 < n ? "Next" : "Done");
  app_lessons_part_show_score (self);
}

void
app_lessons_part_end_section (AppLessonsPart *self)
{
  GtkWidget *child;

  /* The keys leave what goes. */
  if (self->content != NULL && gtk_widget_get_focus_child (GTK_WIDGET (self->content)) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->next));
  if (self->job != NULL)
    app_job_leave (g_steal_pointer (&self->job));
  g_clear_handle_id (&self->scroll_source, g_source_remove);
  g_clear_handle_id (&self->focus_source, g_source_remove);
  g_clear_pointer (&self->check, app_section_check_free);
  g_ptr_array_set_size (self->shown, 0);
  while (self->content != NULL
         && (child = gtk_widget_get_first_child (GTK_WIDGET (self->content))) != NULL)
    gtk_box_remove (self->content, child);
}

void
app_lessons_part_show_section (AppLessonsPart *self)
{
  const AppSection *section = app_lessons_part_get_section (self);
  g_autofree char *heading = app_lesson_to_markup (section->heading);
  const gboolean had_focus = has_focus (self);

  app_lessons_part_end_section (self);
  show_head (self);
  gtk_box_append (self->content, ui_lesson_text_new (heading, UI_LESSON_HEADING));
  add_blocks (self, section);
  show_until_asked (self);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->next));
  start_job (self);
}
