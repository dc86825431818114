/* SPDX-License-Identifier: MIT */
/* The keys of config.json that families share, into an EngSpec. Families spell one thing in several
 * ways; one table knows them all. For engine/families/config.c and engine/families/. */
#pragma once

#include "engine/base/json.h"
#include "engine/spec/spec.h"

G_BEGIN_DECLS

/* Sizes, ids, norm and activation; what is absent stays as it is in *spec, and what is 0 there
 * (size of the heads, number of key heads, feed-forward, scale) is then derived from the others.
 * may_decode: whether is_decoder is heard. */
gboolean eng_config_read_spec       (const cJSON    *json,
                                     const char     *what,
                                     gboolean        may_decode,
                                     EngSpec        *spec,
                                     GError        **error);
/* Refuses positions that do not fit the sizes. */
gboolean eng_config_check_spec      (const char     *what,
                                     const EngSpec  *spec,
                                     GError        **error);

/* A number above 0; *factor stays where there is none. */
gboolean eng_config_read_factor     (const cJSON    *json,
                                     const char     *key,
                                     const char     *what,
                                     double         *factor,
                                     GError        **error);
/* rope_theta and rope_scaling, or rope_parameters, into *rotary; a scaling that is not known is
 * refused by name. size is there; original_positions, where it is not 0, is the family's own and
 * stands before what the scaling says. Without both it is n_positions. */
gboolean eng_config_read_rotary     (const cJSON       *json,
                                     const char        *what,
                                     int                n_positions,
                                     EngRotary         *rotary,
                                     EngRotaryFactors  *factors,
                                     GError           **error);
/* The features of a head that rotary positions turn: the share that the key says or, before it,
 * partial_rotary_factor of rope_scaling or rope_parameters, else part. */
gboolean eng_config_read_partial_rotary (const cJSON       *json,
                                         const char        *key,
                                         const char        *what,
                                         double             part,
                                         EngAttentionSpec  *heads,
                                         GError           **error);
/* What rope_parameters says of the layers of a type ("full_attention") alone; *rotary stays where it
 * says nothing. */
gboolean eng_config_read_layer_rotary (const cJSON       *json,
                                       const char        *type,
                                       const char        *what,
                                       int                n_positions,
                                       EngRotary         *rotary,
                                       EngRotaryFactors  *factors,
                                       GError           **error);
/* sliding_window: null is no window, *window becomes 0; where the key is absent it stays. */
gboolean eng_config_read_window     (const cJSON    *json,
                                     const char     *what,
                                     int            *window,
                                     GError        **error);
/* The sort of the layers that have a window, where others of the stack have none: those are of
 * sort 0. */
#define ENG_SORT_WINDOWED 1
/* Makes that sort of the stack's only one and a window (0 = there is none). Layers are of the sorts
 * that the stack has for them, unless layer_types lists for every layer whether it is windowed. */
gboolean eng_config_read_layer_types (const cJSON   *json,
                                      const char    *what,
                                      int            window,
                                      EngStackSpec  *stack,
                                      GError       **error);
/* The activation of a name such as "gelu_new"; key says where it stands, for the refusal. */
gboolean eng_config_find_activation (const char     *name,
                                     const char     *key,
                                     const char     *what,
                                     EngActivation  *activation,
                                     GError        **error);
/* The layers have the model's norm. */
void     eng_config_spread_norm     (EngSpec        *spec);
/* An id, or the first of a list of ids; *id stays where there is none. */
gboolean eng_config_read_id         (const cJSON    *json,
                                     const char     *key,
                                     const char     *what,
                                     int            *id,
                                     GError        **error);

G_END_DECLS
