"""Let MinDS find the fewest rules for one CSV and print what it found as one line of JSON.

Runs in MinDS's own environment (`make peers-minds`), never in ours. Its approach ``satr`` is the paper's
mds2, with ``--opt`` mds2*.

    .peers/minds/bin/python benchmarks/peers/minds_rules.py data.csv glucose4 [--opt]
"""

import json
import sys

from minds.data import Data
from minds.options import Options
from minds.satr import SATRules


def main(path, solver, *rest):
    options = Options(["mds.py", "-a", "satr", "-s", solver, *rest, path])
    data = Data(filename=path, mapfile=None, separator=",", ranges=0)
    learner = SATRules(data, options)
    rules = [rule for cover in learner.compute().values() for rule in cover]
    print(json.dumps({"rules": len(rules), "literals": int(learner.cost)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
