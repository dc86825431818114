/* SPDX-License-Identifier: MIT */
#include "engine/writing/control-codes.h"

static const struct {
  const char *name;
  int         id;
} codes[] = {
  { "Alone", 44967 }, { "Ask", 27171 }, { "Ass", 95985 }, { "Atheism", 192263 }, { "Books", 6665 },
  { "Christianity", 7675 }, { "Computing", 39639 }, { "Confession", 60572 },
  { "Confessions", 102701 }, { "Conspiracy", 75932 }, { "Diet", 36206 }, { "Event", 32769 },
  { "Explain", 106423 }, { "Extract", 76050 }, { "Feminism", 164338 }, { "Finance", 12250 },
  { "Fitness", 63440 }, { "Funny", 58917 }, { "Gaming", 40358 }, { "Horror", 37793 },
  { "Human", 4088 }, { "India", 1331 }, { "Joke", 163509 }, { "Joker", 77138 },
  { "Learned", 67460 }, { "Legal", 11859 }, { "Links", 63674 }, { "Movies", 46273 },
  { "multilingual", 128406 }, { "Narcissus", 150425 }, { "Netflix", 48616 }, { "News", 4256 },
  { "Norman", 4939 }, { "Notion", 182770 }, { "Opinion", 43213 }, { "Politics", 16360 },
  { "Pregnancy", 168629 }, { "Questions", 45622 }, { "Relationship", 54766 },
  { "Relationships", 134796 }, { "Retail", 52342 }, { "Reviews", 41671 }, { "Running", 23425 },
  { "Saving", 63163 }, { "Scary", 191985 }, { "Science", 2090 }, { "Support", 12654 },
  { "Technologies", 32516 }, { "Teenage", 66160 }, { "Thoughts", 49605 }, { "Tip", 72689 },
  { "Translation", 26820 }, { "Weight", 52343 }, { "Wikipedia", 37583 }, { "Writing", 11992 },
};

/* Whether the code's name, typed, is its token. */
static gboolean
has_code (const EngTokenizer *tokenizer,
          const char         *name,
          int                 id)
{
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, name, NULL, &options, NULL);

  return tokens && tokens->n == 1 && tokens->ids[0] == id;
}

const char **
eng_control_codes_list (const EngModel *model)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (gsize i = 0; tokenizer && i < G_N_ELEMENTS (codes); i++)
    if (has_code (tokenizer, codes[i].name, codes[i].id))
      g_ptr_array_add (names, (gpointer) codes[i].name);
  g_ptr_array_add (names, NULL);

  return (const char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

int
eng_control_codes_get_id (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_str_equal (name, codes[i].name))
      return codes[i].id;

  return -1;
}

char *
eng_control_codes_spell_prefix (const EngModel *model,
                                const char     *prefix)
{
  const EngTokenizer *tokenizer = eng_model_get_tokenizer (model);

  for (gsize i = 0; prefix && tokenizer && i < G_N_ELEMENTS (codes); i++) {
    g_autofree char *number = g_strdup_printf ("%d", codes[i].id);

    if ((g_str_equal (prefix, codes[i].name) || g_str_equal (prefix, number)) &&
        has_code (tokenizer, codes[i].name, codes[i].id))
      return g_strconcat (codes[i].name, " ", NULL);
  }

  return g_strdup (prefix);
}
