# SPDX-License-Identifier: MIT
"""Makes small random checkpoints of the families of one stack and records what transformers computes with them.

    python tests/record/record_families.py                   (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_families.py FOLDER SEED...    the same specimens from other seeds, into FOLDER/SEED

Writes tests/fixtures/families/NAME/{config.json,weights.safetensors.gz,expected.safetensors.gz}, of some specimens
weights.bin.gz instead; a seed decides sizes, weights and token ids, and tests/engine/families/test-families.c reads FOLDER/SEED from $HEADLIGHT_FAMILIES.

An expected.safetensors.gz holds cases 0, 1, … Metadata: `cases`. Tensors, the rows of padding left out:
    N.ids, N.padding, N.types    [tokens]; types of models that have them
    N.queries.LAYER              [heads, rows, head size], unscaled, after rotary positions; keys and values
                                 [kv heads, rows, head size] likewise
    N.attentions.LAYER           [heads, rows, tokens]
    N.hidden_states.I            [rows, hidden size]
    N.logits.TASK                [rows, classes], or [1, classes] of a classifier of texts
    N.written                    [tokens] that follow the ids of a text without padding, of some specimens
Of the classes that are no language models only the last attention and hidden states are kept beside the logits.
"""

import gzip
import io
import json
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

import safetensors.torch
import torch
import transformers
from transformers import AttentionInterface, GenerationConfig
from transformers.masking_utils import AttentionMaskInterface, eager_mask

from record_models import with_sorted_header

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "families"
VOCABULARY = 37
LABELS = dict(id2label={0: "calm", 1: "cross", 2: "keen"}, label2id={"calm": 0, "cross": 1, "keen": 2})

# Those that store matrices [in, out], and those that read forwards without saying so.
CONV_FAMILIES = {"gpt2", "openai-gpt"}
CAUSAL_FAMILIES = {"gpt2", "openai-gpt", "gpt_neo", "gptj", "ctrl"}

# Where the classes have their logits and what task those are of.
TASKS = {"XLMWithLMHeadModel": "fill-mask", "ForQuestionAnsweringSimple": "question-answering", "ForMaskedLM": "fill-mask", "LMHeadModel": "language-model", "ForCausalLM": "language-model",
         "ForSequenceClassification": "text-classification", "ForTokenClassification": "entities",
         "ForQuestionAnswering": "question-answering", "ElectraForPreTraining": "replaced-tokens"}


def bare(tensors, keys):
    """As the hub's gpt2: no prefix, and the causal masks that old releases stored."""
    tensors = {name.removeprefix("transformer."): value for name, value in tensors.items()}
    for layer in range(keys["n_layer"]):
        tensors[f"h.{layer}.attn.bias"] = torch.ones(1, 1, 9, 9).tril()
        tensors[f"h.{layer}.attn.masked_bias"] = torch.tensor(-1e4)
    return tensors


def old_rope(tensors, keys):
    """The spelling of releases before 5, with the frequencies that old files hold."""
    rope = keys.pop("rope_parameters")
    keys["rope_theta"] = rope.pop("rope_theta")
    keys["rope_scaling"] = None if rope["rope_type"] == "default" else {"type": rope.pop("rope_type")} | rope
    for layer in range(keys["num_hidden_layers"]):
        tensors[f"model.layers.{layer}.self_attn.rotary_emb.inv_freq"] = torch.ones(2)
    return tensors


def without_layer_types(tensors, keys):
    """As releases wrote it that knew use_sliding_window and max_window_layers alone."""
    del keys["layer_types"]
    return tensors


def other_output(tensors, keys):
    """An output beside the word embedding that it is said to be tied to, and is not."""
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"].flip(0)
    return tensors


def few_keys(tensors, keys):
    """What is at its default is not in the file."""
    for key in ("layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps", "hidden_act", "activation", "tie_word_embeddings",
                "activation_function", "n_inner", "num_key_value_heads", "head_dim", "rope_parameters", "type_vocab_size",
                "pad_token_id", "scale_attn_weights", "attention_bias", "mlp_bias", "layer_types"):
        keys.pop(key, None)
    return tensors


def rope(kind, **more):
    return dict(rope_parameters=dict(rope_type=kind, rope_theta=500.0, **more))


# name, class, tensor type, options of the config, and: the lengths of the cases; the deviation of the embeddings
# (small, so that the norm's epsilon is seen); what is done to the file.
SPECIMENS = [
    ("distilbert-words", "DistilBertForMaskedLM", torch.float16, dict(), dict(change=few_keys, embeddings=3e-6)),
    ("distilbert-untied", "DistilBertForMaskedLM", torch.bfloat16, dict(tie_word_embeddings=False, activation="gelu_new"), {}),
    ("distilbert-labels", "DistilBertForSequenceClassification", torch.bfloat16, LABELS, {}),
    ("distilbert-entities", "DistilBertForTokenClassification", torch.float16, LABELS | dict(activation="relu"), {}),
    ("distilbert-answers", "DistilBertForQuestionAnswering", torch.float16, dict(sinusoidal_pos_embds=True), {}),

    ("roberta-words", "RobertaForMaskedLM", torch.float16, dict(layer_norm_eps=1e-5, hidden_act="silu", type_vocab_size=1),
     dict(embeddings=0.003, lengths=(9, "full"))),
    ("roberta-untied", "RobertaForMaskedLM", torch.float32, dict(tie_word_embeddings=False, pad_token_id=4), {}),
    ("roberta-labels", "RobertaForSequenceClassification", torch.bfloat16, LABELS, dict(change=few_keys, embeddings=3e-6)),
    ("roberta-causal", "RobertaForCausalLM", torch.bfloat16, dict(is_decoder=True, type_vocab_size=1, hidden_act="gelu_new"), {}),
    ("xlm-roberta-words", "XLMRobertaForMaskedLM", torch.bfloat16, dict(layer_norm_eps=1e-5), {}),
    ("xlm-roberta-entities", "XLMRobertaForTokenClassification", torch.float16, LABELS, {}),
    ("xlm-roberta-answers", "XLMRobertaForQuestionAnswering", torch.float16, dict(hidden_act="silu"), {}),

    ("gpt2-words", "GPT2LMHeadModel", torch.float16, dict(), dict(change=few_keys, embeddings=0.01, lengths=(9, "full"))),
    ("gpt2-square", "GPT2LMHeadModel", torch.float32,
     dict(scale_attn_weights=False, scale_attn_by_inverse_layer_idx=True, layer_norm_epsilon=1e-3, n_inner="hidden",
          tie_word_embeddings=False), dict(change=bare, gain=1.4)),
    ("gpt2-inverse", "GPT2Model", torch.bfloat16,
     dict(scale_attn_by_inverse_layer_idx=True, activation_function="gelu", reorder_and_upcast_attn=True), {}),
    ("gpt2-labels", "GPT2ForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=5), dict(ends_in_pad=True)),
    ("gpt2-entities", "GPT2ForTokenClassification", torch.float16, LABELS | dict(activation_function="relu"), {}),
    ("gpt2-answers", "GPT2ForQuestionAnswering", torch.float16, dict(), {}),

    ("llama-words", "LlamaForCausalLM", torch.float16, rope("default") | dict(attention_bias=True, mlp_bias=True), {}),
    ("llama-tied", "LlamaForCausalLM", torch.bfloat16,
     rope("linear", factor=2.5) | dict(tie_word_embeddings=True, hidden_act="gelu", rms_norm_eps=1e-3), dict(embeddings=0.01)),
    ("llama-dynamic", "LlamaForCausalLM", torch.bfloat16, rope("dynamic", factor=3.0) | dict(max_position_embeddings=10),
     dict(change=old_rope, lengths=(7, 10, 17))),
    ("llama-by-length", "LlamaForCausalLM", torch.float16,
     rope("llama3", factor=7.0, low_freq_factor=1.3, high_freq_factor=3.7, original_max_position_embeddings=29)
     | dict(max_position_embeddings=64), dict(lengths=(9, 41))),
    ("llama-old", "LlamaModel", torch.float32,
     rope("llama3", factor=3.0, low_freq_factor=0.7, high_freq_factor=5.5, original_max_position_embeddings=19),
     dict(change=old_rope)),
    ("llama-few", "LlamaForCausalLM", torch.bfloat16,
     dict(num_key_value_heads="heads", head_dim=None), dict(change=few_keys, embeddings=0.001)),
    ("llama-labels", "LlamaForSequenceClassification", torch.bfloat16, LABELS | dict(pad_token_id=3), dict(ends_in_pad=True)),
    ("llama-entities", "LlamaForTokenClassification", torch.float16, LABELS, {}),
    ("llama-answers", "LlamaForQuestionAnswering", torch.float16, rope("linear", factor=1.7), dict(change=old_rope)),

    ("qwen2-words", "Qwen2ForCausalLM", torch.bfloat16, dict(tie_word_embeddings=True), dict(change=other_output)),
    ("qwen2-window", "Qwen2ForCausalLM", torch.float16, dict(use_sliding_window=True, sliding_window=4, max_window_layers=1),
     dict(change=without_layer_types, layers=3, lengths=(4, 13))),
    ("qwen2-types", "Qwen2ForCausalLM", torch.bfloat16,
     rope("dynamic", factor=2.0) | dict(use_sliding_window=True, sliding_window=3, max_position_embeddings=8,
                                        layer_types=["sliding_attention", "full_attention", "sliding_attention"]),
     dict(layers=3, lengths=(11,))),
    ("qwen2-labels", "Qwen2ForSequenceClassification", torch.float16, LABELS, {}),
    ("qwen2-entities", "Qwen2ForTokenClassification", torch.bfloat16, LABELS, {}),
]

# How the families call the sizes that are drawn.
SPELLINGS = {
    "XLM": dict(hidden_size="emb_dim", num_attention_heads="n_heads", num_hidden_layers="n_layers"),
    "DistilBert": dict(hidden_size="dim", num_attention_heads="n_heads", num_hidden_layers="n_layers",
                       intermediate_size="hidden_dim"),
    "GPT2": dict(hidden_size="n_embd", num_attention_heads="n_head", num_hidden_layers="n_layer",
                 intermediate_size="n_inner", max_position_embeddings="n_positions"),
}


def draw_config(class_name, options, extra, draw):
    """Sizes that are odd wherever a family lets them be."""
    family = re.match("DebertaV2|Deberta|ModernBert|BigBird|DistilBert|Bert|XLMRoberta|Roberta|GPT2|Llama|Qwen2|Electra|Albert|Esm|XLM",
                      class_name)[0]
    rotary = family in ("Llama", "Qwen2")
    n_heads, head_size = draw.choice((2, 3, 4)), draw.choice((3, 5, 7))
    sizes = dict(hidden_size=n_heads * head_size, num_attention_heads=n_heads,
                 num_hidden_layers=extra.get("layers", 2), intermediate_size=draw.randrange(21, 40, 2),
                 max_position_embeddings=draw.randrange(17, 23), vocab_size=VOCABULARY)
    if rotary:
        n_heads = draw.choice((4, 6))
        sizes |= dict(num_attention_heads=n_heads, num_key_value_heads=draw.choice((1, 2)), hidden_size=n_heads * head_size,
                      head_dim=draw.choice((4, 6, 10)), rope_parameters=dict(rope_type="default", rope_theta=10000.0))
        if options.get("head_dim", 0) is None:
            sizes["hidden_size"] = 6 * n_heads
    drawn = {key: dict(heads=n_heads, head=head_size)[value] for key, value in options.items()
             if (key, value) in (("conv_groups", "heads"), ("attention_head_size", "head"))}
    options = options | drawn
    if family in ("Esm", "ModernBert"):
        head_size = draw.choice((4, 6, 10))
        sizes["hidden_size"] = n_heads * head_size
    if options.get("embedding_size") == "hidden":
        options = options | dict(embedding_size=sizes["hidden_size"])
    if options.get("num_key_value_heads") == "heads":
        options = options | dict(num_key_value_heads=n_heads)
    if family == "GPT2":
        sizes["intermediate_size"] = {"hidden": sizes["hidden_size"]}.get(options.get("n_inner"), None)
        options = {key: value for key, value in options.items() if key != "n_inner"}
    names = SPELLINGS.get(family, {})
    keys = {names.get(key, key): value for key, value in (sizes | options).items()}

    return getattr(transformers, family + "Config")(**keys)


def randomise(model, extra, generator):
    """Scores of a spread of about 4 and pre-activations beyond 3: as peaked as trained models are."""
    def normal(shape, std):
        return torch.randn(shape, generator=generator) * std

    # Rotary families have scores beyond their share: biases that are turned apart, keys that heads share. More peaked,
    # they would multiply the rounding of float32 itself up to the tolerance.
    gain = extra.get("gain", 1.7 if hasattr(model.config, "rope_parameters") else 2.1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            conv = model.config.model_type in CONV_FAMILIES and re.search("c_attn|c_proj|c_fc", name)
            fan_in = (parameter.shape[0] if conv else parameter[0].numel()) ** 0.5
            if re.search(r"(norm\d?|layer_norm[12]\.\d+|layer_norm_emb|ln_\w+)\.(weight|bias)$", name.lower()):
                parameter.copy_(normal(parameter.shape, 0.3) + (extra.get("norms", 1) if name.endswith("weight") else 0))
            elif parameter.dim() == 1:
                parameter.copy_(normal(parameter.shape, 0.5))
            elif "rel_embeddings" in name:
                parameter.copy_(normal(parameter.shape, 1))
            elif re.search(r"embed(?!dings_project|ding_hidden|_proj)|wte|wpe|\bw\.", name):
                parameter.copy_(normal(parameter.shape, extra.get("embeddings", 1.0)))
            elif re.search("query|key|[qk]_lin|[qk]_proj|c_attn|W[qk]", name):
                parameter.copy_(normal(parameter.shape, gain / fan_in))
            else:
                parameter.copy_(normal(parameter.shape, 1.4 / fan_in))


def attend(module, query, key, value, mask, **options):
    """The module's own attention, with what goes in and comes out kept; query [1, heads, tokens, d]."""
    own = sys.modules[type(module).__module__].eager_attention_forward
    output, weights = own(module, query, key, value, mask, **options)
    attend.seen.append((query[0], key[0], value[0], weights[0]))
    return output, weights


AttentionInterface.register("recorded", attend)
AttentionMaskInterface.register("recorded", eager_mask)


def read_logits(cls, output, rows, padding, pad_id):
    """By task, [rows, classes] or [1, classes]."""
    if hasattr(output, "sop_logits"):
        return {"fill-mask": output.prediction_logits[0, rows], "sentence-order": output.sop_logits}
    if hasattr(output, "seq_relationship_logits"):
        return {"fill-mask": output.prediction_logits[0, rows], "next-sentence": output.seq_relationship_logits}
    task = next((task for ending, task in TASKS.items() if cls.__name__.endswith(ending)), None)
    if task == "question-answering":
        return {task: torch.stack((output.start_logits[0, rows], output.end_logits[0, rows]), 1)}
    if task == "replaced-tokens":
        return {task: output.logits[0, rows, None]}
    # Without an id of padding, transformers reads the last token even where it is masked.
    if not task or (task == "text-classification" and padding[-1] and pad_id is None):
        return {}
    return {task: output.logits[0, rows] if output.logits.dim() == 3 else output.logits}


def run(cls, folder, ids, padding, types, implementation="recorded", languages=None):
    """Computes in float64 with the stored weights; a model of its own, because scaled positions remember."""
    model = cls.from_pretrained(folder, dtype=torch.float64, attn_implementation=implementation).eval()
    inner, handles = [], []
    for name, module in model.named_modules():
        if re.search(r"(lin1|fc1|intermediate\.dense|c_fc|fc_in|dense_h_to_4h|ffn\.0|gate_proj|gate_up_proj|mlp\.Wi|albert_layers\.\d+\.ffn)$", name):
            handles.append(module.register_forward_hook(lambda module, args, output: inner.append(output[0])))
    attend.seen = []
    with torch.no_grad():
        output = model(input_ids=torch.tensor([ids]), attention_mask=1 - torch.tensor([padding]), output_hidden_states=True,
                       output_attentions=implementation == "eager" or None,
                       **({"token_type_ids": torch.tensor([types])} if types else {}),
                       **({"langs": torch.tensor([languages])} if languages else {}))

    rows = [i for i, hidden in enumerate(padding) if not hidden]
    result = {"ids": torch.tensor(ids), "padding": torch.tensor(padding)}
    if types:
        result["types"] = torch.tensor(types)
    if languages:
        result["languages"] = torch.tensor(languages)
    # ESM's queries are scaled before they are turned.
    unscale = (model.config.hidden_size / model.config.num_attention_heads) ** 0.5 if model.config.model_type == "esm" else 1
    for layer, (query, key, value, weights) in enumerate(attend.seen):
        result |= {f"queries.{layer}": query[:, rows] * unscale, f"keys.{layer}": key[:, rows], f"values.{layer}": value[:, rows],
                   f"attentions.{layer}": weights[:, rows, : len(ids)]}
    for i, hidden in enumerate(output.hidden_states):
        result[f"hidden_states.{i}"] = hidden[0, rows]
    for task, logits in read_logits(cls, output, rows, padding, model.config.pad_token_id).items():
        reads_forwards = task == "fill-mask" and getattr(model.config, "causal", False)
        result["logits.language-model" if reads_forwards else f"logits.{task}"] = logits
    return result, torch.cat([x[rows] for x in inner])


def draw_cases(config, extra, draw):
    """Lists of ids and padding: plain texts of the lengths, then one padded behind, one within and in front."""
    pad = config.pad_token_id
    skips_padding = "roberta" in config.model_type or getattr(config, "position_embedding_type", "") == "absolute"
    offset = pad + 1 if skips_padding else 0
    words = [i for i in range(VOCABULARY) if i != pad]

    for length in extra.get("lengths", (9,)):
        n = config.max_position_embeddings - offset if length == "full" else length
        ids = draw.choices(words, k=n)
        # Padding's id as a word of the text, in the middle and at the end.
        if pad is not None and n > 5 and (extra.get("ends_in_pad") or offset):
            ids[3] = ids[-1] = pad
        # Mask tokens may count in the embedding of all others.
        for i in extra.get("masks", ()):
            ids[i] = config.mask_token_id
        yield ids, [0] * n
    filler = pad if pad is not None else 0
    n = 6
    yield draw.choices(words, k=n) + [filler] * 2, [0] * n + [1] * 2
    # In float64 a row that sees nothing is no number, and its values spoil the rows behind it.
    causal = config.model_type in CAUSAL_FAMILIES or getattr(config, "is_decoder", False) or (
        hasattr(config, "rope_parameters") and config.model_type != "modernbert"
        and not getattr(config, "use_bidirectional_attention", False))
    if extra.get("pads_behind"):
        return
    padding = [0, 0, 1, 0, 0, 0] if causal else [1, 0, 0, 1, 0, 0, 0]
    ids = [filler if hidden else draw.choice(words) for hidden in padding]
    if extra.get("masks"):
        ids[4] = config.mask_token_id
    yield ids, padding


def without_stack(result):
    """What a classifier adds to what the other specimens of its family say."""
    last = max(int(key.split(".")[1]) for key in result if key.startswith("hidden_states"))
    return {key: value for key, value in result.items()
            if key in ("ids", "padding", "types", "languages", f"attentions.{last - 1}", f"hidden_states.{last}") or key.startswith("logits")}


def check_strength(name, result, inner):
    """Without this, exact and tanh GELU, or a softmax of the wrong row, could not be told apart."""
    row_maxima = [value.max(-1).values.mean() for key, value in result.items() if key.startswith("attentions.")]
    row_maximum = torch.stack(row_maxima).mean()
    print(f"{name}: mean row maximum {row_maximum:.2f}, pre-activations {inner.min():.1f} to {inner.max():.1f}")
    return row_maximum > 0.5 and inner.max() > 3 and inner.min() < -3


def write_tensors(path, tensors, metadata):
    data = with_sorted_header(safetensors.torch.save({name: value.contiguous() for name, value in tensors.items()}, metadata))
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    return data


def save_checkpoint(folder, model, dtype, change):
    """config.json and model.safetensors as transformers writes them, then changed."""
    model.to(dtype).save_pretrained(folder)
    keys = json.loads((folder / "config.json").read_text())
    tensors = safetensors.torch.load_file(folder / "model.safetensors")
    if change:
        tensors = change(tensors, keys)
    (folder / "config.json").write_text(json.dumps(keys, indent=1) + "\n")
    safetensors.torch.save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    return tensors


def write_weights(folder, tensors, as_torch_file):
    """As one of the files that transformers loads."""
    if not as_torch_file:
        write_tensors(folder / "weights.safetensors.gz", tensors, {"format": "pt"})
        return
    data = io.BytesIO()
    torch.save(tensors, data)
    (folder / "weights.bin.gz").write_bytes(gzip.compress(data.getvalue(), 9, mtime=0))


def write(cls, folder, ids):
    """What the model goes on with, as generate() does when nothing is asked of it."""
    model = cls.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    settings = GenerationConfig(max_new_tokens=8, do_sample=False)
    return model.generate(torch.tensor([ids]), generation_config=settings)[0, len(ids):]


def record(target, number, seed, name, class_name, dtype, options, extra, draw_config=draw_config):
    draw = random.Random(f"{seed} {name}")
    generator = torch.Generator().manual_seed(seed * 1000 + number)
    cls = getattr(transformers, class_name)
    model = cls(draw_config(class_name, options, extra, draw)).eval()
    randomise(model, extra, generator)
    expected, n, strong = {}, 0, False
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        tensors = save_checkpoint(folder, model, dtype, extra.get("change"))
        for ids, padding in draw_cases(model.config, extra, draw):
            types = [int(2 * i >= len(ids)) for i in range(len(ids))] if extra.get("types") else None
            result, inner = extra.get("run", run)(cls, folder, ids, padding, types, extra.get("attention", "recorded"))
            strong |= bool(check_strength(f"{name} {n}", result, inner))
            if not class_name.endswith(("LM", "Model")):
                result = without_stack(result)
            if extra.get("writes") and not any(padding):
                result["written"] = write(cls, folder, ids)
            for key, value in result.items():
                expected[f"{n}.{key}"] = value.to(torch.float32 if value.is_floating_point() else torch.int32)
            n += 1
        assert strong or target != FIXTURES, (name, "attention or activations are too weak to tell errors")
        shutil.rmtree(target / name, ignore_errors=True)
        (target / name).mkdir(parents=True)
        shutil.copy(folder / "config.json", target / name)
    write_weights(target / name, tensors, extra.get("as_torch_file"))
    write_tensors(target / name / "expected.safetensors.gz", expected, {"cases": str(n)})


def record_all(specimens, first_number, target, seed, draw_config):
    for number, specimen in enumerate(specimens, first_number):
        record(target, number, seed, *specimen, draw_config=draw_config)
    print(target, sum(path.stat().st_size for path in target.rglob("*") if path.is_file()), "bytes")


def main(specimens, first_number=0, draw_config=draw_config):
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    if len(sys.argv) == 1:
        record_all(specimens, first_number, FIXTURES, 1, draw_config)
    for seed in sys.argv[2:]:
        record_all(specimens, first_number, Path(sys.argv[1]) / seed, int(seed), draw_config)


if __name__ == "__main__":
    main(SPECIMENS)
