/* SPDX-License-Identifier: MIT */
#include "app/parts/steps/steps.h"

#include "app/desk/shortcuts.h"
#include "ui/controls/what-if.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/steps/steps-way.h"

#define PLAY_SECONDS 3
#define NOTHING (-2)
#define MOST_PART 0.6 /* of the window's height, which is enough of a stage to begin with */

struct _AppStepsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkWidget     *bar;
  GtkButton     *play_button;
  GtkAdjustment *place;
  GtkWidget     *scale;
  GtkLabel      *label;
  GtkMenuButton *what_if_button;
  UiWhatIf      *what_if;

  guint          player;    /* source; 0 = it is not playing */
  int            single;    /* the step that All was, or is, asked for at */
  int            revealed;  /* what was scrolled to last: a step, UI_STEP_ALL or NOTHING */
};

G_DEFINE_FINAL_TYPE (AppStepsPart, app_steps_part, APP_TYPE_PART)

/* Of what is on show; 0 = it shows no steps. */
static int
get_n_steps (AppStepsPart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  return scene != NULL ? ui_steps_get_n (scene) : 0;
}

static int
get_step (AppStepsPart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  return scene != NULL ? ui_steps_get_step (scene) : 0;
}

static gboolean
is_whole (AppStepsPart *self)
{
  return app_study_get_document (self->study)->step == UI_STEP_ALL;
}

static void
go_to (AppStepsPart *self,
       int           step)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  /* A number that was looked at is one of the step that is left. */
  if (document->step != step)
    document->number_set = FALSE;
  document->step = step;
  app_study_change (self->study, document);
}

static void
stop (AppStepsPart *self)
{
  g_clear_handle_id (&self->player, g_source_remove);
}

/* FALSE at an end. */
static gboolean
go_on (AppStepsPart *self,
       int           by)
{
  const int step = get_step (self) + by;
  const int n = get_n_steps (self);

  if (n == 0 || is_whole (self) || step < 0 || step >= n)
    return FALSE;
  go_to (self, step);
  return TRUE;
}

static gboolean
play_cb (gpointer data)
{
  AppStepsPart *self = data;

  /* Slower than the pace where the next one takes long. */
  if (!app_picture_is_settled (self->picture))
    return G_SOURCE_CONTINUE;
  if (go_on (self, 1) && get_step (self) + 1 < get_n_steps (self))
    return G_SOURCE_CONTINUE;
  self->player = 0;
  app_desk_refresh (self->desk);
  return G_SOURCE_REMOVE;
}

static void
step_forward (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  stop (data);
  go_on (data, 1);
}

static void
step_back (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  stop (data);
  go_on (data, -1);
}

/* On from where one was: of all steps, at the one that one came from. From the end it begins anew. */
static void
play (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  AppStepsPart *self = data;
  const int n = get_n_steps (self);
  const int step = is_whole (self) ? self->single : get_step (self);

  if (self->player != 0) {
    stop (self);
  } else if (n > 0) {
    self->player = g_timeout_add_seconds (PLAY_SECONDS, play_cb, self);
    go_to (self, step + 1 >= n ? 0 : is_whole (self) ? step : step + 1);
  }
  app_desk_refresh (self->desk);
}

static void
change_whole (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppStepsPart *self = data;

  stop (self);
  go_to (self, g_variant_get_boolean (value) ? UI_STEP_ALL : self->single);
}

static void
show_what_if (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  gtk_menu_button_popup (APP_STEPS_PART (data)->what_if_button);
}

static void
what_if_cb (AppStepsPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  const gboolean had_own_mask = ui_what_if_has_own_mask (document);

  stop (self);
  ui_what_if_apply (self->what_if, document);
  /* Where it is made. */
  if (ui_what_if_has_own_mask (document) && !had_own_mask && !is_whole (self))
    document->step = MAX (ui_steps_find_mask (app_picture_get_scene (self->picture)), 0);
  app_study_change (self->study, document);
}

/* What is tried becomes edits, which all views and the answer follow. */
static void
fed_forward_cb (AppStepsPart *self)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));

  stop (self);
  if (ui_steps_feed_forward (app_study_get_trace (self->study),
                             app_picture_get_shown (self->picture), document)) {
    app_study_change (self->study, document);
  } else {
    app_desk_toast (self->desk, "Nothing to feed forward yet: no number is changed");
    ui_document_free (document);
  }
}

static void
place_cb (AppStepsPart *self)
{
  const int step = (int) (gtk_adjustment_get_value (self->place) + 0.5);

  if (app_desk_is_syncing (self->desk) || get_n_steps (self) == 0 || step == get_step (self))
    return;
  stop (self);
  go_to (self, step);
}

static void
stepped_cb (AppStepsPart *self,
            int           by)
{
  stop (self);
  go_on (self, by);
}

/* Own masks are made where the mask is: a click hides a key from a query, or shows it again. FALSE
 * elsewhere, and with no such mask. */
static gboolean
hide_link (AppStepsPart *self,
           const UiItem *item)
{
  const UiDocument *shown = app_picture_get_shown (self->picture);
  UiDocument *document;
  int query, key;

  if (!ui_what_if_has_own_mask (app_study_get_document (self->study))
      || !ui_steps_find_link (app_picture_get_scene (self->picture), item, &query, &key))
    return FALSE;
  document = ui_document_copy (app_study_get_document (self->study));
  ui_steps_hide_link (app_study_get_trace (self->study), shown, query, key, document);
  app_study_change (self->study, document);
  return TRUE;
}

/* A stage is gone to, a number is looked at, again: no more. */
static gboolean
click (AppPart      *part,
       const UiItem *item,
       gboolean      extend)
{
  AppStepsPart *self = APP_STEPS_PART (part);
  UiDocument *document;

  if (item->type == UI_ITEM_STAGE && !is_whole (self)) {
    stop (self);
    go_to (self, item->stage);
  }
  if (item->type != UI_ITEM_NUMBER)
    return item->type == UI_ITEM_STAGE;

  stop (self);
  if (hide_link (self, item))
    return TRUE;
  document = ui_document_copy (app_study_get_document (self->study));
  ui_steps_look_at (app_picture_get_scene (self->picture), item, document);
  app_study_change (self->study, document);
  return TRUE;
}

static gboolean
escape (AppPart *part)
{
  AppStepsPart *self = APP_STEPS_PART (part);
  UiDocument *document;

  if (get_n_steps (self) == 0 || !app_study_get_document (self->study)->number_set)
    return FALSE;
  document = ui_document_copy (app_study_get_document (self->study));
  document->number_set = FALSE;
  app_study_change (self->study, document);
  return TRUE;
}

/* The button says whether something is tried. */
static void
sync_what_if (AppStepsPart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);
  const UiDocument *document = app_study_get_document (self->study);
  const UiWhatIfOf of = {
    .useful = ui_steps_get_useful_knobs (scene), .kind = ui_scene_get_document (scene)->kind,
    .layer = ui_scene_get_document (scene)->layer, .scale = ui_steps_get_scale (scene),
    .n_dimensions = ui_steps_get_n_dimensions (scene), .n_hidden = ui_steps_count_hidden (scene),
    .has_weights = ui_steps_has_weights (scene),
  };

  ui_what_if_set (self->what_if, document, &of);
  if (ui_what_if_is_on (document))
    gtk_widget_add_css_class (GTK_WIDGET (self->what_if_button), "accent");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->what_if_button), "accent");
}

static void
sync_actions (AppStepsPart *self,
              int           n,
              int           step)
{
  const gboolean is_single = n > 0 && !is_whole (self);

  app_desk_set_enabled (self->desk, "step-forward", is_single && step + 1 < n);
  app_desk_set_enabled (self->desk, "step-back", is_single && step > 0);
  app_desk_set_enabled (self->desk, "play-steps", n > 0);
  app_desk_set_enabled (self->desk, "whole-way", n > 0);
  app_desk_set_enabled (self->desk, "what-if", n > 0);
  app_desk_set_state (self->desk, "whole-way", g_variant_new_boolean (is_whole (self)));
}

static void
sync_bar (AppPart *part)
{
  AppStepsPart *self = APP_STEPS_PART (part);
  const int n = get_n_steps (self);
  const int step = get_step (self);
  const gboolean is_playing = self->player != 0;
  g_autofree char *words = NULL;

  gtk_widget_set_visible (self->bar, n > 0);
  sync_actions (self, n, step);
  if (n == 0)
    return;
  sync_what_if (self);
  words = is_whole (self) ? g_strdup_printf ("0–%d", n - 1)
                          : g_strdup_printf ("%d / %d", step, n - 1);
  gtk_label_set_label (self->label, words);
  gtk_adjustment_configure (self->place, step, 0, n - 1, 1, 5, 0);
  gtk_widget_set_sensitive (self->scale, !is_whole (self));
  gtk_button_set_icon_name (self->play_button, is_playing ? "media-playback-pause-symbolic"
                                                          : "media-playback-start-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, is_playing ? "Pause" : "Play",
                                  -1);
}

/* All of it where there is room, else its beginning; from the top where most of it is in sight
 * then. */
static void
show_step (AppStepsPart *self,
           int           step)
{
  UiSceneView *view = app_picture_get_view (self->picture);
  UiScene *scene = app_picture_get_scene (self->picture);
  const UiItem item = { .type = UI_ITEM_STAGE, .stage = step };
  const double height = ui_scene_view_get_area (view).height;
  const double header = ui_scene_get_header (scene);
  UiRect rect;

  if (!ui_scene_get_rect (scene, &item, &rect))
    return;
  if (rect.height + header <= height)
    ui_scene_view_show_item (view, &item);
  else if (rect.y + MOST_PART * height <= height)
    ui_scene_view_scroll_to (view, 0, 0);
  else
    ui_scene_view_scroll_to (view, 0, rect.y - header);
}

/* Where one has come to is in sight; of all steps the one that one came from. */
static void
reveal (AppPart *part)
{
  AppStepsPart *self = APP_STEPS_PART (part);
  const int n = get_n_steps (self);
  int step = NOTHING;

  if (n == 0)
    stop (self);
  else if (ui_steps_is_whole (app_picture_get_scene (self->picture)))
    step = UI_STEP_ALL;
  else
    step = self->single = get_step (self);
  if (step != NOTHING && step != self->revealed)
    show_step (self, self->single);
  self->revealed = step;
}

/* Space goes on from wherever the mouse left the focus, but for what takes text. */
static gboolean
key_pressed_cb (AppStepsPart    *self,
                guint            key,
                guint            keycode,
                GdkModifierType  state)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (self->bar));
  GtkWidget *focus = gtk_window_get_focus (window);

  if (key != GDK_KEY_space || (state & gtk_accelerator_get_default_mod_mask ()) != 0
      || get_n_steps (self) == 0 || app_desk_is_presented (self->desk)
      || gtk_window_get_focus_visible (window) || GTK_IS_EDITABLE (focus)
      || focus == GTK_WIDGET (app_picture_get_view (self->picture)))
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (self->bar, "win.step-forward", NULL);
  return GDK_EVENT_STOP;
}

static void
end (AppPart *part)
{
  stop (APP_STEPS_PART (part));
}

static void
add_actions (AppStepsPart *self)
{
  static const GActionEntry entries[] = {
    { "step-forward", step_forward },
    { "step-back", step_back },
    { "play-steps", play },
    { "what-if", show_what_if },
    { "whole-way", NULL, NULL, "false", change_whole },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

/* Before the widget that has the focus. */
static void
listen_to_keys (AppStepsPart *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (gtk_widget_get_root (self->bar)), keys);
}

static void
begin (AppPart *part)
{
  AppStepsPart *self = APP_STEPS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->revealed = NOTHING;
  app_part_load_ui (self, "steps");
  app_part_place (self, "steps_bar", "steps");
  self->bar = app_part_get_object (self, "steps_bar");
  self->play_button = app_part_get_object (self, "play_steps_button");
  self->place = app_part_get_object (self, "steps_place");
  self->scale = app_part_get_object (self, "steps_scale");
  self->label = app_part_get_object (self, "steps_label");
  self->what_if_button = app_part_get_object (self, "what_if_button");
  self->what_if = app_part_get_object (self, "what_if");
  app_shortcuts_explain_as (GTK_WIDGET (self->what_if_button), "win.what-if");
  g_signal_connect_object (self->what_if, "changed", G_CALLBACK (what_if_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->what_if, "fed-forward", G_CALLBACK (fed_forward_cb), self,
                           G_CONNECT_SWAPPED);
  add_actions (self);
  listen_to_keys (self);
  g_signal_connect_object (self->place, "value-changed", G_CALLBACK (place_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app_picture_get_view (self->picture), "stepped",
                           G_CALLBACK (stepped_cb), self, G_CONNECT_SWAPPED);
}

static void
app_steps_part_class_init (AppStepsPartClass *klass)
{
  g_type_ensure (UI_TYPE_WHAT_IF);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_bar;
  APP_PART_CLASS (klass)->work = reveal;
  APP_PART_CLASS (klass)->click = click;
  APP_PART_CLASS (klass)->escape = escape;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_steps_part_init (AppStepsPart *self)
{
}
