# SPDX-License-Identifier: MIT
"""headlight-mini fine-tuned by torch on the pairs of make_paraphrases.py, to stand beside `headlight train --task pairs`.

    python tests/record/training/bench_torch_pairs.py FOLDER [--freeze] [--rate R] [--seed S]    (from the project's root)

The recipe is the same: 250 steps of about 32 pairs, AdamW with a warm-up of 25 steps and linear decay, dropout 0.1, decay 0.01 on
all but norms and biases, gradients clipped at 1; --freeze leaves embedding and layers as they are. Prints the accuracy on
FOLDER/test.tsv.
"""

import argparse
import pathlib

import torch
import transformers

N_STEPS, N_WARM, N_PAIRS = 250, 25, 32
LABELS = ["other", "paraphrase"]


def read(path):
    return [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8")]


def make_batch(tokenizer, lines):
    batch = tokenizer([a for a, _, _ in lines], [b for _, b, _ in lines], padding=True, return_tensors="pt")
    return batch, torch.tensor([LABELS.index(label) for _, _, label in lines])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    path = "resources/models/headlight-mini"
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.BertForSequenceClassification.from_pretrained(path, dtype=torch.float32, num_labels=2)
    if arguments.freeze:
        for part in (model.bert.embeddings, model.bert.encoder):
            part.requires_grad_(False)
    learnt = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW([dict(params=[p for p in learnt if p.dim() > 1], weight_decay=0.01),
                                   dict(params=[p for p in learnt if p.dim() == 1], weight_decay=0.0)], lr=arguments.rate)
    scheduler = transformers.get_linear_schedule_with_warmup(optimizer, N_WARM, N_STEPS)
    train, test = read(arguments.folder / "train.tsv"), read(arguments.folder / "test.tsv")
    order = []
    model.train()
    for _ in range(N_STEPS):
        if len(order) < N_PAIRS:
            order = torch.randperm(len(train)).tolist()
        batch, labels = make_batch(tokenizer, [train[order.pop()] for _ in range(N_PAIRS)])
        loss = torch.nn.functional.cross_entropy(model(**batch).logits, labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
    model.eval()
    right = 0
    with torch.no_grad():
        for first in range(0, len(test), 50):
            batch, labels = make_batch(tokenizer, test[first:first + 50])
            right += int((model(**batch).logits.argmax(1) == labels).sum())
    print(f"accuracy {right / len(test):.3f}")


if __name__ == "__main__":
    main()
