"""The verified checker, ``laconic-check``: found, run on the canonical text, and its answer read.

The program is extracted from the proof in ``proof/`` (``docs/verified.md``), and ``make proofs`` builds it.
Its theorem is about the text that it reads. The seal of the certificate and the digest of the data are
checked here, before the program runs.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from laconic.checking import checker
from laconic.checking.certify.canonical import canonical_text
from laconic.data.table import Table
from laconic.runtime.errors import InputError

PROGRAM = "laconic-check"
VARIABLE = "LACONIC_CHECK"
BUILT = Path(__file__).parents[4] / "proof" / "build" / PROGRAM
"""Location of the program after ``make proofs``, in the checkout from which this package is run."""

_ANSWERS = {0: ("s VERIFIED ", "c "), 1: ("s REFUSED ",), 2: ("s UNREADABLE ",)}
"""The first words of an answer, by exit code."""
_LARGE_STACK = 'ulimit -s "$(ulimit -H -s)" 2>/dev/null; exec "$0" "$@"'
"""Stack size of the program, which processes long lists by recursion."""


def find_program() -> Path:
    """Return the verified checker: the one that LACONIC_CHECK names, or on the path, or in this checkout."""
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise InputError(
                f"{VARIABLE} is {named!r}, which is not a program that can be run; build it with: make proofs"
            )
        return Path(found).absolute()
    found = shutil.which(PROGRAM) or shutil.which(BUILT)
    if found is None:
        raise InputError(
            f"the verified checker {PROGRAM} is not installed; run make proofs in a checkout of laconic, or "
            f"let {VARIABLE} name the program"
        )
    return Path(found).absolute()


def check(
    document: dict[str, Any], table: Table, table_text: str, seconds: float = math.inf
) -> tuple[int, int]:
    """Return (cost of the rules, proved lower bound); errors are those of `checker.check`.

    Parameters
    ----------
    document : dict
        The certificate's content.
    table : Table
        The merged table of the data.
    table_text : str
        The same data as the program reads them: `canonical.raw_table_text`.
    seconds : float
        When they are over, the program is killed, and `TimeoutError` raised.
    """
    program, deadline = find_program(), time.monotonic() + seconds
    if document.get("seal") != checker.seal(document):
        raise checker.Refuted("it was edited: its seal is not that of its contents")
    if document.get("table_digest") != checker.digest(table):
        raise checker.Refuted("this is not the data it was made for: the digest of the binary table differs")
    text = canonical_text(document, table_text, table)
    claimed = document["cost"], document["lower_bound"]
    objective = text.partition("\nobjective ")[2].partition("\n")[0]
    if document.get("otherwise") is not None:
        objective += " otherwise"
    _read(
        program,
        run(program, text, deadline - time.monotonic()),
        (str(claimed[0]), str(claimed[1]), objective),
    )
    return claimed


def run(program: Path, text: str, seconds: float, *options: str) -> str:
    """Return the program's answer to a canonical text.

    The text is in a file without a name, which disappears with this process.
    """
    if seconds <= 0:
        raise TimeoutError
    try:
        with tempfile.TemporaryFile() as file:
            file.write(text.encode("ascii"))
            file.flush()
            file.seek(0)
            done = subprocess.run(
                ["sh", "-c", _LARGE_STACK, program, *options, f"/dev/fd/{file.fileno()}"],
                pass_fds=[file.fileno()],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=None if math.isinf(seconds) else seconds,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    except OSError as error:
        raise InputError(
            f"cannot run {program} on a temporary file: {error.strerror}; make room for the file, or let "
            f"{VARIABLE} name another program"
        ) from None
    lines = done.stdout.decode(errors="replace").splitlines()
    if len(lines) == 1 and lines[0].startswith(_ANSWERS.get(done.returncode, ())):
        return lines[0]
    why = "".join(f", {line}" for line in done.stderr.decode(errors="replace").splitlines()[-1:])
    raise InputError(
        f"{program} ended without an answer (exit code {done.returncode}{why}); give it more memory, or do "
        f"without it"
    )


def _read(program: Path, line: str, expected: tuple[str, str, str]) -> None:
    """Check that an answer proves this cost and this bound for this objective, or refuse it."""
    match line.split(maxsplit=4):
        case ["s", "VERIFIED", cost, bound, objective]:
            if (cost, bound, objective) != expected:
                raise checker.Refuted(
                    f"what is proved is a cost of {cost} and a bound of {bound} for {objective}"
                )
        case ["s", "REFUSED", *why]:
            raise checker.Refuted(" ".join(why))
        case ["s", "UNREADABLE", *why] if "stack" in why:
            raise InputError(f"{program} had no room: {' '.join(why)}")
        case _:
            raise InputError(
                f"{program} does not read what this version of laconic writes ({line[:200]!r}); build the "
                f"program again with: make proofs"
            )
