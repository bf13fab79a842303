"""Texts for people: what a terminal would obey instead of showing is written out, and a long value is cut.

Names and values come from data that anybody may have written. A class whose name holds the end of a line must
not read as a rule of its own, and no name may move the cursor, colour a line, or turn its order around.
"""

from __future__ import annotations

import re
from typing import Any

_LONGEST = 60

_NEVER = (
    "\x00-\x1f\x7f-\x9f"  # controls: line ends, tabs, and all that begins an escape sequence
    "\u2028\u2029"  # line ends of Unicode
    "\u202a-\u202e\u2066-\u2069"  # turn the order of what follows around
    "\xad\u034f\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # not seen at all
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f"
    "\u115f\u1160\u2800\u3164\uffa0"  # look like a blank
    "\ud800-\udfff"  # halves of characters
)
_JOINERS = "\u061c\u200c-\u200f"
"""Joiners and marks of direction: within words and emoji that are not ASCII."""
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""What chooses a form of the character before, which is not ASCII, or the box around a key."""
_SEEN = rf"[^\x00-\x7f{_JOINERS}{_SELECTORS}{_NEVER}]"
_UNSEEN = re.compile(
    rf"[{_NEVER}]"
    rf"|(?<!{_SEEN})(?<!{_SEEN}[{_SELECTORS}])[{_JOINERS}]|[{_JOINERS}](?!{_SEEN})"
    rf"|(?<!{_SEEN})[{_SELECTORS}](?!\u20e3)"
)
_OF_RULES = {"IF", "AND", "OR", "THEN", "ELSE", "OTHERWISE"}


def visible(text: object) -> str:
    r"""Write a text so that every character of it is seen where it stands, in one line.

    Control characters, ends of lines, marks that turn the direction of writing and characters without any
    width are written as Python writes them: ``\n``, ``\x1b``, ``\u202e``. Everything else stays as it is.

    >>> print(visible("naïve 日本 👩‍💻"), visible("a\nb\x1b[31m"))
    naïve 日本 👩‍💻 a\nb\x1b[31m
    """
    return _UNSEEN.sub(_written_out, str(text))


def misleading(text: str) -> bool:
    """Whether a value that is written into a rule would read as another one, as more than one, or as none.

    >>> [misleading(text) for text in ("red", "", " red", "red AND age > 40", "\u3164")]
    [False, True, True, True, True]
    """
    odd = text[:1] in {"", "'", '"'} or text != text.strip() or visible(text) != text or "  " in text
    odd = odd or any(one.isspace() and one != " " for one in text)
    return odd or not _OF_RULES.isdisjoint(text.split())


def visible_lines(text: str) -> str:
    r"""Write a text of several lines like `visible`, but keep its ends of lines.

    >>> print(visible_lines("a\nb\tc"))
    a
    b\tc
    """
    return "\n".join(map(visible, text.split("\n")))


def visible_json(text: str) -> str:
    r"""Write JSON text with escapes for what `visible` writes out; it means the same.

    >>> print(visible_json('{"a": "\x7f"}'))
    {"a": "\u007f"}
    """
    return "\n".join(_UNSEEN.sub(_as_json, line) for line in text.split("\n"))


def shown(value: Any) -> str:
    """Write a value for a message, cut if it is long.

    >>> shown("clerk"), shown("x" * 100)[-3:], shown(10**5000)
    ("'clerk'", "x…'", 'a number of more than 4300 digits')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…")
    try:
        text = repr(value)
    except ValueError:  # Python does not write longer ones
        return "a number of more than 4300 digits"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _written_out(found: re.Match[str]) -> str:
    return ascii(found[0])[1:-1]


def _as_json(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))
