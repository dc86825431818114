/* SPDX-License-Identifier: MIT */
#include "engine/base/json-cursor.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include <glib/gstdio.h>

typedef struct {
  const char *text;
  const char *message; /* a part of the sentence */
} Refusal;

static const Refusal refusals[] = {
  { "", "x.json: not JSON at byte 0: the text breaks off" },
  { "  ", "not JSON at byte 2: the text breaks off" },
  { "{\"a\":1,}", "not JSON at byte 7: expected a key in quotes" },
  { "{\"1\":1,", "not JSON at byte 7: the text breaks off" },
  { "{,}", "not JSON at byte 1: expected a key in quotes" },
  { "{a:1}", "not JSON at byte 1: expected a key in quotes" },
  { "[1 2]", "not JSON at byte 3: expected a comma or an end" },
  { "[1}", "not JSON at byte 2: expected a comma or an end" },
  { "{\"a\":1]", "not JSON at byte 6: expected a comma or an end" },
  { "[1,]", "not JSON at byte 3: expected a value" },
  { "[,]", "not JSON at byte 1: expected a value" },
  { "[}", "not JSON at byte 1: expected a value" },
  { "]", "not JSON at byte 0: expected a value" },
  { "{\"a\" 1}", "not JSON at byte 5: expected a colon" },
  { "{\"a\":}", "not JSON at byte 5: expected a value" },
  { "{\"a\":1} x", "not JSON at byte 8: expected nothing behind the value" },
  { "[] []", "not JSON at byte 3: expected nothing behind the value" },
  { "nul", "not JSON at byte 0: expected a value" },
  { "True", "not JSON at byte 0: expected a value" },
  { "nullx", "not JSON at byte 4: expected nothing" },
  { "[01]", "not JSON at byte 1: a number" },
  { "[1.]", "not JSON at byte 1: a number" },
  { "[.5]", "not JSON at byte 1: expected a value" },
  { "[+1]", "not JSON at byte 1: expected a value" },
  { "[-]", "not JSON at byte 1: a number" },
  { "[1e]", "not JSON at byte 1: a number" },
  { "[1,5.5.5]", "not JSON at byte 3: a number" },
  { "[0x10]", "not JSON at byte 2: expected a comma or an end" },
  { "[NaN]", "not JSON at byte 1: expected a value" },
  { "[Infinity]", "not JSON at byte 1: expected a value" },
  { "\"a", "not JSON at byte 0: a string without an end" },
  { "\"a\\", "not JSON at byte 0: a string without an end" },
  { "\"a\nb\"", "not JSON at byte 2: a control character inside a string" },
  { "[1,\v2]", "not JSON at byte 3: expected a value" },
  { "\"a\\u0000b\"", "not JSON at byte 2: the character \\u0000" },
  { "\"\\ud800\"", "not JSON at byte 1: an escape" },
  { "\"\\x41\"", "not JSON at byte 1: an escape" },
  { "\"\xff\"", "x.json: not UTF-8 at byte 1" },
  { "[[[[1]]]]", "x.json: JSON nested deeper than 3 levels at byte 3" },
  { "{\"a\":1,\"b\":2,\"a\":3}", "x.json: the key \"a\" stands twice in one object" },
  { "{\"a\":1,\"\\u0061\":3}", "the key \"a\" stands twice" },
  { "[{\"b\":{\"a\":1,\"a\":1}}]", "the key \"a\" stands twice" },
};

static void
test_refuses (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_autoptr (GError) error = NULL;
    cJSON *value = eng_json_parse (refusals[i].text, strlen (refusals[i].text), 3, "x.json",
                                   &error);

    g_test_message ("case %" G_GSIZE_FORMAT, i);
    g_assert_null (value);
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, refusals[i].message));
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  }
}

/* Every text that breaks off inside a value is refused, and none reads beyond its end. */
static void
test_cut_short (void)
{
  static const char text[] = "{\"a\":[1,-2.5e3,\"b\\u00e9\\n\",true,null],\"c\":{\"d\":\"\"}}";

  for (gsize length = 0; length < strlen (text); length++) {
    g_autofree char *exact = g_memdup2 (text, MAX (length, 1));
    g_autoptr (GError) error = NULL;

    g_assert_null (eng_json_parse (exact, length, 8, "x.json", &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  }
}

static cJSON *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  cJSON *value = eng_json_parse (text, strlen (text), 8, "config.json", &error);

  g_assert_no_error (error);

  return value;
}

static void
test_reads (void)
{
  g_autoptr (cJSON) value = parse (" {\"a\" : [ 1, -2.5e-3, 0, -0, 1E2 ], "
                                   "\"A\": \"\\u00e9\\ud83d\\ude00\\n\"} \r\n\t");
  const cJSON *list = eng_json_find (value, "a");

  g_assert_cmpint (cJSON_GetArraySize (list), ==, 5);
  g_assert_cmpfloat (cJSON_GetArrayItem (list, 1)->valuedouble, ==, -2.5e-3);
  g_assert_cmpfloat (cJSON_GetArrayItem (list, 4)->valuedouble, ==, 100);
  g_assert_cmpstr (eng_json_find (value, "A")->valuestring, ==, "é😀\n");
  g_assert_null (eng_json_find (value, "b"));
  g_assert_null (eng_json_find (NULL, "a"));
  g_assert_null (eng_json_find (list, "a"));
}

/* What a cursor sees, with a space behind each: { } [ ] w for a word, numbers, texts in quotes. */
static char *
print_walk (EngJsonText value)
{
  static const char signs[] = " {}[]";
  g_auto (EngJsonCursor) cursor = { 0 };
  GString *walk = g_string_new (NULL);
  EngJsonKind kind;

  eng_json_cursor_init (&cursor, value);
  while ((kind = eng_json_cursor_next (&cursor)) != ENG_JSON_END)
    if (kind == ENG_JSON_STRING)
      g_string_append_printf (walk, "\"%.*s\" ", (int) cursor.length, cursor.string);
    else if (kind == ENG_JSON_NUMBER)
      g_string_append_printf (walk, "%d ", (int) (cursor.number * 1000));
    else
      g_string_append_printf (walk, "%c ", kind == ENG_JSON_WORD ? 'w' : signs[kind]);

  return g_string_free (walk, FALSE);
}

static void
test_cursor (void)
{
  static const char text[] =
    " {\"a\" : [ 1, -2.5e-3, 1234567, 1E2,[]],"
    " \"\\u0041\\n\\\"\":\"\\u00e9x\\ud83d\\ude00\\\\\","
    "\"l\":[true,false,null,{}] , \"z\":{\"y\":\"]}\"}}\r\n";
  EngJsonText whole = { text, strlen (text) };
  g_auto (EngJsonCursor) cursor = { 0 };
  g_autofree char *walk = print_walk (whole);
  g_autofree char *list = NULL;
  EngJsonText value;

  g_assert_true (eng_json_check (text, strlen (text), 8, "x.json", NULL));
  g_assert_true (g_str_has_prefix (walk, "{ \"a\" [ 1000 -2 "));
  g_assert_true (g_str_has_suffix (walk, " 100000 [ ] ] \"A\n\"\" \"\u00e9x\U0001f600\\\" "
                                         "\"l\" [ w w w { } ] \"z\" { \"y\" \"]}\" } } "));

  eng_json_cursor_init (&cursor, whole);
  g_assert_cmpint (eng_json_cursor_next (&cursor), ==, ENG_JSON_OBJECT);
  g_assert_true (eng_json_cursor_find (&cursor, "l"));
  value = eng_json_cursor_skip (&cursor);
  list = g_strndup (value.text, value.length);
  g_assert_cmpstr (list, ==, "[true,false,null,{}]");
  g_assert_true (eng_json_cursor_find (&cursor, "z"));
  value = eng_json_cursor_skip (&cursor);
  g_assert_cmpuint (value.length, ==, strlen ("{\"y\":\"]}\"}"));
  g_assert_false (eng_json_cursor_find (&cursor, "a"));
}

static void
test_get (void)
{
  g_autoptr (cJSON) value = parse ("{\"int\":12, \"real\":0.5, \"text\":\"big\", \"yes\":true, "
                                   "\"no\":null}");
  gint64 integer = 7;
  double real = 7;
  gboolean flag = FALSE;
  const char *text = "default";

  g_assert_true (eng_json_get_int (value, "int", 0, 12, "c", &integer, NULL));
  g_assert_cmpint (integer, ==, 12);
  g_assert_true (eng_json_get_int (value, "no", 0, 12, "c", &integer, NULL));
  g_assert_true (eng_json_get_int (value, "absent", 0, 12, "c", &integer, NULL));
  g_assert_cmpint (integer, ==, 12);
  g_assert_true (eng_json_get_double (value, "real", "c", &real, NULL));
  g_assert_cmpfloat (real, ==, 0.5);
  g_assert_true (eng_json_get_boolean (value, "yes", "c", &flag, NULL));
  g_assert_true (flag);
  g_assert_true (eng_json_get_string (value, "absent", "c", &text, NULL));
  g_assert_cmpstr (text, ==, "default");
  g_assert_true (eng_json_get_string (value, "text", "c", &text, NULL));
  g_assert_cmpstr (text, ==, "big");
}

static void
assert_refused (gboolean    done,
                GError    **error,
                int         code,
                const char *message)
{
  g_assert_false (done);
  g_assert_error (*error, ENG_ERROR, code);
  g_assert_cmpstr ((*error)->message, ==, message);
  g_clear_error (error);
}

static void
test_get_refuses (void)
{
  g_autoptr (cJSON) value = parse ("{\"text\":\"big\", \"half\":0.5, \"n\":13, \"large\":1e300, "
                                   "\"inf\":1e999, \"list\":[]}");
  g_autoptr (GError) error = NULL;
  gint64 integer = 7;
  double real = 7;
  gboolean flag = FALSE;
  const char *text = "default";

  assert_refused (eng_json_get_int (value, "text", 0, 9, "config.json", &integer, &error), &error,
                  ENG_ERROR_FORMAT,
                  "config.json: text is \"big\", expected a whole number");
  assert_refused (eng_json_get_int (value, "half", 0, 9, "c", &integer, &error), &error,
                  ENG_ERROR_FORMAT,
                  "c: half is 0.5, expected a whole number");
  assert_refused (eng_json_get_int (value, "large", 0, G_MAXINT64, "c", &integer, &error), &error,
                  ENG_ERROR_FORMAT,
                  "c: large is 1e+300, expected a whole number");
  assert_refused (eng_json_get_int (value, "n", 1, 12, "c", &integer, &error), &error,
                  ENG_ERROR_RANGE,
                  "c: n is 13, expected a whole number from 1 to 12");
  assert_refused (eng_json_get_double (value, "inf", "c", &real, &error), &error, ENG_ERROR_FORMAT,
                  "c: inf is inf, expected a finite number");
  assert_refused (eng_json_get_double (value, "list", "c", &real, &error), &error, ENG_ERROR_FORMAT,
                  "c: list is a list, expected a finite number");
  assert_refused (eng_json_get_boolean (value, "n", "c", &flag, &error), &error, ENG_ERROR_FORMAT,
                  "c: n is 13, expected true or false");
  assert_refused (eng_json_get_string (value, "n", "c", &text, &error), &error, ENG_ERROR_FORMAT,
                  "c: n is 13, expected a text");
  g_assert_cmpint (integer, ==, 7);
  g_assert_cmpfloat (real, ==, 7);
}

/* A comma as decimal point, which strtod() would then expect. */
static void
test_other_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_ALL, NULL));
  g_autoptr (cJSON) value = NULL;

  if (!setlocale (LC_ALL, "de_DE.UTF-8")) {
    g_test_skip ("there is no locale de_DE.UTF-8");
    return;
  }
  value = parse ("[1.5, -2.25e-1, 3]");
  g_assert_cmpfloat (cJSON_GetArrayItem (value, 0)->valuedouble, ==, 1.5);
  g_assert_cmpfloat (cJSON_GetArrayItem (value, 1)->valuedouble, ==, -0.225);
  setlocale (LC_ALL, before);
}

/* 2^16 names whose hashes by g_str_hash() are all the same: "aB" and "b!" change it alike. */
static void
append_colliding_names (GString *text)
{
  for (int i = 0; i < 65536; i++) {
    g_string_append (text, "\"");
    for (int bit = 0; bit < 16; bit++)
      g_string_append (text, i >> bit & 1 ? "aB" : "b!");
    g_string_append_printf (text, "\":%d,", i);
  }
}

/* A vocabulary as large as the largest: comparing every pair of keys would take minutes of the
 * program's own time, whatever else the machine does. */
static void
test_many_keys (void)
{
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (cJSON) value = NULL;
  g_autoptr (GError) error = NULL;
  clock_t start, taken;

  g_assert_cmpuint (g_str_hash ("aB"), ==, g_str_hash ("b!"));
  append_colliding_names (text);
  for (int i = 0; i < 250000; i++)
    g_string_append_printf (text, "\"token%d\":%d%s", i, i, i < 249999 ? "," : "}");

  start = clock ();
  value = eng_json_parse (text->str, text->len, 2, "tokenizer.json", &error);
  taken = clock () - start;
  g_test_message ("315,536 keys, %.0f ms", 1000.0 * (double) taken / CLOCKS_PER_SEC);
  g_assert_no_error (error);
  g_assert_cmpint (cJSON_GetArraySize (value), ==, 315536);
  g_assert_cmpint (taken, <, 20 * CLOCKS_PER_SEC);

  /* One of all these keys again. */
  g_string_truncate (text, text->len - 1);
  g_string_append (text, ",\"token7\":0}");
  g_assert_null (eng_json_parse (text->str, text->len, 2, "tokenizer.json", &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "the key \"token7\" stands twice"));
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-json-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.json", NULL);
  g_autoptr (cJSON) value = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_json_read (path, 100, 2, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_clear_error (&error);

  g_assert_null (eng_json_read (folder, 100, 2, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_null (eng_json_read (path, 100, 2, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (path, "[1, 2]", -1, NULL));
  g_assert_null (eng_json_read (path, 5, 2, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_clear_error (&error);

  value = eng_json_read (path, 6, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpint (cJSON_GetArraySize (value), ==, 2);

  g_unlink (path);
  g_rmdir (folder);
}

/* A number is printed with no more digits than it takes to read the same one back, bit for bit. */
static void
test_digits (void)
{
  static const struct {
    double      number;
    const char *text;
  } texts[] = {
    { 0.1, "0.1" }, { 1240, "1240" }, { 1.0 / 3, "0.3333333333333333" }, { -2, "-2" },
    { 0.1 + 0.2, "0.30000000000000004" }, { 9007199254740991, "9007199254740991" },
    { 5e-324, "4.94065645841247e-324" },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (texts) + 20000; i++) {
    union { guint64 bits; double number; } value;
    g_autoptr (cJSON) json = cJSON_CreateObject ();
    g_autoptr (cJSON) again = NULL;
    char *text;

    value.bits = (guint64) g_rand_int (random) << 32 | g_rand_int (random);
    if (i < G_N_ELEMENTS (texts))
      value.number = texts[i].number;
    if (!isfinite (value.number))
      continue;
    eng_json_add_number (json, "a", value.number);
    cJSON_AddItemToArray (cJSON_AddArrayToObject (json, "list"),
                          cJSON_CreateNumber (value.number));
    eng_json_keep_digits (json);
    text = cJSON_PrintUnformatted (json);
    if (i < G_N_ELEMENTS (texts)) {
      g_autofree char *expected = g_strdup_printf ("{\"a\":%s,\"list\":[%s]}", texts[i].text,
                                                   texts[i].text);

      g_assert_cmpstr (text, ==, expected);
    }
    again = cJSON_Parse (text);
    g_assert_true (eng_json_find (again, "a")->valuedouble == value.number);
    g_assert_true (eng_json_find (again, "list")->child->valuedouble == value.number);
    cJSON_free (text);
  }
}

/* No number is null, and stays it. */
static void
test_no_number (void)
{
  g_autoptr (cJSON) json = cJSON_CreateObject ();
  char *text;

  eng_json_add_number (json, "a", NAN);
  eng_json_keep_digits (json);
  text = cJSON_PrintUnformatted (json);
  g_assert_cmpstr (text, ==, "{\"a\":null}");
  cJSON_free (text);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json/refuses", test_refuses);
  g_test_add_func ("/json/cut-short", test_cut_short);
  g_test_add_func ("/json/reads", test_reads);
  g_test_add_func ("/json/cursor", test_cursor);
  g_test_add_func ("/json/get", test_get);
  g_test_add_func ("/json/get-refuses", test_get_refuses);
  g_test_add_func ("/json/other-locale", test_other_locale);
  g_test_add_func ("/json/many-keys", test_many_keys);
  g_test_add_func ("/json/file", test_file);
  g_test_add_func ("/json/digits", test_digits);
  g_test_add_func ("/json/no-number", test_no_number);

  return g_test_run ();
}
