"""Draw docstrings and comments at random, to be read by somebody who did not write them.

    python tools/draw_comments.py [--seed 2026] [--count 100] [--native]

Drawn are the docstrings of modules, classes and functions, the texts below constants, and comments, of
``src/laconic``; ``--native`` draws from the comments of ``native/src`` instead. The same seed draws the same
texts from the same sources.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def python_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring, text below a constant, and block of comment lines."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else []:
            if (
                isinstance(one, ast.Expr)
                and isinstance(one.value, ast.Constant)
                and isinstance(one.value.value, str)
            ):
                yield one.lineno, one.value.value
    comments = [
        (token.start[0], token.string.lstrip("# "), bool(token.line[: token.start[1]].strip()))
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and not re.match(r"#\s*(type:|noqa|pragma)", token.string)
    ]
    yield from blocks(comments)


def native_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each block of ``//`` comments."""
    comments = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if "//" in line:
            before, _, text = line.partition("//")
            comments.append((number, text.strip(), bool(before.strip())))
    yield from blocks(comments)


def blocks(comments: list[tuple[int, str, bool]]) -> Iterator[tuple[int, str]]:
    """Join comments on lines of their own that follow each other."""
    start, lines = 0, []
    for number, text, after_code in comments:
        if lines and not after_code and number == start + len(lines):
            lines.append(text)
            continue
        if lines:
            yield start, " ".join(lines)
        start, lines = number, [text]
        if after_code:
            yield number, text
            lines = []
    if lines:
        yield start, " ".join(lines)


def main() -> None:
    """Print the texts that are drawn, each with its place."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--native", action="store_true", help="the comments of native/src instead")
    options = parser.parse_args()
    if options.native:
        files = sorted(path for path in (ROOT / "native" / "src").rglob("*.?pp"))
        texts = [(path, *one) for path in files for one in native_texts(path)]
    else:
        files = sorted((ROOT / "src" / "laconic").rglob("*.py"))
        texts = [(path, *one) for path in files for one in python_texts(path)]
    drawn = random.Random(options.seed).sample(texts, min(options.count, len(texts)))
    for number, (path, line, text) in enumerate(drawn, 1):
        print(
            f"{number}. {path.relative_to(ROOT)}:{line}\n    " + text.strip().replace("\n", "\n    ") + "\n"
        )
    print(f"{len(drawn)} of {len(texts)} texts, seed {options.seed}")


if __name__ == "__main__":
    main()
