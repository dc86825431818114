# SPDX-License-Identifier: MIT
"""Records what transformers' XLMTokenizer, with sacremoses, makes of a few thousand strings.

    python tests/record/record_xlm_tokenizer.py      (from the project's root, behind record_bpe.py; sacremoses 0.2.0)
    python tests/record/record_xlm_tokenizer.py TEXT [TEXT]      prints what it makes of a text or a pair

It is trained here; its merges go through pieces that its vocabulary lacks and some of their lines end in counts. Writes
into tests/fixtures/bpe/:
    xlm.json.gz        {"vocab", "merges": the text of merges.txt}
    xlm-cases.gz       as cases.gz of record_bpe.py; the flag 64 says that the spans are not recorded
    xlm.hashes         as record_bpe.py has them; xlm-cased.hashes: with do_lowercase_and_remove_accent false;
                       xlm-clean.hashes: with clean_up_tokenization_spaces

Spans are found by comparing the pieces, one behind the other, with the characters of the text as each is rewritten
alone; where the two differ, as when a quote and a comma change places, there are none.
"""

import json
import random
import re
import sys
import tempfile
import unicodedata
from pathlib import Path

from tokenizers import models, pre_tokenizers
from transformers import XLMTokenizer
from transformers.models.xlm.tokenization_xlm import remove_non_printing_char, replace_unicode_punct

from record_bpe import (
    SENTENCES, MORE, TRAPS, hash_words, make_cases, make_corpus, read_gpt2_pieces, train, write_fixture, write_hashes,
    FOLDER,
)  # fmt: skip
from record_gpt_tokenizers import keep_common, truncate
from record_tokenizer import NO_SPECIAL, PAIR, SKIP_SPECIAL, TRUNCATE, byte_offsets, write_number, write_text

NO_SPANS = 64
SPECIAL = ["<s>", "</s>", "<pad>", "<unk>"] + [f"<special{i}>" for i in range(10)]
N_SOUPS = 900
# Assigned in Unicode 15.0, not in that of Python 3.11.
NEW = re.compile("[\U00031350-\U000323af]")

MOSES = r"""
Mr. Smith met Dr. Jones at 5 p.m. on Jan. 3, 1999, didn't he?|He paid $1,000.50 (or 3,5 €) for No. 5, pp. 3-4, Art. 7.
The U.S.A. and the E.U. agreed, etc. But why?|See Fig. 2. no. 3. No. x. Nos. 4. vs. them. i.e. this, e.g. that. Ph.D.
"Hello," she said. "It's the dogs' bone," he'd say.|''Quoted'' `like' ``this'' and ´that´ or ‘those’ or ‚these‘.
Wait... what?.. No....|...|..|.|. .|a.b.c|a..b|x...y....z.|He said: "Yes."|He said 'yes.'|ends in .'|.' |He left.'
rock'n'roll o'clock 90's the '80s l'ami d'Artagnan 5's 5'x '' ' 'x x' 'tis|don't can't won't I'm you're we've they'll
«Bonjour», dit-il ; « oui » : 50 % ?|nº 5, 20 ºC, 5 cm !|a , b ,c ,,d, ,e 1,2,3 a,1 1,a ,1 1, x,|1,
100 % (sure) : yes ; no ! ok ?|( a ) (b) ((c)) [d] {e} <f> a(b)c) .|) , ) : ( x|a-b a--b a – b a—b e-mail @user #tag &amp; x|y
http://example.com/a?b=c&d=e user@host.org C++ C# .NET 3.14 -5 +5 =5 ~ ^ _ \ | / * @ % $ £ § © ™ ½ ² ①
，。、：？《》！（；）「」０１２３４５６７８９．～…━〈〉【】％ 你好。  世界|日本語。テスト．  x 한국어 ไทย हिन्दी العربية ΟΔΥΣΣΕΥΣ ΣΑΣ. Σ ΑΣ' ΑΣ'Α
Ştefan Ţară Â Î ă ç ñ ø ß ẞ İstanbul Iğdır ĳ ﬁ Å K Ω ǅ a b ​x­y﻿z é e̊ ȩ́
The quick brown fox , already split , is n't it ? Yes .|the cat sat on the mat .|It 's " so " ( it is ) .
a.B a.b A.B. b.c. x1. 1x. 1. 12. é. É. ñ.a ..a. a. B|a. b|a. 1|Mr.|Mr. Mr. mr. MR. Mrs.x v. St. st.|Hr. Nr. 5 Nr.
""".strip().replace("\n", "|").split("|")  # fmt: skip
MOSES += ["a\nb", "a \n b", "a\tb\tc", "x\r\ny", "a b", "a b c", "\n", "a\x1cb\x85c", "``", "\"", "'", "\"a,\" b", "\",.", "a\",", "1 2 3 %"]
SOUP = (
    "the cat don't Mr. Dr. No. 5 1,000 3.5 it's dogs' \" ' '' ` `` , . .. ... ; : ! ? ( ) [ ] - -- – — … « » “ ” ‘ ’ ‚ „ ´ % $ & / @ #"
    " é ß Σ ΟΔΟΣ İ 你 好。 ， 한 <s> </s> <special1> <unk> x Y z. Z. e.g. U.S. pp. 10. \u00a0 nº ºC cm １ ． ½ é \t \n \u200b a"
).split(" ")  # fmt: skip


def make_soups(chance):
    for index in range(N_SOUPS):
        words = [chance.choice(SOUP) for _ in range(chance.randint(2, 14))]
        yield "".join(word + chance.choice(("", " ", " ", "  " if index % 3 else "")) for word in words)


def make_all_cases(chance):
    soups = list(make_soups(chance))
    written = MOSES + soups
    cases = [(SKIP_SPECIAL * (index % 2), 0, text, None) for index, text in enumerate(written)]
    for text in MOSES + soups[:60]:
        cases.append((PAIR, 0, text, chance.choice(written) or "b"))
        cases.append((TRUNCATE | PAIR, chance.randint(4, 20), text, chance.choice(SENTENCES)))
        cases.append((NO_SPECIAL, 0, text, None))
    cases += make_cases(random.Random("cases"), read_gpt2_pieces())
    return [case for case in cases if not any(NEW.search(text or "") for text in case[2:])]


def make_files(corpus, folder):
    """Merges of words as Moses cuts them; every 23rd piece that a merge makes is not in the vocabulary."""
    (folder / "vocab.json").write_text(json.dumps({token: index for index, token in enumerate(SPECIAL)}))
    (folder / "merges.txt").write_text("")
    moses = XLMTokenizer.from_pretrained(folder)
    words = []
    for text in keep_common(corpus, 160):
        pieces = "".join(moses._tokenize(text)).replace("</w>", " ")
        words += [pieces, " ".join(moses.moses_tokenize(text, "en"))]
    model = train(models.BPE(end_of_word_suffix="</w>"), words, pre_tokenizers.WhitespaceSplit(), 1300, end_of_word_suffix="</w>")
    names = sorted(model["vocab"], key=model["vocab"].get)
    made = {"".join(pair) for pair in model["merges"]}
    merged = [name for name in names if name in made]
    missing = set(merged[::23])
    # Characters that no merge has.
    names = SPECIAL + [name for name in names if name not in missing] + ["☃", "☃</w>"]
    vocabulary = {name: index for index, name in enumerate(dict.fromkeys(names))}
    lines = [" ".join(pair) + (f" {9000 - index}" if index % 3 else "") for index, pair in enumerate(model["merges"])]
    return vocabulary, "\n".join(lines) + "\n"


def open_files(vocabulary, merges, **options):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "vocab.json").write_text(json.dumps(vocabulary))
        (Path(folder) / "merges.txt").write_text(merges)
        return XLMTokenizer.from_pretrained(folder, **options)


def rewrite(character, lowers):
    """A character on its own; blanks and what is not printed are nothing."""
    text = replace_unicode_punct(character)
    for old, new in zip("„–—´‘‚`«»", "\"--''''\"\""):
        text = text.replace(old, new)
    text = remove_non_printing_char(text)
    if lowers:
        text = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    return "".join(text.split())


def find_spans(pieces, text, lowers):
    """(first, end) of each piece in the text's characters; None where they cannot be told."""
    made = [(c, index) for index, character in enumerate(text) for c in rewrite(character, lowers)]
    spans, at = [], 0
    for piece in pieces:
        spelt = re.sub("</w>$", "", piece)
        if not spelt or "".join(c for c, _ in made[at : at + len(spelt)]).replace("ς", "σ") != spelt.replace("ς", "σ"):
            return None
        spans.append((made[at][1], made[at + len(spelt) - 1][1] + 1))
        at += len(spelt)
    return spans if at == len(made) else None


def cut(tokenizer, text):
    """[(id, span)] of a text, the spans None where they cannot be told."""
    offsets, at, tokens, told = byte_offsets(text), 0, [], True
    for section in re.split("(" + "|".join(map(re.escape, SPECIAL)) + ")", text):
        if section in SPECIAL:
            tokens.append((tokenizer.convert_tokens_to_ids(section), (offsets[at], offsets[at + len(section)])))
        elif section:
            pieces = tokenizer._tokenize(section)
            spans = find_spans(pieces, section, tokenizer.do_lowercase_and_remove_accent)
            told = told and spans is not None
            for piece, (first, end) in zip(pieces, spans or [(0, 0)] * len(pieces)):
                tokens.append((tokenizer.convert_tokens_to_ids(piece), (offsets[at + first], offsets[at + end])))
        at += len(section)
    assert [token[0] for token in tokens] == tokenizer(text, add_special_tokens=False)["input_ids"], text
    return tokens, told


def decode(tokenizer, ids, case):
    return tokenizer.decode(ids, skip_special_tokens=bool(case[0] & SKIP_SPECIAL))


def run(tokenizer, case):
    """ids, types, spans or None, decoded."""
    flags, most, text_a, text_b = case
    parts = [cut(tokenizer, text_a)]
    if text_b:
        parts.append(cut(tokenizer, text_b))
    told = all(part[1] for part in parts)
    parts = [part[0] for part in parts]
    n_special = 0 if flags & NO_SPECIAL else len(parts) + 1
    if flags & TRUNCATE:
        parts = truncate(parts, most - n_special)
    ids = [[token[0] for token in part] for part in parts]
    spans = [[token[1] for token in part] for part in parts]
    types = [[index] * len(part) for index, part in enumerate(parts)]
    if n_special:
        none = (-1, -1)
        types = [[0] * (len(ids[0]) + 2), *([1] * (len(part) + 1) for part in ids[1:])]
        ids = [tokenizer.build_inputs_with_special_tokens(*ids)]
        spans = [[none, *spans[0], none], *([*part, none] for part in spans[1:])]
        if not flags & TRUNCATE:
            expected = tokenizer(text_a, text_b, return_token_type_ids=True)
            assert ids[0] == expected["input_ids"] and sum(types, []) == expected["token_type_ids"]
    ids, types, spans = sum(ids, []), sum(types, []), sum(spans, [])
    return ids, types, spans if told else [], decode(tokenizer, ids, case)


def main():
    corpus = make_corpus(random.Random("xlm"), read_gpt2_pieces()) + MOSES * 3
    with tempfile.TemporaryDirectory() as folder:
        vocabulary, merges = make_files(corpus, Path(folder))
    tokenizer = open_files(vocabulary, merges)
    if len(sys.argv) > 1:
        print(*run(tokenizer, (PAIR * (len(sys.argv) > 2), 0, sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)), sep="\n")
        return

    cased = open_files(vocabulary, merges, do_lowercase_and_remove_accent=False)
    clean = open_files(vocabulary, merges, clean_up_tokenization_spaces=True)
    cases = make_all_cases(random.Random("xlm cases"))
    results = [(run(tokenizer, case), run(cased, case)) for case in cases]
    out = bytearray()
    for (flags, most, text_a, text_b), (small, large) in zip(cases, results):
        told = (small[2] or not small[0]) and (large[2] or not large[0])
        if not told:
            small[2][:], large[2][:] = [], []
        write_number(out, flags | NO_SPANS * (not told))
        if flags & TRUNCATE:
            write_number(out, most)
        write_text(out, text_a)
        if flags & PAIR:
            write_text(out, text_b)
    print(f"{len(cases)} cases, {sum(bool(result[0][2]) for result in results)} with spans")
    write_fixture("xlm-cases.gz", out)
    write_fixture("xlm.json.gz", json.dumps(dict(vocab=vocabulary, merges=merges), ensure_ascii=False).encode())
    write_hashes("xlm", [hash_words(*result[0]) for result in results])
    write_hashes("xlm-cased", [hash_words(*result[1]) for result in results])
    write_hashes("xlm-clean", [hash_words(*result[0][:3], decode(clean, result[0][0], case)) for case, result in zip(cases, results)])


if __name__ == "__main__":
    main()
