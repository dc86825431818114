# SPDX-License-Identifier: MIT
"""Records how the tokenizers library (Oniguruma) splits strings at regular expressions, and replaces what they match.

    python tests/record/record_regexes.py      (from the project's root; tokenizers 0.23.3)

The strings are those of tests/fixtures/bpe/cases.gz (record_bpe.py) that have characters of Unicode 14 alone: which
characters are letters is a matter of the library's Unicode; the rest is made up. Writes tests/fixtures/tokenizer/regexes.json.gz:
{"texts": [text], "patterns": [{"name", "pattern", "behavior", "hashes": [of 5 texts each]}],
"replacements": [{"pattern", "content", "hashes"}]}.

The hash is FNV-1a over the first and end byte of each piece, of a replacement over each character that is left and the
first and end byte of what it came from, as 32-bit words, folded to 16 bits.
"""

import gzip
import json
import random
import unicodedata
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from record_tokenizer import PAIR, TRUNCATE

FIXTURES = Path("tests/fixtures")
N_TEXTS = 2000
N_TOGETHER = 5
SIGNS = list("aZéßſK'sStTlLvVrReEmMdD019٣½ \t\n\r\u00a0\u3000.,!?()[]{}|/-_&$€一龥가ひカッ。、؟，Ǆ\u0301\u200d🤖")

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
UPPER = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"

PATTERNS = [
    ("gpt2", f"(?:{GPT2})", "isolated"),
    ("llama-3", f"(?:{CL100K})", "isolated"),
    ("qwen2", "(?:" + CL100K.replace("{1,3}", "") + ")", "isolated"),
    ("deepseek-v2 lines", r"[\r\n]", "isolated"),
    ("deepseek-v2 letters", r"\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽ]+", "isolated"),
    ("deepseek-v2 signs", r"\s?[!-/:-~！-／：-～‘-‟　-。]+", "isolated"),
    ("deepseek-v2 end", r"\s+$", "isolated"),
    ("deepseek-v2 signs of writing", r"[一-龥ࠀ-一가-퟿]+", "isolated"),
    ("deepseek-v3 numbers", r"\p{N}{1,3}", "isolated"),
    ("deepseek-v3 kana", r"[一-龥぀-ゟ゠-ヿ]+", "isolated"),
    ("deepseek-v3 words", r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
     r"""| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+""", "isolated"),
    ("falcon", "[0-9][0-9][0-9]", "isolated"),
    ("o200k", rf"{UPPER}*{LOWER}+{SUFFIX}|{UPPER}+{LOWER}*{SUFFIX}|\p{{N}}{{1,3}}"
     r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+", "isolated"),
    ("tekken", rf"{UPPER}*{LOWER}+|{UPPER}+{LOWER}*|\p{{N}}"
     r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+", "isolated"),
    ("bloom", r" ?[^(\s|[.,!?…。，、।۔،])]+", "isolated"),
    ("starcoder", r"\p{N}", "isolated"),
    ("codegen", f"(?:{GPT2})", "removed"),
    ("stablelm", r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
     r"|\s*[\r\n]|\s+(?!\S)|\s+", "isolated"),
    ("clip", r"""<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+""", "removed"),
    ("words", r"\w+|[^\w\s]+", "isolated"),
    ("no words", r"\W+", "merged_with_previous"),
    ("edges", r"\b", "isolated"),
    ("hexadecimals", r"\h{2}|\H", "merged_with_next"),
    ("few", r"a{,2}b|\u00e9+|^\s*$", "contiguous"),
    ("blanks", r"\S+", "isolated"),
    ("braces", r"a{|[]a]|[a-c[de]&]+", "isolated"),
    ("nothing", r"x*", "isolated"),
]  # fmt: skip

# Expressions and contents of Replace; "$1" stands for itself.
REPLACEMENTS = [
    (r"""[!"\#\$%\&'\(\)\*\+,\-\./:;<=>\?@\[\\\]\^_`\{\|\}\~]""", ""),
    (r" {3,}", " "),
    (r"[ \u00a0\u3000]+", "▁"),
    (r"[\n\r]+", " ⏎ "),
    (r"(?<=\d)(?=(?:\d{3})+(?!\d))", ","),
    (r"^\s+|\s+$", ""),
    (r"([[a-z]A-Z])(?=\p{N})", "$1 "),
    (r"(?i)[ks]\b", "éß"),
    (r"\p{M}|[^\s\p{L}\p{N}\p{P}]", "�"),
    (r"(.)\1+", "."),
    (r"\b", "|"),
    (r"^", "▁"),
    (r"$", "</s>"),
    (r"x*", "-"),
]  # fmt: skip


def read_texts():
    data = gzip.decompress((FIXTURES / "bpe" / "cases.gz").read_bytes())
    texts, at = [], 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text():
        nonlocal at
        n = number()
        at += n
        return data[at - n : at].decode()

    while at < len(data):
        flags = number()
        if flags & TRUNCATE:
            number()
        texts.append(text())
        if flags & PAIR:
            texts.append(text())
    return list(dict.fromkeys(texts))


def hash_pieces(value, text, pieces):
    at = [0]
    for character in text:
        at.append(at[-1] + len(character.encode()))
    for _, (first, end) in pieces:
        for word in (at[first], at[end]):
            value = ((value ^ word) * 16777619) & 0xFFFFFFFF
    return value


def hash_texts(split, texts):
    value = 2166136261
    for text in texts:
        value = hash_pieces(value, text, split.pre_tokenize_str(text))
    return (value >> 16) ^ (value & 0xFFFF)


def split_into_characters(pattern, content):
    """A tokenizer whose pieces are the characters that Replace leaves; they know where they came from."""
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.normalizer = normalizers.Replace(Regex(pattern), content)
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    return tokenizer


def hash_replaced(tokenizer, decoder, texts):
    value = 2166136261
    for text in texts:
        replaced = tokenizer.normalizer.normalize_str(text)
        offsets = tokenizer.encode(text).offsets
        assert decoder.decode([text]) == replaced and len(offsets) == len(replaced)
        at = [0]
        for character in text:
            at.append(at[-1] + len(character.encode()))
        for character, (first, end) in zip(replaced, offsets):
            for word in (ord(character), at[first], at[end]):
                value = ((value ^ word) * 16777619) & 0xFFFFFFFF
    return (value >> 16) ^ (value & 0xFFFF)


def record_replacement(pattern, content, texts):
    tokenizer, decoder = split_into_characters(pattern, content), decoders.Replace(Regex(pattern), content)
    hashes = [hash_replaced(tokenizer, decoder, texts[at : at + N_TOGETHER]) for at in range(0, N_TEXTS, N_TOGETHER)]
    return dict(pattern=pattern, content=content, hashes=hashes)


def main():
    chance = random.Random(5)
    texts = [text for text in read_texts() if all(unicodedata.category(c) != "Cn" for c in text)]
    texts = chance.sample(texts, min(len(texts), N_TEXTS - 300))
    while len(texts) < N_TEXTS:
        texts.append("".join(chance.choices(SIGNS, k=chance.randint(1, 40))))
    patterns = []
    for name, pattern, behavior in PATTERNS:
        split = pre_tokenizers.Split(Regex(pattern), behavior)
        hashes = [hash_texts(split, texts[at : at + N_TOGETHER]) for at in range(0, N_TEXTS, N_TOGETHER)]
        behavior = "".join(word.title() for word in behavior.split("_"))
        patterns.append(dict(name=name, pattern=pattern, behavior=behavior, hashes=hashes))
    replacements = [record_replacement(pattern, content, texts) for pattern, content in REPLACEMENTS]
    record = json.dumps(dict(texts=texts, patterns=patterns, replacements=replacements), ensure_ascii=False)
    (FIXTURES / "tokenizer" / "regexes.json.gz").write_bytes(gzip.compress(record.encode(), mtime=0))
    print(len(texts), "texts")


main()
