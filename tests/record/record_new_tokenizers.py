# SPDX-License-Identifier: MIT
"""Records what the tokenizers library makes of the tokenizers that Headlight learns.

    HEADLIGHT_LEARNT=DIR meson test -C build new-tokenizer                 leaves them in DIR
    PYTHONPATH=tests/record python tests/record/record_new_tokenizers.py DIR
                                         (from the project's root; tokenizers 0.23.3, transformers 5.23)

Writes tests/fixtures/bpe/new-….hashes, as record_bpe.py says, over its cases. Each is opened by transformers as well,
whose tokens must be the same.
"""

import gzip
import sys
from pathlib import Path

import transformers
from tokenizers import Tokenizer

from record_bpe import FOLDER, hash_case, write_hashes
from record_tokenizer import PAIR, TRUNCATE

NAMES = ("new-masked", "new-next-word", "new-translate")


def read_number(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return number, at


def read_text(data, at):
    length, at = read_number(data, at)
    return data[at : at + length].decode(), at + length


def read_cases():
    data = gzip.decompress((FOLDER / "cases.gz").read_bytes())
    cases, at = [], 0
    while at < len(data):
        flags, at = read_number(data, at)
        most, at = read_number(data, at) if flags & TRUNCATE else (0, at)
        text_a, at = read_text(data, at)
        text_b, at = read_text(data, at) if flags & PAIR else (None, at)
        cases.append((flags, most, text_a, text_b))
    return cases


def main():
    cases = read_cases()
    for name in NAMES:
        folder = Path(sys.argv[1]) / name
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        opened = transformers.AutoTokenizer.from_pretrained(folder)
        for flags, _, text, _ in cases:
            if not flags:
                assert opened(text)["input_ids"] == tokenizer.encode(text).ids, text
        write_hashes(name, [hash_case(tokenizer, case) for case in cases])


if __name__ == "__main__":
    main()
