"""The end of a command: one exit code, and at most one sentence on standard error.

Bad input is a sentence, never a traceback. A traceback appears only for a bug, with its own exit code, so
that a script can tell a model that is not verified from a failure of laconic.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import traceback
from collections.abc import Callable, Sequence

import typer

from laconic.cli import signals
from laconic.runtime.errors import InputError, UnsoundSolutionError
from laconic.runtime.texts import visible_lines

OK = 0
FAILED = 1
"""The command ran, but the model is not verified or not proven."""
BAD_INPUT = 2
BROKEN = 3
"""A bug, or no memory left."""
INTERRUPTED = signals.INTERRUPTED
CLOSED_PIPE = 141
"""The reader of the output has closed it: the code that a shell reports for a tool stopped by SIGPIPE."""

_READER_GONE = {errno.EPIPE, errno.EIO}
"""A pipe without a reader, and a terminal that was closed."""
_OUTPUT_LOST = {*_READER_GONE, errno.ENOSPC, errno.EFBIG, errno.EDQUOT}

MEANING = (
    "Exit codes: 0 fine; 1 the model does not stand, or is not proven although --require-proof was given; "
    "2 bad input, with one sentence that says what to do; 3 a bug; 130 interrupted, 143 by SIGTERM, "
    "129 by SIGHUP; 141 the reader of the output went away."
)


def run(app: Callable[..., object], arguments: Sequence[str] | None = None) -> int:
    """Run a typer application and return its exit code; bad input is refused in a sentence."""
    try:
        code = app(args=arguments, prog_name="laconic", standalone_mode=False)
    except InputError as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        _say("interrupted")
        return signals.exit_code()
    except UnicodeEncodeError as error:
        # Python passes bytes of the command line that are not text as lone surrogates.
        return _refuse(
            f"an option holds bytes that are not text, {str(error.object)[:60]!r}; write it as UTF-8"
        )
    except OSError as error:
        if error.filename is not None or error.errno not in _OUTPUT_LOST:
            return _broken(error)
        ended = lost(error)
        return ended.exit_code if isinstance(ended, typer.Exit) else _refuse(str(ended))
    except SystemExit as ended:  # typer ends with exit code 1 on a closed pipe
        if isinstance(ended.__context__, BrokenPipeError):
            return CLOSED_PIPE
        raise
    except MemoryError:
        _say("laconic: there is not enough memory; use fewer rows, or fewer conditions (--bins, --drop)")
        return BROKEN
    except Exception as error:
        if hasattr(error, "format_message"):  # errors of typer about the arguments
            return _refuse(f"{error.format_message().rstrip('.')}; see: {_command(error)} --help")
        return _broken(error)
    if code == INTERRUPTED:
        _say("interrupted")
    if code == INTERRUPTED or (code == CLOSED_PIPE and signals.received()):
        return signals.exit_code()
    return code if isinstance(code, int) else OK


def lost(error: OSError) -> typer.Exit | InputError:
    """Return the exception that ends a command whose output cannot be written."""
    discard_output()
    if error.errno in _READER_GONE:
        return typer.Exit(CLOSED_PIPE)
    return InputError(f"cannot write the output: {error.strerror}; send it to another place")


def discard_output() -> None:
    """Discard what standard output and standard error could not write."""
    # Python flushes both streams at exit and would raise there.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _broken(error: Exception) -> int:
    _say("".join(traceback.format_exception(error)).rstrip())
    what = "found an unsound answer and withheld it" if isinstance(error, UnsoundSolutionError) else "broke"
    _say(f"laconic {what}; this is a bug, please report it with the lines above")
    return BROKEN


def _command(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return "laconic" if context is None else str(context.command_path)


def _refuse(message: str) -> int:
    _say(f"laconic: {' '.join(message.split())}")
    return BAD_INPUT


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(visible_lines(text) + "\n")
