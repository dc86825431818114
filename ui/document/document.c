/* SPDX-License-Identifier: MIT */
#include "ui/document/document.h"

#include <string.h>

#include "engine/edits/edit.h"

#define EXAMPLE_A "The cat sat on the mat"
#define EXAMPLE_B "The cat lay on the rug"

G_DEFINE_QUARK (ui-error-quark, ui_error)

static gboolean
set_is_full (const UiHeadSet *self,
             int              n_heads)
{
  return ui_head_set_count (self, n_heads) == n_heads;
}

/* All heads one by one, so that one of them can be taken away. */
static void
spell_out (UiHeadSet *self,
           int        n_heads)
{
  if (!self->all)
    return;
  memset (self, 0, sizeof *self);
  for (int head = 0; head < MIN (n_heads, UI_MAX_HEADS); head++)
    ui_head_set_add (self, head);
}

gboolean
ui_head_set_has (const UiHeadSet *self,
                 int              head)
{
  if (head < 0)
    return FALSE;
  if (self->all)
    return TRUE;
  return head < UI_MAX_HEADS && (self->bits[head / 64] >> (head % 64) & 1);
}

void
ui_head_set_add (UiHeadSet *self,
                 int        head)
{
  g_return_if_fail (head >= 0 && head < UI_MAX_HEADS);

  self->bits[head / 64] |= G_GUINT64_CONSTANT (1) << (head % 64);
}

void
ui_head_set_only (UiHeadSet *self,
                  int        head)
{
  memset (self, 0, sizeof *self);
  ui_head_set_add (self, head);
}

int
ui_head_set_count (const UiHeadSet *self,
                   int              n_heads)
{
  int count = 0;

  for (int head = 0; head < n_heads; head++)
    count += ui_head_set_has (self, head);
  return count;
}

void
ui_head_set_toggle (UiHeadSet *self,
                    int        head,
                    int        n_heads)
{
  g_return_if_fail (head >= 0 && head < MIN (n_heads, UI_MAX_HEADS));

  if (ui_head_set_has (self, head) && ui_head_set_count (self, n_heads) == 1)
    return;
  spell_out (self, n_heads);
  self->bits[head / 64] ^= G_GUINT64_CONSTANT (1) << (head % 64);
  self->all = set_is_full (self, n_heads);
}

void
ui_head_set_isolate (UiHeadSet *self,
                     int        head,
                     int        n_heads)
{
  gboolean alone = ui_head_set_has (self, head) && ui_head_set_count (self, n_heads) == 1;

  ui_head_set_only (self, head);
  self->all = alone;
}

int
ui_head_set_first (const UiHeadSet *self,
                   int              n_heads)
{
  for (int head = 0; head < n_heads; head++)
    if (ui_head_set_has (self, head))
      return head;
  return 0;
}

void
ui_cells_clear (UiCells *self)
{
  g_clear_pointer (&self->cells, g_free);
  self->n = 0;
}

void
ui_cells_copy (const UiCells *from,
               UiCells       *to)
{
  to->cells = g_memdup2 (from->cells, (gsize) from->n * sizeof *from->cells);
  to->n = from->n;
}

static int
find_cell (const UiCells *self,
           int            layer,
           int            head)
{
  for (int i = 0; i < self->n; i++)
    if (self->cells[i].layer == layer && self->cells[i].head == head)
      return i;
  return -1;
}

gboolean
ui_cells_has (const UiCells *self,
              int            layer,
              int            head)
{
  return find_cell (self, layer, head) >= 0;
}

void
ui_cells_toggle (UiCells *self,
                 int      layer,
                 int      head)
{
  int at = find_cell (self, layer, head);

  if (at < 0) {
    self->cells = g_renew (UiCell, self->cells, self->n + 1);
    self->cells[self->n++] = (UiCell) { layer, head };
    return;
  }
  self->n--;
  memmove (self->cells + at, self->cells + at + 1,
           (gsize) (self->n - at) * sizeof *self->cells);
}

static void
pins_list (const UiPins  *self,
           gboolean       key,
           const int    **tokens,
           int           *n)
{
  *tokens = key ? self->keys : self->queries;
  *n = key ? self->n_keys : self->n_queries;
}

/* Puts token into an ascending list, or takes it out. */
static void
toggle_token (int **tokens,
              int  *n,
              int   token)
{
  int at = 0;

  while (at < *n && (*tokens)[at] < token)
    at++;
  if (at < *n && (*tokens)[at] == token) {
    (*n)--;
    memmove (*tokens + at, *tokens + at + 1, (gsize) (*n - at) * sizeof (int));
    return;
  }
  *tokens = g_renew (int, *tokens, *n + 1);
  memmove (*tokens + at + 1, *tokens + at, (gsize) (*n - at) * sizeof (int));
  (*tokens)[at] = token;
  (*n)++;
}

void
ui_pins_clear (UiPins *self)
{
  g_clear_pointer (&self->queries, g_free);
  g_clear_pointer (&self->keys, g_free);
  self->n_queries = 0;
  self->n_keys = 0;
}

void
ui_pins_copy (const UiPins *from,
              UiPins       *to)
{
  to->queries = g_memdup2 (from->queries, (gsize) from->n_queries * sizeof (int));
  to->n_queries = from->n_queries;
  to->keys = g_memdup2 (from->keys, (gsize) from->n_keys * sizeof (int));
  to->n_keys = from->n_keys;
}

gboolean
ui_pins_is_empty (const UiPins *self)
{
  return self->n_queries == 0 && self->n_keys == 0;
}

gboolean
ui_pins_has (const UiPins *self,
             gboolean      key,
             int           token)
{
  const int *tokens;
  int n;

  pins_list (self, key, &tokens, &n);
  for (int i = 0; i < n; i++)
    if (tokens[i] == token)
      return TRUE;
  return FALSE;
}

void
ui_pins_click (UiPins   *self,
               gboolean  key,
               int       token,
               gboolean  extend)
{
  gboolean alone = self->n_queries + self->n_keys == 1 && ui_pins_has (self, key, token);

  if (!extend)
    ui_pins_clear (self);
  if (!extend && alone)
    return;
  if (key)
    toggle_token (&self->keys, &self->n_keys, token);
  else
    toggle_token (&self->queries, &self->n_queries, token);
}

void
ui_pins_trim (UiPins *self,
              int     n_queries,
              int     n_keys)
{
  while (self->n_queries > 0 && self->queries[self->n_queries - 1] >= n_queries)
    self->n_queries--;
  while (self->n_keys > 0 && self->keys[self->n_keys - 1] >= n_keys)
    self->n_keys--;
}

/* Lengths keep two lists of texts apart that read alike when put together. */
static void
append_text (GString    *list,
             const char *text)
{
  g_string_append_printf (list, "%zu:%s ", strlen (text), text);
}

/* The table of fields holds the defaults; the texts alone are no fields. */
UiDocument *
ui_document_new (void)
{
  UiDocument *self = g_new0 (UiDocument, 1);
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  self->text_a = g_strdup (EXAMPLE_A);
  self->text_b = g_strdup (EXAMPLE_B);
  self->edits = g_new0 (char *, 1);
  for (int i = 0; i < n_fields; i++) {
    gboolean valid = ui_document_set (self, &fields[i], fields[i].fallback, NULL);

    g_assert (valid);
  }
  return self;
}

void
ui_document_show_all_links (UiDocument *self)
{
  static const char *const names[] = { "filter", "threshold", "mass" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    const UiField *field = ui_fields_find (names[i]);

    ui_document_set (self, field, field->fallback, NULL);
  }
}

void
ui_document_show_head (UiDocument *self,
                       int         layer,
                       int         head)
{
  self->layer = layer;
  /* A rollout is of all heads together. */
  if (self->measure != ENG_MEASURE_ROLLOUT)
    ui_head_set_only (&self->heads, head);
  if (self->compare == UI_COMPARE_HEADS)
    self->compare = UI_COMPARE_OFF;
}

UiDocument *
ui_document_copy (const UiDocument *self)
{
  UiDocument *copy = g_memdup2 (self, sizeof *self);

  copy->model = g_strdup (self->model);
  copy->trace_file = g_strdup (self->trace_file);
  copy->lang = g_strdup (self->lang);
  copy->prefix = g_strdup (self->prefix);
  copy->if_hidden = g_strdup (self->if_hidden);
  copy->text_a = g_strdup (self->text_a);
  copy->text_b = g_strdup (self->text_b);
  copy->edits = g_strdupv (self->edits);
  copy->compare_model = g_strdup (self->compare_model);
  copy->compare_trace_file = g_strdup (self->compare_trace_file);
  copy->compare_text_a = g_strdup (self->compare_text_a);
  copy->compare_text_b = g_strdup (self->compare_text_b);
  copy->compare_edits = g_strdupv (self->compare_edits);
  ui_cells_copy (&self->panels, &copy->panels);
  ui_pins_copy (&self->pins, &copy->pins);
  return copy;
}

void
ui_document_free (UiDocument *self)
{
  if (self == NULL)
    return;
  g_free (self->model);
  g_free (self->trace_file);
  g_free (self->lang);
  g_free (self->prefix);
  g_free (self->if_hidden);
  g_free (self->text_a);
  g_free (self->text_b);
  g_strfreev (self->edits);
  g_free (self->compare_model);
  g_free (self->compare_trace_file);
  g_free (self->compare_text_a);
  g_free (self->compare_text_b);
  g_strfreev (self->compare_edits);
  ui_cells_clear (&self->panels);
  ui_pins_clear (&self->pins);
  g_free (self);
}

GArray *
ui_document_dup_hidden (const UiDocument *self)
{
  GArray *hidden = eng_links_parse (self->if_hidden != NULL ? self->if_hidden : "");

  for (int i = 0; i < self->pins.n_keys && self->if_mask == UI_IF_MASK_OWN
                  && self->if_hidden == NULL; i++) {
    const EngLinks links = { .query = ENG_ALL_TOKENS, .key = self->pins.keys[i] };

    g_array_append_val (hidden, links);
  }
  return hidden;
}

gboolean
ui_document_equal (const UiDocument *a,
                   const UiDocument *b)
{
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  if (g_strcmp0 (a->text_a, b->text_a) != 0 || g_strcmp0 (a->text_b, b->text_b) != 0
      || a->written != b->written)
    return FALSE;
  for (int i = 0; i < n_fields; i++) {
    g_autofree char *in_a = ui_document_get (a, &fields[i]);
    g_autofree char *in_b = ui_document_get (b, &fields[i]);

    if (strcmp (in_a, in_b) != 0)
      return FALSE;
  }
  return TRUE;
}

/* An edit that is turned off changes no pass. */
static char *
join_edits (char **edits)
{
  GString *list = g_string_new (NULL);

  for (int i = 0; edits[i] != NULL; i++) {
    gboolean off;
    const char *edit = eng_edit_skip_off (edits[i], &off);

    if (!off)
      g_string_append_printf (list, "%s%s", list->len > 0 ? "; " : "", edit);
  }

  return g_string_free (list, FALSE);
}

char *
ui_document_describe_pass (const UiDocument *self)
{
  GString *list = g_string_new (NULL);
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++) {
    g_autofree char *value = NULL;

    if (fields[i].group != UI_FIELD_GROUP_MODEL)
      continue;
    value = fields[i].type == UI_FIELD_EDITS ? join_edits (self->edits)
                                             : ui_document_get (self, &fields[i]);
    append_text (list, value);
  }
  append_text (list, self->text_a);
  append_text (list, self->text_b);

  return g_string_free (list, FALSE);
}

void
ui_replace_text (char       **target,
                 const char  *text)
{
  char *copy = g_strdup (text);

  g_free (*target);
  *target = copy;
}

const char *
ui_side_get_name (int side)
{
  return side == 0 ? "This" : "Other";
}

gboolean
ui_document_has_second_trace (const UiDocument *self)
{
  return self->compare_trace_file != NULL
         || (self->trace_file != NULL && self->compare_model == NULL);
}

/* A trace file brings its model, texts and edits, so a model on the second side takes the first
 * side's file away, and the other way round. */
UiDocument *
ui_document_dup_second_side (const UiDocument *self)
{
  const gboolean is_run = !ui_document_has_second_trace (self);
  UiDocument *side = ui_document_copy (self);

  side->compare = UI_COMPARE_OFF;
  if (self->compare_model != NULL || self->compare_trace_file != NULL) {
    ui_replace_text (&side->model, self->compare_model);
    ui_replace_text (&side->trace_file, self->compare_trace_file);
  }
  if (is_run && self->compare_text_a_set) {
    ui_replace_text (&side->text_a, self->compare_text_a != NULL ? self->compare_text_a : "");
    ui_replace_text (&side->text_b, self->compare_text_b != NULL ? self->compare_text_b : "");
  }
  if (self->compare_layer_set)
    side->layer = self->compare_layer;
  if (self->compare_heads_set)
    side->heads = self->compare_heads;
  if (is_run && self->compare_edits_set) {
    g_strfreev (side->edits);
    side->edits = self->compare_edits != NULL ? g_strdupv (self->compare_edits)
                                              : g_new0 (char *, 1);
  }

  return side;
}

gboolean
ui_document_has_panels (const UiDocument *self)
{
  return ui_view_get (self->view)->can_compare && self->compare == UI_COMPARE_HEADS;
}

gboolean
ui_document_has_second_side (const UiDocument *self)
{
  return ui_view_get (self->view)->can_compare &&
         (self->compare == UI_COMPARE_SIDES || self->compare == UI_COMPARE_DIFFERENCE);
}
