/* SPDX-License-Identifier: MIT */
#include "app/parts/edits/edit-menu.h"

#include "ui/controls/tame-menu.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/edit-words.h"

/* " decoder": what stands behind the verb where another kind is meant without it. */
static const char *
get_kind_word (const AppEditMenu *self,
               EngKind            kind)
{
  static const char *const words[ENG_N_KINDS] = {
    [ENG_KIND_ENCODER] = " encoder",
    [ENG_KIND_DECODER] = " decoder",
    [ENG_KIND_CROSS] = " cross",
  };

  return kind == eng_trace_get_default_kind (self->trace) ? "" : words[kind];
}

/* The stack that a token of the shown block is of. */
static EngKind
get_stack (const AppEditMenu *self,
           gboolean           key)
{
  if (self->shown->kind == ENG_KIND_CROSS)
    return key ? ENG_KIND_ENCODER : ENG_KIND_DECODER;
  return self->shown->kind;
}

/* Takes edit over. */
static void
append (const AppEditMenu *self,
        GMenu             *section,
        const char        *label,
        const char        *action,
        char              *edit)
{
  g_autofree char *shown = ui_menu_label (label);
  g_autoptr (GMenuItem) item = g_menu_item_new (shown, NULL);
  g_autofree char *name = g_strconcat (self->is_second ? "win.second-" : "win.", action, NULL);
  g_autofree char *target = edit;

  g_menu_item_set_action_and_target (item, name, "s", target);
  g_menu_append_item (section, item);
}

static gboolean
has_edit (const AppEditMenu *self,
          const char        *text)
{
  const char *const *edits = eng_trace_get_edits (self->trace);

  for (int i = 0; edits[i] != NULL; i++) {
    g_autofree char *form = NULL;
    EngEdit edit;

    if (eng_edit_parse (edits[i], &edit, NULL))
      form = eng_edit_to_string (&edit);
    if (g_strcmp0 (form, text) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Whether the run has all of "cut 2.9 4 7; cut 2.10 4 7". */
static gboolean
has_edits (const AppEditMenu *self,
           const char        *texts)
{
  g_auto (GStrv) parts = g_strsplit (texts, "; ", -1);

  for (int i = 0; parts[i] != NULL; i++)
    if (!has_edit (self, parts[i]))
      return FALSE;
  return TRUE;
}

/* What a second time makes no difference to is taken back instead. Takes edit over. */
static void
append_either (const AppEditMenu *self,
               GMenu             *section,
               const char        *label,
               const char        *back,
               char              *edit)
{
  if (has_edits (self, edit))
    append (self, section, back, "take-back", edit);
  else
    append (self, section, label, "edit", edit);
}

static void
append_section (GMenu      *menu,
                const char *title,
                GMenu      *section)
{
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, title, G_MENU_MODEL (section));
  g_object_unref (section);
}

/* "cut 2.9 4 7" of every head that is shown, one behind the other. */
static char *
cut_shown_heads (const AppEditMenu *self,
                 int                query,
                 int                key,
                 const char        *how)
{
  const UiDocument *shown = self->shown;
  const int n_heads = eng_trace_get_n_heads (self->trace, shown->kind);
  const char *kind = get_kind_word (self, shown->kind);
  GString *edits = g_string_new (NULL);

  if (shown->heads.all) {
    g_string_append_printf (edits, "cut%s %d.* %d %d%s", kind, shown->layer, query, key, how);
    return g_string_free (edits, FALSE);
  }
  for (int head = 0; head < n_heads; head++)
    if (ui_head_set_has (&shown->heads, head))
      g_string_append_printf (edits, "%scut%s %d.%d %d %d%s", edits->len > 0 ? "; " : "", kind,
                              shown->layer, head, query, key, how);
  return g_string_free (edits, FALSE);
}

static char *
cut_head (const AppEditMenu *self,
          int                head,
          int                query,
          int                key,
          const char        *how)
{
  return g_strdup_printf ("cut%s %d.%d %d %d%s", get_kind_word (self, self->shown->kind),
                          self->shown->layer, head, query, key, how);
}

static const EngTokens *
get_tokens (const AppEditMenu *self,
            gboolean           key)
{
  return key ? eng_trace_get_key_tokens (self->trace, self->shown->kind)
             : eng_trace_get_query_tokens (self->trace, self->shown->kind);
}

/* Neither padding nor the token that a decoder starts with can be changed. */
static gboolean
is_changeable (const AppEditMenu *self,
               gboolean           key,
               int                token)
{
  const gboolean starts = get_stack (self, key) == ENG_KIND_DECODER
                          && eng_trace_has_kind (self->trace, ENG_KIND_CROSS);

  return !get_tokens (self, key)->padding[token] && !(starts && token == 0);
}

void
app_edit_menu_append_head (const AppEditMenu *self,
                           int                layer,
                           int                head,
                           GMenu             *menu)
{
  GMenu *section = g_menu_new ();
  const char *kind = get_kind_word (self, self->shown->kind);
  g_autofree char *title = g_strdup_printf ("Head %d of layer %d", head, layer);

  /* One of a layer that adds nothing stays zero. */
  if (ui_edit_find_zero (self->trace, self->shown->kind, layer, head) != UI_HEAD_ZEROED_BY_ALL)
    append_either (self, section, "Zero", "Restore This Head",
                   g_strdup_printf ("zero%s %d.%d", kind, layer, head));
  append (self, section, "Scale…", "scale-head",
          g_strdup_printf ("scale%s %d.%d", kind, layer, head));
  append_either (self, section, "Uniform Rows", "Restore Its Rows",
                 g_strdup_printf ("uniform%s %d.%d", kind, layer, head));
  append_section (menu, title, section);
}

/* The link in "Head 4" or "the Heads Shown". One that is cut may still have its rest brought back
 * to 1. Takes both edits over. */
static void
append_cuts (const AppEditMenu *self,
             GMenu             *section,
             const char        *where,
             char              *plain,
             char              *renormalised)
{
  const gboolean is_cut = has_edits (self, plain), is_full = has_edits (self, renormalised);
  g_autofree char *cut = g_strdup_printf ("Cut in %s", where);
  g_autofree char *full = g_strdup_printf ("Cut in %s and Renormalise", where);
  g_autofree char *back = g_strdup_printf ("Restore the Link in %s", where);

  if (is_cut && is_full)
    append (self, section, back, "take-back", g_strconcat (plain, "; ", renormalised, NULL));
  else if (is_cut || is_full)
    append (self, section, back, "take-back", g_strdup (is_cut ? plain : renormalised));
  else
    append (self, section, cut, "edit", g_strdup (plain));
  if (!is_full)
    append (self, section, full, "edit", g_strdup (renormalised));
  g_free (plain);
  g_free (renormalised);
}

void
app_edit_menu_append_link (const AppEditMenu *self,
                           int                head,
                           int                query,
                           int                key,
                           GMenu             *menu)
{
  const UiDocument *shown = self->shown;
  const int n_shown = ui_head_set_count (&shown->heads,
                                         eng_trace_get_n_heads (self->trace, shown->kind));
  GMenu *section = g_menu_new ();
  g_autofree char *reader = ui_describe_token (get_tokens (self, FALSE), query);
  g_autofree char *read = ui_describe_token (get_tokens (self, TRUE), key);
  g_autofree char *title = g_strdup_printf ("%s reads %s", reader, read);

  if (head >= 0) {
    g_autofree char *where = g_strdup_printf ("Head %d", head);

    append_cuts (self, section, where, cut_head (self, head, query, key, ""),
                 cut_head (self, head, query, key, " renormalise"));
  }
  if (head < 0 || n_shown > 1)
    append_cuts (self, section, "the Heads Shown", cut_shown_heads (self, query, key, ""),
                 cut_shown_heads (self, query, key, " renormalise"));
  append_section (menu, title, section);
}

char *
app_edit_menu_begin_swap (const AppEditMenu *self,
                          gboolean           key,
                          int                token)
{
  if (!is_changeable (self, key, token))
    return NULL;
  return g_strdup_printf ("swap%s %d", get_kind_word (self, get_stack (self, key)), token);
}

/* What is the mask token already would stay as it is. */
static gboolean
can_mask (const AppEditMenu *self,
          const EngTokens   *tokens,
          int                token)
{
  return self->mask_id >= 0 && (tokens->ids == NULL || tokens->ids[token] != self->mask_id);
}

/* Of edits of tokens behind it, in the same stack; FALSE where it is not followed further. */
static gboolean
follow_token (const EngEdit *edit,
              int           *token)
{
  if (edit->type == ENG_EDIT_SWAP_WORDS
      || (edit->type == ENG_EDIT_DELETE_TOKEN && edit->key == *token))
    return FALSE;
  if (edit->type == ENG_EDIT_DELETE_TOKEN && edit->key < *token)
    (*token)--;
  return TRUE;
}

/* An edit of tokens of that stack. */
static gboolean
parse_of_stack (const AppEditMenu *self,
                const char        *text,
                EngKind            stack,
                EngEdit           *edit)
{
  return eng_edit_parse (text, edit, NULL) && eng_edit_is_of_tokens (edit)
         && stack == (edit->kind == ENG_KIND_NOT_SAID ? eng_trace_get_default_kind (self->trace)
                                                      : (EngKind) edit->kind);
}

/* The edit by which the mask token stands there; NULL = there is none. (transfer full) */
static char *
find_mask (const AppEditMenu *self,
           EngKind            stack,
           int                token)
{
  const char *const *edits = eng_trace_get_edits (self->trace);

  for (int i = 0; edits[i] != NULL; i++) {
    EngEdit mask, behind;
    gboolean is_there = parse_of_stack (self, edits[i], stack, &mask)
                        && mask.type == ENG_EDIT_MASK_TOKEN;
    int place = is_there ? mask.key : -1;

    for (int j = i + 1; is_there && edits[j] != NULL; j++)
      if (parse_of_stack (self, edits[j], stack, &behind))
        is_there = follow_token (&behind, &place);
    if (is_there && place == token)
      return eng_edit_to_string (&mask);
  }
  return NULL;
}

void
app_edit_menu_append_token (const AppEditMenu *self,
                            gboolean           key,
                            int                token,
                            GMenu             *menu)
{
  const EngTokens *tokens = get_tokens (self, key);
  const char *stack = get_kind_word (self, get_stack (self, key));
  GMenu *section = g_menu_new ();
  g_autofree char *title = ui_describe_token (tokens, token);
  char *swap = app_edit_menu_begin_swap (self, key, token);
  char *mask = find_mask (self, get_stack (self, key), token);

  if (mask != NULL)
    append (self, section, "Unmask", "take-back", mask);
  else if (swap != NULL && can_mask (self, tokens, token))
    append (self, section, "Mask", "edit", g_strdup_printf ("mask%s %d", stack, token));
  if (!tokens->padding[token])
    append_either (self, section, "Knock Out", "Let It Be Read Again",
                   g_strdup_printf ("knock-out%s %d", stack, token));
  if (key && self->shown->kind == ENG_KIND_CROSS && !tokens->padding[token])
    append_either (self, section, "Knock Out in Cross-Attention",
                   "Let It Be Read Again in Cross-Attention",
                   g_strdup_printf ("knock-out cross %d", token));
  if (swap != NULL) {
    append (self, section, "Delete", "edit", g_strdup_printf ("delete%s %d", stack, token));
    append (self, section, "Swap With…", "swap-word", swap);
  }
  append_section (menu, title, section);
}

void
app_edit_menu_append_layer (const AppEditMenu *self,
                            int                layer,
                            GMenu             *menu)
{
  GMenu *section = g_menu_new ();
  const EngKind kind = self->shown->kind;
  const EngKind stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  g_autofree char *title = g_strdup_printf ("Layer %d", layer);

  append_either (self, section, "Skip Attention", "Restore Attention",
                 g_strdup_printf ("skip-attention%s %d", get_kind_word (self, kind), layer));
  append_either (self, section, "Skip Feed-Forward", "Restore Feed-Forward",
                 g_strdup_printf ("skip-feed-forward%s %d", get_kind_word (self, stack), layer));
  append_section (menu, title, section);
}

/* A menu of its own: beside what can be done to a link there is no room for it. */
static void
append_head_below (const AppEditMenu *self,
                   int                layer,
                   int                head,
                   GMenu             *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenu) edits = g_menu_new ();
  g_autofree char *title = g_strdup_printf ("Edit Head %d", head);

  app_edit_menu_append_head (self, layer, head, edits);
  g_menu_append_submenu (section, title, G_MENU_MODEL (edits));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

void
app_edit_menu_append_item (const AppEditMenu *self,
                           const UiItem      *item,
                           GMenu             *menu)
{
  const UiDocument *shown = self->shown;
  const UiBlock *block = self->weights != NULL ? &self->weights->block : NULL;
  /* What stands for several layers is no link of one of them. */
  const gboolean is_of_layer = block == NULL || (block->layers == UI_AGGREGATE_EACH
                                                 && block->measure != ENG_MEASURE_ROLLOUT);
  const gboolean is_of_head = block == NULL || !block->is_aggregate;
  const gboolean is_link = ui_item_names_query (item->type) && ui_item_names_key (item->type);
  const gboolean is_one_head = ui_view_get (shown->view)->has_one_head;
  const int head = is_one_head
                   ? ui_head_set_first (&shown->heads,
                                        eng_trace_get_n_heads (self->trace, shown->kind))
                   : item->head;

  if (item->type == UI_ITEM_NONE || ui_item_is_of_way (item->type))
    return;
  if (item->type == UI_ITEM_HEAD) {
    app_edit_menu_append_head (self, item->layer, item->head, menu);
    app_edit_menu_append_layer (self, item->layer, menu);
    return;
  }
  if (is_link && is_of_layer)
    app_edit_menu_append_link (self, is_of_head ? head : -1, item->query, item->key, menu);
  else if (ui_item_names_query (item->type))
    app_edit_menu_append_token (self, FALSE, item->query, menu);
  else
    app_edit_menu_append_token (self, TRUE, item->key, menu);
  if (is_of_layer && is_of_head && is_link && !is_one_head)
    append_head_below (self, shown->layer, head, menu);
  else if (is_of_layer && is_of_head && is_one_head)
    app_edit_menu_append_head (self, shown->layer, head, menu);
}
