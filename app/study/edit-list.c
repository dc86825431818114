/* SPDX-License-Identifier: MIT */
#include "app/study/edit-list.h"

#define OFF "off "

/* A token that comes into a text or goes out of it, at a place that moves with what other edits do
 * to the text. */
typedef struct {
  EngKind  stack;
  int      place;
  gboolean goes;
  EngKind  first;
} Shift;

static gboolean
parse (const char *text,
       EngEdit    *edit,
       gboolean   *off)
{
  return eng_edit_parse (eng_edit_skip_off (text, off), edit, NULL);
}

/* The stack whose tokens an edit counts. */
static EngKind
get_stack (const EngEdit *edit,
           EngKind        first,
           gboolean       key)
{
  const EngKind kind = edit->kind == ENG_KIND_NOT_SAID ? first : (EngKind) edit->kind;

  if (kind != ENG_KIND_CROSS)
    return kind;
  return key ? ENG_KIND_ENCODER : ENG_KIND_DECODER;
}

/* FALSE when the token is the one that goes. */
static gboolean
shift_token (const Shift *shift,
             EngKind      stack,
             int         *token)
{
  if (stack != shift->stack || *token < shift->place)
    return TRUE;
  if (shift->goes && *token == shift->place)
    return FALSE;
  *token += shift->goes ? -1 : 1;

  return TRUE;
}

/* FALSE when nothing of the span is left. */
static gboolean
shift_span (const Shift *shift,
            EngKind      stack,
            int         *first,
            int         *n_more)
{
  const int last = *first + *n_more;

  if (*first == ENG_ALL_TOKENS || stack != shift->stack || shift->place > last)
    return TRUE;
  if (shift->place < *first || (shift->place == *first && !shift->goes))
    *first += shift->goes ? -1 : 1;
  else
    *n_more += shift->goes ? -1 : 1;

  return *n_more >= 0;
}

static gboolean
shift_edit (const Shift *shift,
            EngEdit     *edit)
{
  const gboolean has_two = edit->type == ENG_EDIT_SWAP_WORDS;
  const gboolean has_one = has_two || edit->type == ENG_EDIT_KNOCK_OUT_TOKEN
                           || edit->type == ENG_EDIT_MASK_TOKEN
                           || edit->type == ENG_EDIT_DELETE_TOKEN;

  if (edit->type == ENG_EDIT_CUT_EDGE)
    return shift_span (shift, get_stack (edit, shift->first, FALSE), &edit->query,
                       &edit->n_more_queries)
           && shift_span (shift, get_stack (edit, shift->first, TRUE), &edit->key,
                          &edit->n_more_keys);
  if (has_two && !shift_token (shift, get_stack (edit, shift->first, FALSE), &edit->query))
    return FALSE;
  return !has_one || shift_token (shift, get_stack (edit, shift->first, TRUE), &edit->key);
}

/* Numbers the edit at an index anew, or drops it; whether it is still there. */
static gboolean
renumber (GPtrArray   *edits,
          guint        index,
          const Shift *shift,
          EngEdit     *edit)
{
  char *text;
  gboolean off;

  parse (edits->pdata[index], edit, &off);
  if (!shift_edit (shift, edit)) {
    g_free (g_ptr_array_remove_index (edits, index));
    return FALSE;
  }
  text = eng_edit_to_string (edit);
  g_free (edits->pdata[index]);
  edits->pdata[index] = off ? g_strconcat (OFF, text, NULL) : g_strdup (text);
  g_free (text);

  return TRUE;
}

/* Edits of tokens behind the one at index see its token come or go at once; the others, wherever
 * they stand, see the text as all edits of tokens leave it. */
static void
renumber_all (GPtrArray *edits,
              guint      index,
              Shift      shift)
{
  EngEdit edit;
  gboolean off;

  for (guint i = index + 1; i < edits->len; i++) {
    if (!parse (edits->pdata[i], &edit, &off) || !eng_edit_is_of_tokens (&edit))
      continue;
    if (!renumber (edits, i, &shift, &edit)) {
      i--;
      continue;
    }
    if (!off && edit.type == ENG_EDIT_DELETE_TOKEN && edit.key < shift.place
        && get_stack (&edit, shift.first, TRUE) == shift.stack)
      shift.place--;
  }
  for (guint i = 0; i < edits->len; i++)
    if (parse (edits->pdata[i], &edit, &off) && !eng_edit_is_of_tokens (&edit)
        && !renumber (edits, i, &shift, &edit))
      i--;
}

/* The edit at index begins or stops to act. */
static void
follow (GPtrArray *edits,
        guint      index,
        gboolean   acts,
        EngKind    first)
{
  EngEdit edit;

  if (!parse (edits->pdata[index], &edit, NULL) || edit.type != ENG_EDIT_DELETE_TOKEN)
    return;
  renumber_all (edits, index, (Shift) { get_stack (&edit, first, TRUE), edit.key, acts, first });
}

static gboolean
is_of_tokens (const char *text)
{
  EngEdit edit;

  return parse (text, &edit, NULL) && eng_edit_is_of_tokens (&edit);
}

void
app_edit_list_add (GPtrArray  *edits,
                   const char *text,
                   EngKind     first)
{
  for (guint i = 0; i < edits->len && !is_of_tokens (text); i++) {
    if (g_str_equal (eng_edit_skip_off (edits->pdata[i], NULL), text)) {
      g_free (edits->pdata[i]);
      edits->pdata[i] = g_strdup (text);
      return;
    }
  }
  g_ptr_array_add (edits, g_strdup (text));
  follow (edits, edits->len - 1, TRUE, first);
}

void
app_edit_list_switch (GPtrArray *edits,
                      guint      index,
                      EngKind    first)
{
  g_autofree char *former = edits->pdata[index];
  gboolean was_off;
  const char *text = eng_edit_skip_off (former, &was_off);

  edits->pdata[index] = was_off ? g_strdup (text) : g_strconcat (OFF, text, NULL);
  follow (edits, index, was_off, first);
}

void
app_edit_list_remove (GPtrArray *edits,
                      guint      index,
                      EngKind    first)
{
  gboolean off;

  eng_edit_skip_off (edits->pdata[index], &off);
  if (!off)
    follow (edits, index, FALSE, first);
  g_free (g_ptr_array_remove_index (edits, index));
}
