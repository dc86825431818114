# SPDX-License-Identifier: MIT
"""The same as record_families.py, for the families that share Llama's layers.

    python tests/record/record_decoders.py                   (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_decoders.py FOLDER SEED...    the same specimens from other seeds, into FOLDER/SEED

Writes tests/fixtures/families/NAME/, and tests/fixtures/decoder-defaults.json, a list of what a config.json says
and all that it means.
"""

import json
import re
import sys
from pathlib import Path

import torch
import transformers

from record_families import FIXTURES, LABELS, VOCABULARY, record, rope

DEFAULTS = FIXTURES.parent / "decoder-defaults.json"
FAMILIES = ["Mistral", "Qwen3", "Granite", "Olmo2", "SmolLM3", "Phi3", "Gemma2", "Gemma3", "Gemma"]


def get_config(family, keys):
    return getattr(transformers, {"Gemma3": "Gemma3Text"}.get(family, family) + "Config")(**keys)


def old_rope(tensors, keys):
    """The spelling of releases before 5."""
    rope = keys.pop("rope_parameters")
    keys["rope_theta"] = rope.pop("rope_theta")
    keys["rope_scaling"] = None if rope["rope_type"] == "default" else {"type": rope.pop("rope_type")} | rope
    return tensors


def without(*names):
    """These keys are not in the file."""
    def change(tensors, keys):
        for name in names:
            del keys[name]
        return tensors
    return change


def long_rope(head_size, **more):
    """A quarter of the pairs keeps its frequency in short texts."""
    n = head_size // 2
    return rope("longrope", short_factor=[1.0] * (n // 4) + [1.5 + c for c in range(n - n // 4)],
                long_factor=[2.0 + 3 * c for c in range(n)], **more)


def old_long_rope(tensors, keys):
    """As the hub's files have it; the fraction of a head that is turned at the top level."""
    keys["partial_rotary_factor"] = keys["rope_parameters"].pop("partial_rotary_factor")
    keys["rope_parameters"].pop("original_max_position_embeddings")
    return old_rope(tensors, keys)


def two_ropes(full={}, sliding={}):
    return dict(rope_parameters=dict(full_attention=dict(rope_type="default", rope_theta=500.0) | full,
                                     sliding_attention=dict(rope_type="default", rope_theta=20.0) | sliding))


def old_types(pattern):
    """As the first files of Gemma 3 have the kinds of their layers."""
    def change(tensors, keys):
        ropes = keys.pop("rope_parameters")
        keys["rope_local_base_freq"] = ropes["sliding_attention"]["rope_theta"]
        keys["rope_theta"] = ropes["full_attention"].pop("rope_theta")
        keys["rope_scaling"] = ropes["full_attention"]
        keys["sliding_window_pattern"] = pattern
        del keys["layer_types"]
        return tensors
    return change


def old_gelu(tensors, keys):
    """As the first files of Gemma have it."""
    keys["hidden_act"] = "gelu"
    return old_rope(tensors, keys)


# As in record_families.py; writes: what generate() goes on with is recorded, too; norms: mean of their weights.
SPECIMENS = [
    ("mistral-words", "MistralForCausalLM", torch.float16, dict(sliding_window=5),
     dict(lengths=(5, 13), embeddings=0.01, writes=True)),
    ("mistral-none", "MistralForCausalLM", torch.bfloat16,
     rope("linear", factor=2.0) | dict(sliding_window=None, tie_word_embeddings=True, rms_norm_eps=1e-3, hidden_act="gelu"),
     dict(change=old_rope, embeddings=0.01, writes=True)),
    ("mistral-default", "MistralModel", torch.float32, dict(num_key_value_heads="heads", head_dim=None),
     dict(change=without("sliding_window", "head_dim", "rope_parameters"))),
    ("mistral-labels", "MistralForSequenceClassification", torch.bfloat16,
     LABELS | dict(pad_token_id=3, sliding_window=3), dict(ends_in_pad=True)),
    ("mistral-entities", "MistralForTokenClassification", torch.float16, LABELS | dict(sliding_window=3), {}),
    ("mistral-answers", "MistralForQuestionAnswering", torch.float16, dict(sliding_window=4), dict(as_torch_file=True)),

    ("qwen3-words", "Qwen3ForCausalLM", torch.float16, dict(tie_word_embeddings=True),
     dict(embeddings=0.002, writes=True, as_torch_file=True)),
    ("qwen3-window", "Qwen3ForCausalLM", torch.bfloat16,
     dict(attention_bias=True, use_sliding_window=True, sliding_window=4, max_window_layers=1, rms_norm_eps=1e-3),
     dict(change=without("layer_types"), layers=3, lengths=(8, 13), writes=True)),
    ("qwen3-types", "Qwen3Model", torch.float16,
     rope("linear", factor=1.5) | dict(use_sliding_window=True, sliding_window=3, num_key_value_heads="heads",
                                       layer_types=["sliding_attention", "full_attention"]),
     dict(change=old_rope)),
    ("qwen3-labels", "Qwen3ForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3), dict(ends_in_pad=True)),
    ("qwen3-entities", "Qwen3ForTokenClassification", torch.float16, LABELS, {}),
    ("qwen3-answers", "Qwen3ForQuestionAnswering", torch.float16, dict(), {}),

    ("granite-words", "GraniteForCausalLM", torch.float16,
     dict(embedding_multiplier=12.0, attention_multiplier=0.2, residual_multiplier=0.22, logits_scaling=8.0,
          tie_word_embeddings=True), dict(embeddings=0.05, writes=True, as_torch_file=True)),
    ("granite-biases", "GraniteForCausalLM", torch.bfloat16,
     rope("linear", factor=2.0) | dict(embedding_multiplier=0.5, attention_multiplier=0.7, residual_multiplier=1.6,
                                       logits_scaling=0.3, attention_bias=True, mlp_bias=True, rms_norm_eps=1e-3),
     dict(change=old_rope, embeddings=0.02, writes=True)),
    ("granite-few", "GraniteModel", torch.float32, dict(num_key_value_heads="heads"),
     dict(change=without("embedding_multiplier", "attention_multiplier", "residual_multiplier", "logits_scaling"),
          gain=1.2)),

    ("olmo2-words", "Olmo2ForCausalLM", torch.float16, dict(rms_norm_eps=1e-4), dict(embeddings=0.005, writes=True, as_torch_file=True)),
    ("olmo2-biases", "Olmo2ForCausalLM", torch.bfloat16,
     rope("llama3", factor=3.0, low_freq_factor=0.7, high_freq_factor=5.5, original_max_position_embeddings=19)
     | dict(attention_bias=True, tie_word_embeddings=True, num_key_value_heads="heads"),
     dict(change=old_rope, writes=True)),
    ("olmo2-few", "Olmo2Model", torch.float32, dict(num_key_value_heads="heads"),
     dict(change=without("rms_norm_eps", "num_key_value_heads", "attention_bias", "rope_parameters"), embeddings=0.01)),
    ("olmo2-labels", "Olmo2ForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3), dict(ends_in_pad=True)),

    ("smollm3-words", "SmolLM3ForCausalLM", torch.float16, dict(no_rope_layer_interval=2),
     dict(change=without("no_rope_layers", "tie_word_embeddings", "layer_types"), layers=3, writes=True, as_torch_file=True)),
    ("smollm3-window", "SmolLM3ForCausalLM", torch.bfloat16,
     dict(no_rope_layers=[1, 0, 0], use_sliding_window=True, sliding_window=3, attention_bias=True, mlp_bias=True,
          tie_word_embeddings=False, rms_norm_eps=1e-3),
     dict(change=without("layer_types"), layers=3, embeddings=0.02, lengths=(8, 13), writes=True)),
    ("smollm3-types", "SmolLM3Model", torch.float16,
     rope("linear", factor=1.5) | dict(no_rope_layers=[0, 1, 1, 0], sliding_window=3, num_key_value_heads="heads",
                                       layer_types=["sliding_attention", "sliding_attention"] + ["full_attention"] * 2),
     dict(change=old_rope, layers=4)),
    ("smollm3-labels", "SmolLM3ForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3),
     dict(ends_in_pad=True)),
    ("smollm3-entities", "SmolLM3ForTokenClassification", torch.float16, LABELS | dict(no_rope_layers=[0, 1]), {}),
    ("smollm3-answers", "SmolLM3ForQuestionAnswering", torch.float16, dict(no_rope_layers=[0, 0]), {}),

    ("phi3-words", "Phi3ForCausalLM", torch.float16, dict(sliding_window=5), dict(lengths=(8, 13), writes=True, as_torch_file=True)),
    ("phi3-part", "Phi3ForCausalLM", torch.bfloat16,
     rope("default", partial_rotary_factor=0.5) | dict(head_dim=12, tie_word_embeddings=True, hidden_act="gelu",
                                                       rms_norm_eps=1e-3), dict(embeddings=0.02, writes=True)),
    ("phi3-long", "Phi3ForCausalLM", torch.bfloat16,
     long_rope(10) | dict(head_dim=10, original_max_position_embeddings=11, max_position_embeddings=40),
     dict(lengths=(7, 11, 12, 21), writes=True)),
    ("phi3-old", "Phi3Model", torch.float16,
     long_rope(8, partial_rotary_factor=0.8) | dict(head_dim=10, original_max_position_embeddings=10,
                                                    max_position_embeddings=20, num_key_value_heads="heads"),
     dict(change=old_long_rope, lengths=(10, 15))),
    ("phi3-few", "Phi3Model", torch.float32, dict(num_key_value_heads="heads", head_dim="none"),
     dict(change=without("rope_parameters", "sliding_window", "rms_norm_eps"), embeddings=0.01)),
    ("phi3-labels", "Phi3ForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3), dict(ends_in_pad=True)),
    ("phi3-entities", "Phi3ForTokenClassification", torch.float16,
     LABELS | long_rope(6, attention_factor=1.4) | dict(head_dim=6, original_max_position_embeddings=20), {}),
    ("mistral-long", "MistralForCausalLM", torch.float16,
     long_rope(6, original_max_position_embeddings=9) | dict(head_dim=6, sliding_window=None), dict(lengths=(7, 15))),

    ("gemma-words", "GemmaForCausalLM", torch.float16, dict(rms_norm_eps=1e-4),
     dict(embeddings=0.003, norms=0.0, writes=True, as_torch_file=True)),
    ("gemma-biases", "GemmaForCausalLM", torch.float32,
     rope("linear", factor=1.5) | dict(attention_bias=True, tie_word_embeddings=False, hidden_act="silu",
                                       num_key_value_heads="heads"), dict(change=old_rope, norms=0.0, writes=True)),
    ("gemma-old", "GemmaModel", torch.bfloat16, dict(), dict(change=old_gelu, norms=0.0)),
    ("gemma-labels", "GemmaForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3),
     dict(ends_in_pad=True, norms=0.0)),
    ("gemma-entities", "GemmaForTokenClassification", torch.float16, LABELS, dict(norms=0.0)),

    ("gemma2-words", "Gemma2ForCausalLM", torch.float16,
     dict(attn_logit_softcapping=3.0, final_logit_softcapping=12.0, query_pre_attn_scalar=7, sliding_window=3),
     dict(change=without("layer_types"), layers=3, norms=0.0, gain=2.2, lengths=(8, 13), writes=True, as_torch_file=True)),
    ("gemma2-types", "Gemma2ForCausalLM", torch.float32,
     rope("linear", factor=1.5) | dict(attn_logit_softcapping=None, final_logit_softcapping=None, query_pre_attn_scalar=19,
                                       sliding_window=4, attention_bias=True, tie_word_embeddings=False, rms_norm_eps=1e-3,
                                       layer_types=["full_attention", "sliding_attention"], hidden_activation="silu",
                                       num_key_value_heads="heads"),
     dict(change=old_rope, norms=0.0, gain=2.2, embeddings=0.02, writes=True)),
    ("gemma2-few", "Gemma2Model", torch.bfloat16, dict(hidden_activation="gelu_pytorch_tanh"),
     dict(change=without("attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar", "sliding_window",
                         "layer_types", "hidden_activation", "tie_word_embeddings"), norms=0.0, gain=5.0)),
    ("gemma2-labels", "Gemma2ForSequenceClassification", torch.bfloat16,
     LABELS | dict(pad_token_id=3, query_pre_attn_scalar=5, attn_logit_softcapping=6.0, final_logit_softcapping=1.0),
     dict(ends_in_pad=True, norms=0.0)),
    ("gemma2-entities", "Gemma2ForTokenClassification", torch.float16, LABELS | dict(query_pre_attn_scalar=5),
     dict(norms=0.0)),

    ("gemma3-words", "Gemma3ForCausalLM", torch.float16,
     two_ropes(full=dict(rope_type="linear", factor=2.0))
     | dict(query_pre_attn_scalar=7, sliding_window=3, sliding_window_pattern=2),
     dict(change=old_types(2), layers=3, norms=0.0, lengths=(8, 13), writes=True, as_torch_file=True)),
    ("gemma3-types", "Gemma3ForCausalLM", torch.float32,
     two_ropes(sliding=dict(rope_type="linear", factor=1.5))
     | dict(final_logit_softcapping=12.0, attn_logit_softcapping=2.0, query_pre_attn_scalar=3, sliding_window=4,
            attention_bias=True, tie_word_embeddings=False, rms_norm_eps=1e-3, num_key_value_heads="heads",
            layer_types=["full_attention", "sliding_attention"]), dict(norms=0.0, embeddings=0.02, writes=True)),
    ("gemma3-few", "Gemma3TextModel", torch.bfloat16, dict(query_pre_attn_scalar=5, rope_parameters=None),
     dict(change=without("rope_parameters", "sliding_window", "layer_types", "hidden_activation", "tie_word_embeddings"),
          layers=7, norms=0.0, lengths=(9,))),
    ("gemma3-labels", "Gemma3TextForSequenceClassification", torch.bfloat16,
     LABELS | two_ropes() | dict(pad_token_id=3, query_pre_attn_scalar=5, sliding_window=3, final_logit_softcapping=1.0),
     dict(ends_in_pad=True, norms=0.0)),
]


def draw_config(class_name, options, extra, draw):
    """Odd sizes; heads whose features together are not as many as the hidden state's, where a family lets them be."""
    family = re.match("|".join(FAMILIES), class_name)[0]
    n_heads, head_size = draw.choice((4, 6)), draw.choice((4, 6, 10))
    sizes = dict(hidden_size=n_heads * draw.choice((3, 5, 7)), num_attention_heads=n_heads,
                 num_key_value_heads=draw.choice((1, 2)), head_dim=head_size, vocab_size=VOCABULARY,
                 num_hidden_layers=extra.get("layers", 2), intermediate_size=draw.randrange(21, 40, 2),
                 max_position_embeddings=draw.randrange(22, 31), pad_token_id=None, eos_token_id=None,
                 rope_parameters=dict(rope_type="default", rope_theta=10000.0))
    if options.get("head_dim", 0) is None:
        sizes["hidden_size"] = n_heads * head_size
    if family == "Phi3" and "head_dim" in options:
        if options["head_dim"] == "none":
            del sizes["head_dim"]
            options = {key: value for key, value in options.items() if key != "head_dim"}
        sizes["hidden_size"] = n_heads * options.get("head_dim", head_size)
    if family in ("Gemma2", "Gemma3"):
        sizes["hidden_size"] = n_heads * 6
    if options.get("num_key_value_heads") == "heads":
        options = options | dict(num_key_value_heads=n_heads)
    return get_config(family, sizes | options)


def record_defaults(path, families, *more):
    """What the configs mean that say next to nothing: some sizes follow from others."""
    unused = ("_name_or_path", "id2label", "label2id", "transformers_version")
    cases = []
    for family in families:
        for said in (dict(), *more):
            config = get_config(family, said)
            cases.append(dict(said=dict(model_type=config.model_type, **said),
                              meant={key: value for key, value in config.to_dict().items() if key not in unused}))
    path.write_text(json.dumps(cases, indent=1, sort_keys=True) + "\n")


def record_all(target, seed):
    for number, specimen in enumerate(SPECIMENS):
        record(target, number, seed, *specimen, draw_config=draw_config)


if __name__ == "__main__":
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    if len(sys.argv) == 1:
        record_all(FIXTURES, 1)
        record_defaults(DEFAULTS, FAMILIES, dict(hidden_size=1536, num_hidden_layers=7))
    for seed in sys.argv[2:]:
        record_all(Path(sys.argv[1]) / seed, int(seed))
