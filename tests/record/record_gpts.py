# SPDX-License-Identifier: MIT
"""The specimens of the GPTs beside GPT-2 (GPT-NeoX, GPT-J, GPT-Neo, the first GPT, and CTRL), recorded as tests/record/record_families.py records those of the
other families.

    python tests/record/record_gpts.py                   (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_gpts.py FOLDER SEED...    the same specimens from other seeds, into FOLDER/SEED

Writes tests/fixtures/families/NAME/, and beside that folder gpt-defaults.json as record_decoders.py writes
decoder-defaults.json, and rows of CTRL's position table, ctrl-sinusoids.json.
"""

import json
import re
import sys

import torch
import transformers

from record_decoders import DEFAULTS, record_defaults, without
from record_families import LABELS, VOCABULARY, attend, main, rope

# Of seeds, beyond those that the other families' specimens count up to.
FIRST_NUMBER = 800
FAMILIES = ["GPTNeoX", "GPTJ", "GPTNeo", "OpenAIGPT", "CTRL"]


def old_partial_rope(tensors, keys):
    """As the hub's files of GPT-NeoX have it."""
    rope = keys.pop("rope_parameters")
    keys["rotary_pct"] = rope.pop("partial_rotary_factor")
    keys["rotary_emb_base"] = rope.pop("rope_theta")
    if rope["rope_type"] != "default":
        keys["rope_scaling"] = rope
    for layer in range(keys["num_hidden_layers"]):
        name = f"gpt_neox.layers.{layer}.attention"
        tensors[f"{name}.bias"] = torch.ones(1, 1, 9, 9, dtype=torch.uint8).tril()
        tensors[f"{name}.masked_bias"] = torch.tensor(-1e9)
        tensors[f"{name}.rotary_emb.inv_freq"] = torch.tensor([1.0, 7.0])
    return tensors


def bare_of(prefix):
    """No prefix, as the hub has them."""
    def change(tensors, keys):
        return {name.removeprefix(prefix): value for name, value in tensors.items()}
    return change


def capture(attention, turned=False):
    """A module whose attention is a method of its own, which is given queries, keys, or these turned, and values."""
    own = attention._attn

    def attend_and_keep(self, query, key, value, *more):
        parts = own(self, query, key, value, *more)
        if len(parts) > 1:
            attend.seen.append((query[0], key[0].transpose(-1, -2) if turned else key[0], value[0], parts[1][0]))
        return parts
    attention._attn = attend_and_keep


capture(transformers.models.gptj.modeling_gptj.GPTJAttention)
capture(transformers.models.gpt_neo.modeling_gpt_neo.GPTNeoSelfAttention)
capture(transformers.models.openai.modeling_openai.Attention, turned=True)
EAGER = dict(attention="eager")

# As in record_families.py; head: features of one.
SPECIMENS = [
    ("gpt-neox-words", "GPTNeoXForCausalLM", torch.float16, dict(),
     dict(change=without("rope_parameters"), head=8, lengths=(9, "full"), writes=True, as_torch_file=True)),
    ("gpt-neox-turns", "GPTNeoXForCausalLM", torch.bfloat16,
     rope("linear", factor=1.5, partial_rotary_factor=0.45)
     | dict(use_parallel_residual=False, attention_bias=False, tie_word_embeddings=True, hidden_act="gelu_fast",
            layer_norm_eps=1e-3),
     dict(change=old_partial_rope, head=10, layers=3, embeddings=0.02, writes=True)),
    ("gpt-neox-dynamic", "GPTNeoXForCausalLM", torch.float32,
     rope("dynamic", factor=2.0, partial_rotary_factor=0.7) | dict(max_position_embeddings=10, hidden_act="relu"),
     dict(head=6, lengths=(7, 10, 17))),
    ("gpt-neox-few", "GPTNeoXModel", torch.float32, dict(),
     dict(change=without("rope_parameters", "layer_norm_eps", "hidden_act", "attention_bias", "use_parallel_residual"),
          head=8, embeddings=0.003)),
    ("gpt-neox-labels", "GPTNeoXForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3),
     dict(head=8, ends_in_pad=True)),
    ("gpt-neox-entities", "GPTNeoXForTokenClassification", torch.float16, LABELS, dict(head=8)),
    ("gpt-neox-answers", "GPTNeoXForQuestionAnswering", torch.float16, dict(), dict(head=8)),

    ("gptj-words", "GPTJForCausalLM", torch.float16, dict(rotary_dim=4),
     EAGER | dict(change=without("n_inner", "activation_function"), head=7, gain=1.7, writes=True,
                  as_torch_file=True)),
    ("gptj-tied", "GPTJForCausalLM", torch.bfloat16,
     dict(rotary_dim=10, tie_word_embeddings=True, activation_function="silu", layer_norm_epsilon=1e-3, n_inner=33),
     EAGER | dict(head=10, layers=3, gain=1.7, embeddings=0.02, writes=True)),
    ("gptj-few", "GPTJModel", torch.float16, dict(rotary_dim=64, n_inner=21),
     EAGER | dict(change=without("rotary_dim", "activation_function", "layer_norm_epsilon"), head=66, heads=1, layers=1,
                  gain=1.7, embeddings=0.003)),
    ("gptj-labels", "GPTJForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3, rotary_dim=2),
     EAGER | dict(head=5, gain=1.7, ends_in_pad=True)),
    ("gptj-answers", "GPTJForQuestionAnswering", torch.float16, dict(rotary_dim=2), EAGER | dict(head=3, gain=1.7, lengths=(9, "full"))),

    # Scores that are not scaled are stronger by the root of a head's features.
    ("gpt-neo-words", "GPTNeoForCausalLM", torch.float16, dict(window_size=3, attention_types=[[["global", "local"], 1]]),
     EAGER | dict(change=without("attention_layers"), head=5, gain=1.4, writes=True, as_torch_file=True)),
    ("gpt-neo-types", "GPTNeoForCausalLM", torch.bfloat16,
     dict(window_size=2, attention_types=[[["local"], 2], [["global", "local"], 1]], tie_word_embeddings=False,
          activation_function="relu", layer_norm_epsilon=1e-3, intermediate_size=23),
     EAGER | dict(change=without("attention_types"), head=3, layers=4, gain=1.6, embeddings=0.02, lengths=(9, "full"))),
    ("gpt-neo-square", "GPTNeoModel", torch.float32,
     dict(intermediate_size="hidden", attention_types=[[["global", "local"], 1]], window_size=4),
     EAGER | dict(change=without("attention_types", "activation_function", "layer_norm_epsilon"), head=7,
                  gain=1.3, embeddings=0.003)),
    ("gpt-neo-labels", "GPTNeoForSequenceClassification", torch.bfloat16,
     LABELS | dict(pad_token_id=3, window_size=3, attention_types=[[["global", "local"], 1]]),
     EAGER | dict(head=5, gain=1.4, ends_in_pad=True)),
    ("gpt-neo-entities", "GPTNeoForTokenClassification", torch.float16,
     LABELS | dict(window_size=3, attention_types=[[["local", "global"], 1]]), EAGER | dict(head=5, gain=1.4)),
    ("gpt-neo-answers", "GPTNeoForQuestionAnswering", torch.float16, dict(attention_types=[[["global", "local"], 1]]),
     EAGER | dict(head=5, gain=1.4)),

    ("openai-gpt-words", "OpenAIGPTLMHeadModel", torch.float16, dict(),
     EAGER | dict(change=bare_of("transformer."), head=5, writes=True)),
    ("openai-gpt-untied", "OpenAIGPTLMHeadModel", torch.bfloat16,
     dict(tie_word_embeddings=False, afn="silu", layer_norm_epsilon=1e-3),
     EAGER | dict(head=7, layers=3, writes=True, as_torch_file=True)),
    ("openai-gpt-few", "OpenAIGPTModel", torch.float32, dict(),
     EAGER | dict(change=without("afn", "layer_norm_epsilon"), head=3, lengths=(9, "full"))),
    ("openai-gpt-labels", "OpenAIGPTForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3),
     EAGER | dict(head=5, ends_in_pad=True)),

    ("ctrl-words", "CTRLLMHeadModel", torch.float16, dict(),
     dict(head=5, embeddings=0.4, lengths=(9, "full"), as_torch_file=True)),
    ("ctrl-untied", "CTRLLMHeadModel", torch.bfloat16, dict(tie_word_embeddings=False, layer_norm_epsilon=1e-3),
     dict(head=7, layers=3, embeddings=0.05, writes=True)),
    ("ctrl-few", "CTRLModel", torch.float32, dict(n_positions=2050),
     dict(change=without("layer_norm_epsilon"), head=3, embeddings=0.4)),
    ("ctrl-labels", "CTRLForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3),
     dict(head=5, embeddings=0.4, ends_in_pad=True)),
]


def draw_config(class_name, options, extra, draw):
    """Odd sizes."""
    family = re.match("|".join(FAMILIES), class_name)[0]
    n_heads = extra.get("heads", draw.choice((3, 5)))
    sizes = dict(hidden_size=n_heads * extra["head"], num_attention_heads=n_heads,
                 num_hidden_layers=extra.get("layers", 2), intermediate_size=draw.randrange(21, 40, 2),
                 max_position_embeddings=draw.randrange(17, 23), vocab_size=VOCABULARY, eos_token_id=None)
    if family == "CTRL":
        sizes["dff"] = sizes.pop("intermediate_size")
    elif family != "GPTNeoX":
        del sizes["intermediate_size"]
    if options.get("intermediate_size") == "hidden":
        options = options | dict(intermediate_size=sizes["hidden_size"])

    return getattr(transformers, family + "Config")(**sizes | options)


def record_sinusoids(path, columns, rows):
    """Of every fifth column, in rows where single precision is seen."""
    table = transformers.models.ctrl.modeling_ctrl.positional_encoding(max(rows) + 1, columns, torch.float)
    path.write_text(json.dumps({"columns": columns, "rows": {row: table[row, ::5].tolist() for row in rows}}) + "\n")


if __name__ == "__main__":
    main(SPECIMENS, FIRST_NUMBER, draw_config)
    if len(sys.argv) == 1:
        record_sinusoids(DEFAULTS.with_name("ctrl-sinusoids.json"), 1280, (3, 255, 511))
        record_defaults(DEFAULTS.with_name("gpt-defaults.json"), FAMILIES, dict(hidden_size=1536))
