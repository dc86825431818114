/* SPDX-License-Identifier: MIT */
#include "app/parts/tour/tour.h"

#include "ui/dialogs/guide.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/readings.h"

#define N_STEPS 6

struct _AppTourPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  int         step;       /* -1 = no tour */
  gboolean    has_opened; /* the column of this step, which was out of sight */

  UiGuide    *guide;
  GtkLabel   *title;
  GtkLabel   *text;
  GtkLabel   *count;
  GtkWidget  *back;
  GtkButton  *next;
};

G_DEFINE_FINAL_TYPE (AppTourPart, app_tour_part, APP_TYPE_PART)

/* What is said: (transfer full) markup. */

/* “<b>dog</b>” reads “<b>bird</b>” with 0.98; NULL where no single head is drawn. */
static char *
describe_strongest (AppTourPart *self,
                    const char  *pattern)
{
  UiScene *scene = app_picture_get_scene (self->picture);
  const UiWeights *weights = scene != NULL ? ui_scene_get_weights (scene) : NULL;
  g_autoptr (GArray) links = NULL;
  g_autofree char *query = NULL;
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;
  const UiLinkReading *link;

  if (weights == NULL || weights->n_heads != 1)
    return NULL;
  links = ui_readings_find_strongest (scene, 1);
  if (links->len == 0)
    return NULL;
  link = &g_array_index (links, UiLinkReading, 0);
  query = ui_describe_token (weights->block.queries, link->query);
  key = ui_describe_token (weights->block.keys, link->key);
  value = ui_describe_value (weights, link->weight);
  return g_markup_printf_escaped (pattern, query, key, ui_describe_measure (weights), value);
}

static char *
say_map (AppTourPart *self)
{
  EngTrace *trace = app_study_get_trace (self->study);
  const EngKind kind = app_picture_get_shown (self->picture)->kind;
  const int n_layers = eng_trace_get_n_layers (trace, kind);
  const int n_heads = eng_trace_get_n_heads (trace, kind);

  return g_strdup_printf ("This model has %d layers of %d heads, <b>%d heads</b> in all. Each "
                          "square is one head: its rows read, its columns are read. A click draws "
                          "that head; with Ctrl it is added. The list says what heads read.",
                          n_layers, n_heads, n_layers * n_heads);
}

static char *
say_picture (AppTourPart *self)
{
  g_autofree char *strongest =
    describe_strongest (self, " The strongest here: <b>%s reads %s</b> with %s %s.");

  return g_strconcat ("A line runs from the word that reads, on the left, to the word that is "
                      "read, on the right. Bolder means more attention.",
                      strongest, " Point at a word to see its lines alone; a click pins it.", NULL);
}

static char *
say_caption (AppTourPart *self)
{
  g_autofree char *sentence = app_picture_describe (self->picture);

  return g_strdup_printf ("This line always says in one sentence what you see. Now: “%s” While "
                          "you point at a word or a line, the sentence is about that.",
                          sentence != NULL ? sentence : "");
}

static char *
say_inspector (AppTourPart *self)
{
  return g_strdup ("Here stands the evidence: how many words follow the pattern, the strongest "
                   "links with their numbers, and what the model answers. Every row is a button: "
                   "point at one and its line stands out, click and it is pinned.");
}

static char *
say_texts (AppTourPart *self)
{
  const double ms = app_study_get_milliseconds (self->study);
  const int n = eng_trace_get_n_queries (app_study_get_trace (self->study),
                                         app_picture_get_shown (self->picture)->kind);
  g_autofree char *took = ms >= 0 ? g_strdup_printf (" The last run of %d tokens took %.0f ms.", n,
                                                     MAX (ms, 1)) : NULL;

  if (!app_study_has_texts (self->study))
    return g_strdup ("The text of a trace file stands here. Open a model from the menu on the "
                     "left of the title, and you can type your own.");
  return g_strconcat ("Type any sentence: the model runs again while you type.", took,
                      " <b>Edits</b> below changes the model itself, and <b>Compare</b> shows two "
                      "runs beside each other.", NULL);
}

static char *
say_views (AppTourPart *self)
{
  g_autofree char *why = describe_strongest (self, "<b>Neurons</b> shows why %s reads %s (%s %s)");

  return g_strconcat ("Four views of the same choice. <b>Model</b> shows all heads as small maps, ",
                      why != NULL ? why : "<b>Neurons</b> shows how one head makes its numbers",
                      ", <b>Matrix</b> the whole head as a table of colours. What you pinned stays "
                      "pinned.", NULL);
}

static const struct {
  const char *region;
  const char *title;
  char     *(*say) (AppTourPart *self);
} steps[N_STEPS] = {
  { "map", "Where: all heads of the model", say_map },
  { "picture", "What: who reads whom", say_picture },
  { "caption", "In one sentence", say_caption },
  { "inspector", "Why: the numbers", say_inspector },
  { "texts", "Your own sentence", say_texts },
  { "views", "Four ways to look", say_views },
};

/* Steps. */

static gboolean
is_of (const AppTourPart *self,
       const char        *region)
{
  return self->step >= 0 && g_str_equal (steps[self->step].region, region);
}

/* A column that is hidden, or has no room, opens for its step. */
static void
open_column (AppTourPart *self)
{
  self->has_opened = FALSE;
  if (is_of (self, "map") && !app_desk_reveals_map (self->desk)) {
    self->has_opened = TRUE;
    app_desk_reveal_map (self->desk, TRUE);
  } else if (is_of (self, "inspector") && !app_desk_reveals_side (self->desk)) {
    self->has_opened = TRUE;
    app_desk_reveal_side (self->desk, TRUE);
  }
}

static void
leave_step (AppTourPart *self)
{
  if (!self->has_opened)
    return;
  if (is_of (self, "map"))
    app_desk_reveal_map (self->desk, FALSE);
  else if (is_of (self, "inspector"))
    app_desk_reveal_side (self->desk, FALSE);
  self->has_opened = FALSE;
}

static void
show_words (AppTourPart *self)
{
  g_autofree char *count = g_strdup_printf ("%d of %d", self->step + 1, N_STEPS);
  g_autofree char *text = steps[self->step].say (self);

  gtk_label_set_label (self->title, steps[self->step].title);
  if (g_strcmp0 (text, gtk_label_get_label (self->text)) != 0)
    gtk_label_set_markup (self->text, text);
  gtk_label_set_label (self->count, count);
  gtk_widget_set_sensitive (self->back, self->step > 0);
  gtk_button_set_label (self->next, self->step + 1 < N_STEPS ? "Next" : "Done");
}

static gboolean
is_in_sight (AppTourPart *self,
             int          step)
{
  const char *region = steps[step].region;
  GtkWidget *widget = app_desk_find_region (self->desk, region);

  return g_str_equal (region, "map") || g_str_equal (region, "inspector")
         || (widget != NULL && gtk_widget_get_mapped (widget));
}

static void
end_tour (AppTourPart *self)
{
  leave_step (self);
  self->step = -1;
  ui_guide_point_at (self->guide, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->guide), FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
}

/* Over steps whose part of the window is out of sight. */
static void
go (AppTourPart *self,
    int          step,
    int          direction)
{
  while (step >= 0 && step < N_STEPS && !is_in_sight (self, step))
    step += direction;
  if (step < 0)
    return;
  leave_step (self);
  if (step >= N_STEPS) {
    end_tour (self);
    return;
  }
  self->step = step;
  open_column (self);
  show_words (self);
  gtk_widget_set_visible (GTK_WIDGET (self->guide), TRUE);
  ui_guide_point_at (self->guide, app_desk_find_region (self->desk, steps[step].region));
  gtk_widget_grab_focus (GTK_WIDGET (self->next));
}

static void
begin_tour (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppTourPart *self = data;

  if (app_picture_get_shown (self->picture) == NULL)
    return;
  app_desk_get_settings (self->desk)->ways_used |= APP_WAY_TOUR;
  go (self, 0, 1);
  app_desk_refresh (self->desk);
}

static void
next_cb (AppTourPart *self)
{
  go (self, self->step + 1, 1);
}

static void
back_cb (AppTourPart *self)
{
  go (self, self->step - 1, -1);
}

static gboolean
key_cb (AppTourPart *self,
        guint        key)
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
    end_tour (self);
    return GDK_EVENT_STOP;
  default:
    return GDK_EVENT_PROPAGATE;
  }
}

static gboolean
escape (AppPart *part)
{
  AppTourPart *self = APP_TOUR_PART (part);

  if (self->step < 0)
    return FALSE;
  end_tour (self);
  return TRUE;
}

/* What is said is of what is on show. */
static void
sync_part (AppPart *part)
{
  AppTourPart *self = APP_TOUR_PART (part);

  if (self->step >= 0 && app_picture_get_shown (self->picture) != NULL)
    show_words (self);
}

static void
take_widgets (AppTourPart *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  app_part_load_ui (self, "tour");
  app_part_place (self, "guide", "over");
  self->guide = app_part_get_object (self, "guide");
  self->title = app_part_get_object (self, "tour_title");
  self->text = app_part_get_object (self, "tour_text");
  self->count = app_part_get_object (self, "tour_count");
  self->back = app_part_get_object (self, "tour_back");
  self->next = app_part_get_object (self, "tour_next");
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->guide), keys);
  g_signal_connect_object (self->back, "clicked", G_CALLBACK (back_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->next, "clicked", G_CALLBACK (next_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (app_part_get_object (self, "tour_end"), "clicked", G_CALLBACK (end_tour),
                           self, G_CONNECT_SWAPPED);
}

static void
begin (AppPart *part)
{
  static const GActionEntry entries[] = { { "tour", begin_tour } };
  AppTourPart *self = APP_TOUR_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->step = -1;
  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  take_widgets (self);
}

static void
app_tour_part_class_init (AppTourPartClass *klass)
{
  g_type_ensure (UI_TYPE_GUIDE);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->escape = escape;
}

static void
app_tour_part_init (AppTourPart *self)
{
}
