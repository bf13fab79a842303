"""A handful of records whose numbers can be counted by hand."""

from laconic.bench.plan import BenchTask
from laconic.bench.records import Exit, Record


def solved(method, fold, size, wrong, *, plain=0, wall=1.0, optimal=True, limit=10.0):
    part = {"rows": 10, "strict_errors": wrong, "plain_errors": plain, "uncovered": 0, "conflicting": 0}
    score = {
        "size": size,
        "n_rules": 1,
        "n_literals": size - 1,
        "classes_described": 1,
        "n_classes": 2,
        "n_features": 3,
        "train": part,
        "test": part,
    }
    answer = {"rules": {"rules": [], "default": None}, "optimal": optimal, "cost": 1, "lower_bound": 1}
    task = BenchTask("cp20", "iris", 2, fold, method, limit, 512, 0, "abc")
    return Record(task, Exit.OK, wall, wall, 9.0, answer=answer, score=score, versions={"laconic": "0.1"})


def failed(method, fold, exit_=Exit.TIMEOUT, message=""):
    task = BenchTask("cp20", "iris", 2, fold, method, 10.0, 512, 0, "abc")
    return Record(task, exit_, 10.0, 10.0, 9.0, message=message)


RECORDS = [
    solved("sp-l3", 1, size=1, wrong=4, plain=2, wall=0.5),
    solved("sp-l3", 2, size=3, wrong=2, plain=1, wall=0.1),
    solved("sp-l3", 3, size=3, wrong=0, plain=0, wall=0.2),
    solved("ripper", 1, size=30, wrong=1, plain=1, optimal=None),
    failed("ripper", 2, Exit.CRASH, "Traceback\nValueError: no | rules"),
    solved("ripper", 3, size=10, wrong=3, plain=3, optimal=None),
    solved("opt", 1, size=40, wrong=0, plain=0),
    failed("opt", 2),
    solved("opt", 3, size=20, wrong=5, plain=5, optimal=False),
]

SAMPLED = [*RECORDS, solved("cn2", 1, size=50, wrong=5, limit=60.0)]
"""cn2 was run on fold 1 only, with another limit."""
