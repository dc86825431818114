/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/row-check.h"

#include <math.h>

#include "engine/trace/check.h"
#include "ui/scene/base/describe.h"
#include "ui/scene/base/scene-private.h"

/* Below it four decimals could be the same of both numbers. */
#define SMALL 1e-3

static char *
format (const char *pattern,
        double      value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, pattern, fabs (value));
  return g_strconcat (value < 0 ? "−" : "", buffer, NULL);
}

char *
ui_row_check_describe_weight (const UiScene *scene,
                              int            layer,
                              int            head,
                              int            query,
                              int            key,
                              double         stored,
                              double         recomputed)
{
  const char *pattern = fabs (stored - recomputed) < SMALL ? "%.7f" : "%.4f";
  g_autofree char *reader = ui_describe_token (scene->queries, query);
  g_autofree char *read = ui_describe_token (scene->keys, key);
  g_autofree char *is = format (pattern, stored);
  g_autofree char *should = format (pattern, recomputed);

  return g_strdup_printf ("✗ The weight of %s to %s in head %d of layer %d%s is %s, but queries and "
                          "keys give %s.",
                          reader, read, head, layer, ui_describe_owner (scene), is, should);
}

/* NULL where queries and keys have said all of the row, or edits may have made it. */
static char *
describe_sum (const UiScene *scene,
              int            layer,
              int            head,
              int            query)
{
  EngMatrix unused;
  double sum;

  if (*eng_trace_get_edits (scene->trace) != NULL
      || (eng_trace_get_queries (scene->trace, scene->kind, layer, head, &unused)
          && eng_trace_get_keys (scene->trace, scene->kind, layer, head, &unused)))
    return NULL;

  g_autoptr (EngAttention) attention = eng_trace_dup_attention (scene->trace, scene->kind, layer);

  /* Written so that what is no number is told. */
  if (attention == NULL || !eng_attention_sum_row (attention, head, query, &sum)
      || fabs (sum - 1) <= fmax (UI_ROW_SUM_TOLERANCE, eng_trace_get_stored_unit (scene->trace)))
    return NULL;

  g_autofree char *reader = ui_describe_token (scene->queries, query);
  g_autofree char *made = format ("%.4f", sum);

  return g_strdup_printf ("✗ The weights of %s in head %d of layer %d%s sum to %s, not to 1.", reader,
                          head, layer, ui_describe_owner (scene), made);
}

char *
ui_row_check_describe (const UiScene *scene,
                       int            layer,
                       int            head,
                       int            query)
{
  EngCheck check;
  int n_wrong;
  const int key = eng_check_row (scene->trace, scene->kind, layer, head, query, &n_wrong, &check);

  if (key < 0)
    return describe_sum (scene, layer, head, query);

  g_autofree char *text = ui_row_check_describe_weight (scene, layer, head, query, key,
                                                        check.stored, check.recomputed);

  return n_wrong == 1 ? g_steal_pointer (&text)
                      : g_strdup_printf ("%s %d weights of the row differ.", text, n_wrong);
}
