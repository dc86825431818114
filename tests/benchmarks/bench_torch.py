#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A captured pass of BERT-base (random weights) in torch and in Headlight, by turns in one run.

    python tests/benchmarks/bench_torch.py BUILD/tests/benchmarks/bench-forward [ROUNDS] [TOKENS,...]

Both keep q, k, v, the attention and the hidden states of every layer, on as many threads as there are
CPUs. Prints the smallest and the median times and their ratios; no part of the tests.
"""
import os
import statistics
import subprocess
import sys
import time

import torch
import transformers


def make_torch_model():
    torch.manual_seed(0)
    config = transformers.BertConfig(attn_implementation="eager")
    model = transformers.BertModel(config).eval()
    captured = {}

    def keep(name):
        def hook(module, inputs, output):
            captured[name] = output
        return hook

    for index, layer in enumerate(model.encoder.layer):
        for name in ("query", "key", "value"):
            getattr(layer.attention.self, name).register_forward_hook(keep((index, name)))
    return model


def time_torch(model, n_tokens):
    ids = torch.randint(0, 1000, (1, n_tokens))
    start = time.perf_counter()
    with torch.inference_mode():
        output = model(ids, output_attentions=True, output_hidden_states=True)
    elapsed = time.perf_counter() - start
    assert len(output.attentions) == 12 and len(output.hidden_states) == 13
    return elapsed * 1000


def time_headlight(process, n_tokens):
    process.stdin.write(f"{n_tokens}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    lengths = [int(n) for n in (sys.argv[3] if len(sys.argv) > 3 else "16,32,128,512").split(",")]
    torch.set_num_threads(os.cpu_count())
    model = make_torch_model()
    process = subprocess.Popen([program, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, {os.cpu_count()} threads")
    for n_tokens in lengths:
        times = {"torch": [], "headlight": []}
        for turn in range(-2, rounds):
            for name, run in (("torch", lambda: time_torch(model, n_tokens)),
                              ("headlight", lambda: time_headlight(process, n_tokens))):
                # Threads of the other one that still spin must not be measured.
                time.sleep(0.05)
                elapsed = run()
                if turn >= 0:
                    times[name].append(elapsed)
        best = {name: min(list_of_times) for name, list_of_times in times.items()}
        middle = {name: statistics.median(list_of_times) for name, list_of_times in times.items()}
        print(f"{n_tokens:4} tokens: torch {best['torch']:7.1f} / {middle['torch']:7.1f} ms, "
              f"headlight {best['headlight']:7.1f} / {middle['headlight']:7.1f} ms (min / median), "
              f"torch / headlight {best['torch'] / best['headlight']:.2f} / "
              f"{middle['torch'] / middle['headlight']:.2f}", flush=True)
    process.stdin.close()
    process.wait()


if __name__ == "__main__":
    main()
