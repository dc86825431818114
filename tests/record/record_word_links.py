# SPDX-License-Identifier: MIT
"""Records which heads of headlight-mini link two words in which lines of a text, by numpy.

    python tests/record/record_word_links.py        (from the project's root; torch 2.13, transformers 5.23)

Writes tests/fixtures/word-links/expected.json from passes of transformers in double precision and the formula in
ui/scene/numbers/word-links.h: the score of a head in a line is the greatest w(x, y) over the words x spelt `from` and y
spelt `to`, x another word than y; w is the mean over the pieces that read of the sum over the pieces that are read.
A link that another nearly equals is recorded without its tokens.
"""

import json
import unicodedata
from pathlib import Path

import numpy as np
import torch
import transformers

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "resources" / "models" / "headlight-mini"
OUT = ROOT / "tests" / "fixtures" / "word-links" / "expected.json"

CLEAR = 2e-5
LINES = [
    ("The cat sat on the mat because it was tired.", ""),
    ("It chased the Cat until it ran up a tree, and the cat hid.", ""),
    ("She put the book on the table and left it there.", "The book was hers."),
    ("Cat", ""),
    ("The catfish drank milk.", "IT was cold: a cat knows."),
    ("The embeddings of a cat and its embeddings", "embeddings"),
    ("A caf\u00e9 is where it is.", "The cat left the cafe\u0301."),
]
# Where the model has no accents, neither have its words.
QUESTIONS = [("it", "cat"), ("cat", "it"), ("It", ""), ("", "CAT"), ("cat", "cat"), ("embeddings", "cat"),
             ("", "embeddings"), ("Caf\u00e9", ""), ("it", "zebra")]


def split_words(tokens, special):
    """[spelling, first, end] of the typed words: what WordPiece marks with ## goes on."""
    words = []
    for i, (token, is_special) in enumerate(zip(tokens, special)):
        if is_special:
            continue
        if token.startswith("##") and words:
            words[-1][0] += token[2:]
            words[-1][2] = i + 1
        else:
            words.append([token, i, i + 1])
    return words


def fold(word):
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return bare.casefold()


def pick(words, wanted):
    if wanted:
        return [word for word in words if word[0] == fold(wanted)]
    return [word for word in words if any(c.isalnum() for c in word[0])]


def run(model, tokenizer, text_a, text_b):
    inputs = tokenizer(text_a, text_b or None, return_tensors="pt", return_special_tokens_mask=True)
    special = inputs.pop("special_tokens_mask")[0].tolist()
    with torch.no_grad():
        attentions = model(**inputs, output_attentions=True).attentions
    words = split_words(tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]), special)
    return words, np.stack([a[0].numpy() for a in attentions])


def score(words, attentions, wanted_from, wanted_to):
    """[layer][head] of [score, query, key]; None where the line does not hold the words."""
    pairs = [(x, y) for x in pick(words, wanted_from) for y in pick(words, wanted_to) if x is not y]
    if not pairs:
        return None
    values = np.stack([attentions[:, :, x[1]:x[2], y[1]:y[2]].sum(-1).mean(-1) for x, y in pairs])
    result = []
    for layer in range(values.shape[1]):
        result.append([])
        for head in range(values.shape[2]):
            column = values[:, layer, head]
            best = int(column.argmax())
            others = np.delete(column, best)
            clear = len(others) == 0 or column[best] - others.max() > CLEAR
            tokens = [pairs[best][0][1], pairs[best][1][1]] if clear else [-1, -1]
            result[-1].append([float(f"{column[best]:.8g}"), *tokens])
    return result


def main():
    model = transformers.BertModel.from_pretrained(MODEL, dtype=torch.float64, attn_implementation="eager").eval()
    tokenizer = transformers.BertTokenizer(vocab=str(MODEL / "vocab.txt"), do_lower_case=True)
    passes = [run(model, tokenizer, *line) for line in LINES]
    cases = [{"from": a, "to": b, "lines": [score(*line, a, b) for line in passes]} for a, b in QUESTIONS]
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps({"texts": LINES, "cases": cases}, separators=(",", ":"))
                   .replace('{"from"', '\n{"from"').replace("[[[", "\n[[[") + "\n")
    print(OUT.stat().st_size, "bytes;", [sum(line is not None for line in case["lines"]) for case in cases])


if __name__ == "__main__":
    main()
