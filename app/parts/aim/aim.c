/* SPDX-License-Identifier: MIT */
#include "app/parts/aim/aim.h"

#include "ui/controls/tame-menu.h"
#include "ui/dialogs/context-menu.h"
#include "ui/scene/base/describe.h"

struct _AppAimPart {
  AppPart parent_instance;

  AppDesk     *desk;
  AppStudy    *study;
  AppPicture  *picture;
  UiInspector *inspector;

  /* What the picture is about, of which it was scrolled to the link. */
  gboolean     has_subject;
  EngKind      kind;
  int          layer;
  int          head;

  gboolean     seeks_pinned; /* once it is drawn it is scrolled to */
};

G_DEFINE_FINAL_TYPE (AppAimPart, app_aim_part, APP_TYPE_PART)

/* Ways on, as actions: tokens are those of the first side. */

static void
show_one_head (UiDocument *document,
               int         layer,
               int         head)
{
  ui_document_show_head (document, layer, head);
  document->layers = UI_AGGREGATE_EACH;
  document->aggregate = UI_AGGREGATE_EACH;
}

static void
only_head (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppAimPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  int layer, head;

  g_variant_get (parameter, "(ii)", &layer, &head);
  show_one_head (document, layer, head);
  app_study_change (self->study, document);
}

/* The query is what the view is about, the key a cell of its row. */
static void
explain (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  AppAimPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  int layer, head, query, key;

  g_variant_get (parameter, "(iiii)", &layer, &head, &query, &key);
  show_one_head (document, layer, head);
  if (document->compare == UI_COMPARE_DIFFERENCE)
    document->compare = UI_COMPARE_OFF;
  document->view = UI_VIEW_NEURON;
  ui_pins_clear (&document->pins);
  ui_pins_click (&document->pins, FALSE, query, TRUE);
  ui_pins_click (&document->pins, TRUE, key, TRUE);
  app_study_change (self->study, document);
}

static void
explain_head (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppAimPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  int layer, head;

  g_variant_get (parameter, "(ii)", &layer, &head);
  show_one_head (document, layer, head);
  document->view = UI_VIEW_NEURON;
  app_study_change (self->study, document);
}

/* Of a word its row. FALSE for what is not drawn. */
static gboolean
find_token (AppAimPart *self,
            gboolean    is_key,
            int         token,
            UiItem     *item)
{
  UiScene *scene = app_picture_get_scene (self->picture);
  UiRect rect;

  if (scene == NULL)
    return FALSE;
  for (int row = 0; row <= token; row++) {
    *item = (UiItem) { .type = is_key ? UI_ITEM_KEY : UI_ITEM_QUERY, .query = row, .key = row };
    if (ui_scene_get_rect (scene, item, &rect)
        && ui_scene_get_token (scene, is_key, row) == token)
      return TRUE;
  }
  return FALSE;
}

static void
go_to (AppAimPart   *self,
       const UiItem *token)
{
  UiSceneView *view = app_picture_get_view (self->picture);

  gtk_widget_grab_focus (GTK_WIDGET (view));
  ui_scene_view_set_cursor (view, token);
}

static void
go_to_token (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppAimPart *self = data;
  gboolean is_key;
  UiItem item;
  int token;

  g_variant_get (parameter, "(bi)", &is_key, &token);
  if (find_token (self, is_key, token, &item))
    go_to (self, &item);
}

/* Of a link both ends, as far as there is room for them. */
static void
show_ends (AppAimPart   *self,
           const UiItem *item,
           const UiItem *token)
{
  UiSceneView *view = app_picture_get_view (self->picture);
  UiItem other = *item;

  other.type = token->type == UI_ITEM_KEY ? UI_ITEM_QUERY : UI_ITEM_KEY;
  if (item->type == UI_ITEM_LINK)
    ui_scene_view_show_item (view, &other);
  ui_scene_view_show_item (view, token);
}

/* What was pinned from afar, once it is drawn; in a matrix a link is a cell. */
static void
seek_pinned (AppAimPart *self)
{
  UiItem pinned, query;

  if (!self->seeks_pinned || app_picture_get_scene (self->picture) == NULL
      || !app_picture_is_current (self->picture))
    return;

  self->seeks_pinned = FALSE;
  pinned = query = app_picture_find_pinned (self->picture);
  query.type = UI_ITEM_QUERY;
  if (pinned.type == UI_ITEM_LINK)
    show_ends (self, &pinned, &query);
  if (ui_view_get (app_picture_get_shown (self->picture)->view)->has_one_head)
    ui_scene_view_show_item (app_picture_get_view (self->picture), &pinned);
}

static void
show_pinned_cb (AppAimPart *self)
{
  self->seeks_pinned = TRUE;
  seek_pinned (self);
}

/* From the top, with names and headings, where both ends are in sight there. Else its query in the
 * middle, with what is read as far as there is room for both. */
static void
show_subject (AppAimPart   *self,
              const UiItem *link)
{
  UiSceneView *view = app_picture_get_view (self->picture);
  UiScene *scene = app_picture_get_scene (self->picture);
  const UiRect area = ui_scene_view_get_area (view);
  UiItem query = *link, key = *link;
  UiRect row, read;

  query.type = UI_ITEM_QUERY;
  key.type = UI_ITEM_KEY;
  if (!ui_scene_get_rect (scene, &query, &row))
    return;
  if (!ui_scene_get_rect (scene, &key, &read))
    read = row;
  if (MAX (row.y + row.height, read.y + read.height) <= area.height) {
    ui_scene_view_scroll_to (view, area.x, 0);
    return;
  }
  ui_scene_view_scroll_to (view, area.x, row.y + row.height / 2 - area.height / 2);
  show_ends (self, link, &query);
}

/* A picture that is about one link opens there. Where a person then scrolls to, it stays. */
static void
sync_part (AppPart *part)
{
  AppAimPart *self = APP_AIM_PART (part);
  UiScene *scene = app_picture_get_scene (self->picture);
  const EngKind kind = scene != NULL ? ui_scene_get_kind (scene) : ENG_KIND_ENCODER;
  const gboolean had_subject = self->has_subject;
  UiItem link;
  int layer;

  seek_pinned (self);
  self->has_subject = scene != NULL && ui_scene_get_subject (scene, &link);
  if (!self->has_subject)
    return;
  layer = app_picture_get_shown (self->picture)->layer;
  if (had_subject && kind == self->kind && layer == self->layer && link.head == self->head)
    return;

  self->kind = kind;
  self->layer = layer;
  self->head = link.head;
  show_subject (self, &link);
}

/* Menus. */

static void
append_go_to (AppAimPart    *self,
              const AppLink *link,
              gboolean       is_key,
              GMenu         *section)
{
  EngTrace *trace = ui_scene_get_trace (app_picture_get_scene (self->picture));
  const EngTokens *tokens = is_key ? eng_trace_get_key_tokens (trace, link->kind)
                                   : eng_trace_get_query_tokens (trace, link->kind);
  const int token = is_key ? link->key : link->query;
  g_autofree char *name = ui_describe_token (tokens, token);
  g_autofree char *label = g_strdup_printf ("Go to Token %s", name);
  g_autofree char *shown = ui_menu_label (label);
  g_autoptr (GMenuItem) item = g_menu_item_new (shown, NULL);

  g_menu_item_set_action_and_target (item, "win.go-to-token", "(bi)", is_key, token);
  g_menu_append_item (section, item);
}

/* Where a row stands for several heads, a person reads here which one is meant. */
static void
append_only_head (int    layer,
                  int    head,
                  GMenu *section)
{
  g_autofree char *label = g_strdup_printf ("Only This Head (%d)", head);
  g_autofree char *shown = ui_menu_label (label);
  g_autoptr (GMenuItem) item = g_menu_item_new (shown, NULL);

  g_menu_item_set_action_and_target (item, "win.only-head", "(ii)", layer, head);
  g_menu_append_item (section, item);
}

/* A head that is named beside the picture; those of a grid are opened from it. */
static void
append_head (AppAimPart   *self,
             const UiItem *item,
             GMenu        *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenuItem) neurons = g_menu_item_new ("Explain in Neurons", NULL);

  if (ui_view_get (app_picture_get_shown (self->picture)->view)->has_all_heads)
    return;
  append_only_head (item->layer, item->head, section);
  g_menu_item_set_action_and_target (neurons, "win.explain-head", "(ii)", item->layer, item->head);
  g_menu_append_item (section, neurons);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
item_menu_cb (AppAimPart   *self,
              const UiItem *item,
              GMenu        *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenuItem) neurons = g_menu_item_new ("Explain in Neurons", NULL);
  UiItem drawn;
  AppLink link;

  if (app_picture_get_scene (self->picture) == NULL)
    return;
  if (item->type == UI_ITEM_HEAD) {
    append_head (self, item, menu);
    return;
  }
  /* Keys reach tokens alone: beside a pin they mean the link with it, too. */
  drawn = app_picture_find_drawn (self->picture, item);
  if (!app_picture_find_link (self->picture, &drawn, &link))
    return;

  append_only_head (link.layer, link.head, section);
  g_menu_item_set_action_and_target (neurons, "win.explain", "(iiii)", link.layer, link.head,
                                     link.query, link.key);
  g_menu_append_item (section, neurons);
  append_go_to (self, &link, FALSE, section);
  /* A token that reads itself is one place. */
  if (link.kind == ENG_KIND_CROSS || link.key != link.query)
    append_go_to (self, &link, TRUE, section);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static GMenuModel *
scene_menu (GtkWidget    *widget,
            double        x,
            double        y,
            GdkRectangle *at,
            gpointer      data)
{
  AppAimPart *self = data;
  UiSceneView *view = app_picture_get_view (self->picture);
  UiItem item = *ui_scene_view_get_cursor (view);
  UiRect rect;
  UiRect area;

  if (x >= 0) {
    ui_scene_view_find_item (view, x, y, &item);
  } else if (item.type != UI_ITEM_NONE
             && ui_scene_get_rect (app_picture_get_scene (self->picture), &item, &rect)) {
    area = ui_scene_view_get_area (view);
    *at = (GdkRectangle) { (int) (rect.x - area.x), (int) (rect.y - area.y), (int) rect.width,
                           (int) rect.height };
  }
  return app_desk_new_item_menu (self->desk, &item);
}

static GMenuModel *
row_menu (GtkWidget    *widget,
          double        x,
          double        y,
          GdkRectangle *at,
          gpointer      data)
{
  AppAimPart *self = data;
  UiItem item;

  return ui_inspector_find_row (self->inspector, x, y, &item, at)
         ? app_desk_new_item_menu (self->desk, &item) : NULL;
}

/* Rows of the inspector. */

static void
row_aimed_cb (AppAimPart   *self,
              const UiItem *item)
{
  ui_scene_view_set_aim (app_picture_get_view (self->picture), item);
}

/* The one that is named may be far from the one that is pinned. */
static void
row_clicked_cb (AppAimPart   *self,
                const UiItem *item,
                const UiItem *token,
                gboolean      extend)
{
  const UiItem link = *item, named = *token;

  app_desk_click (self->desk, item, extend);
  show_ends (self, &link, &named);
}

static void
head_chosen_cb (AppAimPart *self,
                int         layer,
                int         head)
{
  app_desk_activate (self->desk, "only-head", g_variant_new ("(ii)", layer, head));
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = {
    { "only-head", only_head, "(ii)" },
    { "explain", explain, "(iiii)" },
    { "explain-head", explain_head, "(ii)" },
    { "go-to-token", go_to_token, "(bi)" },
  };
  AppAimPart *self = APP_AIM_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->inspector = app_desk_get_inspector (self->desk);
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->desk, "item-menu", G_CALLBACK (item_menu_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "show-pinned", G_CALLBACK (show_pinned_cb), self,
                           G_CONNECT_SWAPPED);
  ui_context_menu_attach (GTK_WIDGET (app_picture_get_view (self->picture)), scene_menu, self);
  ui_context_menu_attach (GTK_WIDGET (self->inspector), row_menu, self);
  g_signal_connect_object (self->inspector, "row-aimed", G_CALLBACK (row_aimed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inspector, "row-clicked", G_CALLBACK (row_clicked_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inspector, "row-opened", G_CALLBACK (go_to), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inspector, "head-chosen", G_CALLBACK (head_chosen_cb), self,
                           G_CONNECT_SWAPPED);
}

/* Rows lose the focus with the window. */
static void
end (AppPart *part)
{
  AppAimPart *self = APP_AIM_PART (part);

  g_signal_handlers_disconnect_by_data (self->inspector, self);
}

static void
app_aim_part_class_init (AppAimPartClass *klass)
{
  APP_PART_CLASS (klass)->end = end;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_aim_part_init (AppAimPart *self)
{
}
