# SPDX-License-Identifier: MIT
"""Records what tokenizers of byte-pair encoding make of a few thousand strings, which they share; WordPiece too, for
the text that its tokens are decoded to.

    python tests/record/record_bpe.py      (from the project's root; tokenizers 0.23.3, transformers 5.23)
    python tests/record/record_bpe.py NAME TEXT [TEXT]      prints what tokenizer NAME makes of a text or a pair

gpt2 and roberta-base are read from $HEADLIGHT_SHARED or ../shared, the others are trained here on the strings of
record_tokenizer.py and record_sentencepiece.py. Writes into tests/fixtures/bpe/:
    cases.gz             the cases: flags as in record_tokenizer.py, [most tokens], text A, [text B]
    tokenizers.json.gz   {name: tokenizer.json}, the trained ones and small variations
    NAME.hashes          for each case what the tokenizer of that name makes of it, as a 32-bit little-endian hash;
                         NAME-slow: as transformers builds it from vocab.json and merges.txt alone
    variants.hashes      the same for the variations in their order, of every 12th case

The hash is FNV-1a over 32-bit words: the number of tokens, their ids, type ids, first and end bytes (both 2^32 - 1 for a
special token), then the bytes of the decoded text, where the flag 16 says that special tokens are left out.
"""

import gzip
import json
import random
import struct
import sys
import tempfile
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers import AddedToken
from transformers import BartTokenizer, GPT2Tokenizer, Qwen2Tokenizer, RobertaTokenizer

from record_sentencepiece import MORE, make_vocabulary_strings, make_white_strings
from record_tokenizer import (
    FIXTURES, NO_SPECIAL, PAIR, SENTENCES, SHARED, SKIP_SPECIAL, TRUNCATE,
    MINI, byte_offsets, make_block_strings, make_soup_strings, write_number, write_text,
)  # fmt: skip

FOLDER = FIXTURES.parent / "bpe"
VARIANT_SHARE = 12
GPT2_OPTIONS = dict(add_prefix_space=True, add_bos_token=True, pad_token="<|pad|>")

GPT2_WORDS = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2_WORDS = LLAMA3_WORDS.replace("{1,3}", "")

TRAPS = """
don't DON'T I'M it'S we'RE they've WE'VE I'll I'LL he'd 'tis ''s ' 's s' 'ſ it'ſ 'K 'l l'x 're're a'ſx it'ſxx A'Sx I'LLx he'Rex you'VEx
12345 1234567890 ١٢٣٤٥٦٧ ½½½½ ①②③④ Ⅻ x1y22z333 1 22 333 4444 1,000.50
<|endoftext|> a<|endoftext|>b  <|endoftext|>  <|begin_of_text|>x <|eot_id|> <|im_start|>user <|im_end|>
<mask> a <mask>b  <mask>  c<mask> <s> </s> <pad> <unk> x</s>y <s>a
Ġ Ċ ĠĠa Ã© â ▁a <0x0A> <0xE2> Ā ġ
a_b _a __ (a) "b" a-b a—b …? !!! ?! $5 #1 @x
\u01c5x \u00aa\u00ba ᾳ ﬆ Ǆ \u02b0 \u0345 \u2160 \u3007 \u4e00 \u00b2
""".strip("\n").split("\n") + [
    "a\n\nb", "a \n b", "a\r\nb\r\n", "\n\n\n", " \n ", "a  \n  b", "\t\tx", "x\t\ty", "a\u00a0b", "a \u00a0 b", "\u3000\u3000a",
    "!\n\n!", "?!\r\n\r\nx", ".\n", " .\n\n .", "\u2028a\u2029b", "a\x0bb\x0cc", "\x1c\x1d x", "a\u0085b \u0085", "  \n\t a",
    "tokenization" * 40, "a" * 3000, "ab" * 700, "é" * 500, "🤖" * 200, "\n" * 100, " " * 200, "x" * 65 + " " + "y" * 64,
]  # fmt: skip


def make_cases(chance, pieces):
    """(flags, most tokens, text A, text B)."""
    written = SENTENCES + MORE + TRAPS + make_white_strings(chance)
    made = make_block_strings(chance) + make_vocabulary_strings(chance, pieces) + make_soup_strings(chance)
    strings = [text for text in written + chance.sample(made, 2100 - len(written)) if "\0" not in text]
    cases = [(SKIP_SPECIAL * (index % 2), 0, text, None) for index, text in enumerate(strings)]
    for text in SENTENCES + MORE + TRAPS[:20]:
        cases.append((NO_SPECIAL, 0, text, None))
        cases.append((PAIR, 0, text, chance.choice(SENTENCES)))
        cases.append((TRUNCATE | PAIR, chance.randint(4, 20), text, chance.choice(SENTENCES)))
    for _ in range(200):
        cases.append((chance.choice([PAIR, PAIR | NO_SPECIAL]), 0, chance.choice(strings), chance.choice(strings) or "b"))
    return cases


def encode(tokenizer, flags, most, text_a, text_b):
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if flags & TRUNCATE:
        tokenizer.enable_truncation(max_length=most, strategy="longest_first")
    encoded = tokenizer.encode(text_a, text_b, add_special_tokens=not flags & NO_SPECIAL)
    offsets = [byte_offsets(text_a), byte_offsets(text_b or "")]
    spans = []
    for (first, end), special, sentence in zip(encoded.offsets, encoded.special_tokens_mask, encoded.sequence_ids):
        spans.append((-1, -1) if special else (offsets[sentence][first], offsets[sentence][end]))
    decoded = tokenizer.decode(encoded.ids, skip_special_tokens=bool(flags & SKIP_SPECIAL))
    return encoded, spans, decoded


def hash_words(ids, type_ids, spans, decoded):
    value = 2166136261
    words = [len(ids), *ids, *type_ids]
    for first, end in spans:
        words += [first, end]
    for word in words + list(decoded.encode()):
        value = (value ^ (word & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF
    return value


def hash_case(tokenizer, case):
    encoded, spans, decoded = encode(tokenizer, *case)
    return hash_words(encoded.ids, encoded.type_ids, spans, decoded)


def make_corpus(chance, pieces):
    return (SENTENCES + MORE + TRAPS) * 4 + make_vocabulary_strings(chance, pieces) + make_soup_strings(chance)[:50]


def train(model, corpus, pre_tokenizer, size, **options):
    tokenizer = Tokenizer(model)
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=size, show_progress=False, **options))
    return json.loads(tokenizer.to_str())["model"]


def byte_level(cut=True, prefix=False):
    return pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=cut)


def with_regex(regex):
    split = pre_tokenizers.Split(Regex(regex), behavior="isolated", invert=False)
    return pre_tokenizers.Sequence([split, byte_level(False)])


def component(step):
    """What tokenizer.json says of a component."""
    tokenizer = Tokenizer(models.BPE())
    for key, base in (
        ("normalizer", normalizers.Normalizer), ("pre_tokenizer", pre_tokenizers.PreTokenizer),
        ("post_processor", processors.PostProcessor), ("decoder", decoders.Decoder),
    ):  # fmt: skip
        if isinstance(step, base):
            setattr(tokenizer, key, step)
            return json.loads(tokenizer.to_str())[key]
    return None


def added(content, index, **flags):
    entry = dict(single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
    return {"id": index, "content": content, **entry, **flags}


def assemble(model, added_tokens=(), normalizer=None, pre_tokenizer=None, post_processor=None, decoder=None):
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": list(added_tokens),
        "normalizer": component(normalizer), "pre_tokenizer": component(pre_tokenizer),
        "post_processor": component(post_processor), "decoder": component(decoder), "model": model,
    }  # fmt: skip


def make_llama3(corpus):
    model = train(models.BPE(), corpus, with_regex(LLAMA3_WORDS), 1500, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    model["ignore_merges"] = True
    # Pieces that no merge makes, as Llama 3 has them: a word that is one of them is not cut.
    for piece in ("Ġtokenization", "unmergeable", "123", "ĠKöln".replace("ö", "Ã¶")):
        model["vocab"].setdefault(piece, len(model["vocab"]))
    size = len(model["vocab"])
    names = ["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"]
    bos = (names[0], size)
    template = processors.TemplateProcessing(
        single=f"{bos[0]} $A", pair=f"{bos[0]} $A {bos[0]}:1 $B:1", special_tokens=[bos]
    )
    tokens = [added(name, size + index) for index, name in enumerate(names)]
    made = assemble(model, tokens, None, with_regex(LLAMA3_WORDS), None, decoders.ByteLevel())
    tokenizer = Tokenizer.from_str(json.dumps(made))
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    return json.loads(tokenizer.to_str())


def make_qwen2(corpus):
    corpus = [normalizers.NFC().normalize_str(text) for text in corpus]
    model = train(models.BPE(), corpus, with_regex(QWEN2_WORDS), 1200, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    size = len(model["vocab"])
    tokens = [added(name, size + index) for index, name in enumerate(("<|endoftext|>", "<|im_start|>", "<|im_end|>"))]
    return assemble(
        model, tokens, normalizers.NFC(), with_regex(QWEN2_WORDS), processors.ByteLevel(trim_offsets=False), decoders.ByteLevel()
    )


def make_bart(corpus):
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    model = train(
        models.BPE(), corpus, byte_level(), 1000,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=special,
    )  # fmt: skip
    tokens = [added(name, index, lstrip=name == "<mask>") for index, name in enumerate(special)]
    processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    return assemble(model, tokens, None, byte_level(), processor, decoders.ByteLevel())


def make_llama2(corpus):
    """Byte fallback, with what newer files have around it."""
    special = ["<unk>", "<s>", "</s>"]
    marked = [text.replace(" ", "▁") for text in corpus]
    spaces = pre_tokenizers.Split("▁", "merged_with_next")
    model = train(models.BPE(), marked, spaces, 700, special_tokens=special + [f"<0x{byte:02X}>" for byte in range(256)])
    model.update(unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    tokens = [added(name, index) for index, name in enumerate(special)]
    template = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    return assemble(
        model, tokens, normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]), None, template,
        decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]),
    )  # fmt: skip


def make_cuts(corpus, regex):
    """A space before every word shows where the words were cut, also where no merge would tell."""
    model = train(models.BPE(), corpus, byte_level(), 300, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    cut = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(regex), behavior="isolated"), byte_level(False, True)])
    return assemble(model, (), None, cut, None, decoders.ByteLevel())


def make_variants(corpus):
    """{name: tokenizer.json}: each component and each option of the model once."""
    small = train(models.BPE(), corpus, byte_level(), 400, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    letters = train(models.BPE(unk_token="<unk>"), corpus[:90], None, 420, special_tokens=["<unk>"])
    marked_model = models.BPE(unk_token="[UNK]", continuing_subword_prefix="##", end_of_word_suffix="</w>")
    marked = train(
        marked_model, corpus[:60], pre_tokenizers.BertPreTokenizer(), 500,
        special_tokens=["[UNK]"], continuing_subword_prefix="##", end_of_word_suffix="</w>",
    )  # fmt: skip
    bert = pre_tokenizers.BertPreTokenizer()

    def cut_by(*steps):
        return assemble(small, (), None, pre_tokenizers.Sequence([*steps, byte_level(False)]), None, decoders.ByteLevel())

    def spelt(model=letters, normalizer=None, pre_tokenizer=bert, **options):
        return assemble({**model, **options}, (), normalizer, pre_tokenizer, None, decoders.Fuse())

    variants = {}
    for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"):
        for invert in (False, True):
            name = behavior + ("-inverted" if invert else "")
            variants[f"space-{name}"] = cut_by(pre_tokenizers.Split(" ", behavior, invert))
        variants[f"punctuation-{behavior}"] = cut_by(pre_tokenizers.Punctuation(behavior))
    variants["literal"] = cut_by(pre_tokenizers.Split("aa", "isolated"))
    variants["gpt2-removed"] = cut_by(pre_tokenizers.Split(Regex(GPT2_WORDS), "isolated"), pre_tokenizers.Split(" ", "removed"))
    variants["digits"] = cut_by(pre_tokenizers.Digits(individual_digits=False))
    variants["digits-individual"] = cut_by(pre_tokenizers.Digits(individual_digits=True))
    variants["whitespace"] = cut_by(pre_tokenizers.Whitespace())
    for prefix in (False, True):
        for trim in (False, True):
            end = processors.ByteLevel(trim_offsets=trim, add_prefix_space=prefix)
            variants[f"byte-level-{prefix}-{trim}"] = assemble(small, (), None, byte_level(True, prefix), end, decoders.ByteLevel())
            cut = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), byte_level(False, prefix)])
            variants[f"byte-level-words-{prefix}-{trim}"] = assemble(small, (), None, cut, end, decoders.ByteLevel())
    for normalizer in (
        normalizers.NFC(), normalizers.NFD(), normalizers.NFKC(), normalizers.NFKD(), normalizers.Lowercase(),
        normalizers.StripAccents(), normalizers.Strip(left=True, right=True), normalizers.Strip(left=True, right=False),
        normalizers.Strip(left=False, right=True), normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]),
    ):  # fmt: skip
        name = json.dumps(component(normalizer))
        variants[name] = assemble(small, (), normalizer, byte_level(), None, decoders.ByteLevel())
    variants["unknown"] = spelt()
    variants["unknown-whole"] = spelt(pre_tokenizer=None)
    variants["unknown-fused"] = spelt(fuse_unk=True)
    variants["unknown-fused-whole"] = spelt(fuse_unk=True, pre_tokenizer=None)
    variants["unknown-dropped"] = spelt(unk_token=None)
    variants["unknown-dropped-whole"] = spelt(unk_token=None, pre_tokenizer=None)
    variants["ignore-merges"] = spelt(ignore_merges=True)
    variants["marked"] = spelt(marked)
    variants["marked-joined"] = assemble(
        {**marked, "merges": [" ".join(pair) for pair in marked["merges"]]}, (), None, bert, None, decoders.BPEDecoder("</w>")
    )
    some_bytes = {f"<0x{byte:02X}>": 1000 + byte for byte in range(256) if byte % 3 or byte > 0xC0}
    with_bytes = {**letters, "vocab": {**letters["vocab"], **some_bytes}}
    variants["some-bytes"] = spelt(with_bytes, byte_fallback=True)
    variants["some-bytes-fused"] = spelt(with_bytes, byte_fallback=True, fuse_unk=True, pre_tokenizer=None)
    variants["added"] = assemble(
        small,
        [added("the", 400, single_word=True), added("<mask>", 401, lstrip=True, rstrip=True), added("É", 402, normalized=True),
         added(" a", 403, special=False), added("\n", 404, rstrip=True)],
        normalizers.NFD(), byte_level(True, True), processors.ByteLevel(trim_offsets=True, add_prefix_space=True), decoders.ByteLevel(),
    )  # fmt: skip
    return variants


def write_slow(folder, made):
    """vocab.json and merges.txt of a trained tokenizer, with its added tokens in the vocabulary."""
    vocabulary = {**made["model"]["vocab"], **{token["content"]: token["id"] for token in made["added_tokens"]}}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    merges = [" ".join(pair) for pair in made["model"]["merges"]]
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges, ""]))


def open_slow(made, kind, **options):
    with tempfile.TemporaryDirectory() as folder:
        write_slow(Path(folder), made)
        return kind.from_pretrained(folder, **options).backend_tokenizer


def read_gpt2_pieces():
    pieces = sorted(json.loads((SHARED / "data/tokenizers/gpt2/vocab.json").read_text()))
    return [piece.replace("Ġ", " ") for piece in pieces if piece.replace("Ġ", "").isascii()]


def open_all():
    """{name: Tokenizer} and the two kinds of files that are recorded."""
    corpus = make_corpus(random.Random("bpe"), read_gpt2_pieces())
    real = SHARED / "data/tokenizers"
    files = {"llama3": make_llama3(corpus), "qwen2": make_qwen2(corpus), "bart": make_bart(corpus), "llama2": make_llama2(corpus)}
    files.update({"llama3-cuts": make_cuts(corpus, LLAMA3_WORDS), "gpt2-cuts": make_cuts(corpus, GPT2_WORDS)})
    tokenizers = {
        "gpt2-slow": GPT2Tokenizer.from_pretrained(real / "gpt2").backend_tokenizer,
        "headlight-mini": Tokenizer.from_file(str(MINI)),
        "roberta-base": Tokenizer.from_file(str(real / "roberta-base/tokenizer.json")),
        **{name: Tokenizer.from_str(json.dumps(made)) for name, made in files.items()},
        "bart-slow": open_slow(files["bart"], BartTokenizer),
        "qwen2-slow": open_slow(files["qwen2"], Qwen2Tokenizer),
        "gpt2-bos-slow": open_slow(files["qwen2"], GPT2Tokenizer, **GPT2_OPTIONS),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name in ("vocab.json", "merges.txt"):
            (Path(folder) / name).write_bytes((real / "roberta-base" / name).read_bytes())
        tokenizers["roberta-slow"] = RobertaTokenizer.from_pretrained(folder).backend_tokenizer
    variants = make_variants(corpus)
    for name, made in variants.items():
        try:
            tokenizers[name] = Tokenizer.from_str(json.dumps(made))
        except Exception as error:
            raise SystemExit(f"{name}: {error}") from error
    return tokenizers, files, variants


def write_fixture(name, data, compress=True):
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / name
    path.write_bytes(gzip.compress(bytes(data), 9, mtime=0) if compress else bytes(data))
    print(f"{path}: {path.stat().st_size} bytes")


def write_cases(cases):
    out = bytearray()
    for flags, most, text_a, text_b in cases:
        write_number(out, flags)
        if flags & TRUNCATE:
            write_number(out, most)
        write_text(out, text_a)
        if flags & PAIR:
            write_text(out, text_b)
    write_fixture("cases.gz", out)


def write_hashes(name, hashes):
    write_fixture(f"{name}.hashes", struct.pack(f"<{len(hashes)}I", *hashes), compress=False)


def show(tokenizer, texts):
    encoded, spans, decoded = encode(tokenizer, 0, 0, texts[0], texts[1] if len(texts) > 1 else None)
    for row in zip(encoded.ids, encoded.type_ids, encoded.tokens, spans):
        print(*row)
    print(repr(decoded))


def main():
    tokenizers, files, variants = open_all()
    if len(sys.argv) > 2:
        show(tokenizers[sys.argv[1]], sys.argv[2:])
        return

    cases = make_cases(random.Random("cases"), read_gpt2_pieces())
    print(f"{len(cases)} cases")
    write_cases(cases)
    made = {**files, **variants}
    write_fixture("tokenizers.json.gz", json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode())
    for name, tokenizer in tokenizers.items():
        if name not in variants:
            write_hashes(name, [hash_case(tokenizer, case) for case in cases])
    write_hashes("variants", [hash_case(tokenizers[name], case) for name in variants for case in cases[::VARIANT_SHARE]])
    print(f"{len(variants)} variants")


if __name__ == "__main__":
    main()
