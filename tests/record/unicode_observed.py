# SPDX-License-Identifier: MIT
"""What the tokenizers library does with each single character, found by asking it.

The library has no call that names a character's category, so each answer is read off what a step does with
a text that holds the character. Used by make_unicode_exceptions.py and record_tokenizer.py.
"""

from dataclasses import dataclass

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

# A mark of each combining class. Those of class 6 are newer than the library's tables.
MARKS = {
    1: 0x0334, 7: 0x093C, 8: 0x3099, 9: 0x094D, 10: 0x05B0, 11: 0x05B1, 12: 0x05B2, 13: 0x05B3,
    14: 0x05B4, 15: 0x05B5, 16: 0x05B6, 17: 0x05B7, 18: 0x05B8, 19: 0x05B9, 20: 0x05BB, 21: 0x05BC,
    22: 0x05BD, 23: 0x05BF, 24: 0x05C1, 25: 0x05C2, 26: 0xFB1E, 27: 0x064B, 28: 0x064C, 29: 0x064D,
    30: 0x064E, 31: 0x064F, 32: 0x0650, 33: 0x0651, 34: 0x0652, 35: 0x0670, 36: 0x0711, 84: 0x0C55,
    91: 0x0C56, 103: 0x0E38, 107: 0x0E48, 118: 0x0EB8, 122: 0x0EC8, 129: 0x0F71, 130: 0x0F72, 132: 0x0F74,
    202: 0x0321, 214: 0x1DCE, 216: 0x031B, 218: 0x302A, 220: 0x0316, 222: 0x059A, 224: 0x302E, 226: 0x1D16D,
    228: 0x302B, 230: 0x0300, 232: 0x0315, 233: 0x035C, 234: 0x035D, 240: 0x0345,
}


@dataclass
class Observed:
    cleaned: str  # clean_text alone, of the character
    spaced: str  # handle_chinese_chars alone
    stripped: str  # strip_accents alone
    lowered: str  # lowercase alone
    decomposed: str  # canonical decomposition
    is_space: bool  # BertPreTokenizer cuts here and drops it
    is_punctuation: bool  # BertPreTokenizer makes it a word
    is_word: bool  # \w beside an added token, and of the step Whitespace
    is_letter: bool  # \p{L} of the regular expressions
    is_number: bool  # \p{N} of the regular expressions
    is_digit: bool  # of the step Digits
    is_mark: bool  # what StripAccents removes
    compatible: str  # compatibility decomposition
    combining_class: int


def characters():
    return (code for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF)


def bert_normalizer(**options):
    steps = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**steps, **options})


def find_word_characters():
    """Characters that keep an added token beside them from being a single word."""
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "Q": 1}, unk_token="[UNK]"))
    tokenizer.add_tokens([AddedToken("Q", single_word=True, normalized=False)])
    codes = list(characters())
    found = set()
    for first in range(0, len(codes), 50000):
        part = codes[first : first + 50000]
        encoded = tokenizer.encode_batch(["Q" + chr(code) for code in part])
        found.update(code for code, tokens in zip(part, encoded) if tokens.offsets[0] != (0, 1))
    return found


def find_isolated(step):
    """Characters that a pre-tokenizer makes a word of their own."""
    codes = [code for code in characters() if code > 1]
    found = set()
    for first in range(0, len(codes), 20000):
        text = "".join("\x01" + chr(code) for code in codes[first : first + 20000])
        found.update(ord(word) for word, _ in step.pre_tokenize_str(text) if len(word) == 1 and word != "\x01")
    return found


def find_combining_class(nfd, character):
    """0 for a starter, else the class of the mark that the character never changes places with."""

    def stays(text):
        return nfd(text) == text

    if stays(chr(MARKS[240]) + character) and stays(character + chr(MARKS[1])):
        return 0
    classes = [
        number for number, mark in MARKS.items() if stays(chr(mark) + character) and stays(character + chr(mark))
    ]
    if len(classes) != 1:
        raise SystemExit(f"U+{ord(character):04X}: expected one combining class, found {classes}")
    return classes[0]


def observe():
    """{code: Observed} for every character."""
    clean = bert_normalizer(clean_text=True).normalize_str
    space = bert_normalizer(handle_chinese_chars=True).normalize_str
    strip = bert_normalizer(strip_accents=True).normalize_str
    lower = bert_normalizer(lowercase=True).normalize_str
    nfd = normalizers.NFD().normalize_str
    cut = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    words = find_word_characters()
    letters = find_isolated(pre_tokenizers.Split(Regex(r"\p{L}"), "isolated"))
    numbers = find_isolated(pre_tokenizers.Split(Regex(r"\p{N}"), "isolated"))
    digits = find_isolated(pre_tokenizers.Digits(individual_digits=True))
    strip_marks = normalizers.StripAccents().normalize_str
    nfkd = normalizers.NFKD().normalize_str

    answers = {}
    for code in characters():
        character = chr(code)
        decomposed = nfd(character)
        n_words = len(cut("a" + character + "b"))
        answers[code] = Observed(
            cleaned=clean(character),
            spaced=space(character),
            stripped=strip(character),
            lowered=lower(character),
            decomposed=decomposed,
            is_space=n_words == 2,
            is_punctuation=n_words == 3,
            is_word=code in words,
            is_letter=code in letters,
            is_number=code in numbers,
            is_digit=code in digits,
            is_mark=not strip_marks(character),
            compatible=nfkd(character),
            combining_class=find_combining_class(nfd, character) if decomposed == character else 0,
        )
    return answers
