# SPDX-License-Identifier: MIT
"""Heads of whole texts and of answers by torch's autograd, for engine/training/.

    python tests/record/training/record_task_heads.py    (from the project's root; torch 2.13, transformers 5.23)

Writes folders of tests/fixtures/training/ as record_training.py does. labels [batches, texts, tokens] stand where the engine
has them (engine/training/batch.h): a class at the token that the head reads, of an answer the place of its last token at its
first one. The loss of answers is over the tokens of a text alone, padding left out, which transformers counts.
"""

import sys

import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import save_file

sys.path.insert(0, "tests/record")
import record_training as base  # noqa: E402

RUN = dict(rate=4e-3, decay="linear", together=1, longest=1.0)
LAST = transformers.GPT2Config(n_embd=16, n_layer=2, n_head=2, n_inner=24, vocab_size=base.WORDS, n_positions=base.N_TOKENS,
                               initializer_range=0.3, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=1,
                               eos_token_id=1, pad_token_id=0, num_labels=3)
FIRST = transformers.RobertaConfig(**{**base.SMALL, "max_position_embeddings": base.N_TOKENS + 1}, pad_token_id=0, num_labels=3,
                                   type_vocab_size=1)
MODELS = {
    "classes": (transformers.BertForSequenceClassification, transformers.BertConfig(**base.SMALL, num_labels=3), RUN),
    "classes-first": (transformers.RobertaForSequenceClassification, FIRST, None),
    "classes-last": (transformers.GPT2ForSequenceClassification, LAST, None),
    "answers": (transformers.BertForQuestionAnswering, transformers.BertConfig(**base.SMALL), RUN),
}


def make_batches(name, generator):
    ids = torch.randint(2, base.WORDS, (base.N_BATCHES, base.N_TEXTS, base.N_TOKENS), generator=generator)
    lengths = torch.randint(6, base.N_TOKENS + 1, (base.N_BATCHES, base.N_TEXTS, 1), generator=generator)
    visible = (torch.arange(base.N_TOKENS) < lengths).long()
    types = (torch.arange(base.N_TOKENS) >= lengths // 2).long() * visible
    ids = ids * visible
    labels = torch.full_like(ids, -100)
    if name == "answers":
        starts = lengths // 2 + ids[..., :1] % 2
        labels.scatter_(2, starts, torch.minimum(starts + ids[..., 1:2] % 3, lengths - 1))
    else:
        where = lengths - 1 if name == "classes-last" else torch.zeros_like(lengths)
        labels.scatter_(2, where, ids[..., 1:2] % 3)
    typed = {} if name in ("classes-first", "classes-last") else dict(token_type_ids=types)
    return dict(input_ids=ids, attention_mask=visible, labels=labels) | typed


def compute_loss(model, batch):
    """The mean over the texts of a batch, which all have one label."""
    labels = batch["labels"]
    out = model(**{key: value for key, value in batch.items() if key != "labels"})
    values, places = labels.max(dim=1)
    if not hasattr(out, "start_logits"):
        return F.cross_entropy(out.logits, values)
    padding = batch["attention_mask"] == 0
    return (F.cross_entropy(out.start_logits.masked_fill(padding, -torch.inf), places)
            + F.cross_entropy(out.end_logits.masked_fill(padding, -torch.inf), values)) / 2


def run_steps(model, batches, rate, decay, together, longest):
    plain = [p for p in model.parameters() if p.dim() > 1]
    spared = [p for p in model.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW([dict(params=plain, weight_decay=0.1), dict(params=spared, weight_decay=0.0)], lr=rate)
    scheduler = transformers.get_scheduler(decay, optimizer, base.N_WARM, base.N_STEPS)
    losses = []
    for step in range(base.N_STEPS):
        optimizer.zero_grad()
        loss = compute_loss(model, {key: value[step % base.N_BATCHES] for key, value in batches.items()})
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), longest)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return torch.tensor(losses)


def record(name, seed):
    model_class, config, run = MODELS[name]
    torch.manual_seed(seed)
    config._attn_implementation = "eager"
    model = model_class(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter += 0.2 * torch.randn(parameter.shape)
    model.save_pretrained(base.FIXTURES / name)
    for path in (base.FIXTURES / name).iterdir():
        if path.name not in ("config.json", "model.safetensors"):
            path.unlink()
    model = model.double().eval()
    batches = make_batches(name, torch.Generator().manual_seed(seed))
    loss = compute_loss(model, {key: value[0] for key, value in batches.items()})
    loss.backward()
    tensors = {"loss": loss.detach()[None]} | {key: value.int() for key, value in batches.items()}
    tensors |= {f"gradient.{key}": value.grad for key, value in model.named_parameters()}
    if run:
        tensors["losses"] = run_steps(model, batches, **run)
        print(name, "loss", tensors["losses"][0].item(), "to", tensors["losses"][-1].item())
    save_file({key: (value.float() if value.is_floating_point() else value).contiguous() for key, value in tensors.items()},
              base.FIXTURES / name / "recorded.safetensors")


if __name__ == "__main__":
    for seed, name in enumerate(MODELS):
        record(name, 100 + seed)
