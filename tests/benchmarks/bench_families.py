#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A captured pass of a model of each family (random weights) in torch and in Headlight, by turns in one run.

    python tests/benchmarks/bench_families.py BUILD/tests/benchmarks/bench-forward [ROUNDS] [TOKENS,...] [NAME ...]

Four layers of hidden size 768 with twelve heads, two stacks of three. Both keep the attention and the hidden states of
every layer, on as many threads as there are CPUs. Prints the smallest times and their ratios; no part of the tests.
Long texts come first: transformers reads no text block-sparse any more after one that was too short for it.
"""

import os
import subprocess
import sys
import tempfile
import time

import torch
import transformers

WIDTH, HEADS, INNER, LAYERS, WORDS = 768, 12, 3072, 4, 4000

BERT = dict(vocab_size=WORDS, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=INNER)
LLAMA = dict(BERT, max_position_embeddings=1024, pad_token_id=0, bos_token_id=1, eos_token_id=2)
GEMMA = dict(LLAMA, num_key_value_heads=4, head_dim=64, query_pre_attn_scalar=64, sliding_window=64)
BART = dict(vocab_size=WORDS, d_model=WIDTH, encoder_layers=3, decoder_layers=3, encoder_attention_heads=HEADS,
            decoder_attention_heads=HEADS, encoder_ffn_dim=INNER, decoder_ffn_dim=INNER, max_position_embeddings=1024)  # fmt: skip
ROTARY = {key: value for key, value in GEMMA.items() if key not in ("query_pre_attn_scalar", "sliding_window")}
DEBERTA = dict(BERT, relative_attention=True, max_relative_positions=512, pos_att_type=["c2p", "p2c"], position_biased_input=False)

FAMILIES = {
    "bert": ("BertConfig", BERT),
    "albert": ("AlbertConfig", dict(BERT, embedding_size=128)),
    "electra": ("ElectraConfig", dict(BERT, embedding_size=128)),
    "deberta": ("DebertaConfig", DEBERTA),
    "deberta-v2": ("DebertaV2Config", dict(DEBERTA, conv_kernel_size=3, norm_rel_ebd="layer_norm", share_att_key=True, position_buckets=256)),
    "deberta-v3": ("DebertaV2Config", dict(DEBERTA, norm_rel_ebd="layer_norm", share_att_key=True, position_buckets=256)),
    "big_bird": ("BigBirdConfig", dict(BERT, attention_type="original_full")),
    "big_bird-sparse": ("BigBirdConfig", dict(BERT, attention_type="block_sparse", block_size=4, num_random_blocks=1)),
    "xlm": ("XLMConfig", dict(vocab_size=WORDS, emb_dim=WIDTH, n_layers=LAYERS, n_heads=HEADS)),
    "modernbert": ("ModernBertConfig", dict(BERT, pad_token_id=0, intermediate_size=1152, local_attention=32)),
    "esm2": ("EsmConfig", dict(BERT, pad_token_id=1, mask_token_id=32, position_embedding_type="rotary", token_dropout=True)),
    "openai-gpt": ("OpenAIGPTConfig", dict(vocab_size=WORDS, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS)),
    "gpt2": ("GPT2Config", dict(vocab_size=WORDS, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS)),
    "ctrl": ("CTRLConfig", dict(vocab_size=WORDS, n_embd=WIDTH, dff=INNER, n_layer=LAYERS, n_head=HEADS)),
    "gpt_neo": ("GPTNeoConfig", dict(vocab_size=WORDS, hidden_size=WIDTH, num_layers=LAYERS, num_heads=HEADS, window_size=32,
                                     attention_types=[[["global", "local"], LAYERS // 2]])),
    "gptj": ("GPTJConfig", dict(vocab_size=WORDS, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, rotary_dim=32)),
    "gpt_neox": ("GPTNeoXConfig", dict(LLAMA)),
    "llama": ("LlamaConfig", LLAMA),
    "mistral": ("MistralConfig", dict(LLAMA, num_key_value_heads=4, sliding_window=64)),
    "qwen3": ("Qwen3Config", ROTARY),
    "olmo2": ("Olmo2Config", LLAMA),
    "phi3": ("Phi3Config", dict(LLAMA, num_key_value_heads=4)),
    "smollm3": ("SmolLM3Config", dict(LLAMA, num_key_value_heads=4)),
    "granite": ("GraniteConfig", dict(LLAMA, num_key_value_heads=4)),
    "gemma": ("GemmaConfig", ROTARY),
    "gemma2": ("Gemma2Config", GEMMA),
    "gemma3": ("Gemma3TextConfig", GEMMA),
    "m2m_100": ("M2M100Config", BART),
    "mbart": ("MBartConfig", BART),
    "pegasus": ("PegasusConfig", dict(BART, pad_token_id=0)),
}  # fmt: skip


def make_model(name, folder):
    config_class, options = FAMILIES[name]
    torch.manual_seed(0)
    config = getattr(transformers, config_class)(**options)
    model = transformers.AutoModel.from_config(config, attn_implementation="eager").eval()
    model.save_pretrained(folder)
    return model


def time_torch(model, n_tokens):
    inputs = {"input_ids": torch.randint(3, 1000, (1, n_tokens))}
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = inputs["input_ids"]
    elif "use_cache" in model.config.to_dict():
        inputs["use_cache"] = False
    start = time.perf_counter()
    with torch.inference_mode():
        model(**inputs, output_attentions=True, output_hidden_states=True)
    return (time.perf_counter() - start) * 1000


def time_headlight(process, n_tokens):
    process.stdin.write(f"{n_tokens}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def compare(name, program, rounds, lengths):
    with tempfile.TemporaryDirectory() as folder:
        model = make_model(name, folder)
        process = subprocess.Popen([program, "-", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = f"{name:16}"
        for n_tokens in lengths:
            best = {"torch": float("inf"), "headlight": float("inf")}
            for turn in range(-2, rounds):
                for side, run in (("torch", lambda: time_torch(model, n_tokens)),
                                  ("headlight", lambda: time_headlight(process, n_tokens))):  # fmt: skip
                    # Threads of the other one that still spin must not be measured.
                    time.sleep(0.03)
                    elapsed = run()
                    if turn >= 0:
                        best[side] = min(best[side], elapsed)
            line += f"  {n_tokens:4} tokens {best['torch']:7.1f} {best['headlight']:7.1f} ms {best['torch'] / best['headlight']:5.2f}"
        print(line, flush=True)
        process.stdin.close()
        process.wait()


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    lengths = [int(n) for n in (sys.argv[3] if len(sys.argv) > 3 else "128,16").split(",")]
    torch.set_num_threads(os.cpu_count())
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, {os.cpu_count()} threads; torch, Headlight, ratio")
    for name in sys.argv[4:] or FAMILIES:
        compare(name, program, rounds, lengths)


if __name__ == "__main__":
    main()
