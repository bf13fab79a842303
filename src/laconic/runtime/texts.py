"""Safe texts for messages: control characters are escaped, and long values are shortened.

Names and values come from data of unknown origin. A class name that contains a line break must not look like
another rule, and no name may move the cursor, change the colour of a line or reverse its direction.
"""

from __future__ import annotations

import re
from typing import Any

_MAX_LENGTH = 60

_HIDDEN = (
    "\x00-\x1f\x7f-\x9f"  # control characters: line breaks, tabs, and the start of every escape sequence
    "\u2028\u2029"  # Unicode line breaks
    "\u202a-\u202e\u2066-\u2069"  # change the direction of the following text
    "\xad\u034f\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # invisible
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f"
    "\u115f\u1160\u2800\u3164\uffa0"  # look like a blank
    "\ud800-\udfff"  # surrogates
)
_JOINERS = "\u061c\u200c-\u200f"
"""Joiners and direction marks, which are part of words and emoji that are not ASCII."""
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Variation selectors: they choose a form of the preceding character, or the box around a key."""
_SEEN = rf"[^\x00-\x7f{_JOINERS}{_SELECTORS}{_HIDDEN}]"
_INVISIBLE = re.compile(
    rf"[{_HIDDEN}]"
    rf"|(?<!{_SEEN})(?<!{_SEEN}[{_SELECTORS}])[{_JOINERS}]|[{_JOINERS}](?!{_SEEN})"
    rf"|(?<!{_SEEN})[{_SELECTORS}](?!\u20e3)"
)
_OF_RULES = {"IF", "AND", "OR", "THEN", "ELSE", "OTHERWISE"}


def visible(text: object) -> str:
    r"""Escape a text so that it is printed as one line in which every character is visible.

    Control characters, line breaks, direction marks and characters without width are escaped as in Python:
    ``\n``, ``\x1b``, ``\u202e``. All other characters are unchanged.

    >>> print(visible("naïve 日本 👩‍💻"), visible("a\nb\x1b[31m"))
    naïve 日本 👩‍💻 a\nb\x1b[31m
    """
    return _INVISIBLE.sub(_escaped, str(text))


def misleading(text: str) -> bool:
    """Return whether a value in a rule would read as another value, as several conditions, or as none.

    >>> [misleading(text) for text in ("red", "", " red", "red AND age > 40", "\u3164")]
    [False, True, True, True, True]
    """
    odd = text[:1] in {"", "'", '"'} or text != text.strip() or visible(text) != text or "  " in text
    odd = odd or any(one.isspace() and one != " " for one in text)
    return odd or holds_words_of_rules(text)


def holds_words_of_rules(text: str) -> bool:
    """Return whether a text has words of rules, such as AND or THEN, or the start of a group."""
    return not _OF_RULES.isdisjoint(text.split()) or " in {" in text


def visible_lines(text: str) -> str:
    r"""Escape a text of several lines like `visible`, but keep its line breaks.

    >>> print(visible_lines("a\nb\tc"))
    a
    b\tc
    """
    return "\n".join(map(visible, text.split("\n")))


def visible_json(text: str) -> str:
    r"""Escape in a JSON text what `visible` escapes; its meaning does not change.

    >>> print(visible_json('{"a": "\x7f"}'))
    {"a": "\u007f"}
    """
    return "\n".join(_INVISIBLE.sub(_as_json, line) for line in text.split("\n"))


def shown(value: Any) -> str:
    """Return a value as text for a message, shortened if it is long.

    >>> shown("clerk"), shown("x" * 100)[-3:], shown(10**5000)
    ("'clerk'", "x…'", 'a number of more than 4300 digits')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= _MAX_LENGTH else value[: _MAX_LENGTH - 1] + "…")
    try:
        text = repr(value)
    except ValueError:  # Python refuses to convert longer numbers
        return "a number of more than 4300 digits"
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1] + "…"


def _escaped(found: re.Match[str]) -> str:
    return ascii(found[0])[1:-1]


def _as_json(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))
