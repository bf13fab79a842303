from collections import Counter
from dataclasses import replace

import pytest

from laconic.bench.plan import Choice, Task, choose, make_plan
from laconic.runtime.errors import InputError

TASK = Task("cp20", "iris", 4, 1, "opt", 1800.0, 8192, 0, "abc")


class Ladder:
    """Ten tables of growing size, three quantisations, five folds."""

    name = "ladder"
    datasets = tuple(f"t{i}" for i in range(10))
    quantisations = (2, 3, 4)
    folds = (1, 2, 3, 4, 5)

    def weight(self, dataset, quantisation):
        return int(dataset[1:]) * quantisation

    def digest(self, dataset, quantisation):
        return f"{dataset}-{quantisation}"

    def load(self, dataset, quantisation, fold):
        raise AssertionError("a plan reads no rows")


def test_an_id_is_the_same_in_every_process_and_version():
    """A changed hash would make every committed record a stranger."""
    assert TASK.id == "1bec5f78edcea0df9b02"


@pytest.mark.parametrize(
    "change",
    [{"fold": 2}, {"limit_s": 60.0}, {"data": "abd"}, {"method": "mopt"}, {"seed": 1}, {"cpu_limit_s": 9.0}],
)
def test_every_field_is_part_of_the_id(change):
    assert replace(TASK, **change).id != TASK.id


def test_a_limit_that_is_not_set_leaves_no_trace():
    assert "cpu_limit_s" not in TASK.to_json()
    limited = replace(TASK, cpu_limit_s=9.0)
    assert Task.from_json(limited.to_json()) == limited
    assert Task.from_json(TASK.to_json()) == TASK


def test_a_plan_is_the_product_of_its_parts():
    tasks = make_plan(Ladder(), ["opt", "mopt"])
    assert len(tasks) == 2 * 10 * 3 * 5
    assert len({task.id for task in tasks}) == len(tasks)
    assert {task.data for task in tasks if task.dataset == "t3" and task.quantisation == 2} == {"t3-2"}


def test_the_smallest_table_goes_first_for_every_method_and_then_the_largest():
    tasks = make_plan(Ladder(), ["opt", "mopt"])
    weights = [Ladder().weight(task.dataset, task.quantisation) for task in tasks]
    assert [task.method for task in tasks[:2]] == ["opt", "mopt"]
    assert weights[:2] == [0, 0]
    assert weights[2:] == sorted(weights[2:], reverse=True)


def test_filters_keep_what_they_name():
    tasks = make_plan(
        Ladder(), ["opt", "opt"], choice=Choice(datasets=["t1", "t2"], quantisations=[3], folds=[5, 1])
    )
    assert {task.instance for task in tasks} == {
        ("ladder", name, 3, fold) for name in ("t1", "t2") for fold in (1, 5)
    }
    assert len(tasks) == 4  # a method named twice runs once


def test_a_sample_is_spread_over_quantisations_and_sizes_and_follows_its_seed():
    chosen = choose(Ladder(), Choice(sample=30, seed=1))
    assert len(set(chosen)) == 30
    assert Counter(q for _, q, _ in chosen) == {2: 10, 3: 10, 4: 10}
    assert Counter(name for name, _, _ in chosen) == dict.fromkeys(Ladder.datasets, 3)
    assert chosen == choose(Ladder(), Choice(sample=30, seed=1))
    assert chosen != choose(Ladder(), Choice(sample=30, seed=2))
    assert len(choose(Ladder(), Choice(sample=1000))) == 150


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"names": ["nope"]}, "unknown method 'nope'"),
        ({"names": []}, "no method"),
        ({"choice": Choice(datasets=["nope"])}, "no dataset 'nope'"),
        ({"choice": Choice(folds=[6])}, "no fold 6"),
        ({"choice": Choice(quantisations=[7])}, "no quantisation 7"),
        ({"choice": Choice(sample=0)}, "at least 1"),
        ({"limit_s": 0}, "--time-limit must be more than 0"),
        ({"limit_s": float("inf")}, "at most 31536000 s .a year., not inf s"),
        ({"limit_s": float("nan")}, "not nan s"),
        ({"limit_s": 1e300}, "not 1e\\+300 s"),
        ({"cpu_limit_s": -1.0}, "--cpu-limit must be more than 0"),
        ({"cpu_limit_s": float("inf")}, "--cpu-limit .* not inf s"),
        ({"cpu_limit_s": 1e300}, "--cpu-limit .* not 1e\\+300 s"),
        ({"memory_mb": 1}, "--memory must be from 64"),
        ({"memory_mb": 10**18}, "to 1073741824 MB, not 1000000000000000000"),
        ({"seed": -1}, "--seed must be from 0"),
        ({"seed": 2**40}, "--seed must be from 0 to 4294967295"),
        ({"choice": Choice(sample=3, seed=-1)}, "--sample-seed must be from 0"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        make_plan(Ladder(), **{"names": ["opt"], **arguments})
