# SPDX-License-Identifier: MIT
"""Records what transformers makes of a folder whose tokenizer_config.json says something else than its tokenizer.json.

    python tests/record/record_class_settings.py      (from the project's root; tokenizers 0.23.3, transformers 5.23)

Writes tests/fixtures/tokenizer/class-settings.json.gz: {"tokenizers": {name: tokenizer.json}, "texts": [text],
"cases": [{"tokenizer": name, "model_type": text or null, "config": tokenizer_config.json or null,
"ids": [[id]] of each text, "spans": [[[first, end byte]]], "decoded": [text]}]}.
"""

import gzip
import json
import tempfile
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer

FILE = Path("tests/fixtures/tokenizer/class-settings.json.gz")

TEXTS = [
    "The Cat sat", " the cat", "  two  spaces", "Crème Brûlée", "中文 cat", "x中y", "a\nb", "", " ", "don't I'LL", "12345 a1",
    "▁cat", "cat ▁ sat", "<mask> cat", "cat <mask>the", "\tTab", "it's  ", "E\u0301t\u00e9", "¡Olé! ﬁne Ａ",
]  # fmt: skip
TRAINING = TEXTS * 3 + ["the cat sat on the mat", "The Brûlée", "été crème 中文", "don't it's I'll 123 45", " a b x y"] * 9


def train_wordpiece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False, handle_chinese_chars=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    lower = [text.lower() for text in TRAINING] + ["creme brulee ete ole"] * 9
    trainer = trainers.WordPieceTrainer(vocab_size=220, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(TRAINING + lower, trainer)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def train_bytes(special, add_prefix_space):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(TRAINING, trainer)
    return tokenizer


def train_gpt2():
    tokenizer = train_bytes(["<|endoftext|>"], True)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def train_roberta():
    tokenizer = train_bytes(["<s>", "<pad>", "</s>", "<unk>"], True)
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=True)
    return tokenizer


def train_llama():
    """As the older files have it: a normalizer that puts the mark of a space before every text."""
    alphabet = [f"<0x{byte:02X}>" for byte in range(256)]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    trainer = trainers.BpeTrainer(
        vocab_size=380, special_tokens=["<unk>", "<s>", "</s>"] + alphabet, limit_alphabet=40, show_progress=False
    )
    tokenizer.train_from_iterator([text for text in TRAINING if text], trainer)
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)]
    )
    # Bytes are pieces and no added tokens.
    parts = json.loads(tokenizer.to_str())
    parts["added_tokens"] = parts["added_tokens"][:3]
    return Tokenizer.from_str(json.dumps(parts))


def train_xlm_roberta():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="never")]
    )
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="never")
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator([text for text in TRAINING if text], trainer)
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def train_deberta():
    tokenizer = train_bytes(["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"], True)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 0), ("[SEP]", 2)]
    )
    return tokenizer


def train_deberta_v2():
    """As releases before 5 converted it."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Strip(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(prepend_scheme="never")])
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="never")
    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="[UNK]", show_progress=False)
    tokenizer.train_from_iterator([text for text in TRAINING if text], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return tokenizer


TRAINERS = {
    "wordpiece": train_wordpiece, "gpt2": train_gpt2, "roberta": train_roberta, "llama": train_llama,
    "xlm-roberta": train_xlm_roberta, "deberta": train_deberta, "deberta-v2": train_deberta_v2,
}  # fmt: skip

GENERIC = {"tokenizer_class": "PreTrainedTokenizerFast"}


def named(name, **others):
    return {"tokenizer_class": name, **others}


CASES = [
    ("wordpiece", "bert", config) for config in [
        None, {}, {"do_lower_case": True}, {"do_lower_case": False}, {"do_lower_case": False, "strip_accents": True},
        {"strip_accents": False}, {"tokenize_chinese_chars": False}, {"do_lower_case": False, "strip_accents": None},
        named("BertTokenizer", do_lower_case=False), named("BertTokenizerFast"), dict(GENERIC, do_lower_case=True),
        named("DistilBertTokenizer", do_lower_case=True), named("ElectraTokenizer", do_lower_case=False),
    ]
] + [
    ("wordpiece", "distilbert", config) for config in [
        None, named("DistilBertTokenizer", do_lower_case=True), named("BertTokenizer", do_lower_case=False), GENERIC,
    ]
] + [
    ("wordpiece", "electra", config) for config in [None, named("ElectraTokenizer", do_lower_case=False)]
] + [
    ("gpt2", "gpt2", config) for config in [
        None, {"add_prefix_space": True}, {"add_prefix_space": False}, named("GPT2Tokenizer"),
        named("GPT2TokenizerFast", add_prefix_space=True), dict(GENERIC, add_prefix_space=False),
    ]
] + [
    ("gpt2", model, config) for model in ["gptj", "gpt_neo", "gpt_neox"] for config in [
        None, {"add_prefix_space": True}, named("GPTNeoXTokenizer"), named("GPT2Tokenizer"), GENERIC,
    ]
] + [
    ("gpt2", "granite", config) for config in [None, named("GPT2Tokenizer", add_prefix_space=False)]
] + [
    ("gpt2", model, config) for model in ["qwen2", "qwen3"] for config in [
        None, named("Qwen2Tokenizer", add_prefix_space=True), named("GPT2Tokenizer"), GENERIC,
    ]
] + [
    ("gpt2", "llama", config) for config in [named("LlamaTokenizer"), named("GPT2Tokenizer", add_prefix_space=False)]
] + [
    ("roberta", "roberta", config) for config in [
        None, {"add_prefix_space": True}, named("RobertaTokenizer"), named("RobertaTokenizer", trim_offsets=False),
        dict(GENERIC, add_prefix_space=False),
    ]
] + [
    ("roberta", "bart", config) for config in [None, named("BartTokenizer"), named("BartTokenizer", add_prefix_space=True)]
] + [
    ("llama", model, config) for model in ["llama", "mistral", "olmo2", "phi3"] for config in [
        None, {"add_prefix_space": False}, named("LlamaTokenizer"), named("LlamaTokenizerFast", legacy=True),
        named("LlamaTokenizer", add_prefix_space=False), named("LlamaTokenizer", add_prefix_space=None), GENERIC,
    ]
] + [
    ("xlm-roberta", "xlm-roberta", config) for config in [
        None, {"add_prefix_space": False}, named("XLMRobertaTokenizer", add_prefix_space=True), GENERIC,
    ]
] + [
    ("deberta", "deberta", config) for config in [
        None, {"add_prefix_space": True}, named("DebertaTokenizer"), named("DebertaTokenizerFast", add_prefix_space=True),
        GENERIC,
    ]
] + [
    ("deberta-v2", "deberta-v2", config) for config in [
        None, {"do_lower_case": True}, {"add_prefix_space": False}, named("DebertaV2Tokenizer", split_by_punct=True),
        named("DebertaV2TokenizerFast", do_lower_case=False), GENERIC,
    ]
]  # fmt: skip


def to_bytes(text, span):
    return [len(text[:at].encode()) for at in span]


def record_case(files, name, model_type, config):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tokenizer.json").write_text(files[name])
        Path(folder, "config.json").write_text(json.dumps({"model_type": model_type}))
        if config is not None:
            Path(folder, "tokenizer_config.json").write_text(json.dumps(config))
        tokenizer = AutoTokenizer.from_pretrained(folder)
        outputs = [tokenizer(text, return_offsets_mapping=True) for text in TEXTS]
        ids = [output["input_ids"] for output in outputs]
        spans = [
            [to_bytes(text, span) for span in output["offset_mapping"]] for text, output in zip(TEXTS, outputs)
        ]
        decoded = [tokenizer.decode(list_of_ids, clean_up_tokenization_spaces=False) for list_of_ids in ids]
    print(name, model_type, config, type(tokenizer).__name__)
    return dict(tokenizer=name, model_type=model_type, config=config, ids=ids, spans=spans, decoded=decoded)


def main():
    files = {name: train().to_str() for name, train in TRAINERS.items()}
    record = dict(
        tokenizers={name: json.loads(text) for name, text in files.items()},
        texts=TEXTS,
        cases=[record_case(files, *case) for case in CASES],
    )
    FILE.write_bytes(gzip.compress(json.dumps(record, ensure_ascii=False).encode(), mtime=0))


main()
