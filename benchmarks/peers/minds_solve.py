"""Solve one CSV with MinDS and print what it found as one line of JSON.

Runs in MinDS's own environment (`make peers-minds`), never in ours. Only ``compute`` is timed.

    .peers/minds/bin/python benchmarks/peers/minds_solve.py data.csv satls glucose4 [lambda]
"""

import json
import sys
import time

from minds.data import Data
from minds.mxsatl import MaxSATLits
from minds.mxsatls import MaxSATLitsSep
from minds.mxsatsp import MaxSATSparse
from minds.options import Options
from minds.satl import SATLits
from minds.satls import SATLitsSep

APPROACHES = {
    "satl": SATLits,
    "satls": SATLitsSep,
    "mxsatl": MaxSATLits,
    "mxsatls": MaxSATLitsSep,
    "sparse": MaxSATSparse,
}


def main(path, approach, solver, *rest):
    command = ["mds.py", "-a", approach, "-s", solver, "-w"]
    if rest:
        command += ["--lambda", rest[0]]
    options = Options([*command, path])
    data = Data(filename=path, mapfile=None, separator=",", ranges=0)
    learner = APPROACHES[approach](data, options)
    started = time.perf_counter()
    covers = learner.compute()
    seconds = time.perf_counter() - started
    n_rules = sum(len(rules) for rules in covers.values())
    print(
        json.dumps(
            {
                "seconds": seconds,
                # MinDS counts the literals of a rule without its class.
                "size": int(learner.cost) + n_rules,
                "errors": int(getattr(learner, "nof_misses", 0)),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
