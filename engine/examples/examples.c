/* SPDX-License-Identifier: MIT */
#include "engine/examples/examples.h"

#include <string.h>

#include "engine/examples/lines.h"

#define MAX_COLUMNS 3

typedef struct {
  EngExamplesKind  kind;
  GPtrArray       *examples;
  GPtrArray       *words;  /* of the sentence that is read, */
  GPtrArray       *tags;   /* and its tags */
  int              line;   /* where it begins */
} Reader;

static const struct {
  int         n_columns;
  const char *expected;
  const char *what;
} kinds[] = {
  [ENG_EXAMPLES_CLASSES] = { 2, "a text and its label", "text with a label" },
  [ENG_EXAMPLES_PAIRS] = { 3, "two texts and their label", "pair of texts with a label" },
  [ENG_EXAMPLES_TAGS] = { 2, "a word and its tag, or an empty line behind a sentence",
                          "word with a tag" },
  [ENG_EXAMPLES_ANSWERS] = { 3, "a question, a context and the answer",
                             "question with a context and an answer" },
};

static void
example_free (gpointer data)
{
  EngExample *self = data;

  g_free (self->a);
  g_free (self->b);
  g_free (self->label);
  g_strfreev (self->words);
  g_strfreev (self->tags);
  g_free (self);
}

static char **
take_strings (GPtrArray *strings)
{
  g_ptr_array_add (strings, NULL);

  return (char **) g_ptr_array_steal (strings, NULL);
}

static void
end_sentence (Reader *self)
{
  EngExample *example;

  if (self->words->len == 0)
    return;
  example = g_new0 (EngExample, 1);
  example->words = take_strings (self->words);
  example->tags = take_strings (self->tags);
  example->a = g_strjoinv (" ", example->words);
  example->line = self->line;
  g_ptr_array_add (self->examples, example);
}

static gboolean
add_answer (EngExample  *example,
            GError     **error)
{
  const char *start = strstr (example->b, example->label);

  if (!start) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
                 "the answer is not in the context, expected it as it stands there");
    return FALSE;
  }
  example->start = (int) (start - example->b);

  return TRUE;
}

static gboolean
add_line (char      *line,
          int        number,
          gpointer   data,
          GError   **error)
{
  Reader *self = data;
  char *columns[MAX_COLUMNS];
  EngExample *example;

  if (eng_line_is_blank (line)) {
    end_sentence (self);
    return TRUE;
  }
  if (!eng_line_split (line, kinds[self->kind].n_columns, kinds[self->kind].expected, columns,
                       error))
    return FALSE;
  if (self->kind == ENG_EXAMPLES_TAGS) {
    self->line = self->words->len == 0 ? number : self->line;
    g_ptr_array_add (self->words, g_strdup (columns[0]));
    g_ptr_array_add (self->tags, g_strdup (columns[1]));
    return TRUE;
  }
  example = g_new0 (EngExample, 1);
  g_ptr_array_add (self->examples, example);
  example->line = number;
  example->a = g_strdup (columns[0]);
  example->b = self->kind == ENG_EXAMPLES_CLASSES ? NULL : g_strdup (columns[1]);
  example->label = g_strdup (columns[kinds[self->kind].n_columns - 1]);

  return self->kind != ENG_EXAMPLES_ANSWERS || add_answer (example, error);
}

GPtrArray *
eng_examples_read (const char       *path,
                   EngExamplesKind   kind,
                   GError          **error)
{
  g_autoptr (GPtrArray) examples = g_ptr_array_new_with_free_func (example_free);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) tags = g_ptr_array_new_with_free_func (g_free);
  Reader reader = { kind, examples, words, tags, 0 };

  if (!eng_lines_walk (path, add_line, &reader, error))
    return NULL;
  end_sentence (&reader);
  if (examples->len == 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT, "%s: there is no %s, expected one a line", path,
                 kinds[kind].what);
    return NULL;
  }

  return g_steal_pointer (&examples);
}

static int
compare_strings (gconstpointer a,
                 gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
eng_examples_dup_labels (const GPtrArray *examples)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *labels = g_ptr_array_new ();

  for (guint i = 0; i < examples->len; i++) {
    const EngExample *example = examples->pdata[i];
    char *const one[] = { example->label, NULL };

    for (char *const *label = example->tags ? example->tags : one; *label; label++)
      if (g_hash_table_add (seen, *label))
        g_ptr_array_add (labels, g_strdup (*label));
  }
  g_ptr_array_sort (labels, compare_strings);
  g_ptr_array_add (labels, NULL);

  return (char **) g_ptr_array_free (labels, FALSE);
}
