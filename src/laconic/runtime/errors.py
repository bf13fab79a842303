"""The tree of errors that Laconic raises on purpose."""

from __future__ import annotations

from laconic.runtime.texts import visible


class LaconicError(Exception):
    """Base of all errors raised on purpose; `visible` escapes the names and values in their messages."""

    def __init__(self, *said: object) -> None:
        super().__init__(*(visible(one) if isinstance(one, str) else one for one in said))


class InputError(LaconicError, ValueError):
    """The data, an argument or a file cannot be used; the message says which one and what to do next.

    Parameters
    ----------
    *said : object
        The message.
    """


class ModelFileError(InputError):
    """A model file is missing, damaged, or written by a newer version."""


class CertificateError(InputError):
    """A certificate file is missing, malformed, or written by a newer version."""


class MissingColumnsError(InputError):
    """The data lacks columns that the model was trained on."""


class UnsoundSolutionError(LaconicError, RuntimeError):
    """The independent checker has rejected an engine's answer: a bug, never the user's fault."""
