"""The verified checker agrees with the Python checker and counts costs alike, where it is built."""

from __future__ import annotations

import random
import re
from functools import cache

import numpy as np
import pytest
from tests.repository.test_docs import DOCS, run_commands
from tests.support.checking.builders import certified, sealed
from tests.support.checking.mutations import mutations
from tests.support.checking.programs import the_program
from tests.support.strategies import FLAVOURS as EXPLAINED
from tests.support.strategies import WITH_OTHERWISE, has_perfect_set

from laconic.checking import checker
from laconic.checking.certify import proof as certify_proof
from laconic.checking.certify import verified
from laconic.checking.certify.canonical import merged_table_text
from laconic.checking.certify.effort import Effort
from laconic.data.table import Table
from laconic.data.words import as_fraction
from laconic.problem import objective
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.errors import InputError

FLAVOURS = EXPLAINED | WITH_OTHERWISE
N_COSTS = 2000
"""Random tables on which the extracted definition of cost is compared with ours."""
N_TABLES = 40
"""Random tables of each objective whose certificates both checkers look at."""
N_EDITS = 25
"""Edits of each of these certificates."""


def random_table(rng, flavour):
    """A small table with repeated and contradicting rows, silent classes, and literals not to be used."""
    per_row = flavour == "per_row"
    n_features, n_classes = (
        int(rng.integers(1, 4 if per_row else 5)),
        int(rng.integers(2, 3 if per_row else 5)),
    )
    n_rows = int(rng.integers(1, 9 if per_row else 13))
    allowed = np.ones((n_features, 2), bool)
    allowed[:, 0] = rng.random(n_features) < 0.8
    return Table.from_arrays(
        rng.integers(0, 2, (n_rows, n_features)),
        rng.integers(0, n_classes, n_rows),
        rng.integers(1, 5, n_rows) * rng.choice([0.5, 1.0]),
        n_classes=n_classes,
        allowed=allowed,
    )


def random_rules(rng, table):
    """Some rules, sensible or not; one may be listed twice."""
    rules = []
    for _ in range(int(rng.integers(0, 5))):
        features = np.flatnonzero(rng.random(table.n_features) < 0.4)
        literals = [int(2 * f + (rng.random() < 0.5 or not table.allowed[f, 0])) for f in features]
        rules.append(CodedRule(int(rng.integers(table.n_classes)), tuple(literals)))
    return rules + rules[: int(rng.random() < 0.1)]


def objective_words(problem):
    chosen = problem.objective
    if chosen.kind is not Kind.SPARSE:
        return chosen.kind.value
    kind = "every_class" if chosen.every_class else "sparse" if problem.separable else "per_row"
    return f"{kind} {as_fraction(chosen.regularization)}"


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_the_extracted_definition_of_cost_is_the_cost(flavour):
    program = the_program()
    rng = np.random.default_rng(sorted(FLAVOURS).index(flavour))
    n_admitted = 0
    for _ in range(-(-N_COSTS // len(FLAVOURS))):
        table = random_table(rng, flavour)
        chosen = FLAVOURS[flavour][int(rng.integers(len(FLAVOURS[flavour])))]
        problem, rules = Problem.of(table, chosen), random_rules(rng, table)
        if rng.random() < 0.5:  # sets that make no errors are rare among random ones
            rules = one_rule_per_row(table)
        line = "none"
        if problem.otherwise:
            dropped = int(rng.choice(problem.classes))
            rules = [rule for rule in rules if rule.target != dropped]
            line = str(objective.otherwise_class(problem, rules))
        lines = [
            f"rule {rule.target} {len(rule.literals)} {' '.join(map(str, rule.literals))}" for rule in rules
        ]
        head = [f"objective {objective_words(problem)}", f"otherwise {line}", f"rules {len(rules)}"]
        text = merged_table_text(table) + "\n".join([*head, *lines, "cost 0 bound 0 proofs 0 end"])
        expected = objective.cost(problem, rules)
        if chosen.every_class and {rule.target for rule in rules} >= set(problem.classes):
            # The statement also admits sets in which the rule of a class covers no row of it.
            prices = sum(problem.rule_price(len(rule.literals)) for rule in rules)
            expected = problem.error_cost * objective.errors(problem, rules) + prices
        assert verified.run(program, text, 60, "--cost") == f"c {'NONE' if expected is None else expected}", (
            text
        )
        n_admitted += expected is not None
    assert n_admitted > 50


def one_rule_per_row(table):
    """The rules that describe each row in full, for its heaviest class."""
    literals = [[2 * f + int(row[f]) for f in range(table.n_features)] for row in table.matrix]
    kept = [[code for code in body if table.allowed[code // 2, code % 2]] for body in literals]
    return [
        CodedRule(int(weights.argmax()), tuple(body))
        for weights, body in zip(table.weights, kept, strict=True)
    ]


SPLIT = [
    Objective(Kind.PERFECT),
    Objective(Kind.SPARSE, 0.02),
    Objective(Kind.SPARSE, 0.02, every_class=True),
]


@cache
def instances(flavour):
    """Certificates of small tables, by exhaustive search; some with splits."""
    rng = np.random.default_rng(7 + sorted(FLAVOURS).index(flavour))
    found = []
    while len(found) < N_TABLES:
        table = random_table(rng, flavour)
        chosen = FLAVOURS[flavour][int(rng.integers(len(FLAVOURS[flavour])))]
        problem = Problem.of(table, chosen)
        if (flavour == "per_row" and table.n_rows > 6) or (problem.hard and not has_perfect_set(problem)):
            continue
        found.append((table, *certified(table, chosen)))
    return found


def by_python(document, table):
    """The numbers that the Python checker proves, or None."""
    try:
        return checker.check(document, table, Effort(nodes=200_000))
    except (checker.Malformed, checker.Refuted):
        return None


class NotCoveredError(Exception):
    """The verified checker says that it has no proof for an objective."""


def by_program(document, table):
    """The numbers that the verified checker proves, or None."""
    try:
        return verified.check(document, table, merged_table_text(table), 60)
    except (checker.Malformed, checker.Refuted) as reason:
        if "does not check" in str(reason):
            raise NotCoveredError(reason) from None
        return None


@pytest.fixture
def covered(flavour):
    """Skip, with a loud word, an objective that the verified checker does not cover."""
    the_program()
    table, document, _ = instances(flavour)[0]
    try:
        by_program(document, table)
    except NotCoveredError as reason:
        pytest.skip(f"*** NOT COVERED BY THE VERIFIED CHECKER: {reason} ***")


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_both_checkers_accept_the_same_certificates(flavour, covered):
    for table, document, solution in instances(flavour):
        expected = by_python(document, table)
        assert expected == (solution.cost, document["lower_bound"])
        assert by_program(document, table) == expected


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_both_checkers_accept_the_same_edits_under_a_new_seal(flavour, covered):
    rng = random.Random(flavour)
    n_accepted = n_refused = 0
    for table, document, _ in instances(flavour):
        edits = [changed for _, changed in mutations(document) if isinstance(changed, dict)]
        for changed in rng.sample(edits, N_EDITS):
            try:
                forged = sealed(changed)
            except (checker.Malformed, UnicodeEncodeError):
                continue
            try:
                expected = by_python(forged, table)
                assert by_program(forged, table) == expected, changed
            except (TimeoutError, NotCoveredError):
                continue
            n_accepted += expected is not None
            n_refused += expected is None
    assert n_refused > 3 * n_accepted > 0


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_both_checkers_refuse_a_bound_above_the_optimum(flavour, covered):
    """Other rules take the place of the best, and the bound is raised with their cost."""
    n_forged = 0
    for table, document, solution in instances(flavour):
        problem = Problem.of(table, FLAVOURS[flavour][0])
        chosen = Objective(
            Kind(document["objective"]),
            float(np.divide(*document["regularization"])) if document["regularization"] else 0.05,
            problem.objective.counting,
            problem.objective.every_class,
            default=problem.objective.default,
        )
        problem = Problem.of(table, chosen)
        for rules in ([], one_rule_per_row(table)):
            rules = [rule for rule in rules if rule.target != document.get("otherwise")]
            coded = [[rule.target, *rule.literals] for rule in rules]
            cost = objective.cost(problem, rules)
            if cost is None or cost <= solution.cost or len({tuple(rule) for rule in coded}) < len(coded):
                continue
            task = checker.Task(document, table)
            more = task.share * (cost - document["lower_bound"])
            proofs = [{**proof, "bound": proof["bound"] + more} for proof in document["proofs"]]
            claims = {"rules": coded, "cost": cost, "proofs": proofs}
            bound = min(cost, task.total([proof["bound"] for proof in proofs]))
            forged = sealed({**document, **claims, "lower_bound": bound})
            assert bound == cost
            assert by_python(forged, table) is None
            assert by_program(forged, table) is None
            n_forged += 1
    assert n_forged > 5


@pytest.mark.parametrize("flavour", ["perfect"])
def test_both_checkers_accept_proofs_with_splits(flavour, covered, monkeypatch):
    monkeypatch.setattr(certify_proof, "LAST_EFFORT", 0)
    monkeypatch.setattr(certify_proof, "FIRST_EFFORT", 0)
    n_trees = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        features = rng.integers(0, 2, (40, 6))
        table = Table.from_arrays(features, (features[:, 0] ^ features[:, 1]) ^ (rng.random(40) < 0.3))
        for chosen in SPLIT:
            document, _ = certified(table, chosen, "exact")
            n_trees += sum("rows" in part["proof"] for part in document["proofs"])
            expected = by_python(document, table)
            assert expected is not None
            try:
                assert by_program(document, table) == expected
            except NotCoveredError:
                continue
            for part in document["proofs"]:
                if "rows" in part["proof"]:
                    part["proof"] = {**part["proof"], "none": part["proof"]["some"]}
            swapped = sealed(document)
            assert by_program(swapped, table) == by_python(swapped, table)
    assert n_trees > 3


@pytest.mark.parametrize("flavour", ["perfect"])
def test_the_three_commands_of_the_page_do_what_it_shows(flavour, covered, tmp_path, monkeypatch):
    monkeypatch.setenv(verified.VARIABLE, str(the_program()))
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "verified.md").read_text(encoding="utf-8")
    three, *_ = re.findall(r"^```text\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    data = re.search(r"^\$ (printf .* > loans.csv)$", page, flags=re.MULTILINE)
    assert run_commands(f"$ {data[1]}\n") == 1
    assert run_commands(three) == 2  # and make proofs, which has been run


def test_a_row_without_weight_is_refused():
    table = Table.from_arrays([[0], [1]], [0, 1], [1, 0])
    with pytest.raises(InputError, match="has weight 0"):
        merged_table_text(table)
