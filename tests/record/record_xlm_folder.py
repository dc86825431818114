# SPDX-License-Identifier: MIT
"""Records a folder of XLM as the hub has it and what a model of it makes of masked words in several languages.

    python tests/record/record_xlm_folder.py      (from the project's root, behind record_xlm_tokenizer.py)

Writes into tests/fixtures/xlm/: config.json, pytorch_model.bin.gz and expected.json. The tokenizer's files are those of
tests/fixtures/bpe/xlm.json.gz.
"""

import gzip
import io
import json
import tempfile
from pathlib import Path

import torch
from transformers import XLMConfig, XLMTokenizer, XLMWithLMHeadModel

FIXTURES = Path("tests/fixtures")
FOLDER = FIXTURES / "xlm"
LANGUAGES = {"en": 0, "fr": 2, "zh": 1}
N_CANDIDATES = 5
CASES = [
    (None, "The cat <special1> on the mat, didn't it?", ""),
    ("en", "The cat <special1> on the mat, didn't it?", ""),
    ("French", "The cat <special1> on the mat, didn't it?", ""),
    ("zh", "The cat <special1> on the mat .", ""),
    ("en:fr", "The cat <special1> on the mat.", "Dr. No's <special1> at 5 p.m."),
]


def make_files(folder):
    files = json.loads(gzip.decompress((FIXTURES / "bpe/xlm.json.gz").read_bytes()))
    (folder / "vocab.json").write_text(json.dumps(files["vocab"]))
    (folder / "merges.txt").write_text(files["merges"])
    config = XLMConfig(
        vocab_size=len(files["vocab"]), emb_dim=16, n_layers=2, n_heads=2, n_langs=3, max_position_embeddings=40, mask_token_id=5,
        lang2id=LANGUAGES, id2lang={str(row): code for code, row in LANGUAGES.items()}, architectures=["XLMWithLMHeadModel"],
    )  # fmt: skip
    model = XLMWithLMHeadModel(config)
    generator = torch.Generator().manual_seed(17)
    for parameter in model.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator) * 0.5
    model.half().float()
    config.save_pretrained(folder)
    data = io.BytesIO()
    torch.save({name: value.half() for name, value in model.state_dict().items() if name != "pred_layer.proj.weight"}, data)
    (folder / "pytorch_model.bin").write_bytes(data.getvalue())


def predict(model, tokenizer, lang, text_a, text_b):
    encoded = tokenizer(text_a, text_b or None, return_tensors="pt", return_token_type_ids=True)
    options = {}
    if lang:
        codes = [{"French": "fr"}.get(code, code) for code in lang.split(":")]
        rows = [LANGUAGES[code] for code in (codes * 2)[:2]]
        options["langs"] = torch.where(encoded.token_type_ids == 0, *rows)
    with torch.no_grad():
        logits = model(input_ids=encoded.input_ids, **options).logits[0]
    results = []
    for position in (encoded.input_ids[0] == tokenizer.mask_token_id).nonzero()[:, 0].tolist():
        best = logits[position].softmax(-1).topk(N_CANDIDATES)
        results.append(dict(position=position, ids=best.indices.tolist(), probabilities=best.values.tolist()))
    return dict(lang=lang, text_a=text_a, text_b=text_b, results=results)


def main():
    torch.set_num_threads(1)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_files(folder)
        tokenizer = XLMTokenizer.from_pretrained(folder)
        model = XLMWithLMHeadModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
        cases = [predict(model, tokenizer, *case) for case in CASES]
        (FOLDER / "config.json").write_bytes((folder / "config.json").read_bytes())
        (FOLDER / "pytorch_model.bin.gz").write_bytes(gzip.compress((folder / "pytorch_model.bin").read_bytes(), 9, mtime=0))
    (FOLDER / "expected.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
