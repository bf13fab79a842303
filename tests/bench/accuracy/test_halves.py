"""The development half and the held-out half."""

from benchmarks.support.halves import HALVES, SAME_DATA, half


def test_a_table_belongs_to_one_half_by_the_hash_of_its_name():
    # The first digits of the hashes are 1 and 4 (printf iris | sha256sum).
    assert {name: half(name) for name in ("shuttle", "magic", "zoo")} == {
        "shuttle": "development",
        "magic": "held-out",
        "zoo": "development",
    }


def test_tables_with_the_same_data_belong_together():
    for group in SAME_DATA:
        assert len({half(name) for name in group}) == 1
        assert list(group) == sorted(group)
    assert {half(f"table {number}") for number in range(20)} == set(HALVES)
