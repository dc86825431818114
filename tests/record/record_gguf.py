# SPDX-License-Identifier: MIT
"""Makes small models as GGUF files, one or more of each architecture and of each type of tensor, and records what
transformers computes with them.

    python tests/record/record_gguf.py                   (from the project's root; torch 2.13, transformers 5.23, gguf 0.19)
    python tests/record/record_gguf.py FOLDER SEED...    the same models from other seeds, into FOLDER/SEED

Writes into tests/fixtures/gguf/:
    NAME.gguf.gz             the model, its weights drawn from a few blocks a type so that they compress
    NAME.safetensors.gz      ids of TEXT, attentions.{layer} of all its tokens, logits of the last one, N_WRITTEN tokens that
                             the model goes on with or up to its end; in the metadata: text
    blocks.safetensors.gz    NAME.blocks and NAME.floats of each type of quantised tensors: blocks of random bytes, and what
                             gguf makes of them
    NAME.hashes              what the tokenizer of that file makes of the cases of record_bpe.py; of every 12th one, but for
                             LARGE

Where transformers reads the architecture, the model and the tokenizer are the ones of its own reader. Of the others
the model is transformers' own with the weights that were written, its tokenizer the one that the file was made from.
"""

import gzip
import random
import struct
import sys
import tempfile
from collections import Counter
from pathlib import Path

import gguf
import numpy as np
import sentencepiece
import torch
import transformers
from gguf import GGMLQuantizationType as Type
from tokenizers import models, pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer, BertTokenizerFast
from transformers.integrations.gguf import convert_gguf_tokenizer, get_gguf_tokenizer

from record_bpe import QWEN2_WORDS, VARIANT_SHARE, byte_level, hash_case, make_cases, make_corpus, read_gpt2_pieces
from record_bpe import train, with_regex
from record_families import write_tensors
from record_tokenizer import FIXTURES

FOLDER = FIXTURES.parent / "gguf"
TEXT = "The cat sat on the mat, naïve as 1234 other cats."
LARGE = ["llama", "qwen2"]
POOL = 40
N_WRITTEN = 8
BLOCKS = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"]
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6

# name: architecture, types of the weights in turn, hidden size, heads, key heads, tokenizer, more of it. The inner size
# makes tensors of more than 2^18 numbers, which are widened in pieces.
MODELS = {
    "llama": ("llama", ["Q4_K", "Q6_K"], 256, 4, 2, "spm", {}),
    "llama3": ("llama", ["Q8_0", "Q4_0"], 64, 4, 2, "llama-bpe", dict(tied=True, factors=True)),
    "mistral": ("llama", ["Q5_K"], 256, 4, 1, "spm", dict(inner=1280)),
    "qwen2": ("qwen2", ["Q5_0", "Q8_0", "Q4_0"], 64, 4, 2, "qwen2", dict(tied=True)),
    "qwen3": ("qwen3", ["Q6_K"], 256, 2, 1, "qwen2", dict(head_size=128)),
    "gemma": ("gemma", ["Q8_0"], 64, 4, 1, "gemma", dict(tied=True, head_size=32)),
    "gemma2": ("gemma2", ["Q4_0", "BF16"], 64, 4, 2, "gemma", dict(tied=True, head_size=32, layers=3)),
    "gemma3": ("gemma3", ["BF16"], 64, 4, 2, "gemma", dict(tied=True, head_size=32, layers=7)),
    "phi3": ("phi3", ["Q2_K", "Q3_K"], 256, 4, 4, "spm-flat", {}),
    "gpt2": ("gpt2", ["Q5_1", "Q4_1"], 64, 4, 4, "gpt-2", {}),
    "gpt2-plain": ("gpt2", ["F32"], 32, 2, 2, "gpt-2", dict(tied=True)),
    "bert": ("bert", ["F16"], 64, 4, 4, "bert", {}),
    "granite": ("granite", ["F16"], 64, 4, 2, "refact", dict(tied=True)),
    "olmo2": ("olmo2", ["Q8_0"], 64, 4, 4, "dbrx", {}),
    "smollm3": ("smollm3", ["Q4_K"], 256, 4, 2, "smaug-bpe", dict(layers=5)),
    "gptneox": ("gptneox", ["Q8_0"], 64, 4, 4, "olmo", {}),
    "nemo": ("llama", ["Q4_0"], 64, 2, 1, "tekken", dict(tied=True, layers=1)),
    "phi4": ("phi3", ["Q4_0"], 64, 2, 2, "gpt-4o", dict(layers=1)),
}  # fmt: skip
# What transformers' own reader does not read.
UNREAD = ["gemma", "bert", "granite", "olmo2", "smollm3", "gptneox"]


class Draw:
    """Weights from a pool of blocks of their type."""

    def __init__(self, seed, hidden):
        self.random = np.random.default_rng(seed)
        # More, and large models would multiply the rounding of float32 up to the tolerance.
        self.spread = 0.8 / hidden**0.5
        self.pools = {}

    def blocks(self, type, n):
        """n blocks of bytes whose numbers have about that spread and a mean of about 0."""
        size, n_bytes = gguf.GGML_QUANT_SIZES[Type[type]]
        if not type.endswith("_K"):
            return gguf.quantize(self.random.normal(0, self.spread, (n, size)).astype(np.float32), Type[type])
        block = self.random.integers(0, 256, (n, n_bytes), dtype=np.uint8)
        # Where the halves are, what one of them is for that spread, and what the second is for that mean.
        at, d, m = {"Q2_K": (80, 11, 1.5), "Q3_K": (108, 41, 0), "Q4_K": (0, 200, 7.5), "Q5_K": (0, 400, 15.5),
                    "Q6_K": (208, 1300, 0)}[type]  # fmt: skip
        halves = (self.spread / d * self.random.uniform(0.6, 1.2, (n, 1))).astype(np.float16)
        block[:, at : at + 2] = halves.view(np.uint8)
        if m:
            block[:, at + 2 : at + 4] = (halves * np.float16(m)).astype(np.float16).view(np.uint8)
        return block

    def pool(self, type):
        if type not in self.pools:
            pool = self.random.normal(0, self.spread, (POOL, 32)).astype(np.float32)
            if gguf.GGML_QUANT_SIZES[Type[type]][0] > 1:
                pool = self.blocks(type, POOL)
            elif type == "BF16":
                pool = gguf.quantize(pool, Type.BF16)
            elif type == "F16":
                pool = pool.astype(np.float16)
            self.pools[type] = pool
        return self.pools[type]

    def weight(self, type, shape):
        """The bytes of a tensor and its numbers."""
        size = max(32, gguf.GGML_QUANT_SIZES[Type[type]][0])
        choice = self.random.integers(0, POOL, (*shape[:-1], shape[-1] // size))
        rows = self.pool(type)[choice].reshape(*shape[:-1], -1)
        return rows, gguf.dequantize(rows, Type[type]).reshape(shape)

    def norm(self, size, mean=1):
        return (self.random.normal(mean, 0.2, size)).astype(np.float32)


def make_spm(corpus):
    """tokens, scores, types of a sentencepiece of byte pairs with bytes to fall back to."""
    with tempfile.TemporaryDirectory() as folder:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(text for text in corpus if text.strip() and max(text) < "Ȁ"), model_prefix=f"{folder}/m",
            vocab_size=800, model_type="bpe", byte_fallback=True, character_coverage=0.99, minloglevel=2,
            user_defined_symbols=["<|user|>", "▁▁"], normalization_rule_name="identity",
            remove_extra_whitespaces=False)  # fmt: skip
        model = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/m.model")
    ids = range(model.vocab_size())
    types = [UNKNOWN if model.is_unknown(i) else CONTROL if model.is_control(i) else BYTE if model.is_byte(i)
             else USER_DEFINED if model.id_to_piece(i) in ("<|user|>", "▁▁") else NORMAL for i in ids]  # fmt: skip
    return [model.id_to_piece(i) for i in ids], [model.get_score(i) for i in ids], types


def add_spm(writer, corpus, kind):
    tokens, scores, types = make_spm(corpus)
    bos, eos, unknown = 1, 2, 0
    if kind == "gemma":
        # As its files have it: four tokens of its own first, spaces for runs of spaces, no useful scores.
        tokens = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"] + [t.replace("▁▁", "  ") for t in tokens[3:]] + ["   ", "▁ "]
        types = [CONTROL, CONTROL, CONTROL, UNKNOWN, CONTROL] + types[3:] + [USER_DEFINED, NORMAL]
        scores = [-1000.0] * len(tokens)
        bos, eos, unknown = 2, 1, 3
        writer.add_pad_token_id(0)
    if kind == "spm-flat":
        # Which merges go first their lengths say.
        scores = [0.0] * len(tokens)
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(types)
    writer.add_bos_token_id(bos)
    writer.add_eos_token_id(eos)
    writer.add_unk_token_id(unknown)
    if kind != "gemma":
        writer.add_pad_token_id(eos)
    if kind == "gemma":
        writer.add_add_bos_token(True)
        writer.add_add_space_prefix(False)
    return tokens


def add_byte_level(writer, corpus, pre):
    special = ["<|endoftext|>", "<|im_start|>"]
    cut = with_regex(QWEN2_WORDS) if pre == "qwen2" else byte_level()
    model = train(models.BPE(), corpus, cut, 700, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    types = [NORMAL] * len(tokens) + [CONTROL] * 2 + [USER_DEFINED] * 2 + [CONTROL]
    tokens += special + ["<think>", "né", "🤖"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    writer.add_bos_token_id(tokens.index(special[0]))
    writer.add_eos_token_id(tokens.index(special[0]))
    if pre == "gpt-4o":
        writer.add_pad_token_id(tokens.index(special[0]))
    if pre == "llama-bpe":
        writer.add_add_bos_token(True)
    return tokens


def add_wordpiece(writer, corpus, vocabulary):
    def respell(token):
        bracketed = token.startswith("[") and token.endswith("]")
        return token if bracketed else token[2:] if token.startswith("##") else "▁" + token

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    cut = pre_tokenizers.BertPreTokenizer()
    plain = [text.lower() for text in corpus if max(text, default=" ") < "Ȁ"]
    words = Counter(word for text in plain for word, _ in cut.pre_tokenize_str(text))
    ends = Counter("##" + word[-n:] for word in words for n in (1, 2, 3) if n < len(word))
    letters = sorted({letter for word in words for letter in word})
    common = [token for counter in (words, ends)
              for token, _ in sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:250]]  # fmt: skip
    tokens = list(dict.fromkeys(special + letters + ["##" + letter for letter in letters] + common))
    vocabulary.write_text("\n".join(tokens) + "\n")
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([respell(token) for token in tokens])
    writer.add_token_types([CONTROL] * 5 + [NORMAL] * (len(tokens) - 5))
    writer.add_token_type_count(2)
    writer.add_unk_token_id(1)
    writer.add_sep_token_id(3)
    writer.add_pad_token_id(0)
    writer.add_mask_token_id(4)
    writer.add_uint32("tokenizer.ggml.cls_token_id", 2)
    return tokens


def count_positions(architecture):
    """transformers' reader knows one number of GPT-2's."""
    return 1024 if architecture == "gpt2" else 64


def get_inner(architecture, hidden):
    """And one size of its feed-forward. Rows of the large types are multiples of 256."""
    return 4 * hidden if architecture == "gpt2" else hidden if hidden == 256 else hidden + 32


def list_tensors(architecture, hidden, n_heads, n_kv_heads, head_size, inner, n_layers, n_words, tied):
    """name: (shape, "weight", "norm", "bias" or "bias of queries") as llama.cpp's converter names them."""
    heads, kv_heads = n_heads * head_size, n_kv_heads * head_size
    table = {"token_embd.weight": ((n_words, hidden), "weight")}

    def linear(name, rows, columns, bias=False):
        table[name + ".weight"] = ((rows, columns), "weight")
        if bias:
            table[name + ".bias"] = ((rows,), "bias")

    def norm(name, size=hidden, bias=False):
        table[name + ".weight"] = ((size,), "norm")
        if bias:
            table[name + ".bias"] = ((size,), "bias")

    old = architecture in ("gpt2", "bert", "gptneox")
    if architecture in ("gpt2", "bert"):
        table["position_embd.weight"] = ((count_positions(architecture), hidden), "weight")
    if architecture == "bert":
        table["token_types.weight"] = ((2, hidden), "weight")
        norm("token_embd_norm", bias=True)
    else:
        norm("output_norm", bias=old)
        if not tied:
            linear("output", n_words, hidden)
    for i in range(n_layers):
        blk = f"blk.{i}."
        if architecture in ("gpt2", "phi3", "gptneox"):
            linear(blk + "attn_qkv", heads + 2 * kv_heads, hidden, old)
        else:
            bias = architecture in ("bert", "qwen2")
            linear(blk + "attn_q", heads, hidden, bias)
            linear(blk + "attn_k", kv_heads, hidden, bias)
            linear(blk + "attn_v", kv_heads, hidden, bias)
        linear(blk + "attn_output", hidden, heads, old)
        if architecture in ("qwen3", "gemma3", "olmo2"):
            norm(blk + "attn_q_norm", heads if architecture == "olmo2" else head_size)
            norm(blk + "attn_k_norm", kv_heads if architecture == "olmo2" else head_size)
        if architecture == "bert":
            norm(blk + "attn_output_norm", bias=True)
            norm(blk + "layer_output_norm", bias=True)
        elif architecture != "olmo2":
            norm(blk + "attn_norm", bias=old)
            norm(blk + "ffn_norm", bias=old)
        if architecture in ("gemma2", "gemma3", "olmo2"):
            norm(blk + "post_attention_norm")
            norm(blk + "post_ffw_norm")
        if not old and architecture != "phi3":
            linear(blk + "ffn_gate", inner, hidden)
        linear(blk + "ffn_up", inner * (2 if architecture == "phi3" else 1), hidden, old)
        linear(blk + "ffn_down", hidden, inner, old)
    return table


def add_keys(writer, architecture, hidden, n_heads, n_kv_heads, head_size, inner, n_layers, more):
    writer.add_context_length(count_positions(architecture))
    writer.add_block_count(n_layers)
    writer.add_embedding_length(hidden)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(n_heads)
    if architecture in ("gpt2", "bert"):
        writer.add_layer_norm_eps(1e-4)
        if architecture == "bert":
            writer.add_causal_attention(False)
        return
    if architecture == "gptneox":
        writer.add_layer_norm_eps(1e-4)
        writer.add_rope_dimension_count(head_size // 4)
        writer.add_parallel_residual(True)
        return
    writer.add_head_count_kv(n_kv_heads)
    writer.add_layer_norm_rms_eps(1e-4)
    writer.add_rope_freq_base(500.0)
    if "head_size" in more:
        writer.add_key_length(head_size)
        writer.add_value_length(head_size)
    if architecture in ("llama", "phi3", "granite", "smollm3"):
        writer.add_rope_dimension_count(head_size)
    if architecture in ("gemma2", "gemma3"):
        writer.add_sliding_window(6)
    if architecture == "gemma2":
        writer.add_attn_logit_softcapping(50.0)
        writer.add_final_logit_softcapping(30.0)
    if architecture == "granite":
        writer.add_attention_scale(0.2)
        writer.add_embedding_scale(6.0)
        writer.add_residual_scale(0.4)
        writer.add_logit_scale(4.0)


def write_model(path, name, seed, corpus):
    """The file, and the numbers of its tensors by name."""
    architecture, types, hidden, n_heads, n_kv_heads, kind, more = MODELS[name]
    head_size, n_layers = more.get("head_size", hidden // n_heads), more.get("layers", 2)
    inner = more.get("inner", get_inner(architecture, hidden))
    draw = Draw([seed, list(MODELS).index(name)], hidden)
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name(name + " of random weights")
    add_keys(writer, architecture, hidden, n_heads, n_kv_heads, head_size, inner, n_layers, more)
    if kind in ("spm", "spm-flat", "gemma"):
        tokens = add_spm(writer, corpus, kind)
    elif kind == "bert":
        tokens = add_wordpiece(writer, corpus, path.with_name("vocab.txt"))
    else:
        tokens = add_byte_level(writer, corpus, kind)

    numbers = {}
    table = list_tensors(architecture, hidden, n_heads, n_kv_heads, head_size, inner, n_layers, len(tokens),
                         more.get("tied", False))  # fmt: skip
    for index, (key, (shape, what)) in enumerate(table.items()):
        # Those of one type in a row, which compresses.
        type = types[index * len(types) // len(table)] if what == "weight" else "F32"
        if what == "weight" and inner % gguf.GGML_QUANT_SIZES[Type[type]][0]:
            raise SystemExit(f"{name}: rows of {inner} are no {type}")
        rows, values = draw.weight(type, shape) if what == "weight" else [draw.norm(shape, what == "norm")] * 2
        writer.add_tensor(key, rows, raw_dtype=Type[type])
        numbers[key] = values
    if more.get("factors"):
        factors = np.linspace(1, 8, head_size // 2).astype(np.float32)
        writer.add_tensor("rope_freqs.weight", factors)
        numbers["rope_freqs.weight"] = factors
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    return numbers


def get_config(name):
    """As the hub's config.json would have it, of what transformers' own reader does not read."""
    architecture, _, hidden, n_heads, n_kv_heads, _, more = MODELS[name]
    n_layers = more.get("layers", 2)
    if architecture == "bert":
        return transformers.BertConfig(
            hidden_size=hidden, num_attention_heads=n_heads, num_hidden_layers=n_layers,
            intermediate_size=get_inner(architecture, hidden), max_position_embeddings=64, layer_norm_eps=1e-4,
        )  # fmt: skip
    if architecture == "gptneox":
        return transformers.GPTNeoXConfig(
            hidden_size=hidden, num_attention_heads=n_heads, num_hidden_layers=n_layers, max_position_embeddings=64,
            intermediate_size=get_inner(architecture, hidden), layer_norm_eps=1e-4, use_parallel_residual=True,
        )  # fmt: skip
    keys = dict(hidden_size=hidden, num_attention_heads=n_heads, num_key_value_heads=n_kv_heads, num_hidden_layers=n_layers,
                intermediate_size=get_inner(architecture, hidden), max_position_embeddings=64, rms_norm_eps=1e-4,
                rope_parameters=dict(rope_type="default", rope_theta=500.0),
                tie_word_embeddings=more.get("tied", False))  # fmt: skip
    if architecture == "gemma":
        keys["head_dim"] = more["head_size"]
    if architecture == "granite":
        keys |= dict(attention_multiplier=0.2, embedding_multiplier=6.0, residual_multiplier=0.4, logits_scaling=4.0)
    family = dict(gemma="Gemma", granite="Granite", olmo2="Olmo2", smollm3="SmolLM3")[architecture]
    return getattr(transformers, family + "Config")(**keys)


def make_model(name, numbers):
    """transformers' own class with the numbers of the file, what llama.cpp's converter did to them undone."""
    architecture, _, _, n_heads, n_kv_heads, _, _ = MODELS[name]
    config = get_config(name)
    config.vocab_size = len(numbers["token_embd.weight"])
    config.pad_token_id = config.bos_token_id = config.eos_token_id = None
    model = transformers.BertModel(config) if architecture == "bert" else AutoModelForCausalLM.from_config(config)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH[architecture.upper()], config.num_hidden_layers)
    state = model.state_dict()
    seen = set()
    for key in state:
        stem, _, ending = key.rpartition(".")
        full = "bert." + stem if architecture == "bert" else stem
        source = f"{names.get_name(full) or names.get_name(stem)}.{ending}"
        if source not in numbers:
            if key == "lm_head.weight" or "pooler" in key:
                continue
            raise SystemExit(f"{name}: nothing for {key}")
        value = torch.from_numpy(numbers[source])
        if architecture in ("granite", "smollm3") and (".attn_q." in source or ".attn_k." in source):
            heads = n_heads if ".attn_q." in source else n_kv_heads
            value = value.reshape(heads, -1, 2, value.shape[-1]).swapaxes(1, 2).reshape(value.shape)
        if architecture == "gptneox" and "attn_qkv" in source:
            # Queries, keys and values of each head together.
            value = value.reshape(3, n_heads, -1, *value.shape[1:]).swapaxes(0, 1).reshape(value.shape)
        if architecture == "gemma" and "norm" in source:
            value = value - 1
        state[key].copy_(value)
        seen.add(source)
    assert seen == set(numbers), set(numbers) - seen
    return model


def set_factors(model, factors):
    """transformers' reader leaves out what frequencies are divided by, which llama.cpp and Llama 3's own config have."""
    model.model.rotary_emb.inv_freq /= torch.from_numpy(factors)


def open_tokenizer(folder, name):
    """What transformers makes of the file; of those that it does not read, of one that it would."""
    architecture, kind = MODELS[name][0], MODELS[name][5]
    if architecture == "bert":
        return BertTokenizerFast(str(folder / "vocab.txt")).backend_tokenizer
    if architecture not in UNREAD:
        return AutoTokenizer.from_pretrained(folder, gguf_file=f"{name}.gguf").backend_tokenizer
    if kind == "gemma":
        # Has the same pieces.
        return AutoTokenizer.from_pretrained(folder, gguf_file="gemma2.gguf").backend_tokenizer
    _, pieces, _ = get_gguf_tokenizer(str(folder / f"{name}.gguf"))
    tokenizer, _ = convert_gguf_tokenizer(architecture, pieces)
    if kind == "refact":
        # Which its reader takes for GPT-2's; the models' own tokenizer.json has digits cut.
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level()])
    return tokenizer


def record_model(folder, name, seed, corpus, cases):
    path = folder / f"{name}.gguf"
    numbers = write_model(path, name, seed, corpus)
    architecture = MODELS[name][0]
    tokenizer = open_tokenizer(folder, name)
    if architecture in UNREAD:
        model = make_model(name, numbers)
    else:
        model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=path.name, dtype=torch.float32)
        if "rope_freqs.weight" in numbers:
            set_factors(model, numbers["rope_freqs.weight"])
    model.set_attn_implementation("eager")
    model.double().eval()
    ids = tokenizer.encode(TEXT).ids
    with torch.no_grad():
        output = model(torch.tensor([ids]), output_attentions=True)
    result = {"ids": torch.tensor(ids, dtype=torch.int32)}
    result |= {f"attentions.{i}": a[0].float() for i, a in enumerate(output.attentions)}
    if "logits" in output:
        result["logits"] = output.logits[0, -1].float()
        written = model.generate(torch.tensor([ids]), max_new_tokens=N_WRITTEN, do_sample=False)
        result["written"] = written[0, len(ids) :].to(torch.int32)
    peaks = torch.stack([a.max(-1).values.mean() for a in output.attentions])
    write_tensors(folder / f"{name}.safetensors.gz", result, {"text": TEXT})
    hashes = [hash_case(tokenizer, case) for case in cases[:: 1 if name in LARGE else VARIANT_SHARE]]
    (folder / f"{name}.hashes").write_bytes(struct.pack(f"<{len(hashes)}I", *hashes))
    (folder / f"{name}.gguf.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    print(f"{name}: {len(ids)} tokens, mean row maximum {peaks.min():.2f} to {peaks.max():.2f}, "
          f"{(folder / f'{name}.gguf.gz').stat().st_size} bytes")  # fmt: skip


def record_blocks(folder, seed):
    """Every byte is drawn but for the halves, which stay finite."""
    draw = Draw([seed, 1000], 64)
    tensors = {}
    for type in BLOCKS:
        blocks = draw.blocks(type, 12)
        tensors[type + ".blocks"] = torch.from_numpy(blocks.copy())
        tensors[type + ".floats"] = torch.from_numpy(gguf.dequantize(blocks, Type[type]).copy())
    write_tensors(folder / "blocks.safetensors.gz", tensors, {})


def record_all(folder, seed):
    folder.mkdir(parents=True, exist_ok=True)
    pieces = read_gpt2_pieces()
    corpus = make_corpus(random.Random("gguf"), pieces)
    cases = make_cases(random.Random("cases"), pieces)
    record_blocks(folder, seed)
    for name in sorted(MODELS, key=lambda name: name == "gemma"):
        record_model(folder, name, seed, corpus, cases)
    for path in [*folder.glob("*.gguf"), folder / "vocab.txt"]:
        path.unlink()


def main():
    torch.set_num_threads(1)
    if len(sys.argv) < 2:
        record_all(FOLDER, 0)
    for seed in sys.argv[2:]:
        record_all(Path(sys.argv[1]) / seed, int(seed))


if __name__ == "__main__":
    main()
