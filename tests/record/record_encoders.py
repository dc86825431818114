# SPDX-License-Identifier: MIT
"""The specimens of ELECTRA, ALBERT, ESM, ModernBERT, EmbeddingGemma, BigBird and XLM, recorded as tests/record/record_families.py records those of the other families.

    python tests/record/record_encoders.py                   (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_encoders.py FOLDER SEED...    the same specimens from other seeds, into FOLDER/SEED

Writes tests/fixtures/encoder-defaults.json, too: a list of what a config.json says and all that it means.
"""

import json
import sys

import torch
import transformers
from transformers.models.big_bird import modeling_big_bird
from transformers.models.xlm import modeling_xlm

import record_decoders
import record_families
from record_families import FIXTURES, LABELS, attend, few_keys, main

DEFAULTS = FIXTURES.parent / "encoder-defaults.json"
# Of seeds, which the specimens of record_families.py count up to.
FIRST_NUMBER = 500


def record_defaults():
    """What the configs mean that say next to nothing."""
    unused = ("_name_or_path", "id2label", "label2id", "transformers_version")
    cases = []
    for family in ("ModernBert", "BigBird", "XLM"):
        for said in (dict(), dict(n_layers=7) if family == "XLM" else dict(num_hidden_layers=7)):
            config = getattr(transformers, family + "Config")(**said)
            cases.append(dict(said=dict(model_type=config.model_type, **said),
                              meant={key: value for key, value in config.to_dict().items() if key not in unused}))
    DEFAULTS.write_text(json.dumps(cases, indent=1, sort_keys=True) + "\n")


def capture(attention, projections=("query", "key", "value"), heads="num_attention_heads", **more):
    """Classes whose attention is no function of its own: what goes in and comes out is kept."""
    forward = attention.forward

    def forward_and_keep(self, hidden, *args, **options):
        output = forward(self, hidden, *args, **(options | more))
        projected = [getattr(self, name)(hidden[0]).view(hidden.shape[1], getattr(self, heads), -1).transpose(0, 1)
                     for name in projections]
        attend.seen.append((*projected, output[1][0]))
        return output

    attention.forward = forward_and_keep


capture(modeling_big_bird.BigBirdSelfAttention)
capture(modeling_big_bird.BigBirdBlockSparseAttention)
capture(modeling_xlm.MultiHeadAttention, ("q_lin", "k_lin", "v_lin"), "n_heads", output_attentions=True)
# The logits of the question, too, which transformers lowers by a million.
transformers.BigBirdForQuestionAnswering.prepare_question_mask = staticmethod(
    lambda lengths, n: torch.zeros(len(lengths), n, dtype=torch.int))


def few_sizes(tensors, keys):
    """Width of the embedding, groups and what is in them, too, are the family's defaults."""
    for key in ("embedding_size", "num_hidden_groups", "inner_group_num"):
        keys.pop(key, None)
    return few_keys(tensors, keys)


def without_prefix(tensors, keys):
    return {name.removeprefix("electra."): value for name, value in tensors.items()}


def half_frequencies(tensors, keys):
    """As the hub's: every layer holds the frequencies, which were rounded."""
    frequencies = tensors.pop(next(name for name in tensors if name.endswith("inv_freq"))).half().float()
    for layer in range(keys["num_hidden_layers"]):
        tensors[f"esm.encoder.layer.{layer}.attention.self.rotary_embeddings.inv_freq"] = frequencies + layer
    return tensors


def bare_frequencies(tensors, keys):
    """No prefix, and the frequencies where newer files hold them, off what the base says."""
    name = next(name for name in tensors if name.endswith("inv_freq"))
    tensors["rotary_embeddings.inv_freq"] = tensors.pop(name) * 1.25
    return {name.removeprefix("esm."): value for name, value in tensors.items()}


def absolute_by_default(tensors, keys):
    """Padding's id has no default."""
    pad_id = keys["pad_token_id"]
    del keys["position_embedding_type"]
    tensors = few_keys(tensors, keys)
    keys["pad_token_id"] = pad_id
    return tensors


def first_keys(tensors, keys):
    """As the hub's: layers by a number, the bases of both sorts at the top level."""
    ropes = keys.pop("rope_parameters")
    del keys["layer_types"]
    return tensors


def first_ropes(tensors, keys):
    """The same, with an interval and bases that are no defaults."""
    ropes = keys["rope_parameters"]
    keys["global_rope_theta"] = ropes["full_attention"]["rope_theta"]
    keys["local_rope_theta"] = ropes["sliding_attention"]["rope_theta"]
    keys["global_attn_every_n_layers"] = 2
    return first_keys(tensors, keys)


def few_of_modern(tensors, keys):
    """What is at its default is not in the file, nor is the base's prefix."""
    for key in ("norm_eps", "norm_bias", "attention_bias", "mlp_bias", "hidden_activation", "local_attention",
                "tie_word_embeddings"):
        del keys[key]
    return first_keys({name.removeprefix("model."): value for name, value in tensors.items()}, keys)


def few_of_big_bird(tensors, keys):
    """No prefix, and attention, bias and scale as they are by default."""
    for key in ("attention_type", "use_bias", "rescale_embeddings", "hidden_act", "layer_norm_eps", "type_vocab_size"):
        del keys[key]
    return {name.removeprefix("bert."): value for name, value in tensors.items()}


def run_in_languages(cls, folder, ids, *args):
    """Each token in a language of its own; the row of the last one is far from the others."""
    n_languages = json.loads((folder / "config.json").read_text())["n_langs"]
    return record_families.run(cls, folder, ids, *args, languages=[(5 * i + 1) % n_languages for i in range(len(ids))])


def old_ids(tensors, keys):
    """As the hub's: ids and the number of words under older names; what is at its default is left out, the prefix, too."""
    keys["pad_index"] = keys.pop("pad_token_id")
    keys["eos_index"] = keys.pop("eos_token_id")
    keys["n_words"] = keys.pop("vocab_size")
    for key in ("gelu_activation", "causal", "asm", "layer_norm_eps", "is_encoder"):
        del keys[key]
    return {name.removeprefix("transformer."): value for name, value in tensors.items()}


def odd_window(tensors, keys):
    """Half of it is rounded; transformers writes even numbers."""
    keys["sliding_window"] += 1
    return tensors


def draw_config(class_name, *args):
    return (record_decoders if class_name.startswith("Gemma3") else record_families).draw_config(class_name, *args)


TYPES = dict(types=True)
ESM = dict(position_embedding_type="rotary", pad_token_id=1, mask_token_id=6)
MASKS = dict(masks=(2, 5))
SOME_IDS = dict(pad_token_id=3, bos_token_id=None, eos_token_id=None, cls_token_id=None, sep_token_id=None)
MODERN = SOME_IDS | dict(rope_parameters=dict(full_attention=dict(rope_type="default", rope_theta=500.0),
                                              sliding_attention=dict(rope_type="default", rope_theta=20.0)))
XLM = dict(pad_token_id=4)
ALONE = dict(attention="eager")
BIRD = dict(max_position_embeddings=30)
BY_CLASS = dict(attention="eager", types=True)
BOTH_WAYS = record_decoders.two_ropes() | dict(use_bidirectional_attention=True)
SPECIMENS = [
    ("electra-generator", "ElectraForMaskedLM", torch.float16, dict(embedding_size=11),
     dict(embeddings=0.003, lengths=(9, "full")) | TYPES),
    ("electra-wide", "ElectraForMaskedLM", torch.bfloat16,
     dict(embedding_size=43, tie_word_embeddings=False, hidden_act="gelu_new", layer_norm_eps=1e-3), dict(as_torch_file=True) | TYPES),
    ("electra-square", "ElectraForMaskedLM", torch.float32, dict(embedding_size="hidden", hidden_act="relu"), TYPES),
    ("electra-causal", "ElectraForCausalLM", torch.bfloat16, dict(embedding_size=7, is_decoder=True), TYPES),
    ("electra-replaced", "ElectraForPreTraining", torch.float16, dict(embedding_size=128),
     dict(change=few_sizes, embeddings=3e-6) | TYPES),
    ("electra-replaced-square", "ElectraForPreTraining", torch.bfloat16,
     dict(embedding_size="hidden", hidden_act="gelu_new", type_vocab_size=3), dict(change=without_prefix) | TYPES),
    ("electra-base", "ElectraModel", torch.float16, dict(embedding_size=9, hidden_act="silu", pad_token_id=5), TYPES),
    ("electra-labels", "ElectraForSequenceClassification", torch.bfloat16, LABELS | dict(embedding_size=10, hidden_act="relu"), TYPES),
    ("electra-entities", "ElectraForTokenClassification", torch.float16, LABELS | dict(embedding_size="hidden"), TYPES),
    ("electra-answers", "ElectraForQuestionAnswering", torch.float16, dict(embedding_size=30), TYPES),

    ("albert-words", "AlbertForMaskedLM", torch.float16, dict(embedding_size=128),
     dict(change=few_sizes, embeddings=3e-6, layers=3, gain=1.8, lengths=(9, "full")) | TYPES),
    ("albert-groups", "AlbertForMaskedLM", torch.bfloat16,
     dict(embedding_size=11, num_hidden_groups=2, inner_group_num=2, hidden_act="gelu", tie_word_embeddings=False),
     dict(layers=3, gain=2.8, lengths=(5,), as_torch_file=True) | TYPES),
    ("albert-square", "AlbertModel", torch.float32,
     dict(embedding_size="hidden", num_hidden_groups=2, layer_norm_eps=1e-3, type_vocab_size=1), dict(layers=2)),
    ("albert-decoder", "AlbertModel", torch.float16, dict(embedding_size=7, inner_group_num=3, is_decoder=True), dict(layers=1)),
    ("albert-order", "AlbertForPreTraining", torch.bfloat16, dict(embedding_size=43, inner_group_num=2, hidden_act="relu"), TYPES),
    ("albert-labels", "AlbertForSequenceClassification", torch.bfloat16, LABELS | dict(embedding_size=10), TYPES),
    ("albert-entities", "AlbertForTokenClassification", torch.float16, LABELS | dict(embedding_size=9), TYPES),
    ("albert-answers", "AlbertForQuestionAnswering", torch.float16, dict(embedding_size=30), TYPES),

    ("esm-words", "EsmForMaskedLM", torch.float16, ESM | dict(token_dropout=True, layer_norm_eps=1e-5, hidden_act="relu"),
     dict(lengths=(9, 41)) | MASKS),
    ("esm-half", "EsmForMaskedLM", torch.float32, ESM | dict(token_dropout=True, rope_theta=500.0, tie_word_embeddings=False),
     dict(change=half_frequencies, lengths=(33,), as_torch_file=True) | MASKS),
    ("esm-bare", "EsmModel", torch.bfloat16, ESM | dict(rope_theta=333.0), dict(change=bare_frequencies, lengths=(17,)) | MASKS),
    ("esm-absolute", "EsmForMaskedLM", torch.bfloat16,
     ESM | dict(position_embedding_type="absolute", emb_layer_norm_before=True, token_dropout=True),
     dict(change=absolute_by_default, embeddings=3e-6, lengths=(9, "full")) | MASKS),
    ("esm-labels", "EsmForSequenceClassification", torch.bfloat16, ESM | LABELS | dict(emb_layer_norm_before=True), {}),
    ("esm-entities", "EsmForTokenClassification", torch.float16,
     ESM | LABELS | dict(position_embedding_type="absolute", pad_token_id=3), {}),

    ("modernbert-words", "ModernBertForMaskedLM", torch.float16,
     MODERN | dict(local_attention=5, layer_types=["full_attention", "sliding_attention", "full_attention"],
                   hidden_activation="relu"), dict(change=first_ropes, layers=3, lengths=(3, 13))),
    ("modernbert-biases", "ModernBertForMaskedLM", torch.bfloat16,
     MODERN | dict(local_attention=4, layer_types=["sliding_attention", "sliding_attention", "full_attention"], norm_bias=True,
                   attention_bias=True, mlp_bias=True, classifier_bias=True, decoder_bias=False, classifier_activation="silu",
                   hidden_activation="gelu_new", norm_eps=1e-3, tie_word_embeddings=False,
                   rope_parameters=dict(full_attention=dict(rope_type="linear", factor=2.5, rope_theta=900.0),
                                        sliding_attention=dict(rope_type="default", rope_theta=30.0))),
     dict(layers=3, embeddings=0.05, lengths=(13,), as_torch_file=True)),
    ("modernbert-few", "ModernBertModel", torch.bfloat16, SOME_IDS, dict(change=few_of_modern, layers=4, embeddings=0.003)),
    ("modernbert-labels", "ModernBertForSequenceClassification", torch.bfloat16,
     MODERN | LABELS | dict(local_attention=6, classifier_activation="relu"), {}),
    ("modernbert-mean", "ModernBertForSequenceClassification", torch.float16,
     MODERN | LABELS | dict(local_attention=6, classifier_pooling="mean", classifier_bias=True), {}),
    ("modernbert-entities", "ModernBertForTokenClassification", torch.float16,
     MODERN | LABELS | dict(local_attention=6, norm_bias=True), {}),
    ("modernbert-answers", "ModernBertForQuestionAnswering", torch.bfloat16, MODERN | dict(local_attention=6), {}),

    ("gemma3-both-ways", "Gemma3TextModel", torch.float16,
     BOTH_WAYS | dict(query_pre_attn_scalar=7, sliding_window=6, layer_types=["sliding_attention"] * 2 + ["full_attention"]),
     dict(change=odd_window, layers=3, norms=0.0, lengths=(4, 13), as_torch_file=True)),
    ("gemma3-both-ways-labels", "Gemma3TextForSequenceClassification", torch.bfloat16,
     BOTH_WAYS | LABELS | dict(pad_token_id=3, query_pre_attn_scalar=5, sliding_window=4, final_logit_softcapping=1.0),
     dict(ends_in_pad=True, norms=0.0)),

    ("big-bird-words", "BigBirdForMaskedLM", torch.float16, BIRD | dict(block_size=2, num_random_blocks=2),
     dict(change=few_of_big_bird, embeddings=0.003, lengths=(18, 19, 24)) | BY_CLASS),
    ("big-bird-scaled", "BigBirdForPreTraining", torch.bfloat16,
     BIRD | dict(block_size=3, num_random_blocks=1, use_bias=False, rescale_embeddings=True, hidden_act="relu", layer_norm_eps=1e-3,
                 tie_word_embeddings=False), dict(lengths=(22, 26), as_torch_file=True) | BY_CLASS),
    ("big-bird-full", "BigBirdModel", torch.float16, BIRD | dict(attention_type="original_full", block_size=1, num_random_blocks=0),
     dict(lengths=(13,)) | BY_CLASS),
    ("big-bird-causal", "BigBirdForCausalLM", torch.bfloat16,
     BIRD | dict(attention_type="original_full", is_decoder=True, hidden_act="silu"), BY_CLASS),
    ("big-bird-labels", "BigBirdForSequenceClassification", torch.bfloat16,
     BIRD | LABELS | dict(block_size=1, num_random_blocks=3, hidden_act="relu"), dict(lengths=(12,)) | BY_CLASS),
    ("big-bird-entities", "BigBirdForTokenClassification", torch.float16,
     BIRD | LABELS | dict(block_size=1, num_random_blocks=1), dict(lengths=(17,)) | BY_CLASS),
    ("big-bird-answers", "BigBirdForQuestionAnswering", torch.bfloat16, BIRD | dict(block_size=2, num_random_blocks=1),
     dict(lengths=(17,)) | BY_CLASS),

    ("xlm-words", "XLMWithLMHeadModel", torch.float16, XLM | dict(n_langs=3), dict(change=old_ids, embeddings=3e-6, lengths=(9, "full")) | ALONE),
    ("xlm-relu", "XLMWithLMHeadModel", torch.bfloat16,
     XLM | dict(gelu_activation=False, tie_word_embeddings=False, layer_norm_eps=1e-3, sinusoidal_embeddings=True),
     dict(as_torch_file=True) | ALONE),
    ("xlm-causal", "XLMWithLMHeadModel", torch.bfloat16, XLM | dict(causal=True), dict(pads_behind=True, writes=True) | ALONE),
    ("xlm-base", "XLMModel", torch.float16, XLM | dict(n_langs=2, use_lang_emb=False), ALONE),
    ("xlm-labels", "XLMForSequenceClassification", torch.bfloat16, XLM | LABELS, ALONE),
    ("xlm-entities", "XLMForTokenClassification", torch.float16, XLM | LABELS, ALONE),
    ("xlm-answers", "XLMForQuestionAnsweringSimple", torch.float16, XLM, ALONE),
    ("xlm-languages", "XLMWithLMHeadModel", torch.float16, XLM | dict(n_langs=4, lang2id=dict(en=0, fr=2, zh=1, sw=3)),
     dict(run=run_in_languages, embeddings=0.5) | ALONE),
    ("xlm-languages-causal", "XLMWithLMHeadModel", torch.bfloat16, XLM | dict(causal=True, n_langs=3, lang_id=2),
     dict(run=run_in_languages, embeddings=0.5, pads_behind=True) | ALONE),
    ("xlm-writes", "XLMWithLMHeadModel", torch.bfloat16, XLM | dict(causal=True, n_langs=3, lang_id=2, mask_token_id=9),
     dict(embeddings=0.5, pads_behind=True, writes=True, lengths=(3, 9)) | ALONE),
]

if __name__ == "__main__":
    main(SPECIMENS, FIRST_NUMBER, draw_config)
    if len(sys.argv) == 1:
        record_defaults()
