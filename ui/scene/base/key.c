/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/key.h"

#include <string.h>

#include "ui/scene/base/scene-private.h"
#include "ui/scene/sinks/text.h"

/* At 100 % text. */
#define TEXT_SIZE 12.0
#define LINE 18.0
#define DOT 8.0
#define MARK_GAP 5.0   /* between a mark and its text */
#define ENTRY_GAP 14.0

typedef struct {
  UiColor color;
  char   *mark;
  char   *text;
  double  x;     /* of the mark */
  double  y;     /* middle of the line */
} Entry;

struct _UiKey {
  const char *lead;
  GArray     *entries; /* of Entry */
  double      scale;
};

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->mark);
  g_free (entry->text);
}

UiKey *
ui_key_new (const char *lead)
{
  UiKey *self = g_new0 (UiKey, 1);

  self->lead = lead;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  return self;
}

void
ui_key_free (UiKey *self)
{
  g_array_unref (self->entries);
  g_free (self);
}

void
ui_key_add (UiKey      *self,
            UiColor     color,
            const char *mark,
            const char *text)
{
  Entry entry = { .color = color, .mark = g_strdup (mark), .text = g_strdup (text) };

  g_array_append_val (self->entries, entry);
}

void
ui_key_add_to_color (UiKey      *self,
                     UiColor     color,
                     const char *name)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = &g_array_index (self->entries, Entry, i);

    if (memcmp (&entry->color, &color, sizeof color) == 0) {
      char *text = g_strdup_printf ("%s, %s", entry->text, name);

      g_free (entry->text);
      entry->text = text;
      return;
    }
  }
  ui_key_add (self, color, NULL, name);
}

int
ui_key_get_n (const UiKey *self)
{
  return (int) self->entries->len;
}

static UiTextStyle
get_style (const UiKey *self,
           gboolean     is_mark)
{
  return (UiTextStyle) {
    .size = TEXT_SIZE * self->scale, .bold = is_mark, .tabular = !is_mark
  };
}

static double
measure_mark (const UiKey *self,
              const Entry *entry)
{
  UiTextStyle style = get_style (self, TRUE);

  return entry->mark != NULL ? ui_text_measure (entry->mark, &style) : DOT * self->scale;
}

static double
measure_entry (const UiKey *self,
               const Entry *entry)
{
  UiTextStyle style = get_style (self, FALSE);

  return measure_mark (self, entry) + MARK_GAP * self->scale
         + ui_text_measure (entry->text, &style);
}

static double
measure_widest (const UiKey *self)
{
  double widest = 0;

  for (guint i = 0; i < self->entries->len; i++)
    widest = MAX (widest, measure_entry (self, &g_array_index (self->entries, Entry, i)));
  return widest;
}

/* Entries of a second line begin below those of the first; below the lead where one of them has no
 * room beside it. */
double
ui_key_lay_out (UiKey  *self,
                double  width,
                double  scale)
{
  UiTextStyle style;
  double left, x;
  double y = LINE * scale / 2;

  self->scale = scale;
  style = get_style (self, FALSE);
  left = x = ui_text_measure (self->lead, &style) + ENTRY_GAP * scale;
  if (left + measure_widest (self) > width) {
    left = x = 0;
    y += LINE * scale;
  }
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = &g_array_index (self->entries, Entry, i);
    double needed = measure_entry (self, entry);

    if (x > left && x + needed > width) {
      x = left;
      y += LINE * scale;
    }
    entry->x = x;
    entry->y = y;
    x += needed + ENTRY_GAP * scale;
  }
  return y + LINE * scale / 2;
}

static void
paint_mark (const UiKey *self,
            const Entry *entry,
            double       x,
            double       y,
            UiSink      *sink)
{
  UiTextStyle style = get_style (self, TRUE);
  double dot = DOT * self->scale;

  if (entry->mark != NULL)
    ui_text_paint (sink, x, y, entry->mark, &style, entry->color);
  else
    sink->klass->fill (sink, &(UiRect) { x, y - dot / 2, dot, dot }, dot / 2, entry->color);
}

void
ui_key_paint (const UiKey *self,
              double       x,
              double       y,
              UiTheme      theme,
              UiSink      *sink)
{
  const UiPalette *palette = ui_palette_get (theme);
  UiTextStyle style = get_style (self, FALSE);

  sink->klass->push_group (sink, "key");
  ui_text_paint (sink, x, y + LINE * self->scale / 2, self->lead, &style, palette->dim);
  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = &g_array_index (self->entries, Entry, i);

    paint_mark (self, entry, x + entry->x, y + entry->y, sink);
    ui_text_paint (sink, x + entry->x + measure_mark (self, entry) + MARK_GAP * self->scale,
                   y + entry->y, entry->text, &style, palette->text);
  }
  sink->klass->pop_group (sink);
}
