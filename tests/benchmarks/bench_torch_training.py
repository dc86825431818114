#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of training in torch and in Headlight, by turns in one run, on two threads each.

    python tests/benchmarks/bench_torch_training.py BUILD/tests/benchmarks/bench-training [ROUNDS]

Forward, backward, clipping and AdamW over 32 texts of 64 tokens without dropout, of the translator 32 read and
32 written, attention as transformers has it by default. Prints the smallest and the median times and their
ratios, then the memory of each at most: all of it, and what was added to what the process had with its libraries
before there was a model. No part of the tests.
"""
import os
import resource
import statistics
import subprocess
import sys
import time

import torch
import transformers

THREADS, TEXTS, TOKENS, MEMORY_STEPS = 2, 32, 64, 3
NO_DROPOUT = dict(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
# As in bench-training.c; all but rotary are those of resources/models.
SHAPES = {
    "mini-encoder": lambda: transformers.BertForMaskedLM(transformers.BertConfig(
        hidden_size=288, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1152,
        max_position_embeddings=256, vocab_size=8192, **NO_DROPOUT)),
    "causal": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(
        n_embd=192, n_layer=4, n_head=6, n_inner=768, n_positions=128, vocab_size=4096, bos_token_id=0,
        eos_token_id=0, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)),
    "rotary": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(
        hidden_size=256, num_hidden_layers=6, num_attention_heads=8, num_key_value_heads=4, intermediate_size=688,
        max_position_embeddings=256, vocab_size=8192)),
    "translator": lambda: transformers.MarianMTModel(transformers.MarianConfig(
        d_model=192, encoder_layers=3, decoder_layers=3, encoder_attention_heads=6, decoder_attention_heads=6,
        encoder_ffn_dim=768, decoder_ffn_dim=768, max_position_embeddings=128, scale_embedding=True, vocab_size=5000,
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, forced_eos_token_id=None,
        dropout=0.0, attention_dropout=0.0)),
}


def make_step(name):
    torch.manual_seed(0)
    model = SHAPES[name]().train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01)
    ids = torch.randint(0, model.config.vocab_size, (TEXTS, TOKENS))
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


def print_memory(name):
    """As bench-training memory: KiB before there is a model, and at most."""
    with open("/proc/self/status") as file:
        before = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
    step = make_step(name)
    for _ in range(MEMORY_STEPS):
        step()
    print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def measure_memory(name, program):
    said = {}
    commands = {"torch": [sys.executable, __file__, "--memory", name], "headlight": [program, "memory", name]}
    for who, command in commands.items():
        answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        before, most = map(int, answer.split())
        said[who] = f"{most / 1024:.0f} MiB ({(most - before) / 1024:.0f} of the training)"
    print(f"{name:12}: at most torch {said['torch']}, headlight {said['headlight']}", flush=True)


def measure_time(name, process, rounds):
    def ask():
        process.stdin.write(f"{name}\n")
        process.stdin.flush()
        return float(process.stdout.readline())

    step = make_step(name)
    times = {"torch": [], "headlight": []}
    for turn in range(-2, rounds):
        for who, run in (("torch", step), ("headlight", ask)):
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


def main():
    torch.set_num_threads(THREADS)
    if sys.argv[1] == "--memory":
        print_memory(sys.argv[2])
        return
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    environment = {**os.environ, "HEADLIGHT_THREADS": str(THREADS)}
    process = subprocess.Popen([program, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env=environment)
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, {THREADS} threads each")
    for name in SHAPES:
        measure_time(name, process, rounds)
    process.stdin.close()
    process.wait()
    for name in SHAPES:
        measure_memory(name, program)


if __name__ == "__main__":
    main()
