/* SPDX-License-Identifier: MIT */
#include "ui/sentences/sentence-line.h"

#include <math.h>
#include <string.h>

#include "ui/controls/popover-words.h"
#include "ui/view/drawn-text.h"

/* Narrower is too narrow for any word; what stands beside a line that hugs nothing gives way before
 * that says nothing. */
#define MINIMUM_WIDTH 40
#define MINIMUM_LINE 280
#define MINIMUM_TEXT 230 /* times the scale of text, where that is more */
#define DOT 10
#define DOT_GAP 4
#define TEXT_GAP 9
#define SMALL PANGO_SCALE_SMALL
#define OPEN_LETTERS 44 /* of a line where all of a sentence that was cut is read */
/* Part of its room that a sentence has by the count of its letters, from which on it is not even
 * tried in one line. */
#define MUCH 1.25
/* By so much letters before people become smaller until all of a sentence has room, down to the least. */
#define STEP 0.05
#define LEAST 0.4
#define BOLD_END "</b>"

struct _UiSentenceLine {
  GtkWidget    parent_instance;

  char        *markup;
  char        *brief;
  char        *text;
  PangoLayout *layout;  /* of what is drawn at the width that it was last set for */
  int          width;   /* of that; -1 = none */
  int          height;  /* of the line when it was set */
  int          letter;  /* width of one, about, in units of Pango; 0 = not measured yet */
  GArray      *dots;    /* of UiColor */
  gboolean     hugs;
  gboolean     is_core; /* the first words of it are drawn, and nothing else */
  int          size;    /* of letters before people, in px; 0 = the style's */
  int          most;    /* height of a whole sentence then */
  gboolean     is_whole;
  GtkWidget   *popover; /* with all of a sentence that was cut; NULL before the first */
  GtkWidget   *whole;   /* the label in it */
  guint        source;  /* that lets the line be opened, or not */
};

G_DEFINE_FINAL_TYPE (UiSentenceLine, ui_sentence_line, GTK_TYPE_WIDGET)

static PangoLayout *
create_layout (UiSentenceLine *self,
               const char     *markup,
               double          scale)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  PangoAttrList *attributes;

  pango_layout_set_markup (layout, markup, -1);
  attributes = pango_attr_list_copy (pango_layout_get_attributes (layout));
  if (attributes == NULL)
    attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (self->size > 0)
    pango_attr_list_insert (attributes,
                            pango_attr_size_new_absolute ((int) (scale * self->size * PANGO_SCALE)));
  else if (scale != 1)
    pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

static int
get_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static int
get_height (PangoLayout *layout)
{
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

static gboolean
shows_all (UiSentenceLine *self)
{
  return self->size > 0 && self->is_whole;
}

/* Dots take a third of the width at most. */
static int
count_dots (UiSentenceLine *self,
            int             width)
{
  return shows_all (self) ? 0 : MIN ((int) self->dots->len, width / 3 / (DOT + DOT_GAP));
}

static int
get_indent (int n_dots)
{
  return n_dots > 0 ? n_dots * (DOT + DOT_GAP) - DOT_GAP + TEXT_GAP : 0;
}

static void
set_layout (UiSentenceLine *self,
            PangoLayout    *layout,
            int             width,
            int             n_lines)
{
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  pango_layout_set_height (layout, -n_lines);
  g_clear_object (&self->layout);
  self->layout = layout;
}

/* About, in pixels. */
static double
get_letter (UiSentenceLine *self)
{
  if (self->letter == 0) {
    PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
    PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);

    self->letter = pango_font_metrics_get_approximate_char_width (metrics);
    pango_font_metrics_unref (metrics);
  }
  return (double) self->letter / PANGO_SCALE;
}

/* Setting a sentence takes most of the time that a new one takes, and those of a pointer on its way
 * are long. */
static gboolean
is_much (UiSentenceLine *self,
         int             room)
{
  return g_utf8_strlen (self->text, -1) * get_letter (self) > MUCH * room;
}

/* TRUE where it fits into one line, and is set so. */
static gboolean
try_one_line (UiSentenceLine *self,
              int             room)
{
  PangoLayout *whole;

  if (!self->hugs && self->size == 0 && is_much (self, room))
    return FALSE;
  whole = create_layout (self, self->markup, 1);
  if (get_width (whole) <= room) {
    set_layout (self, whole, room, 1);
    return TRUE;
  }
  g_object_unref (whole);
  return FALSE;
}

static gboolean
is_cut (UiSentenceLine *self)
{
  return self->layout != NULL && (self->is_core || pango_layout_is_ellipsized (self->layout));
}

static gboolean
can_open (UiSentenceLine *self)
{
  return !self->hugs && is_cut (self);
}

static gboolean
set_focusable_cb (gpointer data)
{
  UiSentenceLine *self = data;
  const gboolean opens = can_open (self);

  self->source = 0;
  gtk_widget_set_focusable (GTK_WIDGET (self), opens);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), opens ? "pointer" : NULL);
  return G_SOURCE_REMOVE;
}

/* Not at once: it is found out while the line is drawn. */
static void
queue_focusable (UiSentenceLine *self)
{
  if (self->source == 0 && can_open (self) != gtk_widget_get_focusable (GTK_WIDGET (self)))
    self->source = g_idle_add (set_focusable_cb, self);
}

static void
build_popover (UiSentenceLine *self)
{
  self->whole = g_object_new (GTK_TYPE_LABEL,
                              "wrap", TRUE,
                              "width-chars", OPEN_LETTERS,
                              "max-width-chars", OPEN_LETTERS,
                              "selectable", TRUE,
                              "xalign", 0.0f,
                              NULL);
  self->popover = gtk_popover_new ();
  gtk_widget_add_css_class (self->whole, "rule");
  gtk_popover_set_child (GTK_POPOVER (self->popover), self->whole);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
}

static gboolean
open_cb (GtkWidget *widget,
         GVariant  *unused,
         gpointer   data)
{
  UiSentenceLine *self = UI_SENTENCE_LINE (widget);

  if (!can_open (self))
    return GDK_EVENT_PROPAGATE;

  if (self->popover == NULL)
    build_popover (self);
  gtk_label_set_markup (GTK_LABEL (self->whole), self->markup);
  ui_popover_words_fit (GTK_POPOVER (self->popover));
  gtk_popover_popup (GTK_POPOVER (self->popover));
  /* A label that gets the focus is selected by that. */
  gtk_label_select_region (GTK_LABEL (self->whole), 0, 0);
  return GDK_EVENT_STOP;
}

static void
released_cb (UiSentenceLine *self)
{
  open_cb (GTK_WIDGET (self), NULL, NULL);
}

/* (transfer full) All of the sentence before people, in letters of a part of their size. */
static PangoLayout *
create_whole (UiSentenceLine *self,
              int             width,
              double          part)
{
  PangoLayout *layout = create_layout (self, self->markup, part);

  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  return layout;
}

static void
set_whole (UiSentenceLine *self,
           int             width,
           int             height)
{
  PangoLayout *layout = create_whole (self, width, 1);

  for (double part = 1 - STEP; part > LEAST && get_height (layout) > height; part -= STEP) {
    g_object_unref (layout);
    layout = create_whole (self, width, part);
  }
  g_clear_object (&self->layout);
  self->layout = layout;
}

/* What is brief and has no room all the same is left to its first words in bold, which say the most:
 * better than torn words behind them. */
static void
leave_core (UiSentenceLine *self,
            int             room)
{
  const char *end = strstr (self->brief, BOLD_END);
  g_autofree char *core = end != NULL
                          ? g_strndup (self->brief, (gsize) (end - self->brief) + strlen (BOLD_END))
                          : NULL;
  g_autoptr (PangoLayout) layout = NULL;

  if (core == NULL || !pango_layout_is_ellipsized (self->layout))
    return;
  layout = create_layout (self, core, 1);
  self->is_core = get_width (layout) <= room;
  if (self->is_core)
    set_layout (self, g_steal_pointer (&layout), room, 1);
}

static void
lay_out (UiSentenceLine *self,
         int             width,
         int             height)
{
  const int room = width - get_indent (count_dots (self, width));

  if (self->width == width && self->height == height)
    return;
  self->width = width;
  self->height = height;
  self->is_core = FALSE;
  if (shows_all (self)) {
    set_whole (self, room, height);
    return;
  }
  if (try_one_line (self, room))
    return;
  if (!self->hugs) {
    set_layout (self, create_layout (self, self->markup, SMALL), room, 2);
    if (get_height (self->layout) <= height)
      return;
  }
  set_layout (self, create_layout (self, self->hugs && self->brief != NULL ? self->brief
                                                                           : self->markup, 1),
              room, 1);
  if (self->hugs && self->brief != NULL)
    leave_core (self, room);
}

/* All of a sentence that was cut, but not over what has been opened. */
static gboolean
ui_sentence_line_query_tooltip (GtkWidget  *widget,
                                int         x,
                                int         y,
                                gboolean    is_keyboard,
                                GtkTooltip *tooltip)
{
  UiSentenceLine *self = UI_SENTENCE_LINE (widget);

  if (is_keyboard || !is_cut (self)
      || (self->popover != NULL && gtk_widget_get_visible (self->popover)))
    return FALSE;
  gtk_tooltip_set_markup (tooltip, self->markup);
  return TRUE;
}

/* Before people it has two lines, and a whole sentence all that it needs. */
static int
measure_large (UiSentenceLine *self,
               int             width)
{
  g_autoptr (PangoLayout) lines = create_layout (self, "x\nx", SMALL);
  g_autoptr (PangoLayout) whole = NULL;

  if (!self->is_whole || width <= 0)
    return get_height (lines);
  whole = create_whole (self, width, 1);
  return CLAMP (get_height (whole), get_height (lines), MAX (self->most, get_height (lines)));
}

static GtkSizeRequestMode
ui_sentence_line_get_request_mode (GtkWidget *widget)
{
  return shows_all (UI_SENTENCE_LINE (widget)) ? GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
                                               : GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
ui_sentence_line_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  UiSentenceLine *self = UI_SENTENCE_LINE (widget);
  g_autoptr (PangoLayout) layout = NULL;

  if (orientation == GTK_ORIENTATION_HORIZONTAL && !self->hugs) {
    *minimum = *natural = (int) MAX (MINIMUM_LINE, MINIMUM_TEXT * ui_drawn_text_get_scale (widget));
    return;
  }
  if (orientation == GTK_ORIENTATION_VERTICAL && self->size > 0) {
    *minimum = *natural = measure_large (self, for_size);
    return;
  }
  layout = create_layout (self, self->hugs ? self->markup : "x", 1);
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = MINIMUM_WIDTH;
    *natural = MAX (get_width (layout), MINIMUM_WIDTH);
  } else {
    pango_layout_get_pixel_size (layout, NULL, natural);
    *minimum = *natural;
  }
}

static void
snapshot_dots (UiSentenceLine *self,
               GtkSnapshot    *snapshot,
               int             n_dots)
{
  const int y = (gtk_widget_get_height (GTK_WIDGET (self)) - DOT) / 2;

  for (int i = 0; i < n_dots; i++) {
    const UiColor color = g_array_index (self->dots, UiColor, i);
    const GdkRGBA rgba = { color.r / 255.0f, color.g / 255.0f, color.b / 255.0f, 1 };
    const graphene_rect_t rect = GRAPHENE_RECT_INIT (i * (DOT + DOT_GAP), y, DOT, DOT);
    GskRoundedRect circle;

    gsk_rounded_rect_init_from_rect (&circle, &rect, DOT / 2.0f);
    gtk_snapshot_push_rounded_clip (snapshot, &circle);
    gtk_snapshot_append_color (snapshot, &rgba, &rect);
    gtk_snapshot_pop (snapshot);
  }
}

static void
ui_sentence_line_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  UiSentenceLine *self = UI_SENTENCE_LINE (widget);
  const int width = gtk_widget_get_width (widget);
  const int n_dots = count_dots (self, width);
  float y;
  GdkRGBA color;

  lay_out (self, width, gtk_widget_get_height (widget));
  queue_focusable (self);
  y = (float) (gtk_widget_get_height (widget) - get_height (self->layout)) / 2;
  snapshot_dots (self, snapshot, n_dots);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) get_indent (n_dots), floorf (y)));
  gtk_snapshot_append_layout (snapshot, self->layout, &color);
  gtk_snapshot_restore (snapshot);
}

static void
ui_sentence_line_size_allocate (GtkWidget *widget,
                                int        width,
                                int        height,
                                int        baseline)
{
  if (UI_SENTENCE_LINE (widget)->popover != NULL)
    gtk_popover_present (GTK_POPOVER (UI_SENTENCE_LINE (widget)->popover));
}

static void
ui_sentence_line_css_changed (GtkWidget         *widget,
                              GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ui_sentence_line_parent_class)->css_changed (widget, change);
  UI_SENTENCE_LINE (widget)->width = -1;
  UI_SENTENCE_LINE (widget)->letter = 0;
}

static void
ui_sentence_line_dispose (GObject *object)
{
  UiSentenceLine *self = UI_SENTENCE_LINE (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_sentence_line_parent_class)->dispose (object);
}

static void
ui_sentence_line_finalize (GObject *object)
{
  UiSentenceLine *self = UI_SENTENCE_LINE (object);

  g_clear_object (&self->layout);
  g_array_unref (self->dots);
  g_free (self->markup);
  g_free (self->brief);
  g_free (self->text);
  G_OBJECT_CLASS (ui_sentence_line_parent_class)->finalize (object);
}

static void
ui_sentence_line_class_init (UiSentenceLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  static const guint keys[] = { GDK_KEY_Return, GDK_KEY_ISO_Enter, GDK_KEY_KP_Enter, GDK_KEY_space };

  G_OBJECT_CLASS (klass)->dispose = ui_sentence_line_dispose;
  G_OBJECT_CLASS (klass)->finalize = ui_sentence_line_finalize;
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding (widget_class, keys[i], 0, open_cb, NULL);
  widget_class->get_request_mode = ui_sentence_line_get_request_mode;
  widget_class->measure = ui_sentence_line_measure;
  widget_class->size_allocate = ui_sentence_line_size_allocate;
  widget_class->snapshot = ui_sentence_line_snapshot;
  widget_class->query_tooltip = ui_sentence_line_query_tooltip;
  widget_class->css_changed = ui_sentence_line_css_changed;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
  /* Styled like any label. */
  gtk_widget_class_set_css_name (widget_class, "label");
}

static void
ui_sentence_line_init (UiSentenceLine *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->markup = g_strdup ("");
  self->text = g_strdup ("");
  self->dots = g_array_new (FALSE, FALSE, sizeof (UiColor));
  self->width = -1;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
ui_sentence_line_new (void)
{
  return g_object_new (UI_TYPE_SENTENCE_LINE, NULL);
}

void
ui_sentence_line_set_hugs (UiSentenceLine *self,
                           gboolean        hugs)
{
  g_return_if_fail (UI_IS_SENTENCE_LINE (self));

  self->hugs = hugs;
  self->width = -1;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ui_sentence_line_set (UiSentenceLine *self,
                      const char     *markup,
                      const char     *brief)
{
  g_return_if_fail (UI_IS_SENTENCE_LINE (self));

  if (g_str_equal (markup, self->markup) && g_strcmp0 (brief, self->brief) == 0)
    return;
  g_free (self->markup);
  g_free (self->brief);
  g_clear_pointer (&self->text, g_free);
  self->markup = g_strdup (markup);
  self->brief = g_strdup (brief);
  self->width = -1;
  if (!pango_parse_markup (markup, -1, 0, NULL, &self->text, NULL, NULL))
    self->text = g_strdup ("");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->text, -1);
  if (self->hugs || shows_all (self))
    gtk_widget_queue_resize (GTK_WIDGET (self));
  else
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_sentence_line_set_large (UiSentenceLine *self,
                            int             size,
                            int             most)
{
  g_return_if_fail (UI_IS_SENTENCE_LINE (self));

  if (size == self->size && most == self->most)
    return;
  self->size = size;
  self->most = most;
  self->width = -1;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ui_sentence_line_set_whole (UiSentenceLine *self,
                            gboolean        is_whole)
{
  g_return_if_fail (UI_IS_SENTENCE_LINE (self));

  if (is_whole == self->is_whole)
    return;
  self->is_whole = is_whole;
  self->width = -1;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ui_sentence_line_set_dots (UiSentenceLine *self,
                           const UiColor  *colors,
                           int             n)
{
  g_return_if_fail (UI_IS_SENTENCE_LINE (self));

  if (n == (int) self->dots->len
      && (n == 0 || memcmp (colors, self->dots->data, n * sizeof *colors) == 0))
    return;
  g_array_set_size (self->dots, 0);
  g_array_append_vals (self->dots, colors, n);
  self->width = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
ui_sentence_line_get_text (UiSentenceLine *self)
{
  g_return_val_if_fail (UI_IS_SENTENCE_LINE (self), NULL);

  return self->text;
}
