/* SPDX-License-Identifier: MIT */
#include "app/shell/parts.h"

#include "app/parts/aim/aim.h"
#include "app/parts/asking/asking.h"
#include "app/parts/beside/beside.h"
#include "app/parts/caption/caption.h"
#include "app/parts/changes/changes.h"
#include "app/parts/compare/compare.h"
#include "app/parts/display/display.h"
#include "app/parts/download/download.h"
#include "app/parts/edits/edits.h"
#include "app/parts/export/export.h"
#include "app/parts/families/families.h"
#include "app/parts/fields/fields.h"
#include "app/parts/history/history.h"
#include "app/parts/lacking/lacking.h"
#include "app/parts/lessons/lessons.h"
#include "app/parts/links/links.h"
#include "app/parts/map/map.h"
#include "app/parts/model-view/model-view.h"
#include "app/parts/models/models.h"
#include "app/parts/opening/opening.h"
#include "app/parts/pins/pins.h"
#include "app/parts/predictions/predictions.h"
#include "app/parts/search/search.h"
#include "app/parts/session/session.h"
#include "app/parts/show/show.h"
#include "app/parts/side/side.h"
#include "app/parts/status/status.h"
#include "app/parts/steps/steps.h"
#include "app/parts/sweep/sweep.h"
#include "app/parts/texts/texts.h"
#include "app/parts/training/training.h"
#include "app/parts/unknown/unknown.h"
#include "app/parts/ways/ways.h"
#include "app/parts/writing/writing.h"
#include "app/parts/zoom/zoom.h"

struct _AppParts {
  AppPicture *picture;
  GPtrArray  *list; /* of AppPart */
};

AppParts *
app_parts_new (AppDesk *desk)
{
  const GType types[] = {
    APP_TYPE_LESSONS_PART, /* Escape ends what is guided first */
    APP_TYPE_SHOW_PART,
    APP_TYPE_MODEL_VIEW_PART,
    APP_TYPE_TEXTS_PART,
    APP_TYPE_MAP_PART,
    APP_TYPE_UNKNOWN_PART,
    APP_TYPE_COMPARE_PART,
    APP_TYPE_ASKING_PART,
    APP_TYPE_PREDICTIONS_PART,
    APP_TYPE_WRITING_PART,
    APP_TYPE_DISPLAY_PART,
    APP_TYPE_AIM_PART,
    APP_TYPE_EDITS_PART,
    APP_TYPE_LINKS_PART,
    APP_TYPE_SEARCH_PART,
    APP_TYPE_SWEEP_PART,
    APP_TYPE_CHANGES_PART,
    APP_TYPE_HISTORY_PART,
    APP_TYPE_EXPORT_PART,
    APP_TYPE_SESSION_PART,
    APP_TYPE_OPENING_PART,
    APP_TYPE_MODELS_PART,
    APP_TYPE_DOWNLOAD_PART,
    APP_TYPE_FAMILIES_PART,
    APP_TYPE_TRAINING_PART,
    APP_TYPE_FIELDS_PART,
    APP_TYPE_ZOOM_PART,
    APP_TYPE_SIDE_PART,
    APP_TYPE_STEPS_PART,
    APP_TYPE_BESIDE_PART,
    APP_TYPE_PINS_PART,
    APP_TYPE_LACKING_PART,
    APP_TYPE_WAYS_PART,
    APP_TYPE_CAPTION_PART,
    APP_TYPE_STATUS_PART,
  };
  AppParts *self = g_new (AppParts, 1);

  *self = (AppParts) {
    app_desk_get_picture (desk), g_ptr_array_new_with_free_func (g_object_unref)
  };
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    g_ptr_array_add (self->list, app_part_new (types[i], desk));

  return self;
}

void
app_parts_free (AppParts *self)
{
  g_ptr_array_unref (self->list);
  g_free (self);
}

gpointer
app_parts_get (AppParts *self,
               GType     type)
{
  for (guint i = 0; i < self->list->len; i++)
    if (G_OBJECT_TYPE (self->list->pdata[i]) == type)
      return self->list->pdata[i];

  g_assert_not_reached ();
}

void
app_parts_refresh (AppParts *self)
{
  for (guint i = 0; i < self->list->len; i++)
    app_part_prepare (self->list->pdata[i]);
  app_picture_update (self->picture);
  for (guint i = 0; i < self->list->len; i++)
    app_part_refresh (self->list->pdata[i]);
}

gboolean
app_parts_click (AppParts     *self,
                 const UiItem *item,
                 gboolean      extend)
{
  for (guint i = 0; i < self->list->len; i++)
    if (app_part_click (self->list->pdata[i], item, extend))
      return TRUE;

  return FALSE;
}

gboolean
app_parts_escape (AppParts *self)
{
  for (guint i = 0; i < self->list->len; i++)
    if (app_part_escape (self->list->pdata[i]))
      return TRUE;

  return FALSE;
}

void
app_parts_theme (AppParts *self)
{
  for (guint i = 0; i < self->list->len; i++)
    app_part_theme (self->list->pdata[i]);
}

void
app_parts_end (AppParts *self)
{
  for (guint i = 0; i < self->list->len; i++)
    app_part_end (self->list->pdata[i]);
}

void
app_parts_shrink (AppParts *self)
{
  for (guint i = 0; i < self->list->len; i++)
    app_part_shrink (self->list->pdata[i]);
}
