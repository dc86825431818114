# SPDX-License-Identifier: MIT
"""Records layer 0 of a real BERT for the tests of the neuron view.

    python tests/record/record_scene.py             (from the project's root; torch 2.13, transformers 5.23)

MiniLM-L6-v2 is read from $HEADLIGHT_SHARED or ../shared. Writes to tests/fixtures/scene/
    flies.safetensors   a trace of "time flies like an arrow" / "fruit flies like a banana"
    flies.json          what head 8 makes of the query of "flies" (2), in double precision: for each key the
                        product q·k, the score and the weight; dimensions by the sum of |q × k| over the keys;
                        what the model itself hands on as the output of the head, and the lengths of the values
"""

import json
import os
from pathlib import Path

import safetensors.torch
import torch
from transformers import AutoModel, AutoTokenizer

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "scene"
SHARED = Path(os.environ.get("HEADLIGHT_SHARED", ROOT.parent / "shared"))
CHECKPOINT = SHARED / "data" / "checkpoints" / "minilm-l6-v2"
TEXTS = ("time flies like an arrow", "fruit flies like a banana")
HEAD, QUERY = 8, 2


def split_heads(states, n_heads):
    """[1, tokens, heads * d] to [heads, tokens, d]."""
    tokens = states.shape[1]
    return states[0].view(tokens, n_heads, -1).transpose(0, 1).contiguous()


def record():
    model = AutoModel.from_pretrained(CHECKPOINT, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT)
    encoding = tokenizer(*TEXTS, return_tensors="pt", return_special_tokens_mask=True)
    special = encoding.pop("special_tokens_mask")[0].tolist()
    layer = model.encoder.layer[0].attention.self
    vectors = {}
    for name, module in (("queries.0", layer.query), ("keys.0", layer.key), ("values.0", layer.value)):
        module.register_forward_hook(lambda _, __, output, name=name: vectors.update(
            {name: split_heads(output, model.config.num_attention_heads)}))
    contexts = []
    layer.register_forward_hook(lambda _, __, output: contexts.append(output[0]))
    with torch.no_grad():
        output = model(**encoding, output_attentions=True)
    context = split_heads(contexts[0], model.config.num_attention_heads)
    norms = measure_values(vectors["values.0"], model.encoder.layer[0].attention.output.dense.weight)
    trace = {"attentions.0": output.attentions[0][0].contiguous(), "value_output_norms.0": norms, **vectors}
    metadata = {
        "tokens": json.dumps(tokenizer.convert_ids_to_tokens(encoding["input_ids"][0])),
        "segments": json.dumps(encoding["token_type_ids"][0].tolist()),
        "special": json.dumps(special),
        "scale": repr(vectors["keys.0"].shape[-1] ** -0.5),
        "format": "headlight-trace", "version": "1", "kind": "encoder",
        "model": "MiniLM-L6-v2", "family": "bert", "text_a": TEXTS[0], "text_b": TEXTS[1],
    }
    return trace, metadata, context


def measure_values(values, weight):
    """||v W_O|| of each key of each head, [heads, keys]; weight is the Linear's, [hidden, heads * d]."""
    n_heads, _, d = values.shape
    parts = weight.view(-1, n_heads, d)
    return torch.einsum("hkd,ohd->hko", values, parts).norm(dim=-1).detach().contiguous()


def explain(trace, context):
    query = trace["queries.0"][HEAD, QUERY].double()
    keys = trace["keys.0"][HEAD].double()
    products = keys * query
    dots = products.sum(-1)
    scores = dots / query.shape[0] ** 0.5
    return {
        "products": dots.tolist(), "scores": scores.tolist(), "weights": scores.softmax(-1).tolist(),
        "order": products.abs().sum(0).argsort(descending=True).tolist(),
        "output": context[HEAD, QUERY].double().tolist(),
        "value_norms": trace["values.0"][HEAD].double().norm(dim=-1).tolist(),
        "value_output_norms": trace["value_output_norms.0"][HEAD].double().tolist(),
    }


def main():
    trace, metadata, context = record()
    FIXTURES.mkdir(parents=True, exist_ok=True)
    safetensors.torch.save_file(trace, FIXTURES / "flies.safetensors", metadata)
    (FIXTURES / "flies.json").write_text(json.dumps(explain(trace, context), indent=1) + "\n")


if __name__ == "__main__":
    main()
