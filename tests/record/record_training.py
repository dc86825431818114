# SPDX-License-Identifier: MIT
"""Gradients by torch's autograd, for engine/training/.

    python tests/record/record_training.py               (from the project's root; torch 2.13, transformers 5.23)

Writes tests/fixtures/training/: pieces.safetensors, what each piece reads, the gradient of what it writes, and autograd's
gradients (NAME.x, NAME.dy, NAME.dx …). All is computed in double precision and stored as float32.
"""

import pathlib

import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import save_file

FIXTURES = pathlib.Path("tests/fixtures/training")


class Pieces:
    def __init__(self):
        self.tensors = {}
        self.generator = torch.Generator().manual_seed(20)

    def draw(self, *shape, reach=1.0):
        # Through float32, so that what is stored is what was computed with.
        drawn = torch.randn(*shape, generator=self.generator) * reach
        return drawn.double().requires_grad_()

    def keep(self, name, y, **inputs):
        dy = self.draw(*y.shape).detach()
        y.backward(dy)
        self.tensors[f"{name}.y"] = y.detach()
        self.tensors[f"{name}.dy"] = dy
        for role, value in inputs.items():
            self.tensors[f"{name}.{role}"] = value.detach()
            self.tensors[f"{name}.d{role}"] = value.grad

    def norms(self):
        for name in ("layer-norm", "rms-norm"):
            x, weight, bias = self.draw(9, 20, reach=2), self.draw(20), self.draw(20)
            if name == "layer-norm":
                self.keep(name, F.layer_norm(x, (20,), weight, bias, 1e-5), x=x, weight=weight, bias=bias)
            else:
                self.keep(name, F.rms_norm(x, (20,), weight, 1e-5), x=x, weight=weight)

    def linear(self):
        x, weight, bias = self.draw(9, 20), self.draw(31, 20), self.draw(31)
        self.keep("linear", F.linear(x, weight, bias), x=x, weight=weight, bias=bias)

    def activations(self):
        functions = {"gelu": F.gelu, "gelu-tanh": lambda x: F.gelu(x, approximate="tanh"), "relu": F.relu, "silu": F.silu}
        for name, function in functions.items():
            x = self.draw(9, 20, reach=3)
            self.keep(name, function(x), x=x)
            gate, x = self.draw(9, 20, reach=3), self.draw(9, 20)
            self.keep(f"{name}-gated", function(gate) * x, gate=gate, x=x)

    def attend(self, name, n_queries, n_keys, n_heads, n_kv_heads, causal, turns=False):
        """2 sequences, heads of 8; the last two keys of the second are padding."""
        q, k, v = (self.draw(2 * n, heads * 8) for n, heads in
                   ((n_queries, n_heads), (n_keys, n_kv_heads), (n_keys, n_kv_heads)))
        split = [t.view(2, -1, heads, 8).transpose(1, 2) for t, heads in ((q, n_heads), (k, n_kv_heads), (v, n_kv_heads))]
        if turns:
            config = transformers.LlamaConfig(hidden_size=8 * n_heads, num_attention_heads=n_heads)
            rotary = transformers.models.llama.modeling_llama.LlamaRotaryEmbedding(config)
            cosines, sines = rotary(torch.zeros(1, dtype=torch.float64), torch.arange(n_queries)[None])
            split[:2] = transformers.models.llama.modeling_llama.apply_rotary_pos_emb(*split[:2], cosines, sines)
        mask = torch.ones(2, 1, n_queries, n_keys, dtype=torch.bool)
        mask[1, :, :, -2:] = False
        if causal:
            mask &= torch.ones(n_queries, n_keys, dtype=torch.bool).tril()
        y = F.scaled_dot_product_attention(*split, attn_mask=mask, enable_gqa=n_heads != n_kv_heads)
        self.keep(name, y.transpose(1, 2).reshape(2 * n_queries, n_heads * 8), q=q, k=k, v=v)

    def losses(self):
        labels = torch.tensor([3, -100, 0, 18, 3, -100, 7, 7, 11])
        for name, smoothing in (("loss", 0.0), ("loss-smoothed", 0.1)):
            x = self.draw(9, 19, reach=3)
            y = F.cross_entropy(x, labels, label_smoothing=smoothing, reduction="sum")
            y.backward()
            self.tensors |= {f"{name}.x": x.detach(), f"{name}.y": y.detach()[None], f"{name}.dx": x.grad,
                             f"{name}.labels": labels.int()}

    def embedding(self):
        ids, positions = torch.tensor([3, 1, 4, 1, 0, 3]), torch.tensor([0, 1, 2, 0, 1, 2])
        word, position = self.draw(5, 20), self.draw(3, 20)
        self.keep("embedding", F.embedding(ids, word) + F.embedding(positions, position), word=word, position=position)
        self.tensors |= {"embedding.ids": ids.int(), "embedding.positions": positions.int()}


def record_pieces():
    pieces = Pieces()
    pieces.norms()
    pieces.linear()
    pieces.activations()
    pieces.attend("attention", 7, 7, 3, 3, False)
    pieces.attend("causal", 7, 7, 4, 2, True)
    pieces.attend("cross", 5, 7, 3, 3, False)
    pieces.attend("rotary", 7, 7, 4, 2, True, turns=True)
    pieces.losses()
    pieces.embedding()
    save_file({name: (value.float() if value.is_floating_point() else value).contiguous()
               for name, value in pieces.tensors.items()}, FIXTURES / "pieces.safetensors")


def main():
    FIXTURES.mkdir(exist_ok=True)
    record_pieces()


if __name__ == "__main__":
    main()
