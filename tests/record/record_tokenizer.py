# SPDX-License-Identifier: MIT
"""Records what the tokenizers library makes of a few thousand strings and of every single character.

    python tests/record/record_tokenizer.py      (from the project's root; tokenizers 0.23.3)

bert-base-uncased is read from $HEADLIGHT_SHARED or ../shared. Writes into tests/fixtures/tokenizer/:
    bert-base-uncased.gz, headlight-mini.gz   cases for the tokenizers of these names
    variants.json.gz, variants.gz             tokenizer.json files in small variations, and cases for each
    characters.gz                             a hash of what the normalizer does, by blocks of 256 characters

A file of cases, gzipped; numbers are LEB128 unless said otherwise:
    case        flags (1 pair, 2 no special tokens, 4 truncate, 8 with what the ids are decoded to, 16 then without special
                tokens, 32 as a text for the target side, 64 spans are not recorded), [most tokens], text A, [text B], tokens,
                [decoded text]
    text        number of bytes, UTF-8
    tokens      their number; ids; type ids; spans: 0 for a special token, else 1 + the zigzag of the gap to the
                end of the span before (0 at first), then the length in bytes
variants.gz holds for each variant the number of cases and the cases. characters.gz holds a 32-bit little-endian
FNV-1a hash for each block; record_block() says of what.
"""

import gzip
import json
import os
import random
import struct
import unicodedata
from pathlib import Path

from tokenizers import Tokenizer

from unicode_observed import observe

FIXTURES = Path("tests/fixtures/tokenizer")
SHARED = Path(os.environ.get("HEADLIGHT_SHARED", "../shared"))
MINI = Path("resources/models/headlight-mini/tokenizer.json")

PAIR, NO_SPECIAL, TRUNCATE, DECODE, SKIP_SPECIAL, TARGET, NO_SPANS = 1, 2, 4, 8, 16, 32, 64

WHITE = "\t\n\v\f\r \x1c\x85\xa0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
INVISIBLE = "\x01\x07\x1b\x7f\x80\xad\u061c\u180e\u200b\u200c\u200d\u200e\u2060\u2066\ufeff\ufffd\ufff9\ue000\U000f0000"
MARKS = "\u0300\u0301\u0308\u030a\u0323\u0327\u0345\u0344\u0f73\u05b0\u3099\u302e\u302f\U0001d165\U0001d16d\u1abf\u08d3"

SENTENCES = """
time flies like an arrow
time flies like an arrow?
fruit flies like a banana
A red fox in Västernorrlands Län
The animal didn't cross the street because it was too tired.
don't I'M
naïve Ａ한國語
<mask>x
ÀÉÎÕÜ àéîõü Ångström ŁÓDŹ straße STRASSE İstanbul ISPARTA ısı ﬁne ﬀ ǅ
ΣΊΣΥΦΟΣ σίσυφος ΑΣ Ωραίος
Съешь же ещё этих мягких французских булок
שָׁלוֹם עוֹלָם, בְּרֵאשִׁית
السَّلَامُ عَلَيْكُمْ ١٢٣٫٤٥
हिन्दी में क्षत्रिय विद्यार्थी
ภาษาไทยไม่มีเว้นวรรค
日本語のテキスト、カタカナ。ｶﾀｶﾅ
我爱北京天安门，天安门上太阳升。
한국어 문장입니다 각각 ᄒᆞᆫ글
Tiếng Việt có dấu
👩‍👩‍👧‍👦 family 🏳️‍🌈 👍🏽 🇩🇪 1️⃣
$5.00 (50%) #tag @user a_b c-d e—f “quoted” ‘x’ … 3×4=12 ≤ € £
https://example.org/a?b=c&d=%20#e
snake_case camelCase x2 2x 1,234.56 10^-5 a/b a\\b
e\u0301 e\u0323\u0301 e\u0301\u0323 a\u0300\u0301\u0302\u0303 \u0301start
q\u0307\u0323 ḍ\u0307 \u1e69 \u0344\u0323 가\u0323 각 \u1100\u1161\u11a8
日\u3099か\u3099 㐀龥\U00020000\U0002b820\U0002b91f\U0002b920\U0002f800豈
[MASK] the [mask] of[MASK]the [MASK][MASK] [ MASK ] [MASK [SEP] [CLS]x [UNK] [PAD]! ##ing [unused1]
[CLS] a [SEP] b [SEP]
[MASK]é [MASK]日 \u0301[MASK] [MÁSK] [MASK\u0301]
""".strip("\n").split("\n") + ["Hello  world\n\n x", "two\r\nlines"]


def write_number(out, number):
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def write_text(out, text):
    data = text.encode()
    write_number(out, len(data))
    out += data


def byte_offsets(text):
    """Bytes before each code point, and before the end."""
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + len(character.encode()))
    return offsets


def write_case(out, tokenizer, flags, most, text_a, text_b):
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if flags & TRUNCATE:
        tokenizer.enable_truncation(max_length=most, strategy="longest_first")
    encoded = tokenizer.encode(text_a, text_b if flags & PAIR else None, add_special_tokens=not flags & NO_SPECIAL)

    write_head(out, flags, most, text_a, text_b)
    write_tokens(out, encoded, byte_offsets(text_a), byte_offsets(text_b or ""))
    if flags & DECODE:
        write_text(out, tokenizer.decode(encoded.ids, skip_special_tokens=bool(flags & SKIP_SPECIAL)))


def write_head(out, flags, most, text_a, text_b):
    write_number(out, flags)
    if flags & TRUNCATE:
        write_number(out, most)
    write_text(out, text_a)
    if flags & PAIR:
        write_text(out, text_b)


def write_tokens(out, encoded, *offsets):
    write_number(out, len(encoded.ids))
    for numbers in (encoded.ids, encoded.type_ids):
        for number in numbers:
            write_number(out, number)
    end_before = 0
    for (first, end), special, sentence in zip(encoded.offsets, encoded.special_tokens_mask, encoded.sequence_ids):
        if special:
            write_number(out, 0)
            continue
        first, end = offsets[sentence][first], offsets[sentence][end]
        gap = first - end_before
        write_number(out, 1 + (gap * 2 if gap >= 0 else -gap * 2 - 1))
        write_number(out, end - first)
        end_before = end


def find_assigned_ranges():
    """Every stretch of 128 characters that holds assigned ones, and few of the large uniform blocks."""
    ranges = []
    for first in range(0, 0x110000, 128):
        uniform = 0x3400 <= first < 0xA000 or 0xAC00 <= first < 0xD7A3 or first >= 0x17000
        if uniform and first // 128 % 8 and not 0x1B000 <= first < 0x20000:
            continue
        assigned = [
            chr(code) for code in range(first, first + 128) if unicodedata.category(chr(code)) not in ("Cn", "Cs")
        ]
        if assigned and assigned != ["\0"]:
            ranges.append([character for character in assigned if character != "\0"])
    return ranges


def make_block_strings(chance):
    strings = []
    for assigned in find_assigned_ranges():
        for _ in range(2):
            picked = chance.sample(assigned, min(len(assigned), chance.randint(2, 7)))
            strings.append(chance.choice(["", " ", "a"]).join(picked))
    return strings


def make_edge_strings(chance):
    strings = ["", " ", "  \t\n", "\u0301", "\u200b", "\ufeff", "a", "é"]
    strings += [f"a{blank}b {blank}{blank} c{blank}" for blank in WHITE]
    strings += [f"a{character}b {character} c" for character in INVISIBLE]
    strings += [f"E{mark}i {mark}x {mark}{chance.choice(MARKS)}o" for mark in MARKS]
    strings += ["".join(chance.choice(MARKS + "aÅ가") for _ in range(12)) for _ in range(60)]
    ascii_signs = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())
    strings += ["".join(chance.choice(ascii_signs + " a") for _ in range(chance.randint(1, 14))) for _ in range(150)]
    for letter in ("a", "ü", "ﬁ", "й", "한", "😀", "e\u0301", "日", "İ", "𝔸"):
        strings += [letter * count + tail for count in (99, 100, 101) for tail in ("", " b")]
    strings += ["a" * 100 + "\u0301", "a" * 101 + "!", "!" * 101, "é" * 100 + "x", "##" + "a" * 99, "x" + "\u0301" * 120]
    for token in ("[MASK]", "[SEP]", "[mask]", "[MASK", "[[MASK]]"):
        strings += [f"{left}{token}{right}" for left in ("", "a", " ", "é", "日", token) for right in ("", "b", " ", "!")]
    return strings


def make_word_strings(chance, vocabulary):
    """Sentences of vocabulary pieces, whole, glued, in capitals, with accents, with signs between."""
    words = [piece.removeprefix("##") for piece in vocabulary if not piece.startswith("[") and len(piece) > 2]
    strings = []
    for _ in range(700):
        picked = [chance.choice(words) for _ in range(chance.randint(1, 7))]
        if chance.random() < 0.4:
            picked = [chance.choice([str.upper, str.title, str.capitalize])(word) for word in picked]
        if chance.random() < 0.3:
            picked = [word + chance.choice(MARKS[:5]) + chance.choice(words) for word in picked[:3]]
        strings.append(chance.choice([" ", " ", " ", "", "  ", "-", ", ", "'"]).join(picked))
    return strings


def make_soup_strings(chance):
    """Random characters, and random bytes made valid."""
    strings = []
    for _ in range(500):
        codes = [chance.choice([chance.randint(1, 0x7F), chance.randint(0x80, 0x2FFF), chance.randint(1, 0x10FFFF)])
                 for _ in range(chance.randint(1, 9))]
        strings.append("".join(chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF))
    for errors in ("replace", "ignore"):
        for _ in range(250):
            data = chance.randbytes(chance.randint(1, 24)).replace(b"\0", b" ")
            strings.append(data.decode("utf-8", errors))
    return strings


def make_cases(chance, vocabulary):
    """(flags, most tokens, text A, text B): each string once alone, many again in other settings."""
    strings = SENTENCES + make_edge_strings(chance) + make_block_strings(chance)
    strings += make_word_strings(chance, vocabulary) + make_soup_strings(chance)
    cases = [(0, 0, text, None) for text in strings]
    for text in SENTENCES:
        cases.append((NO_SPECIAL, 0, text, None))
        cases.append((PAIR, 0, text, chance.choice(SENTENCES)))
    for _ in range(120):
        cases.append((chance.choice([PAIR, PAIR | NO_SPECIAL]), 0, chance.choice(strings), chance.choice(strings) or "b"))
    for flags in (TRUNCATE, TRUNCATE | PAIR, TRUNCATE | PAIR, TRUNCATE | PAIR | NO_SPECIAL):
        for _ in range(60):
            cases.append((flags, chance.randint(4, 20), chance.choice(SENTENCES), chance.choice(SENTENCES)))
    return cases


def write_gzip(name, data):
    FIXTURES.mkdir(parents=True, exist_ok=True)
    path = FIXTURES / name
    path.write_bytes(gzip.compress(bytes(data), 9, mtime=0))
    print(f"{path}: {path.stat().st_size} bytes")


def record_cases(name, path, share):
    """share: every how manieth case is kept."""
    chance = random.Random(name)
    tokenizer = Tokenizer.from_file(str(path))
    vocabulary = sorted(json.loads(path.read_text())["model"]["vocab"])
    cases = make_cases(chance, vocabulary)[::share]
    out = bytearray()
    for case in cases:
        write_case(out, tokenizer, *case)
    print(f"{name}: {len(cases)} cases")
    write_gzip(f"{name}.gz", out)


def make_letter_vocabulary(chance):
    """One piece a letter, so that every span is one character's; some longer ones."""
    letters = [chr(code) for code in (*range(0x21, 0x7F), *range(0xC0, 0x250), *range(0x370, 0x400), *range(0x400, 0x460))]
    letters += [chr(code) for code in (*range(0x1100, 0x1113), *range(0x1161, 0x1176), *range(0x11A8, 0x11C3))]
    letters += list(MARKS) + list("日本語한國가각 Ａ\u0307ß\u03a9") + ["\u0f71", "\u0f72", "\U0001d157", "\U00011938"]
    pieces = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##ing", "ab", "##ab", "##abc", "ABC"])
    for letter in letters:
        pieces.setdefault(letter)
        pieces.setdefault("##" + letter)
    return {piece: index for index, piece in enumerate(pieces)}


def make_variants(chance):
    """{name: tokenizer.json as an object}."""
    base = json.loads(MINI.read_text())
    base["model"]["vocab"] = make_letter_vocabulary(chance)

    def variant(**changes):
        made = json.loads(json.dumps(base))
        for path, value in changes.items():
            *parents, key = path.split("__")
            target = made
            for parent in parents:
                target = target[parent]
            target[key] = value
        return made

    def added(content, **flags):
        entry = dict(single_word=False, lstrip=False, rstrip=False, normalized=False, special=False)
        return {"id": 0, "content": content, **entry, **flags}

    def with_added(*tokens):
        return base["added_tokens"] + list(tokens)

    def item(kind, name, type_id):
        return {kind: {"id": name, "type_id": type_id}}

    template = {
        "type": "TemplateProcessing",
        "single": [item("SpecialToken", "two", 1), item("Sequence", "A", 2)],
        "pair": [item("Sequence", "B", 3), item("SpecialToken", "[SEP]", 4), item("SpecialToken", "two", 0),
                 item("Sequence", "A", 5), item("SpecialToken", "[SEP]", 6)],
        "special_tokens": {"two": {"id": "two", "ids": [2, 4], "tokens": ["[CLS]", "[MASK]"]},
                           "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}},
    }
    return {
        "letters": base,
        "cased": variant(normalizer__lowercase=False),
        "cased-no-accents": variant(normalizer__lowercase=False, normalizer__strip_accents=True),
        "lower-with-accents": variant(normalizer__strip_accents=False),
        "no-chinese": variant(normalizer__handle_chinese_chars=False),
        "no-clean-up": variant(normalizer__clean_text=False),
        "no-normalizer": variant(normalizer=None),
        "no-pre-tokenizer": variant(pre_tokenizer=None),
        "no-template": variant(post_processor=None),
        "strange-template": variant(post_processor=template),
        "short-words": variant(model__max_input_chars_per_word=5),
        "other-prefix": variant(model__continuing_subword_prefix="ab", model__unk_token="the"),
        "empty-prefix": variant(model__continuing_subword_prefix=""),
        "added-strip": variant(added_tokens=with_added(added("<l>", lstrip=True), added("<r>", rstrip=True),
                                                       added("<b>", lstrip=True, rstrip=True), added("<n>"))),
        "added-word": variant(added_tokens=with_added(added("ab", single_word=True), added("b"), added("日", single_word=True),
                                                      added("_x", single_word=True, lstrip=True))),
        "added-normalized": variant(added_tokens=with_added(added("ÉA", normalized=True), added("ea", normalized=True, special=True),
                                                            added("日", normalized=True), added("e a", normalized=True, rstrip=True),
                                                            added("Å", normalized=True, single_word=True))),
        "added-long": variant(added_tokens=with_added(added("ab"), added("ab c"), added("abc"), added("ab", rstrip=True),
                                                      added(" "), added("c  d", normalized=True))),
        "gaps": variant(model__vocab={piece: index * 3 for piece, index in base["model"]["vocab"].items()},
                        post_processor=None, added_tokens=[]),
    }


VARIANT_STRINGS = [
    "ab <l> <r>  <b>\t<n> <l><r> <b><b>  a<b>b", "  <l>", "<r>  ", " <b> <b> ", "ab abab xab ab_ ab. ab日 日 日本 a日", "_x a _x _xab",
    "éa ÉA Ea e\u0301a xea eab e a e  a É A", "Å å A\u030a aÅ Å, ÅÅ", "abc ab c ab  cab abcab", "c  d c d C  D ab c  d",
    "The THE the  theing ABC abc Abc abcabc", "日本語 한國 각 가각 日the日", "e\u0301\u0323o \u0344\u0323e \u0f73\u0301a a\u302e\u0301 \u1100\u1161\u11a8",
    "x\u200by\u00adz \x07 a\ufffdb", "\u0130I\u0131 ßẞ ΑΣ ǅ Ω", "a\u00a0b\u3000c\u2028d\x85e", "\U0001d157\U0001d165\U0001d16d \U00011938",
    "abcdef abcde ab#cd ##ab", "[MASK] [mask]ab[SEP]", "", " ", "\u0301", "\u1abf\u08d3a\u0301",
]  # fmt: skip


def record_variants():
    chance = random.Random("variants")
    variants = make_variants(chance)
    out = bytearray()
    letters = "aAbBcCeEéÉåÅßσΣйЙ日本한각\u0130\u0301\u0323\u0344\u0f73\u302e\U0001d165\u1abf .,#_[]\t\u3000\u200b\ufffd"
    soup = ["".join(chance.choice(letters) for _ in range(chance.randint(1, 16))) for _ in range(90)]
    for made in variants.values():
        tokenizer = Tokenizer.from_str(json.dumps(made))
        strings = VARIANT_STRINGS + soup
        cases = [(0, 0, text, None) for text in strings]
        cases += [(chance.choice([PAIR, PAIR | NO_SPECIAL]), 0, text, chance.choice(strings[:10])) for text in strings[:30]]
        cases += [(TRUNCATE | PAIR, chance.randint(5, 12), text, chance.choice(strings[:10])) for text in strings[:20]]
        write_number(out, len(cases))
        for case in cases:
            write_case(out, tokenizer, *case)
    print(f"variants: {len(variants)}")
    write_gzip("variants.gz", out)
    write_gzip("variants.json.gz", json.dumps(variants, ensure_ascii=False, separators=(",", ":")).encode())


def record_block(answers, first):
    """FNV-1a over 32-bit words, those of each character: whether it is white space, punctuation, \\w, \\p{L}, \\p{N}, a
    digit and a mark, as bits; its combining class; then for cleaned, spaced, stripped, lowered and compatible the
    length and the characters minus this one."""
    value = 2166136261

    def add(word):
        nonlocal value
        value = (value ^ (word & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF

    for code in range(first, first + 256):
        seen = answers.get(code)
        if code == 0 or not seen:
            continue
        kinds = (seen.is_space, seen.is_punctuation, seen.is_word, seen.is_letter, seen.is_number, seen.is_digit, seen.is_mark)
        add(sum(is_so << bit for bit, is_so in enumerate(kinds)))
        add(seen.combining_class)
        for text in (seen.cleaned, seen.spaced, seen.stripped, seen.lowered, seen.compatible):
            add(len(text))
            for character in text:
                add(ord(character) - code)
    return value


def record_characters():
    answers = observe()
    blocks = [record_block(answers, first) for first in range(0, 0x110000, 256)]
    write_gzip("characters.gz", struct.pack(f"<{len(blocks)}I", *blocks))


def main():
    record_cases("bert-base-uncased", SHARED / "data/tokenizers/bert-base-uncased/tokenizer.json", 1)
    record_cases("headlight-mini", MINI, 3)
    record_variants()
    record_characters()


if __name__ == "__main__":
    main()
