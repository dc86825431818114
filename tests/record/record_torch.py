# SPDX-License-Identifier: MIT
"""Writes files of torch.save() in both containers and the tensors that torch reads back from them.

    python tests/record/record_torch.py      (from the project's root; torch 2.13, transformers 5.23, safetensors, numpy)

Writes tests/fixtures/torch: NAME.bin, and in four safetensors files what torch.load() gives for them. The folder bert/ has the weights of tests/fixtures/models/pretraining as transformers 4 wrote them before it
left the format: one file of each container, and shards with their index.
"""

import argparse
import json
import sys
from collections import OrderedDict
from pathlib import Path
from unittest import mock

import numpy
import torch
from safetensors.torch import save_file
from transformers import BertForPreTraining

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FOLDER = FIXTURES / "torch"


class TrainingState:
    """An object of a class that no reader can know."""

    def __init__(self):
        self.best = 0.5
        self.history = [1, 2.5, None, True, {"a": (1,)}]


NUMBERS = torch.tensor([[0.1, -2.5, 3.0], [1e-3, 100.0, -0.0]])


def all_types():
    tensors = OrderedDict()
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.complex64):
        tensors[str(dtype)] = NUMBERS.to(dtype)
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64):
        limits = torch.iinfo(dtype)
        tensors[str(dtype)] = torch.tensor([limits.min, 0, 1, limits.max], dtype=dtype)
    tensors["bool"] = torch.tensor([True, False, True])
    return tensors


def newer_types():
    """Those that have no storage class; torch cannot load them back from a stream."""
    tensors = {str(dtype): NUMBERS.to(dtype) for dtype in (torch.float8_e4m3fn, torch.float8_e5m2)}
    for dtype in (torch.uint16, torch.uint32, torch.uint64):
        tensors[str(dtype)] = torch.tensor([0, 1, torch.iinfo(dtype).max], dtype=dtype)[1:]
    return tensors


def all_shapes():
    base = torch.randn(4, 5, 6)
    return OrderedDict(
        scalar=torch.tensor(2.5),
        empty=torch.zeros(0, 4),
        rank8=torch.randn(1, 2, 1, 2, 1, 1, 2, 1),
        base=base,
        again=base,
        transposed=base.permute(2, 0, 1),
        slice=base[1:3, ::2, 1:],
        row=base[3],
        column=base[:, 2, 4],
        first=base[0, 0, :1],
        repeated=torch.randn(1, 3).expand(4, 3),
        half=torch.randn(3, 7).half().t(),
        grown=torch.arange(6).expand((1, -1)),
        **{"größe · 大": torch.randn(3)},
    )


def parameters():
    torch.manual_seed(2)
    plain = torch.nn.Parameter(torch.randn(2, 3))
    frozen = torch.nn.Parameter(torch.randn(3), requires_grad=False)
    noted = torch.nn.Parameter(torch.randn(4))
    noted.note = "an attribute"
    tensor = torch.randn(5)
    tensor.note = "an attribute of a tensor"
    return {"plain": plain, "frozen": frozen, "noted": noted, "tensor": tensor,
            "grad": torch.randn(2, requires_grad=True)}


def module():
    layers = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    return layers.state_dict()


def around(key, state_dict):
    """What training scripts save beside the weights."""
    return {
        "epoch": 3,
        "loss": 0.25,
        "huge": 1 << 90,
        "negative": -(1 << 40),
        "nothing": None,
        "name": "a run",
        "args": argparse.Namespace(lr=0.1, layers=[1, 2], nested=argparse.Namespace(x=True)),
        "scalar": numpy.float64(0.5),
        "array": numpy.arange(3),
        "state": TrainingState(),
        "size": torch.Size([1, 2]),
        "device": torch.device("cpu"),
        "dtype": torch.float16,
        "types": {1, 2},
        key: state_dict,
        "optimizer": {"state": {0: {"exp_avg": torch.randn(3)}}, "param_groups": [{"lr": 0.1}]},
    }


def save(name, value, **options):
    path = FOLDER / f"{name}.bin"
    torch.save(value, path, **options)
    return torch.load(path, weights_only=False)


def save_expected(name, tensors):
    path = FOLDER / f"{name}.safetensors"
    save_file({key: tensor.detach().clone().contiguous() for key, tensor in tensors.items()}, path)
    path.chmod(0o644)


def save_bert():
    """The specimen of tests/fixtures/models, once more."""
    folder = FOLDER / "bert"
    folder.mkdir(exist_ok=True)
    model = BertForPreTraining.from_pretrained(FIXTURES / "models" / "pretraining", dtype=torch.float32)
    state_dict = model.state_dict()
    torch.save(state_dict, folder / "zip.bin")
    torch.save(state_dict, folder / "stream.bin", _use_new_zipfile_serialization=False)

    names = list(state_dict)
    shards = {"pytorch_model-00001-of-00002.bin": names[: len(names) // 2],
              "pytorch_model-00002-of-00002.bin": names[len(names) // 2:]}
    for file, part in shards.items():
        torch.save({name: state_dict[name].clone() for name in part}, folder / file)
    index = {"metadata": {"total_size": sum(t.nbytes for t in state_dict.values())},
             "weight_map": {name: file for file, part in shards.items() for name in part}}
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index, indent=1) + "\n")


def main():
    torch.manual_seed(1)
    FOLDER.mkdir(parents=True, exist_ok=True)
    tensors = OrderedDict(**all_types(), **all_shapes())
    save_expected("tensors", save("zip-2", tensors))
    save("zip-4", tensors, pickle_protocol=4)
    save("stream-2", tensors, _use_new_zipfile_serialization=False)
    save("stream-4", tensors, _use_new_zipfile_serialization=False, pickle_protocol=4)
    save_expected("newer-types", save("newer-types", newer_types()))
    save_expected("parameters", save("parameters", parameters()))
    weights = module()
    save_expected("module", save("state-dict-2-zip", around("state_dict", weights))["state_dict"])
    save("model-4-zip", around("model", weights), pickle_protocol=4)
    save("state-dict-2-stream", around("state_dict", weights), _use_new_zipfile_serialization=False)
    save("no-tensors", {"epoch": 1})
    save("sparse", {"a": torch.eye(2).to_sparse()})
    with mock.patch.object(sys, "byteorder", "big"):
        torch.save({"a": torch.ones(2)}, FOLDER / "big-endian-zip.bin")
        torch.save({"a": torch.ones(2)}, FOLDER / "big-endian-stream.bin", _use_new_zipfile_serialization=False)
    save_bert()


main()
