/* SPDX-License-Identifier: MIT */
/* What several panels say: titles, caption, legend, sentences, numbers. */
#include "ui/scene/views/panels-private.h"

#include <string.h>

#include "ui/scene/base/describe.h"
#include "ui/scene/base/edited-heads.h"
#include "ui/scene/base/plain-words.h"
#include "ui/scene/numbers/alignment.h"

/* (transfer full) Of char **: the sentences of each panel's legend. */
static GPtrArray *
split_legends (const UiPanelsScene *self)
{
  GPtrArray *legends = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  for (int i = 0; i < self->n; i++) {
    g_autofree char *legend = ui_scene_legend (self->panels[i].scene);

    g_ptr_array_add (legends, g_strsplit (legend, ". ", -1));
  }
  return legends;
}

/* 0 where panels have not the same number of sentences. */
static guint
count_sentences (GPtrArray *legends)
{
  guint n = g_strv_length (legends->pdata[0]);

  for (guint i = 1; i < legends->len; i++)
    if (g_strv_length (legends->pdata[i]) != n)
      return 0;
  return n;
}

static gboolean
is_shared (GPtrArray *legends,
           guint      sentence)
{
  char **first = legends->pdata[0];

  for (guint i = 1; i < legends->len; i++)
    if (!g_str_equal (((char **) legends->pdata[i])[sentence], first[sentence]))
      return FALSE;
  return TRUE;
}

/* Sentences from first to before end; the last one of a legend has kept its full stop. */
static void
append_sentences (char    **legend,
                  guint     first,
                  guint     end,
                  GString  *text)
{
  for (guint i = first; i < end && legend[i] != NULL; i++)
    g_string_append_printf (text, "%s%s%s", text->len > 0 ? " " : "", legend[i],
                            legend[i + 1] != NULL ? "." : "");
}

/* What a panel is called in sentences: its side, "Head 9 of layer 2" where heads were collected.
 * (transfer full) */
static char *
name_panel (const UiPanelsScene *self,
            int                  i)
{
  char *name;

  if (ui_panels_are_sides (self))
    return g_strdup (ui_side_get_name (i));
  name = ui_describe_scope (self->panels[i].scene, FALSE);
  *name = g_ascii_toupper (*name);
  return name;
}

/* The same of each panel, behind its name. */
static void
append_by_panel (const UiPanelsScene *self,
                 GPtrArray           *legends,
                 guint                first,
                 guint                end,
                 GString             *text)
{
  for (guint i = 0; i < legends->len; i++) {
    g_autofree char *name = name_panel (self, (int) i);

    g_string_append_printf (text, "%s%s:", text->len > 0 ? " " : "", name);
    append_sentences (legends->pdata[i], first, end, text);
  }
}

/* What panels share is said once. */
char *
ui_panels_legend (const UiScene *scene)
{
  g_autoptr (GPtrArray) legends = split_legends (ui_panels (scene));
  guint n = count_sentences (legends);
  GString *text = g_string_new (NULL);
  guint end;

  if (n == 0)
    append_by_panel (ui_panels (scene), legends, 0, G_MAXUINT, text);
  for (guint first = 0; first < n; first = end) {
    gboolean shared = is_shared (legends, first);

    for (end = first + 1; end < n && is_shared (legends, end) == shared;)
      end++;
    if (shared)
      append_sentences (legends->pdata[0], first, end, text);
    else
      append_by_panel (ui_panels (scene), legends, first, end, text);
  }
  ui_panels_append_change_rule (ui_panels (scene), text);
  return g_string_free (text, FALSE);
}

/* All are read alike; edits need not be in the first one. */
char *
ui_panels_explain (const UiScene *scene)
{
  const UiPanelsScene *self = ui_panels (scene);
  const UiScene *telling = self->panels[0].scene;
  g_autofree char *words = NULL;
  GString *text;

  for (int i = self->n - 1; i > 0; i--)
    if (ui_scene_has_edited (self->panels[i].scene))
      telling = self->panels[i].scene;
  words = ui_scene_explain (telling);
  text = g_string_new (words);
  ui_panels_append_small_change (self, text);
  return g_string_free (text, FALSE);
}

/* Where panels are wide, as in the neuron view, what stands below is not in sight at once. */
static gboolean
is_stacked (const UiPanelsScene *self)
{
  return self->n > 1 && self->panels[1].y > self->panels[0].y;
}

/* "<b>Head 9 of layer 2</b> beside <b>head 1 of layer 3</b>." */
char *
ui_panels_headline (const UiScene *scene)
{
  const UiPanelsScene *self = ui_panels (scene);
  g_autofree char *first = ui_describe_scope (self->panels[0].scene, FALSE);
  g_autofree char *second = self->n == 2 ? ui_describe_scope (self->panels[1].scene, FALSE) : NULL;
  GString *markup;

  if (self->n > 2)
    return g_strdup_printf ("<b>%d heads</b> %s.", self->n,
                            is_stacked (self) ? "below each other" : "side by side");
  markup = g_string_new (NULL);
  ui_plain_append_bold (markup, first, TRUE);
  if (g_strcmp0 (first, second) == 0) {
    g_string_append (markup, " on both sides");
    if (is_stacked (self) && ui_panels_are_sides (self))
      g_string_append_printf (markup, ", %s below %s", ui_side_get_name (1), ui_side_get_name (0));
  } else if (second != NULL) {
    g_string_append (markup, is_stacked (self) ? " above " : " beside ");
    ui_plain_append_bold (markup, second, FALSE);
  }
  g_string_append_c (markup, '.');
  return g_string_free (markup, FALSE);
}

static gboolean
share_a_trace (const UiPanelsScene *self)
{
  for (int i = 1; i < self->n; i++)
    if (self->panels[i].scene->trace != self->panels[0].scene->trace)
      return FALSE;
  return TRUE;
}

/* A panel in the caption: its side, its heads, and all of its own caption where traces differ. */
static char *
describe_panel (const UiPanelsScene *self,
                int                  i)
{
  const UiScene *panel = self->panels[i].scene;
  g_autofree char *words = share_a_trace (self) ? ui_describe_scope (panel, FALSE)
                                                : ui_scene_caption (panel);

  if (!ui_panels_are_sides (self))
    return g_steal_pointer (&words);
  return g_strdup_printf ("%s: %s", ui_side_get_name (i), words);
}

/* "MODEL · This: head 9 of layer 2; Other: head 1 of layer 3 · texts", or every panel's own caption. */
char *
ui_panels_caption (const UiScene *scene)
{
  const UiPanelsScene *self = ui_panels (scene);
  g_autoptr (GString) subject = g_string_new (NULL);

  for (int i = 0; i < self->n; i++) {
    g_autofree char *words = describe_panel (self, i);

    g_string_append_printf (subject, "%s%s", i > 0 ? "; " : "", words);
  }
  return share_a_trace (self) ? ui_describe_caption_of (scene, subject->str)
                              : g_string_free (g_steal_pointer (&subject), FALSE);
}

char *
ui_panels_summarise (const UiScene *scene)
{
  const UiPanelsScene *self = ui_panels (scene);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%d panels.", self->n);
  for (int i = 0; i < self->n; i++) {
    g_autofree char *one = ui_scene_summarise (self->panels[i].scene);
    g_autofree char *name = name_panel (self, i);

    g_string_append_printf (text, " %s: %s", name, one);
  }
  return g_string_free (text, FALSE);
}

typedef const char *(*TraceText) (const EngTrace *trace);

static gboolean
differ (const UiPanelsScene *self,
        TraceText            get)
{
  for (int i = 1; i < self->n; i++)
    if (g_strcmp0 (get (self->panels[i].scene->trace), get (self->panels[0].scene->trace)) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
have_edits (const UiPanelsScene *self)
{
  for (int i = 0; i < self->n; i++)
    if (eng_trace_get_edits (self->panels[i].scene->trace)[0] != NULL)
      return TRUE;
  return FALSE;
}

static void
append_text (GString    *title,
             const char *text)
{
  g_autofree char *quoted = text != NULL && *text != '\0' ? ui_describe_quoted (text) : NULL;

  if (quoted != NULL)
    g_string_append_printf (title, " · %s", quoted);
}

static gboolean
has_partner (const GArray *aligned,
             int           row)
{
  for (guint i = 0; aligned != NULL && i < aligned->len; i++) {
    const UiAlignedToken *pair = &g_array_index (aligned, UiAlignedToken, i);

    if (pair->first == row)
      return pair->second >= 0;
  }
  return TRUE;
}

/* What is pinned on the first side and is nowhere on this one, which so shows more than the first,
 * or all. */
static void
append_without_partner (const UiPanelsScene *self,
                        int                  i,
                        GString             *title)
{
  const UiScene *first = self->panels[0].scene;
  const UiPins *pins = &first->document->pins;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *listed = NULL;

  for (int j = 0; j < pins->n_queries + pins->n_keys; j++) {
    const gboolean is_key = j >= pins->n_queries;
    const int row = is_key ? pins->keys[j - pins->n_queries] : pins->queries[j];
    g_autofree char *name = ui_describe_token (is_key ? first->keys : first->queries, row);

    if (!has_partner (self->panels[i].aligned[is_key], row)
        && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
      g_ptr_array_add (names, g_steal_pointer (&name));
  }
  if (names->len == 0)
    return;
  if (names->len > 2)
    listed = g_strdup_printf ("%u pinned words have", names->len);
  else if (names->len == 2)
    listed = g_strdup_printf ("%s and %s have", (char *) names->pdata[0], (char *) names->pdata[1]);
  else
    listed = g_strdup_printf ("%s has", (char *) names->pdata[0]);
  g_string_append_printf (title, " · %s no partner here", listed);
}

/* The side, the heads, and of model, texts and edits what is not the same in all panels; the
 * caption has it all. (transfer full) */
char *
ui_panels_create_title (const UiPanelsScene *self,
                        int                  i)
{
  const UiScene *panel = self->panels[i].scene;
  const char *const *edits = eng_trace_get_edits (panel->trace);
  const char *model = eng_trace_get_model_name (panel->trace);
  g_autofree char *scope = ui_describe_scope (panel, FALSE);
  g_autofree char *listed = g_strjoinv (", ", (char **) edits);
  GString *title = g_string_new (NULL);

  if (ui_panels_are_sides (self))
    g_string_append_printf (title, "%s ", ui_side_get_name (i));
  if (differ (self, eng_trace_get_model_name) && model != NULL)
    g_string_append_printf (title, "%s · ", model);
  g_string_append (title, scope);
  if (ui_panels_are_sides (self))
    append_without_partner (self, i, title);
  if (differ (self, eng_trace_get_text_a) || differ (self, eng_trace_get_text_b)) {
    append_text (title, eng_trace_get_text_a (panel->trace));
    append_text (title, eng_trace_get_text_b (panel->trace));
  }
  if (have_edits (self) && !share_a_trace (self))
    g_string_append_printf (title, " · %s", *listed != '\0' ? listed : "without edits");
  return g_string_free (title, FALSE);
}

static int
count_tabs (const char *line)
{
  int n = 0;

  for (; *line != '\0' && *line != '\n'; line++)
    n += *line == '\t';
  return n;
}

/* The table that has most columns, which what others lack stands behind. */
static int
find_widest (char **tables,
             int    n)
{
  int widest = 0;

  for (int i = 1; i < n; i++)
    if (count_tabs (tables[i]) > count_tabs (tables[widest]))
      widest = i;
  return widest;
}

/* One table: what its lines have before their own columns is the panel. */
char *
ui_panels_numbers (const UiScene *scene)
{
  const UiPanelsScene *self = ui_panels (scene);
  g_auto (GStrv) tables = g_new0 (char *, self->n + 1);
  GString *text = g_string_new ("panel\t");
  const char *widest;

  for (int i = 0; i < self->n; i++)
    tables[i] = ui_scene_numbers (self->panels[i].scene);
  widest = tables[find_widest (tables, self->n)];
  g_string_append_len (text, widest, (gssize) strcspn (widest, "\n"));
  g_string_append_c (text, '\n');
  for (int i = 0; i < self->n; i++) {
    g_auto (GStrv) lines = g_strsplit (tables[i], "\n", -1);

    for (int line = 1; *lines[0] != '\0' && lines[line] != NULL && *lines[line] != '\0'; line++) {
      g_string_append_printf (text, "%c\t%s", 'a' + i, lines[line]);
      for (int lacking = count_tabs (widest) - count_tabs (tables[i]); lacking > 0; lacking--)
        g_string_append_c (text, '\t');
      g_string_append_c (text, '\n');
    }
  }
  return g_string_free (text, FALSE);
}

/* Behind the last such word that begins within n bytes of the text, its beginning for none. */
static const char *
find_phrase (const char *text,
             gsize       n)
{
  static const char *const words[] = { " reads ", " is read by ", " with " };
  const char *begin = text;

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    for (const char *at = strstr (text, words[i]); at != NULL; at = strstr (at + 1, words[i]))
      if ((gsize) (at - text) + strlen (words[i]) <= n)
        begin = MAX (begin, at + strlen (words[i]));
  return begin;
}

/* A sentence behind another one: what both begin with up to a verb or "with" is left out, then a
 * scope that both end with, and what comes after the strongest. (transfer full) */
static char *
leave_out_shared (const char *own,
                  const char *other)
{
  const char *scope = g_strrstr (own, " (");
  const char *begin, *end;
  gsize n = 0;

  while (own[n] != '\0' && own[n] == other[n])
    n++;
  begin = find_phrase (other, n);
  if (begin == other)
    return g_strdup (other);
  end = strstr (begin, "; then ");
  if (end == NULL && scope != NULL && g_str_has_suffix (scope, ").")
      && g_str_has_suffix (begin, scope))
    end = begin + strlen (begin) - strlen (scope);
  return end != NULL ? g_strdup_printf ("%.*s.", (int) (end - begin), begin) : g_strdup (begin);
}

/* What panel i has in the place of an item, of which own says what the item's panel has. NULL for
 * what would take too many words. */
static char *
describe_counterpart (const UiPanelsScene *self,
                      const UiItem        *item,
                      const char          *own,
                      int                  i)
{
  const UiScene *panel = self->panels[i].scene;
  const gboolean is_token = item->type == UI_ITEM_QUERY || item->type == UI_ITEM_KEY;
  g_autofree char *words = NULL;
  UiItem other;

  if ((item->type != UI_ITEM_LINK && !(is_token && self->n == 2))
      || !ui_panels_find_counterpart (self, item, i, &other))
    return NULL;
  if (is_token) {
    words = ui_scene_describe (panel, &other);
    return ui_panels_are_sides (self) ? leave_out_shared (own, words) : g_steal_pointer (&words);
  }
  words = ui_describe_value (&panel->weights, ui_weights_get (&panel->weights, other.head,
                                                              other.query, other.key));
  return g_strdup_printf ("%s %s.", ui_describe_measure (&panel->weights), words);
}

/* "…0.41 in head 7 of layer 4. Other: weight 0.12." */
char *
ui_panels_describe (const UiScene *scene,
                    const UiItem  *item)
{
  const UiPanelsScene *self = ui_panels (scene);
  g_autofree char *own = ui_scene_describe (self->panels[item->panel].scene, item);
  GString *text = g_string_new (own);

  for (int i = 0; i < self->n; i++) {
    g_autofree char *words = i != item->panel ? describe_counterpart (self, item, own, i) : NULL;
    g_autofree char *name = name_panel (self, i);

    if (words != NULL)
      g_string_append_printf (text, " %s: %s", name, words);
  }
  return g_string_free (text, FALSE);
}
