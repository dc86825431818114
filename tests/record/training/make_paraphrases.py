# SPDX-License-Identifier: MIT
"""Labelled pairs of English sentences, paraphrases or not, for fine-tuning.

    python tests/record/training/make_paraphrases.py eng-fra.txt.gz eng-deu.txt.gz FOLDER    (files of manythings.org/anki)

Two sentences with a translation in common are paraphrases. Pairs that are none are the most alike of many in their words, so that
these alone do not tell. Writes FOLDER/train.tsv (2,000 pairs) and FOLDER/test.tsv (1,000): A, tab, B, tab,
"paraphrase" or "other", as many of each; no sentence of one file stands in the other.
"""

import collections
import gzip
import hashlib
import itertools
import pathlib
import random
import re
import sys

N_TRAIN, N_TEST = 2000, 1000


def read(paths):
    """The sentences of each translation."""
    groups = collections.defaultdict(set)
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                english, other = line.rstrip("\n").split("\t")[:2]
                groups[path, other].add(english)
    return groups


def words(sentence):
    return frozenset(re.findall(r"[a-z']+", sentence.lower()))


def share(a, b):
    """Of the words of both, those that are in common."""
    return len(words(a) & words(b)) / max(1, len(words(a) | words(b)))


def is_test(sentence):
    return hashlib.sha256(sentence.encode()).digest()[0] < 90


def connect(groups):
    """Each sentence's own root: sentences that are paraphrases over several translations have the same."""
    parent = {}

    def find(sentence):
        while parent.setdefault(sentence, sentence) != sentence:
            parent[sentence] = parent[parent[sentence]]
            sentence = parent[sentence]
        return sentence

    for group in groups.values():
        first, *rest = sorted(group)
        for sentence in rest:
            parent[find(sentence)] = find(first)
    return {sentence: find(sentence) for group in groups.values() for sentence in group}


def make_others(sentences, root, drawn):
    """Pairs that share words, and no translation."""
    by_word = collections.defaultdict(list)
    for sentence in sentences:
        for word in words(sentence):
            by_word[word].append(sentence)
    for a in sentences:
        candidates = set()
        for word in sorted(words(a)):
            candidates |= set(drawn.sample(by_word[word], min(100, len(by_word[word]))))
        other = [b for b in sorted(candidates) if root[a] != root[b] and words(a) != words(b)]
        if other:
            yield a, max(other, key=lambda b: share(a, b))


def take(pairs, n, used):
    """Each sentence once."""
    taken = []
    for a, b in pairs:
        if a not in used and b not in used:
            used |= {a, b}
            taken.append((a, b))
            if len(taken) == n:
                return taken
    raise SystemExit(f"there are {len(taken)} of {n} pairs alone")


def main():
    groups = read(sys.argv[1:-1])
    folder = pathlib.Path(sys.argv[-1])
    folder.mkdir(parents=True, exist_ok=True)
    drawn = random.Random(7)
    root = connect(groups)
    same = {pair for group in groups.values() for pair in itertools.combinations(sorted(group), 2)
            if words(pair[0]) != words(pair[1]) and 4 <= len(pair[0].split()) <= 14 and 4 <= len(pair[1].split()) <= 14}
    same = sorted(same)
    drawn.shuffle(same)
    sentences = sorted(s for s in root if 4 <= len(s.split()) <= 14)
    drawn.shuffle(sentences)
    for name, n, test in (("train", N_TRAIN, False), ("test", N_TEST, True)):
        used = set()
        positive = take((p for p in same if is_test(p[0]) == is_test(p[1]) == test), n // 2, used)
        side = [s for s in sentences if is_test(s) == test]
        negative = take(make_others(side, root, drawn), n // 2, used)
        lines = [f"{a}\t{b}\tparaphrase\n" for a, b in positive] + [f"{a}\t{b}\tother\n" for a, b in negative]
        drawn.shuffle(lines)
        (folder / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
