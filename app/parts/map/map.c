/* SPDX-License-Identifier: MIT */
/* The map of heads: which heads of which layers are drawn, chosen from all of them. */
#include "app/parts/map/map-private.h"

#include "ui/boxes/stop-box.h"

#define GROUPS "What heads read"
#define FOUND "Heads found"
#define NO_HEAD "No head and no pattern has this name, and no two words of the sentences"
#define NO_LINK "No head gives a tenth of its attention to it"
#define NO_CHANGE "No head changed by a tenth of its attention"
#define NO_SIDES "Nothing is compared. Compare two sides, then this finds the heads that changed"
#define SEARCHING "Searching all heads…"
#define HELD_BACK "Answer first: what heads read comes then."

G_DEFINE_FINAL_TYPE (AppMapPart, app_map_part, APP_TYPE_PART)

/* What is shown. */

/* A button for each kind that the trace has, where there are several. */
static void
sync_kinds (AppMapPart *self)
{
  GtkWidget *button = gtk_widget_get_first_child (self->kind_box);
  int n_kinds = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    gboolean is_there = eng_trace_has_kind (app_study_get_trace (self->study), (EngKind) kind);

    gtk_widget_set_visible (button, is_there);
    button = gtk_widget_get_next_sibling (button);
    n_kinds += is_there;
  }
  gtk_widget_set_visible (self->kind_box, n_kinds > 1);
}

/* What is pointed at, else what is drawn. */
void
app_map_part_show_card (AppMapPart *self)
{
  const UiDocument *shown = app_picture_get_newest (self->picture);
  UiCell cell;
  int n_heads;
  g_autofree char *edit = NULL;

  if (self->tiles == NULL || shown == NULL)
    return;
  n_heads = ui_head_tiles_get_n_heads (self->tiles);
  cell = (UiCell) { shown->layer, ui_head_set_first (&shown->heads, n_heads) };
  if (self->pointed.layer >= 0)
    cell = self->pointed;
  if (cell.layer < 0 || cell.layer >= ui_head_tiles_get_n_layers (self->tiles)
      || cell.head < 0 || cell.head >= n_heads)
    return;
  edit = app_map_part_describe_edit (self, cell.layer, cell.head);
  ui_head_card_set (self->card, self->tiles, cell.layer, cell.head,
                    app_map_is_drawn (shown, cell.layer, cell.head, n_heads),
                    app_picture_is_asked (self->picture), edit);
  app_map_part_describe_maps (self, ui_head_card_get_sentence (self->card));
}

static void
show_groups (AppMapPart       *self,
             const UiDocument *shown)
{
  const UiCell drawn = app_map_part_find_drawn (self, shown);

  gtk_label_set_label (self->heading, GROUPS);
  ui_head_list_set_groups (self->list, self->groups, self->n_groups, self->lit, &drawn);
}

/* Says which heads they are. */
static void
show_found (AppMapPart *self,
            GArray     *found,
            const char *which,
            guint8     *marks)
{
  gtk_label_set_label (self->heading, which);
  app_map_part_mark_others (self, found, marks);
  ui_head_list_set_found (self->list, self->tiles, found);
}

static void
show_message (AppMapPart *self,
              const char *heading,
              const char *message)
{
  gtk_label_set_label (self->heading, heading);
  ui_head_list_set_message (self->list, message);
}

static void
show_words (AppMapPart *self,
            guint8     *marks)
{
  g_autoptr (GArray) found = app_map_part_list_words (self);
  g_autofree char *which = NULL;

  if (found == NULL || found->len == 0) {
    show_message (self, FOUND,
                  self->word_job != NULL ? SEARCHING : found == NULL ? NO_HEAD : NO_LINK);
    return;
  }
  which = g_strdup_printf ("%u head%s link%s them", found->len, found->len == 1 ? "" : "s",
                           found->len == 1 ? "s" : "");
  show_found (self, found, which, marks);
}

/* From side to side of what is compared. FALSE = the text asks for something else. */
static gboolean
show_changed (AppMapPart *self,
              const char *text,
              guint8     *marks)
{
  g_autoptr (GArray) found = NULL;
  g_autofree char *which = NULL;

  if (!app_map_part_asks_changed (text))
    return FALSE;
  found = app_map_part_list_changed (self);
  if (found == NULL || found->len == 0) {
    show_message (self, FOUND, found == NULL ? NO_SIDES : NO_CHANGE);
    return TRUE;
  }
  which = g_strdup_printf ("%u head%s changed", found->len, found->len == 1 ? "" : "s");
  show_found (self, found, which, marks);
  return TRUE;
}

/* The list, and which cells it lights. */
static void
show_search (AppMapPart       *self,
             const UiDocument *shown,
             guint8           *marks)
{
  const char *text = gtk_editable_get_text (self->search);
  g_autoptr (GArray) found = NULL;
  g_autofree char *which = NULL;

  if (*text == '\0') {
    show_groups (self, shown);
    return;
  }
  found = ui_head_groups_search (self->tiles, text, marks);
  if (found == NULL) {
    if (!show_changed (self, text, marks))
      show_words (self, marks);
    return;
  }
  which = ui_head_groups_describe (self->tiles, text, (int) found->len);
  if (found->len == 0)
    show_message (self, FOUND, which);
  else
    show_found (self, found, which, marks);
}

static void
sync_map (AppMapPart *self)
{
  const UiDocument *shown = app_picture_get_newest (self->picture);
  g_autofree guint8 *marks = NULL;

  if (self->tiles == NULL || shown == NULL)
    return;
  marks = app_map_part_make_marks (self, shown);
  if (app_picture_is_asked (self->picture))
    show_message (self, *gtk_editable_get_text (self->search) != '\0' ? FOUND : GROUPS, HELD_BACK);
  else
    show_search (self, shown, marks);
  app_map_part_mark_maps (self, shown, marks);
  app_map_part_show_card (self);
}

void
app_map_part_show_tiles (AppMapPart *self)
{
  app_map_part_show_maps (self);
  self->n_groups = ui_head_groups_find (self->tiles, self->groups);
  self->pointed.layer = -1;
  /* The words of the search link other heads now, and more of them where layers came. */
  app_map_part_forget_words (self);
  app_map_part_find_words (self, gtk_editable_get_text (self->search));
  sync_map (self);
}

/* The next layer in that direction that the trace has; -1 = there is none. */
static int
find_layer (AppMapPart *self,
            int         step)
{
  const UiDocument *now = app_picture_get_newest (self->picture);
  EngTrace *trace = app_study_get_trace (self->study);
  int layer;

  if (now == NULL || trace == NULL)
    return -1;

  layer = now->layer + step;
  while (layer >= 0 && layer < eng_trace_get_n_layers (trace, now->kind)
         && !eng_trace_has_layer (trace, now->kind, layer))
    layer += step;
  return layer < eng_trace_get_n_layers (trace, now->kind) ? layer : -1;
}

static void
sync_part (AppPart *part)
{
  AppMapPart *self = APP_MAP_PART (part);
  const UiDocument *shown = app_picture_get_shown (self->picture);

  app_desk_set_enabled (self->desk, "all-heads",
                        shown != NULL && !ui_view_get (shown->view)->has_one_head);
  app_desk_set_enabled (self->desk, "previous-layer", find_layer (self, -1) >= 0);
  app_desk_set_enabled (self->desk, "next-layer", find_layer (self, 1) >= 0);
  if (!app_picture_is_current (self->picture))
    return;
  sync_kinds (self);
  sync_map (self);
}

void
app_map_part_show_found (AppMapPart *self)
{
  sync_map (self);
}

static void
work (AppPart *part)
{
  app_map_part_make_tiles (APP_MAP_PART (part));
}

/* What a person does. */

UiDocument *
app_map_part_begin_choice (AppMapPart *self)
{
  if (self->tiles == NULL || app_picture_get_newest (self->picture) == NULL)
    return NULL;

  return ui_document_copy (app_study_get_document (self->study));
}

static void
head_chosen_cb (AppMapPart *self,
                int         layer,
                int         head)
{
  UiDocument *document = app_map_part_begin_choice (self);

  if (document == NULL)
    return;
  app_map_show_head (document, layer, head);
  app_map_part_pin_words (self, document, layer, head);
  app_map_part_set_cursor (self, layer, head);
  app_study_change (self->study, document);
  if (self->word_links != NULL)
    app_desk_show_pinned (self->desk);
}

static void
pattern_chosen_cb (AppMapPart *self,
                   int         pattern)
{
  self->lit = self->lit == pattern ? -1 : pattern;
  sync_map (self);
}

/* The search. */

static void
searched_cb (AppMapPart *self)
{
  self->lit = -1;
  app_map_part_find_words (self, gtk_editable_get_text (self->search));
  sync_map (self);
}

void
app_map_part_focus_picture (AppMapPart *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
}

static void
first_cb (AppMapPart *self)
{
  searched_cb (self);
  /* A map over the picture has done its work then. */
  if (ui_head_list_choose_first (self->list) && !app_desk_close_over (self->desk))
    app_map_part_focus_maps (self);
}

/* Down leads from the search into its list, where Return opens a head. */
static gboolean
search_key_cb (AppMapPart *self,
               guint       key)
{
  return (key == GDK_KEY_Down || key == GDK_KEY_KP_Down)
         && gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
}

/* For the picture, which a map over it would cover. */
void
app_map_part_leave (AppMapPart *self)
{
  if (self->is_opened_to_search)
    app_desk_reveal_map (self->desk, FALSE);
  else
    app_desk_close_over (self->desk);
  app_map_part_focus_picture (self);
}

static void
stop_search_cb (AppMapPart *self)
{
  gtk_editable_set_text (self->search, "");
  app_map_part_leave (self);
}

static void
change_map (GSimpleAction *action,
            GVariant      *value,
            gpointer       data)
{
  g_simple_action_set_state (action, value);
  app_desk_reveal_map (APP_MAP_PART (data)->desk, g_variant_get_boolean (value));
}

/* It may fold for want of room: the button follows. A search that nobody sees lights nothing in the
 * strip. */
static void
revealed_cb (AppMapPart *self)
{
  if (!app_desk_reveals_map (self->desk))
    gtk_editable_set_text (self->search, "");
  self->is_opened_to_search &= app_desk_reveals_map (self->desk);
  app_desk_set_state (self->desk, "map",
                      g_variant_new_boolean (app_desk_reveals_map (self->desk)));
}

/* In the place of the strip, for as long as it is searched in. */
static void
open_map (AppMapPart *self)
{
  if (app_desk_reveals_map (self->desk))
    return;
  self->is_opened_to_search = TRUE;
  app_desk_reveal_map (self->desk, TRUE);
}

void
app_map_part_search (AppMapPart *self,
                     const char *text)
{
  open_map (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  gtk_editable_set_text (self->search, text);
  gtk_editable_set_position (self->search, -1);
}

static void
find_head (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppMapPart *self = data;

  open_map (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  /* What is typed asks anew. */
  gtk_editable_select_region (self->search, 0, -1);
}

/* Layers and heads by key. */

void
app_map_part_step_layer (AppMapPart *self,
                         int         step)
{
  const int layer = find_layer (self, step);
  UiDocument *document;

  if (layer < 0)
    return;
  document = ui_document_copy (app_study_get_document (self->study));
  document->layer = layer;
  app_study_change (self->study, document);
}

static void
previous_layer (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  app_map_part_step_layer (data, -1);
}

static void
next_layer (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  app_map_part_step_layer (data, 1);
}

/* The digit of a head turns it on or off, or chooses it where a view has one. */
static void
head (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  AppMapPart *self = data;
  int index = g_variant_get_int32 (parameter);
  const UiDocument *now = app_picture_get_newest (self->picture);
  UiDocument *document;
  int n_heads;

  if (now == NULL)
    return;
  n_heads =
    MIN (eng_trace_get_n_heads (app_study_get_trace (self->study), now->kind), UI_MAX_HEADS);
  if (index < 0 || index >= n_heads)
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  document->heads = now->heads;
  if (ui_view_get (document->view)->has_one_head)
    ui_head_set_only (&document->heads, index);
  else
    ui_head_set_toggle (&document->heads, index, n_heads);
  app_study_change (self->study, document);
}

static void
all_heads (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppMapPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  document->heads = (UiHeadSet) { .all = TRUE };
  app_study_change (self->study, document);
}

/* The part. */

static void
connect_search (AppMapPart *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_object (self->list, "head-chosen", G_CALLBACK (head_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "pattern-chosen", G_CALLBACK (pattern_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "changed", G_CALLBACK (searched_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (first_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "stop-search", G_CALLBACK (stop_search_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (search_key_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->search), keys);
}

static void
add_actions (AppMapPart *self)
{
  static const GActionEntry entries[] = {
    { "previous-layer", previous_layer },
    { "next-layer", next_layer },
    { "head", head, "i" },
    { "all-heads", all_heads },
    { "find-pattern", find_head },
    { "map", NULL, NULL, "true", change_map },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->desk, "side-revealed", G_CALLBACK (revealed_cb), self,
                           G_CONNECT_SWAPPED);
  revealed_cb (self);
}

static void
begin (AppPart *part)
{
  AppMapPart *self = APP_MAP_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "map");
  app_part_place (self, "map_button", "header_map");
  app_part_place (self, "map_column", "column_map");
  app_part_place (self, "map_strip", "column_strip");
  self->kind_box = app_part_get_object (self, "kind_box");
  self->search = app_part_get_object (self, "map_search");
  self->card = app_part_get_object (self, "map_card");
  self->heading = app_part_get_object (self, "map_heading");
  self->list = app_part_get_object (self, "map_list");
  app_map_part_begin_maps (self);
  connect_search (self);
  add_actions (self);
}

static void
theme (AppPart *part)
{
  AppMapPart *self = APP_MAP_PART (part);
  UiTheme now = ui_scene_view_get_theme (app_picture_get_view (self->picture));

  app_map_part_set_theme_of_maps (self, now);
  ui_head_card_set_theme (self->card, now);
  ui_head_list_set_theme (self->list, now);
  sync_map (self);
}

static void
end (AppPart *part)
{
  app_map_part_stop_tiles (APP_MAP_PART (part));
  app_map_part_forget_words (APP_MAP_PART (part));
}

/* Words are found anew when they are asked for again; the trace that they were found in may be one
 * that nothing else holds. */
static void
shrink (AppPart *part)
{
  app_map_part_forget_words (APP_MAP_PART (part));
}

static void
app_map_part_finalize (GObject *object)
{
  g_clear_pointer (&APP_MAP_PART (object)->tiles, ui_head_tiles_unref);
  G_OBJECT_CLASS (app_map_part_parent_class)->finalize (object);
}

static void
app_map_part_class_init (AppMapPartClass *klass)
{
  g_type_ensure (UI_TYPE_CHOICE_BOX);
  g_type_ensure (UI_TYPE_HEAD_CARD);
  g_type_ensure (UI_TYPE_HEAD_LIST);
  g_type_ensure (UI_TYPE_HEAD_MAP);
  G_OBJECT_CLASS (klass)->finalize = app_map_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->theme = theme;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->work = work;
  APP_PART_CLASS (klass)->shrink = shrink;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_map_part_init (AppMapPart *self)
{
  self->lit = -1;
  self->pointed = (UiCell) { -1, -1 };
}
