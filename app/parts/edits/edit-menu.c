/* SPDX-License-Identifier: MIT */
#include "app/parts/edits/edit-menu.h"

#include "ui/scene/base/describe.h"

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
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_autofree char *name = g_strconcat (self->is_second ? "win.second-" : "win.", action, NULL);
  g_autofree char *target = edit;

  g_menu_item_set_action_and_target (item, name, "s", target);
  g_menu_append_item (section, item);
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

  append (self, section, "Zero", "edit", g_strdup_printf ("zero%s %d.%d", kind, layer, head));
  append (self, section, "Scale…", "scale-head",
          g_strdup_printf ("scale%s %d.%d", kind, layer, head));
  append (self, section, "Uniform Rows", "edit",
          g_strdup_printf ("uniform%s %d.%d", kind, layer, head));
  append_section (menu, title, section);
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
    g_autofree char *cut = g_strdup_printf ("Cut in Head %d", head);
    g_autofree char *renormalised = g_strdup_printf ("Cut in Head %d and Renormalise", head);

    append (self, section, cut, "edit", cut_head (self, head, query, key, ""));
    append (self, section, renormalised, "edit", cut_head (self, head, query, key, " renormalise"));
  }
  if (head < 0 || n_shown > 1) {
    append (self, section, "Cut in the Heads Shown", "edit",
            cut_shown_heads (self, query, key, ""));
    append (self, section, "Cut in the Heads Shown and Renormalise", "edit",
            cut_shown_heads (self, query, key, " renormalise"));
  }
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

  if (swap != NULL && can_mask (self, tokens, token))
    append (self, section, "Mask", "edit", g_strdup_printf ("mask%s %d", stack, token));
  if (!tokens->padding[token])
    append (self, section, "Knock Out", "edit", g_strdup_printf ("knock-out%s %d", stack, token));
  if (key && self->shown->kind == ENG_KIND_CROSS && !tokens->padding[token])
    append (self, section, "Knock Out in Cross-Attention", "edit",
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

  append (self, section, "Skip Attention", "edit",
          g_strdup_printf ("skip-attention%s %d", get_kind_word (self, kind), layer));
  append (self, section, "Skip Feed-Forward", "edit",
          g_strdup_printf ("skip-feed-forward%s %d", get_kind_word (self, stack), layer));
  append_section (menu, title, section);
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

  if (item->type == UI_ITEM_NONE)
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
  if (is_of_layer && is_of_head && (is_link || is_one_head))
    app_edit_menu_append_head (self, shown->layer, head, menu);
}
