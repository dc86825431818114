# SPDX-License-Identifier: MIT
"""The specimens of DeBERTa and its second and third version, recorded as tests/record/record_families.py records those of the
other families.

    python tests/record/record_deberta.py                    (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_deberta.py FOLDER SEED...     the same specimens from other seeds, into FOLDER/SEED

Where a model has the terms, an expected.safetensors.gz holds besides, of texts without padding,
    N.content_position.LAYER, N.position_content.LAYER    [heads, rows, tokens], scaled
transformers lets padding read all tokens evenly, padding as well; what becomes of it is nobody's business and is left out.
"""

import re

import torch
from transformers.models.deberta import modeling_deberta
from transformers.models.deberta_v2 import modeling_deberta_v2

from record_families import LABELS, few_keys, main, read_logits

# Of seeds, which the specimens of the other scripts do not reach.
FIRST_NUMBER = 800
TERMS = {"content_position": "c2p", "position_content": "p2c"}

seen = []


def split(module, hidden):
    """Queries, keys and values [heads, tokens, d] of one text, before scaling."""
    if isinstance(module, modeling_deberta.DisentangledSelfAttention):
        query, key, value = module.transpose_for_scores(module.in_proj(hidden)).chunk(3, dim=-1)
        query = query + module.transpose_for_scores(module.q_bias[None, None, :])
        return query[0], key[0], (value + module.transpose_for_scores(module.v_bias[None, None, :]))[0]
    return [module.transpose_for_scores(projection(hidden), module.num_attention_heads)
            for projection in (module.query_proj, module.key_proj, module.value_proj)]


def terms(module, query, key, positions, table):
    """The module's own function, asked for one term at a time."""
    own, result = module.pos_att_type, {}
    first = isinstance(module, modeling_deberta.DisentangledSelfAttention)
    factor = 1 + (len(own) if first else len(set(own) & set(TERMS.values())))
    for name, term in TERMS.items():
        if not module.relative_attention or term not in own:
            continue
        module.pos_att_type = [term]
        if first:
            scaled = query / modeling_deberta.scaled_size_sqrt(query, factor).to(query.dtype)
            score = module.disentangled_att_bias(scaled[None], key[None], positions, table, factor)[0]
        else:
            score = module.disentangled_attention_bias(query, key, positions, table, factor)
        result[name] = score.clone()
    module.pos_att_type = own
    return result


def watch(module, args, options, output):
    hidden = args[0] if args else options["hidden_states"]
    query, key, value = split(module, hidden)
    seen.append((dict(queries=query, keys=key, values=value, attentions=output[1][0])
                 | terms(module, query, key, options.get("relative_pos"), options.get("rel_embeddings"))))


def run(cls, folder, ids, padding, types, _):
    """Computes in float64 with the stored weights, always by the classes' own attention."""
    model = cls.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    inner = []
    for name, module in model.named_modules():
        if re.search(r"intermediate\.dense$", name):
            module.register_forward_hook(lambda module, args, output: inner.append(output[0]))
        if re.search(r"attention\.self$", name):
            module.register_forward_hook(watch, with_kwargs=True)
    seen.clear()
    with torch.no_grad():
        output = model(input_ids=torch.tensor([ids]), attention_mask=1 - torch.tensor([padding]), output_hidden_states=True,
                       output_attentions=True, **({"token_type_ids": torch.tensor([types])} if types else {}))

    rows = [i for i, hidden in enumerate(padding) if not hidden]
    result = {"ids": torch.tensor(ids), "padding": torch.tensor(padding)}
    if types:
        result["types"] = torch.tensor(types)
    for layer, parts in enumerate(seen):
        result |= {f"{name}.{layer}": value[:, rows] for name, value in parts.items() if name not in TERMS or not any(padding)}
    for i, hidden in enumerate(output.hidden_states):
        result[f"hidden_states.{i}"] = hidden[0, rows]
    for task, logits in read_logits(cls, output, rows, padding, model.config.pad_token_id).items():
        if task != "text-classification" or not padding[0]:
            result[f"logits.{task}"] = logits
    return result, torch.cat([x[rows] for x in inner])


def few(tensors, keys):
    """What is at its default is not in the file, and the terms are one text."""
    for key in ("legacy", "pooler_hidden_act", "max_relative_positions", "pooler_hidden_size"):
        keys.pop(key, None)
    keys["pos_att_type"] = "|".join(keys["pos_att_type"])
    return few_keys(tensors, keys)


def two_word_heads(tensors, keys):
    """A head of words that the config does not mean, beside the one that it does."""
    for name, tensor in list(tensors.items()):
        if name.startswith("lm_predictions.lm_head."):
            other = name.replace("lm_predictions.lm_head", "cls.predictions" if name.endswith("lm_head.bias") else "cls.predictions.transform")
            tensors[other] = tensor.flip(0).clone()
    return tensors


def bare(tensors, keys):
    return {name.removeprefix("deberta."): value for name, value in tensors.items()}


RELATIVE = dict(relative_attention=True)
BOTH = RELATIVE | dict(pos_att_type=["p2c", "c2p"])
PLACELESS = dict(position_biased_input=False)
OWN = dict(legacy=False)
THIRD = BOTH | PLACELESS | dict(position_buckets=8, max_relative_positions=24, share_att_key=True, norm_rel_ebd="layer_norm")
TYPES = dict(types=True)
SPECIMENS = [(name, cls, dtype, options, dict(run=run) | extra) for name, cls, dtype, options, extra in [
    ("deberta-words", "DebertaForMaskedLM", torch.float16, BOTH | PLACELESS,
     dict(change=few, embeddings=3e-4, lengths=(9, "full"))),
    ("deberta-span", "DebertaModel", torch.bfloat16,
     RELATIVE | dict(pos_att_type="c2p", max_relative_positions=5, type_vocab_size=2, embedding_size=11, layer_norm_eps=1e-3),
     dict(lengths=(4, 13), change=bare) | TYPES),
    ("deberta-own", "DebertaForMaskedLM", torch.bfloat16, RELATIVE | OWN | dict(pos_att_type="p2c", hidden_act="relu"),
     dict(as_torch_file=True, lengths=(9,))),
    ("deberta-absolute", "DebertaModel", torch.float32, dict(pos_att_type="c2p|p2c", type_vocab_size=3), TYPES),
    ("deberta-listed", "DebertaModel", torch.float16, RELATIVE | dict(pos_att_type=["c2p", "p2p", "p2c"]), {}),
    ("deberta-labels", "DebertaForSequenceClassification", torch.bfloat16,
     BOTH | LABELS | dict(pooler_hidden_act="tanh", type_vocab_size=2), TYPES),
    ("deberta-entities", "DebertaForTokenClassification", torch.float16, BOTH | LABELS, {}),
    ("deberta-answers", "DebertaForQuestionAnswering", torch.float16, BOTH | PLACELESS, {}),

    ("deberta-v2-words", "DebertaV2ForMaskedLM", torch.float16,
     BOTH | dict(max_relative_positions=6, embedding_size=43, attention_head_size="head"),
     dict(embeddings=3e-4, lengths=(5, 17))),
    ("deberta-v2-buckets", "DebertaV2ForMaskedLM", torch.bfloat16, THIRD | OWN,
     dict(change=two_word_heads, lengths=(27,))),
    ("deberta-v2-convolution", "DebertaV2Model", torch.bfloat16,
     THIRD | dict(conv_kernel_size=3, conv_act="gelu", type_vocab_size=2), dict(as_torch_file=True, lengths=(9,)) | TYPES),
    ("deberta-v2-groups", "DebertaV2ForMaskedLM", torch.float16,
     BOTH | dict(conv_kernel_size=5, conv_groups="heads", embedding_size=9, tie_word_embeddings=False), dict(lengths=(11,))),
    ("deberta-v2-c2p", "DebertaV2Model", torch.float16,
     RELATIVE | dict(pos_att_type=["c2p"], norm_rel_ebd="layer_norm", position_buckets=4, max_relative_positions=-1),
     dict(lengths=(15,), change=bare)),
    ("deberta-v2-p2c", "DebertaV2Model", torch.float32,
     RELATIVE | dict(pos_att_type=["p2c"], share_att_key=True, position_buckets=7, max_relative_positions=12), dict(lengths=(17,))),
    ("deberta-v2-absolute", "DebertaV2Model", torch.bfloat16, dict(pos_att_type=["p2c"], norm_rel_ebd="layer_norm"), {}),
    ("deberta-v2-labels", "DebertaV2ForSequenceClassification", torch.bfloat16, THIRD | LABELS, dict(change=few)),
    ("deberta-v2-entities", "DebertaV2ForTokenClassification", torch.float16, THIRD | LABELS | dict(type_vocab_size=2), TYPES),
    ("deberta-v2-answers", "DebertaV2ForQuestionAnswering", torch.float16, THIRD, dict(change=few)),
]]

if __name__ == "__main__":
    main(SPECIMENS, FIRST_NUMBER)
