# SPDX-License-Identifier: MIT
"""Writes engine/tokenizer/base/unicode-exceptions.c: where tokenizers and utf8proc do not agree about a character.

    python tests/record/make_unicode_exceptions.py      (from the project's root; tokenizers 0.23.3, libutf8proc 2.8)

Asks both about all 1,112,064 characters, so it takes a minute. A tokenizers release with other Unicode tables
needs this run again, and record_tokenizer.py after it.
"""

import ctypes
from pathlib import Path

import tokenizers

from unicode_observed import observe

OUTPUT = Path("engine/tokenizer/base/unicode-exceptions.c")
UNICODE_VERSION = "15.0.0"
STABLE, COMPAT, DECOMPOSE = 1 << 1, 1 << 2, 1 << 4
# gc=M, L, Nd, Nl, Pc and Join_Control are \w; so are the letters in circles and squares (Other_Alphabetic).
WORD_CATEGORIES = {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"}
WORD_RANGES = [(0x200C, 0x200D), (0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189)]


class Property(ctypes.Structure):
    """The first members of utf8proc_property_t."""

    _fields_ = [("category", ctypes.c_int16), ("combining_class", ctypes.c_int16)]


class Utf8proc:
    def __init__(self):
        self.library = ctypes.CDLL("libutf8proc.so.2")
        for name in ("utf8proc_category_string", "utf8proc_unicode_version"):
            getattr(self.library, name).restype = ctypes.c_char_p
        self.library.utf8proc_get_property.restype = ctypes.POINTER(Property)
        version = self.library.utf8proc_unicode_version().decode()
        if version != UNICODE_VERSION:
            raise SystemExit(f"libutf8proc knows Unicode {version}, the exceptions are those to {UNICODE_VERSION}")

    def category(self, code):
        return self.library.utf8proc_category_string(code).decode()

    def combining_class(self, code):
        return self.library.utf8proc_get_property(code).contents.combining_class

    def lower(self, code):
        return self.library.utf8proc_tolower(code)

    def decompose(self, code, flags=0):
        buffer = (ctypes.c_int32 * 32)()
        boundary = ctypes.c_int(0)
        n = self.library.utf8proc_decompose_char(code, buffer, 32, STABLE | DECOMPOSE | flags, ctypes.byref(boundary))
        return "".join(map(chr, buffer[:n]))


def find_ranges(codes):
    ranges = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def find_exceptions(answers, utf8proc):
    """Sets of characters by the name of their table, and {code: lower case}."""
    names = (
        "unassigned control_flips punctuation_flips nonspacing_mark_flips mark_flips word_flips letter_flips "
        "number_flips digit_flips starters undecomposed incompatible"
    )
    tables = {name: set() for name in names.split()}
    lowered = {}

    for code, seen in answers.items():
        category = utf8proc.category(code)
        ascii_sign = code < 0x80 and not chr(code).isalnum() and 0x20 < code < 0x7F
        blank = seen.is_space or chr(code) in "\t\n\r"
        is_word = category in WORD_CATEGORIES or any(first <= code <= last for first, last in WORD_RANGES)

        if category == "Cn":
            tables["unassigned"].add(code)
        # U+FFFD goes by its number; white space that is not removed becomes a blank.
        if code != 0xFFFD and not (blank and seen.cleaned) and (not seen.cleaned) != (category in ("Cc", "Cf", "Co")):
            tables["control_flips"].add(code)
        if seen.is_punctuation != (ascii_sign or category[0] == "P"):
            tables["punctuation_flips"].add(code)
        if seen.decomposed == chr(code) and (not seen.stripped) != (category == "Mn"):
            tables["nonspacing_mark_flips"].add(code)
        if seen.is_word != is_word:
            tables["word_flips"].add(code)
        for name, seen_so, initial in (
            ("mark", seen.is_mark, "M"), ("letter", seen.is_letter, "L"),
            ("number", seen.is_number, "N"), ("digit", seen.is_digit, "N"),
        ):  # fmt: skip
            if seen_so != (category[0] == initial):
                tables[f"{name}_flips"].add(code)
        if seen.compatible != utf8proc.decompose(code, COMPAT):
            if seen.compatible != seen.decomposed:
                raise SystemExit(f"U+{code:04X}: compatible in two ways; the tables have no place for that")
            tables["incompatible"].add(code)
        if seen.decomposed == chr(code) and seen.combining_class != utf8proc.combining_class(code):
            if seen.combining_class != 0:
                raise SystemExit(f"U+{code:04X}: a mark to tokenizers alone; the tables have no place for that")
            tables["starters"].add(code)
        if seen.decomposed != utf8proc.decompose(code):
            if seen.decomposed != chr(code):
                raise SystemExit(f"U+{code:04X}: decomposed in two ways; the tables have no place for that")
            tables["undecomposed"].add(code)
        if seen.lowered != chr(utf8proc.lower(code)):
            lowered[code] = seen.lowered
    return tables, lowered


def write_table(name, codes):
    ranges = [f"{{ {first:#07x}, {last:#07x} }}" for first, last in find_ranges(codes)]
    lines = [", ".join(ranges[i : i + 4]) for i in range(0, len(ranges), 4)]
    body = "".join(f"  {line},\n" for line in lines)
    return (
        f"static const EngUnicodeRange {name}[] = {{\n{body}}};\n\n"
        f"const EngUnicodeSet eng_unicode_{name} = {{ {name}, G_N_ELEMENTS ({name}) }};\n"
    )


def write_lower(lowered):
    """Neighbours with the same step are one line."""
    rows = []
    for code, text in sorted(lowered.items()):
        step, then = ord(text[0]) - code, ord(text[1]) if len(text) > 1 else 0
        if rows and rows[-1][1] == code - 1 and rows[-1][2:] == [step, then]:
            rows[-1][1] = code
        else:
            rows.append([code, code, step, then])
    body = "".join(
        f"  {{ {first:#07x}, {last:#07x}, {step}, {f'{then:#x}' if then else 0} }},\n" for first, last, step, then in rows
    )
    return (
        f"const EngUnicodeLower eng_unicode_lower_exceptions[] = {{\n{body}}};\n"
        "const int eng_unicode_n_lower_exceptions = G_N_ELEMENTS (eng_unicode_lower_exceptions);\n"
    )


def main():
    tables, lowered = find_exceptions(observe(), Utf8proc())
    for name, codes in tables.items():
        print(f"{name}: {len(codes)} characters in {len(find_ranges(codes))} ranges")
    print(f"lower case: {len(lowered)} characters")
    OUTPUT.write_text(
        "/* SPDX-License-Identifier: MIT */\n"
        f"/* Written by tests/record/make_unicode_exceptions.py from tokenizers {tokenizers.__version__} and utf8proc with\n"
        f" * Unicode {UNICODE_VERSION}; change the script, not this file. */\n"
        '#include "engine/tokenizer/base/unicode-exceptions.h"\n\n'
        + "\n".join(write_table(name, codes) for name, codes in tables.items())
        + "\n"
        + write_lower(lowered)
    )


if __name__ == "__main__":
    main()
