/* SPDX-License-Identifier: MIT */
#include "app/desk/part.h"

typedef struct {
  AppDesk *desk;
} AppPartPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (AppPart, app_part, G_TYPE_OBJECT)

AppDesk *
app_part_get_desk (gpointer part)
{
  return ((AppPartPrivate *) app_part_get_instance_private (part))->desk;
}

AppStudy *
app_part_get_study (gpointer part)
{
  return app_desk_get_study (app_part_get_desk (part));
}

AppPicture *
app_part_get_picture (gpointer part)
{
  return app_desk_get_picture (app_part_get_desk (part));
}

void
app_part_prepare (AppPart *self)
{
  if (APP_PART_GET_CLASS (self)->prepare != NULL)
    APP_PART_GET_CLASS (self)->prepare (self);
}

void
app_part_sync (AppPart *self)
{
  if (APP_PART_GET_CLASS (self)->sync != NULL)
    APP_PART_GET_CLASS (self)->sync (self);
  if (APP_PART_GET_CLASS (self)->work != NULL)
    APP_PART_GET_CLASS (self)->work (self);
}

gboolean
app_part_click (AppPart      *self,
                const UiItem *item,
                gboolean      extend)
{
  AppPartClass *klass = APP_PART_GET_CLASS (self);

  return klass->click != NULL && klass->click (self, item, extend);
}

gboolean
app_part_escape (AppPart *self)
{
  return APP_PART_GET_CLASS (self)->escape != NULL && APP_PART_GET_CLASS (self)->escape (self);
}

void
app_part_theme (AppPart *self)
{
  if (APP_PART_GET_CLASS (self)->theme != NULL)
    APP_PART_GET_CLASS (self)->theme (self);
}

void
app_part_shrink (AppPart *self)
{
  if (APP_PART_GET_CLASS (self)->shrink != NULL)
    APP_PART_GET_CLASS (self)->shrink (self);
}

void
app_part_end (AppPart *self)
{
  if (APP_PART_GET_CLASS (self)->end != NULL)
    APP_PART_GET_CLASS (self)->end (self);
}

static void
app_part_finalize (GObject *object)
{
  AppPartPrivate *private = app_part_get_instance_private (APP_PART (object));

  g_clear_object (&private->desk);

  G_OBJECT_CLASS (app_part_parent_class)->finalize (object);
}

static void
app_part_class_init (AppPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_part_finalize;
}

static void
app_part_init (AppPart *self)
{
}

AppPart *
app_part_new (GType    type,
              AppDesk *desk)
{
  AppPart *self = g_object_new (type, NULL);
  AppPartPrivate *private = app_part_get_instance_private (self);

  private->desk = g_object_ref (desk);
  if (APP_PART_GET_CLASS (self)->begin != NULL)
    APP_PART_GET_CLASS (self)->begin (self);

  return self;
}
