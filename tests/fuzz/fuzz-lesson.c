/* SPDX-License-Identifier: MIT */
/* What a teacher writes and a double click opens. Whatever is taken has sections, a state and
 * answers; whatever is refused says why and where, inside of the text. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "app/lessons/lesson.h"

#define HEAD "---\ntitle: A\nminutes: 5\nmodel: m\nabout: b\n---\n\n"
#define STATE "## S\n```headlight\nheadlight render --layer 1 --heads 2,3 -o a.svg 'The cat' \"x\"\n" \
              "```\n"

static const char *const seeds[] = {
  HEAD STATE "Text **b** *i* `c`\n- item\n\ntry: it\nnote: that\n```text\ncode\n```\n",
  HEAD STATE "ask: token Which?\nanswer: \"cat\"#2\nask: cell Which?\nanswer: 1, \"mat\"\n"
             "ask: head Which?\nanswer: 3.11\nask: number How?\nanswer: size(tokens) +- 1\n"
             "ask: option Which?\noption: yes\noption: no\nanswer: yes\n",
  HEAD STATE "claim: weight(3.11, \"cat\"#1, other.\"cat\"#2, value-norm) >= 0.9\n"
             "claim: -(max(abs(share(*.*, typed, later) - before.row-sum(3.*, *))) + 2) / 3 < 1e-5"
             "\n"
             "claim: count(pattern(*.*, previous) >= 0.5) = 2 ± 0.1\n"
             "claim: log2(probability(\"her\") / unedited.probability(is-next, 3)) <= -1\n",
  HEAD STATE "claim: entropy(0.*, *, scale=1, temperature=2, plus=5, plain) = 1\n## T\n"
             "claim: length(output, 1.2, *) + state-dot(2, 0, special) * rollout(1, 2, itself) > 0"
             "\n",
  "\xef\xbb\xbf---\r\ntitle: \xc3\xa4\r\nminutes: 1\r\nmodel: m\r\n---\r\n## S\r\n````headlight\r\n"
  "headlight render \\\r\n --edit 'zero 1.2' -o a.svg A\r\n````\r\n",
};

void
fuzz_add_seeds (GPtrArray *array)
{
  for (gsize i = 0; i < G_N_ELEMENTS (seeds); i++)
    g_ptr_array_add (array, g_bytes_new_static (seeds[i], strlen (seeds[i])));
}

static void
check_lesson (const AppLesson *lesson)
{
  const AppSection *first = lesson->sections->pdata[0];

  g_assert_nonnull (first->state);
  g_assert_cmpint (lesson->minutes, >=, 1);
  for (guint i = 0; i < lesson->sections->len; i++) {
    const AppSection *section = lesson->sections->pdata[i];

    for (guint j = 0; j < section->blocks->len; j++) {
      const AppBlock *block = section->blocks->pdata[j];
      g_autofree char *markup = block->text ? app_lesson_to_markup (block->text) : NULL;

      g_assert_true (block->text || block->ask || block->claim);
      g_assert_true (!block->claim || block->claim->expression);
      g_assert_true (!block->ask || block->ask->type != APP_ASK_OPTION
                     || block->ask->option < (int) block->ask->options->len);
    }
  }
}

/* The place is in the text, or just behind its end. */
static void
check_error (const GError *error,
             AppPlace      fault,
             const guint8 *data,
             gsize         size)
{
  int n_lines = 1;

  for (gsize i = 0; i < size; i++)
    n_lines += data[i] == '\n';
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_false (g_str_has_suffix (error->message, "."));
  g_assert_cmpint (fault.line, >=, 1);
  g_assert_cmpint (fault.line, <=, n_lines);
  g_assert_cmpint (fault.column, >=, 1);
  g_assert_cmpint (fault.column, <=, (int) size + 1);
}

void
fuzz_one (const guint8 *data,
          gsize         size)
{
  AppPlace fault = { 0, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (AppLesson) lesson = app_lesson_parse ("/a/a.md", (const char *) data, size, &fault,
                                                   &error);

  if (lesson != NULL)
    check_lesson (lesson);
  else
    check_error (error, fault, data, size);
}
