/* SPDX-License-Identifier: MIT */
/* What becomes of one token's vector over the whole model: its length at every station, beside that
 * in a model whose norms stand elsewhere, and the answer that the word head reads off each layer.
 * Values of their own: they keep neither trace nor model, but for the other one. Blocking. */
#pragma once

#include "engine/steps/stations.h"
#include "ui/document/document.h"

G_BEGIN_DECLS

/* What it is about; everything is borrowed while it is found. */
typedef struct {
  EngTrace         *trace;    /* complete, of a pass that was made here */
  const UiDocument *document; /* that the trace answers */
  EngKind           kind;     /* encoder or decoder */
  int               token;
  EngModel         *other;    /* nullable: one that was compared with before, to be used again */
  gint             *cancel;
} AppTokenQuestion;

typedef struct {
  GArray           *stations;  /* of EngStation */
  EngNormPlacement  norms;
  EngTask           task;      /* whose answers these are */
  EngLayerAnswers  *answers;   /* NULL = there are none */
  const char       *no_answers; /* then: why, a sentence */
  /* A bundled model of the other kind, at the same word of the same sentence; NULL = there is none,
   * or it has not the word. */
  EngModel         *other;
  GArray           *other_stations;
  EngNormPlacement  other_norms;
} AppTokenPath;

/* Candidates of each layer. */
#define APP_TOKEN_PATH_CANDIDATES 3

AppTokenPath *app_token_path_new  (const AppTokenQuestion  *question,
                                   GError                 **error);
void          app_token_path_free (AppTokenPath            *self);
/* The layer behind which the last answer leads first and to the end, counted as the states are: 0 =
 * before the first layer; -1 = there are no answers. */
int           app_token_path_find_settled (const AppTokenPath *self);

/* "attention": of which part of the layer a station is. */
const char   *app_token_path_get_part (const EngStation      *station);
/* (transfer full) "behind layer 2": where states are that leave layer states - 1. */
char         *app_token_path_dup_place (int                   states);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppTokenPath, app_token_path_free)

G_END_DECLS
