/* SPDX-License-Identifier: MIT */
#include "app/desk/part.h"

#include "app/desk/desk-private.h"

#define UI_OF_PART "/io/github/headlight/Headlight/ui/parts/%s.ui"

typedef struct {
  AppDesk    *desk;
  GtkBuilder *ui; /* read last; NULL = not read, or begin() has run */
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
app_part_load_ui (gpointer    part,
                  const char *name)
{
  AppPartPrivate *private = app_part_get_instance_private (part);

  g_clear_object (&private->ui);
  private->ui = app_part_read_ui (name);
}

GtkBuilder *
app_part_read_ui (const char *name)
{
  g_autofree char *path = g_strdup_printf (UI_OF_PART, name);

  return gtk_builder_new_from_resource (path);
}

gpointer
app_part_get_object (gpointer    part,
                     const char *id)
{
  AppPartPrivate *private = app_part_get_instance_private (part);
  GObject *object = gtk_builder_get_object (private->ui, id);

  g_assert (object != NULL);
  return object;
}

void
app_part_place (gpointer    part,
                const char *id,
                const char *slot)
{
  app_desk_place (app_part_get_desk (part), slot, app_part_get_object (part, id));
}

void
app_part_prepare (AppPart *self)
{
  if (APP_PART_GET_CLASS (self)->prepare != NULL)
    APP_PART_GET_CLASS (self)->prepare (self);
}

void
app_part_refresh (AppPart *self)
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

  g_clear_object (&private->ui);
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
  g_clear_object (&private->ui);

  return self;
}
