from __future__ import annotations

import os
from pathlib import Path

import pytest

from laconic.data.read import TableFile
from laconic.data.write import check_place, write_whole
from laconic.runtime.errors import InputError


def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path):
    path = tmp_path / "f"
    mask = os.umask(0o027)
    try:
        write_whole(path, b"one")
        assert path.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(mask)
    path.chmod(0o604)
    write_whole(path, b"two")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"two", 0o604)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(tmp_path / "pipe", b"hello")
        assert os.read(reader, 100) == b"hello"
    finally:
        os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


def test_a_failure_on_the_way_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_read_only_file_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    # As root nothing is read-only, so the answer of the system is set here.
    monkeypatch.setattr("laconic.data.write.os.access", lambda *_: False)
    for attempt in (check_place, lambda p: write_whole(p, b"new")):
        with pytest.raises(PermissionError, match="the file is read-only"):
            attempt(path)
    assert path.read_bytes() == b"old"


def test_a_place_is_checked_without_leaving_a_trace(tmp_path):
    check_place(tmp_path / "f")
    check_place("/dev/null")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        check_place(tmp_path / "nowhere" / "f")
    with pytest.raises(IsADirectoryError):
        check_place(tmp_path)


def test_column_names_are_read_without_the_rows(tmp_path):
    import pandas as pd

    frame = pd.DataFrame({"a": [1], "b c": ["x"]})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", sep=";", index=False)
    assert TableFile(tmp_path / "t.parquet").columns == TableFile(tmp_path / "t.csv").columns == ["a", "b c"]
    with pytest.raises(InputError, match=r"there is no file .*nowhere\.csv; check the path"):
        TableFile(tmp_path / "nowhere.csv")
