"""Every error Laconic raises on purpose, in one small tree."""

from __future__ import annotations

from laconic.runtime.texts import visible


class LaconicError(Exception):
    """Base of all errors raised on purpose; names and values in a message stand in one line, as `visible`."""

    def __init__(self, *said: object) -> None:
        super().__init__(*(visible(one) if isinstance(one, str) else one for one in said))


class InputError(LaconicError, ValueError):
    """The data, an argument or a file cannot be used; the message says which and what to do next."""


class ModelFileError(InputError):
    """A model file is missing, damaged, or written by a newer version."""


class CertificateError(InputError):
    """A certificate file is missing, malformed, or written by a newer version."""


class MissingColumnsError(InputError):
    """A model was asked about a table that lacks columns it was trained on."""


class UnsoundSolutionError(LaconicError, RuntimeError):
    """An engine's answer was rejected by the independent checker: a bug, never the user's fault."""
