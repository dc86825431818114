/* SPDX-License-Identifier: MIT */
/* What is read from a lesson's file. */
#include "app/lessons/lesson.h"

#include <string.h>

#define FILE_TEXT \
  "---\ntitle: Who reads whom\nminutes: 7\nmodel: mini\nabout: A sentence.\n---\n\n" \
  "## First\n\nOne line\nand another.\n\nA second paragraph.\n- an item\n- one more,\n  longer\n\n" \
  "```headlight\nheadlight render --model ./models/a --layer 2 \\\n  --pin 1,k:2 -o a.svg -- '-a' " \
  "\"b c\"\n```\n" \
  "ask: cell Which one?\nanswer: \"x y\"#2, 4\nBehind the answer.\n" \
  "claim: weight(3.*, typed, other.\"w\") <= -0.5\n" \
  "try: Do this\n  and that.\nnote: Slowly.\n\n" \
  "## Second\n\n```text\n  claim: none\n```\n" \
  "ask: option Yes?\noption: yes\noption: no, never\nanswer: no, never\n" \
  "ask: number How many?\nanswer: 2 * size(heads) ± 0.5\nask: head Which?\nanswer: 3.11\n"

static AppLesson *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  AppPlace fault;
  AppLesson *lesson = app_lesson_parse ("/lessons/a.md", text, strlen (text), &fault, &error);

  g_assert_no_error (error);
  return lesson;
}

static const AppBlock *
block_at (const AppLesson *lesson,
          guint            section,
          guint            i)
{
  const AppSection *found = lesson->sections->pdata[section];

  g_assert_cmpuint (i, <, found->blocks->len);
  return found->blocks->pdata[i];
}

static void
assert_text (const AppBlock *block,
             AppBlockType    type,
             const char     *text)
{
  g_assert_cmpint (block->type, ==, type);
  g_assert_cmpstr (block->text, ==, text);
}

static void
test_blocks (void)
{
  g_autoptr (AppLesson) lesson = parse (FILE_TEXT);

  g_assert_cmpstr (lesson->title, ==, "Who reads whom");
  g_assert_cmpint (lesson->minutes, ==, 7);
  g_assert_cmpstr (lesson->model, ==, "mini");
  g_assert_cmpstr (lesson->about, ==, "A sentence.");
  g_assert_cmpuint (lesson->sections->len, ==, 2);
  assert_text (block_at (lesson, 0, 0), APP_BLOCK_TEXT, "One line and another.");
  assert_text (block_at (lesson, 0, 1), APP_BLOCK_TEXT, "A second paragraph.");
  assert_text (block_at (lesson, 0, 2), APP_BLOCK_ITEM, "an item");
  assert_text (block_at (lesson, 0, 3), APP_BLOCK_ITEM, "one more, longer");
  g_assert_cmpint (block_at (lesson, 0, 4)->type, ==, APP_BLOCK_ASK);
  assert_text (block_at (lesson, 0, 5), APP_BLOCK_TEXT, "Behind the answer.");
  g_assert_cmpint (block_at (lesson, 0, 6)->type, ==, APP_BLOCK_CLAIM);
  assert_text (block_at (lesson, 0, 7), APP_BLOCK_TRY, "Do this and that.");
  assert_text (block_at (lesson, 0, 8), APP_BLOCK_NOTE, "Slowly.");
  assert_text (block_at (lesson, 1, 0), APP_BLOCK_CODE, "  claim: none");
}

/* The command's lines are one, its paths lie beside the lesson, its model is the header's only where
 * it names none. */
static void
test_state (void)
{
  g_autoptr (AppLesson) lesson = parse (FILE_TEXT);
  g_autoptr (AppLesson) other = parse ("---\ntitle: A\nminutes: 1\nmodel: mini\n---\n## S\n"
                                       "```headlight\nheadlight render -o a.svg A\n```\n");
  const AppSection *first = lesson->sections->pdata[0];
  const AppSection *second = lesson->sections->pdata[1];
  const AppSection *plain = other->sections->pdata[0];

  g_assert_cmpstr (first->state->model, ==, "/lessons/models/a");
  g_assert_cmpint (first->state->layer, ==, 2);
  g_assert_cmpint (first->state->pins.n_keys, ==, 1);
  g_assert_cmpstr (first->state->text_a, ==, "-a");
  g_assert_cmpstr (first->state->text_b, ==, "b c");
  g_assert_cmpint (first->state_place.line, ==, 19);
  g_assert_null (second->state);
  g_assert_cmpstr (plain->state->model, ==, "mini");
}

static void
test_questions (void)
{
  g_autoptr (AppLesson) lesson = parse (FILE_TEXT);
  const AppAsk *cell = block_at (lesson, 0, 4)->ask;
  const AppAsk *option = block_at (lesson, 1, 1)->ask;
  const AppAsk *number = block_at (lesson, 1, 2)->ask;
  const AppAsk *head = block_at (lesson, 1, 3)->ask;

  g_assert_cmpint (cell->type, ==, APP_ASK_CELL);
  g_assert_cmpstr (cell->question, ==, "Which one?");
  g_assert_cmpstr (cell->tokens[0].word, ==, "x y");
  g_assert_cmpint (cell->tokens[0].nth, ==, 2);
  g_assert_cmpint (cell->tokens[1].type, ==, APP_TOKENS_NUMBER);
  g_assert_cmpint (cell->tokens[1].index, ==, 4);
  g_assert_cmpuint (option->options->len, ==, 2);
  g_assert_cmpint (option->option, ==, 1);
  g_assert_cmpint (number->number->type, ==, APP_EXPRESSION_MULTIPLY);
  g_assert_cmpfloat (number->tolerance, ==, 0.5);
  g_assert_cmpint (head->head.layer, ==, 3);
  g_assert_cmpint (head->head.head, ==, 11);
}

static void
test_claim (void)
{
  g_autoptr (AppLesson) lesson = parse (FILE_TEXT);
  const AppClaim *claim = block_at (lesson, 0, 6)->claim;
  const AppExpression *call = claim->expression;

  g_assert_cmpstr (claim->text, ==, "weight(3.*, typed, other.\"w\") <= -0.5");
  g_assert_cmpint (claim->place.line, ==, 25);
  g_assert_cmpint (claim->place.column, ==, 8);
  g_assert_cmpint (claim->comparison.relation, ==, APP_IS_AT_MOST);
  g_assert_cmpfloat (claim->comparison.bound, ==, -0.5);
  g_assert_cmpint (call->function, ==, APP_WEIGHT);
  g_assert_cmpint (call->n_arguments, ==, 3);
  g_assert_cmpint (call->arguments[0].heads.head, ==, APP_ALL);
  g_assert_cmpint (call->arguments[1].tokens.type, ==, APP_TOKENS_TYPED);
  g_assert_cmpint (call->arguments[2].tokens.run, ==, APP_RUN_OTHER);
  g_assert_cmpint (call->arguments[2].tokens.place.column, ==, 27);
}

/* Multiplication before addition, from left to right. */
static void
test_precedence (void)
{
  AppPlace fault;
  g_autoptr (GError) error = NULL;
  g_autoptr (AppClaim) claim = app_claim_parse ("1 - 2 - 3 * (4 + 5) = 2 +- 1", (AppPlace) { 1, 1 },
                                                &fault, &error);
  const AppExpression *all;

  g_assert_no_error (error);
  all = claim->expression;
  g_assert_cmpint (all->type, ==, APP_EXPRESSION_SUBTRACT);
  g_assert_cmpint (all->left->type, ==, APP_EXPRESSION_SUBTRACT);
  g_assert_cmpint (all->right->type, ==, APP_EXPRESSION_MULTIPLY);
  g_assert_cmpint (all->right->right->type, ==, APP_EXPRESSION_ADD);
  g_assert_true (app_comparison_holds (&claim->comparison, 3));
  g_assert_false (app_comparison_holds (&claim->comparison, 3.01));
}

static void
test_markup (void)
{
  static const char *const cases[][2] = {
    { "a **b** c", "a <b>b</b> c" },
    { "*said*", "<i>said</i>" },
    { "`a < b`", "<tt>a &lt; b</tt>" },
    { "**a *b* c**", "<b>a <i>b</i> c</b>" },
    { "2 * 3 * 4", "2 * 3 * 4" },
    { "a*", "a*" },
    { "**", "**" },
    { "`*.*` and *this*", "<tt>*.*</tt> and <i>this</i>" },
    { "A & B", "A &amp; B" },
    { "“ä”", "“ä”" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *markup = app_lesson_to_markup (cases[i][0]);

    g_assert_cmpstr (markup, ==, cases[i][1]);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/blocks", test_blocks);
  g_test_add_func ("/lesson/state", test_state);
  g_test_add_func ("/lesson/questions", test_questions);
  g_test_add_func ("/lesson/claim", test_claim);
  g_test_add_func ("/lesson/precedence", test_precedence);
  g_test_add_func ("/lesson/markup", test_markup);

  return g_test_run ();
}
