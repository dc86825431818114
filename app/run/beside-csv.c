/* SPDX-License-Identifier: MIT */
#include "app/run/beside.h"

#include "ui/document/table-text.h"

/* layer -1: before the first one. */
static void
append_line (GString    *csv,
             const char *what,
             int         layer,
             const char *where,
             const char *of,
             double      number)
{
  char place[16] = "", text[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const cells[] = { what, place, where, of, text, NULL };

  if (layer >= 0)
    g_snprintf (place, sizeof place, "%d", layer);
  g_ascii_formatd (text, sizeof text, "%.6g", number);
  ui_table_append_csv_line (csv, cells);
}

static void
append_contexts (GString   *csv,
                 GPtrArray *contexts)
{
  for (guint i = 0; i < contexts->len; i++) {
    const AppContext *context = contexts->pdata[i];

    for (int states = 0; states < context->n; states++) {
      g_autofree char *where = app_token_path_dup_place (states);

      append_line (csv, "cosine", states - 1, where, context->text, context->cosines[states]);
    }
  }
}

static void
append_lengths (GString    *csv,
                GArray     *stations,
                const char *model)
{
  for (guint i = 0; i < stations->len; i++) {
    const EngStation *station = &g_array_index (stations, EngStation, i);
    const int layer = station->part == ENG_PART_INPUT ? -1 : station->layer;
    g_autofree char *where =
      g_strdup_printf ("%s, %s", app_token_path_get_part (station), station->name);

    if (station->before >= 0)
      append_line (csv, "length before", layer, where, model, station->before);
    append_line (csv, "length", layer, where, model, station->length);
  }
}

static void
append_answers (GString               *csv,
                const EngLayerAnswers *answers)
{
  for (int i = 0; i < answers->n_layers * answers->n_candidates; i++) {
    const int states = i / answers->n_candidates;
    g_autofree char *where = app_token_path_dup_place (states);

    append_line (csv, "probability", states - 1, where, answers->candidates[i].text,
                 answers->candidates[i].probability);
  }
}

char *
app_beside_to_csv (const AppBeside *self)
{
  static const char *const heading[] = { "what", "layer", "where", "of", "number", NULL };
  const AppTokenPath *path = app_beside_get_path (self, NULL);
  GPtrArray *contexts = app_beside_get_contexts (self, NULL);
  GString *csv = g_string_new (NULL);

  ui_table_append_csv_line (csv, heading);
  if (contexts != NULL)
    append_contexts (csv, contexts);
  if (path != NULL)
    append_lengths (csv, path->stations, "");
  if (path != NULL && path->other_stations != NULL)
    append_lengths (csv, path->other_stations, eng_model_get_info (path->other)->name);
  if (path != NULL && path->answers != NULL)
    append_answers (csv, path->answers);

  return g_string_free (csv, FALSE);
}
