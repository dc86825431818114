/* SPDX-License-Identifier: MIT */
#include "app/parts/texts/examples.h"

/* A pair of which the bundled model is not certain, so that an edit changes what it says; pairs that
 * share words, one word in two senses, a reference to resolve, rare words that fall into
 * pieces, an enumeration, a subject far from its verb, two languages, translations for the model of
 * two stacks. */
static const AppExample examples[] = {
  { "The bird sang on the roof", "The dog slept on the grass" },
  { "The cat sat on the mat", "The cat lay on the rug" },
  { "time flies like an arrow", "fruit flies like a banana" },
  { "the rabbit quickly hopped", "The turtle slowly crawled" },
  { "I went to the store.", "At the store, I bought fresh strawberries." },
  { "The doctor asked the nurse a question. She", "The doctor asked the nurse a question. He" },
  { "The quickest brown fox jumped over the lazy dog",
    "the quick brown fox jumped over the laziest elmo" },
  { "She sees the small elephant.", "Sie sieht den kleinen Elefanten." },
  { "She reads a book every evening.", "Elle lit un livre tous les soirs." },
  { "I have a black cat and a small dog.", "J'ai un chat noir et un petit chien." },
  { "At the store, she bought apples, oranges, bananas,", "" },
  { "The dog on the ship ran", "" },
  { "Bert is a yellow muppet character", "" },
};

const AppExample *
app_examples_get (int *n_examples)
{
  *n_examples = G_N_ELEMENTS (examples);
  return examples;
}

void
app_examples_put (UiDocument *document)
{
  ui_replace_text (&document->text_a, examples[0].text_a);
  ui_replace_text (&document->text_b, examples[0].text_b);
}
