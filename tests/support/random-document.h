/* SPDX-License-Identifier: MIT */
/* Documents of any choices that the table of fields allows, by chance. */
#pragma once

#include <glib.h>

#include "ui/document/document.h"

static inline const char *
random_word (GRand *random)
{
  static const char *const words[] = {
    "cat", "-o", "--layer", "it's", "\"quoted\"", "$HOME `ls`", "Grüße", "слово", "😀", "a\nb",
    "back\\slash", "render", "--", "a=b", "\x01 control", "*", "(", "tab\there", "%s", "\x7f",
  };

  return words[g_rand_int_range (random, 0, G_N_ELEMENTS (words))];
}

/* (transfer full) */
static inline char *
random_text (GRand *random)
{
  GString *text = g_string_new (NULL);

  for (int n = g_rand_int_range (random, 0, 4); n > 0; n--)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", random_word (random));
  return g_string_free (text, FALSE);
}

/* What a field of the type may hold; edits and languages have a grammar of their own. */
static inline char *
random_value (GRand         *random,
              const UiField *field)
{
  static const char *const edits[] = {
    "zero 2.9", "off zero cross 2.9", "scale 0.1 0.5; cut 0.2 3 4 renormalise", "mask 4",
    "skip-attention 1; off knock-out 3", "none", "no-projections cross 0.1; cut 1.2 * 3-5 renormalise",
  };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  int n_choices = 0;

  switch (field->type) {
  case UI_FIELD_FLAG:
    return g_strdup (g_rand_boolean (random) ? "true" : "false");
  case UI_FIELD_INTEGER:
    return g_strdup_printf ("%d", g_rand_int_range (random, (int) field->min,
                                                    (int) MIN (field->max, 1e6)));
  case UI_FIELD_NUMBER:
  case UI_FIELD_CENTIMETRES:
  case UI_FIELD_POINTS:
    return g_strdup (g_ascii_dtostr (number, sizeof number,
                                     g_rand_double_range (random, field->min, field->max)));
  case UI_FIELD_CHOICE:
    while (field->choices[n_choices] != NULL)
      n_choices++;
    return g_strdup (field->choices[g_rand_int_range (random, 0, n_choices)]);
  case UI_FIELD_HEADS:
    return g_rand_boolean (random) ? g_strdup ("all")
                                   : g_strdup_printf ("%d,%d", g_rand_int_range (random, 0, 12),
                                                      g_rand_int_range (random, 12, 256));
  case UI_FIELD_PINS:
    return g_strdup_printf ("%d,k:%d", g_rand_int_range (random, 0, 99),
                            g_rand_int_range (random, 0, 99));
  case UI_FIELD_CELLS:
    return g_strdup_printf ("%d.%d,3.1", g_rand_int_range (random, 0, 99),
                            g_rand_int_range (random, 0, 99));
  case UI_FIELD_EDITS:
    return g_strdup (edits[g_rand_int_range (random, 0, G_N_ELEMENTS (edits))]);
  case UI_FIELD_STEP:
    return g_rand_boolean (random) ? g_strdup ("all")
                                   : g_strdup_printf ("%d", g_rand_int_range (random, 0, 99));
  case UI_FIELD_PLACE:
    return g_strdup_printf ("%d.1.0.%d", g_rand_int_range (random, 0, 20),
                            g_rand_int_range (random, 0, 999));
  case UI_FIELD_LINKS:
    return g_strdup_printf ("%d-%d:*,*:%d", g_rand_int_range (random, 0, 20),
                            g_rand_int_range (random, 20, 99), g_rand_int_range (random, 0, 99));
  case UI_FIELD_LANGUAGES:
    return g_strdup ("eng_Latn:zh-CN");
  case UI_FIELD_TEXT:
  default:
    return random_text (random);
  }
}

/* Every other field as it is in a new document. (transfer full) */
static inline UiDocument *
random_document (GRand *random)
{
  UiDocument *document = ui_document_new ();
  int n_fields;
  const UiField *fields = ui_fields_get (&n_fields);

  for (int i = 0; i < n_fields; i++) {
    g_autofree char *value = random_value (random, &fields[i]);

    if (g_rand_boolean (random))
      g_assert_true (ui_document_set (document, &fields[i], value, NULL));
  }
  g_free (document->text_a);
  g_free (document->text_b);
  document->text_a = random_text (random);
  document->text_b = random_text (random);
  document->written = g_rand_boolean (random) ? g_rand_int_range (random, UI_WRITTEN_ALL, 20) : 0;

  return document;
}
