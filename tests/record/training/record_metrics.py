# SPDX-License-Identifier: MIT
"""Figures of sacrebleu, and of definitions written out by hand, for engine/metrics/.

    python tests/record/training/record_metrics.py ../shared/data/tatoeba/eng-fra.txt.gz    (from the project's root; sacrebleu 2)

Writes tests/fixtures/metrics/: texts.json, pairs of a written sentence and its reference with the BLEU and chrF2 of each pair
as a corpus of its own, those of the corpora of the first n pairs, and the words that sacrebleu counts; agreement.json, labels
expected and answered with accuracy and F1 of each class and of their mean, and answers with exact match and F1 as SQuAD's
script has them; next-words.json, texts and the mean loss of all their tokens but the first by the specimen "causal".
"""

import collections
import gzip
import json
import pathlib
import random
import re
import string
import sys

import sacrebleu
import torch
import transformers
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

FIXTURES = pathlib.Path("tests/fixtures/metrics")
ODD = [
    ("", "A reference."), ("Something.", ""), ("", ""), ("the the the the", "the cat"), ("cat", "cat"), ("a b c", "a b c"),
    ("a b c d", "a b c d"), ("A b c d e", "a b c d e"), ("  padded   out  ", "padded out"), ("tab\there", "tab here"),
    ("non\u00a0breaking", "non breaking"), ("wide\u3000space", "wide space"), ("em\u2003dash — here", "em dash - here"),
    ("3.14 and 1,000", "3.14 and 1,000."), ("1-2 3-4", "1 - 2 3 - 4"), ("5-", "5 -"), ("-5", "- 5"), ("v2.0.", "v2.0."),
    ("...", ". . ."), (".,.,", "., .,"), ("a.b", "a . b"), (".5", "0.5"), ("5.", "5 ."), ("x,1", "x , 1"), ("1,x", "1 , x"),
    ("&quot;hi&quot; &amp; &lt;b&gt;", '"hi" & <b>'), ("&amp;quot;", '&quot;'), ("<skipped>gone", "gone"), ("&", "&amp;"),
    ("(a) [b] {c}", "( a ) [ b ] { c }"), ("it's don't", "it 's don 't"), ("l'eau d'été", "l' eau d' été"),
    ("Ça va ?", "Ça va\u202f?"), ("naïve café", "naive cafe"), ("日本語の文。", "日本語の文。"), ("日本 語", "日本語"),
    ("Ελληνικά.", "Ελληνικα."), ("😀😃 ok", "😀 😃 ok"), ("e\u0301", "é"), ("a\u200bb", "ab"), ("مرحبا بالعالم", "مرحبا"),
    ("$5 + 3% = #1", "$ 5 + 3 % = # 1"), ("a/b\\c|d~e^f`g", "a / b \\ c | d ~ e ^ f ` g"), ("http://x.org/a_b?c=d", "x.org"),
    ("user@example.com", "user @ example . com"), ("one\x1ftwo", "one two"), ("line\u2028sep", "line sep"), ("«Oui»", "« Oui »"),
    ("word " * 40, "word " * 38), ("ab" * 30, "ba" * 30), ("\u0085edge\u0085", "edge"), ("é.", "é ."), (".é", ". é"), (",,", ", ,"),
]


def garble(sentence, drawn):
    """What a translator might have written instead."""
    words = sentence.split()
    for _ in range(drawn.randrange(4)):
        i = drawn.randrange(len(words)) if words else 0
        what = drawn.randrange(4)
        if not words:
            break
        if what == 0:
            del words[i]
        elif what == 1:
            words.insert(i, words[i])
        elif what == 2:
            words[i] = words[i][::-1]
        else:
            j = drawn.randrange(len(words))
            words[i], words[j] = words[j], words[i]
    return " ".join(words)


def bleu(pairs):
    return sacrebleu.corpus_bleu([p[0] for p in pairs], [[p[1] for p in pairs]], tokenize="13a", smooth_method="exp").score


def chrf(pairs):
    return sacrebleu.corpus_chrf([p[0] for p in pairs], [[p[1] for p in pairs]]).score


def record_texts(path):
    drawn = random.Random(5)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        sentences = [line.rstrip("\n").split("\t")[drawn.randrange(2)] for line in lines]
    pairs = ODD + [(garble(s, drawn), s) for s in drawn.sample(sentences, 220)]
    cut = Tokenizer13a()
    cases = [dict(written=h, reference=r, bleu=bleu([(h, r)]), chrf=chrf([(h, r)]), words=cut(h.rstrip()).split())
             for h, r in pairs]
    corpora = [dict(n=n, bleu=bleu(pairs[:n]), chrf=chrf(pairs[:n])) for n in range(10, len(pairs) + 1, 10)]
    (FIXTURES / "texts.json").write_text(json.dumps(dict(pairs=cases, corpora=corpora), ensure_ascii=False, indent=0) + "\n")
    print(len(pairs), corpora[-1])


def f1(expected, answered, label):
    right = sum(e == a == label for e, a in zip(expected, answered))
    precision = right / max(1, answered.count(label))
    recall = right / max(1, expected.count(label))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def agree(n_classes, n, drawn):
    expected = [drawn.randrange(n_classes) for _ in range(n)]
    answered = [e if drawn.random() < 0.6 else drawn.randrange(-1, n_classes) for e in expected]
    present = sorted((set(expected) | set(answered)) - {-1})
    scores = [f1(expected, answered, label) for label in range(n_classes)]
    return dict(classes=n_classes, expected=expected, answered=answered,
                accuracy=sum(e == a for e, a in zip(expected, answered)) / n, f1=scores,
                mean_f1=sum(scores[label] for label in present) / len(present))


def reduce(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def answer(answered, expected):
    a, e = reduce(answered), reduce(expected)
    same = sum((collections.Counter(a) & collections.Counter(e)).values())
    precision, recall = same / max(1, len(a)), same / max(1, len(e))
    score = 2 * precision * recall / (precision + recall) if same else float(a == e == [])
    return dict(answered=answered, expected=expected, matches=a == e, f1=score)


def record_agreement():
    drawn = random.Random(6)
    cases = [agree(classes, n, drawn) for classes, n in ((2, 1), (2, 10), (2, 200), (3, 50), (7, 40), (12, 9))]
    answers = [answer(*pair) for pair in (
        ("the Eiffel Tower", "Eiffel Tower"), ("Eiffel Tower.", "eiffel tower"), ("in 1912", "1912"), ("", "x"), ("the", "a"),
        ("a a b", "b a a"), ("cat cat", "cat"), ("U.S.", "US"), ("Ada Lovelace", "Lovelace, Ada"), ("no", "yes"),
        ("Été", "été"), ("an apple a day", "apple day"), ("x  y", "x y"))]
    (FIXTURES / "agreement.json").write_text(json.dumps(dict(classes=cases, answers=answers), ensure_ascii=False, indent=0) + "\n")


def record_next_words():
    path = "tests/fixtures/models/causal"
    tokenizer = transformers.BertTokenizer(f"{path}/vocab.txt")
    model = transformers.BertLMHeadModel.from_pretrained(path, dtype=torch.float32).eval()
    texts = ["the cat sat on a mat", "time flies like an arrow", "a dog jumps .", "who lives in paris ?", "fruit"]
    losses = []
    with torch.no_grad():
        for text in texts:
            ids = tokenizer(text, return_tensors="pt")["input_ids"]
            logits = model(ids).logits[0, :-1]
            losses.append(torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="none"))
    losses = torch.cat(losses)
    (FIXTURES / "next-words.json").write_text(json.dumps(dict(texts=texts, n=len(losses), loss=losses.mean().item())) + "\n")


if __name__ == "__main__":
    FIXTURES.mkdir(exist_ok=True)
    record_texts(sys.argv[1])
    record_agreement()
    record_next_words()
