"""The paper's sentences, judged in a small world where they hold, and in worlds where they do not."""

from dataclasses import replace

import pytest

from benchmarks.paper import claims
from benchmarks.paper.claims import agreement
from benchmarks.paper.evidence import Evidence, NotMeasuredError, out_of_order
from benchmarks.paper.statements import STATEMENTS
from benchmarks.paper.statements.api import Judgement, verdict
from laconic.bench.plan import BenchTask
from laconic.bench.records import Exit, Record
from laconic.bench.table import frame

HOLDS, PARTLY, CONTRADICTED, OPEN = Judgement

N_SETS = 10
# How many of ten training sets are solved, the size, and how many of 100 test rows are wrong.
WORLD = {
    "opt": (3, 2000, 0),
    "mopt": (3, 2000, 0),
    "opt-union": (2, 2000, 0),
    "mds2": (2, 2000, 0),
    "mds2-star": (3, 2000, 0),
    "sp-l1": (3, 9, 8),
    "sp-l2": (3, 5, 9),
    "sp-l3": (9, 1, 12),
    "exact-sp-l1": (10, 9, 8),
    "exact-sp-l2": (10, 5, 9),
    "exact-sp-l3": (9, 1, 12),
    "mds2-star-r1": (2, 9, 8),
    "mds2-star-r2": (3, 8, 9),
    "mds2-star-r3": (9, 3, 13),
    "ripper": (10, 1000, 10),
    "cn2": (8, 3000, 50),
    "imli1": (7, 1, 11),
    "imli16": (4, 2500, 11),
    "streed": (10, 4, 30),
}


def record(method, fold, size, wrong, *, wall=1.0, limit=10.0, described=None, n_rules=1):
    rows = {"rows": 100, "strict_errors": wrong, "plain_errors": wrong}
    one_class = method in {"ripper", "imli1", "imli16"}
    score = {
        "size": size,
        "n_rules": n_rules,
        "classes_described": described or (1 if one_class else 2),
        "n_classes": 2,
        "n_features": 3,
        "train": {**rows, "rows": 400},
        "test": rows,
    }
    task = BenchTask("cp20", "iris", 2, fold, method, limit, 512, 0, "abc")
    return Record(task, Exit.OK, wall, wall, 9.0, answer={"optimal": True}, score=score)


def unsolved(method, fold, limit=10.0):
    task = BenchTask("cp20", "iris", 2, fold, method, limit, 512, 0, "abc")
    return Record(task, Exit.TIMEOUT, limit, limit, 9.0)


def evidence(world, **options):
    records = []
    for method, (n_solved, size, wrong) in world.items():
        records += [record(method, fold, size, wrong, **options) for fold in range(1, n_solved + 1)]
        records += [unsolved(method, fold) for fold in range(n_solved + 1, N_SETS + 1)]
    return Evidence(frame(records))


def judged(start, world, **options):
    (statement,) = [one for one in STATEMENTS if one.paper.startswith(start)]
    return verdict(statement, evidence(world, **options))


def changed(**changes):
    return {**WORLD, **{name.replace("_", "-"): value for name, value in changes.items()}}


AS_THE_PAPER_SAYS = [
    "80 % of the rows",
    "of k = 1 … 16, IMLI performs best",
    "a model per class",
    "ripper solves more",
    "solved: ripper",
    "opt, mopt and opt∪ solve fewest",
    "sparse sets at a low price",
    "where all tools solve, perfect",
    "where all tools solve: perfect",
    "where all tools solve, cn2",
    "where all tools solve, no model",
    "on all sets, unsolved = 0",
    "imli1 gets close",
    "mds2*[ρ3] is smaller",
    "sizes of sp[λ3] and imli1",
    "accuracies of sp[λ3] and imli1",
    "imli1 is significantly outperformed",
    "accuracies of sp[λ3] and ripper",
    "ripper's sets can be several",
    "RIPPER and IMLI represent",
    "the paper's own models give",
    "the smaller λ, the harder",
    "the smaller λ, the more accurate",
    "so for mds2*[ρ]: the smaller ρ, the harder",
    "so for mds2*[ρ]: the smaller ρ, the more accurate",
    "heuristic sets are much larger",
]


@pytest.mark.parametrize("start", AS_THE_PAPER_SAYS)
def test_a_sentence_holds_where_the_world_is_as_the_paper_says(start):
    found = judged(start, WORLD)
    assert found.judgement is HOLDS, found.ours
    assert found.n > 0


@pytest.mark.parametrize(
    ("start", "world", "judgement", "told"),
    [
        (
            "71 datasets",
            WORLD,
            OPEN,
            "a part was run: 1 datasets, 1 families of 10 pairs by 10 folds, 10 in all",
        ),
        ("14 to 67557 rows", WORLD, OPEN, "only a part was run: 500 to 500"),
        ("3 to 384 features", WORLD, OPEN, "only a part was run: 3 to 3"),
        ("of k = 1 … 16, IMLI performs", changed(imli16=(7, 2500, 11)), PARTLY, "7 with k = 1, 7 with"),
        ("of k = 1 … 16, IMLI performs", changed(imli16=(8, 2500, 11)), CONTRADICTED, "7 with k = 1, 8 with"),
        # More accurate over all sets, but not on those that both solve.
        ("of k = 1 … 16, IMLI is most", changed(imli16=(4, 2500, 5)), PARTLY, "89.00 and 95.00"),
        ("a model per class", changed(opt_union=(4, 2000, 0)), CONTRADICTED, "opt 3, opt∪ 4"),
        ("ripper solves more", changed(exact_sp_l3=(10, 1, 12)), PARTLY, "10 and exact sp[λ3] 10 of 10"),
        ("solved: ripper", changed(imli1=(10, 1, 11)), PARTLY, "imli1 before cn2"),
        (
            "opt, mopt and opt∪ solve",
            changed(opt=(5, 2000, 0)),
            CONTRADICTED,
            "at most 5, the other tools at least 4",
        ),
        ("sparse sets at a low price", changed(sp_l2=(9, 5, 9)), PARTLY, "sp[λ1] 3, sp[λ2] 9"),
        ("where all tools solve, perfect", changed(ripper=(10, 1000, 0)), CONTRADICTED, "next ripper 100.00"),
        ("where all tools solve, cn2", changed(imli1=(7, 1, 60)), CONTRADICTED, "the next 40.00"),
        (
            "where all tools solve, no model",
            {name: (n, size, wrong + 10) for name, (n, size, wrong) in WORLD.items()}
            | {"streed": (10, 4, 5)},
            CONTRADICTED,
            "on 2 of 2; the best method on each set has 95.00, the best perfect set 90.00",
        ),
        ("on all sets, unsolved = 0", changed(opt=(10, 2000, 0)), CONTRADICTED, "perfect sets by SAT 100.00"),
        ("sp[λ3] is the clear winner", WORLD, CONTRADICTED, "sp[λ3] 1.00, next imli1 1.00"),
        ("sp[λ3] is the clear winner", changed(imli1=(7, 2, 11)), HOLDS, "next imli1 2.00"),
        ("imli1 gets close", changed(imli1=(7, 2, 11)), PARTLY, "2.00, sp[λ3] 1.00"),
        ("perfect sets in general", WORLD, PARTLY, "cn2 3000.00 against 2000.00 (larger on 0 of 3)"),
        ("mds2*[ρ3] is smaller", changed(mds2_star_r3=(9, 3000, 13)), CONTRADICTED, "3000.00 and 2000.00"),
        ("sizes of sp[λ3] and imli1", changed(imli1=(7, 2, 11)), CONTRADICTED, "smaller on 7 of 7"),
        (
            "accuracies of sp[λ3] and imli1",
            changed(imli1=(7, 1, 9)),
            CONTRADICTED,
            "88.00 (sp[λ3]) and 91.00",
        ),
        ("imli1 is significantly", changed(imli1=(9, 1, 11)), PARTLY, "sp[λ3] 9, imli1 9"),
        ("imli1 is significantly", changed(imli1=(10, 1, 11)), CONTRADICTED, "sp[λ3] 9, imli1 10"),
        (
            "accuracies of sp[λ3] and ripper",
            changed(ripper=(10, 9, 9)),
            CONTRADICTED,
            "higher on 0, lower on 9 of 9",
        ),
        (
            "ripper's sets",
            changed(ripper=(10, 150, 10)),
            PARTLY,
            "at least 10 times on 9, 100 times on 9, 1000 times on 0 of 9",
        ),
        ("ripper's sets", changed(ripper=(10, 50, 10)), CONTRADICTED, "up to 50 times"),
        ("sparse sets are much easier", WORLD, PARTLY, "sp[λ3] 9, opt 3, sp[λ1] 3, sp[λ2] 3"),
        ("sparse sets are preferable", changed(opt=(10, 2000, 0)), CONTRADICTED, "opt 100.00, sp[λ3] 79.20"),
        ("the smaller λ, the harder", changed(sp_l1=(10, 9, 8)), CONTRADICTED, "sp[λ1] before sp[λ3]"),
        (
            "the smaller λ, the more",
            changed(exact_sp_l1=(9, 9, 30)),
            CONTRADICTED,
            "exact sp[λ3] before exact sp[λ1]",
        ),
        ("heuristic sets", changed(ripper=(10, 2, 10)), PARTLY, "ripper 2.00, sp[λ3] 1.00 on 9"),
    ],
)
def test_a_sentence_is_contradicted_where_the_world_is_another(start, world, judgement, told):
    found = judged(start, world)
    assert (found.judgement, told in found.ours) == (judgement, True), found.ours


def test_more_rules_or_classes_than_the_paper_says_are_seen():
    assert judged("imli1 gets close", WORLD, n_rules=3).judgement is PARTLY
    assert judged("RIPPER and IMLI", WORLD, described=2).judgement is CONTRADICTED
    silent = judged("the paper's own models give", WORLD, described=1)
    assert silent.judgement is CONTRADICTED
    assert "exact sp[λ3] 0.0 % of 9" in silent.ours


def test_a_sentence_about_a_method_without_records_is_left_open():
    for statement in STATEMENTS:
        found = verdict(statement, Evidence(frame([unsolved("cart", 1)])))
        assert found.judgement in {OPEN, CONTRADICTED}, statement.paper
    lacking = {name: value for name, value in WORLD.items() if name != "cn2"}
    found = judged("where all tools solve, cn2", lacking)
    assert (found.judgement, found.ours) == (OPEN, "no records of cn2")


def test_every_sentence_has_a_verdict_even_if_nothing_was_solved():
    nothing = dict.fromkeys(WORLD, (0, 1, 0))
    for statement in STATEMENTS:
        assert verdict(statement, evidence(nothing)).ours


def test_methods_are_compared_within_the_lower_of_their_limits():
    slow = [record("opt", 1, 3, 0, wall=8.0, limit=30.0), record("opt", 2, 3, 0, wall=12.0, limit=30.0)]
    quick = [record("mopt", fold, 3, 0, wall=1.0, limit=10.0) for fold in (1, 2)]
    counts, limit, n = Evidence(frame(slow + quick)).solved(["opt", "mopt"])
    assert (counts, limit, n) == ({"opt": 1, "mopt": 2}, 10.0, 2)


def test_methods_are_compared_on_sets_that_both_were_run_on():
    records = [record("opt", fold, 3, wrong) for fold, wrong in ((1, 10), (2, 50))]
    found = Evidence(frame([*records, record("mopt", 2, 3, 0), unsolved("mopt", 3)]))
    assert found.accuracy_on_all(["opt", "mopt"]) == ({"opt": 50.0, "mopt": 100.0}, 1)
    both = found.both("opt", "mopt")
    assert (both.n, both.means("strict"), both.n_higher("strict")) == (1, (50.0, 100.0), (0, 1))
    with pytest.raises(NotMeasuredError, match="on the same training sets"):
        Evidence(frame([record("opt", 1, 3, 0), record("mopt", 2, 3, 0)])).solved(["opt", "mopt"])


def test_equal_values_are_in_any_order():
    assert out_of_order({"a": 1.0, "b": 1.0, "c": 2.0}, ["a", "b", "c"]) == [("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("measure", "paper", "words", "value", "n", "told"),
    [
        ("solved", 1048, "", 1043, 1065, "as in the paper"),
        ("solved", 1048, "", 100, 100, "as in the paper"),
        ("solved", 196, "", 847, 1065, "61.1 points higher"),
        ("strict_all", 68.13, "", 66.2, 100, "as in the paper"),
        ("strict_all", 68.13, "", 66.1, 100, "2.0 points lower"),
        ("mean_size", 4.18, "", 4.5, 9, "as in the paper"),
        ("mean_size", 4.18, "", 8.36, 9, "2.00 times the paper's"),
        ("mean_size", 4.18, "", float("nan"), 0, "nothing to compare"),
        ("size_1", 400, "more than 400", 600, 1065, "as in the paper"),
        ("size_3", 400, "almost 400", 600, 1065, "18.8 points higher"),
    ],
)
def test_a_number_agrees_within_two_points_or_a_tenth(measure, paper, words, value, n, told):
    claim = claims.Claim("topic", "tool", ("opt",), measure, paper, words)
    assert agreement(claim, claims.Finding("opt", value, n)) == told


def test_the_papers_tables_are_counted_where_all_of_them_were_run():
    def everything(rows):
        for table in range(71):
            for q in (2, 3, 4):
                for fold in range(1, 6):
                    one = record("opt", fold, 3, 0)
                    score = {**one.score, "n_features": 3 if table else 384}
                    score["train"] = {**score["train"], "rows": rows if table == 70 else 80}
                    score["test"] = {
                        **score["test"],
                        "rows": 14 - 11 if table else 20,
                        "strict_errors": 0,
                        "plain_errors": 0,
                    }
                    yield replace(
                        one, task=replace(one.task, dataset=f"t{table}", quantisation=q), score=score
                    )

    found = {s.paper: verdict(s, Evidence(frame(everything(rows=11)))) for s in STATEMENTS[:3]}
    assert [one.judgement for one in found.values()] == [HOLDS, PARTLY, HOLDS]
    assert [one.ours for one in found.values()] == [
        "71 datasets, 3 families of 355 pairs by 5 folds, 1065 in all",
        "14 to 100",
        "3 to 384",
    ]
    assert {one.n for one in found.values()} == {1065}
