"""What the watching process makes of its looks at the family's memory."""

import pytest

from laconic.bench import supervise
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
    assert watch._holds_too_much() is too_much
    assert watch.peak_bytes == looks[-1] * 2**20
    assert next(looked, None) is None
