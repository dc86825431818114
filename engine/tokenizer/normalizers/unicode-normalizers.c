/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/normalizers/unicode-normalizers.h"

#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/normalizers/rewrite.h"

typedef struct {
  EngNormalizer parent;
  gboolean      left;
  gboolean      right;
} Strip;

/* A character on its way through decomposition and composition. */
typedef struct {
  EngChange change;
  int       combining_class;
} Form;

static int
compare_classes (const void *a,
                 const void *b,
                 gpointer    unused)
{
  return ((const Form *) a)->combining_class - ((const Form *) b)->combining_class;
}

/* Canonical order: within each run of marks, sorted by class; equal classes stay as they were. The
 * changes go along: where marks change places, so do the origins, as in the library. */
static void
order_marks (GArray *forms)
{
  Form *all = (Form *) forms->data;

  for (guint first = 0, end; first < forms->len; first = end + 1) {
    for (end = first; end < forms->len && all[end].combining_class; end++)
      ;
    if (end - first > 1)
      g_qsort_with_data (&all[first], (int) (end - first), sizeof *all, compare_classes, NULL);
  }
}

static void
decompose (const EngNormalized *text,
           gboolean             compatible,
           GArray              *forms)
{
  for (int i = 0; i < text->n; i++) {
    gunichar parts[ENG_MAX_DECOMPOSITION];
    int n = eng_unicode_decompose (text->chars[i].c, compatible, parts);

    for (int part = 0; part < n; part++) {
      Form form = { { parts[part], part > 0 }, eng_unicode_get_combining_class (parts[part]) };

      g_array_append_val (forms, form);
    }
  }
  order_marks (forms);
}

/* A mark joins the starter before it unless one of its class or a higher one stands between; two
 * starters in a row may join too. What is joined stands for the old characters of both. */
static void
compose (GArray *forms)
{
  Form *all = (Form *) forms->data;
  int starter = -1;
  int last_class = -1; /* of what stands behind the starter */
  guint n = 0;

  for (guint i = 0; i < forms->len; i++) {
    Form form = all[i];
    gunichar joined = 0;

    if (starter >= 0 && last_class < form.combining_class)
      joined = eng_unicode_compose (all[starter].change.c, form.change.c);
    if (joined) {
      all[starter].change.c = joined;
      all[starter].change.change += form.change.change - 1;
      continue;
    }
    if (form.combining_class == 0)
      starter = (int) n;
    last_class = form.combining_class == 0 ? -1 : form.combining_class;
    all[n++] = form;
  }
  g_array_set_size (forms, n);
}

static void
normalize_nfc (const EngNormalizer *self,
               EngNormalized       *text)
{
  eng_unicode_normalize (text, FALSE, TRUE);
}

static void
normalize_nfd (const EngNormalizer *self,
               EngNormalized       *text)
{
  eng_unicode_normalize (text, FALSE, FALSE);
}

static void
normalize_nfkc (const EngNormalizer *self,
                EngNormalized       *text)
{
  eng_unicode_normalize (text, TRUE, TRUE);
}

static void
normalize_nfkd (const EngNormalizer *self,
                EngNormalized       *text)
{
  eng_unicode_normalize (text, TRUE, FALSE);
}

static void
normalize_lower (const EngNormalizer *self,
                 EngNormalized       *text)
{
  eng_unicode_lower_text (text);
}

static void
strip_accents (const EngNormalizer *self,
               EngNormalized       *text)
{
  int n = 0;

  for (int i = 0; i < text->n; i++)
    if (!eng_unicode_is_mark (text->chars[i].c))
      text->chars[n++] = text->chars[i];
  text->n = n;
}

static void
strip (const EngNormalizer *normalizer,
       EngNormalized       *text)
{
  const Strip *self = (const Strip *) normalizer;
  g_auto (EngNormalized) rest = { 0 };
  int first = 0;
  int end = text->n;

  while (self->left && first < end && eng_unicode_is_whitespace (text->chars[first].c))
    first++;
  while (self->right && end > first && eng_unicode_is_whitespace (text->chars[end - 1].c))
    end--;
  eng_normalized_append_chars (&rest, text->chars + first, end - first);
  eng_normalized_take (text, &rest);
}

static void
normalizer_free (EngNormalizer *self)
{
  g_free (self);
}

static EngNormalizer *
new_normalizer (const char *description,
                void      (*normalize) (const EngNormalizer *self,
                                        EngNormalized       *text))
{
  EngNormalizer *self = g_new0 (EngNormalizer, 1);

  self->description = description;
  self->normalize = normalize;
  self->free = normalizer_free;

  return self;
}

void
eng_unicode_normalize (EngNormalized *text,
                       gboolean       compatible,
                       gboolean       compose_again)
{
  g_autoptr (GArray) forms = g_array_new (FALSE, FALSE, sizeof (Form));
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (EngChange));

  decompose (text, compatible, forms);
  if (compose_again)
    compose (forms);
  for (guint i = 0; i < forms->len; i++)
    g_array_append_val (changes, g_array_index (forms, Form, i).change);
  eng_normalized_rewrite (text, changes);
}

void
eng_unicode_lower_text (EngNormalized *text)
{
  g_auto (EngNormalized) result = { 0 };

  for (int i = 0; i < text->n; i++) {
    gunichar parts[ENG_MAX_LOWER_CASE];
    int n = eng_unicode_lower (text->chars[i].c, parts);

    for (int part = 0; part < n; part++)
      eng_normalized_append (&result, parts[part], text->chars[i].origin);
  }
  eng_normalized_take (text, &result);
}

EngNormalizer *
eng_nfc_new (void)
{
  return new_normalizer ("NFC", normalize_nfc);
}

EngNormalizer *
eng_nfc_new_from_json (const cJSON  *json,
                       const char   *what,
                       GError      **error)
{
  return eng_nfc_new ();
}

EngNormalizer *
eng_nfd_new_from_json (const cJSON  *json,
                       const char   *what,
                       GError      **error)
{
  return new_normalizer ("NFD", normalize_nfd);
}

EngNormalizer *
eng_nfkc_new_from_json (const cJSON  *json,
                        const char   *what,
                        GError      **error)
{
  return new_normalizer ("NFKC", normalize_nfkc);
}

EngNormalizer *
eng_nfkd_new_from_json (const cJSON  *json,
                        const char   *what,
                        GError      **error)
{
  return new_normalizer ("NFKD", normalize_nfkd);
}

EngNormalizer *
eng_lowercase_new_from_json (const cJSON  *json,
                             const char   *what,
                             GError      **error)
{
  return new_normalizer ("lower case", normalize_lower);
}

EngNormalizer *
eng_strip_accents_new_from_json (const cJSON  *json,
                                 const char   *what,
                                 GError      **error)
{
  return new_normalizer ("accents removed", strip_accents);
}

EngNormalizer *
eng_strip_new_from_json (const cJSON  *json,
                         const char   *what,
                         GError      **error)
{
  gboolean left = TRUE;
  gboolean right = TRUE;
  Strip *self;

  if (!eng_json_get_boolean (json, "strip_left", what, &left, error) ||
      !eng_json_get_boolean (json, "strip_right", what, &right, error))
    return NULL;
  self = g_new0 (Strip, 1);
  self->parent.normalize = strip;
  self->parent.free = normalizer_free;
  self->left = left;
  self->right = right;

  return &self->parent;
}
