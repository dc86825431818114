# SPDX-License-Identifier: MIT
"""Records what tokenizers of SentencePiece's kind make of a few thousand strings each.

    python tests/record/record_sentencepiece.py [NAME ...]   (from the project's root; tokenizers 0.23.3,
                                                              transformers 5.23, sentencepiece 0.2.3)

Reads t5-small and albert from $HEADLIGHT_SHARED or ../shared, and trains small models on the sentences of this script and
of record_tokenizer.py. Writes into tests/fixtures/sentencepiece/, cases as record_tokenizer.py describes them:
    t5-small.gz, albert.gz             cases for the files of these names
    components.json.gz, components.gz  tokenizer.json files in small variations, and for each the number of cases and the cases
    xlm-roberta/, llama/, marian/      trained models with their small files, and cases.gz; marian/separate/ has two vocabularies
"""

import base64
import gzip
import json
import random
import sys

from tokenizers import Tokenizer

from record_tokenizer import (
    DECODE, FIXTURES, INVISIBLE, MARKS, NO_SPECIAL, PAIR, SENTENCES, SHARED, SKIP_SPECIAL, WHITE,
    make_block_strings, make_soup_strings, write_case, write_number,
)  # fmt: skip

FOLDER = FIXTURES.parent / "sentencepiece"

MORE = """
ﬁne ﬂuﬀ ＡＢＣ ａｂｃ １２３ ㌀ ㍿ ½ ⅓ ™ ℃ № Ⅻ ① ｶﾞ ﾊﾟ ﷺ ﷽ ½½ x²y³ …
soft\u00adhyphen \u00ad\u00ad start\u00ad \u00adend zero\u200bwidth no\u2060break
a\u0301b\u0308c e\u0301\u0323 \u0301 \u0301\u0301x n\u0303o q\u20d7 ½\u0301 ﬁ\u0301 ™\u0301 ①\u20e3
\u1112\u1161\u11ab\u1100\u1173\u11af 한글 \u1112\u1161 \u11ab ㅎㅏㄴ
ภาษาไทย กำลัง น้ำ เก็บ \u0e33 x\u0e33
👩‍👩‍👧‍👦 👍🏽 🇩🇪🇫🇷🇩 ❤️ ☺︎ 1️⃣ ©️ a\u200db ©\u200d™
▁ ▁a a▁b ▁▁ a ▁ b _a
<extra_id_0> a<extra_id_1>b <extra_id_99> <extra_id_100> <extra_id_ 1> </s> <s> <unk> <pad>x</s>
[CLS] [SEP] [MASK] a[MASK]b <pad> <unk>x <mask> a <mask>b  <mask>  c
``quoted'' 'single' `` '' ''' ```
1,000 2, 3,4 12, 1234567890 3.14159 1e-9 A1b2,C3
translate English to German: The house is wonderful.
summarize: studies have shown that owning a dog is good for you
""".strip("\n").split("\n")


def make_white_strings(chance):
    strings = ["", " ", "  ", "   ", "\t", "\n", "\u3000", "\u00a0", "\u200b", "\u00ad", "\u2581", "\ufeff", "\ufffd"]
    strings += [f"a{blank}b {blank}{blank} c{blank}" for blank in WHITE]
    strings += [f"{blank}a{blank}{blank}b" for blank in WHITE]
    strings += [f"a{character}b {character} c{character}" for character in INVISIBLE]
    strings += [" " * count + "a" + " " * count + "b" + " " * count for count in (1, 2, 3, 7, 40)]
    strings += ["a" + "\r\n" + "b", "\r\na\r\r\n\n", "a\n\n\nb", "tab\tbed\t\tx", "a \n b", "two  spaces", "x" + " " * 300 + "y"]
    strings += [letter * count for letter in ("a", "ü", "語", "😀", "ﬁ", "½", "▁", "e\u0301", "Ａ") for count in (2, 3, 17, 120)]
    strings += ["".join(chance.choice(MARKS + "aÅ가½ﬁ™") for _ in range(9)) for _ in range(60)]
    return strings


def make_vocabulary_strings(chance, pieces):
    words = [piece.replace("▁", " ").strip() for piece in pieces if not piece.startswith(("<", "["))]
    words = [word for word in words if word]
    strings = []
    for _ in range(600):
        picked = [chance.choice(words) for _ in range(chance.randint(1, 7))]
        if chance.random() < 0.3:
            picked = [chance.choice([str.upper, str.title, str.capitalize])(word) for word in picked]
        if chance.random() < 0.2:
            picked = [word + chance.choice(MARKS[:5]) + chance.choice(words) for word in picked[:3]]
        strings.append(chance.choice([" ", " ", " ", "", "  ", "-", ", ", "▁"]).join(picked))
    return strings


def make_strings(chance, pieces):
    """2,050 of them: the written ones, and as many made ones as there is room for."""
    written = SENTENCES + MORE + make_white_strings(chance)
    made = make_block_strings(chance) + make_vocabulary_strings(chance, pieces) + make_soup_strings(chance)
    return written + chance.sample(made, 2050 - len(written))


def make_cases(chance, pieces):
    """(flags, most tokens, text A, text B). What is decoded is recorded of every third text."""
    strings = make_strings(chance, pieces)
    decode = [DECODE, 0, 0, DECODE | SKIP_SPECIAL, 0, 0]
    cases = [(decode[index % 6], 0, text, None) for index, text in enumerate(strings)]
    for text in SENTENCES + MORE:
        cases.append((NO_SPECIAL, 0, text, None))
        cases.append((PAIR | DECODE, 0, text, chance.choice(SENTENCES)))
    for _ in range(150):
        cases.append((PAIR, 0, chance.choice(strings), chance.choice(strings) or "b"))
    return cases


def write_gzip(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(bytes(data), 9, mtime=0))
    print(f"{path}: {path.stat().st_size} bytes")


def record_cases(path, tokenizer, pieces):
    chance = random.Random(str(path))
    out = bytearray()
    cases = make_cases(chance, pieces)
    for case in cases:
        write_case(out, tokenizer, *case)
    print(f"{path}: {len(cases)} cases")
    write_gzip(FOLDER / path, out)


def record_t5():
    path = SHARED / "data/tokenizers/t5-small/tokenizer.json"
    pieces = [piece for piece, _ in json.loads(path.read_text())["model"]["vocab"]]
    record_cases("t5-small.gz", Tokenizer.from_file(str(path)), pieces)


RECORDERS = {"t5-small": record_t5}


def main():
    for name in sys.argv[1:] or RECORDERS:
        RECORDERS[name]()


if __name__ == "__main__":
    main()
