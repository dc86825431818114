"""What claims of lessons come to, by transformers' own forward of headlight-mini in double precision:
python tests/record/lessons/record_claims.py; writes tests/fixtures/lessons/claims.json, read by cli-lesson."""
import json
import math
import pathlib

import torch
from transformers import AutoTokenizer, BertForPreTraining

ROOT = pathlib.Path(__file__).parents[3]
FOLDER = ROOT / "resources" / "models" / "headlight-mini"
PAIR = ("The cat sat on the mat", "The cat lay on the rug")
tokenizer = AutoTokenizer.from_pretrained(FOLDER)
model = BertForPreTraining.from_pretrained(FOLDER, attn_implementation="eager").double().eval()
N_HEADS, SIZE = 12, 24


@torch.no_grad()
def run(texts, zero=()):
    """zero: (layer, head) whose output is thrown away."""
    kept = []
    for layer, head in zero:
        def drop(module, inputs, head=head):
            state = inputs[0].clone()
            state[..., head * SIZE:(head + 1) * SIZE] = 0
            return (state,)
        dense = model.bert.encoder.layer[layer].attention.output.dense
        kept.append(dense.register_forward_pre_hook(drop))
    out = model(**tokenizer(*texts, return_tensors="pt"), output_attentions=True,
                output_hidden_states=True)
    for hook in kept:
        hook.remove()
    return out


def parts(out, layer, what):
    """[heads, tokens, size] of queries, keys or values."""
    linear = getattr(model.bert.encoder.layer[layer].attention.self, what)
    state = linear(out.hidden_states[layer][0])
    return state.view(-1, N_HEADS, SIZE).transpose(0, 1)


def bits(p):
    return float(-(p * torch.log2(p.clamp(min=1e-300))).sum(-1).mean())


def cosine(a, b):
    return float(a @ b / a.norm() / b.norm())


def word(out, texts, token):
    ids = tokenizer(*texts)["input_ids"]
    gap = ids.index(tokenizer.mask_token_id)
    p = out.prediction_logits[0, gap].softmax(-1)
    chosen = tokenizer.convert_tokens_to_ids(token)
    return float(p[chosen]), int((p > p[chosen]).sum()) + 1, p


def pair_cases():
    out = run(PAIR)
    a = torch.stack(out.attentions)[:, 0]
    q, k, v = (parts(out, 3, w) for w in ("query", "key", "value"))
    score = q[11] @ k[11].T / math.sqrt(SIZE)
    plain = out.hidden_states[0][0].view(-1, N_HEADS, SIZE).transpose(0, 1)
    mirror = (plain @ plain.transpose(1, 2)).argmax(-1) == torch.arange(plain.shape[1])
    special = [0, 7, 14]
    typed = [i for i in range(15) if i not in special]
    unscaled = (parts(out, 0, "query") @ parts(out, 0, "key").transpose(1, 2)).softmax(-1)
    norms = parts(out, 4, "value")[5].norm(dim=-1)
    dense = model.bert.encoder.layer[4].attention.output.dense.weight[:, 5 * SIZE:6 * SIZE]
    outputs = (parts(out, 4, "value")[5] @ dense.T).norm(dim=-1)
    rollout = torch.eye(15).double()
    for layer in range(6):
        rollout = (0.5 * a[layer].mean(0) + 0.5 * torch.eye(15)) @ rollout
    share = a[4, 5][typed]
    h = out.hidden_states
    return {
        'weight(3.11, "cat"#1, "cat"#2)': a[3, 11, 2, 9],
        'dot(3.11, "cat"#1, "cat"#2)': q[11, 2] @ k[11, 9],
        'product(3.11, "cat"#1, "cat"#2, 5)': q[11, 2, 5] * k[11, 9, 5],
        'score(3.11, "cat"#1, "cat"#2)': score[2, 9],
        'weight(3.11, "cat"#1, "cat"#2, temperature=2)': (score[2] / 2).softmax(-1)[9],
        'length(value, 3.11, "mat")': v[11, 6].norm(),
        'max(column-sum(*.*, *))': a.sum(-2).max(),
        'column-sum(3.11, 9)': a[3, 11, :, 9].sum(),
        'pattern(1.6, previous)': torch.stack([a[1, 6, i, i - 1] for i in range(1, 15)]).mean(),
        'entropy(2.4)': bits(a[2, 4]),
        'entropy(2.4, "mat")': bits(a[2, 4, 6]),
        'mean(entropy(0.*, *, scale=1))': bits(unscaled),
        'mean(strongest(0.*, *, itself, plain))': mirror.double().mean(),
        'mean(share(4.5, typed, special))': share[:, special].sum(1).mean(),
        'mean(share(4.5, typed, special, value-norm))':
            ((share * norms)[:, special].sum(1) / (share * norms).sum(1)).mean(),
        'mean(share(4.5, typed, special, output-norm))':
            ((share * outputs)[:, special].sum(1) / (share * outputs).sum(1)).mean(),
        'rollout(5, "cat"#1, 9)': rollout[2, 9],
        'cosine(4, "cat"#1, "cat"#2)': cosine(h[4][0, 2], h[4][0, 9]),
        'distance(6, "mat", "rug")': (h[6][0, 6] - h[6][0, 13]).abs().max(),
        'state-dot(2, "mat", "rug")': h[2][0, 6] @ h[2][0, 13],
        'state-length(6, "sat")': h[6][0, 3].norm(),
        'probability(same)': out.seq_relationship_logits[0].softmax(-1)[0],
        'variance(dot(0.*, *, *))':
            (parts(out, 0, "query") @ parts(out, 0, "key").transpose(1, 2)).var(unbiased=False),
    }


def gap_cases():
    texts = ("She lost [MASK] key.",)
    edits = [(5, 2), (1, 7)]
    plain, cut = run(texts), run(texts, edits)
    before, _, p = word(plain, texts, "her")
    after, rank, r = word(cut, texts, "her")
    alone = word(run(texts, [(5, 2)]), texts, "her")[2]
    divergence = lambda b: float((p * torch.log2(p / b)).sum())
    return edits, {
        'probability("her")': after,
        'rank("her")': rank,
        'unedited.probability("her")': before,
        'log2(probability("her") / unedited.probability("her"))': math.log2(after / before),
        'change()': divergence(r),
        'unedited.ablation(5.2)': divergence(alone),
    }


@torch.no_grad()
def lens_cases():
    """The word head over the states of every layer."""
    texts = ("Tom and Mary [MASK] married.",)
    out = run(texts)
    gap = tokenizer(*texts)["input_ids"].index(tokenizer.mask_token_id)
    cases = {}
    for i, state in enumerate(out.hidden_states):
        p = model.cls.predictions(state)[0, gap].softmax(-1)
        for word_ in ("are", "got"):
            chosen = tokenizer.convert_tokens_to_ids(word_)
            cases[f'lens({i}, "{word_}")'] = p[chosen]
            cases[f'lens-rank({i}, "{word_}")'] = int((p > p[chosen]).sum()) + 1
    return cases


def side_cases():
    texts = ("he works at the bank",), ("we sat on the bank of the river",)
    a, b = (run(t) for t in texts)
    keys = torch.einsum("hid,hjd->hij", parts(a, 2, "query"), parts(b, 2, "key")) / math.sqrt(SIZE)
    return {
        'cosine(6, "bank", other."bank")': cosine(a.hidden_states[6][0, 5], b.hidden_states[6][0, 5]),
        'weight(2.3, "bank", other."river")': keys[3, 5].softmax(-1)[8],
        'other.state-length(1, "river")': b.hidden_states[1][0, 8].norm(),
    }


def main():
    edits, gaps = gap_cases()
    states = [
        (["--layer", "3", *PAIR], pair_cases()),
        ([x for layer, head in edits for x in ("--edit", f"zero {layer}.{head}")]
         + ["She lost [MASK] key."], gaps),
        (["Tom and Mary [MASK] married."], lens_cases()),
        (["--compare", "sides", "--compare-text-a", "we sat on the bank of the river",
          "he works at the bank"], side_cases()),
    ]
    record = [{"state": state, "claims": [{"claim": c, "value": float(v)} for c, v in cases.items()]}
              for state, cases in states]
    path = ROOT / "tests" / "fixtures" / "lessons" / "claims.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")


main()
