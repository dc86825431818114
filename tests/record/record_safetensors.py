# SPDX-License-Identifier: MIT
"""Writes a safetensors file of every type with the reference library, and its values as that library gives them.

    python tests/record/record_safetensors.py      (from the project's root; torch 2.13, safetensors, numpy)

Writes tests/fixtures/safetensors/types.{safetensors,json}. In the JSON each value is a decimal text that reads back
as the same double; complex and F8 tensors, which Headlight skips over, have none.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "safetensors"


def main():
    torch.manual_seed(1)
    tensors = {
        "bool": torch.tensor([True, False, True]),
        "u8": torch.arange(250, 256, dtype=torch.uint8),
        "i8": torch.tensor([-128, 0, 127], dtype=torch.int8),
        "i16": torch.tensor([-32768, 32767], dtype=torch.int16),
        "i32": torch.tensor([[-(2**31)], [2**31 - 1]], dtype=torch.int32),
        "i64": torch.tensor([-(2**53), 2**53], dtype=torch.int64),
        "f16": torch.tensor([0.1, -65504.0, 6e-8, float("inf")], dtype=torch.float16),
        "bf16": torch.tensor([0.1, -3e38, 1e-40, float("-inf")], dtype=torch.bfloat16),
        "f64": torch.tensor([0.1, 1 / 3], dtype=torch.float64),
        "größe · 大": torch.randn(2, 3, 5),
        'quote " and \\ and \t': torch.randn(1),
        "scalar": torch.tensor(2.5),
        "empty": torch.zeros(0, 4),
        "rank8": torch.randn(1, 2, 1, 2, 1, 1, 2, 1),
        "f8": torch.tensor([1.0, 2.0, 3.0]).to(torch.float8_e4m3fn),
        "c64": torch.tensor([1 + 2j], dtype=torch.complex64),
    }
    path = FOLDER / "types.safetensors"
    FOLDER.mkdir(parents=True, exist_ok=True)
    save_file(tensors, path, metadata={"format": "pt", "note": 'é "quoted" \n line'})

    values = {}
    for name, tensor in load_file(path).items():
        readable = tensor.dtype not in (torch.complex64, torch.float8_e4m3fn)
        numbers = [repr(float(v)) for v in tensor.double().flatten()] if readable else None
        values[name] = {"shape": list(tensor.shape), "values": numbers}
    (FOLDER / "types.json").write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n")


main()
