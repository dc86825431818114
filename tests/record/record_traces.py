# SPDX-License-Identifier: MIT
"""Writes traces of small random models with transformers, and what numpy measures in them.

    python tests/record/record_traces.py           (from the project's root; torch 2.13, transformers 5.23)

Writes tests/fixtures/traces/
    bert.safetensors    one stack, a padding mask, hidden states, F32
    bert-f16.safetensors, bert-bf16.safetensors    the same numbers rounded
    t5.safetensors      encoder, decoder and cross; position bias, scale 1, a causal mask
    deberta.safetensors a bias in two terms, which are all that the file says of it
    llama.safetensors   a decoder whose 4 query heads share 2 key heads, after rotary
    three-lines.safetensors   what a user writes: attentions as the model gives them, and the tokens
    measures.json       pair share, entropy and single weights of these and of the traces in
                        $HEADLIGHT_SHARED/data/traces (or ../shared)
Weights are drawn large enough for the mean row maximum of every model to be over 0.5.
"""

import json
import os
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from safetensors import safe_open
from safetensors.torch import save_file
from transformers import (BertConfig, BertModel, DebertaV2Config, DebertaV2Model, LlamaConfig, LlamaModel, T5Config,
                          T5Model)
from transformers.models.llama import modeling_llama

from record_deberta import seen, watch

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "fixtures" / "traces"
SHARED = Path(os.environ.get("HEADLIGHT_SHARED", ROOT.parent / "shared")) / "data" / "traces"


def enlarge(model, factor):
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.mul_(factor)
            else:
                parameter.add_(0.1 * torch.randn_like(parameter))


def split_heads(x, n_heads):
    """[1, tokens, heads * d] -> [heads, tokens, d]"""
    return x[0].reshape(x.shape[1], n_heads, -1).transpose(0, 1).contiguous()


def capture(store, key, module, n_heads):
    module.register_forward_hook(lambda m, i, out: store.__setitem__(key, split_heads(out.detach(), n_heads)))


def contiguous(tensors):
    return {name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()}


def check_sharpness(name, attentions):
    sharpness = np.mean([a.max(-1).values.mean().item() for a in attentions])
    print(f"{name}: mean row maximum {sharpness:.2f}")
    assert sharpness > 0.5


def record_bert():
    torch.manual_seed(11)
    config = BertConfig(vocab_size=30, hidden_size=20, num_hidden_layers=2, num_attention_heads=4,
                        intermediate_size=24, max_position_embeddings=16)
    model = BertModel._from_config(config, attn_implementation="eager").eval()
    enlarge(model, 18)
    tensors = {}
    for i, layer in enumerate(model.encoder.layer):
        for role, module in (("queries", "query"), ("keys", "key"), ("values", "value")):
            capture(tensors, f"{role}.{i}", getattr(layer.attention.self, module), 4)
    ids = torch.tensor([[2, 7, 8, 9, 3, 10, 11, 3, 0]])
    visible = torch.tensor([[1, 1, 1, 1, 1, 1, 1, 1, 0]])
    with torch.no_grad():
        out = model(ids, attention_mask=visible, output_attentions=True, output_hidden_states=True)
    for i, attention in enumerate(out.attentions):
        tensors[f"attentions.{i}"] = attention
    for i, states in enumerate(out.hidden_states):
        tensors[f"hidden_states.{i}"] = states
    tensors["mask"] = visible.bool().expand(9, 9)
    check_sharpness("bert", out.attentions)
    tokens = ["[CLS]", "the", "cat", "sat", "[SEP]", "a", "dog", "[SEP]", "[PAD]"]
    metadata = {
        "tokens": json.dumps(tokens),
        "segments": json.dumps([0, 0, 0, 0, 0, 1, 1, 1, 1]),
        "special": json.dumps([1, 0, 0, 0, 1, 0, 0, 1, 1]),
        "scale": str(5**-0.5),
    }
    save_file(contiguous(tensors), FOLDER / "bert.safetensors", metadata)
    for name, dtype in (("f16", torch.float16), ("bf16", torch.bfloat16)):
        rounded = {k: v if v.dtype == torch.bool else v.to(dtype) for k, v in tensors.items()}
        save_file(contiguous(rounded), FOLDER / f"bert-{name}.safetensors", metadata)

    # The lines that the README shows.
    tensors = {f"attentions.{i}": a for i, a in enumerate(out.attentions)}
    save_file(tensors, FOLDER / "three-lines.safetensors", {"tokens": json.dumps(tokens)})


def record_t5():
    torch.manual_seed(12)
    config = T5Config(vocab_size=30, d_model=16, d_kv=6, d_ff=24, num_layers=2, num_decoder_layers=3, num_heads=3,
                      relative_attention_num_buckets=8, relative_attention_max_distance=12)
    model = T5Model._from_config(config, attn_implementation="eager").eval()
    enlarge(model, 2.5)
    tensors = {}

    def capture_stack(prefix, blocks, index, name):
        for i, block in enumerate(blocks):
            attention = getattr(block.layer[index], name)
            for role, module in (("queries", "q"), ("keys", "k"), ("values", "v")):
                capture(tensors, f"{prefix}_{role}.{i}", getattr(attention, module), 3)

    capture_stack("encoder", model.encoder.block, 0, "SelfAttention")
    capture_stack("decoder", model.decoder.block, 0, "SelfAttention")
    capture_stack("cross", model.decoder.block, 1, "EncDecAttention")
    source = torch.tensor([[5, 6, 7, 8, 9, 1]])
    target = torch.tensor([[0, 12, 13, 14]])
    with torch.no_grad():
        out = model(input_ids=source, decoder_input_ids=target, output_attentions=True)
        biases = {
            "encoder": model.encoder.block[0].layer[0].SelfAttention.compute_bias(6, 6)[0],
            "decoder": model.decoder.block[0].layer[0].SelfAttention.compute_bias(4, 4)[0],
        }
    for prefix, attentions in (("encoder", out.encoder_attentions), ("decoder", out.decoder_attentions),
                               ("cross", out.cross_attentions)):
        check_sharpness(f"t5 {prefix}", attentions)
        for i, attention in enumerate(attentions):
            tensors[f"{prefix}_attentions.{i}"] = attention[0]
            if prefix in biases:
                tensors[f"{prefix}_position_bias.{i}"] = biases[prefix]
    for i in range(3):
        tensors[f"decoder_mask.{i}"] = torch.ones(4, 4).tril().to(torch.uint8)
    metadata = {
        "encoder_tokens": json.dumps(["▁she", "▁sees", "▁an", "▁ele", "phant", "</s>"]),
        "decoder_tokens": json.dumps(["<pad>", "▁sie", "▁sieht", "▁ihn"]),
        "encoder_scale": "1",
        "decoder_scale": "[1, 1.0, 1e0]",
        "cross_scale": "1",
    }
    save_file(contiguous(tensors), FOLDER / "t5.safetensors", metadata)


def record_deberta():
    torch.manual_seed(14)
    config = DebertaV2Config(vocab_size=30, hidden_size=20, num_hidden_layers=2, num_attention_heads=4, intermediate_size=24,
                             max_position_embeddings=16, relative_attention=True, pos_att_type=["c2p", "p2c"],
                             position_buckets=4, max_relative_positions=16, share_att_key=True, norm_rel_ebd="layer_norm",
                             position_biased_input=False)
    model = DebertaV2Model._from_config(config, attn_implementation="eager").eval()
    enlarge(model, 18)
    for layer in model.encoder.layer:
        layer.attention.self.register_forward_hook(watch, with_kwargs=True)
    with torch.no_grad():
        out = model(torch.tensor([[1, 5, 6, 7, 8, 9, 2]]), output_attentions=True)
    check_sharpness("deberta", out.attentions)
    tensors = {f"{name}.{layer}": value for layer, parts in enumerate(seen) for name, value in parts.items()}
    metadata = {"tokens": json.dumps(["[CLS]", "▁time", "▁flies", "▁like", "▁an", "▁arrow", "[SEP]"]),
                "special": json.dumps([1, 0, 0, 0, 0, 0, 1]), "scale": str(15**-0.5)}
    save_file(contiguous(tensors), FOLDER / "deberta.safetensors", metadata)


def record_llama():
    torch.manual_seed(13)
    config = LlamaConfig(vocab_size=30, hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
                         num_key_value_heads=2, head_dim=6, intermediate_size=24)
    model = LlamaModel._from_config(config, attn_implementation="eager").eval()
    enlarge(model, 20)
    rotated = []
    rotate = modeling_llama.apply_rotary_pos_emb

    def rotate_and_keep(*args, **kwargs):
        rotated.append(rotate(*args, **kwargs))
        return rotated[-1]

    modeling_llama.apply_rotary_pos_emb = rotate_and_keep
    with torch.no_grad():
        out = model(torch.tensor([[3, 4, 5, 6, 7]]), output_attentions=True)
    modeling_llama.apply_rotary_pos_emb = rotate
    check_sharpness("llama", out.attentions)
    tensors = {"mask": torch.ones(5, 5).tril().to(torch.uint8)}
    for i, (queries, keys) in enumerate(rotated):
        tensors[f"attentions.{i}"] = out.attentions[i]
        tensors[f"queries.{i}"] = queries
        tensors[f"keys.{i}"] = keys
    metadata = {"kind": "decoder", "tokens": json.dumps(["a", " b", " c", " d", " e"])}
    save_file(contiguous(tensors), FOLDER / "llama.safetensors", metadata)


def segments(metadata, prefix):
    """The sentence of each token; a decoder beside an encoder writes B where nothing is said."""
    default = 1 if prefix == "decoder_" and "encoder_tokens" in metadata else 0
    return np.array(json.loads(metadata.get(prefix + "segments", json.dumps([default] * 99))))


def padding(metadata, tensors, prefix, layer, n):
    """Template tokens that no token of their own stack sees."""
    mask = tensors.get(f"{prefix}mask.{layer}", tensors.get(f"{prefix}mask"))
    if mask is None or prefix == "cross_":
        return np.zeros(n, bool)
    special = np.array(json.loads(metadata.get(prefix + "special", json.dumps([0] * n))))
    return (special == 1) & ~mask.astype(bool).any(0)


def measure(path):
    """Per attention tensor: pair share and entropy by numpy in double precision, and a few weights."""
    with safe_open(path, "numpy") as file:
        metadata = file.metadata()
    random = np.random.default_rng(5)
    measures = {}
    tensors = load_file(path)
    for name, attention in sorted(tensors.items()):
        if "attentions." not in name:
            continue
        attention = attention.astype(np.float64)
        if attention.ndim == 4:
            attention = attention[0]
        prefix = name.split("attentions")[0]
        keys, queries = (("encoder_", "decoder_") if prefix == "cross_" else (prefix, prefix))
        of_key = segments(metadata, keys)[: attention.shape[2]]
        of_query = segments(metadata, queries)[: attention.shape[1]]
        other = of_query[:, None] != of_key[None, :]
        counted = ~padding(metadata, tensors, prefix, name.split(".")[1], attention.shape[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(attention > 0, -attention * np.log2(attention), 0)
        pair = np.unique(np.concatenate([of_key, of_query])).size > 1
        head, query, key = (random.integers(0, n, 4) for n in attention.shape)
        measures[name] = {
            "shape": list(attention.shape),
            "pair_share": [float(v) for v in (attention * other).sum(-1)[:, counted].mean(-1)] if pair else None,
            "entropy_of_last_row": [float(v) for v in terms[:, -1].sum(-1)],
            "weights": [[int(h), int(q), int(k), float(attention[h, q, k])] for h, q, k in zip(head, query, key)],
        }
    return measures


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    record_bert()
    record_t5()
    record_llama()
    record_deberta()
    names = ["bert", "bert-f16", "deberta", "t5", "llama", "three-lines"]
    measures = {f"fixtures/traces/{name}.safetensors": measure(FOLDER / f"{name}.safetensors") for name in names}
    for path in sorted(SHARED.glob("*.safetensors")):
        measures[f"shared/{path.name}"] = measure(path)
    (FOLDER / "measures.json").write_text(json.dumps(measures) + "\n")


main()
