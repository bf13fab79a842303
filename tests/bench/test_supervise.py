"""What the watching process makes of its looks at the family's memory."""

import pytest

from laconic.bench import supervise
from laconic.bench.limits import CpuTime, Process
from laconic.bench.supervise import Watch


@pytest.mark.parametrize(
    ("looks", "too_much"),
    [([200], False), ([300, 150], False), ([300, 300], True), ([300, 257], True), ([300, 256], False)],
    ids=["within", "counted twice while a process starts", "beyond", "by a megabyte", "exactly"],
)
def test_only_memory_that_lasts_counts(monkeypatch, tmp_path, looks, too_much):
    looked = iter(looks)
    monkeypatch.setattr(supervise, "_memory", lambda: next(looked) * 2**20)
    monkeypatch.setattr(supervise, "STARTING_S", 0)
    watch = Watch(tmp_path, {"task": {"memory_mb": 256}})
    assert watch._exceeds_memory() is too_much
    assert watch.peak_bytes == looks[-1] * 2**20
    assert next(looked, None) is None


def process(cpu_s, waited_s=0.0, born=1):
    return Process(parent=1, born=born, resident=0, cpu_s=cpu_s, waited_s=waited_s)


def test_the_time_of_processes_that_have_ended_still_counts():
    waited_for, not_waited_for, reused = CpuTime(), CpuTime(), CpuTime()
    for time in (waited_for, not_waited_for, reused):
        assert time.seconds({7: process(1.0), 8: process(2.0)}) == 3.0
    assert waited_for.seconds({7: process(1.5, waited_s=2.5)}) == 4.0
    assert not_waited_for.seconds({7: process(1.5)}) == 3.5  # what the kernel forgot was seen before
    assert reused.seconds({7: process(1.0), 8: process(0.5, born=9)}) == 3.5
    assert reused.seconds({}) == 3.5
