/* SPDX-License-Identifier: MIT */
#include "ui/map/head-list.h"

#include "ui/boxes/stop-box.h"
#include "ui/controls/words.h"
#include "ui/map/map-row.h"
#include "ui/scene/base/pattern-glyph.h"

#define GLYPH 24
#define MOST_ROWS 64 /* a list, not the map again */

/* What a row stands for. */
typedef struct {
  int    pattern; /* that many share; -1 = the row is one head */
  UiCell cell;
} Choice;

struct _UiHeadList {
  GtkWidget   parent_instance;

  GtkListBox *list;
  GtkWidget  *message;
  GPtrArray  *rows;    /* of UiMapRow, in their order */
  GArray     *choices; /* of Choice, as the rows that are seen */
  UiTheme     theme;
};

enum { SIGNAL_HEAD_CHOSEN, SIGNAL_PATTERN_CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiHeadList, ui_head_list, GTK_TYPE_WIDGET)

static void
emit_choice (UiHeadList *self,
             int         index)
{
  const Choice *choice = &g_array_index (self->choices, Choice, index);

  if (choice->pattern >= 0)
    g_signal_emit (self, signals[SIGNAL_PATTERN_CHOSEN], 0, choice->pattern);
  else
    g_signal_emit (self, signals[SIGNAL_HEAD_CHOSEN], 0, choice->cell.layer, choice->cell.head);
}

static void
row_activated_cb (UiHeadList    *self,
                  GtkListBoxRow *row)
{
  emit_choice (self, gtk_list_box_row_get_index (row));
}

/* Rows stay from one filling to the next: a widget costs more than its words. */
static UiMapRow *
get_row (UiHeadList *self,
         int         index)
{
  if (index == (int) self->rows->len) {
    GtkWidget *row = ui_map_row_new ();

    gtk_list_box_append (self->list, row);
    g_ptr_array_add (self->rows, row);
  }
  return self->rows->pdata[index];
}

static GtkWidget *
get_list_row (UiHeadList *self,
              int         index)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, index));
}

static void
begin_rows (UiHeadList *self)
{
  gtk_widget_set_visible (self->message, FALSE);
  g_array_set_size (self->choices, 0);
}

static void
end_rows (UiHeadList *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    gtk_widget_set_visible (get_list_row (self, (int) i), i < self->choices->len);
}

static void
mark_row (UiHeadList *self,
          int         index,
          gboolean    is_marked)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, index);

  if (is_marked)
    gtk_list_box_select_row (self->list, row);
  else if (gtk_list_box_row_is_selected (row))
    gtk_list_box_unselect_row (self->list, row);
}

static void
set_glyph (UiHeadList *self,
           UiMapRow   *row,
           EngPattern  pattern)
{
  guint8 alphas[GLYPH * GLYPH];
  const UiTile tile = { alphas, GLYPH, GLYPH };
  const UiTileInk ink = {
    ui_palette_get (self->theme)->text, ui_tile_get_plate (self->theme), 1
  };

  ui_pattern_glyph_paint (pattern, GLYPH, alphas);
  ui_map_row_set_tile (row, &tile, &ink);
}

static void
set_group (UiHeadList        *self,
           int                index,
           const UiHeadGroup *group)
{
  UiMapRow *row = get_row (self, index);
  const Choice choice = { group->is_shared ? (int) group->pattern : -1, group->best };
  g_autofree char *number =
    group->is_shared
    ? g_strdup_printf ("%d head%s", group->n_heads, group->n_heads == 1 ? "" : "s")
    : g_strdup_printf ("%d.%d", group->best.layer, group->best.head);

  set_glyph (self, row, group->pattern);
  ui_map_row_set (row, eng_pattern_get_title (group->pattern), number, !group->is_shared,
                  ui_palette_get (self->theme)->accent);
  g_array_append_val (self->choices, choice);
}

static void
ui_head_list_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ui_head_list_parent_class)->dispose (object);
}

static void
ui_head_list_finalize (GObject *object)
{
  UiHeadList *self = UI_HEAD_LIST (object);

  g_ptr_array_unref (self->rows);
  g_array_unref (self->choices);
  G_OBJECT_CLASS (ui_head_list_parent_class)->finalize (object);
}

/* One stop for Tab, at the row that is marked; arrows go from row to row. */
static gboolean
ui_head_list_focus (GtkWidget        *widget,
                    GtkDirectionType  direction)
{
  GtkListBoxRow *marked = gtk_list_box_get_selected_row (UI_HEAD_LIST (widget)->list);

  return ui_stop_box_move (widget, direction, (GtkWidget *) marked,
                           GTK_WIDGET_CLASS (ui_head_list_parent_class));
}

static void
ui_head_list_class_init (UiHeadListClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  GTK_WIDGET_CLASS (klass)->focus = ui_head_list_focus;
  G_OBJECT_CLASS (klass)->dispose = ui_head_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_head_list_finalize;
  signals[SIGNAL_HEAD_CHOSEN] =
    g_signal_new ("head-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                  G_TYPE_INT, G_TYPE_INT);
  signals[SIGNAL_PATTERN_CHOSEN] =
    g_signal_new ("pattern-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_INT);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "headlist");
}

static void
ui_head_list_init (UiHeadList *self)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_orientable_set_orientation (
    GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->list = GTK_LIST_BOX (list);
  self->rows = g_ptr_array_new ();
  self->choices = g_array_new (FALSE, FALSE, sizeof (Choice));
  self->message = ui_words_label_new ("", "dim-label");
  gtk_widget_set_visible (self->message, FALSE);
  gtk_widget_set_parent (self->message, GTK_WIDGET (self));
  gtk_widget_set_parent (list, GTK_WIDGET (self));
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_SINGLE);
  gtk_list_box_set_activate_on_single_click (self->list, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "What heads read", -1);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (row_activated_cb), self);
}

GtkWidget *
ui_head_list_new (void)
{
  return g_object_new (UI_TYPE_HEAD_LIST, NULL);
}

void
ui_head_list_set_groups (UiHeadList        *self,
                         const UiHeadGroup *groups,
                         int                n_groups,
                         int                lit,
                         const UiCell      *drawn)
{
  g_return_if_fail (UI_IS_HEAD_LIST (self));

  begin_rows (self);
  for (int i = 0; i < n_groups; i++)
    set_group (self, i, &groups[i]);
  end_rows (self);
  for (int i = 0; i < n_groups; i++)
    mark_row (self, i, groups[i].is_shared
                       ? (int) groups[i].pattern == lit
                       : groups[i].best.layer == drawn->layer && groups[i].best.head == drawn->head);
}

void
ui_head_list_set_found (UiHeadList        *self,
                        const UiHeadTiles *tiles,
                        const GArray      *found)
{
  g_return_if_fail (UI_IS_HEAD_LIST (self));

  begin_rows (self);
  for (guint i = 0; i < MIN (found->len, MOST_ROWS); i++) {
    const UiFoundHead *one = &g_array_index (found, UiFoundHead, i);
    UiMapRow *row = get_row (self, (int) i);
    const Choice choice = { -1, one->cell };
    const UiTile tile = { ui_head_tiles_get (tiles, one->cell.layer, one->cell.head),
                          ui_head_tiles_get_width (tiles), ui_head_tiles_get_height (tiles) };
    const UiTileInk ink = {
      ui_palette_get (self->theme)->text, ui_tile_get_plate (self->theme), 1
    };
    g_autofree char *title = g_strdup_printf ("%d.%d  %s", one->cell.layer, one->cell.head,
                                              eng_pattern_get_title (one->pattern));
    g_autofree char *number = ui_words_number ("%.2f", one->score);

    ui_map_row_set_tile (row, &tile, &ink);
    ui_map_row_set (row, title, number, FALSE, ink.ink);
    g_array_append_val (self->choices, choice);
    mark_row (self, (int) i, FALSE);
  }
  end_rows (self);
}

void
ui_head_list_set_message (UiHeadList *self,
                          const char *message)
{
  g_return_if_fail (UI_IS_HEAD_LIST (self));

  begin_rows (self);
  end_rows (self);
  gtk_label_set_label (GTK_LABEL (self->message), message);
  gtk_widget_set_visible (self->message, TRUE);
}

void
ui_head_list_set_theme (UiHeadList *self,
                        UiTheme     theme)
{
  g_return_if_fail (UI_IS_HEAD_LIST (self));

  self->theme = theme;
}

gboolean
ui_head_list_choose_first (UiHeadList *self)
{
  g_return_val_if_fail (UI_IS_HEAD_LIST (self), FALSE);

  if (self->choices->len == 0)
    return FALSE;
  emit_choice (self, 0);
  return TRUE;
}
