# SPDX-License-Identifier: MIT
"""Records what tokenizers of SentencePiece's kind make of a few thousand strings each.

    python tests/record/record_sentencepiece.py [NAME ...]   (from the project's root; tokenizers 0.23.3,
                                                              transformers 5.23, sentencepiece 0.2.3)

Reads t5-small, albert and tatoeba from $HEADLIGHT_SHARED or ../shared, and trains small models on sentences of tatoeba
and record_tokenizer.py. Writes into tests/fixtures/sentencepiece/, cases as record_tokenizer.py describes them:
    t5-small.gz, albert.gz             cases for the files of these names
    components.json.gz, components.gz  tokenizer.json files in small variations; for each the number of cases and the cases
    settings.json, settings.gz         settings beside a trained model, and cases as above
    close.json.gz, close.gz            models for Marian that are hard to cut, with their vocabularies, and cases as above
    t5/, xlm-roberta/, llama/, marian/, marian-separate/   trained models with their small files, and cases.gz
"""

import base64
import gzip
import itertools
import json
import random
import shutil
import sys
import tempfile
import unicodedata
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import LlamaTokenizer, MarianTokenizer, T5Tokenizer, XLMRobertaTokenizer

from record_tokenizer import (
    DECODE, FIXTURES, INVISIBLE, MARKS, NO_SPECIAL, NO_SPANS, PAIR, SENTENCES, SHARED, SKIP_SPECIAL, TARGET, WHITE,
    make_block_strings, make_soup_strings, write_case, write_head, write_number, write_text,
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
<|user|>a <|end|> b<|user|> <|end|>
 <|end|> <|user|> x
<|user|><|end|>
<|end|>  <|user|>
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


def make_rules(path):
    """NFKC of a few blocks, whole sequences too, and the blanks: some kilobytes instead of a quarter of a megabyte."""
    codes = [*range(0xA0, 0x180), *range(0x2000, 0x2030), *range(0x2150, 0x2180), *range(0xFB00, 0xFB07), *range(0xFF01, 0xFF5F)]
    rules = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in codes}
    for base in "aeinouAEO":
        for marks in ("\u0301", "\u0308", "\u0303", "\u0323", "\u0323\u0301", "\u0308\u0301"):
            rules[base + marks] = unicodedata.normalize("NFKC", base + marks)
    for lead in "\u1100\u1102\u1112":
        for vowel in "\u1161\u1173":
            for tail in ("", "\u11ab", "\u11af"):
                rules[lead + vowel + tail] = unicodedata.normalize("NFKC", lead + vowel + tail)
    rules |= {blank: " " for blank in "\t\n\r\u3000\u200b\ufeff"} | {"\u00ad": "", "\u0007": "", "™": "tm ", "ab\u0308c": "X Y"}
    lines = [" ".join(f"{ord(c):X}" for c in source) + "\t" + " ".join(f"{ord(c):X}" for c in target)
             for source, target in sorted(rules.items()) if source != target]
    path.write_text("\n".join(lines) + "\n")


def read_lines(language):
    with gzip.open(SHARED / f"data/tatoeba/eng-{language}.txt.gz", "rt") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return [line[0] for line in lines[::40]], [line[1] for line in lines[::40]]


def train(path, lines, rules=True, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    table = path.parent / "rules.tsv"
    if rules:
        make_rules(table)
        options["normalization_rule_tsv"] = str(table)
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_prefix=str(path), num_threads=1,
                                             minloglevel=2, **options)
    path.with_name(path.name + ".vocab").unlink()
    path.with_name(path.name + ".model").rename(path)
    table.unlink(missing_ok=True)
    print(f"{path}: {path.stat().st_size} bytes")


def read_proto(path):
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(path.read_bytes())
    return proto


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


def record_folder(name, model, cls):
    """What transformers makes of a folder that holds nothing but the model and its settings."""
    pieces = [piece.piece for piece in read_proto(FOLDER / name / model).pieces]
    record_cases(f"{name}/cases.gz", cls.from_pretrained(FOLDER / name).backend_tokenizer, pieces)


def record_t5_model():
    english, _ = read_lines("fra")
    train(FOLDER / "t5/spiece.model", english + SENTENCES, vocab_size=500, model_type="unigram",
          pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    write_json(FOLDER / "t5/tokenizer_config.json", {"tokenizer_class": "T5Tokenizer", "extra_ids": 7})
    record_folder("t5", "spiece.model", T5Tokenizer)


def record_xlm_roberta():
    english, french = read_lines("fra")
    train(FOLDER / "xlm-roberta/sentencepiece.bpe.model", english + french + SENTENCES, vocab_size=700, model_type="unigram")
    write_json(FOLDER / "xlm-roberta/config.json", {"model_type": "xlm-roberta"})
    record_folder("xlm-roberta", "sentencepiece.bpe.model", XLMRobertaTokenizer)


def record_llama():
    english, french = read_lines("fra")
    train(FOLDER / "llama/tokenizer.model", english + french, rules=False, vocab_size=900, model_type="bpe", byte_fallback=True,
          normalization_rule_name="identity", remove_extra_whitespaces=False, split_digits=True,
          user_defined_symbols=["<|user|>"], control_symbols=["<|end|>"])
    config = {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "add_eos_token": False, "legacy": False}
    write_json(FOLDER / "llama/tokenizer_config.json", config)
    record_folder("llama", "tokenizer.model", LlamaTokenizer)


def make_albert(proto):
    """The hub's tokenizer.json for a model of ALBERT: transformers 5 builds another one from the model alone."""
    def score(piece):
        digit = len(piece.piece) > 1 and piece.piece[-1] == "," and piece.piece[-2].isdigit()
        return piece.score - 100 if digit else piece.score

    tokenizer = Tokenizer(models.Unigram([(piece.piece, score(piece)) for piece in proto.pieces], unk_id=1))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(), normalizers.StripAccents(),
        normalizers.Lowercase(), normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap),
        normalizers.Replace(Regex(" {2,}"), " "),
    ])  # fmt: skip
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")])
    tokenizer.add_special_tokens(["<pad>", "<unk>", "[CLS]", "[SEP]", AddedToken("[MASK]", lstrip=True, normalized=False)])
    return tokenizer


def record_albert():
    proto = read_proto(SHARED / "data/tokenizers/albert/spiece.model")
    record_cases("albert.gz", make_albert(proto), [piece.piece for piece in proto.pieces])


def write_marian_case(out, tokenizer, flags, text_a, text_b):
    texts = {"text_target": text_a} if flags & TARGET else {"text": text_a, "text_pair": text_b}
    ids = tokenizer(**texts, add_special_tokens=not flags & NO_SPECIAL)["input_ids"]
    write_head(out, flags | NO_SPANS, 0, text_a, text_b)
    write_number(out, len(ids))
    for number in ids + [0] * len(ids):
        write_number(out, number)
    for index in range(len(ids)):
        special = index + 1 == len(ids) and not flags & NO_SPECIAL
        write_number(out, 0 if special else 1)
        if not special:
            write_number(out, 0)
    if flags & DECODE:
        write_text(out, tokenizer.decode(ids, skip_special_tokens=bool(flags & SKIP_SPECIAL)))


def record_marian_cases(path, folder, pieces):
    chance = random.Random(str(path))
    tokenizer = MarianTokenizer.from_pretrained(folder)
    codes = [">>fra<<", ">>deu<< ", ">>xyz<<", ">>fra", ">> <<", ">><<", " >>fra<< ", ">>fra<<>>deu<<", ">>fra<</s>>>deu<<"]
    out = bytearray()
    cases = [case for case in make_cases(chance, pieces)]
    cases += [(DECODE, 0, code + text, None) for code in codes for text in SENTENCES[:8] + [""]]
    cases += [(TARGET | flags, 0, text, None) for flags, _, text, pair in cases[::4] if pair is None and flags & ~DECODE == 0]
    for flags, _, text_a, text_b in cases:
        write_marian_case(out, tokenizer, flags, text_a, text_b)
    print(f"{path}: {len(cases)} cases")
    write_gzip(FOLDER / path, out)


def make_vocabulary(chance, *models):
    """Pieces in another order than the models', one in twenty left out, and languages."""
    pieces = {piece.piece for model in models for piece in read_proto(model).pieces if piece.type == 1}
    kept = [piece for piece in sorted(pieces) if chance.random() > 0.05]
    chance.shuffle(kept)
    tokens = ["</s>", "<unk>", "<pad>", *kept, ">>fra<<", ">>deu<<"]
    return {token: index for index, token in enumerate(tokens)}


def record_marian():
    chance = random.Random("marian")
    english, french = read_lines("fra")
    shared, separate = FOLDER / "marian", FOLDER / "marian-separate"
    train(shared / "source.spm", english + SENTENCES, vocab_size=420, model_type="unigram")
    train(shared / "target.spm", french + SENTENCES, vocab_size=430, model_type="unigram", add_dummy_prefix=True)
    write_json(shared / "vocab.json", make_vocabulary(chance, shared / "source.spm", shared / "target.spm"))
    write_json(shared / "tokenizer_config.json", {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "fr"})
    separate.mkdir(exist_ok=True)
    for name in ("source.spm", "target.spm"):
        shutil.copy(shared / name, separate / name)
    write_json(separate / "vocab.json", make_vocabulary(chance, shared / "source.spm"))
    write_json(separate / "target_vocab.json", make_vocabulary(chance, shared / "target.spm"))
    write_json(separate / "tokenizer_config.json", {"separate_vocabs": True})
    pieces = list(json.loads((shared / "vocab.json").read_text()))
    record_marian_cases("marian/cases.gz", shared, pieces)
    record_marian_cases("marian-separate/cases.gz", separate, pieces)


SETTINGS_STRINGS = [
    "Hello world", " a  b", "</s>a <s> b<unk>", "<|user|>a <|end|> b", "", " ", "Élan ``vital'' \u00c5\u030a (x) 5,6, 7", "日本 x\u0301", "<extra_id_0>a <extra_id_1>",
    "<mask>a  <mask>b", "[MASK] a[MASK]", "<pad>a x y b", "[CLS] a", "\tTab\n",
]  # fmt: skip


def make_settings():
    """(folder, class, settings beside the model): what a tokenizer_config.json may say."""
    extra = {"90": {"content": "x y", "single_word": False, "lstrip": False, "rstrip": True, "normalized": False, "special": True}}
    return [
        ("llama", LlamaTokenizer, {"add_bos_token": True, "add_eos_token": True}),
        ("llama", LlamaTokenizer, {"add_bos_token": False, "add_eos_token": True, "legacy": True}),
        ("llama", LlamaTokenizer, {"add_bos_token": True, "add_prefix_space": False}),
        ("llama", LlamaTokenizer, {"add_bos_token": False, "added_tokens_decoder": extra}),
        ("llama", LlamaTokenizer, {}),
        ("t5", T5Tokenizer, {"extra_ids": 3, "eos_token": "▁the"}),
        ("t5", T5Tokenizer, {"extra_ids": 1, "unk_token": "<unk>", "added_tokens_decoder": extra}),
        ("xlm-roberta", XLMRobertaTokenizer, {"add_prefix_space": False}),
        ("xlm-roberta", XLMRobertaTokenizer, {"mask_token": {"__type": "AddedToken", "content": "<mask>", "lstrip": True,
                                              "rstrip": False, "single_word": False, "normalized": False, "special": True}}),
    ]  # fmt: skip


def record_settings():
    listed, out = [], bytearray()
    for name, cls, config in make_settings():
        config = {"tokenizer_class": cls.__name__, **config}
        with tempfile.TemporaryDirectory() as folder:
            for path in (FOLDER / name).glob("*.model"):
                shutil.copy(path, folder)
            write_json(Path(folder) / "tokenizer_config.json", config)
            tokenizer = cls.from_pretrained(folder).backend_tokenizer
        listed.append({"folder": name, "config": config})
        write_number(out, 2 * len(SETTINGS_STRINGS))
        for text in SETTINGS_STRINGS:
            write_case(out, tokenizer, DECODE, 0, text, None)
            write_case(out, tokenizer, PAIR | DECODE | SKIP_SPECIAL, 0, text, "a b")
    write_gzip(FOLDER / "settings.gz", out)
    write_json(FOLDER / "settings.json", listed)


COMPONENT_STRINGS = [
    "", " ", "a", " a", "  a  b ", "a  b   c\t\td \n e\r\nf", "\ta\u3000\u3000b\u00a0\u00a0c\x0b\x0cd\u2028e\x85f", "ab abab xabx a b aab", "<x>a <x> b<x>",
    "<unk>a<unk><unk> b", "a-b--c-", "-", "\u2581a \u2581 \u2581\u2581b", "_a_b c", "ﬁ ﬁn a\u0301b½ ab\u0308c ab\u0308 ™", "\u00ada\u00adb \u00ad\u00ad c", "\u00ad",
    "\u0001a\u0007b\u007f \u200bc\ufeffd\ufffd\u200ee\u1680f\u2029", "日本語 a日b 日日 é\u0301 ü", "€ 😀 a😀b <0x41> <0xE2>", "qzqz zq q", "wxy wxyz xyw", "abz", "acz", "xabzxz", "a" * 200,
    "ab" * 150, " " * 90, "日" * 70, "a\r\nb\r\r\nc", "\r\n",
]  # fmt: skip


def make_components():
    """{name: tokenizer.json as an object}."""
    proto = read_proto(FOLDER / "t5/spiece.model")
    letters = [[letter, -4.0 - index / 7] for index, letter in enumerate("abcdefghijklmnoprstuvwxy▁éü-_<>AXYnT2\u20441fi")]
    words = [["▁a", -3.0], ["ab", -2.5], ["▁ab", -6.0], ["aba", -3.7], ["▁▁", -5.0], ["▁b", -4.5], ["XY", -3.0], ["wxyz", -2.0]]
    pieces = [["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], *letters, *words]
    pieces = list({piece: [piece, score] for piece, score in pieces}.values())
    base = {
        "version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None,
        "model": {"type": "Unigram", "unk_id": 2, "vocab": pieces},
    }
    precompiled = normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap)
    precompiled = json.loads(precompiled.__getstate__())
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    added = dict(id=0, content="<x>", single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
    every_byte = [[f"<0x{byte:02X}>", 0.0] for byte in range(256)]

    def sequence(key, *steps):
        return {"type": "Sequence", key: list(steps)}

    def replace(kind, pattern, content):
        return {"type": "Replace", "pattern": {kind: pattern}, "content": content}

    def unigram(vocab, **options):
        return {"model": {"type": "Unigram", "unk_id": 2, "vocab": vocab, **options}}

    to_mark, to_space = replace("String", " ", "▁"), replace("String", "▁", " ")
    llama = sequence("decoders", to_space, {"type": "ByteFallback"}, {"type": "Fuse"},
                     {"type": "Strip", "content": " ", "start": 1, "stop": 0})
    twice = [*pieces, ["ab", -9.0], ["<unk>x", 0.0], ["qz", -40.0], ["日日", -60.0]]
    changes = {
        "plain": {},
        "untyped": {"model": {"unk_id": 2, "vocab": pieces}, "decoder": {"type": "Metaspace", "replacement": "▁"}},
        "always": {"pre_tokenizer": metaspace, "decoder": metaspace},
        "first": {"pre_tokenizer": {**metaspace, "prepend_scheme": "first"}, "decoder": {**metaspace, "prepend_scheme": "first"}},
        "never": {"pre_tokenizer": {**metaspace, "prepend_scheme": "never"}, "decoder": {**metaspace, "prepend_scheme": "never"}},
        "whole": {"pre_tokenizer": {**metaspace, "split": False}},
        "first-whole": {"pre_tokenizer": {**metaspace, "prepend_scheme": "first", "split": False}},
        "old": {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "str_rep": "▁", "add_prefix_space": True}},
        "old-never": {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": False, "prepend_scheme": "never"}},
        "underscore": {"pre_tokenizer": {**metaspace, "replacement": "_"}, "decoder": {**metaspace, "replacement": "_"}},
        "words": {"pre_tokenizer": sequence("pretokenizers", {"type": "WhitespaceSplit"}, metaspace)},
        "hyphens": {"pre_tokenizer": sequence("pretokenizers", {"type": "CharDelimiterSplit", "delimiter": "-"}, metaspace)},
        "two-spaces": {"normalizer": replace("Regex", " {2,}", " "), "pre_tokenizer": metaspace},
        "two-spaces-mark": {"normalizer": replace("Regex", " {2,}", "▁"), "pre_tokenizer": metaspace},
        "blanks": {"normalizer": replace("Regex", r"\s{2,}|[\n\r\t]", " "), "pre_tokenizer": metaspace},
        "all-blanks": {"normalizer": sequence("normalizers", replace("Regex", r"\s+", " "), replace("Regex", " +", "▁"))},
        "strings": {"normalizer": sequence("normalizers", replace("String", "ab", "XYé"), replace("String", "b", ""),
                                           replace("String", "é", "ab")), "decoder": replace("String", "XY", "")},
        "llama": {"normalizer": sequence("normalizers", {"type": "Prepend", "prepend": "▁"}, to_mark), "decoder": llama,
                  **unigram(pieces + every_byte, byte_fallback=True)},
        "some-bytes": {"normalizer": sequence("normalizers", {"type": "Prepend", "prepend": "ab"}, to_mark), "decoder": llama,
                       **unigram(pieces + every_byte[:0xE0], byte_fallback=True)},
        "strip": {"decoder": {"type": "Strip", "content": "a", "start": 2, "stop": 0}},
        "fuse": {"decoder": sequence("decoders", {"type": "Fuse"}, {"type": "Strip", "content": "b", "start": 0, "stop": 1})},
        "nmt": {"normalizer": {"type": "Nmt"}, "pre_tokenizer": metaspace},
        "precompiled": {"normalizer": precompiled, "pre_tokenizer": metaspace, "decoder": metaspace},
        "twice": {**unigram(twice), "added_tokens": []},
        # An unknown z costs so much that "abz" is better cut a-bz, and so little that "abz " keeps ab.
        "price": unigram([["<s>", 0.0], ["a", -15.0], ["<unk>", 0.0], ["ab", -1.0], ["bz", -20.0], ["q", -30.0], ["xz", -12.0],
                          ["x", -1.0], ["cz", -28.0], ["ac", -1.0]]),
        "other-unknown": {"model": {"type": "Unigram", "unk_id": 5, "vocab": pieces}},
    }  # fmt: skip
    base["added_tokens"].append(added)
    return {name: {**base, **change} for name, change in changes.items()}


def record_components():
    chance = random.Random("components")
    made = make_components()
    out = bytearray()
    letters = "aaabbbxyw  \t\n-▁_<é日\u0301\u0308½ﬁ\u00ad\u00a0😀qz"
    soup = ["".join(chance.choice(letters) for _ in range(chance.randint(1, 14))) for _ in range(60)]
    for value in made.values():
        tokenizer = Tokenizer.from_str(json.dumps(value))
        strings = COMPONENT_STRINGS + soup
        # The library's Strip panics where it takes more than there is.
        cases = [(DECODE if text else 0, 0, text, None) for text in strings] + [(PAIR, 0, text, "a b") for text in strings[:20]]
        write_number(out, len(cases))
        for case in cases:
            write_case(out, tokenizer, *case)
    print(f"components: {len(made)}")
    write_gzip(FOLDER / "components.gz", out)
    write_gzip(FOLDER / "components.json.gz", json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode())


def make_close_models():
    """{name: model}: pieces whose sums are the same but for rounding, normalised in every way that a model can ask for."""
    base = read_proto(FOLDER / "marian/source.spm")
    words = ["".join(letters) for length in range(1, 5) for letters in itertools.product("ab", repeat=length)]
    scores = {word: -0.1 * len(word) for word in words} | {mark + word: -0.1 * (len(word) + 1) for mark in ("▁", "▁▁") for word in "ab"}
    scores |= {"▁": -0.1, "é": -0.1, "éa": -0.2, "fi": -0.2, "ca": -10.3, "ac": -0.2, " ": -0.1, "a▁": -0.2, "<user>": 0.0}
    changes = {
        "close": {},
        "keep-spaces": {"remove_extra_whitespaces": False},
        "no-prefix": {"add_dummy_prefix": False},
        "no-prefix-keep-spaces": {"add_dummy_prefix": False, "remove_extra_whitespaces": False},
        "plain-spaces": {"escape_whitespaces": False},
        "no-charsmap": {"precompiled_charsmap": b""},
    }
    made = {}
    for name in [*changes, "suffix", "user-defined"]:
        proto = sentencepiece_model_pb2.ModelProto()
        proto.CopyFrom(base)
        del proto.pieces[3:]
        for piece, score in scores.items():
            proto.pieces.add(piece=piece, score=score, type=4 if name == "user-defined" and piece in ("<user>", "abb", "ﬁ") else 1)
        if name == "user-defined":
            proto.pieces.add(piece="ﬁ", score=0.0, type=4)
            proto.pieces.add(piece="bba", score=0.0, type=5)
            del proto.pieces[[piece.piece for piece in proto.pieces].index("bba")]
        proto.trainer_spec.treat_whitespace_as_suffix = name == "suffix"
        for key, value in changes.get(name, {}).items():
            setattr(proto.normalizer_spec, key, value)
        made[name] = proto
    return made


def record_close():
    chance = random.Random("close")
    out, listed = bytearray(), {}
    strings = ["".join(chance.choice("aaabbb") for _ in range(chance.randint(2, 60))) for _ in range(120)]
    strings += ["".join(chance.choice("aabbc éﬁ  ▁\t\u00ad") for _ in range(chance.randint(1, 24))) for _ in range(150)]
    strings += ["", " ", "   ", "▁", " a ", "a  ", "\u00ad", "a\u00ad ", " \u00ad a", "<user>a<user>", " <user> ﬁabb", "cac", "ca c"]
    for name, proto in make_close_models().items():
        with tempfile.TemporaryDirectory() as folder:
            for model in ("source.spm", "target.spm"):
                (Path(folder) / model).write_bytes(proto.SerializeToString())
            pieces = dict.fromkeys(["</s>", "<unk>", "<pad>", *(piece.piece for piece in proto.pieces)])
            vocabulary = {piece: index for index, piece in enumerate(pieces)}
            write_json(Path(folder) / "vocab.json", vocabulary)
            write_json(Path(folder) / "tokenizer_config.json", {})
            tokenizer = MarianTokenizer.from_pretrained(folder)
        listed[name] = {"model": base64.b64encode(proto.SerializeToString()).decode(), "vocab": vocabulary}
        write_number(out, 2 * len(strings))
        for text in strings:
            write_marian_case(out, tokenizer, DECODE, text, None)
            write_marian_case(out, tokenizer, DECODE | SKIP_SPECIAL | PAIR, text, "b</s> a")
    write_gzip(FOLDER / "close.gz", out)
    write_gzip(FOLDER / "close.json.gz", json.dumps(listed, ensure_ascii=False).encode())


RECORDERS = {
    "t5-small": record_t5, "albert": record_albert, "t5": record_t5_model, "xlm-roberta": record_xlm_roberta,
    "llama": record_llama, "marian": record_marian, "components": record_components,
    "settings": record_settings, "close": record_close,
}  # fmt: skip


def main():
    for name in sys.argv[1:] or RECORDERS:
        RECORDERS[name]()


if __name__ == "__main__":
    main()
