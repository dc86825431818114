/* SPDX-License-Identifier: MIT */
#include "ui/lists/reading-list.h"

#include <string.h>

#include "ui/controls/bar-row.h"
#include "ui/controls/words.h"
#include "ui/scene/base/head-color.h"
#include "ui/scene/base/readings.h"
#include "ui/view/color.h"

#define N_ROWS 6
#define EDGE 6        /* what marks a row reaches over it, px */
#define RADIUS 6
#define FOCUS_WIDTH 2

enum { SIGNAL_AIMED, SIGNAL_CLICKED, SIGNAL_OPENED, N_SIGNALS };

static guint signals[N_SIGNALS];

struct _UiReadingList {
  GtkWidget  parent_instance;

  GtkWidget *head;
  GtkWidget *heading;
  GtkWidget *full;         /* "full bar 0.5" */
  GtkWidget *rows[N_ROWS]; /* UiBarRow */
  int        tokens[N_ROWS];
  int        queries[N_ROWS]; /* of links */
  int        heads[N_ROWS]; /* that has most of it */
  UiTheme    theme;
  gboolean   has_pair;
  int        n;            /* rows in use */
  int        pointed;      /* -1 = none */
  int        cursor;       /* of the keyboard */
};

G_DEFINE_FINAL_TYPE (UiReadingList, ui_reading_list, GTK_TYPE_WIDGET)

/* Each head's part of the mean, so that the parts add up to the number beside them. */
static void
set_parts (UiBarRow        *row,
           const UiReading *reading,
           const UiWeights *weights,
           double           full,
           UiTheme          theme)
{
  g_autofree UiBarPart *parts = g_new (UiBarPart, MAX (1, weights->n_heads));

  for (int i = 0; i < weights->n_heads; i++) {
    int head = weights->heads[i];

    parts[i].value = reading->per_head[head] / weights->n_heads;
    parts[i].color = ui_head_color_get (weights, theme, head);
  }
  ui_bar_row_set_parts (row, parts, weights->n_heads, 0, full);
}

static int
find_strongest (const UiReading *reading,
                const UiWeights *weights)
{
  int strongest = weights->heads[0];

  for (int i = 1; i < weights->n_heads; i++)
    if (reading->per_head[weights->heads[i]] > reading->per_head[strongest])
      strongest = weights->heads[i];
  return strongest;
}

static void
set_row (UiReadingList   *self,
         UiBarRow        *row,
         const UiReading *reading,
         const UiWeights *weights,
         const EngTokens *tokens)
{
  const char *heading = gtk_label_get_text (GTK_LABEL (self->heading));
  const gboolean is_marked = self->has_pair && eng_tokens_has_pair (tokens);
  const int segment = tokens->segments[reading->token] != 0;
  g_autofree char *place = is_marked ? ui_words_name (tokens, reading->token)
                                     : ui_words_place (tokens, reading->token);
  g_autofree char *token = ui_describe_token (tokens, reading->token);
  g_autofree char *value = ui_describe_value (weights, reading->weight);
  g_autofree char *sentence = g_strdup_printf ("%s %s with %s %s", heading, token,
                                               ui_describe_measure (weights), value);

  ui_bar_row_set_mark (row, is_marked ? (char) ('A' + segment) : 0,
                       ui_palette_get (self->theme)->sentence[segment]);
  ui_bar_row_set (row, place, value, sentence);
}

/* What the rows are for. */

static int
find_row (UiReadingList *self,
          double         x,
          double         y)
{
  for (int i = 0; i < self->n; i++) {
    graphene_rect_t bounds;

    if (gtk_widget_compute_bounds (self->rows[i], GTK_WIDGET (self), &bounds)
        && graphene_rect_contains_point (&bounds, &GRAPHENE_POINT_INIT ((float) x, (float) y)))
      return i;
  }
  return -1;
}

static void
aim (UiReadingList *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_AIMED], 0);
}

static void
set_pointed (UiReadingList *self,
             int            row)
{
  if (row == self->pointed)
    return;

  self->pointed = row;
  aim (self);
}

static void
motion_cb (UiReadingList *self,
           double         x,
           double         y)
{
  set_pointed (self, find_row (self, x, y));
}

static void
leave_cb (UiReadingList *self)
{
  set_pointed (self, -1);
}

static void
released_cb (UiReadingList   *self,
             int              n_press,
             double           x,
             double           y,
             GtkGestureClick *gesture)
{
  const int row = find_row (self, x, y);
  const GdkModifierType modifiers =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  if (row < 0)
    return;

  self->cursor = row;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, row,
                 (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0);
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiReadingList *self = UI_READING_LIST (widget);
  const int step = g_variant_get_int32 (args);

  /* Keys go on from where the pointer rests, and then lead. */
  if (self->pointed >= 0)
    self->cursor = self->pointed;
  self->pointed = -1;
  self->cursor = CLAMP (self->cursor + step, 0, MAX (self->n - 1, 0));
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT,
                                  self->rows[self->cursor], -1);
  aim (self);
  return GDK_EVENT_STOP;
}

static gboolean
click_cb (GtkWidget *widget,
          GVariant  *args,
          gpointer   unused)
{
  UiReadingList *self = UI_READING_LIST (widget);

  g_signal_emit (self, signals[SIGNAL_CLICKED], 0, self->cursor, g_variant_get_boolean (args));
  return GDK_EVENT_STOP;
}

static gboolean
open_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  g_signal_emit (widget, signals[SIGNAL_OPENED], 0, UI_READING_LIST (widget)->cursor);
  return GDK_EVENT_STOP;
}

static void
append_row_ground (UiReadingList *self,
                   GtkSnapshot   *snapshot)
{
  const gboolean is_focused = gtk_widget_has_visible_focus (GTK_WIDGET (self));
  const int row = self->pointed >= 0 ? self->pointed : is_focused ? self->cursor : -1;
  GskRoundedRect outline;
  graphene_rect_t bounds;
  GdkRGBA color;

  if (row < 0 || row >= self->n
      || !gtk_widget_compute_bounds (self->rows[row], GTK_WIDGET (self), &bounds))
    return;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  color.alpha *= 0.08f;
  graphene_rect_inset (&bounds, -EDGE, 0);
  gsk_rounded_rect_init_from_rect (&outline, &bounds, RADIUS);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &color, &bounds);
  gtk_snapshot_pop (snapshot);
  if (is_focused && row == self->cursor) {
    const float widths[4] = { FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH };
    const GdkRGBA accent = ui_color_to_rgba (ui_palette_get (self->theme)->accent);

    gtk_snapshot_append_border (snapshot, &outline, widths,
                                (GdkRGBA[4]) { accent, accent, accent, accent });
  }
}

static void
ui_reading_list_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  append_row_ground (UI_READING_LIST (widget), snapshot);
  GTK_WIDGET_CLASS (ui_reading_list_parent_class)->snapshot (widget, snapshot);
}

static void
ui_reading_list_dispose (GObject *object)
{
  UiReadingList *self = UI_READING_LIST (object);

  g_clear_pointer (&self->head, gtk_widget_unparent);
  for (int i = 0; i < N_ROWS; i++)
    g_clear_pointer (&self->rows[i], gtk_widget_unparent);
  G_OBJECT_CLASS (ui_reading_list_parent_class)->dispose (object);
}

static void
add_bindings (GtkWidgetClass *widget_class)
{
  static const struct {
    guint keys[2];
    int   step;
  } moves[] = {
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, -1 },
    { { GDK_KEY_Down, GDK_KEY_KP_Down }, 1 },
    { { GDK_KEY_Home, GDK_KEY_KP_Home }, -N_ROWS },
    { { GDK_KEY_End, GDK_KEY_KP_End }, N_ROWS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    for (int j = 0; j < 2; j++)
      gtk_widget_class_add_binding (widget_class, moves[i].keys[j], 0, move_cb, "i",
                                    moves[i].step);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, click_cb, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, GDK_SHIFT_MASK, click_cb, "b", TRUE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, open_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, open_cb, NULL);
}

static void
ui_reading_list_class_init (UiReadingListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_reading_list_dispose;
  widget_class->snapshot = ui_reading_list_snapshot;
  signals[SIGNAL_AIMED] =
    g_signal_new ("aimed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CLICKED] =
    g_signal_new ("clicked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_BOOLEAN);
  signals[SIGNAL_OPENED] =
    g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_INT);
  add_bindings (widget_class);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
  gtk_widget_class_set_css_name (widget_class, "readinglist");
}

static void
init_input (UiReadingList *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->pointed = -1;
  gtk_widget_set_focusable (widget, TRUE);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (aim), NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

static void
ui_reading_list_init (UiReadingList *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->heading = gtk_label_new (NULL);
  self->full = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->heading), 0);
  gtk_widget_set_hexpand (self->heading, TRUE);
  gtk_widget_add_css_class (self->heading, "heading");
  gtk_widget_add_css_class (self->full, "dim-label");
  gtk_widget_add_css_class (self->full, "caption");
  gtk_box_append (GTK_BOX (self->head), self->heading);
  gtk_box_append (GTK_BOX (self->head), self->full);
  gtk_widget_set_parent (self->head, GTK_WIDGET (self));
  init_input (self);
}

static GtkWidget *
list_new (const char  *heading,
          GtkWidget * (*row_new) (void))
{
  UiReadingList *self = g_object_new (UI_TYPE_READING_LIST, NULL);

  for (int i = 0; i < N_ROWS; i++) {
    self->rows[i] = row_new ();
    gtk_widget_set_parent (self->rows[i], GTK_WIDGET (self));
    gtk_widget_set_cursor_from_name (self->rows[i], "pointer");
    /* It would cover the rows below, and the picture shows the link. */
    gtk_widget_set_has_tooltip (self->rows[i], FALSE);
  }
  gtk_label_set_text (GTK_LABEL (self->heading), heading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, heading,
                                  -1);
  return GTK_WIDGET (self);
}

GtkWidget *
ui_reading_list_new (const char *heading)
{
  return list_new (heading, ui_bar_row_new);
}

GtkWidget *
ui_reading_list_new_links (const char *heading)
{
  return list_new (heading, ui_bar_row_new_wide);
}

static void
begin_rows (UiReadingList *self,
            guint          n,
            double         full,
            gboolean       has_pair,
            UiTheme        theme)
{
  g_autofree char *number = ui_words_number ("%g", full);
  g_autofree char *full_text = g_strdup_printf ("full bar %s", number);

  if (!g_str_equal (full_text, gtk_label_get_text (GTK_LABEL (self->full))))
    gtk_label_set_text (GTK_LABEL (self->full), full_text);
  self->theme = theme;
  self->has_pair = has_pair;
  self->n = (int) MIN (N_ROWS, n);
  self->cursor = CLAMP (self->cursor, 0, MAX (self->n - 1, 0));
  if (self->pointed >= self->n)
    self->pointed = -1;
  for (int i = 0; i < N_ROWS; i++)
    gtk_widget_set_visible (self->rows[i], i < self->n);
}

void
ui_reading_list_set (UiReadingList   *self,
                     GArray          *readings,
                     const UiWeights *weights,
                     const EngTokens *tokens,
                     double           full,
                     gboolean         has_pair,
                     UiTheme          theme)
{
  g_return_if_fail (UI_IS_READING_LIST (self));

  begin_rows (self, readings->len, full, has_pair, theme);
  for (int i = 0; i < self->n; i++) {
    const UiReading *reading = &g_array_index (readings, UiReading, i);

    self->tokens[i] = reading->token;
    self->heads[i] = find_strongest (reading, weights);
    set_row (self, UI_BAR_ROW (self->rows[i]), reading, weights, tokens);
    set_parts (UI_BAR_ROW (self->rows[i]), reading, weights, full, theme);
  }
}

/* Tokens of one text stand with their index, as a word may be there twice. */
static char *
name_token (UiReadingList   *self,
            const EngTokens *tokens,
            int              token)
{
  return self->has_pair && eng_tokens_has_pair (tokens) ? ui_words_name (tokens, token)
                                                        : ui_words_place (tokens, token);
}

static void
mark_link (UiReadingList       *self,
           UiBarRow            *row,
           const UiLinkReading *link,
           const EngTokens     *queries,
           const EngTokens     *keys,
           gsize                at)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const gboolean is_marked = self->has_pair && eng_tokens_has_pair (queries);
  const int of_query = queries->segments[link->query] != 0;
  const int of_key = keys->segments[link->key] != 0;

  ui_bar_row_set_inner_mark (row, is_marked ? (char) ('A' + of_query) : 0,
                             palette->sentence[of_query], at);
  ui_bar_row_set_mark (row, is_marked ? (char) ('A' + of_key) : 0, palette->sentence[of_key]);
}

static void
set_link (UiReadingList       *self,
          UiBarRow            *row,
          const UiLinkReading *link,
          const UiWeights     *weights,
          const EngTokens     *queries,
          const EngTokens     *keys)
{
  g_autofree char *query_name = name_token (self, queries, link->query);
  g_autofree char *key_name = name_token (self, keys, link->key);
  g_autofree char *name = g_strdup_printf ("%s → %s", query_name, key_name);
  g_autofree char *query = ui_describe_token (queries, link->query);
  g_autofree char *key = ui_describe_token (keys, link->key);
  g_autofree char *value = ui_describe_value (weights, link->weight);
  g_autofree char *sentence = g_strdup_printf ("%s reads %s with %s %s", query, key,
                                               ui_describe_measure (weights), value);

  mark_link (self, row, link, queries, keys, strlen (query_name));
  ui_bar_row_set (row, name, value, sentence);
}

void
ui_reading_list_set_links (UiReadingList   *self,
                           GArray          *links,
                           const UiWeights *weights,
                           const EngTokens *queries,
                           const EngTokens *keys,
                           double           full,
                           gboolean         has_pair,
                           UiTheme          theme)
{
  g_return_if_fail (UI_IS_READING_LIST (self));

  begin_rows (self, links->len, full, has_pair, theme);
  for (int i = 0; i < self->n; i++) {
    const UiLinkReading *link = &g_array_index (links, UiLinkReading, i);
    const UiBarPart part = { link->weight, ui_head_color_get (weights, theme, link->head) };

    self->tokens[i] = link->key;
    self->queries[i] = link->query;
    self->heads[i] = link->head;
    set_link (self, UI_BAR_ROW (self->rows[i]), link, weights, queries, keys);
    ui_bar_row_set_parts (UI_BAR_ROW (self->rows[i]), &part, 1, 0, full);
  }
}

int
ui_reading_list_get_query (UiReadingList *self,
                           int            row)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self) && row >= 0 && row < self->n, -1);

  return self->queries[row];
}

int
ui_reading_list_get_aim (UiReadingList *self)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self), -1);

  if (self->n == 0 || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return -1;
  if (self->pointed >= 0)
    return self->pointed;
  return gtk_widget_has_focus (GTK_WIDGET (self)) ? self->cursor : -1;
}

gboolean
ui_reading_list_is_pointed_at (UiReadingList *self)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self), FALSE);

  return self->pointed >= 0;
}

gboolean
ui_reading_list_get_row (UiReadingList *self,
                         int            row,
                         int           *token,
                         int           *head)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self), FALSE);

  if (row < 0 || row >= self->n)
    return FALSE;

  *token = self->tokens[row];
  *head = self->heads[row];
  return TRUE;
}

int
ui_reading_list_find_row (UiReadingList *self,
                          double         x,
                          double         y)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self), -1);

  return find_row (self, x, y);
}

GtkWidget *
ui_reading_list_get_row_widget (UiReadingList *self,
                                int            row)
{
  g_return_val_if_fail (UI_IS_READING_LIST (self) && row >= 0 && row < self->n, NULL);

  return self->rows[row];
}
