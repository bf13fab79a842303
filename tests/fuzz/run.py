"""The long run: random trials until the time is over, each failure kept with its number.

    python -m tests.fuzz.run --seconds 600 --first 0

Prints a count per kind of file and command; exits with 1 if a promise was broken.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.cases import case, write_good
from tests.fuzz.contract import broken_promise
from tests.fuzz.seeds import Seeds


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--first", type=int, default=0, help="number of the first trial")
    options.add_argument("--count", type=int, default=10**9, help="most trials")
    options.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="where failures are kept")
    chosen = options.parse_args()
    keep = chosen.keep.resolve()
    stop = time.monotonic() + chosen.seconds
    tried: Counter[str] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        os.chdir(place)
        seeds = Seeds.made_in(place)
        write_good(seeds, place)
        number = chosen.first
        while time.monotonic() < stop and number < chosen.first + chosen.count:
            one = case(number, seeds)
            one.write(place)
            problem = broken_promise(one.arguments)
            tried[f"{one.name} {one.arguments[0]}"] += 1
            if problem is not None:
                failed += 1
                keep.mkdir(exist_ok=True, parents=True)
                (keep / f"{number}-{one.name}").write_bytes(one.content)
                print(f"{number}: laconic {' '.join(one.arguments)!r}\n    {problem}", flush=True)
                write_good(seeds, place)
            number += 1
        os.chdir("/")
    for name, count in sorted(tried.items()):
        print(f"{count:8} {name}")
    print(f"{sum(tried.values())} trials from {chosen.first}, {failed} failures", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
