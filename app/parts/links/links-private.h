/* SPDX-License-Identifier: MIT */
/* The state of the part, for app/parts/links/ alone. */
#pragma once

#include "app/parts/links/links.h"
#include "app/run/job.h"
#include "engine/trace/measures.h"
#include "ui/lists/link-results.h"

G_BEGIN_DECLS

/* What a list of links answers; trace NULL = nothing was asked. */
typedef struct {
  EngTrace  *trace;
  EngKind    kind;
  EngMeasure measure;
  gboolean   words;
  int        token_a;
  int        token_b;
} AppLinkQuestion;

struct _AppLinksPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiLinkResults *link_results;

  int              link_words[2]; /* tokens whose links are looked for; -1 = not chosen yet */
  AppLinkQuestion  link_question;
  AppJob          *link_job; /* that answers it; NULL = none runs */
};

G_END_DECLS
