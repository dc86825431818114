# SPDX-License-Identifier: MIT
"""What heads of resources/models/headlight-causal read, by transformers, over held-out sentences that are drawn:
the figures of its card.

    python tests/record/training/make_sentences.py ../shared FOLDER
    python tests/record/training/measure_heads.py FOLDER

A text begins with the token that its tokenizer puts there. Rows count alike, all rows of all sentences, from the
third token on: the second one looks back one token and at the first at once, and the first has no choice."""
import os
import random
import sys

import torch
import transformers

TEXTS, SEED, NAMED = 300, 1, 4
MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../resources/models/headlight-causal")


def main():
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODEL)
    model = transformers.AutoModelForCausalLM.from_pretrained(MODEL, attn_implementation="eager").float().eval()
    with open(f"{sys.argv[1]}/en-held-out.txt", encoding="utf-8") as file:
        texts = random.Random(SEED).sample(file.read().splitlines(), TEXTS)
    before, first, rows, alike = 0, 0, 0, 0
    for text in texts:
        with torch.no_grad():
            attention = torch.stack(model(**tokenizer(text, return_tensors="pt"), output_attentions=True).attentions)
        attention = attention[:, 0]
        for row in range(2, attention.shape[-1]):
            before = before + attention[:, :, row, row - 1]
            first = first + attention[:, :, row, 0]
            rows += 1
            alike += 1 / (row + 1)
    print(f"{TEXTS} sentences, {rows} rows; all tokens alike {alike / rows:.2f}")
    for name, sums in (("one token back", before), ("the first token", first)):
        means = sums / rows
        order = means.flatten().argsort(descending=True)[:NAMED].tolist()
        heads = [f"{i // means.shape[1]}.{i % means.shape[1]} ({means.flatten()[i]:.2f})" for i in order]
        print(f"{name}: {', '.join(heads)}; mean of all heads {means.mean():.2f}")


if __name__ == "__main__":
    main()
