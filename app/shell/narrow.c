/* SPDX-License-Identifier: MIT */
#include "app/shell/narrow.h"

#include "app/shell/menus.h"
#include "ui/controls/tame-menu.h"
#include "ui/view/drawn-text.h"

/* Pixels at 100 % text. */
#define LOWEST   440 /* a line of the caption is a row of the picture's */
#define LOW      560
#define NARROW   481
/* Of the header's views and steps of history, for which a narrower window never has room. */
#define VIEWS    640
#define STEPS    960
#define SENTENCE 250 /* of the caption in a narrow window */

struct _AppNarrow {
  AppNarrowWidgets widgets;
  gboolean         is_low;
  gboolean         is_lowest;
  gboolean         is_narrow;
  gboolean         lacks_views;
  gboolean         lacks_steps;
  int              menu;    /* which menu the button has; -1 = none yet */
  guint            source;
};

static gboolean
has_focus_in (GtkWindow *window,
              GtkWidget *widget)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  return focus != NULL && gtk_widget_is_ancestor (focus, widget);
}

static gboolean
has_room (AdwSqueezer *squeezer)
{
  return gtk_widget_get_visible (GTK_WIDGET (squeezer))
         && adw_squeezer_get_visible_child (squeezer) != NULL;
}

static void
fill_menu (AppNarrow *self)
{
  const gboolean has_zoom = ui_tool_row_has_optional (self->widgets.toolbar);
  const gboolean has_header = has_room (self->widgets.header_steps)
                              && has_room (self->widgets.header_files);
  const int menu = has_zoom + 2 * has_header;
  g_autoptr (GMenuModel) model = NULL;

  if (menu == self->menu)
    return;
  self->menu = menu;
  model = app_menus_new_more (has_zoom, has_header);
  ui_set_late_menu (self->widgets.more_button, model);
}

gboolean
app_narrow_holds_texts (const AppNarrow *self)
{
  return self->is_low
         && has_focus_in (self->widgets.window, GTK_WIDGET (self->widgets.sentences));
}

static void
set_class (AppNarrow  *self,
           const char *css_class,
           gboolean    is_on)
{
  if (is_on)
    gtk_widget_add_css_class (GTK_WIDGET (self->widgets.window), css_class);
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->widgets.window), css_class);
}

static void
fold_texts (AppNarrow *self)
{
  const AppNarrowWidgets *widgets = &self->widgets;
  GtkWidget *line = gtk_widget_get_first_child (widgets->folded_texts);
  const gboolean is_folded = self->is_low && !app_narrow_holds_texts (self);

  set_class (self, "low", self->is_low);
  set_class (self, "lowest", self->is_lowest);
  gtk_revealer_set_reveal_child (widgets->sentences, !is_folded);
  gtk_widget_set_visible (line, is_folded);
}

/* The sentence keeps its room there, whatever stands beside it. */
static void
place_caption (AppNarrow *self)
{
  const AppNarrowWidgets *widgets = &self->widgets;
  GtkWidget *before = self->is_narrow ? widgets->foot_line : widgets->head_line;
  GtkWidget *sentence = gtk_widget_get_first_child (widgets->caption_place);
  const double scale = ui_drawn_text_get_scale (GTK_WIDGET (widgets->window));

  set_class (self, "caption-below", self->is_narrow);
  if (gtk_widget_get_prev_sibling (widgets->caption_place) == before)
    return;
  gtk_box_reorder_child_after (GTK_BOX (gtk_widget_get_parent (widgets->caption_place)),
                               widgets->caption_place, before);
  gtk_widget_set_size_request (sentence, self->is_narrow ? (int) (SENTENCE * scale) : -1, -1);
}

static gboolean
show_cb (gpointer data)
{
  AppNarrow *self = data;
  const AppNarrowWidgets *widgets = &self->widgets;

  self->source = 0;
  /* A squeezer that shows nothing keeps the room that it asks for, and the model's name would lack it. */
  gtk_widget_set_visible (GTK_WIDGET (widgets->header_views), !self->lacks_views);
  gtk_widget_set_visible (GTK_WIDGET (widgets->header_steps), !self->lacks_steps);
  gtk_widget_set_visible (GTK_WIDGET (widgets->header_files), !self->is_narrow);
  gtk_widget_set_visible (widgets->foot_view, !has_room (widgets->header_views));
  fold_texts (self);
  place_caption (self);
  fill_menu (self);
  return G_SOURCE_REMOVE;
}

/* Not at once: the window may be being laid out. */
static void
queue (AppNarrow *self)
{
  if (self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_HIGH, show_cb, self, NULL);
}

static void
show_more (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  gtk_menu_button_popup (((AppNarrow *) data)->widgets.more_button);
}

void
app_narrow_bind_widgets (GtkWidgetClass *klass,
                         gssize          offset)
{
#define WIDGET(name) { #name, G_STRUCT_OFFSET (AppNarrowWidgets, name) }
  static const struct {
    const char *name;
    gssize      offset;
  } widgets[] = {
    WIDGET (header_views), WIDGET (header_steps), WIDGET (header_files), WIDGET (foot_view),
    WIDGET (sentences), WIDGET (folded_texts), WIDGET (caption_place), WIDGET (head_line),
    WIDGET (foot_line), WIDGET (toolbar), WIDGET (more_button),
  };
#undef WIDGET

  for (gsize i = 0; i < G_N_ELEMENTS (widgets); i++)
    gtk_widget_class_bind_template_child_full (klass, widgets[i].name, FALSE,
                                               offset + widgets[i].offset);
}

AppNarrow *
app_narrow_new (const AppNarrowWidgets *widgets)
{
  static const GActionEntry entries[] = { { "more", show_more } };
  AdwSqueezer *const squeezers[] = { widgets->header_views, widgets->header_steps,
                                     widgets->header_files };
  AppNarrow *self = g_new0 (AppNarrow, 1);

  self->widgets = *widgets;
  self->menu = -1;
  for (gsize i = 0; i < G_N_ELEMENTS (squeezers); i++)
    g_signal_connect_swapped (squeezers[i], "notify::visible-child", G_CALLBACK (queue), self);
  g_signal_connect_swapped (widgets->toolbar, "fitted", G_CALLBACK (queue), self);
  g_signal_connect_swapped (widgets->window, "notify::focus-widget", G_CALLBACK (queue), self);
  g_action_map_add_action_entries (G_ACTION_MAP (widgets->window), entries,
                                   G_N_ELEMENTS (entries), self);
  fill_menu (self);
  return self;
}

void
app_narrow_free (AppNarrow *self)
{
  g_signal_handlers_disconnect_by_data (self->widgets.header_views, self);
  g_signal_handlers_disconnect_by_data (self->widgets.header_steps, self);
  g_signal_handlers_disconnect_by_data (self->widgets.header_files, self);
  g_signal_handlers_disconnect_by_data (self->widgets.toolbar, self);
  g_signal_handlers_disconnect_by_data (self->widgets.window, self);
  g_action_map_remove_action (G_ACTION_MAP (self->widgets.window), "more");
  g_clear_handle_id (&self->source, g_source_remove);
  g_free (self);
}

void
app_narrow_set_size (AppNarrow *self,
                     int        width,
                     int        height)
{
  const double scale = ui_drawn_text_get_scale (GTK_WIDGET (self->widgets.window));
  const gboolean is_low = height < LOW * scale;
  const gboolean is_lowest = height < LOWEST * scale;
  const gboolean is_narrow = width < NARROW * scale;
  const gboolean lacks_views = width < VIEWS * scale;
  const gboolean lacks_steps = width < STEPS * scale;

  if (is_low == self->is_low && is_lowest == self->is_lowest && is_narrow == self->is_narrow
      && lacks_views == self->lacks_views && lacks_steps == self->lacks_steps)
    return;
  self->is_low = is_low;
  self->is_lowest = is_lowest;
  self->is_narrow = is_narrow;
  self->lacks_views = lacks_views;
  self->lacks_steps = lacks_steps;
  queue (self);
}
