# SPDX-License-Identifier: MIT
"""The same as record_families.py, for decoders that lack the encoder that they could read: those of families of two stacks
alone, and those of families of one stack that were given cross-attention. transformers passes over that.

    python tests/record/record_halves.py                   (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_halves.py FOLDER SEED...    the same specimens from other seeds, into FOLDER/SEED
"""

import sys
from pathlib import Path

import torch
import transformers

import record_families
from record_families import FIXTURES, VOCABULARY, record

# Of seeds, which the specimens of the other scripts count up to.
FIRST_NUMBER = 900
WRITES = dict(writes=True, lengths=(9, 15))
READS = dict(is_decoder=True, add_cross_attention=True)

SPECIMENS = [
    ("bart-causal", "BartForCausalLM", torch.float16, dict(scale_embedding=True), WRITES),
    ("mbart-causal", "MBartForCausalLM", torch.bfloat16, dict(activation_function="relu", tie_word_embeddings=False),
     dict(as_torch_file=True) | WRITES),
    ("marian-causal", "MarianForCausalLM", torch.float16, dict(activation_function="swish", pad_token_id=0, eos_token_id=2), WRITES),
    ("pegasus-causal", "PegasusForCausalLM", torch.bfloat16, dict(), WRITES),
    ("bert-cross", "BertLMHeadModel", torch.float16, READS, dict(lengths=(9, 14))),
    ("electra-cross", "ElectraForCausalLM", torch.bfloat16, READS | dict(embedding_size=9), dict(lengths=(9, 14))),
    ("gpt2-cross", "GPT2LMHeadModel", torch.float16, dict(add_cross_attention=True), dict(lengths=(9, 14))),
]


def draw_config(class_name, options, extra, draw):
    if "Bert" in class_name or "Electra" in class_name or "GPT2" in class_name:
        return record_families.draw_config(class_name, options, extra, draw)
    n_heads, head_size = draw.choice((2, 3, 4)), draw.choice((3, 5, 7))
    sizes = dict(d_model=n_heads * head_size, encoder_attention_heads=n_heads, decoder_attention_heads=n_heads,
                 decoder_layers=2, encoder_layers=3,
                 decoder_ffn_dim=draw.randrange(21, 40, 2), max_position_embeddings=draw.randrange(25, 31),
                 vocab_size=VOCABULARY, forced_eos_token_id=None)
    return getattr(transformers, class_name).config_class(**sizes | options)


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    targets = [(FIXTURES, 1)] if len(sys.argv) == 1 else [(Path(sys.argv[1]) / seed, int(seed)) for seed in sys.argv[2:]]
    for target, seed in targets:
        for number, specimen in enumerate(SPECIMENS, FIRST_NUMBER):
            record(target, number, seed, *specimen, draw_config=draw_config)


if __name__ == "__main__":
    main()
