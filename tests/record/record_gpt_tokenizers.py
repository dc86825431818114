# SPDX-License-Identifier: MIT
"""Records what tokenizers of the GPTs beside GPT-2 make of the strings of record_bpe.py, as that script does.

    python tests/record/record_gpt_tokenizers.py                       (from the project's root, behind record_bpe.py)
    python tests/record/record_gpt_tokenizers.py NAME TEXT [TEXT]      prints what tokenizer NAME makes of a text or a pair

They are trained here. Writes into tests/fixtures/bpe/:
    gpt-tokenizers.json.gz   {name: tokenizer.json}
    NAME.hashes              as record_bpe.py has them; NAME-slow: from vocab.json and merges.txt alone
"""

import json
import random
import sys

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import GPTNeoXTokenizer, OpenAIGPTTokenizer

from record_bpe import (
    added, assemble, byte_level, hash_case, make_cases, make_corpus, open_slow, read_gpt2_pieces, show, train, write_fixture,
    write_hashes,
)  # fmt: skip


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


def make_openai_gpt(corpus):
    """The words of BERT in lower case, whose last piece is marked."""
    normalizer = normalizers.BertNormalizer(lowercase=True)
    corpus = [normalizer.normalize_str(text) for text in corpus]
    model = train(
        models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"), corpus, pre_tokenizers.BertPreTokenizer(), 900,
        special_tokens=["<unk>"], end_of_word_suffix="</w>", limit_alphabet=120,
    )  # fmt: skip
    return assemble(
        model, [added("<unk>", 0)], normalizer, pre_tokenizers.BertPreTokenizer(), None, decoders.BPEDecoder("</w>")
    )


def open_all():
    """{name: Tokenizer} and the files."""
    corpus = make_corpus(random.Random("gpts"), read_gpt2_pieces())
    files = {"gpt-neox": make_gpt_neox(corpus), "openai-gpt": make_openai_gpt(corpus)}
    tokenizers = {name: Tokenizer.from_str(json.dumps(made)) for name, made in files.items()}
    tokenizers["gpt-neox-slow"] = open_slow(files["gpt-neox"], GPTNeoXTokenizer)
    tokenizers["openai-gpt-slow"] = open_slow(files["openai-gpt"], OpenAIGPTTokenizer)
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


if __name__ == "__main__":
    main()
