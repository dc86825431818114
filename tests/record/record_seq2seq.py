# SPDX-License-Identifier: MIT
"""Makes small random encoder-decoder checkpoints and records what transformers computes and generates with them.

    python tests/record/record_seq2seq.py [--seed N] [--folder FOLDER] [NAME ...]     (torch 2.13, transformers 5.23)

Writes FOLDER/NAME/{config.json,generation_config.json,model.safetensors,expected.safetensors.gz,generate.json};
FOLDER is tests/fixtures/seq2seq unless it is said; all specimens unless some are named. New seeds must pass too: tests/engine/transformer/test-seq2seq.c reads
another folder from $HEADLIGHT_SEQ2SEQ.

An expected.safetensors.gz holds cases 0, 1, … Metadata: `cases`, `N.text_a` and `N.text_b` (ids with spaces
between), `N.pad_to` (tokens of the encoder with padding, 0 = none), `N.repeat` (1 = the decoder reads A's tokens).
KIND is encoder, decoder or cross. Tensors:
    N.decoder_ids                                                        [decoder tokens]
    N.KIND.queries.LAYER, N.KIND.keys.LAYER, N.KIND.values.LAYER         [heads, tokens, head size], unscaled
    N.KIND.attentions.LAYER                                              [heads, queries, keys]
    N.KIND.position_bias.LAYER                                           [heads, queries, keys], layer 0 alone
    N.encoder.hidden_states.I, N.decoder.hidden_states.I                 [tokens, hidden size]
    N.logits.TASK                                                        [positions, classes]
buckets.json.gz holds lines of [buckets, max distance, two-sided, [bucket of the distances -REACH … REACH]] of T5.

A generate.json lists {"input": ids of the encoder, "options": as GenerationConfig names them, "output": ids of
the decoder, "score": of the best beam}.
"""

import argparse
import copy
import gzip
import json
import shutil
import warnings
from pathlib import Path

import safetensors.torch
import torch
import transformers
from record_models import Expected, check_strength
from transformers import GenerationConfig

ROOT = Path(__file__).resolve().parents[2]

CONFIGS = {"T5": transformers.T5Config, "Bart": transformers.BartConfig, "Marian": transformers.MarianConfig,
           "M2M100": transformers.M2M100Config, "MBart": transformers.MBartConfig, "Pegasus": transformers.PegasusConfig}
T5_IDS = dict(pad_token_id=0, eos_token_id=1, decoder_start_token_id=0)
BART_IDS = dict(bos_token_id=0, pad_token_id=1, eos_token_id=2, decoder_start_token_id=2)
REACH = 300
COMPUTED = ("Marian", "Pegasus")  # whose position tables are computed unless they are stored
TABLES = ("shared.weight", "embed_tokens.weight", "lm_head.weight")
MARIAN_IDS = dict(bos_token_id=1, pad_token_id=0, eos_token_id=2, decoder_start_token_id=0)


class Specimen:
    """A checkpoint to be made. class_name is what config.json says was saved, reads_as the class that records.
    keys go into config.json; names maps what transformers calls a tensor to the names in the file (none = left out).
    generation_keys are only in generation_config.json. tiny: factor of the embeddings, for rows of small variance.
    stored: a file with position tables, which are not the sines that they should be. pads: padding's id is a word in
    the middle of both texts. as_torch_file: the weights are a pytorch_model.bin."""

    def __init__(self, name, class_name, dtype, keys, ids, *, reads_as=None, names=None, generation_keys=(),
                 tiny=None, stored=False, pads=False, as_torch_file=False, lengths=((9, 5), (7, 4)), pad_to=(0, 10),
                 generates=True):
        self.name, self.class_name, self.dtype, self.ids = name, class_name, dtype, ids
        self.reads_as = reads_as or class_name
        self.keys, self.names, self.generation_keys = keys, names, generation_keys
        self.tiny, self.stored, self.lengths, self.pad_to, self.generates = tiny, stored, lengths, pad_to, generates
        self.pads, self.as_torch_file = pads, as_torch_file

    @property
    def has_decoder(self):
        return self.class_name not in ("T5EncoderModel", "T5ForTokenClassification")

    @property
    def family(self):
        return next(family for family in CONFIGS if self.class_name.startswith(family))


def only(*kept):
    """Of the tensors that are the word embedding under several names, the file holds these."""
    return lambda name: [name] if not name.endswith(TABLES) or name.endswith(kept) else []


def with_useless_tables(name):
    """As the hub's files of M2M-100, which hold position tables that nobody reads."""
    tables = [f"model.{stack}.embed_positions.weights" for stack in ("encoder", "decoder")]
    return [name] + (tables if name == "model.shared.weight" else [])


def without_prefix(name):
    return [name.removeprefix("model.")] if "lm_head" not in name and "final_logits" not in name and \
        "embed_tokens" not in name else []


SPECIMENS = [
    Specimen("t5-tied", "T5ForConditionalGeneration", torch.float16,
             dict(vocab_size=61, d_model=20, d_kv=6, d_ff=31, num_layers=2, num_decoder_layers=3, num_heads=3,
                  relative_attention_num_buckets=8, relative_attention_max_distance=20),
             T5_IDS, names=only("shared.weight"), lengths=((29, 24), (9, 5)), pad_to=(0, 13)),
    Specimen("t5-gated", "T5ForConditionalGeneration", torch.bfloat16,
             dict(vocab_size=53, d_model=14, d_kv=9, d_ff=25, num_layers=3, num_decoder_layers=2, num_heads=2,
                  relative_attention_num_buckets=10, feed_forward_proj="gated-gelu", layer_norm_epsilon=1e-5,
                  tie_word_embeddings=False),
             T5_IDS, names=only("shared.weight", "lm_head.weight")),
    Specimen("t5-scaled-silu", "T5ForConditionalGeneration", torch.float16,
             dict(vocab_size=47, d_model=15, d_kv=7, d_ff=22, num_layers=2, num_decoder_layers=None, num_heads=4,
                  relative_attention_num_buckets=7, relative_attention_max_distance=11,
                  feed_forward_proj="gated-silu", tie_word_embeddings=False, scale_decoder_outputs=True),
             T5_IDS, names=only("encoder.embed_tokens.weight", "lm_head.weight"), tiny=1e-3, pad_to=(12, 0)),
    Specimen("t5-start", "T5ForConditionalGeneration", torch.bfloat16,
             dict(vocab_size=43, d_model=18, d_kv=5, d_ff=20, num_layers=1, num_decoder_layers=2, num_heads=3,
                  feed_forward_proj="gelu", tie_word_embeddings=False),
             dict(pad_token_id=0, eos_token_id=1, decoder_start_token_id=3), names=only("decoder.embed_tokens.weight"),
             generation_keys=("decoder_start_token_id",), lengths=((8, 6),), pad_to=(0,)),
    Specimen("t5-encoder", "T5EncoderModel", torch.float16,
             dict(vocab_size=43, d_model=18, d_kv=4, d_ff=21, num_layers=3, num_heads=5,
                  relative_attention_num_buckets=6, relative_attention_max_distance=9),
             T5_IDS, names=only("encoder.embed_tokens.weight"), lengths=((17, 0),), pad_to=(20,), generates=False),
    Specimen("bart-base", "BartModel", torch.float16,
             dict(vocab_size=59, d_model=24, encoder_layers=2, decoder_layers=3, encoder_attention_heads=3,
                  decoder_attention_heads=4, encoder_ffn_dim=31, decoder_ffn_dim=26, max_position_embeddings=18),
             BART_IDS, reads_as="BartForConditionalGeneration", names=without_prefix, lengths=((18, 7), (9, 5)),
             pad_to=(0, 14)),
    Specimen("bart-scaled", "BartForConditionalGeneration", torch.bfloat16,
             dict(vocab_size=53, d_model=15, encoder_layers=3, decoder_layers=2, encoder_attention_heads=5,
                  decoder_attention_heads=3, encoder_ffn_dim=22, decoder_ffn_dim=25, max_position_embeddings=20,
                  activation_function="gelu_new", scale_embedding=True),
             BART_IDS, names=None, tiny=1e-3),
    Specimen("bart-untied", "BartForConditionalGeneration", torch.float16,
             dict(vocab_size=47, d_model=12, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
                  decoder_attention_heads=2, encoder_ffn_dim=29, decoder_ffn_dim=17, max_position_embeddings=20,
                  activation_function="relu", tie_word_embeddings=False),
             BART_IDS, names=only(*TABLES), lengths=((8, 6),), pad_to=(0,)),
    Specimen("bart-classifier", "BartForSequenceClassification", torch.float16,
             dict(vocab_size=47, d_model=14, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
                  decoder_attention_heads=7, encoder_ffn_dim=21, decoder_ffn_dim=23, max_position_embeddings=20,
                  id2label={str(i): f"kind {i}" for i in range(5)}),
             BART_IDS, names=only("shared.weight"), lengths=((9, 0), (6, 0)), pad_to=(0, 11), generates=False),
    Specimen("bart-answers", "BartForQuestionAnswering", torch.bfloat16,
             dict(vocab_size=47, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
                  decoder_attention_heads=2, encoder_ffn_dim=21, decoder_ffn_dim=23, max_position_embeddings=20),
             BART_IDS, names=only("shared.weight"), lengths=((8, 0),), pad_to=(0,), generates=False),
    Specimen("marian-apart", "MarianMTModel", torch.float16,
             dict(vocab_size=101, decoder_vocab_size=103, share_encoder_decoder_embeddings=False, d_model=15,
                  encoder_layers=2, decoder_layers=3, encoder_attention_heads=3, decoder_attention_heads=3,
                  encoder_ffn_dim=22, decoder_ffn_dim=27, max_position_embeddings=32, activation_function="swish"),
             MARIAN_IDS, names=only("embed_tokens.weight")),
    Specimen("marian-shared", "MarianMTModel", torch.bfloat16,
             dict(vocab_size=59, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=4,
                  decoder_attention_heads=2, encoder_ffn_dim=22, decoder_ffn_dim=27, max_position_embeddings=24,
                  scale_embedding=True, activation_function="gelu"),
             MARIAN_IDS, names=only("shared.weight"), tiny=1e-3),
    Specimen("marian-untied", "MarianMTModel", torch.float16,
             dict(vocab_size=53, d_model=14, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
                  decoder_attention_heads=7, encoder_ffn_dim=19, decoder_ffn_dim=16, max_position_embeddings=24,
                  tie_word_embeddings=False),
             MARIAN_IDS, names=only(*TABLES), stored=True, lengths=((8, 6),), pad_to=(0,)),
    Specimen("t5-classifier", "T5ForSequenceClassification", torch.float16,
             dict(vocab_size=43, d_model=13, d_kv=4, d_ff=21, num_layers=1, num_heads=2,
                  id2label={str(i): f"kind {i}" for i in range(4)}),
             T5_IDS, names=only("shared.weight"), lengths=((7, 0),), pad_to=(9,), generates=False),
    Specimen("t5-answers", "T5ForQuestionAnswering", torch.bfloat16,
             dict(vocab_size=43, d_model=13, d_kv=4, d_ff=21, num_layers=1, num_heads=2),
             T5_IDS, names=only("shared.weight"), lengths=((7, 0),), pad_to=(0,), generates=False),
    Specimen("t5-entities", "T5ForTokenClassification", torch.bfloat16,
             dict(vocab_size=43, d_model=13, d_kv=4, d_ff=21, num_layers=1, num_heads=2,
                  id2label={str(i): name for i, name in enumerate(("O", "B-LOC", "I-LOC"))}),
             T5_IDS, names=only("shared.weight"), lengths=((9, 0),), pad_to=(0,), generates=False),
    Specimen("m2m-tied", "M2M100ForConditionalGeneration", torch.float16,
             dict(vocab_size=61, d_model=20, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                  decoder_attention_heads=2, encoder_ffn_dim=31, decoder_ffn_dim=26, max_position_embeddings=17),
             BART_IDS, names=only("shared.weight"), pads=True, lengths=((16, 9), (7, 4)), pad_to=(0, 10)),
    Specimen("m2m-odd", "M2M100ForConditionalGeneration", torch.bfloat16,
             dict(vocab_size=53, d_model=15, encoder_layers=2, decoder_layers=3, encoder_attention_heads=5,
                  decoder_attention_heads=3, encoder_ffn_dim=22, decoder_ffn_dim=25, max_position_embeddings=20,
                  activation_function="gelu_new", scale_embedding=False, tie_word_embeddings=False),
             BART_IDS | dict(pad_token_id=4), names=only(*TABLES), pads=True, lengths=((8, 6),), pad_to=(10,)),
    Specimen("m2m-base", "M2M100Model", torch.float32,
             dict(vocab_size=47, d_model=14, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
                  decoder_attention_heads=7, encoder_ffn_dim=29, decoder_ffn_dim=17, max_position_embeddings=20),
             BART_IDS, reads_as="M2M100ForConditionalGeneration", names=with_useless_tables, as_torch_file=True,
             lengths=((8, 6),), pad_to=(11,)),
    Specimen("mbart-tied", "MBartForConditionalGeneration", torch.float16,
             dict(vocab_size=59, d_model=18, encoder_layers=2, decoder_layers=2, encoder_attention_heads=3,
                  decoder_attention_heads=2, encoder_ffn_dim=27, decoder_ffn_dim=22, max_position_embeddings=18,
                  scale_embedding=True),
             BART_IDS, names=only("shared.weight"), tiny=1e-3),
    Specimen("mbart-untied", "MBartForConditionalGeneration", torch.bfloat16,
             dict(vocab_size=47, d_model=15, encoder_layers=1, decoder_layers=2, encoder_attention_heads=5,
                  decoder_attention_heads=3, encoder_ffn_dim=21, decoder_ffn_dim=17, max_position_embeddings=20,
                  activation_function="relu", tie_word_embeddings=False),
             BART_IDS, names=only(*TABLES), as_torch_file=True, lengths=((8, 6),), pad_to=(10,)),
    Specimen("mbart-classifier", "MBartForSequenceClassification", torch.float16,
             dict(vocab_size=47, d_model=14, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
                  decoder_attention_heads=7, encoder_ffn_dim=21, decoder_ffn_dim=23, max_position_embeddings=20,
                  id2label={str(i): f"kind {i}" for i in range(5)}),
             BART_IDS, names=only("shared.weight"), lengths=((9, 0), (6, 0)), pad_to=(0, 11), generates=False),
    Specimen("mbart-answers", "MBartForQuestionAnswering", torch.bfloat16,
             dict(vocab_size=47, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
                  decoder_attention_heads=2, encoder_ffn_dim=21, decoder_ffn_dim=23, max_position_embeddings=20),
             BART_IDS, names=only("shared.weight"), lengths=((8, 0),), pad_to=(0,), generates=False),
    Specimen("pegasus-computed", "PegasusForConditionalGeneration", torch.float16,
             dict(vocab_size=59, d_model=15, encoder_layers=2, decoder_layers=2, encoder_attention_heads=3,
                  decoder_attention_heads=5, encoder_ffn_dim=27, decoder_ffn_dim=22, max_position_embeddings=18,
                  scale_embedding=True, activation_function="relu"),
             T5_IDS, names=only("shared.weight")),
    Specimen("pegasus-stored", "PegasusForConditionalGeneration", torch.bfloat16,
             dict(vocab_size=47, d_model=12, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
                  decoder_attention_heads=3, encoder_ffn_dim=21, decoder_ffn_dim=17, max_position_embeddings=20,
                  tie_word_embeddings=False),
             T5_IDS, names=only(*TABLES), stored=True, tiny=1e-3, as_torch_file=True, lengths=((8, 6),), pad_to=(10,)),
]


def make_values(name, shape, head_size, scaled, normal):
    """Scores of a spread of about 4 and pre-activations beyond 3: as peaked as trained models are. T5's scores are
    not divided by √d."""
    if name.endswith("relative_attention_bias.weight"):
        return normal(shape, 1.5)
    if "norm" in name:
        return normal(shape, 0.3) + (1 if name.endswith("weight") else 0)
    if name.endswith("final_logits_bias"):
        return normal(shape, 1.0)
    if len(shape) == 1:
        return normal(shape, 0.5)
    if name.endswith(("shared.weight", "embed_tokens.weight", "embed_positions.weight", "lm_head.weight")):
        return normal(shape, 1.0)
    sharp = name.endswith(("q.weight", "k.weight", "q_proj.weight", "k_proj.weight"))
    gain = (2.9 if scaled else 2.2 / head_size ** 0.25) if sharp else 1.5
    return normal(shape, gain / shape[1] ** 0.5)


def shrink(state, specimen):
    """Rows of small variance before the first norms: an eps that is wrong is seen."""
    first = ("shared.weight", "embed_tokens.weight", "embed_positions.weight")
    if specimen.family == "Marian":
        first = tuple(f"model.encoder.layers.0.{part}.{what}" for part in ("self_attn_layer_norm", "fc2")
                      for what in ("weight", "bias"))
    for name, value in state.items():
        if name.endswith(first):
            value *= specimen.tiny


def tie(state):
    """The word embedding under all its names."""
    shared = next(value for name, value in state.items() if name.endswith("shared.weight"))
    for name in state:
        if name.endswith(TABLES):
            state[name] = shared


def favour_end(model, state, specimen, strength=2.5):
    """A model that never stops would leave the end of a search untested: raises the mean logit of the end token by
    so many deviations of all logits."""
    with torch.no_grad():
        ids = torch.arange(4, 20)[None]
        output = model(input_ids=ids, decoder_input_ids=ids, output_hidden_states=True, use_cache=False)
        hidden = output.decoder_hidden_states[-1][0]
        scale = (output.logits[0] - getattr(model, "final_logits_bias", 0)).std() / (
            hidden @ model.lm_head.weight.T).std()
    mean = hidden.mean(0)
    push = strength * output.logits.std() / scale * mean / mean.dot(mean)
    tables = [name for name in state if name.endswith(TABLES)]
    for name in [name for name in tables if name.endswith("lm_head.weight")] or tables:
        row = state[name][specimen.ids["eos_token_id"]]
        row += push.to(row.dtype)


def make_state(specimen, cls, seed):
    """The tensors as the file holds them."""
    keys = {key: value for key, value in specimen.keys.items()
            if key not in ("tie_word_embeddings", "scale_decoder_outputs")}
    config = CONFIGS[specimen.family](**keys | specimen.ids)
    head_size = specimen.keys.get("d_kv", 0)
    generator = torch.Generator().manual_seed(seed)

    def normal(shape, deviation):
        return torch.randn(shape, generator=generator) * deviation

    state = {name: make_values(name, value.shape, head_size, specimen.family != "T5", normal)
             for name, value in sorted(cls(config).state_dict().items())
             if specimen.family not in COMPUTED or specimen.stored or "embed_positions" not in name}
    if specimen.tiny:
        shrink(state, specimen)
    if not specimen.names:
        tie(state)
    else:
        state = {new: value for name, value in state.items() for new in specimen.names(name)}
    return {name: value.to(specimen.dtype).contiguous() for name, value in state.items()}


def make_checkpoint(folder, specimen, seed):
    cls = getattr(transformers, specimen.reads_as)
    state = make_state(specimen, cls, seed)
    write(folder, specimen, state)
    if specimen.generates:
        favour_end(load(cls, folder, state), state, specimen)
        write(folder, specimen, state)
    return load(cls, folder, state)


def write_weights(folder, specimen, state):
    if specimen.as_torch_file:
        torch.save(state, folder / "pytorch_model.bin")
    else:
        (folder / "model.safetensors").write_bytes(safetensors.torch.save(state, {"format": "pt"}))


def write(folder, specimen, state):
    outside = {key: specimen.ids[key] for key in specimen.generation_keys}
    keys = dict(architectures=[specimen.class_name], model_type=CONFIGS[specimen.family].model_type,
                is_encoder_decoder=specimen.has_decoder) | specimen.keys
    keys |= {key: value for key, value in specimen.ids.items() if key not in outside}
    if specimen.family != "T5":
        keys["forced_eos_token_id"] = None

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_weights(folder, specimen, state)
    (folder / "config.json").write_text(json.dumps(keys, indent=2) + "\n")
    if specimen.generates:
        (folder / "generation_config.json").write_text(json.dumps(specimen.ids, indent=2) + "\n")


def load(cls, folder, state):
    """Computes in float64 with the stored weights, so that what is recorded carries no rounding of its own."""
    model = cls.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    loaded = model.state_dict()
    for name, value in state.items():
        name = name if name in loaded else "model." + name
        if name.endswith("embed_positions.weights"):
            continue
        assert torch.equal(loaded[name], value.double()), (folder, name)
    known = {value.data_ptr() for name, value in loaded.items() if {name, name.removeprefix("model.")} & state.keys()}
    known |= {value.data_ptr() for name, value in loaded.items()
              if name.endswith(("embed_positions.weight", "final_logits_bias"))}
    assert all(value.data_ptr() in known for value in loaded.values()), (folder, "has tensors that are not in the file")
    return model


def stacks_of(model):
    """(encoder, decoder or None) with their layers as (kind, module of the attention, names of q, k, v)."""
    base = getattr(model, "model", getattr(model, "transformer", model))
    for kind, stack in (("encoder", base.encoder), ("decoder", getattr(base, "decoder", None))):
        if stack is None:
            continue
        if hasattr(stack, "block"):
            for i, block in enumerate(stack.block):
                yield kind, i, block.layer[0].SelfAttention, "qkv"
                if kind == "decoder":
                    yield "cross", i, block.layer[1].EncDecAttention, "qkv"
        else:
            for i, layer in enumerate(stack.layers):
                yield kind, i, layer.self_attn, ("q_proj", "k_proj", "v_proj")
                if kind == "decoder":
                    yield "cross", i, layer.encoder_attn, ("q_proj", "k_proj", "v_proj")


def heads_of(attention):
    return attention.n_heads if hasattr(attention, "n_heads") else attention.num_heads


def hook(model, result, inner):
    """q, k, v of all attention, and what the activations get."""
    def projected(key, n_heads):
        def run(module, args, output):
            result[key] = output[0].view(output.shape[1], n_heads, -1).transpose(0, 1)
        return run

    for kind, layer, attention, names in stacks_of(model):
        for name, what in zip(names, ("queries", "keys", "values")):
            yield getattr(attention, name).register_forward_hook(
                projected(f"{kind}.{what}.{layer}", heads_of(attention)))
    for name, module in model.named_modules():
        if name.endswith(("fc1", "wi", "wi_0")):
            yield module.register_forward_hook(lambda module, args, output: inner.append(output[0].flatten()))


def add_biases(model, n, result):
    for kind, layer, attention, _ in stacks_of(model):
        if getattr(attention, "has_relative_attention_bias", False):
            result[f"{kind}.position_bias.{layer}"] = attention.compute_bias(n[kind], n[kind])[0]


def trim(result, n):
    """Leaves what the first n tokens of the decoder read."""
    for key, value in result.items():
        if key.startswith("decoder.hidden_states"):
            result[key] = value[:n]
        elif key.startswith("decoder.attentions"):
            result[key] = value[:, :n, :n]
        elif key.startswith(("decoder.", "cross.queries", "cross.attentions")):
            result[key] = value[:, :n]


def run(model, specimen, ids, decoder_ids, pad_to, repeats):
    """Everything of one forward pass, keyed as an expected.safetensors is; what the activations got. A model that
    reads one text twice shifts it, padding included, by itself."""
    result, inner = {}, []
    n = max(len(ids), pad_to)
    padded = torch.tensor([ids + [specimen.ids["pad_token_id"]] * (n - len(ids))])
    inputs = dict(input_ids=padded, attention_mask=(torch.arange(n) < len(ids)).long()[None])
    if decoder_ids:
        inputs |= dict(use_cache=False) | ({} if repeats else dict(decoder_input_ids=torch.tensor([decoder_ids])))
    hooks = list(hook(model, result, inner))
    with torch.no_grad():
        output = model(**inputs, output_attentions=True, output_hidden_states=True)
        add_biases(model, dict(encoder=n, decoder=len(decoder_ids)), result)
    for handle in hooks:
        handle.remove()

    one = "attentions" in output
    for kind, key in (("encoder", "attentions" if one else "encoder_attentions"), ("decoder", "decoder_attentions"),
                      ("cross", "cross_attentions")):
        for i, attention in enumerate(output[key] if key in output else ()):
            result[f"{kind}.attentions.{i}"] = attention[0]
    for kind, key in (("encoder", "hidden_states" if one else "encoder_hidden_states"),
                      ("decoder", "decoder_hidden_states")):
        for i, hidden in enumerate(output[key] if key in output else ()):
            result[f"{kind}.hidden_states.{i}"] = hidden[0]
    trim(result, len(decoder_ids))
    if "start_logits" in output:
        result["logits.question-answering"] = torch.stack((output.start_logits[0], output.end_logits[0]), 1)
    elif "logits" in output and not specimen.has_decoder:
        result["logits.entities"] = output.logits[0]
    elif "logits" in output and output.logits.dim() == 3:
        result["logits.language-model"] = output.logits[0]
    elif "logits" in output:
        result["logits.text-classification"] = output.logits
    return result, inner


def find_rounding(result, rounded):
    """The largest difference, in tolerances: attention 1e-5, else 1e-5 · max (1, largest
    magnitude)."""
    return max(((value - rounded[key]).abs().max() / 1e-5 / (1 if "attentions" in key else value.abs().max().clamp(1)))
               .item() for key, value in result.items())


def shake(model, generator):
    """The model with every weight off by about half a unit of float32."""
    shaken = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in shaken.parameters():
            parameter *= 1 + 6e-8 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    return shaken


def record(folder, model, specimen, seed):
    """Whether the numbers are strong, and can be held in float32 so nearly that a correct engine cannot fail. If so,
    writes them. Cases of both stacks, or of a text that both read. ids are at least 4: no token with a meaning of its
    own but the ends."""
    generator = torch.Generator().manual_seed(seed + 1)
    shaking = torch.Generator().manual_seed(seed + 3)
    expected, inner, end, start = Expected(), [], specimen.ids["eos_token_id"], specimen.ids["decoder_start_token_id"]
    others = [(copy.deepcopy(model).float(), 0.3)] + [(shake(model, shaking), 0.6) for _ in range(4)]

    def draw(n, vocabulary):
        return torch.randint(4, vocabulary, (n,), generator=generator).tolist()

    for (n, n_decoder), pad_to in zip(specimen.lengths, specimen.pad_to):
        ids = draw(n - 1, specimen.keys["vocab_size"]) + [end]
        typed = draw(max(n_decoder - 1, 0), specimen.keys.get("decoder_vocab_size", specimen.keys["vocab_size"]))
        repeats = n_decoder == 0 and specimen.has_decoder
        if specimen.pads:
            ids[n // 2] = typed[n_decoder // 2] = specimen.ids["pad_token_id"]
        if repeats:
            ids[n // 2] = end
            ids[-1] = ids[0] if expected.n else end  # the last end token is not always the last token
        first = ids[-1] if repeats and specimen.family == "MBart" else start
        decoder_ids = [first] + (ids[:-1] if repeats else typed) if n_decoder or repeats else []
        result, values = run(model, specimen, ids, decoder_ids, pad_to, repeats)
        for other, limit in others:
            if find_rounding(result, run(other, specimen, ids, decoder_ids, pad_to, repeats)[0]) > limit:
                return False
        inner += values
        if decoder_ids:
            result["decoder_ids"] = torch.tensor(decoder_ids)
        expected.metadata |= {f"{expected.n}.pad_to": str(pad_to), f"{expected.n}.repeat": str(int(repeats))}
        expected.add(" ".join(map(str, ids)), " ".join(map(str, typed)), result)
    attentions = [value for key, value in expected.tensors.items() if ".attentions." in key]
    attentions = {f"attentions.{i}": value for i, value in enumerate(attentions)}
    try:
        check_strength(specimen.name, attentions, torch.cat(inner))
    except AssertionError:
        return False
    expected.save(folder)
    return True


def search_options(specimen):
    """What is asked of a search, beside the ids."""
    a, b, c, d = 5, 9, 14, 23
    end = specimen.ids["eos_token_id"]
    yield dict(max_length=12)
    yield dict(max_new_tokens=9, repetition_penalty=1.7, no_repeat_ngram_size=2, min_length=6)
    yield dict(max_length=13, bad_words_ids=[[a], [b, c]], suppress_tokens=[c, d], begin_suppress_tokens=[b],
               eos_token_id=[end, b])
    yield dict(max_length=12, num_beams=3, early_stopping=True, length_penalty=0.6)
    yield dict(max_length=14, num_beams=4, early_stopping=False, length_penalty=1.9)
    yield dict(max_length=14, num_beams=4, early_stopping="never", length_penalty=1.3)
    yield dict(max_length=11, num_beams=3, early_stopping="never", length_penalty=-0.7)
    yield dict(max_length=10, num_beams=3, forced_bos_token_id=c, forced_eos_token_id=end, early_stopping=False,
               length_penalty=0.0)
    yield dict(max_length=12, num_beams=4, bad_words_ids=[[d], [a, b], [end]], no_repeat_ngram_size=2,
               encoder_no_repeat_ngram_size=2, repetition_penalty=0.8, early_stopping=True)
    yield dict(max_length=12, num_beams=3, min_length=7, eos_token_id=[end, a], early_stopping=False)


def generate(model, specimen, ids, options):
    """Without the cache, which transformers 5.23 makes for as many decoder layers as the encoder has."""
    options = specimen.ids | options
    output = model.generate(torch.tensor([ids]), generation_config=GenerationConfig(**options), use_cache=False,
                            return_dict_in_generate=True, output_scores=True)
    sequence = output.sequences[0].tolist()
    line = dict(input=ids, options=options, output=sequence)
    if options.get("num_beams", 1) > 1:
        line["score"] = output.sequences_scores[0].item()
    return line


def record_generation(folder, model, specimen, seed):
    generator = torch.Generator().manual_seed(seed + 2)
    end = specimen.ids["eos_token_id"]
    lines = []

    for n, options in enumerate(search_options(specimen)):
        ids = torch.randint(4, specimen.keys["vocab_size"], (3 + n % 7,), generator=generator).tolist() + [end]
        lines.append(generate(model, specimen, ids, options))
    early = sum(len(line["output"]) < line["options"].get("max_length", 99) for line in lines)
    print(f"{specimen.name}: {early} of {len(lines)} searches end before their length")
    text = ",\n".join(json.dumps(line) for line in lines)
    (folder / "generate.json").write_text(f"[\n{text}\n]\n")


def record_buckets(folder):
    find = transformers.models.t5.modeling_t5.T5Attention._relative_position_bucket
    distances = torch.arange(-REACH, REACH + 1)
    lines = [(n, farthest, two_sided, find(distances, bidirectional=bool(two_sided), num_buckets=n,
                                           max_distance=farthest).tolist())
             for n in (4, 6, 7, 8, 10, 32, 33, 64) for farthest in (5, 9, 11, 20, 64, 100, 128, 200, 256)
             for two_sided in (0, 1) if farthest > n // 2]
    text = json.dumps(lines, separators=(",", ":"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "buckets.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--folder", type=Path, default=ROOT / "tests" / "fixtures" / "seq2seq")
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    record_buckets(arguments.folder)
    for number, specimen in enumerate(SPECIMENS):
        if arguments.names and specimen.name not in arguments.names:
            continue
        folder = arguments.folder / specimen.name
        seed = 10000 * arguments.seed + 100 * number
        model = make_checkpoint(folder, specimen, seed)
        while not record(folder, model, specimen, seed):
            seed += 1
            model = make_checkpoint(folder, specimen, seed)
        if specimen.generates:
            record_generation(folder, model, specimen, seed)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    main()
