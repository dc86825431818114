/* SPDX-License-Identifier: MIT */
/* Sections that point at a part of the window: a ring around it and a card beside it. */
#include "app/parts/lessons/lessons-private.h"

gboolean
app_lessons_part_is_guided (AppLessonsPart *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self->guide));
}

/* What was opened for a section goes with it. */
static void
close_column (AppLessonsPart *self)
{
  const char *region = g_steal_pointer (&self->opened);

  if (g_strcmp0 (region, "map") == 0)
    app_desk_reveal_map (self->desk, FALSE);
  else if (region != NULL)
    app_desk_reveal_side (self->desk, FALSE);
}

/* A column that is hidden, or has no room, opens for its section. */
static void
open_column (AppLessonsPart *self,
             const char     *region)
{
  if (g_str_equal (region, "map") && !app_desk_reveals_map (self->desk)) {
    self->opened = region;
    app_desk_reveal_map (self->desk, TRUE);
  } else if (g_str_equal (region, "inspector") && !app_desk_reveals_side (self->desk)) {
    self->opened = region;
    app_desk_reveal_side (self->desk, TRUE);
  }
}

gboolean
app_lessons_part_can_point (AppLessonsPart *self,
                            const char     *region)
{
  GtkWidget *widget = app_desk_find_region (self->desk, region);

  return g_str_equal (region, "map") || g_str_equal (region, "inspector")
         || (widget != NULL && gtk_widget_get_mapped (widget));
}

/* What it says, as one text. (transfer full) */
static char *
describe_section (const AppSection *section)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < section->blocks->len; i++) {
    const AppBlock *block = section->blocks->pdata[i];
    g_autofree char *markup = NULL;

    if (block->type > APP_BLOCK_ITEM)
      continue;
    markup = app_lesson_to_markup (block->text);
    g_string_append_printf (text, "%s%s%s", text->len > 0 ? "\n\n" : "",
                            block->type == APP_BLOCK_ITEM ? "• " : "", markup);
  }

  return g_string_free (text, FALSE);
}

static void
show_words (AppLessonsPart *self)
{
  const AppSection *section = app_lessons_part_get_section (self);
  const guint n = self->lesson->sections->len;
  g_autofree char *count = g_strdup_printf ("%u of %u", self->section + 1, n);
  g_autofree char *heading = app_lesson_to_markup (section->heading);
  g_autofree char *text = describe_section (section);

  gtk_label_set_markup (self->guide_title, heading);
  gtk_label_set_markup (self->guide_text, text);
  gtk_label_set_label (self->guide_count, count);
  gtk_widget_set_sensitive (self->guide_back, self->section > 0);
  gtk_button_set_label (self->guide_next, self->section + 1 < n ? "Next" : "Done");
}

/* Who is to type a sentence types at once, where the entries were folded, too. */
static void
give_keys (AppLessonsPart *self,
           const char     *region)
{
  GtkWidget *focus;

  if (g_str_equal (region, "texts"))
    app_desk_activate (self->desk, "focus-a", NULL);
  focus = gtk_window_get_focus (app_desk_get_window (self->desk));
  if (!g_str_equal (region, "texts") || focus == NULL
      || !gtk_widget_is_ancestor (focus, app_desk_find_region (self->desk, region)))
    gtk_widget_grab_focus (GTK_WIDGET (self->guide_next));
}

void
app_lessons_part_show_guide (AppLessonsPart *self)
{
  const AppSection *section = app_lessons_part_get_section (self);

  if (g_strcmp0 (self->opened, section->region) != 0)
    close_column (self);
  open_column (self, section->region);
  show_words (self);
  gtk_widget_set_visible (GTK_WIDGET (self->guide), TRUE);
  give_keys (self, section->region);
  ui_guide_point_at (self->guide, app_desk_find_region (self->desk, section->region));
}

void
app_lessons_part_hide_guide (AppLessonsPart *self)
{
  if (!app_lessons_part_is_guided (self))
    return;
  close_column (self);
  ui_guide_point_at (self->guide, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->guide), FALSE);
}

void
app_lessons_part_end_guide (AppLessonsPart *self)
{
  if (self->section + 1 < self->lesson->sections->len)
    app_lessons_part_leave (self, FALSE);
  else
    app_lessons_part_step (self, 1);
}

static void
next_cb (AppLessonsPart *self)
{
  app_lessons_part_step (self, 1);
}

static void
back_cb (AppLessonsPart *self)
{
  app_lessons_part_step (self, -1);
}

static gboolean
key_cb (AppLessonsPart *self,
        guint           key)
{
  switch (key) {
  case GDK_KEY_Right:
  case GDK_KEY_KP_Right:
    next_cb (self);
    return GDK_EVENT_STOP;
  case GDK_KEY_Left:
  case GDK_KEY_KP_Left:
    back_cb (self);
    return GDK_EVENT_STOP;
  case GDK_KEY_Escape:
    app_lessons_part_end_guide (self);
    return GDK_EVENT_STOP;
  default:
    return GDK_EVENT_PROPAGATE;
  }
}

void
app_lessons_part_connect_guide (AppLessonsPart *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  app_part_load_ui (self, "guide");
  app_part_place (self, "guide", "over");
  self->guide = app_part_get_object (self, "guide");
  self->guide_title = app_part_get_object (self, "tour_title");
  self->guide_text = app_part_get_object (self, "tour_text");
  self->guide_count = app_part_get_object (self, "tour_count");
  self->guide_back = app_part_get_object (self, "tour_back");
  self->guide_next = app_part_get_object (self, "tour_next");
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->guide), keys);
  g_signal_connect_object (self->guide_back, "clicked", G_CALLBACK (back_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->guide_next, "clicked", G_CALLBACK (next_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app_part_get_object (self, "tour_end"), "clicked",
                           G_CALLBACK (app_lessons_part_end_guide), self, G_CONNECT_SWAPPED);
}
