/* SPDX-License-Identifier: MIT */
/* How a trace is filled: by a session (engine/transformer/session.c) or a file
 * (engine/trace/trace-file.c); for engine/ alone. The trace frees its strings, tokens, edits and
 * the arrays layers, hidden_states and positions, which are from g_malloc(); the numbers that they
 * point to belong to its memory list. */
#pragma once

#include "engine/attention/block-trace.h"
#include "engine/edits/interventions.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  const float *data;      /* [n_positions, n_classes]; NULL = not computed */
  int          n_positions;
  int          n_classes;
  int         *positions; /* [n_positions] */
} EngLogitsTrace;

struct _EngTrace {
  EngBlockTrace   blocks[ENG_N_KINDS];
  EngLogitsTrace  logits[ENG_N_TASKS];
  char           *model_name;
  char           *family;
  char           *text_a;
  char           *text_b;
  char          **edit_texts;  /* NULL-terminated, never NULL */
  EngEdit        *edits;       /* the same, parsed */
  int             n_edits;
  double          stored_unit;
  double          wall_time;
  gint            complete;    /* atomic */

  /* ‖v W_O‖ on demand, by whoever knows W_O; NULL = not available. norms [n_heads, n_keys]. */
  gboolean      (*compute_value_output_norms) (EngTrace *self, EngKind kind, int layer,
                                               float *norms);
  /* the EngModel that knows it, kept alive by memory; NULL for a file */
  gpointer        model;

  /* blocks of memory, mapped files and a model, each with its own free function */
  GPtrArray      *memory;
  GMutex          lock;        /* over norms and terms of positions that are computed on demand */
  struct _EngBlockCache *kept; /* attention that was computed on demand */
  struct _EngRolloutCache *rollouts;
  struct _EngHeadFactsTable *head_facts;
  gatomicrefcount ref_count;
};

EngTrace *eng_trace_new  (void);
/* Keeps data alive as long as the trace; free_func is called once. n_bytes: memory that then
 * becomes free, 0 for what others hold too and for mapped files. */
void      eng_trace_keep (EngTrace       *self,
                          gpointer        data,
                          gsize           n_bytes,
                          GDestroyNotify  free_func);

/* NULL where the layer may not be read. */
EngLayerTrace   *eng_trace_get_layer (const EngTrace *self,
                                      EngKind         kind,
                                      int             layer);

/* The trace's edits as the rows of a kind see them. */
EngInterventions eng_trace_get_interventions (const EngTrace *self,
                                              EngKind         kind);

/* What stands before a tensor's name in a trace file of several kinds: "encoder_". */
const char *eng_kind_get_prefix (EngKind kind);

/* A trace file that lies in memory, for tests and fuzzing; what names it in messages. In
 * engine/trace/trace-file.c. */
EngTrace *eng_trace_file_open_bytes (GBytes      *bytes,
                                     const char  *what,
                                     GError     **error);

G_END_DECLS
