/* SPDX-License-Identifier: MIT */
#include "engine/trace/trace-file.h"

#include <math.h>
#include <string.h>

#include "engine/checkpoint/safetensors.h"
#include "engine/trace/trace-reader.h"

/* Prefixed kinds, or one stack without a prefix, whose kind the metadata names. */
static gboolean
read_blocks (EngTraceReader  *self,
             GError         **error)
{
  const char *kind_name = eng_tensor_set_get_metadata (self->file, "kind");
  EngKind kind = ENG_KIND_ENCODER;
  gboolean prefixed = FALSE;
  int n_plain = 0;

  for (int i = 0; i < ENG_N_KINDS; i++) {
    if (!eng_trace_reader_read_block (self, (EngKind) i, eng_kind_get_prefix ((EngKind) i),
                                      error))
      return FALSE;
    prefixed = prefixed || self->trace->blocks[i].present;
  }
  if (!eng_trace_reader_count_layers (self, "", &n_plain, error))
    return FALSE;
  if (n_plain == 0 && !prefixed)
    return eng_trace_reader_refuse (self, ENG_ERROR_MISSING, error,
                                    "no trace: there is no tensor attentions.0, nor one of another "
                                    "layer");
  if (n_plain == 0)
    return TRUE;
  if (prefixed)
    return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                    "attentions stand with and without the prefix of a kind, "
                                    "expected one of both");
  if (kind_name && (!eng_kind_from_name (kind_name, &kind) || kind == ENG_KIND_CROSS))
    return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                    "kind is \"%s\", expected encoder or decoder for tensors "
                                    "without a prefix", kind_name);

  return eng_trace_reader_read_block (self, kind, "", error);
}

/* Token indices of the rows: said by the metadata, or all tokens of the last stack in their order.
 * */
static gboolean
read_positions (const EngTraceReader  *self,
                const EngTensor       *tensor,
                EngLogitsTrace        *logits,
                GError               **error)
{
  const EngBlockTrace *decoder = &self->trace->blocks[ENG_KIND_DECODER];
  const EngBlockTrace *stack = decoder->present ? decoder : &self->trace->blocks[ENG_KIND_ENCODER];
  g_autofree char *key = g_strconcat (tensor->name, ".positions", NULL);

  if (!eng_trace_reader_read_indices (self, "", key, logits->n_positions, stack->n_queries - 1,
                                      &logits->positions, error))
    return FALSE;
  if (logits->positions)
    return TRUE;
  if (logits->n_positions != stack->n_queries)
    return eng_trace_reader_refuse (self, ENG_ERROR_MISSING, error,
                                    "%s has %d rows for %d tokens, and no %s says which",
                                    tensor->name, logits->n_positions, stack->n_queries, key);
  logits->positions = g_new (int, logits->n_positions);
  for (int i = 0; i < logits->n_positions; i++)
    logits->positions[i] = i;

  return TRUE;
}

static gboolean
read_logits (EngTraceReader  *self,
             EngTask          task,
             GError         **error)
{
  g_autofree char *name = g_strconcat ("logits.", eng_task_get_name (task), NULL);
  const EngTensor *tensor = eng_tensor_set_find (self->file, name);
  EngLogitsTrace *logits = &self->trace->logits[task];
  gint64 shape[2] = { ENG_ANY_SIZE, ENG_ANY_SIZE };

  if (!tensor)
    return TRUE;
  logits->data = eng_trace_reader_read_floats (self, tensor, 2, shape, -INFINITY, error);
  if (!logits->data)
    return FALSE;
  logits->n_positions = (int) shape[0];
  logits->n_classes = (int) shape[1];

  return read_positions (self, tensor, logits, error);
}

static gboolean
read_edits (EngTraceReader  *self,
            GError         **error)
{
  EngTrace *trace = self->trace;
  g_auto (GStrv) texts = NULL;
  g_autoptr (GError) edit_error = NULL;

  if (!eng_trace_reader_read_texts (self, "", "edits", ENG_ANY_SIZE, &texts, error))
    return FALSE;
  if (!texts)
    return TRUE;
  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_steal_pointer (&texts);
  trace->n_edits = (int) g_strv_length (trace->edit_texts);
  trace->edits = g_new0 (EngEdit, trace->n_edits);
  for (int i = 0; i < trace->n_edits; i++)
    if (!eng_edit_parse (trace->edit_texts[i], &trace->edits[i], &edit_error))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error, "edits: %s",
                                      edit_error->message);

  return TRUE;
}

static gboolean
read_facts (EngTraceReader  *self,
            GError         **error)
{
  EngTrace *trace = self->trace;
  const char *format = eng_tensor_set_get_metadata (self->file, "format");
  const char *version = eng_tensor_set_get_metadata (self->file, "version");
  const char *wall_time = eng_tensor_set_get_metadata (self->file, "wall_time");

  /* Other programs write other formats there, "pt" for one; only our own version says how to read
   * ours. */
  if (g_strcmp0 (format, "headlight-trace") == 0 && g_strcmp0 (version, "1") != 0)
    return eng_trace_reader_refuse (self, ENG_ERROR_UNSUPPORTED, error,
                                    "version of the trace is %s, expected 1",
                                    version ? version : "not said");
  trace->model_name = g_strdup (eng_tensor_set_get_metadata (self->file, "model"));
  trace->family = g_strdup (eng_tensor_set_get_metadata (self->file, "family"));
  trace->text_a = g_strdup (eng_tensor_set_get_metadata (self->file, "text_a"));
  trace->text_b = g_strdup (eng_tensor_set_get_metadata (self->file, "text_b"));
  if (wall_time) {
    char *end;
    double milliseconds = g_ascii_strtod (wall_time, &end);

    if (end == wall_time || *end || !(milliseconds >= 0) || !isfinite (milliseconds))
      return eng_trace_reader_refuse (self, ENG_ERROR_FORMAT, error,
                                      "wall_time is \"%s\", expected a number of milliseconds",
                                      wall_time);
    trace->wall_time = milliseconds;
  }

  return read_edits (self, error);
}

/* Takes over the reference to file. */
static EngTrace *
read_trace (EngTensorSet  *file,
            GError       **error)
{
  g_autoptr (EngTrace) trace = eng_trace_new ();
  EngTraceReader reader = { file, eng_tensor_set_get_path (file), trace };

  eng_trace_keep (trace, file, 0, (GDestroyNotify) eng_tensor_set_unref);
  if (!read_facts (&reader, error) || !read_blocks (&reader, error))
    return NULL;
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (!read_logits (&reader, (EngTask) task, error))
      return NULL;
  if (!eng_tensor_set_check_files (file, error))
    return NULL;
  trace->complete = TRUE;

  return g_steal_pointer (&trace);
}

EngTrace *
eng_trace_file_open (const char  *path,
                     GError     **error)
{
  EngTensorSet *file = eng_safetensors_open (path, error);

  return file ? read_trace (file, error) : NULL;
}

EngTrace *
eng_trace_file_open_bytes (GBytes      *bytes,
                           const char  *what,
                           GError     **error)
{
  EngTensorSet *file = eng_safetensors_open_bytes (bytes, what, error);

  return file ? read_trace (file, error) : NULL;
}

double
eng_trace_get_row_sum_error (EngTrace *trace,
                             EngKind   kind,
                             int       layer)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  double largest = 0;

  if (!attention)
    return 0;
  for (int head = 0; head < attention->n_heads; head++)
    for (int query = 0; query < attention->n_queries; query++) {
      double sum;

      if (eng_attention_sum_row (attention, head, query, &sum))
        largest = MAX (largest, fabs (sum - 1));
    }

  return largest;
}
