# SPDX-License-Identifier: MIT
"""Records what transformers computes and writes while edits of every kind act on it, for a decoder and for models of
two stacks. The checkpoints are those of tests/fixtures/generate and tests/fixtures/seq2seq.

    python tests/record/record_edits.py                      (from the project's root; torch 2.13, transformers 5.23)

Writes tests/fixtures/edits/NAME.safetensors.gz with cases 0, 1, … Metadata: `cases`, `N.edits` (one edit a line, as
engine/edits/edit.h spells them), `N.text_a` and `N.text_b` (ids with spaces between; no text_b of one stack), `N.pad_to`.
Tensors, KIND is encoder, decoder or cross:
    N.KIND.attentions.LAYER                        [heads, queries, keys] of the two layers that have edits
    N.KIND.hidden_states.I                         [tokens, hidden size], the last alone
    N.logits.language-model                        [tokens, classes]
    N.written.BEAMS                                new ids of generate() from A (and the start token), greedy or by
                                                   beam search, where no edit names a token that B alone has

The edits are put in from outside: hooks at the linear behind the heads and at the last one of the feed-forward, and an
attention function for what acts on weights. What is knocked out of an encoder is checked against the model's own
attention_mask.
"""

import copy
import gzip
from pathlib import Path

import safetensors.torch
import torch
import transformers
from record_models import with_sorted_header
from record_seq2seq import find_rounding, shake
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface, eager_mask

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "edits"
KINDS = ("encoder", "decoder", "cross")
NEW_TOKENS = 9

# Each type alone, then together. Ids of gpt2 are of 8 tokens. A cut edge's {} is the key that its row reads most.
ONE_STACK = [
    [], ["zero 1.1"], ["scale decoder 0.2 -1.5"], ["zero 0.*"], ["uniform 0.0"], ["uniform decoder 1.*"],
    ["cut 1.0 5 {}"], ["cut 0.1 7 {} renormalise"], ["knock-out 4"], ["skip-attention 0"], ["skip-feed-forward 1"],
    ["scale 0.1 0.5", "uniform 1.2", "cut 0.3 5 {} renormalise", "cut 0.0 6 {}", "knock-out 3",
     "skip-feed-forward 0"],
]
# Of 9 tokens, or 7 and two of padding, beside 5.
TWO_STACKS = [
    [], ["zero 1.1"], ["scale decoder 0.1 -1.5"], ["zero cross 1.0"], ["zero decoder 1.*"], ["scale cross 0.* 2"],
    ["uniform encoder 0.0"], ["uniform decoder 1.1"], ["uniform cross 0.*"],
    ["cut 0.1 2 {}"], ["cut decoder 1.0 3 {}"], ["cut cross 1.1 2 {}"],
    ["cut encoder 1.* 6 {} renormalise"], ["cut decoder 0.* 4 {} renormalise"],
    ["cut cross 0.0 0 {} renormalise"],
    ["knock-out 3"], ["knock-out encoder 0"], ["knock-out decoder 2"], ["knock-out cross 5"],
    ["skip-attention 1"], ["skip-attention decoder 0"], ["skip-attention cross 1"],
    ["skip-feed-forward 0"], ["skip-feed-forward decoder 1"],
    ["scale 0.1 0.5", "uniform decoder 0.0", "uniform cross 1.1", "cut 0.0 1 {} renormalise", "cut cross 0.1 3 {}",
     "cut decoder 1.1 4 {}", "knock-out 4", "knock-out decoder 3", "skip-attention cross 0", "skip-feed-forward 1",
     "zero cross 1.0"],
]


class Edit:
    def __init__(self, text, first):
        self.verb, *rest = text.split()
        self.kind = rest.pop(0) if rest[0] in KINDS else first
        self.layer = self.heads = None
        if self.verb.startswith("skip-"):
            self.layer = int(rest[0])
        elif self.verb == "knock-out":
            self.token = int(rest[0])
        else:
            layer, head = rest.pop(0).split(".")
            self.layer = int(layer)
            self.heads = slice(None) if head == "*" else slice(int(head), int(head) + 1)
        self.factor = 0.0 if self.verb == "zero" else float(rest[0]) if self.verb == "scale" else None
        if self.verb == "cut":
            self.row, self.column, self.renormalise = int(rest[0]), int(rest[1]), rest[2:] == ["renormalise"]

    def acts_on(self, verb, kind, layer):
        return self.verb == verb and self.kind == kind and self.layer == layer


def sub_layers(model):
    """(kind, layer, attention, linear behind its heads), then (kind, layer, None, last linear of the
    feed-forward)."""
    if isinstance(model, transformers.GPT2LMHeadModel):
        for i, block in enumerate(model.transformer.h):
            yield "decoder", i, block.attn, block.attn.c_proj
            yield "decoder", i, None, block.mlp.c_proj
        return
    base = getattr(model, "model", model)
    for kind, stack in (("encoder", base.encoder), ("decoder", base.decoder)):
        for i, layer in enumerate(stack.block if hasattr(stack, "block") else stack.layers):
            if hasattr(layer, "layer"):
                attentions = [layer.layer[0].SelfAttention]
                if kind == "decoder":
                    attentions.append(layer.layer[1].EncDecAttention)
                linears, last = [attention.o for attention in attentions], layer.layer[-1].DenseReluDense.wo
            else:
                attentions = [layer.self_attn] + ([layer.encoder_attn] if kind == "decoder" else [])
                linears, last = [attention.out_proj for attention in attentions], layer.fc2
            for name, attention, linear in zip((kind, "cross"), attentions, linears):
                yield name, i, attention, linear
            yield kind, i, None, last


class Edited:
    """A model while edits act on it. captured: attention weights by (kind, layer)."""

    def __init__(self, model, texts):
        first = "decoder" if isinstance(model, transformers.GPT2LMHeadModel) else "encoder"
        self.model, self.edits = model, [Edit(text, first) for text in texts]
        self.places = {attention: (kind, layer) for kind, layer, attention, _ in sub_layers(model) if attention}
        self.captured, self.handles = {}, []

    def list_hidden(self, kind):
        return [edit.token for edit in self.edits if edit.verb == "knock-out" and
                (edit.kind == kind or (edit.kind == "encoder" and kind == "cross"))]

    def attention(self, module, query, key, value, mask, scaling=None, position_bias=None, **_):
        """query, key, value [B, heads, tokens, d], all tokens at once: no cache is used."""
        kind, layer = self.places[module]
        scores = query @ key.transpose(2, 3) * (1.0 if scaling is None else scaling)
        if position_bias is not None:
            scores = scores + position_bias
        visible = torch.ones((len(scores), 1) + scores.shape[2:], dtype=torch.bool)
        if mask is not None:
            visible &= mask > -1
        visible[..., [token for token in self.list_hidden(kind) if token < key.shape[2]]] = False
        weights = scores.masked_fill(~visible, -torch.inf).softmax(-1)
        for edit in self.edits:
            if edit.acts_on("uniform", kind, layer):
                weights[:, edit.heads] = (visible / visible.sum(-1, keepdim=True)).to(weights)
        for edit in self.edits:
            if edit.acts_on("cut", kind, layer) and edit.row < weights.shape[2] and edit.column < weights.shape[3]:
                weights[:, edit.heads, edit.row, edit.column] = 0
                if edit.renormalise:
                    row = weights[:, edit.heads, edit.row]
                    weights[:, edit.heads, edit.row] = row / row.sum(-1, keepdim=True)
        self.captured[kind, layer] = weights[0]
        return (weights @ value).transpose(1, 2).contiguous(), weights

    def hook(self):
        for kind, layer, attention, linear in sub_layers(self.model):
            for edit in self.edits:
                if attention is not None and (edit.acts_on("zero", kind, layer) or edit.acts_on("scale", kind, layer)):
                    yield linear.register_forward_pre_hook(scale_heads(attention, edit))
                if edit.acts_on("skip-feed-forward" if attention is None else "skip-attention", kind, layer):
                    yield linear.register_forward_hook(lambda module, args, output: torch.zeros_like(output))

    def __enter__(self):
        AttentionInterface.register("edited", self.attention)
        self.model.set_attn_implementation("edited")
        self.handles = list(self.hook())
        return self

    def __exit__(self, *_):
        for handle in self.handles:
            handle.remove()
        self.model.set_attn_implementation("eager")


AttentionMaskInterface.register("edited", eager_mask)


def scale_heads(attention, edit):
    n_heads = getattr(attention, "n_heads", getattr(attention, "num_heads", None))

    def run(module, args):
        out = args[0].clone().view(*args[0].shape[:-1], n_heads, -1)
        out[..., edit.heads, :] *= edit.factor
        return (out.view(args[0].shape),)
    return run


def inputs_of(ids, decoder_ids, pad_to, pad_id):
    n = max(len(ids), pad_to)
    inputs = dict(input_ids=torch.tensor([ids + [pad_id] * (n - len(ids))]),
                  attention_mask=(torch.arange(n) < len(ids)).long()[None], use_cache=False)
    return inputs | (dict(decoder_input_ids=torch.tensor([decoder_ids])) if decoder_ids else {})


def run(model, texts, inputs):
    with Edited(model, texts) as edited, torch.no_grad():
        output = model(**inputs, output_hidden_states=True)
    result = {f"{kind}.attentions.{layer}": weights for (kind, layer), weights in edited.captured.items()}
    last = "hidden_states" if "hidden_states" in output else "decoder_hidden_states"
    result[f"decoder.hidden_states.{len(output[last]) - 1}"] = output[last][-1][0]
    if last != "hidden_states":
        hidden = output["encoder_hidden_states"]
        result[f"encoder.hidden_states.{len(hidden) - 1}"] = hidden[-1][0]
    result["logits.language-model"] = output.logits[0]
    return result


def name_keys(edits, first, plain):
    """edits with the key that a cut row reads most in an unedited run."""
    named = []
    for text in edits:
        if "{}" in text:
            edit = Edit(text.format(0), first)
            weights = plain[f"{edit.kind}.attentions.{edit.layer}"][edit.heads]
            text = text.format(int(weights[0, edit.row].argmax()))
        named.append(text)
    return named


def check_mask(model, texts, inputs, result):
    """What is knocked out of an encoder alone is what its attention_mask leaves out, for queries that are read."""
    edits = [Edit(text, "encoder") for text in texts]
    if not edits or any(edit.verb != "knock-out" or edit.kind != "encoder" for edit in edits):
        return
    mask = inputs["attention_mask"].clone()
    mask[:, [edit.token for edit in edits]] = 0
    masked = run(model, [], inputs | dict(attention_mask=mask))
    for key, value in masked.items():
        assert torch.allclose(value, result[key], atol=1e-12), (texts, key)


def write(model, texts, inputs, n_beams):
    with Edited(model, texts), torch.no_grad():
        ids = model.generate(**{key: value for key, value in inputs.items() if key != "decoder_input_ids"},
                             max_new_tokens=NEW_TOKENS, do_sample=False, num_beams=n_beams)[0]
    return ids[1:] if "decoder_input_ids" in inputs else ids[inputs["input_ids"].shape[1]:]


def is_fit(model, others, inputs, edits, plain, result):
    """Whether the edits change something, and float32 holds the numbers so nearly that a correct engine cannot
    fail."""
    change = (result["logits.language-model"] - plain["logits.language-model"]).abs().max()
    return bool(edits) == bool(change > 1e-3) and all(
        find_rounding(result, run(other, edits, inputs)) <= limit for other, limit in others)


def find_case(model, others, draw_text, texts):
    """A text that is fit for the edits: (ids, ids of the decoder, tokens with padding), edits, inputs and numbers."""
    while True:
        case = draw_text()
        inputs = inputs_of(*case, model.config.pad_token_id or 0)
        plain = run(model, [], inputs)
        edits = name_keys(texts, "encoder" if case[1] else "decoder", plain)
        result = run(model, edits, inputs)
        if is_fit(model, others, inputs, edits, plain, result):
            return case, edits, inputs, result


def record(name, model, lengths, texts_of_cases):
    generator = torch.Generator().manual_seed(5)
    others = [(copy.deepcopy(model).float(), 0.3)] + [(shake(model, generator), 0.6) for _ in range(3)]
    tensors, metadata = {}, {}
    for n, texts in enumerate(texts_of_cases):
        (ids, decoder_ids, pad_to), edits, inputs, result = find_case(
            model, others, lambda: draw_text(model, generator, *lengths[n % len(lengths)]), texts)
        if decoder_ids:
            check_mask(model, edits, inputs, result)
        for n_beams in (1, 3):
            result[f"written.{n_beams}"] = write(model, edits, inputs, n_beams)
        metadata[f"{n}.edits"] = "\n".join(edits)
        metadata[f"{n}.text_a"] = " ".join(map(str, ids))
        metadata[f"{n}.pad_to"] = str(pad_to)
        if decoder_ids:
            metadata[f"{n}.text_b"] = " ".join(map(str, decoder_ids[1:]))
        for key, value in result.items():
            if not key.endswith("attentions.2"):
                kind = torch.float32 if value.is_floating_point() else torch.int32
                tensors[f"{n}.{key}"] = value.to(kind).contiguous()
    FIXTURES.mkdir(exist_ok=True)
    path = FIXTURES / f"{name}.safetensors.gz"
    data = with_sorted_header(safetensors.torch.save(tensors, metadata | {"cases": str(len(texts_of_cases))}))
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    print(name, len(texts_of_cases), "cases", path.stat().st_size, "bytes", flush=True)


def load(class_name, folder):
    cls = getattr(transformers, class_name)
    model, facts = cls.from_pretrained(ROOT / "tests" / "fixtures" / folder, dtype=torch.float64,
                                       attn_implementation="eager", output_loading_info=True)
    assert not facts["missing_keys"] and not facts["unexpected_keys"], facts
    return model.eval()


def draw(generator, n, vocab_size):
    return torch.randint(4, vocab_size, (n,), generator=generator).tolist()


def draw_text(model, generator, n, pad_to):
    """So many ids, or of two stacks so many with the end among them beside the decoder's five."""
    config = model.config
    if not config.is_encoder_decoder:
        return draw(generator, n, config.vocab_size), None, pad_to
    return (draw(generator, n - 1, config.vocab_size) + [config.eos_token_id],
            [config.decoder_start_token_id] + draw(generator, 4, config.vocab_size), pad_to)


def main():
    for name, class_name, folder, lengths, edits in (
            ("gpt2", "GPT2LMHeadModel", "generate/gpt2", [(8, 0)], ONE_STACK),
            ("t5-gated", "T5ForConditionalGeneration", "seq2seq/t5-gated", [(9, 0), (7, 9)], TWO_STACKS),
            ("bart-scaled", "BartForConditionalGeneration", "seq2seq/bart-scaled", [(9, 0), (7, 9)], TWO_STACKS)):
        record(name, load(class_name, folder), lengths, edits)


if __name__ == "__main__":
    main()
