/* SPDX-License-Identifier: MIT */
#include "app/shell/stage.h"

#include "app/parts/lessons/cue.h"
#include "app/shell/speaker.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/view/stage-light.h"

#define FULLSCREEN "fullscreen"
#define NEXT_LAYER "next-layer"

/* Parts of the height of the window. */
#define LETTERS  0.05 /* of the sentence; those of the picture are not larger */
#define SENTENCE 0.36

struct _AppStage {
  AppStageWidgets     widgets;
  GtkWidget          *legend;
  UiStageLight       *light;
  GtkEventController *motion;
  GtkEventController *keys;
  AppSpeaker         *speaker; /* NULL = nobody presents */
  gboolean            is_on;
  int                 height;  /* of the window */
  guint               source;  /* that sets the letters for it */
};

static GActionGroup *
get_actions (AppStage *self)
{
  return G_ACTION_GROUP (self->widgets.window);
}

static GSimpleAction *
find_action (AppStage   *self,
             const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->widgets.window), name));
}

/* What of the window is seen: the picture with its line, without what lies over it. */
static GtkWidget *
get_seen (AppStage *self)
{
  GtkWidget *content = adw_application_window_get_content (self->widgets.window);

  return gtk_overlay_get_child (GTK_OVERLAY (content));
}

static UiSceneView *
get_view (AppStage *self)
{
  return app_picture_get_view (app_desk_get_picture (self->widgets.desk));
}

/* Without a lesson: what the next key brings, as markup. (transfer full) */
static char *
describe_next (AppStage *self)
{
  UiScene *scene = app_picture_get_scene (app_desk_get_picture (self->widgets.desk));
  g_autofree char *name = NULL;

  if (scene == NULL || ui_steps_get_n (scene) == 0)
    return g_strdup (g_action_group_get_action_enabled (get_actions (self), NEXT_LAYER)
                     ? "The next layer" : "The end: this is the last layer");
  if (ui_steps_is_whole (scene))
    return g_strdup ("Nothing: all steps are shown");
  name = ui_steps_dup_name (scene, ui_steps_get_step (scene) + 1);

  return name != NULL ? g_markup_escape_text (name, -1)
                      : g_strdup ("The end: this is the last step");
}

/* Of a step that stands on several screens, as markup; NULL = this is the last one. (transfer full) */
static char *
describe_rest (AppStage *self)
{
  UiScene *scene = app_picture_get_scene (app_desk_get_picture (self->widgets.desk));
  int n = 0;
  const int screen = scene != NULL ? ui_steps_get_screen (scene, &n) : 0;

  return screen + 1 < n ? g_strdup_printf ("More of this step: %d of %d", screen + 2, n) : NULL;
}

static void
tell_speaker (AppStage *self)
{
  AppLessonsPart *lessons = self->widgets.lessons;
  g_autofree char *place = app_lessons_part_dup_place (lessons);
  g_autofree char *now = app_lessons_part_dup_now (lessons);
  g_autofree char *rest = app_lessons_part_asks_by_cue (lessons) ? NULL : describe_rest (self);
  g_autofree char *next = rest != NULL ? g_steal_pointer (&rest)
                          : place != NULL ? app_lessons_part_dup_next (lessons)
                                          : describe_next (self);
  g_autofree char *notes = app_lessons_part_dup_notes (lessons);

  if (now == NULL)
    now = app_picture_describe (app_desk_get_picture (self->widgets.desk));
  app_speaker_set (self->speaker, place, now, next, notes);
}

/* Actions. */

static void
set_flag (AppStage   *self,
          const char *name,
          gboolean    is_on)
{
  g_simple_action_set_state (find_action (self, name), g_variant_new_boolean (is_on));
}

static void
change_spot (GSimpleAction *action,
             GVariant      *value,
             gpointer       data)
{
  AppStage *self = data;

  g_simple_action_set_state (action, value);
  ui_stage_light_set_spot (self->light, g_variant_get_boolean (value));
}

static void
change_pointer (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  AppStage *self = data;

  g_simple_action_set_state (action, value);
  ui_stage_light_set_pointer (self->light, g_variant_get_boolean (value));
}

/* The window goes on below a picture of itself. */
static void
change_freeze (GSimpleAction *action,
               GVariant      *value,
               gpointer       data)
{
  AppStage *self = data;
  g_autoptr (GdkPaintable) mirror = NULL;
  g_autoptr (GdkPaintable) still = NULL;

  g_simple_action_set_state (action, value);
  if (g_variant_get_boolean (value)) {
    mirror = gtk_widget_paintable_new (get_seen (self));
    still = gdk_paintable_get_current_image (mirror);
  }
  ui_stage_light_set_still (self->light, still);
}

/* What is left of a step comes first, but what is asked, and answered, is seen from its beginning.
 * Without a lesson on by a step where the picture has steps, else by a layer. */
static void
go (AppStage *self,
    int       direction)
{
  const UiDocument *shown = app_picture_get_shown (app_desk_get_picture (self->widgets.desk));
  const gboolean has_steps = shown != NULL && shown->view == UI_VIEW_STEPS;
  const char *on = has_steps ? "step-forward" : NEXT_LAYER;
  const char *back = has_steps ? "step-back" : "previous-layer";
  AppLessonsPart *lessons = self->widgets.lessons;

  if (app_lessons_part_asks_by_cue (lessons) || !ui_scene_view_turn (get_view (self), direction)) {
    if (!app_lessons_part_go_by_cue (lessons, direction))
      app_desk_activate (self->widgets.desk, direction > 0 ? on : back, NULL);
    else if (direction > 0 || app_lessons_part_asks_by_cue (lessons))
      ui_scene_view_turn_to_first (get_view (self));
  }
  tell_speaker (self);
}

static void
go_on (GSimpleAction *action,
       GVariant      *parameter,
       gpointer       data)
{
  go (data, 1);
}

static void
go_back (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  go (data, -1);
}

/* Menus and entries have keys of their own. */
static gboolean
takes_keys (GtkEventController *controller)
{
  GtkWindow *window = GTK_WINDOW (gtk_event_controller_get_widget (controller));
  GtkWidget *focus = gtk_window_get_focus (window);

  return focus == NULL || (!GTK_IS_EDITABLE (focus)
                           && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) == NULL);
}

/* Also those of what one holds in the hand: Page Up, Page Down and a full stop. Up and Down go
 * through the picture. Escape leaves at once, and F5 in the speaker's window as in the other: what a
 * section has pinned is the speaker's to keep. */
static gboolean
key_cb (AppStage           *self,
        guint               key,
        guint               code,
        GdkModifierType     modifiers,
        GtkEventController *controller)
{
  static const struct { guint key; const char *action; } keys[] = {
    { GDK_KEY_space, "stage-next" },     { GDK_KEY_Page_Down, "stage-next" },
    { GDK_KEY_Right, "stage-next" },     { GDK_KEY_Left, "stage-back" },
    { GDK_KEY_BackSpace, "stage-back" }, { GDK_KEY_Page_Up, "stage-back" },
    { GDK_KEY_s, "stage-spot" },         { GDK_KEY_p, "stage-pointer" },
    { GDK_KEY_f, "stage-freeze" },       { GDK_KEY_period, "stage-freeze" },
  };

  if (!self->is_on || (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0
      || (key != GDK_KEY_F5 && !takes_keys (controller)))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Escape || key == GDK_KEY_F5) {
    g_action_group_change_action_state (get_actions (self), "present",
                                        g_variant_new_boolean (FALSE));
    return GDK_EVENT_STOP;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == gdk_keyval_to_lower (key)) {
      g_action_group_activate_action (get_actions (self), keys[i].action, NULL);
      return GDK_EVENT_STOP;
    }

  return GDK_EVENT_PROPAGATE;
}

static GtkEventController *
keys_new (AppStage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);

  return keys;
}

/* On and off. */

/* Its keys are the same. */
static void
open_speaker (AppStage *self)
{
  self->speaker = app_speaker_new (GTK_WINDOW (self->widgets.window), get_seen (self));
  gtk_widget_add_controller (GTK_WIDGET (app_speaker_get_window (self->speaker)), keys_new (self));
  tell_speaker (self);
}

static void
enable (AppStage *self,
        gboolean  is_on)
{
  static const char *const flags[] = { "stage-spot", "stage-pointer", "stage-freeze" };

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++) {
    if (!is_on && g_variant_get_boolean (g_action_group_get_action_state (get_actions (self),
                                                                         flags[i])))
      g_action_change_state (G_ACTION (find_action (self, flags[i])),
                             g_variant_new_boolean (FALSE));
    g_simple_action_set_enabled (find_action (self, flags[i]), is_on);
  }
  g_simple_action_set_enabled (find_action (self, "stage-next"), is_on);
  g_simple_action_set_enabled (find_action (self, "stage-back"), is_on);
}

static void
show_rest (AppStage *self,
           gboolean  is_shown)
{
  gtk_widget_set_visible (self->widgets.strip, is_shown);
  gtk_widget_set_visible (self->widgets.foot_line, is_shown);
  gtk_widget_set_visible (self->legend, is_shown);
  gtk_widget_set_visible (gtk_widget_get_last_child (self->widgets.caption_place), is_shown);
  if (is_shown)
    gtk_widget_remove_css_class (GTK_WIDGET (self->widgets.window), "on-stage");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->widgets.window), "on-stage");
}

static gboolean
size_cb (gpointer data)
{
  AppStage *self = data;

  const int height = self->is_on ? self->height : 0;
  const int letters = (int) (LETTERS * height);

  self->source = 0;
  app_caption_part_set_large (self->widgets.caption, letters, (int) (SENTENCE * height));
  ui_scene_view_set_most_text (get_view (self), letters);

  return G_SOURCE_REMOVE;
}

/* Not at once: the window may be being laid out. */
static void
queue_size (AppStage *self)
{
  if (self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_HIGH, size_cb, self, NULL);
}

void
app_stage_set_height (AppStage *self,
                      int       height)
{
  if (height == self->height)
    return;
  self->height = height;
  queue_size (self);
}

static void
set_on (AppStage *self,
        gboolean  is_on)
{
  if (is_on == self->is_on)
    return;
  self->is_on = is_on;
  set_flag (self, "present", is_on);
  enable (self, is_on);
  app_presenter_set_quiet (self->widgets.presenter, is_on);
  show_rest (self, !is_on);
  ui_scene_view_set_screens (get_view (self), is_on);
  queue_size (self);
  gtk_widget_set_visible (GTK_WIDGET (self->light), is_on);
  app_lessons_part_set_presented (self->widgets.lessons, is_on);
  if (is_on)
    open_speaker (self);
  else
    g_clear_pointer (&self->speaker, app_speaker_free);
}

static void
change_present (GSimpleAction *action,
                GVariant      *value,
                gpointer       data)
{
  AppStage *self = data;
  const gboolean is_on = g_variant_get_boolean (value);

  /* Were the keys at what goes, GTK would move them to the picture as Tab does, onto its first token. */
  if (is_on) {
    gtk_widget_grab_focus (GTK_WIDGET (get_view (self)));
    app_presenter_set_quiet (self->widgets.presenter, TRUE);
  }
  /* The full screen comes first: what it leaves out is left out here, too. */
  g_action_group_change_action_state (get_actions (self), FULLSCREEN,
                                      g_variant_new_boolean (is_on));
  set_on (self, is_on);
}

/* A window that was closed may be held for a while: nobody speaks of it. */
static void
unmap_cb (AppStage *self)
{
  g_clear_pointer (&self->speaker, app_speaker_free);
}

/* Escape, F11 and the desktop end the full screen. */
static void
fullscreen_cb (AppStage   *self,
               const char *name,
               GVariant   *state)
{
  if (!g_variant_get_boolean (state))
    set_on (self, FALSE);
}

static void
motion_cb (AppStage *self,
           double    x,
           double    y)
{
  if (self->is_on)
    ui_stage_light_move (self->light, x, y);
}

static const GActionEntry entries[] = {
  { "present", NULL, NULL, "false", change_present },
  { "stage-next", go_on },
  { "stage-back", go_back },
  { "stage-spot", NULL, NULL, "false", change_spot },
  { "stage-pointer", NULL, NULL, "false", change_pointer },
  { "stage-freeze", NULL, NULL, "false", change_freeze },
};

AppStage *
app_stage_new (const AppStageWidgets *widgets)
{
  AppStage *self = g_new0 (AppStage, 1);
  GtkWidget *window = GTK_WIDGET (widgets->window);

  self->widgets = *widgets;
  /* Now: in a narrow window the sentence comes to stand between. */
  self->legend = gtk_widget_get_next_sibling (widgets->foot_line);
  self->light = UI_STAGE_LIGHT (ui_stage_light_new (widgets->caption_place));
  gtk_widget_set_visible (GTK_WIDGET (self->light), FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (adw_application_window_get_content (widgets->window)),
                           GTK_WIDGET (self->light));
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  enable (self, FALSE);
  g_signal_connect_swapped (window, "action-state-changed::" FULLSCREEN,
                            G_CALLBACK (fullscreen_cb), self);
  g_signal_connect_swapped (window, "action-enabled-changed::" NEXT_LAYER,
                            G_CALLBACK (tell_speaker), self);
  g_signal_connect_swapped (widgets->window, "unmap", G_CALLBACK (unmap_cb), self);
  g_signal_connect_swapped (widgets->lessons, "cue-changed", G_CALLBACK (tell_speaker), self);
  g_signal_connect_swapped (get_view (self), "notify::scene", G_CALLBACK (tell_speaker), self);
  self->motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (self->motion, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (self->motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (window, self->motion);
  self->keys = keys_new (self);
  gtk_widget_add_controller (window, self->keys);

  return self;
}

void
app_stage_free (AppStage *self)
{
  GtkWidget *window = GTK_WIDGET (self->widgets.window);

  g_signal_handlers_disconnect_by_data (self->widgets.lessons, self);
  g_signal_handlers_disconnect_by_data (get_view (self), self);
  g_signal_handlers_disconnect_by_data (window, self);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->speaker, app_speaker_free);
  gtk_widget_remove_controller (window, self->motion);
  gtk_widget_remove_controller (window, self->keys);
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    g_action_map_remove_action (G_ACTION_MAP (window), entries[i].name);
  g_free (self);
}
