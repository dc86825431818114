/* SPDX-License-Identifier: MIT */
#include "app/shell/regions.h"

#include "ui/dialogs/guide.h"
#include "ui/map/head-map.h"

typedef enum { MAP, SENTENCES, CARD, PICTURE, SIDE, N_REGIONS } Region;

struct _AppRegions {
  AdwApplicationWindow *window;
  AppRegionWidgets      widgets;
  guint                 entering; /* source that gives the focus to what came over the picture */
};

static gboolean
has_focus (AppRegions *self,
           GtkWidget  *widget)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* Whether the focus is at the card of a guide. */
static gboolean
is_guided (AppRegions *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focus != NULL && gtk_widget_get_ancestor (focus, UI_TYPE_GUIDE) != NULL;
}

/* N_REGIONS = the focus is elsewhere. */
static Region
find_region (AppRegions *self)
{
  if (is_guided (self))
    return CARD;
  if (has_focus (self, self->widgets.map) || has_focus (self, self->widgets.strip))
    return MAP;
  if (has_focus (self, self->widgets.sentences))
    return SENTENCES;
  if (has_focus (self, GTK_WIDGET (self->widgets.stack)))
    return PICTURE;
  if (has_focus (self, self->widgets.side))
    return SIDE;
  return N_REGIONS;
}

/* The first of a type; NULL = there is none. */
static GtkWidget *
find_type (GtkWidget *widget,
           GType      type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_type (child, type);
  return found;
}

/* The heads, not the search above them. */
static gboolean
enter_heads (GtkWidget *column)
{
  GtkWidget *heads = gtk_widget_get_mapped (column) ? find_type (column, UI_TYPE_HEAD_MAP) : NULL;

  return heads != NULL && gtk_widget_grab_focus (heads);
}

static gboolean
enter_first (GtkWidget *widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_child_focus (widget, GTK_DIR_TAB_FORWARD);
}

/* Sentences may be folded away until somebody types there. */
static gboolean
enter_sentences (AppRegions *self)
{
  if (!gtk_widget_get_mapped (self->widgets.sentences))
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (self->window), "focus-a", NULL);
  return has_focus (self, self->widgets.sentences);
}

/* The button that goes on, which is its last. */
static gboolean
enter_card (AppRegions *self)
{
  GtkWidget *guide = find_type (GTK_WIDGET (self->window), UI_TYPE_GUIDE);

  return guide != NULL && gtk_widget_get_mapped (guide)
         && gtk_widget_child_focus (guide, GTK_DIR_TAB_BACKWARD);
}

/* FALSE = it is not in sight, or nothing there takes keys. */
static gboolean
enter (AppRegions *self,
       Region      region)
{
  switch (region) {
  case MAP:
    return enter_heads (self->widgets.map) || enter_heads (self->widgets.strip);
  case SENTENCES:
    return enter_sentences (self);
  case CARD:
    return enter_card (self);
  case PICTURE:
    return enter_first (GTK_WIDGET (self->widgets.stack));
  default:
    /* What is read there before the row that chooses it. */
    return enter_first (gtk_widget_get_last_child (self->widgets.side))
           || enter_first (self->widgets.side);
  }
}

/* What lies over the picture goes when the keys leave it. */
static void
uncover (AppRegions *self)
{
  const Region region = find_region (self);

  if (region == SENTENCES || region == PICTURE)
    ui_columns_close_over (self->widgets.columns);
}

static void
go (AppRegions *self,
    int         step)
{
  const Region from = find_region (self);
  gboolean has_entered = FALSE;

  if (from == N_REGIONS)
    has_entered = enter (self, PICTURE);
  for (int i = 1; i < N_REGIONS && !has_entered; i++)
    has_entered = enter (self, (from + i * (step + N_REGIONS)) % N_REGIONS);
  uncover (self);
  gtk_window_set_focus_visible (GTK_WINDOW (self->window), TRUE);
}

/* Who is guided goes on with the keys of the guide, whatever its steps open. */
static gboolean
enter_over_cb (gpointer data)
{
  AppRegions *self = data;
  UiColumns *columns = self->widgets.columns;
  const Region regions[] = { [UI_COLUMN_START] = MAP, [UI_COLUMN_END] = SIDE };

  self->entering = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (regions); i++)
    if (ui_columns_is_folded (columns, (UiColumn) i) && ui_columns_is_revealed (columns, (UiColumn) i)
        && find_region (self) != regions[i] && !is_guided (self))
      enter (self, regions[i]);
  return G_SOURCE_REMOVE;
}

/* The keys go to what was laid over the picture. Not while the window is laid out. */
static void
shown_cb (AppRegions *self)
{
  if (self->entering == 0)
    self->entering = g_idle_add (enter_over_cb, self);
}

/* Nobody has asked for a place in the picture. */
static void
return_to_picture (AppRegions *self)
{
  if (gtk_widget_get_mapped (self->widgets.picture))
    gtk_widget_grab_focus (self->widgets.picture);
  else
    enter (self, PICTURE);
}

/* Before it is out of sight: GTK would give the keys to the first button of the window. */
static void
columns_cb (AppRegions *self)
{
  UiColumns *columns = self->widgets.columns;

  if ((has_focus (self, self->widgets.map) && !ui_columns_is_revealed (columns, UI_COLUMN_START))
      || (has_focus (self, self->widgets.side) && !ui_columns_is_revealed (columns, UI_COLUMN_END)))
    return_to_picture (self);
}

static void
next_region (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  go (data, 1);
}

static void
previous_region (GSimpleAction *action,
                 GVariant      *parameter,
                 gpointer       data)
{
  go (data, -1);
}

AppRegions *
app_regions_new (AdwApplicationWindow   *window,
                 const AppRegionWidgets *widgets)
{
  static const GActionEntry entries[] = {
    { "next-region", next_region },
    { "previous-region", previous_region },
  };
  AppRegions *self = g_new (AppRegions, 1);

  *self = (AppRegions) { window, *widgets, 0 };
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (widgets->columns, "changed", G_CALLBACK (columns_cb), self);
  g_signal_connect_swapped (widgets->map, "map", G_CALLBACK (shown_cb), self);
  g_signal_connect_swapped (widgets->side, "map", G_CALLBACK (shown_cb), self);
  return self;
}

void
app_regions_free (AppRegions *self)
{
  g_signal_handlers_disconnect_by_data (self->widgets.columns, self);
  g_signal_handlers_disconnect_by_data (self->widgets.map, self);
  g_signal_handlers_disconnect_by_data (self->widgets.side, self);
  g_clear_handle_id (&self->entering, g_source_remove);
  g_action_map_remove_action (G_ACTION_MAP (self->window), "next-region");
  g_action_map_remove_action (G_ACTION_MAP (self->window), "previous-region");
  g_free (self);
}
