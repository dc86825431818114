/* SPDX-License-Identifier: MIT */
/* What a worker says. */
#pragma once

#include "app/run/predictions.h"
#include "engine/transformer/session.h"

G_BEGIN_DECLS

typedef struct {
  char     *text;       /* stands behind the document's text: with the space that parts the two */
  int       n_before;   /* tokens that it goes on from */
  int       n_tokens;
  gboolean  is_running; /* more answers to the same request follow */
  gboolean  is_done;    /* the model has ended the text */
} AppWritten;

/* One answer. trace may still be growing (complete FALSE: its first layers may be read); error is
 * set instead of trace when the request was refused. model is NULL for a trace file and when it
 * could not be opened, so that a refused text and a refused model are told apart. It owns its
 * members; who is given one to read borrows them. */
typedef struct {
  guint          serial;    /* of the request that it answers */
  UiDocument    *document;  /* the request */
  EngModel      *model;
  EngTrace      *trace;
  gboolean       complete;
  gboolean       has_head;  /* the request is a beginning: the head of the layers so far that it
                             * begins with */
  UiCell         head;
  double         milliseconds; /* tokenising and forward; < 0 while growing and for a file */
  /* of a complete trace */
  gboolean       can_write; /* the model can go on; written says what it has */
  AppWritten     written;
  AppPredictions predictions;
  GError        *error;
} AppAnswer;

/* References model and trace, which may be NULL. */
AppAnswer *app_answer_new  (EngModel  *model,
                            EngTrace  *trace,
                            double     milliseconds);
void       app_answer_free (AppAnswer *self);
/* The head of its trace to begin with. In the thread. */
void       app_answer_choose_head (AppAnswer        *self,
                                   const UiDocument *document);

G_END_DECLS
