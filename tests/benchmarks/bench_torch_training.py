#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of training in torch and in Headlight, by turns in one run.

    python tests/benchmarks/bench_torch_training.py BUILD/tests/benchmarks/bench-training [ROUNDS]

Forward, backward, clipping and AdamW over 32 texts of 64 tokens without dropout, of the translator 32 read and 32 written, attention as transformers has it by
default. Prints the smallest and the median times and their ratios; no part of the tests.
"""
import os
import statistics
import subprocess
import sys
import time

import torch
import transformers

TEXTS, TOKENS, WORDS = 32, 64, 8192
NO_DROPOUT = dict(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
SHAPES = {
    "mini-encoder": lambda: transformers.BertForMaskedLM(transformers.BertConfig(
        hidden_size=288, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1152,
        max_position_embeddings=256, vocab_size=WORDS, **NO_DROPOUT)),
    "causal": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(
        n_embd=256, n_layer=6, n_head=8, n_inner=1024, n_positions=256, vocab_size=WORDS,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)),
    "rotary": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(
        hidden_size=256, num_hidden_layers=6, num_attention_heads=8, num_key_value_heads=4, intermediate_size=688,
        max_position_embeddings=256, vocab_size=WORDS)),
    "translator": lambda: transformers.MarianMTModel(transformers.MarianConfig(
        d_model=256, encoder_layers=3, decoder_layers=3, encoder_attention_heads=8, decoder_attention_heads=8,
        encoder_ffn_dim=1024, decoder_ffn_dim=1024, max_position_embeddings=128, scale_embedding=True, vocab_size=WORDS,
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, forced_eos_token_id=None,
        dropout=0.0, attention_dropout=0.0)),
}


def make_step(name):
    torch.manual_seed(0)
    model = SHAPES[name]().train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01)
    ids = torch.randint(0, WORDS, (TEXTS, TOKENS))
    if name == "translator":
        ids = ids[:, : TOKENS // 2].contiguous()
    labels = ids if name != "mini-encoder" else torch.where(torch.rand(ids.shape) < 0.15, ids, -100)

    def step():
        start = time.perf_counter()
        optimizer.zero_grad()
        model(ids, labels=labels).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return (time.perf_counter() - start) * 1000
    return step


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    torch.set_num_threads(os.cpu_count())
    process = subprocess.Popen([sys.argv[1], "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(name):
        process.stdin.write(f"{name}\n")
        process.stdin.flush()
        return float(process.stdout.readline())

    print(f"torch {torch.__version__}, transformers {transformers.__version__}, {os.cpu_count()} threads")
    for name in SHAPES:
        step = make_step(name)
        times = {"torch": [], "headlight": []}
        for turn in range(-2, rounds):
            for who, run in (("torch", step), ("headlight", lambda: ask(name))):
                # Threads of the other one that still spin must not be measured.
                time.sleep(0.05)
                elapsed = run()
                if turn >= 0:
                    times[who].append(elapsed)
        best = {who: min(list_of_times) for who, list_of_times in times.items()}
        middle = {who: statistics.median(list_of_times) for who, list_of_times in times.items()}
        rate = {who: TEXTS * TOKENS / value * 1000 for who, value in middle.items()}
        print(f"{name:12}: torch {best['torch']:6.1f} / {middle['torch']:6.1f} ms ({rate['torch']:.0f} tokens/s), "
              f"headlight {best['headlight']:6.1f} / {middle['headlight']:6.1f} ms ({rate['headlight']:.0f} tokens/s), "
              f"torch / headlight {best['torch'] / best['headlight']:.2f} / "
              f"{middle['torch'] / middle['headlight']:.2f}", flush=True)
    process.stdin.close()
    process.wait()


if __name__ == "__main__":
    main()
