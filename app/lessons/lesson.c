/* SPDX-License-Identifier: MIT */
#include "app/lessons/lesson-private.h"

#include <string.h>

/* Those of app_desk_find_region(). */
const char *const app_lesson_regions[] = {
  "map", "picture", "caption", "inspector", "texts", "views", NULL
};

static const char *const ask_names[] = { "token", "cell", "head", "number", "option" };

void
app_ask_free (AppAsk *self)
{
  if (self == NULL)
    return;
  g_free (self->question);
  g_free (self->answer);
  g_ptr_array_unref (self->options);
  g_free (self->tokens[0].word);
  g_free (self->tokens[1].word);
  app_expression_free (self->number);
  g_free (self);
}

static void
block_free (gpointer data)
{
  AppBlock *self = data;

  g_free (self->text);
  app_ask_free (self->ask);
  g_clear_pointer (&self->claim, app_claim_free);
  g_free (self);
}

static void
section_free (gpointer data)
{
  AppSection *self = data;

  g_free (self->heading);
  g_clear_pointer (&self->state, ui_document_free);
  g_free (self->state_text);
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

AppLesson *
app_lesson_new (const char *path)
{
  AppLesson *self = g_new0 (AppLesson, 1);

  g_atomic_ref_count_init (&self->n_references);
  self->path = g_strdup (path);
  self->sections = g_ptr_array_new_with_free_func (section_free);

  return self;
}

AppSection *
app_lesson_add_section (AppLesson  *self,
                        AppPlace    place,
                        const char *heading)
{
  AppSection *section = g_new0 (AppSection, 1);

  section->place = place;
  section->heading = g_strdup (heading);
  section->blocks = g_ptr_array_new_with_free_func (block_free);
  g_ptr_array_add (self->sections, section);

  return section;
}

AppBlock *
app_section_add_block (AppSection   *self,
                       AppBlockType  type,
                       AppPlace      place)
{
  AppBlock *block = g_new0 (AppBlock, 1);

  block->type = type;
  block->place = place;
  g_ptr_array_add (self->blocks, block);

  return block;
}

AppLesson *
app_lesson_ref (AppLesson *self)
{
  g_atomic_ref_count_inc (&self->n_references);

  return self;
}

void
app_lesson_unref (AppLesson *self)
{
  if (!g_atomic_ref_count_dec (&self->n_references))
    return;
  g_free (self->path);
  g_free (self->title);
  g_free (self->model);
  g_free (self->about);
  g_ptr_array_unref (self->sections);
  g_free (self);
}

const char *
app_ask_get_type_name (AppAskType type)
{
  return ask_names[type];
}

gboolean
app_ask_type_from_name (const char *name,
                        AppAskType *type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (ask_names); i++)
    if (g_strcmp0 (name, ask_names[i]) == 0) {
      *type = i;
      return TRUE;
    }

  return FALSE;
}

/* The end of what a mark opens, the same mark again with no blank before it; NULL = it is a sign
 * like any other. */
static const char *
find_end (const char *start,
          const char *mark)
{
  const char *end = start;

  if (*start == '\0' || *start == ' ')
    return NULL;
  while ((end = strstr (end, mark)) != NULL && (end == start || end[-1] == ' '))
    end++;

  return end;
}

char *
app_lesson_to_markup (const char *text)
{
  static const struct { const char *mark, *tag; } marks[] = {
    { "**", "b" }, { "*", "i" }, { "`", "tt" },
  };
  GString *markup = g_string_new (NULL);

  while (*text != '\0') {
    const char *end = NULL;
    gsize i = 0;

    for (; i < G_N_ELEMENTS (marks) && end == NULL; i++)
      if (g_str_has_prefix (text, marks[i].mark))
        end = find_end (text + strlen (marks[i].mark), marks[i].mark);
    if (end != NULL) {
      const char *mark = marks[i - 1].mark;
      g_autofree char *inner = g_strndup (text + strlen (mark),
                                          (gsize) (end - text) - strlen (mark));
      /* Code is left as it is; what is strong may hold code. */
      g_autofree char *content = *mark == '`' ? g_markup_escape_text (inner, -1)
                                              : app_lesson_to_markup (inner);

      g_string_append_printf (markup, "<%s>%s</%s>", marks[i - 1].tag, content, marks[i - 1].tag);
      text = end + strlen (mark);
    } else {
      g_autofree char *sign = g_markup_escape_text (text, g_utf8_next_char (text) - text);

      g_string_append (markup, sign);
      text = g_utf8_next_char (text);
    }
  }

  return g_string_free (markup, FALSE);
}
