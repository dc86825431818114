/* SPDX-License-Identifier: MIT */
/* A text file to learn from: a text a line, as tokens, or a text and its translation with a tab
 * between them, some of them held out to be asked about what was not learnt. Which are depends on
 * the text alone, or on that which is translated, so that no sentence stands on both sides, and is
 * the same from run to run. Immutable after it was read. */
#pragma once

#include "engine/tokenizer/tokenizer.h"
#include "engine/training/batch.h"

G_BEGIN_DECLS

typedef struct _EngTexts EngTexts;

typedef struct {
  int    longest;  /* tokens that a text is cut to */
  int    end_id;   /* set behind each text; -1 = nothing is */
  int    pad_id;   /* fills a batch up; any id of the vocabulary */
  double held_out; /* share of texts */
  gboolean pairs;  /* of a text and its translation */
  int    start_id; /* of pairs: what a decoder reads before the translation */
} EngTextsSettings;

/* Blank lines are passed over. Refuses in a sentence, with the line's number: text that is not
 * UTF-8, a line of more than 64 KiB, with tabs, or of pairs with none, with several, or with an
 * empty side; a file without a text of two tokens, or a pair, to learn from, or with one alone
 * where some are to be held out. Of pairs the first is read as it is tokenised and the end is set
 * behind the second alone, where its template has not put it there. */
EngTexts *eng_texts_read            (const char              *path,
                                     const EngTokenizer      *tokenizer,
                                     const EngTextsSettings  *settings,
                                     GError                 **error);
void      eng_texts_free            (EngTexts                *self);

/* Whether a text, of a translation its source, of other examples what engine/examples/sides.h says,
 * is one of this share that is held out: a number of the text alone. */
gboolean  eng_texts_is_held_out     (const char              *text,
                                     double                   share);
/* Of those that are held out, or of the others. */
int       eng_texts_get_n           (const EngTexts          *self,
                                     gboolean                 held_out);
gint64    eng_texts_count_tokens    (const EngTexts          *self,
                                     gboolean                 held_out);
gint64    eng_texts_count_words     (const EngTexts          *self,
                                     gboolean                 held_out);

/* Some texts of about the same length, filled up to that of the longest. Of pairs the source is the
 * batch's, too, ids are what the decoder reads, the translation behind the start, and labels are
 * the translation with its end. */
typedef struct {
  int      n_words; /* of its texts, of pairs of both sides */
  EngBatch batch;   /* of the arrays below; labels are for the caller to fill, but of pairs and of
                     * texts that something is asked of (engine/training/labelled.h) */
  gint32  *ids;     /* [B, n] */
  gint32  *type_ids; /* [B, n]; NULL = all 0 */
  guint8  *visible; /* [B, n] */
  guint8  *special; /* [B, n] 1 = of the template, the end or padding */
  int     *words;   /* [B, n] number of a token's word; -1 = of none */
  gint32  *labels;  /* [B, n] none at first */
  gint32  *source_ids;     /* [B, n_source]; NULL but of pairs */
  guint8  *source_visible;
} EngTextsBatch;

/* One pass over the texts: batches of at most n_tokens tokens, padding and both sides of pairs
 * counted, but at least of one text, in an order that is the key's. (element-type EngTextsBatch) (transfer full) */
GPtrArray *eng_texts_make_batches   (const EngTexts          *self,
                                     gboolean                 held_out,
                                     int                      n_tokens,
                                     guint64                  key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTexts, eng_texts_free)

G_END_DECLS
