"""The long run of random API calls.

    python -m tests.fuzz.calls --seconds 600

Prints how many calls were made so far; a failure is shown as the shortest list of calls that gives it.
"""

from __future__ import annotations

import argparse
import time

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.fuzz.machine import STEPS, User


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = options.parse_args()
    stop = time.monotonic() + chosen.seconds
    number = chosen.first
    how = settings(
        max_examples=20,
        stateful_step_count=25,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    while time.monotonic() < stop:
        run_state_machine_as_test(seed(number)(User), settings=how)
        print(f"{STEPS['taken']} calls from seed {chosen.first} to {number}, 0 failures", flush=True)
        number += 1


if __name__ == "__main__":
    main()
