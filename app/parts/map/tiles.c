/* SPDX-License-Identifier: MIT */
/* The tiles of the map: made once for each trace and kind, beside the window where that takes longer
 * than a moment. Those of the trace before stay until new ones of the same shape are all there, so
 * that the map does not go blank while somebody types. */
#include "app/parts/map/map-private.h"

#include "engine/base/error.h"

/* Weights whose tiles and facts are there within a frame. */
#define LIGHT (1 << 18)

static gboolean
are_of (const UiHeadTiles *tiles,
        EngTrace          *trace,
        EngKind            kind)
{
  return tiles != NULL && ui_head_tiles_get_trace (tiles) == trace
         && ui_head_tiles_get_kind (tiles) == kind;
}

static gboolean
has_shape_of (const UiHeadTiles *tiles,
              const UiHeadTiles *other)
{
  return tiles != NULL
         && ui_head_tiles_get_n_layers (tiles) == ui_head_tiles_get_n_layers (other)
         && ui_head_tiles_get_n_heads (tiles) == ui_head_tiles_get_n_heads (other);
}

static gboolean
are_of_one_model (const UiHeadTiles *a,
                  const UiHeadTiles *b)
{
  return g_strcmp0 (eng_trace_get_model_name (ui_head_tiles_get_trace (a)),
                    eng_trace_get_model_name (ui_head_tiles_get_trace (b))) == 0;
}

/* Takes the tiles over. What was searched for in another model is asked no more. */
static void
show (AppMapPart  *self,
      UiHeadTiles *tiles)
{
  if (self->tiles != NULL && !are_of_one_model (self->tiles, tiles))
    gtk_editable_set_text (self->search, "");
  g_clear_pointer (&self->tiles, ui_head_tiles_unref);
  self->tiles = tiles;
  app_map_part_show_tiles (self);
}

static gpointer
make (AppJob    *job,
      gpointer   data,
      GError   **error)
{
  UiHeadTiles *tiles = data;

  if (ui_head_tiles_make (tiles, app_job_get_cancel (job), app_job_report_parts, job))
    return ui_head_tiles_ref (tiles);

  g_set_error (error, ENG_ERROR, ENG_ERROR_CANCELLED, "The map of the heads was not made");
  return NULL;
}

static void
progress_cb (const AppProgress *progress,
             gpointer           data)
{
  AppMapPart *self = data;

  if (self->tiles == self->making)
    app_map_part_update_maps (self);
}

static void
made_cb (AppJob       *job,
         gpointer      result,
         const GError *error,
         gpointer      data)
{
  AppMapPart *self = data;
  UiHeadTiles *tiles = result;

  g_clear_pointer (&self->job, app_job_stop);
  g_clear_pointer (&self->making, ui_head_tiles_unref);
  if (tiles == NULL)
    return;
  self->is_stuck = self->makes_all && ui_head_tiles_lacks (tiles);
  show (self, tiles);
  /* Layers that were computed meanwhile. */
  app_map_part_make_tiles (self);
}

static void
start (AppMapPart  *self,
       UiHeadTiles *tiles)
{
  static const AppJobClass klass = {
    .run = make,
    .progress = progress_cb,
    .done = made_cb,
    .free_result = (GDestroyNotify) ui_head_tiles_unref,
    .free_data = (GDestroyNotify) ui_head_tiles_unref,
  };

  self->making = ui_head_tiles_ref (tiles);
  self->makes_all = eng_trace_is_complete (ui_head_tiles_get_trace (tiles));
  self->job = app_job_start (&klass, ui_head_tiles_ref (tiles), self);
  if (!has_shape_of (self->tiles, tiles))
    show (self, ui_head_tiles_ref (tiles));
}

void
app_map_part_stop_tiles (AppMapPart *self)
{
  g_clear_pointer (&self->job, app_job_leave);
  g_clear_pointer (&self->making, ui_head_tiles_unref);
}

void
app_map_part_make_tiles (AppMapPart *self)
{
  EngTrace *trace = app_study_get_trace (self->study);
  const UiDocument *shown = app_picture_get_shown (self->picture);
  g_autoptr (UiHeadTiles) tiles = NULL;

  if (trace == NULL || shown == NULL || !app_picture_is_current (self->picture))
    return;
  if (are_of (self->making, trace, shown->kind))
    return;
  if (are_of (self->tiles, trace, shown->kind)) {
    if (self->is_stuck || !ui_head_tiles_lacks (self->tiles))
      return;
    tiles = ui_head_tiles_ref (self->tiles);
  } else {
    tiles = ui_head_tiles_new (trace, shown->kind);
    self->is_stuck = FALSE;
  }

  app_map_part_stop_tiles (self);
  if (eng_trace_count_weights (trace, shown->kind) <= LIGHT) {
    ui_head_tiles_make (tiles, NULL, NULL, NULL);
    self->is_stuck = eng_trace_is_complete (trace) && ui_head_tiles_lacks (tiles);
    show (self, g_steal_pointer (&tiles));
  } else {
    start (self, tiles);
  }
}
