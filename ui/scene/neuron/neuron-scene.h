/* SPDX-License-Identifier: MIT */
/* The expanded neuron view, for the files neuron-*.c: how one head compares the query of a token
 * with every key, and what it makes of their values. Vectors are borrowed from the trace. */
#pragma once

#include "ui/scene/head/head-scene.h"
#include "ui/scene/neuron/neuron-layout.h"

G_BEGIN_DECLS

/* What is added to a scaled product. */
typedef struct {
  EngMatrix   numbers; /* [n_queries, n_keys] */
  const char *symbol;  /* in formulas: "bias" */
  const char *name;    /* in sentences: "position bias" */
} UiNeuronBias;

typedef struct {
  UiHeadScene     parent;        /* the columns of tokens; its class is the neuron view's */
  UiNeuronLayout  layout;
  int             head;
  int             query;         /* what is compared: the pinned one, else ui_neuron_find_query() */
  gboolean        is_pinned;
  EngMatrix       query_vectors; /* [n_queries, n_dimensions] */
  EngMatrix       key_vectors;   /* [n_keys, n_dimensions] */
  EngMatrix       value_vectors; /* [n_keys, n_value_dimensions]; data NULL = none */
  UiNeuronBias    biases[2];     /* one, or two terms that it is the sum of */
  int             n_biases;
  int             n_terms;       /* of a score that positions have terms in, each divided alike;
                                  * else 1 */
  double          factor;        /* what edits multiply the output with; 1 = none does */
  double         *norms;         /* [n_keys] the measure's factor of a weight; NULL = none */
  double          scale;         /* score = cap (scale · q·k) + bias */
  double          soft_cap;      /* c: cap (s) = c tanh (s / c); 0 = none, s */
  double          band_scale;    /* largest |q| or |k| of the head: the full height of both bands */
  double          value_scale;   /* largest |v| */
  int            *order;         /* [n_dimensions] dimension at each position from the left */
} UiNeuronScene;

/* neuron-values.c: numbers of one query against one key, in double precision from the trace
 * alone. */
double   ui_neuron_get_query         (const UiNeuronScene *self,
                                      int                  query,
                                      int                  dimension);
double   ui_neuron_get_key           (const UiNeuronScene *self,
                                      int                  key,
                                      int                  dimension);
double   ui_neuron_get_value         (const UiNeuronScene *self,
                                      int                  key,
                                      int                  dimension);
double   ui_neuron_get_dot           (const UiNeuronScene *self,
                                      int                  query,
                                      int                  key);
/* The sum of all. */
double   ui_neuron_get_bias          (const UiNeuronScene *self,
                                      int                  query,
                                      int                  key);
/* One of them. */
double   ui_neuron_get_bias_term     (const UiNeuronScene *self,
                                      int                  which,
                                      int                  query,
                                      int                  key);
/* cap (scale · q·k) + bias */
double   ui_neuron_get_score         (const UiNeuronScene *self,
                                      int                  query,
                                      int                  key);
/* The weight that the trace holds. */
double   ui_neuron_get_weight        (const UiNeuronScene *self,
                                      int                  query,
                                      int                  key);
/* The weight under the measure: α times the norm of its key. */
double   ui_neuron_get_measured      (const UiNeuronScene *self,
                                      int                  query,
                                      int                  key);
/* What edits of the trace multiply the output of the head with; 1 for none. */
double   ui_neuron_get_factor        (const UiNeuronScene *self);
/* The output of the head for a query, Σ α v over the keys, times the factor of an edit.
 * (transfer full) [n value dimensions], NULL without values. */
double  *ui_neuron_get_output        (const UiNeuronScene *self,
                                      int                  query);
gboolean ui_neuron_is_masked         (const UiNeuronScene *self,
                                      int                  query,
                                      int                  key);
/* Largest magnitudes over the keys that a query sees: the full height of its products, the full
 * width of its scores and of their terms, of what is measured. */
double   ui_neuron_get_product_scale (const UiNeuronScene *self,
                                      int                  query);
double   ui_neuron_get_score_scale   (const UiNeuronScene *self,
                                      int                  query);
double   ui_neuron_get_measure_scale (const UiNeuronScene *self,
                                      int                  query);
/* Of the output with and without the factor of an edit, so that one that is less looks so. The
 * trace must have values. */
double   ui_neuron_get_output_scale  (const UiNeuronScene *self,
                                      int                  query);
double   ui_neuron_get_band_scale    (const UiNeuronScene *self);
double   ui_neuron_get_value_scale   (const UiNeuronScene *self);
/* (transfer full) [n_keys] what the document's measure multiplies the weights with; NULL for
 * weights, for a rollout and where the trace has not what it needs. */
double  *ui_neuron_get_norms         (const UiNeuronScene *self,
                                      const UiSceneParts  *parts);
/* As ui_telling_query_find() says. */
int      ui_neuron_find_query        (const UiNeuronScene *self);
/* Where a query's way leads: the pinned key, else the one that it reads most, by the measure. -1
 * where all are hidden from it. */
int      ui_neuron_find_key          (const UiNeuronScene *self,
                                      int                  query);
/* Dimensions by Σ |q × k| over all keys and the pinned query (without one: over all queries),
 * largest first; as they are where the document does not ask for it. (transfer full)
 * [n_dimensions] */
int     *ui_neuron_get_order         (const UiNeuronScene *self);

/* neuron-scene.c: the dimension of the cell at a position from the left, and the way back. Values
 * and output have dimensions of their own, which are never sorted. */
int      ui_neuron_get_dimension     (const UiNeuronScene *self,
                                      UiBand               band,
                                      int                  position);
int      ui_neuron_find_position     (const UiNeuronScene *self,
                                      UiBand               band,
                                      int                  dimension);
/* Whether the drawing has such an item; its tokens must exist. A head of another size has other
 * dimensions. */
gboolean ui_neuron_has_item          (const UiNeuronScene *self,
                                      const UiItem        *item);

/* neuron-paint.c */
void     ui_neuron_paint             (const UiScene       *scene,
                                      UiSink              *sink,
                                      const UiRect        *clip);
void     ui_neuron_paint_overlay     (const UiScene       *scene,
                                      const UiItem        *hover,
                                      UiSink              *sink,
                                      const UiRect        *clip);

/* neuron-words.c */
char    *ui_neuron_describe          (const UiScene       *scene,
                                      const UiItem        *item);
/* As printf does, with a point in every locale. (transfer full) */
char    *ui_neuron_format_number     (const char          *format,
                                      double               value);
/* "q·k ÷ √32", "q·k", "q·k × 0.125 + bias", "q·k ÷ √96 + q·pos + pos·k": how the trace turns a
 * product into a score. (transfer full) */
char    *ui_neuron_describe_score    (const UiNeuronScene *self);
/* The same without the bias. (transfer full) */
char    *ui_neuron_describe_product  (const UiNeuronScene *self);
/* "Σ softmax × v", "0.5 × Σ softmax × v" where an edit scales the head. (transfer full) */
char    *ui_neuron_describe_output  (const UiNeuronScene *self);
/* "α‖v‖": what the measured column shows. */
const char *ui_neuron_get_measure_symbol (const UiNeuronScene *self);
/* "+1.31", "−0.80", "<0.01" of either sign, "0". (transfer full) */
char    *ui_neuron_describe_number   (double               value);

/* neuron-legend.c */
char    *ui_neuron_legend            (const UiScene       *scene);
char    *ui_neuron_explain           (const UiScene       *scene);
char    *ui_neuron_headline          (const UiScene       *scene);

/* neuron-numbers.c */
char    *ui_neuron_numbers           (const UiScene       *scene);

UiScene *ui_neuron_scene_new (const UiSceneParts *parts);

G_END_DECLS
