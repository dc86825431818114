/* SPDX-License-Identifier: MIT */
/* Lessons that are wrong: one sentence each, with line and column. */
#include <string.h>

#include "tests/support/command-line.h"
#include "tests/support/temporary.h"

#define HEADER "---\ntitle: A\nminutes: 5\nmodel: headlight-mini\n---\n\n"
#define STATE "## S\n\n```headlight\nheadlight render -o a.svg 'The cat sat' 'The cat lay'\n```\n\n"

static char *folder; /* a temporary one */

/* (transfer full) the path */
static char *
write_lesson (const char *name,
              const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);

  return path;
}

typedef struct {
  const char *text;
  const char *said; /* behind FILE: */
} Broken;

static const Broken broken[] = {
  { "## S\n", "1:1: a lesson begins with a line ---, its title, minutes and model, and ---" },
  { "---\ntitle: A\nminutes: many\nmodel: m\n---\n",
    "3:10: minutes is “many”, expected a whole number from 1 to 600" },
  { "---\ntitle: A\nminutes: 5\n---\n\n## S\n", "4:1: the header has no model" },
  { "", "1:1: a lesson begins with a line ---, its title, minutes and model, and ---" },
  { "---\ntitle: A\ntitle: B\nminutes: 5\nmodel: m\n---\n",
    "3:1: the header has a second title" },
  { "---\nminutes: 5\ntitle: A\nminutes: 5\nmodel: m\n---\n",
    "4:1: the header has a second minutes" },
  { HEADER STATE "Text \xff here.\n", "13:6: the byte 0xff is no text, expected UTF-8" },
  { HEADER "## S\n\n```headlight\nheadlight render -o a.svg 'A'\n\nText.\n",
    "9:1: the code block is not closed, expected ```" },
  { HEADER "## S\n\n```headlight\nheadlight predict 'A'\n```\n", "10:11: “predict” stands here, "
    "expected “render” of the command that Copy As → Command gives" },
  { HEADER "## S\n\n```headlight\nrm -r /\n```\n", "10:1: “rm” stands here, expected “headlight” "
    "of the command that Copy As → Command gives" },
  { HEADER "## S\n\nText.\n",
    "7:1: the first section has no state, expected a code block ```headlight" },
  { HEADER "## S\n\n```headlight\nheadlight render --layer x -o a.svg 'A'\n```\n",
    "10:18: layer is \"x\", expected a whole number from 0 to 9999" },
  { HEADER "## S\n\n```headlight\nheadlight render -o a.svg 'A\n```\n",
    "10:27: the quote is not closed" },
  { HEADER STATE "clam: weight(0.0, 0, 0) >= 0\n",
    "13:1: “clam:” begins no line of a lesson, expected ask, option, answer, claim, "
    "point, try or note" },
  { HEADER STATE "point: cellar\n", "13:8: “cellar” is no part of the window, expected one of map, "
    "picture, caption, inspector, texts, views" },
  { HEADER STATE "point: map\npoint: texts\n",
    "14:1: the section has a second point:, expected one a section" },
  { HEADER STATE "claim: wait(0.0, 0, 0) >= 0\n",
    "13:8: there is no function “wait”; the lesson “How a lesson is written” lists "
    "them" },
  { HEADER STATE "claim: “ä”\n",
    "13:8: ““ä”” stands here, expected a number or a function, such as weight(3.11, 2, 9)" },
  { HEADER STATE "claim: weight(0.0, \"cat\"#1, 1)\n",
    "13:31: the line ends here, expected one of >= <= > < = and a number" },
  { HEADER STATE "claim: weight(0.0, \"cat\"#1) >= 0\n",
    "13:27: “)” stands here, expected \",\" and what else the function takes" },
  { HEADER STATE "claim: weight(0.0, 0, 0, temperature=0) >= 0\n",
    "13:38: the temperature is not above 0" },
  { HEADER STATE "claim: pattern(0.0, prevous) >= 0\n", "13:21: “prevous” stands here, expected "
    "previous, next, two-back, two-on, same-token, same-word, same-word-anywhere, first, "
    "separator, punctuation, own-sentence, ab, ba, broad, aa, bb" },
  { HEADER STATE "claim: weight(0.0, 0, 0) >= 0.5 +- 0.1\n",
    "13:33: only = takes a tolerance, not >=" },
  { HEADER STATE "ask: token Which?\n\n## T\n", "13:1: the question has no line answer:" },
  { HEADER STATE "ask: option Which?\noption: yes\nanswer: no\n",
    "15:9: “no” is none of the options" },
  { HEADER STATE "ask: option Which?\noption: yes\nanswer: yes\n",
    "13:1: the question has one option, expected two or more" },
  { HEADER STATE "ask: option Which?\noption: yes\noption: no\noption: yes\nanswer: no\n",
    "16:9: the option “yes” stands here twice" },
  { HEADER STATE "ask: option Which?\noption: yes\noption: yes\nanswer: yes\n",
    "15:9: the option “yes” stands here twice" },
  { "---\ntitle: A\nminutes: 5\nmodel: m\n\n## S\n\nText.\n",
    "6:1: the header is not closed, expected a line --- before the first section" },
  { "---\ntitle: A\nminutes: 5\nmodel: m\n\n## S: more\n\nText.\n",
    "6:1: the header is not closed, expected a line --- before the first section" },
  { HEADER STATE "ask: colour Which?\n",
    "13:6: “colour” stands here, expected what is to be chosen: token, cell, head, number "
    "or option" },
  /* What only the model and the text tell. */
  { HEADER "## S\n\n```headlight\nheadlight render --view steps --heads 1 --step 99 -o a.svg 'A'\n"
    "```\n", "10:41: Step 99 does not exist: the way has steps 0 to 30" },
  { HEADER "## S\n\n```headlight\nheadlight render --edit 'zero 9.0' -o a.svg 'A'\n```\n",
    "10:18: edit \"zero 9.0\": there is no layer 9, only 0 to 5" },
  { HEADER "## S\n\n```headlight\nheadlight render --layer 3 --heads 15 -o a.svg 'A'\n```\n",
    "10:28: Head 15 does not exist: layer 3 has heads 0 to 11" },
  { HEADER "## S\n\n```headlight\nheadlight render --layer 77 -o a.svg 'A'\n```\n\n"
    "claim: weight(77.0, 1, 0) >= 0\n",
    "10:18: Layer 77 does not exist: the encoder has layers 0 to 5" },
  { HEADER "## S\n\n```headlight\nheadlight render --edit 'zero 1.2' --edit 'zero 9.0' --words "
    "-o a.svg 'A'\n```\n", "10:36: edit \"zero 9.0\": there is no layer 9, only 0 to 5" },
  { HEADER "## S\n\n```headlight\nheadlight render --layer=3 \\\n  --pin 20 --words -o a.svg 'A'\n"
    "```\n", "11:3: The pinned query 20 does not exist: the tokens are 0 to 2" },
  /* Of two that are wrong the one that is said. */
  { HEADER "## S\n\n```headlight\nheadlight render --pin 20 --layer 9 -o a.svg 'A'\n```\n",
    "10:27: Layer 9 does not exist: the encoder has layers 0 to 5" },
  { HEADER STATE "claim: weight(6.0, 0, 0) >= 0\n", "13:15: there is no layer 6, they are 0 to 5" },
  { HEADER STATE "claim: weight(0.0, \"dog\", 0) >= 0\n",
    "13:20: “dog” is no token here; these are [CLS] the cat sat [SEP] the cat lay [SEP]" },
  { HEADER STATE "claim: weight(0.0, 0, \"cat\") >= 0\n",
    "13:23: “cat” stands here 2 times, expected \"cat\"#1 for the first of them" },
  { HEADER STATE "claim: weight(0.*, 0, 0) >= 0\n", "13:8: these are 12 values, expected one; "
    "min(…), max(…), mean(…), sum(…) and count(…) make one of them" },
  { HEADER STATE "claim: other.weight(0.0, 0, 0) >= 0\n",
    "13:8: the state has no second side, expected --compare sides" },
  { HEADER STATE "ask: token Which?\nanswer: \"dog\"\n",
    "14:9: “dog” is no token here; these are [CLS] the cat sat [SEP] the cat lay [SEP]" },
  { HEADER STATE "ask: token Which?\nanswer: \"cat\"\n",
    "14:9: “cat” stands here 2 times, expected \"cat\"#1 for the first of them" },
  /* Infinity is above every bound. */
  { HEADER STATE "claim: 1 / 0 >= 0.9\n",
    "13:10: the quotient is no finite number" },
  { HEADER STATE "claim: score(3.11, 1, 2) / 0 <= 0.9\n",
    "13:26: the quotient is no finite number" },
  { HEADER STATE "claim: 1 / (1 / 0) = 0\n",
    "13:15: the quotient is no finite number" },
  { HEADER STATE "claim: log2(0) < 0\n", "13:8: the value is no finite number" },
  { HEADER STATE "claim: count(log2(0) < 0) = 1\n", "13:14: the value is no finite number" },
  { HEADER STATE "ask: number How many?\nanswer: 3 / 0\n",
    "14:11: the quotient is no finite number" },
  { HEADER STATE "ask: token Which?\nanswer: “cat”#1\n",
    "14:9: the quotes are curved, expected straight ones: \"cat\"" },
  { HEADER STATE "claim: weight(0.0, „sat“, 0) >= 0\n",
    "13:20: the quotes are curved, expected straight ones: \"sat\"" },
  { HEADER STATE "claim: probability(“sat”) >= 0\n",
    "13:20: the quotes are curved, expected straight ones: \"sat\"" },
  /* A value that looks as if it were true has more digits. */
  { HEADER STATE "claim: 1 + 1e-6 = 1\n", "13:8: the claim 1 + 1e-6 = 1 is false, the value is "
    "1.000001; +- says how far off it may be" },
  { HEADER STATE "claim: 2.0004 = 2\n", "13:8: the claim 2.0004 = 2 is false, the value is "
    "2.0004; +- says how far off it may be" },
  { HEADER STATE "claim: 0.123456 = 0.1235\n", "13:8: the claim 0.123456 = 0.1235 is false, the "
    "value is 0.12346; +- says how far off it may be" },
  { HEADER STATE "claim: 1 - 1e-9 >= 1\n",
    "13:8: the claim 1 - 1e-9 >= 1 is false, the value is 0.999999999" },
  { HEADER STATE "claim: 2.02 = 2 +- 0.01\n",
    "13:8: the claim 2.02 = 2 +- 0.01 is false, the value is 2.02" },
  { HEADER STATE "claim: size(tokens) = 3\n",
    "13:8: the claim size(tokens) = 3 is false, the value is 9" },
  /* What would be read as text. */
  { HEADER STATE " claim: 1 > 2\n",
    "13:1: a claim begins at the line's start, in small letters: claim: …" },
  { HEADER STATE "Text.\n- claim: 1 > 2\n",
    "14:1: a claim begins at the line's start, in small letters: claim: …" },
  { HEADER STATE "Claim: 1 > 2\n",
    "13:1: a claim begins at the line's start, in small letters: claim: …" },
  { HEADER STATE "**claim:** 1 > 2\n",
    "13:1: a claim begins at the line's start, in small letters: claim: …" },
  { HEADER STATE "**claim** : 1 > 2\n",
    "13:1: a claim begins at the line's start, in small letters: claim: …" },
  { HEADER STATE "Ask: token Which?\n",
    "13:1: a question begins at the line's start, in small letters: ask: …" },
  { HEADER STATE "Note: Speak slowly.\n",
    "13:1: a note begins at the line's start, in small letters: note: …" },
  { HEADER STATE "note : Speak slowly.\n",
    "13:1: a note begins at the line's start, in small letters: note: …" },
  { HEADER STATE "Text.\n**Try:** Stand up.\n",
    "14:1: what to try begins at the line's start, in small letters: try: …" },
  { HEADER STATE "Point: map\n",
    "13:1: what the window points at begins at the line's start, in small letters: point: …" },
  { HEADER STATE "ask: option Which?\noption: yes\nOption: no\nanswer: yes\n",
    "15:1: an option begins at the line's start, in small letters: option: …" },
  { HEADER STATE "claim weight(0.0, \"cat\"#1, 0) >= 99\n", "13:1: a claim has a colon behind its "
    "first word, expected claim: weight(0.0, \"cat\"#1, 0) >= 99" },
  { HEADER STATE "1. claim 1 > 2\n",
    "13:1: a claim has a colon behind its first word, expected claim: 1 > 2" },
  { HEADER STATE "2) claim: 1 > 2\n",
    "13:1: a claim begins at the line's start, in small letters: claim: …" },
  { HEADER STATE "Text.\nCLAIM 1 > 2\n",
    "14:1: a claim has a colon behind its first word, expected claim: 1 > 2" },
  { HEADER STATE "claim wait(0.0, 0) >= 99\n",
    "13:1: a claim has a colon behind its first word, expected claim: wait(0.0, 0) >= 99" },
  { HEADER STATE "ask token Which?\nanswer: 1\n",
    "13:1: a question has a colon behind its first word, expected ask: token Which?" },
  { HEADER STATE "ask: token Which?\nanswer \"cat\"#1\n",
    "14:1: an answer has a colon behind its first word, expected answer: \"cat\"#1" },
  { HEADER STATE "ask: option Which?\noption: yes\noption: no\nOption both\nanswer: yes\n",
    "16:1: an option has a colon behind its first word, expected option: both" },
  { HEADER STATE "point map\n", "13:1: what the window points at has a colon behind its first "
    "word, expected point: map" },
};

/* Ordinary English begins with the same words. */
static void
test_prose (void)
{
  g_autofree char *path = write_lesson ("prose.md", HEADER STATE
    "Try it yourself.\nNote that “cat” stands here twice: look.\nnote the colon: it is far away.\n\n"
    "Claim 1 is that it works.\nClaims: none.\nclaim nothing (or little).\n\n"
    "Ask number one fans. Ask head teachers.\nPoint at the map.\nPoint map and ruler aside.\n\n"
    "Answer \"yes\" or \"no\".\nOption B is none.\nOptions: none.\n\n"
    "ask: token Which one?\n\nAnswer with a token.\n\nanswer: 1\nclaim: weight(1.6, 1, 0) >= 0\n");
  g_auto (Run) run = { 0 };

  run_headlight (&run, "lesson", "check", path, NULL);
  assert_done (&run);
}

/* Each is one sentence with its place. */
static void
test_broken (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++) {
    g_autofree char *path = write_lesson ("broken.md", broken[i].text);
    g_autofree char *expected = g_strdup_printf ("%s:%s\n", path, broken[i].said);
    g_auto (Run) run = { 0 };

    run_headlight (&run, "lesson", "check", path, NULL);
    g_assert_cmpstr (run.err, ==, expected);
    g_assert_cmpint (run.status, ==, 1);
  }
}

/* (transfer full) Each line behind the file's name. */
static char *
name_lines (const char *path,
            const char *said)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  GString *named = g_string_new (NULL);

  for (int i = 0; lines[i] != NULL; i++)
    g_string_append_printf (named, "%s:%s\n", path, lines[i]);

  return g_string_free (named, FALSE);
}

/* All that is wrong in the words of a file at once, in its order, and nothing that only follows from
 * what was said before. */
static const Broken several[] = {
  { "---\ntitle: A\nminutes: many\nauthor: B\nmodel: m\n---\n\n" STATE "clam: 1 > 0\n",
    "3:10: minutes is “many”, expected a whole number from 1 to 600\n"
    "4:1: “author” is no key of a lesson, expected title, minutes, model or about\n"
    "14:1: “clam:” begins no line of a lesson, expected ask, option, answer, claim, point, try or note" },
  { HEADER STATE "claim: wait(0.0, 0, 0) >= 0\nclaim: 1 > 0\nClaim: 1 > 2\npoint: cellar\n",
    "13:8: there is no function “wait”; the lesson “How a lesson is written” lists them\n"
    "15:1: a claim begins at the line's start, in small letters: claim: …\n"
    "16:8: “cellar” is no part of the window, expected one of map, picture, caption, inspector, "
    "texts, views" },
  /* A question that is wrong takes its options and its answer with it, no further question. */
  { HEADER STATE "ask: colour Which?\noption: red\noption: blue\nanswer: red\n\n"
    "ask: option Which?\noption: red\noption:\nanswer: blue\n\nask: token Which?\n\n"
    "ask: token Which?\nanswer: 1 2\n\nanswer: 3\n\n## T\n\noption: yes\n",
    "13:6: “colour” stands here, expected what is to be chosen: token, cell, head, number or option\n"
    "20:8: nothing stands behind option:\n"
    "23:1: the question has no line answer:\n"
    "26:11: “2” stands here, expected the end of the line\n"
    "28:1: an answer stands behind no question\n"
    "32:1: an option stands behind no line “ask: option …”" },
  { HEADER STATE "Ask: token Which?\nanswer: 1\n\nask: token Which?\nanswer 1\n\n"
    "ask: option Which?\noption: a\nOption: b\nanswer: b\n\nask: token Which?\nNote: None.\n",
    "13:1: a question begins at the line's start, in small letters: ask: …\n"
    "17:1: an answer has a colon behind its first word, expected answer: 1\n"
    "21:1: an option begins at the line's start, in small letters: option: …\n"
    "24:1: the question has no line answer:\n"
    "25:1: a note begins at the line's start, in small letters: note: …" },
  /* A state that is wrong is none that lacks; one that lacks is said beside the rest. */
  { HEADER "## S\n\n```headlight\nheadlight render --layer x -o a.svg 'A'\n```\n\nclaim: 1 >\n\n"
    "## T\n\n```headlight\nheadlight predict 'A'\n```\n",
    "10:18: layer is \"x\", expected a whole number from 0 to 9999\n"
    "13:11: the line ends here, expected a number\n"
    "18:11: “predict” stands here, expected “render” of the command that Copy As → Command gives" },
  { HEADER "## S\n\nclaim: 1 >\n\n###\n\nText.\n",
    "7:1: the first section has no state, expected a code block ```headlight\n"
    "9:11: the line ends here, expected a number\n"
    "11:1: expected “## ” and a heading" },
  { HEADER "Text.\n\nMore text.\n\n" STATE "claim: 1 >\n\n```\nText.\n",
    "7:1: a section begins with “## ” and its heading\n"
    "17:11: the line ends here, expected a number\n"
    "19:1: the code block is not closed, expected ```" },
};

static void
test_several (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (several); i++) {
    g_autofree char *path = write_lesson ("broken.md", several[i].text);
    g_autofree char *expected = name_lines (path, several[i].said);
    g_auto (Run) run = { 0 };
    g_auto (Run) printed = { 0 };

    run_headlight (&run, "lesson", "check", path, NULL);
    g_assert_cmpstr (run.err, ==, expected);
    g_assert_cmpint (run.status, ==, 1);
    g_assert_true (g_str_has_suffix (run.out, "1 lessons, 0 claims, 0 false, 0 skipped\n"));
    run_headlight (&printed, "lesson", "hand-out", path, "-o", "none.pdf", NULL);
    g_assert_cmpstr (printed.err, ==, expected);
    g_assert_cmpint (printed.status, ==, 1);
  }
}

/* A program has them as a list, and the first one where it always was. */
static void
test_several_as_json (void)
{
  g_autofree char *path = write_lesson ("broken.md", several[1].text);
  g_auto (Run) run = { 0 };

  run_headlight (&run, "lesson", "check", "--json", path, NULL);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_true (g_regex_match_simple ("\"error\":\\s*\\{\\s*\"line\":\\s*13,", run.out, 0, 0));
  g_assert_true (g_regex_match_simple ("(?s)\"errors\":\\s*\\[.*\"line\":\\s*13,.*\"line\":\\s*15,"
                                       ".*\"line\":\\s*16,", run.out, 0, 0));
}

/* Beyond what a lesson may be long. */
static void
test_large (void)
{
  g_autofree char *words = g_strnfill (5 << 20, 'a');
  g_autofree char *text = g_strconcat (HEADER STATE, words, NULL);
  g_autofree char *path = write_lesson ("broken.md", text);
  g_autofree char *expected = g_strdup_printf ("%s:1:1: the file has %" G_GSIZE_FORMAT " bytes, a "
                                               "lesson has at most 1048576\n", path,
                                               strlen (text));
  g_auto (Run) run = { 0 };

  run_headlight (&run, "lesson", "check", path, NULL);
  g_assert_cmpstr (run.err, ==, expected);
  g_assert_cmpint (run.status, ==, 1);
}

#define ASKED "ask: token Which?\nanswer: 1\n\nask: number How many?\nanswer: 4\n" \
  "claim: weight(1.6, 1, 0) = 4 +- 4\n"
#define MORE "ask: option Which?\noption: one\noption: two\nanswer: one\n\n" \
  "ask: head Which?\nanswer: 1.6\n\nask: cell Which?\nanswer: 2, 1\n\n" \
  "ask: number How many?\nanswer: size(tokens) +- 1\n\nclaim: weight(1.6, \"cat\"#1, 1) >= 0 \n"
#define T "## T\n\nWords.\n\n"
#define IN_GERMAN "ask: option Was?\noption: eins\noption: zwei\nanswer: eins\n\n" \
  "ask: head Was?\nanswer: 1.6\n\nask: cell Was?\nanswer: 2,1\n\n" \
  "ask: number Was?\nanswer: size( tokens ) ± 1\n\nclaim: weight(1.6,\"cat\"#1,1)>=0\n"

/* What was chosen is kept by the place of its question: a translation has those of the lesson, and
 * what is true there. */
static void
test_translation (void)
{
  static const Broken translations[] = {
    { "---\ntitle: A\nminutes:  50\nmodel: headlight-mini\n---\n\n" STATE ASKED T IN_GERMAN,
      "3:11: minutes is 50, expected 5 as in original.md" },
    { HEADER STATE ASKED, "7:1: the number of sections is 1, expected 2 as in original.md" },
    { HEADER STATE ASKED T MORE "## U\n\nWords.\n",
      "38:1: the number of sections is 3, expected 2 as in original.md" },
    { HEADER STATE "ask: number How many?\nanswer: 4\n\n" T MORE,
      "13:1: the section has other questions than section 1 of original.md" },
    { HEADER STATE ASKED T MORE "ask: token Which?\nanswer: 1\n",
      "38:1: the section has other questions than section 2 of original.md" },
    { HEADER STATE "ask: token Which?\nanswer: 1\n\n" T MORE,
      "13:1: the section has other questions than section 1 of original.md" },
    { HEADER STATE "ask: token Which?\nanswer: 2\n\nask: number How many?\nanswer: 4\n\n" T MORE,
      "14:9: the answer is another than in section 1 of original.md" },
    { HEADER STATE "ask: token Which?\nanswer: 1\n\nask: number How many?\nanswer: 5\n\n" T MORE,
      "17:9: the answer is another than in section 1 of original.md" },
    { "---\ntitle: A\nminutes: 5\nmodel: prenorm\n---\n\n" STATE ASKED T MORE,
      "10:1: --model is “prenorm”, expected “headlight-mini” as in section 1 of original.md" },
    { HEADER "## S\n\n```headlight\nheadlight render --layer 2 --heads 1 -o a.svg 'The cat sat' "
      "'The cat lay'\n```\n\n" ASKED T MORE,
      "10:1: --layer is “2”, expected “0” as in section 1 of original.md" },
    { HEADER "## S\n\n```headlight\nheadlight render -o a.svg 'Die Katze sitzt' 'The cat lay'\n"
      "```\n\n" ASKED T MORE, "10:1: the sentences of the state are others, expected those as in "
      "section 1 of original.md" },
    { HEADER STATE ASKED "## T\n\n```headlight\nheadlight render -o a.svg 'The cat sat' "
      "'The cat lay'\n```\n\n" MORE, "22:1: the section has a state, unlike section 2 of original.md" },
    { HEADER STATE ASKED T "ask: option Was?\noption: eins\noption: zwei\noption: drei\n"
      "answer: eins\n", "23:1: the question has 3 options, expected 2 as in section 2 of original.md" },
    { HEADER STATE ASKED T "ask: option Was?\noption: eins\noption: zwei\nanswer: zwei\n",
      "26:9: the answer is another than in section 2 of original.md" },
    { HEADER STATE ASKED T "ask: option Was?\noption: 1\noption: 2\nanswer: 1\n\n"
      "ask: head Was?\nanswer: 1.5\n",
      "29:9: the answer is another than in section 2 of original.md" },
    { HEADER STATE ASKED T "ask: option Was?\noption: 1\noption: 2\nanswer: 1\n\n"
      "ask: head Was?\nanswer: 1.6\n\nask: cell Was?\nanswer: 2, 3\n",
      "32:9: the answer is another than in section 2 of original.md" },
    { HEADER STATE ASKED T "ask: option Was?\noption: 1\noption: 2\nanswer: 1\n\n"
      "ask: head Was?\nanswer: 1.6\n\nask: cell Was?\nanswer: 2, 1\n\n"
      "ask: number Was?\nanswer: size(tokens) +- 2\n",
      "35:9: the answer is another than in section 2 of original.md" },
    { HEADER STATE ASKED T "ask: option Was?\noption: 1\noption: 2\nanswer: 1\n\n"
      "ask: head Was?\nanswer: 1.6\n\nask: cell Was?\nanswer: 2, 1\n\n"
      "ask: number Was?\nanswer: size(tokens) +- 1\n", "19:1: the claim weight(1.6, \"cat\"#1, 1) >= 0 "
      "is missing, which stands in section 2 of original.md" },
    { HEADER STATE ASKED T MORE "claim: 1 = 1\n",
      "38:8: there is no such claim in section 2 of original.md" },
    { HEADER STATE ASKED T "ask: option Was?\noption: 1\noption: 2\nanswer: 1\n\n"
      "ask: head Was?\nanswer: 1.6\n\nask: cell Was?\nanswer: 2, 1\n\n"
      "ask: number Was?\nanswer: size(tokens) +- 1\n\nclaim: weight(1.6, \"cat\"#2, 1) >= 0\n",
      "37:8: the claim is another, expected weight(1.6, \"cat\"#1, 1) >= 0 as in section 2 of "
      "original.md" },
  };
  g_autofree char *original = write_lesson ("original.md", HEADER STATE ASKED T MORE);
  g_autofree char *same = write_lesson ("original.de.md",
                                        HEADER STATE "Mehr. \n\n" ASKED T IN_GERMAN);
  g_auto (Run) good = { 0 };

  run_headlight (&good, "lesson", "check", original, same, NULL);
  assert_done (&good);
  g_assert_true (g_str_has_suffix (good.out, "2 lessons, 4 claims, 0 false, 0 skipped\n"));
  for (gsize i = 0; i < G_N_ELEMENTS (translations); i++) {
    g_autofree char *path = write_lesson ("original.de.md", translations[i].text);
    g_autofree char *expected = g_strdup_printf ("%s:%s\n", path, translations[i].said);
    g_auto (Run) run = { 0 };

    run_headlight (&run, "lesson", "check", path, NULL);
    g_assert_cmpstr (run.err, ==, expected);
    g_assert_cmpint (run.status, ==, 1);
  }
}

/* A lesson is checked with the translations beside it, each once. */
static void
test_beside (void)
{
  static const Broken translations[] = {
    { HEADER "No section.\n", "7:1: a section begins with “## ” and its heading" },
    { HEADER STATE "claim: 1 = 2\n", "13:8: the claim is another, expected 1 = 1 as in section 1 of "
      "beside.md" },
    { HEADER STATE "Worte.\n", "7:1: the claim 1 = 1 is missing, which stands in section 1 of beside.md" },
  };
  g_autofree char *original = write_lesson ("beside.md", HEADER STATE "claim: 1 = 1\n");
  g_autofree char *other = write_lesson ("besides.de.md", "Another lesson's.");
  g_autofree char *french = write_lesson ("beside.fr.md", HEADER STATE "claim: 1 = 1\n");
  g_auto (Run) good = { 0 };

  run_headlight (&good, "lesson", "check", original, NULL);
  assert_done (&good);
  g_assert_true (g_str_has_suffix (good.out, "2 lessons, 2 claims, 0 false, 0 skipped\n"));
  for (gsize i = 0; i < G_N_ELEMENTS (translations); i++) {
    g_autofree char *path = write_lesson ("beside.de.md", translations[i].text);
    g_autofree char *expected = g_strdup_printf ("%s:%s\n", path, translations[i].said);
    g_auto (Run) run = { 0 };

    run_headlight (&run, "lesson", "check", original, NULL);
    g_assert_cmpstr (run.err, ==, expected);
    g_assert_cmpint (run.status, ==, 1);
    g_assert_true (g_str_has_suffix (run.out, "3 lessons, 2 claims, 0 false, 0 skipped\n"));
  }
}

static void
test_state_that_cannot_be (void)
{
  g_autofree char *path = write_lesson ("state.md", HEADER
    "## S\n\n```headlight\nheadlight render --layer 9 -o a.svg 'A'\n```\n");
  g_autofree char *absent = g_build_filename (folder, "absent.md", NULL);
  g_auto (Run) run = { 0 };
  g_auto (Run) none = { 0 };

  run_headlight (&run, "lesson", "check", path, NULL);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_true (g_str_has_prefix (run.err + strlen (path), ":10:18: "));
  g_assert_nonnull (strstr (run.err, "layer"));

  run_headlight (&none, "lesson", "check", absent, NULL);
  g_assert_cmpint (none.status, ==, 1);
  g_assert_true (g_str_has_prefix (none.err, absent));
  g_assert_true (g_str_has_suffix (none.out, "1 lessons, 0 claims, 0 false, 0 skipped\n"));
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = temporary_new ();
  g_test_add_func ("/cli-lesson-broken/table", test_broken);
  g_test_add_func ("/cli-lesson-broken/prose", test_prose);
  g_test_add_func ("/cli-lesson-broken/several", test_several);
  g_test_add_func ("/cli-lesson-broken/several-as-json", test_several_as_json);
  g_test_add_func ("/cli-lesson-broken/large", test_large);
  g_test_add_func ("/cli-lesson-broken/translation", test_translation);
  g_test_add_func ("/cli-lesson-broken/beside", test_beside);
  g_test_add_func ("/cli-lesson-broken/state-that-cannot-be", test_state_that_cannot_be);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
