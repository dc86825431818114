# SPDX-License-Identifier: MIT
"""Records what transformers' BigBirdTokenizer makes of a model that is trained here.

    python tests/record/record_big_bird_tokenizer.py      (from the project's root; transformers 5.23, sentencepiece 0.2.3)

Writes tests/fixtures/sentencepiece/big-bird/: spiece.model and config.json, with cases.gz as record_sentencepiece.py
stores them, and tokenizer.json.gz, which transformers saves, with what it makes of the same strings in saved.gz.
"""

import gzip
import tempfile
from pathlib import Path

from tokenizers import Tokenizer
from transformers import BigBirdTokenizer

from record_sentencepiece import FOLDER, SENTENCES, read_lines, read_proto, record_cases, train, write_gzip, write_json

# As in the hub's file, where all of them are pieces and the unknown one is the hundredth.
UNUSED = [f"<unused{index}>" for index in range(92)]


def main():
    english, french = read_lines("fra")
    folder = FOLDER / "big-bird"
    train(folder / "spiece.model", english + french + SENTENCES, vocab_size=800, model_type="unigram", pad_id=0, eos_id=1,
          bos_id=2, unk_id=100, user_defined_symbols=["[CLS]", "[SEP]", "[MASK]", *UNUSED])
    write_json(folder / "config.json", {"model_type": "big_bird"})
    pieces = [piece.piece for piece in read_proto(folder / "spiece.model").pieces]
    tokenizer = BigBirdTokenizer.from_pretrained(folder)
    record_cases("big-bird/cases.gz", tokenizer.backend_tokenizer, pieces)
    with tempfile.TemporaryDirectory() as saved:
        tokenizer.save_pretrained(saved)
        text = (Path(saved) / "tokenizer.json").read_bytes()
        write_gzip(folder / "tokenizer.json.gz", text)
        record_cases("big-bird/saved.gz", Tokenizer.from_str(text.decode()), pieces)


if __name__ == "__main__":
    main()
