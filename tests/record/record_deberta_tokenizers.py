# SPDX-License-Identifier: MIT
"""Records what the tokenizers of DeBERTa make of the strings of record_bpe.py and record_sentencepiece.py, as these scripts do.

    python tests/record/record_deberta_tokenizers.py                   (from the project's root, behind both scripts)
    python tests/record/record_deberta_tokenizers.py TEXT [TEXT]       prints what the first version makes of a text or a pair

They are trained here. Writes
    bpe/deberta-tokenizers.json.gz     {"deberta": tokenizer.json}, as transformers saves the first version's
    bpe/deberta.hashes                 of that file; deberta-slow.hashes: from vocab.json and merges.txt alone
    sentencepiece/deberta-v2/          spm.model and config.json of the second and third version, and cases.gz
    sentencepiece/deberta-v2-json/     tokenizer.json as transformers saves it, with lower case and cuts at punctuation
"""

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import DebertaTokenizer, DebertaV2Tokenizer

from record_bpe import (
    added, assemble, byte_level, hash_case, make_cases, make_corpus, open_slow, read_gpt2_pieces, show, train, write_fixture,
    write_hashes,
)  # fmt: skip
from record_sentencepiece import FOLDER, read_lines, read_proto, record_cases, record_folder, write_json
from record_sentencepiece import train as train_sentencepiece
from record_tokenizer import SENTENCES

SPECIAL = ["[CLS]", "[PAD]", "[SEP]", "[UNK]"]


def open_first():
    """From vocab.json and merges.txt: transformers builds all components from its class."""
    corpus = make_corpus(random.Random("deberta"), read_gpt2_pieces())
    model = train(
        models.BPE(), corpus, byte_level(), 1100,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=SPECIAL + ["[MASK]"],
    )  # fmt: skip
    tokens = [added(name, index) for index, name in enumerate(SPECIAL + ["[MASK]"])]
    return open_slow(assemble(model, tokens, None, byte_level(), None, decoders.ByteLevel()), DebertaTokenizer)


def record_first(tokenizer):
    cases = make_cases(random.Random("cases"), read_gpt2_pieces())
    saved = json.loads(tokenizer.to_str())
    write_fixture("deberta-tokenizers.json.gz", json.dumps({"deberta": saved}, ensure_ascii=False, separators=(",", ":")).encode())
    write_hashes("deberta-slow", [hash_case(tokenizer, case) for case in cases])
    write_hashes("deberta", [hash_case(Tokenizer.from_str(json.dumps(saved)), case) for case in cases])


def record_second():
    english, french = read_lines("fra")
    folder = FOLDER / "deberta-v2"
    train_sentencepiece(folder / "spm.model", english + french + SENTENCES, vocab_size=600, model_type="unigram", pad_id=0, bos_id=1,
                        eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]", eos_piece="[SEP]", unk_piece="[UNK]")
    write_json(folder / "config.json", {"model_type": "deberta-v2"})
    record_folder("deberta-v2", "spm.model", DebertaV2Tokenizer)

    saved = FOLDER / "deberta-v2-json"
    saved.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = DebertaV2Tokenizer.from_pretrained(folder, do_lower_case=True, split_by_punct=True)
        tokenizer.save_pretrained(scratch)
        shutil.copy(Path(scratch) / "tokenizer.json", saved)
        shutil.copy(Path(scratch) / "tokenizer_config.json", saved)
    pieces = [piece.piece for piece in read_proto(folder / "spm.model").pieces]
    record_cases("deberta-v2-json/cases.gz", Tokenizer.from_file(str(saved / "tokenizer.json")), pieces)


def main():
    tokenizer = open_first()
    if len(sys.argv) > 1:
        show(tokenizer, sys.argv[1:])
        return
    record_first(tokenizer)
    record_second()


if __name__ == "__main__":
    main()
