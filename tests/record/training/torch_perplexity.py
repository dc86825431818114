# SPDX-License-Identifier: MIT
"""What torch reaches with the shape, tokenizer, texts and recipe of resources/models/headlight-causal, for as
many tokens: held-out perplexity, counted as `headlight evaluate --task next-word` counts it.

    python tests/record/training/make_sentences.py ../shared FOLDER
    python tests/record/training/torch_perplexity.py FOLDER --check       (that of the bundled model)
    python tests/record/training/torch_perplexity.py FOLDER [--threads N] [--seed S]

The training leaves a state in FOLDER every 100 steps and goes on from it. Texts of about one length lie in a
batch of at most 2,048 tokens, padding counted, as engine/training/texts.c cuts them; each begins with the
template's token and ends with the end, which is asked for, too. Dropout and order of texts are torch's own."""
import argparse
import math
import os
import random
import time

import tokenizers
import torch
import transformers

TOKENS, TOGETHER = 2048, 50
STEPS, RISING, RATE, DECAY, CLIP, DROPOUT = 3900, 300, 2e-3, 0.01, 1.0, 0.05
NO_LABEL = -100
HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../../resources/models/headlight-causal")


def read(folder, name):
    """Ids of each text of the file; the end has the id of the beginning."""
    tokenizer = tokenizers.Tokenizer.from_file(f"{MODEL}/tokenizer.json")
    with open(f"{folder}/{name}", encoding="utf-8") as file:
        texts = [encoding.ids[:127] + [0] for encoding in tokenizer.encode_batch(file.read().splitlines())]
    return texts


def cut(texts):
    """Batches of a list of texts, in its order."""
    batches, batch, longest = [], [], 0
    for text in texts:
        if batch and max(longest, len(text)) * (len(batch) + 1) > TOKENS:
            batches.append(batch)
            batch, longest = [], 0
        batch.append(text)
        longest = max(longest, len(text))
    return batches + [batch]


def make_batches(texts, generator):
    order = list(texts)
    generator.shuffle(order)
    ordered, group, n = [], [], 0
    for text in order:
        group.append(text)
        n += len(text)
        if n >= TOKENS * TOGETHER:
            ordered += sorted(group, key=len)
            group, n = [], 0
    batches = cut(ordered + sorted(group, key=len))
    generator.shuffle(batches)
    return batches


def pad(batch):
    """No mask: nothing reads what stands behind it."""
    longest = max(map(len, batch))
    ids = torch.tensor([text + [0] * (longest - len(text)) for text in batch])
    labels = torch.tensor([text[1:] + [NO_LABEL] * (longest - len(text) + 1) for text in batch])
    return ids, labels


def get_loss(model, batch, reduction):
    ids, labels = pad(batch)
    logits = model(ids).logits
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction=reduction)


@torch.no_grad()
def evaluate(model, texts):
    model.eval()
    loss = sum(get_loss(model, batch, "sum").item() for batch in cut(sorted(texts, key=len)))
    model.train()
    return loss / sum(len(text) - 1 for text in texts)


def make_model(seed):
    torch.manual_seed(seed)
    config = transformers.GPT2Config.from_json_file(f"{HERE}/causal.json")
    config.resid_pdrop = config.embd_pdrop = config.attn_pdrop = DROPOUT
    config.bos_token_id = config.eos_token_id = 0
    return transformers.GPT2LMHeadModel(config).train()


def make_optimizer(model):
    groups = [{"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": DECAY},
              {"params": [p for p in model.parameters() if p.ndim == 1], "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=RATE)


def get_rate(step):
    return RATE * (step / RISING if step < RISING else (STEPS - step) / (STEPS - RISING))


def take_step(model, optimizer, batch, step):
    for group in optimizer.param_groups:
        group["lr"] = get_rate(step)
    optimizer.zero_grad()
    loss = get_loss(model, batch, "mean")
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
    optimizer.step()
    return loss.item()


def train(args, texts, held_out):
    model = make_model(args.seed)
    optimizer = make_optimizer(model)
    path, first, taken = f"{args.folder}/torch-causal-{args.seed}.pt", 0, 0
    if os.path.exists(path):
        state = torch.load(path, weights_only=False)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        first, taken = state["step"], state["tokens"]
    step, number, begun = 0, 0, time.monotonic()
    while step < STEPS:
        batches = make_batches(texts, random.Random(args.seed * 1000 + number))
        number += 1
        for batch in batches[:STEPS - step]:
            step += 1
            if step <= first:
                continue
            loss = take_step(model, optimizer, batch, step - 1)
            taken += sum(map(len, batch))
            if step % 100 == 0:
                torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                            "random": torch.get_rng_state(), "step": step, "tokens": taken}, path)
            if step % 20 == 0:
                each = (time.monotonic() - begun) / (step - first)
                print(f"step {step} loss {loss:.4f} {each:.3f} s/step "
                      f"{(STEPS - step) * each / 60:.0f} min left", flush=True)
            if step % 500 == 0:
                print(f"step {step} held out {evaluate(model, held_out):.4f}", flush=True)
    print(f"{taken:,} tokens in {STEPS:,} steps")
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    held_out = read(args.folder, "en-held-out.txt")
    if args.check:
        model = transformers.GPT2LMHeadModel.from_pretrained(MODEL, dtype=torch.float32)
    else:
        known = {tuple(text) for text in held_out}
        texts = [text for text in read(args.folder, "en.txt") if tuple(text) not in known]
        print(f"{len(texts):,} texts of {sum(map(len, texts)):,} tokens", flush=True)
        model = train(args, texts, held_out)
    loss = evaluate(model, held_out)
    print(f"held out: {len(held_out):,} texts, loss {loss:.4f}, perplexity {math.exp(loss):.4f}")


if __name__ == "__main__":
    main()
