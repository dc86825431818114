# SPDX-License-Identifier: MIT
"""Records what transformers' generate() writes: a table of bigrams and a small random GPT-2 under many settings.

    python tests/record/record_generate.py                   (from the project's root; torch 2.13, transformers 5.23)
    python tests/record/record_generate.py FOLDER SEED...    the same from other seeds, into FOLDER/SEED

Writes tests/fixtures/generate/{cases.json.gz,gpt2/}. cases.json has the lists
    bigram     {"seed", "ends", "lift", "prompt", "settings", "ids"}: logits are those of a table that the seed makes;
               those of the tokens in "ends" are lifted. "settings" are as in generation_config.json
    gpt2       {"prompt", "settings", "ids"}, by the checkpoint in gpt2/
    sampling   {"seed", "size", "steps", "settings", "tokens", "probabilities"}: what each token is drawn with
    sources    {"config", "generation", "task", "prompt", "ids"}: where the settings come from; null = no such file.
               The logits are those of the bigrams of seed 1
"ids" are the new tokens. tests/engine/writing/test-generate.c reads FOLDER/SEED from $HEADLIGHT_GENERATE.
"""

import gzip
import json
import random
import sys
import tempfile
from pathlib import Path

import torch
from transformers import GenerationConfig, GPT2Config, GPT2LMHeadModel
from transformers.generation import LogitsProcessor, LogitsProcessorList
from transformers.generation.logits_process import (MinPLogitsWarper, TemperatureLogitsWarper, TopKLogitsWarper,
                                                    TopPLogitsWarper)
from transformers.modeling_outputs import CausalLMOutputWithCrossAttentions

from record_models import with_sorted_header

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "generate"
N_WORDS = 31
N_GPT2_WORDS = 61


def uniforms(seed, n):
    """The numbers of tests/support/random-model.h."""
    state, numbers = seed, []
    for _ in range(n):
        state = (state * 1664525 + 1013904223) % 2**32
        numbers.append(((state >> 8) - 2**23) / 2**23)
    return numbers


class Bigrams(GPT2LMHeadModel):
    """Next to nothing of a model: a token's logits depend on the token before alone."""

    def __init__(self, seed, ends=(), lift=0.0):
        super().__init__(GPT2Config(vocab_size=N_WORDS, n_positions=64, n_embd=2, n_layer=1, n_head=1))
        self.table = 4 * torch.tensor(uniforms(seed, N_WORDS * N_WORDS), dtype=torch.float32).view(N_WORDS, N_WORDS)
        self.table[:, list(ends)] += lift
        self.generation_config = GenerationConfig()

    def forward(self, input_ids=None, **kwargs):
        return CausalLMOutputWithCrossAttentions(logits=self.table[input_ids])


def make_settings(rng, n_words, ends, n_prompt):
    settings = dict(eos_token_id=ends if len(ends) > 1 or rng.random() < 0.3 else ends[0], pad_token_id=ends[0],
                    num_beams=rng.choice([1, 1, 2, 3, 4, 5]))

    def maybe(chance, **options):
        if rng.random() < chance:
            settings.update(options)

    word = lambda: rng.randrange(n_words)
    words = lambda n: [word() for _ in range(n)]
    maybe(0.6, **rng.choice([dict(max_new_tokens=rng.randint(1, 16)), dict(max_length=n_prompt + rng.randint(1, 18))]))
    maybe(0.3, **rng.choice([dict(min_new_tokens=rng.randint(1, 6)), dict(min_length=rng.randint(1, 12))]))
    maybe(0.25, repetition_penalty=rng.choice([0.8, 1.2, 1.7]))
    maybe(0.15, encoder_repetition_penalty=rng.choice([0.7, 1.4]))
    maybe(0.3, no_repeat_ngram_size=rng.randint(1, 3))
    maybe(0.15, encoder_no_repeat_ngram_size=rng.randint(1, 3))
    maybe(0.3, bad_words_ids=[words(rng.choice([1, 1, 2, 3])) for _ in range(rng.randint(1, 6))] + [ends[:1]])
    maybe(0.2, forced_bos_token_id=word())
    # Several are equally likely, and which of them a beam search of torch takes first is anyone's guess.
    maybe(0.3, forced_eos_token_id=ends + words(1) if rng.random() < 0.4 and settings["num_beams"] == 1 else ends[0])
    maybe(0.2, suppress_tokens=words(3))
    maybe(0.2, begin_suppress_tokens=words(8))
    if settings["num_beams"] > 1:
        maybe(0.7, early_stopping=rng.choice([True, False, "never"]))
        maybe(0.6, length_penalty=rng.choice([2.0, 0.5, 0.0, -0.8, 1.3]))
        maybe(0.25, renormalize_logits=True)
        maybe(0.1, early_stopping="never", length_penalty=-1.2)
    forced = settings.get("forced_bos_token_id")
    if "suppress_tokens" in settings:
        kept = {forced} | set(torch.tensor(settings.get("forced_eos_token_id", [])).view(-1).tolist())
        settings["suppress_tokens"] = [id for id in settings["suppress_tokens"] if id not in kept]
        if not settings["suppress_tokens"]:
            del settings["suppress_tokens"]
    return settings


class Noise(LogitsProcessor):
    def __call__(self, input_ids, scores):
        return scores + 3e-6 * torch.randn_like(scores)


def generate(model, prompt, settings, **more):
    with torch.no_grad():
        ids = model.generate(torch.tensor([prompt]), attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
                             **settings, **more)
    return ids[0, len(prompt):].tolist()


def is_clear(model, prompt, settings, ids):
    """Two texts of the same bigrams in another order are equally likely: then rounding decides, and not the search."""
    return all(generate(model, prompt, settings, logits_processor=LogitsProcessorList([Noise()])) == ids
               for _ in range(3 if settings["num_beams"] > 1 else 0))


def record_bigrams(rng, n):
    cases = []
    while len(cases) < n:
        seed, lift = rng.randrange(2**32), rng.choice([0, 1, 2, 3, 4])
        ends = rng.sample(range(N_WORDS), rng.choice([1, 1, 2, 3]))
        prompt = [rng.randrange(N_WORDS) for _ in range(rng.choice([1, 1, 2, 5, 9]))]
        settings = make_settings(rng, N_WORDS, ends, len(prompt))
        model = Bigrams(seed, ends, lift)
        ids = generate(model, prompt, settings | dict(use_cache=False))
        if is_clear(model, prompt, settings | dict(use_cache=False), ids):
            cases.append(dict(seed=seed, ends=ends, lift=lift, prompt=prompt, settings=settings, ids=ids))
    return cases


def record_gpt2(folder, rng, seed, n):
    torch.manual_seed(seed)
    config = GPT2Config(vocab_size=N_GPT2_WORDS, n_positions=32, n_embd=20, n_layer=2, n_head=4, n_inner=29,
                        bos_token_id=None, eos_token_id=None)
    model = GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            deviation = 0.7 if weight.dim() == 2 and "wpe" not in name else 0.3
            weight.copy_((torch.randn_like(weight) * deviation + (".ln" in name or "ln_f" in name) * name.endswith("weight"))
                         .bfloat16().float())
    # What the model often writes anyway ends its texts.
    likely = [word for _ in range(20)
              for word in generate(model, [rng.randrange(N_GPT2_WORDS)], dict(max_new_tokens=12, pad_token_id=0))]

    cases = []
    while len(cases) < n:
        prompt = [rng.randrange(N_GPT2_WORDS) for _ in range(rng.choice([1, 3, 7]))]
        ends = list(dict.fromkeys(rng.choice(likely) for _ in range(rng.choice([1, 2, 3]))))
        settings = make_settings(rng, N_GPT2_WORDS, ends, len(prompt))
        ids = generate(model, prompt, settings)
        if is_clear(model, prompt, settings, ids):
            cases.append(dict(prompt=prompt, settings=settings, ids=ids))

    model.bfloat16().save_pretrained(folder)
    path = folder / "model.safetensors"
    path.write_bytes(with_sorted_header(path.read_bytes()))
    (folder / "generation_config.json").unlink()
    words = "[PAD] [UNK] [CLS] [SEP] [MASK]".split() + [f"w{i}" for i in range(5, N_GPT2_WORDS)]
    (folder / "vocab.txt").write_text("\n".join(words) + "\n")
    return cases


def record_sampling(rng, n):
    cases = []
    for _ in range(n):
        seed, size, steps = rng.randrange(2**32), rng.choice([7, 40, 700]), rng.choice([0, 0, 2])
        settings = dict(temperature=rng.choice([1.0, 0.3, 2.5]), top_k=rng.choice([0, 1, 5, 50]),
                        top_p=rng.choice([1.0, 0.9, 0.5, 0.05, 0.0]), min_p=rng.choice([0.0, 0.0, 0.1, 0.6]))
        if steps:
            settings["top_p"] = 1.0    # which of equally likely tokens torch drops is anyone's guess
        scores = 5 * torch.tensor(uniforms(seed, size), dtype=torch.float32)[None]
        scores = torch.round(scores * steps) / steps if steps else scores
        warpers = LogitsProcessorList([TemperatureLogitsWarper(settings["temperature"])])
        if settings["top_k"]:
            warpers.append(TopKLogitsWarper(settings["top_k"]))
        if settings["top_p"] < 1:
            warpers.append(TopPLogitsWarper(settings["top_p"]))
        warpers.append(MinPLogitsWarper(settings["min_p"]))
        probabilities = torch.softmax(warpers(None, scores)[0].double(), -1)
        tokens = torch.nonzero(probabilities)[:, 0].tolist()
        cases.append(dict(seed=seed, size=size, steps=steps, settings=settings, tokens=tokens,
                          probabilities=[round(probabilities[token].item(), 9) for token in tokens]))
    return cases


TASKS = {"task_specific_params": {"summarization": {"prefix": "summarize: ", "max_length": 9, "num_beams": 3,
                                                    "length_penalty": 2.0, "early_stopping": True},
                                  "text-generation": {"max_length": 7, "do_sample": False}}}

SOURCES = [
    (dict(eos_token_id=3, pad_token_id=3), None, None),
    (dict(eos_token_id=3, pad_token_id=3, max_length=6, num_beams=2), None, None),
    (dict(eos_token_id=3, max_length=6), dict(max_new_tokens=11, pad_token_id=4), None),
    (dict(eos_token_id=3, max_length=6), {}, None),
    (dict(eos_token_id=None, bos_token_id=9, force_bos_token_to_be_generated=True), None, None),
    (TASKS | dict(eos_token_id=7, pad_token_id=7), None, "summarization"),
    (TASKS | dict(eos_token_id=7, pad_token_id=7, num_beams=4), None, "text-generation"),
    (TASKS, dict(eos_token_id=[5, 7], pad_token_id=7, no_repeat_ngram_size=2), "summarization"),
]


def record_sources():
    cases = []
    for config, generation, task in SOURCES:
        model = Bigrams(1)
        # The files as from_pretrained() reads them.
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "config.json").write_text(json.dumps(config))
            if generation is None:
                model.generation_config = GenerationConfig.from_pretrained(folder, config_file_name="config.json",
                                                                           _from_model_config=True)
            else:
                (Path(folder) / "generation_config.json").write_text(json.dumps(generation))
                model.generation_config = GenerationConfig.from_pretrained(folder)
        if task:
            # What the pipelines of transformers 4.57 do.
            keys = dict(config["task_specific_params"][task])
            keys.pop("prefix", None)
            model.generation_config.update(**keys)
        prompt = [6] if "force_bos_token_to_be_generated" in config else [6, 2]
        cases.append(dict(config=config, generation=generation, task=task, prompt=prompt,
                          ids=generate(model, prompt, dict(use_cache=False))))
    return cases


def record(folder, seed, n_bigrams, n_gpt2):
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    cases = dict(bigram=record_bigrams(rng, n_bigrams), gpt2=record_gpt2(folder / "gpt2", rng, seed, n_gpt2),
                 sampling=record_sampling(rng, 40), sources=record_sources())
    text = json.dumps(cases, separators=(",", ":")).encode()
    (folder / "cases.json.gz").write_bytes(gzip.compress(text, 9, mtime=0))
    print(folder, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()), "bytes")


if __name__ == "__main__":
    torch.set_num_threads(1)
    if len(sys.argv) > 1:
        for seed in sys.argv[2:]:
            record(Path(sys.argv[1]) / seed, int(seed), 80, 60)
    else:
        record(FIXTURES, 20, 240, 120)
