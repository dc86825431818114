# SPDX-License-Identifier: MIT
"""Records what tokenizers of encoders make of the cases of record_bpe.py.

    python tests/record/record_encoder_tokenizers.py      (from the project's root; tokenizers 0.23.3, transformers 5.23)

Reads what record_bpe.py reads. Writes tests/fixtures/bpe/encoder-tokenizers.json.gz, {name: tokenizer.json} of
tokenizers that are trained here, and NAME.hashes of what each makes of the cases of tests/fixtures/bpe/cases.gz.
"""

import json
import random

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from record_bpe import (
    added, assemble, byte_level, hash_case, make_cases, make_corpus, read_gpt2_pieces, train, write_fixture, write_hashes,
)  # fmt: skip


def make_modernbert(corpus):
    """Runs of blanks are tokens that are no special ones and are matched in the normalized text."""
    corpus = [normalizers.NFC().normalize_str(text) for text in corpus]
    model = train(models.BPE(), corpus, byte_level(), 1000, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    size = len(model["vocab"])
    tokens = [added("|||IP_ADDRESS|||", size, normalized=True, special=False)]
    tokens += [added(" " * n, size + 25 - n, normalized=True, special=False) for n in range(24, 1, -1)]
    size += len(tokens)
    names = ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")
    tokens += [added(name, size + i, lstrip=name == "[MASK]") for i, name in enumerate(names)]
    template = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", size + 1), ("[SEP]", size + 2)])
    return assemble(model, tokens, normalizers.NFC(), byte_level(), template, decoders.ByteLevel())


def make_gemma(corpus):
    """EmbeddingGemma's: byte fallback, a text between two special tokens, runs of blanks as pieces and as tokens."""
    special = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
    marked = [text.replace(" ", "▁") for text in corpus]
    pieces = special + [f"<0x{byte:02X}>" for byte in range(256)]
    model = train(models.BPE(), marked, pre_tokenizers.Split("▁", "merged_with_next"), 900, special_tokens=pieces)
    model.update(unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    size = len(model["vocab"])
    tokens = [added(name, index) for index, name in enumerate(special)]
    tokens += [added("\n" * n, size + n - 2, special=False) for n in range(2, 6)]
    tokens += [added("▁" * n, size + n + 2, special=False) for n in range(2, 6)]
    template = processors.TemplateProcessing(
        single="<bos> $A <eos>", pair="<bos> $A <eos> <bos>:1 $B:1 <eos>:1", special_tokens=[("<bos>", 2), ("<eos>", 1)])
    return assemble(
        model, tokens, normalizers.Replace(" ", "▁"), pre_tokenizers.Split(" ", "merged_with_previous"), template,
        decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]),
    )  # fmt: skip


def main():
    corpus = make_corpus(random.Random("bpe"), read_gpt2_pieces())
    cases = make_cases(random.Random("cases"), read_gpt2_pieces())
    files = {"modernbert": make_modernbert(corpus), "embedding-gemma": make_gemma(corpus)}
    write_fixture("encoder-tokenizers.json.gz", json.dumps(files, ensure_ascii=False, separators=(",", ":")).encode())
    for name, made in files.items():
        tokenizer = Tokenizer.from_str(json.dumps(made))
        write_hashes(name, [hash_case(tokenizer, case) for case in cases])
    print(len(cases), "cases")


if __name__ == "__main__":
    main()
