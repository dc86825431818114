/* SPDX-License-Identifier: MIT */
#include "ui/view/picture.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include "engine/kernels/cpus.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/view/surface-node.h"

#ifdef __linux__
/* Of the threads that render, so that frames come first where there are few processors. */
#define NICENESS 10
#endif

/* Rows of pixels of which an overlay is cut out together. */
#define STRIP 16

enum { STATE_NEW, STATE_WAITING, STATE_RUNNING, STATE_DONE, STATE_DROPPED };

/* Pixels and where in the scene they lie. */
typedef struct {
  cairo_surface_t *surface; /* NULL once it has become a node */
  UiRect           bounds;
} Part;

/* Shared by its owner and the thread that renders it. The state is atomic: a frame must not wait
 * for a lock that is held by a thread which gave way. */
struct _UiPicture {
  UiScene           *scene;   /* NULL once its node was asked for and is there */
  UiPictureKind      kind;
  UiItem             item;
  UiRect             area;    /* scene units, a whole number of device pixels */
  double             scale;
  UiPicturePriority  priority;
  guint              serial;  /* of the request */
  gint               state;   /* STATE_NEW … */
  GArray            *parts;   /* of Part; the main thread's once it is done */
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

  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_free (self);
}

/* FALSE for what was dropped, or is rendered elsewhere. */
static gboolean
begin (UiPicture *self)
{
  return g_atomic_int_compare_and_exchange (&self->state, STATE_NEW, STATE_RUNNING) ||
         g_atomic_int_compare_and_exchange (&self->state, STATE_WAITING, STATE_RUNNING);
}

static cairo_surface_t *
paint (UiPicture *self)
{
  switch (self->kind) {
  case UI_PICTURE_PREVIEW:
    return ui_scene_render_preview (self->scene, &self->area, self->scale);
  case UI_PICTURE_OVERLAY:
    return ui_scene_render_overlay (self->scene, &self->item, &self->area, self->scale);
  case UI_PICTURE_FULL:
  default:
    return ui_scene_render (self->scene, &self->area, self->scale);
  }
}

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_clear_pointer (&part->surface, cairo_surface_destroy);
}

/* Columns of a strip of rows that have something in them: from x up to its end. FALSE = none. */
static gboolean
find_columns (cairo_surface_t *surface,
              int              first_row,
              int              n_rows,
              int             *x,
              int             *end)
{
  const int width = cairo_image_surface_get_width (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  const guint8 *pixels = cairo_image_surface_get_data (surface);

  *x = width;
  *end = 0;
  for (int row = first_row; row < first_row + n_rows; row++) {
    const guint32 *line = (const guint32 *) (pixels + (gsize) row * stride);
    int left = 0;
    int right = width;

    while (left < *x && line[left] == 0)
      left++;
    while (right > MAX (*end, left) && line[right - 1] == 0)
      right--;
    if (left < right) {
      *x = MIN (*x, left);
      *end = MAX (*end, right);
    }
  }
  return *x < *end;
}

static void
add_part (UiPicture       *self,
          GArray          *parts,
          cairo_surface_t *whole,
          int              x,
          int              y,
          int              width,
          int              height)
{
  const UiRect bounds = {
    self->area.x + x / self->scale, self->area.y + y / self->scale,
    width / self->scale, height / self->scale
  };
  Part part = { cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height), bounds };
  cairo_t *cr = cairo_create (part.surface);

  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, whole, -x, -y);
  cairo_paint (cr);
  cairo_destroy (cr);
  g_array_append_val (parts, part);
}

/* What is over the drawing is mostly empty. Only what is not must be drawn with every frame, and
 * drawn anew where it goes. */
static void
cut_out (UiPicture       *self,
         GArray          *parts,
         cairo_surface_t *surface)
{
  const int height = cairo_image_surface_get_height (surface);
  int x = 0, end = 0, first = 0;

  cairo_surface_flush (surface);
  for (int row = 0; row < height; row += STRIP) {
    int strip_x, strip_end;

    if (!find_columns (surface, row, MIN (STRIP, height - row), &strip_x, &strip_end))
      strip_x = strip_end = 0;
    if (strip_x == x && strip_end == end)
      continue;
    if (x < end)
      add_part (self, parts, surface, x, first, end - x, row - first);
    x = strip_x;
    end = strip_end;
    first = row;
  }
  if (x < end)
    add_part (self, parts, surface, x, first, end - x, height - first);
  cairo_surface_destroy (surface);
}

/* The last pixels may reach over the edge of the scene. */
static void
take_whole (UiPicture       *self,
            GArray          *parts,
            cairo_surface_t *surface)
{
  const Part whole = { surface, {
    self->area.x, self->area.y,
    cairo_image_surface_get_width (surface) / self->scale,
    cairo_image_surface_get_height (surface) / self->scale
  } };

  g_array_append_val (parts, whole);
}

/* Any thread. */
static void
render (UiPicture *self)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));
  cairo_surface_t *surface = paint (self);

  g_array_set_clear_func (parts, part_clear);
  if (surface != NULL && self->kind == UI_PICTURE_OVERLAY)
    cut_out (self, parts, surface);
  else if (surface != NULL)
    take_whole (self, parts, surface);

  self->parts = parts;
  g_mutex_lock (&lock);
  g_atomic_int_set (&self->state, STATE_DONE);
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

/* One for all views; NULL = nothing was asked for. Its threads are no others', stay alive for the next
 * picture, and take no time while they wait. Main thread. */
static GThreadPool *pool;

static GThreadPool *
get_pool (void)
{
  if (pool == NULL) {
    pool = g_thread_pool_new (render_worker, NULL, MAX (1, eng_cpus_count () - 1), TRUE, NULL);
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
  (void) g_atomic_int_compare_and_exchange (&self->state, STATE_WAITING, STATE_DROPPED);
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

  if (!g_atomic_int_compare_and_exchange (&self->state, STATE_NEW, STATE_WAITING))
    return;

  self->priority = priority;
  self->serial = n_requests++;
  self->done = done;
  self->data = data;
  g_thread_pool_push (get_pool (), picture_ref (self), NULL);
}

void
ui_pictures_end (void)
{
  if (pool != NULL)
    g_thread_pool_free (g_steal_pointer (&pool), FALSE, TRUE);
}

gboolean
ui_picture_is_done (UiPicture *self)
{
  return g_atomic_int_get (&self->state) == STATE_DONE;
}

gboolean
ui_picture_finish (UiPicture *self,
                   gint64     deadline)
{
  if (g_get_monotonic_time () < deadline && begin (self)) {
    render (self);
    return TRUE;
  }

  g_mutex_lock (&lock);
  while (g_atomic_int_get (&self->state) == STATE_RUNNING &&
         g_cond_wait_until (&one_is_done, &lock, deadline))
    continue;
  g_mutex_unlock (&lock);
  return ui_picture_is_done (self);
}

/* Nodes of the parts, which are left without pixels. */
static GskRenderNode *
create_node (GArray    *parts,
             GtkWidget *widget)
{
  g_autoptr (GPtrArray) nodes =
    g_ptr_array_new_with_free_func ((GDestroyNotify) gsk_render_node_unref);

  for (guint i = 0; i < parts->len; i++) {
    Part *part = &g_array_index (parts, Part, i);

    g_ptr_array_add (nodes, ui_surface_node_new (g_steal_pointer (&part->surface), &part->bounds,
                                                 widget));
  }
  return nodes->len == 1 ? gsk_render_node_ref (nodes->pdata[0])
                         : gsk_container_node_new ((GskRenderNode **) nodes->pdata, nodes->len);
}

GskRenderNode *
ui_picture_get_node (UiPicture *self,
                     GtkWidget *widget)
{
  g_autoptr (GArray) parts = NULL;

  if (self->node != NULL)
    return self->node;

  /* What was drawn before is kept for a while, but not the trace and the model behind it. */
  if (ui_picture_is_done (self)) {
    parts = g_steal_pointer (&self->parts);
    g_clear_pointer (&self->scene, ui_scene_unref);
  }
  if (parts != NULL && (parts->len > 0 || self->kind == UI_PICTURE_OVERLAY))
    self->node = create_node (parts, widget);
  return self->node;
}
