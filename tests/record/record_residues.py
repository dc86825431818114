# SPDX-License-Identifier: MIT
"""Records what transformers' EsmTokenizer makes of proteins and of other strings.

    python tests/record/record_residues.py      (from the project's root; transformers 5.23)

Writes tests/fixtures/tokenizer/residues.json.gz, an object of vocab.txt files, and residues.gz: for each the number of
cases and the cases, as tests/record/record_tokenizer.py stores them.
"""

import json
import random
import tempfile
from pathlib import Path

from transformers import EsmTokenizer
from transformers.models.esm.configuration_esm import get_default_vocab_list

from record_tokenizer import (
    DECODE, INVISIBLE, NO_SPANS, NO_SPECIAL, PAIR, SENTENCES, SKIP_SPECIAL, WHITE, make_soup_strings, write_gzip,
    write_head, write_number, write_text,
)  # fmt: skip

LETTERS = "LAGVSERTIDPKQNFYMHWCXBUZO.-"
# Entries that begin, hold and follow each other.
OVERLAPPING = ["<cls>", "<pad>", "<eos>", "<unk>", *"ACDE", "AC", "ACDC", "CD", "DEA", "<A>", "<", "mk", "é", "e\u0301", "日本", "<mask>"]


def make_strings(chance, vocabulary):
    strings = ["the mk", "Kat", "", " ", "M", "m", "MKT<mask>LL", "<cls>M<eos>", "< mask>", "<mask", "<null_1>", "<null_1", "<<mask>>", "M\u3000K\tT\n"]
    strings += SENTENCES
    strings += make_soup_strings(chance)[:150]
    for _ in range(330):
        strings.append("".join(chance.choice(LETTERS) for _ in range(chance.randint(1, 40))))
    for _ in range(300):
        pool = vocabulary + [" ", "  ", "\n", "x", "m", "<", ">", "<ma", "1"]
        strings.append("".join(chance.choice(pool) for _ in range(chance.randint(1, 30))))
    for _ in range(150):
        pool = list(LETTERS + WHITE + INVISIBLE + "abmké\u0301\x1d\x1e\x1f")
        strings.append("".join(chance.choice(pool) for _ in range(chance.randint(1, 25))))
    return strings


def write_case(out, tokenizer, flags, text_a, text_b):
    ids = tokenizer(text_a, text_b, add_special_tokens=not flags & NO_SPECIAL)["input_ids"]
    n_a = len(tokenizer(text_a, add_special_tokens=False)["input_ids"])
    special = set() if flags & NO_SPECIAL else {0, n_a + 1, len(ids) - 1}
    write_head(out, flags | NO_SPANS, 0, text_a, text_b)
    write_number(out, len(ids))
    for number in ids + [0] * len(ids):
        write_number(out, number)
    for index in range(len(ids)):
        write_number(out, 0 if index in special else 1)
        if index not in special:
            write_number(out, 0)
    if flags & DECODE:
        write_text(out, tokenizer.decode(ids, skip_special_tokens=bool(flags & SKIP_SPECIAL)))


def main():
    out, files = bytearray(), {}
    for name, vocabulary in (("esm", list(get_default_vocab_list())), ("overlapping", OVERLAPPING)):
        chance = random.Random(name)
        files[name] = "\n".join(vocabulary)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "vocab.txt").write_text(files[name])
            tokenizer = EsmTokenizer(str(Path(folder) / "vocab.txt"))
        strings = make_strings(chance, vocabulary)
        cases = [(chance.choice([0, 0, NO_SPECIAL, DECODE, DECODE | SKIP_SPECIAL]), text, None) for text in strings]
        cases += [(PAIR | chance.choice([0, DECODE]), text, chance.choice(strings[20:])) for text in strings[-100:]]
        write_number(out, len(cases))
        for case in cases:
            write_case(out, tokenizer, *case)
        print(name, len(cases))
    write_gzip("residues.json.gz", json.dumps(files, ensure_ascii=False).encode())
    write_gzip("residues.gz", out)


if __name__ == "__main__":
    main()
