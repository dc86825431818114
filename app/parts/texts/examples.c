/* SPDX-License-Identifier: MIT */
#include "app/parts/texts/examples.h"

#include "app/store/model-store.h"
#include "ui/controls/tame-menu.h"

/* A pair of which the bundled model is not certain, so that an edit changes what it says; pairs
 * that share words, one word in two senses, a reference to resolve, rare words that fall into
 * pieces, two languages, an enumeration, a subject far from its verb. Beginnings that have one
 * likely end. A sentence to translate, and translations that stand there already. */
static const AppExample examples[] = {
  { APP_EXAMPLE_READ, "The bird sang on the roof", "The dog slept on the grass" },
  { APP_EXAMPLE_READ, "The cat sat on the mat", "The cat lay on the rug" },
  { APP_EXAMPLE_READ, "time flies like an arrow", "fruit flies like a banana" },
  { APP_EXAMPLE_READ, "the rabbit quickly hopped", "The turtle slowly crawled" },
  { APP_EXAMPLE_READ, "I went to the store.", "At the store, I bought fresh strawberries." },
  { APP_EXAMPLE_READ, "The doctor asked the nurse a question. She",
    "The doctor asked the nurse a question. He" },
  { APP_EXAMPLE_READ, "The quickest brown fox jumped over the lazy dog",
    "the quick brown fox jumped over the laziest elmo" },
  { APP_EXAMPLE_READ, "She sees the small elephant.", "Sie sieht den kleinen Elefanten." },
  { APP_EXAMPLE_READ, "At the store, she bought apples, oranges, bananas,", "" },
  { APP_EXAMPLE_READ, "The dog on the ship ran", "" },
  { APP_EXAMPLE_READ, "Bert is a yellow muppet character", "" },
  { APP_EXAMPLE_CONTINUED, "I don't know what you", "" },
  { APP_EXAMPLE_CONTINUED, "Would you like a cup of", "" },
  { APP_EXAMPLE_TRANSLATED, "The cat is asleep.", "" },
  { APP_EXAMPLE_TRANSLATED, "She reads a book every evening.",
    "Elle lit un livre tous les soirs." },
  { APP_EXAMPLE_TRANSLATED, "I have a black cat and a small dog.",
    "J'ai un chat noir et un petit chien." },
};

static const struct {
  const char *model; /* NULL = whichever is open */
  const char *done;
} uses[] = {
  [APP_EXAMPLE_READ] = { NULL, "Read" },
  [APP_EXAMPLE_CONTINUED] = { "headlight-causal", "Continued" },
  [APP_EXAMPLE_TRANSLATED] = { "headlight-en-fr", "Translated" },
};

const AppExample *
app_examples_get (int *n_examples)
{
  *n_examples = G_N_ELEMENTS (examples);
  return examples;
}

AppExampleUse
app_examples_find_use (const EngModel *open)
{
  if (open == NULL || eng_model_get_tokenizer (open) == NULL
      || !eng_model_has_task (open, ENG_TASK_LANGUAGE_MODEL))
    return APP_EXAMPLE_READ;
  return eng_model_has_two_stacks (open) ? APP_EXAMPLE_TRANSLATED : APP_EXAMPLE_CONTINUED;
}

const char *
app_examples_get_model (AppExampleUse   use,
                        const EngModel *open)
{
  /* Every causal model goes on with a sentence; French is for the one that learnt it. */
  if (use == APP_EXAMPLE_CONTINUED && app_examples_find_use (open) == use)
    return NULL;
  return uses[use].model;
}

static gboolean
is_there (const char *model)
{
  g_autofree char *name = NULL;
  g_autofree char *folder = app_model_store_find (model, &name, NULL);

  return folder != NULL;
}

static GMenuModel *
make_items (AppExampleUse use)
{
  GMenu *items = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (examples); i++) {
    const AppExample *example = &examples[i];
    g_autofree char *text = g_strconcat (example->text_a, *example->text_b ? " / " : "",
                                         example->text_b, NULL);
    g_autofree char *label = ui_menu_label (text);
    g_autofree char *action = g_strdup_printf ("win.example(%u)", i);

    if (example->use == use)
      g_menu_append (items, label, action);
  }
  return G_MENU_MODEL (items);
}

static gboolean
is_open (const char     *model,
         const EngModel *open)
{
  return model == NULL || (open != NULL && g_str_equal (eng_model_get_info (open)->name, model));
}

/* What opens another model takes one row each, so that all of them are in sight. */
static void
append_use (GMenu          *menu,
            GMenu          *others,
            AppExampleUse   use,
            const EngModel *open)
{
  const char *model = app_examples_get_model (use, open);
  g_autoptr (GMenuModel) items = make_items (use);
  g_autofree char *heading = NULL;

  if (model != NULL && !is_there (model))
    return;
  /* What any model reads needs no heading at the top. */
  if (use != APP_EXAMPLE_READ || g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0)
    heading = g_strdup_printf ("%s by %s", uses[use].done,
                               model != NULL ? model : "the open model");
  if (is_open (model, open))
    g_menu_append_section (menu, heading, items);
  else
    g_menu_append_submenu (others, heading, items);
}

GMenuModel *
app_examples_new_menu (const EngModel *open)
{
  const AppExampleUse first = app_examples_find_use (open);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) others = g_menu_new ();

  append_use (menu, others, first, open);
  for (AppExampleUse use = 0; use < APP_N_EXAMPLE_USES; use++)
    if (use != first)
      append_use (menu, others, use, open);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  return G_MENU_MODEL (menu);
}

void
app_examples_put (UiDocument *document)
{
  ui_replace_text (&document->text_a, examples[0].text_a);
  ui_replace_text (&document->text_b, examples[0].text_b);
}
