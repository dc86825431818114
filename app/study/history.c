/* SPDX-License-Identifier: MIT */
#include "app/study/history.h"

#include <string.h>

#include "app/study/step-words.h"
#include "ui/document/document-text.h"

/* So many are kept however large they are. */
#define FEWEST_STEPS 200
#define MOST_STEPS   2000
#define MOST_BYTES   (16 << 20)
#define PAUSE        G_USEC_PER_SEC

struct _AppHistory {
  GPtrArray  *documents; /* of UiDocument, the oldest first; never empty */
  GArray     *turns;     /* of gboolean: whether the step to each has chosen the look, too */
  guint       cursor;
  gsize       n_bytes;
  /* The last step, while it may still grow. */
  const char *key;       /* of the field; NULL = it is done */
  gint64      time;
};

static gsize
measure_list (char **list)
{
  gsize n_bytes = 0;

  for (int i = 0; list != NULL && list[i] != NULL; i++)
    n_bytes += sizeof (char *) + strlen (list[i]);
  return n_bytes;
}

/* What grows with what a person types or collects. */
static gsize
measure (const UiDocument *document)
{
  const char *texts[] = { document->text_a, document->text_b, document->compare_text_a,
                          document->compare_text_b };
  gsize n_bytes = sizeof *document;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    n_bytes += texts[i] != NULL ? strlen (texts[i]) : 0;
  n_bytes += measure_list (document->edits) + measure_list (document->compare_edits);
  n_bytes += (gsize) document->panels.n * sizeof *document->panels.cells;

  return n_bytes + (gsize) (document->pins.n_queries + document->pins.n_keys) * sizeof (int);
}

static void
remove_range (AppHistory *self,
              guint       first,
              guint       n)
{
  if (n == 0)
    return;
  for (guint i = first; i < first + n; i++)
    self->n_bytes -= measure (self->documents->pdata[i]);
  g_ptr_array_remove_range (self->documents, first, n);
  g_array_remove_range (self->turns, first, n);
}

static UiDocument *
get_at (const AppHistory *self,
        guint             at)
{
  return self->documents->pdata[at];
}

static void
note_turn (AppHistory *self,
           guint       at)
{
  const UiDocument *here = get_at (self, at);
  const UiDocument *before = at > 0 ? get_at (self, at - 1) : here;

  g_array_index (self->turns, gboolean, at) =
    before->view != here->view || before->step != here->step;
}

static void
insert (AppHistory *self,
        guint       at,
        UiDocument *document)
{
  const gboolean turns = FALSE;

  self->n_bytes += measure (document);
  g_ptr_array_insert (self->documents, (gint) at, document);
  g_array_insert_val (self->turns, at, turns);
  note_turn (self, at);
}

/* What the list may not hold; never what the cursor is on. */
static void
forget_oldest (AppHistory *self)
{
  while (self->cursor > 0 && self->documents->len > FEWEST_STEPS + 1
         && (self->documents->len > MOST_STEPS + 1 || self->n_bytes > MOST_BYTES)) {
    remove_range (self, 0, 1);
    self->cursor--;
  }
}

/* What is looked at, which no step changes and no undo takes back: the view, and how far the steps
 * of its way have come. */
static void
take_look (UiDocument       *document,
           const UiDocument *from)
{
  document->view = from->view;
  document->step = from->step;
}

/* A value that a person drags along or types letter by letter. A model's name is chosen, and each
 * token is asked for. */
static gboolean
may_grow (const char *key)
{
  static const char *const typed[] = { "prefix", "compare-text-a", "compare-text-b", NULL };
  const UiField *field = ui_fields_find (key);

  if (g_str_equal (key, "written"))
    return FALSE;
  return field == NULL || field->type == UI_FIELD_NUMBER || field->type == UI_FIELD_CENTIMETRES
         || field->type == UI_FIELD_POINTS || g_strv_contains (typed, key);
}

static const char *
get_text (const UiDocument *document,
          const char       *key)
{
  return strcmp (key, "text_a") == 0 ? document->text_a : document->text_b;
}

/* Whether the first letter of a word was typed behind a blank. */
static gboolean
begins_word (const UiDocument *before,
             const UiDocument *after,
             const char       *key)
{
  const char *old, *new;
  gsize same = 0;

  if (ui_fields_find (key) != NULL)
    return FALSE;
  old = get_text (before, key);
  new = get_text (after, key);
  while (old[same] != '\0' && old[same] == new[same])
    same++;

  return strlen (new) > strlen (old) && same > 0 && g_ascii_isspace (new[same - 1])
         && !g_ascii_isspace (new[same]);
}

/* Two texts that change at once were not typed. */
static gboolean
changes_both_texts (const UiDocument *before,
                    const UiDocument *after)
{
  return strcmp (before->text_a, after->text_a) != 0 && strcmp (before->text_b, after->text_b) != 0;
}

static gboolean
continues_step (AppHistory       *self,
                const UiDocument *document,
                const char       *key,
                gint64            time)
{
  return self->cursor > 0 && self->key != NULL && strcmp (self->key, key) == 0
         && time - self->time <= PAUSE && may_grow (key)
         && !begins_word (get_at (self, self->cursor), document, key);
}

/* A step that leads back to where it began is none. */
static void
replace (AppHistory       *self,
         const UiDocument *document)
{
  remove_range (self, self->cursor, 1);
  insert (self, self->cursor, ui_document_copy (document));
  if (self->cursor > 0 && ui_document_equal (get_at (self, self->cursor - 1), document)) {
    remove_range (self, self->cursor, 1);
    self->cursor--;
    self->key = NULL;
  }
}

AppHistory *
app_history_new (const UiDocument *first)
{
  AppHistory *self = g_new0 (AppHistory, 1);

  self->documents = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  self->turns = g_array_new (FALSE, FALSE, sizeof (gboolean));
  insert (self, 0, ui_document_copy (first));

  return self;
}

void
app_history_free (AppHistory *self)
{
  g_ptr_array_unref (self->documents);
  g_array_unref (self->turns);
  g_free (self);
}

void
app_history_record (AppHistory       *self,
                    const UiDocument *document,
                    gint64            time)
{
  const UiDocument *before = get_at (self, self->cursor);
  const char *key = ui_document_find_change (before, document);
  gboolean is_whole, continues;

  if (key == NULL)
    return;

  is_whole = changes_both_texts (before, document);
  continues = !is_whole && continues_step (self, document, key, time);
  remove_range (self, self->cursor + 1, self->documents->len - self->cursor - 1);
  self->key = is_whole ? NULL : key;
  self->time = time;
  if (continues)
    replace (self, document);
  else
    insert (self, ++self->cursor, ui_document_copy (document));
  forget_oldest (self);
}

void
app_history_amend (AppHistory       *self,
                   const UiDocument *document)
{
  replace (self, document);
  self->key = NULL;
}

void
app_history_append (AppHistory       *self,
                    const UiDocument *document)
{
  self->key = NULL;
  app_history_record (self, document, self->time);
  self->key = NULL;
}

void
app_history_prepend (AppHistory *self,
                     GPtrArray  *past)
{
  while (past->len > 0) {
    insert (self, 0, g_ptr_array_steal_index (past, 0));
    note_turn (self, 1);
    self->cursor++;
  }
  forget_oldest (self);
}

gboolean
app_history_look (AppHistory       *self,
                  const UiDocument *document)
{
  UiDocument *here = get_at (self, self->cursor);
  g_autoptr (UiDocument) turned = ui_document_copy (here);

  take_look (turned, document);
  if (!ui_document_equal (turned, document))
    return FALSE;
  take_look (here, document);
  self->key = NULL;
  return TRUE;
}

/* The view stays, unless the step has chosen it with what else it did. */
static const UiDocument *
move (AppHistory *self,
      guint       to)
{
  const UiDocument *from = get_at (self, self->cursor);

  if (!g_array_index (self->turns, gboolean, MAX (self->cursor, to)))
    take_look (get_at (self, to), from);
  self->key = NULL;
  self->cursor = to;
  return get_at (self, to);
}

const UiDocument *
app_history_undo (AppHistory *self)
{
  return app_history_can_undo (self) ? move (self, self->cursor - 1) : NULL;
}

const UiDocument *
app_history_redo (AppHistory *self)
{
  return app_history_can_redo (self) ? move (self, self->cursor + 1) : NULL;
}

const UiDocument *
app_history_get (const AppHistory *self)
{
  return get_at (self, self->cursor);
}

gboolean
app_history_can_undo (const AppHistory *self)
{
  return self->cursor > 0;
}

gboolean
app_history_can_redo (const AppHistory *self)
{
  return self->cursor + 1 < self->documents->len;
}

char *
app_history_describe_undo (const AppHistory *self,
                           const EngTrace   *trace,
                           const EngTrace   *typed)
{
  if (!app_history_can_undo (self))
    return NULL;
  return app_step_describe (get_at (self, self->cursor - 1), get_at (self, self->cursor), trace,
                            typed);
}

char *
app_history_describe_redo (const AppHistory *self,
                           const EngTrace   *trace,
                           const EngTrace   *typed)
{
  if (!app_history_can_redo (self))
    return NULL;
  return app_step_describe (get_at (self, self->cursor), get_at (self, self->cursor + 1), trace,
                            typed);
}

GPtrArray *
app_history_list_past (const AppHistory *self,
                       guint             most)
{
  GPtrArray *past = g_ptr_array_new ();

  for (guint i = 0; i < MIN (most, self->cursor); i++)
    g_ptr_array_add (past, get_at (self, self->cursor - 1 - i));
  return past;
}

int
app_history_get_n_steps (const AppHistory *self)
{
  return (int) self->documents->len - 1;
}

gboolean
app_place_equal (const UiDocument *a,
                 const UiDocument *b)
{
  return a->view == b->view && a->kind_set == b->kind_set
         && (!a->kind_set || a->kind == b->kind) && a->layer == b->layer;
}

UiDocument *
app_place_apply (const UiDocument *place,
                 const UiDocument *document)
{
  UiDocument *moved = ui_document_copy (document);

  moved->view = place->view;
  moved->kind_set = place->kind_set;
  moved->kind = place->kind;
  moved->layer = place->layer;
  moved->heads = place->heads;
  ui_pins_clear (&moved->pins);
  ui_pins_copy (&place->pins, &moved->pins);
  ui_cells_clear (&moved->panels);
  ui_cells_copy (&place->panels, &moved->panels);

  return moved;
}
