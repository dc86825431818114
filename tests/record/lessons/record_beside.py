"""What stands beside the steps of a token, by transformers' own forward in double precision: cosines with the same
word elsewhere, lengths before and behind every norm, answers read off each layer.
python tests/record/lessons/record_beside.py; writes tests/fixtures/lessons/beside.json, read by the test `beside`."""
import json
import pathlib

import torch
from transformers import AutoTokenizer, BertForPreTraining, GPT2LMHeadModel

ROOT = pathlib.Path(__file__).parents[3]
MODELS = ROOT / "resources" / "models"
mini_tokenizer = AutoTokenizer.from_pretrained(MODELS / "headlight-mini")
mini = BertForPreTraining.from_pretrained(MODELS / "headlight-mini", attn_implementation="eager").double().eval()
causal_tokenizer = AutoTokenizer.from_pretrained(MODELS / "headlight-causal")
causal = GPT2LMHeadModel.from_pretrained(MODELS / "headlight-causal", attn_implementation="eager").double().eval()


@torch.no_grad()
def run(model, tokenizer, texts, token):
    """Hidden states, and [before, behind] of every norm of the body that the token passes."""
    norms, hooks = [], []
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.LayerNorm) and "predictions" not in name:
            def keep(module, inputs, output):
                norms.append([float(inputs[0][0, token].norm()), float(output[0, token].norm())])
            hooks.append(module.register_forward_hook(keep))
    out = model(**tokenizer(*texts, return_tensors="pt"), output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    return out, norms


def elsewhere(texts, token, others):
    own, _ = run(mini, mini_tokenizer, texts, token)
    rows = {}
    for other, at in others:
        there, _ = run(mini, mini_tokenizer, other, at)
        ids = mini_tokenizer(*texts)["input_ids"][token], mini_tokenizer(*other)["input_ids"][at]
        assert ids[0] == ids[1], other
        cosines = [float(torch.cosine_similarity(a[0, token], b[0, at], dim=0))
                   for a, b in zip(own.hidden_states, there.hidden_states)]
        rows["\t".join(other)] = {"token": at, "cosines": cosines}
    return {"texts": texts, "token": token, "elsewhere": rows}


@torch.no_grad()
def answers(model, tokenizer, texts, token, read):
    out, _ = run(model, tokenizer, texts, token)
    layers = []
    for i, state in enumerate(out.hidden_states):
        p = read(state, i == len(out.hidden_states) - 1)[0, token].softmax(-1)
        best = p.topk(3)
        layers.append([[int(c), float(v)] for c, v in zip(best.indices, best.values)])
    return {"texts": texts, "token": token, "layers": layers}


def read_mini(state, is_last):
    return mini.cls.predictions(state)


def read_causal(state, is_last):
    return causal.lm_head(state if is_last else causal.transformer.ln_f(state))


def lengths(model, tokenizer, texts, token):
    out, norms = run(model, tokenizer, texts, token)
    return {"texts": texts, "token": token, "norms": norms,
            "states": [float(h[0, token].norm()) for h in out.hidden_states]}


BANK = ["he works at the bank"]
TIME = ["time flies like an arrow"]
PAIR = ["The bird sang on the roof", "The dog slept on the grass"]
KEY = ["She lost [MASK] key"]
COFFEE = ["I drank a cup of [MASK]."]
TOLD = ["Tom told me that"]
saved = {
    "contexts": [
        elsewhere(BANK, 5, [(["we sat on the bank of the river"], 5), (["The bank is closed today."], 2)]),
        elsewhere(TIME, 2, [(["fruit flies like a banana"], 2), (["The flies are on the meat."], 2)]),
        elsewhere(PAIR, 9, [([PAIR[0], "The dog barked all night."], 9), ([PAIR[0], "I am as tired as a dog."], 14)]),
    ],
    "answers": {
        "headlight-mini": [answers(mini, mini_tokenizer, KEY, 3, read_mini),
                           answers(mini, mini_tokenizer, COFFEE, 6, read_mini)],
        "headlight-causal": [answers(causal, causal_tokenizer, TOLD, 3, read_causal)],
    },
    "lengths": {
        "headlight-mini": [lengths(mini, mini_tokenizer, BANK, 5), lengths(mini, mini_tokenizer, PAIR, 9)],
        "headlight-causal": [lengths(causal, causal_tokenizer, TOLD, 3)],
    },
}
path = ROOT / "tests" / "fixtures" / "lessons" / "beside.json"
path.write_text(json.dumps(saved, indent=1) + "\n")
print(path, path.stat().st_size)
for case in saved["contexts"]:
    for other, row in case["elsewhere"].items():
        print(case["texts"], other, [round(c, 3) for c in row["cosines"]])
for name, cases in saved["answers"].items():
    for case in cases:
        tokenizer = mini_tokenizer if name == "headlight-mini" else causal_tokenizer
        print(case["texts"], [(tokenizer.decode([l[0][0]]), round(l[0][1], 3)) for l in case["layers"]])
