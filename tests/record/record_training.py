# SPDX-License-Identifier: MIT
"""Gradients by torch's autograd, for engine/training/.

    python tests/record/record_training.py [MODEL …]     (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_training.py --check DIR   opens what `HEADLIGHT_TRAINED=DIR meson test -C build checkpoint`
                                                         has left in DIR, and compares the logits

Writes tests/fixtures/training/: pieces.safetensors, what each piece reads, the gradient of what it writes, and autograd's
gradients (NAME.x, NAME.dy, NAME.dx …); and for each model a folder with its config.json and model.safetensors as
transformers saves them, and recorded.safetensors: batches, the loss of the first of them, the gradients of that by all
parameters (gradient.NAME), and the losses of 200 steps of AdamW. All is computed in double precision and stored as float32.
"""

import pathlib
import sys

import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import load_file, save_file

FIXTURES = pathlib.Path("tests/fixtures/training")


class Pieces:
    def __init__(self):
        self.tensors = {}
        self.generator = torch.Generator().manual_seed(20)

    def draw(self, *shape, reach=1.0):
        # Through float32, so that what is stored is what was computed with.
        drawn = torch.randn(*shape, generator=self.generator) * reach
        return drawn.double().requires_grad_()

    def keep(self, name, y, **inputs):
        dy = self.draw(*y.shape).detach()
        y.backward(dy)
        self.tensors[f"{name}.y"] = y.detach()
        self.tensors[f"{name}.dy"] = dy
        for role, value in inputs.items():
            self.tensors[f"{name}.{role}"] = value.detach()
            self.tensors[f"{name}.d{role}"] = value.grad

    def norms(self):
        for name in ("layer-norm", "rms-norm"):
            x, weight, bias = self.draw(9, 20, reach=2), self.draw(20), self.draw(20)
            if name == "layer-norm":
                self.keep(name, F.layer_norm(x, (20,), weight, bias, 1e-5), x=x, weight=weight, bias=bias)
            else:
                self.keep(name, F.rms_norm(x, (20,), weight, 1e-5), x=x, weight=weight)

    def linear(self):
        x, weight, bias = self.draw(9, 20), self.draw(31, 20), self.draw(31)
        self.keep("linear", F.linear(x, weight, bias), x=x, weight=weight, bias=bias)

    def activations(self):
        functions = {"gelu": F.gelu, "gelu-tanh": lambda x: F.gelu(x, approximate="tanh"), "relu": F.relu, "silu": F.silu}
        for name, function in functions.items():
            x = self.draw(9, 20, reach=3)
            self.keep(name, function(x), x=x)
            gate, x = self.draw(9, 20, reach=3), self.draw(9, 20)
            self.keep(f"{name}-gated", function(gate) * x, gate=gate, x=x)

    def attend(self, name, n_queries, n_keys, n_heads, n_kv_heads, causal, turns=False):
        """2 sequences, heads of 8; the last two keys of the second are padding."""
        q, k, v = (self.draw(2 * n, heads * 8) for n, heads in
                   ((n_queries, n_heads), (n_keys, n_kv_heads), (n_keys, n_kv_heads)))
        split = [t.view(2, -1, heads, 8).transpose(1, 2) for t, heads in ((q, n_heads), (k, n_kv_heads), (v, n_kv_heads))]
        if turns:
            config = transformers.LlamaConfig(hidden_size=8 * n_heads, num_attention_heads=n_heads)
            rotary = transformers.models.llama.modeling_llama.LlamaRotaryEmbedding(config)
            cosines, sines = rotary(torch.zeros(1, dtype=torch.float64), torch.arange(n_queries)[None])
            split[:2] = transformers.models.llama.modeling_llama.apply_rotary_pos_emb(*split[:2], cosines, sines)
        mask = torch.ones(2, 1, n_queries, n_keys, dtype=torch.bool)
        mask[1, :, :, -2:] = False
        if causal:
            mask &= torch.ones(n_queries, n_keys, dtype=torch.bool).tril()
        y = F.scaled_dot_product_attention(*split, attn_mask=mask, enable_gqa=n_heads != n_kv_heads)
        self.keep(name, y.transpose(1, 2).reshape(2 * n_queries, n_heads * 8), q=q, k=k, v=v)

    def losses(self):
        labels = torch.tensor([3, -100, 0, 18, 3, -100, 7, 7, 11])
        for name, smoothing in (("loss", 0.0), ("loss-smoothed", 0.1)):
            x = self.draw(9, 19, reach=3)
            y = F.cross_entropy(x, labels, label_smoothing=smoothing, reduction="sum")
            y.backward()
            self.tensors |= {f"{name}.x": x.detach(), f"{name}.y": y.detach()[None], f"{name}.dx": x.grad,
                             f"{name}.labels": labels.int()}

    def embedding(self):
        ids, positions = torch.tensor([3, 1, 4, 1, 0, 3]), torch.tensor([0, 1, 2, 0, 1, 2])
        word, position = self.draw(5, 20), self.draw(3, 20)
        self.keep("embedding", F.embedding(ids, word) + F.embedding(positions, position), word=word, position=position)
        self.tensors |= {"embedding.ids": ids.int(), "embedding.positions": positions.int()}


def record_pieces():
    pieces = Pieces()
    pieces.norms()
    pieces.linear()
    pieces.activations()
    pieces.attend("attention", 7, 7, 3, 3, False)
    pieces.attend("causal", 7, 7, 4, 2, True)
    pieces.attend("cross", 5, 7, 3, 3, False)
    pieces.attend("rotary", 7, 7, 4, 2, True, turns=True)
    pieces.losses()
    pieces.embedding()
    save_file({name: (value.float() if value.is_floating_point() else value).contiguous()
               for name, value in pieces.tensors.items()}, FIXTURES / "pieces.safetensors")


WORDS = 41
N_BATCHES, N_TEXTS, N_TOKENS = 8, 4, 10
N_STEPS, N_WARM = 200, 20

SMALL = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, vocab_size=WORDS,
             max_position_embeddings=N_TOKENS, initializer_range=0.3, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
TWO_STACKS = dict(d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
                  encoder_ffn_dim=24, decoder_ffn_dim=24, vocab_size=WORDS, max_position_embeddings=N_TOKENS, init_std=0.3,
                  dropout=0.0, attention_dropout=0.0, activation_dropout=0.0, pad_token_id=0)
# What a run does: the learning rate and its decay, batches a step, the longest gradient. With three times the rate, the
# losses of torch's own float32 and float64 differ by 8e-3 after 200 steps of the rotary one; so they do by 6e-6.
MODELS = {
    "encoder": (transformers.BertForMaskedLM, transformers.BertConfig(**SMALL), dict(rate=4e-3, decay="linear", together=1, longest=1.0)),
    "decoder": (transformers.GPT2LMHeadModel,
                transformers.GPT2Config(n_embd=16, n_layer=2, n_head=2, n_inner=24, vocab_size=WORDS, n_positions=N_TOKENS,
                                        initializer_range=0.3, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
                                        bos_token_id=0, eos_token_id=0),
                dict(rate=3e-3, decay="cosine", together=2, longest=0.5)),
    "rotary": (transformers.LlamaForCausalLM,
               transformers.LlamaConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
                                        intermediate_size=24, vocab_size=WORDS, max_position_embeddings=N_TOKENS,
                                        initializer_range=0.3, tie_word_embeddings=False, bos_token_id=0, eos_token_id=0),
               dict(rate=1e-3, decay="inverse_sqrt", together=1, longest=1.0)),
    "entities": (transformers.BertForTokenClassification,
                 transformers.BertConfig(**SMALL, hidden_act="relu", num_labels=5), None),
    "translator": (transformers.MarianMTModel,
                   transformers.MarianConfig(**TWO_STACKS, decoder_start_token_id=1, eos_token_id=1, scale_embedding=True,
                                             activation_function="gelu", forced_eos_token_id=None),
                   dict(rate=1e-3, decay="inverse_sqrt", together=2, longest=1.0)),
    "denoiser": (transformers.MBartForConditionalGeneration,
                 transformers.MBartConfig(**TWO_STACKS, eos_token_id=1, bos_token_id=1, scale_embedding=False,
                                          forced_eos_token_id=None), None),
}


def make_batches(name, generator):
    """Texts of several lengths; 0 is padding. Of an encoder some words are hidden (1 = the mask) and asked for."""
    ids = torch.randint(2, WORDS, (N_BATCHES, N_TEXTS, N_TOKENS), generator=generator)
    lengths = torch.randint(6, N_TOKENS + 1, (N_BATCHES, N_TEXTS, 1), generator=generator)
    visible = (torch.arange(N_TOKENS) < lengths).long()
    types = (torch.arange(N_TOKENS) >= lengths // 2).long() * visible
    ids = ids * visible
    labels = torch.where(visible.bool(), ids, -100)
    if name == "encoder":
        asked = (torch.rand(ids.shape, generator=generator) < 0.3) & visible.bool()
        asked[..., 1] = True
        labels = torch.where(asked, ids, -100)
        ids = torch.where(asked, 1, ids)
    if name in ("translator", "denoiser"):
        return dict(input_ids=ids, attention_mask=visible) | make_targets(generator)
    if name == "entities":
        labels = torch.where(visible.bool(), ids % 5, -100)
    return dict(input_ids=ids, attention_mask=visible, labels=labels) | (
        dict(token_type_ids=types) if name in ("encoder", "entities") else {})


def make_targets(generator):
    """Of other lengths than what is read, with an end (1); a decoder reads them behind a start, which is that
    end: of the padding, which other models start with, torch's embedding learns nothing."""
    n = N_TOKENS - 3
    ids = torch.randint(2, WORDS, (N_BATCHES, N_TEXTS, n), generator=generator)
    lengths = torch.randint(3, n + 1, (N_BATCHES, N_TEXTS, 1), generator=generator)
    ids = torch.where(torch.arange(n) == lengths - 1, 1, ids)
    visible = torch.arange(n) < lengths
    read = torch.cat([torch.ones_like(ids[..., :1]), (ids * visible)[..., :-1]], dim=-1)
    return dict(decoder_input_ids=read, labels=torch.where(visible, ids, -100))


def learn_bias(model):
    """The bias of the words, which transformers keeps as it is, learns."""
    if hasattr(model, "final_logits_bias"):
        bias = model._buffers.pop("final_logits_bias")
        model.register_parameter("final_logits_bias", torch.nn.Parameter(bias))
        with torch.no_grad():
            model.final_logits_bias += 0.2 * torch.randn(bias.shape)


def count_labels(batch, model):
    """A decoder is asked for what comes next: nothing of the first token of a text."""
    causal = isinstance(model, (transformers.GPT2LMHeadModel, transformers.LlamaForCausalLM))
    return int((batch["labels"][:, 1 if causal else 0:] != -100).sum())


def run_steps(model, batches, rate, decay, together, longest):
    plain = [p for name, p in model.named_parameters() if p.dim() > 1 and not name.endswith("bias")]
    spared = [p for name, p in model.named_parameters() if p.dim() == 1 or name.endswith("bias")]  # norms and biases
    optimizer = torch.optim.AdamW([dict(params=plain, weight_decay=0.1), dict(params=spared, weight_decay=0.0)], lr=rate)
    scheduler = transformers.get_scheduler(decay, optimizer, N_WARM, N_STEPS)
    losses = []
    for step in range(N_STEPS):
        several = [{key: value[(step * together + i) % N_BATCHES] for key, value in batches.items()} for i in range(together)]
        n = sum(count_labels(batch, model) for batch in several)
        optimizer.zero_grad()
        total = 0.0
        for batch in several:
            loss = model(**batch).loss * count_labels(batch, model) / n
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), longest)
        optimizer.step()
        scheduler.step()
        losses.append(total)
    return torch.tensor(losses)


def record_model(name, seed):
    model_class, config, run = MODELS[name]
    torch.manual_seed(seed)
    config._attn_implementation = "eager"
    model = model_class(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter += 0.2 * torch.randn(parameter.shape)
    learn_bias(model)
    model.save_pretrained(FIXTURES / name)
    for path in (FIXTURES / name).iterdir():
        if path.name not in ("config.json", "model.safetensors"):
            path.unlink()
    model = model.double().eval()
    batches = make_batches(name, torch.Generator().manual_seed(seed))
    loss = model(**{key: value[0] for key, value in batches.items()}).loss
    loss.backward()
    tensors = {"loss": loss.detach()[None]} | {key: value.int() for key, value in batches.items()}
    tensors |= {f"gradient.{key}": value.grad for key, value in model.named_parameters() if value.requires_grad}
    if run:
        tensors["losses"] = run_steps(model, batches, **run)
        print(name, "loss", tensors["losses"][0].item(), "to", tensors["losses"][-1].item())
    save_file({key: (value.float() if value.is_floating_point() else value).contiguous() for key, value in tensors.items()},
              FIXTURES / name / "recorded.safetensors")


def check(folder):
    for name, (model_class, _, _) in MODELS.items():
        model, report = model_class.from_pretrained(folder / name, output_loading_info=True)
        assert model.dtype == torch.float32 and not any(report.values()), report
        ours = load_file(folder / name / "logits.safetensors")
        others = dict(token_type_ids=ours["types"].long()[None]) if model.config.model_type == "bert" else {}
        if "decoder_ids" in ours:
            others = dict(decoder_input_ids=ours["decoder_ids"].long()[None])
        with torch.no_grad():
            logits = model.eval()(ours["ids"].long()[None], **others).logits[0, ours["positions"].long()]
        difference = (logits - ours["logits"]).abs().max().item()
        print(f"{name}: {difference:.1e} of {logits.abs().max().item():.1f}")
        assert difference <= 1e-5 * logits.abs().max().item()


def main():
    if sys.argv[1:2] == ["--check"]:
        check(pathlib.Path(sys.argv[2]))
        return
    FIXTURES.mkdir(exist_ok=True)
    if len(sys.argv) == 1:
        record_pieces()
    for seed, name in enumerate(MODELS):
        if name in (sys.argv[1:] or MODELS):
            record_model(name, seed)


if __name__ == "__main__":
    main()
