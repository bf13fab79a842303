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
    for regularization in rest:
        command += ["--lambda", regularization]
    options = Options([*command, path])
    data = Data(filename=path, mapfile=None, separator=",", ranges=0)
    learner = APPROACHES[approach](data, options)
    started = time.process_time()
    covers = learner.compute()
    seconds = time.process_time() - started
    rules = [rule for cover in covers.values() for rule in cover]
    found = {
        "seconds": seconds,
        # MinDS counts the literals of a rule without its class.
        "size": int(learner.cost) + len(rules),
        "errors": int(getattr(learner, "nof_misses", 0)),
        "contradictory": any(-literal in rule.flits for rule in rules for literal in rule.flits),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
