/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pipeline/template.h"

#define MAX_TYPE_ID 255

struct _EngTemplate {
  GArray *single; /* of EngTemplateItem */
  GArray *pair;
};

/* What the reading of one post-processor needs all along. */
typedef struct {
  const cJSON  *json;
  EngFindToken  find;
  gpointer      data;
  const char   *what;
} Source;

static void
append (GArray *items,
        int     sentence,
        int     id,
        int     type_id)
{
  EngTemplateItem item = { sentence, id, type_id, MAX (sentence, 0) };

  g_array_append_val (items, item);
}

static EngTemplateItem *
get_item (const GArray *items,
          guint         index)
{
  return &g_array_index (items, EngTemplateItem, index);
}

static int
count_special (const GArray *items)
{
  int n = 0;

  for (guint i = 0; i < items->len; i++)
    n += get_item (items, i)->sentence < 0;

  return n;
}

static int
find_text (const GArray *items,
           int           from)
{
  int index = from;

  while (get_item (items, (guint) index)->sentence < 0)
    index++;

  return index;
}

/* Between two texts as many special tokens close the first as close a single text: the [SEP] of
 * BERT and the first </s> of RoBERTa's two close A, the second </s> and the <s> of Llama open B. */
static void
set_segments (EngTemplate *self)
{
  int n_closing = (int) self->single->len - 1 - find_text (self->single, 0);
  int first = find_text (self->pair, 0);
  int second = find_text (self->pair, first + 1);

  for (int i = 0; i < (int) self->pair->len; i++) {
    int text = i <= first + n_closing && i < second ? first : second;

    get_item (self->pair, (guint) i)->segment = get_item (self->pair, (guint) text)->sentence;
  }
}

static EngTemplate *
new_empty (void)
{
  EngTemplate *self = g_new0 (EngTemplate, 1);

  self->single = g_array_new (FALSE, FALSE, sizeof (EngTemplateItem));
  self->pair = g_array_new (FALSE, FALSE, sizeof (EngTemplateItem));

  return self;
}

static gboolean
check_token (const Source  *source,
             const char    *token,
             int            id,
             GError       **error)
{
  int found = source->find (source->data, token);

  if (found < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: the vocabulary has no %s, a token of the template", source->what, token);
    return FALSE;
  }
  if (found != id) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: post_processor gives %s the id %d, the vocabulary has it at %d",
                 source->what, token, id, found);
    return FALSE;
  }

  return TRUE;
}

static gboolean
refuse (const Source  *source,
        const char    *key,
        const char    *expected,
        GError       **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: post_processor has no usable %s, expected %s", source->what, key, expected);

  return FALSE;
}

/* "cls": ["[CLS]", 101] of BertProcessing and RobertaProcessing. */
static gboolean
read_named_token (const Source  *source,
                  const char    *key,
                  int           *id,
                  GError       **error)
{
  const cJSON *entry = eng_json_find (source->json, key);
  const cJSON *token = cJSON_GetArrayItem (entry, 0);
  const cJSON *number = cJSON_GetArrayItem (entry, 1);

  if (!cJSON_IsString (token) || !cJSON_IsNumber (number))
    return refuse (source, key, "a token and its id", error);
  *id = number->valueint;

  return check_token (source, token->valuestring, *id, error);
}

/* A special token of a template stands for one or more ids. */
static gboolean
append_special (const Source  *source,
                GArray        *items,
                const char    *name,
                int            type_id,
                GError       **error)
{
  const cJSON *entry = eng_json_find (eng_json_find (source->json, "special_tokens"), name);
  const cJSON *ids = eng_json_find (entry, "ids");
  const cJSON *token = eng_json_find (entry, "tokens");
  const cJSON *id;

  if (!cJSON_IsArray (ids) || !cJSON_IsArray (token) ||
      cJSON_GetArraySize (ids) != cJSON_GetArraySize (token))
    return refuse (source, name, "as many ids as tokens in special_tokens", error);

  token = token->child;
  cJSON_ArrayForEach (id, ids) {
    if (!cJSON_IsNumber (id) || !cJSON_IsString (token))
      return refuse (source, name, "ids that are numbers and tokens that are texts", error);
    if (!check_token (source, token->valuestring, id->valueint, error))
      return FALSE;
    append (items, -1, id->valueint, type_id);
    token = token->next;
  }

  return TRUE;
}

/* {"SpecialToken": {"id": "[CLS]", "type_id": 0}} or {"Sequence": {"id": "A", "type_id": 0}} */
static gboolean
append_item (const Source  *source,
             GArray        *items,
             const cJSON   *json,
             GError       **error)
{
  const cJSON *sequence = eng_json_find (json, "Sequence");
  const cJSON *item = sequence ? sequence : eng_json_find (json, "SpecialToken");
  const char *id = NULL;
  gint64 type_id = 0;

  if (!eng_json_get_string (item, "id", source->what, &id, error) ||
      !eng_json_get_int (item, "type_id", 0, MAX_TYPE_ID, source->what, &type_id, error))
    return FALSE;
  if (!id || (sequence && !g_str_equal (id, "A") && !g_str_equal (id, "B")))
    return refuse (source, "item", "a Sequence A or B or a SpecialToken", error);
  if (!sequence)
    return append_special (source, items, id, (int) type_id, error);
  append (items, *id == 'B', 0, (int) type_id);

  return TRUE;
}

/* Refuses a list that leaves a text out or says one twice: its tokens could not be shown. */
static gboolean
read_items (const Source  *source,
            const char    *key,
            int            n_texts,
            GArray        *items,
            GError       **error)
{
  const cJSON *list = eng_json_find (source->json, key);
  const cJSON *item;
  int counts[2] = { 0, 0 };

  cJSON_ArrayForEach (item, list)
    if (!append_item (source, items, item, error))
      return FALSE;
  for (guint i = 0; i < items->len; i++)
    if (get_item (items, i)->sentence >= 0)
      counts[get_item (items, i)->sentence]++;
  if (!cJSON_IsArray (list) || counts[0] != 1 || counts[1] != n_texts - 1)
    return refuse (source, key, n_texts == 1 ? "a list with Sequence A once"
                                             : "a list with Sequence A and B once each", error);

  return TRUE;
}

EngTemplate *
eng_template_new (void)
{
  EngTemplate *self = new_empty ();

  append (self->single, 0, 0, 0);
  append (self->pair, 0, 0, 0);
  append (self->pair, 1, 0, 1);

  return self;
}

EngTemplate *
eng_template_new_bert (int cls_id,
                       int sep_id)
{
  EngTemplate *self = new_empty ();

  append (self->single, -1, cls_id, 0);
  append (self->single, 0, 0, 0);
  append (self->single, -1, sep_id, 0);
  g_array_append_vals (self->pair, self->single->data, self->single->len);
  append (self->pair, 1, 0, 1);
  append (self->pair, -1, sep_id, 1);
  set_segments (self);

  return self;
}

EngTemplate *
eng_template_new_roberta (int cls_id,
                          int sep_id)
{
  EngTemplate *self = new_empty ();

  append (self->single, -1, cls_id, 0);
  append (self->single, 0, 0, 0);
  append (self->single, -1, sep_id, 0);
  g_array_append_vals (self->pair, self->single->data, self->single->len);
  append (self->pair, -1, sep_id, 0);
  append (self->pair, 1, 0, 0);
  append (self->pair, -1, sep_id, 0);
  set_segments (self);

  return self;
}

EngTemplate *
eng_template_new_language (gboolean behind,
                           int      end_id)
{
  EngTemplate *self = new_empty ();
  GArray *lists[] = { self->single, self->pair };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    if (!behind)
      append (lists[i], -1, ENG_TEMPLATE_LANGUAGE, 0);
    for (int sentence = 0; sentence <= (int) i; sentence++)
      append (lists[i], sentence, 0, 0);
    append (lists[i], -1, end_id, 0);
    if (behind)
      append (lists[i], -1, ENG_TEMPLATE_LANGUAGE, 0);
  }
  set_segments (self);

  return self;
}

/* The template that make builds of a component's two tokens. */
static EngTemplate *
new_around (const Source  *source,
            EngTemplate *(*make) (int cls_id, int sep_id),
            GError       **error)
{
  int cls_id;
  int sep_id;

  if (!read_named_token (source, "cls", &cls_id, error) ||
      !read_named_token (source, "sep", &sep_id, error))
    return NULL;

  return make (cls_id, sep_id);
}

EngTemplate *
eng_template_new_from_bert_json (const cJSON   *json,
                                 EngFindToken   find,
                                 gpointer       data,
                                 const char    *what,
                                 GError       **error)
{
  Source source = { json, find, data, what };

  return new_around (&source, eng_template_new_bert, error);
}

EngTemplate *
eng_template_new_from_roberta_json (const cJSON   *json,
                                    EngFindToken   find,
                                    gpointer       data,
                                    const char    *what,
                                    GError       **error)
{
  Source source = { json, find, data, what };

  return new_around (&source, eng_template_new_roberta, error);
}

EngTemplate *
eng_template_new_from_template_json (const cJSON   *json,
                                     EngFindToken   find,
                                     gpointer       data,
                                     const char    *what,
                                     GError       **error)
{
  g_autoptr (EngTemplate) self = new_empty ();
  Source source = { json, find, data, what };

  if (!read_items (&source, "single", 1, self->single, error) ||
      !read_items (&source, "pair", 2, self->pair, error))
    return NULL;
  set_segments (self);

  return g_steal_pointer (&self);
}

void
eng_template_free (EngTemplate *self)
{
  g_array_unref (self->single);
  g_array_unref (self->pair);
  g_free (self);
}

const EngTemplateItem *
eng_template_get_items (const EngTemplate *self,
                        gboolean           pair,
                        int               *n_items)
{
  const GArray *items = pair ? self->pair : self->single;

  *n_items = (int) items->len;

  return (const EngTemplateItem *) items->data;
}

int
eng_template_get_n_special (const EngTemplate *self,
                            gboolean           pair)
{
  return count_special (pair ? self->pair : self->single);
}
