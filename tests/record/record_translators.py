# SPDX-License-Identifier: MIT
"""Records what the tokenizers of translators and of Pegasus make of more than two thousand strings each.

    python tests/record/record_translators.py [NAME ...]   (from the project's root; tokenizers 0.23.3, transformers 5.23,
                                                            sentencepiece 0.2.3 with protobuf)

Trains small models on sentences of tatoeba and record_tokenizer.py, and writes into tests/fixtures/translators/NAME/ a
folder as the hub has it with cases.gz, cases as record_tokenizer.py describes them. Where there is a tokenizer.json
beside the model, both cut the texts of one cases.gz.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import M2M100Tokenizer, MBart50Tokenizer, MBartTokenizer, NllbTokenizer, PegasusTokenizer
from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES as M2M_CODES
from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES as NLLB_CODES
from transformers.tokenization_utils_base import generate_merges

from record_sentencepiece import make_cases, read_lines, read_proto, train, write_gzip, write_json
from record_tokenizer import (
    DECODE, FIXTURES, NO_SPANS, NO_SPECIAL, PAIR, SENTENCES, SKIP_SPECIAL, TARGET, write_case, write_head, write_number, write_text,
)  # fmt: skip

FOLDER = FIXTURES.parent / "translators"


def list_cases(name, pieces, codes):
    """(flags, text A, text B): those of record_sentencepiece.py, texts that name languages, and texts to be written."""
    chance = random.Random(name)
    cases = [(flags, text, pair) for flags, _, text, pair in make_cases(chance, pieces)]
    cases += [(DECODE, code + text, None) for code in codes for text in SENTENCES[:8] + [""]]
    cases += [(DECODE | SKIP_SPECIAL, f"{text} {codes[0]} {text}", None) for text in SENTENCES[:8]]
    return cases + [(TARGET | flags, text, None) for flags, text, pair in cases[::4] if pair is None and flags & ~DECODE == 0]


def write_slow_case(out, tokenizer, flags, text_a, text_b):
    """Of a tokenizer that knows no spans: one special token before the texts and one behind them."""
    texts = {"text_target": text_a} if flags & TARGET else {"text": text_a, "text_pair": text_b if flags & PAIR else None}
    ids = tokenizer(**texts, add_special_tokens=not flags & NO_SPECIAL)["input_ids"]
    write_head(out, flags | NO_SPANS, 0, text_a, text_b)
    write_number(out, len(ids))
    for number in ids + [0] * len(ids):
        write_number(out, number)
    for index in range(len(ids)):
        special = index in (0, len(ids) - 1) and not flags & NO_SPECIAL
        write_number(out, 0 if special else 1)
        if not special:
            write_number(out, 0)
    if flags & DECODE:
        write_text(out, tokenizer.decode(ids, skip_special_tokens=bool(flags & SKIP_SPECIAL)))


def write_fast_case(out, tokenizer, flags, text_a, text_b):
    if flags & TARGET:
        tokenizer._switch_to_target_mode()
    write_case(out, tokenizer.backend_tokenizer, flags, 0, text_a, text_b)
    if flags & TARGET:
        tokenizer._switch_to_input_mode()


def write_cases(name, tokenizer, pieces, codes, write):
    out, cases = bytearray(), list_cases(name, pieces, codes)
    for case in cases:
        write(out, tokenizer, *case)
    print(f"{name}: {len(cases)} cases")
    write_gzip(FOLDER / name / "cases.gz", out)


def list_pieces(path):
    return [piece.piece for piece in read_proto(path).pieces]


def record_m2m(name, algorithm, vocab_size):
    """vocab.json has the pieces in another order than the model, without one in thirty."""
    folder = FOLDER / name
    english, french = read_lines("fra")
    train(folder / "sentencepiece.bpe.model", english + french + SENTENCES, vocab_size=vocab_size, model_type=algorithm)
    pieces = list_pieces(folder / "sentencepiece.bpe.model")[3:]
    chance = random.Random(name)
    kept = [piece for piece in pieces if chance.random() > 1 / 30]
    chance.shuffle(kept)
    write_json(folder / "vocab.json", {token: index for index, token in enumerate(["<s>", "<pad>", "</s>", "<unk>", *kept])})
    write_json(folder / "tokenizer_config.json",
               {"tokenizer_class": "M2M100Tokenizer", "src_lang": "fr", "tgt_lang": "de",
                "additional_special_tokens": [f"__{code}__" for code in M2M_CODES["m2m100"]]})
    write_cases(name, M2M100Tokenizer.from_pretrained(folder), pieces,
                ["__fr__", "__en__ ", "__xx__", " __zu__", "__fr____en__", "</s>__de__"], write_slow_case)


def make_nllb(proto):
    """The hub's tokenizer.json for a model of NLLB: transformers 5.23 leaves the languages out when there is the model
    alone."""
    pieces = [piece.piece for piece in proto.pieces[3:]]
    order = {piece.piece: index for index, piece in enumerate(proto.pieces)}
    vocabulary = {token: index for index, token in enumerate(["<s>", "<pad>", "</s>", "<unk>", *pieces])}
    tokenizer = Tokenizer(models.BPE(vocabulary, generate_merges(order), unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap),
                                                 normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", *NLLB_CODES,
                                  AddedToken("<mask>", lstrip=True, normalized=True, special=True)])
    return tokenizer


def record_nllb(name, **settings):
    folder = FOLDER / name
    english, french = read_lines("fra")
    train(folder / "sentencepiece.bpe.model", english + french + SENTENCES, vocab_size=600, model_type="bpe")
    make_nllb(read_proto(folder / "sentencepiece.bpe.model")).save(str(folder / "tokenizer.json"), pretty=False)
    write_json(folder / "tokenizer_config.json",
               {"tokenizer_class": "NllbTokenizer", "src_lang": "fra_Latn", "tgt_lang": "deu_Latn", **settings})
    tokenizer = NllbTokenizer.from_pretrained(folder)
    assert tokenizer.convert_tokens_to_ids(["ace_Arab", "<mask>"]) == [601, 803]
    write_cases(name, tokenizer, list_pieces(folder / "sentencepiece.bpe.model"),
                ["fra_Latn", "eng_Latn ", "xxx_Latn", " zul_Latn", "deu_Latneng_Latn", "</s>deu_Latn"], write_fast_case)


def record_mbart(name, cls):
    """tokenizer.json as the class saves it, but with the table of characters, which one of the classes drops again."""
    folder = FOLDER / name
    english, french = read_lines("fra")
    train(folder / "sentencepiece.bpe.model", english + french + SENTENCES, vocab_size=560, model_type="unigram")
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": cls.__name__, "src_lang": "fr_XX", "tgt_lang": "de_DE"})
    (folder / "tokenizer.json").unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        cls.from_pretrained(folder).save_pretrained(scratch)
        saved = json.loads((Path(scratch) / "tokenizer.json").read_text())
    charsmap = read_proto(folder / "sentencepiece.bpe.model").normalizer_spec.precompiled_charsmap
    saved["normalizer"] = saved["normalizer"] or json.loads(normalizers.Precompiled(charsmap).__getstate__())
    write_json(folder / "tokenizer.json", saved)
    write_cases(name, cls.from_pretrained(folder), list_pieces(folder / "sentencepiece.bpe.model"),
                ["fr_XX", "en_XX ", "xx_XX", " zh_CN", "de_DEen_XX", "</s>de_DE"], write_fast_case)


def record_pegasus(name):
    folder = FOLDER / name
    english, _ = read_lines("fra")
    train(folder / "spiece.model", english + SENTENCES, vocab_size=560, model_type="unigram",
          pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "PegasusTokenizer"})
    tokenizer = PegasusTokenizer.from_pretrained(folder)
    assert tokenizer.convert_tokens_to_ids(["</s>", "<mask_1>", "<mask_2>", "<unk_2>", "<unk_102>", "<unk>"]) == [1, 2, 3, 4, 104, 105]
    write_cases(name, tokenizer, list_pieces(folder / "spiece.model"),
                ["<mask_1>", "<mask_2> ", "<unk_2>", " <unk_102>", "<unk_103><unk>", "</s><mask>"],
                lambda out, tokenizer, *case: write_case(out, tokenizer.backend_tokenizer, case[0] & ~TARGET, 0, *case[1:]))


RECORDERS = {
    "m2m-100": lambda name: record_m2m(name, "bpe", 650),
    "m2m-100-unigram": lambda name: record_m2m(name, "unigram", 600),
    "nllb": record_nllb,
    "mbart": lambda name: record_mbart(name, MBartTokenizer),
    "mbart-50": lambda name: record_mbart(name, MBart50Tokenizer),
    "pegasus": record_pegasus,
}


def main():
    for name in sys.argv[1:] or RECORDERS:
        RECORDERS[name](name)


if __name__ == "__main__":
    main()
