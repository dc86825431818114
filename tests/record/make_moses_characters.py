# SPDX-License-Identifier: MIT
"""Writes engine/tokenizer/pretokenizers/moses-characters.c: the letters and numbers of Moses, as sacremoses lists them.

    python tests/record/make_moses_characters.py      (from the project's root; sacremoses 0.2.0)
"""

import textwrap
import unicodedata
from importlib.metadata import version
from pathlib import Path

from sacremoses import MosesTokenizer

OUTPUT = Path("engine/tokenizer/pretokenizers/moses-characters.c")


def find_runs(characters):
    """[first, last, step]: capital and small letters often alternate."""
    runs = []
    for code in sorted(set(map(ord, characters))):
        last = runs[-1] if runs else None
        if last and code - last[1] == last[2]:
            last[1] = code
        elif last and last[0] == last[1] and code - last[1] <= 2:
            last[1:] = [code, code - last[0]]
        else:
            runs.append([code, code, 1])
    return runs


def write_table(name, characters):
    runs = [f"{{~{first:#x},~{last:#x},~{step}~}}," for first, last, step in find_runs(characters)]
    print(f"{name}: {len(runs)} runs")
    body = textwrap.fill(" ".join(runs), 99, initial_indent="  ", subsequent_indent="  ").replace("~", " ")
    return f"static const Run {name}[] = {{\n{body}\n}};\n\n"


FUNCTIONS = """static gboolean
contains (const Run *runs,
          int        n,
          gunichar   c)
{
  int low = 0, high = n;

  while (low < high) {
    int middle = (low + high) / 2;

    if (c > runs[middle].last)
      low = middle + 1;
    else
      high = middle;
  }

  return low < n && c >= runs[low].first && (c - runs[low].first) % runs[low].step == 0;
}

gboolean
eng_moses_is_letter (gunichar c)
{
  return contains (letters, G_N_ELEMENTS (letters), c);
}

gboolean
eng_moses_is_digit (gunichar c)
{
  return contains (digits, G_N_ELEMENTS (digits), c);
}

gboolean
eng_moses_is_number (gunichar c)
{
  return contains (numbers, G_N_ELEMENTS (numbers), c);
}

gboolean
eng_moses_is_lower (gunichar c)
{
  return contains (small_letters, G_N_ELEMENTS (small_letters), c);
}
"""


def main():
    letters, numbers = set(MosesTokenizer.IsAlpha), set(MosesTokenizer.IsN) - {"\n"}
    digits = set(MosesTokenizer.IsAlnum) - letters
    assert digits == {c for c in numbers if unicodedata.category(c) == "Nd"}
    OUTPUT.write_text(
        "/* SPDX-License-Identifier: MIT */\n"
        f"/* Written by tests/record/make_moses_characters.py from sacremoses {version('sacremoses')}; change the script, not\n"
        " * this file. */\n"
        '#include "engine/tokenizer/pretokenizers/moses-characters.h"\n\n'
        "/* Every step-th character from first to last. */\n"
        "typedef struct {\n  gunichar first;\n  gunichar last;\n  guint    step;\n} Run;\n\n"
        + write_table("letters", letters)
        + write_table("digits", digits)
        + write_table("numbers", numbers)
        + write_table("small_letters", MosesTokenizer.IsLower)
        + FUNCTIONS
    )


if __name__ == "__main__":
    main()
