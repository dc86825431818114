# SPDX-License-Identifier: MIT
"""The same as record_families.py, for rotary positions that are stretched and activations that few models have.

    python tests/record/record_rotary.py                   (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_rotary.py FOLDER SEED...    the same specimens from other seeds, into FOLDER/SEED
"""

import torch

from record_decoders import long_rope, old_rope
from record_families import main, rope

FIRST_NUMBER = 400


def yarn(**more):
    return rope("yarn", **more)


SPECIMENS = [
    ("llama-yarn", "LlamaForCausalLM", torch.float16,
     yarn(factor=3.0, original_max_position_embeddings=9) | dict(head_dim=10, max_position_embeddings=40, hidden_act="mish"),
     dict(lengths=(7, 25))),
    ("llama-yarn-scaled", "LlamaForCausalLM", torch.bfloat16,
     yarn(factor=4.0, beta_fast=2.5, beta_slow=0.3, mscale=0.7, mscale_all_dim=1.9, truncate=False,
          original_max_position_embeddings=12) | dict(head_dim=10, max_position_embeddings=40),
     dict(change=old_rope, lengths=(9, 21))),
    ("qwen2-yarn", "Qwen2ForCausalLM", torch.bfloat16,
     yarn(factor=None, mscale=0.7, original_max_position_embeddings=8)
     | dict(head_dim=10, max_position_embeddings=40, hidden_act="relu2"), dict(lengths=(9, 21))),
    ("llama-yarn-factor", "LlamaForCausalLM", torch.float16,
     yarn(factor=2.0, attention_factor=0.6, mscale=3.0, mscale_all_dim=1.0, original_max_position_embeddings=2000)
     | dict(head_dim=10, max_position_embeddings=4000), dict(lengths=(9, 31))),
    ("llama-long", "LlamaForCausalLM", torch.float16,
     long_rope(6, original_max_position_embeddings=9) | dict(head_dim=6, max_position_embeddings=40, hidden_act="gelu_10"),
     dict(lengths=(7, 15), gain=2.0)),
    ("qwen2-long", "Qwen2ForCausalLM", torch.float16,
     long_rope(4, factor=3.0, original_max_position_embeddings=9) | dict(head_dim=4, max_position_embeddings=20),
     dict(change=old_rope, lengths=(7, 15))),
]


if __name__ == "__main__":
    main(SPECIMENS, FIRST_NUMBER)
