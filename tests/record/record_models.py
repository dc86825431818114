# SPDX-License-Identifier: MIT
"""Makes small random BERT checkpoints and records what transformers computes with them.

    python tests/record/record_models.py            (from the project's root; torch 2.13, transformers 5.23)

Writes tests/fixtures/models/NAME/{config.json,vocab.txt,model.safetensors,expected.safetensors.gz,predict.json}
and, with numbers of real checkpoints, tests/fixtures/models/{headlight-mini,minilm-l6-v2}/.
MiniLM is read from $HEADLIGHT_SHARED or ../shared.

An expected.safetensors.gz holds cases 0, 1, … Metadata: `cases`, `N.text_a`, `N.text_b`, `N.edits` (one edit
a line, as engine/edits/edit.h spells them). Tensors, any subset of:
    N.ids, N.type_ids            [tokens]
    N.queries.LAYER              [heads, tokens, head size], or N.queries.LAYER.HEAD [tokens, head size];
                                 keys and values likewise
    N.attentions.LAYER           [heads, tokens, tokens], or N.attentions.LAYER.HEAD [tokens, tokens]
    N.hidden_states.I            [tokens, hidden size]
    N.logits.TASK                [positions, classes]
Where a last dimension is smaller than the model's, it holds every (full / stored)th column.
"""

import gzip
import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import safetensors.torch
import torch
import transformers
from transformers import AttentionInterface, BertTokenizer, pipeline
from transformers.masking_utils import AttentionMaskInterface, eager_mask

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "models"
SHARED = Path(os.environ.get("HEADLIGHT_SHARED", ROOT.parent / "shared"))

PAIR = ("time flies like an arrow", "fruit flies like a banana")
VOCABULARY = """[PAD] [UNK] [CLS] [SEP] [MASK] time flies like an arrow fruit a banana the cat sat on mat ##s ##ing ##er
dog , . ? ' who where in paris london john smith lives is who ##re ##o jumps""".split()
VOCABULARY = list(dict.fromkeys(VOCABULARY))

# name, class, tensor type, and what its config.json says beside the common keys.
SPECIMENS = [
    ("pretraining", "BertForPreTraining", torch.float32,
     dict(hidden_size=15, num_attention_heads=3, intermediate_size=37, num_hidden_layers=2,
          max_position_embeddings=19)),
    ("masked-f16", "BertForMaskedLM", torch.float16,
     dict(hidden_size=20, num_attention_heads=4, intermediate_size=31, num_hidden_layers=2, hidden_act="gelu_new",
          max_position_embeddings=17, type_vocab_size=1, layer_norm_eps=1e-3, tie_word_embeddings=False)),
    ("classifier-bf16", "BertForSequenceClassification", torch.bfloat16,
     dict(hidden_size=25, num_attention_heads=5, intermediate_size=19, num_hidden_layers=3, hidden_act="relu",
          max_position_embeddings=17, id2label={"0": "calm", "1": "cross", "2": "keen"},
          label2id={"calm": 0, "cross": 1, "keen": 2})),
    ("entities-bf16", "BertForTokenClassification", torch.bfloat16,
     dict(hidden_size=15, num_attention_heads=5, intermediate_size=21, num_hidden_layers=2, hidden_act="silu",
          max_position_embeddings=21,
          id2label={"0": "O", "1": "B-PER", "2": "I-PER", "3": "B-LOC", "4": "I-LOC"},
          label2id={"O": 0, "B-PER": 1, "I-PER": 2, "B-LOC": 3, "I-LOC": 4})),
    ("answers-f16", "BertForQuestionAnswering", torch.float16,
     dict(hidden_size=12, num_attention_heads=2, intermediate_size=29, num_hidden_layers=2,
          hidden_act="gelu_pytorch_tanh", max_position_embeddings=48)),
    ("next-sentence", "BertForNextSentencePrediction", torch.float32,
     dict(hidden_size=9, num_attention_heads=1, intermediate_size=14, num_hidden_layers=1, hidden_act="tanh",
          max_position_embeddings=16)),
    ("causal", "BertLMHeadModel", torch.bfloat16,
     dict(hidden_size=16, num_attention_heads=4, intermediate_size=35, num_hidden_layers=2, hidden_act="quick_gelu",
          max_position_embeddings=14, is_decoder=True)),
]

TEXTS = {
    "pretraining": [PAIR, ("[MASK] flies [MASK] an arrow .", None), ("the cats sat on the mat , jumping dogs", "who ?")],
    "masked-f16": [("unheard words , dogs ' mats " + "[MASK] " * 5, None)],
    "classifier-bf16": [PAIR],
    "entities-bf16": [("who is john smith in paris , london ?", None)],
    "answers-f16": [("who lives in paris ?", "john smith in london .")],
    "next-sentence": [PAIR, ("banana", None)],
    "causal": [PAIR],
}

# Each edit alone, then all kinds at once.
EDITS = [
    ["zero 1.1"], ["scale 0.2 -1.5"], ["uniform 0.0"], ["cut 1.0 3 5"], ["cut 0.1 2 2 renormalise"],
    ["knock-out 4"], ["skip-attention 0"], ["skip-feed-forward 1"], ["zero 0.*"], ["uniform 1.*"],
    ["scale 0.1 0.5", "uniform 1.2", "cut 0.0 1 0 renormalise", "cut 0.0 2 3", "knock-out 6", "skip-feed-forward 0"],
]


class Edits:
    """The edits of engine/edits/edit.h, put into a transformers model from outside: an attention function and hooks."""

    def __init__(self, texts):
        self.scales, self.uniform, self.cuts, self.skips, self.knocked_out = [], [], [], [], []
        for text in texts:
            verb, *rest = text.split()
            if verb == "knock-out":
                self.knocked_out.append(int(rest[0]))
            elif verb.startswith("skip-"):
                self.skips.append((verb, int(rest[0])))
            else:
                layer, head = rest[0].split(".")
                where = (int(layer), slice(None) if head == "*" else slice(int(head), int(head) + 1))
                if verb in ("zero", "scale"):
                    self.scales.append((*where, 0.0 if verb == "zero" else float(rest[1])))
                elif verb == "uniform":
                    self.uniform.append(where)
                else:
                    self.cuts.append((*where, int(rest[1]), int(rest[2]), rest[3:] == ["renormalise"]))

    def attention(self, module, query, key, value, mask, scaling=None, **_):
        """query, key, value [1, heads, tokens, d]"""
        scores = query @ key.transpose(2, 3) * scaling
        visible = torch.ones(scores.shape[2:], dtype=torch.bool)
        if mask is not None:
            visible &= mask[0, 0] > -1
        visible[:, self.knocked_out] = False
        weights = scores.masked_fill(~visible, -torch.inf).softmax(-1)
        for layer, heads in self.uniform:
            if layer == module.layer_idx:
                weights[:, heads] = visible / visible.sum(-1, keepdim=True)
        for layer, heads, row, column, renormalise in self.cuts:
            if layer == module.layer_idx:
                weights[:, heads, row, column] = 0
                if renormalise:
                    weights[:, heads, row] /= weights[:, heads, row].sum(-1, keepdim=True)
        out = (weights @ value).transpose(1, 2).contiguous()  # [1, tokens, heads, d]
        for layer, heads, factor in self.scales:
            if layer == module.layer_idx:
                out[:, :, heads] *= factor
        return out, weights

    def hook(self, base):
        """What a sub-layer adds to the residual stream is the output of its last linear."""
        for verb, layer in self.skips:
            block = base.encoder.layer[layer]
            linear = block.attention.output.dense if verb == "skip-attention" else block.output.dense
            yield linear.register_forward_hook(lambda module, args, output: torch.zeros_like(output))


AttentionMaskInterface.register("edited", eager_mask)


def base_of(model):
    return model.bert if hasattr(model, "bert") else model


def run(model, tokenizer, text_a, text_b, edits=()):
    """Everything of one forward pass, keyed as an expected.safetensors is."""
    inputs = tokenizer(text_a, text_b, return_tensors="pt")
    base = base_of(model)
    captured, handles = {}, []

    def capture(name):
        return lambda module, args, output: captured.__setitem__(name, output[0])

    for i, layer in enumerate(base.encoder.layer):
        for part in ("query", "key", "value"):
            handles.append(getattr(layer.attention.self, part).register_forward_hook(capture((part, i))))
        handles.append(layer.intermediate.dense.register_forward_hook(capture(("inner", i))))
    if edits:
        changes = Edits(edits)
        AttentionInterface.register("edited", changes.attention)
        model.set_attn_implementation("edited")
        handles += changes.hook(base)
    with torch.no_grad():
        output = model(**inputs, output_attentions=True, output_hidden_states=True)
    for handle in handles:
        handle.remove()
    model.set_attn_implementation("eager")

    n_heads = model.config.num_attention_heads
    result = {"ids": inputs["input_ids"][0], "type_ids": inputs["token_type_ids"][0]}
    for i, attention in enumerate(output.attentions):
        result[f"attentions.{i}"] = attention[0]
        for part, name in (("query", "queries"), ("key", "keys"), ("value", "values")):
            result[f"{name}.{i}"] = captured[part, i].view(len(result["ids"]), n_heads, -1).transpose(0, 1)
    for i, hidden in enumerate(output.hidden_states):
        result[f"hidden_states.{i}"] = hidden[0]
    for key, task in (("prediction_logits", "fill-mask"), ("seq_relationship_logits", "next-sentence")):
        if key in output:
            result[f"logits.{task}"] = output[key][0] if output[key].dim() == 3 else output[key]
    if "logits" in output:
        task = {"BertForMaskedLM": "fill-mask", "BertLMHeadModel": "language-model",
                "BertForNextSentencePrediction": "next-sentence",
                "BertForSequenceClassification": "text-classification",
                "BertForTokenClassification": "entities"}[type(model).__name__]
        result[f"logits.{task}"] = output.logits[0] if output.logits.dim() == 3 else output.logits
    if "start_logits" in output:
        result["logits.question-answering"] = torch.stack((output.start_logits[0], output.end_logits[0]), 1)
    return result, torch.cat([captured["inner", i] for i in range(len(base.encoder.layer))])


def check_strength(name, result, inner):
    """Without this, exact and tanh GELU, or a softmax of the wrong row, could not be told apart."""
    attentions = [value for key, value in result.items() if key.startswith("attentions.")]
    row_maximum = torch.stack([attention.max(-1).values.mean() for attention in attentions]).mean()
    print(f"{name}: mean row maximum {row_maximum:.2f}, pre-activations {inner.min():.1f} to {inner.max():.1f}")
    assert row_maximum > 0.5, (name, "mean row maximum", row_maximum)
    assert inner.max() > 3 and inner.min() < -3, (name, "pre-activations", inner.min(), inner.max())


def with_sorted_header(data):
    """The library writes metadata in a random order; the same numbers shall give the same file."""
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8:end]), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + data[end:]


class Expected:
    def __init__(self):
        self.tensors, self.metadata, self.n = {}, {}, 0

    def add(self, text_a, text_b, result, edits=()):
        prefix = f"{self.n}."
        self.metadata[prefix + "text_a"] = text_a
        if text_b:
            self.metadata[prefix + "text_b"] = text_b
        if edits:
            self.metadata[prefix + "edits"] = "\n".join(edits)
        for key, value in result.items():
            self.tensors[prefix + key] = value.to(torch.float32 if value.is_floating_point() else torch.int32).contiguous()
        self.n += 1

    def save(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        data = with_sorted_header(safetensors.torch.save(self.tensors, self.metadata | {"cases": str(self.n)}))
        (folder / "expected.safetensors.gz").write_bytes(gzip.compress(data, 9, mtime=0))


def randomise(model, generator):
    """Scores of a spread of about 4 and pre-activations beyond 3: as peaked as trained models are."""
    def normal(shape, std):
        return torch.randn(shape, generator=generator) * std

    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "LayerNorm" in name:
                parameter.copy_(normal(parameter.shape, 0.3) + (1 if name.endswith("weight") else 0))
            elif parameter.dim() == 1:
                parameter.copy_(normal(parameter.shape, 0.5))
            elif "embeddings" in name or "predictions.decoder" in name:
                parameter.copy_(normal(parameter.shape, 1.0))
            else:
                gain = 2.1 if "query" in name or "key" in name else 1.3
                parameter.copy_(normal(parameter.shape, gain / parameter.shape[1] ** 0.5))


def spread_tags(model):
    """Centres and widens a token classifier, so that a sentence gets more than one tag."""
    ids = torch.arange(5, 35)[None, : model.config.max_position_embeddings]
    with torch.no_grad():
        hidden = base_of(model)(ids).last_hidden_state[0]
        model.classifier.weight *= 3
        model.classifier.bias.copy_(-(hidden @ model.classifier.weight.T).mean(0))


def make_checkpoint(folder, class_name, dtype, config, seed):
    cls = getattr(transformers, class_name)
    model = cls(transformers.BertConfig(vocab_size=len(VOCABULARY), **config))
    randomise(model.eval(), torch.Generator().manual_seed(seed))
    if class_name == "BertForTokenClassification":
        spread_tags(model)
    state = {name: value.to(dtype) for name, value in model.state_dict().items()}
    if config.get("tie_word_embeddings", True):
        state = {name: value for name, value in state.items() if "predictions.decoder" not in name}

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    state = {name: value.contiguous() for name, value in state.items()}
    safetensors.torch.save_file(state, folder / "model.safetensors", {"format": "pt"})
    keys = dict(architectures=[class_name], model_type="bert", vocab_size=len(VOCABULARY)) | config
    (folder / "config.json").write_text(json.dumps(keys, indent=2) + "\n")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")

    return load(cls, folder)


def load(cls, folder):
    """Computes in float64 with the stored weights, so that what is recorded carries no rounding of its own."""
    model = cls.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    return model, BertTokenizer(vocab=str(folder / "vocab.txt"), do_lower_case=True)


def fill_mask(model, tokenizer, text):
    results = pipeline("fill-mask", model=model, tokenizer=tokenizer, device="cpu")(text, top_k=5)
    if isinstance(results[0], dict):
        results = [results]
    ids = tokenizer(text)["input_ids"]
    positions = [i for i, token in enumerate(ids) if token == tokenizer.mask_token_id]
    return [dict(position=position, id=line["token"], token=line["token_str"], probability=line["score"])
            for position, lines in zip(positions, results) for line in lines]


def classify(model, tokenizer, text_a, text_b):
    inputs = dict(text=text_a) | (dict(text_pair=text_b) if text_b else {})
    lines = pipeline("text-classification", model=model, tokenizer=tokenizer, device="cpu")(inputs, top_k=None)
    return [dict(label=line["label"], probability=line["score"]) for line in lines]


def next_sentence(model, tokenizer, text_a, text_b):
    result, _ = run(model, tokenizer, text_a, text_b)
    scores = result["logits.next-sentence"][0].softmax(-1).tolist()
    names = model.config.id2label.values() if model.config.id2label[0] != "LABEL_0" else ("is-next", "not-next")
    return sorted((dict(label=label, probability=score) for label, score in zip(names, scores)),
                  key=lambda line: -line["probability"])


def find_entities(model, tokenizer, text):
    lines = pipeline("token-classification", model=model, tokenizer=tokenizer, device="cpu",
                     aggregation_strategy="simple")(text)
    return [dict(label=line["entity_group"], token=line["word"], start=line["start"], end=line["end"],
                 probability=float(line["score"])) for line in lines]


def find_answer(model, tokenizer, question, context):
    """The best answer as the question-answering pipeline of transformers 4.57 finds it (5.x has none): softmax
    over context and [CLS], spans of at most 15 tokens, the best 12 widened to words, equal texts added up."""
    encoding = tokenizer(question, context)
    sequence = encoding.sequence_ids()
    result, _ = run(model, tokenizer, question, context)
    logits = result["logits.question-answering"].numpy().astype(np.float64)
    allowed = np.array([i == 0 or s == 1 for i, s in enumerate(sequence)])
    logits[~allowed] = -np.inf
    edges = np.exp(logits - logits.max(0)) / np.exp(logits - logits.max(0)).sum(0)
    edges[0] = 0
    scores = np.tril(np.triu(np.outer(edges[:, 0], edges[:, 1])), 15 - 1)
    answers = {}
    for flat in np.argsort(-scores, axis=None, kind="stable")[:12]:
        first, last = np.unravel_index(flat, scores.shape)
        if scores[first, last] == 0:
            break
        start = encoding.word_to_chars(encoding.token_to_word(first), sequence_index=1)[0]
        end = encoding.word_to_chars(encoding.token_to_word(last), sequence_index=1)[1]
        answer = answers.setdefault(context[start:end].lower(), [0.0, start, end])
        answer[0] += scores[first, last]
    probability, start, end = max(answers.values())
    return [dict(token=context[start:end], start=start, end=end, probability=float(probability))]


def predictions_of(model, tokenizer):
    """Each entry: the texts, the task, and the lines of the answer."""
    entries = []

    def add(task, text_a, text_b, results):
        entries.append(dict(task=task, text_a=text_a, text_b=text_b, results=results))

    heads = type(model).__name__
    if heads in ("BertForPreTraining", "BertForMaskedLM"):
        texts = ["the [MASK] sat on the [MASK] .", "time [MASK] like an arrow"]
        fill_model = model
        if heads == "BertForPreTraining":
            fill_model = transformers.BertForMaskedLM.from_pretrained(model.name_or_path, dtype=torch.float64).eval()
        for text in texts:
            add("fill-mask", text, None, fill_mask(fill_model, tokenizer, text))
    if heads in ("BertForPreTraining", "BertForNextSentencePrediction"):
        add("next-sentence", *PAIR, next_sentence(model, tokenizer, *PAIR))
        add("next-sentence", "the cat sat", "a dog jumps", next_sentence(model, tokenizer, "the cat sat", "a dog jumps"))
    if heads == "BertForSequenceClassification":
        add("text-classification", *PAIR, classify(model, tokenizer, *PAIR))
        for problem in ("multi_label_classification", "regression"):
            model.config.problem_type = problem
            entries.append(dict(task="text-classification", text_a="the cat", text_b=None, problem_type=problem,
                                results=classify(model, tokenizer, "the cat", None)))
        model.config.problem_type = None
    if heads == "BertForTokenClassification":
        for text in ("who is John Smith in Paris , London ?", "the cats . ünheard mats , jumping in Paris 's dogs",
                     "John John smith lives"):
            add("entities", text, None, find_entities(model, tokenizer, text))
    if heads == "BertForQuestionAnswering":
        # The last two: the best span is too long to be an answer; [CLS], "no answer", is likelier than any.
        for question, context in (("who lives in paris ?", "Jöhn! John Smith lives in Paris, the cat sat on mats."),
                                  ("where is the cat ?", "the cats jumping in london , the dogs on the mat , time flies"),
                                  ("who ?", "Cats cats dogs"), ("where ?", "mats Mats mats"),
                                  ("who jumps", "? cat ' ' where banana the like ' banana the is smith cat ? arrow lives "
                                   "banana jumps on , john mat fruit arrow london time in sat like"),
                                  ("who jumps", "paris a flies")):
            add("question-answering", question, context, find_answer(model, tokenizer, question, context))
    return entries


def record_specimens():
    for seed, (name, class_name, dtype, config) in enumerate(SPECIMENS):
        folder = FIXTURES / name
        model, tokenizer = make_checkpoint(folder, class_name, dtype, config, 100 + seed)
        expected = Expected()
        for text_a, text_b in TEXTS[name]:
            result, inner = run(model, tokenizer, text_a, text_b)
            if len(result["ids"]) > 6:
                check_strength(name, result, inner)
            expected.add(text_a, text_b, without_early_products(result, config["num_hidden_layers"] - 1))
        if name == "pretraining":
            for edits in EDITS:
                result, _ = run(model, tokenizer, "time flies like", "a banana", edits)
                kept = {key: value for key, value in result.items()
                        if key.startswith("attentions") or key in ("hidden_states.2", "logits.next-sentence", "ids")}
                expected.add("time flies like", "a banana", kept, edits)
        expected.save(folder)
        entries = predictions_of(model, tokenizer)
        if entries:
            (folder / "predict.json").write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
        print(name, sum(path.stat().st_size for path in folder.iterdir()), "bytes")


def without_early_products(result, last):
    """Queries, keys and values of the last layer say enough: they come from everything before them."""
    return {key: value for key, value in result.items()
            if key.split(".")[0] not in ("queries", "keys", "values") or key.endswith(f".{last}")}


def thin(result, heads, layers, columns, classes):
    """A small part of a real model's numbers that still touches every layer."""
    kept = {}
    for key, value in result.items():
        kind, _, rest = key.partition(".")
        if kind in ("ids", "type_ids"):
            kept[key] = value
        elif kind == "attentions" and int(rest) in layers:
            for head in heads:
                kept[f"{key}.{head}"] = value[head]
        elif kind in ("queries", "keys", "values") and int(rest) in layers:
            kept[f"{key}.{heads[-1]}"] = value[heads[-1], :, :: value.shape[2] // 4]
        elif kind == "hidden_states":
            kept[key] = value[:, :: value.shape[1] // columns]
        elif kind == "logits":
            kept[key] = value[:, :: value.shape[1] // classes] if value.shape[1] > classes else value
    return kept


def record_real(name, folder, class_name, texts, edits):
    if not folder.is_dir():
        sys.exit(f"{folder} is not there")
    cls = getattr(transformers, class_name)
    model, tokenizer = load(cls, folder)
    expected = Expected()
    for text_a, text_b in texts:
        result, _ = run(model, tokenizer, text_a, text_b)
        last = model.config.num_hidden_layers - 1
        if len(result["ids"]) > 20:
            expected.add(text_a, text_b, thin(result, [8], [last], 8, 16))
        else:
            expected.add(text_a, text_b, thin(result, [0, 8], [0, 2, last], 12, 64))
    for change in edits:
        result, _ = run(model, tokenizer, *PAIR, change)
        expected.add(*PAIR, thin(result, [3, 8], [2], 4, 2), change)
    expected.save(FIXTURES / name)
    if class_name == "BertForPreTraining":
        masked = transformers.BertForMaskedLM.from_pretrained(folder, dtype=torch.float64).eval()
        text = "The cat [MASK] on the mat and the [MASK] sleeps ."
        pair = ("The cat sat on the mat", "The cat lay on the rug")
        entries = [dict(task="fill-mask", text_a=text, text_b=None, results=fill_mask(masked, tokenizer, text)),
                   dict(task="next-sentence", text_a=pair[0], text_b=pair[1],
                        results=next_sentence(model, tokenizer, *pair)),
                   dict(task="next-sentence", text_a=PAIR[0], text_b=PAIR[1],
                        results=next_sentence(model, tokenizer, *PAIR))]
        (FIXTURES / name / "predict.json").write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n")
    print(name, sum(path.stat().st_size for path in (FIXTURES / name).iterdir()), "bytes")


LONG = ("The quick brown fox jumps over the lazy dog, and the dog - who had been asleep since noon - "
        "looked up, yawned twice and went back to sleep in the warm grass by the river.")

if __name__ == "__main__":
    torch.set_num_threads(1)
    record_specimens()
    record_real("headlight-mini", ROOT / "resources" / "models" / "headlight-mini", "BertForPreTraining",
                [PAIR, ("The cat [MASK] on the mat .", None), (LONG, None)],
                [["zero 3.11"], ["uniform 1.*"], ["cut 2.8 3 8"], ["cut 2.8 3 8 renormalise"], ["knock-out 2"],
                 ["skip-attention 1"], ["skip-feed-forward 0"], ["scale 0.3 -2"]])
    record_real("minilm-l6-v2", SHARED / "data" / "checkpoints" / "minilm-l6-v2", "BertModel", [PAIR, (LONG, None)], [])
