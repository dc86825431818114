# SPDX-License-Identifier: MIT
"""The sentences that the models of resources/models learn, from those of manythings.org in shared/data:
en-fr.tsv and en.txt for `headlight train`; of them what its --held-out 0.02 holds out, sources of at most ten
words: en-fr-held-out.tsv, en-held-out.txt.

    python make_sentences.py SHARED FOLDER"""
import gzip
import sys
import unicodedata

HELD_OUT = 0.02
MOST_WORDS = 10
BITS = (1 << 64) - 1


def clean(text):
    text = unicodedata.normalize('NFC', text).replace('\u202f', ' ').replace('\u00a0', ' ')
    return ' '.join(text.split())


def is_held_out(text):
    """As engine/training/texts.c has it."""
    key = 0xcbf29ce484222325
    for byte in text.encode():
        key = (key ^ byte) * 0x100000001b3 & BITS
    z = key + 0x9e3779b97f4a7c15 & BITS
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & BITS
    z = (z ^ z >> 27) * 0x94d049bb133111eb & BITS
    return (((z ^ z >> 31) >> 12) + 0.5) / (1 << 52) < HELD_OUT


def write(path, lines):
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(line + '\n' for line in lines)


def main(shared, folder):
    pairs, english = {}, {}
    for name in ('eng-fra', 'eng-deu'):
        for line in gzip.open(f'{shared}/data/tatoeba/{name}.txt.gz', 'rt', encoding='utf-8'):
            source, target = (clean(column) for column in line.split('\t')[:2])
            english[source] = True
            if name == 'eng-fra':
                pairs[source, target] = True
    write(f'{folder}/en-fr.tsv', ('\t'.join(pair) for pair in pairs))
    write(f'{folder}/en.txt', english)
    write(f'{folder}/en-fr-held-out.tsv', ('\t'.join(pair) for pair in pairs if is_held_out(pair[0])
                                           and len(pair[0].split()) <= MOST_WORDS))
    write(f'{folder}/en-held-out.txt', (text for text in english if is_held_out(text)))


main(*sys.argv[1:])
