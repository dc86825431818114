/* SPDX-License-Identifier: MIT */
#include "ui/picture.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include "ui/scene/raster.h"
#include "ui/surface-node.h"

#ifdef __linux__
/* Of the threads that render, so that frames come first where there are few processors. */
#define NICENESS 10
#endif

typedef enum { STATE_NEW, STATE_WAITING, STATE_RUNNING, STATE_DONE, STATE_DROPPED } State;

/* Shared by its owner and the thread that renders it; state and surface are under the lock. */
struct _UiPicture {
  UiScene           *scene;
  UiPictureKind      kind;
  UiItem             item;
  UiRect             area;    /* scene units, a whole number of device pixels */
  double             scale;
  UiPicturePriority  priority;
  guint              serial;  /* of the request */
  State              state;
  cairo_surface_t   *surface; /* NULL once it has become a node, and of an empty picture */
  GskRenderNode     *node;    /* main thread */
  UiPictureFunc      done;    /* main thread */
  gpointer           data;
  gatomicrefcount    ref_count;
};

static GMutex lock;
static GCond one_is_done;

static UiPicture *
picture_ref (UiPicture *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
picture_unref (UiPicture *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->surface, cairo_surface_destroy);
  ui_scene_unref (self->scene);
  g_free (self);
}

/* FALSE for what was dropped, or is rendered elsewhere. */
static gboolean
begin (UiPicture *self)
{
  gboolean begins;

  g_mutex_lock (&lock);
  begins = self->state == STATE_NEW || self->state == STATE_WAITING;
  if (begins)
    self->state = STATE_RUNNING;
  g_mutex_unlock (&lock);

  return begins;
}

static cairo_surface_t *
paint (UiPicture *self)
{
  switch (self->kind) {
  case UI_PICTURE_PREVIEW:
    return ui_raster_render_preview (self->scene, &self->area, self->scale);
  case UI_PICTURE_OVERLAY:
    return ui_raster_render_overlay (self->scene, &self->item, &self->area, self->scale);
  case UI_PICTURE_FULL:
  default:
    return ui_raster_render (self->scene, &self->area, self->scale);
  }
}

/* Any thread. */
static void
render (UiPicture *self)
{
  cairo_surface_t *surface = paint (self);

  g_mutex_lock (&lock);
  self->surface = surface;
  self->state = STATE_DONE;
  g_cond_broadcast (&one_is_done);
  g_mutex_unlock (&lock);
}

static gboolean
report_cb (gpointer data)
{
  UiPicture *self = data;

  /* A frame may have come before. */
  if (self->done != NULL && self->node == NULL)
    self->done (self->data);
  return G_SOURCE_REMOVE;
}

static void
give_way (void)
{
#ifdef __linux__
  static GPrivate gives_way;

  if (g_private_get (&gives_way) != NULL)
    return;
  /* On Linux this is of the thread alone, and of those that it starts. */
  setpriority (PRIO_PROCESS, (id_t) gettid (), NICENESS);
  g_private_set (&gives_way, GINT_TO_POINTER (TRUE));
#endif
}

static void
render_worker (gpointer data,
               gpointer unused)
{
  UiPicture *self = data;

  give_way ();
  if (begin (self)) {
    render (self);
    g_idle_add_full (G_PRIORITY_HIGH_IDLE, report_cb, picture_ref (self),
                     (GDestroyNotify) picture_unref);
  }
  picture_unref (self);
}

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      unused)
{
  const UiPicture *first = a;
  const UiPicture *second = b;

  if (first->priority != second->priority)
    return first->priority < second->priority ? -1 : 1;

  return first->serial < second->serial ? -1 : first->serial > second->serial;
}

/* One pool for all views. Its threads are no others', stay alive for the next picture, and take no
 * time while they wait. */
static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (pool == NULL) {
    pool = g_thread_pool_new (render_worker, NULL, MAX (1, (int) g_get_num_processors () - 1),
                              TRUE, NULL);
    g_thread_pool_set_sort_function (pool, compare, NULL);
  }
  return pool;
}

UiPicture *
ui_picture_new (UiScene       *scene,
                UiPictureKind  kind,
                const UiItem  *item,
                const UiRect  *area,
                double         scale)
{
  UiPicture *self = g_new0 (UiPicture, 1);

  self->scene = ui_scene_ref (scene);
  self->kind = kind;
  if (item != NULL)
    self->item = *item;
  self->area = *area;
  self->scale = scale;
  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

void
ui_picture_drop (UiPicture *self)
{
  g_mutex_lock (&lock);
  if (self->state == STATE_WAITING)
    self->state = STATE_DROPPED;
  g_mutex_unlock (&lock);

  self->done = NULL;
  g_clear_pointer (&self->node, gsk_render_node_unref);
  picture_unref (self);
}

void
ui_picture_request (UiPicture         *self,
                    UiPicturePriority  priority,
                    UiPictureFunc      done,
                    gpointer           data)
{
  static guint n_requests;
  gboolean is_new;

  g_mutex_lock (&lock);
  is_new = self->state == STATE_NEW;
  if (is_new)
    self->state = STATE_WAITING;
  g_mutex_unlock (&lock);
  if (!is_new)
    return;

  self->priority = priority;
  self->serial = n_requests++;
  self->done = done;
  self->data = data;
  g_thread_pool_push (get_pool (), picture_ref (self), NULL);
}

static State
get_state (UiPicture *self)
{
  State state;

  g_mutex_lock (&lock);
  state = self->state;
  g_mutex_unlock (&lock);

  return state;
}

gboolean
ui_picture_is_requested (UiPicture *self)
{
  return get_state (self) != STATE_NEW;
}

gboolean
ui_picture_is_done (UiPicture *self)
{
  return get_state (self) == STATE_DONE;
}

void
ui_picture_finish (UiPicture *self)
{
  if (begin (self)) {
    render (self);
    return;
  }

  g_mutex_lock (&lock);
  while (self->state == STATE_RUNNING)
    g_cond_wait (&one_is_done, &lock);
  g_mutex_unlock (&lock);
}

GskRenderNode *
ui_picture_get_node (UiPicture *self,
                     GtkWidget *widget)
{
  cairo_surface_t *surface;
  UiRect bounds = self->area;

  if (self->node != NULL)
    return self->node;

  g_mutex_lock (&lock);
  surface = self->state == STATE_DONE ? g_steal_pointer (&self->surface) : NULL;
  g_mutex_unlock (&lock);
  if (surface == NULL)
    return NULL;

  /* The last pixels may reach over the edge of the scene. */
  bounds.width = cairo_image_surface_get_width (surface) / self->scale;
  bounds.height = cairo_image_surface_get_height (surface) / self->scale;
  self->node = ui_surface_node_new (surface, &bounds, widget);
  return self->node;
}
