/* SPDX-License-Identifier: MIT */
#include "ui/scene/head/head-field.h"

#include <math.h>

#include "ui/scene/base/head-color.h"
#include "ui/scene/sinks/link-curve.h"

#define GREY_OPACITY 0.5 /* of a link that hardly changed */
#define THIN_LINK 1.1
#define LINK_GROWTH 2.6 /* by weight */
#define FAN_STEP 2.2
#define HIT_REACH 3.0
#define LEAST_SEEN 8 /* in 1/255: nobody points at a fainter link */
#define DENSE 20000 /* pairs of tokens, all heads: the field has links on links */

/* Links are drawn by class of strength, the strongest class last; a class is what lies under its
 * bound. */
static const double class_bounds[] = { 0.03, 0.08, 0.18, 0.35, 0.65, G_MAXDOUBLE };
#define N_CLASSES G_N_ELEMENTS (class_bounds)

static int *
list_rows (const guint8 *passes,
           int           n,
           const int    *pinned,
           int           n_pinned,
           int          *n_rows)
{
  int *rows = g_new (int, MAX (n, 1));

  *n_rows = 0;
  if (n_pinned > 0) {
    for (int i = 0; i < n_pinned; i++) {
      if (passes[pinned[i]])
        rows[(*n_rows)++] = pinned[i];
    }
  } else {
    for (int i = 0; i < n; i++) {
      if (passes[i])
        rows[(*n_rows)++] = i;
    }
  }
  return rows;
}

double
ui_head_field_get_offset (const UiHeadField *self,
                          int                i)
{
  int n = self->weights->n_heads;
  double step = n > 1 ? MIN (FAN_STEP * self->frame.scale, self->frame.fan / (n - 1)) : 0;

  return (i - (n - 1) / 2.0) * step;
}

double
ui_head_field_get_width (const UiHeadField *self,
                         double             value)
{
  double strength = ui_weights_get_strength (self->weights, value);

  return (THIN_LINK + LINK_GROWTH * MIN (strength, 1.0)) * self->frame.scale;
}

static gboolean
is_grey (const UiHeadField *self,
         int                i,
         int                query,
         int                key)
{
  const EngAttention *attention = self->weights->attention;

  return self->grey != NULL
         && self->grey[((gsize) i * attention->n_queries + query) * attention->n_keys + key];
}

static void
make_link (const UiHeadField *self,
           int                i,
           int                query,
           int                key,
           double             weight,
           UiLink            *link)
{
  int head = self->weights->heads[i];
  double offset = ui_head_field_get_offset (self, i);
  const gboolean grey = is_grey (self, i, query, key);
  const double alpha = ui_weights_get_alpha (self->weights, weight);

  link->x0 = self->frame.x0;
  link->y0 = self->frame.query_y[query] + offset;
  link->x1 = self->frame.x1;
  link->y1 = self->frame.key_y[key] + offset;
  link->width = ui_head_field_get_width (self, weight);
  link->color = grey ? self->grey_color : ui_head_color_get (self->weights, self->theme, head);
  link->color.a = (guint8) lround (alpha * (grey ? self->grey_opacity : 1));
  link->head = head;
  link->dash = self->edited != NULL && self->edited[head]
               && ui_weights_get_strength (self->weights, weight) >= UI_HEAD_LEAST_DASHED
               ? UI_HEAD_DASH * self->frame.scale : 0;
}

/* A link of a class above the lowest, put aside until its class is drawn. */
typedef struct {
  int   i;
  int   query;
  int   key;
  float weight;
} Stronger;

typedef struct {
  double      top;    /* of the clip, widened by the widest link */
  double      bottom;
  gboolean    grey;   /* those that are, or those that are not */
  UiLinkFunc  func;
  gpointer    data;
  GArray     *stronger[N_CLASSES]; /* of Stronger, by class; none of the lowest */
} Pass;

static void
emit_link (const UiHeadField *self,
           const Pass        *pass,
           int                i,
           int                query,
           int                key,
           double             weight)
{
  UiLink link;

  make_link (self, i, query, key, weight, &link);
  if (link.color.a > 0)
    pass->func (&link, pass->data);
}

static void
put_aside (Pass  *pass,
           int    i,
           int    query,
           int    key,
           double weight,
           double strength)
{
  Stronger link = { i, query, key, (float) weight };
  gsize class = 1;

  while (strength >= class_bounds[class])
    class++;
  g_array_append_val (pass->stronger[class], link);
}

/* This loop sees every weight of a layer. The lowest class, which most links are of, is drawn at
 * once. */
static void
pass_row (const UiHeadField *self,
          Pass              *pass,
          int                i,
          int                query)
{
  const UiWeights *weights = self->weights;
  const EngAttention *attention = weights->attention;
  gsize row = (gsize) weights->heads[i] * attention->n_queries + query;
  const float *values = attention->weights + row * attention->n_keys;
  double scale = weights->row_scale != NULL ? weights->row_scale[row] : 1;
  double row_floor = weights->row_floor != NULL ? weights->row_floor[row] : 0;
  double floor = MAX (self->floor, MAX (weights->threshold, row_floor));
  double y = self->frame.query_y[query];

  for (int j = 0; j < self->n_keys; j++) {
    int key = self->keys[j];
    double weight = values[key] * scale;
    double strength;

    if (weight < weights->threshold || weight <= 0 || (float) weight < floor)
      continue;
    if (MIN (y, self->frame.key_y[key]) > pass->bottom ||
        MAX (y, self->frame.key_y[key]) < pass->top)
      continue;
    if (is_grey (self, i, query, key) != pass->grey)
      continue;
    strength = ui_weights_get_strength (weights, weight);
    if (strength < class_bounds[0])
      emit_link (self, pass, i, query, key, weight);
    else
      put_aside (pass, i, query, key, weight, strength);
  }
}

static void
pass_links (const UiHeadField *self,
            const Pass        *which)
{
  Pass pass = *which;

  for (gsize class = 1; class < N_CLASSES; class++)
    pass.stronger[class] = g_array_new (FALSE, FALSE, sizeof (Stronger));
  for (int i = 0; i < self->weights->n_heads; i++) {
    for (int j = 0; j < self->n_queries; j++)
      pass_row (self, &pass, i, self->queries[j]);
  }
  for (gsize class = 1; class < N_CLASSES; class++) {
    for (guint n = 0; n < pass.stronger[class]->len; n++) {
      const Stronger *link = &g_array_index (pass.stronger[class], Stronger, n);

      emit_link (self, &pass, link->i, link->query, link->key, link->weight);
    }
    g_array_unref (pass.stronger[class]);
  }
}

static void
foreach_link (const UiLinkField *field,
              const UiRect      *clip,
              UiLinkFunc         func,
              gpointer           data)
{
  const UiHeadField *self = (const UiHeadField *) field;
  double margin = self->frame.fan / 2 + ui_head_field_get_width (self, self->weights->block.unit);
  Pass pass = {
    .top = clip->y - margin,
    .bottom = clip->y + clip->height + margin,
    .func = func,
    .data = data,
  };

  for (int grey = self->grey != NULL; grey >= 0; grey--) {
    pass.grey = grey;
    pass_links (self, &pass);
  }
}

void
ui_head_field_init (UiHeadField        *self,
                    const UiWeights    *weights,
                    const UiFieldFrame *frame,
                    UiTheme             theme,
                    const UiPins       *pins)
{
  static const UiPins none;
  const EngAttention *attention = weights->attention;
  double margin = frame->fan / 2;
  double top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE;

  pins = pins != NULL ? pins : &none;
  *self = (UiHeadField) {
    .weights = weights,
    .frame = *frame,
    .theme = theme,
    /* Strong grey links would be all that one sees; of what is pinned they are read, too. */
    .grey_color = ui_pins_is_empty (pins) ? ui_palette_get (theme)->faint
                                          : ui_palette_get (theme)->dim,
    .grey_opacity = ui_pins_is_empty (pins) ? GREY_OPACITY : 1,
  };
  self->queries = list_rows (weights->query_passes, attention->n_queries,
                             pins->queries, pins->n_queries, &self->n_queries);
  self->keys = list_rows (weights->key_passes, attention->n_keys,
                          pins->keys, pins->n_keys, &self->n_keys);

  margin += ui_head_field_get_width (self, weights->block.unit);
  for (int i = 0; i < self->n_queries; i++) {
    top = MIN (top, frame->query_y[self->queries[i]] - margin);
    bottom = MAX (bottom, frame->query_y[self->queries[i]] + margin);
  }
  for (int i = 0; i < self->n_keys; i++) {
    top = MIN (top, frame->key_y[self->keys[i]] - margin);
    bottom = MAX (bottom, frame->key_y[self->keys[i]] + margin);
  }
  self->field.foreach = foreach_link;
  self->field.dense = (gsize) weights->n_heads * self->n_queries * self->n_keys >= DENSE;
  self->field.bounds = (UiRect) { frame->x0, top, frame->x1 - frame->x0, MAX (bottom - top, 0) };
}

void
ui_head_field_set_edited (UiHeadField  *self,
                          const guint8 *edited)
{
  self->edited = edited;
  self->field.dashed = edited != NULL;
}

void
ui_head_field_set_grey (UiHeadField  *self,
                        const guint8 *grey)
{
  self->grey = grey;
}

void
ui_head_field_clear (UiHeadField *self)
{
  g_clear_pointer (&self->queries, g_free);
  g_clear_pointer (&self->keys, g_free);
}

gboolean
ui_head_field_get_link (const UiHeadField *self,
                        int                i,
                        int                query,
                        int                key,
                        UiLink            *link)
{
  int head = self->weights->heads[i];
  double weight = ui_weights_get (self->weights, head, query, key);

  make_link (self, i, query, key, weight, link);
  return ui_weights_draws (self->weights, head, query, weight) && link->color.a > 0;
}

typedef struct {
  double along; /* part of the way from y0 to y1 done at the pointer's x */
  double slope; /* of that, by x */
  double y;
  double best;
  int    head;
  int    query;
  int    key;
} Hit;

/* Index into keys of the first one at or below y. */
static int
find_key (const UiHeadField *self,
          double             y)
{
  int low = 0, high = self->n_keys;

  while (low < high) {
    int middle = (low + high) / 2;

    if (self->frame.key_y[self->keys[middle]] < y)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Whether the link from y0 to y1 passes near the pointer, measured across it. */
static gboolean
is_near (const UiHeadField *self,
         const Hit         *hit,
         double             y0,
         double             y1)
{
  double steepness = (y1 - y0) * hit->slope;
  double distance = y0 + (y1 - y0) * hit->along - hit->y;

  return fabs (distance) <= HIT_REACH * self->frame.scale * sqrt (1 + steepness * steepness);
}

/* Solves y = y0 + (y1 - y0) · along for the keys whose link may pass near the pointer, then looks
 * at each. */
static void
hit_row (const UiHeadField *self,
         Hit               *hit,
         int                i,
         int                query)
{
  double offset = ui_head_field_get_offset (self, i);
  double y0 = self->frame.query_y[query] + offset;
  double steepest = self->field.bounds.height * hit->slope;
  double reach = HIT_REACH * self->frame.scale * sqrt (1 + steepest * steepest);
  double top = y0 + (hit->y - y0 - reach) / hit->along - offset;
  double bottom = y0 + (hit->y - y0 + reach) / hit->along - offset;

  for (int j = find_key (self, top); j < self->n_keys; j++) {
    int key = self->keys[j];
    double weight;

    if (self->frame.key_y[key] > bottom)
      break;
    weight = ui_weights_get (self->weights, self->weights->heads[i], query, key);
    if (weight <= hit->best ||
        !ui_weights_draws (self->weights, self->weights->heads[i], query, weight) ||
        ui_weights_get_alpha (self->weights, weight) < LEAST_SEEN ||
        !is_near (self, hit, y0, self->frame.key_y[key] + offset))
      continue;
    hit->best = weight;
    hit->head = self->weights->heads[i];
    hit->query = query;
    hit->key = key;
  }
}

gboolean
ui_head_field_hit (const UiHeadField *self,
                   double             x,
                   double             y,
                   int               *head,
                   int               *query,
                   int               *key)
{
  double across = (x - self->frame.x0) / (self->frame.x1 - self->frame.x0);
  Hit hit = { .y = y };

  if (across < 0 || across > 1)
    return FALSE;
  ui_link_curve_at (across, &hit.along, &hit.slope);
  hit.along = MAX (hit.along, 1e-6);
  hit.slope /= self->frame.x1 - self->frame.x0;
  for (int i = 0; i < self->weights->n_heads; i++) {
    for (int j = 0; j < self->n_queries; j++)
      hit_row (self, &hit, i, self->queries[j]);
  }
  *head = hit.head;
  *query = hit.query;
  *key = hit.key;
  return hit.best > 0;
}
