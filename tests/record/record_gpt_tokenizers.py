# SPDX-License-Identifier: MIT
"""Records what tokenizers of the GPTs beside GPT-2 make of the strings of record_bpe.py, as that script does.

    python tests/record/record_gpt_tokenizers.py                       (from the project's root, behind record_bpe.py)
    python tests/record/record_gpt_tokenizers.py NAME TEXT [TEXT]      prints what tokenizer NAME makes of a text or a pair

They are trained here, with ends of words each time a little differently. Writes into tests/fixtures/bpe/:
    gpt-tokenizers.json.gz   {name: tokenizer.json}
    NAME.hashes              as record_bpe.py has them; NAME-slow: from vocab.json and merges.txt alone
"""

import json
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import regex
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import CTRLTokenizer, GPTNeoXTokenizer, OpenAIGPTTokenizer

from record_bpe import (
    added, assemble, byte_level, hash_case, hash_words, make_cases, make_corpus, open_slow, read_gpt2_pieces, show, train,
    write_fixture, write_hashes, write_slow,
)  # fmt: skip
from record_tokenizer import SKIP_SPECIAL, TRUNCATE, byte_offsets


def make_gpt_neox(corpus):
    """Runs of blanks are tokens that are cut out of the normalised text."""
    corpus = [normalizers.NFC().normalize_str(text) for text in corpus]
    special = ["<|endoftext|>", "<|padding|>"]
    model = train(
        models.BPE(), corpus, byte_level(), 1100,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=special,
    )  # fmt: skip
    size = len(model["vocab"])
    tokens = [added(name, index) for index, name in enumerate(special)]
    tokens += [added(" " * n, size + 24 - n, normalized=True, special=False) for n in range(24, 1, -1)]
    end = processors.ByteLevel(trim_offsets=True, add_prefix_space=False)
    return assemble(model, tokens, normalizers.NFC(), byte_level(), end, decoders.ByteLevel())


def keep_common(corpus, n):
    """Only the n most common characters: the others are unknown to what is trained."""
    counts = Counter("".join(corpus))
    common = sorted((character for character in counts if not character.isspace()), key=lambda c: (-counts[c], c))[:n]
    return ["".join(c for c in text if c in common or c.isspace()) for text in corpus]


def make_openai_gpt(corpus):
    """The words of BERT in lower case, whose last piece is marked."""
    normalizer = normalizers.BertNormalizer(lowercase=True)
    corpus = keep_common([normalizer.normalize_str(text) for text in corpus], 120)
    model = train(
        models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"), corpus, pre_tokenizers.BertPreTokenizer(), 900,
        special_tokens=["<unk>"], end_of_word_suffix="</w>",
    )  # fmt: skip
    return assemble(
        model, [added("<unk>", 0)], normalizer, pre_tokenizers.BertPreTokenizer(), None, decoders.BPEDecoder("</w>")
    )


def make_ctrl(corpus):
    """Its merges mark the ends of words, its vocabulary all other pieces; some are not in it."""
    words = pre_tokenizers.Split(Regex(r"\S+\n?"), behavior="removed", invert=True)
    model = train(models.BPE(end_of_word_suffix="</w>"), keep_common(corpus, 150), words, 1000, end_of_word_suffix="</w>")
    pieces = sorted(model["vocab"], key=model["vocab"].get)
    names = [piece[:-4] if piece.endswith("</w>") else piece + "@@" for piece in pieces]
    names = ["<unk>"] + [name for index, name in enumerate(names) if index % 19]
    # Characters that no merge has.
    names += ["☃", "☃@@", "\n@@"]
    # A line of the file is a merge, which Python cuts at what is white space to it.
    merges = [pair for pair in model["merges"] if not any(c.isspace() for c in "".join(pair))]
    return dict(model=dict(vocab={name: index for index, name in enumerate(dict.fromkeys(names))}, merges=merges),
                added_tokens=[])


def open_ctrl(made, **options):
    with tempfile.TemporaryDirectory() as folder:
        write_slow(Path(folder), made)
        return CTRLTokenizer.from_pretrained(folder, **options)


def cut_ctrl(tokenizer, text):
    """Ids and, because pieces are parts of the text, their bytes."""
    offsets, at, tokens = byte_offsets(text), 0, []
    for section in re.split("(<unk>)", text):
        words = [] if section == "<unk>" else list(regex.finditer(r"\S+\n?", section))
        if section == "<unk>":
            tokens.append((tokenizer.unk_token_id, (offsets[at], offsets[at + len(section)])))
        for word in words:
            pieces = tokenizer.bpe(word[0]).split(" ")
            place = at + word.start()
            for index, piece in enumerate(pieces):
                end = place + len(piece) - 2 * (index + 1 < len(pieces))
                tokens.append((tokenizer.convert_tokens_to_ids(piece), (offsets[place], offsets[end])))
                place = end
        at += len(section)
    assert [token[0] for token in tokens] == tokenizer(text)["input_ids"], text
    return tokens


def truncate(tokens, most):
    """As the library truncates a pair, which transformers' own tokenizers do by another rule."""
    counter = Tokenizer(models.WordLevel({"x": 0}, unk_token="x"))
    counter.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    counter.enable_truncation(max_length=most, strategy="longest_first")
    kept = counter.encode(*("x " * len(part) for part in tokens)).sequence_ids
    return [part[:kept.count(index)] for index, part in enumerate(tokens)]


def hash_ctrl(tokenizer, case):
    flags, most, text_a, text_b = case
    tokens = [cut_ctrl(tokenizer, text_a), cut_ctrl(tokenizer, text_b or "")]
    if flags & TRUNCATE:
        tokens = truncate(tokens, most)
    ids = [token[0] for part in tokens for token in part]
    decoded = tokenizer.decode(ids, skip_special_tokens=bool(flags & SKIP_SPECIAL))
    return hash_words(ids, [0] * len(ids), [token[1] for part in tokens for token in part], decoded)


def open_all():
    """{name: Tokenizer} and the files."""
    corpus = make_corpus(random.Random("gpts"), read_gpt2_pieces())
    files = {"gpt-neox": make_gpt_neox(corpus), "openai-gpt": make_openai_gpt(corpus)}
    tokenizers = {name: Tokenizer.from_str(json.dumps(made)) for name, made in files.items()}
    tokenizers["gpt-neox-slow"] = open_slow(files["gpt-neox"], GPTNeoXTokenizer)
    tokenizers["openai-gpt-slow"] = open_slow(files["openai-gpt"], OpenAIGPTTokenizer)
    files["ctrl"] = make_ctrl(corpus)
    return tokenizers, files


def main():
    tokenizers, files = open_all()
    if len(sys.argv) > 2:
        show(tokenizers[sys.argv[1]], sys.argv[2:])
        return

    cases = make_cases(random.Random("cases"), read_gpt2_pieces())
    write_fixture("gpt-tokenizers.json.gz", json.dumps(files, ensure_ascii=False, separators=(",", ":")).encode())
    for name, tokenizer in tokenizers.items():
        write_hashes(name, [hash_case(tokenizer, case) for case in cases])
    ctrl = open_ctrl(files["ctrl"])
    write_hashes("ctrl-slow", [hash_ctrl(ctrl, case) for case in cases])
    clean = open_ctrl(files["ctrl"], clean_up_tokenization_spaces=True)
    write_hashes("ctrl-clean", [hash_ctrl(clean, case) for case in cases])


if __name__ == "__main__":
    main()
