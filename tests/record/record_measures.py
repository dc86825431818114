# SPDX-License-Identifier: MIT
"""Records what numpy makes of attention: norms, rollout, patterns and facts of heads, links of two tokens.

    python tests/record/record_measures.py          (from the project's root; torch 2.13, transformers 5.23)

Writes tests/fixtures/measures/expected.json: a list of cases, each a pass of a real checkpoint by transformers
in double precision (headlight-mini of resources/, MiniLM of $HEADLIGHT_SHARED or ../shared) or a trace file of
tests/fixtures/traces or of the shared data. Written from the formulas in engine/trace/measures.h and patterns.h.
Whole masks stand where the engine takes shortcuts; what rounding could turn over is left out.
"""

import json
import os
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors import safe_open
from safetensors.numpy import load_file

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("HEADLIGHT_SHARED", ROOT.parent / "shared")) / "data"
TRACES = ROOT / "tests" / "fixtures" / "traces"
OUT = ROOT / "tests" / "fixtures" / "measures" / "expected.json"

PATTERNS = ["previous", "next", "two-back", "two-on", "same-token", "same-word", "same-word-anywhere", "first",
            "separator", "punctuation", "own-sentence", "ab", "ba", "broad", "aa", "bb"]
OFFSETS = {"previous": -1, "next": 1, "two-back": -2, "two-on": 2, "same-token": 0}
# The first rank of which a pattern reaches its threshold has the label.
RANKS = [PATTERNS[:7], PATTERNS[7:10], PATTERNS[10:13]]
THRESHOLD, BLOCK_THRESHOLD, WHOLE = 0.25, 0.6, 1.25
MIN_ROWS = 3
# Two numbers that are nearer than this may change places in single precision.
CLEAR = 2e-5
N_CELLS = 6

PAIR = ("The cat sat on the mat.", "The dog lay on the rug, because it was tired.")
FIRST_PAIR = ("The cat sat on the mat", "The cat lay on the rug")
PASSES = [("headlight-mini", *FIRST_PAIR, 0), ("headlight-mini", *PAIR, 0), ("minilm-l6-v2", *PAIR, 0),
          ("minilm-l6-v2", "Yes, the cat!", "A cat?", 16), ("headlight-mini", "Time flies like an arrow", None, 0)]
FILES = ["shared/bert-base-uncased.cat-mat", "shared/gpt2.fox", "shared/opus-mt-en-de.elephant",
         "fixtures/traces/bert", "fixtures/traces/t5", "fixtures/traces/llama"]

random = np.random.default_rng(3)


class Stack:
    def __init__(self, texts, segments, special):
        self.texts = [text.strip() for text in texts]
        self.b = np.array(segments) != 0
        self.special = np.array(special) != 0
        self.n = len(texts)


class Block:
    """Attention of one kind: weights, values, norms by layer; visible [layer][queries, keys]."""

    def __init__(self, kind, queries, keys, weights):
        self.kind, self.queries, self.keys, self.weights = kind, queries, keys, weights
        self.values, self.norms, self.visible = {}, {}, {}

    def see(self, layer, mask):
        weights = self.weights[layer]
        if mask is not None:
            self.visible[layer] = mask.astype(bool)
        elif self.queries is self.keys and not np.triu(weights, 1).any():
            self.visible[layer] = np.tri(self.queries.n, dtype=bool)
        else:
            self.visible[layer] = np.ones(weights.shape[1:], bool)
        self.padding = np.zeros(self.queries.n, bool)
        if mask is not None and self.queries is self.keys:
            self.padding = self.queries.special & ~mask.astype(bool).any(0)


def targets(block, pattern):
    """[queries, keys], True where the pattern looks, in the rows that it is about."""
    queries, keys = block.queries, block.keys
    shape = (queries.n, keys.n)
    row_b, column_b = queries.b[:, None], keys.b[None, :]
    if queries is not keys and (pattern in OFFSETS or pattern in ("same-word-anywhere", "own-sentence")):
        return np.zeros(shape, bool)
    if pattern in OFFSETS:
        return np.eye(queries.n, k=OFFSETS[pattern], dtype=bool)
    if pattern == "own-sentence":
        return row_b == column_b
    if pattern in ("same-word", "same-word-anywhere"):
        def words(stack):
            return [None if special or not any(c.isalnum() for c in text) else text.casefold()
                    for text, special in zip(stack.texts, stack.special)]
        same = np.array([[a is not None and a == b for b in words(keys)] for a in words(queries)])
        return same & (row_b != column_b) if pattern == "same-word" else same
    if pattern == "first":
        return np.broadcast_to(np.arange(keys.n) == 0, shape)
    separator = np.array([(special and i > 0) or text in ("[SEP]", "</s>")
                          for i, (text, special) in enumerate(zip(keys.texts, keys.special))])
    if pattern == "separator":
        return np.broadcast_to(separator, shape)
    if pattern == "punctuation":
        marks = [not any(c.isalnum() or c.isspace() for c in text) and text != "" for text in keys.texts]
        return np.broadcast_to(np.array(marks) & ~keys.special & ~separator, shape)
    return (row_b == (pattern[0] == "b")) & (column_b == (pattern[1] == "b"))


def entropy(weights):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(weights > 0, -weights * np.log2(weights), 0).sum(-1)


def strongest(row, allowed):
    return int(np.argmax(np.where(allowed, row, -1)))


def find_evidence(weights, wanted, counted, broad, apart):
    """Hits, query, key and weight of one head; None when a near tie decides. apart: of two tokens, if one link of
    them is half as strong as the strongest."""
    hits, links, distant = 0, [], []
    for i in np.flatnonzero(counted):
        row = weights[i]
        if broad is not None:
            margin = broad[i] - 0.5
            others = np.sort(row)[::-1]
            links.append((broad[i], int(i), int(row.argmax()), row.max()))
            if others[0] - others[1] < CLEAR:
                return None
        else:
            key = strongest(row, wanted[i])
            margin = row[key] - row[strongest(row, ~wanted[i])]
            links.append((row[key], int(i), key, row[key]))
            between = wanted[i] & (np.arange(len(row)) != i)
            if apart and between.any():
                key = strongest(row, between)
                distant.append((row[key], int(i), key, row[key]))
            second = np.sort(row[wanted[i]])[-2:]
            if len(second) == 2 and second[1] - second[0] < CLEAR:
                return None
        if abs(margin) < CLEAR:
            return None
        hits += int(margin > 0)
    links.sort(reverse=True)
    distant.sort(reverse=True)
    if distant:
        margin = distant[0][0] - 0.5 * links[0][0]
        if abs(margin) < CLEAR:
            return None
        links = distant if margin > 0 else links
    if len(links) > 1 and links[0][0] - links[1][0] < CLEAR:
        return None
    return [hits, *links[0][1:]]


def choose(scores, chances):
    """The label by the rule of patterns.h; None when it hangs on a rounding."""
    def strength(name):
        score, chance = scores[PATTERNS.index(name)], chances[PATTERNS.index(name)]
        return -1 if score is None or chance is None or chance >= 1 else (score - chance) / (1 - chance)

    strengths = {name: strength(name) for rank in RANKS for name in rank}
    whole = strengths["same-word-anywhere"]
    part = WHOLE * max(strengths["same-token"], strengths["same-word"])
    if abs(whole - part) < CLEAR or abs(whole - THRESHOLD) < CLEAR:
        return None
    if whole > THRESHOLD and whole > part:
        del strengths["same-token"], strengths["same-word"]
    else:
        del strengths["same-word-anywhere"]
    for rank in RANKS:
        found = []
        for name in set(rank) & set(strengths):
            margin = strengths[name] - (BLOCK_THRESHOLD if name in ("ab", "ba") else THRESHOLD)
            if abs(margin) < CLEAR:
                return None
            if margin > 0:
                found.append((strengths[name], name))
        found.sort(reverse=True)
        if len(found) > 1 and found[0][0] - found[1][0] < CLEAR:
            return None
        if found:
            return found[0][1]
    return "broad"


def measure_patterns(block, layer):
    weights, visible = block.weights[layer], block.visible[layer]
    n_seen = visible.sum(-1)
    scores, chances, evidence = [], [], []
    for number, pattern in enumerate(PATTERNS):
        broad = pattern == "broad"
        wanted = visible & (visible if broad else targets(block, pattern))
        if pattern == "same-word-anywhere":
            wanted &= wanted.sum(-1, keepdims=True) > 1
        counted = (n_seen > 1) if broad else wanted.any(-1) & (visible & ~wanted).any(-1)
        counted &= ~block.padding
        if not counted.any():
            scores.append([None] * len(weights))
            chances.append(None)
            continue
        breadth = entropy(weights) / np.log2(np.maximum(n_seen, 2))
        mass = breadth if broad else (weights * wanted).sum(-1)
        scores.append(mass[:, counted].mean(-1).tolist())
        chance = 1 if broad else (wanted.sum(-1) / np.maximum(n_seen, 1))[counted].mean()
        chances.append(chance if counted.sum() >= MIN_ROWS else None)
        head = int(random.integers(len(weights)))
        found = find_evidence(weights[head], wanted, counted, breadth[head] if broad else None,
                              pattern == "same-word-anywhere")
        if found:
            evidence.append([head, number, int(counted.sum()), *found])
    scores = list(zip(*scores))
    return {"scores": scores, "chances": chances, "evidence": evidence,
            "labels": [choose(row, chances) for row in scores]}


def measure_facts(block, layer):
    weights = block.weights[layer]
    counted = ~block.padding
    pair = np.unique(np.concatenate([block.queries.b, block.keys.b])).size > 1
    other = block.queries.b[:, None] != block.keys.b[None, :]
    return {"entropy": entropy(weights)[:, counted].mean(-1).tolist(),
            "pair_share": (weights * other).sum(-1)[:, counted].mean(-1).tolist() if pair else None}


def derive(block):
    """Every measure's [heads or 1, queries, keys] by layer."""
    layers = sorted(block.weights)
    derived = {"weight": dict(block.weights), "value-norm": {}, "output-norm": {}, "rollout": {}}
    for layer in layers:
        if layer in block.values:
            lengths = np.linalg.norm(block.values[layer], axis=-1)
            derived["value-norm"][layer] = block.weights[layer] * lengths[:, None, :]
        if layer in block.norms:
            derived["output-norm"][layer] = block.weights[layer] * block.norms[layer][:, None, :]
    if block.kind != "cross":
        rolled = np.eye(block.queries.n)
        for layer in layers:
            if layer not in range(len(derived["rollout"]) + 1):
                break
            rolled = (0.5 * block.weights[layer].mean(0) + 0.5 * np.eye(block.queries.n)) @ rolled
            derived["rollout"][layer] = rolled[None]
    return derived


def sample(array):
    places = [tuple(int(random.integers(n)) for n in array.shape) for _ in range(N_CELLS)]
    places.append(tuple(int(i) for i in np.unravel_index(array.argmax(), array.shape)))
    return [[*place, array[place]] for place in places]


def find_links(block, derived, a, b):
    """The ten strongest of each measure, none that another one nearly equals."""
    found = {}
    for measure, layers in derived.items():
        links = []
        for layer, values in layers.items():
            for head in range(len(values)):
                ends = {(a, b), (b, a)} if block.queries is block.keys else {(a, b)}
                for query, key in ends:
                    links.append([layer, -1 if measure == "rollout" else head, query, key, values[head, query, key]])
        links = sorted((link for link in links if link[-1] > 0), key=lambda link: -link[-1])
        clear = 0
        while clear < min(10, len(links) - 1) and links[clear][-1] - links[clear + 1][-1] > CLEAR:
            clear += 1
        found[measure] = {"n": len(links), "strongest": links[:clear]}
    return found


def record_block(block):
    derived = derive(block)
    tokens = [block.queries.n - 2, 1]
    result = {"kind": block.kind, "n_queries": block.queries.n, "n_keys": block.keys.n, "tokens": tokens,
              "links": find_links(block, derived, *tokens), "layers": []}
    for layer in sorted(block.weights):
        entry = {"layer": layer, **measure_patterns(block, layer), **measure_facts(block, layer)}
        entry["measures"] = {
            measure: {"sums": layers[layer].sum((1, 2)).tolist(), "cells": sample(layers[layer])}
            for measure, layers in derived.items() if layer in layers and measure != "weight"
        }
        if layer in block.values:
            entry["head_output"] = sample(block.weights[layer] @ block.values[layer])
        result["layers"].append(entry)
    return result


def run(name, text_a, text_b, pad_to):
    folder = SHARED / "checkpoints" / name if name.startswith("minilm") else ROOT / "resources" / "models" / name
    model = transformers.BertModel.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    tokenizer = transformers.BertTokenizer(vocab=str(folder / "vocab.txt"), do_lower_case=True)
    padding = dict(padding="max_length", max_length=pad_to) if pad_to else {}
    inputs = tokenizer(text_a, text_b, return_tensors="pt", return_special_tokens_mask=True, **padding)
    special = inputs.pop("special_tokens_mask")[0].numpy()
    captured = {}
    for i, layer in enumerate(model.encoder.layer):
        layer.attention.self.value.register_forward_hook(
            lambda module, args, output, i=i: captured.__setitem__(i, output[0].numpy()))
    with torch.no_grad():
        output = model(**inputs, output_attentions=True)

    ids = inputs["input_ids"][0]
    stack = Stack(tokenizer.convert_ids_to_tokens(ids), inputs["token_type_ids"][0].numpy(), special)
    block = Block("encoder", stack, stack, {i: a[0].numpy() for i, a in enumerate(output.attentions)})
    mask = inputs["attention_mask"][0].numpy()
    for i, layer in enumerate(model.encoder.layer):
        n_heads = len(block.weights[i])
        block.values[i] = captured[i].reshape(len(ids), n_heads, -1).transpose(1, 0, 2)
        # [out, in] of all heads to [heads, d, out]
        projection = layer.attention.output.dense.weight.detach().numpy().T.reshape(n_heads, -1, model.config.hidden_size)
        block.norms[i] = np.linalg.norm(block.values[i] @ projection, axis=-1)
        block.see(i, np.broadcast_to(mask, (len(ids), len(ids))) if pad_to else None)
    return [block]


def open_file(name):
    path = SHARED / "traces" / f"{name[7:]}.safetensors" if name.startswith("shared/") else TRACES.parents[1] / f"{name}.safetensors"
    with safe_open(path, "numpy") as file:
        metadata = file.metadata()
    tensors = load_file(path)

    def stack(prefix):
        texts = json.loads(metadata[prefix + "tokens"])
        texts = [text.replace("▁", " ").replace("Ġ", " ") for text in texts]
        default = 1 if prefix == "decoder_" else 0
        return Stack(texts, json.loads(metadata.get(prefix + "segments", json.dumps([default] * len(texts)))),
                     json.loads(metadata.get(prefix + "special", json.dumps([0] * len(texts)))))

    two = "encoder_tokens" in metadata
    stacks = {prefix: stack(prefix) for prefix in (("encoder_", "decoder_") if two else ("",))}
    blocks = []
    for prefix in ("encoder_", "decoder_", "cross_") if two else ("",):
        kind = prefix[:-1] if two else metadata.get("kind", "encoder")
        queries, keys = (stacks["decoder_"], stacks["encoder_"]) if kind == "cross" else (stacks[prefix],) * 2
        layers = {int(key.split(".")[1]): value.astype(np.float64).reshape(value.shape[-3:])
                  for key, value in tensors.items() if key.startswith(prefix + "attentions.")}
        block = Block(kind, queries, keys, layers)
        for layer in layers:
            values = tensors.get(f"{prefix}values.{layer}")
            if values is not None:
                values = values.astype(np.float64).reshape(values.shape[-3:])
                block.values[layer] = np.repeat(values, len(layers[layer]) // len(values), 0)
            block.see(layer, tensors.get(f"{prefix}mask.{layer}", tensors.get(f"{prefix}mask")))
        blocks.append(block)
    return blocks


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(item) for item in value]
    return float(f"{value:.8g}") if isinstance(value, float) else value


def main():
    cases = []
    for name, text_a, text_b, pad_to in PASSES:
        cases.append({"model": name, "text_a": text_a, "text_b": text_b, "pad_to": pad_to,
                      "blocks": [record_block(block) for block in run(name, text_a, text_b, pad_to)]})
    for name in FILES:
        cases.append({"file": f"{name}.safetensors", "blocks": [record_block(block) for block in open_file(name)]})
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(rounded(cases), separators=(",", ":")).replace('{"kind"', '\n{"kind"')
                   .replace('{"layer"', '\n{"layer"') + "\n")
    print(OUT.stat().st_size, "bytes")


main()
