/* SPDX-License-Identifier: MIT */
#include "app/parts/ways/ways.h"

#include "ui/boxes/stop-box.h"
#include "ui/scene/base/edited-heads.h"

#define MOST_STARTS 10 /* then nothing of it is news */

struct _AppWaysPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
  UiDocument *last;    /* the document when it was looked at last; NULL = never */
  int         n_steps; /* at that time */

  GtkWidget  *start;
  GtkWidget  *start_list;
  GtkWidget  *type_row;
  GtkWidget  *head_row;
  GtkWidget  *tour_row;
  GtkWidget  *offer;   /* of the tour, where its row has no room */
  gboolean    is_declined;
  double      decided; /* the room for which it was seen whether the row has its place in it; 0 = none */
  guint       offer_source;

  GtkWidget  *next;
  AppLink     link;    /* that the next steps are about */
  GtkWidget  *heads_row;
  GtkWidget  *neurons_row;
  GtkWidget  *matrix_row;
  GtkWidget  *cut_row;
};

G_DEFINE_FINAL_TYPE (AppWaysPart, app_ways_part, APP_TYPE_PART)

/* How to start. */

static void
note_use (AppWaysPart *self,
          AppWay       way)
{
  app_desk_get_settings (self->desk)->ways_used |= (int) way;
}

/* What a person did by any other way is no news either. */
static void
follow_steps (AppWaysPart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  const UiDocument *last = self->last;
  const int n_steps = app_study_get_n_steps (self->study);

  if (last != NULL && n_steps > self->n_steps && !app_study_has_other_source (last, document)) {
    if (!g_str_equal (last->text_a, document->text_a)
        || !g_str_equal (last->text_b, document->text_b))
      note_use (self, APP_WAY_TYPE);
    if (last->layer != document->layer || last->heads.all != document->heads.all
        || ui_head_set_first (&last->heads, UI_MAX_HEADS)
           != ui_head_set_first (&document->heads, UI_MAX_HEADS))
      note_use (self, APP_WAY_HEAD);
  }
  g_clear_pointer (&self->last, ui_document_free);
  self->last = ui_document_copy (document);
  self->n_steps = n_steps;
}

static gboolean
show_row (GtkWidget *row,
          gboolean   is_shown)
{
  gtk_widget_set_visible (row, is_shown);
  return is_shown;
}

/* The tour is offered where it is seen whole: its row in the inspector, else a line of its own below
 * the picture, which lies on nothing that one reads. */

static gboolean
wants_offer (AppWaysPart *self)
{
  const AppSettings *settings = app_desk_get_settings (self->desk);

  return settings->starts <= 1 && (settings->ways_used & APP_WAY_TOUR) == 0 && !self->is_declined
         && !app_desk_is_presented (self->desk) && app_desk_shows_side (self->desk, "inspector");
}

/* The inspector says more of what is pointed at, and its rows move down; no line comes for that. */
static gboolean
is_pointed_at (AppWaysPart *self)
{
  return ui_scene_view_get_item (app_picture_get_view (self->picture))->type != UI_ITEM_NONE;
}

/* FALSE = not known yet, or as it was. */
static gboolean
decide_room (AppWaysPart *self,
             gboolean    *has_room)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (self->tour_row, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *sight = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  const double room = gtk_adjustment_get_page_size (sight);
  graphene_rect_t row;

  if (!app_desk_reveals_side (self->desk)) {
    self->decided = 0;
    /* Else it was hidden by a person, who has seen it. */
    *has_room = !app_desk_folds_side (self->desk);
    return TRUE;
  }
  if (!gtk_widget_get_mapped (self->tour_row) || gtk_widget_get_height (self->tour_row) == 0
      || !gtk_widget_compute_bounds (self->tour_row, scroller, &row)
      || (is_pointed_at (self) && room == self->decided))
    return FALSE;
  self->decided = room;
  *has_room = row.origin.y + row.size.height + gtk_adjustment_get_value (sight) <= room;
  return TRUE;
}

static gboolean
offer_cb (gpointer data)
{
  AppWaysPart *self = data;
  gboolean has_room;

  self->offer_source = 0;
  if (!wants_offer (self))
    gtk_widget_set_visible (self->offer, FALSE);
  else if (gtk_widget_get_visible (self->start) && decide_room (self, &has_room))
    gtk_widget_set_visible (self->offer, !has_room);
  return G_SOURCE_REMOVE;
}

/* Not while the window is laid out, and at once behind it: the picture gets its room in one go. */
static void
queue_offer (AppWaysPart *self)
{
  if (self->offer_source == 0)
    self->offer_source = g_idle_add_full (G_PRIORITY_HIGH, offer_cb, self, NULL);
}

static void
decline_cb (AppWaysPart *self)
{
  self->is_declined = TRUE;
  gtk_widget_set_visible (self->offer, FALSE);
}

static void
sync_start (AppWaysPart      *self,
            const UiDocument *shown)
{
  const AppSettings *settings = app_desk_get_settings (self->desk);
  const gboolean is_news = shown != NULL && settings->starts <= MOST_STARTS
                           && ui_pins_is_empty (&shown->pins);
  gboolean has_rows;

  has_rows = show_row (self->type_row, (settings->ways_used & APP_WAY_TYPE) == 0
                                       && app_study_has_texts (self->study));
  has_rows |= show_row (self->head_row, (settings->ways_used & APP_WAY_HEAD) == 0);
  has_rows |= show_row (self->tour_row, (settings->ways_used & APP_WAY_TOUR) == 0);
  gtk_widget_set_visible (self->start, is_news && has_rows);
  queue_offer (self);
}

static void
start_activated_cb (AppWaysPart *self,
                    GtkWidget   *row)
{
  const AppWay way = row == self->type_row ? APP_WAY_TYPE
                     : row == self->head_row ? APP_WAY_HEAD : APP_WAY_TOUR;

  note_use (self, way);
  app_desk_activate (self->desk, way == APP_WAY_TYPE ? "focus-a"
                                 : way == APP_WAY_HEAD ? "find-pattern" : "tour", NULL);
  sync_start (self, app_picture_get_shown (self->picture));
}

/* Next steps. */

/* The link whose both ends are pinned; of several heads the one that was clicked. */
static gboolean
find_pinned_link (AppWaysPart      *self,
                  const UiDocument *shown,
                  AppLink          *link)
{
  const UiPins *pins = &shown->pins;
  UiScene *scene = app_picture_get_scene (self->picture);
  const int head = scene != NULL && ui_scene_get_weights (scene) != NULL
                   ? ui_scene_get_only_head (scene) : -1;

  if (pins->n_queries != 1 || pins->n_keys != 1 || ui_document_has_second_side (shown))
    return FALSE;
  if (app_picture_get_link (self->picture, link) && link->query == pins->queries[0]
      && link->key == pins->keys[0])
    return TRUE;
  *link = (AppLink) { .kind = shown->kind, .layer = shown->layer, .head = head,
                      .query = pins->queries[0], .key = pins->keys[0] };
  return head >= 0;
}

static gboolean
has_vectors (AppWaysPart      *self,
             const UiDocument *shown,
             int               head)
{
  EngMatrix queries;

  return eng_trace_get_queries (app_study_get_trace (self->study), shown->kind, shown->layer, head,
                                &queries);
}

/* What a link may be asked for, or with link NULL a token. */
static gboolean
show_steps (AppWaysPart      *self,
            const UiDocument *shown,
            const AppLink    *link)
{
  const UiView *view = ui_view_get (shown->view);
  const int head = link != NULL ? link->head : ui_head_set_first (&shown->heads, UI_MAX_HEADS);
  const gboolean is_plain = shown->compare == UI_COMPARE_OFF;
  gboolean has_rows;

  has_rows = show_row (self->heads_row, view->has_vectors);
  has_rows |= show_row (self->neurons_row, link != NULL && !view->has_vectors && is_plain
                                           && has_vectors (self, shown, head));
  has_rows |= show_row (self->matrix_row, !view->has_one_number && is_plain);
  has_rows |= show_row (self->cut_row, link != NULL && is_plain
                                       && app_study_get_model (self->study) != NULL);
  if (link != NULL) {
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->neurons_row), "(iiii)", link->layer,
                                      link->head, link->query, link->key);
    self->link = *link;
  }
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->heads_row),
                                 link != NULL ? "Show this link in Heads"
                                              : "Show this token in Heads");
  return has_rows;
}

static void
sync_next (AppWaysPart      *self,
           const UiDocument *shown)
{
  AppLink link;
  gboolean is_shown = shown != NULL && !ui_pins_is_empty (&shown->pins)
                      && !ui_view_get (shown->view)->has_all_heads;

  if (is_shown)
    is_shown = show_steps (self, shown, find_pinned_link (self, shown, &link) ? &link : NULL);
  gtk_widget_set_visible (self->next, is_shown);
}

/* Runs the text without the link, beside the run with it. */
static void
cut_link (AppWaysPart *self)
{
  static const char *const kinds[ENG_N_KINDS] = {
    [ENG_KIND_ENCODER] = "encoder ", [ENG_KIND_DECODER] = "decoder ", [ENG_KIND_CROSS] = "cross ",
  };
  const AppLink *link = &self->link;
  EngTrace *trace = app_study_get_trace (self->study);
  g_autofree char *edit =
    g_strdup_printf ("cut %s%d.%d %d %d",
                     link->kind == eng_trace_get_default_kind (trace) ? "" : kinds[link->kind],
                     link->layer, link->head, link->query, link->key);

  app_desk_activate (self->desk, "edit", g_variant_new_string (edit));
  app_desk_activate (self->desk, "compare", g_variant_new_string ("sides"));
}

static void
next_activated_cb (AppWaysPart *self,
                   GtkWidget   *row)
{
  if (row == self->cut_row)
    cut_link (self);
}

static void
sync_part (AppPart *part)
{
  AppWaysPart *self = APP_WAYS_PART (part);
  const UiDocument *shown = app_picture_get_shown (self->picture);

  sync_start (self, shown);
  sync_next (self, shown);
}

static void
prepare_part (AppPart *part)
{
  follow_steps (APP_WAYS_PART (part));
}

static void
take_widgets (AppWaysPart *self)
{
  app_part_load_ui (self, "ways");
  self->start = app_part_get_object (self, "ways_start");
  self->start_list = app_part_get_object (self, "ways_start_list");
  self->type_row = app_part_get_object (self, "ways_type");
  self->head_row = app_part_get_object (self, "ways_head");
  self->tour_row = app_part_get_object (self, "ways_tour");
  self->offer = app_part_get_object (self, "ways_offer");
  self->next = app_part_get_object (self, "ways_next");
  self->heads_row = app_part_get_object (self, "ways_heads");
  self->neurons_row = app_part_get_object (self, "ways_neurons");
  self->matrix_row = app_part_get_object (self, "ways_matrix");
  self->cut_row = app_part_get_object (self, "ways_cut");
  ui_inspector_add_steps (app_desk_get_inspector (self->desk), self->next);
  ui_inspector_add_foot (app_desk_get_inspector (self->desk), self->start);
  app_part_place (self, "ways_offer", "return");
}

static void
follow_room (AppWaysPart *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (self->tour_row, GTK_TYPE_SCROLLED_WINDOW);

  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)),
                           "changed", G_CALLBACK (queue_offer), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "side-revealed", G_CALLBACK (queue_offer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "side-changed", G_CALLBACK (queue_offer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (app_part_get_object (self, "ways_decline"), "clicked",
                           G_CALLBACK (decline_cb), self, G_CONNECT_SWAPPED);
}

static void
begin (AppPart *part)
{
  AppWaysPart *self = APP_WAYS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_desk_get_settings (self->desk)->starts++;
  take_widgets (self);
  g_signal_connect_object (self->start_list, "row-activated", G_CALLBACK (start_activated_cb), self,
                           G_CONNECT_SWAPPED);
  follow_room (self);
  g_signal_connect_object (app_part_get_object (self, "ways_next_list"), "row-activated",
                           G_CALLBACK (next_activated_cb), self, G_CONNECT_SWAPPED);
}

static void
end (AppPart *part)
{
  g_clear_handle_id (&APP_WAYS_PART (part)->offer_source, g_source_remove);
}

static void
app_ways_part_finalize (GObject *object)
{
  g_clear_pointer (&APP_WAYS_PART (object)->last, ui_document_free);
  G_OBJECT_CLASS (app_ways_part_parent_class)->finalize (object);
}

static void
app_ways_part_class_init (AppWaysPartClass *klass)
{
  g_type_ensure (UI_TYPE_STOP_BOX);
  G_OBJECT_CLASS (klass)->finalize = app_ways_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->prepare = prepare_part;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->end = end;
}

static void
app_ways_part_init (AppWaysPart *self)
{
}
