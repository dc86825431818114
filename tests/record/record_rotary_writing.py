# SPDX-License-Identifier: MIT
"""Records what transformers' generate() writes where the angles of rotary positions hang on the length of the text.

    python tests/record/record_rotary_writing.py      (from the project's root, behind record_rotary.py and record_gpts.py)

Its cache keeps the keys as they were turned in the shorter text, but for Phi-3, which reads a text anew once it is long.
Writes tests/fixtures/generate/rotary.json.gz, a list of {"specimen", "prompt", "settings", "ids"}: specimens are those of
tests/fixtures/families, "settings" as in generation_config.json. Texts begin within the first length, reach it, or begin
beyond it. A text is left out where rounding decides between two tokens; of those of each specimen but Phi-3's at least
one is another without the cache.
"""

import copy
import gzip
import json
import random
import shutil
import tempfile
from pathlib import Path

import torch
import transformers

FIXTURES = Path("tests/fixtures")
SPECIMENS = ["gpt-neox-dynamic", "llama-dynamic", "llama-long", "mistral-long", "phi3-long", "qwen2-long"]
N_NEW = 9
CLEAR = 1e-3


def open_specimen(name, folder):
    source = FIXTURES / "families" / name
    shutil.copy(source / "config.json", folder)
    (folder / "model.safetensors").write_bytes(gzip.decompress((source / "weights.safetensors.gz").read_bytes()))
    return transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()


def generate(model, prompt, settings, **more):
    # A model remembers the longest text so far.
    model = copy.deepcopy(model)
    model.generation_config = transformers.GenerationConfig(**settings)
    with torch.no_grad():
        ids = model.generate(torch.tensor([prompt]), attention_mask=torch.ones(1, len(prompt), dtype=torch.long), **more)
    return ids[0, len(prompt):].tolist()


class Noise(transformers.LogitsProcessor):
    def __call__(self, input_ids, scores):
        return scores + CLEAR * torch.randn_like(scores)


def is_clear(model, prompt, settings, ids):
    return all(generate(model, prompt, settings, logits_processor=transformers.LogitsProcessorList([Noise()])) == ids for _ in range(3))


def record(name, chance):
    cases, n_other = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        model = open_specimen(name, Path(scratch))
        n_words = model.config.vocab_size
        while len(cases) < 8 or (n_other == 0 and name != "phi3-long"):
            prompt = [chance.randrange(3, n_words) for _ in range((4, 8, 10, 13)[len(cases) % 4])]
            settings = dict(max_new_tokens=N_NEW, num_beams=chance.choice((1, 1, 3)), pad_token_id=0, eos_token_id=None)
            ids = generate(model, prompt, settings)
            if is_clear(model, prompt, settings, ids):
                n_other += generate(model, prompt, settings, use_cache=False) != ids
                cases.append(dict(specimen=name, prompt=prompt, settings=settings, ids=ids))
    print(f"{name}: {len(cases)} cases, {n_other} of them others without the cache")
    return cases


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    cases = [case for name in SPECIMENS for case in record(name, random.Random(name))]
    (FIXTURES / "generate/rotary.json.gz").write_bytes(gzip.compress(json.dumps(cases).encode(), mtime=0))


if __name__ == "__main__":
    main()
