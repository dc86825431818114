/* SPDX-License-Identifier: MIT */
#include "ui/inspector/inspector-private.h"

#include "ui/lists/changed-link-list.h"
#include "ui/inspector/head-overview.h"
#include "ui/lists/reading-list.h"
#include "ui/inspector/sides-panel.h"
#include "ui/map/changed-head-list.h"
#include "ui/scene/views/side-changes.h"

enum { SIGNAL_AIMED, SIGNAL_CLICKED, SIGNAL_OPENED, SIGNAL_HEAD, SIGNAL_IN_HEAD, N_SIGNALS };

static guint signals[N_SIGNALS];

#define N_LISTS 4

static UiRowList *
get_list (UiInspector *self,
          gsize        i)
{
  GtkWidget *lists[N_LISTS] = {
    self->reads, self->is_read_by, self->strongest,
    ui_sides_panel_get_links (UI_SIDES_PANEL (self->sides_panel))
  };

  return UI_ROW_LIST (lists[i]);
}

static gboolean
has_item (UiInspector  *self,
          const UiItem *item)
{
  UiRect rect;

  return ui_scene_get_rect (self->scene, item, &rect);
}

/* A link where the scene has links, a cell where it has those, else the token. */
static UiItem
find_item (UiInspector  *self,
           const UiItem *token,
           int           head)
{
  static const UiItemType types[] = { UI_ITEM_LINK, UI_ITEM_SOFTMAX };
  const gboolean is_key = token->type == UI_ITEM_KEY;
  UiItem item = *token;

  item.head = head;
  item.query = is_key ? self->query : token->query;
  item.key = is_key ? token->key : self->key;
  for (gsize i = 0; i < G_N_ELEMENTS (types) && item.query >= 0 && item.key >= 0; i++) {
    item.type = types[i];
    /* A column of cells is of one query. */
    if ((item.type == UI_ITEM_LINK || is_key) && has_item (self, &item))
      return item;
  }
  return *token;
}

static gboolean
read_reading (UiInspector   *self,
              UiReadingList *list,
              int            row,
              UiItem        *item,
              UiItem        *token)
{
  const gboolean is_key = GTK_WIDGET (list) != self->is_read_by;
  int index, head;

  if (!ui_reading_list_get_row (list, row, &index, &head))
    return FALSE;

  if (GTK_WIDGET (list) == self->strongest)
    self->query = ui_reading_list_get_query (list, row);
  *token = (UiItem) {
    .type = is_key ? UI_ITEM_KEY : UI_ITEM_QUERY, .query = index, .key = index,
    .panel = self->item.panel
  };
  *item = find_item (self, token, head);
  return TRUE;
}

/* What stands out on the other side the picture finds. */
static gboolean
read_changed_link (UiInspector       *self,
                   UiChangedLinkList *list,
                   int                row,
                   UiItem            *item,
                   UiItem            *token)
{
  UiLinkChange link;

  if (!ui_changed_link_list_get_row (list, row, &link))
    return FALSE;

  *item = ui_side_changes_find_link (self->scene, &link);
  *token = (UiItem) { .type = UI_ITEM_QUERY, .query = item->query, .key = item->query };
  if (!has_item (self, item))
    *item = *token;
  return TRUE;
}

/* FALSE for a row that there is not, or that is not drawn. */
static gboolean
read_row (UiInspector *self,
          UiRowList   *list,
          int          row,
          UiItem      *item,
          UiItem      *token)
{
  if (self->scene == NULL)
    return FALSE;

  return (UI_IS_READING_LIST (list)
          ? read_reading (self, UI_READING_LIST (list), row, item, token)
          : read_changed_link (self, UI_CHANGED_LINK_LIST (list), row, item, token))
         && has_item (self, token);
}

static gboolean
is_same (const UiItem *a,
         const UiItem *b)
{
  return a->type == b->type
         && (a->type == UI_ITEM_NONE || (a->head == b->head && a->query == b->query
                                         && a->key == b->key && a->panel == b->panel));
}

/* The pointer may be in one, the focus in another. */
static UiRowList *
find_aimed (UiInspector *self)
{
  UiRowList *aimed = NULL;

  for (gsize i = 0; i < N_LISTS; i++) {
    UiRowList *list = get_list (self, i);

    if (ui_row_list_get_aim (list) >= 0
        && (aimed == NULL || ui_row_list_is_pointed_at (list)))
      aimed = list;
  }
  return aimed;
}

static void
tell_aim (UiInspector *self)
{
  UiRowList *list = find_aimed (self);
  UiItem aim, token;

  if (list == NULL || !read_row (self, list, ui_row_list_get_aim (list), &aim, &token))
    aim = (UiItem) { .type = UI_ITEM_NONE };
  if (is_same (&aim, &self->aim))
    return;

  self->aim = aim;
  g_signal_emit (self, signals[SIGNAL_AIMED], 0, &aim);
}

static void
clicked_cb (UiInspector *self,
            int          row,
            gboolean     extend,
            UiRowList   *list)
{
  UiItem item, token;

  if (read_row (self, list, row, &item, &token))
    g_signal_emit (self, signals[SIGNAL_CLICKED], 0, &item, &token, extend);
}

static void
opened_cb (UiInspector *self,
           int          row,
           UiRowList   *list)
{
  UiItem item, token;

  if (read_row (self, list, row, &item, &token))
    g_signal_emit (self, signals[SIGNAL_OPENED], 0, &token);
}

static void
head_chosen_cb (UiInspector *self,
                int          layer,
                int          head)
{
  g_signal_emit (self, signals[SIGNAL_HEAD], 0, layer, head);
}

static void
choose_changed_head (UiInspector       *self,
                     int                row,
                     UiChangedHeadList *list)
{
  UiHeadChange head;

  if (ui_changed_head_list_get_row (list, row, &head))
    g_signal_emit (self, signals[SIGNAL_HEAD], 0, head.layer, head.head);
}

static void
changed_head_clicked_cb (UiInspector       *self,
                         int                row,
                         gboolean           extend,
                         UiChangedHeadList *list)
{
  choose_changed_head (self, row, list);
}

static void
in_head_clicked_cb (UiInspector  *self,
                    const UiItem *item,
                    gboolean      extend)
{
  g_signal_emit (self, signals[SIGNAL_IN_HEAD], 0, item, extend);
}

void
ui_inspector_class_init_rows (UiInspectorClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  signals[SIGNAL_AIMED] =
    g_signal_new ("row-aimed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_CLICKED] =
    g_signal_new ("row-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 3, G_TYPE_POINTER, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  signals[SIGNAL_OPENED] =
    g_signal_new ("row-opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_IN_HEAD] =
    g_signal_new ("head-clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  signals[SIGNAL_HEAD] =
    g_signal_new ("head-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
}

void
ui_inspector_init_rows (UiInspector *self)
{
  GtkWidget *heads = ui_sides_panel_get_heads (UI_SIDES_PANEL (self->sides_panel));

  for (gsize i = 0; i < N_LISTS; i++) {
    UiRowList *list = get_list (self, i);

    g_signal_connect_swapped (list, "aimed", G_CALLBACK (tell_aim), self);
    g_signal_connect_swapped (list, "clicked", G_CALLBACK (clicked_cb), self);
    g_signal_connect_swapped (list, "opened", G_CALLBACK (opened_cb), self);
  }
  g_signal_connect_swapped (heads, "clicked", G_CALLBACK (changed_head_clicked_cb), self);
  g_signal_connect_swapped (heads, "opened", G_CALLBACK (choose_changed_head), self);
  g_signal_connect_swapped (self->head_panel, "clicked", G_CALLBACK (in_head_clicked_cb), self);
  g_signal_connect_swapped (self->overview, "head-chosen", G_CALLBACK (head_chosen_cb), self);
}

void
ui_inspector_sync_rows (UiInspector             *self,
                        const UiInspectorChoice *choice)
{
  self->query = choice != NULL && choice->as_queries.n_queries == 1
                ? choice->as_queries.queries[0] : -1;
  self->key = choice != NULL && choice->as_keys.n_keys == 1 ? choice->as_keys.keys[0] : -1;
  tell_aim (self);
}

void
ui_inspector_let_go_of_pointer (UiInspector *self)
{
  g_return_if_fail (UI_IS_INSPECTOR (self));

  for (gsize i = 0; i < N_LISTS; i++)
    ui_row_list_let_go_of_pointer (get_list (self, i));
}

/* Where it is, for a menu of the keyboard. */
static gboolean
place_row (UiInspector  *self,
           GtkWidget    *row,
           GdkRectangle *at)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (row, GTK_WIDGET (self), &bounds))
    return FALSE;
  *at = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width,
                         (int) bounds.size.height };
  return TRUE;
}

/* Of several heads, a row each. */
static gboolean
find_head_row (UiInspector  *self,
               double        x,
               double        y,
               UiItem       *item,
               GdkRectangle *at)
{
  UiHeadOverview *overview = UI_HEAD_OVERVIEW (self->overview);
  double row_x = -1, row_y = -1;
  GtkWidget *row;

  if (x >= 0)
    gtk_widget_translate_coordinates (GTK_WIDGET (self), self->overview, x, y, &row_x, &row_y);
  return (x < 0 || row_x >= 0) && ui_head_overview_find_row (overview, row_x, row_y, item, &row)
         && (x >= 0 || place_row (self, row, at));
}

gboolean
ui_inspector_find_row (UiInspector  *self,
                       double        x,
                       double        y,
                       UiItem       *item,
                       GdkRectangle *at)
{
  g_return_val_if_fail (UI_IS_INSPECTOR (self), FALSE);

  for (gsize i = 0; i < N_LISTS; i++) {
    UiRowList *list = get_list (self, i);
    int row = ui_row_list_get_aim (list);
    double list_x, list_y;
    GdkRectangle place;
    UiItem token;

    if (x >= 0) {
      gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (list), x, y, &list_x,
                                        &list_y);
      row = gtk_widget_get_mapped (GTK_WIDGET (list))
            ? ui_row_list_find_row (list, list_x, list_y) : -1;
    }
    if (!read_row (self, list, row, item, &token)
        || !place_row (self, ui_row_list_get_row_widget (list, row), &place))
      continue;
    if (x < 0)
      *at = place;
    return TRUE;
  }
  return find_head_row (self, x, y, item, at);
}
